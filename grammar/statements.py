"""The syntax tree of statements: what a phase does, step by step.

See `grammar.ast` for the rules that all nodes keep.
"""

from __future__ import annotations

from typing import Literal

import attrs

from grammar.expressions import (
    Arg,
    Call,
    Condition,
    Expr,
    Node,
    Pattern,
    Selection,
    TypeExpr,
    node,
)


@node
class Statement(Node):
    """What every statement can say of itself: `openly` in front of it."""

    openly: bool = attrs.field(default=False, kw_only=True)


@node
class Let(Statement):
    """`let asked = sum(c.value for c in rite)`."""

    name: str
    value: Expr


@node
class LetVariable(Statement):
    """`let best: 0..30 = 0`, `let held[Rank]: 0..4`: a variable of the block, which nobody is told of."""

    name: str
    indices: tuple[TypeExpr, ...]
    type: TypeExpr
    initial: Expr | None = None


@node
class Assign(Statement):
    """`leader = partner`, `score[p] += 2`, `hints -= 1`; the target is a Name or an Index."""

    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr


@node
class Do(Statement):
    """`redraw(p)`, `endgame`: carry out a phase."""

    call: Call


@node
class Move(Statement):
    """`move led to rite`, `move c to bottom of stock face down`, `move c to trick for p`."""

    cards: Expr
    target: Expr
    at: Literal["top", "bottom"] | None = None
    face: str | None = None
    played_by: Expr | None = None


@node
class Deal(Statement):
    """`deal 5 from stock to hand[p]`, `deal exactly 1 from stock to turned face up`."""

    count: Expr
    origin: Expr
    target: Expr
    exactly: bool = False
    at: Literal["top", "bottom"] | None = None
    face: str | None = None


@node
class Shuffle(Statement):
    """`shuffle stock`, `shuffle discard[p] into draw[p]`."""

    cards: Expr
    into: Expr | None = None


@node
class Random(Statement):
    """`random die from 1..12`, `random card c from hand[p]`, `random rolled[p] from 1..6`: chance chooses.

    `into` is what is set, where that is not a plain name; a plain name is one that is given, or a variable.
    """

    arg: Arg
    into: Expr | None = None


@node
class Swap(Statement):
    """`swap off[p] with def[p]`: two zones exchange all their cards."""

    first: Expr
    second: Expr


@node
class Turn(Statement):
    """`turn hand[p] face up`."""

    cards: Expr
    face: str


@node
class Show(Statement):
    """`show hand[p] to all`, `show c to q`; `to` None means everybody."""

    cards: Expr
    to: Expr | None


@node
class Say(Statement):
    """`say "{p} makes a rite"`."""

    text: str


@node
class End(Statement):
    """`end game`, `end one_round`."""

    what: str


@node
class Nothing(Statement):
    """`nothing`: no effect, where a rule says that there is none (`otherwise: nothing`)."""


@node
class If(Statement):
    """`if c: s` with `else`; `else if` is an If alone in `otherwise`."""

    condition: Condition
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@node
class Case(Node):
    """`case chalice, wand: s`."""

    patterns: tuple[Pattern, ...]
    body: tuple[Stmt, ...]


@node
class Match(Statement):
    """`match c.suit` with its cases and `otherwise`."""

    subject: Expr
    cases: tuple[Case, ...]
    otherwise: tuple[Stmt, ...] | None = None


@node
class For(Statement):
    """`for p in players from leader, s in Side: s`."""

    selections: tuple[Selection, ...]
    body: tuple[Stmt, ...]


@node
class While(Statement):
    """`while stock is not empty` and a block."""

    condition: Condition
    body: tuple[Stmt, ...]


@node
class Repeat(Statement):
    """`repeat one_round until c`, or `repeat`, a block, and `until c`."""

    body: tuple[Stmt, ...]
    until: Condition


@node
class AtOnce(Statement):
    """`at once p in players` and a choice: all decide before anybody sees what the others did."""

    selection: Selection
    body: tuple[Stmt, ...]


@node
class InTurn(Statement):
    """`in turn p in players from leader where P` and a block: a turn for each, until nobody is due."""

    selection: Selection
    body: tuple[Stmt, ...]


@node
class Reopen(Statement):
    """`reopen`: all others of the `in turn` around it are due once more."""


@node
class Together(Statement):
    """`together` and a block: one step for the `whenever` rules."""

    body: tuple[Stmt, ...]


@node
class Action(Node):
    """`discard any cards thrown from hand[p] such that c only if d` and its effect."""

    verb: str
    args: tuple[Arg, ...] = ()
    such_that: Condition | None = None
    only_if: Condition | None = None
    body: tuple[Stmt, ...] = ()


@node
class Choice(Statement):
    """`p chooses ["{you} discard"]` and its actions; `otherwise` is offered when no other is possible."""

    player: Expr
    actions: tuple[Action, ...]
    otherwise: Action | None = None
    prompt: str | None = None
    secretly: bool = False


Stmt = (
    Let | LetVariable | Assign | Do | Move | Deal | Shuffle | Random | Swap | Turn | Show | Say | End
    | If | Match | For | While | Repeat | Choice
    | AtOnce | InTurn | Reopen | Together | Nothing
)  # fmt: skip
