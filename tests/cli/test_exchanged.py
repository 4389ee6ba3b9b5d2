"""What a terminal shows a seat is the same to the letter where only what the seat cannot know is otherwise.

The check by exchange plays bundled games twice, in step, with cards and values exchanged that a seat has not seen;
here the words of the terminal count among what it compares, behind all that they are made from.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from rich.console import Console

from cli.terminal.human_agent import HumanAgent, OutOfLines
from interpreter import load
from interpreter.agents import AgentView
from interpreter.engine.faults import IllegalActionError
from interpreter.engine.game import State
from interpreter.fuzz import fuzz
from interpreter.fuzz.exchange import lockstep
from interpreter.fuzz.exchange.check import CHECK
from interpreter.fuzz.exchange.shown import shown
from interpreter.fuzz.exchange.traced import Viewer
from interpreter.table.information import information_state
from interpreter.table.narrator import EventNarrator
from tests.adapters.settings import short_of
from tests.cli.test_hidden import Typed

ASKED = ("?", "nonsense", "log", "? hand")


def terminal(state: State, viewer: int, *typed: str) -> str:
    """Return the news, the table in the words of the terminal, and what is answered where the seat is asked."""
    written = io.StringIO()
    console = Console(file=written, width=100, highlight=False, markup=False)
    desk = HumanAgent(
        state.game,
        console,
        Typed(typed or ASKED),
        (viewer,),
        str,
        lambda _: "",
        asks_all=True,
    )
    info = information_state(state, viewer)
    desk.narrate(info.events, EventNarrator(state.game, viewer))
    desk.show_table(info, whole=True)
    if state.current_player() == viewer:
        with pytest.raises(OutOfLines):
            desk.act(AgentView(state))
    return written.getvalue()


def compared(monkeypatch: pytest.MonkeyPatch, words: Callable[[State, int], str]) -> None:
    """Let the check by exchange alone be made, and let it compare some words too, and behind them what `why` answers.

    `why` plays again what has happened.  Where cards were exchanged in the middle of a play, its history no longer fits
    what was kept secretly, and there is nothing to be compared.
    """

    def with_words(
        state: State, viewer: Viewer, seed: str, *, numbers: bool, result: bool = True
    ) -> Iterator[tuple[str, Any]]:
        yield from shown(state, viewer, seed, numbers=numbers, result=result)
        if numbers and result and viewer is not None:
            yield "the terminal", words(state, viewer)
            with suppress(IllegalActionError):
                yield "why", terminal(state, viewer, "why")

    monkeypatch.setattr(lockstep, "shown", with_words)
    monkeypatch.setattr(fuzz, "ALL_CHECKS", (CHECK,))
    monkeypatch.setattr(fuzz, "SHRINKING", 0.0)


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        ("two_player_wizard", 40),
        pytest.param("chalice_and_wand", 40, marks=pytest.mark.soak),
        pytest.param("classics/hearts", 200, marks=pytest.mark.soak),  # Cards are passed at once, secretly.
    ],
)
def test_the_words_of_the_terminal_do_not_hang_on_what_a_seat_cannot_know(
    name: str, decisions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared(monkeypatch, terminal)
    report = fuzz.fuzz(load(name, options=short_of(name)), 2, seed=5, decisions=decisions)
    assert report.failure is None, report.failure
    assert report.tally["exchanges"] > 0


def test_words_that_hang_on_hidden_cards_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    compared(monkeypatch, lambda state, _: str(state.zones))
    failure = fuzz.fuzz(load("two_player_wizard"), 3, seed=5).failure
    assert failure is not None
    assert "the terminal reads" in failure.problem.message
