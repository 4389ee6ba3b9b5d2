"""Every command survives standard streams that are closed, full, gone, or write in a narrow code page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli import main
from tests.cli import adverse
from tests.cli.every_command import COMMANDS, STREAMS
from tests.keeping import keep_parsers

ROOT = Path(__file__).parents[2]
USUAL = [2 if any(word.startswith("no_such_") for word in args) else 0 for args in COMMANDS]
NARROW = (*(pytest.param(name, marks=pytest.mark.soak) for name in ("ascii", "latin-1")), "cp1252")
SIMILAR = ("stdin closed", "stdout closed", "stderr closed", "stderr full", "stdout gone", "ascii", "latin-1")
"""Streams for the soak: another is much like each of them."""

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or not Path("/dev/full").exists(), reason="this system has no such streams"
)


QUICK = [streams for streams in STREAMS if streams not in SIMILAR]


@pytest.fixture(scope="module")
def ends(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which every command has been run with all streams that this run is about."""
    folder = tmp_path_factory.mktemp("streams")
    keep_parsers(folder / "cardgame")
    streams = STREAMS if any(item.get_closest_marker("soak") for item in request.session.items) else QUICK
    done = subprocess.run(
        [sys.executable, "-m", "tests.cli.every_command", str(folder), *streams], cwd=ROOT, timeout=600, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder), "CARDGAME_CACHE": "games"},
    )  # fmt: skip
    assert done.returncode == 0
    return folder


def written(folder: Path, streams: str, name: str) -> bytes:
    file = folder / f"{STREAMS.index(streams)}.{name}"
    return file.read_bytes() if file.exists() else b""


def test_no_command_is_left_out() -> None:
    assert {words[0] for words in COMMANDS} == {"--help", *main.COMMANDS}


@pytest.mark.parametrize("streams", [*QUICK, *(pytest.param(name, marks=pytest.mark.soak) for name in SIMILAR)])
def test_every_command_ends_as_usual_and_without_a_complaint_of_python(streams: str, ends: Path) -> None:
    """Only what cannot be written to standard output is a mistake: there the answer would have been."""
    codes = json.loads((ends / "ends.json").read_text(encoding="utf-8"))[streams]
    assert codes == ([2] * len(COMMANDS) if streams == "stdout full" else USUAL)
    errors = written(ends, streams, "err").decode()
    assert not any(words in errors for words in ("Traceback", "CG9", "Exception", "Errno"))


def test_what_cannot_be_written_is_said_once(ends: Path) -> None:
    errors = written(ends, "stdout full", "err").decode()
    assert errors.count("Error: standard output: No space left on device\n") == USUAL.count(0)


def test_a_stream_that_nobody_reads_changes_nothing_of_the_other(ends: Path) -> None:
    run = json.loads((ends / "ends.json").read_text(encoding="utf-8"))
    for streams in {"stdin closed", "stderr closed", "stderr full"} & run.keys():
        assert written(ends, streams, "out") == written(ends, "as they are", "out")
    for streams in {"stdin closed", "stdout closed", "stdout gone"} & run.keys():
        assert written(ends, streams, "err") == written(ends, "as they are", "err")
    assert written(ends, "all closed", "out") == written(ends, "all closed", "err") == b""


@pytest.mark.parametrize("encoding", NARROW)
def test_a_narrow_code_page_shows_other_signs(encoding: str, ends: Path) -> None:
    text = written(ends, encoding, "out").decode(encoding)
    whole = written(ends, "as they are", "out").decode()
    assert "\n─────" in whole
    assert "\n-----" in text, "the lines of the rulebook and of the table"
    assert ("\n  * All players may" in text) is (encoding != "cp1252"), "its bullets"
    assert "\\u" not in text, "nothing is shown by its number"
    assert len(text.splitlines()) == len(whole.splitlines())


@pytest.mark.parametrize(
    ("streams", "code", "said"),
    [
        (">&-", 0, b""),
        (">/dev/full", 2, b"Error: standard output: No space left on device\n"),
        ("<&- >&- 2>&-", 0, b""),
        ("2>/dev/full", 0, b""),
    ],
)
def test_python_itself_starts_and_ends_quietly_with_such_streams(streams: str, code: int, said: bytes) -> None:
    command = f'"$0" -m cli.main --help {streams}'
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable], cwd=ROOT, capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (code, said)


def test_the_plainest_of_all_locales_is_enough() -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "rules", "classics/kuhn_poker"], cwd=ROOT, capture_output=True,
        check=False, env=environment, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "\n----" in done.stdout.decode("ascii")


@pytest.mark.soak
def test_no_command_loses_a_file_where_its_surroundings_fail() -> None:
    assert adverse.main(["--runs", "200"]) == 0
