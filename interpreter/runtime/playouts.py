"""Random plays from beginning to end, inside generated code: for statistics, rollouts and speed.

What stops, remembers or tells belongs to `State`.  Here a play is one call, and only its end is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

from interpreter.runtime.faults import RuleError
from interpreter.runtime.machine import Machine
from interpreter.runtime.outcome import Outcome
from interpreter.runtime.support import take

if TYPE_CHECKING:
    from interpreter.runtime.code import Code
    from interpreter.runtime.game_base import GameBase

Draw = Callable[[], float]


class Playouts:
    """The ends of random plays, in the order in which they were played, and all their small actions together.

    `lengths` are the small actions of each play.
    """

    def __init__(
        self, decisions: int, outcomes: Callable[[], tuple[Outcome, ...]], lengths: tuple[int, ...]
    ) -> None:  # fmt: skip
        """Take the ends from a function, which is called when somebody asks for them."""
        self.decisions = decisions
        self.lengths = lengths
        self._read = outcomes

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The end of each play."""
        return self._read()

    @property
    def returns(self) -> tuple[tuple[float, ...], ...]:
        """The returns of each play, by player."""
        return tuple(outcome.returns for outcome in self.outcomes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Playouts):
            return NotImplemented
        return (self.lengths, self.outcomes) == (other.lengths, other.outcomes)

    def __hash__(self) -> int:
        return hash((self.lengths, self.outcomes))


class GameOver(Exception):  # noqa: N818 -- no error, but how a play ends from deep inside
    """A play has ended, wherever it was."""


def random_playouts(game: GameBase, code: Code, count: int, seed: int | str) -> Playouts:
    """Play a game at random so many times, each legal small action alike.

    Raises RuleError where a rule cannot be carried out.
    """
    rnd, dice = Random(f"{seed}/actions").random, Random(f"{seed}/chance").random
    play: Callable[[Machine, list[Any], list[list[int]], Draw, Draw], None] = code.names["play"]
    size = code.size
    outcomes: list[Outcome] = []
    lengths: list[int] = []
    for _ in range(count):
        state = Machine(game, code)
        state.values.append(0)
        state.set_out()
        try:
            play(state, state.values, state.zones, rnd, dice)
        except Exception as error:
            raise game.fault_of(error, code) from error
        assert state.result is not None
        outcomes.append(state.result)
        lengths.append(state.values[size])
    return Playouts(sum(lengths), lambda: tuple(outcomes), tuple(lengths))


def helpers(game: GameBase) -> dict[str, Any]:
    """Return what the generated code of playouts calls besides `interpreter.runtime.support`."""
    capacities = game.capacities

    def shuffle_now(st: Machine, z: list[list[int]], place: int, cards: list[int] | None, dice: Draw) -> None:
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


def too_long(st: Machine) -> NoReturn:
    """End a play that needs more decisions than the rules allow."""
    st.too_long = True
    raise GameOver
