"""Reference semantics of the language: a definitional interpreter of `Program`, built from closures.

Every node of `core` and of the program has one case here, which says what the node means.  An expression, a statement
and an exit each become one Python function of a state, its values and its zones (`Closure`).  Nothing is optimised:
there are no passes, no tables and no peepholes.  Sets of cards are searched, not computed.

The interpreter shares nothing with the two printers (`interpreter.program.python`, `interpreter.program.c`), their
passes and their runtime support, so that a mistake in any of them shows as a difference from the oracle.  It reads the
rules, the program and `core`, and runs in a state of `interpreter.engine`, which answers chance, undoes a node that
needs an undetermined card, and writes the log.  `tests.lockstep` runs the oracle beside Python and C.

It is slow (a tenth of the printed Python).  It counts the steps of the rules as all engines do, but not the sets that
it tries, so a search for a set can take very long: the lockstep therefore lets the printed code go first.
"""

# ruff: noqa: ARG001, ARG005
# All closures have the same parameters, whatever each needs.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, assert_never

import attrs

from grammar.source import Span
from interpreter import Game
from interpreter.analysis import core
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.limits import NUMBER_LIMIT, STEP_LIMIT
from interpreter.analysis.rules import ResultLine, Rules
from interpreter.analysis.symbols import Local, Zone, indices_of, viewers_at
from interpreter.analysis.types import Bool, Card, Cards, EnumType, Int, Type, base_of, is_optional, range_low
from interpreter.analysis.types import Sequence as ListType
from interpreter.engine.faults import NeedCard, RuleError
from interpreter.engine.game import LoggedState
from interpreter.program import nodes

Values = list[Any]
Zones = list[list[int]]
Closure = Callable[[Any, Values, Zones], Any]
Small = Callable[[Any, Values, Zones, tuple[int, ...]], Iterable[int]]
Effect = Callable[[Any, Values, Zones, int], int]

STOPPED = -1
"""What a node returns in place of the next one where the state waits for a player or chance, or is over."""

SEATS = {"next": 1, "left": 1, "previous": -1, "right": -1}


def fail(code: str, message: str, span: Span) -> None:
    """Raise a fault that the rules foresee."""
    raise RuleError(code, message, span)


def divisor(number: int) -> int:
    """Return a divisor.  Raises RuleError where it is 0."""
    if number == 0:
        raise RuleError("CG809", "a division by zero")
    return number


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "mod": lambda a, b: a % divisor(b),
    "/down": lambda a, b: a // divisor(b),
    "/up": lambda a, b: -(-a // divisor(b)),
    "/nearest": lambda a, b: (2 * a + b) // (2 * divisor(b)),
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def new_oracle_state(game: Game) -> LoggedState:
    """Return an initial state of a game that the oracle carries on; it writes its events as they happen."""
    return LoggedState(game, oracle_code(game)).begin()


@lru_cache(maxsize=4)
def oracle_code(game: Game) -> Any:
    """Return the code of a game as closures, in the form in which a state runs printed code."""
    made = Interpreter(game.program)
    functions: dict[str, Any] = made.functions()
    return attrs.evolve(game.code, size=made.size, picked=made.picked, origins={}, begin={}, **functions)


def always_none(st: Any, v: Values, z: Zones) -> None:
    """Return None: the closure of a part that a construct leaves out."""


# ---------------------------------------------------------------------------------------- sets of cards


def is_run(values: Sequence[int]) -> bool:
    """Say whether numbers follow one another without a gap or repetition."""
    return all(two == one + 1 for one, two in pairwise(sorted(values)))


@attrs.frozen
class Measure:
    """One measure of a set: its function, and what a card adds to it (None: nothing)."""

    function: str
    added: Callable[[int], Any]

    def result(self, cards: Iterable[int]) -> Any:
        """Return the measure of some cards."""
        values = [value for value in map(self.added, cards) if value is not None]
        match self.function:
            case "sum" | "count":
                return sum(values)
            case "min":
                return min(values, default=None)
            case "max":
                return max(values, default=None)
            case "same":
                return len(set(values)) <= 1
            case "different":
                return len(set(values)) == len(values)
            case "consecutive":
                return is_run(values)
            case function:
                raise AssertionError(function)

    def summary(self, cards: Iterable[int]) -> Any:
        """Return what further cards must know of some cards: two sets with one summary can be completed alike."""
        if self.function not in ("same", "different", "consecutive"):
            return self.result(cards)
        values = [value for value in map(self.added, cards) if value is not None]
        return frozenset(values), len(set(values)) == len(values)


@attrs.frozen
class SetChoice:
    """The legal sets of a stage: subsets of `cards` with `low` to `high` cards that satisfy `holds` and `rest`.

    `holds` is given the results of the measures, `rest` the whole set: whether the action can be completed after it
    (None: it always can).  Cards are picked in ascending order, so that each set is reached in one way.
    """

    cards: tuple[int, ...]
    low: int
    high: int
    measures: tuple[Measure, ...]
    holds: Callable[[list[Any]], bool]
    rest: Callable[[tuple[int, ...]], bool] | None
    known: dict[tuple[Any, ...], bool] = attrs.field(factory=dict)

    def is_legal(self, picked: tuple[int, ...]) -> bool:
        """Say whether some cards are a legal set."""
        if not self.low <= len(picked) <= self.high:
            return False
        return self.holds([m.result(picked) for m in self.measures]) and (self.rest is None or self.rest(picked))

    def can_be_completed(self, picked: tuple[int, ...]) -> bool:
        """Say whether some cards, or they with later ones, are a legal set.  Depth-first search with memoisation."""
        if len(picked) > self.high:
            return False
        key = (picked[-1:], len(picked), *(m.summary(picked) for m in self.measures))
        if self.rest is not None:
            key = picked
        if key not in self.known:
            following = (card for card in self.cards if not picked or card > picked[-1])
            self.known[key] = self.is_legal(picked) or any(self.can_be_completed((*picked, c)) for c in following)
        return self.known[key]

    def next_cards(self, picked: tuple[int, ...]) -> list[int]:
        """Return the cards that can be picked next."""
        following = [card for card in self.cards if not picked or card > picked[-1]]
        return [card for card in following if self.can_be_completed((*picked, card))]


# ---------------------------------------------------------------------------------------- expressions


class Expressions:
    """Expressions as closures.  A local name and a measure of a set have a slot among the values of a state."""

    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self.rules = rules = program.rules
        self.players = tuple(range(rules.num_players))
        self.slots: dict[Any, int] = {}
        self.size = sum(variable.places for variable in program.variables)
        self.definitions: dict[Define, Closure] = {}
        self.owners = [
            index[zone.owner_index] if zone.owner_index is not None else None
            for zone in rules.zones
            for index in indices_of(zone)
        ]

    def slot(self, key: Any, count: int = 1) -> int:
        """Return the first of the slots that hold a local name or another part of the state."""
        if key not in self.slots:
            self.slots[key] = self.size
            self.size += count
        return self.slots[key]

    def expression(self, expr: core.Expr) -> Closure:
        """Return the closure of an expression."""
        match expr:
            case core.Const(value=value):
                return lambda st, v, z: value
            case core.LocalRef():
                return self.read(self.slot(expr.local))
            case core.SetFoldRef():
                return self.read(self.slot(expr.fold))
            case core.VarRef():
                place = self.index(expr.variable, expr.index)
                return lambda st, v, z: v[place(st, v, z)]
            case core.ZoneRef():
                cards = self.unread_cards(expr)
                return lambda st, v, z: known(st, cards(st, v, z))
            case core.CardAttr():
                return self.card_attribute(expr)
            case core.EnumAttr():
                return self.looked_up(expr.table, expr.value)
            case core.Op():
                return self.operation(expr)
            case core.IsKind():
                return self.is_kind(expr)
            case core.IsNone():
                value_ = self.expression(expr.value)
                return lambda st, v, z: value_(st, v, z) is None
            case core.IsIn():
                return self.is_in(expr)
            case core.Range():
                low, high = self.expression(expr.low), self.expression(expr.high)
                return lambda st, v, z: range(low(st, v, z), high(st, v, z) + 1)
            case core.Select():
                return self.select(expr)
            case core.Fold():
                return self.fold(expr)
            case core.Extreme():
                return self.extreme(expr)
            case core.Sorted():
                return self.sorted_by(expr)
            case core.CallDefine():
                return self.call(expr)
            case core.Builtin():
                return self.builtin(expr)
            case core.CardAt():
                return self.card_at(expr)
            case core.Chain():
                return self.chain(expr)
            case core.TupleOf():
                items = [self.expression(item) for item in expr.items]
                return lambda st, v, z: tuple(item(st, v, z) for item in items)
            case core.SomeSubset():
                return self.some_subset(expr)
            case core.Subsets():
                return self.subsets(expr)
            case core.Rests():
                return self.rests(expr)
            case _:
                assert_never(expr)

    def some_subset(self, expr: core.SomeSubset) -> Closure:
        """Return whether a subset satisfies a condition, some of whose values are evaluated first."""
        before = [(self.slot(local), self.expression(value)) for local, value in expr.before]
        choice = self.set_choice(self.expression(expr.cards), expr.low, expr.high, expr.such_that)

        def found(st: Any, v: Values, z: Zones) -> Any:
            for slot, value in before:
                v[slot] = value(st, v, z)
            return choice(st, v, z, None).can_be_completed(())

        return found

    def optional(self, expr: core.Expr | None) -> Closure:
        """Return the closure of an expression that a construct may leave out; then it returns None."""
        return always_none if expr is None else self.expression(expr)

    def condition(self, expr: core.Expr | None) -> Closure:
        """Return the closure of a condition that a construct may leave out; then it always holds."""
        return (lambda st, v, z: True) if expr is None else self.expression(expr)

    def read(self, slot: int) -> Closure:
        """Return the closure that reads a slot."""
        return lambda st, v, z: v[slot]

    def index(self, family: Zone | Variable, index: tuple[core.Expr, ...]) -> Closure:
        """Return the number of a place or of a variable's value: row-major order, the last index changes fastest."""
        parts = [
            (self.expression(expr), range_low(type_), size)
            for expr, type_, size in zip(index, family.indices, family.sizes, strict=True)
        ]

        def number(st: Any, v: Values, z: Zones) -> int:
            place = 0
            for part, low, size in parts:
                value = part(st, v, z)
                if not low <= value < low + size:
                    raise RuleError("CG802", f"there is no place {value}")
                place = place * size + value - low
            return family.base + place

        return number

    def unread_cards(self, zone: core.ZoneRef) -> Closure:
        """Return the cards of a place without a look at them: some may be undetermined."""
        place = self.index(zone.zone, zone.index)
        return lambda st, v, z: z[place(st, v, z)]

    def card_attribute(self, expr: core.CardAttr) -> Closure:
        """Return what is printed on a card: absent for an absent card, and for a card that has no such attribute."""
        card = self.expression(expr.card)

        def attribute(st: Any, v: Values, z: Zones) -> Any:
            number = card(st, v, z)
            return None if number is None else self.printed(number, expr.name)

        return attribute

    def printed(self, card: int, name: str) -> Any:
        """Return an attribute of a card, or None where its kind has none of that name."""
        face = self.rules.faces[self.rules.card_faces[card]]
        names = [attribute.name for attribute in self.rules.kinds[face.kind].attributes]
        return face.values[names.index(name)] if name in names else None

    def looked_up(self, table: Sequence[Any], key: core.Expr) -> Closure:
        """Return the entry of a table for a key; absent for an absent key."""
        of = self.expression(key)

        def entry(st: Any, v: Values, z: Zones) -> Any:
            found = of(st, v, z)
            return None if found is None else table[found]

        return entry

    # ---- operators and tests

    def operation(self, expr: core.Op) -> Closure:
        """Return an operator."""
        args = [self.expression(arg) for arg in expr.args]
        match expr.op:
            case "not":
                return lambda st, v, z: not args[0](st, v, z)
            case "neg":
                return lambda st, v, z: -args[0](st, v, z)
            case "and":
                return lambda st, v, z: all(arg(st, v, z) for arg in args)
            case "or":
                return lambda st, v, z: any(arg(st, v, z) for arg in args)
            case "==" | "!=" as op:
                both_optional = all(is_optional(arg.type) for arg in expr.args)
                return self.equality(args[0], args[1], op == "==", both_optional)
            case "join" | "without" as op:
                return self.of_cards(expr, op)
            case op:
                operator = OPERATORS[op]
                return lambda st, v, z: operator(args[0](st, v, z), args[1](st, v, z))

    def equality(self, left: Closure, right: Closure, wanted: bool, both_optional: bool) -> Closure:
        """Return whether two values are equal, or unequal; of two values that may be absent, absence equals nothing."""

        def equal(st: Any, v: Values, z: Zones) -> bool:
            one, other = left(st, v, z), right(st, v, z)
            return (one == other and not (both_optional and one is None)) is wanted

        return equal

    def of_cards(self, expr: core.Op, op: str) -> Closure:
        """Return the union of groups in order, each member once; or the members of the first that no other has."""
        groups = [self.group(arg) for arg in expr.args]

        def join(st: Any, v: Values, z: Zones) -> list[Any]:
            return list(dict.fromkeys(item for group in groups for item in group(st, v, z)))

        def without(st: Any, v: Values, z: Zones) -> list[Any]:
            items, *others = [list(group(st, v, z)) for group in groups]
            return [item for item in items if not any(item in other for other in others)]

        return join if op == "join" else without

    def group(self, expr: core.Expr) -> Closure:
        """Return a list of things; one thing is a list of itself, an absent one an empty list."""
        value, is_list = self.expression(expr), isinstance(base_of(expr.type), Cards | ListType)

        def items(st: Any, v: Values, z: Zones) -> Any:
            found = value(st, v, z)
            return () if found is None else found if is_list else (found,)

        return items

    def is_kind(self, expr: core.IsKind) -> Closure:
        """Return whether a card matches a pattern; an absent card matches none."""
        card, kinds = self.expression(expr.card), expr.test.kinds
        tests = [(name, w if isinstance(w, tuple) else self.expression(w)) for name, w in expr.test.attributes]

        def matches(st: Any, v: Values, z: Zones) -> bool:
            number = card(st, v, z)
            if number is None or self.rules.faces[self.rules.card_faces[number]].kind not in kinds:
                return False
            for name, wanted in tests:
                has = self.printed(number, name)
                if isinstance(wanted, tuple):
                    if has is None or not wanted[0] <= has <= wanted[1]:
                        return False
                elif has != wanted(st, v, z):
                    return False
            return True

        return matches

    def is_in(self, expr: core.IsIn) -> Closure:
        """Return whether a value lies in a range or a list; an absent value lies in none."""
        value, domain = self.expression(expr.value), self.expression(expr.domain)

        def contained(st: Any, v: Values, z: Zones) -> bool:
            one, items = value(st, v, z), domain(st, v, z)
            return one is not None and one in items

        return contained

    # ---- going through a domain

    def items(self, binder: core.Binder, *, reverse: bool = False) -> Callable[[Any, Values, Zones], Iterator[Any]]:
        """Return the members of a domain that satisfy the binder's condition, each bound to its name when it comes."""
        domain, start = self.expression(binder.domain), self.optional(binder.start)
        slot, where, rotates = self.slot(binder.local), self.condition(binder.where), binder.start is not None

        def through(st: Any, v: Values, z: Zones) -> Iterator[Any]:
            members = domain(st, v, z)
            members = rotated(list(members), start(st, v, z)) if rotates else members
            for item in reversed(members) if reverse else members:
                v[slot] = item
                if where(st, v, z):
                    v[slot] = item
                    yield item

        return through

    def mapped(self, binder: core.Binder, value: core.Expr) -> Closure:
        """Return the list of a value over the members of a domain that satisfy the binder's condition."""
        items, of = self.items(binder), self.expression(value)
        return lambda st, v, z: [of(st, v, z) for _ in items(st, v, z)]

    def select(self, expr: core.Select) -> Closure:
        """Return a selection."""
        items, count, which = self.items(expr.binder), self.optional(expr.count), expr.which

        def several(st: Any, v: Values, z: Zones) -> list[Any]:
            found = list(items(st, v, z))
            number = max(0, count(st, v, z))
            return found[:number] if which == "first" else found[max(0, len(found) - number) :]

        if expr.count is not None:
            return several
        match which:
            case "all":
                return lambda st, v, z: list(items(st, v, z))
            case "count":
                return lambda st, v, z: len(list(items(st, v, z)))
            case "some":
                return lambda st, v, z: any(True for _ in items(st, v, z))
            case "no":
                return lambda st, v, z: not any(True for _ in items(st, v, z))
            case "first":
                return lambda st, v, z: next(items(st, v, z), None)
            case "last":
                backwards = self.items(expr.binder, reverse=True)
                return lambda st, v, z: next(backwards(st, v, z), None)
            case _:
                assert_never(which)

    def fold(self, expr: core.Fold) -> Closure:
        """Return a sum, a union, or another function of a value over a domain."""
        values = self.mapped(expr.binder, expr.value)
        match expr.function:
            case "sum":
                return lambda st, v, z: sum(values(st, v, z))
            case "max":
                return lambda st, v, z: max(values(st, v, z), default=None)
            case "min":
                return lambda st, v, z: min(values(st, v, z), default=None)
            case "same":
                return lambda st, v, z: len(set(values(st, v, z))) <= 1
            case "different":
                return lambda st, v, z: len(set(found := values(st, v, z))) == len(found)
            case "consecutive":
                return lambda st, v, z: is_run(values(st, v, z))
            case "union":
                return lambda st, v, z: list(dict.fromkeys(c for group in values(st, v, z) for c in group))
            case function:
                raise AssertionError(function)

    def extreme(self, expr: core.Extreme) -> Closure:
        """Return the first member of a domain with the best key, or all members with the best key."""
        items, by = self.items(expr.binder), self.expression(expr.by)
        best = max if expr.which == "highest" else min

        def found(st: Any, v: Values, z: Zones) -> Any:
            keyed = [(by(st, v, z), item) for item in items(st, v, z)]
            top = best((key for key, _ in keyed), default=None)
            winners = [item for key, item in keyed if key == top]
            return winners if expr.ties else next(iter(winners), None)

        return found

    def subsets(self, expr: core.Subsets) -> Closure:
        """Return the subsets of some cards, in lexicographic order; none begins with a set that is no part."""
        cards, low, high = self.expression(expr.cards), self.optional(expr.low), self.optional(expr.high)
        slot, part = self.slot(expr.local), self.condition(expr.part)

        def every(st: Any, v: Values, z: Zones) -> Iterator[tuple[int, ...]]:
            among = sorted(cards(st, v, z))
            least, most = low(st, v, z) or 0, high(st, v, z)
            most = len(among) if most is None else min(most, len(among))
            begun = among[:1] if expr.anchored else []
            sizes = range(most + 1 - len(begun)) if least <= most and len(begun) >= expr.anchored else ()
            refused: list[tuple[int, ...]] = []
            for picked in sorted((*begun, *more) for size in sizes for more in combinations(among[len(begun) :], size)):
                can_grow = len(picked) + sum(not picked or card > picked[-1] for card in among) >= least
                if not can_grow or any(picked[: len(bad)] == bad for bad in refused):
                    continue
                v[slot] = picked
                if not part(st, v, z):
                    refused.append(picked)
                elif len(picked) >= least:
                    yield picked

        return every

    def rests(self, expr: core.Rests) -> Closure:
        """Return what is left of some cards by each choice of disjoint groups, where their numbers are within bounds.

        The choices come in the order of the binary numbers that have a digit for each group, the first group lowest.
        Where nothing may be left, each group covers the lowest card that those before it leave, and groups are looked
        for only where some choice leaves their lowest card so.
        """
        cards, whole = self.expression(expr.cards), self.slot(expr.whole)
        kinds = [(self.optional(g.low), self.optional(g.high), self.expression(g.sets)) for g in expr.groups]

        def every(st: Any, v: Values, z: Zones) -> list[tuple[int, ...]]:
            among = sorted(cards(st, v, z))
            bounds = [(low(st, v, z) or 0, high(st, v, z)) for low, high, _ in kinds]
            caps = [low if high is None else high for low, high in bounds]

            def lowest_left(used: frozenset[int]) -> int | None:
                return min((card for card in among if card not in used), default=None)

            def may_join(group: frozenset[int], kind: int, used: frozenset[int], taken: tuple[int, ...]) -> bool:
                at_most = bounds[kind][1]
                fits = not used & group and (at_most is None or taken.count(kind) < at_most)
                return fits and not (expr.exact and min(group) != lowest_left(used))

            def groups() -> Iterator[tuple[frozenset[int], int]]:
                for lowest in among if expr.exact else among[:1]:
                    if expr.exact and all(lowest_left(used) != lowest for used, _ in choices):
                        continue
                    v[whole] = [card for card in among if card >= lowest]
                    found = [(frozenset(g), kind) for kind, (_, _, sets) in enumerate(kinds) for g in sets(st, v, z)]
                    yield from sorted(found, key=lambda group: min(group[0]))

            choices: list[tuple[frozenset[int], tuple[int, ...]]] = [(frozenset(), ())]
            for group, kind in groups():
                counted = [(used, *(min(taken.count(k), cap) for k, cap in enumerate(caps))) for used, taken in choices]
                spend(st, len(set(counted)))
                choices += [
                    (used | group, (*taken, kind)) for used, taken in choices if may_join(group, kind, used, taken)
                ]
            left = [
                tuple(card for card in among if card not in used)
                for used, taken in choices
                if all(low <= taken.count(kind) <= (len(among) if high is None else high)
                       for kind, (low, high) in enumerate(bounds))
            ]  # fmt: skip
            return list(dict.fromkeys(rest for rest in left if not (expr.exact and rest)))

        return every

    # ---- definitions and functions

    def call(self, expr: core.CallDefine) -> Closure:
        """Return the value of a definition; absent, or false, where an argument is absent that must not be."""
        if expr.define not in self.definitions:
            self.definitions[expr.define] = self.definition(expr.define)
        body = self.definitions[expr.define]
        args = [self.expression(arg) for arg in expr.args]
        slots = [self.slot(param) for param in expr.define.params]
        needed = [not is_optional(param.type) for param in expr.define.params]
        nothing = False if isinstance(expr.type, Bool) else None

        def value(st: Any, v: Values, z: Zones) -> Any:
            given = [arg(st, v, z) for arg in args]
            if any(must and one is None for must, one in zip(needed, given, strict=True)):
                return nothing
            for slot, one in zip(slots, given, strict=True):
                v[slot] = one
            return body(st, v, z)

        return value

    def definition(self, define: Define) -> Closure:
        """Return the body of a definition: its names in order, then its value."""
        assert define.value is not None
        declared = define.declaration
        lets = [
            (let.tags, self.slot(local), self.expression(value))
            for let, (local, value) in zip(declared.lets, define.lets, strict=True)
        ]
        body = self.expression(define.value)

        def carried_out(st: Any, v: Values, z: Zones) -> Any:
            st.reach(declared.tags)
            for tags, slot, value in lets:
                st.reach(tags)
                v[slot] = value(st, v, z)
            return body(st, v, z)

        return carried_out

    def card_at(self, expr: core.CardAt) -> Closure:
        """Return the card at a place of a group; of an ordered place that card alone must be known."""
        zone, number = expr.zone, self.number_within(expr.at)
        unread = isinstance(zone, core.ZoneRef) and zone.zone.kind != "cards"
        cards = self.unread_cards(zone) if isinstance(zone, core.ZoneRef) and unread else self.expression(zone)

        def card(st: Any, v: Values, z: Zones) -> int | None:
            group = cards(st, v, z)
            wanted = {"top": 1, "bottom": len(group)}.get(str(expr.at)) or number(st, v, z)
            found: int | None = dict(enumerate(group, 1)).get(wanted)
            return known(st, [found])[0] if unread and found is not None else found

        return card

    def number_within(self, at: core.Spot | None) -> Closure:
        """Return the number of a place in a zone, from 1; None for an end."""
        return always_none if at is None or isinstance(at, str) else self.expression(at)

    def chain(self, expr: core.Chain) -> Closure:
        """Return the first alternative whose condition holds; without a condition, the first that is not absent."""
        tags = expr.tags or ((),) * len(expr.alternatives)
        links = [
            (condition is None, self.condition(condition), self.expression(value), own)
            for (condition, value), own in zip(expr.alternatives, tags, strict=True)
        ]

        def first(st: Any, v: Values, z: Zones) -> Any:
            for number, (is_bare, holds, value, own) in enumerate(links):
                if not holds(st, v, z):
                    continue
                found = value(st, v, z)
                if is_bare and found is None and number < len(links) - 1:
                    continue
                st.reach(own)
                return found
            return None

        return first

    def builtin(self, expr: core.Builtin) -> Closure:
        """Return a function of the language."""
        if expr.name in ("count", "empty"):
            return self.size_of_group(expr)
        if expr.name in (*SEATS, "across"):
            return self.seat(expr)
        args = [self.expression(arg) for arg in expr.args]
        match expr.name:
            case "players":
                return lambda st, v, z: self.players
            case "face":
                return self.looked_up(self.rules.card_faces, expr.args[0])
            case "spent":
                return self.counted(args[0], expr.args[1])
            case "min":
                return lambda st, v, z: min([arg(st, v, z) for arg in args])
            case "max":
                return lambda st, v, z: max([arg(st, v, z) for arg in args])
            case "distance":
                return lambda st, v, z: abs(args[0](st, v, z) - args[1](st, v, z))
            case "player_of":
                return lambda st, v, z: in_common(st, args[0](st, v, z), st.played_by.get)
            case "face_down":
                return lambda st, v, z: in_common(st, args[0](st, v, z), st.turned.get) == FACE_DOWN
            case "holder":
                return self.holder(args[0])
            case "there":
                return lambda st, v, z: there(args[0](st, v, z))
            case "listed":
                return lambda st, v, z: [] if (found := args[0](st, v, z)) is None else [found]
            case "within":
                return self.bounded(args[0], expr.type)
            case name:
                raise AssertionError(name)

    def counted(self, value: Closure, steps: core.Expr) -> Closure:
        """Return a value that counts steps before it is evaluated."""
        assert isinstance(steps, core.Const)
        count = int(steps.value or 0)

        def spent(st: Any, v: Values, z: Zones) -> Any:
            spend(st, count)
            return value(st, v, z)

        return spent

    def size_of_group(self, expr: core.Builtin) -> Closure:
        """Return how many members a group has, or whether it has none; whole places are counted without a look."""
        (group,) = expr.args
        zones = whole_zones(group)
        if zones:
            unread = [self.unread_cards(zone) for zone in zones]
            size: Closure = lambda st, v, z: sum(len(cards(st, v, z)) for cards in unread)  # noqa: E731
        else:
            cards = self.expression(group)
            size = lambda st, v, z: len(cards(st, v, z))  # noqa: E731
        return size if expr.name == "count" else lambda st, v, z: size(st, v, z) == 0

    def sorted_by(self, expr: core.Sorted) -> Closure:
        """Return a selection in the order of a key; members with equal keys stay in their order."""
        items, by = self.items(expr.binder), self.expression(expr.by)

        def ordered(st: Any, v: Values, z: Zones) -> list[Any]:
            keyed = [(by(st, v, z), number, item) for number, item in enumerate(items(st, v, z))]
            return [item for _, _, item in sorted(keyed)]

        return ordered

    def seat(self, expr: core.Builtin) -> Closure:
        """Return the player some seats on, or the value of an enumeration some places on; absent for an absent one."""
        one, around = self.expression(expr.args[0]), base_of(expr.type)
        count = len(around.values) if isinstance(around, EnumType) else self.rules.num_players
        step = count // 2 if expr.name == "across" else SEATS[expr.name]
        return lambda st, v, z: None if (found := one(st, v, z)) is None else (found + step) % count

    def holder(self, card: Closure) -> Closure:
        """Return the player who owns the place where a card lies; absent where nobody does."""

        def owner(st: Any, v: Values, z: Zones) -> int | None:
            def lies_with(wanted: int) -> int | None:
                return next((self.owners[place] for place, cards in enumerate(z) if wanted in cards), None)

            return in_common(st, card(st, v, z), lies_with)

        return owner

    def bounded(self, value: Closure, type_: Type) -> Closure:
        """Return a value; CG801 where it is a number outside the range of a type."""
        inner = base_of(type_)
        if not isinstance(inner, Int):
            return value
        unbounded = inner.low is None and inner.high is None
        low, high = (-NUMBER_LIMIT, NUMBER_LIMIT) if unbounded else (inner.low, inner.high)

        def checked(st: Any, v: Values, z: Zones) -> Any:
            found = value(st, v, z)
            if found is not None and ((low is not None and found < low) or (high is not None and found > high)):
                raise RuleError("CG801", f"{found} is outside of {low}..{high}")
            return found

        return checked

    def set_choice(
        self, cards: Closure, low: core.Expr | None, high: core.Expr | None, condition: core.SetCondition | None
    ) -> Callable[..., SetChoice]:
        """Return the sets that a condition allows, given whether the rest of an action can be completed after one."""
        least, most = self.optional(low), self.optional(high)
        folds = () if condition is None else condition.folds
        holds = self.condition(None if condition is None else condition.condition)
        slots, added = [self.slot(fold) for fold in folds], [self.added(fold) for fold in folds]

        def made(st: Any, v: Values, z: Zones, rest: Callable[[tuple[int, ...]], bool] | None) -> SetChoice:
            def allowed(results: list[Any]) -> bool:
                for slot, result in zip(slots, results, strict=True):
                    v[slot] = result
                return bool(holds(st, v, z))

            listed = tuple(sorted(cards(st, v, z)))
            at_most = most(st, v, z)
            measures = tuple(
                Measure(fold.function, lambda card, of=of: of(st, v, z, card))  # type: ignore[misc]
                for fold, of in zip(folds, added, strict=True)
            )
            return SetChoice(
                listed, least(st, v, z) or 0, len(listed) if at_most is None else at_most, measures, allowed, rest
            )

        return made

    def added(self, fold: core.SetFold) -> Callable[[Any, Values, Zones, int], Any]:
        """Return what a card adds to a measure; None where the measure leaves the card out."""
        slot, where, value = self.slot(fold.card), self.condition(fold.where), self.optional(fold.value)
        counts = fold.value is None

        def of(st: Any, v: Values, z: Zones, card: int) -> Any:
            v[slot] = card
            if not where(st, v, z):
                return None
            return 1 if counts else value(st, v, z)

        return of


FACE_UP, FACE_DOWN = 1, 2
"""How `turned` of a state notes that a card lies open, or face down, whatever its place says."""


def known(st: Any, cards: list[int]) -> list[int]:
    """Return cards that a rule reads.  Raises NeedCard where one is undetermined."""
    for card in cards:
        if card in st.undetermined:
            raise NeedCard(card, cards)
    return cards


def candidates(st: Any, card: int | None) -> list[int]:
    """Return the tokens that a named card of a shuffled pile may be, ascending; none for other cards."""
    pools = [number for number, pool in st.pools.items() if card in pool]
    return sorted(token for token, pool in st.undetermined.items() if pool in pools)


def locate(st: Any, cards: list[int]) -> None:
    """Require that it is determined where named cards lie.  Raises NeedCard for the first token that one may be."""
    for card in cards:
        for token in candidates(st, card):
            raise NeedCard(token)


def in_common(st: Any, card: int | None, read: Callable[[Any], int | None]) -> int | None:
    """Return what is true of a card wherever it may lie; the card is located where that differs."""
    values = {read(token) for token in candidates(st, card)}
    if len(values) > 1 and card is not None:
        locate(st, [card])
    return values.pop() if values else read(card)


def spend(st: Any, steps: int) -> None:
    """Count steps.  Raises RuleError where there are too many between two decisions."""
    st.steps += steps
    if st.steps > STEP_LIMIT:
        raise RuleError("CG804", f"{st.steps:,} steps and no decision")


def there(value: Any) -> Any:
    """Return a value.  Raises RuleError where it is absent though the rules say `the`."""
    if value is None:
        raise RuleError("CG811", "there is none, though the rule says `the`")
    return value


def rotated(items: list[Any], start: Any) -> list[Any]:
    """Return items in the rotation that begins at one of them, or at the next greater one where it is missing."""
    if start in items:
        first = items.index(start)
    else:
        first = next((place for place, item in enumerate(items) if item > start), 0)
    return items[first:] + items[:first]


def whole_zones(group: core.Expr) -> list[core.ZoneRef]:
    """Return the places that a group consists of, where it is plainly some different places; else none."""
    if isinstance(group, core.ZoneRef):
        return [group]
    if not isinstance(group, core.Op) or group.op != "join":
        return []
    parts = [whole_zones(part) for part in group.args]
    zones = [zone for part in parts for zone in part]
    apart = all(differ(one, other) for place, one in enumerate(zones) for other in zones[:place])
    return zones if all(parts) and apart else []


def differ(one: core.ZoneRef, other: core.ZoneRef) -> bool:
    """Say whether two places are plainly not the same."""
    pairs = zip(one.index, other.index, strict=False)
    return one.zone is not other.zone or any(
        isinstance(a, core.Const) and isinstance(b, core.Const) and a.value != b.value for a, b in pairs
    )


# ---------------------------------------------------------------------------------------- cards that move


class Table:
    """What happens to cards: the operations of the language on zones."""

    def __init__(self, rules: Rules) -> None:
        places = [(zone, index) for zone in rules.zones for index in indices_of(zone)]
        self.viewers = [viewers_at(zone, index, rules.num_players) for zone, index in places]
        self.kinds = [zone.kind for zone, _ in places]
        self.capacities = [min(zone.capacity, len(rules.card_faces)) for zone, _ in places]
        self.everyone = (1 << rules.num_players) - 1

    def read_by_viewers(self, st: Any, cards: list[int], place: int, face: str | None) -> None:
        """Determine the cards that somebody sees once they lie in a place."""
        if face == "up" or (face is None and self.viewers[place]):
            known(st, cards)

    def take(self, z: Zones, cards: list[int]) -> None:
        """Take cards from where they lie."""
        for card in cards:
            next(zone for zone in z if card in zone).remove(card)

    def put(self, st: Any, z: Zones, cards: list[int], place: int, at: int | None) -> None:
        """Lay cards in a place one by one: each before all but the first `at - 1`, or (None) after all others."""
        for card in cards:
            before = len(z[place]) if at is None else max(0, at - 1)
            z[place] = [*z[place][:before], card, *z[place][before:]]
        if self.kinds[place] == "cards":
            z[place].sort()
        if len(z[place]) > self.capacities[place]:
            raise RuleError("CG805", f"place {place} holds at most {self.capacities[place]} cards")
        for card in cards:
            st.turned.pop(card, None)
            st.played_by.pop(card, None)

    def lay(self, st: Any, cards: list[int], face: str | None, player: int | None) -> None:
        """Note how cards lie, against what their place says, and who played them."""
        for card in cards:
            if face is not None:
                st.turned[card] = FACE_UP if face == "up" else FACE_DOWN
            if player is not None:
                st.played_by[card] = player

    def move(
        self,
        st: Any,
        z: Zones,
        cards: list[int],
        place: int,
        spot: core.Spot | None,
        at: int | None,
        face: str | None,
        player: int | None,
    ) -> None:
        """Relocate cards."""
        self.read_by_viewers(st, cards, place, face)
        locate(st, cards)
        st.moving(cards, place, face, player, max(1, at) if at is not None else -1 if spot == "bottom" else 0)
        self.take(z, cards)
        if at is None and spot != "bottom" and self.kinds[place] == "pile":
            at = 1
        self.put(st, z, cards, place, at)
        self.lay(st, cards, face, player)

    def deal(self, st: Any, z: Zones, count: int, origin: int, place: int, at: int | None, step: core.Deal) -> None:
        """Relocate the top cards of a place, as many as there are or exactly so many."""
        if step.exactly and count > len(z[origin]):
            raise RuleError("CG803", f"place {origin} has {len(z[origin])} cards, not {count}")
        cards = z[origin][: max(0, count)]
        if cards:
            self.move(st, z, cards, place, step.at, at, step.face, None)

    def swap(self, st: Any, z: Zones, one: int, other: int) -> None:
        """Exchange the cards of two places, which stay in their order."""
        if one == other:
            return
        first, second = z[one], z[other]
        self.read_by_viewers(st, first, other, None)
        self.read_by_viewers(st, second, one, None)
        if (self.kinds[one] == "cards") != (self.kinds[other] == "cards"):
            known(st, first if self.kinds[one] == "cards" else second)
        st.rotating([(one, other), (other, one)])
        z[one], z[other] = [], []
        self.put(st, z, second, one, None)
        self.put(st, z, first, other, None)

    def rotate(self, st: Any, z: Zones, places: list[int], left: bool) -> None:
        """Let each place give its cards, in their order, to the next one or to the one before."""
        ring = places if left else places[::-1]
        ways = [(place, ring[(number + 1) % len(ring)]) for number, place in enumerate(ring)]
        if len(ways) < 2:
            return
        before = {place: z[place] for place in places}
        for origin, target in ways:
            self.read_by_viewers(st, before[origin], target, None)
        st.rotating(ways)
        for place in places:
            z[place] = []
        for origin, target in ways:
            self.put(st, z, before[origin], target, None)

    def shuffle(self, st: Any, z: Zones, place: int, cards: list[int]) -> None:
        """Add cards to a pile, and put it in an order that nobody knows."""
        if cards:
            locate(st, cards)
            st.moving(cards, place, None, None, 0)
            self.take(z, cards)
            self.put(st, z, cards, place, 1)
        st.shuffling(place)
        st.shuffle_pile(z[place])

    def turn(self, st: Any, cards: list[int], face: str) -> None:
        """Show or hide cards where they lie."""
        if face == "up":
            known(st, cards)
        locate(st, cards)
        st.turning(cards, face == "up")
        self.lay(st, cards, face, None)

    def show(self, st: Any, cards: list[int], player: int | None) -> None:
        """Let a player, or everybody, learn cards."""
        known(st, cards)
        locate(st, cards)
        st.showing(cards, self.everyone if player is None else 1 << player)


# ---------------------------------------------------------------------------------------- statements


class Statements(Expressions):
    """Statements and steps as closures, which return whether the phase that they belong to has ended."""

    def __init__(self, program: nodes.Program) -> None:
        super().__init__(program)
        self.table = Table(program.rules)
        self.phases: dict[Phase, Closure] = {}

    def block(self, block: Sequence[nodes.Step]) -> Closure:
        """Return statements, one after another, until one ends the phase."""
        steps = [self.step(step) for step in block]
        return lambda st, v, z: any(step(st, v, z) for step in steps)

    def step(self, step: nodes.Step) -> Closure:
        """Return a statement that notes the rules it reaches; an `if` does so itself."""
        tags = () if isinstance(step, core.If) else getattr(step, "tags", ())
        does = self.engine_step(step) if not isinstance(step, core.Stmt) else self.statement(step)

        def reaching(st: Any, v: Values, z: Zones) -> Any:
            st.reach(tags)
            return does(st, v, z)

        return reaching

    def statement(self, stmt: core.Stmt) -> Closure:
        """Return a statement of the language in which nobody decides."""
        match stmt:
            case core.Let():
                return self.store(self.slot(stmt.local), self.expression(stmt.value))
            case core.Begin():
                return self.begin(stmt)
            case core.Assign():
                return self.assign(stmt)
            case core.CallPhase():
                return self.call_phase(stmt)
            case core.If():
                return self.branch(stmt)
            case core.For():
                return self.for_each(stmt)
            case core.While():
                return self.loop(stmt)
            case core.Together():
                return self.block(stmt.body)
            case core.Spend(steps):
                return lambda st, v, z: spend(st, steps)
            case core.Fail(code, message, span):
                return lambda st, v, z: fail(code, message, span)
            case core.End():
                return lambda st, v, z: True
            case core.Say():
                words = self.words(stmt.parts)
                return lambda st, v, z: st.say(words(st, v, z))
            case core.Move() | core.Deal() | core.Shuffle() | core.Swap() | core.Rotate() | core.Turn() | core.Show():
                return self.of_cards_on_table(stmt)
            case core.Choice() | core.Random() | core.InTurn() | core.AtOnce() | core.Reopen():
                raise AssertionError(f"{stmt} stops in the middle")
            case _:
                assert_never(stmt)

    def engine_step(self, step: Any) -> Closure:
        """Return a step that lowering adds."""
        match step:
            case nodes.Reach():
                return always_none
            case nodes.InitState():
                return self.first_values(step.phase)
            case nodes.Reveal(player, action, _):
                who, described = self.slot(player), self.described(action)
                return lambda st, v, z: st.revealed(v[who], *described(v))
            case _:
                raise AssertionError(step)

    def described(self, action: core.Action) -> Callable[[Values], tuple[Any, ...]]:
        """Return the verb and the arguments of an action, as the log describes them."""
        args = [(arg.local.type, self.slot(arg.local)) for arg in action.args]
        return lambda v: (action.verb, tuple((type_, v[slot]) for type_, slot in args))

    def store(self, slot: int, value: Closure) -> Closure:
        """Return the closure that gives a slot a value."""
        return lambda st, v, z: assign_slots(v, slot, value(st, v, z))

    def begin(self, stmt: core.Begin) -> Closure:
        """Return the first value of a block's variable, the same at every index."""
        value = self.bounded(self.expression(stmt.value), stmt.variable.type)
        first, count = stmt.variable.base, stmt.variable.places
        return lambda st, v, z: assign_slots(v, first, *([value(st, v, z)] * count))

    def first_values(self, phase: Phase | None) -> Closure:
        """Return the first values of the variables of a phase, or of the game."""
        name = None if phase is None else phase.name
        own = [x for x in self.rules.variables if x.phase == name and x.initial is not None]
        given = [(x, self.bounded(self.optional(x.initial), x.type)) for x in own]

        def begin(st: Any, v: Values, z: Zones) -> None:
            for variable, value in given:
                first = value(st, v, z)
                for place in range(variable.base, variable.base + variable.places):
                    v[place] = st.first_value(place, first, phase is not None)

        return begin

    def assign(self, stmt: core.Assign) -> Closure:
        """Return an assignment; the log describes it unless the variable belongs to a block."""
        index, value = self.index(stmt.variable, stmt.index), self.expression(stmt.value)
        sign, logged = {"=": 0, "+=": 1, "-=": -1}[stmt.op], not stmt.variable.local

        def assigned(st: Any, v: Values, z: Zones) -> None:
            place, given = index(st, v, z), value(st, v, z)
            new = v[place] + sign * given if sign else given
            checked = self.bounded(lambda st, v, z: new, stmt.variable.type)(st, v, z)
            if logged:
                st.set_value(place, checked)
            else:
                v[place] = checked

        return assigned

    def call_phase(self, stmt: core.CallPhase) -> Closure:
        """Return the call of a phase in which nobody decides; its `end` ends it alone."""
        phase = stmt.phase
        if phase not in self.phases:
            start: list[nodes.Step] = [nodes.Reach(phase.tags), nodes.InitState(phase, phase.span)]
            self.phases[phase] = self.block([*start, *phase.body])
        body, args = self.phases[phase], [self.expression(arg) for arg in stmt.args]
        slots = [self.slot(param) for param in phase.params]

        def called(st: Any, v: Values, z: Zones) -> None:
            for slot, value in zip(slots, [arg(st, v, z) for arg in args], strict=True):
                v[slot] = value
            body(st, v, z)

        return called

    def branch(self, stmt: core.If) -> Closure:
        """Return an `if`, whose rules are reached where it takes its first block."""
        test = self.expression(stmt.condition)
        fixed = stmt.condition.value if isinstance(stmt.condition, core.Const) else None
        then = always_none if fixed is False else self.block(stmt.then)
        otherwise = always_none if fixed is True else self.block(stmt.otherwise)

        def taken(st: Any, v: Values, z: Zones) -> Any:
            if not test(st, v, z):
                return otherwise(st, v, z)
            st.reach(stmt.tags)
            return then(st, v, z)

        return taken

    def for_each(self, stmt: core.For) -> Closure:
        """Return a loop over a domain that is taken once, at the start."""
        items, slot, body = self.items(stmt.binder), self.slot(stmt.binder.local), self.block(stmt.body)

        def loop(st: Any, v: Values, z: Zones) -> bool:
            for item in list(items(st, v, z)):
                v[slot] = item
                if body(st, v, z):
                    return True
            return False

        return loop

    def loop(self, stmt: core.While) -> Closure:
        """Return a loop that tests its condition before each round, or after it."""
        test, body = self.expression(stmt.condition), self.block(stmt.body)

        def loop(st: Any, v: Values, z: Zones) -> bool:
            if stmt.first and not test(st, v, z):
                return False
            while not body(st, v, z):
                if not test(st, v, z):
                    return False
            return True

        return loop

    def of_cards_on_table(self, stmt: Any) -> Closure:
        """Return a statement that does something with cards."""
        table = self.table
        match stmt:
            case core.Move():
                cards, target = self.cards(stmt.cards, stmt.target.zone), self.place(stmt.target)
                player, at = self.optional(stmt.played_by), self.number_within(stmt.at)
                return lambda st, v, z: table.move(
                    st, z, cards(st, v, z), target(st, v, z), stmt.at, at(st, v, z), stmt.face, player(st, v, z)
                )
            case core.Deal():
                count, origin, target = self.expression(stmt.count), self.place(stmt.origin), self.place(stmt.target)
                at = self.number_within(stmt.at)
                return lambda st, v, z: table.deal(
                    st, z, count(st, v, z), origin(st, v, z), target(st, v, z), at(st, v, z), stmt
                )
            case core.Shuffle():
                place = self.place(stmt.zone)
                added: Closure = always_none if stmt.cards is None else self.cards(stmt.cards)
                return lambda st, v, z: table.shuffle(st, z, place(st, v, z), added(st, v, z) or [])
            case core.Swap():
                one, other = self.place(stmt.first), self.place(stmt.second)
                return lambda st, v, z: table.swap(st, z, one(st, v, z), other(st, v, z))
            case core.Rotate():
                slot, items, place = self.slot(stmt.binder.local), self.items(stmt.binder), self.place(stmt.zone)

                def rotated(st: Any, v: Values, z: Zones) -> None:
                    places = []
                    for item in items(st, v, z):
                        v[slot] = item
                        places.append(place(st, v, z))
                    table.rotate(st, z, places, stmt.left)

                return rotated
            case core.Turn():
                cards = self.cards(stmt.cards)
                return lambda st, v, z: table.turn(st, cards(st, v, z), stmt.face)
            case core.Show():
                cards, to = self.cards(stmt.cards), self.optional(stmt.to)
                return lambda st, v, z: table.show(st, cards(st, v, z), to(st, v, z))
            case _:
                raise AssertionError(stmt)

    def place(self, zone: core.ZoneRef) -> Closure:
        """Return the number of a place."""
        return self.index(zone.zone, zone.index)

    def cards(self, expr: core.Expr, target: Zone | None = None) -> Closure:
        """Return the cards that something is done with; a whole place need not be known, unless it gets an order."""
        gets_order = isinstance(expr, core.ZoneRef) and target is not None and expr.zone.kind == "cards" != target.kind
        unread = isinstance(expr, core.ZoneRef) and not gets_order
        cards = self.unread_cards(expr) if unread and isinstance(expr, core.ZoneRef) else self.group(expr)
        return lambda st, v, z: list(cards(st, v, z))

    def words(self, parts: tuple[str | core.Expr, ...]) -> Closure:
        """Return a text: words, and the values between them with their types."""
        made = [part if isinstance(part, str) else (part.type, self.expression(part)) for part in parts]
        return lambda st, v, z: tuple(p if isinstance(p, str) else (p[0], p[1](st, v, z)) for p in made)


def assign_slots(v: Values, first: int, *values: Any) -> None:
    """Give slots in a row their values."""
    v[first : first + len(values)] = values


# ---------------------------------------------------------------------------------------- nodes


class Interpreter(Statements):
    """The nodes of a program as closures: what they carry out, what they offer, where they lead."""

    def __init__(self, program: nodes.Program) -> None:
        super().__init__(program)
        self.picked = self.slot("picked")
        self.faces = self.rules.card_faces
        self.done = len(self.rules.faces)

    def functions(self) -> dict[str, tuple[Any, ...]]:
        """Return the functions of all nodes: `run`, `legal`, `apply` and `prompt`; and those of the invariants."""
        found = [self.node(node) for node in self.program.nodes]
        run, legal, apply, prompt = zip(*found, strict=True)
        invariants = tuple(self.expression(i.condition) for i in self.rules.invariants)
        return {"run": run, "legal": legal, "apply": apply, "prompt": prompt, "invariants": invariants}

    def node(self, node: nodes.Node) -> tuple[Any, Any, Any, Any]:
        """Return what a node does when it is reached, what can be chosen there, the choice's effect, and its prompt."""
        match node:
            case nodes.Auto():
                return self.automatic(node), None, None, None
            case nodes.Decision():
                player = self.expression(node.choice.player)
                return self.stop(node, player), self.legal(node), self.apply(node), self.words(node.choice.prompt)
            case nodes.Chance():
                return self.stop(node, lambda st, v, z: -1), self.outcomes(node), self.fallen(node), None
            case nodes.Final():
                return self.final(node), None, None, None
            case _:
                assert_never(node)

    def automatic(self, node: nodes.Auto) -> Closure:
        """Return a node in which nobody decides: its steps, then the number of the next node."""
        steps, leave = self.block(node.steps), self.leave(node.exit)

        def run(st: Any, v: Values, z: Zones) -> int:
            steps(st, v, z)
            following: int = leave(st, v, z)
            return following

        return run

    def stop(self, node: nodes.Decision | nodes.Chance, actor: Closure) -> Closure:
        """Return how a state stops where a player, or chance (-1), has to choose."""

        def run(st: Any, v: Values, z: Zones) -> int:
            st.to_act, st.node = actor(st, v, z), node.number
            return STOPPED

        return run

    # ---- where nodes lead

    def leave(self, leave: nodes.Exit) -> Closure:
        """Return the number of the next node."""
        match leave:
            case nodes.Jump(target):
                return lambda st, v, z: target
            case nodes.Branch(condition, then, otherwise):
                test = self.expression(condition)
                return lambda st, v, z: then if test(st, v, z) else otherwise
            case nodes.Next():
                return self.next(leave)
            case nodes.Call():
                return self.call_node(leave)
            case nodes.Return(phase):
                return self.read(self.slot(("return", phase)))
            case nodes.EndOfRound(target, final):
                return lambda st, v, z: final if st.too_long else target
            case _:
                assert_never(leave)

    def next(self, leave: nodes.Next) -> Closure:
        """Return the body of a loop after taking the first item of a queue, or the node after the loop."""
        queue, own = self.slot(leave.queue), self.slot(leave.local)

        def following(st: Any, v: Values, z: Zones) -> int:
            if len(v[queue]) == 0:
                return leave.done
            v[own], *v[queue] = v[queue]
            return leave.body

        return following

    def call_node(self, leave: nodes.Call) -> Closure:
        """Return the first node of a phase that can stop, after noting where it returns to."""
        args, slots = [self.expression(arg) for arg in leave.args], [self.slot(param) for param in leave.phase.params]
        target, back = self.program.phase_entries[leave.phase], self.slot(("return", leave.phase))

        def following(st: Any, v: Values, z: Zones) -> int:
            for slot, value in zip(slots, [arg(st, v, z) for arg in args], strict=True):
                v[slot] = value
            v[back] = leave.back
            return target

        return following

    # ---- what is legal

    def legal(self, node: nodes.Decision) -> Closure:
        """Return the legal small actions, ascending: of the action that was begun, or else of all."""
        if node.only is not None:
            stage = self.stage(node.only, node.stage)
            return lambda st, v, z: sorted(set(stage(st, v, z, v[self.picked])))
        ways = [(self.condition(way.action.only_if), self.stage(way, 0)) for way in node.alternatives]
        fallback = None if node.otherwise is None else self.stage(node.otherwise, 0)
        allowed = self.condition(None if node.otherwise is None else node.otherwise.action.only_if)

        def listed(st: Any, v: Values, z: Zones) -> list[int]:
            found = {action for holds, stage in ways if holds(st, v, z) for action in stage(st, v, z, ())}
            if not found and fallback is not None and allowed(st, v, z):
                found.update(fallback(st, v, z, ()))
            return sorted(found)

        return listed

    def stage(self, way: nodes.Alternative, number: int) -> Small:
        """Return the small actions of a stage of an action, given the picks so far."""
        stage = way.stages[number]
        if not stage.is_set:
            single = self.single_arguments(way, number)
            return lambda st, v, z, picked: single(st, v, z)
        choice = self.set_of(way, number)

        def actions(st: Any, v: Values, z: Zones, picked: tuple[int, ...]) -> list[int]:
            sets = choice(st, v, z)
            found = [stage.base + self.faces[card] for card in sets.next_cards(picked)]
            return [*found, stage.base + self.done] if sets.is_legal(picked) else found

        return actions

    def single_arguments(self, way: nodes.Alternative, number: int) -> Callable[..., Iterator[int]]:
        """Return the small actions of a stage of single arguments: each combination that allows the whole action."""
        stage, last = way.stages[number], number == len(way.stages) - 1
        such_that = self.condition(way.action.such_that if last else None)
        rest = None if last else self.set_of(way, number + 1)
        args = [(self.argument(arg), arg, dim) for arg, dim in zip(stage.args, stage.dims, strict=True)]

        def combinations(st: Any, v: Values, z: Zones, place: int = 0, code: int = 0) -> Iterator[int]:
            if place == len(args):
                if such_that(st, v, z) and (rest is None or rest(st, v, z).can_be_completed(())):
                    yield stage.base + code
                return
            values, arg, dim = args[place]
            is_card, low = isinstance(base_of(arg.local.type), Card), range_low(arg.local.type)
            for item in values(st, v, z):
                number = self.faces[item] if is_card else item - low
                yield from combinations(st, v, z, place + 1, code * dim + number)

        return combinations

    def argument(self, arg: core.Arg) -> Callable[[Any, Values, Zones], Iterator[Any]]:
        """Return the values of a single argument that satisfy its condition, each bound to its name when it comes."""
        items, own = self.items(core.Binder(arg.each, arg.domain, None, arg.where)), self.slot(arg.local)

        def values(st: Any, v: Values, z: Zones) -> Iterator[Any]:
            for item in items(st, v, z):
                v[own] = item
                yield item

        return values

    def set_of(self, way: nodes.Alternative, number: int) -> Callable[[Any, Values, Zones], SetChoice]:
        """Return the sets of a stage after which the rest of the action can be chosen."""
        action, stage = way.action, way.stages[number]
        (arg,) = stage.args
        items = self.items(core.Binder(arg.each, arg.domain, None, arg.where))
        sets = self.set_choice(lambda st, v, z: list(items(st, v, z)), arg.low, arg.high, arg.on_set)
        last, tested = number == len(way.stages) - 1, action.such_that
        if last and tested is not None:
            whole, place = self.condition(tested), self.slot(arg.local)

            def fits(st: Any, v: Values, z: Zones, picked: tuple[int, ...]) -> bool:
                v[place] = picked
                return bool(whole(st, v, z))

            return lambda st, v, z: sets(st, v, z, lambda picked: fits(st, v, z, picked))
        if last:
            return lambda st, v, z: sets(st, v, z, None)
        following, own = way.stages[number + 1], self.slot(arg.local)
        later = self.set_of(way, number + 1) if following.is_set else self.single_arguments(way, number + 1)
        others = action.args[action.args.index(arg) + 1 :]
        depends = any(reads(part, arg.local) for other in others for part in core.children(other))
        depends |= tested is not None and reads(tested, arg.local)

        def made(st: Any, v: Values, z: Zones) -> SetChoice:
            def rest(picked: tuple[int, ...]) -> bool:
                v[own] = picked
                found = later(st, v, z)
                return found.can_be_completed(()) if isinstance(found, SetChoice) else next(found, None) is not None

            if depends:
                return sets(st, v, z, rest)
            possible = rest(())
            alone = sets(st, v, z, None)
            return alone if possible else attrs.evolve(alone, high=-1)

        return made

    # ---- what an action does

    def apply(self, node: nodes.Decision) -> Effect:
        """Return the effect of a small action: the number of the next node."""
        stages = [(way, node.stage if node.only is way else 0) for way in node.open_ways]
        effects = [(way.stages[number], self.taken(node, way, number)) for way, number in stages]

        def apply(st: Any, v: Values, z: Zones, action: int) -> int:
            stage, effect = next((s, e) for s, e in effects if s.base <= action < s.base + s.size)
            return effect(st, v, z, action - stage.base)

        return apply

    def taken(self, node: nodes.Decision, way: nodes.Alternative, number: int) -> Effect:
        """Return what a small action of a stage does."""
        stage, complete = way.stages[number], self.complete(node, way, number)
        if stage.is_set:
            return self.picks(node, stage, complete)
        args = [(arg, dim, self.expression(arg.domain)) for arg, dim in zip(stage.args, stage.dims, strict=True)]

        def take(st: Any, v: Values, z: Zones, code: int) -> int:
            digits: list[int] = []
            counted = st.steps
            for _, dim, _ in reversed(args):
                code, digit = divmod(code, dim)
                digits.insert(0, digit)
            for digit, (arg, _, domain) in zip(digits, args, strict=True):
                is_card = isinstance(base_of(arg.local.type), Card)
                value = self.of_face(domain(st, v, z), digit) if is_card else digit + range_low(arg.local.type)
                v[self.slot(arg.local)] = value
            st.steps = counted  # The cards of the domain were counted with the legal actions.
            return complete(st, v, z)

        return take

    def picks(self, node: nodes.Decision, stage: nodes.Stage, complete: Callable[..., int]) -> Effect:
        """Return what a pick of a card, or the end of a set, does."""
        (arg,) = stage.args
        own, most, domain = self.slot(arg.local), self.optional(arg.high), self.expression(arg.domain)

        def pick(st: Any, v: Values, z: Zones, face: int) -> int:
            before = v[self.picked] if node.only is not None else ()
            if face != self.done:
                free = [card for card in domain(st, v, z) if card not in before]
                before = v[self.picked] = (*before, self.of_face(sorted(free), face))
                high = most(st, v, z)
                if high is None or len(before) < high:
                    st.node = stage.node
                    return STOPPED
            v[own], v[self.picked] = before, ()
            return complete(st, v, z)

        return pick

    def of_face(self, cards: Iterable[int], face: int) -> int:
        """Return the first of some cards that has a face."""
        return next(card for card in cards if self.faces[card] == face)

    def complete(self, node: nodes.Decision, way: nodes.Alternative, number: int) -> Callable[..., int]:
        """Return where an action goes on when a stage is complete; the log describes an action that is whole."""
        later = [(stage, self.optional(stage.args[0].high)) for stage in way.stages[number + 1 :]]
        secret, described = node.choice.secretly or node.hidden, self.described(way.action)

        def go_on(st: Any, v: Values, z: Zones) -> int:
            st.set_memo = None
            for stage, most in later:
                high = most(st, v, z)
                if high is None or high > 0:
                    st.node = stage.node
                    return STOPPED
                v[self.slot(stage.args[0].local)] = ()
            st.chose(*described(v), secret)
            return way.body

        return go_on

    # ---- chance and the end

    def outcomes(self, node: nodes.Chance) -> Closure:
        """Return what chance can choose, each as likely as any other."""
        arg = node.random.arg
        items = self.items(core.Binder(arg.local, arg.domain, None, arg.where))
        return lambda st, v, z: list(items(st, v, z))

    def fallen(self, node: nodes.Chance) -> Effect:
        """Return what an outcome of chance does."""
        arg, into, outcomes = node.random.arg, node.random.into, self.outcomes(node)
        own, is_card = self.slot(arg.local), isinstance(base_of(arg.local.type), Card)
        index = None if into is None or into.variable.local else self.index(into.variable, into.index)

        def fall(st: Any, v: Values, z: Zones, outcome: int) -> int:
            value = v[own] = self.of_face(outcomes(st, v, z), outcome) if is_card else outcome
            place = None if into is None else -1 if index is None else index(st, v, z)
            st.fell(arg.local.name, arg.local.type, value, place)
            return node.next

        return fall

    def final(self, node: nodes.Final) -> Closure:
        """Return the count of the result."""
        lines = [(line.what, line.tags, self.result(line)) for line in self.rules.results]

        def finish(st: Any, v: Values, z: Zones) -> int:
            found: dict[str, Any] = dict.fromkeys(("score", "returns", "winners", "stakes"))
            for what, tags, value in lines:
                st.reach(tags)
                found[what] = value(st, v, z)
            st.finish(node.number, found["score"], found["returns"], found["winners"], found["stakes"])
            return STOPPED

        return finish

    def result(self, line: ResultLine) -> Closure:
        """Return what a line of the result says: a number for each player, or some players."""
        if line.player is None:
            players = self.group(line.value)
            return lambda st, v, z: tuple(players(st, v, z))
        value, slot = self.expression(line.value), self.slot(line.player)

        def by_player(st: Any, v: Values, z: Zones) -> tuple[Any, ...]:
            found = []
            for player in self.players:
                v[slot] = player
                found.append(value(st, v, z))
            return tuple(found)

        return by_player


def reads(expr: core.Expr, local: Local) -> bool:
    """Say whether an expression reads a local name."""
    return any(isinstance(part, core.LocalRef) and part.local is local for part in core.walk(expr))
