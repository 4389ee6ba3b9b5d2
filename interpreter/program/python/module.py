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
    printer = DecisionPrinter(program, layout)
    for define in program.rules.defines:
        _definition(printer, define)
    for phase in program.bodies:
        printer.automatic_phase(phase)
    for node in program.nodes:
        match node:
            case Auto():
                pass
            case Decision():
                printer.decision(node)
            case Chance():
                printer.chance(node)
            case Final():
                printer.final(node)
            case _:
                assert_never(node)
    _nodes(printer)
    for number, invariant in enumerate(program.invariants):
        with printer.lines.block(f"def invariant_{number}(st, v, z):"):
            printer.enter(invariant.span)
            printer.lines.add(f"return {printer.value(invariant.condition)}")
    with printer.lines.block("def begin_game(st, v, z):"):
        printer.init_state(None)
    for entry in program.entries.values():
        _entry(printer, entry)
    _listing(printer)
    head = [*(f"{name} = {number}" for name, number in printer.constants.items()), f"PICKED = {layout.picked}", ""]
    return Generated("\n".join([*head, *printer.lines.text]) + "\n", printer.tables, layout)


def _nodes(printer: DecisionPrinter) -> None:
    """Print the nodes without decision that are functions of their own, not part of another one."""
    printed: set[int] = set()
    left = [node for node in printer.program.nodes if isinstance(node, Auto)]
    first = [n for n in left if n.number not in printer.alone]
    # Those that follow a shuffle, or would be indented too deeply inside others, are functions after all.
    while todo := [n for n in first or left if n.number not in printed | printer.inside]:
        printed.add(todo[0].number)
        printer.auto(todo[0])
        first = [n for n in first if n.number not in printed]


def _definition(printer: DecisionPrinter, define: Define) -> None:
    """Print a definition as a function."""
    lines, body = printer.lines, printer.program.definitions[define]
    names = {p: printer.fresh(p) for p in (*define.params, *(local for local, _ in body.lets))}
    params = ", ".join(["st", "v", "z", *(names[p] for p in define.params)])
    with lines.block(f"def {printer.define(define)}({params}):"), printer.binding(names):
        printer.reach(define.declaration.tags)
        for let, (local, value) in zip(define.declaration.lets, body.lets, strict=True):
            printer.reach(let.tags)
            printer.stand(value.span)
            lines.add(f"{names[local]} = {printer.value(value)}")
        printer.stand(body.value.span)
        if isinstance(body.value, core.Chain) and any(body.value.tags):
            _chain(printer, body.value)
        else:
            lines.add(f"return {printer.value(body.value)}")


def _chain(printer: DecisionPrinter, chain: core.Chain) -> None:
    """Print a chain whose alternatives reach rules; one with a condition is final when that holds."""
    lines = printer.lines
    for (condition, value), tags in zip(chain.alternatives, chain.tags, strict=True):
        printer.stand(value.span)
        if condition is None:
            lines.add(f"found = {printer.value(value)}")
            with lines.block("if found is not None:"):
                printer.reach(tags)
                lines.add("return found")
        else:
            with lines.block(f"if {printer.value(condition)}:"):
                printer.reach(tags)
                lines.add(f"return {printer.value(value)}")
    lines.add("return None")


def _entry(printer: DecisionPrinter, entry: Entry) -> None:
    """Print how to be at the beginning of a phase; `args` None means those of its call.

    A loop whose item is an argument of the phase is in its round; others are in the first one, or in that of the item
    that `rounds` has by the number of its name.
    """
    lines = printer.lines
    with lines.block(f"def begin_{entry.phase.number}(st, v, z, args, rounds):"):
        for steps, call, back in entry.path:
            for step in steps:
                if isinstance(step, Round):
                    printer.round(step, _given(entry, call, step))
                else:
                    printer.step(step)
            if call.phase is not entry.phase:
                printer.call_phase(call.phase, call.args, back, call.span)
                printer.init_state(call.phase)
                continue
            with lines.block("if args is None:"):
                printer.call_phase(call.phase, call.args, back, call.span)
            with lines.block("else:"):
                for number, param in enumerate(call.phase.params):
                    lines.add(f"{printer.slot(param)} = args[{number}]")
                lines.add(f"{printer.return_slot(call.phase)} = {back}")
        lines.add(f"return {printer.program.phase_entries[entry.phase]}")


def _given(entry: Entry, call: core.CallPhase, step: Round) -> int | None:
    """Return which argument of a phase is the item of a round around its call."""
    for number, arg in enumerate(call.args if call.phase is entry.phase else ()):
        if isinstance(arg, core.LocalRef) and arg.local is step.local:
            return number
    return None


def _listing(printer: DecisionPrinter) -> None:
    """Print the tables of functions by node."""

    def table(name: str, functions: dict[int, str]) -> None:
        listed = "".join(f"{functions.get(number)}, " for number in range(len(printer.program.nodes)))
        printer.lines.add(f"{name} = ({listed})")

    labels, stops = printer.labels, {n.number for n in printer.program.nodes if isinstance(n, Decision)}
    table("RUN", {n: f"node_{n}" for n in range(len(printer.program.nodes)) if n not in printer.inside})
    table("LEGAL", {number: f"legal_{label}" for number, label in labels.items()})
    table("APPLY", {number: f"apply_{label}" for number, label in labels.items()})
    table("PROMPT", {number: f"prompt_{label}" for number, label in labels.items() if number in stops})
    printer.lines.add(
        "INVARIANTS = (" + "".join(f"invariant_{i}, " for i in range(len(printer.program.invariants))) + ")"
    )
    starts = ", ".join(f"{e.phase.number}: begin_{e.phase.number}" for e in printer.program.entries.values())
    printer.lines.add(f"BEGIN = {{{starts}}}")
    printer.lines.add("ORIGINS = {" + "".join(f"{n}: ({found}), " for n, found in printer.origins.items()) + "}")
