"""Descriptions of chance events: the card of a shuffled pile that a rule needs, or a `random` statement.

A shuffled pile is drawn from when a player learns a card or a rule reads one, so the description has the place of that
card.  It is for the program that answers chance events, and never shown to players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs

from interpreter.analysis import core
from interpreter.analysis.types import Card, Player, base_of
from interpreter.engine.evaluate import evaluator
from interpreter.engine.logged import log_of
from interpreter.program.nodes import Chance

if TYPE_CHECKING:
    from interpreter.engine.machine import Machine


@attrs.frozen
class ChanceEvent:
    """A chance event that waits for its outcome.

    `kind` is `pile` for a card of a shuffled pile and `card` for `random card`, whose outcomes are faces; `value` for
    any other `random`.  `subject` is the place of the card (`draw[player 2]`), the variable (`rolled[player 1]`) or the
    local name (`die`) that the outcome determines.  `player` is its owner, or None.  `number` is the position of a card
    in its pile, from 1 at the top, or None.  `waiting` are the places of all unknown cards, in the order in which a
    tuple of faces answers them; it is empty if `kind` is not `pile`.
    """

    kind: Literal["pile", "card", "value"]
    subject: str
    player: int | None = None
    number: int | None = None
    waiting: tuple[str, ...] = ()
    source: str = ""

    def __str__(self) -> str:
        """Describe the event, as in `card 1 from the top of draw[player 2], of 54 that nobody knows`."""
        if self.kind == "pile":
            where = self.subject if self.number is None else f"the top of {self.subject}"
            at = "a card in" if self.number is None else f"card {self.number} from"
            return f"{at} {where}, of {len(self.waiting)} that nobody knows"
        return f"{self.subject} from {self.source}"


def event_of(state: Machine) -> ChanceEvent | None:
    """Return the chance event that waits, or None."""
    if not state.is_chance_node():
        return None
    game = state.game
    if state.awaited is not None:
        at = {token: place for place, zone in enumerate(state.zones) for token in zone if token in state.undetermined}
        order = sorted(state.undetermined, key=lambda token: (state.undetermined[token], token))
        place = at[state.awaited]
        number = state.zones[place].index(state.awaited) + 1 if game.piles[place] else None
        waiting = tuple(game.place_name(at[token]) for token in order)
        return ChanceEvent("pile", game.place_name(place), game.place_owners[place], number, waiting)
    node = game.program.nodes[state.node]
    assert isinstance(node, Chance)
    arg, into = node.random.arg, node.random.into
    kind: Literal["card", "value"] = "card" if isinstance(base_of(arg.local.type), Card) else "value"
    source, player = arg.domain.span.text, None
    if isinstance(arg.domain, core.ZoneRef):
        source, player = _named(state, arg.domain.zone.name, arg.domain.index)
    if into is None:
        return ChanceEvent(kind, arg.local.name, player, source=source)
    subject, player = _named(state, into.variable.name, into.index)
    return ChanceEvent(kind, subject, player, source=source)


def _named(state: Machine, name: str, indices: tuple[core.Expr, ...]) -> tuple[str, int | None]:
    """Return the name of a zone or variable with the values of its indices, and its owner."""
    if not indices:
        return name, None
    log = log_of(state)
    values = [evaluator(state.game, index)(log) for index in indices]
    texts = [state.game.texts.value(index.type, value) for index, value in zip(indices, values, strict=True)]
    owner = next((v for i, v in zip(indices, values, strict=True) if isinstance(base_of(i.type), Player)), None)
    return f"{name}[{', '.join(texts)}]", owner
