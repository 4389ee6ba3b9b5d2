"""The table on the screen: what is there, whose it is, and nothing that says nothing."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from rich.console import Console

from cli.terminal.paint import Painter
from cli.terminal.table import TableDrawing
from interpreter import load, load_text
from interpreter.table.information import information_state
from interpreter.table.view import view
from tests.cli.running import CHALICE, OFFERS, TRICKS, run, write


@pytest.fixture
def spec(tmp_path: Path) -> str:
    return write(tmp_path / "tricks.cardgame", TRICKS)


def tables(spec: str, *typed: str, players: int = 3) -> list[str]:
    """Return what is on the screen before each thing that is typed, and at last."""
    said = run("play", spec, "--players", str(players), "--seed", "4", text="\n".join(typed) + "\n").stdout
    return said.split("\n> ")


def test_what_is_absent_false_or_still_nothing_is_left_out(spec: str) -> None:
    first, second, *_ = (screen.rpartition("\nYou ")[0] for screen in tables(spec, "wish 3"))
    for name in ("points", "wish", "hurried", "played", "dealer"):
        assert f"\n{name}" not in first, name
        assert f"{name}:" not in first, name
    assert "leader: you" in first
    assert "strong: hearts" in first
    assert "dealer: you" in second, "the state of a phase that runs, where its first value is not a plain one"
    assert "played:" not in second


def test_empty_places_are_in_one_line_and_families_under_their_name(spec: str) -> None:
    first = tables(spec, "wish 3")[0]
    assert "\nempty: trick, turned card, won cards, line\n" in first


def test_players_are_in_columns_from_the_viewer_on(spec: str) -> None:
    lines = tables(spec, "wish 3", players=4)[1].splitlines()
    place = next(n for n, line in enumerate(lines) if " ".join(line.split()) == "you player 2 player 3 player 4")
    assert lines[place + 1].split() == ["hand", "4", "4", "4", "4"]
    assert lines[place + 2].split() == ["wish", "3", "?", "?", "?"], "what the others wrote down stays theirs"


def test_a_row_names_the_player_of_each_card(spec: str) -> None:
    args = ("--players", "3", "--seat", "1=random", "--seat", "2=human", "--seed", "4")
    said = run("play", spec, *args, text="wish 3\n1\n").stdout
    row = next(line for line in said.splitlines() if line.startswith("trick "))
    assert row.split()[1] == "1"
    assert row.rstrip().endswith("(player 1)")


def test_long_open_zones_are_shortened_by_default(spec: str) -> None:
    short, whole = tables(spec, "table all")[:2]
    heap = next(line for line in short.splitlines() if line.startswith("heap"))
    assert heap.split()[:4] == ["heap", "17", "on", "top"]
    assert "(`table all`)" in heap
    full = next(line for line in whole.splitlines() if line.startswith("heap"))
    assert len(full.split()) == 2 + 17
    for name in ("trick", "turned", "points", "hurried: no"):
        assert f"\n{name}" in whole or f"   {name}" in whole, name


def test_many_copies_of_a_card_are_one_card_with_their_number() -> None:
    said = run("play", "dominion", "--seed", "1", "--seat", "2=random", text="table\n").stdout
    assert "  estate \N{MULTIPLICATION SIGN}14 go from the box to the supply pile (estate)\n" in said
    lines = [line.split() for line in said.splitlines()]
    assert ["supply", "pile", "(silver)", "40", "silver", "\N{MULTIPLICATION SIGN}40"] in lines


def test_unordered_zones_are_summed_up_by_suit() -> None:
    """In the endgame of Chalice and Wand the won cards are many."""
    result = run("play", CHALICE, "--seat", "1=random", "--seat", "2=random", "--seed", "5")
    line = next(line for line in result.stdout.splitlines() if line.startswith("won cards "))
    chalices, wands = (int(part.split()[1]) for part in line.split("  ")[-1].split(";")[0].split(", "))
    assert chalices + wands == int(line.split()[2])


def test_six_players_fit_into_an_ordinary_terminal(spec: str) -> None:
    for screen in tables(spec, "wish 3", players=6)[:2]:
        assert all(len(line.rstrip()) <= 100 for line in screen.splitlines())
        assert "player 6" in screen


def test_on_a_narrow_terminal_the_players_move_together() -> None:
    """The names of zones are long here, those of values are not."""
    game = load_text(TRICKS.replace("won[", "cards_that_were_taken["), 6)
    state = game.new_initial_state()
    rng = random.Random(4)
    while not state.is_terminal() and not state.observation(0).variables[1].value:
        state.resolve_chance(rng)
        state.apply_action(state.legal_actions()[0])
    for width, together in ((110, False), (70, True)):
        written = io.StringIO()
        drawing = TableDrawing(Painter(game), view(information_state(state, 0)))
        drawing.draw(Console(file=written, width=width))
        lines = written.getvalue().splitlines()
        heading = next(line for line in lines if "player 2  player 3  player 4  player 5  player 6" in line)
        assert (heading.index("you") < 12) is together


def test_games_in_which_everybody_sees_the_same_have_no_secrets() -> None:
    assert load(CHALICE, options={"hands": "open"}).perfect_information
    assert not load(CHALICE, options={"hands": "hidden"}).perfect_information
    assert not load_text(OFFERS, 2).perfect_information
    written = TRICKS.replace("hand[player]: cards, seen by owner", "hand[player]: cards, seen by all")
    assert not load_text(written, 2).perfect_information, "a wish is written down"
    said = written.replace("0..5 or none, seen by owner", "0..5 or none")
    assert load_text(said, 2).perfect_information
    at_once = said.replace("    for p in players\n        p chooses", "    at once p in players\n        p chooses")
    assert not load_text(at_once, 2).perfect_information, "what the others have decided is not known yet"


def test_every_value_that_is_seen_is_in_the_whole_table(spec: str) -> None:
    """`table all` leaves out no place and no variable that an observation has."""
    game = load_text(TRICKS, 3)
    state = game.new_initial_state()
    state.resolve_chance(random.Random(1))
    whole = tables(spec, "table all")[1]
    for zone in state.observation(0).zones:
        name = zone.name.partition("[")[0]
        assert name in whole, name
    for variable in state.observation(0).variables:
        if variable.value is not None:
            assert variable.name.partition("[")[0].replace("_", " ") in whole, variable.name
