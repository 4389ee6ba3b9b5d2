"""Print what moves, hides, shows or tells.

Where nothing more is known of a card than where it lies, and in code that only plays, a move is a few plain lines;
otherwise it is a call of `interpreter.runtime.support`.
"""

from __future__ import annotations

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, Cards, is_optional
from interpreter.program.expressions import Printer
from interpreter.program.layout import Layout
from interpreter.program.lines import Lines
from interpreter.program.marks import Marks
from interpreter.program.nodes import Program, Step


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
        # Of two places of one family one may be the other, where to take and to lay must not overlap.
        overlap = step.origin.zone is step.target.zone
        if self.logged or step.face or step.exactly or marked or overlap or not count.isdigit():
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
