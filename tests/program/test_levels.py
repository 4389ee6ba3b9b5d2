"""Phases inside themselves: levels with names of their own, the last to begin ends first, and the limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.diagnostics import SpecError
from grammar.source import Source
from interpreter import RuleError, State, load_text
from interpreter.scenarios.scenario import run_source
from tests.lockstep import Engines, lockstep
from tests.program.playing import cards, do, legal, spec, start, values

SPELLS = """
zones
    stock:        pile, seen by all
    hand[player]: cards, seen by all
    stack:        pile, seen by all
    spent:        cards, seen by all

state
    life[player]: integer = 20
    log:          integer = 0

play
    deal 4 from stock to hand[players]
    ask(player 1)

phase ask(p: player) at most {deep} deep
    p chooses
        bolt card c from hand[p], q from players
            move c to stack
            let laid: integer = count(stack)
            ask(next(p))
            log = 10 * log + laid
            if c is in stack
                life[q] -= 1
                move c to spent
        counter card c from hand[p], card target from stack
            move c to stack
            ask(next(p))
            if c is in stack
                if target is in stack: move target to spent
                move c to spent
        pass
        stop: end ask

result
    score p = life[p]
"""


def spells(deep: str = "5") -> State:
    """Return the start of a duel of spells, in which a response may be answered."""
    return start(SPELLS.replace("{deep}", deep))


def test_the_last_level_ends_first_and_each_has_its_own_names() -> None:
    state = spells()
    do(state, "bolt C1 2", "bolt H1 1", "bolt C2 1", "pass")
    assert (values(state)["log"], values(state)["life[player 1]"], values(state)["life[player 2]"]) == (321, 18, 19)
    assert cards(state, "spent") == "C1 C2 H1"
    assert state.is_terminal()


def test_a_counter_is_countered() -> None:
    state = spells()
    do(state, "bolt C1 2", "counter H1 C1", "counter C2 H1", "stop")
    assert (values(state)["life[player 2]"], cards(state, "stack")) == (19, "")
    state = spells()
    do(state, "bolt C1 2", "counter H1 C1", "pass")
    assert values(state)["life[player 2]"] == 20


def test_a_call_beyond_the_last_level_is_a_fault() -> None:
    state = spells("2")
    do(state, "bolt C1 2", "pass")
    assert state.is_terminal()
    state = spells("2")
    do(state, "bolt C1 2")
    with pytest.raises(RuleError, match="CG812 `ask` would run more than 2 deep") as caught:
        do(state, "bolt H1 1")
    assert caught.value.span is not None
    assert caught.value.span.text == "ask(next(p))"


INSIDE = """scenarios 1 of "small.cardgame"

scenario "a bolt"
    start ask(player 2)
    given hand[player 2] holds "C1"
    player 2 does bolt C1 1
    player 1 does pass
    expect life[player 1] == 19
    expect game over
"""

TWO_PHASES = """
phase ask
    outer(player 1, 1)

phase outer(p: player, n: 1..9)
    d = 10 * d + n
    inner(next(p), n + 1)
    d = 10 * d + n

phase inner(p: player, n: 1..9) at most 3 deep
    p chooses
        again
            if n < 7
                let mine[1..2]: integer = n
                outer(p, n + 1)
                b = 10 * b + mine[2]
                for m in 1..2: a += m
        leave: end inner
        drop: end ask
    flag = true
"""


def test_two_phases_lead_back_to_each_other() -> None:
    state = start(TWO_PHASES)
    do(state, "again", "again", "leave")
    assert (values(state)["d"], values(state)["b"], values(state)["a"]) == (135531, 42, 6)
    assert state.is_terminal()
    state = start(TWO_PHASES)
    do(state, "again", "drop")
    assert (values(state)["d"], values(state)["flag"]) == (13, False)


def test_an_inner_level_reopens_the_turns_around_the_outer_one() -> None:
    state = start(
        "play\n    in turn p in players: ask(p)\n"
        "phase ask(p: player) at most 2 deep\n    p chooses\n        again only if a == 0\n            a = 1\n"
        "            ask(p)\n        open only if a == 1\n            a = 2\n            reopen\n        pass\n"
    )
    do(state, "pass", "again", "open")
    assert state.current_player() == 0
    assert do(state, "pass").is_terminal()


COUNT_DOWN = """
phase count_down(n: 0..5) at most 4 deep
    d = 10 * d + n
    if n > 1: count_down(n - 1)
    b = 10 * b + n
"""


def test_levels_of_phases_in_which_nobody_decides() -> None:
    state = start(f"play\n    count_down(4)\n    ask\n{COUNT_DOWN}")
    assert (values(state)["d"], values(state)["b"]) == (4321, 1234)
    with pytest.raises(RuleError, match="CG812"):
        start(f"play\n    count_down(5)\n    ask\n{COUNT_DOWN}")


def test_players_see_one_phase() -> None:
    game = load_text(spec(SPELLS.replace("{deep}", "3")))
    assert {decision.phase for decision in game.data.decisions.values()} == {"ask"}
    state = start(SPELLS.replace("{deep}", "3"))
    before = [text.split()[0] for text in legal(state)]
    do(state, "bolt C1 2", "bolt H1 1")
    assert {text.split()[0] for text in legal(state)} == {*before, "counter"}
    flat = load_text(spec(SPELLS.replace("{deep}", "1")))
    assert game.num_distinct_actions == flat.num_distinct_actions


FALLS = f"phase ask\n    player 1 chooses\n        fall n from 3..5: count_down(n)\n{COUNT_DOWN}"


@pytest.mark.parametrize(
    "fragment", [SPELLS.replace("{deep}", "2"), TWO_PHASES, FALLS], ids=["cards", "two", "no choice"]
)
def test_all_engines_agree(fragment: str) -> None:
    assert lockstep(Engines.of(load_text(spec(fragment))), 60)[2] == []


def test_a_scenario_starts_at_the_first_level(tmp_path: Path) -> None:
    (tmp_path / "small.cardgame").write_text(spec(SPELLS.replace("{deep}", "2")))
    results = run_source(Source("it.scenarios", INSIDE), tmp_path)
    assert [(r.name, r.failure.message if r.failure else "") for r in results] == [("a bolt", "")]


def test_too_many_statements_in_all_levels() -> None:
    more = "    if flag: a += 1\n" * 30
    with pytest.raises(SpecError, match=r"CG405.*statements in all levels"):
        load_text(spec(f"phase ask at most 50 deep\n    player 1 chooses\n        pass: ask\n{more}"))
