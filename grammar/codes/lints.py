"""CG5xx: what is allowed and most likely not meant."""

from __future__ import annotations

from grammar.codes.code import Code
from grammar.diagnostics import Severity

CODES: tuple[Code, ...] = (
    Code(
        code="CG501",
        name="unused-definition",
        severity=Severity.WARNING,
        summary="nothing uses a definition",
        explanation="It may have been meant to be used somewhere; otherwise it can go.",
        bad="define worth(p: player) = 2 * points[p]  # <--\n",
        good="define worth(p: player) = 2 * points[p]\nresult\n    score p = worth(p)\n",
    ),
    Code(
        code="CG502",
        name="unused-variable",
        severity=Severity.WARNING,
        summary="nothing reads or sets a variable",
        explanation="It may have been meant to be used somewhere; otherwise it can go.",
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
        name="settled-comparison",
        severity=Severity.WARNING,
        every_setting=True,
        summary="a comparison with a number has the same answer for every value there can be",
        explanation="The range of the other side settles it: nothing of 1..5 is greater than 5, all is at least 1.",
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
        summary="nothing reads or moves what a player chooses",
        explanation=(
            "A player chooses a card, or a value, and the rules do nothing with it: most likely a `move` is missing."
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
        summary="no card ever comes to a zone",
        explanation="No deck lies there before play, and nothing moves, deals, swaps or shuffles a card to it.",
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
        summary="a deal that the pile cannot serve",
        explanation=(
            "Followed from the beginning of play, the pile surely has fewer cards than are dealt. A deal from a short "
            "pile deals what there is, which some players then feel. More cards than the game has (`deal 100`) is "
            "the way to say all that there are, and is not reported."
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
        summary="a zone surely gets more cards than it holds",
        explanation="Followed from the beginning of play, the place is full. The play would end with the fault CG805.",
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
        summary="a pile that nobody sees is dealt from and never shuffled",
        explanation="It lies in the order of the deck, so every play has the same cards.",
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
        summary="a loop can go round for ever without changing anything that it waits for",
        explanation=(
            "There is a way through the loop that changes nothing its condition asks, and nothing that decides about "
            "it: everybody may pass again and again, or nothing in the loop changes it at all. A loop that counts its "
            "rounds, or in which each round moves a card that it waits for, is not reported."
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
        summary="an action that is never possible",
        explanation=("Its condition never holds, or it takes more cards than there can be."),
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
        summary="a statement that play never comes to",
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
        summary="one rule tag occurs twice on a line",
        explanation="Once says that the line carries out the rule; the second was most likely meant to be another.",
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
        summary="of several equally good players only the first one wins",
        explanation=(
            "`highest p in players` is one player: of equals the first in the order of the seats. `all highest` lets "
            "them share; `from` says whom a tie favours, where the rules have it so."
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
        summary="a text about a rule does not mention something that the rule needs",
        explanation=(
            "The rulebook prints this text instead of words that are derived from the rule, so a reader would not learn"
            " of it. Places, variables, definitions, phases, options and kinds of cards are mentioned by their names in"
            " braces; numbers as they are, 0 and 1 excepted."
        ),
        bad='about phase take_turn "Play one card from your {hand}."  # <--\n',
        good='about phase take_turn "Play one card from your {hand} to the {table}."\n',
    ),
)
