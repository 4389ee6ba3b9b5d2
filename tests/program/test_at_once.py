"""`at once`: all decide before anybody sees what another has decided."""

from __future__ import annotations

import random

import pytest

from interpreter import Game, State, load_text
from interpreter.fuzz.fuzz import fuzz
from tests.program.playing import cards, do, legal, settle, start, values

PASSING = """cardgame 1
game "Passing"
    players 3
    at most 60 decisions
enum Suit: red "R", blue "B"
card Plain(suit: Suit, rank: 1..6) written "{suit}{rank}"
deck in stock
    1 of each Plain
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    bid[player]:  slot, seen by nobody
    won[player]:  cards, seen by all
state
    goal[player]: 0..3 = 0
    lost[player]: boolean = false
whenever p in players where not lost[p] and hand[p] is empty
    lost[p] = true
    if no q in players where not lost[q]: end game
play
    together
        shuffle stock
        for p in players: deal 4 from stock to hand[p]
    at once p in players
        p chooses
            pass 2 cards gift from hand[p]: move gift to hand[left(p)]
    at once p in players from player 2
        p chooses
            aim n from 0..3: goal[p] = n
            shrug
    at once p in players
        p chooses secretly
            lay card c from hand[p]: move c to bid[p]
    for p in players: turn bid[p] face up
    for p in players: move bid[p] to won[p]
    repeat one_round until false
phase one_round
    in turn p in players where hand[p] is not empty
        p chooses
            play card c from hand[p]
                move c to won[p]
            give card c from hand[p] where c.rank > 4
                move c to won[next(p)]
                reopen
result
    score p = count(won[p])
"""


@pytest.fixture(scope="module")
def passing() -> Game:
    """Return a game in which all pass, aim and lay at once."""
    return load_text(PASSING)


def dealt(game: Game, seed: int = 1) -> State:
    state = game.new_initial_state()
    state.resolve_chance(random.Random(seed))
    return state


def decide(state: State, rng: random.Random) -> None:
    """Let the player whose turn it is carry out a whole decision."""
    who = state.current_player()
    while state.current_player() == who and not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))


def held(state: State, player: int) -> set[str]:
    """Return the names of the cards in a hand."""
    return set(cards(state, f"hand[player {player + 1}]").split())


def test_what_one_has_chosen_shows_to_nobody_until_all_have(passing: Game) -> None:
    seen: dict[int, set[str]] = {1: set(), 2: set()}
    looks: dict[int, set[str]] = {1: set(), 2: set()}
    for seed in range(12):
        state = dealt(passing)
        decide(state, random.Random(seed))
        assert state.current_player() == 1
        for other in seen:
            seen[other].add(state.information_state_string(other))
            looks[other].add(state.observation_string(other))
    assert {other: len(found) for other, found in seen.items()} == {1: 1, 2: 1}
    assert {other: len(found) for other, found in looks.items()} == {1: 1, 2: 1}


def test_the_prompt_and_the_legal_actions_of_the_next_do_not_depend_on_the_others(passing: Game) -> None:
    asked = set()
    for seed in range(12):
        state = dealt(passing)
        decide(state, random.Random(seed))
        asked.add((state.prompt(), tuple(state.legal_actions())))
    assert len(asked) == 1


def test_who_has_chosen_knows_what(passing: Game) -> None:
    state = dealt(passing)
    told = set()
    for pair in ("0 1", "0 2", "1 3"):
        after = state.clone()
        mine = sorted(held(state, 0))
        do(after, "pass " + " ".join(mine[int(n)] for n in pair.split()))
        told.add(after.information_state_string(0))
    assert len(told) == 3


def test_effects_come_when_all_have_decided_and_in_the_same_order() -> None:
    state = start(
        'game "Small"\n    players 3\nplay\n    at once p in players from player 2\n        p chooses\n'
        "            name_it n from 1..9\n                b += 1\n                a = 10 * a + n\n    ask\n"
    )
    order = []
    for n in (4, 5, 6):
        order.append(state.current_player())
        assert values(state)["a"] == 0
        assert values(state)["b"] == 0
        do(state, f"name_it {n}")
    assert order == [1, 2, 0]
    assert (values(state)["a"], values(state)["b"]) == (456, 3)


def test_a_passed_card_cannot_be_passed_on(passing: Game) -> None:
    state = dealt(passing)
    before = [held(state, p) for p in range(3)]
    for player in range(3):
        offered = {text.split("+")[1] for text in legal(state) if "+" in text}
        assert offered <= before[player]
        decide(state, random.Random(player))
    after = [held(state, p) for p in range(3)]
    for player in range(3):
        assert len(after[player] & before[player]) == 2
        assert len(after[player] & before[player - 1]) == 2


def test_players_whom_where_excludes_do_not_decide() -> None:
    state = start(
        "play\n    at once p in players where p != player 1\n        p chooses\n            go: a += 1\n    ask\n"
    )
    assert state.current_player() == 1
    do(state, "go")
    assert (state.current_player(), values(state)["a"]) == (0, 1)


def test_a_simultaneous_decision_may_have_no_players() -> None:
    state = start("play\n    at once p in players where a > 3\n        p chooses\n            go: a += 1\n    ask\n")
    assert legal(state) == ["pass"]


def test_an_otherwise_is_kept_like_any_action() -> None:
    state = start(
        "play\n    at once p in players\n        p chooses\n            go only if p == player 2: a += 1\n"
        "            otherwise stay: b += 1\n    ask\n"
    )
    do(state, "stay", "go")
    assert (values(state)["a"], values(state)["b"]) == (1, 1)


def test_an_effect_may_hold_a_decision_which_is_made_in_its_turn() -> None:
    state = start(
        "play\n    at once p in players\n        p chooses\n            go\n                p chooses\n"
        "                    take n from 1..3: a = 10 * a + n\n            stay\n    ask\n"
    )
    do(state, "go")
    assert state.current_player() == 1
    do(state, "go", "take 3")
    assert (state.current_player(), values(state)["a"]) == (1, 3)
    do(state, "take 2")
    assert values(state)["a"] == 32


def test_decisions_at_once_inside_a_loop_begin_anew_each_time() -> None:
    state = start(
        "play\n    for n in 1..2\n        at once p in players\n            p chooses\n"
        "                say_it k from 0..9: a = 10 * a + k\n    ask\n"
    )
    do(state, "say_it 1", "say_it 2", "say_it 3", "say_it 4")
    assert values(state)["a"] == 1234


def test_what_is_decided_openly_is_reported_when_it_takes_effect_and_what_is_secret_never(passing: Game) -> None:
    rng = random.Random(4)
    state = dealt(passing)
    for _ in range(3):
        decide(state, rng)
    do(state, "aim 2", "shrug", "aim 3")
    told = state.information_state_string(0)
    assert "player 2: aim 2" in told
    assert "player 3: shrug" in told
    for _ in range(3):
        decide(state, rng)
    assert "lay" in state.information_state_string(1)
    assert "player 2: lay" not in state.information_state_string(0)


def test_other_worlds_in_the_middle_keep_what_the_player_saw(passing: Game) -> None:
    for seed in range(6):
        state = dealt(passing, seed)
        rng = random.Random(seed)
        for _ in range(seed % 4 + 1):
            decide(state, rng)
        for player in range(3):
            hands = set()
            for number in range(5):
                world = state.resample_from_infostate(player, random.Random(number), 16)
                assert world.information_state_string(player) == state.information_state_string(player)
                assert world.current_player() == state.current_player()
                hands.add(frozenset(held(world, (player + 1) % 3)))
            assert len(hands) > 1


def test_a_clone_and_a_saved_state_remember_what_was_decided(passing: Game) -> None:
    state = dealt(passing)
    decide(state, random.Random(1))
    again = state.game.deserialize_state(state.serialize())
    assert again == state
    for copy in (state, again, state.clone()):
        rng = random.Random(9)
        while not copy.is_terminal():
            settle(copy)
            decide(copy, rng)
    assert again == state


def test_fuzzing_all_of_it_finds_nothing(passing: Game) -> None:
    report = fuzz(passing, 6, seed=1)
    assert report.failure is None
    assert dict(report.terminations) == {"finished": 6}


def test_the_tag_of_a_decision_at_once_is_reached_when_the_first_player_decides() -> None:
    text = PASSING.replace("        p chooses\n            pass", "        p chooses    [R1]\n            pass")
    state = dealt(load_text(text.replace("move gift to hand[left(p)]", "move gift to hand[left(p)]    [R2]")))
    rng = random.Random(1)
    reached = [state.reached()]
    for _ in range(3):
        decide(state, rng)
        reached.append(state.reached())
    assert [set(tags) for tags in reached] == [{"R1"}] * 3 + [{"R1", "R2"}]
