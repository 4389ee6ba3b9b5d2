"""Teams: who is in which, who sees what of a team, and how the win of a team counts."""

from __future__ import annotations

import random

import pytest

from grammar.diagnostics import SpecError
from interpreter import Game, State
from interpreter.agents import read_name
from interpreter.loader import load_text
from interpreter.match import match
from interpreter.table.frame import reference
from interpreter.table.information import information_state
from tests.lockstep import Engines, lockstep

SPEC = """cardgame 1
game "Pairs"
    players 2..6
    at most 40 decisions
teams{condition}
    evens "the Evens": player 2, player 4, player 6
    odds: player 1, player 3, player 5
enum Suit: sun "S", moon "M"
card Number(suit: Suit, rank: 1..8) written "{{suit}}{{rank}}"
deck in stock
    2 of each Number
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by team
    pot[team]:    pile, seen by team
    trick:        row, seen by all
state
    points[team]: 0..99
    note[player]: 0..9, seen by team
play
    shuffle stock
    deal 3 from stock to hand[players]
    repeat one_trick until hand[players] is empty
phase one_trick
    for p in players
        p chooses
            lay card c from hand[p] where no q in members(team(p)) where q != p and note[q] == c.rank
                note[p] = c.rank
                move c to trick for p
            otherwise pass: move first c in hand[p] to pot[team(p)]
    for t in teams
        points[t] += count(c in trick where team(player_of(c)) == t and c.suit == sun)
        for p in members(t): note[p] = 0
    move trick to stock face down
result
    score p = points[team(p)]
"""


def game(players: int, condition: str = "") -> Game:
    """Return the game for some players."""
    return load_text(SPEC.format(condition=condition), players)


def start(players: int) -> State:
    """Return a state with its cards dealt."""
    state = game(players).new_initial_state()
    state.resolve_chance(random.Random(3))
    return state


def test_seats_beyond_the_players_are_left_out() -> None:
    assert [team.players for team in game(6).teams] == [(1, 3, 5), (0, 2, 4)]
    assert [(team.name, team.players) for team in game(4).teams] == [("the Evens", (1, 3)), ("odds", (0, 2))]
    assert game(2).teams == ()


def test_without_the_condition_each_player_is_a_team() -> None:
    alone = game(4, " only if count(players) == 6")
    assert alone.teams == ()
    assert alone.sides == ((0,), (1,), (2,), (3,))
    state = alone.new_initial_state()
    assert "points[player 4]" in state.observation_string(0)


@pytest.mark.parametrize("viewer", range(4))
def test_a_team_sees_the_hands_and_places_of_its_players(viewer: int) -> None:
    state = start(4)
    seen = {zone.place: zone for zone in information_state(state, viewer).zones}
    for number, place in enumerate(state.game.data.places):
        if place.zone == "hand":
            assert (None not in seen[number].cards) == ((place.index[0] - viewer) % 2 == 0)
        if place.zone == "pot":
            assert bool(place.viewers >> viewer & 1) == (viewer in state.game.teams[place.index[0]].players)


@pytest.mark.parametrize("players", [3, 4])
def test_all_engines_agree(players: int) -> None:
    for seed in (1,):
        assert lockstep(Engines.of(game(players)), 40, seed)[2] == []


def test_a_choice_may_read_what_the_team_sees_and_nothing_of_others() -> None:
    told = SPEC.format(condition="").replace("members(team(p)) where q != p", "players where team(q) != team(p)")
    with pytest.raises(SpecError) as error:
        load_text(told, 4)
    assert {d.code for d in error.value.diagnostics if d.is_error} == {"CG407"}


def test_the_end_names_the_team_that_has_won() -> None:
    state = start(4)
    rng = random.Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        state.resolve_chance(rng)
    outcome = state.outcome()
    assert outcome is not None
    assert len(outcome.winners) == 2
    assert outcome.describe().startswith(("The Evens win (", "Odds win ("))
    assert sum(outcome.returns) == 0
    assert outcome.describe().count(":") == 1


def test_an_agent_of_a_match_takes_a_team_and_its_win_counts_once() -> None:
    run = match(game(6), [read_name("random"), read_name("greedy:5")], 3)
    run.run()
    assert {play.lineup for block in run.done for play in block.plays} == {(1, 0) * 3, (0, 1) * 3}
    assert sum(standing.first for standing in run.standings()) == pytest.approx(1)


def test_the_reference_of_the_table_has_the_teams() -> None:
    assert [team.name for team in reference(game(4)).teams] == ["the Evens", "odds"]
