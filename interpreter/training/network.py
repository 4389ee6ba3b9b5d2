"""A trained network: its policy file, and its view of a state.

A network reads what the player who is to act knows, with players counted from that player, and gives each legal small
action a probability.  It runs in C, in a library of its own for each game (`interpreter/native/c/net.h`).
"""

from __future__ import annotations

import base64
import binascii
import ctypes
import hashlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from ctypes import byref, c_char, c_float, c_int32
from functools import cached_property
from math import isfinite
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from interpreter.native.belief import NativeWalk
from interpreter.native.plays import WatchedGame
from interpreter.native.tapes import record_of
from interpreter.solve.policy_file import Number, PolicyError, damaged, read_data, read_part, write_data

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from interpreter.engine.game import Game
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.machine import Machine

    Weights = NDArray[np.float32]
    Share = Callable[[Callable[[int, int], object], int], None]
    """Calls a function for parts of a range of numbers, each from the first to before the last."""

RELATED = 0.2
"""The least correlation of standings and returns in random plays with which a standing counts."""
GREATEST = 1e4
"""The greatest weight that a file may have: sums of these stay finite."""


class LearningGame(WatchedGame):
    """The library of one game with a network.  Raises NativeUnavailableError."""

    kind = "learning"

    def __init__(self, game: GameBase, *flags: str) -> None:
        super().__init__(game, *flags)
        sizes = (ctypes.c_int64 * 3)()
        self.calls.learn_sizes(sizes)
        self.shape: tuple[int, int] = sizes[0], sizes[1]
        """Rows and columns of the weights."""
        self.layout = f"{sizes[2] % 2**64:016x}"
        """A digest of what the rows mean: weights with another one belong to another version of the program."""
        self._tables = self.new_view()

    def new_view(self) -> ctypes.Array[c_char]:
        """Return the memory in which a network views states."""
        size: int = self.calls.policy_view_size()
        view = (c_char * size)()
        self.calls.policy_view_begin(view)
        return view

    def played(
        self, networks: Sequence[Weights | None], plays: int, seed: int, share: Share | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what networks got in so many plays, and how they stood at the end; None is a random player.

        In play i the network of seat (i + s) is that with the number s, which has a column of the results.  `share`
        shares plays out among threads.  Raises MemoryError.
        """
        paid, stood = np.zeros((2, plays, self.game.num_players), np.float64)
        weights = (ctypes.c_void_p * len(networks))(*(None if net is None else net.ctypes.data for net in networks))
        best = int(takes_best(self.game))

        def play(first: int, last: int) -> None:
            to = paid[first:].ctypes.data, stood[first:].ctypes.data
            if not self.calls.learn_plays(weights, best, seed, first, last - first, *to):
                raise MemoryError("there is no room for plays of the network")

        if share is None:
            play(0, plays)
        else:
            share(play, plays)
        return paid, stood

    @cached_property
    def scales(self) -> tuple[float, float]:
        """The factors of returns and of standings with which both spread by about 1 in random plays.

        The second has the sign of their correlation, since the rules do not say whether a high score is good; it is 0
        where they are not related.
        """
        low, high = self.game.utility_range
        paid, stood = self.played([None] * self.game.num_players, 500, 1)
        spread, standing = float(paid.std()), float(stood.std())
        agree = float(np.mean((paid - paid.mean()) * (stood - stood.mean())))
        scale = 1 / max(spread, (high - low) / 60 if isfinite(high - low) else 0.0, 1e-6)
        related = standing > 0 and abs(agree) > RELATED * spread * standing
        return scale, (1 if agree > 0 else -1) / standing if related else 0.0

    def walk(self, state: Machine, player: int, seed: int) -> NativeWalk:
        """Return a walk over the plays that a player cannot distinguish from this one.  Raises MemoryError."""
        return NativeWalk(self, record_of(state, Random(seed)), player, seed)

    def position(self, state: Machine) -> Position:
        """Return a state as a network reads it.  Raises ValueError for one that waits for chance."""
        # Unseen cards are drawn at random; the network does not read them.
        return Position(self, self.watched(record_of(state, Random(0)), 0))


class Position:
    """A state of C at which a network is read: after the small actions of a play, and of a sentence that is begun."""

    def __init__(self, library: LearningGame, watched: ctypes.Array[c_char]) -> None:
        self.library, self._watched = library, watched

    def strategy(self, weights: Weights) -> tuple[list[int], list[float], float]:
        """Return the legal small actions in ascending order, the probability of each, and the value for the player.

        The value is what the player is still to gain, on the scale of the training.
        """
        most = self.library.game.num_distinct_actions
        actions, chances, value = (c_int32 * most)(), (c_float * most)(), c_float()
        calls, tables = self.library.calls, self.library._tables
        count = calls.policy_view(weights.ctypes.data, tables, self._watched, actions, chances, byref(value))
        return actions[:count], chances[:count], value.value

    def inputs(self, player: int) -> list[int]:
        """Return the numbers of the inputs that are 1 for a player, ascending."""
        out = (c_int32 * 1024)()
        return sorted(out[: self.library.calls.policy_inputs(self._watched, player, out)])

    def after(self, action: int) -> Position:
        """Return the position after a small action that begins a sentence, or continues one."""
        copy = (c_char * self.library.watched_size).from_buffer_copy(self._watched)
        self.library.calls.watched_apply_taped(copy, action, None, 0, 0)
        return Position(self.library, copy)


@attrs.frozen
class Point:
    """A point of a learning curve: rounds, decisions, and strength with the half width of its 95 % interval."""

    rounds: int
    decisions: int
    strength: float
    error: float


@attrs.frozen(eq=False)
class Network:
    """The weights of one game, with how they came about."""

    library: LearningGame
    weights: Weights
    seed: int
    curve: tuple[Point, ...] = ()

    @property
    def takes_best(self) -> bool:
        """Whether play takes the likeliest action: where nothing is hidden, or partners count on it."""
        return takes_best(self.library.game)


def takes_best(game: GameBase) -> bool:
    """Say whether a policy plays its likeliest action; where opponents can use that, actions are drawn instead."""
    return bool(game.cooperative or game.perfect_information or game.num_players == 1)


def write_network(network: Network, path: Path, game: Game) -> None:
    """Write a network as a policy file, whole or not at all.  Raises OSError."""
    data = np.ascontiguousarray(network.weights, "<f4").tobytes()
    write_data(path, game.describe(), {
        "concept": "network",
        "network": {
            "layout": network.library.layout,
            "rows": network.library.shape[0],
            "columns": network.library.shape[1],
            "digest": hashlib.sha256(data).hexdigest(),
            "weights": base64.b64encode(zlib.compress(data, 6)).decode("ascii"),
        },
        "training": {"seed": network.seed, "curve": [list(attrs.astuple(point)) for point in network.curve]},
    })  # fmt: skip


def read_network(path: Path, game: Game) -> Network:
    """Return the network of a file.

    Raises OSError, PolicyError for a damaged file or one of another game or version, NativeUnavailableError.
    """
    return network_of(read_data(path, game), path, game)


def network_of(data: Mapping[str, Any], path: Path, game: Game) -> Network:
    """Return the network in the data of a file.  Raises PolicyError, NativeUnavailableError."""
    part, training = data.get("network"), data.get("training")
    if not isinstance(part, dict) or not isinstance(training, dict):
        raise PolicyError(f"`{path}` has no network: `cardgame train -o FILE.policy` writes one")
    library = LearningGame.wanted(game)
    rows, columns = library.shape
    if part.get("layout") != library.layout or [part.get("rows"), part.get("columns")] != [rows, columns]:
        raise PolicyError(f"`{path}` belongs to another version of cardgame: train it again")
    weights, digest, seed = part.get("weights"), part.get("digest"), training.get("seed")
    if not isinstance(weights, str) or not isinstance(digest, str) or type(seed) is not int:
        raise damaged(path)
    size = 4 * rows * columns
    try:
        unpacked = zlib.decompressobj().decompress(base64.b64decode(weights, validate=True), size + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise damaged(path) from None
    if len(unpacked) != size or hashlib.sha256(unpacked).hexdigest() != digest:
        raise damaged(path)
    found = np.frombuffer(unpacked, "<f4").astype(np.float32).reshape(rows, columns)
    if not np.isfinite(found).all() or np.abs(found).max() > GREATEST:
        raise damaged(path)
    curve = read_part(training.get("curve"), list[tuple[Number, Number, Number, Number]], path)
    points = tuple(Point(int(plays), int(decisions), *strength) for plays, decisions, *strength in curve)
    return Network(library, found, seed, points)
