"""The oracle, printed Python and printed C give the same play of every bundled game and variant."""

from __future__ import annotations

import pytest

from interpreter import load_text
from interpreter.fuzz.fuzz import fuzz
from interpreter.loader import bundled_variants
from interpreter.native.library import BuildError
from tests import bundled, oracle
from tests.lockstep import Engines, lockstep

DECISIONS = 60
"""Decisions of each game; `python -m tests.lockstep` makes as many as it is given."""


@pytest.mark.parametrize("name", bundled.EVERY)
def test_engines_agree_on_bundled_games(name: str) -> None:
    """Variants are compiled to C under `soak` only: their rules differ little from those of their base."""
    game = bundled.game(name)
    engines = Engines(game, None) if name in bundled_variants() else Engines.of(game)
    plays, decisions, differences = lockstep(engines, DECISIONS)
    assert differences == []
    assert plays > 0
    assert decisions >= DECISIONS


def test_lockstep_finds_an_engine_with_another_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(oracle.OPERATORS, "-", lambda a, b: a - b + 1)
    oracle.oracle_code.cache_clear()  # Other tests have, or want, it with the right meaning.
    _, _, differences = lockstep(Engines(bundled.game("classics/leduc_poker"), None), 60)
    oracle.oracle_code.cache_clear()
    assert any("differ" in difference for difference in differences)


WITHOUT_CARDS = """cardgame 1
game "Ladder"
    players 2..3
    at most 40 decisions
option first_color: Color = green "the color that counts one more"
option start: Rung = mid
enum Color: red, green
enum Rung(up: Rung or none, worth: 0..5 or none)
    low   mid   1
    mid   high  none
    high  none  5
state
    held[player, Color]: 0..90
    rolled[player]: 1..6
    marked[player, Color]: boolean
    rung: Rung or none = start
play
    repeat
        for p in players
            random rolled[p] from 1..6
            p chooses
                climb only if rung is not none: rung = rung.up
                jump only if rung is none: rung = first r in Rung where r.up is none
                take c from Color
                    held[p, c] += rung.worth else rolled[p]
                    if c == first_color: held[p, c] += 1
    until some p in players where marked[p, red] and marked[p, green]
whenever p in players, c in Color where not marked[p, c] and held[p, c] > 4
    marked[p, c] = true
    say "{p} has enough {c}"
result
    score p = held[p, red] + held[p, green]
"""


def test_engines_agree_on_a_game_without_cards() -> None:
    """Its option is a value of an enumeration, its table has absent values, and a trigger has two selections."""
    for options in ({}, {"first_color": "red", "start": "high"}):
        game = load_text(WITHOUT_CARDS, 3, options)
        assert game.num_cards == 0
        _, decisions, differences = lockstep(Engines.of(game), DECISIONS)
        assert (differences, decisions >= DECISIONS) == ([], True)
    assert fuzz(game, 10, seed=1).failure is None


OPTIONAL_WINNERS = """cardgame 1
game "Optional Winners"
    players 2
    at most 6 decisions
card Plain(n: 1..4) written "{n}"
deck in stock
    1 of each Plain
zones
    stock, out: pile, seen by nobody
    hand[player]: cards, seen by owner
define remaining = all p in players where hand[p] is not empty
play
    shuffle stock
    deal 1 from stock to hand[players]
    for p in players
        p chooses
            drop: move hand[p] to out
            wait
result
    winners = if remaining is empty then none else all p in players where hand[p] is empty
"""

SHARED_CONDITION = """cardgame 1
game "A Whole Condition That Two Actions Share"
    players 2
card Plain(rank: 1..9) written "{rank}"
deck in stock
    1 of each Plain
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
    trick: row, seen by all
define lone(c: card) = c.rank == 1
define found = first c in trick where c.rank == 5
define stuck(h: cards) = found is not none and every c in h has lone(c)
play
    shuffle stock
    deal 4 from stock to hand[players]
    for n in 1..3, p in players: answer(p)
phase answer(p: player)
    p chooses "{you} answer"
        play card c from hand[p] where not lone(c) or stuck(hand[p])
            move c to trick for p
        shield card c from hand[p] where lone(c) only if found is none
            move c to trick for p
        otherwise pass
result
    winners = player 1
"""


SUBSETS_OF_SELECTED_CARDS = (
    OPTIONAL_WINNERS.replace("1 of each", "2 of each")
    .replace("define remaining", "state\n    kept: card or none\n\ndefine remaining")
    .replace("        p chooses", """        if some t in subsets(all c in out where (some d in stock where d == kept))
                where sum(f.n for f in t) != 1
            kept = top of stock
        p chooses""")
)  # fmt: skip


MERGED_LOOPS = """cardgame 1
game "Loops Over Attributes and the Cards That Have Them"
    players 2
enum Suit: red, blue
card Plain(suit: Suit, rank: 1..3) written "{suit}{rank}"
card Jester written "J"
deck in stock
    2 of each Plain
    2 of Jester
state
    number: 0..99 = 0
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
    trick: row, seen by all
play
    shuffle stock
    deal 5 from stock to hand[players]
    for n in 1..5, p in players: answer(p)
    for s in Suit, r in 2..3, c in trick where c is Plain(s, r)
        say "{c} of {player_of(c)}"
        number = (number * 7 + r + (if player_of(c) == player 1 then 3 else 0)) mod 100
phase answer(p: player)
    p chooses
        play card c from hand[p]: move c to trick for p
result
    score p = number
"""
"""Cards with equal attributes keep their order; jesters have none."""


WORDS_THAT_FAIL = """cardgame 1
game "Steps"
    players 2
    at most 9 decisions
state
    height[1..3]: 0..9 = 0
    rung: 1..9 = 1
play
    while true
        for p in players
            p chooses
                climb
                    rung += 1
                    say "rung {rung} is at {height[rung]}"
                stay
result
    score p = rung
"""
"""Words whose values are at fault, in a play without events too."""


HEAVY_VALUE_BESIDE_A_MEASURE = """cardgame 1
game "Beat the best"
    players 2
    at most 20 decisions
card Plain(rank: 1..12) written "{rank}"
deck in stock
    1 of each Plain
zones
    stock, under: pile, seen by nobody
    hand[player]: cards, seen by all
state
    beaten: 0..9 = 0
play
    shuffle stock
    deal 5 from stock to hand[players]
    while true
        for p in players
            p chooses
                draw
                    deal 1 from stock to hand[p]
                    if some t in subsets(hand[p], 1..3) where sum(c.rank for c in t) > best(hand[next(p)]): beaten += 1
                stay
define best(s: cards) = max(sum(d.rank for d in u) for u in subsets(first 4 e in s)) / 2 rounded up
result
    score p = beaten
"""
"""A value that counts steps in a condition on sets: the engines try different numbers of sets."""


@pytest.mark.parametrize(
    "text",
    [
        OPTIONAL_WINNERS,
        SHARED_CONDITION,
        SUBSETS_OF_SELECTED_CARDS,
        MERGED_LOOPS,
        WORDS_THAT_FAIL,
        HEAVY_VALUE_BESIDE_A_MEASURE,
    ],
)
def test_engines_agree_where_one_of_them_failed(text: str) -> None:
    _, _, differences = lockstep(Engines.of(load_text(text)), 60)
    assert differences == []


def test_nobody_wins_where_the_list_of_winners_is_absent() -> None:
    game = load_text(OPTIONAL_WINNERS)
    winners = {}
    for sentence in ("drop", "wait"):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
            else:
                state.apply_action(state.string_to_action("drop" if state.current_player() == 0 else sentence))
        outcome = state.outcome()
        assert outcome is not None
        winners[sentence] = outcome.termination.value, outcome.winners
    assert winners == {"drop": ("finished", ()), "wait": ("finished", (0,))}


@pytest.mark.soak
@pytest.mark.parametrize("name", bundled.EVERY)
def test_engines_agree_on_many_decisions(name: str) -> None:
    assert lockstep(Engines.of(bundled.game(name)), 5_000)[2] == []


@pytest.mark.failing_build
def test_a_failed_build_of_c_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that the compiler refuses is not left out of a comparison."""
    monkeypatch.setenv("CC", "false")
    with pytest.raises(BuildError, match="the C compiler failed"):
        Engines.of(bundled.game("classics/kuhn_poker"))
