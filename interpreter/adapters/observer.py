"""OpenSpiel observers: what a viewer sees of a game as named arrays and as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from interpreter.engine.game import Game, State
from interpreter.knowledge.recall import COLUMNS, information_state_parts, information_state_text
from interpreter.knowledge.tensors import observation_tensor
from interpreter.knowledge.visibility import Sight

_PRIVATE = {
    pyspiel.PrivateInfoType.NONE: "none",
    pyspiel.PrivateInfoType.SINGLE_PLAYER: "own",
    pyspiel.PrivateInfoType.ALL_PLAYERS: "all",
}


class Observer:
    """Sees a state from a player's place.  `tensor` holds all numbers, `dict` its parts by their names.

    A type says whether all that was seen is wanted or what lies open now, with or without what everybody sees,
    and whose private things.  Without one it is what a player sees now.
    """

    def __init__(self, rules: Game, iig_obs_type: Any = None, params: Any = None) -> None:
        """Lay out the arrays.  Raises ValueError for parameters, since there are none."""
        if isinstance(iig_obs_type, dict):
            # Called with parameters only, as C++ does where it wants what is seen by default.
            iig_obs_type, params = None, iig_obs_type
        if params:
            raise ValueError(f"observers of this game have no parameters, such as {', '.join(params)}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        self._recall: bool = wanted.perfect_recall
        self._public: bool = wanted.public_info
        self._private: Any = _PRIVATE[wanted.private_info]
        parts = rules.information_state_layout() if self._recall else rules.observation_layout()
        self.tensor = np.zeros(parts[-1][1] + parts[-1][2], np.float32)
        self._at_start: dict[int, Any] = {}
        self.dict: dict[str, Any] = {}
        for name, start, size in parts:
            part = self.tensor[start : start + size]
            self.dict[name] = part.reshape(-1, len(COLUMNS)) if name == "seen events" else part

    def set_from(self, state: Any, player: int) -> None:
        """Fill the arrays with what is seen of a state."""
        position: State = state.position.state
        # To learn how large a tensor is, C++ has that of the initial state made each time it wants one.
        if not position.entries and player in self._at_start:
            self.tensor[:] = self._at_start[player]
            return
        if self._recall:
            now, rows, digest = information_state_parts(position, self._sight(player))
            self.tensor.fill(0.0)
            self.tensor[: len(now)] = now
            self.tensor[-len(digest) - len(rows) :] = [*rows, *digest]
        else:
            self.tensor[:] = observation_tensor(position, self._sight(player))
        if not position.entries:
            self._at_start[player] = self.tensor.copy()

    def string_from(self, state: Any, player: int) -> str:
        """Return what is seen of a state as text."""
        position: State = state.position.state
        if self._recall:
            return information_state_text(position, self._sight(player))
        if self._public and self._private == "own":
            return position.observation_string(player)
        parts = [position.public_observation_string()] if self._public else []
        if self._private != "none" and not position.game.perfect_information:
            for looking in [player] if self._private == "own" else range(position.game.num_players):
                # The viewer comes first, as in a whole observation; otherwise the text is empty until a deal is over.
                parts += [f"seen by player {looking + 1}", position.private_observation_string(looking)]
        return "\n".join(part for part in parts if part)

    def _sight(self, player: int) -> Sight:
        return Sight(player, self._public, self._private)
