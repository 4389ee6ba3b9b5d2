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
        "If there is a player who does not have the mark *out*, nothing happens.",
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
        "**Take** at least their score and at most 3 cards from the trick",
    ),
    "two cards of one action": (
        ("leader chooses\n        trade card a from hand[leader], card b from trick\n            move a to trick\n"
        "            move b to hand[leader]\n        stop"), "",
        "**Trade** one card from their hand (the first card) and one card from the trick (the second card)",
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
        "becomes whoever holds the card with the highest leader's score among the cards in all players' hands",
    ),
    "the first of the places of several": (
        "leader = holder(first c in hand[players] where c is Fool) else leader", "",
        "whoever holds the first Fool among the cards in all players' hands",
    ),
    "those first of whom something holds": (
        "leader = (first p in late) else leader", "define late = all highest p in players by (out[p], score[p])\n",
        ("The *late* players are all players who have the mark *out* (where there are none, all), and of these those "
        "with the highest score."),
    ),
    "the one that comes first where something holds": (
        "leader = player_of(highest c in trick where c is Number by (c.suit == trump, c.rank)) else leader", "",
        ("played the card with the highest rank among the Number cards in the trick whose suit is the trump (where "
        "there are none, among all)"),
    ),
    "cards of a kind are called by it": (
        "for c in trick where c is Number and c.rank > 2: move c to won[leader]", "",
        "For each Number card in the trick whose rank is more than 2, the card goes to the leader's won cards.",
    ),
    "cards that the game has a word for": (
        "if count(c in trick where blade(c)) > 1: nothing", "define blade(c: card) = c is Number(sun, _)\n",
        "If there is more than one *blade* in the trick",
    ),
    "a word that says itself that it is a noun": (
        "for c in trick where is_shield(c): nothing", "define is_shield(c: card) = c is Number(_, 1)\n",
        "For each *shield* in the trick, nothing happens.",
    ),
    "a term of the rules keeps its name": (
        "if pair(leader): nothing", "define pair(p: player) = score[p] == 2     [R1]\n",
        "If the leader is a *pair*, nothing happens.",
    ),
    "a name that ends in a preposition": (
        "if beats_all_of(first c in trick, trick): nothing",
        ("define beats_all_of(c: card, h: cards) =\n    c.suit == trump and c is Number\n"
        "        or (every d in h has d is Fool)\n"),
        "If the first card in the trick *beats all of* the trick",
    ),
    "a card and the cards that it is one of": (
        "if playable(first c in trick, trick): nothing",
        "define playable(c: card, h: cards) =\n    c.suit == trump and c is Number or (every d in h has d is Fool)\n",
        "If the first card in the trick is *playable* from the trick",
    ),
    "a moment of the game": (
        "if not last_round: nothing", "define last_round = stock is empty\n",
        "If it is not the *last round*, nothing happens.",
    ),
    "a card of the suit of which the talk is": (
        "for s in Suit: move all c in trick where c.suit == s to won[leader]", "",
        "For each suit, all cards of that suit in the trick go to the leader's won cards.",
    ),
    "a card that has a suit at all": (
        "if some c in trick where c.suit is in Suit: nothing", "", "If there is a card in the trick that has a suit",
    ),
    "one card of the whole game": (
        "leader = holder(first c in hand[players] where c is Number(sun, 1)) else leader", "",
        "becomes whoever holds the `S1` among the cards in all players' hands, if there is one.",
    ),
    "what is asked of some is asked part by part": (
        "if some p in players where score[p] > 5 or (over and score[p] == 5): nothing", "",
        "If some player's score is more than 5, or the mark *over* is set and some player's score is 5, nothing",
    ),
    "whoever played a card of which the talk is": (
        "leader = player_of(highest c in trick where player_of(c) != leader by (c.rank else 0)) else leader", "",
        "among the cards in the trick whose player is not the leader",
    ),
    "a mark of what belongs to a card": (
        "for c in trick where c is Number and bright[c.suit]: nothing", "state\n    bright[Suit]: boolean\n",
        "For each Number card in the trick whose suit has the mark *bright*",
    ),
    "what two conditions have in common is said once": (
        "for p in players where p == leader or p == next(leader): score[p] += 1", "",
        "For each player who is the leader or the player after the leader",
    ),
    "what two places have in common is said once": (
        "for p in players where hand[p] is empty and won[p] is empty: score[p] += 1", "",
        "For each player whose hand is empty and who has no won cards",
    ),
    "what two piles have in common is said once": (
        "if some p in players where hand[p] is empty and spare[p] is empty: nothing",
        "zones\n    spare[player]: pile, seen by nobody\n",
        "If there is a player whose hand and spare pile are empty, nothing happens.",
    ),
    "numbers are equal or differ": (
        "if score[leader] != calls[leader]: nothing", "",
        "If the leader's score differs from the leader's number of calls, nothing happens.",
    ),
    "the next of what is called by its sort": (
        "give(leader)", "phase give(p: player)\n    if score[p] > score[next(p)]: score[left(p)] += 1\n",
        "If the player's score is more than the next player's score, add 1 to the player's left neighbour's score.",
    ),
    "each of several players": (
        "for p in late: score[p] += 1", "define late = all p in players where out[p]\n",
        "For each of the *late* players, add 1 to the player's score.",
    ),
    "what is added stands last where it is long": (
        "score[leader] += score[next(leader)] + 2 * count(c in trick where c.rank is in 1..2)", "",
        "Add to the leader's score the score of the player after the leader plus 2 times the number of cards in",
    ),
    "what is not always there to be added": (
        "score[leader] += (first c in trick).rank else 0", "",
        "Add the rank of the first card in the trick, if there is one, to the leader's score.",
    ),
    "cards that may be none": (
        "leader chooses\n        drop any cards c from hand[leader]: move c to stock", "",
        "The leader may **drop** any number of cards from their hand (`drop CARDS`).",
    ),
    "who is asked and what is named": (
        "leader chooses\n        ask p from players, s from Suit: score[p] += 1\n        stop", "",
        "**Ask** a player, naming a suit (`ask PLAYER SUIT`).",
    ),
    "one of those who can be chosen": (
        "leader chooses\n        ask p from late: score[p] += 1\n        stop",
        "define late = all p in players where out[p]\n", "**Ask** one of the *late* players (`ask PLAYER`).",
    ),
    "a condition that holds only with an option": (
        "leader chooses\n        lay card c from hand[leader] such that over or c is Fool\n        stop", "",
        "so that the card is a Fool (if the mark *over* is not set)",
    ),
    "turns that a rule gives": (
        "in turn p in players\n        p chooses\n            stop\n            go: reopen", "",
        "Each player, in turn, does this (one turn each, and more where a rule gives one):",
    ),
    "whom a turn lets have another": (
        "in turn p in players\n        p chooses\n            stop\n            go: reopen", "",
        "**Go** (`go`). After this every other player has one more turn, whether they have had theirs or not.",
    ),
    "the first of several players": (
        "leader = first p in late from next(leader) else leader", "define late = all p in players where out[p]\n",
        "The leader becomes the first of the *late* players (beginning with the player after the leader), if there",
    ),
    "one of several players": (
        "if some p in late where tired(p): nothing",
        ("define late = all p in players where out[p]\n"
        "define tired(p: player) = count(hand[p]) > 3 and score[p] > 2 or over\n"),
        "If one of the *late* players is *tired*, nothing happens.",
    ),
    "one turn each": (
        "in turn p in players\n        p chooses\n            stop\n            go", "",
        "Each player, in turn, does this:",
    ),
    "all at once": (
        "at once p in players\n        p chooses\n            stop\n            go", "",
        "All players do this at the same time, and nobody sees what the others choose until all have chosen:",
    ),
    "a number of cards that depends on something": (
        "deal (if over then 7 else 5) from stock to trick", "",
        "Deal from the stock to the trick 7 cards if the mark *over* is set, otherwise 5.",
    ),
    "as many times as a number": (
        "for n in 1..score[leader]\n        deal 1 from stock to trick\n        over = true", "",
        "As many times as the leader's score:",
    ),
    "several loops in one": (
        "for p in players, s in Suit: nothing", "", "For each player and each suit, nothing happens.",
    ),
    "what a list of cases depends on": (
        "if bonus(leader) > 1: nothing",
        "define bonus(p: player) =\n    match trump\n        case sun: score[p]\n        otherwise: 0\n",
        "A player's *bonus* depends on the trump:",
    ),
    "a term in the plural": (
        "if dues(leader) > 1: nothing",
        "define dues(p: player) = if out[p] then score[p] else if over then calls[p] else 2\n",
        "If the *dues* for the leader are more than 1, nothing happens.",
    ),
    "a choice that ends a loop by an option's rule": (
        ("repeat\n        leader chooses\n            go\n            stop: end game\n"
        "    until score[leader] > (if over then 5 else 9)"), "",
        ("Repeat until the leader's score is more than 9, or, if the mark *over* is set, until the leader's score is "
        "more than 5:"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_reads_well(name: str) -> None:
    line, more, said = PATTERNS[name]
    assert said in text_book(f"{HEAD}play\n    {line}\n{'' if 'chooses' in line else TAIL}{more}")


def test_how_players_sit_is_told_with_its_direction_where_the_rules_ask_for_neighbours() -> None:
    game = f"{HEAD}play\n    leader = left(leader)\n{TAIL}"
    left = "They sit round the table in the order of their numbers, each to the left of the one before."
    assert left in text_book(game)
    assert "in the order of their numbers." in text_book(game.replace("left(leader)", "next(leader)"))
    assert "They sit" not in text_book(game, players=2)


def test_a_place_of_a_size_that_the_rules_work_out() -> None:
    text = HEAD.replace("turned: slot,", "turned: row at most size,").replace(
        "deck in", "option size: 1..9 = 3\ndeck in"
    )
    assert "at most as many cards as the *size*" in text_book(f"{text}play\n{TAIL}")


AIMS = {
    "the highest score": ("", "", "The aim is to have the highest score."),
    "a play without a loop": ("", "", "The game goes once through the steps of “The play”, and is over then."),
    "those first of whom something holds": (
        "    winners = all highest p in players by (out[p], score[p])\n", "",
        "Those players win who have the mark *out*, or all of them if there are none; of several, those with the",
    ),
    "one winner takes all": (
        "    winners = leader\n    stakes p = 1\n", "",
        "The leader wins; the winner takes what all have staked.",
    ),
    "what a loop waits for": (
        "", "    repeat\n        leader chooses\n            go\n    until trick is not empty\n",
        "The game goes on until the trick is not empty.",
    ),
    "what sets the mark that a loop waits for": (
        "",
        ("    repeat\n        leader chooses\n            go\n                if turned is empty: over = true\n"
        "    until over\n"),
        "The game goes on until the turned slot is empty.",
    ),
    "a sudden end": (
        "", "    leader chooses\n        go\n            if trump is none: end game\n        stop\n",
        "it ends at once if there is no trump.",
    ),
    "the lowest wins": (
        "    winners = all lowest p in players by calls[p]\n", "",
        "The aim is to have the fewest calls at the end.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AIMS)
def test_the_aim_follows_from_the_result_and_the_loops(name: str) -> None:
    result, play, said = AIMS[name]
    head = HEAD.replace("    score p = score[p]\n", "    score p = score[p]\n" + result)
    assert said in text_book(f"{head}play\n{play or TAIL}")
