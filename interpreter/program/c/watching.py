"""Print the calls that record events: one for each event in Python's log, in watched code alone.

The functions that are called stand in `interpreter/native/c/watch.h`.  Words, types and names are numbers here: equal
ones have the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from interpreter.analysis import core
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.types import Card, Cards, Sequence, Tuple, Type, base_of, is_optional
from interpreter.program.c.expressions import Place
from interpreter.program.c.layout import CLayout, name_of
from interpreter.program.c.sets import SetPrinter
from interpreter.program.nodes import Decision, Program

FACES = {None: 0, "up": 1, "down": 2}
_NO_PLACE, _NOBODY = "-1", "-1"


@attrs.frozen
class Listed:
    """The name of a list of cards in the printed text, in the order in which they are reported."""

    name: str

    def __str__(self) -> str:
        return f"{self.name}.a, {self.name}.n"


class WatchPrinter(SetPrinter):
    """Prints the hooks of libraries that trace plays."""

    def __init__(self, program: Program, layout: CLayout, *, tagged: bool = False) -> None:
        super().__init__(program, layout, tagged=tagged)
        self._tracing = False
        self._numbers: dict[str, int] = {}

    def numbered_text(self, text: str) -> int:
        """Return the number of a text, from 1."""
        return self._numbers.setdefault(text, len(self._numbers) + 1)

    def _type_number(self, type_: Type) -> int:
        return self.numbered_text(f"type {base_of(type_)}")

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Print statements for traced plays alone; what they work out takes no steps and raises no fault."""
        steps, before = self.fresh(), self._tracing
        with self.only("TRACING"), self.text.block("if (s->traced)"):
            self.text.add(f"i32 {steps} = s->steps, {steps}_fault = s->fault;")
            self._tracing = True
            yield
            self._tracing = before
            self.text.add(f"s->steps = {steps}; s->fault = {steps}_fault;")

    def watch(self, function: str, *args: object) -> None:
        """Print a call for traced plays."""
        call = f"{function}({', '.join(map(str, ('s', *args)))})"
        self.text.add(f"{call};" if self._tracing else f"TRACE({call});")

    def watched_cards(self, cards: core.Expr) -> Listed:
        """Print the cards that something is done to, or the one card, as a list."""
        if isinstance(base_of(cards.type), Cards):
            return Listed(self.listed(cards))
        name = self.fresh()
        value = self.named(self.value(cards))
        self.text.add(f"cards_t {name}; {name}.n = 0; cards_push(&{name}, {value});")
        return Listed(name)

    # ---- cards on the move

    def watch_move(self, cards: str | Listed, step: core.Move, place: Place, by: str) -> None:
        """Print that cards are about to move: a list, or a set, of which the lowest goes first."""
        function = "watch_move" if isinstance(cards, Listed) else "watch_move_set"
        self.watch(function, cards, place.number, FACES[step.face], by or _NOBODY, int(step.at == "bottom"))

    # ---- variables

    def watch_begin(self, variable: Variable, phase: Phase | None, value: str) -> None:
        """Print that a phase gives its variable the first value."""
        seen = self.viewers(variable) if phase is not None else None
        if seen is None or phase is None:
            return
        stored, at = self.layout.stored(variable.type), self.fresh()
        with self.tracing(), self.text.block(f"for (int {at} = 0; {at} < {max(1, variable.places)}; {at}++)"):
            old = f"(s->begun{phase.number} ? {stored.read(f's->{name_of(variable)}[{at}]')} : NONE)"
            self._watch_change(variable, at, seen, old, value, first=True)

    def watch_assign(self, variable: Variable, at: str, old: str, value: str) -> None:
        """Print that a variable is about to get another value, if it does."""
        seen = None if variable.local else self.viewers(variable)
        if seen is not None:
            self._watch_change(variable, at, seen, old, value, first=False)

    def _watch_change(self, variable: Variable, at: str, seen: str, old: str, value: str, *, first: bool) -> None:
        if isinstance(base_of(variable.type), Card):
            old, value = self._face(old), self._face(value)
        self.watch("watch_assign", f"{variable.base} + {at}", f"{seen}[{at}]", old, value, int(first))

    def _face(self, card: str) -> str:
        """Return what represents a card that may be absent: copies are alike."""
        return f"face_or_none({card})"

    # ---- decisions and chance

    def watch_choice(self, action: core.Action, player: str, *, secret: bool) -> None:
        """Print that a player has decided; what is chosen still lies where it was."""
        self.watch("watch_choice", player, self.numbered_text(f"verb {action.verb}"), int(secret))
        for number, arg in enumerate(action.args):
            kind = base_of(arg.local.type)
            if isinstance(kind, Cards | Card):
                chosen = core.LocalRef(arg.local, arg.local.type, arg.span)
                self.watch("watch_chosen", number, self.cards(chosen))
            else:
                self.watch("watch_value", self._type_number(kind), self.read_local(arg.local))

    def watch_fell(self, random: core.Random, value: str) -> None:
        """Print what chance chose, to those who see where it goes."""
        seen = "EVERYONE"
        if random.into is not None:
            table = None if random.into.variable.local else self.viewers(random.into.variable)
            if table is None:
                return
            at = self.place_number(random.into.variable, random.into.index)
            seen = f"{table}[{at}]"
        if isinstance(base_of(random.arg.local.type), Card):
            seen, value = f"{seen} & sees_card(s, {value})", self._face(value)
        self.watch("watch_fell", self.numbered_text(f"name {random.arg.local.name}"), seen, value)

    # ---- words

    def watch_say(self, step: core.Say) -> None:
        """Print what is said."""
        with self.tracing():
            words = "".join(part if isinstance(part, str) else "\0" for part in step.parts)
            self.watch("watch_say", self.numbered_text(f"words {words}"))
            for part in step.parts:
                if not isinstance(part, str):
                    self._say(part)

    def _say(self, part: core.Expr) -> None:
        type_, number = base_of(part.type), self._type_number(part.type)
        match type_:
            case Cards() | Card():
                self.watch("watch_said_cards", number, self.watched_cards(part))
            case Sequence() | Tuple():
                name, item = self.listed(part), self.fresh()
                self.watch("watch_said", number, f"{name}.n")
                with self.text.block(f"for (i32 {item} = 0; {item} < {name}.n; {item}++)"):
                    value = f"{name}.a[{item}]"
                    self.watch("watch_said", number, self._face(value) if _holds_cards(type_) else value)
            case _:  # All others are one number.
                self.watch("watch_said", number, self.value(part))

    # ---- what is printed once

    def watch_tables(self) -> None:
        """Print the tables of `watch.h` and `belief.h`."""
        add = self.text.add
        self.stand(None)
        actions = [a for node in self.program.nodes if isinstance(node, Decision) for a in node.ways]
        most = max((len(way.action.args) for way in actions), default=0)
        add(f"#define MOST_ARGS {max(1, most)}")
        self._faces()
        with self.text.block("static int stage(int node)"):
            add("switch (node) {")
            for node in self.program.nodes:
                if isinstance(node, Decision) and node.only is not None:
                    stage = self.numbered_text(f"stage {node.only.action.verb} {node.stage}")
                    add(f"case {node.number}: return {stage};")
            add("default: return 0; }")

    def _faces(self) -> None:
        """Print what the faces have in common: attributes, and places before play."""
        add, faces = self.text.add, len(self.rules.faces)
        ways = [way for node in self.program.nodes if isinstance(node, Decision) for way in node.ways]
        small = max([sum(faces + 1 if s.is_set else 1 for s in way.stages) for way in ways], default=1)
        copies = max(face.copies for face in self.rules.faces) if self.copies else 1
        add(f"#define MOST_SMALL {max(1, min(small * copies, small + self.num_cards))}")
        first = {face: card for card, face in reversed(list(enumerate(self.rules.card_faces)))}
        names = dict.fromkeys(attribute.name for kind in self.rules.kinds.values() for attribute in kind.attributes)
        rows = [[self.tables.attribute(name)[first[face]] for face in range(faces)] for name in names] or [
            [None] * faces
        ]
        known = [sorted({value for value in row if value is not None}) for row in rows]
        numbers = [
            [-1 if value is None else of.index(value) for value in row] for row, of in zip(rows, known, strict=True)
        ]
        add(f"#define ATTRIBUTES_N {len(numbers)}")
        lines = ", ".join("{" + (", ".join(map(str, row)) or "-1") + "}" for row in numbers)
        add(f"static const i32 ATTRIBUTES[][FACES] = {{{lines}}};")
        homes: list[set[int]] = [set() for _ in range(max(1, faces))]
        for place, lying in self.rules.homes:
            for card in lying:
                homes[self.rules.card_faces[card]].add(place)
        kinds_of = {home: number for number, home in enumerate(dict.fromkeys(map(frozenset, homes)))}
        add(f"static const i32 HOME[] = {{{', '.join(str(kinds_of[frozenset(home)]) for home in homes)}}};")


def _holds_cards(type_: Sequence | Tuple) -> bool:
    """Return whether the members of a list are cards; no part of a key is one."""
    return isinstance(type_, Sequence) and isinstance(base_of(type_.item), Card) and not is_optional(type_.item)
