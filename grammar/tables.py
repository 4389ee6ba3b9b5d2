"""Build the parsers from their grammars, and keep the tables so that the next start is quick.

A parser's tables depend on nothing but the text of its grammar and the version of lark.  They are stored
as JSON by `grammar.store`, with a digest of both; a file that is missing, damaged, stale or not the user's
own is ignored and written anew, and where nothing can be written the tables are built each time.  JSON, not
pickle: reading it can at worst fail.
"""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from grammar import store
from grammar.layout import Layout

FORMAT = 1
KEPT = 8
"""How many tables are kept: those of both languages, for a few versions of the program."""

_SHIFT = 0


def grammar_text(name: str) -> str:
    """Return the whole grammar of a language: its own rules before those that all share."""
    folder = resources.files("grammar")
    parts = (folder.joinpath(f"{part}.lark").read_text(encoding="utf-8") for part in (name, "expressions"))
    return "\n".join(parts)


@cache
def parser(name: str) -> Lark:
    """Return the parser of a language (`cardgame`, `scenario`), from stored tables if there are any."""
    text = grammar_text(name)
    kept = _name(name, text)
    stored = _read(kept)
    if stored is not None:
        with suppress(Exception):  # if anything is wrong with a stored file, the grammar itself is at hand
            return _load(stored)
    built = build(text)
    _write(kept, built)
    return built


def build(text: str, *, strict: bool = False) -> Lark:
    """Build a parser from a grammar.

    With `strict`, any conflict of rules or terminals raises lark's GrammarError; the tests build it so (it
    needs `interegular`, which only the `dev` extra brings).
    """
    return Lark(text, parser="lalr", lexer="basic", strict=strict, **_options())


def _options() -> dict[str, Any]:
    return {"postlex": Layout()}


def _name(name: str, text: str) -> str:
    """Return the name under which the tables of a grammar are kept."""
    version = f"{FORMAT} {lark.__version__} {sys.version_info[:2]}"
    digest = hashlib.sha256(f"{version}\n{text}".encode()).hexdigest()[:32]
    return f"{name}-{digest}.json"


def _read(name: str) -> dict[str, Any] | None:
    data = store.read(name)
    try:
        found = None if data is None else json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _write(name: str, built: Lark) -> None:
    store.write(name, json.dumps(_dump(built), separators=(",", ":")).encode(), KEPT)


def _dump(built: Lark) -> dict[str, Any]:
    data, memo = built.memo_serialize([TerminalDef, Rule])
    data["options"] = {k: v for k, v in data["options"].items() if k != "postlex"}
    data["parser"]["parser"] = _in_order(data["parser"]["parser"])
    return {"data": data, "memo": memo}


def _in_order(table: dict[str, Any]) -> dict[str, Any]:
    """Number tokens by name and states by the way to them: lark's own numbers differ from run to run."""
    names = table["tokens"]
    tokens = sorted(names.values())
    number = {name: n for n, name in enumerate(tokens)}
    rows = {
        state: sorted((number[names[token]], *action) for token, action in row.items())
        for state, row in table["states"].items()
    }
    order = list(table["start_states"].values())
    known = set(order)
    for state in order:
        for _, kind, goal in rows[state]:
            if kind == _SHIFT and goal not in known:
                known.add(goal)
                order.append(goal)
    number = {state: n for n, state in enumerate(order)}
    return {
        "tokens": dict(enumerate(tokens)),
        "states": {
            number[state]: {t: [kind, number[arg] if kind == _SHIFT else arg] for t, kind, arg in rows[state]}
            for state in order
        },
        "start_states": {name: number[state] for name, state in table["start_states"].items()},
        "end_states": {name: number[state] for name, state in table["end_states"].items()},
    }


def _load(stored: dict[str, Any]) -> Lark:
    """Make a parser of stored tables; JSON has turned the numbers of states into texts."""
    table = stored["data"]["parser"]["parser"]
    table["states"] = {int(s): {int(t): a for t, a in row.items()} for s, row in table["states"].items()}
    table["tokens"] = {int(k): v for k, v in table["tokens"].items()}
    stored["memo"] = {int(k): v for k, v in stored["memo"].items()}
    loaded: Lark = Lark._load_from_dict(**stored, **_options())  # type: ignore[no-untyped-call]
    return loaded
