"""Answer three questions about a game: is it fair, is it deep, what wins.

Random players often point the wrong way: they do not use what a seat or a card is good for.  So players who think play
too, as many plays as fit in a time, and the answers come from the stronger players, or from the exact solution of a
small game.  A ladder of agents, each against the next on the same deals, says what thinking is worth.

Numbers of plays instead of the time give the same answers on every machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

import attrs

from grammar.english import counted
from interpreter.agents import AgentError, RandomAgent, read_name
from interpreter.engine.interruption import Interrupted, until
from interpreter.english.words import listing
from interpreter.inference import Estimate, wilson, z_of
from interpreter.kept import Kept
from interpreter.match import Comparison, Match, is_played_together, match
from interpreter.sharing import Executors
from interpreter.simulate.recording import Layout
from interpreter.simulate.report import (
    ALARM,
    P_VALUE,
    PAYMENT,
    POINTS,
    RARE,
    SHARE,
    Answered,
    Curve,
    Line,
    Report,
    Section,
    exact_answer,
    interval,
    named,
    number,
    report_of,
)
from interpreter.simulate.running import Run, Work

if TYPE_CHECKING:
    from interpreter.agents import Agent, AgentName
    from interpreter.engine.game import Game
    from interpreter.solve.answer import Answer

LADDER = ("random", "search:100", "search:400", "search:1600")
"""Agents from the weakest to the strongest: players at random, and a search with 1, 4 and 16 times the iterations."""

SECONDS = 20.0
"""The time for players who think."""
CLIMBING = 0.5
"""The share of it for the ladder."""
MOST_DEALS, MOST_PLAYS = 300, 1000
"""Deals of a step of the ladder and plays of those who think, of which no more are played."""
WAITING = 2.5
"""How much longer than the time others may keep the processor busy, where it is one process that plays."""
FEWEST_DEALS = 5
"""Deals below which a step of the ladder is left out."""
ENOUGH = 30
"""Plays below which those who think decide nothing."""
OFFERED = 100
"""How often an action must have been offered to be called never or hardly ever chosen."""
SELDOM = 0.05
"""The share of its offers below which an action is hardly ever chosen, with the interval too."""
ELO = 400 / math.log(10)
"""Points of a unit of log-odds (Elo, 1978): 400 points are odds of 10 to 1."""
ELO_UNIT = "Elo"


@attrs.frozen
class Effort:
    """How much players who think may play: a time, or a number of deals for each step and of plays.

    The time is that of the processor where one process plays, so it does not depend on what else the machine does.
    """

    seconds: float | None = SECONDS
    deals: int | None = None

    @property
    def most_deals(self) -> int:
        """The most deals of a step."""
        return MOST_DEALS if self.deals is None else self.deals

    @property
    def most_plays(self) -> int:
        """The most plays of those who think."""
        return MOST_PLAYS if self.deals is None else self.deals


@attrs.frozen
class Ladder:
    """Matches of each agent with the next weaker one, and how policies learned; `missing` says why there is none."""

    matches: tuple[Match, ...]
    missing: str = ""
    curves: tuple[Curve, ...] = ()


@attrs.frozen
class Judgement:
    """Plays of random players, of those who think, and a ladder."""

    game: Game
    random: Run
    thinking: Run | None
    ladder: Ladder
    effort: Effort


OnProgress = Callable[[str], bool]
"""Hears what is done, and says whether it has to end."""


def judge(
    game: Game,
    random: Run,
    names: Sequence[str],
    effort: Effort,
    executor: Executors | None = None,
    on_progress: OnProgress = lambda _doing: False,
    kept: Kept | None = None,
) -> Judgement:
    """Let a ladder of agents play, and the strongest of it for which there is time; go on with what a file keeps.

    Ctrl-C, and a true result of `on_progress`, end it with what is done.  Raises RuleError, AgentError for a file that
    cannot be read.
    """
    try:
        agents = [read_name(name) for name in names]
        made = [agent.make(game) for agent in agents]  # No time is spent on what is made once.
    except AgentError as error:
        return Judgement(game, random, None, Ladder((), str(error)), effort)
    spent = _clock(alone=executor is None)

    def is_over(share: float, doing: str) -> bool:
        return on_progress(doing) or (effort.seconds is not None and spent() > share * effort.seconds)

    matches, costs = [], {}
    for place, (lower, upper) in enumerate(pairwise(agents), 1):
        if random.stopped:
            break
        begun = spent()
        share = CLIMBING * place / (len(agents) - 1)
        step = match(game, [upper, lower], effort.most_deals, random.work.seed)
        if kept is not None:
            step.resume(kept)
        with _limited(lambda share=share, upper=upper: is_over(share, f"{upper} plays")):  # type: ignore[misc]
            step.run(None, lambda _done, share=share, upper=upper: is_over(share, f"{upper} plays"))  # type: ignore[misc]
        matches.append(step)
        if kept is not None:
            step.save(kept)
        plays = max(1, sum(len(block.plays) for block in step.done))
        costs[str(upper)] = (spent() - begun) / plays
    chosen = agents[-1] if effort.seconds is None else _affordable(agents[1:], costs, effort.seconds - spent())
    work = Work.of(game, [str(chosen)] * game.num_players, random.work.seed)
    thinking = Run.of(game, work, effort.most_plays)
    if kept is not None:
        thinking.resume(kept)
    if not random.stopped:
        with _limited(lambda: is_over(1.0, f"{chosen} plays")):
            thinking.carry_out(executor, lambda run: is_over(1.0, f"{chosen}: {counted(run.played, 'play')}"))
    if kept is not None:
        thinking.save(kept)
    curves = [_curve_of(str(name), agent) for name, agent in zip(agents, made, strict=True) if name.file is not None]
    return Judgement(game, random, thinking, Ladder(tuple(matches), curves=tuple(filter(None, curves))), effort)


def _curve_of(name: str, agent: Agent) -> Curve | None:
    """Return the learning curve of an agent that has one."""
    from interpreter.agents.policy import NetworkAgent  # late: help

    points = agent.network.curve if isinstance(agent, NetworkAgent) else ()
    return Curve(name, tuple((p.decisions, p.strength, p.error) for p in points)) if len(points) > 1 else None


@contextmanager
def _limited(is_over: Callable[[], bool]) -> Iterator[None]:
    """Leave a play that is too long between two decisions."""
    with until(lambda _share: is_over()), suppress(Interrupted):
        yield


def _clock(*, alone: bool) -> Callable[[], float]:
    """Return what reads the seconds since now: of this process, if it plays `alone`, up to WAITING times as long."""
    begun, used = time.monotonic(), time.process_time()

    def spent() -> float:
        passed = time.monotonic() - begun
        return max(time.process_time() - used, passed / WAITING) if alone else passed

    return spent


def _affordable(agents: Sequence[AgentName], costs: dict[str, float], left: float) -> AgentName:
    """Return the strongest agent of which enough plays fit in what is left of the time; else the cheapest."""
    for agent in reversed(agents):
        # In a match the others think less, and in a run every second play is played twice.
        if 2 * ENOUGH * costs.get(str(agent), math.inf) <= left:
            return agent
    return min(agents, key=lambda agent: costs.get(str(agent), math.inf))


def ladder_of(game: Game) -> tuple[str, ...]:
    """Return the agents of the ladder of a game: with the solution of a small one as the last step."""
    exact = None if is_played_together(game) else exact_answer(game)
    return (*LADDER, "solve") if exact is not None and game.num_players == 2 else LADDER


# ---- the ladder as lines


@attrs.frozen
class Step:
    """How far an agent is above the next weaker one."""

    upper: str
    lower: str
    comparison: Comparison
    gain: Estimate
    """In Elo; in a cooperative game in points."""

    @property
    def is_shown(self) -> bool:
        """Whether the interval is above 0."""
        return self.gain.low > 0


def steps_of(ladder: Ladder) -> list[Step]:
    """Return the steps from the lowest up to the first that had no time."""
    found = []
    for one in takewhile(lambda step: len(step.done) >= FEWEST_DEALS, ladder.matches):
        for comparison in one.comparisons():
            gain = Estimate(comparison.difference, comparison.low, comparison.high)
            if not is_played_together(one.game):
                gain = elo(
                    comparison.better, comparison.blocks - comparison.better - comparison.worse, comparison.worse
                )
            found.append(Step(comparison.one, comparison.other, comparison, gain))
    return found


def elo(won: int, drawn: int, lost: int) -> Estimate:
    """Return a difference in Elo with its interval, from deals; Wilson's interval for the share of wins.

    The value is the middle of that interval (Agresti and Coull, 1998), which is finite where all deals were won.
    """
    n, z = won + drawn + lost, z_of(1)
    share = wilson(won + drawn / 2, n)
    middle = (won + drawn / 2 + z * z / 2) / (n + z * z)
    value, low, high = (
        ELO * math.log(p / (1 - p)) if 0 < p < 1 else math.copysign(math.inf, p - 0.5)
        for p in (middle, share.low, share.high)
    )
    return Estimate(value, low, high)


def total(gains: Sequence[Estimate]) -> Estimate:
    """Return a sum of independent estimates with its interval (MOVER; Zou and Donner, 2008)."""
    value = sum(gain.value for gain in gains)
    low = math.sqrt(sum((gain.value - gain.low) ** 2 for gain in gains))
    high = math.sqrt(sum((gain.high - gain.value) ** 2 for gain in gains))
    return Estimate(value, value - low, value + high)


def ladder_section(judgement: Judgement) -> Section:
    """Return the ladder as a section: each agent above the weakest, and what its step is worth."""
    together = is_played_together(judgement.game)
    unit = POINTS if together else ELO_UNIT
    lines = []
    steps = steps_of(judgement.ladder)
    for place, step in enumerate(steps):
        height = total([s.gain for s in steps[: place + 1]])
        c = step.comparison
        note = f"{counted(c.blocks, 'deal')} against {step.lower}: {c.better} better, {c.worse} worse"
        if not together:
            note += f"; {number(c.difference, 'points more')} points a play"
        lines.append(Line(step.upper, height.value, height.low, height.high, c.blocks, unit, 0.0, note=note))
    what = "Score above random players" if together else "Elo above random players"
    return Section(
        "ladder", "Skill", what,
        "Each agent plays against the next weaker one on the same deals, in all rotations of the seats. The agent with"
        " the higher mean return wins the deal. 400 Elo are odds of 10 to 1 to win a deal. Intervals are those of"
        " Wilson; those of a sum are combined by MOVER.",
        tuple(lines), note=judgement.ladder.missing,
    )  # fmt: skip


# ---- the answers


def judged(judgement: Judgement) -> Report:
    """Return the report of random players with that of the players who think beside it, and the three answers."""
    random = report_of(judgement.game, judgement.random)
    run = judgement.thinking
    beside = report_of(judgement.game, run) if run is not None and run.counts.plays else None
    section = ladder_section(judgement)
    if section.lines or section.note:
        random = attrs.evolve(random, sections=(*random.sections, section))
    found = _Judge(judgement, random, beside)
    return attrs.evolve(
        random, beside=beside, is_weaker=found.is_weaker, curves=judgement.ladder.curves,
        answers=(found.fair(), found.deep(), found.wins()),
    )  # fmt: skip


class _Judge:
    """Answers from the stronger players, or from the solution."""

    def __init__(self, judgement: Judgement, random: Report, beside: Report | None) -> None:
        self.game = judgement.game
        self.judgement = judgement
        self.random = random
        self.beside = beside
        self.exact: Answer | None = exact_answer(judgement.game) if self.game.num_players > 1 else None
        self.steps = steps_of(judgement.ladder)
        self.shown = max((place for place, step in enumerate(self.steps, 1) if step.is_shown), default=0)
        """The number of steps up to the last that is shown to be one."""
        self.gain = total([step.gain for step in self.steps[: self.shown or None]]) if self.steps else None
        """Of the last step that is shown, or else of the whole ladder, above random players."""

    @property
    def is_weaker(self) -> bool:
        """Whether those who think are there in number, and not weaker than random players, or play the solution."""
        if self.beside is None or self.beside.plays < min(ENOUGH, self.judgement.effort.most_plays):
            return False
        return set(self.beside.seats) == {"solve"} or self.gain is None or self.gain.value >= 0

    @property
    def stronger(self) -> Report:
        """The report from which the answers come."""
        return self.beside if self.is_weaker and self.beside is not None else self.random

    def _basis(self) -> str:
        """Say whose plays the answer comes from."""
        return f"{counted(self.stronger.plays, 'play')} by {self.stronger.agents}"

    def _warning(self) -> str:
        """Say why the answer comes from random players; empty where it does not."""
        if self.is_weaker:
            return ""
        if self.beside is None or self.beside.plays < ENOUGH:
            plays = 0 if self.beside is None else self.beside.plays
            fit = (
                f"only {counted(plays, 'play')} by players who think fit"
                if plays
                else "no play by players who think fits"
            )
            return f" Good players may differ: {fit} in the time; more --seconds allow more."
        return " Good players may differ: the search is not stronger than random players here."

    def fair(self) -> Answered:
        """Answer whether the seats are equal."""
        question = "Is it fair?"
        if is_played_together(self.game):
            return Answered(question, "All players win or lose together, so no seat has an advantage.")
        if self.exact is not None:
            values, error = self.exact.values, max(self.exact.errors)
            by = f"({self.exact.concept}, solved)"
            if max(values) - min(values) <= 2 * error + 1e-9:
                return Answered(question, f"Yes: with best play all seats are paid the same {by}.")
            best = max(range(len(values)), key=values.__getitem__)
            return Answered(
                question,
                f"No: with best play seat {best + 1} is paid {number(values[best], PAYMENT)} a play {by}; 1 is a win."
                if not self.stronger_is_paid
                else f"No: with best play seat {best + 1} is paid {number(values[best], PAYMENT)} points a play {by}.",
            )
        lines = self.stronger.section("seat").lines
        p = next(line.value for line in lines if line.unit == P_VALUE)
        seats = [line for line in lines if line.unit == SHARE]
        best_line = max(seats, key=lambda line: line.value or 0.0)
        shown = f"{number(best_line.value, SHARE)} {interval(best_line.low, best_line.high, SHARE)}"
        if not self.is_weaker:
            text = f"Not known for good players. Of random players {best_line.name} wins most, {shown}."
        elif p is not None and p < ALARM:
            text = f"No: {best_line.name} wins {shown}, where {number(1 / len(seats), SHARE)} is fair"
            text += f" (p {number(p, P_VALUE) if p < 0.001 else '= ' + number(p, P_VALUE)}; {self._basis()})."
        else:
            most = max((line.high or 1.0) - 1 / len(seats) for line in seats)
            text = f"No advantage is shown: {best_line.name} wins most, {shown} ({self._basis()})."
            text += f" An advantage of up to {number(most, SHARE)} is possible."
        return Answered(question, text + self._warning())

    @property
    def stronger_is_paid(self) -> bool:
        """Whether returns are more than wins and losses."""
        return any(line.name.startswith("mean payment") for line in self.random.section("seat").lines)

    def deep(self) -> Answered:
        """Answer how much thinking is worth."""
        question = "Is it deep?"
        parts = []
        matters = False
        if self.exact is not None:
            from interpreter.solve.answer import distance  # late: help

            lost = distance(self.exact, "random", RandomAgent(0), lambda: True).loss or 0.0
            if lost <= 2 * max(self.exact.errors) + 1e-9:
                return Answered(question, "No: no decision matters; random players lose nothing against best play.")
            matters = True
            parts.append(f"Random players lose {number(lost, PAYMENT)} a play against best play (solved).")
        if not self.steps or self.gain is None:
            return Answered(
                question, " ".join([*parts, self.judgement.ladder.missing or "No deal was played in time."])
            )
        unit = "points" if is_played_together(self.game) else ELO_UNIT
        by = f"{number(self.gain.value, unit)} {unit} {interval(self.gain.low, self.gain.high, unit)}"
        top = self.steps[(self.shown or len(self.steps)) - 1].upper
        if not self.shown and matters:
            parts.insert(0, "Decisions matter.")
            parts.append(f"On the ladder {top} is {by} above random players.")
        elif not self.shown:
            least = min(step.comparison.blocks for step in self.steps)
            parts.insert(
                0,
                f"No skill is shown: {top} is {by} above random players, with {counted(least, 'deal')} a step or more.",
            )
        else:
            parts.insert(0, f"Yes: {top} is {by} above random players.")
            above = [f"{s.upper} in {counted(s.comparison.blocks, 'deal')}" for s in self.steps[self.shown :]]
            if above:
                parts.append(f"More thinking than that of {top} shows no further gain ({listing(above)}).")
            elif top != "solve":
                parts.append(f"More thinking still helps at {top}.")
        blind = self._blind()
        return Answered(question, " ".join([*parts, *blind]))

    def _blind(self) -> list[str]:
        """Say where the search has no signal."""
        line = next((x for x in self._lines("choices") if x.name == "decisions without a signal"), None)
        if line is None or (line.value or 0) < RARE:
            return []
        share = number(line.value, SHARE)
        return [f"The search has no signal in {share} of its decisions: try a policy of `cardgame train` in --ladder."]

    def _lines(self, name: str) -> Sequence[Line]:
        return () if self.beside is None else next((s.lines for s in self.beside.sections if s.name == name), ())

    def wins(self) -> Answered:
        """Answer which cards and actions win, and which are never worth it."""
        question = "What wins?"
        said = []
        players = f"Players with {self.stronger.who}" if self.is_weaker else "Random players"
        if self.exact is not None:
            never = list(dict.fromkeys(text for _, text, _ in self.exact.never))
            if never:
                said.append(f"Never worth doing in some seat, with best play: {named(never)}.")
        said += [
            players + section.finding.partition(": players")[2]
            for section in self.stronger.sections
            if section.name.startswith("winning") and section.finding
        ]
        never, seldom = self._avoided()
        if never:
            said.append(f"{players} never choose {named(never)}.")
        if seldom:
            said.append(f"{players} hardly ever choose {named(seldom)}.")
        return Answered(question, " ".join(said) or f"No card and no action is shown to matter ({self._basis()}).")

    def _avoided(self) -> tuple[list[str], list[str]]:
        """Return the kinds of action that players who think never or hardly ever chose though they often could."""
        run = self.judgement.thinking
        never, seldom = list[str](), list[str]()
        if not self.is_weaker or run is None:
            return never, seldom
        parts = Layout(self.game).parts
        offered, taken = (run.counts.totals[parts[name]] for name in ("offered", "taken"))
        for shape in self.game.shapes:
            of = slice(shape.base, shape.base + shape.size)
            times, chances = sum(taken[of]), sum(offered[of])
            if chances >= OFFERED and wilson(times, chances).high < SELDOM:
                (seldom if times else never).append(shape.verb)
        return never, seldom
