"""Values as noun phrases: "the leader's hand", "the sum of the ranks of the cards in the trick"."""

from __future__ import annotations

from abc import ABC, abstractmethod

from grammar import expressions as ex
from interpreter.analysis.symbols import Define, Option, Variable, Zone
from interpreter.analysis.types import EnumType, Int
from interpreter.rulebook.lexicon import Lexicon, Scope, sort_of_type
from interpreter.rulebook.page import verbatim
from interpreter.rulebook.words import (
    Phrase,
    article,
    is_adjective,
    is_noun,
    is_plural,
    listing,
    number_of,
    plural,
    said_of,
    words,
)

KIND_WORDS = {"pile": ("pile", False), "row": ("row", False), "cards": ("cards", True), "slot": ("slot", False)}
"""What a zone is called behind an adjective: "the turned slot", "the won cards"."""

_SEATS = {
    "next": "the player after {}",
    "previous": "the player before {}",
    "left": "the left neighbour of {}",
    "right": "the right neighbour of {}",
    "across": "the player opposite {}",
    "player_of": "whoever played {}",
    "holder": "whoever holds {}",
}
_NEEDLESS = {"pile": ("stock", "deck", "pile", "talon", "stack", "heap"), "slot": ("slot", "place", "space")}
"""Kinds of places that are named with them, and words that say it already."""
_LISTS = ("players", "values")
"""Sorts of which a place can have an index, and is then several places."""
_SUMS = {"+": "plus", "-": "minus", "*": "times"}
_ROUNDED = {"up": "rounded up", "down": "rounded down", "nearest": "rounded to the nearest"}


class Nouns(ABC):
    """Puts values into words."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._told: dict[tuple[int, int], tuple[ex.Expr, Scope, Phrase]] = {}

    @abstractmethod
    def clause(self, expr: ex.Expr, scope: Scope, negated: bool = False) -> str:
        """Return a condition as a clause: "the hand is empty"."""

    @abstractmethod
    def chosen_phrase(self, expr: ex.Expr, scope: Scope) -> Phrase:
        """Return a selection of cards, players or values as a noun phrase."""

    @abstractmethod
    def folded(self, expr: ex.Fold | ex.Over, scope: Scope) -> Phrase:
        """Return one value made of many as a noun phrase."""

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
                told = [self.text(s, scope).removeprefix("the cards in ") for s in summands(expr)]
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
            if zone.kind in _NEEDLESS and told.split(" ")[-1] not in _NEEDLESS[zone.kind]:
                return f"{told} {zone.kind}", False
            return told, zone.kind == "cards" and is_plural(zone.name)
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
        owner: Phrase | None = None
        behind = ""
        for index in expr.indices:
            sort = self.lexicon.sort(index)
            if sort == "players" and owner is None:
                told = self.text(index, scope)
                owner = Phrase(f"{each} player" if told == "all players" else f"{each} of {told}")
            elif sort in _LISTS:
                behind += f" of {each} {self._listed(index, scope)}"
            elif sort == "player" and owner is None:
                owner = self._owner(index, scope)
            elif isinstance(index, ex.Name) and self.lexicon.info.constant(index) is not None:
                noun = f"{words(index.name)} {noun}"
            elif sort == "number":
                behind += f" number {self.text(index, scope)}"
            else:
                behind += f" of {self.text(index, scope)}"
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

    def _owner(self, index: ex.Expr, scope: Scope) -> Phrase:
        if scope.actor is not None and index == scope.actor:
            return Phrase("they", True, whose="their")
        return self.noun(index, scope)

    # ---- calls

    def _call(self, expr: ex.Call, scope: Scope) -> Phrase:
        args = [self.noun(a, scope) for a in expr.args]
        if expr.name in _SEATS and args:
            sort = self.lexicon.sort(expr.args[0])
            said = _SEATS[expr.name]
            if sort in self.lexicon.enums:
                said = said.replace("player", words(sort))
            return Phrase(said.format(args[0].text))
        if expr.name == "count" and args:
            return self._count(expr.args[0], args[0])
        if expr.name in ("min", "max"):
            which = {"min": ("lesser", "least"), "max": ("greater", "greatest")}[expr.name][len(args) > 2]
            told = [f"({a.text})" if " and " in a.text else a.text for a in args]
            return Phrase(f"the {which} of {listing(told)}")
        if expr.name == "distance":
            return Phrase(f"the difference between {listing([a.text for a in args])}")
        if expr.name == "face_down" or expr.name not in self.lexicon.defines:
            return Phrase(f"whether {self.clause(expr, scope)}")
        sort = self.lexicon.sort(expr)
        if sort == "boolean":
            return Phrase(f"whether {self.clause(expr, scope)}")
        args = [_bracketed(a) for a in args] if len(args) > 1 else args
        return self.called(expr.name, args, [self.lexicon.sort(a) for a in expr.args], sort)

    def called(self, name: str, args: list[Phrase], sorts: list[str], sort: str) -> Phrase:
        """Return a definition applied to something: "the player's *partner*", "the *points* for 2 and 3"."""
        many = sort in ("players", "cards")
        noun = words(name) if sort == "number" else self._valued(name, sort)
        if many and not is_plural(noun):
            noun = f"{words(name)} {sort}"
        bare = f"*{noun}*"
        if args and noun.split(" ")[-1] in ("of", "in", "with", "to", "from", "for", "on", "against"):
            return Phrase(f"the {bare} {listing([a.text for a in args])}", many, bare=bare)
        counted = is_plural(noun) and not many
        if sorts and sorts[0] in ("player", "card", "cards", *self.lexicon.enums) and not counted:
            told = args[0].has(bare, plural=many)
            with_ = f" {'for' if many else 'with'} {listing([a.text for a in args[1:]])}" if args[1:] else ""
            return Phrase(told.text + with_, many, bare=bare + with_, owner=told.owner)
        for_ = f" for {listing([a.text for a in args])}" if args else ""
        return Phrase(f"the {bare}{for_}", many, bare=bare + for_)

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
            case _:  # All others are no sums.
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
            return Phrase(f"the card in {phrase.text}", bare=f"card in {phrase.text}")
        if phrase.plural:
            return Phrase(f"the {which} one of {phrase.text}")
        return Phrase(f"the {which} card of {phrase.text}", bare=f"{which} card of {phrase.text}")

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
        if len(name) <= 2 or told == noun or name == "me":
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
        """Return "one card", "5 cards", "as many cards as the hand size"."""
        text = self.text(count, scope)
        return number_of(text, "card") if text.isdecimal() else f"as many cards as {text}"

    def one_of(self, sort: str) -> str:
        """Return "a card", "a player", "a suit"."""
        return article(self.sort_noun(sort))


def summands(expr: ex.Expr) -> list[ex.Expr]:
    """Return the parts of a sum."""
    if isinstance(expr, ex.Arithmetic) and expr.op == "+":
        return [*summands(expr.left), *summands(expr.right)]
    return [expr]


def _bracketed(phrase: Phrase) -> Phrase:
    """Return one of several arguments, in brackets if a reader could not see where it ends."""
    return Phrase(f"({phrase.text})") if ", " in phrase.text else phrase
