"""A play of C and one of Python, side by side: C draws, Python's chance events are answered with what it drew.

The order of a shuffled pile is on the tape at once; in Python its cards are tokens until somebody looks, so which card
each token is to be is noted when the pile is shuffled.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import attrs
import pytest

from interpreter import RuleError, State
from interpreter.native.plays import NativeGame, NativePlay
from interpreter.runtime import chance
from interpreter.runtime.machine import CHANCE, Machine

Fault = tuple[str, int | None] | None
"""The code of a fault, and the line of the spec."""


@attrs.define
class Drawn:
    """What chance drew: which card each token is, and what of the tape Python has not asked for yet."""

    cards: dict[int, int] = attrs.field(factory=dict)
    left: list[int] = attrs.field(factory=list)

    def shuffled(self, state: Machine, pile: Sequence[int]) -> None:
        """Take the next cards of the tape for a pile that has just been shuffled."""
        order, self.left = self.left[: len(pile)], self.left[len(pile) :]
        assert len(order) == len(pile)
        self.cards.update(
            (token, card) for token, card in zip(pile, order, strict=True) if token >= state.game.num_cards
        )

    def settle(self, state: State) -> None:
        """Answer all chance events that wait."""
        faces = state.game.card_faces
        while state.to_act == CHANCE:
            if state.awaited is not None:
                state.apply_action(faces[self.cards[state.awaited]])
            else:
                value = self.left.pop(0)
                state.apply_action(faces[value] if state.game.chance_is_card(state.node) else value)


@contextmanager
def told(drawn: Drawn) -> Iterator[None]:
    """Let every shuffle take its cards from what was drawn."""
    shuffle = chance.shuffle

    def shuffled(state: Machine, pile: list[int]) -> None:
        shuffle(state, pile)
        drawn.shuffled(state, pile)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chance, "shuffle", shuffled)
        yield


def begin(state: State, drawn: Drawn) -> None:
    """Begin a play of Python; not one that is kept, since its shuffles must be told."""
    game = state.game
    game.set_out(state)
    try:
        state._run(game.data.entry)
    except Exception as error:
        raise state._fault(error) from error
    drawn.settle(state)


def side_by_side(native: NativeGame, seed: int, *, replayed: bool = False) -> int:
    """Play both at random, and compare at each decision; return how many there were.

    With `replayed` a third play takes from the tape what the first drew.
    """
    rng, drawn = random.Random(seed), Drawn()
    play = native.play(seed)
    other = native.play(seed + 1, 0, play.drawn) if replayed else play
    drawn.left = list(play.drawn)
    state = State(native.game, native.game.code)
    with told(drawn):
        fault = _fault_of(lambda: begin(state, drawn))
        if fault is not None:
            assert _legal(play)[1] == fault
            return 0
        while True:
            assert not drawn.left
            if state.is_terminal():
                break
            assert state.current_player() == play.current_player()
            legal, fault = _legal(state)
            assert (legal, fault) == _legal(play)
            if fault is not None:
                return state.num_decisions
            action = rng.choice(legal)
            fault = _applied(play, action)
            if replayed:
                assert _applied(other, action, play.drawn) == fault
                assert other.current_player() == play.current_player()
                assert _legal(other) == _legal(play.clone())
            drawn.left = list(play.drawn)
            assert fault == _applied_there(state, action, drawn)
            if fault is not None:
                return state.num_decisions
    assert state.result is not None
    assert play.current_player() == state.current_player()
    assert play.returns() == list(state.returns())
    assert play.too_long == (state.result.termination.value == "too long")
    return state.num_decisions


def _legal(play: State | NativePlay) -> tuple[list[int], Fault]:
    try:
        return play.legal_actions(), None
    except RuleError as error:
        return [], _place(error)


def _applied(play: NativePlay, action: int, tape: Sequence[int] | None = None) -> Fault:
    return _fault_of(lambda: play.apply_action(action, tape))


def _applied_there(state: State, action: int, drawn: Drawn) -> Fault:
    def carry_out() -> None:
        state.apply_action(action)
        drawn.settle(state)

    return _fault_of(carry_out)


def _fault_of(deed: Callable[[], None]) -> Fault:
    try:
        deed()
    except RuleError as error:
        return _place(error)
    return None


def _place(error: RuleError) -> Fault:
    return error.code, None if error.span is None else error.span.line
