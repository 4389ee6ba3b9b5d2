"""Any spec as a PettingZoo environment, in which agents act one after another.

    from interpreter.adapters import pettingzoo

    env = pettingzoo.env("chalice_and_wand", options={"hands": "open"}, render_mode="human")
    env.reset(seed=1)

An observation is a dictionary: `observation`, the numbers that the agent sees, and `action_mask`, which small
actions it may choose now; the mask of an agent that is not to act is 0 throughout.  Rewards are the returns, at
the end of the play.  A play that reaches its greatest length is truncated, every other end is a termination.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import index
from pathlib import Path
from random import Random
from typing import Any, Literal

from interpreter.agents import AgentView
from interpreter.engine.faults import IllegalActionError
from interpreter.engine.game import Game, State
from interpreter.engine.outcome import Termination
from interpreter.knowledge.recall import information_state_tensor
from interpreter.knowledge.tensors import UNBOUNDED, observation_bounds, observation_tensor
from interpreter.knowledge.visibility import Sight
from interpreter.loader import load

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo.utils.env import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "PettingZoo is not installed; install this package with its extra `pettingzoo`, or the package `pettingzoo`",
        name=missing.name,
    ) from missing

RENDER_MODES = ("ansi", "human")


def env(
    spec: str | Path,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    *,
    render_mode: str | None = None,
    viewer: str = "public",
    recall: bool = False,
    seed: int | None = None,
) -> Any:
    """Return the environment of a spec, which refuses calls in an order that makes no sense.

    For `spec`, `players` and `options` see `interpreter.load`, for the others `Environment`.  Raises what they
    raise.
    """
    game = load(spec, players, options)
    return OrderEnforcingWrapper(Environment(game, render_mode=render_mode, viewer=viewer, recall=recall, seed=seed))


class Environment(AECEnv):  # type: ignore[misc]
    """A play of a game, agent by agent; `player_0` has the first seat."""

    def __init__(
        self,
        game: Game,
        *,
        render_mode: str | None = None,
        viewer: str = "public",
        recall: bool = False,
        seed: int | None = None,
    ) -> None:
        """Prepare an environment; `reset` begins a play.

        `render_mode` is `"ansi"`, `"human"` or None; what is rendered is what `viewer` sees: `"public"`,
        `"everything"`, or an agent.  With `recall` the numbers hold all that an agent has seen, not only what
        lies open now.  `seed` is where chance begins if `reset` is given none; without either no two runs are
        alike.  Raises ValueError for another render mode or viewer.
        """
        super().__init__()
        self.game = game
        self.metadata = {"name": game.title, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.possible_agents = [f"player_{player}" for player in range(game.num_players)]
        self.agents: list[str] = []
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"there is no render mode {render_mode!r}; there are {', '.join(RENDER_MODES)}")
        if viewer not in ("public", "everything", *self.possible_agents):
            known = ", ".join(["public", "everything", *self.possible_agents])
            raise ValueError(f"{viewer!r} is no viewer; choose one of {known}")
        self.render_mode = render_mode
        self.viewer = viewer
        self.recall = recall
        # The same objects at every call, because a caller may seed a space.
        self.observation_spaces = {agent: self._seen_space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(game.num_distinct_actions) for agent in self.possible_agents}
        self.state_space = self._numbers_space()
        self._rng = Random(seed)
        self._play: State = game.new_initial_state()

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations, always the same object.  Raises ValueError for no agent."""
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, always the same object.  Raises ValueError for no agent."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"{agent!r} is no agent; they are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def _seen_space(self) -> Any:
        mask = Box(0, 1, (self.game.num_distinct_actions,), np.int8)
        return Dict({"observation": self._numbers_space(), "action_mask": mask})

    def _numbers_space(self) -> Any:
        low, high = observation_bounds(self.game)
        if self.recall:
            _, _, events = self.game.information_state_layout()[-2]
            _, _, digest = self.game.information_state_layout()[-1]
            low += [-UNBOUNDED] * events + [0.0] * digest
            high += [UNBOUNDED] * events + [1.0] * digest
        return Box(np.array(low, np.float32), np.array(high, np.float32), dtype=np.float32)

    # ---- a play

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new play.  The same seed gives the same chance; without one it goes on as it comes."""
        del options
        if seed is not None:
            self._rng = Random(seed)
        self._play = self.game.new_initial_state()
        self._play.resolve_chance(self._rng)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._select()

    def step(self, action: Any) -> None:
        """Carry out a small action of the agent to act, or take one that is done with out (action None).

        Raises IllegalActionError, with the play unchanged, where the mask does not allow it.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = _number(action)
        if number not in self._play.legal_actions():
            raise IllegalActionError(f"{agent} cannot do {action!r} here; `action_mask` says what is possible")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._play.apply_action(number)
        self._play.resolve_chance(self._rng)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Let the next player act, or end the play for all."""
        if not self._play.is_terminal():
            self.agent_selection = self.possible_agents[self._play.current_player()]
            return
        outcome = self._play.outcome()
        too_long = outcome is not None and outcome.termination is Termination.TOO_LONG
        self.rewards = dict(zip(self.agents, self._play.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, not too_long)
        self.truncations = dict.fromkeys(self.agents, too_long)
        self._deads_step_first()

    # ---- what is seen

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees now, and which small actions it may choose.  Raises ValueError for no agent."""
        player = self._seat(agent)
        mask = np.zeros(self.game.num_distinct_actions, np.int8)
        if self._play.current_player() == player:
            mask[self._play.legal_actions()] = 1
        return {"observation": self._numbers("own", player), "action_mask": mask}

    def action_to_string(self, action: int) -> str:
        """Return the text of a small action.  Raises IllegalActionError for a number that is none."""
        if self._play.current_player() >= 0 and action in self._play.legal_actions():
            return self._play.action_to_string(action)
        return self.game.texts.action(action)

    def state(self) -> Any:
        """Return what all players together see, for training that may know it."""
        return self._numbers("all", 0)

    def _numbers(self, private: Literal["own", "all"], player: int) -> Any:
        numbers = information_state_tensor if self.recall else observation_tensor
        return np.array(numbers(self._play, Sight(player, private=private)), np.float32)

    def render(self) -> str | None:
        """Return what the viewer sees as text (`ansi`), or write it to standard output (`human`)."""
        if self.render_mode is None:
            return None
        if self.viewer == "everything":
            text = str(self._play)
        elif self.viewer == "public":
            text = self._play.public_observation_string()
        else:
            text = self._play.observation_string(self.possible_agents.index(self.viewer))
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n\n")
        return None

    def close(self) -> None:
        """Let go of nothing: there is no window."""


class PolicyAgent:
    """A policy over observations as an agent of this package: it is called with what `Environment.observe` gives.

    With `recall` the numbers hold all that the player has seen, as in an environment with `recall`.
    """

    def __init__(self, policy: Callable[[dict[str, Any]], Any], *, recall: bool = False) -> None:
        self._policy = policy
        self._recall = recall

    def act(self, view: AgentView) -> int:
        """Return the small action that the policy chooses.  Raises IllegalActionError where the mask refuses it."""
        numbers = view.information_state_tensor() if self._recall else view.observation_tensor()
        legal = view.legal_actions()
        mask = np.zeros(view.game.num_distinct_actions, np.int8)
        mask[legal] = 1
        found = self._policy({"observation": np.array(numbers, np.float32), "action_mask": mask})
        number = _number(found)
        if number not in legal:
            raise IllegalActionError(f"the policy chose {found!r}, which the mask does not allow")
        return number


def _number(action: Any) -> int:
    """Return the number of an action, of any class; -1 for what is none."""
    try:
        return index(action)
    except TypeError:
        return -1
