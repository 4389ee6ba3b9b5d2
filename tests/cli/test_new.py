"""`cardgame new`: games to start from that are valid, formatted and tested as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.commands.new import KINDS
from cli.main import main


@pytest.mark.parametrize("kind", [None, KINDS[0], *(pytest.param(kind, marks=pytest.mark.soak) for kind in KINDS[1:])])
def test_a_starter_is_valid_formatted_and_passes_its_scenarios(kind: str | None, tmp_path: Path) -> None:
    name = str(tmp_path / "night_market")
    run = CliRunner().invoke
    result = run(main, ["new", name, *(["--like", kind] if kind else [])])
    assert result.exit_code == 0, result.output
    spec, scenarios = Path(f"{name}.cardgame"), Path(f"{name}.scenarios")
    assert 'game "Night Market"' in spec.read_text("utf-8")
    assert 20 <= len(spec.read_text("utf-8").splitlines()) <= 60
    assert run(main, ["validate", str(spec)]).exit_code == 0
    assert run(main, ["fmt", "--check", str(spec), str(scenarios)]).exit_code == 0
    tested = run(main, ["test", str(spec)])
    assert tested.exit_code == 0, tested.output
    fuzzed = run(main, ["fuzz", str(spec), "--seed", "1", "--plays", "3"])
    assert fuzzed.exit_code == 0, fuzzed.output


def test_existing_files_are_never_changed(tmp_path: Path) -> None:
    (tmp_path / "mine.scenarios").write_text("precious", "utf-8")
    result = CliRunner().invoke(main, ["new", str(tmp_path / "mine")])
    assert result.exit_code == 2
    assert "there is already a file" in result.output
    assert not (tmp_path / "mine.cardgame").exists()
    assert (tmp_path / "mine.scenarios").read_text("utf-8") == "precious"


@pytest.mark.parametrize("name", ["my game", "5", "a/../", 'x"y', "no/such/folder/game"])
def test_names_that_no_file_can_have_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["new", name])
    assert result.exit_code == 2
    assert not list(tmp_path.iterdir())
