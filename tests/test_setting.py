"""Players and options: what can be set follows from what is set before."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from grammar.source import Source
from interpreter import Setting, SettingError, Signature, SpecError, load, load_text
from interpreter.loader import assemble, check

GAME = """\
cardgame 1
game "Sized"
    players 2..4
option a: 1..10 = 5
option b: 1..a = 1
option seats: 1..count(players) = count(players)
option pace: slow | fast = slow
option late = false
card Chip(n: 1..9)
deck in box
    a of each Chip
zones
    box: pile, seen by nobody
    hand[player]: cards, seen by owner
play
    shuffle box
    deal b from box to hand[players]
    for p in players
        p chooses "Lay down"
            discard card c from hand[p]
                move c to box
result
    score p = count(hand[p])
"""


def signature(text: str = GAME) -> Signature:
    return Signature.of(assemble(Source("<text>", text), None))


def refused(players: int | None = None, **options: Any) -> str:
    with pytest.raises(SettingError) as raised:
        load_text(GAME, players, options)
    assert isinstance(raised.value, ValueError)
    return str(raised.value)


def test_a_range_follows_from_the_options_before_it_whether_they_are_given_or_not() -> None:
    assert load_text(GAME, options={"b": 3}).setting["b"] == 3
    assert load_text(GAME, options={"a": 10, "b": 10}).setting["b"] == 10
    assert refused(b=99) == "`b` is a number in 1..5 with a = 5, not 99"
    assert refused(a=2, b=3) == "`b` is a number in 1..2 with a = 2, not 3"


def test_a_value_of_an_enumeration_may_be_an_option_and_a_table_may_depend_on_options() -> None:
    text = GAME.replace("option late", "option suit: Suit = hearts\noption late") + "enum Suit: clubs, hearts\n"
    text += "enum Row(n: 0..a)\n    one a\ndefine points = if suit == clubs then one.n else 0\n"
    text = text.replace("count(hand[p])", "points")
    assert load_text(text).setting["suit"] == "hearts"
    assert load_text(text, options={"suit": "clubs", "a": 3}).setting["suit"] == "clubs"
    with pytest.raises(SettingError, match="`suit` is one of clubs, hearts, not `spades`"):
        load_text(text, options={"suit": "spades"})
    with pytest.raises(SpecError) as raised:
        load_text(text.replace("= hearts", "= spades"))
    assert {diagnostic.code for diagnostic in raised.value.diagnostics} == {"CG327"}


def test_a_range_follows_from_the_requested_number_of_players() -> None:
    assert load_text(GAME, 4, {"seats": 4}).setting["seats"] == 4
    assert refused(seats=4) == "`seats` is a number in 1..2 with 2 players, not 4"
    assert refused(3, seats=4) == "`seats` is a number in 1..3 with 3 players, not 4"


def test_a_default_follows_from_the_number_of_players() -> None:
    assert [signature().setting(players)["seats"] for players in (2, 3, 4)] == [2, 3, 4]


@pytest.mark.parametrize("players", [0, 1, 5, -2, 10**9])
def test_too_few_or_too_many_players_are_a_mistake_of_the_caller(players: int) -> None:
    assert refused(players) == f"Sized is for 2 to 4 players, not {players}"


@pytest.mark.parametrize("players", ["3", 2.0, True])
def test_a_number_of_players_is_a_number(players: Any) -> None:
    assert "whole number" in refused(players)


def test_a_game_for_one_number_of_players_says_which() -> None:
    with pytest.raises(SettingError, match="Chalice and Wand is for 2 players, not 1"):
        load("chalice_and_wand", players=1)


def test_what_is_no_value_is_answered_with_those_there_are() -> None:
    assert refused(pace="quick") == "`pace` is one of slow, fast, not `quick`"
    assert refused(late="maybe") == "`late` is true or false, not `maybe`"
    assert refused(a="many") == "`a` is a number in 1..10, not many"
    assert refused(a="1_0") == "`a` is a number in 1..10, not 1_0"
    assert refused(a="9" * 5000).startswith("`a` is a number in 1..10, not 999")
    assert refused(laet=True) == "there is no option `laet`; did you mean `late`?"


def test_mistakes_of_a_spec_are_reported_before_those_of_the_request() -> None:
    for text in (GAME.replace("    players 2..4\n", ""), GAME.replace("box: pile", "box: pil")):
        with pytest.raises(SpecError):
            load_text(text, 3)


def test_an_option_that_is_declared_twice_is_reported_though_its_ranges_differ() -> None:
    """The value of the first need not be one of the second."""
    text = GAME.replace("option a: 1..10 = 5\n", "option b: 0..a = 0\noption a: 1..10 = 5\n")
    with pytest.raises(SpecError) as raised:
        load_text(text)
    assert "CG202" in {diagnostic.code for diagnostic in raised.value.diagnostics}


def test_a_setting_is_whole_hashable_and_the_same_however_it_is_said() -> None:
    said = signature().setting(3, {"late": True, "a": "7"})
    assert said == Setting(3, (("a", 7), ("b", 1), ("seats", 3), ("pace", "slow"), ("late", True)))
    assert {said, signature().setting(3, {"a": 7, "late": "true", "seats": 3})} == {said}
    assert pickle.loads(pickle.dumps(said)) == said
    assert str(said) == "3 players, a = 7, b = 1, seats = 3, pace = slow, late = true"
    game = load_text(GAME, 3, {"late": True, "a": "7"})
    assert game.setting == said == game.rules.setting
    assert check(assemble(Source("<text>", GAME), None), said.players, dict(said.options)).setting == said


def test_a_play_that_is_pickled_comes_back_in_its_setting() -> None:
    state = load_text(GAME, 3, {"a": 4, "b": 2}).new_initial_state()
    assert pickle.loads(pickle.dumps(state)).game.setting == state.game.setting
