"""Scenarios: what they put in place, what they refuse, what they report."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.diagnostics import SpecError
from grammar.parser import parse_scenarios
from grammar.source import Source
from interpreter.drivers.scenario import Result, run_source, scenario_files
from interpreter.loader import SpecNotFoundError, bundled_games, find_spec
from tests import bundled

GAME = """cardgame 1
game "Dice and discards"
    players 2
    at most 50 decisions
option high = false
enum Suit: red "R", blue "B"
card Plain(suit: Suit, rank: 1..4) written "{suit}{rank}"
deck in stock
    2 of each Plain
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    table:        row, seen by all
state
    turns: 0..9 = 0
    bid[player]: 0..6 = 0
play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    repeat one_turn until turns == 4
phase one_turn
    state
        rolled: 1..6 = 1
    let p = if turns mod 2 == 0 then player 1 else player 2
    random die from 1..6
    rolled = die
    p chooses
        play card c from hand[p] where c.rank <= rolled [R1]
            move c to table
        pass
    p chooses
        bid n from 0..6 only if not high: bid[p] = n
        raise n from 3..6 only if high: bid[p] = n
    turns += 1
result
    score p = bid[p]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the game of these tests in it."""
    (tmp_path / "dice.cardgame").write_text(GAME)
    return tmp_path


def run(folder: Path, body: str) -> list[Result]:
    """Run one scenario with the given lines."""
    text = 'scenarios 1 of "dice.cardgame"\n\nscenario "it"\n'
    text += "".join(f"    {line}\n" for line in body.strip().splitlines())
    return run_source(Source("it.scenarios", text), folder)


def failure(folder: Path, body: str) -> str:
    """Return what one failing scenario reports."""
    (result,) = run(folder, body)
    assert result.failure is not None
    return result.failure.message


@pytest.mark.parametrize("name", bundled_games())
def test_every_rule_tag_of_a_bundled_game_is_shown_by_a_scenario(name: str) -> None:
    shown = set()
    for result in bundled.scenario_results(name):
        for tag in result.tags:
            first, _, last = tag.partition("-")
            if last:
                shown |= {f"R{n}" for n in range(int(first[1:]), int(last[1:]) + 1)}
            shown.add(tag)
    assert {tag for tag, _ in bundled.game(name).rules.tags} - shown == set()


def test_cards_that_are_not_placed_lie_in_the_stock(folder: Path) -> None:
    body = """
start one_turn
given hand[player 1] holds "R1 B4"
given hand[player 2] holds 3 cards
given top of stock holds "R4 R3"
given random 2
expect count(stock) == 11
expect top of stock is Plain(red, 4)
expect top of stock holds "R4 R3"
expect count(hand[player 2]) == 3
player 1 can only play "R1", pass
"""
    assert run(folder, body)[0].passed


def test_the_order_of_the_rest_depends_on_the_name_alone(folder: Path) -> None:
    body = 'start one_turn\ngiven hand[player 1] holds "R1"\nexpect top of stock holds "R9"'
    with pytest.raises(SpecError, match="no card is called `R9`"):
        run(folder, body)
    told = 'start one_turn\ngiven hand[player 1] holds "R1"\nexpect top of stock holds "R1"'
    first, second = run(folder, told)[0], run(folder, told)[0]
    assert first.failure is not None
    assert second.failure is not None
    assert first.failure.table == second.failure.table


def test_given_dice_fall_in_their_order(folder: Path) -> None:
    body = """
start one_turn
given hand[player 1] holds "R3"
given hand[player 2] holds "B2"
given random 2, 5
player 1 cannot play "R3"
player 1 does pass
player 1 does bid 4
player 2 does play "B2"
expect bid[player 1] == 4
"""
    assert run(folder, body)[0].passed


def test_variables_of_a_phase_are_given_when_it_begins(folder: Path) -> None:
    body = """
start one_turn
given turns = 3
given bid[player 1] = 5
given hand[player 2] holds "B2"
player 2 does pass
player 2 does bid 2
expect game over
expect score of player 1 == 5
expect returns of player 1 > 0
expect winners player 1
"""
    assert run(folder, body)[0].passed


def test_what_is_expected_may_ask_definitions_with_tags(tmp_path: Path) -> None:
    worth = "define worth(c: card) =\n    match c\n        case Plain(red, _): 9   [R2]\n        otherwise: c.rank\n"
    game = GAME.replace("play\n", f"{worth}play\n", 1).replace("where c.rank <= rolled", "where worth(c) <= rolled")
    (tmp_path / "dice.cardgame").write_text(game)
    body = 'start one_turn\ngiven hand[player 1] holds "R1 R2 B3"\nexpect sum(worth(c) for c in hand[player 1]) == 21'
    (result,) = run(tmp_path, body)
    assert result.failure is None


def test_a_play_from_the_beginning_deals_by_itself(folder: Path) -> None:
    assert run(folder, "expect count(hand[player 1]) == 3\nplayer 1 can pass")[0].passed


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('start one_turn\ngiven hand[player 1] holds "R4"\ngiven random 1\nplayer 1 does play "R4"', "is refused"),
        ("player 2 does pass", "player 1 is to act, not player 2"),
        ("player 1 cannot pass", "`pass` is legal"),
        ("player 1 can only pass, pass", "legal too"),
        ("expect turns == 3", "0 == 3"),
        ("expect game over", "the game goes on"),
        ("expect score of player 1 == 1", "not over"),
        ('expect table holds "R1"', "table holds nothing"),
        ("expect player 2 to act", "player 1 is to act"),
    ],
)
def test_a_scenario_that_fails_says_what_is_there_instead(folder: Path, body: str, message: str) -> None:
    assert message in failure(folder, body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("player 1 does bed 3", "did you mean `bid`"),
        ('player 1 does play "X9"', "no card is called `X9`"),
        ("given turns = 2\nexpect turns == 2", "say where to start"),
        ("start nowhere\nexpect turns == 0", "one can start at one_turn"),
        ('start one_turn\ngiven hand[player 1] holds "R1 R1 R1"\nplayer 1 does pass', "lie somewhere already"),
        ("start one_turn\ngiven hand[player 1] holds 30 cards\nplayer 1 does pass", "holds at most 16 cards"),
        ("start one_turn\ngiven stock = 2\nplayer 1 does pass", "only a variable"),
        ("option high = maybe\nplayer 1 does pass", "true or false"),
        ("option hihg = true\nplayer 1 does pass", "did you mean `high`"),
        ("expect trums == 3", "nothing here is called `trums`"),
        ("expect turns", "a condition is needed"),
        ("players 5\nplayer 1 does pass", "for 2 players"),
    ],
)
def test_mistakes_in_a_scenario_are_diagnostics(folder: Path, body: str, message: str) -> None:
    with pytest.raises(SpecError) as raised:
        run(folder, body)
    told = [f"{d.message} {d.help}" for d in raised.value.diagnostics]
    assert any(message in text for text in told), told


def test_options_choose_the_game_of_a_scenario(folder: Path) -> None:
    body = "option high = true\nplayer 1 does pass\nplayer 1 cannot bid 3\nplayer 1 does raise 3"
    assert run(folder, body)[0].passed


def test_a_scenario_names_the_rules_it_reached(folder: Path) -> None:
    body = 'start one_turn\ngiven hand[player 1] holds "R1"\nplayer 1 does play "R1"'
    assert "R1" in run(folder, body)[0].reached


def test_a_spec_stands_for_the_scenarios_beside_it(folder: Path) -> None:
    assert scenario_files(folder / "dice.cardgame") == []
    (folder / "dice.scenarios").write_text('scenarios 1 of "dice.cardgame"\n')
    assert scenario_files(folder / "dice.cardgame") == [folder / "dice.scenarios"]
    with pytest.raises(SpecNotFoundError):
        scenario_files(folder / "none.cardgame")


def test_scenario_files_name_their_game() -> None:
    for name in bundled_games():
        path = find_spec(name).with_suffix(".scenarios")
        assert parse_scenarios(Source(str(path), path.read_text())).of == path.with_suffix(".cardgame").name
