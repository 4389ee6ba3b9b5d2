"""A rulebook of a setting speaks of that setting alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from grammar.ast import GameDecl, OptionDecl
from interpreter.loader import check
from interpreter.rulebook.book import write_book
from interpreter.rulebook.page import markdown
from interpreter.rulebook.settle import Settled, settle
from tests.bundled import EVERY, at_both_ends, only, signature_of
from tests.rulebook.books import EVERYTHING, text_book, tree

GAME = """cardgame 1

game "Small"
    players 2..4
option size: 2..4 = 3 "cards of a hand"
option way: plain | bold | mad = plain
option loud = false
enum Suit: sun, moon
card Number(suit: Suit, rank: 1..8) written "{suit}{rank}"
deck in stock
    1 of each Number where each.rank <= size * 2
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by if way == plain then owner else all
    heap: cards, seen by all
play
    for p in players: deal size * 2 - 1 from stock to hand[p]
    match way
        case plain: deal 1 from stock to heap           [R1]
        case bold: deal 2 from stock to heap            [R2]
        otherwise: shout
    if count(players) > 3 or loud: say "{size} cards"   [R3]
    else: say "a small round"                           [R4]
    murmur
    for p in players
        p chooses
            lay card c from hand[p] where loud or c.rank > extra
                move c to heap
            sing only if loud
            otherwise pass
phase shout
    if loud: say "mad"
phase murmur
    if loud: say "hush"
define extra = if way == bold then 3 else if loud then 2 else 0
result
    score p = count(hand[p]) + extra
"""


def small(players: int | None = None, **options: str | int | bool) -> str:
    return text_book(GAME, players, **options)


def test_an_open_option_has_its_standard_value_and_a_table_of_what_others_change() -> None:
    text = small()
    assert "| Hand of each player | in the hand | only the owner ◆ |" in text
    assert "Each player: draw 5 cards from the stock into your hand. ◆" in text
    assert "- **Way** (`way`): **plain** (standard), bold or mad.\n  - `bold` or `mad`: in" in text
    assert "- **Loud** (`loud`): on or **off** (standard).\n  - `on`:" in text
    assert "- **Size** (`size`): 2 to 4; standard: **3**. Cards of a hand.\n  - This changes numbers in" in text
    assert "option *" not in text


def test_a_fixed_option_has_no_mark_and_no_table() -> None:
    text = small(4, size=2, way="plain", loud=False)
    assert "Small is a card game for exactly 4 players." in text
    assert "This book is for these options:\n\n- Size: 2. Cards of a hand.\n- Way: `plain`.\n- Loud: off.\n" in text
    assert "8 cards" in text
    assert "Each player: draw 3 cards from the stock into your hand." in text
    assert "[R1]" in text
    assert "[R2]" not in text
    assert "small round" not in text
    assert "`sing`" not in text
    assert "◆" not in text
    assert "## Options" not in text
    assert "The *extra* is 0." in text


def test_a_phase_in_which_nothing_is_left_to_do_is_left_out() -> None:
    assert "hush" in small(loud=True)
    assert "hush" not in small(loud=False)
    assert "“mad”" not in small(way="mad", loud=False)
    assert "“mad”" in small(way="mad", loud=True)


def test_a_condition_that_always_holds_is_left_out() -> None:
    assert "**Lay** exactly 1 card from your hand to the heap.\n" in small(loud=True)
    assert "**Sing**: do nothing." in small(loud=True)


def test_a_line_of_the_deck_that_an_option_decides() -> None:
    always = "1 of each Number where each.rank <= size * 2"
    game = GAME.replace(always, "1 of each Number where not loud\n    2 of each Number(sun, _) where loud")
    assert "1 card of each suit and rank (16 cards)" in text_book(game, loud=False)
    assert "2 cards of each rank with the suit sun (16 cards)" in text_book(game, loud=True)
    assert "2 cards of each" not in text_book(game, loud=False)


def test_what_is_not_settled_stays_as_it_is() -> None:
    spec = tree(EVERY[0])
    assert settle(spec, Settled(), check(spec).info.copy()) == spec


def settings() -> Iterator[Any]:
    """Give books in which together each value of each option with words for values occurs; each changes all of them.

    The options of a variant are those of its base.
    """
    for name in [*EVERY, str(EVERYTHING)]:
        options = signature_of(name).declarations
        values = {o.name: o.choices or (("true", "false") if "boolean" in str(o.type) else ()) for o in options}
        worded = {option: given for option, given in values.items() if given}
        for row in range(max(map(len, worded.values()), default=0)):
            chosen = {option: given[(row + place) % len(given)] for place, (option, given) in enumerate(worded.items())}
            yield name, chosen


@pytest.mark.parametrize(("name", "chosen"), list(settings()))
def test_every_value_of_every_option_of_a_bundled_game_makes_a_book(name: str, chosen: dict[str, str]) -> None:
    settled = {option: value == "true" if value in ("true", "false") else value for option, value in chosen.items()}
    text = markdown(write_book(tree(name), check(tree(name), None, chosen), Settled(None, settled)))
    for declared in (item for item in tree(name).items if isinstance(item, OptionDecl) and item.name in chosen):
        value = chosen[declared.name]
        said = f"`{value}`" if declared.choices else {"true": "on", "false": "off"}[value]
        assert f"{declared.name.replace('_', ' ').capitalize()}: {said}." in text
        assert f"the option *{declared.name.replace('_', ' ')}*" not in text


@pytest.mark.parametrize("name", only("chalice_and_wand", "classics/love_letter"), ids=lambda n: n.rsplit("/", 1)[-1])
def test_the_least_and_the_greatest_number_of_players_make_a_book(name: str) -> None:
    game = next(i for i in tree(name).items if isinstance(i, GameDecl))
    (numbers,) = next(fact.values for fact in game.facts if fact.name == "players")
    low, high = numbers if isinstance(numbers, tuple) else (numbers, numbers)
    assert isinstance(low, int)
    assert isinstance(high, int)
    for players in at_both_ends(name):
        # Without the table of what options change: `test_books.py` writes that, which takes several times as long.
        text = markdown(write_book(tree(name), check(tree(name), players), Settled(players)))
        assert re.search(rf"game for exactly {players} player", text)
        rules, _, _ = text.partition("## Options")  # Authors write the texts of options.
        all_players = r"the number of players(?=[.,;:)]| (?:is|minus|plus|times|divided)\b)"  # and not some of them
        assert low == high or not re.search(all_players, rules)
