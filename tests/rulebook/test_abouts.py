"""Texts of `about`: the rulebook prints them, the checker compares them with their rules, variants replace them."""

from __future__ import annotations

import pytest

from grammar.codes.sample import complete
from grammar.diagnostics import Diagnostic
from grammar.parser import parse
from grammar.source import Source
from grammar.unparse import unparse
from interpreter.analysis.checker import check_spec
from interpreter.loader import assemble
from interpreter.rulebook.page import markdown
from tests.rulebook.books import plain, text_book

RULES = """define rich(p: player) = points[p] >= 8 and limit > 3
option limit: 1..9 = 4
phase take_turn(p: player)
    p chooses
        play card c from hand[p]
            move c to table for p
        give card c from hand[p] where c is Jester
            move c to table for p
            points[p] += 2
result
    score p = count(q in players where q == p and rich(q))
"""


def found(about: str) -> list[Diagnostic]:
    """Return what is reported of a text, and not of other things."""
    checked = check_spec(assemble(Source("<text>", complete(about + "\n" + RULES)), None))
    return [d for d in checked.diagnostics if d.code in ("CG202", "CG242", "CG514")]


def printed(about: str) -> str:
    return text_book(complete(about + "\n" + RULES))


@pytest.mark.parametrize(("about", "said"), [
    ('about game "A game of the {trump}."', "\nA game of the trump.\n"),
    ('about phase take_turn "Use your {hand}."', "### Take turn\n\nUse your hand.\n"),
    ('about define rich "You are {rich} with 8 {points}, if {limit} is more than 3."',
     "- You are *rich* with 8 points, if 4 is more than 3. "),
    ('about card Jester "A `fool`."', "Written `J`. A `fool`. |"),
    ('about action give in phase take_turn "Give a {Jester} from your {hand} to the {table}: 2 {points}."',
     "- **Give**. Give a Jester from your hand to the table: 2 points.\n"),
])  # fmt: skip
def test_the_book_prints_a_text_with_its_own_names(about: str, said: str) -> None:
    text = printed(about)
    assert said in (text if "`fool`" not in about else text.replace("\\`", "`"))


def test_an_action_is_described_by_its_text() -> None:
    text = printed(
        'about action give in phase take_turn "Give a {Jester} from your {hand} to the {table}: 2 {points}."'
    )
    assert "**Give**. Give a Jester from your hand to the table: 2 points." in text


@pytest.mark.parametrize(("about", "message"), [
    ('about game "A game of {spades}."', "the rule has no `spades`"),
    ('about define rich "With 7 {points} and a {limit} over 3."', "the rule has no number 7"),
    ('about phase nowhere "Nothing."', "there is no phase `nowhere`"),
    ('about action take in phase take_turn "Nothing."', "there is no action `take` in a phase `take_turn`"),
    ('about card Jester "One."\nabout card Jester "Two."', "this is described twice"),
    ('about define rich "With 8 {points}."', "this text does not mention `limit` and `3`, which the rule needs"),
])  # fmt: skip
def test_a_text_that_does_not_fit_its_rule_is_reported(about: str, message: str) -> None:
    assert message in [d.message for d in found(about)]


def test_the_place_of_a_wrong_name_is_between_its_braces() -> None:
    (one,) = found('about game "A game of {spades}."')
    assert one.span.text == "{spades}"


def test_a_text_that_mentions_everything_is_fine() -> None:
    assert found('about define rich "With 8 {points} and a {limit} over 3."') == []


def test_the_text_of_an_action_mentions_each_note_that_limits_it() -> None:
    phase = "phase shout(p: player, in_turn: boolean)\n    p chooses\n        cry only if in_turn\n        stop\n"
    (one,) = found(f'about action cry in phase shout "Cry."\n{phase}')
    assert one.message == "this text does not mention `in_turn`, which the rule needs"
    assert found(f'about action cry in phase shout "Cry, if you are {{in_turn}}."\n{phase}') == []


def test_a_variant_replaces_a_text() -> None:
    assert "The higher card scores the difference" in markdown(plain("wizards_duel"))
    drinking = markdown(plain("variants/duel_drinking"))
    assert "the player of the lower card gets the difference" in drinking
    assert "The higher card scores the difference" not in drinking


@pytest.mark.parametrize("about", [
    'about game "A game."', 'about phase p "A phase."', 'about define d "A term."', 'about card C "A card."',
    'about action draw in phase p "An action."',
])  # fmt: skip
def test_a_text_is_printed_as_it_is_read(about: str) -> None:
    spec = parse(Source("<text>", f"cardgame 1\n\n{about}\n"))
    assert unparse(spec) == f"cardgame 1\n\n{about}\n"
