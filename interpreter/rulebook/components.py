"""The first chapters: what the players need, what the cards show, where cards lie, and who may look at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from operator import attrgetter

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.english import counted
from grammar.expressions import operands, walk
from interpreter.analysis.symbols import Zone
from interpreter.analysis.types import EnumType, Int
from interpreter.english.phrases import Phrase, whose
from interpreter.english.words import article, capital, is_plural, listing, mark, plural, title, words
from interpreter.rulebook.lexicon import POSITION, TEAM, Lexicon, Scope
from interpreter.rulebook.page import NOTED, Block, Entry, Heading, Lines, Paragraph, Row, Table, chapter_mark, verbatim
from interpreter.rulebook.patterns import attribute_words, kind_noun
from interpreter.rulebook.settle import Settled
from interpreter.rulebook.statements import Statements
from interpreter.rulebook.trees import EACH, Reads, base_name, leads, mentions, own_tags

_VIEWERS = {"all": "all players", "nobody": "nobody", "owner": "only the owner", "all but owner": "all but the owner",
            "team": "only the players of the team"}  # fmt: skip
_FACES = {"all": "face up", "nobody": "face down", "owner": "face down", "all but owner": "facing the others",
          "team": "face down"}  # fmt: skip
_LIE = {"pile": "in a pile", "row": "in a row, oldest card first", "cards": "together", "slot": "1 card at most"}
MOST_KINDS = 3
"""As many places of one sort are named one by one: "left hand and right hand"."""
COLUMNS = 4
"""Columns of a table of names."""


class Components:
    """Writes what is declared."""

    def __init__(self, speech: Statements, settled: Settled, whole: ast.Spec) -> None:
        self.speech = speech
        self.whole = whole
        self.lexicon: Lexicon = speech.lexicon
        self.settled = settled
        self.scope = Scope()

    def blocks(self) -> list[Block]:
        """Return the chapter."""
        head = ("Item", "Number", "Details")
        notes = tuple(_one_row_each(self._notes()))
        items = Table(head, (*self._cards(), *self._dice(), *notes))
        blocks: list[Block] = [Heading("Components"), items]
        stay = "Markers, notes and numbers stay as they are until a rule changes them."
        if any(variable.seen_by != "all" for variable in self.lexicon.variables.values()):
            stay += " All players may see them, except where the table says otherwise."
        lasting = [Entry(stay)] if notes else []
        if any(isinstance(node, st.Choice) and node.secretly for node in self.lexicon.nodes):
            lasting.append(Entry("All choices are open, except those that a rule calls secret."))
        facts = [
            *self._deck_facts(), *self._seats(), *self._open_numbers(), *lasting, *self._on_cards(), *self._passing()
        ]  # fmt: skip
        plain = [e for e in self.lexicon.enums.values() if not e.params and e.name != TEAM]
        blocks.append(Lines((*facts, *(self._values(e) for e in plain))))
        for enum in self.lexicon.enums.values():
            if enum.params:
                blocks += self._table_of_values(enum)
        for kind in self.lexicon.kinds.values():
            blocks += self._names(kind)
        return [*blocks, *self.places()]

    def usual_values(self) -> dict[str, str]:
        """Return the values, in words, of options that depend on something that is not decided yet."""
        open_ = (d for n, d in self.lexicon.options.items() if n not in self.settled.options)
        return {decl.name: self.speech.text(decl.default, self.scope) for decl in open_}

    def _open_numbers(self) -> Iterator[Entry]:
        """Give the numbers that the rules name by an option, because they depend on the number of players."""
        for name, usual in self.usual_values().items():
            if self.lexicon.uses[name]:
                yield Entry(f"The {self.speech.number_noun(name)} is {usual}.", (), (), (name,))

    # ---- cards

    def _cards(self) -> Iterator[Row]:
        open_ = self._is_open()
        for kind in self.lexicon.kinds.values():
            faces = [f for f in self.lexicon.rules.faces if f.kind == kind.name]
            if not faces:
                continue
            owned = faces[0].owner is not None
            own = [f for f in faces if f.owner in (None, faces[0].owner)]
            number = str(sum(f.copies for f in own)) + (" for each player" if owned else "")
            yield Row(
                (
                    capital(plural(kind_noun(self.lexicon, kind.name))),
                    "see below" if open_ else number,
                    " ".join(t for t in (self._shows(kind, own[0].text), self.speech.about("card", kind.name)) if t),
                ),
                own_tags(kind),
                (kind.name, *(p.name for p in kind.params)),
            )

    def _shows(self, kind: ast.CardDecl, example: str) -> str:
        if not kind.params:
            called = (
                f"Called {verbatim(kind.named[0])}. " if kind.named and words(kind.named[0]) != words(kind.name) else ""
            )
            return f"{called}Written `{verbatim(example)}`."
        shown = listing([self._shown(p) for p in kind.params])
        return f"Each shows {shown}, and is written like `{verbatim(example)}`."

    def _shown(self, param: ex.Param) -> str:
        """Return what is printed on a card, with its values: "a rank (1 to 8)"."""
        name = words(param.name) if is_plural(param.name) else article(words(param.name))
        if isinstance(param.type, ex.NamedType) and param.type.name in self.lexicon.enums:
            same = words(param.type.name) == words(param.name)
            return name if same else f"{name} ({article(words(param.type.name))})"
        return f"{name} ({self.type_words(param.type)})"

    def _deck_facts(self) -> Iterator[Entry]:
        """Give how many copies there are of each card, and whose they are."""
        for item in self.lexicon.spec.items:
            if not isinstance(item, ast.DeckDecl):
                continue
            zone = self.lexicon.zones[item.zone]
            noun = self.speech.zone_noun(zone)[0]
            lines = [self._deck_line(line) for line in item.lines]
            if item.index is None:
                lead = f"Before play these cards lie in the {noun}"
            else:
                lead = f"Each player has their own deck, which lies in that player's {noun} before play"
            total = self._total(item)
            if len(lines) == 1:
                yield Entry(f"{lead}: {lines[0].text}{total}.", (*item.tags, *lines[0].tags))
            else:
                below = tuple(Entry(f"{capital(line.text)}.", line.tags) for line in lines)
                yield Entry(f"{lead}{total}:", item.tags, below)

    def _total(self, deck: ast.DeckDecl) -> str:
        """Return how many cards there are, where that depends on nothing that is open yet."""
        decks = [item for item in self.lexicon.spec.items if isinstance(item, ast.DeckDecl)]
        if len(decks) > 1 or self._is_open():
            return ""
        total = len(self.lexicon.rules.card_faces)
        each = total // self.lexicon.rules.num_players if deck.index is not None else total
        return f" ({each} cards)"

    def _is_open(self) -> bool:
        """Whether the number of cards depends on an option or a number of players that is not decided."""
        decks = [item for item in self.lexicon.spec.items if isinstance(item, ast.DeckDecl | ast.CardDecl)]
        low, high = self.lexicon.rules.player_range
        open_ = {name for name in self.lexicon.options if name not in self.settled.options}
        if self.settled.players is None and low != high:
            open_.add("players")
        return any(isinstance(n, ex.Name) and n.name in open_ for n in walk(tuple(decks)))

    def _deck_line(self, line: ast.DeckLine) -> Entry:
        assert isinstance(line.cards, ex.KindPattern)
        kind = line.cards.name
        only = line.each and self.lexicon.one_kind and isinstance(line.count, ex.Number)
        args = [
            attribute_words(p.name, a, lambda e: self.speech.text(e, self.scope))
            for p, a in zip(self.lexicon.kinds[kind].params, line.cards.args or (), strict=False)
            if a is not None and not (only and _is_range(a))
        ]
        noun = kind_noun(self.lexicon, kind)
        of = f" with {listing(args)}" if args else ""
        where = ""
        parts = () if line.where is None else operands(line.where, "and")
        lines = [node for node in self.lexicon.nodes if isinstance(node, ast.DeckLine)]
        only &= not parts or (len(lines) == 1 and all(leads(p, EACH) for p in parts) and self._makes_all(kind))
        if only and (number := self._of_each(line)) is not None:
            return Entry(f"{number}{of}", own_tags(line))
        if line.where is not None:
            relative = leads(line.where, EACH)
            each = whose(human=False) if relative else Phrase("card", "that")
            clause = self.speech.clause(line.where, Scope().named(EACH, each))
            where = f" {clause}" if relative else f", if {clause}" if line.each else f" if {clause}"
        if isinstance(line.count, ex.Number):
            count = line.count.value
            copies = f"{_copies(count)} of each {noun}" if line.each else counted(count, noun, plural(noun))
            return Entry(copies + of + where, own_tags(line))
        match line.count:
            case ex.Chain(
                alternatives=(ex.Alternative(ex.Number(one), condition), ex.Alternative(ex.Number(other)))
            ) if condition is not None and not where and leads(condition, EACH):
                such = self.speech.clause(condition, Scope().named(EACH, whose(human=False)))
                few, many = map(_copies, (one, other))
                return Entry(f"{few} of each {noun}{of} {such}, and {many} of each other {noun}", own_tags(line))
        number = self.speech.text(line.count, Scope().named(EACH, Phrase("card", "that")))
        which = f"{noun}{of}{where}"
        by_case = f"copies of each {which}: {number}"
        text = by_case if isinstance(line.count, ex.Chain) else f"as many of each {which} as {number}"
        return Entry(text, own_tags(line))

    def _makes_all(self, kind: str) -> bool:
        """Whether the decks have a card for all values that this chapter lists, so that no condition need say which."""
        params = self.lexicon.kinds[kind].params
        faces = {face.values for face in self.lexicon.rules.faces if face.kind == kind}
        enums = [self.lexicon.enums.get(p.type.name) if isinstance(p.type, ex.NamedType) else None for p in params]
        return bool(faces) and len(faces) == prod(0 if enum is None else len(self._met(enum)) for enum in enums)

    def _of_each(self, line: ast.DeckLine) -> str | None:
        """Return how many cards there are of each value: "1 card of each suit and rank"; None where that depends."""
        assert isinstance(line.cards, ex.KindPattern)
        params = self.lexicon.kinds[line.cards.name].params
        args = line.cards.args or (None,) * len(params)
        names = listing([
            f"{'number of ' * is_plural(param.name)}{words(param.name)}" + (
                f" from {arg.low} to {arg.high}" if isinstance(arg, ex.NumberPattern) else "")
            for param, arg in zip(params, args, strict=True) if arg is None or _is_range(arg)
        ])  # fmt: skip
        count = line.count.value if isinstance(line.count, ex.Number) else None
        return f"{counted(count, 'card')} of each {names}" if count is not None and names else None

    def _names(self, kind: ast.CardDecl) -> Iterator[Block]:
        """Give a table of the names of the cards of a kind."""
        if len(kind.named) < 2:
            return
        own = [f for f in self.lexicon.rules.faces if f.kind == kind.name and f.owner in (None, 0)]
        cells = [f"`{verbatim(f.text)}` {verbatim(f.name)}" for f in own]
        yield Paragraph(f"Names of the {plural(kind_noun(self.lexicon, kind.name))}:", (), (kind.name,))
        yield _columns(cells)

    # ---- values

    def _values(self, enum: ast.EnumDecl) -> Entry:
        names = (enum.name, *(t for v in enum.values for t in (v.name, v.text) if t))
        values = listing([self._value(value) for value in self._met(enum)])
        return Entry(f"{self._ordered(enum)}: {values}.", own_tags(enum), (), names)

    def _met(self, enum: ast.EnumDecl) -> list[ast.EnumValue]:
        """Return the values of an enumeration without those that no card shows and no rule names or counts."""
        shown = {
            int(value)
            for face in self.lexicon.rules.faces
            for param, value in zip(self.lexicon.kinds[face.kind].params, face.values, strict=False)
            if isinstance(param.type, ex.NamedType) and param.type.name == enum.name
        }
        rules = [
            node for item in self.lexicon.spec.items if not isinstance(item, ast.DeckDecl)
            and self.speech.named_in_about("define", getattr(item, "name", "") or "") is None for node in walk(item)
        ]  # fmt: skip
        if not shown or any(isinstance(n, ex.Call) and n.name == "position" for n in rules):
            return list(enum.values)
        named = {node.name for node in rules if isinstance(node, ex.Name)}
        return [value for n, value in enumerate(enum.values) if n in shown or value.name in named]

    def _ordered(self, enum: ast.EnumDecl) -> str:
        """Return the title of the values of an enumeration: "from low to high" where a rule compares them."""
        for node in self.lexicon.nodes:
            match node:
                case ex.Compare(op="<" | "<=" | ">" | ">=", left=left):
                    keys: tuple[ex.Expr, ...] = (left,)
                case ex.Extreme(by=ex.TupleValue(items=items)):
                    keys = tuple(items)
                case ex.Extreme(by=key):
                    keys = (key,)
                case _:  # Nothing else compares values.
                    continue
            if any(self.lexicon.sort(key) == enum.name for key in keys):
                return f"{capital(plural(words(enum.name)))}, from low to high"
        return f"{capital(plural(words(enum.name)))}, in this order"

    def _table_of_values(self, enum: ast.EnumDecl) -> list[Block]:
        names = (enum.name, *(p.name for p in enum.params))
        head = (capital(words(enum.name)), *(capital(words(p.name)) for p in enum.params))
        rows = tuple(
            Row((self._value(v), *(self._cell(c) for c in v.attributes)), (), tuple(t for t in (v.name, v.text) if t))
            for v in self._met(enum)
        )
        return [Paragraph(f"{self._ordered(enum)}:", own_tags(enum), names), Table(head, rows)]

    def _value(self, value: ast.EnumValue) -> str:
        name = words(value.name)
        return f"{name} (`{verbatim(value.text)}`)" if value.text and value.text != value.name else name

    def _cell(self, cell: ex.Expr) -> str:
        return verbatim(cell.value) if isinstance(cell, ex.String) else self.speech.text(cell, self.scope)

    def _seats(self) -> Iterator[Entry]:
        """Give how the players sit, where there can be more than two."""
        if (self.settled.players or self.lexicon.rules.player_range[1]) > 2:
            sides = any(isinstance(n, ex.Call) and n.name in ("left", "right") for n in self.lexicon.nodes)
            left = " Player 2 sits to the left of player 1, and so on." if sides else ""
            way = "clockwise" if sides else "in this order"
            yield Entry(
                f"The players sit around the table in the order of their numbers.{left} "
                f"Any of you can be player 1. Play goes {way}, and from the last player to player 1."
            )
        if (teams := self.lexicon.teams) is not None:
            condition = "" if teams.only_if is None else f" if {self.speech.clause(teams.only_if, self.scope)}"
            lead = f"There are {counted(len(teams.teams), 'team')}{condition}"
            yield Entry(f"{lead}:", teams.tags, tuple(self._team(team) for team in teams.teams))

    def _team(self, team: ast.Team) -> Entry:
        """Return the players of a team."""
        seats = [str(seat.number) for seat in team.members if isinstance(seat, ex.Seat)]
        name = self.lexicon.value(TEAM, team.name)
        return Entry(f"{capital(name)}: player{'s' * (len(seats) > 1)} {listing(seats)}.", own_tags(team))

    # ---- dice, markers, notes

    def _dice(self) -> Iterator[Row]:
        """Give the dice that the rules roll, by the number of their sides."""
        seen: set[str] = set()
        for node in self.lexicon.nodes:
            match node:
                case st.Random(arg=ex.ValueArg(domain=ex.RangeValue(low=ex.Number(value=1), high=high), where=None)):
                    sides = self.speech.text(high, self.scope)
                    if sides not in seen:
                        seen.add(sides)
                        yield Row((f"Die with {sides} sides", "at least 1", f"A roll is a number from 1 to {sides}."))

    def _notes(self) -> Iterator[Row]:
        """Give what is kept on paper or with markers during the whole game."""
        for item in self.lexicon.spec.items:
            if isinstance(item, ast.StateDecl):
                for number, var in enumerate(item.variables):
                    more = item.tags if number == 0 else ()
                    for family in var.families:
                        if family.name not in self.speech.ending and (own_tags(var) or self._is_used(family.name)):
                            yield self._note(var, family, (*more, *own_tags(var)))

    def _on_cards(self) -> Iterator[Entry]:
        """Give what becomes of values that belong to cards."""
        kept: dict[Zone, list[str]] = {}
        for variable in self.lexicon.variables.values():
            if variable.home is not None:
                kept.setdefault(variable.home, []).append(self.speech.variable_noun(variable))
        for zone, nouns in kept.items():
            also = ", also at another position" if zone.indices else ""
            yield Entry(f"A card keeps its {listing(nouns)} as long as it lies in {self._slot_words(zone)}{also}. "
                        f"A card that goes elsewhere loses {'them' if len(nouns) > 1 else 'it'}.")  # fmt: skip

    def _slot_words(self, zone: Zone) -> str:
        """Return one of some slots: "a hand", "the turned slot"."""
        noun = self.speech.zone_noun(zone)[0]
        return article(noun) if zone.indices else f"the {noun}"

    def _passing(self) -> Iterator[Entry]:
        """Give what is noted in a chapter alone, anew each time."""
        for phase in (item for item in self.lexicon.spec.items if isinstance(item, ast.PhaseDecl)):
            kept: dict[bool, list[str]] = {True: [], False: []}
            for family in (family for var in phase.block.state for family in var.families):
                owned = len(_without_owner(family)) < len(family.indices)
                if family.name not in self.speech.chosen_once and self._is_used(family.name):
                    kept[owned].append(self.speech.variable_noun(self.lexicon.variables[family.name]))
            shared, own = listing(kept[False]), listing(kept[True])
            said = "; ".join(part for part in (shared, own and f"for each player {own}") if part)
            if said:
                yield Entry(f"{NOTED} {chapter_mark(title(phase.name))}: {said}.")

    def _is_used(self, name: str) -> bool:
        """Whether a rule of this setting reads or sets a variable."""
        chosen = (n.arg.name for n in self.lexicon.nodes if isinstance(n, st.Random))
        items = (i for i in self.lexicon.spec.items if not isinstance(i, ast.StateDecl | ast.AboutDecl))
        return any(mentions(item, name) for item in items) or name in chosen

    def _note(self, var: ast.VarDecl, family: ast.Family, tags: tuple[str, ...]) -> Row:
        variable = self.lexicon.variables[family.name]
        noun = self.speech.variable_noun(variable)
        others = _without_owner(family)
        owned = len(others) < len(family.indices)
        per = "".join(f", for each {self.index_words(i, family.name)}" for i in others)
        match var.type:
            case ex.NamedType(name="player") | ex.OptionalType(base=ex.NamedType(name="player")):
                item, text = f"{capital(words(family.name))} marker", f"Shows the {noun}{per}"
            case ex.NamedType(name="boolean"):
                noun = f"*{mark(family.name)}*" if owned else noun
                item, text = ("Marks" if owned or others else "Note"), f"{noun}{per}: yes or no"
            case ex.NamedType(name="integer") | ex.RangeType():
                item, text = "Score sheet", f"{capital(noun)}{per}"
            case ex.NamedType(name=name) if name in self.lexicon.enums:
                shown = f"{noun}{per}: {listing(self.speech.values_of(name), 'or')}"
                item, text = f"{capital(words(family.name))} marker", f"Shows the {shown}"
            case other:
                item, text = "Note", f"{capital(noun)}{per}: {self.type_words(other)}"
        seen = ""
        if var.seen_by is not None:
            what = noun if noun.startswith("*") else f"the {noun}"
            seen = f" {capital(self.viewers(var.seen_by))} may see {what} or learn whether it changes."
        number = "1 for each player" if owned else "1"
        first = self._first(var, unsaid="no" if item == "Marks" else "")
        starting = first and f"{', starting' if item in ('Score sheet', 'Note') else '. Starts'} {first}"
        below = " It can fall below 0." if self._can_fall_below_0(var, family.name) else ""
        return Row((item, number, f"{text}{starting}.{below}{seen}"), tags, (family.name,))

    def _can_fall_below_0(self, var: ast.VarDecl, name: str) -> bool:
        """Whether the type of a number says so, or a rule subtracts from a number without limits."""
        match var.type:
            case ex.RangeType():
                type_ = self.lexicon.variables[name].type
                return isinstance(type_, Int) and (type_.low or 0) < 0
            case ex.NamedType(name="integer"):
                sets = (n for n in self.lexicon.nodes if isinstance(n, st.Assign) and n.op == "-=")
                return any(mentions(n.target, name) for n in sets)
        return False

    def index_words(self, index: ex.TypeExpr, name: str = "") -> str:
        """Return what a zone or variable, perhaps one with a name, has one of each for."""
        number = POSITION if name in self.lexicon.with_positions else "number"
        match index:
            case ex.NamedType(name=name):
                return words(name)
            case ex.CardIn(zone=name):
                return f"card in {self._slot_words(self.lexicon.zones[name])}"
        return f"{number} from {self.type_words(index)}"

    def _first(self, var: ast.VarDecl, unsaid: str) -> str:
        first = self.speech.first_value(var, self.scope)
        if first in (unsaid, "") or not any(self._is_read_first(family.name) for family in var.families):
            return ""  # The set-up sets it.
        return f"{'at' if isinstance(var.type, ex.RangeType) or first.isdecimal() else 'as'} {first}"

    def _is_read_first(self, name: str) -> bool:
        """Whether a rule ever reads the value that a variable has before play sets it, or one of a card that comes."""
        if self.lexicon.variables[name].home is not None:
            return True
        plays = (item for item in self.lexicon.spec.items if isinstance(item, ast.PlayDecl))
        return any(Reads(name, play, self.lexicon.spec.items).first for play in plays)

    # ---- types

    def type_words(self, type_: ex.TypeExpr) -> str:
        """Return what values a type has: "1 to 10", "clubs, hearts or spades", "a player"."""
        match type_:
            case ex.OptionalType(base=base):
                return f"{self.type_words(base)}, or none"
            case ex.RangeType(low=low, high=high):
                return f"{self.speech.text(low, self.scope)} to {self.speech.text(high, self.scope)}"
            case ex.NamedType(name=name) if name in self.lexicon.enums:
                values = self.speech.values_of(name)
                return listing(values, "or") if len(values) < 6 else article(words(name))
            case ex.NamedType(name=name) if name in self.lexicon.kinds:
                return article(kind_noun(self.lexicon, name))
            case ex.NamedType(name=name):
                return {"boolean": "yes or no", "integer": "a number", "cards": "cards"}.get(name, article(name))
            case ex.CardIn():
                return article(self.index_words(type_))

    # ---- places

    def places(self) -> list[Block]:
        """Return where cards can lie, and who may look at them there."""
        rows = []
        idle = _used(self.whole) - _used(self.lexicon.spec)  # Only with other options.
        for item in self.lexicon.spec.items:
            if isinstance(item, ast.ZonesDecl):
                for number, zone in enumerate(item.zones):
                    if not own_tags(zone) and all(family.name in idle for family in zone.families):
                        continue
                    tags = (*(item.tags if number == 0 else ()), *own_tags(zone))
                    rows.append(self._zone(zone, tags))
        if not rows:
            return []
        short = "If a rule takes more cards from a pile than it has, take all that are left."
        known = "All players may count the cards in every place. A place has no limit except where the table says so."
        title = Heading("Places for cards", 3)
        table = Table(("Place", "Cards lie", "Who may look"), tuple(rows))
        below = any(isinstance(n, st.Move | st.Deal) and n.at == "bottom" for n in self.lexicon.nodes)
        on_top = (
            "Cards go to the top of a pile and leave it from the top, unless a rule says otherwise. "
            f"Several cards go there one by one: the last of them ends on top{', or at the very bottom' * below}."
        )
        ordered = [Entry(on_top)] if self._pile_grows() else []
        lines = (*self._current(), Entry(known), Entry(short), *ordered, *self._deck_order(), *self._seen(),
                 *self._truthful())  # fmt: skip
        return [title, table, Lines(lines)]

    def _deck_order(self) -> Iterator[Entry]:
        """Give the order of the deck, if a rule of the book names it."""
        if self.speech.in_deck_order:
            yield Entry(
                "The order of the deck is that of the list of cards above. "
                "Cards of one line are in the order of the first value that they show, then of the next."
            )

    def _seen(self) -> Iterator[Entry]:
        """Give who learns which card moves, where a rule moves some cards to a place that not all may look at."""
        open_ = ast.Viewer("all", span=self.whole.span)
        zones = (zone for item in self.whole.items if isinstance(item, ast.ZonesDecl) for zone in item.zones)
        hidden = {family.name for zone in zones if zone.seen_by != open_ for family in zone.families}
        moves = (node for node in walk(self.whole.items) if isinstance(node, st.Move))
        if any(base_name(n.target) in hidden and base_name(n.cards) not in self.lexicon.zones for n in moves):
            yield Entry(
                "Players see which card is chosen or moved only if they may look at its old or its new place. "
                "All others see only how many cards move."
            )

    def _truthful(self) -> Iterator[Entry]:
        """Give that owners answer for hidden cards, where a case or a value depends on what such cards show."""
        own = {zone.name for zone in self.lexicon.zones.values() if zone.seen_by == "owner"}
        parts = (
            n.condition if isinstance(n, st.If) else n.value
            for n in self.lexicon.nodes
            if isinstance(n, st.If | st.Let)
        )
        read = (
            n.selection
            for part in parts
            for n in walk(part)
            if isinstance(n, ex.Quantified | ex.Fold | ex.Over | ex.All)
        )
        if any(selection.where is not None and base_name(selection.domain) in own for selection in read):
            yield Entry("Where a rule depends on cards that only their owner sees, the owner answers truthfully.")

    def _pile_grows(self) -> bool:
        """Whether rules put cards onto a pile that no rule shuffles, and take cards from there in their order."""
        piles = {zone.name for zone in self.lexicon.zones.values() if zone.kind == "pile"}
        filled, read, shuffled = set[str](), set[str](), set[str]()
        for node in self.lexicon.nodes:
            match node:
                case st.Move(cards=origin, target=target) | st.Deal(origin=origin, target=target):
                    filled.add(base_name(target))
                    read |= {base_name(origin)} if base_name(target) in piles or isinstance(node, st.Deal) else set()
                case ex.CardAt(zone=place) | ex.Pick(selection=ex.Selection(domain=place)):
                    read.add(base_name(place))
                case st.For(selections=selections):
                    read |= {base_name(selection.domain) for selection in selections}
                case st.Shuffle(cards=cards, into=into):
                    shuffled.add(base_name(into or cards))
        return bool((piles & filled & read) - shuffled)

    def _current(self) -> Iterator[Entry]:
        """Give which of several places of a player is the current one, where a variable says that."""
        for zone in self.lexicon.zones.values():
            for sort in (type_.name for type_ in zone.indices if isinstance(type_, EnumType)):
                variable = self.lexicon.variables.get(words(sort))
                if variable is not None:
                    noun = self.speech.zone_noun(zone)[0]
                    yield Entry(f"Your current {noun} is your {noun} for the {self.speech.variable_noun(variable)}.")

    def _zone(self, zone: ast.ZoneDecl, tags: tuple[str, ...]) -> Row:
        names = [self._family(f, self.speech.zone_noun(self.lexicon.zones[f.name])[0]) for f in zone.families]
        held = zone.kind == "cards" and all(words(f.name).split(" ")[-1] == "hand" for f in zone.families)
        face = _FACES[zone.seen_by.who] if isinstance(zone.seen_by, ast.Viewer) else ""
        both = any(family.name in self.lexicon.lying_both_ways for family in zone.families)
        shown = face == "face down" and any(self.lexicon.is_laid(family.name, "up") for family in zone.families)
        face = "face up, or face down if a rule says so" if both else face
        face = "face down, or face up if a rule says so" if shown else face
        in_hand = "in the hand, or face up if a rule says so" if shown else "in the hand"
        lie = in_hand if held else _LIE.get(zone.kind, zone.kind)
        lies = lie if held or not face else face if zone.kind == "cards" else f"{face}, {lie}"
        viewers = "all players; nobody while face down" if both else self.viewers(zone.seen_by)
        viewers += "; all players while face up" if shown else ""
        if viewers.startswith("nobody") and any(family.name in self.lexicon.counted for family in zone.families):
            viewers += "; turn them up where a rule counts what they show"
        return Row((capital(listing(names)), lies, viewers), tags, tuple(f.name for f in zone.families))

    def _family(self, family: ast.Family, noun: str) -> str:
        others = _without_owner(family)
        whose_ = " of each player" * (len(others) < len(family.indices))
        if len(others) == 1 and isinstance(others[0], ex.NamedType) and others[0].name in self.lexicon.enums:
            values = self.speech.values_of(others[0].name)
            if len(values) <= MOST_KINDS:
                return f"{listing([f'{value} {noun}' for value in values])}{whose_}"
        per = "".join(f" for each {self.index_words(index)}" for index in others)
        if self.lexicon.zones[family.name].kind == "slot" and per and isinstance(others[0], ex.RangeType):
            return f"{noun}{whose_}, at each position from {self.type_words(others[0])}"
        return f"{noun}{per}{whose_}"

    def viewers(self, who: ast.Viewer | ast.ViewerIf) -> str:
        """Return who sees a zone or a variable."""
        if isinstance(who, ast.Viewer):
            return _VIEWERS[who.who]
        condition = self.speech.clause(who.condition, self.scope)
        return f"{self.viewers(who.then)} if {condition}, otherwise {self.viewers(who.otherwise)}"


def _copies(count: int) -> str:
    return counted(count, "copy", "copies")


def _without_owner(family: ast.Family) -> list[ex.TypeExpr]:
    """Return what a family has one of each for, without its owner."""
    return [i for i in family.indices if not (isinstance(i, ex.NamedType) and i.name == "player")]


def _is_range(arg: ex.Expr | ex.NumberPattern) -> bool:
    return isinstance(arg, ex.NumberPattern) and arg.low < arg.high


def _used(spec: ast.Spec) -> set[str]:
    """Return the names that the rules of a spec use, beside where they are declared."""
    return {n.name for i in spec.items if not isinstance(i, ast.ZonesDecl) for n in walk(i) if isinstance(n, ex.Name)}


def _one_row_each(rows: Iterable[Row]) -> Iterator[Row]:
    """Give rows of which those with the same item and number have become one."""
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        alike.setdefault(row.cells[:2], []).append(row)
    for cells, found in alike.items():
        tags, names = (dict.fromkeys(x for row in found for x in part(row)) for part in (_TAGS, _NAMES))
        yield Row((*cells, " ".join(row.cells[2] for row in found)), tuple(tags), tuple(names))


_TAGS, _NAMES = attrgetter("tags"), attrgetter("names")


def _columns(cells: list[str]) -> Table:
    """Return a table without a head that is read row by row."""
    filled = [*cells, *[""] * (-len(cells) % COLUMNS)]
    return Table(("",) * COLUMNS, tuple(Row(tuple(filled[n : n + COLUMNS])) for n in range(0, len(filled), COLUMNS)))
