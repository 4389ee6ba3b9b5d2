"""Text of what the compiler makes of a spec, stage by stage, for whoever looks into it; nothing reads it again.

Expressions and statements of the checked language are told in words near to those of a spec, with the place that each
statement came from at the end of its line.  Names that a pass has made are `t1`, `t2`, ..
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any, assert_never

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Bool, EnumType, Player, base_of
from interpreter.program import nodes
from interpreter.program.c.module import GeneratedC
from interpreter.program.c.text import SITE
from interpreter.program.python.module import Generated
from interpreter.program.sites import Sites

COMMENT_AT = 100
"""The column at which the places of lines stand."""


def syntax_text(tree: object) -> str:
    """Return a syntax tree, a node a line, with the line of the spec that each began at."""
    return "".join(f"{line}\n" for line in _syntax(tree, "", 0))


def core_text(rules: Rules) -> str:
    """Return the checked rules: definitions, phases, results and invariants."""
    tell = Teller()
    lines: list[str] = []
    for define in rules.defines:
        params = f"({', '.join(map(tell.local, define.params))})" if define.params else ""
        head = f"define {define.name}{params}"
        for local, value in define.lets:
            head += f" let {tell.local(local)} = {tell.expression(value)}:"
        assert define.value is not None
        lines.append(_located(f"{head} = {tell.expression(define.value)}", define.value.span))
    for phase in rules.every_phase:
        params = f"({', '.join(map(tell.local, phase.params))})" if phase.params else ""
        lines += ["", _located(f"phase {phase.name}{params}", phase.span)]
        lines += tell.block(phase.body, 1)
    lines.append("")
    for line in rules.results:
        player = "" if line.player is None else f" {tell.local(line.player)}"
        lines.append(_located(f"{line.what}{player} = {tell.expression(line.value)}", line.value.span))
    for invariant in rules.invariants:
        lines.append(_located(f"invariant {tell.expression(invariant.condition)}", invariant.span))
    return "\n".join(lines).strip("\n") + "\n"


def program_text(program: nodes.Program) -> str:
    """Return the nodes of a state machine."""
    tell = Teller()
    lines = [f"begin at {program.entry}"]
    for node in program.nodes:
        lines.append("")
        match node:
            case nodes.Auto():
                lines.append(_located(f"{node.number}:", node.span))
                for step in node.steps:
                    lines += tell.step(step)
                lines.append(f"    {tell.exit(node.exit, program)}")
            case nodes.Decision():
                later = "" if node.only is None else f" goes on with {node.only.action.verb}, stage {node.stage + 1}"
                who = tell.expression(node.choice.player)
                lines.append(_located(f"{node.number}: {who} chooses{later}", node.span))
                for way in node.open_ways:
                    numbers = ", ".join(f"{s.base}..{s.base + s.size - 1}" for s in way.stages)
                    lines.append(f"    {tell.action(way.action)}  actions {numbers}, goes to {way.body}")
            case nodes.Chance():
                what = tell.argument(node.random.arg)
                lines.append(_located(f"{node.number}: chance {what}, goes to {node.next}", node.span))
            case nodes.Final():
                lines.append(f"{node.number}: end")
            case _:
                assert_never(node)
    return "\n".join(lines) + "\n"


def c_text(generated: GeneratedC, sites: Sites) -> str:
    """Return generated C with the place in the spec in each comment that names a site."""
    return _sited(generated.text, SITE, sites)


def python_text(generated: Generated, sites: Sites) -> str:
    """Return generated Python with the place in the spec as a comment on each line that stores its site."""
    return _sited(generated.text, "st.at = ", sites)


def _sited(text: str, mark: str, sites: Sites) -> str:
    lines: list[str] = []
    for line in text.splitlines():
        site = line.partition(mark)[2]
        lines.append(_located(line, sites.spans[int(site)]) if site else line)
    return "\n".join(lines) + "\n"


def _located(text: str, span: Span) -> str:
    return f"{text:<{COMMENT_AT}}  # {PurePath(span.source.name).name}:{span.line}"


def _syntax(node: Any, name: str, depth: int) -> Iterator[str]:
    head = "  " * depth + (f"{name}: " if name else "")
    if isinstance(node, tuple | list):
        for item in node:
            yield from _syntax(item, name, depth)
    elif attrs.has(type(node)) and not isinstance(node, Span):
        span = getattr(node, "span", None)
        fields = [f.name for f in attrs.fields(type(node)) if f.name != "span"]
        plain = {f: v for f in fields if not _holds_nodes(v := getattr(node, f)) and v not in (None, (), False)}
        told = " ".join(f"{field}={value!r}" for field, value in plain.items())
        text = f"{head}{type(node).__name__} {told}".rstrip()
        yield _located(text, span) if isinstance(span, Span) else text
        for field in fields:
            if _holds_nodes(getattr(node, field)):
                yield from _syntax(getattr(node, field), field, depth + 1)


def _holds_nodes(value: object) -> bool:
    if isinstance(value, tuple | list):
        return any(map(_holds_nodes, value))
    return attrs.has(type(value)) and not isinstance(value, Span)


@attrs.define
class Teller:
    """Prints expressions, statements and steps."""

    _made: dict[Local, str] = attrs.field(factory=dict)

    def local(self, local: Local) -> str:
        """Return the name of a local; one that a pass has made is numbered."""
        return local.name or self._made.setdefault(local, f"t{len(self._made) + 1}")

    def expression(self, expr: core.Expr) -> str:
        """Return the text of an expression of a statement."""
        return self._text(expr)

    def _all(self, exprs: Iterable[core.Expr]) -> str:
        return ", ".join(map(self._text, exprs))

    def _text(self, expr: core.Expr) -> str:
        match expr:
            case core.Const():
                return _constant(expr)
            case core.LocalRef():
                return self.local(expr.local)
            case core.VarRef():
                return expr.variable.name + (f"[{self._all(expr.index)}]" if expr.index else "")
            case core.ZoneRef():
                return expr.zone.name + (f"[{self._all(expr.index)}]" if expr.index else "")
            case core.CardAttr():
                return f"{self._text(expr.card)}.{expr.name}"
            case core.EnumAttr():
                return f"table{expr.table!r}[{self._text(expr.value)}]"
            case core.Op(op="not" | "neg" as op, args=(inner,)):
                return f"{op} {self._text(inner)}"
            case core.Op():
                return "(" + f" {expr.op} ".join(map(self._text, expr.args)) + ")"
            case core.IsKind():
                return f"({self._text(expr.card)} is {self._kind(expr.test)})"
            case core.IsNone():
                return f"({self._text(expr.value)} is none)"
            case core.IsIn():
                return f"({self._text(expr.value)} is in {self._text(expr.domain)})"
            case core.Range():
                return f"{self._text(expr.low)}..{self._text(expr.high)}"
            case core.Select():
                few = "" if expr.count is None else f" {self._text(expr.count)}"
                return f"({expr.which}{few} {self._binder(expr.binder)})"
            case core.Fold():
                by = "" if expr.by is None else f" by {self._text(expr.by)}"
                return f"{expr.function}({self._text(expr.value)} for {self._binder(expr.binder)}{by})"
            case core.Extreme():
                every = "all " if expr.ties else ""
                return f"({every}{expr.which} {self._binder(expr.binder)} by {self._text(expr.by)})"
            case core.CallDefine():
                return expr.define.name + (f"({self._all(expr.args)})" if expr.args else "")
            case core.Builtin():
                return f"{expr.name}({self._all(expr.args)})"
            case core.EndOf():
                return f"({expr.which} of {self._text(expr.zone)})"
            case core.Chain():
                links = [self._text(v) if c is None else f"{self._text(v)} if {self._text(c)}"
                         for c, v in expr.alternatives]  # fmt: skip
                return "(" + " else ".join(links) + ")"
            case core.TupleOf():
                return f"({self._all(expr.items)},)"
            case core.SetFoldRef():
                return self._measure(expr.fold)
            case core.SomeSubset():
                low = "0" if expr.low is None else self._text(expr.low)
                high = "" if expr.high is None else self._text(expr.high)
                where = self._text(expr.such_that.condition)
                return f"(some subset of {self._text(expr.cards)}, {low}..{high}, where {where})"
            case _:
                assert_never(expr)

    def _kind(self, test: core.KindTest) -> str:
        given = [
            f"{name}={f'{w[0]}..{w[1]}' if isinstance(w, tuple) else self._text(w)}" for name, w in test.attributes
        ]
        return "|".join(sorted(test.kinds)) + (f"({', '.join(given)})" if given else "")

    def _measure(self, fold: core.SetFold) -> str:
        value = "1" if fold.value is None else self._text(fold.value)
        where = "" if fold.where is None else f" where {self._text(fold.where)}"
        return f"{fold.function}({value} for {self.local(fold.card)} in the set{where})"

    def _binder(self, binder: core.Binder) -> str:
        lets = "".join(f"with {self.local(local)} = {self._text(value)}: " for local, value in binder.before)
        start = "" if binder.start is None else f" from {self._text(binder.start)}"
        where = "" if binder.where is None else f" where {self._text(binder.where)}"
        return f"{lets}{self.local(binder.local)} in {self._text(binder.domain)}{start}{where}"

    def binder(self, binder: core.Binder) -> str:
        """Return the text of the binder of a statement."""
        return self._binder(binder)

    # ---- statements

    def block(self, block: Sequence[core.Stmt], depth: int) -> list[str]:
        """Return the lines of statements."""
        return [line for stmt in block for line in self.statement(stmt, depth)]

    def statement(self, stmt: core.Stmt, depth: int) -> list[str]:
        """Return the lines of a statement."""

        def line(text: str, *blocks: tuple[core.Stmt, ...]) -> list[str]:
            tags = f" [{', '.join(stmt.tags)}]" if stmt.tags else ""
            inside = [inner for block in blocks for inner in self.block(block, depth + 1)]
            return [_located("    " * depth + text + tags, stmt.span), *inside]

        say = self.expression
        match stmt:
            case core.Let():
                return line(f"let {self.local(stmt.local)} = {say(stmt.value)}")
            case core.Begin():
                return line(f"let {stmt.variable.name}[..] = {say(stmt.value)}")
            case core.Assign():
                place = stmt.variable.name + (f"[{', '.join(map(say, stmt.index))}]" if stmt.index else "")
                return line(f"{place} {stmt.op} {say(stmt.value)}")
            case core.CallPhase():
                return line(f"{stmt.phase.name}({', '.join(map(say, stmt.args))})")
            case core.Move():
                how = f" at {stmt.at}" if stmt.at else ""
                how += f" face {stmt.face}" if stmt.face else ""
                how += f" for {say(stmt.played_by)}" if stmt.played_by is not None else ""
                return line(f"move {say(stmt.cards)} to {say(stmt.target)}{how}")
            case core.Swap():
                return line(f"swap {say(stmt.first)} with {say(stmt.second)}")
            case core.Deal():
                how = "exactly " if stmt.exactly else ""
                face = f" face {stmt.face}" if stmt.face else ""
                return line(f"deal {how}{say(stmt.count)} from {say(stmt.origin)} to {say(stmt.target)}{face}")
            case core.Shuffle():
                into = "" if stmt.cards is None else f"{say(stmt.cards)} into "
                return line(f"shuffle {into}{say(stmt.zone)}")
            case core.Turn():
                return line(f"turn {say(stmt.cards)} face {stmt.face}")
            case core.Show():
                return line(f"show {say(stmt.cards)} to {'all' if stmt.to is None else say(stmt.to)}")
            case core.Say():
                return line(f"say {self._words(stmt.parts)}")
            case core.End():
                return line(f"end {'game' if stmt.phase is None else stmt.phase.name}")
            case core.If():
                found = line(f"if {say(stmt.condition)}", stmt.then)
                if stmt.otherwise:
                    found += ["    " * depth + "else", *self.block(stmt.otherwise, depth + 1)]
                return found
            case core.For():
                return line(f"for {self.binder(stmt.binder)}", stmt.body)
            case core.While():
                return line(f"while {say(stmt.condition)}{'' if stmt.first else ', asked at the end'}", stmt.body)
            case core.Random():
                into = "" if stmt.into is None else f"{say(stmt.into)} = "
                return line(f"random {into}{self.argument(stmt.arg)}")
            case core.Choice():
                found = line(f"{say(stmt.player)} chooses {self._words(stmt.prompt)}")
                for action in core.all_actions(stmt):
                    found.append(_located("    " * (depth + 1) + self.action(action), action.span))
                    found += self.block(action.body, depth + 2)
                return found
            case core.AtOnce():
                return [*line(f"at once {self.binder(stmt.binder)}"), *self.statement(stmt.choice, depth + 1)]
            case core.InTurn():
                return line(f"in turn {self.binder(stmt.binder)}", stmt.body)
            case core.Spend():
                return line(f"count {stmt.steps} steps")
            case _:
                parts = map(say, core.children(stmt))
                return line(" ".join([stmt.__class__.__name__.lower(), *parts]), *core.blocks_inside(stmt))

    def action(self, action: core.Action) -> str:
        """Return an action: its verb, its arguments, and its conditions."""
        text = " ".join([action.verb, ", ".join(map(self.argument, action.args))]).rstrip()
        if action.such_that is not None:
            text += f" such that {self.expression(action.such_that)}"
        return text if action.only_if is None else f"{text} only if {self.expression(action.only_if)}"

    def argument(self, arg: core.Arg) -> str:
        """Return an argument, and what it can be."""
        where = "" if arg.where is None else f" where {self.expression(arg.where)}"
        count = ""
        if arg.form == "cards":
            low = "0" if arg.low is None else self.expression(arg.low)
            count = f" {low}..{'' if arg.high is None else self.expression(arg.high)}"
        such = "" if arg.on_set is None else f" such that {self._text(arg.on_set.condition)}"
        return f"{arg.form}{count} {self.local(arg.local)} from {self.expression(arg.domain)}{where}{such}"

    def _words(self, parts: tuple[str | core.Expr, ...]) -> str:
        return '"' + "".join(p if isinstance(p, str) else f"{{{self.expression(p)}}}" for p in parts) + '"'

    # ---- the state machine

    def step(self, step: nodes.Step) -> list[str]:
        """Return the lines of a step of a node."""
        match step:
            case nodes.InitState():
                return [f"    begin the state of {'the game' if step.phase is None else step.phase.name}"]
            case nodes.Reveal():
                return [f"    reveal {self.action(step.action)} of {self.local(step.player)}"]
            case nodes.Reach():
                return [f"    reach {', '.join(step.tags)}"]
            case _:
                return self.statement(step, 1)

    def exit(self, leave: nodes.Exit, program: nodes.Program) -> str:
        """Return where a node leads to."""
        match leave:
            case nodes.Jump():
                return f"go to {leave.target}"
            case nodes.Branch():
                return f"if {self.expression(leave.condition)} go to {leave.then} else {leave.otherwise}"
            case nodes.Next():
                local, queue = self.local(leave.local), self.local(leave.queue)
                return f"next {local} of {queue}: go to {leave.body}, else {leave.done}"
            case nodes.Call():
                args = ", ".join(map(self.expression, leave.args))
                return f"call {leave.phase.name}({args}) at {program.phase_entries[leave.phase]}, back to {leave.back}"
            case nodes.Return():
                return f"return from {leave.phase.name}"
            case nodes.EndOfRound():
                return f"end of a round: go to {leave.target}, or cut short to {leave.final}"
            case _:
                assert_never(leave)


def _constant(expr: core.Const) -> str:
    if expr.value is None:
        return "none"
    match base_of(expr.type):
        case EnumType() as enum:
            return enum.values[int(expr.value)]
        case Player():
            return f"player {int(expr.value) + 1}"
        case Bool():
            return "true" if expr.value else "false"
    return str(expr.value)
