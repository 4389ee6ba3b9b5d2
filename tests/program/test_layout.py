"""Where undetermined cards can lie is known before play."""

from __future__ import annotations

import random

import pytest

from interpreter import Game, State, load_text
from interpreter.loader import bundled_games
from interpreter.program.layout import Layout
from tests import bundled
from tests.program.playing import spec

MOVES = spec("""
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    secret:       cards, seen by nobody
    deep:         pile, seen by nobody
    table:        row, seen by all
    given:        cards, seen by nobody
    heap, box:    cards, seen by all

play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    deal 2 from stock to secret
    deal 2 from stock to table face down
    ask
    move secret to deep
    swap deep with secret
    ask
    move first 2 c in stock to given

phase ask
    player 2 chooses
        give card c from hand[player 2]: move c to given
        open: move secret to heap
""")


def play_card_by_card(game: Game, seed: int) -> list[State]:
    """Play at random, with each hidden card drawn when it is needed; return the states on the way."""
    rng = random.Random(seed)
    state, seen = game.new_initial_state(), list[State]()
    while not state.is_terminal() and len(seen) < 400:
        chosen = [o for o, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(chosen))
        seen.append(state.clone())
    return seen


def hidden(game: Game, states: list[State]) -> set[str]:
    """Return the zones in which undetermined cards have lain."""
    places = [game.places[n][0].name for n in range(game.num_places)]
    return {places[n] for s in states for n, zone in enumerate(s.zones) if any(c >= game.num_cards for c in zone)}


@pytest.mark.parametrize("name", bundled_games())
def test_undetermined_cards_lie_only_where_the_layout_says(name: str) -> None:
    game = bundled.game(name)
    expected = {zone.name for zone in Layout.of(game.program).hiding_zones}
    for seed in range(3):
        assert hidden(game, play_card_by_card(game, seed)) <= expected


def test_whole_places_and_tops_of_piles_carry_undetermined_cards_and_chosen_cards_do_not() -> None:
    game = load_text(MOVES)
    expected = {zone.name for zone in Layout.of(game.program).hiding_zones}
    assert expected == {"stock", "secret", "deep", "table"}
    found = set[str]()
    for seed in range(10):
        found |= hidden(game, play_card_by_card(game, seed))
    assert found == {"stock", "secret", "table"}
