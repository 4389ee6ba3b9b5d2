"""A parser of sentences by backtracking with a memo: which small actions the words of a whole decision mean.

Only where one set of cards follows another can words mean several things: where the first set ends.  It then has as
many of the words as leave a legal rest.  What has failed once after the same words is not tried again, and the work is
counted, as a sentence may have more ways to be cut than anybody can wait for; `done` says where a set ends.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.analysis.types import Card, base_of
from interpreter.engine.faults import IllegalActionError
from interpreter.text.prompts import outcome_text
from interpreter.text.texts import DONE, NOTHING, Texts, word_for

if TYPE_CHECKING:
    from interpreter.engine.game_data import ActionData, StageData
    from interpreter.engine.machine import Machine

MOST_STEPS = 3_000_000
"""Elementary steps that reading one sentence may take: less than a second."""

LEGALITY = 500
"""The least cost of a query for legal actions, with the copy of the state for it."""

WORD = 10
"""The cost of reading a word."""

TOO_MANY_WAYS = f"there are too many ways to cut this into sets: say where each of them ends, with `{DONE}`"

Cut = tuple[tuple[int, ...], "Machine | None"]
"""Small actions, and the state after them; None where they are not all legal."""


def read(state: Machine, text: str) -> int | tuple[int, ...]:
    """Return the small actions that a text means here.  Raises IllegalActionError with what is wrong."""
    words = re.sub(r"(?i)\bplayer\s+(?=\d+\b)", "player", text.replace(",", " ")).split()  # `player 3` is one word.
    if state.is_chance_node():
        return _outcome(state, text, words)
    if not words:
        raise IllegalActionError("say what to do")
    wanted = " ".join(words).lower()
    exact = _legal_texts(state.game.texts, tuple(state.legal_actions())).get(wanted)
    if exact is not None:
        return exact
    found = parse(state, words)
    trial = state.clone()
    for number, action in enumerate(found):
        if number and not trial.is_unfinished():
            raise IllegalActionError("these are more cards than can be chosen")
        trial.apply_action(action)
    return found[0] if len(found) == 1 else found


@lru_cache(maxsize=4)
def _legal_texts(texts: Texts, legal: tuple[int, ...]) -> dict[str, int]:
    """Return legal actions by their texts in small letters, as `small_action` gives them one by one.

    Kept, since many texts are read at one decision, and there may be 100,000 actions.
    """
    said = {a: texts.action(a) for a in reversed(legal)}
    if texts.has_twins:
        times = Counter(said.values())
        said = {a: text if times[text] == 1 else texts.action(a, full=True) for a, text in said.items()}
    return {text.lower(): action for action, text in said.items()}


def _outcome(state: Machine, text: str, words: list[str]) -> int | tuple[int, ...]:
    """Return the chance outcome that a text means, or, of as many cards as nobody knows, those of all."""
    texts = state.game.texts
    if state.awaited is not None and len(words) == len(state.undetermined) > 1:
        lying = {state.game.card_faces[card] for pool in state.pools.values() for card in pool}
        return tuple(texts.read_face(word, None, lying) for word in words)
    wanted = "".join(words).lower()
    possible = [outcome for outcome, _ in state.chance_outcomes()]
    found = [o for o in possible if wanted == outcome_text(state, o).lower().replace(" ", "")]
    if not found and (state.awaited is not None or state.game.chance_is_card(state.node)):
        found = [o for o in possible if wanted == texts.face(o).lower()]
    if not found:
        raise IllegalActionError(f"`{text}` is no outcome here")
    return texts.one_of(found, text)


def parse(state: Machine, words: list[str]) -> tuple[int, ...]:
    """Return the small actions of a sentence, without a check whether they are legal.

    Raises IllegalActionError where the words are no sentence of the decision.
    """
    decision = state.decision_data()
    if decision is None:
        raise IllegalActionError("nobody is to act")
    matching = [a for a in decision.actions if a.verb.lower() == words[0].lower()]
    if not matching:
        verbs = ", ".join(dict.fromkeys(state.game.texts.shape_of(a).verb for a in state.legal_actions()))
        raise IllegalActionError(f"`{words[0]}` is not possible here; you can: {verbs}")
    problem: IllegalActionError | None = None
    for action in matching:
        try:
            return _Reader(state, action).stages(decision.stage, words[1:], state, ())[0]
        except IllegalActionError as error:
            problem = problem or error
    assert problem is not None
    raise problem


class _Reader:
    """Reads the words after a verb as the stages of one action."""

    def __init__(self, state: Machine, action: ActionData) -> None:
        self.texts = state.game.texts
        self.state = state
        self.action = action
        self.all_stages = action.stages
        self.steps = 0
        self.failed: set[tuple[Any, ...]] = set()
        self.is_read = [any(arg.is_read for arg in action.args_of(stage)) for stage in self.all_stages]

    def stages(self, first: int, words: list[str], at: Machine | None, before: tuple[Any, ...]) -> Cut:
        """Return the small actions of the stages from one on.

        `before` is what the legality of these depends on besides which words are left.
        """
        actions: list[int] = []
        rest = list(words)
        for number, stage in enumerate(self.all_stages[first:], first):
            later = self.all_stages[number + 1 :]
            if not stage.is_set:
                action, at = self._single(stage, rest, at)
                actions.append(action)
                before = (*before, action)
                continue
            if any(other.is_set for other in later):
                following, at = self._set_and_more(number, rest, at, before)
                return (*actions, *following), at
            keep = sum(other.count for other in later)
            mine = rest[: len(rest) - keep]
            del rest[: len(mine)]
            own, at = self._set(stage, mine, at)
            actions.extend(own)
        if rest:
            raise IllegalActionError(f"`{' '.join(rest)}` is too much")
        return tuple(actions), at

    def _set_and_more(self, number: int, words: list[str], at: Machine | None, before: tuple[Any, ...]) -> Cut:
        """Return the small actions of a set that another one follows, and of all that follows.

        The set ends at `done`; where the word is missing it has as many cards as it can, so that the rest is legal too.
        """
        low = [w.lower() for w in words]
        sizes = range(min(len(words), len(self.texts.faces)), -1, -1)
        if low[:1] in ([NOTHING], ["none"]):
            sizes = range(1, 2)
        elif DONE in low:
            sizes = range(low.index(DONE), low.index(DONE) + 1)
        problem = IllegalActionError(f"say where the first cards end: with `{DONE}`")
        for size in sizes:
            following = words[size:]
            if following and following[0].lower() == DONE:
                del following[0]
            try:
                own, after = self._set(self.all_stages[number], words[:size], at)
                known = None if after is None else (*before, own) if self.is_read[number] else before
                mark = (number, len(following), known)
                if mark in self.failed:
                    continue
                self.failed.add(mark)
                rest, end = self.stages(number + 1, following, after, known or ())
            except IllegalActionError as error:
                if self.steps > MOST_STEPS:
                    raise
                problem = error
                continue
            if len(sizes) == 1 or end is not None:
                return (*own, *rest), end
        raise problem

    def _set(self, stage: StageData, words: list[str], at: Machine | None) -> Cut:
        """Return the picks of a set, and its end where it does not end by itself."""
        empty = [w.lower() for w in words] in ([NOTHING], ["none"])
        if empty and stage.node == self.state.node and self.state.picked():
            raise IllegalActionError(f"cards are picked already: `{DONE}` ends the set, `{words[0]}` does not")
        named = [] if empty else words
        faces = sorted(self._face(word, self._possible(stage, at)) for word in named)
        picks = tuple(stage.base + face for face in faces)
        is_later = not picks and at is not self.state
        if is_later and at is not None and not (at.is_unfinished() and at.node == stage.node):
            return (), at  # A set of no cards is complete at once.
        for count, action in enumerate(picks, 1):
            at = self._after(at, action)
            if at is None:
                break
            if not at.is_unfinished() or at.node != stage.node:
                return picks, at if count == len(picks) else None
        done = stage.base + len(self.texts.faces)
        return (*picks, done), self._after(at, done)

    def _single(self, stage: StageData, rest: list[str], at: Machine | None) -> tuple[int, Machine | None]:
        """Return the small action of single arguments, and take its words away."""
        number = 0
        below = stage.size
        for arg, dim in zip(self.action.args_of(stage), stage.dims, strict=True):
            if not rest:
                raise IllegalActionError(f"say which {word_for(arg.type)}")
            below //= dim
            word = rest.pop(0)
            if isinstance(base_of(arg.type), Card):
                value = self._face(word, {part // below % dim for part in self._possible(stage, at)})
            else:
                value = self.texts.read_value(arg.type, word)
            number = number * dim + value
        action = stage.base + number
        return action, self._after(at, action)

    def _face(self, word: str, possible: set[int]) -> int:
        self._spend(WORD)
        return self.texts.read_face(word, self.state.to_act, possible)

    def _possible(self, stage: StageData, at: Machine | None) -> set[int]:
        """Return the legal small actions of a stage, from 0, where cards of several decks have one name."""
        if at is None or not self.texts.has_twins:
            return set()
        return {a - stage.base for a in self._legal(at) if stage.base <= a < stage.base + stage.size}

    def _after(self, at: Machine | None, action: int) -> Machine | None:
        """Return the state after one more small action of the sentence; None where it is not legal."""
        if at is None or (at is not self.state and not at.is_unfinished()) or action not in self._legal(at):
            return None
        following = at.clone()
        following.apply_unchecked(action)
        return following

    def _legal(self, at: Machine) -> list[int]:
        self._spend(LEGALITY)
        legal = at.legal_actions()
        self._spend(at.steps)
        return legal

    def _spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise IllegalActionError(TOO_MANY_WAYS)
