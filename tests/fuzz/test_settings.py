"""Long runs of the fuzzer over all that is bundled (`tests/README.md` says how), and tests of what they run."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main as cardgame
from interpreter import load
from interpreter.fuzz.checks import Problem
from interpreter.fuzz.fuzz import CounterExample, fuzz
from tests.bundled import EVERY, game
from tests.fuzz import settings as every_setting
from tests.fuzz.broken import BROKEN
from tests.fuzz.settings import EXPLAINED, Setting, Tally, main, never_reached, settings

SHORT = (("max_hands", "4"),)
RARE = BROKEN["an invariant that breaks rarely"]


@pytest.mark.soak
@pytest.mark.parametrize("setting", [s for name in EVERY for s in settings(name, SHORT)], ids=str)
def test_every_setting_plays_to_its_end_without_a_counter_example(setting: Setting) -> None:
    tally = every_setting.soak(setting, playouts=100, seed=20, decisions=20_000)
    assert tally.failure is None, tally.line()
    assert tally.ends == {"finished"}


@pytest.mark.soak
@pytest.mark.parametrize("hands", ["hidden", "open"])
def test_two_thousand_plays_have_no_counter_example(hands: str) -> None:
    report = fuzz(load("chalice_and_wand", options={"hands": hands}), 2000, seed=20)
    assert report.failure is None
    assert dict(report.terminations) == {"finished": 2000}
    assert report.coverage.unreached() == []
    assert 2 * report.tally["resamples without another world"] < report.tally["resamples"]


def test_settings_are_every_number_of_players_and_every_value_of_each_option() -> None:
    found = list(settings("two_player_wizard"))
    rules = load("two_player_wizard").rules
    assert found[0] == Setting("two_player_wizard", 2)
    varied = {name for setting in found for name, _ in setting.options}
    assert varied == {option.name for option in rules.options}
    assert Setting("two_player_wizard", 2, (("hand_size", "3"),)) in found
    assert Setting("two_player_wizard", 2, (("hand_size", "11"),)) not in found, "that is its default"


def test_an_option_that_is_set_holds_where_it_is_not_varied() -> None:
    found = list(settings("two_player_wizard", SHORT))
    assert found[0].options == SHORT
    assert [s.options for s in found if s.options[0][0] == "max_hands"][1:] == [
        (("max_hands", "1"),),
        (("max_hands", "1000"),),
    ]
    assert all(s.options[1:] == SHORT for s in found if s.options[0][0] != "max_hands")
    assert next(settings("chalice_and_wand", SHORT)).options == ()


def test_each_setting_is_reported_in_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.fuzz.fuzz.ALL_CHECKS", ())  # what is told is the same without checks
    assert main(["classics/leduc_poker", "--plays", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    tried = list(settings("classics/leduc_poker"))
    assert len(lines) == len(tried) + 1
    assert lines[0].startswith("classics/leduc_poker 2 players: 3 plays, ")
    assert lines[0].endswith("(bound 60), finished")
    changed = next(number for number, setting in enumerate(tried) if setting.options)
    assert lines[changed].startswith("classics/leduc_poker 2 players starting_player=10: 3 plays, ")
    assert lines[-1].endswith("decisions, 0 counter-examples")


def test_a_counter_example_is_reported_with_the_command_that_finds_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.fuzz.fuzz.SHRINKING", 0.0)
    path = tmp_path / "rare.cardgame"
    path.write_text(RARE.text)
    tally = every_setting.soak(Setting(str(path), 2), playouts=400, seed=4)
    assert tally.failure is not None
    assert f"; COUNTER-EXAMPLE {RARE.check}: " in tally.line()
    done = CliRunner().invoke(cardgame, shlex.split(tally.again())[1:])
    assert done.exit_code == 3
    assert tally.failure.problem.message in done.output


def test_after_a_counter_example_the_exit_code_is_that_of_fuzz(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = every_setting.soak(Setting("classics/kuhn_poker", 2), playouts=1, seed=1)
    setting = game("classics/kuhn_poker").setting
    failed.failure = CounterExample(Problem("length", "too long"), setting, 1, 0, (), (), 0, None)

    def always(setting: Setting, playouts: int, seed: int, decisions: int) -> Tally:
        del setting, playouts, seed, decisions
        return failed

    monkeypatch.setattr(every_setting, "soak", always)
    assert main(["classics/kuhn_poker"]) == 3


def test_no_more_plays_begin_after_so_many_decisions() -> None:
    tally = every_setting.soak(Setting("chalice_and_wand", 2), playouts=1000, seed=1, decisions=200)
    assert tally.plays == len(tally.lengths) > 1
    assert sum(tally.lengths[:-1]) < 200 <= tally.decisions


def test_tags_are_left_that_no_setting_of_a_spec_comes_to() -> None:
    def tally(spec: str, *unreached: str) -> Tally:
        return Tally(Setting(spec, 2), 100, unreached=list(unreached))

    majors = "variants/duel_majors"
    explained = next(iter(EXPLAINED[majors]))
    tallies = [tally("one", "R1", "R2"), tally("one", "R2", "R3"), tally("two", "R1"), tally("two")]
    assert never_reached([*tallies, tally(majors, explained)]) == {"one": ["R2"]}
    assert never_reached([tally(majors, explained, "R99")]) == {majors: ["R99"]}


def test_what_is_not_bundled_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["chess"])
    assert left.value.code == 2
    assert "chess is not bundled" in capsys.readouterr().err
