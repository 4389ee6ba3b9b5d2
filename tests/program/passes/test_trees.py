"""Each pass alone, from tree to tree: what goes in, and what comes out, told as `cardgame dump` tells it."""

from __future__ import annotations

import pytest

from interpreter import load_text
from interpreter.analysis import core
from interpreter.engine.game import Game
from interpreter.program.dump import Teller
from interpreter.program.layout import Layout
from interpreter.program.passes import Passes
from interpreter.program.passes.unswitch import Ask, Drop, Keep, Name, Way
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

CHOICE = """
phase choose
    player 1 chooses
        lay card c from hand[player 1] where {where}
            move c to table
"""

PASSES = ("inline", "fuse", "simplify", "membership", "tabulate", "hoist")


def game(asked: str, more: str = "", called: str = "a = 1") -> Game:
    return load_text(spec(RULES.format(asked=asked, more=more, called=called)))


def value(made: Game) -> core.Expr:
    found = next(d for d in made.rules.defines if d.name == "asked").value
    assert found is not None
    return found


def behind(asked: str, name: str) -> str:
    """Return an expression behind one pass alone."""
    made = game(asked)
    passes = Passes(made.rules, Layout.of(made.program), logged=False)
    alone = dict(zip(PASSES, [*(run for run, _ in passes.passes), passes.hoisting.run], strict=True))
    return Teller().expression(alone[name](value(made)))


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
        ("simplify", "not (not (a > 1))", "(a > 1)"),
        ("simplify", "not (a == 1)", "(a != 1)"),
        ("membership", "some c in table where c.suit == hearts", "(hearts is in values(c.suit for c in table))"),
        ("membership", "some c in table where c.suit == suit", "(some c in table where (c.suit == suit))"),
        ("membership", "some c in table where c.suit == suit and a > 1",
         "(some c in table where ((c.suit == suit) and (a > 1)))"),
        ("hoist", "some c in table where c.suit == suit or (no x in hand[player 1] where x.suit == suit)",
         "(some with t1 = (no x in hand[player 1] where (x.suit == suit)): c in table where ((c.suit == suit) or t1))"),
        ("hoist", "some c in table where c.suit == led or led == hearts",
         "(some with t1 = led: with t2 = (t1 == hearts): c in table where ((c.suit == t1) or t2))"),
        ("hoist", "some c in table where (no x in hand[player 1] where x.suit == c.suit)",
         "(some c in table where (no x in hand[player 1] where (x.suit == c.suit)))"),
    ],
)  # fmt: skip
def test_a_pass_gives_an_expression_that_comes_to_the_same(name: str, asked: str, told: str) -> None:
    assert behind(asked, name) == told


def test_what_depends_on_one_card_is_looked_up() -> None:
    told = behind("some c in table where c.suit == hearts or c is Jester", "tabulate")
    assert told == "(some c in table where tabulated(c, ((c.suit == hearts) or (c is Jester))))"
    assert behind("some c in table where c.suit == suit or c is Jester", "tabulate").count("tabulated") == 0


def test_nothing_is_moved_that_may_have_no_value() -> None:
    asked = "some c in table where a > 0 and (some x in box where x.rank == 4 / a rounded down)"
    assert " with " not in behind(asked, "hoist")
    hidden = "some c in table where c.suit == suit and (some x in stock where x.suit == hearts)"
    assert " with " in behind(hidden, "hoist"), "everybody sees the stock of this game"


def ways(where: str) -> str:
    """Return how the condition of an argument is divided."""
    made = game("1", CHOICE.format(where=where), "choose")
    tell = Teller()

    def told(way: Way) -> str:
        match way:
            case Keep(domain, condition):
                kept = "" if condition is None else f" where {tell.expression(condition)}"
                return f"keep {tell.expression(domain)}{kept}"
            case Drop():
                return "drop"
            case Ask(test, yes, no):
                return f"if {tell.expression(test)}: {told(yes)}; else: {told(no)}"
            case Name(local, named, then):
                return f"{tell.local(local)} = {tell.expression(named)}; {told(then)}"

    (choice,) = (s for s in made.rules.statements() if isinstance(s, core.Choice) and s.actions[0].args)
    return told(
        Passes(made.rules, Layout.of(made.program), logged=False, sets=True).unswitched(choice.actions[0].args[0])
    )


def test_what_is_the_same_for_all_cards_is_asked_in_front_of_the_loop() -> None:
    assert ways("a > 1 and c.suit == hearts") == (
        "t1 = hand[player 1]; if (a > 1): keep t1 where (c.suit == hearts); else: drop"
    )
    assert ways("c.suit == hearts") == "keep hand[player 1] where (c.suit == hearts)"
    assert ways("(some x in hand[player 1] where x.suit == hearts) and c.suit == hearts") == (
        "t1 = hand[player 1]; t2 = (all x in t1 where (x.suit == hearts)); if empty(t2): drop; else: keep t2"
    )
