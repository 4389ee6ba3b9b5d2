"""A report as one HTML page without scripts: SVG charts, each with its table and its command.

This module computes the geometry of the charts; the template `page.html` writes it.  Charts are black on white, and
every mark is repeated in words, so the page can be printed and read by a screen reader.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.resources import files

import attrs
from jinja2 import Environment, StrictUndefined

from interpreter.simulate.report import P_VALUE, Bars, Line, Report, Section, interval, number, scale

WIDTH, LABELS, RIGHT = 720, 230, 24
"""Width of a chart, of its labels, and of its right margin."""

ROW = 20
"""The height of a row of intervals."""

BAR_HEIGHT = 120
"""The height of the bars of a histogram."""

MOST_ROWS = 24
"""Rows of one chart of intervals."""

OPEN_ROWS = 12
"""Rows of a long table that are visible before it is expanded."""


@attrs.frozen
class Tick:
    """A number at an axis."""

    x: float
    text: str


@attrs.frozen
class Interval:
    """A row of a chart of intervals: the positions of the value and of both ends."""

    y: float
    name: str
    x: float
    low: float
    high: float
    flagged: bool


@attrs.frozen
class Chart:
    """A chart of intervals, or of bars (x, y, width, height), with an axis below."""

    text: str
    height: float
    base: float
    ticks: tuple[Tick, ...]
    unit: str
    rows: tuple[Interval, ...] = ()
    reference: float | None = None
    bars: tuple[tuple[float, float, float, float], ...] = ()
    most: str = ""


def page(report: Report, command: str) -> str:
    """Return the page of a report; `command` is the command that creates it."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(number=number, interval=interval, p_value=P_VALUE)
    text = (files("interpreter.simulate") / "page.html").read_text("utf-8")
    sections = [(section, charts(section)) for section in report.sections]
    return environment.from_string(text).render(
        report=report, command=command, sections=sections, width=WIDTH, labels=LABELS,
        right=WIDTH - RIGHT, bar_height=BAR_HEIGHT, open_rows=OPEN_ROWS,
    )  # fmt: skip


def charts(section: Section) -> list[Chart]:
    """Return the charts of a section: shares and differences with their intervals, and histograms of what varies."""
    found = []
    plain = [line for line in section.lines if not line.of and line.low is not None and line.unit != P_VALUE]
    for unit in dict.fromkeys(line.unit for line in plain):
        lines = [line for line in plain if line.unit == unit and _is_finite(line)]
        if len(lines) > 1 or (lines and unit.startswith("share")):
            found.append(_intervals(section, unit, lines[:MOST_ROWS]))
    return found + [_histogram(bars) for bars in section.histograms if len(bars.bars) > 1]


def _is_finite(line: Line) -> bool:
    return all(number is not None and math.isfinite(number) for number in (line.value, line.low, line.high))


def _intervals(section: Section, unit: str, lines: Sequence[Line]) -> Chart:
    ends = [end for line in lines for end in (line.low, line.high, line.reference) if end is not None]
    low, high = min(ends), max(ends)
    if unit == "share of plays":
        low, high = 0.0, 1.0
    axis = _Axis(low, high)
    rows = tuple(
        Interval(
            ROW * (place + 0.5), line.name, axis.at(line.value), axis.at(line.low), axis.at(line.high), line.flagged
        )
        for place, line in enumerate(lines)
    )
    references = {line.reference for line in lines}
    base = ROW * len(lines) + 4
    text = f"{section.title}: {'; '.join(f'{line.name}: {number(line.value, unit)}' for line in lines[:6])}"
    if len(lines) > 6:
        text += "; and more, as in the table"
    return Chart(
        text, base + 34, base, axis.ticks(unit), unit, rows,
        axis.at(references.pop()) if len(references) == 1 and None not in references else None,
    )  # fmt: skip


def _histogram(bars: Bars) -> Chart:
    low, high = bars.bars[0][0], bars.bars[-1][1] + 1
    axis, most = _Axis(low, high), max(count for *_, count in bars.bars)
    drawn = []
    for begin, end, count in bars.bars:
        left, right = axis.at(begin), axis.at(end + 1)
        height = BAR_HEIGHT * count / most
        drawn.append((left, 18 + BAR_HEIGHT - height, max(1.0, round(right - left - 1, 2)), round(height, 2)))
    base = 18 + BAR_HEIGHT
    common = max(bars.bars, key=lambda bar: bar[2])
    between = f"{common[0]}" if common[0] == common[1] else f"{common[0]} to {common[1]}"
    text = f"Histogram of {bars.name}, from {low} to {high - 1} {bars.unit}; most frequent: {between}"
    return Chart(text, base + 34, base, axis.ticks(bars.unit), bars.unit, bars=tuple(drawn), most=f"{most:,} plays")


class _Axis:
    """Numbers along the width of a chart."""

    def __init__(self, low: float, high: float) -> None:
        if high <= low:
            low, high = low - 0.5, low + 0.5
        self.low, self.high = low, high

    def at(self, value: float | None) -> float:
        """Return where a number lies."""
        assert value is not None
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(LABELS + share * (WIDTH - RIGHT - LABELS), 2)

    def ticks(self, unit: str) -> tuple[Tick, ...]:
        """Return round numbers along the axis: 1, 2 or 5 of a power of ten."""
        rough = (self.high - self.low) / 6
        power = 10 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
        if scale(unit) == 1 and self.high - self.low >= 2:
            step = max(1.0, step)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        factor = scale(unit)
        digits = max(0, -math.floor(math.log10(step * factor)))
        percent = " %" if unit.startswith("share") else ""
        values = [place * step for place in range(first, last + 1)]
        return tuple(Tick(self.at(value), f"{factor * value:,.{digits}f}{percent}") for value in values)
