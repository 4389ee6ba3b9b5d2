"""Specs made of several files: `use`, `extends`, and the words that change a base."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from interpreter import load

BASE = complete(
    "option limit: 1..5 = 2\ndefine worth(p: player) = points[p] + limit\ndefine spare = 1\n"
    "result\n    score p = worth(p) + spare\n"
)


def play_out(path: Path) -> tuple[int, ...]:
    state = load(path).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(Zero())
        else:
            state.apply_action(state.legal_actions()[0])
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores is not None
    return outcome.scores


class Zero:
    def random(self) -> float:
        return 0.0


def write(folder: Path, **files: str) -> Path:
    (folder / "base.cardgame").write_text(BASE)
    for name, text in files.items():
        path = folder / f"{name}.cardgame"
        path.parent.mkdir(exist_ok=True)
        path.write_text("cardgame 1\n" + text)
    return folder / "variant.cardgame"


@pytest.mark.parametrize(
    ("variant", "score"),
    [
        ("", 3),
        ("set limit = 5\n", 6),
        ("replace define worth(q: player) = 40\n", 41),
        ("replace define spare = 9\n", 11),
        ("add define more = 100\nreplace result\n    score p = more\n", 100),
        ("remove define spare\nreplace result\n    score p = worth(p)\n", 2),
        ("replace phase take_turn(p: player)\n    points[p] = 9\n    p chooses\n        pass\n", 12),
        ("state\n    extra: 0..9 = 4\nreplace define spare = extra\n", 6),
        ('game "Other"\n    players 3\n', 3),
        ("replace deck in stock\n    9 of Jester\n", 3),
    ],
)
def test_a_variant_changes_what_it_names(tmp_path: Path, variant: str, score: int) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\n' + variant)
    assert set(play_out(path)) == {score}


def test_variants_chain_and_use_libraries_beside_them(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "more.cardgame").write_text("cardgame 1\ndefine thousand = 1000\n")
    path = write(
        tmp_path,
        middle='extends "base.cardgame"\nuse "lib/more.cardgame"\nreplace define spare = thousand\n',
        variant='extends "middle.cardgame"\nset limit = 3\n',
    )
    assert play_out(path) == (1003, 1003)


@pytest.mark.parametrize(
    ("variant", "code", "words"),
    [
        ("set limti = 3\n", "CG221", "there is no option `limti` to set"),
        ("replace define wrth(p: player) = 3\n", "CG221", "there is no `define wrth` to replace"),
        ("remove phase nothing\n", "CG221", "there is no phase `nothing` to remove"),
        ("add define spare = 3\n", "CG220", "`define spare` is already there"),
        ("define spare = 3\n", "CG220", "`define spare` is already there"),
        ("replace define worth(n: 0..3) = n\n", "CG222", "takes other arguments"),
        ("set limit = 9\n", "CG327", "no value of the option"),
        ('extends "base.cardgame"\n', "CG216", "extends one other"),
        ('use "missing.cardgame"\n', "CG218", "there is no spec `missing.cardgame`"),
        ('use "../../../../etc/passwd"\n', "CG218", "there is no spec"),
        ('replace invariant "none": 1 == 1\n', "CG221", "to replace"),
        ("remove define spare\n", "CG201", "`spare`"),
    ],
)
def test_a_variant_that_changes_nothing_is_wrong(tmp_path: Path, variant: str, code: str, words: str) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\n' + variant)
    with pytest.raises(SpecError) as caught:
        load(path)
    assert [d.code for d in caught.value.diagnostics if d.is_error] == [code]
    assert words in caught.value.diagnostics[0].message


def test_files_in_a_circle_are_found(tmp_path: Path) -> None:
    path = write(tmp_path, variant='extends "second.cardgame"\n', second='extends "variant.cardgame"\n')
    with pytest.raises(SpecError) as caught:
        load(path)
    assert {d.code for d in caught.value.diagnostics} == {"CG219"}
    alone = write(tmp_path, variant='use "variant.cardgame"\n')
    with pytest.raises(SpecError) as caught:
        load(alone)
    assert {d.code for d in caught.value.diagnostics} == {"CG219"}


def test_mistakes_of_another_file_are_told_in_that_file(tmp_path: Path) -> None:
    path = write(tmp_path, variant='extends "middle.cardgame"\n', middle='extends "base.cardgame"\nset limti = 3\n')
    with pytest.raises(SpecError) as caught:
        load(path)
    assert Path(caught.value.diagnostics[0].span.source.name).name == "middle.cardgame"


def test_a_base_that_comes_in_twice_declares_everything_twice(tmp_path: Path) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\nuse "base.cardgame"\n')
    with pytest.raises(SpecError) as caught:
        load(path)
    assert {"CG202", "CG214"} == {d.code for d in caught.value.diagnostics if d.is_error}
