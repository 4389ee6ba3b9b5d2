"""Random plays from beginning to end, inside generated code: for statistics, rollouts and speed.

What stops, remembers or tells belongs to `State`.  Here a play is one call, and only its end is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

import attrs

from interpreter.runtime.faults import RuleError
from interpreter.runtime.outcome import Outcome
from interpreter.runtime.state import State
from interpreter.runtime.support import take

if TYPE_CHECKING:
    from interpreter.runtime.code import Code
    from interpreter.runtime.game import Game

Draw = Callable[[], float]


@attrs.frozen
class Playouts:
    """The ends of random plays, in the order in which they were played, and all their small actions together."""

    outcomes: tuple[Outcome, ...]
    decisions: int

    @property
    def returns(self) -> tuple[tuple[float, ...], ...]:
        """The returns of each play, by player."""
        return tuple(outcome.returns for outcome in self.outcomes)


class GameOver(Exception):  # noqa: N818 -- no error, but how a play ends from deep inside
    """A play has ended, wherever it was."""


def random_playouts(game: Game, code: Code, state_type: type[State], count: int, seed: int | str) -> Playouts:
    """Play a game at random so many times, each legal small action alike.

    Raises RuleError where a rule cannot be carried out.
    """
    rnd, dice = Random(f"{seed}/actions").random, Random(f"{seed}/chance").random
    play: Callable[[State, list[Any], list[list[int]], Draw, Draw], None] = code.names["play"]
    size = code.size
    outcomes = []
    decisions = 0
    for _ in range(count):
        state = state_type(game, code)
        state.v.append(0)
        game.set_out(state)
        try:
            play(state, state.v, state.z, rnd, dice)
        except Exception as error:
            raise game.fault_of(error, code) from error
        assert state.result is not None
        outcomes.append(state.result)
        decisions += state.v[size]
    return Playouts(tuple(outcomes), decisions)


def helpers(game: Game) -> dict[str, Any]:
    """Return what the generated code of playouts calls besides `interpreter.runtime.support`."""
    capacities = game.capacities

    def shuffle_now(st: State, z: list[list[int]], place: int, cards: list[int] | None, dice: Draw) -> None:
        pile = z[place]
        if cards:
            for card in cards:
                take(z, card)
            pile += cards
            if len(pile) > capacities[place]:
                raise RuleError("CG805", f"{game.place_name(place)} holds at most {capacities[place]} cards")
        for held in (st.turned, st.played_by):
            if held:
                for card in pile:
                    held.pop(card, None)
        pile.sort()
        for last in range(len(pile) - 1, 0, -1):
            other = int(dice() * (last + 1))
            pile[last], pile[other] = pile[other], pile[last]

    return {f.__name__: f for f in (int, drawn, stuck, nothing_to_draw, too_long, shuffle_now, GameOver)}


def drawn(listed: list[int], rnd: Draw) -> int:
    """Return one of some numbers.  Raises RuleError where there is none: a player cannot act."""
    if not listed:
        stuck()
    return listed[int(rnd() * len(listed))]


def stuck() -> NoReturn:
    """Stop where a player has nothing to do."""
    raise RuleError("CG807", "no action is possible here")


def nothing_to_draw() -> NoReturn:
    """Stop where chance has nothing to choose from."""
    raise RuleError("CG808", "chance has nothing to choose from")


def too_long(st: State) -> NoReturn:
    """End a play that needs more decisions than the rules allow."""
    st.too_long = True
    raise GameOver
