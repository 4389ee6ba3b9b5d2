"""Ways of saying things that once read badly aloud, each with what is said now; none is made for one game."""

from __future__ import annotations

import pytest

from tests.rulebook.books import text_book
from tests.rulebook.test_constructs import HEAD, TAIL

PATTERNS = {
    "a mark is set": ("over = true", "", "Set the mark *over*."),
    "a mark is given to somebody": ("out[leader] = true", "", "Give the leader the mark *out*."),
    "a mark is asked for": (
        "if some p in players where not out[p]: nothing", "",
        "If there is some player who does not have the mark *out*, nothing happens.",
    ),
    "a number that is its own multiple": (
        "score[leader] = 3 * score[leader]", "", "Multiply the leader's score by 3.",
    ),
    "a loop with a condition is no mere count": (
        "for k in 1..5 where k > score[leader]: deal 1 from stock to trick", "",
        "For each number from 1 to 5 that is more than the leader's score, deal one card from the stock to the trick.",
    ),
    "a loop hands its number on": (
        "for k in 1..5: give(k)", "phase give(n: integer)\n    deal n from stock to trick\n",
        "**Give** (part 1), for each number from 1 to 5.",
    ),
    "a phase for several cards": (
        "lay(leader, hand[leader])", "phase lay(p: player, h: cards)\n    if count(h) > 2: score[p] += 1\n",
        "This is done for a player and some cards.",
    ),
    "a condition that always holds": (
        "while true\n        leader chooses\n            go\n            stop: end game", "",
        "Again and again, the leader does one of these:",
    ),
    "bounds that the rules work out": (
        "leader chooses\n        take score[leader] to 3 cards c from trick: nothing\n        stop", "",
        "**Take** at least their score and at most 3 cards of the trick",
    ),
    "two cards of one action": (
        ("leader chooses\n        trade card a from hand[leader], card b from trick\n            move a to trick\n"
        "            move b to hand[leader]\n        stop"), "",
        "**Trade** one card of their hand (the first card) and one card of the trick (the second card)",
    ),
    "two players of one action": (
        ("leader chooses\n        swap p from players, q from players where q != p\n            score[p] += score[q]\n"
        "        stop"), "",
        ("a player (the first player) and a player who is not the first player (the second player) "
        "(`swap PLAYER PLAYER`). Add the second player's score to the first player's score."),
    ),
    "a term that is a noun": (
        "if some c in hand[leader] where blade(c): nothing",
        ("define blade(c: card) =\n    c.suit == sun and trump is none or c.suit == moon and turned is empty\n"
        "        or some d in trick where d.suit == c.suit\n"),
        "A card is a *blade* if",
    ),
    "what belongs to whoever is spoken of": (
        "if every q in players has count(hand[q]) <= count(won[leader]): nothing", "",
        "whose hand holds a number of cards that is at most",
    ),
    "one player of those of a term": (
        "if count(active) == 1: nothing", "define active = all p in players where not out[p]\n",
        "If there is exactly one *active* player, nothing happens.",
    ),
    "the places of several players": (
        "turn hand[late] face up", "define late = all p in players where out[p]\n",
        "Turn the cards in the *late* players' hands face up.",
    ),
    "the best of the places of several": (
        "leader = holder(highest c in hand[players] by score[leader]) else leader", "",
        "becomes whoever holds the card with the highest leader's score among the cards in each player's hand",
    ),
    "the first of the places of several": (
        "leader = holder(first c in hand[players] where c is Fool) else leader", "",
        "whoever holds the first card that is a Fool among the cards in each player's hand",
    ),
    "those first of whom something holds": (
        "leader = (first p in late) else leader", "define late = all highest p in players by (out[p], score[p])\n",
        ("The *late* players are all players who have the mark *out* (where there are none, all), and of these those "
        "with the highest score."),
    ),
    "the one that comes first where something holds": (
        "leader = player_of(highest c in trick where c is Number by (c.suit == trump, c.rank)) else leader", "",
        ("played the card with the highest rank among the cards in the trick that are Number cards whose suit is the "
        "trump (where there are none, among all)"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_reads_well(name: str) -> None:
    line, more, said = PATTERNS[name]
    assert said in text_book(f"{HEAD}play\n    {line}\n{'' if 'chooses' in line else TAIL}{more}")


def test_a_place_of_a_size_that_the_rules_work_out() -> None:
    text = HEAD.replace("turned: slot,", "turned: row at most size,").replace(
        "deck in", "option size: 1..9 = 3\ndeck in"
    )
    assert "at most as many cards as the *size*" in text_book(f"{text}play\n{TAIL}")


AIMS = {
    "the highest score": ("", "", "The aim is to have the highest score."),
    "what a loop waits for": (
        "", "    repeat\n        leader chooses\n            go\n    until trick is not empty\n",
        "A play goes on until the trick is not empty.",
    ),
    "what sets the mark that a loop waits for": (
        "",
        ("    repeat\n        leader chooses\n            go\n                if turned is empty: over = true\n"
        "    until over\n"),
        "A play goes on until the turned slot is empty.",
    ),
    "a sudden end": (
        "", "    leader chooses\n        go\n            if trump is none: end game\n        stop\n",
        "it ends at once if there is no trump.",
    ),
    "the lowest wins": (
        "    winners = all lowest p in players by calls[p]\n", "",
        "The aim is to have the lowest number of calls at the end.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AIMS)
def test_the_aim_follows_from_the_result_and_the_loops(name: str) -> None:
    result, play, said = AIMS[name]
    head = HEAD.replace("    score p = score[p]\n", "    score p = score[p]\n" + result)
    assert said in text_book(f"{head}play\n{play or TAIL}")
