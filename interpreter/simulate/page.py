"""A report as one HTML page that needs nothing else: Vega-Lite charts, each with its table and its command.

This module writes the specs of the charts; the template `page.html` has them as data, with the released bundles of
`vendor` inline.  The page's policy allows these scripts alone, by their hashes, and no connection.  Charts are black on
white, and every mark is repeated in words and in a table, so the page can be printed and read by a screen reader.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import attrs
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from interpreter.simulate.report import P_VALUE, PAYMENT, Bars, Line, Report, Section, interval, number, scale

BUNDLES = ("vega.min.js", "vega-lite.min.js", "vega-interpreter.min.js")
"""Released files, in the order in which they need each other."""

MOST_ROWS = 24
"""Rows of one chart of intervals."""

OPEN_ROWS = 12
"""Rows of a long table that are visible before it is expanded."""

ROW, HEIGHT = 22, 140
"""The height of a row of intervals, and of a histogram."""

FILLS = ("white", "black", "#999")
"""The dots of the first players, of the second, and of others."""

Json = dict[str, Any]


@attrs.frozen
class Chart:
    """A chart of one variant: its spec, and what it shows in words."""

    spec: Json
    text: str
    variant: str = ""


@attrs.frozen
class Part:
    """A section of the page: its charts, one for each variant, and its tables."""

    section: Section
    charts: tuple[Chart, ...]
    tables: tuple[tuple[str, Section], ...]


def page(reports: Sequence[Report], command: str) -> str:
    """Return the page of the reports of up to six variants; `command` is the command that creates it."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(number=number, interval=interval, p_value=P_VALUE)
    parts = [_part(reports, name) for name in _names(reports)]
    drawn = [chart.spec for part in parts for chart in part.charts]
    own = _text("page.js")
    scripts = [*map(_bundle, BUNDLES), own]
    return environment.from_string(_text("page.html")).render(
        reports=reports, command=command, parts=parts, open_rows=OPEN_ROWS, several=len(reports) > 1,
        scripts=[Markup(script) for script in scripts],
        data=Markup(json.dumps(drawn, separators=(",", ":")).replace("<", "\\u003c")),
        policy=" ".join(["script-src", *(f"'{_digest(script)}'" for script in scripts)]),
    )  # fmt: skip


def _text(name: str) -> str:
    return (files("interpreter.simulate") / name).read_text("utf-8")


@cache
def _bundle(name: str) -> str:
    return (files("interpreter.simulate") / "vendor" / name).read_text("utf-8")


@cache
def _digest(script: str) -> str:
    """Return the hash of a script as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _names(reports: Sequence[Report]) -> list[str]:
    every = (each for report in reports for each in report.both)
    return list(dict.fromkeys(section.name for each in every for section in each.sections))


def _part(reports: Sequence[Report], name: str) -> Part:
    """Return a section of all variants and all players."""
    tables, charts = [], []
    for report in reports:
        found = [(each.who, section) for each in report.both if (section := each.find(name)) is not None]
        variant = report.variant if len(reports) > 1 else ""
        tables += [(", ".join(filter(None, (variant, who))), section) for who, section in found]
        charts += [attrs.evolve(chart, variant=variant) for chart in charts_of(found)]
        if name == "ladder":
            charts += [_curve(curve.agent, curve.points, variant) for curve in report.curves]
    leading = next(section for report in reports if (section := report.stronger.find(name) or report.find(name)))
    return Part(leading, tuple(charts), tuple(tables))


def charts_of(found: Sequence[tuple[str, Section]]) -> list[Chart]:
    """Return the charts of a section, given for each kind of player: intervals of each unit, and histograms."""
    made = []
    plain = [(who, line) for who, section in found for line in section.lines if _is_drawn(line)]
    title = found[0][1].title
    for unit in dict.fromkeys(line.unit for _, line in plain):
        names = list(dict.fromkeys(line.name for _, line in plain if line.unit == unit))[:MOST_ROWS]
        shown = [(who, line) for who, line in plain if line.unit == unit and line.name in names]
        if len(names) > 1 or unit.startswith("share"):
            made.append(_intervals(title, unit, names, shown))
    for name in dict.fromkeys(bars.name for _, section in found for bars in section.histograms):
        histograms = [(who, bars) for who, section in found for bars in section.histograms if bars.name == name]
        if any(len(bars.bars) > 1 for _, bars in histograms):
            made.append(_histogram(histograms))
    return made


def _is_drawn(line: Line) -> bool:
    ends = (line.value, line.low, line.high)
    return (
        not line.of
        and line.unit not in (P_VALUE, PAYMENT)
        and all(end is not None and math.isfinite(end) for end in ends)
    )


def _intervals(title: str, unit: str, names: Sequence[str], shown: Sequence[tuple[str, Line]]) -> Chart:
    """Return a chart of intervals: a row for each name, in it a dot and a line for each kind of player."""
    factor = scale(unit)
    players = list(dict.fromkeys(who for who, _ in shown))
    values = [
        {"name": line.name, "who": who, "value": factor * (line.value or 0), "low": factor * (line.low or 0),
         "high": factor * (line.high or 0)}
        for who, line in shown
    ]  # fmt: skip
    references = {line.reference for _, line in shown}
    row = {
        "y": {"field": "name", "type": "nominal", "sort": list(names), "axis": {"title": None, "labelLimit": 190}},
        "yOffset": {"field": "who", "sort": players},
    }
    axis = {"title": f"{unit}, %" if factor == 100 else unit}
    ends = {
        "x": {"field": "low", "type": "quantitative", "axis": axis, "scale": {"zero": False}},
        "x2": {"field": "high"},
    }
    layers: list[Json] = [
        {"mark": {"type": "rule", "strokeWidth": 1.5}, "encoding": {**row, **ends}},
        {
            "mark": {"type": "point", "filled": True, "size": 55, "stroke": "black", "opacity": 1},
            "encoding": {**row, "x": {"field": "value", "type": "quantitative"}, "fill": _legend(players)},
        },
    ]
    if len(references) == 1 and None not in references:
        line = {"type": "rule", "strokeDash": [4, 3]}
        layers.append({"mark": line, "encoding": {"x": {"datum": factor * (references.pop() or 0.0)}}})
    who = len(players) > 1
    said = [f"{line.name}{f' of {by}' if who else ''}: {number(line.value, unit)}" for by, line in shown[:6]]
    text = f"{title}: {'; '.join(said)}"
    if len(shown) > 6:
        text += "; and more, as in the table"
    return Chart(_spec(values, {"step": ROW * max(1, len(players) * 0.8)}, {"layer": layers}), text)


def _legend(players: Sequence[str]) -> Json:
    """Return which players are white and which black; without a legend where all are of a kind."""
    fills = [FILLS[min(place, len(FILLS) - 1)] for place in range(len(players))]
    legend = {"title": None, "orient": "top", "columns": 1} if len(players) > 1 else None
    return {"field": "who", "type": "nominal", "scale": {"domain": list(players), "range": fills}, "legend": legend}


def _histogram(found: Sequence[tuple[str, Bars]]) -> Chart:
    """Return a histogram in shares of the plays: grey bars for the first players, a black outline for others."""
    values = []
    for who, bars in found:
        every = sum(count for *_, count in bars.bars) or 1
        values += [
            {"who": who, "from": begin, "to": end + 1, "share": 100 * count / every} for begin, end, count in bars.bars
        ]
    players = [who for who, _ in found]
    mark = {"type": "rect", "strokeWidth": 1.5}
    bars = found[0][1]
    x = {"field": "from", "type": "quantitative", "axis": {"title": bars.unit}, "scale": {"zero": False}}
    encoding = {
        "x": x, "x2": {"field": "to"}, "y2": {"datum": 0},
        "y": {"field": "share", "type": "quantitative", "axis": {"title": "% of plays"}},
        "fill": {**_legend(players), "scale": {"domain": players, "range": ["#bbb", "transparent"][: len(players)]}},
        "stroke": {"field": "who", "type": "nominal", "legend": None,
                   "scale": {"domain": players, "range": ["#bbb", "black"][: len(players)]}},
    }  # fmt: skip
    common = max(bars.bars, key=lambda bar: bar[2])
    between = f"{common[0]}" if common[0] == common[1] else f"{common[0]} to {common[1]}"
    unit = "" if bars.unit == bars.name else f" in {bars.unit}"
    text = f"Histogram of {bars.name}{unit}; most frequent for {found[0][0]}: {between}"
    return Chart(_spec(values, HEIGHT, {"mark": mark, "encoding": encoding}), text)


def _curve(agent: str, points: Sequence[tuple[int, float, float]], variant: str) -> Chart:
    """Return the learning curve of a policy: its strength with the interval, by the decisions that it learned from."""
    values = [{"x": x, "value": y, "low": y - error, "high": y + error} for x, y, error in points]
    x = {"field": "x", "type": "quantitative", "axis": {"title": "decisions", "format": "~s"}}
    layers = [
        {
            "mark": {"type": "area", "color": "#ccc"},
            "encoding": {"x": x, "y": {"field": "low", "type": "quantitative", "scale": {"zero": False},
                                       "axis": {"title": "strength"}}, "y2": {"field": "high"}},
        },
        {
            "mark": {"type": "line", "color": "black"},
            "encoding": {"x": x, "y": {"field": "value", "type": "quantitative"}},
        },
    ]  # fmt: skip
    text = f"Learning curve of {agent}: from {number(points[0][1], '')} to {number(points[-1][1], '')}"
    return Chart(_spec(values, HEIGHT, {"layer": layers}), text, variant)


def _spec(values: list[Json], height: int | Json, drawn: Json) -> Json:
    return {
        "data": {"values": values}, "width": "container", "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"}, **drawn,
    }  # fmt: skip
