"""Check scenarios against their game without running them: names, types, phases, verbs and options.

What depends on a position (which cards lie where, what is legal) is found when a scenario is run.
"""

from __future__ import annotations

from collections.abc import Iterator

from grammar import ast, scenario, statements
from grammar.diagnostics import Diagnostic, SpecError
from grammar.expressions import CardAt, Expr, Name, Node, Selection, walk
from grammar.suggest import suggestion
from interpreter.analysis.check.type_conformance import condition, typed
from interpreter.analysis.checker import Checker
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.info import Info
from interpreter.analysis.rules import Rules
from interpreter.analysis.types import PLAYER, Int
from interpreter.scenarios.scenario_run import context_of
from interpreter.setting import Setting, SettingError


class SettingsChecker(Checker):
    """A checker that remembers the rules of each setting, which several files of scenarios may need."""

    def __init__(self, spec: ast.Spec, unread: frozenset[str] | None) -> None:
        super().__init__(spec, unread)
        self.known: dict[Setting, Rules | None] = {}

    def rules(self, setting: Setting) -> Rules | None:
        """Return the rules in a setting; None where there are errors."""
        if setting not in self.known:
            self.known[setting] = self.check(setting, advise=False, playable=False).rules
        return self.known[setting]


def check_scenarios(
    tree: scenario.ScenarioFile, checker: SettingsChecker, info: Info
) -> tuple[Info, tuple[Diagnostic, ...]]:
    """Return `info`, that of the game, with what the names of scenarios mean, and the mistakes of the scenarios."""
    found: list[Diagnostic] = []
    verbs = {node.verb for node in walk(checker.spec.items) if isinstance(node, statements.Action)}
    binders = {node.name for node in walk(checker.spec.items) if isinstance(node, Selection)}
    setups = {one.name: one for one in tree.setups}
    for one in (*tree.setups, *tree.scenarios):
        base = None if one.setup is None else setups.get(one.setup)
        options = {given.name: given for given in (*(base.options if base is not None else ()), *one.options)}
        try:
            players = one.players or (None if base is None else base.players)
            values = {name: given.value.span.text.strip() for name, given in options.items()}
            rules = checker.rules(checker.signature.setting(players, values))
        except SettingError as error:
            span = one.options[0].span if one.options else one.span.part("scenario")
            found.append(Diagnostic("CG223", str(error), span))
            continue
        if rules is None:
            continue
        cx = context_of(rules)
        cx.info = info
        for node in (*one.givens, *one.steps):
            found.extend(_checked(cx, node, verbs, binders))
        if one.start is not None:
            found.extend(_start(one, checker.spec))
    return info, tuple(dict.fromkeys(found))


def _start(one: scenario.Scenario, spec: ast.Spec) -> Iterator[Diagnostic]:
    call = one.start
    assert call is not None
    phases = {item.name for item in spec.items if isinstance(item, ast.PhaseDecl)} | {"play"}
    if call.name not in phases:
        cure = suggestion(call.name, phases, call.span) or "one can start at " + ", ".join(sorted(phases - {"play"}))
        yield Diagnostic("CG226", f"no scenario can start at `{call.name}`", call.span, cure)


def _checked(cx: Context, node: Node, verbs: set[str], binders: set[str]) -> Iterator[Diagnostic]:
    """Yield the mistakes of a line of a scenario and of the lines below it."""
    if isinstance(node, scenario.Repeated):
        for step in node.steps:
            yield from _checked(cx, step, verbs, binders)
        return
    before = len(cx.diagnostics)
    try:
        _check(cx, node, binders)
    except SpecError as error:
        cx.diagnostics.extend(error.diagnostics)
    yield from cx.diagnostics[before:]
    for part in walk(node):
        if isinstance(part, scenario.Sentence) and part.verb not in verbs:
            cure = suggestion(part.verb, verbs, part.span) or "its actions are " + ", ".join(sorted(verbs))
            yield Diagnostic("CG228", f"no action of this game is called `{part.verb}`", part.span, cure)


def _check(cx: Context, node: Node, binders: set[str]) -> None:
    def place(expr: Expr) -> None:
        cx.expr(expr.zone if isinstance(expr, CardAt) else expr, Scope())

    match node:
        case scenario.GivenValue(target=Name(name=name)) if name not in cx.symbols and name in binders:
            pass  # The name of what a loop around the phase to start at goes through.
        case scenario.GivenValue(target=target, value=value):
            checked = cx.expr(target, Scope())
            typed(cx, value, Scope(), checked.type, f"`{target.span.text}`")
        case scenario.GivenCards(zone=zone) | scenario.GivenRest(zone=zone) | scenario.ExpectCards(zone=zone):
            place(zone)
        case scenario.GivenCount(zone=zone, count=count, of=of):
            place(zone)
            typed(cx, count, Scope(), Int(), "how many cards")
            if of is not None:
                place(of)
        case (
            scenario.Does(player=player) | scenario.Cannot(player=player) | scenario.Can(player=player)
            | scenario.CanOnly(player=player) | scenario.ExpectToAct(player=player)
            | scenario.ExpectShown(player=player)
        ):  # fmt: skip
            typed(cx, player, Scope(), PLAYER, "who acts")
        case scenario.Expect(condition=test):
            condition(cx, test, Scope())
        case scenario.ExpectResult(player=player, value=value):
            typed(cx, player, Scope(), PLAYER, "who acts")
            typed(cx, value, Scope(), Int(), "the result")
        case scenario.ExpectWinners(players=players):
            for player in players:
                typed(cx, player, Scope(), PLAYER, "a winner")
