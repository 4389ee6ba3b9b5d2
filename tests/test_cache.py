"""A game that was kept is given out for the same question only, and never when anything is not as it should be."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import grammar
from grammar import store
from grammar.diagnostics import SpecError
from interpreter import cache as games
from interpreter import load
from interpreter.loader import load_text
from interpreter.setting import SettingError
from interpreter.validate import validate
from tests.belief.tiny import POKER
from tests.keeping import ROOT, SPEC, VALUES, again, entries, parsers, scores, small, was_kept

pytestmark = pytest.mark.skipif(not store.KNOWS_OWNERS, reason="files have no owners here")
__all__ = ["parsers", "small"]


# ---- another question


def test_a_changed_text_is_another_game(cache: Path, small: Path) -> None:
    before = again(small)
    small.write_text(SPEC.replace("deal 3", "deal 2"))
    after = load(small)
    assert not was_kept(after)
    assert after.digest != before.digest
    small.write_text(SPEC)
    assert was_kept(load(small))
    assert len(entries(cache)) == 2


@pytest.mark.parametrize("name", ["cards", "values"])
def test_a_changed_library_is_another_game(cache: Path, small: Path, name: str) -> None:
    ends = scores(again(small))
    path = small.parent / "lib" / f"{name}.cardgame"
    before = path.read_text()
    path.write_text(before.replace("+ 0", "+ 1").replace("1..5", "2..6"))
    changed = load(small)
    assert not was_kept(changed)
    assert scores(changed) != ends
    assert was_kept(load(small))
    path.write_text(before)
    back = load(small)
    assert not was_kept(back), "one game is kept for each question"
    assert scores(back) == ends
    assert len(entries(cache)) == 1


def test_a_library_that_lies_elsewhere_now_is_another_one(cache: Path, small: Path) -> None:
    lib = small.parent / "lib"
    lib.rename(small.parent / "old")
    shutil.copytree(small.parent / "old", small.parent / "new")
    (small.parent / "new" / "values.cardgame").write_text(VALUES.format(9))
    lib.symlink_to("old")
    ends = scores(again(small))
    lib.unlink()
    lib.symlink_to("new")
    moved = load(small)
    assert not was_kept(moved)
    assert scores(moved) != ends
    assert entries(cache)


def test_a_library_that_is_gone_is_missed(cache: Path, small: Path) -> None:
    again(small)
    (small.parent / "lib" / "values.cardgame").unlink()
    with pytest.raises(SpecError) as error:
        load(small)
    assert [d.code for d in error.value.diagnostics] == ["CG218"]
    assert entries(cache)


def test_the_same_text_in_another_folder_is_another_question(cache: Path, small: Path, tmp_path: Path) -> None:
    again(small)
    shutil.copytree(small.parent, tmp_path / "copy")
    (tmp_path / "copy" / "lib" / "values.cardgame").write_text(VALUES.format(3))
    assert not was_kept(load(tmp_path / "copy" / "small.cardgame"))
    assert len(entries(cache)) == 2


def test_a_name_is_reported_as_requested(cache: Path, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again(small)
    monkeypatch.chdir(small.parent)
    here = load("small.cardgame")
    assert not was_kept(here)
    assert here.rules.source_name == "small.cardgame"
    assert len(entries(cache)) == 2


def test_players_and_options_are_part_of_the_question(cache: Path, small: Path) -> None:
    settings: list[tuple[int | None, dict[str, object]]] = [
        (None, {}),
        (2, {}),
        (3, {}),
        (None, {"rounds": 1}),
        (None, {"rounds": 3}),
        (None, {"open": True}),
        (None, {"opener": "other"}),
        (3, {"opener": "other", "rounds": 1}),
    ]
    told = [load(small, players, dict(options)).describe() for players, options in settings]
    assert len(entries(cache)) == len(settings)
    for (players, options), before in zip(settings, told, strict=True):
        game = load(small, players, dict(options))
        assert was_kept(game)
        assert game.describe() == before
        assert len(game.new_initial_state().returns()) == (players or 2)
    assert len({str(description) for description in told}) == len(settings) - 1, "two players are the least"


def test_an_option_may_be_given_as_a_word(cache: Path, small: Path) -> None:
    load(small, options={"open": True, "rounds": 3})
    assert was_kept(load(small, options={"open": "true", "rounds": "3"}))
    assert not was_kept(load(small, options={"open": False, "rounds": "3"}))
    assert len(entries(cache)) == 2


@pytest.mark.parametrize(
    ("players", "options"),
    [(4, {}), (1, {}), (None, {"rounds": 9}), (None, {"rounds": "True"}), (None, {"lounds": 1}), (None, {"open": 1})],
)
def test_what_a_game_does_not_have_is_refused_each_time(
    cache: Path, small: Path, players: int | None, options: dict[str, object]
) -> None:
    again(small)
    told = set()
    for _ in range(2):
        with pytest.raises(SettingError) as error:
            load(small, players, dict(options))
        told.add(str(error.value))
    assert len(told) == 1
    assert len(entries(cache)) == 1


def test_a_number_of_players_that_is_no_plain_number_is_not_kept(cache: Path, small: Path) -> None:
    class Two(int):
        pass

    assert not was_kept(load(small, Two(2)))
    assert entries(cache) == []


def test_mistakes_are_reported_each_time_and_never_kept(cache: Path, small: Path) -> None:
    small.write_text(SPEC.replace("move c to table", "move c to tabel"))
    told = []
    for _ in range(2):
        with pytest.raises(SpecError) as error:
            load(small)
        told.append([(d.code, str(d.span)) for d in error.value.diagnostics])
    assert told[0] == told[1] != []
    assert entries(cache) == []


def test_warnings_of_a_kept_game_are_reported(cache: Path, small: Path) -> None:
    small.write_text(SPEC + "\ndefine forgotten = 1\n")
    before = validate(small).diagnostics
    assert [d.code for d in before] == ["CG501"]
    again(small)
    after = validate(small).diagnostics
    assert [(d.code, d.message, str(d.span)) for d in after] == [(d.code, d.message, str(d.span)) for d in before]
    assert entries(cache)


def test_a_text_without_a_file_is_not_kept(cache: Path) -> None:
    load_text(POKER)
    assert entries(cache) == []


# ---- another program


def test_another_version_of_anything_is_another_question(
    cache: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again(small)
    for where, name, value in (
        (grammar, "VERSION", 2),
        (games, "FORMAT", 0),
        (games, "compiler", lambda: "another"),
        (sys, "version", "4.0"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, value)
            assert not was_kept(load(small)), name
            assert was_kept(load(small)), name
    assert was_kept(load(small))
    assert len(entries(cache)) == 5


@pytest.mark.usefixtures("parsers")
def test_a_changed_compiler_is_never_given_what_the_old_one_made(cache: Path, small: Path, tmp_path: Path) -> None:
    copied = tmp_path / "program"
    for package in ("grammar", "interpreter", "games"):
        # With their old dates, so that the bytecode of a file that is written anew is surely not of its new text.
        shutil.copytree(ROOT / package, copied / package, ignore=shutil.ignore_patterns("__pycache__"))
    change = "path.write_bytes(path.read_bytes().replace(b'a division by zero', b'a quotient by zero'))"
    code = (
        "import sys, pathlib; from interpreter import load\n"
        f"path = pathlib.Path({str(copied)!r}) / 'interpreter' / 'engine' / 'support.py'\n"
        f"if 'early' in sys.argv: {change}\n"
        "games = [load(sys.argv[1]), load(sys.argv[1])]\n"
        "print(*('compiled' if 'compilation' in vars(game) else 'kept' for game in games))"
    )

    def run(*more: str) -> str:
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, str(small), *more],
            env={**os.environ, "PYTHONPATH": str(copied)}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    assert run() == "compiled kept"
    assert run() == "kept kept"
    assert len(entries(cache)) == 1
    assert run("early") == "compiled compiled", "what was imported is not what lies there now: nothing is asked or kept"
    assert len(entries(cache)) == 1
    assert run() == "compiled kept"
    assert len(entries(cache)) == 2


def test_a_compiler_that_cannot_be_read_keeps_nothing(
    cache: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "compiler", lambda: None)
    assert not was_kept(load(small))
    assert entries(cache) == []


def test_a_kept_game_belongs_to_the_same_program(cache: Path, small: Path) -> None:
    source = load(small).rules.play.span.source
    asked = games.question(source, small.parent, None, {})
    assert asked is not None
    other = load(small, 3).compilation
    game = games.answer(asked, lambda _found: other)
    assert game is not None
    assert entries(cache)
    with pytest.raises(RuntimeError, match="changed while it ran"):
        game.rules.title  # noqa: B018


# ---- files that are not what they should be


def damaged(good: bytes) -> Iterator[bytes]:
    yield b""
    yield good[: len(good) // 2]
    yield good[:-1]
    yield good + b" "
    yield good.replace(b"Small", b"Smell")
    yield good.replace(b"\n", b"", 1)
    yield b"\xff\xfe" + good
    yield b"[" * 100_000


def test_a_damaged_file_is_as_none(cache: Path, small: Path) -> None:
    again(small)
    (path,) = entries(cache)
    good = path.read_bytes()
    for bad in damaged(good):
        assert bad != good
        path.write_bytes(bad)
        assert not was_kept(load(small))
        assert path.read_bytes() == good, "it is written anew"


@pytest.mark.parametrize("line", range(1, 6))
@pytest.mark.parametrize(
    "text",
    [
        "[]", '{"GameData": []}',
        *(pytest.param(text, marks=pytest.mark.soak)
          for text in ("", "{}", "null", '[["a", "b", "c", "d"]]', '{"Text": [1]}', "0")),
    ],
)  # fmt: skip
def test_a_file_that_is_whole_but_makes_no_sense_is_as_none(cache: Path, small: Path, line: int, text: str) -> None:
    again(small)
    (path,) = entries(cache)
    good = path.read_bytes()
    lines = good.decode().split("\n")
    if line == 2 and text == "[]":
        text = '[["/", "x.cardgame", "/x.cardgame", ""]]'
    if line == 3:
        text = "{"
    lines[line] = text
    body = "\n".join(lines[1:]).encode()
    path.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    assert not was_kept(load(small))
    assert path.read_bytes() == good


def test_a_file_under_a_name_that_is_not_its_own_is_as_none(cache: Path, small: Path) -> None:
    again(small)
    (path,) = entries(cache)
    load(small, options={"rounds": 1})
    (other,) = set(entries(cache)) - {path}
    shutil.copy(path, other)
    game = load(small, options={"rounds": 1})
    assert not was_kept(game)
    assert game.option_texts()["rounds"] == "1"


def test_a_file_that_others_can_write_is_as_none(cache: Path, small: Path) -> None:
    again(small)
    (path,) = entries(cache)
    path.chmod(0o666)
    assert not was_kept(load(small))
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_of_another_user_is_ignored(cache: Path, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again(small)
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    assert not was_kept(load(small))
    assert entries(cache)


def test_where_nothing_can_be_kept_a_game_is_compiled_each_time(
    cache: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_more: object) -> None:
        raise OSError(errno.ENOSPC, "no space is left")

    monkeypatch.setattr(os, "replace", full)
    assert not was_kept(load(small))
    assert not was_kept(load(small))
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("setting", ["off", "parsers"])
def test_keeping_games_can_be_turned_off(
    cache: Path, small: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    again(small)
    monkeypatch.setenv("CARDGAME_CACHE", setting)
    assert not was_kept(load(small))
    monkeypatch.delenv("CARDGAME_CACHE")
    assert was_kept(load(small))
    assert len(entries(cache)) == 1


def test_the_number_of_games_that_are_kept_is_bounded(
    cache: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "KEPT", 2)
    for rounds in (1, 2, 3):
        load(small, options={"rounds": rounds})
        for age, path in enumerate(sorted(entries(cache), key=lambda p: p.stat().st_mtime_ns)):
            os.utime(path, (age, age))
    assert len(entries(cache)) == 2
    assert was_kept(load(small, options={"rounds": 3}))
    assert not was_kept(load(small, options={"rounds": 1}))


def test_a_game_that_is_very_large_is_not_kept(cache: Path, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LARGEST", 1_000)
    assert not was_kept(load(small))
    assert entries(cache) == []


def test_something_that_cannot_be_written_down_is_not_kept(
    cache: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(small)
    (path,) = entries(cache)
    path.unlink()
    source = game.rules.play.span.source
    asked = games.question(source, small.parent, None, {})
    assert asked is not None
    monkeypatch.setitem(game.code.kept.tables, "Z1", object())
    games.keep(asked, (), game)
    assert entries(cache) == []


@pytest.mark.soak
@pytest.mark.usefixtures("parsers")
def test_two_processes_keep_the_same_bytes(cache: Path, small: Path) -> None:
    kept = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
        code = "import sys; from interpreter import load; load(sys.argv[1])"
        subprocess.run([sys.executable, "-P", "-c", code, str(small)], env=environment, check=True)
        (path,) = entries(cache)
        kept.add(path.read_bytes())
        path.unlink()
    assert len(kept) == 1
