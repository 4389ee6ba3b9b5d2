"""Identifiers of generated Python: the names of the spec where they are ASCII identifiers, numbers elsewhere.

Names of variables, zones, locals of statements and tables are written in upper case; no name of the runtime but those
in `RESERVED` is.  Functions have a prefix (`f_`, `phase_`, `legal_`, ..), and the names that an expression binds end in
their number (`card_12`).  So no name of a spec represents a name of Python or of the runtime.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import PurePath

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.symbols import Local, Zone
from interpreter.program.card_tables import CardTables
from interpreter.program.layout import Layout
from interpreter.program.nodes import Program

RESERVED = frozenset({
    "APPLY", "BEGIN", "FACES", "INVARIANTS", "LEGAL", "ORIGINS", "PICKED", "PLAYERS",
    "PROMPT", "ROTATIONS", "RUN", "WATCHED",
})  # fmt: skip
"""The names in upper case that the runtime gives or looks for."""

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def is_identifier(name: str) -> bool:
    """Say whether a name of a spec can be part of an identifier as it is."""
    return _IDENTIFIER.fullmatch(name) is not None


def _function_names(*kinds: Iterable[tuple[str, Define | Phase]]) -> dict[object, str]:
    """Return names with a prefix; one that is no identifier, or that something else has, is the number."""
    found: dict[object, str] = {}
    for prefix, of in chain(*kinds):
        name = f"{prefix}_{of.name}"
        found[of] = name if is_identifier(name) and name not in found.values() else f"{prefix}_{of.number}"
    return found


class Names:
    """The identifiers of one program, and the objects that its text refers to (`tables`)."""

    def __init__(self, program: Program, layout: Layout, prefix: str = "") -> None:
        self.program = program
        self.rules = program.rules
        self.layout = layout
        self.cards = CardTables(program.rules)
        self.prefix = ""
        self.tables: dict[str, object] = {}
        self.constants: dict[str, int] = {}
        """The numbers of slots and places by name, in the order of the state."""
        self.bound: dict[Local, str] = {}
        self._used = set(RESERVED)
        self._upper: dict[object, str] = {}
        self._labels: dict[int, str] = {}
        self._fresh = 0
        families: tuple[Zone | Variable, ...] = (*program.variables, *self.rules.zones)
        for family in families:
            self._constant(family, family.name, family.base)
        for local, slot in layout.local_slots.items():
            self._constant(local, local.name, slot)
        for phase, slot in layout.returns.items():
            self._constant(phase, f"return_{phase.name}", slot)
        self.prefix = prefix
        self._functions = _function_names(
            (("f", d) for d in self.rules.defines), (("phase", p) for p in self.rules.phases)
        )

    def _constant(self, of: object, name: str, number: int) -> None:
        self._upper[of] = self._unique(name)
        self.constants[self._upper[of]] = number

    def _unique(self, name: str) -> str:
        """Return a name in upper case that nothing else has."""
        first = self.prefix + (name.upper() if is_identifier(name) else "NAME")
        found, number = first, 1
        while found in self._used:
            number += 1
            found = f"{first}_{number}"
        self._used.add(found)
        return found

    # ---- what the state holds

    def family(self, family: Zone | Variable) -> str:
        """Return the name of the first place of a zone, or the first slot of a variable."""
        return self._upper[family]

    def slot(self, local: Local) -> str:
        """Return the slot of a local of a statement, as text."""
        return f"v[{self._upper[local]}]"

    def return_slot(self, phase: Phase) -> str:
        """Return the slot that says where a phase was called, as text."""
        return f"v[{self._upper[phase]}]"

    def local(self, local: Local) -> str:
        """Return the text of a local name."""
        return self.bound[local] if local in self.bound else self.slot(local)

    def fresh(self, local: Local | None = None) -> str:
        """Return a name for a value inside an expression, that of a local where it has one."""
        self._fresh += 1
        name = "x" if local is None or not is_identifier(local.name) else local.name
        return f"{self.prefix.lower()}{name}_{self._fresh}"

    @contextmanager
    def binding(self, names: Mapping[Local, str]) -> Iterator[None]:
        """Give locals a text inside the block."""
        before = self.bound
        self.bound = {**before, **names}
        try:
            yield
        finally:
            self.bound = before

    # ---- functions

    def define(self, define: Define) -> str:
        """Return the name of the function of a definition."""
        return self._functions[define]

    def phase(self, phase: Phase) -> str:
        """Return the name of the function of a phase."""
        return self._functions[phase]

    def label(self, node: int, word: str) -> str:
        """Return what the functions of a node are called after; a word represents the first node that has it."""
        if node not in self._labels:
            taken = word in self._labels.values() or not is_identifier(word)
            self._labels[node] = f"{word}_{node}" if taken and is_identifier(word) else str(node) if taken else word
        return self._labels[node]

    # ---- tables

    def table(self, key: object, value: object, name: str) -> str:
        """Return the name of an object, entering it once for each key."""
        return self.made(key, lambda: value, name)

    def made(self, key: object, make: Callable[[], object], name: str) -> str:
        """Return the name of an object, made and entered once for each key."""
        if key not in self._upper:
            self._upper[key] = self._unique(name)
            self.tables[self._upper[key]] = make()
        return self._upper[key]

    def text(self, text: str) -> str:
        """Return the name of a text of the spec, which never is in the code itself."""
        return self.table(("text", text), text, f"text_{len(self.tables)}")

    def location(self, span: Span) -> str:
        """Return the name of the words for a place in the spec, where steps are counted."""
        other = "" if span.source.name == self.rules.source_name else f" of {PurePath(span.source.name).name}"
        return self.text(f"line {span.line}{other}")

    def attribute_table(self, name: str) -> str:
        """Return the table of an attribute: its value for each card, None where it has none."""
        return self.made(("attribute", name), lambda: self.cards.attribute(name), name)

    def kind_table(self, test: core.KindTest) -> tuple[str, list[tuple[str, core.Expr]]]:
        """Return the table of cards that pass a test, and the parts of the test that play must decide."""
        passing, open_ = self.cards.passing(test)
        name = f"is_{next(iter(test.kinds))}" if len(test.kinds) == 1 else "is_kind"
        return self.table(("kind", tuple(passing)), passing, name), open_
