"""Print what plays are counted by, beside the rules they reach: beginnings of decisions, and hands."""

from __future__ import annotations

from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import indices_of, owner_at, viewers_at
from interpreter.program.c.decisions import DecisionPrinter
from interpreter.program.nodes import Decision


def print_counting(printer: DecisionPrinter) -> None:
    """Print the numbers and the function that `counted.h` asks for."""
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
