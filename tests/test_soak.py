"""`python -m tests.soak`: a run is not repeated, one that fails is shown, and a part keeps to its share of the time."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import soak
from tests.soak import PARTS, ROOT, Part, main

SECONDS = 10
"""What each run takes on the clock of these tests."""


class Machine:
    """A clock, and a Python that takes some seconds for each run and fails with the seed 3."""

    def __init__(self) -> None:
        self.now = 0.0
        self.runs: list[str] = []

    def monotonic(self) -> float:
        return self.now

    def python(self, *words: str, seconds: float | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        del more
        if "--collect-only" in words:
            return subprocess.CompletedProcess(words, 0, "a.py::one\na.py::two\n2 tests collected")
        if seconds is not None and seconds < SECONDS:
            raise subprocess.TimeoutExpired(words, seconds)
        self.now += SECONDS
        self.runs.append(words[-1])
        return subprocess.CompletedProcess(words, int(words[-1] == "3"), f"this is number {words[-1]}")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Let there be two parts, and a folder for what is kept."""
    made = Machine()
    monkeypatch.setattr(soak, "KEPT", tmp_path / "kept" / "soak.json")
    monkeypatch.setattr(soak, "PARTS", {"seeds": Part("numbers", ("counted",)), "tests": Part("letters", tests=("a",))})
    monkeypatch.setattr(soak, "python", made.python)
    monkeypatch.setattr(soak, "monotonic", made.monotonic)
    return made


def test_a_run_that_fails_is_shown_and_none_is_repeated(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["seeds", "--minutes", "1"]) == 1
    assert machine.runs == ["0", "1", "2", "3", "4", "5"]
    told = capsys.readouterr().out
    assert "seeds FAILED: python -m counted --seed 3\nthis is number 3\n" in told
    assert "5 runs passed, 1 failed" in told
    assert main(["seeds", "--minutes", "0.5"]) == 1
    assert machine.runs[6:] == ["6", "7", "8"]
    assert "8 runs passed, 1 failed" in capsys.readouterr().out


def test_a_part_leaves_the_time_that_it_does_not_need(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tests", "seeds", "--minutes", "1"]) == 1
    assert machine.runs == ["a.py::one", "a.py::two", "0", "1", "2", "3"]
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.endswith("2 runs passed, 0 failed,     20 s, complete: letters")


def test_a_run_that_all_of_the_time_is_too_short_for_is_left_to_the_next_call(machine: Machine) -> None:
    assert main(["seeds", "--minutes", "0.1"]) == 0
    assert machine.runs == []
    assert main(["seeds", "--minutes", "0.2"]) == 0
    assert machine.runs == ["0"]


def test_another_commit_begins_anew(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    main(["seeds", "--minutes", "0.2"])
    monkeypatch.setattr(soak, "commit", lambda: "another")
    main(["seeds", "--minutes", "0.2"])
    main(["seeds", "--minutes", "0.2", "--anew"])
    assert machine.runs == ["0", "0", "0"]


def test_what_the_parts_run_exists() -> None:
    files = [word for part in PARTS.values() for word in part.tests if word.endswith(".py")]
    modules = [ROOT / part.command[0].replace(".", "/") for part in PARTS.values() if part.command]
    assert [name for name in files if not (ROOT / name).exists()] == []
    assert [name for name in modules if not name.is_dir() and not name.with_suffix(".py").exists()] == []
