"""Every text that an interface shows a seat, by name: the terminal and JSON, for the check by exchange.

`interpreter.fuzz.exchange` compares these byte by byte in two worlds that look the same to the seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from interpreter.engine.faults import IllegalActionError
from interpreter.table.choices import choices
from interpreter.table.frame import frame, to_json
from interpreter.table.help_text import general_help
from interpreter.table.html import state_html
from interpreter.table.information import InformationState, information_state
from interpreter.table.narrator import EventNarrator
from interpreter.table.reasons import reasons
from interpreter.table.reference import reference_of
from interpreter.table.scores import ScoreExplainer

if TYPE_CHECKING:
    from interpreter.engine.machine import Machine


def surfaces(state: Machine, seat: int | None) -> Iterator[tuple[str, str]]:
    """Give everything that an interface shows a seat, each with its name."""
    info = information_state(state, seat)
    scores = {} if seat is None else ScoreExplainer(info.game, seat).explained(state, info)
    yield "the frame", to_json(frame(info, scores=scores))
    if seat is None:
        yield "the notebook", state_html(state)
    yield "the log", "\n".join(EventNarrator(info.game, seat).events(info.events))
    if info.pending is not None:
        yield from _decision_surfaces(state, info)


def _decision_surfaces(state: Machine, info: InformationState) -> Iterator[tuple[str, str]]:
    """Give what a seat is shown that must decide: the menu, its help, the open chapter of the rules, and `why`."""
    assert info.seat is not None
    offered = choices(info)
    reference = reference_of(info.game)
    yield "the menu", repr(offered)
    yield "the help", general_help(offered, names=True)
    yield "the chapter of the rules", str(reference.chapter(info))
    with suppress(IllegalActionError):  # A history in which cards were exchanged cannot be replayed.
        yield "why", "\n".join(reference.why(reasons(state, info.seat), EventNarrator(info.game, info.seat)))
