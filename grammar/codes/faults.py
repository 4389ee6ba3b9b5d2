"""CG8xx: faults in a running game, and CG9xx: our own mistakes.

A fault ends the play: the rules ask for what cannot be done.  The bad examples fault in every play.
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
        summary="a variable or argument is given a number outside its range",
        explanation=(
            "The range of a variable is a promise that the rules keep. An `integer` goes from minus a "
            "million millions to "
            "a million millions."
        ),
        bad=_TURN + "            points[p] -= 1  # <--\n" + _PLAY,
        good=_TURN + "            points[p] += 1\n" + _PLAY,
    ),
    Code(
        code="CG802",
        name="no-such-place",
        summary="a zone or variable gets an index that it does not have",
        explanation="A family has the members that its declaration says; a number beyond has none.",
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
        summary="`deal exactly` finds fewer cards than it asks for",
        explanation="`deal` deals what there is; `deal exactly` is for rules that must have all the cards.",
        bad=_TURN + "            deal exactly 20 from stock to table  # <--\n",
        good=_TURN + "            deal 20 from stock to table\n",
    ),
    Code(
        code="CG804",
        name="endless",
        summary="the rules take too many steps without a decision",
        explanation=(
            "Between two decisions the rules take at most 1,000,000 steps, so a loop that never ends is stopped. "
            "A step is one round of a loop, one call, or one member that a selection looks at. "
            "The message says where most of the steps were taken."
        ),
        bad=_TURN + "            while table is empty  # <--\n                points[p] = 1\n",
        good=_TURN + _PLAY + "            while stock is not empty\n                deal 1 from stock to table\n",
    ),
    Code(
        code="CG805",
        name="zone-too-full",
        summary="a zone is given more cards than it holds",
        explanation="A slot holds one card, and a zone with `at most n` so many. Move away what is there first.",
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
        summary="the condition on a chosen set has too many results to weigh",
        explanation=(
            "Which cards may be picked next is found from the results that the measures of the set can "
            "have, such as its "
            "sum. Several large sums together have too many: use fewer measures, or a zone of fewer cards. "
            "Where later arguments depend on a set, its sets are tried one after another: choose fewer cards, or "
            "make it two decisions."
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
        summary="a player must choose, and nothing is possible",
        explanation="Say with `otherwise` what happens then, or ask beforehand whether something is possible.",
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
        summary="chance must choose, and there is nothing to choose from",
        explanation="Ask first whether the zone is empty.",
        bad=_TURN + "            random card d from table  # <--\n            move d to stock\n",
        good=_TURN + _PLAY + "            random card d from table\n            move d to table\n",
    ),
    Code(
        code="CG809",
        name="divided-by-zero",
        summary="a rule divides by zero",
        explanation="Ask first whether there is something to divide by.",
        bad=_TURN + "            points[p] = 10 / count(table) rounded down  # <--\n" + _PLAY,
        good=_TURN + "            points[p] = 10 / (1 + count(table)) rounded down\n" + _PLAY,
    ),
    Code(
        code="CG810",
        name="unseen-choice",
        summary="what may be chosen depends on a card that nobody has seen",
        explanation=(
            "A card that was laid face down from a shuffled pile is not known to anybody, so no choice can be among "
            "such cards, and no condition of a choice may ask what they are. The checker refuses what can come to "
            "that (CG407)."
        ),
        bad="",
        good="",
    ),
    Code(
        code="CG811",
        name="not-there",
        summary="what a rule calls `the` is absent",
        explanation=(
            "`the` in front of a value that may be absent says that by the rules it is always there. Here it was not: "
            "say with `else` what holds then, or mend the rule that should have made sure of it."
        ),
        bad=_TURN + "            points[p] = the max(d.rank for d in table where d is Number)  # <--\n" + _PLAY,
        good=_TURN + "            points[p] = max(d.rank for d in hand[p] where d is Number) else 0\n" + _PLAY,
    ),
    Code(
        code="CG901",
        name="our-mistake",
        summary="something happened that we took for impossible",
        explanation="This is a mistake of ours, not of the spec. Please report it, with the spec and what you did.",
        bad="",
        good="",
    ),
    Code(
        code="CG902",
        name="rules-came-apart",
        summary="the program made from the rules failed in a way that we did not foresee",
        explanation="This is a mistake of ours, not of the spec. Please report it, with the spec and the play so far.",
        bad="",
        good="",
    ),
)
