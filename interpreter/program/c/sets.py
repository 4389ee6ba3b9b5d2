"""Print choices of sets of cards as C: their measures, and the algorithm that completes them.

Sets of cards are chosen pick by pick by the algorithms of `interpreter/native/c/sets.h` (in Python those of
`interpreter.engine.sets`).  What is printed for a choice is what a card adds to each measure, and whether the results
are good.
"""

from __future__ import annotations

from interpreter.analysis import core, sum_tables, types
from interpreter.program.c.expressions import ExpressionPrinter, is_small
from interpreter.program.c.layout import is_key, width_of
from interpreter.program.c.names import number
from interpreter.program.facts import Totality
from interpreter.program.nodes import Stage

TOO_MANY_SETS = "too many sets of cards would have to be tried to know what can be chosen here"
TOO_MANY_RESULTS = "the condition on the chosen cards takes too many results to weigh"

_KINDS = {
    "sum": "SUM",
    "count": "SUM",
    "min": "MIN",
    "max": "MAX",
    "same": "SAME",
    "different": "DIFFERENT",
    "consecutive": "DIFFERENT",
}

_OF_NO_CARDS = {"sum": "0", "count": "0", "min": "NONE", "max": "NONE"} | dict.fromkeys(
    ("same", "different", "consecutive"), "1"
)

_MOST_VALUES = 640


class SetPrinter(ExpressionPrinter):
    """Prints choices of sets of cards of one program."""

    # ---- measures

    def added(self, fold: core.SetFold, card: str) -> str:
        """Return what a card adds to a measure; NONE, or 0 to a sum or count, where it is left out."""
        if fold in self.ranks:
            return f"{self.ranks[fold]}.of[{card}]"
        with self.binding({fold.card: card}):
            if fold.where is None:
                return "1" if fold.value is None else self.value(fold.value)
            name = self.fresh()
            self.text.add(f"i64 {name} = {'0' if fold.function in ('sum', 'count') else 'NONE'};")
            with self.text.block(f"if ({self.condition(fold.where)})"):
                self.text.add(f"{name} = {'1' if fold.value is None else self.value(fold.value)};")
        return name

    def _rank(self, fold: core.SetFold, cards: str) -> str:
        """Print the ranks of cards by the value of a measure, and return their name."""
        assert fold.value is not None
        add, ranks = self.text.add, self.fresh()
        add(f"ranks_t {ranks};")
        with self._each_card(cards) as card, self.binding({fold.card: card}):
            add(f"{ranks}.values[{card}].n = -1;")
            if fold.where is not None:
                add(f"if ({self.unless(fold.where)}) continue;")
            if is_key(fold.value.type):
                add(f"{ranks}.values[{card}] = {self.listed(fold.value)};")
            else:
                add(f"{ranks}.values[{card}].n = 1; {ranks}.values[{card}].a[0] = {self.value(fold.value)};")
        add(f"ranks_find(&{ranks}, {cards}, {width_of(fold.value.type)});")
        return ranks

    def measured_key(self, fold: core.SetFold, name: str) -> None:
        """Print how a list gets the key that is the result of a measure."""
        ranks, rank = self.ranks[fold], self.measures[fold]
        self.text.add(f"if ({rank} != NONE) {name} = {ranks}.values[{ranks}.card[{rank}]];")

    # ---- one sum

    def sum_words(self, fold: core.SetFold) -> int:
        """Return how many words hold a bit for each sum."""
        assert isinstance(fold.type, types.Int)
        assert fold.type.high is not None
        return (max(0, fold.type.high) + 64) // 64

    def _values(self, fold: core.SetFold, cards: str) -> str:
        """Return the name of a table of what each of some cards adds to a measure."""
        name = self.fresh()
        self.text.add(f"i64 {name}[CARDS];")
        with self._each_card(cards) as card:
            self.text.add(f"{name}[{card}] = {self.added(fold, card)};")
        return name

    def _reached(self, fold: core.SetFold, cards: str, values: str) -> str:
        """Return the name of a table of the sums that subsets of some cards can have."""
        name, words = self.fresh(), self.sum_words(fold)
        self.text.add(f"u64 {name}_bits[{words}]; sums_t {name} = sums_of({name}_bits, {words}, {cards}, {values});")
        return name

    def _accepted(self, fold: core.SetFold, condition: core.Expr, reach: str) -> str:
        """Return the name of a table of those sums for which a condition on the measure holds."""

        def copy(of: str, change: str = "") -> str:
            name = self.fresh()
            self.text.add(f"u64 {name}_bits[{self.sum_words(fold)}]; sums_t {name} = sums_copy({name}_bits, {of});")
            if change:
                self.text.add(change.format(f"{name}"))
            return name

        if (found := sum_tables.bound_of(condition, fold)) is not None:
            bound = self.named(self.value(found[1]))
            low, high = {
                "==": (bound, bound), "<": ("0", f"{bound} - 1"), "<=": ("0", bound),
                ">": (f"{bound} + 1", "INT64_MAX"), ">=": (bound, "INT64_MAX"),
            }[found[0]]  # fmt: skip
            return copy(reach, f"sums_within({{}}, {low}, {high});")
        match condition:
            case core.Const(value=bool(value)):
                return reach if value else copy(reach, "sums_minus({0}, {0});")
            case core.Op(op="and", args=(left, right)):
                return self._accepted(fold, right, self._accepted(fold, left, reach))
            case core.Op(op="or", args=(left, right)):
                one = self._accepted(fold, left, reach)
                return copy(one, f"sums_or({{}}, {self._accepted(fold, right, reach)});")
            case core.Op(op="not", args=(inner,)):
                return copy(reach, f"sums_minus({{}}, {self._accepted(fold, inner, reach)});")
            case core.CallDefine() if sum_tables.opened(condition) is not condition:
                return self._accepted(fold, sum_tables.opened(condition), reach)
            case core.SomeSubset() if sum_tables.is_sum_against_sum(condition, fold):
                # Some subset there has the same sum as this set: the two tables, one over the other.
                there = self.named(self.cards(condition.cards), "set_t")
                other_fold = condition.such_that.folds[0]
                others = self._reached(fold, there, self._values(other_fold, there))
                return copy(reach, f"sums_and({{}}, {others});")
        kept, sum_ = copy(reach), self.fresh()
        with self.text.block(f"for (i64 {sum_} = 0; {sum_} < 64 * {kept}.n; {sum_}++)"):
            self.text.add(f"if (!sums_has({kept}, {sum_})) continue;")
            self.measures[fold] = sum_
            self.text.add(f"if ({self.unless(condition)}) sums_drop({kept}, {sum_});")
        return kept

    def some_subset(self, expr: core.SomeSubset) -> str:
        """Return whether a subset of cards satisfies a condition on measures."""
        if expr.before:
            names = {
                local: self.named(self.as_kind(kind := self.layout.kind(local), value), kind)
                for local, value in expr.before
            }
            with self.binding(names):
                return self.some_subset(core.evolved(expr, before=()))
        cards = self.named(self.cards(expr.cards), "set_t")
        if expr.low is None and expr.high is None and sum_tables.is_one_sum(expr.such_that):
            (fold,) = expr.such_that.folds
            reach = self._reached(fold, cards, self._values(fold, cards))
            return f"sums_any({self._accepted(fold, expr.such_that.condition, reach)})"
        low = "0" if expr.low is None else self.named(self.value(expr.low))
        high = f"set_count({cards})" if expr.high is None else self.value(expr.high)
        found = self.weighed(expr.such_that, cards, low, self.named(f"(i64)({high})"), "set_none()", "ANY_SET")
        return f"{found}.ends"

    # ---- any condition on measures

    def weighed(
        self,
        condition: core.SetCondition,
        cards: str,
        low: str,
        high: str,
        picked: str,
        want: str,
        *,
        parts: bool = False,
    ) -> str:
        """Print the search for the cards that can be picked next, and whether the set may end; return its name.

        With `parts` each part of a good set is good; `want` is one of the names in `sets.h`.
        """
        name, add = self.fresh(), self.text.add
        words = _words(condition.folds)
        others = [fold for fold in condition.folds if not any(fold in word for word in words)]
        for fold in others:
            if self._is_ranked(fold):
                self.ranks[fold] = self._rank(fold, cards)
        needed = sum_tables.needed(condition)
        kinds = ", ".join(
            [
                *("{SUM, 1, 0}" for _ in words),
                *(f"{{{_KINDS[fold.function]}, {self._result_width(fold)}, {int(fold in needed)}}}" for fold in others),
            ]
        )
        width = 1 + len(words) + sum(map(self._result_width, others))
        faults = (
            self.fault("CG806", TOO_MANY_SETS),
            self.fault("CG806", TOO_MANY_RESULTS),
        )
        numbers = (len(words) + len(others), len(words), width, int(parts), *faults)
        add(f"static const measure_t {name}_of[] = {{{kinds or '{0}'}}};")
        add(f"static const choice_t {name}_choice = {{{name}_of, {', '.join(map(str, numbers))}}};")
        add(f"i64 {name}_rows[ROWS({width})];")
        add(f"weigh_t {name};")
        add(f"weigh_begin(&{name}, s, &{name}_choice, {want}, {cards}, {picked}, {low}, {high}, {name}_rows);")
        self._print_added(words, others, name)
        with self.text.block(f"while (weigh_next(&{name}))"):
            self._name_results(words, others, f"{name}.row")
            add(f"{name}.good = {self._as_condition(self.condition(condition.condition))};")
        for fold in others:
            self.ranks.pop(fold, None)
        return name

    def _print_added(self, words: list[_Word], others: list[core.SetFold], name: str) -> None:
        """Print what each card adds to each measure."""
        own, place = self.fresh(), 1 + len(words)
        with self._each_card(f"weigh_cards(&{name})") as card:
            self.text.add(f"i64 *{own} = weigh_own(&{name}, {card});")
            self.text.add(f"{own}[0] = 1;")
            for at, word in enumerate(words, 1):
                parts = [(self.added(fold, card), shift) for fold, (shift, _) in word.items()]
                whole = " + ".join(text if shift == 0 else f"((i64)({text}) << {shift})" for text, shift in parts)
                self.text.add(f"{own}[{at}] = {whole};")
            for fold in others:
                value, width = self.added(fold, card), self._result_width(fold)
                if _KINDS[fold.function] == "DIFFERENT":
                    value, low = self.named(value), self._value_range(fold)[0]
                    counted = f"{value} == NONE ? -1 : {value} - {number(low)}"
                    self.text.add(f"weigh_value({own} + {place}, {width}, {counted});")
                else:
                    self.text.add(f"{own}[{place}] = {value};")
                place += width

    def _name_results(self, words: list[_Word], others: list[core.SetFold], row: str) -> None:
        """Let each measure be its result in a row."""
        for at, word in enumerate(words, 1):
            for fold, (shift, bits) in word.items():
                whole = len(word) == 1
                self.measures[fold] = f"{row}[{at}]" if whole else f"({row}[{at}] >> {shift} & {(1 << bits) - 1})"
        place = 1 + len(words)
        for fold in others:
            text = f"{row}[{place}]"
            if fold.function == "same":
                text = f"(i64)({text} != MIXED)"
            elif fold.function == "different":
                text = f"(i64)(({text} & NONE) == 0)"
            elif fold.function == "consecutive":
                text = f"(i64)weigh_run({row} + {place}, {self._result_width(fold)})"
            self.measures[fold] = text
            place += self._result_width(fold)

    def _is_ranked(self, fold: core.SetFold) -> bool:
        """Say whether ranks stand for the values of a measure: keys, and those that must differ out of many."""
        if fold.value is None or fold.function in ("sum", "count"):
            return False
        return is_key(fold.value.type) or (fold.function == "different" and self._bounds(fold) is None)

    def _value_range(self, fold: core.SetFold) -> tuple[int, int]:
        """Return the least and greatest value, or rank, of a measure of values that must differ."""
        found = None if self._is_ranked(fold) else self._bounds(fold)
        return found or (0, self.num_cards - 1)

    def _bounds(self, fold: core.SetFold) -> tuple[int, int] | None:
        """Return the least and greatest value of a measure; None if they are unknown or the range is too large."""
        assert fold.value is not None
        found = self.layout.bounds(fold.value.type)
        return found if found is not None and found[1] - found[0] < _MOST_VALUES else None

    def _result_width(self, fold: core.SetFold) -> int:
        if _KINDS[fold.function] != "DIFFERENT":
            return 1
        low, high = self._value_range(fold)
        return (high - low) // 32 + 1

    # ---- the set of an argument

    def may_have_no_cards(self, stage: Stage) -> bool:
        """Say whether a set can have no cards; then the function `without` and its node says whether it is good so."""
        condition = stage.args[0].on_set
        ranked = condition is not None and any(map(self._is_ranked, condition.folds))
        return stage.upper_bound is not None and not ranked

    def print_set(self, stage: Stage) -> None:
        """Print the functions that find what a set is chosen from, the next picks, and whether the set may end."""
        ((arg,), (candidates,)), node, add = (stage.args, stage.candidates), stage.node, self.text.add
        condition, algorithm = arg.on_set, sum_tables.algorithm_of(arg)
        add("")
        if self.may_have_no_cards(stage):
            with self.text.block(f"static inline int without{node}(S *s)"):
                if condition is not None:
                    self.measures.update((fold, _OF_NO_CARDS[fold.function]) for fold in condition.folds)
                add(f"return {'1' if condition is None else self.condition(condition.condition)};")
            add("")
        with self.text.block(f"static void offer{node}(S *s, offer_t *o)"):
            least, most = sum_tables.number_of_cards(arg, Totality(self.states, logged=True).is_total)
            add(f"o->low = {'0' if least is None else self.value(least)};")
            if most is not None:
                add(f"o->high = {self.value(most)};")
            add("o->cards = set_none();")
            with self.text.block("" if stage.upper_bound is None else "if (o->high > 0)"):
                add(f"o->cards = {self.cards(candidates)};")
            if most is None:
                add("o->high = set_count(o->cards);")
            if condition is not None and algorithm == "plain":
                add(f"if ({self.unless(condition.condition)}) o->high = -1;")
        add("")
        with self.text.block(f"static int alone{node}(S *s, const offer_t *o, i32 want, set_t picked, set_t *picks)"):
            if condition is None or algorithm == "plain":
                add("return plain_picks(o->cards, picked, o->low, o->high, picks);")
            elif algorithm == "sums":
                self._one_sum(condition)
            else:
                if self.may_have_no_cards(stage):
                    add("if (o->high <= 0) {")
                    add(f"    *picks = set_none(); return o->low <= 0 && without{node}(s);")
                    add("}")
                bounds, parts = ("o->cards", "o->low", "o->high"), algorithm == "hereditary"
                found = self.weighed(condition, *bounds, "picked", "want", parts=parts)
                add(f"*picks = {found}.picks;")
                add(f"return {found}.ends;")

    def _one_sum(self, condition: core.SetCondition) -> None:
        """Print the picks of a set whose one sum must be one of those that are accepted."""
        (fold,) = condition.folds
        values = self._values(fold, "set_or(o->cards, picked)")
        found = self._accepted(fold, condition.condition, self._reached(fold, "o->cards", values))
        self.text.add(f"u64 wanted[{self.sum_words(fold)}], bits[{self.sum_words(fold)}];")
        self.text.add(f"return sum_picks(sums_copy(wanted, {found}), o->cards, picked, o->low, {values}, bits, picks);")


_Word = dict[core.SetFold, tuple[int, int]]
"""Sums that share a word: of each the place of its lowest bit, and how many bits it has."""

_BITS = 62


def _words(folds: tuple[core.SetFold, ...]) -> list[_Word]:
    """Pack the sums and counts that cannot overflow into words: rows of few words are joined and compared faster."""
    words: list[_Word] = []
    for fold in folds:
        if fold.function not in ("sum", "count") or not is_small(fold.type):
            continue
        assert isinstance(fold.type, types.Int)
        grows = sum_tables.grows(fold) and fold.type.high is not None
        bits = max(1, fold.type.high.bit_length()) if grows and fold.type.high is not None else _BITS
        used = sum(bits for _, bits in words[-1].values()) if words else _BITS
        if used + bits > _BITS:
            words.append({})
            used = 0
        words[-1][fold] = (used, bits)
    return words
