"""The base class of agents that search, with their budget, their clock and their advice on a decision.

A `Thinker` estimates the actions of a decision (`think`) and plays the best of them (`act`).  Its budget is a time, or
a number of iterations, with which it chooses the same on every machine.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from math import isfinite, sqrt
from typing import TYPE_CHECKING

import attrs

from grammar.diagnostics import CardgameError
from grammar.english import counted

if TYPE_CHECKING:
    from interpreter.agents.view import AgentView
    from interpreter.engine.game import Game
    from interpreter.native.plays import WatchedGame

MOST_ITERATIONS = 1_000_000_000
MOST_SECONDS = 3_600.0
LEAST_SECONDS = 0.01

OnProgress = Callable[[float], bool]
"""Hears which share of a budget is spent, from 0 to 1; returns False where the thinking is to end with what it has."""


class AgentError(CardgameError, ValueError):
    """An agent that there is not, a budget that is none, or a game that an agent cannot play."""


@attrs.frozen
class Budget:
    """How long an agent thinks about one decision: so many iterations, or so many seconds; never both."""

    iterations: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        if self.iterations is not None:
            return str(self.iterations)
        return f"{self.seconds:g}s"

    def in_words(self) -> str:
        """Return the budget for reading: `1,000 iterations`, `2 seconds`."""
        if self.iterations is not None:
            return counted(self.iterations, "iteration")
        return f"{self.seconds:g} second{'' if self.seconds == 1 else 's'}"


_SECONDS = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(s|ms)")


def is_budget(text: str) -> bool:
    """Say whether a text has the form of a budget."""
    return text.isdecimal() or _SECONDS.fullmatch(text) is not None


def read_budget(text: str) -> Budget:
    """Return the budget that is written so: `1000`, `2s`, `0.5s`, `200ms`.  Raises AgentError."""
    if text.isascii() and text.isdecimal() and len(text) <= 10 and 1 <= int(text) <= MOST_ITERATIONS:
        return Budget(iterations=int(text))
    timed = _SECONDS.fullmatch(text)
    if timed is not None:
        seconds = float(timed[1]) / (1000 if timed[2] == "ms" else 1)
        if LEAST_SECONDS <= seconds <= MOST_SECONDS:
            return Budget(seconds=seconds)
    raise AgentError(
        f"`{text}` is no budget: write a number of iterations, such as 1000 (at most {MOST_ITERATIONS:,}), "
        f"or a time from {LEAST_SECONDS:g}s to {MOST_SECONDS:g}s, such as 2s"
    )


class Clock:
    """The share of the budget that one decision has used; `stopped` is whether the caller ended it early."""

    PAUSE = 0.05
    """Seconds between two calls of `on_progress`."""

    now = staticmethod(time.monotonic)
    """The clock; benchmarks on a busy machine set the processor time of the process."""

    def __init__(self, budget: Budget, on_progress: OnProgress | None = None) -> None:
        self.budget = budget
        self._on_progress = on_progress
        self._begun = self._watched = self.now()
        self._spent = 0.0
        self.stopped = False

    def goes_on(self, iterations: int) -> bool:
        """Return whether budget is left after so many iterations, and the caller has not stopped the search."""
        most = self.budget.iterations
        if most is not None:
            self._spent = iterations / most
        return not self.is_over() and (most is None or iterations < most)

    def is_over(self, share: float = 1.0) -> bool:
        """Return whether that share of the time is used, or the caller has stopped the search."""
        now = self.now()
        seconds = self.budget.seconds
        if seconds is not None:
            self._spent = (now - self._begun) / seconds
        if self._on_progress is not None and not self.stopped and now - self._watched >= self.PAUSE:
            self._watched = now
            self.stopped = not self._on_progress(min(self._spent, 1.0))
        return self.stopped or (seconds is not None and self._spent >= share)


@attrs.frozen
class Estimate:
    """An agent's estimate of one action.

    `value` is the expected return of its player, `error` the standard error of `value` (None if it is exact or
    unknown).  `weight`, from 0 to 1, is the share of the search that went into the action, or the probability with
    which the agent chooses it.
    """

    actions: tuple[int, ...]
    text: str
    value: float
    weight: float
    error: float | None = None


@attrs.frozen
class Advice:
    """An agent's advice on a decision: the action that it chooses, and its estimates of all.

    `estimates` are in order, the best first; there is only `chosen` if nothing else is legal.  `engine` is the language
    of the search, `Python` or `C`; with the same engine, seed and number of iterations, the advice is the same on every
    machine.  `exact` is whether the values are exact; `stopped` whether the caller ended the search early.  `is_blind`
    is whether all iterations had the same result, so that no action is better than another.  `has_values` is whether
    the estimates have values, and not only the probability of each action.
    """

    chosen: tuple[int, ...]
    estimates: tuple[Estimate, ...]
    iterations: int = 0
    worlds: int = 0
    engine: str = "Python"
    exact: bool = False
    stopped: bool = False
    is_blind: bool = False
    has_values: bool = True

    def estimate_of(self, actions: tuple[int, ...]) -> Estimate | None:
        """Return what is expected of a sentence, or None where it was not weighed."""
        return next((e for e in self.estimates if e.actions == actions), None)

    def doubt(self, game: Game, estimate: Estimate) -> float:
        """Return the standard error of an estimate.

        If the agent does not give it, it is that of as many plays as went into it, whose returns spread over a
        quarter of what is possible.
        """
        if self.exact or estimate.error is not None:
            return estimate.error or 0.0
        low, high = game.utility_range
        if not (isfinite(low) and isfinite(high)):
            low, high = (limit(e.value for e in self.estimates) for limit in (min, max))
        return (high - low) / 4 / sqrt(max(1.0, estimate.weight * self.iterations))


class Thinker(ABC):
    """An agent with a budget.

    `seed` decides all its own chance: each decision has a generator of its own, made from the seed, the seat and
    `view.turn`.  `on_progress`, where it is set, hears how far it is and can end the thinking.
    """

    def __init__(self, game: Game, seed: int | str, budget: Budget) -> None:
        self.game = game
        self.seed = seed
        self.budget = budget
        self.on_progress: OnProgress | None = None
        self.decided = self.blind = 0
        """Decisions that were thought about by `act`, and those of them without a signal (`Advice.is_blind`)."""
        game.ready()  # No decision waits until the code is made.

    def __repr__(self) -> str:
        return f"<{type(self).__name__} for {self.game.title!r}, {self.budget.in_words()} a decision>"

    @abstractmethod
    def think(self, view: AgentView) -> Advice:
        """Weigh what the player can do."""

    def act(self, view: AgentView) -> tuple[int, ...]:
        """Return the small actions of the sentence that is best."""
        advice = self.think(view)
        self.decided += 1
        self.blind += advice.is_blind
        return advice.chosen

    def mixture(self, view: AgentView) -> Mapping[tuple[int, ...], float]:
        """Return the probability with which the agent makes each decision; 1 for the only one of an agent that does not
        draw."""
        return {self.act(view): 1.0}

    @property
    def engine(self) -> str:
        """The language in which the agent runs: `Python` or `C`."""
        return "Python"

    def seed_of(self, view: AgentView) -> str:
        """Return the seed of the chance of one decision."""
        return f"{self.seed}/seat {view.player + 1}/{view.turn}"


def required_library(game: Game) -> WatchedGame:
    """Return the game as C, in which `search` runs.  Raises AgentError where it is not available."""
    from interpreter.native.library import NativeUnavailableError  # late: native
    from interpreter.native.plays import WatchedGame  # late: native

    try:
        return WatchedGame.wanted(game)
    except NativeUnavailableError as error:
        raise AgentError(f"`search` runs in C only, and {error}; `greedy` needs no C") from None
