"""Prompts: the question of a state, its legal actions, and the outcomes of chance, as text.

Texts of actions are unique among the legal ones of a state and can be read back.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.analysis.types import Cards, Type, base_of
from interpreter.english.words import listing
from interpreter.knowledge.events import in_deck_order

if TYPE_CHECKING:
    from interpreter.engine.machine import Machine
    from interpreter.text.texts import Texts


def prompt(state: Machine) -> str:
    """Return the prompt of the player to act."""
    parts = state.aside(state.code.prompt[state.node])
    if not parts:
        decision = state.decision_data()
        assert decision is not None
        verbs = list(dict.fromkeys(a.verb.replace("_", " ") for a in decision.actions if not a.is_otherwise))
        choose = "you choose: " if len(verbs) > 2 else "you "  # A verb of the rules may be a noun: `street`.
        parts = (choose + listing(verbs, "or"),) if verbs else ("you decide",)
    faced = tuple(p if isinstance(p, str) else (p[0], visible_value(state, p[0], p[1])) for p in parts)
    return state.game.texts.words(faced, you=state.to_act)


def visible_value(state: Machine, type_: Type, value: Any) -> Any:
    """Return a value for a text, with cards as faces, those that lie together in no order in that of the deck."""
    faced, unordered = state.game.texts.faced, state.game.unordered
    if value is None:
        return None
    if not isinstance(base_of(type_), Cards):
        return faced(type_, value)
    runs = [(unordered[place], faced(type_, run)) for place, run in state.runs_by_place(value)]
    return tuple(face for loose, run in runs for face in (in_deck_order(run) if loose else run))


def small_action(state: Machine, action: int) -> str:
    """Return the text of a small action or, at a chance node, of an outcome."""
    if state.is_chance_node():
        return outcome_text(state, action)
    texts = state.game.texts
    text = texts.action(action)
    if texts.has_twins:
        legal = tuple(state.legal_actions())
        if _texts_of(texts, legal)[text] > (action in legal):
            return texts.action(action, full=True)
    return text


@lru_cache(maxsize=64)
def _texts_of(texts: Texts, actions: tuple[int, ...]) -> Counter[str]:
    """Return how many small actions have each text."""
    return Counter(map(texts.action, actions))


def outcome_text(state: Machine, outcome: int) -> str:
    """Return the text of a chance outcome; a card that several decks have is always named with its owner."""
    texts = state.game.texts
    if state.awaited is not None or state.game.chance_is_card(state.node):
        return texts.full_face(outcome)
    return texts.value(state.game.chance_types[state.node], outcome)
