"""Uniform sampling of complete decisions by counting: sentences are counted by their parts, not listed.

Small actions are no fair choice where a decision has several: of a set that is picked card by card, one that ends early
comes up far more often than one that goes on.  So each small action counts as often as it can be completed; sets are
counted by dynamic programming (`interpreter.engine.sets.counting`).  Where that is too much, some sentences are drawn
small action by small action, and one of them is taken with odds of how seldom it comes up so (sampling, importance
resampling), which is close to even.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING

import attrs

from interpreter.engine.chance import Rng, below, below_any
from interpreter.engine.faults import RuleError
from interpreter.engine.sets.counting import Completions, TooManyError
from interpreter.text.sentences import unfinished

if TYPE_CHECKING:
    from interpreter.engine.game import State
    from interpreter.engine.game_data import ActionData, DecisionData, StageData

RESAMPLED = 64
"""Sentences of which one is taken where all are too many to count."""
MOST_FOLLOWED = 2_000
"""Copies of the state that counting may take."""


def draw_sentence(state: State, rng: Rng) -> tuple[int, ...]:
    """Return the small actions of a complete decision, or of what is left of one that was begun, drawn evenly.

    A player must be to act.  Raises RuleError (CG807) where they have nothing to do.
    """
    decision = state.decision_data()
    assert decision is not None
    if has_single_actions(decision):
        legal = state.legal_actions()
        return (legal[below(rng, len(legal))],)
    try:
        return _Counter().drawn(state, rng)
    except TooManyError:
        return _resampled(state, rng)


@cache
def has_single_actions(decision: DecisionData) -> bool:
    """Say whether each small action at a decision completes it, in every state."""
    return all(stage is action.stages[-1] and not stage.is_set for action, stage in _open_stages(decision))


def _open_stages(decision: DecisionData) -> list[tuple[ActionData, StageData]]:
    return [(action, action.stages[decision.stage]) for action in decision.actions]


@attrs.frozen
class _Option:
    """How a decision can go on: by a small action, with a state after it, or by a set; and in how many ways."""

    count: int
    action: int
    following: State | None = None
    stage: StageData | None = None
    sets: Completions | None = None


class _Counter:
    """Counts what completes a decision, following no more states than it may."""

    def __init__(self) -> None:
        self._followed = 0

    def drawn(self, state: State, rng: Rng) -> tuple[int, ...]:
        options = list(self._options(state))
        left = below_any(rng, sum(option.count for option in options))
        for option in options:
            left -= option.count
            if left < 0:
                break
        if option.sets is None or option.stage is None:
            rest = () if option.following is None else self.drawn(option.following, rng)
            return (option.action, *rest)
        actions, following = self._picked(state, option.stage, option.sets.drawn(rng))
        return actions if following is None else (*actions, *self.drawn(following, rng))

    def count(self, state: State | None) -> int:
        return 1 if state is None else sum(option.count for option in self._options(state))

    def _options(self, state: State) -> Iterator[_Option]:
        decision = state.decision_data()
        assert decision is not None
        by_base = {}
        for of, stage in _open_stages(decision):
            if stage.base in by_base and (stage.is_set or stage is not of.stages[-1]):
                raise TooManyError  # The same words mean several actions.
            by_base[stage.base] = of
        sets: dict[int, None] = {}
        for action in state.legal_actions():
            base = state.game.texts.shape_of(action).base
            of = by_base[base]
            stage = of.stages[decision.stage]
            if stage.is_set:
                sets.setdefault(base)
            elif stage is of.stages[-1]:
                yield _Option(1, action)
            else:
                following = self._follow(state, action)
                yield _Option(self.count(following), action, following)
        for base in sets:
            yield self._set_option(state, by_base[base], decision.stage)

    def _set_option(self, state: State, of: ActionData, number: int) -> _Option:
        stage = of.stages[number]
        picked, chosen = _set_of(state, stage)
        if stage is of.stages[-1]:
            sets = Completions(chosen, picked)
            return _Option(sets.count(), -1, stage=stage, sets=sets)
        if of.args[stage.first].constrains:
            begun = len(picked)
            sets = Completions(chosen, picked, lambda all_: self.count(self._picked(state, stage, all_[begun:])[1]))
            return _Option(sets.count(), -1, stage=stage, sets=sets)
        sets = Completions(chosen, picked)
        count = sets.count()
        if count:
            count *= self.count(self._picked(state, stage, sets.drawn(_First()))[1])
        return _Option(count, -1, stage=stage, sets=sets)

    def _picked(self, state: State, stage: StageData, cards: tuple[int, ...]) -> tuple[tuple[int, ...], State | None]:
        """Return the small actions that pick some cards, and the state after them if the decision goes on."""
        faces, actions = state.game.card_faces, list[int]()
        here: State | None = state
        for card in cards:
            assert here is not None
            actions.append(stage.base + faces[card])
            here = self._follow(here, actions[-1])
        if not cards or (here is not None and here.node == stage.node):
            assert here is not None
            actions.append(stage.base + len(state.game.faces))
            here = self._follow(here, actions[-1])
        return tuple(actions), here

    def _follow(self, state: State, action: int) -> State | None:
        self._followed += 1
        if self._followed > MOST_FOLLOWED:
            raise TooManyError
        return unfinished(state, action)


class _First:
    """A generator that always gives the least number."""

    def random(self) -> float:
        return 0.0


def _set_of(state: State, stage: StageData) -> tuple[tuple[int, ...], object]:
    """Return what is picked already of the set of a stage, and how the set is chosen.  Raises TooManyError."""
    if state.node != stage.node:
        chosen = state.code.names.get(f"set_{stage.node}")
        if chosen is None:
            raise TooManyError
        state.steps = 0
        try:
            return (), chosen(state, state.values, state.zones)
        except RuleError:
            raise TooManyError from None
    trial = state.clone()
    trial._legal = None  # What is listed anew is kept as well.
    trial.legal_actions()
    return tuple(trial.values[trial.code.picked] or ()), trial.set_memo


def _resampled(state: State, rng: Rng) -> tuple[int, ...]:
    """Return a sentence that is drawn about evenly, however many there are."""
    found, weights = list[tuple[int, ...]](), list[int]()
    for _ in range(RESAMPLED):
        here: State | None = state
        actions, options = list[int](), list[int]()
        while here is not None:
            legal = here.legal_actions()
            actions.append(legal[below(rng, len(legal))])
            options.append(len(legal))
            here = unfinished(here, actions[-1])
        found.append(tuple(actions))
        weights.append(prod(options))
    left = below_any(rng, sum(weights))
    return next(actions for actions, odds in zip(found, accumulate(weights), strict=True) if left < odds)
