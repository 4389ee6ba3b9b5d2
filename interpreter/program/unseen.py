"""Which nodes of a program may need the card of a token, so that the machine must be able to undo them."""

from __future__ import annotations

import attrs

from interpreter.analysis import core
from interpreter.program import nodes
from interpreter.program.layout import Layout


@attrs.define
class Needs:
    """Says which nodes of one program may need an undetermined card; a shuffle makes some, so it counts."""

    program: nodes.Program
    layout: Layout
    _known: dict[core.Phase, bool] = attrs.field(factory=dict)

    def carefully_run(self, node: nodes.Node) -> bool:
        """Say whether carrying out a node may need a card."""
        match node:
            case nodes.Auto():
                steps = any(self._step(step) for step in node.steps)
                return steps or any(map(self._reads, _exit_parts(node)))
            case nodes.Decision():
                return self._reads(node.choice.player)
            case nodes.Chance():
                return False
            case nodes.Final():
                return any(self._reads(line.value) for line in self.program.results)

    def carefully_applied(self, node: nodes.Decision) -> bool:
        """Say whether carrying out an action of a decision may need a card."""
        parts = (part for way in node.open_ways for arg in way.action.args for part in (arg.domain, arg.high))
        return any(part is not None and self._reads(part) for part in parts)

    def _step(self, step: nodes.Step) -> bool:
        match step:
            case core.Move() | core.Deal() | core.Swap() | core.Turn() | core.Show() | core.Say() | core.Shuffle():
                return True
            case core.CallPhase(phase=phase):
                if phase not in self._known:
                    self._known[phase] = any(map(self._step, self.program.bodies[phase]))
                return self._known[phase] or any(map(self._reads, step.args))
            case nodes.InitState():
                return any(map(self._reads, self.program.initial.values()))
        if isinstance(step, nodes.Reach | nodes.Reveal):
            return False
        inside = (stmt for block in core.blocks_inside(step) for stmt in block)
        return any(map(self._reads, core.children(step))) or any(map(self._step, inside))

    def _reads(self, expr: core.Expr) -> bool:
        """Say whether an expression reads cards of a zone that may hold undetermined ones, or how a named card lies.

        A card that has a name may have been shuffled into a pile.
        """
        return any(
            self.layout.may_be_unknown(part.zone)
            if isinstance(part, core.ZoneRef)
            else isinstance(part, core.Builtin) and bool(part.function.reads) and bool(self.layout.hiding_zones)
            for part in core.walk_with_definitions(expr)
        )


def _exit_parts(node: nodes.Auto) -> tuple[core.Expr, ...]:
    if isinstance(node.exit, nodes.Branch):
        return (node.exit.condition,)
    return node.exit.args if isinstance(node.exit, nodes.Call) else ()
