"""CG8xx: faults in a running game, and CG9xx: internal errors of cardgame.

A fault ends the play: a rule cannot be executed.  The bad examples fault in every play.
"""

from __future__ import annotations

from grammar.codes.code import Code

_TURN = "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n"
_PLAY = "            move c to table for p\n"
_STATE = "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n"

CODES: tuple[Code, ...] = (
    Code(
        code="CG801",
        name="value-out-of-range",
        summary="a variable or argument receives a number outside its range",
        explanation=(
            "The rules must keep every variable in its range. An `integer` is between -1,000,000,000,000 and "
            "1,000,000,000,000."
        ),
        bad=_TURN + "            points[p] -= 1  # <--\n" + _PLAY,
        good=_TURN + "            points[p] += 1\n" + _PLAY,
    ),
    Code(
        code="CG802",
        name="no-such-place",
        summary="an index has no such place",
        explanation="A zone or variable has only the indices of its declaration.",
        bad=(
            _STATE
            + "    bonus[1..3]: 0..9 = 0\n"
            + _TURN
            + "            points[p] = bonus[1 + 3 * count(table)]  # <--\n"
            + _PLAY
        ),
        good=(
            _STATE
            + "    bonus[1..3]: 0..9 = 0\n"
            + _TURN
            + "            points[p] = bonus[min(3, 1 + count(table))]\n"
            + _PLAY
        ),
    ),
    Code(
        code="CG803",
        name="pile-too-short",
        summary="`deal exactly` needs more cards than the pile has",
        explanation="Write `deal` if a short pile is allowed: it deals the cards that are left.",
        bad=_TURN + "            deal exactly 20 from stock to table  # <--\n",
        good=_TURN + "            deal 20 from stock to table\n",
    ),
    Code(
        code="CG804",
        name="endless",
        summary="the rules take too many steps without a decision",
        explanation=(
            "The limit between two decisions is 1,000,000 steps. A step is one round of a loop, one call, or one "
            "element that a selection examines. The message names the line with most of the steps."
        ),
        bad=_TURN + "            while table is empty  # <--\n                points[p] = 1\n",
        good=_TURN + _PLAY + "            while stock is not empty\n                deal 1 from stock to table\n",
    ),
    Code(
        code="CG805",
        name="zone-too-full",
        summary="a zone receives more cards than it holds",
        explanation=(
            "A slot holds one card, a zone `at most n` holds n cards. Move the cards away first, or raise the capacity."
        ),
        bad=(
            "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table: row at most 1, seen by all\n" + _TURN + "            move c to table for p  # <--\n"
        ),
        good=(
            "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table: row at most 2, seen by all\n" + _TURN + _PLAY
        ),
    ),
    Code(
        code="CG806",
        name="too-many-results",
        summary="a condition on a chosen set has too many results to check",
        explanation=(
            "The program computes the legal picks from the results that the measures of the set can have, such as its "
            "sum. Several large sums together have too many results: use fewer measures, or a zone with fewer cards. "
            "If later arguments depend on a set, the program tries its sets one by one: choose fewer cards, or use two "
            "decisions."
        ),
        bad=(
            'card Beast(strength: 1..30) written "B{strength}"\n'
            "deck in stock\n    1 of each Beast\n"
            "play\n    deal 25 from stock to hand[player 1]\n    take_turn(player 1)\n"
            "phase take_turn(p: player)\n    p chooses\n"
            "        play any cards s from hand[p] where each is Beast  # <--\n"
            "                such that sum(c.strength for c in s) * 20 == sum(c.strength * c.strength for c in s)\n"
        ),
        good=(
            'card Beast(strength: 1..30) written "B{strength}"\n'
            "deck in stock\n    1 of each Beast\n"
            "play\n    deal 25 from stock to hand[player 1]\n    take_turn(player 1)\n"
            "phase take_turn(p: player)\n    p chooses\n"
            "        play any cards s from hand[p] where each is Beast such that sum(c.strength for c in s) == 20\n"
        ),
    ),
    Code(
        code="CG807",
        name="no-action",
        summary="a player has no legal action",
        explanation="Add `otherwise` for this case, or put an `if` before the decision.",
        bad=(
            "phase take_turn(p: player)\n    p chooses  # <--\n"
            "        play card c from hand[p] where c.suit == trump\n" + _PLAY
        ),
        good=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p] where c.suit == trump\n"
            + _PLAY
            + "        otherwise pass\n"
        ),
    ),
    Code(
        code="CG808",
        name="no-outcome",
        summary="a random choice from nothing",
        explanation="Test first whether the zone or selection is empty.",
        bad=_TURN + "            random card d from table  # <--\n            move d to stock\n",
        good=_TURN + _PLAY + "            random card d from table\n            move d to table\n",
    ),
    Code(
        code="CG809",
        name="divided-by-zero",
        summary="a division by zero",
        explanation="Test first whether the divisor is 0.",
        bad=_TURN + "            points[p] = 10 / count(table) rounded down  # <--\n" + _PLAY,
        good=_TURN + "            points[p] = 10 / (1 + count(table)) rounded down\n" + _PLAY,
    ),
    Code(
        code="CG810",
        name="unseen-choice",
        summary="a choice depends on a card that nobody has seen",
        explanation=(
            "Nobody knows a card that was laid face down from a shuffled pile. No choice can offer such a card, and no "
            "condition of a choice can read it. The checker refuses most such rules (CG407)."
        ),
        bad="",
        good="",
    ),
    Code(
        code="CG811",
        name="not-there",
        summary="the value after `the` is absent",
        explanation=(
            "`the` asserts that a value is present, and here it is absent. Give another value with `else`, or correct "
            "the rule that should make the value present."
        ),
        bad=_TURN + "            points[p] = the max(d.rank for d in table where d is Number)  # <--\n" + _PLAY,
        good=_TURN + "            points[p] = max(d.rank for d in hand[p] where d is Number) else 0\n" + _PLAY,
    ),
    Code(
        code="CG812",
        name="phase-too-deep",
        summary="a phase leads back to itself more often than its limit says",
        explanation=(
            "The number before `deep` is how often the phase can run at the same time, each time inside the one "
            "before. Raise the limit to what the rules allow, or test before the call whether the phase may begin "
            "once more."
        ),
        bad=(
            "phase take_turn(p: player) at most 3 deep\n    p chooses\n        play card c from hand[p]\n"
            "            move c to table for p\n            take_turn(next(p))  # <--\n        otherwise pass\n"
        ),
        good=(
            "phase take_turn(p: player) at most 7 deep\n    p chooses\n        play card c from hand[p]\n"
            "            move c to table for p\n            take_turn(next(p))\n        otherwise pass\n"
        ),
    ),
    Code(
        code="CG901",
        name="internal-error",
        summary="an internal error of cardgame",
        explanation=(
            "This is a bug of cardgame, not a mistake in the spec. Please report it, with the spec and the command."
        ),
        bad="",
        good="",
    ),
    Code(
        code="CG902",
        name="generated-code-error",
        summary="the generated code of a game failed",
        explanation=(
            "This is a bug of cardgame, not a mistake in the spec. Please report it, with the spec and the play so far."
        ),
        bad="",
        good="",
    ),
)
