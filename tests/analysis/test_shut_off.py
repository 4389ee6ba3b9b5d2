"""What an option shuts off is no mistake: only what can be carried out in a setting is judged by its values."""

from __future__ import annotations

import pytest

from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from interpreter.loader import load_text

OPEN = (
    "option open = {open}\noption most: 0..9 = {most}\n"
    "zones\n    stock: pile, seen by if open then all else nobody\n    hand[player]: cards, seen by owner\n"
    "    table: row, seen by all\n"
    "phase take_turn(p: player)\n    p chooses\n        pass\n        play card c from hand[p]: move c to table\n"
)


def spec(lines: str, *, shut: bool) -> str:
    text = OPEN.format(open=str(shut).lower(), most=0 if shut else 5)
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    return complete(f"{text}play\n{body}    for p in players: take_turn(p)\n")


GUARDED = [
    "if not open: shuffle stock",
    "if open: nothing\nelse: shuffle stock",
    "if open\n    nothing\nelse\n    if 1 < 2: shuffle stock",
    "points[player 1] = if most > 0 then 10 / most rounded down else 0",
    "points[player 1] = if most == 0 then 0 else 10 / most rounded down",
    "if most > 0 and 10 / most rounded down > 1: points[player 1] = 1",
    "if most == 0 or 10 / most rounded down > 1: points[player 1] = 1",
    "if most > 0: points[player 1] = 10 / most rounded down",
    "if most > 0\n    for n in 1..most: points[player 1] += 1",
]


@pytest.mark.parametrize("lines", GUARDED)
def test_what_a_guard_shuts_off_is_not_judged_by_the_options_that_shut_it_off(lines: str) -> None:
    for shut in (False, True):
        state = load_text(spec(lines, shut=shut)).new_initial_state()
        assert not state.is_terminal()


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("shuffle stock", "CG324"),
        ("if open: shuffle stock", "CG324"),
        ("points[player 1] = 10 / most rounded down", "CG312"),
        ("points[player 1] = if most == 0 then 10 / most rounded down else 0", "CG312"),
        ("if not open: points[player 1] = absent", "CG201"),
        ("if not open: points[player 1] = true", "CG301"),
    ],
)
def test_what_can_be_carried_out_and_what_no_option_mends_is_judged(lines: str, code: str) -> None:
    with pytest.raises(SpecError) as caught:
        load_text(spec(lines, shut=True))
    assert code in {d.code for d in caught.value.diagnostics}


def test_a_mistake_that_depends_on_an_option_says_what_the_option_is() -> None:
    state = "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    won[1..2]: integer\n"
    text = complete(f"option many: 1..9 = 3\n{state}play\n    won[many] = 1\n    for p in players: take_turn(p)\n")
    with pytest.raises(SpecError) as refused:
        load_text(text)
    (told,) = refused.value.diagnostics
    assert told.code == "CG310"
    assert [label.text for label in told.labels] == ["here `many` is 3"]
