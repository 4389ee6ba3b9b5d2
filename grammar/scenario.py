"""The syntax tree of a file of scenarios: placed cards and values, actions, and expectations.

The nodes keep the rules of `grammar.ast`.  `grammar.parser.parse_scenarios` makes them; whether the names mean
anything in the game is for `interpreter.scenarios` to say.
"""

from __future__ import annotations

from typing import Literal

from grammar.expressions import Call, Condition, Expr, Node
from grammar.forms import form


@form("sentence", "{verb}[ {words*}]")
class Sentence(Node):
    """`match "W4 W3"`, `bid 3`, `take nothing` (no words): the verb of an action, and its arguments in order.

    A word is a String (cards), a Name, a Number, a Seat, a Bool or none.
    """

    verb: str
    words: tuple[Expr, ...] = ()


@form("option_given", "option {name} = {value}")
class OptionGiven(Node):
    """`option hands = open`."""

    name: str
    value: Expr


@form("given_value", "given {target} = {value}")
class GivenValue(Node):
    """`given leader = player 1`, `given score[player 2] = 40`; the target is a Name or an Index."""

    target: Expr
    value: Expr


@form("given_cards", 'given {zone} holds "{cards}"')
class GivenCards(Node):
    """`given hand[player 1, left] holds "C7 C2"`, `given top of stock holds "C10 W1"` (`zone` is an CardAt)."""

    zone: Expr
    cards: str


@form("given_count", "given {zone} holds {count} cards[ of {of}]")
class GivenCount(Node):
    """`given hand[player 2, right] holds 5 cards`: any of those that have no place yet.

    `of` is the zone of the deck that they are from (`5 cards of draw[player 2]`); None: from any that fits.
    """

    zone: Expr
    count: Expr
    of: Expr | None = None


@form("given_rest", "given {zone} holds `the rest`")
class GivenRest(Node):
    """`given discard holds the rest`: all cards that have no other place."""

    zone: Expr


@form("given_random", "given random {values*}")
class GivenRandom(Node):
    """`given random 8, 3`: what the next `random` statements give, in order."""

    values: tuple[Expr, ...]


@form("given_no_random", "given no random")
class GivenNoRandom(Node):
    """`given no random`: from here on nothing random happens, until another line gives it."""


Given = GivenValue | GivenCards | GivenCount | GivenRest | GivenRandom | GivenNoRandom


@form("does", "{player} does {sentence}")
class Does(Node):
    """`player 1 does discard nothing`."""

    player: Expr
    sentence: Sentence


@form("cannot", "{player} cannot {sentence}")
class Cannot(Node):
    """`player 2 cannot match "W4"`: it is not among the legal actions."""

    player: Expr
    sentence: Sentence


@form("can", "{player} can {sentence}")
class Can(Node):
    """`player 2 can match "W7"`: it is among the legal actions."""

    player: Expr
    sentence: Sentence


@form("can_only", "{player} `can only` {sentences*}")
class CanOnly(Node):
    """`player 2 can only match "W7", match "W4 W3"`: these are all the legal actions."""

    player: Expr
    sentences: tuple[Sentence, ...]


@form("chance_does", 'chance does "{text}"')
class ChanceDoes(Node):
    """`chance does "C10"`: the outcome of a random event, by its text."""

    text: str


@form("expect", "expect {condition}")
class Expect(Node):
    """`expect leader == player 2`."""

    condition: Condition


@form("expect_cards", 'expect {zone} holds "{cards}"')
class ExpectCards(Node):
    """`expect hand[player 2, left] holds "W7 W1"` in any order; in that order if `zone` is an CardAt."""

    zone: Expr
    cards: str


@form("expect_to_act", "expect {player} `to act`")
class ExpectToAct(Node):
    """`expect player 2 to act`."""

    player: Expr


@form("expect_over", "expect[ {negated!not}] `game over`")
class ExpectOver(Node):
    """`expect game over`, `expect not game over`."""

    negated: bool = False


@form("expect_said", 'expect[ {negated!not}] `said` "{words}"')
class ExpectSaid(Node):
    """`expect said "player 1 takes the trick"`: a `say` has shown these words since the last action.

    With `negated`, as in `expect not said ".."`, none has.
    """

    words: str
    negated: bool = False


@form("expect_shown", 'expect[ {negated!not}] "{cards}" `shown to` {player}')
class ExpectShown(Node):
    """`expect "C7 W2" shown to player 2`: a `show` has shown them these cards since the last action.

    With `negated`, as in `expect not ".." shown to player 2`, none has.
    """

    cards: str
    player: Expr
    negated: bool = False


@form("expect_result", "expect {what} of {player} {op} {value}")
class ExpectResult(Node):
    """`expect score of player 1 == 42`, `expect returns of player 2 > 0`."""

    what: Literal["score", "returns"]
    player: Expr
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    value: Expr


@form("expect_winners", "expect `winners` {players*}")
@form("expect_no_winners", "expect no `winners`")
class ExpectWinners(Node):
    """`expect winners player 1, player 2`: these and no others; `expect no winners` (no players)."""

    players: tuple[Expr, ...] = ()


Expectation = Expect | ExpectCards | ExpectToAct | ExpectOver | ExpectSaid | ExpectShown | ExpectResult | ExpectWinners


@form("repeated", "repeat {times} `times`{steps*:LINES}")
class Repeated(Node):
    """`repeat 3 times` and the steps below it."""

    times: int
    steps: tuple[Step, ...]


Step = Given | Does | Cannot | Can | CanOnly | ChanceDoes | Expectation | Repeated


class Scenario(Node):
    """`scenario "either of two matches" [E4, R16]` and its lines; or a `setup`, which scenarios begin with.

    `setup` is the name of the set-up that it begins with.  `givens` are those before anything happens; later ones stand
    among the `steps`.  `players` None means as few as possible; `start` None means the beginning of the play.
    """

    name: str
    setup: str | None = None
    players: int | None = None
    options: tuple[OptionGiven, ...] = ()
    start: Call | None = None
    givens: tuple[Given, ...] = ()
    steps: tuple[Step, ...] = ()


class ScenarioFile(Node):
    """`scenarios 1 of "chalice_and_wand.cardgame"` and the scenarios."""

    version: int
    of: str
    scenarios: tuple[Scenario, ...] = ()
    setups: tuple[Scenario, ...] = ()
