"""What both languages for pictures need: which nodes lie in which group, and lines that are not too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import wrap

from interpreter.graph.model import Edge, Graph, Group, Kind, Node

NODE_WIDTH = 30
"""Characters of a line in a node."""
EDGE_WIDTH = 26
"""Characters of a line at an edge."""
_SAID = {Kind.START: " ", Kind.BRANCH: " ", Kind.BACK: "back", Kind.END: "end"}
"""What is written in a node that has no words of its own."""


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines that break between words only."""
    return wrap(text, width, break_long_words=False, break_on_hyphens=False)


def node_text(node: Node, written: Callable[[str], str], end_of_line: str) -> str:
    """Return what is written in a node, its title in bold letters; `written` makes a text harmless in the language."""
    title = [f"<b>{written(node.title)}</b>"] if node.title else []
    lines = [written(line) for text in node.lines for line in wrapped(text, NODE_WIDTH)]
    return end_of_line.join([*title, *lines]) or _SAID[node.kind]


def edge_lines(edge: Edge) -> list[str]:
    """Return what is written at an edge, in lines."""
    return [line for text in edge.labels for line in wrapped(text, EDGE_WIDTH)]


def nested(
    graph: Graph, node: Callable[[Node], str], opening: Callable[[Group], list[str]], closing: str,
    group: int | None = None, depth: int = 1,
) -> Iterator[str]:  # fmt: skip
    """Give the lines of the nodes and groups that lie in a group (None: in none), in the order of the text."""
    before = "    " * depth
    found: list[tuple[int, Node | Group]] = [(n.number, n) for n in graph.nodes if n.group == group]
    found += [(_first(graph, g.number), g) for g in graph.groups if g.parent == group]
    for _, item in sorted(found, key=lambda pair: pair[0]):
        match item:
            case Node():
                yield before + node(item)
            case Group():
                first, *inside = opening(item)
                yield before + first
                yield from (f"{before}    {line}" for line in inside)
                yield from nested(graph, node, opening, closing, item.number, depth + 1)
                yield before + closing


def _first(graph: Graph, group: int) -> int:
    """Return the number of the first node in a group or in those inside it."""
    inner = [_first(graph, g.number) for g in graph.groups if g.parent == group]
    return min([n.number for n in graph.nodes if n.group == group] + inner)
