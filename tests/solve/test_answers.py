"""Solved games have the values that are known, the errors say how far the values may be off, and files round-trip."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from interpreter import load_text
from interpreter.agents.registry import agent
from interpreter.native.plays import WatchedGame
from interpreter.native.regrets import NameReader
from interpreter.records.session import Session
from interpreter.solve import answer as answers
from interpreter.solve import sampling
from interpreter.solve.answer import APPROXIMATE, EQUILIBRIUM, JOINT, PERFECT, Answer, distance, solve
from interpreter.solve.policy_file import PolicyError, digest, read_policy, resumed, write_policy
from interpreter.solve.sampling import resumed_sampling, solve_by_sampling
from interpreter.solve.solution import exploitability, gains
from interpreter.solve.tree import TooLargeError, Tree, estimated_nodes
from tests import bundled
from tests.native.test_c import needs_compiler
from tests.solve import games

KUHN = "classics/kuhn_poker"


@pytest.fixture
def few_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimate what sampled strategies are worth with a quarter of the plays."""
    monkeypatch.setattr(sampling, "PLAYS", 50_000)


@pytest.fixture(scope="module")
def kuhn() -> Answer:
    return solve(bundled.game(KUHN))


@pytest.mark.parametrize(
    ("text", "concept", "value"),
    [
        (games.MATCHING, EQUILIBRIUM, 1 / 3),
        (games.WEIGHTED, EQUILIBRIUM, -2 / 7),
        (games.COUNTING, PERFECT, 1.0),
        (games.SIGNAL, JOINT, 2 / 3),
        (games.THREE, APPROXIMATE, 0.0),
        (games.DRAW, answers.ALONE, 2.5),
    ],
    ids=["matching", "weighted", "counting", "signal", "three", "draw"],
)
def test_values_that_are_derived_by_hand(text: str, concept: str, value: float) -> None:
    found = solve(load_text(text))
    assert found.concept == concept
    assert found.values[0] == pytest.approx(value, abs=0.001)
    assert abs(found.values[0] - value) <= max(found.errors) + 1e-9


def test_kuhn_poker_has_its_value_and_an_equilibrium_of_its_family(kuhn: Answer) -> None:
    assert kuhn.values[0] == pytest.approx(-1 / 18, abs=0.001)
    shares = {(s.player, s.holds, s.past): {c.text: c.share for c in s.choices} for s in kuhn.situations}
    bluff = shares[0, "hand: 1", "the start"]["bet"]
    # Kuhn (1950): the first player bluffs with the lowest card at most one time in three, and bets the highest three
    # times as often; the second calls with the middle card one time in three.
    assert bluff <= 1 / 3 + 0.02
    assert shares[0, "hand: 3", "the start"]["bet"] == pytest.approx(3 * bluff, abs=0.05)
    assert shares[1, "hand: 2", "Player 1 bets"]["bet"] == pytest.approx(1 / 3, abs=0.03)
    assert shares[1, "hand: 1", "Player 1 bets"]["bet"] == pytest.approx(0, abs=0.01)


def test_every_situation_gives_probabilities_that_add_up_to_one(kuhn: Answer) -> None:
    for situation in kuhn.situations:
        assert sum(choice.share for choice in situation.choices) == pytest.approx(1)


def test_uniform_play_is_farther_from_the_solution_than_the_solution_itself(kuhn: Answer) -> None:
    game = bundled.game(KUHN)
    far = distance(kuhn, "random", agent("random", game), lambda: True)
    assert far.loss == pytest.approx(exploitability(kuhn.tree, kuhn.tree.uniform()))
    assert far.loss is not None
    assert far.loss > 100 * exploitability(kuhn.tree, kuhn.strategy)
    assert distance(kuhn, "random", agent("random", game), lambda: False).loss is None


def test_decisions_that_are_never_worth_making_are_found() -> None:
    guess = "guess n from 1..3: caught = n == hidden"
    text = games.MATCHING.replace(guess, f"{guess}\n        give_up: caught = false")
    found = solve(load_text(text), iterations=600)
    assert [(player, text) for player, text, _ in found.never] == [(1, "give_up")]


def test_a_tree_that_is_too_large_is_refused_before_it_is_listed() -> None:
    with pytest.raises(TooLargeError):
        solve(bundled.game("classics/hearts"))
    assert estimated_nodes(bundled.game(KUHN)) == pytest.approx(len(Tree(bundled.game(KUHN))), rel=0.2)


# ---- trees that are too large to list


@needs_compiler
def test_samples_are_the_same_for_all_numbers_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "PLAYS", 300)
    game = bundled.game(KUHN)
    runs = [solve_by_sampling(game, iterations=50, threads=1)]
    runs.append(solve_by_sampling(game, iterations=50, executor=partial(ThreadPoolExecutor, 2)))
    assert runs[0].iterations == 50
    assert all((run.policy.sums, run.errors) == (runs[0].policy.sums, runs[0].errors) for run in runs)


@pytest.mark.soak
@needs_compiler
@pytest.mark.usefixtures("few_plays")
def test_sampled_strategies_are_near_an_equilibrium_and_go_on_from_a_file(tmp_path: Path) -> None:
    game, path = bundled.game(KUHN), tmp_path / "kuhn.policy"
    first = solve_by_sampling(game, iterations=400)
    assert first.values[0] == pytest.approx(-1 / 18, abs=0.1)
    write_policy(first.policy, path)
    policy = read_policy(path, game)
    found = solve_by_sampling(game, before=resumed_sampling(policy, game), iterations=20_000)
    assert found.iterations == 20_400
    assert found.values[0] == pytest.approx(-1 / 18, abs=0.01)
    write_policy(found.policy, path)
    tree = Tree(game)
    strategy, names = tree.uniform(), NameReader(WatchedGame.of(game))
    for info in tree.sets:
        shares = found.policy.probabilities(names.position(tree.samples[info.number]), len(info.actions))
        assert shares is not None
        strategy[info.part] = shares
    assert exploitability(tree, strategy) < 0.02
    assert max(gains(tree, strategy)) < max(found.errors)
    assert found.situations[0].reach == pytest.approx(1 / 3, abs=0.15)
    lost = found.distance("random", agent("random", game, 1), lambda: True).loss
    assert lost is not None
    assert 0 < lost < 0.46
    session = Session(game, [agent(f"policy:{path}", game, 1), agent("random", game, 1)], 3)
    session.play()
    assert session.state.is_terminal()


@needs_compiler
def test_a_game_of_another_kind_is_not_sampled() -> None:
    for text in (games.SIGNAL, games.THREE):
        with pytest.raises(TooLargeError):
            solve_by_sampling(load_text(text), iterations=10)


# ---- policy files


def test_a_policy_is_read_back_played_and_continued(kuhn: Answer, tmp_path: Path) -> None:
    game, path = bundled.game(KUHN), tmp_path / "kuhn.policy"
    write_policy(kuhn.policy, path)
    policy = read_policy(path, game)
    for info in kuhn.tree.sets:
        found = policy.probabilities(digest(info.key), len(info.actions))
        assert found == pytest.approx(kuhn.strategy[info.part].tolist(), abs=1e-6)
    cfr = resumed(policy, Tree(game))
    before = max(gains(cfr.tree, cfr.average()))
    cfr.improve(400)
    assert cfr.iterations == kuhn.iterations + 400
    assert max(gains(cfr.tree, cfr.average())) < before
    seats = [agent(f"policy:{path}", game, 1), agent("random", game, 1)]
    session = Session(game, seats, 3)
    session.play()
    assert session.state.is_terminal()


def damages(text: str) -> dict[str, str]:
    data = json.loads(text)
    first = next(iter(data["strategy"]))
    return {
        "cut": text[: len(text) // 2],
        "no object": "[1, 2]",
        "deep": "[" * 100_000,
        "other format": text.replace("cardgame.policy.1", "cardgame.policy.9"),
        "other players": json.dumps({**data, "game": {**data["game"], "players": 3}}),
        "other spec": json.dumps({**data, "game": {**data["game"], "spec": "0"}}),
        "negative": json.dumps({**data, "strategy": {first: [-1.0, 2.0]}}),
        "no numbers": json.dumps({**data, "strategy": {first: ["1", "0"]}}),
        "not finite": json.dumps({**data, "strategy": {first: [float("nan"), 1.0]}}),
        "truth values": json.dumps({**data, "strategy": {first: [True, False]}}),
        "names": json.dumps({**data, "names": "other"}),
        "a name": json.dumps({**data, "strategy": {"z" * 32: [1.0]}}),
        "no errors": json.dumps({k: v for k, v in data.items() if k != "errors"}),
        "iterations": json.dumps({**data, "iterations": -5}),
    }


def test_damaged_and_foreign_files_are_refused_in_words(kuhn: Answer, tmp_path: Path) -> None:
    game, path = bundled.game(KUHN), tmp_path / "kuhn.policy"
    write_policy(kuhn.policy, path)
    for name, text in damages(path.read_text(encoding="utf-8")).items():
        bad = tmp_path / f"{name}.policy"
        bad.write_text(text, encoding="utf-8")
        with pytest.raises(PolicyError, match="policy"):
            read_policy(bad, game)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PolicyError):
        read_policy(path, game)


def test_a_policy_whose_sums_do_not_fit_is_not_continued(kuhn: Answer, tmp_path: Path) -> None:
    game, path = bundled.game(KUHN), tmp_path / "kuhn.policy"
    write_policy(kuhn.policy, path)
    data = json.loads(path.read_text(encoding="utf-8"))
    data["sums"] = {}
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(PolicyError, match="nothing to continue"):
        resumed(read_policy(path, game), Tree(game))


@pytest.mark.soak
def test_leduc_poker_and_its_exploitability() -> None:
    found = solve(bundled.game("classics/leduc_poker"), 5.0)
    assert found.values[0] == pytest.approx(-0.0856, abs=0.001)
    assert exploitability(found.tree, found.strategy) < 0.05


@needs_compiler
def test_more_iterations_of_search_leave_less_to_exploit(kuhn: Answer) -> None:
    found = [distance(kuhn, "search", agent(f"search:{n}", kuhn.tree.game, 1), lambda: True).loss for n in (60, 6000)]
    few, many = (loss if loss is not None else 1.0 for loss in found)
    assert many < 0.03 < few


@pytest.mark.soak
@needs_compiler
def test_exploitability_of_search_in_leduc_poker_falls() -> None:
    game = bundled.game("classics/leduc_poker")
    solved = solve(game, seconds=10)
    losses = [
        distance(solved, "", agent(f"search:{n}", game, 1), lambda: True).loss or 0.0 for n in (1000, 4000, 16_000)
    ]
    assert losses[0] > losses[1] > losses[2] > 0
    assert losses[2] < 0.4
