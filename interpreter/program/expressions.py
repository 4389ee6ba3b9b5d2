"""Print checked expressions as Python expressions.

Nothing that a spec writes gets into the text: names become numbers (`x12`, `v[7]`, `z[3]`), texts and
tables are handed over as objects.  The text is pure and stays an expression, so that it can stand inside
comprehensions; what Python can say only with statements is a call of `interpreter.runtime.support`.

What goes through something is told as Python is quickest: where its own functions do the going (`any(map(Q, hand))`
with `Q` the look-up of a table of cards, `suit in map(A, hand)`), or where nothing is gone through at all, since the
few players are told one by one.  What is the same for all things of a loop is reckoned once and has a name, and what
depends on one card alone is looked up in a table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.analysis import core
from interpreter.analysis.limits import RANGE_LIMIT
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Define, Local, Variable, Zone
from interpreter.analysis.types import Bool, Card, Cards, EnumType, Int, Sequence, base_of, is_optional
from interpreter.analysis.work import PRINT, spend
from interpreter.program import sets
from interpreter.program.hoisting import LOOPS, Hoisting, known_as, written_out
from interpreter.program.layout import Layout
from interpreter.program.names import Names
from interpreter.program.reshaping import (
    Reshaping,
    is_always_there,
    is_players,
    lie_apart,
    lies_apart_for_each,
    names_of,
)
from interpreter.program.simple import is_end, is_slot, is_within, takes_all
from interpreter.program.static import StaticParts, static_definitions

INLINE_SIZE = 14
"""Definitions of at most this many parts are printed in place instead of being called."""


class Printer(Names):
    """Prints expressions for one layout; knows what has been reckoned, and makes tables of what depends on one card."""

    def __init__(self, rules: Rules, layout: Layout, prefix: str = "", *, logged: bool = False) -> None:
        super().__init__(rules, layout, prefix)
        self.hoisting = Hoisting(layout, logged)
        self.static = static_definitions(rules, logged=logged)
        self.statics = StaticParts(frozenset(self.static))
        self.reshaping = Reshaping(self.hoisting, rules.num_players, frozenset(self.static))
        self.reckoned: dict[core.Expr | Define, str] = {}
        """What has a name already, by expression, or by definition where it has no arguments."""
        self.sets: dict[core.Binder, str] = {}
        """Sets of the values that the things of a binder have, where these are compared with something."""
        self.tabling = False
        self.naming = False
        self.measures: dict[core.SetFold, str] = {}
        self._sizes: dict[Define, int] = {}
        for define in rules.defines:
            self._size(define)

    # ---- places

    def index(self, family: Zone | Variable, index: tuple[core.Expr, ...]) -> str:
        """Return the number of a place or variable of a family, as text."""
        constant = family.base
        terms: list[str] = []
        stride = 1
        strides: list[int] = []
        for size in reversed(family.sizes):
            strides.insert(0, stride)
            stride *= size
        for expr, type_, size, step in zip(index, family.indices, family.sizes, strides, strict=True):
            low = type_.low or 0 if isinstance(type_, Int) else 0
            if isinstance(expr, core.Const) and expr.value is not None:
                constant += (int(expr.value) - low) * step
                continue
            text = self.print(expr)
            if isinstance(type_, Int) and not is_within(expr, type_):
                text = f"checked_index({text}, {low}, {low + size - 1})"
            if low:
                constant -= low * step
            terms.append(text if step == 1 else f"{text} * {step}")
        if constant or not terms:
            terms.insert(0, str(constant))
        return " + ".join(terms)

    def place(self, zone: core.ZoneRef) -> str:
        """Return the number of a zone's place, as text."""
        return self.index(zone.zone, zone.index)

    def zone(self, expr: core.ZoneRef, *, raw: bool = False) -> str:
        """Return the list of a zone's cards; unless `raw`, all of them are known when it is read."""
        text = f"z[{self.place(expr)}]"
        text = self.named_zones.get(text, text)
        if not raw and self.layout.may_be_unknown(expr.zone):
            return f"known(st, {text})"
        return text

    # ---- expressions

    def print(self, expr: core.Expr) -> str:
        """Return the text of an expression."""
        spend(PRINT)
        known = self.reckoned.get(known_as(expr)) or self.looked_up(expr)
        if known is not None:
            return known
        match expr:
            case core.Const():
                return repr(expr.value)
            case core.LocalRef():
                return self.local(expr.local)
            case core.VarRef():
                return f"v[{self.index(expr.variable, expr.index)}]"
            case core.ZoneRef():
                return self.zone(expr)
            case core.CardAttr():
                return self._looked_up(self.attribute_table(expr.name), expr.card)
            case core.EnumAttr():
                return self._looked_up(self.table(("enum", expr.table), expr.table, "T"), expr.value)
            case core.Op():
                return self._operation(expr)
            case core.IsKind():
                return self._is_kind(expr)
            case core.IsNone():
                return f"({self.print(expr.value)} is None)"
            case core.IsIn():
                return self._is_in(expr)
            case core.Range():
                return self._range(expr)
            case core.Select():
                return self.select(expr)
            case core.Fold():
                return self.fold(expr)
            case core.Extreme():
                return self.extreme(expr)
            case core.CallDefine():
                return self._call(expr)
            case core.Builtin():
                return self._builtin(expr)
            case core.EndOf():
                there, end = self._end_of(expr)
                return f"({end} if {there} else None)"
            case core.Chain():
                return self.chain(expr)
            case core.TupleOf():
                return "(" + ", ".join(self.print(i) for i in expr.items) + ",)"
            case core.SetFoldRef():
                return self.measures[expr.fold]
            case core.SomeSubset():
                return sets.print_some_subset(self, expr)

    def test(self, expr: core.Expr) -> str:
        """Return a text that is true where a condition holds, though it need not be a truth value."""
        known = self.reckoned.get(known_as(expr)) or self.looked_up(expr)
        if known is not None:
            return known
        match expr:
            case core.Op(op="not", args=(inner,)):
                return self.untrue(inner)
            case core.Op(op="and" | "or" as op, args=(left, right)):
                return f"({self.test(left)} {op} {self.test(right)})"
            case core.Select(which="some"):
                return self.some(expr.binder)[0]
            case core.CallDefine() if (opened := self._opened(expr)) is not None:
                return self.test(opened)
            case core.IsIn() if (condition := self.reshaping.membership(expr)) is not None:
                return self.test(condition)
        return self.print(expr)

    def untrue(self, expr: core.Expr) -> str:
        """Return a text that is true where a condition does not hold, though it need not be a truth value."""
        if known_as(expr) not in self.reckoned:
            match expr:
                case core.Op(op="not", args=(inner,)):
                    return self.test(inner)
                case core.Builtin(name="empty", args=(held,)) if (text := self._held(held)) is not None:
                    return text
                case core.Op(op="==", args=(left, right)) if not (is_optional(left.type) and is_optional(right.type)):
                    return f"({self.print(left)} != {self.print(right)})"
                case core.IsNone():
                    return f"({self.print(expr.value)} is not None)"
                case core.Select(which="no"):
                    return self.some(expr.binder)[0]
                case core.CallDefine() if (opened := self._opened(expr)) is not None:
                    return self.untrue(opened)
        return f"(not {self.test(expr)})"

    def _held(self, group: core.Expr) -> str | None:
        """Return a text that is true where a group is not empty, None where only its list says so."""
        if isinstance(group, core.ZoneRef):
            return self.zone(group, raw=True)
        chosen = None if known_as(group) in self.reckoned else self.reshaping.selected(group)
        return None if chosen is None else self.some(chosen.binder)[0]

    def _range(self, expr: core.Range) -> str:
        bound = expr.type.at_most if isinstance(expr.type, Sequence) else -1
        if isinstance(expr.low, core.Const) and isinstance(expr.high, core.Const) and 0 <= bound <= RANGE_LIMIT:
            assert expr.low.value is not None
            assert expr.high.value is not None
            return self.prepared_as(f"range({int(expr.low.value)}, {int(expr.high.value) + 1})", "D")
        text = f"range({self.print(expr.low)}, {self.print(expr.high)} + 1)"
        return text if 0 <= bound <= RANGE_LIMIT else f"short({text})"

    def _end_of(self, expr: core.EndOf) -> tuple[str, str]:
        """Return the text of what has an end, true where it has one, and that of its card there, which is known."""
        place = 0 if expr.which == "top" else -1
        if not isinstance(expr.zone, core.ZoneRef):
            text = self.print(expr.zone)
            return text, f"{text}[{place}]"
        raw = self.zone(expr.zone, raw=True)
        unknown = self.layout.may_be_unknown(expr.zone.zone)
        return raw, f"end_known(st, {raw}, {place})[{place}]" if unknown else f"{raw}[{place}]"

    def _looked_up(self, table: str, key: core.Expr) -> str:
        if isinstance(key, core.Select) and key.which in ("first", "last") and is_end(key.binder):
            zone = self.domain(key.binder)
            return f"({table}[{zone}[{0 if key.which == 'first' else -1}]] if {zone} else None)"
        if isinstance(key, core.EndOf) and known_as(key) not in self.reckoned:
            there, end = self._end_of(key)
            return f"({table}[{end}] if {there} else None)"
        text = self.print(key)
        if not is_optional(key.type):
            return f"{table}[{text}]"
        if not self.naming:
            return f"at({table}, {text})"
        name = self.fresh()
        return self.once(text, f"(None if {name} is None else {table}[{name}])", name)

    def _operation(self, expr: core.Op) -> str:
        if expr.op == "not":
            return self._negation(expr.args[0])
        args = [self.print(a) for a in expr.args]
        match expr.op:
            case "and" | "or" | "+" | "-" | "*" | "<" | "<=" | ">" | ">=":
                return f"({args[0]} {expr.op} {args[1]})"
            case "mod":
                return f"({args[0]} % {args[1]})"
            case "/down":
                return f"({args[0]} // {args[1]})"
            case "/up":
                return f"(-(-{args[0]} // {args[1]}))"
            case "/nearest":
                return f"((2 * {args[0]} + {args[1]}) // (2 * {args[1]}))"
            case "==" | "!=":
                if not all(is_optional(a.type) for a in expr.args):
                    return f"({args[0]} {expr.op} {args[1]})"
                # Two absent values are not equal.
                return f"({'' if expr.op == '==' else 'not '}{args[0]} == {args[1]} is not None)"
            case "join":
                text = "[" + ", ".join(self._spread(a, t) for a, t in zip(expr.args, args, strict=True)) + "]"
                doubles = isinstance(expr.type, Cards) and not lie_apart(list(expr.args), self.reshaping)
                return f"unique({text})" if doubles else text
            case "without":
                gone = self._spread(expr.args[1], args[1])
                return f"without([{self._spread(expr.args[0], args[0])}], [{gone}])"
            case op:
                raise AssertionError(op)

    def _negation(self, expr: core.Expr) -> str:
        """Return `not`, as a truth value."""
        both = isinstance(expr, core.Op) and expr.op == "==" and all(is_optional(a.type) for a in expr.args)
        if isinstance(expr, core.IsNone) or (isinstance(expr, core.Op) and expr.op == "==" and not both):
            return self.untrue(expr)
        return f"(not {self.test(expr)})"

    def _spread(self, expr: core.Expr, text: str) -> str:
        return f"*{text}" if isinstance(expr.type, Cards | Sequence) else text

    def _is_kind(self, expr: core.IsKind) -> str:
        table, open_ = self.kind_table(expr.test)
        card = self.print(expr.card)
        maybe = is_optional(expr.card.type)
        if not open_:
            return f"is_kind({table}, {card})" if maybe else f"{table}[{card}]"
        # A name may be said several times; anything else is reckoned once.
        name = card if card.isidentifier() else self.fresh()
        tests = [f"{table}[{name}]"]
        tests += [f"{self.attribute_table(a)}[{name}] == {self.print(e)}" for a, e in open_]
        if maybe:
            tests.insert(0, f"{name} is not None")
        text = f"({' and '.join(tests)})"
        if name == card:
            return text
        return self.once(card, text, name)

    def _is_in(self, expr: core.IsIn) -> str:
        condition = self.reshaping.membership(expr)
        if condition is not None:
            return self.print(condition)
        value = self.print(expr.value)
        if isinstance(expr.domain, core.Range):
            low, high = self.print(expr.domain.low), self.print(expr.domain.high)
            if is_optional(expr.value.type):
                return f"({value} is not None)" if takes_all(expr.domain) else f"inside({value}, {low}, {high})"
            return f"({low} <= {value} <= {high})"
        return f"({value} in {self.print(expr.domain)})"

    # ---- calls

    def _builtin(self, expr: core.Builtin) -> str:
        around = base_of(expr.type)
        count = len(around.values) if isinstance(around, EnumType) else self.rules.num_players
        if expr.name == "players":
            return "PLAYERS"
        if expr.name in ("count", "empty"):
            arg = expr.args[0]
            if expr.name == "empty" and (held := self._held(arg)) is not None:
                return f"(not {held})"
            counted = self.counted(arg) if expr.name == "count" else None
            if counted is not None:
                return counted
            text = self.zone(arg, raw=True) if isinstance(arg, core.ZoneRef) else self.print(arg)
            return f"len({text})" if expr.name == "count" else f"(not {text})"
        if expr.name == "face":
            return self._looked_up("FACES", expr.args[0])
        if expr.name == "sorted_by":
            return self.sorted_by(*expr.args)
        args = [self.print(a) for a in expr.args]
        seats = {"next": 1, "left": 1, "previous": count - 1, "right": count - 1, "across": count // 2}
        if expr.name in seats:
            step = seats[expr.name]
            if is_optional(expr.args[0].type):
                return f"seat_after({args[0]}, {step}, {count})"
            return f"(({args[0]} + {step}) % {count})"
        match expr.name:
            case "min" | "max":
                return f"{expr.name}({', '.join(args)})"
            case "distance":
                return f"abs({args[0]} - {args[1]})"
            case "player_of":
                return f"st.by.get({args[0]})"
            case "face_down":
                return f"(st.turned.get({args[0]}) == 2)"
            case "holder":
                return f"holder(z, {args[0]})"
            case "there":
                return f"there({args[0]})"
            case "listed":
                return f"as_list({args[0]})"
            case "metered":
                return f"metered(st, {args[0]}, {args[1]}, {self.told_place(expr.span)})"
            case "spent":
                return f"(spend(st, {args[1]}, {self.told_place(expr.span)}) or {args[0]})"
            case "within":
                inner = base_of(expr.type)
                low, high = (inner.low, inner.high) if isinstance(inner, Int) else (None, None)
                return f"bounded({args[0]}, {low!r}, {high!r})"
            case name:
                raise AssertionError(name)

    def _size(self, define: Define) -> int:
        """Return how many parts a definition has when those that it calls are printed in place as well."""
        if define not in self._sizes:
            self._sizes[define] = 1000
            if define.value is not None and not define.lets and not isinstance(define.value, core.Chain):
                parts = 0
                for part in core.walk(define.value):
                    inner = self._size(part.define) if isinstance(part, core.CallDefine) else 1
                    parts += inner if inner <= INLINE_SIZE else 1
                self._sizes[define] = parts
        return self._sizes[define]

    def _call(self, expr: core.CallDefine) -> str:
        define = expr.define
        if define in self.static and not is_optional(expr.args[0].type):
            return f"W{define.number}[{self.print(expr.args[0])}]"
        opened = self._opened(expr)
        if opened is not None:
            return self.print(opened)
        args = [self.print(a) for a in expr.args]
        pairs = zip(expr.args, define.params, strict=True)
        absent = [place for place, (a, p) in enumerate(pairs) if is_optional(a.type) and not is_optional(p.type)]
        if not absent:
            return f"d{define.number}({', '.join(['st', 'v', 'z', *args])})"
        names = [self.fresh() for _ in args]
        missing = " or ".join(f"{names[place]} is None" for place in absent)
        nothing = "False" if isinstance(expr.type, Bool) else "None"
        call = f"d{define.number}({', '.join(['st', 'v', 'z', *names])})"
        return f"(lambda {', '.join(names)}: {nothing} if {missing} else {call})({', '.join(args)})"

    def _opened(self, expr: core.CallDefine) -> core.Expr | None:
        """Return what stands in the place of a call of a short definition."""
        define = expr.define
        if define in self.static or define.value is None or self._size(define) > INLINE_SIZE:
            return None
        if not self.hoisting.may_open(expr):
            return None
        return written_out(expr)

    def chain(self, expr: core.Chain) -> str:
        """Return a chain as one expression."""
        text = "None"
        links = list(enumerate(expr.alternatives))
        # Nobody asks for what stands behind a value that is always there.
        end = next((p for p, (condition, value) in links if condition is None and is_always_there(value)), len(links))
        links = links[: end + 1]
        for place, (condition, value) in reversed(links):
            last = place == len(links) - 1
            if condition is not None:
                text = f"({self.print(value)} if {self.test(condition)} else {text})"
            elif last:
                text = self.print(value)
            elif isinstance(value, core.LocalRef) or is_slot(self.print(value)):
                name = self.print(value)
                text = f"({text} if {name} is None else {name})"
            else:
                name = self.fresh()
                text = self.once(self.print(value), f"({text} if {name} is None else {name})", name)
        return text

    # ---- going through

    def domain(self, binder: core.Binder) -> str:
        """Return what a binder goes through, turned to where it begins."""
        if binder.start is not None:
            start = self.print(binder.start)
            if is_players(binder.domain):
                return f"ROTATIONS[{start}]"
            return f"rotated({self.print(binder.domain)}, {start})"
        return self.print(binder.domain)

    def gone_through(self, binder: core.Binder) -> str:
        """Return what a comprehension goes through."""
        with self.parts_named(allowed=False):
            return self.domain(binder)

    def joined(self, binder: core.Binder) -> core.Binder:
        """Return a binder without a list in between, unless that has been reckoned before."""
        return binder if known_as(binder.domain) in self.reckoned else self.reshaping.joined(binder)

    @contextmanager
    def going(self, binder: core.Binder) -> Iterator[tuple[str, str]]:
        """Give `x` and `for x in D if W` of a comprehension over a binder."""
        domain = self.gone_through(binder)
        name = self.fresh()
        with self.binding({binder.local: name}), self.reckoned_once(binder.where, binder.local) as (where, made):
            kept = f" if {where}" if where else ""
            yield name, f"{_first(made)}for {name} in {domain}{kept}"

    def is_fixed(self, binder: core.Binder) -> bool:
        """Say whether what `listed` gives can change in no way while it is gone through."""
        binder = self.joined(binder)
        domain = binder.domain
        while isinstance(domain, core.Builtin) and domain.name == "metered":
            domain = domain.args[0]
        return binder.where is not None or isinstance(domain, core.Range | core.Fold | core.Builtin)

    def kept(self, binder: core.Binder) -> str:
        """Return the tuple of what a binder keeps, which a state can hold."""
        binder = self.joined(binder)
        listed = self.listed(binder)
        return listed if binder.where is None and is_players(binder.domain) else f"tuple({listed})"

    def listed(self, binder: core.Binder) -> str:
        """Return the list of what a binder keeps."""
        binder = self.joined(binder)
        if binder.where is None:
            return self.domain(binder)
        function = self._values_asked(binder)
        if function is not None:
            return function
        with self.going(binder) as (name, loop):
            return f"[{name} {loop}]"

    def _values_asked(self, binder: core.Binder) -> str | None:
        """Return the values that some card has, where a binder keeps these of all that cards can have."""
        match binder:
            case core.Binder(
                domain=core.Range(low=core.Const(value=int() as low), high=core.Const(value=int() as high)),
                start=None,
                where=core.Select(which="some", binder=asked),
            ) if asked.start is None and self.hoisting.is_sure(asked.domain):
                compared = self.compared(asked)
                own = None if compared is None else self._within(asked, low, high)
                if compared is None or not own or not isinstance(compared[1], core.LocalRef):
                    return None
                if compared[1].local is binder.local and binder.local not in names_of(asked.domain):
                    return f"sorted({{*map({compared[0]}, {self.print(asked.domain)})}})"
        return None

    def _within(self, asked: core.Binder, low: int, high: int) -> bool:
        """Whether the attribute that a condition compares is never outside of a range."""
        where = None if asked.where is None else self.hoisting.opened(asked.where)
        types = [arg.type for arg in where.args if isinstance(arg, core.CardAttr)] if isinstance(where, core.Op) else []
        match types:
            case [Int(low=int() as least, high=int() as most)]:
                return low <= least and most <= high
            case [EnumType() as enum]:
                return low == 0 and high == len(enum.values) - 1
            case _:
                return False

    # ---- selections

    def some(self, binder: core.Binder) -> tuple[str, bool]:
        """Return a text that is true where a binder keeps anything, and whether it is a truth value."""
        if binder in self.sets:
            compared = self.compared(binder)
            assert compared is not None
            return f"({self.print(compared[1])} in {self.sets[binder]})", True
        binder = self.joined(binder)
        if binder.where is None:
            return self.domain(binder), False
        each = self.reshaping.each(binder, binder.where)
        if each is not None:
            return "(" + " or ".join(self.test(condition) for condition in each) + ")", False
        compared = self.compared(binder)
        if compared is not None:
            function, other = compared
            return f"({self.print(other)} in map({function}, {self.domain(binder)}))", True
        function_ = self.function_of(self.hoisting.opened(binder.where), binder.local)
        if function_ is not None:
            return f"any(map({function_}, {self.domain(binder)}))", True
        domain, name = self.gone_through(binder), self.fresh()
        with self.binding({binder.local: name}), self.reckoned_once(binder.where, binder.local) as (where, made):
            return f"any([{where} {_first(made)}for {name} in {domain}])", True

    def select(self, expr: core.Select) -> str:
        """Return the text of a selection."""
        binder = expr.binder
        if expr.which in ("some", "no"):
            text, exact = self.some(binder)
            if expr.which == "no":
                return f"(not {text})"
            return text if exact else f"(not (not {text}))"
        if expr.which == "count":
            return self._count(self.joined(binder))
        if expr.which == "all":
            binder = self.joined(binder)
            return f"list({self.domain(binder)})" if binder.where is None else self.listed(binder)
        if expr.count is not None:
            count = self.print(expr.count)
            return f"{'first' if expr.which == 'first' else 'last'}_few({self.listed(binder)}, {count})"
        return self._end(expr.which, self.joined(binder))

    def counted(self, group: core.Expr) -> str | None:
        """Return how many things a group has, if it is a selection; else None."""
        chosen = None if known_as(group) in self.reckoned else self.reshaping.selected(group)
        if chosen is None or chosen.binder.where is None:
            return None
        return self._count(self.joined(chosen.binder))

    def _count(self, binder: core.Binder) -> str:
        each = None if binder.where is None else self.reshaping.each(binder, binder.where)
        if each is not None:
            return "(" + " + ".join(self.print(condition) for condition in each) + ")"
        return f"len({self.listed(binder)})"

    def _end(self, which: str, binder: core.Binder) -> str:
        """Return the first or last of what a binder keeps."""
        if is_end(binder):
            domain = self.domain(binder)
            return f"({domain}[{0 if which == 'first' else -1}] if {domain} else None)"
        if binder.start is None and binder.where is not None:
            each = self.reshaping.each(binder, binder.where)
            if each is not None:
                tests = list(enumerate(each))
                links = [f"{p} if {self.test(test)} else " for p, test in (tests if which == "first" else tests[::-1])]
                return f"({''.join(links)}None)"
        domain = self.gone_through(binder)
        if which == "last":
            domain = f"reversed({domain})"
        elif domain.startswith("metered("):
            # Nobody asks behind the first that fits, so what is behind it counts nothing.
            domain = f"counted{domain.removeprefix('metered')}"
        function = None if binder.where is None else self.function_of(binder.where, binder.local)
        if function is not None:
            return f"next(filter({function}, {domain}), None)"
        name = self.fresh()
        with self.binding({binder.local: name}), self.reckoned_once(binder.where, binder.local) as (where, made):
            kept = f" if {where}" if where else ""
            return f"next(({name} {_first(made)}for {name} in {domain}{kept}), None)"

    # ---- folds

    def fold(self, expr: core.Fold) -> str:
        """Return the text of a sum, a union, or the like."""
        binder = self.joined(expr.binder)
        if binder.where is None and expr.function in ("sum", "max", "min"):
            if expr.function == "sum" and (function := self.function_of(expr.value, binder.local)) is not None:
                return f"sum(map({function}, {self.domain(binder)}))"
            if expr.function != "sum" and (function := self.function_of(expr.value, binder.local)) is not None:
                return f"{expr.function}(map({function}, {self.domain(binder)}), default=None)"
            each = self.reshaping.each(binder, expr.value)
            if each is not None and expr.function == "sum":
                return "(" + " + ".join(map(self.print, each)) + ")"
            if each is not None and not is_optional(expr.value.type):
                return _best_of(expr.function, [self.print(value) for value in each])
        if expr.function == "union":
            return self._union(expr.value, binder)
        with self.going(binder) as (_, loop):
            value = self.print(expr.value)
            match expr.function:
                case "sum":
                    return f"sum([{value} {loop}])"
                case "max" | "min":
                    return f"{expr.function}([{value} {loop}], default=None)"
                case "same":
                    return f"(len({{{value} {loop}}}) <= 1)"
                case "different":
                    return f"distinct([{value} {loop}])"
                case _:
                    raise AssertionError(expr.function)

    def _union(self, value: core.Expr, binder: core.Binder) -> str:
        """Return all things of some groups; none stands twice in groups of cards that lie in different places."""
        each = None
        if binder.where is None and binder.start is None and isinstance(value.type, Cards):
            each = self.reshaping.each(binder, value)
        if each is not None and lie_apart(each, self.reshaping):
            return "[" + ", ".join(f"*{self.print(group)}" for group in each) + "]"
        apart = isinstance(value.type, Cards) and lies_apart_for_each(value, binder.local, self.reshaping)
        with self.going(binder) as (_, loop):
            inner = self.fresh()
            with self.parts_named(allowed=False):
                text = f"[{inner} {loop} for {inner} in {self.print(value)}]"
            return text if apart else f"unique({text})"

    def sorted_by(self, cards: core.Expr, key: core.Expr) -> str:
        """Return cards in the order of what is printed on them."""
        assert isinstance(cards, core.Select)
        return f"sorted({self.print(cards)}, key={self.function_of(key, cards.binder.local)})"

    def extreme(self, expr: core.Extreme) -> str:
        """Return the best of some things, or all that are so."""
        binder = self.joined(expr.binder)
        function = "max" if expr.which == "highest" else "min"
        each = self.reshaping.each(binder, expr.by) if binder.where is None and binder.start is None else None
        if each is not None and expr.ties:
            return f"all_best({function}, PLAYERS, ({', '.join(map(self.print, each))},))"
        listed = self.listed(binder)
        key = self.function_of(expr.by, binder.local)
        if key is None:
            name = self.fresh()
            with self.binding({binder.local: name}), self.parts_named(allowed=False):
                key = f"lambda {name}: {self.print(expr.by)}"
        if expr.ties:
            return f"all_extreme({function}, {listed}, {key})"
        return f"{function}({listed}, key={key}, default=None)"

    # ---- where Python may give names

    def whole(self, expr: core.Expr) -> str:
        """Return the text of an expression on a line of its own, where Python can name a part within it."""
        with self.parts_named(allowed=True):
            return self.print(expr)

    def whole_test(self, expr: core.Expr) -> str:
        """Return the text of a condition on a line of its own, as of `test`."""
        with self.parts_named(allowed=True):
            return self.test(expr)

    def whole_untrue(self, expr: core.Expr) -> str:
        """Return the text of what a condition denies on a line of its own, as of `untrue`."""
        with self.parts_named(allowed=True):
            return self.untrue(expr)

    @contextmanager
    def parts_named(self, *, allowed: bool) -> Iterator[None]:
        """Let Python give names to parts of what is printed for the time being, or not."""
        before, self.naming = self.naming, allowed
        try:
            yield
        finally:
            self.naming = before

    def once(self, text: str, use: str, name: str) -> str:
        """Return `use`, in which `name` stands for a value that is worked out once, by `text`, where it is first read.

        Inside of what a comprehension goes through Python allows no naming, so a function does it there.
        """
        if self.naming:
            return re.sub(rf"\b{name}\b", lambda _: f"({name} := {text})", use, count=1)
        return f"(lambda {name}: {use})({text})"

    # ---- tables of what is printed on cards

    def table_of(self, expr: core.Expr, card: Local) -> str | None:
        """Return the table of what an expression comes to for each card, if it depends on that card alone."""
        if self.tabling or self.statics.card_of(expr) is not card:
            return None
        match expr:
            case core.LocalRef():
                return None
            case core.CardAttr(card=core.LocalRef()):
                return self.attribute_table(expr.name)
            case core.CallDefine(args=(core.LocalRef(),)):
                return f"W{expr.define.number}"
            case core.IsKind(card=core.LocalRef()):
                table, open_ = self.kind_table(expr.test)
                if not open_:
                    return table
        self.tabling = True
        with self.binding({card: "c"}), self.parts_named(allowed=False):
            text = self.print(expr)
        self.tabling = False
        return self.prepared_as(f"for_each_card(lambda c: {text})", "Q")

    def function_of(self, expr: core.Expr, card: Local) -> str | None:
        """Return the name of a function from a card to what an expression comes to, read from a table."""
        table = self.table_of(expr, card)
        return None if table is None else self.prepared_as(f"{table}.__getitem__", "G")

    def looked_up(self, expr: core.Expr) -> str | None:
        """Return the text of something that depends on one card alone, and is more than a look-up as it stands."""
        if isinstance(expr, core.LocalRef | core.Const | core.CardAttr | core.IsKind | core.CallDefine | core.Range):
            return None
        card = self.statics.card_of(expr)
        if not isinstance(card, Local):
            return None
        table = self.table_of(expr, card)
        return None if table is None else f"{table}[{self.local(card)}]"

    # ---- in front of loops and listings

    @contextmanager
    def reckoned_once(self, where: core.Expr | None, *changing: Local) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Give a condition's text, and the names with their texts that are to be set in front of the loop around it.

        The texts are given first, since they hold whatever locals the caller has named.
        """
        if where is None:
            yield "", []
            return
        before, sets = dict(self.reckoned), dict(self.sets)
        opened = self.hoisting.opened(where)
        inner = {part.binder.local for part in core.walk(opened) if isinstance(part, LOOPS)}
        made: list[tuple[str, str]] = []
        with self.parts_named(allowed=False):
            for part in self.hoisting.same_throughout(opened, frozenset(changing)):
                if known_as(part) in self.reckoned:
                    continue
                text, name = self.print(part), self.fresh()
                self.reckoned[known_as(part)] = name
                made.append((name, text))
            for part in core.walk(opened):
                if isinstance(part, core.Select) and (values := self._set_of(part, {*changing, *inner})) is not None:
                    name = self.fresh()
                    self.sets[part.binder] = name
                    made.append((name, values))
        try:
            yield self.test(opened), made
        finally:
            self.reckoned, self.sets = before, sets

    @contextmanager
    def reckoned_first(self, exprs: list[core.Expr], *changing: Local) -> Iterator[list[tuple[str, str]]]:
        """Give names with texts, to be set in front, for what expressions go through whatever `changing` are."""
        before = dict(self.reckoned)
        made: list[tuple[str, str]] = []
        for expr in exprs:
            for part in self.hoisting.same_throughout(expr, frozenset(changing)):
                if known_as(part) not in self.reckoned:
                    text, name = self.print(part), self.fresh()
                    self.reckoned[known_as(part)] = name
                    made.append((name, text))
        try:
            yield made
        finally:
            self.reckoned = before

    @contextmanager
    def shared(self, conditions: list[core.Expr]) -> Iterator[list[tuple[str, str]]]:
        """Give the names with their texts of definitions that several conditions ask, all of the same state.

        Logged code asks them one by one, since it notes which rules each reaches.
        """
        before, made = dict(self.reckoned), list[tuple[str, str]]()
        calls: dict[Define, core.Expr] = {}
        asked: Counter[Define] = Counter()
        for condition in [] if self.hoisting.logged else conditions:
            parts = core.walk(self.hoisting.opened(condition))
            alone = {p.define: p for p in parts if isinstance(p, core.CallDefine) and self.hoisting.is_alone(p)}
            calls |= alone
            asked.update(alone.keys())
        for define in sorted((d for d, count in asked.items() if count > 1), key=lambda d: d.number):
            text, name = self.whole(calls[define]), self.fresh()
            self.reckoned[define] = name
            made.append((name, text))
        try:
            yield made
        finally:
            self.reckoned = before

    def _set_of(self, asked: core.Select, changing: set[Local]) -> str | None:
        """Return the values that some things have, where it is asked again and again whether they have another one."""
        binder = asked.binder
        compared = None if asked.which not in ("some", "no") else self.compared(binder)
        if compared is None or binder.start is not None or not self.hoisting.is_sure(binder.domain):
            return None
        function, other = compared
        if names_of(binder.domain) & changing or not names_of(other) & changing:
            return None
        return f"{{*map({function}, {self.print(binder.domain)})}}"

    def compared(self, binder: core.Binder) -> tuple[str, core.Expr] | None:
        """Return the function whose value for each card is compared with something, and that: the same for all."""
        where = None if binder.where is None else self.hoisting.opened(binder.where)
        if not isinstance(where, core.Op) or where.op != "==" or not isinstance(binder.local.type, Card):
            return None
        for own, other in (where.args, where.args[::-1]):
            if self.reshaping.alike(binder, own, other):
                function = self.function_of(own, binder.local)
                if function is not None:
                    return function, other
        return None


def _first(made: list[tuple[str, str]]) -> str:
    """Return what sets names in front of the loop of a comprehension."""
    return "".join(f"for {name} in [{text}] " for name, text in made)


def _best_of(function: str, values: list[str]) -> str:
    """Return the greatest or least of some values; of two that can be read again, by one question."""
    if len(values) == 2 and all(map(is_slot, values)):
        return f"({values[0]} if {values[0]} {'>' if function == 'max' else '<'} {values[1]} else {values[1]})"
    return f"{function}(({', '.join(values)},))"
