"""The rounds of Arcanity keep to the counts from which its length is reckoned.

A variant counts along and has them as invariants, which the spec itself has no room for.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.fuzz import fuzz
from interpreter.fuzz.checks import CHECKS
from interpreter.loader import find_spec, load

COUNTED = """cardgame 1
extends "{base}"
game "Arcanity, counted"
    players 3..5
add state
    counted, discards: integer
    duels_are_wrong, points_are_missing, too_many_discards: boolean
replace phase score_round
    let taken = sum(won[p] for p in players)
    duels_are_wrong = taken > ranks - 1 or taken < ranks - 2
    too_many_discards = discards > 2
    for p in players: score[p] += won[p] + 2 * count(c in stack[p] where c.rank == 1)
    for p in (all highest q in players by won[q]): score[p] += sum(c.rank for c in bid[p])
    let total = sum(score[p] for p in players)
    points_are_missing = total - counted < ranks - (if in_play[shadow] then 3 else 1)
    counted = total
    discards = 0
replace phase discard_one(p: player)
    if p is in holders
        p chooses
            discard card c from hand[p]
                move c to out
                discards += 1
invariant "all duels but one at most are won": not duels_are_wrong
invariant "the points of a round": not points_are_missing
invariant "two discards a round": not too_many_discards
invariant "hands stay alike":
    every p in players has every q in players has distance(count(hand[p]), count(hand[q])) <= 3
invariant "one shield lies face down": count(c in trick where face_down(c)) <= 1
"""


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (3, {}),
        (5, {"ranks": "7"}),
        (4, {"open_shields": "true", "schools": "chosen"}),
        *(pytest.param(*setting, marks=pytest.mark.soak) for setting in [(4, {}), (5, {}), (3, {"schools": "chosen"})]),
    ],
)
def test_a_round_has_the_duels_and_the_points_that_the_page_reckons_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int, options: dict[str, str]
) -> None:
    monkeypatch.setattr(fuzz, "ALL_CHECKS", [check for check in CHECKS if check.name == "invariants"])
    spec = tmp_path / "counted.cardgame"
    spec.write_text(COUNTED.format(base=find_spec("arcanity").as_posix()), encoding="utf-8")
    assert fuzz.fuzz(load(spec, players, options), playouts=4, seed=2).failure is None
