"""An entry in the registry of diagnostics."""

from __future__ import annotations

import attrs

from grammar.diagnostics import Severity


@attrs.define(frozen=True, kw_only=True)
class Code:
    """One kind of mistake.

    `name` is a short name (`unknown-zone`), `summary` states the mistake in one clause, `explanation` gives the
    rule and the correction.  `bad` is a text that gives this code, `good` the corrected text: each is a whole spec,
    or a part that the tests of its group complete.  If `every_setting` is true, an option may cause the
    mistake on purpose: `validate` reports it only if it occurs in every setting that it checks.
    """

    code: str
    name: str
    severity: Severity = Severity.ERROR
    summary: str
    explanation: str
    bad: str
    good: str
    every_setting: bool = False
