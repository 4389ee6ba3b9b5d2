"""The messages for beginners' mistakes are at least as good as the floors, and the corpus is sound."""

from __future__ import annotations

import pytest

from tests.mistakes.corpus import BASES, counts, entries, measure, messages

ENTRIES = entries()

FLOORS = {
    "place": 0.99,
    "one message": 0.99,
    "cause": 0.99,
    "offered fixes that compile": 1.0,
    "offered fixes that mean what was meant": 0.97,
}
"""The share that reaches each goal (`python -m tests.mistakes`).  Floors are only ever raised."""


PART = 30
"""Every thirtieth entry is measured in the quick tests; each of the folders has many."""


def test_names_are_unique() -> None:
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("path", sorted(p for p in BASES.iterdir()), ids=lambda p: p.name)
def test_bases_are_sound(path: object) -> None:
    name = getattr(path, "name", "")
    assert messages(name, (BASES / name).read_text(encoding="utf-8")) == ()


@pytest.mark.parametrize("part", [5, pytest.param(1, marks=pytest.mark.soak)])
def test_corrected_texts_are_sound(part: int) -> None:
    for entry in ENTRIES[::part]:
        assert [d for d in messages(entry.file, entry.corrected) if d.is_error] == [], entry.name


@pytest.mark.parametrize("part", [PART, pytest.param(1, marks=pytest.mark.soak)])
def test_messages_reach_the_floors(part: int) -> None:
    measured = [measure(entry) for entry in ENTRIES[part - 1 :: part]]
    shares = {goal: reached / count for goal, (reached, count) in counts(measured).items()}
    below = {goal: share for goal, share in shares.items() if share < FLOORS[goal]}
    assert below == {}, [m.entry.name for m in measured if not m.reaches_all]
