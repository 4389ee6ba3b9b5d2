"""Selections as noun phrases: "the first card of the trick that is a Wizard", "all players whose hand is empty"."""

from __future__ import annotations

import re
from abc import abstractmethod

import attrs

from grammar import expressions as ex
from interpreter.analysis.symbols import Variable
from interpreter.analysis.types import EnumType
from interpreter.rulebook.lexicon import Lexicon, Scope
from interpreter.rulebook.nouns import Nouns
from interpreter.rulebook.trees import mentions, occurrences
from interpreter.rulebook.words import Phrase, plural, words


@attrs.frozen
class Things:
    """What a selection goes through, in words: the noun, what stands behind it, the order, and the scope inside."""

    noun: str
    behind: str
    order: str
    scope: Scope
    human: bool
    whole: str = ""

    def one(self, which: str) -> str:
        """Return "any card of the trick that is a Wizard"."""
        return f"{which} {self.noun}{self.behind}"

    def bare(self, *, many: bool = False) -> str:
        """Return what there is none of, where there is none: "card in the trick that is a Wizard"."""
        if self.whole:
            return self.whole.removeprefix("the ") if many else f"card among {self.whole}"
        return f"{plural(self.noun) if many else self.noun}{self.behind}"

    def many(self, which: str) -> str:
        """Return "all cards of the trick that are ...", "all the cards led"."""
        if self.whole:
            if which == "the":
                return self.whole
            return f"{which}{' ' if which.endswith((' of', 'all')) else ' of '}{self.whole}"
        return f"{which} {plural(self.noun)}{self.behind}"


class Selections(Nouns):
    """Puts selections and folds into words."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(lexicon)
        self._things: dict[tuple[int, int, bool], tuple[ex.Selection, Scope, Things]] = {}

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
        if selection.where is not None:
            where, plain = self.relative(selection.where, selection.name, inner, human=human, many=many)
            if not plain and called != f"the {noun}":
                noun = f"{noun} *{selection.name}*" if len(selection.name) <= 2 else noun
        place = self.noun(selection.domain, scope) if tail.startswith(" among ") else None
        whole = place.text + where if many and place is not None and place.text.startswith(("the ", "these ")) else ""
        if where and place is not None and re.search(r" (among|who|that|whose) ", place.text):
            where, tail, whole = "", f"{where}, among {place.text}", ""
        order = "" if selection.start is None else f"beginning with {self.text(selection.start, scope)}"
        return Things(noun, tail + where, order, inner, human, whole)

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
                return f" out of {self.text(cards, scope)}{size}"
            case ex.All(selection=inner) if self.lexicon.sort(inner) == "card":
                return self.things(inner, scope, many=True).behind
            case _:  # All others are told as the place or the list that they are.
                phrase = self.noun(domain, scope)
                return f" {'among' if phrase.plural else 'in'} {phrase.text}"

    def relative(
        self, where: ex.Condition, name: str, scope: Scope, *, human: bool, many: bool = False
    ) -> tuple[str, bool]:
        """Return a condition as a relative clause, and whether it needs no name for the thing itself.

        `scope` calls the thing by its name; a part of which the thing is the subject does without.
        """
        where = self.inlined(where)
        pronoun = Phrase("who" if human else "that", many, whose="whose")
        there = scope.named(name, pronoun)
        leading, others = [], []
        for part in conjuncts(where):
            if self.tellable(part, name):
                leading.append(self.clause(part, there))
            else:
                others.append(self.clause(part, scope))
        text = " " + " and ".join(leading) if leading else ""
        if others:
            text += f"{' and' if leading else ''} for {'whom' if human else 'which'} " + " and ".join(others)
        return text, not others

    @abstractmethod
    def inlined(self, expr: ex.Condition) -> ex.Condition:
        """Return a condition in which small definitions are written out."""

    def tellable(self, condition: ex.Condition, name: str) -> bool:
        """Whether every part of a condition can be a relative clause about a thing."""
        return all(leads(part, name) and self.told_of(part) for part in conjuncts(condition))

    def told_of(self, condition: ex.Condition) -> bool:
        """Whether a condition of which a thing is the subject can follow it: a top card of something cannot."""
        match condition:
            case ex.Is(value=ex.EndOf(zone=zone), test=test):
                return self.is_slot(zone) and not isinstance(test, str | ex.Member)
            case ex.Logic(left=left, right=right):
                return self.told_of(left) and self.told_of(right)
            case ex.Not(value=value):
                return self.told_of(value)
            case _:  # All others can follow it.
                return True

    def chosen_phrase(self, expr: ex.Expr, scope: Scope) -> Phrase:
        """Return a pick, the best, or all of a selection."""
        match expr:
            case ex.Pick(selection=ex.Selection(domain=zone, where=None), count=None) if self.is_slot(zone):
                return self.noun(ex.EndOf("top", zone, span=expr.span), scope)
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
            case _:  # All others are no selections.
                return self.noun(expr, scope)

    def _extreme(self, expr: ex.Extreme, scope: Scope) -> Phrase:
        selection = expr.selection
        among = selection.where is not None or selection.start is not None
        things = self.things(selection, scope, many=expr.ties or among)
        which = {"highest": ("highest", "most"), "lowest": ("lowest", "fewest")}[expr.which]
        by = self._key(expr.by, selection.name, things, which)
        if expr.ties:
            return Phrase(f"{things.many('all')} with {by}", True, bare=things.bare(many=True))
        if not among:
            return Phrase(f"{things.one('the')} with {by}", bare=things.bare())
        order = f", counted from {self.text(selection.start, scope)}" if selection.start is not None else ""
        return Phrase(f"the {things.noun} with {by} among {things.many('the')}{order}", bare=things.bare())

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
                    return f"the {which[0]} {self.variable_noun(family)}"
                return f"the {which[1]} cards in {self.text(by, its)}"
            case ex.Call("count", (ex.Index() as zone,)) if mentions(zone, name):
                return f"the {which[1]} cards in {self.text(zone, its)}"
            case _ if self.lexicon.sort(by) == "boolean":
                first, last = ("yes", "no") if which[0] == "highest" else ("no", "yes")
                return f"a {first} rather than a {last} to whether {self.clause(by, its)}"
            case ex.TupleValue(items=items):
                return ", then ".join(self._key(i, name, things, which) for i in items)
            case _:  # All others are told as values.
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
        if expr.function == "sum":
            value = without_nothing(value)
        match value:
            case ex.Attribute(base=ex.Name(name=base), name=attribute) if base == name:
                return Phrase(f"{lead} {words(attribute)} of {things.many('the')}")
            case _:  # All others are told as values.
                told = self.noun(value, things.scope)
                if told.owner is not None and told.owner == things.scope.phrases[name] and told.bare:
                    return Phrase(f"{lead} {told.bare} {'of' if lead == 'the total' else 'among'} {things.many('all')}")
                over = things.many("all")
                if expr.function == "sum":
                    return Phrase(f"the sum of {told.text} over {over}")
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


def _in_order(things: Things) -> str:
    return f" ({things.order})" if things.order else ""


def conjuncts(condition: ex.Condition) -> list[ex.Condition]:
    """Return the parts of a condition that must all hold."""
    if isinstance(condition, ex.Logic) and condition.op == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    return [condition]


def disjuncts(condition: ex.Condition) -> list[ex.Condition]:
    """Return the parts of a condition of which one must hold."""
    if isinstance(condition, ex.Logic) and condition.op == "or":
        return [*disjuncts(condition.left), *disjuncts(condition.right)]
    return [condition]


def begins_with(expr: ex.Expr, name: str) -> bool:
    """Whether the words of a value would begin with a name: the name itself, what belongs to it."""
    match expr:
        case ex.Name(name=own):
            return own == name
        case ex.Attribute(base=base):
            return begins_with(base, name)
        case ex.Index(indices=(ex.Name(name=first), *rest)):
            return first == name and not any(mentions(r, name) for r in rest)
        case ex.EndOf(zone=zone):
            return begins_with(zone, name)
        case _:  # All others begin with other words.
            return False


def leads(condition: ex.Condition, name: str) -> bool:
    """Whether a thing is the subject of a condition, and stands in it nowhere else."""
    if occurrences(condition, name) != 1:
        return isinstance(condition, ex.Logic) and all(leads(p, name) for p in (condition.left, condition.right))
    match condition:
        case ex.Compare(left=ex.Call("count", (ex.Index() as zone,))):
            return begins_with(zone, name)
        case ex.Compare(left=left):
            return begins_with(left, name)
        case ex.Is(value=value):
            return begins_with(value, name)
        case ex.Not(value=value):
            return leads(value, name)
        case ex.Index():
            return begins_with(condition, name)
        case ex.Call(args=(ex.Name(name=first), *_)):
            return first == name
        case ex.EndOf(zone=zone):
            return begins_with(zone, name)
        case ex.Attribute():
            return begins_with(condition, name)
        case _:  # All others have several subjects, or none.
            return False


def without_nothing(value: ex.Expr) -> ex.Expr:
    """Return what is summed up, without the 0 that stands for what is absent."""
    match value:
        case ex.Chain(
            alternatives=(ex.Alternative(condition=None, value=first), ex.Alternative(value=ex.Number(value=0)))
        ):
            return first
        case _:  # All others are summed up as they are.
            return value
