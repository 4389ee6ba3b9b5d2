"""Variables of a block: what they hold, how long, and that nobody is told of them."""

from __future__ import annotations

import pickle
import random

import pytest

from interpreter import RuleError, State
from interpreter.loader import load_text
from tests.program.playing import do, legal, spec, start, values

ROUNDS = """
play
    for n in 1..3
        let sum_so_far: 0..99 = n
        let taken[Suit]: 0..5
        let last_one: card or none
        repeat
            player 1 chooses
                take card c from stock
                    move c to table
                    sum_so_far += (c.rank else 0)
                    let suit_taken = c.suit else spades
                    taken[suit_taken] += 1
                    last_one = c
                stop only if count(stock) < 17: flag = true
        until flag
        flag = false
        a += 100 * n + sum_so_far
        b += taken[clubs] - taken[spades]
        if last_one is Jester: d += 1
        ask
phase ask
    move table to stock
"""


def test_it_is_kept_over_decisions_and_starts_anew_with_its_line() -> None:
    """Counted over three rounds, each with decisions in the middle."""
    state = start(ROUNDS)
    do(state, "take C3", "take S4", "stop")
    assert values(state)["a"] == 100 + 1 + 7
    assert values(state)["b"] == 0
    do(state, "take J", "stop")
    assert values(state)["a"] == 108 + 200 + 2
    assert values(state)["b"] == -1
    assert values(state)["d"] == 1
    do(state, "take C1", "take C2", "stop")
    assert values(state)["a"] == 310 + 300 + 6
    assert values(state)["b"] == 1
    assert state.is_terminal()


def test_clones_and_saved_states_have_their_own() -> None:
    """What one copy sets, the other does not see; a state that was saved goes on where it stood."""
    state = start(ROUNDS)
    do(state, "take C3")
    copy, saved = state.clone(), pickle.dumps(state)
    do(state, "take C5", "stop")
    do(copy, "stop")
    again: State = pickle.loads(saved)
    do(again, "take S1", "stop")
    assert [values(s)["a"] for s in (state, copy, again)] == [109, 104, 105]


def test_nobody_observes_it() -> None:
    """Two specs that differ in a local variable alone are shown alike, to everybody, and as numbers."""
    plain = ROUNDS.replace("        let last_one: card or none\n", "").replace(
        "        if last_one is Jester: d += 1\n", ""
    )
    plain = plain.replace("                    last_one = c\n", "")
    with_it, without = load_text(spec(ROUNDS)), load_text(spec(plain))
    left, right = with_it.new_initial_state(), without.new_initial_state()
    chance = random.Random(3)
    while not left.is_terminal():
        assert left.legal_actions() == right.legal_actions()
        for player in (0, 1):
            assert left.information_state_string(player) == right.information_state_string(player)
            assert left.observation_string(player) == right.observation_string(player)
            assert left.observation_tensor(player) == right.observation_tensor(player)
        action = chance.choice(left.legal_actions())
        left.apply_action(action)
        right.apply_action(action)
    for state in (left, right):
        assert "sum_so_far" not in state.information_state_string(0)
        assert not any("taken" in game_name for game_name in values(state))


def test_a_value_outside_of_its_range_is_a_fault() -> None:
    """As with any variable; the line is named."""
    with pytest.raises(RuleError, match="CG801 3 is outside"):
        start("play\n    let n: 0..2 = 2\n    n += 1\n    ask\n")


def test_a_change_of_a_local_variable_triggers_nothing() -> None:
    """`whenever` reads no local variable, so setting one is no reason to ask; it has locals of its own."""
    state = start("""
whenever a == 1
    let n: 0..9 = 3
    n += 1
    b += n
    a = 2

play
    let n: 0..9 = 1
    n += 1
    a = 1
    n += b
    d = n
    ask
""")
    assert values(state) | {"suit": None} == {"a": 2, "b": 4, "d": 6, "suit": None, "flag": False}
    assert legal(state) == ["pass"]


def test_what_chance_puts_into_it_is_not_reported() -> None:
    """Chance rolls in secret; a name for what it rolls is still told."""
    state = start("""
play
    let hidden: 1..6 = 1
    random hidden from 4..5
    random open_die from 2..3
    a = if hidden > 3 then 1 else 0
    ask
""")
    seen = [state.information_state_string(player) for player in (0, 1)]
    assert "hidden" not in seen[0] + seen[1]
    assert "open_die" in seen[0]
    assert values(state)["a"] == 1
