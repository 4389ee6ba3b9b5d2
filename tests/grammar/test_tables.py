"""The grammars have no conflicts, and their stored tables are trusted only as far as they should be."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from lark import Lark

from grammar import tables
from interpreter.loader import find_spec
from tests.grammar.examples import REAL

LANGUAGES = ("cardgame", "scenario")
SCENARIO = find_spec("classics/kuhn_poker").with_suffix(".scenarios").read_text()


built = cache(tables.build)
"""The tables of a text, built once for all tests that look at them, or at what is done with those just built."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a cache folder of its own, and forget the parsers made before and after."""
    monkeypatch.setattr(tables, "build", built)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CARDGAME_CACHE", raising=False)
    tables.parser.cache_clear()
    yield tmp_path / "cardgame"
    tables.parser.cache_clear()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    """Return the name and the content of the file with the tables of scenarios, which are quicker built than others."""
    place = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(place))
        tables.parser.cache_clear()
        tables.parser("scenario")
        tables.parser.cache_clear()
    (path,) = _stored(place / "cardgame")
    return path.name, path.read_bytes()


@pytest.fixture
def kept(home: Path, written: tuple[str, bytes]) -> Path:
    """Give the file with the tables of scenarios, as an earlier start has left it."""
    name, content = written
    home.mkdir(mode=0o700)
    path = home / name
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def _stored(home: Path) -> list[Path]:
    return sorted(home.glob("*")) if home.exists() else []


def _works(parser: Lark) -> bool:
    return bool(parser.parse(SCENARIO).children)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_conflict_is_resolved_silently(language: str) -> None:
    assert tables.build(tables.grammar_text(language), strict=True).terminals


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reserved_words_are_those_that_the_grammar_lists(language: str) -> None:
    text = tables.grammar_text(language)
    reserved = {t.pattern.value for t in tables.parser(language).terminals if t.pattern.type == "str"}
    listed = re.findall(r"^//     ((?:[a-z]+ )+[a-z]+)$", text, re.MULTILINE)
    assert {word for line in listed for word in line.split()} == {word for word in reserved if word.isalpha()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_form_or_a_method(language: str) -> None:
    from grammar.forms import FORMS
    from grammar.source import Source
    from grammar.transform import ScenarioTransformer, SpecTransformer

    transformer = {"cardgame": SpecTransformer, "scenario": ScenarioTransformer}[language](Source("x", ""))
    for rule in tables.parser(language).rules:
        name = rule.alias or str(rule.origin.name)
        if not name.startswith("_") and not (rule.options.expand1 and rule.alias is None):
            assert name in FORMS or hasattr(transformer, name), name


def test_stored_tables_parse_as_those_just_built(home: Path) -> None:
    fresh = tables.parser("cardgame").parse(REAL)
    assert len(_stored(home)) == 1
    tables.parser.cache_clear()
    assert tables.parser("cardgame").parse(REAL) == fresh
    assert len(_stored(home)) == 1


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"data": {}}', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_is_ignored_and_written_anew(kept: Path, damage: bytes) -> None:
    kept.write_bytes(damage)
    assert _works(tables.parser("scenario"))
    assert set(json.loads(kept.read_bytes())) == {"data", "memo", "rows"}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_a_file_that_others_can_write_is_not_read(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.chmod(0o666)
    monkeypatch.setattr(tables, "_load", lambda _stored: pytest.fail("it was read"))
    assert _works(tables.parser("scenario"))
    assert kept.stat().st_mode & 0o022 == 0


def test_without_a_place_to_store_them_the_tables_are_built(home: Path) -> None:
    home.parent.joinpath("cardgame").write_text("a file, where the folder should be")
    assert _works(tables.parser("scenario"))


def test_storing_can_be_turned_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGAME_CACHE", "off")
    assert _works(tables.parser("scenario"))
    assert _stored(home) == []


def test_what_is_stored_is_plain_data(kept: Path) -> None:
    assert set(json.loads(kept.read_bytes())) == {"data", "memo", "rows"}
