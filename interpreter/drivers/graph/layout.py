"""What both languages for pictures need: which nodes lie in which group, and lines that are not too long."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from interpreter.drivers.graph.model import Edge, Graph, Group, Node

NODE_WIDTH = 30
"""Characters of a line in a node."""
EDGE_WIDTH = 26
"""Characters of a line at an edge."""


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines that break between words only."""
    return wrap(text, width, break_long_words=False, break_on_hyphens=False)


def node_lines(node: Node) -> list[str]:
    """Return what is written in a node, without its title, in lines."""
    return [line for text in node.lines for line in wrapped(text, NODE_WIDTH)]


def edge_lines(edge: Edge) -> list[str]:
    """Return what is written at an edge, in lines."""
    return [line for text in edge.labels for line in wrapped(text, EDGE_WIDTH)]


def contents(graph: Graph, group: int | None) -> Iterator[Node | Group]:
    """Give the nodes and groups that lie directly in a group (None: in none), in the order of the text."""
    found: list[tuple[int, Node | Group]] = [(n.number, n) for n in graph.nodes if n.group == group]
    found += [(_first(graph, g.number), g) for g in graph.groups if g.parent == group]
    for _, item in sorted(found, key=lambda pair: pair[0]):
        yield item


def _first(graph: Graph, group: int) -> int:
    """Return the number of the first node in a group or in those inside it."""
    inner = [_first(graph, g.number) for g in graph.groups if g.parent == group]
    return min([n.number for n in graph.nodes if n.group == group] + inner)
