"""Name what generated code speaks of: locals, and the tables that are handed over beside the text.

Every name is made here from a letter and a number, so none comes from a spec.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.program.card_tables import CardTables
from interpreter.program.layout import Layout
from interpreter.program.local_names import LocalNames


class Names(LocalNames):
    """The names of one printed program; `tables` collects the objects that the text refers to.

    A local is `x` and its number, or a slot of the state.
    """

    def __init__(self, rules: Rules, layout: Layout, prefix: str = "") -> None:
        super().__init__()
        self.rules = rules
        self.layout = layout
        self.cards = CardTables(rules)
        self.prefix = prefix
        self.tables: dict[str, object] = {}
        self.prepared: list[str] = []
        """Lines for the end of the text: what is computed once, when the code is made."""
        self._table_names: dict[object, str] = {}
        self._prepared_names: dict[str, str] = {}

    def local(self, local: Local) -> str:
        """Return the text of a local name."""
        if local in self.bound:
            return str(self.bound[local])
        self.seen.setdefault(local, set()).add(self.unit)
        slot = self.layout.local_slots.get(local)  # Where a whole game is printed they are given behind it.
        return f"x{local.number}" if slot is None else f"v[{slot}]"

    def table(self, key: object, value: object, letter: str) -> str:
        """Return the name of an object, entering it once for each key."""
        return self.made(key, lambda: value, letter)

    def made(self, key: object, make: Callable[[], object], letter: str) -> str:
        """Return the name of an object, made and entered once for each key."""
        if key not in self._table_names:
            name = f"{self.prefix}{letter}{len(self._table_names)}"
            self._table_names[key] = name
            self.tables[name] = make()
        return self._table_names[key]

    def location_name(self, span: Span) -> str:
        """Return the name of the words for a place in the spec, where steps are counted."""
        other = "" if span.source.name == self.rules.source_name else f" of {PurePath(span.source.name).name}"
        words = f"line {span.line}{other}"
        return self.table(("text", words), words, "S")

    def prepared_as(self, text: str, letter: str) -> str:
        """Return the name of a value that is worked out when the code is made, entering it once for each text."""
        if text not in self._prepared_names:
            name = f"{self.prefix}{letter}{len(self._prepared_names)}"
            self._prepared_names[text] = name
            self.prepared.append(f"{name} = {text}")
        return self._prepared_names[text]

    def attribute_table(self, name: str) -> str:
        """Return the table of an attribute: its value for each card, None where it has none."""
        return self.made(("attribute", name), lambda: self.cards.attribute(name), "A")

    def kind_table(self, test: core.KindTest) -> tuple[str, list[tuple[str, core.Expr]]]:
        """Return the table of cards that pass a test, and the parts of the test that play must decide."""
        passing, open_ = self.cards.passing(test)
        return self.table(("kind", tuple(passing)), passing, "K"), open_
