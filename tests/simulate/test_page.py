"""The page of a report needs nothing else: it loads nothing, has no colour, and a table with every number."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import attrs
import pytest

from interpreter import load, load_text
from interpreter.simulate.page import page
from interpreter.simulate.report import Curve, Line, Report, Section, report_of
from interpreter.simulate.running import RANDOM, Run, Work
from tests.cli.running import run
from tests.simulate.test_counting import LONG

FEW = Line("wins", 0.5, float("-inf"), float("inf"), 1, "share of plays", 0.5)
SECTION = Section("luck", "Luck and skill", "share of wins", "Shares of wins.", (FEW, FEW))

VOID = {"meta", "link", "br", "hr", "img"}


def _report(name: str, plays: int = 300) -> Report:
    game = load_text(LONG) if name == "long" else load(name)
    made = Run.of(game, Work.of(game, [RANDOM] * game.num_players, 1), plays)
    made.carry_out()
    return report_of(game, made)


class _Balance(HTMLParser):
    """Notes which elements there are, and that all are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", ["classics/kuhn_poker", "long"])
def test_a_page_is_whole_small_and_needs_nothing_else(name: str) -> None:
    report = _report(name)
    text = page([report], f"cardgame simulate {name}")
    parser = _Balance()
    parser.feed(text)
    assert parser.open == []
    assert len(text) < 1_000_000
    assert not {"link", "img", "iframe"} & set(parser.seen)
    ours = text[: text.index('<script type="application/json"')]
    assert "http" not in ours.replace("http-equiv", "")
    assert "'unsafe-eval'" not in ours
    assert ours.count("sha256-") == parser.seen.count("script") - 1, "each script but the data is known by its hash"
    colours = set(re.findall(r"#[0-9a-f]{3,6}\b", ours))
    assert all(len(set(colour[1:])) == 1 for colour in colours), colours
    charts = json.loads(text.split('id="charts">')[1].split("</script>")[0])
    assert len(charts) == ours.count('role="img" aria-label=') == ours.count("<figcaption>") > 3
    assert parser.seen.count("table") >= len(report.sections)
    for chart in charts:
        assert chart["data"]["values"]
    for section in report.sections:
        for line in section.lines:
            assert line.name in text or "&" in text


def test_where_plays_are_too_few_for_an_interval_none_is_reported() -> None:
    told = page([Report("Small", 2, {}, ("random",), 1, 1, 1, False, (SECTION,))], "")
    assert "inf" not in re.sub(r"<style>.*</style>|<script.*", "", told, flags=re.DOTALL).replace("info", "")
    assert "<td>-</td>" in told


def test_variants_have_charts_of_their_own_and_policies_their_learning_curve() -> None:
    one = _report("classics/kuhn_poker")
    curve = Curve("policy:x", ((0, 0.0, 0.1), (100, 0.5, 0.1)))
    ladder = Section("ladder", "Skill", "Elo", "Steps.", (FEW,))
    both = [attrs.evolve(one, variant=name, curves=(curve,), sections=(*one.sections, ladder)) for name in ("A", "B")]
    text = page(both, "cardgame simulate A --variant B")
    assert text.count("Learning curve of policy:x") == 4, "in words and for a screen reader, of each variant"
    assert text.count("Wins by seat: A, random players") == 1


def test_words_of_a_spec_cannot_become_part_of_the_page() -> None:
    game = load_text(LONG.replace('game "Too Long"', 'game "<script>alert(1)</script>"'))
    made = Run.of(game, Work.of(game, [RANDOM] * 2, 1, native=False), 20)
    made.carry_out()
    text = page([report_of(game, made)], "cardgame simulate '<b>'")
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text
    assert "<b>" not in text


def test_the_command_writes_the_page_with_the_command_that_reproduces_it(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    done = run("simulate", "classics/kuhn_poker", "--plays", "50", "--seconds", "0", "--report", str(target))
    assert done.exit_code == 0, done.stderr
    assert "<code>cardgame simulate classics/kuhn_poker --plays 50 --seconds 0</code>" in target.read_text(
        encoding="utf-8"
    )
    refused = run("simulate", "classics/kuhn_poker", "--report", str(tmp_path / "none" / "report.html"))
    assert refused.exit_code == 2
