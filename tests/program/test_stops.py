"""Rules that stop in the middle: loops, names and phases around decisions and chance, and clones made there."""

from __future__ import annotations

import pytest

from interpreter import load_text
from tests.lockstep import Engines, lockstep
from tests.program.playing import cards, do, legal, spec, start, values

CHOOSE = (
    "phase pick(p: player, n: 0..99)\n    p chooses\n"
    "        take only if n < 90\n            a = 10 * a + n\n        leave\n"
)


def test_loops_in_loops_go_on_where_they_stopped() -> None:
    state = start(
        CHOOSE + "play\n    for p in players from player 2, n in 1..3 where n != 2: pick(p, n)\n    pick(player 1, 7)\n"
        "    ask\n"
    )
    actors = []
    while legal(state) != ["pass"]:
        actors.append(state.current_player())
        do(state, "take")
    assert actors == [1, 1, 0, 0, 0]
    assert values(state)["a"] == 13137


def test_a_clone_made_in_the_middle_goes_its_own_way() -> None:
    state = start(CHOOSE + "play\n    for n in 1..3: pick(player 1, n)\n    ask\n")
    do(state, "take")
    other = state.clone()
    do(state, "take", "take")
    do(other, "leave", "take")
    assert values(state)["a"] == 123
    assert values(other)["a"] == 13
    assert state != other
    assert state.game.deserialize_state(other.serialize()) == other


def test_names_live_across_decisions_and_are_fresh_in_each_turn() -> None:
    state = start(
        "phase ask\n    for n in 1..3\n        let earlier = a\n        let twice = n + n\n"
        "        player 1 chooses\n            pass\n                a += 10\n        a = a + earlier + twice\n"
    )
    do(state, "pass")
    assert values(state)["a"] == 12
    do(state, "pass")
    assert values(state)["a"] == 38
    do(state, "pass")
    assert values(state)["a"] == 92


def test_while_and_repeat_around_decisions() -> None:
    state = start(
        "phase ask\n    while a < 2\n        player 1 chooses\n            more\n                a += 1\n"
        "    repeat\n        player 2 chooses\n            again\n                b += 1\n            stop\n"
        "                flag = true\n    until flag\n    repeat once until b > 3\n"
        "phase once\n    player 1 chooses\n        go\n            b += 1\n"
    )
    do(state, "more", "more", "again", "stop")
    assert legal(state) == ["go"]
    do(state, "go", "go", "go")
    assert state.is_terminal()
    assert values(state)["b"] == 4


def test_a_decision_inside_the_effect_of_another() -> None:
    state = start(
        "phase ask\n    player 1 chooses\n        call s from Suit\n            suit = s\n"
        "            player 2 chooses\n"
        "                agree\n                    a = 1\n                refuse\n                    a = 2\n"
        "            b = a\n        pass\n"
    )
    do(state, "call hearts")
    assert state.current_player() == 1
    do(state, "refuse")
    assert state.is_terminal()
    assert (values(state)["suit"], values(state)["b"]) == (1, 2)


def test_chance_inside_loops() -> None:
    state = start(
        "play\n    for n in 1..3\n        random k from 1..6 where k >= n\n        a = 10 * a + k\n    ask\n", seed=3
    )
    digits = [int(d) for d in str(values(state)["a"])]
    assert len(digits) == 3
    assert all(digit >= n for n, digit in enumerate(digits, 1))


def test_a_phase_called_from_two_places_returns_to_each() -> None:
    state = start(CHOOSE + "play\n    pick(player 1, 1)\n    a = a * 2\n    pick(player 2, 5)\n    b = a\n    ask\n")
    do(state, "take", "take")
    assert values(state)["b"] == 25


def test_cards_chosen_are_known_to_the_effect_after_another_decision() -> None:
    state = start(
        "phase ask\n    player 1 chooses\n        show_two 2 cards s from hand[player 1]\n            ask_other\n"
        "            move s to table\nphase ask_other\n    player 2 chooses\n        yes\n"
        "play\n    deal 4 from stock to hand[player 1]\n    ask\n"
    )
    do(state, "show_two C2 C4", "yes")
    assert cards(state, "table") == "C2 C4"
    assert cards(state, "hand[player 1]") == "C1 C3"


def test_state_of_a_phase_is_seen_by_the_phases_inside_it() -> None:
    state = start(
        "phase ask\n    state\n        taken: 0..9 = 0\n    inner\n    inner\n    a = taken\n"
        "phase inner\n    player 1 chooses\n        take n from 0..3\n            taken += n\n"
    )
    do(state, "take 3", "take 2")
    assert values(state)["a"] == 5


DRAWS = """
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    table:        row, seen by all
    heap:         pile, seen by all
    box:          cards, seen by all
play
    shuffle stock
    repeat ask until a >= 3
phase ask
    player 1 chooses
        draw
            a += 1
            deal 1 from stock to hand[player 1]
            if (some c in hand[player 1] where c is Jester): b += 1
"""


def test_an_effect_that_waits_for_a_card_is_as_if_it_had_not_begun_and_then_happens_once() -> None:
    state = start(DRAWS)
    for number in range(1, 4):
        state.apply_action(state.string_to_action("draw"))
        assert state.is_chance_node()
        assert values(state)["a"] == number - 1
        assert [actor for actor, _ in state.history()][-1] == 0
        copy = state.clone()
        assert state.game.deserialize_state(state.serialize()) == state == copy
        outcome = copy.legal_actions()[-1]
        copy.apply_action(outcome)
        assert copy != state
        state.apply_action(outcome)
        assert copy == state
        assert values(state)["a"] == number
        assert len(cards(state, "hand[player 1]").split()) == number
    assert state.is_terminal()
    assert values(state)["b"] == 3


def test_many_decisions_in_a_row_that_nobody_makes_are_passed_over() -> None:
    skipped = "    if b == 7\n        player 1 chooses\n            pass\n" * 400
    state = start(f"play\n{skipped}    ask\n")
    assert legal(state) == ["pass"]
    do(state, "pass")
    assert state.is_terminal()


def test_a_deal_back_to_the_pile_it_comes_from_is_the_same_in_all_code() -> None:
    state = start("play\n    deal 3 from stock to stock\n    ask\n")
    logged = state.game.new_logged_state()
    assert state.zones == logged.zones
    before = start("").zones
    assert state.zones[0] == [*reversed(before[0][:3]), *before[0][3:]]


@pytest.mark.parametrize(
    "ranges",
    [("125..127", "-128..-126", "32766..32767"), ("b..b + 2", "b + 1..b", "1..3 where n != b + 2")],
    ids=["fixed", "open"],
)
def test_loops_through_numbers_are_alike_in_all_engines(ranges: tuple[str, ...]) -> None:
    chooses = "player 1 chooses\n            take\n                a = n\n            leave\n"
    body = "".join(f"    for n in {numbers}\n        {chooses}" for numbers in ranges)
    game = load_text(spec(f"play\n{body}    ask\n"))
    assert lockstep(Engines.of(game), 60)[2] == []
