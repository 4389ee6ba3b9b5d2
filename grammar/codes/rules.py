"""CG4xx: rules that cannot be played."""

from __future__ import annotations

from grammar.codes.code import Code
from grammar.diagnostics import Severity

_TURN = "phase take_turn(p: player)\n    p chooses\n"

CODES: tuple[Code, ...] = (
    Code(
        code="CG401",
        name="unreachable-phase",
        summary="no play can come to a phase",
        explanation="A phase runs when `play`, or a phase that runs, names it.",
        bad="phase last_round  # <--\n    deal 1 from stock to table\n",
        good=(
            "phase last_round\n    deal 1 from stock to table\n"
            "play\n    for p in players: deal 3 from stock to hand[p]\n"
            "    for p in players: take_turn(p)\n    last_round\n"
        ),
    ),
    Code(
        code="CG402",
        name="circular-rules",
        summary="a phase or definition leads back to itself",
        explanation=(
            "Phases that carry out each other in a circle would never end, and a definition that needs its own value "
            "has none. Say again and again with `repeat`, and fold over cards or numbers."
        ),
        bad="define worth(p: player) = 1 + worth(next(p))  # <--\n",
        good="define worth(p: player) = 1 + points[next(p)]\nresult\n    score p = worth(p)\n",
    ),
    Code(
        code="CG403",
        name="state-outside-phase",
        summary="a variable of a phase is used where that phase may not be running",
        explanation=(
            "What a phase declares under `state` lives as long as the phase runs. It may be used in every phase and "
            "definition that can only run meanwhile."
        ),
        bad=(
            "phase take_turn(p: player)\n    state\n        taken: 0..5 = 0\n    p chooses\n"
            "        play card c from hand[p]\n            taken += 1\n            move c to table for p\n"
            "result\n    score p = taken  # <--\n"
        ),
        good=(
            "phase take_turn(p: player)\n    state\n        taken: 0..5 = 0\n    p chooses\n"
            "        play card c from hand[p]\n            taken += 1\n            move c to table for p\n"
            "            points[p] += taken\n"
        ),
    ),
    Code(
        code="CG404",
        name="end-outside-phase",
        summary="a phase is ended where it may not be running",
        explanation="`end x` is in the phase x, or where only x can lead.",
        bad=(
            "phase warm_up\n    deal 1 from stock to table\n"
            "play\n    warm_up\n    for p in players: deal 3 from stock to hand[p]\n"
            "    for p in players: take_turn(p)\n    end warm_up  # <--\n"
        ),
        good=(
            "phase warm_up\n    if stock is empty: end warm_up\n    deal 1 from stock to table\n"
            "play\n    warm_up\n    for p in players: deal 3 from stock to hand[p]\n"
            "    for p in players: take_turn(p)\n"
        ),
    ),
    Code(
        code="CG405",
        name="beyond-bounds",
        summary="something is larger than any game needs, or would take too long",
        explanation=(
            "Cards, zones, variables, actions and the steps of a rule have bounds, so that every game can be reckoned "
            "before play and no spec can keep the machine busy for long."
        ),
        bad="deck in stock\n    1000000 of Jester  # <--\n",
        good="deck in stock\n    1 of each Number\n    10 of Jester\n",
    ),
    Code(
        code="CG406",
        name="no-decision",
        summary="nobody decides anything",
        explanation="A game in which no phase that runs has a `chooses` plays itself.",
        bad=(
            "phase take_turn(p: player)\n    deal 1 from stock to hand[p]\n"
            "play  # <--\n    for p in players: take_turn(p)\n"
        ),
        good=(
            "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p]\n            move c to table\n"
        ),
    ),
    Code(
        code="CG407",
        name="leak",
        summary="what a player may do depends on what the player may not know",
        explanation=(
            "A player sees what is possible and what is not. So the conditions of a choice may read only what the "
            "player who chooses knows: zones and variables that the player sees, cards that were shown or lie face "
            "up, and values made of these. How many cards lie in a zone is known to all. A guard that would tell a "
            "secret is left out: the action is offered, and its effect says what comes of it. What the rules show to "
            "the player first (`show`, `turn .. face up`) may be asked."
        ),
        bad=_TURN
        + "        play card c from hand[p] where no d in hand[next(p)] where d.suit == c.suit  # <--\n"
        + "            move c to table for p\n        otherwise pass\n",
        good=_TURN
        + "        play card c from hand[p] where no d in table where d.suit == c.suit\n"
        + "            move c to table for p\n        otherwise pass\n",
    ),
    Code(
        code="CG410",
        name="not-at-once",
        summary="`at once` holds something else than one decision of each player alone",
        explanation=(
            "In `at once p in players` everybody decides before anybody sees what the others did. So it holds one "
            "`p chooses` and nothing else; the effects of a decision are in its actions."
        ),
        bad="play\n    at once p in players\n        take_turn(p)  # <--\n",
        good=(
            "phase take_turn(p: player)\n    at once q in players\n        q chooses\n"
            "            play card c from hand[q]: move c to table for q\n"
            "play\n    shuffle stock\n    for p in players: deal 3 from stock to hand[p]\n    take_turn(player 1)\n"
        ),
    ),
    Code(
        code="CG411",
        name="no-turns",
        summary="`reopen` is outside of turns",
        explanation="`reopen` lets all others of the `in turn` around it decide once more.",
        bad=_TURN + "        play card c from hand[p]\n            reopen  # <--\n",
        good=(
            "phase take_turn(p: player)\n    in turn q in players from p\n        q chooses\n"
            "            play card c from hand[q]\n                move c to table for q\n                reopen\n"
            "            pass\n"
        ),
    ),
    Code(
        code="CG412",
        name="choice-in-step",
        summary="a player decides in the middle of one step",
        explanation=(
            "The block of `together` is one step. The `whenever` rules are checked once, after it; a decision "
            "would show the state in the middle of it."
        ),
        bad=(
            "phase take_turn(p: player)\n    together\n        p chooses  # <--\n"
            "            play card c from hand[p]: move c to table for p\n"
        ),
        good=_TURN
        + "        play card c from hand[p]\n            together\n                move c to table for p\n"
        + "                points[p] += 1\n",
    ),
    Code(
        code="CG413",
        name="telling-question",
        severity=Severity.NOTE,
        summary="whether a player decides depends on what not everybody sees",
        explanation=(
            "All see who is asked, and how often. Where that depends on hidden cards or values, everybody learns "
            "something of them. Often the rules mean it; `openly` in front of the statement says so, and then nothing "
            "is noted."
        ),
        bad=(
            "phase take_turn(p: player)\n    if some c in hand[p] where c is Jester  # <--\n"
            "        p chooses\n            play card c from hand[p]: move c to table for p\n"
        ),
        good=(
            "phase take_turn(p: player)\n    openly if some c in hand[p] where c is Jester\n"
            "        p chooses\n            play card c from hand[p]: move c to table for p\n"
        ),
    ),
)
