"""CG4xx: rules that cannot be played."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = ()
