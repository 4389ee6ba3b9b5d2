"""Count the classics beside the same games in RECYCLE: `python -m tests.docs.lengths`.

RECYCLE, the language of the CardStock system (https://github.com/mgoadric/cardstock), is the only other language in
which somebody has described these five games.  Its specs are counted without comments; the numbers below are counts,
nothing of them is copied.  One measure is the same for an s-expression and for a sentence: **tokens**, which are
names, numbers, texts, and signs (each bracket, comma and operator one).  Names, numbers and texts alone, words between
white space, and characters with every white space as one are given beside them.

A spec is counted **whole**, with all its options and with the libraries that no other game uses, and **for equal
rules**: settled, as `cardgame rules --option` settles it, to the number of players and the rules of the other
description, with all that it uses of libraries, and without what nothing uses any more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import Node, evolved, field_names, walk
from grammar.source import Source, read_source
from grammar.unparse import unparse
from interpreter.loader import assemble, bundled_games, check, find_spec
from interpreter.rulebook.settle import Settled, settle
from tests.docs.words import bare, libraries

_TOKEN = re.compile(r"\"[^\"]*\"|'?[A-Za-z_]\w*|\d+|==|!=|<=|>=|\.\.|\+=|-=|->|[^\s\w]")


@attrs.frozen
class Length:
    """How long a text is, by four measures."""

    tokens: int
    names: int
    words: int
    characters: int


@attrs.frozen
class Counterpart:
    """The other description: its file there, its length, and the setting of ours that has its rules and no fewer."""

    file: str
    length: Length
    players: int
    options: Mapping[str, str | int | bool] = attrs.field(factory=dict)


COUNTERPARTS = {
    "classics/kuhn_poker": Counterpart("KuhnPoker2.rcy", Length(467, 203, 234, 1323), 2),
    "classics/leduc_poker": Counterpart(
        "LeducPoker2.gdl",
        Length(608, 272, 306, 1712),
        2,
        {"starting_player": 1, "suit_isomorphism": False, "action_mapping": False},
    ),
    "classics/hearts": Counterpart(
        "Hearts4.gdl",
        Length(1130, 485, 517, 3161),
        4,
        {
            "limit": 1,
            "pass_cards": False,
            "draw_direction": False,
            "can_lead_any_club": False,
            "no_pts_on_first_trick": False,
            "must_break_hearts": True,
            "qs_breaks_hearts": False,
            "can_lead_hearts_instead_of_qs": False,
            "jd_bonus": False,
            "avoid_all_tricks_bonus": False,
        },
    ),
    "classics/go_fish": Counterpart(
        "GoFish2.rcy",
        Length(661, 285, 308, 1915),
        2,
        {
            "ranks": 13,
            "copies": 4,
            "hand_size": 5,
            "end_on_first_out": False,
            "most_books_wins": True,
            "ask_after_empty_draw": True,
            "replace_books": False,
        },
    ),
    "classics/love_letter": Counterpart("LoveLetter4.rcy", Length(2121, 890, 1004, 6330), 4, {"tokens_to_win": 1}),
}
"""By the name of ours; where there are several versions of a file, the shortest that is complete."""


@attrs.frozen
class Count:
    """A game beside its counterpart: whole, with the libraries that are its own, and settled to equal rules."""

    game: str
    other: Counterpart
    whole: Length
    equal: Length


def classics() -> list[Count]:
    """Return the count of each classic, in the order of the table above."""
    return [Count(game, other, whole(game), length(for_equal_rules(game))) for game, other in COUNTERPARTS.items()]


def whole(game: str) -> Length:
    """Return the length of a spec as it stands, with the libraries that no other game uses."""
    path = find_spec(game)
    others = set[Path]().union(*(libraries(find_spec(other)) for other in bundled_games() if other != game))
    files = [path, *sorted(libraries(path) - others)]
    return length("\n".join(bare(file.read_text(encoding="utf-8")) for file in files))


def length(text: str) -> Length:
    """Return how long a text without comments and tags is."""
    tokens = _TOKEN.findall(text)
    names = sum(re.match(r"['\"\w]", token) is not None for token in tokens)
    return Length(len(tokens), names, len(text.split()), len(" ".join(text.split())))


def for_equal_rules(game: str) -> str:
    """Return a spec settled to the rules of its counterpart, without tags and without what nothing uses any more."""
    other = COUNTERPARTS[game]
    path = find_spec(game)
    spec = _settled(assemble(read_source(path), path.parent), Settled(other.players, other.options))
    while True:
        smaller = _without_constants(_without_unused(spec))
        if smaller == spec:
            return bare(unparse(spec))
        spec = _settled(assemble(Source("<text>", unparse(smaller)), None), Settled(other.players))


def _settled(spec: ast.Spec, settled: Settled) -> ast.Spec:
    return settle(spec, settled, check(spec, settled.players, dict(settled.options)).info.copy())


def _without_constants(spec: ast.Spec) -> ast.Spec:
    """Return a spec with what options have made plain: a definition that is but a number, a case like all others."""
    values = {
        item.name: item.value
        for item in spec.items
        if isinstance(item, ast.DefineDecl) and isinstance(item.value, ex.Bool | ex.Number)
    }

    def put_in(node: Any) -> Any:
        if isinstance(node, ast.MatchValue) and not node.cases[-1].patterns:
            *cases, otherwise = node.cases
            return evolved(node, cases=(*(c for c in cases if c.value != otherwise.value), otherwise))
        return values[node.name] if isinstance(node, ex.Name | ex.Call) and node.name in values else node

    made: ast.Spec = _mapped(spec, put_in)
    return made


def _without_unused(spec: ast.Spec) -> ast.Spec:
    """Return a spec without what nothing uses: options, libraries that were put in, and what only stands there."""
    used: set[str] = set()
    for node in (node for item in spec.items for node in walk(item)):
        match node:
            case ex.Name(name=name) | ex.Call(name=name) | ex.NamedType(name=name) | ex.KindPattern(name=name):
                used.add(name)
            case st.Do(call=call):
                used.add(call.name)
    assigned = {_target(node) for item in spec.items for node in walk(item) if isinstance(node, st.Assign)}
    set_only = assigned - {name for item in spec.items for name in _read(item)}
    kept: list[ast.Item] = []
    for item in spec.items:
        match item:
            case ast.OptionDecl() | ast.Use():
                continue
            case ast.DefineDecl(name=name) | ast.PhaseDecl(name=name) if name not in used:
                continue
            case ast.EnumDecl(name=name, values=values) if not {name, *(v.name for v in values)} & used:
                continue
            case ast.StateDecl(variables=variables):
                left = tuple(v for v in variables if any(f.name in used - set_only for f in v.families))
                if left:
                    kept.append(evolved(item, variables=left))
            case _:
                kept.append(item)

    def dropped(node: Any) -> Any:
        return None if isinstance(node, st.Assign) and _target(node) in set_only else node

    made: ast.Spec = _mapped(evolved(spec, items=tuple(kept)), dropped)
    return made


def _target(stmt: st.Assign) -> str:
    base = stmt.target.base if isinstance(stmt.target, ex.Index) else stmt.target
    return base.name if isinstance(base, ex.Name) else ""


def _read(node: object) -> list[str]:
    """Return the names that a part reads; a variable that is set from itself alone is not read."""
    if isinstance(node, st.Assign):
        own = _target(node)
        inner = [*_read(node.value), *(_read(node.target.indices) if isinstance(node.target, ex.Index) else ())]
        return [name for name in inner if name != own]
    if isinstance(node, tuple):
        return [name for part in node for name in _read(part)]
    if isinstance(node, Node):
        own_name = [node.name] if isinstance(node, ex.Name) else []
        return [*own_name, *(name for field in field_names(type(node)) for name in _read(getattr(node, field)))]
    return []


def _mapped(node: Any, change: Any) -> Any:
    """Return a tree with each part changed, from the inside; what becomes None is left out of its list."""
    if isinstance(node, tuple):
        return tuple(new for old, new in ((p, _mapped(p, change)) for p in node) if old is None or new is not None)
    if not isinstance(node, Node):
        return node
    fields = {name: getattr(node, name) for name in field_names(type(node))}
    return change(evolved(node, **{n: _mapped(v, change) if v is not None else None for n, v in fields.items()}))


def table(counts: list[Count]) -> str:
    """Return the table of `docs/benchmarks.md`."""
    rows = [
        "| | in RECYCLE | whole | for equal rules | names | words | characters |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for count in counts:
        theirs, equal = count.other.length, count.equal
        rows.append(
            f"| {count.game} | {theirs.tokens} | {_beside(count.whole.tokens, theirs.tokens)} "
            f"| {_beside(equal.tokens, theirs.tokens)} | {_beside(equal.names, theirs.names)} "
            f"| {_beside(equal.words, theirs.words)} | {_beside(equal.characters, theirs.characters)} |"
        )
    return "\n".join(rows)


def _beside(ours: int, theirs: int) -> str:
    return f"{ours} ({ours / theirs:.0%})"


if __name__ == "__main__":
    print(table(classics()))
