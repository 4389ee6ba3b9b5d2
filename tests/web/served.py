"""A table that a process serves, and people who play at it with a browser."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from interpreter.loader import bundled_games

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
GAMES = tuple(bundled_games())
LONGEST = 120_000
"""Milliseconds that anything on a page may take, on a machine that does much else."""
ACT = ".question.mine"


def chromium_path() -> str | None:
    """Return the browser of the system, None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name)) is not None), None)


def missing() -> str:
    """Return what is missing for stories in a browser, or nothing."""
    if find_spec("playwright") is None:
        return "Playwright"
    return "" if chromium_path() else "Chromium"


class Served:
    """`cardgame serve SPEC` as a process; `links` has the address of each place: 0, 1, .., `spectators`, `host`."""

    def __init__(self, spec: str, *arguments: str) -> None:
        self.spec, self.arguments = spec, arguments
        self.home = tempfile.TemporaryDirectory(prefix="cardgame-web-")
        self.links: dict[int | str, str] = {}
        self.start(0)

    def start(self, port: int) -> None:
        """Start the process, and read its links; a table that it goes on with has those of before."""
        command = [sys.executable, "-m", "cli.main", "serve", self.spec, "--port", str(port), *self.arguments]
        self.process = subprocess.Popen(
            command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "XDG_STATE_HOME": self.home.name, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            found = re.match(r"\s+(?:seat (\d+)|(spectators|host))\s+(http\S+)", line)
            if found is not None:
                self.links[int(found[1]) - 1 if found[1] else found[2]] = found[3]
                if found[2] == "host":  # The last link.
                    break
        assert "host" in self.links, "".join(said)
        self.port = int(re.search(r":(\d+)/", self.links["host"])[1])  # type: ignore[index]
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def kill(self) -> None:
        """End the process at once, as a crash does."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(LONGEST / 1_000)
        self.home.cleanup()


@contextmanager
def served(spec: str, *arguments: str) -> Iterator[Served]:
    """Serve a spec for the time of a block."""
    server = Served(spec, *arguments)
    try:
        yield server
    finally:
        server.stop()


def agents(players: int, agent: str = "random") -> list[str]:
    """Return arguments that let an agent play all seats but the first."""
    return [part for seat in range(2, players + 1) for part in ("--seat", f"{seat}={agent}")]


def least_players(name: str) -> int:
    """Return the least number of players of a game."""
    from tests import bundled

    return int(bundled.signature_of(name).players[0])


class Person:
    """Somebody at a page: what is wrong with the page is noted in `problems`."""

    def __init__(self, context: Any, link: str) -> None:
        self.page: Any = context.new_page()
        self.page.set_default_timeout(LONGEST)
        self.errors = import_module("playwright.sync_api").TimeoutError
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._note)
        self.page.on("request", lambda request: self.requests.append(str(request.url)))
        self.link = link
        self.page.goto(link)

    def _note(self, message: Any) -> None:
        if message.type == "error" and "WebSocket" not in message.text:
            self.problems.append(str(message.text))

    def sees(self, selector: str) -> Any:
        """Wait until something is on the page, and return it."""
        found = self.page.locator(selector).first
        found.wait_for()
        return found

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def is_over(self) -> bool:
        return bool(self.page.locator(".over").count())

    def waits(self) -> None:
        """Wait until this person must decide, or the play is over."""
        self.page.locator(f"{ACT}, .over").first.wait_for()

    def decides(self, rng: random.Random, press: Any) -> bool:
        """Take one step towards a decision by `press`, a tap or a click; return False when the play is over.

        A button that goes away meanwhile is not pressed: the server makes decisions with a single choice by itself.
        """
        self.waits()
        if self.is_over:
            return False
        self.page.set_default_timeout(3_000)
        with suppress(self.errors):
            self._steps(rng, press)
        self.page.set_default_timeout(LONGEST)
        return True

    def _steps(self, rng: random.Random, press: Any) -> None:
        page = self.page
        confirm = page.locator("[data-item=confirm]:enabled")
        end = page.locator(".answers .choice.primary:enabled")
        cards = page.locator(".card.legal:not(.picked)")
        choices = page.locator(".question .choice:not(.picked):not(.primary):enabled:visible").filter(
            has_not_text="Back"
        )
        picked = page.locator(".card.picked").count()
        if confirm.count():
            press(confirm.first)
        elif end.count() and (picked or not cards.count() or rng.random() < 0.2):
            press(end.first)
        elif (count := cards.count()) and not page.locator('[aria-label^="With "]').count():
            press(cards.nth(rng.randrange(count)))
        elif count := choices.count():
            press(choices.nth(rng.randrange(count)))

    def plays(self, rng: random.Random, press: Any, most: int = 2_000) -> int:
        """Play until the end of the play; return the number of steps."""
        for step in range(most):
            if not self.decides(rng, press):
                return step
        raise AssertionError(f"no end after {most} steps")


if __name__ == "__main__" and (needed := missing()):
    print(
        f"{needed} is missing: the page is not opened. Its files and the protocol are tested. The rest: make web-test"
    )
