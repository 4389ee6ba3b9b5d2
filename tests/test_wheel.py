"""The built wheel: it holds all that a game needs, and runs where the sources are not."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and unpack it into a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    target = folder / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def run(unpacked: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the unpacked wheel in the place of the sources."""
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    return subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=unpacked, env=environment, capture_output=True, text=True, check=False
    )


def test_the_wheel_holds_every_file_of_the_packages(unpacked: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "grammar", "interpreter", "games", "cli"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    assert tracked
    assert [name for name in tracked if not (unpacked / name).is_file()] == []


def test_the_wheel_tests_a_game_where_the_sources_are_not(unpacked: Path) -> None:
    code = "from cli.main import main; main(['test', 'classics/kuhn_poker'])"
    done = run(unpacked, code)
    assert done.returncode == 0, done.stderr
    assert ", 0 failed" in done.stdout


def test_the_wheel_is_what_runs(unpacked: Path) -> None:
    done = run(unpacked, "import grammar, interpreter, games, cli; print(grammar.__file__)")
    assert done.stdout.startswith(str(unpacked)), done.stderr


def test_the_wheel_prints_its_version(unpacked: Path) -> None:
    """The version of `pyproject.toml`, the only place where it stands."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    done = run(unpacked, "from cli.main import main; main(['--version'])")
    assert done.stdout == f"cardgame, version {project['version']}\n", done.stderr
