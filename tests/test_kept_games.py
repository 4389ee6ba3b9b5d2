"""A game that was kept is the game that would be compiled, in all that anybody can ask of it."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from grammar import store
from grammar.source import Span
from interpreter import Game, State, load
from interpreter.agents import AgentView, agent
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.loader import bundled_variants
from tests.bundled import game, only
from tests.keeping import ROOT, SPEC, again, entries, is_untouched, scores, small, was_kept
from tests.native.test_c import needs_compiler

pytestmark = pytest.mark.skipif(not store.KNOWS_OWNERS, reason="files have no owners here")
__all__ = ["small"]

FEW = only("arcanity", "classics/love_letter", bundled_variants()[0])


def refused(state: State, text: str) -> tuple[str, str]:
    """Return how an action that is none is refused, and why."""
    try:
        found = str(state.string_to_action(text))
    except IllegalActionError as error:
        found = str(error)
    refusal = state.explain(text)
    return found, f"{refusal.message} {refusal.span} {refusal.tags}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the tests of this file one folder in which bundled games are kept."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def pair(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> tuple[Game, Game]:
    """Return a bundled game that was compiled, and the same from what was kept of it."""
    fresh = game(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.delenv("CARDGAME_CACHE", raising=False)
    kept = load(name)
    kept = kept if was_kept(kept) else load(name)
    assert (was_kept(fresh), was_kept(kept)) == (False, True)
    return fresh, kept


@pytest.mark.parametrize("name", FEW)
def test_a_game_that_was_kept_plays_as_one_that_is_compiled(pair: tuple[Game, Game]) -> None:
    fresh, kept = pair
    rng = Random(5)
    one, other = fresh.new_initial_state(), kept.new_initial_state()
    for step in range(150):
        assert (one.current_player(), one.legal_actions()) == (other.current_player(), other.legal_actions())
        assert one.is_unfinished() == other.is_unfinished()
        if one.is_terminal():
            break
        if one.is_chance_node() and step % 2:
            seed = rng.random()
            one.resolve_chance(Random(seed))
            other.resolve_chance(Random(seed))
            continue
        outcomes = one.chance_outcomes()
        assert outcomes == other.chance_outcomes()
        texts = [one.action_to_string(action) for action in one.legal_actions()]
        assert texts == [other.action_to_string(action) for action in other.legal_actions()]
        with pytest.raises(IllegalActionError) as wrong:
            one.apply_action(-9)
        with pytest.raises(IllegalActionError) as as_wrong:
            other.apply_action(-9)
        assert str(wrong.value) == str(as_wrong.value)
        if step % 10 == 0:
            assert [one.observation_tensor(p) for p in range(fresh.num_players)] == [
                other.observation_tensor(p) for p in range(fresh.num_players)
            ]
            assert str(one) == str(other)
            assert one.private_observation_string(0) == other.private_observation_string(0)
        action = rng.choice(one.legal_actions())
        one.apply_action(action)
        other.apply_action(action)
    assert (one.returns(), one.outcome(), one.serialize()) == (other.returns(), other.outcome(), other.serialize())
    assert one == other
    assert kept.deserialize_state(one.serialize()) == other
    assert is_untouched(kept), "so far nothing was compiled"
    if one.current_player() >= 0:
        for text in (one.prompt(), "nonsense", "1", *texts[:3]):
            assert refused(one, text) == refused(other, text)
        assert one.prompt() == other.prompt()
    assert one.events() == other.events()
    assert one.reached() == other.reached()
    for player in range(fresh.num_players):
        assert one.information_state_string(player) == other.information_state_string(player)
        assert one.information_state_tensor(player) == other.information_state_tensor(player)


@pytest.mark.parametrize("name", FEW)
def test_a_game_that_was_kept_says_the_same_of_itself(pair: tuple[Game, Game]) -> None:
    fresh, kept = pair
    for what in (
        "title", "num_players", "cooperative", "max_decisions", "setting", "card_faces", "num_cards", "num_faces",
        "max_history", "everyone", "num_places", "place_viewers", "place_owners", "unordered", "variable_viewers",
        "variable_types", "num_distinct_actions", "max_chance_outcomes", "max_chance_nodes", "max_game_length",
        "utility", "utility_range", "perfect_information", "chance_offsets", "digest", "key", "faces",
    ):  # fmt: skip
        assert getattr(fresh, what) == getattr(kept, what), what
    for ask in ("describe", "option_texts", "observation_layout", "information_state_layout"):
        assert getattr(fresh, ask)() == getattr(kept, ask)(), ask
    assert fresh.action(0) == kept.action(0)
    assert is_untouched(kept)
    assert kept.spec_text() == fresh.spec_text()
    assert kept.generated().text == fresh.generated().text == kept.code.kept.text
    assert [zone.name for zone, _ in kept.places] == [zone.name for zone, _ in fresh.places]
    assert [variable.name for variable, _ in kept.variables] == [variable.name for variable, _ in fresh.variables]
    assert kept.random_playouts(3, 1) == fresh.random_playouts(3, 1)


def test_a_fault_is_reported_with_the_same_line(cache: Path, small: Path) -> None:
    small.write_text(SPEC.replace("points[p] += worth(c)", "points[p] += 8 / (c.rank - c.rank) rounded down"))
    fresh, kept = load(small), load(small)
    assert was_kept(kept)
    assert entries(cache)
    told = []
    for one in (fresh, kept):
        with pytest.raises(RuleError) as fault:
            scores(one)
        span = fault.value.span
        assert isinstance(span, Span)
        told.append((fault.value.code, str(fault.value), str(span), span.text))
    assert told[0] == told[1]
    assert is_untouched(kept)


def test_a_state_of_a_game_that_was_kept_can_be_copied_and_sent_away(cache: Path, small: Path) -> None:
    game = again(small)
    state = game.new_initial_state()
    state.resolve_chance(Random(1))
    state.apply_action(state.legal_actions()[0])
    assert copy.deepcopy(state) == state
    assert pickle.loads(pickle.dumps(state)) == state
    assert entries(cache)


@needs_compiler
@pytest.mark.usefixtures("cache")
def test_a_search_in_a_game_that_was_kept_looks_at_no_rules(small: Path) -> None:
    for one in (load(small), load(small)):
        state = one.new_initial_state()
        while state.is_chance_node():
            state.resolve_chance(Random(1))
        agent("search:8", one).act(AgentView(state))
    assert was_kept(one)
    assert is_untouched(one)


def test_playing_a_game_that_was_kept_imports_no_part_of_the_compiler(cache: Path, small: Path) -> None:
    load(small)
    assert entries(cache)
    code = """
import sys
from random import Random
from interpreter import load

game = load(sys.argv[1])
state = game.new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        state.resolve_chance(Random(1))
    else:
        state.apply_action(state.legal_actions()[0])
parts = ("lark", "grammar.ast", "grammar.parser", "analysis.core", "analysis.checker", "program.nodes")
print("compilation" in vars(game), *(name for name in sys.modules if name.endswith(parts)))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    said: list[str] = []
    for _ in range(3):  # A kept game may be missed at any time, never for good.
        load(small)
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, str(small)], env=environment, capture_output=True, text=True, check=True
        )
        said = done.stdout.split()
        if said == ["False"]:
            break
    assert said == ["False"]
