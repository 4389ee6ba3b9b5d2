"""Say which expressions are simple enough to be printed in a shorter way."""

from __future__ import annotations

import re

from interpreter.analysis import core
from interpreter.analysis.types import EnumType, Int


def is_within(expr: core.Expr, type_: Int) -> bool:
    """Say whether a number surely is in the range of an index, so that nobody need check it."""
    inner = expr.type
    return (
        isinstance(inner, Int)
        and inner.low is not None
        and inner.high is not None
        and type_.low is not None
        and type_.high is not None
        and type_.low <= inner.low
        and inner.high <= type_.high
    )


def is_slot(text: str) -> bool:
    """Say whether a text is nothing but a variable's place, which costs nothing to read twice."""
    return re.fullmatch(r"v\[\d+\]", text) is not None


def is_end(binder: core.Binder) -> bool:
    """Say whether a binder goes through a zone as it lies, so that its first and last are the ends of it."""
    return binder.where is None and binder.start is None and isinstance(binder.domain, core.ZoneRef)


def takes_all(domain: core.Range) -> bool:
    """Say whether a range is all values of its enumeration."""
    low, high = domain.low, domain.high
    if not isinstance(low, core.Const) or not isinstance(high, core.Const) or not isinstance(low.type, EnumType):
        return False
    return (low.value, high.value) == (0, len(low.type.values) - 1)
