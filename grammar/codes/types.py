"""CG3xx: type errors; those of declarations are in `grammar.codes.declarations`."""

from __future__ import annotations

from grammar.codes.code import Code

_TURN = "phase take_turn(p: player)\n    p chooses\n"
_PLAY = "            move c to table for p\n"

CODES: tuple[Code, ...] = (
    Code(
        code="CG301",
        name="wrong-type",
        summary="a value has the wrong type",
        explanation="Numbers, players, cards, booleans and the values of each enumeration have different types.",
        bad="result\n    score p = trump  # <--\n",
        good="result\n    score p = if trump == hearts then 1 else 0\n",
    ),
    Code(
        code="CG302",
        name="never-true",
        summary="a test or comparison is never true",
        explanation=(
            "Values of different types are never equal. `none` equals nothing, not even itself: write `is none`. `is` "
            "tests the kind of a card, membership, `empty` or `none`; `==` compares values."
        ),
        bad="result\n    score p = count(c in table where c is trump)  # <--\n",
        good="result\n    score p = count(c in table where c.suit == trump)\n",
    ),
    Code(
        code="CG303",
        name="may-be-absent",
        summary="a value that may be absent is used where a value is required",
        explanation=(
            "These may be absent: `first`, `highest`, `top of`, an attribute that only some kinds of cards have, and "
            "everything declared `or none`. `else` gives the value to use instead. `where c is Number` excludes the "
            "other cards."
        ),
        bad="result\n    score p = sum(c.rank for c in table)  # <--\n",
        good="result\n    score p = sum(c.rank for c in table where c is Number)\n",
    ),
    Code(
        code="CG304",
        name="never-absent",
        summary="a test for absence, or an `else`, of a value that is always present",
        explanation="The `else` of such a value is never reached, and the value is never `none`.",
        bad="result\n    score p = points[p] else 0  # <--\n",
        good="result\n    score p = (first c in table where c is Number).rank else 0\n",
    ),
    Code(
        code="CG305",
        name="no-zone",
        summary="a zone is required, or the name before an index has no index",
        explanation="Cards move to zones. Only zones and variables that are declared with an index have one.",
        bad="option bonus: 0..5 = 1\nresult\n    score p = points[p] + bonus[p]  # <--\n",
        good="option bonus: 0..5 = 1\nresult\n    score p = points[p] + bonus\n",
    ),
    Code(
        code="CG306",
        name="missing-case",
        summary="a `match` does not cover every value",
        explanation=(
            "The cases of a `match` cover every value of its subject, so that no value is forgotten. `otherwise` "
            "covers the rest."
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
        summary="values without an order are compared by order",
        explanation="Numbers, booleans and the values of an enumeration have an order. Players and cards have none.",
        bad="result\n    score p = if p < player 2 then 1 else 0  # <--\n",
        good="result\n    score p = if p == player 2 then 1 else 0\n",
    ),
    Code(
        code="CG308",
        name="not-a-measure",
        summary="a condition on a chosen set uses more than measures of the set",
        explanation=(
            "A condition on a set that is being chosen may use only measures: `count`, `sum`, `min`, `max`, `same`, "
            "`different` and `consecutive`, or test its cards with `some`, `no` and `every`. A measure may also be "
            "used for each value of an enumeration or a fixed range: `no r in Rank where count(c in s where c.rank "
            "== r) == 1`. The program can then compute the legal picks without trying every set. Write a condition "
            "on single cards as `where each..`. If the number of cards has an upper bound, as in `up to 4 cards`, "
            "any condition is allowed; the program then tries the sets one by one."
        ),
        bad=_TURN
        + "        play any cards s from hand[p] such that (first c in s) is Jester  # <--\n"
        + "            move s to table for p\n",
        good=_TURN
        + "        play any cards s from hand[p] such that some c in s where c is Jester\n"
        + "            move s to table for p\n        otherwise pass\n",
    ),
    Code(
        code="CG309",
        name="text-as-value",
        summary="a text is used as a value",
        explanation="Texts are only for names, prompts and messages. Values have names.",
        bad='result\n    score p = if trump == "hearts" then 1 else 0  # <--\n',
        good="result\n    score p = if trump == hearts then 1 else 0\n",
    ),
    Code(
        code="CG310",
        name="out-of-range",
        summary="a number is outside its range",
        explanation="The type of a variable, parameter, index or attribute gives the range of its numbers.",
        bad="state\n    trump: Suit or none = none\n    points[player]: 0..9 = 10  # <--\n",
        good="state\n    trump: Suit or none = none\n    points[player]: 0..10 = 10\n",
    ),
    Code(
        code="CG311",
        name="unknown-rounding",
        summary="a division has no rounding",
        explanation=(
            "Write `rounded down`, `rounded up` or `rounded nearest` after a division (halves are rounded up)."
        ),
        bad="result\n    score p = points[p] / 2 rounded off  # <--\n",
        good="result\n    score p = points[p] / 2 rounded down\n",
    ),
    Code(
        code="CG312",
        name="division-by-zero",
        summary="a division by zero",
        explanation="The divisor is always 0.",
        bad="result\n    score p = points[p] mod 0  # <--\n",
        good="result\n    score p = points[p] mod 2\n",
    ),
    Code(
        code="CG313",
        name="empty-range",
        summary="a range or bound is empty",
        explanation=(
            "A range begins with its least number. A number of players, decisions or cards of a zone is at least 1."
        ),
        bad="state\n    trump: Suit or none = none\n    points[player]: 9..0 = 0  # <--\n",
        good="state\n    trump: Suit or none = none\n    points[player]: 0..9 = 0\n",
    ),
    Code(
        code="CG314",
        name="not-known-before-play",
        summary="a value that must be known before play depends on the play",
        explanation=(
            "Ranges, sizes, viewers of zones and the contents of the deck must be known before play. They may use "
            "numbers, options and `count(players)`, but no variables and no zones."
        ),
        bad="define twice(n: 0..trump) = n + n  # <--\n",
        good="option most: 1..9 = 5\ndefine twice(n: 0..most) = n + n\nresult\n    score p = twice(1)\n",
    ),
    Code(
        code="CG315",
        name="unbounded-type",
        summary="the type of an index, option or attribute has no known number of values",
        explanation=(
            "An index is a player, a range or an enumeration. An option or attribute is a range, a boolean or an "
            "enumeration."
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
        summary="`subsets` or `rests` is used outside a selection that gives one value",
        explanation=(
            "Use `subsets` and `rests` as the domain of `some`, `no`, `every`, `count`, `sum`, `max`, `min`, `first`, "
            "`highest` or `lowest`."
        ),
        bad="result\n    score p = count(subsets(table))  # <--\n",
        good="result\n    score p = if some s in subsets(table) where count(s) == 2 then 1 else 0\n",
    ),
    Code(
        code="CG317",
        name="no-rotation",
        summary="`from` rotates a selection that has no cyclic order",
        explanation=(
            "`from` works for players and the values of an enumeration. Cards and numbers have no cyclic order."
        ),
        bad="result\n    score p = count(c in table from p where c.suit == trump)  # <--\n",
        good="result\n    score p = count(c in table where c.suit == trump)\n",
    ),
    Code(
        code="CG318",
        name="nothing-to-go-through",
        summary="the domain of a selection or choice is a single value",
        explanation="A domain is cards, players, a range, or the values of an enumeration.",
        bad="result\n    score p = count(s in trump)  # <--\n",
        good="result\n    score p = count(s in Suit where s == trump)\n",
    ),
    Code(
        code="CG319",
        name="needless-order",
        summary="a fold has an order",
        explanation="A sum, maximum or minimum is the same in any order. Remove `by`.",
        bad="result\n    score p = sum(c.rank for c in table where c is Number by c.rank)  # <--\n",
        good="result\n    score p = sum(c.rank for c in table where c is Number)\n",
    ),
    Code(
        code="CG320",
        name="any-subset",
        summary="a test for a subset has no condition",
        explanation="Every zone has subsets. Add a condition with `where`.",
        bad="result\n    score p = if some s in subsets(table) then 1 else 0  # <--\n",
        good="result\n    score p = if some s in subsets(table) where count(s) > 2 then 1 else 0\n",
    ),
    Code(
        code="CG321",
        name="not-a-variable",
        summary="a name that is not a variable is set",
        explanation=(
            "Only variables can be set: those of `state`, and those of a `let` with a type (`let n: integer = 0`). A "
            "plain `let`, a parameter and an argument keep their value. Move cards with `move`."
        ),
        bad=_TURN + "        play card c from hand[p]\n            c = first d in table  # <--\n",
        good=_TURN + "        play card c from hand[p]\n            points[p] = 1\n" + _PLAY,
    ),
    Code(
        code="CG322",
        name="unknown-face",
        summary="a card is turned neither face up nor face down",
        explanation="Write `face up` or `face down`.",
        bad=_TURN + "        play card c from hand[p]\n            move c to table face under  # <--\n",
        good=_TURN + "        play card c from hand[p]\n            move c to table face down\n",
    ),
    Code(
        code="CG323",
        name="wrong-kind-of-zone",
        summary="the kind of a zone does not support an operation",
        explanation=(
            "Only a pile has a top and a bottom, and can be shuffled and dealt from. Only a row remembers who played "
            "each card."
        ),
        bad="phase take_turn(p: player)\n    deal 1 from table to hand[p]  # <--\n",
        good=_TURN + "        play card c from hand[p]\n            deal 1 from stock to hand[p]\n" + _PLAY,
    ),
    Code(
        code="CG324",
        name="seen-shuffle",
        summary="a pile that a player sees is shuffled",
        explanation="A shuffle makes the order unknown, so only a pile `seen by nobody` can be shuffled.",
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
        summary="a card is chosen like a value, or chance chooses several cards",
        explanation=(
            "Write `card c from Z` for one card and `any cards s from Z` for several. `random` chooses one card or "
            "value."
        ),
        bad=_TURN + "        play c from hand[p]  # <--\n",
        good=_TURN + "        play card c from hand[p]\n" + _PLAY,
    ),
    Code(
        code="CG326",
        name="unbounded-choice",
        summary="the range of a chosen number has no known bounds",
        explanation=(
            "The number of actions must be known before play, so the range of a chosen number needs known bounds."
        ),
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
        summary="`splits` or `rests` uses a name that is not a kind of group",
        explanation=(
            "A kind of group is a definition with one parameter of type `cards` that is a condition. In `splits(Z, 4 "
            "meld, 1 pair)` and `rests(Z, meld)`, a number or range before its name limits the number of groups."
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
        summary="a case is never reached",
        explanation=(
            "Earlier cases cover all its values. Each value belongs to one case; `otherwise` covers the rest."
        ),
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
        summary="the teams do not fit the players, or a line needs teams that are not declared",
        explanation=(
            "`teams` names each player exactly once. `team(p)`, `members(t)`, `partner(p)` and `seen by team` need a "
            "section `teams`. `partner(p)` needs teams of two. The type is `team`; the list of all teams is `teams`."
        ),
        bad="teams\n    reds: player 1  # <--\nresult\n    score p = points[p]\n",
        good="teams\n    reds: player 1\n    blues: player 2\nresult\n    score p = points[p]\n",
    ),
    Code(
        code="CG343",
        name="state-on-cards",
        summary="a variable of cards does not fit the places or the statement",
        explanation=(
            "`damage[card in field]` under `state` gives each card in `field` a value, `damage[c]`. The zone is a "
            "`row` or a `slot`. A value moves with its card from place to place."
        ),
        bad=(
            "state\n    points[player]: 0..100\n    damage[card in hand]: 0..9  # <--\n"
            "result\n    score p = points[p]\n"
        ),
        good=(
            "zones\n    stock: pile, seen by nobody\n    hand[player]: row at most 8, seen by owner\n"
            "    table: row, seen by all\nstate\n    points[player]: 0..100\n    damage[card in hand]: 0..9\n"
            "phase take_turn(p: player)\n    p chooses\n"
            "        strike n from 1..count(hand[p]): damage[card n of hand[p]] += 1\n"
            "        pass\nresult\n    score p = points[p] + damage[card 1 of hand[p]]\n"
        ),
    ),
)
