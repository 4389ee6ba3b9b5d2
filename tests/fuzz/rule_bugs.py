"""Fourteen specs with typical mistakes of rules that the checker accepts.  The line at fault ends in `# BUG`."""

from __future__ import annotations

HEAD = """cardgame 1

game "Bugs"
    players {players}
    at most 200 decisions
{options}
enum Suit: sun "S", moon "M", star "T"
card Number(suit: Suit, rank: 1..6) written "{{suit}}{{rank}}"
{cards}
deck in stock
    {deck}

zones
    stock:        pile, seen by nobody
    hand[player]: cards{hand}, seen by owner
    heap:         row, seen by all

state
    points[player]: 0..12 = 0

"""

RESULT = "\nresult\n    score p = points[p]\n"


def spec(
    body: str, *, players: str = "2..4", options: str = "", cards: str = "", hand: str = "",
    deck: str = "1 of each Number",
) -> str:  # fmt: skip
    """Return a whole spec with these rules."""
    return HEAD.format(players=players, options=options, cards=cards, hand=hand, deck=deck) + body + RESULT


BUGS = {
    "a second deal that leaves the last seats short": spec("""play
    shuffle stock
    for n in 1..2: one_round(2 * n)

phase one_round(size: 2..4)
    for p in players: deal exactly size from stock to hand[p]  # BUG
    for p in players
        p chooses
            lay card c from hand[p]: move c to heap
"""),
    "a target that the last points exceed": spec("""play
    repeat one_round until (some p in players where points[p] >= 11)

phase one_round
    shuffle stock
    for p in players: deal 1 from stock to hand[p]
    for p in players
        p chooses
            lay card c from hand[p]
                points[p] += c.rank  # BUG
                move c to stock
"""),
    "a hand in which nothing can be played": spec("""play
    shuffle stock
    deal 1 from stock to heap
    for p in players: deal 3 from stock to hand[p]
    for n in 1..3, p in players: take_turn(p)

phase take_turn(p: player)
    p chooses  # BUG
        lay card c from hand[p] where c.suit == (last d in heap).suit or c.rank > 3
            move c to heap
"""),
    "a card that can never be played, so that a hand is never empty": spec(
        """play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    repeat one_round until every p in players has hand[p] is empty  # BUG

phase one_round
    for p in players
        p chooses
            lay card c from hand[p] where c is Number: move c to heap
            otherwise pass
""",
        cards='card Dragon written "D"',
        deck="1 of each Number\n    2 of Dragon",
    ),
    "a tie that is played on with empty hands": spec("""play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    repeat one_trick until points[player 1] != points[player 2]

phase one_trick
    for p in players
        p chooses  # BUG
            lay card c from hand[p]
                if c.rank > 3: points[p] += 1
                move c to heap
"""),
    "passing that never ends under one option": spec(
        """play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    repeat one_round until every p in players has hand[p] is empty  # BUG

phase one_round
    for p in players: take_turn(p)

phase take_turn(p: player)
    p chooses
        lay card c from hand[p] only if not polite or hand[next(p)] is empty: move c to heap
        otherwise pass
""",
        options="option polite = false\n",
    ),
    "a draw from a stock that runs out": spec("""play
    shuffle stock
    for p in players: deal 4 from stock to hand[p]
    for n in 1..3, p in players: take_turn(p)

phase take_turn(p: player)
    deal exactly 1 from stock to hand[p]  # BUG
    p chooses
        lay card c from hand[p]: move c to heap
"""),
    "a penalty that exceeds the size of a hand": spec(
        """play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    for n in 1..2, p in players: take_turn(p)

phase take_turn(p: player)
    p chooses
        lay card c from hand[p]: move c to heap
        draw
            deal 2 from stock to hand[p]  # BUG
""",
        hand=" at most 5",
    ),
    "an average over nobody": spec("""play
    shuffle stock
    for p in players
        p chooses
            bid: points[p] = 1
            pass
    let bidders = count(p in players where points[p] > 0)
    for p in players: points[p] = 12 / bidders rounded down  # BUG
"""),
    "a card from the stock for what another hand holds": spec("""play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    for p in players
        p chooses
            draw
                if (some c in hand[next(p)] where c.rank == 6): deal 1 from stock to heap  # BUG
            pass
"""),
    "a turn for a player whose hand is empty": spec("""play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    repeat one_round until every p in players has hand[p] is empty

phase one_round
    for p in players
        p chooses  # BUG
            lay at least 1 cards s from hand[p] such that same(c.suit for c in s): move s to heap
"""),
    "a bonus that no hand can earn": spec("""play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    for p in players
        p chooses
            lay any cards s from hand[p]
                if sum(c.rank for c in s) > 18: points[p] += 5  [B1]  # BUG
                move s to heap
"""),
    "a pair of which one card stays in the hand": spec("""play
    shuffle stock
    for p in players: deal 4 from stock to hand[p]
    for n in 1..2, p in players
        p chooses
            lay 2 cards s from hand[p] such that same(c.rank for c in s)
                for c in s
                    if c.suit != star: move c to heap
                points[p] += 1
            otherwise pass

invariant "each pair is on the heap":  # BUG
    count(heap) == 2 * sum(points[p] for p in players)
"""),
    "a suit that one option leaves out of the deck": spec(
        """play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    for p in players: take_turn(p)

phase take_turn(p: player)
    p chooses  # BUG
        lead card c from hand[p] where c.suit != sun: move c to heap
        call only if (some c in hand[p] where c.suit == star)
""",
        options="option short = false\n",
        deck="1 of each Number where not short or each.suit != star",
    ),
}
"""Each spec by the mistake that it has."""
