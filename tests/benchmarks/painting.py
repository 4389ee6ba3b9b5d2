"""Time from a click to its paint in the page: `python -m tests.benchmarks.painting [GAME..]`.

A Chromium without a head plays against random agents with real clicks of the mouse.  A paint is the moment at which the
browser has presented a frame, as it reports it itself (Event Timing and Element Timing), to 4 ms:

| row | from the click to |
|---|---|
| `control` | the frame with one new word, on a page that does nothing else: the display and the machine |
| `choice` | the next frame after picking a card or a word (Interaction to Next Paint, rounded to 8 ms) |
| `taken` | the next frame after confirming a decision (the same); the page shows that it is on its way |
| `message` | the arrival of the next table: the server has carried the decision out, and agents have answered |
| `table` | the frame with the next table; where several decisions follow, with the first of them |

A display of 60 Hz presents a frame every 16.7 ms.  `--uncapped` lets Chromium present at any time, so that only work
counts.  `beside a crowd` is the same while the server has 200 further tables of two devices, at which 40 acts a second
are made (`tests.benchmarks.serving`).  `--static FOLDER` also measures the page of another checkout, in turns with this
one.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.benchmarks.serving import crowd
from tests.web.served import FLAGS, Person, agents, chromium_path, least_players, served

GAMES = ("chalice_and_wand", "classics/hearts", "wizards_grimoire")
SEEDS = (7, 8, 9, 10)
DECISIONS = 50
"""Decisions for each seed."""
BURST = 10
"""Decisions on one page, before it is the turn of the other."""
UNCAPPED = ("--disable-frame-rate-limit", "--disable-gpu-vsync")
ROWS = ("control", "choice", "taken", "message", "table")
WATCH = """
const measured = window.measured = { begun: 0, times: {}, seen: () => {} };
const note = (row, time) => { measured.times[row] ??= time; measured.seen(); };
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.startTime >= measured.begun - 5) note("next", entry.duration);
}).observe({ type: "event", durationThreshold: 16 });
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) note(entry.identifier, entry.renderTime - measured.begun);
}).observe({ type: "element" });
// A word whose paint the browser reports: it is in the frame that is drawn next.
measured.mark = (row) => {
    document.getElementById("measured")?.remove();
    const word = document.createElement("p");
    Object.assign(word, { id: "measured", textContent: row });
    word.setAttribute("elementtiming", row);
    word.style.cssText = "position: fixed; left: 0; top: 0; margin: 0; font-size: 11px; pointer-events: none";
    document.body.append(word);
};
addEventListener("click", (event) => { measured.begun = event.timeStamp; }, true);
const kind = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", { set(take) {
    kind.set.call(this, (event) => {
        const arrived = performance.now(), isTable = measured.waits && event.data.startsWith('{"t":"frame"');
        if (!isTable) return take(event);
        measured.waits = false;
        note("message", arrived - measured.begun);
        const drawn = new MutationObserver(() => { drawn.disconnect(); measured.mark("table"); });
        drawn.observe(document.querySelector(".app"), { subtree: true, childList: true, attributes: true });
        take(event);
    });
} });
"""
"""Notes when the page has presented what, in milliseconds after the click."""
BEGIN = """(kind) => {
    measured.times = {};
    measured.waits = kind === "decision";
    document.getElementById("control")?.remove();
    if (kind !== "control") return;
    const button = document.createElement("button");
    button.id = "control";
    button.style.cssText = "position: fixed; right: 0; top: 0; z-index: 99; width: 60px; height: 30px";
    button.onclick = () => measured.mark("control");
    document.body.append(button);
}"""
TAKE = """async (wanted) => {
    const until = performance.now() + 5000;
    while (!(wanted in measured.times) && performance.now() < until)
        await new Promise((resolve) => { measured.seen = resolve; setTimeout(resolve, 200); });
    await new Promise((resolve) => setTimeout(resolve, 60));
    return measured.times;
}"""
SETTLE = """async () => {
    document.getElementById("app").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.allSettled(document.getAnimations().map((one) => one.finished));
}"""

Times = dict[str, list[float]]


class Measured:
    """One page, whose clicks are measured."""

    def __init__(self, browser: Any, link: str, static: Path | None) -> None:
        context = browser.new_context(viewport={"width": 1_200, "height": 900})
        context.add_init_script(WATCH)
        if static is not None:
            context.route(
                "**/static/**", lambda route: route.fulfill(path=static / route.request.url.split("/static/")[1])
            )
        self.person = Person(context, link)
        self.times: Times = {row: [] for row in ROWS}
        self.decisions = 0
        self._rng = random.Random(1)

    def _click(self, button: Any, kind: str, wanted: str) -> dict[str, float]:
        page = self.person.page
        page.evaluate(BEGIN, kind)
        (page.locator("#control") if kind == "control" else button).click(no_wait_after=True)
        found: dict[str, float] = page.evaluate(TAKE, wanted)
        page.evaluate(SETTLE)
        return found

    def _note(self, row: str, found: dict[str, float], name: str) -> None:
        if name in found:
            self.times[row].append(found[name])

    def _press(self, button: Any) -> None:
        # The end of a set, or the button that confirms; both are followed by the next table.
        is_decision = "primary" in str(button.get_attribute("class"))
        if is_decision:
            self._note("control", self._click(button, "control", "control"), "control")
        found = self._click(button, "decision" if is_decision else "choice", "table" if is_decision else "next")
        found.setdefault("next", 16)  # Quicker ones are not reported.
        self._note("taken" if is_decision else "choice", found, "next")
        self._note("message", found, "message")
        self._note("table", found, "table")
        self.decisions += is_decision

    def decide(self, decisions: int) -> None:
        """Make some decisions; another play begins when one is over."""
        wanted = self.decisions + decisions
        while self.decisions < wanted:
            if not self.person.decides(self._rng, self._press):
                self.person.sees("[data-item=new]").click()
                self.person.page.locator(".over").wait_for(state="detached")
                self.person.page.evaluate(SETTLE)


def measure(browser: Any, links: list[str], statics: list[Path | None], times: list[Times]) -> None:
    """Add the times in milliseconds of the clicks at some tables, one for each page."""
    pages = [Measured(browser, link, static) for link, static in zip(links, statics, strict=True)]
    for _ in range(math.ceil(DECISIONS / BURST)):
        for page in pages:
            page.decide(BURST)
    for page, known in zip(pages, times, strict=True):
        assert page.person.problems == [], page.person.problems
        page.person.page.context.close()
        for row, found in page.times.items():
            known[row].extend(found)


def report(name: str, measured: Times) -> None:
    """Print the times at the tables of a game."""
    for row, times in measured.items():
        if len(times) > 1:
            cuts = statistics.quantiles(times, n=20)
            line = f"{statistics.median(times):>7.1f} {cuts[-1]:>7.1f} {max(times):>7.1f}"
            print(f"{name:<44} {row:<9} {len(times):>5} {line}", flush=True)


def main() -> None:
    """Print the times of some games, alone and beside a crowd."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.painting", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, help="bundled games")
    parser.add_argument("--static", type=Path, help="the folder `cli/serve/static` of another checkout")
    parser.add_argument("--uncapped", action="store_true", help="present frames at any time, not at 60 Hz")
    parser.add_argument("--beside", choices=("nothing", "crowd", "both"), default="both", help="what else runs (both)")
    wanted = parser.parse_args()
    statics = {"": None} if wanted.static is None else {"": None, ", other page": wanted.static}
    pages = list(statics.values())
    print(f"{'game':<44} {'row':<9} {'count':>5} {'median':>7} {'p95':>7} {'most':>7}  ms")
    with sync_playwright() as playing:
        flags = [*FLAGS, *(UNCAPPED if wanted.uncapped else ())]
        browser = playing.chromium.launch(executable_path=chromium_path(), args=flags)
        for name in wanted.games:
            if wanted.beside != "crowd":
                times: list[Times] = [{row: [] for row in ROWS} for _ in statics]
                for seed in SEEDS:
                    with ExitStack() as stack:
                        seats = agents(least_players(name))
                        tables = [stack.enter_context(served(name, "--seed", str(seed), *seats)) for _ in statics]
                        measure(browser, [str(table.links[0]) for table in tables], pages, times)
                for page, found in zip(statics, times, strict=True):
                    report(f"{name}{page}", found)
            if wanted.beside != "nothing":
                times = [{row: [] for row in ROWS} for _ in statics]
                with crowd(name, len(SEEDS) * len(statics)) as links:
                    for at in range(len(SEEDS)):
                        measure(browser, links[at :: len(SEEDS)], pages, times)
                for page, found in zip(statics, times, strict=True):
                    report(f"{name} beside a crowd{page}", found)


if __name__ == "__main__":
    main()
