"""Reachability and liveness: code that no play reaches, reads outside of a scope, and unused declarations.

Each check is a plain function from the rules of one setting to reports; `interpreter.analysis.lints` lists them.
What is dead in one setting and alive in another is dead on purpose (an option shuts it off), so `validate` reports
the codes of liveness only if they hold in every setting it tries (`grammar.codes.code.Code.every_setting`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from grammar.diagnostics import Cure, Edit, Label, Severity
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.context import Context
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.dependencies import DEEPEST, Whole
from interpreter.analysis.graphs import reachable
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Zone
from interpreter.analysis.types import Cards, Int, base_of


def check_reachable(cx: Context, whole: Whole) -> None:
    """Report phases that no play can come to."""
    run = whole.calls.reached()
    for phase in whole.rules.phases:
        if phase not in run and phase.declaration is not None:
            cx.report("CG401", f"nothing runs the phase `{phase.name}`", phase.span,
                      "name it in `play` or in another phase, or remove it")  # fmt: skip


def check_depth(cx: Context, whole: Whole) -> None:
    """Report phases that lead too deep."""
    found = whole.calls
    depth: dict[Phase, int] = {}
    for phase in found.order():
        depth[phase] = 1 + max((depth[c.phase] for c in found.of[phase]), default=0)
        if depth[phase] == DEEPEST + 1:
            cx.report("CG405", f"phases call each other more than {DEEPEST} deep", phase.span,
                      "let one phase call the others")  # fmt: skip


def check_phase_state(cx: Context, whole: Whole) -> None:
    """Report uses of a phase's state where that phase may not be running."""
    rules = whole.rules
    found, uses = whole.calls, whole.mentions
    for phase in rules.every_phase:
        for variable, span in uses.phase(phase).items():
            owner = variable.phase
            if owner is not None and phase.name != owner and phase in found.outside(owner):
                where = "`play`" if phase is rules.play else f"`{phase.name}`"
                _outside(cx, variable, span, f"may not be running in {where}")
    for line in rules.results:
        for variable, span in uses.variables([line.value]).items():
            if variable.phase is not None:
                _outside(cx, variable, span, "is over when the result is counted")
    for invariant in rules.invariants:
        for variable, span in uses.variables([invariant.condition]).items():
            if variable.phase is not None:
                _outside(cx, variable, span, "is not running at every decision")


def _outside(cx: Context, variable: Variable, span: Span, why: str) -> None:
    cx.report("CG403", f"`{variable.name}` belongs to `{variable.phase}`, which {why}", span,
              "declare it in a phase that surely runs, or under the `state` of the game",
              labels=(Label(variable.span, "declared here"),))  # fmt: skip


def check_first_values(cx: Context, whole: Whole) -> None:
    """Report first values that read a variable without a value: variables get theirs in the order of the text."""
    rules = whole.rules
    reads = {v: whole.mentions.variables([v.initial]) for v in rules.variables if v.initial is not None}
    ready: set[Variable] = set()
    for variable in rules.variables:
        for other, span in reads.get(variable, {}).items():
            running = other.phase == variable.phase or variable.phase is None
            if running and other not in ready:
                read = reachable(reads.get(other, ()), lambda v: reads.get(v, ()))
                _too_early(cx, variable, other, span, circle=variable in read)
        ready.add(variable)


def _too_early(cx: Context, variable: Variable, other: Variable, span: Span, *, circle: bool) -> None:
    assert variable.initial is not None
    cure: str | Cure = f"declare `{other.name}` before `{variable.name}`"
    if other is variable:
        message = f"the first value of `{variable.name}` asks for `{variable.name}` itself"
        cure = "give it a value that asks for nothing of the kind, and set it at the beginning of `play`"
    elif other.phase != variable.phase:
        message = f"the first value of `{variable.name}` asks for `{other.name}`, which belongs to `{other.phase}`"
        cure = f"declare `{other.name}` under the `state` of the game, before `{variable.name}`"
    elif circle:
        message = f"the first values of `{variable.name}` and `{other.name}` ask for each other"
        cure = "give one of them a value that asks for nothing of the kind, and set it at the beginning of `play`"
    else:
        message = f"the first value of `{variable.name}` asks for `{other.name}`, which comes later and has none yet"
        cure = _in_front(variable, other) or cure
    labels = () if other is variable else (Label(other.span, "declared here"),)
    inside = variable.initial.span
    if span.source is not inside.source or not inside.start <= span.start <= inside.end:
        labels = (*labels, Label(span, "read here"))
    cx.report("CG240", message, inside, cure, labels=labels)


def _in_front(variable: Variable, other: Variable) -> Cure | None:
    """Return the cure to move the line of one variable in front of that of another, if both are lines of their own."""
    rows = [_row(v.span) for v in (variable, other)]
    first, second = rows
    value = other.initial.span if other.initial is not None else other.span
    alone = second.start <= value.start <= value.end <= second.end and second.text.endswith("\n")
    indented = len(second.text) - len(second.text.lstrip())
    below = _row(second.after).text
    goes_on = second.text.rstrip().endswith(",") or (below.strip() and len(below) - len(below.lstrip()) > indented)
    if first.source is not second.source or first.start >= second.start or not alone or goes_on:
        return None
    return Cure(f"declare `{other.name}` before `{variable.name}`",
                (Edit(first.before, second.text), Edit(second, "")))  # fmt: skip


def _row(span: Span) -> Span:
    """Return the whole line that a span begins on, with its end."""
    text = span.source.text
    return Span(span.source, text.rfind("\n", 0, span.start) + 1, text.find("\n", span.start) + 1 or len(text))


def check_ends(cx: Context, whole: Whole) -> None:
    """Report `end x` where the phase x may not be running."""
    found = whole.calls
    for phase in whole.rules.every_phase:
        for stmt in core.statements_of(phase):
            if not isinstance(stmt, core.End) or stmt.phase is None or stmt.phase is phase:
                continue
            if phase in found.outside(stmt.phase.name):
                cx.report("CG404", f"`{stmt.phase.name}` may not be running here", stmt.span,
                          "end a phase from inside it")  # fmt: skip


def check_decisions(cx: Context, whole: Whole) -> None:
    """Report a game in which nobody decides anything."""
    rules = whole.rules
    reached = whole.calls.reached()
    if not any(core.Choice in core.kinds_of(phase) for phase in reached):
        cx.report("CG406", "this game has no decision", rules.play.span, "a decision is `p chooses`")


def check_unused(cx: Context, whole: Whole) -> None:
    """Warn of definitions and variables that nothing uses; a file of definitions alone may offer more than is used."""
    rules = whole.rules
    used = cx.called()
    acting = {phase.span.source.name for phase in rules.every_phase}
    acting |= {line.span.source.name for line in rules.results} | {rules.source_name}
    for define in rules.defines:
        if define not in used and define.declaration.span.source.name in acting:
            cx.report("CG501", f"nothing uses the definition `{define.name}`", define.declaration.span,
                      "remove it", severity=Severity.WARNING)  # fmt: skip
    bodies = (body for define in rules.defines for body in define.bodies)
    named = {*whole.mentions.variables((*rules.values(), *bodies))}
    named.update(chain.from_iterable(map(whole.mentions.phase, rules.every_phase)))
    for variable in (*rules.variables, *rules.local_variables):
        if variable not in named:
            cx.report("CG502", f"nothing uses the variable `{variable.name}`", variable.span, "remove it",
                      severity=Severity.WARNING)  # fmt: skip


# ---- liveness: what is never used, and what can never come about


def check_liveness(cx: Context, whole: Whole) -> None:
    """Warn of choices nobody makes use of, zones that stay empty, actions that are never legal, dead statements."""
    rules = whole.rules
    _check_zones(cx, rules)
    _check_unshuffled(cx, rules)
    _check_players_of_cards(cx, rules)
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
            cx.report("CG505", f"no card ever moves to `{zone.name}`", zone.span,
                      "move or deal cards there, or remove the zone", severity=Severity.WARNING)  # fmt: skip


def _check_unshuffled(cx: Context, rules: Rules) -> None:
    """Warn of the first deal from a pile of the deck that nobody sees and nothing shuffles."""
    shuffled = {s.zone.zone for s in rules.statements() if isinstance(s, core.Shuffle)}
    ordered = set()
    for place, cards in rules.homes:
        if len({rules.card_faces[c] for c in cards}) > 1:
            ordered |= {z for z in rules.zones if z.base <= place < z.base + z.places}
    reported: set[Zone] = set()
    for stmt in rules.statements():
        if isinstance(stmt, core.Deal):
            zone = stmt.origin.zone
            if zone in ordered - shuffled - reported and zone.seen_by == "nobody":
                reported.add(zone)
                cx.report("CG508", f"`{zone.name}` is dealt from and never shuffled, so every play has the same cards",
                          stmt.span, f"shuffle it before the deal: `shuffle {zone.name}{'[..]' * bool(zone.indices)}`",
                          severity=Severity.WARNING)  # fmt: skip


def _check_players_of_cards(cx: Context, rules: Rules) -> None:
    """Warn of rules that ask who played a card, where no move says it."""
    if any(isinstance(stmt, core.Move) and stmt.played_by is not None for stmt in rules.statements()):
        return
    inside = chain.from_iterable(map(core.expressions_of, rules.every_phase))
    for part in chain.from_iterable(map(core.walk, (*rules.values(), *inside))):
        if isinstance(part, core.Builtin) and "played by" in part.function.reads:
            cx.report("CG517", "no move says who plays a card, so this is always `none`", part.span,
                      "name the player where the card moves to the row: `move c to trick for p`",
                      severity=Severity.WARNING)  # fmt: skip


def _check_dead(cx: Context, block: tuple[core.Stmt, ...]) -> bool:
    """Warn of statements after one that always leaves; say whether the block always leaves."""
    leaves: core.Stmt | None = None
    for stmt in block:
        if leaves is not None:
            cx.report("CG511", "this statement is never reached", stmt.span, "move it before the `end`, or remove it",
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


def _in_block(block: tuple[core.Stmt, ...]) -> Iterator[core.Expr]:
    for stmt in core.statements(block):
        yield from core.children(stmt)


def _check_arguments(cx: Context, action: core.Action) -> None:
    """Warn of what a player chooses and nothing reads or moves."""
    conditions = [e for e in (action.such_that,) if e is not None]
    for number, arg in enumerate(action.args):
        later = [e for other in action.args[number + 1 :] for e in core.children(other)]
        if arg.local not in core.names_of(*_in_block(action.body), *later, *conditions):
            what = {"card": "card", "cards": "cards", "value": "value"}[arg.form]
            cx.report("CG504", f"the effect does not use the chosen {what} `{arg.local.name}`", arg.span,
                      "move, show or read it in the block of the action, or remove the argument",
                      severity=Severity.WARNING)  # fmt: skip


def _check_possible(cx: Context, action: core.Action) -> None:
    """Warn of an action that can never be legal, with the part of it that is why."""
    why = _never(action)
    if why is not None:
        reason, span = why
        cx.report("CG510", f"`{action.verb}` is never possible: {reason}", span,
                  "correct the condition, or remove the action", severity=Severity.WARNING,
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
            cx.report("CG513", "of equal players only the first in seat order wins", part.span,
                      f"let them share: `all {part.which} ..`; if the rules break ties, write `from` in the selection",
                      severity=Severity.WARNING)  # fmt: skip


def check_tags(cx: Context, whole: Whole) -> None:
    """Warn of a rule tag that occurs twice on one line."""
    for (tag, span), times in Counter(whole.rules.tags).items():
        if times > 1:
            cx.report("CG512", f"the tag {tag} occurs twice here", span, "write it once", severity=Severity.WARNING)
