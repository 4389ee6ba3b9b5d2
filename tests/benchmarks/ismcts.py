"""`search` against OpenSpiel's ISMCTS with the same processor time for a decision, on duplicate deals.

Both play the same game side by side (`tests.differential`): ours from the spec, theirs as OpenSpiel has it.  A deal is
played twice, with the seats exchanged.  In Kuhn and Leduc poker their search is the one in C++, with OpenSpiel's own
worlds.  The other games cannot resample there, so it is the one in Python over their states in C++, and gets worlds of
our belief.  Finding worlds counts as time on both sides.

The difference is the mean result of our seats minus that of theirs on a deal, as a share of the range of payoffs, with
its 95 % interval (Student's t over deals).  A game is passed where the lower end is above -0.02.

python -m tests.benchmarks.ismcts --game kuhn leduc --seconds 0.02 --deals 200
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import attrs
import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from interpreter.agents import Agent, AgentView, agent
from interpreter.agents.thinking import Clock
from interpreter.agents.view import Beliefs
from interpreter.belief.belief import Belief
from interpreter.engine.game import State
from interpreter.inference import student
from interpreter.native.tapes import record_of
from tests.differential import Deal, Pair, Table, pairs

WORLDS = 32
"""Worlds of a decision that their search in Python gets at most; it draws them when it needs them."""
FEWEST = 4
"""Simulations of a decision, at least: the first one only makes the root."""
EXPLORES = 2.0
"""Their constant of exploration for payoffs from -1 to 1, as in OpenSpiel's examples."""
ALLOWED = -0.02
"""The lowest end of an interval, as a share of the range of payoffs, with which a game is passed."""

Outcomes = Callable[[tuple[int, ...]], list[int]]


@attrs.frozen
class Contest:
    """A game of both, and how what chance drew in a play of ours is written there; None where they find worlds."""

    pair: Pair
    outcomes: Outcomes | None = None


def dealt_hearts(drawn: tuple[int, ...]) -> list[int]:
    """Return the direction and the cards, which are dealt one by one there and hand by hand here."""
    cards = [face % 13 * 4 + face // 13 for face in drawn[1:]]
    order = [cards[13 * hand + number] for number in range(13) for hand in range(4)]
    return [pairs.DIRECTIONS.index(pairs.OURS[drawn[0]]), *order]


CONTESTS: dict[str, Callable[[], Contest]] = {
    "hearts": lambda: Contest(pairs.hearts(), dealt_hearts),
    "leduc": lambda: Contest(pairs.leduc(2)),
    "kuhn": lambda: Contest(pairs.kuhn(2)),
    "goofspiel": lambda: Contest(pairs.goofspiel(2), list),
    "liars_dice": lambda: Contest(pairs.liars_dice(1), lambda drawn: [die - 1 for die in drawn[1:]]),
}


class Theirs:
    """OpenSpiel's ISMCTS with a time for each decision: as many simulations as fitted into it before."""

    def __init__(self, contest: Contest, seconds: float, seed: int) -> None:
        self._contest, self._seconds, self._seed = contest, seconds, seed
        self._rate = 100.0
        self._game = contest.pair.theirs
        low, high = self._game.min_utility(), self._game.max_utility()
        self._explores = EXPLORES * (high - low) / 2
        self.simulations = 0

    def choose(self, ours: State, theirs: Any) -> int:
        """Return their action; `ours` is the same play."""
        if len(legal := theirs.legal_actions()) == 1:
            return int(legal[0])
        begun, most = time.process_time(), max(FEWEST, int(self._rate * self._seconds))
        self._seed += 1
        bot = self._native(most) if self._contest.outcomes is None else self._python(most, ours)
        chosen = int(bot.step(theirs))
        self.simulations += most
        self._rate = (self._rate + most / max(1e-6, time.process_time() - begun)) / 2
        return chosen

    def _native(self, most: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, self._seed)
        policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        return pyspiel.ISMCTSBot(self._seed, evaluator, self._explores, most, -1, policy, False, False)

    def _python(self, most: int, ours: State) -> Any:
        random = np.random.RandomState(self._seed)
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        bot = ismcts.ISMCTSBot(self._game, evaluator, self._explores, most, WORLDS, random)
        belief, rng = Belief(ours, ours.current_player(), self._seed), Random(self._seed)
        bot.set_resampler(lambda _state, _player: self._world(belief, ours, rng))
        return bot

    def _world(self, belief: Belief, ours: State, rng: Random) -> Any:
        """Return a world of our belief as a state of theirs."""
        assert self._contest.outcomes is not None
        record = record_of(belief.draw(1)[0], rng)
        outcomes = iter(self._contest.outcomes(tuple(item for drawn in record.drawn for item in drawn)))
        state = self._game.new_initial_state()
        texts, theirs_of = ours.game.texts, self._contest.pair.theirs_of
        for action in record.actions:
            settle(state, outcomes)
            state.apply_action(theirs_of(texts.action(action)))
        settle(state, outcomes)
        return state


def settle(state: Any, outcomes: Any) -> None:
    """Let chance have its outcomes in a state of theirs."""
    while state.is_chance_node():
        state.apply_action(next(outcomes))


@attrs.define
class Spent:
    """Processor time and decisions of one side."""

    seconds: float = 0.0
    decisions: int = 0


class Play:
    """One play of a deal: `seats` says which seats are ours."""

    def __init__(self, contest: Contest, table: Table, deal: Deal, luck: Random) -> None:
        self.table, self.deal, self.luck = table, deal, luck
        self.ours, self.theirs = contest.pair.ours.new_initial_state(), contest.pair.theirs.new_initial_state()
        self._drawn: list[int] = []
        self._outcomes, self._event = iter(deal.outcomes), deal.event

    def settle(self) -> None:
        """Let chance go on in both."""
        while self.ours.is_chance_node():
            if self.ours.awaited is not None:
                self.ours.apply_action(self.deal.stock)
            elif self._event is not None:
                self.ours.apply_action(self._event)
                self._event = None
            else:
                possible = self.ours.chance_outcomes()
                self._drawn.append(int(self.luck.random() * len(possible)))
                self.ours.apply_action(possible[self._drawn[-1]][0])
        while self.theirs.is_chance_node():
            self.theirs.apply_action(self._drawn.pop(0) if self._drawn else next(self._outcomes))

    def run(self, mine: Agent, other: Theirs, seats: frozenset[int], spent: tuple[Spent, Spent]) -> list[float]:
        """Play to the end, and return what each seat got."""
        beliefs = Beliefs(0)
        self.settle()
        while not self.theirs.is_terminal():
            player, begun = self.ours.current_player(), time.process_time()
            if player in seats:
                chosen = mine.act(AgentView(self.ours, beliefs))
                actions = [chosen] if isinstance(chosen, int) else list(chosen)
            else:
                wanted = other.choose(self.ours, self.theirs)
                actions = [a for a in self.ours.legal_actions() if self.table.theirs(self.ours, (a,), "") == wanted]
            side = spent[player not in seats]
            side.seconds += time.process_time() - begun
            side.decisions += 1
            for action in actions:
                self.theirs.apply_action(self.table.theirs(self.ours, (action,), ""))
                self.ours.apply_action(action)
            self.settle()
        return list(self.theirs.returns())


def contest(name: str, seconds: float, deals: int, most: float, seed: int) -> bool:
    """Play a game, print its line, and return whether it is passed."""
    made, rng = CONTESTS[name](), Random(seed)
    table, game = Table(made.pair), made.pair.ours
    spent, found, end = (Spent(), Spent()), list[float](), time.process_time() + most
    theirs = Theirs(made, seconds, seed)
    while len(found) < deals and (len(found) < 2 or time.process_time() < end):
        deal, luck, paid = made.pair.deal(rng), rng.random(), list[float]()
        for first in (0, 1):
            seats = frozenset(range(first, game.num_players, 2))
            mine = agent(f"search:{seconds:g}s", game, f"{seed}/{len(found)}/{first}")
            returns = Play(made, table, deal, Random(luck)).run(mine, theirs, seats, spent)
            ours = [value for seat, value in enumerate(returns) if seat in seats]
            others = [value for seat, value in enumerate(returns) if seat not in seats]
            paid.append(sum(ours) / len(ours) - sum(others) / len(others))
        found.append(sum(paid) / 2 / (made.pair.theirs.max_utility() - made.pair.theirs.min_utility()))
    mean, half = student([Fraction(value) for value in found])
    low, high = mean - half, mean + half
    times = " | ".join(f"{1000 * side.seconds / max(1, side.decisions):.1f}" for side in spent)
    passed = low > ALLOWED
    print(
        f"| {name.replace('_', ' ')} | {len(found)} | {mean:+.3f} | {low:+.3f} to {high:+.3f} | {times} "
        f"| {theirs.simulations // max(1, spent[1].decisions):,} | {'yes' if passed else 'no'} |",
        flush=True,
    )
    return passed


def main() -> int:
    """Print a line for each game; return 1 where one is not passed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.ismcts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", nargs="+", dest="games", choices=[*CONTESTS], default=[*CONTESTS])
    parser.add_argument("--seconds", type=float, default=0.1, help="processor seconds of a decision (0.1)")
    parser.add_argument("--deals", type=int, default=200, help="duplicate deals, each played twice (200)")
    parser.add_argument("--most", type=float, default=1e9, help="processor seconds after which a game ends early")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    Clock.now = staticmethod(time.process_time)
    head = "| game | deals | difference | 95 % | ms, ours | ms, theirs | their simulations | above -0.02 |"
    print(head, "|---" * (head.count("|") - 1) + "|", sep="\n", flush=True)
    found = [
        contest(name, arguments.seconds, arguments.deals, arguments.most, arguments.seed) for name in arguments.games
    ]
    return int(not all(found))


if __name__ == "__main__":
    sys.exit(main())
