"""Validation of untrusted data: JSON, and the classes of its values.

Everything that is read from a file or a caller as JSON goes through `read_json`, and then through
`read_as`, so that nothing is used before it is what it should be.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

import msgspec

_Class = TypeVar("_Class")

LONGEST = 10_000
"""Characters of one text."""

Text = Annotated[str, msgspec.Meta(max_length=LONGEST)]


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


def read_as(data: object, kind: type[_Class]) -> _Class:
    """Return data of JSON as a value of a class.  Raises ValueError where it is something else."""
    try:
        return msgspec.convert(data, kind, str_keys=True)
    except (msgspec.ValidationError, UnicodeEncodeError, OverflowError) as error:
        raise ValueError(str(error)) from None
