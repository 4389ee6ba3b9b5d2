"""`cardgame dump`: what the compiler makes of a spec, stage by stage."""

from __future__ import annotations

import pytest

from tests.cli.running import run


@pytest.mark.parametrize("stage", ["ast", "core", "program", "python", "c"])
@pytest.mark.parametrize("name", ["chalice_and_wand", "arcanity", "classics/hearts"])
def test_each_stage_names_the_lines_that_it_comes_from(name: str, stage: str) -> None:
    result = run("dump", name, "--stage", stage)
    assert result.exit_code == 0
    mark = "//" if stage == "c" else "#"
    assert f"{mark} {name.rpartition('/')[2]}.cardgame:" in result.stdout


def test_the_checked_rules_have_no_options_and_no_bare_names_left() -> None:
    text = run("dump", "chalice_and_wand", "--stage", "core").stdout
    assert "phase play" in text
    assert "option" not in text


def test_the_names_in_python_are_told_at_its_head() -> None:
    head = run("dump", "classics/kuhn_poker", "--stage", "python").stdout.partition("def ")[0]
    assert "v[1] is paid[player 2], v[6] is p, z[0] is stock, z[1] is hand[player 1]" in " ".join(head.split("\n# "))
    assert "d0 is contenders" in head


def test_python_is_shown_for_plays_with_a_log_too() -> None:
    assert "st.reach(" in run("dump", "chalice_and_wand", "--stage", "python", "--logged").stdout
    assert run("dump", "chalice_and_wand", "--logged").exit_code == 2
