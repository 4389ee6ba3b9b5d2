"""Dump the stages of the compiler as text, for inspection only.

Expressions and statements of the checked language are written in words near to those of a spec, with the line that each
statement came from at the end of its line.  Names that a pass has made are `t1`, `t2`, ..
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, assert_never

import attrs
import msgspec

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Bool, EnumType, Player, base_of
from interpreter.program import nodes
from interpreter.program.c.module import GeneratedC
from interpreter.program.c.names import SITE
from interpreter.program.nodes import Sites
from interpreter.program.python.module import Generated

COMMENT_AT = 100
"""The column of the comments that name a line of the spec."""

TEMPLATES: dict[Any, str] = {
    core.LocalRef: "{local}",
    core.VarRef: "{variable}<[{index}]>",
    core.ZoneRef: "{zone}<[{index}]>",
    core.CardAttr: "{card}.{name}",
    core.EnumAttr: "table({table})[{value}]",
    core.IsKind: "({card} is {test})",
    core.IsNone: "({value} is none)",
    core.IsIn: "({value} is in {domain})",
    core.Range: "{low}..{high}",
    core.Binder: "<{before}: >{local} in {domain}< from {start}>< where {where}>",
    core.Select: "({which}< {count}> {binder})",
    core.Fold: "{function}({value} for {binder}< by {by}>)",
    core.Extreme: "(<{ties}all >{which} {binder} by {by})",
    core.Sorted: "(all {binder} in the order of {by})",
    core.CallDefine: "{define}<({args})>",
    core.Builtin: "{name}({args})",
    core.CardAt: "({at} of {zone})",
    core.TupleOf: "({items},)",
    core.SetFold: "{function}(<{value} for >{card} in the set< where {where}>)",
    core.SetFoldRef: "{fold}",
    core.SetCondition: "{condition}",
    core.SomeSubset: "(some subset of {cards}, {low}..{high}, where {such_that})",
    core.Subsets: "subsets of {cards}< {anchored}>, <{low}>..<{high}><, all parts {local} with {part}>",
    core.Group: "<{low}>..<{high}> of {sets}",
    core.Rests: "rests of {whole} = {cards} without {groups}",
    core.Let: "let {local} = {value}",
    core.Begin: "let {variable}[..] = {value}",
    core.Assign: "{variable}<[{index}]> {op} {value}",
    core.CallPhase: "{phase}({args})",
    core.Move: "move {cards} to {target}< at {at}>< face {face}>< for {played_by}>",
    core.Swap: "swap {first} with {second}",
    core.Rotate: "rotate {zone} for {binder}, left {left}",
    core.Deal: "deal <{exactly}exactly >{count} from {origin} to {target}< at {at}>< face {face}>",
    core.Shuffle: "shuffle <{cards} into >{zone}",
    core.Turn: "turn {cards} face {face}",
    core.Show: "show {cards}< to {to}>",
    core.Say: "say {parts}",
    core.End: "end< {phase}>",
    core.If: "if {condition}",
    core.For: "for {binder}",
    core.While: "while {condition}<{first}, tested before the first round>",
    core.Random: "random <{into} = >{arg}",
    core.Choice: "{player} chooses< {prompt}>",
    core.Action: "{verb}< {args}>< such that {such_that}>< only if {only_if}>",
    core.Arg: "{form}< at least {low}>< at most {high}> {local} from {domain}< where {where}>< such that {on_set}>",
    core.AtOnce: "at once {binder}",
    core.InTurn: "in turn {binder}",
    core.Spend: "count {steps} steps",
    core.Fail: "fail with {code}: {message}",
    nodes.InitState: "begin the state< of {phase}>",
    nodes.Reveal: "reveal {action} of {player}",
    nodes.Jump: "go to {target}",
    nodes.Branch: "if {condition} go to {then} else {otherwise}",
    nodes.Next: "next {local} of {queue}: go to {body}, else {done}",
    nodes.Call: "call {phase}({args}), back to {back}",
    nodes.Return: "return from {phase}",
    nodes.EndOfRound: "end of a round: go to {target}, or cut short to {final}",
}
"""How a node is written: its fields in braces; a part in angle brackets is left out where a field in it is empty."""

_PARTS = re.compile(r"<([^<>]*)>")
_FIELD = re.compile(r"\{(\w+)\}")


def syntax_text(tree: object) -> str:
    """Return a syntax tree, a node a line, with the line of the spec that each began at."""
    return "".join(f"{line}\n" for line in _syntax(tree, "", 0))


def core_text(rules: Rules) -> str:
    """Return the checked rules: definitions, phases, results and invariants."""
    write = CorePrinter().text
    lines: list[str] = []
    for define in rules.defines:
        assert define.value is not None
        lets = "".join(f" let {write(local)} = {write(value)}:" for local, value in define.lets)
        head = f"define {define.name}" + (f"({write(define.params)})" if define.params else "")
        lines.append(_located(f"{head}{lets} = {write(define.value)}", define.value.span))
    printer = CorePrinter()
    for phase in rules.every_phase:
        params = f"({printer.text(phase.params)})" if phase.params else ""
        lines += ["", _located(f"phase {printer.text(phase)}{params}", phase.span)]
        lines += [line for stmt in phase.body for line in printer.lines(stmt, 1)]
    lines.append("")
    for line in rules.results:
        player = "" if line.player is None else f" {write(line.player)}"
        lines.append(_located(f"{line.what}{player} = {write(line.value)}", line.value.span))
    for invariant in rules.invariants:
        lines.append(_located(f"invariant {write(invariant.condition)}", invariant.span))
    return "\n".join(lines).strip("\n") + "\n"


def program_text(program: nodes.Program) -> str:
    """Return the nodes of a state machine."""
    printer = CorePrinter()
    write = printer.text
    entries = {number: f", where {printer.text(phase)} begins" for phase, number in program.phase_entries.items()}
    lines = [f"begin at {program.entry}"]
    for node in program.nodes:
        lines.append("")
        head = f"{node.number}{entries.get(node.number, '')}:"
        match node:
            case nodes.Auto():
                lines.append(_located(head, node.span))
                for step in node.steps:
                    lines += printer.lines(step, 1)
                lines.append(f"    {write(node.exit)}")
            case nodes.Decision():
                later = "" if node.only is None else f" goes on with {node.only.action.verb}, stage {node.stage + 1}"
                lines.append(_located(f"{head} {write(node.choice.player)} chooses{later}", node.span))
                for way in node.open_ways:
                    numbers = ", ".join(f"{s.base}..{s.base + s.size - 1}" for s in way.stages)
                    lines.append(f"    {write(way.action)}  actions {numbers}, goes to {way.body}")
            case nodes.Chance():
                lines.append(_located(f"{head} chance {write(node.random.arg)}, goes to {node.next}", node.span))
            case nodes.Final():
                lines.append(f"{head} end")
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
    elif isinstance(node, msgspec.Struct):
        span = getattr(node, "span", None)
        fields = [name for name in node.__struct_fields__ if name != "span"]
        plain = {f: v for f in fields if not _holds_nodes(v := getattr(node, f)) and v not in (None, (), False)}
        values = " ".join(f"{field}={value!r}" for field, value in plain.items())
        text = f"{head}{type(node).__name__} {values}".rstrip()
        yield _located(text, span) if isinstance(span, Span) else text
        for field in fields:
            if _holds_nodes(getattr(node, field)):
                yield from _syntax(getattr(node, field), field, depth + 1)


def _holds_nodes(value: object) -> bool:
    if isinstance(value, tuple | list):
        return any(map(_holds_nodes, value))
    return isinstance(value, msgspec.Struct)


@attrs.define
class CorePrinter:
    """Prints expressions, statements and steps by their templates."""

    _made: dict[Local, str] = attrs.field(factory=dict)

    def text(self, value: Any) -> str:
        """Return an expression, a statement without its blocks, or another part of either, on one line."""
        match value:
            case core.Const():
                return _constant(value)
            case core.Phase():
                return value.name + (f", level {value.level}" if value.level > 1 else "")
            case Local():
                return value.name or self._made.setdefault(value, f"t{len(self._made) + 1}")
            case core.Op(op=op, args=(inner,)):
                return f"{op} {self.text(inner)}"
            case core.Op(op=op, args=args):
                return f"({f' {op} '.join(map(self.text, args))})"
            case core.Chain(alternatives=alternatives):
                links = [self.text(v) if c is None else f"{self.text(v)} if {self.text(c)}" for c, v in alternatives]
                return f"({' else '.join(links)})"
            case core.KindTest():
                given = ", ".join(f"{name}={self.text(wanted)}" for name, wanted in value.attributes)
                return "|".join(sorted(value.kinds)) + (f"({given})" if given else "")
            case (Local() as local, defined):
                return f"with {self.text(local)} = {self.text(defined)}"
            case (int() as low, int() as high):
                return f"{low}..{high}"
            case (str(), *_) | (_, str(), *_):
                words = (part if isinstance(part, str) else f"{{{self.text(part)}}}" for part in value)
                return f'"{"".join(words)}"'
            case tuple():
                return ", ".join(map(self.text, value))
            case str():
                return value
            case None | bool():
                return ""
            case int():
                return str(value)
        if value.__class__ in TEMPLATES:
            return self._filled(TEMPLATES[value.__class__], value)
        if hasattr(value, "name"):
            return str(value.name)
        return " ".join([value.__class__.__name__.lower(), *map(self.text, core.children(value))])

    def _filled(self, template: str, node: Any) -> str:
        def part(place: int, text: str) -> str:
            if place % 2 and any(getattr(node, name) in (None, (), False) for name in _FIELD.findall(text)):
                return ""
            return _FIELD.sub(lambda field: self.text(getattr(node, field[1])), text)

        return "".join(part(place, text) for place, text in enumerate(_PARTS.split(template)))

    def lines(self, stmt: nodes.Step | core.Action, depth: int) -> list[str]:
        """Return the lines of a statement, a step or an action, with the blocks in it."""
        margin = "    " * depth
        if isinstance(stmt, nodes.Reach):
            return [f"{margin}reach {', '.join(stmt.tags)}"]
        tags = () if isinstance(stmt, nodes.InitState | nodes.Reveal) else stmt.tags
        reached = f" [{', '.join(tags)}]" if tags else ""
        found = [_located(margin + self.text(stmt) + reached, stmt.span)]
        inside: tuple[core.Stmt | core.Action, ...] = ()
        match stmt:
            case core.If():
                found += [line for inner in stmt.then for line in self.lines(inner, depth + 1)]
                if stmt.otherwise:
                    found.append(f"{margin}else")
                inside = stmt.otherwise
            case core.Choice():
                inside = core.all_actions(stmt)
            case core.AtOnce():
                inside = (stmt.choice,)
            case core.Action():
                inside = stmt.body
            case nodes.InitState() | nodes.Reveal():
                pass
            case _:
                inside = tuple(inner for block in core.blocks_inside(stmt) for inner in block)
        return found + [line for inner in inside for line in self.lines(inner, depth + 1)]


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
