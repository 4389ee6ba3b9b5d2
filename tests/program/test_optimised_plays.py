"""What the passes make of rules comes to the same, and nobody can notice."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from interpreter import State, load, load_text
from interpreter.program.optimise import Passes
from tests.program.playing import holds, legal, spec, start

FOLLOW = """
define led = (first c in table where c.suit is in Suit).suit
define void(h: cards) = no c in h where c.suit == led
define follows(c: card, h: cards) = c.suit == led or void(h)

phase ask
    player 1 chooses
        lay card c from hand[player 1] where c is Jester or follows(c, hand[player 1])
            move c to table for player 1

play
    move all c in stock where c.rank == 2 to hand[player 1]
    move last c in stock to hand[player 1]
    {setup}
    ask
"""


def legal_code(state: State) -> str:
    """Return the text of the function that lists what is legal where the state stands."""
    text = state.game.generated().text
    decision = state.decision()
    assert decision is not None
    begin = text.index(f"def legal_{decision.open_ways[0].action.verb}(")
    return text[begin : text.index("\ndef ", begin + 1)]


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        ("a = 1", ["lay C2", "lay H2", "lay S2", "lay J"]),
        ("move first c in stock where c.suit == hearts to table", ["lay H2", "lay J"]),
        (
            "move all c in hand[player 1] where c.suit == hearts to table",
            ["lay C2", "lay S2", "lay J"],
        ),
    ],
)
def test_following_suit_reads_the_led_card_once(setup: str, words: list[str]) -> None:
    state = start(FOLLOW.format(setup=setup))
    assert legal(state) == words
    code = legal_code(state)
    assert code.count("next(") == 2, "to find out whether the hand is void, and in front of the loop"
    assert re.search(r"for (\w+) in \(at\(\w+, next\(.*\[c_\d+\] == \1\b", code)


def test_a_part_that_may_have_no_value_stays_after_its_condition() -> None:
    state = start("""
phase ask
    player 1 chooses
        lay card c from table where c is Number and a > 0 and (some e in stock where e.rank == 4 / a rounded down)
            move c to heap
        otherwise pass

play
    deal 2 from stock to table
    ask
""")
    assert legal(state) == ["pass"]


def test_the_rank_of_a_card_is_read_only_after_its_kind_is_known() -> None:
    stronger = "some c in heap where c is Number and c.rank > e.rank"
    condition = f"some e in box where (some x in stock where x is Number and e is Number and ({stronger}))"
    heap = "move first c in stock where c.rank == 4 to heap"
    assert not holds(condition, f"{heap}\nmove all c in stock where c is Jester to box")
    assert holds(condition, f"{heap}\nmove all c in stock where c.rank == 2 to box")


@pytest.mark.parametrize(("setup", "expected"), [("", False), ("suit = hearts", True)])
def test_a_value_is_among_all_of_its_kind_if_it_is_there(setup: str, expected: bool) -> None:
    assert holds("suit is in clubs..spades", setup) is expected
    assert holds("suit is in Suit", setup) is expected


def test_cards_that_nobody_knows_are_not_looked_at_before_they_must_be() -> None:
    text = spec("""
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    table:        row, seen by all
    heap, box:    cards, seen by all

play
    shuffle stock
    b = count(p in players where p == player 1 and a > 0 and (some c in stock where c is Jester))
    ask
""")
    state = load_text(text).new_initial_state()
    assert not state.is_chance_node(), "nothing has been asked about the pile"


SHARED_GUARD = """
define lone(c: card) = c.rank == 1
define found = first c in table where c.rank == 3
define stuck(h: cards) = found is not none and every c in h has lone(c)

phase ask(p: player)
    p chooses
        lay card c from hand[p] where not lone(c) or stuck(hand[p])
            move c to table for p
        shield card c from hand[p] where lone(c) only if found is none
            move c to table for p
        otherwise pass

play
    move first c in stock where c.rank == 1 to hand[player 1]
    move first c in stock where c.rank == 3 to hand[player 1]
    for n in 1..2: ask(player 1)
"""


def test_a_condition_that_two_actions_share_may_be_the_whole_condition_of_one() -> None:
    state = start(SHARED_GUARD)
    assert legal(state) == ["lay C3", "shield C1"]
    state.apply_action(state.string_to_action("lay C3"))
    assert legal(state) == ["lay C1"]


PASSES = ("inline", "fuse", "membership", "hoist")


def without(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out one of the passes."""
    made = Passes.__init__

    def init(self: Passes, *args: Any, **named: Any) -> None:
        made(self, *args, **named)
        self.passes = (*self.passes[:number], *self.passes[number + 1 :])

    monkeypatch.setattr(Passes, "__init__", init)


@pytest.mark.parametrize("number", range(len(PASSES)), ids=PASSES)
@pytest.mark.parametrize("name", ["classics/hearts", pytest.param("arcanity", marks=pytest.mark.soak)])
def test_plays_are_the_same_without_any_one_of_the_passes(
    name: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = load(name)
    assert whole.code is not None
    without(number, monkeypatch)
    other_ = load(name)
    rng = random.Random(number)
    one, other = whole.new_initial_state(), other_.new_initial_state()
    for _ in range(150):
        if one.is_terminal():
            break
        if one.is_chance_node():
            one.resolve_chance(random.Random(one.num_actions))
            other.resolve_chance(random.Random(one.num_actions))
            continue
        assert one.legal_actions() == other.legal_actions()
        chosen = rng.choice(one.legal_actions())
        one.apply_action(chosen)
        other.apply_action(chosen)
    assert one.content() == other.content()


def test_a_definition_with_a_tag_is_reached_where_it_is_written_out() -> None:
    state = start("""
define fits(c: card) = c is Number                              [R7]

phase ask
    player 1 chooses
        lay card c from table where fits(c)
            move c to heap

play
    deal 2 from stock to table
    ask
""")
    state.apply_action(state.legal_actions()[0])
    assert "R7" in state.reached()


def test_the_tags_of_the_names_that_a_definition_gives_are_reached() -> None:
    state = start("""
define worth(c: card) =
    let held = count(table)                                     [R8]
    let more = held + 1                                         [R9]
    held + more                                                 [R10]

phase ask
    player 1 chooses
        lay card c from table where worth(c) > count(table)
            a = worth(c)

play
    deal 2 from stock to table
    ask
""")
    state.apply_action(state.legal_actions()[0])
    assert {"R8", "R9"} <= set(state.reached())
