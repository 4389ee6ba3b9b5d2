"""State layout in C: one flat structure without pointers, so that a copy of its bytes is a copy of the state.

A place without an order is a set of cards, a row or pile an array; a variable has the smallest type that holds it.
Which way up a card lies is kept only where a rule turns cards, and who played it only where a rule asks.

Order analysis decides which groups of cards come lowest first, so that a set of bits is all there is to know of them.
Cards of a zone without an order, and what is kept of them, do; a row, a pile or a join of several zones does not.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import assert_never

import msgspec

from interpreter.analysis import core, types
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import Card, Cards, base_of
from interpreter.program import nodes
from interpreter.program.nodes import Program


def is_set(zone: Zone) -> bool:
    """Say whether a place of a zone is a set: it has no order, or holds one card."""
    return zone.kind == "cards" or (zone.kind == "slot" and zone.capacity == 1)


class Order(msgspec.Struct, eq=False):
    """Decides for the groups of cards of one game whether they come lowest first."""

    listed: set[Local] = msgspec.field(default_factory=set)
    """Names of groups that may come in another order."""

    @classmethod
    def of(cls, program: Program) -> Order:
        """Find the names of a program that hold groups in another order."""
        order, rules = cls(), program.rules
        everything = [*rules.expressions(), *(body for define in rules.defines for body in define.bodies)]
        calls = [part for expr in everything for part in core.walk(expr) if isinstance(part, core.CallDefine)]
        given = [pair for call in calls for pair in zip(call.define.params, call.args, strict=True)]
        given += [pair for define in rules.defines for pair in define.lets]
        own = {local for define in rules.defines for local in (*define.params, *(let for let, _ in define.lets))}
        free = _without_order(everything, own)
        for stmt in (*rules.statements(), *program.steps()):
            if isinstance(stmt, core.Let):
                given.append((stmt.local, stmt.value))
            elif isinstance(stmt, core.CallPhase):
                given += zip(stmt.phase.params, stmt.args, strict=True)
        while found := {
            local for local, value in given
            if isinstance(base_of(local.type), Cards) and local not in order.listed | free and not order.ascends(value)
        }:  # fmt: skip
            order.listed |= found
        return order

    def ascends(self, expr: core.Expr) -> bool:
        """Say whether a group of cards, or one card, comes lowest first."""
        match expr:
            case core.ZoneRef():
                return is_set(expr.zone)
            case core.LocalRef():
                return expr.local not in self.listed
            case core.Select(which="all" | "first" | "last", binder=binder):
                return binder.start is None and self.ascends(binder.domain)
            case core.Extreme(binder=binder) if isinstance(base_of(expr.type), Cards):
                return binder.start is None and self.ascends(binder.domain)
            case core.Subsets() | core.Rests():
                return True
            case core.Op(op="without", args=(cards, _)):
                return self.ascends(cards)
            case core.Op(op="join", args=(only,)):
                return self.ascends(only)
            case core.CallDefine():
                return expr.define.value is not None and self.ascends(expr.define.value)
            case core.Builtin(name="listed"):
                return True
            case core.Builtin(name="spent" | "there", args=(inner, *_)):
                return self.ascends(inner)
            case core.VarRef():
                return True  # A chosen set is stored in ascending order.
            case core.Chain():
                return all(self.ascends(value) for _, value in expr.alternatives)
        return isinstance(base_of(expr.type), Card)  # Joins and sorted groups have an order of their own.


def _without_order(everything: list[core.Expr], names: set[Local]) -> set[Local]:
    """Return the names among those of definitions whose order no use of them depends on."""
    parts = [part for expr in everything for part in core.walk(expr)]
    uses = Counter(part.local for part in parts if isinstance(part, core.LocalRef) and part.local in names)
    found = set(uses)
    while True:
        free = Counter(
            use.local for part in parts for use in _taken_as_set(part, found) if isinstance(use, core.LocalRef)
        )
        if found <= (kept := {local for local in found if free[local] == uses[local]}):
            return found
        found = kept


def _taken_as_set(part: core.Expr, without_order: set[Local]) -> list[core.Expr]:
    """Return the groups in an expression whose order does not matter to it."""
    match part:
        case core.Subsets() | core.Rests():
            return [part.cards]
        case core.Builtin(name="count" | "empty", args=(group,)):
            return [group]
        case core.Select(which="some" | "no" | "count", binder=binder) if binder.start is None:
            return [binder.domain]
        case core.Fold(function="sum" | "same" | "different" | "consecutive", binder=binder) if binder.start is None:
            return [binder.domain]
        case core.CallDefine(define=define, args=args):
            return [arg for arg, param in zip(args, define.params, strict=True) if param in without_order]
    return []


LONGEST_LIST = 4_096
"""The most numbers that a group may have."""


class UnprintableError(Exception):
    """A rule that the printer of C has no form for; the text says which."""


_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]{0,40}")


def identifier(prefix: str, number: int, name: str) -> str:
    """Return a name of C: a letter, a number and the name that a spec has, where that is plain ASCII and not long."""
    return f"{prefix}{number}_{name}" if _PLAIN_NAME.fullmatch(name) else f"{prefix}{number}"


def name_of(named: Variable | Local | Define | Phase, prefix: str = "") -> str:
    """Return the name in C of what has a name in the spec; a local that is a parameter has a prefix of its own."""
    match named:
        case Variable():
            return identifier("v", named.base, named.name)
        case Local():
            return identifier(prefix or "x", named.number, named.name)
        case Define():
            return identifier("d", named.number, named.name)
        case Phase():
            return identifier("p", named.number, named.name)
        case _:
            assert_never(named)


class Stored(msgspec.Struct, frozen=True):
    """How a number lies in a state: the type of C, and whether its least value represents none."""

    bits: int
    optional: bool

    @property
    def type(self) -> str:
        """The type of C."""
        return f"int{self.bits}_t"

    def read(self, place: str) -> str:
        """Return the number at a place."""
        return f"opt_{self.bits}({place})" if self.optional else f"(i64){place}"

    def written(self, value: str) -> str:
        """Return a number as it is kept."""
        return f"small_{self.bits}({value})" if self.optional else f"(int{self.bits}_t)({value})"


def bounds_of(type_: types.Type, num_cards: int, num_players: int) -> tuple[int, int] | None:
    """Return the least and the greatest number of a type; None for groups, keys and integers without bounds."""
    match types.base_of(type_):
        case types.Int(low=int(low), high=int(high)):
            return low, high
        case types.Bool():
            return 0, 1
        case types.EnumType() as enum:
            return 0, len(enum.values) - 1
        case types.Player():
            return 0, num_players - 1
        case types.Card():
            return 0, num_cards - 1
    return None


def stored(type_: types.Type, num_cards: int, num_players: int) -> Stored:
    """Return how a value of a type is kept."""
    least, most = bounds_of(type_, num_cards, num_players) or (-(2**63), 2**63)
    for bits in (8, 16, 32):
        if -(2 ** (bits - 1)) < least and most < 2 ** (bits - 1):
            return Stored(bits, types.is_optional(type_))
    return Stored(64, types.is_optional(type_))


def holds_set(variable: Variable) -> bool:
    """Say whether a variable holds a set of cards: only a cell of the program does, which keeps what was chosen."""
    return isinstance(types.base_of(variable.type), types.Cards)


def list_bound(type_: types.Type) -> int:
    """Return the most things of a group of numbers.  Raises UnprintableError where that is too many, or not known."""
    inner = types.base_of(type_)
    assert isinstance(inner, types.Sequence)
    if not 0 <= inner.at_most <= LONGEST_LIST:
        raise UnprintableError("a group of numbers without a bound that fits in a state")
    return inner.at_most


def is_key(type_: types.Type) -> bool:
    """Say whether a value is a key of several parts."""
    return isinstance(types.base_of(type_), types.Tuple)


def width_of(type_: types.Type) -> int:
    """Return how many parts a key has, those of keys within it counted one by one; 1 for all other values."""
    inner = types.base_of(type_)
    return sum(map(width_of, inner.items)) if isinstance(inner, types.Tuple) else 1


class CLayout(msgspec.Struct, eq=False):
    """The fields of a state.  `list_size` grows as groups of numbers, and keys, are printed."""

    program: nodes.Program
    order: Order
    slots: frozenset[Local] = frozenset()
    """Local names that several functions share."""
    list_size: int = 1
    keeps_up: bool = False
    keeps_down: bool = False
    keeps_by: bool = False
    reads_by: bool = False
    """Whether a rule asks who played a card."""
    called: frozenset[Define] = frozenset()
    """The definitions that a rule uses; no other is printed."""

    @classmethod
    def of(cls, program: nodes.Program) -> CLayout:
        """Lay out a program."""
        layout = cls(program, Order.of(program))
        layout.slots = shared_locals(program)
        layout.list_size = max(1, program.rules.num_players)
        walked = [*core.walk_with_definitions(*program.rules.expressions())]
        layout.called = frozenset(part.define for part in walked if isinstance(part, core.CallDefine))
        reads = {read for part in walked if isinstance(part, core.Builtin) for read in part.function.reads}
        turned = {
            stmt.face for stmt in program.rules.statements() if isinstance(stmt, core.Turn | core.Move | core.Deal)
        }
        layout.keeps_up = "up" in turned
        layout.keeps_down = "turned" in reads or "down" in turned
        played = any(isinstance(stmt, core.Move) and stmt.played_by for stmt in program.rules.statements())
        layout.reads_by = "played by" in reads
        layout.keeps_by = layout.reads_by or played
        return layout

    # ---- kinds

    @property
    def num_cards(self) -> int:
        """How many cards there are."""
        return len(self.program.rules.card_faces)

    def stored(self, type_: types.Type) -> Stored:
        """Return how a value of a type is kept."""
        return stored(type_, self.num_cards, self.program.rules.num_players)

    def bounds(self, type_: types.Type) -> tuple[int, int] | None:
        """Return the least and the greatest number of a type, where there are."""
        return bounds_of(type_, self.num_cards, self.program.rules.num_players)

    def grow(self, type_: types.Type) -> None:
        """Let lists of numbers be long enough for a group of a type, or for the parts of a key."""
        self.list_size = max(self.list_size, width_of(type_) if is_key(type_) else list_bound(type_))

    def kind(self, local: Local) -> str:
        """Return the type of C of the value of a local name."""
        return self.kind_of(local.type, ascends=local not in self.order.listed)

    def kind_of(self, type_: types.Type, *, ascends: bool) -> str:
        """Return the type of C of a value: one number, a set of cards, or a list of cards or of numbers.

        What may be absent is a list, which then has -1 members: no set says so.
        """
        match types.base_of(type_):
            case types.Cards():
                return "set_t" if ascends and not types.is_optional(type_) else "cards_t"
            case types.Sequence() | types.Tuple():
                self.grow(type_)
                return "list_t"
        return "i64"

    def zone(self, number: int) -> str:
        """Return the field of a family of zones."""
        return identifier("z", number, self.program.rules.zones[number].name)

    def room(self, zone: Zone) -> int:
        """Return how many cards a place of a zone has room for."""
        return max(1, min(zone.capacity, self.num_cards))

    # ---- the structure

    def fields(self) -> list[str]:
        """Return the fields of the structure, those that most need to lie at an even place first."""
        rules = self.program.rules
        fields = ["u64 random;", "i32 *tape;", "i32 tape_at, tape_room, tape_mode;"]
        fields += ["i32 steps, actions, decisions, events, fault;", "int16_t cur, pc;", "int8_t too_long, end;"]
        fields.append("set_t picked;")
        fields += [f"set_t {face};" for face, kept in (("up", self.keeps_up), ("down", self.keeps_down)) if kept]
        if self.keeps_by:
            fields += _hook("KEEPS_BY", f"int8_t by[{self.num_cards}];")
        for number, zone in enumerate(rules.zones):
            if is_set(zone):
                fields.append(f"set_t {self.zone(number)}[{zone.places}];")
            else:
                fields.append(f"i32 {self.zone(number)}_n[{zone.places}];")
                fields.append(f"card_t {self.zone(number)}[{zone.places}][{self.room(zone)}];")
        for variable in self.program.variables:
            kind = "set_t" if holds_set(variable) else self.stored(variable.type).type
            fields.append(f"{kind} {name_of(variable)}[{max(1, variable.places)}];")
        fields += [f"int16_t back{phase.number};" for phase in self.program.phase_entries]
        fields += [f"int8_t begun{phase.number};" for phase in rules.phases if self.is_shown(phase)]
        fields += [self.field(local) for local in sorted(self.slots, key=lambda local: local.number)]
        fields += _hook("TRACING", "int8_t traced;")
        fields += _hook("COUNTING", f"u64 reached[{1 + len(rules.tag_names) // 64}];")
        fields += _hook(
            "EXPLICIT",
            "set_t unknown;",
            f"i32 pool[{self.num_cards}], token[{self.num_cards}];",
            "i64 answer; i32 answered, needed, resume;",
            "void *mark; i32 *outcomes, room, outcomes_n;",
        )
        return [*fields, "i64 result[ENDS + RANKS + 1];"]

    def field(self, local: Local) -> str:
        """Return the field of a local name."""
        kind = self.kind(local)
        return f"{self.stored(local.type).type if kind == 'i64' else kind} {name_of(local)};"

    def is_shown(self, phase: Phase) -> bool:
        """Say whether a phase has variables that a viewer sees; before it first begins, they have no value."""
        return any(v.phase == phase.name and v.seen_by != "nobody" for v in self.program.rules.variables)

    def return_field(self, phase: Phase) -> str:
        """Return the field that holds where a phase returns to."""
        return f"s->back{phase.number}"


def _hook(define: str, *fields: str) -> list[str]:
    """Return fields of libraries alone that are built with a define."""
    return [f"#if defined({define})", *fields, "#endif"]


def shared_locals(program: nodes.Program) -> frozenset[Local]:
    """Return the local names that several functions of the printed text share: they are fields of the state.

    These are the arguments of actions, the parameters of phases that can stop, what chance chooses, what loops go
    through, and each other name that one node sets and another reads.
    """
    found = {param for phase in program.phase_entries for param in phase.params}
    lets: dict[Local, int] = {}
    for node in program.nodes:
        match node:
            case nodes.Decision():
                found.update(arg.local for way in node.ways for arg in way.action.args)
            case nodes.Chance():
                found.add(node.random.arg.local)
            case nodes.Auto(exit=nodes.Next(queue=queue, local=local)):
                found.update((queue, local))
            case nodes.Auto() | nodes.Final():
                pass
            case _:
                assert_never(node)
        lets.update((stmt.local, node.number) for stmt in _statements_of(node) if isinstance(stmt, core.Let))
    for node in program.nodes:
        read = core.names_of(*_expressions_of(node))
        found.update(local for local in read if lets.get(local, node.number) != node.number)
    return frozenset(found)


def _statements_of(node: nodes.Node) -> list[core.Stmt]:
    """Return the statements of a node, those within others too."""
    if not isinstance(node, nodes.Auto):
        return []
    return [*core.statements(tuple(step for step in node.steps if isinstance(step, core.Stmt)))]


def _expressions_of(node: nodes.Node) -> list[core.Expr]:
    """Return the expressions that the functions of a node work out."""
    if isinstance(node, nodes.Decision):
        return [node.choice.player, *(part for way in node.ways for part in core.children(way.action))]
    if isinstance(node, nodes.Chance):
        into = node.random.into
        return [*core.children(node.random.arg), *(() if into is None else into.index)]
    if isinstance(node, nodes.Final):
        return []
    found = [part for stmt in _statements_of(node) for part in core.children(stmt)]
    match node.exit:
        case nodes.Branch(condition=condition):
            found.append(condition)
        case nodes.Call(args=args):
            found += args
        case nodes.Jump() | nodes.Next() | nodes.Return() | nodes.EndOfRound():
            pass
        case _:
            assert_never(node.exit)
    return found
