"""A chance event says what it is about, and is answered as anybody wishes: card by card, or a whole deck at once."""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.engine.faults import IllegalActionError
from interpreter.engine.game import State
from interpreter.loader import load_text

DICE = """\
cardgame 1

game "Dice and Decks"
    players 2

enum Suit: sun "S", moon "M"
card Number(suit: Suit, rank: 1..3) written "{suit}{rank}"

deck in stock[player]
    1 of each Number

zones
    stock[player]: pile, seen by nobody
    hand[player]:  cards, seen by owner
    table:         row, seen by all

state
    rolled[player]: 0..6 = 0
    leader: player = player 1

play
    for p in players: random rolled[p] from 1..6
    random leader from players
    for p in players
        shuffle stock[p]
        deal 2 from stock[p] to hand[p]
    random card c from table + hand[player 2]
    leader chooses
        pick player_seen from players
            random die from 1..4
            rolled[leader] = die
        lay card d from hand[leader]
            move d to table

result
    score p = rolled[p]
"""


def at(*answers: str) -> State:
    state = load_text(DICE).new_initial_state()
    for answer in answers:
        state.apply_action(state.string_to_action(answer))
    return state


def asked(state: State) -> tuple[str, str, int | None]:
    event = state.chance_event()
    assert event is not None
    return event.kind, event.subject, event.player


def test_a_chance_event_says_which_variable_or_pile_it_is_about_and_whose() -> None:
    assert asked(at()) == ("value", "rolled[player 1]", 0)
    assert at().prompt() == "rolled[player 1] from 1..6"
    assert asked(at("3")) == ("value", "rolled[player 2]", 1)
    assert asked(at("3", "4")) == ("value", "leader", None)
    state = at("3", "4", "player 2")
    event = state.chance_event()
    assert event is not None
    assert (event.kind, event.subject, event.player, event.number) == ("pile", "stock[player 1]", 0, 1)
    assert state.prompt() == "card 1 from the top of stock[player 1], of 6 that nobody knows"
    assert event.waiting == ("stock[player 1]",) * 6
    state.apply_action(state.string_to_action("M1"))
    assert state.prompt() == "card 2 from the top of stock[player 1], of 5 that nobody knows"


def test_where_nobody_waits_for_chance_there_is_no_event() -> None:
    state = load("chalice_and_wand").new_initial_state()
    assert state.chance_event() is not None
    state.resolve_chance(Half())
    assert state.chance_event() is None
    assert state.prompt()


class Half:
    def random(self) -> float:
        return 0.5


def test_a_tuple_answers_all_cards_that_nobody_knows_in_the_order_of_waiting() -> None:
    state = at("3", "4", "player 2")
    state.apply_action(state.string_to_action("M1 S1@1 S2 S3 M2 M3"))
    state.apply_action(state.string_to_action("M3@2 S1 S2 S3 M2 M1"))
    texts = state.game.texts
    zones = {state.game.place_name(p): [texts.full_face(state.game.card_faces[c]) for c in z] for p, z in
             enumerate(state.zones)}  # fmt: skip
    assert sorted(zones["hand[player 1]"]) == ["M1@1", "S1@1"]
    assert zones["stock[player 1]"] == ["S2@1", "S3@1", "M2@1", "M3@1"]
    assert zones["stock[player 2]"] == ["S2@2", "S3@2", "M2@2", "M1@2"]


@pytest.mark.parametrize("order", ["M1@1 S1@1", "M1 M1 S1 S2 S3 M2", "M1@2 S1 S2 S3 M2 M3", "M1 S1 S2 S3 M2 M3 M3"])
def test_an_order_that_is_none_is_refused(order: str) -> None:
    state = at("3", "4", "player 2")
    with pytest.raises(IllegalActionError):
        state.apply_action(state.string_to_action(order))


def test_outcomes_of_two_decks_never_share_a_text_and_are_named_one_by_one() -> None:
    state = at("3", "4", "player 2", "M1 S1 S2 S3 M2 M3")
    texts = [state.action_to_string(o) for o, _ in state.chance_outcomes()]
    assert texts == [f"{suit}{rank}@2" for suit in "SM" for rank in (1, 2, 3)]
    for outcome, text in zip(state.legal_actions(), texts, strict=True):
        assert state.string_to_action(text) == outcome
        assert state.string_to_action(text.removesuffix("@2")) == outcome


def test_a_player_is_said_as_in_scenarios() -> None:
    state = at("3", "4", "player 2")
    state.resolve_chance(Half())
    ways = {state.string_to_action(text) for text in ("pick 2", "pick player 2", "PICK Player 2")}
    assert len(ways) == 1


def test_equal_cards_of_two_owners_are_distinguished_where_both_could_be_meant() -> None:
    text = DICE.replace("card d from hand[leader]", "card d from table").replace(
        "    random card c from table + hand[player 2]\n", "    move hand[players] to table\n"
    )
    state = load_text(text).new_initial_state()
    while state.is_chance_node():
        event = state.chance_event()
        assert event is not None
        low = "S1" if event.kind == "pile" else None
        outcomes = [o for o, _ in state.chance_outcomes()]
        found = [o for o in outcomes if low and state.game.texts.face(o) == low]
        state.apply_action((found or outcomes)[0])
    words = [state.action_to_string(a) for a in state.legal_actions() if "S1" in state.action_to_string(a)]
    assert words == ["lay S1@1", "lay S1@2"]
    with pytest.raises(IllegalActionError, match="`S1` can be `S1@1` or `S1@2`: say which"):
        state.string_to_action("lay S1")
    assert state.string_to_action("lay S1@2") != state.string_to_action("lay S1@1")
