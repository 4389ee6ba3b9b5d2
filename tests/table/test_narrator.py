"""What happened, in words for one player: who, what, how much, and nothing twice."""

from __future__ import annotations

import random
import re
from pathlib import Path

from interpreter import State, load_text
from interpreter.analysis.types import EnumType, Int, Optional
from interpreter.engine.outcome import Outcome, Termination
from interpreter.knowledge.events import Assigned, Chosen, Moved
from interpreter.table.digest import DigestLine, fitting, names, since_last_turn
from interpreter.table.narrator import EventNarrator
from interpreter.text.names import Names
from tests.cli.running import TRICKS, run, write

DICE = """cardgame 1

game "Dice and Names"
    players 2..3

card Power(number: 1..3) written "P{number}" named "The Sun", "The Moon", "Death"

deck in stock
    1 of each Power

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by all
    aside:        cards, seen by nobody
    laid[player]: slot, seen by all

state
    points[player]: integer
    fortune: 0..6
    lead: player or none
    ready[player]: boolean

play
    shuffle stock
    for p in players: deal 1 from stock to hand[p]
    for p in players: deal 1 from stock to hand[p]
    for p in players: roll(p)
    random luck from 1..6
    fortune = luck
    for p in players
        p chooses
            ask q from players where q != p
                lead = q
                ready[p] = true
    for p in players
        p chooses
            lay card c from hand[p]
                move c to laid[p]
                points[p] += 2
                points[p] += 3
                lead = none
    turn laid[player 1] face down
    show hand[player 1] to player 2
    move aside to stock
    say "{lead} leads"

phase roll(p: player)
    random die from 1..6
    say "{p} rolls {die}"
    points[p] += die

result
    score p = points[p]
"""


def played(text: str, players: int, *said: str) -> State:
    """Return the state after the shuffle and some sentences."""
    state = load_text(text, players).new_initial_state()
    rng = random.Random(3)
    state.resolve_chance(rng)
    for sentence in said:
        state.apply_action(state.string_to_action(sentence))
        state.resolve_chance(rng)
    return state


def told(state: State, player: int | None) -> list[str]:
    return EventNarrator(state.game, player).events(state.events(player))


def choices(state: State) -> list[str]:
    return [state.action_to_string(a) for a in state.legal_actions()]


def test_a_die_that_the_rules_mention_is_reported_once_and_others_by_their_name() -> None:
    lines = told(played(DICE, 2), 0)
    rolls = [line for line in lines if "rolls" in line]
    assert [line.split(" rolls ")[0] for line in rolls] == ["  Player 1 (you)", "  Player 2"]
    assert not any("Random die:" in line for line in lines)
    assert sum("Random luck:" in line for line in lines) == 1
    assert not any("fortune is" in line.lower() for line in lines), "it is what chance has just said"


def test_a_card_that_chance_chose_unseen_is_not_reported() -> None:
    text = DICE.replace("    random luck from 1..6\n", "    random luck from 1..6\n    random card hint from stock\n")
    lines = told(played(text.replace("1 of each", "4 of each"), 2), 0)
    assert any("luck" in line for line in lines)
    assert not any("hint" in line for line in lines)


def test_a_player_variable_is_not_reported_before_the_rules_say_it() -> None:
    text = TRICKS.replace("    points[leader] += 2\n", '    say "{leader} takes it"\n    points[leader] += 2\n')
    silent = played(TRICKS, 2, "wish 2", "wish 3")
    loud = played(text, 2, "wish 2", "wish 3")
    seen: list[list[str]] = []
    for state in (silent, loud):
        while any(line.endswith("is now the leader") or "takes it" in line for line in told(state, 0)) is False:
            state.apply_action(state.legal_actions()[0])
        seen.append(told(state, 0))
    assert not any("takes it" in line for line in seen[0])
    assert "  Player 2 is now the leader" in seen[0]
    assert "  Player 2 takes it" in seen[1] or "  Player 1 (you) takes it" in seen[1]
    assert "  Player 2 is now the leader" not in seen[1]


def test_deals_in_rounds_are_reported_as_one() -> None:
    lines = told(played(DICE.replace("1 of each", "4 of each"), 2), 0)
    dealt = [line for line in lines if "from the stock to" in line]
    assert len(dealt) == 2
    assert dealt[1].endswith("from the stock to player 2's hand")


def test_players_are_listed_by_number_unless_one_has_a_name() -> None:
    won = Outcome(Termination.FINISHED, (0, 1, 1, 1), (1, 2, 3), (0.0,) * 4)
    state = played(DICE, 2)
    assert EventNarrator(state.game, None).outcome(won) == "Players 2, 3 and 4 win (0 : 1 : 1 : 1)."
    named = EventNarrator(state.game, None, Names({2: "Ada"})).outcome(won)
    assert named == "Player 2, Ada and player 4 win (0 : 1 : 1 : 1)."
    assert EventNarrator(state.game, 3).outcome(won).startswith("You, player 2 and player 3 win.")


def test_moves_of_the_same_card_are_reported_in_order() -> None:
    state = played(DICE, 2)
    deals = [e for e in state.events(0) if isinstance(e, Moved)]
    there, back = deals[0], Moved(deals[0].cards, deals[0].target, deals[0].origin, (1,))
    lines = EventNarrator(state.game, 0).events([there, back, there])
    assert len(lines) == 3


def test_what_a_decision_says_is_not_said_again() -> None:
    lines = told(played(DICE, 2, "ask 2"), 0)
    assert lines[-1] == "You ask player 2"
    lines = told(played(DICE, 2, "ask 2"), 1)
    assert lines[-1] == "Player 1 asks you"


def test_numbers_are_reported_with_their_change_and_cards_with_their_names() -> None:
    state = played(DICE, 2, "ask 2", "ask 1")
    card = choices(state)[0].split()[1]
    name = {"P1": "The Sun", "P2": "The Moon", "P3": "Death"}[card]
    before = len(state.events(0))
    state.apply_action(state.string_to_action(f"lay {card}"))
    events = state.events(0)[before:]
    points = [e.value for e in events if isinstance(e, Assigned)]
    assert EventNarrator(state.game, 0).events(events) == [
        f"You lay {card} ({name}) to your laid card",
        f"  Your points are now {points[0]} (+2)",
        f"  Your points are now {points[1]} (+3)",
        "  The lead is no longer set",
    ]
    assert f"({name})" not in told(state, 0)[-4], "the name was told when the card was dealt"


def test_a_sealed_decision_is_reported_when_it_takes_effect() -> None:
    text = TRICKS.replace("    for p in players\n        p chooses", "    at once p in players\n        p chooses")
    text = text.replace("0..5 or none, seen by owner", "0..5 or none")
    one = played(text, 2, "wish 2")
    assert told(one, 0)[-1] == "You wish 2"
    both = played(text, 2, "wish 2", "wish 3")
    assert told(both, 0)[-3:] == ["Player 2 has chosen", "You wish 2", "Player 2 wishes 3"]
    assert told(both, 1)[-3:] == ["Player 1 has chosen", "Player 1 wishes 2", "You wish 3"]


def test_what_happened_before_a_kept_decision_took_effect_belongs_to_the_turn() -> None:
    passing = DICE[: DICE.index("    for p in players: roll(p)")] + (
        "    at once p in players\n        p chooses\n            give card c from hand[p]\n"
        "                move c to hand[next(p)]\n    player 2 chooses\n        stop\n\nresult\n    score p = 0\n"
    )
    passing = passing.replace("1 of each Power", "4 of each Power")
    state = played(passing, 2)
    for _ in (1, 2):
        state.apply_action(state.legal_actions()[0])
    lines = EventNarrator(state.game, 1).events(since_last_turn(state.events(1), 1))
    assert [line.partition(" give")[0] for line in lines] == ["Player 1", "You"]
    assert lines[0].endswith(" to your hand")


def test_values_of_two_enumerations_are_not_the_same() -> None:
    colour, side = EnumType("Colour", ("red", "blue")), EnumType("Side", ("left", "right"))
    chosen = Chosen(0, "name", ((colour, 1),), (3,))
    assert names(chosen, Optional(colour), 1)
    assert not names(chosen, colour, 0)
    assert not names(chosen, side, 1)
    assert names(Chosen(0, "bid", ((Int(0, 5), 1),), (3,)), Int(0, 9), 1)


def test_only_cards_that_are_seen_are_known_to_be_those_of_the_decision() -> None:
    text = TRICKS.replace("move c to trick for p\n", "move c to trick face down for p\n")
    said = ("wish 2", "wish 2")
    for game, seen in ((TRICKS, True), (text, False)):
        state = played(game, 2, *said)
        state.apply_action(state.legal_actions()[0])
        line = next(line for line in told(state, 1) if line.startswith("Player 1 lays"))
        assert line.endswith(" to the trick") is seen
        assert (line == "Player 1 lays 1 card") is not seen


def test_a_card_is_separated_from_other_chosen_values_and_moves_in_a_line_of_its_own() -> None:
    text = DICE.replace(
        "            lay card c from hand[p]\n",
        "            lay card c from hand[p], where_to from Side\n",
    )
    text = text.replace("deck in stock", "enum Side: far_left, far_right\n\ndeck in stock", 1)
    state = played(text, 2, "ask 2", "ask 1")
    card = choices(state)[0].split()[1]
    state.apply_action(state.string_to_action(f"lay {card} far_left"))
    lines = [re.sub(r" \(.*?\)", "", line) for line in told(state, 0)]
    at = lines.index(f"You lay {card}, far left")
    assert lines[at + 1] == f"  {card} goes from your hand to your laid card"


def test_a_shuffle_of_one_card_is_in_the_singular() -> None:
    state = played(DICE.replace("1 of each Power", "1 of Power(1)"), 2)
    assert "  The stock is shuffled (1 card)" in told(state, 0)


def test_decisions_that_look_alike_are_counted() -> None:
    text = TRICKS.replace("hand[p]\n                move c to trick for p\n                played += 1\n",
                          "hand[p]\n                move c to stock\n")  # fmt: skip
    text = text.replace(
        "        p chooses\n            lay", "        for n in 1..3\n          p chooses\n            lay"
    )
    state = played(text, 2, "wish 2", "wish 2")
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    lines = told(state, 1)
    place = lines.index("Player 1 lays 1 card (3 times)")
    assert lines[place + 1] == "  1 card goes from player 1's hand to the stock"
    own = [line for line in told(state, 0) if line.startswith("You lay")]
    assert len(own) == 3, "one's own cards are not alike"


def test_cards_are_turned_and_shown_in_their_places_and_no_cards_are_nothing() -> None:
    state = played(DICE, 2, "ask 2", "ask 1")
    for _ in (1, 2):
        state.apply_action(state.legal_actions()[0])
    lines = told(state, 1)
    assert any(line.endswith("turned face down in player 1's laid card") for line in lines)
    assert not any("nothing" in line for line in lines)
    shown = [line for line in lines if " shown to " in line]
    assert all(re.search("from player 1's hand (is|are) shown to you$", line) for line in shown)
    assert not any("aside" in line for line in lines)


def test_what_is_hidden_changes_only_in_the_decision_of_its_owner() -> None:
    state = played(TRICKS, 3, "wish 2")
    assert told(state, 1)[-1] == "Player 1 wishes 2"
    assert "wish 2" in told(state, 0)[-1]


def test_the_end_says_who_won_and_what_each_has(tmp_path: Path) -> None:
    spec = write(tmp_path / "dice.cardgame", DICE)
    one = run("play", spec, "--seed", "3", text="1\n1\n").stdout
    two = run("play", spec, "--seed", "3", "--seat", "1=random", "--seat", "2=human", text="1\n1\n").stdout
    nobody = run("play", spec, "--seed", "3", "--seat", "1=random").stdout
    assert ("You win.  Scores: you " in one) + ("You win.  Scores: player 1 " in two) + (
        "The game is a draw" in one
    ) == 1
    assert "Player 1 wins (" in nobody or "Player 2 wins (" in nobody or "draw" in nobody


def test_where_there_is_little_room_what_weighs_least_gives_way_and_of_equal_lines_the_oldest() -> None:
    told = [
        DigestLine("You: play", 3),
        DigestLine("  shuffled", 0),
        DigestLine("  cards", 2),
        DigestLine("Ada: play", 3),
        DigestLine("  more", 2),
    ]
    kept = [[one.line for one in fitting(told, [1] * 5, room)] for room in range(6)]
    assert kept == [
        [],
        ["Ada: play"],
        ["You: play", "Ada: play"],
        ["You: play", "Ada: play", "  more"],
        ["You: play", "  cards", "Ada: play", "  more"],
        [one.line for one in told],
    ]
    assert fitting(told, [1, 1, 1, 5, 1], 4) == [], "a line that is too high lets none of less weight in its place"


def test_a_player_keeps_what_came_of_their_own_decision_and_what_was_said() -> None:
    state = played(TRICKS, 2, "wish 2", "wish 2")
    state.apply_action(state.legal_actions()[0])
    events = state.events(0)
    weighed = {one.line: one.weight for one in EventNarrator(state.game, 0).weighed(events)}
    deals = [weight for line, weight in weighed.items() if line.endswith("to player 2's hand")]
    assert set(deals) == {0}, "cards that nobody at the screen sees"
    assert {weight for line, weight in weighed.items() if line.endswith("from the stock to your hand")} == {2}
    chosen = {
        line.split(" wish")[0].split(" lay")[0]: weight for line, weight in weighed.items() if not line.startswith(" ")
    }
    assert chosen == {"You": 2, "Player 2": 3}
    assert min(weight for line, weight in weighed.items() if "shuffled" in line) == 0
