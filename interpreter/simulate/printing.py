"""Translate functions in a subset of Python to C.

That part has functions over whole numbers of 64 bits (`int`) and lists of them (`Numbers`), constants, `if`, `while`,
`for p in range(..)`, assignments, and expressions whose numbers stay within 63 bits and are not divided below 0.
"""

from __future__ import annotations

import ast

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&",
    ast.BitOr: "|", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.Gt: ">", ast.And: "&&", ast.Or: "||", ast.Not: "!",
    ast.USub: "-",
}  # fmt: skip
_CALLS = {"max": "most", "min": "least"}
_GIVEN = {"bit_count"}
"""Functions that C has already (`interpreter/native/c/machine.h`)."""


def print_c(source: str) -> str:
    """Return the constants and functions of a module as C."""
    parts: list[str] = []
    for statement in ast.parse(source).body:
        match statement:
            case ast.Assign([ast.Name(name)], ast.Constant(int(value))):
                parts.append(f"enum {{ {name} = {value} }};")
            case ast.Assign([ast.Tuple(names)], ast.Call(args=[*first, ast.Constant()])):
                start = f" = {_expression(first[0])}" if first else ""
                listed = ", ".join(ast.unparse(name) for name in names).replace(",", f"{start},", 1)
                parts.append(f"enum {{ {listed} }};")
            case ast.FunctionDef(name) if name not in _GIVEN:
                parts.append(_function(statement))
            case _:
                pass  # Imports, docstrings and names of types.
    return "\n".join(parts) + "\n"


def _function(function: ast.FunctionDef) -> str:
    params = [(arg.arg, ast.unparse(arg.annotation or arg)) for arg in function.args.args]
    declared = ", ".join(f"i64 {'*' * (kind == 'Numbers')}{name}" for name, kind in params)
    names = [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    local = sorted(set(names) - {name for name, _ in params})
    declaration = f"i64 {', '.join(local)}; " if local else ""
    assert ast.unparse(function.returns or function) == "None"
    return f"static void {function.name}({declared}) {{ {declaration}{_block(function.body)} }}"


def _block(statements: list[ast.stmt]) -> str:
    return "\n    ".join(map(_statement, statements))


def _statement(statement: ast.stmt) -> str:
    match statement:
        case ast.Expr(ast.Constant(str())):
            return ""
        case ast.Expr(value):
            return f"{_expression(value)};"
        case ast.Assign([target], value):
            return f"{_expression(target)} = {_expression(value)};"
        case ast.AugAssign(target, operator, value):
            return f"{_expression(target)} {_OPERATORS[type(operator)]}= {_expression(value)};"
        case ast.If(test, body, otherwise):
            return f"if ({_expression(test)}) {{ {_block(body)} }} else {{ {_block(otherwise)} }}"
        case ast.While(test, body):
            return f"while ({_expression(test)}) {{ {_block(body)} }}"
        case ast.For(ast.Name(name), ast.Call(args=[end]), body):
            return f"for ({name} = 0; {name} < {_expression(end)}; {name}++) {{ {_block(body)} }}"
        case ast.Return(None):
            return "return;"
    raise ValueError(f"line {statement.lineno} has no form in C: {ast.unparse(statement)}")


def _expression(expr: ast.expr) -> str:
    match expr:
        case ast.Constant(int(value)):
            return str(int(value))
        case ast.Name(name):
            return name
        case ast.Subscript(value, index):
            return f"{_expression(value)}[{_expression(index)}]"
        case ast.BinOp(left, operator, right) | ast.Compare(left, [operator], [right]) if type(operator) in _OPERATORS:
            return f"({_expression(left)} {_OPERATORS[type(operator)]} {_expression(right)})"
        case ast.BoolOp(operator, values):
            return f"({f' {_OPERATORS[type(operator)]} '.join(map(_expression, values))})"
        case ast.UnaryOp(operator, operand):
            return f"({_OPERATORS[type(operator)]}{_expression(operand)})"
        case ast.IfExp(test, body, otherwise):
            return f"({_expression(test)} ? {_expression(body)} : {_expression(otherwise)})"
        case ast.Call(ast.Name(name), args):
            return f"{_CALLS.get(name, name)}({', '.join(map(_expression, args))})"
    raise ValueError(f"line {expr.lineno} has no form in C: {ast.unparse(expr)}")
