"""Print what moves, hides, shows or tells: the statements that are one call of `interpreter.runtime.support`.

`Lines` remembers which line of the spec each line of Python came from, so that a fault while playing can be
told with the rule's line.
"""

from __future__ import annotations

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import Bool, Card, Cards, EnumType, Int, Player, Type, base_of, is_optional
from interpreter.program.expressions import Printer
from interpreter.program.layout import Layout
from interpreter.program.nodes import Program, Step


@attrs.define
class Lines:
    """The text of a module, line by line, with the place in the spec of each."""

    text: list[str] = attrs.field(factory=list)
    spans: list[Span | None] = attrs.field(factory=list)
    depth: int = 0

    def add(self, line: str, span: Span | None = None) -> None:
        """Add a line at the depth we are at."""
        self.text.append("    " * self.depth + line)
        self.spans.append(span)

    def def_(self, name: str, params: str) -> None:
        """Begin a function."""
        self.depth = 0
        self.add(f"def {name}({params}):")
        self.depth = 1


def turned_zones(program: Program) -> frozenset[Zone]:
    """Return the zones in which a card may have been turned, or laid with its other face."""
    found: set[Zone] = set()
    for stmt in program.statements():
        if isinstance(stmt, core.Move | core.Deal) and stmt.face is not None:
            found.add(stmt.target.zone)
        if isinstance(stmt, core.Turn):
            parts = list(core.walk_with_definitions(stmt.cards))
            bound = {p for part in parts if isinstance(part, core.CallDefine) for p in part.define.params}
            bound |= {binder.local for part in parts if (binder := getattr(part, "binder", None)) is not None}
            if any(isinstance(p, core.LocalRef) and p.local not in bound and _may_be_cards(p.type) for p in parts):
                return frozenset(program.rules.zones)  # Cards with a name may lie anywhere.
            found.update(part.zone for part in parts if isinstance(part, core.ZoneRef))
    return frozenset(found)


def _may_be_cards(type_: Type) -> bool:
    """Whether what has a type can be a card, or cards."""
    return not isinstance(base_of(type_), Player | Int | Bool | EnumType)


@attrs.frozen
class Marks:
    """The zones in which more can be known of a card than where it lies: its other face, or who played it."""

    turned: frozenset[Zone]
    played: frozenset[Zone]

    @classmethod
    def of(cls, program: Program) -> Marks:
        """Find the zones of a program."""
        moves = [s for s in program.statements() if isinstance(s, core.Move)]
        return cls(turned_zones(program), frozenset(m.target.zone for m in moves if m.played_by is not None))

    def only_in(self, zone: Zone) -> bool:
        """Say whether all cards of which it is known who played them lie in one zone, which is one place."""
        return self.played == {zone} and not zone.sizes


def chosen_cards(action: core.Action, turned: frozenset[Zone]) -> dict[Local, core.ZoneRef]:
    """Return the cards that an action chooses from a zone where nothing is known of a card but itself.

    Rows are left out, since they know who played a card, and zones where cards are turned.
    """
    return {
        arg.local: arg.domain
        for arg in action.args
        if arg.form != "value"
        and isinstance(arg.domain, core.ZoneRef)
        and arg.domain.zone.kind != "row"
        and arg.domain.zone not in turned
    }


class EffectPrinter:
    """Prints effects into `lines`."""

    def __init__(self, program: Program, layout: Layout, printer: Printer, *, logged: bool) -> None:
        self.program = program
        self.layout = layout
        self.printer = printer
        self.logged = logged
        self.lines = Lines()
        self.marks = Marks.of(program)
        self.chosen: dict[Local, core.ZoneRef] = {}
        """Cards that were chosen or selected just now, and where they lie; none in logged code."""

    def effect(self, step: Step) -> None:
        """Print a statement that moves, hides, shows or tells."""
        match step:
            case core.Move():
                self.move(step)
            case core.Deal():
                self.deal(step)
            case core.Shuffle():
                cards = "None" if step.cards is None else self._cards(step.cards)
                self.lines.add(f"shuffle(st, z, {self.printer.place(step.zone)}, {cards})", step.span)
            case core.Swap():
                places = f"{self.printer.place(step.first)}, {self.printer.place(step.second)}"
                self.lines.add(f"swap(st, z, {places})", step.span)
            case core.Turn():
                self.turn(step)
            case core.Show():
                to = "None" if step.to is None else self.printer.print(step.to)
                self.lines.add(f"show(st, {self._cards(step.cards)}, {to})", step.span)
            case core.Say():
                if self.logged:
                    self.lines.add(f"st.say(({self.words(step.parts)}))", step.span)
            case _:
                raise AssertionError(step)

    def told(self, action: core.Action) -> str:
        """Return the verb and the arguments of an action, as the log takes them."""
        args = []
        for arg in action.args:
            self.printer.seen.setdefault(arg.local, set()).add("log")
            kind = self.printer.table(("type", arg.local.type), arg.local.type, "Y")
            args.append(f"({kind}, {self.printer.local(arg.local)}), ")
        verb = self.printer.table(("text", action.verb), action.verb, "S")
        return f"{verb}, ({''.join(args)})"

    def words(self, parts: tuple[str | core.Expr, ...]) -> str:
        """Return a tuple's inside: texts as tables, values with the type that tells how to say them."""
        out = []
        for part in parts:
            if isinstance(part, str):
                out.append(self.printer.table(("text", part), part, "S"))
            else:
                kind = self.printer.table(("type", part.type), part.type, "Y")
                out.append(f"({kind}, {self.printer.print(part)})")
        return "".join(f"{o}, " for o in out)

    def _cards(self, expr: core.Expr) -> str:
        """Return a list of cards, from cards or one card that may be absent."""
        inner = expr.type
        if isinstance(expr, core.ZoneRef):
            return f"list({self.printer.zone(expr, raw=True)})"
        text = self.printer.print(expr)
        if is_optional(inner):
            return f"as_list({text})"
        return f"[{text}]" if isinstance(inner, Card) else f"list({text})"

    def move(self, step: core.Move) -> None:
        """Print a move; the cheap ways are for zones as a whole and for chosen cards."""
        origin = self.chosen.get(step.cards.local) if isinstance(step.cards, core.LocalRef) else None
        if origin is not None and step.face is None:
            if isinstance(step.cards.type, Cards):
                self.move_group(step, self.printer.print(step.cards), origin)
            else:
                self.move_chosen(step, origin)
            return
        origin = self.selected_from(step.cards)
        if origin is not None and step.face is None:
            name = self.printer.fresh()
            self.lines.add(f"{name} = {self.printer.whole(step.cards)}", step.span)
            self.move_group(step, name, origin)
            return
        target = self.printer.place(step.target)
        bottom = step.at == "bottom"
        if step.face is not None or step.played_by is not None or self.logged:
            by = "None" if step.played_by is None else self.printer.print(step.played_by)
            face = repr(step.face) if step.face else "None"
            cards = self._cards(step.cards)
            hint = self.hint(step.cards)
            self.lines.add(f"move_any(st, z, {cards}, {target}, {bottom}, {face}, {by}, {hint})", step.span)
            return
        if isinstance(step.cards, core.ZoneRef):
            self.move_zone(step, step.cards)
            return
        places = self.printer.reshaping.whole_zones(step.cards) or []
        apart = all(p.zone is not step.target.zone and not self.layout.may_be_unknown(p.zone) for p in places)
        if places and apart:
            for place in places:
                self.move_zone(step, place)
            return
        hint = self.hint(step.cards)
        self.lines.add(f"move(st, z, {self._cards(step.cards)}, {target}, {bottom}, {hint})", step.span)

    def move_zone(self, step: core.Move, origin: core.ZoneRef) -> None:
        """Print the move of all cards of a zone."""
        place, target = self.printer.place(origin), self.printer.place(step.target)
        played = origin.zone in self.marks.played
        if origin.zone in self.marks.turned or (played and not self.marks.only_in(origin.zone)):
            self.lines.add(f"move_all(st, z, {place}, {target}, {step.at == 'bottom'})", step.span)
            return
        if self.layout.may_be_unknown(origin.zone) and step.target.zone.seen_by != "nobody":
            self.lines.add(f"if st.und: known(st, z[{place}])", step.span)
        name = self.printer.fresh()
        self.lines.add(f"{name} = z[{place}]", step.span)
        self.lines.add(f"z[{place}] = []")
        self.put(name, step.target, on_top=step.at != "bottom", span=step.span)
        if played:
            self.lines.add("st.by.clear()")

    def turn(self, step: core.Turn) -> None:
        """Print how cards are turned where they lie; those that come face up must be known."""
        if self.logged:
            self.lines.add(f"turn(st, {self._cards(step.cards)}, {step.face == 'up'})", step.span)
            return
        if isinstance(step.cards, core.ZoneRef):
            text = self.printer.zone(step.cards, raw=True)
        else:
            text = self._cards(step.cards)
        cards, name = self.printer.fresh(), self.printer.fresh()
        self.lines.add(f"{cards} = {text}", step.span)
        if step.face == "up" and self.layout.anything_unknown:
            self.lines.add(f"if st.und: known(st, {cards})", step.span)
        self.lines.add(f"for {name} in {cards}: st.turned[{name}] = {1 if step.face == 'up' else 2}")

    def deal(self, step: core.Deal) -> None:
        """Print the deal of some cards: a few plain lines where their number is fixed and nothing is known of them."""
        count, face = self.printer.print(step.count), repr(step.face) if step.face else "None"
        origin, target = self.printer.place(step.origin), self.printer.place(step.target)
        whole = f"deal(st, z, {count}, {origin}, {target}, {step.exactly}, {step.at == 'bottom'}, {face})"
        marked = step.origin.zone in self.marks.turned or step.origin.zone in self.marks.played
        if self.logged or step.face or step.exactly or marked or not count.isdigit():
            self.lines.add(whole, step.span)
            return
        depth = self.lines.depth
        if self.layout.anything_unknown:
            self.lines.add(f"if st.und: {whole}", step.span)
            self.lines.add("else:")
            self.lines.depth += 1
        if count == "1":
            self.lines.add(f"if z[{origin}]:", step.span)
            self.lines.depth += 1
            self.put_one(f"z[{origin}].pop(0)", step.target, on_top=step.at != "bottom", span=step.span)
        else:
            self.put(f"z[{origin}][:{count}]", step.target, on_top=step.at != "bottom", span=step.span)
            self.lines.add(f"del z[{origin}][:{count}]")
        self.lines.depth = depth

    def put(self, cards: str, target: core.ZoneRef, *, on_top: bool, span: Span) -> None:
        """Print how cards come to a zone, those that come first lowest."""
        zone, place = target.zone, self.printer.place(target)
        if zone.kind == "pile" and on_top:
            self.lines.add(f"z[{place}][:0] = {cards}[::-1]", span)
        else:
            self.lines.add(f"z[{place}] += {cards}", span)
        self._room(target, span)

    def put_one(self, card: str, target: core.ZoneRef, *, on_top: bool, span: Span) -> None:
        """Print how one card comes to a zone."""
        place = self.printer.place(target)
        top = target.zone.kind == "pile" and on_top
        self.lines.add(f"z[{place}].insert(0, {card})" if top else f"z[{place}].append({card})", span)
        self._room(target, span)

    def _room(self, target: core.ZoneRef, span: Span) -> None:
        """Print the check that a zone does not hold more than it can."""
        if target.zone.capacity < len(self.program.rules.card_faces):
            place = self.printer.place(target)
            self.lines.add(f"if len(z[{place}]) > {target.zone.capacity}: full({place})", span)

    def move_chosen(self, step: core.Move, origin: core.ZoneRef) -> None:
        """Print the move of a card that was chosen just now, so that it surely lies there, open to who chose it."""
        card = self.printer.print(step.cards)
        self.lines.add(f"{self.printer.zone(origin, raw=True)}.remove({card})", step.span)
        self.put_one(card, step.target, on_top=step.at != "bottom", span=step.span)
        if step.played_by is not None:
            self.lines.add(f"st.by[{card}] = {self.printer.print(step.played_by)}", step.span)

    def selected_from(self, cards: core.Expr) -> core.ZoneRef | None:
        """Return the zone that cards are selected from, if that is one where nothing more is known of them."""
        if self.logged or not isinstance(cards, core.Select) or cards.which != "all":
            return None
        domain = self.printer.joined(cards.binder).domain
        if not isinstance(domain, core.ZoneRef) or domain.zone in self.marks.turned | self.marks.played:
            return None
        return domain

    def move_group(self, step: core.Move, cards: str, origin: core.ZoneRef) -> None:
        """Print the move of cards that were chosen or selected just now, so that they surely lie there, all known."""
        card = self.printer.fresh()
        self.lines.add(f"for {card} in {cards}: {self.printer.zone(origin, raw=True)}.remove({card})", step.span)
        self.put(cards, step.target, on_top=step.at != "bottom", span=step.span)
        if step.played_by is not None:
            self.lines.add(f"for {card} in {cards}: st.by[{card}] = {self.printer.print(step.played_by)}", step.span)

    def hint(self, expr: core.Expr) -> str:
        """Return where the cards most likely lie: the zone they were chosen or selected from."""
        origin: core.Expr | None = expr
        while True:
            match origin:
                case core.LocalRef():
                    origin = self.layout.origins.get(origin.local)
                case core.Select() | core.Extreme():
                    origin = origin.binder.domain
                case core.EndOf():
                    origin = origin.zone
                case core.ZoneRef() if _stands_alone(origin):
                    return self.printer.place(origin)
                case _:
                    return "0"


def _stands_alone(origin: core.ZoneRef) -> bool:
    """Whether the place can be reckoned anywhere: its indices are variables, constants and functions of them."""
    return all(
        isinstance(part, core.Const | core.VarRef | core.Builtin | core.CallDefine | core.LocalRef | core.Op)
        for index in origin.index
        for part in core.walk(index)
    )
