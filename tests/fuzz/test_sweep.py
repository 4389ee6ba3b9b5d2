"""Runs of the fuzzer over settings: which are played, in how many processes, stopped, and written down."""

from __future__ import annotations

import json
import shlex
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from grammar.parser import parse
from grammar.source import Source
from interpreter.fuzz.sweep import sweep
from interpreter.loader import find_spec, signature
from interpreter.records.saves import read_save
from interpreter.setting import Signature
from interpreter.validate import settings
from tests.fuzz.broken import BROKEN, HEAD, TAIL

OPTIONS = """
option long = false
option rounds: 1..3 = 2
"""

BODY = """play
    shuffle stock
    for n in 1..rounds, p in players: ask(p)

phase ask(p: player)
    p chooses
        take [A1]
            deal 1 from stock to hand[p]
        wait only if long [A2]
        pass [A3]
"""
SPEC = HEAD.replace("players 2", "players 2..4").replace("enum Suit", OPTIONS + "enum Suit") + BODY + TAIL


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "rounds.cardgame"
    path.write_text(SPEC)
    return str(path)


def run(*words: str) -> Result:
    result = CliRunner().invoke(main, ["fuzz", *words])
    assert "Traceback" not in result.output
    return result


def test_playouts_are_shared_among_the_settings_as_far_as_they_go(spec: str) -> None:
    found = signature(find_spec(spec))
    planned = sweep(spec, found, 32, 1)
    assert sum(piece.count for piece in planned.pieces) == 32
    assert {piece.count for piece in planned.pieces} <= {2, 3, 4}
    few = sweep(spec, found, 2, 1)
    assert [(piece.setting.players, piece.count) for piece in few.pieces] == [(2, 1), (3, 1)]
    assert few.left_out == len({setting for setting, _ in settings(found)}) - 2


def test_of_many_values_only_as_many_settings_are_found_as_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    options = "".join(f"option o{i}: {' | '.join(f'a{i}_{k}' for k in range(40))} = a{i}_0\n" for i in range(12))
    found = Signature.of(parse(Source("many", SPEC.replace("enum Suit", options + "enum Suit", 1))))
    sample = Mock(side_effect=partial(Signature.sample, found))
    monkeypatch.setattr(Signature, "sample", sample)
    planned = sweep("many", found, 5, 1)
    assert len(planned.pieces) == 5
    assert planned.left_out is None
    assert sample.call_count < 20


def test_one_playout_by_its_number_is_checked_as_thoroughly_as_can_be_and_others_are_not() -> None:
    spec = find_spec("classics/kuhn_poker")
    found = signature(spec)
    assert sweep(spec, found, 1, 1).bounded
    alone = sweep(spec, found, 200, 1, only=17)
    assert (alone.bounded, [(piece.first, piece.count) for piece in alone.pieces]) == (False, [(17, 1)])


def test_what_is_found_is_the_same_for_any_number_of_processes(spec: str) -> None:
    found = signature(find_spec(spec))
    given = {"long": "false", "rounds": "1"}
    one = sweep(spec, found, 6, 3, None, given).run(1)
    two = sweep(spec, found, 6, 3, None, given).run(2)
    assert one.playouts == two.playouts == 6
    assert len(one.settings) == 3
    assert (one.lengths, one.scores, one.tally, one.settings) == (two.lengths, two.scores, two.tally, two.settings)
    assert one.coverage.counts == two.coverage.counts


def test_a_stopped_run_reports_its_findings_so_far(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(done: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr("cli.commands.fuzz.Progress.show", lambda _progress, done: stop(done))
    result = run(spec)
    assert result.exit_code == 130
    assert "7 random plays, seed 1" in result.output
    assert "No failure found so far; stopped after 7 of 200 plays." in result.output


def test_rules_that_options_rule_out_are_not_said_to_be_missed(spec: str) -> None:
    result = run(spec, "--option", "long=false", "--plays", "10")
    assert "not executed" not in result.output
    assert "not in these settings   1: A2" in result.output
    assert "A2" in run(spec, "--plays", "18").output.split("  executed")[1].splitlines()[0]


def test_no_rule_is_reported_where_no_play_came_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "stuck.cardgame"
    path.write_text(BROKEN["nothing to do"].text.replace("p chooses", "p chooses [A1]"))
    output = run(str(path)).output
    assert "failure[CG807]" in output
    assert "Rule tags" not in output
    assert "not executed" not in output


@pytest.mark.parametrize(
    "name",
    ["nothing to do", "a variable out of its range", "an invariant that breaks rarely", "a play longer than its bound",
     "a game that cannot begin", "chance without an outcome"],
)  # fmt: skip
def test_a_failing_play_is_a_scenario_that_fails_in_the_same_way(tmp_path: Path, name: str) -> None:
    path, found = tmp_path / "broken.cardgame", tmp_path / "found.scenarios"
    path.write_text(BROKEN[name].text)
    output = run(str(path), "--save-scenario", str(found)).output
    message = output.split("\nfailure")[1].splitlines()[0].rpartition(": ")[2]
    assert f"run it: cardgame test {found}" in output
    told = CliRunner().invoke(main, ["test", str(found)])
    assert told.exit_code == 1
    assert message in told.output
    assert "0 passed, 1 failed" in told.output


def test_a_failing_play_is_opened_at_the_table_before_it_fails(tmp_path: Path) -> None:
    path, found = tmp_path / "broken.cardgame", tmp_path / "found.save"
    path.write_text(BROKEN["a variable out of its range"].text)
    output = run(str(path), "--save", str(found)).output
    (command,) = [line.partition(": ")[2] for line in output.splitlines() if "continue it: " in line]
    done = output.split("to 7 actions:\n")[1].split("  the table")[0].split("\n")
    assert len(read_save(found.read_text()).said) == 6 == len([line for line in done if "player" in line]) - 1
    told = CliRunner().invoke(main, shlex.split(command)[1:], input="count\n")
    assert told.exit_code == 1
    assert "4 is outside of 0..3" in told.output


def test_a_leak_is_no_scenario(tmp_path: Path) -> None:
    path, found = tmp_path / "broken.cardgame", tmp_path / "found.scenarios"
    path.write_text(BROKEN["a way of play that hangs on a hidden hand"].text)
    told = run(str(path), "--save-scenario", str(found)).output
    assert "not saved as a scenario: a leak is a difference of two plays, and a scenario is one play" in told
    assert not found.exists()


# ---- within a time


def test_a_time_limit_is_divided_among_the_settings(spec: str) -> None:
    found = sweep(spec, signature(find_spec(spec)), 100_000, seed=1, seconds=0.4)
    report = found.run()
    assert 0 < report.playouts < 100_000
    assert len(report.settings) == len({piece.setting for piece in found.pieces})


def test_a_play_is_left_when_the_time_is_over(spec: str) -> None:
    report = sweep(spec, signature(find_spec(spec)), 50, seed=1, seconds=0.0).run()
    assert (report.playouts, report.unfinished, report.lengths, report.failure) == (1, 1, [], None)


def test_the_report_says_how_far_the_time_went(spec: str) -> None:
    told = run(spec, "--seconds", "0.1").output
    assert "0.1 s reached: " in told
    assert "use --seconds for more" in " ".join(told.split())
    data = json.loads(run(spec, "--seconds", "0.1", "--format", "json").output)
    assert (data["out_of_time"], data["seconds"]) == (True, 0.1)
    whole = run(spec, "--plays", "20").output
    assert "time limit" not in whole
    assert "alternative worlds" in whole
