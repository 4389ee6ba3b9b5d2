"""Generate the C of a game from its program.

Takes a `Program`, gives `GeneratedC`: the text of one file and the faults that its code can report by number.  The text
is made of numbers and of names that this package chose.  It is printed twice, as Python is: the first run finds which
local names several functions share, the second gives these a field of the state.
"""

from __future__ import annotations

from importlib.resources import files
from typing import assert_never

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.limits import STEP_LIMIT
from interpreter.analysis.symbols import Define, Local, Phase
from interpreter.program.c.counting import print_counting
from interpreter.program.c.decisions import DecisionPrinter
from interpreter.program.c.layout import CLayout, Kind
from interpreter.program.c.observing import print_observation
from interpreter.program.c.order import is_set
from interpreter.program.layout import KnownLayout, Layout
from interpreter.program.nodes import Auto, Chance, Decision, Final, InitState, Program
from interpreter.program.passes import Passes


@attrs.frozen(eq=False)
class GeneratedC:
    """A game as C.

    `spans[i]` is the place in the spec of line i + 1; `faults[n - 1]` are the code, the words and the place of the
    fault with number n.
    """

    text: str
    spans: tuple[Span | None, ...]
    faults: tuple[tuple[str, str, Span | None], ...]


def generate_c(program: Program, kind: Kind = "plays") -> GeneratedC:
    """Return the C of a program: that of plays, or of those that are counted or watched, which repeats their steps.

    Raises UnprintableError where a rule has no form in C.
    """
    layout = CLayout.of(program, kind)
    # Counting C inlines no tagged definition, like logged Python: a rule is reached where it is asked.
    known = (Layout if kind == "explicit" else KnownLayout).of(program)
    passes = Passes(program.rules, known, logged=kind == "counting", sets=True)
    first = _print(program, layout, passes)
    layout.slots = {local for local, units in first.seen.items() if len(units) > 1}
    printer = _print(program, layout, passes)
    before = "\n".join([*_head(printer), *printer.constants, *_state(printer)]).split("\n")
    lines = [*((line, None) for line in before), *printer.text.lines]
    lines += [(line, None) for name in _HEADERS[kind] for line in _header(name).split("\n")]
    text = "".join(f"{line}\n" for line, _ in lines)
    return GeneratedC(text, tuple(span for _, span in lines), tuple(printer.faults))


_HEADERS: dict[Kind, tuple[str, ...]] = {
    "plays": ("vector.h",),
    "counting": ("counted.h",),
    "watched": ("watched.h", "belief.h", "search.h"),
    "explicit": ("explicit.h",),
}
"""What stands behind the steps and the calls of one play."""


def _header(name: str) -> str:
    """Return one of the texts that are the same for all games."""
    return (files("interpreter.native") / "c" / name).read_text("utf-8")


def _head(printer: DecisionPrinter) -> list[str]:
    rules, program = printer.rules, printer.program
    card = next(bits for bits in (8, 16, 32) if len(rules.card_faces) <= 2**bits)
    return [
        f"#define CARDS {len(rules.card_faces)}",
        f"#define PLAYERS {rules.num_players}",
        f"#define ACTIONS {max(1, program.num_actions)}",
        f"#define LIST {printer.layout.list_size}",
        f"#define STEPS {STEP_LIMIT}",
        f"#define MOST_DECISIONS {rules.max_decisions}",
        "#include <stdint.h>",
        f"typedef uint{card}_t card_t;",
        _header("machine.h"),
        *_faces(printer),
        f"static const set_t ALL = {printer.set_words(list(range(len(rules.card_faces))))};",
    ]


def _faces(printer: DecisionPrinter) -> list[str]:
    """Return what tells the face of a card: where none has a copy, it is the card."""
    if not printer.copies:
        return ["#define FACE_OF(card) (card)"]
    table = ", ".join(map(str, printer.rules.card_faces))
    return [f"static const i32 FACE[] = {{{table}}};", "#define FACE_OF(card) FACE[card]"]


def _state(printer: DecisionPrinter) -> list[str]:
    lines = ["typedef struct {", *(f"    {field}" for field in printer.layout.fields()), "} S;"]
    lines.append(_header("play.h"))
    if printer.explicit:
        lines.append(_header("asking.h"))
    return lines


def _print(program: Program, layout: CLayout, passes: Passes) -> DecisionPrinter:
    printer = DecisionPrinter(program, layout, passes)
    _tables(printer)
    _takers(printer)
    for define in program.rules.defines:
        _definition(printer, define)
    _steps(printer)
    for node in program.nodes:
        if isinstance(node, Decision) and node.only is None:
            for alternative in node.ways:
                printer.sets_of(alternative)
    for node in program.nodes:
        if isinstance(node, Decision):
            printer.legal(node)
            printer.apply(node)
    _switches(printer)
    _ends(printer)
    if layout.kind == "counting":
        print_counting(printer)
    elif layout.kind == "explicit":
        _exchange(printer)
    else:
        print_observation(printer)
    printer.text.put([(line, None) for line in _header("many.h").split("\n")])
    if layout.kind == "watched":
        _watch(printer)
    return printer


def _watch(printer: DecisionPrinter) -> None:
    """Print all steps again, telling what happens to whoever sees it."""
    program = printer.program
    printer.watched = True
    printer.watch_tables()
    printer.text.put([(line, None) for line in _header("watch.h").split("\n")])
    _steps(printer)
    for node in program.nodes:
        if isinstance(node, Decision):
            printer.apply(node)
    _apply_switch(printer)


def _steps(printer: DecisionPrinter) -> None:
    """Print all that is carried out between two decisions."""
    program, add = printer.program, printer.text.add
    add("#undef OUT")
    add("#define OUT return")
    automatic = [phase for phase in program.rules.phases if phase in program.automatic]
    for phase in automatic:
        add(f"{_head_of_phase(printer, phase)[0]};")
    for phase in automatic:
        _automatic(printer, phase)
    _run(printer)


def _tables(printer: DecisionPrinter) -> None:
    rules, add = printer.rules, printer.text.add
    if printer.copies:
        sets = [[c for c, of in enumerate(rules.card_faces) if of == face] for face in range(len(rules.faces))]
        add(f"static const set_t COPIES[] = {{{', '.join(map(printer.set_words, sets))}}};")
        with printer.text.block("static set_t first_copies(set_t cards)"):
            add("set_t out = set_none();")
            with printer.text.block("for (i64 before = -1, c; !set_empty(cards);)"):
                add("c = set_take(&cards);")
                add("if (FACE[c] != before) { before = FACE[c]; set_put(&out, c); }")
            add("return out;")


def _takers(printer: DecisionPrinter) -> None:
    """Print how a card is taken from wherever it lies, and in whose zone it lies."""
    add, rules = printer.text.add, printer.rules
    with printer.text.block("static void take(S *s, i64 c)"):
        for number, zone in printer.zones():
            with printer.text.block(f"for (int i = 0; i < {zone.places}; i++)"):
                if is_set(zone):
                    add(f"if (set_has(s->z{number}[i], c)) {{ set_drop(&s->z{number}[i], c); return; }}")
                else:
                    add(f"if (lie_drop(s->z{number}[i], &s->z{number}_n[i], c)) return;")
        add(printer.fail("CG901", "a card lies nowhere", None))
    with printer.text.block("static i64 holder(const S *s, i64 c)"):
        for number, zone in printer.zones():
            owner = zone.owner_index
            stride = 1
            for size in zone.sizes[(owner or 0) + 1 :]:
                stride *= size
            whose = "NONE" if owner is None else f"i / {stride} % {rules.num_players}"
            lies = f"set_has(s->z{number}[i], c)" if is_set(zone) else f"lie_has(s->z{number}[i], s->z{number}_n[i], c)"
            add(f"for (int i = 0; i < {zone.places}; i++) if ({lies}) return {whose};")
        add("return NONE;")


def _exchange(printer: DecisionPrinter) -> None:
    """Print that two cards are each where the other was, with all that is known of a card there."""
    add = printer.text.add
    printer.text.span = None
    with printer.text.block("static void exchange(S *s, i64 a, i64 b)"):
        for number, zone in printer.zones():
            with printer.text.block(f"for (int i = 0; i < {zone.places}; i++)"):
                if is_set(zone):
                    add(f"set_exchange(&s->z{number}[i], a, b);")
                else:
                    add(f"lie_exchange(s->z{number}[i], s->z{number}_n[i], a, b);")
        for face, kept in (("up", printer.layout.keeps_up), ("down", printer.layout.keeps_down)):
            if kept:
                add(f"set_exchange(&s->{face}, a, b);")
        if printer.layout.keeps_by:
            add("int8_t by = s->by[a]; s->by[a] = s->by[b]; s->by[b] = by;")


def _definition(printer: DecisionPrinter, define: Define) -> None:
    assert define.value is not None
    add = printer.text.add
    printer.unit, printer.text.span = f"d{define.number}", define.value.span
    declaration = define.declaration
    declared, names = _parameters(printer, define.params)
    result = printer.result_of(define.value.type, define.value)
    if result in ("cards_t", "list_t"):
        head = f"static void d{define.number}({', '.join(['S *s', *declared, f'{result} *out'])})"
    else:
        head = f"static {result} d{define.number}({', '.join(['S *s', *declared])})"
    add("")
    with printer.text.block(head), printer.binding(names):
        add("(void)s;")
        printer.reach(declaration.tags)
        for let, (local, value) in zip(declaration.lets, define.lets, strict=True):
            printer.reach(let.tags)
            printer.let(local, value)
        if printer.counting and isinstance(define.value, core.Chain) and any(define.value.tags):
            _counted_chain(printer, define.value, result)
        else:
            add(_returned(printer, define.value, result))


def _returned(printer: DecisionPrinter, expr: core.Expr, result: str) -> str:
    """Return the statement that ends a definition with a value."""
    value = printer.run(expr)
    if result == "set_t":
        return f"return {printer.cards(value)};"
    if result in ("cards_t", "list_t"):
        return f"*out = {printer.listed(value)}; return;"
    return f"return {printer.value(value)};"


def _counted_chain(printer: DecisionPrinter, chain: core.Chain, result: str) -> None:
    """Print a chain alternative by alternative, as logged Python does: each notes its tags when it is taken."""
    add = printer.text.add
    for place, (condition, value) in enumerate(chain.alternatives):
        if condition is not None:
            with printer.text.block(f"if ({printer.condition(condition)})"):
                printer.reach(chain.tags[place])
                add(_returned(printer, value, result))
        elif place == len(chain.alternatives) - 1:
            printer.reach(chain.tags[place])
            add(_returned(printer, value, result))
            return
        elif result == "i64":
            name = printer.named(printer.value(value))
            with printer.text.block(f"if ({name} != NONE)"):
                printer.reach(chain.tags[place])
                add(f"return {name};")
        else:
            name = printer.listed(value)
            with printer.text.block(f"if ({name}.n >= 0)"):
                printer.reach(chain.tags[place])
                add(f"return set_of({name}.a, {name}.n);" if result == "set_t" else f"*out = {name}; return;")
    if result == "set_t":
        add("return set_none();")
    elif result not in ("cards_t", "list_t"):
        add("return NONE;")


def _parameters(printer: DecisionPrinter, params: tuple[Local, ...]) -> tuple[list[str], dict[Local, str]]:
    """Return how parameters are declared, and what they are called: lists are handed over by where they are."""
    declared, names = [], {}
    for param in params:
        kind = printer.layout.group(param) or "i64"
        is_list = kind in ("cards_t", "list_t")
        names[param] = f"(*a{param.number})" if is_list else f"a{param.number}"
        declared.append(f"const {kind} *a{param.number}" if is_list else f"{kind} a{param.number}")
    return declared, names


def _head_of_phase(printer: DecisionPrinter, phase: Phase) -> tuple[str, dict[Local, str]]:
    declared, names = _parameters(printer, phase.params)
    return f"static void {printer.prefix}p{phase.number}({', '.join(['S *s', *declared])})", names


def _automatic(printer: DecisionPrinter, phase: Phase) -> None:
    """Print a phase in which nobody decides as a function."""
    head, names = _head_of_phase(printer, phase)
    printer.unit, printer.text.span = f"p{phase.number}", phase.span
    printer.text.add("")
    with printer.text.block(head), printer.binding(names):
        printer.reach(phase.tags)
        printer.step(InitState(phase, phase.span))
        printer.block(phase.body)


def _run(printer: DecisionPrinter) -> None:
    """Print the function that goes on at a node, up to where somebody decides or the play is over."""
    add, program = printer.text.add, printer.program
    printer.text.span = None
    add("")
    add("#undef OUT")
    add("#define OUT goto stop")
    with printer.text.block(f"static void {printer.prefix}run(S *s, int node)"):
        add("again:")
        with printer.text.block("switch (node)"):
            for node in program.nodes:
                match node:
                    case Decision():
                        add(f"case {node.number}: goto D{node.number};")
                    case Auto() | Chance() | Final():
                        add(f"case {node.number}: goto N{node.number};")
                    case _:
                        assert_never(node)
            add(f"default: {printer.fail('CG901', 'there is no such node', None)} goto stop;")
        for node in program.nodes:
            match node:
                case Auto():
                    printer.auto(node)
                case Decision():
                    printer.unit = f"n{node.number}"
                    with printer.text.block(f"D{node.number}:"):
                        printer.go(node.number)
                case Chance():
                    printer.chance(node)
                case Final():
                    printer.end(node)
                case _:
                    assert_never(node)
        printer.text.span = None
        add("stop:")
        add("if (s->fault) { s->cur = TERMINAL; return; }")
        add("if (s->cur != TERMINAL && s->decisions >= MOST_DECISIONS)")
        add(f"    {{ s->too_long = 1; node = {program.final}; goto again; }}")


def _switches(printer: DecisionPrinter) -> None:
    """Print the functions that go by the number of the node."""
    add, program = printer.text.add, printer.program
    printer.text.span = None
    decisions = [node.number for node in program.nodes if isinstance(node, Decision)]
    add("")
    with printer.text.block("static void legal_here(S *s, u64 *mask)"):
        with printer.text.block("switch (s->pc)"):
            for number in decisions:
                add(f"case {number}: legal{number}(s, mask); break;")
        with printer.text.block("if (!s->fault && mask_empty(mask))"), printer.text.block("switch (s->pc)"):
            for number in decisions:
                told = printer.fail("CG807", "no action is possible here", program.nodes[number].span)
                add(f"case {number}: {told} break;")
    _apply_switch(printer)
    with printer.text.block("static void lay_out(S *s)"):
        lying = dict(printer.rules.homes)
        first = 0
        for number, zone in printer.zones():
            for place in range(zone.places):
                cards = lying.get(first + place, ())
                if is_set(zone) and cards:
                    add(f"s->z{number}[{place}] = {printer.set_constant(sorted(cards))};")
                elif cards:
                    kept = cards[::-1] if zone.kind == "pile" else cards
                    table = printer.constant(f"card_t @[{len(kept)}]", "{" + ", ".join(map(str, kept)) + "}")
                    there = f"s->z{number}[{place}]"
                    add(f"memcpy({there}, {table}, sizeof {table}); s->z{number}_n[{place}] = {len(kept)};")
            first += zone.places
    add(f"#define ENTRY {program.entry}")
    add(f"#define END {program.final}")


def _apply_switch(printer: DecisionPrinter) -> None:
    """Print the function that carries out a small action at the node where the play stands."""
    add = printer.text.add
    printer.text.span = None
    add("")
    with printer.text.block(f"static int {printer.prefix}apply_here(S *s, i64 action)"):
        with printer.text.block("switch (s->pc)"):
            for node in printer.program.nodes:
                if isinstance(node, Decision):
                    add(f"case {node.number}: return {printer.prefix}apply{node.number}(s, action);")
        add("return REFUSED;")


def _ends(printer: DecisionPrinter) -> None:
    """Print what a play came to, and what that is worth to each player (`interpreter.runtime.outcome.finished`)."""
    add, rules = printer.text.add, printer.rules
    whats = list(dict.fromkeys(line.what for line in rules.results))
    with printer.text.block("static void ends(const S *s, i64 *out)"):
        add("(void)s; (void)out;")
        for what in whats:
            if what == "winners":
                add("*out++ = (i64)s->winners;")
            else:
                add(f"for (int p = 0; p < PLAYERS; p++) *out++ = s->{what}[p];")
    width = sum(1 if what == "winners" else rules.num_players for what in whats)
    add(f"#define ENDS {width}")
    add(f'#define RESULTS "{",".join(whats)}"')
    _standings(printer)
    alone = rules.num_players == 1
    with printer.text.block("static void worth(const S *s, double *out)"):
        add("for (int p = 0; p < PLAYERS; p++) out[p] = 0;")
        add("if (s->cur != TERMINAL || s->fault) return;")
        add("u64 best = 0; int n = 0;")
        ranked = "returns" if "returns" in whats else "score" if "score" in whats else ""
        if rules.cooperative or (alone and "winners" not in whats):
            pass
        elif "winners" in whats:
            add("best = s->winners;")
        elif ranked:
            add("i64 top = NONE;")
            add(f"for (int p = 0; p < PLAYERS; p++) if (s->{ranked}[p] > top) top = s->{ranked}[p];")
            add(f"for (int p = 0; p < PLAYERS; p++) if (s->{ranked}[p] == top) best |= (u64)1 << p;")
        add("n = bit_count(best); (void)n;")
        if "returns" in whats:
            add("for (int p = 0; p < PLAYERS; p++) out[p] = (double)s->returns[p];")
        elif "stakes" in whats:
            add("if (!n) return;")
            add("double all = 0;")
            add("for (int p = 0; p < PLAYERS; p++) all += (double)s->stakes[p];")
            add("for (int p = 0; p < PLAYERS; p++)")
            add("    out[p] = (best >> p & 1 ? all / n : 0.0) - (double)s->stakes[p];")
        elif rules.cooperative:
            if "score" in whats:
                add("for (int p = 0; p < PLAYERS; p++) out[p] = (double)s->score[p];")
        elif alone and "winners" in whats:
            add("out[0] = n ? 1.0 : -1.0;")
        else:
            add("if (!n || n == PLAYERS) return;")
            add("for (int p = 0; p < PLAYERS; p++) out[p] = best >> p & 1 ? 1.0 / n : -1.0 / (PLAYERS - n);")


def _standings(printer: DecisionPrinter) -> None:
    """Print how each player stands among the others (`interpreter.runtime.tree_search.standings`)."""
    add, rules = printer.text.add, printer.rules
    add(f"#define STANDINGS {int(rules.standing is not None)}")
    with printer.text.block("static void standings(const S *s, double *out)"):
        add("(void)s;")
        match rules.standing:
            case "score":
                add("double all = 0;")
                add("for (int p = 0; p < PLAYERS; p++) all += (double)s->score[p];")
                add("for (int p = 0; p < PLAYERS; p++)")
                add("    out[p] = (double)s->score[p] - (all - s->score[p]) / (PLAYERS - 1);")
            case "returns":
                add("i64 top = s->returns[0]; int n = 0;")
                add("for (int p = 1; p < PLAYERS; p++) if (s->returns[p] > top) top = s->returns[p];")
                add("for (int p = 0; p < PLAYERS; p++) n += s->returns[p] == top;")
                add("for (int p = 0; p < PLAYERS; p++) out[p] = (s->returns[p] == top ? 1.0 / n : 0) - 1.0 / PLAYERS;")
            case None:
                add("for (int p = 0; p < PLAYERS; p++) out[p] = 0;")
            case _:
                assert_never(rules.standing)
