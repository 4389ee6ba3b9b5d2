"""Specs that mean harm: each ends in a diagnostic or a fault, soon, in little memory, and runs no code of its own."""

from __future__ import annotations

import random
import resource
from typing import Any

import pytest

from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from interpreter.analysis.lints.costs import NESTED_LIMIT
from interpreter.engine.faults import RuleError
from interpreter.engine.game import Game
from interpreter.engine.outcome import Termination
from interpreter.loader import load_text

MEMORY = 400_000_000
"""Bytes that a hostile spec may add to the process at most."""


def codes(fragment: str) -> set[str]:
    """Return the codes of everything that goes wrong in loading a spec and playing it twice."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found: set[str] = set()
    try:
        game = load_text(complete(fragment))
        for seed in (1, 2):
            play(game, seed)
    except SpecError as error:
        found = {d.code for d in error.diagnostics if d.is_error}
    except RuleError as fault:
        found = {fault.code if fault.span is not None else "no place"}
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < MEMORY
    return found


def play(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))


def chain(count: int, first: str, more: str) -> str:
    """Return definitions that call one another: `d0` is the first, each other `more` of the one before."""
    lines = [f"define d0{first}"]
    lines += [f"define d{i}{more.replace('<', f'd{i - 1}')}" for i in range(1, count)]
    return "\n".join(lines) + "\n"


TURN = "phase take_turn(p: player)\n    p chooses\n        pass\n"
STATE = "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    n: integer = 2\n"

LARGE = {
    "a million cards": "deck in stock\n    1000000 of Jester\n",
    "a card of many values": 'card Number(suit: Suit, rank: 1..999999999) written "{suit}{rank}"\n',
    "a card of many attributes": "card Beast("
    + ", ".join(f"a{i}: 1..9" for i in range(30))
    + ")\ndeck in stock\n    1 of each Beast\n",
    "many zones": "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
    "    table: row, seen by all\n    far[1..900, 1..900, 1..900]: cards, seen by all\n",
    "many variables": STATE + "    far[1..900, 1..900, 1..900]: integer = 0\n",
    "a huge range to go through": "play\n    for i in 1..999999999: take_turn(player 1)\n",
    "a huge range to choose from": TURN + "        bid k from 1..999999999\n",
    "many arguments": TURN + "        bid a from 1..999, b from 1..999, d from 1..999\n",
    "thousands of phases": "".join(f"phase f{i}\n    take_turn(player 1)\n" for i in range(3_000)),
    "a long chain of phases": "".join(f"phase f{i}\n    f{i + 1}\n" for i in range(1500))
    + "phase f1500\n    take_turn(player 1)\nplay\n    f0\n",
    "a long chain of definitions": chain(1900, " = 1", " = < + 1") + "result\n    score p = d1899\n",
    "a long chain of definitions, backwards": "\n".join(
        [f"define d{i} = d{i + 1} + 1" for i in range(1900)] + ["define d1900 = 1"]
    )
    + "\nresult\n    score p = d0\n",
    "folds in folds": "result\n    score p = "
    + "".join(f"sum(sum(1 for x{i} in 1..99) * " for i in range(12))
    + "1"
    + "".join(f" for y{i} in 1..99)" for i in range(12))
    + "\n",
    "definitions of sets that double": chain(60, "(s: cards) = count(s)", "(s: cards) = <(s) + <(s)")
    + "phase take_turn(p: player)\n    p chooses\n        play any cards s from hand[p] such that d59(s) == 3\n",
    "a subset of too many measures": 'card Beast(a: 1..99, b: 1..99, d: 1..99) written "{a}-{b}-{d}"\n'
    "deck in stock\n    1 of each Beast where each.a == each.b and each.b == each.d\n    2 of Jester\n"
    "phase take_turn(p: player)\n    p chooses\n        play any cards s from hand[p] where each is Beast such that "
    "sum(c.a for c in s) == 90 and sum(c.b for c in s) == 90 and sum(c.d for c in s) == 90\n"
    "            move s to table\n        otherwise pass\n",
    "loops in loops": "play\n"
    + "".join("    " * i + f"for x{i} in 1..2\n" for i in range(1, 17))
    + "    " * 17
    + "take_turn(player 1)\n",
    "an action of many arguments": TURN + "        bid " + ", ".join(f"a{i} from 1..1" for i in range(16)) + "\n",
    "an action of many arguments inside loops": "phase take_turn(p: player)\n    for i in 1..2\n"
    "        in turn q in players\n            at once r in players\n                r chooses\n"
    "                    bid " + ", ".join(f"a{i} from 1..1" for i in range(13)) + "\n",
    "three hundred actions of many values": "phase take_turn(p: player)\n    p chooses\n"
    + "".join(f"        bid{i} a from 1..300, b from 1..333\n" for i in range(300)),
    "two actions of many values in one choice": "phase take_turn(p: player)\n    p chooses\n"
    + "".join(f"        bid{i} a from 1..350, b from 1..285\n" for i in range(3)),
    "a card with a long text": 'enum Long: one "' + "x" * 60_000 + '", two "y"\n'
    'card Big(l: Long) written "' + "{l}" * 30_000 + '"\ndeck in stock\n    1 of each Big\n    2 of Jester\n',
    "many lines of the deck over many cards": 'card Beast(a: 1..990, b: 1..2) written "{a}-{b}"\ndeck in stock\n'
    + "    0 of each Beast\n" * 1_500
    + "    2 of Jester\n",
    "many values in texts": TURN + '        otherwise wait\n            say "' + "{next(p)} " * 2_500 + '"\n',
    "an enumeration of many values": "enum Many: " + ", ".join(f"v{i}" for i in range(5000)) + "\n",
}


SLOW = {"a long chain of phases", "a long chain of definitions, backwards", "loops in definitions"}
"""Specs that take long and resemble another one, for the soak."""


def without_slow(fragments: dict[str, str]) -> list[Any]:
    """Return fragments as parameters of a test, those that take long for the soak."""
    return [pytest.param(text, id=name, marks=[pytest.mark.soak] * (name in SLOW)) for name, text in fragments.items()]


@pytest.mark.parametrize("fragment", without_slow(LARGE))
def test_what_is_too_large_is_refused(fragment: str) -> None:
    assert codes(fragment) == {"CG405"}


INNER = {
    "moves": "{}move all e in table where e is Jester to stock\n{}turn table face down\n{}take_turn(player 1)\n",
    "sets": "{}player 1 chooses\n{}    lay any cards s from hand[player 1]\n{}        move s to table for player 1\n",
}


@pytest.mark.parametrize("inner", INNER.values(), ids=INNER.keys())
@pytest.mark.parametrize("loop", ["for x{} in 1..1", "for x{} in players where x{} == player 1", "while n == 2"])
def test_as_many_loops_as_may_stand_in_one_another_are_carried_out_in_all_code(loop: str, inner: str) -> None:
    nest = "".join("    " * (i + 1) + loop.replace("{}", str(i)) + "\n" for i in range(NESTED_LIMIT))
    deepest = "    " * (NESTED_LIMIT + 1)
    before = "play\n    deal 3 from stock to hand[player 1]\n    one_round\n    take_turn(player 1)\nphase one_round\n"
    game = load_text(complete(STATE + before + nest + inner.replace("{}", deepest) + deepest + "n = 3\n"))
    play(game, 1)
    assert len(game.random_playouts(1, 1).outcomes) == 1


def test_an_action_may_have_as_many_arguments_as_loops_may_stand_in_one_another() -> None:
    game = load_text(complete(TURN + "        bid " + ", ".join(f"a{i} from 1..1" for i in range(NESTED_LIMIT)) + "\n"))
    play(game, 1)
    assert len(game.random_playouts(1, 1).outcomes) == 1


FORM = {
    "a file of ten megabytes": "cardgame 1\n" + "define d = 1\n" * 800_000,
    "brackets a thousand deep": "define d = " + "(" * 1000 + "1" + ")" * 1000 + "\n",
    "blocks a thousand deep": "play\n" + "".join("    " * i + "if 1 == 1\n" for i in range(1, 1000)),
    "operators a thousand deep": "define d = " + "not " * 1000 + "true\n",
    "more words than anybody reads": "play\n" + "    trump = none\n" * 19_000,
    "a sum of a thousand parts": "define d = " + "1 + " * 1000 + "1\n",
    "a number of many digits": "define d = " + "9" * 50_000 + "\n",
}


@pytest.mark.parametrize("fragment", FORM.values(), ids=FORM.keys())
def test_what_has_no_sensible_form_is_refused(fragment: str) -> None:
    found = codes(fragment)
    assert found
    assert all(code.startswith("CG1") for code in found)


NEST = 45
DEEP = {
    "not": "define d = " + "not " * 90 + "(trump == clubs)\nresult\n    score p = if d then 1 else 0\n",
    "minus": "result\n    score p = " + "-(" * NEST + "points[p]" + ")" * NEST + "\n",
    "sums": "result\n    score p = " + "(points[p] + " * 90 + "1" + ")" * 90 + "\n",
    "chains": "result\n    score p = " + "(if trump == clubs then 1 else " * NEST + "2" + ")" * NEST + "\n",
    "functions": "result\n    score p = " + "min(points[p], " * 90 + "2" + ")" * 90 + "\n",
    "absent": "result\n    score p = " + "((top of stock).rank else " * NEST + "2" + ")" * NEST + "\n",
    "quantifiers": "result\n    score p = if "
    + "".join(f"some x{i} in table where " for i in range(30))
    + "x0 is Jester then 1 else 0\n",
    "blocks": "phase take_turn(p: player)\n"
    + "".join("    " * i + f"if points[p] != {i}\n" for i in range(1, 90))
    + "    " * 90
    + "end game\n    p chooses\n        pass\n",
}


@pytest.mark.parametrize("fragment", DEEP.values(), ids=DEEP.keys())
def test_what_is_deep_is_played_or_refused(fragment: str) -> None:
    assert codes(fragment) <= {"CG405", "CG115", "CG114", "CG804"}


ENDLESS = {
    "long texts told again and again": 'play\n    for i in 1..60000: say "{i} '
    + "w" * 60_000
    + '"\n    take_turn(player 1)\n',
    "an empty loop": "play\n    while trump is none: trump = none\n    take_turn(player 1)\n",
    "loops in loops": STATE
    + "play\n    for i in 1..9999, j in 1..9999, k in 1..9999: n = i\n    take_turn(player 1)\n",
    "loops in definitions": STATE
    + "define slow = sum(1 for i in 1..2000 where i > n)\n"
    + "play\n    for i in 1..9999, j in 1..9\n        n = slow\n    take_turn(player 1)\n",
    "a loop with a choice that never comes": "play\n    while trump is none\n        for p in players where p != p\n"
    "            take_turn(p)\n",
    "a loop of chance alone": "play\n    while trump is none\n        random k from 1..6\n"
    "        points[player 1] = k\n    take_turn(player 1)\n",
    "a loop of shuffles": "play\n    while trump is none\n        shuffle stock\n    take_turn(player 1)\n",
    "a loop of reading hidden cards": "play\n    while trump is none\n        shuffle stock\n"
    "        if (top of stock) is Jester: points[player 1] = 1\n    take_turn(player 1)\n",
    "a range without bounds": STATE + "play\n    n = 999999999\n    for i in 1..n: points[player 1] = 1\n"
    "    take_turn(player 1)\n",
    "words without end": 'play\n    while trump is none: say "again and again"\n    take_turn(player 1)\n',
}


@pytest.mark.parametrize("fragment", without_slow(ENDLESS))
def test_what_never_ends_is_stopped(fragment: str) -> None:
    assert codes(fragment) == {"CG804"}


def test_decisions_without_end_reach_the_greatest_length_of_a_play() -> None:
    text = complete(
        'game "Example"\n    players 2\n    at most 50 decisions\n'
        "play\n    while trump is none: take_turn(player 1)\n" + TURN
    )
    state = load_text(text).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.TOO_LONG


GROWING = {
    "squares": STATE + "play\n    repeat\n        n = n * n\n    until n == 1\n    take_turn(player 1)\n",
    "squares of names": STATE
    + "play\n    n = 999999\n"
    + "    let x0 = n * n\n"
    + "".join(f"    let x{i} = x{i - 1} * x{i - 1}\n" for i in range(1, 60))
    + "    n = x59\n    take_turn(player 1)\n",
    "squares of constants": chain(90, " = 999999", " = < * <") + "result\n    score p = d89\n",
    "doubling": STATE + "play\n    repeat\n        n += n\n    until n == 1\n    take_turn(player 1)\n",
    "doubling in definitions": chain(90, "(k: integer) = k", "(k: integer) = <(k) + <(k)")
    + STATE
    + "result\n    score p = d89(n)\n",
}


@pytest.mark.parametrize("fragment", GROWING.values(), ids=GROWING.keys())
def test_numbers_do_not_grow_without_bound(fragment: str) -> None:
    found = codes(fragment)
    assert found
    assert found <= {"CG801", "CG405"}


NAMES = [
    "__import__", "exec", "eval", "st", "v", "z", "n0", "l1",
    "a1", "known", "None_", "lambda", "class", "__class__", "len", "sum",
    "FACES", "PLAYERS", "RUN", "x1", "t1", "import", "def", "return",
    "while_", "self",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_of_python_are_names_like_any_other(name: str) -> None:
    text = (
        f"state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    {name}: 0..9 = 1\n"
        f"play\n    {name} += 2\n    for p in players: deal 3 from stock to hand[p]\n"
        f"    for p in players: take_turn(p)\nresult\n    score p = {name}\n"
    )
    state = load_text(complete(text)).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(random.Random(1))
        else:
            state.apply_action(state.legal_actions()[0])
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores == (3, 3)


TEXTS = [
    "%s %d",
    "}{",
    "'; import os; '",
    "\\n\\",
    "''''",
    "$(id)",
    "{",
    "é💥",
]


@pytest.mark.parametrize("words", TEXTS)
def test_texts_stay_texts(words: str) -> None:
    fragment = (
        f'game "{words}"\n    players 2\n'
        f'phase take_turn(p: player)\n    say "{words}"\n    p chooses "{words}"\n        play card c from hand[p]\n'
        "            move c to table for p\n"
    )
    game = load_text(complete(fragment))
    state = game.new_initial_state()
    state.resolve_chance(random.Random(1))
    assert words.lower() in state.prompt().lower()
    assert game.title == words


@pytest.mark.parametrize("hole", ["you.__class__", "p.__class__", "__import__", "x", "p()", "open(1)"])
def test_the_braces_of_a_text_hold_an_expression_of_the_language(hole: str) -> None:
    fragment = f'phase take_turn(p: player)\n    say "{{{hole}}}"\n    p chooses\n        play card c from hand[p]\n'
    with pytest.raises(SpecError):
        load_text(complete(fragment))


def test_generated_code_reaches_no_more_of_python_than_it_needs() -> None:
    game = load_text(complete(""))
    names = game.code.run[0].__globals__
    assert not {"open", "eval", "exec", "__import__", "getattr", "type"} & set(names["__builtins__"])
    assert "__import__" not in names


def test_a_text_reaches_names_of_the_game_only() -> None:
    assert codes('phase take_turn(p: player)\n    say "{__class__}"\n    p chooses\n        pass\n') == {"CG201"}
