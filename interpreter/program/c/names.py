"""The base of the printers of C: lines of text, names of locals, tables of cards, numbers of faults.

Every name is a letter and a number, followed by the name in the spec if that is plain ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.budget import PRINT, spend
from interpreter.analysis.core import Variable
from interpreter.analysis.symbols import Local, Zone, indices_of, viewers_at
from interpreter.program.c.layout import CLayout, name_of
from interpreter.program.card_tables import CardFunctions, CardTables, definitions_of_cards
from interpreter.program.facts import Totality
from interpreter.program.layout import Layout
from interpreter.program.nodes import Program

SITE = "// site "
"""The comment before the lines of a statement or definition, in front of its number."""


class Text(msgspec.Struct):
    """Lines of C."""

    lines: list[str] = msgspec.field(default_factory=list)
    depth: int = 0

    def add(self, line: str) -> None:
        """Add a line at the depth we are at."""
        spend(PRINT)
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def block(self, head: str, end: str = "}") -> Iterator[None]:
        """Add lines in braces after a head."""
        self.add(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.add(end)

    @contextmanager
    def aside(self) -> Iterator[list[str]]:
        """Give the list that takes the lines that are added inside."""
        before, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = before

    def put(self, lines: list[str]) -> None:
        """Add lines that were printed aside."""
        self.lines.extend(lines)


Fault = tuple[str, str, int | None]
"""The code, the message and the site of a fault; no site where any statement may be at fault."""

SIMPLE = re.compile(r"-?\w+")
"""The text of a name or a number."""


class NamePrinter:
    """The state that all printers of one program share: names, constant tables, faults, and the `text` they print into.

    `faults` has the code, message and site (`interpreter.program.nodes`) of each fault; the printed code has its
    number.  `constants` are tables at the head of the text.  With `tagged` each use of a definition with rule tags is
    counted.
    """

    def __init__(self, program: Program, layout: CLayout, *, tagged: bool = False) -> None:
        self.bound: dict[Local, str | int] = {}
        self._fresh = 0
        self.program = program
        self.rules = program.rules
        self.layout = layout
        self.states = Layout.of(program)
        self.totality = Totality(self.states, logged=tagged)
        self.functions = CardFunctions(frozenset(definitions_of_cards(program.rules, logged=tagged)))
        self.tables = CardTables(program.rules)
        self.text = Text()
        self.tag_numbers = {tag: number for number, tag in enumerate(program.rules.tag_names)}
        self.site: int | None = None
        """The site of the statement or definition that is printed."""
        self.faults: list[Fault] = []
        self.constants: list[str] = []
        self.measures: dict[core.SetFold, str] = {}
        self.ranks: dict[core.SetFold, str] = {}
        self._constants: dict[str, str] = {}
        self._faults: dict[Fault, int] = {}
        self.num_cards = len(program.rules.card_faces)
        self.players = program.rules.num_players
        self.hiding = self.states.hiding_zones
        """The zones that can hold cards which are not known until they are needed, where chance is explicit."""
        self.unread: set[core.Expr] = set()
        """Places that are spoken of now, but whose cards nobody looks at."""
        self.copies = any(face.copies > 1 for face in program.rules.faces)
        self.stop = "return;"
        """The statement by which a function ends early, where a rule cannot be carried out."""
        self.abandon = ""
        """The statement that ends the function after too many steps in an expression; empty where there is none."""

    @contextmanager
    def only(self, define: str) -> Iterator[None]:
        """Print what is for libraries alone that are built with a define."""
        self.text.add(f"#if defined({define})")
        yield
        self.text.add("#endif")

    # ---- names

    def fresh(self) -> str:
        """Return a name that nothing else has."""
        self._fresh += 1
        return f"t{self._fresh}"

    @contextmanager
    def binding(self, names: Mapping[Local, str | int]) -> Iterator[None]:
        """Let locals be other names, or numbers, for the time being."""
        before = dict(self.bound)
        self.bound.update(names)
        try:
            yield
        finally:
            self.bound = before

    def named(self, value: str, type_: str = "i64") -> str:
        """Give a value a name, unless it is one."""
        if SIMPLE.fullmatch(value):
            return value
        name = self.fresh()
        self.text.add(f"{type_} {name} = {value};")
        return name

    def field(self, number: int) -> str:
        """Return where the cards of a family of zones are, given its number."""
        return f"s->{self.layout.zone(number)}"

    def local(self, local: Local) -> str:
        """Return where the value of a local name is, for reading and writing of groups."""
        if local in self.bound:
            return str(self.bound[local])
        name = name_of(local)
        return f"s->{name}" if local in self.layout.slots else name

    def read_local(self, local: Local) -> str:
        """Return the number that a local name represents."""
        place = self.local(local)
        in_slot = local in self.layout.slots and local not in self.bound
        return self.layout.stored(local.type).read(place) if in_slot else place

    def set_local(self, local: Local, value: str) -> None:
        """Print that a local name represents a value."""
        if local in self.layout.slots and local not in self.bound:
            self.store_local(local, value)
        else:
            self.text.add(f"{self.layout.kind(local)} {self.local(local)} = {value};")

    def store_local(self, local: Local, value: str) -> None:
        """Print that a local name represents a value in the state."""
        match self.layout.kind(local):
            case "cards_t" | "list_t" as kind:
                self.text.add(f"{kind[:-2]}_copy(&s->{name_of(local)}, &{value});")
            case "i64":
                self.text.add(f"s->{name_of(local)} = {self.layout.stored(local.type).written(value)};")
            case _:  # Sets are single values.
                self.text.add(f"s->{name_of(local)} = {value};")

    def reach(self, tags: tuple[str, ...]) -> None:
        """Print that rules were reached, where they are counted; in the order of the tags that `Rules` has."""
        words: dict[int, int] = {}
        for tag in tags:
            place, bit = divmod(self.tag_numbers[tag], 64)
            words[place] = words.get(place, 0) | 1 << bit
        for place, bits in words.items():
            self.text.add(f"REACH({place}, {bits:#x}u);")

    @contextmanager
    def not_reading(self, places: Iterable[core.Expr]) -> Iterator[None]:
        """Speak of places for the time being without a look at their cards."""
        before = self.unread
        self.unread = {*before, *places}
        try:
            yield
        finally:
            self.unread = before

    def constant(self, declaration: str, values: str) -> str:
        """Return the name of a constant table, entering it once: `declaration` has `@` for the name."""
        key = f"{declaration}={values}"
        if key not in self._constants:
            name = f"K{len(self._constants)}"
            self._constants[key] = name
            self.constants.append(f"static const {declaration.replace('@', name)} = {values};")
        return self._constants[key]

    def stand(self, span: Span | None) -> None:
        """Print from here on for a place in the spec, or for none."""
        before, self.site = self.site, None if span is None else self.program.sites.number(span)
        if self.site not in (None, before):
            self.text.add(f"{SITE}{self.site}")

    def fault(self, code: str, message: str) -> int:
        """Return the number of a fault at the current site."""
        fault = (code, message, self.site)
        if fault not in self._faults:
            self.faults.append(fault)
            self._faults[fault] = len(self.faults)
        return self._faults[fault]

    def fail(self, code: str, message: str) -> str:
        """Return the statement by which a fault is noted; the first one stays."""
        return f"FAIL({self.fault(code, message)});"

    # ---- constants of cards

    def set_constant(self, cards: list[int]) -> str:
        """Return a set of cards that is known now."""
        if not cards:
            return "set_none()"
        if len(cards) == self.num_cards:
            return "ALL"
        return self.constant("set_t @", self.set_words(cards))

    def set_words(self, cards: list[int]) -> str:
        """Return a set of cards as the initial value of a constant."""
        bits = sum(1 << card for card in cards)
        words = [f"{bits >> 64 * i & 2**64 - 1:#x}u" for i in range(max(1, (self.num_cards + 63) // 64))]
        return words[0] if self.num_cards <= 64 else f"SETW({', '.join(words)})"

    def sets_constant(self, sets: list[list[int]]) -> str:
        """Return the name of a table of sets."""
        return self.constant(f"set_t @[{len(sets)}]", "{" + ", ".join(map(self.set_words, sets)) + "}")

    def numbers_constant(self, values: Sequence[int | bool | None]) -> str:
        """Return the name of a table of numbers."""
        known = [int(value) for value in values if value is not None]
        if len(known) < len(values) or not values:
            texts = ["NONE" if value is None else number(int(value)) for value in values] or ["NONE"]
            return self.constant(f"i64 @[{len(texts)}]", "{" + ", ".join(texts) + "}")
        low, high = min(known), max(known)
        bits = next((b for b in (8, 16, 32) if -(2 ** (b - 1)) <= low and high < 2 ** (b - 1)), 64)
        return self.constant(f"int{bits}_t @[{len(known)}]", "{" + ", ".join(map(number, known)) + "}")

    def seeing(self, family: Zone | Variable) -> list[int]:
        """Return who sees each place or value, as bits of players."""
        return [viewers_at(family, index, self.players) for index in indices_of(family)]

    def viewers(self, family: Zone | Variable) -> str | None:
        """Return the table of who sees each place or value, bits of players; None where nobody does."""
        viewers = self.seeing(family)
        if not any(viewers):
            return None
        return self.constant(f"u64 @[{len(viewers)}]", "{" + ", ".join(f"{bits:#x}u" for bits in viewers) + "}")

    def at(self, table: str, key: str, *, optional: bool) -> str:
        """Return a look-up, of what may be absent if `optional`."""
        if not optional:
            return f"(i64){table}[{key}]"
        key = self.named(key)
        return f"({key} == NONE ? NONE : (i64){table}[{key}])"


def number(value: int) -> str:
    """Return a number of C."""
    return str(value) if abs(value) < 2**31 else f"INT64_C({value})"
