"""Plain values come back as they were, and nothing else comes back."""

from __future__ import annotations

import json
import re

import attrs
import pytest

from grammar.forms import Tags
from grammar.source import Source, Span
from interpreter.analysis import types
from interpreter.analysis.card_faces import Face
from interpreter.engine.game_data import Spans
from interpreter.engine.outcome import Team
from interpreter.engine.packing import _CLASSES, Unpackable, packed, unpacked

VALUES = [
    None,
    True,
    -(10**30),
    0.5,
    float("inf"),
    'a "word" \n \u2660 \ud800',
    [1, True, None, [2]],
    (1, (2, [3]), ()),
    frozenset({"b", "a"}),
    frozenset(),
    {1: (2,), "x": {}},
    [True, 1, False, 0],
    types.Card(frozenset({"Trump", "Ace"})),
    types.Optional(types.Cards(frozenset({"Ace"}), 4)),
    types.Tuple((types.Int(0, 3), types.Int(), types.Bool(), types.Player(), types.Nothing())),
    types.Sequence(types.Player(), 3),
    Face("Ace", (1, False), "A", "the ace", None, 2),
    Team("north and south", (0, 2)),
]


def kinds(value: object) -> object:
    """Return the classes of a value and of all that is in it, since 1 == True and [] differs from ()."""
    if isinstance(value, dict):
        return dict, [kinds(item) for pair in value.items() for item in pair]
    if isinstance(value, list | tuple):
        return type(value), [kinds(item) for item in value]
    return type(value)


@pytest.mark.parametrize("value", VALUES, ids=[type(value).__name__ + str(place) for place, value in enumerate(VALUES)])
def test_a_value_comes_back(value: object) -> None:
    text = packed(value, {})
    assert "\n" not in text
    found = unpacked(text, ())
    assert found == value
    assert kinds(found) == kinds(value)


def test_each_class_in_a_game_that_is_kept_can_be_packed() -> None:
    """A class that is missing would be no error: games that have it would be compiled anew at every start."""
    named = {name for cls in _CLASSES.values() for f in attrs.fields(cls) for name in re.findall(r"[A-Z]\w+", f.type)}
    assert named - {"None", "Any", "Literal", "Type", "Value", "Spans"} <= set(_CLASSES)


def test_tags_of_a_line_come_back_as_a_tuple() -> None:
    found = unpacked(packed(Tags(("R1", "R2")), {}), ())
    assert (found, type(found)) == (("R1", "R2"), tuple)


def test_an_enumeration_comes_back_with_what_is_not_compared() -> None:
    suit = types.EnumType("Suit", ("clubs",), ("C",), {"strength": (types.Int(1, 8), (3,))})
    found = unpacked(packed(suit, {}), ())
    assert (found, found.texts, found.attributes) == (suit, suit.texts, suit.attributes)


def test_places_come_back_in_the_sources_that_are_at_hand() -> None:
    one, two = Source("one", "abc"), Source("two", "defgh")
    spans = [Span(two, 1, 3), Span(one, 0, 2), Span(two, 0, 1)]
    text = packed(Spans.of(spans), {one: 0, two: 1})
    again = Source("one", "abc"), Source("two", "defgh")
    found = unpacked(text, again)
    assert len(found) == 3
    assert [(s.source.name, s.text) for s in (found[n] for n in range(3))] == [
        ("two", "ef"), ("one", "ab"), ("two", "d"),
    ]  # fmt: skip
    assert found[1].source is again[0]


@pytest.mark.parametrize("value", [object(), len, {"x": [object()]}, 1j, bytearray(b"x"), type("Own", (), {})()])
def test_what_cannot_be_written_down_is_refused(value: object) -> None:
    with pytest.raises(Unpackable):
        packed(value, {})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        '{"os.system": ["true"]}',
        '{"()": 5}',
        '{"Int": [1, 2, 3]}',
        '{"()": [], "{}": []}',
        "{}",
        '{"spans": [[7], []]}',
    ],
)
def test_only_what_is_known_is_made(text: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, IndexError)):
        unpacked(text, ())


def test_what_is_written_down_is_plain_data() -> None:
    assert json.loads(packed((1, types.Int(0, None)), {})) == {"()": [1, {"Int": [0, None]}]}
