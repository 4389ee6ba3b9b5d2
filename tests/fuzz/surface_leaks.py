"""Twelve leaks by what an interface shows, and twelve specs much like them that show nothing hidden.

They were written from the documentation alone.  A leak is found by the check by exchange; those in `REVEALED` publish
by a statement, so the report lists that statement instead.
"""

HEAD = """cardgame 1

game "Surfaces"
    players 2
    at most 40 decisions

card Plain(n: 1..6) written "{n}"

deck in stock
    2 of each Plain

zones
    stock, left_pile, right_pile: pile, seen by nobody
    hand[player]: cards at most 4, seen by owner
    open_row: row, seen by all
    window: slot, seen by all

state
    secret_note[player]: 0..9 = 0, seen by owner
    dark: 0..9 = 0, seen by nobody
    points[player]: 0..20 = 0
    guess[player]: 0..9 = 0

play
    shuffle stock
    deal 2 from stock to hand[players]
%s
%s
define low(p: player) = (min(c.n for c in hand[p]) else 0)
result
    score p = points[p]
"""
LAST = """    for p in players
        p chooses
            stay: guess[p] = 1
            leave
"""
REVEALED = ("who_laid_it", "sides_of_a_die", "shown_only_if")


def spec(play: str, more: str = "") -> str:
    """Return a spec that does this after the deal, and then asks everybody once more."""
    return HEAD % (play.strip("\n") + "\n" + LAST, more)


LEAKY = {
    "prompt_by_branch": spec("""
    if low(player 1) > 2
        player 2 chooses "{you} guess with care"
            say_high: guess[player 2] = 2
            say_low: guess[player 2] = 1
    else
        player 2 chooses "{you} guess boldly"
            say_high: guess[player 2] = 2
            say_low: guess[player 2] = 1
"""),
    "verbs_by_branch": spec("""
    if low(player 1) > 2
        player 2 chooses "{you} guess"
            say_high: guess[player 2] = 2
            say_low: guess[player 2] = 1
    else
        player 2 chooses "{you} guess"
            say_high: guess[player 2] = 2
            say_lower: guess[player 2] = 1
"""),
    "one_more_option": spec("""
    if low(player 1) > 2
        player 2 chooses "{you} guess"
            name n from 1..6: guess[player 2] = n
    else
        player 2 chooses "{you} guess"
            name n from 1..5: guess[player 2] = n
"""),
    "who_decides": spec("""
    let first_player = if low(player 1) > low(player 2) then player 1 else player 2
    first_player chooses
        take: points[first_player] += 1
        give
"""),
    "one_more_decision": spec("""
    player 1 chooses secretly
        peek
            secret_note[player 1] = low(player 2)
            player 1 chooses secretly
                note n from 0..3: secret_note[player 1] = n
        wait
"""),
    "order_of_unseen_moves": spec("""
    if low(player 2) > 2
        deal 1 from stock to left_pile
        deal 1 from stock to right_pile
    else
        deal 1 from stock to right_pile
        deal 1 from stock to left_pile
"""),
    "who_laid_it": spec("""
    let c = the top of stock
    if low(player 2) > 2: move c to open_row for player 1
    else: move c to open_row for player 2
"""),
    "turned_or_not": spec("""
    deal 1 from stock to window
    if low(player 1) > 2: turn window face down
"""),
    "who_takes_part": spec("""
    at once p in players where low(p) > 1
        p chooses
            bid n from 1..3: guess[p] = n
"""),
    "sides_of_a_die": spec("""
    if low(player 1) > 2
        random die from 1..6
        points[player 1] = die
    else
        random die from 1..3
        points[player 1] = die
"""),
    "shown_only_if": spec("""
    if low(player 2) > 2: show hand[player 1] to player 1
"""),
    "shuffled_only_if": spec("""
    player 1 chooses secretly
        keep n from 0..2
            if n > 1: shuffle left_pile into stock
            secret_note[player 1] = n
    player 1 chooses
        go: points[player 1] += 1
"""),
}

CLEAN = {
    "same_question_in_two_phases": spec(
        """
    if low(player 1) > 2: ask_one(player 2)
    else: ask_two(player 2)
""",
        """
phase ask_one(p: player)
    p chooses "{you} guess"
        say_high: guess[p] = 2
        say_low: guess[p] = 1

phase ask_two(p: player)
    p chooses "{you} guess"
        say_high: guess[p] = 2
        say_low: guess[p] = 1
""",
    ),
    "hidden_minimum_in_a_total": spec("""
    player 2 chooses
        name n from 0..1: guess[player 2] = n
    openly points[player 2] = min(guess[player 2], low(player 1) * 3)
"""),
    "size_of_a_secret_set": spec("""
    player 1 chooses secretly "{you} put cards by"
        put any cards s from hand[player 1]
            dark = count(s)
"""),
    "two_deals_of_one": spec("""
    if low(player 1) > 2
        deal 1 from stock to left_pile
        deal 1 from stock to left_pile
        deal 1 from stock to left_pile
    else
        deal 3 from stock to left_pile
"""),
    "work_that_nobody_sees": spec("""
    let i: 0..9 = 0
    while i < low(player 1)
        i += 1
        dark = i
"""),
    "set_to_what_it_was": spec("""
    if low(player 1) > 2: points[player 2] = 0
    for p in players from (if low(player 2) > 2 then player 1 else player 2)
        secret_note[p] = low(p)
"""),
    "a_secret_bid_noted": spec("""
    for p in players
        p chooses secretly
            bid n from 1..6: secret_note[p] = n
            pass
    openly points[player 1] = secret_note[player 1]
    openly points[player 2] = secret_note[player 2]
"""),
    "card_for_card": spec("""
    if low(player 1) > 2
        deal 1 from stock to left_pile
        move top of left_pile to top of stock
    else
        deal 1 from stock to left_pile
        move top of left_pile to top of stock
"""),
    "nested_secret_question": spec("""
    player 1 chooses secretly
        red
            player 1 chooses secretly "{you} note a number"
                note n from 0..3: secret_note[player 1] = n
        blue
            player 1 chooses secretly "{you} note a number"
                note n from 0..3: secret_note[player 1] = n + 3
"""),
    "shown_to_its_owner": spec("""
    for p in players: show hand[p] to p
    if low(player 1) > 2: dark = 1
    else: dark = 2
    swap left_pile with right_pile
"""),
    "chance_under_a_cup": spec("""
    for p in players
        if low(p) > 2: random secret_note[p] from 1..3
        else: random secret_note[p] from 4..6
    openly points[player 1] = max(1, secret_note[player 2] - 6)
"""),
    "at_once_with_an_unseen_effect": spec("""
    at once p in players
        p chooses secretly
            hide card c from hand[p]: dark = c.n
            keep: dark = low(p)
"""),
}
