"""Generate the Python of a game from its optimised program.

Takes a `Program`, gives `Generated`: the text of a module and the objects it refers to.  There is one text for a game:
it plays, and it records events where a state logs.  Texts of a spec never become code; its names do where they are
ASCII identifiers (`interpreter.program.python.names`).
"""

from __future__ import annotations

from typing import assert_never

import attrs

from interpreter.analysis import core
from interpreter.analysis.core import Define
from interpreter.program.layout import Layout
from interpreter.program.nodes import Auto, Chance, Decision, Entry, Final, Program, Round
from interpreter.program.optimise import optimised
from interpreter.program.python.decisions import DecisionPrinter
from interpreter.program.python.sets import SetPrinter
from interpreter.program.python.statements import StatementPrinter


@attrs.frozen(eq=False)
class Generated:
    """A game as Python text; `tables` are the objects its names refer to."""

    text: str
    tables: dict[str, object]
    layout: Layout


def generate(program: Program) -> Generated:
    """Return the Python of a program."""
    layout = Layout.of(program)
    program = optimised(program, layout)
    printer = SetPrinter(program, layout)
    base = StatementPrinter(printer)
    decisions = DecisionPrinter(base)
    for define in program.rules.defines:
        _definition(base, define)
    for phase in program.bodies:
        base.automatic_phase(phase)
    for node in program.nodes:
        match node:
            case Auto():
                pass
            case Decision():
                decisions.decision(node)
            case Chance():
                decisions.chance(node)
            case Final():
                decisions.final(node)
            case _:
                assert_never(node)
    _nodes(base, program)
    for number, invariant in enumerate(program.invariants):
        with base.lines.block(f"def invariant_{number}(st, v, z):"):
            base.at(invariant.span)
            base.lines.add(f"return {printer.value(invariant.condition)}")
    with base.lines.block("def begin_game(st, v, z):"):
        base.init_state(None)
    for entry in program.entries.values():
        _entry(base, entry)
    _listing(base, program, decisions)
    head = [*(f"{name} = {number}" for name, number in printer.constants.items()), f"PICKED = {layout.picked}", ""]
    last = [f"{name} = {text}" for text, name in printer.prepared.items()]
    return Generated("\n".join([*head, *base.lines.text, *last]) + "\n", printer.tables, layout)


def _nodes(base: StatementPrinter, program: Program) -> None:
    """Print the nodes without decision that are functions of their own, not part of another one."""
    printed: set[int] = set()
    left = [node for node in program.nodes if isinstance(node, Auto)]
    first = [n for n in left if n.number not in base.alone]
    # Those that follow a shuffle, or would be indented too deeply inside others, are functions after all.
    while todo := [n for n in first or left if n.number not in printed | base.inside]:
        printed.add(todo[0].number)
        base.auto(todo[0])
        first = [n for n in first if n.number not in printed]


def _definition(base: StatementPrinter, define: Define) -> None:
    """Print a definition as a function."""
    printer, lines, body = base.printer, base.lines, base.program.definitions[define]
    names = {p: printer.fresh(p) for p in (*define.params, *(local for local, _ in body.lets))}
    params = ", ".join(["st", "v", "z", *(names[p] for p in define.params)])
    with lines.block(f"def {printer.define(define)}({params}):"), printer.binding(names):
        base.reach(define.declaration.tags)
        for let, (local, value) in zip(define.declaration.lets, body.lets, strict=True):
            base.reach(let.tags)
            printer.stand(value.span)
            lines.add(f"{names[local]} = {printer.value(value)}")
        printer.stand(body.value.span)
        if isinstance(body.value, core.Chain) and any(body.value.tags):
            _chain(base, body.value)
        else:
            lines.add(f"return {printer.value(body.value)}")


def _chain(base: StatementPrinter, chain: core.Chain) -> None:
    """Print a chain whose alternatives reach rules; one with a condition is final when that holds."""
    printer, lines = base.printer, base.lines
    for (condition, value), tags in zip(chain.alternatives, chain.tags, strict=True):
        printer.stand(value.span)
        if condition is None:
            lines.add(f"found = {printer.value(value)}")
            with lines.block("if found is not None:"):
                base.reach(tags)
                lines.add("return found")
        else:
            with lines.block(f"if {printer.condition(condition)}:"):
                base.reach(tags)
                lines.add(f"return {printer.value(value)}")
    lines.add("return None")


def _entry(base: StatementPrinter, entry: Entry) -> None:
    """Print how to be at the beginning of a phase; `args` None means those of its call.

    A loop whose item is an argument of the phase is in its round; others are in the first one, or in that of the item
    that `rounds` has by the number of its name.
    """
    printer, lines = base.printer, base.lines
    with lines.block(f"def begin_{entry.phase.number}(st, v, z, args, rounds):"):
        for steps, call, back in entry.path:
            for step in steps:
                if isinstance(step, Round):
                    base.round(step, _given(entry, call, step))
                else:
                    base.step(step)
            if call.phase is not entry.phase:
                base.call(call.phase, call.args, back, call.span)
                base.init_state(call.phase)
                continue
            with lines.block("if args is None:"):
                base.call(call.phase, call.args, back, call.span)
            with lines.block("else:"):
                for number, param in enumerate(call.phase.params):
                    lines.add(f"{printer.slot(param)} = args[{number}]")
                lines.add(f"{printer.return_slot(call.phase)} = {back}")
        lines.add(f"return {base.program.phase_entries[entry.phase]}")


def _given(entry: Entry, call: core.CallPhase, step: Round) -> int | None:
    """Return which argument of a phase is the item of a round around its call."""
    for number, arg in enumerate(call.args if call.phase is entry.phase else ()):
        if isinstance(arg, core.LocalRef) and arg.local is step.local:
            return number
    return None


def _listing(base: StatementPrinter, program: Program, decisions: DecisionPrinter) -> None:
    """Print the tables of functions by node."""

    def table(name: str, functions: dict[int, str]) -> None:
        listed = "".join(f"{functions.get(number)}, " for number in range(len(program.nodes)))
        base.lines.add(f"{name} = ({listed})")

    labels, stops = decisions.labels, {n.number for n in program.nodes if isinstance(n, Decision)}
    table("RUN", {n: f"node_{n}" for n in range(len(program.nodes)) if n not in base.inside})
    table("LEGAL", {number: f"legal_{label}" for number, label in labels.items()})
    table("APPLY", {number: f"apply_{label}" for number, label in labels.items()})
    table("PROMPT", {number: f"prompt_{label}" for number, label in labels.items() if number in stops})
    base.lines.add("INVARIANTS = (" + "".join(f"invariant_{i}, " for i in range(len(program.invariants))) + ")")
    starts = ", ".join(f"{e.phase.number}: begin_{e.phase.number}" for e in program.entries.values())
    base.lines.add(f"BEGIN = {{{starts}}}")
    base.lines.add("ORIGINS = {" + "".join(f"{n}: ({found}), " for n, found in decisions.origins.items()) + "}")
