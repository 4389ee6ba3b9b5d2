"""Delta debugging: make a failing playout as short and simple as possible while it fails in the same way.

Chunks of actions are left out, large ones first; then each action is replaced by lower ones (shortlex
order, as Hypothesis does).  Chance keeps its seed, so the same decisions meet the same cards.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.fuzz.checks import Account, Check, CheckContext, Problem, fault_problem
from interpreter.fuzz.playouts import Plan, Playout, Taken
from interpreter.fuzz.time_limit import TimeLimit

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State

TRIES = 600
"""Playouts that shrinking may take."""

ROUNDS = 12
"""Parts of a play that comes to no end which are tried: each takes a whole play."""

CHECKED_TRIES = 60
"""Playouts that it may take where the check itself replays plays."""


@attrs.frozen
class Failure:
    """A playout that fails: the actions up to the failing state, and what is wrong there."""

    problem: Problem
    taken: tuple[Taken, ...]
    state: State | None

    @property
    def actions(self) -> list[int]:
        """Return the small actions."""
        return [t.action for t in self.taken]


def failing(game: Game, plan: Plan, script: list[int] | None, check: Check | None) -> Failure | None:
    """Play a script (None: at random) and return how it fails.

    It fails at a check, which is made wherever it fits, or where a rule cannot be carried out.  A check that is made
    rarely is made at the last state only.
    """
    try:
        playout = Playout(game, plan, script)
    except RuleError as fault:
        return Failure(fault_problem(fault), (), None)
    often = check is not None and check.rate == 1
    while True:
        if check is not None and often and (problem := _check(playout, check)) is not None:
            return Failure(problem, tuple(playout.taken), playout.state)
        try:
            if not playout.step():
                break
        except RuleError as fault:
            return Failure(fault_problem(fault), tuple(playout.taken), None)
        except IllegalActionError:
            return None
    if check is not None and not often and (problem := _check(playout, check)) is not None:
        return Failure(problem, tuple(playout.taken), playout.state)
    return None


def _check(playout: Playout, check: Check) -> Problem | None:
    if not check.fits(playout.state):
        return None
    return check.problem(
        CheckContext(playout.game, playout.plan, playout.state, playout.position, {}, account=Account(bounded=False))
    )


def same(one: Problem, other: Problem) -> bool:
    """Say whether two problems are one: the same check, rule and code."""
    return (one.check, one.code, one.span) == (other.check, other.code, other.span)


class Shrinker:
    """Shrinks one failure."""

    def __init__(self, game: Game, plan: Plan, failure: Failure, check: Check | None, limit: TimeLimit) -> None:
        self.game = game
        self.limit = limit
        self.plan = plan
        self.best = failure
        self.check = check
        self.left = TRIES if check is None or check.rate == 1 else CHECKED_TRIES

    def run(self) -> Failure:
        """Return the smallest failure found."""
        before: list[int] | None = None
        while before != self.best.actions and self.left > 0:
            before = self.best.actions
            self._leave_out()
            self._lower()
        return self.best

    def _try(self, script: list[int]) -> bool:
        if self.left <= 0 or self.limit.over:
            self.left = 0
            return False
        self.left -= 1
        found = failing(self.game, self.plan, script, self.check)
        if found is None or not same(found.problem, self.best.problem):
            return False
        if _order(found.actions) >= _order(self.best.actions):
            return False
        self.best = found
        return True

    def _leave_out(self) -> None:
        size = max(1, len(self.best.actions) // 2)
        while True:
            start = 0
            while start < len(self.best.actions):
                now = self.best.actions
                if not self._try(now[:start] + now[start + size :]):
                    start += size
            if size == 1:
                return
            size //= 2

    def _lower(self) -> None:
        place = 0
        while place < len(self.best.actions):
            now = self.best.actions
            for lower in self._legal_before(now, place):
                if self._try([*now[:place], lower, *now[place + 1 :]]):
                    break
            place += 1

    def _legal_before(self, actions: list[int], place: int) -> list[int]:
        """Return the legal actions below the one at a place, lowest first."""
        playout = Playout(self.game, self.plan, actions[:place])
        while playout.step():
            pass
        if playout.state.current_player() < 0:
            return []
        return [a for a in playout.state.legal_actions() if a < actions[place]]


def _order(actions: list[int]) -> tuple[int, list[int]]:
    return (len(actions), actions)


def shrink(game: Game, plan: Plan, failure: Failure, check: Check | None, limit: TimeLimit) -> Failure:
    """Return the shortest playout found in time that fails as this one does; the same one where none is shorter."""
    again = failing(game, plan, failure.actions, check)
    if again is None or not same(again.problem, failure.problem):
        return failure
    if check is not None and check.name == "length":
        return _steadied(game, plan, again, check, limit)
    return Shrinker(game, plan, again, check, limit).run()


def _steadied(game: Game, plan: Plan, failure: Failure, check: Check, limit: TimeLimit) -> Failure:
    """Return a play that is too long as well, and goes round and round: the shortest round that its states close.

    Such a play cannot be made shorter, but plainer.  Where no state comes twice, the lowest action is tried throughout.
    """
    rounds = _rounds(game, plan, failure.actions)
    scripts = [
        [*failure.actions[:lead], *_again(failure.actions[start:end], game)]
        for start, end in rounds
        for lead in dict.fromkeys((0, start))
    ]
    for script in [*scripts, _lowest(game, plan)]:
        if limit.over:
            break
        found = failing(game, plan, script, check)
        if found is not None and same(found.problem, failure.problem):
            return found
    return failure


def _again(part: list[int], game: Game) -> list[int]:
    return part * (game.max_game_length // len(part) + 1)


def _rounds(game: Game, plan: Plan, actions: list[int]) -> list[tuple[int, int]]:
    """Return parts of a play, shortest first, before and after which the game is in the same way."""
    playout = Playout(game, plan, actions)
    seen: dict[Hashable, int] = {}
    found: list[tuple[int, int]] = []
    with suppress(RuleError):
        while True:
            if playout.state.current_player() >= 0:
                place = playout.state.content()[:-1]
                number = len(playout.taken)
                if place in seen:
                    found.append((seen[place], number))
                seen[place] = number
            if not playout.step():
                break
    return sorted(found, key=lambda part: (part[1] - part[0], part[0]))[:ROUNDS]


class _Lowest(Playout):
    """A playout in which everybody takes the lowest action that is legal."""

    def _choose(self, legal: list[int]) -> int | None:
        return legal[0]


def _lowest(game: Game, plan: Plan) -> list[int]:
    playout = _Lowest(game, plan)
    with suppress(RuleError):
        while playout.step():
            pass
    return playout.actions()
