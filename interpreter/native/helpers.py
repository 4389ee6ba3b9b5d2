"""The functions that generated code and the machine call, taken from their own source for Cython.

They are the functions of `interpreter.runtime.support`, `chance` and `playouts` as Python runs them.  What
they read from outside, their module's names and the tables of the game that they are made for, is given to the module.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Mapping
from types import FunctionType
from typing import Any

import attrs

from interpreter.runtime import chance, playouts, support

_SOURCES = (support.__name__, chance.__name__, playouts.__name__)
_TYPES = {"State": "Machine", "Machine": "Machine", "Zones": "list"}


@attrs.frozen
class Helpers:
    """The text of functions, their names, and what they need besides: objects by name."""

    lines: list[str]
    names: frozenset[str]
    given: dict[str, Any]


def helpers_of(wanted: Mapping[str, Any]) -> Helpers:
    """Return the functions among what is wanted, by name, with all that they call in turn; the rest is given."""
    lines: list[str] = []
    written: dict[str, Any] = {}
    given: dict[str, Any] = {}
    waiting = sorted(wanted.items())
    while waiting:
        name, value = waiting.pop(0)
        if name in written or name in given:
            known = written.get(name, given.get(name))
            assert known is value, f"two things are called {name}"
        elif isinstance(value, FunctionType) and value.__module__ in _SOURCES and value.__name__ == name:
            written[name] = value
            lines += _function(name, value)
            waiting += sorted(_read(value).items())
        else:
            given[name] = value
    return Helpers(lines, frozenset(written), given)


def _read(function: FunctionType) -> dict[str, Any]:
    """Return what a function reads from outside, by name."""
    found = inspect.getclosurevars(function)
    return {n: v for n, v in {**found.globals, **found.nonlocals}.items() if not hasattr(builtins, n)}


def _function(name: str, function: FunctionType) -> list[str]:
    """Return the text of a function for Cython; where it makes a function itself, it stays one of Python's."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    taken = ", ".join(_parameter(argument) for argument in node.args.args)
    assert len(node.args.args) == len(inspect.signature(function).parameters)
    assert function.__defaults__ is None
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    parts = [part for statement in body for part in ast.walk(statement)]
    makes = any(isinstance(part, ast.Lambda | ast.GeneratorExp | ast.Yield) for part in parts)
    plain = [ast.fix_missing_locations(_Plain().visit(statement)) for statement in body]
    text = [line for statement in plain for line in ast.unparse(statement).splitlines()]
    return [f"{'def' if makes else 'cpdef object'} {name}({taken}):", *(f"    {line}" for line in text)]


def _parameter(argument: ast.arg) -> str:
    annotation = argument.annotation
    type_ = _TYPES.get(annotation.id, "object") if isinstance(annotation, ast.Name) else "object"
    return f"{type_} {argument.arg}"


class _Plain(ast.NodeTransformer):
    """Takes the types away from assignments."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """Leave the assignment."""
        assert node.value is not None
        return ast.Assign([node.target], node.value, lineno=node.lineno)
