"""Any spec as a vector environment of Gymnasium: one seat learns, all others play at random, many plays side by side.

    from interpreter.adapters import gymnasium

    envs = gymnasium.vector_env("two_player_wizard", 1024, seat=0)
    observations, infos = envs.reset(seed=1)

A vector environment of Gymnasium has one agent. So a step is an action of the seat and all that the others do up to its
next turn, uniformly at random, drawn in C (`interpreter.native.vector`).  To let a policy play all seats, take
`Game.vector`, which says whose turn it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.engine.game import Game
from interpreter.knowledge.tensors import observation_bounds
from interpreter.loader import load

try:
    import numpy as np
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "Gymnasium is not installed; install this package with its extra `gymnasium`, or the package `gymnasium`",
        name=missing.name,
    ) from missing

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Stepped = tuple["NDArray[np.float32]", "NDArray[np.float64]", "NDArray[np.bool_]", "NDArray[np.bool_]", dict[str, Any]]
"""Observations, rewards, which plays ended, which were cut short, and `infos`."""


def vector_env(
    spec: str | Path,
    n: int,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    *,
    seat: int = 0,
) -> VectorEnvironment:
    """Return the vector environment of a spec.

    For `spec`, `players` and `options` see `interpreter.load`, for the others `VectorEnvironment`.  Raises what they
    raise.
    """
    return VectorEnvironment(load(spec, players, options), n, seat=seat)


class VectorEnvironment(VectorEnv):  # type: ignore[misc]
    """Plays of a game side by side, as one seat sees them.

    `infos["action_mask"]` says which small actions are legal, n rows of truth values; where a play has just ended all
    are False, and the next step begins a new play there for any action (`AutoresetMode.NEXT_STEP`).  The reward is
    what the seat gets at the end of a play.  A play that ends before the seat decides anything is left out.
    """

    def __init__(self, game: Game, n: int, *, seat: int = 0) -> None:
        """Prepare so many plays; `reset` begins them.

        Raises NativeUnavailableError where there is no C compiler, ValueError for another seat or a number of plays
        below 1, RuleError.
        """
        if not 0 <= seat < game.num_players:
            raise ValueError(f"there is no seat {seat}; they are 0 to {game.num_players - 1}")
        self.game, self.seat = game, seat
        self._plays = game.vector(n, seat=seat)
        low, high = observation_bounds(game)
        self.num_envs = len(self._plays)
        self.metadata = {"name": game.title, "render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = Box(np.array(low, np.float32), np.array(high, np.float32), dtype=np.float32)
        self.single_action_space = Discrete(game.num_distinct_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin new plays everywhere.  The same seed gives the same chance; without one it goes on as it comes.

        Raises ValueError for options: there are none.
        """
        if options:
            raise ValueError("there are no options of `reset`: all plays begin anew")
        super().reset(seed=seed)
        self._plays.reset(int(self.np_random.integers(2**63)))
        return self._plays.observations(self.seat), self._infos()

    def step(self, actions: ArrayLike) -> Stepped:
        """Carry out a small action of the seat in each play, and all that the others do up to its next turn.

        Raises IllegalActionError where the mask does not allow one; nothing has changed then.  Raises RuleError.
        """
        plays = self._plays
        plays.step(actions)
        ended = plays.terminated.copy(), plays.truncated.copy()
        return plays.observations(self.seat), plays.rewards[:, self.seat].copy(), *ended, self._infos()

    def sample(self) -> NDArray[np.int64]:
        """Return a legal small action for each play, each alike; 0 where a play has ended."""
        return np.maximum(self._plays.sample(), 0)

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._plays.legal_mask.copy()}
