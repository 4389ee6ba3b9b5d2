"""The house keeps its rules: imports point one way, no Python knows a game, files stay small and are documented."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import get_args

import attrs

from grammar import expressions, statements
from interpreter.analysis import core, types
from interpreter.knowledge import events
from interpreter.loader import bundled_games
from interpreter.program import nodes

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("grammar", "interpreter", "games", "cli")
MOST_LINES = 1600

LAYERS = {
    "games": 0,
    "grammar": 0,
    "interpreter.analysis": 1,
    "interpreter.setting": 1,
    "interpreter.english": 1,
    "interpreter.rulebook": 2,
    "interpreter.program": 2,
    "interpreter.engine": 3,
    "interpreter.knowledge": 3,
    "interpreter.belief": 3,
    "interpreter.table": 3,
    "interpreter.text": 3,
    "interpreter.native": 3,
    "interpreter.loader": 3,
    "interpreter": 3,
    "interpreter.agents": 4,
    "interpreter.cards": 4,
    "interpreter.graph": 4,
    "interpreter.solve": 4,
    "interpreter.training": 4,
    "interpreter.records": 5,
    "interpreter.fuzz": 6,
    "interpreter.kept": 1,
    "interpreter.match": 6,
    "interpreter.sharing": 1,
    "interpreter.validate": 6,
    "interpreter.scenarios": 7,
    "interpreter.adapters": 8,
    "interpreter.editor": 8,
    "interpreter.mutation": 8,
    "interpreter.simulate": 8,
    "cli": 9,
}
"""A module may import its own layer and those below.  The packages of layer 3 are the runtime of a game: `load` makes
games, and a pickled state comes back through it.  `native` makes other code of a game; only `load` asks for that."""


@cache
def modules() -> tuple[Path, ...]:
    return tuple(sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py")))


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file, read once for all tests, which only look at it."""
    return ast.parse(text_of(path))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(module: str) -> str | None:
    """Return the part of the house that a module belongs to, or None for other people's."""
    parts = module.split(".")
    for length in (2, 1):
        part = ".".join(parts[:length])
        if part in LAYERS:
            return part
    return None


@attrs.frozen
class Import:
    """An import: a module or a name in it, and the line; `late` inside a function, `typed` for types alone."""

    target: str
    line: int
    late: bool
    typed: bool


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Return everything that a file imports, wherever in the file."""

    def inside(node: ast.AST, late: bool, typed: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):  # Nothing is imported inside an expression.
                continue
            if isinstance(child, ast.Import):
                yield from (Import(alias.name, child.lineno, late, typed) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{path}:{child.lineno}: imports name their module in full"
                names = (f"{child.module}.{alias.name}" for alias in child.names)
                yield from (Import(name, child.lineno, late, typed) for name in names)
            checking = (
                isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"
            )
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from inside(child, late or function, typed or checking)

    return tuple(inside(tree_of(path), False, False))


LATE = {
    "english": "the library of inflections is read where a text needs a plural: 60 ms",
    "help": "help, wrong usage and `cardgame list` answer at once: `cardgame fuzz --help` in 150 ms instead of 590",
    "heads": "`cardgame list` reads the heads of specs and makes no game: 110 ms",
    "kept": "a game that was kept needs no parser, checker or compiler: it is loaded in 250 ms instead of 680",
    "views": "a play that nobody watches needs neither a log nor views: 60 ms",
    "faults": "what explains mistakes of form is read where there are any: 30 ms",
    "lark": "a checker of games that were kept, as the fuzzer is, reads no text: 60 ms",
    "interrupts": "Ctrl-C has its handler before anything else is imported",
    "native": "few games are native: 130 ms",
    "pytest": "the plugin is imported by every run of pytest beside the program, scenarios or not: 350 ms",
    "system": "the module is not on every system, or takes hold of the terminal when it is imported",
}
"""Why an import stands inside a function (`# late: WORD` on its line), with what it saves at the start of a process,
measured by `python -X importtime`."""


@attrs.frozen
class Edge:
    """One file of the house imports another; `late` inside a function, `typed` for the type checker alone."""

    origin: str
    target: str
    late: bool
    typed: bool


@cache
def edges() -> tuple[Edge, ...]:
    """Return what every file imports of the other files, wherever it is."""
    files = {name_of(path) for path in modules()}
    found = []
    for path in modules():
        origin = name_of(path)
        for one in imports(path):
            target = one.target if one.target in files else one.target.rpartition(".")[0]
            if target in files and target != origin:
                found.append(Edge(origin, target, one.late, one.typed))
    return tuple(found)


def circle(pairs: set[tuple[str, str]]) -> list[str]:
    """Return names of which each leads to the next and the last is the first, if there are any."""
    imported: dict[str, set[str]] = {}
    for origin, target in pairs:
        imported.setdefault(origin, set()).add(target)
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_files_import_each_other() -> None:
    """No file needs one that needs it, however far around, and be it inside functions or for the type checker alone."""
    found = edges()
    assert {edge.late for edge in found} == {edge.typed for edge in found} == {True, False}, "the walk is blind"
    assert {*circle({("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")})} == {"a", "b", "c"}, "the search is blind"
    assert circle({(edge.origin, edge.target) for edge in found}) == []


def test_imports_inside_functions_say_why() -> None:
    """Imports stand at the head of a file, but where the start of a process is quicker without them."""
    seen = 0
    for path in modules():
        lines = text_of(path).splitlines()
        for line in sorted({one.line for one in imports(path) if one.late}):
            _, _, why = lines[line - 1].partition("  # late: ")
            assert why in LATE, f"{path}:{line}: say why this import is late, or put it at the head"
            seen += 1
    assert seen > 0


def test_imports_point_one_way() -> None:
    """cli → interpreter → grammar; inside: scenarios → fuzz → records → agents → engine → program → analysis."""
    for path in modules():
        own = part_of(name_of(path))
        assert own is not None
        for one in imports(path):
            at, other = f"{path}:{one.line}", part_of(one.target)
            if other is None:
                assert one.target.split(".")[0] not in (*PACKAGES, "tests"), f"{at}: {one.target} has no layer"
                continue
            assert LAYERS[other] <= LAYERS[own], f"{at}: {own} imports {other}"
            assert other != "games" or own == "cli", f"{at}: only the command line may know of `games`"
            assert own != "games", f"{at}: games are data"


def test_each_folder_belongs_to_one_layer() -> None:
    """The walk sees imports of the neighbour below in every layer, so it is not blind."""
    seen = {(part_of(name_of(path)), part_of(one.target)) for path in modules() for one in imports(path)}
    for pair in [
        ("cli", "interpreter.scenarios"),
        ("interpreter.scenarios", "interpreter.fuzz"),
        ("interpreter.fuzz", "interpreter.records"),
        ("interpreter.records", "interpreter.agents"),
        ("interpreter.agents", "interpreter.engine"),
        ("interpreter.engine", "interpreter.program"),
        ("interpreter.program", "interpreter.analysis"),
        ("interpreter.analysis", "grammar"),
    ]:
        assert pair in seen


def said(path: Path) -> Iterator[tuple[str, int]]:
    """Give all names and texts of a file, without docstrings and without the commands of help texts."""
    nodes = list(ast.walk(tree_of(path)))
    docstrings = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield re.sub(r"^ *cardgame .*$", "", node.value, flags=re.MULTILINE), node.lineno
        elif isinstance(node, ast.Name):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute):
            yield node.attr, node.lineno


def test_no_python_knows_a_game() -> None:
    """What is special about a game stands in its spec; Python names one at most as an example."""
    # Two suits and a size of cards have the name of a game; all other games are called as nothing else is.
    common = ("classics/bridge", "classics/hearts", "classics/spades")
    known = [game.rsplit("/", 1)[-1] for game in bundled_games() if game not in common]
    assert known
    names = "|".join(game.replace("_", "[_ ]") for game in known)
    named = re.compile(rf"(?<![a-z])(?:{names})(?![a-z])", re.IGNORECASE)
    assert named.search("the rules of Love Letter"), "the search is blind"
    for path in modules():
        if named.search(text_of(path)):
            assert [f"{path}:{line}: {text}" for text, line in said(path) if named.search(text)] == []


def test_files_do_one_thing() -> None:
    """A file that grows too long does two things."""
    assert [path for path in modules() if len(text_of(path).splitlines()) > MOST_LINES] == []


def classes_of(case: ast.match_case) -> Iterator[str]:
    """Give the names of the classes that a case of a `match` asks for; "" for any other pattern but `_`."""
    todo: list[ast.pattern] = [case.pattern]
    while todo:
        match todo.pop():
            case ast.MatchClass(cls=cls):
                yield ast.unparse(cls).rpartition(".")[2]
            case ast.MatchOr(patterns=patterns):
                todo += patterns
            case ast.MatchAs(pattern=ast.pattern() as inner):
                todo.append(inner)
            case ast.MatchAs():
                pass
            case _:  # Values, sequences and the like are of no class.
                yield ""


UNIONS = (
    statements.Stmt, expressions.Expr, expressions.TypeExpr, expressions.Pattern, expressions.Arg,
    core.Stmt, core.Expr, types.Type, nodes.Step, events.Event,
)  # fmt: skip
KINDS = {cls.__name__ for union in UNIONS for cls in get_args(union)}
"""The names of all classes of which a `match` can ask: nodes of the trees, types, steps of a program, events."""


PROVEN = ("assert_never", "assert_simple")
DERIVED = ("children", "map_children", "blocks_inside", "transfers")
MOST_EXCUSES = 60
"""Defaults of a `match` over nodes that a sentence explains, and no type checker proves."""


def names_in(node: ast.AST) -> set[str]:
    """Return the names and attributes that occur in a node."""
    parts = list(ast.walk(node))
    return {n.attr for n in parts if isinstance(n, ast.Attribute)} | {n.id for n in parts if isinstance(n, ast.Name)}


def hands_over(case: ast.match_case, subject: ast.expr) -> bool:
    """Say whether a case hands the subject to a function, whose parameter has a type of its own."""
    calls = [node for stmt in case.body for node in ast.walk(stmt) if isinstance(node, ast.Call)]
    return any(ast.unparse(arg) == ast.unparse(subject) for call in calls for arg in call.args)


def test_defaults_of_a_match_over_nodes_hold_for_new_nodes() -> None:
    """The default case of a `match` over nodes, types or events is proven by the type checker or derived from parts.

    The type checker also proves it where the subject is handed to a function for the rest.  A `match` without a default
    is complete, or it recognizes some forms and the answer after it holds for all others.
    """
    seen, excused = 0, []
    for path in modules():
        lines = text_of(path).splitlines()
        if "import ast" in lines or "case _" not in text_of(path):
            continue  # It goes through trees of Python, or no `match` has a default.
        for found in ast.walk(tree_of(path)):
            if not isinstance(found, ast.Match):
                continue
            named = {name for case in found.cases for name in classes_of(case)}
            last = found.cases[-1]
            if not named & KINDS or last.guard is not None or ast.unparse(last.pattern) != "_":
                continue
            seen += 1
            if any(names_in(stmt) & {*PROVEN, *DERIVED} for stmt in last.body) or hands_over(last, found.subject):
                continue
            excused.append(f"{path}:{last.pattern.lineno}")
            said = lines[last.pattern.lineno - 1 : last.body[0].end_lineno]
            assert any("  # " in line for line in said), excused[-1]
    assert seen > 0
    assert len(excused) <= MOST_EXCUSES


def public(path: Path) -> Iterator[tuple[str, str | None]]:
    """Give the name and docstring of a module and of all that is public in it.

    Methods that are named after a rule of a grammar are documented by that rule, where the file says so.
    """
    text, module = text_of(path), tree_of(path)
    yield path.name, ast.get_docstring(module)
    for node in module.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name.startswith("_"):
            continue
        yield node.name, ast.get_docstring(node)
        if isinstance(node, ast.ClassDef) and "# ruff: noqa: D102" not in text:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    yield f"{node.name}.{method.name}", ast.get_docstring(method)


def test_what_is_public_says_what_it_is() -> None:
    """Modules, classes and functions have docstrings that say more than their name."""
    for path in modules():
        for name, docstring in public(path):
            assert docstring is not None, f"{path}: {name}"
            assert docstring.strip(". ").lower() != name.removesuffix(".py").lower(), f"{path}: {name}"
            if name == path.name:
                assert len(docstring.split()) > 1, f"{path}: `{docstring}` says nothing"


def test_released_versions_in_the_changelog_stay_unchanged() -> None:
    """Nothing that was left out of a version comes back behind "Unreleased": lines have 120, no entry stands twice."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    _, *released = text.split("\n## ")[1:]
    assert max(len(line) for version in released for line in version.splitlines()) <= 120
    entries = re.findall(r"^- .*", text, re.MULTILINE)
    assert len(entries) == len(set(entries))


def test_the_top_of_the_house() -> None:
    """The folders are the given ones, and each is a package or has its purpose."""
    folders = {p.name for p in ROOT.iterdir() if p.is_dir() and not p.name.startswith(".") and p.name != "__pycache__"}
    built = {"dist", "build", "htmlcov"}
    assert folders - built == {"grammar", "interpreter", "games", "cli", "tests", "docs"}
