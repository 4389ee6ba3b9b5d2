"""Every way to look at a play tells the same: texts, events and numbers, of the past and of the table.

Equal information states have equal events, equal numbers and equal observations; different ones have different events
and different numbers.  So perfect recall holds, and nobody learns more by another way of asking.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import attrs
import pytest

from interpreter import Game, State, load_text
from interpreter.knowledge.observation import observation_text
from interpreter.knowledge.recall import information_state_tensor, information_state_text, seen_of
from interpreter.knowledge.tensors import observation_tensor
from interpreter.knowledge.visibility import Sight
from interpreter.loader import bundled_games
from tests.belief.tiny import GAMES
from tests.bundled import game

HEAD = """cardgame 1

game "One View"
    players 2
    at most 12 decisions

card Number(n: 1..3) written "{n}"

deck in stock
    2 of each Number

zones
    stock:        row, seen by nobody
    hand[player]: cards, seen by owner
    heap:         pile, seen by nobody
    line:         row, seen by all
    shelf:        row, seen by nobody
    box, other:   pile, seen by all

state
    secret: 1..3 = 1, seen by nobody
    note[player]: 0..3 = 0, seen by owner

play
"""

TAIL = """
    player 1 chooses
        stop

result
    score p = 0
"""

PHASE = """
phase again(n: 1..3)
    state
        begun: 0..3 = n
    player 2 chooses
        wait
"""

TABLES = {
    "the top and the bottom of a pile": """
    move all c in stock where c.n < 3 to hand[player 1]
    move last 1 c in stock to heap face up
    player 1 chooses secretly
        above card c from hand[player 1]: move c to heap
        below card c from hand[player 1]: move c to bottom of heap
""",
    "a secret place in a pile and in a row": """
    move all c in stock where c.n == 3 to heap
    move first 1 c in stock to place 2 of heap face up
    move first 1 c in stock to hand[player 1]
    player 1 chooses secretly
        hide card c from hand[player 1], n from 1..4
            move c to place n of heap
            move card n - 1 of heap to place n of line
            move first 2 d in stock to place n of line face down
""",
    "which unseen card of a pile has gone": """
    move last 1 c in stock to heap
    move last 1 c in stock to heap face up
    move last 1 c in stock to heap
    random secret from 1..3
    if secret == 1: move first 1 c in heap to shelf
    else: move last 1 c in heap to shelf
""",
    "which copy has gone from a row": """
    move all c in stock where c.n == 1 to line
    move all c in stock where c.n == 2 to line
    move first 1 c in line to box
    move box to line
    random secret from 1..3
    if secret == 1: move first 1 c in line where c.n == 1 to other
    else: move last 1 c in line where c.n == 1 to other
""",
    "which card of a pile is turned": """
    move all c in stock where c.n == 2 to heap
    random secret from 1..3
    if secret == 1: turn (first c in heap) face up
    else: turn (last c in heap) face up
""",
    "which card of a row is turned down": """
    move all c in stock where c.n == 2 to line
    random secret from 1..3
    if secret == 1: turn (first c in line) face down
    else: turn (last c in line) face down
""",
    "who played which card that has gone": """
    move first 1 c in stock to shelf for player 1
    move first 1 c in stock to shelf for player 2
    move first 1 c in stock to shelf for player 1
    random secret from 1..3
    if secret == 1: move first 1 c in shelf to heap
    else: move last 1 c in shelf to heap
""",
    "piles that are exchanged": """
    move all c in stock where c.n == 2 to box
    move all c in stock where c.n == 1 to box
    move all c in stock where c.n == 3 to other
    random secret from 1..3
    if secret == 1: swap box with other
    else
        move all c in box to hand[player 1]
        move other to box
        move all c in hand[player 1] to other
""",
    "whether a phase has begun": """
    random secret from 1..3
    if secret == 1: again(1)
    else if secret == 2: again(3 - secret)
    else
        player 2 chooses
            wait
""",
    "who is to act": """
    random secret from 1..3
    if secret == 1
        player 2 chooses
            wait
""",
    "cards that go in two steps from where they are seen to lie in order": """
    move all c in stock to box
    random secret from 1..3
    if secret == 1: move first 2 c in box to hand[player 1]
    move first 1 c in box to hand[player 1]
    if secret == 2: move first 2 c in box to hand[player 1]
""",
    "notes and shows": """
    move first 2 c in stock to hand[player 1]
    random note[player 2] from 1..3
    if note[player 2] == 2: show hand[player 1] to player 2
    player 1 chooses
        put card c from hand[player 1]: move c to line face down
""",
}


def every_state(state: State) -> Iterator[State]:
    """Yield all states of all plays of a small game."""
    yield state.clone()
    for action in [] if state.is_terminal() else state.legal_actions():
        following = state.clone()
        following.apply_action(action)
        yield from every_state(following)


def some_states(game: Game, seeds: int, steps: int) -> Iterator[State]:
    """Yield the states of some random plays."""
    for seed in range(seeds):
        state, rng = game.new_initial_state(), Random(seed)
        for _ in range(steps):
            if state.is_chance_node():
                state.resolve_chance(rng)
            yield state.clone()
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))


@attrs.define
class Law:
    """What each viewer is told: one text, one past in events and numbers, and one table for each text."""

    of_text: dict[Any, Any] = attrs.field(factory=dict)
    of_past: dict[Any, Any] = attrs.field(factory=dict)
    of_numbers: dict[Any, Any] = attrs.field(factory=dict)
    met_again: int = 0

    def look(self, state: State) -> None:
        """Compare what each viewer is told of a state with what was told of others."""
        if state.is_chance_node():
            return
        for viewer, sight in enumerate(Sight.every(state.game.num_players)):
            text = information_state_text(state, sight)
            decision = state.decision()
            begun: Any = None
            # Who has begun to choose sees what is chosen already.
            if decision is not None and sight.sees(1 << state.to_act, state.game.everyone):
                begun = (state.picked(), decision.only is not None and (decision.only.action.verb, decision.stage))
            past = (tuple(seen.event for seen in seen_of(state, sight)), state.to_act, begun)
            numbers = tuple(information_state_tensor(state, sight))
            table: Any = tuple(observation_tensor(state, sight))
            if sight.private == "own":
                table = (table, observation_text(state, viewer), state.observation(viewer))
                assert list(past[0]) == state.events(viewer)
            if (viewer, text) in self.of_text:
                self.met_again += 1
            assert self.of_text.setdefault((viewer, text), (past, numbers, table)) == (past, numbers, table)
            assert self.of_past.setdefault((viewer, past), text) == text
            assert self.of_numbers.setdefault((viewer, numbers), text) == text


@pytest.mark.parametrize("name", TABLES)
def test_all_that_is_reported_follows_from_the_information_state(name: str) -> None:
    law = Law()
    spec = HEAD + TABLES[name].lstrip("\n") + TAIL + (PHASE if "again(" in TABLES[name] else "")
    for state in every_state(load_text(spec).new_initial_state()):
        law.look(state)
    assert law.met_again


@pytest.mark.parametrize("name", [*GAMES, *bundled_games()])
def test_in_whole_games_all_that_is_reported_follows_from_the_information_state(name: str) -> None:
    law = Law()
    for state in some_states(GAMES[name] if name in GAMES else game(name), 2, 25):
        law.look(state)
