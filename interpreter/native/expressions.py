"""Expressions of generated Python, written for Cython: indices are C numbers, zones are lists, loops are functions.

A comprehension is lifted out into a function of its own, in which C knows what it goes through.  What is not known to
profit stays as it is, since Cython takes all of Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

import attrs

from interpreter.native.kinds import Kind, Names, Surroundings, targets

_C_NUMBER = "c_number"
_AT = "zone_at"

Lift = Callable[[list[str]], str]
"""Takes the lines of a function whose name is written `@`; returns its name."""

_LARGEST_SET = 63


@attrs.define
class Unit:
    """A function that is being written; one with another function inside has to be one of Python's."""

    makes_functions: bool = False

    def head(self, result: str, parameters: str) -> str:
        """Return the first line, with `@` for the name."""
        if self.makes_functions:
            return f"def @({parameters}):"
        return f"cdef {result} @({parameters}){' except -1' if result == 'bint' else ''}:"


class Expressions(ast.NodeTransformer):
    """Rewrites the expressions of one function; `names` are the kinds of its local names.

    All that is written into one function shares `unit`, which notes whether a function is left inside of it.
    """

    def __init__(self, around: Surroundings, names: Names, lift: Lift, unit: Unit | None = None) -> None:
        self.around = around
        self.names = names
        self.lift = lift
        self.unit = Unit() if unit is None else unit

    def text(self, node: ast.expr) -> str:
        """Return an expression as Cython."""
        return ast.unparse(self.visit(node))

    def kind(self, node: ast.expr) -> Kind:
        """Return the kind of an expression as it was generated."""
        return self.around.kind(node, self.names)

    # ---- numbers

    def number(self, node: ast.expr) -> ast.expr:
        """Return an expression that must be a whole number, as a number of C."""
        match node:
            case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                return node
            case ast.Name(id=name) if self.names.get(name) is Kind.NUMBER:
                return node
            case ast.BinOp(op=op) if isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod):
                return ast.BinOp(self.number(node.left), op, self.number(node.right))
            case ast.Call(func=ast.Name(id="len")):
                return self.expr(node)
        return _call(_C_NUMBER, self.expr(node))

    def expr(self, node: ast.expr) -> ast.expr:
        """Return an expression for Cython."""
        found = self.visit(node)
        assert isinstance(found, ast.expr)
        return found

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Read zones, variables, tables and cards by C's numbers."""
        if isinstance(node.slice, ast.Slice):
            return ast.Subscript(self.expr(node.value), self.generic_visit(node.slice), node.ctx)  # type: ignore[arg-type]
        match node.value:
            case ast.Name(id="z"):
                index = self.number(node.slice)
                if isinstance(node.ctx, ast.Load):
                    return _call(_AT, node.value, index)
                return ast.Subscript(node.value, index, node.ctx)
            case ast.Name(id=name) if name == "v" or self.around.is_list(name):
                return ast.Subscript(node.value, self.number(node.slice), node.ctx)
            case _ if self.kind(node.value) is Kind.CARDS:
                return ast.Subscript(self.expr(node.value), self.number(node.slice), node.ctx)
        return ast.Subscript(self.expr(node.value), self.expr(node.slice), node.ctx)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Compare numbers of C where both sides are numbers; look for an attribute among cards in a loop."""
        operands = [node.left, *node.comparators]
        if all(self.kind(operand) is Kind.NUMBER for operand in operands):
            first, *others = [self.number(operand) for operand in operands]
            return ast.Compare(first, node.ops, others)
        match node:
            case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Call() as series]):
                through = self.series(series)
                if through is not None:
                    item, loop = through
                    sought = ast.Name("sought_", ast.Load())
                    test = ast.Compare(item, [ast.Eq()], [sought])
                    return self.search(test, [loop], found="True", missing="False", given={"sought_": left})
        return ast.Compare(self.expr(node.left), node.ops, [self.expr(o) for o in node.comparators])

    # ---- loops

    def series(self, node: ast.expr) -> tuple[ast.expr, ast.comprehension] | None:
        """Return (item, loop) of what goes through cards: `map` and `filter` by a table, and generators."""
        match node:
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id=row), through]) if row in self.around.rows:
                table = ast.Name(self.around.rows[row], ast.Load())
                item = ast.Subscript(table, ast.Name("item_", ast.Load()), ast.Load())
                return item, ast.comprehension(ast.Name("item_", ast.Store()), through, [], 0)
            case ast.Call(func=ast.Name(id="filter"), args=[ast.Name(id=row), through]) if row in self.around.rows:
                table = ast.Name(self.around.rows[row], ast.Load())
                name = ast.Name("item_", ast.Load())
                test = ast.Subscript(table, name, ast.Load())
                return name, ast.comprehension(ast.Name("item_", ast.Store()), through, [test], 0)
            case ast.GeneratorExp(elt=item, generators=[loop]):
                return item, loop
        return None

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Write calls that go through cards as loops, and those that mostly do nothing as a test."""
        match node:
            case (
                ast.Call(func=ast.Name(id="any" | "all" | "sum" as name), args=[given], keywords=[])
                | ast.Call(func=ast.Name(id="next" as name), args=[given, ast.Constant(value=None)], keywords=[])
            ):
                through = self.series(given)
                if through is not None:
                    return self.looped(name, *through, node)
            case ast.Call(func=ast.Name(id="sorted"), args=[ast.Set() | ast.SetComp() as given], keywords=[]):
                return self.sorted_set(given)
            case ast.Call(func=ast.Lambda() as function):
                return self.let(function, node.args)
            case ast.Call(func=ast.Name(id="end_known" | "known" as name)):
                return ast.Call(ast.Name(name + "_now", ast.Load()), [self.expr(a) for a in node.args], [])
        return ast.Call(self.expr(node.func), [self.expr(a) for a in node.args],
                        [ast.keyword(k.arg, self.expr(k.value)) for k in node.keywords])  # fmt: skip

    def looped(self, name: str, item: ast.expr, loop: ast.comprehension, whole: ast.expr) -> ast.expr:
        """Write `any`, `all`, `next` or `sum` of the items of a loop as a function."""
        match name:
            case "any":
                return self.search(item, [loop], found="True", missing="False")
            case "all":
                return self.search(ast.UnaryOp(ast.Not(), item), [loop], found="False", missing="True")
            case "next":
                return self.search(None, [loop], found=item, missing="None")
            case _:
                return self.gathered(item, [loop], whole, "total_ = 0", "total_ += {}", "total_")

    def sorted_set(self, given: ast.Set | ast.SetComp) -> ast.expr:
        """Sort what is a set; small numbers of a table are gathered in the bits of one number."""
        found: tuple[ast.expr, list[ast.comprehension]] | None = None
        match given:
            case ast.Set(elts=[ast.Starred(value=series)]):
                through = self.series(series)
                found = None if through is None else (through[0], [through[1]])
            case ast.SetComp(elt=item, generators=generators):
                found = item, generators
        if found is None:
            return _call("sorted", self.expr(given))
        match found[0]:
            case ast.Subscript(value=ast.Name(id=table)) if self._is_small(table):
                return self.gathered(
                    *found, given, "bits_ = 0", "bits_ |= 1ULL << {}", "listed(bits_)", "unsigned long long"
                )
        return _call("sorted", self.gathered(*found, given, "out_ = set()", "out_.add({})", "out_", "set"))

    def _is_small(self, table: str) -> bool:
        return table in self.around.numeric and all(0 <= n <= _LARGEST_SET for n in self.around.tables[table])

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """Leave a function inside."""
        self.unit.makes_functions = True
        return self._inside([argument.arg for argument in node.args.args], node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        """Leave a function inside."""
        self.unit.makes_functions = True
        return self._inside([name for loop in node.generators for name in targets(loop.target)], node)

    def _inside(self, bound: list[str], node: ast.expr) -> ast.expr:
        """Rewrite what has names of its own and stays where it is."""
        names = {**self.names, **dict.fromkeys(bound, Kind.OBJECT)}
        found = Expressions(self.around, names, self.lift, self.unit).generic_visit(node)
        assert isinstance(found, ast.expr)
        return found

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """Lift a comprehension out into a function."""
        return self.gathered(node.elt, node.generators, node, "out_ = []", "out_.append({})", "out_", "list")

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        """Lift a comprehension out into a function."""
        return self.gathered(node.elt, node.generators, node, "out_ = set()", "out_.add({})", "out_", "set")

    def gathered(
        self,
        item: ast.expr,
        loops: list[ast.comprehension],
        whole: ast.expr,
        start: str,
        step: str,
        end: str,
        type_: str = "object",
    ) -> ast.expr:
        """Return the call of a function that goes through loops and gathers the items."""
        if _keeps_names(item, loops):
            bound = [name for loop in loops for name in targets(loop.target)]
            return self._inside(bound, whole)
        numeric = step.startswith("bits_")
        inner, lines = self._loops(loops)
        depth = "    " * (len(lines) + 1)
        text = ast.unparse(inner.number(item) if numeric else inner.expr(item))
        result = type_ if type_ in ("list", "set") else "object"
        body = [f"    cdef {type_} {start}", *lines, depth + step.format(text), f"    return {end}"]
        return self._lifted(result, inner, loops, body, [item], {})

    def search(
        self,
        test: ast.expr | None,
        loops: list[ast.comprehension],
        *,
        found: str | ast.expr,
        missing: str,
        given: dict[str, ast.expr] | None = None,
    ) -> ast.expr:
        """Return the call of a function that goes through loops until a test holds."""
        more = given or {}
        inner, lines = self._loops(loops, tuple(more))
        depth = "    " * (len(lines) + 1)
        read: list[ast.expr] = []
        if test is not None:
            lines.append(f"{depth}if {inner.text(test)}:")
            depth += "    "
            read.append(test)
        if isinstance(found, ast.expr):
            read.append(found)
            found = inner.text(found)
        body = [*lines, f"{depth}return {found}", f"    return {missing}"]
        return self._lifted("bint" if found in ("True", "False") else "object", inner, loops, body, read, more)

    def let(self, function: ast.Lambda, given: list[ast.expr]) -> ast.expr:
        """Return the call of a function for a lambda that is called where it stands."""
        params = [argument.arg for argument in function.args.args]
        inner = Expressions(self.around, {**self.names, **dict.fromkeys(params, Kind.OBJECT)}, self.lift)
        free = self._free([function.body], params)
        taken = ", ".join([*(f"object {p}" for p in params), *(self._parameter(n) for n in free)])
        body = f"    return {inner.text(function.body)}"
        name = self.lift([inner.unit.head("object", taken), body])
        return _call(name, *[self.expr(g) for g in given], *[ast.Name(n, ast.Load()) for n in free])

    def _loops(self, loops: list[ast.comprehension], more: tuple[str, ...] = ()) -> tuple[Expressions, list[str]]:
        """Return the names inside of loops, and their first lines."""
        names = {**self.names, **dict.fromkeys(more, Kind.OBJECT)}
        unit = Unit()
        lines: list[str] = []
        for place, loop in enumerate(loops):
            through = Expressions(self.around, dict(names), self.lift, unit)
            series = "it_" if place == 0 else through.text(loop.iter)
            for name in targets(loop.target):
                names[name] = self.around.items(loop.iter, names)
            depth = "    " * (len(lines) + 1)
            lines.append(f"{depth}for {ast.unparse(loop.target)} in {series}:")
            inner = Expressions(self.around, dict(names), self.lift, unit)
            if loop.ifs:
                tests = " and ".join(f"({inner.text(test)})" for test in loop.ifs)
                lines.append(f"{depth}    if {tests}:")
        return Expressions(self.around, names, self.lift, unit), lines

    def _lifted(
        self,
        result: str,
        inner: Expressions,
        loops: list[ast.comprehension],
        body: list[str],
        read: list[ast.expr],
        given: dict[str, ast.expr],
    ) -> ast.expr:
        first, *others = loops
        bound = [name for loop in loops for name in targets(loop.target)]
        tests = [test for loop in loops for test in loop.ifs]
        free = self._free([*read, *tests, *(loop.iter for loop in others)], [*bound, *given])
        kind = self.kind(first.iter)
        through = "list it_" if kind in (Kind.CARDS, Kind.LIST) else "it_"
        taken = ", ".join([through, *(f"object {name}" for name in given), *(self._parameter(name) for name in free)])
        numbers = [name for name in bound if inner.names.get(name) is Kind.NUMBER]
        declared = [f"    cdef long {', '.join(numbers)}"] if numbers else []
        name = self.lift([inner.unit.head(result, taken), *declared, *body])
        values = [self.expr(first.iter), *(self.expr(value) for value in given.values())]
        return _call(name, *values, *[ast.Name(n, ast.Load()) for n in free])

    def _free(self, read: list[ast.expr], bound: list[str]) -> list[str]:
        """Return the local names that expressions read, but for those that are bound inside."""
        found = {part.id for node in read for part in ast.walk(node) if isinstance(part, ast.Name)}
        inside = {
            name
            for node in read
            for part in ast.walk(node)
            if isinstance(part, ast.comprehension)
            for name in targets(part.target)
        }
        inside |= {
            a.arg for node in read for part in ast.walk(node) if isinstance(part, ast.Lambda) for a in part.args.args
        }
        return sorted((found & set(self.names)) - set(bound) - inside)

    def _parameter(self, name: str) -> str:
        special = {"st": "Machine st", "v": "list v", "z": "list z"}
        return special.get(name) or f"{self.names[name].declared} {name}"


def _keeps_names(item: ast.expr, loops: list[ast.comprehension]) -> bool:
    """Whether something inside of loops gives a name to what the function around reads, or makes a function."""
    inside = [item, *(test for loop in loops for test in loop.ifs), *(loop.iter for loop in loops[1:])]
    parts = [part for node in inside for part in ast.walk(node)]
    called = {id(part.func) for part in parts if isinstance(part, ast.Call)}
    return any(
        isinstance(part, ast.NamedExpr) or (isinstance(part, ast.Lambda) and id(part) not in called) for part in parts
    )


def _call(name: str, *given: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(given), [])
