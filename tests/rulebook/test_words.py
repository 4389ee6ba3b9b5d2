"""Names of specs are read as English words."""

from __future__ import annotations

import pytest

from grammar.english import counted
from interpreter.english.clauses import Clause, There, joined
from interpreter.english.phrases import ALL, YOU, Phrase, named, whose
from interpreter.english.words import (
    article,
    capital,
    is_adjective,
    listing,
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
    assert counted(1, one, plural(one)) == f"1 {one}"
    assert counted(3, one, plural(one)) == f"3 {many}"


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
        ("follows", ("follow", "")),
        ("may_roll", ("may roll", "")),
        ("is_shield", ("be", "a shield")),
        ("has_won", ("have", "won")),
        ("leadable", ("be", "leadable")),
        ("beaten", ("be", "beaten")),
        ("both", None),
        ("bonus", None),
    ],
)
def test_a_name_may_be_a_predicate(name: str, said: tuple[str, str] | None) -> None:
    assert predicate(name) == said


def test_adjectives_need_a_noun_after_them() -> None:
    assert all(is_adjective(name) for name in ("won", "turned", "aside", "dummy_won", "playable"))
    assert not any(is_adjective(name) for name in ("stock", "seed", "hand", "table"))


def test_possession_is_short_for_short_phrases() -> None:
    assert Phrase("leader").has("hand").text == "the leader's hand"
    assert ALL.has("hands", plural=True).text == "the hands of all players"
    assert (
        Phrase("card", "the first", after="of the trick").has("suit").text == "the suit of the first card of the trick"
    )
    assert whose(human=False).has("suit").text == "whose suit"
    assert YOU.has("hand").text == "your hand"
    assert named("the player after you").has("score").text == "the score of the player after you"


def test_a_phrase_changes_its_determiner_and_number() -> None:
    card = Phrase("card", after="in the trick")
    assert card.under("no").text == "no card in the trick"
    assert card.under("a").text == "a card in the trick"
    assert card.as_plural().under("all").text == "all cards in the trick"
    assert Phrase("ace").under("a").text == "an ace"


def test_a_clause_agrees_with_its_subject_and_can_be_negated() -> None:
    assert Clause(YOU, "be", "the leader").text == "you are the leader"
    assert Clause(Phrase("leader"), "roll", "a die").negation().text == "the leader does not roll a die"
    assert Clause(YOU, "have", "a trump", negative="no trump").negation().text == "you have no trump"
    assert Clause(Phrase("suit"), "be", "hearts").under("must").text == "the suit must be hearts"
    assert There(Phrase("card")).text == "there is a card"
    assert There(Phrase("card").as_plural(), negated=True).text == "there are no cards"


def test_joined_clauses_leave_out_what_they_share() -> None:
    who = whose(human=True)
    empty = [Clause(who.has(place), "be", "empty") for place in ("hand", "stock")]
    assert joined("and", list(empty)).text == "whose hand and stock are empty"
    out = [Clause(YOU, "be", "the leader"), Clause(YOU, "be", "the dealer")]
    assert joined("or", list(out)).text == "you are the leader or the dealer"
    neither = joined("or", list(out)).negation()
    assert neither.text == "you are not the leader and are not the dealer"
