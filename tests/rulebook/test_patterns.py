"""Ways of saying things that once read badly aloud, each with what is said now; none is made for one game."""

from __future__ import annotations

import attrs
import pytest

from interpreter.rulebook.differences import Comparison, chapters_of
from interpreter.rulebook.page import Entry, Heading, Lines
from tests.rulebook.books import text_book
from tests.rulebook.test_constructs import HEAD, TAIL

SHUFFLE = "    shuffle stock\n"
PATTERNS = {
    "a state of the game that is defined": (
        "if is_late: nothing", "define is_late = over and trick is empty\n",
        "If *over* is yes and the trick is empty, nothing happens.",
    ),
    "cards of which there are copies": (
        "if some c in trick where c == (first d in hand[leader] where d is Fool): nothing", "",
        "If the trick contains at least one card that equals the first Fool in the leader's hand, nothing happens.",
    ),
    "one of the cards of a list": (
        "let shown = first 2 c in trick\n    if some c in shown where c is Number(sun, 8): nothing", "",
        "If the cards shown include the `S8`, nothing happens.",
    ),
    "cards of a list that have something": (
        "let shown = first 2 c in trick\n    score[leader] += count(c in shown where c is not Fool)", "",
        "Add the number of the cards shown that are not Fools to the leader's score.",
    ),
    "all of whom each have a card of a kind": (
        "if every p in players has (some c in hand[p] where c is Fool): nothing", "",
        "If every player's hand contains a Fool, nothing happens.",
    ),
    "players other than the one who is addressed": (
        "for p in players: score[p] += sum(calls[q] for q in players where q != p)", "",
        "Each player: add the total number of calls of the other players to your score.",
    ),
    "alternatives among other conditions": (
        "if trick is empty and (over or trump is none): score[leader] += 1", "",
        ("- Add 1 to the leader's score if all of these are true:\n  - The trick is empty.\n"
         "  - *Over* is yes or there is no trump.\n"),
    ),
    "a mark that begins with a verb": (
        "is_late = true\n    if is_late: nothing", "state\n    is_late: boolean\n", "Set *late* to yes.",
    ),
    "a role without a hyphen": (
        "non_dealer = leader\n    if non_dealer is none: nothing", "state\n    non_dealer: player or none\n",
        "The leader becomes the non-dealer.",
    ),
    "cases that share their first words": (
        "score[leader] += sum(worth(c) for c in trick)",
        "define worth(c: card) =\n    match c\n        case Number(sun, _), Number(moon, _): 2\n        otherwise: 0\n",
        "A Number card with the suit sun or moon: 2.",
    ),
    "a place that a number chooses": (
        "leader chooses\n        count n from 1..count(players) where n > calls[leader]: score[leader] = n", "",
        "choose a number (from 1 to the number of players) that is more than your number of calls",
    ),
    "neither of two players": (
        "for p in players where not (p == leader or p == next(leader)): score[p] += 1", "",
        "Each player who is not the leader and is not the player after the leader: add 1 to your score.",
    ),
    "the only player who can be meant": (
        "let shooter = first p in players where calls[p] == 26\n    if shooter is none: nothing", "",
        "The shooter is the player whose number of calls is 26.",
    ),
    "equal cards, of which none is the first": (
        "let turned_card = top of stock\n    move first 2 c in hand[leader] where c == turned_card to trick", "",
        "Move 2 cards in the leader's hand that equal the turned card to the trick.",
    ),
    "a loop that ends when something is not so, which it may not be at the start": (
        "for n in 1..2\n        repeat\n            deal 1 from stock to trick\n        until trump is none", "",
        "Do this, and repeat it while there is a trump: deal 1 card from the stock to the trick.",
    ),
    "a prompt that says more than its action": (
        'leader chooses "{you} look at the top card"\n        peek: show top of stock to leader\n        stop', "",
        "**The leader**: you look at the top card. You must do exactly one of these:",
    ),
    "a phase of one short step": (
        "take", "phase take\n    for p in players: move hand[p] to trick\n",
        "- Each player: move all cards from your hand to the trick.\n",
    ),
    "messages of both cases": (
        ('if trick is empty\n        say "{leader} lied"\n        score[leader] += 1\n'
        '    else\n        say "{leader} told the truth"\n        score[leader] += 2'), "",
        "Announce “the leader told the truth”.",
    ),
    "a loop with a bound of its own": (
        "for n in 1..5 where n <= score[leader]: deal 1 from stock to trick", "",
        "Deal 1 card from the stock to the trick, as many times as the leader's score, but at most 5 times.",
    ),
    "a player by case": (
        "leader = if trick is empty then next(leader) else previous(leader)", "",
        "If the trick is empty, the player after the leader becomes the leader. Otherwise, the player before",
    ),
    "what a player may do something with": (
        "if some s in Suit where may_name(leader, s): nothing\n    if may_name(leader, sun): nothing",
        "define may_name(p: player, s: Suit) = if over then s == sun else calls[p] > 1\n",
        "If there is at least one suit that the leader may *name*, nothing happens.",
    ),
    "several cards with a name each": (
        ("leader chooses\n        give 1 cards one_gift from hand[leader], 1 cards other_gift from hand[leader]\n"
        "            move other_gift to trick"), "",
        ("you must **give** exactly 1 card from your hand as each of these: the one gift and the other gift. "
        "Move the other gift to the trick."),
    ),
    "a long condition on one of several things": (
        ("if some s in Suit where score[leader] > count(c in hand[leader] where c.suit == s)\n"
        "            and calls[leader] < count(c in won[leader] where c.suit == s): nothing"), "",
        "Nothing happens if all of these are true for at least one suit:",
    ),
    "the best set of cards from several places": (
        "move best to trick",
        ("define best = highest r in subsets(hand[leader] + won[leader], 2) "
        "by sum(c.rank else 0 for c in r)\n"),
        "from the leader's hand and the leader's won cards.",
    ),
    "steps within a test": (
        "if over\n        score[leader] += 1\n        shuffle stock", "",
        "If *over* is yes:\n  1. Add 1 to the leader's score.\n  2. Shuffle the stock.\n",
    ),
    "what is less than nothing counts as nothing, one by one": (
        "score[leader] += sum(max(score[p], 0) for p in players)", "",
        "Add the total score of all players (a negative one counts as 0) to the leader's score.",
    ),
    "a value of several parts": (
        "leader = (first p in best) else leader",
        ("define best = all highest p in players by rating(p)\n"
        "define rating(p: player) = (count(c in hand[p] where c.suit == sun), "
        "count(c in won[p] where c.suit == moon))\n"),
        "A player's *rating* is made of these; the first that differs decides:",
    ),
    "a mark is set": (
        "over = true", "",
        "Set *over* to yes.",
    ),
    "a player is marked": (
        "out[leader] = true", "",
        "Mark the leader as *out*.",
    ),
    "a mark is asked for": (
        "if some p in players where not out[p]: nothing", "",
        "If there is at least one player who is not marked *out*, nothing happens.",
    ),
    "a number that is its own multiple": (
        "score[leader] = 3 * score[leader]", "",
        "Multiply the leader's score by 3.",
    ),
    "a loop with a condition is no mere count": (
        "for k in 1..5 where k > score[leader]: deal 1 from stock to trick", "",
        ("For each number from 1 to 5 that is more than the leader's score: deal 1 card from the stock "
        "to the trick."),
    ),
    "a loop hands its number on": (
        "for k in 1..5: give(k)", "phase give(n: integer)\n    deal n from stock to trick\n",
        "For each number from 1 to 5: deal as many cards as that number from the stock to the trick.",
    ),
    "a phase for several cards": (
        "lay(leader, hand[leader])", "phase lay(p: player, h: cards)\n    while count(h) > 2: score[p] += 1\n",
        "This is done for one player (“you”) with some cards.",
    ),
    "a condition that always holds": (
        "while true\n        leader chooses\n            go\n            stop: end game", "",
        "Repeat this until the game ends:",
    ),
    "bounds that the rules work out": (
        "leader chooses\n        take score[leader] to 3 cards c from trick: nothing\n        stop", "",
        ("**The leader**: you may **take** at least your score and at most 3 cards from the trick, or "
        "**stop**. If you **take**, nothing happens."),
    ),
    "two cards of one action": (
        ("leader chooses\n        trade card a from hand[leader], card b from trick\n            move a "
        "to trick\n            move b to hand[leader]\n        stop"), "",
        ("**The leader**: you may **trade**: choose exactly 1 card from your hand, and exactly 1 card from the"
        " trick, or **stop**.\n  - If you **trade**:\n    1. Move the first card to the trick.\n"
        "    2. Move the second card to your hand."),
    ),
    "two players of one action": (
        ("leader chooses\n        swap p from players, q from players where q != p\n            score[p] "
        "+= score[q]\n        stop"), "",
        ("**The leader**: you may **swap**: choose a player and a player except the first player, or "
        "**stop**. If you **swap**, add the second player's score to the first player's score."),
    ),
    "a term that is a noun": (
        "if some c in hand[leader] where blade(c): nothing",
        ("define blade(c: card) =\n"
        "    c.suit == sun and trump is none or c.suit == moon and turned is "
        "empty\n        or some d in trick where d.suit == c.suit\n"),
        "A card is a *blade* if at least one of these is true:",
    ),
    "the cards of every player": (
        "if every q in players has count(hand[q]) <= count(won[leader]): nothing", "",
        ("If every player's hand contains at most as many cards as the number of the leader's won cards, "
        "nothing happens."),
    ),
    "one player of those of a term": (
        "if count(active) == 1: nothing", "define active = all p in players where not out[p]\n",
        "If there is exactly 1 *active player*, nothing happens.",
    ),
    "the places of several players": (
        "turn hand[late] face up", "define late = all p in players where out[p]\n",
        "Turn all cards in the *late players*' hands face up.",
    ),
    "the best of the places of several": (
        "leader = holder(highest c in hand[players] by score[leader]) else leader", "",
        ("The player who holds the card with the highest value of the leader's score in the hands of all players "
        "becomes the leader. Of equals, take the first one. If there is no such card, "
        "the leader stays the same."),
    ),
    "the first of the places of several": (
        "leader = holder(first c in hand[players] where c is Fool) else leader", "",
        ("The player who holds the first Fool in the hands of all players becomes the leader, if there "
        "is one."),
    ),
    "players for whom a condition comes before a number": (
        "leader = (first p in late) else leader", "define late = all highest p in players by (out[p], score[p])\n",
        ("The *late players* are all players with the highest score, where those who are "
        "marked *out* come first."),
    ),
    "a card for which a condition comes before a number": (
        ("leader = player_of(highest c in trick where c is Number by (c.suit == trump, c.rank)) else "
        "leader"), "",
        ("The player who played the card with the highest rank in the trick becomes the leader. "
        "Consider only the Number cards. Cards of the trump suit come before all others. "
        "Of equals, take the one played first. If there is no such card, the leader stays the same."),
    ),
    "cards of a kind are called by it": (
        "for c in trick where c is Number and c.rank > 2: move c to won[leader]", "",
        ("For each Number card in the trick whose rank is more than 2: move that card to the leader's "
        "won cards."),
    ),
    "cards that the game has a word for": (
        "if count(c in trick where blade(c)) > 1: nothing", "define blade(c: card) = c is Number(sun, _)\n",
        "If the trick contains more than 1 *blade*, nothing happens.",
    ),
    "a definition whose name is a noun": (
        "for c in trick where is_shield(c): nothing", "define is_shield(c: card) = c is Number(_, 1)\n",
        "For each *shield* in the trick: nothing happens.",
    ),
    "a term of the rules keeps its name": (
        "if pair(leader): nothing", "define pair(p: player) = score[p] == 2     [R1]\n",
        "If the leader is a *pair*, nothing happens.",
    ),
    "a name that ends in a preposition": (
        "if beats_all_of(first c in trick, trick): nothing",
        ("define beats_all_of(c: card, h: "
        "cards) =\n    c.suit == trump and c is Number\n        or "
        "(every d in h has d is Fool)\n"),
        "If the first card in the trick *beats all of* the trick, nothing happens.",
    ),
    "a card and the cards that it is one of": (
        "if playable(first c in trick, trick): nothing",
        ("define playable(c: card, h: cards) =\n"
        "    c.suit == trump and c is Number or (every d in h has "
        "d is Fool)\n"),
        "If the first card in the trick is *playable* from the trick, nothing happens.",
    ),
    "a moment of the game": (
        "if not last_round: nothing", "define last_round = stock is empty\n",
        "If this is not the *last round*, nothing happens.",
    ),
    "a card of the suit of a loop": (
        "for s in Suit: move all c in trick where c.suit == s to won[leader]", "",
        "For each suit: move all cards of that suit in the trick to the leader's won cards.",
    ),
    "a card that has a suit at all": (
        "if some c in trick where c.suit is in Suit: nothing", "",
        "If the trick contains at least one card that has a suit, nothing happens.",
    ),
    "one card of the whole game": (
        "leader = holder(first c in hand[players] where c is Number(sun, 1)) else leader", "",
        "The player who holds the `S1` becomes the leader, if there is one.",
    ),
    "a part of a condition that another part decides": (
        "if over and (not over or trump is none): nothing", "",
        "If *over* is yes and there is no trump, nothing happens.",
    ),
    "a comparison of two values, the second of which decides ties": (
        ("leader chooses\n        bid n from 1..9, m from 1..9 where (n, m) > (score[leader], calls[leader])\n"
        "            over = true"), "",
        "The first number must be at least your score. If they are equal, the second number must be more than",
    ),
    "cards of many places": (
        ("score[leader] = sum(c.rank for c in hand[leader] + won[leader] + hand[next(leader)] + won[next(leader)] "
        "where c is Number)"), "",
        "Set the leader's score to the total rank of the Number cards in these places:\n  - The leader's hand.\n",
    ),
    "a product in a sum": (
        "score[leader] += 10 * calls[leader] + 2", "",
        "Add (10 times the leader's number of calls) plus 2 to the leader's score.",
    ),
    "who may act again, if a turn changes that": (
        "auction", ("phase auction\n    state\n        passed[player]: boolean\n"
        "    in turn p in players where not passed[p]\n        p chooses\n            call\n"
        "                calls[p] += 1\n                reopen\n            pass: passed[p] = true\n"),
        "**Pass**: Mark yourself as *passed*.",
    ),
    "the player of a card": (
        ("leader = player_of(highest c in trick where player_of(c) != leader by (c.rank else 0)) else "
        "leader"), "",
        ("The player who played the card with the highest rank (0 if there is none) in the trick becomes the leader. "
        "Consider only the cards whose player is not the leader. Of equals, take "
        "the one played first. If there is no such card, the leader stays the same."),
    ),
    "a mark of what belongs to a card": (
        "for c in trick where c is Number and bright[c.suit]: nothing", "state\n    bright[Suit]: boolean\n",
        "For each Number card in the trick whose suit is marked *bright*: nothing happens.",
    ),
    "two conditions with one subject": (
        "for p in players where p == leader or p == next(leader): score[p] += 1", "",
        "Each player who is the leader or the player after the leader: add 1 to your score.",
    ),
    "what two places have in common is said once": (
        "for p in players where hand[p] is empty and won[p] is empty: score[p] += 1", "",
        "Each player whose hand is empty and who has no won cards: add 1 to your score.",
    ),
    "numbers are equal or differ": (
        "if score[leader] != calls[leader]: nothing", "",
        "If the leader's score does not equal the leader's number of calls, nothing happens.",
    ),
    "the next of what is called by its sort": (
        "give(leader)", "phase give(p: player)\n    while score[p] > score[next(p)]: score[left(p)] += 1\n",
        "Repeat this while your score is more than the score of the player after you:",
    ),
    "each of several players": (
        "for p in late: score[p] += 1", "define late = all p in players where out[p]\n",
        "Each *late player*: add 1 to your score.",
    ),
    "a thing of which there is a number": (
        "if calls[leader] > 0: nothing", "",
        "If the leader's number of calls is more than 0, nothing happens.",
    ),
    "numbers of two players differ": (
        "for p in players\n        if score[p] != score[leader]: nothing", "",
        "Each player: if your score does not equal the leader's score, nothing happens.",
    ),
    "one of two amounts is added": (
        "score[leader] += if over then -2 else 3", "",
        "If *over* is yes, subtract 2 from the leader's score. Otherwise, add 3 to the leader's score.",
    ),
    "a note that an action was chosen": (
        "go",
        ("phase go\n    state\n        called: boolean\n    leader chooses\n        call: called = true\n"
        "        stop\n    if not called: nothing\n"),
        "If the leader has not chosen **call**, nothing happens.",
    ),
    "a note that is read before it is set only": (
        "go",
        ("phase go\n    state\n        seen: boolean\n    if not seen: score[leader] += 1\n    seen = true\n"),
        "Add 1 to the leader's score.",
    ),
    "a first value that is never read": (
        "go",
        ("phase go\n    state\n        n, m: integer\n    n = 2\n    for p in players where score[p] > 3: m = 4\n"
        "    score[leader] += n + m\n"),
        "1. Set the number *m* to 0.\n2. Set the number *n* to 2.",
    ),
    "a first value of all players of whom one is marked first": (
        "go",
        ("phase go\n    state\n        safe[player], met[player]: boolean\n    repeat one_move until over\n"
        "phase one_move\n    safe[leader] = false\n    for p in open: met[p] = true\n"
        "    leader chooses\n        hide: safe[leader] = true\n        stop: over = true\n"
        "define open = all p in players where p != leader and not safe[p] and not met[p]\n"),
        "1. Remove all *safe* marks.\n2. Remove all *met* marks.\n",
    ),
    "a first value of players of whom a loop leaves out some": (
        "go",
        ("phase go\n    state\n        n[player]: integer\n    for p in players where not out[p]: n[p] = 2\n"
        "    for p in players: score[p] += n[p]\n"),
        "1. Set each player's number *n* to 0.\n",
    ),
    "a first value that another's turn of a loop reads": (
        "go",
        ("phase go\n    state\n        n[player]: integer\n    for p in players\n        n[p] = 2\n"
        "        score[p] += n[next(p)]\n"),
        "1. Set each player's number *n* to 0.\n",
    ),
    "a first value with which a phase that is carried out starts": (
        "go",
        ("phase go\n    state\n        n: integer\n    gain\n    n = 2\n    score[leader] += n + n\n    gain\n"
        "phase gain\n    state\n        m: integer = n\n    score[leader] += m\n    shuffle stock\n    m += 1\n"
        "    score[leader] += m\n"),
        "1. Set the number *n* to 0.\n",
    ),
    "a first value that each player's turn of a loop sets": (
        "go",
        ("phase go\n    state\n        n[player]: integer\n    for p in players: begin(p)\n"
        "    for p in players: score[p] += n[p]\n"
        "phase begin(p: player)\n    n[p] = 2\n    shuffle stock\n    score[p] += n[p]\n    say \"{p} has {n[p]}\"\n"),
        "### Go\n\n1. Each player:\n   1. Set your number *n* to 2.\n",
    ),
    "several things that a phase is given": (
        "give(next(leader), 1, 2)",
        ("phase give(p: player, points: integer, size: integer)\n    if points > size: nothing\n"
        "    score[p] += points + size\n"),
        "Do **Give** for the player after the leader: the points are 1 and the size is 2.",
    ),
    "a definition of one or another": (
        "let best = worth(if over then leader else next(leader))\n    score[leader] += best + best",
        "define worth(p: player) = if out[p] then score[p] else if over then calls[p] else 2\n",
        "The best is the *worth* of the player after the leader. If *over* is yes, it is the leader's *worth*.",
    ),
    "a duty of a player who can fulfil it": (
        ("leader chooses\n        lay card c from hand[leader] where c.suit == trump or no d in hand[leader] where "
        "d.suit == trump\n            move c to trick\n        stop"), "",
        "If your hand contains at least one card of the trump suit, the card's suit must be the trump.",
    ),
    "a step with a test of its own": (
        "go", "phase go\n    if over\n        leader chooses\n            stop\n            pass\n",
        "If *over* is yes:",
    ),
    "many addends are a list": (
        "score[leader] += score[next(leader)] + 2 * count(c in trick where c.rank is in 1..3)", "",
        "Add the sum of these to the leader's score:",
    ),
    "what is not always there to be added": (
        "score[leader] += (first c in trick).rank else 0", "",
        "Add the rank of the first card in the trick to the leader's score, if there is one.",
    ),
    "cards that may be none": (
        "leader chooses\n        drop any cards c from hand[leader]: move c to stock", "",
        "**The leader**: you may **drop**: move any number of cards (or none) from your hand to the stock.",
    ),
    "a player and a value are chosen": (
        "leader chooses\n        ask p from players, s from Suit: score[p] += 1\n        stop", "",
        ("**The leader**: you may **ask**: choose a player and a suit, or **stop**. If you **ask**, add 1 to "
        "the chosen player's score."),
    ),
    "one of those who can be chosen": (
        "leader chooses\n        ask p from late: score[p] += 1\n        stop",
        "define late = all p in players where out[p]\n",
        ("**The leader**: you may **ask**: choose a *late player*, or **stop**. If you **ask**, add 1 to the "
        "chosen player's score."),
    ),
    "a condition that holds only with an option": (
        "leader chooses\n        lay card c from hand[leader] such that over or c is Fool\n        stop", "",
        ("**The leader**: you may **lay** exactly 1 card from your hand, or **stop**. The card must be a "
        "Fool, unless *over* is yes."),
    ),
    "a role that has passed on": (
        "leader chooses\n        stop\n    leader = next(leader)\n    score[leader] += 1", "",
        "Add 1 to the new leader's score.",
    ),
    "a card without a name": (
        "let c = first d in won[leader]\n    move c to trick", "",
        "Pick the first won card of the leader.",
    ),
    "an action that gives the others another turn": (
        "in turn p in players\n        p chooses\n            stop\n            go: reopen", "",
        ("The turns start again with the player after you: every other player acts exactly once, even after an earlier "
         "turn. Then this step ends, unless one of them starts the turns again."),
    ),
    "a mark that is set in the turn of a player without it": (
        "in turn p in players where not out[p]\n        p chooses\n            stop: out[p] = over\n            go", "",
        "Mark yourself as *out* if *over* is yes.",
    ),
    "the first of several players": (
        "leader = first p in late from next(leader) else leader", "define late = all p in players where out[p]\n",
        ("The first *late player* (starting with the player after the leader) becomes the leader, if "
        "there is one."),
    ),
    "one of several players": (
        "if some p in late where tired(p): nothing",
        ("define late = all p in players where out[p]\n"
        "define tired(p: player) = count(hand[p]) > 3 and score[p] > 2 or over\n"),
        "If at least one *late player* is *tired*, nothing happens.",
    ),
    "one turn each": (
        "in turn p in players\n        p chooses\n            stop\n            go", "",
        "Each player, in turn, starting with player 1:",
    ),
    "all at once": (
        "at once p in players\n        p chooses\n            stop\n            go", "",
        "Each player, all at the same time and in secret:",
    ),
    "a number of cards that depends on something": (
        "deal (if over then 7 else 5) from stock to trick", "",
        "Deal cards from the stock to the trick: 7 if *over* is yes, otherwise 5.",
    ),
    "as many times as a number": (
        "for n in 1..score[leader]\n        deal 1 from stock to trick\n        over = true", "",
        "Do this as many times as the leader's score:",
    ),
    "several loops in one": (
        "for p in players, s in Suit: nothing", "",
        "Each player, for each suit: nothing happens.",
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
    "a short condition called may, where nobody decides": (
        "for p in players where may_roll(p): score[p] += 1",
        "define may_roll(p: player) = hand[p] is empty and score[p] > 2\n",
        "Each player whose hand is empty and whose score is more than 2: add 1 to your score.",
    ),
    "a condition called may, where each decides": (
        "for p in players where may_roll(p)\n        p chooses\n            roll\n            stop",
        ("define may_roll(p: player) =\n"
        "    trick is not empty and (hand[p] is empty or calls[p] > score[p] or trump is none)\n"),
        "Each player who may *roll*, in turn from player 1:",
    ),
    "a limit that is called may": (
        "leader chooses\n        play card c from trick where not over or may_be_led(c, trick): nothing\n        stop",
        ("define may_be_led(c: card, h: cards) =\n    c is Fool or trump is none or c.suit == trump "
        "or no d in h where d.suit == trump or over\n"
        "define unused = count(c in trick where may_be_led(c, trick))\n"),
        "If *over* is yes, the card must be one that may *be led* from the trick.",
    ),
    "a duty in a case that a negation names": (
        ("leader chooses\n        play card c from hand[leader] where not over or c is Fool: move c to trick\n"
        "        stop"), "",
        "If *over* is yes, the card must be a Fool.",
    ),
    "a kind of card from several places": (
        ("leader chooses\n        play card c from hand[leader] + won[leader] where c is Number: move c to trick\n"
        "        stop"), "",
        "exactly 1 Number card from your hand or your won cards to the trick",
    ),
    "cards one by one, where the order counts": (
        "for c in hand[leader]\n        score[leader] = count(hand[leader])\n        move c to trick", "",
        "For each card in the leader's hand (in the order of the deck):\n  1. Set",
    ),
    "what the order of the deck is": (
        "for c in hand[leader]: move c to trick", "",
        "- The order of the deck is that of the list of cards above. Cards of one line are in the order of the first",
    ),
    "cards of a row one by one, where the order counts": (
        "for c in trick: move c to stock", "",
        "For each card in the trick (the oldest first): move that card to the stock.",
    ),
    "cards of a pile, named before they are gone through one by one": (
        "let numbers = all c in stock where c is Number\n    for c in numbers: move c to trick", "",
        "For each card among the numbers (from the top): move that card to the trick.",
    ),
    "chosen cards one by one, where the order counts": (
        "leader chooses\n        play 2 cards s from hand[leader]\n            for c in s: move c to trick", "",
        "For each card among these cards (in the order of the deck): move that card to the trick.",
    ),
    "cards one by one in any order": (
        "for c in trick\n        if c is Fool: score[leader] += 2", "",
        "For each card in the trick: if that card is a Fool, add 2 to the leader's score.",
    ),
    "the last cards of a pile one by one": (
        "for c in (last (count(stock) - score[leader] - calls[leader]) d in stock where d is Number): move c to trick",
        "",
        ("Count the Number cards in the stock (from the bottom), up to this number: the number of cards in the stock "
        "minus the leader's score minus the leader's number of calls. For each counted card (from the top):"),
    ),
    "a die that nobody sees": (
        "random fate from 1..6", "state\n    fate: 1..6 = 1, seen by nobody\n",
        "Roll a 6-sided die for the fate; nobody sees the result.",
    ),
    "a number that only its owner sees": (
        "for p in players: random fate[p] from 1..6", "state\n    fate[player]: 1..6 = 1, seen by owner\n",
        "Each player: roll a 6-sided die for your fate; only you see the result.",
    ),
    "a hidden number that changes": (
        "fate = 2\n    if fate == 1: nothing", "state\n    fate: 1..6 = 1, seen by nobody\n",
        "| Fate. Nobody may see the fate or learn whether it changes. |",
    ),
    "a card that moves unseen": (
        "leader chooses\n        give card c from hand[leader]: move c to hand[next(leader)]\n        stop", "",
        "- Players see which card is chosen or moved only if they may look at its old or its new place.",
    ),
    "an unseen card that a player chooses by its place": (
        "leader chooses\n        lay n from 1..count(trick): move card n of trick to stock", "",
        "choose a position from 1 to the number of cards in the trick. Move the card at the chosen position",
    ),
    "a duty with an exception of two conditions": (
        ("leader chooses\n        play card c from hand[leader] where (if trick is empty then c is Fool "
        "else c is not Fool or (over and trump is none)): move c to trick\n        stop"), "",
        "Otherwise, the card must not be a Fool. This does not apply if *over* is yes and there is no trump.",
    ),
    "the first cards of a pile": (
        "move first 2 c in stock where c is Number to trick", "",
        "Move the first 2 Number cards in the stock (from the top) to the trick.",
    ),
    "the first card of several slots": (
        "move first c in shield[leader, Suit] to trick", "zones\n    shield[player, Suit]: slot, seen by all\n",
        "(in the order sun, moon) to the trick.",
    ),
    "a card of nobody": (
        ("move first c in stock to trick for leader\n    move first c in stock to trick\n"
        "    leader = player_of(first c in trick) else leader"), "",
        "to the trick, as a card of no player.",
    ),
    "an empty place of every player": (
        "if hand[players] is empty: nothing", "", "If every player's hand is empty, nothing happens.",
    ),
    "cards that no player has": (
        "if won[players] is empty: nothing", "", "If no player has won cards, nothing happens.",
    ),
    "a phase that its own player does": (
        "rest(leader)",
        ("phase rest(p: player)\n    score[p] += 1\n    calls[p] += 1\n    out[p] = true\n    shuffle stock\n"
        "    if score[p] > 3: rest_again(p)\nphase rest_again(q: player)\n    score[q] += 1\n    calls[q] += 1\n"
        "    out[q] = true\n    shuffle stock\n"),
        "do **Rest again** for yourself.",
    ),
    "a card that may be missing": (
        "if (top of stock).suit == moon: nothing", "",
        "If the stock is not empty and the suit of the top card of the stock is moon, nothing happens.",
    ),
    "a suit that may be missing": (
        "calling",
        ("phase calling\n    state\n        led: Suit or none\n    leader chooses\n        call s from Suit: led = s\n"
        "        stop\n    if led == moon: over = true\n"),
        "If you **call**, the chosen suit becomes the *led*",
    ),
    "a mark is taken away": (
        "out[leader] = true\n    out[leader] = false", "",
        "The leader is no longer marked *out*.",
    ),
    "an action without effects has a condition": (
        "leader chooses\n        take card c from trick: move c to stock\n        rest only if trick is empty", "",
        "**Rest**: do nothing. You can do this only if the trick is empty.",
    ),
    "a place where cards can lie in both ways": (
        "move hand[leader] to trick face down\n    move won[leader] to trick", "",
        "Move all of the leader's won cards to the trick, face up.",
    ),
    "a number that is at least another": (
        "if score[leader] > calls[leader] - 1: nothing", "",
        "If the leader's score is at least the leader's number of calls, nothing happens.",
    ),
    "a difference in a sum": (
        "score[leader] = distance(score[leader], 7) + 1", "",
        "Set the leader's score to (the difference between the leader's score and 7) plus 1.",
    ),
    "cards without one of them": (
        "if some c in trick: go",
        "phase go\n    for c in trick\n        let rest = trick - c\n        move rest to stock\n",
        "The rest consists of the cards in the trick except that card.",
    ),
    "the effects of an action that may be declined": (
        "leader chooses\n        order s from Suit\n            trump = s\n            shuffle stock\n        pass", "",
        ("**The leader**: you may **order**: choose a suit, or **pass**.\n  - If you **order**:\n"
        "    1. The chosen suit becomes the trump.\n    2. Shuffle the stock.\n"),
    ),
    "an action that has no other beside it": (
        "leader chooses\n        draw: deal 1 from stock to hand[leader]", "",
        "**The leader**: you must **draw**: Draw 1 card from the stock into your hand.",
    ),
    "a loop that a rule ends": (
        "go",
        ("phase go\n    while true\n        leader chooses\n            lay card c from hand[leader]: move c to trick\n"
        "            pass: end go\n"),
        "Repeat this until **Go** ends:",
    ),
    "a condition that others are there": (
        "if rivals(leader): nothing",
        "define rivals(p: player) = some q in players where q != p and score[q] > score[p]\n",
        "If the leader has *rivals*, nothing happens.",
    ),
    "a condition that compares": (
        "if better_than_others(first c in trick, trick): nothing",
        ("define better_than_others(c: card, s: cards) = every d in s has c == d or not (some e in s where e == d "
        "and d is Fool)\n"),
        "If the first card in the trick is *better than others* from the trick, nothing happens.",
    ),
    "a condition that no guess of grammar fits": (
        "if still_counts(leader): nothing",
        ("define still_counts(p: player) = no q in players where q != p and score[q] > score[p] "
        "and calls[q] > calls[p]\n"),
        "If the leader fulfils *still counts*, nothing happens.",
    ),
    "a choice that is never allowed in a case": (
        "leader chooses\n        lay card c from hand[leader] where allowed(c): move c to trick\n        stop",
        "define allowed(c: card) = if over then false else c is Fool\n",
        "If *over* is yes, this is not allowed.",
    ),
    "values that are compared one after the other": (
        "if (score[leader], calls[leader]) > (3, 4): nothing", "",
        "If the leader's score is more than 3, or the leader's score is 3 and the leader's number of calls is",
    ),
    "cards that only the one who acts sees": (
        "leader chooses\n        look: show hand[next(leader)] to leader\n        stop", "",
        "**Look**: Look at all cards in the hand of the player after you.",
    ),
    "nothing is added in a case": (
        "score[leader] += if over then 0 else 5", "", "If *over* is no, add 5 to the leader's score.",
    ),
    "a number has a limit": (
        "score[leader] = max(score[leader], 2)", "", "If the leader's score is less than 2, set it to 2.",
    ),
    "a value is chosen before it names the place": (
        "leader chooses\n        put card c from hand[leader], s from Suit: move c to pots[s]",
        "zones\n    pots[Suit]: cards, seen by all\n",
        "you must choose a suit and **put** exactly 1 card from your hand to the pots",
    ),
    "a part of several places": (
        "for p in players: show place[p, 1..2] to p", "zones\n    place[player, 1..4]: slot, seen by owner\n",
        "Each player: look at all cards in your places at positions 1 to 2.",
    ),
    "a word for a card and for cards": (
        "if fool(trick): nothing",
        ("define is_fool(c: card) = c is Fool or c is Number(sun, 1)\n"
        "define fool(s: cards) = not over and count(c in s where is_fool(c)) == 3 and count(s) > calls[leader]\n"),
        "  - There are exactly 3 *fool cards* in the trick.\n  - The number of cards in the trick is more than",
    ),
    "a decision that follows from another, on the summary card": (
        "repeat go until over",
        ("phase go\n    leader chooses\n        pull\n            if trump is none: back\n"
        "phase back\n    leader chooses secretly\n        place n from 1..4: score[leader] += n\n"),
        "pull (then perhaps secretly place).",
    ),
    "an author's words for what one action requires": (
        "leader chooses\n        lay card c from hand[leader] where playable(c): move c to trick\n        stop",
        ("define playable(c: card) = c is Fool or c.suit == trump\n"
        'about define playable "A card is {playable} in the suit of the {trump}, and as a {Fool}."\n'),
        "A card is *playable* in the suit of the trump, and as a Fool.",
    ),
    "several conditions of a loop": (
        ("while score[leader] < 5 and trick is not empty and turned is empty and count(hand[leader]) <= calls[leader]\n"
        "        shuffle stock"), "",
        ("1. Repeat this:\n   1. Stop if at least one of these is true:\n      - The leader's score is at "
        "least 5.\n      - The trick is empty.\n      - The turned slot is not empty.\n      - The leader's hand "
        "contains more cards than the leader's number of calls.\n"),
    ),
    "a number that has a bound": (
        "score[leader] = min(score[leader] + 1, 8)", "",
        "Add 1 to the leader's score (then at most 8).",
    ),
    "one place or another": (
        "if some c in trick + hand[leader] where c is Fool: nothing", "",
        "If at least one card in the trick or the leader's hand is a Fool, nothing happens.",
    ),
    "a value that is higher": (
        "for c in trick where c is Number and c.suit > sun: nothing", "",
        "For each Number card in the trick whose suit is higher than sun: nothing happens.",
    ),
    "places with a number": (
        "for n in 1..3: deal 1 from stock to row[leader, n]", "zones\n    row[player, 1..3]: slot, seen by owner\n",
        "For each position from 1 to 3: deal 1 card from the stock to the leader's row slot at that position.",
    ),
    "the place after another": (
        ("for n in 1..2\n        move row[leader, n + 1] to row[leader, n]\n"
        "        seen[leader, n] = seen[leader, n + 1]"),
        "zones\n    row[player, 1..3]: slot, seen by owner\nstate\n    seen[player, 1..3]: integer\n",
        ("1. Move the card in the leader's row slot at the next position to the leader's row slot at that position.\n"
        "  2. Set the leader's number seen for that position to the leader's number seen for the next position."),
    ),
    "a card for which conditions come before a number": (
        ("leader = player_of(highest c in trick where c is Number by (c.suit == trump, c.suit == sun, c.rank)) else "
        "leader"), "",
        "Cards of the trump suit come before all others. Next come cards whose suit is sun.",
    ),
    "a place of cards that lie face down, with one that does not": (
        "move top of stock to bottom of stock face up", "",
        "| Stock | face down, or face up if a rule says so, in a pile | nobody; all players while face up |",
    ),
    "sets of some cards": (
        "if twins(won[leader]) > 1: nothing",
        "define twins(s: cards) = 2 * count(s) + count(t in subsets(s) where count(t) == 2)\n",
        "number of sets of cards from these cards for which there are exactly 2 cards of the set",
    ),
    "cards whose name says nothing": (
        ("let those = all c in trick where c is Fool\n    let them = all c in trick where c is Number\n"
        "    move those to hand[leader]\n    move them to won[leader]"), "",
        ("1. These cards are all Fools in the trick.\n2. The cards *them* are all Number cards in the trick.\n"
        "3. Move these cards to the leader's hand.\n4. Move the cards *them* to the leader's won cards."),
    ),
    "a number whose name says nothing": (
        "let both = if over then 1 else 2\n    score[leader] += both", "",
        "1. The number is 1 if *over* is yes, otherwise 2.\n2. Add the number to the leader's score.",
    ),
    "a name that begins with a determiner": (
        "let both_hands = hand[leader] + hand[next(leader)]\n    move both_hands to trick", "",
        "1. Both hands are the cards in the leader's hand and the hand of the player after the leader.\n2. Move both",
    ),
    "a definition whose name says nothing": (
        "move those to hand[leader]", "define those = all c in trick where c is Fool and not over and trump is none\n",
        "Move *those cards* to the leader's hand.",
    ),
    "a name for all of some": (
        "let all_others = all p in players where p != leader\n    for p in all_others: score[p] += 1", "",
        "The others are all players except the leader.",
    ),
    "a number that an option makes of the number of players": (
        "deal size from stock to trick", "option size: 1..5 = if count(players) > 3 then 4 else 5\n",
        "- The *size* is 4 if there are more than 3 players, otherwise 5.",
    ),
    "a phase that is given a number of things": (
        "give(next(leader), 2)\n    give(leader, 1)",
        ("phase give(p: player, cards_given: 1..3)\n    deal cards_given from stock to hand[p]\n"
        "    calls[p] += cards_given\n    shuffle stock\n    score[p] += 1\n"),
        "This is done for one player (“you”) with a number of cards given.",
    ),
    "the last of the first cards": (
        "let part = last calls[leader] c in (first calls[leader] + 1 c in trick)\n    move part to hand[leader]", "",
        ("The part consists of the last cards (as many as the leader's number of calls) among the first cards (as many "
        "as the leader's number of calls plus 1) in the trick."),
    ),
    "the last cards of a loop": (
        "for c in (last (count(stock) - 1) d in stock): move c to bottom of stock", "",
        "For each card in the stock except the top card (from the top): move that card to the bottom of the stock.",
    ),
    "the first cards of a loop but some": (
        "for c in (first (count(stock) - 2) d in stock): move c to bottom of stock", "",
        "For each card in the stock except the bottom 2 cards (from the top): move that card",
    ),
    "the bottom cards of a pile": (
        "move last 2 c in stock to trick\n    move first calls[leader] c in stock to trick", "",
        ("1. Move the bottom 2 cards of the stock to the trick.\n"
        "2. Move the top cards (as many as the leader's number of calls) of the stock to the trick."),
    ),
    "a loop over a pile goes from its top": (
        "for c in stock: move c to top of stock", "",
        "For each card in the stock (from the top): move that card to the top of the stock.",
    ),
    "what is true of every card, one way or the other": (
        "if every c in trick where c is Number has c.suit == trump or c.rank < 5: nothing", "",
        ("If for every Number card in the trick, that card's suit is the trump or that card's rank is less than 5, "
        "nothing happens."),
    ),
    "a test of several conditions is one step": (
        ("if leader == player 1 and count(trick) > 2 and score[leader] > calls[leader] and trump is none and over\n"
        "        score[leader] += 1\n        over = false\n    over = true"), "",
        "   - *Over* is yes.\n   - **Then**:\n     1. Add 1 to the leader's score.\n     2. Set *over* to no.\n2.",
    ),
    "a test of several conditions for one short step": (
        ("if leader == player 1 and count(trick) > 2 and score[leader] > calls[leader] and trump is none and over\n"
        "        score[leader] += 1\n    over = true"), "",
        "1. Add 1 to the leader's score if all of these are true:\n   - The leader is player 1.\n",
    ),
    "a chosen card beside one that moves from its place": (
        ("leader chooses\n        lay card c from hand[leader]\n            move turned to trick\n"
        "            move c to turned\n        stop"), "",
        "1. Move the turned card to the trick.\n    2. Move the chosen card to the turned slot.",
    ),
    "each of several hands": (
        "deal 1 from stock to side_hand[players, Suit]", "zones\n    side_hand[player, Suit]: cards, seen by owner\n",
        "Deal 1 card from the stock to each side hand of each player.",
    ),
    "a secret is announced before the choice": (
        "leader chooses secretly\n        go: score[leader] += 1\n        stop", "",
        ("**The leader**: keep this choice secret. Others see exactly these effects: every shuffle, how many cards in "
         "a row go from one place to another, and what they may look at. You must do exactly one of these:"),
    ),
    "a message that is all that happens in one case": (
        ("if trump is none\n        say \"{leader} is caught\"\n        score[leader] -= 1\n    else\n"
        "        say \"{leader} is innocent\""), "",
        "Otherwise, announce “the leader is innocent”.",
    ),
    "a name of one letter": (
        "let n: integer = 0\n    n += 1", "",
        "Add 1 to the number *n*.",
    ),
    "a truth that decides for another": (
        "if over == (trump is none): nothing", "",
        "If *over* is yes exactly if there is no trump, nothing happens.",
    ),
    "an or in an and in an or": (
        ("leader chooses\n        lay at least 1 cards s from hand[leader]\n"
         "                such that (trick is empty and (group(s) or run(s))) or beats(s)\n"
         "            move s to trick"),
        ("define group(s: cards) = count(s) < 4 and same(c.rank else 0 for c in s) [R1]\n"
         "define run(s: cards) = count(s) > 2 and consecutive(c.rank else 0 for c in s) [R2]\n"
         "define beats(s: cards) = count(s) == count(trick) and group(s) [R3]\n"),
        ("At least one of these must be true:\n"
         "    - The trick is empty, and these cards form a *group* or a *run*.\n"
         "    - All of these are true: [R3]\n"
         "      - The number of these cards equals the number of cards in the trick.\n"),
    ),
    "three levels in one sentence": (
        "score[leader] += count(p in players where out[p] or (hand[p] is empty and (over or calls[p] > 2)))", "",
        "they are marked *out*, or (their hand is empty, and either *over* is yes or their number of calls is more",
    ),
    "a limit by case with an exception": (
        ("leader chooses\n        lay card c from hand[leader]\n"
         "                such that trick is empty or (if over then c is Fool else c is Number)\n"
         "            move c to trick"),
        "",
        ("At least one of these must be true:\n"
         "    - If *over* is yes, the card is a Fool; otherwise, the card is a Number card.\n"
         "    - The trick is empty.\n"),
    ),
    "verbs of which two share one": (
        ("leader chooses\n        lay at least 1 cards s from hand[leader] such that group(s) or run(s) or pairs(s)\n"
         "            move s to trick"),
        ("define group(s: cards) = count(s) < 4 and same(c.rank else 0 for c in s) [R1]\n"
         "define run(s: cards) = count(s) > 2 and consecutive(c.rank else 0 for c in s) [R2]\n"
         "define pairs(s: cards) = count(s) == 2 and same(c.rank else 0 for c in s) [R3]\n"),
        "These cards must form a *group* or a *run*, or must *pair*.",
    ),
    "cards that follow one another": (
        ("leader chooses\n        lay at least 1 cards s from hand[leader]\n"
         "                such that consecutive(c.rank for c in s where c is Number)\n            move s to trick"), "",
        "must have different, consecutive ranks in any order.",
    ),
    "a card by its number between two mentions of the chosen one": (
        ("leader chooses\n        play card a from hand[leader] where a is Number, n from 1..6 where n > a.rank\n"
         "            move card n of trick to place n - a.rank of trick\n            move a to won[leader]"), "",
        "Move the chosen card to your won cards.",
    ),
    "an answer by case": (
        "let ok = if over then trick is empty else count(trick) > 2\n    if ok: score[leader] += 3", "",
        ("*Ok* is yes if this is true, otherwise no:\n   - If *over* is yes: the trick is empty.\n"
         "   - Otherwise: the trick contains more than 2 cards.\n2. If *ok* is yes, add 3"),
    ),
    "a mark by case": (
        ("shuffle stock\n    out[leader] = if over then trick is empty else count(trick) > 2\n"
         "    if out[leader]: nothing"), "",
        "Mark the leader as *out* if this is true; otherwise the leader is no longer marked so:\n",
    ),
    "a case after one of the same kind": (
        "score[leader] += sum(worth(c) for c in trick)",
        ("define worth(c: card) =\n    match c\n        case Number(sun, 8): 3\n        case Number(sun, 7..8): 2\n"
         "        case Number(_, 1..3): 5\n        case Number: 1\n        case Fool: 0\n"),
        ("- The `S8`: 3.\n  - The `S7`: 2.\n  - A Number card with a rank from 1 to 3: 5.\n"
         "  - Any other Number card: 1.\n  - A Fool: 0.\n"),
    ),
    "a test by case": (
        "if (if over then trick is empty else count(trick) > 2): score[leader] += 1", "",
        ("Add 1 to the leader's score if this is true:\n  - If *over* is yes: the trick is empty.\n"
         "  - Otherwise: the trick contains more than 2 cards.\n"),
    ),
    "all players from one who is none of them": (
        "for p in others: score[p] += 1", "define others = all p in players from leader where p != leader\n",
        "The *other players* are all players except the leader (starting with the player after the leader).",
    ),
    "a message about the player who is addressed": (
        'for p in players: say "{p} is ready"', "", "announce “(your name) is ready”.",
    ),
    "a role whose name is an adjective": (
        "current = next(leader)", "state\n    current: player or none\n",
        "The player after the leader becomes the current player.",
    ),
}  # fmt: skip


def test_cards_that_are_always_of_one_place_are_called_by_it() -> None:
    lines = "leader chooses\n        play card c from hand[leader] where safe_in(c, hand[leader]): move c to trick\n"
    lines += "        stop\n    if some c in trick where safe_in(c, hand[leader]): nothing\n"
    define = (
        "define safe_in(c: card, h: cards) =\n    c is Fool or trump is none or (every d in h has d is Fool) or over\n"
    )
    text = text_book(f"{HEAD}play\n    {lines}{TAIL}{define}")
    assert "A card is *safe in* a hand if at least one of these is true:" in text
    assert "Every card in the hand is a Fool." in text


def test_tied_players_are_all_of_the_game_only_if_all_can_win() -> None:
    draw = "nobody wins: the game is a draw."
    for where, everyone in (("", "all players tie"), ("where not out[p] ", "all players of the game tie")):
        result = f"result\n    winners = all highest p in players {where}by score[p]\n"
        head = HEAD.replace("result\n    score p = score[p]\n", result)
        assert f"Tied players share the win; if {everyone}, {draw}" in text_book(f"{head}play\n{TAIL}")


def test_a_condition_under_which_an_action_is_possible_holds_in_its_effect() -> None:
    choice = "leader chooses\n        rest only if score[leader] > 2\n            out[leader] = score[leader] > 2\n"
    assert "Mark yourself as *out*." in text_book(
        f"{HEAD}play\n    {choice}            shuffle stock\n        stop\n{TAIL}"
    )


def test_all_players_of_a_term() -> None:
    define = "define active = all p in players where not out[p]\n"
    play = "if count(active) == count(players): nothing"
    assert "If all players are *active players*, nothing happens." in text_book(
        f"{HEAD}play\n    {play}\n{TAIL}{define}"
    )


def test_players_who_decide_one_after_the_other_act_in_turn() -> None:
    choice = "for p in players from leader\n        p chooses\n            go: score[p] += 1\n            stop"
    text = text_book(f"{HEAD}play\n    {choice}\n{TAIL}")
    assert "Each player, in turn, starting with the leader:" in text
    assert "“In turn”: one player after the other; each finishes the whole step before the next begins." in text
    assert "“In turn”" not in text_book(f"{HEAD}play\n{TAIL}")


def test_of_two_players_the_other_is_no_third() -> None:
    play = "for p in players where score[p] < score[next(p)] and hand[p] is empty: calls[p] += 1"
    book = text_book(f"{HEAD.replace('2..4', '2')}play\n    {play}\n{TAIL}")
    assert "Each player whose score is less than the other player's score and whose hand is empty:" in book


def test_each_line_of_a_deck_has_its_condition() -> None:
    head = HEAD.replace("    2 of Fool\n", "").replace('card Fool written "F" named "the Jester"\n', "")
    head = head.replace("1..8", "Suit")
    one = head.replace("each Number", "each Number where each.rank >= sun")
    assert ": 1 card of each suit and rank (4 cards)." in text_book(f"{one}play\n{TAIL}")
    two = head.replace("    1 of each Number", "    5 of Number(sun, sun)\n    1 of each Number where each.rank > sun")
    assert "  - 1 copy of each card whose rank is higher than sun.\n" in text_book(f"{two}play\n{TAIL}")


def test_cards_that_only_some_numbers_of_players_have_are_listed() -> None:
    head = HEAD.replace(
        "    1 of each Number\n    2 of Fool\n",
        "    1 of each Number where full or each.suit != moon\n    2 of Fool where count(players) > 3\n",
    )
    play = f"play\n    if some c in trick where c is Fool: score[leader] += 1\n{TAIL}"
    spec = f"{head}option full = count(players) > 2\n{play}"
    for players in (None, 4):
        book = text_book(spec, players)
        assert "Suits, in this order: sun (`S`) and moon (`M`)." in book
        assert "| Fools |" in book
        assert "If the trick contains a Fool, add 1" in book
    assert "Suits, in this order: sun (`S`). ◆" in text_book(spec, 2)


def test_a_table_of_values_leaves_out_those_that_no_card_has() -> None:
    ranks = 'enum Rank(worth: 0..9)\n    low "l" 1\n    high "h" 2\n'
    head = HEAD.replace("card Number", f"{ranks}card Number").replace("1..8", "Rank")
    assert "| low (`l`) | 1 |" in text_book(f"{head}play\n{TAIL}")
    head = head.replace("each Number", "each Number where each.rank >= high")
    assert "| low (`l`) | 1 |" not in text_book(f"{head}play\n{TAIL}")


def test_a_condition_that_the_loop_itself_changes_is_decided_once() -> None:
    play = "for p in players where score[p] < score[next(p)]: score[p] += 5"
    book = text_book(f"{HEAD.replace('2..4', '2')}play\n    {play}\n{TAIL}")
    lead = "Each player whose score is less than the other player's score"
    assert f"{lead} (decide for all before the first acts): add 5 to your score." in book


def test_values_that_a_rule_compares_are_listed_from_low_to_high() -> None:
    compared = "leader = player_of(highest c in trick where c is Number by c.suit) else leader"
    values = "sun (`S`) and moon (`M`)."
    assert f"- Suits, from low to high: {values}" in text_book(f"{HEAD}play\n    {compared}\n{TAIL}")
    assert f"- Suits, in this order: {values}" in text_book(f"{HEAD}play\n{TAIL}")


def test_a_place_where_a_rule_lays_cards_face_down() -> None:
    row = "| Trick | face up, or face down if a rule says so, in a row, oldest card first | all players;"
    assert row in text_book(f"{HEAD}play\n    deal 1 from stock to trick face down\n{TAIL}")
    assert row not in text_book(f"{HEAD}play\n    deal 1 from stock to trick\n{TAIL}")


def test_a_first_value_that_the_set_up_replaces_is_not_printed() -> None:
    drawn = text_book(f"{HEAD}play\n    random leader from players\n{TAIL}")
    assert "| Leader marker | 1 | Shows the leader. |" in drawn
    assert "| Shows the leader. Starts as player 1. |" in text_book(f"{HEAD}play\n{TAIL}")


def test_a_mark_is_in_the_index_and_its_effect_is_where_it_is_set() -> None:
    late = f"phase later\n    if over: score[leader] += 1\n    if over: calls[leader] += 1\n{2 * SHUFFLE}"
    text = text_book(f"{HEAD}play\n    over = true\n    later\n    later\n{TAIL}{late}")
    assert "Set *over* to yes (see **Later**)." in text
    assert "| over | Yes or no: **Sequence of play**; counts in **Later** |" in text


def test_limits_and_effects_of_an_action_are_two_lists() -> None:
    play = (
        "leader chooses\n        take any cards c from hand[leader] where each is Number\n"
        "                such that sum(d.rank for d in c) == score[leader] and count(c) != calls[leader]\n"
        "            move c to trick\n            score[leader] += 1\n            calls[leader] += 1\n"
    )
    text = text_book(f"{HEAD}play\n    {play}")
    assert "  - Limits:\n    - " in text
    assert "  - Effect:\n    1. Add 1 to your score.\n    2. Add 1 to your number of calls." in text


def test_an_action_without_arguments_has_the_same_two_lists() -> None:
    play = (
        "leader chooses\n        skip only if trick is not empty\n            score[leader] += 1\n"
        "            if over: score[leader] -= 2\n        stop\n"
    )
    text = text_book(f"{HEAD}play\n    {play}")
    assert "  - Limits:\n" in text
    assert "  - Effect:\n      1. Add 1 to your score.\n      2. If" in text


def test_what_an_option_leaves_out_and_a_chapter_that_it_adds() -> None:
    game = f"{HEAD}option early = false\nplay\n    if early: random leader from players\n    one_round\n    one_round\n"
    phase = f"phase one_round\n{2 * SHUFFLE.replace('shuffle', 'if not early: shuffle')}{TAIL}"
    table = text_book(f"{game}{phase}").partition("## Options")[2]
    assert "New chapter **Set-up**: Choose the leader at random." in table
    assert "In **One round**, leave out steps 1 and 2." in table


def options(text: str) -> str:
    return text_book(text).partition("## Options")[2].partition("\n## ")[0]


def test_a_step_within_steps_that_an_option_adds_has_its_place() -> None:
    game = f"{HEAD}option early = false\nplay\n    shuffle stock\n    if over\n        calls[leader] += 1\n"
    added = "        if early: score[leader] = 7\n        shuffle stock\n"
    assert "in **Set-up**, after step 2.1: Set the leader's score to 7." in options(f"{game}{added}{TAIL}")


def test_a_term_that_an_option_changes_is_printed_as_a_whole() -> None:
    game = f"{HEAD}option rich = false\nplay\n    score[leader] += worth(sun) + worth(moon)\n{TAIL}"
    worth = "define worth(s: Suit) =\n    match s\n        case sun: if rich then 9 else 2\n        otherwise: 1\n"
    changed = options(f"{game}{worth}")
    assert "`on`: in **Set-up**: A suit's *worth* is as follows:\n    - Sun: 9.\n    - Anything else: 1.\n" in changed


def test_of_lines_that_become_fewer_those_without_a_new_one_are_left_out() -> None:
    text = (
        f"{HEAD}option strict = true\nplay\n    leader chooses\n        skip only if not strict or trick is not empty\n"
        "            score[leader] += (if strict then 1 else 2)\n            if over: calls[leader] += 1\n"
        "            for p in players where out[p]: score[p] -= 1\n        stop\n"
    )
    changed = options(text)
    assert "leave out “You can do this only …”." in changed
    assert "in **Sequence of play**, instead of “Add 1 to your score”: Add 2 to your score." in changed.replace(
        "In", "in"
    )


def test_a_limit_that_an_option_changes_while_it_leaves_out_the_effect() -> None:
    text = (
        f"{HEAD}option strict = true\nplay\n    leader chooses\n        play card c from hand[leader]\n"
        "                where c is not Number or over and strict or (every d in hand[leader] has d is Number)\n"
        "            move c to trick\n            if strict: over = true\n"
    )
    changed = options(text)
    assert "instead of “The card must not be …”: The card must not be a Number card, unless every card in" in changed
    assert "leave out “Set *over* to yes”." in changed


def test_a_sentence_is_quoted_so_far_that_no_other_of_its_step_or_of_its_other_book_begins_so() -> None:
    inner = Entry("If the trick is empty now, the leader plays again.")
    step = Entry("Each player:", (), (Entry("If the trick is empty and you lead, play a card."), inner))
    old = (Heading("Play"), Lines((attrs.evolve(step, below=(*step.below, Entry("Do so.", (), (inner,)))),)))
    new = (
        Heading("Play"),
        Lines((attrs.evolve(step, below=(Entry("If the trick is empty and you hold it, stop."),)),)),
    )
    first = chapters_of(old)["Play"][0].below[0]
    assert Comparison(old, old).quoted(first) == "“If the trick is empty and …”"
    assert Comparison(old, new).quoted(first) == "“If the trick is empty and you lead, …”"
    assert Comparison(old, new).quoted(first, chapters_of(new)["Play"][0].below) == "“If the trick is empty and …”"


def test_a_number_of_things_that_decides_is_the_most_of_them() -> None:
    text = f"{HEAD}play\n    nothing\n{TAIL}".replace("score p = score[p]", "score p = calls[p]")
    assert "The player with the most calls wins." in text_book(text)


def test_the_summary_keeps_a_list_within_a_step_from_the_next_line() -> None:
    text = f"{HEAD}play\n    for p in players\n        if over\n            score[p] += 1\n            calls[p] += 1\n"
    card = text_book(f"{text}        p chooses\n            pass\n            win: score[p] += 1\n").split(
        "## Summary card"
    )[1]
    assert "  1. If *over* is yes: Add 1 to your score. Add 1 to your number of calls.\n  2. You must" in card


def test_a_role_that_no_player_gets_in_a_setting() -> None:
    game = f"{HEAD}option quick = false\nplay\n    if quick: first_out = leader\n{TAIL}"
    won = "    winners = first_out\n    returns p = score[p]\n"
    text = game.replace("    score p = score[p]\n", won) + "state\n    first_out: player or none\n"
    assert "Nobody wins: the game is a draw." in text_book(text, quick=False)
    assert "first out" not in text_book(text, quick=False)
    assert "The first out player wins." in text_book(text, quick=True)


def test_the_value_of_a_phase_parameter_is_named() -> None:
    call = text_book(
        f"{HEAD}play\n    lay(sun)\n    lay(moon)\n{TAIL}phase lay(s: Suit)\n    trump = s\n    shuffle stock\n"
    )
    assert "Do **Lay** with sun as the suit." in call


def test_nothing_is_left_of_turns_that_an_option_takes_from_all() -> None:
    bidding = "phase bidding\n    in turn p in players where not fast\n        p chooses\n            bid\n"
    more = f"option fast = true\n{bidding}"
    text = f"{HEAD}play\n    bidding\n{TAIL}{more}"
    assert "never" not in text_book(text)
    assert "bid" not in text_book(text, fast=True).lower()


def test_a_least_number_of_cards_that_an_option_makes_none() -> None:
    play = "leader chooses\n        take least(leader) to 3 cards c from trick: move c to hand[leader]\n"
    more = "option guard = true\ndefine least(p: player) = if guard and hand[p] is empty then 1 else 0\n"
    text = f"{HEAD}play\n    {play}{more}"
    assert "You may **take** up to 3 cards (or none)" in text_book(text).replace("you", "You")
    assert "you may **take** up to 3 cards (or none) from the trick" in text_book(text, guard=False)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_reads_well(name: str) -> None:
    line, more, said = PATTERNS[name]
    assert said in text_book(f"{HEAD}play\n    {line}\n{'' if 'chooses' in line else TAIL}{more}")


def test_seats_have_a_direction_where_the_rules_need_neighbours() -> None:
    game = f"{HEAD}play\n    leader = left(leader)\n{TAIL}"
    seats = "The players sit around the table in the order of their numbers."
    left = "Player 2 sits to the left of player 1, and so on. Any of you can be player 1."
    assert f"{seats} {left} Play goes clockwise, and from the last player to player 1.\n" in text_book(game)
    other = text_book(game.replace("left(leader)", "next(leader)"))
    assert f"{seats} Any of you can be player 1. Play goes in this order" in other
    assert "around the table" not in text_book(game, players=2)


def test_the_summary_says_where_it_leaves_out_steps() -> None:
    steps = "".join(f"    deal {number} from stock to trick\n" for number in range(1, 19))
    book = text_book(f"{HEAD}play\n{TAIL}{steps}")
    summary = book.partition("## Summary card")[2]
    assert summary.endswith("14. Deal 13 cards from the stock to the trick.\n15. …\n")


def test_the_suit_of_a_name_is_compared_with_a_parameter() -> None:
    names = 'enum Name(suit: Suit)\n    hill "H" sun\n    lake "L" moon\ncard Realm(name: Name) written "{name}"\n'
    head = HEAD.replace(HEAD[HEAD.index("card Number") : HEAD.index("deck in stock")], names)
    head = head.replace("    1 of each Number\n    2 of Fool\n", "    6 of each Realm\n")
    define = "define number(p: player, s: Suit) = count(c in hand[p] where c.name.suit == s and not (out[p] or over))\n"
    book = text_book(f"{head}{define}play\n    score[leader] += number(leader, sun)\n{TAIL}")
    assert "the number of cards in the player's hand whose name's suit is the suit, while" in book


def test_the_summary_has_each_step_with_a_decision_and_no_first_value() -> None:
    fill = "".join(f"    deal {n} from stock to trick\n    shuffle stock\n" for n in range(2, 11))
    phase = (
        "phase one_round\n    state\n        bid[player]: 0..5\n    for p in players: place(p)\n"
        f"    bid[leader] = 0\n{fill}    begin\n    for p in players: score[p] += bid[next(p)]\n"
        "phase place(p: player)\n    p chooses\n        bid n from 0..5 where n != bid[leader]: bid[p] = n\n"
        "phase begin\n    shuffle stock\n    leader chooses\n        play card c from hand[leader]\n"
        "            move c to trick\n    shuffle stock\n"
    )
    text = text_book(f"{HEAD}play\n    repeat one_round until over\n{phase}")
    card = text.split("## Summary card")[1]
    assert "1. Set each player's number bid to 0.\n" in text
    assert "Set each player's number bid to 0" not in card
    assert "\n1. Each player, in turn, starting with player 1: bid.\n" in card
    assert "\n15. …\n16. Do **Begin**" in card
    assert "\n17. …\n" in card


AIMS = {
    "who becomes the winner": (
        "    winners = winner\n",
        "    leader chooses\n        stop\n    if over: winner = leader\n\nstate\n    winner: player or none\n",
        "The leader becomes the winner if *over* is yes.",
    ),
    "the highest score": ("", "", "The player with the highest score wins."),
    "tied players": ("", "", "Tied players share the win; if all players tie, nobody wins: the game is a draw."),
    "a play without a loop": ("", "", "The game ends after the last step of the sequence of play."),
    "players for whom a condition comes first": (
        "    winners = all highest p in players by (out[p], score[p])\n", "",
        ("A player who is marked *out* beats one who is not marked *out*. Among players who are equal in this, the "
        "one with the highest score wins."),
    ),
    "one winner takes all": (
        "    winners = leader\n    stakes p = 1\n", "",
        "- The leader wins.\n- The winner takes all stakes.\n- Your stake is 1.\n",
    ),
    "the condition of a loop": (
        "", "    repeat\n        leader chooses\n            go\n    until trick is not empty\n",
        "The game ends if, at the end of a round, the trick is not empty.",
    ),
    "a note for which a loop waits": (
        "",
        ("    repeat\n        leader chooses\n            go\n                if turned is empty: over = true\n"
        "    until over\n"),
        "The game ends after the round in which the turned slot is empty.",
    ),
    "a sudden end": (
        "", "    leader chooses\n        go\n            if trump is none: end game\n        stop\n",
        "The game ends at once if there is no trump.",
    ),
    "an end where a phase looks for it": (
        "", ("    repeat one_turn until over\nphase one_turn\n    if trump is none: end game\n    turn_over\n"
        "    turn_over\nphase turn_over\n    shuffle stock\n    leader chooses\n        go\n"),
        "It also ends in **One turn** if there is no trump.",
    ),
    "a sudden end that a loop waits for too": (
        "", ("    repeat\n        leader chooses\n            go\n        if trump is none: end game\n"
        "    until trump is none\n"),
        "The game ends at once if there is no trump.\n\n",
    ),
    "a sudden end in a phase that the set-up carries out": (
        "",
        ("    fill\n    repeat\n        fill\n        leader chooses\n            go\n    until over\nphase fill\n"
        "    deal 1 from stock to trick\n    let drawn = all c in trick where c is Fool\n    if count(drawn) == 2\n"
        "        move drawn to won[leader]\n        if trick is empty: end game\n    shuffle stock\n"),
        "It also ends in **Fill**, even in the set-up, if the number of cards drawn is 2 and the trick is empty.",
    ),
    "a term in the aim": (
        "    winners = all highest p in champions by score[p]\ndefine champions = all p in players where not out[p]\n",
        "", "with the highest score wins. The *champions* are all players who are not marked *out*.\n",
    ),
    "a term in the aim with a list": (
        ("    winners = all highest p in players by merit(p)\ndefine merit(p: player) =\n    match trump\n"
        "        case sun: score[p]\n        otherwise: 0\n"),
        "", "wins. For *merit*, see **End and scoring**.\n",
    ),
    "a result that is the score": (
        "    returns q = score[q]\n", "", "The player with the highest score wins.",
    ),
    "a sudden end in one case of several": (
        "",
        ("    leader chooses\n        go\n            match trump\n                case sun, moon\n"
        "                    if turned is empty: end game\n                otherwise: nothing\n        stop\n"),
        "The game ends at once if the trump is sun or moon, and the turned slot is empty.",
    ),
    "a sudden end under a condition that a rule has changed": (
        "",
        ("    leader chooses\n        go\n            if score[leader] > 3\n                score[leader] = 0\n"
        "                if turned is empty: end game\n        stop\n"),
        "The game ends at once if the turned slot is empty.",
    ),
    "the first deals are no rounds": (
        "",
        ("    repeat\n        shuffle stock\n    until turned is empty\n    repeat\n        leader chooses\n"
        "            go\n    until trick is not empty\n"),
        "The game ends if, at the end of a round, the trick is not empty.",
    ),
    "a part after the loop": (
        "",
        ("    repeat\n        leader chooses\n            go\n    until trick is not empty\n    finale\n"
        "phase finale\n    shuffle stock\n    deal 1 from stock to trick\n    score[leader] += 1\n    trump = sun\n"
        "    while hand[leader] is not empty: move hand[leader] to trick\n"),
        "**Finale** begins if, at the end of a round, the trick is not empty. The game ends after **Finale**.",
    ),
    "the lowest wins": (
        "    winners = all lowest p in players by calls[p]\n", "", "The player with the fewest calls wins.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AIMS)
def test_the_aim_follows_from_the_result_and_the_loops(name: str) -> None:
    result, play, said = AIMS[name]
    head = HEAD.replace("    score p = score[p]\n", "    score p = score[p]\n" + result)
    assert said in text_book(f"{head}play\n{play or TAIL}")


@pytest.mark.parametrize("low", ["-20", "(-10 * 2)", "(0 - 20)"])
def test_a_number_starts_at_0_however_its_lower_bound_is_written(low: str) -> None:
    book = text_book(
        f"{HEAD.replace('score[player], calls[player]: integer', f'score[player]: {low}..30')}play\n{TAIL}"
    )
    assert "Score, starting at 0. It can fall below 0." in book
