"""Reproducible random playouts: a seed and a number determine a play on every machine.

Chance and decisions draw from different generators, so that a playout whose decisions are changed keeps its
chance as far as possible; that is what shrinking a counter-example needs.  Chance is that of a session with the seed
`Plan.dice`, so that a playout can be gone on with at the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING
from zlib import crc32

import attrs

from interpreter.engine import chance
from interpreter.engine.drawing import draw_sentence
from interpreter.engine.faults import RuleError
from interpreter.records.session import resolve_from_seed
from interpreter.text.texts import DONE, NOTHING

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State

STEPWISE_EVERY = 4
"""One playout in 4 answers each chance outcome by itself; the others answer whole chance events."""


@attrs.frozen
class Plan:
    """The identity of a playout: the seed of the run, and the number of the playout in it, from 0."""

    seed: int
    number: int

    @property
    def stepwise(self) -> bool:
        """Whether each chance outcome is answered by itself, through `chance_outcomes`."""
        return self.number % STEPWISE_EVERY == STEPWISE_EVERY - 1

    @property
    def dice(self) -> int:
        """The seed of its chance, with which a session deals the same cards, unless the playout is stepwise."""
        return int.from_bytes(sha256(f"{self.seed}/{self.number}".encode()).digest()[:6], "big")

    @property
    def by_sentences(self) -> bool:
        """Whether each whole decision is as likely as any other, as in every other playout; else each small action.

        Of a set that is picked card by card these try the small ones often, and those about half of the cards.
        """
        return self.number % 2 == 0

    def rng(self, purpose: str) -> Random:
        """Return a generator of its own for one purpose."""
        return Random(f"{self.seed}/{self.number}/{purpose}")

    def sampled(self, position: int, rate: int) -> bool:
        """Say whether a check done once in `rate` times is due at a position: a fixed rule, not a draw."""
        return rate == 1 or crc32(b"%d/%d/%d" % (self.number, position, rate)) % rate == 0


@attrs.frozen
class Taken:
    """A small action that was carried out; `first` where a new decision begins with it."""

    player: int
    action: int
    first: bool


class Playout:
    """A playout at one of its states.

    `script` gives the small actions; what is not legal when its turn comes is left out, and the playout
    halts where the script ends.  Without a script the actions are drawn at random (`Plan.by_sentences`).
    """

    def __init__(self, game: Game, plan: Plan, script: Sequence[int] | None = None) -> None:
        self.game = game
        self.plan = plan
        self.state: State = game.new_initial_state()
        self.taken: list[Taken] = []
        self.position = 0
        self._dice = plan.rng("chance")
        self._choices = plan.rng("actions")
        self._script = None if script is None else iter(script)
        self._sentence: list[int] = []

    def step(self) -> bool:
        """Go on to the next state; False where there is none.  Raises RuleError, IllegalActionError."""
        state = self.state
        if state.is_terminal():
            return False
        if state.is_chance_node():
            self._answer()
        else:
            legal = state.legal_actions()
            action = self._choose(legal)
            if action is None:
                return False
            decision = state.decision()
            assert decision is not None
            self.taken.append(Taken(state.current_player(), action, decision.only is None))
            state.apply_action(action)
        self.position += 1
        return True

    def _answer(self) -> None:
        if not self.plan.stepwise:
            resolve_from_seed(self.state, self.plan.dice)
            return
        self.state.apply_action(drawn(self.state.chance_outcomes(), self._dice))

    def _choose(self, legal: list[int]) -> int | None:
        if self._script is None:
            return self._drawn(legal)
        return next((action for action in self._script if action in legal), None)

    def _drawn(self, legal: list[int]) -> int:
        if self._sentence:
            return self._sentence.pop(0)
        if self.plan.by_sentences:
            try:
                action, *self._sentence = draw_sentence(self.state, self._choices)
            except RuleError:  # The rules fail after some beginnings; some of these are met small action by action.
                pass
            else:
                return action
        return legal[chance.below(self._choices, len(legal))]

    def actions(self) -> list[int]:
        """Return the small actions so far."""
        return [t.action for t in self.taken]


def drawn(outcomes: list[tuple[int, float]], rng: Random) -> int:
    """Return an outcome drawn by its probability."""
    left = rng.random()
    for outcome, probability in outcomes:
        left -= probability
        if left < 0:
            return outcome
    return outcomes[-1][0]


def sentences(game: Game, taken: Sequence[Taken]) -> list[str]:
    """Return small actions as whole sentences, such as `player 1: discard C2 W5`.

    The last sentence may be unfinished; then it has only the picks so far.
    """
    texts: list[str] = []
    picked = None
    for step, next_ in zip(taken, [*taken[1:], None], strict=False):
        shape = game.texts.shape_of(step.action)
        rest = game.texts.after_verb(game.texts.action(step.action), step.action)
        if step.first:
            texts.append(f"player {step.player + 1}: {shape.verb}")
        if shape.is_set:
            ends = step.action == shape.base + shape.size - 1
            if ends:
                between = next_ is not None and not next_.first and game.texts.shape_of(next_.action).is_set
                rest = NOTHING if picked is not shape else DONE if between else ""
            picked = None if ends else shape
        if rest:
            texts[-1] += f" {rest}"
    return texts
