"""Declarations of options, cards, zones, variables and the result that do not fit together."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        code="CG231",
        name="stakes-nobody-wins",
        summary="a `result` has stakes but no winners",
        explanation=(
            "The winners share all stakes. Add `winners`, or `score`: then the players with the highest score win. To "
            "state the payoff of each player directly, write `returns`."
        ),
        bad="result\n    stakes p = max(points[p], 0)  # <--\n",
        good="result\n    stakes p = max(points[p], 0)\n    winners = all highest p in players by points[p]\n",
    ),
    Code(
        code="CG232",
        name="not-shared",
        summary="a cooperative game gives players different results",
        explanation=(
            "The players of a cooperative game share one result. Its `score` or `returns` cannot depend on the player "
            "before the `=`."
        ),
        bad='game "Example"\n    players 2, cooperative\nresult\n    score p = points[p]  # <--\n',
        good='game "Example"\n    players 2, cooperative\nresult\n    score p = sum(points[q] for q in players)\n',
    ),
    Code(
        code="CG327",
        name="option-value",
        summary="the default of an option is not one of its values",
        explanation="The default after `=` must be one of the listed values or in the range.",
        bad="option ending: short | long = shrot  # <--\n",
        good="option ending: short | long = short\nresult\n    score p = if ending == short then points[p] else 0\n",
    ),
    Code(
        code="CG328",
        name="text-used-twice",
        summary="two different cards or values have the same text",
        explanation=(
            "Players name a card by its text, in capitals or not. Cards with different attributes need different "
            "texts; only copies share one."
        ),
        bad='card Number(suit: Suit, rank: 1..5) written "{suit}"  # <--\n',
        good='card Number(suit: Suit, rank: 1..5) written "{rank}{suit}"\n',
    ),
    Code(
        code="CG331",
        name="wrong-names",
        summary="`named` has more or fewer names than there are cards",
        explanation=(
            "A kind without attributes has one name. A kind with a single attribute has one name for each of its "
            "values."
        ),
        bad='card Jester written "J" named "the Fool", "the Jester"  # <--\n',
        good='card Jester written "J" named "the Fool"\n',
    ),
    Code(
        code="CG333",
        name="unknown-kind-of-zone",
        summary="a kind of zone does not exist",
        explanation=(
            "A zone is a `pile` (ordered, with a top), `cards` (without order), a `row` (in the order of arrival) or a "
            "`slot` (one card)."
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
        summary="`seen by owner` is used for a zone or variable without an owner",
        explanation="The owner of a zone or variable is the player in its index.",
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
        summary="a variable has no initial value",
        explanation=(
            "Numbers begin at 0 and booleans at false. Any other variable needs an initial value after `=`, or the "
            "type `or none`."
        ),
        bad="state\n    trump: Suit  # <--\n    points[player]: 0..9 = 0\n",
        good="state\n    trump: Suit = clubs\n    points[player]: 0..9 = 0\n",
    ),
    Code(
        code="CG336",
        name="which-card",
        summary="a line of the deck does not select cards of a kind",
        explanation=(
            "A kind with attributes has many cards. `of each K` means all of them, `of K(clubs, 3)` means one."
        ),
        bad="deck in stock\n    2 of Number  # <--\n",
        good="deck in stock\n    2 of each Number\n    1 of Jester\n",
    ),
    Code(
        code="CG337",
        name="deck-too-large",
        summary="the deck of a zone is larger than its capacity",
        explanation="The capacity `at most n` of a zone also holds before play.",
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
        summary="players cannot type the text of a card",
        explanation=(
            "Players type cards as single words, as in `play C3 J`. Within a decision `,` separates cards, `@` "
            "precedes the owner of a card, and `nothing`, `none`, `done` and `?` have meanings of their own."
        ),
        bad='card Jester written "the jester"  # <--\n',
        good='card Jester written "J"\n',
    ),
    Code(
        code="CG339",
        name="state-in-play",
        summary="`play` declares state",
        explanation="Declare variables of the whole game in the section `state`.",
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
        summary="a cooperative game has winners",
        explanation="The result of a cooperative game is a common score.",
        bad='game "Example"\n    players 2, cooperative\nresult\n    winners = all p in players  # <--\n',
        good='game "Example"\n    players 2, cooperative\nresult\n    score p = count(table)\n',
    ),
)
