"""Drafts: incomplete decisions with `pick`, `unpick`, and the reason why a card cannot be picked.

A draft works on copies of the state, so nobody observes it; the decision is made when its small actions are applied to
the state.  The machine takes the cards of a set in the order of the deck; a draft sorts them.  A card that the machine
takes only after others can be picked first, if a legal set contains it.
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


MOST_STEPS = 400
"""Steps of the search for a legal set that contains some picks; after them, none is assumed."""


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
        return bool(self.actions) and self._is_legal(self.actions) and self._after(self.actions) is None

    @property
    def text(self) -> str:
        """The picks in words."""
        if self._is_legal(self.actions):
            return text_of(self._state, self.actions)
        texts = self._state.game.texts
        verb = texts.shape_of(self.actions[0]).verb
        return " ".join([verb, *(texts.after_verb(texts.action(action), action) for action in self.actions)])

    def options(self) -> tuple[Option, ...]:
        """Return the small actions that can be picked now, also those that come before picked ones in the deck."""
        if self.complete:
            return ()
        legal = self._is_legal(self.actions)
        here = (self._after(self.actions) if legal else None) or self._state
        wanted = self._cards_of_sets() | (set(here.legal_actions()) if legal else set())
        found = [action for action in sorted(wanted) if self._with(action) is not None]
        begun = bool(self.actions)
        return tuple(option_of(here, action, begun=begun) for action in found)

    def pick(self, action: int) -> Self:
        """Return the draft with one more small action.  Raises IllegalActionError where it cannot be picked."""
        actions = self._with(action)
        if actions is None:
            raise IllegalActionError(self._state.game.texts.no_action(action))
        return attrs.evolve(self, actions=actions)

    def unpick(self, action: int) -> Self:
        """Return the draft without a small action.  Raises IllegalActionError where the others need it."""
        left = list(self.actions)
        if action in left:
            left.remove(action)
        if len(left) == len(self.actions) or not self._is_possible(tuple(left)):
            raise IllegalActionError(f"`{self._state.game.texts.action(action)}` cannot be taken back")
        return attrs.evolve(self, actions=tuple(left))

    def why_not(self, action: int) -> Refusal:
        """Return why a small action cannot be picked; the message is empty if it can."""
        if self._with(action) is not None:
            return Refusal("")
        texts = self._state.game.texts
        word = texts.after_verb(texts.action(action), action)
        refusal = explain(self._state, f"{self.text if self.actions else texts.shape_of(action).verb} {word}")
        return refusal if refusal.message else Refusal(texts.no_action(action))

    def _with(self, action: int) -> tuple[int, ...] | None:
        """Return the picks with one more, at its end or in order; None where neither is possible."""
        appended = (*self.actions, action)
        fixed = self._fixed(self.actions)
        ordered = (*appended[:fixed], *sorted(appended[fixed:]))
        if self._is_legal(appended):
            return appended
        return ordered if self._is_possible(ordered) else None

    def _fixed(self, actions: tuple[int, ...]) -> int:
        """Return how many picks belong to stages that are done; those after them are cards of one set."""
        return next((at for at in range(len(actions), 0, -1) if not self._is_card(actions[at - 1])), 0)

    def _cards_of_sets(self) -> set[int]:
        """Return the small actions that add a card to the set of this stage, now or after others."""
        found: set[int] = set()
        here = self._after(self.actions[: self._fixed(self.actions)])
        todo = [] if here is None else [here]
        while todo:
            here = todo.pop()
            for action in filter(self._is_card, here.legal_actions()):
                if action not in found:
                    found.add(action)
                    following = unfinished(here, action)
                    todo += [] if following is None else [following]
        return found

    def _is_card(self, action: int) -> bool:
        """Say whether a small action adds a card to a set."""
        shape = self._state.game.texts.shape_of(action)
        return shape.is_set and action - shape.base < len(self._state.game.faces)

    def _is_possible(self, actions: tuple[int, ...]) -> bool:
        """Say whether picks begin a legal decision, or are cards of a legal set that have others before them."""
        if self._is_legal(actions):
            return True
        fixed = self._fixed(actions)
        here = self._after(actions[:fixed]) if self._is_legal(actions[:fixed]) else None
        wanted = actions[fixed:]
        return here is not None and all(map(self._is_card, wanted)) and self._contains(here, wanted, [MOST_STEPS])

    def _contains(self, here: Machine, wanted: tuple[int, ...], steps: list[int]) -> bool:
        """Say whether a legal set contains these cards, which are in the order of the deck."""
        legal = here.legal_actions()
        before = [action for action in legal if action < wanted[0] and self._is_card(action)]
        for action in [wanted[0], *before] if wanted[0] in legal else before:
            steps[0] -= 1
            if steps[0] < 0:
                return False
            left = wanted[1:] if action == wanted[0] else wanted
            following = unfinished(here, action)
            if not left or (following is not None and self._contains(following, left, steps)):
                return True
        return False

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
