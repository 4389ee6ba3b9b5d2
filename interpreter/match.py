"""Agents against each other on duplicate deals: paired differences, an exact sign test, intervals.

A block is one deal (one seed of chance) played in all rotations of the seats, so that the luck of the deal and of the
seat falls on every agent alike.  What is compared is the difference of two agents' mean returns in a block; blocks are
independent of each other.  The sign test asks only in how many blocks either was better, so it supposes nothing about
returns; the interval of the mean difference is Student's, over blocks.  Several comparisons are corrected by Holm's
method.  Where all win or lose together, or one plays alone, an agent takes all seats, and a block is one play of each.

All agents of a block have one seed for their own chance, by seat: two agents of one name do the very same, and their
difference is exactly 0 in every block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from multiprocessing import get_context

import attrs

from interpreter.agents import AgentName
from interpreter.engine.game import Game
from interpreter.fuzz.sweep import without_interrupts
from interpreter.inference import holm, sign_test, student
from interpreter.records.session import Session

Lineup = tuple[int, ...]
"""Who sits in each seat, as numbers of agents."""


@attrs.frozen
class Played:
    """How one play ended: who sat where, what each seat got, and the seats that were first."""

    lineup: Lineup
    returns: tuple[float, ...]
    scores: tuple[int, ...] | None
    winners: tuple[int, ...]
    decisions: int


@attrs.frozen
class Block:
    """One deal at one table, in all rotations of the seats."""

    table: int
    number: int
    plays: tuple[Played, ...]

    def mean_return(self, agent: int) -> Fraction:
        """Return what an agent got on average, over all its seats in all plays of the block; exactly."""
        paid = [Fraction(p.returns[s]) for p in self.plays for s, who in enumerate(p.lineup) if who == agent]
        return sum(paid, Fraction(0)) / len(paid)


@attrs.frozen
class Standing:
    """How an agent did: plays counted by seats that it had, the share of first places, mean return and mean score.

    A first place that several share counts as a part of one, and where nobody is first, as for all alike.
    """

    agent: str
    seats: int
    first: float
    returns: float
    score: float | None


@attrs.frozen
class Comparison:
    """Two agents: the mean difference of what they got in a block, and how sure that is.

    `low` and `high` bound the mean difference with 95 % (Student's t over blocks; infinite for less than two).
    `chance` is that of a sign test, two-sided and exact, corrected by Holm's method where several are compared.
    """

    one: str
    other: str
    blocks: int
    difference: float
    low: float
    high: float
    better: int
    worse: int
    chance: float


@attrs.define
class Match:
    """A match that is planned: `tables` are the lineups that play, each in `blocks` blocks."""

    game: Game
    names: tuple[AgentName, ...]
    tables: tuple[Lineup, ...]
    blocks: int
    seed: int
    done: list[Block] = attrs.field(factory=list)
    stopped: bool = False

    @property
    def labels(self) -> list[str]:
        """The agents' names; of several of one name, all but the first with a number."""
        texts = [str(name) for name in self.names]
        return [t if t not in texts[:n] else f"{t} ({texts[:n].count(t) + 1})" for n, t in enumerate(texts)]

    @property
    def as_teams(self) -> bool:
        """Whether an agent takes all seats: there is nobody to play against."""
        return is_played_together(self.game)

    def run(self, jobs: int = 1, watch: Callable[[int], object] | None = None) -> None:
        """Play all blocks, in several processes if asked; `watch` hears how many blocks are done.

        The match ends with the blocks that are done (`stopped`) at Ctrl-C, and where `watch` returns something true.
        Raises RuleError where the rules of the game are at fault, AgentError where an agent cannot play it.
        """
        for name in self.names:
            name.make(self.game, self.seed)
        asked = [(table, number) for number in range(self.blocks) for table in range(len(self.tables))]
        if watch is not None:
            watch(0)
        play = partial(_block, self.game, self.names, self.tables, self.seed)
        try:
            if jobs == 1 or len(asked) == 1:
                self._join(map(play, asked), watch)
            else:
                with without_interrupts():
                    workers = get_context("spawn").Pool(min(jobs, len(asked)))
                with workers as pool:
                    self._join(pool.imap(play, asked), watch)
        except KeyboardInterrupt:
            self.stopped = True

    def _join(self, blocks: Iterator[Block], watch: Callable[[int], object] | None) -> None:
        for block in blocks:
            self.done.append(block)
            if watch is not None and watch(len(self.done)):
                self.stopped = True
                return

    def standings(self) -> list[Standing]:
        """Return how each agent did, in the order in which they were named."""
        found = []
        for agent, label in enumerate(self.labels):
            had = [(p, s) for b in self.done for p in b.plays for s, who in enumerate(p.lineup) if who == agent]
            scores = [p.scores[s] for p, s in had if p.scores is not None]
            found.append(
                Standing(
                    label,
                    len(had),
                    _mean([_part_of_first(p, s) for p, s in had]),
                    _mean([p.returns[s] for p, s in had]),
                    _mean([float(score) for score in scores]) if scores else None,
                )
            )
        return found

    def comparisons(self) -> list[Comparison]:
        """Return every two agents who met, or played the same deals, side by side."""
        found = []
        for one, other in combinations(range(len(self.names)), 2):
            pairs = [b for b in self.done if {one, other} <= set(self._who(b))]
            if pairs:
                found.append(self._compared(one, other, [b.mean_return(one) - b.mean_return(other) for b in pairs]))
        corrected = holm([comparison.chance for comparison in found])
        return [attrs.evolve(c, chance=chance) for c, chance in zip(found, corrected, strict=True)]

    def _who(self, block: Block) -> set[int]:
        return {who for play in block.plays for who in play.lineup}

    def _compared(self, one: int, other: int, differences: list[Fraction]) -> Comparison:
        better, worse = (sum(sign * d > 0 for d in differences) for sign in (1, -1))
        mean, half = student(differences)
        labels = self.labels
        return Comparison(
            labels[one], labels[other], len(differences), mean, mean - half, mean + half, better, worse,
            sign_test(better, worse),
        )  # fmt: skip


def match(game: Game, names: Sequence[AgentName], blocks: int, seed: int = 1) -> Match:
    """Return a match that is planned.

    Where there are no more agents than seats they sit at one table, the last one in all seats that are left; else
    every choice of as many as there are seats sits at a table of its own.  Raises ValueError for less than two agents.
    """
    if len(names) < 2:
        raise ValueError("a match needs two agents at least")
    seats, everyone = game.num_players, range(len(names))
    tables: list[Lineup]
    if is_played_together(game):
        tables = [tuple(everyone)]
    elif len(names) <= seats:
        tables = [(*everyone, *[len(names) - 1] * (seats - len(names)))]
    else:
        tables = list(combinations(everyone, seats))
    return Match(game, tuple(names), tuple(tables), blocks, seed)


def is_played_together(game: Game) -> bool:
    """Say whether nobody plays against anybody: all win or lose together, or one plays alone."""
    return game.cooperative or game.num_players == 1


def _block(
    game: Game, names: tuple[AgentName, ...], tables: tuple[Lineup, ...], seed: int, asked: tuple[int, int]
) -> Block:
    """Play one block."""
    table, number = asked
    lineup = tables[table]
    if is_played_together(game):
        lineups = [(agent,) * game.num_players for agent in lineup]
    else:
        lineups = [lineup[turn:] + lineup[:turn] for turn in range(len(lineup))]
    return Block(table, number, tuple(_played(game, names, line, seed, number) for line in lineups))


def _played(game: Game, names: tuple[AgentName, ...], lineup: Lineup, seed: int, number: int) -> Played:
    # The chance of a deal and that of the agents are apart, so that nobody's choices hang on what is hidden.
    dice = seed * 1_000_003 + number
    session = Session(game, [names[who].make(game, f"{dice}/agents") for who in lineup], dice, take_forced=True)
    outcome = session.play()
    return Played(lineup, outcome.returns, outcome.scores, outcome.winners, session.state.num_decisions)


def _part_of_first(play: Played, seat: int) -> float:
    if not play.winners:
        return 1 / len(play.lineup)
    return (seat in play.winners) / len(play.winners)


def _mean(numbers: Sequence[float]) -> float:
    return float(sum(map(Fraction, numbers), Fraction(0)) / len(numbers)) if numbers else 0.0
