"""Time from a click to the painted answer in the page: `python -m tests.benchmarks.painting [GAME..]`.

A Chromium without a head plays against random agents.  Three kinds of clicks take turns:

- `nothing` changes an attribute by hand: what a paint takes on this machine at this moment, without the page and server
- `choice` picks a card or a word; it includes a question to the server where a set is chosen
- `decision` confirms: the server carries the decision out, the agents answer, and the page draws the first of the
  tables that follow

A paint is the second animation frame after the change, so a display of 60 Hz alone adds 17 to 33 ms.  Animations of
what the agents did are skipped after each measurement.

`beside a crowd` is the same while the server has 200 further tables of two devices, at which 40 acts a second are made
(`tests.benchmarks.serving`).  `--static FOLDER` also measures the page of another checkout, in turns with this one.
"""

from __future__ import annotations

import argparse
import random
import statistics
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.benchmarks.serving import crowd
from tests.web.served import FLAGS, Person, agents, chromium_path, least_players, served

GAMES = ("chalice_and_wand", "classics/hearts", "wizards_grimoire")
DECISIONS = 60
BURST = 6
"""Decisions on one page, before it is the turn of the other."""
WATCH = """
const kind = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", { set(take) {
    kind.set.call(this, (event) => { take(event); window.drawn?.(JSON.parse(event.data).t); });
} });
"""
"""Calls `drawn` with the kind of each message after the page has drawn what it says."""
CLICK = """([element, kind]) => new Promise(resolve => {
    const root = document.getElementById('app'), begun = performance.now();
    const painted = () => {
        window.drawn = null;
        seen.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
    };
    const seen = new MutationObserver(painted);
    if (kind === 'decision') window.drawn = (message) => message === 'frame' && painted();
    else seen.observe(root, { subtree: true, childList: true, attributes: true,
                              attributeFilter: ['aria-pressed', 'data-nothing'] });
    if (kind === 'nothing') root.dataset.nothing = begun;
    else element.click();
})"""
SKIP = "document.getElementById('app').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))"

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
        self.times: Times = {"nothing": [], "choice": [], "decision": []}
        self._rng = random.Random(1)

    def _press(self, button: Any) -> None:
        # The end of a set, or the button that confirms; both are followed by the next table.
        is_decision = "primary" in str(button.get_attribute("class"))
        handle = button.element_handle()
        for kind in ("nothing", "decision" if is_decision else "choice"):
            self.times[kind].append(float(self.person.page.evaluate(CLICK, [handle, kind])))
        self.person.page.evaluate(SKIP)

    def decide(self, decisions: int) -> bool:
        """Make some decisions; return False when the play is over."""
        wanted = len(self.times["decision"]) + decisions
        while len(self.times["decision"]) < wanted:
            if not self.person.decides(self._rng, self._press):
                return False
        return True


def measure(browser: Any, links: list[str], statics: list[Path | None]) -> list[Times]:
    """Return the times in milliseconds of the clicks at some tables, one for each page, by kind."""
    pages = [Measured(browser, link, static) for link, static in zip(links, statics, strict=True)]
    going = list(pages)
    for _ in range(DECISIONS // BURST):
        going = [page for page in going if page.decide(BURST)]
    for page in pages:
        page.person.page.close()
    return [page.times for page in pages]


def report(name: str, measured: Times) -> None:
    """Print the times of a play."""
    for kind, times in measured.items():
        if len(times) > 1:
            cuts = statistics.quantiles(times, n=20)
            line = f"{statistics.median(times):>7.1f} {cuts[-1]:>7.1f} {max(times):>7.1f}"
            print(f"{name:<44} {kind:<9} {len(times):>5} {line}", flush=True)


def main() -> None:
    """Print the times of some games, alone and beside a crowd."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.painting", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, help="bundled games")
    parser.add_argument("--static", type=Path, help="the folder `cli/serve/static` of another checkout")
    wanted = parser.parse_args()
    statics = {"": None} if wanted.static is None else {"": None, ", other page": wanted.static}
    print(f"{'game':<44} {'click':<9} {'count':>5} {'median':>7} {'p95':>7} {'most':>7}  ms")
    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        for name in wanted.games:
            with ExitStack() as stack:
                seats = agents(least_players(name))
                tables = [stack.enter_context(served(name, "--seed", "7", *seats)) for _ in statics]
                links = [str(table.links[0]) for table in tables]
                for page, times in zip(statics, measure(browser, links, list(statics.values())), strict=True):
                    report(f"{name}{page}", times)
            with crowd(name, len(statics)) as links:
                for page, times in zip(statics, measure(browser, links, list(statics.values())), strict=True):
                    report(f"{name} beside a crowd{page}", times)


if __name__ == "__main__":
    main()
