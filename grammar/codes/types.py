"""CG3xx: values where others are needed; those of declarations are in `grammar.codes.declarations`."""

from __future__ import annotations

from grammar.codes.code import Code

_TURN = "phase take_turn(p: player)\n    p chooses\n"
_PLAY = "            move c to table for p\n"

CODES: tuple[Code, ...] = (
    Code(
        code="CG301",
        name="wrong-type",
        summary="a value of one type where one of another is needed",
        explanation=(
            "Numbers, players, cards, truth values and the values of each enumeration are all of different types."
        ),
        bad="result\n    score p = trump  # <--\n",
        good="result\n    score p = if trump == hearts then 1 else 0\n",
    ),
    Code(
        code="CG302",
        name="never-so",
        summary="a test or comparison can never come out true",
        explanation=(
            "Values of different types are never equal, and `none` equals nothing, not even itself: ask "
            "`is none`. `is` "
            "tests what kind of card something is, membership, `empty` or `none`; values are compared with `==`."
        ),
        bad="result\n    score p = count(c in table where c is trump)  # <--\n",
        good="result\n    score p = count(c in table where c.suit == trump)\n",
    ),
    Code(
        code="CG303",
        name="may-be-absent",
        summary="a value that may be absent where there must be one",
        explanation=(
            "`first`, `highest`, `top of`, an attribute that only some kinds of cards have, and everything declared "
            "`or none` may be absent. `else` gives the value to take instead; `where c is Number` leaves out the rest."
        ),
        bad="result\n    score p = sum(c.rank for c in table)  # <--\n",
        good="result\n    score p = sum(c.rank for c in table where c is Number)\n",
    ),
    Code(
        code="CG304",
        name="never-absent",
        summary="a test for absence, or an `else`, of something that is always there",
        explanation="The `else` of a value that is always there is never reached, and such a value is never `none`.",
        bad="result\n    score p = points[p] else 0  # <--\n",
        good="result\n    score p = (first c in table where c is Number).rank else 0\n",
    ),
    Code(
        code="CG305",
        name="no-zone",
        summary="something else where a zone, or a family with an index, is needed",
        explanation="Cards are moved and dealt to zones; only families of zones and variables have an index.",
        bad="option bonus: 0..5 = 1\nresult\n    score p = points[p] + bonus[p]  # <--\n",
        good="option bonus: 0..5 = 1\nresult\n    score p = points[p] + bonus\n",
    ),
    Code(
        code="CG306",
        name="missing-case",
        summary="a `match` has no case for some value",
        explanation=(
            "The cases of a `match` take every value that its subject can have, so that a value added later is not "
            "forgotten. `otherwise` takes the rest."
        ),
        bad="define worth(s: Suit) =\n    match s  # <--\n        case clubs: 1\nresult\n    score p = worth(hearts)\n",
        good=(
            "define worth(s: Suit) =\n    match s\n        case clubs: 1\n        case hearts: 2\nresult\n"
            "    score p = worth(hearts)\n"
        ),
    ),
    Code(
        code="CG307",
        name="no-order",
        summary="values are put in an order that have none",
        explanation=(
            "Numbers, truth values and the values of an enumeration have an order; players and cards have none."
        ),
        bad="result\n    score p = if p < player 2 then 1 else 0  # <--\n",
        good="result\n    score p = if p == player 2 then 1 else 0\n",
    ),
    Code(
        code="CG308",
        name="not-a-measure",
        summary="a condition on a chosen set looks at it card by card",
        explanation=(
            "A condition on a set that is being chosen may use its measures only: `count`, `sum`, `min`, "
            "`max`, `same`, `different` and `consecutive` over the cards of the set, also once for each value of an "
            "enumeration or a fixed range: "
            "`no r in Rank where count(c in s where c.rank == r) == 1`. So the machine can tell without "
            "trying every set which card may be picked next. What each card must be is said with `where each..`. If "
            "the number of cards has an upper bound, as in `up to 4 cards`, the sets are tried one by one instead."
        ),
        bad=_TURN
        + "        play any cards s from hand[p] such that some c in s where c is Jester  # <--\n"
        + "            move s to table for p\n",
        good=_TURN
        + "        play any cards s from hand[p] such that count(c in s where c is Jester) > 0\n"
        + "            move s to table for p\n        otherwise pass\n",
    ),
    Code(
        code="CG309",
        name="text-as-value",
        summary="a text where a value is needed",
        explanation="Texts are for people: the names of games, prompts, and how cards are written. Values have names.",
        bad='result\n    score p = if trump == "hearts" then 1 else 0  # <--\n',
        good="result\n    score p = if trump == hearts then 1 else 0\n",
    ),
    Code(
        code="CG310",
        name="out-of-range",
        summary="a number is outside the range of its place",
        explanation="The range of a variable, parameter, index or attribute says which numbers it can have.",
        bad="state\n    trump: Suit or none = none\n    points[player]: 0..9 = 10  # <--\n",
        good="state\n    trump: Suit or none = none\n    points[player]: 0..10 = 10\n",
    ),
    Code(
        code="CG311",
        name="unknown-rounding",
        summary="a division does not say how it rounds",
        explanation="Whole numbers are divided `rounded down`, `rounded up` or `rounded nearest` (halves go up).",
        bad="result\n    score p = points[p] / 2 rounded off  # <--\n",
        good="result\n    score p = points[p] / 2 rounded down\n",
    ),
    Code(
        code="CG312",
        name="division-by-zero",
        summary="something is divided by zero",
        explanation="Nothing can be divided by zero.",
        bad="result\n    score p = points[p] mod 0  # <--\n",
        good="result\n    score p = points[p] mod 2\n",
    ),
    Code(
        code="CG313",
        name="empty-range",
        summary="a range or bound leaves nothing",
        explanation=(
            "A range begins with its least number; players, decisions and the cards of a zone are at least one."
        ),
        bad="state\n    trump: Suit or none = none\n    points[player]: 9..0 = 0  # <--\n",
        good="state\n    trump: Suit or none = none\n    points[player]: 0..9 = 0\n",
    ),
    Code(
        code="CG314",
        name="not-known-before-play",
        summary="a bound depends on what happens in play",
        explanation=(
            "Ranges, sizes, who sees a zone and what is in the deck are known before play: they may use "
            "numbers, options "
            "and `count(players)`, but no variable and no zone."
        ),
        bad="define twice(n: 0..trump) = n + n  # <--\n",
        good="option most: 1..9 = 5\ndefine twice(n: 0..most) = n + n\nresult\n    score p = twice(1)\n",
    ),
    Code(
        code="CG315",
        name="unbounded-type",
        summary="an index, option or attribute is of a type without a known number of values",
        explanation=(
            "An index is a player, a range or an enumeration; an option or attribute a range, boolean or enumeration."
        ),
        bad='card Beast(strength: integer) written "B{strength}"  # <--\n',
        good=(
            'card Beast(strength: 1..3) written "B{strength}"\ndeck in stock\n    2 of each Number\n'
            "    1 of each Beast\n    2 of Jester\n"
        ),
    ),
    Code(
        code="CG316",
        name="stray-subsets",
        summary="`subsets` or `rests` where nothing goes through the sets of cards",
        explanation=(
            "A selection that gives one value goes through sets of cards: `some`, `no`, `every`, `count`, `sum`, "
            "`max`, `min`, `first`, `highest` or `lowest`."
        ),
        bad="result\n    score p = count(subsets(table))  # <--\n",
        good="result\n    score p = if some s in subsets(table) where count(s) == 2 then 1 else 0\n",
    ),
    Code(
        code="CG317",
        name="no-rotation",
        summary="a selection begins `from` something, but its things are in no circle",
        explanation=(
            "Players and the values of an enumeration stand in a circle that can begin anywhere; cards and "
            "numbers do not."
        ),
        bad="result\n    score p = count(c in table from p where c.suit == trump)  # <--\n",
        good="result\n    score p = count(c in table where c.suit == trump)\n",
    ),
    Code(
        code="CG318",
        name="nothing-to-go-through",
        summary="something is gone through, or chosen from, that is one thing",
        explanation="Cards, players, ranges and the values of an enumeration can be gone through.",
        bad="result\n    score p = count(s in trump)  # <--\n",
        good="result\n    score p = count(s in Suit where s == trump)\n",
    ),
    Code(
        code="CG319",
        name="needless-order",
        summary="a fold is given an order that does not matter",
        explanation="A sum, greatest or least value is the same in any order.",
        bad="result\n    score p = sum(c.rank for c in table where c is Number by c.rank)  # <--\n",
        good="result\n    score p = sum(c.rank for c in table where c is Number)\n",
    ),
    Code(
        code="CG320",
        name="any-subset",
        summary="a test for a subset does not say which",
        explanation="Every zone has subsets, so the question is what the subset must be.",
        bad="result\n    score p = if some s in subsets(table) then 1 else 0  # <--\n",
        good="result\n    score p = if some s in subsets(table) where count(s) > 2 then 1 else 0\n",
    ),
    Code(
        code="CG321",
        name="not-a-variable",
        summary="something is set that is no variable",
        explanation=(
            "Variables are set: those of `state`, and those that a `let` gives a type (`let n: integer = 0`). A plain "
            "`let`, a parameter and an argument keep their value, and cards are moved."
        ),
        bad=_TURN + "        play card c from hand[p]\n            c = first d in table  # <--\n",
        good=_TURN + "        play card c from hand[p]\n            points[p] = 1\n" + _PLAY,
    ),
    Code(
        code="CG322",
        name="unknown-face",
        summary="a card is laid some other way than face up or face down",
        explanation="A card has a face and a back.",
        bad=_TURN + "        play card c from hand[p]\n            move c to table face under  # <--\n",
        good=_TURN + "        play card c from hand[p]\n            move c to table face down\n",
    ),
    Code(
        code="CG323",
        name="wrong-kind-of-zone",
        summary="a zone is used as if it were of another kind",
        explanation=(
            "A pile has a top and a bottom and can be dealt from and shuffled; a row remembers who played each card."
        ),
        bad="phase take_turn(p: player)\n    deal 1 from table to hand[p]  # <--\n",
        good=_TURN + "        play card c from hand[p]\n            deal 1 from stock to hand[p]\n" + _PLAY,
    ),
    Code(
        code="CG324",
        name="seen-shuffle",
        summary="a pile is shuffled whose cards a player sees",
        explanation="Shuffling puts cards in an order that nobody knows, so the pile is one that nobody sees.",
        bad=(
            "zones\n    stock: pile, seen by all\n    hand[player]: cards, seen by owner\n    table: row, seen by all\n"
            "play\n    shuffle stock  # <--\n"
        ),
        good=(
            "play\n    shuffle stock\n    for p in players: deal 3 from stock to hand[p]\n"
            "    for p in players: take_turn(p)\n"
        ),
    ),
    Code(
        code="CG325",
        name="wrong-choice",
        summary="a card is chosen like a value, or chance chooses several things",
        explanation=(
            "One card is chosen with `card c from Z`, several with `any cards s from Z`; chance chooses one at a time."
        ),
        bad=_TURN + "        play c from hand[p]  # <--\n",
        good=_TURN + "        play card c from hand[p]\n" + _PLAY,
    ),
    Code(
        code="CG326",
        name="unbounded-choice",
        summary="a number is chosen from a range without a known bound",
        explanation="The actions of a game are counted before play, so what a number is chosen from has known bounds.",
        bad=(
            "state\n    trump: Suit or none = none\n    points[player]: integer = 0\n"
            + _TURN
            + "        bid n from 0..points[p]  # <--\n            points[p] = n\n"
        ),
        good=_TURN + "        bid n from 0..points[p]\n            points[p] = n\n",
    ),
    Code(
        code="CG329",
        name="no-kind-of-group",
        summary="cards are divided into something that is not a kind of group",
        explanation=(
            "`splits(Z, 4 meld, 1 pair)` and `rests(Z, meld)` divide cards into groups.  A kind of group is a "
            "definition of one set of cards, with a number or a range before its name unless any number is fine."
        ),
        bad=(
            "define pair(s: cards) = count(s) == 2\n"
            "result\n    score p = if splits(table, 2 pairs) then 1 else 0  # <--\n"
        ),
        good=("define pair(s: cards) = count(s) == 2\nresult\n    score p = if splits(table, 2 pair) then 1 else 0\n"),
    ),
    Code(
        code="CG341",
        name="case-taken",
        summary="a case is never reached because others take its values",
        explanation="Each value is taken by one case; `otherwise` is only for what is left.",
        bad=(
            "define worth(s: Suit) =\n    match s\n        case clubs: 1\n        case clubs, hearts: 2  # <--\n"
            "result\n    score p = worth(hearts)\n"
        ),
        good=(
            "define worth(s: Suit) =\n    match s\n        case clubs: 1\n        case hearts: 2\n"
            "result\n    score p = worth(hearts)\n"
        ),
    ),
    Code(
        code="CG342",
        name="wrong-team",
        summary="a player is in no team or in two, or something needs teams that are not there",
        explanation=(
            "`teams` names each player once. `team(p)`, `members(t)`, `partner(p)` and `seen by team` need that "
            "section. `partner(p)` needs teams of two. The type is `team`; the list of all teams is `teams`."
        ),
        bad="teams\n    reds: player 1  # <--\nresult\n    score p = points[p]\n",
        good="teams\n    reds: player 1\n    blues: player 2\nresult\n    score p = points[p]\n",
    ),
)
