"""The fuzzer finds what is broken, blames the right line, and shortens the play."""

from __future__ import annotations

import json
from functools import cache

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from grammar.diagnostics import SpecError
from interpreter import load, load_text
from interpreter.engine import interruption
from interpreter.fuzz import checks, noninterference, truth_invariance
from interpreter.fuzz import fuzz as fuzz_run
from interpreter.fuzz.fuzz import ALL_CHECKS, Report, fuzz
from interpreter.fuzz.playouts import Plan, Playout
from interpreter.fuzz.shrink import failing
from interpreter.fuzz.time_limit import TimeLimit
from tests.belief.tiny import GAMES
from tests.fuzz.broken import BROKEN, HEAD, REFUSED, TAIL, Broken


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_spec_is_found_broken(broken: Broken, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_run, "SHRINKING", 0.0)
    report = fuzz(load_text(broken.text), 400, seed=1)
    assert report.failure is not None
    problem = report.failure.problem
    assert (problem.check, problem.code) == (broken.check, broken.code)
    if broken.line:
        assert problem.span is not None
        assert broken.line in problem.span.source.line(problem.span.line)


@pytest.mark.usefixtures("without_worlds")
@pytest.mark.parametrize(
    "broken", [BROKEN["a variable out of its range"], BROKEN["nothing to do"]], ids=["range", "nothing"]
)
def test_the_same_seed_finds_the_same_thing(broken: Broken) -> None:
    game = load_text(broken.text)
    first, again = fuzz(game, 400, seed=2), fuzz(game, 400, seed=2)
    assert first.failure is not None
    assert first.failure == again.failure
    alone = fuzz(game, 1, seed=2, first=first.failure.playout)
    assert alone.failure == first.failure
    assert alone.account.plays == 0, "a play that fails the usual checks needs no thorough ones, which take minutes"


@pytest.mark.parametrize("broken", REFUSED.values(), ids=REFUSED.keys())
def test_a_guard_that_would_reveal_a_secret_is_refused_before_play(broken: Broken) -> None:
    with pytest.raises(SpecError) as caught:
        load_text(broken.text)
    assert {d.code for d in caught.value.diagnostics} == {"CG407"}
    for found in caught.value.diagnostics:
        places = (found.span, *(label.span for label in found.labels))
        assert any(broken.line in place.source.line(place.line) for place in places)


RARE = BROKEN["an invariant that breaks rarely"]
"""All other games of these tests have no invariants."""

EARLY = 4
"""A seed whose third playout breaks it."""

PLAYS = {**dict.fromkeys(GAMES, 20), "gifts": 60}
"""Playouts of each sound game; one has as many as it takes to come to every check."""


@cache
def sound(name: str) -> Report:
    return fuzz(GAMES[name], PLAYS[name], seed=1)


@pytest.fixture
def without_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the checks that draw worlds: building C for them takes longer than all playouts of a command."""
    drawing = (noninterference.CHECK, truth_invariance.CHECK)
    monkeypatch.setattr("interpreter.fuzz.fuzz.ALL_CHECKS", [check for check in ALL_CHECKS if check not in drawing])


@pytest.mark.parametrize("name", GAMES)
def test_sound_games_have_no_counter_example(name: str) -> None:
    report = sound(name)
    assert report.failure is None
    assert report.playouts == PLAYS[name]
    assert dict(report.terminations) == {"finished": PLAYS[name]}
    assert report.decisions == sum(report.lengths)


def test_every_check_is_made() -> None:
    made: set[str] = set()
    for name in GAMES:
        made |= set(sound(name).tally)
    made |= set(fuzz(load_text(RARE.text), 1, seed=1).tally)
    assert {check.name for check in ALL_CHECKS} <= made


# ---- shrinking


def test_a_play_is_shortened_as_far_as_it_still_fails() -> None:
    failure = fuzz(load_text(BROKEN["a variable out of its range"].text), 400, seed=1).failure
    assert failure is not None
    # Only one player need count, four times; the turns of the other, who comes second, are passed three times.
    assert len(failure.actions) == 7
    assert failure.sentences.count("player 1: count") == 4


def test_a_shortened_play_fails_in_the_same_way_from_the_start() -> None:
    game = load_text(RARE.text)
    report = fuzz(game, 400, EARLY)
    assert report.failure is not None
    check = next(c for c in ALL_CHECKS if c.name == report.failure.problem.check)
    again = failing(game, Plan(EARLY, report.failure.playout), list(report.failure.actions), check)
    assert again is not None
    assert again.problem == report.failure.problem
    assert len(report.failure.actions) <= report.failure.length
    for place in range(len(report.failure.actions)):
        shorter = [*report.failure.actions[:place], *report.failure.actions[place + 1 :]]
        found = failing(game, Plan(EARLY, report.failure.playout), shorter, check)
        assert found is None or len(found.taken) >= len(report.failure.actions)


def test_a_state_that_fails_can_be_loaded() -> None:
    game = load_text(RARE.text)
    failure = fuzz(game, 400, EARLY).failure
    assert failure is not None
    assert failure.saved is not None
    state = game.deserialize_state(failure.saved)
    assert not all(holds(state, state.values, state.zones) for holds in state.code.invariants)


# ---- playouts


def test_a_playout_is_the_same_whenever_it_is_played() -> None:
    game = load("chalice_and_wand")
    for number in (0, 3):
        plays = [Playout(game, Plan(5, number)) for _ in range(2)]
        for play in plays:
            while play.step():
                pass
        assert plays[0].state == plays[1].state
        assert plays[0].taken == plays[1].taken


def test_one_playout_in_four_answers_chance_outcome_by_outcome() -> None:
    for number, stepwise in ((0, False), (3, True), (7, True)):
        play = Playout(GAMES["gifts"], Plan(1, number))
        while play.step():
            pass
        answers = [item for actor, item in play.state.history() if actor == -1]
        assert all(isinstance(item, int) for item in answers) is stepwise


def test_a_sampled_check_is_due_about_as_often_as_it_says() -> None:
    for rate in (4, 8, 100):
        due = sum(Plan(1, number).sampled(position, rate) for number in range(100) for position in range(100))
        assert 0.7 < due * rate / 10_000 < 1.3


# ---- the command


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["fuzz", *words])


@pytest.mark.usefixtures("without_worlds")
def test_the_command_reports_what_it_did() -> None:
    result = run("chalice_and_wand", "--plays", "2", "--option", "hands=open")
    assert result.exit_code == 0, result.output
    assert "2 random plays, seed 1" in result.output
    assert "No failure found." in result.output
    assert "hands=open" in result.output
    assert "R17" in result.output
    assert "R13" in result.output.split("declarations")[1]


@pytest.mark.usefixtures("without_worlds")
def test_the_command_as_data() -> None:
    result = run("chalice_and_wand", "--plays", "1", "--seed", "9", "--format", "json")
    data = json.loads(result.output)
    assert data["plays"] == 1
    assert data["seed"] == 9
    assert data["failure"] is None
    assert data["terminations"] == {"finished": 1}
    assert data["length"]["min"] <= data["length"]["median"] <= data["length"]["max"]
    assert {r["tag"] for r in data["rules"] if r["declared"]} >= {"R1", "R13"}
    assert all(r["plays"] <= 1 for r in data["rules"])


def test_a_counter_example_ends_with_3_and_can_be_seen_again(tmp_path: object) -> None:
    path = f"{tmp_path}/broken.cardgame"
    with open(path, "w", encoding="utf-8") as file:
        file.write(RARE.text)
    words = (path, "--plays", "300", "--seed", str(EARLY))
    result = run(*words)
    assert result.exit_code == 3
    assert "the suns do not lie in a row" in result.output
    line = RARE.text.splitlines().index('invariant "the suns do not lie in a row":') + 1
    assert f"broken.cardgame:{line}:1" in result.output
    assert "player 1: lay S" in result.output
    again = result.output.split("repeat it: cardgame fuzz ")[1].splitlines()[0]
    repeated = run(*again.split())
    assert repeated.exit_code == 3
    same = [text for text in result.output.splitlines() if "player " in text and ": lay" in text]
    assert [text for text in repeated.output.splitlines() if "player " in text and ": lay" in text] == same
    data = json.loads(run(*words, "--format", "json").output)
    assert data["failure"]["check"] == "invariants"
    assert data["failure"]["line"] == line
    assert len(data["failure"]["decisions"]) == 3


def test_rules_that_no_play_reaches_are_reported_with_their_lines(tmp_path: object) -> None:
    path = f"{tmp_path}/idle.cardgame"
    body = "play\n    player 1 chooses\n        go [A1]\n        stay only if points[player 1] > 1 [A2]\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + body + TAIL)
    result = run(path, "--plays", "5")
    assert result.exit_code == 0, result.output
    line = (HEAD + body).splitlines().index("        stay only if points[player 1] > 1 [A2]") + 1
    assert f"A2 not executed         {path}:{line}:" in result.output
    assert "Rule tags                 1 of 2 covered\n  executed                1: A1 in all plays" in result.output


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["no_such_game"], 2),
        (["chalice_and_wand", "--option", "hands"], 2),
        (["chalice_and_wand", "--option", "hands=shut"], 2),
        (["chalice_and_wand", "--players", "5"], 2),
        (["chalice_and_wand", "--plays", "0"], 2),
    ],
)
def test_wrong_usage_is_reported_in_words(words: list[str], code: int) -> None:
    result = run(*words)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output


def test_a_check_that_takes_long_ends_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single check of a large game can take longer than the whole run may."""

    def endless(_: checks.CheckContext) -> None:
        while True:
            interruption.check()

    monkeypatch.setattr(fuzz_run, "ALL_CHECKS", (checks.Check("endless", endless, "decision"),))
    report = fuzz(GAMES["poker"], 3, 1, limit=TimeLimit.after(0.05))
    assert (report.playouts, report.unfinished, report.failure) == (1, 1, None)
