"""Turn the parse tree of a whole spec into the syntax tree: the declarations, and the file itself.

See `grammar.transform_expressions` for how these methods are called.
"""

# The rule that a method is named after is its documentation, and gives it its arguments.
# ruff: noqa: D102, ARG002

from __future__ import annotations

from typing import Any

from lark import Token
from lark.tree import Meta

from grammar import VERSION, ast, expressions
from grammar.diagnostics import Cure, Edit, write
from grammar.source import Span
from grammar.statements import Case, Let
from grammar.suggest import suggestion
from grammar.transform_expressions import ExpressionTransformer
from grammar.transform_statements import StatementTransformer, Tags, first_tagged, flat, tagged


def text_of(token: Token | None) -> str | None:
    """Return what stands between the quotes of a text, or None where there is none."""
    return None if token is None else token[1:-1]


def present(children: list[Any]) -> list[Any]:
    """Return the children that are there."""
    return [c for c in children if c is not None]


class TypeTransformer(ExpressionTransformer):
    """One method a rule or alias of the types in `cardgame.lark`."""

    def params(self, meta: Meta, c: list[Any]) -> tuple[expressions.Param, ...]:
        return tuple(c)

    def param(self, meta: Meta, c: list[Any]) -> expressions.Param:
        return expressions.Param(str(c[0]), c[1], span=self.span(meta))

    def optional_type(self, meta: Meta, c: list[Any]) -> expressions.OptionalType:
        return expressions.OptionalType(c[0], span=self.span(meta))

    def named_type(self, meta: Meta, c: list[Any]) -> expressions.NamedType:
        return expressions.NamedType(str(c[0]), span=self.span(meta))

    def range_type(self, meta: Meta, c: list[Any]) -> expressions.RangeType:
        return expressions.RangeType(c[0], c[1], span=self.span(meta))

    def negative_bound(self, meta: Meta, c: list[Any]) -> expressions.Negative:
        number = expressions.Number(self.integer(c[0]), span=self.span_of(c[0]))
        return expressions.Negative(number, span=self.span(meta))


class SpecTransformer(TypeTransformer, StatementTransformer):
    """One method a rule or alias of the declarations in `cardgame.lark`."""

    def start(self, meta: Meta, c: list[Any]) -> ast.Spec:
        (version, tags), *items = c
        return ast.Spec(version, tuple(items), tags=tags, span=self.span(meta))

    def version(self, meta: Meta, c: list[Any]) -> tuple[int, Tags]:
        self.check_version(c[0], VERSION, "cardgame")
        return self.integer(c[0]), c[1]

    # ---- other files, and what a variant changes

    def use(self, meta: Meta, c: list[Any]) -> ast.Use:
        return ast.Use(c[0][1:-1], tags=c[1], span=self.span(meta))

    def extends(self, meta: Meta, c: list[Any]) -> ast.Extends:
        return ast.Extends(c[0][1:-1], tags=c[1], span=self.span(meta))

    def replace(self, meta: Meta, c: list[Any]) -> ast.Replace:
        return ast.Replace(c[0], span=self.span(meta))

    def add(self, meta: Meta, c: list[Any]) -> ast.Add:
        return ast.Add(c[0], span=self.span(meta))

    def remove(self, meta: Meta, c: list[Any]) -> ast.Remove:
        return ast.Remove(c[0], str(c[1]), tags=c[2], span=self.span(meta))

    def remove_case(self, meta: Meta, c: list[Any]) -> ast.RemoveCase:
        patterns, owner, name, tags = c
        return ast.RemoveCase(patterns, owner, str(name), tags=tags, span=self.span(meta))

    def remove_action(self, meta: Meta, c: list[Any]) -> ast.RemoveAction:
        word, verb, name, tags = c
        self.check_action(word)
        return ast.RemoveAction(verb, str(name), tags=tags, span=self.span(meta))

    def remove_line(self, meta: Meta, c: list[Any]) -> ast.RemoveLine:
        return ast.RemoveLine(c[0], str(c[1]), tags=c[2], span=self.span(meta))

    def sort(self, meta: Meta, c: list[Any]) -> str:
        return str(c[0])

    def owner(self, meta: Meta, c: list[Any]) -> str:
        return str(c[0])

    def check_action(self, word: Token) -> None:
        """Report a word that is not `action`, where only an action can be changed."""
        if word != "action":
            self.report("CG123", f"`{word}` is no part of a phase", self.span_of(word),
                        "write `action`, or `case` and what it is for")  # fmt: skip

    def case_in_phase(self, meta: Meta, c: list[Any]) -> ast.CasePart:
        patterns, name, (tags, statements) = c
        case = Case(patterns, statements, tags=tags, span=self.span(meta))
        return ast.CasePart(case, str(name), span=case.span)

    def case_in_define(self, meta: Meta, c: list[Any]) -> ast.CasePart:
        patterns, name, value, tags = c
        case = ast.ValueCase(patterns, value, tags=tags, span=self.span(meta))
        return ast.CasePart(case, str(name), span=case.span)

    def otherwise_in_phase(self, meta: Meta, c: list[Any]) -> ast.CasePart:
        name, body = c
        case = Case((), first_tagged(body), span=self.span(meta))
        return ast.CasePart(case, str(name), span=case.span)

    def otherwise_in_define(self, meta: Meta, c: list[Any]) -> ast.CasePart:
        return self.case_in_define(meta, [(), *c])

    def action_in_phase(self, meta: Meta, c: list[Any]) -> ast.ActionPart:
        word, name, tags, action = c
        self.check_action(word)
        return ast.ActionPart(tagged(action, tags), str(name), span=self.span(meta))

    def last_action_in_phase(self, meta: Meta, c: list[Any]) -> ast.ActionPart:
        return expressions.evolved(self.action_in_phase(meta, c), last=True)

    def line_in_deck(self, meta: Meta, c: list[Any]) -> ast.LinePart:
        *line, name, tags = c
        return ast.LinePart(self.deck_line(meta, [*line, tags]), str(name), span=self.span(meta))

    def set_option(self, meta: Meta, c: list[Any]) -> ast.SetOption:
        return ast.SetOption(str(c[0]), c[1], tags=c[2], span=self.span(meta))

    # ---- the game and its options

    def game(self, meta: Meta, c: list[Any]) -> ast.GameDecl:
        name, tags, *lines = c
        facts = flat(present(lines))
        return ast.GameDecl(name[1:-1], facts, tags=tags, span=self.span(meta))  # type: ignore[arg-type]

    def fact_line(self, meta: Meta, c: list[Any]) -> tuple[ast.Fact, ...]:
        *facts, tags = c
        return tuple(tagged(f, tags) for f in facts)

    def fact(self, meta: Meta, c: list[Any]) -> ast.Fact:
        if c[0] == "decisions":
            place = self.span(meta)
            most = c[1] if len(c) > 1 and isinstance(c[1], int) else 2000
            cure = write(place, f"at most {most} decisions")
            self.report("CG122", "this limit is written in another way", place, cure)
        return ast.Fact(str(c[0]), tuple(c[1:]), span=self.span(meta))

    def fact_at_most(self, meta: Meta, c: list[Any]) -> ast.Fact:
        name = c[2]
        if name != "decisions":
            cure = Cure(f"write `at most {c[1]} decisions`", (Edit(self.span_of(name), "decisions"),))
            self.report("CG122", f"`{name}` is not limited here", self.span_of(name), cure)
        return ast.Fact("decisions", (self.integer(c[1]),), span=self.span(meta))

    def fact_value(self, meta: Meta, c: list[Any]) -> int | str | tuple[int, int]:
        if c[0].type == "STRING":
            text: str = c[0][1:-1]
            return text
        numbers = [self.integer(t) for t in c]
        return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])

    def option(self, meta: Meta, c: list[Any]) -> ast.OptionDecl:
        name, kind, default, text, tags = c
        choices = kind if isinstance(kind, tuple) else ()
        type_ = None if choices else kind
        if isinstance(type_, expressions.NamedType) and type_.name == "boolean":
            colon = Span(self.source, self.span_of(name).end, type_.span.end)
            cure = Cure(f"write `option {name} = true` or `option {name} = false`", (Edit(colon, ""),))
            self.report("CG124", "an option that is true or false needs no type", type_.span, cure)
        return ast.OptionDecl(str(name), default, choices, type_, text_of(text), tags=tags, span=self.span(meta))

    def truth_option(self, meta: Meta, c: list[Any]) -> ast.OptionDecl:
        name, default, text, tags = c
        type_ = expressions.NamedType("boolean", span=default.span)
        return ast.OptionDecl(str(name), default, (), type_, text_of(text), tags=tags, span=self.span(meta))

    def choices(self, meta: Meta, c: list[Any]) -> tuple[str, ...]:
        return tuple(str(t) for t in c)

    # ---- cards

    def enum(self, meta: Meta, c: list[Any]) -> ast.EnumDecl:
        name, *values, tags = c
        return ast.EnumDecl(str(name), tuple(values), tags=tags, span=self.span(meta))

    def enum_value(self, meta: Meta, c: list[Any]) -> ast.EnumValue:
        return ast.EnumValue(str(c[0]), text_of(c[1]), span=self.span(meta))

    def enum_table(self, meta: Meta, c: list[Any]) -> ast.EnumDecl:
        name, params, tags, *rows = c
        return ast.EnumDecl(str(name), tuple(rows), params, tags=tags, span=self.span(meta))

    def enum_row(self, meta: Meta, c: list[Any]) -> ast.EnumValue:
        name, *attributes, tags = c
        # No attribute is a text, so a text at the beginning of a row is the short form of its value.
        text = attributes.pop(0).value if attributes and isinstance(attributes[0], expressions.String) else None
        return ast.EnumValue(str(name), text, tuple(attributes), tags=tags, span=self.span(meta))

    def card(self, meta: Meta, c: list[Any]) -> ast.CardDecl:
        name, params, written, named, tags = c
        return ast.CardDecl(str(name), params or (), text_of(written), named or (), tags=tags, span=self.span(meta))

    def named(self, meta: Meta, c: list[Any]) -> tuple[str, ...]:
        return tuple(t[1:-1] for t in c)

    def deck(self, meta: Meta, c: list[Any]) -> ast.DeckDecl:
        zone, index, tags, *lines = c
        return ast.DeckDecl(str(zone), tuple(lines), index, tags=tags, span=self.span(meta))

    def deck_line(self, meta: Meta, c: list[Any]) -> ast.DeckLine:
        count, each, cards, where, tags = c
        return ast.DeckLine(count, cards, each is not None, where, tags=tags, span=self.span(meta))

    # ---- places and variables

    def zones(self, meta: Meta, c: list[Any]) -> ast.ZonesDecl:
        return ast.ZonesDecl(tuple(c[1:]), tags=c[0], span=self.span(meta))

    def zone(self, meta: Meta, c: list[Any]) -> ast.ZoneDecl:
        families, kind, at_most, _, who, tags = c
        return ast.ZoneDecl(families, str(kind), who, at_most, tags=tags, span=self.span(meta))

    def at_most(self, meta: Meta, c: list[Any]) -> expressions.Expr:
        limit: expressions.Expr = c[-1]
        return limit

    def who_if(self, meta: Meta, c: list[Any]) -> ast.ViewerIf:
        return ast.ViewerIf(c[0], c[1], c[2], span=self.span(meta))

    def everybody(self, meta: Meta, c: list[Any]) -> ast.Viewer:
        return ast.Viewer("all", span=self.span(meta))

    def all_but(self, meta: Meta, c: list[Any]) -> ast.Viewer:
        if c[0] != "owner":
            cure = Cure("write `all but owner`", (Edit(self.span_of(c[0]), "owner"),))
            self.report("CG121", f"`{c[0]}` cannot be left out here", self.span_of(c[0]), cure)
        return ast.Viewer("all but owner", span=self.span(meta))

    def somebody(self, meta: Meta, c: list[Any]) -> ast.Viewer:
        who: Any = str(c[0])
        if who not in ("owner", "nobody"):
            cure = suggestion(who, ("owner", "nobody", "all"), self.span(meta))
            self.report("CG121", f"`{who}` does not say who sees it", self.span(meta),
                        cure or "write `all`, `nobody`, `owner` or `all but owner`")  # fmt: skip
        return ast.Viewer(who, span=self.span(meta))

    def state(self, meta: Meta, c: list[Any]) -> ast.StateDecl:
        return ast.StateDecl(tuple(c[1:]), tags=c[0], span=self.span(meta))

    def variable(self, meta: Meta, c: list[Any]) -> ast.VarDecl:
        families, type_, initial, _, who, tags = c
        return ast.VarDecl(families, type_, initial, who, tags=tags, span=self.span(meta))

    def families(self, meta: Meta, c: list[Any]) -> tuple[ast.Family, ...]:
        return tuple(c)

    def family(self, meta: Meta, c: list[Any]) -> ast.Family:
        return ast.Family(str(c[0]), tuple(present(c[1:])), span=self.span(meta))

    # ---- rules

    def play(self, meta: Meta, c: list[Any]) -> ast.PlayDecl:
        tags, block = c[0]
        return ast.PlayDecl(block, tags=tags, span=self.span(meta))

    def phase(self, meta: Meta, c: list[Any]) -> ast.PhaseDecl:
        name, params, (tags, block) = c
        return ast.PhaseDecl(str(name), block, params or (), tags=tags, span=self.span(meta))

    def block(self, meta: Meta, c: list[Any]) -> tuple[Tags, ast.Block]:
        tags, state, *statements = c
        variables: tuple[ast.VarDecl, ...] = ()
        if state is not None:
            first, *rest = state.variables
            variables = (tagged(first, state.tags), *rest)
        return tags, ast.Block(flat(statements), variables, span=self.span(meta))

    def define(self, meta: Meta, c: list[Any]) -> ast.DefineDecl:
        name, params, _, type_, value, tags = c
        return ast.DefineDecl(str(name), value, params or (), type_, tags=tags, span=self.span(meta))

    def define_block(self, meta: Meta, c: list[Any]) -> ast.DefineDecl:
        name, params, _, type_, tags, *lets, (value, more) = c
        return ast.DefineDecl(
            str(name), value, params or (), type_, tuple(lets), tags=tags + more, span=self.span(meta)
        )

    def let_line(self, meta: Meta, c: list[Any]) -> Let:
        return Let(str(c[0]), c[1], tags=c[2], span=self.span(meta))

    def value_chain(self, meta: Meta, c: list[Any]) -> tuple[expressions.Expr, Tags]:
        if len(c) == 1 and c[0].condition is None:
            return c[0].value, c[0].tags
        return expressions.Chain(tuple(c), span=self.span(meta)), ()

    def value_link(self, meta: Meta, c: list[Any]) -> expressions.Alternative:
        link: expressions.Alternative = tagged(self.alternative(c[0]), c[1])
        return link

    def match_value(self, meta: Meta, c: list[Any]) -> tuple[ast.MatchValue, Tags]:
        subject, tags, *cases = c
        return ast.MatchValue(subject, tuple(present(cases)), span=self.span(meta), tags=tags), ()

    def value_case(self, meta: Meta, c: list[Any]) -> ast.ValueCase:
        return ast.ValueCase(c[0], c[1], tags=c[2], span=self.span(meta))

    def value_otherwise(self, meta: Meta, c: list[Any]) -> ast.ValueCase:
        return ast.ValueCase((), c[0], tags=c[1], span=self.span(meta))

    def result(self, meta: Meta, c: list[Any]) -> ast.ResultDecl:
        return ast.ResultDecl(tuple(c[1:]), tags=c[0], span=self.span(meta))

    def result_line(self, meta: Meta, c: list[Any]) -> ast.ResultLine:
        what, player, value, tags = c
        who = None if player is None else str(player)
        return ast.ResultLine(str(what), value, who, tags=tags, span=self.span(meta))

    def whenever(self, meta: Meta, c: list[Any]) -> ast.WheneverDecl:
        what, (tags, statements) = c
        place = self.span(meta)
        if isinstance(what, expressions.Selection):
            return ast.WheneverDecl(statements, what, tags=tags, span=place)
        return ast.WheneverDecl(statements, condition=what, tags=tags, span=place)

    def invariant(self, meta: Meta, c: list[Any]) -> ast.InvariantDecl:
        return ast.InvariantDecl(c[1], text_of(c[0]), tags=c[2], span=self.span(meta))

    def invariant_block(self, meta: Meta, c: list[Any]) -> ast.InvariantDecl:
        return ast.InvariantDecl(c[2], text_of(c[0]), tags=c[1] + c[3], span=self.span(meta))
