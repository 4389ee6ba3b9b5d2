"""A whole module for Cython: the machine, and the rules of one game.

The machine, its helpers and the rules are rewritten from the text that Python runs, so nothing is told twice.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from typing import Any

import attrs

from interpreter.analysis.limits import STEP_LIMIT
from interpreter.native.functions import Functions, Line
from interpreter.native.helpers import helpers_of
from interpreter.native.kinds import Surroundings
from interpreter.native.machine import CHANCE_FUNCTIONS, machine_lines
from interpreter.runtime import chance

_PRELUDE = """\
cdef inline long c_number(object value) except? -1:
    return value
cdef inline list zone_at(list z, long place):
    return z[place]
cdef inline object known_now(Machine st, object cards):
    return known(st, cards) if st.undetermined else cards
cdef inline object end_known_now(Machine st, object cards, object end):
    return end_known(st, cards, end) if st.undetermined else cards
cdef list listed(unsigned long long bits):
    cdef list out = []
    cdef long number = 0
    while bits:
        if bits & 1:
            out.append(number)
        bits >>= 1
        number += 1
    return out
"""

_TABLES = {"run": "RUN", "legal": "LEGAL", "apply": "APPLY"}
_RESULTS = ("RUN", "LEGAL", "APPLY", "PROMPT", "INVARIANTS", "play")
_ALWAYS = ("known", "end_known")


@attrs.frozen
class Module:
    """The lines of a module, and what its `begin` is to be given: objects by name.

    `begin` returns what the generated text defines for others, by name: its lists of functions by node, or `play`.
    """

    lines: list[Line]
    given: dict[str, Any]

    @property
    def text(self) -> str:
        """The module as Cython."""
        return "".join(f"{line.text}\n" for line in self.lines)


def module_of(text: str, tables: Mapping[str, Any], max_decisions: int) -> Module:
    """Return the module for generated Python and the objects that it refers to, by name."""
    parsed = ast.parse(text)
    bodies = [statement for statement in parsed.body if isinstance(statement, ast.FunctionDef)]
    tail = [statement for statement in parsed.body if not isinstance(statement, ast.FunctionDef)]
    read = {node.id for node in ast.walk(parsed) if isinstance(node, ast.Name)}
    wanted = {name: tables[name] for name in {*read, *_ALWAYS} if name in tables and not hasattr(builtins, name)}
    machine_needs = {"STEP_LIMIT": STEP_LIMIT, **{name: getattr(chance, name) for name in CHANCE_FUNCTIONS}}
    helpers = helpers_of({**wanted, **machine_needs})
    given = dict(sorted(helpers.given.items()))
    functions = Functions(Surroundings.of(parsed, tables))
    rules = [line for function in bodies for line in functions.function(function)]
    made = {t.id: s.value for s in tail if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Name)}
    lines = [f"cdef long max_decisions = {max_decisions}"]
    lines += [f"cdef {_type(value)} {name}" for name, value in given.items()]
    lines += [f"cdef {'list' if _is_table(made[name]) else 'object'} {name}" for name in made]
    before = [Line(line) for line in [*lines, *_PRELUDE.splitlines(), *machine_lines(), *helpers.lines]]
    after = [Line(line) for name, listed in _TABLES.items() for line in _switch(name, made.get(listed))]
    results = [name for name in _RESULTS if name in made or name in functions.around.defined]
    return Module([*before, *rules, *after, *_begin(list(given), list(made), tail, results)], given)


def _type(value: object) -> str:
    return type(value).__name__ if type(value) in (list, tuple) else "object"


def _is_table(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "for_each_card"


def _switch(name: str, listed: ast.expr | None) -> list[str]:
    """Return the function that calls a node's function by number."""
    functions = listed.elts if isinstance(listed, ast.Tuple) else []
    more, value = (", object action", ", action") if name == "apply" else ("", "")
    lines = [f"cdef object {name}_at(long node, Machine st, list v, list z{more}):"]
    for number, item in enumerate(functions):
        if isinstance(item, ast.Name):
            lines.append(
                f"    {'if' if len(lines) == 1 else 'elif'} node == {number}: return {item.id}(st, v, z{value})"
            )
    return [*lines, "    raise IndexError(node)"]


def _begin(given: list[str], made: list[str], tail: list[ast.stmt], wanted: list[str]) -> list[Line]:
    """Return the function that takes what the rules refer to and carries out the last lines of the generated text."""
    lines = [Line("def begin(given):"), Line(f"    global {', '.join([*given, *made])}")]
    lines += [Line(f"    {name} = given[{name!r}]") for name in given]
    lines += [Line("    " + ast.unparse(statement), statement.lineno) for statement in tail]
    results = ", ".join(f"{name!r}: {name}" for name in wanted)
    return [*lines, Line(f"    return {{{results}}}")]
