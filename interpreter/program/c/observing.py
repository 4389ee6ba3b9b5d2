"""Print what a player sees of a state as numbers: `State.observation_tensor`, cell by cell.

The cells are those of `interpreter.knowledge.tensors`.  Who sees a place or a variable is known when this is
printed, so what nobody sees is not even read; the marks of cards that were turned are in the state
(`interpreter.program.c.layout`).
"""

from __future__ import annotations

from interpreter.analysis.core import Variable
from interpreter.analysis.types import Card, Int, base_of, cells_of, is_optional
from interpreter.program.c.decisions import DecisionPrinter
from interpreter.program.c.layout import name_of


def print_observation(printer: DecisionPrinter) -> None:
    """Print `observe`, which writes OBSERVED numbers into a place that is all 0."""
    add, faces = printer.text.add, printer.num_faces
    printer.stand(None)
    with printer.text.block("static void observe(const S *s, int viewer, float *out)"):
        add("out[viewer] = 1;")
        add("if (s->cur >= 0) out[PLAYERS + s->cur] = 1;")
        at = 2 * printer.players
        add(f"see_places(s, viewer, out + {at});")
        at += (faces + 1) * sum(zone.places for zone in printer.rules.zones)
        for variable in printer.rules.variables:
            size = cells_of(variable.type, faces, printer.players)
            _values(printer, variable, at, size)
            at += variable.places * size
        add(f"if (s->cur == viewer) see(out + {at}, s->picked);")
    add(f"#define OBSERVED {at + faces}")


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
        add(f"i64 x = {printer.layout.stored(variable.type).read(f's->{name_of(variable)}[i]')};")
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
