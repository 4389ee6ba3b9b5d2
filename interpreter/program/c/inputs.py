"""Print the tables by which a network reads a state and an action (`interpreter/native/c/inputs.h`).

Inputs are numbered once for a game: who looks, the places of cards, the variables, what is picked, which verbs are
legal, and what the viewer remembers.  Players count from the viewer, so that all seats share what they learn.

Of a card at a position, inputs also say whether its face, or the next lower one, is seen in each family of zones: what
follows what is then learned once, and not for each face.
"""

from __future__ import annotations

from collections import Counter
from math import prod

from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Family, Zone
from interpreter.analysis.types import Card, Int, Player, base_of, cells_of, is_optional
from interpreter.program.c.layout import is_set, name_of
from interpreter.program.c.statements import StatementPrinter

STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 50, 65, 85, 110, 150, 200, 300)
"""A number is written as which of these it reaches (a thermometer code)."""
SHORT = 10
"""Cards of an ordered place up to which each position has inputs of its own; of a longer one the first few have."""
FIRST = 3
COPIES = 3
"""Copies of a face that are counted."""
FEW = 16
"""Values of a range up to which each has an input of its own."""
BUCKETS = 512
"""Inputs for the hash of a remembered decision; there are two of them."""
MADE = 128
"""Inputs for the hash of a decision that was made since cards were shuffled (`SAID_BUCKETS` in `memory.h`)."""
RECALLED = 3
"""Decisions that are remembered (`memory.h`)."""


def print_inputs(printer: StatementPrinter) -> None:
    """Print the tables, for libraries that are built with the define LEARNING."""
    with printer.only("LEARNING"):
        printer.text.add(f"#define STEPS_TABLE {{{', '.join(map(str, STEPS))}}}")
        at = _values(printer, _related(printer, _places(printer)))
        faces = max(1, printer.num_faces)
        parts = {
            "PICKED_AT": faces, "VERBS_AT": max(1, len(printer.program.shapes)), "MET_AT": COPIES * faces,
            "MADE_AT": 3 * MADE, "RECALL_AT": 2 * BUCKETS * RECALLED,
        }  # fmt: skip
        for name, size in parts.items():
            printer.text.add(f"#define {name} {at}")
            at += size
        printer.text.add(f"#define BUCKETS {BUCKETS}")
        printer.text.add(f"#define INPUTS {at}")
        _actions(printer)


def _turned(family: Family, players: int) -> list[list[int]]:
    """Return for each viewer the permutation of the places of a family if players are numbered from the viewer."""
    tables = []
    for viewer in range(players):
        table = []
        for place in range(family.places):
            turned, rest = 0, place
            for type_, size, stride in zip(
                family.indices, family.sizes, (prod(family.sizes[k + 1 :]) for k in range(len(family.sizes))),
                strict=True,
            ):  # fmt: skip
                digit, rest = divmod(rest, stride)
                turned += ((digit - viewer) % size if isinstance(base_of(type_), Player) else digit) * stride
            table.append(turned)
        tables.append(table)
    return tables


def _places(printer: StatementPrinter) -> int:
    at, faces, rows = printer.players, printer.num_faces, list[str]()
    most = max(Counter(printer.rules.card_faces).values(), default=1)
    turned: list[list[int]] = [[] for _ in range(printer.players)]
    for zone in printer.rules.zones:
        seen, first = _is_seen(printer, zone), _positions(printer, zone)
        copies = min(COPIES, most) if seen and first < zone.capacity else 0
        size = len(STEPS) + (first + copies) * faces
        for viewer, table in enumerate(_turned(zone, printer.players)):
            turned[viewer] += [len(rows) + place for place in table]
        for _ in range(zone.places):
            rows.append(f"{{{at}, {first}, {copies}}}")
            at += size
    flat = ", ".join(str(place) for table in turned for place in table)
    printer.text.add(f"#define INPUT_PLACES {{{', '.join(rows) or '{0}'}}}")
    printer.text.add(f"#define TURNED_PLACES {{{flat or '0'}}}")
    return at


def _is_seen(printer: StatementPrinter, zone: Zone) -> bool:
    return any(printer.seeing(zone)) or printer.layout.keeps_up


def _positions(printer: StatementPrinter, zone: Zone) -> int:
    """Return how many positions of each place have inputs of their own."""
    if not _is_seen(printer, zone) or (is_set(zone) and zone.capacity > 1):
        return 0
    return zone.capacity if zone.capacity <= SHORT else FIRST


def _related(printer: StatementPrinter, at: int) -> int:
    """Print the next lower face of each face by each order, and where the inputs of what is related begin."""
    zones = printer.rules.zones
    lower = _lower_faces(printer.rules) if any(_positions(printer, zone) for zone in zones) else []
    seen = [zone for zone in zones if _is_seen(printer, zone)]
    size, families, rows = 2 * len(lower) * len(seen), [], []
    for zone in zones:
        families += [seen.index(zone) if zone in seen else -1] * zone.places
        for _ in range(zone.places):
            rows.append(at)
            at += _positions(printer, zone) * size
    add = printer.text.add
    add(f"#define ORDERS_N {len(lower)}")
    add(f"#define FAMILIES_N {len(seen)}")
    lines = ", ".join(f"{{{', '.join(map(str, row))}}}" for row in lower)
    add(f"#define LOWER_FACES {{{lines or '{0}'}}}")
    add(f"#define FAMILIES {{{', '.join(map(str, families)) or '0'}}}")
    add(f"#define RELATED_PLACES {{{', '.join(map(str, rows)) or '0'}}}")
    return at


def _lower_faces(rules: Rules) -> list[list[int]]:
    """Return for each attribute with an order the next lower face of each face, with other attributes alike, or -1."""
    found = []
    for name in _orders(rules):
        row, last = [-1] * len(rules.faces), dict[tuple[object, ...], int]()
        places = {k.name: at for k in rules.kinds.values() for at, a in enumerate(k.attributes) if a.name == name}
        ranked = [(f.values[places[f.kind]], number) for number, f in enumerate(rules.faces) if f.kind in places]
        for _, number in sorted(ranked):
            face = rules.faces[number]
            at = places[face.kind]
            others = face.kind, face.owner, face.values[:at], face.values[at + 1 :]
            row[number] = last.get(others, -1)
            last[others] = number
        found.append(row)
    return found


def _orders(rules: Rules) -> list[str]:
    """Return the attributes of cards that are numbers, or that the rules compare by their order."""
    attributes = [attribute for kind in rules.kinds.values() for attribute in kind.attributes]
    found = {attribute.name for attribute in attributes if isinstance(base_of(attribute.type), Int)}
    for expr in core.walk_with_definitions(*rules.expressions()):
        if isinstance(expr, core.Op) and expr.op in ("<", "<=", ">", ">="):
            keys = expr.args
        elif isinstance(expr, core.Extreme | core.Sorted):
            keys = expr.by.items if isinstance(expr.by, core.TupleOf) else (expr.by,)
        else:
            continue
        found |= {key.name for key in keys if isinstance(key, core.CardAttr)}
    return list(dict.fromkeys(attribute.name for attribute in attributes if attribute.name in found))


def _values(printer: StatementPrinter, at: int) -> int:
    faces, players, rows = printer.num_faces, printer.players, []
    turned: list[int] = []
    for variable in printer.rules.variables:
        seen, stored, type_ = printer.viewers(variable), printer.layout.stored(variable.type), base_of(variable.type)
        if seen is None:
            continue
        low = type_.low if isinstance(type_, Int) else 0
        high = type_.high if isinstance(type_, Int) else None
        form, size = "VALUE_INPUT", cells_of(variable.type, faces, players)
        if isinstance(type_, Int) and (low is None or high is None or high - low >= FEW):
            form, size, low = "STEP_INPUT", 2 * len(STEPS) + 1, low or 0
        elif isinstance(type_, Int):
            size = (high or 0) - (low or 0) + 1 + int(is_optional(variable.type))
        elif isinstance(type_, Player):
            form = "PLAYER_INPUT"
        elif isinstance(type_, Card):
            form = "FACE_INPUT"
        begun = [f"offsetof(S, begun{phase.number})" for phase in printer.rules.phases if phase.name == variable.phase]
        where = f"offsetof(S, {name_of(variable)}), {begun[0] if begun else 0}, {seen}"
        optional = int(stored.optional)
        rows.append(
            f"{{{where}, {at}, {size}, {variable.places}, {len(turned)}, {low}, {stored.bits}, {optional}, {form}}}"
        )
        turned += [place for table in _turned(variable, players) for place in table]
        at += variable.places * size
    printer.text.add(f"#define INPUT_VALUES_N {len(rows)}")
    printer.text.add(f"#define INPUT_VALUES {{{', '.join(rows) or '{0}'}}}")
    printer.text.add(f"#define TURNED_VALUES {{{', '.join(map(str, turned)) or '0'}}}")
    return at


def _actions(printer: StatementPrinter) -> None:
    """Print where the slots of the arguments of actions begin, and which arguments are players."""
    shapes, rows, at = printer.program.shapes, [], max(1, len(printer.program.shapes))
    for shape in shapes:
        cells = []
        for type_, size in zip(shape.types, shape.dims, strict=True):
            cells.append(f"{{{at}, {int(isinstance(base_of(type_), Player))}}}")
            at += size
        rows.append(f"{{{', '.join(cells) or '{0}'}}}")
    printer.text.add(f"#define ARGUMENT_SLOTS {{{', '.join(rows) or '{{0}}'}}}")
    printer.text.add(f"#define ACTION_AT {at}")
    printer.text.add(f"#define SLOTS {at + max(1, printer.program.num_actions)}")
    printer.text.add('#include "inputs.h"')
