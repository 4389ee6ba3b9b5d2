"""Run a compiler under limits, in a process that ends with its parent: `python -m interpreter.native.compiling`.

The limits of time and memory are the system's own, and hold for all that the compiler starts.  A pipe signals when the
process that waits is gone, however it went: its other end closes.  Then the whole group of processes is killed, and the
folder in which it worked removed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from threading import Thread

SECONDS = 60
"""How long a compiler may work; the longest bundled game takes it six seconds."""

MEMORY = 4_000_000_000
"""Bytes that each of its processes may have."""


class CompilerError(Exception):
    """A compiler did not do its work; the text is its first error, else its last message."""


def run(command: list[str], folder: str, environment: dict[str, str], seconds: float = SECONDS) -> None:
    """Run a command in a folder.  Raises CompilerError."""
    if os.name != "posix":
        _run_plainly(command, folder, environment, seconds)
        return
    listening, held = os.pipe()
    try:
        started = subprocess.Popen(
            [sys.executable, "-m", __name__, str(listening), folder, *command],
            cwd=folder, env={**environment, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            pass_fds=(listening,), start_new_session=True,
        )  # fmt: skip
        try:
            said, _ = started.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise CompilerError(f"the compiler took more than {seconds:g} seconds") from None
        finally:
            with suppress(OSError):
                os.killpg(started.pid, signal.SIGKILL)
            started.wait()
        _judge(started.returncode, said)
    finally:
        os.close(listening)
        os.close(held)


def _run_plainly(command: list[str], folder: str, environment: dict[str, str], seconds: float) -> None:
    """Run a command where there are no groups of processes and no limits but that of time."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise CompilerError(f"the compiler took more than {seconds:g} seconds") from None
    _judge(done.returncode, done.stderr.strip() or done.stdout)


def _judge(code: int, said: str) -> None:
    if code:
        lines = said.strip().splitlines() or [f"the compiler ended with {code}"]
        raise CompilerError(next((line for line in lines if "error" in line), lines[-1]).strip())


def _supervise(listening: int, folder: str, command: list[str]) -> int:
    """Run the command, as long as another process holds the other end of the pipe."""
    import resource  # late: system

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def end_with_them() -> None:
        while os.read(listening, 1):
            pass
        shutil.rmtree(folder, ignore_errors=True)
        os.killpg(0, signal.SIGKILL)

    Thread(target=end_with_them, daemon=True).start()
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(_supervise(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
