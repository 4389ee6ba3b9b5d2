"""The statistics of a game's design, line by line, from what its plays have come to.

Each line has what is measured and of what, the number with its interval, how many plays it is of, and the value that a
fair or neutral game would show where there is one.  A line is *flagged* where its interval leaves that value out, or
where something is hardly ever used; what is flagged is a reason to look, no verdict.  `docs/simulate.md` has all
definitions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.analysis.types import Card, base_of
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
    wilson,
    z_of,
)
from interpreter.program.nodes import Decision
from interpreter.simulate.collecting import UNIT
from interpreter.simulate.counts import Counts
from interpreter.simulate.recording import Layout
from interpreter.simulate.running import GAP, Run

if TYPE_CHECKING:
    from interpreter.engine.game import Game

RARE = 0.01
"""What is used in fewer plays than this share is flagged."""

MOST_BARS = 40
"""Bars of a histogram."""

LEAST = 30
"""Of a card or an action that fewer seats had nothing is said of who wins with it."""

ALARM = 0.05
"""The chance of a false alarm, for each family of lines."""

QUANTILES = (0.05, 0.5, 0.95)


@attrs.frozen
class Line:
    """One statistic.  `value` is None where there was nothing to count; `line` is one of the spec's, or 0."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    unit: str
    neutral: float | None = None
    flagged: bool = False
    note: str = ""
    line: int = 0
    of: str = ""
    """What it is a mean or a quantile of, where such lines belong together."""

    def data(self) -> dict[str, Any]:
        """Return it as what JSON can say."""
        found = attrs.asdict(self)
        for name in ("value", "low", "high", "neutral"):
            number = found[name]
            found[name] = None if number is None or not math.isfinite(number) else float(f"{number:.6g}")
        return found


@attrs.frozen
class Bars:
    """A histogram of plays: the bounds of each bar, both included, and how many plays it has."""

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
    """The lines of one question.  `ranked` ones are many and come rarest first, or those furthest from neutral."""

    name: str
    question: str
    definition: str
    lines: tuple[Line, ...]
    ranked: bool = False
    note: str = ""
    histograms: tuple[Bars, ...] = ()


@attrs.frozen
class Report:
    """All sections of a run, with what it was."""

    title: str
    players: int
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    seed: int
    plays: int
    planned: int
    native: bool
    sections: tuple[Section, ...]

    @property
    def strength(self) -> str:
        """Who played, in words."""
        named = Counter(self.seats)
        if len(named) == 1:
            return f"{self.seats[0]} players"
        return "players " + ", ".join(self.seats) + ", one seat further in each play"

    def data(self) -> dict[str, Any]:
        """Return it as what JSON can say."""
        return {
            "game": self.title,
            "players": self.players,
            "options": dict(self.options),
            "seats": list(self.seats),
            "seed": self.seed,
            "plays": self.plays,
            "planned": self.planned,
            "native": self.native,
            "sections": [
                {
                    "name": section.name,
                    "question": section.question,
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
        for section in self.sections:
            if section.name == name:
                return section
        raise KeyError(name)

    def flagged(self) -> list[tuple[Section, Line]]:
        """Return the lines that are a reason to look."""
        return [(section, line) for section in self.sections for line in section.lines if line.flagged]


def report_of(game: Game, run: Run) -> Report:
    """Return the report of the plays that a run has done."""
    tables = _Tables(game, run.counts)
    sections = [
        tables.seats(), tables.length(), tables.choices(), tables.course(), tables.luck(), tables.ends(),
        tables.rules(), tables.actions(), tables.decisions(), tables.cards(), tables.winning_cards(),
        tables.winning_actions(),
    ]  # fmt: skip
    setting = game.setting
    work = run.work
    return Report(
        game.title, setting.players, setting.texts(), work.seats, work.seed, run.counts.plays, run.plays, work.native,
        tuple(section for section in sections if section is not None and section.lines),
    )  # fmt: skip


class _Tables:
    """Makes the sections of one game."""

    def __init__(self, game: Game, counts: Counts) -> None:
        self.game = game
        self.counts = counts
        self.layout = Layout(game)
        self.plays = counts.plays
        self.players = game.num_players
        self.competitive = not game.cooperative and self.players > 1

    # ---- helpers

    def _line(self, name: str, found: Estimate, unit: str, n: int | None = None, **more: Any) -> Line:
        n = self.plays if n is None else n
        if not n:
            return Line(name, None, None, None, 0, unit)
        return Line(name, found.value, found.low, found.high, n, unit, **more)

    def _quantiles(self, name: str, histogram: Mapping[int, int], unit: str) -> Iterator[Line]:
        """Give the mean and the quantiles of numbers of plays."""
        n = sum(histogram.values())
        yield self._line(f"{name}, mean", mean(histogram), unit, n, of=name)
        for share in QUANTILES:
            yield self._line(f"{name}, {share:.0%}", quantile(histogram, share), unit, n, of=name)

    def _bars(self, *shown: tuple[str, str, str]) -> tuple[Bars, ...]:
        """Return histograms by their names, each with what it is called, and its unit."""
        return tuple(
            Bars.of(told, unit, {v: n for v, n in self._histogram(name).items() if v >= 0 or name != "behind"})
            for name, told, unit in shown
            if any(v >= 0 or name != "behind" for v in self._histogram(name))
        )

    def _histogram(self, name: str) -> Counter[int]:
        return self.counts.histograms.get(name, Counter())

    def _part(self, name: str) -> list[int]:
        return self.counts.totals[self.layout.parts[name]]

    def _moments(self, part: str, number: int) -> tuple[list[int], Ratio]:
        """Return the moments of a thing: in how many plays each seat had it, and the sums."""
        size = self.layout.moments
        found = self._part(part)[number * size : (number + 1) * size]
        seats = found[: self.players]
        x, xx, xn, nn = found[self.players :]
        return seats, Ratio(x, sum(seats), xx, xn, nn)

    # ---- the questions

    def seats(self) -> Section | None:
        """Does the seat matter?"""
        if self.game.cooperative:
            return None
        counts = self.counts
        lines = []
        neutral = 1 / self.players if self.players > 1 else None
        z = z_of(self.players)
        for seat in range(self.players):
            won = sum(shares[seat] * times for shares, times in counts.shares.items())
            lines.append(self._line(f"seat {seat + 1}", wilson(won / UNIT, self.plays, z), "share", neutral=neutral))
        if self.players > 1:
            chance = all_alike(counts.shares, UNIT)
            told = "the seats differ" if chance < ALARM else "no difference is shown"
            lines.append(
                Line("chance that alike seats differ so", chance, None, None, self.plays, "chance", None,
                     chance < ALARM, told)
            )  # fmt: skip
        for seat, (total, squares) in enumerate(counts.returns):
            paid = mean_of_sums(self.plays, total, squares)
            paid = Estimate(paid.value / UNIT, paid.low / UNIT, paid.high / UNIT)
            lines.append(self._line(f"seat {seat + 1} is paid", paid, "points"))
        return Section(
            "seat", "Does the seat matter?" if self.players > 1 else "How often is it won?",
            "Share of wins of each seat; who share a win have equal parts of it, as all of a play that nobody wins."
            " Intervals by Wilson, which hold together. One test (chi-squared) asks whether all seats are alike.",
            tuple(lines),
        )  # fmt: skip

    def length(self) -> Section:
        """How long is it?"""
        lines: list[Line] = []
        for name in ("decisions", "turns", "rounds"):
            lines += self._quantiles(name, self._histogram(name), name)
        cut = self.counts.ends["too long"]
        found = wilson(cut, self.plays)
        lines.append(self._line("cut off by the limit", found, "share", neutral=0.0, flagged=found.low > 0 and cut > 0))
        return Section(
            "length", "How long is it?",
            "Decisions are whole ones: a set of cards is one. A turn is all that a player decides before another does;"
            " a round is over when every player has had a turn since the last one was."
            f" The limit of this game is {self.game.max_decisions:,} small actions.",
            tuple(lines),
            histograms=self._bars(*((name, name, name) for name in ("decisions", "turns", "rounds"))),
        )  # fmt: skip

    def choices(self) -> Section:
        """Are there choices?"""
        lines = [
            self._line("legal actions at a decision", ratio(self.counts.legal), "actions", neutral=None),
            self._line("forced decisions", ratio(self.counts.forced), "share"),
        ]
        for seat in range(self.players):
            lines.append(
                self._line(f"decisions of seat {seat + 1}", mean(self._histogram(f"seat {seat + 1}")), "decisions")
            )
        gaps = self._histogram("gap")
        if gaps:
            found = mean(gaps)
            found = Estimate(found.value / GAP, found.low / GAP, found.high / GAP)
            lines.append(self._line("best choice above the next", found, "points", sum(gaps.values()), neutral=0.0))
        lines += self._quantiles("longest wait", self._histogram("wait"), "decisions of others")
        return Section(
            "choices", "Are there choices?",
            "Legal actions are counted at the beginning of a decision. A decision is forced where but one action is"
            " legal at each of its steps. The longest wait of a play is the most that others decide while a player"
            " does not. Where agents that think play, one decision of eight is weighed twice: one half of their budget"
            " says which choice is best and which next, the other how much more the game returns for it.",
            tuple(lines),
            histograms=self._bars(("wait", "longest wait", "decisions of others")),
        )  # fmt: skip

    def course(self) -> Section | None:
        """Is it decided early?"""
        if not self.competitive:
            return None
        changes, settled = self._histogram("changes"), self._histogram("settled")
        behind = Counter({value: times for value, times in self._histogram("behind").items() if value >= 0})
        lines = [*self._quantiles("lead changes", changes, "changes")]
        lines += self._quantiles("led for good from", settled, "percent of the turns")
        if behind:
            lines += self._quantiles("the winner was behind by", behind, "points")
        late = sum(times for value, times in settled.items() if value >= 95)
        silent = self.plays and not any(changes) and late > 0.9 * self.plays
        return Section(
            "course", "Is it decided early?",
            "Who leads is who would win if the play ended now, by its own rules, asked at each turn. From some turn on"
            " the later winners lead for good. How far behind is told in points of the score, at the worst turn.",
            tuple(lines),
            note="The score moves at the end alone: who leads before says nothing here." if silent else "",
            histograms=()
            if silent
            else self._bars(
                ("changes", "lead changes", "changes"),
                ("settled", "led for good from", "percent of the turns"),
                ("behind", "the winner was behind by", "points"),
            ),
        )  # fmt: skip

    def luck(self) -> Section | None:
        """Luck or skill?"""
        lines = []
        found = agreement(self.counts.deals)
        pairs = sum(self.counts.deals.values())
        if found is not None:
            lines.append(
                self._line("explained by the deal", found, "share", pairs, neutral=0.0, flagged=found.low >= 0.5)
            )
        neutral = None if self.game.cooperative else 1 / self.players
        for name, sums in self.counts.agents.items():
            won = ratio(sums)
            whole = 1 if self.game.cooperative else UNIT
            won = Estimate(won.value / whole, won.low / whole, won.high / whole)
            unit = "points" if self.game.cooperative else "share"
            lines.append(self._line(f"{name} wins", won, unit, neutral=neutral))
        return Section(
            "luck", "Luck or skill?",
            "Every second play is played twice with the same deal: all that chance draws before the first decision. The"
            " share of the result's variance that both plays of a deal have in common (the correlation within deals)"
            " is what the deal explains, with players of this strength. Where players of several strengths sit in turn"
            " on all seats, their shares of wins say how much strength is worth.",
            tuple(lines),
        )  # fmt: skip

    def ends(self) -> Section:
        """Does it end well?"""
        lines: list[Line] = []
        if self.competitive:
            for won, times in sorted(self._histogram("winners").items()):
                name = "nobody wins, or all do" if won == 0 else "one wins" if won == 1 else f"{won} share the win"
                lines.append(self._line(name, wilson(times, self.plays), "share"))
            if self._histogram("margin"):
                lines += self._quantiles("margin", self._histogram("margin"), "points")
        common = self.game.cooperative
        for seat in range(1 if common else self.players):
            scores = self._histogram(f"score {seat + 1}")
            if scores:
                lines += self._quantiles("score" if common else f"score of seat {seat + 1}", scores, "points")
        return Section(
            "ends", "Does it end well?",
            "How many win; the margin is the difference of score between the winner and the next.", tuple(lines),
            histograms=self._bars(
                ("margin", "margin", "points"),
                *((f"score {seat + 1}", "score" if common else f"score of seat {seat + 1}", "points")
                  for seat in range(1 if common else self.players)),
            ),
        )  # fmt: skip

    # ---- what is used

    def _used(self, name: str, plays: int, line: int, **more: Any) -> Line:
        found = wilson(plays, self.plays)
        return self._line(name, found, "share of plays", line=line, flagged=plays < RARE * self.plays, **more)

    def rules(self) -> Section:
        """Which rules are used least?"""
        coverage = Coverage.of(self.game)
        plays = dict(zip(self.layout.tags, self._part("by tag"), strict=True))
        lines = [self._used(tag.tag, plays[tag.tag], tag.spans[0].line) for tag in coverage.tags() if not tag.declared]
        out = coverage.ruled_out()
        return Section(
            "rules", "Which rules are used least?",
            "In how many plays a rule with this tag was carried out, or asked; rarest first. Tags of declarations hold"
            " in every play and are left out.", _rarest(lines), ranked=True,
            note=f"Ruled out by the options: {', '.join(out)}." if out else "",
        )  # fmt: skip

    def actions(self) -> Section:
        """Which actions are used least?"""
        lines = []
        offered, taken = self._part("offered"), self._part("taken")
        first = {
            stage.base: way.action.span.line
            for node in self.game.program.nodes
            if isinstance(node, Decision)
            for way in node.ways
            for stage in way.stages
        }
        for number, shape in enumerate(self.game.shapes):
            part = slice(shape.base, shape.base + shape.size)
            note = f"taken {sum(taken[part]):,} times of {sum(offered[part]):,} offers"
            kinds = " ".join("cards" if shape.is_set else f"{type_}" for type_ in shape.types)
            lines.append(
                self._used(f"{shape.verb} {kinds}".strip(), self._part("by block")[number], first.get(shape.base, 0),
                           note=note)
            )  # fmt: skip
        return Section(
            "actions", "Which actions are used least?",
            "In how many plays somebody took an action with this verb; rarest first.", _rarest(lines), ranked=True,
        )  # fmt: skip

    def decisions(self) -> Section:
        """Which decisions come up least?"""
        nodes, begun = self.game.program.nodes, self._part("by node")
        lines = []
        for node in nodes:
            if not isinstance(node, Decision) or node.only is not None:
                continue
            times, forced, legal, plays = begun[4 * node.number : 4 * node.number + 4]
            note = f"{times:,} times, {forced / times:.0%} forced, {legal / times:.1f} legal" if times else "never"
            lines.append(self._used(f"{node.phase or 'play'}", plays, node.span.line, note=note))
        return Section(
            "decisions", "Which decisions come up least?",
            "In how many plays somebody decided here, by the phase and the line of the spec; rarest first.",
            _rarest(lines), ranked=True,
        )  # fmt: skip

    def _had(self, part: str, number: int) -> tuple[Estimate, int]:
        """Return which share of all seats, over all plays, had a thing, and how many did."""
        _, sums = self._moments(part, number)
        if not sums.n:
            return Estimate(0.0, 0.0, wilson(0, self.plays).high), 0
        found = mean_of_sums(self.plays, sums.n, sums.nn)
        count = self.players
        return Estimate(found.value / count, max(0.0, found.low / count), min(1.0, found.high / count)), sums.n

    def cards(self) -> Section | None:
        """Which cards are used least?"""
        lines = []
        chosen = self._chosen_by_face()
        if not self.layout.hands and not any(chosen.values()):
            return None
        offered, taken = self._part("offered"), self._part("taken")
        for face in range(self.game.num_faces):
            found, seats = self._had("by face", face)
            times, offers = sum(taken[a] for a in chosen[face]), sum(offered[a] for a in chosen[face])
            note = f"chosen {times:,} times of {offers:,} offers" if chosen[face] else ""
            never = seats == 0 if self.layout.hands else True
            lines.append(
                self._line(self._face(face), found, "share of seats", note=note,
                           flagged=never and (times == 0 or not chosen[face]))
            )  # fmt: skip
        return Section(
            "cards", "Which cards are used least?",
            "The share of all seats, over all plays, that had the card in hand at some decision; how often an action"
            " chose it; rarest first.", _rarest(lines), ranked=True,
        )  # fmt: skip

    def _face(self, face: int) -> str:
        return self.game.texts.full_face(face)

    def _action(self, number: int) -> str:
        """Return a small action as text; a card that several decks have with its owner."""
        text = self.game.texts.action(number)
        for face in self._faces_of(number):
            short = self.game.texts.face(face)
            if text.endswith(short):
                text = text.removesuffix(short) + self._face(face)
        return text

    def _faces_of(self, number: int) -> list[int]:
        """Return the faces that a small action chooses."""
        action, shape = self.game.action(number), self.game.texts.shape_of(number)
        if action.pick is not None:
            return [action.pick]
        values = zip(shape.types, action.args, strict=False)
        return [value for type_, value in values if isinstance(base_of(type_), Card)]

    def _chosen_by_face(self) -> dict[int, list[int]]:
        """Return the small actions that choose each face."""
        found: dict[int, list[int]] = {face: [] for face in range(self.game.num_faces)}
        for number in range(self.game.num_distinct_actions):
            for face in self._faces_of(number):
                found[face].append(number)
        return found

    # ---- who wins with what

    def _base(self) -> list[float]:
        """Return what each seat wins on average, in parts of UNIT, or in points."""
        sums = [0] * self.players
        for shares, times in self.counts.shares.items():
            for seat, share in enumerate(shares):
                sums[seat] += share * times
        return [total / max(1, self.plays) for total in sums]

    def _winning(self, names: Iterable[tuple[str, str, int]]) -> tuple[Line, ...]:
        """Return what seats that had a thing won more than the same seats do on average, furthest from 0 first."""
        whole = 1 if self.game.cooperative else UNIT
        base = self._base()
        told = [(name, *self._moments(part, number)) for name, part, number in names]
        told = [(name, seats, sums) for name, seats, sums in told if sums.n >= LEAST]
        # Of what nearly all seats have it cannot be told what it is worth, and it is no look.
        told = [entry for entry in told if self.plays * self.players - entry[2].n >= LEAST]
        z = z_of(len(told))
        lines = []
        for name, seats, sums in told:
            found = ratio(sums, z)
            shift = sum(b * n for b, n in zip(base, seats, strict=True)) / sums.n
            value, low, high = ((x - shift) / whole for x in (found.value, found.low, found.high))
            estimate = Estimate(value, low, high)
            unit = "points" if self.game.cooperative else "share"
            lines.append(self._line(name, estimate, unit, sums.n, neutral=0.0, flagged=estimate.excludes(0.0)))
        return tuple(sorted(lines, key=lambda line: (-abs(line.value or 0), line.name)))

    def winning_cards(self) -> Section:
        """Which card wins?"""
        names = ((self._face(face), "by face", face) for face in range(self.game.num_faces))
        return Section(
            "winning cards", "Which card wins in hand?",
            "What the seats that had the card in hand at some decision won more than the same seats win on average;"
            " n is how many seats had it. Intervals hold for all lines together.", self._winning(names), ranked=True,
        )  # fmt: skip

    def winning_actions(self) -> Section:
        """Which action wins?"""
        names = (
            (self._action(number), "by action", number)
            for number in range(self.game.num_distinct_actions)
            if self._part("taken")[number]
        )
        return Section(
            "winning actions", "Which action wins?",
            "What the seats that took the action at least once won more than the same seats win on average; n is how"
            " many did. Who takes an action is who can, so this is no cause. Intervals hold for all lines together.",
            self._winning(names), ranked=True,
        )  # fmt: skip


def _rarest(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: (line.value or 0.0, line.line, line.name)))
