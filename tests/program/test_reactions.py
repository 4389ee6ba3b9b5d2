"""`whenever` and `together`: when rules are asked, which comes first, and what is one step."""

from __future__ import annotations

import random

import pytest

from interpreter import RuleError, State, load_text
from interpreter.fuzz.fuzz import fuzz
from tests.program.playing import cards, do, legal, spec, start, values

COUNTS = "whenever a >= 3\n    a = 0\n    b += 1\n"


def after(setup: str, rules: str) -> State:
    """Return the state after some statements of a game with some rules."""
    lines = "".join(f"    {line}\n" for line in setup.strip("\n").split("\n"))
    return start(f"{rules}\nplay\n{lines}    ask\n")


def test_a_rule_is_evaluated_after_every_statement() -> None:
    state = after("a = 3\nd = a\nfor n in 1..7: a += 1", COUNTS)
    assert (values(state)["a"], values(state)["b"], values(state)["d"]) == (1, 3, 0)


def test_a_rule_is_evaluated_until_it_is_quiet() -> None:
    state = after("a = 7", "whenever a >= 2\n    a -= 2\n    b += 1\n")
    assert (values(state)["a"], values(state)["b"]) == (1, 3)


def test_the_first_that_fits_comes_first_and_then_all_are_evaluated_anew() -> None:
    state = start(
        "state\n    a, d: integer = 0\n    n[player]: integer = 0\n"
        "whenever p in players from player 2 where n[p] > 0\n    n[p] -= 1\n    n[next(p)] -= 1\n"
        "    d = 10 * d + (if p == player 2 then 2 else if p == player 1 then 1 else 3)\n"
        'game "Small"\n    players 3\n'
        "play\n    together\n        for p in players: n[p] = 2\n    ask\n"
    )
    assert values(state)["d"] == 2211


def test_of_several_rules_the_first_of_the_text_comes_first_each_time() -> None:
    rules = (
        "whenever a > 4: flag = true\n"
        "whenever a == 1 or a == 3\n    a += 1\n    d = 10 * d + 1\n"
        "whenever a > 0 and a < 5\n    a += 1\n    d = 10 * d + 2\n"
    )
    state = after("a = 1", "whenever b > 9: flag = false\n" + rules.replace("flag = true", "a = 0"))
    # 1 -(1)-> 2 -(2)-> 3 -(1)-> 4 -(2)-> 5, and that makes the rule at the head fit.
    assert (values(state)["d"], values(state)["a"]) == (1212, 0)


def test_of_two_selections_the_first_pair_that_fits_comes_first() -> None:
    state = after(
        "a = 3",
        "whenever n in 1..4 where n > 1, m in 2..3 where n + m == a + 1\n    d = 100 * d + 10 * n + m\n    a += 1\n",
    )
    assert (values(state)["d"], values(state)["a"]) == (22233343, 7)


def test_a_rule_that_another_one_sets_going_is_done_too() -> None:
    state = after(
        "a = 3", "whenever d > 0\n    d -= 1\n    flag = true\nwhenever b > 0\n    b -= 1\n    d += 1\n" + COUNTS
    )
    assert (values(state)["b"], values(state)["d"], values(state)["flag"]) == (0, 0, True)


def test_conditions_look_through_definitions() -> None:
    state = after(
        "move top of stock to table\nmove top of stock to table\na = count(table)",
        "define full = many(2)\ndefine many(n: 0..9) = count(table) >= n\nwhenever full\n    move table to box\n",
    )
    assert (cards(state, "box"), values(state)["a"]) == ("C1 C2", 0)


def test_a_deal_is_one_statement() -> None:
    state = after("deal 5 from stock to hand[player 1]",
                  "whenever count(hand[player 1]) >= 2\n    move hand[player 1] to box\n    b += 1\n")  # fmt: skip
    assert (values(state)["b"], cards(state, "box")) == (1, "C1 C2 C3 C4 C5")


def test_cards_turned_where_they_lie_are_noticed() -> None:
    state = after("move top of stock to table\nturn table face down",
                  "whenever c in table where face_down(c)\n    move c to box\n    b += 1\n")  # fmt: skip
    assert (values(state)["b"], cards(state, "table")) == (1, "")


def test_together_is_one_step() -> None:
    rules = "whenever stock is empty and not flag: flag = true\n"
    apart = after("move stock to box\nmove box to stock", rules)
    as_one = after("together\n    move stock to box\n    move box to stock", rules)
    assert (values(apart)["flag"], values(as_one)["flag"]) == (True, False)


def test_together_triggers_once_after_it_and_holds_deals_and_loops() -> None:
    state = after(
        "together\n    deal 2 from stock to hand[player 1]\n    for p in players: deal 1 from stock to hand[p]\n"
        "    a = 3\n    a += 3\n    together\n        a += 1\nd = a",
        "whenever a >= 3\n    b = 10 * b + a\n    a = 0\n",
    )
    assert (values(state)["b"], values(state)["d"]) == (7, 0)
    assert cards(state, "hand[player 1]") == "C1 C2 C3"


def test_a_phase_carried_out_together_is_part_of_the_step() -> None:
    rules = COUNTS + "phase twice_up\n    a += 3\n    a -= 1\n"
    state = after("together\n    twice_up\n    a -= 1", rules)
    assert (values(state)["a"], values(state)["b"]) == (1, 0)


def test_a_phase_that_some_step_carries_out_is_one_step_everywhere() -> None:
    rules = COUNTS + "phase twice_up\n    a += 3\n    a -= 1\n"
    alone = after("twice_up", rules)
    assert (values(alone)["a"], values(alone)["b"]) == (-1, 1)
    also = after("twice_up\na = 0\ntogether\n    twice_up", rules)
    assert (values(also)["a"], values(also)["b"]) == (2, 0)


def test_no_rule_answers_in_the_middle_of_a_rule() -> None:
    rules = (
        "whenever a == 1\n    a = 3\n    more\n    a = 2\n" + COUNTS + "phase more\n    a = 4\n    d += 1\n    a = 5\n"
    )
    state = after("a = 1", rules)
    assert (values(state)["a"], values(state)["b"], values(state)["d"]) == (2, 0, 1)


def test_the_effect_that_was_interrupted_goes_on() -> None:
    state = start(
        COUNTS + "phase ask\n    player 1 chooses\n        go n from 0..9\n            a = n\n            d = a + 1\n"
    )
    do(state, "go 5")
    assert (values(state)["b"], values(state)["d"]) == (1, 1)


def test_a_rule_can_end_the_game() -> None:
    state = start(
        "whenever a > 1: end game\nphase ask\n    for n in 1..9\n        player 1 chooses\n            go\n"
        "                a += 1\n                b += 1\n"
    )
    do(state, "go", "go")
    assert state.is_terminal()
    assert values(state)["b"] == 1


def test_a_rule_can_end_a_game_in_the_middle_of_what_nobody_decides() -> None:
    state = start(
        "whenever a > 1: end game\nplay\n    for n in 1..9: up\n    b = 7\n    ask\nphase up\n    a += 1\n    d += 1\n"
    )
    assert state.is_terminal()
    assert (values(state)["a"], values(state)["d"], values(state)["b"]) == (2, 1, 0)


def test_a_rule_can_end_a_phase_that_is_sure_to_run() -> None:
    state = start(
        "whenever a > 1\n    a = 0\n    end round\nplay\n    round\n    ask\nphase round\n    for n in 1..9\n"
        "        player 1 chooses\n            go\n                a += 1\n                b += 1\n"
    )
    do(state, "go", "go")
    assert legal(state) == ["pass"]
    assert values(state)["b"] == 1


def test_a_reaction_may_contain_a_decision() -> None:
    state = start(
        "whenever a > 1\n    a = 0\n    player 2 chooses\n        answer n from 1..3\n            d = n\n"
        "phase ask\n    player 1 chooses\n        go\n            a = 2\n            b = d\n"
        "    player 1 chooses\n        pass\n"
    )
    do(state, "go")
    assert state.current_player() == 1
    do(state, "answer 3")
    assert (state.current_player(), values(state)["b"]) == (0, 3)


def test_rules_that_never_come_to_rest_are_stopped_with_their_line() -> None:
    for rules in (
        "whenever a > 0: b = 1 - b\n",
        "whenever a > 0 and b == 0: b = 1\nwhenever a > 0 and b == 1: b = 0\n",
    ):
        text = spec(rules + "play\n    a = 1\n    ask\n")
        state = load_text(text)
        with pytest.raises(RuleError) as caught:
            state.new_initial_state()
        assert caught.value.code == "CG804"
        assert caught.value.span is not None
        assert text.splitlines()[caught.value.span.line - 1].startswith("whenever")


def test_the_tag_of_a_rule_is_reached_when_it_is_done_and_not_when_it_is_evaluated() -> None:
    fragment = (
        "whenever a > 1 [R7]\n    a = 0\nphase ask\n    for n in 1..2\n        player 1 chooses\n            go\n"
        "                a += 1\n    player 1 chooses\n        pass\n"
    )
    state = start(fragment)
    do(state, "go")
    assert "R7" not in state.reached()
    do(state, "go")
    assert "R7" in state.reached()


def test_rules_answer_among_turns_and_decisions_at_once() -> None:
    state = start(
        COUNTS + "phase ask\n    at once p in players\n        p chooses\n            add n from 0..3\n"
        "                a += n\n    in turn p in players\n        p chooses\n            go\n                a += 2\n"
        "                if b < 3: reopen\n"
    )
    do(state, "add 2", "add 1")
    assert (values(state)["a"], values(state)["b"]) == (0, 1)
    do(state, "go", "go", "go", "go")
    assert values(state)["b"] == 3


RACE = """cardgame 1
game "Race"
    players 2..3
    at most 200 decisions
enum Suit: red "R", blue "B"
card Plain(suit: Suit, rank: 1..5) written "{suit}{rank}"
deck in stock
    2 of each Plain
zones
    stock:        pile, seen by nobody
    discard:      pile, seen by all
    hand[player]: cards, seen by owner
    drop[player]: slot, seen by nobody
state
    rounds: 0..9 = 0
    out[player]: boolean = false
    turns: 0..99 = 0
whenever stock is empty and discard is not empty        [R1]
    shuffle discard into stock
    rounds += 1
whenever p in players where not out[p] and hand[p] is empty     [R2]
    out[p] = true
    if count(q in players where not out[q]) <= 1: end game
whenever rounds > 4: end game                           [R3]
play
    together
        shuffle stock
        for p in players: deal 3 from stock to hand[p]
    at once p in players
        p chooses
            put card c from hand[p]: move c to drop[p]
    for p in players: move drop[p] to discard
    repeat one_round until turns > 40
phase one_round
    turns += 1
    in turn p in players where not out[p]
        p chooses
            throw card c from hand[p] where c.rank < 5
                move c to discard
            knock card c from hand[p] where c.rank == 5
                move c to discard
                deal 2 from stock to hand[next(p)]
                reopen
            draw only if stock is not empty
                deal 1 from stock to hand[p]
            otherwise pass
result
    score p = if out[p] then 1 else 0
"""


@pytest.mark.parametrize("players", [pytest.param(2, marks=pytest.mark.soak), 3])
def test_fuzzing_a_race_with_all_of_it_finds_nothing(players: int) -> None:
    report = fuzz(load_text(RACE, players), 4, seed=1)
    assert report.failure is None
    assert dict(report.terminations) == {"finished": 4}


def test_a_race_is_the_same_with_chance_one_by_one_and_all_at_once() -> None:
    ends = set()
    for one_by_one in (True, False):
        state, rng = load_text(RACE, 2).new_initial_state(), random.Random(5)
        while not state.is_terminal():
            if not state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
            elif one_by_one:
                state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
            else:
                state.resolve_chance(rng)
        outcome = state.outcome()
        assert outcome is not None
        ends.add(outcome.termination)
        assert {"R1", "R2", "R3"} & state.reached()
    assert len(ends) == 1
