"""Print the choice of a set of cards, by the cheapest algorithm that its condition allows.

The algorithms are those of `interpreter.engine.sets`: no condition; conditions that every part of a good set fulfils
too, tested card by card; one sum or count, as a table of reachable sums; anything else as a table of the results that
the measures of a set can have.
"""

from __future__ import annotations

from interpreter.analysis import core, sum_tables
from interpreter.program.passes.rewriting import operands
from interpreter.program.python.expressions import ExpressionPrinter

_MIRRORED = {"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class SetPrinter(ExpressionPrinter):
    """Prints expressions, and choices of sets."""

    def set_choice(self, arg: core.Arg, cards: str) -> str:
        """Return the algorithm that knows which picks of a set can be completed; `cards` are in ascending order."""
        low = "0" if arg.low is None else self.value(arg.low)
        high = "None" if arg.high is None else self.value(arg.high)
        condition = arg.on_set
        if condition is None:
            return f"Plain({cards}, {low}, {high})"
        if not condition.folds:  # It does not depend on the set.
            return f"Plain({cards}, {low}, {high} if {self.value(condition.condition)} else -1)"
        hereditary = self.hereditary(condition)
        if hereditary is not None:
            test, fair = hereditary
            # Where not even the empty set is good, none is.
            return f"Hereditary(st, {cards}, {low}, {f'{high} if {fair} else -1' if fair else high}, {test})"
        if arg.high is None and _is_small(arg.low) and sum_tables.is_one_sum(condition):
            fold, values = condition.folds[0], self.fresh()
            name, added = self.added(fold)
            good = self.sums_that(condition.condition, f"sums({values})", fold)
            return f"(lambda {values}: Sums({cards}, {low}, {values}, {good}))([{added} for {name} in {cards}])"
        return self.measured(condition, cards, low, high)

    def some_subset(self, expr: core.SomeSubset) -> str:
        """Return whether some subset of cards fulfils a condition on measures."""
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

    def added(self, fold: core.SetFold) -> tuple[str, str]:
        """Return a name for a card and the text of what it adds to a measure; None where it is left out."""
        name = self.fresh(fold.card)
        with self.binding({fold.card: name}):
            value = "1" if fold.value is None else self.value(fold.value)
            if fold.where is not None:
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
        return f"Measures({cards}, {low}, {high}, ({', '.join(parts)},), {test})"

    def sums_that(self, condition: core.Expr, sums: str, fold: core.SetFold) -> str:
        """Return the sums, a bit for each, for which a condition on the one measure holds, among those given."""
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
            case core.Op(op=op, args=(left, right)) if op in sum_tables.COMPARISONS:
                for side, other, sense in ((left, right, op), (right, left, _MIRRORED[op])):
                    if sum_tables.is_measure(side, fold) and not sum_tables.mentions(other, fold):
                        return f"bits_that({sums}, {sense!r}, {self.value(other)})"
            case core.CallDefine() if sum_tables.opened(condition) is not condition:
                return self.sums_that(sum_tables.opened(condition), sums, fold)
            case core.SomeSubset() if sum_tables.is_sum_against_sum(condition, fold):
                # Some subset there has the same sum as this set: the two tables, one over the other.
                name, added = self.added(condition.such_that.folds[0])
                return f"({sums} & sums([{added} for {name} in {self.value(condition.cards)}]))"
            case _:  # All others are tested sum by sum, below.
                pass
        self.measures[fold] = number = self.fresh()
        return f"bits_where({sums}, lambda {number}: {self.value(condition)})"

    def hereditary(self, condition: core.SetCondition) -> tuple[str, str] | None:
        """Return a test `(picked, card) -> bool` where each part of a good set is good, else None.

        With it comes the condition under which the empty set is good (no text: always).
        """
        tests, fair = [], []
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
                        name, value = self.added(fold)
                        tests.append(f"{new} not in [{value} for {name} in {picked}]")
                case core.Op(op="<=" | "<" as op, args=(core.SetFoldRef(fold=fold), bound)) if (
                    fold in condition.folds
                    and sum_tables.grows(fold)
                    and not any(sum_tables.mentions(bound, f) for f in condition.folds)
                ):
                    name, value = self.added(fold)
                    tests.append(f"sum([{value} for {name} in (*{picked}, {card})]) {op} {self.value(bound)}")
                    fair.append(f"0 {op} {self.value(bound)}")
                case _:  # Of all others a part may fail where the whole does not.
                    return None
        return f"lambda {picked}, {card}: {' and '.join(tests)}", " and ".join(fair)


def _is_small(low: core.Expr | None) -> bool:
    """Say whether a least number of cards is none, 0 or 1."""
    return low is None or (isinstance(low, core.Const) and low.value in (0, 1))
