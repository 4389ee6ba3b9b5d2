"""Liveness: what a spec asks for, gives a name, or has a place for, and then never uses; what can never come about.

Each check looks at the rules of one setting.  What is dead in one setting and alive in another is dead on purpose
(an option shuts it off), so `validate` tells of these codes only what holds in every setting it tries
(`grammar.codes.code.Code.every_setting`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from grammar.diagnostics import Label, Severity
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.context import Context
from interpreter.analysis.dependencies import Whole
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import Cards, Int, base_of


def check_liveness(cx: Context, whole: Whole) -> None:
    """Warn of choices nobody makes use of, zones that stay empty, actions that are never legal, dead statements."""
    rules = whole.rules
    _check_zones(cx, rules)
    _check_unshuffled(cx, rules)
    for phase in rules.every_phase:
        _check_dead(cx, phase.body)
        for stmt in core.statements_of(phase):
            if isinstance(stmt, core.Choice):
                for action in core.all_actions(stmt):
                    _check_arguments(cx, action)
                    _check_possible(cx, action)
    for line in rules.results:
        if line.what == "winners":
            _check_first_of_equals(cx, line.value)


def _filled(rules: Rules) -> set[Zone]:
    """Return the zones that have cards before play or that some statement brings cards to."""
    homes = {place for place, cards in rules.homes if cards}
    found = {z for z in rules.zones if any(z.base <= place < z.base + z.places for place in homes)}
    found.update(moved.target.zone for stmt in rules.statements() for moved in core.transfers(stmt))
    return found


def _check_zones(cx: Context, rules: Rules) -> None:
    filled = _filled(rules)
    for zone in rules.zones:
        if zone not in filled:
            cx.report("CG505", f"no card ever comes to `{zone.name}`", zone.span,
                      "move or deal cards there, or remove the zone", severity=Severity.WARNING)  # fmt: skip


def _check_unshuffled(cx: Context, rules: Rules) -> None:
    """Warn of the first deal from a pile of the deck that nobody sees and nothing shuffles."""
    shuffled = {s.zone.zone for s in rules.statements() if isinstance(s, core.Shuffle)}
    ordered = set()
    for place, cards in rules.homes:
        if len({rules.card_faces[c] for c in cards}) > 1:
            ordered |= {z for z in rules.zones if z.base <= place < z.base + z.places}
    told: set[Zone] = set()
    for stmt in rules.statements():
        if isinstance(stmt, core.Deal):
            zone = stmt.origin.zone
            if zone in ordered - shuffled - told and zone.seen_by == "nobody":
                told.add(zone)
                cx.report("CG508", f"`{zone.name}` is dealt from and never shuffled, so every play has the same cards",
                          stmt.span, f"shuffle it before the deal: `shuffle {zone.name}{'[..]' * bool(zone.indices)}`",
                          severity=Severity.WARNING)  # fmt: skip


def _check_dead(cx: Context, block: tuple[core.Stmt, ...]) -> bool:
    """Warn of statements behind one that always leaves; say whether the block always leaves."""
    leaves: core.Stmt | None = None
    for stmt in block:
        if leaves is not None:
            cx.report("CG511", "play never comes to this", stmt.span, "move it before the `end`, or remove it",
                      labels=(Label(leaves.span, "this ends it"),), severity=Severity.WARNING)  # fmt: skip
            return True
        inside = [_check_dead(cx, inner) for inner in core.blocks_inside(stmt)]
        if isinstance(stmt, core.End) or (_chooses_a_block(stmt) and inside and all(inside)):
            leaves = stmt
    return leaves is not None


def _chooses_a_block(stmt: core.Stmt) -> bool:
    """Say whether exactly one block of a statement is carried out, and the text does not say which.

    An option or a literal has decided the other conditions; the branch that is left is not a fact of the text.
    """
    if isinstance(stmt, core.If):
        return bool(stmt.then and stmt.otherwise) and not isinstance(stmt.condition, core.Const)
    return isinstance(stmt, core.Choice)


def _uses(exprs: Iterable[core.Expr], local: Local) -> bool:
    return any(isinstance(part, core.LocalRef) and part.local is local for e in exprs for part in core.walk(e))


def _in_block(block: tuple[core.Stmt, ...]) -> Iterator[core.Expr]:
    for stmt in core.statements(block):
        yield from core.children(stmt)


def _check_arguments(cx: Context, action: core.Action) -> None:
    """Warn of what a player chooses and nothing reads or moves."""
    conditions = [e for e in (action.such_that,) if e is not None]
    for number, arg in enumerate(action.args):
        later = [e for other in action.args[number + 1 :] for e in core.children(other)]
        if not _uses([*_in_block(action.body), *later, *conditions], arg.local):
            what = {"card": "card", "cards": "cards", "value": "value"}[arg.form]
            cx.report("CG504", f"nothing is done with the chosen {what} `{arg.local.name}`", arg.span,
                      "move, show or read it in the block of the action, or ask without it",
                      severity=Severity.WARNING)  # fmt: skip


def _check_possible(cx: Context, action: core.Action) -> None:
    """Warn of an action that can never be legal, with the part of it that is why."""
    why = _never(action)
    if why is not None:
        reason, span = why
        cx.report("CG510", f"`{action.verb}` is never possible: {reason}", span,
                  "mend the condition, or remove the action", severity=Severity.WARNING,
                  labels=() if span == action.span else (Label(action.span, "the action"),))  # fmt: skip


def _never(action: core.Action) -> tuple[str, Span] | None:
    for condition in (action.only_if, action.such_that):
        if isinstance(condition, core.Const) and condition.value is False:
            return "its condition never holds", condition.span
    for arg in action.args:
        weighed = None if arg.on_set is None else arg.on_set.condition
        if isinstance(weighed, core.Const) and weighed.value is False:
            return "its condition never holds", weighed.span
        if isinstance(arg.where, core.Const) and arg.where.value is False and arg.form != "cards":
            return "nothing fits its `where`", arg.where.span
        if arg.form == "value":
            continue
        low, most = arg.low, base_of(arg.domain.type)
        least = 1 if arg.form == "card" else low.type.low if low is not None and isinstance(low.type, Int) else 0
        if least is not None and isinstance(most, Cards) and most.at_most < least:
            return f"it takes at least {least} cards, and there are at most {most.at_most}", arg.domain.span
    return None


def _check_first_of_equals(cx: Context, value: core.Expr) -> None:
    """Warn of winners that are the first of several equals only because they sit first."""
    alternatives = [v for _, v in value.alternatives] if isinstance(value, core.Chain) else [value]
    for part in alternatives:
        if isinstance(part, core.Extreme) and not part.ties and part.binder.start is None:
            cx.report("CG513", "of several equals only the one who sits first wins", part.span,
                      f"let them share: `all {part.which} ..`; or say whom a tie favours: `from` in the selection",
                      severity=Severity.WARNING)  # fmt: skip


def check_tags(cx: Context, whole: Whole) -> None:
    """Warn of a rule tag that stands twice on one line."""
    for (tag, span), times in Counter(whole.rules.tags).items():
        if times > 1:
            cx.report("CG512", f"the tag {tag} stands twice here", span, "once says it", severity=Severity.WARNING)
