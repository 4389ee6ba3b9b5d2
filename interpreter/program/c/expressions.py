"""Print expressions as C: values, conditions, groups of cards, and choices of sets of cards.

What a method returns is the text of a value that can be read any number of times: it changes nothing and fails nowhere.
Everything that takes a loop, a branch or a check is printed in front, as statements (three-address code), so that
faults come in the order of the rules.  A part that is evaluated only sometimes (`and`, `or`, a chain) is printed inside
a branch.

Numbers, players, cards and truth values are `i64`, absence is `NONE`.  A group of cards whose order does not matter is
a set of bits (`interpreter.program.c.layout`).  A condition on a card that is total (it fails nowhere, so it may be
evaluated for all cards at once) is a set too, out of tables that are known now: `and`, `or` and `not` are operations on
words.  What is left of a condition is evaluated card by card.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import prod
from typing import Literal, assert_never

import msgspec

from interpreter.analysis import core, sum_tables, types
from interpreter.analysis.budget import PRINT, spend
from interpreter.analysis.constant_folding import COMPARISONS
from interpreter.analysis.core import Variable
from interpreter.analysis.limits import NUMBER_LIMIT, RANGE_LIMIT
from interpreter.analysis.substitution import key, substitute
from interpreter.analysis.symbols import Local, Zone
from interpreter.program.c.iteration import SETS, WORDS, Growing, MaskForm, Prefix
from interpreter.program.c.layout import CLayout, is_key, is_set, list_bound, name_of, width_of
from interpreter.program.c.names import SIMPLE, NamePrinter, number
from interpreter.program.facts import (
    are_disjoint,
    is_disjoint_for_each,
    is_players,
    operands,
    whole_zones,
)
from interpreter.program.nodes import Program

NONE_THERE = "there is none, though the rule says `the`"
"""The message of the fault of `the` with an absent value."""

_SAFE = 2**61
"""The sum of two numbers within this bound cannot overflow."""

Body = Callable[[str], None]
"""Prints what is done with one thing of a group, given its name."""

Branchless = Callable[[str, str], None]
"""Prints what is done with one thing of a group, given its name and a condition that may not hold."""

_FEW_VALUES = 4
"""The most values of cards for which a sum is a sum of counts."""

_LONGEST_TABLE = 1_024
"""The most values for which there is a table of masks."""

TOO_MANY_DIVISIONS = "these cards can be divided into groups in too many ways"
TOO_MANY_STEPS = "too many steps and no decision"
FEW_BITS = 64
"""The range of values that are kept as bits of one word."""


def is_picked_set(expr: core.Expr) -> bool:
    """Say whether an expression is one set out of a domain of sets of cards."""
    one = isinstance(expr, core.Select | core.Extreme) and isinstance(expr.binder.domain, core.Subsets | core.Rests)
    return one and isinstance(types.base_of(expr.type), types.Cards)


class Place(msgspec.Struct, frozen=True):
    """A place of cards in the printed text: its number among all places and in its family, and its fields."""

    zone: Zone
    number: str
    index: str
    cards: str
    count: str
    """The field of the number of its cards; empty where they are a set."""

    @property
    def set(self) -> str:
        """The set of its cards."""
        return self.cards if not self.count else f"set_of({self.cards}, {self.count})"

    @property
    def need(self) -> str:
        """The statement that its cards must be known.

        They are requested in the order in which they lie; where they lie without one, in that of their tokens.
        """
        return f"NEED(need_place(s, {self.number}));"


class ExpressionPrinter(NamePrinter, ABC):
    """Prints the expressions of one program, and choices of sets."""

    def __init__(self, program: Program, layout: CLayout, *, tagged: bool = False) -> None:
        super().__init__(program, layout, tagged=tagged)
        self.growing: dict[str | int, Growing] = {}
        """The measures of the subsets that loops go through, by the names of these."""
        self.words: dict[Local, str] = {}
        """Words of the numbers for which prefix conditions hold, whose steps are counted; by their name for one."""

    # ---- one value

    def value(self, expr: core.Expr) -> str:
        """Return the text of one value."""
        spend(PRINT)
        table = self._table_of(expr)
        if table is not None:
            return table
        match expr:
            case core.Const():
                return "NONE" if expr.value is None else number(int(expr.value))
            case core.LocalRef():
                return self.read_local(expr.local)
            case core.VarRef():
                place = self.variable(expr.variable, expr.index)
                return self.layout.stored(expr.variable.type).read(place)
            case core.CardAttr():
                table = self.numbers_constant(self.tables.attribute(expr.name))
                return self.at(table, self.value(expr.card), optional=types.is_optional(expr.card.type))
            case core.EnumAttr():
                table = self.numbers_constant(expr.table)
                return self.at(table, self.value(expr.value), optional=types.is_optional(expr.value.type))
            case core.Op(op="join" | "without"):
                raise AssertionError("a group is no number")
            case core.Op(op="and" | "or" | "not" | "==" | "!=" | "<" | "<=" | ">" | ">="):
                return f"(i64)({self.condition(expr)})"
            case core.Op():
                return self._sum(expr)
            case core.Select(which="some" | "no") | core.Fold(function="same" | "different" | "consecutive"):
                return f"(i64)({self.condition(expr)})"
            case core.IsKind() | core.IsNone() | core.IsIn() | core.SomeSubset():
                return f"(i64)({self.condition(expr)})"
            case core.Select(which="count"):
                return self._count(expr.binder)
            case core.Select(which="first" | "last" as which):
                return self._end(which, expr.binder)
            case core.Fold():
                return self._fold(expr)
            case core.Extreme():
                return self._extreme(expr)
            case core.CallDefine():
                return self._call(expr)
            case core.Builtin():
                return self._builtin(expr)
            case core.CardAt():
                return self._card_at(expr)
            case core.Chain():
                return self._chain(expr, lambda value: self.value(value), "NONE", "i64")
            case core.SetFoldRef():
                return self.measures[expr.fold]
            case (
                core.Select() | core.Sorted() | core.Range() | core.ZoneRef() | core.TupleOf() | core.Subsets()
                | core.Rests()
            ):  # fmt: skip
                raise AssertionError("a group is no number")
            case _:
                assert_never(expr)

    def _table_of(self, expr: core.Expr) -> str | None:
        """Return a look-up of what depends on one card alone, and is more than to look up once."""
        if isinstance(expr, core.LocalRef | core.Const | core.CardAttr | core.Range | core.TupleOf):
            return None
        if isinstance(types.base_of(expr.type), types.Cards | types.Sequence | types.Tuple):
            return None
        card = self.functions.card_of(expr)
        counted = self.totality.logged and isinstance(expr, core.Chain) and any(expr.tags)
        if not isinstance(card, Local) or counted:
            return None
        table = self.numbers_constant(self._known(expr, card))
        return f"(i64){table}[{self.read_local(card)}]"

    def _known(self, expr: core.Expr, card: Local) -> list[int | None]:
        """Return what an expression comes to for each card; no rule looks at cards of which it cannot be queried."""
        found = self.tables.of(expr, card)
        known = next((value for value in found if value is not None), 0)
        may_be_absent = types.is_optional(expr.type)
        return [known if value is None and not may_be_absent else value for value in found]

    def _sum(self, expr: core.Op) -> str:
        args = [self.value(arg) for arg in expr.args]
        if expr.op in ("+", "-", "*"):
            if is_small(expr.type) and all(is_small(arg.type) for arg in expr.args):
                return f"({f' {expr.op} '.join(args)})"
            function = {"+": "plus_", "-": "minus_", "*": "times_"}[expr.op]
            text = args[0]
            for other in args[1:]:
                text = f"{function}({text}, {other})"
            return text
        by = self.named(args[1])
        if not (isinstance(expr.args[1], core.Const) and expr.args[1].value):
            fault = self.fail("CG809", "a division by zero")
            name = self.fresh()
            self.text.add(f"i64 {name} = {by};")
            self.text.add(f"if (!{name}) {{ {fault} {name} = 1; }}")
            by = name
        names = {"mod": "mod_", "/down": "div_down", "/up": "div_up", "/nearest": "div_nearest"}
        return f"{names[expr.op]}({args[0]}, {by})"

    def _count(self, binder: core.Binder) -> str:
        if self._is_cards(binder.domain):
            return f"(i64)set_count({self._kept(binder)})"
        name = self.fresh()
        self.text.add(f"i64 {name} = 0;")
        self._each_kept(binder, lambda _: self.text.add(f"{name}++;"), ordered=False)
        return name

    def _end(self, which: Literal["first", "last"], binder: core.Binder) -> str:
        """Return the first or last of what a binder keeps."""
        if self._is_cards(binder.domain) and binder.start is None and binder.where is None:
            end: Literal["top", "bottom"] = "top" if which == "first" else "bottom"
            return self._card_at(core.CardAt(end, binder.domain, binder.local.type, binder.domain.span))
        ascends = self._is_cards(binder.domain) and binder.start is None and self.layout.order.ascends(binder.domain)
        if ascends and (self._is_bit_set(binder) or which == "last"):
            return f"set_{which}({self._kept(binder)})"
        name = self.fresh()
        self.text.add(f"i64 {name} = NONE;")
        if which == "last":
            self._each_kept(binder, lambda item: self.text.add(f"{name} = {item};"))
            return name
        self._until(lambda stop: self._each_kept(binder, lambda item: self.text.add(f"{name} = {item}; {stop}")))
        return name

    def _until(self, printed: Callable[[str], None]) -> None:
        """Print something that can be left early by the statement that it is given."""
        label = f"L{self.fresh()}"
        printed(f"goto {label};")
        self.text.add(f"{label}:;")

    def _fold(self, expr: core.Fold) -> str:
        name = self.fresh()
        match expr.function:
            case "sum" if (grown := self._grown_sum(expr)) is not None:
                return grown
            case "sum" if (counted := self._sum_by_value(expr)) is not None:
                return counted
            case "sum":
                self.text.add(f"i64 {name} = 0;")

                def add(_: str) -> None:
                    value = self.value(expr.value)
                    small = is_small(expr.type) and is_small(expr.value.type)
                    self.text.add(f"{name} += {value};" if small else f"{name} = plus_({name}, {value});")

                self._each_kept(expr.binder, add, ordered=False)
            case "max" | "min" as which:
                self.text.add(f"i64 {name} = NONE;")

                def compare(_: str) -> None:
                    value = self.named(self.value(expr.value))
                    sign = ">" if which == "max" else "<"
                    self.text.add(f"if ({name} == NONE || {value} {sign} {name}) {name} = {value};")

                self._each_kept(expr.binder, compare, ordered=False)
            case function:
                raise AssertionError(function)
        return name

    def _sum_by_value(self, expr: core.Fold) -> str | None:
        """Return a sum over a set of cards as counts of those with each value, where these are few and known."""
        binder = expr.binder
        if binder.start is not None or not self._is_cards(binder.domain) or not self._is_bit_set(binder):
            return None
        if self.functions.card_of(expr.value) is not binder.local or not is_small(expr.type):
            return None
        known = self._known(expr.value, binder.local)
        values = sorted({value for value in known if value})
        if None in known or len(values) > _FEW_VALUES:
            return None
        kept = self.named(self._kept(binder), "set_t")
        masks = [self.set_constant([card for card, of in enumerate(known) if of == value]) for value in values]
        counts = [
            f"{value} * (i64)set_count(set_and({kept}, {mask}))" for value, mask in zip(values, masks, strict=True)
        ]
        return f"({' + '.join(counts)})" if counts else "0"

    def _grown_sum(self, expr: core.Fold) -> str | None:
        """Return a sum over a whole subset as that of its cards but the last one, and the value of this one."""
        growing = self._growing(expr.binder)
        if growing is None or not is_small(expr.type) or self.functions.card_of(expr.value) is not expr.binder.local:
            return None
        values = self._known(expr.value, expr.binder.local)
        if None in values:
            return None
        return growing.measure("sum", "i64", self.numbers_constant(values))

    def _growing(self, binder: core.Binder) -> Growing | None:
        """Return the measures of the subset that a binder goes through as a whole, if it is one."""
        if binder.where is not None or binder.start is not None or not isinstance(binder.domain, core.LocalRef):
            return None
        return self.growing.get(self.bound.get(binder.domain.local, ""))

    def _comparison(self, one: str, sign: str, other: str, *, keys: bool) -> str:
        """Return a comparison of two names of values, or of two keys, whose parts count from the left."""
        return f"list_compare(&{one}, &{other}) {sign} 0" if keys else f"{one} {sign} {other}"

    def _ranges(self, key: core.Expr) -> list[tuple[int, int]]:
        """Return the bounds of the parts of a key that is packed into one number; none where it is not."""
        if not isinstance(key, core.TupleOf) or any(types.is_optional(item.type) for item in key.items):
            return []
        ranges = [self.layout.bounds(item.type) for item in key.items]
        found = [bounds for bounds in ranges if bounds is not None]
        fits = prod(high - low + 1 for low, high in found) < _SAFE
        return found if fits and len(found) == len(ranges) else []

    def _measure(self, expr: core.Expr) -> str:
        """Return the name of what things are compared by: one number, or a list of the parts of a key."""
        if self._compares_keys(expr):
            return self.listed(expr)
        if not isinstance(expr, core.TupleOf):
            return self.named(self.value(expr))
        text = "0"
        for item, (low, high) in zip(expr.items, self._ranges(expr), strict=True):
            text = f"({text}) * {high - low + 1} + {self.value(item)} - {number(low)}"
        return self.named(text)

    def _compares_keys(self, expr: core.Expr) -> bool:
        return is_key(expr.type) and not self._ranges(expr)

    def _row_width(self, expr: core.Expr) -> int:
        return width_of(expr.type) if self._compares_keys(expr) else 1

    def _row(self, expr: core.Expr) -> str:
        """Return where the parts of a key lie side by side, or the one number of another value."""
        if self._compares_keys(expr):
            return f"{self.listed(expr)}.a"
        name = self.fresh()
        self.text.add(f"i64 {name} = {self._measure(expr)};")
        return f"&{name}"

    def alternatives(self, chain: core.Chain, take: Callable[[core.Expr], None], absent: str) -> None:
        """Print a chain: `take` prints what is done with a value, `absent` is true after one that is absent."""
        (condition, value), *rest = chain.alternatives
        tags = chain.tags[0] if chain.tags else ()
        if tags:
            self.stand(value.span)
        if condition is None:
            take(value)
        else:
            with self.text.block(f"if ({self.condition(condition)})"):
                self.reach(tags)
                take(value)
        if rest:
            with self.text.block("else" if condition is not None else f"if ({absent})"):
                self.alternatives(core.evolved(chain, alternatives=tuple(rest), tags=chain.tags[1:]), take, absent)
        if condition is None and tags:
            with self.text.block(f"if (!({absent}))" if rest else ""):
                self.reach(tags)

    def _key(self, expr: core.Expr, name: str) -> None:
        """Print how a list gets the parts of a key; it has none so far, -1 where the key is absent."""

        def take_better(key: core.Expr, which: str) -> None:
            found = self.listed(key)
            better = self._comparison(found, ">" if which == "max" else "<", name, keys=True)
            self.text.add(f"if ({name}.n < 0 || {better}) {name} = {found};")

        match expr:
            case core.SetFoldRef(fold=fold):
                self.measured_key(fold, name)
            case core.TupleOf(items=items):
                self.text.add(f"{name}.n = 0;")
                for item in items:
                    if is_key(item.type):
                        self.text.add(f"list_join(&{name}, &{self.listed(item)});")
                    else:
                        self.text.add(f"list_push(&{name}, {self.value(item)});")
            case core.Fold(function="max" | "min" as which, binder=binder, value=value):
                self._each_kept(binder, lambda _: take_better(value, which), ordered=False)
            case core.Builtin(name="max" | "min" as which, args=args):
                for arg in args:
                    take_better(arg, which)
            case core.Builtin(name="spent", args=(inner, steps)):
                self.spent(self.value(steps))
                self.text.add(f"{name} = {self.listed(inner)};")
            case _:  # Names, calls and chains are lists as groups are.
                raise AssertionError(expr)

    def _best(self, expr: core.Extreme, going: Callable[[Body, Branchless | None], None]) -> tuple[str, str, str]:
        """Print the search for the first of the best of a group; return it, whether there is one, and its key."""
        best, found, key, keys = self.fresh(), self.fresh(), self.fresh(), self._compares_keys(expr.by)
        first = "set_t {} = set_none()" if is_picked_set(expr) else "i64 {} = NONE"
        self.text.add(f"{first.format(best)}; int {found} = 0; {f'list_t {key}' if keys else f'i64 {key} = 0'};")

        def compare(item: str, test: str = "") -> None:
            value = self._measure(expr.by)
            better = self._comparison(value, ">" if expr.which == "highest" else "<", key, keys=keys)
            if test:
                better = f"({test}) & (!{found} | ({better}))"
                self.text.add(f"take_if({better}, &{found}, &{best}, {item}, &{key}, {value});")
            else:
                self.text.add(f"if (!{found} || {better}) {{ {best} = {item}; {key} = {value}; {found} = 1; }}")

        flat = not keys and not is_picked_set(expr) and self._is_cheap(expr.binder, expr.by)
        going(compare, compare if flat else None)
        return best, found, key

    def _extreme(self, expr: core.Extreme) -> str:
        return self._best(expr, lambda body, flat: self._each_kept(expr.binder, body, branchless=flat))[0]

    def _card_at(self, expr: core.CardAt) -> str:
        zone = expr.zone
        if not isinstance(expr.at, str):
            return self._nth(self.named(self.value(expr.at)), zone)
        if isinstance(zone, core.ZoneRef) and not is_set(zone.zone):
            place = self.located(zone)
            # The top of a pile is its last card in the state, the first of a row the first one.
            last = (expr.at == "top") == (zone.zone.kind == "pile")
            end = f"({place.count} ? (i64){place.cards}[{f'{place.count} - 1' if last else '0'}] : NONE)"
            if zone.zone in self.hiding:
                self.text.add(f"NEED(need(s, {end}));")
            return end
        if self.layout.order.ascends(zone):
            return f"set_{'first' if expr.at == 'top' else 'last'}({self.cards(zone)})"
        found = self.listed(zone)
        return f"({found}.n ? (i64){found}.a[{'0' if expr.at == 'top' else f'{found}.n - 1'}] : NONE)"

    def _nth(self, number: str, zone: core.Expr) -> str:
        """Return the card of a place in a group, counted from 1."""
        if not isinstance(zone, core.ZoneRef) or is_set(zone.zone):
            found = self.listed(zone)
            return f"({number} > 0 && {number} <= {found}.n ? (i64){found}.a[{number} - 1] : NONE)"
        place = self.located(zone)
        at = f"{place.count} - {number}" if zone.zone.kind == "pile" else f"{number} - 1"
        card = f"({number} > 0 && {number} <= {place.count} ? (i64){place.cards}[{at}] : NONE)"
        if zone.zone in self.hiding:
            self.text.add(f"NEED(need(s, {card}));")
        return card

    def _chain(self, expr: core.Chain, print_: Callable[[core.Expr], str], nothing: str, type_: str) -> str:
        """Return what a chain chooses: of numbers, or of sets."""
        name = self.fresh()
        self.text.add(f"{type_} {name} = {nothing};")
        self.alternatives(expr, lambda value: self.text.add(f"{name} = {print_(value)};"), f"{name} == NONE")
        return name

    # ---- calls

    def as_kind(self, kind: str, expr: core.Expr) -> str:
        """Return an expression as a type of C: a number, a set, or a list."""
        return self.value(expr) if kind == "i64" else self.cards(expr) if kind == "set_t" else self.listed(expr)

    def _call(self, expr: core.CallDefine) -> str:
        """Return the value of a definition."""
        kind, call, absent = self._called(expr)
        name = self.fresh()
        if kind in ("cards_t", "list_t"):
            self.text.add(f"{kind} {name}; {name}.n = {self._empty(expr)};")
        else:
            nothing = "set_none()" if kind == "set_t" else "0" if isinstance(expr.type, types.Bool) else "NONE"
            self.text.add(f"{kind} {name} = {nothing};")
        self.text.add(f"{f'if (!({absent})) ' if absent else ''}{name} = {call};")
        return name

    def _called(self, expr: core.CallDefine) -> tuple[str, str, str]:
        """Return the C type of a call of a definition, the call, and the condition that an argument is absent."""
        define = expr.define
        args: list[str] = []
        absent: list[str] = []
        for given, param in zip(expr.args, define.params, strict=True):
            # `none` has no type of its own, so it takes that of the parameter.
            nothing = isinstance(given.type, types.Nothing)
            arg = core.evolved(given, type=types.optional(param.type)) if nothing else given
            kind = self.layout.kind(param)
            if not types.is_optional(arg.type) or types.is_optional(param.type):
                args.append(self.as_kind(kind, arg))
                continue
            name = self.named(self.value(arg)) if kind == "i64" else self.listed(arg)
            args.append(f"set_of({name}.a, {name}.n)" if kind == "set_t" else name)
            absent.append(f"{name} == NONE" if kind == "i64" else f"{name}.n < 0")
        return self.result_of(define), f"{name_of(define)}({', '.join(['s', *args])})", " || ".join(absent)

    def result_of(self, define: core.Define) -> str:
        """Return the C type of the value of a definition."""
        assert define.value is not None
        return self.layout.kind_of(define.value.type, ascends=self.layout.order.ascends(define.value))

    def _empty(self, expr: core.Expr) -> int:
        """Return how many things a list has to begin with: what may be absent is so until something is there."""
        return -1 if types.is_optional(expr.type) or is_key(expr.type) else 0

    def _builtin(self, expr: core.Builtin) -> str:
        if expr.function.c is not None:
            return self._by_template(expr.function.c, expr.args)
        if expr.function.step is not None:
            return self._stepped(expr, expr.function.step)
        match expr.name, expr.args:
            case "count", (group,):
                return self._size(group)
            case "empty", (_,):
                return f"(i64)({self.condition(expr)})"
            case "face", (card,):
                if not self.copies:
                    return self.value(card)
                table = self.numbers_constant(list(self.rules.card_faces))
                return self.at(table, self.value(card), optional=types.is_optional(card.type))
            case "there", (inner,):
                name = self.fresh()
                self.text.add(f"i64 {name} = {self.value(inner)};")
                fault = self.fail("CG811", NONE_THERE)
                self.text.add(f"if ({name} == NONE) {{ {fault} {name} = 0; }}")
                return name
            case "spent", (inner, steps):
                self.spent(self.value(steps))
                return self.value(inner)
            case "within", (inner,):
                name = self.fresh()
                self.text.add(f"i64 {name} = {self.value(inner)};")
                type_ = types.base_of(expr.type)
                assert isinstance(type_, types.Int)
                self.bounded(name, type_.low, type_.high, optional=types.is_optional(inner.type))
                return name
            case name, _:
                raise AssertionError(name)

    def _by_template(self, template: str, args: tuple[core.Expr, ...]) -> str:
        """Return a call by the template of its function; an argument that it names twice is computed once."""
        names_twice = template.count("{0}") > 1
        text = self.named(self.value(args[0])) if names_twice else self.value(args[0])
        if len(args) == 1:
            return template.format(text)
        for other in args[1:]:
            text = template.format(text, self.value(other))
        return text

    def _stepped(self, expr: core.Builtin, step: Callable[[int], int]) -> str:
        """Return the player, or the value of an enumeration, some steps further round."""
        (of,) = expr.args
        around = types.base_of(expr.type)
        count = len(around.values) if isinstance(around, types.EnumType) else self.players
        text = self.value(of)
        if types.is_optional(of.type):
            text = self.named(text)
            return f"({text} == NONE ? NONE : ({text} + {step(count)}) % {count})"
        return f"(({text} + {step(count)}) % {count})"

    def spent(self, steps: str) -> None:
        """Print that steps are counted, and that the function ends where there are too many."""
        fault = self.fault("CG804", TOO_MANY_STEPS)
        self.text.add(f"SPEND({steps}, {fault});")
        if self.abandon:
            self.text.add(f"if (s->fault) {self.abandon}")

    def bounded(self, name: str, low: int | None, high: int | None, *, optional: bool) -> None:
        """Print the check that a number is within its range; where it is not, it becomes the nearest one that is."""
        if low is None and high is None:
            low, high = -NUMBER_LIMIT, NUMBER_LIMIT
        message = f"the value is outside of {low}..{high}"
        fault = self.fail("CG801", message)
        there = f"{name} != NONE && " if optional else ""
        for sign, bound in (("<", low), (">", high)):
            if bound is not None:
                self.text.add(f"if ({there}{name} {sign} {number(bound)}) {{ {fault} {name} = {number(bound)}; }}")

    def _size(self, group: core.Expr) -> str:
        """Return how many things a group has; to know how many cards lie in whole places, nobody looks at them."""
        with self.not_reading(whole_zones(group)):
            return self._counted(group)

    def _counted(self, group: core.Expr) -> str:
        if isinstance(group, core.ZoneRef) and not is_set(group.zone):
            return f"(i64){self.located(group).count}"
        if self._is_cards(group):
            return f"(i64)set_count({self.cards(group)})"
        name = self.fresh()
        self.text.add(f"i64 {name} = 0;")
        self._each(group, lambda _: self.text.add(f"{name}++;"))
        return name

    # ---- conditions

    def condition(self, expr: core.Expr) -> str:
        """Return a condition of C; what is absent does not hold."""
        spend(PRINT)
        match expr:
            case core.Op(op="not", args=(inner,)):
                return self.unless(inner)
            case core.Op(op="and" | "or") if isinstance(card := self.functions.card_of(expr), Local):
                return f"set_has({self._mask(expr, card)}, {self.read_local(card)})"
            case core.Op(op="and" | "or" as op):
                return self._joined(op, operands(expr, op))
            case core.Op(op="==" | "!=" as op, args=(left, right)):
                return self._equal(op, left, right)
            case core.Op(op="<" | "<=" | ">" | ">=" as op, args=(left, right)) if is_key(left.type):
                return self._comparison(self.listed(left), op, self.listed(right), keys=True)
            case core.Op(op="<" | "<=" | ">" | ">=" as op, args=(left, right)):
                return f"{self.value(left)} {op} {self.value(right)}"
            case core.IsKind():
                return self._is_kind(expr)
            case core.IsNone(value=value) if isinstance(
                types.base_of(value.type), types.Cards | types.Sequence | types.Tuple
            ):
                return f"{self.listed(value)}.n < 0"
            case core.IsNone():
                return f"{self.value(expr.value)} == NONE"
            case core.IsIn():
                return self._is_in(expr)
            case core.Select(which="some"):
                return self._some(expr.binder)
            case core.Select(which="no"):
                return self.unless(core.evolved(expr, which="some"))
            case core.Builtin(name="empty", args=(group,)):
                if self._is_cards(group) and not (isinstance(group, core.ZoneRef) and not is_set(group.zone)):
                    with self.not_reading(whole_zones(group)):
                        return f"set_empty({self.cards(group)})"
                return f"!{self._as_condition(self._size(group))}"
            case core.Fold(function="same" | "different" | "consecutive"):
                return self._distinct(expr)
            case core.SomeSubset():
                return self.some_subset(expr)
        text = self.value(expr)
        return f"{text} == 1" if types.is_optional(expr.type) else text

    def unless(self, expr: core.Expr) -> str:
        """Return the negation of a condition."""
        match expr:
            case core.Op(op="not", args=(inner,)):
                return self.condition(inner)
            case core.Select(which="no"):
                return self._some(expr.binder)
            case core.Select(which="some", binder=binder) if self._is_set_kept(binder):
                return f"set_empty({self._kept(binder)})"
        return f"!{self._as_condition(self.condition(expr))}"

    def _joined(self, op: str, parts: list[core.Expr]) -> str:
        text = self._as_condition(self.condition(parts[0]))
        sign = {"and": "&&", "or": "||"}[op]
        for part in parts[1:]:
            with self.text.aside() as lines:
                self.text.depth += 1
                more = self.condition(part)
                self.text.depth -= 1
            if not lines:
                text = f"{text} {sign} {self._as_condition(more)}"
                continue
            name = self.fresh()
            self.text.add(f"int {name} = {text};")
            self.text.add(f"if ({name if op == 'and' else f'!{name}'}) {{")
            self.text.put(lines)
            self.text.add(f"    {name} = {more};")
            self.text.add("}")
            text = name
        return text

    def _as_condition(self, text: str) -> str:
        return text if SIMPLE.fullmatch(text) else f"({text})"

    def _equal(self, op: str, left: core.Expr, right: core.Expr) -> str:
        sign = "" if op == "==" else "!"
        if is_key(left.type):  # Two absent keys are not equal.
            first, second = self.listed(left), self.listed(right)
            return f"{sign}({first}.n >= 0 && list_compare(&{first}, &{second}) == 0)"
        first, second = self.value(left), self.value(right)
        if types.is_optional(left.type) and types.is_optional(right.type):  # Two absent values are not equal.
            first = self.named(first)
            return f"{sign}({first} != NONE && {first} == {second})"
        return f"{first} {op} {second}"

    def _is_kind(self, expr: core.IsKind) -> str:
        passing, open_ = self.tables.passing(expr.test)
        card = self.named(self.value(expr.card))
        mask = self.set_constant([number for number, passes in enumerate(passing) if passes])
        tests = [f"set_has({mask}, {card})"]
        for name, wanted in open_:
            table = self.numbers_constant(self.tables.attribute(name))
            given = self.value(wanted)
            # None is equal to none here: a card without the attribute is not of the kind.
            tests.append(f"(i64){table}[{card}] == {given}")
        return " && ".join(tests)

    def _is_in(self, expr: core.IsIn) -> str:
        value = self.named(self.value(expr.value))
        domain = expr.domain
        if isinstance(domain, core.Range):
            low, high = self.value(domain.low), self.value(domain.high)
            there = f"{value} != NONE && " if types.is_optional(expr.value.type) else ""
            return f"{there}{low} <= {value} && {value} <= {high}"
        if self._is_cards(domain):
            return f"set_has({self.cards(domain)}, {value})"
        found = self.fresh()
        self.text.add(f"int {found} = 0;")
        body = f"if ({{}} == {value}) {{{{ {found} = 1; {{}} }}}}"
        self._until(lambda stop: self._each(domain, lambda item: self.text.add(body.format(item, stop))))
        return found

    def _some(self, binder: core.Binder) -> str:
        if self._is_set_kept(binder):
            return f"!set_empty({self._kept(binder)})"
        found = self.fresh()
        self.text.add(f"int {found} = 0;")

        def note(_: str, test: str) -> None:
            self.text.add(f"{found} |= ({test});")

        flat = note if is_players(binder.domain) and self._is_cheap(binder) else None

        def leave(stop: str) -> None:
            self._each_kept(binder, lambda _: self.text.add(f"{found} = 1; {stop}"), ordered=False, branchless=flat)

        self._until(leave)
        return found

    def _is_set_kept(self, binder: core.Binder) -> bool:
        return self._is_cards(binder.domain) and self._is_bit_set(binder)

    def _is_cheap(self, binder: core.Binder, *also: core.Expr) -> bool:
        """Say whether a condition, and more, may be evaluated for all of a group, and are a few operations."""
        parts = [*also] if binder.where is None else [binder.where, *also]
        simple = not any(part.__class__ in core.LOOPS | {core.CallDefine} for of in parts for part in core.walk(of))
        return simple and all(self.totality.is_total(part, frozenset({binder.local})) for part in parts)

    def _distinct(self, expr: core.Fold) -> str:
        """Return whether the values of what a binder keeps are all the same, all different, or follow one another."""
        if (found := self._distinct_by_tables(expr)) is not None:
            return found
        same, width, rows, count = expr.function == "same", self._row_width(expr.value), self.fresh(), self.fresh()
        domain = expr.binder.domain
        size = 2 if same else self.num_cards if self._is_cards(domain) else max(1, list_bound(domain.type))
        self.text.add(f"i64 {rows}[{max(1, size) * width}]; i32 {count} = 0, {count}_twice = 0;")

        def note(_: str) -> None:
            self.text.add(
                f"{count}_twice |= !rows_add({rows}, &{count}, {max(1, size)}, {width}, {self._row(expr.value)});"
            )

        self._each_kept(expr.binder, note, ordered=False)
        if expr.function == "consecutive":
            return f"!{count}_twice && rows_follow({rows}, {count})"
        return f"{count} < 2" if same else f"!{count}_twice"

    def _distinct_by_tables(self, expr: core.Fold) -> str | None:
        """Return the test of cards with few known values: by the cards like the first, or by a bit for each value."""
        binder = expr.binder
        if binder.start is not None or not self._is_cards(binder.domain) or not self._is_bit_set(binder):
            return None
        if self.functions.card_of(expr.value) is not binder.local or is_key(expr.value.type):
            return None
        known = [int(value or 0) for value in self._known(expr.value, binder.local)]
        least, most = min(known, default=0), max(known, default=0)
        if most - least >= FEW_BITS or len(known) > _LONGEST_TABLE:
            return None
        if (growing := self._growing(binder)) is not None:
            places = self.numbers_constant([value - least for value in known])
            values = growing.measure("values", "u64", places)
            if expr.function == "same":
                return f"!({values} & ({values} - 1))"
            twice = growing.measure("twice", "u64", places)
            return f"!{twice} && bits_follow({values})" if expr.function == "consecutive" else f"!{twice}"
        kept = self.named(self._kept(binder), "set_t")
        if expr.function == "same":
            alike = [[card for card, of in enumerate(known) if of == value] for value in range(least, most + 1)]
            masks = self.sets_constant(alike)
            places = self.numbers_constant([value - least for value in known])
            return f"set_empty({kept}) || set_empty(set_minus({kept}, {masks}[{places}[set_first({kept})]]))"
        values, twice = self.fresh(), self.fresh()
        places = self.numbers_constant([value - least for value in known])
        self.text.add(f"u64 {values} = 0, {twice} = 0;")
        with self._each_card(kept) as card:
            self.text.add(f"u64 {card}_bit = (u64)1 << {places}[{card}];")
            self.text.add(f"{twice} |= {values} & {card}_bit; {values} |= {card}_bit;")
        return f"!{twice} && bits_follow({values})" if expr.function == "consecutive" else f"!{twice}"

    # ---- places

    def place_number(self, family: Zone | Variable, index: tuple[core.Expr, ...]) -> str:
        """Return the number of a place or variable within its family, from 0; what no type proves is checked."""
        constant, stride = 0, 1
        strides: list[int] = []
        for size in reversed(family.sizes):
            strides.insert(0, stride)
            stride *= size
        terms: list[str] = []
        for expr, type_, size, step in zip(index, family.indices, family.sizes, strides, strict=True):
            low = types.range_low(type_)
            if isinstance(expr, core.Const) and expr.value is not None:
                constant += (int(expr.value) - low) * step
                continue
            text = self.value(expr)
            proved = not isinstance(type_, types.Int) or types.lies_within(expr.type, low, low + size - 1)
            if types.is_optional(expr.type) or not proved:
                name = self.fresh()
                self.text.add(f"i64 {name} = {text};")
                message = f"there is no such place: the index goes from {low} to {low + size - 1}"
                fault = self.fail("CG802", message)
                self.text.add(f"if ({name} < {low} || {name} > {low + size - 1}) {{ {fault} {name} = {low}; }}")
                text = name
            constant -= low * step
            terms.append(text if step == 1 else f"{text} * {step}")
        if constant or not terms:
            terms.append(str(constant))
        return " + ".join(terms)

    def variable(self, variable: Variable, index: tuple[core.Expr, ...]) -> str:
        """Return the place of a variable."""
        return f"s->{name_of(variable)}[{self.place_number(variable, index)}]"

    def located(self, ref: core.ZoneRef) -> Place:
        """Return a place, whose number is worked out here."""
        zones = self.rules.zones
        family = zones.index(ref.zone)
        index = self.named(self.place_number(ref.zone, ref.index), "const int")
        field, first = self.field(family), sum(zone.places for zone in zones[:family])
        number = str(first + int(index)) if index.isdecimal() else f"{first} + {index}"
        return Place(ref.zone, number, index, f"{field}[{index}]", "" if is_set(ref.zone) else f"{field}_n[{index}]")

    def need(self, ref: core.ZoneRef, place: Place) -> None:
        """Print that all cards of a place must be known, where that can be otherwise and a player reads them."""
        if ref.zone in self.hiding and ref not in self.unread:
            self.text.add(place.need)

    # ---- groups

    def _is_cards(self, expr: core.Expr) -> bool:
        return isinstance(types.base_of(expr.type), types.Cards)

    def cards(self, expr: core.Expr) -> str:
        """Return the set of the cards of a group, or of one card that may be absent."""
        spend(PRINT)
        if not self._is_cards(expr):
            return f"set_one({self.value(expr)})"
        if is_picked_set(expr):
            return self._picked_set(expr)[0]
        if self._is_list(expr):
            return self._set_of_list(expr)
        match expr:
            case core.ZoneRef():
                place = self.located(expr)
                self.need(expr, place)
                return place.set
            case core.LocalRef():
                name = self.local(expr.local)
                return name if self.layout.kind(expr.local) == "set_t" else f"set_of({name}.a, {name}.n)"
            case core.VarRef():
                return self.variable(expr.variable, expr.index)
            case core.Select(which="all", binder=binder):
                return self._kept(binder)
            case core.Select(which="first" | "last" as which, binder=binder, count=count) if count is not None:
                if self.layout.order.ascends(expr):
                    kept = self._kept(binder)
                    return f"set_{'few' if which == 'first' else 'last_few'}({kept}, {self.value(count)})"
                if isinstance(binder.domain, core.ZoneRef) and binder.where is None and binder.start is None:
                    return self._few_of_place(which, binder.domain, count)
                return self._set_of_list(expr)
            case core.Op(op="join", args=args):
                texts = [self.cards(arg) for arg in args]
                whole = texts[0]
                for other in texts[1:]:
                    whole = f"set_or({whole}, {other})"
                return whole
            case core.Op(op="without", args=(cards, gone)):
                first = self.cards(cards)
                return f"set_minus({first}, {self.cards(gone)})"
            case core.Fold(function="union"):
                name = self.fresh()
                self.text.add(f"set_t {name} = set_none();")
                self._each_kept(
                    expr.binder,
                    lambda _: self.text.add(f"{name} = set_or({name}, {self.cards(expr.value)});"),
                    ordered=False,
                )
                return name
            case core.Extreme():
                name = self.fresh()
                self.text.add(f"set_t {name} = set_none();")
                self._each_best(expr, lambda item: self.text.add(f"set_put(&{name}, {item});"), ordered=False)
                return name
            case core.CallDefine():
                name = self._call(expr)
                return name if self.layout.order.ascends(expr) else f"set_of({name}.a, {name}.n)"
            case core.Builtin(name="listed", args=(card,)):
                return f"set_one({self.value(card)})"
            case core.Sorted(binder=binder):
                return self._kept(binder)
            case core.Builtin(name="spent", args=(cards, steps)):
                self.spent(self.value(steps))
                return self.cards(cards)
            case core.Chain():
                return self._chain(expr, self.cards, "set_none()", "set_t")
        raise AssertionError(f"no group of cards: {expr}")

    def _few_of_place(self, which: str, zone: core.ZoneRef, count: core.Expr) -> str:
        """Return the set of the first or last cards of a place with an order."""
        place = self.located(zone)
        self.need(zone, place)
        few = self.named(f"most(0, least({self.value(count)}, {place.count}))")
        at_end = (which == "last") != (zone.zone.kind == "pile")
        return f"set_of({place.cards}{f' + {place.count} - {few}' if at_end else ''}, (int){few})"

    def _is_list(self, expr: core.Expr) -> bool:
        """Say whether cards are had as a list alone: they may be absent, or it was tested whether they are."""
        tested = isinstance(expr, core.Chain) and falls_through(expr)
        return tested or types.is_optional(expr.type) or (isinstance(expr, core.Builtin) and expr.name == "there")

    def _set_of_list(self, expr: core.Expr) -> str:
        name = self.listed(expr)
        return f"set_of({name}.a, {name}.n)"

    # ---- going through something

    def _each_best(self, expr: core.Extreme, body: Body, *, ordered: bool = True) -> None:
        """Print a loop over all that are the best, in their order if that counts."""
        binder, by = expr.binder, expr.by
        if self._is_cards(expr) and (not ordered or self.layout.order.ascends(expr)):
            kept = self.named(self._kept(binder), "set_t")

            def going(each: Body) -> None:
                self._through_set(kept, binder.local, [], each)

        else:
            listed = self.listed(core.Select("all", binder, None, expr.type, expr.span))

            def going(each: Body) -> None:
                def bound(item: str) -> None:
                    with self.binding({binder.local: item}):
                        each(item)

                self._through_list(listed, bound)

        *_, key = self._best(expr, lambda each, _: going(each))

        def collect(item: str) -> None:
            same = self._comparison(self._measure(by), "==", key, keys=self._compares_keys(by))
            with self.text.block(f"if ({same})"):
                body(item)

        going(collect)

    def _split(self, binder: core.Binder) -> tuple[list[core.Expr], list[core.Expr]]:
        """Return the parts of a condition that are sets of cards, and those that must be evaluated card by card."""
        masked: list[core.Expr] = []
        rest: list[core.Expr] = []
        for part in [] if binder.where is None else operands(binder.where, "and"):
            free = all(self.totality.is_total(other, frozenset({binder.local})) for other in rest)
            (masked if free and self._is_maskable(part, binder.local) else rest).append(part)
        return masked, rest

    def _is_bit_set(self, binder: core.Binder) -> bool:
        return not self._split(binder)[1]

    def _kept(self, binder: core.Binder) -> str:
        """Return the set of the cards that a binder keeps."""
        kept, rest = self._kept_by_masks(binder)
        if not rest:
            return kept
        name = self.fresh()
        self.text.add(f"set_t {name} = set_none();")
        self._through_set(kept, binder.local, rest, lambda item: self.text.add(f"set_put(&{name}, {item});"))
        return name

    def _kept_by_masks(self, binder: core.Binder) -> tuple[str, list[core.Expr]]:
        """Return the set of the cards that a binder keeps but for the parts of its condition that are no sets."""
        masked, rest = self._split(binder)
        kept = self.cards(binder.domain)
        for part in masked:
            kept = f"set_and({kept}, {self._mask(part, binder.local)})"
        return kept, rest

    def _each_kept(
        self, binder: core.Binder, body: Body, *, ordered: bool = True, branchless: Branchless | None = None
    ) -> None:
        """Print a loop through what a binder keeps.

        In a loop through other things than cards `branchless`, if it is given, prints the body: it gets the condition
        as a number, since a branch that the processor cannot predict costs more than a short body.
        """
        as_set = self._is_cards(binder.domain) and (not ordered or self.layout.order.ascends(binder.domain))
        if as_set and binder.start is None and (binder.where is not None or not self._lies_in_order(binder.domain)):
            kept, rest = self._kept_by_masks(binder)
            self._through_set(kept, binder.local, rest, body)
            return
        if (prefix := self._prefix(binder)) is not None:
            self._each_of_prefix(binder, prefix, partial(self._tested, prefix.rest, body, branchless))
            return
        if (groups := self._zones_in_turn(binder)) is not None:
            inner = core.evolved(binder, domain=groups.value)
            self._each_kept(groups.binder, lambda _: self._each_kept(inner, body))
            return

        def test(item: str) -> None:
            with self.binding({binder.local: item}):
                self._tested(binder.where, body, branchless, item)

        self._each(binder.domain, test, binder.start, ordered=ordered)

    def _tested(self, where: core.Expr | None, body: Body, branchless: Branchless | None, item: str) -> None:
        """Print what is done with one thing of a group if a condition holds."""
        if where is not None and branchless is not None:
            branchless(item, self.condition(where))
            return
        if where is not None:
            self.text.add(f"if ({self.unless(where)}) continue;")
        body(item)

    def _zones_in_turn(self, binder: core.Binder) -> core.Fold | None:
        """Return the union of zones that a binder goes through in turn, where no card must be known first."""
        match binder.start, binder.domain:
            case None, core.Fold(function="union", value=core.ZoneRef() as zone) as fold:
                known = zone.zone not in self.hiding or zone in self.unread
                return fold if known and is_disjoint_for_each(zone, fold.binder.local) else None
        return None

    def _prefix(self, binder: core.Binder) -> Prefix | None:
        """Return the parts of a condition on a range that no number fulfils after one that does not (early exit).

        `every r in low..n has Q` is one: if it fails for n, it fails for all after n.
        """
        where, domain, steps = binder.where, binder.domain, None
        if not isinstance(domain, core.Range) or not self._is_short(domain) or binder.start is not None:
            return None
        if isinstance(where, core.Builtin) and where.name == "spent":
            where, steps = where.args
        tags: tuple[str, ...] = ()
        match where:
            case core.Chain(alternatives=((None, only),), tags=given):
                where, tags = only, given[0] if given else ()
        before: list[core.Expr] = []
        parts = [] if where is None else operands(where, "and")
        for part in parts:
            match part:
                case core.Select(
                    which="no",
                    binder=core.Binder(
                        local=local, domain=core.Range(low=low, high=core.LocalRef(local=last)), start=None, where=fails
                    ),
                ) if last is binder.local and key(low) == key(domain.low) and fails is not None:
                    changing = frozenset({local, last})
                    invariant = last not in core.names_of(low, fails)
                    if invariant and all(self.totality.is_total(expr, changing) for expr in (low, fails, *before)):
                        rest = [other for other in parts if other is not part]
                        return Prefix(local, fails, core.joined("and", rest) if rest else None, steps, tags)
            before.append(part)
        return None

    def _each_of_prefix(self, binder: core.Binder, prefix: Prefix, body: Body) -> None:
        """Print a loop through a range up to the first number that fails; steps of all that follow are counted, too."""
        assert isinstance(binder.domain, core.Range)
        item, low, high = self.fresh(), *map(self.named, map(self.value, (binder.domain.low, binder.domain.high)))
        word = self.words.get(prefix.local)
        if word is None and prefix.steps is not None:
            self.spent(f"{self.value(prefix.steps)} * most(0, {high} - {low} + 1)")
        going = f"{item} <= {high}" if word is None else f"{item} <= {high} && {word} >> {item} & 1"
        with (
            self.text.block(f"for (i64 {item} = {low}; {going}; {item}++)"),
            self.binding({binder.local: item, prefix.local: item}),
        ):
            if word is None:
                self.reach(prefix.tags)
                self.text.add(f"if ({self.condition(prefix.fails)}) break;")
            body(item)

    @contextmanager
    def _each_card(self, cards: str) -> Iterator[str]:
        """Print a loop through a set of cards around what is printed inside; give the name of the card."""
        item = self.fresh()
        with self.text.block(f"for (set_t {item}_ = {cards}; !set_empty({item}_);)"):
            self.text.add(f"i64 {item} = set_take(&{item}_);")
            yield item

    def _through_set(self, kept: str, local: Local, rest: list[core.Expr], body: Body) -> None:
        with self._each_card(kept) as item, self.binding({local: item}):
            if rest:
                self.text.add(f"if (!({self._joined('and', rest)})) continue;")
            body(item)

    def _each(self, expr: core.Expr, body: Body, start: core.Expr | None = None, *, ordered: bool = True) -> None:
        """Print a loop through a group, turned to where it begins if that is said."""
        spend(PRINT)
        item = self.fresh()
        if is_players(expr):
            if start is None:
                with self.text.block(f"for (i64 {item} = 0; {item} < {self.players}; {item}++)"):
                    body(item)
                return
            first = self.named(self.value(start))
            with self.text.block(f"for (i64 {item}_ = 0; {item}_ < {self.players}; {item}_++)"):
                self.text.add(f"i64 {item} = (u32)({first} + {item}_) % {self.players};")
                body(item)
            return
        if start is not None:
            found = self.listed(expr)
            assert not self._is_cards(expr)
            self.text.add(f"list_rotate(&{found}, {self.value(start)});")
            self._through_list(found, body)
            return
        as_set = self._is_cards(expr) and (not ordered or self.layout.order.ascends(expr))
        if as_set and not self._lies_in_order(expr):
            with self._each_card(self.cards(expr)) as card:
                body(card)
            return
        match expr:
            case core.ZoneRef():
                place = self.located(expr)
                self.need(expr, place)
                if expr.zone.kind == "pile":
                    head = f"for (i32 {item}_ = {place.count} - 1; {item}_ >= 0; {item}_--)"
                else:
                    head = f"for (i32 {item}_ = 0; {item}_ < {place.count}; {item}_++)"
                with self.text.block(head):
                    self.text.add(f"i64 {item} = {place.cards}[{item}_];")
                    body(item)
            case core.LocalRef():
                self._through_list(self.local(expr.local), body)
            case core.Range():
                low, high = self.named(self.value(expr.low)), self.named(self.value(expr.high))
                if not self._is_short(expr):
                    message = f"a range of more than {RANGE_LIMIT} numbers is too long to go through"
                    name = self.fresh()
                    self.text.add(f"i64 {name} = {high};")
                    self.text.add(
                        f"if ({name} - {low} >= {RANGE_LIMIT}) {{ {self.fail('CG804', message)} {name} = {low} - 1; }}"
                    )
                    high = name
                with self.text.block(f"for (i64 {item} = {low}; {item} <= {high}; {item}++)"):
                    body(item)
            case core.Select(which="all", binder=binder):
                self._each_kept(binder, body, ordered=ordered)
            case core.Subsets():
                self._each_subset(expr, body)
            case core.Rests():
                self._each_rest(expr, body)
            case core.Builtin(name="listed", args=(inner,)):
                self.text.add(f"i64 {item} = {self.value(inner)};")
                with self.text.block(f"for (int {item}_ = {item} != NONE; {item}_; {item}_ = 0)"):
                    body(item)
            case core.Builtin(name="spent", args=(inner, steps)):
                self.spent(self.value(steps))
                self._each(inner, body, ordered=ordered)
            case _:  # All others are worked out first.
                self._through_list(self.listed(expr), body)

    def _lies_in_order(self, expr: core.Expr) -> bool:
        """Say whether a group is a place that is an array, through which no set need be made to go."""
        return isinstance(expr, core.ZoneRef) and not is_set(expr.zone)

    def _each_subset(self, expr: core.Subsets, body: Body) -> None:
        """Print a loop through subsets; those that begin with one that violates `part` are left out."""
        item = self.fresh()
        cards = self.named(self.cards(expr.cards), "set_t")
        low = "0" if expr.low is None else self.named(self.value(expr.low))
        high = "CARDS" if expr.high is None else self.named(self.value(expr.high))
        self.text.add(f"subsets_t {item}_ = subsets_of({cards}, {low}, {high}, {int(expr.anchored)});")
        growing = self.growing[item] = Growing(item)
        with self.text.aside() as lines:
            self.text.depth += 1
            if expr.part is not None:
                with self.binding({expr.local: item}):
                    self.text.add(f"if ({self.unless(expr.part)}) {{ {item}_.leave = 1; continue; }}")
            if expr.low is not None:
                self.text.add(f"if ({item}_n < {low}) continue;")
            body(item)
            self.text.depth -= 1
        for line in growing.begin:
            self.text.add(line)
        with self.text.block(f"while (subsets_next(&{item}_))"):
            self.text.add(f"set_t {item} = {item}_.now; i64 {item}_n = {item}_.count;")
            for line in growing.update:
                self.text.add(line)
            self.text.put(lines)

    def _each_rest(self, expr: core.Rests, body: Body) -> None:
        """Print a loop through what is left of cards after groups are taken out."""
        name, item = self.fresh(), self.fresh()
        whole = self.named(self.cards(expr.cards), "set_t")
        fault, steps = self.fault("CG806", TOO_MANY_DIVISIONS), self.fault("CG804", TOO_MANY_STEPS)
        self.text.add(f"division_t {name}; division_begin(s, &{name}, {whole}, {int(expr.exact)}, {fault});")
        for kind, group in enumerate(expr.groups):
            low = "0" if group.low is None else self.named(self.value(group.low))
            high = "NONE" if group.high is None else self.named(self.value(group.high))
            self.text.add(f"division_kind(&{name}, {kind}, {low}, {high});")
        with self.text.block(f"while (division_next(s, &{name}))"), self.binding({expr.whole: f"{name}.left"}):
            for kind, group in enumerate(expr.groups):
                self._each(group.sets, lambda found, kind=kind: self.text.add(  # type: ignore[misc]
                    f"division_add(s, &{name}, {found}, {kind});"
                ))  # fmt: skip
            self.text.add(f"division_join(s, &{name}, {steps});")
        self.text.add(f"division_end(s, &{name});")
        if self.abandon:
            self.text.add(f"if (s->fault) {self.abandon}")
        with self.text.block(f"for (i32 {item}_ = 0; {item}_ < {name}.n; {item}_++)"):
            self.text.add(f"set_t {item} = {name}.used[{item}_];")
            body(item)

    def _picked_set(self, expr: core.Expr) -> tuple[str, str]:
        """Print the search for the first or best set of a domain; return it, and whether there is one."""
        assert isinstance(expr, core.Select | core.Extreme)
        if isinstance(expr, core.Extreme):
            return self._best(expr, lambda body, _: self._each_kept(expr.binder, body))[:2]
        best, found = self.fresh(), self.fresh()
        self.text.add(f"set_t {best} = set_none(); int {found} = 0;")
        self._until(lambda stop: self._each_kept(
            expr.binder, lambda item: self.text.add(f"{best} = {item}; {found} = 1; {stop}")
        ))  # fmt: skip
        return best, found

    def _through_list(self, name: str, body: Body) -> None:
        item = self.fresh()
        with self.text.block(f"for (i32 {item}_ = 0; {item}_ < {name}.n; {item}_++)"):
            self.text.add(f"i64 {item} = {name}.a[{item}_];")
            body(item)

    def _is_short(self, expr: core.Range) -> bool:
        bound = expr.type.at_most if isinstance(expr.type, types.Sequence) else -1
        return 0 <= bound <= RANGE_LIMIT

    def _list_of_set(self, name: str, push: str, cards: str, condition: str) -> None:
        """Print that a list gets the cards of a set, from the first one on, where a condition holds."""
        left = self.fresh()
        with self.text.block(f"if ({condition})"):
            self.text.add(f"{name}.n = 0;")
            self.text.add(f"for (set_t {left} = {cards}; !set_empty({left});) {push}(&{name}, set_take(&{left}));")

    def listed(self, expr: core.Expr) -> str:
        """Return the name of a list of what a group has, in order, or of the parts of a key.

        What is absent has -1 things.
        """
        cards = self._is_cards(expr)
        if not cards:
            self.layout.grow(expr.type)
        kind, push = ("cards_t", "cards_push") if cards else ("list_t", "list_push")
        if isinstance(expr, core.LocalRef) and self.layout.kind(expr.local) == kind:
            return self.local(expr.local)
        if isinstance(expr, core.CallDefine) and self.result_of(expr.define) == kind:
            return self._call(expr)
        name = self.fresh()
        self.text.add(f"{kind} {name}; {name}.n = {self._empty(expr)};")

        def add(item: str) -> None:
            self.text.add(f"{push}(&{name}, {item});")

        match expr:
            case core.Chain() if self._is_list(expr) or not cards:
                self._chained_list(expr, name, add)
                return name
            case core.CallDefine() if types.is_optional(expr.type):  # A set, absent where an argument is.
                _, call, absent = self._called(expr)
                self._list_of_set(name, push, call, f"!({absent})")
                return name
            case core.Select() | core.Extreme() if is_picked_set(expr):
                picked, found = self._picked_set(expr)
                self._list_of_set(name, push, picked, found)
                return name
            case core.Builtin(name="there", args=(inner,)):
                self.text.add(f"{name} = {self.listed(inner)};")
                fault = self.fail("CG811", NONE_THERE)
                self.text.add(f"if ({name}.n < 0) {{ {fault} memset(&{name}, 0, sizeof {name}); }}")
                return name
            case _ if is_key(expr.type):
                self._key(expr, name)
                return name
        if cards and self.layout.order.ascends(expr):
            self._each(expr, add)
            return name
        self._list_parts(expr, name, add)
        return name

    def _list_parts(self, expr: core.Expr, name: str, add: Body) -> None:
        """Print how a list gets the things of a group that is made of others."""
        cards = self._is_cards(expr)
        push = "cards_push" if cards else "list_push"
        match expr:
            case core.Op(op="join", args=args):
                once = self._once(name) if cards and not are_disjoint(args) else add
                for arg in args:
                    self._add_to(arg, once)
            case core.Op(op="without", args=(group, gone)) if cards:
                away = self.named(self.cards(gone), "set_t")
                self._each(group, lambda item: self.text.add(f"if (!set_has({away}, {item})) {push}(&{name}, {item});"))
            case core.Op(op="without", args=(group, gone)):
                away = self.listed(gone) if isinstance(types.base_of(gone.type), types.Sequence) else ""
                single = "" if away else self.named(self.value(gone))

                def keep(item: str) -> None:
                    is_gone = f"list_has(&{away}, {item})" if away else f"{item} == {single}"
                    self.text.add(f"if (!({is_gone})) {push}(&{name}, {item});")

                self._each(group, keep)
            case core.Fold(function="union"):
                once = add
                if not cards:
                    once = partial(self._put_in_list, name)
                elif not is_disjoint_for_each(expr.value, expr.binder.local):
                    once = self._once(name)
                self._each_kept(expr.binder, lambda _: self._add_to(expr.value, once))
            case core.Extreme():
                self._each_best(expr, add)
            case core.Sorted():
                self._list_sorted(expr, name)
            case core.Select(which="first" | "last" as which, binder=binder, count=count) if count is not None:
                self._few(which, binder, count, name, push)
            case core.Chain():
                self._chained_list(expr, name, add)
            case core.Const(value=None):  # Absent, as the list is until something is added.
                pass
            case core.ZoneRef() | core.LocalRef() | core.Range() | core.Select() | core.Builtin():
                self._each(expr, add)
            case _:  # None of the others gives a group.
                raise AssertionError(expr)

    def _list_sorted(self, expr: core.Sorted, name: str) -> None:
        """Print how a list gets what a binder keeps, in the order of a key."""
        binder, by, cards = expr.binder, expr.by, self._is_cards(expr)
        if cards and self.functions.card_of(by) is binder.local:
            self._each_kept(binder, lambda item: self.text.add(f"cards_push(&{name}, {item});"))
            self.text.add(f"cards_sort(&{name}, {self._ranks(self.tables.of(by, binder.local))});")
            return
        rows, width = self.fresh(), self._row_width(by)
        most = self.num_cards if cards else max(1, list_bound(expr.type))
        self.text.add(f"i64 {rows}[{max(1, most) * width}];")
        put = "cards_ranked" if cards else "list_ranked"
        self._each_kept(
            binder, lambda item: self.text.add(f"{put}(&{name}, {rows}, {most}, {width}, {self._row(by)}, {item});")
        )

    def _ranks(self, found: list[tuple[int | None, ...] | int | None]) -> str:
        """Return the name of a table of the ranks of cards by their keys, 0 for a card without one."""
        keys = [key if isinstance(key, tuple) else (key,) for key in found]
        whole = sorted({key for key in keys if None not in key})
        ranks = [whole.index(key) if key in whole else 0 for key in keys]
        return self.constant(f"i32 @[{len(keys)}]", f"{{{', '.join(map(str, ranks))}}}")

    def _once(self, name: str) -> Body:
        """Print a set of the cards that a list has; return what adds a card that it has not."""
        self.text.add(f"set_t {name}_seen = set_none();")
        return lambda item: self.text.add(f"cards_put(&{name}, &{name}_seen, {item});")

    def _put_in_list(self, name: str, item: str) -> None:
        self.text.add(f"list_put(&{name}, {item});")

    def _add_to(self, group: core.Expr, add: Body) -> None:
        """Print how a group, or one thing that may be absent, is added to a list."""
        if isinstance(types.base_of(group.type), types.Cards | types.Sequence):
            self._each(group, add)
        else:
            item = self.named(self.value(group))
            with self.text.block(f"if ({item} != NONE)"):
                add(item)

    def _few(self, which: str, binder: core.Binder, count: core.Expr, name: str, push: str) -> None:
        wanted = self.named(self.value(count))
        if which == "first":
            # All are looked at, as everywhere: a condition after the last one may still be at fault.
            self._each_kept(binder, lambda item: self.text.add(f"if ({name}.n < {wanted}) {push}(&{name}, {item});"))
            return
        self._each_kept(binder, lambda item: self.text.add(f"{push}(&{name}, {item});"))
        over = self.fresh()
        self.text.add(f"i32 {over} = {name}.n - (i32)most(0, least({wanted}, {name}.n));")
        self.text.add(f"{name}.n -= {over};")
        self.text.add(f"memmove({name}.a, {name}.a + {over}, (size_t){name}.n * sizeof *{name}.a);")

    def _chained_list(self, expr: core.Chain, name: str, add: Body) -> None:
        """Print how a list, which is absent or empty so far, gets what a chain chooses."""

        def take(value: core.Expr) -> None:
            if isinstance(value, core.Const):
                self.text.add(f"{name}.n = -1;")  # `none`
            elif types.is_optional(value.type) or is_key(value.type):
                self.text.add(f"{name} = {self.listed(value)};")
            else:
                self.text.add(f"{name}.n = 0;")
                self._add_to(value, add)

        self.alternatives(expr, take, f"{name}.n < 0")

    # ---- conditions as sets of cards

    def _is_maskable(self, expr: core.Expr, card: Local) -> bool:
        """Say whether a condition on a card can be a set of cards that is worked out at once."""
        with self.text.aside():
            fresh = self._fresh
            found = self._try_mask(expr, card)
            self._fresh = fresh
        return found is not None

    def _mask(self, expr: core.Expr, card: Local) -> str:
        """Return the set of all cards for which a condition holds."""
        found = self._try_mask(expr, card)
        assert found is not None
        return found

    @staticmethod
    def _form(card: Local) -> MaskForm:
        return SETS if isinstance(types.base_of(card.type), types.Card) else WORDS

    def _is_invariant(self, expr: core.Expr, card: Local) -> bool:
        return card not in core.names_of(expr) and self.totality.is_total(expr, frozenset())

    def _try_mask(self, expr: core.Expr, card: Local) -> str | None:
        form = self._form(card)
        if self.functions.card_of(expr) is card:
            return self.set_constant([c for c, holds in enumerate(self.tables.of(expr, card)) if holds])
        if self._is_invariant(expr, card):
            return f"(({self.condition(expr)}) ? {form.all} : {form.none})"
        match expr:
            case core.Op(op="not", args=(inner,)):
                found = self._try_mask(inner, card)
                return None if found is None else f"{form.name}_minus({form.all}, {found})"
            case core.Op(op="and" | "or" as op):
                return self._mask_of_parts(op, operands(expr, op), card)
            case core.Op(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op, args=(left, right)):
                mirrored = sum_tables.MIRRORED[op]
                return self._compared(op, left, right, card) or self._compared(mirrored, right, left, card)
            case core.IsIn(value=core.LocalRef(local=local), domain=domain) if local is card:
                if self._is_cards(domain) and self._is_invariant(domain, card):
                    return self.cards(domain)
                return None
            case core.IsIn(value=value, domain=core.Range(low=low, high=high)):
                least, most = self._compared(">=", value, low, card), self._compared("<=", value, high, card)
                return None if least is None or most is None else f"{form.name}_and({least}, {most})"
            case core.IsKind(card=core.LocalRef(local=local)) if local is card:
                passing, open_ = self.tables.passing(expr.test)
                text = self.set_constant([number for number, passes in enumerate(passing) if passes])
                for name, wanted in open_:
                    if not self._is_invariant(wanted, card):
                        return None
                    found = self._equal_to(self.tables.attribute(name), wanted)
                    if found is None:
                        return None
                    text = f"set_and({text}, {found})"
                return text
            case core.Chain():
                return self._mask_of_chain(expr, card)
            case core.CallDefine(define=define) if define.value is not None and not define.lets:
                simple = all(isinstance(arg, core.LocalRef | core.Const) for arg in expr.args)
                clean = not any(
                    types.is_optional(arg.type) and not types.is_optional(param.type)
                    for arg, param in zip(expr.args, define.params, strict=True)
                )
                if simple and clean:
                    given = dict(zip(define.params, expr.args, strict=True))
                    return self._try_mask(substitute(self.program.definitions[define].value, given), card)
                return None
        return None

    def _mask_of_parts(self, op: str, parts: list[core.Expr], card: Local) -> str | None:
        """Return the cards for which all, or some, parts of a condition hold; what is the same for all comes first."""
        fixed, form = [part for part in parts if self._is_invariant(part, card)], self._form(card)
        text: str | None = None
        test = self._joined(op, fixed) if fixed else ""
        with self.text.aside() as lines:
            self.text.depth += bool(fixed)
            for part in parts:
                if part not in fixed:
                    found = self._try_mask(part, card)
                    if found is None:
                        self.text.depth -= bool(fixed)
                        return None
                    text = found if text is None else f"{form.name}_{op}({text}, {found})"
            self.text.depth -= bool(fixed)
        assert text is not None
        if not fixed:
            self.text.put(lines)
            return text
        without = form.none if op == "and" else form.all
        if not lines:
            return f"(({test}) ? {text} : {without})" if op == "and" else f"(({test}) ? {without} : {text})"
        name = self.fresh()
        self.text.add(f"{form.type} {name} = {without};")
        self.text.add(f"if ({test}) {{" if op == "and" else f"if (!({test})) {{")
        self.text.put(lines)
        self.text.add(f"    {name} = {text};")
        self.text.add("}")
        return name

    def _mask_of_chain(self, expr: core.Chain, card: Local) -> str | None:
        form = self._form(card)
        if self._divides(expr, card):
            return self._chain(expr, lambda value: self._mask(value, card), form.none, form.type)
        text: str | None = None
        for place, (condition, value) in reversed(list(enumerate(expr.alternatives))):
            if types.is_optional(value.type) or (condition is None and place < len(expr.alternatives) - 1):
                return None
            found = self._try_mask(value, card)
            if found is None:
                return None
            if condition is None:
                text = found
                continue
            test = self._try_mask(condition, card)
            if test is None:
                return None
            kept = f"{form.name}_and({test}, {found})"
            text = kept if text is None else f"{form.name}_or({kept}, {form.name}_minus({text}, {test}))"
        return text

    def _divides(self, expr: core.Chain, card: Local) -> bool:
        """Say whether the conditions of a chain are the same for all cards, and its values are masks."""
        return all(
            (place == len(expr.alternatives) - 1 if condition is None else self._is_invariant(condition, card))
            and not types.is_optional(value.type)
            and self._is_maskable(value, card)
            for place, (condition, value) in enumerate(expr.alternatives)
        )

    def _compared(self, op: str, own: core.Expr, other: core.Expr, card: Local) -> str | None:
        """Return the cards of which something compares so with what is the same for all."""
        if not self._is_invariant(other, card) or is_key(own.type):
            return None
        form = self._form(card)
        match own:
            case core.LocalRef(local=local) if local is card:
                bound = self.named(self.value(other))
                one, below, up_to = f"{form.name}_one({bound})", f"bits_below({bound})", f"bits_below({bound} + 1)"
            case core.Builtin(function=function, args=(start, core.LocalRef(local=local))) if (
                (near := function.c_below)
                and local is card and self._is_invariant(start, card) and is_small(start.type) and is_small(other.type)
            ):  # fmt: skip
                middle, bound = self.named(self.value(start)), self.named(self.value(other))
                below, up_to = near.format(middle, bound), near.format(middle, f"{bound} + 1")
                one = f"({up_to} & ~{below})"
            case _:  # An attribute of a card, if anything.
                return self._compared_attribute(op, own, other, card)
        masks = {"==": one, "!=": f"{form.name}_minus({form.all}, {one})"}
        if form is WORDS:
            masks |= {"<": below, "<=": up_to, ">": f"~{up_to}", ">=": f"~{below}"}
        return masks.get(op)

    def _compared_attribute(self, op: str, own: core.Expr, other: core.Expr, card: Local) -> str | None:
        if self.functions.card_of(own) is not card:
            return None
        values = self.tables.of(own, card)
        if op in ("==", "!="):
            found = self._equal_to(values, other)
            return found if found is None or op == "==" else f"set_minus(ALL, {found})"
        known = [value for value in values if value is not None]
        if not known or max(known) - min(known) >= _LONGEST_TABLE or any(isinstance(v, tuple) for v in known):
            return None
        low, high = min(known), max(known)
        sets = [
            [c for c, value in enumerate(values) if value is not None and COMPARISONS[op](value, bound)]
            for bound in range(low - 1, high + 2)
        ]
        table = self.sets_constant(sets)
        return f"{table}[most(0, least({len(sets) - 1}, {self.value(other)} - {low - 1}))]"

    def _equal_to(self, values: list[int | bool | None], other: core.Expr) -> str | None:
        """Return the cards that have the value of what is the same for all; none where that is absent."""
        known = [value for value in values if value is not None]
        if not known or any(isinstance(value, tuple) for value in known):
            return None
        low, high = int(min(known)), int(max(known))
        if high - low >= _LONGEST_TABLE:
            return None
        sets = [[c for c, value in enumerate(values) if value == wanted] for wanted in range(low, high + 1)]
        table = self.sets_constant(sets)
        given = self.named(self.value(other))
        return f"((u64)({given} - {low}) < {len(sets)} ? {table}[{given} - {low}] : set_none())"

    # ---- what a printer of sets adds (`interpreter.program.c.sets`)

    @abstractmethod
    def some_subset(self, expr: core.SomeSubset) -> str:
        """Return whether a subset of cards satisfies a condition on measures."""

    @abstractmethod
    def measured_key(self, fold: core.SetFold, name: str) -> None:
        """Print how a list gets the key that is the result of a measure."""


def falls_through(chain: core.Chain) -> bool:
    """Say whether an alternative of a chain is tested whether it is there, and the next one taken if not."""
    return any(condition is None for condition, _ in chain.alternatives[:-1])


def is_small(type_: types.Type) -> bool:
    """Say whether numbers of a type can be added and subtracted without a look at their size."""
    inner = types.base_of(type_)
    if not isinstance(inner, types.Int):
        return True
    return inner.low is not None and inner.high is not None and inner.low > -_SAFE and inner.high < _SAFE


def all_of(binder: core.Binder) -> core.Expr:
    """Return all that a binder keeps, as one expression."""
    if binder.where is None and binder.start is None:
        return binder.domain
    return core.Select("all", binder, None, binder.domain.type, binder.domain.span)
