"""The three answers are right where random players point the wrong way."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from interpreter import load, load_text
from interpreter.inference import Estimate
from interpreter.kept import Kept
from interpreter.simulate.judging import Effort, elo, judge, judged, ladder_of, total
from interpreter.simulate.report import Report, report_of
from interpreter.simulate.running import RANDOM, Run, Work
from tests.simulate.planted import PLANTED


def _judged(text: str, effort: Effort, ladder: tuple[str, ...] = (), plays: int = 150) -> Report:
    game = load_text(text)
    run = Run.of(game, Work.of(game, [RANDOM] * game.num_players, 1), plays)
    run.carry_out()
    return judged(judge(game, run, ladder or ladder_of(game), effort))


def _check(name: str, report: Report) -> None:
    for answered, words in zip(report.answers, PLANTED[name].answers, strict=True):
        assert words in answered.answer, (name, answered)


@pytest.mark.soak
def test_answers_come_from_players_who_think_where_random_players_mislead() -> None:
    report = _judged(PLANTED["subtraction"].text, Effort(None, 8), ("random", "search:200"))
    assert report.is_weaker
    _check("subtraction", report)
    assert report.data()["beside"]["seats"] == ["search:200", "search:200"]


def test_plays_of_those_who_think_go_on_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_text(PLANTED["subtraction"].text)
    run = Run.of(game, Work.of(game, [RANDOM] * 2, 1), 20)
    run.carry_out()
    found = [judge(game, run, ("random", "search:5"), Effort(None, 1), kept=Kept(tmp_path / "run.json"))]
    monkeypatch.setattr("interpreter.match._block", pytest.fail)
    monkeypatch.setattr("interpreter.simulate.running.play_block", pytest.fail)  # Nothing is played again.
    monkeypatch.setattr("interpreter.solve.answer.quick_answer", lambda _: None)  # To solve the game takes longer.
    found.append(judge(game, run, ("random", "search:5"), Effort(None, 1), kept=Kept(tmp_path / "run.json")))
    one, again = (judged(judgement).data() for judgement in found)
    assert one == again


def test_a_search_without_a_signal_is_reported() -> None:
    game = load("classics/kuhn_poker")
    run = Run.of(game, Work.of(game, ["search:100"] * 2, 1), 20)
    run.carry_out()
    assert "signal" not in str(report_of(game, run).findings)
    run.counts.note("signal", [0] * 60)
    report = report_of(game, run)
    (line,) = (x for x in report.section("choices").lines if x.name == "decisions without a signal")
    assert line.flagged
    assert any("ended alike" in finding for finding in report.findings)


@pytest.mark.soak
@pytest.mark.parametrize("name", PLANTED)
def test_all_planted_games_are_answered_with_default_settings(name: str) -> None:
    _check(name, _judged(PLANTED[name].text, Effort(), plays=1000))


def test_elo_has_an_interval_also_where_all_deals_are_won() -> None:
    even = elo(10, 5, 10)
    assert even.value == pytest.approx(0)
    assert even.low < 0 < even.high
    swept = elo(20, 0, 0)
    assert 0 < swept.low < swept.value < math.inf
    assert total([Estimate(3, 0, 7), Estimate(4, 0, 7)]) == Estimate(7, 2, 12)
