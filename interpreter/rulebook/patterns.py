"""Patterns in words: a kind of card, a card that only one face fits, a value, some numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grammar import expressions as ex
from interpreter.analysis.card_faces import Face
from interpreter.english.words import article, is_plural, listing, plural, spaced, words
from interpreter.rulebook.lexicon import Lexicon
from interpreter.rulebook.page import verbatim

MOST_FACES = 3
"""As many cards are named one by one."""

InWords = Callable[[ex.Expr], str]
"""Puts a value into words."""


def matching_faces(lexicon: Lexicon, pattern: ex.KindPattern) -> list[Face]:
    """Return the faces of one deck that a pattern fits; none where its arguments are not plain values."""
    kind = lexicon.rules.kinds.get(pattern.name)
    if kind is None:
        return []
    tests: list[range | None] = []
    for arg in pattern.args or ():
        if arg is None:
            tests.append(None)
        elif isinstance(arg, ex.NumberPattern):
            tests.append(range(arg.low, arg.high + 1))
        elif (value := lexicon.info.constant(arg)) is not None:
            tests.append(range(value, value + 1))
        else:
            return []
    faces = [f for f in lexicon.rules.faces if f.kind == pattern.name and f.owner in (None, 0)]
    return [f for f in faces if all(t is None or int(v) in t for t, v in zip(tests, f.values, strict=False))]


def face_name(face: Face) -> str:
    """Return what a card is called: its name where it has one of its own, with what is printed on it."""
    printed = f"`{verbatim(face.text)}`"
    return f"{verbatim(face.name)} ({printed})" if face.name not in (face.text, "") else f"the {printed}"


def kind_noun(lexicon: Lexicon, name: str) -> str:
    """Return what a card of a kind is called: a kind without attributes lends its name to its cards.

    Where all cards are of one kind, they are just cards.
    """
    if lexicon.one_kind and any(face.kind == name for face in lexicon.rules.faces):
        return "card"
    return spaced(name) if not lexicon.kinds[name].params else f"{spaced(name)} card"


def with_value(name: str, value: str) -> str:
    """Return an attribute with its value: "the rank 8", "4 to 10 pips"."""
    counted = is_plural(name) and value[:1].isdecimal()
    return f"{value} {words(name)}" if counted else f"the {words(name)} {value}"


def attribute_words(name: str, arg: ex.Expr | ex.NumberPattern, in_words: InWords) -> str:
    """Return what a card has: "the rank 8", "the suit hearts", "4 to 10 pips", what has a name of its own as that."""
    if isinstance(arg, ex.NumberPattern):
        value = str(arg.low) if arg.low == arg.high else f"{arg.low} to {arg.high}"
        if arg.low < arg.high and not is_plural(name):
            return f"a {words(name)} from {value}"
    else:
        value = in_words(arg)
    return value if value.startswith(("the ", "that ")) else with_value(name, value)


def described(lexicon: Lexicon, pattern: ex.Pattern, in_words: InWords, *, many: bool = False) -> str:
    """Return what something is that fits a pattern: "a Wizard", "the `S8`", "clubs", "from 2 to 5".

    With `many` it is said of several things: "Wizards".
    """
    if isinstance(pattern, ex.NumberPattern):
        return str(pattern.low) if pattern.low == pattern.high else f"from {pattern.low} to {pattern.high}"
    if pattern.name not in lexicon.kinds:
        return words(pattern.name) if lexicon.sort(pattern) in lexicon.enums else f"`{pattern.name}`"
    if not pattern.args:
        faces = [f for f in matching_faces(lexicon, pattern) if f.owner in (None, 0)]
        named_one = len(faces) == 1 and faces[0].name not in (faces[0].text, pattern.name, "")
        noun = kind_noun(lexicon, pattern.name)
        named_one = named_one and faces[0].copies == 1
        return face_name(faces[0]) if named_one else plural(noun) if many else article(noun)
    faces = matching_faces(lexicon, pattern)
    if 0 < len(faces) <= MOST_FACES:
        return listing([face_name(f) for f in faces], "or")
    parts = []
    for param, arg in zip(lexicon.kinds[pattern.name].params, pattern.args, strict=False):
        if arg is not None:
            parts.append(attribute_words(param.name, arg, in_words))
    suffix = f" with {listing(parts)}" if parts else ""
    noun = kind_noun(lexicon, pattern.name)
    return (plural(noun) if many else article(noun)) + suffix


def left_by(before: Sequence[ex.Pattern], pattern: ex.Pattern, lexicon: Lexicon, in_words: InWords) -> str:
    """Return what fits a pattern and none of those before it: "any other Wizard card"."""
    text = described(lexicon, pattern, in_words)
    if not any(_overlap(other, pattern, lexicon) for other in before):
        return text
    assert isinstance(pattern, ex.KindPattern)
    first, _, bare = text.partition(" ")
    if first in ("a", "an"):
        return f"any other {bare}"
    taken = [face for other in before if isinstance(other, ex.KindPattern) for face in matching_faces(lexicon, other)]
    left = [face_name(face) for face in matching_faces(lexicon, pattern) if face not in taken]
    return listing(left, "or") if left else text


def _overlap(one: ex.Pattern, other: ex.Pattern, lexicon: Lexicon) -> bool:
    """Whether something fits two patterns."""
    match one, other:
        case ex.KindPattern() as first, ex.KindPattern() as second if first.name == second.name in lexicon.kinds:
            faces = matching_faces(lexicon, first)
            return not second.args or any(face in faces for face in matching_faces(lexicon, second))
    return False
