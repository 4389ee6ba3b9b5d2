"""Leaks by what secret decisions and hidden branches cause, and specs much like them that leak nothing.

A leak names words of the statement to blame.
"""

from tests.fuzz.leaks import DEAL, Game, game

NOTE = """for p in players
    p chooses secretly
        vote n from 1..6: secret[p] = n
"""

LEAKS = {
    # What follows a secret decision before the next decision.
    "a secret decision shuffles a pile": game(
        """player 1 chooses secretly
    agree: shuffle stock
    refuse
for p in players: ask(p)""",
        "agree: shuffle stock"),
    "a secret number decides whether a card is dealt": game(
        """for p in players
    p chooses secretly
        vote n from 1..6
            if n > 3: deal 1 from stock to urn
for p in players: ask(p)""",
        "if n > 3"),
    "a secret number decides who is asked next": game(
        """player 1 chooses secretly
    vote n from 1..6
        if n > 3: ask(player 2)
ask(player 3)""",
        "if n > 3"),
    "as many cards leave as are chosen in secret": game(
        """for p in players
    p chooses secretly
        give up to 2 cards given from hand[p]
            move given to urn
for p in players: ask(p)""",
        "move given to urn"),
    "a secret number of cards is dealt aside": game(
        """player 1 chooses secretly
    place n from 0..4
        deal n from stock to urn
for p in players: ask(p)""",
        "deal n from stock to urn"),
    "a secret choice of a player gets a card": game(
        """player 1 chooses secretly
    favour q from players where q != player 1
        deal 1 from stock to hand[q]
for p in players: ask(p)""",
        "deal 1 from stock to hand[q]"),
    "secret bids decide who is asked": game(
        """at once p in players
    p chooses secretly
        bid n from 1..6: secret[p] = n
wink(highest p in players by secret[p])
ask(player 1)""",
        "p chooses"),
    "a card in a secret place decides who is asked": game(
        """player 1 chooses secretly
    bury card c from hand[player 1], n from 1..3
        move c to place n of stock
if (the top of stock).rank > 3: ask(player 2)
ask(player 3)""",
        "if (the top of stock).rank > 3"),
    # What is published later on both ways excuses nothing.
    "a phase ends early, and words follow on both ways": Game(
        DEAL
        + """    aside(player 1)
    say "now choose"
    for p in players: ask(p)

phase aside(p: player)
    for k in 1..2
        if suns(p) > 1: end aside
        deal 1 from stock to urn
""",
        "if suns(p) > 1"),
    "a phase ends early, and a variable is set on both ways": Game(
        DEAL
        + """    aside(player 1)
    points[player 1] += 1
    for p in players: ask(p)

phase aside(p: player)
    if suns(p) > 1: end aside
    shuffle stock
""",
        "if suns(p) > 1"),
    # Rare, or late.
    "two secret numbers that must both be right": game(
        NOTE
        + """if secret[player 1] == 6 and secret[player 2] == 6: shuffle stock
for p in players: ask(p)""",
        "if secret[player 1] == 6"),
    "a card and a secret number that must both be right": game(
        NOTE
        + """if secret[player 1] == 5 and (the top of stock).rank == 6: deal 1 from stock to urn
for p in players: ask(p)""",
        "if secret[player 1] == 5"),
    "a secret number that is used many decisions later": game(
        NOTE
        + """for k in 1..8, p in players: wink(p)
if secret[player 1] == 3: shuffle stock
for p in players: wink(p)""",
        "if secret[player 1] == 3"),
    # What steers a call, a loop or a deal.
    "secret set sizes decide a later order of turns": game(
        """for p in players
    p chooses secretly
        give up to 2 cards given from hand[p]
            move given to hand[p]
            secret[p] = count(given) + 1
for p in players where secret[p] > 1: wink(p)
for p in players: ask(p)""",
        "for p in players where secret[p] > 1"),
    "two secrets at once decide how many cards leave": game(
        NOTE + """let both = if secret[player 1] == secret[player 2] then 1 else 2
deal both from stock to urn
for p in players: ask(p)""",
        "deal both"),
    "a note of five decisions ago decides who is next": game(
        NOTE + """for p in players: wink(p)
for p in players: wink(p)
wink(highest p in players by secret[p])
for p in players: ask(p)""",
        "wink(highest"),
    "a shuffle only if a hidden pile has a card": game(
        """deal 2 from stock to left_pile
if some c in left_pile where c.suit == sun: shuffle left_pile
for p in players: ask(p)""",
        "if some c in left_pile"),
    "a random range depends on a hidden hand": game(
        """random x from 1..(1 + suns(player 3))
for p in players: ask(p)""",
        "random x"),
    "a secret decision leads to another one, or does not": game(
        """player 1 chooses secretly
    peek
        player 1 chooses secretly
            vote n from 1..6: secret[player 1] = n
    wait
for p in players: ask(p)""",
        "player 1 chooses secretly"),
}  # fmt: skip


QUIET = {
    "what follows a secret decision, openly": game(
        """player 1 chooses secretly
    agree
        openly shuffle stock
    refuse
for p in players: ask(p)"""),
    "a secret decision between ways that look the same": game(
        """for p in players
    p chooses secretly
        left: deal 1 from stock to urn
        right: deal 1 from stock to urn
for p in players: ask(p)"""),
    "a secret card goes under the stock, and another comes": game(
        """for p in players
    p chooses secretly
        bury card c from hand[p]
            move c to bottom of stock
            deal 1 from stock to hand[p]
for p in players: ask(p)"""),
    "a secret card goes to a secret place, and others look for it": game(
        """turn stock face down
player 1 chooses secretly
    bury card c from hand[player 1], n from 1..3
        move c to place n of stock
player 2 chooses
    guess n from 1..3
        move card n of stock to table
ask(player 3)"""),
    "a secret place is among cards that all see": game(
        """deal 3 from stock to table
player 1 chooses secretly
    lay_in card c from hand[player 1], n from 1..4
        move c to place n of table face down
for p in players: ask(p)"""),
    "a secret number is kept and said at the end": game(
        NOTE
        + """for p in players: ask(p)
for p in players: say "{p} voted {secret[p]}\""""),
    "a secret number becomes points that all see": game(
        NOTE
        + """for p in players: points[p] = secret[p]
for p in players: ask(p)"""),
    "secret cards are turned up together": game(
        """for p in players
    p chooses secretly
        give card c from hand[p]
            move c to urn
turn urn face up
if some c in urn where c.rank == 6: ask(player 1)
for p in players: ask(p)"""),
    "a pile is rebuilt after a secret number": game(
        """player 1 chooses secretly
    place n from 0..1
        let bad = the top of stock
        let i: 0..20 = 0
        for d in (last (count(stock) - 1) e in stock)
            if i == n: move bad to bottom of left_pile
            move d to bottom of left_pile
            i += 1
        move left_pile to bottom of stock
for p in players
    deal 1 from stock to hand[p]
    ask(p)"""),
    "a pair in the deal is laid down at once": Game(
        DEAL
        + """    for p in players, number in 1..2: draw(p)
    for p in players: ask(p)

phase draw(p: player)
    let drawn = (top of stock).rank
    deal 1 from stock to hand[p]
    let book = all c in hand[p] where c.rank == drawn
    if count(book) == 2: move book to table
"""),
    "an opener by cards that were shown": game(
        """show hand[players] to all
let best = highest p in players by sum(c.rank for c in hand[p])
wink(best)
ask(player 1)"""),
    "a phase ends early because of what all see": Game(
        DEAL
        + """    deal 1 from stock to table
    aside
    say "now choose"
    for p in players: ask(p)

phase aside
    for k in 1..2
        if some c in table where c.rank > 3: end aside
        deal 1 from stock to urn
"""),
    "players choose by their own secret numbers": game(
        NOTE
        + """for p in players
    p chooses
        boast only if secret[p] > 3
            points[p] += 1
        nod"""),
    "secret bids at once, published by the winner's points": game(
        """at once p in players
    p chooses secretly
        bid n from 1..6: secret[p] = n
let best = highest p in players by secret[p]
points[best] += 1
say "{best} wins"
wink(best)"""),
    "openly highest note": game(
        NOTE + """for p in players: wink(p)
openly wink(highest p in players by secret[p])
for p in players: ask(p)"""),
    "own cards decide ones own options": game(
        """for p in players
    p chooses
        boast only if some c in hand[p] where c.rank == 6: points[p] += 1
        nod
for p in players: ask(p)"""),
    "a public count ends the loop": game(
        """let n: 0..4 = 0
repeat
    n += 1
    for p in players: wink(p)
until n == 2 or count(hand[player 2]) == n
ask(player 1)"""),
    "dice under cups, of as many sides as each hand says": game(
        """for p in players
    if suns(p) > 1: random secret[p] from 1..3
    else: random secret[p] from 4..6
for p in players: ask(p)"""),
    "shuffle in either case": game(
        """deal 2 from stock to left_pile
if some c in left_pile where c.suit == sun: shuffle left_pile
else: shuffle left_pile
for p in players: ask(p)"""),
    "a secret choice with a second question in any case": game(
        """for p in players
    p chooses secretly
        vote n from 1..6: secret[p] = n
    p chooses secretly
        left
        right
for p in players: ask(p)"""),
}  # fmt: skip
