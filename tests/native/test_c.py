"""The C machine and Python's are the same game: player, legal actions, returns, faults at every step."""

from __future__ import annotations

import os

import pytest

from interpreter import RuleError, load, load_text
from interpreter.native.library import NativeUnavailableError, compiler
from interpreter.native.plays import NativeGame
from interpreter.program.c.module import generate_c
from tests import bundled
from tests.native import sanitized
from tests.native.sanitized import hostile
from tests.native.sidebyside import side_by_side
from tests.native.taped import NativePlay

PLAYS = int(os.environ.get("CARDGAME_PLAYS", "100"))
"""Plays of each game under `soak`."""

MOST = 500 * PLAYS
"""With so many decisions of a game it is enough, where plays are long without end (hands on hands)."""


def _has_compiler() -> bool:
    try:
        compiler()
    except NativeUnavailableError:
        return False
    return True


HAS_COMPILER = _has_compiler()
needs_compiler = pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")


@pytest.mark.parametrize("name", bundled.EVERY)
def test_every_bundled_game_has_a_form_in_c(name: str) -> None:
    assert generate_c(bundled.game(name).program).text


@needs_compiler
@pytest.mark.parametrize("name", bundled.only("arcanity", "classics/hearts"))
def test_a_play_in_c_is_the_play_in_python_with_the_same_chance(name: str) -> None:
    native = NativeGame(bundled.game(name))
    decisions = 0
    for seed in range(20):
        decisions += side_by_side(native, seed, replayed=seed == 0)
        if decisions > 300:
            break


@pytest.mark.soak
@needs_compiler
@pytest.mark.parametrize("name", bundled.EVERY)
def test_many_plays_in_c_are_those_in_python(name: str) -> None:
    counts = bundled.player_counts(name)
    for players in counts:
        native = NativeGame(load(name, players))
        decisions = 0
        for seed in range(-(-PLAYS // len(counts))):
            decisions += side_by_side(native, seed, replayed=seed % 10 == 0)
            if decisions > MOST // len(counts):
                break


KEYS = """cardgame 1
game "Keys and Groups That May Be Absent"
    players 2
    at most 60 decisions
enum Suit: sun, moon, tide
card Number(suit: Suit, rank: 1..4) written "{suit}{rank}"
card Fool(sort: 1..2) written "F{sort}"
deck in stock
    1 of each Number
    1 of each Fool
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
    trick: row, seen by all
state
    got: 0..400 = 0
define size(p: player) = (count(hand[p]), count(trick))
define nested(p: player) = ((count(hand[p]), 1), count(trick))
define bold(p: player) = if count(trick) > 3 then (count(hand[p]), 1) else (0, 0)
define key_of(c: Number) = (c.rank, c.suit)
define mine(p: player) = if count(trick) > 2 then hand[p]
define again(p: player) = mine(p)
define many(s: cards) = count(s)
define best(s: cards) = max(key_of(c) for c in s where c is Number)
define late(p: player) = if count(trick) > 2 then (first 3 c in trick)
define others(p: player) = if count(trick) > 2 then (all r in players where r != p)
play
    shuffle stock
    deal 3 from stock to hand[players]
    repeat
        for p in players
            let k = size(p)
            let open = if got > 0 then (1, 2) else if count(trick) > 1 then (2, 1)
            let least = min((count(hand[q]), count(trick)) for q in players)
            let group = again(p) else again(next(p)) else trick
            let row = late(p) else trick
            got = count(hand[(highest q in players by size(q))]) + count(all lowest q in players by bold(q))
            if k > (2, 3): got += 1
            if max(k, (2, 1)) > (2, 3): got += 2
            if best(trick) is none: got += 4
            if best(trick) == best(hand[p]): got += 8
            if (best(trick) else (1, sun)) > (2, moon): got += 16
            if key_of(first c in trick where c is Number) != (2, sun): got += 1
            if same((c.suit, c.rank) for c in hand[p] where c is Number): got += 1
            if different((count(hand[q]), count(trick)) for q in players): got += 2
            if nested(p) > ((1, 1), 2) and size(p) == size(next(p)): got += 1
            if mine(p) is none: got += 1
            if (open else (0, 0)) > (1, 1) or least >= (2, 2): got += 1
            got += count(group) + 3 * count(row) + count(others(p) else players) + (many(mine(p)) else 7)
            for i in 1..4100
                got = (got + i) mod 400
            p chooses
                lay card c from hand[p]
                    move c to trick
                    deal 1 from stock to hand[p]
                wait only if got mod 2 == 0
                    deal 1 from stock to trick
                skip only if got mod 3 == 1
                    deal 1 from stock to hand[p]
                differ any cards s from hand[p]
                        such that different((c.rank else 0, c.sort else 0) for c in s) and count(s) < 3
                    move s to trick
                    deal 1 from stock to hand[p]
                rise any cards s from hand[p]
                        such that (max((c.rank, c.suit) for c in s where c is Number) else (1, sun)) > (2, sun)
                    move s to trick
                    deal 1 from stock to hand[p]
                wide any cards s from hand[p] such that different((c.rank else 0) * 100000 for c in s)
                        and (sum(c.rank else 0 for c in s) > 1 or count(s) == 0)
                    move s to trick
                    deal 1 from stock to hand[p]
    until stock is empty
result
    score p = got + count(hand[p])
"""
"""Keys that have a name, come from definitions, may be absent, are measures; groups of cards that may be absent."""


RUNS = """cardgame 1
game "Runs and Subsets"
    players 2
    at most 60 decisions
enum Suit(far: 1..5)
    sun  1
    moon 4
card Number(suit: Suit, rank: 1..6) written "{suit}{rank}"
deck in stock
    1 of each Number
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    laid:         row, seen by all
state
    score[player]: 0..10000000
play
    shuffle stock
    deal 5 from stock to hand[players]
    while true
        for p in players
            p chooses
                lay n from 1..200 where n < 3, low from 1..6 where (n == 1 or low < 5) and low != n + 2,
                        high from low..6
                        where (low == high or high < 6) and every r in low..high has held(r, hand[p]) >= n
                    for r in low..high: move first n c in hand[p] where c.rank == r to laid
                show low from 1..6, high from low..6 where every r in low..high has held(r, hand[p]) > 0
                    score[p] += high - low
                point s from Suit where s.far > 1, low from 1..6 where distance(count(laid), low) < s.far
                        and distance(count(hand[p]), low) != 2
                    score[p] += low
                otherwise pass
                    move laid to hand[p]
            score[p] += worth(hand[p]) + sum(c.rank for c in laid)
define held(r: 1..6, s: cards) = count(c in s where c.rank == r)
define runs(s: cards) = max(count(t) for t in subsets(s, 2..5) where consecutive(c.rank for c in t)) else 0
define worth(s: cards) =
    let whole = s + laid
    count(t in subsets(whole) where sum(c.rank for c in t) == 9) + 7 * runs(whole)
        + 100 * count(t in subsets(whole, 2) where same(c.rank for c in t))
        + 1000 * count(t in subsets(whole, 0..3) where different(c.suit for c in t) and sum(c.rank for c in t) < 8)
result
    returns p = score[p]
"""
"""Ranges that end at the first number that fails, also by words, and measures of subsets that grow by a card."""


@needs_compiler
def test_keys_and_groups_that_may_be_absent_are_those_of_python() -> None:
    native = NativeGame(load_text(KEYS))
    for seed in range(8):
        side_by_side(native, seed)


FAULTY = """cardgame 1
game "Faults of Statements"
    players 2
card Number(rank: 1..4) written "{rank}"
deck in stock
    1 of each Number
zones
    stock: pile, seen by nobody
    wide[player]: pile, seen by all
    small[player]: row at most 1, seen by all
state
    got: 0..9 = 0
define share(n: integer) = 12 / n rounded down
define far(n: integer) = n + 20
play
    deal 2 from stock to wide[player 1]
    player 1 chooses
        go
            got = 1
            STATEMENT
result
    score p = got
"""


@needs_compiler
@pytest.mark.parametrize(
    ("code", "statement"),
    [
        ("CG809", "for n in 0..1: got = share(n)"),
        *(
            pytest.param(*case, marks=pytest.mark.soak)
            for case in (
                ("CG801", "got = far(got)"),
                ("CG805", "swap wide[player 1] with small[player 2]"),
                ("CG803", "deal exactly 3 from wide[player 1] to stock"),
            )
        ),
    ],
)
def test_a_fault_names_the_statement_that_was_carried_out(code: str, statement: str) -> None:
    native = NativeGame(load_text(FAULTY.replace("STATEMENT", statement)))
    play = NativePlay(native, 0)
    line = 1 + FAULTY.split("\n").index("            STATEMENT")
    with pytest.raises(RuleError, match=rf":{line}:\d+: {code}"):
        play.apply_action(play.legal_actions()[0])
    side_by_side(native, 0)


@needs_compiler
def test_ranges_that_end_early_and_measures_of_subsets_are_those_of_python() -> None:
    native = NativeGame(load_text(RUNS))
    text = generate_c(native.game.program).text
    wanted = (") break;", "bits_steps(", "bits_from(", "bits_near(", "_sum", "_values", "_twice")
    assert all(part in text for part in wanted)
    assert sum(side_by_side(native, seed) for seed in range(4)) > 100


STAIRS = """cardgame 1
game "Stairs"
    players 2
card Number(suit: 1..4, rank: 1..13) written "{suit}-{rank}"
deck in stock
    1 of each Number
zones
    stock:        pile, seen by nobody
    hand[player]: cards at most 12, seen by owner
    laid:         cards, seen by all
play
    shuffle stock
    deal 12 from stock to hand[players]
    for p in players
        p chooses
            stairs 4 to 12 cards s from hand[p] such that max(count(c in s where c.rank == r) for r in 1..13) < 3
                    and 2 * ((max(c.rank for c in s) else 1) - (min(c.rank for c in s) else 1)) + 2 == count(s)
                move s to laid
            pass
result
    score p = count(hand[p])
"""
"""A condition on a set whose counts together need more than 32 bits."""


@needs_compiler
def test_counts_that_fill_a_long_word_are_those_of_python() -> None:
    native = NativeGame(load_text(STAIRS))
    assert "<< 52" in generate_c(native.game.program).text
    assert sum(side_by_side(native, seed) for seed in range(6)) > 12


@needs_compiler
def test_a_definition_that_no_rule_uses_is_not_printed() -> None:
    native = NativeGame(load_text(STAIRS + "\ndefine player_before(c: card) = player_of(c)\n"))
    assert "player_before" not in generate_c(native.game.program).text
    assert side_by_side(native, 0)


@needs_compiler
def test_what_is_no_legal_action_is_refused_and_changes_nothing() -> None:
    hostile(NativeGame(bundled.game("classics/leduc_poker")), 10)


@pytest.mark.soak
@needs_compiler
@pytest.mark.parametrize("name", bundled.EVERY)
def test_sanitizers_find_nothing(name: str) -> None:
    for players in bundled.player_counts(name):
        done = sanitized.start(name, players, min(PLAYS, 200))
        assert done.returncode == 0, done.stderr[-3000:]
