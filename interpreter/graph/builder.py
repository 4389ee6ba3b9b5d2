"""The sheet that a picture is drawn on: nodes and edges as they come, put in order at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from interpreter.graph.model import Edge, Graph, Group, Kind, Node

_WITH_WORDS = (Kind.DECISION, Kind.CHANCE)
"""What can bear the name of a phase that consists of it alone."""


@attrs.define(eq=False)
class Mark:
    """Where a loop begins: the ends that lead into it, until its first node is known."""

    ends: list[LooseEnd]
    first: int | None = None


@attrs.frozen
class LooseEnd:
    """A way that leads on from a node, or from where a loop begins.

    `fresh` is true just behind an act of chance, as long as more of it may be written at the same node.
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
