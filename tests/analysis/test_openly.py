"""`openly` says which statements publish on purpose, and changes nothing else."""

from __future__ import annotations

import random

from interpreter.analysis.core import Assign, CallPhase, If, Say
from interpreter.loader import load_text
from tests.program.playing import spec

PLAY = """
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    table:        row, seen by all

play
    shuffle stock
    deal 3 from stock to hand[players]
    openly a = count(c in hand[player 1] where c is Jester)
    b = 1
    openly if some c in hand[player 1] where c.suit == hearts
        say "{a} and a heart"
        ask
    ask

phase ask
    flag = true
    player 1 chooses
        lay card c from hand[player 1]: move c to table
        pass
"""


def test_openly_before_a_statement_or_a_block_around_it_publishes_it() -> None:
    """Also what stands below; not what a phase does that is carried out there."""
    rules = load_text(spec(PLAY)).rules
    told = [
        (s.span.text.split("\n")[0], rules.is_published(s.span))
        for s in rules.statements()
        if isinstance(s, Assign | If | Say | CallPhase)
    ]
    assert told == [
        ("flag = true", False),
        ("openly a = count(c in hand[player 1] where c is Jester)", True),
        ("b = 1", False),
        ("openly if some c in hand[player 1] where c.suit == hearts", True),
        ('say "{a} and a heart"', True),
        ("ask", True),
        ("ask", False),
    ]


def test_openly_changes_nothing_in_play() -> None:
    """The same plays, events and observations with the word and without."""
    said, unsaid = load_text(spec(PLAY)), load_text(spec(PLAY.replace("openly ", "")))
    for seed in range(20):
        left, right = said.new_initial_state(), unsaid.new_initial_state()
        chance = random.Random(seed)
        while not left.is_terminal():
            if left.is_chance_node():
                number = chance.randrange(1_000_000)
                left.resolve_chance(random.Random(number))
                right.resolve_chance(random.Random(number))
                continue
            assert left.legal_actions() == right.legal_actions()
            action = chance.choice(left.legal_actions())
            left.apply_action(action)
            right.apply_action(action)
        for player in range(2):
            assert left.information_state_string(player) == right.information_state_string(player)
        assert left.returns() == right.returns()
