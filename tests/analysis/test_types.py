"""The laws of types: what fits, what joins, what can be compared; and the bounds of numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grammar.source import Source, Span
from interpreter.analysis import core
from interpreter.analysis.constant_folding import ARITHMETIC, arithmetic, bounds, within
from interpreter.analysis.limits import NUMBER_LIMIT
from interpreter.analysis.types import (
    BOOL,
    NOTHING,
    PLAYER,
    UNKNOWN,
    Card,
    Cards,
    EnumType,
    Int,
    Optional,
    Sequence,
    Tuple,
    Type,
    base_of,
    comparable,
    disjoint,
    fits,
    is_optional,
    join,
    optional,
    ordered,
    size_of,
)

SUIT, SIDE = EnumType("Suit", ("clubs", "hearts")), EnumType("Side", ("left", "right"))
KINDS = st.frozensets(st.sampled_from(["Number", "Jester", "Wizard"]), min_size=1)
NUMBERS = st.integers(-50, 50)
RANGES = st.tuples(NUMBERS, NUMBERS).map(lambda pair: Int(min(pair), max(pair)))
PLAIN: st.SearchStrategy[Type] = st.one_of(
    RANGES, st.just(Int()), st.sampled_from([BOOL, PLAYER, SUIT, SIDE]), KINDS.map(Card), KINDS.map(Cards)
)
TYPES: st.SearchStrategy[Type] = st.one_of(
    PLAIN, PLAIN.map(optional), st.just(NOTHING), st.tuples(PLAIN, PLAIN).map(Tuple), PLAIN.map(Sequence)
)
SPAN = Span(Source("<test>", ""), 0, 0)


@given(TYPES)
def test_a_type_fits_itself_and_its_optional(type_: Type) -> None:
    assert fits(type_, type_)
    assert fits(type_, optional(type_))
    assert fits(NOTHING, optional(type_))
    assert optional(optional(type_)) == optional(type_)
    assert base_of(optional(type_)) == base_of(type_)
    assert join(type_, type_) == type_


@given(TYPES)
def test_an_unknown_type_fits_everywhere_so_that_one_mistake_is_reported_once(type_: Type) -> None:
    assert fits(UNKNOWN, type_)
    assert fits(type_, UNKNOWN)
    assert join(UNKNOWN, type_) == UNKNOWN == join(type_, UNKNOWN)
    assert comparable(UNKNOWN, type_) or isinstance(base_of(type_), type(NOTHING))


@given(PLAIN)
def test_an_optional_never_fits_a_definite_place(type_: Type) -> None:
    assert not fits(Optional(type_), type_)
    assert not fits(NOTHING, type_)


@given(TYPES, TYPES)
def test_a_join_holds_both_and_does_not_depend_on_the_order(left: Type, right: Type) -> None:
    joined = join(left, right)
    assert joined == join(right, left)
    if joined is not None:
        assert fits(left, joined)
        assert fits(right, joined)
        assert is_optional(joined) == (is_optional(left) or is_optional(right))


@given(TYPES, TYPES, TYPES)
def test_joins_are_associative_and_commutative(one: Type, two: Type, three: Type) -> None:
    first, last = join(one, two), join(two, three)
    if first is not None and last is not None:
        assert join(first, three) == join(one, last)


@given(TYPES, TYPES)
def test_being_comparable_does_not_depend_on_the_order(left: Type, right: Type) -> None:
    assert comparable(left, right) == comparable(right, left)


def test_unlike_types_are_never_compared_or_joined() -> None:
    plain: list[Type] = [Int(), BOOL, PLAYER, SUIT, SIDE, Card(frozenset({"Number"}))]
    for place, left in enumerate(plain):
        for right in plain[place + 1 :]:
            assert not comparable(left, right)
            assert join(left, right) is None
            assert not fits(left, right)


def test_a_card_fits_where_all_its_kinds_do() -> None:
    both, one = Card(frozenset({"Number", "Jester"})), Card(frozenset({"Number"}))
    assert fits(one, both)
    assert not fits(both, one)
    assert comparable(both, one)
    assert not comparable(one, Card(frozenset({"Jester"})))


def test_what_has_an_order() -> None:
    assert all(ordered(t) for t in (Int(), BOOL, SUIT, Tuple((Int(), SUIT))))
    assert not any(ordered(t) for t in (PLAYER, Card(frozenset({"Number"})), Optional(Int()), Tuple((Int(), PLAYER))))


def test_sizes() -> None:
    assert [size_of(t) for t in (Int(2, 5), BOOL, SUIT, Int(), PLAYER, Optional(BOOL))] == [4, 2, 2, None, None, 2]


@given(RANGES, RANGES)
def test_ranges_are_disjoint_when_they_share_no_number(left: Int, right: Int) -> None:
    assert left.low is not None
    assert left.high is not None
    shared = [n for n in range(left.low, left.high + 1) if not disjoint(Int(n, n), right)]
    assert disjoint(left, right) == (not shared)
    assert not disjoint(left, Int())


@given(RANGES, RANGES, st.sampled_from(["+", "-", "*", "mod", "/up", "/down", "/nearest"]), st.data())
def test_bounds_hold_every_result(left: Int, right: Int, op: str, data: st.DataObject) -> None:
    assert left.low is not None
    assert right.low is not None
    a, b = data.draw(st.integers(left.low, left.high)), data.draw(st.integers(right.low, right.high))
    if b == 0 and (op == "mod" or op.startswith("/")):
        return
    result = ARITHMETIC[op](a, b)
    found = bounds(op, left, right)
    assert found.low is None or found.low <= result
    assert found.high is None or result <= found.high


def number(low: int, high: int) -> core.Expr:
    return core.Builtin("count", (), Int(low, high), SPAN)


def test_a_divisor_that_may_be_zero_leaves_a_quotient_bounded() -> None:
    """By zero there is a fault, so only the other divisors have a result."""
    assert bounds("/down", Int(-3, 130), Int(0, 4)) == Int(-3, 130)
    assert bounds("/down", Int(-3, 130), Int(-2, 4)) == Int(-130, 130)
    assert bounds("/down", Int(1, 5), Int(0, 0)) == Int()


def test_products_that_may_grow_beyond_the_limit_are_watched() -> None:
    big = number(0, NUMBER_LIMIT)
    watched = arithmetic("*", big, big, SPAN)
    assert isinstance(watched, core.Builtin)
    assert watched.name == "within"
    assert isinstance(arithmetic("*", number(0, 9), number(0, 9), SPAN), core.Op)
    assert isinstance(arithmetic("+", big, big, SPAN), core.Op)


def test_a_range_is_watched_where_the_type_does_not_promise_it() -> None:
    assert within(number(0, 5), Int(0, 9)).type == Int(0, 5)
    kept = within(number(0, 50), Int(0, 9))
    assert isinstance(kept, core.Builtin)
    assert (kept.name, kept.type) == ("within", Int(0, 9))
    assert isinstance(within(number(0, 50), Int()), core.Builtin)
    assert within(number(0, 50), SUIT).type == Int(0, 50)
