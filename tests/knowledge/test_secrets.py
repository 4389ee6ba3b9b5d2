"""What a player does not see is nothing to that player: no event, no line, no number, whatever its value and place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from interpreter import Game, State, load_text
from interpreter.knowledge.events import Assigned, Fell, Moved

HEAD = """cardgame 1

game "Secrets"
    players 2..3
    at most 20 decisions

enum Suit: sun "S", moon "M"
card Number(suit: Suit, n: 1..4) written "{suit}{n}"

deck in stock
    {copies} of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    urn, jar:     cards, seen by nobody
    line:         row, seen by all
    heap:         pile, seen by nobody

state
    secret[player]: 0..9 = 1, seen by owner
    mark[player, 1..4]: boolean = false, seen by owner
    who[player]: player = player 1, seen by owner
    suit_of[player]: Suit = sun, seen by owner
    nobodys: 0..9 = 0, seen by nobody
    open: 0..9 = 0

play
"""

PUBLIC = """
    player 2 chooses
        stop
"""

END = """
result
    score p = 0
"""


def game_of(body: str, players: int = 2, copies: int = 1) -> Game:
    lines = "".join(f"    {line}\n" for line in body.strip("\n").splitlines())
    return load_text(HEAD.replace("{copies}", str(copies)) + lines + PUBLIC + END, players)


def first_decision(game: Game, chance: Callable[[State], Any]) -> State:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance(state))
    return state


def any_outcome(rng: Random, state: State) -> int:
    return rng.choice(state.legal_actions())


def any_deal(seed: int, state: State) -> tuple[int, ...]:
    return tuple(Random(seed).sample(range(state.game.num_cards), state.game.num_cards))


def always(answer: int | tuple[int, ...], state: State) -> int | tuple[int, ...]:
    assert state.is_chance_node()
    return answer


def shown(state: State, player: int) -> tuple[Any, ...]:
    """Return all that a player is told and shown."""
    return (
        state.information_state_string(player), state.information_state_tensor(player), state.events(player),
        state.observation_string(player), state.observation_tensor(player), state.public_observation_string(),
        state.private_observation_string(player), state.prompt(), state.legal_actions(),
    )  # fmt: skip


HIDDEN = {
    "the index of a variable": "random card c from stock\nmark[player 1, c.n] = true",
    "whether a variable changes": "random card c from stock\nsecret[player 1] = c.n",
    "how often it changes": "random card c from stock\nfor i in 1..c.n: secret[player 1] += 1",
    "whether it is nobody's": "random card c from stock\nif c.suit == sun: nobodys = c.n",
    "what chance put into it": "random secret[player 1] from 1..6",
    "what chance put there, of a domain that is hidden": (
        "random secret[player 1] from 1..6\nrandom secret[player 1] from 1..secret[player 1]"
    ),
    "a player by lot": "random who[player 1] from players",
    "a suit by lot": "random suit_of[player 1] from Suit",
    "chance that nobody sees": "random nobodys from 1..6",
    "whether chance was asked": (
        "random secret[player 1] from 1..2\nif secret[player 1] == 1: random nobodys from 1..6"
    ),
    "which card chance chose": "random card c from stock",
}


@pytest.mark.parametrize("name", HIDDEN)
@pytest.mark.parametrize("players", [2, 3])
def test_what_others_do_not_see_is_nothing_to_them(name: str, players: int) -> None:
    game = game_of(HIDDEN[name], players)
    states = [first_decision(game, partial(any_outcome, Random(seed))) for seed in range(30)]
    assert len({tuple(s.values[: len(game.variable_types)]) + tuple(s.entries[1:2]) for s in states}) > 1, "it varies"
    for player in range(1, players):
        assert all(shown(state, player) == shown(states[0], player) for state in states)


def test_those_who_see_the_variable_see_what_chance_put_there() -> None:
    state = first_decision(game_of("random secret[player 1] from 1..6"), partial(always, 4))
    assert state.information_state_string(0).splitlines()[1:3] == ["chance: secret = 4", "secret[player 1] = 4"]
    assert [type(event) for event in state.events(0)] == [Fell, Assigned]
    assert state.events(1) == []


def test_a_name_that_chance_gives_is_seen_by_all() -> None:
    state = first_decision(game_of("random n from 1..6\nsecret[player 1] = n"), partial(always, 4))
    assert state.information_state_string(0).splitlines()[1:3] == ["chance: n = 4", "secret[player 1] = 4"]
    assert state.information_state_string(1).splitlines()[1:2] == ["chance: n = 4"]


def test_a_secret_vote_is_reported_to_nobody_else() -> None:
    game = game_of("player 1 chooses secretly\n    vote n from 1..4\n        secret[player 1] = n")
    start = game.new_initial_state()
    told = []
    for action in start.legal_actions():
        state = start.clone()
        state.apply_action(action)
        told.append(shown(state, 1))
        assert state.information_state_string(1).splitlines()[1:2] == ["player 1 has chosen"]
    assert len(told) == 4
    assert all(one == told[0] for one in told)


# ---- the order of cards


PUT = """shuffle stock
deal 2 from stock to hand[players]
at once p in players
    p chooses secretly
        put card c from hand[p]
            move c to urn
"""

TOLD = {
    "shown": "show urn to all",
    "turned": "turn urn face up",
    "moved to where none lies in order": "move urn to jar face up",
    "moved unseen": "move urn to heap",
    "said": 'say "{urn}"',
    "asked": 'show urn to all\nplayer 2 chooses "look at {urn}"\n    look',
}


@pytest.mark.parametrize("name", TOLD)
def test_cards_that_lie_in_no_order_are_reported_in_that_of_the_deck(name: str) -> None:
    """Who put which card into the urn cannot be read off the order in which its cards are told."""
    game = game_of(PUT + TOLD[name], 3)
    told = []
    for first, second in ((0, 1), (1, 0)):
        state = game.new_initial_state()
        # The onlooker, player 3, sees two others put the same two cards, each the one or the other.
        while state.is_chance_node():
            state.apply_action((first, 2, second, 3, 4, 5, 6, 7))
        while state.current_player() != 1 or "put" in state.action_to_string(state.legal_actions()[0]):
            state.apply_action(state.legal_actions()[0])
        told.append(shown(state, 2))
    assert told[0] == told[1]


def test_moves_of_unseen_cards_keep_no_positions_and_do_not_count_the_steps() -> None:
    """A hand that is laid out suit by suit is told as a move of so many cards."""
    body = "shuffle stock\ndeal 4 from stock to hand[player 1]\n"
    body += "for s in Suit: move all c in hand[player 1] where c.suit == s to urn"
    game = game_of(body)
    told = {str(shown(first_decision(game, partial(any_deal, seed)), 1)) for seed in range(9)}
    assert len(told) == 1
    state = first_decision(game, partial(always, (0, 4, 1, 5, 2, 3, 6, 7)))
    moves = [event for event in state.events(1) if isinstance(event, Moved)]
    assert [(event.cards, event.seen, event.order) for event in moves] == [((None,) * 4, (), ())] * 2
    assert [event.cards for event in state.events(0) if isinstance(event, Moved)] == [(0, 1, 4, 5)] * 2


def test_a_pile_that_is_rearranged_unseen_reveals_nothing() -> None:
    body = "shuffle stock\ndeal 5 from stock to heap\n"
    body += "for n in 1..4, c in heap where c.n == n: move c to bottom of heap"
    game = game_of(body)
    told = {str(shown(first_decision(game, partial(any_deal, seed)), 1)) for seed in range(9)}
    assert len(told) == 1


# ---- copies


def test_comparing_cards_does_not_distinguish_copies() -> None:
    """A card and its copies are equal, are in a place together, and are not different."""
    body = """
let card_moved = first c in stock
move card_moved to line
open = count(c in stock where c == card_moved)
nobodys = if card_moved is in stock then 1 else 0
secret[player 1] = if different(c for c in line + stock) then 5 else 6
secret[player 2] = count(c in stock where c.n == 1 and c != card_moved)
"""
    values = {}
    for copies in (1, 2):
        state = game_of(body, copies=copies).new_initial_state()
        names = [state.game.variable_name(slot) for slot in range(len(state.game.variable_types))]
        values[copies] = dict(zip(names, state.values, strict=False))
    wanted = ("open", "nobodys", "secret[player 1]", "secret[player 2]")
    assert [values[1][name] for name in wanted] == [0, 0, 5, 1]
    assert [values[2][name] for name in wanted] == [1, 1, 6, 2]


def test_a_variable_that_goes_from_a_card_to_its_copy_has_not_changed() -> None:
    spec = HEAD.replace("{copies}", "2").replace("    open: 0..9", "    pick: card or none\n    open: 0..9")
    body = "    pick = first c in stock where c.n == 2\n    pick = last c in stock where c.n == 2 and c.suit == sun\n"
    state = load_text(spec + body + PUBLIC + END, 2).new_initial_state()
    assert len([event for event in state.events() if isinstance(event, Assigned)]) == 1


def test_a_choice_of_what_is_not_in_a_place_leaves_out_its_copies() -> None:
    """What may be chosen does not tell which of two copies lies where."""
    spec = HEAD.replace("{copies}", "2") + (
        "    move all c in stock where c.n == 1 to hand[player 1]\n"
        "    move (first c in hand[player 1]) to line\n"
        "    player 1 chooses\n        take card c from hand[player 1] where c is not in line\n        otherwise pass\n"
    )
    state = load_text(spec + PUBLIC + END, 2).new_initial_state()
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["take M1"]
