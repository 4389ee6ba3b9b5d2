"""Each pass alone, from tree to tree: what goes in and what comes out, as `cardgame dump` prints it."""

from __future__ import annotations

import pytest

from interpreter import load_text
from interpreter.analysis import core
from interpreter.engine.game import Game
from interpreter.program.dump import CorePrinter
from interpreter.program.layout import Layout
from interpreter.program.optimise import Passes
from tests.program.playing import spec

RULES = """
define worth(c: card) = if c is Jester then 20 else c.rank
define heavy(c: card) = worth(c) > 3
define low(c: card) = not heavy(c)
define strong(p: player) = count(hand[p]) > 2
define led = (first c in table where c.suit is in Suit).suit
define void(h: cards) = no c in h where c.suit == led
define follows(c: card, h: cards) = c.suit == led or void(h)
define asked = {asked}
{more}
play
    {called}
    ask
"""

PASSES = ("inline", "fuse", "membership", "hoist")


def game(asked: str, more: str = "", called: str = "a = 1") -> Game:
    return load_text(spec(RULES.format(asked=asked, more=more, called=called)))


def value(made: Game) -> core.Expr:
    found = next(d for d in made.rules.defines if d.name == "asked").value
    assert found is not None
    return found


def behind(asked: str, name: str) -> str:
    """Return an expression behind one pass alone."""
    made = game(asked)
    passes = Passes(made.rules, Layout.of(made.program), tagged=False, masks=False)
    alone = dict(zip(PASSES, [run for run, _ in passes.passes], strict=True))
    return CorePrinter().text(alone[name](value(made)))


@pytest.mark.parametrize(
    ("name", "asked", "told"),
    [
        ("inline", "strong(player 2)", "(count(hand[player 2]) > 2)"),
        ("inline", "some c in table where low(c)", "(some c in table where low(c))"),
        ("inline", "void(table)",
         "(no c in table where (c.suit == (first c in table where (c.suit is in clubs..spades)).suit))"),
        ("fuse", "count(all c in (all x in table where x.suit == hearts) where c.suit == clubs)",
         "(count c in table where ((c.suit == hearts) and (c.suit == clubs)))"),
        ("fuse", "(all p in players where count(hand[p]) > 1) is empty",
         "(no p in players() where (count(hand[p]) > 1))"),
        ("fuse", "player 2 is in (all p in players where count(hand[p]) > 1)", "(count(hand[player 2]) > 1)"),
        ("membership", "some c in table where c.suit == hearts", "(hearts is in values(c.suit for c in table))"),
        ("membership", "some c in table where c.suit == suit", "(some c in table where (c.suit == suit))"),
        ("membership", "some c in table where c.suit == suit and a > 1",
         "(some c in table where ((c.suit == suit) and (a > 1)))"),
        ("hoist", "some c in table where c.suit == suit or (no x in hand[player 1] where x.suit == suit)",
         "(some with t1 = (no x in hand[player 1] where (x.suit == suit)): c in table where ((c.suit == suit) or t1))"),
        ("hoist", "some c in table where c.suit == led or led == hearts",
         "(some with t1 = led, with t2 = (t1 == hearts): c in table where ((c.suit == t1) or t2))"),
        ("hoist", "some c in table where (no x in hand[player 1] where x.suit == c.suit)",
         "(some c in table where (no x in hand[player 1] where (x.suit == c.suit)))"),
    ],
)  # fmt: skip
def test_a_pass_gives_an_expression_that_comes_to_the_same(name: str, asked: str, told: str) -> None:
    assert behind(asked, name) == told


def test_nothing_is_moved_that_may_have_no_value() -> None:
    asked = "some c in table where a > 0 and (some x in box where x.rank == 4 / a rounded down)"
    assert " with " not in behind(asked, "hoist")
    hidden = "some c in table where c.suit == suit and (some x in stock where x.suit == hearts)"
    assert " with " in behind(hidden, "hoist"), "everybody sees the stock of this game"
