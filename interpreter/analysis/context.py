"""The context of a check: the symbol table, the scopes, and the list of diagnostics."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import TypeVar

import attrs

from grammar import expressions as syntax
from grammar import foreign
from grammar.diagnostics import UNREAD, Cure, Diagnostic, Edit, Label, Severity, edited
from grammar.source import Span
from grammar.suggest import suggestion
from interpreter.analysis import core
from interpreter.analysis.budget import REPORT, spend
from interpreter.analysis.core import Define, Variable
from interpreter.analysis.graphs import reachable
from interpreter.analysis.info import Info, Symbol
from interpreter.analysis.symbols import Kind, Local, Option
from interpreter.analysis.types import UNKNOWN, Card, EnumType, Type, base_of, is_optional

_Checked = TypeVar("_Checked")

TYPE_WORDS = ("boolean", "integer")
SUGGESTIONS = 50
"""How many unknown names get a suggestion, which is slow to compute."""

READINGS = 40
LONGEST_READ = 20_000
"""How often the text is parsed with a fix of a foreign word, and how long it may be."""

_WORD = re.compile(r"(?<!\.)\b[A-Za-z_]\w*")
_BY_OPTIONS = ("CG302", "CG304", "CG310", "CG312", "CG313", "CG323", "CG324", "CG326", "CG341", "CG342")
"""Mistakes that depend on numbers or on the viewers of a zone, which an option can change."""

_OF_A_NAME = ("CG201", "CG203", "CG407")
"""Codes whose message names its subject: a second one for the same name on the same line is not reported."""


@attrs.define(eq=False)
class Scope:
    """Local names, innermost first.  `phase` and `define` say where we are, for messages and graphs."""

    names: dict[str, Local | Variable | core.Expr] = attrs.field(factory=dict)
    parent: Scope | None = None

    def find(self, name: str) -> Local | Variable | core.Expr | None:
        """Return the value of a local name, or None."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def child(self) -> Scope:
        """Return a scope inside this one."""
        return Scope({}, self)

    def visible(self) -> Iterator[str]:
        """Give all names that can be seen from here."""
        scope: Scope | None = self
        while scope is not None:
            yield from scope.names
            scope = scope.parent


@attrs.define(eq=False)
class OpenSet:
    """A set of cards that is being chosen while its condition is checked, with the measures so far by structure."""

    local: Local
    mark: int
    folds: dict[Hashable, core.SetFold] = attrs.field(factory=dict)


@attrs.define(eq=False)
class Let:
    """A name that a `let` gave to a value, so that a mistake in the value is reported there.

    `tested` says that something asks whether it is there.
    """

    local: Local
    value: syntax.Expr
    checked: core.Expr
    tested: bool = False


@attrs.define(eq=False)
class Context:
    """The state of the check of a spec in one setting."""

    num_players: int
    check_expr: Callable[[Context, syntax.Expr, Scope, Type | None], core.Expr]
    """The function that checks an expression; an argument, because its module imports the checks of the parts."""
    advise: bool = attrs.field(default=True, kw_only=True)
    unread: frozenset[str] | None = attrs.field(default=None, kw_only=True)
    info: Info = attrs.field(factory=Info)
    symbols: dict[str, Symbol] = attrs.field(factory=dict)
    coming: set[str] = attrs.field(factory=set)
    undecided: set[str] = attrs.field(factory=set)
    spans: dict[str, Span] = attrs.field(factory=dict)
    values: dict[str, list[tuple[EnumType, int]]] = attrs.field(factory=dict)
    diagnostics: list[Diagnostic] = attrs.field(factory=list)
    min_players: int = 0
    max_players: int = 0
    """The least and the greatest number of players of the spec."""
    teams: EnumType | None = None
    """The type `team`, where the spec has teams."""
    num_values: int = 0
    """How many values the variables have that are declared so far."""
    local_variables: list[Variable] = attrs.field(factory=list)
    published: list[Span] = attrs.field(factory=list)
    kinds: dict[str, Kind] = attrs.field(factory=dict)
    open_sets: list[OpenSet] = attrs.field(factory=list)
    narrowed: dict[Local, frozenset[str]] = attrs.field(factory=dict)
    """The names that are present here, with the kinds that their card can be of (none for other values)."""
    lets: dict[Local, Let] = attrs.field(factory=dict)
    one_place: bool = False
    each: Local | None = None
    choosing: str = ""
    doubtful: bool = False
    """Whether a condition around this place could not be checked, so that absence here may follow from that."""
    deck_size: int = 0
    doubtful_deck: bool = False
    """Whether a line of a deck could not be checked, so that the number of cards is unknown."""
    copies: bool = False
    """Whether the deck has several copies of a card."""
    locals_made: int = 0
    inlines: int = 0
    holes: int = 0
    deck_work: int = 0
    calls: dict[Define | None, set[Define]] = attrs.field(factory=dict)
    current_define: Define | None = None
    shut: bool = False
    """Whether what is being checked is shut off by options, so that it is never carried out."""
    passed_over: int = 0
    """How many mistakes there were in what is shut off; what they stand in must be dropped."""
    _suggestions: int = 0
    _readings: int = 0
    _reported: set[tuple[object, ...]] = attrs.field(factory=set)

    # ---- what is used

    def note_call(self, define: Define) -> None:
        """Remember that a definition is called here, also where an option then leaves out what calls it."""
        self.calls.setdefault(self.current_define, set()).add(define)

    def called(self) -> set[Define]:
        """Return the definitions that something else than a definition calls, directly or through others."""
        return reachable(self.calls.get(None, ()), lambda define: self.calls.get(define, ()))

    # ---- mistakes

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        cure: str | Cure = "",
        *,
        labels: tuple[Label, ...] = (),
        severity: Severity = Severity.ERROR,
        note: str = "",
        about: str = "",
    ) -> None:
        """Add a mistake to the list; of several at one place the first is kept, which led to the others.

        What is said of a name is said once a line, unless each place has a cure of its own.

        `about` is the name that is unknown, or `UNREAD` where something is missing: it may stand in a part of the
        spec that could not be read, and then nothing is said.  What is a mistake for some values of options only is
        passed over where the options shut it off.
        """
        if self.shut and code in _BY_OPTIONS:
            self.passed_over += 1
            return
        if code in _BY_OPTIONS and (self.unread or set()) - {UNREAD}:  # Numbers may follow from a part that is unread.
            return
        if about and self.unread is not None and (about in self.unread or about == UNREAD):
            return
        spend(REPORT, span)
        if code in _BY_OPTIONS:
            named = [self.symbols.get(word) for word in dict.fromkeys(_WORD.findall(span.text))]
            labels += tuple(Label(span, f"here `{o.name}` is {o.word}") for o in named if isinstance(o, Option))
        place: tuple[object, ...] = (span.start, span.end, span.source.name)
        name = (code, message, span.line, span.source.name) if code in _OF_A_NAME else place
        has_edits = isinstance(cure, Cure) and bool(cure.edits)
        if place not in self._reported and (has_edits or name not in self._reported):
            self.diagnostics.append(Diagnostic(code, message, span, cure, severity, labels, note))
        self._reported |= {place, name}

    def attempt(self, code: str, check: Callable[[], _Checked]) -> tuple[_Checked, bool]:
        """Return what a check gives, and whether it holds; if it reports a mistake of a code, nothing is reported."""
        before, reported = len(self.diagnostics), set(self._reported)
        found = check()
        if all(diagnostic.code != code for diagnostic in self.diagnostics[before:]):
            return found, True
        del self.diagnostics[before:]
        self._reported = reported
        return found, False

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a mistake that was found before."""
        span = diagnostic.span
        self._reported.add((span.start, span.end, span.source.name))
        self.diagnostics.append(diagnostic)

    def wrong(
        self,
        code: str,
        message: str,
        span: Span,
        cure: str | Cure = "",
        *,
        about: str = "",
    ) -> core.Expr:
        """Report a mistake in an expression and return a stand-in that fits everywhere."""
        self.report(code, message, span, cure, about=about)
        return core.Const(None, UNKNOWN, span)

    def unknown(
        self, code: str, message: str, name: str, span: Span, candidates: Iterable[str], otherwise: str | Cure = ""
    ) -> core.Expr:
        """Report a name in a span that nothing declares, with the nearest candidate or another cure."""
        return self.wrong(code, message, span, self.suggest(name, candidates, span, otherwise), about=name)

    def look_at(self, exprs: Iterable[syntax.Expr], scope: Scope) -> None:
        """Report what is unknown in expressions that stand in no place where anything could be expected of them."""
        before = len(self.diagnostics)
        for expr in exprs:
            self.expr(expr, scope)
        self.diagnostics[before:] = [d for d in self.diagnostics[before:] if d.code in ("CG201", "CG203")]

    @property
    def has_errors(self) -> bool:
        """Whether anything known so far keeps the spec from being played."""
        return self.unread is not None or any(d.is_error for d in self.diagnostics)

    # ---- names

    @property
    def options(self) -> tuple[Option, ...]:
        """The options that are declared so far, in order."""
        return tuple(symbol for symbol in self.symbols.values() if isinstance(symbol, Option))

    def declare(self, name: str, symbol: Symbol, span: Span) -> None:
        """Enter a global name; a second one of the same name is a mistake with two places."""
        if name == UNREAD:
            return
        if name in TYPE_WORDS:
            self.report("CG202", f"`{name}` is a type of the language", span, "take another name")
            return
        if name in self.symbols or name in self.values:
            self.twice(name, span, self.spans.get(name))
            return
        self.symbols[name] = symbol
        self.spans[name] = span
        self.info.declared[name] = symbol, span

    def twice(self, name: str, span: Span, first: Span | None) -> None:
        """Report a name that is given to two things."""
        labels = (Label(first, "first declared here"),) if first is not None else ()
        symbol = self.symbols.get(name)
        what = "a value" if symbol is None else _WHAT.get(type(symbol).__name__, "something else")
        help_ = "give one of the two another name"
        if first is not None and first.source.name != span.source.name:
            help_ = "write `replace` to change what the other file declares, or give this another name"
        message = f"`{name}` is declared twice: it is already the name of {what}"
        self.report("CG202", message, span, help_, labels=labels)

    def names(self, name: str, scope: Scope) -> bool:
        """Say whether a name means something: a local one, a declared one, or a value."""
        return scope.find(name) is not None or name in self.symbols or name in self.values

    def check_free(self, name: str, span: Span, scope: Scope | None = None) -> bool:
        """Report a local name that already means something where it is given; say whether it is free."""
        found = None if scope is None else scope.find(name)
        if found is None and name not in self.symbols and name not in self.values:
            return True
        first = self.spans.get(name) if found is None else found.span
        labels = (Label(first, "it means this"),) if first is not None else ()
        self.report("CG202", f"`{name}` is already declared here", span, "take another name", labels=labels)
        return False

    def local(self, name: str, type_: Type, span: Span, *, card_set: bool = False) -> Local:
        """Make a new local name."""
        self.locals_made += 1
        return Local(name, type_, self.locals_made, span, card_set)

    def suggest(self, name: str, candidates: Iterable[str], span: Span, otherwise: str | Cure = "") -> str | Cure:
        """Return the cure of a misspelt name in a span, or another if no candidate is near."""
        self._suggestions += 1
        if self._suggestions > SUGGESTIONS:
            return otherwise
        word = span.part(name)
        found = foreign.found(span.source, word, self._reads, closest=self.unread is not None)
        meant = found.cure if found is not None and found.span.start <= word.start < found.span.end else ""
        if isinstance(meant, Cure):
            return meant
        return suggestion(name, candidates, span) or meant or otherwise

    def _reads(self, edits: tuple[Edit, ...]) -> bool:
        """Whether a spec can be parsed with edits; of a long one, and after many tries, it is not found out.

        Of a spec with syntax errors it is taken for granted: fixes are verified later.
        """
        from grammar.parser import parses  # late: faults

        self._readings += 1
        if self.unread is not None:
            return True
        text = edits[0].span.source.text
        return self._readings <= READINGS and len(text) <= LONGEST_READ and parses(edited(text, edits))

    def mark_tested(self, checked: core.Expr) -> None:
        """Note that a rule asks whether a value is there: where it may be absent, that is meant."""
        if isinstance(checked, core.LocalRef) and checked.local in self.lets:
            self.lets[checked.local].tested = True

    # ---- helpers of the checkers

    def expr(self, expr: syntax.Expr, scope: Scope, expected: Type | None = None) -> core.Expr:
        """Check an expression; `expected` helps to find which enumeration a value belongs to."""
        return self.check_expr(self, expr, scope, expected)

    def kinds_of(self, local: Local) -> frozenset[str]:
        """Return the kinds that a card can be of here, after all tests that enclose this place."""
        type_ = base_of(local.type)
        assert isinstance(type_, Card)
        return self.narrowed.get(local, type_.kinds)

    def given(self, test: core.Expr | None, *, holds: bool = True) -> AbstractContextManager[None]:
        """Know that a test holds (or does not); where it is settled to be otherwise, this code is shut off."""
        settled = isinstance(test, core.Const) and test.value is (not holds)
        return self.during(shut=self.shut or settled, narrowed=self._narrowed(narrowings(test, holds=holds)))

    def narrowing(self, facts: dict[Local, frozenset[str]]) -> AbstractContextManager[None]:
        """Know more about some cards for the time being."""
        return self.during(narrowed=self._narrowed(facts))

    def narrow(self, facts: dict[Local, frozenset[str]]) -> None:
        """Know more about some names from here to the end of the `narrowing` around."""
        self.narrowed = self._narrowed(facts)

    def _narrowed(self, facts: dict[Local, frozenset[str]]) -> dict[Local, frozenset[str]]:
        """Return the kinds that cards can be of where more is known about some."""
        narrowed = dict(self.narrowed)
        for local, kinds in facts.items():
            type_ = base_of(local.type)
            held = narrowed.get(local, type_.kinds if isinstance(type_, Card) else kinds)
            narrowed[local] = held & kinds
        return narrowed

    def during(self, **values: object) -> AbstractContextManager[None]:
        """Let some fields have other values for the time being."""
        return _Swapped(self, values)


class _Swapped(AbstractContextManager[None]):
    """Exchanges fields of a context with other values, and back at the end of a `with`: faster than a generator."""

    def __init__(self, cx: Context, values: dict[str, object]) -> None:
        self.cx, self.values = cx, values

    def __enter__(self) -> None:
        for name, value in self.values.items():
            self.values[name] = getattr(self.cx, name)
            setattr(self.cx, name, value)

    def __exit__(self, *_: object) -> None:
        self.__enter__()


_WHAT = {
    "Zone": "a zone", "Variable": "a variable", "Define": "a definition", "Phase": "a phase", "Option": "an option",
    "EnumType": "an enumeration", "Kind": "a kind of card",
}  # fmt: skip


def narrowings(condition: core.Expr | None, *, holds: bool = True) -> dict[Local, frozenset[str]]:
    """Return the names that a condition proves present when it holds (or when it does not), with the kinds of cards."""
    match condition:
        case core.Op(op="not", args=(inner,)):
            return narrowings(inner, holds=not holds)
        case core.Op(op="and" | "or" as op, args=(left, right)):
            one, other = narrowings(left, holds=holds), narrowings(right, holds=holds)
            if (op == "and") is holds:
                return {local: one.get(local, kinds) & kinds for local, kinds in {**one, **other}.items()}
            return {local: one[local] | other[local] for local in one if local in other}
        case core.IsKind(card=core.LocalRef(local=local, type=type_), test=test):
            if holds:
                return {local: test.kinds}
            if not test.attributes and isinstance(type_, Card):
                return {local: type_.kinds - test.kinds}
            return {}
        case core.Op(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op, args=(left, right)) if (op != "!=") is holds:
            found = {}
            for side in (left, right):
                match side:
                    case core.CardAttr(card=core.LocalRef(local=local)):
                        found[local] = side.having
                    case core.LocalRef(local=local) if is_optional(side.type):
                        found[local] = _kinds_of(local)
            return found
        case core.IsNone(value=core.LocalRef(local=local)) if not holds:
            return {local: _kinds_of(local)}
    return {}


def _kinds_of(local: Local) -> frozenset[str]:
    type_ = base_of(local.type)
    return type_.kinds if isinstance(type_, Card) else frozenset()
