"""Put what is settled before play into a syntax tree: some options, perhaps the number of players.

What is settled becomes a value, tests of it are decided, and branches that are not taken are left out.
Options that nobody settled stay as they are, so that a rulebook can tell their alternatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import Node, field_names
from interpreter.analysis.constants import divide
from interpreter.rulebook.trees import changed

_TESTS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@attrs.frozen
class Settled:
    """What is decided: the number of players or None, and options by name as text (`half`), number or bool."""

    players: int | None = None
    options: Mapping[str, str | int | bool] = attrs.field(factory=dict)


def settle(spec: ast.Spec, settled: Settled, *, telling: bool = False) -> ast.Spec:
    """Return the spec with what is settled put in; declarations of options stay as they are.

    For `telling`, the card in a slot is said to be its top one, where the spec names the slot for its card.
    """
    worker = _Settler(settled, slots=_slots(spec) if telling else frozenset())
    items = tuple(item if isinstance(item, ast.OptionDecl) else worker.node(item) for item in spec.items)
    return _without_idle(ast.Spec(spec.version, items, span=spec.span, tags=spec.tags))


def _without_idle(spec: ast.Spec) -> ast.Spec:
    """Return a spec without the phases in which nothing is left to do, and without the calls of them."""
    while True:
        idle = {i.name for i in spec.items if isinstance(i, ast.PhaseDecl) and not i.block.statements}
        if not idle:
            return spec
        worker = _Settler(Settled(), frozenset(idle))
        kept = (i for i in spec.items if not (isinstance(i, ast.PhaseDecl) and i.name in idle))
        items = tuple(i if isinstance(i, ast.OptionDecl) else worker.node(i) for i in kept)
        spec = changed(spec, items=items)


def _slots(spec: ast.Spec) -> frozenset[str]:
    """Return the names of the slots of a spec."""
    zones = [zone for item in spec.items if isinstance(item, ast.ZonesDecl) for zone in item.zones]
    return frozenset(family.name for zone in zones if zone.kind == "slot" for family in zone.families)


class _Settler:
    def __init__(
        self, settled: Settled, idle: frozenset[str] = frozenset(), slots: frozenset[str] = frozenset()
    ) -> None:
        self.settled = settled
        self.idle = idle
        self.slots = slots

    def card_in(self, expr: Any) -> Any:
        """Return the card in a slot that stands where one card is meant; everything else as it is."""
        base = expr.base if isinstance(expr, ex.Index) else expr
        is_slot = isinstance(base, ex.Name) and base.name in self.slots
        return ex.EndOf("top", expr, span=expr.span) if is_slot else expr

    def node(self, node: Any) -> Any:
        """Return a node with its parts settled; what a node is decides whether it stays at all."""
        if isinstance(node, tuple):
            return self.several(node)
        if not isinstance(node, Node):
            return node
        if isinstance(node, ex.Name) and node.name in self.settled.options:
            return self.value(node)
        if isinstance(node, ast.ViewerIf):
            return self.viewer(node)
        made = changed(node, **{name: self.node(getattr(node, name)) for name in field_names(type(node))})
        return self.reduced(self.told(made))

    def told(self, node: Any) -> Any:
        """Return a node in whose text the names of settled options have become their values."""
        match node:
            case st.Say(text=text):
                return changed(node, text=self.filled(text))
            case st.Choice(prompt=str(text)):
                return changed(node, prompt=self.filled(text))
            case _:  # No other has a text with values in it.
                return node

    def filled(self, text: str) -> str:
        """Return a text with the values of settled options in place of their names."""
        for name, value in self.settled.options.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text

    def several(self, nodes: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return parts; a statement that is decided gives way to those that it would carry out."""
        made: list[Any] = []
        for node in nodes:
            match self.node(node):
                case st.If(condition=ex.Bool(value=value)) as if_:
                    made += self.handed_on(if_.then if value else if_.otherwise, if_.tags)
                case st.Match(subject=ex.String(value=value) | ex.Number(value=value) | ex.Bool(value=value)) as match:
                    taken = next((c for c in match.cases if any(_names(p, value) for p in c.patterns)), None)
                    body = match.otherwise or () if taken is None else taken.body
                    made += self.handed_on(body, (*match.tags, *(() if taken is None else taken.tags)))
                case st.While(condition=ex.Bool(value=False)) | st.Action(only_if=ex.Bool(value=False)):
                    pass
                case st.If(then=(), otherwise=()) | st.For(body=()) | st.While(body=()) | st.Together(body=()):
                    pass
                case st.Do(call=call) if call.name in self.idle:
                    pass
                case ast.DeckLine(where=ex.Bool(value=False)):
                    pass
                case st.If(then=(), condition=condition, otherwise=otherwise) as if_:
                    made.append(changed(if_, condition=ex.Not(condition, span=condition.span), then=otherwise,
                                        otherwise=()))  # fmt: skip
                case st.Action(only_if=ex.Bool()) as action:
                    made.append(changed(action, only_if=None))
                case other:
                    made.append(other)
        return tuple(made)

    def handed_on(self, body: tuple[Any, ...], tags: tuple[str, ...]) -> list[Any]:
        """Return the statements of a branch that is taken, the first with the tags of the test."""
        if not body:
            return []
        first, *rest = body
        return [changed(first, tags=(*tags, *(t for t in first.tags if t not in tags))), *rest]

    def value(self, node: ex.Name) -> ex.Expr:
        """Return an option's value; a word of a choice becomes a text, which no rule else has."""
        value = self.settled.options[node.name]
        match value:
            case bool():
                return ex.Bool(value, span=node.span)
            case int():
                return ex.Number(value, span=node.span)
            case _:
                return ex.String(value, span=node.span)

    def viewer(self, node: ast.ViewerIf) -> ast.Viewer | ast.ViewerIf:
        condition = self.node(node.condition)
        otherwise = self.viewer(node.otherwise) if isinstance(node.otherwise, ast.ViewerIf) else node.otherwise
        if isinstance(condition, ex.Bool):
            return node.then if condition.value else otherwise
        return changed(node, condition=condition, otherwise=otherwise)

    def reduced(self, node: Any) -> Any:
        """Return a node whose parts are settled as simply as can be said."""
        match node:
            case ex.Attribute(base=base) if self.card_in(base) is not base:
                return changed(node, base=self.card_in(base))
            case ex.Is(value=value, test=test) if not isinstance(test, str) and self.card_in(value) is not value:
                return changed(node, value=self.card_in(value))
            case st.Match(subject=subject) | ast.MatchValue(subject=subject) if self.card_in(subject) is not subject:
                return changed(node, subject=self.card_in(subject))
            case ex.Call(name=name, args=args) if name != "count" and any(self.card_in(a) is not a for a in args):
                return changed(node, args=tuple(self.card_in(a) for a in args))
            case ex.SeatByOption(option=ex.Number(value=number)):
                players = self.settled.players
                return ex.Seat(number if players is None else (number - 1) % players + 1, span=node.span)
            case ex.Call("count", (ex.Name("players"),)) if self.settled.players is not None:
                return ex.Number(self.settled.players, span=node.span)
            case ex.Compare():
                return _compared(node)
            case ex.Not(value=ex.Bool(value=value)):
                return ex.Bool(not value, span=node.span)
            case ex.Logic():
                return _joined(node)
            case ex.Is(value=ex.Number(value=n), test=ex.NumberPattern(low=low, high=high), negated=negated):
                return ex.Bool((low <= n <= high) != negated, span=node.span)
            case ex.Chain():
                return _chained(node)
            case ex.Arithmetic(left=ex.Number(value=a), right=ex.Number(value=b), op=op) if op != "mod" or b:
                return ex.Number({"+": a + b, "-": a - b, "*": a * b}[op] if op != "mod" else a % b, span=node.span)
            case ex.Divide(left=ex.Number(value=a), right=ex.Number(value=b), rounded=how) if b:
                return ex.Number(divide(a, b, how), span=node.span)
            case ex.Call("min" | "max" as name, args):
                known = [a.value for a in args if isinstance(a, ex.Number)]
                least_or_most = min if name == "min" else max
                return ex.Number(least_or_most(known), span=node.span) if 0 < len(known) == len(args) else node
            case ast.MatchValue(subject=ex.String(value=value) | ex.Number(value=value) | ex.Bool(value=value)):
                taken = [c for c in node.cases if not c.patterns or any(_names(p, value) for p in c.patterns)]
                return taken[0].value if taken else node
            case ex.Selection(where=ex.Bool(value=True)) | ex.CardArg(where=ex.Bool(value=True)):
                return changed(node, where=None)
            case ex.CardsArg(where=ex.Bool(value=True)) | ex.ValueArg(where=ex.Bool(value=True)):
                return changed(node, where=None)
            case ast.DeckLine(where=ex.Bool(value=True)):
                return changed(node, where=None)
            case st.Action(such_that=ex.Bool(value=True)):
                return changed(node, such_that=None)
            case st.If(condition=ex.Bool(value=value), otherwise=(st.If() as inner,)) if not value:
                return changed(inner, tags=(*node.tags, *inner.tags))
            case _:
                return node


def _names(pattern: ex.Pattern, value: str | int | bool) -> bool:
    if isinstance(pattern, ex.NumberPattern):
        return pattern.low <= int(value) <= pattern.high
    return pattern.name == (str(value).lower() if isinstance(value, bool) else value)


def _compared(node: ex.Compare) -> ex.Expr:
    match node.left, node.right:
        case ex.Number(value=a), ex.Number(value=b):
            return ex.Bool(_TESTS[node.op](a, b), span=node.span)
        case (ex.String(value=word), ex.Name(name=other)) | (ex.Name(name=other), ex.String(value=word)):
            return ex.Bool((word == other) == (node.op == "=="), span=node.span)
        case ex.Bool(value=value), ex.Bool(value=wanted):
            return ex.Bool((value == wanted) == (node.op == "=="), span=node.span)
        case _:
            return node


def _joined(node: ex.Logic) -> ex.Expr:
    for side, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(side, ex.Bool):
            if side.value == (node.op == "or"):
                return ex.Bool(side.value, span=node.span)
            return other
    return node


def _chained(node: ex.Chain) -> ex.Expr:
    kept: list[ex.Alternative] = []
    for link in node.alternatives:
        if isinstance(link.condition, ex.Bool):
            if link.condition.value:
                kept.append(changed(link, condition=None))
                break
            continue
        kept.append(link)
    if len(kept) == 1 and kept[0].condition is None and not kept[0].tags:
        return kept[0].value
    return changed(node, alternatives=tuple(kept)) if kept else ex.NoneValue(span=node.span)
