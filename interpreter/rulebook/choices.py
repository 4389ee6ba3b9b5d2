"""Decisions in words: who chooses, what may be done with which cards, and what then happens."""

from __future__ import annotations

from abc import abstractmethod

import attrs

from grammar import expressions as ex
from grammar import statements as st
from grammar.source import Span
from grammar.statements import Stmt
from interpreter.analysis.types import EnumType
from interpreter.rulebook.lexicon import Lexicon, Scope
from interpreter.rulebook.lists import Listed
from interpreter.rulebook.page import Entry
from interpreter.rulebook.selections import conjuncts
from interpreter.rulebook.trees import own_tags
from interpreter.rulebook.words import Phrase, article, capital, is_adjective, is_plural, listing, number_of, words


class Choices(Listed):
    """Puts choices and their actions into words.

    `conditions` gathers when each action is possible, by where it stands in the spec.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(lexicon)
        self.conditions: dict[Span, Entry] = {}

    @abstractmethod
    def effects(self, body: tuple[Stmt, ...], scope: Scope) -> tuple[Entry, ...]:
        """Return what an action does."""

    @abstractmethod
    def spoken(self, stmt: st.Say | st.Choice, scope: Scope) -> str:
        """Return the text of a statement with its values in words."""

    def one(self, sort: str) -> str:
        """Return "a player", "a suit"."""
        return article(self.sort_noun(sort))

    def choice(self, stmt: st.Choice, scope: Scope) -> Entry:
        """Return a decision: one sentence where there is one way, otherwise a list of the ways."""
        who = self.text(stmt.player, scope)
        secretly = ", in secret," if stmt.secretly else ""
        asked = self._prompt(stmt, scope)
        inner = attrs.evolve(scope, actor=stmt.player)
        if len(stmt.actions) == 1 and stmt.otherwise is None:
            told = self.action(stmt.actions[0], inner)
            return attrs.evolve(told, text=f"{who}{secretly} must {told.text}")
        made = [self.action(a, inner) for a in stmt.actions]
        if len(made) == 1:
            lead = f"{who}{secretly} must do this{asked}, if it is possible:"
        else:
            lead = f"{who}{secretly} does one of these{asked}:"
        if stmt.otherwise is not None:
            told = self.action(stmt.otherwise, inner)
            made.append(attrs.evolve(told, text=f"if nothing else is possible: {told.text}"))
        return Entry(lead, (), tuple(made))

    def _prompt(self, stmt: st.Choice, scope: Scope) -> str:
        if stmt.prompt is None:
            return ""
        said = self.spoken(stmt, scope)
        return f" (“{said}”)"

    # ---- one way

    def action(self, action: st.Action, scope: Scope) -> Entry:
        """Return an action: its verb and what it needs, how it is typed, when it is offered, what it does."""
        named: list[str] = []
        conditions: list[tuple[ex.Condition, Scope]] = []
        inner = scope
        for arg in action.args:
            told, condition = self.argument(arg, inner)
            named.append(told)
            conditions += condition
            inner = self.with_arg(arg, inner)
        if action.such_that is not None:
            conditions.append((action.such_that, inner))
        typed = " ".join([action.verb, *(self._typed(a) for a in action.args)])
        text = f"{self._verb(action, named)} (`{typed}`)"
        if action.only_if is not None:
            text += f", only if {self.clause(action.only_if, attrs.evolve(inner, actor=None))}"
        must: tuple[Entry, ...] = ()
        if len(conditions) == 1 and not self.is_long(conditions[0][0]):
            text += f", so that {self.clause(*conditions[0])}"
        elif conditions:
            must = self._musts(conditions)
        tags = own_tags(action)
        self.conditions[action.span] = Entry(text, tags, must)
        effects = self.effects(action.body, inner)
        if not must and len(effects) == 1 and not effects[0].below and ":" not in effects[0].text:
            one = effects[0]
            both = (*tags, *(t for t in one.tags if t not in tags))
            return Entry(f"{text}. {capital(one.text)}", both, (), (action.verb, *one.names))
        return Entry(text, tags, (*must, *effects), (action.verb,))

    def _musts(self, conditions: list[tuple[ex.Condition, Scope]]) -> tuple[Entry, ...]:
        """Return the conditions of an action as lines of their own."""
        made = []
        for condition, scope in conditions:
            lead, below = self.listed(condition, scope, "must be true")
            made.append(Entry(lead if below else f"it must be so that {lead}", (), below))
        return tuple(made)

    def _verb(self, action: st.Action, named: list[str]) -> str:
        verb = words(action.verb)
        if not named:
            return f"**{verb}**"
        between = ": " if " " in verb and not verb.endswith((" to", " in", " from", " on")) else " "
        apart = any(" that " in told or " whose " in told or " who " in told for told in named[:-1])
        return f"**{verb}**{between}{', and '.join(named) if apart else listing(named)}"

    def argument(self, arg: ex.Arg, scope: Scope) -> tuple[str, list[tuple[ex.Condition, Scope]]]:
        """Return what an action needs, and the conditions that do not fit into that phrase."""
        match arg:
            case ex.CardArg():
                return self._card(arg, scope)
            case ex.CardsArg():
                return self._cards(arg, scope)
            case ex.ValueArg():
                return self._value(arg, scope)

    def _card(self, arg: ex.CardArg, scope: Scope) -> tuple[str, list[tuple[ex.Condition, Scope]]]:
        place = self.noun(arg.domain, scope)
        lead = f"one card {_from(place)}"
        if arg.where is None:
            return lead, []
        return self._with_where(lead, arg, arg.where, scope, "card")

    def _with_where(
        self, lead: str, arg: ex.Arg, where: ex.Condition, scope: Scope, sort: str
    ) -> tuple[str, list[tuple[ex.Condition, Scope]]]:
        """Return an argument with its condition behind it, or apart from it where that reads better."""
        inner = self.with_arg(arg, scope)
        told, plain = self.relative(where, arg.name, inner, human=sort == "player")
        if plain and not self.is_long(where):
            return lead + told, []
        return lead, [(where, inner)]

    def _cards(self, arg: ex.CardsArg, scope: Scope) -> tuple[str, list[tuple[ex.Condition, Scope]]]:
        place = self.noun(arg.domain, scope)
        lead = f"{self._quantity(arg.quantity, scope)} {_from(place)}"
        if arg.where is None:
            return lead, []
        if all(_speaks_of_each(p) for p in conjuncts(arg.where)):
            plainly = attrs.evolve(scope, each=Phrase("that", True, whose="whose"))
            return f"{lead} {' and '.join(self.clause(p, plainly) for p in conjuncts(arg.where))}", []
        inner = attrs.evolve(scope, each=Phrase("each of them", whose="each one's"))
        return lead, [(arg.where, inner)]

    def _quantity(self, quantity: ex.Quantity, scope: Scope) -> str:
        low = None if quantity.low is None else self.text(quantity.low, scope)
        high = None if quantity.high is None else self.text(quantity.high, scope)
        if low is None and high is None:
            return "any number of cards (none, if they like)"
        if low == high and low is not None:
            return number_of(low, "card") if low.isdecimal() else f"as many cards as {low}"
        if low is None:
            return f"up to {number_of(high or '', 'card')}"
        if high is None:
            return f"at least {number_of(low, 'card')}"
        if not low.isdecimal():
            return f"from {low} up to {high} cards"
        return f"{low} to {high} cards"

    def _value(self, arg: ex.ValueArg, scope: Scope) -> tuple[str, list[tuple[ex.Condition, Scope]]]:
        sort = self.lexicon.sort(arg)
        noun = "number" if sort == "number" else self.sort_noun(sort)
        behind = "" if self._whole(arg.domain) else f" {self._choice_of(arg.domain, sort, scope)}"
        if arg.where is None:
            return f"{article(noun)}{behind}", []
        return self._with_where(f"{article(noun)}{behind}", arg, arg.where, scope, sort)

    def _whole(self, domain: ex.Expr) -> bool:
        if isinstance(domain, ex.Name) and domain.name == "players":
            return True
        return isinstance(self.lexicon.info.symbol(domain), EnumType)

    def _choice_of(self, domain: ex.Expr, sort: str, scope: Scope) -> str:
        if isinstance(domain, ex.RangeValue):
            return f"from {self.text(domain, scope)}"
        told = self.noun(domain, scope)
        return f"out of {told.text}" if sort != "card" else f"in {told.text}"

    def _typed(self, arg: ex.Arg) -> str:
        """Return the place of an argument as it is typed: CARD, CARDS, NUMBER, the name of what is chosen."""
        match arg:
            case ex.CardArg():
                return "CARD"
            case ex.CardsArg():
                return "CARDS"
            case ex.ValueArg():
                sort = self.lexicon.sort(arg)
                return {"thing": "VALUE", "number": "NUMBER"}.get(sort, words(sort).upper().replace(" ", "_"))

    def chosen_cards(self, name: str) -> Phrase:
        """Return what cards are called that somebody has chosen: "the cards led", "the gift"."""
        told = words(name)
        if len(name) <= 2:
            return Phrase("these cards", True, bare="cards")
        if is_adjective(name):
            return Phrase(f"the cards {told}", True, bare=f"cards {told}")
        return Phrase(f"the {told}", is_plural(name), bare=told)

    def with_arg(self, arg: ex.Arg, scope: Scope) -> Scope:
        """Return the scope in which an argument has been chosen."""
        match arg:
            case ex.CardArg(name=name):
                return scope.named(name, self.local(name, "card", scope))
            case ex.CardsArg(name=name):
                return scope.named(name, self.chosen_cards(name))
            case ex.ValueArg():
                sort = self.lexicon.sort(arg)
                return scope.named(arg.name, self.local(arg.name, sort, scope))

    # ---- chance

    def at_random(self, arg: ex.Arg, into: ex.Expr | None, scope: Scope) -> str:
        """Return that chance chooses, and perhaps the variable that it sets."""
        if into is not None and isinstance(arg, ex.ValueArg):
            told, target = self._value(arg, scope)[0], self.noun(into, scope).text
            if told.startswith("a number"):
                return f"roll for {target}: {told}, each as likely"
            same = told.split(" ", 1)[-1] == target.removeprefix("the ")
            if same:
                return f"chance picks {target}"
            return f"chance picks {told}{',' if arg.where is not None else ''} to be {target}"
        named = self.with_arg(arg, scope).phrases[arg.name].text
        match arg:
            case ex.CardArg():
                told, _ = self._card(arg, scope)
                return f"chance picks {told}" if len(arg.name) <= 2 else f"chance picks {told}, {named}"
            case ex.CardsArg():
                told, _ = self._cards(arg, scope)
                return f"chance picks {told}, {named}"
            case ex.ValueArg():
                told, _ = self._value(arg, scope)
                if len(arg.name) <= 2:
                    return f"chance picks {told}"
                return (
                    f"roll for {named}: {told}, each as likely"
                    if told.startswith("a number")
                    else (f"chance picks {told}, {named}")
                )


def _speaks_of_each(condition: ex.Condition) -> bool:
    """Whether `each` is the subject of a condition."""
    if isinstance(condition, ex.Logic):
        return _speaks_of_each(condition.left) and _speaks_of_each(condition.right)
    value = getattr(condition, "value", None) or getattr(condition, "left", None)
    if isinstance(condition, ex.Call):
        value = condition.args[0] if condition.args else None
    while isinstance(value, ex.Attribute):
        value = value.base
    return isinstance(value, ex.Each)


def _from(place: Phrase) -> str:
    return f"{'out of' if place.plural else 'of'} {place.text}"
