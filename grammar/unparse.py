"""Write a syntax tree back as text: the canonical form of a spec.

`parse(unparse(spec)) == spec` for every tree that the parser makes, tags included; comments are not part of the tree
and are lost.  The text of a node is its form (`grammar.forms`); here are the brackets, the layout, and what a form
cannot say.  A line that would be too long goes on in a deeper one, by the rules of `grammar.layout`.
"""

from __future__ import annotations

import re

from grammar import ast, expressions, forms, statements
from grammar.ast import Item
from grammar.expressions import Expr, Node

WIDTH = 110
INDENT = 4

_PICKS = (expressions.Pick, expressions.Extreme, expressions.All, expressions.Quantified, expressions.Every)
_ABSENT = (None, (), False)

# A line may be broken after a comma and before a word or an operator that joins, but in no text and no double word.
_PIECES = re.compile(r'"[^"]*"|(?:rounded \w+|at least|at most|up to|such that|seen by|only if)(?!\w)|[^" ]+| +')
_JOINS = re.compile(
    r"(?:where|such that|only if|and|or|else|by|then|to|from|has|is|mod|named|written)$|(?:[-+*/<>=!]=?|->)$"
)


def unparse(spec: ast.Spec) -> str:
    """Return the canonical text of a spec."""
    lines = _Lines()
    lines.add(0, f"cardgame {spec.version}", spec.tags)
    before: Item | None = None
    for item in spec.items:
        own = _Lines()
        own.write(0, item)
        if not (type(before) is type(item) and len(own.rows) == 1 and lines.rows[-1][:1].isalpha()):
            lines.rows.append("")
        lines.rows += own.rows
        before = item
    return "\n".join(lines.rows) + "\n"


# ---- one line


def text_of(node: object, level: int = forms.EXPR) -> str:
    """Return what a node says on one line, in brackets if it binds less than the level asks for."""
    if isinstance(node, tuple):
        return ", ".join(text_of(item, level) for item in node)
    if not isinstance(node, Node):
        return "_" if node is None else str(node)
    if level in (forms.MOVABLE, forms.START, forms.BOUND):
        return _in_place(node, level)
    own, text = _written(node, level)
    return text if own >= level else f"({text})"


def _in_place(node: Node, level: int) -> str:
    """Return an expression in a place that takes no more than some forms without brackets."""
    if level == forms.MOVABLE:
        return text_of(node, forms.OPEN if _is_pick(node) else forms.SUM)
    if level == forms.START:
        return _opening(text_of(node, forms.SUM))
    if isinstance(node, expressions.Negative) and isinstance(node.value, expressions.Number):
        return text_of(node, forms.UNARY)
    own, text = _written(node, forms.SUM)
    return text if own == forms.BOUND else f"({text_of(node, forms.SUM)})"


def _opening(text: str) -> str:
    """Return an expression as the first line of a block can have it: a `-` there would go on with the line above."""
    return f"({text})" if text.startswith("-") else text


def _written(node: Node, level: int) -> tuple[int, str]:
    """Return the level of a node, and its text."""
    match node:
        case expressions.Chain():
            return forms.EXPR, " else ".join(text_of(a) for a in node.alternatives)
        case expressions.Logic() if level <= forms.OPEN and _ends_open(node):
            inner = forms.OPEN if _is_pick(node.right) else forms.EXPR
            left = _form_of(node).parts[0]
            return forms.OPEN, f"{_filled((left,), node)} {node.op} {text_of(node.right, inner)}"
        case expressions.The() if _is_pick(node.value):
            return forms.OPEN, f"the {text_of(node.value, forms.OPEN)}"
        case expressions.KindPattern():
            return forms.POSTFIX, node.name + (
                "" if node.args is None else f"({', '.join(map(_pattern_arg, node.args))})"
            )
        case expressions.NumberPattern(low=low, high=high) if low == high:
            return forms.POSTFIX, str(low)
        case expressions.NumberPattern():
            return forms.POSTFIX, _pattern_arg(node)
        case expressions.Quantity(low=low, high=high) if low is not None and low == high:
            return forms.POSTFIX, text_of(low, forms.SUM)
        case statements.Random() if node.into is not None:
            domain = text_of(node.arg).removeprefix(f"{node.arg.name} from ")
            return forms.POSTFIX, f"random {text_of(node.into, forms.POSTFIX)} from {domain}"
        case ast.Fact():
            return forms.POSTFIX, _fact(node)
        case ast.OptionDecl():
            return forms.POSTFIX, _option(node)
        case ast.EnumValue():
            short = [] if node.text is None else [_quoted(node.text)]
            return forms.POSTFIX, " ".join([node.name, *short, *map(text_of, node.attributes)])
    form = _form_of(node)
    return form.level, _filled(form.parts, node)


def _form_of(node: Node) -> forms.Form:
    """Return the form that a node has."""
    match node:
        case statements.Repeat(body=(statements.Do(openly=False) as do,)) if not do.tags:
            return forms.FORMS["repeat"]
        case statements.Repeat():
            return forms.FORMS["repeat_block"]
    ways = forms.FORMS_OF[type(node)]
    return ways[0] if len(ways) == 1 else next(form for form in ways if _fits(form, node))


def _fits(form: forms.Form, node: Node) -> bool:
    """Whether a node has all that a form writes or decides, and nothing else."""
    for name in expressions.field_names(type(node)):
        value = getattr(node, name)
        if name in form.constants:
            fine = value == form.constants[name]
        else:
            fine = name not in form.needed if value in _ABSENT else name in form.mentioned or name == "openly"
        if not fine:
            return False
    return True


def _filled(parts: tuple[forms.Part, ...], node: Node) -> str:
    """Return the text of a form up to what is written beneath its line."""
    text = ""
    for part in parts:
        match part:
            case str():
                text += part
            case forms.Kept():
                text += part.text
            case tuple():
                slot = next(p for p in part if isinstance(p, forms.Slot))
                if slot.level >= forms.BODY:
                    break
                if getattr(node, slot.name) not in _ABSENT:
                    text += _filled(part, node)
            case forms.Slot(level=level) if level >= forms.BODY:
                break
            case forms.Slot():
                value = getattr(node, part.name)
                if part.quoted:
                    text += ", ".join(_quoted(t) for t in (value if isinstance(value, tuple) else (value,)))
                else:
                    text += part.word or text_of(value, part.level)
    return text


def _is_pick(expr: Node) -> bool:
    """Whether an expression may stand only as the last operand."""
    return isinstance(expr, _PICKS) or (isinstance(expr, expressions.The) and _is_pick(expr.value))


def _ends_open(expr: expressions.Logic) -> bool:
    """Whether the last operand is a pick where the grammar allows one without brackets."""
    right = expr.right
    joins = expr.op == "or" and isinstance(right, expressions.Logic) and right.op == "and"
    return _is_pick(right) or (joins and isinstance(right, expressions.Logic) and _is_pick(right.right))


def _quoted(text: str) -> str:
    return f'"{text}"'


def _pattern_arg(arg: Expr | expressions.NumberPattern | None) -> str:
    return f"{arg.low}..{arg.high}" if isinstance(arg, expressions.NumberPattern) else text_of(arg)


def _fact(fact: ast.Fact) -> str:
    if fact.name == "decisions":
        return f"at most {fact.values[0]} decisions"
    values = (
        f"{v[0]}..{v[1]}" if isinstance(v, tuple) else _quoted(v) if isinstance(v, str) else v for v in fact.values
    )
    return " ".join([fact.name, *map(str, values)])


def _option(option: ast.OptionDecl) -> str:
    kind = " | ".join(option.choices) if option.type is None else text_of(option.type)
    text = "" if option.text is None else f" {_quoted(option.text)}"
    named = option.name if kind == "boolean" else f"{option.name}: {kind}"
    return f"option {named} = {text_of(option.default)}{text}"


# ---- lines


def _tagged(text: str, tags: tuple[str, ...]) -> str:
    """Return a line with its tags."""
    return f"{text} [{', '.join(tags)}]" if tags else text


class _Lines:
    """Lines of text in the making, each with its depth."""

    def __init__(self) -> None:
        self.rows: list[str] = []

    def add(self, depth: int, text: str, tags: tuple[str, ...] = ()) -> None:
        """Add a logical line, broken where it is too long."""
        margin = " " * (INDENT * depth)
        *rows, last = _broken(margin, text)
        self.rows += [*rows, _tagged(last, tags)]

    def write(self, depth: int, node: Node, before: str = "") -> None:
        """Add the lines of a node, with what is written before its first word."""
        match node:
            case ast.Replace() | ast.Add():
                self.write(depth, node.what, f"{type(node).__name__.lower()} ")
                return
            case ast.InPlace():
                self.in_place(depth, node)
                return
            case ast.DefineDecl():
                self.define(node, before)
                return
            case ast.InvariantDecl():
                head, value = (
                    before + _filled(forms.FORMS["invariant"].parts[:-1], node).rstrip(),
                    text_of(node.condition, forms.OPEN),
                )
                if self.fits(depth, text := f"{head} {value}", node.tags):
                    self.add(depth, text, node.tags)
                else:
                    self.add(depth, head, node.tags)
                    self.add(depth + 1, value)
                return
            case ast.Block():
                if node.state:
                    self.write(depth, ast.StateDecl(node.state, span=node.span))
                for stmt in node.statements:
                    self.write(depth, stmt)
                return
        head = before + _line(node)
        beneath = _beneath(node)
        if beneath is None:
            self.add(depth, head, node.tags)
            return
        content = getattr(node, beneath.name)
        if beneath.level == forms.BODY:
            self.body(depth, head, node.tags, content)
        else:
            self.add(depth, head, node.tags)
            for item in content if isinstance(content, tuple) else (content,):
                self.write(depth + 1, item)
        self.rest(depth, node)

    def in_place(self, depth: int, node: ast.InPlace) -> None:
        """Add the edits of a place: on the line of its path if there is one, else beneath."""
        path = f"in {text_of(node.path)}"
        if len(node.edits) == 1 and not node.tags:
            self.edit(depth, node.edits[0], f"{path}: ")
            return
        self.add(depth, path, node.tags)
        for edit in node.edits:
            self.edit(depth + 1, edit, "")

    def edit(self, depth: int, edit: ast.Edit, before: str) -> None:
        """Add one edit."""
        match edit:
            case ast.RemoveOld():
                self.add(depth, f"{before}remove {_old(edit.old)}", edit.tags)
            case ast.PutState() | ast.PutPart():
                before += "add " if edit.adds else "replace "
                if isinstance(edit, ast.PutState):
                    self.write(depth, edit.what, before)
                elif isinstance(edit.what, ast.Clause):
                    self.add(depth, before + text_of(edit.what), edit.tags)
                else:
                    self.part(depth, edit.what, before)
            case ast.Insert():
                head = f"{before}{edit.where} {_old(edit.old)}"
                if len(edit.new) == 1 and not isinstance(edit.new[0], ast.NewPart):
                    self.write(depth, edit.new[0], f"{head}: ")
                    return
                self.add(depth, head)
                for new in edit.new:
                    if isinstance(new, ast.NewPart):
                        self.part(depth + 1, new, "")
                    else:
                        self.write(depth + 1, new)
            case ast.ReplaceOld(new=(statements.Statement() as stmt,)) if not _is_headless(stmt):
                self.write(depth, stmt, f"{before}replace {'every ' * edit.every}{_old(edit.old)} with ")
            case ast.ReplaceOld(new=(new,)):
                text = f"{before}replace {'every ' * edit.every}{_old(edit.old)} with {_old(new)}"
                self.add(depth, text, new.tags)
            case ast.ReplaceOld():
                self.add(depth, f"{before}replace {'every ' * edit.every}{_old(edit.old)} with")
                for new in edit.new:
                    self.write(depth + 1, new)

    def part(self, depth: int, part: ast.NewPart, before: str) -> None:
        """Add a part that has a name."""
        match part.what:
            case statements.Case(body=(statements.Do(tags=()),)) as case:  # After a colon it would be an expression.
                self.add(depth, before + _case(case), case.tags)
                self.write(depth + 1, case.body[0])
            case statements.Case() as case:
                self.body(depth, before + _case(case), case.tags, case.body)
            case ast.ValueCase() as case:
                self.add(depth, f"{before}{_case(case)}: {text_of(case.value)}", case.tags)
            case statements.Action() as action:
                self.write(depth, action, before + ("otherwise " if part.last else "action "))
            case ast.EnumValue() as value:
                self.add(depth, f"{before}value {text_of(value)}", value.tags)
            case ast.DeckLine() as line:
                self.add(depth, before + text_of(line), line.tags)

    def rest(self, depth: int, node: Node) -> None:
        """Add what some statements have after their body."""
        match node:
            case statements.If(otherwise=(statements.If(openly=False) as branch,)):
                self.write(depth, branch, "else ")
            case statements.If(otherwise=otherwise) if otherwise:
                self.body(depth, "else", (), otherwise)
            case statements.Match(otherwise=otherwise) if otherwise is not None:
                self.body(depth + 1, "otherwise", (), otherwise)
            case statements.Choice(otherwise=action) if action is not None:
                self.write(depth + 1, action, "otherwise ")
            case statements.Repeat():
                self.add(depth, f"until {text_of(node.until, forms.OPEN)}")

    def fits(self, depth: int, text: str, tags: tuple[str, ...]) -> bool:
        """Whether a text with its tags is no longer than a line."""
        return len(_tagged(text, tags)) + INDENT * depth <= WIDTH

    def body(self, depth: int, head: str, tags: tuple[str, ...], body: tuple[statements.Stmt, ...]) -> None:
        """Add a line with its body: after a colon if it is one short statement, else as a block."""
        if len(body) == 1 and not body[0].tags and _beneath(body[0]) is None:
            text = f"{head}: {_line(body[0])}"
            if self.fits(depth, text, tags):
                self.add(depth, text, tags)
                return
        self.add(depth, head, tags)
        for stmt in body:
            self.write(depth + 1, stmt)

    def define(self, define: ast.DefineDecl, before: str) -> None:
        """Add a definition: on one line if it was and can be, else its value as a block."""
        value = define.value
        *parts, _ = forms.FORMS["define"].parts
        head = before + _filled(tuple(parts), define).rstrip()
        in_lines = isinstance(value, expressions.Chain) and any(a.tags for a in value.alternatives)
        if not isinstance(value, ast.MatchValue) and not define.lets and not in_lines:
            text = f"{head} {text_of(value)}"
            if self.fits(0, text, define.tags):
                self.add(0, text, define.tags)
                return
        self.add(0, head, define.tags)
        for let in define.lets:
            self.write(1, let)
        if isinstance(value, ast.MatchValue):
            self.write(1, value)
            return
        links = value.alternatives if isinstance(value, expressions.Chain) else (value,)
        for number, link in enumerate(links):
            text = text_of(link, forms.OPEN)
            self.add(1, f"else {text}" if number else _opening(text), link.tags)


def _line(node: Node) -> str:
    """Return the line that a node begins with."""
    opened = "openly " * (isinstance(node, statements.Statement) and node.openly)
    return opened + text_of(node)


def _beneath(node: Node) -> forms.Slot | None:
    """Return what a node has beneath its line, or after a colon; None if it has only the line."""
    if type(node) not in forms.FORMS_OF:
        return None
    flat = (p for part in _form_of(node).parts for p in (part if isinstance(part, tuple) else (part,)))
    return next((p for p in flat if isinstance(p, forms.Slot) and p.level >= forms.BODY), None)


def _is_headless(stmt: statements.Statement) -> bool:
    """Whether a statement has no block where its form has one: an edit names it by its first line."""
    beneath = _beneath(stmt)
    return beneath is not None and not getattr(stmt, beneath.name)


def _old(node: Node) -> str:
    """Return how an edit names what is there, or what is to be there without its block."""
    if isinstance(node, statements.Repeat) and not node.body:
        return f"repeat until {text_of(node.until, forms.OPEN)}"
    return _line(node)


def _case(case: statements.Case | ast.ValueCase) -> str:
    return f"case {text_of(case.patterns)}" if case.patterns else "otherwise"


def _broken(margin: str, text: str) -> list[str]:
    """Return a logical line in as many lines as it needs."""
    if len(margin) + len(text) <= WIDTH:
        return [margin + text]
    outside = _filled_rows(margin, _chunks(text, inside=False))
    if all(len(row) <= WIDTH for row in outside):
        return outside
    return _filled_rows(margin, _chunks(text, inside=True))


def _filled_rows(margin: str, chunks: list[str]) -> list[str]:
    rows, row, start = [], margin, len(margin)
    for chunk in chunks:
        if len(row) + len(chunk.rstrip()) > WIDTH and len(row) > start:
            rows.append(row.rstrip())
            row = margin + " " * (2 * INDENT)
            start = len(row)
            chunk = chunk.lstrip()
        row += chunk
    return [*rows, row]


def _chunks(text: str, inside: bool) -> list[str]:
    """Return the parts of a line between which it may be broken, those inside of brackets too if need be."""
    chunks = [""]
    depth = 0
    last = ""
    for piece in _PIECES.findall(text):
        if not piece.startswith('"'):
            allowed = inside if depth else last.endswith(",") or _JOINS.match(piece) is not None
            if allowed and piece[0] != " " and chunks[-1].endswith(" "):
                chunks.append("")
            depth += sum(c in "([" for c in piece) - sum(c in ")]" for c in piece)
        chunks[-1] += piece
        last = piece if piece.strip() else last
    return chunks
