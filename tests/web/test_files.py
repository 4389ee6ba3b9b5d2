"""The files of the page, without a browser: small, from nowhere else, and with no way from a text to HTML."""

from __future__ import annotations

import gzip
import re

from interpreter.table.faces import EMBLEMS, SHAPES
from tests.web import pictures, vendor

STATIC = vendor.FOLDER.parent
MOST_BYTES = 60_000
OURS = sorted(path for path in STATIC.glob("*") if path.suffix in (".html", ".css", ".js", ".svg"))
SCRIPTS = {path.name: path.read_text("utf-8") for path in OURS if path.suffix == ".js"}


def test_bundles_are_as_they_were_released() -> None:
    for folder in (vendor.FOLDER, vendor.REPORTS):
        listed = {bundle.file: bundle for bundle in vendor.bundles(folder)}
        assert {path.name for path in folder.glob("*.*js")} == set(listed)
        for bundle in listed.values():
            assert vendor.hash_of(folder / bundle.file) == bundle.sha256, bundle.file
            assert (folder / bundle.text).stat().st_size > 200


def test_the_whole_page_is_small() -> None:
    files = [*OURS, *vendor.FOLDER.glob("*.mjs")]
    size = sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)
    assert len(files) > 10
    assert size < MOST_BYTES, size


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_inline() -> None:
    for path in OURS:
        text = path.read_text("utf-8")
        assert set(re.findall(r"https?://[^\s\"'`<>$)]+", text)) <= {"http://www.w3.org/2000/svg"}, path.name
        assert "@import" not in text
    page = (STATIC / "index.html").read_text("utf-8")
    assert not re.search(r"<style|style=|\son\w+=", page)
    assert all(" src=" in tag for tag in re.findall(r"<script[^>]*>", page))


def test_no_text_can_become_html_or_code() -> None:
    ways = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function"
    for name, text in SCRIPTS.items():
        assert not re.search(ways, text), name


def test_the_page_can_draw_every_emblem() -> None:
    drawn = set(re.findall(r"^  (\w+): \"m", SCRIPTS["cards.js"], re.MULTILINE))
    assert drawn == {emblem for emblem, _ in EMBLEMS.values()} | set(SHAPES)


def test_modules_import_what_others_export_and_use_it() -> None:
    exports = {}
    for module, text in SCRIPTS.items():
        again = ",".join(re.findall(r"^export \{([^}]+)\}", text, re.MULTILINE))
        own = re.findall(r"^export (?:async )?(?:function|const|class) (\w+)", text, re.MULTILINE)
        exports[module] = {*own, *(name.strip() for name in again.split(","))}
    for module, text in SCRIPTS.items():
        for names, other in re.findall(r"^import \{([^}]+)\} from \"\./(\w+\.js)\"", text, re.MULTILINE):
            for name in (name.strip() for name in names.split(",")):
                assert name in exports[other], (module, name)
                assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{module} does not use {name}"


def test_pictures_of_games_are_kept_and_small() -> None:
    kept = {path.stem for path in pictures.FOLDER.glob("*.webp")}
    wanted = {f"{name.rpartition('/')[2]}-{width}" for name in pictures.DECISIONS for width in pictures.SIZES}
    wanted |= {f"{name.rpartition('/')[2]}-{width}-dark" for name, width in pictures.DARK.items()}
    assert kept == wanted
    assert sum(path.stat().st_size for path in pictures.FOLDER.glob("*.webp")) < pictures.MOST_BYTES
    page = (vendor.FOLDER.parents[3] / "docs" / "serving.md").read_text("utf-8")
    assert set(re.findall(r"pictures/([\w-]+)\.webp", page)) == wanted
