"""Agents as OpenSpiel's bots, and policies of OpenSpiel and PettingZoo as agents."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pyspiel
import pytest
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy

from interpreter import IllegalActionError
from interpreter.adapters import openspiel, pettingzoo
from interpreter.agents import AgentError, AgentView, agent
from interpreter.records.session import Session
from tests.bundled import game as bundled


def played(game: Any, bots: list[Any], seed: int) -> Any:
    """Return the end of a play of OpenSpiel's between bots."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state


def test_an_agent_is_a_bot() -> None:
    kuhn = openspiel.load_game("classics/kuhn_poker", zero_sum=True)
    bots = [openspiel.bot("greedy:10", kuhn, player, seed=1) for player in range(2)]
    assert [bot.player_id() for bot in bots] == [0, 1]
    ends = []
    for _ in range(2):
        for bot in bots:
            bot.restart()
        ends.append(played(kuhn, bots, 5))
    assert str(ends[0]) == str(ends[1])
    assert sum(ends[0].returns()) == 0


def test_a_bot_says_a_sentence_of_several_small_actions_one_by_one() -> None:
    chalice = openspiel.load_game("chalice_and_wand")
    asked: list[tuple[int, Sequence[int]]] = []

    class Noting:
        def __init__(self) -> None:
            self.random = agent("random", chalice.rules, 3)

        def act(self, view: AgentView) -> Sequence[int]:
            found = self.random.act(view)
            assert isinstance(found, tuple)
            asked.append((view.player, found))
            return found

    bots = [openspiel.bot(Noting(), chalice, player) for player in range(2)]
    state = played(chalice, bots, 2)
    chosen = [(p, a) for p, a in state.position.state.history() if p >= 0]
    assert chosen == [(player, action) for player, sentence in asked for action in sentence]
    assert max(len(sentence) for _, sentence in asked) > 1


def test_a_bot_refuses_what_is_not_its_to_choose() -> None:
    kuhn = openspiel.load_game("classics/kuhn_poker")
    state = kuhn.new_initial_state()
    bot = openspiel.bot("random", kuhn, 1)
    with pytest.raises(ValueError, match="player 1 is not to act here"):
        bot.step(state)
    with pytest.raises(ValueError, match="this bot plays cardgame_kuhn_poker"):
        bot.step(openspiel.load_game("classics/leduc_poker").new_initial_state())
    with pytest.raises(AgentError, match="did you mean `random`"):
        openspiel.bot("randon", kuhn, 1)


def test_a_policy_of_openspiel_is_an_agent_that_is_shown_a_world_and_not_the_play() -> None:
    kuhn = openspiel.load_game("classics/kuhn_poker", zero_sum=True)
    hands = set()

    class Peeking(TabularPolicy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            hands.add(str(state.position.state.observation(None).zones[1:3]))
            found: dict[int, float] = super().action_probabilities(state, player_id)
            return found

    policy = openspiel.PolicyAgent(Peeking(kuhn), kuhn, seed=2)
    for seed in range(6):
        session = Session(kuhn.rules, [policy, policy], 4)
        session.beliefs.seed = seed
        session.play()
    assert len(hands) > 2, "of one deal the policy would see one world at each decision"
    even = openspiel.PolicyAgent(UniformRandomPolicy(kuhn), kuhn)
    assert Session(kuhn.rules, [even, even], 1).play().returns
    assert isinstance(kuhn, pyspiel.Game)


def test_a_policy_of_pettingzoo_is_an_agent() -> None:
    game = bundled("classics/leduc_poker")
    shapes = set()

    def policy(seen: dict[str, Any]) -> Any:
        shapes.add((seen["observation"].shape, seen["action_mask"].shape))
        return seen["action_mask"].argmax()

    for recall in (False, True):
        Session(game, [pettingzoo.PolicyAgent(policy, recall=recall)] * 2, 3).play()
    assert len(shapes) == 2
    environment = pettingzoo.Environment(game)
    environment.reset(seed=1)
    seen = environment.observe("player_0")
    assert (seen["observation"].shape, seen["action_mask"].shape) in shapes
    with pytest.raises(IllegalActionError, match="the policy chose 999, which the mask does not allow"):
        Session(game, [pettingzoo.PolicyAgent(lambda _: 999)] * 2, 3).play()
