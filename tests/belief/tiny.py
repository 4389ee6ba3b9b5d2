"""Games of a few lines that the tests of the machine play."""

from __future__ import annotations

from interpreter import load_text

POKER = """cardgame 1

game "One Card Poker"
    players 2
    at most 2 decisions

enum Rank: jack "J", queen "Q", king "K"
card Court(rank: Rank) written "{rank}"

deck in stock
    1 of each Court

zones
    stock:        pile, seen by nobody
    hand[player]: cards at most 1, seen by owner

state
    stake: 1..2 = 1
    folded: player or none

play                                            [P1]
    shuffle stock
    for p in players: deal 1 from stock to hand[p]
    player 1 chooses "{you} bet or check"
        bet                                     [P2]
            stake = 2
            answer(player 2)
        check                                   [P3]

phase answer(p: player)
    p chooses
        call                                    [P4]
        fold                                    [P5]
            folded = p
            stake = 1

define rank_of(p: player) = (first c in hand[p]).rank else jack

define best = if folded is not none then next(folded) else highest p in players by rank_of(p)

result
    returns p = if p == best then stake else 0 - stake
    winners = best
"""

DICE = """cardgame 1

game "High Dice"
    players 2..3
    at most 6 decisions

card Blank written "X"

deck in box
    1 of Blank

zones
    box: cards, seen by all

state
    points[player]: 0..12 = 0

play
    for p in players: turn_of(p)

phase turn_of(p: player)
    random die from 1..6
    points[p] = die
    p chooses "{you} stop at {die} or throw again"
        stop
        again only if die < 6
            random second from 1..6
            points[p] = second

result
    score p = points[p]
"""

GUESS = """cardgame 1

game "Guess the Card"
    players 2
    at most 4 decisions

enum Suit: sun "S", moon "M"
card Number(suit: Suit, rank: 1..3) written "{suit}{rank}"

deck in stock
    1 of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    hidden:       slot, seen by nobody

state
    points[player]: 0..3 = 0

play
    shuffle stock
    deal 1 from stock to hidden
    for p in players: deal 2 from stock to hand[p]
    player 1 chooses secretly
        keep card c from hand[player 1]
            move c to bottom of stock face down
    for p in players: guess(p)
    turn hidden face up

phase guess(p: player)
    p chooses
        say s from Suit, n from 1..3
            if some c in hidden where c.suit == s and c.rank == n: points[p] = 3

result
    score p = points[p]
"""

TWO_STAGES = """cardgame 1

game "Gifts"
    players 3
    at most 24 decisions

enum Colour: red "R", blue "B"
card Bead(colour: Colour, size: 1..3) written "{colour}{size}"

deck in stock
    2 of each Bead

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    given[player]: row, seen by all

state
    giver: player = player 1

play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    for p in players: gift(p)

phase gift(p: player)
    p chooses
        give q from players where q != p, up to 2 cards beads from hand[p]
                such that sum(c.size for c in beads) <= 4 and same(c.colour for c in beads)
            move beads to given[q]
        keep card c from hand[p]
            giver = p

result
    score p = count(given[p])
    winners = all highest p in players by count(given[p])
"""

UNSEEN = """cardgame 1

game "{name}"
    players 2
    at most {most} decisions

card Plain(n: 1..2) written "{{n}}"

deck in stock
    1 of each Plain

zones
    stock: pile, seen by nobody

state
"""
"""What games of hidden dice and secret choices have in common: the first half, to which a spec adds its state."""

HIDDEN_DICE = (
    UNSEEN.format(name="Hidden Dice", most=20)
    + """    die: 1..90 = 1, seen by nobody
    total: 0..900 = 0, seen by nobody
    shown: 0..900 = 0
    guess: 0..9 = 0

play
    for i in 1..10
        player 1 chooses secretly
            roll
                random die from 1..90
                total += die
            keep
    openly shown = total
    player 2 chooses
        guess n from 0..9: guess = n

result
    score p = if p == player 2 then guess else 0
"""
)
"""The number of unseen draws depends on secrets, and only their sum is seen."""

NUMBERS = (
    UNSEEN.format(name="Numbers", most=4)
    + """    noted: 1..8 = 1, seen by nobody
    guess: 1..8 = 1

play
    random noted from 1..8
    player 1 chooses
        guess n from 1..8: guess = n

result
    score p = if p == player 1 and guess == noted then 1 else 0
"""
)

ROLL_OR_KEEP = (
    UNSEEN.format(name="Roll or Keep", most=12)
    + """    die: 1..3 = 1, seen by nobody
    shown: 1..3 = 1
    kept: 0..2 = 0, seen by nobody
    guess: 0..2 = 0

play
    repeat one_round until guess > 0

phase one_round
    player 1 chooses secretly
        roll: random die from 1..3
        keep: kept += 1
    random shown from 1..3
    player 1 chooses secretly
        roll
            random die from 1..3
            random die from 1..die
        keep: kept += 1
    player 2 chooses
        guess n from 1..2: guess = n

result
    score p = if p == player 2 and guess == kept then 1 else 0
"""
)
"""Player 2 sees one throw of a round, and not whether there were others."""


GAMES = {
    "poker": load_text(POKER),
    "dice": load_text(DICE),
    "guess": load_text(GUESS),
    "gifts": load_text(TWO_STAGES),
}
