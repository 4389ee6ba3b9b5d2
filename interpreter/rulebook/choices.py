"""Decisions as sentences: who chooses, what they must or may do, with which cards, and within which limits."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from functools import partial

import attrs

from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import evolved, operands, walk
from grammar.source import Span
from grammar.statements import Stmt
from interpreter.analysis.types import EnumType
from interpreter.english.clauses import EITHER, joined, levels
from interpreter.english.phrases import Phrase, named
from interpreter.english.words import (
    LONGEST,
    capital,
    is_adjective,
    is_plural,
    listing,
    number_of_words,
    says_nothing,
    words,
)
from interpreter.rulebook.conditions import OPPOSITE, Conditions
from interpreter.rulebook.lexicon import Lexicon, Scope
from interpreter.rulebook.page import Entry, plain
from interpreter.rulebook.trees import EACH, all_of, is_negative, mentions, own_tags, size

LARGE = 12
"""Nodes of a condition on some of several things that keeps its name: written out, it would be too long."""
RELATIVE = 9
"""Words of a relative clause that fits into the description of an action."""
_MOVING = ("play", "lead", "discard", "take", "draw", "lay", "place", "put", "move", "pass", "give")
"""Verbs that say how cards move; an action with another verb is called by it and described by one of these."""
_CHOOSING = ("choose", "select", "pick", "name", "bid", "announce", "declare", "guess")
"""Verbs that say that a value is chosen."""
OR_NONE = " (or none)"
"""After the number of cards of a set that may be empty."""
_LEADS = {"or": "at least one of these is true:", "and": "all of these are true:"}
LEVELS = 2
"""Levels of `and` and `or` in one sentence; a condition with more is a list."""
GIST = 3
"""Words of a prompt that says more than an action."""
_ORDINALS = ("the first", "the second", "the third", "the fourth", "the fifth")
"""Determiners of arguments of one sort whose names say nothing."""


@attrs.frozen
class ActionRow:
    """An action in the table of all actions: what is typed, who does it, and in which chapter."""

    verb: str
    typed: str
    who: str
    chapter: str


@attrs.frozen
class Way:
    """One way to decide: what is done, a further sentence, what is below it, and the rules that it carries out.

    `numbered` says that the lines below are steps; `short` is its verb with those of decisions that follow from it.
    """

    do: str
    further: str
    tags: tuple[str, ...]
    below: tuple[Entry, ...]
    names: tuple[str, ...]
    numbered: bool = False
    short: str = ""

    def entry(self, front: str = "", suffix: str = "", lead: str = "") -> Entry:
        """Return the way as a line: "you must" in front, "or pass" after it; `lead` begins its short form."""
        text = f"{front}{self.do}{suffix}{f'. {self.further}' if self.further else ''}"
        short = f"{lead}{self.short}{plain(suffix)}"
        return Entry(text, self.tags, self.below, self.names, numbered=self.numbered, short=short)


class Choices(Conditions):
    """Puts decisions into words.

    `conditions` holds when each action is possible, by its place in the spec, and `limits` the lines for each part of
    its conditions, by the places of both; `steps` the words of each statement with
    the `chapter` that is being written; `actions` the rows of the table of actions; `opened` the definitions that are
    written out at their only use.
    """

    def __init__(self, lexicon: Lexicon, like: Conditions | None = None) -> None:
        super().__init__(lexicon, like)
        self.conditions: dict[Span, Entry] = {}
        self.limits: dict[tuple[Span, Span], tuple[Entry, ...]] = {}
        self._duties_of: dict[Span, tuple[Entry, ...]] = {}
        self.steps: dict[Span, tuple[str, Entry]] = {}
        self.actions: list[ActionRow] = []
        self.opened: set[str] = set()
        self.chapter = ""

    @abstractmethod
    def block(self, body: tuple[Stmt, ...], scope: Scope) -> tuple[Entry, ...]:
        """Return what a block does."""

    # ---- a decision

    def choice(self, stmt: st.Choice, scope: Scope) -> list[Entry]:
        """Return a decision: one sentence where there is one way, otherwise a list of the ways."""
        addressed = self.noun(stmt.player, scope).is_second_person
        who = self.text(stmt.player, scope)
        inner = scope if addressed else scope.addressing(stmt.player, self.lasting(stmt.player, scope).text)
        decider = "" if addressed else f"{who}: " if "*" in who else f"**{who}**: "
        front = capital(decider)

        prompt = self.lexicon.info.text(stmt) if stmt.prompt else ()
        gist = "".join(part for part in prompt if isinstance(part, str))
        known = number_of_words(gist) < GIST or any(words(a.verb) in gist for a in stmt.actions)
        known |= not all(isinstance(part, str) for part in prompt)  # The values may not be known here.
        if stmt.secretly:  # Nothing that shows it may come before that.
            front += (
                "keep this choice secret. Others see exactly these effects: every shuffle, how many cards in a row go "
                "from one place to another, and what they may look at. "
            )
        elif gist and not known:
            front += f"{gist}. "

        def begun(modal: str) -> str:
            return front + (capital(modal) if front.endswith(". ") else modal)

        last = stmt.otherwise
        briefly = decider + "secretly " * stmt.secretly
        refusals = [a for a in stmt.actions if not a.args and not a.body and a.only_if is None]
        ways = [a for a in stmt.actions if a not in refusals]
        if len(ways) == 1 and ways[0].args and len(refusals) <= 1 and (last is None or not refusals):
            free = bool(refusals) or self._may_be_none(ways[0], inner)
            suffix = ""
            modal = "you may" if free else "you must" if last is None else "if you can, you must"
            for refusal in refusals:
                self._row(refusal, inner)
                self.conditions[refusal.span] = Entry(self._verb(refusal), own_tags(refusal))
                suffix = f", or {self._verb(refusal)}"
            short = f"{'you may ' * free}{briefly}" if addressed else f"{briefly}{'you may ' * free}"
            way = self.way(ways[0], inner, declinable=bool(refusals)).entry(f"{begun(modal)} ", suffix, short)
            return [way] if last is None else [way, self._last(last, inner, "if you cannot")]
        if len(stmt.actions) == 1 and last is None:
            return [self.way(stmt.actions[0], inner).entry(f"{begun('you must')} ", lead=briefly)]
        lead = begun("you must do exactly one of these:")
        below = [self.way(a, inner).entry() for a in stmt.actions]
        if last is not None:
            below.append(self._last(last, inner, "if you can do none of these"))
        short = f"{briefly}{listing([e.short for e in below], 'or')}"
        return [Entry(lead, (), tuple(below), short=short)]

    def _last(self, action: st.Action, scope: Scope, case: str) -> Entry:
        """Return the action that is possible only if no other is."""
        if not action.args and not action.body:
            self._row(action, scope)
            self.conditions[action.span] = Entry(f"{self._verb(action)}, possible only if no other action is")
            made = Entry(f"{case}, you must {self._verb(action)}: nothing happens", own_tags(action))
        else:
            made = self.way(action, scope).entry(f"{case}, you must ")
        return attrs.evolve(made, short=f"{words(action.verb)} (if nothing else is possible)")

    def _may_be_none(self, action: st.Action, scope: Scope) -> bool:
        """Whether an action can be to take no card at all."""
        return all(
            isinstance(a, ex.CardsArg) and self._quantity(a.quantity, scope, action)[1] == OR_NONE for a in action.args
        )

    # ---- one action

    def way(self, action: st.Action, scope: Scope, *, declinable: bool = False) -> Way:
        """Return an action: its verb, what it needs and where that goes, its limits, its effects.

        The effects of a `declinable` action, which a player may decline in the same sentence, begin with "if you".
        """
        self._duties_of.clear()
        inner, parts, limits = self._arguments(action, scope)
        named = (action.verb, *(note for note, (_, chosen) in self.chosen_once.items() if chosen.span == action.span))
        if action.such_that is not None:
            limits += self.duties(action.such_that, [a.name for a in action.args], inner)
        self.limits |= {(action.span, span): entries for span, entries in self._duties_of.items()}
        effects = list(action.body)
        target, moving, tags = "", "move", own_tags(action)
        if (first := self._first_move(action)) is not None:
            effects.remove(first)
            target, moving = self.target(first, inner), self.moving(first, inner)
            tags = tuple(dict.fromkeys((*tags, *own_tags(first))))
        named_first = first is not None and any(
            isinstance(arg, ex.ValueArg) and mentions(first.target, arg.name) for arg in action.args
        )
        do = self._sentence(action, parts, target, moving, named_first=named_first)
        if first is not None and number_of_words(do) > LONGEST - 4:
            do, first, effects = self._sentence(action, parts, ""), None, list(action.body)
        if action.only_if is not None:
            lead, parts_ = self.listed(action.only_if, inner)
            if number_of_words(lead) > LONGEST - 6:
                lead = f"this is true: {lead}"
            limits.append(Entry(f"you can do this only if {lead}", (), parts_))
            for part in operands(action.only_if, "and"):
                only = Entry(f"you can do this only if {self.clause(part, inner)}")
                self.limits[action.span, part.span] = (only,)
        self.conditions[action.span] = Entry(f"{do}:" if limits else do, tags, tuple(limits))
        if first is not None:
            self.steps.setdefault(first.span, (self.chapter, Entry(do, tags)))
        number = len(self.actions)
        held = () if action.only_if is None else tuple(operands(action.only_if, "and"))
        done = self.block(tuple(effects), attrs.evolve(inner, facts=(*inner.facts, *held)))
        self._row(action, scope, number)
        made = partial(Way, short=words(action.verb) + _then(done))
        if not action.args and not done and (not action.body or not limits):
            return made(f"{do}: do nothing", ". ".join(capital(e.text) for e in limits), tags, (), named)
        if (about := self.about("action", f"{self.lexicon.phase_of.get(action.span, '')} {action.verb}")) is not None:
            every = tuple(dict.fromkeys((*tags, *(t for e in (*done, *limits) for t in e.all_tags()))))
            return made(self._verb(action), about, every, (), named)
        if declinable:
            done = tuple(led(f"if you {self._verb(action)}", done, ()))
        below = (*limits, *done)
        flat = not any(e.below or e.text[-1] == ":" or e.tags for e in below[1:]) and not any(
            e.below for e in below[:1]
        )
        if below and flat and (len(below) == 1 or number_of_words(" ".join(e.text for e in below)) <= LONGEST):
            both = tuple(dict.fromkeys((*tags, *(t for e in below for t in e.tags))))
            names = tuple(n for e in below for n in e.names)
            further = ". ".join(capital(e.text) for e in below)
            if not action.args:
                return made(f"{do}: {further}", "", both, (), (*named, *names))
            return made(do, further, both, (), (*named, *names))
        numbered = len(done) > 1
        do = do if action.args else f"{do}:"
        if limits and done:
            below = (Entry("limits:", (), tuple(limits)), Entry("effect:", (), done, numbered=numbered))
            return made(do, "", tags, below, named)
        return made(do, "", tags, below, named, numbered)

    def _sentence(
        self, action: st.Action, parts: list[str], target: str, moving: str = "move", *, named_first: bool = False
    ) -> str:
        """Return the verb and what it needs: what is named before the cards, or in their target, is before the verb."""
        verb, called = words(action.verb), self._verb(action)
        sets = [(text, arg) for text, arg in zip(parts, action.args, strict=True) if not isinstance(arg, ex.ValueArg)]
        values = [text for text, arg in zip(parts, action.args, strict=True) if isinstance(arg, ex.ValueArg)]
        names = [f"the {words(arg.name)}" for _, arg in sets if self._is_one_set(arg, action)]
        cards = [f"{text} (the {words(arg.name)})" if self._is_one_set(arg, action) else text for text, arg in sets]
        if len({text for text, _ in sets}) == 1 < len(sets) == len(names):
            cards = [f"{sets[0][0]} as each of these: {listing(names)}"]
        if not cards:
            plain = f"{called} {listing(values)}" if verb in _CHOOSING else f"{called}: choose {listing(values)}"
            return plain if values else called
        first = next(n for n, arg in enumerate(action.args) if not isinstance(arg, ex.ValueArg))
        first = len(values) if named_first else first
        front = f"choose {listing(values[:first])} and " if first else ""
        suffix = f", and choose {listing(values[first:])}" if values[first:] else ""
        what = f"{', and '.join(cards)}{target}{suffix}"
        if verb in _MOVING and (target or len(cards) == 1):
            return f"{front}{called} {what}"
        if verb in _CHOOSING:
            many = "them" if isinstance(action.args[-1], ex.CardsArg) else "it"
            moved = f", and {moving} {many}{target}" if target else ""
            return f"{front}{called} {', and '.join(cards)}{moved}{suffix}"
        return f"{called}: {front}{moving if target else 'choose'} {what}"

    def _is_one_set(self, arg: ex.Arg, action: st.Action) -> bool:
        """Whether an argument is one of several sets of cards, and has a name that says which."""
        sets = [other for other in action.args if isinstance(other, ex.CardsArg)]
        return len(sets) > 1 and arg in sets and not says_nothing(arg.name)

    def _verb(self, action: st.Action) -> str:
        return f"**{words(action.verb)}**"

    def _row(self, action: st.Action, scope: Scope, number: int | None = None) -> None:
        typed = " ".join([action.verb, *(self._typed(a) for a in action.args)])
        row = ActionRow(action.verb, f"`{typed}`", scope.who, self.chapter)
        self.actions.insert(len(self.actions) if number is None else number, row)

    def _typed(self, arg: ex.Arg) -> str:
        """Return the place of an argument as it is typed: CARD, CARDS, NUMBER, the name of what is chosen."""
        match arg:
            case ex.CardArg():
                return "CARD"
            case ex.CardsArg():
                return "CARDS"
            case ex.ValueArg():
                sort = self.lexicon.sort(arg)
                return {"thing": "VALUE", "number": "NUMBER"}.get(sort, "_".join(words(sort).upper().split(" ")))

    def _first_move(self, action: st.Action) -> st.Move | None:
        """Return the first effect if it moves the chosen cards: it is printed with the action."""
        held = [a for a in action.args if isinstance(a, ex.CardArg | ex.CardsArg)]
        match action.body:
            case (st.Move(cards=ex.Name(name=name)) as move, *_) if len(held) == 1 and held[0].name == name:
                return move
        return None

    @abstractmethod
    def moving(self, move: st.Move, scope: Scope) -> str:
        """Return "play" where a rule asks later who played the cards, and "you" do; "move" elsewhere."""

    @abstractmethod
    def target(self, move: st.Move, scope: Scope) -> str:
        """Return where cards go: " to the trick", " to the bottom of your draw pile face down"."""

    # ---- arguments

    def _arguments(self, action: st.Action, scope: Scope) -> tuple[Scope, list[str], list[Entry]]:
        """Return the scope in which all is chosen, the words of each argument, and limits."""
        inner, parts, limits = scope, [], []
        which = self._determiners(action, scope)
        for arg in action.args:
            chosen = self.with_arg(arg, inner, which.get(id(arg), "the chosen"))
            match arg:
                case ex.CardArg() | ex.CardsArg():
                    text, more = self._cards(arg, inner, chosen, action)
                    if self._is_one_set(arg, action):
                        chosen = inner.named(arg.name, Phrase(words(arg.name), plural=is_plural(arg.name)))
                case ex.ValueArg():
                    text, more = self._value(arg, inner, chosen, 2 * RELATIVE if len(action.args) == 1 else RELATIVE)
            parts.append(text)
            limits += more
            inner = chosen
        return inner, parts, limits

    def _determiners(self, action: st.Action, scope: Scope) -> dict[int, str]:
        """Return the determiners of single arguments of one sort, so that the first and the second differ."""
        by_sort: dict[str, list[ex.Arg]] = {}
        for arg in action.args:
            if not isinstance(arg, ex.CardsArg) and says_nothing(arg.name):
                by_sort.setdefault(self.lexicon.sort(arg), []).append(arg)
        made = {}
        for sort, alike in by_sort.items():
            if 1 < len(alike) <= len(_ORDINALS):
                made.update({id(arg): which for arg, which in zip(alike, _ORDINALS, strict=False)})
            elif (
                sort == "card"
                and not any(phrase.head == "card" for phrase in scope.phrases.values())
                and not any(self._is_card(node) for stmt in action.body for node in walk(stmt))
            ):
                made[id(alike[0])] = "the"
        return made

    def _is_card(self, node: ex.Node) -> bool:
        """Whether a node gives a name to another card, takes one by its number, or moves one from its place."""
        if isinstance(node, st.Move) and (self.is_slot(node.cards) or _is_numbered(node.cards)):
            return True
        names = ex.Selection | st.Let | ex.CardArg
        return isinstance(node, names) and self.lexicon.sort(getattr(node, "value", node)) == "card"

    def with_arg(self, arg: ex.Arg, scope: Scope, which: str) -> Scope:
        """Return the scope in which an argument has been chosen."""
        if isinstance(arg, ex.CardsArg):
            if is_adjective(arg.name) and not says_nothing(arg.name):
                return scope.named(arg.name, Phrase(f"cards {words(arg.name)}", plural=True))
            return scope.named(arg.name, Phrase("cards", "these", True))
        return scope.named(arg.name, self.local(arg.name, self.lexicon.sort(arg), scope, which))

    def _cards(
        self, arg: ex.CardArg | ex.CardsArg, scope: Scope, chosen: Scope, action: st.Action
    ) -> tuple[str, list[Entry]]:
        """Return "exactly 1 card of the led suit from your hand", and the limits that do not fit into that."""
        limits: list[Entry] = []
        if isinstance(arg, ex.CardsArg):
            amount, none, limits = self._quantity(arg.quantity, scope, action)
            name = EACH
        else:
            amount, none, name = "exactly 1", "", arg.name
        kind, where = self.of_kind(arg.where, name)
        duties = chosen.named(EACH, Phrase("of these cards", "each"))
        many = amount.split(" ")[-1] != "1"
        noun = Phrase(kind or "card", amount)
        noun = noun.as_plural() if many else noun
        if where is not None:
            parts = operands(self.inlined(where), "and")
            plain = all(self._is_plain(part, name) for part in parts) and self._opened(where) is where
            short = self.restricted(noun, where, name, chosen, many=many) if plain else noun
            if plain and number_of_words(short.after) <= RELATIVE:
                noun = short
            else:
                limits = [*self.duties(where, [name], duties), *limits]
        place = self.noun(arg.domain, scope)
        parts = operands(arg.domain, "+")
        if len(parts) > 1 and isinstance(arg, ex.CardArg) and all(self.family(part) for part in parts):
            place = named(listing([self.place(part, scope).object for part in parts], "or"))
        if self.is_slot(arg.domain) and where is None and isinstance(arg, ex.CardArg):
            return self.slot_card(arg.domain, place).object, limits
        if self.family(arg.domain) is None and place.plural and place.one:
            if kind is None and not noun.after:
                place = attrs.evolve(place, determiner="the") if place.determiner == "all" else place
                return f"{amount} of {place.object}{none}", limits
            return f"{noun.text}{none} among {place.object}", limits
        if where is not None and number_of_words(f"{noun.text} from {place.object}") > LONGEST // 2 + 2 and noun.after:
            noun = attrs.evolve(noun, after="")
            limits = [*self.duties(where, [name], duties), *limits]
        source = "" if noun.after.endswith(f" {place.object}") else f" from {place.object}"
        return f"{noun.text}{none}{source}", limits

    def _is_plain(self, part: ex.Condition, name: str) -> bool:
        """Whether a condition can be a relative clause about a card, or each card of a set."""
        return not isinstance(part, ex.Logic) and self.can_be_relative(part, name)

    def _quantity(self, quantity: ex.Quantity, scope: Scope, action: st.Action) -> tuple[str, str, list[Entry]]:
        """Return how many cards: the amount before the noun, "(or none)" after it, and limits of their own."""
        low, high = self._low(quantity), quantity.high
        if isinstance(low, ex.Call) and (bound := self._bound(low)) is not None and high is not None:
            if self.is_used_once(low.name):
                self.opened.add(low.name)
            limits = [
                Entry(f"if {self.clause(link.condition, scope)}, you must {words(action.verb)} at least "
                      f"{self.cards_number(link.value, scope)}", own_tags(low))
                for link in bound.alternatives if link.condition is not None
            ]  # fmt: skip
            return f"up to {self.text(high, scope)}", OR_NONE, limits
        if low is None and high is None:
            return "any number of", OR_NONE, []
        if low is not None and ex.equal(low, high):
            if isinstance(low, ex.Number):
                return f"exactly {self.text(low, scope)}", "", []
            if isinstance(low, ex.Chain):
                return "some", "", [Entry(f"the number of these cards must be {self.text(low, scope)}")]
            return "as many", f" as {self.text(low, scope)}", []
        if low is None or (isinstance(low, ex.Number) and low.value == 0):
            assert high is not None
            return f"up to {self.text(high, scope)}", OR_NONE, []
        if high is None:
            return f"at least {self.text(low, scope)}", "", []
        if isinstance(low, ex.Number):
            return f"{self.text(low, scope)} to {self.text(high, scope)}", "", []
        return f"at least {self.text(low, scope)} and at most {self.text(high, scope)}", "", []

    def _low(self, quantity: ex.Quantity) -> ex.Expr | None:
        """Return the least number of cards; a definition that is only a number is that number."""
        low = quantity.low
        if isinstance(low, ex.Call) and low.name in self.lexicon.defines:
            written = self.written_out(low)
            if isinstance(written, ex.Number) and not self.has_about(low.name):
                self.opened.add(low.name)
                return written
        return low

    def _bound(self, low: ex.Call) -> ex.Chain | None:
        """Return a lower bound written out: "if C then 1 else 0"; None for all others."""
        written = self.written_out(low) if low.name in self.lexicon.defines else None
        match written:
            case ex.Chain(alternatives=(*_, ex.Alternative(value=ex.Number(value=0), condition=None))):
                return written
        return None

    def _value(
        self, arg: ex.ValueArg, scope: Scope, chosen: Scope, longest: int = 2 * RELATIVE
    ) -> tuple[str, list[Entry]]:
        """Return "another player who is not out", "a suit", "a number from 1 to 9", and the limits that do not fit."""
        sort = self.lexicon.sort(arg)
        one = self.element(arg.domain, sort, scope).under("a")
        whole = self._whole(arg.domain)
        if sort == "player" and not whole and not one.one and self.noun(arg.domain, scope).one:
            one = self.noun(arg.domain, scope).as_singular() or one
            one = one.under("a")
        where = arg.where
        if where is None:
            return one.text, []
        parts = operands(where, "and")
        others = [p for p in parts if not self.is_not_you(p, arg.name, scope)]
        if len(others) < len(parts):
            one = one.under("another")
        if not others:
            return one.text, []
        left = all_of("and", others, self.lexicon.info)
        if all(self.can_be_relative(p, arg.name) for p in operands(self.inlined(left), "and")):
            after = self.element(arg.domain, sort, scope, limited=True).after if one.head == sort else one.after
            short = self.restricted(attrs.evolve(one, after=after), left, arg.name, chosen, many=False)
            if number_of_words(short.after) <= longest:
                return short.text, []
        called = f"({chosen.phrases[arg.name].text})" if not says_nothing(arg.name) else ""
        return one.followed(called).text, self.duties(left, [arg.name], chosen)

    def _whole(self, domain: ex.Expr) -> bool:
        named_players = isinstance(domain, ex.Name) and domain.name == "players"
        return named_players or isinstance(self.lexicon.info.symbol(domain), EnumType)

    # ---- what is long

    def listed(self, condition: ex.Condition, scope: Scope) -> tuple[str, tuple[Entry, ...]]:
        """Return a condition as the lead of a list and its lines; a short one has no lines."""
        whole = self.inlined(condition)
        made = self.condition(whole, scope)
        text = made.text
        if isinstance(whole, ex.Quantified) and whole.which == "some" and number_of_words(text) > LONGEST:
            where = whole.selection.where
            group = self.group(self.lexicon.info.changed(whole.selection, where=None), scope)
            if isinstance(where, ex.Logic) and where.op == "and":
                lines = tuple(Entry(self.clause(part, group.scope), own_tags(part)) for part in operands(where, "and"))
                return f"all of these are true for at least one {group.one.bare}:", lines
        if number_of_words(text) <= LONGEST - 6 and EITHER not in text and levels(made) <= LEVELS:
            return text, ()
        match whole:
            case ex.Not(value=ex.Logic() as value):
                return self.listed(self.opposite(value), scope)
            case ex.Logic():
                pass
            case _:  # No other has parts.
                return text, ()
        below: list[Entry] = []
        parts = operands(whole, whole.op)
        decided = {self.clause(self.opposite(part), scope) for part in parts}
        for operand in parts:
            lead, inner = self.listed(operand, scope)
            if lead in _LEADS.values() and (left := [entry for entry in inner if entry.text not in decided]):
                lead, inner = (left[0].text, left[0].below) if len(left) == 1 else (lead, tuple(left))
            if all(entry.text != lead for entry in below) or inner:
                below.append(Entry(lead, own_tags(operand), inner))
        return _LEADS[whole.op], tuple(below)

    def opposite(self, condition: ex.Condition) -> ex.Condition:
        """Return the opposite of a condition; that of several is one of the opposites, or all of them."""
        whole = self.inlined(condition)
        match whole:
            case ex.Not(value=value):
                return value
            case ex.Logic(op=op, left=left, right=right):
                other = "or" if op == "and" else "and"
                both = {"left": self.opposite(left), "right": self.opposite(right)}
                return self.lexicon.info.changed(whole, op=other, **both)
            case ex.Compare(op=op) if op in OPPOSITE:
                return self.lexicon.info.changed(whole, op=OPPOSITE[op])
        return self.lexicon.info.like(whole, ex.Not(whole, span=whole.span, tags=whole.tags))

    # ---- limits

    def duties(self, where: ex.Condition, names: list[str], scope: Scope) -> list[Entry]:
        """Return what chosen things must fulfil, each part as a sentence of its own."""
        made = self._duties(where, names, scope)
        self._duties_of[where.span] = tuple(made)
        return made

    def _duties(self, where: ex.Condition, names: list[str], scope: Scope) -> list[Entry]:
        where = self._opened(where)
        tags = own_tags(where)
        if isinstance(where, ex.Bool):
            return [] if where.value else [Entry("this is not allowed", tags)]
        if isinstance(where, ex.Logic) and where.op == "and":
            return [entry for part in operands(where, "and") for entry in self.duties(part, names, scope)]
        if isinstance(where, ex.Chain):
            made = self._cases(where, names, scope)
            shown = {tag for entry in made for tag in entry.all_tags()}
            return [attrs.evolve(made[0], tags=(*(t for t in tags if t not in shown), *made[0].tags)), *made[1:]]
        if isinstance(where, ex.Compare) and isinstance(where.right, ex.Chain) and self.by_case(where, scope):
            links = [evolved(link, value=self.lexicon.info.changed(where, right=link.value))
                     for link in where.right.alternatives]  # fmt: skip
            return self._cases(evolved(where.right, alternatives=tuple(links)), names, scope)
        match where:
            case ex.Compare(op=op, left=ex.TupleValue(items=left), right=ex.TupleValue(items=right)) if op in OPPOSITE:
                ops = [f"{op[0]}="] * (len(left) - 1) + [op]
                parts = [self.lexicon.info.changed(where, op=o, left=a, right=b)
                         for o, a, b in zip(ops, left, right, strict=True)]  # fmt: skip
                said = [self.condition(part, scope).under("must").text for part in parts]
                return [Entry(". If they are equal, ".join(said), tags)]
        if isinstance(where, ex.Logic):
            about: list[ex.Condition] = []
            others: list[ex.Condition] = []
            for part in operands(where, "or"):
                (about if self._is_about(part, names) else others).append(part)
            held = [self.condition(part, scope) for part in about]
            if len(about) == 1 and others and levels(held[0]) < LEVELS and not isinstance(about[0], ex.Chain):
                return [self._unless(about[0], others, scope, tags)]
            duty = joined("or", [made.under("must") for made in held])
            if not others and number_of_words(duty.text) <= LONGEST and levels(duty) <= LEVELS:
                return [Entry(duty.text, tags)]
            opened = [self._opened(part) for part in (*about, *others)]
            entries = tuple(
                Entry(lead, merged(whole.tags, own_tags(part)), below)
                for whole in opened
                for part in operands(whole, "or")
                for lead, below in [self.listed(part, scope)]
            )
            return [Entry("at least one of these must be true:", tags, entries)]
        return [Entry(self.condition(where, scope).under("must").text, tags)]

    def _opened(self, where: ex.Condition) -> ex.Condition:
        """Return a condition whose definition is written out, where nothing else needs its name."""
        if isinstance(where, ex.Call) and where.name in self.lexicon.defines and self.small(where.name):
            where = self.inlined(where)
        if isinstance(where, ex.Call) and self.is_used_once(where.name):
            written = self.written_out(where)
            long = isinstance(written, ex.Quantified) and size(written) > LARGE
            if written is not None and not long:
                self.opened.add(where.name)
                tags = tuple(dict.fromkeys((*where.tags, *self.lexicon.defines[where.name].tags, *written.tags)))
                return self.lexicon.info.changed(written, tags=tags)
        return where

    def _is_about(self, part: ex.Condition, names: list[str]) -> bool:
        """Whether a condition speaks of what is chosen, and not of another thing of the same name."""
        match part:
            case ex.Logic(left=left, right=right):
                return self._is_about(left, names) or self._is_about(right, names)
            case ex.Every(selection=own) | ex.Quantified(selection=own) if own.name in names:
                return any(mentions(own.domain, name) for name in names)
        return any(mentions(part, name) for name in (*names, EACH))

    def _unless(self, about: ex.Condition, others: list[ex.Condition], scope: Scope, tags: tuple[str, ...]) -> Entry:
        """Return a duty with its exceptions; one that is a negation becomes a case in which the duty holds."""
        duty = self.condition(about, scope).under("must").text
        others = [self._opened(other) for other in others]
        cases = [o for o in others if is_negative(o)]
        rest = [other for other in others if other not in cases]
        said = [self.condition(other, scope) for other in rest]
        if cases:
            held = [self.condition(case, scope).negation() for case in cases]
            lead = f"if {joined('and', held).text}"
            exceptions = f", unless {joined('or', said).text}" if said else ""
            if number_of_words(f"{lead}, {duty}{exceptions}") <= LONGEST + 1:
                return Entry(f"{lead}, {duty}{exceptions}", tags)
            held += [made.negation() for made in said]
            entries = tuple(Entry(made.text, own_tags(o)) for made, o in zip(held, (*cases, *rest), strict=True))
            return Entry(f"{duty} if all of these are true:", tags, entries)
        unless = joined("or", said).text
        whole = f"{duty}, unless {unless}"
        if number_of_words(whole) <= LONGEST and " and " not in unless:
            return Entry(whole, tags)
        exception = f"This does not apply if {unless}"
        if max(number_of_words(duty), number_of_words(exception)) <= LONGEST:
            return Entry(f"{duty}. {exception}", tags)
        entries = tuple(Entry(s.text, own_tags(o)) for s, o in zip(said, rest, strict=True))
        return Entry(f"{duty}, unless at least one of these is true:", tags, entries)

    def _cases(self, chain: ex.Chain, names: list[str], scope: Scope) -> list[Entry]:
        """Return duties by case: "if the trick is empty:" and what holds then."""
        made = []
        for lead, link in self.links(chain, scope):
            below = tuple(self.duties(link.value, names, scope))
            if not below and link.condition is None:
                continue
            below = below or (Entry("nothing is required"),)
            tags = tuple(t for t in own_tags(link) if t not in {t for e in below for t in e.tags})
            first, *_ = below[0].text.split(". ")
            if len(below) == 1 and not below[0].below and number_of_words(f"{lead} {first}") <= LONGEST:
                made.append(Entry(f"{lead}, {below[0].text}", merged(tags, below[0].tags)))
            else:
                made.append(Entry(f"{lead}:", tags, below))
        return made


def _is_numbered(cards: ex.Expr) -> bool:
    """Whether this is a card by its number in a place: `card n of line`."""
    return isinstance(cards, ex.CardAt) and not isinstance(cards.at, str)


def led(lead: str, below: tuple[Entry, ...], tags: tuple[str, ...]) -> list[Entry]:
    """Return a lead with what is below it, as one sentence if that is short."""
    if not below:
        return []
    only = below[0]
    short = len(below) == 1 and not only.below and ":" not in only.text and ". " not in only.text
    joint = ","
    if lead.startswith("if ") and only.text.startswith("if "):  # Both tests are in one.
        joint, short = " and", short and " or " not in f"{lead} {only.text}"
    if short and number_of_words(f"{lead} {only.text}") <= LONGEST:
        return [attrs.evolve(only, text=f"{lead}{joint} {only.text}", tags=merged(tags, only.tags))]
    return [steps(f"{lead}:", tags, below)]


def led_by_lines(lead: str, lines: tuple[Entry, ...], below: tuple[Entry, ...], tags: tuple[str, ...]) -> list[Entry]:
    """Return what happens if a condition of several lines holds: "add 1 to your score if all of these are true:"."""
    only = below[0] if below else Entry("nothing happens")
    if len(below) <= 1 and not only.below and not any(mark in only.text for mark in (":", ". ", "if ")):
        return [attrs.evolve(only, text=f"{only.text} if {lead}", tags=merged(tags, only.tags), below=lines)]
    return [Entry(f"if {lead}", tags, (*lines, *led("**then**", below, ())))]


def steps(lead: str, tags: tuple[str, ...], below: tuple[Entry, ...]) -> Entry:
    """Return a lead with the steps below it, numbered where there are several."""
    return Entry(lead, tags, below, numbered=len(below) > 1)


def merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Return tags of two lines that became one, each once."""
    return (*first, *(t for t in second if t not in first))


def _then(effects: Iterable[Entry], lead: str = "then") -> str:
    """Return the decisions among the effects of an action, as the summary has them: " (then perhaps name)"."""
    said = [f" ({lead} {effect.short})" if effect.short else _then(effect.below, "then perhaps") for effect in effects]
    return "".join(dict.fromkeys(said))
