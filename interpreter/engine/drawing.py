"""Uniform sampling of complete decisions by counting: sentences are counted by their parts, not listed.

Small actions are no fair choice where a decision has several: of a set that is picked card by card, one that ends early
comes up far more often than one that goes on.  So each small action counts as often as it can be completed.  Where that
is too much, some sentences are drawn small action by small action, and one of them is taken with odds of how seldom it
comes up so (sampling, importance resampling), which is close to even.

Sets are counted by dynamic programming over runs of one face.  The cards that can still be picked are gone through in
order, copies of one face together, since of these only the number counts.  What has been picked matters through a total
alone (`interpreter.engine.sets`), so the ways to go on are counted once for each place and total.  Where a condition
asks for the cards one by one, totals are the sets themselves, and there may be too many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.engine.chance import Rng, below, below_any
from interpreter.engine.faults import RuleError
from interpreter.engine.sets import Picked
from interpreter.text.sentences import has_single_actions, open_stages, unfinished

if TYPE_CHECKING:
    from interpreter.engine.game import State
    from interpreter.engine.game_data import ActionData, StageData


MOST_TOTALS = 20_000
"""Places and totals that are looked at."""


class TooManyError(Exception):
    """There is too much to count."""


class Completions:
    """The legal sets that complete some picks; `weight`, if it is given, is how often each of them counts.

    `chosen` is one of the classes of `interpreter.engine.sets`.
    """

    def __init__(self, chosen: Any, picked: Picked, weight: Callable[[Picked], int] | None = None) -> None:
        self._chosen = chosen
        self._weight = weight
        self._picked = picked
        faces, last = chosen.faces, picked[-1] if picked else -1
        self._runs: list[list[int]] = []
        for card in chosen.cards:
            if card <= last:
                continue
            if self._runs and faces[self._runs[-1][0]] == faces[card]:
                self._runs[-1].append(card)
            else:
                self._runs.append([card])
        self._known: dict[Any, int] = {}

    def count(self) -> int:
        """Return how many there are.  Raises TooManyError."""
        return self._count(0, self._chosen.total(self._picked), self._picked)

    def drawn(self, rng: Rng) -> Picked:
        """Return the cards that one of them adds to the picks; there must be one.  Raises TooManyError."""
        total, picked = self._chosen.total(self._picked), self._picked
        for place in range(len(self._runs)):
            left = below_any(rng, self._count(place, total, picked))
            for grown, cards in self._ways(place, total):
                left -= self._count(place + 1, grown, picked + cards)
                if left < 0:
                    total, picked = grown, picked + cards
                    break
        return picked[len(self._picked) :]

    def _count(self, place: int, total: Any, picked: Picked) -> int:
        if place == len(self._runs):
            if not self._chosen.is_whole(total):
                return 0
            return 1 if self._weight is None else self._weight(picked)
        key = (place, total) if self._weight is None else (place, picked)
        known = self._known.get(key)
        if known is None:
            known = sum(self._count(place + 1, grown, picked + cards) for grown, cards in self._ways(place, total))
            if len(self._known) >= MOST_TOTALS:
                raise TooManyError
            self._known[key] = known
        return known

    def _ways(self, place: int, total: Any) -> list[tuple[Any, Picked]]:
        """Return the totals with none, one, .. of the copies at a place, each with these copies."""
        run = self._runs[place]
        ways: list[tuple[Any, Picked]] = [(total, ())]
        for number, card in enumerate(run, 1):
            total = self._chosen.grown(total, card)
            if total is None:
                break
            ways.append((total, tuple(run[:number])))
        return ways


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
        for of, stage in open_stages(decision):
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
    trial._legal = None  # Otherwise the memo of the set is not filled.
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
