"""A picture in DOT, the language of Graphviz."""

from __future__ import annotations

from html import escape

from interpreter.graph.layout import edge_lines, nested, node_text
from interpreter.graph.model import Edge, Graph, Group, Kind, Node

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
    lines += nested(graph, _node, _opening, "}")
    lines += [f"    {_edge(edge)}" for edge in graph.edges]
    lines.append("}")
    return "".join(f"{line}\n" for line in lines)


def _opening(group: Group) -> list[str]:
    return [f"subgraph cluster_{group.number} {{", f'label=<{escape(group.title)}>; style=rounded; color="#888888"']


def _node(node: Node) -> str:
    return f"n{node.number} [label=<{node_text(node, escape, '<br/>')}>, {_LOOKS[node.kind]}]"


def _edge(edge: Edge) -> str:
    label = "<br/>".join(escape(line) for line in edge_lines(edge))
    return f"n{edge.source} -> n{edge.target}" + (f" [label=< {label} >]" if label else "")
