"""The functions that count, printed as C."""

from __future__ import annotations

import inspect

import pytest

from interpreter.simulate import collecting
from interpreter.simulate.printing import print_c


def test_every_function_of_the_collector_has_a_form_in_c() -> None:
    text = print_c(inspect.getsource(collecting))
    names = {name for name, _ in inspect.getmembers(collecting, inspect.isfunction)} - {"bit_count"}
    assert all(f"static void {name}(" in text for name in names)
    assert "enum { DECISIONS = 7, FORCED," in text


@pytest.mark.parametrize("line", ["x = 1.5", "x = a % 2", "x = a < 1 < 2", "x: int = 1", "return 1", "x = a.y"])
def test_what_has_no_form_in_c_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(ValueError, match="line 2 has no form in C"):
        print_c(f"def count(a: int) -> None:\n    {line}\n")
