"""Statements as sentences: what a phase does, step by step.

A statement gives entries of a list.  Their texts begin small and have no full stop, so that several can be joined;
`finished` makes sentences of them.  What is long becomes a list below its lead.  A block that is carried out for one
player addresses that player as "you".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import operands, walk
from grammar.source import Span
from grammar.statements import Stmt
from interpreter.analysis.core import Variable
from interpreter.analysis.functions import CALLABLE
from interpreter.analysis.memoized import Memoized
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Int, Optional
from interpreter.english import phrases
from interpreter.english.phrases import Phrase
from interpreter.english.words import (
    LONGEST,
    article,
    capital,
    listing,
    mark,
    number_of_words,
    says_nothing,
    sentence,
    title,
    words,
)
from interpreter.rulebook.choices import Choices, led, led_by_lines, merged, steps
from interpreter.rulebook.lexicon import Lexicon, Scope, sort_of_type
from interpreter.rulebook.page import Entry, chapter_mark, verbatim
from interpreter.rulebook.patterns import left_by, matching_faces
from interpreter.rulebook.trees import (
    base_name,
    is_negative,
    mentions,
    names_in,
    occurrences,
    own_tags,
    put,
    size,
)
from interpreter.rulebook.values import Group

MANY = 3
"""More places make a list."""
LONG = 60
"""A chain that takes more letters is written line by line."""
_PLACES = " places"
"""The name of places that are listed below; no name of a spec."""
MOST_VERBS = 5
"""So many actions of a phase are named where it is carried out."""
MOST_CHAPTERS = 2
"""So many chapters are named in which a mark has its effect."""
AT_ANY_TIME = "At any time"
"""The chapter of what happens as soon as something is true."""
FEW = 2
"""So many kinds of cards that are left to "otherwise" are named."""
BRIEF = 3
"""So many sentences of a phase are written where it is carried out, if that is one place."""
Simple = (
    st.Let | st.LetVariable | st.Assign | st.Move | st.Deal | st.Shuffle | st.Random | st.Swap | st.Rotate | st.Turn
    | st.Show | st.Say | st.End | st.Nothing | st.Reopen
)  # fmt: skip
"""Statements that hold no others."""


class Statements(Choices):
    """Puts statements into words.

    `round_noun` is what the repeated phase is called, `main_loop` where the play repeats it; `in_turn` and
    `in_secret` say that a text has these words, `names_deciders` that it names decisions of a chapter; `taking_turns`
    is one of those who act in turn where that is being written, None in a chapter of its own; `under_condition` says
    that an `if` is being written; `ending` are the notes that only end the loop of the play; `played_to` are the zones
    that remember who played a card, if a rule reads that.
    """

    def __init__(self, lexicon: Lexicon, like: Statements | None = None) -> None:
        super().__init__(lexicon, like)
        self.calls = [n for n in lexicon.nodes if isinstance(n, st.Do)]
        moves = [n for n in lexicon.nodes if isinstance(n, st.Move) and n.played_by is not None]
        self.played_to = (
            {name for move in moves for name in _bases(move.target)} if lexicon.uses["player_of"] else set()
        )
        self.round_noun = "round"
        self.main_loop: Span | None = None
        self.in_turn = self.in_secret = self.names_deciders = False
        self.taking_turns: Phrase | None = None
        self.under_condition = False
        self.done_for: dict[str, dict[tuple[str, str], None]] = {}
        self.ending = self._endings()

    def _endings(self) -> set[str]:
        """Return the notes for whose `true` the play waits, and that nothing else reads."""
        play = next(i for i in self.lexicon.spec.items if isinstance(i, ast.PlayDecl))
        found = {
            s.until.name for s in play.block.statements if isinstance(s, st.Repeat) and isinstance(s.until, ex.Name)
            and s.until.name in self.lexicon.variables
        }  # fmt: skip
        sets = [n.target.name for n in self.lexicon.nodes if isinstance(n, st.Assign)
                and isinstance(n.target, ex.Name) and isinstance(n.value, ex.Bool) and n.value.value]  # fmt: skip
        return {name for name in found if self.lexicon.uses[name] == 1 + sets.count(name)}

    # ---- blocks

    def block(self, body: tuple[Stmt, ...], scope: Scope) -> tuple[Entry, ...]:
        """Return what a block does; names that a statement gives are known to those after it."""
        made: list[Entry] = []
        done: list[Stmt] = []
        for stmt in body:
            made += self.statement(stmt, scope)
            scope = self._renewed(stmt, done, self.after(stmt, scope))
            done.append(stmt)
        return tuple(made)

    def _renewed(self, stmt: Stmt, done: list[Stmt], scope: Scope) -> Scope:
        """Return a scope in which a role that passes on is that of the "new leader", if steps before read the role."""
        match stmt:
            case st.Assign(op="=", target=ex.Name(name=name) as target, value=value) if (
                isinstance(self.lexicon.info.symbol(target), Variable)
                and self.lexicon.sort(target) == "player"
                and not isinstance(value, ex.Chain | ex.NoneValue)
                and mentions(tuple(done), name)
            ):
                role = self.noun(target, Scope())
                return scope if "*" in role.head else scope.named(name, attrs.evolve(role, head=f"new {role.head}"))
        return scope

    def _note(self, stmt: Stmt, entry: Entry) -> None:
        self.steps.setdefault(stmt.span, (self.chapter, entry))

    def after(self, stmt: Stmt, scope: Scope) -> Scope:
        """Return the scope after a statement: new names, what holds now, and whether "you" are still the same."""
        scope = self._kept(stmt, scope)
        role = scope.actor.name if isinstance(scope.actor, ex.Name) else ""
        if role and role not in scope.phrases and role in self.written((stmt,)):
            scope = attrs.evolve(scope, actor=None)
        match stmt:
            case st.Let(name=name, value=value):
                return scope.named(name, self.local(name, self.lexicon.sort(value), scope))
            case st.Random(arg=arg) if self.set_by_chance(stmt) is None:
                return self.with_arg(arg, scope, "the random")
            case st.Repeat(until=until):
                return attrs.evolve(scope, facts=tuple(operands(until, "and")))
        return scope

    def _kept(self, stmt: Stmt, scope: Scope) -> Scope:
        """Return a scope without the facts that a statement may change."""
        written = self.written((stmt,)) if scope.facts else set()
        return attrs.evolve(scope, facts=tuple(f for f in scope.facts if not self.names_read(f) & written))

    @Memoized
    def written_in(self, phase: str) -> set[str]:
        """Return the names of the variables and zones that a phase changes, with the phases it calls."""
        return set().union(*map(_written, self.lexicon.within(self.lexicon.phases[phase].block.statements)))

    def written(self, body: object) -> set[str]:
        """Return the names of the variables and zones that a part of the rules changes, with the phases it calls."""
        names: set[str] = set()
        for found in walk(body):
            names |= _written(found)
            if isinstance(found, st.Do) and found.call.name in self.lexicon.phases:
                names |= self.written_in(found.call.name)
        return names

    def statement(self, stmt: Stmt, scope: Scope) -> list[Entry]:
        """Return one statement as entries, with the rule tags of its own lines."""
        made = self._statement(stmt, scope)
        for entry in made[:1]:
            self._note(stmt, entry)
        return made

    def _statement(self, stmt: Stmt, scope: Scope) -> list[Entry]:
        tags = own_tags(stmt)
        if isinstance(stmt, st.For | st.While | st.Repeat | st.AtOnce | st.InTurn):
            scope = self._kept(stmt, scope)  # Facts may hold the first time alone.
        match stmt:
            case st.If(condition=condition, then=body) if all(p in scope.facts for p in operands(condition, "and")):
                return self._tagged(self.block(body, scope), tags)
            case st.If():
                around, self.under_condition = self.under_condition, True
                made = self._if(stmt, scope, tags)
                self.under_condition = around
                return made
            case st.Match():
                return [self._match(stmt, scope, tags)]
            case st.For():
                return self._for(stmt, scope, tags)
            case st.While(condition=condition, body=body):
                text, parts = self.listed(condition, scope)
                if parts:
                    text, parts = self.listed(self.opposite(condition), scope)
                    stop = Entry(f"stop if {text}", (), parts)
                    return [steps("repeat this:", tags, (stop, *self.block(body, scope)))]
                when = self._endless(body) if text == "always" else f"while {text}"
                return [self._looped(when, body, scope, tags)]
            case st.Repeat():
                return [self._repeat(stmt, scope, tags)]
            case st.AtOnce(selection=selection, body=body):
                return [self._at_once(selection, body, scope, tags)]
            case st.InTurn(selection=selection, body=body):
                return [self._in_turn(selection, body, scope, tags)]
            case st.Together(body=body) if any(isinstance(i, ast.WheneverDecl) for i in self.lexicon.spec.items):
                return [
                    steps(f"do all of this before {chapter_mark(AT_ANY_TIME)} applies:", tags, self.block(body, scope))
                ]
            case st.Together(body=body):
                return self._tagged(self.block(body, scope), tags)
            case st.Choice():
                return self._tagged(tuple(self.choice(stmt, scope)), tags)
            case st.Do(call=call):
                return self._do(call, scope, tags)
            case st.Move(cards=ex.Arithmetic(op="+") as cards) if (
                number_of_words(self.text(cards, scope)) > LONGEST // 2
            ):
                places = tuple(Entry(self.place(part, scope).text) for part in operands(cards, "+"))
                return [Entry(f"move all cards from these places{self.target(stmt, scope)}:", tags, places)]
            case st.Let(value=ex.Chain() as value) | st.Assign(value=ex.Chain() as value) if (
                self.lexicon.sort(value) == "boolean"
            ):
                text = self.simple(stmt, scope).replace(f"if {self.clause(value, scope)}", "if this is true", 1)
                return [Entry(f"{text}:", tags, self.chain_entries(value, scope))]
            case st.Assign(op="+=", target=target, value=value) if lines := self.in_lines(value, scope):
                return [Entry(f"add{lines.text} to {self.text(target, scope)}:", tags, lines.below)]
            case st.Let(name=name, value=value) if lines := self.in_lines(value, scope):
                named = self.local(name, self.lexicon.sort(value), scope)
                return [Entry(f"{named.text} {'are' if named.plural else 'is'}{lines.text}:", tags, lines.below)]
            case st.Assign(op="=", target=target, value=value) if (lines := self.in_lines(value, scope)) and not (
                self.lexicon.sort(target) == "player" and len(lines.below) == 2
            ):
                return [Entry(f"set {self.text(target, scope)} to{lines.text}:", tags, lines.below)]
            case st.Assign(target=ex.Name(name=name)) if name in self.chosen_once:
                return []  # The condition names the action.
            case st.Say() if self._is_silent(stmt):
                return []
            case _:  # All that hold no others: the type says which these are.
                text = self.simple(stmt, scope)
                return [Entry(text, tags)] if text else []

    def _endless(self, body: tuple[Stmt, ...]) -> str:
        """Return the lead of a loop that only a rule in it ends, with what that rule says."""
        ends = {node.what for node in self.lexicon.within(body) if isinstance(node, st.End)}
        ends -= {*self.lexicon.carried_out(body)}
        ends -= {"game"} if len(ends) > 1 else set()
        if len(ends) != 1:
            return "again and again"
        (what,) = ends
        return f"until {'the game' if what == 'game' else chapter_mark(title(what))} ends"

    def _tagged(self, entries: tuple[Entry, ...], tags: tuple[str, ...]) -> list[Entry]:
        """Return entries, the first with more tags."""
        if not entries:
            return []
        first, *rest = entries
        return [attrs.evolve(first, tags=merged(tags, first.tags)), *rest]

    def is_long_chain(self, chain: ex.Chain, scope: Scope) -> bool:
        """Whether the links of a chain should be lines of their own."""
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
                variable = self.lexicon.info.symbol(stmt)
                assert isinstance(variable, Variable)
                return self.start(stmt, variable, scope)
            case st.Assign():
                return self._assign(stmt, scope)
            case st.Move(cards=cards) if self.family(cards) is None:
                said, note = self.noting(cards, scope)
                return f"{self.moving(stmt, scope)} {said.object}{self.target(stmt, scope)}{note}"
            case st.Move():
                return f"{self.moving(stmt, scope)} {self.moved(stmt.cards, scope)}{self.target(stmt, scope)}"
            case st.Deal():
                return self._deal(stmt, scope)
            case st.Shuffle(cards=cards, into=None):
                return f"shuffle {self._placed(cards, scope).object}"
            case st.Shuffle(cards=cards, into=into):
                assert into is not None
                return f"shuffle {self.moved(cards, scope)} into {self.text(into, scope)}"
            case st.Random(arg=arg):
                into = self.set_by_chance(stmt)
                return self.at_random(arg, into, scope) + ("" if into is None else self._who_sees(into, scope))
            case st.Swap(first=first, second=second):
                return f"swap {self._content(first, scope)} with {self._content(second, scope)}"
            case st.Rotate(zones=zones, direction=direction):
                return f"pass {self.moved(zones, scope)} to the {direction}, all at the same time"
            case st.Turn(cards=cards, face=face):
                return f"turn {self.moved(cards, scope, 'in')} face {face}"
            case st.Show(cards=cards, to=to):
                shown = self.moved(cards, scope, "in")
                whom = None if to is None else self.noun(to, scope)
                if whom is not None and whom.is_second_person:
                    return f"look at {shown}"
                return f"show {shown} to {'all players' if whom is None or whom.text == 'all' else whom.object}"
            case st.Say():
                return f"announce “{self.spoken(stmt, scope)}”"
            case st.End(what="game"):
                return "the game ends now"
            case st.End(what=what):
                return f"{chapter_mark(title(what))} ends now"
            case st.Nothing():
                return "nothing happens"
            case st.Reopen():
                who = "player" if self.taking_turns is None else self.taking_turns.bare
                step = "the step that sent you here" if self.taking_turns is None else "this step"
                again = "the turns start again with the player after you"
                if self.under_condition:
                    return f"{again} and end when every other {who} has acted once"
                turns = f"{again}: every other {who} acts exactly once, even after an earlier turn"
                return f"{turns}. Then {step} ends, unless one of them starts the turns again"
            case _:
                assert_never(stmt)

    def _content(self, place: ex.Expr, scope: Scope) -> str:
        phrase = self.noun(place, scope)
        if self.is_slot(place):
            return self.slot_card(place, phrase).object
        return phrase.object if phrase.plural else f"all cards {phrase.within}"

    def set_by_chance(self, stmt: st.Random) -> ex.Expr | None:
        """Return the variable that chance sets, None where it gives a name to what it chooses."""
        if stmt.into is None and (variable := self.lexicon.info.symbol(stmt)) is not None:
            name = ex.Name(stmt.arg.name, span=stmt.arg.span)
            self.lexicon.info.refer(name, variable)
            return name
        return stmt.into

    def _who_sees(self, target: ex.Expr, scope: Scope) -> str:
        """Return who sees what chance sets, if not all players do: "; nobody sees the result"."""
        match self.lexicon.info.symbol(target.base if isinstance(target, ex.Index) else target), target:
            case Variable(seen_by="nobody"), _:
                return "; nobody sees the result"
            case Variable(seen_by="owner"), ex.Index(indices=indices):
                owner = next(i for i in indices if self.lexicon.sort(i) == "player")
                return f"; only {self.text(owner, scope)} sees the result".replace("you sees", "you see")
        return ""

    def _let(self, name: str, value: ex.Expr, scope: Scope) -> str:
        sort = self.lexicon.sort(value)
        named = self.local(name, sort, scope)
        if isinstance(value, ex.Bool):
            return f"{named.text} is {'yes' if value.value else 'no'}"
        if sort == "boolean":
            return f"{named.text} is yes if {self.clause(value, scope)}, otherwise no"
        match value:
            case ex.Call(args=(ex.Chain(alternatives=(first, last)),)) if first.condition is not None and (
                last.condition is None
            ):
                one, other = (self.text(self.lexicon.info.changed(value, args=(link.value,)), scope)
                              for link in (first, last))  # fmt: skip
                return f"{named.text} is {other}. If {self.clause(first.condition, scope)}, it is {one}"
        higher = self.higher_of_two(value, scope) if isinstance(value, ex.Chain) else None
        said, note = (higher, "") if higher is not None else self.noting(value, scope)
        if says_nothing(name) and sort == "player" and isinstance(value, ex.Name):
            return f"in the next steps, “{named.text}” means the player who is now {said.object}"
        if sort == "card" and (named.text == "the card" or said.text.startswith(named.text)):
            return f"pick {said.object}{note}"
        verb = "are" if named.plural else "consists of" if sort == "cards" else "is"
        return f"{named.text} {verb} {said.object}{note}"

    def start(self, var: ast.VarDecl | st.LetVariable, variable: Variable, scope: Scope) -> str:
        """Return how a variable starts, as the statement that sets it; "" where it has no first value."""
        if (value := self._initial(var)) is None:
            return ""
        target: ex.Expr = ex.Name(variable.name, span=var.span)
        self.lexicon.info.refer(target, variable)
        indices: list[ex.Expr] = []
        for number, type_ in enumerate(variable.indices):
            indices.append(index := ex.Name(f" {number}", span=var.span))
            self.lexicon.info.refer(index, Local(index.name, type_, number, var.span))
            sort = sort_of_type(type_)
            ends = f"from {type_.low} to {type_.high}" if isinstance(type_, Int) else ""
            scope = scope.named(index.name, Phrase(words(sort), "each", after=ends, human=sort == "player"))
        if indices:
            target = ex.Index(target, tuple(indices), span=var.span)
            self.lexicon.info.refer(target, variable)
        return self._assign(st.Assign(target, "=", value, span=var.span), scope)

    def _initial(self, var: ast.VarDecl | st.LetVariable) -> ex.Expr | None:
        """Return the first value of a variable, also where it is left out; None where it has none."""
        match var.initial, var.type:
            case (None, ex.OptionalType()):
                return ex.NoneValue(span=var.span)
            case (None, ex.NamedType(name="boolean")):
                return ex.Bool(False, span=var.span)
            case (None, ex.RangeType(low=ex.Number() as low)) if low.value >= 0:
                return low
            case (None, ex.NamedType(name="integer") | ex.RangeType()):
                return ex.Number(0, span=var.span)
        return var.initial

    def first_value(self, var: ast.VarDecl, scope: Scope) -> str:
        """Return the first value of a variable in words; "" where it has none."""
        value = self._initial(var)
        if value is None:
            return ""
        if isinstance(value, ex.Bool) or self.lexicon.sort(value) != "boolean":
            return self.text(value, scope)
        return f"yes if {self.clause(value, scope)}, otherwise no"

    def _assign(self, stmt: st.Assign, scope: Scope) -> str:
        target, value = stmt.target, stmt.value
        sort = self.lexicon.sort(target)
        if sort == "boolean":
            return self._mark(target, value, scope)
        is_actor = ex.equal(target, scope.actor)
        subject = self.lasting(target, attrs.evolve(scope, actor=None) if is_actor else scope)
        match stmt.op, value:
            case "+=" | "-=", ex.Chain(alternatives=(any_, last)) if any_.condition is None and (
                isinstance(last.value, ex.Number) and last.value.value == 0
            ):
                some = "if there are any" if self.noun(any_.value, scope).plural else "if there is one"
                return f"{self._added(stmt.op, any_.value, subject, scope)}, {some}"
            case "+=" | "-=", ex.Chain(alternatives=(first, second)) if (
                first.condition is not None and second.condition is None
            ):
                one, other = (
                    ""
                    if link.value == ex.Number(0, span=link.span)
                    else self._added(stmt.op, link.value, subject, scope)
                    for link in (first, second)
                )
                if not one:
                    return f"if {self.clause(first.condition, scope, negated=True)}, {other}"
                return f"if {self.clause(first.condition, scope)}, {one}{other and f'. Otherwise, {other}'}"
            case "+=", _ if ex.equal(value, target):
                return f"double {subject.object}"
            case "+=" | "-=", _:
                return self._added(stmt.op, value, subject, scope)
            case _, ex.NoneValue() if sort == "player" and self.is_role(subject.head):
                return f"there is no longer {subject.under('a').text}"
            case _, ex.NoneValue():
                return f"there is now {subject.under('no').text}" if subject.owner is None else (
                    f"{subject.text} {'are' if subject.plural else 'is'} now none")  # fmt: skip
            case _, ex.Call(
                "min" | "max" as bound, (ex.Arithmetic(op="+" | "-" as sign, left=own, right=more), limit)
            ) if ex.equal(own, target) and (bound == "min") == (sign == "+"):
                most = f"at {'most' if bound == 'min' else 'least'} {self.text(limit, scope)}"
                return f"{self._added(f'{sign}=', more, subject, scope)} (then {most})"
            case _, ex.Call("min" | "max" as bound, (own, limit)) if ex.equal(own, target):
                most, beyond = self.text(limit, scope), "more" if bound == "min" else "less"
                return f"if {subject.text} is {beyond} than {most}, set it to {most}"
            case _, ex.Arithmetic(op="*", left=one, right=other) if target in (one, other):
                return f"multiply {subject.object} by {self.text(other if ex.equal(one, target) else one, scope)}"
            case _, ex.Call(name="next", args=(own,)) if ex.equal(own, target) and sort in self.lexicon.enums:
                one, *others = self.values_of(sort)
                if len(others) == 1:
                    return f"{subject.text} changes: {one} becomes {others[0]}, and {others[0]} becomes {one}"
                return f"{subject.text} changes: {' → '.join([one, *others, one])}"
            case _, ex.Chain(alternatives=(first, last)) if first.condition is None and (
                sort == "player" or ex.equal(last.value, target)
            ):
                value_, note = self.noting(first.value, scope)
                made = f"{self._becomes(subject, value_, sort)}{note or ', if there is one'}"
                of_card = isinstance(first.value, ex.Call) and first.value.name in ("holder", "player_of")
                none = f"no such {'card' if of_card else self.sort_noun(sort)}" if note else "none"
                if not ex.equal(last.value, target):
                    return f"{made}. If there is {none}, {self._becomes(subject, self.noun(last.value, scope), sort)}"
                return f"{made}. If there is {none}, {subject.text} stays the same" if note else made
            case _, ex.Chain(alternatives=(*_, last)):
                if (higher := self.higher_of_two(value, scope)) is not None:
                    return self._becomes(subject, higher, sort)
                if sort == "player" and last.condition is None and value.alternatives[0].condition is not None:
                    return self.becomes_by_case(subject, value, scope)
        said, note = self.noting(value, scope)
        effect = self._effect_of(target.name) if isinstance(target, ex.Name) and "*" in subject.head else ""
        return f"{self._becomes(subject, said, sort)}{effect}{note}"

    def _effect_of(self, name: str) -> str:
        """Return where a mark that is set here has its effect, if that is elsewhere: " (see **Compare**)"."""
        found = self.readers(name)
        if self.chapter in found or not 0 < len(found) <= MOST_CHAPTERS:
            return ""
        return f" (see {listing([chapter_mark(chapter) for chapter in found])})"

    @Memoized
    def readers(self, name: str) -> list[str]:
        """Return the chapters whose phases read a variable, themselves or by a definition."""
        names = {name}
        defines = self.lexicon.defines.values()
        while more := {d.name for d in defines if d.name not in names and not names.isdisjoint(names_in(d))}:
            names |= more
        found = []
        for phase in self.lexicon.phases.values():
            targets = [n.target for n in walk(phase) if isinstance(n, st.Assign) and base_name(n.target) == name]
            read = [n for n in walk(phase) if isinstance(n, ex.Name | ex.Call) and n.name in names]
            if len(read) > len(targets) and not self.is_brief(phase.name):
                found.append(title(phase.name))
        return found

    def values_of(self, sort: str) -> list[str]:
        """Return the values of an enumeration, in their order."""
        return [self.lexicon.value(sort, value.name) for value in self.lexicon.enums[sort].values]

    def is_role(self, noun: str) -> bool:
        """Whether a noun is only said of a player who has some mark: "player who *cannot win*"."""
        return noun.startswith("player who ")

    def _added(self, op: str, value: ex.Expr, subject: Phrase, scope: Scope) -> str:
        if isinstance(value, ex.Negative) or (isinstance(value, ex.Number) and value.value < 0):
            value = ex.Number(-value.value, span=value.span) if isinstance(value, ex.Number) else value.value
            op = "-=" if op == "+=" else "+="
        verb, to = ("add", "to") if op == "+=" else ("subtract", "from")
        amount = self.text(value, scope)
        if number_of_words(amount) > LONGEST // 2:
            return f"{verb} {to} {subject.object}: {amount}"
        return f"{verb} {amount} {to} {subject.object}"

    def _becomes(self, subject: Phrase, value: Phrase, sort: str) -> str:
        if sort == "player":
            many = value.plural if value.pronoun is None else value.pronoun.plural
            pause = "," if ", or " in value.text else ""
            return f"{value.text}{pause} {'become' if many else 'becomes'} {subject.object}"
        if sort in self.lexicon.enums and value.determiner and not value.plural:
            return f"{value.text} becomes {subject.object}"
        return f"set {subject.object} to {value.object}"

    def becomes_by_case(self, subject: Phrase, value: ex.Chain, scope: Scope) -> str:
        """Return "if the trick is empty, the dealer becomes the leader. Otherwise, you become the leader"."""
        return ". ".join(
            capital(f"{lead}, {self._becomes(subject, self.noun(link.value, scope), 'player')}")
            for lead, link in self.links(value, scope)
        )

    def _mark(self, target: ex.Expr, value: ex.Expr, scope: Scope) -> str:
        """Return that something is noted: yes or no, or a mark of a player."""
        if isinstance(target, ex.Index):
            variable = self.lexicon.info.symbol(target.base)
            assert isinstance(variable, Variable)
            marked = [self.card_or_value(i, scope) for i in target.indices]
            whom = listing(["yourself" if m.is_second_person else m.object for m in marked])
            called = f"*{mark(variable.name)}*"
            first = marked[0]
            no_longer = f"{first.text} {'are' if first.is_second_person else 'is'} no longer marked"
            all_of_them = all(m.determiner == "each" for m in marked)
            match ex.Bool(True, span=value.span) if value in scope.facts else value:
                case ex.Bool(value=True):
                    return f"mark {whom} as {called}{self._effect_of(variable.name)}"
                case ex.Bool(value=False):
                    return f"remove all {called} marks" if all_of_them else f"{no_longer} {called}"
            unmarked = any(isinstance(fact, ex.Not) and ex.equal(fact.value, target) for fact in scope.facts)
            otherwise = "" if unmarked else f"; otherwise {no_longer} so"
            return f"mark {whom} as {called} if {self.clause(value, scope)}{otherwise}"
        if isinstance(target, ex.Name) and target.name in self.ending:
            return f"the game ends after this {self.round_noun}"
        subject = self.noun(target, scope).bare
        match value:
            case ex.Bool(value=yes):
                effect = self._effect_of(target.name) if isinstance(target, ex.Name) and yes else ""
                return f"set {subject} to {'yes' if yes else 'no'}{effect}"
            case ex.Not(value=own) if ex.equal(own, target) and isinstance(target, ex.Name):
                return f"{subject} changes: yes becomes no, and no becomes yes{self._effect_of(target.name)}"
        return f"set {subject} to yes if {self.clause(value, scope)}, otherwise to no"

    # ---- cards

    def _placed(self, place: ex.Expr, scope: Scope) -> Phrase:
        return self.indexed(place, scope) if isinstance(place, ex.Index) else self.noun(place, scope)

    def moved(self, cards: ex.Expr, scope: Scope, where: str = "from") -> str:
        """Return the cards of a statement: "the card in your place", "all cards from the trick", "these cards"."""
        if self.family(cards) is None:
            return self.text(cards, scope)
        phrase = self.place(cards, scope)
        if self.is_slot(cards):
            return self.slot_card(cards, phrase).object
        if phrase.one:
            return f"all {phrase.bare}" if phrase.owner is None else f"all of {phrase.object}"
        return f"all cards {phrase.within if where == 'in' else f'{where} {phrase.object}'}"

    def moving(self, move: st.Move, scope: Scope) -> str:
        """Return "play" where a rule asks later who played the cards, and "you" do; "move" elsewhere."""
        by = move.played_by
        return "play" if by is not None and self.played_to and self.noun(by, scope).is_second_person else "move"

    def target(self, move: st.Move, scope: Scope) -> str:
        """Return where cards go: " to the trick", " to the bottom of your draw pile face down"."""
        place = self._placed(move.target, scope).object
        end = f"the {move.at} of " if isinstance(move.at, str) else ""
        number = self._numbered(move.at, move.target, scope)
        face = self._face(move, move.target)
        by = ""
        if move.played_by is None and _bases(move.target) & self.played_to:
            by = ", as a card of no player"
        elif move.played_by is not None and not self.noun(move.played_by, scope).is_second_person:
            by = f", as a card of {self.text(move.played_by, scope)}"
        return f" to {end}{place}{number}{face}{by}"

    def _numbered(self, at: st.Spot | None, target: ex.Expr, scope: Scope) -> str:
        """Return where in a zone cards go: "as the card numbered 3 from the top"."""
        return f", as the card {self.numbered(at.number, target, scope)}" if isinstance(at, st.Place) else ""

    def _deal(self, stmt: st.Deal, scope: Scope) -> str:
        pile = self.noun(stmt.origin, scope)
        origin = pile.object
        goal = self._placed(stmt.target, scope)
        place = f"the bottom of {goal.object}" if stmt.at == "bottom" else goal.object
        place += self._numbered(stmt.at, stmt.target, scope)
        verb, to = "deal" if pile.owner is None else "move", "to"
        family = self.family(stmt.target)
        if goal.owner is not None and stmt.at is None and family is not None and family.kind == "cards":
            if goal.owner.is_second_person:
                verb, to = "draw", "into"
            elif goal.owner.human and not goal.owner.plural and goal.owner.determiner not in ("each", "all"):
                verb, to, place = f"{goal.owner.text} draws", "into", f"their {goal.bare}"
        way = f" {to} {place}{self._face(stmt, stmt.target)}"
        match stmt.count:
            case ex.Arithmetic(op="-", left=full, right=ex.Call("count", (held,))) if ex.equal(held, stmt.target):
                most = self.cards_number(full, scope)
                fill = f"fill {goal.object} up to {most} from {origin}{self._face(stmt, stmt.target)}"
                return f"draw cards from {origin}{way} until you have at least {most}" if verb == "draw" else fill
            case ex.Call("count", (held,)) if ex.equal(held, stmt.origin):
                return f"move all cards from {origin} to {place}"
            case ex.Call("count", (ex.Name(name=name),)) if name in scope.phrases:
                return f"{verb} the same number of cards from {origin}{way}"
        exactly = "exactly " if stmt.exactly else ""
        if isinstance(stmt.count, ex.Number):
            return f"{verb} {exactly}{self.cards_number(stmt.count, scope)} from {origin}{way}"
        number = f"{verb} {exactly}as many cards from {origin}{way} as {self.text(stmt.count, scope)}"
        if isinstance(stmt.count, ex.Chain):
            return f"{verb} cards from {origin}{way}: {exactly}{self.text(stmt.count, scope)}"
        plain = isinstance(stmt.count, ex.Name)
        return f"{verb} {self.cards_number(stmt.count, scope)} from {origin}{way}" if plain else number

    def _face(self, stmt: st.Move | st.Deal, target: ex.Expr) -> str:
        """Return how cards come to lie, where the rule says so or cards of that place can lie in both ways."""
        face = stmt.face or ("up" if _bases(target) & self.lexicon.lying_both_ways else "")
        return f", face {face}" if face else ""

    # ---- phases

    @Memoized
    def is_brief(self, name: str) -> bool:
        """Whether a phase is written where it is carried out: it is short, and called once or is one sentence."""
        phase = self.lexicon.phases[name]
        if ("phase", name) in self.lexicon.abouts or name in self.lexicon.carried_out(phase):
            return False
        if isinstance(self.like, Statements) and name in self.like.lexicon.phases and not self.like.is_brief(name):
            return False
        calls = [do for do in self.calls if do.call.name == name]
        body = [s for s in phase.block.statements if not self._is_silent(s)]
        if len(body) == len(calls) == 1 and isinstance(body[0], st.If) and not body[0].otherwise:
            body = [*body[0].then]  # The test becomes the lead.
        if phase.block.state or any(isinstance(n, st.End) and n.what == name for n in self.lexicon.nodes):
            return False
        simple = all(isinstance(s, Simple | st.Choice | st.Do) for s in body)
        if any(isinstance(n, ex.Chain) for do in calls for a in do.call.args for n in walk(a)):
            return False
        params = [p.name for p in phase.params]
        if any(
            size(a) > 3 and occurrences(body, p) > 1 for c in calls for a, p in zip(c.call.args, params, strict=False)
        ):
            return False
        if len(body) == 1 and isinstance(body[0], Simple):
            return not phase.tags or len(calls) == 1
        few = len(body) <= BRIEF and sum(isinstance(n, Stmt) for s in body for n in walk(s)) <= BRIEF
        chosen = any(isinstance(s, st.Choice) for s in body)
        return len(calls) == 1 and ((few and (simple or not params)) or (simple and chosen and len(body) <= 2))

    def _is_silent(self, stmt: Stmt) -> bool:
        """Whether a message only repeats what the sentences around it say: it reveals nothing and has values.

        One with no value but players says in words what happens to them.
        """
        parts = self.lexicon.info.text(stmt) if isinstance(stmt, st.Say) else ()
        values = [part for part in parts if not isinstance(part, str)]
        counts = any(isinstance(value, ex.Fold | ex.Over | ex.Arithmetic) or (
            isinstance(value, ex.Call) and value.name == "count") for value in values)  # fmt: skip
        plain = any(self.lexicon.sort(value) != "player" for value in values) and not counts
        return plain and not stmt.openly and not stmt.tags

    def _do(self, call: ex.Call, scope: Scope, tags: tuple[str, ...]) -> list[Entry]:
        phase = self.lexicon.phases[call.name]
        if self.is_brief(call.name):
            return self._tagged(self.block(self._written_out(call), scope), merged(tags, phase.tags))
        who, rest = "", []
        given_as: dict[str, list[Phrase]] = {}
        doer = self.doer(phase)
        for arg, param in zip(call.args, phase.params, strict=False):
            sort = self.lexicon.sort(param)
            higher = self.higher_of_two(arg, scope) if isinstance(arg, ex.Chain) else None
            said = higher or self.noun(arg, scope)
            if param is doer:
                in_turn = scope.who.startswith("each ")  # The loop says whose turn it is.
                who = said.text if not said.is_second_person else "" if in_turn else "yourself"
                doing = "another player" if said.determiner == "that" else self.lasting(arg, scope).text
                doing = scope.who if said.is_second_person else doing
                self.done_for.setdefault(title(call.name), {})[doing, self.chapter] = None
            elif sort == "boolean":
                value = said.text if isinstance(arg, ex.Bool) else f"yes if {self.clause(arg, scope)}"
                given_as.setdefault(value, []).append(phrases.named(f"*{mark(param.name)}*"))
            elif sort == "card" and sum(self.lexicon.sort(p) == "card" for p in phase.params) == 1:
                rest.append(said.object)
            elif self._is_named_alike(param, sort, said):
                value_ = self.lexicon.info.constant(arg) if sort in self.lexicon.enums else None
                rest.append(said.object if value_ is None else f"{said.object} as the {words(sort)}")
            else:
                optional = isinstance(self.lexicon.info.type(arg), Optional)
                there = f", if there is such a {self.sort_noun(sort)}" if optional else ""
                given_as.setdefault(said.object + there, []).append(self.local(param.name, sort, Scope()))
        whom = f" for {who}" if who else ""
        decide = "" if rest or given_as else self._deciders(phase)
        given_ = f" with {listing(rest)}" if rest else ""
        given_ += f": {listing([_given(alike, value) for value, alike in given_as.items()])}" if given_as else ""
        said_ = f"do {chapter_mark(title(call.name))}{whom}{given_}"
        return [Entry(f"{said_}{decide}" if number_of_words(f"{said_}{decide}") <= LONGEST else said_, tags)]

    def doer(self, phase: ast.PhaseDecl) -> ex.Param | None:
        """Return the parameter for the player whom a phase addresses: the first that is always there."""
        whole = (
            p for p in phase.params if self.lexicon.sort(p) == "player" and not isinstance(p.type, ex.OptionalType)
        )
        return next(whole, None)

    def are_others(self, phase: ast.PhaseDecl, doer: ex.Param, param: ex.Param) -> bool:
        """Whether each call of a phase gives another player for a parameter than for the player it addresses.

        That is so of the player next to the one addressed.
        """
        names = [p.name for p in phase.params]
        given = [(do.call.args[names.index(doer.name)], do.call.args[names.index(param.name)])
                 for do in self.calls if do.call.name == phase.name]  # fmt: skip
        return all(isinstance(b, ex.Call) and b.args == (a,) and b.name in ("next", "previous") for a, b in given)

    def _deciders(self, phase: ast.PhaseDecl) -> str:
        """Return who decides on what in a phase: " (the leader: lead; the partner: match or forfeit)"."""
        found: dict[str, list[str]] = {}
        nodes = [*self.written_nodes(phase.block)]
        for node in nodes:
            if isinstance(node, st.Choice):
                who = self.text(node.player, Scope())
                if isinstance(node.player, ex.Name) and isinstance(self.lexicon.info.symbol(node.player), Local):
                    lets = {n.name for n in nodes if isinstance(n, st.Let)}
                    loops = {n.name for n in nodes if isinstance(n, ex.Selection)}
                    name = node.player.name
                    who = "each player" if name in loops else f"the {words(name)}" if name in lets else "you"
                actions = [*node.actions, *(() if node.otherwise is None else (node.otherwise,))]
                verbs = found.setdefault(who, [])
                verbs += [words(a.verb) for a in actions if words(a.verb) not in verbs]
        said = [(f"{who}: " if who != "you" else "") + listing(verbs, "or") for who, verbs in found.items()]
        self.names_deciders |= bool(said)
        return f" ({'; '.join(said)})" if said and sum(map(len, found.values())) <= MOST_VERBS else ""

    def _written_out(self, call: ex.Call) -> tuple[Stmt, ...]:
        """Return the statements of a brief phase for a call."""
        phase = self.lexicon.phases[call.name]
        given = dict(zip((param.name for param in phase.params), call.args, strict=False))
        made: tuple[Stmt, ...] = put(phase.block.statements, given, self.lexicon.info)
        return made

    def written_nodes(self, part: object) -> Iterator[ex.Node]:
        """Give the nodes of a part of the rules and of the brief phases that are written out in it."""
        for node in walk(part):
            yield node
            if isinstance(node, st.Do) and node.call.name in self.lexicon.phases and self.is_brief(node.call.name):
                yield from self.written_nodes(self._written_out(node.call))

    def _is_named_alike(self, param: ex.Param, sort: str, said: Phrase) -> bool:
        named = self.local(param.name, sort, Scope())
        plain = says_nothing(param.name) or words(param.name) == self.sort_noun(sort)
        alike = sort != "number" or said.text == "that number"
        return (plain and alike) or said.text == named.text

    # ---- several lines

    def _if(self, stmt: st.If, scope: Scope, tags: tuple[str, ...]) -> list[Entry]:
        facts = attrs.evolve(scope, facts=(*scope.facts, *operands(stmt.condition, "and")))
        text, below = self.listed(stmt.condition, scope)
        if isinstance(stmt.condition, ex.Chain):
            text, below = "this is true:", self.chain_entries(stmt.condition, scope)
        then = self.block(stmt.then, facts)
        made = led(f"if {text}", then, tags) if not below else led_by_lines(text, below, then, tags)
        if not made:  # Nothing is left to do.
            made = [Entry(f"if {text}, nothing happens", tags)]
        match stmt.otherwise:
            case ():
                return made
            case (st.If() as inner,):
                first, *others = self._if(inner, scope, own_tags(inner))
                return [*made, attrs.evolve(first, text=f"otherwise, {first.text}"), *others]
            case body:
                return made + led("otherwise", self.block(body, scope), ())

    def _match(self, stmt: st.Match, scope: Scope, tags: tuple[str, ...]) -> Entry:
        below: list[Entry] = []
        for number, case in enumerate(stmt.cases):
            before = [p for other in stmt.cases[:number] for p in other.patterns]
            entries = self._case(self.cases_named(case.patterns, scope, before), case.body, scope, case.tags)
            below += [attrs.evolve(entry, names=(*self.named_by(case.patterns), *entry.names)) for entry in entries]
        if stmt.otherwise is not None:
            left = self._left_to(stmt.subject, [p for case in stmt.cases for p in case.patterns])
            below += self._case(self.cases_named(left, scope), stmt.otherwise, scope, ())
        return Entry(f"this depends on {self.text(stmt.subject, scope)}:", tags, tuple(below))

    def _left_to(self, subject: ex.Expr, patterns: list[ex.Pattern]) -> tuple[ex.Pattern, ...]:
        """Return the kinds of cards that some patterns leave to "otherwise", if only few and nothing else is left."""
        kinds = {face.kind: None for face in self.lexicon.rules.faces}
        named_ = [p.name for p in patterns if isinstance(p, ex.KindPattern) and p.name in kinds and not p.args]
        left = [ex.KindPattern(kind, None, span=subject.span) for kind in kinds if kind not in named_]
        optional = isinstance(self.lexicon.info.type(subject), Optional)
        return tuple(left) if len(named_) == len(patterns) and len(left) <= FEW and not optional else ()

    def _case(self, case: str, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...]) -> list[Entry]:
        below = self.block(body, scope)
        case = case if "`" in case or "*" in case else f"**{case}**"
        if len(below) == 1:
            only = below[0]
            return [attrs.evolve(only, text=f"{case}: {capital(only.text)}", tags=merged(tags, only.tags))]
        return [steps(f"{case}:", tags, below)]

    # ---- loops

    def _for(self, stmt: st.For, scope: Scope, tags: tuple[str, ...]) -> list[Entry]:
        leads: list[str] = []
        before = ""
        for selection in stmt.selections:
            if (times := self._rounds(selection, stmt, scope)) is not None:
                leads.append(times)
                continue
            group = self.group(selection, scope)
            each = group.one.under("each").text
            match selection.domain:
                case ex.Pick() as pick if pick.count is not None and number_of_words(each) > LONGEST:
                    before = f"{self.counted_off(pick, pick.count, scope)}. "
                    each = f"each counted {self.sort_noun(self.lexicon.sort(selection))}"
            order = self._order(group, selection, stmt.body)
            settled = self.names_read(selection.where) & self.written(stmt.body) and not self._is_own(selection)
            first = " (decide for all before the first acts)" if settled else ""
            if self.lexicon.sort(selection) == "player" and scope.actor is None:
                scope = self._turn(selection, scope, each)
                leads.append(f"{each}{order}{first}")
            else:
                scope = group.scope
                own = scope.phrases[selection.name]
                named_ = f" ({own.text})" if own.determiner == "the" and mentions(stmt.body, selection.name) else ""
                is_in_place = selection.by is None and self.lexicon.sort(selection) == "card"
                counts = not self._in_any_order(stmt.body, selection.name)
                sequence = self.order_of(selection.domain, counts=counts) if is_in_place else ""
                sequence = f" {sequence}" if sequence and sequence not in each else ""
                leads.append(f"for {each}{named_}{sequence}{order}{first}")
        counts = all(self._rounds(s, stmt, scope) is not None for s in stmt.selections)
        lead = f"do this {', '.join(leads)}" if counts else ", ".join(leads)
        lead = f"{before}{capital(lead) if before else lead}"
        below = self.block(stmt.body, scope)
        if not below:
            return []
        plain = isinstance(stmt.body[0], st.Do | st.Deal | st.Move | st.Shuffle)
        pause = "," if " as " in leads[-1] else ""
        whole = f"{', '.join(leads[:-1])}: {below[0].text}{pause} {leads[-1]}".removeprefix(": ")
        counted = counts or self._rounds(stmt.selections[-1], stmt, scope) is not None
        simple = len(below) == 1 and not below[0].below and ":" not in below[0].text
        if counted and plain and simple and number_of_words(whole) <= LONGEST:
            return [attrs.evolve(below[0], text=whole, tags=merged(tags, below[0].tags))]
        if simple and number_of_words(f"{lead} {below[0].text}") <= LONGEST:
            return [Entry(f"{lead}: {below[0].text}", merged(tags, below[0].tags), (), below[0].names)]
        return [steps(f"{lead}:", tags, below)]

    def _order(self, group: Group, selection: ex.Selection, body: tuple[Stmt, ...]) -> str:
        """Return who begins, and that players act in turn where one of them decides or a rule says who begins."""
        first = self._first_come(selection, group)
        if self.lexicon.sort(selection) != "player":
            return first or (f", {group.order}" if group.order else "")
        chooses = self.lexicon.leaves_a_choice(body)
        ordered = chooses or bool(group.start)
        in_turn = ", in turn" if ordered else ""
        self.in_turn |= bool(in_turn)
        if first:
            return in_turn + first
        whole = isinstance(selection.domain, ex.Name) and selection.domain.name == "players"
        start = group.start or ("player 1" if whole and in_turn else "")
        if start and in_turn and selection.where is not None and not self.lexicon.two:
            return f"{in_turn} from {start}"  # The first may not be one of them.
        return f"{in_turn}, starting with {start}" if start else in_turn

    def _first_come(self, selection: ex.Selection, group: Group) -> str:
        """Return which of the things that a loop goes through come first: "the one with the lowest rank first"."""
        match selection.by:
            case None:
                return ""
            case ex.Negative(value=by):
                which = "highest"
            case by:
                which = "lowest"
        keys = by.items if isinstance(by, ex.TupleValue) else (by,)
        said = [self.key(key, selection.name, group, which) for key in keys]
        return f", {said[0]} first" + "".join(f", of equals {ties}" for ties in (*said[1:], group.order) if ties)

    def names_read(self, where: ex.Condition | None) -> set[str]:
        """Return the names that a condition reads, with those of the definitions in it."""
        names: set[str] = set()
        waiting = [where] if where is not None else []
        while waiting:
            for found in walk(waiting.pop()):
                if isinstance(found, ex.Name | ex.Call) and found.name not in names:
                    names.add(found.name)
                    if found.name in self.lexicon.defines:
                        value = self.lexicon.defines[found.name].value
                        waiting.append(value)  # type: ignore[arg-type]
        return names

    def _is_own(self, selection: ex.Selection) -> bool:
        """Whether a condition reads of each player only what is that player's own, and nothing that is shared."""
        if selection.where is None:
            return True
        opened = self.inlined(selection.where)
        own = {selection.name}
        for found in walk(opened):
            match found:
                case ex.Index(indices=indices) if not any(isinstance(i, ex.Name) and i.name in own for i in indices):
                    return False
                case ex.Call(name=name) if name in self.lexicon.defines or name in ("next", "previous"):
                    return False
        return True

    def _in_any_order(self, body: tuple[Stmt, ...], name: str) -> bool:
        """Whether a loop over cards does the same in any order: no card changes what the body does with another one."""
        written = self.written(body)

        def alike(stmt: Stmt) -> bool:
            match stmt:
                case st.If(condition=condition, then=then, otherwise=otherwise):
                    return not self.names_read(condition) & written and all(map(alike, (*then, *otherwise)))
                case st.Assign(op=op, target=target, value=value):
                    return (op != "=" or mentions(target, name)) and not self.names_read(value) & written
                case st.Move(target=target):
                    family = self.family(target)
                    return family is not None and family.kind in ("cards", "slot")
            return isinstance(stmt, st.Turn | st.Show | st.Say | st.Nothing)

        return all(map(alike, body))

    def _rounds(self, selection: ex.Selection, stmt: st.For, scope: Scope) -> str | None:
        """Return "6 times" for a loop that only counts."""
        match selection.domain:
            case ex.RangeValue(low=ex.Number(value=1), high=high) if not mentions(stmt.body, selection.name):
                match selection.where:
                    case None:
                        return self._times(high, scope)
                    case ex.Compare(op="<=", left=ex.Name(name=name), right=most) if name == selection.name:
                        return f"{self._times(most, scope)}, but at most {self._times(high, scope)}"
        return None

    def _times(self, count: ex.Expr, scope: Scope) -> str:
        if not isinstance(count, ex.Number):
            return f"as many times as {self.text(count, scope)}"
        return {1: "once", 2: "twice"}.get(count.value, f"{count.value} times")

    def _repeat(self, stmt: st.Repeat, scope: Scope, tags: tuple[str, ...]) -> Entry:
        body, until = stmt.body, stmt.until
        is_main = stmt.span == self.main_loop
        repeat = f"repeat this {self.round_noun if is_main else ''}".rstrip()
        later = scope
        for inner in body:
            later = self.after(inner, later)
        text = self.clause(until, later)
        if text == "never" or (isinstance(until, ex.Name) and until.name in self.ending):
            return self._looped(
                self._endless(body) if text == "never" else "until the game ends", body, scope, tags, repeat
            )
        if (chapter := self._chapter_of(body)) is not None:
            if text == "always":
                return Entry(f"do {chapter_mark(title(chapter))} once", tags)
            noun = round_of(chapter)
            whole = f"repeat {chapter_mark(title(chapter))} until, at the end of {article(noun)}, {text}"
            if number_of_words(whole) > LONGEST:
                whole = f"repeat {chapter_mark(title(chapter))} until {text}. Check this at the end of each {noun}"
            return Entry(whole, tags)
        listed, parts = self.listed(until, later)
        if parts:
            stop = Entry(f"stop if {listed}", (), parts)
            return steps(f"{repeat}:", tags, (*self.block(body, scope), stop))
        if not is_main and (is_negative(until) or (isinstance(until, ex.Is) and until.test == "none")):
            more = self.clause(until, later, negated=True)  # Such a condition may hold at the start, too.
            return self._looped(f"while {more}", body, scope, tags, "do this, and repeat it")
        return self._looped(f"until {text}", body, scope, tags, repeat)

    def _chapter_of(self, body: tuple[Stmt, ...]) -> str | None:
        """Return the phase that is all of a body, if it has a chapter and is given nothing."""
        match body:
            case (st.Do(call=ex.Call(name=name, args=())),) if not self.is_brief(name):
                return name
        return None

    def _looped(
        self, when: str, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...], repeat: str = "repeat this"
    ) -> Entry:
        """Return a loop that lasts until or while something is so, in one line where its body is one."""
        if (chapter := self._chapter_of(body)) is not None:
            return Entry(f"repeat {chapter_mark(title(chapter))} {when}", tags)
        below = self.block(body, scope)
        if len(below) == 1 and not below[0].below and ":" not in below[0].text:
            text = f"{repeat} {when}: {below[0].text}"
            return attrs.evolve(below[0], text=text, tags=merged(tags, below[0].tags))
        return steps(f"{repeat} {when}:", tags, below)

    def _turn(self, selection: ex.Selection, scope: Scope, each: str) -> Scope:
        """Return the scope in which each player of a selection is addressed in turn."""
        return scope.named(selection.name, phrases.YOU).addressing(ex.Name(selection.name, span=selection.span), each)

    def _at_once(self, selection: ex.Selection, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...]) -> Entry:
        group = self.group(selection, scope)
        each = group.one.under("each").text
        inner = self._turn(selection, scope, each)
        order = f" (effects in order from {group.start})" if group.start else ""
        chooses = any(isinstance(node, st.Choice) for node in walk(body))
        self.in_secret |= chooses
        secretly = " and in secret" if chooses else ""
        return steps(f"{each}, all at the same time{secretly}{order}:", tags, self.block(body, inner))

    def _in_turn(self, selection: ex.Selection, body: tuple[Stmt, ...], scope: Scope, tags: tuple[str, ...]) -> Entry:
        group = self.group(selection, scope)
        each = group.one.under("each").text
        order = self._order(group, selection, body)
        inner = self._turn(selection, scope, each)
        held = () if selection.where is None else tuple(operands(selection.where, "and"))  # True as the turn begins.
        inner = attrs.evolve(inner, facts=(*inner.facts, *held))
        around = self.taking_turns, self.under_condition
        self.taking_turns, self.under_condition = group.one, False
        below = self.block(body, inner)
        self.taking_turns, self.under_condition = around
        return steps(f"{each}{order}:", tags, below)

    # ---- texts of the spec

    def spoken(self, stmt: st.Say, scope: Scope) -> str:
        """Return the text of a statement with its values in words."""
        parts = self.lexicon.info.text(stmt)
        said = [verbatim(p) if isinstance(p, str) else self.noun(p, scope) for p in parts]
        # A message speaks of all players in the third person.
        return "".join(p if isinstance(p, str) else "(your name)" if p.is_second_person else p.text for p in said)

    # ---- chance

    def at_random(self, arg: ex.Arg, into: ex.Expr | None, scope: Scope) -> str:
        """Return that chance chooses, and perhaps the variable that it sets."""
        chosen = self.with_arg(arg, scope, "the random")
        if isinstance(arg, ex.CardArg | ex.CardsArg):
            text = self._cards(arg, scope, chosen, _NO_ACTION)[0]
            named = "" if says_nothing(arg.name) else f": this is {chosen.phrases[arg.name].text}"
            return f"choose {text} at random{named}"
        name = self.noun(into, scope).text if into is not None else chosen.phrases[arg.name].text
        match arg.domain:
            case ex.RangeValue(low=ex.Number(value=1), high=high) if arg.where is None:
                sides = f"{self.text(high, scope)}-sided die" if isinstance(high, ex.Number) else (
                    f"die with as many sides as {self.text(high, scope)}")  # fmt: skip
                return f"roll a {sides} for {name}"
        sort = self.lexicon.sort(arg)
        if into is not None and self._whole(arg.domain) and arg.where is None:
            return f"choose {self.text(into, scope)} at random"
        one = self._value(arg, scope, chosen)[0]
        if sort == "player" and into is not None:
            return f"choose {one} at random: they become {self.text(into, scope)}"
        return f"choose {one} at random" if says_nothing(arg.name) and into is None else (
            f"choose {one} at random: this is {name}")  # fmt: skip

    # ---- values by case

    def in_lines(self, value: ex.Expr, scope: Scope, room: int = LONGEST) -> Entry | None:
        """Return " the sum of these", with a line for each, for a value that is longer than one sentence has room.

        The lines of a chain are its links, and nothing leads to them.
        """
        long = number_of_words(self.text(value, scope)) > room
        match value:
            case ex.Chain() if self.higher_of_two(value, scope) is None and (long or self.is_long_chain(value, scope)):
                return Entry("", (), self.chain_entries(value, scope))
            case ex.Arithmetic(op="+" | "-") if long and self.lexicon.sort(value) == "number":
                lead, parts = "the sum of these", (*self._parts_of_sum(value),)
            case ex.Arithmetic(op="*") if long:
                lead, parts = "the product of these", (*operands(value, "*"),)
            case ex.Fold(selection=ex.Selection(domain=ex.Arithmetic(op="+") as places) as cards) if long and all(
                self.family(place) for place in operands(places, "+")
            ):
                whole = Phrase("card", after="in these places").as_plural()
                changed, name = self.lexicon.info.changed, ex.Name(_PLACES, span=places.span)
                fold = changed(value, selection=changed(cards, domain=self.lexicon.info.like(places, name)))
                lines = tuple(Entry(self.place(place, scope).text) for place in operands(places, "+"))
                return Entry(f" {self.text(fold, scope.named(_PLACES, whole))}", (), lines)
            case ex.Call("min" | "max" as name, (_, _, *_) as args) if long:
                lead, parts = (CALLABLE[name].english.nouns or "").format("these"), args
            case _:  # No other has parts.
                return None
        return Entry(f" {lead}", (), tuple(self.line(part, scope) for part in parts))

    def line(self, value: ex.Expr, scope: Scope) -> Entry:
        """Return a value that is one of several as a line, a long one with lines below it."""
        tags = own_tags(value)
        if self.lexicon.sort(value) == "boolean":
            lead, below = self.listed(value, scope)
            return Entry(f"whether {lead}", tags, below)
        said, note = self.noting(value, scope)
        if isinstance(value, ex.Chain) and number_of_words(said.text) > LONGEST:
            return Entry("an amount:", tags, self.chain_entries(value, scope))
        return Entry(f"{said.text}{note}", tags)

    def _parts_of_sum(self, value: ex.Expr) -> Iterator[ex.Expr]:
        match value:
            case ex.Arithmetic(op="+", left=left, right=right):
                yield from (*self._parts_of_sum(left), *self._parts_of_sum(right))
            case ex.Arithmetic(op="-", left=left, right=right):
                yield from self._parts_of_sum(left)
                yield self.lexicon.info.like(right, ex.Negative(right, span=right.span))
            case _:  # All others are one part.
                yield value

    def chain_entries(self, chain: ex.Chain, scope: Scope) -> tuple[Entry, ...]:
        """Return the links of a chain as lines."""
        below: list[Entry] = []
        plain = all(link.condition is None for link in chain.alternatives)
        truth = self.lexicon.sort(chain) == "boolean"
        for number, (case, link) in enumerate(self.links(chain, scope)):
            said, note = self.noting(link.value, scope)
            value, inner = self.listed(link.value, scope) if truth else (f"{said.object}{note}", ())
            if (lines := self.in_lines(link.value, scope)) is not None and lines.text:
                value, inner = f"{lines.text.strip()}:", lines.below
            lead, parts = ("", ()) if link.condition is None else self.listed(link.condition, scope)
            if parts and number_of_words(case.removeprefix("otherwise, ")) >= LONGEST:
                inner = (*parts, Entry(f"**then**: {value}", (), inner))
                value = f"{'otherwise, ' * (number > 0)}if {lead}"
            elif link.condition is not None or (number and chain.alternatives[number - 1].condition is not None):
                value = f"{case}: {value}"
            elif number and not plain:
                value = f"if there is none: {value}"
            below.append(Entry(value, own_tags(link), inner))
        return tuple(below)

    def case_entries(self, match: ast.MatchValue, scope: Scope) -> tuple[Entry, ...]:
        """Return the cases of a value as lines."""
        below = []
        truth = all(self.lexicon.sort(case.value) == "boolean" for case in match.cases)
        named_ = [pattern for case in match.cases for pattern in case.patterns]
        for number, case in enumerate(match.cases):
            before = [p for other in match.cases[:number] for p in other.patterns]
            value = self.clause(case.value, scope) if truth else self.text(case.value, scope)
            patterns = case.patterns or self._left_to(match.subject, named_)
            text = f"{self.cases_named(patterns, scope, before)}: {value}"
            below.append(Entry(text, own_tags(case), (), self.named_by(case.patterns)))
        return tuple(below)

    def cases_named(self, patterns: tuple[ex.Pattern, ...], scope: Scope, before: Sequence[ex.Pattern] = ()) -> str:
        """Return what the patterns of a case leave to it after those `before`; no patterns mean all that is left."""
        said = [left_by(before, p, self.lexicon, lambda e: self.text(e, scope)) for p in patterns]
        alike = {text.rpartition(" ")[0] for text in said}
        if len(alike) == 1 and " with " in said[0]:  # "a Plain card with the rank ten or king"
            said = [said[0], *(text.rpartition(" ")[2] for text in said[1:])]
        return listing(said, "or") if said else "anything else"

    def named_by(self, patterns: tuple[ex.Pattern, ...]) -> tuple[str, ...]:
        """Return the cards of a case, by what is printed on them."""
        kinds = [p for p in patterns if isinstance(p, ex.KindPattern)]
        return tuple(dict.fromkeys(face.text for kind in kinds for face in matching_faces(self.lexicon, kind)))


_NO_ACTION = st.Action("choose", span=None)  # type: ignore[arg-type]


def _given(names: list[Phrase], value: str) -> str:
    """Return what a phase is given: "the number is 2", "the first role and the second role are duke"."""
    return f"{listing([n.text for n in names])} {'are' if names[0].plural or len(names) > 1 else 'is'} {value}"


def _written(stmt: object) -> set[str]:
    """Return the names of the variables and zones that a statement itself changes."""
    match stmt:
        case st.Assign(target=target) | st.Turn(cards=target):
            return _bases(target)
        case st.Random(into=into, arg=arg):
            return _bases(into) if into is not None else {arg.name}
        case st.Move(cards=cards, target=target) | st.Deal(origin=cards, target=target):
            return _bases(cards) | _bases(target)
        case st.Swap(first=first, second=second):
            return _bases(first) | _bases(second)
        case st.Rotate(zones=zones):
            return _bases(zones)
        case st.Shuffle(cards=cards, into=into) if into is not None:
            return _bases(cards) | _bases(into)
    return set()


def _bases(target: ex.Expr) -> set[str]:
    """Return the names of the zones and variables in a target."""
    match target:
        case ex.Index(base=ex.Name(name=name)) | ex.Name(name=name):
            return {name}
        case ex.CardAt(zone=zone):
            return _bases(zone)
    return {n.name for n in walk(target) if isinstance(n, ex.Name)}


def round_of(name: str) -> str:
    """Return what a repeated phase is called: `one_round` is a round."""
    first, _, rest = title(name).lower().partition(" ")
    return rest if first == "one" and rest else words(name)


def finished(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return entries as sentences."""
    return tuple(attrs.evolve(e, text=sentence(e.text), below=finished(e.below)) for e in entries)
