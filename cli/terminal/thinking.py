"""Searches while a player waits: a progress line, Ctrl-C to stop early, and advice in words.

The time of an agent could reveal what it holds, so one whose budget is a time always takes all of it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import isinf
from typing import TYPE_CHECKING

import attrs

from cli.terminal.ending import handling
from cli.terminal.screen import PROGRESS_LINE
from grammar.english import counted
from interpreter.engine.faults import NoWorldError

if TYPE_CHECKING:
    from types import FrameType

    from interpreter.agents import Advice, AgentView, Estimate, RandomAgent, Thinker
    from interpreter.engine.game import Game
    from interpreter.records.review import Reviewed

SOON = 0.3
"""Seconds after which there is such a line."""
NAP = 0.02
FEW = 20
"""Results that differ by more are reported with one digit less."""
MOST_ALTERNATIVES = 5
"""The most alternatives in a hint."""
WORST = 3
"""Decisions in an analysis."""


class Enough:
    """Whether Ctrl-C has ended the thinking with the best choice so far; a second one ends the command."""

    def __init__(self, called: str) -> None:
        self.stopped = False
        self._called = called
        self._begun = time.monotonic()

    def on_progress(self, share: float) -> bool:
        """Show how far the thinking is; False where it is to end."""
        if sys.stderr.isatty() and time.monotonic() - self._begun >= SOON:
            PROGRESS_LINE.end()
            PROGRESS_LINE.write(f"{self._called}: {100 * share:.0f} %, Ctrl-C stops")
        return not self.stopped

    def wait(self, seconds: float) -> None:
        """Wait until so many seconds have passed since the beginning, or a player has had enough."""
        while not self.stopped and (left := seconds - (time.monotonic() - self._begun)) > 0:
            self.on_progress(min(1.0, 1 - left / seconds))
            time.sleep(min(left, NAP))

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Hear of Ctrl-C."""
        del number, frame
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True


@contextmanager
def patience(called: str) -> Iterator[Enough]:
    """Let Ctrl-C end the thinking, and not the program, for a while; where a terminal reads, the line is shown."""
    enough = Enough(called)
    with handling(enough.stop, *(("SIGINT",) if sys.stdin.isatty() else ())):
        try:
            yield enough
        finally:
            PROGRESS_LINE.end()


@attrs.define(eq=False, slots=False)
class ThinkingSeat:
    """A thinker at the table, called something; `paces` where its time must not reveal what it holds.

    `make` prepares the thinker for its first decision, so that the first prompt of a person does not wait for it.
    Where its belief cannot be sampled, `fallback` decides; before the first time `on_fallback` is called.
    """

    _make: Callable[[], Thinker]
    called: str
    _fallback: RandomAgent
    _on_fallback: Callable[[], None] | None
    paces: bool = attrs.field(kw_only=True)

    @cached_property
    def thinker(self) -> Thinker:
        """The thinker, prepared.  Raises AgentError where it cannot play this game."""
        return self._make()

    def act(self, view: AgentView) -> tuple[int, ...]:
        """Return what the thinker does."""
        seconds = self.thinker.budget.seconds
        with patience(f"{self.called} thinks") as enough:
            try:
                chosen = thought(self.thinker, view, enough.on_progress).chosen
            except NoWorldError:
                chosen = self._fallback.act(view)
                if self._on_fallback is not None:
                    self._on_fallback()
                    self._on_fallback = None
            if self.paces and seconds is not None:
                enough.wait(seconds)
        return chosen


def thought(thinker: Thinker, view: AgentView, on_progress: Callable[[float], bool]) -> Advice:
    """Return what a thinker makes of a decision, while a player watches."""
    thinker.on_progress = on_progress
    try:
        return thinker.think(view)
    finally:
        thinker.on_progress = None


# ---- in words


@attrs.frozen
class Hint:
    """A hint in words: what an agent would do, the alternatives, and how it was found.

    Each of the `others` has its sentence, its expected result, and how that compares.  `agent` is the word of the agent
    that is the subject of `lead`, or empty.
    """

    lead: str
    others: tuple[tuple[str, str, str], ...] = ()
    rest: tuple[str, ...] = ()
    agent: str = ""


def hint_of(game: Game, advice: Advice, name: str) -> Hint:
    """Return what an agent would do, what it expects of that, and the alternatives."""
    best = advice.estimate_of(advice.chosen)
    assert best is not None
    if len(advice.estimates) == 1 and not advice.iterations:
        return Hint(f"Only one action is possible: {best.text}.")
    if not advice.iterations:
        return Hint("There is no hint: time ran out before a deal consistent with what you have seen was found.")
    if not advice.has_values:
        rows = tuple((e.text, _share(e), "") for e in advice.estimates if e is not best)[:MOST_ALTERNATIVES]
        return Hint(f"suggests: {best.text}, with {_share(best)}.", rows, agent=name)
    alternatives = [e for e in advice.estimates if e is not best]
    others, rest = alternatives[:MOST_ALTERNATIVES], alternatives[MOST_ALTERNATIVES:]
    rows = tuple((e.text, _number(game, e), _beside(game, advice, best, e)) for e in others)
    blind = (
        ["All iterations ended with the same result: the search cannot rank the actions."] if advice.is_blind else []
    )
    more = []
    if rest:
        is_lower = max(e.value for e in rest) < min(e.value for e in others)
        more = [f"  and {len(rest)} more{' with a lower expected result' * is_lower}"]
    early = "Stopped early: " if advice.stopped else ""
    tried = counted(advice.iterations, "iteration")
    deals = f" in {counted(advice.worlds, 'deal')} consistent with what you have seen" if advice.worlds else ""
    return Hint(
        f"suggests: {best.text}.  Expected result: {_number(game, best)}{_scale(game)}.", rows,
        (*more, *blind, f"{early}{tried}{deals}."), name,
    )  # fmt: skip


def _share(estimate: Estimate) -> str:
    return f"{100 * estimate.weight:.0f} %"


def hint_lines(game: Game, advice: Advice, name: str) -> list[str]:
    """Return a hint as lines of a terminal."""
    hint = hint_of(game, advice, name)
    width = max((len(text) for text, _, _ in hint.others), default=0)
    rows = (f"  {text:<{width}}  {number}  {compared}".rstrip() for text, number, compared in hint.others)
    lead = f"`{hint.agent}` {hint.lead}" if hint.agent else hint.lead
    return [lead, *rows, *hint.rest]


def _scale(game: Game) -> str:
    """Return what the numbers mean: what a play is worth at most and at least."""
    low, high = game.utility_range
    if (low, high) == (-1, 1):
        return " (win = 1, loss = -1)"
    if isinf(low) or isinf(high):
        return ""
    return f" (results are between {low:g} and {high:g})"


def _number(game: Game, estimate: Estimate) -> str:
    """Return an estimate, in as many digits as distinguish the results of a game."""
    low, high = game.utility_range
    digits = 1 if FEW < high - low < float("inf") else 2
    error = "" if estimate.error is None else f" ± {2 * estimate.error:.{digits}f}"
    return f"{round(estimate.value, digits) + 0.0:.{digits}f}{error}"  # Never a negative zero.


def _beside(game: Game, advice: Advice, best: Estimate, other: Estimate) -> str:
    error = (advice.doubt(game, best) ** 2 + advice.doubt(game, other) ** 2) ** 0.5
    difference = best.value - other.value
    if abs(difference) <= 2 * error:
        return "not clearly worse" if difference >= 0 else "not clearly better"
    return "worse" if difference > 0 else "better, but tried rarely"


def review_lines(game: Game, reviewed: Sequence[Reviewed], name: str, called: str) -> list[str]:
    """Return the analysis of a player's decisions as lines: those of which the least was expected beside the best."""
    if not reviewed:
        return [f"{called} had no choice to make."]
    agreed = sum(one.text == one.best.text for one in reviewed)
    weighed = [one for one in reviewed if one.played is not None]
    same = f"`{name}` agrees with {agreed or 'none'} of them"
    lines = [f"{called} had {counted(len(reviewed), 'choice')}; {same}."]
    worst = sorted((one for one in weighed if one.is_sure), key=lambda one: -one.loss)[:WORST]
    if worst:
        lines.append("The most costly choices, judged by what was known at the time:")
    else:
        lines.append("No choice was clearly costly, judged by what was known at the time.")
    for one in worst:
        assert one.played is not None
        lines.append(
            f"  choice {one.number}: {one.text} ({_number(game, one.played)}); "
            f"{one.best.text} ({_number(game, one.best)}) was better"
        )
    if len(weighed) < len(reviewed):
        lines.append(f"  ({counted(len(reviewed) - len(weighed), 'choice')} had too many alternatives to evaluate)")
    return lines
