"""A play of Python is carried over to C, and one of C to Python: the same play, whatever nobody has seen of it yet."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from interpreter import Game, State, load, load_text
from interpreter.native.plays import NativeGame
from interpreter.native.tapes import Record, TapeReplayer, record_of, state_of
from tests import bundled
from tests.belief.test_resampling import plays
from tests.native.taped import NativePlay, native_play
from tests.native.test_c import needs_compiler

pytestmark = needs_compiler


def position_of(play: NativePlay | State) -> tuple[object, ...]:
    """Return what a play tells of where it stands."""
    return play.current_player(), play.legal_actions(), list(play.returns())


def carried_over(state: State, rng: Random) -> None:
    """Carry a play over to C and back: it stands at the same place, and goes on alike."""
    game = state.game
    record = record_of(state, rng)
    play = native_play(NativeGame.of(game), record)
    assert position_of(play) == position_of(state)
    library = NativeGame.of(game)
    assert library.decision(library.state_after(record)) == position_of(state)[:2]
    again = state_of(game, record)
    assert position_of(again) == position_of(state)
    for player in range(game.num_players):
        assert again.information_state_string(player) == state.information_state_string(player)
    actions, drawn = list(record.actions), list(record.drawn)
    for _ in range(6):
        if play.current_player() < 0:
            break
        action = rng.choice(play.legal_actions())
        play.apply_action(action)
        actions.append(action)
        drawn.append(tuple(play.drawn))
    assert position_of(state_of(game, Record(tuple(actions), tuple(drawn)))) == position_of(play)


def some_plays(game: Game, count: int) -> list[State]:
    """Return some decisions of random plays, early and late."""
    states = list(islice(plays(game, range(count)), 25 * count))
    return [states[(len(states) - 1) * number // max(1, count - 1)] for number in range(count)]


@pytest.mark.parametrize(
    "name", bundled.only("arcanity", "chalice_and_wand", "classics/hearts", "classics/love_letter")
)
def test_a_play_goes_to_c_and_back(name: str) -> None:
    for number, state in enumerate(some_plays(bundled.game(name), 2)):
        carried_over(state, Random(number))


@pytest.mark.soak
@pytest.mark.parametrize("name", bundled.EVERY)
def test_many_plays_go_to_c_and_back(name: str) -> None:
    for players in bundled.player_counts(name):
        for number, state in enumerate(some_plays(load(name, players), 40)):
            carried_over(state, Random(number))


def test_a_play_that_waits_for_chance_has_no_form_in_c() -> None:
    state = bundled.game("classics/hearts").new_initial_state()
    with pytest.raises(ValueError, match="waits for chance"):
        record_of(state, Random(1))


def test_cards_that_nobody_has_drawn_are_drawn_as_the_rules_would() -> None:
    """Each order of what is left of a shuffled deck comes out alike."""
    game = bundled.game("classics/kuhn_poker")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    firsts = [record_of(state, Random(seed)).drawn[0] for seed in range(20)]
    assert len({order[:2] for order in firsts}) == 1
    game = bundled.game("classics/leduc_poker")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    lasts = [record_of(state, Random(seed)).drawn[0][2] for seed in range(400)]
    counts = [lasts.count(card) for card in set(lasts)]
    assert len(counts) == 4
    assert sum((count - 100) ** 2 / 100 for count in counts) < 20


MIXED_IN = """cardgame 1
game "Mixed In"
    players 2
    at most 10 decisions
card Number(value: 1..9) written "{value}"
deck in stock
    1 of each Number
zones
    stock: pile, seen by nobody
    pot:   pile, seen by nobody
    away:  pile, seen by nobody
    hand[player]: cards, seen by owner
play
    shuffle stock
    deal 4 from stock to hand[players]
    for p in players
        p chooses
            return 2 cards s from hand[p]
                move s to pot
                shuffle pot
                deal 1 from pot to away
    deal 1 from pot to hand[player 1]
result
    score p = sum(c.value for c in hand[p])
"""


@pytest.mark.parametrize("one_by_one", [True, False])
def test_a_shuffle_that_waits_for_cards_elsewhere_begins_anew(one_by_one: bool) -> None:
    """A known card is mixed into a pile of which some cards lie elsewhere, so these are drawn before the shuffle."""
    native = NativeGame.of(load_text(MIXED_IN))
    for seed in range(6):
        play, state = NativePlay(native, seed), TapeReplayer(native.game, one_by_one=one_by_one)
        state.begin(play.drawn)
        while not state.is_terminal():
            action = state.legal_actions()[0]
            play.apply_action(action)
            state.carry_out(action, play.drawn)
        assert play.returns() == list(state.returns())
