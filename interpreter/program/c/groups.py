"""Print groups as C: sets of cards, lists, loops through them, and conditions on single cards as sets.

A group of cards whose order does not matter is a set of bits.  A condition on a card that is total (it fails nowhere,
so it may be evaluated for all cards at once) is a set too, out of tables that are known now: `and`, `or` and `not` are
operations on words.  What is left of a condition is evaluated card by card.
"""

from __future__ import annotations

from functools import partial

from interpreter.analysis import core
from interpreter.analysis.budget import PRINT, spend
from interpreter.analysis.constant_folding import COMPARISONS
from interpreter.analysis.limits import RANGE_LIMIT
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Cards, Sequence, base_of, is_optional
from interpreter.program.c.expressions import NONE_THERE, Body, Branchless, ExpressionPrinter, falls_through
from interpreter.program.c.layout import is_key
from interpreter.program.passes.disjoint import are_disjoint, is_disjoint_for_each
from interpreter.program.passes.rewriting import operands
from interpreter.program.passes.totality import is_players, names_of

_LONGEST_TABLE = 1_024
"""The most values for which there is a table of masks."""

_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class GroupPrinter(ExpressionPrinter):
    """Prints groups."""

    # ---- groups

    def _is_cards(self, expr: core.Expr) -> bool:
        return isinstance(base_of(expr.type), Cards)

    def cards(self, expr: core.Expr) -> str:
        """Return the set of the cards of a group, or of one card that may be absent."""
        spend(PRINT)
        if not self._is_cards(expr):
            return f"set_one({self.value(expr)})"
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
            case core.Builtin(name="spent", args=(cards, steps)):
                self.spent(self.value(steps))
                return self.cards(cards)
            case core.Chain():
                return self._chain(expr, self.cards, "set_none()", "set_t")
        raise AssertionError(f"no group of cards: {expr}")

    def _is_list(self, expr: core.Expr) -> bool:
        """Say whether cards are had as a list alone: they may be absent, or it was tested whether they are."""
        tested = isinstance(expr, core.Chain) and falls_through(expr)
        return tested or is_optional(expr.type) or (isinstance(expr, core.Builtin) and expr.name == "there")

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

        _, key = self._best(expr, going)

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
        as_set = not ordered or self.layout.order.ascends(binder.domain)
        if as_set and self._is_cards(binder.domain) and binder.start is None:
            kept, rest = self._kept_by_masks(binder)
            self._through_set(kept, binder.local, rest, body)
            return
        where = binder.where

        def test(item: str) -> None:
            with self.binding({binder.local: item}):
                if where is not None and branchless is not None:
                    branchless(item, self.condition(where))
                    return
                if where is not None:
                    self.text.add(f"if ({self.unless(where)}) continue;")
                body(item)

        self._each(binder.domain, test, binder.start, ordered=ordered)

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
            first = self.named(self.value(start))
            with self.text.block(f"for (i64 {item}_ = 0; {item}_ < {self.players}; {item}_++)"):
                self.text.add(f"i64 {item} = ({first} + {item}_) % {self.players};")
                body(item)
            return
        if start is not None:
            found = self.listed(expr)
            assert not self._is_cards(expr)
            self.text.add(f"list_rotate(&{found}, {self.value(start)});")
            self._through_list(found, body)
            return
        if self._is_cards(expr) and (not ordered or self.layout.order.ascends(expr)):
            kept = self.cards(expr)
            with self.text.block(f"for (set_t {item}_ = {kept}; !set_empty({item}_);)"):
                self.text.add(f"i64 {item} = set_take(&{item}_);")
                body(item)
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
            case core.Builtin(name="listed", args=(inner,)):
                self.text.add(f"i64 {item} = {self.value(inner)};")
                with self.text.block(f"for (int {item}_ = {item} != NONE; {item}_; {item}_ = 0)"):
                    body(item)
            case core.Builtin(name="spent", args=(inner, steps)):
                self.spent(self.value(steps))
                self._each(inner, body, ordered=ordered)
            case _:  # All others are worked out first.
                self._through_list(self.listed(expr), body)

    def _through_list(self, name: str, body: Body) -> None:
        item = self.fresh()
        with self.text.block(f"for (i32 {item}_ = 0; {item}_ < {name}.n; {item}_++)"):
            self.text.add(f"i64 {item} = {name}.a[{item}_];")
            body(item)

    def _is_short(self, expr: core.Range) -> bool:
        bound = expr.type.at_most if isinstance(expr.type, Sequence) else -1
        return 0 <= bound <= RANGE_LIMIT

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
            case core.CallDefine() if is_optional(expr.type):  # A set, absent where an argument is.
                _, call, absent = self._called(expr)
                left = self.fresh()
                with self.text.block(f"if (!({absent}))"):
                    self.text.add(f"{name}.n = 0;")
                    self.text.add(
                        f"for (set_t {left} = {call}; !set_empty({left});) {push}(&{name}, set_take(&{left}));"
                    )
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
                away = self.listed(gone) if isinstance(base_of(gone.type), Sequence) else ""
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

    def _once(self, name: str) -> Body:
        """Print a set of the cards that a list has; return what adds a card that it has not."""
        self.text.add(f"set_t {name}_seen = set_none();")
        return lambda item: self.text.add(f"cards_put(&{name}, &{name}_seen, {item});")

    def _put_in_list(self, name: str, item: str) -> None:
        self.text.add(f"list_put(&{name}, {item});")

    def _add_to(self, group: core.Expr, add: Body) -> None:
        """Print how a group, or one thing that may be absent, is added to a list."""
        if isinstance(base_of(group.type), Cards | Sequence):
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
            elif is_optional(value.type) or is_key(value.type):
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

    def _is_invariant(self, expr: core.Expr, card: Local) -> bool:
        return card not in names_of(expr) and self.totality.is_total(expr, frozenset())

    def _try_mask(self, expr: core.Expr, card: Local) -> str | None:
        if self.functions.card_of(expr) is card:
            return self.set_constant([c for c, holds in enumerate(self.tables.of(expr, card)) if holds])
        if self._is_invariant(expr, card):
            return f"(({self.condition(expr)}) ? ALL : set_none())"
        match expr:
            case core.Op(op="not", args=(inner,)):
                found = self._try_mask(inner, card)
                return None if found is None else f"set_minus(ALL, {found})"
            case core.Op(op="and" | "or" as op):
                return self._mask_of_parts(op, operands(expr, op), card)
            case core.Op(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op, args=(left, right)):
                return self._compared(op, left, right, card) or self._compared(_TURNED[op], right, left, card)
            case core.IsIn(value=core.LocalRef(local=local), domain=domain) if local is card:
                if self._is_cards(domain) and self._is_invariant(domain, card):
                    return self.cards(domain)
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
            case core.Builtin(args=(core.LocalRef(local=local),)) if local is card:
                return expr.function.c_set
            case core.Chain():
                return self._mask_of_chain(expr, card)
            case core.CallDefine(define=define) if define.value is not None and not define.lets:
                simple = all(isinstance(arg, core.LocalRef | core.Const) for arg in expr.args)
                clean = not any(
                    is_optional(arg.type) and not is_optional(param.type)
                    for arg, param in zip(expr.args, define.params, strict=True)
                )
                if simple and clean:
                    given = dict(zip(define.params, expr.args, strict=True))
                    return self._try_mask(substitute(self.program.definitions[define].value, given), card)
                return None
        return None

    def _mask_of_parts(self, op: str, parts: list[core.Expr], card: Local) -> str | None:
        """Return the cards for which all, or some, parts of a condition hold; what is the same for all comes first."""
        fixed = [part for part in parts if self._is_invariant(part, card)]
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
                    text = found if text is None else f"set_{op}({text}, {found})"
            self.text.depth -= bool(fixed)
        assert text is not None
        if not fixed:
            self.text.put(lines)
            return text
        without = "set_none()" if op == "and" else "ALL"
        if not lines:
            return f"(({test}) ? {text} : {without})" if op == "and" else f"(({test}) ? {without} : {text})"
        name = self.fresh()
        self.text.add(f"set_t {name} = {without};")
        self.text.add(f"if ({test}) {{" if op == "and" else f"if (!({test})) {{")
        self.text.put(lines)
        self.text.add(f"    {name} = {text};")
        self.text.add("}")
        return name

    def _mask_of_chain(self, expr: core.Chain, card: Local) -> str | None:
        if self._divides(expr, card):
            return self._chain(expr, lambda value: self._mask(value, card), "set_none()", "set_t")
        text: str | None = None
        for place, (condition, value) in reversed(list(enumerate(expr.alternatives))):
            if is_optional(value.type) or (condition is None and place < len(expr.alternatives) - 1):
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
            text = f"set_and({test}, {found})" if text is None else (
                f"set_or(set_and({test}, {found}), set_minus({text}, {test}))"
            )  # fmt: skip
        return text

    def _divides(self, expr: core.Chain, card: Local) -> bool:
        """Say whether the conditions of a chain are the same for all cards, and its values are masks."""
        return all(
            (place == len(expr.alternatives) - 1 if condition is None else self._is_invariant(condition, card))
            and not is_optional(value.type)
            and self._is_maskable(value, card)
            for place, (condition, value) in enumerate(expr.alternatives)
        )

    def _compared(self, op: str, own: core.Expr, other: core.Expr, card: Local) -> str | None:
        """Return the cards of which something compares so with what is the same for all."""
        if not self._is_invariant(other, card) or is_key(own.type):
            return None
        if isinstance(own, core.LocalRef) and own.local is card:
            if op not in ("==", "!="):
                return None
            one = f"set_one({self.value(other)})"
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


def all_of(binder: core.Binder) -> core.Expr:
    """Return all that a binder keeps, as one expression."""
    if binder.where is None and binder.start is None:
        return binder.domain
    return core.Select("all", binder, None, binder.domain.type, binder.domain.span)
