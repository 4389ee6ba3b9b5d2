"""States whose steps C takes: lazy proxies of states of Python's machine.

A native state holds a play in C (`interpreter.native.explicit`) and none of the fields of a machine.  When something
reads another field than those that C knows (zones, variables, undetermined cards), or a step needs Python (a fault, a
whole sentence), the history is replayed in Python and the fields are filled in: from there on Python steps the state.
Where the extension module is available (`interpreter.native.extension`), the frequent methods are written in C.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Self

from interpreter.engine.chance import Rng, below, mix
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.machine import CHANCE, FIELDS, TERMINAL, Machine, new
from interpreter.native.explicit import CARD_NEEDED, ELSEWHERE, WRONG, CtypesPlay
from interpreter.native.extension import extension

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.engine.game_base import GameBase
    from interpreter.native.explicit import ExplicitGame


class NativeMachine(Machine):
    """A machine whose steps C takes, until its fields are needed.  `new_native_state` makes states of it."""

    __slots__ = ("_library", "_play")
    _library: ExplicitGame
    _play: CtypesPlay | None

    def _read(self, name: str) -> Any:
        """Return a field of a machine that is not filled in: one that C knows, or else fill in all of them."""
        if name not in FIELDS or self._play is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        match name:
            case "to_act":
                return self._play.to_act
            case "entries":
                return self._play.entries
            case "num_decisions":
                return self._play.num_decisions
            case "result":
                return self._library.outcome_of(self._play) if self.is_terminal() else None
            case "_log":
                self._log = None
            case "_trail":
                self._trail = []
            case _:
                self.materialize()
        return getattr(self, name)

    def materialize(self) -> None:
        """Let Python step the state from here on: fill in the fields of a machine, from a replay of the history."""
        if self._play is not None:
            self._adopt(self._replayed())

    def _replayed(self) -> Machine:
        """Return a state of Python after the same history."""
        state: Machine = self.game.new_python_state()
        items = self.entries
        for place in range(1, len(items), 2):
            if isinstance(items[place], int):
                state.apply_unchecked(items[place])
            else:
                state.apply_action(items[place])
        return state

    def _adopt(self, state: Machine) -> None:
        """Take over the fields of a state of Python."""
        state._log, state._trail = self._log, self._trail
        for name in FIELDS:
            setattr(self, name, getattr(state, name))
        self._play = None

    # ---- what kind of node this is

    def chance_offset(self) -> int:
        """Return what to add to the outcomes of the waiting chance event so that none is negative; mostly 0."""
        play = self._play
        if play is None:
            return super().chance_offset()
        if play.to_act != CHANCE or play.kind == CARD_NEEDED:
            return 0
        return self.game.chance_offsets.get(play.node, 0)

    # ---- acting

    def legal_actions(self) -> list[int]:
        """Return the legal small actions in ascending order; at a chance node, the outcomes."""
        play = self._play
        if play is not None:
            if play.to_act < 0:
                return [outcome for outcome, _ in play.chance_outcomes()]
            if legal := play.legal_actions():
                return legal
            self.materialize()  # Python raises the fault.
        return super().legal_actions()

    def apply_action(self, action: int | Sequence[int]) -> None:
        """Carry out a legal small action, a whole sentence (several small actions), or a chance outcome."""
        play = self._play
        if play is None:
            super().apply_action(action)
        elif action.__class__ is not int:
            self._refuse(action)
        else:
            found = play.apply(action)
            if found == WRONG:
                self._refuse(action)
            elif found == ELSEWHERE:
                self._apply_in_python(action)

    def _refuse(self, action: int | Sequence[int]) -> None:
        """Let Python refuse an action that C does not know, in words, or carry it out."""
        state = self._replayed()
        try:
            state.apply_action(action)
        except IllegalActionError:
            raise
        except RuleError:
            self._adopt(state)
            raise
        self._adopt(state)

    def _apply_in_python(self, action: int | Sequence[int]) -> None:
        """Let Python carry out an action that C has no answer to, and all after it."""
        self.materialize()
        super().apply_action(action)

    def apply_unchecked(self, action: int) -> None:
        """Carry out a small action that is known to be legal."""
        if self._play is None:
            super().apply_unchecked(action)
        else:
            self.apply_action(action)

    def end_here(self) -> None:
        """End the play as it is, as if it had reached its greatest length."""
        self.materialize()
        super().end_here()

    def end_with_round(self) -> None:
        """Let the play end after the round that is being played."""
        self.materialize()
        super().end_with_round()

    # ---- chance

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the waiting chance event with their probabilities (which sum to 1)."""
        play = self._play
        return super().chance_outcomes() if play is None else play.chance_outcomes()

    def resolve_chance(self, rng: Rng) -> None:
        """Answer every waiting chance event at random; afterwards a player acts or the play is over."""
        while (play := self._play) is not None and play.to_act == CHANCE:
            if play.kind == CARD_NEEDED:
                self.resolve_piles(rng)
            else:
                items = play.listed
                self.apply_action(items[below(rng, len(items))])
        if play is None:
            super().resolve_chance(rng)

    def resolve_piles(self, rng: Rng) -> None:
        """Draw the cards of all waiting piles at random; other chance events are left to wait."""
        play = self._play
        if play is None:
            super().resolve_piles(rng)
            return
        if play.to_act != CHANCE or play.kind != CARD_NEEDED:
            return
        faces = self.game.card_faces
        drawn: list[int] = []
        for cards in self._library.unknown(play):
            mix(rng, cards)
            drawn += [faces[card] for card in cards]
        if self._library.determine(play, drawn) < TERMINAL:
            self._apply_in_python(tuple(drawn))
        else:
            play.note_drawn(tuple(drawn))

    # ---- copies

    def clone(self) -> Self:
        """Return an independent copy."""
        if self._play is None:
            return super().clone()
        other = self._fresh()
        other._trail = self._trail
        return other

    def _fresh(self) -> Self:
        play = self._play
        if play is None:
            other = super()._fresh()
            other._play = None
            return other
        other = new(self.__class__)
        other.game, other._library, other._play = self.game, self._library, play.copy()
        other._log = self._log
        return other

    def _become(self, other: Any) -> None:
        """Take over everything from a state that nobody else will use."""
        super()._become(other)
        self._play = None


class CtypesMachine(NativeMachine):
    """A machine whose play is stepped through `ctypes`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        # Python calls this only where a slot is empty.
        return self._read(name)


def new_native_state(state: type, game: GameBase, library: ExplicitGame) -> Any:
    """Return the state before anything has happened, stepped by a library of its game.

    `state` is the class of the states of Python, of which the class of the new one is derived.
    """
    made = new(_state_class(state, library.fast))
    made.game, made._library, made._play = game, library, library.first.copy()
    return made


@cache
def _state_class(state: type, fast: bool) -> Any:
    """Return the class of native states; the frequent methods and the fields of a `fast` one are in C.

    That one has no `__getattr__`, with which Python would look up every method more slowly.
    """
    base = NativeMachine if fast else CtypesMachine
    made = type("NativeState", (base, state), {"__slots__": (), "__doc__": state.__doc__, "__module__": __name__})
    if fast:
        extension().bind(made, tuple(name for name in FIELDS if name != "game"))
    return made
