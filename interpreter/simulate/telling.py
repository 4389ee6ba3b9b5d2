"""Numbers of a report as text, with their units."""

from __future__ import annotations

import math

from interpreter.simulate.report import Line


def number(value: float | None, unit: str) -> str:
    """Return a number with its unit: a share in percent, a small chance as such, all else as it is."""
    if value is None or not math.isfinite(value):
        return "-"
    if unit.startswith("share"):
        return f"{100 * value:.1f} %"
    if unit == "chance":
        return "below 0.001" if value < 0.001 else f"{value:.3f}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def interval(line: Line) -> str:
    """Return the interval of a line; empty where it has none, and a dash where so few plays say nothing of it."""
    if line.low is None or line.high is None:
        return ""
    if not (math.isfinite(line.low) and math.isfinite(line.high)):
        return "-"
    if line.unit.startswith("share"):
        return f"{100 * line.low:.1f} .. {100 * line.high:.1f} %"
    return f"{number(line.low, line.unit)} .. {number(line.high, line.unit)}"
