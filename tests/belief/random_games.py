"""Small games made at random of a few phases, in each of which something is hidden from somebody.

Cards are given, put away, taken by chance, seen in piles, shuffled again; dice lie under cups, and what is legal hangs
on them.  They are so small that all worlds of a player can be gone through.
"""

from __future__ import annotations

from random import Random

from interpreter import Game, load_text

HEAD = """cardgame 1

game "At Random"
    players {players}
    at most 60 decisions

card Number(value: 1..{most}) written "{{value}}"

deck in stock
    {copies} of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    box:          cards, seen by nobody
    open:         cards, seen by all
    won[player]:  pile, seen by nobody

state
    die[player]: 0..3 = 0, seen by owner

play
    shuffle stock
    for p in players: deal {dealt} from stock to hand[p]
"""

PHASES = (
    """    for p in players
        p chooses
            give{n} card c from hand[p]: move c to hand[next(p)]
            keep{n}
""",
    """    for p in players
        p chooses
            bury{n} card c from hand[p] where c.value >= 2: move c to box
            hold{n}
""",
    """    for p in players
        p chooses
            stow{n} card c from hand[p] where c.value <= 2: move c to won[p]
            otherwise hold{n}
""",
    """    for p in players
        if hand[p] is not empty
            random card c from hand[p]
            move c to hand[next(p)]
        p chooses
            nod{n}
""",
    """    for p in players
        if hand[p] is not empty
            random card c from hand[p]
            move c to box
        p chooses
            nod{n}
""",
    """    for p in players: deal 1 from stock to hand[p]
""",
    """    for p in players
        p chooses
            show{n} card c from hand[p] where c.value == 1: turn c face up
            pass{n}
""",
    """    for p in players
        p chooses
            lay{n} card c from hand[p]: move c to open
            otherwise skip{n}
""",
    """    shuffle box into stock
""",
    """    for p in players: shuffle won[p] into stock
""",
    """    for p in players
        show top of stock to p
        p chooses
            leave{n}
            sink{n}: move top of stock to bottom of stock
            trade{n} card c from hand[p]
                move c to bottom of stock
                deal 1 from stock to hand[p]
""",
    """    at once p in players
        p chooses
            put{n} up to 2 cards laid from hand[p] where each.value > 1: move laid to box
""",
    """    at once p in players
        p chooses
            pass_on{n} card c from hand[p]: move c to hand[next(p)]
            otherwise hold{n}
""",
    """    for p in players
        random die[p] from 1..3
        p chooses
            call{n} k from 1..3 where die[p] + count(hand[p]) >= k
            fold{n}
""",
    """    for p in players
        random die[p] from 1..(1 + count(c in hand[p] where c.value == 1))
        p chooses
            cry{n} k from 1..3 where die[p] + count(hand[p]) > k
            fold{n}
""",
    """    for p in players
        p chooses
            pick{n} card c from open: move c to hand[p]
            decline{n}
""",
    """    for p in players
        p chooses
            swap{n}: swap hand[p] with hand[next(p)]
            remain{n}
""",
    """    if box is not empty
        random card c from box
        move c to open
    player 1 chooses
        nod{n}
""",
)

TAIL = """    for p in players
        p chooses
            stop

result
    score p = count(hand[p])
"""

DECKS = ((2, 2), (2, 3), (3, 2), (4, 1), (4, 2))
"""How many cards there are of different faces, and how many of each."""


def random_game(seed: int) -> Game:
    """Return the game of two to four phases that a seed makes."""
    rng = Random(seed)
    most, copies = rng.choice(DECKS)
    players = rng.choice((2, 2, 3))
    dealt = 2 if most * copies >= 2 * players and rng.random() < 0.7 else 1
    head = HEAD.format(players=players, most=most, copies=copies, dealt=dealt)
    phases = [rng.choice(PHASES).format(n="abcd"[number]) for number in range(rng.randint(2, 4))]
    return load_text(head + "".join(phases) + TAIL, players)
