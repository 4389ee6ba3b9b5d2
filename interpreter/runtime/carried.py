"""A state whose steps another machine carries out, until it is asked what only Python's can answer.

Each step is one call of a library in C (`interpreter.native.explicit`): an action, or what chance answered, goes in,
and who acts next and what they may do comes out, in a buffer.  Whatever else somebody looks at (what lies where,
views, words, faults) is Python's: the state then plays its history again and is one of Python's, for good.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self

from interpreter.runtime.chance import Rng, below, mix
from interpreter.runtime.game_base import GameBase
from interpreter.runtime.machine import CHANCE, FIELDS, TERMINAL, Machine, new
from interpreter.runtime.outcome import Outcome

WRONG, ELSEWHERE = -10, -11
"""What a step comes to in the place of a report: there is no such action or outcome; it is for Python."""

NUMBERED = 1 << 20
"""The number of the first report."""

TO_ACT, COUNT, ASKED, NODE, CARDS = range(5)
"""Where a buffer says who is to act, how many actions or outcomes there are, what chance is asked and where, and of how
many cards one is asked for."""

FIRST = 5
"""Where actions or outcomes stand in a buffer."""

CARD_ASKED = 1
"""What chance is asked: a card of a shuffled pile; else a value."""

_LEAST, _MOST = -(2**31), 2**31
"""No action or outcome is as small, or as great."""


class Report:
    """What a buffer says, as Python has read it: who is to act, and what they may do (nothing: Python tells)."""

    __slots__ = ("legal", "outcomes", "to_act")

    def __init__(self, steps: Steps, buffer: Any, to_act: int) -> None:
        self.to_act = to_act
        self.legal: list[int] = buffer[FIRST : FIRST + buffer[COUNT]] if to_act >= 0 else []
        self.outcomes = steps.chances(buffer) if to_act == CHANCE else []


class Steps(Protocol):
    """What carries the plays of one game on, each in a buffer of its own."""

    apply: Callable[[Any, int], int]
    """Carry out an action, or what chance answered, given a reference to a buffer.

    Return the number of what the buffer says, where one has said the same before; else who is to act, `WRONG` or
    `ELSEWHERE`.
    """
    reports: dict[int, Report]
    """What came more than once, by its number."""
    first: Any
    """The buffer of a play before anything has happened."""

    def copy(self, buffer: Any) -> tuple[Any, Any]:
        """Return a copy of a buffer, and a reference to it."""

    def keep(self, number: int, buffer: Any) -> Report:
        """Return what a buffer says, and put it among `reports`."""

    def chances(self, buffer: Any) -> list[tuple[int, float]]:
        """Return the outcomes of the waiting chance event with their probabilities."""

    def outcome_of(self, buffer: Any) -> Outcome:
        """Return how a play that is over ended."""

    def unknown(self, buffer: Any) -> list[list[int]]:
        """Return the cards of each pool of a play, in the order of their numbers."""

    def determine(self, at: Any, faces: list[int]) -> int:
        """Let all unknown cards have these faces, pool by pool and token by token; return as `apply` does."""


class CarriedMachine(Machine):
    """The steps of a state in a buffer; of the fields of a machine there are only those that cost little to keep.

    These are the game, who is to act, the history, the number of decisions, and what the log remembers.  The result is
    made of the buffer when somebody asks; a look at any other field, and a step that Python has to carry out, make a
    state of Python of this one.
    """

    __slots__ = ()

    def __init__(self, game: GameBase, library: Steps) -> None:
        self.game, self._library = game, library
        self._buffer, self._at = library.first, None
        self.entries = []
        self.num_decisions = 0
        self._log, self._trail = None, []
        self._stand()
        self._report = Report(library, self._buffer, self.to_act)

    def __getattr__(self, name: str) -> Any:
        if name == "result":
            if self.to_act != TERMINAL:
                return None
            self.result = self._library.outcome_of(self._buffer)
            return self.result
        if name not in FIELDS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self._become_python()
        return getattr(self, name)

    def _become_python(self) -> None:
        """Play what has happened again in Python, and stand there, unless it does already."""
        if self._buffer is None:
            return
        state = self.game.new_python_state()
        items = self.entries
        for place in range(1, len(items), 2):
            if isinstance(items[place], int):
                state.apply_unchecked(items[place])
            else:
                state.apply_action(items[place])
        log, trail = self._log, self._trail
        for name in FIELDS:
            setattr(self, name, getattr(state, name))
        self._log, self._trail = log, trail
        self._buffer = self._at = self._library = self._report = None
        self.__class__ = state.__class__

    # ---- acting

    def legal_actions(self) -> list[int]:
        """Return the legal small actions in ascending order; at a chance node, the outcomes."""
        if self.to_act < 0:
            return [outcome for outcome, _ in self.chance_outcomes()]
        report = self._report
        if report is None:
            at = self._buffer
            legal: list[int] = at[FIRST : FIRST + at[COUNT]]
        else:
            legal = report.legal[:]
        if legal:
            return legal
        self._become_python()
        return self.legal_actions()

    def apply_action(self, action: Any) -> None:
        """Carry out a legal small action, a whole sentence (several small actions), or a chance outcome."""
        if action.__class__ is int and _LEAST < action < _MOST:
            entries, actor = self.entries, self.to_act
            if actor >= 0 or len(entries) + 2 <= self.game.max_history:
                at = self._at
                if at is None:
                    at = CarriedMachine._own(self)
                if at is not None:
                    library = self._library
                    found = library.apply(at, action)
                    if found >= TERMINAL:
                        if found < NUMBERED:
                            # What has not come before may never come again: it is read when somebody asks.
                            self._report, self.to_act = None, found
                        else:
                            report = library.reports.get(found) or library.keep(found, self._buffer)
                            self._report = report
                            self.to_act = report.to_act
                        entries.append(actor)
                        entries.append(action)
                        if actor >= 0:
                            self.num_decisions += 1
                        return
        CarriedMachine._become_python(self)
        self.apply_action(action)

    def end_here(self) -> None:
        """End the play as it stands, as if it had reached its greatest length."""
        self._become_python()
        self.end_here()

    def end_with_round(self) -> None:
        """Let the play end behind the round that is being played."""
        self._become_python()
        self.end_with_round()

    def _own(self) -> Any:
        """Take a copy of the buffer, which was that of other states too; return a reference to it, None in Python's.

        It is Python's where the argument of a step was asked of it when the step was at hand already, as in
        `state.apply_action(state.string_to_action(text))`.
        """
        if self._buffer is not None:
            self._buffer, self._at = self._library.copy(self._buffer)
        return self._at

    def _stand(self) -> None:
        """Stand where the buffer says."""
        self._report, self.to_act = None, self._buffer[TO_ACT]

    # ---- chance

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the waiting chance event with their probabilities (which sum to 1)."""
        if self.to_act != CHANCE:
            return []
        report = self._report
        outcomes: list[tuple[int, float]]
        outcomes = self._library.chances(self._buffer) if report is None else report.outcomes[:]
        return outcomes

    def chance_offset(self) -> int:
        """Return what to add to the outcomes of the waiting chance event so that none is negative; mostly 0."""
        if self.to_act != CHANCE or self._buffer[ASKED] == CARD_ASKED:
            return 0
        return self.game.chance_offsets.get(self._buffer[NODE], 0)

    def resolve_chance(self, rng: Rng) -> None:
        """Answer every waiting chance event at random; afterwards a player acts or the play is over."""
        while self.to_act == CHANCE:
            at = self._buffer
            if at is None:  # It is one of Python by now.
                Machine.resolve_chance(self, rng)
            elif at[ASKED] != CARD_ASKED:
                self.apply_action(at[FIRST + below(rng, at[COUNT])])
            else:
                self.resolve_piles(rng)

    def resolve_piles(self, rng: Rng) -> None:
        """Draw the cards of all waiting piles at random; other chance events are left to wait."""
        if self._buffer is None:
            Machine.resolve_piles(self, rng)
            return
        if self.to_act != CHANCE or self._buffer[ASKED] != CARD_ASKED:
            return
        faces = self.game.card_faces
        drawn: list[int] = []
        for cards in self._library.unknown(self._buffer):
            mix(rng, cards)
            drawn += [faces[card] for card in cards]
        if self._at is None:
            CarriedMachine._own(self)
        if self._library.determine(self._at, drawn) < TERMINAL:
            self._become_python()
            self.apply_action(tuple(drawn))
            return
        self.entries.append(CHANCE)
        self.entries.append(tuple(drawn))
        self._stand()

    # ---- copies

    def clone(self) -> Self:
        """Return an independent copy."""
        other = self._fresh()
        other._trail = self._trail
        return other

    def _fresh(self) -> Self:
        other = new(self.__class__)
        other.game, other._library = self.game, self._library
        # Both go on with a copy of the buffer as soon as one of them takes a step.
        other._buffer = self._buffer
        other._at = self._at = None
        other._report = self._report
        other.entries = self.entries[:]
        other.num_decisions = self.num_decisions
        other.to_act = self.to_act
        other._log, other._trail = self._log, []
        return other
