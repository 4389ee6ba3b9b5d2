"""Faults of a design that are put in on purpose are told by the line of the report that should say so."""

from __future__ import annotations

import math

import pytest

from interpreter import Game, load_text
from interpreter.simulate.report import Line, Report, report_of
from interpreter.simulate.running import RANDOM, Run, Work

GAME = """\
cardgame 1
game "Higher Cards"
    players 2
    at most {limit} decisions
card Plain(number: 1..12) written "{{number}}"
deck in bag
    1 of each Plain
zones
    bag: pile, seen by nobody
    hand[player]: cards, seen by owner
    shown: cards, seen by all
state
    points[player]: 0..1000 = 0
    done: 0..100 = 0
    bonus: 1..100 = 1
play
    shuffle bag
    deal 4 from bag to hand[players]
    {before}
    repeat one_turn until done >= {turns}
phase one_turn
    for p in players
        p chooses
            play card c from hand[p]                    [R1]
                points[p] += {worth}
                move c to shown
            otherwise rest                              [R2]
                points[p] += 0
    done += {step}
result
    score p = points[p]
"""


PLAIN = {"limit": "100", "before": "done = 0", "turns": "4", "worth": "c.number", "step": "1"}
"""All cards of a hand are played, so nothing but the deal counts."""

UNFAIR = {
    **PLAIN,
    "before": "random bonus from 1..100\n    if bonus <= 10: points[player 1] = 900",
    "worth": "if c.number == 12 then -0 else c.number",
    "turns": "1",
}
"""One play of ten is given to the first player, who wins 55 of 100; the 12 is worth nothing; one card is chosen."""

NULL = {
    **PLAIN,
    "before": "random bonus from 1..100\n    if bonus <= 50: points[player 1] = 1\n    else: points[player 2] = 1",
    "worth": "1",
    "turns": "2",
}
"""What a card is does not matter, nor the seat: a coin decides."""


def seeded_game(parts: dict[str, str]) -> Game:
    return load_text(GAME.format(**parts))


def _report(game: Game, plays: int, seed: int = 1, *, native: bool = True) -> Report:
    run = Run.of(game, Work.of(game, [RANDOM] * 2, seed, native=native), plays)
    run.carry_out()
    return report_of(game, run)


@pytest.fixture(scope="module")
def plain() -> Report:
    return _report(seeded_game(PLAIN), 1000)


@pytest.fixture(scope="module")
def unfair() -> Report:
    return _report(seeded_game(UNFAIR), 4000)


def _line(report: Report, section: str, name: str) -> Line:
    return next(line for line in report.section(section).lines if line.name == name)


def test_a_first_player_who_wins_five_points_more_is_found(unfair: Report) -> None:
    told = _line(unfair, "seat", "p-value, all seats equal")
    assert told.flagged
    assert "the seats differ" in unfair.section("seat").finding
    seat = _line(unfair, "seat", "seat 1")
    assert seat.value == pytest.approx(0.55, abs=0.03)
    assert seat.low is not None
    assert seat.low > 0.5


def test_a_card_that_is_never_worth_playing_is_found(unfair: Report) -> None:
    actions = {line.name: line for line in unfair.section("winning actions").lines}
    assert actions["play 12"].flagged
    assert min(actions.values(), key=lambda line: line.value or 0).name == "play 12"


def test_a_game_that_the_deal_decides_is_found(plain: Report, unfair: Report) -> None:
    decided = _line(plain, "luck", "variance explained by the deal")
    assert decided.flagged
    assert decided.value is not None
    assert decided.value > 0.95
    # Where one card of four is played the choice counts too.
    assert not _line(unfair, "luck", "variance explained by the deal").flagged


def test_a_game_that_is_too_long_is_found(plain: Report) -> None:
    endless = _report(seeded_game({**PLAIN, "step": "0"}), 10, native=False)
    cut = _line(endless, "length", "plays stopped by the decision limit")
    assert (cut.value, cut.flagged) == (1.0, True)
    assert not _line(plain, "length", "plays stopped by the decision limit").flagged


def test_a_rule_that_is_never_used_is_found_with_its_line(plain: Report) -> None:
    (tag,) = (line for line in plain.section("rules").lines if line.flagged)
    assert (tag.name, tag.value) == ("R2", 0.0)
    assert GAME.format(**PLAIN).splitlines()[tag.line - 1].endswith("[R2]")
    (verb,) = (line for line in plain.section("actions").lines if line.flagged)
    assert verb.name == "rest"


def _alarms(runs: int, plays: int) -> list[int]:
    """Return in how many of so many runs of a fair game the seats, the cards and the actions raised an alarm."""
    game, found = seeded_game(NULL), [0, 0, 0]
    for seed in range(5000, 5000 + runs):
        report = _report(game, plays, seed)
        for place, name in enumerate(("seat", "winning cards", "winning actions")):
            found[place] += any(line.flagged for line in report.section(name).lines)
    return found


def _most(runs: int) -> float:
    """Return how many alarms of 5 % are no surprise: three standard deviations."""
    return 0.05 * runs + 3 * math.sqrt(runs * 0.05 * 0.95)


def test_a_fair_game_raises_few_alarms() -> None:
    assert max(_alarms(20, 400)) <= _most(20)


@pytest.mark.soak
def test_a_fair_game_raises_no_more_alarms_than_it_may_in_a_thousand_runs() -> None:
    assert max(_alarms(1000, 1000)) <= _most(1000)
