"""Walk and change syntax trees, whatever their nodes are."""

from __future__ import annotations

import re
from typing import Any

from grammar import expressions as ex
from grammar.expressions import Node, field_names, parts, walk
from grammar.statements import Action, Case, Choice, Say, Stmt
from interpreter.analysis.info import Info


def mentions(node: object, name: str) -> bool:
    """Whether a name stands somewhere in a node, also between the braces of a text."""
    return any((isinstance(n, ex.Name | ex.Call) and n.name == name) or name in names_in_texts(n) for n in walk(node))


def names_in_texts(node: Node) -> list[str]:
    """Return the names that stand between the braces of a node's own text."""
    text = node.text if isinstance(node, Say) else node.prompt if isinstance(node, Choice) else None
    return [name for hole in re.findall(r"\{([^{}]*)\}", text or "") for name in re.findall(r"[A-Za-z_]\w*", hole)]


def occurrences(node: object, name: str) -> int:
    """Return how often a name stands in a node as a value."""
    return sum((isinstance(n, ex.Name) and n.name == name) + names_in_texts(n).count(name) for n in walk(node))


def own_tags(node: Node) -> tuple[str, ...]:
    """Return the tags of a node and of the values in it, without those of statements inside."""
    found = list(node.tags)
    for part in parts(node):
        if not isinstance(part, Stmt | Action | Case):
            found += own_tags(part)
    return tuple(dict.fromkeys(found))


def put(node: Any, given: dict[str, ex.Expr], info: Info) -> Any:
    """Return a node with values in the place of names."""
    if isinstance(node, tuple):
        return tuple(put(n, given, info) for n in node)
    if isinstance(node, ex.Name):
        return given.get(node.name, node)
    if not isinstance(node, Node):
        return node
    return info.changed(node, **{n: put(getattr(node, n), given, info) for n in field_names(type(node))})
