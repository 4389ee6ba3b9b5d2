"""A rulebook of a setting speaks of that setting alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from grammar.ast import GameDecl, OptionDecl
from grammar.expressions import walk
from interpreter.loader import bundled_variants, check
from interpreter.rulebook.book import write_book
from interpreter.rulebook.page import markdown
from interpreter.rulebook.settle import Settled, settle
from tests.bundled import EVERY, at_both_ends, signature_of
from tests.rulebook.books import EVERYTHING, book, text_book, tree, write

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


def test_an_open_option_is_told_with_its_alternatives() -> None:
    text = small()
    assert "It depends on the option *way*:" in text
    assert "if the option *way* is `plain`, only its owner sees them, otherwise everybody sees them" in text
    assert "**Way** (`way`): `plain`, `bold` or `mad`; `plain` unless agreed otherwise." in text
    assert "cards in all" not in text


def test_a_settled_option_leaves_no_alternative() -> None:
    text = small(4, size=2, way="plain", loud=False)
    assert "A game for 4 players." in text
    assert "Played with these options: *size* is 2, *way* is `plain` and *loud* is off." in text
    assert "8 cards in all" in text
    assert "Deal 3 cards from the stock to each player's hand." in text
    assert "cards that only its owner sees, in no order" in text
    assert "[R1]" in text
    assert "[R2]" not in text
    assert "announce: “2 cards”" in text.lower()
    assert "small round" not in text
    assert "`sing`" not in text
    assert "option *" not in text
    assert "The *extra* is 0." in text


def test_a_phase_in_which_nothing_is_left_to_do_is_not_told() -> None:
    assert "Murmur" in small()
    assert "Murmur" not in small(loud=False)
    assert "Shout" not in small(way="mad", loud=False)
    assert "Shout" in small(way="mad", loud=True)


def test_a_condition_that_always_holds_is_not_told() -> None:
    assert "**Lay** one card from their hand (`lay CARD`). The card goes to the heap." in small(loud=True)
    assert "**Sing** (`sing`)" in small(loud=True)


def test_a_line_of_the_deck_that_an_option_decides_is_told_with_it_or_not_at_all() -> None:
    always = "1 of each Number where each.rank <= size * 2"
    game = GAME.replace(always, "1 of each Number where not loud\n    2 of each Number(sun, _) where loud")
    assert "- One of each Number card if the option *loud* is off\n" in text_book(game)
    assert "- 2 of each Number card with the suit sun if the option *loud* is on\n" in text_book(game)
    assert "- One of each Number card\n" in text_book(game, loud=False)
    assert "2 of each Number" not in text_book(game, loud=False)


def test_what_nothing_needs_is_told_only_where_nothing_is_settled() -> None:
    idle = (
        GAME
        + "define idle(p: player) =\n    if out_of(p) then 1\n    else 2\ndefine out_of(p: player) = hand[p] is empty\n"
    )
    assert "*idle*" in text_book(idle)
    assert "*idle*" not in text_book(idle, way="plain")


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
            yield pytest.param(name, chosen, marks=pytest.mark.soak if name in bundled_variants() else [])


@pytest.mark.parametrize(("name", "chosen"), list(settings()))
def test_every_value_of_every_option_of_a_bundled_game_makes_a_book(name: str, chosen: dict[str, str]) -> None:
    settled = {option: value == "true" if value in ("true", "false") else value for option, value in chosen.items()}
    text = markdown(write_book(tree(name), check(tree(name), None, chosen), Settled(None, settled)))
    for declared in (item for item in tree(name).items if isinstance(item, OptionDecl) and item.name in chosen):
        value = chosen[declared.name]
        assert f"the option *{declared.name.replace('_', ' ')}*" not in text
        told = f"`{value}`" if declared.choices else {"true": "on", "false": "off"}[value]
        assert f"(`{declared.name}`): {told}" in text


@pytest.mark.parametrize("name", EVERY, ids=lambda n: n.rsplit("/", 1)[-1])
def test_the_least_and_the_greatest_number_of_players_make_a_book(name: str) -> None:
    game = next(i for i in tree(name).items if isinstance(i, GameDecl))
    (numbers,) = next(fact.values for fact in game.facts if fact.name == "players")
    low, high = numbers if isinstance(numbers, tuple) else (numbers, numbers)
    assert isinstance(low, int)
    assert isinstance(high, int)
    for players in at_both_ends(name):
        text = write(tree(name), players)
        assert re.search(rf"^A game for {players} players", text, flags=re.MULTILINE)
        assert low == high or "the number of players" not in text
    assert len(list(walk(tree(name).items))) > 50
    assert book(name)
