"""Functions of generated Python, written for Cython; each line knows the generated line that it carries out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from interpreter.native.expressions import Expressions
from interpreter.native.kinds import Kind, Surroundings

INDENT = "    "
_STATE = {"st": "Machine st", "v": "list v", "z": "list z"}


@attrs.frozen
class Line:
    """A line of Cython, and the number of the generated line that it carries out; 0 for none."""

    text: str
    origin: int = 0


@attrs.define
class Functions:
    """Writes functions one after another; those that are lifted out of one are numbered throughout the module."""

    around: Surroundings
    lifted: int = 0

    def function(self, node: ast.FunctionDef) -> list[Line]:
        """Return a function, behind the functions that are lifted out of it."""
        params = [argument.arg for argument in node.args.args]
        given = dict.fromkeys(params, Kind.OBJECT)
        # What an action function is given is the number of the action.
        if node.name[0] == "a" and node.name[1:].isdigit():
            given[params[-1]] = Kind.NUMBER
        taken = ", ".join(_STATE.get(name) or f"{given[name].declared} {name}" for name in params)
        if any(isinstance(part, ast.FunctionDef) for statement in node.body for part in ast.walk(statement)):
            return [Line(f"def {node.name}({taken}):"), *_as_it_is(node.body)]
        kinds = self.around.locals(node, given)
        before: list[Line] = []
        body: list[Line] = []
        at = [0]

        def lift(lines: list[str]) -> str:
            self.lifted += 1
            name = f"k{self.lifted}"
            before.extend(Line(line.replace("@", name), at[0] if number else 0) for number, line in enumerate(lines))
            return name

        rewritten = Expressions(self.around, {**given, **kinds}, lift)
        for statement in node.body:
            body.extend(_statement(rewritten, statement, 1, at))
        if rewritten.unit.makes_functions:
            # Cython takes a function inside of another only from one of Python's, with plain variables.
            return [*before, Line(f"def {node.name}({taken}):"), *body]
        types = sorted((name, kind.declared) for name, kind in kinds.items() if kind.declared != "object")
        declared = [Line(f"{INDENT}cdef {type_} {name}") for name, type_ in types]
        return [*before, Line(f"cpdef object {node.name}({taken}):"), *declared, *body]


def _as_it_is(body: list[ast.stmt]) -> Iterator[Line]:
    for statement in body:
        for text in ast.unparse(statement).splitlines():
            yield Line(INDENT + text, statement.lineno)


def _statement(expressions: Expressions, node: ast.stmt, depth: int, at: list[int]) -> Iterator[Line]:
    """Yield the lines of a statement; `at` holds the number of the line that is being written."""
    at[0] = node.lineno
    space = INDENT * depth

    def line(text: str) -> Line:
        return Line(space + text, node.lineno)

    def block(body: list[ast.stmt]) -> Iterator[Line]:
        for statement in body:
            yield from _statement(expressions, statement, depth + 1, at)

    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            yield line(f"if {expressions.text(test)}:")
            yield from block(body)
            if orelse:
                yield line("else:")
                yield from block(orelse)
        case ast.While(test=test, body=body):
            yield line(f"while {expressions.text(test)}:")
            yield from block(body)
        case ast.For(target=target, iter=through, body=body):
            yield line(f"for {ast.unparse(target)} in {expressions.text(through)}:")
            yield from block(body)
        case ast.Try(body=body, handlers=handlers):
            yield line("try:")
            yield from block(body)
            for handler in handlers:
                assert handler.type is not None
                yield line(f"except {expressions.text(handler.type)}:")
                yield from block(handler.body)
        case _:
            yield line(ast.unparse(expressions.visit(node)))
