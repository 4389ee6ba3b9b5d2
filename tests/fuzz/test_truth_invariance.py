"""The fuzzer counts whether worlds lean to the play that they were drawn from."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import State, load_text
from interpreter.belief.belief import resample
from interpreter.fuzz.checks import Account, CheckContext, Problem
from interpreter.fuzz.playouts import Plan
from interpreter.fuzz.truth_invariance import TruthInvariance, truth_invariance
from tests.belief.test_belief import BOAST, decisions


def judged(states: list[State], rounds: int) -> Problem | str | None:
    """Make the check at some states, again and again, on one account."""
    account = Account()
    for number in range(rounds):
        for state in states:
            at = CheckContext(state.game, Plan(0, number), state, state.num_actions, {}, account=account)
            found = truth_invariance(at)
            if found is not None:
                return found
    return None


def test_worlds_as_likely_as_they_are_pass() -> None:
    states = [state for state in decisions(load_text(BOAST), range(4)) if state.num_actions == 1]
    assert judged(states, 20) is None


def test_worlds_of_a_walk_too_short_to_forget_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other world is far, and then no walk leaves the play where it begins."""
    states = [state for state in decisions(load_text(BOAST), range(4)) if state.num_actions == 1]
    far = {id(state): resample(state, 1, Random(number)) for number, state in enumerate(states)}
    calls: list[int] = []

    def short(state: State, player: int, rng: Random, steps: int | None = None) -> State:
        del player, rng, steps
        calls.append(1)
        return far[id(state)].clone() if len(calls) % 3 == 1 else state.clone()

    monkeypatch.setattr(State, "resample_from_infostate", short)
    found = judged(states, 20)
    assert isinstance(found, Problem)
    assert "leans to what they do not know" in found.message


def test_it_costs_a_share_of_what_the_plays_cost() -> None:
    """It is counted in decisions: after few plays of a long game nothing is tried."""
    state = next(s for s in decisions(load_text(BOAST), range(1)) if s.num_actions == 1)
    for plays, due in ((100, False), (100_000, True)):
        at = CheckContext(state.game, Plan(0, 1), state, 0, {}, account=Account(plays=plays))
        assert TruthInvariance("truths", truth_invariance, "decision", 1).due(at) is due
