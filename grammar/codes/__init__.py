"""All codes of diagnostics, with their documentation.

Codes are stable: one is never given to another mistake, and one that is retired is not used again.  They are
grouped: 1xx syntax, 2xx names, 3xx types, 4xx rules that cannot be played, 5xx warnings, 8xx faults in a running
game, 9xx internal errors.
"""

from __future__ import annotations

from grammar.codes import declarations, faults, lints, names, rules, scenarios, syntax, types
from grammar.codes.code import Code

__all__ = ["REGISTRY", "Code"]

_GROUPS = (syntax, names, scenarios, types, declarations, rules, lints, faults)

REGISTRY: dict[str, Code] = {
    code.code: code for code in sorted((c for group in _GROUPS for c in group.CODES), key=lambda c: c.code)
}
"""Every code by its text, in ascending order."""
