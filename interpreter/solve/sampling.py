"""Approximate equilibria of games whose tree is too large to list, by external-sampling CFR in C.

`solve_by_sampling` is for two players with zero-sum payoffs and hidden information.  It needs room for the information
sets that walks meet, not for the tree.  The error is an estimate: one player at a time learns a response to the average
strategies, which gains at most what a best response gains.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.agents.policy import TableAgent
from interpreter.agents.view import AgentView
from interpreter.engine.chance import below
from interpreter.inference import Z
from interpreter.native.library import NativeUnavailableError
from interpreter.native.plays import WatchedGame
from interpreter.native.regrets import Regrets
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

ROOM = 1 << 21
"""Places for information sets, a power of 2."""
MOST_SETS = 3 * ROOM // 4
"""Information sets that have room there."""
MOST = 1 << 18
"""Nodes of one walk: all plays of one player against a sampled other one, and sampled chance."""
AT_ONCE = 8
"""Iterations between two looks at the clock."""
FEW_NODES = 20_000
"""Nodes of a tree that is listed however long it takes."""
LISTING = 0.3
"""The share of the time in which a tree is listed before walks are sampled instead."""
LEARNING, RESPONDING = 0.6, 0.85
"""The share of the time after which the strategies are learned, and after which the responses are."""
PLAYS = 200_000
"""Plays in C that measure the value of strategies."""
SHOWN_PLAYS = 200
"""Plays in Python that find the situations of the report."""
LEAST_PLAYS, MEASURED_PLAYS = 20, 2_000
"""Plays in Python that measure the distance of an agent: at least, and at most."""
LEFT = 2.0
"""Seconds for responses and measurements after the caller has stopped the computation."""


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

    def table(self) -> dict[str, Any]:
        """Return the strategies and their sums for a policy file."""
        return {"names": "hash", "strategy": self.policy.strategy, "sums": self.policy.sums}

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


def solve_or_sample(game: Game, seconds: float, on_progress: OnProgress | None, seed: int) -> Answer | SampledAnswer:
    """Return the answer from the whole tree, or approximate strategies where listing the tree takes too long.

    Raises TooLargeError, StoppedError, AgentError.
    """
    native = library_for_sampling(game) if is_samplable(game) and estimated_nodes(game) > FEW_NODES else None
    if native is None:
        return solve(game, seconds, on_progress)
    began = time.monotonic()
    try:
        return solve(game, seconds, on_progress, listing=LISTING * seconds)
    except TooLargeError:
        return solve_by_sampling(game, seconds - (time.monotonic() - began), on_progress, seed=seed)


def is_samplable(game: Game) -> bool:
    """Say whether a game is for two players with zero-sum payoffs and hidden information."""
    return game.num_players == 2 and game.utility == "zero-sum" and not game.perfect_information


def library_for_sampling(game: Game) -> WatchedGame | None:
    """Return the game as C; None where it is not available."""
    try:
        return WatchedGame.wanted(game)
    except NativeUnavailableError:
        return None


def resumed_sampling(policy: Policy, game: Game) -> Regrets:
    """Return regrets with the sums of a policy file.  Raises PolicyError where they do not fit."""
    native = library_for_sampling(game) if is_samplable(game) else None
    if native is None:
        raise PolicyError("the file continues in C only, and the game is not available in C")
    regrets = Regrets(native, below(Random(f"{policy.iterations}/solve"), 2**48), ROOM, MOST)
    for name, (sums, weights) in policy.sums.items():
        if len(sums) != len(weights) or not regrets.put(name, sums, weights, policy.iterations):
            raise PolicyError("the file contains nothing to continue: solve without --resume")
    return regrets


def solve_by_sampling(
    game: Game, seconds: float = 60.0, on_progress: OnProgress | None = None, before: tuple[Regrets, int] | None = None,
    iterations: int | None = None, seed: int = 1,
) -> SampledAnswer:  # fmt: skip
    """Return approximate equilibrium strategies, with an estimate of their error.

    `before` goes on with the regrets of an earlier run, after so many iterations.  With `iterations`, both learning and
    responding take exactly so many, and the time is not read.  Raises TooLargeError for a game of another kind, one
    without a C compiler, or one with too many plays or information sets.
    """
    native = library_for_sampling(game) if is_samplable(game) else None
    if native is None:
        raise TooLargeError
    began, stopped = time.monotonic(), False
    ends = LEARNING * seconds

    def goes_on(doing: str) -> bool:
        nonlocal stopped, ends
        spent = time.monotonic() - began
        if not stopped and on_progress is not None and not on_progress(doing, spent):
            stopped, ends = True, min(ends, spent + LEFT)
        return iterations is not None or spent < ends

    def learn(regrets: Regrets, doing: str, *, to_the_end: bool) -> int:
        done = 0
        while (iterations is None or done < iterations) and goes_on(f"{doing}{done:,} iterations"):
            if stopped and not to_the_end:
                break
            regrets.run(AT_ONCE)
            done += AT_ONCE
            if not regrets.is_small:
                raise TooLargeError
        return done

    regrets, done = before or (Regrets(native, below(Random(f"{seed}/solve"), 2**48), ROOM, MOST), 0)
    done += learn(regrets, "", to_the_end=False)
    responses = []
    for player in range(2):
        ends = (LEARNING + (player + 1) * (RESPONDING - LEARNING) / 2) * seconds if not stopped else ends + LEFT
        response = Regrets(native, below(Random(f"{seed}/response {player}"), 2**48), ROOM, MOST)
        response.respond(regrets, player)
        learn(response, f"response of player {player + 1}: ", to_the_end=True)
        responses.append(response)
    ends = seconds if not stopped else ends + LEFT
    _, values, spread = regrets.play(PLAYS, seed, lambda: goes_on("playing"))
    errors = []
    for player, response in enumerate(responses):
        ends += 0.0 if not stopped else LEFT
        _, means, wide = regrets.play(PLAYS, seed, lambda: goes_on("playing"), response)
        errors.append(max(0.0, means[player] - values[player]) + Z * (spread[player] + wide[player]))
    return SampledAnswer(
        game, _policy(game, regrets, errors, done), values, tuple(errors), done, time.monotonic() - began, stopped
    )


def _policy(game: Game, regrets: Regrets, errors: list[float], iterations: int) -> Policy:
    strategy, sums = {}, {}
    for name, regret, weight in regrets.sets():
        whole = sum(weight)
        if whole > 0:
            strategy[name] = tuple(round(share / whole, 9) for share in weight)
        sums[name] = tuple(regret), tuple(weight)
    return Policy(game.describe(), SampledAnswer.concept, tuple(errors), strategy, iterations, sums, is_hashed=True)
