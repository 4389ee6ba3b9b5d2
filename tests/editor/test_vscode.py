"""The extension for Visual Studio Code: its manifest fits the server and the grammars, and its own tests pass."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.lsp import server
from grammar.highlighting import editor_files

FOLDER = Path(__file__).resolve().parents[2] / "grammar" / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text())
NODE = shutil.which("node")


def test_the_manifest_names_files_that_are_there() -> None:
    contributes = MANIFEST["contributes"]
    named = [MANIFEST["main"], *(one["path"] for one in contributes["grammars"])]
    named += [one["configuration"] for one in contributes["languages"]]
    assert all((FOLDER / name).is_file() for name in named)
    generated = {path.name for path in editor_files()}
    assert {Path(one["path"]).name for one in contributes["grammars"]} <= generated


def test_all_commands_are_registered_and_known_to_the_server() -> None:
    source = (FOLDER / "src" / "extension.js").read_text()
    registered = set(re.findall(r'registerCommand\("([\w.]+)"', source))
    assert {one["command"] for one in MANIFEST["contributes"]["commands"]} <= registered
    announced = re.search(r"CLIENT_COMMANDS = \[([^\]]*)\]", source)
    assert announced is not None
    known = {server.PLAY, server.PREVIEW, server.REFERENCES}
    assert set(re.findall(r'"([\w.]+)"', announced[1])) == known <= registered
    assert {server.RUN_SCENARIOS, server.RULEBOOK} <= set(re.findall(r'execute\("([\w.]+)"', source))


def test_the_version_is_that_of_the_program() -> None:
    project = (FOLDER.parents[2] / "pyproject.toml").read_text()
    assert f'version = "{MANIFEST["version"]}"' in project


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_the_finder_and_the_rest_that_needs_no_editor() -> None:
    assert NODE is not None
    done = subprocess.run([NODE, "--test", "test/"], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
