"""Print expressions as C.

What a method returns is the text of a value that can be read any number of times: it changes nothing and fails nowhere.
Whatever takes a loop, a branch or a check is printed in front, as statements (three-address code), so that faults come
in the order of the rules.  A part that is asked only sometimes (`and`, `or`, a chain) is printed inside a branch.

Numbers, players, cards and truth values are `i64`, absence is `NONE`.  Groups of cards are sets of bits wherever their
order cannot be told (`interpreter.program.c.order`), and conditions on single cards are sets too
(`interpreter.program.c.masks`), so that most loops over cards are a few operations on words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, assert_never

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.limits import NUMBER_LIMIT, RANGE_LIMIT
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local, Variable
from interpreter.analysis.types import Bool, Cards, EnumType, Int, Sequence, Tuple, Type, base_of, is_optional
from interpreter.analysis.work import PRINT, spend
from interpreter.program.c.layout import CLayout
from interpreter.program.c.order import is_set
from interpreter.program.c.tables import CardTables
from interpreter.program.c.text import Text, UnprintableError
from interpreter.program.nodes import Program
from interpreter.program.passes import Passes
from interpreter.program.passes.disjoint import are_disjoint, is_disjoint_for_each
from interpreter.program.passes.rewriting import operands
from interpreter.program.passes.tabulate import CardFunctions
from interpreter.program.passes.totality import is_players, names_of

_SIMPLE = re.compile(r"-?\w+")
_SAFE = 2**61
"""A number that is surely nearer to 0 than this can be added to another one."""

_LONGEST_TABLE = 1_024
"""The most values for which there is a table of masks."""

Body = Callable[[str], None]
"""Prints what is done with one thing of a group, given its name."""


class ExpressionPrinter:
    """Prints expressions for one layout into `text`.

    `faults` collects what can go wrong, with its place in the spec: the printed code knows their numbers alone.
    `constants` are tables that stand at the head of the text.
    """

    def __init__(self, program: Program, layout: CLayout, passes: Passes) -> None:
        self.program = program
        self.rules = program.rules
        self.layout = layout
        self.passes = passes
        self.totality = passes.totality
        self.functions = CardFunctions(frozenset(passes.tables))
        self.tables = CardTables(program.rules)
        self.text = Text()
        self.faults: list[tuple[str, str, Span | None]] = []
        self.constants: list[str] = []
        self.unit = ""
        self.seen: dict[Local, set[str]] = {}
        self.bound: dict[Local, str] = {}
        self.measures: dict[core.SetFold, str] = {}
        self._constants: dict[str, str] = {}
        self._faults: dict[tuple[str, Span | None], int] = {}
        self._fresh = 0
        self.num_cards = len(program.rules.card_faces)
        self.players = program.rules.num_players
        self.copies = any(face.copies > 1 for face in program.rules.faces)

    # ---- names

    def fresh(self) -> str:
        """Return a name that nothing else has."""
        self._fresh += 1
        return f"t{self._fresh}"

    def named(self, value: str, type_: str = "i64") -> str:
        """Give a value a name, unless it is one."""
        if _SIMPLE.fullmatch(value):
            return value
        name = self.fresh()
        self.text.add(f"{type_} {name} = {value};")
        return name

    def local(self, local: Local) -> str:
        """Return where the value of a local name is, for reading and writing of groups."""
        if local in self.bound:
            return self.bound[local]
        self.seen.setdefault(local, set()).add(self.unit)
        return f"s->x{local.number}" if local in self.layout.slots else f"x{local.number}"

    def read_local(self, local: Local) -> str:
        """Return the number that a local name stands for."""
        place = self.local(local)
        in_slot = local in self.layout.slots and local not in self.bound
        return self.layout.stored(local.type).read(place) if in_slot else place

    def set_local(self, local: Local, value: str) -> None:
        """Print that a local name stands for a number."""
        place = self.local(local)
        if local in self.layout.slots and local not in self.bound:
            self.text.add(f"{place} = {self.layout.stored(local.type).written(value)};")
        else:
            self.text.add(f"i64 {place} = {value};")

    @contextmanager
    def binding(self, names: Mapping[Local, str]) -> Iterator[None]:
        """Let locals be other names for the time being."""
        before = dict(self.bound)
        self.bound.update(names)
        try:
            yield
        finally:
            self.bound = before

    def constant(self, declaration: str, values: str) -> str:
        """Return the name of a constant table, entering it once: `declaration` has `@` for the name."""
        key = f"{declaration}={values}"
        if key not in self._constants:
            name = f"K{len(self._constants)}"
            self._constants[key] = name
            self.constants.append(f"static const {declaration.replace('@', name)} = {values};")
        return self._constants[key]

    def fault(self, code: str, message: str, span: Span | None) -> int:
        """Return the number of a fault."""
        key = (code, span)
        if key not in self._faults:
            self.faults.append((code, message, span))
            self._faults[key] = len(self.faults)
        return self._faults[key]

    def fail(self, code: str, message: str, span: Span | None) -> str:
        """Return the statement by which a fault is noted; the first one stays."""
        return f"FAIL({self.fault(code, message, span)});"

    # ---- constants of cards

    def set_constant(self, cards: list[int]) -> str:
        """Return a set of cards that is known now."""
        if not cards:
            return "set_none()"
        if len(cards) == self.num_cards:
            return "ALL"
        return self.constant("set_t @", self.set_words(cards))

    def set_words(self, cards: list[int]) -> str:
        """Return a set of cards as the initial value of a constant."""
        bits = sum(1 << card for card in cards)
        words = [f"{bits >> 64 * i & 2**64 - 1:#x}u" for i in range(max(1, (self.num_cards + 63) // 64))]
        return words[0] if self.num_cards <= 64 else "{{" + ", ".join(words) + "}}"

    def sets_constant(self, sets: list[list[int]]) -> str:
        """Return the name of a table of sets."""
        return self.constant(f"set_t @[{len(sets)}]", "{" + ", ".join(map(self.set_words, sets)) + "}")

    def numbers_constant(self, values: list[int | None]) -> str:
        """Return the name of a table of numbers."""
        known = [int(value) for value in values if value is not None]
        if len(known) < len(values) or not values:
            texts = ["NONE" if value is None else number(int(value)) for value in values] or ["NONE"]
            return self.constant(f"i64 @[{len(texts)}]", "{" + ", ".join(texts) + "}")
        low, high = min(known), max(known)
        bits = next((b for b in (8, 16, 32) if -(2 ** (b - 1)) <= low and high < 2 ** (b - 1)), 64)
        return self.constant(f"int{bits}_t @[{len(known)}]", "{" + ", ".join(map(number, known)) + "}")

    def at(self, table: str, key: str, *, optional: bool) -> str:
        """Return a look-up, of what may be absent if `optional`."""
        if not optional:
            return f"(i64){table}[{key}]"
        key = self.named(key)
        return f"({key} == NONE ? NONE : (i64){table}[{key}])"

    # ---- what a statement prints: an expression as the checker left it

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression behind the passes."""
        return self.passes.run(expr)

    def value(self, expr: core.Expr) -> str:
        """Return the text of one value."""
        return self._number(self.run(expr))

    def condition(self, expr: core.Expr) -> str:
        """Return a text that is true where a condition holds."""
        return self._truth(self.run(expr))

    def cards(self, expr: core.Expr) -> str:
        """Return the set of some cards, or of one that may be absent."""
        return self._set(self.run(expr))

    def selection(self, binder: core.Binder) -> core.Expr:
        """Return all that a binder keeps, behind the passes."""
        return self.passes.selection(binder)

    def listed(self, expr: core.Expr) -> str:
        """Return the name of a list of what a group has, in order: of cards where it holds cards, else of numbers."""
        return self._listed(self.run(expr))

    # ---- one value

    def _number(self, expr: core.Expr) -> str:
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
                return self.at(table, self._number(expr.card), optional=is_optional(expr.card.type))
            case core.EnumAttr():
                table = self.numbers_constant([int(value) for value in expr.table])
                return self.at(table, self._number(expr.value), optional=is_optional(expr.value.type))
            case core.Op(op="join" | "without"):
                raise AssertionError("a group is no number")
            case core.Op(op="and" | "or" | "not" | "==" | "!=" | "<" | "<=" | ">" | ">="):
                return f"(i64)({self._truth(expr)})"
            case core.Op():
                return self._sum(expr)
            case core.IsKind() | core.IsNone() | core.IsIn() | core.SomeSubset():
                return f"(i64)({self._truth(expr)})"
            case core.Select(which="some" | "no"):
                return f"(i64)({self._truth(expr)})"
            case core.Select(which="count"):
                return self._count(expr.binder)
            case core.Select(which="first" | "last" as which):
                return self._end(which, expr.binder)
            case core.Fold(function="same" | "different"):
                return f"(i64)({self._truth(expr)})"
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
                return self._chain(expr, lambda value: self._number(value), "NONE", "i64")
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
        if isinstance(base_of(expr.type), Cards | Sequence | Tuple):
            return None
        card = self.functions.card_of(expr)
        if not isinstance(card, Local):
            return None
        table = self.numbers_constant(self._known(expr, card))
        return f"(i64){table}[{self.read_local(card)}]"

    def _known(self, expr: core.Expr, card: Local) -> list[int | None]:
        """Return what an expression comes to for each card; no rule looks at cards of which it cannot be asked."""
        found = self.tables.of(expr, card)
        known = next((value for value in found if value is not None), 0)
        may_be_absent = is_optional(expr.type)
        return [known if value is None and not may_be_absent else value for value in found]

    def _sum(self, expr: core.Op) -> str:
        args = [self._number(arg) for arg in expr.args]
        if expr.op in ("+", "-", "*"):
            if _is_small(expr.type) and all(_is_small(arg.type) for arg in expr.args):
                return f"({f' {expr.op} '.join(args)})"
            function = {"+": "plus_", "-": "minus_", "*": "times_"}[expr.op]
            text = args[0]
            for other in args[1:]:
                text = f"{function}({text}, {other})"
            return text
        by = self.named(args[1])
        if not (isinstance(expr.args[1], core.Const) and expr.args[1].value):
            fault = self.fail("CG809", "a division by zero", expr.span)
            name = self.fresh()
            self.text.add(f"i64 {name} = {by};")
            self.text.add(f"if (!{name}) {{ {fault} {name} = 1; }}")
            by = name
        names = {"mod": "mod_", "/down": "div_down", "/up": "div_up", "/nearest": "div_nearest"}
        return f"{names[expr.op]}({args[0]}, {by})"

    def _count(self, binder: core.Binder) -> str:
        if isinstance(binder.local.type, Cards) or self._is_cards(binder.domain):
            return f"(i64)set_count({self._kept(binder)})"
        name = self.fresh()
        self.text.add(f"i64 {name} = 0;")
        self._each_kept(binder, lambda _: self.text.add(f"{name}++;"), ordered=False)
        return name

    def _end(self, which: Literal["first", "last"], binder: core.Binder) -> str:
        """Return the first or last of what a binder keeps."""
        if self._is_cards(binder.domain) and binder.start is None and self.layout.order.ascends(binder.domain):
            if self._rest_is_masked(binder) or which == "last":
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
        if isinstance(base_of(expr.value.type), Tuple):
            raise UnprintableError("the greatest or least of keys of several parts")
        name = self.fresh()
        match expr.function:
            case "sum":
                self.text.add(f"i64 {name} = 0;")

                def add(_: str) -> None:
                    value = self._number(expr.value)
                    small = _is_small(expr.type) and _is_small(expr.value.type)
                    self.text.add(f"{name} += {value};" if small else f"{name} = plus_({name}, {value});")

                self._each_kept(expr.binder, add, ordered=False)
            case "max" | "min" as which:
                self.text.add(f"i64 {name} = NONE;")

                def compare(_: str) -> None:
                    value = self.named(self._number(expr.value))
                    sign = ">" if which == "max" else "<"
                    self.text.add(f"if ({name} == NONE || {value} {sign} {name}) {name} = {value};")

                self._each_kept(expr.binder, compare, ordered=False)
            case function:
                raise AssertionError(function)
        return name

    def _parts(self, key: core.Expr) -> list[str]:
        """Return the parts of a key, which is compared from the left."""
        if isinstance(key, core.TupleOf):
            return [part for item in key.items for part in self._parts(item)]
        if isinstance(base_of(key.type), Tuple):
            if isinstance(key, core.Chain):
                return self._chained_parts(key)
            raise UnprintableError("a key of several parts that comes from elsewhere")
        return [self._number(key)]

    def _chained_parts(self, chain: core.Chain) -> list[str]:
        """Return the parts of the key that a chain chooses; its alternatives all have conditions, or it ends."""
        size = self._width(chain)
        names = [self.fresh() for _ in range(size)]
        for name in names:
            self.text.add(f"i64 {name} = NONE;")
        depth = 0
        for place, (condition, value) in enumerate(chain.alternatives):
            if condition is not None:
                self.text.add(f"if ({self._truth(condition)}) {{")
            elif place < len(chain.alternatives) - 1:
                raise UnprintableError("a key of several parts that may be absent")
            else:
                self.text.add("{")
            for name, part in zip(names, self._parts(value), strict=True):
                self.text.add(f"{name} = {part};")
            self.text.add("} else {" if place < len(chain.alternatives) - 1 else "}")
            depth += place < len(chain.alternatives) - 1
        self.text.add("}" * depth)
        return names

    def _width(self, key: core.Expr) -> int:
        type_ = base_of(key.type)
        return sum(self._type_width(item) for item in type_.items) if isinstance(type_, Tuple) else 1

    def _type_width(self, type_: Type) -> int:
        inner = base_of(type_)
        return sum(map(self._type_width, inner.items)) if isinstance(inner, Tuple) else 1

    def _best(self, expr: core.Extreme) -> tuple[str, list[str]]:
        """Print the search for the best; return it, the first of equals, and its key."""
        size = self._width(expr.by)
        best, keys = self.fresh(), [self.fresh() for _ in range(size)]
        self.text.add(f"i64 {best} = NONE, {', '.join(f'{key} = 0' for key in keys)};")

        def compare(item: str) -> None:
            parts = [self.named(part) for part in self._parts(expr.by)]
            sign = ">" if expr.which == "highest" else "<"
            better = before(parts, keys, sign)
            kept = " ".join(f"{key} = {part};" for key, part in zip(keys, parts, strict=True))
            self.text.add(f"if ({best} == NONE || {better}) {{ {best} = {item}; {kept} }}")

        self._each_kept(expr.binder, compare)
        return best, keys

    def _extreme(self, expr: core.Extreme) -> str:
        return self._best(expr)[0]

    def _end_of(self, expr: core.EndOf) -> str:
        zone = expr.zone
        if isinstance(zone, core.ZoneRef) and not is_set(zone.zone):
            place, count = self.lying(zone)
            # The top of a pile lies behind all others, the first of a row in front of them.
            last = (expr.which == "top") == (zone.zone.kind == "pile")
            return f"({count} ? (i64){place}[{f'{count} - 1' if last else '0'}] : NONE)"
        if self.layout.order.ascends(zone):
            return f"set_{'first' if expr.which == 'top' else 'last'}({self._set(zone)})"
        found = self._listed(zone)
        return f"({found}.n ? (i64){found}.a[{'0' if expr.which == 'top' else f'{found}.n - 1'}] : NONE)"

    def _chain(self, expr: core.Chain, print_: Callable[[core.Expr], str], nothing: str, type_: str) -> str:
        """Return what a chain chooses: of numbers, or of sets."""
        name = self.fresh()
        with self.text.aside() as lines:
            texts = []
            for condition, value in expr.alternatives:
                texts.append((None if condition is None else self._truth(condition), print_(value)))
        if not lines and type_ == "i64":
            text = nothing
            for place, (test, given) in reversed(list(enumerate(texts))):
                if test is not None:
                    text = f"({test} ? {given} : {text})"
                elif place == len(texts) - 1:
                    text = given
                elif _SIMPLE.fullmatch(given):
                    text = f"({given} == NONE ? {text} : {given})"
                else:
                    break
            else:
                return text
        self.text.add(f"{type_} {name} = {nothing};")
        depth = 0
        for place, (condition, value) in enumerate(expr.alternatives):
            last = place == len(expr.alternatives) - 1
            if condition is not None:
                with self.text.block(f"if ({self._truth(condition)})"):
                    self.text.add(f"{name} = {print_(value)};")
                if not last:
                    self.text.add("else {")
                    self.text.depth += 1
                    depth += 1
            else:
                self.text.add(f"{name} = {print_(value)};")
                if not last:
                    if type_ != "i64":
                        raise UnprintableError("a chain of groups that may be absent")
                    self.text.add(f"if ({name} == NONE) {{")
                    self.text.depth += 1
                    depth += 1
        for _ in range(depth):
            self.text.depth -= 1
            self.text.add("}")
        return name

    # ---- calls

    def _call(self, expr: core.CallDefine) -> str:
        """Return the value of a definition."""
        define = expr.define
        args: list[str] = []
        absent: list[str] = []
        for arg, param in zip(expr.args, define.params, strict=True):
            args.append(self.argument(arg, param))
            if is_optional(arg.type) and not is_optional(param.type):
                args[-1] = self.named(args[-1])
                absent.append(f"{args[-1]} == NONE")
        kind = self.result_of(expr.type)
        call = ", ".join(["s", *args])
        if kind in ("cards_t", "list_t"):
            name = self.fresh()
            self.text.add(f"{kind} {name}; {name}.n = 0;")
            test = f"if (!({' || '.join(absent)})) " if absent else ""
            self.text.add(f"{test}d{define.number}({call}, &{name});")
            return name
        nothing = "set_none()" if kind == "set_t" else "0" if isinstance(expr.type, Bool) else "NONE"
        name = self.fresh()
        self.text.add(f"{kind} {name} = {nothing};")
        test = f"if (!({' || '.join(absent)})) " if absent else ""
        self.text.add(f"{test}{name} = d{define.number}({call});")
        return name

    def argument(self, arg: core.Expr, param: Local) -> str:
        """Return an argument as a parameter takes it: a number, a set, or where a list is."""
        match self.layout.group(param):
            case "set_t":
                return self._set(arg)
            case "":
                return self._number(arg)
            case _:
                return f"&{self._listed(arg)}"

    def result_of(self, type_: Type, value: core.Expr | None = None) -> str:
        """Return the type of C of what a definition gives; `value` is its body, that of a group of cards matters."""
        match base_of(type_):
            case Cards():
                ascends = value is None or self.layout.order.ascends(value)
                return "set_t" if ascends else "cards_t"
            case Sequence():
                self.layout.grow(type_)
                return "list_t"
            case Tuple():
                raise UnprintableError("a definition of a key of several parts")
            case _:
                return "i64"

    def _builtin(self, expr: core.Builtin) -> str:
        args = expr.args
        match expr.name, args:
            case "count", (group,):
                return self._size(group)
            case "empty", (_,):
                return f"(i64)({self._truth(expr)})"
            case "face", (card,):
                if not self.copies:
                    return self._number(card)
                table = self.numbers_constant(list(self.rules.card_faces))
                return self.at(table, self._number(card), optional=is_optional(card.type))
            case ("next" | "left" | "previous" | "right" | "across"), (of,):
                around = base_of(expr.type)
                count = len(around.values) if isinstance(around, EnumType) else self.players
                seats = {"next": 1, "left": 1, "previous": count - 1, "right": count - 1, "across": count // 2}
                text = self._number(of)
                if is_optional(of.type):
                    text = self.named(text)
                    return f"({text} == NONE ? NONE : ({text} + {seats[expr.name]}) % {count})"
                return f"(({text} + {seats[expr.name]}) % {count})"
            case ("min" | "max"), _:
                if any(isinstance(base_of(arg.type), Tuple) for arg in args):
                    raise UnprintableError("the greatest or least of keys of several parts")
                text = self._number(args[0])
                for other in args[1:]:
                    text = f"{'least' if expr.name == 'min' else 'most'}({text}, {self._number(other)})"
                return text
            case "distance", (one, other):
                return f"apart({self._number(one)}, {self._number(other)})"
            case "player_of", (card,):
                text = self.named(self._number(card))
                return f"({text} == NONE || !s->by[{text}] ? NONE : (i64)s->by[{text}] - 1)"
            case "face_down", (card,):
                return f"(i64)set_has(s->down, {self._number(card)})"
            case "holder", (card,):
                return f"holder(s, {self._number(card)})"
            case "there", (inner,):
                name = self.fresh()
                self.text.add(f"i64 {name} = {self._number(inner)};")
                fault = self.fail("CG811", "there is none, though the rule says `the`", expr.span)
                self.text.add(f"if ({name} == NONE) {{ {fault} {name} = 0; }}")
                return name
            case "spent", (inner, steps):
                self.spent(self._number(steps), expr.span)
                return self._number(inner)
            case "within", (inner,):
                name = self.fresh()
                self.text.add(f"i64 {name} = {self._number(inner)};")
                type_ = base_of(expr.type)
                assert isinstance(type_, Int)
                self.bounded(name, type_.low, type_.high, expr.span, optional=is_optional(inner.type))
                return name
            case name, _:
                raise AssertionError(name)

    def spent(self, steps: str, span: Span) -> None:
        """Print that steps are counted."""
        fault = self.fault("CG804", "too many steps and no decision", span)
        self.text.add(f"SPEND({steps}, {fault});")

    def bounded(self, name: str, low: int | None, high: int | None, span: Span, *, optional: bool) -> None:
        """Print the check that a number is within its range; where it is not, it becomes the nearest one that is."""
        if low is None and high is None:
            low, high = -NUMBER_LIMIT, NUMBER_LIMIT
        told = f"the value is outside of {low}..{high}"
        fault = self.fail("CG801", told, span)
        there = f"{name} != NONE && " if optional else ""
        for sign, bound in (("<", low), (">", high)):
            if bound is not None:
                self.text.add(f"if ({there}{name} {sign} {number(bound)}) {{ {fault} {name} = {number(bound)}; }}")

    def _size(self, group: core.Expr) -> str:
        """Return how many things a group has."""
        match group:
            case core.ZoneRef() if not is_set(group.zone):
                return f"(i64){self.lying(group)[1]}"
            case core.Builtin(name="players"):
                return str(self.players)
            case core.Builtin(name="metered"):
                pass
            case core.Range() if self._is_short(group):
                low, high = self.named(self._number(group.low)), self.named(self._number(group.high))
                return f"most(0, {high} - {low} + 1)"
            case _:
                pass
        if self._is_cards(group):
            return f"(i64)set_count({self._set(group)})"
        name = self.fresh()
        self.text.add(f"i64 {name} = 0;")
        self._each(group, lambda _: self.text.add(f"{name}++;"))
        return name

    # ---- conditions

    def _truth(self, expr: core.Expr) -> str:
        """Return a condition of C; what is absent does not hold."""
        spend(PRINT)
        match expr:
            case core.Op(op="not", args=(inner,)):
                return f"!({self._truth(inner)})"
            case core.Op(op="and" | "or" as op):
                return self._joined(op, operands(expr, op))
            case core.Op(op="==" | "!=" as op, args=(left, right)):
                return self._equal(op, left, right)
            case core.Op(op="<" | "<=" | ">" | ">=" as op, args=(left, right)) if isinstance(base_of(left.type), Tuple):
                one, other = self._keys(left, right)
                return before(one, other, op)
            case core.Op(op="<" | "<=" | ">" | ">=" as op, args=(left, right)):
                return f"{self._number(left)} {op} {self._number(right)}"
            case core.IsKind():
                return self._is_kind(expr)
            case core.IsNone():
                return f"{self._number(expr.value)} == NONE"
            case core.IsIn():
                return self._is_in(expr)
            case core.Select(which="some"):
                return self._some(expr.binder)
            case core.Select(which="no"):
                return f"!({self._some(expr.binder)})"
            case core.Builtin(name="empty", args=(core.ZoneRef() as zone,)) if not is_set(zone.zone):
                return f"!{self.lying(zone)[1]}"
            case core.Builtin(name="empty", args=(group,)) if self._is_cards(group):
                return f"set_empty({self._set(group)})"
            case core.Builtin(name="empty", args=(group,)):
                return f"!({self._any(group)})"
            case core.Fold(function="same"):
                return self._same(expr)
            case core.Fold(function="different"):
                return self._different(expr)
            case core.SomeSubset():
                return self._some_subset(expr)
            case _:
                text = self._number(expr)
                return f"{text} == 1" if is_optional(expr.type) else text

    def _some_subset(self, expr: core.SomeSubset) -> str:
        """Return whether some subset of cards fulfils a condition; what prints sets knows how."""
        raise NotImplementedError

    def _joined(self, op: str, parts: list[core.Expr]) -> str:
        text = self._as_condition(self._truth(parts[0]))
        sign = {"and": "&&", "or": "||"}[op]
        for part in parts[1:]:
            with self.text.aside() as lines:
                self.text.depth += 1
                more = self._truth(part)
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
        return text if _SIMPLE.fullmatch(text) else f"({text})"

    def _keys(self, left: core.Expr, right: core.Expr) -> tuple[list[str], list[str]]:
        one = [self.named(part) for part in self._parts(left)]
        return one, [self.named(part) for part in self._parts(right)]

    def _equal(self, op: str, left: core.Expr, right: core.Expr) -> str:
        sign = "" if op == "==" else "!"
        if isinstance(base_of(left.type), Tuple):
            one, other = self._keys(left, right)
            same = " && ".join(f"{a} == {b}" for a, b in zip(one, other, strict=True))
            return f"{sign}({same})"
        first, second = self._number(left), self._number(right)
        if is_optional(left.type) and is_optional(right.type):  # Two absent values are not equal.
            first = self.named(first)
            return f"{sign}({first} != NONE && {first} == {second})"
        return f"{first} {op} {second}"

    def _is_kind(self, expr: core.IsKind) -> str:
        passing, open_ = self.tables.passing(expr.test)
        card = self.named(self._number(expr.card))
        mask = self.set_constant([number for number, passes in enumerate(passing) if passes])
        tests = [f"set_has({mask}, {card})"]
        for name, wanted in open_:
            table = self.numbers_constant(self.tables.attribute(name))
            given = self._number(wanted)
            # None is equal to none here: a card without the attribute is not of the kind.
            tests.append(f"(i64){table}[{card}] == {given}")
        return " && ".join(tests)

    def _is_in(self, expr: core.IsIn) -> str:
        value = self.named(self._number(expr.value))
        domain = expr.domain
        if isinstance(domain, core.Range):
            low, high = self._number(domain.low), self._number(domain.high)
            there = f"{value} != NONE && " if is_optional(expr.value.type) else ""
            return f"{there}{low} <= {value} && {value} <= {high}"
        if self._is_cards(domain):
            return f"set_has({self._set(domain)}, {value})"
        if is_players(domain):
            return f"{value} != NONE"
        found = self.fresh()
        self.text.add(f"int {found} = 0;")
        body = f"if ({{}} == {value}) {{{{ {found} = 1; {{}} }}}}"
        self._until(lambda stop: self._each(domain, lambda item: self.text.add(body.format(item, stop))))
        return found

    def _some(self, binder: core.Binder) -> str:
        if self._is_cards(binder.domain) and self._rest_is_masked(binder):
            return f"!set_empty({self._kept(binder)})"
        found = self.fresh()
        self.text.add(f"int {found} = 0;")
        self._until(
            lambda stop: self._each_kept(binder, lambda _: self.text.add(f"{found} = 1; {stop}"), ordered=False)
        )
        return found

    def _any(self, group: core.Expr) -> str:
        found = self.fresh()
        self.text.add(f"int {found} = 0;")
        self._until(lambda stop: self._each(group, lambda _: self.text.add(f"{found} = 1; {stop}")))
        return found

    def _same(self, expr: core.Fold) -> str:
        same, first = self.fresh(), self.fresh()
        self.text.add(f"int {same} = -1; i64 {first} = 0;")

        def compare(_: str) -> None:
            value = self.named(self._number(expr.value))
            self.text.add(f"if ({same} < 0) {{ {same} = 1; {first} = {value}; }}")
            self.text.add(f"else if ({first} != {value}) {same} = 0;")

        self._each_kept(expr.binder, compare, ordered=False)
        return f"{same} != 0"

    def _different(self, expr: core.Fold) -> str:
        found, seen = self.fresh(), self.fresh()
        size = self.num_cards if self._is_cards(expr.binder.domain) else list_room(expr.binder.domain)
        self.layout.list_size = max(self.layout.list_size, size)
        self.text.add(f"int {found} = 1; list_t {seen}; {seen}.n = 0;")

        def note(_: str) -> None:
            value = self.named(self._number(expr.value))
            self.text.add(f"if (list_has(&{seen}, {value})) {found} = 0;")
            self.text.add(f"list_push(&{seen}, {value});")

        self._each_kept(expr.binder, note, ordered=False)
        return found

    # ---- places

    def place_number(self, family: object, index: tuple[core.Expr, ...]) -> str:
        """Return the number of a place or variable within its family, from 0; what no type proves is checked."""
        from interpreter.analysis.symbols import Zone

        assert isinstance(family, Zone | Variable)
        constant, stride = 0, 1
        strides: list[int] = []
        for size in reversed(family.sizes):
            strides.insert(0, stride)
            stride *= size
        terms: list[str] = []
        for expr, type_, size, step in zip(index, family.indices, family.sizes, strides, strict=True):
            low = type_.low or 0 if isinstance(type_, Int) else 0
            if isinstance(expr, core.Const) and expr.value is not None:
                constant += (int(expr.value) - low) * step
                continue
            text = self._number(expr)
            if not self._surely_within(expr, type_, low, size):
                name = self.fresh()
                self.text.add(f"i64 {name} = {text};")
                told = f"there is no such place: the index goes from {low} to {low + size - 1}"
                fault = self.fail("CG802", told, expr.span)
                self.text.add(f"if ({name} < {low} || {name} > {low + size - 1}) {{ {fault} {name} = {low}; }}")
                text = name
            constant -= low * step
            terms.append(text if step == 1 else f"{text} * {step}")
        if constant or not terms:
            terms.append(str(constant))
        return " + ".join(terms)

    def _surely_within(self, expr: core.Expr, type_: Type, low: int, size: int) -> bool:
        if is_optional(expr.type):
            return False
        if isinstance(type_, Int):
            inner = expr.type
            known = isinstance(inner, Int) and inner.low is not None and inner.high is not None
            return known and low <= inner.low and inner.high < low + size  # type: ignore[union-attr, operator]
        return True

    def variable(self, variable: Variable, index: tuple[core.Expr, ...]) -> str:
        """Return the place of a variable."""
        return f"s->v{variable.base}[{self.place_number(variable, index)}]"

    def zone_number(self, zone: core.ZoneRef) -> int:
        """Return the number of a family of zones."""
        return self.rules.zones.index(zone.zone)

    def zone_set(self, zone: core.ZoneRef) -> str:
        """Return the place of a zone that is a set."""
        return f"s->z{self.zone_number(zone)}[{self.named(self.place_number(zone.zone, zone.index), 'const int')}]"

    def lying(self, zone: core.ZoneRef) -> tuple[str, str]:
        """Return where the cards of a zone in order lie, and how many these are."""
        number_, place = self.zone_number(zone), self.named(self.place_number(zone.zone, zone.index), "const int")
        return f"s->z{number_}[{place}]", f"s->z{number_}_n[{place}]"

    # ---- groups

    def _is_cards(self, expr: core.Expr) -> bool:
        return isinstance(base_of(expr.type), Cards)

    def _set(self, expr: core.Expr) -> str:
        """Return the set of the cards of a group, or of one card that may be absent."""
        spend(PRINT)
        if not self._is_cards(expr):
            return f"set_one({self._number(expr)})"
        match expr:
            case core.ZoneRef():
                if is_set(expr.zone):
                    return self.zone_set(expr)
                return "set_of({}, {})".format(*self.lying(expr))
            case core.LocalRef():
                place = self.local(expr.local)
                return place if self.layout.group(expr.local) == "set_t" else f"set_of({place}.a, {place}.n)"
            case core.Select(which="all", binder=binder):
                return self._kept(binder)
            case core.Select(which="first" | "last" as which, binder=binder, count=count) if count is not None:
                if self.layout.order.ascends(expr):
                    kept = self._kept(binder)
                    return f"set_{'few' if which == 'first' else 'last_few'}({kept}, {self._number(count)})"
                return self._set_of_list(expr)
            case core.Op(op="join", args=args):
                texts = [self._set(arg) for arg in args]
                whole = texts[0]
                for other in texts[1:]:
                    whole = f"set_or({whole}, {other})"
                return whole
            case core.Op(op="without", args=(cards, gone)):
                first = self._set(cards)
                return f"set_minus({first}, {self._set(gone)})"
            case core.Fold(function="union"):
                name = self.fresh()
                self.text.add(f"set_t {name} = set_none();")
                self._each_kept(
                    expr.binder,
                    lambda _: self.text.add(f"{name} = set_or({name}, {self._set(expr.value)});"),
                    ordered=False,
                )
                return name
            case core.Extreme():
                return self._all_best(expr)
            case core.CallDefine():
                name = self._called_group(expr)
                return name if self.layout.order.ascends(expr) else f"set_of({name}.a, {name}.n)"
            case core.Builtin(name="listed", args=(card,)):
                return f"set_one({self._number(card)})"
            case core.Builtin(name="sorted_by", args=(cards, _)):
                return self._set(cards)
            case core.Builtin(name="metered", args=(cards, steps)):
                found = self.named(self._set(cards), "set_t")
                self.spent(f"set_count({found}) * {self._number(steps)}", expr.span)
                return found
            case core.Builtin(name="spent", args=(cards, steps)):
                self.spent(self._number(steps), expr.span)
                return self._set(cards)
            case core.Chain():
                return self._chain(expr, self._set, "set_none()", "set_t")
            case _:
                raise UnprintableError(f"a group of cards by {type(expr).__name__}")

    def _called_group(self, expr: core.CallDefine) -> str:
        ascends = self.layout.order.ascends(expr)
        if ascends or not self._is_cards(expr):
            return self._call(expr)
        args = [self.argument(arg, param) for arg, param in zip(expr.args, expr.define.params, strict=True)]
        name = self.fresh()
        self.text.add(f"cards_t {name}; {name}.n = 0;")
        self.text.add(f"d{expr.define.number}({', '.join(['s', *args])}, &{name});")
        return name

    def _set_of_list(self, expr: core.Expr) -> str:
        name = self._listed(expr)
        return f"set_of({name}.a, {name}.n)"

    def _all_best(self, expr: core.Extreme) -> str:
        """Return the set of all cards that are the best."""
        kept = self.named(self._kept(expr.binder), "set_t")
        whole = core.evolved(expr, binder=core.Binder(expr.binder.local, expr.binder.domain, None, None))
        name = self.fresh()
        with self._going_through_set(kept):
            pass
        best, keys = self._best_of_set(whole, kept)
        self.text.add(f"set_t {name} = set_none();")
        item = self.fresh()
        with (
            self.text.block(f"if ({best} != NONE) for (set_t {item}_ = {kept}; !set_empty({item}_);)"),
            self.binding({expr.binder.local: item}),
        ):
            self.text.add(f"i64 {item} = set_take(&{item}_);")
            parts = self._parts(expr.by)
            same = " && ".join(f"{part} == {key}" for part, key in zip(parts, keys, strict=True))
            self.text.add(f"if ({same}) set_put(&{name}, {item});")
        return name

    @contextmanager
    def _going_through_set(self, kept: str) -> Iterator[None]:
        del kept
        yield

    def _best_of_set(self, expr: core.Extreme, kept: str) -> tuple[str, list[str]]:
        size = self._width(expr.by)
        best, keys = self.fresh(), [self.fresh() for _ in range(size)]
        self.text.add(f"i64 {best} = NONE, {', '.join(f'{key} = 0' for key in keys)};")
        item = self.fresh()
        with (
            self.text.block(f"for (set_t {item}_ = {kept}; !set_empty({item}_);)"),
            self.binding({expr.binder.local: item}),
        ):
            self.text.add(f"i64 {item} = set_take(&{item}_);")
            parts = [self.named(part) for part in self._parts(expr.by)]
            better = before(parts, keys, ">" if expr.which == "highest" else "<")
            kept_ = " ".join(f"{key} = {part};" for key, part in zip(keys, parts, strict=True))
            self.text.add(f"if ({best} == NONE || {better}) {{ {best} = {item}; {kept_} }}")
        return best, keys

    # ---- going through something

    def _split(self, binder: core.Binder) -> tuple[list[core.Expr], list[core.Expr]]:
        """Return the parts of a condition that are sets of cards, and those that must be asked card by card."""
        masked: list[core.Expr] = []
        rest: list[core.Expr] = []
        for part in [] if binder.where is None else operands(binder.where, "and"):
            free = all(self.totality.is_total(other, frozenset({binder.local})) for other in rest)
            (masked if free and self._is_maskable(part, binder.local) else rest).append(part)
        return masked, rest

    def _rest_is_masked(self, binder: core.Binder) -> bool:
        return not self._split(binder)[1]

    def _kept(self, binder: core.Binder) -> str:
        """Return the set of the cards that a binder keeps."""
        with self._before(binder):
            masked, rest = self._split(binder)
            kept = self._set(binder.domain)
            for part in masked:
                kept = f"set_and({kept}, {self._mask(part, binder.local)})"
            if not rest:
                return kept
            name, item = self.fresh(), self.fresh()
            self.text.add(f"set_t {name} = set_none();")
            with (
                self.text.block(f"for (set_t {item}_ = {kept}; !set_empty({item}_);)"),
                self.binding({binder.local: item}),
            ):
                self.text.add(f"i64 {item} = set_take(&{item}_);")
                self.text.add(f"if ({self._joined('and', rest)}) set_put(&{name}, {item});")
        return name

    @contextmanager
    def _before(self, binder: core.Binder) -> Iterator[None]:
        """Name what is worked out in front of a loop."""
        names = {}
        for local, value in binder.before:
            kind = self.layout.group(local)
            text = self._set(value) if kind == "set_t" else self._listed(value) if kind else self._number(value)
            names[local] = self.named(text, kind or "i64")
        with self.binding(names):
            yield

    def _each_kept(self, binder: core.Binder, body: Body, *, ordered: bool = True) -> None:
        """Print a loop through what a binder keeps."""
        with self._before(binder):
            if self._is_cards(binder.domain) and binder.start is None:
                if not ordered or self.layout.order.ascends(binder.domain):
                    masked, rest = self._split(binder)
                    kept = self._set(binder.domain)
                    for part in masked:
                        kept = f"set_and({kept}, {self._mask(part, binder.local)})"
                    self._through_set(kept, binder.local, rest, body)
                    return
            conditions = [] if binder.where is None else [binder.where]

            def asked(item: str) -> None:
                with self.binding({binder.local: item}):
                    for condition in conditions:
                        self.text.add(f"if (!({self._truth(condition)})) continue;")
                    body(item)

            self._each(binder.domain, asked, binder.start, ordered=ordered)

    def _through_set(self, kept: str, local: Local, rest: list[core.Expr], body: Body) -> None:
        item = self.fresh()
        with self.text.block(f"for (set_t {item}_ = {kept}; !set_empty({item}_);)"), self.binding({local: item}):
            self.text.add(f"i64 {item} = set_take(&{item}_);")
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
            first = self.named(self._number(start))
            with self.text.block(f"for (i64 {item}_ = 0; {item}_ < {self.players}; {item}_++)"):
                self.text.add(f"i64 {item} = ({first} + {item}_) % {self.players};")
                body(item)
            return
        if start is not None:
            found = self._listed(expr)
            if self._is_cards(expr):
                raise UnprintableError("cards in a rotation")
            self.text.add(f"list_rotate(&{found}, {self._number(start)});")
            self._through_list(found, body)
            return
        if self._is_cards(expr) and (not ordered or self.layout.order.ascends(expr)):
            kept = self._set(expr)
            with self.text.block(f"for (set_t {item}_ = {kept}; !set_empty({item}_);)"):
                self.text.add(f"i64 {item} = set_take(&{item}_);")
                body(item)
            return
        match expr:
            case core.ZoneRef():
                place, count = self.lying(expr)
                if expr.zone.kind == "pile":
                    head = f"for (i32 {item}_ = {count} - 1; {item}_ >= 0; {item}_--)"
                else:
                    head = f"for (i32 {item}_ = 0; {item}_ < {count}; {item}_++)"
                with self.text.block(head):
                    self.text.add(f"i64 {item} = {place}[{item}_];")
                    body(item)
            case core.LocalRef():
                self._through_list(self.local(expr.local), body)
            case core.Range():
                low, high = self.named(self._number(expr.low)), self.named(self._number(expr.high))
                if not self._is_short(expr):
                    told = f"a range of more than {RANGE_LIMIT} numbers is too long to go through"
                    name = self.fresh()
                    self.text.add(f"i64 {name} = {high};")
                    self.text.add(
                        f"if ({name} - {low} >= {RANGE_LIMIT}) "
                        f"{{ {self.fail('CG804', told, expr.span)} {name} = {low} - 1; }}"
                    )
                    high = name
                with self.text.block(f"for (i64 {item} = {low}; {item} <= {high}; {item}++)"):
                    body(item)
            case core.Select(which="all", binder=binder):
                self._each_kept(binder, body, ordered=ordered)
            case core.Builtin(name="listed", args=(inner,)):
                self.text.add(f"i64 {item} = {self._number(inner)};")
                with self.text.block(f"for (int {item}_ = {item} != NONE; {item}_; {item}_ = 0)"):
                    body(item)
            case core.Builtin(name="spent", args=(inner, steps)):
                self.spent(self._number(steps), expr.span)
                self._each(inner, body, ordered=ordered)
            case core.Builtin(name="metered", args=(inner, steps)):
                self.spent(f"({self._size(inner)}) * {self._number(steps)}", expr.span)
                self._each(inner, body, ordered=ordered)
            case _:
                self._through_list(self._listed(expr), body)

    def _through_list(self, name: str, body: Body) -> None:
        item = self.fresh()
        with self.text.block(f"for (i32 {item}_ = 0; {item}_ < {name}.n; {item}_++)"):
            self.text.add(f"i64 {item} = {name}.a[{item}_];")
            body(item)

    def _is_short(self, expr: core.Range) -> bool:
        bound = expr.type.at_most if isinstance(expr.type, Sequence) else -1
        return 0 <= bound <= RANGE_LIMIT

    def _listed(self, expr: core.Expr) -> str:
        """Return the name of a list of what a group has, in order."""
        cards = self._is_cards(expr)
        if not cards:
            self.layout.grow(expr.type)
        kind, push = ("cards_t", "cards_push") if cards else ("list_t", "list_push")
        if isinstance(expr, core.LocalRef) and self.layout.group(expr.local) == kind:
            return self.local(expr.local)
        if isinstance(expr, core.CallDefine) and not (cards and self.layout.order.ascends(expr)):
            return self._called_group(expr)
        name = self.fresh()
        self.text.add(f"{kind} {name}; {name}.n = 0;")

        def add(item: str) -> None:
            self.text.add(f"{push}(&{name}, {item});")

        if cards and self.layout.order.ascends(expr):
            self._each(expr, add)
            return name
        match expr:
            case core.Op(op="join", args=args):
                doubles = cards and not are_disjoint(args)
                if doubles:
                    self.text.add(f"set_t {name}_seen = set_none();")
                for arg in args:
                    self._add_to(name, arg, add, f"{name}_seen" if doubles else "")
            case core.Op(op="without", args=(group, gone)) if cards:
                away = self.named(self._set(gone), "set_t")
                self._each(group, lambda item: self.text.add(f"if (!set_has({away}, {item})) {push}(&{name}, {item});"))
            case core.Op(op="without", args=(group, gone)):
                away = self._listed(gone) if isinstance(base_of(gone.type), Sequence) else ""
                single = "" if away else self.named(self._number(gone))

                def keep(item: str) -> None:
                    is_gone = f"list_has(&{away}, {item})" if away else f"{item} == {single}"
                    self.text.add(f"if (!({is_gone})) {push}(&{name}, {item});")

                self._each(group, keep)
            case core.Fold(function="union"):
                apart = cards and is_disjoint_for_each(expr.value, expr.binder.local)
                if cards and not apart:
                    self.text.add(f"set_t {name}_seen = set_none();")
                seen = f"{name}_seen" if cards and not apart else "" if apart else name
                self._each_kept(expr.binder, lambda _: self._add_to(name, expr.value, add, seen))
            case core.Extreme():
                best = self._best_list(expr, push, name)
                return best
            case core.Builtin(name="sorted_by", args=(group, key)):
                self._sort(name, kind, group, key)
            case core.Select(which="first" | "last" as which, binder=binder, count=count) if count is not None:
                self._few(which, binder, count, name, push)
            case core.Chain():
                self._chained_list(expr, name, add)
            case core.ZoneRef() | core.LocalRef() | core.Range() | core.Select() | core.Builtin():
                self._each(expr, add)
            case _:
                raise UnprintableError(f"a list by {type(expr).__name__}")
        return name

    def _add_to(self, name: str, group: core.Expr, add: Body, seen: str) -> None:
        """Print how a group, or one thing, is added to a list; `seen` is the set of what it has, or itself."""

        def unseen(item: str) -> None:
            if not seen:
                add(item)
            elif seen == name:
                with self.text.block(f"if (!list_has(&{name}, {item}))"):
                    add(item)
            else:
                with self.text.block(f"if (!set_has({seen}, {item}))"):
                    self.text.add(f"set_put(&{seen}, {item});")
                    add(item)

        if isinstance(base_of(group.type), Cards | Sequence):
            self._each(group, unseen)
        else:
            item = self.named(self._number(group))
            with self.text.block(f"if ({item} != NONE)"):
                unseen(item)

    def _best_list(self, expr: core.Extreme, push: str, name: str) -> str:
        listed = self._listed(core.Select("all", expr.binder, None, expr.type, expr.span))
        size = self._width(expr.by)
        best, keys, item = self.fresh(), [self.fresh() for _ in range(size)], self.fresh()
        self.text.add(f"int {best} = 0; i64 {', '.join(f'{key} = 0' for key in keys)};")
        for collecting in (False, True):
            with (
                self.text.block(f"for (i32 {item}_ = 0; {item}_ < {listed}.n; {item}_++)"),
                self.binding({expr.binder.local: item}),
            ):
                self.text.add(f"i64 {item} = {listed}.a[{item}_];")
                parts = [self.named(part) for part in self._parts(expr.by)]
                if collecting:
                    same = " && ".join(f"{part} == {key}" for part, key in zip(parts, keys, strict=True))
                    self.text.add(f"if ({same}) {push}(&{name}, {item});")
                else:
                    better = before(parts, keys, ">" if expr.which == "highest" else "<")
                    kept = " ".join(f"{key} = {part};" for key, part in zip(keys, parts, strict=True))
                    self.text.add(f"if (!{best} || {better}) {{ {best} = 1; {kept} }}")
        return name

    def _sort(self, name: str, kind: str, group: core.Expr, key: core.Expr) -> None:
        """Print a stable sort by insertion: lists of cards are short."""
        assert isinstance(group, core.Select)
        size, item, at = self._width(key), self.fresh(), self.fresh()
        capacity = self.num_cards if kind == "cards_t" else self.layout.list_size
        self.text.add(f"i64 {name}_k[{max(1, capacity)}][{size}];")

        def insert(card: str) -> None:
            with self.binding({group.binder.local: card}):
                parts = [self.named(part) for part in self._parts(key)]
            self.text.add(f"i64 {item}[{size}] = {{{', '.join(parts)}}};")
            self.text.add(f"i32 {at} = {name}.n;")
            full = "CARDS" if kind == "cards_t" else "LIST"
            with self.text.block(f"if ({at} < {full})"):
                with self.text.block(f"for (; {at} > 0 && below_tuple({item}, {name}_k[{at} - 1], {size}); {at}--)"):
                    self.text.add(f"{name}.a[{at}] = {name}.a[{at} - 1];")
                    self.text.add(f"memcpy({name}_k[{at}], {name}_k[{at} - 1], sizeof {item});")
                self.text.add(f"{name}.a[{at}] = {card}; memcpy({name}_k[{at}], {item}, sizeof {item}); {name}.n++;")

        self._each(group, insert)

    def _few(self, which: str, binder: core.Binder, count: core.Expr, name: str, push: str) -> None:
        wanted = self.named(self._number(count))
        if which == "first":
            # All are looked at, as everywhere: a condition behind the last one may still be at fault.
            self._each_kept(binder, lambda item: self.text.add(f"if ({name}.n < {wanted}) {push}(&{name}, {item});"))
            return
        self._each_kept(binder, lambda item: self.text.add(f"{push}(&{name}, {item});"))
        over = self.fresh()
        self.text.add(f"i32 {over} = {name}.n - (i32)most(0, least({wanted}, {name}.n));")
        self.text.add(f"{name}.n -= {over};")
        self.text.add(f"memmove({name}.a, {name}.a + {over}, (size_t){name}.n * sizeof *{name}.a);")

    def _chained_list(self, expr: core.Chain, name: str, add: Body) -> None:
        depth = 0
        for place, (condition, value) in enumerate(expr.alternatives):
            last = place == len(expr.alternatives) - 1
            if condition is not None:
                with self.text.block(f"if ({self._truth(condition)})"):
                    self._add_to(name, value, add, "")
                if not last:
                    self.text.add("else {")
                    self.text.depth += 1
                    depth += 1
            elif last:
                self._add_to(name, value, add, "")
            else:
                raise UnprintableError("a chain of groups that may be absent")
        for _ in range(depth):
            self.text.depth -= 1
            self.text.add("}")

    # ---- conditions as sets of cards

    def _is_maskable(self, expr: core.Expr, card: Local) -> bool:
        """Say whether a condition on a card can be a set of cards that is worked out at once."""
        with self.text.aside():
            before_, fresh = dict(self.seen), self._fresh
            self.seen = {local: set(units) for local, units in before_.items()}
            found = self._masked(expr, card)
            self.seen, self._fresh = before_, fresh
        return found is not None

    def _mask(self, expr: core.Expr, card: Local) -> str:
        """Return the set of all cards for which a condition holds."""
        found = self._masked(expr, card)
        assert found is not None
        return found

    def _is_invariant(self, expr: core.Expr, card: Local) -> bool:
        return card not in names_of(expr) and self.totality.is_total(expr, frozenset())

    def _masked(self, expr: core.Expr, card: Local) -> str | None:
        if self.functions.card_of(expr) is card:
            return self.set_constant([c for c, holds in enumerate(self.tables.of(expr, card)) if holds])
        if self._is_invariant(expr, card):
            return f"(({self._truth(expr)}) ? ALL : set_none())"
        match expr:
            case core.Op(op="not", args=(inner,)):
                found = self._masked(inner, card)
                return None if found is None else f"set_minus(ALL, {found})"
            case core.Op(op="and" | "or" as op, args=args):
                parts = [self._masked(arg, card) for arg in args]
                if any(part is None for part in parts):
                    return None
                text = parts[0]
                for other in parts[1:]:
                    text = f"set_{op}({text}, {other})"
                return text
            case core.Op(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op, args=(left, right)):
                return self._compared(op, left, right, card) or self._compared(_TURNED[op], right, left, card)
            case core.IsIn(value=core.LocalRef(local=local), domain=domain) if local is card:
                if self._is_cards(domain) and self._is_invariant(domain, card):
                    return self._set(domain)
                return None
            case core.IsIn(value=value, domain=core.Range(low=low, high=high)):
                least, most = self._compared(">=", value, low, card), self._compared("<=", value, high, card)
                return None if least is None or most is None else f"set_and({least}, {most})"
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
            case core.Builtin(name="face_down", args=(core.LocalRef(local=local),)) if local is card:
                return "s->down"
            case core.Chain():
                return self._masked_chain(expr, card)
            case core.CallDefine(define=define) if define.value is not None and not define.lets:
                simple = all(isinstance(arg, core.LocalRef | core.Const) for arg in expr.args)
                clean = not any(
                    is_optional(arg.type) and not is_optional(param.type)
                    for arg, param in zip(expr.args, define.params, strict=True)
                )
                if simple and clean:
                    given = dict(zip(define.params, expr.args, strict=True))
                    return self._masked(self.run(substitute(define.value, given)), card)
                return None
            case _:
                return None

    def _masked_chain(self, expr: core.Chain, card: Local) -> str | None:
        text: str | None = None
        for place, (condition, value) in reversed(list(enumerate(expr.alternatives))):
            if is_optional(value.type) or (condition is None and place < len(expr.alternatives) - 1):
                return None
            found = self._masked(value, card)
            if found is None:
                return None
            if condition is None:
                text = found
                continue
            test = self._masked(condition, card)
            if test is None:
                return None
            text = f"set_and({test}, {found})" if text is None else (
                f"set_or(set_and({test}, {found}), set_minus({text}, {test}))"
            )  # fmt: skip
        return text

    def _compared(self, op: str, own: core.Expr, other: core.Expr, card: Local) -> str | None:
        """Return the cards of which something compares so with what is the same for all."""
        if not self._is_invariant(other, card) or isinstance(base_of(own.type), Tuple):
            return None
        if isinstance(own, core.LocalRef) and own.local is card:
            if op not in ("==", "!="):
                return None
            one = f"set_one({self._number(other)})"
            return one if op == "==" else f"set_minus(ALL, {one})"
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
        hold = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
        sets = [
            [c for c, value in enumerate(values) if value is not None and hold[op](value, bound)]
            for bound in range(low - 1, high + 2)
        ]
        table = self.sets_constant(sets)
        return f"{table}[most(0, least({len(sets) - 1}, {self._number(other)} - {low - 1}))]"

    def _equal_to(self, values: list[int | None], other: core.Expr) -> str | None:
        """Return the cards that have the value of what is the same for all; none where that is absent."""
        known = [value for value in values if value is not None]
        if not known or any(isinstance(value, tuple) for value in known):
            return None
        low, high = min(known), max(known)
        if high - low >= _LONGEST_TABLE:
            return None
        sets = [[c for c, value in enumerate(values) if value == wanted] for wanted in range(low, high + 1)]
        table = self.sets_constant(sets)
        given = self.named(self._number(other))
        return f"((u64)({given} - {low}) < {len(sets)} ? {table}[{given} - {low}] : set_none())"


_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def number(value: int) -> str:
    """Return a number of C."""
    return str(value) if abs(value) < 2**31 else f"INT64_C({value})"


def before(one: list[str], other: list[str], sign: str) -> str:
    """Return whether a key of several parts comes before (or behind) another, or is equal to it if `sign` says so."""
    strict = sign[0]
    text = f"{one[-1]} {sign} {other[-1]}"
    for a, b in reversed(list(zip(one[:-1], other[:-1], strict=True))):
        text = f"{a} {strict} {b} || ({a} == {b} && ({text}))"
    return text


def list_room(domain: core.Expr) -> int:
    """Return the most things of a group of numbers."""
    from interpreter.program.c.layout import list_bound

    return max(1, list_bound(domain.type))


def _is_small(type_: Type) -> bool:
    inner = base_of(type_)
    if not isinstance(inner, Int):
        return True
    return inner.low is not None and inner.high is not None and -_SAFE < inner.low and inner.high < _SAFE
