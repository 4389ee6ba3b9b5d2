"""The first chapters: the cards, the places where they lie, what is written down, and the options."""

from __future__ import annotations

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar.expressions import walk
from interpreter.rulebook.expressions import Expressions
from interpreter.rulebook.lexicon import Lexicon, Scope
from interpreter.rulebook.page import Block, Entry, Heading, Lines, Paragraph, Table, verbatim
from interpreter.rulebook.patterns import attribute_told, face_name, kind_noun
from interpreter.rulebook.settle import Settled
from interpreter.rulebook.trees import own_tags
from interpreter.rulebook.words import Phrase, article, capital, is_plural, listing, number_of, plural, sentence, words

_VIEWERS = {
    "all": "everybody",
    "nobody": "nobody",
    "owner": "only its owner",
    "all but owner": "everybody but its owner",
}


class Front:
    """Writes what is declared."""

    def __init__(self, speech: Expressions, settled: Settled) -> None:
        self.speech = speech
        self.lexicon: Lexicon = speech.lexicon
        self.settled = settled
        self.scope = Scope()

    # ---- the head

    def head(self) -> list[Block]:
        """Return the title, how many play, and what is settled."""
        rules = self.lexicon.rules
        game = next(item for item in self.lexicon.spec.items if isinstance(item, ast.GameDecl))
        low, high = rules.player_range
        how_many = f"{low}" if low == high else f"{low} to {high}"
        if self.settled.players is not None and low != high:
            how_many = f"{self.settled.players}"
        told = f"A game for {how_many} {'player' if how_many == '1' else 'players'}"
        told += ", who play together." if rules.cooperative else "."
        told += self._seats(self.settled.players or high)
        tags = tuple(dict.fromkeys(t for fact in game.facts for t in own_tags(fact)))
        blocks: list[Block] = [Heading(verbatim(game.name), 1, game.tags), Paragraph(told, tags)]
        sources = [verbatim(str(fact.values[0])) for fact in game.facts if fact.name == "source" and fact.values]
        if sources:
            blocks.append(Paragraph(sentence(f"the rules are from {listing(sources)}")))
        if self.settled.options:
            given = [f"*{words(n)}* is {self.option_value(v)}" for n, v in self.settled.options.items()]
            blocks.append(Paragraph(sentence(f"played with these options: {listing(given)}")))
        left = [name for name in self.lexicon.options if name not in self.settled.options]
        if left:
            blocks.append(Paragraph("Words in *italics* are marks, options and terms that this book explains; the "
                                    "options stand at its end."))  # fmt: skip
        else:
            blocks.append(Paragraph("Words in *italics* are marks and terms that this book explains."))
        return blocks

    def _seats(self, most: int) -> str:
        """Return how the players sit, where there can be more than two."""
        if most < 3:
            return ""
        sides = any(isinstance(n, ex.Call) and n.name in ("left", "right") for n in walk(self.lexicon.spec.items))
        told = " They sit round the table in the order of their numbers"
        return f"{told}, each to the left of the one before." if sides else f"{told}."

    def option_value(self, value: str | int | bool) -> str:
        """Return the value of an option as a reader meets it."""
        if isinstance(value, bool):
            return "on" if value else "off"
        return f"`{value}`" if isinstance(value, str) else str(value)

    # ---- cards

    def cards(self) -> list[Block]:
        """Return which cards there are, and the values that stand on them."""
        blocks: list[Block] = [Heading("What you need")]
        decks = [item for item in self.lexicon.spec.items if isinstance(item, ast.DeckDecl)]
        for deck in decks:
            where = self.speech.zone(self.lexicon.zones[deck.zone]).text
            if deck.index is not None:
                lead = f"Every player has a deck of their own, which lies in {self._own(deck.zone)} before play"
            else:
                lead = f"Before play these cards lie in {where}"
            entries = tuple(self._deck_line(line) for line in deck.lines)
            blocks += [Paragraph(lead + self._total(deck, decks) + ":", deck.tags), Lines(entries)]
        kinds = [self._kind(kind) for kind in self.lexicon.kinds.values() if self._in_deck(kind.name)]
        blocks += [Paragraph("The cards:"), Lines(tuple(kinds))]
        for enum in self.lexicon.enums.values():
            blocks += self._enum(enum)
        return blocks

    def _own(self, zone: str) -> str:
        return f"that player's {self.speech.zone_noun(self.lexicon.zones[zone])[0]}"

    def _total(self, deck: ast.DeckDecl, decks: list[ast.DeckDecl]) -> str:
        """Return how many cards there are, where that depends on nothing that is open yet."""
        open_ = {*self.lexicon.options} - {*self.settled.options}
        players_open = (
            self.settled.players is None and self.lexicon.rules.player_range[0] != (self.lexicon.rules.player_range[1])
        )
        asks = [*walk(deck), *(n for kind in self.lexicon.kinds.values() for n in walk(kind))]
        asked = {n.name for n in asks if isinstance(n, ex.Name)}
        if len(decks) > 1 or asked & open_ or (players_open and "players" in asked):
            return ""
        total = len(self.lexicon.rules.card_faces)
        each = total // self.lexicon.rules.num_players if deck.index is not None else total
        return f", {each} cards in all"

    def _deck_line(self, line: ast.DeckLine) -> Entry:
        name = line.cards.name if isinstance(line.cards, ex.KindPattern) else ""
        noun = kind_noun(self.lexicon, name)
        args = line.cards.args if isinstance(line.cards, ex.KindPattern) else ()
        told = [
            attribute_told(p.name, a, lambda e: self.speech.text(e, self.scope))
            for p, a in zip(self.lexicon.kinds[name].params, args or (), strict=False)
            if a is not None
        ]
        of = f" with {listing(told)}" if told else ""
        scope = Scope(each=Phrase("that", whose="whose"))
        where = ""
        if line.where is not None:
            speaks_of_cards = any(isinstance(part, ex.Each) for part in walk(line.where))
            where = f"{'' if speaks_of_cards else ' if'} {self.speech.clause(line.where, scope)}"
        if isinstance(line.count, ex.Number):
            count = line.count.value
            text = (
                f"{'one' if count == 1 else count} of each {noun}{of}{where}"
                if line.each
                else number_of(str(count), noun) + of + where
            )
        else:
            count_text = self.speech.text(line.count, Scope(each=Phrase("it", whose="its")))
            text = f"of each {noun}{of}{where} as many as {count_text}."
        return Entry(capital(text), own_tags(line))

    def _in_deck(self, kind: str) -> bool:
        return any(face.kind == kind for face in self.lexicon.rules.faces)

    def _kind(self, kind: ast.CardDecl) -> Entry:
        noun = plural(kind_noun(self.lexicon, kind.name))
        face = next(f for f in self.lexicon.rules.faces if f.kind == kind.name)
        if not kind.params:
            called = verbatim(kind.named[0]) if kind.named else ""
            alike = words(called).removeprefix("the ") == words(kind.name)
            named = f" ({called})" if called and not alike else ""
            return Entry(f"**{noun}**{named} are written `{verbatim(face.text)}`.", kind.tags, (), (kind.name,))
        shown = [self._shown(p) for p in kind.params]
        text = f"**{noun}** show {listing(shown)}; one is written `{verbatim(face.text)}`."
        below: tuple[Entry, ...] = ()
        if len(kind.named) > 1:
            own = [f for f in self.lexicon.rules.faces if f.kind == kind.name and f.owner in (None, 0)]
            below = (Entry("They are called " + listing([face_name(f) for f in own]) + "."),)
        return Entry(text, own_tags(kind), below, (kind.name, *(p.name for p in kind.params)))

    def _shown(self, param: ex.Param) -> str:
        """Return what is printed on a card, with its values: "a rank (1 to 8)"."""
        told = words(param.name) if is_plural(param.name) else article(words(param.name))
        values = self.type_words(param.type)
        return told if values == told else f"{told} ({values})"

    def _enum(self, enum: ast.EnumDecl) -> list[Block]:
        title = f"**{capital(plural(words(enum.name)))}**"
        names = (enum.name, *(p.name for p in enum.params), *(t for v in enum.values for t in (v.name, v.text) if t))
        if not enum.params:
            values = [self._value(value) for value in enum.values]
            return [Paragraph(f"{title}, in this order: {listing(values)}.", own_tags(enum), names)]
        head = (capital(words(enum.name)), *(words(p.name) for p in enum.params))
        rows = tuple((self._value(v), *(self._cell(c) for c in v.attributes)) for v in enum.values)
        return [Paragraph(f"{title}, in this order:", own_tags(enum), names), Table(head, rows)]

    def _value(self, value: ast.EnumValue) -> str:
        told = words(value.name)
        return f"{told} (`{verbatim(value.text)}`)" if value.text and value.text != value.name else told

    def _cell(self, cell: ex.Expr) -> str:
        return verbatim(cell.value) if isinstance(cell, ex.String) else self.speech.text(cell, self.scope)

    # ---- types

    def type_words(self, type_: ex.TypeExpr) -> str:
        """Return what values a type has: "1 to 10", "clubs, hearts or spades", "a player"."""
        match type_:
            case ex.OptionalType(base=base):
                return f"{self.type_words(base)}, or none"
            case ex.RangeType(low=low, high=high):
                return f"{self.speech.text(low, self.scope)} to {self.speech.text(high, self.scope)}"
            case ex.NamedType(name=name) if name in self.lexicon.enums:
                values = [words(v.name) for v in self.lexicon.enums[name].values]
                return listing(values, "or") if len(values) < 6 else article(words(name))
            case ex.NamedType(name=name) if name in self.lexicon.kinds:
                return article(kind_noun(self.lexicon, name))
            case ex.NamedType(name=name):
                return {"boolean": "a mark", "integer": "a number", "cards": "cards"}.get(name, article(name))

    # ---- places

    def places(self) -> list[Block]:
        """Return where cards can lie, and who sees them there."""
        entries = []
        for item in self.lexicon.spec.items:
            if isinstance(item, ast.ZonesDecl):
                for number, zone in enumerate(item.zones):
                    tags = (*(item.tags if number == 0 else ()), *own_tags(zone))
                    entries.append(Entry(self._zone(zone), tags, (), tuple(f.name for f in zone.families)))
        return [Heading("Where cards lie"), Paragraph("Everybody may know how many cards lie in each place."),
                Lines(tuple(entries))]  # fmt: skip

    def _zone(self, zone: ast.ZoneDecl) -> str:
        names = [self._family(f, self.speech.zone_noun(self.lexicon.zones[f.name])[0]) for f in zone.families]
        most = "" if zone.at_most is None else f"at most {self.speech.cards_number(zone.at_most, self.scope)}"
        kind = {
            "pile": f"a pile of {most}" if most else "a pile",
            "row": f"a row of {most}" if most else "a row of cards",
            "cards": most or "cards",
            "slot": "a place for one card",
        }.get(zone.kind, zone.kind)  # fmt: skip
        if len(names) > 1 and kind == "a pile":
            kind = "piles"
        order = {"row": ", in the order in which they came", "cards": ", in no order"}.get(zone.kind, "")
        seen = self._seen(zone.seen_by, kind, order)
        return f"**{capital(listing(names))}**: {seen}."

    def _family(self, family: ast.Family, noun: str) -> str:
        owned = any(isinstance(i, ex.NamedType) and i.name == "player" for i in family.indices)
        others = [i for i in family.indices if not (isinstance(i, ex.NamedType) and i.name == "player")]
        behind = ""
        for index in others:
            if isinstance(index, ex.NamedType):
                behind += f" for each {words(index.name)}"
            else:
                behind += f", numbered {self.type_words(index)}"
        whose = "each player's" if owned else "the"
        return f"{whose} {noun}{behind}"

    def _seen(self, who: ast.Viewer | ast.ViewerIf, what: str, order: str) -> str:
        """Return something with those who see it and its order: "a row of cards that nobody sees, in the order .."."""
        if isinstance(who, ast.Viewer):
            return f"{what} that {_VIEWERS[who.who]} sees{order}"
        return f"{what}{order}; {self._seen_if(who, 'them' if what.endswith('cards') else 'it')}"

    def _seen_if(self, who: ast.Viewer | ast.ViewerIf, what: str = "it") -> str:
        if isinstance(who, ast.Viewer):
            return f"{_VIEWERS[who.who]} sees {what}"
        condition = self.speech.clause(who.condition, self.scope)
        return f"if {condition}, {self._seen_if(who.then, what)}, otherwise {self._seen_if(who.otherwise, what)}"

    # ---- what is written down

    def written(self) -> list[Block]:
        """Return what is kept on paper during a play."""
        entries: list[Entry] = []
        for item in self.lexicon.spec.items:
            if isinstance(item, ast.StateDecl):
                for number, var in enumerate(item.variables):
                    more = item.tags if number == 0 else ()
                    entries += [attrs.evolve(e, tags=(*more, *e.tags)) for e in self.variable(var, self.scope)]
        if not entries:
            return []
        return [Heading("What is written down"), Lines(tuple(entries))]

    def variable(self, var: ast.VarDecl, scope: Scope) -> list[Entry]:
        """Return what a variable holds, with its first value."""
        type_ = var.type
        mark = isinstance(type_, ex.NamedType) and type_.name == "boolean"
        names = []
        for family in var.families:
            variable = self.lexicon.variables[family.name]
            noun = f"mark *{words(family.name)}*" if mark else self.speech.variable_noun(variable)
            names.append(self._family(family, noun))
        first = self._first(var, scope)
        kind = "" if mark else f": {self.type_words(type_)}"
        seen = "" if var.seen_by is None else f"; {self._seen_if(var.seen_by)}"
        named = capital(listing(names)).replace("*", "")
        return [Entry(f"**{named}**{kind}{first}{seen}.", own_tags(var), (), tuple(f.name for f in var.families))]

    def _first(self, var: ast.VarDecl, scope: Scope) -> str:
        match var.initial:
            case ex.Bool(value=value):
                return f", {'set' if value else 'not set'} at first"
            case None | ex.NoneValue():
                if isinstance(var.type, ex.OptionalType):
                    return "; at first none"
                match var.type:
                    case ex.NamedType(name="boolean"):
                        return ", not set at first"
                    case ex.NamedType(name="integer"):
                        return "; at first 0"
                    case ex.RangeType(low=ex.Number(value=low), high=ex.Number()):
                        return f"; at first {low}"
                    case ex.RangeType(low=ex.Negative(), high=ex.Number()):
                        return "; at first 0"
                return ""
            case value if self.lexicon.sort(value) == "boolean":
                return f", set at first if {self.speech.clause(value, scope)}"
            case value:
                return f"; at first {self.speech.text(value, scope)}"

    # ---- options

    def options(self) -> list[Block]:
        """Return the options that are open still, with their defaults."""
        entries = []
        others = [item for item in self.lexicon.spec.items if not isinstance(item, ast.OptionDecl)]
        asked = {part.name for part in walk(tuple(others)) if isinstance(part, ex.Name)}
        for name, option in self.lexicon.options.items():
            if name in self.settled.options:
                told = f"{self.option_value(self.settled.options[name])} here"
            else:
                told = f"{self._option_values(option)}; {self._option_default(option)}"
            text = f"**{capital(words(name))}** (`{name}`): {told}."
            if option.text:
                text += f" {sentence(verbatim(option.text))}"
            if name not in asked and name not in self.settled.options:
                text += " It changes nothing here."
            entries.append(Entry(text, own_tags(option), (), (name, *option.choices)))
        return [Heading("Options"), Lines(tuple(entries))] if entries else []

    def _option_values(self, option: ast.OptionDecl) -> str:
        if option.choices:
            return listing([f"`{choice}`" for choice in option.choices], "or")
        assert option.type is not None
        return "on or off" if isinstance(option.type, ex.NamedType) else self.type_words(option.type)

    def _option_default(self, option: ast.OptionDecl) -> str:
        """Return what an option is where nobody sets it; what it hangs on is told, or put in where it is settled."""
        known = next(o for o in self.lexicon.rules.options if o.name == option.name)
        asked = {part.name for part in walk(option.default) if isinstance(part, ex.Name)}
        hanging = asked & ({"players"} | self.lexicon.options.keys())
        settled = {*self.settled.options, *(["players"] if self.settled.players is not None else [])}
        if hanging <= settled:
            return f"{self.option_value(known.told(known.default))} unless agreed otherwise"
        return f"unless agreed otherwise {self._hanging(option, option.default)}"

    def _hanging(self, option: ast.OptionDecl, value: ex.Expr) -> str:
        """Return a default that hangs on something: "5 if there are more than 3 players, otherwise 7"."""
        match value:
            case ex.Chain():
                told = []
                for link in value.alternatives:
                    then = self._hanging(option, link.value)
                    condition = link.condition and self.speech.clause(link.condition, self.scope)
                    told.append(f"{then} if {condition}" if condition else then)
                return ", otherwise ".join(told)
            case ex.Name(name=name) if name in option.choices:
                return self.option_value(name)
            case ex.Bool(value=fixed):
                return self.option_value(fixed)
            case _ if isinstance(option.type, ex.NamedType):
                return f"on if {self.speech.clause(value, self.scope)}"
        return self.speech.text(value, self.scope)
