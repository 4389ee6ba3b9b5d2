"""The statistics of a game's design, line by line, computed from the counts of its plays.

A line has a name, a value with its confidence interval, the number of plays or seats that it is computed from, and the
reference value of a fair or neutral game where one exists.  A line is *flagged* if its interval excludes the reference
value, or if a rule, action or card is rarely used.  A flag is a reason to look, not a verdict.  `docs/simulate.md`
defines all statistics.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import attrs

from grammar.english import counted
from interpreter.agents.thinking import AgentError
from interpreter.analysis.types import Card, base_of
from interpreter.english.words import listing
from interpreter.fuzz.coverage import Coverage
from interpreter.inference import (
    Estimate,
    Ratio,
    agreement,
    all_alike,
    mean,
    mean_of_sums,
    quantile,
    ratio,
    scaled,
    share,
    widened,
    wilson,
    z_of,
)
from interpreter.program.nodes import Decision
from interpreter.simulate.collecting import UNIT
from interpreter.simulate.counts import Counts
from interpreter.simulate.recording import Layout
from interpreter.simulate.running import GAP, RANDOM, Run

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.solve.answer import Answer

RARE = 0.01
"""The share of plays below which a rule, action or decision is flagged as rarely used."""

SURELY_RARE = 0.05
"""The upper end of the interval of such a share above which the plays are too few to flag it."""

MOST_BARS = 40
"""Bars of a histogram."""

TIES = 0.1
"""The share of plays without a single winner above which it is flagged."""

LEAST = 30
"""The sample size below which the wins with a card or action are not reported."""

ALARM = 0.05
"""The significance level of each family of lines."""

QUANTILES = (0.05, 0.5, 0.95)

SHARE, USED, POINTS = "share", "share of plays", "points"
P_VALUE = "p-value"
PAYMENT = "points by solving"
DIFFERENCE, DIFFERENCE_OF_SCORE = "percentage points", "points more"
"""Units.  A share is printed in percent, a difference with its sign, and what is solved with four digits."""

MOST_NAMED = 4
"""Items that a finding names."""


def number(value: float | None, unit: str) -> str:
    """Return a number as text: shares in percent, differences with a sign, never a negative zero."""
    if value is None or not math.isfinite(value):
        return "-"
    if unit == P_VALUE:
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    percent = unit.startswith("%") or scale(unit) == 100
    value *= scale(unit)
    digits = 1 if percent else 4 if unit == PAYMENT else 0 if float(value).is_integer() else 2
    value = round(value, digits) + 0.0
    sign = "+" if unit in (DIFFERENCE, DIFFERENCE_OF_SCORE) else ""
    return f"{value:{sign},.{digits}f}" + (" %" if percent and unit != DIFFERENCE else "")


def scale(unit: str) -> int:
    """Return the factor by which values of a unit are multiplied when they are printed."""
    return 100 if unit.startswith("share") or unit == DIFFERENCE else 1


def interval(low: float | None, high: float | None, unit: str) -> str:
    """Return an interval as text; empty if there is none, a dash if the sample is too small for one."""
    if low is None or high is None:
        return ""
    if not (math.isfinite(low) and math.isfinite(high)):
        return "-"
    return "[" + ", ".join(number(end, unit).removesuffix(" %") for end in (low, high)) + "]"


@attrs.frozen
class Line:
    """One statistic.  `value` is None if the sample is empty; `line` is a line of the spec, or 0."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    unit: str
    reference: float | None = None
    flagged: bool = False
    note: str = ""
    line: int = 0
    of: str = ""
    """The quantity of which this line is the mean or a percentile."""

    def data(self) -> dict[str, Any]:
        """Return the line as JSON data."""
        found = attrs.asdict(self)
        for name in ("value", "low", "high", "reference"):
            number = found[name]
            found[name] = None if number is None or not math.isfinite(number) else float(f"{number:.6g}")
        return found


@attrs.frozen
class Bars:
    """A histogram of plays: the bounds of each bar, both inclusive, and its number of plays."""

    name: str
    unit: str
    bars: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, name: str, unit: str, histogram: Mapping[int, int]) -> Bars:
        """Return a histogram with a few dozen bars of one width."""
        low, high = min(histogram), max(histogram)
        width = max(1, math.ceil((high - low + 1) / MOST_BARS))
        bars = []
        for begin in range(low, high + 1, width):
            count = sum(times for value, times in histogram.items() if begin <= value < begin + width)
            bars.append((begin, begin + width - 1, count))
        return cls(name, unit, tuple(bars))


@attrs.frozen
class Section:
    """A group of lines.  `base` says what their values are; `ranked` sections are long and sorted, most notable first.

    `finding` is a sentence about the flagged lines.
    """

    name: str
    title: str
    base: str
    definition: str
    lines: tuple[Line, ...]
    ranked: bool = False
    note: str = ""
    histograms: tuple[Bars, ...] = ()
    finding: str = ""


@attrs.frozen
class Answered:
    """A question about the game, and its answer in a few sentences."""

    question: str
    answer: str


@attrs.frozen
class Curve:
    """The learning curve of a policy on the ladder: decisions, strength, and half the width of its interval."""

    agent: str
    points: tuple[tuple[int, float, float], ...]


COVERED = ("seat", "winning cards", "winning actions")
"""Sections whose findings are in the answers, where there are any."""


@attrs.frozen
class Report:
    """All sections of a run, with its game and settings.

    `beside` is the report of players who think, if they played too, and `answers` what both come to.  `is_weaker` says
    that findings come from `beside`.
    """

    title: str
    players: int
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    seed: int
    plays: int
    planned: int
    native: bool
    sections: tuple[Section, ...]
    beside: Report | None = None
    answers: tuple[Answered, ...] = ()
    is_weaker: bool = False
    curves: tuple[Curve, ...] = ()
    variant: str = ""
    """The spec as the user named it, where several are on one page."""

    @property
    def who(self) -> str:
        """The players as a heading: `random players`, `search:400`."""
        kind, colon, file = self.agents.removeprefix("the agent ").rpartition(":")
        return f"{kind}{colon}{file.replace(os.sep, '/').rpartition('/')[2]}"

    @property
    def stronger(self) -> Report:
        """The report of the stronger players."""
        return self.beside if self.is_weaker and self.beside is not None else self

    @property
    def both(self) -> list[Report]:
        """This report, and the one beside it."""
        return [self, *([] if self.beside is None else [self.beside])]

    @property
    def agents(self) -> str:
        """The agents in words: "random players"."""
        if set(self.seats) == {RANDOM}:
            return "random players"
        named = list(dict.fromkeys(self.seats))
        rotate = "" if len(named) == 1 else ", who change seats from play to play"
        return f"the {'agent' if len(named) == 1 else 'agents'} {listing(named)}{rotate}"

    @property
    def findings(self) -> list[str]:
        """A sentence for each section that has flagged lines and is not in the answers, from the stronger players."""
        left = COVERED if self.answers else ()
        return [section.finding for section in self.stronger.sections if section.finding and section.name not in left]

    def data(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "game": self.title,
            "players": self.players,
            "options": dict(self.options),
            "seats": list(self.seats),
            "seed": self.seed,
            "plays": self.plays,
            "planned": self.planned,
            "native": self.native,
            "answers": [attrs.asdict(answered) for answered in self.answers],
            "findings": self.findings,
            "beside": None if self.beside is None else self.beside.data(),
            "sections": [
                {
                    "name": section.name,
                    "title": section.title,
                    "base": section.base,
                    "definition": section.definition,
                    "note": section.note,
                    "histograms": [attrs.asdict(bars) for bars in section.histograms],
                    "lines": [line.data() for line in section.lines],
                }
                for section in self.sections
            ],
        }

    def section(self, name: str) -> Section:
        """Return a section by its name.  Raises KeyError."""
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def find(self, name: str) -> Section | None:
        """Return a section by its name, or None."""
        return next((section for section in self.sections if section.name == name), None)


def report_of(game: Game, run: Run) -> Report:
    """Return the report of the completed plays of a run."""
    tables = _Tables(game, run.counts, thinks=set(run.work.seats) != {RANDOM})
    sections = [
        tables.seats(), tables.length(), tables.choices(), tables.course(), tables.luck(), tables.ends(),
        tables.rules(), tables.actions(), tables.decisions(), tables.cards(), tables.winning_cards(),
        tables.winning_actions(),
    ]  # fmt: skip
    setting = game.setting
    work = run.work
    return Report(
        game.title, setting.players, setting.texts(), work.seats, work.seed, run.counts.plays, run.plays, work.native,
        tuple(section for section in sections if section is not None and (section.lines or section.note)),
    )  # fmt: skip


class _Tables:
    """Computes the sections of one game."""

    def __init__(self, game: Game, counts: Counts, *, thinks: bool) -> None:
        self.game = game
        self.thinks = thinks
        self.counts = counts
        self.layout = Layout(game)
        self.plays = counts.plays
        self.players = game.num_players
        self.competitive = not game.cooperative and self.players > 1

    # ---- helpers

    def _line(self, name: str, found: Estimate, unit: str, n: int | None = None, **more: Any) -> Line:
        """Return a line; where nothing varied its interval is left out, since it cannot be estimated."""
        n = self.plays if n is None else n
        if not n:
            return Line(name, None, None, None, 0, unit)
        if found.low == found.high:
            if more.get("of", "") in ("", name.removesuffix(", mean")):
                more["note"] = more.get("note") or "the same in all plays"
            return Line(name, found.value, None, None, n, unit, **more)
        return Line(name, found.value, found.low, found.high, n, unit, **more)

    def _quantiles(self, name: str, histogram: Mapping[int, int], unit: str) -> Iterator[Line]:
        """Yield the mean and the percentiles of a histogram."""
        n = sum(histogram.values())
        found = mean(histogram)
        if unit.startswith("%"):
            found = Estimate(found.value, max(found.low, 0), min(found.high, 100))
        yield self._line(f"{name}, mean", found, unit, n, of=name)
        for part in QUANTILES:
            yield self._line(f"{name}, {part:.0%}", quantile(histogram, part), unit, n, of=name)

    def _bars(self, *shown: tuple[str, str, str]) -> tuple[Bars, ...]:
        """Return histograms, from their names in the counts, their titles and their units."""
        return tuple(
            Bars.of(title, unit, {v: n for v, n in self._histogram(name).items() if v >= 0 or name != "deficit"})
            for name, title, unit in shown
            if any(v >= 0 or name != "deficit" for v in self._histogram(name))
        )

    def _histogram(self, name: str) -> Counter[int]:
        return self.counts.histograms.get(name, Counter())

    def _part(self, name: str) -> list[int]:
        return self.counts.totals[self.layout.parts[name]]

    def _moments(self, part: str, number: int) -> tuple[list[int], Ratio]:
        """Return the moments of a thing: the number of plays in which each seat had it, and the sums."""
        size = self.layout.moments
        found = self._part(part)[number * size : (number + 1) * size]
        seats = found[: self.players]
        x, xx, xn, nn = found[self.players :]
        return seats, Ratio(x, sum(seats), xx, xn, nn)

    # ---- statistics of whole plays

    def seats(self) -> Section | None:
        """Wins by seat."""
        if self.game.cooperative:
            return None
        counts, finding = self.counts, ""
        lines = []
        sides = self.game.sides
        called = [team.name for team in self.game.teams] or [f"seat {seat + 1}" for (seat,) in sides]
        equal = 1 / len(sides) if self.players > 1 else None
        z = z_of(len(sides))
        by_side: Counter[tuple[int, ...]] = Counter()
        for shares, times in counts.shares.items():
            by_side[tuple(sum(shares[seat] for seat in side) for side in sides)] += times
        for number_, name in enumerate(called):
            won = sum(shares[number_] * times for shares, times in by_side.items())
            lines.append(self._line(name, wilson(won / UNIT, self.plays, z), SHARE, reference=equal))
        if self.players > 1:
            p = all_alike(by_side, UNIT)
            lines.append(
                Line(f"p-value, all {'teams' if self.game.teams else 'seats'} equal", p, None, None, self.plays,
                     P_VALUE, None, p < ALARM, "chi-squared test")
            )  # fmt: skip
            if p < ALARM:
                best = max(lines[:-1], key=lambda line: line.value or 0)
                said = number(p, P_VALUE)
                finding = (
                    f"Seats: the seats differ (p {said if '<' in said else f'= {said}'}); {best.name} wins most. "
                    f"1 in 20 fair games has p < {ALARM}: confirm with more plays."
                )
        for seat, (total, squares) in enumerate(counts.returns):
            paid = mean_of_sums(self.plays, total, squares)
            paid = Estimate(paid.value / UNIT, paid.low / UNIT, paid.high / UNIT)
            lines.append(self._line(f"mean payment of seat {seat + 1}", paid, POINTS))
        exact = exact_answer(self.game) if self.players > 1 else None
        if exact is not None:
            values = exact.values
            for seat, (value, error) in enumerate(zip(values, exact.errors, strict=True)):
                name = f"payment of seat {seat + 1} in equilibrium"
                ends = (None, None) if exact.is_exact else (value - error, value + error)
                lines.append(Line(name, value, ends[0], ends[1], 0, PAYMENT, note=exact.concept))
            first = max(range(self.players), key=lambda seat: values[seat])
            if values[first] - min(values) > 2 * max(exact.errors) + 1e-9:
                finding = (
                    f"Seats: with best play seat {first + 1} has the advantage ({exact.concept}). "
                    "The plays show what happens with the agents of this run."
                )
        return Section(
            "seat", "Wins by team" if self.game.teams else "Wins by seat" if self.players > 1 else "Wins",
            "share of wins",
            "Share of wins of each seat. Players who share a win get equal parts of it; so do all players of a draw."
            " Where there are teams, the share is that of a team. Wilson intervals, simultaneous for all seats or"
            " teams. A chi-squared test compares all of them.",
            tuple(lines), finding=finding,
        )  # fmt: skip

    def length(self) -> Section:
        """Length of a play."""
        lines: list[Line] = []
        for name in ("decisions", "turns", "rounds"):
            lines += self._quantiles(name, self._histogram(name), name)
        cut = self.counts.ends["too long"]
        found = wilson(cut, self.plays)
        lines.append(self._line("plays stopped by the decision limit", found, USED, reference=0.0, flagged=cut > 0))
        return Section(
            "length", "Length of a play", "mean",
            "A decision is one complete choice: choosing a set of cards is one decision of several actions. A turn is"
            " a series of decisions of one player. A round ends when every player has had a turn."
            f" The limit of this game is {self.game.max_decisions:,} decisions.",
            tuple(lines),
            histograms=self._bars(*((name, name, name) for name in ("decisions", "turns", "rounds"))),
            finding=f"Length: {number(found.value, USED)} of the plays stop at the decision limit." if cut else "",
        )  # fmt: skip

    def choices(self) -> Section:
        """Choices."""
        finding = ""
        lines = [
            self._line("legal actions per decision", ratio(self.counts.legal), "actions"),
            self._line(
                "decisions with only one possible choice", share(self.counts.forced, self.plays), "share of decisions"
            ),
        ]
        for seat in range(self.players):
            lines.append(
                self._line(f"decisions of seat {seat + 1}", mean(self._histogram(f"seat {seat + 1}")), "decisions")
            )
        gaps = self._histogram("gap")
        if gaps:
            found = mean(gaps)
            found = Estimate(found.value / GAP, found.low / GAP, found.high / GAP)
            lines.append(
                self._line("best choice above average choice", found, POINTS, sum(gaps.values()), reference=0.0)
            )
        signals = self._histogram("signal")
        if signals[0]:
            blind = wilson(signals[0], sum(signals.values()))
            finding = (
                f"Choices: in {number(blind.value, SHARE)} of the decisions all iterations of the search ended alike"
                ". A trained policy may play better: `cardgame train`."
            )
            lines.append(
                self._line("decisions without a signal", blind, "share of decisions", sum(signals.values()),
                           reference=0.0, flagged=True)
            )  # fmt: skip
        lines += self._quantiles("longest wait", self._histogram("wait"), "decisions of others")
        return Section(
            "choices", "Choices", "mean",
            "Legal actions are counted at the start of a decision. The longest wait is the largest number of decisions"
            " by other players between two decisions of a player. Agents that think evaluate one decision in eight"
            " twice: half of the budget ranks the choices, the other half estimates by how much the best is better than"
            " the average of all.",
            tuple(lines),
            histograms=self._bars(("wait", "longest wait", "decisions of others")),
            finding=finding,
        )  # fmt: skip

    def course(self) -> Section | None:
        """Course of a play."""
        if not self.competitive:
            return None
        changes, settled = self._histogram("changes"), self._histogram("settled")
        deficits = Counter({value: times for value, times in self._histogram("deficit").items() if value >= 0})
        shown = [
            ("changes", "lead changes", "changes", changes),
            ("settled", "turn from which the winner leads", "% of turns", settled),
            ("deficit", "largest deficit of the winner", POINTS, deficits),
        ]
        silence = self._silence()
        lines = [
            line for _, name, unit, values in shown if values for line in self._quantiles(name, values, unit)
        ]  # fmt: skip
        if deficits:
            won = sum(times for value, times in deficits.items() if value > 0)
            lines.append(self._line("comebacks", wilson(won, sum(deficits.values())), USED, sum(deficits.values())))
        return Section(
            "course", "Course of a play", "mean",
            "The leader is the player who would win if the play ended now; it is computed at each turn by the rules of"
            " the game. 0 % of the turns means that the winner led from the start. The deficit is in points, at the"
            " worst turn; a comeback is a win after a deficit.",
            () if silence else tuple(lines),
            note=silence,
            histograms=() if silence else self._bars(*(entry[:3] for entry in shown)),
        )  # fmt: skip

    def _silence(self) -> str:
        """Return why the leader at each turn means nothing; empty where it does."""
        led, moved, moves = (
            sum(value * times for value, times in self._histogram(name).items()) for name in ("led", "moved", "moves")
        )
        late = sum(times for value, times in self._histogram("settled").items() if value >= 95)
        if max(self._histogram("changes"), default=0) <= 1 and late > 0.9 * self.plays:  # One is that of the end.
            return "Left out: scores change only at the end, so the leader during the play is not informative."
        if led and led in (moved, moves):
            who = "the player who moved last" if led == moved else "the player who moves next"
            return f"Left out: the leader is always {who}, so leads are not informative."
        return ""

    def luck(self) -> Section | None:
        """Luck and skill."""
        lines, finding = [], ""
        found = agreement(self.counts.deals)
        pairs = sum(self.counts.deals.values())
        if found is not None:
            high = found.low >= 0.5 and pairs >= LEAST
            lines.append(
                self._line("variance explained by the deal", found, "share of the variance", pairs, reference=0.0,
                           flagged=high, note=f"{pairs:,} deals, each played twice")
            )  # fmt: skip
            if high:
                finding = "Luck: the deal explains at least half of the variance of the result."
                if self.thinks:
                    finding += " Equal players who repeat their choices raise this, also in a game of skill."
        equal = None if self.game.cooperative else 1 / self.players
        for name, sums in self.counts.agents.items():
            won = ratio(sums)
            whole = 1 if self.game.cooperative else UNIT
            won = Estimate(won.value / whole, won.low / whole, won.high / whole)
            what, unit = ("score", POINTS) if self.game.cooperative else ("wins", "share of wins")
            lines.append(self._line(f"{what} of {name}", won, unit, reference=equal))
        return Section(
            "luck", "Luck and skill", "",
            "Every second play is repeated with the same deal: all chance before the first decision. The intraclass"
            " correlation of the two results is the share of the variance that the deal explains; an estimate below 0"
            " means no visible effect. If several agents play, their shares of wins show the effect of skill.",
            tuple(lines), finding=finding,
        )  # fmt: skip

    def ends(self) -> Section:
        """Outcome."""
        lines: list[Line] = []
        finding = ""
        if self.competitive:
            many = self._histogram("winners")
            single = {1, *map(len, self.game.sides)} if self.game.teams else {1}
            tied = wilson(sum(times for won, times in many.items() if won not in single), self.plays)
            if tied.low > TIES:
                lines.append(self._line("no single winner", tied, USED, flagged=True))
                finding = f"Outcome: {number(tied.value, USED)} of the plays have no single winner"
                finding += ", which is no fault where players win together."
            for won, times in sorted(self._histogram("winners").items()):
                size = max(map(len, self.game.sides))
                team = self.game.teams and won == size
                name = "draw" if won == 0 else "one winner" if won == 1 else f"{won} winners"
                name = "one winning team" if team else name
                lines.append(self._line(name, wilson(times, self.plays), USED))
            if self._histogram("margin"):
                lines += self._quantiles("winner's margin", self._histogram("margin"), POINTS)
        common = self.game.cooperative
        scores = [
            (f"score {seat + 1}", "score" if common else f"score of seat {seat + 1}", POINTS)
            for seat in range(1 if common else self.players)
            if self._histogram(f"score {seat + 1}")
        ]
        for histogram, name, unit in scores:
            lines += self._quantiles(name, self._histogram(histogram), unit)
        return Section(
            "ends", "Outcome", "", "The number of winners and the scores. The margin is the difference between the"
            " scores of the winner and the next player.", tuple(lines),
            histograms=self._bars(("margin", "winner's margin", POINTS), *scores), finding=finding,
        )  # fmt: skip

    # ---- use of rules, actions and cards

    def _usage(
        self, name: str, base: str, definition: str, lines: Iterable[Line], note: str = ""
    ) -> Section:  # fmt: skip
        """Return a section about how often things are used, the rarest first."""
        ranked = tuple(sorted(lines, key=lambda line: (line.value or 0.0, line.line, line.name)))
        flagged = [line.name for line in ranked if line.flagged]
        be = "is" if len(flagged) == 1 else "are"
        finding = f"{name.capitalize()}: {named(flagged)} {be} rarely or never used." if flagged else ""
        return Section(name, f"Least used {name}", base, definition, ranked, True, note, finding=finding)

    def _used(self, name: str, plays: int, line: int, **more: Any) -> Line:
        found = wilson(plays, self.plays)
        rare = plays < RARE * self.plays and found.high < SURELY_RARE
        return self._line(name, found, USED, line=line, flagged=rare, **more)

    def rules(self) -> Section:
        """Least used rules."""
        coverage = Coverage.of(self.game)
        plays = dict(zip(self.layout.tags, self._part("by tag"), strict=True))
        lines = [self._used(tag.tag, plays[tag.tag], tag.spans[0].line) for tag in coverage.tags() if not tag.declared]
        out = coverage.ruled_out()
        return self._usage(
            "rules", USED,
            "Share of plays that execute or evaluate a rule with this tag, rarest first. Tags of declarations are left"
            " out: they hold in every play.", lines,
            f"Not part of this setting: {', '.join(out)}." if out else "",
        )  # fmt: skip

    def actions(self) -> Section:
        """Least used actions."""
        lines = []
        offered, taken = self._part("offered"), self._part("taken")
        first = {
            stage.base: way.action.span.line
            for node in self.game.program.nodes
            if isinstance(node, Decision)
            for way in node.ways
            for stage in way.stages
        }
        for block, shape in enumerate(self.game.shapes):
            part = slice(shape.base, shape.base + shape.size)
            note = f"taken {sum(taken[part]):,} of {sum(offered[part]):,} times offered"
            kinds = " ".join("cards" if shape.is_set else f"{type_}" for type_ in shape.types)
            lines.append(
                self._used(f"{shape.verb} {kinds}".strip(), self._part("by block")[block], first.get(shape.base, 0),
                           note=note)
            )  # fmt: skip
        return self._usage(
            "actions", USED,
            "Share of plays in which a player takes an action with this verb, rarest first.", lines,
        )  # fmt: skip

    def decisions(self) -> Section:
        """Least used decisions."""
        nodes, begun = self.game.program.nodes, self._part("by node")
        lines = []
        for node in nodes:
            if not isinstance(node, Decision) or node.only is not None:
                continue
            times, forced, legal, plays = begun[4 * node.number : 4 * node.number + 4]
            note = "never"
            if times:
                note = f"{counted(times, 'decision')}, {forced / times:.0%} forced, {legal / times:.1f} legal actions"
            lines.append(self._used(node.phase or "play", plays, node.span.line, note=note))
        return self._usage(
            "decisions", USED,
            "Share of plays in which a player decides here, by phase and line of the spec, rarest first. A decision"
            " is forced if only one choice is possible.", lines,
        )  # fmt: skip

    def _had(self, part: str, number: int) -> tuple[Estimate, int]:
        """Return the share of seats that had a thing, over all plays, and their number."""
        _, sums = self._moments(part, number)
        plays, count = self.plays, self.players
        return share(Ratio(sums.n, plays * count, sums.nn, sums.n * count, plays * count * count), plays), sums.n

    def cards(self) -> Section | None:
        """Least used cards."""
        lines = []
        chosen = self._chosen_by_face()
        if not self.layout.hands and not any(chosen.values()):
            return None
        offered, taken = self._part("offered"), self._part("taken")
        had = {face: self._had("by face", face) for face in chosen}
        offers_of = {face: sum(offered[a] for a in actions) for face, actions in chosen.items()}
        # Cards of a kind that nobody holds or is offered, such as tokens, are used by the rules.
        held = {
            self.game.faces[face].kind for face in chosen if offers_of[face] or (had[face][1] and self.layout.hands)
        }
        for face, (found, seats) in had.items():
            times, offers = sum(taken[a] for a in chosen[face]), offers_of[face]
            note = f"chosen {times:,} of {offers:,} times offered" if chosen[face] else ""
            never = seats == 0 if self.layout.hands else True
            lines.append(
                self._line(self._face(face), found, "share of seats", note=note,
                           flagged=never and not times and self.game.faces[face].kind in held)
            )  # fmt: skip
        return self._usage(
            "cards", "share of seats that held the card",
            "Share of all seats, over all plays, that held the card in hand at some decision, and how often an action"
            " chose it; rarest first.", lines,
        )  # fmt: skip

    def _face(self, face: int) -> str:
        return self.game.texts.full_face(face)

    def _action(self, number: int) -> str:
        """Return an action as text; a card that is in several decks with its owner."""
        text = self.game.texts.action(number)
        for face in self._faces_of(number):
            short = self.game.texts.face(face)
            if text.endswith(short):
                text = text.removesuffix(short) + self._face(face)
        return text

    def _faces_of(self, number: int) -> list[int]:
        """Return the faces that an action chooses."""
        action, shape = self.game.action(number), self.game.texts.shape_of(number)
        if action.pick is not None:
            return [action.pick]
        values = zip(shape.types, action.args, strict=False)
        return [value for type_, value in values if isinstance(base_of(type_), Card)]

    def _chosen_by_face(self) -> dict[int, list[int]]:
        """Return the actions that choose each face."""
        found: dict[int, list[int]] = {face: [] for face in range(self.game.num_faces)}
        for number in range(self.game.num_distinct_actions):
            for face in self._faces_of(number):
                found[face].append(number)
        return found

    # ---- association with winning

    def _mean_results(self) -> list[float]:
        """Return the mean result of each seat, in parts of UNIT, or in points."""
        sums = [0] * self.players
        for shares, times in self.counts.shares.items():
            for seat, won in enumerate(shares):
                sums[seat] += won * times
        return [total / max(1, self.plays) for total in sums]

    def _spread(self, weights: Sequence[float]) -> float:
        """Return the variance of a weighted sum of the mean results of the seats."""
        values = [
            (sum(w * won for w, won in zip(weights, shares, strict=True)), times)
            for shares, times in self.counts.shares.items()
        ]
        middle = sum(value * times for value, times in values) / self.plays
        return sum((value - middle) ** 2 * times for value, times in values) / self.plays / max(1, self.plays - 1)

    def _winning(self, name: str, what: str, definition: str, names: Iterable[tuple[str, str, int]]) -> Section:
        """Compare seats that had a thing with the mean of the same seats, the largest difference first."""
        whole, unit = (1, DIFFERENCE_OF_SCORE) if self.game.cooperative else (UNIT, DIFFERENCE)
        base = self._mean_results()
        found = [(text, *self._moments(part, number)) for text, part, number in names]
        # Of what nearly all seats have, or nearly none, the effect cannot be estimated.
        large = [one for one in found if min(one[2].n, self.plays * self.players - one[2].n) >= LEAST]
        z = z_of(len(large))
        lines = []
        for text, seats, sums in large:
            # A share of wins is Wilson's, which has a width where all have won; a score is not a share.
            parts = Ratio(sums.x, sums.n * whole, sums.xx, sums.xn * whole, sums.nn * whole * whole)
            mean_result = ratio(sums, z) if whole == 1 else scaled(share(parts, sums.n, z), whole)
            estimate = widened(mean_result, self._spread([n / sums.n for n in seats]), z)
            shift = sum(b * n for b, n in zip(base, seats, strict=True)) / sums.n
            value, low, high = ((x - shift) / whole for x in (estimate.value, estimate.low, estimate.high))
            estimate = Estimate(value, low, high)
            flagged = estimate.excludes(0.0)
            lines.append(self._line(text, estimate, unit, sums.n, reference=0.0, flagged=flagged))
        lines.sort(key=lambda line: (-abs(line.value or 0), line.name))
        sides = [
            [line.name for line in lines if line.flagged and (line.value or 0) * sign > 0] for sign in (1, -1)
        ]  # fmt: skip
        result, each = ("Scores", "score") if self.game.cooperative else ("Wins", "win")
        said = [
            f"{than} than average {what.split()[0]} {named(side)}"
            for side, than in zip(sides, ("more", "less"), strict=True)
            if side
        ]
        title, of = f"{result} {what}", "points" if self.game.cooperative else unit
        finding = f"{title}: players {each} {', and '.join(said)}." if said else ""
        base_text = f"difference from the mean of the same seats, in {of}"
        return Section(name, title, base_text, definition, tuple(lines), True, finding=finding)

    def winning_cards(self) -> Section:
        """Wins with a card in hand."""
        return self._winning(
            "winning cards", "with a card in hand",
            "Result of the seats that held the card in hand at some decision, less the mean result of the same seats;"
            " n is the number of these seats. Simultaneous intervals for all lines.",
            ((self._face(face), "by face", face) for face in range(self.game.num_faces)),
        )  # fmt: skip

    def winning_actions(self) -> Section:
        """Wins after an action."""
        section = self._winning(
            "winning actions", "after an action",
            "Result of the seats that took the action at least once, less the mean result of the same seats; n is the"
            " number of these seats. Simultaneous intervals for all lines.",
            ((self._action(number), "by action", number) for number in range(self.game.num_distinct_actions)
             if self._part("taken")[number]),
        )  # fmt: skip
        note = "A correlation, not a cause: players who lead can often do what others cannot."
        return attrs.evolve(section, note=note)


def exact_answer(game: Game) -> Answer | None:
    """Return the solution of a game that is small enough; None without numpy too."""
    try:
        from interpreter.solve.answer import quick_answer  # late: help
    except AgentError:
        return None
    return quick_answer(game)


def named(names: Sequence[str]) -> str:
    """Return names as a list, at most a few of them."""
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return listing([*names[:MOST_NAMED], *more])


def grouped(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yield each line alone, and the mean of a quantity together with its percentiles."""
    for _, found in groupby(lines, lambda line: line.of or line):
        yield list(found)
