"""`about`: compare the texts that describe parts of a spec with the rules that they describe.

A text may have only names and numbers of its rule in its braces, and its other numbers must be the rule's too.  What
the rule needs and the text does not mention is a warning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from grammar import ast as syntax
from grammar.diagnostics import Severity
from grammar.expressions import KindPattern, Logic, Name, Node, Not, Number, NumberPattern, Param, walk
from grammar.source import Span
from grammar.statements import Action
from interpreter.analysis.context import Context
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.symbols import Option, Zone
from interpreter.english.words import listing

HOLE = re.compile(r"\{([^{}]*)\}")
_NUMBER = re.compile(r"\d+")
_COMMON = (0, 1)
"""Numbers that a text need not mention."""
_SORTS: dict[str, type[syntax.PhaseDecl | syntax.DefineDecl | syntax.CardDecl]] = {
    "phase": syntax.PhaseDecl, "define": syntax.DefineDecl, "card": syntax.CardDecl,
}  # fmt: skip


class Words(msgspec.Struct, frozen=True):
    """The names and numbers of a rule, which its text may mention.

    `bounds` are the numbers that only the types of its parameters have, which a text need not mention; `used` are the
    names that it uses, in order; `limits` those that are conditions of an action by themselves.
    """

    names: frozenset[str]
    numbers: frozenset[int]
    bounds: frozenset[int]
    used: tuple[str, ...]
    limits: tuple[str, ...]

    @classmethod
    def of(cls, rule: list[Node]) -> Words:
        """Return the words of the parts of a rule."""
        nodes = [node for part in rule for node in walk(part)]
        names = frozenset(name for node in nodes for name in _names(node))
        numbers = frozenset(number for node in nodes for number in _numbers(node))
        typed = (part for node in nodes if isinstance(node, Param) for part in walk(node.type))
        left = Counter(number for node in nodes for number in _numbers(node))
        left.subtract(number for part in typed for number in _numbers(part))
        bounds = frozenset(number for number, times in left.items() if not times)
        limits = (part for n in nodes if isinstance(n, Action) for part in (n.only_if, n.such_that) if part is not None)
        conditions = tuple(dict.fromkeys(name for limit in limits for name in _conditions(limit)))
        return cls(names, numbers, bounds, tuple(dict.fromkeys(n for node in nodes for n in _used(node))), conditions)


def check_abouts(cx: Context, spec: syntax.Spec, known_words: dict[int, Words]) -> None:
    """Report each text whose rule is not there, that names what its rule does not have, or leaves something out.

    `known_words` keeps the words of the rule of each text, by its number: they are the same in all settings.
    """
    known: dict[tuple[str, str | None, str | None], syntax.AboutDecl] = {}
    for about in (item for item in spec.items if isinstance(item, syntax.AboutDecl)):
        key = about.sort, about.name, about.phase
        if known.setdefault(key, about) is not about:
            cx.report("CG202", "this is described twice", about.span, "keep one of the texts")
            continue
        if id(about) not in known_words and (rule := _rule(cx, spec, about)):
            known_words[id(about)] = Words.of(rule)
        if id(about) in known_words:
            _compare(cx, about, known_words[id(about)])


def _rule(cx: Context, spec: syntax.Spec, about: syntax.AboutDecl) -> list[Node]:
    """Return the parts of the spec that a text describes; what is not there is reported."""
    if about.sort == "game":
        return [item for item in spec.items if not isinstance(item, syntax.AboutDecl)]
    name = about.name or ""
    if about.sort == "action":
        phases = [i for i in spec.items if isinstance(i, syntax.PhaseDecl) and i.name == about.phase]
        actions = [n for phase in phases for n in walk(phase) if isinstance(n, Action)]
        found: list[Node] = [a for a in actions if a.verb == name]
        verbs = [a.verb for a in actions]
        if not found:
            message = f"there is no action `{name}` in a phase `{about.phase}`"
            cx.unknown("CG242", message, name, about.span, verbs, "describe what the spec has")
        return found
    declared = [item for item in spec.items if isinstance(item, _SORTS[about.sort])]
    found = [item for item in declared if item.name == name]
    if not found:
        cx.unknown("CG242", f"there is no {about.sort} `{name}`", name, about.span,
                   [item.name for item in declared], "describe what the spec has")  # fmt: skip
    return found


def _compare(cx: Context, about: syntax.AboutDecl, words: Words) -> None:
    names, numbers = words.names, words.numbers
    start = about.span.source.text.find(f'"{about.text}"', about.span.start) + 1
    said: set[str] = set()
    for hole in HOLE.finditer(about.text):
        word = hole[1].strip()
        said.add(word)
        if word in names or (word.isdecimal() and int(word) in numbers):
            continue
        place = Span(about.span.source, start + hole.start(), start + hole.end())
        cx.report("CG242", f"the rule has no `{word}`", place, cx.suggest(word, names, place, "name what the rule has"))
    for number in _NUMBER.finditer(HOLE.sub(lambda hole: " " * len(hole[0]), about.text)):
        said.add(number[0])
        if int(number[0]) not in numbers:
            place = Span(about.span.source, start + number.start(), start + number.end())
            cx.report("CG242", f"the rule has no number {number[0]}", place, "write the number that the rule has")
    if about.sort in ("game", "card") or not cx.advise:
        return
    needed = [name for name in words.used if name in words.limits or _is_needed(cx, name)]
    needed += [str(number) for number in sorted(numbers - words.bounds) if number not in _COMMON]
    if left := [f"`{word}`" for word in needed if word not in said]:
        cx.report("CG514", f"this text does not mention {listing(left)}, which the rule needs", about.span,
                  "name each of them in braces in the text", severity=Severity.WARNING)  # fmt: skip


def _names(node: Node) -> Iterator[str]:
    """Give the names that a node declares or uses."""
    for field in ("name", "verb"):
        if isinstance(name := getattr(node, field, None), str):
            yield name


def _used(node: Node) -> Iterator[str]:
    match node:
        case Name(name=name) | KindPattern(name=name):
            yield name
        case _ if type(node).__name__ == "Call":
            yield from _names(node)


def _conditions(limit: Node) -> Iterator[str]:
    """Give the names that are conditions by themselves: those of notes and of parameters that are yes or no."""
    match limit:
        case Name(name=name):
            yield name
        case Logic(left=left, right=right):
            yield from (*_conditions(left), *_conditions(right))
        case Not(value=value):
            yield from _conditions(value)


def _numbers(node: Node) -> Iterator[int]:
    match node:
        case Number(value=value):
            yield value
        case NumberPattern(low=low, high=high):
            yield from (low, high)


def _is_needed(cx: Context, name: str) -> bool:
    """Whether a name is of what a reader has to know: a place, a variable, a rule or a kind of cards of the spec."""
    return isinstance(cx.symbols.get(name), Zone | Variable | Define | Phase | Option) or name in cx.kinds
