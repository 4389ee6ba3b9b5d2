"""A second client: Neovim without a screen drives the server through a whole story, in `neovim.lua`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editor.marked import GAME
from tests.editor.test_queries import SCENARIOS, VARIANT

SCRIPT = Path(__file__).with_name("neovim.lua")
NEOVIM = shutil.which("nvim")


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed (Debian: apt-get install neovim)")
def test_a_new_user_repairs_renames_and_runs_a_scenario(tmp_path: Path) -> None:
    assert NEOVIM is not None
    folder = tmp_path / "games"
    folder.mkdir()
    for name, text in [("small.cardgame", GAME), ("other.cardgame", VARIANT), ("small.scenarios", SCENARIOS)]:
        (folder / name).write_text(text)
    program, report = tmp_path / "cardgame", tmp_path / "report.json"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cli.main "$@"\n')
    program.chmod(0o755)
    given = {"FOLDER": str(folder), "PROGRAM": str(program), "REPORT": str(report), "HOME": str(tmp_path)}
    command = [NEOVIM, "--headless", "--clean", "-u", str(SCRIPT)]
    done = subprocess.run(
        command, env={**os.environ, **given}, capture_output=True, text=True, check=False, timeout=300
    )
    found = json.loads(report.read_text())
    assert done.returncode == 0, (found, done.stderr)
    assert [step["name"] for step in found["steps"]] == [
        "open a folder and hover over a zone",
        "break three rules",
        "repair them with quick fixes",
        "rename a zone across a variant and its scenarios",
        "run a scenario from its lens",
        "read the summary",
    ]
    details = [step["detail"] for step in found["steps"]]
    assert "everybody sees it" in details[0]
    assert details[1:] == ["CG103 CG201 CG201", "", "", "Run scenario: true", "1 passed, 0 failed"]
