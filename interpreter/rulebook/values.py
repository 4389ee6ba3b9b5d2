"""Values as noun phrases: "your hand", "the first Wizard in the trick", "the total value of these cards".

A phrase can have a condition in it, and a condition phrases: how conditions become clauses is left to
`interpreter.rulebook.conditions`, which builds on this.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import takewhile

import attrs

from grammar import expressions as ex
from grammar.ast import MatchValue
from grammar.english import counted
from grammar.expressions import operands
from grammar.source import Span
from grammar.statements import Let
from interpreter.analysis.core import Define, Variable
from interpreter.analysis.functions import CALLABLE, Function
from interpreter.analysis.symbols import Local, Option, Zone
from interpreter.analysis.types import Bool, EnumType, Int
from interpreter.english import clauses, phrases
from interpreter.english.phrases import IT, THEY, Phrase, named, whose
from interpreter.english.words import (
    ADJECTIVES,
    PREPOSITIONS,
    capital,
    integer,
    is_adjective,
    is_bid,
    is_noun,
    is_plural,
    listing,
    mark,
    number_of_words,
    plural,
    predicate,
    says_nothing,
    singular,
    title,
    with_kind,
    words,
)
from interpreter.rulebook.lexicon import POSITION, TEAM, Lexicon, Scope, sort_of_type
from interpreter.rulebook.page import SENTENCES, WITH, chapter_mark, option_mark, runs, verbatim
from interpreter.rulebook.patterns import face_name, kind_noun, matching_faces
from interpreter.rulebook.trees import EACH, all_of, is_natural, leads, mentions, replaced, without_nothing

KIND_WORDS = {"pile": ("pile", False), "row": ("row", False), "cards": ("cards", True), "slot": ("slot", False)}
"""The noun for a zone after an adjective: "the turned slot", "the won cards"."""
_LISTS = ("players", "values")
"""Sorts of which a zone or variable can have an index, and is then several of them."""
_SUMS = {"+": "plus", "-": "minus", "*": "times"}
_ROUNDED = {"up": "rounded up", "down": "rounded down", "nearest": "rounded to the nearest"}
SHORT_GROUP = 5
"""The most words of a group that stands within a clause; a longer one follows a colon."""

_ALIKE = {"same": "the same", "different": "different", "consecutive": "different and consecutive in some order"}
_BEST = {"highest": ("highest", "most"), "lowest": ("lowest", "fewest")}
_IN_ORDER = {"row": "the oldest first", "cards": "in the order of the deck"}
_HOLE = re.compile(r"\{([^{}]*)\}(s\b)?")
_OTHER = " other"
"""The name of the other of two players in a condition on one; no name of a spec."""
_ENDS_OF_PILES = {"first": "top", "last": "bottom"}
_AMONG = "among "
FROM_FIRST = "(starting with player 1)"
"""The order of all players, where no other is named."""
FROM_TOP = "(from the top)"
"""The order of the cards of a pile."""
LONG_VALUE = 18
"""Words of a value; a longer one is described in several sentences where it can be."""


@attrs.frozen
class Group:
    """The domain of a selection: one of its things as a phrase, the scope for what is said of it, and the first."""

    one: Phrase
    scope: Scope
    start: str = ""

    @property
    def order(self) -> str:
        """With which of them a rule begins."""
        return f"starting with {self.start}" if self.start else ""

    @property
    def many(self) -> Phrase:
        """All of them."""
        return self.one.as_plural()


class Values(ABC):
    """Puts values into words."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.notes: list[str] = []
        self.splits = self.takes_lowest = self.in_deck_order = False
        self._known: dict[tuple[int, int], tuple[ex.Expr, Scope, Phrase]] = {}
        self._groups: dict[tuple[int, int, bool], tuple[ex.Selection, Scope, Group]] = {}

    @abstractmethod
    def condition(self, expr: ex.Expr, scope: Scope) -> clauses.Condition:
        """Return a condition as a clause."""

    @abstractmethod
    def inlined(self, expr: ex.Condition) -> ex.Condition:
        """Return a condition in which small definitions are written out."""

    def clause(self, expr: ex.Expr, scope: Scope, *, negated: bool = False) -> str:
        """Return a condition, or its opposite, as words."""
        made = self.condition(expr, scope)
        return (made.negation() if negated else made).text

    def noun(self, expr: ex.Expr, scope: Scope) -> Phrase:
        """Return any value as a noun phrase; a condition becomes "whether ...".

        It is remembered by the very objects (which are kept, so that no other gets their number), since parts lie deep
        in one another and are described more than once.
        """
        key = (id(expr), id(scope))
        if key not in self._known or self.splits:
            noted = len(self.notes)
            phrase = self._noun(expr, scope)
            if len(self.notes) > noted:
                return phrase  # A further sentence belongs to it, which must be there each time.
            self._known[key] = (expr, scope, phrase)
        return self._known[key][2]

    def noting(self, expr: ex.Expr, scope: Scope) -> tuple[Phrase, str]:
        """Return a value, and further sentences that its description needs if it would be too long without them."""
        plain = self.noun(expr, scope)
        if number_of_words(plain.text) <= LONG_VALUE:
            return plain, ""
        before, self.notes, self.splits = self.notes, [], True
        phrase = self._noun(expr, scope)
        notes, self.notes, self.splits = self.notes, before, False
        return phrase, "".join(f". {capital(note)}" for note in notes)

    def text(self, expr: ex.Expr, scope: Scope) -> str:
        """Return a value as an object, or after a preposition."""
        return self.noun(expr, scope).object

    def phrases(self) -> dict[Span, str]:
        """Return the texts of all values that were described, by their place in the spec."""
        return {expr.span: phrase.text for expr, _, phrase in self._known.values()}

    def lasting(self, player: ex.Expr, scope: Scope) -> Phrase:
        """Return what a player is called away from the steps around: "the leader" and not "the new leader"."""
        role = isinstance(player, ex.Name) and isinstance(self.lexicon.info.symbol(player), Variable)
        return self.noun(player, Scope() if role else scope)

    def _noun(self, expr: ex.Expr, scope: Scope) -> Phrase:
        if scope.actor is not None and ex.equal(expr, scope.actor) and not isinstance(expr, ex.Seat):
            return phrases.YOU
        match expr:
            case ex.Name():
                return self._name(expr, scope)
            case ex.Number(value=value):
                return named(integer(value))
            case ex.String(value=value):
                return named(f"`{verbatim(value)}`")
            case ex.Bool(value=value):
                return named("yes" if value else "no")
            case ex.NoneValue():
                return named("none")
            case ex.Seat(number=number):
                return named(f"player {number}", human=True)
            case ex.SeatByOption(option=option):
                return Phrase("player", after=f"with the number {self.text(option, scope)}", human=True)
            case ex.TupleValue(items=items):
                return named(", then ".join(self.text(i, scope) for i in items))
            case ex.Attribute(base=base, name=name):
                return self.noun(base, scope).has(words(name), plural=is_plural(name))
            case ex.Index() if self.is_several(expr) and self.family(expr) is not None:
                places = self.indexed(expr, scope, "all")
                return places if places.one else Phrase("card", after=places.within).as_plural()
            case ex.Index():
                return self.indexed(expr, scope)
            case ex.Call():
                return self._call(expr, scope)
            case ex.Fold() | ex.Over():
                return self._folded(expr, scope)
            case ex.Among(function=function, value=value, group=players):
                which, side = ("next", "after") if function == "next" else ("nearest", "before")
                one = self.element(players, "player", scope).under(f"the {which}")
                return attrs.evolve(one, after=f"{side} {self.text(value, scope)} {one.after}".strip())
            case ex.Pick() | ex.Extreme() | ex.All():
                return self._picked(expr, scope)
            case ex.Arithmetic(op="+" | "-") if self.lexicon.sort(expr) == "cards":
                return self.cards_of(expr, scope)
            case ex.Arithmetic() | ex.Divide() | ex.Negative():
                return named(self._sum(expr, scope))
            case ex.RangeValue(low=low, high=high):
                return named(f"{self.text(low, scope)} to {self._part(high, scope)}")
            case ex.CardAt(at=at, zone=zone):
                return self._card_at(at, zone, scope)
            case ex.The(value=value):
                return self.card_or_value(value, scope)
            case ex.Chain():
                return named(self._chain(expr, scope))
            case _:  # All others are conditions.
                return named(f"whether {self.clause(expr, scope)}")

    # ---- names

    def _name(self, expr: ex.Name, scope: Scope) -> Phrase:
        name = expr.name
        if name in scope.phrases:
            return scope.phrases[name]
        if name == EACH:
            return Phrase("card")
        match self.lexicon.info.symbol(expr):
            case Zone() as zone:
                return self.zone(zone)
            case Variable() as variable:
                human = sort_of_type(variable.type) == "player"
                return Phrase(self.variable_noun(variable), human=human)
            case Define():
                return self.defined(name, self.lexicon.sort(expr))
            case Option() as option:
                if isinstance(option.type, Int):
                    return Phrase(self.number_noun(name))
                return Phrase(f"*{words(name)}*", "the option")
            case EnumType():
                return Phrase(words(name)).as_plural()
            case _:  # Nothing that is declared under this name: the players, a value.
                if name == "teams":
                    return Phrase("team").as_plural()
                if name == "players":
                    return phrases.BOTH if self.lexicon.two else phrases.ALL
                sort = self.lexicon.sort(expr)
                return named(self.lexicon.value(sort, name) if sort in self.lexicon.enums else name)

    def number_noun(self, name: str) -> str:
        """Return what an option is called whose value is a number: "*hand size*", "number of *deals*"."""
        return f"number of *{words(name)}*" if is_plural(name) else f"*{words(name)}*"

    def zone(self, zone: Zone) -> Phrase:
        """Return a zone: "the stock", "the won cards"."""
        bare, many = self.zone_noun(zone)
        return Phrase(bare, plural=many, one=self._one_card(zone) if many else "")

    def _one_card(self, zone: Zone) -> str:
        """Return one of the cards of a zone whose name says what they are: "won card"."""
        return f"{words(zone.name)} card" if is_adjective(zone.name) else singular(words(zone.name))

    def zone_noun(self, zone: Zone) -> tuple[str, bool]:
        """Return what a zone is called, without an article, and whether that is plural."""
        if not is_adjective(zone.name):
            noun = with_kind(zone.name, zone.kind)
            return noun, noun == words(zone.name) and zone.kind in ("cards", "row") and is_plural(zone.name)
        kind, many = KIND_WORDS.get(zone.kind, ("cards", True))
        return f"{words(zone.name)} {kind}", many

    def variable_noun(self, variable: Variable) -> str:
        """Return what a variable is called, without an article: a variable named like its type is the current one."""
        sort = sort_of_type(variable.type)
        if sort in self.lexicon.enums and words(variable.name) == words(sort):
            return f"current {words(sort)}"
        if sort in self.lexicon.enums and variable.name in self.lexicon.noted:
            return f"*{words(variable.name)}*"
        return f"*{mark(variable.name)}*" if sort == "boolean" else self._valued(variable.name, sort)

    def _valued(self, name: str, sort: str) -> str:
        """Return a name as a noun: a number of things, a suit that was led."""
        said = words(name)
        if sort == "number":
            if said in ADJECTIVES:
                return f"{said} number"
            if is_adjective(name) and not is_bid(name):
                things = " " in said and is_plural(said.split(" ")[0])
                return f"number {'of ' if things else ''}{said}"
            if len(name) == 1:
                return f"number *{said}*"
            return f"number of {said}" if is_plural(name) else said
        if sort == "player" and not is_noun(name):
            verb = said if predicate(name) or " to " not in said else f"is {said}"
            return f"player who *{verb}*"
        noun = self.sort_noun(sort)
        if is_adjective(name) and noun not in said.split(" ") and sort not in ("boolean", "thing", "values"):
            return f"{said} {noun}"
        return said

    def defined(self, name: str, sort: str) -> Phrase:
        """Return a definition without arguments: "the *taker*", "the *remaining players*"."""
        if sort in ("players", "cards"):
            return Phrase(self.one_of_list(name, sort), human=sort == "players").as_plural()
        said = words(name) if sort == "number" else self._valued(name, sort)
        return Phrase(f"*{said}*", plural=sort == "number" and is_plural(name), human=sort == "player")

    def one_of_list(self, name: str, sort: str) -> str:
        """Return one of the players or cards of a definition: "*contender*", "*other player*"."""
        said, noun = words(name).split(" "), {"players": "player", "cards": "card"}[sort]
        one = singular(" ".join(said[1:] if said[0] == "all" and len(said) > 1 else said))
        return f"*{one}*" if is_plural(name) and one not in ("other", "all") else f"*{one} {noun}*"

    def sort_noun(self, sort: str) -> str:
        """Return the noun for a thing of a sort: an enumeration lends its name."""
        nouns = {"players": "players", "cards": "cards", "values": "values", "thing": "value", "boolean": "answer"}
        return nouns.get(sort) or words(sort)

    # ---- what belongs to something

    def indexed(self, expr: ex.Index, scope: Scope, which: str = "each") -> Phrase:
        """Return one of a family: "your hand", "the leader's left hand", "the number laid for the suit".

        `which` is the determiner for the players and values of a list: "each player's hand", "all players' hands".
        """
        family = self.lexicon.info.symbol(expr.base)
        assert isinstance(family, Zone | Variable)
        head, many = self.zone_noun(family) if isinstance(family, Zone) else (self.variable_noun(family), False)
        one = self._one_card(family) if isinstance(family, Zone) and many and family.kind == "cards" else ""
        is_slot = isinstance(family, Zone) and family.kind == "slot"
        owner: Phrase | None = None
        determiner, after = "the", ""
        for place, index in enumerate(expr.indices):
            sort = self.lexicon.sort(index)
            said = self.card_or_value(index, scope)
            if sort == "players" and owner is None:
                single = said.as_singular()
                owner = said if which == "all" or single is None else single.under(which)
                if which == "all" and not many:
                    head, many = Phrase(head).as_plural().head, True
            elif sort in _LISTS and which == "all":
                if not (is_slot and head.split(" ")[-1] == "hand"):  # The places of a hand are one hand.
                    head, many = Phrase(head).as_plural().head, True
                if isinstance(index, ex.RangeValue) and not self._is_whole(index, family, place):
                    after = f"{after} at positions {said.object}".strip()
            elif sort in _LISTS and isinstance(index, ex.RangeValue) and is_slot:
                after = f"{after} at {which} position from {said.object}".strip()
            elif (
                owner is not None
                and owner.determiner == "each"
                and isinstance(family, Zone)
                and isinstance(self.lexicon.info.symbol(index), EnumType)
            ):
                after = f"of {owner.object} {after}".strip()  # "each hand of each player"
                owner, determiner = None, "each"
            elif sort in _LISTS:
                noun = words(index.name) if isinstance(index, ex.Name) else f"number from {said.object}"
                after = f"{after} for {which} {noun}".strip()
            elif sort in ("player", TEAM) and owner is None:
                owner = said
            elif (
                isinstance(index, ex.Name)
                and sort in self.lexicon.enums
                and self.lexicon.info.constant(index) is not None
            ):
                head = f"{words(index.name)} {head}"
            elif self.is_current(index) and isinstance(family, Zone):
                head = f"current {head}"
            elif said.is_relative and owner is None:
                owner = said
            elif sort == "number" and (position := self._position(family, index, said, scope)):
                after = f"{after} {position}".strip()
            elif sort == "number" and isinstance(index, ex.Number):
                after = f"{after} {said.object}".strip()
            elif sort == "number" and said.determiner == "each" and not owner:
                determiner = "each"
            elif sort == "number":
                own = said.head.split(" ")[-1] == "number" and (not said.after or said.determiner == "each")
                suffix = f"with {said.object}" if own else f"whose number is {said.object}"
                after = f"{after} {suffix}".strip()
            elif said.pronoun is not None and owner is None:
                owner = said
            else:
                after = f"{after} for {said.object}".strip()
        human = self.lexicon.sort(expr) == "player"
        return Phrase(head, determiner, many, owner, after, human=human, one=one)

    def _position(self, family: Zone | Variable, index: ex.Expr, said: Phrase, scope: Scope) -> str:
        """Return which of several places of one card is meant, or what belongs to it; "" for all other numbers."""
        slots = isinstance(family, Zone) and family.kind == "slot"
        which = ""
        match index:
            case ex.Arithmetic(op="+" | "-" as sign, left=ex.Name() as own, right=ex.Number(value=1)) if (
                self.noun(own, scope).head == POSITION
            ):
                which = "the next position" if sign == "+" else "the position before"
            case _ if said.head.split(" ")[-1] == POSITION:
                which = said.object
            case _ if slots and said.head == "number" and not said.after:
                which = attrs.evolve(said, head=POSITION).object
            case ex.Name() if isinstance(self.lexicon.info.symbol(index), Option | Define):
                which = f"position {said.head}"
            case _ if slots:
                which = f"position {self._bracketed(said) if ' ' in said.text else said.text}"
        return f"{'at' if slots else 'for'} {which}" if which else ""

    def _is_whole(self, index: ex.RangeValue, family: Zone | Variable, place: int) -> bool:
        """Whether a range has all the numbers that a family has one of."""
        type_ = family.indices[place]
        ends = tuple(self.lexicon.info.constant(end) for end in (index.low, index.high))
        return isinstance(type_, Int) and ends == (type_.low, type_.high)

    def is_current(self, index: ex.Expr) -> bool:
        """Whether an index is the variable that is called like its enumeration: the current one."""
        symbol, sort = self.lexicon.info.symbol(index), self.lexicon.sort(index)
        return isinstance(symbol, Variable) and sort in self.lexicon.enums and words(symbol.name) == words(sort)

    def is_several(self, place: ex.Expr) -> bool:
        """Whether a value is several zones at once."""
        return isinstance(place, ex.Index) and any(self.lexicon.sort(i) in _LISTS for i in place.indices)

    # ---- calls

    def _call(self, expr: ex.Call, scope: Scope) -> Phrase:
        sort = self.lexicon.sort(expr)
        if (function := CALLABLE.get(expr.name)) is not None and expr.args:
            return self._call_of_language(function, expr, scope)
        if expr.name not in self.lexicon.defines or sort == "boolean":
            return named(f"whether {self.clause(expr, scope)}")
        args = [self._argument(a, self.noun(a, scope)) for a in expr.args]
        return self.called(expr.name, args, [self.lexicon.sort(a) for a in expr.args], sort)

    def _call_of_language(self, function: Function, expr: ex.Call, scope: Scope) -> Phrase:
        """Return a call by the English in the table of functions."""
        english = function.english
        if english.clause is not None:
            return named(f"whether {self.clause(expr, scope)}")
        args = [self.noun(a, scope) for a in expr.args]
        first = args[0]
        sort = self.lexicon.sort(expr.args[0])
        human = self.lexicon.sort(expr) == "player"
        teams = self.lexicon.rules.teams
        if english.of_two is not None and sort == TEAM and teams is not None and len(teams.values) == 2:
            return Phrase("team", "the other")
        if english.of_two is not None and self.lexicon.two and sort == "player":
            local = isinstance(expr.args[0], ex.Name) and expr.args[0].name in scope.phrases
            if first.is_second_person or local or first.text == phrases.BOTH.text:
                return Phrase(english.of_two, human=True)
            return Phrase("player", after=f"who is not {first.object}", human=True)
        if english.relation is not None and (english.noun is None or first.pronoun is not None):
            return attrs.evolve(first.has(english.relation), human=human)
        if function.name == "count":
            return self._count(expr.args[0], first)
        bounds = {"max": "at least", "min": "at most"}
        if function.name in bounds and len(args) == 2 and any(isinstance(a, ex.Number) for a in expr.args):
            bound = next(a for a in expr.args if isinstance(a, ex.Number))
            other = args[expr.args[0] is bound]
            limit = f"{bounds[function.name]} {integer(bound.value)}"
            whole = any(isinstance(a, ex.Arithmetic | ex.Divide) for a in expr.args)
            return named(f"{other.object}, but {limit}" if whole else f"{other.object} ({limit})")
        if len(args) > 2 and english.nouns is not None:
            return named(english.nouns.format(listing([a.object for a in args])))
        assert english.noun is not None
        noun = words(sort) if sort in self.lexicon.enums else "player"
        given = [self._bracketed(self._argument(a, said)) for a, said in zip(expr.args, args, strict=True)]
        given = [first.object, noun] if len(args) == 1 else given
        several = self.lexicon.sort(expr) == "players"
        return named(english.noun.format(*given), plural=several, human=human or several)

    def _argument(self, expr: ex.Expr, said: Phrase) -> Phrase:
        """Return what a function is given: a sum in brackets."""
        loose = self.lexicon.sort(expr) == "number" and isinstance(expr, ex.Arithmetic | ex.Divide | ex.Chain)
        return named(f"({said.object})") if loose else said

    def _bracketed(self, phrase: Phrase) -> str:
        """Return one of several arguments, in brackets if a reader could not see where it ends."""
        text = phrase.object
        clear = text.startswith("(") or not any(mark in text for mark in (", ", " and "))
        return text if clear else f"({text})"

    def called(self, name: str, args: list[Phrase], sorts: list[str], sort: str) -> Phrase:
        """Return a definition applied to something: "your *partner*", "the *points* for 2 and 3"."""
        if sort in ("players", "cards"):
            made = Phrase(self.one_of_list(name, sort), owner=args[0], human=sort == "players").as_plural()
            return made.followed(f"for {listing([self._bracketed(a) for a in args[1:]])}") if args[1:] else made
        noun = words(name) if sort == "number" else self._valued(name, sort)
        said = listing([self._bracketed(a) for a in args])
        human = sort == "player"
        if noun.split(" ")[-1] in PREPOSITIONS:
            return Phrase(f"*{noun}*", after=said, human=human)
        many = is_plural(noun)
        has_one = args and (sorts[0] in ("player", "card", "cards", *self.lexicon.enums) or args[0].pronoun is not None)
        if has_one and (not many or args[0].pronoun is not None):
            rest = listing([self._bracketed(a) for a in args[1:]])
            return Phrase(f"*{noun}*", plural=many, owner=args[0], after=f"with {rest}" if rest else "", human=human)
        return Phrase(f"*{noun}*", plural=many, after=f"for {said}" if said else "", human=human)

    def _count(self, arg: ex.Expr, phrase: Phrase) -> Phrase:
        if isinstance(arg, ex.Name) and arg.name == "players":
            return Phrase("number of players")
        place = self.family(arg) is not None or (self.lexicon.sort(arg) == "cards" and not phrase.plural)
        if place and not (phrase.plural and "cards" in phrase.head):
            return Phrase(f"number of cards {phrase.within}")
        bare = phrase.owner is None and phrase.determiner != "these"
        return Phrase(f"number of {phrase.bare if bare else phrase.object}")

    # ---- sums, cards and chains

    def _sum(self, expr: ex.Expr, scope: Scope) -> str:
        match expr:
            case ex.Negative(value=value) | ex.Arithmetic(op="-", left=ex.Number(value=0), right=value):
                if isinstance(value, ex.Number):
                    return integer(-value.value)
                return f"minus {self._part(value, scope)}"
            case ex.Arithmetic(op="mod"):
                return f"the remainder of {self._part(expr.left, scope)} divided by {self._part(expr.right, scope)}"
            case ex.Arithmetic(op=op):
                same = isinstance(expr.left, ex.Arithmetic) and (expr.left.op in "+-") == (op in "+-")
                left = self.text(expr.left, scope) if same else self._part(expr.left, scope)
                if not isinstance(expr.left, ex.Arithmetic | ex.Chain):
                    left = f"({left})" if number_of_words(left) > LONG_VALUE // 2 else self._bracketed(named(left))
                return f"{left} {_SUMS[op]} {self._part(expr.right, scope)}"
            case ex.Divide(right=ex.Number(value=2)):
                return f"half of {self._part(expr.left, scope)}, {_ROUNDED.get(expr.rounded, expr.rounded)}"
            case ex.Divide():
                left, right = self._part(expr.left, scope), self._part(expr.right, scope)
                return f"{left} divided by {right}, {_ROUNDED.get(expr.rounded, expr.rounded)}"
        return self.text(expr, scope)

    def _part(self, expr: ex.Expr, scope: Scope) -> str:
        """Return a part of a sum, in brackets where it would be read wrongly without them."""
        text = self.text(expr, scope)
        return f"({text})" if isinstance(expr, ex.Arithmetic | ex.Divide | ex.Chain) else text

    def cards_of(self, expr: ex.Arithmetic, scope: Scope, joint: str = "and") -> Phrase:
        """Return cards of several places, or without some: "the cards in your hand and your discard pile"."""
        if expr.op == "+":
            parts = [(self.place(part, scope), self.family(part)) for part in operands(expr, "+")]
            loose = any(family is None for _, family in parts)
            places = [said.object for said, family in parts if family is not None and not (loose and said.one)]
            others = [said.object for said, family in parts if family is None or (loose and said.one)]
            inside = [f"the cards in {listing(places)}"] if places else []
            return named(listing([*inside, *others]), plural=True) if others else (
                Phrase("card", after=f"in {listing(places, joint)}").as_plural())  # fmt: skip
        left, less = self.place(expr.left, scope).object, self.place(expr.right, scope)
        outside = f"{'that are not among' if less.plural else 'except'} {less.object}"
        without = outside if self.family(expr.right) is None else f"except those {less.within}"
        if self.family(expr.left) is None:
            return named(f"{left} {without}", plural=True)
        return Phrase("card", after=f"in {left} {without}").as_plural()

    def place(self, domain: ex.Expr, scope: Scope) -> Phrase:
        """Return where cards lie: "your hand", "the hands of all players"."""
        return self.indexed(domain, scope, "all") if isinstance(domain, ex.Index) else self.noun(domain, scope)

    def _chain(self, expr: ex.Chain, scope: Scope) -> str:
        """Return a chain in one breath: "a if C, otherwise b", "a, or b if there is none"."""
        said = ""
        conditional = False
        for number, link in enumerate(expr.alternatives):
            value = self.text(link.value, scope)
            value = f"({value})" if isinstance(link.value, ex.Chain) else value
            if number:
                absent = (
                    f" ({value} if there is none)"
                    if self.lexicon.info.constant(link.value) is not None
                    else f", or {value} if there is none"
                )
                value = f", otherwise {value}" if conditional else absent
            conditional = link.condition is not None
            said += value if link.condition is None else f"{value} if {self.clause(link.condition, scope)}"
        return said

    def higher_of_two(self, expr: ex.Chain, scope: Scope) -> Phrase | None:
        """Return "the player with the higher score" for a choice between two players by a number of each."""
        match expr.alternatives:
            case (
                ex.Alternative(value=first, condition=ex.Compare(op=">" | "<" as op, left=left, right=right)),
                ex.Alternative(value=second, condition=None),
            ) if self.lexicon.two and self.lexicon.sort(first) == "player":
                best, other = (left, right) if op == ">" else (right, left)
                key = self._key_of(best, first)
                if key is None or key != self._key_of(other, second) or key != self._key_of(left, first):
                    return None
                differ = ex.Compare("!=", left, right, span=expr.span)
                tie = "" if differ in scope.facts else f"({self.text(second, scope)} if they are equal)"
                return Phrase("player", after=f"with the higher {key} {tie}".strip(), human=True)
        return None

    def _key_of(self, value: ex.Expr, player: ex.Expr) -> str | None:
        """Return the noun of a number that belongs to a player: a variable, or a definition of one."""
        match value:
            case ex.Index(base=base, indices=(index,)) if ex.equal(index, player):
                variable = self.lexicon.info.symbol(base)
                return self.variable_noun(variable) if isinstance(variable, Variable) else None
            case ex.Call(name=name, args=(index,)) if ex.equal(index, player) and name in self.lexicon.defines:
                return f"*{words(name)}*"
        return None

    # ---- zones

    def _card_at(self, at: str | ex.Expr, zone: ex.Expr, scope: Scope) -> Phrase:
        phrase = self.noun(zone, scope)
        if self.is_slot(zone):
            return self.slot_card(zone, phrase)
        if isinstance(at, str):
            return Phrase("card", f"the {at}", after=f"of {phrase.object}")
        numbered = self.numbered(at, zone, scope)
        return Phrase("card", "the", after=f"{numbered} {'of' if 'from' in numbered else 'in'} {phrase.object}")

    def numbered(self, at: ex.Expr, zone: ex.Expr, scope: Scope) -> str:
        """Return which card of a zone it is: "numbered 3 from the top" of a pile."""
        family = self.family(zone)
        end = " from the top" if family is not None and family.kind == "pile" else ""
        number = self.text(at, scope)
        if number.endswith(POSITION):
            return f"at {number}"
        return f"with {number}{end}" if number.endswith(" number") else f"numbered {number}{end}"

    def slot_card(self, slot: ex.Expr, phrase: Phrase) -> Phrase:
        """Return the card in a slot: "the turned card" in a slot that is called so, "the card in your place"."""
        family = self.family(slot)
        if family is not None and is_adjective(family.name):
            return attrs.evolve(phrase, head=f"{words(family.name)} card")
        return Phrase("card", after=phrase.within)

    def card_or_value(self, expr: ex.Expr, scope: Scope) -> Phrase:
        """Return a value, which is the card in a slot."""
        said = self.noun(expr, scope)
        return self.slot_card(expr, said) if self.is_slot(expr) else said

    def family(self, place: ex.Expr) -> Zone | None:
        """Return the zone that a place is of; None for what is no place."""
        found = self.lexicon.info.symbol(place.base if isinstance(place, ex.Index) else place)
        return found if isinstance(found, Zone) else None

    def is_slot(self, place: ex.Expr) -> bool:
        """Whether a place holds one card at most."""
        family = self.family(place)
        return family is not None and family.kind == "slot" and not self.is_several(place)

    # ---- texts of the author

    def about(self, sort: str, name: str) -> str | None:
        """Return the author's words for a part of the rules, with the names in braces as this book calls them.

        A text that names an option with choices describes its standard value, and is left out at others, unless all
        sentences with the name begin with it, as "With {option}, ..".
        """
        text = self.lexicon.abouts.get((sort, name))
        if text is None:
            return None
        texts, names, endings = (_HOLE.split(text)[n::3] for n in range(3))
        named_ = {name.strip() for name in names}
        for option in self.lexicon.rules.options:
            if option.name in named_ and not isinstance(option.type, Int) and option.value != option.default:
                hole = f"{{{option.name}}}"
                begins = all(said.startswith(WITH.format(hole)) for said in SENTENCES.split(text) if hole in said)
                if not (isinstance(option.type, Bool) and option.value and begins):
                    return None
        said = [self._mentioned(name.strip()) for name in names]
        said = [plural(one) if ending else one for one, ending in zip(said, endings, strict=True)]
        return "".join(verbatim(text) + name for text, name in zip(texts, [*said, ""], strict=True))

    def named_in_about(self, sort: str, name: str) -> list[str] | None:
        """Return the names in the author's words that the book has for a part of the rules; None if it has none."""
        if self.about(sort, name) is None:
            return None
        return [name.strip() for name in _HOLE.split(self.lexicon.abouts[sort, name])[1::3]]

    def is_brief(self, name: str) -> bool:
        """Whether a phase is written where it is carried out; the words for conditions alone refer to no chapter."""
        return name in self.lexicon.phases

    def _mentioned(self, name: str) -> str:
        """Return what a name of the spec is called within a text: without an article."""
        if name in self.lexicon.zones:
            return self.zone_noun(self.lexicon.zones[name])[0]
        if name in self.lexicon.defines:
            verb, what = predicate(name) or ("", "")
            what = what.removeprefix("a ").removeprefix("an ") if verb in ("be", "have") else words(name)
            return f"*{what}*"
        if name in self.lexicon.options:
            option = next(o for o in self.lexicon.rules.options if o.name == name)
            if isinstance(option.type, Int) and self.lexicon.uses[name]:
                return f"*{words(name)}*"  # It is settled nowhere in the rules.
            return str(option.value) if isinstance(option.type, Int) else option_mark(name)
        if name in self.lexicon.phases:
            return words(name) if self.is_brief(name) else chapter_mark(title(name))
        return kind_noun(self.lexicon, name) if name in self.lexicon.kinds else words(name)

    # ---- names that the rules give to things

    def local(self, name: str, sort: str, scope: Scope, which: str = "the") -> Phrase:
        """Return what a local name is called: a short one by its sort, a long one by itself.

        `which` is the determiner of a short one, so that two things of a sort differ: "the chosen card".
        """
        noun = self.sort_noun(sort)
        many = sort in ("cards", "players", "values")
        human = sort in ("player", "players")
        said = words(name).removeprefix("all ")
        if sort == "boolean":
            return Phrase(f"*{mark(name)}*", "")
        if says_nothing(name) or said == noun:
            if many:
                first = not scope.uses(f"these {noun}")
                return Phrase(noun if first else f"{noun} *{name}*", "these" if first else "the", True, human=human)
            free = next((w for w in (which, "that", "the other") if not scope.uses(f"{w} {noun}")), "")
            return Phrase(noun if free else f"{noun} *{name}*", free or "the", human=human)
        if is_adjective(name):
            head = self._valued(name, sort) if sort == "number" else f"{noun} {said}" if many else f"{said} {noun}"
            return Phrase(head, plural=many, human=human)
        if sort == "players" and not is_plural(name):
            return Phrase(f"{said} player", human=True).as_plural()
        return Phrase(said, plural=is_plural(name), human=human)

    def cards_number(self, count: ex.Expr, scope: Scope, *, exactly: bool = False) -> str:
        """Return "1 card", "exactly 5 cards", "as many cards as the hand size"."""
        if isinstance(count, ex.Number):
            return f"{'exactly ' if exactly else ''}{counted(count.value, 'card')}"
        return f"as many cards as {self.text(count, scope)}"

    # ---- selections

    def group(self, selection: ex.Selection, scope: Scope, *, many: bool = False) -> Group:
        """Return what a selection goes through; remembered as nouns are."""
        key = (id(selection), id(scope), many)
        if key not in self._groups:
            self._groups[key] = (selection, scope, self._group(selection, scope, many))
        return self._groups[key][2]

    def _group(self, selection: ex.Selection, scope: Scope, many: bool) -> Group:
        limited_ = selection.where is not None
        one = self.element(selection.domain, self.lexicon.sort(selection), scope, limited=limited_, many=many)
        inner, limited = self._limited(one, selection, scope, many=many)
        start = "" if selection.start is None else self.text(selection.start, scope)
        for part in () if selection.where is None or not one.human else operands(selection.where, "and"):
            match part:
                case ex.Compare(op="!=", left=ex.Name(name=name), right=right) if name == selection.name and ex.equal(
                    right, selection.start
                ):
                    start = f"the player after {start}"
        return Group(limited, inner, start)

    def unplaced(self, selection: ex.Selection, scope: Scope, *, many: bool = False) -> Phrase:
        """Return what a selection goes through without where that is looked for: "card of the led suit"."""
        sort = self.lexicon.sort(selection)
        return self._limited(Phrase(self.sort_noun(sort), human=sort == "player"), selection, scope, many=many)[1]

    def _limited(self, one: Phrase, selection: ex.Selection, scope: Scope, *, many: bool) -> tuple[Scope, Phrase]:
        """Return the scope in which one of a selection has its name, and the phrase for it with its condition."""
        sort = self.lexicon.sort(selection)
        inner = scope.named(selection.name, self.local(selection.name, sort, scope, "that"))
        if sort == "cards":
            of_set = Phrase("card", after="of the set").as_plural() if scope.uses("these cards") else None
            inner = scope.named(selection.name, of_set or Phrase("cards", "these", True))
        kind, where = self.of_kind(selection.where, selection.name) if sort == "card" else (None, selection.where)
        if kind is not None:  # A place that is an adjective stays: "won card" becomes "won Joker".
            one = attrs.evolve(one, head=one.head.removesuffix("card") + kind if one.head.endswith(" card") else kind)
        if where is not None and sort == "cards":
            one = one.followed(f"for which {self.condition(where, inner).text}")
        elif where is not None:
            one = self.restricted(one, where, selection.name, inner, many=many)
        return inner, one

    def restricted(self, one: Phrase, where: ex.Condition, name: str, scope: Scope, *, many: bool) -> Phrase:
        """Return a phrase with a condition after it, as a relative clause where its parts are about the thing."""
        where = self.inlined(where)
        if one.human and self.lexicon.two:
            where, scope = self._with_the_other(where, name, scope)
        parts = operands(where, "and")
        if one.human and any(self.is_not_you(part, name, scope) for part in parts):
            one = attrs.evolve(one, head=f"other {one.head}", one=one.one and f"other {one.one}")
            left = [part for part in parts if not self.is_not_you(part, name, scope)]
            if not left:
                return one
            where = all_of("and", left, self.lexicon.info)
        match where:
            case ex.Compare(op="!=", left=ex.Name(name=called), right=right) if called == name and one.human:
                if not isinstance(right, ex.Chain):
                    return one.followed(f"except {self.text(right, scope)}")
        pronoun = whose(human=one.human, plural=many)
        there = scope.named(name, pronoun)
        leading, others = [], []
        for part in operands(where, "and"):
            if self.can_be_relative(part, name):
                leading.append(self.condition(part, there))
            else:
                own = THEY if one.human and not one.plural else None
                others.append(self.condition(part, scope if own is None else scope.named(name, own)))
        text = ""
        attribute = self.attribute_value(where, name, scope)
        if attribute is not None:
            return one.followed(attribute) if not one.after else attrs.evolve(one, after=f"{attribute} {one.after}")
        if leading:
            text = clauses.joined("and", leading).text
        if others:
            such = clauses.joined("and", others).text
            text = f"{text}, while {such}" if text else f"for {'whom' if one.human else 'which'} {such}"
        return one.followed(text)

    def is_not_you(self, part: ex.Condition, name: str, scope: Scope) -> bool:
        """Whether a condition says that a thing is another player than the one who is addressed."""
        match part:
            case ex.Compare(op="!=", left=ex.Name(name=own), right=right) if own == name:
                return self.noun(right, scope).is_second_person
        return False

    def _with_the_other(self, where: ex.Condition, name: str, scope: Scope) -> tuple[ex.Condition, Scope]:
        """Return a condition on one of two players in which the player next to that one has a name of their own."""

        def other(node: ex.Node) -> ex.Node | None:
            match node:
                case ex.Call(name=called, args=(ex.Name(name=own),)) if own == name and (
                    called in CALLABLE and CALLABLE[called].english.of_two is not None
                ):
                    return self.lexicon.info.like(node, ex.Name(_OTHER, span=node.span))
            return None

        return replaced(where, other, self.lexicon.info), scope.named(_OTHER, Phrase("player", "the other", human=True))

    def attribute_value(self, where: ex.Condition, name: str, scope: Scope) -> str | None:
        """Return "of the led suit" for a card whose suit must be one value; None for all else."""
        said = [self._value_of(part, name, scope) for part in operands(where, "and")]
        values = [value for value in said if value is not None]
        return f"of {listing(values)}" if len(values) == len(said) else None

    def _value_of(self, where: ex.Condition, name: str, scope: Scope) -> str | None:
        match where:
            case ex.Compare(op="==", left=ex.Attribute(base=base, name=attribute), right=right) if (
                _is(base, name) and self.lexicon.sort(right) in self.lexicon.enums and not isinstance(right, ex.Chain)
            ):
                value = self.noun(right, scope)
                if words(attribute) in [run for text, _ in runs(value.text) for run in text.split(" ")]:
                    return value.object
                if value.determiner == "the" and not value.after and value.owner is None:
                    return f"{value.object} {words(attribute)}"
        return None

    def element(self, domain: ex.Expr, sort: str, scope: Scope, *, limited: bool = False, many: bool = False) -> Phrase:
        """Return one thing of a domain: "player", "*contender*", "card in your hand", "suit".

        A condition that follows (`limited`) must not seem to belong to the end of a range, or to an owner.  One is in
        one place or another, `many` are in both.
        """
        human = sort == "player"
        noun = Phrase({"thing": "thing", "cards": "set of cards"}.get(sort, self.sort_noun(sort)), human=human)
        match domain:
            case ex.Name(name="players" | "teams"):
                return noun
            case ex.Name() if isinstance(self.lexicon.info.symbol(domain), EnumType):
                return noun
            case ex.Call(name="members", args=(team,)) if "members" not in self.lexicon.defines:
                return noun.followed(f"of {self.text(team, scope)}")
            case ex.RangeValue():
                ends = f"from {self.text(domain, scope)}"
                return noun.followed(f"({ends})" if limited and not isinstance(domain.high, ex.Number) else ends)
            case ex.Call(name="subsets", args=(cards, *sizes)):
                size = f"{self.text(sizes[0], scope)} " if sizes else ""
                parts = operands(cards, "+") if all(self.family(p) for p in operands(cards, "+")) else [cards]
                return Phrase(f"set of {size}cards", after=f"from {listing([self.text(p, scope) for p in parts])}")
            case ex.Call(name="rests", args=(cards, *kinds)):
                return noun.followed(f"that {self.groups(tuple(kinds), scope)} leave of {self.text(cards, scope)}")
            case ex.All(selection=inner) if self.lexicon.sort(inner) == sort:
                return self.group(inner, scope).one
            case ex.Arithmetic(op="+") if all(self.family(part) for part in operands(domain, "+")):
                places = [self.place(part, scope).object for part in operands(domain, "+")]
                return noun.followed(f"in {listing(places, 'and' if many else 'or')}")
        whole = self.place(domain, scope)
        some_of = isinstance(domain, ex.Pick) and domain.count is not None and whole.determiner != "all"
        one = whole.as_singular() if whole.one and not some_of else None
        if one is not None and one.owner is None:
            return one
        plain = one is not None and one.owner is not None and one.owner.pronoun is None and not limited
        if one is not None and plain and not self.is_several(domain):
            return one.under("")
        if not whole.plural or (self.family(domain) is not None and self.is_several(domain)):
            return noun.followed(whole.within)
        return noun.followed(f"{_AMONG}{whole.object}")

    def is_of_list(self, domain: ex.Expr, scope: Scope) -> bool:
        """Whether one of a domain is one of several cards that have a name: "card among these cards"."""
        return self.element(domain, "card", scope).after.startswith(_AMONG)

    def groups(self, kinds: tuple[ex.Expr, ...], scope: Scope) -> str:
        """Return the groups of a division: "4 *melds* and 1 *pair*"."""
        return listing([self._groups_of(kind, scope) for kind in kinds])

    def _groups_of(self, kind: ex.Expr, scope: Scope) -> str:
        count = kind.count if isinstance(kind, ex.GroupCount) else None
        name = kind.kind.name if isinstance(kind, ex.GroupCount) else kind.name if isinstance(kind, ex.Name) else ""
        one = isinstance(count, ex.Number) and count.value == 1
        noun = words(name) if one else Phrase(words(name)).as_plural().head
        return f"{'any number of' if count is None else self.text(count, scope)} *{noun}*"

    def can_be_relative(self, condition: ex.Condition, name: str) -> bool:
        """Whether a condition can be a relative clause about a thing: the thing is its subject, and nothing else in it.

        That the top card of something is a Wizard cannot.
        """
        match condition:
            case ex.Call(name=called, args=(first, ex.Name(name=own))) if (
                own == name and self.lexicon.uses[called] > 1 and self.takes_object(called)
            ):
                return not mentions(first, name)
        if not leads(condition, name):
            return False
        match condition:
            case ex.Compare(left=ex.Call(name=n)) if n not in CALLABLE and words(n).split(" ")[-1] in PREPOSITIONS:
                return False
            case ex.Is(value=ex.CardAt(zone=zone), test=test):
                return self.is_slot(zone) and not isinstance(test, str | ex.Member)
            case ex.Logic(left=left, right=right):
                return self.can_be_relative(left, name) and self.can_be_relative(right, name)
            case ex.Not(value=value):
                return self.can_be_relative(value, name)
        return True

    def takes_object(self, name: str) -> bool:
        """Whether a definition is a verb with an object: `may_claim(p, f)`, not `is_above(c, d)`."""
        define, said = self.lexicon.defines.get(name), predicate(name)
        if define is None or said is None or len(define.params) < 2:
            return False
        alone = said[0] in ("be", "have") or (said[1] or said[0]).split(" ")[-1] in PREPOSITIONS
        return not alone and self.lexicon.sort(define.params[1]) not in ("cards", "player")

    def of_kind(self, where: ex.Condition | None, name: str) -> tuple[str | None, ex.Condition | None]:
        """Return the noun for a card of which a condition requires a kind, and what else it requires.

        Such a noun is a kind of cards ("Ace"), or a definition that is the game's word for some of its cards.
        """
        if where is None:
            return None, None
        parts = operands(where, "and")
        for part in parts:
            match part:
                case ex.Is(negated=False, value=ex.Name() as own, test=ex.KindPattern(args=None | ()) as kind) if (
                    _is(own, name) and kind.name in self.lexicon.kinds
                ):
                    noun = kind_noun(self.lexicon, kind.name)
                case ex.Call(name=called, args=(own,)) if _is(own, name) and (word := self.word_for_cards(called)):
                    noun = f"*{word}*"
                case _:  # No other names a kind of cards.
                    continue
            others = [p for p in parts if p is not part]
            return noun, all_of("and", others, self.lexicon.info) if others else None
        return None, where

    def word_for_cards(self, name: str) -> str | None:
        """Return the noun by which a definition calls some of the cards: `is_shield(c)`, `affliction(c) = c is ..`."""
        define = self.lexicon.defines.get(name)
        if define is None or [self.lexicon.sort(p) for p in define.params] != ["card"]:
            return None
        first, _, rest = words(name).partition(" ")
        if first == "is" and rest and not is_adjective(rest):
            return f"{rest} card" if rest in self.lexicon.terms else rest
        of_a_kind = isinstance(define.value, ex.Is) and isinstance(define.value.test, ex.KindPattern)
        return words(name) if of_a_kind and is_noun(name) and predicate(name) is None else None

    # ---- picks

    def _picked(self, expr: ex.Pick | ex.Extreme | ex.All, scope: Scope) -> Phrase:
        selection = expr.selection
        many = isinstance(expr, ex.All) or (isinstance(expr, ex.Pick) and expr.count is not None)
        match expr:
            case ex.Pick(selection=ex.Selection(domain=zone, where=None), count=None) if self.is_slot(zone):
                return self.noun(ex.CardAt("top", zone, span=expr.span), scope)
            case ex.Pick(selection=ex.Selection(domain=domain), count=None) if only := self._only_card(selection):
                return named(only) if self.is_several(domain) else named(only).followed(
                    self.place(domain, scope).within)  # fmt: skip
            case ex.Extreme():
                return self._extreme(expr, scope)
        if isinstance(expr, ex.All):
            selection = self._counting(selection, scope, "take")
        group = self.group(selection, scope, many=many)
        order = f"({group.order})" if group.order else ""
        if isinstance(expr, ex.Pick):
            order = order or self.order_of(selection.domain)
            if expr.count is None:
                if order == FROM_FIRST and expr.which == "first":
                    self.takes_lowest = True
                    return group.one.under("the")
                which = "a" if self._is_any(selection) else f"the {expr.which}"
                return group.one.under(which).followed(order)
            if (rest := self._all_but(expr, scope)) is not None:
                return rest
            which = f"the {expr.which}"
            if selection.where is None and self._is_pile(selection.domain):
                which, order = f"the {_ENDS_OF_PILES[expr.which]}", ""
                group = attrs.evolve(group, one=Phrase("card", after=f"of {self.text(selection.domain, scope)}"))
            if isinstance(expr.count, ex.Number):
                which = f"{'' if self._are_equal(selection) else f'{which} '}{integer(expr.count.value)}"
                if group.one.head == "card" and group.one.after.startswith(_AMONG):
                    return named(f"{which} of {group.one.after.removeprefix(_AMONG)}", plural=True).followed(order)
                return group.many.under(which).followed(order)
            limited = group.many.under(which)
            amount = f"(as many as {self.text(expr.count, scope)})"
            return attrs.evolve(limited, after=" ".join(p for p in (amount, limited.after, order) if p))
        return attrs.evolve(group.many, determiner="all").followed(order)

    def _all_but(self, pick: ex.Pick, scope: Scope) -> Phrase | None:
        """Return "all cards in the stock except the top card" for as many of its last cards as it has, minus some."""
        place = pick.selection.domain
        match pick.count:
            case ex.Arithmetic(op="-", left=ex.Call("count", (whole,)), right=ex.Number(value=fewer)) if (
                ex.equal(whole, place) and self._is_pile(place) and pick.selection.where is None and fewer > 0
            ):
                end = _ENDS_OF_PILES["first" if pick.which == "last" else "last"]
                number = "" if fewer == 1 else f"{fewer} "
                less = f"{self.noun(place, scope).within} except the {end} {number}card{'s' * (fewer > 1)}"
                return Phrase("card", "all", after=less).as_plural()
        return None

    def _is_pile(self, place: ex.Expr) -> bool:
        family = self.family(place)
        return family is not None and family.kind == "pile" and not self.is_several(place)

    def _is_any(self, selection: ex.Selection) -> bool:
        """Whether a selection has only equal cards that lie in no order: it does not matter which one is meant."""
        zone = self.family(selection.domain)
        if zone is None or zone.kind != "cards" or selection.where is None:
            return False
        same = {
            part.left.name
            for part in operands(selection.where, "and")
            if isinstance(part, ex.Compare)
            and part.op == "=="
            and isinstance(part.left, ex.Attribute)
            and _is(part.left.base, selection.name)
        }
        kinds = {face.kind for face in self.lexicon.rules.faces}
        return all({param.name for param in self.lexicon.kinds[kind].params} <= same for kind in kinds)

    def _are_equal(self, selection: ex.Selection) -> bool:
        """Whether all cards of a selection equal one card, so that it does not matter which come first."""
        parts = () if selection.where is None else operands(selection.where, "and")
        return any(isinstance(p, ex.Compare) and p.op == "==" and _is(p.left, selection.name) for p in parts)

    def _domains(self, domain: ex.Expr, seen: tuple[str, ...] = ()) -> Iterator[ex.Expr]:
        """Give what a selection goes through, and what names in that go through, unless in another order."""
        yield domain
        value: object = None
        name = domain.name if isinstance(domain, ex.Call | ex.Name) else ""
        if isinstance(domain, ex.Pick):
            value = domain.selection.domain
        elif name in self.lexicon.defines:
            value = self.lexicon.defines[name].value
        elif name and name not in seen and isinstance(self.lexicon.info.symbol(domain), Local):
            value = next((n.value for n in self.lexicon.nodes if isinstance(n, Let) and n.name == name), None)
        if isinstance(value, ex.All | ex.Extreme):
            value = value.selection.domain if value.selection.start is None else None
        if isinstance(value, ex.Node) and not isinstance(value, MatchValue):
            yield from self._domains(value, (*seen, name))  # type: ignore[arg-type]

    def counted_off(self, pick: ex.Pick, count: ex.Expr, scope: Scope) -> str:
        """Return that a reader counts some of several things: what a phrase has no room for is a step of its own.

        "Count the cards in the stock (from the bottom), up to this number: your score".
        """
        inner = pick.selection
        those = self.group(inner, scope, many=True)
        order = f"({those.order})" if those.start else self.order_of(inner.domain, counts=not self._is_any(inner))
        if pick.which == "last":
            order = "(from the bottom)" if order == FROM_TOP else f"backwards {order}".rstrip()
        return f"count {those.many.followed(order).text}, up to this number: {self.text(count, scope)}"

    def order_of(self, domain: ex.Expr, *, counts: bool = False) -> str:
        """Return the order of a selection where neither a reader nor a definition knows it: "(from the top)".

        Of a row, and of cards that lie in no order, it is given if it `counts`.
        """
        *_, place = self._domains(domain)
        if isinstance(place, ex.Name) and place.name == "players":
            return FROM_FIRST
        family = self.family(place)
        if family is not None and family.kind == "pile":
            return FROM_TOP
        sets = (n.name for n in self.lexicon.nodes if isinstance(n, ex.CardsArg))
        kind = "cards" if isinstance(place, ex.Name) and place.name in sets else "" if family is None else family.kind
        if counts and kind in _IN_ORDER and not self.is_several(place):
            self.in_deck_order |= kind == "cards"
            return f"({_IN_ORDER[kind]})"
        whole = [self.lexicon.info.symbol(i) for i in place.indices] if isinstance(place, ex.Index) else []
        enums = [symbol for symbol in whole if isinstance(symbol, EnumType)]
        return f"(in the order {', '.join(map(words, enums[0].values))})" if enums else ""

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
        group = self.group(selection, scope, many=expr.ties)
        if self.splits:
            return self._split_extreme(expr, group, scope)
        key = self.key(expr.by, selection.name, group, expr.which)
        if expr.ties:
            return attrs.evolve(group.many.under("all"), after=f"with {key} {group.many.after}".strip())
        one = group.one
        tie = f"(of equals, {tie})" if (tie := self._tie(expr, scope)) else ""
        if selection.where is None:
            return attrs.evolve(one, after=" ".join(p for p in (f"with {key}", one.after, tie) if p))
        among = f"among {group.many.under('the').text}"
        return Phrase(self.sort_noun(self.lexicon.sort(selection)),
                      after=" ".join(p for p in (f"with {key}", among, tie) if p), human=one.human)  # fmt: skip

    def _split_extreme(self, expr: ex.Extreme, group: Group, scope: Scope) -> Phrase:
        """Return the best of a selection, with a sentence each for the limits, the keys and ties."""
        name = expr.selection.name
        keys = expr.by.items if isinstance(expr.by, ex.TupleValue) else (expr.by,)
        before = [*takewhile(lambda key: self.lexicon.sort(key) == "boolean", keys[:-1])]
        for number, key in enumerate(before):
            those = self._those(key, name, group, expr.which)
            self.notes.append(f"next come {those}" if number else f"{those} come before all others")
        keys = keys[len(before) :]
        first, *others = [self.key(key, name, group, expr.which) for key in keys]
        noun = group.one
        if expr.selection.where is not None:
            noun = self.element(expr.selection.domain, self.lexicon.sort(expr.selection), scope)
        if number_of_words(first) > LONG_VALUE // 2:
            its = group.scope.named(name, THEY if group.one.human else IT)
            value = self.noun(keys[0], its).text
            self.notes.append(f"the value of a {noun.head} is {value}")
            first = f"the {_BEST[expr.which][0]} value"
        if expr.selection.where is not None:
            self.notes.insert(0, f"consider only {self.unplaced(expr.selection, scope, many=True).as_plural().text}")
        self.notes += [f"of equals, take {'those' if expr.ties else 'the one'} with {other}" for other in others]
        tie = "" if expr.ties else self._tie(expr, scope)
        if tie:
            self.notes.append(f"of equals, take {tie}")
        noun = attrs.evolve(noun, after=f"with {first} {noun.after}".strip())
        return noun.as_plural().under("all") if expr.ties else noun

    def _tie(self, expr: ex.Extreme, scope: Scope) -> str:
        """Return which of several equals counts; nothing where no two can be equal."""
        selection = expr.selection
        if self.lexicon.sort(selection) == "card":
            if self._differ(expr):
                return ""
            *_, place = self._domains(selection.domain)
            zone = None if self.is_several(place) else self.family(place)
            known = {"row": "the one played first", "pile": "the one nearest to the top"}
            if zone is None or zone.kind in known:
                return "the first one" if zone is None else known[zone.kind]
            left = self._undecided(expr)
            if len(left) == 1:
                return f"the one with the lowest {left[0]}"
            self.in_deck_order = True
            return "the first one in the order of the deck"
        if self.lexicon.sort(selection) == "player":
            start = "player 1" if selection.start is None else self.text(selection.start, scope)
            return f"the first in seat order from {start}"
        return ""

    def _undecided(self, expr: ex.Extreme) -> list[str]:
        """Return what cards can still differ in whose key is the same: the attributes of the one kind of cards."""
        kinds = {face.kind for face in self.lexicon.rules.faces}
        if len(kinds) != 1:
            return []
        keys = expr.by.items if isinstance(expr.by, ex.TupleValue) else (expr.by,)
        known = {key.name for key in keys if isinstance(key, ex.Attribute)}
        return [words(p.name) for p in self.lexicon.kinds[kinds.pop()].params if p.name not in known]

    def _differ(self, expr: ex.Extreme) -> bool:
        """Whether no two cards of a selection can have the same key: what is required and the key name one face."""
        name = expr.selection.name
        keys = expr.by.items if isinstance(expr.by, ex.TupleValue) else (expr.by,)
        known = {key.name for key in keys if isinstance(key, ex.Attribute)}
        for part in operands(expr.selection.where, "and") if expr.selection.where is not None else ():
            match part:
                case ex.Compare(op="==", left=ex.Attribute(base=ex.Name(name=own), name=attribute)) if own == name:
                    known.add(attribute)
        faces = self.lexicon.rules.faces
        seen = set()
        for face in faces:
            attributes = [p.name for p in self.lexicon.kinds[face.kind].params]
            if not known & set(attributes):
                continue
            shown = tuple(sorted((a, int(v)) for a, v in zip(attributes, face.values, strict=True) if a in known))
            if shown in seen or face.copies > 1 or (set(attributes) - known and len(shown) < len(known)):
                return False
            seen.add(shown)
        return bool(known)

    def best(self, variable: Variable, which: str) -> str:
        """Return the highest or lowest of a variable: "highest score", "most calls"."""
        most, number = _BEST[which]
        if is_plural(variable.name) and not is_adjective(variable.name):
            return f"{number} {words(variable.name)}"
        return f"{most} {self.variable_noun(variable)}"

    def key(self, by: ex.Expr, name: str, group: Group, which: str) -> str:
        """Return what the best is the best by: "the highest rank", "the most cards in their hand"."""
        most, number = _BEST[which]
        its = group.scope.named(name, THEY if group.one.human else IT)
        match by:
            case ex.Attribute(base=ex.Name(name=own), name=attribute) if own == name:
                return f"the {most} {words(attribute)}"
            case ex.Index(base=base, indices=(ex.Name(name=index),)) if index == name:
                if isinstance(family := self.lexicon.info.symbol(base), Variable):
                    return f"the {self.best(family, which)}"
                return f"the {number} cards in {self.text(by, its)}"
            case ex.Call("count", (ex.Index() as zone,)) if mentions(zone, name):
                cards = self.noun(zone, its)
                return f"the {number} {cards.bare}" if cards.plural else f"the {number} cards {cards.within}"
            case ex.TupleValue(items=items) if self.lexicon.sort(items[0]) == "boolean":
                before = [*takewhile(lambda key: self.lexicon.sort(key) == "boolean", items[:-1])]
                rest = ", then ".join(self.key(other, name, group, which) for other in items[len(before) :])
                those = ", then ".join(self._those(key, name, group, which) for key in before)
                return f"{rest}, where {those} come first"
            case ex.Chain(
                alternatives=(ex.Alternative(value=value, condition=None), ex.Alternative(value=ex.Number(other)))
            ):
                return f"{self.key(value, name, group, which)} ({integer(other)} if there is none)"
            case ex.TupleValue(items=items):
                return ", and among equals ".join(self.key(i, name, group, which) for i in items)
            case _ if self.lexicon.sort(by) == "boolean":
                return f"the best answer to whether {self.clause(by, its)}"
        said = self.noun(by, its)
        if not mentions(by, name) or not (said.determiner or said.owner is not None):
            return f"the {most} value of {said.text}"
        if said.owner is not None and said.owner.pronoun is None:
            said = said.under("")  # Whose it is belongs to it: "rank of the card in their hand".
        return f"the {most} {said.bare}"

    def _those(self, first: ex.Expr, name: str, group: Group, which: str) -> str:
        """Return those for which a condition decides before a number does: "cards whose suit is the trump"."""
        wanted = first if which == "highest" else ex.Not(first, span=first.span)
        return self.restricted(
            named("those" if group.one.human else "cards", plural=True, human=group.one.human),
            wanted,
            name,
            group.scope,
            many=True,
        ).text

    # ---- folds

    def _folded(self, expr: ex.Fold | ex.Over, scope: Scope) -> Phrase:
        """Return a sum, a number, a greatest."""
        sort = self.lexicon.sort(expr.selection)
        that = Phrase("cards", "those", plural=True) if sort == "cards" else Phrase(self.sort_noun(sort), "that")
        if clashes := scope.uses(that.text):  # The next gets a letter.
            scope = scope.named("", attrs.evolve(that, determiner="the other"))
        group = self.group(expr.selection, scope, many=True)
        if isinstance(expr, ex.Fold) and expr.function in ("same", "different", "consecutive"):
            return named(f"whether {self.alike(expr, scope).text}")
        if isinstance(expr, ex.Over) and expr.function == "count":
            those = self._of_list(expr.selection, scope)
            return Phrase(f"number of {group.many.under('').bare if those is None else those.object}")
        value = expr.value if isinstance(expr, ex.Fold) else ex.Name(expr.selection.name, span=expr.span)
        lead = {"sum": "total", "min": "lowest", "max": "highest"}.get(expr.function, "each")
        rest = ""
        if expr.function == "sum":
            value = without_nothing(value)
            match value:
                case ex.Call("max", (kept, ex.Number(value=0))) | ex.Call("max", (ex.Number(value=0), kept)):
                    value = kept
                    rest = "" if is_natural(kept, self.lexicon.info) else " (a negative one counts as 0)"
        name = expr.selection.name
        those = self.all_of(self._counting(expr.selection, scope), scope)
        if isinstance(expr.selection.domain, ex.Name) and those.text == "the players":
            those = self.noun(expr.selection.domain, scope)
        match value:
            case ex.Attribute(base=ex.Name(name=base), name="number") if base == name and lead == "total":
                return Phrase("total", after=f"of the numbers on {those.object}{rest}")
            case ex.Attribute(base=ex.Name(name=base), name=attribute) if base == name:
                return Phrase(f"{lead} {words(attribute)}", after=f"of {those.object}{rest}")
            case ex.Attribute(base=ex.Attribute(base=ex.Name(name=base), name=inner), name=attribute) if base == name:
                return Phrase(
                    f"{lead} {words(attribute)} of the {Phrase(words(inner)).as_plural().head} of {those.object}{rest}"
                )
            case ex.Index(indices=(ex.Name(name=index),)) if index == name:
                return Phrase(f"{lead} {self.noun(value, group.scope).head}", after=f"of {those.object}{rest}")
            case ex.Call(name=called, args=(ex.Name(name=own),)) if own == name and called in self.lexicon.defines:
                return Phrase(f"{lead} *{words(called)}*", after=f"of {those.object}{rest}")
        if clashes:
            those, that = attrs.evolve(those, head=f"{those.head} *{name}*"), group.scope.phrases[name]
        said = self.text(value, group.scope.named(name, that))
        if self.splits and expr.function == "sum" and number_of_words(said) > LONG_VALUE:
            own = self.text(value, group.scope.named(name, THEY if group.one.human else IT))
            self.notes.append(f"the value of a {self.sort_noun(sort)} is {own}")
            return Phrase("total", after=f"of a value for {group.one.under('each').text}{rest}")
        return Phrase(f"{lead}, over {those.object}, of {said}{rest}")

    def _counting(self, selection: ex.Selection, scope: Scope, verb: str = "count") -> ex.Selection:
        """Return a selection without its condition, which becomes a sentence of its own, if a value is too long."""
        limit = "" if selection.where is None else self.unplaced(selection, scope, many=True).after
        if not self.splits or selection.where is None or number_of_words(limit) <= LONG_VALUE // 2:
            return selection
        self.notes.append(f"{verb} only those {limit}")
        return self.lexicon.info.changed(selection, where=None)

    def all_of(self, selection: ex.Selection, scope: Scope) -> Phrase:
        """Return all that a selection goes through: "your won cards", "the cards in the trick", "these cards"."""
        if selection.where is None and self.lexicon.sort(selection) == "card":
            domain = selection.domain
            whole = self.place(domain, scope)
            if whole.plural and not self.is_several(domain):
                return whole
        return self._of_list(selection, scope) or self.group(selection, scope, many=True).many.under("the")

    def _of_list(self, selection: ex.Selection, scope: Scope) -> Phrase | None:
        """Return those of a list of cards that a selection takes: "these cards whose rank is ace"; None for others."""
        if self.lexicon.sort(selection) != "card" or not self.is_of_list(selection.domain, scope):
            return None
        whole = self.place(selection.domain, scope)
        if whole.after or self.of_kind(selection.where, selection.name)[0] is not None:
            return None
        return self._limited(whole, selection, scope, many=True)[1]

    def alike(self, expr: ex.Fold, scope: Scope) -> clauses.Clause:
        """Return that all are the same in something, that no two are, or that all follow one another, as a clause."""
        group = self.group(expr.selection, scope, many=True)
        those = self.all_of(expr.selection, scope)
        value = self.noun(expr.value, group.scope)
        if value.after or value.owner != group.scope.phrases[expr.selection.name]:
            which = those.object if number_of_words(those.object) <= SHORT_GROUP else f"these: {group.many.text}"
            return clauses.Clause(value, "be", f"{_ALIKE[expr.function]} for each of {which}")
        if expr.function == "same":
            return clauses.Clause(those, "have", f"the same {value.bare}", whole="all")
        how, order = ("different", "") if expr.function == "different" else ("different, consecutive", " in any order")
        return clauses.Clause(those, "have", f"{how} {Phrase(value.bare).as_plural().head}{order}")


def _is(value: ex.Expr, name: str) -> bool:
    """Whether a value is the thing of that name."""
    return isinstance(value, ex.Name) and value.name == name
