"""Find what is the same for all things that are gone through, so that it is reckoned once and not for each of them.

"Whoever holds the suit that was led must follow it" asks of every card of a hand what was led, and whether the hand
holds it; neither depends on the card.  Such a part is moved in front of the loop only if that cannot be noticed: it
looks at nothing that may be undetermined, and it has a value whatever the state is, since in front of the loop it is
reckoned even where a condition before it, or an empty hand, would have kept it from being asked.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from interpreter.analysis import core
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Define, Local
from interpreter.analysis.types import Card, Int, Sequence, base_of, is_optional
from interpreter.program.layout import Layout
from interpreter.program.static import is_tagged

OPENED_WEIGHT = 100
"""Definitions of more parts than this are called, not written out in a loop."""

SHORT_RANGE = 1_000
"""Ranges that may be longer are never gone through in front of a loop."""

LOOPS = (core.Select, core.Fold, core.Extreme)
_TOTAL = frozenset({
    "players", "count", "empty", "next", "left", "previous", "right", "across", "min", "max", "distance", "player_of",
    "face_down", "holder",
})  # fmt: skip


@attrs.define
class Hoisting:
    """What may be moved in the code of one program; `logged` code keeps the calls that reach the tags of a rule."""

    layout: Layout
    logged: bool
    _sure: dict[Define, bool] = attrs.field(factory=dict)

    def may_open(self, call: core.CallDefine) -> bool:
        """Say whether the body of a definition may stand in the place of its call, as far as its arguments go."""
        if self.logged and is_tagged(call.define):
            return False
        return all(
            (isinstance(a, core.LocalRef | core.Const) or self._plain_zone(a))
            and (is_optional(p.type) or not is_optional(a.type))
            for a, p in zip(call.args, call.define.params, strict=True)
        )

    def opened(self, condition: core.Expr, *, chains: bool = False) -> core.Expr:
        """Return a condition with the definitions that it is joined from written out, where that is short and plain.

        With `chains`, those that are chains too, link by link.
        """
        if isinstance(condition, core.Op):
            args = tuple(self.opened(a, chains=chains) for a in condition.args)
            return core.Op(condition.op, args, condition.type, condition.span)
        if chains and isinstance(condition, core.Chain):
            links = tuple(
                (None if test is None else self.opened(test, chains=True), self.opened(value, chains=True))
                for test, value in condition.alternatives
            )
            return core.Chain(links, condition.type, condition.span, condition.tags)
        if not isinstance(condition, core.CallDefine) or not condition.args:
            return condition
        define = condition.define
        kinds = (core.Op, core.Select, core.Chain) if chains else (core.Op, core.Select)
        if define.weight > OPENED_WEIGHT * (1 + chains) or define.lets or not isinstance(define.value, kinds):
            return condition
        if not self.may_open(condition):
            return condition
        return self.opened(written_out(condition), chains=chains)

    def same_throughout(self, condition: core.Expr, changing: frozenset[Local]) -> list[core.Expr]:
        """Return the parts of a condition that go through something and do not depend on the locals that change.

        Definitions without arguments come first, as other parts may ask for them.
        """
        parts = list(self._parts(condition, changing))
        alone = {e.define: e for e in core.walk(condition) if isinstance(e, core.CallDefine) and self.is_alone(e)}
        return [*alone.values(), *(p for p in parts if not isinstance(p, core.CallDefine) or p.args)]

    def is_alone(self, expr: core.Expr) -> bool:
        """Say whether an expression is a definition without arguments that may be reckoned before it is asked."""
        return isinstance(expr, core.CallDefine) and not expr.args and _is_dear(expr) and self.is_sure(expr)

    def _parts(self, expr: core.Expr, changing: frozenset[Local]) -> Iterator[core.Expr]:
        free = {e.local for e in core.walk(expr) if isinstance(e, core.LocalRef)}
        if not free & changing and _is_dear(expr) and self.is_sure(expr):
            yield expr
            return
        if isinstance(expr, LOOPS):
            changing |= {expr.binder.local}
        if not isinstance(expr, core.SomeSubset):
            for part in core.children(expr):
                yield from self._parts(part, changing)

    # ---- what has a value whatever the state is

    def is_sure(self, expr: core.Expr, bound: frozenset[Local] = frozenset()) -> bool:
        """Say whether an expression has a value in every state, without a card that may be undetermined.

        A card with a name from outside may be known, there, to be of some kind; so it is not sure to have anything.
        """
        match expr:
            case core.Const():
                return True
            case core.LocalRef():
                return expr.local in bound or not isinstance(base_of(expr.type), Card)
            case core.VarRef() | core.ZoneRef():
                hidden = isinstance(expr, core.ZoneRef) and self.layout.may_be_unknown(expr.zone)
                return not hidden and self._is_there(expr, bound)
            case core.Builtin(name="empty" | "count", args=(core.ZoneRef() as zone,)):
                return self._is_there(zone, bound)  # How many cards there are, is known of all zones.
            case core.Op():
                if expr.op == "mod" or expr.op.startswith("/"):
                    return False
            case core.Range():
                if not isinstance(expr.type, Sequence) or not 0 <= expr.type.at_most <= SHORT_RANGE:
                    return False
            case core.Builtin():
                if expr.name not in _TOTAL:
                    return False
            case core.CallDefine():
                if not self._is_sure_define(expr.define):
                    return False
            case core.SetFoldRef() | core.SomeSubset():
                return False
            case core.Select() | core.Fold() | core.Extreme():
                bound |= {expr.binder.local}
        return all(self.is_sure(part, bound) for part in core.children(expr))

    def _is_there(self, expr: core.VarRef | core.ZoneRef, bound: frozenset[Local]) -> bool:
        """Say whether the place of a variable or zone exists in every state."""
        family = expr.variable if isinstance(expr, core.VarRef) else expr.zone
        plain = not any(isinstance(t, Int) or is_optional(i.type)
                        for t, i in zip(family.indices, expr.index, strict=True))  # fmt: skip
        return plain and all(self.is_sure(i, bound) for i in expr.index)

    def _is_sure_define(self, define: Define) -> bool:
        if define not in self._sure:
            bound = frozenset(define.params)
            sure = define.value is not None
            for local, value in define.lets:
                sure = sure and self.is_sure(value, bound)
                bound |= {local}
            self._sure[define] = sure and define.value is not None and self.is_sure(define.value, bound)
        return self._sure[define]

    def _plain_zone(self, expr: core.Expr) -> bool:
        """Say whether an expression is a zone that can be read again and again with nothing to be found out."""
        return isinstance(expr, core.ZoneRef) and self.is_sure(expr)


def written_out(call: core.CallDefine) -> core.Expr:
    """Return the value of a definition, which must have no `let`, with the arguments of a call put in."""
    assert call.define.value is not None
    return substitute(call.define.value, dict(zip(call.define.params, call.args, strict=True)))


def _is_dear(expr: core.Expr) -> bool:
    """Say whether an expression goes through something, itself or in a definition."""
    for part in core.walk(expr):
        if isinstance(part, LOOPS):
            return True
        if isinstance(part, core.CallDefine) and part.define.value is not None and _is_dear(part.define.value):
            return True
    return False


def known_as(expr: core.Expr) -> core.Expr | Define:
    """Return what an expression is known by once it is reckoned: a definition without arguments is always the same."""
    return expr.define if isinstance(expr, core.CallDefine) and not expr.args else expr
