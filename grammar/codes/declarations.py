"""Declarations of options, cards, zones, variables and the result that do not fit together."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        code="CG231",
        name="stakes-nobody-wins",
        summary="a `result` says what players have staked, and not who wins it",
        explanation=(
            "The winners share what all have staked. Who they are must be said, by `winners`, or by `score`: then "
            "those with the highest score win. What each player gains or loses can be said outright by `returns`."
        ),
        bad="result\n    stakes p = max(points[p], 0)  # <--\n",
        good="result\n    stakes p = max(points[p], 0)\n    winners = all highest p in players by points[p]\n",
    ),
    Code(
        code="CG232",
        name="not-shared",
        summary="in a cooperative game players get different results",
        explanation=(
            "All play together and share one result, so a `score` or `returns` of a cooperative game cannot depend on "
            "the player in front of the `=`."
        ),
        bad='game "Example"\n    players 2, cooperative\nresult\n    score p = points[p]  # <--\n',
        good='game "Example"\n    players 2, cooperative\nresult\n    score p = sum(points[q] for q in players)\n',
    ),
    Code(
        code="CG327",
        name="option-value",
        summary="the default of an option is none of its values",
        explanation="Before play an option has the value after `=`, unless the players choose another.",
        bad="option ending: short | long = shrot  # <--\n",
        good="option ending: short | long = short\nresult\n    score p = if ending == short then points[p] else 0\n",
    ),
    Code(
        code="CG328",
        name="text-used-twice",
        summary="two cards, or two values, are written alike",
        explanation="Players name a card by its text, so each text means one card (of which there may be copies).",
        bad='card Number(suit: Suit, rank: 1..5) written "{suit}"  # <--\n',
        good='card Number(suit: Suit, rank: 1..5) written "{rank}{suit}"\n',
    ),
    Code(
        code="CG331",
        name="wrong-names",
        summary="`named` gives more or fewer names than there are cards",
        explanation=(
            "A kind without attributes has one name; one with a single attribute has a name for each of its values."
        ),
        bad='card Jester written "J" named "the Fool", "the Jester"  # <--\n',
        good='card Jester written "J" named "the Fool"\n',
    ),
    Code(
        code="CG333",
        name="unknown-kind-of-zone",
        summary="a zone is of a kind that does not exist",
        explanation=(
            "A zone is a `pile` (ordered, with a top), `cards` (in no order), a `row` (in the order played) "
            "or a `slot`."
        ),
        bad=(
            "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table: row, seen by all\n"
            "    box: stack, seen by all  # <--\n"
        ),
        good=(
            "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table: row, seen by all\n"
            "    box: pile, seen by all\n"
        ),
    ),
    Code(
        code="CG334",
        name="no-owner",
        summary="something is seen by its owner, but belongs to nobody",
        explanation="The owner of a zone or variable is the player among its indices.",
        bad=(
            "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table: row, seen by owner  # <--\n"
        ),
        good=(
            "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table: row, seen by all\n"
        ),
    ),
    Code(
        code="CG335",
        name="no-first-value",
        summary="a variable has no first value",
        explanation=(
            "Numbers begin at 0 and truth values at false; anything else says with `=` what it begins with, "
            "or is `or none`."
        ),
        bad="state\n    trump: Suit  # <--\n    points[player]: 0..9 = 0\n",
        good="state\n    trump: Suit = clubs\n    points[player]: 0..9 = 0\n",
    ),
    Code(
        code="CG336",
        name="which-card",
        summary="a line of the deck does not say which card of a kind it means",
        explanation="A kind with attributes has many cards: `of each K` means all of them, `of K(clubs, 3)` one.",
        bad="deck in stock\n    2 of Number  # <--\n",
        good="deck in stock\n    2 of each Number\n    1 of Jester\n",
    ),
    Code(
        code="CG337",
        name="deck-too-large",
        summary="a zone cannot hold the deck that begins in it",
        explanation="A zone with `at most n` holds so many cards, before play as well.",
        bad=(
            "deck in stock  # <--\n    1 of each Number\n    2 of Jester\n"
            "zones\n    stock: pile at most 5, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table: row, seen by all\n"
        ),
        good=(
            "zones\n    stock: pile at most 12, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table: row, seen by all\n"
        ),
    ),
    Code(
        code="CG338",
        name="card-text",
        summary="a card is written in more or less than one word",
        explanation="A sentence such as `play C3 J` names cards by single words.",
        bad='card Jester written "the jester"  # <--\n',
        good='card Jester written "J"\n',
    ),
    Code(
        code="CG339",
        name="state-in-play",
        summary="`play` declares state of its own",
        explanation="Variables of the whole game are declared under `state`.",
        bad="play\n    state\n        deals: 0..9 = 0  # <--\n    for p in players: take_turn(p)\n",
        good=(
            "state\n    trump: Suit or none = none\n    points[player]: 0..9 = 0\n    deals: 0..9 = 0\n"
            "play\n    deals += 1\n    for p in players: deal 3 from stock to hand[p]\n"
            "    for p in players: take_turn(p)\n"
        ),
    ),
    Code(
        code="CG340",
        name="winners-together",
        summary="a game that all win or lose together names winners",
        explanation="A cooperative game ends with a common score.",
        bad='game "Example"\n    players 2, cooperative\nresult\n    winners = all p in players  # <--\n',
        good='game "Example"\n    players 2, cooperative\nresult\n    score p = count(table)\n',
    ),
)
