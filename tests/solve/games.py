"""Small games whose values are known, by derivation or from the literature."""

from __future__ import annotations

HEAD = """cardgame 1

game "{title}"
    players {players}
    at most 40 decisions

card Plain(v: 1..{cards}) written "{{v}}"

deck in stock
    1 of each Plain

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    kept:         cards, seen by nobody

"""


def spec(title: str, rules: str, players: str = "2", cards: int = 3) -> str:
    """Return a game with a deck of numbered cards."""
    return HEAD.format(title=title, players=players, cards=cards) + rules


MATCHING = spec(
    "Matching Numbers",
    """state
    hidden: 1..3 = 1, seen by nobody
    caught: boolean = false

play
    player 1 chooses secretly
        hide n from 1..3: hidden = n
    player 2 chooses
        guess n from 1..3: caught = n == hidden

result
    winners = if caught then player 2 else player 1
""",
)
"""Each number is hidden and guessed alike: the guesser wins one play in three, which is -1/3."""

WEIGHTED = spec(
    "Weighted Pennies",
    """state
    hidden: 1..2 = 1, seen by nobody
    won: -4..4 = 0

play
    player 1 chooses secretly
        hide n from 1..2: hidden = n
    player 2 chooses
        guess n from 1..2
            won = if n != hidden then hidden else -2

result
    returns p = if p == player 1 then won else 0 - won
""",
)
"""Payoffs (-2 1 / 2 -2): player 2 guesses 1 with q where -2q + (1 - q) = 2q - 2(1 - q), q = 3/7; the value is -2/7."""

COUNTING = spec(
    "Last Counter",
    """state
    heap: 0..5 = 5
    mover: player = player 1

play
    while heap > 0
        mover chooses
            take n from 1..2 where n <= heap: heap -= n
        mover = next(mover)

result
    winners = next(mover)
""",
)
"""A heap of 5, one or two at a time: the first takes two and leaves three, so the value is 1."""

SIGNAL = """cardgame 1

game "One Signal"
    players 2, cooperative
    at most 10 decisions

card Plain(v: 1..3) written "{v}"

deck in stock
    1 of each Plain

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner

state
    said: boolean = false
    points: 0..1 = 0

play
    shuffle stock
    deal 1 from stock to hand[player 1]
    player 1 chooses
        ring: said = true
        wait
    player 2 chooses
        guess n from 1..3
            points = if some c in hand[player 1] where c.v == n then 1 else 0

result
    score p = points
"""
"""One bit for three cards: two of the three can be told apart, so a team guesses right two times in three."""

THREE = spec(
    "Odd One Out",
    """state
    said[player]: 0..1 = 0

play
    at once p in players
        p chooses
            say n from 0..1: said[p] = n

define alike(p: player) = count(q in players where said[q] == said[p])

result
    returns p = if alike(p) == 1 then 2 else if alike(p) == 2 then -1 else 0
""",
    players="3",
)
"""Who differs from both others wins two points from them; mixing evenly is an equilibrium worth 0 for each."""

DRAW = spec(
    "Keep or Draw",
    """state
    points: 0..3 = 0

play
    shuffle stock
    deal 1 from stock to hand[player 1]
    player 1 chooses
        keep
        change
            move hand[player 1] to kept
            deal 1 from stock to hand[player 1]
    points = sum(c.v for c in hand[player 1])

result
    returns p = points
""",
    players="1",
)
"""Changing 1 brings 2.5, changing 2 brings 2, changing 3 loses: 1/3 (2.5 + 2 + 3) = 2.5."""
