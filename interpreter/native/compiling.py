"""Run a compiler under limits, so that it ends with the process that waits for it.

The limits of time and memory are the system's own, and hold for all that the compiler starts.  On POSIX a shell sets
them and watches a pipe: its other end closes when the process that waits is gone, however it went.  Then the shell
removes the folder of the build and kills the whole group of processes.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress

SECONDS = 60
"""How long a compiler may work; the longest bundled game takes it six seconds."""

MEMORY = 4_000_000_000
"""Bytes that each of its processes may have."""

_LIMITED = f"""
ulimit -c 0
ulimit -t {SECONDS}
ulimit -v {MEMORY // 1024} 2> /dev/null
exec 3<&0
(read -r end <&3; rm -rf "$PWD"; kill -KILL 0) > /dev/null 2>&1 &
"$@" < /dev/null
"""


class CompilerError(Exception):
    """A compiler did not do its work; the text is its first error, else its last message."""


def run(command: list[str], folder: str, environment: dict[str, str], seconds: float = SECONDS) -> None:
    """Run a command in a folder; its limits beside that of time need POSIX.  Raises CompilerError."""
    posix = os.name == "posix"
    listening, held = os.pipe()
    try:
        started = subprocess.Popen(
            ["/bin/sh", "-c", _LIMITED, "sh", *command] if posix else command, cwd=folder, env=environment,
            stdin=listening, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            start_new_session=posix,
        )  # fmt: skip
        try:
            said, _ = started.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise CompilerError(f"the compiler took more than {seconds:g} seconds") from None
        finally:
            with suppress(OSError):
                os.killpg(started.pid, signal.SIGKILL) if posix else started.kill()
            started.wait()
    finally:
        os.close(listening)
        os.close(held)
    if started.returncode:
        lines = said.strip().splitlines() or [f"the compiler ended with {started.returncode}"]
        raise CompilerError(next((line for line in lines if "error" in line), lines[-1]).strip())
