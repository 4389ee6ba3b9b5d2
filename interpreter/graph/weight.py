"""Which statements are drawn: those that lead to a decision, to chance, or to an end.

All else happens by itself and is left out, or stands at an edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grammar import ast as syntax
from grammar import statements as stmts
from interpreter.graph.known import Known, phases_of

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
        return self._leads(block, self._heavy, out=False)

    def drawn(self, block: Block) -> bool:
        """Say whether anything of a block is drawn: what is heavy, and ways out of phases that are."""
        return self._leads(block, self._drawn, out=True)

    def _leads(self, block: Block, known: dict[str, bool], *, out: bool) -> bool:
        for stmt in self.inside(block):
            match stmt:
                case stmts.Choice() | stmts.Random() | stmts.Shuffle() | stmts.End(what="game"):
                    return True
                case stmts.Reopen() if out:
                    return True
                case stmts.End(what=name) if out and self._phase(name, self._heavy, out=False):
                    return True
                case stmts.Do() if self._phase(stmt.call.name, known, out=out):
                    return True
        return False

    def _phase(self, name: str, known: dict[str, bool], *, out: bool) -> bool:
        if name not in known:
            known[name] = self._leads(self._phases[name].block.statements, known, out=out)
        return known[name]

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
