"""Print checked expressions as Python expressions.

Nothing that a spec writes gets into the text: names become numbers (`x12`, `v[7]`, `z[3]`), texts and
tables are handed over as objects.  The text is pure and stays an expression, so that it can stand inside
comprehensions; what Python can say only with statements is a call of `interpreter.runtime.support`.
"""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.limits import RANGE_LIMIT
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Define, Variable, Zone
from interpreter.analysis.types import Bool, Cards, EnumType, Int, Sequence, base_of, is_optional
from interpreter.analysis.work import PRINT, spend
from interpreter.program import sets
from interpreter.program.hoisting import known_as, written_out
from interpreter.program.layout import Layout
from interpreter.program.reshaping import is_always_there, lie_apart
from interpreter.program.selections import SelectionPrinter
from interpreter.program.simple import is_end, is_slot, is_within, takes_all

INLINE_SIZE = 14
"""Definitions of at most this many parts are printed in place instead of being called."""


class Printer(SelectionPrinter):
    """Prints expressions for one layout, with the names of `Names`."""

    def __init__(self, rules: Rules, layout: Layout, prefix: str = "", *, logged: bool = False) -> None:
        super().__init__(rules, layout, prefix, logged=logged)
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
