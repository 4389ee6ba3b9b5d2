"""Print what goes through something: selections, sums, the best of some things.

Python is quickest where its own functions do the going: `any(map(Q, hand))` with `Q` the look-up of a table of cards,
`suit in map(A, hand)`; and where nothing is gone through at all, since the few players are told one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.analysis import core
from interpreter.analysis.types import Cards, EnumType, Int, is_optional
from interpreter.program.hoisting import known_as
from interpreter.program.reckoning import ReckoningPrinter
from interpreter.program.reshaping import is_players, lie_apart, lies_apart_for_each, names_of
from interpreter.program.simple import is_end, is_slot


class SelectionPrinter(ReckoningPrinter):
    """Prints selections; other expressions are left to `Printer`."""

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


def _first(made: list[tuple[str, str]]) -> str:
    """Return what sets names in front of the loop of a comprehension."""
    return "".join(f"for {name} in [{text}] " for name, text in made)


def _best_of(function: str, values: list[str]) -> str:
    """Return the greatest or least of some values; of two that can be read again, by one question."""
    if len(values) == 2 and all(map(is_slot, values)):
        return f"({values[0]} if {values[0]} {'>' if function == 'max' else '<'} {values[1]} else {values[1]})"
    return f"{function}(({', '.join(values)},))"
