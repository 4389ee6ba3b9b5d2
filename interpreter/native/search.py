"""Information-set Monte Carlo tree search in C over worlds of one player (`interpreter/native/c/search.h`).

UCB1 (`search_bound` in `search.h`) has its constants in `interpreter.engine.search_tables`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from ctypes import Structure, byref, c_double, c_int32, c_int64, c_uint8, c_uint64, c_void_p
from mmap import mmap
from random import Random
from typing import TYPE_CHECKING

from interpreter.engine.interruption import Interrupted, check
from interpreter.engine.search_tables import EXPLORES, UNTRIED, WIDE, Tried, action_tables

if TYPE_CHECKING:
    from interpreter.engine.machine import Machine
    from interpreter.native.plays import WatchedGame

DEPTH = 256
"""Decisions of an iteration that are learned from."""

UNIFORM = 0.2
"""The share of a choice by regret matching that is uniform."""

SEEN = 1 << 63
"""In the keys of edges for what others do."""

TRUSTS = 1.0
"""The weight of the chances that a network gives to actions (PUCT)."""

ROOM = 1 << 20
"""The most edges of the trees, of 72 bytes each; what has no room is played at random."""


AT_ONCE = 8
"""How many iterations there are between two checks for an interruption."""


class _Edge(Structure):
    """`edge_t` of `search.h`."""

    _fields_ = (
        ("key", c_uint64), ("first", c_int32), ("next", c_int32), ("visits", c_int32), ("available", c_int32),
        ("entered", c_int32), ("worth", c_double), ("standing", c_double), ("regret", c_double), ("weight", c_double),
    )  # fmt: skip


class _Search(Structure):
    """`search_t` of `search.h`."""

    _fields_ = (
        ("worlds", c_int64), ("limit", c_int64), ("room", c_int64), ("edges", c_int64), ("done", c_int64),
        ("prefix_n", c_int64), ("seed", c_uint64), ("world", c_void_p), ("edge", c_void_p),
        ("habit", c_void_p), ("agree", c_double), ("bounds", c_void_p), ("group", c_void_p), ("simultaneous", c_void_p),
        ("player", c_int64), ("prefix", c_void_p), ("flat", c_int64),
        ("wide", c_int64), ("explores", c_double), ("untried", c_double), ("uniform", c_double),
        ("net", c_void_p), ("view", c_void_p), ("trusts", c_double),
    )  # fmt: skip


class NativeSearch:
    """A search for one player, with trees in C of at most `room` edges.

    `limit` is the most small actions of an iteration, after which the score counts as it is then.  A `flat` tree ends
    with the first decision of the player; what others do, and all later choices, are drawn evenly (flat Monte Carlo).
    """

    engine = "C"

    def __init__(
        self, native: WatchedGame, player: int, seed: int, *, limit: int, flat: bool = False, room: int = ROOM
    ) -> None:
        self._native, self._player = native, player
        self._rng = Random(f"{seed}/tapes")
        game, calls = native.game, native.calls
        assert calls.search_size() == ctypes.sizeof(_Search)
        assert calls.search_edge_size() == ctypes.sizeof(_Edge)
        assert calls.search_depth() == DEPTH
        # Pages of a mapping are there, and 0, when they are touched first: most trees stay small.
        self._edges = (_Edge * room).from_buffer(mmap(-1, ctypes.sizeof(_Edge) * room))
        tables = action_tables(game)
        groups, hidden = tables.groups, tables.simultaneous
        self._group = (c_int32 * len(groups))(*groups)
        self._simultaneous = (c_uint8 * len(hidden))(*hidden)
        self._habit = (c_double * (3 * game.num_players * game.num_distinct_actions))()
        self._bounds = (c_double * (4 * game.num_players))()
        self._search = _Search(
            limit=limit, room=room, player=player, seed=seed % 2**64, edge=ctypes.addressof(self._edges),
            habit=ctypes.addressof(self._habit), bounds=ctypes.addressof(self._bounds),
            group=ctypes.addressof(self._group), simultaneous=ctypes.addressof(self._simultaneous), flat=flat,
            wide=WIDE, explores=EXPLORES, untried=UNTRIED, uniform=UNIFORM,
        )  # fmt: skip
        self._world = native.size
        calls.search_run(byref(self._search), 0)  # Makes the roots.

    def follow(self, network: int, view: ctypes.Array[ctypes.c_char]) -> None:
        """Let a network guide the trees and play after them; worlds are watched states from now on.

        `network` is the address of its weights, which the caller keeps; `view` is memory in which it views states.
        """
        self._view = view
        self._search.net, self._search.view, self._search.trusts = network, ctypes.addressof(view), TRUSTS
        self._world = self._native.watched_size

    def grow(self, worlds: Sequence[Machine], iterations: int) -> int:
        """Go on for so many iterations over some worlds; return how many there were until it was interrupted."""
        return self.grow_in(self._native.states(worlds, self._rng), iterations)

    def grow_in(self, states: bytes, iterations: int) -> int:
        """The same, over worlds that are states of C, side by side; other threads run meanwhile."""
        there = (ctypes.c_char * len(states)).from_buffer_copy(states)
        self._search.world, self._search.worlds = ctypes.addressof(there), len(states) // self._world
        begun, left = self._search.done, iterations if states else 0
        with suppress(Interrupted):
            while left > 0:
                check()
                self._native.calls.search_run(byref(self._search), min(left, AT_ONCE))
                left -= AT_ONCE
        return int(self._search.done - begun)

    def decide(self, actions: Sequence[int]) -> None:
        """Let all iterations from now on begin with these small actions of the player."""
        self._prefix = (c_int64 * max(1, len(actions)))(*actions)
        self._search.prefix, self._search.prefix_n = ctypes.addressof(self._prefix), len(actions)

    @property
    def is_blind(self) -> bool:
        """Whether all iterations gave the player the same result and standing."""
        low, high, least, greatest = self._bounds[4 * self._player : 4 * self._player + 4]
        return bool(self._search.done > 1 and low == high and least == greatest)

    def tried(self, actions: Sequence[int] = ()) -> list[Tried]:
        """Return what was tried after some small actions of the player, ascending."""
        edge = self._player
        for action in actions:
            edge = next((e for e in self._children(edge) if self._edges[e].key == action), -1)
            if edge < 0:
                return []
        found = [self._edges[e] for e in self._children(edge)]
        return [
            Tried(e.key, e.visits, e.worth / e.visits, e.standing / e.visits, e.weight)
            for e in sorted(found, key=lambda e: e.key)
            if e.visits and e.key < SEEN
        ]

    def _children(self, edge: int) -> list[int]:
        found, at = [], self._edges[edge].first
        while at >= 0:
            found.append(at)
            at = self._edges[at].next
        return found
