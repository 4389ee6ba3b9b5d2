"""CG3xx: values of the wrong type."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = ()
