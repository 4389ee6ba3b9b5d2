"""Steps are counted as they are taken: what takes few is never stopped, what takes many always is, in all code."""

from __future__ import annotations

import random

import pytest

from grammar.codes.sample import complete
from interpreter.engine import support
from interpreter.engine.faults import RuleError
from interpreter.engine.game import Game
from interpreter.loader import load_text
from interpreter.native.plays import NativeGame
from interpreter.program.c import module as c_module
from tests.bundled import one_in
from tests.lockstep import Engines
from tests.native.test_c import HAS_COMPILER

STATE = "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    n: integer = 2\n"
TURN = "phase take_turn(p: player)\n    p chooses\n        pass\n"


def stopped(game: Game, *, logged: bool = False) -> RuleError | None:
    """Play once, and return the fault that ends the play."""
    rng = random.Random(3)
    try:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.resolve_chance(rng)
            else:
                state.apply_action(state.legal_actions()[0])
            if logged:
                state.events()
    except RuleError as fault:
        return fault
    return None


def doubling(depth: int) -> str:
    phases = [f"phase f{i}\n    f{i + 1}\n    f{i + 1}\n" for i in range(depth)]
    return "".join(phases) + f"phase f{depth}\n    points[player 1] = 1\nplay\n    f0\n    take_turn(player 1)\n"


MANY = {
    "phases that call the next one twice": doubling(60),
    "phases that call the next one twice, and could ask": doubling(60).replace(
        "points[player 1] = 1", "if points[player 2] == 9: take_turn(player 1)"
    ),
    "definitions that call the next one twice": STATE
    + "define d0(k: integer) = if n == k then 1 else 0\n"
    + "".join(
        f"define d{i}(k: integer) = max(d{i - 1}(k), if n == 7 then 1 else d{i - 1}(k + 1))\n" for i in range(1, 40)
    )
    + "play\n    if n == 2: n = d39(n)\n    take_turn(player 1)\n",
    "a condition of an action": STATE
    + "define slow(k: integer) = some i in 1..9000 where some j in 1..k where i * j == n * n * n\n"
    + "play\n    n = 9001\n    take_turn(player 1)\n"
    + "phase take_turn(p: player)\n    p chooses\n        bid k from 1..9 where slow(n + k - k)\n"
    "        otherwise pass\n",
    "what a result is": STATE
    + "define slow(k: integer) = count(i in 1..9000 where some j in 1..k where i * j == 7 * n)\n"
    + "play\n    n = 9001\n    take_turn(player 1)\nresult\n    score p = slow(n)\n",
    "a definition that goes through much once in each round": STATE
    + "define light(k: 0..3000) = count(i in 1..k where i == n)\n"
    + "play\n    for i in 1..3000\n        if light(3) == 7 or light(i) == 7: n = i\n    take_turn(player 1)\n",
    "a loop over cards that moves them": "play\n    while trump is none\n        move stock to table\n"
    "        move all c in table where c is Jester to stock\n        move table to stock\n    take_turn(player 1)\n",
    "turns that open again": "play\n    in turn p in players\n        reopen\n    take_turn(player 1)\n",
    "a loop inside an action": TURN + "            while trump is none: points[p] = 1\n",
}


@pytest.mark.parametrize("fragment", one_in(3, MANY))
def test_what_takes_too_many_steps_is_stopped_at_the_same_step_in_all_code(
    fragment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (support, c_module):
        monkeypatch.setattr(module, "STEP_LIMIT", 20_000)
    if TURN not in fragment and "phase take_turn" not in fragment:
        fragment += TURN
    game = load_text(complete(fragment))
    fault = stopped(game)
    assert fault is not None
    assert fault.code == "CG804"
    assert fault.span is not None
    logged = stopped(game, logged=True)
    assert logged is not None
    assert (logged.message, logged.span.line if logged.span else 0) == (fault.message, fault.span.line)
    if HAS_COMPILER:
        with pytest.raises(RuleError) as caught:
            NativeGame.of(game).random_playouts(1, 3)
        assert caught.value.code == "CG804"


def test_a_search_for_a_set_that_is_not_there_is_stopped_in_all_code() -> None:
    """Of 60 cards with 12 remainders no 13 differ, and to see that by trying would take for ever."""
    head = (
        'card Beast(a: 1..60) written "{a}"\n'
        "deck in stock\n    1 of each Beast\n    1 of each Number\n    2 of Jester\n"
        "play\n    for i in 1..2\n        move all c in stock where c is Beast to hand[player 1]\n"
        "        take_turn(player 1)\n        move hand[player 1] to stock\n"
        "phase take_turn(p: player)\n    p chooses\n"
    )
    end = (
        " cards s from hand[p] where each is Beast such that different(c.a mod 12 for c in s)\n        otherwise pass\n"
    )
    many = load_text(complete(head + "        lay 13" + end))
    fault = stopped(many)
    assert fault is not None
    assert fault.code == "CG806"
    with pytest.raises(RuleError) as caught:
        many.random_playouts(1, 3)
    assert caught.value.code == "CG806"
    few = load_text(complete(head + "        lay 12" + end))
    assert stopped(few) is None
    assert len(few.random_playouts(2, 3).outcomes) == 2


def test_a_fault_says_how_many_steps_there_were_and_where_most_of_them() -> None:
    play = "play\n    deal 1 from stock to table\n    while trump is none\n        points[player 1] = 1\n"
    text = complete(play + "    take_turn(player 1)\n" + TURN)
    fault = stopped(load_text(text))
    assert fault is not None
    line = 1 + text.splitlines().index("    while trump is none")
    assert fault.message.startswith("1,000,0")
    assert fault.message.endswith(f"were taken in line {line}")


FEW = {
    "loops over a hand that is handed on": STATE
    + "phase count_up(p: player, h: cards)\n    for a in h\n        for b in h\n            for c in h\n"
    "                if (a.rank else 0) + (b.rank else 0) + (c.rank else 0) == 15: points[p] += 1\n"
    "play\n    for p in players\n        deal 5 from stock to hand[p]\n        count_up(p, hand[p])\n"
    "    take_turn(player 1)\n",
    "a selection whose conditions leave little": STATE
    + "define found = count(a in 1..300 where a < 4 and some b in 1..300 where b < a and some c in 1..300 where "
    "c == b and some d in 1..300 where d == c)\n"
    "play\n    n = found\n    take_turn(player 1)\n",
    "a number without bounds": STATE
    + "define triples(k: integer) = count(a in 1..k where some b in 1..k where some c in 1..k where a + b == c)\n"
    "play\n    n = triples(6)\n    take_turn(player 1)\n",
    "a definition that could go through much, and is handed little": STATE
    + "define light(k: 0..3000) = count(i in 1..k where i == n)\n"
    + "define lighter(k: 0..3000) =\n    let m = k + 1\n    light(m) + sum(light(j) for j in 1..m)\n"
    + "define never_called = light(3000)\n"
    + "play\n    for i in 1..900\n        if light(3) == 7 or lighter(2) == 7: n = i\n    take_turn(player 1)\n",
    "many rounds with little in each": STATE
    + "phase score(h: cards)\n    if count(c in h where some d in h where d.rank == c.rank) > n: n = 1\n"
    "play\n    for p in players: deal 3 from stock to hand[p]\n    for i in 1..700: score(hand[player 1])\n"
    "    take_turn(player 1)\n",
    "searches in searches that end early": STATE
    + "define beats(i: 1..5000) = some j in 1..5000 where j >= i\n"
    + "define best(i: 1..5000) = beats(i) and no j in 1..5000 where j < 2 or not beats(1)\n"
    + "play\n    for i in 1..100\n        if best(3) or beats(7): n = (last k in 1..90000 where k < 89000 else 1)\n"
    "    take_turn(player 1)\n",
    "an early end of a search": STATE
    + "play\n    for i in 1..300\n        n = (first k in 1..90000 where k > 2 else 1)\n    take_turn(player 1)\n",
}


@pytest.mark.parametrize("fragment", one_in(3, FEW))
def test_what_takes_few_steps_is_not_stopped(fragment: str) -> None:
    game = load_text(complete(fragment + TURN))
    assert stopped(game) is None
    assert Engines.of(game).play(3, 2)


def test_a_search_evaluates_nothing_after_the_member_that_decides() -> None:
    """The second number decides, so the division by zero at the fifth is never reached, in any engine."""
    test = "some i in 1..9 where i == 2 or 7 / (i - 5) rounded down == 7"
    play = f"play\n    n = (if {test} then 3 else 4)\n    take_turn(player 1)\n"
    game = load_text(complete(STATE + play + TURN))
    assert stopped(game) is None
    assert Engines.of(game).play(3, 2)


def test_steps_count_anew_after_each_decision_and_do_not_depend_on_queries() -> None:
    rounds = "play\n    repeat\n        for i in 1..9000: n = i\n        take_turn(player 1)\n"
    rounds += "    until points[player 1] == 9\n"
    game = load_text(complete(STATE + rounds + TURN.replace("pass", "pass: points[player 1] += 1")))
    state = game.new_initial_state()
    for _ in range(50):
        assert state.clone().legal_actions()
        assert state.prompt()
    assert stopped(game) is None
