"""Every construct of the language has words of its own; a spec with all of them shows it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from grammar import ast, expressions, statements
from grammar.expressions import walk
from interpreter import load
from tests.rulebook.books import EVERYTHING, book, text_book, tree

# Texts stand in tables only.
NOT_IN_A_GAME = {"String"}


def test_the_spec_has_every_construct() -> None:
    found = {type(node).__name__ for node in walk(tree(str(EVERYTHING)).items)}
    unions = (
        statements.Stmt,
        expressions.Expr,
        expressions.Arg,
        expressions.TypeExpr,
        expressions.Pattern,
        ast.Section,
    )
    wanted = {cls.__name__ for union in unions for cls in get_args(union)}
    assert wanted - found - NOT_IN_A_GAME == set()


def test_its_rulebook_is_kept() -> None:
    kept = Path(__file__).parent / "data" / "everything.md"
    assert book(str(EVERYTHING)) == kept.read_text(encoding="utf-8")


HEAD = """cardgame 1

game "Small"
    players 2..4
enum Suit: sun "S", moon "M"
card Number(suit: Suit, rank: 1..8) written "{suit}{rank}"
card Fool written "F" named "the Jester"
deck in stock
    1 of each Number
    2 of Fool
zones
    stock: pile, seen by nobody
    hand[player], won[player]: cards, seen by owner
    trick: row, seen by all
    turned: slot, seen by all
    tokens[Suit]: row, seen by all
state
    leader: player = player 1
    trump: Suit or none
    score[player], calls[player]: integer
    out[player], over: boolean
result
    score p = score[p]
"""

TAIL = "    leader chooses\n        stop\n"
"""A decision, since a game needs one."""

STATEMENTS = [
    ("deal 5 from stock to hand[leader]", "The leader draws 5 cards from the stock into their hand."),
    (
        "deal 1 from stock to place 2 of stock",
        "Deal 1 card from the stock to the stock, as the card numbered 2 from the top.",
    ),
    (
        "move card 2 of trick to place 3 of stock face up",
        "Move the card numbered 2 in the trick to the stock, as the card numbered 3 from the top, face up.",
    ),
    ("deal 1 from stock to bottom of stock", "Deal 1 card from the stock to the bottom of the stock."),
    (
        "deal 6 - count(trick) from stock to trick",
        "Fill the trick up to 6 cards from the stock.",
    ),
    ("deal count(stock) from stock to trick", "Move all cards from the stock to the trick."),
    ("for p in players: deal 2 from stock to won[p]", "Each player: draw 2 cards from the stock into your won cards."),
    ("for n in 1..3: deal 1 from stock to trick", "Deal 1 card from the stock to the trick 3 times."),
    ("move turned to stock", "Move the turned card to the stock."),
    ("move trick to won[leader] face down", "Move all cards from the trick to the leader's won cards, face down."),
    ("leader = next(leader)", "The player after the leader becomes the leader."),
    ("trump = none", "There is now no trump."),
    ("trump = moon", "Set the trump to moon."),
    ("over = true", "Set *over* to yes."),
    (
        "out[leader] = trick is empty",
        "Mark the leader as *out* if the trick is empty; otherwise the leader is no longer marked so.",
    ),
    ("score[leader] += 2", "Add 2 to the leader's score."),
    ("calls[leader] -= 1", "Subtract 1 from the leader's number of calls."),
    ("rotate won[players] right", "Pass all of the won cards of all players to the right, all at the same time."),
    ("swap trick with won[leader]", "Swap all cards in the trick with the leader's won cards."),
    ("shuffle trick into stock", "Shuffle all cards from the trick into the stock."),
    ("if over: nothing", "If *over* is yes, nothing happens."),
    ("while trick is not empty: over = true", "Repeat this while the trick is not empty: set *over* to yes."),
    ('say "Death meets Death"', "Announce “Death meets Death”."),
    (
        "leader = player_of(highest c in trick where c.suit == trump by c.rank) else leader",
        (
            "The player who played the card with the highest rank in the trick becomes the leader. "
            "Consider only the cards of the trump suit. If there is no such card, the leader stays the same."
        ),
    ),
    (
        "for p in players where count(won[p]) == calls[leader]: out[p] = true",
        "Each player who has as many won cards as the leader's number of calls: mark yourself as *out*.",
    ),
    (
        "for p in players from leader where not out[p]: score[p] += count(won[p])",
        "Each player who is not marked *out*, in turn from the leader: add the number of your won cards to your score.",
    ),
]


@pytest.mark.parametrize(("line", "said"), STATEMENTS, ids=[line for line, _ in STATEMENTS])
def test_a_statement_is_a_sentence(line: str, said: str) -> None:
    text = text_book(f"{HEAD}play\n    {line}\n{TAIL}")
    assert any(f"\n{mark} {said}\n" in text for mark in ("-", "1."))


CONDITIONS = [
    ("trick is empty", "the trick is empty"),
    ("not (trick is empty)", "the trick is not empty"),
    ("won[leader] is empty", "the leader has no won cards"),
    ("trump is none", "there is no trump"),
    ("trump is not none", "there is a trump"),
    ("(first c in trick where c is Fool) is none", "there is no Fool in the trick"),
    ("(highest c in trick by (c.rank else 0)) is not none", "there is a card in the trick"),
    ("(all c in trick where c is Fool) is empty", "there are no Fools in the trick"),
    ("trump != sun", "the trump is not sun"),
    ("count(hand[leader]) >= 3", "the leader's hand contains at least 3 cards"),
    ("count(trick) > 0", "the trick is not empty"),
    ("count(players) == 2", "there are exactly 2 players"),
    ("score[leader] < 10", "the leader's score is less than 10"),
    ("not (over or trick is empty)", "*over* is no and the trick is not empty"),
    ("over or trump is none and trick is empty", "*over* is yes, or there is no trump and the trick is empty"),
    ("some p in players where out[p]", "at least one player is marked *out*"),
    ("no c in trick where c is Fool", "the trick contains no Fool"),
    ("no c in trick where c.suit == trump", "the trick contains no card of the trump suit"),
    ("every c in trick has c is Number", "every card in the trick is a Number card"),
    ("every c in trick has c.suit != trump", "the suit of every card in the trick is not the trump"),
    ("same(c.suit for c in trick where c is Number)", "the Number cards in the trick all have the same suit"),
    (
        "same(c.suit else sun for c in trick)",
        "that card's suit (sun if there is none) is the same for each of the cards in the trick",
    ),
    ("count(s in Suit where tokens[s] is empty) > 1", "there is more than 1 suit that has no tokens"),
    ("(first c in trick) is Number(sun, 8)", "the first card in the trick is the `S8`"),
    ("(first c in trick).rank is in 2..4", "the rank of the first card in the trick is from 2 to 4"),
    ("turned is Fool", "the turned slot holds a Fool"),
    ("leader is in (all highest p in players by score[p])", "the leader is one of all players with the highest score"),
    ("count(c in trick where c is Fool) <= 1", "the trick contains at most 1 Fool"),
    ("sum(c.rank else 0 for c in trick) == 7", "the cards in the trick have a total rank of exactly 7"),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "said"), CONDITIONS, ids=[c for c, _ in CONDITIONS])
def test_a_condition_is_a_clause(condition: str, said: str) -> None:
    text = text_book(f"{HEAD}play\n    if {condition}: over = true\n{TAIL}")
    assert f"- If {said}, set *over* to yes.\n" in text


def test_a_name_that_is_used_already_is_distinguished() -> None:
    text = text_book(
        f"{HEAD}play\n    for c in trick\n        for d in hand[leader] where d.suit == c.suit\n"
        f"            move d to won[leader]\n            move c to stock\n{TAIL}"
    )
    assert "For each card of that card's suit in the leader's hand (in the order of the deck):" in text
    assert "Move the other card to the leader's won cards." in text
    assert "Move that card to the stock." in text


def test_an_end_that_a_card_of_a_loop_decides_is_said_by_its_note() -> None:
    text = text_book(
        f"{HEAD}play\n    repeat one_trick until over\n"
        "phase one_trick\n    leader chooses\n        lay\n            deal 1 from stock to won[leader]\n"
        "            for c in won[leader] where c is Number\n                if c.suit == moon: over = true\n"
    )
    assert "The game ends if, at the end of a trick, *over* is yes." in text


def test_a_short_definition_is_written_where_it_is_used_and_a_long_one_where_it_is_first_needed() -> None:
    text = text_book(
        f"{HEAD}play\n    turn_over\n    one_more\n{TAIL}phase turn_over\n    if high(first c in trick): over = true\n"
        "    trump = none\nphase one_more\n    if best is none: over = true\n    for p in players: score[p] += 1\n"
        "define high(c: card) = c.suit == moon\n"
        "define best = first c in trick where c.suit == trump\n    else first c in trick where c is Fool\n"
    )
    assert "If the suit of the first card in the trick is moon, set *over* to yes." in text
    assert "*high*" not in text.lower()
    assert text.index("### One more") < text.index("- The *best*")


DEEP = {
    "highest": ("highest {v} in {d} where {v}.suit == trump by {v}.rank", "(all {v} in {d} where {v} is Number)"),
    "every": ("every {v} in {d} has count(trick) > 1", "(all {v} in {d} where {v} is Number)"),
}


def test_a_definition_that_is_true_by_cases_has_a_line_for_each_with_its_tags() -> None:
    text = text_book(
        HEAD
        + """
play
    shuffle stock
    leader chooses
        lay card c from hand[leader] where playable(c, hand[leader])
            move c to trick
        otherwise pass
    if some c in hand[leader] where playable(c, hand[leader]): over = true
define playable(c: card, h: cards) =
    if trick is empty then no d in h where d is Fool         [R1]
    else c.suit == trump or (no d in h where d.suit == trump)        [R2]
"""
    )
    lines = text.partition("is *playable* from a hand as follows:\n")[2].splitlines()[:2]
    assert lines == [
        "  - If the trick is empty: no card in the hand is a Fool. [R1]",
        "  - Otherwise: the card's suit is the trump or there is no card of the trump suit in the hand. [R2]",
    ]


@pytest.mark.parametrize("kind", DEEP)
def test_what_lies_deep_in_one_another_takes_no_longer_than_its_length(kind: str) -> None:
    """Each part is told once, however often its words are asked for: twice at 20 levels would be a million times."""
    outer, inner = DEEP[kind]
    domain = "trick"
    for level in range(20):
        domain = inner.format(v=f"d{level}", d=domain)
    test = outer.format(v="c", d=domain)
    condition = f"({test}) is none" if kind == "highest" else test
    text = text_book(f"{HEAD}play\n    if {condition}: nothing\n{TAIL}")
    assert text.count("in the trick") == 1


def test_definitions_that_use_one_another_twice_are_not_written_out_in_one_another() -> None:
    lines = ["define d0(p: player) = out[p] or over"]
    lines += [f"define d{n}(p: player) = d{n - 1}(p) or d{n - 1}(next(p))" for n in range(1, 40)]
    phases = ["phase f0\n    over = true"]
    phases += [f"phase f{n}\n    f{n - 1}\n    f{n - 1}" for n in range(1, 8)]
    text = text_book(
        "\n".join([f"{HEAD}play\n    f7\n    if d4(leader): nothing\n{TAIL}{lines[0]}", *lines[1:5], *phases, ""])
    )
    assert len(text) < 20_000


def test_the_spec_of_all_constructs_is_a_game() -> None:
    assert load(EVERYTHING).new_initial_state().is_chance_node()
