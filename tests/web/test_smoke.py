"""The page opens, shows the table of its seat, and takes a decision; the stories are in `test_stories.py`."""

from __future__ import annotations

import random
from typing import Any

from tests.web.served import Person, served

REUSED = """async () => {
    const { reuse } = await import("/static/html.js");
    const before = { zones: [{ cards: [1, 2] }, { cards: [3] }], over: null };
    const now = reuse(before, { zones: [{ cards: [1, 2] }, { cards: [3, null] }], over: "" });
    const same = reuse(before, { zones: [{ cards: [1, 2] }, { cards: [3] }], over: null });
    return [now.zones[0] === before.zones[0], now.zones[1] === before.zones[1], JSON.stringify(now), same === before];
}"""
"""Parts of a frame that say the same stay the same objects."""


def test_a_seat_is_joined_by_its_link_and_a_choice_is_made(device: Any) -> None:
    with served("classics/kuhn_poker", "--seed", "3", "--seat", "2=random") as table:
        person = Person(device(), table.links[0])
        assert person.sees(".bar h1").inner_text() == "Kuhn Poker"
        assert person.sees(".own .card").get_attribute("aria-label") in ("1", "2", "3")
        assert person.page.locator(".seat .back").count() == 1
        steps = person.plays(random.Random(1), lambda button: button.click())
        assert steps >= 2
        assert person.page.locator(".over tbody tr").count() == 2
        now = '{"zones":[{"cards":[1,2]},{"cards":[3,null]}],"over":""}'
        assert person.page.evaluate(REUSED) == [True, False, now, True]
        origin = table.links[0].split("/t/")[0]
        assert all(url.startswith((origin, "data:")) for url in person.requests)
        assert person.problems == []
        stranger = Person(device(), table.links[0][:-3] + "xyz")
        assert stranger.sees(".splash h1:has-text('no such seat')").inner_text() == "There is no such seat"
        assert stranger.page.locator(".card").count() == 0
