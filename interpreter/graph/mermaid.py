"""A picture in Mermaid's language for flow charts, which many pages and editors draw by themselves."""

from __future__ import annotations

from interpreter.graph.layout import edge_lines, nested, node_text
from interpreter.graph.model import Edge, Graph, Group, Kind, Node

_SHAPES = {
    Kind.START: ('(("', '"))'),
    Kind.DECISION: ('("', '")'),
    Kind.CHANCE: ('{{"', '"}}'),
    Kind.BRANCH: ('{"', '"}'),
    Kind.CALL: ('[["', '"]]'),
    Kind.WHENEVER: ('>"', '"]'),
    Kind.LEAVE: ('(["', '"])'),
    Kind.BACK: ('(("', '"))'),
    Kind.END: ('((("', '")))'),
}

_STYLES = {
    Kind.START: "fill:#333,stroke:#333,color:#fff",
    Kind.DECISION: "fill:#dbeafe,stroke:#2563eb,color:#111",
    Kind.CHANCE: "fill:#fef3c7,stroke:#b45309,color:#111",
    Kind.BRANCH: "fill:#f3f4f6,stroke:#555,color:#111",
    Kind.CALL: "fill:#ede9fe,stroke:#6d28d9,color:#111",
    Kind.WHENEVER: "fill:#dcfce7,stroke:#15803d,color:#111",
    Kind.LEAVE: "fill:#f3f4f6,stroke:#555,color:#111",
    Kind.BACK: "fill:#f3f4f6,stroke:#555,color:#111",
    Kind.END: "fill:#333,stroke:#333,color:#fff",
}
# A `%%{..}%%` anywhere in the text would be a directive to whatever draws it.
_ESCAPES = str.maketrans({"%": "#37;", "#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"})


def mermaid(graph: Graph) -> str:
    """Return a picture as a Mermaid flow chart; equal pictures give equal texts."""
    lines = ["---", f'title: "{_yaml(graph.title)}"', "---", "flowchart TD"]
    lines += nested(graph, _node, _opening, "end")
    lines += [f"    {_edge(edge)}" for edge in graph.edges]
    for kind in Kind:
        members = [f"n{node.number}" for node in graph.nodes if node.kind is kind]
        if members:
            lines.append(f"    classDef {kind.value}_ {_STYLES[kind]}")
            lines.append(f"    class {','.join(members)} {kind.value}_")
    if graph.groups:
        lines.append("    classDef phase_ fill:none,stroke:#888")
        lines.append(f"    class {','.join(f'g{group.number}' for group in graph.groups)} phase_")
    return "".join(f"{line}\n" for line in lines)


def _opening(group: Group) -> list[str]:
    return [f'subgraph g{group.number}["{_escaped(group.title)}"]']


def _node(node: Node) -> str:
    opening, closing = _SHAPES[node.kind]
    return f"n{node.number}{opening}{node_text(node, _escaped, '<br>')}{closing}"


def _edge(edge: Edge) -> str:
    label = "<br>".join(_escaped(line) for line in edge_lines(edge))
    return f"n{edge.source} -->{f'|{chr(34)}{label}{chr(34)}|' if label else ''} n{edge.target}"


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _yaml(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "\\x25")
