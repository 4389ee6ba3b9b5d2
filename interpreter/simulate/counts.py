"""The counts of many plays as whole numbers, so that sums do not depend on how plays were shared among machines.

Measures of plays are kept as histograms.  A histogram of more than 4,096 values is made coarse, so that it stays small:
each value above 1,023 is rounded to ten binary digits, an error of 1/1,000 at most.  All others are exact.  Sums for
confidence intervals are whole numbers too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from interpreter.engine.outcome import Termination
from interpreter.inference import Ratio
from interpreter.simulate.collecting import UNIT
from interpreter.simulate.recording import MEASURES, NONE, Layout, Row, margin_of

if TYPE_CHECKING:
    from interpreter.engine.game import Game

Shares = tuple[int, ...]
"""The winnings of each seat, in parts of UNIT."""

_Key = TypeVar("_Key")

EXACT = 1024
"""Numbers below this are not rounded."""
MOST_VALUES = 4096
"""Values of a histogram; if there are more, it is made coarse."""


def rounded(number: int) -> int:
    """Return the nearest number with ten binary digits, the even one of two."""
    shift = max(0, number.bit_length() - EXACT.bit_length() + 1)
    return round(Fraction(number, 1 << shift)) << shift


def _histograms() -> dict[str, Counter[int]]:
    return {}


def is_paid(game: Game) -> bool:
    """Return whether the returns of a game contain more than the winners: stakes, or payments of the rules."""
    return not game.cooperative and game.utility_range != (-1.0, 1.0)


@attrs.define
class Counts:
    """The counts of some plays.

    `totals` are those of `interpreter.simulate.collecting`; `histograms` by name: `length` in small actions, the
    MEASURES, `seat N` (decisions of a seat), `score N`, `margin`, `winners` (the number of winners), `gap` (value of
    the best choice above the average), `signal` (whether a search preferred any choice).  `coarse` has the names of
    those whose values are rounded.  `shares` are the winnings of the seats in a play, `deals` those in two plays of
    one deal.  `returns` are the sums and the sums of squares of the returns of each seat, in parts of UNIT, if they are
    more than victory.  `agents` are the winnings of each agent.
    """

    totals: list[int]
    plays: int = 0
    histograms: dict[str, Counter[int]] = attrs.field(factory=_histograms)
    coarse: set[str] = attrs.field(factory=set)
    forced: Ratio = attrs.field(factory=Ratio)
    legal: Ratio = attrs.field(factory=Ratio)
    shares: Counter[Shares] = attrs.field(factory=Counter)
    deals: Counter[tuple[Shares, Shares]] = attrs.field(factory=Counter)
    ends: Counter[str] = attrs.field(factory=Counter)
    returns: list[list[int]] = attrs.field(factory=list)
    agents: dict[str, Ratio] = attrs.field(factory=dict)

    @classmethod
    def of(cls, layout: Layout) -> Counts:
        """Return the counts of a game before the first play."""
        return cls([0] * layout.totals)

    def add(self, layout: Layout, rows: Sequence[Row], seats: Callable[[int], Sequence[str]] | None = None) -> None:
        """Add plays; `seats` says who sat where in one of them, by its place in `rows`."""
        players, cooperative = layout.players, layout.game.cooperative
        paid = is_paid(layout.game)
        self.plays += len(rows)
        for place, name in enumerate(MEASURES):
            self.note(name, (row.numbers[place] for row in rows))
        self.note("length", (row.length for row in rows))
        first = len(MEASURES)
        for seat in range(players):
            self.note(f"seat {seat + 1}", (row.numbers[first + seat] for row in rows))
            self.note(f"score {seat + 1}", (row.outcome.scores[seat] for row in rows if row.outcome.scores is not None))
        decisions, forced, legal = (MEASURES.index(name) for name in ("decisions", "forced", "legal"))
        for number, row in enumerate(rows):
            numbers, outcome = row.numbers, row.outcome
            self.forced.add(numbers[forced], numbers[decisions])
            self.legal.add(numbers[legal], numbers[decisions])
            worth = tuple(numbers[first + players : first + 2 * players])
            twin = tuple(numbers[first + 2 * players :])
            self.shares[worth] += 1
            if twin[0] != NONE:
                self.deals[worth, twin] += 1
            cut = outcome.termination is Termination.TOO_LONG
            self.ends["too long" if cut else "finished"] += 1
            if not cut and not cooperative:
                self.note("winners", [len(outcome.winners)])
                margin = margin_of(outcome)
                if margin is not None:
                    self.note("margin", [margin])
            if paid:
                self._pay(outcome.returns)
            if seats is not None:
                self._seat(seats(number), worth)

    def note(self, name: str, values: Iterable[int]) -> None:
        """Add numbers to a histogram."""
        self._enter(name, Counter(values))

    def _enter(self, name: str, found: Mapping[int, int]) -> None:
        """Add values with their numbers of times to a histogram, which is the same in any order."""
        histogram = self.histograms.setdefault(name, Counter())
        if name not in self.coarse:
            histogram.update(found)
            if len(histogram) <= MOST_VALUES:
                return
            self.coarse.add(name)
            found = histogram.copy()
            histogram.clear()
        for value, times in found.items():
            histogram[rounded(value)] += times

    def _pay(self, returns: Sequence[float]) -> None:
        if not self.returns:
            self.returns = [[0, 0] for _ in returns]
        for kept, paid in zip(self.returns, returns, strict=True):
            units = round(paid * UNIT)
            kept[0] += units
            kept[1] += units * units

    def _seat(self, names: Sequence[str], worth: Shares) -> None:
        for name in dict.fromkeys(names):
            mine = [share for sat, share in zip(names, worth, strict=True) if sat == name]
            self.agents.setdefault(name, Ratio()).add(sum(mine), len(mine))

    def join(self, other: Counts) -> None:
        """Add the plays of another part of the run."""
        self.totals = [a + b for a, b in zip(self.totals, other.totals, strict=True)]
        self.plays += other.plays
        for name, histogram in other.histograms.items():
            if name in other.coarse and name not in self.coarse:
                self.coarse.add(name)
                self._enter(name, self.histograms.pop(name, {}))
            self._enter(name, histogram)
        self.forced.join(other.forced)
        self.legal.join(other.legal)
        self.shares.update(other.shares)
        self.deals.update(other.deals)
        self.ends.update(other.ends)
        if not self.returns:
            self.returns = [[0, 0] for _ in other.returns]
        for mine, theirs in zip(self.returns, other.returns, strict=True):
            mine[0] += theirs[0]
            mine[1] += theirs[1]
        for name, ratio in other.agents.items():
            self.agents.setdefault(name, Ratio()).join(ratio)

    # ---- as data

    def data(self) -> dict[str, Any]:
        """Return all of it as what JSON can say, in one order."""
        return {
            "plays": self.plays,
            "totals": self.totals,
            "histograms": {name: _listed(self.histograms[name]) for name in sorted(self.histograms)},
            "coarse": sorted(self.coarse),
            "forced": attrs.astuple(self.forced),
            "legal": attrs.astuple(self.legal),
            "shares": _listed(self.shares),
            "deals": _listed(self.deals),
            "ends": _listed(self.ends),
            "returns": self.returns,
            "agents": {name: attrs.astuple(self.agents[name]) for name in sorted(self.agents)},
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Counts:
        """Return what `data` wrote.  Raises KeyError, TypeError or ValueError where that is something else."""
        return cls(
            totals=list(data["totals"]),
            plays=data["plays"],
            histograms={name: Counter(dict(listed)) for name, listed in data["histograms"].items()},
            coarse=set(data["coarse"]),
            forced=Ratio(*data["forced"]),
            legal=Ratio(*data["legal"]),
            shares=Counter({tuple(key): n for key, n in data["shares"]}),
            deals=Counter({(tuple(one), tuple(two)): n for (one, two), n in data["deals"]}),
            ends=Counter(dict(data["ends"])),
            returns=[list(pair) for pair in data["returns"]],
            agents={name: Ratio(*sums) for name, sums in data["agents"].items()},
        )


def _listed(counter: Counter[_Key]) -> list[tuple[_Key, int]]:
    return sorted(counter.items())
