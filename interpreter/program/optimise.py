"""Optimise a program: the stage between lowering and printing, which sends every expression through the passes once.

A pass gives an expression that has the same value, needs the same unseen cards and raises the same faults.  Each stays
because it pays.  Inlining and fusion pay in both languages.  Membership (Go Fish takes half the time) and hoisting pay
in Python alone: C has groups of cards, and conditions on a card, as sets of bits, each worked out once for all cards.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable
from operator import is_
from typing import Any, get_args

import attrs

from interpreter.analysis import core
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.core import Define, joined
from interpreter.analysis.rules import Rules
from interpreter.analysis.substitution import inlined, key, substitute
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import BOOL, Card, EnumType, Int, Player, is_optional
from interpreter.program import nodes
from interpreter.program.card_tables import CardFunctions, definitions_of_cards
from interpreter.program.facts import (
    CLOSED,
    Totality,
    bottom_up,
    goes_through_something,
    is_players,
    is_tagged,
    operands,
    reaches_rules,
)
from interpreter.program.layout import Layout
from interpreter.program.nodes import Program

Pass = tuple[Callable[[core.Expr], core.Expr], frozenset[type]]
"""A pass, and the nodes of which an expression must have one for it to change anything."""


class Passes:
    """The passes for the expressions of one program.

    With `tagged` the rules that expressions reach are recorded, so nothing with tags is evaluated earlier.  With
    `masks` they are for code that has sets of cards as words.
    """

    def __init__(self, rules: Rules, layout: Layout, *, tagged: bool, masks: bool) -> None:
        functions = CardFunctions(frozenset(definitions_of_cards(rules, logged=tagged)))
        of_cards = frozenset(definitions_of_cards(rules, logged=False))
        totality = Totality(layout, logged=tagged)
        self.passes: tuple[Pass, ...] = (
            (Inlining(totality, of_cards, tagged=tagged, masks=masks).run, frozenset({core.CallDefine})),
            (Fusion(totality).run, core.LOOPS | {core.IsIn}),
        )
        if not masks:
            self.passes += (
                (Membership(totality, functions).run, frozenset({core.Select})),
                (Hoisting(totality).run, core.LOOPS),
            )
        self._done: dict[core.Expr, core.Expr] = {}

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression after all passes."""
        if expr.__class__ in core.LEAVES:
            return expr
        if expr not in self._done:
            done: core.Expr = expr
            kinds = _kinds(done)
            for pass_, changed in self.passes:
                if not changed.isdisjoint(kinds):
                    spend(PASS, done.span)
                    made = pass_(done)
                    done, kinds = made, kinds if made is done else _kinds(made)
            if core.SomeSubset in kinds:
                done = bottom_up(done, self._subset)
            self._done[expr] = self._done[done] = done
        return self._done[expr]

    def _subset(self, expr: core.Expr) -> core.Expr:
        """Return a condition on subsets with its parts optimised; other expressions as they are."""
        return core.map_children(expr, self.run) if isinstance(expr, core.SomeSubset) else expr


def _kinds(expr: core.Expr) -> set[type]:
    """Return the classes of the nodes of an expression."""
    return {part.__class__ for part in core.walk(expr)}


_OPENED = frozenset({
    *get_args(core.Stmt), core.Action, core.Arg, *get_args(nodes.Node), *get_args(nodes.Exit), nodes.Alternative,
    nodes.Stage, nodes.Definition, nodes.Entry, nodes.Round,
})  # fmt: skip
"""The nodes whose expressions are optimised where they are."""


def optimised(program: Program, layout: Layout, *, tagged: bool = True, masks: bool = False) -> Program:
    """Return a program that does the same and is quicker.

    With `tagged` it reaches the same rule tags, too.  With `masks` it is for code whose sets of cards are words.  In
    other code a loop that reaches rules has a second form for plays that record nothing: `logged(LOOP, PLAIN LOOP)`.
    """
    passes, plain = Passes(program.rules, layout, tagged=tagged, masks=masks), None
    if tagged and not masks:
        plain = Passes(program.rules, layout, tagged=False, masks=False)
    return _Optimiser(passes, plain).program(program)


@attrs.define
class _Optimiser:
    """Rewrites the parts of a program, each once: what occurs in several places stays one object."""

    passes: Passes
    plain: Passes | None
    """The passes for plays in which nobody records the rules that are reached."""
    _made: dict[int, Any] = attrs.field(factory=dict)

    def program(self, program: Program) -> Program:
        """Return a program with all of its expressions optimised."""
        return core.evolved(
            program,
            nodes=self.rewritten(program.nodes),
            bodies={phase: self.rewritten(body) for phase, body in program.bodies.items()},
            definitions={define: self.definition(body) for define, body in program.definitions.items()},
            results=tuple(core.evolved(line, value=self.expression(line.value)) for line in program.results),
            invariants=tuple(core.evolved(i, condition=self.expression(i.condition)) for i in program.invariants),
            initial={variable: self.expression(value) for variable, value in program.initial.items()},
            entries={name: self.rewritten(entry) for name, entry in program.entries.items()},
        )

    def rewritten(self, node: Any) -> Any:
        """Return a part of a program with its expressions optimised."""
        kind = node.__class__
        if kind in core.EXPRESSIONS:
            return self.expression(node)
        if kind is tuple or kind is list:
            made = kind(map(self.rewritten, node))
            return node if all(map(is_, made, node)) else made
        if kind is core.Binder:
            return self.binder(node)
        if kind is core.SetCondition:
            return core.map_children(node, self.passes.run)
        if kind not in _OPENED:
            return node
        if id(node) not in self._made:
            old = {name: getattr(node, name) for name in kind.__struct_fields__}
            new = {name: self.rewritten(value) for name, value in old.items()}
            changes = {name: value for name, value in new.items() if value is not old[name]}
            # The old node is kept with the new one, so that its identity stays its own.
            self._made[id(node)] = node, core.evolved(node, **changes) if changes else node
        return self._made[id(node)][1]

    def definition(self, body: nodes.Definition) -> nodes.Definition:
        """Return the body of a definition; the alternatives of a chain stay separate, since each can reach rules."""
        value = body.value
        if isinstance(value, core.Chain):
            links = tuple((c and self.expression(c), self.expression(v)) for c, v in value.alternatives)
            value = core.evolved(value, alternatives=links)
        else:
            value = self.expression(value)
        return nodes.Definition(tuple((local, self.expression(let)) for local, let in body.lets), value)

    def expression(self, expr: core.Expr) -> core.Expr:
        """Return an expression after all passes; in two forms where it is a loop that reaches rules."""
        done = self.passes.run(expr)
        if self.plain is None or not goes_through_something(expr) or not reaches_rules(expr):
            return done
        return core.Builtin("logged", (done, self.plain.run(expr)), done.type, done.span)

    def binder(self, binder: core.Binder) -> core.Binder:
        """Return the binder of a statement that keeps the same things."""
        kept = self.expression(core.Select("all", binder, None, binder.domain.type, binder.domain.span))
        if isinstance(kept, core.Select) and kept.which == "all" and kept.count is None:
            return kept.binder
        return core.Binder(binder.local, kept, None, None)


@attrs.define
class Inlining:
    """Inlining: the body of a definition replaces its call, with the arguments put in.

    What the other passes look for (a selection from a selection, a condition on one card) is mostly split over several
    definitions in a spec.  Only bodies up to a limit of size are put in, and only where no argument would be worked out
    more often than the call does it.

    `tables` are definitions that are looked up in a table of cards, which is quicker than any body.  C that counts
    rules (`tagged` and `masks`) keeps calls of tagged definitions, which count each use.
    """

    totality: Totality
    tables: Container[Define]
    tagged: bool = False
    masks: bool = False

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression with the short definitions that it calls written out."""
        return bottom_up(expr, self._inlined)

    def _inlined(self, expr: core.Expr) -> core.Expr:
        if isinstance(expr, core.CallDefine) and self._may_inline(expr) and (body := inlined(expr)) is not None:
            tags = expr.define.declaration.tags
            # A chain of one alternative keeps the tags that the call reaches.
            keeps = tags and (self.tagged or self.masks)
            return core.Chain(((None, self.run(body)),), expr.type, expr.span, (tags,)) if keeps else self.run(body)
        return expr

    def _may_inline(self, call: core.CallDefine) -> bool:
        """Say whether the body of a definition may stand in the place of its call."""
        define = call.define
        if define in self.tables or (self.tagged and self.masks and is_tagged(define)):
            return False
        return all(
            self._is_read_again(given) and (is_optional(param.type) or not is_optional(given.type))
            for given, param in zip(call.args, define.params, strict=True)
        )

    def _is_read_again(self, expr: core.Expr) -> bool:
        """Say whether an argument can be read again and again, with nothing to be found out and at no cost."""
        if isinstance(expr, core.LocalRef | core.Const):
            return True
        return isinstance(expr, core.ZoneRef) and self.totality.is_total(expr)


@attrs.define
class Fusion:
    """Loop fusion: a selection from a selection goes through the cards once, with both conditions, and makes no list.

    `first c in (all d in hand where W) where V` becomes `first c in hand where W and V`.  What one condition skips is
    no longer seen by the other, which nobody notices where both are total.  Counting a selection, testing whether it is
    empty, and testing whether a player is among some players need no list either."""

    totality: Totality

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression without lists between its loops."""
        return bottom_up(expr, self._fused)

    def _fused(self, expr: core.Expr) -> core.Expr:
        match expr:
            case core.Select() | core.Fold() | core.Extreme() | core.Sorted():
                binder = self.binder(expr.binder)
                return expr if binder is expr.binder else core.evolved(expr, binder=binder)
            case core.IsIn():
                return self._membership(expr) or expr
            case core.Builtin(name="empty", args=(core.Select(which="all", count=None, binder=binder),)):
                return core.Select("no", binder, None, BOOL, expr.span)
            case core.Builtin(name="count", args=(core.Select(which="all", count=None, binder=binder),)):
                return expr if binder.where is None else core.Select("count", binder, None, expr.type, expr.span)
        return expr

    def binder(self, binder: core.Binder) -> core.Binder:
        """Return a binder that goes through the same things without a list between.

        A rotation of some players is what is kept of the rotation of all.
        """
        while isinstance(inner := binder.domain, core.Select) and inner.which == "all" and inner.count is None:
            within = inner.binder
            item = core.LocalRef(binder.local, binder.local.type, inner.span)
            first = None if within.where is None else substitute(within.where, {within.local: item})
            start = within.start
            if binder.start is not None:
                if start is not None or not is_players(within.domain) or not self._total(binder.start, binder.local):
                    return binder
                start = binder.start
            where = binder.where
            if first is not None and where is not None:
                if not self._total(first, binder.local) or not self._total(where, binder.local):
                    return binder
                where = core.Op("and", (first, where), BOOL, where.span)
            binder = core.Binder(binder.local, within.domain, start, first if where is None else where)
        return binder

    def _membership(self, expr: core.IsIn) -> core.Expr | None:
        """Return the condition that one of some players fulfils, for a player who is tested to be among them."""
        domain = expr.domain
        if not isinstance(domain, core.Select) or domain.which != "all" or domain.count is not None:
            return None
        binder = domain.binder
        if not isinstance(expr.value, core.LocalRef | core.VarRef | core.Const) or binder.where is None:
            return None
        if not is_players(binder.domain) or not isinstance(expr.value.type, Player):
            return None
        if not self._total(binder.where, binder.local) or not self.totality.is_total(expr.value):
            return None
        if binder.start is not None and not self.totality.is_total(binder.start):
            return None
        return substitute(binder.where, {binder.local: expr.value})

    def _total(self, expr: core.Expr, local: Local) -> bool:
        return self.totality.is_total(expr, frozenset({local}))


@attrs.define
class Membership:
    """Semi-join: whether some card has a value becomes whether the value is in the set of values that the cards have.

    `some c in hand where c.suit == s` becomes `s is in {c.suit for c in hand}`, and `all r in 1..13 where some c in
    hand where c.rank == r` the values of that set in their order.  The set is a `Fold` whose function is `values`
    (`ascending` where the order counts), which only passes make."""

    totality: Totality
    functions: CardFunctions

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression in which sets of values replace loops that compare."""
        return bottom_up(expr, self._rewritten)

    def _rewritten(self, expr: core.Expr) -> core.Expr:
        match expr:
            case core.Select(which="some"):
                return self._among_values(expr) or expr
            case core.Select(which="no"):
                found = self._among_values(expr)
                return expr if found is None else core.Op("not", (found,), BOOL, expr.span)
            case core.Select(which="all", count=None):
                return self._ascending(expr) or expr
        return expr

    def _among_values(self, expr: core.Select) -> core.Expr | None:
        """Return whether a value is among those of the cards, where a condition compares each card with it.

        The value is evaluated once and first, even where there is no card to compare it with.
        """
        binder, where = expr.binder, expr.binder.where
        if not isinstance(where, core.Op) or where.op != "==" or not isinstance(binder.local.type, Card):
            return None
        for own, other in (where.args, where.args[::-1]):
            if binder.local in core.names_of(other) or (is_optional(own.type) and is_optional(other.type)):
                continue
            named = isinstance(other, core.LocalRef) or (
                isinstance(other, core.CardAttr) and isinstance(other.card, core.LocalRef)
            )
            if (named or self.totality.is_total(other)) and self.functions.is_function_of(own, binder.local):
                through = core.Binder(binder.local, binder.domain, binder.start, None)
                values = core.Fold("values", own, through, None, expr.type, expr.span)
                return core.IsIn(other, values, BOOL, expr.span)
        return None

    def _ascending(self, expr: core.Select) -> core.Expr | None:
        """Return the values of some cards in ascending order, for a selection that filters the whole range by them."""
        match expr.binder:
            case core.Binder(
                local=local,
                domain=core.Range(low=core.Const(value=int() as low), high=core.Const(value=int() as high)),
                start=None,
                where=core.IsIn(
                    value=core.LocalRef(local=member), domain=core.Fold(function="values", value=own, binder=of) as fold
                ),
            ) if member is local and of.start is None and self.totality.is_total(of.domain):
                if local not in core.names_of(of.domain) and _is_within(own, low, high):
                    return core.Fold("ascending", own, of, None, expr.type, fold.span)
        return None


def _is_within(own: core.Expr, low: int, high: int) -> bool:
    """Whether an attribute of a card is never outside of a range."""
    match own:
        case core.CardAttr(type=Int(low=int() as least, high=int() as most)):
            return low <= least and most <= high
        case core.CardAttr(type=EnumType() as enum):
            return low == 0 and high == len(enum.values) - 1
    return False


@attrs.define
class Hoisting:
    """Loop-invariant code motion: what is the same in all rounds of a loop is evaluated once, in front of it.

    A condition "follows suit" reads for every card of a hand which suit was led, and whether the hand holds it; neither
    depends on the card.  Only parts that are loops themselves move, and only total ones: in front of the loop they are
    evaluated even where an earlier condition, or an empty hand, would have made them unnecessary.  Equal parts share
    one name.  A selection whose condition has an invariant test is two selections, and the test decides between them
    (loop unswitching)."""

    totality: Totality
    levels: int = 3
    """How many tests of one selection are made in front of it; each doubles the text."""

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression in which each loop names in front of it what is the same in all its rounds."""
        if expr.__class__ in CLOSED:
            return expr
        if self.levels and isinstance(expr, core.Select) and (chain := self._unswitched(expr)) is not None:
            return core.map_children(chain, Hoisting(self.totality, self.levels - 1).run)
        if isinstance(expr, core.Loop) and expr.binder.where is not None:
            found = _Invariants(self.totality)
            where = found.named(expr.binder.where, frozenset({expr.binder.local}))
            if found.lets:
                binder = core.evolved(expr.binder, where=where, before=tuple(found.lets.values()))
                expr = core.evolved(expr, binder=binder)
        return core.map_children(expr, self.run)

    def _unswitched(self, expr: core.Select) -> core.Chain | None:
        """Return a selection as a chain of selections with invariant tests (loop unswitching), None where none is."""
        where = expr.binder.where
        if expr.which != "all" or expr.count is not None or where is None:
            return None
        choices = self._choices(where, expr.binder.local)
        if choices is None:
            return None
        links = [(t, core.evolved(expr, binder=core.evolved(expr.binder, where=w))) for t, w in choices]
        return core.Chain(tuple(links), expr.type, expr.span, ())

    def _choices(self, where: core.Expr, local: Local) -> tuple[tuple[core.Expr | None, core.Expr | None], ...] | None:
        """Return invariant tests with the condition that each leaves; the last choice has no test."""
        if isinstance(where, core.Chain):
            *tested, (last, _) = where.alternatives
            tagged = self.totality.logged and any(where.tags)
            fixed = all(test is not None and self._is_invariant(test, local) for test, _ in tested)
            return where.alternatives if fixed and last is None and not tagged else None
        parts = operands(where, "and")
        for place, part in enumerate(parts):
            either = operands(part, "or")
            fixed_parts = [one for one in either if self._is_invariant(one, local)]
            varying = [one for one in either if one not in fixed_parts]
            if fixed_parts and varying and all(self.totality.is_total(one, frozenset({local})) for one in varying):
                rest = parts[:place] + parts[place + 1 :]
                left = [*parts[:place], joined("or", varying), *parts[place + 1 :]]
                return (joined("or", fixed_parts), joined("and", rest) if rest else None), (None, joined("and", left))
        return None

    def _is_invariant(self, expr: core.Expr, local: Local) -> bool:
        return local not in core.names_of(expr) and self.totality.is_total(expr)


@attrs.define
class _Invariants:
    """The greatest parts of a condition that are the same in all rounds of a loop, each with its name."""

    totality: Totality
    lets: dict[Hashable, tuple[Local, core.Expr]] = attrs.field(factory=dict)

    def shared(self, expr: core.Expr) -> core.Expr:
        """Return an expression with the names of the parts that have one already."""
        if expr.__class__ in CLOSED:
            return expr
        found = self.lets.get(key(expr))
        return core.map_children(expr, self.shared) if found is None else core.LocalRef(found[0], expr.type, expr.span)

    def named(self, expr: core.Expr, changing: frozenset[Local]) -> core.Expr:
        """Return an expression with names for its invariant parts, where `changing` change in each round."""
        if not core.names_of(expr) & changing and goes_through_something(expr) and self.totality.is_total(expr):
            if key(expr) not in self.lets:
                whole = core.map_children(expr, self.shared)
                self.lets[key(expr)] = Local("", expr.type, -1, expr.span), whole
            return core.LocalRef(self.lets[key(expr)][0], expr.type, expr.span)
        if expr.__class__ in CLOSED:
            return expr
        if (local := core.bound_name(expr)) is not None:
            changing |= {local}
        return core.map_children(expr, lambda part: self.named(part, changing))
