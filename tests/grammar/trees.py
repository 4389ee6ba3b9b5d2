"""Random syntax trees, of the shapes that the parser makes."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from grammar import ast
from grammar import expressions as e
from grammar import statements as s
from grammar.source import Source, Span

HERE = Span(Source("<made>", ""), 0, 0)

names = st.sampled_from(["a", "b", "hand", "score", "p", "taken", "first_player", "Suit", "owner", "down"])
texts = st.text("abc {}'[]#\\é", max_size=8)
tags = st.lists(st.sampled_from(["R1", "R9-R11", "A3", "E2a"]), max_size=2).map(tuple)


def build(cls: type[Any], *fields: Any, **named: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for a node of which each field is a strategy."""
    return st.builds(lambda args, more: cls(*args, span=HERE, **more), st.tuples(*fields), st.fixed_dictionaries(named))


def some(item: st.SearchStrategy[Any], least: int = 1, most: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(item, min_size=least, max_size=most).map(tuple)


def maybe(item: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | item


naturals = st.integers(0, 99)
numbers = build(e.Number, naturals)
name = build(e.Name, names)

# ---- patterns

_number_pattern = build(e.NumberPattern, st.integers(-5, 5), st.integers(-5, 5))
_pattern_arg = st.none() | name | build(e.Number, st.integers(-5, 5)) | _number_pattern
kinds = build(e.KindPattern, names, maybe(some(_pattern_arg)))
patterns = kinds | _number_pattern

# ---- expressions

_atoms = st.one_of(
    name,
    numbers,
    build(e.String, texts),
    build(e.Bool, st.booleans()),
    build(e.NoneValue),
    build(e.Each),
    build(e.Seat, st.integers(1, 9)),
    build(e.SeatByOption, name),
)


def _selection(x: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return build(e.Selection, names, x, maybe(x), maybe(x))


def _alternatives(x: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    guarded = build(e.Alternative, x, x)
    several = st.lists(guarded | build(e.Alternative, x), min_size=2, max_size=3).map(tuple)
    return several | guarded.map(lambda one: (one,))


def _larger(x: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    select = _selection(x)
    tests = patterns | st.sampled_from(["empty", "none"]) | build(e.Member, x)
    return st.one_of(
        build(e.TupleValue, some(x, 2, 3)),
        build(e.Attribute, x, names),
        build(e.Index, x, some(x)),
        build(e.Call, names, some(x)),
        build(e.Fold, names, x, select, maybe(x)),
        build(e.Over, names, select),
        build(e.Pick, st.sampled_from(["first", "last"]), select, maybe(x)),
        build(e.Extreme, st.sampled_from(["highest", "lowest"]), select, x, st.booleans()),
        build(e.All, select),
        build(e.Quantified, st.sampled_from(["some", "no"]), select),
        build(e.Every, select, x),
        build(e.Compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), x, x),
        build(e.Is, x, tests, st.booleans()),
        build(e.Not, x),
        build(e.Logic, st.sampled_from(["and", "or"]), x, x),
        build(e.Arithmetic, st.sampled_from(["+", "-", "*", "mod"]), x, x),
        build(e.Divide, x, x, st.sampled_from(["up", "down", "nearest"])),
        build(e.Negative, x),
        build(e.RangeValue, x, x),
        build(e.CardAt, st.sampled_from(["top", "bottom"]) | x, x),
        build(e.Chain, _alternatives(x)),
    )


expressions = st.recursive(_atoms, _larger, max_leaves=6)
targets = name | build(e.Index, name, some(expressions))
selections = _selection(expressions)
_ordered = selections | build(e.Selection, names, expressions, maybe(expressions), maybe(expressions), expressions)

# ---- types and arguments

_bounds = numbers | name | build(e.Negative, numbers) | build(e.Call, names, some(expressions)) | expressions
_simple_types = build(e.NamedType, names | st.sampled_from(["card", "cards", "player"])) | build(
    e.RangeType, _bounds, _bounds
)
types = _simple_types | build(e.OptionalType, _simple_types)
params = some(build(e.Param, names, types), 0, 2)
_quantities = st.one_of(
    build(e.Quantity),
    build(e.Quantity, low=expressions),
    build(e.Quantity, high=expressions),
    build(e.Quantity, expressions, expressions),
)
args = st.one_of(
    build(e.CardArg, names, expressions, maybe(expressions)),
    build(e.CardsArg, names, _quantities, expressions, maybe(expressions)),
    build(e.ValueArg, names, expressions, maybe(expressions)),
)

# ---- statements

_calls = build(e.Call, names, some(expressions, 0, 2))
_ends = st.sampled_from([None, "top", "bottom"]) | build(s.Place, expressions)
_faces = st.sampled_from([None, "up", "down"])
_steps = st.one_of(
    build(s.Let, names, expressions, tags=tags),
    build(s.LetVariable, names, some(types, 0, 2), types, maybe(expressions), tags=tags),
    build(s.Assign, targets, st.sampled_from(["=", "+=", "-="]), expressions, tags=tags),
    build(s.Do, _calls, tags=tags),
    build(s.Rotate, build(e.Index, name, some(expressions)), st.sampled_from(["left", "right"]), tags=tags),
    build(s.Move, expressions, expressions, _ends, _faces, maybe(expressions), tags=tags),
    build(s.Deal, expressions, expressions, expressions, st.booleans(), _ends, _faces, tags=tags),
    build(s.Shuffle, expressions, maybe(expressions), tags=tags),
    build(s.Swap, expressions, expressions, tags=tags),
    build(s.Random, args, tags=tags),
    build(s.Turn, expressions, st.sampled_from(["up", "down"]), tags=tags),
    build(s.Show, expressions, maybe(expressions), tags=tags),
    build(s.Say, texts, tags=tags),
    build(s.End, names | st.just("game"), tags=tags),
    build(s.Reopen, tags=tags),
    build(s.Nothing, tags=tags),
)


_verbs = names | st.sampled_from(["play", "match", "end", "repeat", "swap"])


def _actions(x: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return build(
        s.Action, _verbs, some(args, 0, 2), maybe(expressions), maybe(expressions), some(x, 0, 2), tags=tags
    )  # fmt: skip


def _blocks(x: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    body = some(x)
    action = _actions(x)
    case = build(s.Case, some(patterns), body, tags=tags)
    return st.one_of(
        build(s.If, expressions, body, some(x, 0, 2), tags=tags),
        build(s.Match, expressions, some(case), maybe(body), tags=tags),
        build(s.For, some(_ordered), body, tags=tags),
        build(s.While, expressions, body, tags=tags),
        build(s.Repeat, body, expressions, tags=tags),
        build(s.AtOnce, selections, body, tags=tags),
        build(s.InTurn, selections, body, tags=tags),
        build(s.Together, body, tags=tags),
        build(s.Choice, expressions, some(action), maybe(action), maybe(texts), st.booleans(), tags=tags),
    )


_quiet = st.recursive(_steps, _blocks, max_leaves=4)
statements = _quiet | _quiet.map(lambda statement: e.evolved(statement, openly=True))

# ---- declarations

_viewers = build(ast.Viewer, st.sampled_from(["all", "nobody", "owner", "all but owner"]))
_who = _viewers | build(ast.ViewerIf, expressions, _viewers, _viewers)
_families = some(build(ast.Family, names, some(types, 0, 2)))
_variables = build(ast.VarDecl, _families, types, maybe(expressions), maybe(_who), tags=tags)
_zones = build(ast.ZoneDecl, _families, names | st.just("cards"), _who, maybe(expressions), tags=tags)
_block = build(ast.Block, some(statements), some(_variables, 0, 2))
_facts = st.one_of(
    build(ast.Fact, st.just("decisions"), st.tuples(naturals), tags=tags),
    build(ast.Fact, names, some(naturals | texts | st.tuples(naturals, naturals), 0, 2), tags=tags),
)
_literals = st.one_of(build(e.Number, st.integers(-9, 9)), name, build(e.Bool, st.booleans()))
_tagged_chain = build(
    e.Chain,
    st.lists(build(e.Alternative, expressions, expressions, tags=tags), min_size=1, max_size=3).map(tuple),
)
_values = st.one_of(
    expressions,
    _tagged_chain,
    build(
        ast.MatchValue,
        expressions,
        st.tuples(
            some(build(ast.ValueCase, some(patterns), expressions, tags=tags)),
            some(build(ast.ValueCase, st.just(()), expressions, tags=tags), 0, 1),
        ).map(lambda pair: pair[0] + pair[1]),
        tags=tags,
    ),
)
_lines = build(ast.DeckLine, expressions, kinds, st.booleans(), maybe(expressions), tags=tags)
sections = st.one_of(
    build(ast.GameDecl, texts, some(_facts, 0, 3), tags=tags),
    build(ast.OptionDecl, names, expressions, some(names, 2, 3), text=maybe(texts), tags=tags),
    build(ast.OptionDecl, names, expressions, type=types, text=maybe(texts), tags=tags),
    build(ast.EnumDecl, names, some(build(ast.EnumValue, names, maybe(texts))), tags=tags),
    build(
        ast.EnumDecl,
        names,
        some(build(ast.EnumValue, names, maybe(texts), some(_literals, 0, 3), tags=tags)),
        some(build(e.Param, names, types)),
        tags=tags,
    ),
    build(ast.CardDecl, names, params, maybe(texts), some(texts, 0, 2), tags=tags),
    build(
        ast.DeckDecl,
        names,
        some(_lines),
        maybe(types),
        tags=tags,
    ),
    build(ast.ZonesDecl, some(_zones), tags=tags),
    build(ast.StateDecl, some(_variables), tags=tags),
    build(ast.PlayDecl, _block, tags=tags),
    build(ast.PhaseDecl, names, _block, params, maybe(expressions), tags=tags),
    build(
        ast.DefineDecl,
        names,
        _values,
        params,
        maybe(types),
        some(build(s.Let, names, expressions, tags=tags), 0, 2),
        tags=tags,
    ),
    build(ast.ResultDecl, some(build(ast.ResultLine, names, expressions, maybe(names), tags=tags)), tags=tags),
    build(ast.InvariantDecl, expressions, maybe(texts), tags=tags),
    build(ast.WheneverDecl, some(statements), some(selections), tags=tags),
    build(ast.WheneverDecl, some(statements), condition=expressions, tags=tags),
)
_cases = st.one_of(
    build(s.Case, some(patterns, 0, 2), some(statements), tags=tags),
    build(ast.ValueCase, some(patterns, 0, 2), expressions, tags=tags),
)
_rows = build(ast.EnumValue, names, st.none(), some(numbers, 0, 2), tags=tags)
_parts = st.one_of(
    build(ast.NewPart, _cases | _lines | _rows),
    build(ast.NewPart, _actions(statements), st.booleans()),
)
_clauses = build(ast.Clause, st.sampled_from(["such that", "only if", "where"]), expressions)
_tagged = build(ast.Tagged, st.sampled_from(["R1", "E2a"]))
_heads = st.one_of(
    build(s.If, expressions, st.just(())),
    build(s.For, some(_ordered), st.just(())),
    build(s.Match, expressions, st.just(())),
    build(s.Choice, expressions, st.just(()), st.none(), maybe(texts), st.booleans()),
)
_named = st.one_of(
    build(ast.NamedAction, _verbs), build(ast.NamedCase, some(patterns)), build(ast.NamedCase, st.just(()))
)
_words = expressions | selections
_named_steps = build(ast.Step, st.sampled_from(["phase", "deck", "zone", "action"]), names)
_first_steps = _named_steps | build(ast.Step, st.just(""), names)
_later_steps = _named_steps | st.one_of(
    build(ast.Step, st.just("tag"), st.sampled_from(["R1", "E2a"])),
    build(ast.Step, st.just("case"), st.just(""), some(kinds)),
    build(ast.Step, st.sampled_from(["otherwise", "play", "result"]), st.just("")),
)
_paths = st.tuples(_first_steps, some(_later_steps, 0, 2)).map(lambda path: (path[0], *path[1]))
_edits = st.one_of(
    build(ast.ReplaceOld, _words | _tagged | _heads, some(_words, 1, 1) | some(_heads, 1, 1), st.booleans()),
    build(ast.ReplaceOld, _words | _tagged | _heads, some(statements.filter(lambda stmt: not isinstance(stmt, s.Do)))),
    build(ast.RemoveOld, _words | _tagged | _heads | _named | _clauses, tags=tags),
    build(ast.Insert, st.sampled_from(["before", "after"]), _words | _tagged | _heads, some(statements)),
    build(ast.Insert, st.sampled_from(["before", "after"]), _named, some(_parts)),
    build(ast.PutPart, _parts, st.booleans()),
    build(ast.PutPart, _clauses, st.just(True), tags=tags),
    build(ast.PutState, build(ast.StateDecl, some(_variables), tags=tags), st.booleans()),
)
_items = st.one_of(
    sections,
    build(ast.Use, texts, tags=tags),
    build(ast.Extends, texts, tags=tags),
    build(ast.Replace, sections),
    build(ast.Add, sections),
    build(ast.Remove, st.sampled_from(["phase", "define", "option", "enum", "card"]), names, tags=tags),
    build(ast.SetOption, names, expressions, tags=tags),
    build(ast.InPlace, _paths, some(_edits, 1, 3)),
)
specs = build(ast.Spec, st.just(1), some(_items, 0, 3), tags=tags)
