"""Six small games in which random players point the wrong way, each with words of the right answers."""

from __future__ import annotations

import attrs

from tests.solve.games import spec


@attrs.frozen
class Planted:
    """A game, with words that the answer to each question must contain: is it fair, is it deep, what wins."""

    text: str
    answers: tuple[str, str, str]


POKER = Planted(
    spec(
        "One Bet",
        """state
    won: -4..4 = 0
    bid: boolean = false
    called: boolean = false

play
    shuffle stock
    deal 1 from stock to hand[players]
    player 1 chooses
        bet: bid = true
        check
    if bid
        player 2 chooses
            call: called = true
            fold
    won = if sum(c.v for c in hand[player 1]) > sum(c.v for c in hand[player 2]) then 1 else -1
    if called: won = 3 * won
    if bid and not called: won = 1

result
    returns p = if p == player 1 then won else 0 - won
""",
    ),
    ("all seats are paid the same", "a play against best play", "more than average with 3"),
)

SUBTRACTION = Planted(
    spec(
        "Last One Loses",
        """state
    heap: 0..16 = 16
    mover: player = player 1

play
    while heap > 0
        mover chooses
            take n from 1..3 where n <= heap: heap -= n
        mover = next(mover)

result
    winners = mover
""",
    ),
    ("No: seat 1 wins", "Yes", ""),
)
"""Random players win alike in both seats. Good ones leave one more than a multiple of four: the first always wins."""

TRAP = Planted(
    spec(
        "The Trap",
        """state
    points[player]: 0..100 = 0
    number: 0..9 = 0

play
    shuffle stock
    deal 3 from stock to hand[players]
    while number < 3
        number += 1
        for p in players
            p chooses
                play card c from hand[p]
                    points[p] += c.v
                    move c to kept
                gamble card c from hand[p]
                    move c to kept

result
    score p = points[p]
""",
        cards=9,
    ),
    ("", "Yes", "ever choose gamble"),
)
"""Random players gamble half of their cards; it is worth nothing."""

COIN = Planted(
    spec(
        "Busy Coin",
        """state
    luck: 1..6 = 1
    said[player]: 0..10 = 0
    number: 0..9 = 0

play
    while number < 3
        number += 1
        for p in players
            p chooses
                whistle: said[p] += 1
                hum: said[p] += 2
                clap: said[p] += 3
    random luck from 1..6

result
    winners = if luck <= 3 then player 1 else player 2
""",
    ),
    ("all seats are paid the same", "No: no decision matters", "No card and no action"),
)
"""Six decisions a play, and none matters."""

COPY = Planted(
    spec(
        "Copy Me",
        """state
    one: 1..6 = 1
    two: 1..6 = 1

play
    player 1 chooses
        show n from 1..6: one = n
    player 2 chooses
        show n from 1..6: two = n

result
    score p = if one == two or p == player 1 then 1 else 0
""",
    ),
    ("all seats are paid the same", "Random players lose 0.4167 a play against best play", ""),
)
"""Random players in seat 2 fail to copy in five plays of six; a good one never does, and shares the win."""

BOMB = Planted(
    spec(
        "The Bomb",
        """state
    points[player]: 0..100 = 0
    number: 0..9 = 0

play
    shuffle stock
    deal 4 from stock to hand[players]
    while number < 4
        number += 1
        for p in players
            p chooses
                play card c from hand[p]
                    points[p] += if c.v < 11 then c.v else if number == 4 then 60 else 0
                    move c to kept

result
    score p = points[p]
""",
        cards=12,
    ),
    ("", "Yes", "more than average with 12"),
)
"""The 11 and the 12 win as the last card and are worth nothing before: random players waste most of them."""

PLANTED = {"poker": POKER, "subtraction": SUBTRACTION, "trap": TRAP, "coin": COIN, "copy": COPY, "bomb": BOMB}
