"""Specs that are sound on paper and broken in play, each in one way, with the line that is to blame."""

from __future__ import annotations

import attrs

HEAD = """cardgame 1

game "Broken"
    players 2
    at most 40 decisions

enum Suit: sun "S", moon "M"
card Number(suit: Suit, rank: 1..3) written "{suit}{rank}"

deck in stock
    1 of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    table:        row, seen by all
    tiny:         cards at most 2, seen by all

state
    points[player]: 0..3 = 0

"""
TAIL = """
result
    score p = points[p]
"""


@attrs.frozen
class Broken:
    """What is wrong: the check that fails, the code of the fault if it is one, and words of the line to blame."""

    check: str
    code: str
    line: str
    body: str

    @property
    def text(self) -> str:
        """The whole spec."""
        return HEAD + self.body + TAIL


PEEK_TURNED = Broken("leak", "", "p chooses", """play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    for p in players: ask(p)
    turn hand[player 1] face up

phase ask(p: player)
    p chooses
        claim only if some c in hand[next(p)] where c.rank == 3
            points[p] = 1
        pass
""")  # fmt: skip

PEEK_FACE_DOWN = Broken("fault", "CG810", "claim card c from table", """play
    shuffle stock
    deal 2 from stock to table face down
    for p in players: ask(p)

phase ask(p: player)
    p chooses
        claim card c from table
            points[p] = 1
        otherwise pass
""")  # fmt: skip

PEEK_LAID = Broken("leak", "", "player 2 chooses", """play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    player 1 chooses
        lay card c from hand[player 1]
            move c to table face down
    player 2 chooses
        claim card c from table
            points[player 2] = 1
        pass
""")  # fmt: skip

PEEK_BY_FLOW = Broken("leak", "", "if some c in hand[player 2]", """play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    if some c in hand[player 2] where c.rank == 3
        player 1 chooses "{you} choose"
            left
            right
    else
        player 1 chooses "{you} choose"
            left
            other
""")  # fmt: skip

PROMPT = Broken("leak", "", "chooses", """play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    player 2 chooses
        lay card c from hand[player 2]
            move c to table face down
    player 1 chooses "{you} play against {first c in table}"
        pass
    turn table face up
""")  # fmt: skip

ENDLESS = Broken("fault", "CG804", "while points[player 1] < 3", """play
    shuffle stock
    player 1 chooses
        win
            points[player 1] = 3
        lose
    while points[player 1] < 3: deal 1 from stock to table
""")  # fmt: skip

DEADLOCK = Broken("fault", "CG807", "p chooses", """play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    for p in players: lay(p)

phase lay(p: player)
    p chooses
        lay card c from hand[p] where c.suit == sun
            move c to table
""")  # fmt: skip

OVERFLOW = Broken("fault", "CG805", "move c to tiny", """play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    for n in 1..4, p in players: lay(p)

phase lay(p: player)
    p chooses
        lay card c from hand[p]
            move c to tiny
        otherwise pass
""")  # fmt: skip

OUT_OF_RANGE = Broken("fault", "CG801", "points[p] += 1", """play
    for n in 1..4, p in players: ask(p)

phase ask(p: player)
    p chooses
        count
            points[p] += 1
        pass
""")  # fmt: skip

SHORT_DEAL = Broken("fault", "CG803", "deal exactly 2 from stock to table", """play
    shuffle stock
    for n in 1..5: ask

phase ask
    player 1 chooses
        draw
            deal exactly 2 from stock to table
        pass
""")  # fmt: skip

NO_CHANCE = Broken("fault", "CG808", "random card c from hand[player 1]", """play
    shuffle stock
    deal 2 from stock to hand[player 1]
    for n in 1..3: ask

phase ask
    player 1 chooses
        drop
            random card c from hand[player 1]
            move c to table
        pass
""")  # fmt: skip

TOO_LONG = Broken("length", "", "", """play
    repeat turn_of until points[player 1] == 1

phase turn_of
    player 1 chooses
        wait
        rest
        end_it
            random die from 1..6
            if die == 6: points[player 1] = 1
""")  # fmt: skip

RARE = Broken("invariants", "", "invariant", """play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    for n in 1..3, p in players: lay(p)

phase lay(p: player)
    p chooses
        lay card c from hand[p]
            move c to table

invariant "the suns do not lie in a row":
    count(c in table where c.suit == sun) < 3 or some c in table where c.suit == moon
""")  # fmt: skip

INVARIANT_FAULT = Broken("invariants", "CG809", "invariant", """play
    for n in 1..3: ask

phase ask
    player 1 chooses
        raise_it
            points[player 1] = 1
        pass

invariant "halves": 3 / (1 - points[player 1]) rounded down > 0
""")  # fmt: skip

SETUP = Broken("fault", "CG803", "deal exactly 20 from stock to table", """play
    shuffle stock
    deal exactly 20 from stock to table
    player 1 chooses
        pass
""")  # fmt: skip

CHANCE_ALONE = Broken("length", "", "", """play
    while points[player 1] < 3
        random n from 1..6
        if points[player 2] > n: points[player 1] = 3
    player 1 chooses
        pass
""")  # fmt: skip

BROKEN = {
    "a game that cannot begin": SETUP,
    "chance that never ends": CHANCE_ALONE,
    "a way of play that hangs on a hidden hand": PEEK_BY_FLOW,
    "a loop without decision": ENDLESS,
    "nothing to do": DEADLOCK,
    "a zone that overflows": OVERFLOW,
    "a variable out of its range": OUT_OF_RANGE,
    "a pile too short": SHORT_DEAL,
    "chance without an outcome": NO_CHANCE,
    "a play longer than its bound": TOO_LONG,
    "an invariant that breaks rarely": RARE,
    "an invariant that cannot be judged": INVARIANT_FAULT,
}

REFUSED = {
    "a guard that reads a hand turned up later": PEEK_TURNED,
    "a choice among cards that lie face down": PEEK_FACE_DOWN,
    "a choice of a card that another laid face down": PEEK_LAID,
    "a prompt that names a hidden card": PROMPT,
}
"""Specs that could be found out by play alone, were they not refused before: a player would learn what is hidden."""
