"""Print expressions as Python expressions: one case for each node of `core`, for a program that is optimised.

The text is pure and stays an expression, so that it can stand inside comprehensions; what Python can say only with
statements is a call of `interpreter.engine.support`.  A function that can fail is given the site (`at`) of the
statement or definition around it.  A set of cards is chosen by the cheapest algorithm of `interpreter.engine.sets` that
its condition allows (`interpreter.analysis.sum_tables`).

Identifiers are the names of the spec where they are ASCII, numbers elsewhere.  Names of variables, zones, locals of
statements and tables are written in upper case; no name of the runtime but those in `RESERVED` is.  Functions have a
prefix (`f_`, `phase_`, `legal_`, ..), and the names that an expression binds end in their number (`card_12`).  So no
name of a spec represents a name of Python or of the runtime.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import PurePath
from typing import assert_never

from grammar.source import Span
from interpreter.analysis import core, sum_tables, types
from interpreter.analysis.budget import PRINT, spend
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.limits import RANGE_LIMIT
from interpreter.analysis.substitution import key
from interpreter.analysis.symbols import Local, Zone
from interpreter.program.card_tables import CardFunctions, CardTables, definitions_of_cards
from interpreter.program.facts import (
    Totality,
    are_disjoint,
    is_disjoint_for_each,
    is_players,
    is_tagged,
    operands,
    reaches_rules,
    whole_zones,
)
from interpreter.program.layout import Layout
from interpreter.program.nodes import Program

RESERVED = frozenset({
    "APPLY", "BEGIN", "FACES", "INVARIANTS", "LEGAL", "ORIGINS", "PICKED", "PLAYERS",
    "PROMPT", "ROTATIONS", "RUN", "PROFILED",
})  # fmt: skip
"""The names in upper case that the runtime gives or looks for."""

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def is_identifier(name: str) -> bool:
    """Say whether a name of a spec can be part of an identifier as it is."""
    return _IDENTIFIER.fullmatch(name) is not None


def _function_names(*kinds: Iterable[tuple[str, Define | Phase]]) -> dict[object, str]:
    """Return names with a prefix; one that is no identifier, or that something else has, is the number."""
    found: dict[object, str] = {}
    for prefix, of in chain(*kinds):
        name = f"{prefix}_{of.name}"
        found[of] = name if is_identifier(name) and name not in found.values() else f"{prefix}_{of.number}"
    return found


class ExpressionPrinter:
    """Prints the expressions of one program; `tables` are the objects that its text refers to."""

    def __init__(self, program: Program, layout: Layout, prefix: str = "") -> None:
        self.program = program
        self.rules = program.rules
        self.layout = layout
        self.cards = CardTables(program.rules)
        self.prefix = ""
        self.tables: dict[str, object] = {}
        self.constants: dict[str, int] = {}
        """The numbers of slots and places by name, in the order of the state."""
        self.bound: dict[Local, str] = {}
        self._used = set(RESERVED)
        self._upper: dict[object, str] = {}
        self._labels: dict[int, str] = {}
        self._fresh = 0
        families: tuple[Zone | Variable, ...] = (*program.variables, *self.rules.zones)
        for family in families:
            self._constant(family, family.name, family.base)
        for local, slot in layout.local_slots.items():
            self._constant(local, local.name, slot)
        for phase, slot in layout.returns.items():
            self._constant(phase, f"return_{phase.name}", slot)
        self.prefix = prefix
        self._functions = _function_names(
            (("f", d) for d in self.rules.defines), (("phase", p) for p in self.rules.phases)
        )
        self.tabulated = frozenset(definitions_of_cards(program.rules, logged=False))
        self.totality = {recording: Totality(layout, logged=recording) for recording in (True, False)}
        self.functions = {
            recording: CardFunctions(frozenset(definitions_of_cards(program.rules, logged=recording)))
            for recording in (True, False)
        }
        self.at = 0
        """The site of the statement or definition that is printed."""
        self.measures: dict[core.SetFold, str] = {}
        self.recording = True
        """Whether what is printed records the rules that it reaches."""

    def _constant(self, of: object, name: str, number: int) -> None:
        self._upper[of] = self._unique(name)
        self.constants[self._upper[of]] = number

    def _unique(self, name: str) -> str:
        """Return a name in upper case that nothing else has."""
        first = self.prefix + (name.upper() if is_identifier(name) else "NAME")
        found, number = first, 1
        while found in self._used:
            number += 1
            found = f"{first}_{number}"
        self._used.add(found)
        return found

    # ---- what the state holds

    def family(self, family: Zone | Variable) -> str:
        """Return the name of the first place of a zone, or the first slot of a variable."""
        return self._upper[family]

    def slot(self, local: Local) -> str:
        """Return the slot of a local of a statement, as text."""
        return f"v[{self._upper[local]}]"

    def return_slot(self, phase: Phase) -> str:
        """Return the slot that says where a phase was called, as text."""
        return f"v[{self._upper[phase]}]"

    def local(self, local: Local) -> str:
        """Return the text of a local name."""
        return self.bound[local] if local in self.bound else self.slot(local)

    def fresh(self, local: Local | None = None) -> str:
        """Return a name for a value inside an expression, that of a local where it has one."""
        self._fresh += 1
        name = "x" if local is None or not is_identifier(local.name) else local.name
        return f"{self.prefix.lower()}{name}_{self._fresh}"

    @contextmanager
    def binding(self, names: Mapping[Local, str]) -> Iterator[None]:
        """Give locals a text inside the block."""
        before = self.bound
        self.bound = {**before, **names}
        try:
            yield
        finally:
            self.bound = before

    # ---- functions

    def define(self, define: Define) -> str:
        """Return the name of the function of a definition."""
        return self._functions[define]

    def phase(self, phase: Phase) -> str:
        """Return the name of the function of a phase."""
        return self._functions[phase]

    def label(self, node: int, word: str) -> str:
        """Return what the functions of a node are called after; a word represents the first node that has it."""
        if node not in self._labels:
            taken = word in self._labels.values() or not is_identifier(word)
            self._labels[node] = f"{word}_{node}" if taken and is_identifier(word) else str(node) if taken else word
        return self._labels[node]

    # ---- tables

    def table(self, key: object, value: object, name: str) -> str:
        """Return the name of an object, entering it once for each key."""
        return self.made(key, lambda: value, name)

    def made(self, key: object, make: Callable[[], object], name: str) -> str:
        """Return the name of an object, made and entered once for each key."""
        if key not in self._upper:
            self._upper[key] = self._unique(name)
            self.tables[self._upper[key]] = make()
        return self._upper[key]

    def text(self, text: str) -> str:
        """Return the name of a text of the spec, which never is in the code itself."""
        return self.table(("text", text), text, f"text_{len(self.tables)}")

    def location(self, span: Span) -> str:
        """Return the name of the words for a place in the spec, where steps are counted."""
        other = "" if span.source.name == self.rules.source_name else f" of {PurePath(span.source.name).name}"
        return self.text(f"line {span.line}{other}")

    def attribute_table(self, name: str) -> str:
        """Return the table of an attribute: its value for each card, None where it has none."""
        return self.made(("attribute", name), lambda: self.cards.attribute(name), name)

    def kind_table(self, test: core.KindTest) -> tuple[str, list[tuple[str, core.Expr]]]:
        """Return the table of cards that pass a test, and the parts of the test that play must decide."""
        passing, open_ = self.cards.passing(test)
        name = f"is_{next(iter(test.kinds))}" if len(test.kinds) == 1 else "is_kind"
        return self.table(("kind", tuple(passing)), passing, name), open_

    # ---- expressions

    def stand(self, span: Span) -> int:
        """Print from here on for a place in the spec; return its site."""
        self.at = self.program.sites.number(span)
        return self.at

    def value(self, expr: core.Expr) -> str:
        """Return the text of an expression."""
        spend(PRINT)
        if (found := self.end_of_place(expr)) is not None:
            cards, end = found
            return f"({cards}[{end}] if {cards} else None)"
        if (table := self.table_of(expr)) is not None:
            return f"{table[0]}[{self.local(table[1])}]"
        match expr:
            case core.Const():
                return repr(expr.value)
            case core.LocalRef():
                return self.local(expr.local)
            case core.VarRef():
                return f"v[{self.index(expr.variable, expr.index)}]"
            case core.ZoneRef():
                return self.cards_of(expr)
            case core.CardAttr():
                return self.looked_up(self.attribute_table(expr.name), expr.card)
            case core.EnumAttr():
                return self.looked_up(self.table(("enum", expr.table), expr.table, "table"), expr.value)
            case core.Op():
                return self.operation(expr)
            case core.IsKind():
                return self.is_kind(expr)
            case core.IsNone():
                return f"({self.value(expr.value)} is None)"
            case core.IsIn():
                return self.is_in(expr)
            case core.Range():
                return self.range(expr)
            case core.Select():
                return self.select(expr)
            case core.Fold():
                return self.fold(expr)
            case core.Extreme():
                return self.extreme(expr)
            case core.Sorted(binder=binder, by=by):
                return f"sorted({self.kept(binder)}, key={self.key(by, binder.local)})"
            case core.CallDefine():
                return self.call(expr)
            case core.Builtin():
                return self.builtin(expr)
            case core.CardAt():
                return self.card_at(expr)
            case core.Chain():
                return self.chain(expr)
            case core.TupleOf():
                return "(" + ", ".join(self.value(i) for i in expr.items) + ",)"
            case core.SetFoldRef():
                return self.measures[expr.fold]
            case core.SomeSubset():
                return self.some_subset(expr)
            case core.Subsets():
                return self.subsets(expr)
            case core.Rests():
                return self.rests(expr)
            case _:
                assert_never(expr)

    # ---- places

    def index(self, family: Zone | Variable, index: tuple[core.Expr, ...]) -> str:
        """Return the number of a place or variable of a family, as text."""
        terms: list[str] = []
        offset, stride = 0, 1
        for expr, type_, size in reversed(list(zip(index, family.indices, family.sizes, strict=True))):
            low = types.range_low(type_)
            if isinstance(expr, core.Const) and expr.value is not None:
                offset += (int(expr.value) - low) * stride
            else:
                text = self.value(expr)
                if isinstance(type_, types.Int) and not types.lies_within(expr.type, type_.low, type_.high):
                    text = f"checked_index({text}, {low}, {low + size - 1}, {self.at})"
                offset -= low * stride
                terms.insert(0, text if stride == 1 else f"{text} * {stride}")
            stride *= size
        return " + ".join([self.family(family), *terms]) + (
            f" {'+' if offset > 0 else '-'} {abs(offset)}" if offset else ""
        )

    def place(self, zone: core.ZoneRef) -> str:
        """Return the number of a zone's place, as text."""
        return self.index(zone.zone, zone.index)

    def cards_of(self, zone: core.ZoneRef) -> str:
        """Return the list of a zone's cards, all of which are known when it is read."""
        text = f"z[{self.place(zone)}]"
        return f"known(st, {text})" if self.layout.may_be_unknown(zone.zone) else text

    def raw(self, group: core.Expr) -> str:
        """Return a group of cards of which it only matters how many there are, or whether there are any."""
        zones = whole_zones(group)
        if not zones:
            return self.value(group)
        text = " + ".join(f"z[{self.place(zone)}]" for zone in zones)
        return text if len(zones) == 1 else f"({text})"

    def card_at(self, expr: core.CardAt) -> str:
        """Return the card at a place, which alone must be known; absent where there is none."""
        # The lowest of a zone without an order is known when all of its cards are.
        is_ordered = isinstance(expr.zone, core.ZoneRef) and expr.zone.zone.kind != "cards"
        cards = self.raw(expr.zone) if is_ordered else self.value(expr.zone)
        match expr.at:
            case "top" | "bottom" as end:
                return f"end_of(st, {cards}, {0 if end == 'top' else -1})"
            case number:
                return f"card_at(st, {cards}, {self.value(number)})"

    def spot(self, at: core.Spot | None) -> str:
        """Return the number of the place where cards go: 0 is the top of a pile or the end of a row, -1 the bottom."""
        return "0" if at is None or at == "top" else "-1" if at == "bottom" else f"max(1, {self.value(at)})"

    def end_of_place(self, expr: core.Expr) -> tuple[str, int] | None:
        """Return the list and the position of a card at an end of a place that can be read twice, else None.

        Its cards are known, and its indices are values that lie ready.
        """
        match expr:
            case core.CardAt(at="top" | "bottom" as at, zone=core.ZoneRef() as zone):
                end = 0 if at == "top" else -1
            case core.Select(
                which="first" | "last" as which,
                count=None,
                binder=core.Binder(start=None, where=None, domain=core.ZoneRef() as zone),
            ):
                end = 0 if which == "first" else -1
            case _:  # No other is a card at an end of a place.
                return None
        ready = all(isinstance(index, core.Const | core.LocalRef | core.VarRef) for index in zone.index)
        return (f"z[{self.place(zone)}]", end) if ready and not self.layout.may_be_unknown(zone.zone) else None

    def looked_up(self, table: str, key: core.Expr) -> str:
        """Return an entry of a table, absent where the key is."""
        if (found := self.end_of_place(key)) is not None:
            cards, end = found
            return f"({table}[{cards}[{end}]] if {cards} else None)"
        text = self.value(key)
        return f"at({table}, {text})" if types.is_optional(key.type) else f"{table}[{text}]"

    # ---- operators

    def operation(self, expr: core.Op) -> str:
        """Return an operator."""
        if expr.op == "not":
            return self.negation(expr.args[0])
        if expr.op in ("and", "or", "+"):
            return f"({f' {expr.op} '.join(map(self.value, operands(expr, expr.op)))})"
        args = [self.value(a) for a in expr.args]
        match expr.op:
            case "-" | "*" | "<" | "<=" | ">" | ">=":
                return f"({args[0]} {expr.op} {args[1]})"
            case "neg":
                return f"(-{args[0]})"
            case "mod" | "/down" | "/up" | "/nearest":
                return self.division(expr.op, args[0], expr.args[1], args[1])
            case "==" | "!=":
                if not all(types.is_optional(a.type) for a in expr.args):
                    return f"({args[0]} {expr.op} {args[1]})"
                # Two absent values are not equal.
                return f"({'' if expr.op == '==' else 'not '}{args[0]} == {args[1]} is not None)"
            case "join":
                text = f"[{', '.join(self.joined(expr))}]"
                return f"unique({text})" if _may_repeat(expr) else text
            case "without":
                return f"without([{_spread(expr.args[0], args[0])}], [{_spread(expr.args[1], args[1])}])"
            case op:
                raise AssertionError(op)

    def negation(self, expr: core.Expr) -> str:
        """Return whether a condition fails, as a truth value."""
        match expr:
            case core.Builtin(name="empty", args=(group,)):
                return f"(len({self.raw(group)}) > 0)"
            case core.IsNone():
                return f"({self.value(expr.value)} is not None)"
            case core.Select(which="no"):
                return self.value(core.evolved(expr, which="some"))
        return f"(not {self.value(expr)})"

    def division(self, op: str, number: str, divisor: core.Expr, text: str) -> str:
        """Return a quotient or a remainder; a divisor that may be 0 is checked."""
        if not (isinstance(divisor, core.Const) and divisor.value):
            text = f"divisor({text}, {self.at})"
        match op:
            case "mod":
                return f"({number} % {text})"
            case "/down":
                return f"({number} // {text})"
            case "/up":
                return f"(-(-{number} // {text}))"
            case _:
                return f"nearest({number}, {text})"

    def joined(self, expr: core.Op) -> Iterator[str]:
        """Give what the list of a `join` is made of; a `join` inside it has no list of its own."""
        for part in expr.args:
            if isinstance(part, core.Op) and part.op == "join" and (_may_repeat(expr) or not _may_repeat(part)):
                yield from self.joined(part)
            else:
                yield _spread(part, self.value(part))

    def is_kind(self, expr: core.IsKind) -> str:
        """Return whether a card, which may be absent, fits a pattern."""
        table, open_ = self.kind_table(expr.test)
        if not open_ and (found := self.end_of_place(expr.card)) is not None:
            return f"({table}[{found[0]}[{found[1]}]] if {found[0]} else False)"
        card = self.value(expr.card)
        maybe = types.is_optional(expr.card.type)
        if not open_:
            return f"is_kind({table}, {card})" if maybe else f"{table}[{card}]"
        name = card if isinstance(expr.card, core.LocalRef) else self.fresh()
        tests = [f"{table}[{name}]", *(f"{self.attribute_table(a)}[{name}] == {self.value(e)}" for a, e in open_)]
        tests = [f"{name} is not None", *tests] if maybe else tests
        test = f"({' and '.join(tests)})"
        return test if name == card else f"(lambda {name}: {test})({card})"

    def is_in(self, expr: core.IsIn) -> str:
        """Return membership; what is absent is in nothing."""
        value = self.value(expr.value)
        if isinstance(expr.domain, core.Range):
            low, high = self.value(expr.domain.low), self.value(expr.domain.high)
            return (
                f"inside({value}, {low}, {high})"
                if types.is_optional(expr.value.type)
                else f"({low} <= {value} <= {high})"
            )
        if isinstance(expr.domain, core.Fold) and expr.domain.function == "values":
            return f"({value} in {self.mapped(expr.domain.value, expr.domain.binder)})"
        return f"({value} in {self.value(expr.domain)})"

    def range(self, expr: core.Range) -> str:
        """Return a range, which must not be too long to go through."""
        bound = expr.type.at_most if isinstance(expr.type, types.Sequence) else -1
        text = f"range({self.value(expr.low)}, {self.value(expr.high)} + 1)"
        if not 0 <= bound <= RANGE_LIMIT:
            return f"short({text}, {self.at})"
        return text

    # ---- groups

    def domain(self, binder: core.Binder) -> str:
        """Return what a binder goes through, in its rotation."""
        if binder.start is not None:
            start = self.value(binder.start)
            return (
                f"ROTATIONS[{start}]" if is_players(binder.domain) else f"rotated({self.value(binder.domain)}, {start})"
            )
        return self.value(binder.domain)

    @contextmanager
    def each(self, binder: core.Binder, domain: str = "") -> Iterator[tuple[str, str]]:
        """Give `x` and `for x in D if W` of a comprehension over a binder; `domain` replaces its own."""
        through = domain or self.domain(binder)
        name = self.fresh(binder.local)
        lets = [(local, self.fresh(), value) for local, value in binder.before]
        with self.binding({binder.local: name, **{local: once for local, once, _ in lets}}):
            first = "".join(f"for {once} in ({self.value(value)},) " for _, once, value in lets)
            kept = "" if binder.where is None else f" if {self.value(binder.where)}"
            yield name, f"{first}for {name} in {through}{kept}"

    def kept(self, binder: core.Binder) -> str:
        """Return what a binder keeps; the list itself where that is all of it."""
        if binder.where is None:
            text = self.domain(binder)
            return f"list({text})" if isinstance(binder.domain, core.Subsets) else text
        with self.each(binder) as (name, loop):
            return f"[{name} {loop}]"

    def going(self, binder: core.Binder) -> str:
        """Return the things that a statement goes through, which its body cannot change."""
        text = self.kept(binder)
        fixed = binder.where is not None or isinstance(binder.domain, core.Range | core.Fold | core.Builtin)
        return text if fixed else f"list({text})"

    def mapped(self, value: core.Expr, binder: core.Binder) -> str:
        """Return the values that an expression has over a binder, to be gone through once."""
        getter = None if binder.where is not None else self.getter(value, binder.local)
        if getter is not None:
            return f"map({getter}, {self.domain(binder)})"
        match value:
            case core.VarRef(variable=variable, index=(core.LocalRef(local=local),)) if (
                local is binder.local and is_players(binder.domain) and binder.start is None and binder.where is None
            ):
                first = self.family(variable)
                return f"v[{first}:{first} + {variable.places}]"
        with self.each(binder) as (_, loop):
            return f"[{self.value(value)} {loop}]"

    def any(self, test: core.Expr, binder: core.Binder) -> str:
        """Return whether a condition holds for something that a binder keeps."""
        match test:
            case core.Op(op="not", args=(core.Builtin(name="empty", args=(core.ZoneRef(zone, (index,)),)),)) if (
                isinstance(index, core.LocalRef) and index.local is binder.local and binder.start is None
                and is_players(binder.domain) and binder.where is None
            ):  # fmt: skip
                return f"any(z[{self.family(zone)}:{self.family(zone)} + {zone.places}])"
        getter = None if binder.where is not None else self.getter(test, binder.local)
        if getter is not None:
            return f"any(map({getter}, {self.domain(binder)}))"
        with self.each(binder) as (_, loop):
            text = f"{self.value(test)} {loop}"
        # A list is quicker; what may raise a fault, or counts steps, is evaluated up to the first hit.
        return (
            f"any([{text}])"
            if self.totality[self.recording].is_total(test, frozenset({binder.local}))
            else f"any({text})"
        )

    def getter(self, expr: core.Expr, card: Local) -> str | None:
        """Return a function that looks up what is fixed for each card, None where an expression is another."""
        table = self.table_of(expr)
        found = table[0] if table is not None and table[1] is card else None
        match expr:
            case core.CardAttr(card=core.LocalRef(local=local), name=name) if local is card:
                found = self.attribute_table(name)
            case core.IsKind(card=core.LocalRef(local=local), test=test) if local is card:
                table_of_kind, open_ = self.kind_table(test)
                found = None if open_ else table_of_kind
            case core.CallDefine(define=define, args=(core.LocalRef(local=local),)) if local is card:
                found = self.define_table(define) if self.is_looked_up(define) else None
        return None if found is None else f"{found}.__getitem__"

    def table_of(self, expr: core.Expr) -> tuple[str, Local] | None:
        """Return the table of what depends on one card alone and takes operations, and the card; else None."""
        if not isinstance(expr, core.Op | core.Chain) or isinstance(expr.type, types.Cards | types.Sequence):
            return None
        card = self.functions[self.recording].card_of(expr)
        if not isinstance(card, Local) or (self.recording and reaches_rules(expr)):
            return None
        return self.made(("values", key(expr)), lambda: self.values_of(expr, card), "of_card"), card

    def is_looked_up(self, define: Define) -> bool:
        """Say whether a table has all that a definition does: it depends on one card alone, and records no rule."""
        return define in self.tabulated and not (self.recording and is_tagged(define))

    def define_table(self, define: Define) -> str:
        """Return the table of a definition that depends on one card alone."""
        value = define.value
        assert value is not None
        return self.made(value, lambda: self.values_of(value, define.params[0]), define.name)

    def values_of(self, expr: core.Expr, card: Local) -> list[object]:
        """Return the value of an expression for each card."""
        table = self.cards.of(expr, card)
        truths = isinstance(types.base_of(expr.type), types.Bool)
        return [None if value is None else bool(value) for value in table] if truths else table

    def select(self, expr: core.Select) -> str:
        """Return a selection."""
        binder = expr.binder
        match expr.which:
            case "some" | "no":
                found = None if binder.where is None else self.any(binder.where, _all(binder))
                if expr.which == "no":
                    return f"(not {found or self.domain(binder)})"
                return found or f"(len({self.domain(binder)}) > 0)"
            case "count":
                return f"len({self.kept(binder)})"
            case "all":
                return f"list({self.domain(binder)})" if binder.where is None else self.kept(binder)
            case "first" | "last" as which:
                if expr.count is not None:
                    return f"{which}_few({self.kept(binder)}, {self.value(expr.count)})"
                if binder.where is None and binder.start is None and isinstance(binder.domain.type, types.Cards):
                    return f"end_of(st, {self.domain(binder)}, {0 if which == 'first' else -1})"
                domain = self.domain(binder) if which == "first" else f"reversed({self.domain(binder)})"
                getter = None if binder.where is None or binder.before else self.getter(binder.where, binder.local)
                if getter is not None:
                    return f"next(filter({getter}, {domain}), None)"
                with self.each(binder, domain) as (name, loop):
                    return f"next(({name} {loop}), None)"
            case which:
                assert_never(which)

    def fold(self, expr: core.Fold) -> str:
        """Return a sum, a union, or the like."""
        match expr.function:
            case "values":
                return f"{{*{self.mapped(expr.value, expr.binder)}}}"
            case "ascending":
                return f"sorted({{*{self.mapped(expr.value, expr.binder)}}})"
            case "union":
                return self.union(expr.value, expr.binder)
            case "sum":
                return f"sum({self.mapped(expr.value, expr.binder)})"
            case "max" | "min":
                # There is always a player.
                some = is_players(expr.binder.domain) and expr.binder.where is None
                return f"{expr.function}({self.mapped(expr.value, expr.binder)}{'' if some else ', default=None'})"
            case "same":
                return f"(len({{*{self.mapped(expr.value, expr.binder)}}}) <= 1)"
            case "different":
                return f"distinct({self.mapped(expr.value, expr.binder)})"
            case "consecutive":
                return f"consecutive({self.mapped(expr.value, expr.binder)})"
            case function:
                raise AssertionError(function)

    def union(self, value: core.Expr, binder: core.Binder) -> str:
        """Return the union of several groups; groups of cards from different places need no removal of duplicates."""
        disjoint = isinstance(value.type, types.Cards) and is_disjoint_for_each(value, binder.local)
        with self.each(binder) as (_, loop):
            inner = self.fresh()
            text = f"[{inner} {loop} for {inner} in {self.value(value)}]"
        return text if disjoint else f"unique({text})"

    def extreme(self, expr: core.Extreme) -> str:
        """Return the best of some things, or all that are so."""
        function = "max" if expr.which == "highest" else "min"
        if expr.ties:
            with self.each(expr.binder) as (name, loop):
                return f"all_extreme({function}, [({self.value(expr.by)}, {name}) {loop}])"
        return f"{function}({self.kept(expr.binder)}, key={self.key(expr.by, expr.binder.local)}, default=None)"

    def key(self, by: core.Expr, card: Local) -> str:
        """Return the function that things are compared by."""
        if (getter := self.getter(by, card)) is not None:
            return getter
        name = self.fresh(card)
        with self.binding({card: name}):
            return f"lambda {name}: {self.value(by)}"

    # ---- calls

    def builtin(self, expr: core.Builtin) -> str:
        """Return a function of the language."""
        match expr.name, expr.args:
            case "count", (group,):
                zones = whole_zones(group)
                if len(zones) < 2:
                    return f"len({self.raw(group)})"
                return f"({' + '.join(f'len(z[{self.place(zone)}])' for zone in zones)})"
            case "empty", (group,):
                return f"(not {self.raw(group)})"
            case "face", (card,):
                return self.looked_up("FACES", card)
            case "spent", (value, steps):
                return f"(spend(st, {self.value(steps)}, {self.location(expr.span)}) or {self.value(value)})"
            case "logged", _:
                return self.in_two_forms(expr, self.value)
            case "within", (value,):
                return self.bounded(self.value(value), types.base_of(expr.type))
            case "min" | "max" as name, args:
                return f"{name}({', '.join(map(self.value, args))})"
        return self.function(expr)

    def in_two_forms(self, expr: core.Builtin, printed: Callable[[core.Expr], str]) -> str:
        """Return what is printed for an expression with a form for plays that record rules, and one for others."""
        logged, plain = expr.args
        text = f"({printed(logged)} if st.logging else"
        self.recording = False
        try:
            return f"{text} {printed(plain)})"
        finally:
            self.recording = True

    def bounded(self, text: str, type_: types.Type) -> str:
        """Return a number with a check of its range."""
        low, high = (type_.low, type_.high) if isinstance(type_, types.Int) else (None, None)
        return f"bounded({text}, {low!r}, {high!r}, {self.at})"

    def function(self, expr: core.Builtin) -> str:
        """Return a function by its template, or a step round the table."""
        function, args = expr.function, [self.value(a) for a in expr.args]
        if function.python is not None:
            return function.python.format(*args, at=self.at)
        assert function.step is not None, expr.name
        around = types.base_of(expr.type)
        count = len(around.values) if isinstance(around, types.EnumType) else self.rules.num_players
        if types.is_optional(expr.args[0].type):
            return f"seat_after({args[0]}, {function.step(count)}, {count})"
        return f"(({args[0]} + {function.step(count)}) % {count})"

    def call(self, expr: core.CallDefine) -> str:
        """Return the value of a definition; absent where an argument is absent that must not be."""
        define, args = expr.define, [self.value(a) for a in expr.args]
        pairs = zip(expr.args, define.params, strict=True)
        absent = [
            place for place, (a, p) in enumerate(pairs) if types.is_optional(a.type) and not types.is_optional(p.type)
        ]
        names = [self.fresh() for _ in args] if absent else args
        call = f"{self.define(define)}({', '.join(['st', 'v', 'z', *names])})"
        if define in self.tabulated:
            looked_up = f"{self.define_table(define)}[{names[0]}]"
            call = looked_up if self.is_looked_up(define) else f"({call} if st.logging else {looked_up})"
        if not absent:
            return call
        missing = " or ".join(f"{names[place]} is None" for place in absent)
        nothing = "False" if isinstance(expr.type, types.Bool) else "None"
        return f"(lambda {', '.join(names)}: {nothing} if {missing} else {call})({', '.join(args)})"

    def chain(self, expr: core.Chain) -> str:
        """Return the first alternative that holds and, if it has no condition, is there."""
        text = "None"
        for place, (condition, value) in reversed(list(enumerate(expr.alternatives))):
            given, tags = self.value(value), expr.tags[place] if expr.tags and self.recording else ()
            last = place == len(expr.alternatives) - 1
            if tags and (condition is not None or last):
                given = self.reached(tags, given)
            if condition is not None:
                text = f"({given} if {self.value(condition)} else {text})"
            elif last:
                text = given
            elif isinstance(value, core.LocalRef) and not tags:
                text = f"({text} if {given} is None else {given})"
            else:
                name = self.fresh()
                found = self.reached(tags, name) if tags else name
                text = f"(lambda {name}: {text} if {name} is None else {found})({given})"
        return text

    def reached(self, tags: tuple[str, ...], text: str) -> str:
        """Return a value, and record that rules were reached."""
        return f"(st.logging and st.reach({self.table(('tags', tags), tags, 'tags')}) or {text})"

    # ---- sets

    def set_choice(self, arg: core.Arg, cards: str) -> str:
        """Return the algorithm that knows which picks of a set can be completed; `cards` are in ascending order."""
        least, most = sum_tables.number_of_cards(arg, self.totality[True].is_total)
        low, high = "0" if least is None else self.value(least), "None" if most is None else self.value(most)
        condition = arg.on_set
        if condition is None:
            return f"Plain({cards}, {low}, {high})"
        match sum_tables.algorithm_of(arg):
            case "plain":
                return f"Plain({cards}, {low}, {high} if {self.value(condition.condition)} else -1)"
            case "hereditary":
                test, fair = self.hereditary(condition)
                # Where not even the empty set is good, none is.
                return f"Hereditary(st, {cards}, {low}, {f'{high} if {fair} else -1' if fair else high}, {test})"
            case "sums":
                fold, values = condition.folds[0], self.fresh()
                name, added = self.added(fold)
                good = self.sums_that(condition.condition, f"sums({values})", fold)
                return f"(lambda {values}: Sums({cards}, {low}, {values}, {good}))([{added} for {name} in {cards}])"
            case "measures":
                return self.measured(condition, cards, low, high)

    def some_subset(self, expr: core.SomeSubset) -> str:
        """Return whether some subset of cards fulfils a condition on measures."""
        if expr.before:
            names = {local: self.fresh() for local, _ in expr.before}
            with self.binding(names):
                text = self.some_subset(core.evolved(expr, before=()))
            return f"(lambda {', '.join(names.values())}: {text})({', '.join(self.value(v) for _, v in expr.before)})"
        cards, condition = self.value(expr.cards), expr.such_that
        if expr.low is None and expr.high is None and sum_tables.is_one_sum(condition):
            name, value = self.added(condition.folds[0])
            sums = f"sums([{value} for {name} in {cards}])"
            return f"({self.sums_that(condition.condition, sums, condition.folds[0])} != 0)"
        low = "0" if expr.low is None else self.value(expr.low)
        high = "None" if expr.high is None else self.value(expr.high)
        if not condition.folds:
            return f"Plain(sorted({cards}), {low}, {high} if {self.value(condition.condition)} else -1).possible()"
        return f"{self.measured(condition, f'sorted({cards})', low, high)}.possible()"

    def subsets(self, expr: core.Subsets) -> str:
        """Return the subsets of cards, to be gone through once."""
        low = "0" if expr.low is None else self.value(expr.low)
        high = "None" if expr.high is None else self.value(expr.high)
        cards, part = f"sorted({self.value(expr.cards)})", "None"
        if expr.part is not None:
            name = self.fresh()
            with self.binding({expr.local: name}):
                part = f"lambda {name}: {self.value(expr.part)}"
        return f"subsets({cards}, {low}, {high}, {part}{', anchored=True' if expr.anchored else ''})"

    def rests(self, expr: core.Rests) -> str:
        """Return the list of what groups leave of cards."""
        whole, kinds = self.fresh(), []
        with self.binding({expr.whole: whole}):
            for group in expr.groups:
                low, high = ("None" if bound is None else self.value(bound) for bound in (group.low, group.high))
                kinds.append(f"({low}, {high}, lambda {whole}: {self.value(group.sets)})")
        found = f"rests(st, {whole}, ({', '.join(kinds)},), {expr.exact}, {self.location(expr.span)})"
        return f"(lambda {whole}: {found})(sorted({self.value(expr.cards)}))"

    def measured_at(self, fold: core.SetFold, card: str) -> str:
        """Return the value of a measure for one card."""
        with self.binding({fold.card: card}):
            return "1" if fold.value is None else self.value(fold.value)

    def added(self, fold: core.SetFold) -> tuple[str, str]:
        """Return a name for a card and the text of what it adds to a measure; None where it is left out."""
        name = self.fresh(fold.card)
        value = self.measured_at(fold, name)
        if fold.where is not None:
            with self.binding({fold.card: name}):
                nothing = "0" if fold.function in ("sum", "count") else "None"
                value = f"({value} if {self.value(fold.where)} else {nothing})"
        return name, value

    def measured(self, condition: core.SetCondition, cards: str, low: str, high: str) -> str:
        """Return the choice of a set by any condition on measures."""
        parts, names = [], []
        for fold in condition.folds:
            name, value = self.added(fold)
            parts.append(f"({fold.function!r}, lambda {name}: {value})")
            names.append(self.fresh())
            self.measures[fold] = names[-1]
        test = f"lambda {', '.join(names)}: {self.value(condition.condition)}"
        needed = sum_tables.needed(condition)
        needs = "".join(f"{place}, " for place, fold in enumerate(condition.folds, 1) if fold in needed)
        return f"Measures({cards}, {low}, {high}, ({', '.join(parts)},), {test}{f', needs=({needs})' if needs else ''})"

    def sums_that(self, condition: core.Expr, sums: str, fold: core.SetFold) -> str:
        """Return the sums, a bit for each, for which a condition on the one measure holds, among those given."""
        if (bound := sum_tables.bound_of(condition, fold)) is not None:
            return f"bits_that({sums}, {bound[0]!r}, {self.value(bound[1])})"
        match condition:
            case core.Const(value=bool(value)):
                return sums if value else "0"
            case core.Op(op="and", args=(left, right)):
                return self.sums_that(right, self.sums_that(left, sums, fold), fold)
            case core.Op(op="or" | "not", args=args):
                name = self.fresh()
                parts = [self.sums_that(arg, name, fold) for arg in args]
                joined = f"{name} & ~{parts[0]}" if condition.op == "not" else " | ".join(parts)
                return f"(lambda {name}: {joined})({sums})"
            case core.CallDefine() if sum_tables.opened(condition) is not condition:
                return self.sums_that(sum_tables.opened(condition), sums, fold)
            case core.SomeSubset() if sum_tables.is_sum_against_sum(condition, fold):
                # Some subset there has the same sum as this set: the two tables, one over the other.
                name, added = self.added(condition.such_that.folds[0])
                return f"({sums} & sums([{added} for {name} in {self.value(condition.cards)}]))"
        # Other conditions are tested sum by sum.
        self.measures[fold] = number = self.fresh()
        return f"bits_where({sums}, lambda {number}: {self.value(condition)})"

    def hereditary(self, condition: core.SetCondition) -> tuple[str, str]:
        """Return a test `(picked, card) -> bool`, and when the empty set is good (no text: always)."""
        tests, fair = [], []
        picked, card = self.fresh(), self.fresh()
        for part in sum_tables.conjuncts(condition.condition):
            match part:
                case core.Op(op=op, args=(core.SetFoldRef(fold=fold), bound)):
                    name, value = self.added(fold)
                    tests.append(f"sum([{value} for {name} in (*{picked}, {card})]) {op} {self.value(bound)}")
                    fair.append(f"0 {op} {self.value(bound)}")
                case core.SetFoldRef(fold=fold):
                    new = self.measured_at(fold, card)
                    if fold.function == "same":
                        tests.append(f"(not {picked} or {new} == {self.measured_at(fold, f'{picked}[0]')})")
                    else:
                        name, value = self.added(fold)
                        tests.append(f"{new} not in [{value} for {name} in {picked}]")
        return f"lambda {picked}, {card}: {' and '.join(tests)}", " and ".join(fair)


def _all(binder: core.Binder) -> core.Binder:
    """Return a binder that keeps everything."""
    return core.evolved(binder, where=None)


def _may_repeat(expr: core.Op) -> bool:
    """Say whether something may occur twice in what is joined, and must not."""
    return isinstance(expr.type, types.Cards) and not are_disjoint(expr.args)


def _spread(expr: core.Expr, text: str) -> str:
    return f"*{text}" if isinstance(expr.type, types.Cards | types.Sequence) else text
