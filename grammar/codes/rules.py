"""CG4xx: rules that cannot be played."""

from __future__ import annotations

from grammar.codes.code import Code
from grammar.diagnostics import Severity

_TURN = "phase take_turn(p: player)\n    p chooses\n"

CODES: tuple[Code, ...] = (
    Code(
        code="CG401",
        name="unreachable-phase",
        summary="a phase is never run",
        explanation="A phase runs if `play`, or a phase that runs, calls it by its name.",
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
        summary="a phase or definition uses itself",
        explanation=(
            "A phase that leads back to itself needs a limit: `phase respond(p: player) at most 8 deep`. Of phases "
            "that lead back to one another, exactly one has the limit, and none has a `state`. For rounds and turns "
            "write a loop with `repeat`. A definition cannot be recursive: use a fold over cards or numbers."
        ),
        bad="define worth(p: player) = 1 + worth(next(p))  # <--\n",
        good="define worth(p: player) = 1 + points[next(p)]\nresult\n    score p = worth(p)\n",
    ),
    Code(
        code="CG403",
        name="state-outside-phase",
        summary="a variable of a phase is used where the phase may not be running",
        explanation=(
            "The state of a phase exists while the phase runs. Only the phase itself, and phases and definitions that "
            "run only during it, may use this state."
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
        explanation="Write `end x` in phase x, or in a phase that runs only during x.",
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
        summary="a part of the spec is larger than a limit, or takes too long to check",
        explanation=(
            "Cards, zones, variables, actions and the steps of a rule have limits, so that no spec can occupy the "
            "machine for long."
        ),
        bad="deck in stock\n    1000000 of Jester  # <--\n",
        good="deck in stock\n    1 of each Number\n    10 of Jester\n",
    ),
    Code(
        code="CG406",
        name="no-decision",
        summary="the game has no decision",
        explanation="No phase that runs contains `chooses`.",
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
        summary="the legal actions of a player depend on hidden information",
        explanation=(
            "A player sees which actions are legal. The conditions of a choice may therefore read only what the player "
            "who chooses knows. These are zones and variables that the player sees, cards that are face up or were "
            "shown to the player, and values computed from them. The number of cards in a zone is known to all. "
            "Instead of testing hidden information, offer the action, and let its effect handle both cases. Or reveal "
            "the information first, with `show` or `turn .. face up`."
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
        summary="`at once` contains something other than one decision of each player",
        explanation=(
            "`at once p in players` contains one `p chooses` and nothing else. Write effects below the actions."
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
        summary="`reopen` is used outside `in turn`",
        explanation=(
            "`reopen` gives all other players of the surrounding `in turn` another turn. A phase with `reopen` outside "
            "`in turn` may be called only inside `in turn`."
        ),
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
        summary="a decision is inside `together`",
        explanation=(
            "The block of `together` is one step: `whenever` rules are checked once, after it. A decision would show "
            "the state in the middle of the step."
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
        name="revealing-decision",
        severity=Severity.NOTE,
        summary="a decision depends on hidden information",
        explanation=(
            "Everybody sees who decides, and how often. If that depends on hidden cards or values, everybody learns "
            "something about them. If the rules intend this, write `openly` before the statement."
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
