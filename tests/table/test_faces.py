"""What cards look like: corners, suits, emblems, and options that name the cards on the table."""

from __future__ import annotations

import random

import pytest

from interpreter import load
from interpreter.loader import bundled_games
from interpreter.table.faces import COLOURS, EMBLEMS, NAMED, RED, SHAPES, card_texts, face_views, suit_views
from interpreter.table.information import Pending, information_state
from tests import bundled


def corners(name: str) -> dict[str, tuple[str, str | None]]:
    game = bundled.game(name)
    suits = suit_views(game)
    return {face.text: (face.corner, None if face.suit is None else suits[face.suit].name) for face in face_views(game)}


def test_the_corner_of_a_card_is_its_rank_and_its_suit_is_its_first_enumeration() -> None:
    """Unless another enumeration has the suits that people know."""
    assert corners("classics/president")["TC"] == ("T", "clubs")
    assert corners("classics/hearts")["TC"] == ("T", "clubs")
    assert corners("chalice_and_wand")["C10"] == ("10", "chalice")
    assert corners("classics/kuhn_poker")["2"] == ("2", None)
    tarot = corners("wizards_grimoire")
    assert (tarot["KnP"], tarot["AW"], tarot["T16"]) == (("Kn", "pentacles"), ("A", "wands"), ("T16", None))
    assert corners("classics/love_letter")["princess"] == ("8", "princess")


@pytest.mark.parametrize("name", bundled_games())
def test_suits_differ_in_more_than_their_colour(name: str) -> None:
    suits = suit_views(bundled.game(name))
    assert len({(suit.emblem, suit.initials) for suit in suits}) == len(suits)
    for suit in suits:
        known = suit.emblem in {emblem for emblem, _ in EMBLEMS.values()}
        assert known != (suit.emblem in SHAPES), suit
        assert bool(suit.initials) != known, suit


def test_a_suit_with_the_name_of_a_colour_has_that_colour() -> None:
    colours = {suit.name: suit.colour for suit in suit_views(bundled.game("classics/uno"))}
    assert {name: colours[name] for name in ("red", "green")} == {"red": RED, "green": "#1e7d3c"}
    for colour in (*COLOURS, *NAMED.values()):
        assert contrast_to_white(colour) >= 4.5, colour


def contrast_to_white(colour: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 1.05 / (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)


def test_columns_are_on_a_card_that_its_enumeration_names() -> None:
    guard = face_views(bundled.game("classics/love_letter"))[0]
    assert dict(guard.attributes) == {"role": "guard", "strength": "1", "copies": "5"}
    assert list(face_views(bundled.game("arcanity"))[0].attributes) == ["school", "rank"]


def pending(name: str, *words: str) -> Pending:
    state = bundled.game(name).new_initial_state()
    state.resolve_chance(random.Random(7))
    for word in words:
        state.apply_action(state.string_to_action(word))
        state.resolve_chance(random.Random(7))
    found = information_state(state, state.current_player()).pending
    assert found is not None
    return found


def test_options_name_their_cards_and_players() -> None:
    game = bundled.game("chalice_and_wand")
    options = pending("chalice_and_wand").options
    picks = [option for option in options if not option.ends]
    assert [game.faces[option.cards[0]].text for option in picks] == [option.words[-1] for option in picks]
    assert sum(option.ends for option in options) == 1
    asked = pending("classics/go_fish").options
    assert {option.players for option in asked} == {(1,)}
    assert all(option.verb == "ask" and not option.cards for option in asked)


def test_an_ability_is_read_from_the_steps_and_no_value_of_a_term_is() -> None:
    letter = card_texts(load("classics/love_letter"))
    assert letter["handmaid"] == "Mark the active player as safe."
    guess = "The active player: you guess another's card. If you can, you must accuse:"
    assert letter["guard"].startswith(guess)
    assert card_texts(load("classics/hearts")) == {}
