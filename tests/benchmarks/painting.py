"""Time from a click to the painted answer in the page: `python -m tests.benchmarks.painting [GAME..]`.

A Chromium without a head plays against random agents.  `choice` is the time from a click on a card or a word until
the picked card is painted; it includes a question to the server where a set is chosen.  `decision` is the time from a
click that confirms until the next table is painted: the server carries the decision out, the agents answer, and the
page draws the first of the tables that follow.  A paint is the second animation frame after the page has changed, so
a display of 60 Hz alone adds 17 to 33 ms.
"""

from __future__ import annotations

import random
import statistics
import sys
from typing import Any

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


def measure(browser: Any, name: str) -> dict[str, list[float]]:
    """Return the times in milliseconds of the clicks of a play, by kind."""
    times: dict[str, list[float]] = {"choice": [], "decision": []}
    rng = random.Random(1)
    with served(name, "--seed", "7", *agents(least_players(name))) as table:
        person = Person(browser.new_context(viewport={"width": 1_200, "height": 900}), table.links[0])
        while len(times["decision"]) < DECISIONS:

            def press(button: Any) -> None:
                is_decision = "primary" in str(button.get_attribute("class"))
                times["decision" if is_decision else "choice"].append(float(button.evaluate(CLICK)))

            if not person.decides(rng, press):
                break
    return times


def main(names: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    print(f"{'game':<20} {'click':<9} {'count':>5} {'median':>7} {'p95':>7} {'most':>7}  ms")
    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        for name in names or GAMES:
            for kind, times in measure(browser, name).items():
                if len(times) > 1:
                    cuts = statistics.quantiles(times, n=20)
                    line = f"{statistics.median(times):>7.1f} {cuts[-1]:>7.1f} {max(times):>7.1f}"
                    print(f"{name:<20} {kind:<9} {len(times):>5} {line}")


if __name__ == "__main__":
    main(sys.argv[1:])
