"""From a spec to its picture.

The walk goes through `play` as play does, and keeps the *loose ends*: the ways that lead to whatever comes
next.  A phase is drawn where it is carried out, in a group of its own; one that is larger, and carried out
from several places, is drawn once, apart.  Statements that happen by themselves are passed over.
"""

from __future__ import annotations

from grammar import ast as syntax
from grammar import statements as stmts
from grammar.expressions import Selection
from interpreter.analysis.rules import Rules
from interpreter.graph import words
from interpreter.graph.builder import Ends, GraphBuilder, LooseEnd, Mark
from interpreter.graph.known import Known, phases_of
from interpreter.graph.model import Graph, Kind
from interpreter.graph.weight import Block, Weight

SMALL = 3
"""Nodes of a phase that is drawn again wherever it is carried out; a larger one is drawn once, apart."""

MANY = 3
"""Ways of one branch on which nothing is drawn; more than that become one `[else]`."""


def draw(spec: syntax.Spec, rules: Rules) -> Graph:
    """Return the picture of a spec, whose parts are put together, as the checked rules let it be played.

    Ways that no play can take with these options and this number of players are left out.
    """
    known = Known(rules.info)
    return _Pen(spec, known, Weight(spec, known)).whole(rules.title)


class _Pen:
    """Draws on a sheet.

    `exits` holds, for each phase that is being drawn, the loose ends that leave it early; `end` is the end
    of the game in the part that is being drawn, once it is needed.
    """

    def __init__(self, spec: syntax.Spec, known: Known, weight: Weight) -> None:
        self.spec = spec
        self.known = known
        self.weight = weight
        self.phases = phases_of(spec)
        self.play = next(i.block.statements for i in spec.items if isinstance(i, syntax.PlayDecl))
        self.rules = [i for i in spec.items if isinstance(i, syntax.WheneverDecl) and weight.drawn(i.body)]
        self.sites = weight.calls([self.play, *(rule.body for rule in self.rules)])
        self.sheet = GraphBuilder()
        self.exits: dict[str, Ends] = {}
        self.end: int | None = None
        self.apart: dict[str, bool] = {}

    def whole(self, title: str) -> Graph:
        ends = self.block(self.play, [self.start()])
        self.to_end(ends)
        for rule in self.rules:
            self.end = None
            first = self.sheet.node(Kind.WHENEVER, (words.whenever(rule),), [])
            self.back(self.block(rule.body, [LooseEnd(first)]))
        for name in [i.name for i in self.spec.items if isinstance(i, syntax.PhaseDecl)]:
            if self.apart.get(name):
                self.end = None
                with self.sheet.group(words.phase_head(self.phases[name])):
                    self.back(self.body(name, [self.start()]))
        return self.sheet.graph(title)

    def start(self) -> LooseEnd:
        return LooseEnd(self.sheet.node(Kind.START, (), []))

    def back(self, ends: Ends) -> None:
        if ends:
            self.sheet.node(Kind.BACK, (), ends)

    def to_end(self, ends: Ends) -> None:
        if not ends:
            return
        if self.end is None:
            self.end = self.sheet.node(Kind.END, (), ends, top=True)
        else:
            self.sheet.join(ends, self.end)

    # ---- statements

    def block(self, block: Block, ends: Ends) -> Ends:
        for stmt in block:
            if not ends:
                break
            if self.weight.drawn((stmt,)):
                ends = self.statement(stmt, ends)
            else:
                self.dealt(stmt, ends)
        return ends

    def statement(self, stmt: stmts.Stmt, ends: Ends) -> Ends:
        match stmt:
            case stmts.Choice():
                return self.choice(stmt, ends, None)
            case stmts.AtOnce(body=(stmts.Choice() as choice,)):
                return self.choice(choice, ends, stmt.selection)
            case stmts.Random() | stmts.Shuffle():
                return self.sheet.chance(words.chance(stmt), ends)
            case stmts.End():
                return self.leave(stmt, ends)
            case stmts.Reopen():
                return [end.labelled(" / reopen") for end in ends]
            case stmts.Together():
                return self.block(stmt.body, ends)
            case stmts.If():
                return self.ways(self.links(stmt), "", ends)
            case stmts.Match():
                return self.match(stmt, ends)
            case stmts.For() | stmts.InTurn():
                return self.each(stmt, ends)
            case stmts.While():
                return self.while_(stmt, ends)
            case stmts.Repeat():
                return self.repeat(stmt, ends)
            case stmts.Do():
                return self.do(stmt, ends)
            case _:  # No other is drawn: it is told at an edge, or passed over.
                return ends

    def dealt(self, stmt: stmts.Stmt, ends: Ends) -> None:
        """Add to a shuffle, or another act of chance just before, what is dealt then."""
        deals = [inner for inner in self.weight.inside((stmt,)) if isinstance(inner, stmts.Deal)]
        if deals and isinstance(stmt, stmts.Deal | stmts.For):
            self.sheet.more_chance([words.dealt(deal) for deal in deals], ends)

    def choice(self, stmt: stmts.Choice, ends: Ends, at_once: Selection | None) -> Ends:
        number = self.sheet.node(Kind.DECISION, words.decision(stmt, self.known, at_once), ends)
        out: Ends = []
        alike: list[str] = []
        offered = self.known.offered(stmt)
        for action in offered:
            if self.weight.drawn(action.body):
                out += self.block(action.body, [LooseEnd(number, action.verb if len(offered) > 1 else "")])
            elif action.verb not in alike:
                alike.append(action.verb)
        if not alike:
            return out
        return [LooseEnd(number, ", ".join(alike) if out or self.sheet.left(number) else ""), *out]

    def leave(self, stmt: stmts.End, ends: Ends) -> Ends:
        if stmt.what == "game":
            self.to_end(ends)
        elif stmt.what in self.exits:
            self.exits[stmt.what].extend(ends)
        else:
            self.sheet.node(Kind.LEAVE, (f"end {stmt.what}",), ends)
        return []

    # ---- branches

    def links(self, stmt: stmts.If) -> list[tuple[str, Block]]:
        """Return the ways of an `if` and of those in its `else`, with what stands at them; the last has none."""
        test = self.known.test(stmt.condition)
        if isinstance(test, bool):
            return self.rest(stmt.then if test else stmt.otherwise)
        return [(words.guard(test), stmt.then), *self.rest(stmt.otherwise)]

    def rest(self, block: Block) -> list[tuple[str, Block]]:
        match block:
            case (stmts.If() as only,):
                return self.links(only)
            case _:
                return [("", block)]

    def match(self, stmt: stmts.Match, ends: Ends) -> Ends:
        found = self.known.cases(stmt)
        if len(found) == 1:
            return self.block(found[0].body, ends)
        return self.ways([(words.case(c), c.body) for c in found], words.subject(stmt), ends)

    def ways(self, links: list[tuple[str, Block]], asked: str, ends: Ends) -> Ends:
        """Draw a branch; ways on which nothing is drawn lead on, those of one `else` together."""
        if len(links) == 1:
            return self.block(links[0][1], ends)
        origin = self.sheet.branch((asked,) if asked else (), ends)
        out: Ends = []
        plain = [link for link in links if not self.weight.drawn(link[1])]
        if len(plain) > MANY:
            links = [*(link for link in links if link not in plain), ("", ())]
        for label, block in links:
            way = [LooseEnd(origin, label or "[else]")]
            if self.weight.drawn(block):
                out += self.block(block, way)
            else:
                out += [end.labelled(words.doing(block)) for end in way]
        return out

    # ---- loops

    def each(self, stmt: stmts.For | stmts.InTurn, ends: Ends) -> Ends:
        mark = Mark(ends)
        return self.again(mark, self.block(stmt.body, [LooseEnd(mark)]), words.each(stmt), "")

    def repeat(self, stmt: stmts.Repeat, ends: Ends) -> Ends:
        test = self.known.test(stmt.until)
        if test is True:
            return self.block(stmt.body, ends)
        mark = Mark(ends)
        out = self.block(stmt.body, [LooseEnd(mark)])
        if test is False:
            self.sheet.close(out, mark)
            return []
        assert not isinstance(test, bool)
        return self.again(mark, out, "[else]", words.guard(test))

    def again(self, mark: Mark, out: Ends, back: str, on: str) -> Ends:
        """Close a loop whose body leads to `out`: one way back, one way on."""
        if not out:
            return []
        origin = self.sheet.branch((), out)
        self.sheet.close([LooseEnd(origin, back)], mark)
        return [LooseEnd(origin, on)]

    def while_(self, stmt: stmts.While, ends: Ends) -> Ends:
        test = self.known.test(stmt.condition)
        mark = Mark(ends)
        if isinstance(test, bool):
            # It is not drawn at all where it never begins, so here it never ends by itself.
            self.sheet.close(self.block(stmt.body, [LooseEnd(mark)]), mark)
            return []
        origin = self.sheet.node(Kind.BRANCH, (), [LooseEnd(mark)])
        self.sheet.close(self.block(stmt.body, [LooseEnd(origin, words.guard(test))]), mark)
        return [LooseEnd(origin, "[else]")]

    # ---- phases

    def do(self, stmt: stmts.Do, ends: Ends) -> Ends:
        name = stmt.call.name
        if self.is_apart(name):
            return [LooseEnd(self.sheet.node(Kind.CALL, (words.called(stmt),), ends))]
        with self.sheet.group(words.phase_title(self.phases[name], stmt)):
            return self.body(name, ends)

    def body(self, name: str, ends: Ends) -> Ends:
        self.exits[name] = []
        out = self.block(self.phases[name].block.statements, ends)
        return out + self.exits.pop(name)

    def is_apart(self, name: str) -> bool:
        """Say whether a phase is drawn apart: it is carried out from several places, and is not small."""
        if name not in self.apart:
            self.apart[name] = self.sites[name] > 1 and self.size(name) > SMALL
        return self.apart[name]

    def size(self, name: str) -> int:
        """Return how many nodes a phase has, drawn on a sheet of its own."""
        kept = self.sheet, self.exits, self.end
        self.sheet, self.exits, self.end = GraphBuilder(), {}, None
        self.body(name, [self.start()])
        size = len(self.sheet.graph("").nodes) - 1
        self.sheet, self.exits, self.end = kept
        return size
