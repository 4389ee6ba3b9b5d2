"""`why` is a function of the information state: hidden cards change neither the rules nor the parts that it shows."""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations

import pytest

from interpreter import Game, State, load_text
from interpreter.table.narrator import EventNarrator
from interpreter.table.reasons import reasons
from interpreter.table.reference import Reference
from interpreter.text.explain import explain
from tests.bundled import one_in

SPEC = """cardgame 1

game "Why"
    players 2
    at most 6 decisions

card Plain(n: 0..4) written "{n}"
card Joker

deck in stock
    1 of each Plain
    1 of Joker

zones
    stock, low, high: pile, seen by nobody
    open:             cards, seen by all
    hand[player]:     slot, seen by owner

state
    guess: 0..2 = 0
    secret: 0..4 = 0, seen by nobody
    points: integer = 0

play
    shuffle stock
    deal 1 from stock to hand[player 1]
    deal 1 from stock to open
    deal 1 from stock to hand[player 2]
    secret = hand[player 1].n else 4
    player 2 chooses
        say_two: guess = 2
        say_one: guess = 1
EFFECT
    player 2 chooses
        stay
        leave

result
    score p = if p == player 2 then points else 0
"""

EFFECTS = {
    "maximum": "    openly points = max(guess + 2, hand[player 1].n else 0)",
    "maximum in a sum": "    openly points = max(2, hand[player 1].n else 0) + guess",
    "minimum": "    openly points = min(guess, hand[player 1].n else 0)",
    "distance": "    openly points = distance(guess, hand[player 1].n else 0)",
    "else": "    openly points = 5 + (hand[player 1].n else 3)",
    "product": "    openly points = guess * (hand[player 1].n else 0)",
    "quotient": "    openly points = (guess + (hand[player 1].n else 0)) / 2 rounded down",
    "remainder": "    openly points = (hand[player 1].n else 0) mod 2",
    "alternative": "    openly points = if (hand[player 1].n else 0) > 2 then guess + 1 else guess + 1",
    "hidden variable": "    openly points = max(secret, 3)",
    "hidden variable in a sum": "    openly points = guess + min(secret, 1)",
    "name": "    let most = max(2, secret)\n    openly points = guess + most",
    "two hidden parts": "    openly points = guess + (hand[player 1].n else 1) + min(2, 4 - secret)",
    "count": "    openly points = guess + count(c in hand[player 1] where c is Joker)",
    "hidden condition": "    openly if secret > 2\n        points = guess + 1\n    else\n        points = guess + 1",
    "loop over players": "    openly for p in players\n        if (hand[p].n else 0) > 2: points += 1",
    "moves in one or two statements": (
        "    openly if secret > 2\n        deal 1 from stock to low\n        deal 1 from stock to low\n"
        "    else\n        deal 2 from stock to low"
    ),
    "moves by another rule": (
        "    openly if secret > 2\n        deal 1 from stock to low\n    else\n        deal exactly 1 from stock to low"
    ),
    "a seen sum": "    openly points = guess + sum(c.n else 0 for c in open) + (hand[player 2].n else 0)",
    "a seen maximum": "    openly points = max(guess, sum(c.n else 0 for c in open))",
}
"""What becomes of a hidden card; the last two read nothing that is hidden."""


def at_the_second_choice(game: Game, order: tuple[int, ...], verb: str) -> State:
    """Return the state at the second choice of player 2, with cards from the stock in an order."""
    state = game.new_initial_state()
    cards = iter(order)
    while True:
        if state.is_chance_node():
            legal = state.legal_actions()
            wanted = next((card for card in cards if card in legal), legal[0])
            state.apply_action(wanted)
        elif "stay" in map(state.action_to_string, state.legal_actions()):
            return state
        else:
            state.apply_action(state.string_to_action(verb))


@pytest.mark.parametrize("name", one_in(3, {name: name for name in EFFECTS}))
def test_why_is_the_same_in_worlds_that_look_the_same(name: str) -> None:
    game = load_text(SPEC.replace("EFFECT", EFFECTS[name]))
    reference = Reference(game)
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    worlds: dict[str, int] = defaultdict(int)
    for order in permutations(range(6), 3):
        if (order[1] + order[2]) % 3:  # A third of what player 2 can see, with all that can be hidden.
            continue
        for verb in ("say_one", "say_two"):
            state = at_the_second_choice(game, order, verb)
            look = state.information_state_string(1)
            worlds[look] += 1
            found[look].add(tuple(reference.why(reasons(state, 1), EventNarrator(game, 1))))
    assert max(worlds.values()) > 1
    assert all(len(answers) == 1 for answers in found.values()), name
    if name.startswith("a seen"):
        assert all(any("made of" in line or "worked out" in line for line in a) for s in found.values() for a in s)


def test_an_unknown_part_of_a_plain_sum_follows_from_the_total() -> None:
    game = load_text(SPEC.replace("EFFECT", "    openly points = guess + (hand[player 1].n else 3)"))
    state = at_the_second_choice(game, (4, 0, 1), "say_two")
    said = list(Reference(game).why(reasons(state, 1), EventNarrator(game, 1)))
    assert any("made of the guess: 2" in line and ": 4" in line for line in said), said


def test_a_refusal_names_the_limit_that_fails() -> None:
    game = load_text("""cardgame 1

game "Limits"
    players 2
    at most 2 decisions

card Plain(n: 1..3) written "{n}"

deck in hand
    1 of each Plain

zones
    hand: cards, seen by all

play
    player 1 chooses
        bid n from 1..9, 1 to 2 cards shown from hand where each.n == 1 or each.n == 2
                such that n > 2 and fine(n) and count(shown) == 1
        keep card c from hand where c.n == 1 only if count(hand) > 2

define fine(n: 1..9) = n mod 2 == 1 and n != 3 and (some c in hand where c.n > 2)

result
    winners = player 1
""")
    state = game.new_initial_state()
    for text, limit in {
        "bid 2 1": "the chosen number must be more than 2",
        "bid 3 1": "the chosen number must not be 3",
        "bid 7 1 2": "the number of cards shown must be 1",
        "bid 7 3": "the n of each of these cards must be 1 or must be 2",
        "keep 2": "",
    }.items():
        rule = Reference(game).rule(explain(state, text))
        assert rule is not None
        assert [entry.text for entry in rule.below] == [limit] * bool(limit)
        assert rule.text.endswith(":") == bool(limit)
