"""Graph algorithms: reachability, and depth-first search for a topological order and the edges that close a circle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

_Node = TypeVar("_Node")
_Edge = TypeVar("_Edge")


def reachable(starts: Iterable[_Node], successors: Callable[[_Node], Iterable[_Node]]) -> set[_Node]:
    """Return the nodes that are reached from some, these included."""
    found: set[_Node] = set()
    todo = list(starts)
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo.extend(successors(node))
    return found


def depth_first(
    edges: Mapping[_Node, Sequence[_Edge]], target: Callable[[_Edge], _Node]
) -> tuple[list[_Node], list[tuple[_Node, _Edge]]]:
    """Return the nodes, each after all that its edges lead to, and the edges that lead back, with their nodes."""
    order: list[_Node] = []
    back: list[tuple[_Node, _Edge]] = []
    is_open: dict[_Node, bool] = {}
    for start in edges:
        stack = [] if start in is_open else [(start, iter(edges[start]))]
        is_open.setdefault(start, True)
        while stack:
            node, rest = stack[-1]
            edge = next(rest, None)
            if edge is None:
                stack.pop()
                is_open[node] = False
                order.append(node)
            elif (to := target(edge)) not in is_open:
                is_open[to] = True
                stack.append((to, iter(edges[to])))
            elif is_open[to]:
                back.append((node, edge))
    return order, back
