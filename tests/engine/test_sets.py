"""Choosing sets pick by pick, against brute force over all subsets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, combinations
from operator import eq, ge, gt, le, lt
from typing import Any, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.engine import sets
from interpreter.engine.faults import RuleError

DONE = 1000
Subset = tuple[int, ...]
Deck = tuple[list[int], list[int], list[int]]


class SetChoice(Protocol):
    """What the classes of `interpreter.engine.sets` have in common."""

    def actions(self, picked: Subset, base: int, done: int, /) -> list[int]: ...
    def possible(self) -> bool: ...


def subsets(cards: Sequence[int]) -> list[Subset]:
    """Return all subsets, each ascending."""
    return list(chain.from_iterable(combinations(cards, n) for n in range(len(cards) + 1)))


def divisions(cards: Sequence[int], groups: Sequence[tuple[Subset, int]]) -> list[list[tuple[Subset, int]]]:
    """Return all choices of disjoint groups."""
    if not groups:
        return [[]]
    others = divisions(cards, groups[1:])
    first = groups[0]
    return others + [[first, *rest] for rest in others if all(not set(first[0]) & set(group) for group, _ in rest)]


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=7, unique=True),
    st.integers(0, 3),
    st.none() | st.integers(0, 5),
    st.integers(2, 6),
    st.booleans(),
)
def test_subsets_come_in_order_without_those_that_begin_with_a_bad_set(
    cards: list[int], low: int, high: int | None, bound: int, anchored: bool
) -> None:
    cards.sort()

    def part(picked: Subset) -> bool:
        return sum(card % 5 for card in picked) < bound

    found = list(sets.subsets(cards, low, high, part, anchored=anchored))
    most = len(cards) if high is None else high
    every = [s for s in subsets(cards) if low <= len(s) <= most and part(s)]
    assert found == sorted(s for s in every if not anchored or s[:1] == (cards[0],))


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=6, unique=True),
    st.lists(
        st.tuples(st.none() | st.integers(0, 2), st.none() | st.integers(0, 3), st.integers(1, 6), st.integers(2, 4)),
        min_size=1,
        max_size=3,
    ),
    st.booleans(),
)
def test_rests_are_what_the_choices_of_disjoint_groups_leave(
    cards: list[int], kinds: list[tuple[int | None, int | None, int, int]], exact: bool
) -> None:
    cards.sort()
    made = [
        (low, high, [s for s in subsets(cards) if s and len(s) < size and sum(s) % by == 0])
        for low, high, by, size in kinds
    ]
    groups = [(group, kind) for kind, (_, _, some) in enumerate(made) for group in some][:14]

    def groups_of(kind: int) -> Callable[[Sequence[int]], list[Subset]]:
        of_kind = [group for group, k in groups if k == kind]
        return lambda left: [g for g in of_kind if {*g} <= {*left} and (not exact or g[0] == left[0])]

    given_kinds = [(low, high, groups_of(kind)) for kind, (low, high, _) in enumerate(made)]
    wanted: set[Subset] = set()
    for taken in divisions(cards, groups):
        counts = [sum(kind == k for _, k in taken) for kind in range(len(kinds))]
        if all(
            (low or 0) <= n <= (99 if high is None else high) for n, (low, high, _) in zip(counts, made, strict=True)
        ):
            used = {card for group, _ in taken for card in group}
            wanted.add(tuple(card for card in cards if card not in used))
    found = sets.rests(cards, given_kinds, exact, lambda _: None)
    assert len(found) == len(set(found))
    assert set(found) == ({rest for rest in wanted if not rest} if exact else wanted)


def test_groups_are_looked_for_only_with_the_lowest_card_that_is_left() -> None:
    lowest: list[int] = []

    def pairs(left: Sequence[int]) -> list[Subset]:
        lowest.append(left[0])
        return [(left[0], card) for card in left[1:] if card % 4 == left[0] % 4]

    assert sets.rests([0, 1, 2, 4, 6], [(None, None, pairs)], True, lambda _: None) == []
    assert lowest == [0, 1]  # 0 and 4 are a pair; then 1 is left, which is in none.


def test_a_division_into_too_many_groups_is_a_fault() -> None:
    cards = list(range(14))
    with pytest.raises(RuleError):
        sets.rests(cards, [(None, None, lambda _: subsets(cards)[1:])], False, lambda _: None)
    pairs = [s for s in subsets(cards) if len(s) == 2]
    with pytest.raises(RuleError):
        sets.rests(cards, [(None, None, lambda _: pairs)], False, lambda _: None)


def in_faces(subset: Subset, faces: Sequence[int]) -> Subset:
    """Return a set as its faces: what can be told apart."""
    return tuple(faces[c] for c in subset)


def walk(choice: SetChoice, cards: Sequence[int], faces: Sequence[int], picked: Subset = ()) -> list[Subset]:
    """Return all sets that the actions lead to, as faces, and prove what holds on the way."""
    actions = choice.actions(picked, 0, DONE)
    assert actions == sorted(set(actions))
    found = [in_faces(picked, faces)] if DONE in actions else []
    left = [card for card in cards if not picked or card > picked[-1]]
    for face in actions:
        if face == DONE:
            continue
        card = next(card for card in left if faces[card] == face)
        behind = walk(choice, cards, faces, (*picked, card))
        assert behind, "a pick that cannot be completed"
        found += behind
    return found


def prove(choice: SetChoice, cards: Sequence[int], faces: Sequence[int], good: Callable[[Subset], bool]) -> None:
    """Prove that the picks lead to every good set once, and to no other."""
    wanted = {in_faces(s, faces) for s in subsets(cards) if good(s)}
    reached = walk(choice, cards, faces)
    assert len(reached) == len(set(reached))
    assert set(reached) == wanted
    assert choice.possible() is bool(wanted)


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    """Draw (cards of a zone ascending, face of every card of the deck, value of every face)."""
    copies = draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
    faces = [face for face, count in enumerate(copies) for _ in range(count)]
    cards = draw(st.lists(st.integers(0, len(faces) - 1), unique=True, max_size=8))
    values = draw(st.lists(st.integers(0, 6), min_size=len(copies), max_size=len(copies)))
    return sorted(cards), faces, values


BOUNDS = st.tuples(st.integers(0, 4), st.one_of(st.none(), st.integers(0, 5)))


def fits(subset: Subset, low: int, high: int | None) -> bool:
    return low <= len(subset) and (high is None or len(subset) <= high)


@given(decks(), BOUNDS)
def test_plain_sets(deck: Deck, bounds: tuple[int, int | None]) -> None:
    cards, faces, _ = deck
    unlike = len(set(faces)) == len(faces)
    prove(sets.Plain(cards, *bounds, faces, unlike), cards, faces, lambda s: fits(s, *bounds))


@given(decks(), BOUNDS)
def test_hereditary_sets_all_alike(deck: Deck, bounds: tuple[int, int | None]) -> None:
    cards, faces, values = deck

    def test(picked: Subset, card: int) -> bool:
        return not picked or values[faces[card]] == values[faces[picked[0]]]

    def good(subset: Subset) -> bool:
        return fits(subset, *bounds) and len({values[faces[c]] for c in subset}) <= 1

    prove(sets.Hereditary(cards, *bounds, test, lambda _: None, faces), cards, faces, good)


@given(decks(), BOUNDS, st.integers(0, 12))
def test_hereditary_sets_up_to_a_sum(deck: Deck, bounds: tuple[int, int | None], most: int) -> None:
    cards, faces, values = deck

    def test(picked: Subset, card: int) -> bool:
        return sum(values[faces[c]] for c in (*picked, card)) <= most

    def good(subset: Subset) -> bool:
        return fits(subset, *bounds) and sum(values[faces[c]] for c in subset) <= most

    prove(sets.Hereditary(cards, *bounds, test, lambda _: None, faces), cards, faces, good)


@given(decks(), st.integers(0, 1), st.sets(st.integers(0, 30), max_size=4))
def test_sums(deck: Deck, low: int, wanted: set[int]) -> None:
    cards, faces, values = deck
    worth = [values[faces[c]] for c in cards]
    accepted = sum(1 << total for total in wanted)

    def good(subset: Subset) -> bool:
        return len(subset) >= low and sum(values[faces[c]] for c in subset) in wanted

    prove(sets.Sums(cards, low, worth, accepted, faces), cards, faces, good)


MEASURED: dict[str, Callable[[list[int]], Any]] = {
    "sum": sum,
    "count": len,
    "min": lambda v: min(v, default=None),
    "max": lambda v: max(v, default=None),
    "same": lambda v: len(set(v)) <= 1,
    "different": lambda v: len(set(v)) == len(v),
}


@given(decks(), BOUNDS, st.sampled_from(sorted(MEASURED)), st.sampled_from(sorted(MEASURED)), st.integers(0, 8))
def test_measures(deck: Deck, bounds: tuple[int, int | None], one: str, other: str, bound: int) -> None:
    cards, faces, values = deck

    def value(card: int) -> int:
        return values[faces[card]]

    def test(left: Any, right: Any) -> bool:
        return left is not None and right is not None and left + right >= bound

    def good(subset: Subset) -> bool:
        worth = [value(c) for c in subset]
        added = [1 for _ in worth]
        left = MEASURED[one](added if one == "count" else worth)
        right = MEASURED[other](added if other == "count" else worth)
        return fits(subset, *bounds) and test(left, right)

    measures = tuple((name, (lambda _: 1) if name == "count" else value) for name in (one, other))
    prove(sets.Measures(cards, *bounds, measures, test, faces), cards, faces, good)
    if one in ("same", "different"):

        def both(left: Any, right: Any) -> bool:
            return left is True and test(left, right)

        def good_of_both(subset: Subset) -> bool:
            return MEASURED[one]([value(c) for c in subset]) is True and good(subset)

        prove(sets.Measures(cards, *bounds, measures, both, faces, needs=(1,)), cards, faces, good_of_both)


def test_measures_that_take_too_many_results_are_refused() -> None:
    cards = list(range(24))
    measures = (("sum", lambda card: 1 << card),)
    choice = sets.Measures(cards, 0, None, measures, lambda total: total < 0, cards)
    with pytest.raises(RuleError) as caught:
        choice.actions((), 0, DONE)
    assert caught.value.code == "CG806"


@given(st.lists(st.integers(0, 9), max_size=8))
def test_a_table_of_sums_is_all_sums(values: list[int]) -> None:
    table = sets.sums(values)
    assert {n for n in range(100) if table >> n & 1} == {sum(values[i] for i in s) for s in subsets(range(len(values)))}


@given(st.integers(0, 2**40), st.integers(-3, 50))
def test_parts_of_a_table_of_sums(table: int, value: int) -> None:
    def numbers(some: int) -> set[int]:
        return {n for n in range(60) if some >> n & 1}

    every = numbers(table)
    for sign, holds in {"==": eq, "<=": le, "<": lt, ">=": ge, ">": gt}.items():
        assert numbers(sets.bits_that(table, sign, value)) == {n for n in every if holds(n, value)}
    assert sets.bits_that(table, "==", None) == 0
    assert numbers(sets.bits_where(table, lambda n: n % 3 == 0)) == {n for n in every if n % 3 == 0}


@pytest.mark.parametrize("count", [20, 25, 40])
def test_many_cards_make_no_long_search(count: int) -> None:
    """With 2 to the power of 40 subsets, whatever went through them would not come back."""
    values = [1 + number * 7 % 10 for number in range(count)]
    choice = sets.Sums(list(range(count)), 1, values, 1 << (sum(values) // 2), list(range(count)))
    picked: Subset = ()
    while (action := choice.actions(picked, 0, DONE)[0]) != DONE:
        picked = (*picked, action)
    assert sum(values[c] for c in picked) == sum(values) // 2
