"""A compiler works under limits, once for all who want the same, and ends with whoever wanted it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from grammar import store
from interpreter.native import compiling
from tests.conftest import failed_builds

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="processes are told by numbers"),
    pytest.mark.failing_build,
]


def alive(pid: int) -> bool:
    with suppress(OSError):
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def eventually(path: Path) -> str:
    for _ in range(1200):
        if path.exists() and path.read_text():
            return path.read_text()
        time.sleep(0.05)
    raise AssertionError(f"{path} was never written")


def test_a_compiler_that_never_ends_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(compiling.CompilerError, match="took more than"):
        compiling.run(
            [sys.executable, "-c", "import time; time.sleep(600)"], str(tmp_path), dict(os.environ), seconds=1
        )


def test_what_a_compiler_says_last_is_reported(tmp_path: Path) -> None:
    with pytest.raises(compiling.CompilerError, match="no header"):
        compiling.run(
            [sys.executable, "-c", "import sys; print('x'); sys.exit('no header')"], str(tmp_path), dict(os.environ)
        )


def test_a_failed_build_is_noted_so_that_its_test_fails(tmp_path: Path) -> None:
    with pytest.raises(compiling.CompilerError):
        compiling.run([sys.executable, "-c", "import sys; sys.exit('no header')"], str(tmp_path), dict(os.environ))
    assert failed_builds == [f"{sys.executable}: no header"]


def test_a_compiler_has_limits_of_time_and_memory(tmp_path: Path) -> None:
    asked = "import sys, resource as r; sys.exit(f'{r.getrlimit(r.RLIMIT_CPU)[1]} {r.getrlimit(r.RLIMIT_AS)[1]}')"
    with pytest.raises(compiling.CompilerError, match=f"{compiling.SECONDS} {compiling.MEMORY}"):
        compiling.run([sys.executable, "-c", asked], str(tmp_path), dict(os.environ))


def test_a_compiler_ends_with_its_caller_and_leaves_nothing(tmp_path: Path) -> None:
    folder, told = tmp_path / "build", tmp_path / "pid"
    folder.mkdir()
    sleeper = f"import os, time; open({str(told)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    command = [sys.executable, "-c", sleeper]
    wanted = f"from interpreter.native import compiling; compiling.run({command!r}, {str(folder)!r}, {{}})"
    parent = subprocess.Popen([sys.executable, "-c", wanted], start_new_session=True)
    pid = int(eventually(told))
    assert alive(pid)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    for _ in range(1200):
        if not alive(pid) and not folder.exists():
            return
        time.sleep(0.05)
    raise AssertionError("the compiler runs on")


def test_one_works_under_a_name_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(store.SETTING, raising=False)
    with store.alone("one", 600):
        before = time.monotonic()
        with store.alone("other", 600):
            assert time.monotonic() - before < 60
        with store.alone("one", 0.5):
            assert time.monotonic() - before >= 0.5
    before = time.monotonic()
    with store.alone("one", 600):
        assert time.monotonic() - before < 60
