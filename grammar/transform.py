"""Turn lark's parse tree into the syntax tree.

What a rule makes is declared at the class of its node (`grammar.forms`).  Only a rule that makes something else, or
that can refuse what the grammar cannot, has a method of its name here; it gets the place of the rule and its
children, already turned.  Tags belong to the node of their line; a line that has none of its own (`else`) gives them
to the first statement beneath.
"""

# The rule that a method is named after is its documentation, and gives it its arguments.
# ruff: noqa: D102, ARG002

from __future__ import annotations

from collections.abc import Iterable
from functools import partialmethod
from itertools import takewhile
from typing import Any

import attrs
from lark import Token, Tree
from lark.tree import Meta

from grammar import VERSION, ast, expressions, statements
from grammar import scenario as scenes
from grammar.diagnostics import Cure, Diagnostic, Edit, write
from grammar.expressions import Alternative, Attribute, Call, Chain, Expr, Index, Name, Number, Selection, evolved
from grammar.forms import FORMS, Body, Fields, Form, Kept, Tags
from grammar.layout import MAX_NESTING
from grammar.source import Source, Span
from grammar.statements import Stmt
from grammar.suggest import suggestion

MAX_DIGITS = 9
SCENARIO_VERSION = 1


def _tagged(node: Any, tags: tuple[str, ...]) -> Any:
    """Return a node with tags before its own."""
    return evolved(node, tags=tags + node.tags) if tags else node


def _flat(items: Iterable[Any]) -> tuple[Any, ...]:
    """Return what is there of children in order; one line may have made several nodes."""
    return tuple(x for made in items if made is not None for x in (made if made.__class__ is tuple else (made,)))


def _first_tagged(body: Body) -> tuple[Stmt, ...]:
    """Return the statements of a body whose line has no node of its own."""
    return (_tagged(body.content[0], body.tags), *body.content[1:])


def _text_of(token: Token | None) -> str | None:
    """Return what is between the quotes of a text, or None where there is none."""
    return None if token is None else token[1:-1]


class Transformer:
    """Builds nodes whose places lie in `source`, and collects what it reports in `diagnostics`.

    These methods are for the rules of `expressions.lark`, which all languages share.
    """

    def __init__(self, source: Source, offset: int = 0) -> None:
        self.source = source
        self.offset = offset
        self.diagnostics: list[Diagnostic] = []

    def transform(self, tree: Tree[Token]) -> Any:
        """Return what a tree is turned into; it is walked without recursion, since it may be deep."""
        walk: list[Any] = [tree]
        order: list[Any] = []
        while walk:
            node = walk.pop()
            order.append(node)
            if node.__class__ is Tree:
                walk += node.children
        made: list[Any] = []
        for node in reversed(order):
            if node.__class__ is not Tree:
                made.append(node)
                continue
            size = len(node.children)
            children = made[len(made) - size :]
            del made[len(made) - size :]
            own = getattr(self, node.data, None)
            made.append(own(node.meta, children) if own else self.build(node.data, node.meta, children))
        (whole,) = made
        return whole

    def build(self, rule: str, meta: Meta, children: list[Any]) -> Any:
        """Return the node of a rule by its form."""
        form: Form = FORMS[rule]
        tags: tuple[str, ...] = ()
        rest = []
        for child in children:
            if child.__class__ is Tags:
                tags += child
            else:
                rest.append(child)
        reads = form.reads
        values = dict(form.constants)
        many = form.many
        if many >= 0:
            end = many + 1 + len(rest) - len(reads)
            rest[many:end] = [_flat(rest[many:end])]
        for slot, child in zip(reads, rest, strict=True):
            if child is None or isinstance(slot, Kept):
                continue
            kind = child.__class__
            if kind is Token:
                child = True if slot.word else self.word(child)
            elif kind is Body:
                tags += child.tags
                child = child.content
            elif kind is Fields:
                values.update(child)
                continue
            values[slot.name] = child
        return form.node(**values, tags=tags, span=self.span(meta))

    # ---- helpers

    def word(self, token: Token) -> str | int:
        """Return the value of a token: a number, a text without its quotes, a word."""
        if token.type == "NUMBER":
            return self.integer(token)
        return token[1:-1] if token.type == "STRING" else str(token)

    def span(self, meta: Meta) -> Span:
        """Return the stretch of text that a rule covers."""
        if meta.empty:
            return Span(self.source, 0, 0)
        return Span(self.source, meta.start_pos + self.offset, meta.end_pos + self.offset)

    def span_of(self, token: Token) -> Span:
        """Return the stretch of text that a token covers."""
        return Span(self.source, (token.start_pos or 0) + self.offset, (token.end_pos or 0) + self.offset)

    def report(self, code: str, message: str, span: Span, cure: str | Cure = "") -> None:
        """Record a mistake and go on."""
        self.diagnostics.append(Diagnostic(code, message, span, cure))

    def integer(self, token: Token) -> int:
        """Return the value of a number; one that is too long is reported and counts as 0."""
        if len(token) > MAX_DIGITS:
            self.report("CG116", "this number is too long", self.span_of(token), f"at most {MAX_DIGITS} digits")
            return 0
        return int(token)

    def alternative(self, link: Any) -> Alternative:
        """Return a link of a chain, which is an expression if there was no `if`."""
        return link if isinstance(link, Alternative) else Alternative(link, span=link.span)

    def called(self, expr: Name | Call) -> Call:
        """Return the call of a phase; without brackets it is a call of no arguments."""
        return expr if isinstance(expr, Call) else Call(expr.name, span=expr.span)

    def check_target(self, target: Expr) -> None:
        """Report what cannot be given a value."""
        if not isinstance(target, Name) and not (isinstance(target, Index) and isinstance(target.base, Name)):
            words = "write a name, or a name with its index, before the `=`"
            found = Diagnostic("CG120", "only a variable can be given a value", target.span, words)
            if isinstance(target, Attribute) and isinstance(target.base, Name):
                indexed = f"{target.name}[{target.base.name}]"
                named, alone = (write(target.span, text, words) for text in (indexed, target.name))
                found = attrs.evolve(found, cure=named, others=(alone,))
            self.diagnostics.append(found)

    def check_version(self, token: Token, known: int, word: str) -> None:
        """Report a version of the language that is not known."""
        if self.integer(token) != known:
            message = f"this is version {token} of the language, and only version {known} is known"
            cure = Cure(f"write `{word} {known}`", (Edit(self.span_of(token), str(known)),))
            self.report("CG113", message, self.span_of(token), cure)

    # ---- lists and words, which are no nodes

    def eol(self, meta: Meta, tags: list[Token]) -> Tags:
        return Tags(part.strip() for tag in tags for part in tag.strip()[1:-1].split(","))

    def patterns(self, meta: Meta, c: list[Any]) -> tuple[Any, ...]:
        return tuple(c)

    args = params = families = patterns

    def verb(self, meta: Meta, c: list[Token]) -> str:
        return str(c[0])

    sort = step_sort = single = own_verb = described = where_it_goes = verb

    def is_empty(self, meta: Meta, c: list[Any]) -> str:
        return "empty"

    def is_none(self, meta: Meta, c: list[Any]) -> str:
        return "none"

    def signed(self, meta: Meta, c: list[Any]) -> int:
        return self.integer(c[0])

    def minus_signed(self, meta: Meta, c: list[Any]) -> int:
        return -self.integer(c[0])

    # ---- expressions

    def chain(self, meta: Meta, links: list[Any]) -> Chain:
        return Chain(tuple(self.alternative(x) for x in links), span=self.span(meta))

    def or_and(self, meta: Meta, c: list[Any]) -> expressions.Logic:
        right = expressions.Logic("and", c[1], c[2], span=c[1].span.to(c[2].span))
        return expressions.Logic("or", c[0], right, span=self.span(meta))

    def divide(self, meta: Meta, c: list[Any]) -> expressions.Divide:
        _, *direction = c[2].split()
        if not direction:
            self.report("CG111", "this division has no rounding", self.span_of(c[2]), "write `rounded up`")
            direction = ["up"]
        return expressions.Divide(c[0], c[1], direction[0], span=self.span(meta))

    def seat_by_option(self, meta: Meta, c: list[Any]) -> expressions.SeatByOption:
        return expressions.SeatByOption(Name(str(c[0]), span=self.span_of(c[0])), span=self.span(meta))

    def kind_pattern(self, meta: Meta, c: list[Any]) -> expressions.KindPattern:
        args = tuple(None if isinstance(a, Name) and a.name == "_" else a for a in c[1:])
        return expressions.KindPattern(str(c[0]), args or None, span=self.span(meta))

    def number_pattern(self, meta: Meta, c: list[Any]) -> expressions.NumberPattern:
        return expressions.NumberPattern(c[0], c[-1], span=self.span(meta))

    def negative_number(self, meta: Meta, c: list[Any]) -> Number:
        return Number(-self.integer(c[0]), span=self.span(meta))

    def exactly(self, meta: Meta, c: list[Any]) -> expressions.Quantity:
        return expressions.Quantity(c[0], c[0], span=self.span(meta))


class SpecTransformer(Transformer):
    """The rules of `cardgame.lark`."""

    def start(self, meta: Meta, c: list[Any]) -> ast.Spec:
        (version, tags), *items = c
        return ast.Spec(version, tuple(items), tags=tags, span=self.span(meta))

    def version(self, meta: Meta, c: list[Any]) -> tuple[int, Tags]:
        self.check_version(c[0], VERSION, "cardgame")
        return self.integer(c[0]), c[1]

    # ---- what a variant changes

    def path(self, meta: Meta, c: list[Any]) -> tuple[ast.Step, ...]:
        steps: list[ast.Step] = []
        for step in c:
            if steps and steps[-1].sort == "case" and not step.sort:
                patterns = (*steps[-1].patterns, *step.patterns)
                steps[-1] = evolved(steps[-1], patterns=patterns, span=steps[-1].span.to(step.span))
            else:
                if not step.sort and (step.patterns[0] != expressions.KindPattern(step.name, span=step.span)):
                    self.report("CG123", f"`{step.span.text}` is the name of nothing", step.span,
                                f"write `case {step.span.text}` for a case")  # fmt: skip
                steps.append(step)
        return tuple(step if step.sort else evolved(step, patterns=()) for step in steps)

    def name_step(self, meta: Meta, c: list[Any]) -> ast.Step:
        name = c[0].name if isinstance(c[0], expressions.KindPattern) else ""
        return ast.Step("", name, (c[0],), span=self.span(meta))

    def part_step(self, meta: Meta, c: list[Any]) -> ast.Step:
        if isinstance(c[0], Token) and c[0] != "zone":
            self.report("CG123", f"`{c[0]}` is no part of a spec", self.span_of(c[0]),
                        "write `phase`, `define`, `deck`, `zone`, `action`, .. before a name")  # fmt: skip
            pattern = expressions.KindPattern(str(c[1]), span=self.span(meta))
            return ast.Step("", pattern.name, (pattern,), span=pattern.span)
        return ast.Step(str(c[0]), str(c[1]), span=self.span(meta))

    def in_place(self, meta: Meta, c: list[Any]) -> ast.InPlace:
        path, *edits = c
        tags = Tags()
        if isinstance(edits[0], Tags):
            tags, *edits = edits
        return ast.InPlace(path, tuple(edits), tags=tags, span=self.span(meta))

    def replace_old(self, meta: Meta, c: list[Any]) -> ast.ReplaceOld:
        old, new = c
        return ast.ReplaceOld(old, new if isinstance(new, tuple) else (new,), span=self.span(meta))

    def replace_every(self, meta: Meta, c: list[Any]) -> ast.ReplaceOld:
        return evolved(self.replace_old(meta, c), every=True)

    def insert(self, meta: Meta, c: list[Any]) -> ast.Insert:
        where, old, *new = c
        tags = new.pop(0) if isinstance(new[0], Tags) else Tags()
        return ast.Insert(where, old, _first_tagged(Body(tags, tuple(new))), span=self.span(meta))

    def insert_parts(self, meta: Meta, c: list[Any]) -> ast.Insert:
        where, old, *parts = (child for child in c if not isinstance(child, Tags))
        return ast.Insert(where, old, tuple(parts), span=self.span(meta))

    def clause(self, meta: Meta, c: list[Any]) -> ast.Clause:
        return ast.Clause(" ".join(c[0].split()), c[1], span=self.span(meta))

    def new_block(self, meta: Meta, c: list[Any]) -> tuple[Stmt, ...]:
        return _first_tagged(Body(c[0], tuple(c[1:])))

    def for_head(self, meta: Meta, c: list[Any]) -> Any:
        selections = tuple(child for child in c if isinstance(child, Selection))
        return self.head(statements.For, meta, [selections, *c[len(selections) :]])

    def ordered(self, meta: Meta, c: list[Any]) -> Selection:
        selection: Selection = evolved(c[0], by=c[1], span=self.span(meta))
        return selection

    def choice_head(self, meta: Meta, c: list[Any]) -> statements.Choice:
        player, secretly, prompt, *tags = c
        made: statements.Choice = self.head(statements.Choice, meta, [player, *tags])
        return evolved(made, prompt=_text_of(prompt), secretly=secretly is not None)

    def repeat_head(self, meta: Meta, c: list[Any]) -> statements.Repeat:
        return statements.Repeat((), c[0], span=self.span(meta))

    def together_head(self, meta: Meta, c: list[Any]) -> statements.Together:
        return statements.Together((), span=self.span(meta))

    def head(self, cls: Any, meta: Meta, c: list[Any]) -> Any:
        """Return a statement without its block; the tags of its line may follow what it has."""
        subject, *tags = (child for child in c if child.__class__ is not Token)
        return cls(subject, (), tags=tags[0] if tags else (), span=self.span(meta))

    if_head = partialmethod(head, statements.If)
    match_head = partialmethod(head, statements.Match)
    while_head = partialmethod(head, statements.While)
    at_once_head = partialmethod(head, statements.AtOnce)
    in_turn_head = partialmethod(head, statements.InTurn)

    def outcome(self, meta: Meta, c: list[Any]) -> Body:
        tags, content = (c[0], c[1:]) if isinstance(c[0], Tags) else (c[1], c[:1])
        return Body(tags, tuple(content))

    def case_part(self, meta: Meta, c: list[Any]) -> ast.NewPart:
        patterns, body = c
        (first, *_), span = body.content, self.span(meta)
        kind: Any = statements.Case if isinstance(first, statements.Statement) else ast.ValueCase
        content = body.content if kind is statements.Case else first
        return ast.NewPart(kind(patterns, content, tags=body.tags, span=span), span=span)

    def otherwise_part(self, meta: Meta, c: list[Any]) -> ast.NewPart:
        return self.case_part(meta, [(), c[0]])

    def row_part(self, meta: Meta, c: list[Any]) -> ast.NewPart:
        if c[0] != "value":
            self.report("CG123", f"`{c[0]}` is no part of a section", self.span_of(c[0]),
                        "write `value` before a value of an enumeration, `action` before an action")  # fmt: skip
        return ast.NewPart(c[1], span=self.span(meta))

    # ---- the game and its options

    def fact_line(self, meta: Meta, c: list[Any]) -> tuple[ast.Fact, ...]:
        *facts, tags = c
        return tuple(_tagged(f, tags) for f in facts)

    def fact(self, meta: Meta, c: list[Any]) -> ast.Fact:
        if c[0] == "decisions":
            place = self.span(meta)
            most = c[1] if len(c) > 1 and isinstance(c[1], int) else 2000
            cure = write(place, f"at most {most} decisions")
            self.report("CG122", "this limit has another form", place, cure)
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
        return ast.OptionDecl(str(name), default, choices, type_, _text_of(text), tags=tags, span=self.span(meta))

    def truth_option(self, meta: Meta, c: list[Any]) -> ast.OptionDecl:
        name, default, text, tags = c
        type_ = expressions.NamedType("boolean", span=default.span)
        return ast.OptionDecl(str(name), default, (), type_, _text_of(text), tags=tags, span=self.span(meta))

    def choices(self, meta: Meta, c: list[Any]) -> tuple[str, ...]:
        return tuple(str(t) for t in c)

    # ---- cards, places and variables

    def enum_row(self, meta: Meta, c: list[Any]) -> ast.EnumValue:
        name, *attributes, tags = c
        # No attribute is a text, so a text at the beginning of a row is the short form of its value.
        text = attributes.pop(0).value if attributes and isinstance(attributes[0], expressions.String) else None
        return ast.EnumValue(str(name), text, tuple(attributes), tags=tags, span=self.span(meta))

    def named(self, meta: Meta, c: list[Any]) -> tuple[str, ...]:
        return tuple(t[1:-1] for t in c)

    def at_most(self, meta: Meta, c: list[Any]) -> Expr:
        limit: Expr = c[-1]
        return limit

    def negative_bound(self, meta: Meta, c: list[Any]) -> expressions.Negative:
        number = Number(self.integer(c[0]), span=self.span_of(c[0]))
        return expressions.Negative(number, span=self.span(meta))

    def all_but(self, meta: Meta, c: list[Any]) -> ast.Viewer:
        if c[0] != "owner":
            cure = Cure("write `all but owner`", (Edit(self.span_of(c[0]), "owner"),))
            self.report("CG121", f"`{c[0]}` cannot be left out here", self.span_of(c[0]), cure)
        return ast.Viewer("all but owner", span=self.span(meta))

    def named_viewer(self, meta: Meta, c: list[Any]) -> ast.Viewer:
        who: Any = str(c[0])
        if who not in ("owner", "nobody", "team"):
            cure = suggestion(who, ("owner", "nobody", "all", "team"), self.span(meta))
            self.report("CG121", f"`{who}` does not say who sees it", self.span(meta),
                        cure or "write `all`, `nobody`, `owner`, `all but owner` or `team`")  # fmt: skip
        return ast.Viewer(who, span=self.span(meta))

    # ---- rules

    def deep(self, meta: Meta, c: list[Any]) -> Expr:
        limit: Expr = c[1]
        if c[2] != "deep":
            edit = Edit(limit.span.after, " deep") if c[2] is None else Edit(self.span_of(c[2]), "deep")
            message = "a phase has no limit but how deep it is" if c[2] is None else f"`{c[2]}` is not limited here"
            self.report("CG122", message, self.span(meta), Cure(f"write `at most {limit.span.text} deep`", (edit,)))
        return limit

    def block(self, meta: Meta, c: list[Any]) -> Body:
        tags, state, *rest = c
        variables: tuple[ast.VarDecl, ...] = ()
        if state is not None:
            first, *others = state.variables
            variables = (_tagged(first, state.tags), *others)
        return Body(tags, ast.Block(tuple(rest), variables, span=self.span(meta)))

    def define_block(self, meta: Meta, c: list[Any]) -> ast.DefineDecl:
        name, params, _, type_, tags, *lets, value = c
        return ast.DefineDecl(str(name), value.content, params or (), type_, tuple(lets),
                              tags=tags + value.tags, span=self.span(meta))  # fmt: skip

    def value_chain(self, meta: Meta, c: list[Any]) -> Body:
        if len(c) == 1 and c[0].condition is None:
            return Body(c[0].tags, c[0].value)
        return Body(Tags(), Chain(tuple(c), span=self.span(meta)))

    def value_link(self, meta: Meta, c: list[Any]) -> Alternative:
        link: Alternative = _tagged(self.alternative(c[0]), c[1])
        return link

    def match_value(self, meta: Meta, c: list[Any]) -> Body:
        return Body(Tags(), self.build("match_value", meta, c))

    def whenever(self, meta: Meta, c: list[Any]) -> ast.WheneverDecl:
        selections = tuple(child for child in c if isinstance(child, Selection))
        if selections:
            c = [selections, *c[len(selections) :]]
        rule: ast.WheneverDecl = self.build(f"whenever_{'selections' if selections else 'condition'}", meta, c)
        return rule

    # ---- statements with bodies

    def body(self, meta: Meta, c: list[Any]) -> Body:
        return Body(c[0], tuple(c[1:])) if isinstance(c[0], Tags) else Body(c[1], (c[0],))

    def no_body(self, meta: Meta, c: list[Any]) -> Body:
        return Body(c[0], ())

    def line(self, meta: Meta, c: list[Any]) -> Stmt:
        statement: Stmt = _tagged(c[0], c[1])
        return statement

    def openly(self, meta: Meta, c: list[Any]) -> Stmt:
        statement: Stmt = evolved(c[0], openly=True, span=self.span(meta))
        return statement

    def if_(self, meta: Meta, c: list[Any]) -> statements.If:
        condition, body, *branches, otherwise = c
        if len(branches) > MAX_NESTING:
            self.report("CG115", "this chain is too long", branches[MAX_NESTING].span, "use `match`, or a table")
            branches = []
        otherwise = otherwise or ()
        for branch in reversed(branches):
            span = branch.span.to(otherwise[-1].span) if otherwise else branch.span
            otherwise = (evolved(branch, otherwise=otherwise, span=span),)
        return statements.If(condition, body.content, otherwise, tags=body.tags, span=self.span(meta))

    def else_if(self, meta: Meta, c: list[Any]) -> statements.If:
        condition, body = c
        return statements.If(condition, body.content, tags=body.tags, span=condition.span.to(body.content[-1].span))

    def else_(self, meta: Meta, c: list[Any]) -> tuple[Stmt, ...]:
        return _first_tagged(c[0])

    otherwise = else_

    def otherwise_action(self, meta: Meta, c: list[Any]) -> statements.Action:
        action: statements.Action = c[0]
        return action

    # ---- statements of one line

    def let_variable(self, meta: Meta, c: list[Any]) -> statements.LetVariable:
        family, type_, initial = c
        return statements.LetVariable(family.name, family.indices, type_, initial, span=self.span(meta))

    def assign(self, meta: Meta, c: list[Any]) -> statements.Assign:
        self.check_target(c[0])
        assignment: statements.Assign = self.build("assign" if len(c) == 2 else "change", meta, c)
        return assignment

    change = assign

    def do(self, meta: Meta, c: list[Any]) -> statements.Do:
        return statements.Do(self.called(c[0]), span=self.span(meta))

    def target_top(self, meta: Meta, c: list[Any]) -> Fields:
        return Fields(at="top", target=c[0])

    def target_bottom(self, meta: Meta, c: list[Any]) -> Fields:
        return Fields(at="bottom", target=c[0])

    def target_place(self, meta: Meta, c: list[Any]) -> Fields:
        place, number, target = c
        return Fields(at=statements.Place(number, span=self.span_of(place).to(number.span)), target=target)

    def rotate(self, meta: Meta, c: list[Any]) -> statements.Rotate:
        if c[2] not in ("left", "right"):
            cure = write(self.span_of(c[2]), "left", "write `left` or `right`")
            self.report("CG123", f"cards do not go `{c[2]}`", self.span_of(c[2]), cure)
        return statements.Rotate(c[1], str(c[2]), span=self.span(meta))

    def random_card(self, meta: Meta, c: list[Any]) -> statements.Random:
        return statements.Random(self.build("card_arg", meta, c), span=self.span(meta))

    def random_cards(self, meta: Meta, c: list[Any]) -> statements.Random:
        return statements.Random(self.build("cards_arg", meta, c), span=self.span(meta))

    def random_value(self, meta: Meta, c: list[Any]) -> statements.Random:
        target, domain, where = c
        named = target
        while isinstance(named, Index | Attribute):
            named = named.base
        name = named.name if isinstance(named, Name) else ""
        arg = expressions.ValueArg(name, domain, where, span=self.span(meta))
        return statements.Random(arg, None if isinstance(target, Name) else target, span=self.span(meta))

    def shown_to_all(self, meta: Meta, c: list[Any]) -> None:
        return None

    def repeat(self, meta: Meta, c: list[Any]) -> statements.Repeat:
        call = self.called(c[0])
        return statements.Repeat((statements.Do(call, span=call.span),), c[1], span=self.span(meta))


_GIVENS = (
    scenes.GivenValue, scenes.GivenCards, scenes.GivenCount, scenes.GivenRest,
    scenes.GivenRandom, scenes.GivenNoRandom,
)  # fmt: skip

_WORDS = {
    "setup": (0, ("setup",), 'what several scenarios share begins with `setup "a name"`'),
    "begin_with": (0, ("setup",), 'begin with `setup "a name"`'),
    "players": (0, ("players",), "begin with `players 2`"),
    "repeated": (1, ("times",), "write `repeat 3 times`"),
    "expect_said": (1, ("said",), 'write `expect said "words"`'),
    "expect_result": (0, ("score", "returns"), "write `score of` or `returns of`"),
    "expect_winners": (0, ("winners",), "write `expect winners player 1`"),
    "expect_no_winners": (0, ("winners",), "write `expect no winners`"),
}
"""The names that have a fixed place in a rule of scenarios: which child, which words, and what to write instead."""


@attrs.frozen
class _Setup:
    """The lines of a `setup`; a class of its own, since a scenario has the same fields."""

    lines: scenes.Scenario


class ScenarioTransformer(Transformer):
    """The rules of `scenario.lark`."""

    def build(self, rule: str, meta: Meta, children: list[Any]) -> Any:
        """Return the node of a rule by its form; report a wrong word in its fixed place."""
        if rule in _WORDS:
            self.check_word(rule, children)
        return super().build(rule, meta, children)

    def check_word(self, rule: str, children: list[Any]) -> None:
        """Report a word in a fixed place that is none of those allowed."""
        place, words, help_ = _WORDS[rule]
        token = children[place]
        if token not in words:
            self.report("CG123", f"`{token}` is not allowed here", self.span_of(token), help_)

    def start(self, meta: Meta, c: list[Any]) -> scenes.ScenarioFile:
        (version, of, tags), *parts = c
        scenarios = tuple(part for part in parts if isinstance(part, scenes.Scenario))
        setups = tuple(part.lines for part in parts if isinstance(part, _Setup))
        return scenes.ScenarioFile(version, of, scenarios, setups, tags=tags, span=self.span(meta))

    def heading(self, meta: Meta, c: list[Any]) -> tuple[int, str, Tags]:
        self.check_version(c[0], SCENARIO_VERSION, "scenarios")
        return self.integer(c[0]), c[1][1:-1], c[2]

    def setup(self, meta: Meta, c: list[Any]) -> _Setup:
        self.check_word("setup", c)
        _, name, tags, *lines = c
        return _Setup(self.scenario(meta, [name, tags, None, *lines]))

    def scenario(self, meta: Meta, c: list[Any]) -> scenes.Scenario:
        name, tags, setup, players, *lines = c
        options = tuple(x for x in lines if isinstance(x, scenes.OptionGiven))
        start, *steps = lines[len(options) :]
        givens = tuple(takewhile(lambda step: isinstance(step, _GIVENS), steps))
        rest = tuple(steps[len(givens) :])
        span = self.span(meta)
        return scenes.Scenario(name[1:-1], setup, players, options, start, givens, rest, tags=tags, span=span)

    def begin_with(self, meta: Meta, c: list[Any]) -> str:
        self.check_word("begin_with", c)
        return str(c[1])[1:-1]

    def players(self, meta: Meta, c: list[Any]) -> int:
        self.check_word("players", c)
        return self.integer(c[1])

    def option(self, meta: Meta, c: list[Any]) -> scenes.OptionGiven:
        given: scenes.OptionGiven = self.build("option_given", meta, c)
        return given

    def start_at(self, meta: Meta, c: list[Any]) -> Call:
        return self.called(c[0])

    def given_value(self, meta: Meta, c: list[Any]) -> scenes.GivenValue:
        self.check_target(c[0])
        given: scenes.GivenValue = self.build("given_value", meta, c)
        return given
