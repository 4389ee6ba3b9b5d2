"""CG2xx: names that mean nothing, or two things."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = ()
