"""Matches of agents on duplicate deals: paired differences, an exact sign test, confidence intervals.

A block is one deal (one seed of chance) played in all rotations of the seats, so all agents have the same luck of deal
and seat.  A comparison uses the difference of two agents' mean returns in a block; blocks are independent.  The sign
test counts the blocks in which either agent was better, so it does not depend on the distribution of returns.  The
interval of the mean difference is Student's t, over blocks.  p-values of several comparisons are corrected by Holm's
method.  In a game with teams an agent takes all seats of a team, and the teams change their seats.  In cooperative and
solo games an agent takes all seats, and a block is one play of each agent.

All agents of a block use the same seed by seat: two agents of the same name play identically, and their difference is
exactly 0 in every block.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from fractions import Fraction
from functools import partial
from hashlib import sha256
from itertools import combinations, islice, takewhile

import attrs
import msgspec

from interpreter.agents import AgentName, Thinker
from interpreter.engine.data import read_as
from interpreter.engine.game import Game
from interpreter.inference import holm, sign_test, student
from interpreter.kept import Kept
from interpreter.records.session import Session
from interpreter.sharing import Executors, share_out

Lineup = tuple[int, ...]
"""The agent of each seat, or of each side, by number."""


class Played(msgspec.Struct, frozen=True, array_like=True):
    """The result of a play: the agents, returns and scores of the seats, and the winners.

    `thought` has for each seat how many decisions its agent thought about, and in how many all iterations ended alike.
    """

    lineup: Lineup
    returns: tuple[float, ...]
    scores: tuple[int, ...] | None
    winners: tuple[int, ...]
    decisions: int
    thought: tuple[tuple[int, int], ...] = ()


class Block(msgspec.Struct, frozen=True, array_like=True):
    """One deal at one table, in all rotations of the seats."""

    table: int
    number: int
    plays: tuple[Played, ...]

    def mean_return(self, agent: int) -> Fraction:
        """Return the exact mean return of an agent, over all its seats in all plays of the block."""
        paid = [Fraction(p.returns[s]) for p in self.plays for s, who in enumerate(p.lineup) if who == agent]
        return sum(paid, Fraction(0)) / len(paid)


@attrs.frozen
class Standing:
    """The results of an agent: its number of seats, share of wins, mean return and mean score.

    A shared win counts as equal parts of a win, and so does a draw for all players.  The win of a team counts once.
    """

    agent: str
    seats: int
    first: float
    returns: float
    score: float | None


@attrs.frozen
class Comparison:
    """Two agents: the mean difference of their returns in a block, with its uncertainty.

    `low` and `high` are the 95 % confidence interval (Student's t over blocks; infinite for fewer than two blocks).
    `p_value` is that of an exact two-sided sign test, with Holm's correction for several comparisons.
    """

    one: str
    other: str
    blocks: int
    difference: float
    low: float
    high: float
    better: int
    worse: int
    p_value: float


@attrs.define
class Match:
    """A planned match: `tables` are the lineups, each of which plays `blocks` blocks."""

    game: Game
    names: tuple[AgentName, ...]
    tables: tuple[Lineup, ...]
    blocks: int
    seed: int
    done: list[Block] = attrs.field(factory=list)
    stopped: bool = False
    beyond: dict[tuple[int, int], Block] = attrs.field(factory=dict)
    """Blocks after a gap, by table and number."""

    @property
    def labels(self) -> list[str]:
        """The names of the agents; the second agent of a name has a number."""
        texts = [str(name) for name in self.names]
        return [t if t not in texts[:n] else f"{t} ({texts[:n].count(t) + 1})" for n, t in enumerate(texts)]

    @property
    def as_teams(self) -> bool:
        """Whether an agent takes all seats, because there are no opponents."""
        return is_played_together(self.game)

    @property
    def plays_of_a_deal(self) -> int:
        """The number of plays of one deal at all tables."""
        return sum(map(len, self.tables))

    def run(self, executor: Executors | None = None, on_progress: Callable[[int], object] | None = None) -> None:
        """Play the blocks that are left, here or by executors; `on_progress` is called with how many are completed.

        Ctrl-C or a true result of `on_progress` stops the match after the completed blocks (`stopped`).  Raises
        RuleError if the rules of the game are at fault, AgentError if an agent cannot play the game.
        """
        for name in self.names:
            name.make(self.game, self.seed)
        if on_progress is not None:
            on_progress(len(self.done))
        play = partial(_block, self.game, self.names, self.tables, self.seed)

        def is_over(place: tuple[int, int], block: Future[Block]) -> bool:
            self.beyond[place] = block.result()
            for due in islice(self._planned(), len(self.done), None):
                if due not in self.beyond:
                    break
                self.done.append(self.beyond.pop(due))
            self.stopped = on_progress is not None and bool(on_progress(len(self.done)))
            return self.stopped

        try:
            share_out(executor, lambda pool, place: pool.submit(play, place), self._left, is_over)
        except KeyboardInterrupt:
            self.stopped = True

    def _planned(self) -> Iterator[tuple[int, int]]:
        """Give the table and the number of each block, in the order in which they count."""
        return ((table, number) for number in range(self.blocks) for table in range(len(self.tables)))

    def _left(self) -> list[tuple[int, int]]:
        return [place for place in islice(self._planned(), len(self.done), None) if place not in self.beyond]

    # ---- kept in a file

    def digest(self) -> str:
        """Return a text that only the same match has, but for its number of blocks."""
        _, (text, setting, _) = self.game.__reduce__()
        names = [str(name) for name in self.names]
        parts = ["match", text, setting.players, setting.options, names, self.tables, self.seed]
        return sha256(json.dumps(parts, default=str).encode()).hexdigest()

    def save(self, kept: Kept) -> None:
        """Keep what is done in a file.  Raises OSError."""
        blocks = [*self.done, *(self.beyond[place] for place in sorted(self.beyond))]
        kept.keep(self.digest(), {"blocks": msgspec.to_builtins(blocks)})

    def resume(self, kept: Kept) -> None:
        """Take up what a file keeps of this match.  Raises ValueError where that is damaged."""
        data = kept.find(self.digest())
        if data is None:
            return
        try:
            blocks = read_as(data["blocks"], list[Block])
        except (ValueError, KeyError) as error:
            raise kept.damaged(error) from error
        found = {(block.table, block.number): block for block in blocks}
        self.done = [found[place] for place in takewhile(found.__contains__, self._planned())]
        done = {(block.table, block.number) for block in self.done}
        self.beyond = {place: found[place] for place in self._planned() if place in found and place not in done}

    def standings(self) -> list[Standing]:
        """Return the results of the agents, in the order of their names."""
        found = []
        for agent, label in enumerate(self.labels):
            plays = [play for block in self.done for play in block.plays]
            had = [(p, s) for p in plays for s, who in enumerate(p.lineup) if who == agent]
            sides = [(p, side) for p in plays for side in self.game.sides if p.lineup[side[0]] == agent]
            scores = [p.scores[s] for p, s in had if p.scores is not None]
            found.append(
                Standing(
                    label,
                    len(had),
                    _mean([_part_of_first(p, side, self.game.sides) for p, side in sides]),
                    _mean([p.returns[s] for p, s in had]),
                    _mean([float(score) for score in scores]) if scores else None,
                )
            )
        return found

    def comparisons(self) -> list[Comparison]:
        """Return the comparisons of all pairs of agents that played the same deals."""
        found = []
        for one, other in combinations(range(len(self.names)), 2):
            pairs = [b for b in self.done if {one, other} <= set(self._who(b))]
            if pairs:
                found.append(self._compared(one, other, [b.mean_return(one) - b.mean_return(other) for b in pairs]))
        corrected = holm([comparison.p_value for comparison in found])
        return [attrs.evolve(c, p_value=p) for c, p in zip(found, corrected, strict=True)]

    def blind(self) -> dict[str, float]:
        """Return the share of decisions without a signal, by agent, where there are any: all iterations ended alike."""
        found = {}
        for who, label in enumerate(self.labels):
            seats = [
                play.thought[seat]
                for block in self.done
                for play in block.plays
                for seat, by in enumerate(play.lineup)
                if by == who
            ]
            decided, blind = (sum(part) for part in zip(*seats, strict=True)) if seats else (0, 0)
            if blind:
                found[label] = blind / decided
        return found

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
    """Return a planned match.

    With no more agents than sides there is one table, and the last agent takes the remaining sides; otherwise every
    combination of agents has its own table.  Raises ValueError for fewer than two agents.
    """
    if len(names) < 2:
        raise ValueError("a match needs at least two agents")
    seats, everyone = len(game.sides), range(len(names))
    tables: list[Lineup]
    if is_played_together(game):
        tables = [tuple(everyone)]
    elif len(names) <= seats:
        tables = [(*everyone, *[len(names) - 1] * (seats - len(names)))]
    else:
        tables = list(combinations(everyone, seats))
    return Match(game, tuple(names), tuple(tables), blocks, seed)


def is_played_together(game: Game) -> bool:
    """Return whether a game has no opponents: it is cooperative, or has one player."""
    return game.cooperative or game.num_players == 1


def _block(
    game: Game, names: tuple[AgentName, ...], tables: tuple[Lineup, ...], seed: int, place: tuple[int, int]
) -> Block:
    """Play one block."""
    table, number = place
    lineup = tables[table]
    if is_played_together(game):
        lineups = [(agent,) * game.num_players for agent in lineup]
    else:
        rotations = [lineup[turn:] + lineup[:turn] for turn in range(len(lineup))]
        side_of = {player: number for number, side in enumerate(game.sides) for player in side}
        lineups = [tuple(agents[side_of[p]] for p in range(game.num_players)) for agents in rotations]
    return Block(table, number, tuple(_played(game, names, line, seed, number) for line in lineups))


def _played(game: Game, names: tuple[AgentName, ...], lineup: Lineup, seed: int, number: int) -> Played:
    # The seeds of the deal and of the agents are independent, so choices do not depend on hidden information.
    dice = seed * 1_000_003 + number
    agents = [names[who].make(game, f"{dice}/agents") for who in lineup]
    session = Session(game, agents, dice, take_forced=True)
    outcome = session.play()
    thought = tuple((a.decided, a.blind) if isinstance(a, Thinker) else (0, 0) for a in agents)
    return Played(lineup, outcome.returns, outcome.scores, outcome.winners, session.state.num_actions, thought)


def _part_of_first(play: Played, side: tuple[int, ...], sides: Sequence[tuple[int, ...]]) -> float:
    """Return the part of a win that a side has: all winning sides have equal parts, all sides in a draw."""
    won = [one for one in sides if any(player in play.winners for player in one)] or sides
    return (side in won) / len(won)


def _mean(numbers: Sequence[float]) -> float:
    return float(sum(map(Fraction, numbers), Fraction(0)) / len(numbers)) if numbers else 0.0
