"""The library of a game whose plays wait for chance, so that states can be stepped by it.

Chance events wait where Python's machine waits, for the same cards in the same order (`explicit_chance.h`);
`interpreter/native/c/explicit.h` has the calls, and `interpreter.native.native_state` the states.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from ctypes import c_int32, c_int64, c_void_p
from typing import TYPE_CHECKING, Any

from interpreter.engine.machine import CHANCE, TERMINAL
from interpreter.native.extension import extension
from interpreter.native.library import declared
from interpreter.native.plays import NativeGame

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.outcome import Outcome

WRONG, ELSEWHERE = -10, -11
"""Results of a step: there is no such action or outcome; C has no answer, and the play must go on in Python."""

CARD_NEEDED = 1
"""The kind of a chance event that determines a card of a shuffled pile; others choose a value."""

_TO_ACT, _COUNT, _KIND, _NODE, _CARDS = range(5)
"""The head of a buffer (`explicit_head.h`)."""

_LEAST, _MOST = -(2**31), 2**31
"""No action or outcome is as small, or as great."""


class ExplicitGame(NativeGame):
    """The library of one game whose plays wait for chance.  Raises NativeUnavailableError."""

    kind = "explicit"

    def __init__(self, game: GameBase, *flags: str, fast: bool = True) -> None:
        """Load the library; where it is not `fast`, it is stepped through `ctypes` even if there is an extension."""
        super().__init__(game, *flags)
        # A step takes about as long as releasing Python's lock would, so all calls hold it.
        self.steps: Any = declared(ctypes.PyDLL(None, handle=self.calls._handle))
        self.buffer: Any = c_int32 * -(-self.steps.explicit_size() // 4)
        self.listed_at: int = self.steps.explicit_listed() // 4
        """The place in a buffer where actions or outcomes are listed."""
        first = self.buffer()
        self.beginning: int = self.steps.explicit_begin(first)
        """Who is to act at the beginning, or `ELSEWHERE`."""
        module = extension() if fast else None
        self.fast = module is not None
        """Whether the extension module steps its plays."""
        self.first: CtypesPlay = CtypesPlay(self, first, [], 0) if module is None else self._fast_play(module, first)
        """A play before anything has happened."""

    def _fast_play(self, module: Any, buffer: Any) -> CtypesPlay:
        """Return a play of the extension module with a copy of a buffer."""
        library = module.Library(
            apply=ctypes.cast(self.steps.explicit_apply, c_void_p).value,
            size=ctypes.sizeof(self.buffer),
            listed=4 * self.listed_at,
            cards=self.game.num_cards,
            most_entries=self.game.max_history,
        )
        made: CtypesPlay = module.Play(library, ctypes.addressof(buffer))
        return made

    def determine(self, play: CtypesPlay, faces: list[int]) -> int:
        """Let all unknown cards have these faces, pool by pool and token by token; return as `apply` does."""
        found: int = self.steps.explicit_determine(play.address, (c_int32 * len(faces))(*faces), len(faces))
        return found

    def outcome_of(self, play: CtypesPlay) -> Outcome:
        """Return how a play that is over ended."""
        row = (c_int64 * self.row)()
        self.steps.explicit_ends(play.address, row)
        return self.outcome(row[:])

    def unknown(self, play: CtypesPlay) -> list[list[int]]:
        """Return the cards of each pool of a play, in the order of their numbers."""
        size = self.game.num_cards
        written = (c_int32 * (2 * size))()
        count = self.steps.explicit_unknown(play.address, written)
        cards, pools = written[:count], written[size : size + count]
        if pools[0] == pools[-1]:
            return [cards]
        found: dict[int, list[int]] = {}
        for card, pool in zip(cards, pools, strict=True):
            found.setdefault(pool, []).append(card)
        return list(found.values())


class CtypesPlay:
    """One play in a buffer, and its history: actor and action in turn.

    It is stepped through `ctypes`; where there is an extension module, its `Play` has the same attributes.
    """

    __slots__ = ("_buffer", "_library", "address", "entries", "num_decisions")

    def __init__(self, library: ExplicitGame, buffer: Any, entries: list[Any], num_decisions: int) -> None:
        self._library, self._buffer, self.address = library, buffer, ctypes.addressof(buffer)
        self.entries, self.num_decisions = entries, num_decisions

    @property
    def to_act(self) -> int:
        """The player to act, `CHANCE` or `TERMINAL`."""
        found: int = self._buffer[_TO_ACT]
        return found

    @property
    def kind(self) -> int:
        """The kind of the waiting chance event."""
        found: int = self._buffer[_KIND]
        return found

    @property
    def node(self) -> int:
        """The node of the program at which it waits."""
        found: int = self._buffer[_NODE]
        return found

    @property
    def listed(self) -> list[int]:
        """The actions or outcomes in the buffer; a value as often as it can be chosen."""
        first = self._library.listed_at
        found: list[int] = self._buffer[first : first + max(0, self._buffer[_COUNT])]
        return found

    def copy(self) -> CtypesPlay:
        """Return an independent copy."""
        buffer = self._library.buffer.from_buffer_copy(self._buffer)
        return CtypesPlay(self._library, buffer, self.entries[:], self.num_decisions)

    def apply(self, action: int) -> int:
        """Carry out an action or an outcome; return who is to act next, `WRONG` or `ELSEWHERE`."""
        actor = self.to_act
        if not _LEAST < action < _MOST:
            return WRONG
        if actor < 0 and len(self.entries) + 2 > self._library.game.max_history:
            return ELSEWHERE
        found: int = self._library.steps.explicit_apply(self.address, action)
        if found >= TERMINAL:
            self.entries += (actor, action)
            self.num_decisions += actor >= 0
        return found

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the player to act; none where listing them is at fault."""
        return self.listed if self.to_act >= 0 else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the waiting chance event with their probabilities."""
        if self.to_act != CHANCE:
            return []
        listed = self.listed
        if self.kind != CARD_NEEDED:
            return sorted((outcome, count / len(listed)) for outcome, count in Counter(listed).items())
        faces, cards = self._library.game.num_cards, self._buffer[_CARDS]
        return [(code % faces, (code // faces + 1) / cards) for code in listed]

    def note_drawn(self, faces: tuple[int, ...]) -> None:
        """Put the faces of all unknown cards into the history, after `determine`."""
        self.entries += (CHANCE, faces)
