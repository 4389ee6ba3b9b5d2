"""Approximate equilibria of games whose tree is too large to list, by external-sampling CFR in C.

`solve_by_sampling` is for two players with zero-sum payoffs and hidden information.  It needs room for the information
sets that walks meet, not for the tree.  The error is an estimate: one player at a time learns a response to the average
strategies, which gains at most what a best response gains.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from functools import cached_property
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import attrs

from interpreter.agents.policy import TableAgent
from interpreter.agents.view import AgentView
from interpreter.engine.chance import below
from interpreter.inference import Z
from interpreter.native.library import NativeUnavailableError
from interpreter.native.plays import WatchedGame
from interpreter.native.regrets import Regrets, can_be_sampled
from interpreter.sharing import SHARDS, Executors, Threads, share_shards
from interpreter.solve.answer import (
    EQUILIBRIUM,
    Answer,
    Choice,
    Distance,
    OnProgress,
    Situation,
    decisions_of,
    solve,
    words_of,
)
from interpreter.solve.policy_file import Policy, PolicyError
from interpreter.solve.tree import TooLargeError, estimated_nodes

if TYPE_CHECKING:
    from interpreter.agents.view import Agent
    from interpreter.engine.game import Game, State
    from interpreter.engine.game_base import GameBase

ROOM = 1 << 21
"""Places for information sets, a power of 2."""
MOST_SETS = 3 * ROOM // 4
"""Information sets that have room there."""
MOST = 1 << 18
"""Nodes of one walk: all plays of one player against a sampled other one, and sampled chance."""
SHARD_ROOM = 1 << 19
"""Places for the information sets that a shard of a round meets."""
GROWTH = 16
"""A round has at most one in so many of all iterations, so that its shards know what was learned shortly before."""
FEW_NODES = 20_000
"""Nodes of a tree that is listed however long it takes."""
LISTING = 0.3
"""The share of the time in which a tree is listed before walks are sampled instead."""
LEARNING, RESPONDING = 0.6, (0.725, 0.85)
"""The share of the time after which the strategies are learned, and after which the response of each player is."""
PLAYING, RESPONSES_PLAYING = 0.9, (0.95, 1.0)
"""The share after which the strategies have been played, and after which the response of each player has."""
PLAYS = 200_000
"""Plays in C that measure the value of strategies."""
SHOWN_PLAYS = 200
"""Plays in Python that find the situations of the report."""
LEAST_PLAYS, MEASURED_PLAYS = 20, 2_000
"""Plays in Python that measure the distance of an agent: at least, and at most."""
LEFT = 1.0
"""Seconds for each later phase after the caller has stopped the computation."""


@attrs.frozen(eq=False)
class SampledAnswer:
    """Strategies of both players as a table, what they are worth, and an estimate of their error.

    `errors` are by player: what a response that was learned gains, with the sampling error of the value.
    """

    game: Game
    policy: Policy
    values: list[float]
    errors: tuple[float, ...]
    iterations: int
    seconds: float
    is_stopped: bool

    concept = f"approximate {EQUILIBRIUM}"
    method = "external-sampling CFR"
    measure = "lost against the strategy"
    is_sampled = True
    is_cooperative = is_exact = False
    never: tuple[tuple[int, str, float], ...] = ()
    """Values of actions are too uncertain to say what is never worth choosing."""

    @property
    def information_sets(self) -> int:
        """The number of information sets that walks met."""
        return len(self.policy.strategy)

    @cached_property
    def positions(self) -> int:
        """An estimate of the number of positions of the tree."""
        return round(min(1e18, estimated_nodes(self.game)))

    @property
    def size(self) -> str:
        """The size of the tree and of the table, in words."""
        return f"about {self.positions:.0e} positions, {self.information_sets:,} information sets met"

    @cached_property
    def situations(self) -> list[Situation]:
        """Situations in which a decision begins and that some plays of the strategies reach, in the order of play."""
        agent = TableAgent(self.game, 0, self.policy)
        found: dict[tuple[int, str], tuple[State, int]] = {}
        for seed in range(SHOWN_PLAYS):
            for state in _decisions(self.game, [TableAgent(self.game, seed, self.policy)] * 2, seed):
                if not state.is_terminal():
                    key = state.current_player(), state.information_state_string(state.current_player())
                    first, count = found.get(key) or (state.clone(), 0)
                    found[key] = first, count + 1
        situations = [
            (state.num_decisions, -count, self._situation(agent, state, count / SHOWN_PLAYS))
            for state, count in found.values()
        ]
        situations.sort(key=lambda item: item[:2])
        return [situation for _, _, situation in situations]

    def _situation(self, agent: TableAgent, state: State, reach: float) -> Situation:
        shares, player = agent.mixture(AgentView(state)), state.current_player()
        made = [Choice(text, shares[actions], float("nan")) for text, actions in decisions_of(state)]
        return Situation(player, *words_of(state, player), reach, tuple(sorted(made, key=lambda c: -c.share)))

    def distance(self, name: str, agent: Agent, goes_on: Callable[[], bool]) -> Distance:
        """Return what an agent loses against the strategies, on average in both seats: at most its exploitability."""
        lost: list[float] = []
        while len(lost) < MEASURED_PLAYS and (len(lost) < LEAST_PLAYS or goes_on()):
            seat, number = len(lost) % 2, len(lost) // 2
            table = TableAgent(self.game, number, self.policy)
            *_, end = _decisions(self.game, [table, agent] if seat else [agent, table], number)
            lost.append(self.values[seat] - end.returns()[seat])
        return Distance(name, fmean(lost), 1.0, Z * stdev(lost) / sqrt(len(lost)))


def _decisions(game: Game, agents: Sequence[Agent], seed: int) -> Iterator[State]:
    """Yield the state of a play at each decision, and at the end."""
    state, rng = game.new_initial_state(), Random(f"{seed}/sampled")
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(rng)
        else:
            yield state
            state.apply_action(agents[state.current_player()].act(AgentView(state)))
    yield state


def solve_or_sample(
    game: Game, seconds: float, on_progress: OnProgress | None, seed: int, threads: int | None = None,
    executor: Executors | None = None,
) -> Answer | SampledAnswer:  # fmt: skip
    """Return the answer from the whole tree, or approximate strategies where listing the tree takes too long.

    Raises TooLargeError, StoppedError, AgentError.
    """
    if not can_be_sampled(game) or estimated_nodes(game, most=FEW_NODES) <= FEW_NODES or _library(game) is None:
        return solve(game, seconds, on_progress)
    began = time.monotonic()
    try:
        return solve(game, seconds, on_progress, listing=LISTING * seconds)
    except TooLargeError:
        left = seconds - (time.monotonic() - began)
        return solve_by_sampling(game, left, on_progress, seed=seed, threads=threads, executor=executor)


def _library(game: Game) -> WatchedGame | None:
    """Return a game whose regrets can be sampled as C; None for another one, and where it is not available."""
    try:
        return WatchedGame.wanted(game) if can_be_sampled(game) else None
    except NativeUnavailableError:
        return None


def resumed_sampling(policy: Policy, game: Game) -> Regrets:
    """Return regrets with the sums of a policy file.  Raises PolicyError where they do not fit."""
    native = _library(game)
    if native is None:
        raise PolicyError("the file continues in C only, and the game is not available in C")
    regrets = Regrets(native, below(Random(f"{policy.iterations}/probe"), 2**48), ROOM, MOST)
    for name, (sums, weights) in policy.sums.items():
        if len(sums) != len(weights) or not regrets.put(name, sums, weights, policy.iterations):
            raise PolicyError("the file contains nothing to continue: solve without --resume")
    return regrets


class _Rounds:
    """Rounds in which shards go on from common sums at the same time, on threads or the workers of an executor.

    The sums of the shards are added in their order, so they do not depend on who worked them out.  If the executor is
    lost for good, the threads go on.
    """

    def __init__(self, regrets: Regrets, seed: int, threads: Threads, executor: Executors | None) -> None:
        self.regrets = regrets
        self._seed, self._threads, self._executor = seed, threads, executor
        self._shards: list[Regrets] = []

    def run(self, iterations: int) -> None:
        """Go on for so many iterations, or fewer where a shard has no more room (see `regrets.is_small`)."""
        parts = [iterations // SHARDS + (number < iterations % SHARDS) for number in range(SHARDS)]
        sums = [b""] * SHARDS
        if self._executor is not None and not self._run_remotely(self._executor, parts, sums):
            self._executor = None
        if self._executor is None:
            native = self.regrets.native
            self._shards = self._shards or [Regrets(native, 0, SHARD_ROOM, MOST) for _ in range(SHARDS)]

            def run(first: int, last: int) -> None:
                for number in range(first, last):
                    sums[number] = _sampled(self._shards[number], self.regrets, self._seed, number, parts[number])

            self._threads.share(run)
        for packed in sums:
            self.regrets.add(packed)
            if not self.regrets.is_small:
                break

    def _run_remotely(self, executor: Executors, parts: list[int], sums: list[bytes]) -> bool:
        """Run on an executor; return False where it is lost for good."""
        game, base, against = self.regrets.native.game, self.regrets.pack(), None
        if self.regrets.against is not None:
            against = self.regrets.against[0].pack(), self.regrets.against[1]

        def submit(pool: Executor, number: int) -> Future[bytes]:
            return pool.submit(sample_shard, game, base, against, self._seed, number, parts[number])

        return share_shards(executor, submit, sums.__setitem__)


def sample_shard(
    game: GameBase, base: bytes, against: tuple[bytes, int] | None, seed: int, number: int, iterations: int
) -> bytes:
    """Return the sums of a shard, for rounds in another process.  Raises NativeUnavailableError, MemoryError."""
    native = WatchedGame.wanted(game)
    regrets = Regrets(native, 0, ROOM, MOST)
    regrets.add(base)
    if against is not None:
        other = Regrets(native, 0, ROOM, MOST)
        other.add(against[0])
        regrets.respond(other, against[1])
    return _sampled(Regrets(native, 0, SHARD_ROOM, MOST), regrets, seed, number, iterations)


def _sampled(shard: Regrets, base: Regrets, seed: int, number: int, iterations: int) -> bytes:
    shard.begin_shard(base, seed, number, SHARDS)
    shard.run(iterations)
    return shard.pack()


class _Clock:
    """The time of a computation in phases.

    When the caller stops it, the phase ends, and each later one has a second: errors are measured nevertheless.
    """

    def __init__(self, seconds: float, on_progress: OnProgress | None) -> None:
        self._began, self._seconds, self._on_progress = time.monotonic(), seconds, on_progress
        self._ends = 0.0
        self.is_stopped = False

    @property
    def spent(self) -> float:
        """The seconds so far."""
        return time.monotonic() - self._began

    def begin(self, share: float) -> None:
        """Begin a phase that lasts until so much of the time is spent."""
        self._ends = self.spent + LEFT if self.is_stopped else share * self._seconds

    def goes_on(self, doing: str) -> bool:
        """Say what is being done, and return whether the phase has time left."""
        if not self.is_stopped and self._on_progress is not None and not self._on_progress(doing, self.spent):
            self.is_stopped, self._ends = True, 0.0
        return self.spent < self._ends


def solve_by_sampling(
    game: Game, seconds: float = 60.0, on_progress: OnProgress | None = None, before: Regrets | None = None,
    iterations: int | None = None, seed: int = 1, threads: int | None = None, executor: Executors | None = None,
) -> SampledAnswer:  # fmt: skip
    """Return approximate equilibrium strategies, with an estimate of their error.

    `before` are the regrets of an earlier run.  With `iterations`, both learning and responding take exactly so many,
    and the time is not read: then the answer is the same for any number of threads (by default as many as cores), and
    with an executor, which samples instead.  Raises TooLargeError for a game of another kind, one
    without a C compiler, or one with too many plays or information sets.
    """
    native = _library(game)
    if native is None:
        raise TooLargeError
    clock = _Clock(seconds if iterations is None else inf, on_progress)

    pool = Threads(threads)

    def learn(regrets: Regrets, name: str, doing: str) -> None:
        rounds = _Rounds(regrets, below(Random(f"{seed}/{name}"), 2**48), pool, executor)
        first, began = regrets.iterations, clock.spent
        regrets.run(1)  # Alone, since eight shards take longer to find out that the game is too large.
        while regrets.is_small and clock.goes_on(f"{doing}{regrets.iterations:,} iterations"):
            done = regrets.iterations - first
            size = max(SHARDS, regrets.iterations // GROWTH)
            if iterations is None:  # A round ends within about a second.
                size = min(size, max(SHARDS, int(done / max(1e-3, clock.spent - began))))
            elif not (size := min(size, iterations - done)):
                break
            rounds.run(size)
        if not regrets.is_small:
            raise TooLargeError

    regrets = before or Regrets(native, below(Random(f"{seed}/probe"), 2**48), ROOM, MOST)
    clock.begin(LEARNING)
    learn(regrets, "solve", "")
    responses = []
    for player, share in enumerate(RESPONDING):
        response = Regrets(native, 0, ROOM, MOST)
        response.respond(regrets, player)
        clock.begin(share)
        learn(response, f"response {player}", f"response of player {player + 1}: ")
        responses.append(response)
    clock.begin(PLAYING)
    values, spread = regrets.play(PLAYS, seed, lambda: clock.goes_on("playing"))
    errors = []
    for player, (response, share) in enumerate(zip(responses, RESPONSES_PLAYING, strict=True)):
        clock.begin(share)
        means, wide = regrets.play(PLAYS, seed, lambda: clock.goes_on("playing"), response)
        errors.append(max(0.0, means[player] - values[player]) + Z * (spread[player] + wide[player]))
    policy = _policy(game, regrets, errors)
    return SampledAnswer(game, policy, values, tuple(errors), policy.iterations, clock.spent, clock.is_stopped)


def _policy(game: Game, regrets: Regrets, errors: list[float]) -> Policy:
    strategy, sums = {}, {}
    for name, regret, weight in regrets.sets():
        whole = sum(weight)
        if whole > 0:
            strategy[name] = tuple(round(share / whole, 9) for share in weight)
        sums[name] = tuple(regret), tuple(weight)
    return Policy(
        game.describe(), SampledAnswer.concept, tuple(errors), strategy, regrets.iterations, sums, is_hashed=True
    )
