"""Chance: exact probabilities, no needless events, and one distribution however it is answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from random import Random

import pytest

from interpreter import Game, IllegalActionError, State, load, load_text
from tests.belief.tiny import GAMES, POKER

THREE_DEALT = POKER.replace(
    "for p in players: deal 1 from stock to hand[p]",
    "for p in players: deal 1 from stock to hand[p]\n    deal 1 from stock to aside",
).replace("    stock:        pile, seen by nobody", "    aside: slot, seen by all\n    stock: pile, seen by nobody")


def leaves(state: State, weight: Fraction = Fraction(1), depth: int = 0) -> Iterator[tuple[State, Fraction, int]]:
    """Give every state in which a player acts first, with its exact probability and the number of events before it."""
    if not state.is_chance_node():
        yield state, weight, depth
        return
    outcomes = state.chance_outcomes()
    assert sum(p for _, p in outcomes) == pytest.approx(1)
    for outcome, probability in outcomes:
        child = state.clone()
        child.apply_action(outcome)
        yield from leaves(child, weight * Fraction(probability).limit_denominator(1000), depth + 1)


def hands(state: State) -> tuple[str, ...]:
    """Return what every player holds, and what lies open."""
    return tuple(state.observation_string(p) for p in range(state.game.num_players))


def exact(game: Game, what: Callable[[State], Hashable]) -> dict[Hashable, Fraction]:
    found: dict[Hashable, Fraction] = {}
    for state, weight, _ in leaves(game.new_initial_state()):
        key = what(state)
        found[key] = found.get(key, Fraction(0)) + weight
    return found


def odds(state: State) -> dict[int, float]:
    """Return the outcomes that wait, with their probabilities to nine places."""
    return {outcome: round(probability, 9) for outcome, probability in state.chance_outcomes()}


def test_every_deal_of_poker_is_as_likely_as_any_other() -> None:
    found = list(leaves(GAMES["poker"].new_initial_state()))
    assert sum(weight for _, weight, _ in found) == 1
    assert [weight for _, weight, _ in found] == [Fraction(1, 6)] * 6
    assert len({hands(state) for state, _, _ in found}) == 6


def test_a_card_that_nobody_sees_is_never_drawn() -> None:
    for state, _, events in leaves(GAMES["poker"].new_initial_state()):
        assert events == 2
        assert state.observation(None).zones[0].cards == (None,)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
            assert not state.is_chance_node()


def test_a_card_that_can_only_be_one_is_no_event() -> None:
    game = load_text(THREE_DEALT)
    found = list(leaves(game.new_initial_state()))
    assert [events for _, _, events in found] == [2] * 6
    assert all(len(state.zones[0]) == 1 and state.zones[0][0] < 3 for state, _, _ in found)


def test_copies_are_one_outcome_with_their_weight() -> None:
    state = GAMES["gifts"].new_initial_state()
    assert odds(state) == {face: round(2 / 12, 9) for face in range(6)}
    state.apply_action(4)
    assert odds(state) == {face: round((1 if face == 4 else 2) / 11, 9) for face in range(6)}
    state.apply_action(4)
    assert odds(state) == {face: round(2 / 10, 9) for face in range(6) if face != 4}
    assert [state.action_to_string(face) for face, _ in state.chance_outcomes()] == ["R1", "R2", "R3", "B1", "B3"]


@pytest.mark.parametrize("name", ["poker", "dice"])
def test_both_ways_of_answering_give_one_distribution(name: str) -> None:
    game = GAMES[name]
    wanted = exact(game, hands)
    rounds = 3000
    counts: Counter[Hashable] = Counter()
    for seed in range(rounds):
        state = game.new_initial_state()
        state.resolve_chance(Random(seed))
        counts[hands(state)] += 1
    assert set(counts) == set(wanted)
    # Chi-square; beyond 40 with 5 degrees of freedom is less likely than one in a million.
    assert sum((counts[k] - rounds * w) ** 2 / (rounds * w) for k, w in wanted.items()) < 40


def test_a_big_deck_dealt_both_ways_gives_every_card_its_share() -> None:
    game = load("chalice_and_wand", options={"hands": "open"})
    rounds = 400
    for stepwise in (False, True):
        counts: Counter[str] = Counter()
        for seed in range(rounds):
            state, rng = game.new_initial_state(), Random(seed)
            if stepwise:
                while state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
            else:
                state.resolve_chance(rng)
            zones = {z.name: z.cards for z in state.observation(None).zones}
            counts.update(game.texts.face(c) for c in zones["middle"])
        assert sum(counts.values()) == 7 * rounds
        assert len(counts) == 20
        # 140 of each face on average; the standard deviation is below 12.
        assert all(80 < count < 200 for count in counts.values())


def test_dice_are_fair_and_named() -> None:
    state = GAMES["dice"].new_initial_state()
    assert odds(state) == {face: round(1 / 6, 9) for face in range(1, 7)}
    assert [state.action_to_string(o) for o, _ in state.chance_outcomes()] == ["1", "2", "3", "4", "5", "6"]
    assert state.legal_actions() == [1, 2, 3, 4, 5, 6]
    assert state.string_to_action("4") == 4


def test_an_outcome_that_cannot_be_is_refused() -> None:
    for name, outcome in (("dice", 7), ("dice", 0), ("poker", 3), ("poker", -1)):
        state = GAMES[name].new_initial_state()
        before = state.content()
        with pytest.raises(IllegalActionError):
            state.apply_action(outcome)
        assert state.content() == before
    state = GAMES["poker"].new_initial_state()
    before = state.content()
    for cards in ((0, 1), (0, 1, 1), (0, 1, 9), (0, 1, 2, 2)):
        with pytest.raises(IllegalActionError):
            state.apply_action(cards)
        assert state.content() == before
    with pytest.raises(IllegalActionError):
        GAMES["dice"].new_initial_state().apply_action((1,))


def test_any_source_of_random_numbers_will_do() -> None:
    class Zero:
        def random(self) -> float:
            return 0.0

    class One:
        def random(self) -> float:
            return 1 - 2**-53

    for rng in (Zero(), One()):
        state = GAMES["gifts"].new_initial_state()
        state.resolve_chance(rng)
        assert state.current_player() == 0


def test_a_player_who_is_drawn_is_drawn_fairly() -> None:
    game = load("chalice_and_wand", options={"first_player": "drawn"})
    state = game.new_initial_state()
    state.resolve_piles(Random(1))
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    assert [state.action_to_string(o) for o in (0, 1)] == ["player 1", "player 2"]
    state.apply_action(1)
    assert state.current_player() == 1


TURNED = """cardgame 1
game "Turned and Shuffled"
    players 2
    at most 9 decisions
option again = true
card Plain(rank: 1..4) written "{rank}"
deck in stock
    1 of each Plain
zones
    stock: pile, seen by nobody
    shown: row, seen by all
state
    rounds: 0..9 = 0
play
    shuffle stock
    repeat
        turn stock face down
        shuffle stock
        move top of stock to shown
        shuffle shown into stock
        player 1 chooses
            go
                rounds += 1
    until rounds == 2
    turn stock face down
    if again: shuffle stock
result
    score p = count(c in stock where face_down(c))
"""


@pytest.mark.parametrize(("again", "left"), [("true", 0), ("false", 4)])
def test_nobody_knows_after_a_shuffle_which_cards_had_been_turned(again: str, left: int) -> None:
    game = load_text(TURNED, options={"again": again})
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.chance_outcomes()[0][0] if state.is_chance_node() else 0)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores == (left, left)
    assert {outcome.scores for outcome in game.random_playouts(5).outcomes} == {(left, left)}
