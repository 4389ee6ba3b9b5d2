"""Nothing foreign acts on a terminal: texts of specs, saves, files, people, the environment and exceptions."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from grammar.printable import prints
from tests.bundled import one_in
from tests.cli.running import CHALICE, OFFERS, run, write

ATTACK = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\u202eemag\u2066\x7f\b\r"
"""Writes the clipboard, clears the screen, colours, turns the direction of the line, overwrites."""

SPECS = {
    "title": OFFERS.replace("High Offer", f"High {ATTACK} Offer"),
    "written": OFFERS.replace('red "R"', f'red "R{ATTACK}"'),
    "comment": OFFERS + f"# {ATTACK}\n",
    "option": OFFERS.replace("how many cards", f"how {ATTACK} cards"),
    "said": OFFERS.replace("    shuffle stock\n", f'    shuffle stock\n    say "{ATTACK}"\n'),
}


def clean(text: str) -> bool:
    """Say whether a terminal shows a text and does nothing else."""
    return all(char in "\n\t" or prints(char) for char in text)


@pytest.mark.parametrize("spec", one_in(2, SPECS))
def test_a_spec_that_would_steer_the_terminal_is_refused_by_every_command(spec: str, tmp_path: Path) -> None:
    file = write(tmp_path / "offers.cardgame", spec)
    scenarios = write(
        tmp_path / "offers.scenarios", 'scenarios 1 of "offers.cardgame"\n\nscenario "x"\n    expect player 1 to act\n'
    )
    for args in (("validate", file), ("validate", file, "--format", "concise"), ("validate", file, "--format", "json"),
                 ("rules", file), ("graph", file), ("graph", file, "--format", "dot"), ("play", file),
                 ("fuzz", file, "--plays", "1"), ("test", scenarios)):  # fmt: skip
        result = run(*args)
        assert result.exit_code == 1, result.output
        assert clean(result.output), args
        assert "CG125" in result.output


@pytest.mark.parametrize(
    "args",
    [
        (ATTACK,),
        (f"--{ATTACK}",),
        ("validate", ATTACK),
        ("play", CHALICE, "--option", f"hands={ATTACK}"),
        ("play", CHALICE, "--option", ATTACK),
        ("play", CHALICE, "--option", f"{ATTACK}=1"),
        ("play", CHALICE, "--seat", ATTACK),
        ("play", CHALICE, "--seat", "1" * 5_000 + "=human"),
        ("play", CHALICE, "--seed", "1" * 5_000),
        ("play", CHALICE, "--seed", "1" * 31),
        ("play", CHALICE, "--players", ATTACK),
        ("play", CHALICE, "--actions", ATTACK),
        ("play", CHALICE, "--transcript", f"{ATTACK}/x"),
        ("play", "--load", ATTACK),
        ("replay", ATTACK),
        ("graph", CHALICE, "--format", ATTACK),
        ("fuzz", CHALICE, "--option", ATTACK),
        ("test", CHALICE, "--only", ATTACK),
        ("list", ATTACK),
    ],
)
def test_text_typed_after_a_command_is_shown_and_not_obeyed(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 2, result.output
    assert clean(result.output), result.output


def test_names_of_files_are_shown_and_not_obeyed(tmp_path: Path) -> None:
    folder = tmp_path / "\x1b[2J\u202e"
    folder.mkdir()
    good, bad = write(folder / "good.cardgame", OFFERS), write(folder / "bad.cardgame", "cardgame 1\n")
    for args in (("validate", good), ("validate", bad), ("play", bad), ("play", good, "--seed", "1"),
                 ("fuzz", good, "--plays", "1"), ("play", good, "--seat", "1=random", "--seed", "1")):  # fmt: skip
        result = run(*args, text="save\nquit\n")
        assert clean(result.output), result.output
        assert "\\x1b[2J" in result.output or result.exit_code == 0


def test_what_people_type_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    typed = "\n".join([ATTACK, f"bid {ATTACK}", f"? {ATTACK}", f"/{ATTACK}", f"save {ATTACK}/x", f"{ATTACK} 3", "quit"])
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    result = run("play", spec, "--seed", "1", text=typed)
    assert clean(result.output), result.output
    assert "\\x1b]52;c;aGk=\\x07" in result.output
    actions = write(tmp_path / "moves.txt", f"bid {ATTACK}\n")
    result = run("play", spec, "--seed", "1", "--actions", actions)
    assert result.exit_code == 1
    assert clean(result.output), result.output


def test_what_a_transcript_says_is_shown_and_not_obeyed() -> None:
    run("play", CHALICE, "--seed", "5", "--seat", "1=random", "--transcript", "t.txt")
    text = Path("t.txt").read_text(encoding="utf-8")
    for old, new in (("spec: ", f"spec: {ATTACK}"), ("seed: 5", f"seed: {ATTACK}"),
                     ("option hands", f"option {ATTACK}"),
                     ("player 1: ", f"player 1: {ATTACK}"), ("outcome: ", f"outcome: {ATTACK}"),
                     ("asked: ", f"asked: {ATTACK}")):  # fmt: skip
        Path("u.txt").write_text(text.replace(old, new, 1), encoding="utf-8")
        result = run("replay", "u.txt")
        assert result.exit_code in (1, 2)
        assert clean(result.output), result.output
        assert "\\x1b" in result.output


def test_what_an_exception_says_is_shown_and_not_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> list[str]:
        raise TypeError(ATTACK)

    monkeypatch.setattr(import_module("interpreter.loader"), "bundled_games", broken)
    assert clean(run("list").output)
    monkeypatch.setenv("CARDGAME_DEBUG", ATTACK)
    result = run("list")
    assert "Traceback" in result.stderr
    assert clean(result.output)


def test_colours_are_ours_alone(tmp_path: Path) -> None:
    import re

    spec = write(tmp_path / "bad.cardgame", SPECS["title"])
    for args in (("validate", spec), ("play", spec), ("fuzz", "classics/kuhn_poker", "--plays", "1"),
                 ("play", CHALICE, "--seed", "1", "--seat", "1=random")):  # fmt: skip
        result = run("--color", "always", *args)
        assert "\x1b[" in result.output
        assert clean(re.sub(r"\x1b\[[0-9;]*m", "", result.output)), args
        assert "\x1b]" not in result.output
        assert "\x1b[2J" not in result.output


@pytest.mark.parametrize("columns", ["0", "1", "-7", "5", "many", "999999999999"])
def test_a_strange_width_still_shows_the_table(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", columns)
    result = run("--color", "always", "play", CHALICE, "--seed", "5", text="quit\n")
    assert "your hand" in result.output
    assert max(map(len, result.output.splitlines())) < 600
    assert run("rules", "classics/kuhn_poker").exit_code == 0
    assert run("--help").exit_code == 0
