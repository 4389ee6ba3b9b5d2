"""CG5xx: what is allowed and most likely not meant."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = ()
