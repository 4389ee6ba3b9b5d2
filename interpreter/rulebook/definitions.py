"""Definitions in words: "The *taker* is the first of these that there is: ..."."""

from __future__ import annotations

from grammar import ast
from grammar import expressions as ex
from interpreter.rulebook.lexicon import Scope
from interpreter.rulebook.page import Entry
from interpreter.rulebook.statements import Statements, finished
from interpreter.rulebook.trees import own_tags
from interpreter.rulebook.words import Phrase, article, is_plural


class Definitions:
    """Writes definitions."""

    def __init__(self, speech: Statements) -> None:
        self.speech = speech
        self.lexicon = speech.lexicon

    def entry(self, define: ast.DefineDecl) -> list[Entry]:
        """Return a definition; none for one that was told in the places where it is used."""
        return [] if self.speech.small(define.name) else [self.whole(define)]

    def whole(self, define: ast.DefineDecl) -> Entry:
        """Return a definition, wherever else it is told."""
        sort = self.lexicon.results.get(define.name, "thing")
        head, verb, scope = self.head(define, sort)
        lets: list[Entry] = []
        for let in define.lets:
            lets += self.speech.statement(let, scope)
            scope = self.speech.after(let, scope)
        if sort == "boolean":
            text, below = self.truth(define.value, scope)
        else:
            text, below = self.value(define, verb, scope)
        tags = _own(define)
        (entry,) = finished((Entry(f"{head} {text}", tags, (*lets, *below), (define.name,)),))
        return entry

    def head(self, define: ast.DefineDecl, sort: str) -> tuple[str, str, Scope]:
        """Return what is defined, "is" or "are" for a value, and the scope in which its parameters have their names."""
        scope = Scope()
        shown: list[Phrase] = []
        sorts: list[str] = []
        for param in define.params:
            kind = self.lexicon.sort(param)
            named = self.speech.local(param.name, kind, scope, again="the other")
            scope = scope.named(param.name, named)
            sorts.append(kind)
            shown.append(Phrase(self.indefinite(named, kind), named.plural))
        if sort == "boolean":
            return self.speech.holds(define.name, shown), "", scope
        if not shown:
            phrase = self.speech.defined(define.name, sort)
        else:
            phrase = self.speech.called(define.name, shown, sorts, sort)
        return phrase.text, "are" if phrase.plural or is_plural(define.name) else "is", scope

    def indefinite(self, named: Phrase, sort: str) -> str:
        """Return a parameter where it is met first: "a player", "a number wanted", "a player (the sun)"."""
        noun = self.speech.sort_noun(sort)
        bare = named.text.removeprefix("the ")
        if bare == f"other {noun}":
            return f"another {noun}"
        if sort == "boolean":
            return f"the mark {named.text}"
        if bare == noun or noun in bare.split(" "):
            return f"some {bare}" if named.plural else article(bare)
        return f"some {noun} ({named.text})" if named.plural else f"{article(noun)} ({named.text})"

    def truth(self, value: ex.Expr | ast.MatchValue, scope: Scope) -> tuple[str, tuple[Entry, ...]]:
        """Return when a definition holds."""
        if isinstance(value, ast.MatchValue):
            return "as follows:", self.speech.case_entries(value, scope)
        if isinstance(value, ex.Chain):
            return "as follows:", self.speech.chain_entries(value, scope)
        lead, below = self.speech.listed(value, scope)
        return f"if {lead}", below

    def value(self, define: ast.DefineDecl, verb: str, scope: Scope) -> tuple[str, tuple[Entry, ...]]:
        """Return what a definition gives, with its verb."""
        value = define.value
        if isinstance(value, ast.MatchValue):
            subject = value.subject
            plain = isinstance(subject, ex.Name) and [p.name for p in define.params] == [subject.name]
            depends = "depend" if verb == "are" else "depends"
            lead = f"{verb} as follows:" if plain else f"{depends} on {self.speech.text(subject, scope)}:"
            return lead, self.speech.case_entries(value, scope)
        if isinstance(value, ex.Chain):
            plain = all(link.condition is None for link in value.alternatives)
            lead = f"{verb} the first of these that there is:" if plain else f"{verb}:"
            return lead, self.speech.chain_entries(value, scope)
        return f"{verb} {self.speech.text(value, scope)}", ()


def _own(define: ast.DefineDecl) -> tuple[str, ...]:
    """Return the tags of a definition that do not stand at one of its lines below."""
    below = {t for let in define.lets for t in own_tags(let)}
    if isinstance(define.value, ast.MatchValue):
        below |= {t for case in define.value.cases for t in own_tags(case)}
    elif isinstance(define.value, ex.Chain):
        below |= {t for link in define.value.alternatives for t in own_tags(link)}
    return tuple(t for t in own_tags(define) if t in define.tags or t not in below)
