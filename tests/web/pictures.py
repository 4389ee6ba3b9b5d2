"""Draw the pictures of tables for the documentation: `python -m tests.web.pictures [GAME..]`.

Each game in `DECISIONS` is served and played for some decisions; then the page is drawn at the widths of a phone, a
tablet and a desktop.  The pictures are in `docs/pictures`, as WebP; all of them take at most `MOST_BYTES`.
"""

from __future__ import annotations

import io
import random
import sys
from typing import Any

from tests.web.served import FLAGS, ROOT, Person, agents, chromium_path, least_players, served

FOLDER = ROOT / "docs" / "pictures"
SIZES = {360: 780, 800: 1_000, 1_400: 880}
"""Height by width, in pixels."""
DARK = {"chalice_and_wand": 1_400, "wizards_duel": 360, "classics/hearts": 800}
"""Games that are drawn in dark colours too, and the width."""
DECISIONS = {
    "arcanity": 16, "chalice_and_wand": 14, "two_player_wizard": 9, "wizards_duel": 17, "wizards_grimoire": 24,
    "classics/go_fish": 11, "classics/hearts": 12, "classics/kuhn_poker": 0, "classics/leduc_poker": 2,
    "classics/love_letter": 6, "classics/crazy_eights": 8, "classics/goofspiel": 5, "classics/oh_hell": 10,
    "classics/president": 12,
}  # fmt: skip
QUALITY = 62
MOST_BYTES = 1_500_000


def draw(browser: Any, name: str) -> None:
    """Draw the table of one game."""
    players = 3 if name == "arcanity" else least_players(name)
    with served(name, "--seed", "7", "--players", str(players), *agents(players)) as table:
        person = Person(
            browser.new_context(reduced_motion="reduce", viewport={"width": 1_400, "height": 880}), table.links[0]
        )
        rng = random.Random(5)
        for _ in range(DECISIONS[name]):
            person.decides(rng, lambda button: button.click())
        person.page.wait_for_timeout(1_000)
        person.waits()
        while person.page.locator(".confirm").count():  # With nothing chosen yet.
            person.button("Clear").click()
            person.page.locator(".confirm").wait_for(state="detached")
        for width, height in SIZES.items():
            person.page.set_viewport_size({"width": width, "height": height})
            shoot(person.page, f"{name.rpartition('/')[2]}-{width}")
        if name in DARK:
            width = DARK[name]
            person.page.emulate_media(color_scheme="dark")
            person.page.set_viewport_size({"width": width, "height": SIZES[width]})
            shoot(person.page, f"{name.rpartition('/')[2]}-{width}-dark")
        assert person.problems == []


def shoot(page: Any, name: str) -> None:
    from PIL import Image

    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0); document.querySelector('[data-legal]')?.scrollIntoView({ block: 'nearest' })")
    page.wait_for_timeout(250)
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


def main(names: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        for name in names or DECISIONS:
            draw(browser, name)
    taken = sum(path.stat().st_size for path in FOLDER.glob("*.webp"))
    print(f"{len(list(FOLDER.glob('*.webp')))} pictures, {taken:,} bytes")
    assert taken < MOST_BYTES


if __name__ == "__main__":
    main(sys.argv[1:])
