"""Walk and change syntax trees, for all kinds of nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from grammar import expressions as ex
from grammar.ast import DefineDecl, EnumDecl, Item, OptionDecl, PhaseDecl, PlayDecl, VarDecl
from grammar.expressions import Node, field_names, parts, walk
from grammar.statements import (
    Action,
    Assign,
    AtOnce,
    Case,
    Choice,
    Do,
    For,
    If,
    InTurn,
    Match,
    Random,
    Repeat,
    Say,
    Stmt,
    Together,
    While,
)
from interpreter.analysis.functions import is_relation
from interpreter.analysis.info import Info
from interpreter.analysis.types import Int

EACH = "each"
"""The name of the card in question within a set or a deck, which `settle` puts in the place of `each`."""
Written = tuple[ex.Selection | bool, bool]
"""Whether a variable of a phase has been written in every case, and in any; of a family also: in the loop's turn."""
MOST_KEPT = 50_000
"""Nodes whose names are kept at a time."""

_names_of: dict[int, tuple[Node, frozenset[str]]] = {}
"""The names in a node, by its identity; it holds the node, so that no other one gets that identity meanwhile."""


def mentions(node: object, name: str) -> bool:
    """Whether a name occurs somewhere in a node, also between the braces of a text."""
    return name in names_in(node)


def names_in(node: object) -> frozenset[str]:
    """Return the names that occur in a node, also between the braces of a text; each node is walked once."""
    if not isinstance(node, Node):
        return frozenset[str]().union(*map(names_in, parts(node)))
    known = _names_of.get(id(node))
    if known is None:
        own = [node.name] if isinstance(node, ex.Name | ex.Call) else names_in_texts(node)
        found = frozenset(own).union(*map(names_in, parts(node)))
        if len(_names_of) >= MOST_KEPT:
            _names_of.clear()
        known = _names_of[id(node)] = node, found
    return known[1]


def names_in_texts(node: Node) -> list[str]:
    """Return the names that stand between the braces of a node's own text."""
    return [name for hole in _holes(node) for name in re.findall(r"[A-Za-z_]\w*", hole)]


def _holes(node: Node) -> list[str]:
    """Return what is between the braces of a node's own text."""
    text = node.text if isinstance(node, Say) else node.prompt if isinstance(node, Choice) else None
    return re.findall(r"\{([^{}]*)\}", text or "")


def occurrences(node: object, name: str) -> int:
    """Return how often a name is in a node as a value."""
    return sum((isinstance(n, ex.Name) and n.name == name) + names_in_texts(n).count(name) for n in walk(node))


def carried_out(part: object, phases: Mapping[str, PhaseDecl], seen: set[str] | None = None) -> Iterator[str]:
    """Give the phases that a part of the rules carries out, each once, in the order of play."""
    seen = set() if seen is None else seen
    for node in walk(part):
        if isinstance(node, Do) and node.call.name in phases and node.call.name not in seen:
            seen.add(node.call.name)
            yield node.call.name
            yield from carried_out(phases[node.call.name], phases, seen)


def own_tags(node: Node) -> tuple[str, ...]:
    """Return the tags of a node and of the values in it, without those of statements inside."""
    found, waiting = dict.fromkeys(node.tags), parts(node)[::-1]
    while waiting:
        if (part := waiting.pop()).__class__ not in _STATEMENTS:
            found.update(dict.fromkeys(part.tags))
            waiting += parts(part)[::-1]
    return tuple(found)


_STATEMENTS = frozenset(get_args(Stmt | Action | Case))


def put(node: Any, given: dict[str, ex.Expr], info: Info) -> Any:
    """Return a node with values in the place of names."""
    return replaced(node, lambda n: given.get(n.name) if isinstance(n, ex.Name) else None, info)


def replaced(node: Any, other: Callable[[Node], Node | None], info: Info) -> Any:
    """Return a node in which each part has given way to the `other`, where there is one."""
    if isinstance(node, tuple):
        return tuple(replaced(n, other, info) for n in node)
    if not isinstance(node, Node):
        return node
    if (made := other(node)) is not None or isinstance(node, ex.Name):
        return node if made is None else made
    return info.changed(node, **{n: replaced(getattr(node, n), other, info) for n in field_names(type(node))})


def all_of(op: Literal["and", "or"], parts: Sequence[ex.Condition], info: Info) -> ex.Condition:
    """Return conditions joined by `and` or `or`."""
    whole, *rest = parts
    for part in rest:
        whole = info.like(part, ex.Logic(op, whole, part, span=part.span))
    return whole


def begins_with(expr: ex.Expr, name: str) -> bool:
    """Whether the words of a value would begin with a name: the name itself, what belongs to it."""
    match expr:
        case ex.Name(name=own):
            return own == name
        case ex.Attribute(base=base):
            return begins_with(base, name)
        case ex.Index(indices=(ex.Name(name=first), *rest)):
            return first == name and not any(mentions(r, name) for r in rest)
        case ex.CardAt(at=str(), zone=zone):
            return begins_with(zone, name)
        case ex.Call(name=called, args=(whose,)) if is_relation(called):
            return begins_with(whose, name)
        case ex.Fold(function="sum", value=value, selection=ex.Selection(domain=domain, where=None)):
            capped = isinstance(value, ex.Call) and value.name == "max"
            return not capped and begins_with(domain, name)
    return False


def leads(condition: ex.Condition, name: str) -> bool:
    """Whether a thing is the subject of a condition, and is in it nowhere else."""
    if isinstance(condition, ex.Not):
        return leads(condition.value, name)
    if occurrences(condition, name) != 1:
        return isinstance(condition, ex.Logic) and all(leads(p, name) for p in (condition.left, condition.right))
    match condition:
        case ex.Compare(left=ex.Call("count", (ex.Index() as zone,))):
            return begins_with(zone, name)
        case ex.Compare(left=ex.Call(args=(ex.Name(name=own), *_))):
            return own == name
        case ex.Compare(left=left):
            return begins_with(left, name)
        case ex.Is(value=value):
            return begins_with(value, name)
        case ex.Index(indices=(first, *_)):
            return begins_with(first, name)
        case ex.Quantified(selection=ex.Selection(domain=ex.Index() as zone, where=ex.Node())):
            return begins_with(zone, name)
        case ex.Call(args=(ex.Name(name=first), *_)):
            return first == name
        case ex.CardAt(at=str(), zone=zone):
            return begins_with(zone, name)
        case ex.Attribute():
            return begins_with(condition, name)
    return False


def is_negative(condition: ex.Condition) -> bool:
    """Whether a condition is that something is not so."""
    match condition:
        case ex.Not() | ex.Compare(op="!=") | ex.Is(negated=True) | ex.Quantified(which="no"):
            return True
    return False


def has_alternatives(condition: ex.Condition) -> bool:
    """Whether a condition is or contains an `or`, or the negation of an `and`, not within a quantifier."""
    match condition:
        case ex.Logic(op=op, left=left, right=right):
            return op == "or" or has_alternatives(left) or has_alternatives(right)
        case ex.Not(value=value):
            return isinstance(value, ex.Logic) or has_alternatives(value)
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
    """Return what is summed up, without the 0 that represents what is absent."""
    match value:
        case ex.Chain(
            alternatives=(ex.Alternative(condition=None, value=first), ex.Alternative(value=ex.Number(value=0)))
        ):
            return first
    return value


class Reads:
    """Which values of a variable of a phase, or of the play, are ever read: its first, or one that a statement has set.

    A forward data-flow analysis over the statements in order of play: a state is whether the variable has been written
    in every case (of a family, all members or only the one of a loop's turn), and whether it has been in any.  Loops
    are gone through twice, and the two branches of a test from one state.
    """

    def __init__(self, name: str, phase: PhaseDecl | PlayDecl, items: tuple[Item, ...]) -> None:
        self.name = name
        self.names = {name}
        self.phases = {item.name: item for item in items if isinstance(item, PhaseDecl)}
        self.filled = {"players", "teams", *(item.name for item in items if isinstance(item, EnumDecl))}
        self.turns: dict[str, ex.Selection] = {}
        self.ends: dict[tuple[object, ...], Written] = {}
        defines = [item for item in items if isinstance(item, DefineDecl)]
        while more := {d.name for d in defines if d.name not in self.names and self._mentions(d)}:
            self.names |= more
        others = [i for i in items if not isinstance(i, PhaseDecl | DefineDecl | OptionDecl | PlayDecl)]
        self.first = self.later = any(self._mentions(item) for item in others)
        self._phase(phase, (False, False))

    def _mentions(self, part: object) -> bool:
        return not self.names.isdisjoint(names_in(part))

    def _turn(self, target: object) -> ex.Selection | None:
        """Return the loop that a member of the family is the one of; None for another member."""
        index = target.indices[0] if isinstance(target, ex.Index) and len(target.indices) == 1 else None
        return self.turns.get(index.name) if isinstance(index, ex.Name) else None

    def _is_of_turn(self, part: object, turn: ex.Selection) -> bool:
        """Whether a part reads no other member of the family than that of a loop's turn."""
        nodes = list(walk(part))
        own = [n for n in nodes if isinstance(n, ex.Index) and base_name(n) == self.name and self._turn(n) is turn]
        written = [i for n in nodes for i in re.findall(rf"\b{self.name}\[(\w+)\]", " ".join(_holes(n)))]
        alone = len(own) + sum(self.turns.get(i) is turn for i in written) == occurrences(part, self.name)
        return alone and names_in(part).isdisjoint(self.names - {self.name})

    def _read(self, parts: Iterable[object], state: Written) -> None:
        always, ever = state
        for part in () if self.first and self.later else parts:
            if self._mentions(part):
                self.first |= not always or (isinstance(always, ex.Selection) and not self._is_of_turn(part, always))
                self.later |= ever

    def _written(self, target: ex.Expr, state: Written) -> Written:
        if isinstance(target, ex.Name) or state[0] is True:
            return True, True
        return self._turn(target) or state[0], True

    def _phase(self, phase: PhaseDecl | PlayDecl, state: Written) -> Written:
        self._read([var.initial for var in phase.block.state], state)
        return self._body(phase.block.statements, state)

    def _body(self, body: tuple[Stmt, ...], state: Written) -> Written:
        for stmt in body:
            state = self._stmt(stmt, state)
        return state

    def _branches(self, bodies: list[tuple[Stmt, ...]], state: Written) -> Written:
        ends = [self._body(body, state) for body in bodies]
        least = next((always for always, _ in ends if always is not True), True)
        same = all(always is True or always is least for always, _ in ends)
        return (least if same else False), any(ever for _, ever in ends)

    def _loop(self, body: tuple[Stmt, ...], state: Written, *, whole: bool) -> Written:
        once = self._body(body, state)
        self._body(body, (state[0], once[1]))
        return (once[0] if whole else state[0]), once[1]

    def _turns(
        self, selections: tuple[ex.Selection, ...], body: tuple[Stmt, ...], state: Written, *, again: bool = False
    ) -> Written:
        """Go through a loop that has a turn for each thing that is selected."""
        self._read(selections, state)
        outside, self.turns = self.turns, {**self.turns, **{s.name: s for s in selections}}
        every = [s.where is None and isinstance(s.domain, ex.Name) and s.domain.name in self.filled for s in selections]
        always, ever = self._loop(body, state, whole=all(every))
        if again:  # Each turn evaluates the condition.
            self._read(selections, (True, ever))
        self.turns = outside
        return always is True or (all(every) and any(always is s for s in selections)) or always, ever

    def _stmt(self, stmt: Stmt, state: Written) -> Written:
        match stmt:
            case Assign(op=op, target=target, value=value) if base_name(target) == self.name:
                self._read([value, target if op != "=" else getattr(target, "indices", ())], state)
                return self._written(target, state)
            case Random(into=into, arg=arg) if (arg.name if into is None else base_name(into)) == self.name:
                self._read([arg.domain, arg.where, getattr(into, "indices", ())], state)
                return self._written(into or ex.Name(arg.name, span=arg.span), state)
            case If(condition=condition, then=then, otherwise=otherwise):
                self._read([condition], state)
                return self._branches([then, otherwise], state)
            case Match(subject=subject, cases=cases, otherwise=last):
                self._read([subject], state)
                return self._branches([*(case.body for case in cases), last or ()], state)
            case For(selections=selections, body=body):
                return self._turns(selections, body, state)
            case AtOnce(selection=selection, body=body) | InTurn(selection=selection, body=body):
                return self._turns((selection,), body, state, again=isinstance(stmt, InTurn))
            case Repeat(body=body, until=until):
                end = self._loop(body, state, whole=True)
                self._read([until], end)
                return end
            case While(condition=condition, body=body):
                self._read([condition], state)
                end = self._loop(body, state, whole=False)
                self._read([condition], end)
                return end
            case Together(body=body):
                return self._body(body, state)
            case Do(call=call) if call.name in self.phases:
                self._read(call.args, state)
                phase = self.phases[call.name]
                given = zip(phase.params, call.args, strict=False)
                outside = self.turns
                self.turns = {
                    param.name: outside[value.name]
                    for param, value in given
                    if isinstance(value, ex.Name) and value.name in outside
                }
                # A phase reads the same each time that it runs in the same state.
                key = (phase.name, *map(id, state), *((name, id(turn)) for name, turn in self.turns.items()))
                if key not in self.ends:
                    # A call of the phase inside itself ends as if it did not return, and then as what came out of that.
                    end, known = (True, state[1]), dict(self.ends)
                    for _ in range(1 if phase.deep is None else 2):
                        self.ends = {**known, key: end}
                        end = self._phase(phase, state)
                    self.ends[key] = end
                self.turns = outside
                return self.ends[key]
            case Choice(player=player, actions=actions, otherwise=last_):
                every = [*actions, *(() if last_ is None else (last_,))]
                self._read([player, *(p for a in every for p in (*a.args, a.such_that, a.only_if))], state)
                return self._branches([a.body for a in every], state)
            case _:  # All others hold no statements.
                self._read([stmt], state)
                return state


def is_truth(var: VarDecl) -> bool | None:
    """Return the first value of a variable that is yes or no; None for all others, and where rules work it out."""
    if not isinstance(var.type, ex.NamedType) or var.type.name != "boolean":
        return None
    return False if var.initial is None else var.initial.value if isinstance(var.initial, ex.Bool) else None


def base_name(target: ex.Expr) -> str:
    """Return the name of the variable that is set, also where it is one of a family; "" where it has none."""
    base = target.base if isinstance(target, ex.Index) else target
    return base.name if isinstance(base, ex.Name) else ""


def is_natural(value: ex.Expr, info: Info) -> bool:
    """Whether a number is never below 0."""
    type_ = info.type(value)
    return isinstance(type_, Int) and type_.low is not None and type_.low >= 0


def size(node: ex.Node) -> int:
    """Return how many nodes there are in one, itself among them."""
    return sum(1 for _ in walk(node))


def asks_for_some(expr: ex.Compare) -> bool | None:
    """Return whether a number is required to be more than none (True), none (False) or something else (None)."""
    match expr.op, expr.right:
        case (">" | "!=", ex.Number(value=0)) | (">=", ex.Number(value=1)):
            return True
        case ("<=" | "==", ex.Number(value=0)) | ("<", ex.Number(value=1)):
            return False
    return None
