"""Print expressions as Python expressions.

Nothing that a spec writes gets into the text: names become numbers (`x12`, `v[7]`, `z[3]`), texts and tables are handed
over as objects.  The text is pure and stays an expression, so that it can stand inside comprehensions; what Python can
say only with statements is a call of `interpreter.runtime.support`.

Python is quickest where its own functions go through something: `any(map(Q, hand))` with `Q` the look-up of a table of
cards, `suit in map(A, hand)`.  Which of its forms says a node is chosen here by the node's shape; all else that makes
code quick is done before, by `interpreter.program.passes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import assert_never

from grammar.source import Span
from interpreter.analysis import core, sum_tables
from interpreter.analysis.budget import PRINT, spend
from interpreter.analysis.core import Variable
from interpreter.analysis.limits import RANGE_LIMIT
from interpreter.analysis.rules import Rules
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import (
    Bool,
    Cards,
    EnumType,
    Int,
    base_of,
    is_optional,
    lies_within,
    range_low,
)
from interpreter.analysis.types import (
    Sequence as SequenceType,
)
from interpreter.program.layout import Layout
from interpreter.program.passes import Passes
from interpreter.program.passes.disjoint import are_disjoint, is_disjoint_for_each, whole_zones
from interpreter.program.passes.hoist import Lets
from interpreter.program.passes.rewriting import operands
from interpreter.program.passes.totality import is_players
from interpreter.program.python.names import Names

_WORDS = {"==": "equal", "<": "below", "<=": "up_to", ">": "above", ">=": "from"}
_TURNED = {"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Printer(Names):
    """Prints expressions for one layout.

    `value`, `condition` and `denial` take an expression as the checker left it, and send it through the passes;
    methods with an underscore take one that has been through them.
    """

    def __init__(self, rules: Rules, layout: Layout, passes: Passes, prefix: str = "") -> None:
        super().__init__(rules, layout, prefix)
        self.passes = passes
        self.measures: dict[core.SetFold, str] = {}
        self._tabling = False
        self._naming = False

    # ---- what a statement prints

    def value(self, expr: core.Expr) -> str:
        """Return the text of an expression."""
        return self._text(self.passes.run(expr))

    def line_value(self, expr: core.Expr) -> str:
        """Return the text of an expression on a line of its own, where Python can name a part within it."""
        with self._parts_named(allowed=True):
            return self.value(expr)

    def condition(self, expr: core.Expr) -> str:
        """Return a text on a line of its own that is true where a condition holds, though maybe no truth value."""
        with self._parts_named(allowed=True):
            return self._truth(self.passes.run(expr))

    def denial(self, expr: core.Expr) -> str:
        """Return a text on a line of its own that is true where a condition does not hold, maybe no truth value."""
        with self._parts_named(allowed=True):
            return self._untruth(self.passes.run(expr))

    def listed(self, binder: core.Binder) -> str:
        """Return what a binder keeps, as anything that can be gone through."""
        return self._listed(self.passes.selection(binder))

    def kept(self, binder: core.Binder) -> str:
        """Return the tuple of what a binder keeps, which a state can hold."""
        chosen = self.passes.selection(binder)
        everybody = isinstance(chosen, core.Select) and chosen.binder.where is None and is_players(chosen.binder.domain)
        return self._listed(chosen) if everybody else f"tuple({self._listed(chosen)})"

    def is_fixed(self, binder: core.Binder) -> bool:
        """Say whether what `listed` gives can change in no way while it is gone through."""
        chosen = self.passes.selection(binder)
        if not isinstance(chosen, core.Select) or chosen.binder.where is not None:
            return True
        domain = chosen.binder.domain
        while isinstance(domain, core.Builtin) and domain.name == "metered":
            domain = domain.args[0]
        return isinstance(domain, core.Range | core.Fold | core.Builtin)

    def place(self, zone: core.ZoneRef) -> str:
        """Return the number of a zone's place, as text."""
        return self._place(self._zone_ref(zone))

    def zone(self, zone: core.ZoneRef) -> str:
        """Return the list of a zone's cards, some of which may not be known."""
        return self._zone(self._zone_ref(zone), raw=True)

    def index(self, variable: Variable, index: tuple[core.Expr, ...]) -> str:
        """Return the number of a variable of a family, as text."""
        return self._index(variable, tuple(map(self.passes.run, index)))

    def _zone_ref(self, zone: core.ZoneRef) -> core.ZoneRef:
        done = self.passes.run(zone)
        assert isinstance(done, core.ZoneRef)
        return done

    @contextmanager
    def let(self, lets: Lets) -> Iterator[list[tuple[str, str]]]:
        """Give fresh names to what is worked out in front of something, each with its text."""
        names = {local: self.fresh() for local, _ in lets}
        with self._parts_named(allowed=False), self.binding(names):
            made = [(names[local], self._text(value)) for local, value in lets]
        with self.binding(names):
            yield made

    @contextmanager
    def once_in_front(
        self, where: core.Expr | None, *changing: Local, denied: bool = False
    ) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Give the text of a condition in a loop, and the names with their texts that are to be set in front of it.

        Of a condition that is `denied` the text is true where it does not hold.
        """
        if where is None:
            yield "", []
            return
        lets, (inner,) = self.passes.lifted([where], *changing)
        with self.let(lets) as made:
            yield self._untruth(inner) if denied else self._truth(inner), made

    # ---- where Python may give names

    @contextmanager
    def _parts_named(self, *, allowed: bool) -> Iterator[None]:
        """Let Python give names to parts of what is printed for the time being, or not.

        Inside of what a comprehension goes through Python allows no naming.
        """
        before, self._naming = self._naming, allowed
        try:
            yield
        finally:
            self._naming = before

    def _once(self, text: str, use: Callable[[str, str], str]) -> str:
        """Return a use of a value that is worked out once: `use` is given what is read first, and what is read then."""
        name = self.fresh()
        if self._naming:
            return use(f"({name} := {text})", name)
        return f"(lambda {name}: {use(name, name)})({text})"

    # ---- places

    def _index(self, family: Zone | Variable, index: tuple[core.Expr, ...]) -> str:
        """Return the number of a place or variable of a family, as text."""
        constant = family.base
        terms: list[str] = []
        stride = 1
        strides: list[int] = []
        for size in reversed(family.sizes):
            strides.insert(0, stride)
            stride *= size
        for expr, type_, size, step in zip(index, family.indices, family.sizes, strides, strict=True):
            low = range_low(type_)
            number = self._constant(expr)
            if number is not None:
                constant += (number - low) * step
                continue
            text = self._text(expr)
            if isinstance(type_, Int) and not lies_within(expr.type, type_.low, type_.high):
                text = f"checked_index({text}, {low}, {low + size - 1})"
            if low:
                constant -= low * step
            terms.append(text if step == 1 else f"{text} * {step}")
        if constant or not terms:
            terms.insert(0, str(constant))
        return " + ".join(terms)

    def _constant(self, expr: core.Expr) -> int | None:
        """Return the number that an expression is known to be, or None."""
        if isinstance(expr, core.LocalRef):
            known = self.bound.get(expr.local)
            return known if isinstance(known, int) else None
        return int(expr.value) if isinstance(expr, core.Const) and expr.value is not None else None

    def _place(self, zone: core.ZoneRef) -> str:
        return self._index(zone.zone, zone.index)

    def _zone(self, expr: core.ZoneRef, *, raw: bool = False) -> str:
        """Return the list of a zone's cards; unless `raw`, all of them are known when it is read."""
        text = f"z[{self._place(expr)}]"
        return f"known(st, {text})" if not raw and self.layout.may_be_unknown(expr.zone) else text

    def _is_read_again(self, expr: core.Expr) -> bool:
        """Say whether an expression is nothing but a name or a variable's place, which costs nothing to read twice."""
        if isinstance(expr, core.VarRef):
            return all(self._constant(index) is not None for index in expr.index)
        return isinstance(expr, core.LocalRef)

    # ---- expressions

    def _text(self, expr: core.Expr) -> str:
        """Return the text of an expression."""
        spend(PRINT)
        match expr:
            case core.Const():
                return repr(expr.value)
            case core.LocalRef():
                return self.local(expr.local)
            case core.VarRef():
                return f"v[{self._index(expr.variable, expr.index)}]"
            case core.ZoneRef():
                return self._zone(expr)
            case core.CardAttr():
                return self._looked_up(self.attribute_table(expr.name), expr.card)
            case core.EnumAttr():
                return self._looked_up(self.table(("enum", expr.table), expr.table, "T"), expr.value)
            case core.Op():
                return self._operation(expr)
            case core.IsKind():
                return self._is_kind(expr)
            case core.IsNone():
                return f"({self._text(expr.value)} is None)"
            case core.IsIn():
                return self._is_in(expr)
            case core.Range():
                return self._range(expr)
            case core.Select():
                return self._select(expr)
            case core.Fold():
                return self._fold(expr)
            case core.Extreme():
                return self._extreme(expr)
            case core.CallDefine():
                return self._call(expr)
            case core.Builtin():
                return self._builtin(expr)
            case core.EndOf():
                there, end = self._end_of(expr)
                return f"({end} if {there} else None)"
            case core.Chain():
                return self._chain(expr)
            case core.TupleOf():
                return "(" + ", ".join(self._text(i) for i in expr.items) + ",)"
            case core.SetFoldRef():
                return self.measures[expr.fold]
            case core.SomeSubset():
                return self._some_subset(expr)
            case _:
                assert_never(expr)

    def _truth(self, expr: core.Expr) -> str:
        """Return a text that is true where a condition holds, though it need not be a truth value."""
        match expr:
            case core.Op(op="not", args=(inner,)):
                return self._untruth(inner)
            case core.Op(op="and" | "or" as op):
                return f"({f' {op} '.join(map(self._truth, operands(expr, op)))})"
            case core.Select(which="some"):
                return self._some(expr.binder)[0]
            case _:  # Any text is true or not; no other has a shorter one as a condition.
                return self._text(expr)

    def _untruth(self, expr: core.Expr) -> str:
        """Return a text that is true where a condition does not hold, though it need not be a truth value."""
        match expr:
            case core.Op(op="not", args=(inner,)):
                return self._truth(inner)
            case core.Builtin(name="empty", args=(group,)) if zones := whole_zones(group):
                places = " or ".join(self._zone(zone, raw=True) for zone in zones)
                return places if len(zones) == 1 else f"({places})"
            case core.Builtin(name="empty", args=(group,)):
                return self._text(group)
            case core.Op(op="==", args=(left, right)) if not (is_optional(left.type) and is_optional(right.type)):
                return f"({self._text(left)} != {self._text(right)})"
            case core.IsNone():
                return f"({self._text(expr.value)} is not None)"
            case core.Select(which="no"):
                return self._some(expr.binder)[0]
            case _:  # No other has an opposite that is shorter than `not`.
                return f"(not {self._truth(expr)})"

    def _range(self, expr: core.Range) -> str:
        bound = expr.type.at_most if isinstance(expr.type, SequenceType) else -1
        if isinstance(expr.low, core.Const) and isinstance(expr.high, core.Const) and 0 <= bound <= RANGE_LIMIT:
            assert expr.low.value is not None
            assert expr.high.value is not None
            return self.prepared_as(f"range({int(expr.low.value)}, {int(expr.high.value) + 1})", "D")
        text = f"range({self._text(expr.low)}, {self._text(expr.high)} + 1)"
        return text if 0 <= bound <= RANGE_LIMIT else f"short({text})"

    def _end_of(self, expr: core.EndOf) -> tuple[str, str]:
        """Return the text of what has an end, true where it has one, and that of its card there, which is known."""
        place = 0 if expr.which == "top" else -1
        if not isinstance(expr.zone, core.ZoneRef):
            text = self._text(expr.zone)
            return text, f"{text}[{place}]"
        raw = self._zone(expr.zone, raw=True)
        unknown = self.layout.may_be_unknown(expr.zone.zone)
        if unknown and expr.zone.zone.kind == "cards":  # The lowest of them is known when all are.
            return raw, f"known(st, {raw})[{place}]"
        return raw, f"end_known(st, {raw}, {place})[{place}]" if unknown else f"{raw}[{place}]"

    def _looked_up(self, table: str, key: core.Expr) -> str:
        if isinstance(key, core.Select) and key.which in ("first", "last") and _is_end(key.binder):
            zone = self._domain(key.binder)
            return f"({table}[{zone}[{0 if key.which == 'first' else -1}]] if {zone} else None)"
        if isinstance(key, core.EndOf):
            there, end = self._end_of(key)
            return f"({table}[{end}] if {there} else None)"
        text = self._text(key)
        if not is_optional(key.type):
            return f"{table}[{text}]"
        if not self._naming:
            return f"at({table}, {text})"
        return self._once(text, lambda first, then: f"(None if {first} is None else {table}[{then}])")

    def _operation(self, expr: core.Op) -> str:
        if expr.op == "not":
            return self._negation(expr.args[0])
        if expr.op in ("and", "or", "+"):
            return f"({f' {expr.op} '.join(map(self._text, operands(expr, expr.op)))})"
        args = [self._text(a) for a in expr.args]
        match expr.op:
            case "-" | "*" | "<" | "<=" | ">" | ">=":
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
                text = f"[{', '.join(self._joined(expr))}]"
                return f"unique({text})" if _may_repeat(expr) else text
            case "without":
                gone = _spread(expr.args[1], args[1])
                return f"without([{_spread(expr.args[0], args[0])}], [{gone}])"
            case op:
                raise AssertionError(op)

    def _joined(self, expr: core.Op) -> Iterator[str]:
        """Give what the list of a `join` is made of; a `join` inside it has no list of its own."""
        for part in expr.args:
            if isinstance(part, core.Op) and part.op == "join" and (_may_repeat(expr) or not _may_repeat(part)):
                yield from self._joined(part)
            else:
                yield _spread(part, self._text(part))

    def _negation(self, expr: core.Expr) -> str:
        """Return `not`, as a truth value."""
        both = isinstance(expr, core.Op) and expr.op == "==" and all(is_optional(a.type) for a in expr.args)
        if isinstance(expr, core.IsNone) or (isinstance(expr, core.Op) and expr.op == "==" and not both):
            return self._untruth(expr)
        if isinstance(expr, core.Builtin) and expr.name == "empty":
            return f"(True if {self._untruth(expr)} else False)"
        if isinstance(expr, core.Select) and expr.which == "no":
            return self._select(core.evolved(expr, which="some"))
        return f"(not {self._truth(expr)})"

    def _is_kind(self, expr: core.IsKind) -> str:
        table, open_ = self.kind_table(expr.test)
        card, maybe = self._text(expr.card), is_optional(expr.card.type)
        if not open_:
            return f"is_kind({table}, {card})" if maybe else f"{table}[{card}]"

        def tests(first: str, then: str) -> str:
            asked = [f"{table}[{then if maybe else first}]"]
            asked += [f"{self.attribute_table(a)}[{then}] == {self._text(e)}" for a, e in open_]
            return f"({' and '.join([f'{first} is not None', *asked] if maybe else asked)})"

        return tests(card, card) if self._is_read_again(expr.card) else self._once(card, tests)

    def _is_in(self, expr: core.IsIn) -> str:
        value = self._text(expr.value)
        if isinstance(expr.domain, core.Range):
            low, high = self._text(expr.domain.low), self._text(expr.domain.high)
            if is_optional(expr.value.type):
                return f"({value} is not None)" if _takes_all(expr.domain) else f"inside({value}, {low}, {high})"
            return f"({low} <= {value} <= {high})"
        if isinstance(expr.domain, core.Fold) and expr.domain.function == "values":
            return f"({value} in {self._values(expr.domain)})"
        return f"({value} in {self._text(expr.domain)})"

    # ---- tables of what depends on one card

    def _function_of(self, expr: core.Expr, card: Local) -> str | None:
        """Return the name of a function from a card to what an expression comes to, read from a table, or None."""
        match expr:
            case core.CardAttr(card=core.LocalRef(local=local), name=name) if local is card:
                table = self.attribute_table(name)
            case core.IsKind(card=core.LocalRef(local=local), test=test) if local is card:
                table, open_ = self.kind_table(test)
                if open_:
                    return None
            case core.CallDefine(define=define, args=(core.LocalRef(local=local),)) if local is card:
                if define not in self.passes.tables:
                    return None
                table = f"W{define.number}"
            case core.Builtin(name="tabulated", args=(core.LocalRef(local=local), inner)) if local is card:
                table = self._table_of(inner, card)
            case _:  # No other is a table already.
                return None
        return self.prepared_as(f"{table}.__getitem__", "G")

    def _table_of(self, expr: core.Expr, card: Local) -> str:
        """Return the table of what an expression comes to for each card."""
        self._tabling = True
        with self.binding({card: "c"}), self._parts_named(allowed=False):
            text = self._text(expr)
        self._tabling = False
        return self.prepared_as(f"for_each_card(lambda c: {text})", "Q")

    # ---- going through something

    def _domain(self, binder: core.Binder) -> str:
        """Return what a binder goes through, turned to where it begins."""
        if binder.start is not None:
            start = self._text(binder.start)
            if is_players(binder.domain):
                return f"ROTATIONS[{start}]"
            return f"rotated({self._text(binder.domain)}, {start})"
        return self._text(binder.domain)

    @contextmanager
    def _going(self, binder: core.Binder, domain: str = "") -> Iterator[tuple[str, str]]:
        """Give `x` and `for x in D if W` of a comprehension over a binder; `domain` stands in the place of its own."""
        with self._parts_named(allowed=False):
            through = domain or self._domain(binder)
        name = self.fresh()
        with self.binding({binder.local: name}), self.let(binder.before) as made:
            first = "".join(f"for {once} in [{text}] " for once, text in made)
            kept = "" if binder.where is None else f" if {self._truth(binder.where)}"
            yield name, f"{first}for {name} in {through}{kept}"

    def _listed(self, expr: core.Expr) -> str:
        """Return what goes through the things of a group, whose list is not made anew if it stands there as it is."""
        if isinstance(expr, core.Select) and expr.which == "all" and expr.binder.where is None:
            return self._domain(expr.binder)
        return self._text(expr)

    def _some(self, binder: core.Binder) -> tuple[str, bool]:
        """Return a text that is true where a binder keeps anything, and whether it is a truth value."""
        if binder.where is None:
            return self._domain(binder), False
        function = self._function_of(binder.where, binder.local)
        if function is not None:
            return f"any(map({function}, {self._domain(binder)}))", True
        with self._parts_named(allowed=False):
            domain = self._domain(binder)
        name = self.fresh()
        with self.binding({binder.local: name}), self.let(binder.before) as made:
            first = "".join(f"for {once} in [{text}] " for once, text in made)
            return f"any([{self._truth(binder.where)} {first}for {name} in {domain}])", True

    def _select(self, expr: core.Select) -> str:
        binder = expr.binder
        match expr.which:
            case "some" | "no":
                text, exact = self._some(binder)
                if expr.which == "no":
                    return f"(not {text})"
                return text if exact else f"(True if {text} else False)"
            case "count":
                return f"len({self._kept(binder)})"
            case "all":
                return f"list({self._domain(binder)})" if binder.where is None else self._kept(binder)
            case "first" | "last" as which:
                if expr.count is not None:
                    return f"{which}_few({self._kept(binder)}, {self._text(expr.count)})"
                return self._end(which, binder)
            case which:
                assert_never(which)

    def _kept(self, binder: core.Binder) -> str:
        """Return the list of what a binder keeps."""
        if binder.where is None:
            return self._domain(binder)
        with self._going(binder) as (name, loop):
            return f"[{name} {loop}]"

    def _end(self, which: str, binder: core.Binder) -> str:
        """Return the first or last of what a binder keeps."""
        if _is_end(binder):
            domain = self._domain(binder)
            return f"({domain}[{0 if which == 'first' else -1}] if {domain} else None)"
        with self._parts_named(allowed=False):
            metered = binder.domain
            if which == "last":
                domain = f"reversed({self._domain(binder)})"
            elif isinstance(metered, core.Builtin) and metered.name == "metered" and binder.start is None:
                # Nobody asks behind the first that fits, so what is behind it counts nothing.
                domain = self._metered("counted", metered)
            else:
                domain = self._domain(binder)
        function = None if binder.where is None else self._function_of(binder.where, binder.local)
        if function is not None:
            return f"next(filter({function}, {domain}), None)"
        with self._going(binder, domain) as (name, loop):
            return f"next(({name} {loop}), None)"

    def _fold(self, expr: core.Fold) -> str:
        """Return the text of a sum, a union, or the like."""
        binder = expr.binder
        if expr.function == "values":
            return f"{{*{self._values(expr)}}}"
        if expr.function == "ascending":
            return f"sorted({{*{self._values(expr)}}})"
        if expr.function == "union":
            return self._union(expr.value, binder)
        if binder.where is None and expr.function in ("sum", "max", "min"):
            function = self._function_of(expr.value, binder.local)
            if function is not None:
                end = "" if expr.function == "sum" else ", default=None"
                return f"{expr.function}(map({function}, {self._domain(binder)}){end})"
        with self._going(binder) as (_, loop):
            value = self._text(expr.value)
            match expr.function:
                case "sum":
                    return f"sum([{value} {loop}])"
                case "max" | "min":
                    return f"{expr.function}([{value} {loop}], default=None)"
                case "same":
                    return f"(len({{{value} {loop}}}) <= 1)"
                case "different":
                    return f"distinct([{value} {loop}])"
                case function_:
                    raise AssertionError(function_)

    def _values(self, expr: core.Fold) -> str:
        """Return the values that cards have, to be gone through."""
        function = self._function_of(expr.value, expr.binder.local)
        if function is not None:
            return f"map({function}, {self._domain(expr.binder)})"
        with self._going(expr.binder) as (_, loop):
            return f"[{self._text(expr.value)} {loop}]"

    def _union(self, value: core.Expr, binder: core.Binder) -> str:
        """Return all things of some groups; none stands twice in groups of cards that lie in different places."""
        apart = isinstance(value.type, Cards) and is_disjoint_for_each(value, binder.local)
        with self._going(binder) as (_, loop):
            inner = self.fresh()
            with self._parts_named(allowed=False):
                text = f"[{inner} {loop} for {inner} in {self._text(value)}]"
            return text if apart else f"unique({text})"

    def _extreme(self, expr: core.Extreme) -> str:
        """Return the best of some things, or all that are so."""
        binder = expr.binder
        function = "max" if expr.which == "highest" else "min"
        listed = self._kept(binder)
        key = self._key(expr.by, binder.local)
        if expr.ties:
            return f"all_extreme({function}, {listed}, {key})"
        return f"{function}({listed}, key={key}, default=None)"

    def _key(self, by: core.Expr, card: Local) -> str:
        """Return a function from what is gone through to what it is compared by."""
        function = self._function_of(by, card)
        if function is not None:
            return function
        name = self.fresh()
        with self.binding({card: name}), self._parts_named(allowed=False):
            return f"lambda {name}: {self._text(by)}"

    # ---- calls

    def _builtin(self, expr: core.Builtin) -> str:
        match expr.name, expr.args:
            case "tabulated", (core.LocalRef(local=card) as key, inner):
                if self._tabling:
                    return self._text(inner)
                return f"{self._table_of(inner, card)}[{self._text(key)}]"
            case "count", (group,) if zones := whole_zones(group):
                # How many cards lie in whole zones is known whatever they are.
                told = " + ".join(f"len({self._zone(zone, raw=True)})" for zone in zones)
                return told if len(zones) == 1 else f"({told})"
            case "count", (group,):
                return f"len({self._text(group)})"
            case "empty", (group,) if zones := whole_zones(group):
                return f"(not {' and not '.join(self._zone(zone, raw=True) for zone in zones)})"
            case "empty", (group,):
                return f"(not {self._text(group)})"
            case "face", (card,):
                return self._looked_up("FACES", card)
            case "sorted_by", (core.Select(binder=binder) as cards, key):
                return f"sorted({self._text(cards)}, key={self._key(key, binder.local)})"
            case "all_highest" | "all_lowest", (keys,):
                return f"all_best({'max' if expr.name == 'all_highest' else 'min'}, PLAYERS, {self._text(keys)})"
            case "metered", (_, _):
                return self._metered("metered", expr)
            case _:  # All others are functions of the runtime.
                return self._function(expr)

    def _metered(self, function: str, expr: core.Builtin) -> str:
        domain, steps = map(self._text, expr.args)
        return f"{function}(st, {domain}, {steps}, {self.location_name(expr.span)})"

    def _function(self, expr: core.Builtin) -> str:
        function = expr.function
        args = [self._text(a) for a in expr.args]
        if function.python is not None:
            return function.python.format(*args)
        if function.step is not None:
            return self._stepped(expr, args[0], function.step)
        match expr.name:
            case "min" | "max" as name:
                if len(args) == 2 and all(map(self._is_read_again, expr.args)):
                    return f"({args[0]} if {args[0]} {'>' if name == 'max' else '<'} {args[1]} else {args[1]})"
                return f"{name}({', '.join(args)})"
            case "spent":
                return f"(spend(st, {args[1]}, {self.location_name(expr.span)}) or {args[0]})"
            case "within":
                inner = base_of(expr.type)
                low, high = (inner.low, inner.high) if isinstance(inner, Int) else (None, None)
                return f"bounded({args[0]}, {low!r}, {high!r})"
            case name:
                raise AssertionError(name)

    def _stepped(self, expr: core.Builtin, text: str, step: Callable[[int], int]) -> str:
        """Return the player, or the value of an enumeration, some steps further round."""
        (of,) = expr.args
        around = base_of(expr.type)
        count = len(around.values) if isinstance(around, EnumType) else self.rules.num_players
        if is_optional(of.type):
            return f"seat_after({text}, {step(count)}, {count})"
        if isinstance(of, core.Const):
            return str((int(text) + step(count)) % count)
        return f"(({text} + {step(count)}) % {count})"

    def _call(self, expr: core.CallDefine) -> str:
        define = expr.define
        args = [self._text(a) for a in expr.args]
        if define in self.passes.tables and not is_optional(expr.args[0].type):
            return f"W{define.number}[{args[0]}]"
        pairs = zip(expr.args, define.params, strict=True)
        absent = [place for place, (a, p) in enumerate(pairs) if is_optional(a.type) and not is_optional(p.type)]
        if not absent:
            return f"d{define.number}({', '.join(['st', 'v', 'z', *args])})"
        names = [self.fresh() for _ in args]
        missing = " or ".join(f"{names[place]} is None" for place in absent)
        nothing = "False" if isinstance(expr.type, Bool) else "None"
        call = f"d{define.number}({', '.join(['st', 'v', 'z', *names])})"
        return f"(lambda {', '.join(names)}: {nothing} if {missing} else {call})({', '.join(args)})"

    def _chain(self, expr: core.Chain) -> str:
        """Return a chain as one expression."""
        text = "None"
        for place, (condition, value) in reversed(list(enumerate(expr.alternatives))):
            given = self._text(value)
            if condition is not None:
                text = f"({given} if {self._truth(condition)} else {text})"
            elif place == len(expr.alternatives) - 1:
                text = given
            elif self._is_read_again(value):
                text = f"({text} if {given} is None else {given})"
            else:
                text = self._once(given, lambda first, then, rest=text: f"({rest} if {first} is None else {then})")  # type: ignore[misc]
        return text

    # ---- sets that are chosen

    def set_choice(self, arg: core.Arg) -> tuple[list[str], str]:
        """Return the text of the `SetChoice` of an argument, and the lines that must stand in front of it.

        The names of earlier arguments must be bound by the caller.  There are five forms, from the cheapest: no
        condition at all; conditions that every part of a good set fulfils too (all the same suit, at most 12), tested
        card by card; one sum or count, as a table of bits; several sums and counts with bounds, side by side in one
        number; anything else that depends on the set through measures, as a table of the results that these can have.
        """
        lines = [f"cards = sorted({self.listed(core.Binder(arg.each, arg.domain, None, arg.where))})"]
        low = "0" if arg.low is None else self.value(arg.low)
        high = "None" if arg.high is None else self.value(arg.high)
        condition = arg.on_set
        if condition is None:
            return lines, f"Plain(cards, {low}, {high})"
        if not condition.folds:  # Nothing is asked of the set itself.
            return lines, f"Plain(cards, {low}, {high} if {self.value(condition.condition)} else -1)"
        hereditary = self._hereditary(condition)
        if hereditary is not None:
            test, fair = hereditary
            # Where not even the empty set is good, none is.
            most = f"{high} if {fair} else -1" if fair else high
            return lines, f"Hereditary(st, cards, {low}, {most}, {test})"
        plain_bounds = arg.high is None and (
            arg.low is None or (isinstance(arg.low, core.Const) and arg.low.value in (0, 1))
        )
        if plain_bounds and sum_tables.is_one_sum(condition):
            name, value = self._added_by(condition.folds[0])
            lines.append(f"values = [{value} for {name} in cards]")
            needed = _needs_reach(condition.condition, condition.folds[0])
            # Every sum up to the greatest will do where it is found out while picking which can be reached.
            lines.append(f"bits = {'sums(values)' if needed else '(2 << sum(values)) - 1'}")
            return lines, f"Sums(cards, {low}, values, {self._mask(condition.condition, 'bits', condition.folds[0])})"
        return lines, self._weighed(condition, "cards", low, high)

    def _some_subset(self, expr: core.SomeSubset) -> str:
        """Return whether some subset of cards fulfils a condition on measures."""
        with self._parts_named(allowed=False):
            cards = self.value(expr.cards)
        if expr.low is None and expr.high is None and sum_tables.is_one_sum(expr.such_that):
            fold = expr.such_that.folds[0]
            name, value = self._added_by(fold)
            return f"({self._masked(expr.such_that.condition, f'sums([{value} for {name} in {cards}])', fold)} != 0)"
        low = "0" if expr.low is None else self.value(expr.low)
        high = "None" if expr.high is None else self.value(expr.high)
        if not expr.such_that.folds:  # Nothing is asked of the set itself.
            fair = self.value(expr.such_that.condition)
            return f"Plain(sorted({cards}), {low}, {high} if {fair} else -1).possible()"
        return f"{self._weighed(expr.such_that, f'sorted({cards})', low, high)}.possible()"

    def _added_by(self, fold: core.SetFold) -> tuple[str, str]:
        """Return a name for a card and the text of what it adds to a measure; None where it is left out."""
        name = self.fresh()
        with self.binding({fold.card: name}):
            value = "1" if fold.value is None else self.value(fold.value)
            if fold.where is not None:
                nothing = "0" if fold.function in ("sum", "count") else "None"
                value = f"({value} if {self.value(fold.where)} else {nothing})"
        return name, value

    def _masked(self, condition: core.Expr, reach: str, fold: core.SetFold) -> str:
        """Return a mask as of `_mask`, for sums that must be worked out once."""
        if _reads(condition, fold) <= 1:
            return self._mask(condition, reach, fold)
        name = self.fresh()
        return f"(lambda {name}: {self._mask(condition, name, fold)})({reach})"

    def _mask(self, condition: core.Expr, reach: str, fold: core.SetFold) -> str:
        """Return the sums, among those of `reach`, for which a condition on the measure holds, as a text of bits."""
        match condition:
            case core.Const(value=bool(value)):
                return reach if value else "0"
            case core.Op(op="and", args=(left, right)):
                # The dearer test sees only what the cheaper one left.
                return self._masked(right, self._mask(left, reach, fold), fold)
            case core.Op(op="or", args=(left, right)):
                return f"({self._mask(left, reach, fold)} | {self._mask(right, reach, fold)})"
            case core.Op(op="not", args=(inner,)):
                return f"({reach} & ~{self._mask(inner, reach, fold)})"
            case core.Op(op=op, args=(left, right)) if op in sum_tables.COMPARISONS:
                for side, other, sense in ((left, right, op), (right, left, _TURNED[op])):
                    if sum_tables.is_measure(side, fold) and not sum_tables.mentions(other, fold):
                        return f"bits_{_WORDS[sense]}({reach}, {self.value(other)})"
            case core.CallDefine() if sum_tables.opened(condition) is not condition:
                return self._mask(sum_tables.opened(condition), reach, fold)
            case core.SomeSubset() if sum_tables.is_sum_against_sum(condition, fold):
                # Some subset there has the same sum as this set: the two tables, one over the other.
                name, added = self._added_by(condition.such_that.folds[0])
                with self._parts_named(allowed=False):
                    cards = self.value(condition.cards)
                return f"({reach} & sums([{added} for {name} in {cards}]))"
            case _:  # All others are asked for each sum, below.
                pass
        number = self.fresh()
        self.measures[fold] = number
        return f"bits_where({reach}, lambda {number}: {self.value(condition)})"

    def _hereditary(self, condition: core.SetCondition) -> tuple[str, str] | None:
        """Return a test `(picked, card) -> bool` where each part of a good set is good, else None.

        With it comes the condition under which the empty set is good (no text: always).
        """
        tests: list[str] = []
        fair: list[str] = []
        picked, card = self.fresh(), self.fresh()
        for part in operands(condition.condition, "and"):
            match part:
                case core.SetFoldRef(fold=fold) if fold.function in ("same", "different") and fold in condition.folds:
                    if fold.where is not None or fold.value is None:
                        return None
                    with self.binding({fold.card: card}):
                        new = self.value(fold.value)
                    if fold.function == "same":
                        with self.binding({fold.card: f"{picked}[0]"}):
                            tests.append(f"(not {picked} or {new} == {self.value(fold.value)})")
                    else:
                        name, value = self._added_by(fold)
                        tests.append(f"{new} not in [{value} for {name} in {picked}]")
                case core.Op(op="<=" | "<" as op, args=(core.SetFoldRef(fold=fold), bound)) if (
                    fold in condition.folds
                    and sum_tables.grows(fold)
                    and not any(sum_tables.mentions(bound, f) for f in condition.folds)
                ):
                    name, value = self._added_by(fold)
                    total = f"sum([{value} for {name} in (*{picked}, {card})])"
                    tests.append(f"{total} {op} {self.value(bound)}")
                    fair.append(f"0 {op} {self.value(bound)}")
                case _:  # Of all others a part may fail where the whole does not.
                    return None
        return f"lambda {picked}, {card}: {' and '.join(tests)}", " and ".join(fair)

    def _weighed(self, condition: core.SetCondition, cards: str, low: str, high: str) -> str:
        """Return the choice of a set by any condition on measures."""
        if all(map(_width, condition.folds)):
            added, shift, test = self._totals(condition, cards)
            return f"Totals({cards}, {low}, {high}, {added}, {shift}, {test})"
        parts, test = self._results(condition)
        return f"Measures({cards}, {low}, {high}, {parts}, {test})"

    def _totals(self, condition: core.SetCondition, cards: str) -> tuple[str, int, str]:
        """Return what each card adds to all sums at once, the bit from which on cards are counted, and the test."""
        total = self.fresh()
        shift = 0
        span = condition.condition.span
        card = condition.folds[0].card
        whole: core.Expr | None = None
        for fold in condition.folds:
            width = _width(fold)
            self.measures[fold] = f"({total} >> {shift} & {(1 << width) - 1})"
            own = core.LocalRef(card, card.type, span)
            part = substitute(_times(_added(fold, span), 1 << shift), {fold.card: own})
            whole = part if whole is None else core.Op("+", (whole, part), Int(), span)
            shift += width
        assert whole is not None
        whole = self.passes.run(core.Op("+", (_number(1 << shift, span), whole), Int(), span))
        test = f"lambda {total}: {self.value(condition.condition)}"
        if isinstance(whole, core.Builtin) and whole.name == "tabulated":
            return self._table_of(whole.args[1], card), shift, test
        name = self.fresh()
        with self.binding({card: name}):
            return f"{{{name}: {self._text(whole)} for {name} in {cards}}}", shift, test

    def _results(self, condition: core.SetCondition) -> tuple[str, str]:
        """Return the measures as `((function, card -> value), ..)` and the test of their results."""
        parts = []
        names = []
        for fold in condition.folds:
            name, value = self._added_by(fold)
            parts.append(f"({fold.function!r}, lambda {name}: {value})")
            names.append(self.fresh())
            self.measures[fold] = names[-1]
        test = f"lambda {', '.join(names)}: {self.value(condition.condition)}"
        return f"({', '.join(parts)},)", test


def _is_end(binder: core.Binder) -> bool:
    """Say whether a binder goes through a zone as it lies, so that its first and last are the ends of it."""
    named = isinstance(binder.domain, core.ZoneRef) or (
        isinstance(binder.domain, core.LocalRef) and isinstance(binder.domain.type, Cards)
    )
    return binder.where is None and binder.start is None and named


def _takes_all(domain: core.Range) -> bool:
    """Say whether a range is all values of its enumeration."""
    low, high = domain.low, domain.high
    if not isinstance(low, core.Const) or not isinstance(high, core.Const) or not isinstance(low.type, EnumType):
        return False
    return (low.value, high.value) == (0, len(low.type.values) - 1)


def _may_repeat(expr: core.Op) -> bool:
    """Say whether something may stand twice in what is joined, and must not."""
    return isinstance(expr.type, Cards) and not are_disjoint(expr.args)


def _spread(expr: core.Expr, text: str) -> str:
    return f"*{text}" if isinstance(expr.type, Cards | SequenceType) else text


def _needs_reach(condition: core.Expr, fold: core.SetFold) -> bool:
    """Say whether a condition lets sums without end pass, unless it begins with those that can be reached."""
    match condition:
        case core.Const(value=False):
            return False
        case core.Op(op="and", args=(left, _)):
            return _needs_reach(left, fold)
        case core.Op(op="or", args=(left, right)):
            return _needs_reach(left, fold) or _needs_reach(right, fold)
        case core.Op(op="==" | "<=" | "<", args=(left, right)):
            return not (sum_tables.is_measure(left, fold) and not sum_tables.mentions(right, fold))
        case core.CallDefine() if sum_tables.opened(condition) is not condition:
            return _needs_reach(sum_tables.opened(condition), fold)
        case core.SomeSubset():
            return not sum_tables.is_sum_against_sum(condition, fold)
        case _:  # All others may let great sums pass.
            return True


def _reads(condition: core.Expr, fold: core.SetFold) -> int:
    """Return how often the mask of a condition reads the sums that it is given."""
    match condition:
        case core.Const(value=False):
            return 0
        case core.Op(op="and", args=(left, _)):
            return _reads(left, fold)
        case core.Op(op="or", args=(left, right)):
            return _reads(left, fold) + _reads(right, fold)
        case core.Op(op="not", args=(inner,)):
            return 1 + _reads(inner, fold)
        case core.CallDefine() if sum_tables.opened(condition) is not condition:
            return _reads(sum_tables.opened(condition), fold)
        case _:  # All others go through the sums once.
            return 1


def _width(fold: core.SetFold) -> int:
    """Return how many bits hold a sum or count; 0 for one without a bound, and for all other measures."""
    if not sum_tables.grows(fold) or not isinstance(fold.type, Int) or fold.type.high is None:
        return 0
    return max(1, fold.type.high.bit_length())


def _added(fold: core.SetFold, span: Span) -> core.Expr:
    """Return what a card adds to a sum or count."""
    value = _number(1, span) if fold.value is None else fold.value
    if fold.where is None:
        return value
    return core.Chain(((fold.where, value), (None, _number(0, span))), Int(), span)


def _times(expr: core.Expr, factor: int) -> core.Expr:
    return expr if factor == 1 else core.Op("*", (expr, _number(factor, expr.span)), Int(), expr.span)


def _number(value: int, span: Span) -> core.Const:
    return core.Const(value, Int(value, value), span)
