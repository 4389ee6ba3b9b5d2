"""The syntax tree of a file of scenarios: what is put in place, who does what, and what must come of it.

The nodes keep the rules of `grammar.ast`.  `grammar.parser.parse_scenarios` makes them; whether the names mean
anything in the game is for `interpreter.drivers` to say.
"""

from __future__ import annotations

from typing import Literal

from grammar.expressions import Call, Condition, Expr, Node, node


@node
class Sentence(Node):
    """`match "W4 W3"`, `bid 3`, `take nothing` (no words): the verb of an action, and its arguments in order.

    A word is a String (cards), a Name, a Number, a Seat, a Bool or none.
    """

    verb: str
    words: tuple[Expr, ...] = ()


@node
class OptionGiven(Node):
    """`option hands = open`."""

    name: str
    value: Expr


@node
class GivenValue(Node):
    """`given leader = player 1`, `given score[player 2] = 40`; the target is a Name or an Index."""

    target: Expr
    value: Expr


@node
class GivenCards(Node):
    """`given hand[player 1, left] holds "C7 C2"`, `given top of stock holds "C10 W1"` (`zone` is an EndOf)."""

    zone: Expr
    cards: str


@node
class GivenCount(Node):
    """`given hand[player 2, right] holds 5 cards`: any of those that have no place yet."""

    zone: Expr
    count: Expr


@node
class GivenRandom(Node):
    """`given random 8, 3`: what the next `random` statements give, in order."""

    values: tuple[Expr, ...]


Given = GivenValue | GivenCards | GivenCount | GivenRandom


@node
class Does(Node):
    """`player 1 does discard nothing`."""

    player: Expr
    sentence: Sentence


@node
class Cannot(Node):
    """`player 2 cannot match "W4"`: it is not among the legal actions."""

    player: Expr
    sentence: Sentence


@node
class Can(Node):
    """`player 2 can match "W7"`: it is among the legal actions."""

    player: Expr
    sentence: Sentence


@node
class CanOnly(Node):
    """`player 2 can only match "W7", match "W4 W3"`: these are all the legal actions."""

    player: Expr
    sentences: tuple[Sentence, ...]


@node
class ChanceDoes(Node):
    """`chance does "C10"`: the outcome of a random event, by its text."""

    text: str


@node
class Expect(Node):
    """`expect leader == player 2`."""

    condition: Condition


@node
class ExpectCards(Node):
    """`expect hand[player 2, left] holds "W7 W1"` in any order; in that order if `zone` is an EndOf."""

    zone: Expr
    cards: str


@node
class ExpectToAct(Node):
    """`expect player 2 to act`."""

    player: Expr


@node
class ExpectOver(Node):
    """`expect game over`."""


@node
class ExpectResult(Node):
    """`expect score of player 1 == 42`, `expect returns of player 2 > 0`."""

    what: Literal["score", "returns"]
    player: Expr
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    value: Expr


@node
class ExpectWinners(Node):
    """`expect winners player 1, player 2`: these and no others; `expect no winners` (no players)."""

    players: tuple[Expr, ...] = ()


Expectation = Expect | ExpectCards | ExpectToAct | ExpectOver | ExpectResult | ExpectWinners
Step = Given | Does | Cannot | Can | CanOnly | ChanceDoes | Expectation


@node
class Scenario(Node):
    """`scenario "either of two matches" [E4, R16]` and its lines.

    `givens` are those before anything happens; later ones stand among the `steps`.  `players` None means that
    the game has only one number of players; `start` None means its beginning.
    """

    name: str
    players: int | None = None
    options: tuple[OptionGiven, ...] = ()
    start: Call | None = None
    givens: tuple[Given, ...] = ()
    steps: tuple[Step, ...] = ()


@node
class ScenarioFile(Node):
    """`scenarios 1 of "chalice_and_wand.cardgame"` and the scenarios."""

    version: int
    of: str
    scenarios: tuple[Scenario, ...] = ()
