"""What is registered about one kind of mistake."""

from __future__ import annotations

import attrs

from grammar.diagnostics import Severity


@attrs.define(frozen=True, kw_only=True)
class Code:
    """One kind of mistake.

    `name` says the offence in a word or two (`unknown-zone`), `summary` in one clause, `explanation` why it
    is one and what to do.  `bad` is a text that gives this code, `good` the same text put right: each a
    whole spec, or whatever the tests of its group know how to complete.  `every_setting` says that an option may
    make it so on purpose: `validate` reports it only where it holds in every setting that it tries.
    """

    code: str
    name: str
    severity: Severity = Severity.ERROR
    summary: str
    explanation: str
    bad: str
    good: str
    every_setting: bool = False
