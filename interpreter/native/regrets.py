"""Regrets that are sampled in C from the start of a game of two players (`interpreter/native/c/regrets.h`)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from ctypes import c_double, c_uint64, create_string_buffer
from math import sqrt
from random import Random
from struct import calcsize, iter_unpack, unpack_from
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.native.tapes import record_of

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State
    from interpreter.native.plays import WatchedGame

PLAYS_AT_ONCE = 256
"""Plays between two looks at the clock."""

_HEAD, _INFO = "qqqq", "QQii"
"""The layout of packed sums: their head, and each information set (`regrets.h`)."""


def can_be_sampled(game: Game) -> bool:
    """Say whether a game is for two players with zero-sum payoffs and hidden information."""
    return game.num_players == 2 and game.utility == "zero-sum" and not game.perfect_information


@attrs.frozen
class WatchedReader:
    """Reads the state of a view into C, with what both players have seen."""

    native: WatchedGame

    def position(self, state: State) -> Any:
        """Return the watched state."""
        return self.native.watched(record_of(state, Random(0)), (1 << state.game.num_players) - 1)


@attrs.frozen
class NameReader:
    """Reads the name of the information set of a view, as 32 hexadecimal digits."""

    native: WatchedGame

    def position(self, state: State) -> str:
        """Return the name: a hash of all that the player has seen, and of the decision that is begun."""
        player, out = state.current_player(), (c_uint64 * 2)()
        self.native.calls.watched_seen(self.native.watched(record_of(state, Random(0)), 1 << player), player, out)
        return _name(out[0], out[1])


class Regrets:
    """The information sets of a game with their sums of regrets and weights, in C.

    `room` is the number of places for information sets, a power of 2, of which three quarters are used; `most` is the
    greatest number of nodes of one walk.  Raises MemoryError.
    """

    def __init__(self, native: WatchedGame, seed: int, room: int, most: int) -> None:
        self.native, self._calls = native, native.calls
        self.against: tuple[Regrets, int] | None = None
        """Regrets whose average strategy others keep to, and the one player who learns then."""
        self._base: Regrets | None = None
        self._regrets: int | None = self._calls.regrets_new(seed, room, most)
        if not self._regrets:
            raise MemoryError("there is no room for regrets")
        self.is_small = True
        """Whether all walks have fitted into `most` nodes, and all information sets into the room."""

    def __del__(self) -> None:
        if getattr(self, "_regrets", None):
            self._calls.regrets_free(self._regrets)
            self._regrets = None

    def run(self, iterations: int) -> None:
        """Go on for so many iterations, unless the game turns out to be too large (`is_small`)."""
        self.is_small = bool(self._calls.regrets_run(self._regrets, iterations))

    def begin_shard(self, base: Regrets, seed: int, number: int, shards: int) -> None:
        """Begin anew, as one of some shards that add to the sums of others, which do not change meanwhile."""
        self._base = base
        self._calls.regrets_shard(self._regrets, base._regrets, seed, number, shards)

    def pack(self) -> bytes:
        """Return the sums, for `add`."""
        out = create_string_buffer(self._calls.regrets_pack(self._regrets, None))
        self._calls.regrets_pack(self._regrets, out)
        return out.raw

    def add(self, packed: bytes) -> None:
        """Add sums and their iterations, unless the game turns out to be too large (`is_small`)."""
        self.is_small = bool(self._calls.regrets_add(self._regrets, packed))

    def aim(self, player: int, choices: Sequence[int]) -> None:
        """Aim walks at the position of a player who saw that of each small action."""
        self._calls.regrets_aim(self._regrets, player, (c_uint64 * max(1, len(choices)))(*choices), len(choices))

    def respond(self, against: Regrets, player: int) -> None:
        """Let one player alone learn, against the average strategy of others, which no longer changes."""
        self.against = against, player
        self._calls.regrets_respond(self._regrets, against._regrets, player)

    def read(self, watched: object, most: int) -> tuple[list[float], list[float]] | None:
        """Return the average strategy and the mean values of the legal small actions; None where it was not met."""
        strategy, values = (c_double * most)(), (c_double * most)()
        count = self._calls.regrets_read(self._regrets, watched, strategy, values)
        return (list(strategy), list(values)) if count == most else None

    def play(
        self, plays: int, seed: int, goes_on: Callable[[], bool], response: Regrets | None = None
    ) -> tuple[list[float], list[float]]:
        """Play the average strategies against each other, or against the player who learned to respond.

        Return the mean payoff of each player, and its standard error.
        """
        players, done, rng = self.native.game.num_players, 0, Random(seed)
        sums = (c_double * (2 * players))()
        while done < plays and (not done or goes_on()):
            part = min(PLAYS_AT_ONCE, plays - done)
            other = None if response is None else response._regrets
            self._calls.regrets_play(self._regrets, other, rng.getrandbits(48), part, sums)
            done += part
        means = [sums[p] / done for p in range(players)]
        spreads = [max(0.0, sums[players + p] / done - mean * mean) for p, mean in enumerate(means)]
        return means, [sqrt(spread / done) for spread in spreads]

    @property
    def iterations(self) -> int:
        """The number of iterations so far."""
        return self._size()[1]

    def __len__(self) -> int:
        """Return the number of information sets that were met."""
        return self._size()[0]

    def sets(self) -> Iterator[tuple[str, list[float], list[float]]]:
        """Yield the name of each information set with the regrets and the weights of its actions."""
        packed = self.pack()
        infos, cells, *_ = unpack_from(_HEAD, packed)
        begin, end = calcsize(_HEAD), len(packed) - 32 * cells
        sums = array("d", packed[end:])
        assert end == begin + calcsize(_INFO) * infos
        for first, second, at, n in iter_unpack(_INFO, packed[begin:end]):
            stop = 4 * (at + n)
            yield _name(first, second), list(sums[4 * at : stop : 4]), list(sums[4 * at + 1 : stop : 4])

    def put(self, name: str, regrets: Sequence[float], weights: Sequence[float], iterations: int) -> bool:
        """Go on from the sums of an information set after so many iterations; return whether there is room."""
        count = len(regrets)
        numbers = (c_double * count)(*regrets), (c_double * count)(*weights)
        first, second = int(name[:16], 16), int(name[16:], 16)
        return bool(self._calls.regrets_put(self._regrets, first, second, count, *numbers, iterations))

    def _size(self) -> list[int]:
        out = (c_uint64 * 2)()
        self._calls.regrets_size(self._regrets, out)
        return list(out)


def _name(first: int, second: int) -> str:
    return f"{first:016x}{second:016x}"
