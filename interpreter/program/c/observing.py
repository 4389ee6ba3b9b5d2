"""Print what random plays are counted by, and what players see of the variables: the tables of two headers."""

from __future__ import annotations

from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import indices_of, owner_at, viewers_at
from interpreter.analysis.types import Card, Int, base_of, cells_of
from interpreter.program.c.decisions import DecisionPrinter
from interpreter.program.c.layout import name_of
from interpreter.program.nodes import Decision


def print_observation(printer: DecisionPrinter) -> None:
    """Print the table of the variables that somebody sees, with their cells (`interpreter.knowledge.tensors`)."""
    faces, players, rows = printer.num_faces, printer.players, []
    at = 2 * players + (faces + 1) * sum(zone.places for zone in printer.rules.zones)
    for variable in printer.rules.variables:
        size = cells_of(variable.type, faces, players)
        seen, stored, type_ = printer.viewers(variable), printer.layout.stored(variable.type), base_of(variable.type)
        # What a phase has not set yet is none.
        begun = [f"offsetof(S, begun{phase.number})" for phase in printer.rules.phases if phase.name == variable.phase]
        form = "NUMBER_CELL" if isinstance(type_, Int) else "FACE_CELL" if isinstance(type_, Card) else "VALUE_CELL"
        if seen is not None:
            where = f"offsetof(S, {name_of(variable)}), {begun[0] if begun else 0}, {seen}"
            rows.append(f"{{{where}, {at}, {size}, {variable.places}, {stored.bits}, {int(stored.optional)}, {form}}}")
        at += variable.places * size
    printer.text.add(f"#define OBSERVED {at + faces}")
    printer.text.add(f"#define SEEN_N {len(rows)}")
    printer.text.add(f"#define SEEN_TABLE {{{', '.join(rows) or '{0}'}}}")
    printer.text.add('#include "observe.h"')


def print_counting(printer: DecisionPrinter) -> None:
    """Print the numbers and the function that `counted.h` needs."""
    add, rules, program = printer.text.add, printer.rules, printer.program
    printer.stand(None)
    add(f"#define NODES {len(program.nodes)}")
    add(f"#define TAGS {len(rules.tag_names)}")
    begins = [int(isinstance(node, Decision) and node.only is None) for node in program.nodes]
    add(f"static const uint8_t BEGINS[NODES] = {{{', '.join(map(str, begins))}}};")
    with printer.text.block("static void in_hands(const S *s, set_t *out)"):
        add("(void)s; (void)out;")
        for place, owner in hands_of(rules):
            add(f"out[{owner}] = set_or(out[{owner}], cards_at(s, {place}));")


def hands_of(rules: Rules) -> list[tuple[int, int]]:
    """Return the places that are hands, each with its owner, among the places of all zones in their order.

    A *hand* is a place that belongs to a player and that only its owner sees; in a game that has none, one that belongs
    to a player who sees it.
    """
    places = [(owner_at(zone, index), viewers_at(zone, index, rules.num_players))
              for zone in rules.zones for index in indices_of(zone)]  # fmt: skip
    owned = [(at, owner, viewers) for at, (owner, viewers) in enumerate(places) if owner is not None]
    private = [(at, owner) for at, owner, viewers in owned if viewers == 1 << owner]
    return private or [(at, owner) for at, owner, viewers in owned if viewers >> owner & 1]
