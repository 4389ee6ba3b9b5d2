"""Statements as sentences: what a phase does, step by step, who chooses, and what may be done with which cards.

A statement gives entries of a list.  Their texts begin small and have no full stop, so that several can
be joined to one sentence; `finished` makes sentences of them.  What is long is told in a list below its lead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import operands, walk
from grammar.source import Span
from grammar.statements import Stmt
from interpreter.analysis.core import Variable
from interpreter.analysis.types import EnumType
from interpreter.rulebook.expressions import Expressions
from interpreter.rulebook.lexicon import Lexicon, Scope
from interpreter.rulebook.nouns import SHORT
from interpreter.rulebook.page import Entry, verbatim
from interpreter.rulebook.patterns import described, matching_faces
from interpreter.rulebook.trees import is_plainly_in, mentions, occurrences, own_tags, speaks_of_each
from interpreter.rulebook.words import (
    PREPOSITIONS,
    Phrase,
    article,
    capital,
    is_adjective,
    is_plural,
    listing,
    number_of,
    sentence,
    title,
    words,
)

MANY = 3
"""So many parts of a condition make a list."""
_LEADS = {"or": "one of these {0} true:", "and": "all of these {1} true:"}
"""What stands above parts of a condition, for one that is true and for several."""
LATE = 10
"""So many words and more of what is added stand behind that to which it is added."""
LONG = 60
"""A chain that takes more letters is written line by line."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
"""What tells arguments apart that are of one sort and have no names that say more."""
_FACES = {"up": "face up", "down": "face down"}
Simple = (
    st.Let | st.LetVariable | st.Assign | st.Do | st.Move | st.Deal | st.Shuffle | st.Random | st.Swap | st.Turn
    | st.Show | st.Say | st.End | st.Nothing | st.Reopen
)  # fmt: skip
"""Statements that hold no others."""


class Statements(Expressions):
    """Puts statements into words; `where_of` says where in the book a phase is told.

    `conditions` gathers when each action is possible, by where it stands in the spec, and `steps` the words of each
    statement with the `chapter` that is being written.
    """

    def __init__(self, lexicon: Lexicon, where_of: Callable[[str], str]) -> None:
        super().__init__(lexicon)
        self.where_of = where_of
        self.conditions: dict[Span, Entry] = {}
        self.chapter = ""
        self._ordinals: dict[int, str] = {}
        self.steps: dict[Span, tuple[str, Entry]] = {}

    def block(self, body: tuple[Stmt, ...], scope: Scope) -> tuple[Entry, ...]:
        """Return what a block does; names that a statement gives are known to those behind it."""
        made: list[Entry] = []
        for stmt in body:
            made += self.statement(stmt, scope)
            scope = self.after(stmt, scope)
        return tuple(made)

    def after(self, stmt: Stmt, scope: Scope) -> Scope:
        """Return the scope behind a statement."""
        match stmt:
            case st.Let(name=name, value=value):
                sort = self.lexicon.sort(value)
                return scope.named(name, self.local(name, sort, scope, again=""))
            case st.Random(arg=arg) if self.set_by_chance(stmt) is None:
                return self.with_arg(arg, scope)
        return scope

    def statement(self, stmt: Stmt, scope: Scope) -> list[Entry]:
        """Return one statement as entries, with the rule tags of all that stands in its own lines."""
        made = self._statement(stmt, scope)
        for entry in made[:1]:
            self.steps.setdefault(stmt.span, (self.chapter, entry))
        return made

    def _statement(self, stmt: Stmt, scope: Scope) -> list[Entry]:
        tags = own_tags(stmt)
        match stmt:
            case st.If():
                return self._if(stmt, scope, tags)
            case st.Match():
                return [self._match(stmt, scope, tags)]
            case st.For():
                return self._for(stmt, scope, tags)
            case st.While(condition=condition, body=body):
                endless = self.clause(condition, scope) == "always"
                lead = "again and again" if endless else f"as long as {self._plainly(condition, scope)}"
                return self._over(lead, body, scope, tags)
            case st.Repeat(body=body, until=until):
                behind = scope
                for inner in body:
                    behind = self.after(inner, behind)
                endless = self.clause(until, behind) == "never"
                done = "repeat without end" if endless else f"repeat until {self.waited(until, behind)}"
                return self._over(done, body, scope, tags)
            case st.AtOnce(selection=selection, body=body):
                return [self._at_once(selection, body, scope, tags)]
            case st.InTurn(selection=selection, body=body):
                return [self._in_turn(selection, body, scope, tags)]
            case st.Together(body=body):
                return [Entry("all of this happens as one step:", tags, self.block(body, scope))]
            case st.Choice():
                chosen = self.choice(stmt, scope)
                return [attrs.evolve(chosen, tags=merged(tags, chosen.tags))]
            case st.Let(name=name, value=ex.Chain() as value) if self.is_long_chain(value, scope):
                told = self.local(name, self.lexicon.sort(value), scope, again="").text
                return [Entry(f"let {told} be:", tags, self.chain_entries(value, scope))]
            case st.Assign(op="=", target=target, value=ex.Chain() as value) if self.is_long_chain(value, scope):
                subject = self.noun(target, scope)
                becomes = "becomes" if self.lexicon.sort(target) == "player" else "is now"
                return [Entry(f"{subject.text} {becomes}:", tags, self.chain_entries(value, scope))]
            case st.Do(call=call) if any(isinstance(a, ex.Chain) for a in call.args):
                return [Entry(f"{self._place_of(call.name)}:", tags, self._given(call, scope))]
            case _:  # All that hold no others: the type says which these are.
                return [Entry(self.simple(stmt, scope), tags)]

    def effects(self, body: tuple[Stmt, ...], scope: Scope) -> tuple[Entry, ...]:
        """Return what an action does."""
        return self.block(body, attrs.evolve(scope, actor=None))

    def waited(self, condition: ex.Condition, scope: Scope, *, negated: bool = False) -> str:
        """Return what stands behind "until"; where it depends on something, the other cases behind the usual one."""
        cases = self.by_case(condition, scope, negated)
        if len(cases) < 2:
            return self._plainly(condition, scope, negated)
        *others, (_, usual) = cases
        return ", ".join([usual, *(f"or, if {case}, until {clause}" for case, clause in others)])

    def _plainly(self, condition: ex.Condition, scope: Scope, negated: bool = False) -> str:
        """Return a condition behind "until" or "as long as"."""
        told = self.clause(condition, scope, negated)
        return f"this is true ({told})" if told.startswith("if ") else told

    def is_long_chain(self, chain: ex.Chain, scope: Scope) -> bool:
        """Whether the links of a chain should stand on lines of their own."""
        if self.lexicon.sort(chain) == "boolean":
            return False
        long = len(self.text(chain, scope)) > LONG
        return long and any(link.condition is not None for link in chain.alternatives)

    # ---- one line

    def simple(self, stmt: Simple, scope: Scope) -> str:
        """Return a statement that holds no others, as a sentence without its end."""
        match stmt:
            case st.Let(name=name, value=value):
                return self._let(name, value, scope)
            case st.LetVariable():
                return self._let_variable(stmt, scope)
            case st.Assign():
                return self._assign(stmt, scope)
            case st.Do(call=call):
                return self._do(call, scope)
            case st.Move():
                return self._move(stmt, scope)
            case st.Deal():
                return self._deal(stmt, scope)
            case st.Shuffle(cards=cards, into=None):
                return f"shuffle {self.text(cards, scope)}"
            case st.Shuffle(cards=cards, into=into):
                assert into is not None
                return f"shuffle {self.text(cards, scope)} into {self.text(into, scope)}"
            case st.Random(arg=arg):
                return self.at_random(arg, self.set_by_chance(stmt), scope)
            case st.Swap(first=first, second=second):
                return f"{self.text(first, scope)} and {self.text(second, scope)} exchange their cards"
            case st.Turn(cards=cards, face=face):
                told, how = self.text(cards, scope), _FACES.get(face, face)
                return f"turn {how} {told}" if " that " in told else f"turn {told} {how}"
            case st.Show(cards=cards, to=to):
                whom = "everybody" if to is None else self.text(to, scope)
                return f"show {self.text(cards, scope)} to {whom}"
            case st.Say():
                return f"announce: “{self.spoken(stmt, scope)}”"
            case st.End(what="game"):
                return "the game ends at once"
            case st.End(what=what):
                return f"**{title(what)}** ends here"
            case st.Nothing():
                return "nothing happens"
            case st.Reopen():
                return "after this every other player has one more turn, whether they have had theirs or not"
            case _:
                assert_never(stmt)

    def set_by_chance(self, stmt: st.Random) -> ex.Expr | None:
        """Return the variable that chance sets, None where it gives a name to what it chooses."""
        if stmt.into is None and (variable := self.lexicon.info.symbol(stmt)) is not None:
            name = ex.Name(stmt.arg.name, span=stmt.arg.span)
            self.lexicon.info.refer(name, variable)
            return name
        return stmt.into

    def _let(self, name: str, value: ex.Expr, scope: Scope) -> str:
        sort = self.lexicon.sort(value)
        told = self.local(name, sort, scope, again="").text
        if sort == "boolean":
            return f"let the mark *{words(name)}* be set if {self.clause(value, scope)}"
        return f"let {told} be {self.text(value, scope)}"

    def _let_variable(self, stmt: st.LetVariable, scope: Scope) -> str:
        variable = self.lexicon.info.symbol(stmt)
        assert isinstance(variable, Variable)
        noun = self.variable_noun(variable)
        mark = self.lexicon.sort(stmt) == "boolean"
        told = f"a mark *{noun}*" if mark else f"the {noun}"
        for index in stmt.indices:
            if isinstance(index, ex.RangeType):
                told += f", numbered {self.text(index.low, scope)} to {self.text(index.high, scope)}"
            elif isinstance(index, ex.NamedType):
                told += f" for each {words(index.name)}"
        match stmt.initial:
            case ex.Bool(value=value):
                first = "set at first" if value else "not set at first"
            case None if isinstance(stmt.type, ex.OptionalType):
                first = "none at first"
            case None if isinstance(stmt.type, ex.RangeType) and isinstance(stmt.type.low, ex.Number):
                first = f"{stmt.type.low.value} at first"
            case None:
                first = "not set at first" if mark else "0 at first"
            case ex.NoneValue():
                first = "none at first"
            case value if mark:
                first = f"set at first if {self.clause(value, scope)}"
            case value:
                first = f"at first {self.text(value, scope)}"
        return f"keep in mind {told}, {first}"

    def _assign(self, stmt: st.Assign, scope: Scope) -> str:
        target, value = stmt.target, stmt.value
        name = target.base.name if isinstance(target, ex.Index) and isinstance(target.base, ex.Name) else ""
        name = target.name if isinstance(target, ex.Name) else name
        sort = self.lexicon.sort(target)
        if sort == "boolean":
            return self._mark(name, target, value, scope)
        subject = self.noun(target, scope)
        match stmt.op, value:
            case "+=" | "-=", ex.Chain(alternatives=(any_, last)) if any_.condition is None and (
                isinstance(last.value, ex.Number) and last.value.value == 0
            ):
                verb, to = ("add", "to") if stmt.op == "+=" else ("take", "from")
                added = self.noun(any_.value, scope)
                some = "if there are any" if added.plural else "if there is one"
                return f"{verb} {added.text}, {some}, {to} {subject.text}"
            case "+=" | "-=", ex.Chain():
                verb = "add to" if stmt.op == "+=" else "take from"
                return f"{verb} {subject.text}: {self.text(value, scope)}"
            case "+=" | "-=", _:
                verb, to = ("add", "to") if stmt.op == "+=" else ("take", "from")
                told = self.text(value, scope)
                if len(told.split()) > LATE:
                    return f"{verb} {to} {subject.text} {told}"
                return f"{verb} {told} {to} {subject.text}"
            case _, ex.NoneValue():
                return self._absent(subject, False).replace("there is no", "there is now no", 1)
            case _, ex.Arithmetic(op="*", left=factor, right=own) if own == target:
                return f"multiply {subject.text} by {self.text(factor, scope)}"
            case _, ex.Arithmetic(op="*", left=own, right=factor) if own == target:
                return f"multiply {subject.text} by {self.text(factor, scope)}"
            case _, ex.Chain(alternatives=(first, last)) if last.value == target and first.condition is None:
                verb = "becomes" if sort == "player" else "is now"
                return f"{subject.text} {verb} {self.text(first.value, scope)}, if there is one"
            case _, ex.Chain():
                verb = "becomes" if sort == "player" else "is now"
                return f"{subject.text} {verb} {self.text(value, scope)}"
        if sort == "player":
            said = self.noun(value, scope)
            return f"{said.text} {'become' if said.plural else 'becomes'} {subject.text}"
        return f"{subject.text} is now {self.text(value, scope)}"

    def _mark(self, name: str, target: ex.Expr, value: ex.Expr, scope: Scope) -> str:
        indices = target.indices if isinstance(target, ex.Index) else ()
        whom = listing([self.text(i, scope) for i in indices])
        mark = f"the mark *{words(name)}*"
        if isinstance(value, ex.Bool):
            if not whom:
                return f"set {mark}" if value.value else f"take {mark} away"
            return f"give {whom} {mark}" if value.value else f"take {mark} from {whom}"
        if isinstance(value, ex.Not) and value.value == target:
            return f"turn {mark}{f' of {whom}' if whom else ''} round: on if off, off if on"
        told = self.clause(value, scope)
        return f"{f'give {whom}' if whom else 'set'} {mark} if {told}, otherwise take it away"

    def _do(self, call: ex.Call, scope: Scope) -> str:
        behind = ""
        params = self.lexicon.phases[call.name].params if call.name in self.lexicon.phases else ()
        for arg, param in zip(call.args, params, strict=False):
            sort = self.lexicon.sort(param)
            named = self.local(param.name, sort, Scope())
            plain = named.text == f"the {self.sort_noun(sort)}" and (sort != "number" or not behind)
            match arg:
                case ex.Bool(value=value):
                    behind += f", {'with' if value else 'without'} *{words(param.name)}*"
                case _ if self.lexicon.sort(arg) == "boolean":
                    behind += f", with *{words(param.name)}* if {self.clause(arg, scope)}"
                case _ if plain or self.text(arg, scope) == named.text:
                    behind += f"{' and' if ', for ' in behind else ', for'} {self.text(arg, scope)}"
                case _:  # All others have a name of their own in the phase.
                    behind += f", {named.text} being {self.text(arg, scope)}"
        return self._place_of(call.name) + behind

    def _place_of(self, phase: str) -> str:
        return f"**{title(phase)}** ({self.where_of(phase)})"

    def _given(self, call: ex.Call, scope: Scope) -> tuple[Entry, ...]:
        """Return what a phase is given, each on a line of its own."""
        made = []
        for arg, param in zip(call.args, self.lexicon.phases[call.name].params, strict=False):
            sort = self.lexicon.sort(param)
            named = self.local(param.name, sort, Scope())
            told = f"if {self.clause(arg, scope)}" if sort == "boolean" else self.text(arg, scope)
            made.append(Entry(f"{named.text} {told}" if sort == "boolean" else f"{named.be()} {told}"))
        return tuple(made)

    def _move(self, stmt: st.Move, scope: Scope) -> str:
        cards = self.noun(stmt.cards, scope)
        place = self.noun(stmt.target, scope).text
        if stmt.at == "bottom":
            place = f"the bottom of {place}"
        elif stmt.at == "top":
            place = f"the top of {place}"
        if self.is_slot(stmt.cards):
            subject = f"{self.slot_card(stmt.cards, cards).text} goes"
        elif self.is_zone(stmt.cards):
            subject = f"{cards.text} all go" if cards.plural else f"all cards in {cards.text} go"
        else:
            subject = f"{cards.text} {'go' if cards.plural else 'goes'}"
        face = f" {_FACES.get(stmt.face, stmt.face)}" if stmt.face else ""
        by = ""
        if stmt.played_by is not None:
            by = f", played by {self.text(stmt.played_by, scope)}"
        return f"{subject} to {place}{face}{by}"

    def _deal(self, stmt: st.Deal, scope: Scope) -> str:
        origin, target = self.text(stmt.origin, scope), self.text(stmt.target, scope).removeprefix("the cards in ")
        if stmt.at == "bottom":
            target = f"the bottom of {target}"
        behind = f" {_FACES.get(stmt.face, stmt.face)}" if stmt.face else ""
        if stmt.exactly:
            behind += ", no fewer"
        match stmt.count:
            case ex.Arithmetic(op="-", left=full, right=ex.Call("count", (held,))) if held == stmt.target:
                return f"fill {target} up to {self.cards_number(full, scope)} from {origin}{behind}"
            case ex.Call("count", (held,)) if held == stmt.origin:
                return f"deal all cards in {origin} to {target}{behind}"
            case ex.Call("count", (ex.Name(name=name),)) if name in scope.phrases:
                return f"deal one card from {origin} to {target} for each of {scope.phrases[name].text}{behind}"
            case ex.Number() | ex.Name():
                return f"deal {self.cards_number(stmt.count, scope)} from {origin} to {target}{behind}"
            case count:
                return f"deal from {origin} to {target}{behind} {self.cards_number(count, scope)}"

    # ---- several lines

    def _over(self, lead: str, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...]) -> list[Entry]:
        """Return a lead with what stands below it, as one sentence if that is short."""
        below = self.block(body, scope)
        if ", " in lead and len(body) == 1 and isinstance(body[0], st.While | st.If):
            return [Entry(f"{lead}:", tags, below)]
        if len(below) == 1 and not below[0].below and ":" not in below[0].text.removeprefix("announce:"):
            between = ": " if lead.startswith("repeat") else ", "
            return [attrs.evolve(below[0], text=f"{lead}{between}{below[0].text}", tags=merged(tags, below[0].tags))]
        if len(below) == 1 and below[0].text.endswith(":") and not lead.startswith("repeat"):
            return [attrs.evolve(below[0], text=f"{lead}, {below[0].text}", tags=merged(tags, below[0].tags))]
        return [Entry(f"{lead}:", tags, below)]

    def _if(self, stmt: st.If, scope: Scope, tags: tuple[str, ...], lead: str = "if") -> list[Entry]:
        made = self._over(f"{lead} {self.clause(stmt.condition, scope)}", stmt.then, scope, tags)
        match stmt.otherwise:
            case ():
                return made
            case (st.If() as inner,):
                return made + self._if(inner, scope, own_tags(inner), "otherwise, if")
            case body:
                return made + self._over("otherwise", body, scope, ())

    def _match(self, stmt: st.Match, scope: Scope, tags: tuple[str, ...]) -> Entry:
        below: list[Entry] = []
        for case in stmt.cases:
            told = self._case(self.cases_named(case.patterns, scope), case.body, scope, case.tags)
            below += [attrs.evolve(entry, names=(*self.named_by(case.patterns), *entry.names)) for entry in told]
        if stmt.otherwise is not None:
            below += self._case("anything else", stmt.otherwise, scope, ())
        return Entry(f"it depends on {self.text(stmt.subject, scope)}:", tags, tuple(below))

    def _case(self, told: str, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...]) -> list[Entry]:
        below = self.block(body, scope)
        if len(below) == 1:
            return [attrs.evolve(below[0], text=f"{told}: {below[0].text}", tags=merged(tags, below[0].tags))]
        return [Entry(f"{told}:", tags, below)]

    # ---- for each

    def _for(self, stmt: st.For, scope: Scope, tags: tuple[str, ...]) -> list[Entry]:
        if (joined := self._joined(stmt, scope)) is not None:
            self.steps.setdefault(stmt.body[0].span, (self.chapter, joined))
            return [attrs.evolve(joined, tags=merged(tags, joined.tags))]
        leads = []
        for selection in stmt.selections:
            if (times := self._rounds(selection, stmt, scope)) is not None:
                leads.append(times)
                continue
            things = self.things(selection, scope)
            order = f" ({things.order})" if things.order else ""
            leads.append(f"{things.one('each')}{order}")
            scope = things.scope
            leads[-1] = f"for {leads[-1]}"
        each = [lead.removeprefix("for ") for lead in leads if lead.startswith("for each")]
        if len(each) == len(leads):
            leads = [f"for {listing(each)}"]
        return self._over(", ".join(leads), stmt.body, scope, tags)

    def _rounds(self, selection: ex.Selection, stmt: st.For, scope: Scope) -> str | None:
        """Return "6 times" for a loop that only counts."""
        match selection.domain:
            case ex.RangeValue(low=ex.Number(value=1), high=high) if selection.where is None and not mentions(
                stmt.body, selection.name
            ):
                return self._times(high, scope)
        return None

    def _joined(self, stmt: st.For, scope: Scope) -> Entry | None:
        """Return a loop as one sentence: "deal 5 cards from the stock to each player's hand"."""
        if len(stmt.body) != 1 or not isinstance(
            stmt.body[0], st.Deal | st.Move | st.Shuffle | st.Do | st.Turn | st.Show
        ):
            return None
        body = stmt.body[0]
        if isinstance(body, st.Move) and body.played_by is not None:
            return None
        inner, behind = scope, ""
        for selection in stmt.selections:
            if isinstance(selection.domain, ex.RangeValue) and not occurrences(body, selection.name):
                if len(stmt.selections) != 1 or not isinstance(body, st.Do):
                    return None
                low, high = selection.domain.low, selection.domain.high
                if isinstance(low, ex.Number) and low.value == 1:
                    return Entry(f"{self.simple(body, scope)}, {self._times(high, scope)}", own_tags(body))
                return None
            if occurrences(body, selection.name) != 1 or not is_plainly_in(body, selection.name):
                return None
            things = self.things(selection, inner)
            if selection.where is not None and not isinstance(body, st.Do):
                return None
            each = Phrase(things.one("each"), bare=things.noun)
            inner = inner.named(selection.name, each)
            if things.order:
                behind += f", {things.order}"
        return Entry(self.simple(body, inner) + behind, own_tags(body))

    def _times(self, count: ex.Expr, scope: Scope) -> str:
        told = self.text(count, scope)
        if not told.isdecimal():
            return f"as many times as {told}"
        return {"1": "once", "2": "twice"}.get(told, f"{told} times")

    def _at_once(self, selection: ex.Selection, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...]) -> Entry:
        things = self.things(selection, scope)
        order = f", {things.order}" if things.order else ""
        everybody = self.things(selection, scope, many=True).many("all")
        hidden = "and nobody sees what the others choose until all have chosen"
        lead = f"{everybody} do this at the same time{order}, {hidden}:"
        return Entry(lead, tags, self.block(body, things.scope))

    def _in_turn(self, selection: ex.Selection, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...]) -> Entry:
        things = self.things(selection, scope)
        order = f", {things.order}" if things.order else ""
        turns = ""
        if any(isinstance(part, st.Reopen) for stmt in body for part in walk(stmt)):
            turns = " (one turn each, and more where a rule gives one)"
        lead = f"{things.one('each')}, in turn{order}, does this{turns}:"
        return Entry(lead, tags, self.block(body, things.scope))

    # ---- words for everybody

    def spoken(self, stmt: st.Say | st.Choice, scope: Scope) -> str:
        """Return the text of a statement with its values in words."""
        parts = self.lexicon.info.text(stmt)
        return "".join(verbatim(p) if isinstance(p, str) else f"[{self.text(p, scope)}]" for p in parts)

    # ---- decisions
    def one(self, sort: str) -> str:
        """Return "a player", "a suit"."""
        return self.one_of(sort)

    def choice(self, stmt: st.Choice, scope: Scope) -> Entry:
        """Return a decision: one sentence where there is one way, otherwise a list of the ways."""
        who = self.text(stmt.player, scope)
        secretly = ", in secret," if stmt.secretly else ""
        asked = self._prompt(stmt, scope)
        inner = attrs.evolve(scope, actor=stmt.player)
        if len(stmt.actions) == 1 and stmt.otherwise is None:
            told = self.action(stmt.actions[0], inner)
            must = "may" if self._may_be_none(stmt.actions[0]) else "must"
            return attrs.evolve(told, text=f"{who}{secretly} {must} {told.text}")
        made = [self.action(a, inner) for a in stmt.actions]
        if len(made) == 1:
            lead = f"{who}{secretly} must do this{asked}, if it is possible:"
        else:
            lead = f"{who}{secretly} does one of these{asked}:"
        if stmt.otherwise is not None:
            told = self.action(stmt.otherwise, inner)
            made.append(attrs.evolve(told, text=f"if nothing else is possible: {told.text}"))
        return Entry(lead, (), tuple(made))

    def _may_be_none(self, action: st.Action) -> bool:
        """Whether an action can be to take no card at all."""
        return bool(action.args) and all(isinstance(a, ex.CardsArg) and a.quantity.low is None for a in action.args)

    def _prompt(self, stmt: st.Choice, scope: Scope) -> str:
        if stmt.prompt is None:
            return ""
        said = self.spoken(stmt, scope)
        return f" (“{said}”)"

    # ---- one way

    def action(self, action: st.Action, scope: Scope) -> Entry:
        """Return an action: its verb and what it needs, how it is typed, when it is offered, what it does."""
        named: list[str] = []
        held = [a for a in action.args if self._is_held(a)]
        conditions: list[tuple[ex.Condition, Scope]] = []
        inner = scope
        self._tell_apart(action.args)
        for arg in action.args:
            told, condition = self.argument(arg, inner)
            if held and arg not in held and " " not in words(action.verb):
                told = f"naming {told}"
            if id(arg) in self._ordinals:
                told += f" ({self.with_arg(arg, inner).phrases[arg.name].text})"
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
            text += f", so that {self._so_that(*conditions[0], action.args)}"
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

    def _is_held(self, arg: ex.Arg) -> bool:
        """Whether an argument is somebody or a card, not a number or a word that is named beside them."""
        return not isinstance(arg, ex.ValueArg) or self.lexicon.sort(arg) in ("player", "card")

    def _so_that(self, condition: ex.Condition, scope: Scope, args: tuple[ex.Arg, ...]) -> str:
        """Return what a choice must fulfil; what is not about the choice is the case in which it must."""
        parts = operands(condition, "or")
        about = [p for p in parts if isinstance(p, ex.Each) or any(mentions(p, a.name) for a in args)]
        others = [p for p in parts if p not in about]
        if len(about) != 1 or not others or any(isinstance(n, ex.Each) for p in others for n in walk(p)):
            return self.clause(condition, scope)
        case = " and ".join(self.clause(p, scope, True) for p in others)
        return f"{self.clause(about[0], scope)} (if {case})"

    def _tell_apart(self, args: tuple[ex.Arg, ...]) -> None:
        """Let single arguments of one sort, whose names say no more, be the first and the second."""
        by_sort: dict[str, list[ex.Arg]] = {}
        for arg in args:
            if not isinstance(arg, ex.CardsArg) and len(arg.name) <= SHORT:
                by_sort.setdefault(self.lexicon.sort(arg), []).append(arg)
        for alike in by_sort.values():
            if 1 < len(alike) <= len(_ORDINALS):
                self._ordinals.update({id(arg): which for arg, which in zip(alike, _ORDINALS, strict=False)})

    def _musts(self, conditions: list[tuple[ex.Condition, Scope]]) -> tuple[Entry, ...]:
        """Return the conditions of an action as lines of their own."""
        made = []
        for condition, scope in conditions:
            lead, below = self.listed(condition, scope, ("must be", "must be"))
            made.append(Entry(lead if below else f"it must be so that {lead}", (), below))
        return tuple(made)

    def _verb(self, action: st.Action, named: list[str]) -> str:
        verb = words(action.verb)
        if not named:
            return f"**{verb}**"
        between = ": " if " " in verb and verb.split(" ")[-1] not in PREPOSITIONS else " "
        held = [told for told in named if not told.startswith("naming ")]
        if len(held) < len(named):
            behind = [f", naming {listing([t.removeprefix('naming ') for t in named if t not in held])}"]
            if named[0] not in held:
                return f"**{verb}**{behind[0]}, {listing(held)}"
            return f"**{verb}**{between}{listing(held)}{behind[0]}"
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
        kind, where = self.of_kind(arg.where, arg.name)
        lead = f"one {kind or 'card'} from {place.text}"
        if where is None:
            return lead, []
        if (same := self.of_that(where, arg.name, self.with_arg(arg, scope))) is not None:
            return f"one {kind or 'card'}{same} from {place.text}", []
        return self._with_where(lead, arg, where, scope, "card")

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
        quantity = self._quantity(arg.quantity, scope)
        lead = f"{quantity} from {place.text}"
        if arg.where is None:
            return lead, []
        if (same := self.of_that(arg.where, "each", scope)) is not None:
            return f"{quantity}{same} from {place.text}", []
        if all(speaks_of_each(p) for p in operands(arg.where, "and")):
            plainly = attrs.evolve(scope, each=Phrase("that", True, whose="whose"))
            return f"{lead} {self.clause(arg.where, plainly)}", []
        inner = attrs.evolve(scope, each=Phrase("each of them", whose="each one's"))
        return lead, [(arg.where, inner)]

    def _quantity(self, quantity: ex.Quantity, scope: Scope) -> str:
        low = None if quantity.low is None else self.text(quantity.low, scope)
        high = None if quantity.high is None else self.text(quantity.high, scope)
        if low is None and high is None:
            return "any number of cards"
        if low == high and low is not None:
            return number_of(low, "card") if low.isdecimal() else f"as many cards as {low}"
        if low is None:
            return f"up to {number_of(high or '', 'card')}"
        if high is None:
            return f"at least {number_of(low, 'card')}"
        if not low.isdecimal():
            return f"at least {low} and at most {high} cards"
        return f"{low} to {high} cards"

    def _value(self, arg: ex.ValueArg, scope: Scope) -> tuple[str, list[tuple[ex.Condition, Scope]]]:
        sort = self.lexicon.sort(arg)
        noun = "number" if sort == "number" else self.sort_noun(sort)
        lead = article(noun) if self._whole(arg.domain) else self._choice_of(arg.domain, scope)
        if arg.where is None:
            return lead, []
        return self._with_where(lead, arg, arg.where, scope, sort)

    def _whole(self, domain: ex.Expr) -> bool:
        if isinstance(domain, ex.Name) and domain.name == "players":
            return True
        return isinstance(self.lexicon.info.symbol(domain), EnumType)

    def _choice_of(self, domain: ex.Expr, scope: Scope) -> str:
        if isinstance(domain, ex.RangeValue):
            return f"a number from {self.text(domain, scope)}"
        return f"one of {self.text(domain, scope)}"

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
        if id(arg) in self._ordinals:
            noun = self.sort_noun(self.lexicon.sort(arg))
            return scope.named(arg.name, Phrase(f"the {self._ordinals[id(arg)]} {noun}", bare=noun))
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
                return f"{target} is now a random {told.removeprefix('a ')}"
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
                if told.startswith("a number"):
                    return f"let {named} be a random {told.removeprefix('a ')}"
                return f"chance picks {told}, {named}"

    # ---- what is long
    def is_long(self, condition: ex.Condition) -> bool:
        """Whether a condition has so many parts, or parts inside parts, that it needs a list."""
        whole = self.inlined(condition)
        if not isinstance(whole, ex.Logic):
            return False
        parts = operands(whole, whole.op)
        return len(parts) >= MANY or any(isinstance(part, ex.Logic) for part in parts)

    def listed(
        self, condition: ex.Condition, scope: Scope, verbs: tuple[str, str] = ("is", "are")
    ) -> tuple[str, tuple[Entry, ...]]:
        """Return a condition as the lead of a list and its lines; a short one has no lines."""
        whole = self.inlined(condition)
        if not self.is_long(whole) or not isinstance(whole, ex.Logic):
            return self.clause(condition, scope), ()
        below: list[Entry] = []
        for operand in operands(whole, whole.op):
            if self.is_long(operand):
                below.append(Entry(*self._inner(operand, scope)))
            else:
                below.append(Entry(self.clause(operand, scope), own_tags(operand)))
        return _LEADS[whole.op].format(*verbs), tuple(below)

    def _inner(self, operand: ex.Condition, scope: Scope) -> tuple[str, tuple[str, ...], tuple[Entry, ...]]:
        lead, below = self.listed(operand, scope)
        return lead, own_tags(operand), below

    def chain_entries(self, chain: ex.Chain, scope: Scope) -> tuple[Entry, ...]:
        """Return the links of a chain as lines."""
        below = []
        plain = all(link.condition is None for link in chain.alternatives)
        truth = self.lexicon.sort(chain) == "boolean"
        for number, link in enumerate(chain.alternatives):
            told = self.clause(link.value, scope) if truth else self.text(link.value, scope)
            if link.condition is not None:
                told = f"if {self.clause(link.condition, scope)}: {told}"
            elif number and chain.alternatives[number - 1].condition is not None:
                told = f"otherwise: {told}"
            elif number and not plain:
                told = f"if there is none: {told}"
            below.append(Entry(told, own_tags(link)))
        return tuple(below)

    def case_entries(self, match: ast.MatchValue, scope: Scope) -> tuple[Entry, ...]:
        """Return the cases of a value as lines."""
        below = []
        truth = all(self.lexicon.sort(case.value) == "boolean" for case in match.cases)
        for case in match.cases:
            told = self.cases_named(case.patterns, scope)
            value = self.clause(case.value, scope) if truth else self.text(case.value, scope)
            below.append(Entry(f"{told}: {value}", own_tags(case), (), self.named_by(case.patterns)))
        return tuple(below)

    def cases_named(self, patterns: tuple[ex.Pattern, ...], scope: Scope) -> str:
        """Return the patterns of a case in words; no patterns mean all that is left."""
        told = [described(self.lexicon, p, lambda e: self.text(e, scope)) for p in patterns]
        return listing(told, "or") if told else "anything else"

    def named_by(self, patterns: tuple[ex.Pattern, ...]) -> tuple[str, ...]:
        """Return the cards for which a case stands, by what is printed on them."""
        kinds = [p for p in patterns if isinstance(p, ex.KindPattern)]
        return tuple(dict.fromkeys(face.text for kind in kinds for face in matching_faces(self.lexicon, kind)))


def merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Return tags of two lines that became one, each once."""
    return (*first, *(t for t in second if t not in first))


def finished(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return entries as sentences."""
    return tuple(attrs.evolve(e, text=sentence(e.text), below=finished(e.below)) for e in entries)
