"""Validation of untrusted data: JSON, and constraints on its values.

Everything that is read from a file or a caller as JSON goes through `read_json`; its values are given to attrs
classes whose fields have the validators from here, so that nothing is used before it is what it should be.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

LONGEST = 10_000
"""Characters of one text."""


def read_json(text: str | bytes) -> Any:
    """Return the data that a text of JSON says.

    Raises ValueError where it is none, is nested more deeply than Python can go, or has numbers that JSON has not.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


def is_whole(value: object) -> bool:
    """Say whether a value is a whole number; true and false are none."""
    return type(value) is int


def whole(low: int, high: int) -> Callable[[Any, Any, Any], None]:
    """Return a validator of whole numbers from `low` to `high`.  It raises ValueError."""

    def check(_: Any, field: Any, value: Any) -> None:
        if not (is_whole(value) and low <= value <= high):
            raise ValueError(f"`{field.name}` is no number from {low} to {high}")

    return check


def text(_: Any, field: Any, value: Any) -> None:
    """Check that a value is a text of bearable length.  Raises ValueError."""
    if not (isinstance(value, str) and len(value) <= LONGEST):
        raise ValueError(f"`{field.name}` is no text")
