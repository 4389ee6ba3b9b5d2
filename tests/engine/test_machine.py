"""Hypothesis walks through games as it likes: acts, copies, saves, goes back, looks from other worlds."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from interpreter import Game, IllegalActionError, State
from interpreter.fuzz.checks import ALWAYS, CHANCE, CHECKS, DECISION, END, CheckContext
from interpreter.fuzz.playouts import Plan
from tests import bundled
from tests.belief.tiny import GAMES

ALL: dict[str, Game] = {**GAMES, "chalice": bundled.game("chalice_and_wand")}


class Walk(RuleBasedStateMachine):
    """One state, the copies put aside on the way, and what was in them when they were."""

    state: State
    aside: list[tuple[State, object]]

    @initialize(name=st.sampled_from(sorted(ALL)))
    def begin(self, name: str) -> None:
        self.state = ALL[name].new_initial_state()
        self.aside = []

    @precondition(lambda self: not self.state.is_terminal())
    @rule(choice=st.integers(0, 10_000))
    def act(self, choice: int) -> None:
        legal = self.state.legal_actions()
        self.state.apply_action(legal[choice % len(legal)])

    @precondition(lambda self: self.state.is_chance_node())
    @rule(seed=st.integers(0, 10_000))
    def resolve(self, seed: int) -> None:
        self.state.resolve_chance(Random(seed))
        assert not self.state.is_chance_node()

    @rule()
    def copy(self) -> None:
        made = self.state.clone()
        assert made == self.state
        self.aside.append((self.state, made.content()))
        self.state = made

    @precondition(lambda self: self.aside)
    @rule(choice=st.integers(0, 10_000))
    def go_back(self, choice: int) -> None:
        state, content = self.aside[choice % len(self.aside)]
        assert state.content() == content
        self.state = state.clone()

    @rule()
    def save(self) -> None:
        again = self.state.game.deserialize_state(self.state.serialize())
        assert again == self.state
        assert hash(again) == hash(self.state)
        self.state = again

    @precondition(lambda self: self.state.history())
    @rule()
    def undo(self) -> None:
        """The play without its last step, and that step again, is the play."""
        *before, (actor, item) = self.state.history()
        state = self.state.game.play_history([i for _, i in before])
        assert state.current_player() == actor
        again = state.clone()
        again.apply_action(item)
        assert again == self.state
        self.state = state

    @rule(choice=st.integers(-5, 300))
    def refuse(self, choice: int) -> None:
        if choice in self.state.legal_actions():
            return
        before = self.state.content()
        try:
            self.state.apply_action(choice)
        except IllegalActionError:
            assert self.state.content() == before
            return
        raise AssertionError(f"{choice} was carried out")

    @precondition(lambda self: self.state.current_player() >= 0)
    @rule(seed=st.integers(0, 10_000), other=st.booleans())
    def look_from_another_world(self, seed: int, other: bool) -> None:
        player = (self.state.current_player() + other) % self.state.game.num_players
        world = self.state.resample_from_infostate(player, Random(seed))
        assert world.information_state_string(player) == self.state.information_state_string(player)
        if not other:
            assert world.legal_actions() == self.state.legal_actions()
        self.state = world

    @invariant()
    def nothing_is_wrong(self) -> None:
        kinds = {ALWAYS, END if self.state.is_terminal() else CHANCE if self.state.is_chance_node() else DECISION}
        moment = CheckContext(self.state.game, Plan(1, 1), self.state, len(self.state.history()), {})
        for check in CHECKS:
            if check.where in kinds and check.rate == 1 and check.fits(self.state):
                assert check.problem(moment) is None


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=10, stateful_step_count=50, derandomize=True)


@pytest.mark.soak
def test_many_walks() -> None:
    run_state_machine_as_test(Walk, settings=settings(max_examples=300, stateful_step_count=50, derandomize=True))
