"""Mutants of specs: each must be refused with diagnostics, or give a game that plays.

Operators work on tokens (delete, repeat, exchange, replace by another of its class), on lines with their blocks
(delete, repeat, move, indent), on sections (splice one of another spec), on numbers (bounds, overflow), and on the
syntax tree (put one expression or statement of a spec in the place of another of its class, which mostly parses and
so reaches the checker, the compiler and the machine).  Mutant number n of a seed is the same wherever it is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random

import attrs

from grammar.ast import Spec
from grammar.codes import REGISTRY
from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from grammar.expressions import Node, evolved, field_names
from grammar.parser import parse
from grammar.source import Source
from grammar.unparse import unparse
from interpreter.engine.chance import below
from interpreter.engine.faults import RuleError
from interpreter.loader import assemble, bundled_games, bundled_variants, find_spec, game_of
from interpreter.setting import Signature
from interpreter.validate import validate_tree

ROOT = Path(__file__).parents[2]
DECISIONS = 150
"""Decisions of each play of a mutant."""

VALIDATED = 10
"""One in so many mutants is checked in all its settings."""

_TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|\.\.|->|[+\-<>=!]=|\n[ \t]*|[ \t]+|.', re.DOTALL)
_NUMBERS = ("0", "1", "2", "-1", "7", "13", "100", "1000", "100000", "999999999999", "1" + "0" * 30)
_SIGNS = ("==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "..", "=", "+=", "-=", ",", ":", "(", ")", "[", "]", ".")


@attrs.frozen
class Original:
    """A spec that mutants are made of; `folder` is where its other files lie."""

    name: str
    text: str
    folder: Path | None


@lru_cache(maxsize=1)
def originals() -> tuple[Original, ...]:
    """Return all specs at hand: bundled games and variants, the spec with every construct, examples of the registry."""
    found = [
        Original(name, find_spec(name).read_text(encoding="utf-8"), find_spec(name).parent)
        for name in (*bundled_games(), *bundled_variants())
    ]
    everything = ROOT / "tests" / "rulebook" / "data" / "everything.cardgame"
    found.append(Original("everything", everything.read_text(encoding="utf-8"), everything.parent))
    for code in REGISTRY.values():
        if "CG200" < code.code < "CG900" and "extends" not in code.good and "use " not in code.good:
            found.append(Original(code.code, complete(code.good), None))
    return tuple(found)


# ---- operators on text


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _class_of(token: str) -> str:
    if token[0] == '"':
        return "text"
    if token[0].isdigit():
        return "number"
    if token[0].isalpha() or token[0] == "_":
        return "word"
    return "space" if token.isspace() else "sign"


def _on_tokens(rng: Random, text: str) -> str:
    tokens = _tokens(text)
    solid = [n for n, t in enumerate(tokens) if not t.isspace()]
    for _ in range(1 + below(rng, 3)):
        at = solid[below(rng, len(solid))]
        kind = _class_of(tokens[at] or " ")
        match below(rng, 6):
            case 0:
                tokens[at] = ""
            case 1:
                tokens[at] = f"{tokens[at]} {tokens[at]}"
            case 2:
                other = solid[below(rng, len(solid))]
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3 if kind == "number":
                tokens[at] = _NUMBERS[below(rng, len(_NUMBERS))]
            case 3 if kind == "sign":
                tokens[at] = _SIGNS[below(rng, len(_SIGNS))]
            case _:
                same = [t for n in solid if _class_of((t := tokens[n]) or " ") == kind]
                tokens[at] = same[below(rng, len(same))] if same else ""
    return "".join(tokens)


def _on_lines(rng: Random, text: str) -> str:
    lines = text.split("\n")
    start = below(rng, len(lines))
    deep = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > deep):
        end += 1
    block = lines[start:end]
    match below(rng, 5):
        case 0:
            del lines[start:end]
        case 1:
            lines[start:start] = block
        case 2:
            del lines[start:end]
            at = below(rng, len(lines) + 1)
            lines[at:at] = block
        case 3:
            lines[start:end] = ["    " + line for line in block]
        case _:
            lines[start:end] = [line[4:] if line.startswith("    ") else line for line in block]
    return "\n".join(lines)


def _sections(text: str) -> list[str]:
    return re.split(r"(?m)^(?=[a-z])", text)


def _on_sections(rng: Random, text: str) -> str:
    own = _sections(text)
    foreign = originals()
    other = _sections(foreign[below(rng, len(foreign))].text)
    at = below(rng, len(own))
    match below(rng, 4):
        case 0:
            own[at] = other[below(rng, len(other))]
        case 1:
            own.insert(at, other[below(rng, len(other))])
        case 2:
            del own[at]
        case _:
            own.insert(at, own[below(rng, len(own))])
    return "".join(own)


# ---- operators on the tree


def _places(node: Node, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Node]]:
    """Give every node below one, with the fields and positions that lead to it."""
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield (*path, name), value
            yield from _places(value, (*path, name))
        elif isinstance(value, tuple):
            for number, item in enumerate(value):
                if isinstance(item, Node):
                    yield (*path, name, number), item
                    yield from _places(item, (*path, name, number))


def _put(node: Node, path: tuple[str | int, ...], new: Node) -> Node:
    """Return a tree with another node at a place."""
    name, rest = str(path[0]), path[1:]
    value = getattr(node, name)
    if isinstance(value, tuple):
        number, rest = int(rest[0]), rest[1:]
        item = new if not rest else _put(value[number], rest, new)
        return evolved(node, **{name: (*value[:number], item, *value[number + 1 :])})
    return evolved(node, **{name: new if not rest else _put(value, rest, new)})


@lru_cache(maxsize=256)
def _tree(text: str) -> tuple[Spec, list[tuple[tuple[str | int, ...], Node]]]:
    """Return the tree of an original and all its places, which many mutants are made of."""
    spec = parse(Source("<mutant>", text))
    return spec, list(_places(spec))


def _on_tree(rng: Random, text: str) -> str:
    spec, places = _tree(text)
    for change in range(1 + below(rng, 2)):
        places = list(_places(spec)) if change else places
        path, old = places[below(rng, len(places))]
        module = type(old).__module__
        same = [n for _, n in places if type(n).__module__ == module and (below(rng, 8) == 0 or type(n) is type(old))]
        if same:
            changed = _put(spec, path, same[below(rng, len(same))])
            assert isinstance(changed, Spec)
            spec = changed
    return unparse(spec)


Operator = Callable[[Random, str], str]

OPERATORS: tuple[Operator, ...] = (_on_tokens, _on_tokens, _on_lines, _on_sections, _on_tree, _on_tree, _on_tree)


def mutant(seed: int, number: int) -> tuple[Original, str]:
    """Return mutant `number` of a seed: what it was made of, and its text."""
    rng = Random(f"{seed}/{number}")
    sources = originals()
    original = sources[below(rng, len(sources))]
    operator = OPERATORS[below(rng, len(OPERATORS))]
    try:
        text = operator(rng, original.text)
    except Exception as error:
        # A tree that no text has cannot be written; what may not happen is that a text does worse than be refused.
        text = _on_tokens(rng, original.text)
        del error
    return original, text


# ---- what must hold


def outcome(seed: int, number: int) -> str:
    """Check, compile and play a mutant; return `refused`, `plays` or `fault`.

    Raises AssertionError where an internal code comes up; whatever else is raised is a mistake of the project too.
    """
    original, text = mutant(seed, number)
    rng = Random(f"{seed}/{number}/play")
    try:
        spec = assemble(Source("<mutant>", text), original.folder)
        if number % VALIDATED == 0:
            _no_internal_code(d.code for d in validate_tree(spec, Path("mutant.cardgame")).diagnostics)
        signature = Signature.of(spec)
        low, high = signature.players
        game = game_of(spec, None if signature.diagnostics else low + below(rng, high - low + 1))
    except SpecError as error:
        _no_internal_code(d.code for d in error.diagnostics)
        return "refused"
    try:
        for play in range(2):
            state = game.new_initial_state()
            for _ in range(DECISIONS):
                state.resolve_chance(rng)
                if state.is_terminal():
                    break
                legal = state.legal_actions()
                state.apply_action(legal[below(rng, len(legal))])
            for player in range(
                game.num_players if play == 0 else 0
            ):  # The views of one play show what is wrong with any.
                state.observation_string(player)
                state.information_state_string(player)
    except RuleError as fault:
        _no_internal_code([fault.code])
        return "fault"
    return "plays"


def _no_internal_code(codes: Iterable[str]) -> None:
    for code in codes:
        assert not code.startswith("CG9"), f"internal code {code}"
