"""Put what is settled before play into a syntax tree: some options, perhaps the number of players.

What is settled becomes the constant that the checker found for it, tests of it are decided, and branches that are not
taken are left out.  Options that nobody settled stay as they are, so that a rulebook can describe their alternatives.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import Node, evolved, field_names, walk
from interpreter.analysis import core
from interpreter.analysis.check.conversions import card_in
from interpreter.analysis.check.type_conformance import is_literal
from interpreter.analysis.info import Info
from interpreter.analysis.symbols import Option
from interpreter.analysis.types import Bool, EnumType, Int
from interpreter.english.words import predicate
from interpreter.rulebook.trees import EACH, Reads, base_name, carried_out, is_natural, is_truth, names_in_texts, size

_EXPRESSIONS = get_args(ex.Expr)
LARGEST = 12
"""Nodes of a definition whose condition is written in its place."""
ROUNDS = 20
"""So often the rules are gone through for definitions that others have decided."""


@attrs.frozen
class Settled:
    """A partial setting: the number of players or None, and options by name as text (`half`), number or bool."""

    players: int | None = None
    options: Mapping[str, str | int | bool] = attrs.field(factory=dict)


def settle(
    spec: ast.Spec,
    settled: Settled,
    info: Info,
    *,
    dealt: frozenset[str] | None = None,
    usual: frozenset[str] | None = None,
) -> ast.Spec:
    """Return the spec with what is settled put in; declarations of options stay as they are.

    `info` is that of a check in which the settled options have these values; the nodes that are made are added to it.
    For a rulebook, `dealt` are the kinds of the cards that are in a deck: that a card is of another is never true, and
    the card in a slot is said to be its top one, where the spec names the slot for its card.  `usual` are the names
    that the rules read in the standard setting: what they begin to read in another one, a further option may set.
    """
    kinds = frozenset(item.name for item in spec.items if isinstance(item, ast.CardDecl))
    missing = frozenset() if dealt is None else kinds - dealt
    slots = frozenset() if dealt is None else _slots(spec)
    worker = _Settler(info, settled, slots=slots, missing=missing, names_each=dealt is not None)
    items = worker.items(spec.items)
    written = {i.name for i in spec.items if isinstance(i, ast.DefineDecl) and isinstance(i.value, ex.Bool)}
    settled_spec = _without_idle(ast.Spec(spec.version, items, span=spec.span, tags=spec.tags), info, written)
    if dealt is None:
        return settled_spec
    constant = _constant_notes(settled_spec, spec)
    constant = {n: v for n, v in constant.items() if v is not None or usual is None or n in usual}
    if constant:
        worker = _Settler(info, Settled(), decided=constant)
        settled_spec = _without_idle(evolved(settled_spec, items=worker.items(settled_spec.items)), info, written)
    items = _reached(settled_spec.items)
    worker = _Settler(info, Settled(), decided=(said := _sentences(items, info)))
    kept = (i for i in items if not (isinstance(i, ast.DefineDecl) and i.name in said))
    return evolved(settled_spec, items=worker.items(kept))


def _sentences(items: tuple[ast.Item, ...], info: Info) -> dict[str, ex.Expr]:
    """Return the short conditions whose names say what is so, but not of what: "is open", "over"."""
    described = {name for node in walk(items) for name in names_in_texts(node)}
    described |= {item.name for item in items if isinstance(item, ast.AboutDecl) and item.name is not None}
    return {
        item.name: evolved(item.value, tags=tuple(dict.fromkeys((*item.tags, *item.value.tags))))
        for item in items
        if isinstance(item, ast.DefineDecl) and not (item.params or item.lets or item.name in described)
        and not isinstance(item.value, ast.MatchValue | ex.Chain) and isinstance(info.type(item.value), Bool)
        and predicate(item.name) is not None and size(item.value) <= LARGEST
    }  # fmt: skip


def _constant_notes(spec: ast.Spec, whole: ast.Spec) -> dict[str, bool | None]:
    """Return the notes that are only set to their first value, or only read while they have it.

    None is the value of what may be absent and is set only in other settings of the `whole` spec.
    """
    found: dict[str, bool | None] = {}
    for item in spec.items:
        if not isinstance(item, ast.PhaseDecl | ast.StateDecl):
            continue
        for var in item.block.state if isinstance(item, ast.PhaseDecl) else item.variables:
            value = is_truth(var) if not var.tags else None
            for family in var.families:
                if value is None:
                    absent = isinstance(var.type, ex.OptionalType) and var.initial is None and not var.tags
                    if absent and not _values_set(family.name, spec.items) and _values_set(family.name, whole.items):
                        found[family.name] = None
                elif _is_set_only_to(family.name, value, spec.items) or (
                    isinstance(item, ast.PhaseDecl) and not Reads(family.name, item, spec.items).later
                ):
                    found[family.name] = value
    return found


def _is_set_only_to(name: str, value: bool, items: tuple[ast.Item, ...]) -> bool:
    """Whether statements set a note, and all of them to a value."""
    given = _values_set(name, items)
    return bool(given) and all(each is value for each in given)


def _values_set(name: str, items: tuple[ast.Item, ...]) -> list[bool | None]:
    """Return what statements set a variable to: yes or no where that is written, None for all else."""
    given: list[bool | None] = []
    for node in walk(items):
        match node:
            case st.Assign(target=target, value=new) if base_name(target) == name:
                given.append(new.value if isinstance(new, ex.Bool) else None)
            case st.Random(arg=arg, into=into) if (arg.name if into is None else base_name(into)) == name:
                given.append(None)
    return given


def _reached(items: tuple[ast.Item, ...]) -> tuple[ast.Item, ...]:
    """Return the items without the phases that nothing carries out any more."""
    phases = {item.name: item for item in items if isinstance(item, ast.PhaseDecl)}
    reached = {*carried_out(tuple(i for i in items if not isinstance(i, ast.PhaseDecl)), phases)}
    return tuple(i for i in items if not isinstance(i, ast.PhaseDecl) or i.name in reached)


def _without_idle(spec: ast.Spec, info: Info, written: set[str]) -> ast.Spec:
    """Return a spec without phases in which nothing is left to do and definitions that are always or never true.

    What carries out such a phase or asks for such a definition goes or changes with them.  Definitions that are
    `written` as true or false stay, and so do those that only `ROUNDS` others decide.
    """
    rounds = 0
    while True:
        rounds += 1
        idle = {i.name for i in spec.items if isinstance(i, ast.PhaseDecl) and not i.block.statements}
        decided = {
            i.name: i.value.value
            for i in spec.items
            if isinstance(i, ast.DefineDecl)
            and isinstance(i.value, ex.Bool)
            and i.name not in written
            and rounds <= ROUNDS
        }
        if not idle and not decided:
            return spec
        worker = _Settler(info, Settled(), frozenset(idle), decided=decided)
        gone = idle | decided.keys()
        kept = (i for i in spec.items if not (isinstance(i, ast.PhaseDecl | ast.DefineDecl) and i.name in gone))
        spec = evolved(spec, items=worker.items(kept))


def _slots(spec: ast.Spec) -> frozenset[str]:
    """Return the names of the slots of a spec."""
    zones = [zone for item in spec.items if isinstance(item, ast.ZonesDecl) for zone in item.zones]
    return frozenset(family.name for zone in zones if zone.kind == "slot" for family in zone.families)


@attrs.frozen(eq=False)
class _Settler:
    info: Info
    settled: Settled
    idle: frozenset[str] = frozenset()
    slots: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    decided: Mapping[str, ex.Expr | bool | None] = attrs.field(factory=dict)
    names_each: bool = False

    def items(self, items: Iterable[ast.Item]) -> tuple[ast.Item, ...]:
        """Return the items of a spec settled; declarations of options stay as they are."""
        return tuple(item if isinstance(item, ast.OptionDecl) else self.node(item) for item in items)

    def card_in(self, expr: Any) -> Any:
        """Return the card in a slot that is where one card is meant; everything else as it is."""
        base = expr.base if isinstance(expr, ex.Index) else expr
        is_slot = isinstance(base, ex.Name) and base.name in self.slots
        if not is_slot:
            return expr
        card, checked = ex.CardAt("top", expr, span=expr.span), self.info.checked(expr)
        if checked is not None:
            self.info.note(card, card_in(checked))
        return card

    def node(self, node: Any) -> Any:
        """Return a node with its parts settled, itself where none is; what it is decides whether it stays at all."""
        if isinstance(node, tuple):
            return self.several(node)
        if not isinstance(node, Node):
            return node
        if isinstance(node, ast.ViewerIf):
            return self.viewer(node)
        if (value := self.value(node)) is not None:
            return value
        match node:
            case ex.Call(name=name) | ex.Name(name=name) | ex.Index(base=ex.Name(name=name)) if name in self.decided:
                known = self.decided[name]
                if isinstance(known, ex.Node):
                    return self.node(known)
                made = ex.NoneValue(span=node.span) if known is None else ex.Bool(known, span=node.span)
                return self.info.like(node, made)
        changes = {}
        for name in field_names(type(node)):
            part = getattr(node, name)
            made = self.node(part)
            if made is not part:
                changes[name] = made
        return self.reduced(self.with_settled_text(self.info.changed(node, **changes) if changes else node))

    def value(self, node: Node) -> ex.Bool | ex.Number | ex.Name | None:
        """Return the number, truth or word that the checker has found for an expression, where all in it is settled."""
        value = self.info.constant(node)
        if value is None or not isinstance(node, _EXPRESSIONS) or is_literal(node) or not self.is_decided(node):
            return None
        match self.info.type(node):
            case Bool():
                return self.info.like(node, ex.Bool(bool(value), span=node.span))
            case Int():
                return self.info.like(node, ex.Number(value, span=node.span))
            case EnumType(values=names) as enum if not enum.is_of_option:
                name = ex.Name(names[value], span=node.span)
                self.info.note(name, core.Const(value, enum, node.span))
                return name
        return None

    def is_decided(self, node: Node) -> bool:
        """Say whether a node names nothing but what is settled."""
        return all(self.is_settled(part) for part in walk(node) if isinstance(part, ex.Name))

    def is_settled(self, name: ex.Name) -> bool:
        """Say whether a name is a settled option, the word of an option, or the players, whose number is settled."""
        type_ = self.info.type(name)
        if isinstance(self.info.symbol(name), Option):
            return name.name in self.settled.options
        if name.name == "players":
            return self.settled.players is not None
        return isinstance(type_, EnumType) and type_.is_of_option

    def with_settled_text(self, node: Any) -> Any:
        """Return a node in whose text the names of settled options have become their values."""
        made: st.Say | st.Choice
        match node:
            case st.Say(text=text):
                made = self.info.changed(node, text=self.filled(text))
            case st.Choice(prompt=str(text)):
                made = self.info.changed(node, prompt=self.filled(text))
            case _:  # No other has a text with values in it.
                return node
        self.info.hear(made, tuple(self.word(part) for part in self.info.text(node)))
        return made

    def filled(self, text: str) -> str:
        """Return a text with the values of settled options in place of their names."""
        for name, value in self.settled.options.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text

    def word(self, part: str | ex.Expr) -> str | ex.Expr:
        """Return a part of a text: the value of a settled option as a word."""
        if isinstance(part, ex.Name) and part.name in self.settled.options:
            return str(self.settled.options[part.name])
        settled: str | ex.Expr = self.node(part)
        return settled

    def several(self, nodes: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return parts; a statement that is decided gives way to those that it would carry out."""
        made: list[Any] = []
        for node in nodes:
            if isinstance(node, st.Assign) and base_name(node.target) in self.decided:
                continue
            match self.node(node):
                case st.If(condition=ex.Bool(value=value)) as if_:
                    made += self.handed_on(if_.then if value else if_.otherwise, if_.tags)
                case st.Match() as match if self.is_chosen(match):
                    taken = next((c for c in match.cases if self.info.constant(c) is True), None)
                    body = match.otherwise or () if taken is None else taken.body
                    made += self.handed_on(body, (*match.tags, *(() if taken is None else taken.tags)))
                case (
                    st.While(condition=ex.Bool(value=False)) | st.Action(only_if=ex.Bool(value=False))
                    | ast.DeckLine(where=ex.Bool(value=False))
                ):  # fmt: skip
                    pass
                case ast.VarDecl(families=families) if families and all(f.name in self.decided for f in families):
                    pass
                case st.If(then=(), otherwise=()) | st.For(body=()) | st.While(body=()) | st.Together(body=()):
                    pass
                case st.Do(call=call) if call.name in self.idle:
                    pass
                case st.For() | st.InTurn() | st.AtOnce() as loop if _fits_nothing(loop):
                    pass
                case st.Case(patterns=patterns) | ast.ValueCase(patterns=patterns) if patterns and all(
                    self.is_absent(pattern) for pattern in patterns
                ):
                    pass
                case st.Match(cases=(), otherwise=otherwise) as match:
                    made += self.handed_on(otherwise or (), match.tags)
                case st.If(then=(), condition=condition, otherwise=otherwise) as if_:
                    made.append(evolved(if_, condition=ex.Not(condition, span=condition.span), then=otherwise,
                                        otherwise=()))  # fmt: skip
                case st.Action(only_if=ex.Bool()) as action:
                    made.append(evolved(action, only_if=None))
                case other:
                    made.append(st.branches(other) or other)
        made = _without_repeats(nodes, made)
        same = len(made) == len(nodes) and all(map(operator.is_, made, nodes))
        return nodes if same else tuple(made)

    def is_chosen(self, match: st.Match | ast.MatchValue) -> bool:
        """Say whether it is settled which case of a `match` is taken."""
        return self.info.constant(match.subject) is not None and self.is_decided(match.subject)

    def handed_on(self, body: tuple[Any, ...], tags: tuple[str, ...]) -> list[Any]:
        """Return the statements of a branch that is taken, the first with the tags of the test."""
        if not body:
            return []
        first, *rest = body
        return [self.info.changed(first, tags=(*tags, *(t for t in first.tags if t not in tags))), *rest]

    def is_absent(self, pattern: ex.Pattern) -> bool:
        """Whether a pattern is of a kind of which no card is in a deck."""
        return isinstance(pattern, ex.KindPattern) and pattern.name in self.missing

    def viewer(self, node: ast.ViewerIf) -> ast.Viewer | ast.ViewerIf:
        condition = self.node(node.condition)
        otherwise = self.viewer(node.otherwise) if isinstance(node.otherwise, ast.ViewerIf) else node.otherwise
        if isinstance(condition, ex.Bool):
            return node.then if condition.value else otherwise
        return evolved(node, condition=condition, otherwise=otherwise)

    def reduced(self, node: Any) -> Any:
        """Return a node whose parts are settled as simply as can be said: branches that are not taken are left out."""
        changed = self.info.changed
        match node:
            case ex.Each() if self.names_each:
                return self.info.like(node, ex.Name(EACH, span=node.span))
            case ex.Attribute(base=base) if self.card_in(base) is not base:
                return changed(node, base=self.card_in(base))
            case ex.Is(negated=negated, test=ex.KindPattern() as pattern) if self.is_absent(pattern):
                return self.info.like(node, ex.Bool(negated, span=node.span))
            case ex.Is(value=value, test=test) if not isinstance(test, str) and self.card_in(value) is not value:
                return changed(node, value=self.card_in(value))
            case st.Match(subject=subject) | ast.MatchValue(subject=subject) if self.card_in(subject) is not subject:
                return changed(node, subject=self.card_in(subject))
            case ex.Call(name=name, args=args) if name != "count" and any(self.card_in(a) is not a for a in args):
                return changed(node, args=tuple(self.card_in(a) for a in args))
            case ex.SeatByOption(option=ex.Number(value=number)):
                players = self.settled.players
                seat = ex.Seat(number if players is None else (number - 1) % players + 1, span=node.span)
                return self.info.like(node, seat)
            case ex.Call("max", (value, ex.Number(value=0))) if is_natural(value, self.info):
                return value
            case ex.Is(negated=negated, value=ex.Attribute(), test=ex.Member()) if self.is_always_there(node):
                return self.info.like(node, ex.Bool(not negated, span=node.span))
            case ex.Is(negated=negated, value=ex.NoneValue(), test="none"):
                return self.info.like(node, ex.Bool(not negated, span=node.span))
            case ex.Quantified(which=which, selection=ex.Selection(where=ex.Bool(value=False))):
                return self.info.like(node, ex.Bool(which == "no", span=node.span))
            case ex.Not(value=ex.Bool(value=value)):
                return self.info.like(node, ex.Bool(not value, span=node.span))
            case ex.Logic(op="or", left=ex.Compare(op=">" | "<" as op) as more, right=ex.Compare(op="==") as equal) if (
                more.left,
                more.right,
            ) == (equal.left, equal.right):
                return changed(more, op=f"{op}=", tags=(*more.tags, *equal.tags))
            case ex.Logic():
                return _joined(node)
            case ex.Arithmetic():
                return _calculated(node)
            case ex.Compare(op=op, right=ex.Arithmetic(op="+" | "-" as sign, left=most, right=ex.Number(value=1))) if (
                op,
                sign,
            ) in _ONE_MORE:
                return changed(node, op=_ONE_MORE[op, sign], right=most)
            case ex.Chain():
                return self.chained(node)
            case ast.MatchValue() if self.is_chosen(node):
                taken = [c for c in node.cases if not c.patterns or self.info.constant(c) is True]
                return taken[0].value if taken else node
            case ex.Selection() | ex.CardArg() | ex.CardsArg() | ex.ValueArg() | ast.DeckLine() if (
                isinstance(node.where, ex.Bool) and node.where.value
            ):
                return changed(node, where=None)
            case st.Action(such_that=ex.Bool(value=True)):
                return changed(node, such_that=None)
            case st.If(condition=ex.Bool(value=value), otherwise=(st.If() as inner,)) if not value:
                return changed(inner, tags=(*node.tags, *inner.tags))
        return node

    def is_always_there(self, node: ex.Is) -> bool:
        """Whether an attribute that is tested for being a value of an enumeration always is one."""
        assert isinstance(node.test, ex.Member)
        type_ = self.info.type(node.value)
        return isinstance(type_, EnumType) and self.info.symbol(node.test.domain) == type_

    def chained(self, node: ex.Chain) -> ex.Expr:
        """Return a chain without the alternatives that are never taken, and all after one that always is."""
        kept: list[ex.Alternative] = []
        for link in node.alternatives:
            if link.condition is None and isinstance(link.value, ex.NoneValue):
                continue
            if isinstance(link.condition, ex.Bool):
                if link.condition.value:
                    kept.append(evolved(link, condition=None))
                    break
                continue
            kept.append(link)
        if len(kept) == 1 and kept[0].condition is None and not kept[0].tags:
            return kept[0].value
        if not kept:
            return ex.NoneValue(span=node.span)
        first, last = kept[0].value, kept[-1]
        if last.condition is None and isinstance(first, ex.Bool) and all(k.value == first and not k.tags for k in kept):
            return first
        same = len(kept) == len(node.alternatives) and all(map(operator.is_, kept, node.alternatives))
        return node if same else self.info.changed(node, alternatives=tuple(kept))


_ONE_MORE = {(">", "-"): ">=", ("<=", "-"): "<", ("<", "+"): "<=", (">=", "+"): ">"}
"""Comparisons with one more or less than a number, as comparisons with the number."""


def _calculated(node: ex.Arithmetic) -> ex.Expr:
    """Return a sum or product without the 0 or 1 that changes nothing."""
    match node:
        case (
            ex.Arithmetic("+" | "-", other, ex.Number(value=0)) | ex.Arithmetic("+", ex.Number(value=0), other)
            | ex.Arithmetic("*", other, ex.Number(value=1)) | ex.Arithmetic("*", ex.Number(value=1), other)
        ):  # fmt: skip
            return other
    return node


def _without_repeats(nodes: tuple[Any, ...], made: list[Any]) -> list[Any]:
    """Return the cases of a value without those that have become what holds for all others."""
    match made:
        case [*cases, ast.ValueCase(patterns=(), value=ex.Number(value=usual)) as last] if cases:
            written = [n for n in nodes if isinstance(n, ast.ValueCase) and isinstance(n.value, ex.Number)]
            kept = [c for c in cases if c in written or c.value != ex.Number(usual, span=c.value.span)]
            return [*kept, last]
    return made


def _fits_nothing(loop: st.For | st.InTurn | st.AtOnce) -> bool:
    selections = loop.selections if isinstance(loop, st.For) else (loop.selection,)
    return any(isinstance(one.where, ex.Bool) and not one.where.value for one in selections)


def _joined(node: ex.Logic) -> ex.Expr:
    for side, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(side, ex.Bool):
            return side if side.value == (node.op == "or") else other
    return node
