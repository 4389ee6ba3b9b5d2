"""`cardgame play` at a real terminal: handing over, hidden input, Ctrl-C, Ctrl-D."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli.terminal import pager
from tests.cli.terminal import Terminal


@pytest.fixture(autouse=True)
def _no_ambient_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_two_people_hand_the_screen_over_and_ctrl_c_keeps_the_play() -> None:
    terminal = Terminal("play", "chalice_and_wand", "--seed", "7", "--seat", "2=human")
    terminal.until("Player 1, press Enter when you are alone.")
    terminal.type("\r")
    first = terminal.until("> ")
    assert "your hand (left)" in first
    assert "\x1b[9" in first, "cards are coloured at a terminal"
    terminal.type("discard nothing\r")
    between = terminal.until("Player 2, press Enter when you are alone.")
    assert "\x1b[2J\x1b[3J" in between, "the screen of player 1 is wiped"
    assert "your hand" not in between
    terminal.type("\r")
    second = terminal.until("> ")
    assert "\x1b[2J\x1b[3J" in second
    # The arrow key must not call up what player 1 typed.  What stands behind it shows that all of it has been read.
    terminal.type("\x1b[Aq")
    assert "discard nothing" not in terminal.until("q")
    terminal.type("\x03")
    rest, code = terminal.end()
    assert "discard nothing" not in rest
    assert code == 130
    assert "cardgame play chalice_and_wand --resume" in " ".join(rest.split())
    assert not list(Path().iterdir()), "no file appears unasked"


def test_ctrl_d_keeps_the_play_and_leaves_without_a_complaint() -> None:
    terminal = Terminal("play", "chalice_and_wand", "--seed", "7", "--seat", "2=random")
    terminal.until("> ")
    terminal.type("nothing\r")
    terminal.until("You take cards from the middle")
    terminal.until("> ")
    terminal.type("\x04")
    rest, code = terminal.end()
    assert code == 0
    assert "player 1 is to act" in rest
    assert "--resume" in rest
    assert not list(Path().iterdir()), "no file appears unasked"


@pytest.mark.soak
def test_people_with_equal_views_are_not_handed_over() -> None:
    terminal = Terminal("play", "chalice_and_wand", "--option", "hands=open", "--seed", "7", "--seat", "2=human")
    first = terminal.until("> ")
    terminal.type("discard nothing\r")
    second = terminal.until("you are player 2") + terminal.until("> ")
    for seen in (first, second):
        assert "press Enter" not in seen
        assert "\x1b[2J" not in seen
    terminal.type("\x04")
    assert terminal.end()[1] == 0


@pytest.mark.parametrize("command", ["", " ", "less '"])
def test_without_a_usable_pager_variable_a_known_pager_is_taken(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", command)
    monkeypatch.setattr(shutil, "which", lambda name: name if name == "more" else None)
    assert pager._pager(1) == ["more"]
