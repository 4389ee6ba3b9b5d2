"""What the values of generated Python are, as far as C can profit from it.

Generated code is a small part of Python: numbered names, zones `z`, variables `v`, tables by card.  A kind is found
for every local name of a function from all that is assigned to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

import attrs


class Kind(Enum):
    """What a value is: a whole number that fits into C's `long`, a list, a list or another series of such numbers."""

    NUMBER = "long"
    LIST = "list"
    CARDS = "list of long"
    NUMBERS = "series of long"
    OBJECT = "object"

    @property
    def declared(self) -> str:
        """The type that a variable or parameter of this kind is declared with."""
        return {"long": "long", "list": "list", "list of long": "list"}.get(self.value, "object")


Names = Mapping[str, Kind]

_NUMERIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_COPIES = ("sorted", "list")


@attrs.frozen
class Surroundings:
    """What stands around the functions of a module.

    `tables` are the objects that the module is given, `defined` the names that it defines; `rows` has the table of each
    name for `table.__getitem__`; `ranges` are the names for ranges of numbers, `numeric` those for lists and tuples of
    whole numbers and of nothing else.
    """

    tables: Mapping[str, Any]
    defined: frozenset[str]
    rows: Mapping[str, str]
    ranges: frozenset[str]
    numeric: frozenset[str]

    @classmethod
    def of(cls, module: ast.Module, tables: Mapping[str, Any]) -> Surroundings:
        """Return the surroundings that a module's last lines and its tables make."""
        defined, rows, ranges = set(), {}, set()
        for statement in module.body:
            match statement:
                case ast.FunctionDef(name=name):
                    defined.add(name)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    defined.add(name)
                    match value:
                        case ast.Attribute(value=ast.Name(id=table), attr="__getitem__"):
                            rows[name] = table
                        case ast.Call(func=ast.Name(id="range")):
                            ranges.add(name)
        lists = {name: table for name, table in tables.items() if isinstance(table, list | tuple)}
        numeric = {name for name, table in lists.items() if all(type(item) is int for item in table)}
        return cls(tables, frozenset(defined), rows, frozenset(ranges), frozenset(numeric))

    def is_list(self, name: str) -> bool:
        """Say whether a name is a list or a tuple that is read by number."""
        return isinstance(self.tables.get(name), list | tuple)

    def kind(self, node: ast.expr, names: Names) -> Kind:
        """Return the kind of an expression among names of known kinds."""
        match node:
            case ast.Constant(value=value):
                return Kind.NUMBER if type(value) is int else Kind.OBJECT
            case ast.Name(id=name):
                if name in names:
                    return names[name]
                return Kind.NUMBERS if name in self.ranges or name in self.numeric else Kind.OBJECT
            case ast.Subscript(value=ast.Name(id="z"), slice=index) if not isinstance(index, ast.Slice):
                return Kind.CARDS
            case ast.Subscript(value=ast.Name(id="ROTATIONS")):
                return Kind.NUMBERS
            case ast.Subscript(value=ast.Name(id=name), slice=index) if not isinstance(index, ast.Slice):
                return Kind.NUMBER if name in self.numeric else Kind.OBJECT
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _NUMERIC):
                both = {self.kind(left, names), self.kind(right, names)}
                return Kind.NUMBER if both == {Kind.NUMBER} else Kind.OBJECT
            case ast.IfExp(body=body, orelse=orelse):
                return joined(self.kind(body, names), self.kind(orelse, names))
            case ast.Call(func=ast.Name(id="len")):
                return Kind.NUMBER
            case ast.Call(func=ast.Name(id="range")):
                return Kind.NUMBERS
            case ast.Call(func=ast.Name(id=name), args=[given]) if name in _COPIES:
                return Kind.CARDS if self.items(given, names) is Kind.NUMBER else Kind.LIST
            case ast.Call(func=ast.Name(id="known"), args=[_, given]):
                return self.kind(given, names)
            case ast.List(elts=items):
                numbers = items and all(self._is_number(item, names) for item in items)
                return Kind.CARDS if numbers else Kind.LIST
            case ast.ListComp():
                return Kind.CARDS if self.items(node, names) is Kind.NUMBER else Kind.LIST
            case _:
                return Kind.OBJECT

    def _is_number(self, item: ast.expr, names: Names) -> bool:
        if isinstance(item, ast.Starred):
            return self.items(item.value, names) is Kind.NUMBER
        return self.kind(item, names) is Kind.NUMBER

    def items(self, node: ast.expr, names: Names) -> Kind:
        """Return the kind of what an expression goes through: a number, or any object."""
        match node:
            case ast.ListComp(elt=item, generators=generators) | ast.SetComp(elt=item, generators=generators):
                inner = dict(names)
                for generator in generators:
                    for name in targets(generator.target):
                        inner[name] = self.items(generator.iter, inner)
                return Kind.NUMBER if self.kind(item, inner) is Kind.NUMBER else Kind.OBJECT
            case ast.Set(elts=items):
                return Kind.NUMBER if all(self._is_number(item, names) for item in items) else Kind.OBJECT
            case _:
                series = self.kind(node, names) in (Kind.CARDS, Kind.NUMBERS)
                return Kind.NUMBER if series else Kind.OBJECT

    def locals(self, function: ast.FunctionDef, given: Names) -> dict[str, Kind]:
        """Return the kind of every local name of a function, whose parameters are given."""
        bindings = list(_bindings(function.body))
        found: dict[str, Kind] = {}
        for _ in range(len(bindings) + 1):
            before = dict(found)
            around = {**given, **{name: Kind.OBJECT for name, _, _ in bindings}, **found}
            for name, value, through in bindings:
                if value is None:
                    kind = Kind.OBJECT
                else:
                    kind = self.items(value, around) if through else self.kind(value, around)
                around[name] = found[name] = joined(found[name], kind) if name in found else kind
            if found == before:
                break
        return {name: kind for name, kind in found.items() if name not in given}


def joined(one: Kind, other: Kind) -> Kind:
    """Return the kind of what is one or the other."""
    if one is other:
        return one
    lists = {Kind.LIST, Kind.CARDS}
    return Kind.LIST if {one, other} <= lists else Kind.OBJECT


def targets(node: ast.expr) -> list[str]:
    """Return the names that a target binds."""
    return [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]


def _bindings(body: Sequence[ast.stmt | ast.ExceptHandler]) -> Iterator[tuple[str, ast.expr | None, bool]]:
    """Yield (name, value, whether it goes through the value) for all that statements bind; None is any value."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value, False
            case ast.Assign(targets=[ast.Tuple() as several]):
                for name in targets(several):
                    yield name, None, False
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                # A list stays the list that it was.
                if not isinstance(op, ast.Add) or not isinstance(value, ast.ListComp | ast.Call):
                    yield name, None, False
            case ast.For(target=target, iter=through):
                for name in targets(target):
                    yield name, through if isinstance(target, ast.Name) else None, True
        for inner in ("body", "orelse", "handlers"):
            yield from _bindings(getattr(statement, inner, []))
        for part in ast.iter_child_nodes(statement):
            if isinstance(part, ast.expr):
                for node in ast.walk(part):
                    if isinstance(node, ast.NamedExpr):
                        yield node.target.id, None, False
