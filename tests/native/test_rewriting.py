"""Generated Python, rewritten for Cython: what becomes a number, a list, a function of its own, and what stays."""

from __future__ import annotations

import ast

import pytest

from interpreter.native.functions import Functions, Line
from interpreter.native.kinds import Kind, Surroundings

TABLES = {"A0": [3, 1, 2], "A1": [3, None, 2], "T2": [100, 200, 300], "PLAYERS": (0, 1)}
TAIL = """
G0 = A0.__getitem__
G2 = T2.__getitem__
Q0 = for_each_card(lambda c: A0[c] == 2)
G3 = Q0.__getitem__
D4 = range(0, 3)
"""


def written(body: str, name: str = "n0", params: str = "st, v, z") -> list[Line]:
    """Rewrite one function with some lines; return all lines, lifted functions first."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    module = ast.parse(f"def {name}({params}):\n{lines}{TAIL}")
    function = module.body[0]
    assert isinstance(function, ast.FunctionDef)
    return Functions(Surroundings.of(module, TABLES)).function(function)


def text(body: str, name: str = "n0", params: str = "st, v, z") -> str:
    return "\n".join(line.text for line in written(body, name, params))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("z[1]", "zone_at(z, 1)"),
        ("z[1 + v[2] * 3][0]", "zone_at(z, 1 + c_number(v[2]) * 3)[0]"),
        ("z[0][:5]", "zone_at(z, 0)[:5]"),
        ("v[3 + v[1]]", "v[3 + c_number(v[1])]"),
        ("A0[z[0][-1]]", "A0[c_number(zone_at(z, 0)[-1])]"),
        ("A0[v[0]] == A0[v[1]]", "c_number(A0[c_number(v[0])]) == c_number(A0[c_number(v[1])])"),
        ("A1[v[0]] == A1[v[1]]", "A1[c_number(v[0])] == A1[c_number(v[1])]"),
        ("len(z[0]) < 3", "len(zone_at(z, 0)) < 3"),
        ("known(st, z[0])", "known_now(st, zone_at(z, 0))"),
        ("end_known(st, z[0], -1)", "end_known_now(st, zone_at(z, 0), -1)"),
        ("st.played_by.get(v[0])", "st.played_by.get(v[0])"),
    ],
)
def test_an_expression_is_told_for_c(expression: str, expected: str) -> None:
    """Indices become numbers of C and zones lists; what may be none stays an object."""
    assert text(f"return {expression}").splitlines()[-1] == f"    return {expected}"


def test_a_comprehension_becomes_a_function_that_knows_its_cards() -> None:
    assert text("return [t1 for t1 in z[v[0]] if A0[t1] == x5]", params="st, v, z, x5").splitlines() == [
        "cdef list k1(list it_, object x5):",
        "    cdef long t1",
        "    cdef list out_ = []",
        "    for t1 in it_:",
        "        if (A0[t1] == x5):",
        "            out_.append(t1)",
        "    return out_",
        "cpdef object n0(Machine st, list v, list z, object x5):",
        "    return k1(zone_at(z, c_number(v[0])), x5)",
    ]


def test_loops_inside_of_loops_are_given_what_they_read() -> None:
    """The inner function takes the name that the outer loop binds."""
    found = text("return [t1 for t1 in z[0] if [t2 for t2 in z[1] if A0[t2] == A0[t1]]]")
    assert "cdef list k1(list it_, long t1):" in found
    assert "cdef list k2(list it_, list z):" in found
    assert "        if (k1(zone_at(z, 1), t1)):" in found


@pytest.mark.parametrize(
    ("expression", "step"),
    [
        ("any(map(G3, z[0]))", "        if Q0[item_]:"),
        ("all(map(G3, z[0]))", "        if not Q0[item_]:"),
        ("sum(map(G0, z[0]))", "        total_ += A0[item_]"),
        ("next(filter(G3, z[0]), None)", "            return item_"),
        ("v[0] in map(G0, z[0])", "        if A0[item_] == sought_:"),
        ("sorted({*map(G0, z[0])})", "        bits_ |= 1ULL << c_number(A0[item_])"),
        ("sorted({*map(G2, z[0])})", "        out_.add(T2[item_])"),
        ("next((t1 for t1 in PLAYERS if v[t1]), None)", "        if (v[t1]):"),
    ],
)
def test_what_goes_through_cards_by_a_table_becomes_a_loop(expression: str, step: str) -> None:
    found = text(f"return {expression}")
    assert step in found.splitlines()
    assert "map(" not in found
    assert "filter(" not in found


def test_a_function_that_is_called_where_it_stands_needs_none_inside() -> None:
    found = text("return (lambda t1: t1 + x5)(v[0])", params="st, v, z, x5").splitlines()
    assert found[:2] == ["cdef object k1(object t1, object x5):", "    return t1 + x5"]
    assert found[-1] == "    return k1(v[0], x5)"


def test_a_function_inside_of_another_keeps_that_one_python() -> None:
    """Cython makes no closures in functions of C; and a name that is given inside of a loop stays there."""
    found = text("return max(z[0], key=lambda t1: v[t1])").splitlines()
    assert found == [
        "def n0(Machine st, list v, list z):",
        "    return max(zone_at(z, 0), key=lambda t1: v[c_number(t1)])",
    ]
    assert text("return [t1 for t1 in z[0] if (t2 := A0[t1]) and t2]").splitlines()[0].startswith("cpdef object n0")


def test_local_names_have_the_type_of_all_that_they_are_given() -> None:
    """A list that may be something else is an object; a loop over cards has numbers."""
    body = "t1 = z[0]\nt2 = z[1]\nif t1: t2 = None\nt3 = len(t1) + 1\nfor t4 in t1: t3 = t4\nfor t5 in t2: t3 = 0"
    found = text(body).splitlines()
    assert [line for line in found if "cdef" in line or "cpdef" in line] == [
        "cpdef object n0(Machine st, list v, list z):",
        "    cdef list t1",
        "    cdef long t3",
        "    cdef long t4",
    ]


def test_an_action_is_a_number() -> None:
    found = text("k = a - 3\nx1 = k // 13 % 2\nz[x1].append(k % 13)", "a7", "st, v, z, a").splitlines()
    assert found[0] == "cpdef object a7(Machine st, list v, list z, long a):"
    assert found[1:3] == ["    cdef long k", "    cdef long x1"]
    assert found[-1] == "    zone_at(z, x1).append(k % 13)"


def test_each_line_knows_the_line_that_it_carries_out() -> None:
    lines = written("v[0] = 1\nif z[0]:\n    v[1] = [t1 for t1 in z[0] if Q0[t1]]\nreturn -1")
    assert [(line.text.strip(), line.origin) for line in lines if line.origin][-4:] == [
        ("v[0] = 1", 2),
        ("if zone_at(z, 0):", 3),
        ("v[1] = k1(zone_at(z, 0))", 4),
        ("return -1", 5),
    ]
    assert {line.origin for line in lines if line.text.startswith("    ") and "it_" in line.text} == {4}


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("3", Kind.NUMBER),
        ("True", Kind.OBJECT),
        ("z[0]", Kind.CARDS),
        ("z[0][1:]", Kind.OBJECT),
        ("v[0]", Kind.OBJECT),
        ("A0[1] + len(z[0])", Kind.NUMBER),
        ("A1[1]", Kind.OBJECT),
        ("PLAYERS", Kind.NUMBERS),
        ("D4", Kind.NUMBERS),
        ("[*z[0], *z[1]]", Kind.CARDS),
        ("[]", Kind.LIST),
        ("[v[0]]", Kind.LIST),
        ("[t1 for t2 in z for t1 in t2]", Kind.LIST),
        ("sorted(z[0])", Kind.CARDS),
        ("z[0] if v[0] else [v[1]]", Kind.LIST),
        ("z[0] if v[0] else None", Kind.OBJECT),
    ],
)
def test_kinds(expression: str, kind: Kind) -> None:
    module = ast.parse(TAIL)
    assert Surroundings.of(module, TABLES).kind(ast.parse(expression, mode="eval").body, {}) is kind
