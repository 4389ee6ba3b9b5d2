"""What can be typed is what is shown: numbers where they are only numbers, words where numbers mean something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter import load, load_text
from interpreter.table.choices import in_short
from interpreter.table.understanding import short_texts
from tests.cli.running import OFFERS, run, write

POWERS = """cardgame 1

game "Powers"
    players 2

card Power(number: 1..9) written "{number}"
    named "The Sun", "The Moon", "The Star", "Death", "Strength", "The Hanged Man", "The Hermit", "Justice", "Stone"

deck in stock
    1 of each Power

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    laid:         row, seen by all
    gone:         cards, seen by all

play
    shuffle stock
    for p in players: deal 4 from stock to hand[p]
    for n in 1..3, p in players
        p chooses "{you} lay or drop a card"
            lay_down card c from hand[p]
                move c to laid for p
            drop card c from hand[p]
                move c to gone
            stay

result
    score p = count(c in laid where player_of(c) == p)
"""
"""A game whose cards are numbers, with names."""


@pytest.fixture
def powers(tmp_path: Path) -> str:
    return write(tmp_path / "powers.cardgame", POWERS)


def hand_of(screen: str) -> dict[str, str]:
    """Return the cards of the hand with their names, as the table shows them."""
    line = next(line for line in screen.splitlines() if line.startswith("your hand"))
    listed = re.sub(r"^your hand +\d+ +", "", line.rstrip())
    return dict(card.split(" ", 1) for card in listed.split(", "))


def start(spec: str) -> dict[str, str]:
    return hand_of(run("play", spec, "--seed", "2", text="quit\n").stdout)


def test_cards_that_are_numbers_are_typed_as_they_are_and_choices_have_none(powers: str) -> None:
    hand = start(powers)
    screen = run("play", powers, "--seed", "2", text="quit\n").stdout
    named = ", ".join(f"{card} {name}" for card, name in hand.items())
    assert f"  lay down (from your hand): {named}\n" in screen
    assert f"  drop (from your hand): {named}\n" in screen
    assert "\n  stay\n" in screen
    for card in hand:
        said = run("play", powers, "--seed", "2", text=f"drop {card}\n").stdout
        assert f"You drop {card} " in said
    absent = next(str(n) for n in range(1, 10) if str(n) not in hand)
    refused = run("play", powers, "--seed", "2", text=f"drop {absent}\n").stdout
    assert f"There is no `{absent}` in your hand" in refused


def test_a_bare_word_that_two_actions_could_mean_is_refused(powers: str) -> None:
    card = next(iter(start(powers)))
    assert f"`{card}` is not possible here; you can: lay_down, drop, stay" in run(
        "play", powers, "--seed", "2", text=f"{card}\n"
    ).stdout.replace("\n", " ")


def test_cards_can_be_typed_by_their_names(powers: str) -> None:
    for card, name in start(powers).items():
        short = name.lower().removeprefix("the ")
        for typed in (name, name.upper(), short, f"{short[:-1]}"):
            said = run("play", powers, "--seed", "2", text=f"drop {typed}\n").stdout
            assert f"You drop {card} ({name}) to the gone" in said, typed


def test_help_explains_a_card_by_its_text_and_by_its_name(powers: str) -> None:
    said = run("play", powers, "--seed", "2", text="? 4\n? death\n? hanged man\nquit\n").stdout
    assert said.count("Death (4): a Power card with the number 4; the deck has one.\n") == 2
    assert "The Hanged Man (6): a Power card" in said
    duel = run("play", "wizards_duel", "--seed", "2", text="? death\nquit\n").stdout
    assert duel.count("Death (T13): a Trump card") == 1, "both decks have the card, and it is explained once"


def test_a_misspelt_name_is_put_right(powers: str) -> None:
    plain = [(card, name) for card, name in start(powers).items() if " " not in name]
    assert plain
    for card, name in plain:
        said = run("play", powers, "--seed", "2", text=f"drop {name}x\n").stdout
        assert f"No card is called `{name}x`" in said
        assert f"Did you mean `drop {card}`?" in said


def test_a_name_must_mean_one_card() -> None:
    game = load_text(POWERS, 2)
    assert short_texts(game, ("3", "5", "9"), ["lay", "st"]) == ["lay", "st"], "Star, Strength or Stone"
    assert short_texts(game, ("5", "6"), ["lay", "st"]) == ["lay", "5"]
    assert short_texts(game, ("1", "2"), ["the", "hanged", "man", "and", "death"]) == ["6", "and", "4"]
    assert short_texts(game, (), ["7", "the"]) == ["7", "the"]
    plain = load("chalice_and_wand")
    assert short_texts(plain, ("C1",), ["C1", "the"]) == ["C1", "the"]


def test_a_number_is_a_number_of_the_list_where_it_means_nothing_else(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    play = ("play", spec, "--seed", "1", "--option", "held=2")
    screen = run(*play, text="3\n").stdout
    assert "  bid: 0 to 9\n" in screen
    assert "You bid 3" in screen
    numbered = re.findall(r"^  (\d)  reveal (\w+)$", screen, re.MULTILINE)
    assert [n for n, _ in numbered] == ["1", "2"]
    for number, card in numbered:
        assert f"You reveal {card}" in run(*play, text=f"3\n{number}\n").stdout


def test_players_are_typed_by_number_or_by_name(tmp_path: Path) -> None:
    asked = OFFERS.replace("bid n from 0..9                  [R1]\n            offered[p] = n",
                           "ask q from players where q != p\n            offered[p] = 1")  # fmt: skip
    spec = write(tmp_path / "ask.cardgame", asked)
    for typed in ("3", "player 3", "ask 3", "ask player 3", "a player3"):
        screen = run("play", spec, "--players", "3", "--seed", "1", text=f"{typed}\n").stdout
        assert "  ask (a player): 2 3\n" in screen
        assert "You ask player 3" in screen, typed


def test_long_runs_of_numbers_are_shown_by_their_ends() -> None:
    assert in_short(tuple(map(str, range(21)))) == ["0 to 20"]
    assert in_short(("1", "2", "3", "W", "5", "7", "8")) == ["1", "2", "3", "W", "5", "7", "8"]
    assert in_short(("pass", *map(str, range(3, 10)), "12")) == ["pass", "3 to 9", "12"]
    assert in_short(()) == []


def test_a_single_action_is_taken_and_announced_unless_requested(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    taken = run("play", spec, "--seed", "1", text="3\n")
    assert re.search(r"Only one action is possible: reveal (\w+)\.", taken.stdout)
    assert "The play is over." in taken.stdout
    asked = run("play", spec, "--seed", "1", "--ask-all", text="3\n")
    assert re.search(r"Only one action is possible, Enter takes it: reveal \w+\n", asked.stdout)
    assert "The play is not over" in asked.stdout
    ended = run("play", spec, "--seed", "1", "--ask-all", text="3\n\n")
    assert "The play is over." in ended.stdout
    assert ended.stdout.splitlines()[-2:] == taken.stdout.splitlines()[-2:]


def test_a_taken_action_is_in_saves_and_transcripts_as_any_other(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    run("play", spec, "--seed", "1", "--transcript", "taken.txt", text="3\n")
    run("play", spec, "--seed", "1", "--ask-all", "--transcript", "asked.txt", text="3\n\n")
    assert Path("taken.txt").read_text(encoding="utf-8") == Path("asked.txt").read_text(encoding="utf-8")
    assert run("replay", "taken.txt").exit_code == 0


def test_undo_goes_back_to_what_was_really_decided(tmp_path: Path) -> None:
    """The card that is revealed first was no choice; the bid was."""
    twice = OFFERS.replace("    for p in players: reveal_one(p)\n",
                           "    for p in players: reveal_one(p)\n    for p in players: offer(p)\n")  # fmt: skip
    spec = write(tmp_path / "twice.cardgame", twice)
    said = run("play", spec, "--seed", "1", text="3\nundo\n5\n").stdout
    assert said.count("Only one action is possible: reveal") == 2
    before, after = said.split("Taken back.")
    assert "You bid 3" in before
    assert "You bid 5" in after
    asked = run("play", spec, "--seed", "1", "--ask-all", text="3\n\nundo\n\n").stdout
    assert "You bid 3" not in asked.split("Taken back.")[1].split("Only one action")[1]


def test_several_people_confirm_even_a_single_choice(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    said = run("play", spec, "--seed", "1", "--seat", "2=human", text="3\n4\n\n").stdout
    assert "Only one action is possible:" not in said
    assert said.count("Only one action is possible, Enter takes it") == 2


def test_a_file_of_actions_has_a_line_for_every_decision(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    screen = run("play", spec, "--seed", "1", "--actions", "-", text="bid 3\n").stdout
    assert "Only one action is possible, Enter takes it" in screen
    assert "standard input ends here, after line 1" in " ".join(screen.split())


def test_a_refusal_names_what_is_possible_and_what_the_beginning_of_a_word_can_mean(tmp_path: Path) -> None:
    text = """cardgame 1
game "Stalls"
    players 2
card Fig(size: 1..3) written "F{size}"
card Ox written "OX"
deck in stock
    1 of each Fig
    1 of Ox
zones
    stock: pile, seen by nobody
    hand[player]: cards at most 4, seen by owner
    market: cards, seen by all
play
    deal 4 from stock to hand[player 1]
    for p in players: trade(p)
phase trade(p: player)
    p chooses
        rest: nothing
        swap_all only if market is not empty: nothing
        drop card c from hand[p]: move c to market
        barter 2 cards taken from hand[p], 1 cards given from hand[p]: move taken + given to market
result
    score p = count(hand[p])
"""
    path = tmp_path / "stalls.cardgame"
    path.write_text(text)
    said = " ".join(run("play", str(path), "--seat", "2=random", text="foo\ndrop F\nrest 3\nquit\n").stdout.split())
    assert "you can: rest, drop, barter." in said
    assert "`F` can be F1 or F2 or F3: type more of it" in said
    assert "`F3` is too much: nothing follows `rest`" in said
    assert "barter TAKEN GIVEN" in said or "barter F1" in said
