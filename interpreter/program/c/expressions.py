"""Print expressions as C.

What a method returns is the text of a value that can be read any number of times: it changes nothing and fails nowhere.
Everything that takes a loop, a branch or a check is printed in front, as statements (three-address code), so that
faults come in the order of the rules.  A part that is evaluated only sometimes (`and`, `or`, a chain) is printed inside
a branch.

Numbers, players, cards and truth values are `i64`, absence is `NONE`.  Groups of cards are sets of bits wherever their
order is not known (`interpreter.program.c.order`), and conditions on single cards are sets too
(`interpreter.program.c.masks`), so that most loops over cards are a few operations on words.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from math import prod
from typing import Literal, assert_never

import attrs

from interpreter.analysis import core, types
from interpreter.analysis.budget import PRINT, spend
from interpreter.analysis.core import Variable
from interpreter.analysis.limits import NUMBER_LIMIT
from interpreter.analysis.symbols import Local, Zone
from interpreter.program.c.layout import is_key, list_bound, name_of, width_of
from interpreter.program.c.names import SIMPLE, NamePrinter, number
from interpreter.program.c.order import is_set
from interpreter.program.passes.disjoint import whole_zones
from interpreter.program.passes.rewriting import operands
from interpreter.program.passes.totality import LOOPS, is_players

NONE_THERE = "there is none, though the rule says `the`"
"""What is at fault where `the` is said of what is absent."""

_SAFE = 2**61
"""A number that is surely nearer to 0 than this can be added to another one."""

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}

Body = Callable[[str], None]
"""Prints what is done with one thing of a group, given its name."""

Branchless = Callable[[str, str], None]
"""Prints what is done with one thing of a group, given its name and a condition that may not hold."""

_FEW_VALUES = 4
"""The most values of cards for which a sum is a sum of counts."""


class ExpressionPrinter(NamePrinter):
    """Prints values and conditions."""

    # ---- what the printer of groups adds

    @abstractmethod
    def _is_cards(self, expr: core.Expr) -> bool:
        """Say whether an expression is a group of cards."""

    @abstractmethod
    def cards(self, expr: core.Expr) -> str:
        """Return the set of the cards of a group, or of one card that may be absent."""

    @abstractmethod
    def _kept(self, binder: core.Binder) -> str:
        """Return the set of the cards that a binder keeps."""

    @abstractmethod
    def _is_bit_set(self, binder: core.Binder) -> bool:
        """Say whether all of a binder's condition is a set of cards."""

    @abstractmethod
    def _each_kept(
        self, binder: core.Binder, body: Body, *, ordered: bool = True, branchless: Branchless | None = None
    ) -> None:
        """Print a loop through what a binder keeps."""

    @abstractmethod
    def _each(self, expr: core.Expr, body: Body, start: core.Expr | None = None, *, ordered: bool = True) -> None:
        """Print a loop through a group, turned to where it begins if that is said."""

    @abstractmethod
    def listed(self, expr: core.Expr) -> str:
        """Return the name of a list of what a group has, in order, or of the parts of a key.

        What is absent has -1 things.
        """

    @abstractmethod
    def _measured_key(self, fold: core.SetFold, name: str) -> None:
        """Print how a list gets the key that a measure of a set comes to; it is absent so far."""

    @abstractmethod
    def _some_subset(self, expr: core.SomeSubset) -> str:
        """Return whether some subset of cards fulfils a condition."""

    @abstractmethod
    def _is_short(self, expr: core.Range) -> bool:
        """Say whether a range is surely short enough to be gone through."""

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
                table = self.numbers_constant([int(value) for value in expr.table])
                return self.at(table, self.value(expr.value), optional=types.is_optional(expr.value.type))
            case core.Op(op="join" | "without"):
                raise AssertionError("a group is no number")
            case core.Op(op="and" | "or" | "not" | "==" | "!=" | "<" | "<=" | ">" | ">="):
                return f"(i64)({self.condition(expr)})"
            case core.Op():
                return self._sum(expr)
            case core.IsKind() | core.IsNone() | core.IsIn() | core.SomeSubset():
                return f"(i64)({self.condition(expr)})"
            case core.Select(which="some" | "no"):
                return f"(i64)({self.condition(expr)})"
            case core.Select(which="count"):
                return self._count(expr.binder)
            case core.Select(which="first" | "last" as which):
                return self._end(which, expr.binder)
            case core.Fold(function="same" | "different"):
                return f"(i64)({self.condition(expr)})"
            case core.Fold():
                return self._fold(expr)
            case core.Extreme():
                return self._extreme(expr)
            case core.CallDefine():
                return self._call(expr)
            case core.Builtin():
                return self._builtin(expr)
            case core.EndOf():
                return self._end_of(expr)
            case core.Chain():
                return self._chain(expr, lambda value: self.value(value), "NONE", "i64")
            case core.SetFoldRef():
                return self.measures[expr.fold]
            case core.Select() | core.Range() | core.ZoneRef() | core.TupleOf():
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
            return self._end_of(core.EndOf(end, binder.domain, binder.local.type, binder.domain.span))
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
                self._measured_key(fold, name)
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

    def _best(self, expr: core.Extreme, going: Callable[[Body], None]) -> tuple[str, str]:
        """Print the search for the best of what is gone through; return it, the first of equals, and its key."""
        best, key, keys = self.fresh(), self.fresh(), self._compares_keys(expr.by)
        self.text.add(f"i64 {best} = NONE; {f'list_t {key}' if keys else f'i64 {key} = 0'};")

        def compare(item: str) -> None:
            value = self._measure(expr.by)
            better = self._comparison(value, ">" if expr.which == "highest" else "<", key, keys=keys)
            self.text.add(f"if ({best} == NONE || {better}) {{ {best} = {item}; {key} = {value}; }}")

        going(compare)
        return best, key

    def _extreme(self, expr: core.Extreme) -> str:
        return self._best(expr, lambda body: self._each_kept(expr.binder, body))[0]

    def _end_of(self, expr: core.EndOf) -> str:
        zone = expr.zone
        if isinstance(zone, core.ZoneRef) and not is_set(zone.zone):
            place = self.located(zone)
            # The top of a pile is its last card in the state, the first of a row the first one.
            last = (expr.which == "top") == (zone.zone.kind == "pile")
            end = f"({place.count} ? (i64){place.cards}[{f'{place.count} - 1' if last else '0'}] : NONE)"
            if zone.zone in self.hiding:
                self.text.add(f"NEED(need(s, {end}));")
            return end
        if self.layout.order.ascends(zone):
            return f"set_{'first' if expr.which == 'top' else 'last'}({self.cards(zone)})"
        found = self.listed(zone)
        return f"({found}.n ? (i64){found}.a[{'0' if expr.which == 'top' else f'{found}.n - 1'}] : NONE)"

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
        """Return what a definition gives, the call of it, and when it is absent, as an argument is."""
        define = expr.define
        args: list[str] = []
        absent: list[str] = []
        for given, param in zip(expr.args, define.params, strict=True):
            # What is `none` alone has the form of the parameter.
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
        """Return the type of C of what a definition gives."""
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
        fault = self.fault("CG804", "too many steps and no decision")
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
            case core.Fold(function="same" | "different"):
                return self._distinct(expr)
            case core.SomeSubset():
                return self._some_subset(expr)
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
        if is_players(domain):
            return f"{value} != NONE"
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

        flat = note if self._is_cheap(binder) else None

        def leave(stop: str) -> None:
            self._each_kept(binder, lambda _: self.text.add(f"{found} = 1; {stop}"), ordered=False, branchless=flat)

        self._until(leave)
        return found

    def _is_set_kept(self, binder: core.Binder) -> bool:
        return self._is_cards(binder.domain) and self._is_bit_set(binder)

    def _is_cheap(self, binder: core.Binder) -> bool:
        """Say whether a condition on each player may be evaluated for all of them, and is a few operations."""
        if binder.where is None or not is_players(binder.domain):
            return False
        simple = not any(isinstance(part, (core.CallDefine, *LOOPS)) for part in core.walk(binder.where))
        return simple and self.totality.is_total(binder.where, frozenset({binder.local}))

    def _distinct(self, expr: core.Fold) -> str:
        """Return whether the values of what a binder keeps are all the same, or all different."""
        same, width, rows, count = expr.function == "same", self._row_width(expr.value), self.fresh(), self.fresh()
        domain = expr.binder.domain
        size = 2 if same else self.num_cards if self._is_cards(domain) else max(1, list_bound(domain.type))
        self.text.add(f"i64 {rows}[{max(1, size) * width}]; i32 {count} = 0, {count}_twice = 0;")

        def note(_: str) -> None:
            self.text.add(
                f"{count}_twice |= !rows_add({rows}, &{count}, {max(1, size)}, {width}, {self._row(expr.value)});"
            )

        self._each_kept(expr.binder, note, ordered=False)
        return f"{count} < 2" if same else f"!{count}_twice"

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


@attrs.frozen
class Place:
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


def falls_through(chain: core.Chain) -> bool:
    """Say whether an alternative of a chain is tested whether it is there, and the next one taken if not."""
    return any(condition is None for condition, _ in chain.alternatives[:-1])


def is_small(type_: types.Type) -> bool:
    """Say whether numbers of a type can be added and subtracted without a look at their size."""
    inner = types.base_of(type_)
    if not isinstance(inner, types.Int):
        return True
    return inner.low is not None and inner.high is not None and inner.low > -_SAFE and inner.high < _SAFE
