"""Reckon things once: parts of expressions that get a name, and tables of what depends on one card alone."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Define, Local
from interpreter.analysis.types import Card
from interpreter.program.hoisting import LOOPS, Hoisting, known_as
from interpreter.program.layout import Layout
from interpreter.program.names import Names
from interpreter.program.reshaping import Reshaping, names_of
from interpreter.program.static import StaticParts, static_definitions


class ReckoningPrinter(Names):
    """Knows what has been reckoned, and makes tables of what depends on one card; `Printer` prints expressions."""

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

    @abstractmethod
    def print(self, expr: core.Expr) -> str:
        """Return the text of an expression."""

    @abstractmethod
    def test(self, expr: core.Expr) -> str:
        """Return a text that is true where a condition holds, though it need not be a truth value."""

    @abstractmethod
    def untrue(self, expr: core.Expr) -> str:
        """Return a text that is true where a condition does not hold, though it need not be a truth value."""

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
