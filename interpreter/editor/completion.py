"""Completion: the reserved words that the parser accepts at a place, and the names that fit there.

The LALR(1) tables read the section up to the place.  The rules that can take a name in that state determine the
category of the name: a value, a type, a phase, a kind of card.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import attrs
from lark import Lark, Token
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Shift

from grammar.ast import ZONE_KINDS
from grammar.layout import Layout, LayoutError
from grammar.recovery import without_tree
from grammar.source import Source, Span
from grammar.tables import lex, parser
from interpreter.analysis import types
from interpreter.analysis.check.selections import FOLDS
from interpreter.analysis.checker import RESULTS
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.files import SUFFIX, bundled_folder
from interpreter.analysis.functions import CALLABLE
from interpreter.analysis.symbols import Kind, Local, Option, Zone
from interpreter.editor.index import Occurrence, Sense, Verb
from interpreter.editor.outline import Sort, sort_of
from interpreter.editor.workspace import Snapshot
from interpreter.setting import KNOWN_FACTS

PLACEHOLDER = "zz_here"
TRIES = 8
"""Lines with mistakes that are left out before the place is read without the grammar."""

_TOP_LEVEL = re.compile(r"^(?=[^\s#])", re.MULTILINE)
_WORD_BEFORE = re.compile(r"[A-Za-z_]\w*\Z")
_IN_TEXT = re.compile(r'(?:[^"#\n]|"[^"\n]*")*(?:"[^"\n]*|#[^\n]*)\Z')
_PATH_BEFORE = re.compile(r'^(?:use|extends|scenarios[ \t]+\d+[ \t]+of)[ \t]+"([^"\n]*)\Z')
_BOUND_HERE = re.compile(r"\b([A-Za-z_]\w*)[ \t]+(?:in|from)\b")
_DOMAIN_HERE = re.compile(r"\b([A-Za-z_]\w*)[ \t]+(?:in|from)[ \t]+(?:top of |bottom of |card .+ of )?([A-Za-z_]\w*)")
_BASE = re.compile(r"([A-Za-z_]\w*)[ \t]*\.[ \t]*\Z")
_HEADING = ("CARDGAME", "SCENARIOS", "NUMBER", "_NL", "OF", "STRING")
"""The tokens of the first line of a file."""


@attrs.frozen
class Completion:
    """Something that can be written: the text, its sort (empty: a reserved word), and a word about it."""

    text: str
    sort: Sort | None = None
    detail: str = ""


@attrs.frozen
class _Place:
    """A place in a section, as the parser sees it: the words and rules that can come next, and the tokens before."""

    words: tuple[str, ...]
    rules: frozenset[str]
    before: tuple[str, ...]
    takes_name: bool


def completions(snapshot: Snapshot, offset: int) -> tuple[Span, list[Completion]]:
    """Return what can be written at an offset, and the beginning of a word there that it replaces."""
    source = snapshot.source
    text = source.text[:offset]
    line = text[text.rfind("\n") + 1 :]
    path = _PATH_BEFORE.search(line)
    if path is not None:
        found = [Completion(name, "file") for name in _files(snapshot.path, is_game=line.startswith("scenarios"))]
        return Span(source, offset - len(path[1]), offset), found
    word = _WORD_BEFORE.search(text)
    start = offset if word is None else word.start()
    span = Span(source, start, offset)
    if _IN_TEXT.fullmatch(line):
        return span, []
    base = _BASE.search(source.text, 0, start)
    if base is not None or source.text[:start].rstrip().endswith("."):
        return span, _each_once(_attributes(snapshot, start, "" if base is None else base[1]))
    place = _place(source, start, "scenario" if snapshot.is_scenarios else "cardgame")
    if place is None:
        return span, _each_once([*_locals(snapshot, start), *_names(snapshot, ("value",))])
    made = [*_fitting(snapshot, start, place), *(Completion(one) for one in place.words)]
    return span, _each_once(made)


def _each_once(found: list[Completion]) -> list[Completion]:
    return list({one.text: one for one in reversed(found)}.values())[::-1]


# ---- the state of the parser


def _place(source: Source, start: int, language: str) -> _Place | None:
    """Return how the parser sees a place; None where the lines before it in its section cannot be read."""
    section = [0, *(m.start() for m in _TOP_LEVEL.finditer(source.text, 0, start) if m.start() <= start)][-1]
    head = 'scenarios 1 of "x"\n' if language == "scenario" else "cardgame 1\n"
    before = source.text[section:start]
    if section == 0:
        head = ""
    for _ in range(TRIES):
        found = _read(language, head + before + PLACEHOLDER + "\n", len(head) + len(before))
        if isinstance(found, _Place):
            return found
        end = max(found - len(head), 0)
        begin, after = before.rfind("\n", 0, end) + 1, before.find("\n", end)
        if after < 0:
            return None
        before = before[:begin] + re.sub(r"[^\n]", " ", before[begin:after]) + before[after:]
    return None


def _read(language: str, text: str, start: int) -> _Place | int:
    """Return the place of a token that begins at an offset, or the offset of a token that cannot be read before it."""
    tables = parser(language)
    cursor = without_tree(tables)
    before: list[str] = []
    at = 0
    try:
        for token in Layout().process(lex(tables, text)):
            at = token.start_pos or 0
            if at >= start and token.type not in ("_NL", "_INDENT", "_DEDENT"):
                return _seen(tables, cursor, before)
            cursor.feed_token(token)
            before.append(token.type)
    except (LayoutError, UnexpectedInput):
        pass
    return at


def _seen(tables: Lark, cursor: Any, before: list[str]) -> _Place:
    kinds, words = cursor.accepts(), _reserved(tables)
    reduced: set[str] = set()
    if "NAME" in kinds:
        cursor.feed_token(Token("NAME", PLACEHOLDER))
        choices = cursor.choices()
        reduced = {name for action, rule in choices.values() if action is not Shift
                   for name in (rule.alias or "", rule.origin.name)}  # fmt: skip
        if "LPAR" in choices:
            reduced.add("call")
    listed = tuple(sorted(words[kind] for kind in kinds if kind in words))
    return _Place(listed, frozenset(reduced), tuple(before), "NAME" in kinds)


@lru_cache(maxsize=2)
def _reserved(tables: Lark) -> dict[str, str]:
    """Return the reserved words by terminal; of two words where a terminal has two."""
    found = {}
    for terminal in tables.terminals:
        text = terminal.pattern.value
        if isinstance(terminal.pattern, PatternStr):
            if text.isalpha():
                found[terminal.name] = text
        elif pair := re.fullmatch(r"([a-z]+)\[ \\?\t?t?\]\+([a-z]+)\(\?[!=].*", text):
            found[terminal.name] = f"{pair[1]} {pair[2]}"
        elif terminal.name == "ROUNDED":
            found[terminal.name] = "rounded"
    return found


# ---- names


def _fitting(snapshot: Snapshot, start: int, place: _Place) -> Iterator[Completion]:
    """Yield the names that fit a place."""
    before, rules = place.before, place.rules
    last = before[-1] if before else ""
    previous = before[-2] if len(before) > 1 else ""
    section = next((kind for kind in before if kind not in _HEADING), "")
    in_path = section == "IN" and "COLON" not in before
    if last in ("DOES", "CANNOT", "CAN", "CAN_ONLY") or "action_verb" in rules or (in_path and last == "ACTION"):
        yield from _senses(snapshot, Verb)
        return
    if not place.takes_name:
        return
    if in_path and last in ("IN", "COMMA"):
        for cls in (Phase, Define, Option, Kind):
            yield from _senses(snapshot, cls)
    elif last == "FACE":
        yield from (Completion(word) for word in ("up", "down"))
    elif section == "PHASE" and previous == "AT_MOST":
        yield Completion("deep", None, "limit of a phase")
    elif last == "END" or (last == "PHASE" and previous in ("IN", "REMOVE")) or last == "START":
        yield from _senses(snapshot, Phase)
    elif last == "SET" or (last == "OPTION" and (previous == "REMOVE" or snapshot.is_scenarios)):
        yield from _senses(snapshot, Option)
    elif last == "DEFINE" and previous == "REMOVE":
        yield from _senses(snapshot, Define)
    elif last == "IN" and section == "DECK" and before.count("_INDENT") == 0:
        yield from _senses(snapshot, Zone)
    elif section == "RESULT" and last in ("_INDENT", "_NL"):
        yield from (Completion(word, None, "line of `result`") for word in RESULTS)
    elif section == "GAME" and last in ("_INDENT", "_NL", "COMMA"):
        yield from (Completion(word, None, "fact of the game") for word in KNOWN_FACTS if word != "decisions")
    elif "zone_kind" in rules and section == "ZONES" and last == "COLON":
        yield from (Completion(word, None, "kind of zone") for word in ZONE_KINDS)
    elif "named_viewer" in rules:
        yield from (Completion(word, None, "who sees it") for word in ("owner", "nobody"))
    else:
        yield from _by_rules(snapshot, start, rules)


def _by_rules(snapshot: Snapshot, start: int, rules: frozenset[str]) -> Iterator[Completion]:
    if "doing" in rules:
        yield from _senses(snapshot, Phase)
    if "bound" in rules and "atom" not in rules:
        yield from _senses(snapshot, Option)
    if rules & {"atom", "pattern_arg"}:
        yield from _locals(snapshot, start)
        yield from _names(snapshot, ("value",))
    if "named_type" in rules:
        yield from _names(snapshot, ("type",))
    if "kind_pattern" in rules:
        yield from _names(snapshot, ("pattern",))
    if "call" in rules and "atom" in rules:
        yield from (Completion(name, "define", "function") for name in (*CALLABLE, *FOLDS))


def _senses(snapshot: Snapshot, cls: type[Any]) -> Iterator[Completion]:
    found = {o.sense for o in snapshot.index.occurrences if o.declares and isinstance(o.sense, cls)}
    yield from (_completion(sense) for sense in sorted(found, key=lambda sense: sense.name))


def _completion(sense: Sense) -> Completion:
    match sense:
        case Define(params=params, result=result):
            listed = ", ".join(f"{p.name}: {p.type}" for p in params)
            detail = (f"({listed})" if listed else "") + ("" if result is None else f" -> {result}")
        case Phase(params=params):
            detail = ", ".join(f"{p.name}: {p.type}" for p in params)
        case Zone(indices=indices, kind=kind):
            detail = (f"[{', '.join(map(str, indices))}] " if indices else "") + kind
        case Variable(indices=indices, type=type_, home=home):
            shape = (
                [*map(str, indices)] if home is None else [f"card in {home.name}", *map(str, indices[sense.of_card :])]
            )
            detail = (f"[{', '.join(shape)}] " if shape else "") + str(type_)
        case Local(type=type_) | Option(type=type_):
            detail = str(type_)
        case _:
            detail = ""
    return Completion(sense.name, sort_of(sense), detail)


def _names(snapshot: Snapshot, wanted: tuple[str, ...]) -> Iterator[Completion]:
    """Yield the names that can be read in the whole spec: as a value, a type or a pattern."""
    declared = [] if snapshot.info is None else [symbol for symbol, _ in snapshot.info.declared.values()]
    enums = [symbol for symbol in declared if isinstance(symbol, types.EnumType)]
    options = [s.type for s in declared if isinstance(s, Option) and isinstance(s.type, types.EnumType)]
    for symbol in declared:
        is_type = isinstance(symbol, types.EnumType | Kind)
        if ("type" in wanted and is_type) or ("value" in wanted and not isinstance(symbol, Kind | Phase)):
            yield _completion(symbol)
        if "pattern" in wanted and isinstance(symbol, Kind):
            yield _completion(symbol)
    if "type" in wanted:
        yield from (Completion(word, "enum", "type") for word in ("boolean", "integer"))
    else:
        for enum in (*enums, *(options if "value" in wanted else ())):
            yield from (Completion(value, "value", enum.name) for value in enum.values)
    if "value" in wanted:
        yield Completion("players", "local", "all players")
        if any(enum.team_of for enum in enums):
            yield Completion("teams", "local", "all teams")


def visible_locals(snapshot: Snapshot, offset: int) -> list[Occurrence]:
    """Return the names of blocks that can be used at an offset, the innermost first.

    They are found by indentation: heads around the line, and `let` and `random` above it in the same block.
    """
    source = snapshot.source
    declared: dict[int, list[Occurrence]] = {}
    for occurrence in snapshot.index.of_source(source):
        if (
            occurrence.declares
            and isinstance(occurrence.sense, Local | Variable)
            and sort_of(occurrence.sense) == "local"
        ):
            declared.setdefault(occurrence.span.line, []).append(occurrence)
    line = source.position(offset)[0]
    here = source.line(line)
    width = _width(here) if here.strip() else offset - source.line_starts[line - 1]
    found = list(declared.get(line, ()))
    for number in range(line - 1, 0, -1):
        text = source.line(number)
        code = text.strip()
        if not code or code.startswith("#") or _width(text) > width:
            continue
        if _width(text) < width or re.match(r"(?:openly\s+)?(?:let|random)\b", code):
            found += declared.get(number, ())
        width = _width(text)
        if width == 0:
            break
    return found


def _width(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.lstrip())


def _locals(snapshot: Snapshot, start: int) -> Iterator[Completion]:
    seen = set()
    for occurrence in visible_locals(snapshot, start):
        seen.add(occurrence.sense.name)
        yield _completion(occurrence.sense)
    line = snapshot.source.line(snapshot.source.position(start)[0])
    for name in _BOUND_HERE.findall(line):
        if name not in seen and name not in ("cards", "card"):
            yield Completion(name, "local")


def _attributes(snapshot: Snapshot, start: int, base: str) -> list[Completion]:
    """Return the attributes of a name; of an unknown one, all that cards and values have."""
    declared = {} if snapshot.info is None else {name: symbol for name, (symbol, _) in snapshot.info.declared.items()}
    kinds = [symbol for symbol in declared.values() if isinstance(symbol, Kind)]
    enums = [symbol for symbol in declared.values() if isinstance(symbol, types.EnumType)]
    type_ = _type_of(snapshot, start, base, declared)
    match type_:
        case types.Card(kinds=names) | types.Cards(kinds=names):
            kinds, enums = [kind for kind in kinds if kind.name in names], []
        case types.EnumType():
            kinds, enums = [], [type_]
    found = [Completion(a.name, "attribute", f"{kind.name}: {a.type}") for kind in kinds for a in kind.attributes]
    found += [Completion(n, "attribute", f"{e.name}: {t}") for e in enums for n, (t, _) in e.attributes.items()]
    return found


def _type_of(snapshot: Snapshot, start: int, base: str, declared: dict[str, Any]) -> types.Type | None:
    """Return the type of a name in front of a dot, as far as it is known."""
    for occurrence in visible_locals(snapshot, start):
        if occurrence.sense.name == base and isinstance(occurrence.sense, Local | Variable):
            return types.base_of(occurrence.sense.type)
    line = snapshot.source.line(snapshot.source.position(start)[0])
    domains = [domain for name, domain in _DOMAIN_HERE.findall(line) if name == base]
    symbol = declared.get(domains[-1] if domains else base)
    match symbol:
        case Zone():
            return types.Card(frozenset(name for name, one in declared.items() if isinstance(one, Kind)))
        case types.EnumType():
            return symbol
        case Variable(type=type_) | Define(result=type_) if type_ is not None:
            inner = types.base_of(type_)
            return inner.item if isinstance(inner, types.Sequence) else inner
    return None


def _files(path: str, *, is_game: bool) -> Iterator[str]:
    """Yield the names of specs that a file can bring in: those beside it, and libraries and games of the program."""
    folder = os.path.dirname(path)
    for where in (folder, os.path.join(folder, "lib")):
        if os.path.isdir(where):
            beside = sorted(name for name in os.listdir(where) if name.endswith(SUFFIX))
            yield from (os.path.relpath(os.path.join(where, n), folder) for n in beside if n != os.path.basename(path))
    bundled = bundled_folder()
    if not is_game:
        yield from sorted(one.relative_to(bundled).as_posix() for one in bundled.glob(f"lib/*{SUFFIX}"))
    yield from sorted(one.relative_to(bundled).as_posix() for one in bundled.glob(f"*{SUFFIX}"))
