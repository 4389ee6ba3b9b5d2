"""Generate the C of a game from its program.

Takes a `Program`, gives `GeneratedC`: the text of one file and the faults that its code can report by number.  The text
is made of numbers and of names that begin with a letter and a number.  One text serves every kind of library: what a
kind adds to the steps of a game is a hook (`interpreter/native/c/hooks.h`), a macro that is empty unless the library is
built with its define.  The helpers that all games share are headers, which the text includes.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from interpreter.analysis.core import Define, Phase
from interpreter.analysis.limits import MOST_RESTS, MOST_SETS, RESULT_LIMIT, STEP_LIMIT, TEST_STEPS, TRY_STEPS
from interpreter.analysis.symbols import Local, indices_of, owner_at
from interpreter.analysis.types import Card, Cards, Int, base_of, cells_of, range_low
from interpreter.program.c.inputs import print_inputs
from interpreter.program.c.layout import CLayout, is_set, name_of
from interpreter.program.c.names import Fault
from interpreter.program.c.reads import print_reads
from interpreter.program.c.statements import NODES_OF_A_FUNCTION, StatementPrinter
from interpreter.program.layout import Layout, hands_of
from interpreter.program.nodes import Auto, Chance, Decision, Final, InitState, Node, Program
from interpreter.program.optimise import optimised


class GeneratedC(msgspec.Struct, frozen=True, eq=False):
    """A game as C.

    `faults[n - 1]` are the code, the message and the site of the fault with number n; a comment in the text names the
    site of the lines after it (`SITE`).
    """

    text: str
    faults: tuple[Fault, ...]


def generate_c(program: Program, *, tagged: bool = False) -> GeneratedC:
    """Return the C of a program; with `tagged` no definition with rule tags is inlined, so that each use is counted.

    Raises UnprintableError where a rule has no form in C.
    """
    program = optimised(program, Layout.of(program), tagged=tagged, masks=True)
    printer = StatementPrinter(program, CLayout.of(program), tagged=tagged)
    _steps_of_game(printer)
    lines = [*_head(printer), *printer.constants, *_state(printer), *printer.text.lines, '#include "calls.h"']
    return GeneratedC("".join(f"{line}\n" for line in lines), tuple(printer.faults))


def _head(printer: StatementPrinter) -> list[str]:
    rules, program = printer.rules, printer.program
    card = next(bits for bits in (8, 16, 32) if len(rules.card_faces) <= 2**bits)
    begun = [node.number for node in program.nodes if isinstance(node, Decision) and node.only is not None]
    unfinished = " || ".join(f"(s)->pc == {number}" for number in begun)
    return [
        f"#define CARDS {len(rules.card_faces)}",
        f"#define FACES {max(1, printer.num_faces)}",
        f"#define PLAYERS {rules.num_players}",
        f"#define ACTIONS {max(1, program.num_actions)}",
        f"#define LIST {printer.layout.list_size}",
        f"#define STEPS {STEP_LIMIT}",
        f"#define TEST_STEPS {TEST_STEPS}",
        f"#define TRY_STEPS {TRY_STEPS}",
        f"#define MOST_RESULTS {RESULT_LIMIT}",
        f"#define MOST_SETS {MOST_SETS}",
        f"#define MOST_RESTS {MOST_RESTS}",
        f"#define MOST_DECISIONS {rules.max_decisions}",
        f"#define UNFINISHED(s) ({unfinished or 0})",
        "#include <stdint.h>",
        f"typedef uint{card}_t card_t;",
        '#include "machine.h"',
        *_faces(printer),
        f"static const set_t ALL = {printer.set_words(list(range(len(rules.card_faces))))};",
    ]


def _faces(printer: StatementPrinter) -> list[str]:
    """Return the expression of the face of a card: without copies, it is the card."""
    if not printer.copies:
        return ["#define FACE_OF(card) (card)", "#define COPIED 0"]
    table = ", ".join(map(str, printer.rules.card_faces))
    return [f"static const i32 FACE[] = {{{table}}};", "#define FACE_OF(card) FACE[card]", "#define COPIED 1"]


def _state(printer: StatementPrinter) -> list[str]:
    fields = (field if field.startswith("#") else f"    {field}" for field in printer.layout.fields())
    keeps = [
        f"#define KEEPS_{face}"
        for face, kept in (("UP", printer.layout.keeps_up), ("DOWN", printer.layout.keeps_down))
        if kept
    ]
    struct = ["typedef struct {", *fields, "} S;"]
    return [*_results(printer), *_who_played(printer), *keeps, *struct, '#include "play.h"']


def _who_played(printer: StatementPrinter) -> list[str]:
    """Return the define of a state that keeps who played each card: where a rule asks for it, or a viewer sees it."""
    if printer.layout.reads_by:
        return ["#define KEEPS_BY"]
    return ["#if defined(TRACING)", "#define KEEPS_BY", "#endif"] if printer.layout.keeps_by else []


def _results(printer: StatementPrinter) -> list[str]:
    """Return where each line of `result` lies among the numbers that a play comes to, which `outcome.h` reads."""
    rules, at, size = printer.rules, {}, 0
    for what in dict.fromkeys(line.what for line in rules.results):
        at[what] = size
        size += 1 if what == "winners" else rules.num_players
    ranked = rules.standing == "winners"
    standing = -1 if rules.standing is None else size if ranked else at[rules.standing]
    return [
        *(f"#define AT_{what.upper()} ({at.get(what, -1)})" for what in ("score", "returns", "winners", "stakes")),
        f"#define ENDS {size}",
        f'#define RESULTS "{",".join(at)}"',
        f"#define COOPERATIVE {int(rules.cooperative)}",
        f"#define RANKS {rules.num_players if ranked else 0}",
        f"#define STANDING ({standing})",
    ]


def _steps_of_game(printer: StatementPrinter) -> None:
    """Print all that a library does with one game, in the order in which it is called."""
    program, add = printer.program, printer.text.add
    _tables(printer)
    _actions(printer)
    _places(printer)
    with printer.only("TRACING"):
        printer.watch_tables()
    add('#include "hooks.h"')
    add('#include "sets.h"')
    for define in program.rules.defines:
        if define in printer.layout.called:
            _definition(printer, define)
    for phase in program.bodies:
        add(f"{_head_of_phase(printer, phase)[0]};")
    for phase in program.bodies:
        _automatic(printer, phase)
    _nodes(printer)
    for node in program.nodes:
        if isinstance(node, Decision) and node.only is None:
            for alternative in node.ways:
                printer.sets_of(alternative)
    for node in program.nodes:
        if isinstance(node, Decision):
            printer.legal(node)
            printer.apply(node)
    print_reads(printer)
    add(f"#define DECISIONS(X) {' '.join(printer.decisions)}")
    with printer.only("COUNTING"):
        _counting(printer)
    _observation(printer)


def _tables(printer: StatementPrinter) -> None:
    rules, add = printer.rules, printer.text.add
    if printer.copies:
        sets = [[c for c, of in enumerate(rules.card_faces) if of == face] for face in range(len(rules.faces))]
        add(f"static const set_t COPIES[] = {{{', '.join(map(printer.set_words, sets))}}};")


def _actions(printer: StatementPrinter) -> None:
    """Print the table of actions, which `actions.h` decodes."""
    add, shapes = printer.text.add, printer.program.shapes
    blocks = []
    for shape in shapes:
        cards = [isinstance(base_of(type_), Card | Cards) for type_ in shape.types]
        lows = [0 if card else range_low(type_) for card, type_ in zip(cards, shape.types, strict=True)]
        args = [f"{{{dim}, {low}, {int(card)}}}" for dim, low, card in zip(shape.dims, lows, cards, strict=True)]
        whole = f"{shape.base}, {shape.size}, {int(shape.is_set)}, {len(args)}"
        blocks.append(f"{{{whole}, {{{', '.join(args) or '{0}'}}}}}")
    add(f"#define MOST_DIMS {max([1, *(len(shape.dims) for shape in shapes)])}")
    add(f"#define BLOCKS_N {max(1, len(shapes))}")
    add(f"#define BLOCK_TABLE {{{', '.join(blocks) or '{0}'}}}")
    numbers = [str(number) for number, shape in enumerate(shapes) for _ in range(shape.size)]
    add(f"#define BLOCK_OF_TABLE {{{', '.join(numbers) or '-1'}}}")
    add('#include "actions.h"')


def _places(printer: StatementPrinter) -> None:
    """Print the tables of places, which `places.h` goes through."""
    add, rules, rows = printer.text.add, printer.rules, []
    places = [(number, zone, place) for number, zone in enumerate(rules.zones) for place in range(zone.places)]
    owners = [owner_at(zone, index) for zone in rules.zones for index in indices_of(zone)]
    for (number, zone, place), owner in zip(places, owners, strict=True):
        field = printer.layout.zone(number)
        count = "0" if is_set(zone) else f"offsetof(S, {field}_n[{place}])"
        rows.append(f"{{offsetof(S, {field}[{place}]), {count}, {-1 if owner is None else owner}}}")
    kinds = {"cards": "UNORDERED", "pile": "PILE", "row": "ROW"}
    sees = [f"{bits:#x}u" for zone in rules.zones for bits in printer.seeing(zone)]
    homes = [(place, cards[::-1] if places[place][1].kind == "pile" else cards) for place, cards in rules.homes]
    deck = [str(card) for _, cards in homes for card in cards]
    add(f"#define PLACES {max(1, len(places))}")
    add(f"#define PLACE_TABLE {{{', '.join(rows) or '{offsetof(S, picked), 0, -1}'}}}")
    add(f"#define KIND_TABLE {{{', '.join(kinds.get(zone.kind, '0') for _, zone, _ in places) or '0'}}}")
    add(f"#define SEES_TABLE {{{', '.join(sees) or '0'}}}")
    add(f"#define HOMES_N {len(homes)}")
    add(f"#define HOME_TABLE {{{', '.join(f'{{{place}, {len(cards)}}}' for place, cards in homes) or '{0}'}}}")
    add(f"#define DECK_TABLE {{{', '.join(deck) or '0'}}}")
    add(f"#define LIES_NOWHERE {printer.fault('CG901', 'a card lies nowhere')}")
    add('#include "places.h"')


def _definition(printer: StatementPrinter, define: Define) -> None:
    assert define.value is not None
    add, body = printer.text.add, printer.program.definitions[define]
    printer.stand(None)
    declaration = define.declaration
    declared, names = _parameters(printer, define.params)
    result = printer.result_of(define)
    head = f"static {result} {name_of(define)}({', '.join(['S *s', *declared])})"
    printer.abandon = f"return ({result}){{0}};"
    add("")
    with printer.text.block(head), printer.binding(names):
        add("(void)s;")
        printer.reach(declaration.tags)
        for let, (local, value) in zip(declaration.lets, body.lets, strict=True):
            printer.reach(let.tags)
            printer.stand(value.span)
            printer.let(local, value)
        printer.stand(body.value.span)
        add(f"return {printer.as_kind(result, body.value)};")
    printer.abandon = ""


def _parameters(printer: StatementPrinter, params: tuple[Local, ...]) -> tuple[list[str], dict[Local, str]]:
    """Return how parameters are declared, and what they are called."""
    names = {param: name_of(param, "a") for param in params}
    return [f"{printer.layout.kind(param)} {name}" for param, name in names.items()], names


def _head_of_phase(printer: StatementPrinter, phase: Phase) -> tuple[str, dict[Local, str]]:
    declared, names = _parameters(printer, phase.params)
    return f"static void {name_of(phase)}({', '.join(['S *s', *declared])})", names


def _automatic(printer: StatementPrinter, phase: Phase) -> None:
    """Print a phase in which nobody decides as a function."""
    head, names = _head_of_phase(printer, phase)
    printer.stand(phase.span)
    printer.text.add("")
    with printer.text.block(head), printer.binding(names):
        printer.reach(phase.tags)
        printer.step(InitState(phase, phase.span))
        printer.block(printer.program.bodies[phase])


def _nodes(printer: StatementPrinter) -> None:
    """Print the nodes, as labels of functions that return where the play goes on."""
    add, program = printer.text.add, printer.program
    add(f"#define ENTRY {program.entry}")
    add(f"#define END {program.final}")
    names = []
    printer.stop = printer.abandon = "return STOP;"
    for first in range(0, len(program.nodes), NODES_OF_A_FUNCTION):
        nodes = program.nodes[first : first + NODES_OF_A_FUNCTION]
        printer.group = first // NODES_OF_A_FUNCTION
        printer.stand(None)
        names.append(f"nodes_{printer.group}")
        add("")
        with printer.text.block(f"static int {names[-1]}(S *s, int node)"):
            with printer.text.block("switch (node)"):
                for node in nodes:
                    add(f"case {node.number}: goto N{node.number};")
                add(f"default: {printer.fail('CG901', 'there is no such node')} return STOP;")
            for node in nodes:
                _node(printer, node)
    printer.stop, printer.abandon = "return;", ""
    add(f"static int (*const NODES_OF[])(S *, int) = {{{', '.join(names)}}};")
    add(f"#define STEP(s, node) NODES_OF[(node) / {NODES_OF_A_FUNCTION}](s, node)")


def _node(printer: StatementPrinter, node: Node) -> None:
    match node:
        case Auto():
            printer.auto(node)
        case Decision():
            printer.wait(node)
        case Chance():
            printer.chance(node)
        case Final():
            printer.end(node)
        case _:
            assert_never(node)


def _observation(printer: StatementPrinter) -> None:
    """Print the table of the variables that a player sees, with their cells (`interpreter.knowledge.tensors`)."""
    faces, players, rows = printer.num_faces, printer.players, []
    at = 2 * players + (faces + 1) * sum(zone.places for zone in printer.rules.zones)
    for variable in printer.rules.variables:
        size = cells_of(variable.type, faces, players)
        seen, stored, type_ = printer.viewers(variable), printer.layout.stored(variable.type), base_of(variable.type)
        # The variable of a phase that has not begun is none.
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
    print_inputs(printer)


def _counting(printer: StatementPrinter) -> None:
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
