"""Lockstep: run two plays side by side, and compare everything that one viewer is shown.

The first play follows a history, or random choices.  The second repeats each of its steps.  The viewer's decisions are
the same; another player's decision is one that looks the same to the viewer; chance has the same outcomes, with the
exchanged cards in place of each other.  The comparison runs at each stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.engine import chance, interruption
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.renaming import renamed
from interpreter.fuzz.exchange.shown import REPORTED, shown
from interpreter.fuzz.exchange.traced import SideEffect, Traced, Viewer

if TYPE_CHECKING:
    from interpreter.engine.machine import HistoryItem

ANSWERS = 6
"""The most decisions of another player that are tried to find one that looks the same to the viewer."""

REPLAYED = 3
"""One stop in 3 is compared in full while the first play repeats a history."""

BRIEF = 0.3
"""The cost of a comparison of reported events only, as a share of a full comparison."""

DRAWS = 50
"""The most chance events between two decisions; a comparison with more is given up."""


class Unmatched(Exception):  # noqa: N818 -- no error: the two plays cannot go on side by side
    """The second play has no counterpart of a step, or a fault."""


class FaultInVariant(Unmatched):
    """A rule cannot be carried out in the second play, and can in the first: `fault` says why."""

    def __init__(self, fault: RuleError) -> None:
        super().__init__(fault.message)
        self.fault = fault


@attrs.frozen
class Change:
    """In what the second play differs.

    `cards` says which card lies in the place of which, where they were permuted, from the step `start` of the history
    on (-1: in the state itself); `slots` gives variables other values, each with the step that sets it; `hidden` says
    that from `start` on the first hidden decision, or hidden outcome, is another one.
    """

    cards: dict[int, int] = attrs.field(factory=dict)
    slots: dict[int, tuple[Any, int]] = attrs.field(factory=dict)
    start: int = -1
    hidden: bool = False

    @property
    def first(self) -> int:
        """The first step in which the plays may differ."""
        return min([self.start, *(step for _, step in self.slots.values())])

    def missed(self, state: Traced, step: int) -> bool:
        """Say whether a variable that a step sets has not got its other value."""
        return any(state.values[slot] != value for slot, (value, at) in self.slots.items() if at == step)


@attrs.frozen
class Piles:
    """The faces that shuffled cards turn out to have once the history is so long."""

    position: int
    faces: tuple[int, ...]


@attrs.frozen
class Difference:
    """Something that a viewer is shown in two versions, and how the two plays came to it.

    `before` are copies of both before the step, `step` the entries of their histories in it; `effects` are what
    statements did in it; `decided` says that the step began with a decision that was another one on purpose.
    """

    what: str
    one: Any
    other: Any
    before: tuple[Traced, Traced]
    after: tuple[Traced, Traced]
    effects: tuple[tuple[SideEffect, ...], tuple[SideEffect, ...]]
    step: tuple[list[HistoryItem], list[HistoryItem]]
    decided: bool


class Lockstep:
    """Two plays, from two states of which the viewer has been shown the same.

    `numbers` says whether tensors are compared too.
    """

    def __init__(
        self, viewer: Viewer, one: Traced, other: Traced, change: Change, rng: Random, *, numbers: bool
    ) -> None:
        self.viewer, self.change, self.rng, self.numbers = viewer, change, rng, numbers
        self.one, self.other = one, other
        self.everyone = one.game.everyone
        self.faces = one.game.card_faces
        self.exchanged = change.start < 0
        self.varied = not change.hidden
        self.seed = str(rng.random())
        self.before = (one, other)
        """Both plays before the step, which are copies once there is one."""
        self.steps: tuple[list[HistoryItem], list[HistoryItem]] = ([], [])
        """The entries of the histories that the plays took in the step."""
        self.decided = False
        self.comparisons = 1.0
        """How often all that is shown has been compared, and one for beginning."""
        self.briefly = False
        """Whether only what has been reported is compared, and who is to act."""
        self.entries = 0
        """How many entries of histories have been carried out."""

    # ---- comparing

    def compare(self) -> Difference | None:
        """Return the first thing that the viewer is shown differently."""
        one, other, before = self.one, self.other, self.before
        self.comparisons += BRIEF if self.briefly else 1
        first, result = REPORTED if self.briefly else None, one.outcome() == other.outcome()
        pairs = zip(self._shown(one, result=result), self._shown(other, result=result), strict=False)
        for (what, mine), (_, theirs) in islice(pairs, first):
            if mine != theirs:
                effects = (tuple(one.done[len(before[0].done) :]), tuple(other.done[len(before[1].done) :]))
                return Difference(what, mine, theirs, before, (one, other), effects, self.steps, self.decided)
        return None

    def _shown(self, state: Traced, *, result: bool) -> Iterator[tuple[str, Any]]:
        try:
            yield from shown(state, self.viewer, self.seed, numbers=self.numbers, result=result)
            decision = state.decision()
            if decision is not None and state.to_act != self.viewer:
                yield "whether the next decision is secret", decision.is_secret
        except RuleError as fault:
            raise self._mismatch(state, fault) from None

    def _mismatch(self, state: Traced, fault: RuleError) -> Unmatched:
        return FaultInVariant(fault) if state is self.other else Unmatched()

    # ---- going on

    def run(
        self, history: list[HistoryItem], decisions: int, piles: Piles | None = None, past: int = 0
    ) -> Difference | None:
        """Go on as the history of the first play says, and then for so many decisions.

        Where the history is no longer than `past`, little is compared at most stops.  Return what the viewer is shown
        differently, None where nothing is.  Raises Unmatched and FaultInVariant.
        """
        items = iter(history)
        goal = len(self.one.entries) // 2 + len(history)
        found = self._settled(items) if -1 in (self.one.to_act, self.other.to_act) else None
        while found is None and not self.one.is_terminal():
            position = len(self.one.entries) // 2
            if piles is not None and position >= piles.position:
                self._determine(piles.faces)
                piles = None
            if position >= goal:
                if decisions <= 0:
                    return None
                decisions -= 1
            self.briefly = position < past - 1 and self.rng.random() * REPLAYED >= 1
            found = self.step(items)
        return found

    def _determine(self, faces: tuple[int, ...]) -> None:
        """Let all cards of shuffled piles be what they are in the first play, exchanged in the second."""
        try:
            self.one.determine_all(faces)
            if self.other.undetermined:
                self.other.determine_all(self._drawn())
        except IllegalActionError:
            raise Unmatched from None

    def step(self, items: Iterator[HistoryItem]) -> Difference | None:
        """Let one decision be made in both plays, and what follows from it.  Raises Interrupted."""
        interruption.check()
        self.one.forget()
        self.other.forget()
        self._begin_step()
        self.decided = False
        return self._decide(items) or self._after(items)

    def _begin_step(self) -> None:
        self.before, self.steps = (self.one.clone(), self.other.clone()), ([], [])

    def _settled(self, items: Iterator[HistoryItem]) -> Difference | None:
        self._begin_step()
        return self._after(items)

    def _after(self, items: Iterator[HistoryItem]) -> Difference | None:
        self._chance(items)
        return self.compare()

    def _take(self, state: Traced, item: HistoryItem, step: list[HistoryItem]) -> None:
        step.append(item)
        self.entries += 1
        try:
            state.apply_action(item)
        except IllegalActionError:
            raise Unmatched from None
        except RuleError as fault:
            raise self._mismatch(state, fault) from None

    # ---- decisions

    def _decide(self, items: Iterator[HistoryItem]) -> Difference | None:
        one, actor = self.one, self.one.to_act
        if self.other.to_act != actor:
            raise Unmatched
        self._begin(len(one.entries) // 2)
        while True:
            if actor == self.viewer and self.steps[0]:
                found = self.compare()
                if found is not None:
                    return found
            item = self._chosen(one, items)
            self._take(one, item, self.steps[0])
            if actor == self.viewer:
                self._take(self.other, item, self.steps[1])
            if one.to_act != actor or not one.is_unfinished():
                break
        if actor != self.viewer:
            self._answer()
        return None

    def _chosen(self, state: Traced, items: Iterator[HistoryItem]) -> HistoryItem:
        item = next(items, None)
        if item is not None:
            return item
        try:
            legal = state.legal_actions()
        except RuleError:
            raise Unmatched from None
        return legal[chance.below(self.rng, len(legal))]

    def _begin(self, position: int) -> None:
        """Let the cards be exchanged from the step on at which they are to be."""
        if position >= self.change.start:
            self.exchanged = True

    def _varies(self, position: int) -> bool:
        """Say whether what is hidden in this step is to be another in the second play."""
        if any(step == position for _, step in self.change.slots.values()):
            return True
        return not self.varied and position >= self.change.start

    def _answer(self) -> None:
        """Let another decide in the second play so that the viewer sees the same of it."""
        before, steps = self.before, self.steps
        mine = _decision(self.one, before[0])
        taken = [item for item in steps[0] if isinstance(item, int)]
        position = len(before[0].entries) // 2
        vary = self._varies(position)
        for made in self._answers(taken, vary=vary):
            trial = self.other.clone()
            try:
                theirs = list(made(trial))
            except RuleError as fault:
                raise FaultInVariant(fault) from None
            if not theirs or (trial.to_act == -4 and self.one.to_act != -4):
                continue
            decision = _decision(trial, before[1])
            if self._public(decision) != self._public(mine):
                continue
            if vary:
                if decision is None or mine is None or _whole(decision) == _whole(mine):
                    continue
                if self.change.missed(trial, position):
                    continue
                self.varied = self.decided = True
            self.other = trial
            steps[1].extend(theirs)
            return
        if vary and self.change.hidden:
            # Nothing is hidden here, so the same is done.
            for item in taken:
                self._take(self.other, item, steps[1])
            return
        raise Unmatched

    def _answers(self, taken: list[int], *, vary: bool) -> Iterator[Callable[[Traced], Iterator[int]]]:
        if not vary:
            moved = [card for card in self.one.chosen if card in self.change.cards] if self.exchanged else []
            if moved:
                faces = {self.faces[card]: self._exchanged(card) for card in moved}
                yield lambda state: _carried_out(state, renamed(state.game, taken, faces))
            yield lambda state: _carried_out(state, taken)
        try:
            begin = self.other.legal_actions()
        except RuleError:
            return
        chance.mix(self.rng, begin)
        for number in range(ANSWERS):
            yield partial(self._any, begin[number % len(begin)])

    def _any(self, action: int, state: Traced) -> Iterator[int]:
        """Carry out any decision that begins with an action."""
        actor = state.to_act
        made = [action]
        try:
            state.apply_unchecked(action)
            while state.to_act == actor and state.is_unfinished():
                legal = state.legal_actions()
                made.append(legal[chance.below(self.rng, len(legal))])
                state.apply_unchecked(made[-1])
        except RuleError:
            return
        yield from made

    def _public(self, effect: SideEffect | None) -> object:
        return None if effect is None else effect.shown(self.viewer, self.everyone)

    # ---- chance

    def _chance(self, items: Iterator[HistoryItem]) -> None:
        """Answer what waits in both plays, the same in both as far as it is the same event."""
        for _ in range(DRAWS):
            one, other = self.one, self.other
            if one.to_act != -1 and other.to_act != -1:
                return
            position = len(one.entries) // 2
            self._begin(position)
            if one.to_act != -1:
                self._alone()
                continue
            waits = one.awaited is not None
            values = not waits and other.to_act == -1 and other.awaited is None
            if values and self._is_seen(one) and not self._is_seen(other):
                self._alone()  # An event that the viewer sees can only match another that the viewer sees.
                continue
            if values and not self._is_seen(one) and self._is_seen(other):
                self._take(one, self._outcome(items, None), self.steps[0])
                continue
            together = other.to_act == -1 and (other.awaited is not None) == waits and (waits or other.node == one.node)
            item = self._outcome(items, other if together else None)
            count = len(one.done)
            self._take(one, item, self.steps[0])
            if not together:
                continue
            if not waits:
                self._fall(item, count, position)
            elif isinstance(item, int):
                self._alone()
            else:
                self._take(other, self._drawn(), self.steps[1])
        raise Unmatched

    def _is_seen(self, state: Traced) -> bool:
        """Say whether the viewer sees a value that chance chooses next."""
        for outcome, _ in state.chance_outcomes()[:2]:  # The first can be the value that a variable has already.
            trial = state.clone()
            try:
                trial.apply_action(outcome)
            except RuleError as fault:
                raise self._mismatch(state, fault) from None
            if self._fell(trial, len(state.done)):
                return True
        return False

    def _alone(self) -> None:
        """Answer one event of the second play: a card that the first play knows is what it is there, exchanged."""
        other = self.other
        outcomes = [outcome for outcome, _ in other.chance_outcomes()]
        card = None if other.awaited is None else self.one.drawn.get(other.awaited)
        if card is not None and (face := self._exchanged(card)) in outcomes:
            self._take(other, face, self.steps[1])
        else:
            self._take(other, outcomes[chance.below(self.rng, len(outcomes))], self.steps[1])

    def _outcome(self, items: Iterator[HistoryItem], other: Traced | None) -> HistoryItem:
        """Return what chance answers in the first play: best what it cannot answer in the other."""
        item = next(items, None)
        one = self.one
        if item is not None:
            return item
        if one.awaited is not None:
            return one.draw_all(self.rng)
        outcomes = [outcome for outcome, _ in one.chance_outcomes()]
        if other is not None and not one.game.chance_is_card(one.node):
            there = {outcome for outcome, _ in other.chance_outcomes()}
            outcomes = [o for o in outcomes if o not in there] or outcomes
        return outcomes[chance.below(self.rng, len(outcomes))]

    def _drawn(self) -> tuple[int, ...]:
        """Return what the waiting piles of the second play hold: the cards of the first play, exchanged.

        Where the exchanged card is not in the pool it is that of the first play, or any where that is not either.
        """
        other, drawn = self.other, self.one.drawn
        tokens = [token for _, token in other.tokens_in_order()]
        left = {number: sorted(self.faces[c] for c in pool) for number, pool in other.pools.items()}
        found: dict[int, int] = {}
        for face_of in (self._exchanged, self.faces.__getitem__):
            for token in tokens:
                if token in found or token not in drawn:
                    continue
                face = face_of(drawn[token])
                if face in left[other.undetermined[token]]:
                    left[other.undetermined[token]].remove(face)
                    found[token] = face
        for token in tokens:
            if token not in found:
                pool = left[other.undetermined[token]]
                found[token] = pool.pop(chance.below(self.rng, len(pool)))
        return tuple(found[token] for token in tokens)

    def _exchanged(self, card: int) -> int:
        """Return the face of the card that lies in the second play where a card lies in the first."""
        return self.faces[self.change.cards.get(card, card) if self.exchanged else card]

    def _fall(self, item: HistoryItem, count: int, position: int) -> None:
        """Let chance answer in the second play as in the first, or otherwise where the viewer does not see it.

        `count` is how many effects the first play had before the answer.
        """
        assert isinstance(item, int)
        one, other = self.one, self.other
        new = one.done[count:]
        outcomes = [outcome for outcome, _ in other.chance_outcomes()]
        wanted = item
        if one.game.chance_is_card(other.node):
            wanted = next((self._exchanged(d.cards[0].card) for d in new if d.kind == "chance"), item)
        if self._varies(position):
            others = [o for o in outcomes if o != wanted]
            for _ in range(min(ANSWERS, len(others))):
                outcome = others.pop(chance.below(self.rng, len(others)))
                trial = other.clone()
                try:
                    trial.apply_action(outcome)
                except IllegalActionError:
                    continue
                except RuleError as fault:
                    raise FaultInVariant(fault) from None
                if self._fell(trial, len(other.done)) != self._fell(one, count):
                    continue
                if self.change.missed(trial, position):
                    continue
                self.other, self.varied = trial, True
                self.steps[1].append(outcome)
                return
            if self.change.slots:
                raise Unmatched
        if wanted not in outcomes:
            # The exchanged card may lie elsewhere: what the viewer may see of chance stays the same where it can.
            wanted = item
        if wanted not in outcomes:
            wanted = outcomes[chance.below(self.rng, len(outcomes))]
        self._take(other, wanted, self.steps[1])

    def _fell(self, state: Traced, count: int) -> object:
        """Return what the viewer sees of an outcome, and of what it was put into, after so many effects.

        If the node that sets a variable to the outcome waits for a card, it reports that only when the card is drawn.
        """
        new = state.done[count:]
        if state.awaited is not None:
            drawn = state.clone()
            with suppress(RuleError):  # A rule that cannot be carried out with these cards says nothing of the outcome.
                drawn.apply_action(drawn.draw_all(self.rng))
                new = drawn.done[count:]
        number = next((n for n, effect in enumerate(new) if effect.kind == "chance"), None)
        if number is None:
            return None
        into = [
            effect
            for effect in new[number + 1 : number + 2]
            if effect.kind == "set" and not new[number].shown_privately
        ]
        views = [effect.shown(self.viewer, self.everyone) for effect in (new[number], *into)]
        return [view for view in views if view is not None]


def _decision(state: Traced, before: Traced) -> SideEffect | None:
    """Return the decision that was made since; None where it is not reported yet."""
    return next((d for d in state.done[len(before.done) :] if d.kind == "decide"), None)


def _whole(effect: SideEffect) -> object:
    return (effect.private, tuple(sorted(c.face or 0 for c in effect.cards)), effect.common)


def _carried_out(state: Traced, actions: list[int]) -> Iterator[int]:
    """Carry out small actions if they are one legal decision; give them.  Raises RuleError."""
    actor = state.to_act
    for number, action in enumerate(actions):
        if (number and not (state.to_act == actor and state.is_unfinished())) or action not in state.legal_actions():
            return
        state.apply_unchecked(action)
    if state.to_act == actor and state.is_unfinished():
        return
    yield from actions
