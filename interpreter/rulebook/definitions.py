"""Definitions in words: "The *taker* is the first of these that exists: ..."."""

from __future__ import annotations

from grammar import ast
from grammar import expressions as ex
from grammar.expressions import operands
from interpreter.english.phrases import Phrase
from interpreter.english.words import LONGEST, number_of_words, says_nothing
from interpreter.rulebook.lexicon import Scope
from interpreter.rulebook.page import Entry
from interpreter.rulebook.statements import MANY, Statements, finished
from interpreter.rulebook.trees import own_tags


class Definitions:
    """Writes definitions."""

    def __init__(self, speech: Statements) -> None:
        self.speech = speech
        self.lexicon = speech.lexicon

    def is_written_out(self, name: str) -> bool:
        """Whether a definition is written where it is used."""
        return self.speech.small(name) or name in self.speech.opened

    def entry(self, define: ast.DefineDecl) -> Entry:
        """Return a definition."""
        sort = self.lexicon.results.get(define.name, "thing")
        if (about := self.speech.about("define", define.name)) is not None:
            return finished((Entry(about, own_tags(define), (), (define.name,)),))[0]
        head, verb, scope = self._head(define, sort)
        lets: list[Entry] = []
        for let in define.lets:
            lets += self.speech.statement(let, scope)
            scope = self.speech.after(let, scope)
        if sort == "boolean":
            text, below = self._truth(define.value, scope, LONGEST - number_of_words(head))
        else:
            text, below = self._value(define, verb, scope, LONGEST - number_of_words(head))
        (entry,) = finished((Entry(f"{head} {text}", _own(define), (*lets, *below), (define.name,)),))
        return entry

    def _head(self, define: ast.DefineDecl, sort: str) -> tuple[str, str, Scope]:
        """Return what is defined, "is" or "are" for a value, and the scope in which its parameters have their names."""
        scope = Scope()
        shown: list[Phrase] = []
        sorts: list[str] = []
        for number, param in enumerate(define.params):
            kind = self.lexicon.sort(param)
            named = self.speech.local(param.name, kind, scope, "the" if kind not in sorts else "the other")
            place = self.lexicon.place_given(define, number) if says_nothing(param.name) and kind == "cards" else None
            if place is not None and not (place.indices and self.speech.zone(place).plural):
                named = self.speech.zone(place)
            scope = scope.named(param.name, named)
            sorts.append(kind)
            shown.append(named if place is not None and not place.indices else self.indefinite(named, param, kind))
        if sort == "boolean":
            return self.speech.holds(define.name, shown).text, "", scope
        phrase = (
            self.speech.called(define.name, shown, sorts, sort) if shown else self.speech.defined(define.name, sort)
        )
        return phrase.text, "are" if phrase.plural else "is", scope

    def indefinite(self, named: Phrase, param: ex.Param, sort: str) -> Phrase:
        """Return a parameter where it is met first: "a player", "another card", "a number (the total)"."""
        noun = self.speech.sort_noun(sort)
        if named.plural and sort in ("cards", "players", "values"):
            return Phrase(noun, "some", True, human=named.human)
        if sort == "boolean":
            return named.followed("(yes or no)")
        if named.determiner == "the other":
            return named.under("another")
        if says_nothing(param.name) or noun in named.head.split(" "):
            return named.under("a")
        return Phrase(noun, "a", after=f"({named.text})", human=named.human)

    def _truth(self, value: ex.Expr | ast.MatchValue, scope: Scope, most: int) -> tuple[str, tuple[Entry, ...]]:
        """Return when a definition holds; a condition of more words than `most` is a line of its own."""
        if isinstance(value, ast.MatchValue):
            return "as follows:", self.speech.case_entries(value, scope)
        if isinstance(value, ex.Chain):
            return "as follows:", self.speech.chain_entries(value, scope)
        lead, below = self.speech.listed(value, scope)
        if not below and number_of_words(lead) > most:
            return f"if this is true: {lead}", ()
        return f"if {lead}", below

    def _value(self, define: ast.DefineDecl, verb: str, scope: Scope, room: int) -> tuple[str, tuple[Entry, ...]]:
        """Return what a definition gives, with its verb; a sum of more words than there is `room` for is a list."""
        value = define.value
        if isinstance(value, ast.MatchValue):
            subject = value.subject
            plain = isinstance(subject, ex.Name) and [p.name for p in define.params] == [subject.name]
            depends = "depend" if verb == "are" else "depends"
            lead = f"{verb} as follows:" if plain else f"{depends} on {self.speech.text(subject, scope)}:"
            return lead, self.speech.case_entries(value, scope)
        if isinstance(value, ex.Chain) and len(value.alternatives) == 1 and value.alternatives[0].condition is None:
            return f"{verb} {self.speech.text(value.alternatives[0].value, scope)}", ()
        if isinstance(value, ex.Chain):
            plain = all(link.condition is None for link in value.alternatives)
            if plain and len(value.alternatives) == 2:
                first, other = (self.speech.text(link.value, scope) for link in value.alternatives)
                if number_of_words(f"{first} {other}") <= LONGEST - 9:
                    return f"{verb} {first}, or {other} if there is none", ()
            lead = f"{verb} the first of these that exists:" if plain else f"{verb}:"
            return lead, self.speech.chain_entries(value, scope)
        places = operands(value, "+") if self.lexicon.sort(value) == "cards" else []
        if len(places) > MANY:
            return f"{verb} the cards in these places:", tuple(Entry(self.speech.place(p, scope).text) for p in places)
        if lines := self.speech.in_lines(value, scope, room):
            return f"{verb}{lines.text}:", lines.below
        if isinstance(value, ex.TupleValue) and number_of_words(self.speech.text(value, scope)) > LONGEST // 2:
            below = tuple(self.speech.line(item, scope) for item in value.items)
            return f"{verb} made of these; the first that differs decides:", below
        phrase, note = self.speech.noting(value, scope)
        return f"{verb} {phrase.object}{note}", ()


def _own(define: ast.DefineDecl) -> tuple[str, ...]:
    """Return the tags of a definition that are not at one of its lines below."""
    below = {t for let in define.lets for t in own_tags(let)}
    if isinstance(define.value, ast.MatchValue):
        below |= {t for case in define.value.cases for t in own_tags(case)}
    elif isinstance(define.value, ex.Chain) and len(define.value.alternatives) > 1:
        below |= {t for link in define.value.alternatives for t in own_tags(link)}
    return tuple(t for t in own_tags(define) if t in define.tags or t not in below)
