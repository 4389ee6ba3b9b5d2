"""Values as noun phrases: "the leader's hand", "the first Wizard in the trick".

A phrase can have a condition behind it, and conditions have phrases in them: how a condition is said is left to
`interpreter.rulebook.expressions`, which builds on this.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from grammar import expressions as ex
from grammar.expressions import operands
from grammar.source import Span
from interpreter.analysis.core import Define, Variable
from interpreter.analysis.functions import CALLABLE, Function
from interpreter.analysis.symbols import Option, Zone
from interpreter.analysis.types import EnumType, Int
from interpreter.rulebook.lexicon import Lexicon, Scope, sort_of_type
from interpreter.rulebook.page import verbatim
from interpreter.rulebook.patterns import face_name, kind_noun, matching_faces
from interpreter.rulebook.things import Things
from interpreter.rulebook.trees import (
    leads,
    mentions,
    without_nothing,
)
from interpreter.rulebook.words import (
    PREPOSITIONS,
    Phrase,
    is_adjective,
    is_noun,
    is_plural,
    listing,
    number_of,
    plural,
    predicate,
    said_of,
    said_once,
    some_of,
    with_kind,
    words,
)

KIND_WORDS = {"pile": ("pile", False), "row": ("row", False), "cards": ("cards", True), "slot": ("slot", False)}
"""What a zone is called behind an adjective: "the turned slot", "the won cards"."""
_LISTS = ("players", "values")
"""Sorts of which a place can have an index, and is then several places."""
_SUMS = {"+": "plus", "-": "minus", "*": "times"}
_ROUNDED = {"up": "rounded up", "down": "rounded down", "nearest": "rounded to the nearest"}
OF_THAT = " of that "
"""How a card is told that has the very suit, rank, .. of which the talk is."""
SHORT = 2
"""Letters of a name that says nothing."""


class Nouns(ABC):
    """Puts values into words; what is asked of them is said by whoever extends this."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._told: dict[tuple[int, int], tuple[ex.Expr, Scope, Phrase]] = {}
        self._things: dict[tuple[int, int, bool], tuple[ex.Selection, Scope, Things]] = {}

    @abstractmethod
    def clause(self, expr: ex.Expr, scope: Scope, negated: bool = False) -> str:
        """Return a condition, or its opposite, as a clause."""

    @abstractmethod
    def inlined(self, expr: ex.Condition) -> ex.Condition:
        """Return a condition in which small definitions are written out."""

    def noun(self, expr: ex.Expr, scope: Scope) -> Phrase:
        """Return any value as a noun phrase; a condition becomes "whether ...".

        It is remembered by the very objects (which are kept, so that no other gets their number): ways of saying
        things try several words for the same part, and parts lie deep in one another.
        """
        key = (id(expr), id(scope))
        if key not in self._told:
            self._told[key] = (expr, scope, self._noun(expr, scope))
        return self._told[key][2]

    def _noun(self, expr: ex.Expr, scope: Scope) -> Phrase:
        match expr:
            case ex.Name():
                return self._name(expr, scope)
            case ex.Number(value=value):
                return Phrase(str(value) if value >= 0 else f"minus {-value}")
            case ex.String(value=value):
                return Phrase(f"`{verbatim(value)}`")
            case ex.Bool(value=value):
                return Phrase("yes" if value else "no")
            case ex.NoneValue():
                return Phrase("none")
            case ex.Each():
                return scope.each or Phrase("the card")
            case ex.Seat(number=number):
                return Phrase(f"player {number}")
            case ex.SeatByOption(option=option):
                return Phrase(f"the player whose number is {self.text(option, scope)}, counted round the table")
            case ex.TupleValue(items=items):
                return Phrase(", then ".join(self.noun(i, scope).text for i in items))
            case ex.Attribute(base=base, name=name):
                return self.noun(base, scope).has(words(name), plural=is_plural(name))
            case ex.Index():
                return self._indexed(expr, scope)
            case ex.Call():
                return self._call(expr, scope)
            case ex.Fold() | ex.Over():
                return self.folded(expr, scope)
            case ex.Pick() | ex.Extreme() | ex.All():
                return self.chosen_phrase(expr, scope)
            case ex.Arithmetic(op="+") if self.lexicon.sort(expr) == "cards":
                told = [self.text(s, scope).removeprefix("the cards in ") for s in operands(expr, "+")]
                return Phrase(f"the cards in {listing(told)}", True)
            case ex.Arithmetic(op="-") if self.lexicon.sort(expr) == "cards":
                left, right = self.noun(expr.left, scope), self.noun(expr.right, scope)
                taken = f"those in {right.text}" if self.is_zone(expr.right) and not right.plural else right.text
                kept = f"the cards in {left.text}" if self.is_zone(expr.left) and not left.plural else left.text
                return Phrase(f"{kept} without {taken}", True)
            case ex.Arithmetic() | ex.Divide() | ex.Negative():
                return Phrase(self._sum(expr, scope))
            case ex.RangeValue(low=low, high=high):
                return Phrase(f"{self.noun(low, scope).text} to {self.noun(high, scope).text}")
            case ex.EndOf(which=end, zone=zone):
                return self._end_of(end, zone, scope)
            case ex.The(value=value):
                return self.noun(value, scope)
            case ex.Chain():
                return Phrase(self._chain(expr, scope))
            case _:  # All others are conditions.
                return Phrase(f"whether {self.clause(expr, scope)}")

    def phrases(self) -> dict[Span, str]:
        """Return how the values that were told are called, by where they stand in the spec."""
        return {expr.span: phrase.text for expr, _, phrase in self._told.values()}

    def text(self, expr: ex.Expr, scope: Scope) -> str:
        """Return the text of a value."""
        return self.noun(expr, scope).text

    # ---- names

    def _name(self, expr: ex.Name, scope: Scope) -> Phrase:
        name = expr.name
        if name in scope.phrases:
            return scope.phrases[name]
        match self.lexicon.info.symbol(expr):
            case Zone() as zone:
                return self.zone(zone)
            case Variable() as variable:
                bare = self.variable_noun(variable)
                return Phrase(f"the {bare}", bare=bare)
            case Define():
                return self.defined(name, self.lexicon.sort(expr))
            case Option() as option:
                is_number = isinstance(option.type, Int)
                return Phrase(f"the *{words(name)}*" if is_number else f"the option *{words(name)}*")
            case EnumType():
                return Phrase(f"the {plural(words(name))}", True)
            case _:  # Nothing that is declared under this name: the players, a value.
                if name == "players":
                    return Phrase("all players", True)
                return Phrase(words(name) if self.lexicon.sort(expr) in self.lexicon.enums else name)

    def zone(self, zone: Zone) -> Phrase:
        """Return a zone: "the stock", "the won cards"."""
        bare, many = self.zone_noun(zone)
        return Phrase(f"the {bare}", many, bare=bare)

    def zone_noun(self, zone: Zone) -> tuple[str, bool]:
        """Return what a zone is called, without an article, and whether that is plural."""
        told = words(zone.name)
        if not is_adjective(zone.name):
            named = with_kind(zone.name, zone.kind)
            return named, named == told and zone.kind == "cards" and is_plural(zone.name)
        noun, many = KIND_WORDS.get(zone.kind, ("cards", True))
        return f"{told} {noun}", many

    def variable_noun(self, variable: Variable) -> str:
        """Return what a variable is called, without an article."""
        return self._valued(variable.name, sort_of_type(variable.type))

    def _valued(self, name: str, sort: str) -> str:
        """Return a name as a noun: a number of things, a suit that was led."""
        told = words(name)
        if sort == "number":
            if is_adjective(name):
                things = " " in told and is_plural(told.split(" ")[0])
                return f"number {'of ' if things else ''}{told}"
            if told.split(" ")[-1] in ("less", "more"):
                return f"number *{told}*"
            return f"number of {told}" if is_plural(name) else told
        if sort == "player" and not is_noun(name):
            return f"player who *{said_of(name)}*"
        noun = self.sort_noun(sort)
        if noun in told.split(" "):
            return told
        if is_adjective(name) and sort not in ("boolean", "thing", "values"):
            return f"{told} {self.sort_noun(sort)}"
        return told

    def defined(self, name: str, sort: str) -> Phrase:
        """Return a definition without arguments: "the *taker*"."""
        told = self._valued(name, sort) if sort not in ("number", "players", "cards") else words(name)
        if sort in ("players", "cards") and not is_plural(told):
            return Phrase(f"the *{words(name)}* {sort}", True, bare=f"*{words(name)}* {sort}")
        return Phrase(f"the *{told}*", sort in ("players", "cards"), bare=f"*{told}*")

    def sort_noun(self, sort: str) -> str:
        """Return the noun for a thing of a sort: an enumeration lends its name."""
        named = {"players": "players", "cards": "cards", "values": "values", "thing": "value", "boolean": "mark"}
        return named.get(sort) or words(sort)

    # ---- what belongs to something

    def _indexed(self, expr: ex.Index, scope: Scope, each: str = "each") -> Phrase:
        """Return one of a family: the player it belongs to in front, a value's word before the noun, else behind.

        `each` is said of the players and values of a list: "each player's hand", "any player's hand".
        """
        many = False
        family = self.lexicon.info.symbol(expr.base)
        if isinstance(family, Zone):
            noun, many = self.zone_noun(family)
        else:
            assert isinstance(family, Variable)
            noun = self.variable_noun(family)
        if len(expr.indices) == 1 and not many and (cases := self._by_case(noun, expr.indices[0], scope)) is not None:
            return cases
        owner: Phrase | None = None
        behind = ""
        for index in expr.indices:
            sort = self.lexicon.sort(index)
            if sort == "players" and owner is None:
                told = self.noun(index, scope)
                if told.text == "all players" and each == "all" and len(expr.indices) == 1:
                    several = told.has(noun if many else plural(noun), plural=True).text
                    return Phrase(several if many else f"the cards in {several}", True)
                if told.text != "all players" and told.simple and each != "any" and len(expr.indices) == 1:
                    several = told.has(noun if many else plural(noun), plural=True).text
                    return Phrase(several if many else f"the cards in {several}", True)
                which = "each" if each == "all" else each
                owner = Phrase(f"{which} player" if told.text == "all players" else f"{which} of {told.text}")
            elif sort in _LISTS:
                behind += f" for {'each' if each == 'all' else each} {self._listed(index, scope)}"
            elif sort == "player" and owner is None:
                owner = self._owner(index, scope)
            elif isinstance(index, ex.Name) and self.lexicon.info.constant(index) is not None:
                noun = f"{words(index.name)} {noun}"
            elif sort == "number":
                behind += f" number {self.text(index, scope)}"
            else:
                behind += f" for {self.text(index, scope)}"
        place = Phrase(f"the {noun}{behind}", many, bare=noun + behind)
        if owner is not None:
            place = owner.has(noun + behind, plural=many)
        if not self.is_several(expr):
            return place
        return Phrase(place.text if many else f"the cards in {place.text}", True)

    def _listed(self, index: ex.Expr, scope: Scope) -> str:
        """Return a list that stands as an index, behind `each`: "role", "of 1 to 3"."""
        if isinstance(index, ex.Name) and isinstance(self.lexicon.info.symbol(index), EnumType):
            return words(index.name)
        return f"of {self.text(index, scope)}"

    def in_any(self, expr: ex.Expr, scope: Scope) -> str:
        """Return "cards in any player's hand" for the places of a list; nothing for everything else."""
        if not isinstance(expr, ex.Index) or not self.is_several(expr):
            return ""
        told = self._indexed(expr, scope, "any").text.removeprefix("the ")
        return told if told.startswith("cards in ") else f"cards among {told}"

    def is_several(self, place: ex.Expr) -> bool:
        """Whether a value is several places at once."""
        return isinstance(place, ex.Index) and any(self.lexicon.sort(i) in _LISTS for i in place.indices)

    def _by_case(self, noun: str, index: ex.Expr, scope: Scope) -> Phrase | None:
        """Return what belongs to one or another: "the score of the taker if C, otherwise of the leader".

        None where it is settled to whom it belongs.
        """
        if not isinstance(index, ex.Chain):
            return None
        first, *others = index.alternatives
        if first.condition is None or any(o.condition is None for o in others[:-1]) or not others:
            return None
        told = [
            f"of {self.text(link.value, scope)}"
            + ("" if link.condition is None else f" if {self.clause(link.condition, scope)}")
            for link in index.alternatives
        ]
        return Phrase(f"the {noun} {', otherwise '.join(told)}")

    def _owner(self, index: ex.Expr, scope: Scope) -> Phrase:
        if scope.actor is not None and index == scope.actor:
            return Phrase("they", True, whose="their")
        return self.noun(index, scope)

    # ---- calls

    def _call(self, expr: ex.Call, scope: Scope) -> Phrase:
        args = [self.noun(a, scope) for a in expr.args]
        if (function := CALLABLE.get(expr.name)) is not None and args:
            return self._call_of_language(function, expr, args, scope)
        if expr.name not in self.lexicon.defines:
            return Phrase(f"whether {self.clause(expr, scope)}")
        sort = self.lexicon.sort(expr)
        if sort == "boolean":
            return Phrase(f"whether {self.clause(expr, scope)}")
        args = [_bracketed(a) for a in args] if len(args) > 1 else args
        if len(args) == 1 and sort == "number":
            cases = self._by_case(f"*{words(expr.name)}*", expr.args[0], scope)
            if cases is not None:
                return cases
        owner = self._owner(expr.args[0], scope) if args else None
        return self.called(expr.name, args, [self.lexicon.sort(a) for a in expr.args], sort, owner)

    def _call_of_language(self, function: Function, expr: ex.Call, args: list[Phrase], scope: Scope) -> Phrase:
        """Return a call by the English in the table of functions."""
        english = function.english
        if english.relation is not None and english.noun is None:
            return self._owner(expr.args[0], scope).has(english.relation)
        if english.relation is not None and args[0].whose:
            return args[0].has(english.relation)
        if english.noun is not None and len(args) == 1:
            sort = self.lexicon.sort(expr.args[0])
            noun = words(sort) if sort in self.lexicon.enums else "player"
            unnamed = args[0].text == f"the {noun}"
            return Phrase((english.beside if unnamed and english.beside else english.noun).format(args[0].text, noun))
        if english.noun is not None:
            return Phrase(english.noun.format(*(a.text for a in args)))
        if function.name == "count":
            return self._count(expr.args[0], args[0])
        if english.clause is not None:
            return Phrase(f"whether {self.clause(expr, scope)}")
        which = {"min": ("lesser", "least"), "max": ("greater", "greatest")}[function.name][len(args) > 2]
        parts = [f"({a.text})" if " and " in a.text else a.text for a in args]
        return Phrase(f"the {which} of {listing(parts)}")

    def called(self, name: str, args: list[Phrase], sorts: list[str], sort: str, owner: Phrase | None = None) -> Phrase:
        """Return a definition applied to something: "the player's *partner*", "the *points* for 2 and 3".

        `owner` is the first of these things as what possesses something, where that has other words: "their".
        """
        many = sort in ("players", "cards")
        noun = words(name) if sort == "number" else self._valued(name, sort)
        if many and not is_plural(noun):
            noun = f"{words(name)} {sort}"
        if owner is None and args:
            owner = args[0]
        if many and owner is not None and (rest := noun.removeprefix("all ")) != noun:
            return Phrase(f"all {owner.has(f'*{rest}*').text}", True, bare=f"*{rest}*", owner=owner)
        bare = f"*{noun}*"
        if args and noun.split(" ")[-1] in PREPOSITIONS:
            return Phrase(f"the {bare} {listing([a.text for a in args])}", many, bare=bare)
        counted = is_plural(noun) and not many
        if owner is not None and sorts[0] in ("player", "card", "cards", *self.lexicon.enums) and not counted:
            told = owner.has(bare, plural=many)
            with_ = f" {'for' if many else 'with'} {listing([a.text for a in args[1:]])}" if args[1:] else ""
            return Phrase(told.text + with_, many, bare=bare + with_, owner=told.owner)
        for_ = f" for {listing([a.text for a in args])}" if args else ""
        return Phrase(f"the {bare}{for_}", many or counted, bare=bare + for_)

    def _count(self, arg: ex.Expr, phrase: Phrase) -> Phrase:
        if isinstance(arg, ex.Name) and arg.name == "players":
            return Phrase("the number of players")
        if self.lexicon.sort(arg) == "players":
            return Phrase(f"the number of {phrase.bare or phrase.text}")
        return Phrase(f"the number of {phrase.text if phrase.plural else f'cards in {phrase.text}'}")

    # ---- sums and chains

    def _sum(self, expr: ex.Expr, scope: Scope) -> str:
        match expr:
            case ex.Negative(value=value) | ex.Arithmetic(op="-", left=ex.Number(value=0), right=value):
                return f"minus {self._part(value, scope, '-')}"
            case ex.Arithmetic(op="mod"):
                return f"the remainder of {self._part(expr.left, scope)} divided by {self._part(expr.right, scope)}"
            case ex.Arithmetic(op=op):
                plain = op in "+-" and not isinstance(expr.left, ex.Chain)
                left = self.text(expr.left, scope) if plain else self._part(expr.left, scope)
                return f"{left} {_SUMS[op]} {self._part(expr.right, scope, op)}"
            case ex.Divide(right=ex.Number(value=2)):
                return f"half of {self._part(expr.left, scope)}, {_ROUNDED.get(expr.rounded, expr.rounded)}"
            case ex.Divide():
                left, right = self._part(expr.left, scope), self._part(expr.right, scope)
                return f"{left} divided by {right}, {_ROUNDED.get(expr.rounded, expr.rounded)}"
        return self.text(expr, scope)

    def _part(self, expr: ex.Expr, scope: Scope, op: str = "*") -> str:
        """Return a part of a sum, in brackets where it would be read wrongly without them."""
        text = self.text(expr, scope)
        product = isinstance(expr, ex.Arithmetic) and expr.op == "*"
        loose = isinstance(expr, ex.Arithmetic | ex.Divide | ex.Chain) and not (product and op in "+-")
        return f"({text})" if loose else text

    def _chain(self, expr: ex.Chain, scope: Scope) -> str:
        """Return a chain in one breath: "a if C, otherwise b, or if there is none c"."""
        told = ""
        conditional = False
        for link in expr.alternatives:
            value = self.text(link.value, scope)
            if told:
                told += ", otherwise " if conditional else ", or if there is none "
            told += value
            conditional = link.condition is not None
            if link.condition is not None:
                told += f" if {self.clause(link.condition, scope)}"
        return told

    def _end_of(self, which: str, zone: ex.Expr, scope: Scope) -> Phrase:
        phrase = self.noun(zone, scope)
        if self.is_slot(zone):
            return self.slot_card(zone, phrase)
        if phrase.plural:
            return Phrase(f"the {which} one of {phrase.text}")
        return Phrase(f"the {which} card of {phrase.text}", bare=f"{which} card of {phrase.text}")

    def slot_card(self, slot: ex.Expr, phrase: Phrase) -> Phrase:
        """Return the card in a slot: "the turned card" in a slot that is called so, "the card in the board slot"."""
        family = self.family(slot)
        if family is not None and is_adjective(family.name) and phrase.text.endswith(" slot"):
            bare = f"{phrase.bare.removesuffix(' slot')} card"
            return Phrase(f"{phrase.text.removesuffix(' slot')} card", bare=bare, owner=phrase.owner)
        return Phrase(f"the card in {phrase.text}", bare=f"card in {phrase.text}")

    def is_zone(self, place: ex.Expr) -> bool:
        """Whether a value is a place as it stands in the spec."""
        return self.family(place) is not None

    def is_slot(self, place: ex.Expr) -> bool:
        """Whether a place holds one card at most."""
        family = self.family(place)
        return family is not None and family.kind == "slot" and not self.is_several(place)

    def family(self, place: ex.Expr) -> Zone | None:
        """Return the zone that a place is of; None for what is no place."""
        found = self.lexicon.info.symbol(place.base if isinstance(place, ex.Index) else place)
        return found if isinstance(found, Zone) else None

    # ---- names that the rules give to things

    def local(self, name: str, sort: str, scope: Scope, again: str = "that") -> Phrase:
        """Return what a local name is called: short ones by their sort, long ones by themselves.

        `again` tells one thing from another that is "the card" already: "that card", "the other card"; where
        it is empty, the name itself does.
        """
        noun = self.sort_noun(sort)
        many = sort in ("cards", "players", "values")
        told = words(name)
        if len(name) <= SHORT or told == noun or name == "me":
            first, second = f"the {noun}", f"{again} {noun}" if not many else f"those {noun}"
            free = next(
                (text for text in ((first, second) if again else (first,)) if not scope.uses(text)), f"{noun} *{name}*"
            )
            return Phrase(free, many, bare=noun)
        if is_adjective(name) and sort != "boolean":
            bare = f"{noun} {told}" if sort in ("cards", "card", "number") else f"{told} {noun}"
            return Phrase(f"the {bare}", many, bare=bare)
        if sort == "boolean":
            return Phrase(f"*{told}*")
        return Phrase(f"the {told}", is_plural(name), bare=told)

    def cards_number(self, count: ex.Expr, scope: Scope) -> str:
        """Return "one card", "5 cards", "as many cards as the hand size", "7 cards if C, otherwise 5"."""
        text = self.text(count, scope)
        if isinstance(count, ex.Chain) and (first := text.partition(" if "))[0].isdecimal():
            return f"{number_of(first[0], 'card')} if {first[2]}"
        return number_of(text, "card") if text.isdecimal() else f"as many cards as {text}"

    def one_of(self, sort: str) -> str:
        """Return "a card", "a player", "a suit"."""
        return some_of(self.sort_noun(sort), sort)

    # ---- selections
    def things(self, selection: ex.Selection, scope: Scope, *, many: bool = False) -> Things:
        """Return what a selection goes through, with its condition behind; remembered as nouns are."""
        key = (id(selection), id(scope), many)
        if key not in self._things:
            self._things[key] = (selection, scope, self._gone_through(selection, scope, many))
        return self._things[key][2]

    def _gone_through(self, selection: ex.Selection, scope: Scope, many: bool) -> Things:
        sort = self.lexicon.sort(selection)
        noun = self.sort_noun(sort) if sort != "thing" else "thing"
        if sort == "number":
            noun = "number"
        if sort == "cards":
            noun = "choice of cards"
        human = sort == "player"
        inner, called = self._named(selection, sort, scope)
        tail = self._domain(selection.domain, scope)
        where = ""
        named, asked = self.of_kind(selection.where, selection.name) if sort == "card" else (None, selection.where)
        if asked is not None:
            where, plain = self.relative(asked, selection.name, inner, human=human, many=many)
            if not plain and called != f"the {noun}":
                noun = f"{noun} *{selection.name}*" if len(selection.name) <= 2 else noun
        place = self._searched(selection.domain, scope) if tail.startswith(" among ") else None
        whole = ""
        if named is not None:
            noun = named
        elif many and place is not None and place.text.startswith(("the ", "these ")):
            whole = place.text + where
        if where and place is not None and re.search(r" (among|who|that|whose) ", place.text):
            where, tail, whole = "", f"{where}, among {place.text}", ""
        elif where and place is not None and self.is_several(selection.domain):
            where, tail = "", f"{where} among {place.text}"
        order = "" if selection.start is None else f"beginning with {self.text(selection.start, scope)}"
        behind = where + tail if where.startswith(OF_THAT) else tail + where
        several = sort == "player" and place is not None and whole == "" and not many
        among = (
            f"{place.text}{where}" if several and place is not None and place.text.startswith(("the ", "all ")) else ""
        )
        return Things(noun, behind, order, inner, human, whole, among.replace("all ", "the ", 1))

    def _named(self, selection: ex.Selection, sort: str, scope: Scope) -> tuple[Scope, str]:
        phrase = self.local(selection.name, sort, scope)
        if sort == "cards":
            phrase = Phrase("these cards", True)
        return scope.named(selection.name, phrase), phrase.text

    def _domain(self, domain: ex.Expr, scope: Scope) -> str:
        match domain:
            case ex.Name(name="players"):
                return ""
            case ex.Name() if isinstance(self.lexicon.info.symbol(domain), EnumType):
                return ""
            case ex.RangeValue():
                return f" from {self.text(domain, scope)}"
            case ex.Call(name="subsets", args=(cards, *sizes)):
                size = f", {self.text(sizes[0], scope)} of them," if sizes else ""
                return f" from {self.text(cards, scope)}{size}"
            case ex.All(selection=inner) if self.lexicon.sort(inner) == "card":
                return self.things(inner, scope, many=True).behind
        phrase = self._searched(domain, scope)
        return f" {'among' if phrase.plural else 'in'} {phrase.text}"

    def _searched(self, domain: ex.Expr, scope: Scope) -> Phrase:
        """Return a place or a list in which something is looked for: of several places, "all players' hands"."""
        if isinstance(domain, ex.Index) and self.is_several(domain):
            return self._indexed(domain, scope, "all")
        return self.noun(domain, scope)

    def relative(
        self, where: ex.Condition, name: str, scope: Scope, *, human: bool, many: bool = False
    ) -> tuple[str, bool]:
        """Return a condition as a relative clause, and whether it needs no name for the thing itself.

        `scope` calls the thing by its name; a part of which the thing is the subject does without.
        """
        where = self.inlined(where)
        if (same := self.of_that(where, name, scope)) is not None:
            return same, True
        pronoun = Phrase("who" if human else "that", many, whose="whose")
        there = scope.named(name, pronoun)
        leading, others = [], []
        for part in operands(where, "and"):
            if self.tellable(part, name):
                leading.append(self.clause(part, there))
            else:
                others.append(self.clause(part, scope))
        text = " " + " and ".join(said_once(leading)) if leading else ""
        if others:
            text += f"{' and' if leading else ''} for {'whom' if human else 'which'} " + " and ".join(others)
        return text, not others

    def of_kind(self, where: ex.Condition | None, name: str) -> tuple[str | None, ex.Condition | None]:
        """Return what a card is called of which a condition asks of what kind it is, and what else is asked.

        A kind of cards is told so ("Ace card"), and a definition that is the game's word for some of its cards.
        """
        if where is None:
            return None, None
        parts = operands(where, "and")
        for part in parts:
            match part:
                case ex.Is(negated=False, value=ex.Name(name=own), test=ex.KindPattern(args=None | ()) as kind) if (
                    own == name and kind.name in self.lexicon.kinds
                ):
                    noun = kind_noun(self.lexicon, kind.name)
                case ex.Call(name=called, args=(ex.Name(name=own),)) if (
                    own == name and (word := self.word_for_cards(called)) is not None
                ):
                    noun = f"*{word}*"
                case _:  # No other says of what kind a card is.
                    continue
            others = [p for p in parts if p is not part]
            left: ex.Condition | None = others[0] if others else None
            for other in others[1:]:
                assert left is not None
                left = self.lexicon.info.like(where, ex.Logic("and", left, other, span=where.span))
            return noun, left
        return None, where

    def of_that(self, where: ex.Condition, name: str, scope: Scope) -> str | None:
        """Return "of that suit" for a card whose suit is what is called the suit; None for all else.

        The card is called `name` in the condition, or `each`.
        """
        match where:
            case ex.Compare(op="==", left=ex.Attribute(base=base, name=attribute), right=right) if (
                isinstance(base, ex.Each) if name == "each" else isinstance(base, ex.Name) and base.name == name
            ) and self.text(right, scope) in (f"the {words(attribute)}", f"that {words(attribute)}"):
                return f"{OF_THAT}{words(attribute)}"
        return None

    def tellable(self, condition: ex.Condition, name: str) -> bool:
        """Whether every part of a condition can be a relative clause about a thing."""
        return all(leads(part, name) and self.told_of(part) for part in operands(condition, "and"))

    def told_of(self, condition: ex.Condition) -> bool:
        """Whether a condition of which a thing is the subject can follow it: a top card of something cannot."""
        match condition:
            case ex.Is(value=ex.EndOf(zone=zone), test=test):
                return self.is_slot(zone) and not isinstance(test, str | ex.Member)
            case ex.Logic(left=left, right=right):
                return self.told_of(left) and self.told_of(right)
            case ex.Not(value=value):
                return self.told_of(value)
        return True

    def chosen_phrase(self, expr: ex.Expr, scope: Scope) -> Phrase:
        """Return a pick, the best, or all of a selection."""
        match expr:
            case ex.Pick(selection=ex.Selection(domain=zone, where=None), count=None) if self.is_slot(zone):
                return self.noun(ex.EndOf("top", zone, span=expr.span), scope)
            case ex.Pick(selection=selection, count=None) if (only := self._only_card(selection)) is not None:
                place = self._domain(selection.domain, scope)
                return Phrase(f"{only}{place}", bare=f"{only.removeprefix('the ')}{place}")
            case ex.Pick(which=which, selection=selection, count=None):
                things = self.things(selection, scope)
                return Phrase(things.one(f"the {which}") + _in_order(things), bare=things.bare())
            case ex.Pick(which=which, selection=selection, count=count):
                assert count is not None
                things = self.things(selection, scope, many=True)
                return Phrase(
                    things.many(f"the {which} {self.text(count, scope)}") + _in_order(things),
                    True,
                    bare=things.bare(many=True),
                )
            case ex.Extreme():
                return self._extreme(expr, scope)
            case ex.All(selection=selection):
                things = self.things(selection, scope, many=True)
                return Phrase(things.many("all") + _in_order(things), True, bare=things.bare(many=True))
        return self.noun(expr, scope)

    def _only_card(self, selection: ex.Selection) -> str | None:
        """Return the one card of the game that a selection asks for: "the `2C`"; None where there are several."""
        match selection.where:
            case ex.Is(negated=False, value=ex.Name(name=name), test=ex.KindPattern() as pattern) if (
                name == selection.name
            ):
                faces = matching_faces(self.lexicon, pattern)
                alone = len(faces) == 1 and faces[0].copies == 1 and faces[0].owner is None
                return face_name(faces[0]) if alone else None
        return None

    def _extreme(self, expr: ex.Extreme, scope: Scope) -> Phrase:
        selection = expr.selection
        named, asked = self.of_kind(selection.where, selection.name)
        among = asked is not None or selection.start is not None
        things = self.things(selection, scope, many=expr.ties or among)
        which = {"highest": ("highest", "most"), "lowest": ("lowest", "fewest")}[expr.which]
        match expr.by:
            case ex.TupleValue(items=(first, *others)) if self.lexicon.sort(first) == "boolean":
                return self._sieved(expr, first, others, scope)
        by = self._key(expr.by, selection.name, things, which)
        if expr.ties:
            return Phrase(f"{things.many('all')} with {by}", True, bare=things.bare(many=True))
        if not among:
            several = things.behind.startswith(" among ")  # "with the highest rank" may not follow the last of them.
            told = f"the {things.noun} with {by}{things.behind}" if several else f"{things.one('the')} with {by}"
            return Phrase(told, bare=things.bare())
        by += "," if ", " in by else ""
        order = f", counted from {self.text(selection.start, scope)}" if selection.start is not None else ""
        noun = things.noun if named is None else self.sort_noun("card")
        return Phrase(f"the {noun} with {by} among {things.many('the')}{order}", bare=things.bare())

    def _sieved(self, expr: ex.Extreme, first: ex.Expr, others: list[ex.Expr], scope: Scope) -> Phrase:
        """Return the best of a selection of which those come first that a condition holds for."""
        selection = expr.selection
        which = {"highest": ("highest", "most"), "lowest": ("lowest", "fewest")}[expr.which]
        things = self.things(selection, scope, many=True)
        held = self._first_of_whom(expr, first, things)
        best = ", and among equals ".join(self._key(other, selection.name, things, which) for other in others)
        if expr.ties:
            of_these = f", and of these those with {best}"
            return Phrase(f"{things.many('all')}{held} (where there are none, all){of_these}", True,
                          bare=things.bare(many=True))  # fmt: skip
        among = f"among {things.many('the')}{held} (where there are none, among all)"
        return Phrase(f"the {self.sort_noun(self.lexicon.sort(selection))} with {best} {among}", bare=things.bare())

    def _first_of_whom(self, expr: ex.Extreme, first: ex.Expr, things: Things) -> str:
        """Return the condition that comes first, behind those of whom it holds."""
        name = expr.selection.name
        wanted = first if expr.which == "highest" else ex.Not(first, span=first.span)
        held, _ = self.relative(wanted, name, things.scope, human=things.human, many=True)
        if held.startswith((" who", " that")):
            return held
        own = Phrase("them", True, whose="their")  # The thing stands deep in the clause.
        return f" for {'whom' if things.human else 'which'} {self.clause(wanted, things.scope.named(name, own))}"

    def sieved_win(self, value: ex.Expr, scope: Scope) -> str | None:
        """Return who wins where those come first that a condition holds for, as a sentence; None for all else."""
        match value:
            case ex.Extreme(ties=True, by=ex.TupleValue(items=(first, *others)), selection=selection) if (
                self.lexicon.sort(first) == "boolean"
            ):
                things = self.things(selection, scope, many=True)
                held = self._first_of_whom(value, first, things)
                which = {"highest": ("highest", "most"), "lowest": ("lowest", "fewest")}[value.which]
                best = ", and among equals ".join(self._key(o, selection.name, things, which) for o in others)
                those = things.many("the").replace("the ", "those ", 1)
                return f"{those} win{held}, or all of them if there are none; of several, those with {best}"
        return None

    def best(self, expr: ex.Extreme, scope: Scope) -> str:
        """Return what the best of a selection is the best by: "the highest score"."""
        which = {"highest": ("highest", "most"), "lowest": ("lowest", "fewest")}[expr.which]
        things = self.things(expr.selection, scope, many=True)
        return self._key(expr.by, expr.selection.name, things, which)

    def _key(self, by: ex.Expr, name: str, things: Things, which: tuple[str, str]) -> str:
        """Return what the best is the best by: "the highest rank", "the most cards in the hand"."""
        scope = things.scope
        own = Phrase("them", True, whose="their") if things.human else Phrase("it", whose="its")
        its = scope.named(name, own)
        match by:
            case ex.Attribute(base=ex.Name(name=whose), name=attribute) if whose == name:
                return f"the {which[0]} {words(attribute)}"
            case ex.Index(base=base, indices=(ex.Name(name=index),)) if index == name:
                if isinstance(family := self.lexicon.info.symbol(base), Variable):
                    noun = self.variable_noun(family)
                    counted = noun.removeprefix("number of ")
                    return f"the {which[1]} {counted}" if counted != noun else f"the {which[0]} {noun}"
                return f"the {which[1]} cards in {self.text(by, its)}"
            case ex.Call("count", (ex.Index() as zone,)) if mentions(zone, name):
                return f"the {which[1]} cards in {self.text(zone, its)}"
            case _ if self.lexicon.sort(by) == "boolean":
                first, last = ("yes", "no") if which[0] == "highest" else ("no", "yes")
                return f"the better answer to whether {self.clause(by, its)} ({first} before {last})"
            case ex.TupleValue(items=items):
                return ", and among equals ".join(self._key(i, name, things, which) for i in items)
        told = self.noun(by, its)
        starts = ("its ", "their ", "the ")
        whole = told.text if told.text.startswith(starts) else f"value of {told.text}"
        for start in starts:
            whole = whole.removeprefix(start)
        return f"the {which[0]} {whole}"

    def folded(self, expr: ex.Fold | ex.Over, scope: Scope) -> Phrase:
        """Return a sum, a number, a greatest."""
        name = expr.selection.name
        things = self.things(expr.selection, scope, many=True)
        if isinstance(expr, ex.Over):
            if expr.function == "count":
                return Phrase(things.many("the number of"))
            value: ex.Expr = ex.Name(name, span=expr.span)
        else:
            value = expr.value
        if expr.function in ("same", "different"):
            return Phrase(f"whether {self.alike(expr, scope)}")
        lead = {"sum": "the total", "min": "the least", "max": "the greatest"}.get(expr.function, "each")
        rest = ""
        if expr.function == "sum":
            value = without_nothing(value)
            match value:
                case ex.Call("max", (kept, ex.Number(value=0))) | ex.Call("max", (ex.Number(value=0), kept)):
                    value, rest = kept, " (what is below 0 left out)"
        match value:
            case ex.Attribute(base=ex.Name(name=base), name=attribute) if base == name:
                return Phrase(f"{lead} {words(attribute)} of {things.many('the')}")
            case ex.Attribute(base=ex.Attribute(base=ex.Name(name=base), name=inner), name=attribute) if base == name:
                return Phrase(f"{lead} {words(attribute)} of the {plural(words(inner))} of {things.many('the')}")
        told = self.noun(value, things.scope)
        if told.owner is not None and told.owner == things.scope.phrases[name] and told.bare:
            of = "of" if lead == "the total" else "among"
            return Phrase(f"{lead} {told.bare} {of} {things.many('all')}{rest}")
        over = things.many("all")
        if expr.function == "sum":
            return Phrase(f"the sum of {told.text} over {over}{rest}")
        return Phrase(f"{lead} {told.text.removeprefix('the ')} over {over}")

    def alike(self, expr: ex.Fold | ex.Over, scope: Scope, negated: bool = False) -> str:
        """Return that all are the same in something, or that no two are, as a clause."""
        things = self.things(expr.selection, scope, many=True)
        value = expr.value if isinstance(expr, ex.Fold) else ex.Name(expr.selection.name, span=expr.span)
        match value:
            case ex.Attribute(base=ex.Name(name=base), name=attribute) if base == expr.selection.name:
                what = words(attribute)
            case _:  # All others are told as values.
                what = self.text(value, things.scope).removeprefix("the ")
        if expr.function == "same":
            return f"{'not ' if negated else ''}{things.many('all')} have the same {what}"
        return f"{'some' if negated else 'no'} two {plural(things.noun)}{things.behind} have the same {what}"

    def word_for_cards(self, name: str) -> str | None:
        """Return the noun by which a definition calls some of the cards, which says more than what it stands for.

        It is one of a kind of cards that is called so (`affliction`), or says itself that it is a noun (`is_shield`).
        """
        define = self.lexicon.defines.get(name)
        if define is None or [self.lexicon.sort(p) for p in define.params] != ["card"]:
            return None
        said = predicate(name)
        if said is not None:
            return re.sub("^is an? ", "", said) if said.startswith(("is a ", "is an ")) else None
        of_a_kind = isinstance(define.value, ex.Is) and isinstance(define.value.test, ex.KindPattern)
        return words(name) if of_a_kind and is_noun(name) else None


def _bracketed(phrase: Phrase) -> Phrase:
    """Return one of several arguments, in brackets if a reader could not see where it ends."""
    return Phrase(f"({phrase.text})") if ", " in phrase.text else phrase


def _in_order(things: Things) -> str:
    return f" ({things.order})" if things.order else ""
