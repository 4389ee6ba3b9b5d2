"""Draw the state machine of a spec: what is decided and by whom, what chance does, how play ends.

The walk goes through `play` as play does, and keeps the *loose ends*: the ways that lead to the next node.  A phase is
drawn where it is carried out, in a group of its own; a larger phase that is carried out from several places is drawn
once, beside the rest.  Statements that lead to no decision, chance event or end are left out or stand at an edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from grammar import ast as syntax
from grammar import statements as stmts
from grammar.expressions import Bool, Selection, walk
from interpreter.analysis.graphs import reachable
from interpreter.analysis.rules import Rules
from interpreter.graph import labels
from interpreter.graph.formats import Edge, Graph, Group, Kind, Node
from interpreter.rulebook.settle import Settled, settle

Block = tuple[stmts.Stmt, ...]

SMALL = 3
"""Nodes of a phase that is drawn again wherever it is carried out; a larger one is drawn once, beside the rest."""

MANY = 3
"""Ways of one branch on which nothing is drawn; more than that become one `[else]`."""


def draw(spec: syntax.Spec, rules: Rules) -> Graph:
    """Return the picture of a spec, whose parts are put together, as the checked rules let it be played.

    Ways that no play can take with these options and this number of players are left out.
    """
    settled = Settled(rules.num_players, dict(rules.setting.options))
    return _Pen(settle(spec, settled, rules.info.copy())).whole(rules.title)


class _Pen:
    """Draws on a sheet.

    `exits` holds, for each phase that is being drawn, the loose ends that leave it early; `end` is the end
    of the game in the part that is being drawn, once it is needed.
    """

    def __init__(self, spec: syntax.Spec) -> None:
        self.spec = spec
        self.phases = {item.name: item for item in spec.items if isinstance(item, syntax.PhaseDecl)}
        self.weight = weight = _Weight(self.phases)
        self.play = next(i.block.statements for i in spec.items if isinstance(i, syntax.PlayDecl))
        self.rules = [i for i in spec.items if isinstance(i, syntax.WheneverDecl) and weight.drawn(i.body)]
        self.sites = weight.calls([self.play, *(rule.body for rule in self.rules)])
        self.sheet = GraphBuilder()
        self.exits: dict[str, Ends] = {}
        self.end: int | None = None
        self.separate: dict[str, bool] = {}

    def whole(self, title: str) -> Graph:
        ends = self.block(self.play, [self.start()])
        self.to_end(ends)
        for rule in self.rules:
            self.end = None
            first = self.sheet.node(Kind.WHENEVER, (labels.whenever(rule),), [])
            self.back(self.block(rule.body, [LooseEnd(first)]))
        for name in [i.name for i in self.spec.items if isinstance(i, syntax.PhaseDecl)]:
            if self.separate.get(name):
                self.end = None
                with self.sheet.group(labels.phase_head(self.phases[name])):
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
                return self.sheet.chance(labels.chance(stmt), ends)
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
        return ends  # No other is drawn: it is reported at an edge, or passed over.

    def dealt(self, stmt: stmts.Stmt, ends: Ends) -> None:
        """Add to a shuffle, or another act of chance just before, what is dealt then."""
        deals = [inner for inner in self.weight.inside((stmt,)) if isinstance(inner, stmts.Deal)]
        if deals and isinstance(stmt, stmts.Deal | stmts.For):
            self.sheet.more_chance([labels.dealt(deal) for deal in deals], ends)

    def choice(self, stmt: stmts.Choice, ends: Ends, at_once: Selection | None) -> Ends:
        number = self.sheet.node(Kind.DECISION, labels.decision(stmt, at_once), ends)
        out: Ends = []
        alike: list[str] = []
        offered = labels.offered(stmt)
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
        """Return the ways of an `if` and of those in its `else`, with their labels; the last has none."""
        return [(labels.guard(stmt.condition), stmt.then), *self.rest(stmt.otherwise)]

    def rest(self, block: Block) -> list[tuple[str, Block]]:
        match block:
            case (stmts.If() as only,):
                return self.links(only)
            case _:
                return [("", block)]

    def match(self, stmt: stmts.Match, ends: Ends) -> Ends:
        found = _cases(stmt)
        return self.ways([(labels.case(c), c.body) for c in found], labels.subject(stmt), ends)

    def ways(self, links: list[tuple[str, Block]], condition: str, ends: Ends) -> Ends:
        """Draw a branch; ways on which nothing is drawn lead on, those of one `else` together."""
        if len(links) == 1:
            return self.block(links[0][1], ends)
        origin = self.sheet.branch((condition,) if condition else (), ends)
        out: Ends = []
        plain = [link for link in links if not self.weight.drawn(link[1])]
        if len(plain) > MANY:
            links = [*(link for link in links if link not in plain), ("", ())]
        for label, block in links:
            way = [LooseEnd(origin, label or "[else]")]
            if self.weight.drawn(block):
                out += self.block(block, way)
            else:
                out += [end.labelled(labels.doing(block)) for end in way]
        return out

    # ---- loops

    def each(self, stmt: stmts.For | stmts.InTurn, ends: Ends) -> Ends:
        mark = Mark(ends)
        return self.again(mark, self.block(stmt.body, [LooseEnd(mark)]), labels.each(stmt), "")

    def repeat(self, stmt: stmts.Repeat, ends: Ends) -> Ends:
        mark = Mark(ends)
        out = self.block(stmt.body, [LooseEnd(mark)])
        match stmt.until:
            case Bool(value=True):
                return out
            case Bool(value=False):
                self.sheet.close(out, mark)
                return []
            case until:
                return self.again(mark, out, "[else]", labels.guard(until))

    def again(self, mark: Mark, out: Ends, back: str, on: str) -> Ends:
        """Close a loop whose body leads to `out`: one way back, one way on."""
        if not out:
            return []
        origin = self.sheet.branch((), out)
        self.sheet.close([LooseEnd(origin, back)], mark)
        return [LooseEnd(origin, on)]

    def while_(self, stmt: stmts.While, ends: Ends) -> Ends:
        mark = Mark(ends)
        if isinstance(stmt.condition, Bool):
            # A loop that never begins has been left out, so this one never ends by itself.
            self.sheet.close(self.block(stmt.body, [LooseEnd(mark)]), mark)
            return []
        origin = self.sheet.node(Kind.BRANCH, (), [LooseEnd(mark)])
        self.sheet.close(self.block(stmt.body, [LooseEnd(origin, labels.guard(stmt.condition))]), mark)
        return [LooseEnd(origin, "[else]")]

    # ---- phases

    def do(self, stmt: stmts.Do, ends: Ends) -> Ends:
        name = stmt.call.name
        if self.is_separate(name):
            return [LooseEnd(self.sheet.node(Kind.CALL, (labels.called(stmt),), ends))]
        with self.sheet.group(labels.phase_title(self.phases[name], stmt)):
            return self.body(name, ends)

    def body(self, name: str, ends: Ends) -> Ends:
        self.exits[name] = []
        out = self.block(self.phases[name].block.statements, ends)
        return out + self.exits.pop(name)

    def is_separate(self, name: str) -> bool:
        """Say whether a phase is drawn beside the rest: called from several places and not small, or inside itself."""
        if name not in self.separate:
            inside_itself = self.phases[name].deep is not None
            self.separate[name] = inside_itself or (self.sites[name] > 1 and self.size(name) > SMALL)
        return self.separate[name]

    def size(self, name: str) -> int:
        """Return how many nodes a phase has, drawn on a sheet of its own."""
        kept = self.sheet, self.exits, self.end
        self.sheet, self.exits, self.end = GraphBuilder(), {}, None
        self.body(name, [self.start()])
        size = len(self.sheet.graph("").nodes) - 1
        self.sheet, self.exits, self.end = kept
        return size


class _Weight:
    """Decides which statements are drawn: those that lead to a decision, to chance, or to an end."""

    def __init__(self, phases: dict[str, syntax.PhaseDecl]) -> None:
        self._phases = phases
        self._heavy: dict[str, bool] = {}
        self._drawn: dict[str, bool] = {}

    def inside(self, block: Block) -> Iterator[stmts.Statement]:
        """Give the statements of a block, and all inside them; phases are not entered."""
        return (node for node in walk(block) if isinstance(node, stmts.Statement))

    def drawn(self, block: Block) -> bool:
        """Say whether anything of a block is drawn: what is heavy, and ways out of phases that are."""
        return self._leads(block, self._drawn, out=True)

    def _leads(self, block: Block, known: dict[str, bool], *, out: bool) -> bool:
        called = (stmt.call.name for stmt in self.inside(block) if isinstance(stmt, stmts.Do))
        return self._itself(block, out=out) or any(self._phase(name, known, out=out) for name in called)

    def _itself(self, block: Block, *, out: bool) -> bool:
        """Say whether a block leads there without the phases that it carries out."""
        for stmt in self.inside(block):
            match stmt:
                case stmts.Choice() | stmts.Random() | stmts.Shuffle() | stmts.End(what="game"):
                    return True
                case stmts.Reopen() if out:
                    return True
                case stmts.End(what=name) if out and self._phase(name, self._heavy, out=False):
                    return True
        return False

    def _phase(self, name: str, known: dict[str, bool], *, out: bool) -> bool:
        if name not in known:
            reached = reachable([name], lambda one: self.calls([self._phases[one].block.statements]))
            known[name] = any(self._itself(self._phases[one].block.statements, out=out) for one in reached)
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


def _cases(stmt: stmts.Match) -> list[stmts.Case]:
    """Return the cases of a `match`; `otherwise` is one without patterns."""
    last = () if stmt.otherwise is None else (stmts.Case((), stmt.otherwise, span=stmt.span),)
    return [*stmt.cases, *last]


_WITH_WORDS = (Kind.DECISION, Kind.CHANCE)
"""The kinds of nodes that can have the name of a phase which consists of one node."""


@attrs.define(eq=False)
class Mark:
    """Where a loop begins: the ends that lead into it, until its first node is known."""

    ends: list[LooseEnd]
    first: int | None = None


@attrs.frozen
class LooseEnd:
    """A way that leads on from a node, or from where a loop begins.

    `fresh` is true just after an act of chance, as long as more of it may be written at the same node.
    """

    source: int | Mark
    label: str = ""
    fresh: bool = False

    def labelled(self, more: str) -> LooseEnd:
        """Return the end with more words at its edge."""
        return LooseEnd(self.source, (self.label + more).strip())


Ends = list[LooseEnd]


class GraphBuilder:
    """Collects what is drawn."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._nodes: dict[int, Node] = {}
        self._edges: list[tuple[int, int, str]] = []
        self._groups: dict[int, Group] = {}
        self._group: int | None = None

    # ---- nodes

    def node(self, kind: Kind, lines: tuple[str, ...], ends: Ends, *, top: bool = False) -> int:
        """Add a node to which ends lead, in the group that is open (`top`: in none), and return its number."""
        number = len(self._nodes) + 1
        self._nodes[number] = Node(number, kind, "", lines, None if top else self._group)
        self.join(ends, number)
        return number

    def chance(self, line: str, ends: Ends) -> Ends:
        """Add an act of chance, at the node before where that is one and nothing lies between."""
        if self.more_chance([line], ends):
            return ends
        return [LooseEnd(self.node(Kind.CHANCE, (line,), ends), "", fresh=True)]

    def more_chance(self, lines: list[str], ends: Ends) -> bool:
        """Write more lines at the act of chance just before, and say whether there is one."""
        match ends:
            case [LooseEnd(source=int(number), fresh=True)] if self._nodes[number].group == self._group:
                before = self._nodes[number]
                self._nodes[number] = attrs.evolve(before, lines=(*before.lines, *lines))
                return True
            case _:
                return False

    def branch(self, lines: tuple[str, ...], ends: Ends) -> int:
        """Return a node that several ways can lead on from: the one before where that is plain, else a new one."""
        match ends:
            case [LooseEnd(source=int(number), label="")] if not lines and self._plain(number):
                return number
            case _:
                return self.node(Kind.BRANCH, lines, ends)

    def _plain(self, number: int) -> bool:
        return self._nodes[number].kind in (Kind.CHANCE, Kind.DECISION, Kind.CALL) and not self.left(number)

    def left(self, number: int) -> bool:
        """Say whether a way leads on from a node already."""
        return any(source == number for source, _, _ in self._edges)

    # ---- edges

    def join(self, ends: Ends, target: int) -> None:
        """Let ends lead to a node."""
        for end in ends:
            if isinstance(end.source, Mark):
                mark = end.source
                if mark.first is None:
                    mark.first = target
                    self.join(mark.ends, target)
            else:
                self._edges.append((end.source, target, end.label))

    def close(self, ends: Ends, mark: Mark) -> None:
        """Let ends lead back to where a loop begins."""
        if mark.first is not None:
            self.join(ends, mark.first)

    # ---- groups

    @contextmanager
    def group(self, title: str) -> Iterator[None]:
        """Put what is drawn inside into a group."""
        before = self._group
        number = len(self._groups) + 1
        self._groups[number] = Group(number, title, before)
        self._group = number
        yield
        self._group = before

    # ---- the whole

    def graph(self, title: str) -> Graph:
        """Return what was drawn; a group around a single node becomes the title of that node."""
        kept: list[Group] = []
        for group in reversed(self._groups.values()):
            inside = [n for n in self._nodes.values() if n.group == group.number]
            groups = any(g.parent == group.number for g in kept)
            if groups or len(inside) > 1 or (inside and inside[0].kind not in _WITH_WORDS):
                kept.append(group)
                continue
            for node in inside:
                both = f"{group.title}: {node.title}" if node.title else group.title
                self._nodes[node.number] = attrs.evolve(node, title=both, group=group.parent)
        kept.reverse()
        numbers = {group.number: n for n, group in enumerate(kept, 1)}
        groups_ = tuple(
            Group(numbers[g.number], g.title, None if g.parent is None else numbers[g.parent]) for g in kept
        )
        nodes = tuple(
            attrs.evolve(n, group=None if n.group is None else numbers[n.group]) for n in self._nodes.values()
        )
        return Graph(title, nodes, self._merged(), groups_)

    def _merged(self) -> tuple[Edge, ...]:
        """Return the edges in the order in which they were drawn, those between the same two nodes as one."""
        labels: dict[tuple[int, int], list[str]] = {}
        for source, target, label in self._edges:
            labels.setdefault((source, target), []).append(label)
        return tuple(
            Edge(source, target, () if "" in said else tuple(dict.fromkeys(said)))
            for (source, target), said in labels.items()
        )
