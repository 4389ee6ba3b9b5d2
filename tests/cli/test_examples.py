"""The examples in the help texts: every line parses, and its bundled games have the options that it names."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from cli.arguments import load_setting
from cli.main import COMMANDS, main
from interpreter.loader import bundled_games, bundled_variants, load
from tests.cli.running import run

QUICK = {"dump", "explain", "graph", "list", "rules"}
"""Commands whose examples on bundled games are run."""


def examples(name: str) -> list[str]:
    """Return the examples in the help of a command, or of the group."""
    words = () if name == "cardgame" else (name,)
    return re.findall(r"^ +(cardgame [a-z].*)$", run(*words, "--help").output, re.MULTILINE)


EXAMPLES = [line for name in ("cardgame", *COMMANDS) for line in examples(name)]


def is_bundled(spec: object) -> bool:
    return isinstance(spec, str) and spec.partition(":")[0] in (*bundled_games(), *bundled_variants())


def parsed(line: str) -> tuple[str, click.Context]:
    name, *args = shlex.split(line)[1:]
    command = main.get_command(click.Context(main), name)
    assert command is not None, line
    return name, command.make_context(name, args)


def test_every_command_has_examples() -> None:
    assert [name for name in COMMANDS if not examples(name)] == []


def test_an_example_parses_and_names_options_that_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pictures").mkdir()
    monkeypatch.chdir(tmp_path)
    for name, context in map(parsed, EXAMPLES):
        given = context.params
        specs = [given.get(key) for key in ("spec", "first", "second")]
        players, options = given.get("players"), given.get("options") or {}
        for spec in filter(is_bundled, specs):
            assert isinstance(spec, str)
            game = load_setting(spec, players, options) if name == "compare" else load(spec, players, options)
            if given.get("sweep"):
                assert given["sweep"] in {option.name for option in game.rules.options}


@pytest.mark.parametrize("line", [line for line in EXAMPLES if line.split()[1] in QUICK and "my_game" not in line])
def test_an_example_runs(line: str) -> None:
    result = run(*shlex.split(line)[1:])
    assert result.exit_code == 0, result.output
