"""Names of specs are read as English words."""

from __future__ import annotations

import pytest

from interpreter.rulebook.words import (
    Phrase,
    article,
    capital,
    is_adjective,
    listing,
    number_of,
    plural,
    predicate,
    sentence,
    title,
    words,
)


def test_names_become_words() -> None:
    assert words("hand_size") == "hand size"
    assert words("HandSize") == "hand size"
    assert title("one_trick") == "One trick"
    assert capital("*taker* is") == "*Taker* is"
    assert sentence("it ends") == "It ends."
    assert sentence("either:") == "Either:"


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("card", "cards"),
        ("Number card", "Number cards"),
        ("die", "dice"),
        ("ability", "abilities"),
        ("day", "days"),
        ("ace", "aces"),
        ("box", "boxes"),
        ("choice of cards", "choices of cards"),
    ],
)
def test_a_noun_has_a_plural(one: str, many: str) -> None:
    assert plural(one) == many
    assert number_of("1", one) == f"one {one}"
    assert number_of("3", one) == f"3 {many}"


def test_articles_follow_the_sound() -> None:
    assert [article(w) for w in ("suit", "ace", "*opening*", "one-eyed jack", "unit")] == [
        "a suit", "an ace", "an *opening*", "a one-eyed jack", "a unit",
    ]  # fmt: skip


def test_lists_have_commas_and_a_joining_word() -> None:
    assert listing(["a"]) == "a"
    assert listing(["a", "b"]) == "a and b"
    assert listing(["a", "b", "c"], "or") == "a, b or c"
    assert listing(["a, b", "c", "d"]) == "a, b; c; and d"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("follows", "follows"),
        ("may_roll", "may roll"),
        ("is_shield", "is a shield"),
        ("has_won", "has won"),
        ("leadable", "is leadable"),
        ("beaten", "is beaten"),
        ("both", None),
        ("bonus", None),
    ],
)
def test_a_name_may_be_what_is_said_of_something(name: str, said: str | None) -> None:
    assert predicate(name) == said


def test_what_is_said_of_several_things_is_plural() -> None:
    assert predicate("follows", many=True) == "follow"
    assert predicate("is_shield", many=True) == "are shields"
    assert predicate("leadable", many=True) == "are leadable"


def test_adjectives_want_a_noun_behind_them() -> None:
    assert all(is_adjective(name) for name in ("won", "turned", "aside", "dummy_won", "playable"))
    assert not any(is_adjective(name) for name in ("stock", "seed", "hand", "table"))


def test_possession_is_short_for_short_phrases() -> None:
    assert Phrase("the leader").has("hand").text == "the leader's hand"
    assert Phrase("all players", True).has("hands").text == "all players' hands"
    assert Phrase("the first card of the trick").has("suit").text == "the suit of the first card of the trick"
    assert Phrase("that", whose="whose").has("suit").text == "whose suit"
