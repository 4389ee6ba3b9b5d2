"""Which statements are drawn: those that lead to a decision, to chance, or to an end.

All else happens by itself and is left out, or stands at an edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grammar import ast as syntax
from grammar import statements as stmts
from interpreter.drivers.graph.known import Known, phases_of

Block = tuple[stmts.Stmt, ...]


class Weight:
    """Says of the statements of one spec whether they are drawn."""

    def __init__(self, spec: syntax.Spec, known: Known) -> None:
        """Take a spec whose parts are put together, and what is known of it before play."""
        self._known = known
        self._phases = phases_of(spec)
        self._heavy: dict[str, bool] = {}
        self._drawn: dict[str, bool] = {}

    def blocks(self, stmt: stmts.Stmt) -> list[Block]:
        """Return the blocks inside a statement that can be reached."""
        match stmt:
            case stmts.If():
                test = self._known.test(stmt.condition)
                return [block for block, way in ((stmt.then, True), (stmt.otherwise, False)) if test is not (not way)]
            case stmts.Match():
                return [case.body for case in self._known.cases(stmt)]
            case stmts.While():
                return [] if self._known.test(stmt.condition) is False else [stmt.body]
            case stmts.For() | stmts.Repeat() | stmts.AtOnce() | stmts.InTurn() | stmts.Together():
                return [stmt.body]
            case stmts.Choice():
                return [action.body for action in self._known.offered(stmt)]
            case _:  # No other holds blocks.
                return []

    def inside(self, block: Block) -> Iterator[stmts.Stmt]:
        """Give the statements of a block that can be reached, and all inside them; phases are not entered."""
        for stmt in block:
            yield stmt
            for inner in self.blocks(stmt):
                yield from self.inside(inner)

    def heavy(self, block: Block) -> bool:
        """Say whether a block leads to a decision, to chance or to the end of the game."""
        for stmt in self.inside(block):
            match stmt:
                case stmts.Choice() | stmts.Random() | stmts.Shuffle() | stmts.End(what="game"):
                    return True
                case stmts.Do() if self._heavy_phase(stmt.call.name):
                    return True
                case _:  # No other is drawn by itself; what is inside it comes by itself.
                    pass
        return False

    def _heavy_phase(self, name: str) -> bool:
        if name not in self._heavy:
            self._heavy[name] = self.heavy(self._phases[name].block.statements)
        return self._heavy[name]

    def drawn(self, block: Block) -> bool:
        """Say whether anything of a block is drawn: what is heavy, and ways out of phases that are."""
        for stmt in self.inside(block):
            match stmt:
                case stmts.Choice() | stmts.Random() | stmts.Shuffle() | stmts.End(what="game") | stmts.Reopen():
                    return True
                case stmts.End(what=name) if self._heavy_phase(name):
                    return True
                case stmts.Do() if self._drawn_phase(stmt.call.name):
                    return True
                case _:  # No other is drawn by itself; what is inside it comes by itself.
                    pass
        return False

    def _drawn_phase(self, name: str) -> bool:
        if name not in self._drawn:
            self._drawn[name] = self.drawn(self._phases[name].block.statements)
        return self._drawn[name]

    def calls(self, first: list[Block]) -> Counter[str]:
        """Return from how many places each phase is carried out that the given blocks lead to."""
        found: Counter[str] = Counter()
        todo = list(first)
        while todo:
            for stmt in self.inside(todo.pop()):
                if isinstance(stmt, stmts.Do):
                    found[stmt.call.name] += 1
                    if found[stmt.call.name] == 1:
                        todo.append(self._phases[stmt.call.name].block.statements)
        return found
