"""Pairs of plays that a viewer cannot distinguish, as the declarations of a spec say, without any table or event log.

`interpreter.fuzz.exchange.traced` records what each statement does and whom its declaration lets see it.  A pair is
two plays in which all that the viewer is let see is equal.  They differ in cards that the viewer never sees, or in what
is decided unseen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.game import Game, State
from interpreter.engine.machine import HistoryItem
from interpreter.fuzz.exchange import lockstep
from interpreter.fuzz.exchange.lockstep import Change, Lockstep, Unmatched
from interpreter.fuzz.exchange.traced import Traced, Viewer, sees, traced

TRIES = 400


@attrs.frozen
class Line:
    """A play: what chance answers, and the decisions of the players, each in order."""

    chance: tuple[HistoryItem, ...]
    decisions: tuple[tuple[int, tuple[int, ...]], ...]

    def resolve(self) -> Any:
        """Return what answers the chance events of a state as in this play."""
        items = iter(self.chance)

        def answer(state: State) -> None:
            state.apply_action(next(items))

        return answer


def _shown(
    state: Traced, viewer: Viewer, seed: str, *, numbers: bool, result: bool = True
) -> Iterator[tuple[str, Any]]:
    """Give what the declarations let a viewer see of the last step, and the public result."""
    del seed, numbers, result
    yield "who is to act", state.to_act
    yield "what was done", [d for effect in state.done if (d := effect.shown(viewer, state.game.everyone)) is not None]
    yield "the end", None if state.outcome() is None else (state.outcome(), state.returns())


def pairs(
    monkeypatch: pytest.MonkeyPatch, game: Game, viewer: Viewer, seed: int, decisions: int
) -> Iterator[tuple[Line, Line]]:
    """Give pairs of plays for a viewer, of at most so many decisions.

    A pair ends after a random decision of its play, since late in a play little is hidden: in many games nothing at its
    end.
    """
    monkeypatch.setattr(lockstep, "shown", _shown)
    for number in range(TRIES):
        rng = random.Random(f"{seed}/{number}")
        history = _random_play(game, rng, decisions)
        change = rng.choice(CHANGES)(_after(game, history), viewer, rng)
        if change is None:
            continue
        one = _after(game, history[: change.start])
        run = Lockstep(viewer, one, one.clone(), change, rng, numbers=True)
        try:
            if run.run(history[change.start :], 0) is not None:
                continue
        except (Unmatched, RuleError):
            continue
        if run.one.entries != run.other.entries:
            yield _line(game, run.one.entries), _line(game, run.other.entries)


def hides_nothing(game: Game, decisions: int, plays: int = 20) -> bool:
    """Say whether random plays show everybody all deeds and all shuffled cards, so that no pair exists."""
    everyone = game.everyone
    for number in range(plays):
        rng = random.Random(f"open/{number}")
        state = _after(game, _random_play(game, rng, decisions))
        seen_by = [bits for deed in state.done for bits in (
            *(players for _, players in deed.private), *(card.now | card.before for card in deed.cards))]  # fmt: skip
        secret = any(deed.kind == "decide" and deed.common[0] for deed in state.done)
        if secret or not all(bits == everyone for bits in seen_by) or _unseen(state, None, rng)[1]:
            return False
    return True


def _random_play(game: Game, rng: random.Random, decisions: int) -> list[HistoryItem]:
    """Return the history of a random play up to one of its first so many decisions; a play without decisions whole."""
    state = game.new_initial_state()
    ends: list[int] = []
    while not state.is_terminal() and len(ends) < decisions:
        if state.is_chance_node():
            state.resolve_chance(rng)
            continue
        state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_unfinished():
            ends.append(len(state.history()))
    return [item for _, item in state.history()[: rng.choice(ends or [len(state.history())])]]


def _after(game: Game, history: list[HistoryItem]) -> Traced:
    state = traced(game)
    for item in history:
        state.apply_item(item)
    return state


def _unseen(state: Traced, viewer: Viewer, rng: random.Random) -> tuple[int, list[int]]:
    """Return where the history has some shuffle, and the cards of it that a viewer has not seen since."""
    if not state.shuffles:
        return 0, []
    start, mixed = rng.choice(state.shuffles)
    unseen = [
        card for place, zone in enumerate(state.zones) for card in zone
        if card in mixed and card < state.game.num_cards
        and not sees(viewer, state.aware(card, place), state.game.everyone)
    ]  # fmt: skip
    rng.shuffle(unseen)
    return start // 2, unseen


def _two_cards(state: Traced, viewer: Viewer, rng: random.Random) -> Change | None:
    """Return the exchange of two cards of different faces that a viewer has not seen since their shuffle."""
    start, unseen = _unseen(state, viewer, rng)
    faces = state.game.card_faces
    for one in unseen:
        other = next((card for card in unseen if faces[card] != faces[one]), None)
        if other is not None:
            return Change({one: other, other: one}, {}, start)
    return None


def _many_cards(state: Traced, viewer: Viewer, rng: random.Random) -> Change | None:
    """Return the exchange of all cards that a viewer has not seen since their shuffle, in a circle."""
    start, unseen = _unseen(state, viewer, rng)
    return Change(dict(zip(unseen, [*unseen[1:], *unseen[:1]], strict=True)), {}, start) if unseen else None


def _hidden_choice(state: Traced, viewer: Viewer, rng: random.Random) -> Change | None:
    """Return another decision of another player, or of chance, where a viewer does not see which it is."""
    del viewer
    return Change(hidden=True, start=rng.randrange(len(state.entries) // 2))


CHANGES = (_two_cards, _many_cards, _hidden_choice)


def _line(game: Game, entries: list[Any]) -> Line:
    """Split a history into chance and whole decisions."""
    state = game.new_initial_state()
    chance: list[HistoryItem] = []
    decisions: list[tuple[int, tuple[int, ...]]] = []
    picks: tuple[int, ...] = ()
    for actor, item in zip(entries[0::2], entries[1::2], strict=True):
        try:
            state.apply_action(item)
        except IllegalActionError as error:
            raise AssertionError(f"{item} does not fit") from error
        if actor < 0:
            chance.append(item)
            continue
        picks = (*picks, item)
        if not state.is_unfinished():
            decisions.append((actor, picks))
            picks = ()
    return Line(tuple(chance), tuple(decisions))
