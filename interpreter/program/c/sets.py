"""Print how a set of cards is chosen pick by pick, so that every pick can still be completed.

Four forms, from the cheapest: no condition on the whole set, counting; conditions that every part of a good set
fulfils too, tested card by card, with backtracking where several more cards are needed; one sum that no card makes
smaller, as a table of bits (subset sums); anything else that depends on the set through measures, as a hash set of the
results that these can have (dynamic programming over results, not over subsets).  Of Python,
`interpreter.runtime.sets` says the same.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.analysis import core, sum_tables
from interpreter.analysis.limits import RESULT_LIMIT
from interpreter.analysis.types import Bool, Card, EnumType, Int, Player, base_of
from interpreter.program.c.groups import GroupPrinter
from interpreter.program.c.layout import is_key, width_of
from interpreter.program.c.names import Ranks
from interpreter.program.passes.rewriting import operands

TRY_STEPS = 100
TEST_STEPS = 50

_TURNED = {"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MOST_VALUES = 640


class SetPrinter(GroupPrinter):
    """Prints choices of sets, and what is asked of subsets."""

    # ---- measures

    def added(self, fold: core.SetFold, card: str) -> str:
        """Return what a card adds to a measure; NONE, or 0 to a sum or count, where it is left out."""
        if fold in self.ranks:
            return f"{self.ranks[fold].of_card}[{card}]"
        with self.binding({fold.card: card}):
            if fold.where is None:
                return "1" if fold.value is None else self.value(fold.value)
            name = self.fresh()
            self.text.add(f"i64 {name} = {'0' if fold.function in ('sum', 'count') else 'NONE'};")
            with self.text.block(f"if ({self.condition(fold.where)})"):
                self.text.add(f"{name} = {'1' if fold.value is None else self.value(fold.value)};")
        return name

    def _rank(self, fold: core.SetFold, cards: str) -> Ranks:
        """Print how many of some cards come before each by the value of a measure, which is equal where that is."""
        assert fold.value is not None
        add, card, other = self.text.add, self.fresh(), self.fresh()
        ranks = Ranks(self.fresh(), self.fresh(), self.fresh())
        add(f"i64 {ranks.of_card}[CARDS], {ranks.card_of}[CARDS]; list_t {ranks.values}[CARDS];")
        with self.text.block(f"for (set_t {card}_ = {cards}; !set_empty({card}_);)"), self.binding({fold.card: card}):
            add(f"i64 {card} = set_take(&{card}_);")
            add(f"{ranks.of_card}[{card}] = NONE;")
            if fold.where is not None:
                add(f"if (!({self.condition(fold.where)})) continue;")
            if is_key(fold.value.type):
                add(f"{ranks.values}[{card}] = {self.listed(fold.value)};")
            else:
                add(f"{ranks.values}[{card}].n = 1; {ranks.values}[{card}].a[0] = {self.value(fold.value)};")
            add(f"{ranks.of_card}[{card}] = 0;")
        below = f"below_tuple({ranks.values}[{other}].a, {ranks.values}[{card}].a, {width_of(fold.value.type)})"
        with self.text.block(f"for (set_t {card}_ = {cards}; !set_empty({card}_);)"):
            add(f"i64 {card} = set_take(&{card}_);")
            add(f"if ({ranks.of_card}[{card}] == NONE) continue;")
            with self.text.block(f"for (set_t {other}_ = {cards}; !set_empty({other}_);)"):
                add(f"i64 {other} = set_take(&{other}_);")
                add(f"if ({ranks.of_card}[{other}] != NONE && {below}) {ranks.of_card}[{card}]++;")
            add(f"{ranks.card_of}[{ranks.of_card}[{card}]] = {card};")
        return ranks

    def _measured_key(self, fold: core.SetFold, name: str) -> None:
        ranks, rank = self.ranks[fold], self.measures[fold]
        self.text.add(f"if ({rank} != NONE) {name} = {ranks.values}[{ranks.card_of}[{rank}]];")

    # ---- one sum

    def sum_words(self, fold: core.SetFold) -> int:
        """Return how many words hold a bit for each sum."""
        assert isinstance(fold.type, Int)
        assert fold.type.high is not None
        return (max(0, fold.type.high) + 64) // 64

    def reached(self, fold: core.SetFold, cards: str, words: int) -> str:
        """Return the name of a table of the sums that subsets of some cards can have."""
        name, card = self.fresh(), self.fresh()
        self.text.add(f"u64 {name}[{words}] = {{1}};")
        with self.text.block(f"for (set_t {card}_ = {cards}; !set_empty({card}_);)"):
            self.text.add(f"i64 {card} = set_take(&{card}_);")
            self.text.add(f"sums_add({name}, {words}, {self.added(fold, card)});")
        return name

    def accepted(self, condition: core.Expr, reach: str, words: int, fold: core.SetFold) -> str:
        """Return the name of a table of those sums for which a condition on the measure holds."""

        def copy(of: str) -> str:
            name = self.fresh()
            self.text.add(f"u64 {name}[{words}]; memcpy({name}, {of}, sizeof {name});")
            return name

        def over(one: str, sign: str, other: str) -> str:
            name = copy(one)
            self.text.add(f"for (int i = 0; i < {words}; i++) {name}[i] {sign} {other}[i];")
            return name

        match condition:
            case core.Const(value=bool(value)):
                if value:
                    return reach
                name = self.fresh()
                self.text.add(f"u64 {name}[{words}] = {{0}};")
                return name
            case core.Op(op="and", args=(left, right)):
                return self.accepted(right, self.accepted(left, reach, words, fold), words, fold)
            case core.Op(op="or", args=(left, right)):
                one = self.accepted(left, reach, words, fold)
                return over(one, "|=", self.accepted(right, reach, words, fold))
            case core.Op(op="not", args=(inner,)):
                return over(reach, "&= ~", self.accepted(inner, reach, words, fold))
            case core.Op(op=op, args=(left, right)) if op in sum_tables.COMPARISONS:
                for side, other, sense in ((left, right, op), (right, left, _TURNED[op])):
                    if sum_tables.is_measure(side, fold) and not sum_tables.mentions(other, fold):
                        bound, name = self.named(self.value(other)), copy(reach)
                        low, high = {
                            "==": (bound, bound), "<": ("0", f"{bound} - 1"), "<=": ("0", bound),
                            ">": (f"{bound} + 1", "INT64_MAX"), ">=": (bound, "INT64_MAX"),
                        }[sense]  # fmt: skip
                        self.text.add(f"sums_within({name}, {words}, {low}, {high});")
                        return name
            case core.CallDefine() if sum_tables.opened(condition) is not condition:
                return self.accepted(sum_tables.opened(condition), reach, words, fold)
            case core.SomeSubset() if sum_tables.is_sum_against_sum(condition, fold):
                # Some subset there has the same sum as this set: the two tables, one over the other.
                there = self.cards(condition.cards)
                return over(reach, "&=", self.reached(condition.such_that.folds[0], there, words))
            case _:  # Each sum is asked by itself.
                pass
        kept, sum_ = self.fresh(), self.fresh()
        self.text.add(f"u64 {kept}[{words}] = {{0}};")
        with self.text.block(f"for (i64 {sum_} = 0; {sum_} < {64 * words}; {sum_}++)"):
            self.text.add(f"if (!({reach}[{sum_} >> 6] >> ({sum_} & 63) & 1)) continue;")
            self.measures[fold] = sum_
            self.text.add(f"if ({self.condition(condition)}) {kept}[{sum_} >> 6] |= (u64)1 << ({sum_} & 63);")
        return kept

    def _some_subset(self, expr: core.SomeSubset) -> str:
        cards = self.named(self.cards(expr.cards), "set_t")
        if expr.low is None and expr.high is None and sum_tables.is_one_sum(expr.such_that):
            fold = expr.such_that.folds[0]
            words = self.sum_words(fold)
            found = self.accepted(expr.such_that.condition, self.reached(fold, cards, words), words, fold)
            return f"sums_any({found}, {words})"
        low = "0" if expr.low is None else self.named(self.value(expr.low))
        high = f"set_count({cards})" if expr.high is None else self.value(expr.high)
        found = self.fresh()
        self.text.add(f"int {found} = 0;")
        self.weighed(
            expr.such_that, cards, low, self.named(f"(i64)({high})"), "set_none()",
            lambda _: self.text.add(f"{found} = 1;"), lambda: self.text.add(f"{found} = 1;"), asked=True,
        )  # fmt: skip
        return found

    # ---- any condition on measures

    def weighed(
        self,
        condition: core.SetCondition,
        cards: str,
        low: str,
        high: str,
        picked: str,
        pick: Callable[[str], None],
        done: Callable[[], None],
        *,
        asked: bool = False,
    ) -> None:
        """Print what is done with each card that can be picked next, and if the set may end (`asked`: if at all)."""
        folds = condition.folds
        for fold in folds:
            if self._is_ranked(fold):
                self.ranks[fold] = self._rank(fold, cards)
        widths = [self._result_width(fold) for fold in folds]
        width = 1 + sum(widths)
        add = self.text.add
        now, behind, own, with_, whole, card, other = (self.fresh() for _ in range(7))

        def start(name: str) -> None:
            add(f"i64 {name}[{width}]; {name}[0] = 0;")
            place = 1
            for fold, size in zip(folds, widths, strict=True):
                for word in range(size):
                    nothing = "0" if fold.function in ("sum", "count", "different") else "NONE"
                    add(f"{name}[{place + word}] = {nothing};")
                place += size

        def of_card(name: str, number: str) -> None:
            add(f"i64 {name}[{width}]; {name}[0] = 1;")
            place = 1
            for fold, size in zip(folds, widths, strict=True):
                value = self.named(self.added(fold, number))
                if fold.function == "different":
                    for word in range(size):
                        add(f"{name}[{place + word}] = 0;")
                    low_ = self._value_range(fold)[0]
                    at = f"({value} - {low_})"
                    add(f"if ({value} != NONE) {name}[{place} + ({at} >> 5)] = (i64)1 << ({at} & 31);")
                else:
                    add(f"{name}[{place}] = {value};")
                place += size

        def join(into: str, one: str, two: str) -> None:
            add(f"i64 {into}[{width}]; {into}[0] = {one}[0] + {two}[0];")
            place = 1
            for fold, size in zip(folds, widths, strict=True):
                a, b, c = (f"{name}[{place}]" for name in (one, two, into))
                match fold.function:
                    case "sum" | "count":
                        add(f"{c} = plus_({a}, {b});")
                    case "min" | "max" as which:
                        best = "least" if which == "min" else "most"
                        add(f"{c} = {a} == NONE ? {b} : {b} == NONE ? {a} : {best}({a}, {b});")
                    case "same":
                        add(f"{c} = {a} == NONE || {a} == {b} ? {b} : {b} == NONE ? {a} : MIXED;")
                    case "different":
                        for word in range(size):
                            add(f"{into}[{place + word}] = {one}[{place + word}] | {two}[{place + word}];")
                        # A value that stands twice is noted in the highest bit of the first word.
                        twice = " || ".join(
                            f"({one}[{place + w}] & {two}[{place + w}] & 0xffffffff)" for w in range(size)
                        )
                        add(f"if ({twice}) {c} |= NONE;")
                    case function:
                        raise AssertionError(function)
                place += size

        def good(name: str) -> str:
            place = 1
            for fold, size in zip(folds, widths, strict=True):
                text = f"{name}[{place}]"
                if fold.function == "same":
                    text = f"(i64)({text} != MIXED)"
                elif fold.function == "different":
                    text = f"(i64)(({text} & NONE) == 0)"
                self.measures[fold] = text
                place += size
            fits = self.fresh()
            add(f"int {fits} = {low} <= {name}[0] && {name}[0] <= {high};")
            with self.text.block(f"if ({fits})"):
                add(f"{fits} = {self._as_condition(self.condition(condition.condition))};")
            return fits

        span = condition.condition.span
        no_memory = self.fail("CG806", "the condition on the chosen cards takes too many results to weigh", span)
        start(now)
        with self.text.block(f"for (set_t {card}_ = {picked}; !set_empty({card}_);)"):
            add(f"i64 {card} = set_take(&{card}_);")
            of_card(own, card)
            join(whole, now, own)
            add(f"memcpy({now}, {whole}, sizeof {now});")
        with self.text.block(f"if ({good(now)})"):
            done()
        add(f"results_t {behind};")
        add(f"if (!results_begin(&{behind}, {width})) {no_memory}")
        with self.text.block("else"):
            start(other)
            add(f"results_add(&{behind}, {other});")
            add(f"i64 {behind}_room = {high} - {now}[0] - 1;")
            rest = f"set_and({cards}, set_above(set_last({picked})))"
            going = f"!set_empty({card}_) && !s->fault"
            with self.text.block(f"for (set_t {card}_ = {rest}; {going};)"):
                add(f"i64 {card} = set_take_last(&{card}_);")
                of_card(own, card)
                join(with_, now, own)
                found = self.fresh()
                add(f"int {found} = 0;")
                with self.text.block(f"for (i32 i_ = 0; i_ < {behind}.n && !{found}; i_++)"):
                    add(f"const i64 *{other} = {behind}.rows + (i64)i_ * {width};")
                    join(whole, with_, other)
                    add(f"if ({good(whole)}) {found} = 1;")
                with self.text.block(f"if ({found})"):
                    pick(card)
                    if asked:
                        add("break;")
                add(f"i32 n_ = {behind}.n;")
                with self.text.block("for (i32 i_ = 0; i_ < n_; i_++)"):
                    add(f"i64 {other}[{width}]; memcpy({other}, {behind}.rows + (i64)i_ * {width}, sizeof {other});")
                    add(f"if ({other}[0] >= {behind}_room) continue;")
                    join(whole, own, other)
                    add(f"if (!results_add(&{behind}, {whole}) || {behind}.n > {RESULT_LIMIT})")
                    with self.text.block(""):
                        add(f"{no_memory} break;")
        add(f"results_end(&{behind});")
        for fold in folds:
            self.ranks.pop(fold, None)

    def _is_ranked(self, fold: core.SetFold) -> bool:
        """Say whether the values of a measure are told by their ranks: keys, and those that must differ out of many."""
        if fold.value is None or fold.function in ("sum", "count"):
            return False
        return is_key(fold.value.type) or (fold.function == "different" and self._bounds(fold) is None)

    def _value_range(self, fold: core.SetFold) -> tuple[int, int]:
        """Return the least and greatest value, or rank, of a measure of values that must differ."""
        found = None if self._is_ranked(fold) else self._bounds(fold)
        return found or (0, self.num_cards - 1)

    def _bounds(self, fold: core.SetFold) -> tuple[int, int] | None:
        """Return the least and greatest value of a measure, None where these are far apart or not known."""
        assert fold.value is not None
        match base_of(fold.value.type):
            case Int(low=int(low), high=int(high)):
                found = (low, high)
            case Bool():
                found = (0, 1)
            case EnumType() as enum:
                found = (0, len(enum.values) - 1)
            case Player():
                found = (0, self.players - 1)
            case Card():
                found = (0, self.num_cards - 1)
            case _:  # A key, or an integer without bounds.
                return None
        return found if found[1] - found[0] < _MOST_VALUES else None

    def _result_width(self, fold: core.SetFold) -> int:
        if fold.function != "different":
            return 1
        low, high = self._value_range(fold)
        return (high - low) // 32 + 1

    # ---- the set of an argument

    def print_set(self, name: str, params: str, arg: core.Arg) -> None:
        """Print the function that finds the cards that can be picked next, and says if the set may end.

        `params` are the names of earlier arguments with their types, bound by the caller; what of them the functions
        beside it need is given on.
        """
        condition = arg.on_set
        tests = None if condition is None or not condition.folds else self._hereditary(condition)
        given = ", ".join(part.split()[-1].lstrip("*") for part in params.split(", ") if part)
        handed = f", {given}" if given else ""
        more = f", {params}" if params else ""
        if tests is not None:
            self._print_fits(name, more, tests[0])
            self._print_completes(name, more, handed)
        head = f"static int {name}(S *s, set_t picked, set_t *picks{more})"
        self.text.add("")
        with self.text.block(head):
            self.text.add("*picks = set_none();")
            each = core.LocalRef(arg.each, arg.each.type, arg.span)
            del each
            binder = core.Binder(arg.each, arg.domain, None, arg.where)
            with self.binding({}):
                self.text.add(f"set_t cards = {self._set(self.selection(binder))};")
            low = "0" if arg.low is None else self.value(arg.low)
            self.text.add(f"i64 low = {low};")
            high = "set_count(cards)" if arg.high is None else self.value(arg.high)
            self.text.add(f"i64 high = {high};")
            self.text.add("i64 count = set_count(picked);")
            self.text.add("set_t rest = set_and(cards, set_above(set_last(picked)));")
            if condition is None or not condition.folds:
                if condition is not None:
                    self.text.add(f"if (!({self.condition(condition.condition)})) high = -1;")
                self._plain()
            elif tests is not None:
                for fair in tests[1]:
                    fair()
                self._tested(name, handed)
            elif self._is_one_sum(arg, condition):
                self._one_sum(condition)
            else:
                done = self.fresh()
                self.text.add(f"int {done} = 0;")
                self.weighed(
                    condition, "cards", "low", "high", "picked",
                    lambda card: self.text.add(f"set_put(picks, {card});"),
                    lambda: self.text.add(f"{done} = 1;"),
                )  # fmt: skip
                self._first_copies()
                self.text.add(f"return {done};")

    def _is_one_sum(self, arg: core.Arg, condition: core.SetCondition) -> bool:
        few = arg.low is None or (isinstance(arg.low, core.Const) and arg.low.value in (0, 1))
        return arg.high is None and few and sum_tables.is_one_sum(condition)

    def _first_copies(self) -> None:
        """Print that of the copies of a face only the first stays."""
        if self.copies:
            self.text.add("*picks = first_copies(*picks);")

    def _plain(self) -> None:
        add = self.text.add
        add("if (low > high) high = -1;")
        with self.text.block("if (count < high)"):
            add("set_t last = set_last_few(rest, low - count - 1);")
            add("*picks = set_minus(rest, last);")
        self._first_copies()
        add("return low <= count && count <= high;")

    def _tested(self, name: str, handed: str) -> None:
        """Print the picks of a set each part of which must be good."""
        add = self.text.add
        add("if (low > high) high = -1;")
        with (
            self.text.block("if (count < high)"),
            self.text.block("while (!set_empty(rest) && !s->fault)"),
        ):
            add("i64 card = set_take(&rest);")
            add(f"if ({name}_fits(s, picked, card{handed})) set_put(picks, card);")
        self._first_copies()
        with (
            self.text.block("if (low - count > 1)"),
            self.text.block("for (set_t left = *picks; !set_empty(left) && !s->fault;)"),
        ):
            add("i64 card = set_take(&left);")
            with_card = "set_or(picked, set_one(card))"
            add(f"if (!{name}_completes(s, {with_card}, cards, low{handed})) set_drop(picks, card);")
        add("return low <= count && count <= high;")

    def _print_fits(self, name: str, more: str, tests: list[Callable[[], None]]) -> None:
        self.text.add("")
        with self.text.block(f"static int {name}_fits(S *s, set_t picked, i64 card{more})"):
            self.text.add("(void)s; (void)picked; (void)card;")
            for test in tests:
                test()
            self.text.add("return 1;")

    def _print_completes(self, name: str, more: str, handed: str) -> None:
        """Print whether enough cards can be added, by backtracking."""
        add = self.text.add
        add("")
        head = f"static int {name}_completes(S *s, set_t picked, set_t cards, i64 low{more})"
        fault = self.fault(
            "CG806", "too many sets of cards would have to be tried to know what can be chosen here", None
        )
        with self.text.block(head):
            add("if (set_count(picked) >= low) return 1;")
            add("set_t rest = set_and(cards, set_above(set_last(picked)));")
            add("if (set_count(picked) + set_count(rest) < low) return 0;")
            add(f"SPEND(set_count(rest) * {TEST_STEPS}, {fault});")
            with self.text.block("while (!set_empty(rest) && !s->fault)"):
                add("i64 card = set_take(&rest);")
                add(f"if ({name}_fits(s, picked, card{handed})")
                add(f"    && {name}_completes(s, set_or(picked, set_one(card)), cards, low{handed})) return 1;")
            add("return 0;")

    def _hereditary(
        self, condition: core.SetCondition
    ) -> tuple[list[Callable[[], None]], list[Callable[[], None]]] | None:
        """Return what prints the tests of a card beside those picked, where each part of a good set is good.

        With it comes what prints the condition under which the empty set is good.
        """
        tests: list[Callable[[], None]] = []
        fair: list[Callable[[], None]] = []
        for part in operands(condition.condition, "and"):
            match part:
                case core.SetFoldRef(fold=fold) if fold.function in ("same", "different") and fold in condition.folds:
                    if fold.where is not None or fold.value is None:
                        return None
                    tests.append(lambda fold=fold: self._test_equal(fold))  # type: ignore[misc]
                case core.Op(op="<=" | "<" as op, args=(core.SetFoldRef(fold=fold), bound)) if (
                    fold in condition.folds
                    and sum_tables.grows(fold)
                    and not any(sum_tables.mentions(bound, f) for f in condition.folds)
                ):
                    tests.append(lambda fold=fold, op=op, bound=bound: self._test_sum(fold, op, bound))  # type: ignore[misc]
                    fair.append(
                        lambda op=op, bound=bound: self.text.add(f"if (!(0 {op} {self.value(bound)})) high = -1;")  # type: ignore[misc]
                    )
                case _:  # Whether a part of a good set is good cannot be told.
                    return None
        return tests, fair

    def _test_equal(self, fold: core.SetFold) -> None:
        """Print that a card's value must be that of the others, or none of theirs."""
        add = self.text.add
        with self.text.block(""):
            assert fold.value is not None
            new, other = self.fresh(), self.fresh()
            key = is_key(fold.value.type)

            def of_card(card: str) -> str:
                with self.binding({fold.card: card}):
                    return self.listed(fold.value) if key and fold.value is not None else self.added(fold, card)

            add(f"{'list_t' if key else 'i64'} {new} = {of_card('card')};")
            with self.text.block(f"for (set_t {other}_ = picked; !set_empty({other}_);)"):
                add(f"i64 {other} = set_take(&{other}_);")
                value = of_card(other)
                equal = f"list_same(&{new}, &{value})" if key else f"{new} == {value}"
                if fold.function == "same":
                    add(f"if (!({equal})) return 0;")
                    add("break;")
                else:
                    add(f"if ({equal}) return 0;")

    def _test_sum(self, fold: core.SetFold, op: str, bound: core.Expr) -> None:
        """Print that a sum stays within a bound."""
        add = self.text.add
        with self.text.block(""):
            total, other = self.fresh(), self.fresh()
            add(f"i64 {total} = 0;")
            with self.text.block(f"for (set_t {other}_ = set_or(picked, set_one(card)); !set_empty({other}_);)"):
                add(f"i64 {other} = set_take(&{other}_);")
                add(f"{total} = plus_({total}, {self.added(fold, other)});")
            add(f"if (!({total} {op} {self.value(bound)})) return 0;")

    def _one_sum(self, condition: core.SetCondition) -> None:
        """Print the picks of a set whose one sum must be one of those that are accepted."""
        add = self.text.add
        fold = condition.folds[0]
        words = self.sum_words(fold)
        reach = self.reached(fold, "cards", words)
        found = self.accepted(condition.condition, reach, words, fold)
        wanted, bits, card = self.fresh(), self.fresh(), self.fresh()
        add(f"u64 {wanted}[{words}]; memcpy({wanted}, {found}, sizeof {wanted});")
        with self.text.block(f"for (set_t {card}_ = picked; !set_empty({card}_);)"):
            add(f"i64 {card} = set_take(&{card}_);")
            add(f"sums_down({wanted}, {words}, {self.added(fold, card)});")
        add(f"u64 {bits}[{words}] = {{1}};")
        with self.text.block("while (!set_empty(rest))"):
            add(f"i64 {card} = set_take_last(&rest);")
            value = self.named(self.added(fold, card))
            add(f"if (sums_meet({bits}, {words}, {value}, {wanted})) set_put(picks, {card});")
            add(f"sums_add({bits}, {words}, {value});")
        self._first_copies()
        add(f"return ({wanted}[0] & 1) && count >= low;")
