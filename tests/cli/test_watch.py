"""`cardgame watch`: what it reports of each version of a spec, and of the play that is under way."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from cli.main import main
from interpreter.loader import load
from interpreter.records.saves import Save, carry_over, write_save
from interpreter.records.session import resolve_from_seed
from interpreter.text.sentences import sentences
from tests.editor.marked import GAME
from tests.editor.test_queries import SCENARIOS


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "small.cardgame"
    path.write_text(GAME)
    (tmp_path / "small.scenarios").write_text(SCENARIOS)
    return path


def saved_play(spec: Path) -> Save:
    """Return a play in which both players have discarded what they could."""
    game = load(spec)
    save = Save(str(spec), game.digest, game.title, 2, game.option_texts(), ("human", "random"), 3)
    said: list[tuple[int, str]] = []
    while True:
        state = carry_over(msgspec.structs.replace(save, said=tuple(said)), game).state
        if state.is_chance_node():
            resolve_from_seed(state, 3)
        if state.is_terminal():
            return msgspec.structs.replace(save, said=tuple(said))
        legal = sentences(state, 10)
        assert legal
        said.append((state.current_player(), legal[0].text))


def watched(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["watch", *args, "--once"])
    return result.exit_code, result.output


def test_a_sound_spec_passes_its_scenarios_and_shows_the_table(spec: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.save"
    file.write_text(write_save(saved_play(spec)))
    code, output = watched(str(spec), "--load", str(file))
    assert code == 0, output
    assert "valid in" in output
    assert "1 passed, 0 failed" in output
    assert "play: all 2 decisions" in output
    assert "as player 1 sees it:" in output
    assert "trick" in output


def test_a_mistake_ends_the_report_with_its_message(spec: Path) -> None:
    spec.write_text(GAME.replace("to trick", "to trik"))
    code, output = watched(str(spec))
    assert code == 1
    assert "did you mean `trick`?" in output
    assert "passed" not in output


def test_a_failed_scenario_is_reported(spec: Path) -> None:
    spec.write_text(GAME.replace("move c to trick", "move c to stock"))
    code, output = watched(str(spec))
    assert code == 1
    assert "trick holds nothing" in output
    assert "0 passed, 1 failed" in output


def test_the_play_diverges_where_a_rule_no_longer_allows_it(spec: Path, tmp_path: Path) -> None:
    file = tmp_path / "play.save"
    save = saved_play(spec)
    file.write_text(write_save(save))
    (tmp_path / "small.scenarios").unlink()
    spec.write_text(GAME.replace("discard card c", "throw card c"))
    code, output = watched(str(spec), "--load", str(file))
    assert code == 1
    assert (
        f"play: 0 of 2 decisions, then the rules differ: decision 1 of this saved play: `{save.said[0][1]}`" in output
    )
    assert "is to act" in output


def test_no_play_and_no_seat_are_said(spec: Path, tmp_path: Path) -> None:
    code, output = watched(str(spec))
    assert code == 0
    assert "no play is unfinished" in output
    file = tmp_path / "play.save"
    file.write_text(write_save(saved_play(spec)))
    assert watched(str(spec), "--load", str(file), "--seat", "9")[0] == 2


def test_it_waits_for_changes_and_reports_each(spec: Path) -> None:
    command = [sys.executable, "-u", "-m", "cli.main", "watch", str(spec)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if "no play is unfinished" in line:
                    break
            time.sleep(0.1)  # The time of a file may count in hundredths of a second.
            spec.write_text(GAME.replace("to trick", "to trik"))
            for line in process.stdout:
                if "CG201" in line:
                    break
            else:
                pytest.fail("the change was not reported")
        finally:
            process.kill()
