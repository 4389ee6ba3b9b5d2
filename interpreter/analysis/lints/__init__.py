"""The lints: checks of a whole spec without type errors, as a list of functions from rules to reports."""

from __future__ import annotations

from interpreter.analysis.context import Context
from interpreter.analysis.dependencies import Whole
from interpreter.analysis.lints import reachability
from interpreter.analysis.lints.card_counts import check_card_counts
from interpreter.analysis.lints.costs import check_costs
from interpreter.analysis.lints.knowledge import check_knowledge
from interpreter.analysis.lints.termination import check_progress
from interpreter.analysis.rules import Rules

CHECKS = (
    reachability.check_reachable,
    reachability.check_depth,
    reachability.check_phase_state,
    reachability.check_first_values,
    reachability.check_ends,
    reachability.check_decisions,
    check_costs,
    check_knowledge,
)

ADVICE = (
    reachability.check_unused,
    reachability.check_liveness,
    reachability.check_tags,
    check_progress,
    check_card_counts,
)
"""Checks that only warn, which are not needed to play."""

LIVENESS = (reachability.check_liveness, reachability.check_tags, check_progress)
"""Advice that counts only if it holds in every setting (`grammar.codes.code.Code.every_setting`)."""


def check(cx: Context, rules: Rules, *, advise: bool, liveness: bool) -> None:
    """Run all checks, those that only warn where `advise` and `liveness` say so; each reports in the context."""
    whole = Whole(rules)
    for one in (*CHECKS, *(ADVICE if advise else ())):
        if liveness or one not in LIVENESS:
            one(cx, whole)
        if one is reachability.check_depth and cx.has_errors:
            return
