"""CG5xx: warnings about valid code that is probably a mistake."""

from __future__ import annotations

from grammar.codes.code import Code
from grammar.diagnostics import Severity

CODES: tuple[Code, ...] = (
    Code(
        code="CG501",
        name="unused-definition",
        severity=Severity.WARNING,
        summary="a definition is not used",
        explanation="Use it or remove it.",
        bad="define worth(p: player) = 2 * points[p]  # <--\n",
        good="define worth(p: player) = 2 * points[p]\nresult\n    score p = worth(p)\n",
    ),
    Code(
        code="CG502",
        name="unused-variable",
        severity=Severity.WARNING,
        summary="a variable is not used",
        explanation="Nothing reads or sets it. Use it or remove it.",
        bad=(
            "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    hands_played: 0..9 = 0  # <--\n"
        ),
        good=(
            "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    hands_played: 0..9 = 0\n"
            "result\n    score p = points[p] + hands_played + count(c in table where c.suit == trump)\n"
        ),
    ),
    Code(
        code="CG503",
        name="constant-comparison",
        severity=Severity.WARNING,
        every_setting=True,
        summary="a comparison with a number always has the same result",
        explanation=(
            "The range of the other side decides the comparison: a value of 1..5 is never greater than 5 and always at "
            "least 1."
        ),
        bad=(
            "phase take_turn(p: player)\n    p chooses\n"
            "        play card c from hand[p] where c is Jester or c is Number and c.rank > 5  # <--\n"
            "            move c to table for p\n        otherwise pass\n"
        ),
        good=(
            "phase take_turn(p: player)\n    p chooses\n"
            "        play card c from hand[p] where c is Jester or c is Number and c.rank > 4\n"
            "            move c to table for p\n        otherwise pass\n"
        ),
    ),
    Code(
        code="CG504",
        name="unused-choice",
        severity=Severity.WARNING,
        every_setting=True,
        summary="the effect of an action does not use what the player chooses",
        explanation=(
            "A player chooses a card or a value, and no statement reads or moves it. Probably a `move` is missing."
        ),
        bad=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]  # <--\n"
            "            deal 1 from stock to table\n"
        ),
        good=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n"
            "            move c to table for p\n            deal 1 from stock to table\n"
        ),
    ),
    Code(
        code="CG505",
        name="empty-zone",
        severity=Severity.WARNING,
        every_setting=True,
        summary="a zone never has a card",
        explanation="It has no deck, and no statement moves, deals, swaps or shuffles a card to it.",
        bad=(
            "zones\n    stock:        pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table:        row, seen by all\n    discard:      cards, seen by all  # <--\n"
        ),
        good=(
            "zones\n    stock:        pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
            "    table:        row, seen by all\n    discard:      cards, seen by all\n"
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n"
            "            move c to table for p\n        drop card c from hand[p]\n            move c to discard\n"
        ),
    ),
    Code(
        code="CG506",
        name="short-deal",
        severity=Severity.WARNING,
        summary="a pile has too few cards for a deal",
        explanation=(
            "At this point of every play, the pile has fewer cards than the deal takes. The deal then stops when the "
            "pile is empty, and some players receive fewer cards. To deal all cards, write a number larger than the "
            "deck (`deal 100`), which is not reported."
        ),
        bad=(
            "play\n    shuffle stock\n    for p in players: deal 7 from stock to hand[p]  # <--\n"
            "    for p in players: take_turn(p)\n"
        ),
        good=(
            "play\n    shuffle stock\n    for p in players: deal 6 from stock to hand[p]\n"
            "    for p in players: take_turn(p)\n"
        ),
    ),
    Code(
        code="CG507",
        name="over-capacity",
        severity=Severity.WARNING,
        summary="a zone receives more cards than it holds",
        explanation="At this point of every play, the zone is full. The play ends with the fault CG805.",
        bad=(
            "zones\n    stock:        pile, seen by nobody\n    hand[player]: cards at most 2, seen by owner\n"
            "    table:        row, seen by all\n"
            "play\n    shuffle stock\n    for p in players: deal 3 from stock to hand[p]  # <--\n"
            "    for p in players: take_turn(p)\n"
        ),
        good=(
            "zones\n    stock:        pile, seen by nobody\n    hand[player]: cards at most 3, seen by owner\n"
            "    table:        row, seen by all\n"
        ),
    ),
    Code(
        code="CG508",
        name="unshuffled-pile",
        severity=Severity.WARNING,
        every_setting=True,
        summary="a hidden pile is dealt from but never shuffled",
        explanation="Its cards are in the order of the deck, so every play has the same cards.",
        bad=("play\n    for p in players: deal 3 from stock to hand[p]  # <--\n    for p in players: take_turn(p)\n"),
        good=(
            "play\n    shuffle stock\n    for p in players: deal 3 from stock to hand[p]\n"
            "    for p in players: take_turn(p)\n"
        ),
    ),
    Code(
        code="CG509",
        name="no-progress",
        severity=Severity.WARNING,
        every_setting=True,
        summary="a loop can repeat without changing what its condition reads",
        explanation=(
            "Some path through the loop changes nothing that its condition, or a condition inside it, reads. For "
            "example, all players may pass forever. A loop is not reported if it counts its rounds, or if each round "
            "moves a card that its condition reads."
        ),
        bad=(
            "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n"
            "play\n    shuffle stock\n    for p in players: deal 3 from stock to hand[p]\n"
            "    while trump is none: for_all  # <--\n"
            "phase for_all\n    for p in players: take_turn(p)\n"
            "phase take_turn(p: player)\n    p chooses\n        name s from Suit\n            trump = s\n        pass\n"
            "            move hand[p] to table\n"
        ),
        good=(
            "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    rounds: 0..3 = 0\n"
            "play\n    shuffle stock\n    for p in players: deal 3 from stock to hand[p]\n"
            "    while trump is none and rounds < 3: for_all\n"
            "phase for_all\n    rounds += 1\n    for p in players: take_turn(p)\n"
            "phase take_turn(p: player)\n    p chooses\n        name s from Suit\n            trump = s\n        pass\n"
            "            move hand[p] to table\n"
        ),
    ),
    Code(
        code="CG510",
        name="impossible-action",
        severity=Severity.WARNING,
        every_setting=True,
        summary="an action is never possible",
        explanation="Its condition never holds, or it takes more cards than there are.",
        bad=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n"
            "            move c to table for p\n        pass only if count(players) > 2  # <--\n"
        ),
        good=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n"
            "            move c to table for p\n        pass only if count(table) > 2\n"
        ),
    ),
    Code(
        code="CG511",
        name="dead-statement",
        severity=Severity.WARNING,
        every_setting=True,
        summary="a statement is never reached",
        explanation="The statement before it always ends the phase or the game.",
        bad=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n"
            "            end game\n            move c to table for p  # <--\n"
        ),
        good=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n"
            "            move c to table for p\n            end game\n"
        ),
    ),
    Code(
        code="CG512",
        name="repeated-tag",
        severity=Severity.WARNING,
        every_setting=True,
        summary="a rule tag occurs twice on a line",
        explanation="Remove one, or replace it with the tag of another rule.",
        bad="phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n"
        "            move c to table for p  [R1, R1]  # <--\n",
        good="phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n"
        "            move c to table for p  [R1, R2]\n",
    ),
    Code(
        code="CG513",
        name="first-of-equals-wins",
        severity=Severity.WARNING,
        every_setting=True,
        summary="only the first of several equally good players wins",
        explanation=(
            "`highest p in players` is one player: of equal players the first in seat order. `all highest` gives a "
            "shared win. Write `from` if the rules say who wins a tie."
        ),
        bad=(
            "result\n    score p = points[p] + count(c in table where c.suit == trump)\n"
            "    winners = highest p in players by points[p]  # <--\n"
        ),
        good=(
            "result\n    score p = points[p] + count(c in table where c.suit == trump)\n"
            "    winners = all highest p in players by points[p]\n"
        ),
    ),
    Code(
        code="CG514",
        name="about-leaves-out",
        severity=Severity.WARNING,
        summary="a text of `about` does not mention something that its rule needs",
        explanation=(
            "The rulebook prints this text instead of the words that it derives from the rule. Mention zones, "
            "variables, definitions, phases, options and kinds of cards by their names in braces, and of an action "
            "each note that its limits need. Mention numbers as they are, except 0 and 1."
        ),
        bad='about phase take_turn "Play one card from your {hand}."  # <--\n',
        good='about phase take_turn "Play one card from your {hand} to the {table}."\n',
    ),
    Code(
        code="CG515",
        name="swallowed-condition",
        severity=Severity.NOTE,
        summary="the condition of a quantifier takes in more than it seems",
        explanation=(
            "`no c in Z where P and Q` holds if no card fits both P and Q. If Q is a condition of its own, write it in "
            "front: `Q and no c in Z where P`. The same is true of `every c in Z has P and Q`."
        ),
        bad='invariant "no joke": no c in table where c is Jester and stock is empty  # <--\n',
        good='invariant "no joke": stock is empty and no c in table where c is Jester\n',
    ),
    Code(
        code="CG516",
        name="idle-limit",
        severity=Severity.WARNING,
        every_setting=True,
        summary="a phase has a limit, but never leads back to itself",
        explanation="The number before `deep` limits how often a phase runs inside itself. Other phases need no limit.",
        bad=(
            "phase take_turn(p: player) at most 4 deep  # <--\n    p chooses\n"
            "        play card c from hand[p]: move c to table for p\n"
        ),
        good="phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]: move c to table for p\n",
    ),
    Code(
        code="CG517",
        name="no-player-of-a-card",
        severity=Severity.WARNING,
        every_setting=True,
        summary="rules ask who played a card, and no move says it",
        explanation=(
            "`player_of` gives the player that `for` names when a card moves to a row. Without such a move it is "
            "always `none`."
        ),
        bad=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]: move c to table\n"
            "    if player_of(last c in table) == p: points[p] += 1  # <--\n"
        ),
        good=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]: move c to table for p\n"
            "    if player_of(last c in table) == p: points[p] += 1\n"
        ),
    ),
)
