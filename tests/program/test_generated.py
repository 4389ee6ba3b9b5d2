"""Generated code: whatever it names is there."""

from __future__ import annotations

import dis
import re
import traceback
from types import CodeType

import pytest

from interpreter.engine.code import Code
from interpreter.loader import bundled_games, load_text
from tests import bundled

AT_ONCE = """cardgame 1
game "Pass"
    players 2
    at most 10 decisions
enum Suit: red "R", blue "B"
card Plain(suit: Suit, rank: 1..4) written "{suit}{rank}"
deck in stock
    1 of each Plain
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    at once p in players
        p chooses
            pass_on card c from hand[p]: move c to hand[next(p)]
result
    score p = count(hand[p])
"""


def _named(code: CodeType) -> set[str]:
    """Return the global names that code and the functions inside it read."""
    found = {str(i.argval) for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return found.union(*(_named(c) for c in code.co_consts if isinstance(c, CodeType)))


NOISE = re.compile(r"not \(not |\b0 \+ | [-+] 0\b(?!\.)|\+ 1\) - 1|\*\[\*")
"""What comes to the same without it."""


def _missing(text: str, code: Code) -> set[str]:
    return _named(compile(text, "<rules>", "exec")) - code.names.keys() - set(code.names["__builtins__"])


@pytest.mark.parametrize("name", [*bundled_games(), "at once"])
def test_generated_code_names_nothing_that_is_not_there_and_does_nothing_twice(name: str) -> None:
    game = load_text(AT_ONCE) if name == "at once" else bundled.game(name)
    text = game.generated().text
    assert _missing(text, game.code) == set()
    assert [line for line in text.splitlines() if NOISE.search(line)] == []


def test_a_traceback_shows_the_lines_of_the_rules() -> None:
    state = bundled.game("chalice_and_wand").new_initial_state()
    function = next(f for f in state.code.legal if f is not None)
    with pytest.raises(AttributeError) as caught:
        function(None, None, None)
    told = "".join(traceback.format_exception(caught.value))
    number = traceback.extract_tb(caught.tb)[-1].lineno
    assert number is not None
    assert f'File "{state.code.file}"' in told
    assert state.code.kept.text.splitlines()[number - 1].strip() in told
