"""Entry point of the process `cardgame`: Ctrl-C ends it with 130 at any time, also during imports."""

from __future__ import annotations

import signal

from cli.stopping import stop_at_once


def main() -> None:
    """Run the command line of this process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, stop_at_once)
    from cli.main import main as run  # late: interrupts

    run()
