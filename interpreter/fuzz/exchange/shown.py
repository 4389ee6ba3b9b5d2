"""Everything that a viewer is shown at a state, by name.

A driver, an adapter or the terminal makes what it shows from these and from nothing else, so what is the same here is
the same there.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from interpreter.engine import chance
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.fuzz.exchange.traced import Viewer
from interpreter.knowledge.recall import information_state_tensor, information_state_text
from interpreter.knowledge.tensors import observation_tensor
from interpreter.knowledge.visibility import Sight
from interpreter.records.shared_play import OpenDecisions, players_due
from interpreter.table.frame import frame, to_json
from interpreter.table.surfaces import surfaces

if TYPE_CHECKING:
    from interpreter.engine.game import State

REFUSED = 2
"""Sentences that are not legal, of which it is looked at how they are refused."""

MOST_TEXTS = 500
"""Legal actions whose texts are compared; of more they are taken at even distances."""

REPORTED = 2
"""How many of the things shown come first: what has been reported, and who is to act."""

TABLE = ("the table", "the table as all see it", "the observation tensor")
"""Names of what lies open, as text and as numbers."""


def sight_of(viewer: Viewer) -> Sight:
    """Return what a viewer looks at."""
    return Sight(0, private="none") if viewer is None else Sight(viewer)


def past(state: State, viewer: Viewer) -> str:
    """Return all that a viewer has been reported, as text."""
    return information_state_text(state, sight_of(viewer))


def shown(state: State, viewer: Viewer, seed: str, *, numbers: bool, result: bool = True) -> Iterator[tuple[str, Any]]:
    """Give everything that a viewer is shown, each with its name; `numbers` adds what costs more to make.

    Without `result` the surfaces that name the result are left out: the end of a play publishes it.

    `seed` decides which refusals are looked at.
    """
    yield "what the player has learned" if viewer is not None else "what all have learned", past(state, viewer)
    yield "who is to act", state.current_player()
    yield "the number of decisions", state.num_decisions
    if viewer is None:
        yield "the table as all see it", state.public_observation_string()
    else:
        yield "the events", state.events(viewer)
        yield "the table", state.observation_string(viewer)
        if state.current_player() == viewer:
            yield from _decision_texts(state, seed)
    if numbers:
        yield "the observation tensor", observation_tensor(state, sight_of(viewer))
        yield "the information state tensor", information_state_tensor(state, sight_of(viewer))
        if viewer is not None:
            yield "the private part of the table", state.private_observation_string(viewer)
            yield "the observation", state.observation(viewer)
        if result:
            yield from surfaces(state, viewer)
            if len(players_due(state)) > 1 and not state.is_unfinished():
                yield "the frame of decisions at once", to_json(frame(OpenDecisions.of(state).information(viewer)))


def _decision_texts(state: State, seed: str) -> Iterator[tuple[str, Any]]:
    """Give what a player who is to act is shown: the question, what can be answered, and how others are refused."""
    yield "the question", state.prompt()
    legal = state.legal_actions()
    some = legal[:: 1 + len(legal) // MOST_TEXTS]  # Of which numbers there are all is compared.
    yield "what is legal", [state.action_to_string(action) for action in some]
    yield "the numbers of what is legal", legal
    yield "what is picked", state.picked()
    for text in _wrong(state, seed):
        yield f"the refusal of `{text}`", _refusal(state, text)


def _wrong(state: State, seed: str) -> Iterator[str]:
    """Give sentences that may not be legal: actions of this decision, whether or not they can be chosen now."""
    decision, rng = state.decision(), Random(seed)
    if decision is None:
        return
    groups = [(stage.base, stage.size) for way in decision.open_ways for stage in way.stages[:1]]
    groups = [(base, state.game.texts.shape_of(base).size) for base, _ in groups]
    for _ in range(REFUSED):
        base, size = groups[chance.below(rng, len(groups))]
        texts, action = state.game.texts, base + chance.below(rng, size)
        yield f"{texts.shape_of(action).verb} {texts.after_verb(texts.action(action), action)}"


def _refusal(state: State, text: str) -> tuple[str, str]:
    try:
        state.string_to_action(text)
        plain = ""
    except (IllegalActionError, RuleError) as error:
        plain = str(error)
    try:
        return plain, str(state.explain(text))
    except RuleError as fault:
        return plain, fault.message
