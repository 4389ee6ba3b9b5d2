"""Walk and change syntax trees, whatever their nodes are."""

from __future__ import annotations

import re
from typing import Any

from grammar import expressions as ex
from grammar.expressions import Node, field_names, parts, walk
from grammar.statements import Action, Case, Choice, Say, Stmt
from interpreter.analysis.functions import is_relation
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


def begins_with(expr: ex.Expr, name: str) -> bool:
    """Whether the words of a value would begin with a name: the name itself, what belongs to it."""
    match expr:
        case ex.Name(name=own):
            return own == name
        case ex.Attribute(base=base):
            return begins_with(base, name)
        case ex.Index(indices=(ex.Name(name=first), *rest)):
            return first == name and not any(mentions(r, name) for r in rest)
        case ex.EndOf(zone=zone):
            return begins_with(zone, name)
        case ex.Call(name=called, args=(whose,)) if is_relation(called):
            return begins_with(whose, name)
    return False


def leads(condition: ex.Condition, name: str) -> bool:
    """Whether a thing is the subject of a condition, and stands in it nowhere else."""
    if occurrences(condition, name) != 1:
        return isinstance(condition, ex.Logic) and all(leads(p, name) for p in (condition.left, condition.right))
    match condition:
        case ex.Compare(left=ex.Call("count", (ex.Index() as zone,))):
            return begins_with(zone, name)
        case ex.Compare(left=left):
            return begins_with(left, name)
        case ex.Is(value=value):
            return begins_with(value, name)
        case ex.Not(value=value):
            return leads(value, name)
        case ex.Index(indices=(first, *_)):
            return begins_with(first, name)
        case ex.Call(args=(ex.Name(name=first), *_)):
            return first == name
        case ex.EndOf(zone=zone):
            return begins_with(zone, name)
        case ex.Attribute():
            return begins_with(condition, name)
    return False


def is_subject(condition: ex.Condition, name: str) -> bool:
    """Whether the thing itself, and nothing that belongs to it, is the subject of one test."""
    match condition:
        case ex.Is(value=ex.Name(name=own)) | ex.Compare(left=ex.Name(name=own)):
            return own == name
        case ex.Call() | ex.Index():
            return True
    return False


def without_nothing(value: ex.Expr) -> ex.Expr:
    """Return what is summed up, without the 0 that stands for what is absent."""
    match value:
        case ex.Chain(
            alternatives=(ex.Alternative(condition=None, value=first), ex.Alternative(value=ex.Number(value=0)))
        ):
            return first
    return value


def speaks_of_each(condition: ex.Condition) -> bool:
    """Whether `each` is the subject of a condition."""
    if isinstance(condition, ex.Logic):
        return speaks_of_each(condition.left) and speaks_of_each(condition.right)
    value = getattr(condition, "value", None) or getattr(condition, "left", None)
    if isinstance(condition, ex.Call):
        value = condition.args[0] if condition.args else None
    while isinstance(value, ex.Attribute):
        value = value.base
    return isinstance(value, ex.Each)


def is_plainly_in(body: Stmt, name: str) -> bool:
    """Whether a name stands where "each ..." can take its place: an index or an argument, not inside a selection."""
    inside = [n for part in parts(body) for n in _selections(part)]
    return not any(occurrences(s, name) for s in inside)


def _selections(node: ex.Node) -> list[ex.Node]:
    if isinstance(node, ex.Selection):
        return [node]
    return [found for part in parts(node) for found in _selections(part)]


def size(node: ex.Node) -> int:
    """Return how many nodes there are in one, itself among them."""
    return sum(1 for _ in walk(node))


def asks_for_some(expr: ex.Compare, negated: bool) -> bool | None:
    """Return whether a number is asked to be more than none (True), none (False) or something else (None)."""
    match expr.op, expr.right:
        case (">" | "!=", ex.Number(value=0)) | (">=", ex.Number(value=1)):
            return not negated
        case ("<=" | "==", ex.Number(value=0)) | ("<", ex.Number(value=1)):
            return negated
    return None
