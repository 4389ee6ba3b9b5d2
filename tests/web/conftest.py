"""One browser for all stories; without it they are left out, or fail where `make web-test` runs them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.served import FLAGS, chromium_path


@pytest.fixture(scope="session")
def playing() -> Iterator[Any]:
    """Give Playwright."""
    api = pytest.importorskip("playwright.sync_api", reason="stories in a browser need playwright: make web-test")
    with api.sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(playing: Any) -> Iterator[Any]:
    """Give a Chromium."""
    path = chromium_path()
    if path is None and not os.environ.get("CARDGAME_WEB"):
        pytest.skip("stories in a browser need Chromium: make web-test")
    found = playing.chromium.launch(executable_path=path, args=list(FLAGS))
    yield found
    found.close()


@pytest.fixture
def device(browser: Any) -> Iterator[Any]:
    """Give a function that opens a device; its options are those of a context of Playwright."""
    opened = []

    def make(**options: Any) -> Any:
        opened.append(
            browser.new_context(**{"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce", **options})
        )
        return opened[-1]

    yield make
    for context in opened:
        context.close()
