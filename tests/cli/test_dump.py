"""`cardgame dump`: what the compiler makes of a spec, stage by stage."""

from __future__ import annotations

import pytest

from tests.cli.running import run


@pytest.mark.parametrize("stage", ["ast", "core", "program", "python", "c"])
@pytest.mark.parametrize("name", ["chalice_and_wand", "arcanity", "classics/hearts"])
def test_each_stage_names_the_lines_that_it_comes_from(name: str, stage: str) -> None:
    result = run("dump", name, "--stage", stage)
    assert result.exit_code == 0
    assert f"# {name.rpartition('/')[2]}.cardgame:" in result.stdout


def test_the_checked_rules_have_no_options_and_no_bare_names_left() -> None:
    text = run("dump", "chalice_and_wand", "--stage", "core").stdout
    assert "phase play" in text
    assert "option" not in text


def test_python_uses_the_names_of_the_spec() -> None:
    text = run("dump", "classics/kuhn_poker", "--stage", "python").stdout
    assert "PAID = 0\n" in text
    assert "def f_contenders(st, v, z):" in text
    assert "if st.logging: st.reach(" in text
