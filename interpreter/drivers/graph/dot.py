"""A picture in DOT, the language of Graphviz."""

from __future__ import annotations

from html import escape

from interpreter.drivers.graph.layout import contents, edge_lines, node_lines
from interpreter.drivers.graph.model import Edge, Graph, Group, Kind, Node

_LOOKS = {
    Kind.START: 'shape=circle, width=0.2, fixedsize=true, fillcolor="#333333"',
    Kind.DECISION: 'shape=box, style="filled,rounded", fillcolor="#dbeafe"',
    Kind.CHANCE: 'shape=hexagon, fillcolor="#fef3c7"',
    Kind.BRANCH: 'shape=diamond, fillcolor="#f3f4f6"',
    Kind.CALL: 'shape=box, peripheries=2, fillcolor="#ede9fe"',
    Kind.WHENEVER: 'shape=cds, fillcolor="#dcfce7"',
    Kind.LEAVE: 'shape=box, style="filled,rounded", fillcolor="#f3f4f6"',
    Kind.BACK: 'shape=circle, fillcolor="#f3f4f6"',
    Kind.END: 'shape=doublecircle, fontcolor="#ffffff", fillcolor="#333333"',
}
_SAID = {Kind.START: " ", Kind.BRANCH: " ", Kind.BACK: "back", Kind.END: "end"}
"""What is written in a node that has no words of its own."""


def dot(graph: Graph) -> str:
    """Return a picture as a DOT digraph with a cluster for each group; equal pictures give equal texts."""
    lines = [
        "digraph {",
        f"    label=<<b>{escape(graph.title)}</b>>",
        "    labelloc=t",
        '    node [fontname="sans-serif", fontsize=11, style=filled]',
        '    edge [fontname="sans-serif", fontsize=10]',
        '    graph [fontname="sans-serif", fontsize=12]',
    ]
    _contents(lines, graph, None, 1)
    lines += [f"    {_edge(edge)}" for edge in graph.edges]
    lines.append("}")
    return "".join(f"{line}\n" for line in lines)


def _contents(lines: list[str], graph: Graph, group: int | None, depth: int) -> None:
    before = "    " * depth
    for item in contents(graph, group):
        match item:
            case Node():
                lines.append(before + _node(item))
            case Group():
                lines.append(f"{before}subgraph cluster_{item.number} {{")
                lines.append(f'{before}    label=<{escape(item.title)}>; style=rounded; color="#888888"')
                _contents(lines, graph, item.number, depth + 1)
                lines.append(f"{before}}}")


def _node(node: Node) -> str:
    title = [f"<b>{escape(node.title)}</b>"] if node.title else []
    words = "<br/>".join([*title, *(escape(line) for line in node_lines(node))])
    return f"n{node.number} [label=<{words or _SAID[node.kind]}>, {_LOOKS[node.kind]}]"


def _edge(edge: Edge) -> str:
    label = "<br/>".join(escape(line) for line in edge_lines(edge))
    return f"n{edge.source} -> n{edge.target}" + (f" [label=< {label} >]" if label else "")
