"""What a chance event is about: the card of a shuffled pile that is wanted, or what a `random` statement asks.

A shuffled pile is drawn from when a player learns a card or a rule reads one, so the event says where that card lies.
`waiting` lists the places of all cards that nobody knows yet, in the order in which a tuple answers them at once.  All
of this is for the code that answers chance: players are never shown it.
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
    """A chance event that waits for its answer.

    `kind` is `pile` for a card of a shuffled pile, whose outcomes are faces; `card` for `random card`, whose outcomes
    are faces too; `value` for any other `random`.  `asked` names it: the place of the card (`draw[player 2]`), the
    variable that is set (`rolled[player 1]`), or the local name (`die`).  `player` is whose that is, None where it is
    nobody's.  `number` is the place of a card in its pile, counted from 1 at the top, None elsewhere.  `waiting` are
    the places of the cards that a tuple of faces answers all at once, one by one; empty where the event is no pile.
    """

    kind: Literal["pile", "card", "value"]
    asked: str
    player: int | None = None
    number: int | None = None
    waiting: tuple[str, ...] = ()
    source: str = ""

    def __str__(self) -> str:
        """Say it in words, as in `card 1 from the top of draw[player 2], of 54 that nobody knows`."""
        if self.kind == "pile":
            where = self.asked if self.number is None else f"the top of {self.asked}"
            at = "a card in" if self.number is None else f"card {self.number} from"
            return f"{at} {where}, of {len(self.waiting)} that nobody knows"
        return f"{self.asked} from {self.source}"


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
    asked, player = _named(state, into.variable.name, into.index)
    return ChanceEvent(kind, asked, player, source=source)


def _named(state: Machine, name: str, indices: tuple[core.Expr, ...]) -> tuple[str, int | None]:
    """Return a zone or variable with the values of its indices, and whose it is."""
    if not indices:
        return name, None
    log = log_of(state)
    values = [evaluator(state.game, index)(log) for index in indices]
    texts = [state.game.texts.value(index.type, value) for index, value in zip(indices, values, strict=True)]
    owner = next((v for i, v in zip(indices, values, strict=True) if isinstance(base_of(i.type), Player)), None)
    return f"{name}[{', '.join(texts)}]", owner
