"""Random plays from the beginning to the end, for statistics and rollouts, and the record of their results."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from random import Random

from interpreter.engine.chance import below
from interpreter.engine.machine import CHANCE, Machine
from interpreter.engine.outcome import Outcome


class Playouts:
    """The results of random plays, in the order in which they were played.

    `decisions` counts the small actions of all plays together, `lengths` those of each play.
    """

    def __init__(
        self, decisions: int, outcomes: Callable[[], tuple[Outcome, ...]], lengths: tuple[int, ...]
    ) -> None:  # fmt: skip
        """Take the results from a function, which is called when they are first read."""
        self.decisions = decisions
        self.lengths = lengths
        self._read = outcomes

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The result of each play."""
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


def random_playouts(begin: Callable[[], Machine], count: int, seed: int | str) -> Playouts:
    """Play so many times from state to state, each legal small action equally likely.

    `begin` makes initial states.  Decisions and chance have a random generator each.  Raises RuleError where a rule
    cannot be carried out.
    """
    actions, chance = Random(f"{seed}/actions"), Random(f"{seed}/chance")
    outcomes: list[Outcome] = []
    lengths: list[int] = []
    for _ in range(count):
        state = begin()
        while (result := state.result) is None:
            if state.to_act == CHANCE:
                state.resolve_chance(chance)
            else:
                legal = state.legal_actions()
                state.apply_action(legal[below(actions, len(legal))])
        outcomes.append(result)
        lengths.append(state.num_actions)
    return Playouts(sum(lengths), lambda: tuple(outcomes), tuple(lengths))
