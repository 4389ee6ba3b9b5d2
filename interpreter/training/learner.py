"""Rounds of PPO on several cores or machines: what a network learns does not depend on their number.

A round consists of SHARDS shards.  Each has random numbers of its own, made of the seed, the round and its number, its
own plays, and an even part of every batch.  The gradient of a batch is the sum of their gradients, in their order
(`interpreter/native/c/learn.h`).  Threads carry shards out.  With an executor other processes play them: weights go
out, plays come back, and the threads of this process learn from them.
"""

from __future__ import annotations

import ctypes
from concurrent.futures import Executor, Future
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from interpreter.sharing import SHARDS, Executors, Threads, share_shards
from interpreter.training.network import LearningGame

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.training.network import Weights

RIVALS = 16
"""The most earlier networks that are kept as opponents."""


class Plan(ctypes.Structure):
    """`plan_t` of `learn.h`: what the shards of a round have in common."""

    _fields_ = (
        ("steps", ctypes.c_int64), ("epochs", ctypes.c_int64), ("batch", ctypes.c_int64), ("round", ctypes.c_int64),
        ("together", ctypes.c_int64), ("seed", ctypes.c_uint64), ("scale", ctypes.c_double), ("rate", ctypes.c_double),
        ("entropy", ctypes.c_double), ("cliff", ctypes.c_double), ("mixed", ctypes.c_double),
        ("margin", ctypes.c_double), ("decay", ctypes.c_double), ("unit", ctypes.c_double),
    )  # fmt: skip


class _Learner(ctypes.Structure):
    """The beginning of `learner_t`."""

    _fields_ = (("plan", Plan), ("taken", ctypes.c_int64))


class Learner:
    """A network that learns from its plays, round by round.  Raises MemoryError.

    An executor makes the plays, but if it is lost for good the threads do.
    """

    def __init__(
        self, library: LearningGame, seed: int, steps: int, threads: Threads, executor: Executors | None = None
    ) -> None:
        self._library, self._calls, self._threads, self._executor = library, library.calls, threads, executor
        self._address: int | None = self._calls.learn_new(seed % 2**64, steps)
        if not self._address:
            raise MemoryError("there is no room for the network")
        self._learner = _Learner.from_address(self._address)
        self.plan: Plan = self._learner.plan
        """The settings of the next round."""
        rows, columns = library.shape
        weights = (ctypes.c_float * (rows * columns)).from_address(self._calls.learn_net(self._address))
        self.net: Weights = np.ctypeslib.as_array(weights).reshape(rows, columns)
        """The weights, in the memory of the learner."""
        self._random = Random(seed)
        self._rivals: list[Weights] = []
        self._kept = 0

    def __del__(self) -> None:
        if getattr(self, "_address", None):
            self._calls.learn_free(self._address)
            self._address = None

    @property
    def taken(self) -> int:
        """The decisions that it has learned from."""
        return int(self._learner.taken)

    def keep(self) -> None:
        """Keep the network as a rival; each that was kept is as likely to stay (reservoir sampling; Vitter, 1985)."""
        self._kept += 1
        if len(self._rivals) < RIVALS:
            self._rivals.append(self.net.copy())
        elif (place := self._random.randrange(self._kept)) < RIVALS:
            self._rivals[place] = self.net.copy()

    def learn(self) -> None:
        """Play a round and learn from it."""
        calls, address, share = self._calls, self._address, self._threads.share
        random = Random(f"{self.plan.seed}/{self.plan.round}")
        rivals = [random.choice(self._rivals) if self._rivals else None for _ in range(SHARDS)]
        if self._executor is not None and not self._play_remotely(self._executor, rivals):
            self._executor = None
        if self._executor is None:
            for number, rival in enumerate(rivals):
                calls.learn_rival(address, number, _address(rival))
            share(lambda first, last: calls.learn_play(address, first, last))
        calls.learn_begin(address)
        while calls.learn_next(address):
            for step in (calls.learn_gradients, calls.learn_sum, calls.learn_step):
                share(lambda first, last, step=step: step(address, first, last))  # type: ignore[misc]
        self.plan.round += 1

    def _play_remotely(self, executor: Executors, rivals: list[Weights | None]) -> bool:
        """Play on an executor; return False where it is lost for good."""
        game, plan = self._library.game, bytes(self.plan)

        def submit(pool: Executor, number: int) -> Future[bytes]:
            return pool.submit(play_shard, game, plan, number, self.net, rivals[number])

        return share_shards(executor, submit, partial(self._calls.learn_unpack, self._address))


def play_shard(game: GameBase, plan: bytes, number: int, net: Weights, rival: Weights | None) -> bytes:
    """Return the plays of a shard, for a learner in another process.  Raises NativeUnavailableError, MemoryError."""
    calls = LearningGame.wanted(game).calls
    shard = calls.shard_played(plan, number, _address(net), _address(rival))
    if not shard:
        raise MemoryError("there is no room for the plays of a shard")
    try:
        out = ctypes.create_string_buffer(calls.shard_pack(shard, None))
        calls.shard_pack(shard, out)
        return out.raw
    finally:
        calls.shard_free(shard)


def _address(weights: Weights | None) -> int | None:
    return None if weights is None else weights.ctypes.data
