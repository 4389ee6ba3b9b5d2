"""The syntax tree of statements: what a phase does, step by step.

See `grammar.ast` for the rules that all nodes keep.
"""

from __future__ import annotations

from typing import Literal

from grammar import expressions
from grammar.forms import form


class Statement(expressions.Node, kw_only=True):
    """The base class of statements; `openly` is whether that word precedes the statement."""

    openly: bool = False


@form("let let_line", "let {name} = {value}")
class Let(Statement):
    """`let total = sum(c.value for c in rite)`."""

    name: str
    value: expressions.Expr


@form("let_variable", r"let {name}[\[{indices}\]]: {type}[ = {initial}]")
class LetVariable(Statement):
    """`let best: 0..30 = 0`, `let held[Rank]: 0..4`: a variable of the block, which no player sees."""

    name: str
    indices: tuple[expressions.TypeExpr, ...]
    type: expressions.TypeExpr
    initial: expressions.Expr | None = None


@form("assign", "{target:POSTFIX} = {value}", op="=")
@form("change", "{target:POSTFIX} {op} {value}")
class Assign(Statement):
    """`leader = partner`, `score[p] += 2`, `hints -= 1`; the target is a Name or an Index."""

    target: expressions.Expr
    op: Literal["=", "+=", "-="]
    value: expressions.Expr


@form("do", "{call}")
class Do(Statement):
    """`redraw(p)`, `endgame`: carry out a phase."""

    call: expressions.Call


@form("target_place", "place {number:SUM}")
class Place(expressions.Node):
    """`place 3`: where a card goes, counted from the top of a pile or the front of a row."""

    number: expressions.Expr


Spot = Literal["top", "bottom"] | Place
"""Where in a zone cards go."""


@form("move", "move {cards:MOVABLE} to [{=at} of ]{target:POSTFIX}[ face {face}][ for {played_by:POSTFIX}]")
class Move(Statement):
    """`move led to rite`, `move c to bottom of stock face down`, `move c to place 3 of stock`."""

    cards: expressions.Expr
    target: expressions.Expr
    at: Spot | None = None
    face: str | None = None
    played_by: expressions.Expr | None = None


@form("deal", "deal[ {exactly!}] {count:SUM} from {origin:PLACE} to [{=at} of ]{target:POSTFIX}[ face {face}]")
class Deal(Statement):
    """`deal 5 from stock to hand[p]`, `deal exactly 1 from stock to turned face up`."""

    count: expressions.Expr
    origin: expressions.Expr
    target: expressions.Expr
    exactly: bool = False
    at: Spot | None = None
    face: str | None = None


@form("shuffle", "shuffle {cards:POSTFIX}[ into {into:POSTFIX}]")
class Shuffle(Statement):
    """`shuffle stock`, `shuffle discard[p] into draw[p]`."""

    cards: expressions.Expr
    into: expressions.Expr | None = None


@form("random", "random {arg}")
class Random(Statement):
    """`random die from 1..12`, `random card c from hand[p]`, `random rolled[p] from 1..6`: chance chooses.

    `into` is what is set, where that is not a plain name; a plain name is one that is given, or a variable.
    """

    arg: expressions.Arg
    into: expressions.Expr | None = None


@form("swap", "swap {first:POSTFIX} with {second:POSTFIX}")
class Swap(Statement):
    """`swap off[p] with def[p]`: two zones exchange all their cards."""

    first: expressions.Expr
    second: expressions.Expr


@form("rotate", "`rotate` {zones:POSTFIX} {direction}")
class Rotate(Statement):
    """`rotate hand[players] left`: each of several zones takes the cards of its neighbour, all at once."""

    zones: expressions.Expr
    direction: str


@form("turn", "turn {cards:MOVABLE} face {face}")
class Turn(Statement):
    """`turn hand[p] face up`."""

    cards: expressions.Expr
    face: str


@form("show", "show {cards:MOVABLE} to {to:POSTFIX}")
@form("shown_to_all", "show {cards:MOVABLE} to all")
class Show(Statement):
    """`show hand[p] to all`, `show c to q`; `to` None means everybody."""

    cards: expressions.Expr
    to: expressions.Expr | None = None


@form("say", 'say "{text}"')
class Say(Statement):
    """`say "{p} makes a rite"`."""

    text: str


@form("end", "end {what}")
@form("end_game", "end game", what="game")
class End(Statement):
    """`end game`, `end one_round`."""

    what: str


@form("nothing", "nothing")
class Nothing(Statement):
    """`nothing`: no effect, where a rule says that there is none (`otherwise: nothing`)."""


@form("if_", "if {condition:OPEN}{then:BODY}")
class If(Statement):
    """`if c: s` with `else`; `else if` is an If alone in `otherwise`."""

    condition: expressions.Condition
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@form("case", "case {patterns}{body:BODY}")
class Case(expressions.Node):
    """`case chalice, wand: s`."""

    patterns: tuple[expressions.Pattern, ...]
    body: tuple[Stmt, ...]


@form("match", "match {subject:SUM}{cases*:LINES}[otherwise{otherwise:BODY}]")
class Match(Statement):
    """`match c.suit` with its cases and `otherwise`."""

    subject: expressions.Expr
    cases: tuple[Case, ...]
    otherwise: tuple[Stmt, ...] | None = None


@form("for_", "for {selections*}{body:BODY}")
class For(Statement):
    """`for p in players from leader, s in Side: s`."""

    selections: tuple[expressions.Selection, ...]
    body: tuple[Stmt, ...]


@form("while_", "while {condition:OPEN}{body:BODY}")
class While(Statement):
    """`while stock is not empty` and a block."""

    condition: expressions.Condition
    body: tuple[Stmt, ...]


@form("repeat", "repeat {body} until {until:OPEN}")
@form("repeat_block", "repeat{body*:LINES}until {until:OPEN}")
class Repeat(Statement):
    """`repeat one_round until c`, or `repeat`, a block, and `until c`."""

    body: tuple[Stmt, ...]
    until: expressions.Condition


@form("at_once", "`at once` {selection}{body:BODY}")
class AtOnce(Statement):
    """`at once p in players` and a choice: all decide before anybody sees what the others did."""

    selection: expressions.Selection
    body: tuple[Stmt, ...]


@form("in_turn", "`in turn` {selection}{body:BODY}")
class InTurn(Statement):
    """`in turn p in players from leader where P` and a block: a turn for each, until nobody is due."""

    selection: expressions.Selection
    body: tuple[Stmt, ...]


@form("reopen", "reopen")
class Reopen(Statement):
    """`reopen`: all others of the innermost `in turn` that runs are due once more."""


@form("together", "together{body*:LINES}")
class Together(Statement):
    """`together` and a block: one step for the `whenever` rules."""

    body: tuple[Stmt, ...]


@form("action", "{verb}[ {args}][ `such that` {such_that:OPEN}][ `only if` {only_if:OPEN}]{body:BODY}")
class Action(expressions.Node):
    """`discard any cards thrown from hand[p] such that c only if d` and its effect."""

    verb: str
    args: tuple[expressions.Arg, ...] = ()
    such_that: expressions.Condition | None = None
    only_if: expressions.Condition | None = None
    body: tuple[Stmt, ...] = ()


@form("choice", '{player:POSTFIX} chooses[ {secretly!}][ "{prompt}"]{actions*:LINES}[otherwise {otherwise:LINES}]')
class Choice(Statement):
    """`p chooses ["{you} discard"]` and its actions; `otherwise` is offered when no other is possible."""

    player: expressions.Expr
    actions: tuple[Action, ...]
    otherwise: Action | None = None
    prompt: str | None = None
    secretly: bool = False


Stmt = (
    Let | LetVariable | Assign | Do | Move | Deal | Shuffle | Random | Swap | Rotate | Turn | Show | Say | End
    | If | Match | For | While | Repeat | Choice
    | AtOnce | InTurn | Reopen | Together | Nothing
)  # fmt: skip


def branches(stmt: Stmt) -> If | None:
    """Return a move or deal whose target depends on conditions as an `if` with a move in each branch, else None."""
    match stmt:
        case Move(target=expressions.Chain(alternatives=links)) | Deal(target=expressions.Chain(alternatives=links)):
            *tested, last = links
            if last.condition is not None or any(link.condition is None for link in tested):
                return None
            body: tuple[Stmt, ...] = (expressions.evolved(stmt, target=last.value),)
            for link in reversed(tested):
                assert link.condition is not None
                body = (If(link.condition, (expressions.evolved(stmt, target=link.value),), body, span=stmt.span),)
            return body[0] if isinstance(body[0], If) else None
    return None
