"""Statements as sentences: what a phase does, step by step.

A statement gives entries of a list.  Their texts begin small and have no full stop, so that several can
be joined to one sentence; `finished` makes sentences of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

import attrs

from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import parts
from grammar.statements import Stmt
from interpreter.analysis.symbols import Variable
from interpreter.rulebook.choices import Choices
from interpreter.rulebook.lexicon import Lexicon, Scope
from interpreter.rulebook.page import Entry, verbatim
from interpreter.rulebook.trees import mentions, occurrences, own_tags
from interpreter.rulebook.words import Phrase, listing, number_of, sentence, title, words

LONG = 60
"""A chain that takes more letters is written line by line."""
_FACES = {"up": "face up", "down": "face down"}


Simple = (
    st.Let
    | st.LetVariable
    | st.Assign
    | st.Do
    | st.Move
    | st.Deal
    | st.Shuffle
    | st.Random
    | st.Swap
    | st.Turn
    | st.Show
    | st.Say
    | st.End
    | st.Nothing
    | st.Reopen
)
"""Statements that hold no others."""


class Sentences(Choices):
    """Puts statements into words; `where_of` says where in the book a phase is told."""

    def __init__(self, lexicon: Lexicon, where_of: Callable[[str], str]) -> None:
        super().__init__(lexicon)
        self.where_of = where_of

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
            case _:  # No other gives a name.
                return scope

    def statement(self, stmt: Stmt, scope: Scope) -> list[Entry]:
        """Return one statement as entries, with the rule tags of all that stands in its own lines."""
        tags = own_tags(stmt)
        match stmt:
            case st.If():
                return self._if(stmt, scope, tags)
            case st.Match():
                return [self._match(stmt, scope, tags)]
            case st.For():
                return self._for(stmt, scope, tags)
            case st.While(condition=condition, body=body):
                return self._over(f"as long as {self._plainly(condition, scope)}", body, scope, tags)
            case st.Repeat(body=body, until=until):
                behind = scope
                for inner in body:
                    behind = self.after(inner, behind)
                done = f"repeat until {self._plainly(until, behind)}"
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

    def _plainly(self, condition: ex.Condition, scope: Scope) -> str:
        """Return a condition behind "until" or "as long as"."""
        told = self.clause(condition, scope)
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
                return f"turn {self.text(cards, scope)} {_FACES.get(face, face)}"
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
                return "all the others are due once more"
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
            return f"let *{words(name)}* be marked if {self.clause(value, scope)}"
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
                first = f"set at first exactly if {self.clause(value, scope)}"
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
            case "+=" | "-=", ex.Chain():
                verb = "add to" if stmt.op == "+=" else "take from"
                return f"{verb} {subject.text}: {self.text(value, scope)}"
            case "+=", _:
                return f"add {self.text(value, scope)} to {subject.text}"
            case "-=", _:
                return f"take {self.text(value, scope)} from {subject.text}"
            case _, ex.NoneValue():
                return self._absent(subject, False).replace("there is no", "there is now no", 1)
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
        whom = f"{listing([self.text(i, scope) for i in indices])} " if indices else ""
        if isinstance(value, ex.Bool):
            of = f" of {whom.strip()}" if whom else ""
            return f"mark {whom}*{words(name)}*" if value.value else f"take the mark *{words(name)}*{of} away"
        if isinstance(value, ex.Not) and value.value == target:
            return f"turn the mark *{words(name)}*{f' of {whom.strip()}' if whom else ''} round: on if off, off if on"
        told = self.clause(value, scope)
        if whom:
            return f"mark {whom}*{words(name)}* if {told}, otherwise take that mark away"
        return f"mark *{words(name)}* if {told}, otherwise take that mark away"

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
                case _ if plain:
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
            subject = f"the card in {cards.text} goes"
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
        return self._over(", ".join(leads).replace(", for each", " and each"), stmt.body, scope, tags)

    def _rounds(self, selection: ex.Selection, stmt: st.For, scope: Scope) -> str | None:
        """Return "6 times" for a loop that only counts."""
        match selection.domain:
            case ex.RangeValue(low=ex.Number(value=1), high=high) if not mentions(stmt.body, selection.name):
                return self._times(high, scope)
            case _:  # All others do more than count.
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
            if occurrences(body, selection.name) != 1 or not _in_place(body, selection.name):
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
        return number_of(self.text(count, scope), "time").replace("one time", "once")

    def _at_once(self, selection: ex.Selection, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...]) -> Entry:
        things = self.things(selection, scope)
        order = f", {things.order}" if things.order else ""
        lead = f"{things.one('each')}{order}, all at once and hidden from the others until all have decided:"
        return Entry(lead, tags, self.block(body, things.scope))

    def _in_turn(self, selection: ex.Selection, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...]) -> Entry:
        things = self.things(selection, scope)
        order = f", {things.order}" if things.order else ""
        lead = f"{things.one('each')}, in turn{order}, does this; it goes round as long as anybody is due:"
        return Entry(lead, tags, self.block(body, things.scope))

    # ---- words for everybody

    def spoken(self, stmt: st.Say | st.Choice, scope: Scope) -> str:
        """Return the text of a statement with its values in words."""
        parts = self.lexicon.info.text(stmt)
        return "".join(verbatim(p) if isinstance(p, str) else f"[{self.text(p, scope)}]" for p in parts)


def _in_place(body: Stmt, name: str) -> bool:
    """Whether a name stands where "each ..." can take its place: an index or an argument, not inside a selection."""
    inside = [n for part in parts(body) for n in _selections(part)]
    return not any(occurrences(s, name) for s in inside)


def _selections(node: ex.Node) -> list[ex.Node]:
    if isinstance(node, ex.Selection):
        return [node]
    return [found for part in parts(node) for found in _selections(part)]


def merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Return tags of two lines that became one, each once."""
    return (*first, *(t for t in second if t not in first))


def finished(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return entries as sentences."""
    return tuple(attrs.evolve(e, text=sentence(e.text), below=finished(e.below)) for e in entries)
