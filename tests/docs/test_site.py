"""The documentation site has every page, its links lead somewhere, and its bundles are as they were released."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from grammar.codes import REGISTRY
from interpreter.loader import bundled_games
from tests.docs.samples import ROOT
from tests.docs.site import Printed, Source, build, site_pages

VENDOR = ROOT / "docs" / "site" / "vendor"


@pytest.fixture(scope="module")
def source() -> Source:
    return site_pages(lambda names: [Printed(f"# {name}\n", "") for name in names])


@pytest.mark.soak
def test_every_diagnostic_and_game_has_a_page(source: Source) -> None:
    assert {f"diagnostics/{code}" for code in REGISTRY} <= set(source.pages)
    assert {f"{kind}/{name}" for kind in ("rulebooks", "specs", "games") for name in bundled_games()} <= set(
        source.pages
    )


@pytest.mark.soak
def test_links_of_the_written_pages_lead_to_pages(source: Source, tmp_path: Path) -> None:
    source.write(tmp_path)
    for page in tmp_path.rglob("*.md"):
        prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)\s#]+)", prose):
            if not re.match(r"\w+:", target):
                other = tmp_path / target.lstrip("/") if target.startswith("/") else page.parent / target
                assert other.exists(), f"{page}: {target}"


def test_bundles_are_as_they_were_released() -> None:
    rows = re.findall(
        r"^\| `(\S+)` .* `(\w{64})` \|$", (VENDOR / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {name for name, _ in rows} == {path.name for path in VENDOR.glob("*.js")}
    for name, digest in rows:
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest


@pytest.mark.soak
def test_the_search_finds_every_diagnostic_and_every_term(tmp_path: Path) -> None:
    assert build(tmp_path / "site") == 0, "without a warning"
    index = (tmp_path / "site" / "searchindex.js").read_text(encoding="utf-8")
    known = json.loads(index[index.index("(") + 1 : index.rindex(")")])
    terms = known["terms"] | known["titleterms"]
    assert not [code for code in REGISTRY if code.lower() not in terms]
    glossary = re.findall(
        r"^\| \*?\*?`?(\w+)`?\*?\*? \|", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.M
    )
    assert glossary
    stems = {term[:4] for term in terms}
    assert not [word for word in glossary if word.lower()[:4] not in stems]
