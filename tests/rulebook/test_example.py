"""The worked example of a rulebook has the numbers of the engine."""

from __future__ import annotations

import re

import pytest

from grammar.source import Source
from interpreter import load
from interpreter.analysis.files import bundled_folder
from interpreter.english.words import integer
from interpreter.loader import assemble, bundled_games, game_of
from interpreter.records.session import Session, random_agents
from interpreter.records.worked_example import worked_example
from interpreter.rulebook.page import markdown
from tests.rulebook.books import book, write

MINUS = "\N{MINUS SIGN}"
GAMES = bundled_games()


def example(name: str) -> str:
    """Return the part of a book with the example."""
    return re.split(r"### (?:[\d.]+ )?Example", book(name))[1].partition("\n## ")[0]


@pytest.mark.parametrize("name", GAMES)
def test_scores_and_winners_are_those_of_the_play(name: str) -> None:
    text = example(name)
    game = load(name)
    seed = int(re.search(r"seed (\d+)", text)[1])  # type: ignore[index]
    outcome = Session(game, random_agents(game, seed), seed, take_forced=True).play()
    rows = text.partition("The game ends like this:\n\n")[2].partition("\n\n")[0].splitlines()[2:]
    last = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if row]
    if outcome.cooperative:
        assert [row[-1] for row in last] == [f"**{outcome.scores[0]}**"]  # type: ignore[index]
        return
    assert tuple(n for n, row in enumerate(last) if row[-1] == "wins") == outcome.winners
    if outcome.scores is not None:
        sign = -1 if "lowest" in book(name).split("\n\n")[2] and max(outcome.scores) <= 0 else 1
        assert [row[-2].strip("*") for row in last] == [integer(sign * s) for s in outcome.scores]


@pytest.mark.parametrize("name", GAMES)
def test_every_change_leads_from_the_number_before_to_the_number_after(name: str) -> None:
    numbers = re.findall(
        r"\| [^|]+ \| [^|]+ \| (-?\d+) \| ([+-]?\d+)[^|]* \| (-?\d+) \|", example(name).replace(MINUS, "-")
    )
    assert all(int(before) + int(change) == int(after) for before, change, after in numbers)


def test_a_sum_over_cards_is_shown_card_by_card() -> None:
    assert "| 1 | score | 0 | +2 (`8H`: 1; `QH`: 1) | 2 |" in example("classics/hearts")


def test_all_cards_that_count_are_shown() -> None:
    text = example("chalice_and_wand")
    cards = [int(n) for n in re.findall(r"`[CW](\d+)`", text)]
    assert f"**{sum(cards)}**" in text


def test_a_score_that_is_minus_a_count_of_cards_keeps_its_sign() -> None:
    assert f"| **{MINUS}" in example(str(bundled_folder() / "starters" / "shedding.cardgame"))


def test_each_way_to_end_has_a_play() -> None:
    text = example("classics/leduc_poker")
    ways = ["The game ends at once when player", "The game goes on to the last step of the sequence of play."]
    assert all(text.count(way) == 1 for way in ways)
    assert text.count("The game ends like this:") == 2
    assert "Another play" not in example("classics/kuhn_poker")


def test_cards_that_a_rule_names_are_in_the_index() -> None:
    index = book("wizards_duel").partition("Index of terms\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| (\w.*?) \(`(T\d+)`\)", index, flags=re.MULTILINE) == [
        ("Death", "T13"),
        ("The Fool", "T0"),
        ("The Moon", "T18"),
        ("The Sun", "T19"),
    ]


def test_the_words_for_a_part_address_the_player_whose_number_it_is() -> None:
    spec = """cardgame 1
game "Bank"
    players 2
state
    chips[player]: -50..50
    stake[player]: 0..9
play
    player 2 chooses
        stake n from 3..3: stake[player 2] = n
    for p in players where p != player 1
        pay(p, 2 * stake[p])
phase pay(p: player, n: 0..20)
    chips[p] -= n - 1
    chips[player 1] += n - 1
result
    score p = chips[p]
"""
    tree = assemble(Source("<text>", spec), None)
    game = game_of(tree)
    text = markdown(write(tree, lambda phrases: worked_example(game, phrases)))
    assert f"| 2 | chips | 0 | {MINUS}5 (2 times your stake: 6; {MINUS}1) | {MINUS}5 |" in text
    assert f"| 1 | chips | 0 | +5 (2 times player 2's stake: 6; {MINUS}1) | 5 |" in text
