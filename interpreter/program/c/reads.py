"""Read sets of decisions: the fields of the state on which it depends which actions are legal.

A walk (`interpreter/native/c/belief.h`) carries out a play again with other hidden cards.  Where all that a decision
reads is as before, the same actions are legal as before, and need not be found again.  A field is compared as a whole
unless it is the place of a player whom the decision can name: its own hand, say.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from interpreter.analysis import core
from interpreter.analysis.core import Define
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Player, base_of
from interpreter.program.c.layout import CLayout, is_set, name_of
from interpreter.program.c.statements import StatementPrinter
from interpreter.program.nodes import Decision

WHOLE = {"turned": ("up", "down"), "played by": ("by",)}
"""The fields that functions read besides their arguments; what reads where cards are has none."""

Names = Mapping[Local, str | None]
"""The parameters of a definition, each with the player that it names, as an expression of C; None for all others."""


def print_reads(printer: StatementPrinter) -> None:
    """Print the function that compares two states at the same decision, for libraries that watch plays."""
    add, layout = printer.text.add, printer.layout
    printer.stand(None)
    with printer.only("TRACING"), printer.text.block("static int reads_alike(const S *a, const S *b)"):
        with printer.text.block("switch (a->pc)"):
            for node in printer.program.nodes:
                if isinstance(node, Decision) and node.only is None and (tests := _tests(layout, node)) is not None:
                    add(f"case {node.number}: return {' && '.join(tests) or '1'};")
        add("return 0;")


def _tests(layout: CLayout, node: Decision) -> list[str] | None:
    """Return the comparisons of all that a decision reads; None where it reads where cards are."""
    own = {arg.local for way in node.ways for arg in way.action.args}
    found = _Reads(layout, own)
    for way in node.ways:
        for expr in (*core.children(way.action), *(expr for stage in way.stages for expr in stage.candidates)):
            found.read(expr, {})
    return None if found.anything else [*found.tests]


class _Reads(msgspec.Struct, eq=False):
    """Collects what expressions read; `own` are names whose values follow from what is read, or from the action."""

    layout: CLayout
    own: set[Local]
    anything: bool = False
    tests: dict[str, None] = msgspec.field(default_factory=dict)
    seen: set[tuple[Define, tuple[str | None, ...]]] = msgspec.field(default_factory=set)

    def read(self, expr: core.Expr, names: Names) -> None:
        """Add what an expression reads."""
        inside = core.children(expr)
        match expr:
            case core.LocalRef(local=local) if local in self.layout.slots and local not in self.own:
                self._same(name_of(local))
            case core.VarRef(variable=variable, index=index):
                self._element(name_of(variable), index, names)
            case core.Builtin(name="count" | "empty", args=(core.ZoneRef() as zone,)):
                self._zone(zone, names, counted=True)
                inside = [*zone.index]
            case core.ZoneRef():
                self._zone(expr, names)
            case core.CallDefine(define=define, args=args):
                self._call(define, tuple(self._player(arg, names) for arg in args))
            case core.Builtin() if expr.function.reads:
                self.anything |= not WHOLE.keys() >= expr.function.reads
                fields = {name for read in expr.function.reads for name in WHOLE.get(read, ())}
                for name in sorted(fields & self._kept()):
                    self._same(name)
        for part in inside:
            self.read(part, names)

    def _kept(self) -> set[str]:
        layout = self.layout
        kept = {"up": layout.keeps_up, "down": layout.keeps_down, "by": layout.reads_by}
        return {name for name, is_kept in kept.items() if is_kept}

    def _call(self, define: Define, players: tuple[str | None, ...]) -> None:
        if (define, players) in self.seen:
            return
        self.seen.add((define, players))
        body = self.layout.program.definitions[define]
        names = dict(zip(define.params, players, strict=True))
        for value in (*(value for _, value in body.lets), body.value):
            self.read(value, names)

    def _player(self, expr: core.Expr, names: Names) -> str | None:
        """Return the player that an expression names in a state, if it is a name, a number or a variable."""
        if not isinstance(base_of(expr.type), Player):
            return None
        match expr:
            case core.Const(value=int(value)):
                return str(value)
            case core.LocalRef(local=local) if local in names:
                return names[local]
            case core.LocalRef(local=local) if local in self.layout.slots and local not in self.own:
                self._same(name_of(local))
                return self.layout.stored(local.type).read(f"a->{name_of(local)}")
            case core.VarRef(variable=variable, index=()):
                self._same(name_of(variable))
                return self.layout.stored(variable.type).read(f"a->{name_of(variable)}[0]")
        return None

    def _place_of(self, index: tuple[core.Expr, ...], names: Names) -> str | None:
        """Return the place among those of a family, if one player is all that it depends on."""
        return self._player(index[0], names) if len(index) == 1 else None

    def _zone(self, expr: core.ZoneRef, names: Names, *, counted: bool = False) -> None:
        field = self.layout.zone(self.layout.program.rules.zones.index(expr.zone))
        if is_set(expr.zone):
            self._element(field, expr.index, names)
        elif counted:
            self._element(f"{field}_n", expr.index, names)
        else:
            only = self._place_of(expr.index, names)
            for place in range(expr.zone.places) if only is None else (only,):
                self.tests[f"ROW_ALIKE({field}, {place})"] = None

    def _element(self, field: str, index: tuple[core.Expr, ...], names: Names) -> None:
        only = self._place_of(index, names)
        if only is None:
            self._same(field)
        else:
            self.tests[f"PLACE_ALIKE({field}, {only})"] = None

    def _same(self, field: str) -> None:
        self.tests[f"ALIKE({field})"] = None
