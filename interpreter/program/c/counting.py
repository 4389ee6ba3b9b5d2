"""Print what plays are counted by, beside the rules they reach: whose hands hold which cards, and what ends mean.

A *hand* is a place that belongs to a player and that only its owner sees; in a game that has none, one that belongs to
a player who sees it.  `interpreter.native.counted` and `interpreter.simulate.recording` count by the same places.
"""

from __future__ import annotations

from interpreter.analysis.symbols import indices_of, owner_at, viewers_at
from interpreter.program.c.decisions import DecisionPrinter
from interpreter.program.c.order import is_set
from interpreter.program.nodes import Decision


def print_counting(printer: DecisionPrinter) -> None:
    """Print the numbers and the function that `counted.h` asks for."""
    add, rules, program = printer.text.add, printer.rules, printer.program
    printer.text.span = None
    add(f"#define NODES {len(program.nodes)}")
    add(f"#define TAGS {len(rules.tag_names)}")
    add(f"#define BLOCKS {len(program.shapes)}")
    block_of = {
        base: n for n, shape in enumerate(program.shapes) for base in range(shape.base, shape.base + shape.size)
    }
    blocks = (block_of.get(action, 0) for action in range(max(1, program.num_actions)))
    add(f"static const int16_t BLOCK[ACTIONS] = {{{', '.join(map(str, blocks))}}};")
    begins = [int(isinstance(node, Decision) and node.only is None) for node in program.nodes]
    add(f"static const uint8_t BEGINS[NODES] = {{{', '.join(map(str, begins))}}};")
    with printer.text.block("static void in_hands(const S *s, set_t *out)"):
        add("(void)s; (void)out;")
        for number, place, owner in _hands(printer):
            zone = rules.zones[number]
            there = f"{printer.field(number)}[{place}]"
            cards = there if is_set(zone) else f"set_of({there}, {printer.field(number)}_n[{place}])"
            add(f"out[{owner}] = set_or(out[{owner}], {cards});")


def _hands(printer: DecisionPrinter) -> list[tuple[int, int, int]]:
    """Return the hands: the number of the zone, the place in it, the owner."""
    owned: list[tuple[int, int, int, int]] = []
    for number, zone in printer.zones():
        for place, index in enumerate(indices_of(zone)):
            owner = owner_at(zone, index)
            if owner is not None:
                owned.append((number, place, owner, viewers_at(zone, index, printer.players)))
    private = [(n, place, owner) for n, place, owner, viewers in owned if viewers == 1 << owner]
    return private or [(n, place, owner) for n, place, owner, viewers in owned if viewers >> owner & 1]
