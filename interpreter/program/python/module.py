"""Generate the Python of a game from its program.

Takes a `Program`, gives `Generated`: the text of a module, the objects it refers to, and the span of
each of its lines.  The text is made of numbers and of names that this package chose, so nothing in a
spec can become code.  Names of locals are settled last, as a linker does: when everything is printed it is known which
of them several functions share, and these become slots of the state.
"""

from __future__ import annotations

import re
from typing import assert_never

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.core import Define
from interpreter.program.layout import Layout
from interpreter.program.nodes import Auto, Chance, Decision, Entry, Final, InitState, NextInLoop, NextTurn, Program
from interpreter.program.passes import Passes
from interpreter.program.python.decisions import DecisionPrinter
from interpreter.program.python.expressions import Printer
from interpreter.program.python.lines import Lines
from interpreter.program.python.statements import StatementPrinter


@attrs.frozen(eq=False)
class Generated:
    """A game as Python text.

    `tables` are the objects its names refer to; `spans[i]` is the place in the spec of line i + 1.
    """

    text: str
    tables: dict[str, object]
    spans: tuple[Span | None, ...]
    layout: Layout


def generate(program: Program, *, logged: bool) -> Generated:
    """Return the Python of a program; `logged` adds events, rule coverage and explanations."""
    layout = Layout.of(program)
    passes = Passes(program.rules, layout, logged=logged)
    lines, printer = _print(program, layout, passes)
    shared = [local for local, units in printer.seen.items() if len(units) > 1]
    layout.give_slots(sorted(shared, key=lambda local: local.number))
    slots = {f"x{local.number}": f"v[{slot}]" for local, slot in layout.local_slots.items()}
    text = _LOCAL.sub(lambda name: slots.get(name[0], name[0]), "\n".join(lines.text))
    return Generated(text + "\n", printer.tables, tuple(lines.spans), layout)


_LOCAL = re.compile(r"\bx\d+\b")


def _print(program: Program, layout: Layout, passes: Passes) -> tuple[Lines, Printer]:
    logged = passes.logged
    printer = Printer(program.rules, layout, passes)
    base = StatementPrinter(program, layout, printer, logged=logged)
    decisions = DecisionPrinter(base)
    print_definitions(base)
    for phase in program.rules.phases:
        if phase in program.automatic:
            base.automatic_phase(phase)
    for node in program.nodes:
        match node:
            case Auto():
                pass
            case Decision():
                decisions.decision(node)
                decisions.prompt(node)
                if logged and node.only is None:
                    decisions.explain(node)
            case Chance():
                decisions.chance(node)
            case Final():
                decisions.final(node)
            case _:
                assert_never(node)
    _nodes(base, program)
    for number, invariant in enumerate(program.rules.invariants):
        base.begin(f"i{number}", "st, v, z")
        base.lines.add(f"return {printer.value(invariant.condition)}", invariant.span)
    if logged:
        base.begin("b", "st, v, z")
        base.step(InitState(None, program.rules.play.span))
        base.lines.add("return")
        for entry in program.entries.values():
            _entry(base, entry)
    _listing(base, program, logged=logged)
    print_prepared(base)
    return base.lines, printer


def _nodes(base: StatementPrinter, program: Program) -> None:
    """Print the nodes without decision that a number leads to; the others are carried out by these."""
    printed: set[int] = set()
    while base.needed - printed:
        for number in sorted(base.needed - printed):
            printed.add(number)
            node = program.nodes[number]
            if isinstance(node, Auto):
                base.auto(node)


def print_definitions(base: StatementPrinter) -> None:
    """Print all definitions; first those that depend on one card alone, since others look them up in tables."""
    printer = base.printer
    for define in printer.passes.tables:
        _definition(base, define)
        printer.prepared.append(f"W{define.number} = for_each_card(lambda c: d{define.number}(None, None, None, c))")
    for define in base.program.rules.defines:
        if define not in printer.passes.tables:
            _definition(base, define)


def print_prepared(base: StatementPrinter) -> None:
    """Print what is computed once, when all functions are there."""
    base.lines.depth = 0
    for line in base.printer.prepared:
        base.lines.add(line)


def _definition(base: StatementPrinter, define: Define) -> None:
    """Print a definition as a function."""
    printer, lines = base.printer, base.lines
    assert define.value is not None
    names = {p: f"a{p.number}" for p in define.params}
    base.begin(f"d{define.number}", ", ".join(["st", "v", "z", *names.values()]))
    with printer.binding(names):
        base.reach(define.declaration.tags)
        for let, (local, value) in zip(define.declaration.lets, define.lets, strict=True):
            base.reach(let.tags)
            lines.add(f"{printer.local(local)} = {printer.line_value(value)}", value.span)
        if isinstance(define.value, core.Chain):
            _chain(base, define.value)
        else:
            lines.add(f"return {printer.line_value(define.value)}", define.value.span)


def _chain(base: StatementPrinter, chain: core.Chain) -> None:
    """Print a chain alternative by alternative; one with a condition is final when that holds."""
    printer, lines = base.printer, base.lines
    last = len(chain.alternatives) - 1
    for place, (condition, value) in enumerate(chain.alternatives):
        tags = chain.tags[place] if chain.tags else ()
        text = printer.line_value(value)
        if condition is not None:
            lines.add(f"if {printer.condition(condition)}:", condition.span)
            lines.depth += 1
            base.reach(tags)
            lines.add(f"return {text}", value.span)
            lines.depth -= 1
        elif place == last:
            base.reach(tags)
            lines.add(f"return {text}", value.span)
            return
        else:
            name = printer.fresh()
            lines.add(f"{name} = {text}", value.span)
            lines.add(f"if {name} is not None:")
            lines.depth += 1
            base.reach(tags)
            lines.add(f"return {name}")
            lines.depth -= 1
    lines.add("return None")


def _entry(base: StatementPrinter, entry: Entry) -> None:
    """Print how to stand at the beginning of a phase; `args` None means those of its call.

    `rounds` gives what it is the round of, by the numbers of loops; of all others it is the first.
    """
    printer, lines = base.printer, base.lines
    base.begin(f"b{entry.phase.number}", "st, v, z, args, rounds")
    for steps, call, back in entry.path:
        for step in steps:
            if isinstance(step, NextInLoop | NextTurn):
                base.first_round(step, call.span)
            else:
                base.step(step)
        if call.phase is entry.phase:
            lines.add("if args is None:")
            lines.depth += 1
            base.call(call.phase, call.args, back, call.span)
            lines.depth -= 1
            lines.add("else:")
            lines.depth += 1
            for number, param in enumerate(call.phase.params):
                lines.add(f"{printer.local(param)} = args[{number}]")
                for step in steps:
                    if isinstance(step, NextInLoop | NextTurn) and _names(call.args[number], step):
                        base.round_of(step, printer.local(param))
            lines.add(f"v[{base.layout.returns[call.phase]}] = {back}")
            lines.depth -= 1
        else:
            base.call(call.phase, call.args, back, call.span)
            base.step(InitState(call.phase, call.span))
    lines.add(f"return {base.program.phase_entries[entry.phase]}")


def _names(given: core.Expr, loop: NextInLoop | NextTurn) -> bool:
    """Whether an argument of a call is the thing whose round it is, or the player whose turn."""
    local = loop.local if isinstance(loop, NextInLoop) else loop.binder.local
    return isinstance(given, core.LocalRef) and given.local is local


def _listing(base: StatementPrinter, program: Program, *, logged: bool) -> None:
    """Print the tables of functions by node."""
    lines = base.lines
    lines.depth = 0
    numbers = range(len(program.nodes))
    stops = [isinstance(n, Decision | Chance) for n in program.nodes]
    decisions = [isinstance(n, Decision) for n in program.nodes]
    printed = [stops[i] or i in base.needed for i in numbers]
    lines.add("RUN = (" + "".join(f"n{i}, " if printed[i] else "None, " for i in numbers) + ")")
    lines.add("LEGAL = (" + "".join(f"l{i}, " if stops[i] else "None, " for i in numbers) + ")")
    lines.add("APPLY = (" + "".join(f"a{i}, " if stops[i] else "None, " for i in numbers) + ")")
    lines.add("PROMPT = (" + "".join(f"q{i}, " if decisions[i] else "None, " for i in numbers) + ")")
    lines.add("INVARIANTS = (" + "".join(f"i{i}, " for i in range(len(program.rules.invariants))) + ")")
    if logged:
        main = [i for i in numbers if isinstance(n := program.nodes[i], Decision) and n.only is None]
        lines.add("EXPLAIN = {" + ", ".join(f"{i}: e{i}" for i in main) + "}")
        starts = ", ".join(f"{e.phase.number}: b{e.phase.number}" for e in program.entries.values())
        lines.add("BEGIN = {" + starts + "}")
