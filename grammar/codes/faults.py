"""CG8xx: faults in a running game, and CG9xx: our own mistakes."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = ()
