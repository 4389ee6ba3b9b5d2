"""A decision in the making: pick and unpick cards in any order, and ask why one cannot be picked.

A draft works on copies of the state, so nobody observes it; the decision is made when its small actions are applied to
the state.  The machine takes the cards of a set in the order of the deck; a draft sorts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import attrs

from interpreter.engine.faults import IllegalActionError
from interpreter.table.information import Option, option_of
from interpreter.text.explain import Refusal, explain
from interpreter.text.sentences import text_of, unfinished

if TYPE_CHECKING:
    from interpreter.engine.machine import Machine


@attrs.frozen
class Draft:
    """The small actions picked so far of a decision; every change returns a new draft.

    `actions` are in the order in which the state takes them.  A draft is `complete` if they are a whole decision.
    """

    _state: Machine = attrs.field(repr=False)
    actions: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the picks are a whole decision."""
        return bool(self.actions) and self._after(self.actions) is None

    @property
    def text(self) -> str:
        """The picks in words."""
        return text_of(self._state, self.actions)

    def options(self) -> tuple[Option, ...]:
        """Return the small actions that can be picked now, also those that come before picked ones in the deck."""
        if self.complete:
            return ()
        before = [self._after(self.actions[:count]) for count in range(len(self.actions) + 1)]
        wanted = {action for here in before if here is not None for action in here.legal_actions()}
        found = [action for action in sorted(wanted) if self._with(action) is not None]
        begun = bool(self.actions)
        return tuple(option_of(before[-1] or self._state, action, begun=begun) for action in found)

    def pick(self, action: int) -> Self:
        """Return the draft with one more small action.  Raises IllegalActionError where it cannot be picked."""
        actions = self._with(action)
        if actions is None:
            raise IllegalActionError(self._state.game.texts.no_action(action))
        return attrs.evolve(self, actions=actions)

    def unpick(self, action: int) -> Self:
        """Return the draft without a small action.  Raises IllegalActionError where the others need it."""
        left = tuple(picked for picked in self.actions if picked != action)
        if left == self.actions or not self._is_legal(left):
            raise IllegalActionError(f"`{self._state.game.texts.action(action)}` cannot be taken back")
        return attrs.evolve(self, actions=left)

    def why_not(self, action: int) -> Refusal:
        """Return why a small action cannot be picked; the message is empty if it can."""
        if self._with(action) is not None:
            return Refusal("")
        texts = self._state.game.texts
        word = texts.action(action).partition(" ")[2].removeprefix("+")
        refusal = explain(self._state, f"{self.text or texts.shape_of(action).verb} {word}")
        return refusal if refusal.message else Refusal(texts.no_action(action))

    def _with(self, action: int) -> tuple[int, ...] | None:
        """Return the picks with one more, at its end or in order; None where neither is legal."""
        appended = (*self.actions, action)
        return next((actions for actions in (appended, tuple(sorted(appended))) if self._is_legal(actions)), None)

    def _is_legal(self, actions: tuple[int, ...]) -> bool:
        here: Machine | None = self._state
        for action in actions:
            if here is None or action not in here.legal_actions():
                return False
            here = unfinished(here, action)
        return True

    def _after(self, actions: tuple[int, ...]) -> Machine | None:
        """Return the state within the decision after some picks; None where they complete it."""
        here: Machine | None = self._state
        for action in actions:
            here = None if here is None else unfinished(here, action)
        return here
