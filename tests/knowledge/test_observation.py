"""Observations and events as data: who played a card of a row, and what a variable was before."""

from __future__ import annotations

from random import Random

from interpreter import State, load_text
from interpreter.knowledge.events import Assigned, Shown, Turned
from interpreter.text.narrate import narrate

LAYING = """cardgame 1

game "Laying"
    players 3

card Number(rank: 1..9) written "N{rank}"

deck in stock
    1 of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    line:         row, seen by all
    heap:         cards, seen by all

state
    secret[player]: 0..9 = 4, seen by owner
    total: integer

play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    for p in players
        p chooses
            lay card c from hand[p]
                move c to line for p
                secret[p] = c.rank
                total += c.rank
    deal 1 from stock to line
    turn line face down
    show hand[player 1] + hand[player 2] to player 3
    player 3 chooses
        stop
            move line to heap

result
    score p = total
"""


def after(decisions: int) -> State:
    state = load_text(LAYING, 3).new_initial_state()
    rng = Random(2)
    state.resolve_chance(rng)
    for _ in range(decisions):
        state.apply_action(state.legal_actions()[0])
        state.resolve_chance(rng)
    return state


def test_a_row_says_who_played_which_card_and_other_zones_do_not() -> None:
    state = after(2)
    for player in (None, 0, 1, 2):
        zones = {zone.name: zone for zone in state.observation(player).zones}
        assert zones["line"].by == (0, 1)
        assert all(zone.by == () for name, zone in zones.items() if name != "line")
    first, second = (state.game.texts.face(face) for face in state.observation(2).zones[4].cards)
    line = f"line: {first} (player 1) {second} (player 2)"
    assert line in state.observation_string(2).splitlines()
    assert line in state.public_observation_string().splitlines()


def test_cards_that_nobody_sees_keep_their_players() -> None:
    state = after(3)
    assert "line: ? (player 1) ? (player 2) ? (player 3) ?" in state.observation_string(0).splitlines()
    over = after(4)
    assert all(zone.by == () for zone in over.observation(0).zones), "what has left the row is nobody's play"


def test_a_change_says_what_was_before_to_those_who_see_it_and_nothing_to_others() -> None:
    state = after(2)
    changes = [e for e in state.events() if isinstance(e, Assigned)]
    secrets, totals = changes[0::2], changes[1::2]
    assert [e.before for e in secrets] == [4, 4]
    assert [e.before for e in totals] == [0, totals[0].value]
    seen = [e for e in state.events(2) if isinstance(e, Assigned)]
    assert [(e.place, e.value, e.before) for e in seen] == [(e.place, e.value, e.before) for e in totals]


def test_cards_that_are_turned_and_shown_are_reported_with_their_places() -> None:
    state = after(3)
    game = state.game
    events = state.events(2)
    turned = [narrate(game, e) for e in events if isinstance(e, Turned)]
    assert len(turned) == 1
    assert turned[0].endswith("turned face down in line")
    shown = [narrate(game, e) for e in events if isinstance(e, Shown)]
    assert [text.partition(" of ")[2] for text in shown] == [
        "hand[player 1] shown to player 3",
        "hand[player 2] shown to player 3",
    ]
    assert [narrate(game, e) for e in state.events(0) if isinstance(e, Shown)][1] == (
        "1 card of hand[player 2] shown to player 3"
    )
