"""The picture of a state machine as data, and as text for Mermaid, which many editors draw, and for DOT of Graphviz."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from html import escape
from textwrap import wrap

import attrs


class Kind(Enum):
    """The kind of a node."""

    START = "start"
    """Where play, or a phase that is drawn separately, begins."""
    DECISION = "decision"
    """A player chooses."""
    CHANCE = "chance"
    """Cards are shuffled, or something is drawn by lot."""
    BRANCH = "branch"
    """Play goes one of several ways; the edges say when."""
    CALL = "call"
    """A phase is carried out that is drawn separately."""
    WHENEVER = "whenever"
    """A rule that waits for something to become true."""
    LEAVE = "leave"
    """A phase is left early that is drawn elsewhere."""
    BACK = "back"
    """A phase that is drawn separately is over, or a rule that waited; play goes on where it was."""
    END = "end"
    """The play is over."""


@attrs.frozen
class Node:
    """One thing that happens.

    `number` counts from 1 in the order of the text.  `title` is the phase that consists of this node alone,
    or empty; `lines` is what is written in it; `group` the number of the group that it lies in, or None.
    """

    number: int
    kind: Kind
    title: str
    lines: tuple[str, ...]
    group: int | None


@attrs.frozen
class Edge:
    """A way from one node to another, by their numbers; `labels` say when it is taken (none: always).

    Conditions stand in square brackets, verbs alone; after `/` is what happens on the way.  Each label
    is a case of its own.
    """

    source: int
    target: int
    labels: tuple[str, ...]


@attrs.frozen
class Group:
    """A phase around what belongs to it; `parent` is the number of the group around it, or None."""

    number: int
    title: str
    parent: int | None


@attrs.frozen
class Graph:
    """The state machine of one spec, for one number of players and one set of options."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...]


# ---- text

NODE_WIDTH = 30
"""Characters of a line in a node."""
EDGE_WIDTH = 26
"""Characters of a line at an edge."""
_SAID = {Kind.START: " ", Kind.BRANCH: " ", Kind.BACK: "back", Kind.END: "end"}
"""The text of a node that has no words of its own."""


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


_DOT_LOOKS = {
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
    lines += nested(graph, _dot_node, _dot_group, "}")
    lines += [f"    {_dot_edge(edge)}" for edge in graph.edges]
    lines.append("}")
    return "".join(f"{line}\n" for line in lines)


def _dot_group(group: Group) -> list[str]:
    return [f"subgraph cluster_{group.number} {{", f'label=<{escape(group.title)}>; style=rounded; color="#888888"']


def _dot_node(node: Node) -> str:
    return f"n{node.number} [label=<{node_text(node, escape, '<br/>')}>, {_DOT_LOOKS[node.kind]}]"


def _dot_edge(edge: Edge) -> str:
    label = "<br/>".join(escape(line) for line in edge_lines(edge))
    return f"n{edge.source} -> n{edge.target}" + (f" [label=< {label} >]" if label else "")


_MERMAID_SHAPES = {
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

_MERMAID_STYLES = {
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
# A `%%{..}%%` anywhere in the text would be a directive to the renderer.
_ESCAPES = str.maketrans({"%": "#37;", "#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"})


def mermaid(graph: Graph) -> str:
    """Return a picture as a Mermaid flow chart; equal pictures give equal texts."""
    lines = ["---", f'title: "{_yaml(graph.title)}"', "---", "flowchart TD"]
    lines += nested(graph, _mermaid_node, _mermaid_group, "end")
    lines += [f"    {_mermaid_edge(edge)}" for edge in graph.edges]
    for kind in Kind:
        members = [f"n{node.number}" for node in graph.nodes if node.kind is kind]
        if members:
            lines.append(f"    classDef {kind.value}_ {_MERMAID_STYLES[kind]}")
            lines.append(f"    class {','.join(members)} {kind.value}_")
    if graph.groups:
        lines.append("    classDef phase_ fill:none,stroke:#888")
        lines.append(f"    class {','.join(f'g{group.number}' for group in graph.groups)} phase_")
    return "".join(f"{line}\n" for line in lines)


def _mermaid_group(group: Group) -> list[str]:
    return [f'subgraph g{group.number}["{_escaped(group.title)}"]']


def _mermaid_node(node: Node) -> str:
    opening, closing = _MERMAID_SHAPES[node.kind]
    return f"n{node.number}{opening}{node_text(node, _escaped, '<br>')}{closing}"


def _mermaid_edge(edge: Edge) -> str:
    label = "<br>".join(_escaped(line) for line in edge_lines(edge))
    return f"n{edge.source} -->{f'|{chr(34)}{label}{chr(34)}|' if label else ''} n{edge.target}"


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _yaml(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "\\x25")
