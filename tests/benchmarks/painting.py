"""Time from a click to the painted answer in the page: `python -m tests.benchmarks.painting [GAME..]`.

A Chromium without a head plays against random agents.  `choice` is the time from a click on a card or a word until
the picked card is painted; it includes a question to the server where a set is chosen.  `decision` is the time from a
click that confirms until the next table is painted: the server carries the decision out, the agents answer, and the
page draws the first of the tables that follow.  A paint is the second animation frame after the page has changed, so
a display of 60 Hz alone adds 17 to 33 ms.

`beside a crowd` is the same while the server has 200 further tables of two devices, at which 40 acts a second are made
(`tests.benchmarks.serving`).
"""

from __future__ import annotations

import random
import statistics
import sys
from typing import Any

from tests.benchmarks.serving import crowd
from tests.web.served import FLAGS, Person, agents, chromium_path, least_players, served

GAMES = ("chalice_and_wand", "classics/hearts", "wizards_grimoire")
DECISIONS = 60
CLICK = """element => new Promise(resolve => {
    const begun = performance.now(), root = document.getElementById('app');
    const seen = new MutationObserver(() => {
        seen.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
    });
    seen.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-pressed'] });
    element.click();
})"""


def measure(browser: Any, link: str) -> dict[str, list[float]]:
    """Return the times in milliseconds of the clicks of a play, by kind."""
    times: dict[str, list[float]] = {"choice": [], "decision": []}
    rng = random.Random(1)
    person = Person(browser.new_context(viewport={"width": 1_200, "height": 900}), link)

    def press(button: Any) -> None:
        is_decision = "primary" in str(button.get_attribute("class"))
        times["decision" if is_decision else "choice"].append(float(button.evaluate(CLICK)))

    while len(times["decision"]) < DECISIONS and person.decides(rng, press):
        pass
    return times


def report(name: str, measured: dict[str, list[float]]) -> None:
    """Print the times of a play."""
    for kind, times in measured.items():
        if len(times) > 1:
            cuts = statistics.quantiles(times, n=20)
            line = f"{statistics.median(times):>7.1f} {cuts[-1]:>7.1f} {max(times):>7.1f}"
            print(f"{name:<34} {kind:<9} {len(times):>5} {line}", flush=True)


def main(names: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    print(f"{'game':<34} {'click':<9} {'count':>5} {'median':>7} {'p95':>7} {'most':>7}  ms")
    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        for name in names or GAMES:
            with served(name, "--seed", "7", *agents(least_players(name))) as table:
                report(name, measure(browser, table.links[0]))
            with crowd(name) as link:
                report(f"{name} beside a crowd", measure(browser, link))


if __name__ == "__main__":
    main(sys.argv[1:])
