"""Print what a player sees of a state as numbers: `State.observation_tensor`, cell by cell.

The cells are those of `interpreter.knowledge.tensors`.  Who sees a place or a variable is known when this is
printed, so what nobody sees is not even read; the marks of cards that were turned are in the state
(`interpreter.program.c.layout`).
"""

from __future__ import annotations

from interpreter.analysis.core import Variable
from interpreter.analysis.symbols import Zone
from interpreter.analysis.types import Card, Int, base_of, cells_of, is_optional
from interpreter.program.c.decisions import DecisionPrinter
from interpreter.program.c.layout import name_of
from interpreter.program.c.order import is_set


def print_observation(printer: DecisionPrinter) -> None:
    """Print `observe`, which writes OBSERVED numbers into a place that is all 0."""
    add, faces = printer.text.add, printer.num_faces
    printer.stand(None)
    with printer.text.block("static void see(float *at, set_t cards)"):
        face = "FACE[set_take(&cards)]" if printer.copies else "set_take(&cards)"
        add(f"while (!set_empty(cards)) at[{face}] += 1;")
    with printer.text.block("static void observe(const S *s, int viewer, float *out)"):
        add("out[viewer] = 1;")
        add("if (s->cur >= 0) out[PLAYERS + s->cur] = 1;")
        at = 2 * printer.players
        for number, zone in printer.zones():
            _places(printer, number, zone, at)
            at += zone.places * (faces + 1)
        for variable in printer.rules.variables:
            size = cells_of(variable.type, faces, printer.players)
            _values(printer, variable, at, size)
            at += variable.places * size
        add(f"if (s->cur == viewer) see(out + {at}, s->picked);")
    add(f"#define OBSERVED {at + faces}")


def _places(printer: DecisionPrinter, number: int, zone: Zone, start: int) -> None:
    add, layout = printer.text.add, printer.layout
    seen = printer.viewers(zone)
    with printer.text.block(f"for (int i = 0; i < {zone.places}; i++)"):
        add(f"float *at = out + {start} + i * {printer.num_faces + 1};")
        there = f"{printer.field(number)}[i]"
        count = f"set_count({there})" if is_set(zone) else f"{printer.field(number)}_n[i]"
        add(f"at[0] = (float){count};")
        if seen is None and not layout.keeps_up:
            return
        add(f"set_t cards = {there if is_set(zone) else f'set_of({there}, {printer.field(number)}_n[i])'};")
        add(f"set_t seen = {'set_none()' if seen is None else f'{seen}[i] >> viewer & 1 ? cards : set_none()'};")
        if layout.keeps_down:
            add("seen = set_minus(seen, s->down);")
        if layout.keeps_up:
            add("seen = set_or(seen, set_and(cards, s->up));")
        add("see(at + 1, seen);")


def _values(printer: DecisionPrinter, variable: Variable, start: int, size: int) -> None:
    add, type_ = printer.text.add, variable.type
    seen = printer.viewers(variable)
    if seen is None:
        return
    # What a phase has not set yet is none.
    unset = [f"!s->begun{phase.number}" for phase in printer.rules.phases if phase.name == variable.phase]
    with (
        printer.text.block(f"for (int i = 0; i < {variable.places}; i++)"),
        printer.text.block(f"if ({seen}[i] >> viewer & 1)"),
    ):
        add(f"i64 x = {printer.layout.variable_of(variable).read(f's->{name_of(variable)}[i]')};")
        add(f"float *at = out + {start} + i * {size};")
        for test in unset:
            add(f"if ({test}) x = NONE;")
        if is_optional(type_):
            add(f"if (x == NONE) {{ at[{size - 1}] = 1; continue; }}")
        match base_of(type_):
            case Int():
                add("if (x != NONE) at[0] = (float)(double)x;")
            case Card() if printer.copies:
                add("if ((u64)x < CARDS) at[FACE[x]] = 1;")
            case _:  # One of so many, counted from 0.
                add(f"if ((u64)x < {size}) at[x] = 1;")
