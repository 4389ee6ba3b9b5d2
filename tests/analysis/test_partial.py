"""A mistake of form does not hide the mistakes of names and types in the rest of a text, and makes no false ones."""

from __future__ import annotations

import pytest

from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from grammar.source import Source
from interpreter.loader import assemble
from tests.bundled import one_in

SOUND = """
phase take_turn(p: player)
    p chooses
        play card c from hand[p] where follows(c, p)
            move c to table for p
        pass
define follows(c: card, p: player) = c is Jester or some d in hand[p] where d == c
enum Side: left, right
option limit: 1..5 = 2
result
    score p = points[p] + limit
"""


def said(text: str) -> list[tuple[int, str]]:
    """Return the line and the code of each mistake of a text that cannot be parsed."""
    with pytest.raises(SpecError) as raised:
        assemble(Source("text", text), None)
    return [(d.span.line, d.code) for d in raised.value.diagnostics]


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_names_and_types_are_checked_beside_a_mistake_of_form() -> None:
    text = complete(SOUND.replace("pass", "pass (")).replace("points[p] + limit", "pionts[p] + limit")
    assert said(text) == [(line_of(text, "pass ("), "CG106"), (line_of(text, "pionts"), "CG201")]


def test_a_misspelt_word_of_the_language_is_read_as_what_was_meant() -> None:
    text = complete(SOUND.replace("play card c from hand[p] where", "play card c form hnad[p] where"))
    assert said(text) == [(line_of(text, "form"), "CG103")]
    text = complete(SOUND.replace("play card c from hand[p]", "play card c form hand[p]").replace("d == c", "d == 3"))
    assert said(text) == [(line_of(text, "form"), "CG103"), (line_of(text, "d == 3"), "CG302")]


def test_a_word_that_cannot_be_a_name_is_reported_once() -> None:
    text = complete(
        """
state
    trump: Suit or none = none
    points[player]: 0..100 = 0
    turn: 0..50 = 0
phase take_turn(p: player)
    turn += 1
    if turn > 3: say "{turn} turns"
    p chooses
        play card c from hand[p] only if turn < 40
            points[p] = turn + 1
"""
    )
    assert said(text) == [(line_of(text, "turn: 0..50"), "CG102")]


WHOLE = complete(SOUND.lstrip())
LINES = [n for n, line in enumerate(WHOLE.splitlines()) if line.strip() and n > 0]


@pytest.mark.parametrize("number", one_in(2, {f"{n} {WHOLE.splitlines()[n].strip()[:40]}": n for n in LINES}))
def test_a_damaged_line_causes_no_false_diagnostics_in_others(number: int) -> None:
    lines = WHOLE.splitlines()
    lines[number] += " ) )"
    assert {line for line, _ in said("\n".join(lines) + "\n")} == {number + 1}
