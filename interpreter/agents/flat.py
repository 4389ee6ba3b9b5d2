"""Flat Monte Carlo in Python: a bandit over the small actions of one decision, and random playouts after it.

It is what `greedy` runs where the game is not available in C; in C it is the flat tree of `search.h`, with the same
bound and the same playouts.  Chance is drawn otherwise, so the choices of the two differ as those of two seeds do.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import inf, log, sqrt
from random import Random
from typing import TYPE_CHECKING

import attrs

from interpreter.engine.chance import below
from interpreter.engine.faults import RuleError
from interpreter.engine.interruption import Interrupted, check
from interpreter.engine.search_tables import EXPLORES, UNTRIED, WIDE, Tried, action_tables, standings

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State


@attrs.define(eq=False)
class Arm:
    """The statistics of a small action, and the arms of the next one of its sentence."""

    arms: dict[int, Arm] = attrs.field(factory=dict)
    visits: int = 0
    available: int = 0
    entered: int = 0
    worth: float = 0.0
    standing: float = 0.0


class FlatMonteCarlo:
    """Flat Monte Carlo for one player.

    `limit` is the most small actions of an iteration, after which the score counts as it is then.
    """

    engine = "Python"

    def __init__(self, game: Game, player: int, seed: int, *, limit: int) -> None:
        self._player, self._game, self._seed, self._limit = player, game, seed, limit
        self._root = Arm()
        self._prefix: tuple[int, ...] = ()
        self._done = 0
        self._groups = action_tables(game).groups
        self._bounds = [inf, -inf, inf, -inf]  # least and greatest worth, least and greatest standing
        self._agree = 0.0

    def grow(self, worlds: Sequence[State], iterations: int) -> int:
        """Run so many iterations over some worlds; return how many there were until it was interrupted."""
        begun = self._done
        with suppress(Interrupted):
            while self._done < begun + iterations:
                state = worlds[self._done % len(worlds)].clone()
                self._iterate(state, Random(f"{self._seed}/{self._done}"))
                self._done += 1
        return self._done - begun

    def decide(self, actions: Sequence[int]) -> None:
        """Let all iterations from now on begin with these small actions of the player."""
        self._prefix = tuple(actions)

    @property
    def is_blind(self) -> bool:
        """Whether all iterations gave the player the same result and standing."""
        low, high, least, greatest = self._bounds
        return self._done > 1 and low == high and least == greatest

    def tried(self, actions: Sequence[int] = ()) -> list[Tried]:
        """Return what was tried after some small actions of the player, ascending."""
        arm = self._root
        for action in actions:
            if action not in arm.arms:
                return []
            arm = arm.arms[action]
        return [
            Tried(action, a.visits, a.worth / a.visits, a.standing / a.visits, 0.0)
            for action, a in sorted(arm.arms.items())
            if a.visits
        ]

    # ---- one iteration

    def _iterate(self, state: State, rng: Random) -> None:
        pulled: list[Arm] = []
        with suppress(RuleError):
            self._play(state, rng, pulled)
        self._learn(state, pulled)

    def _play(self, state: State, rng: Random, pulled: list[Arm]) -> None:
        arm, deciding, last = self._root, True, -1
        state.end_with_round()
        state.resolve_chance(rng)
        for _ in range(self._limit):
            check()
            if state.is_terminal():
                return
            legal, mine = state.legal_actions(), state.to_act == self._player
            action = None
            if mine and deciding:
                action = self._chosen(arm, self._ascending(state, last, legal), len(pulled), rng)
            if action is None:
                deciding = deciding and not mine
                action = legal[below(rng, len(legal))]
            elif deciding:
                arm = arm.arms.setdefault(action, Arm())
                pulled.append(arm)
            state.apply_unchecked(action)
            if mine and deciding:
                deciding = state.is_unfinished() and (len(pulled) <= len(self._prefix) or arm.visits > 0)
            if state.is_chance_node():
                state.resolve_chance(rng)
            last = action if self._groups[action] >= 0 else -1
        if not state.is_terminal():
            state.end_here()
            state.resolve_chance(rng)

    def _chosen(self, arm: Arm, legal: list[int], number: int, rng: Random) -> int | None:
        """Return the next small action of the decision: the decided one, if that is legal, else by the bound."""
        if number < len(self._prefix):
            return self._prefix[number] if self._prefix[number] in legal else None
        return self._by_bound(arm, legal, rng)

    def _by_bound(self, arm: Arm, legal: list[int], rng: Random) -> int:
        """Choose by the upper confidence bound UCB1 (Auer, Cesa-Bianchi and Fischer, 2002).

        It counts how often an action was available, and lets further actions in as visits grow (progressive widening).
        """
        arm.entered += 1
        best, most, untried, tried = -1, -1.0, [], 0
        for action in legal:
            known = arm.arms.get(action)
            if known is None:
                untried.append(action)
                continue
            known.available += 1
            tried += 1
            bound = inf
            if known.visits:
                bound = self._value(known) + EXPLORES * sqrt(log(known.available) / known.visits)
            if bound > most:
                best, most = action, bound
        if not untried or (tried >= WIDE and tried * tried > arm.entered):
            return best
        if best >= 0 and most >= UNTRIED + EXPLORES * sqrt(log(arm.entered)):
            return best
        action = untried[below(rng, len(untried))]
        arm.arms[action] = Arm(available=1)
        return action

    def _ascending(self, state: State, last: int, legal: list[int]) -> list[int]:
        """Let cards of a set be picked in ascending order, where possible."""
        if last < 0 or not state.is_unfinished():
            return legal
        return [a for a in legal if a > last or self._groups[a] != self._groups[last]] or legal

    def _learn(self, state: State, pulled: list[Arm]) -> None:
        # A play that ends in a fault of the rules pays nothing.
        outcome = state.outcome()
        assert outcome is not None
        paid, ranked = outcome.returns, standings(self._game, outcome)
        # The rules do not say whether a high score is good: the sign of its correlation with the returns does.
        self._agree += sum(w * s for w, s in zip(paid, ranked, strict=True))
        worth, standing = paid[self._player], ranked[self._player]
        low, high, least, greatest = self._bounds
        self._bounds = [min(low, worth), max(high, worth), min(least, standing), max(greatest, standing)]
        for arm in pulled:
            arm.visits += 1
            arm.worth += worth
            arm.standing += standing

    def _value(self, arm: Arm) -> float:
        """Return the mean result of an arm, from 0 to 1."""
        low, high, least, greatest = self._bounds
        value = (arm.worth / arm.visits - low) / (high - low) if high > low else 0.5
        if not self._agree:
            return value
        other = (arm.standing / arm.visits - least) / (greatest - least) if greatest > least else 0.5
        return (value + (other if self._agree > 0 else 1 - other)) / 2
