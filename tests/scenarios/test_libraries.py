"""The idioms in `games/lib` do by themselves, in a game of a few lines, what their comments promise."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.diagnostics import SpecError
from grammar.source import read_source
from interpreter.fuzz.fuzz import fuzz
from interpreter.loader import find_spec, load
from interpreter.scenarios.scenario import run_source
from interpreter.validate import validate

LIBRARIES = find_spec("two_player_wizard").parent / "lib"

GAME = f"""\
cardgame 1

use "{(LIBRARIES / "tricks.cardgame").as_posix()}"

game "Three Tricks"
    players 3

enum Suit: sun "S", moon "M", tide "T"
card Number(suit: Suit, rank: 1..4) written "{{suit}}{{rank}}"
card Fool written "F"

deck in stock
    1 of each Number
    3 of Fool

zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
    trick: row, seen by all
    won[player]: cards, seen by all

state
    leader: player = player 1
    trump: Suit or none = moon

play
    shuffle stock
    for p in players: deal 5 from stock to hand[p]
    repeat one_trick until hand[leader] is empty

phase one_trick
    for p in players from leader
        p chooses
            play card c from hand[p] where c is Fool or follows(c, hand[p])
                move c to trick for p
    leader = player_of(highest_of(trump) else highest_of(led)) else leader
    move trick to won[leader]

result
    score p = count(won[p])
"""

SCENARIOS = """\
scenarios 1 of "three_tricks.cardgame"

scenario "the suit that is led must be followed by who has it"
    start one_trick
    given hand[player 1] holds "S1 F"
    given hand[player 2] holds "S4 M3 F"
    given hand[player 3] holds "T1 M4"
    player 1 can only play "S1", play "F"
    player 1 does play "S1"
    expect led == sun
    player 2 can only play "S4", play "F"
    player 2 does play "S4"
    player 3 can only play "T1", play "M4"
    player 3 does play "T1"
    expect leader == player 2

scenario "a card without suit leads none: the next card sets it"
    start one_trick
    given hand[player 1] holds "F S1"
    given hand[player 2] holds "T1 S2"
    given hand[player 3] holds "S3 T2"
    player 1 does play "F"
    expect led is none and follows(the first c in hand[player 2], hand[player 2])
    player 2 can only play "T1", play "S2"
    player 2 does play "T1"
    expect led == tide
    player 3 can only play "T2"
    player 3 does play "T2"
    expect leader == player 3

scenario "the highest of a suit, and none of a suit that is not there"
    start one_trick
    given trick holds "S2 S4 T3 F"
    given hand[player 1] holds "M1"
    expect (highest_of(sun)).rank == 4
    expect (highest_of(tide)).rank == 3
    expect highest_of(moon) is none and highest_of(trump) is none

scenario "a trump beats the suit that is led, and without trumps nothing does"
    start one_trick
    given hand[player 1] holds "S3 F"
    given hand[player 2] holds "M1 F"
    given hand[player 3] holds "S4 F"
    player 1 does play "S3"
    player 2 does play "M1"
    player 3 does play "S4"
    expect leader == player 2

scenario "without trumps the highest of the suit that is led takes the trick"
    start one_trick
    given trump = none
    given hand[player 1] holds "S3 F"
    given hand[player 2] holds "M1 F"
    given hand[player 3] holds "S4 F"
    player 1 does play "S3"
    player 2 does play "M1"
    player 3 does play "S4"
    expect leader == player 3

scenario "a trick without any suit has no highest card"
    start one_trick
    given hand[player 1] holds "F S1"
    given hand[player 2] holds "F S2"
    given hand[player 3] holds "F S3"
    player 1 does play "F"
    player 2 does play "F"
    player 3 does play "F"
    expect leader == player 1
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "three_tricks.cardgame"
    path.write_text(GAME)
    return path


def test_following_suit_and_taking_tricks_come_from_the_library(tiny: Path) -> None:
    scenarios = tiny.with_suffix(".scenarios")
    scenarios.write_text(SCENARIOS)
    results = run_source(read_source(scenarios), scenarios.parent)
    assert len(results) == SCENARIOS.count("\nscenario ")
    assert [(r.name, r.failure) for r in results if not r.passed] == []


def test_random_plays_with_the_library_find_nothing_wrong(tiny: Path) -> None:
    assert fuzz(load(tiny), playouts=4, seed=3).failure is None


def test_a_game_need_not_use_all_that_a_library_offers(tiny: Path) -> None:
    tiny.write_text(GAME.replace("highest_of(trump) else highest_of(led)", "last c in trick where c.suit == led"))
    assert [d.code for d in validate(tiny).diagnostics] == ["CG502"], "only the trumps, which are the game's own"


def test_a_missing_requirement_of_a_library_is_reported_with_its_place(tiny: Path) -> None:
    tiny.write_text(GAME.replace("rank: 1..4", "height: 1..4").replace("{rank}", "{height}"))
    with pytest.raises(SpecError) as caught:
        load(tiny)
    first = caught.value.diagnostics[0]
    assert "rank" in first.message
    assert Path(first.span.source.name).name == "tricks.cardgame"
