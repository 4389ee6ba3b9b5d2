"""A play of C and one of Python, side by side: C draws, Python's chance events are answered with what it drew."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from interpreter import RuleError
from interpreter.engine.machine import Machine
from interpreter.native.plays import NativeGame
from interpreter.native.tapes import TapeReplayer
from tests.native.taped import NativePlay

Fault = tuple[str, int | None] | None
"""The code of a fault, and the line of the spec."""


def side_by_side(native: NativeGame, seed: int, *, replayed: bool = False) -> int:
    """Play both at random, and compare at each decision; return how many there were.

    With `replayed` a third play takes from the tape what the first drew.
    """
    rng = random.Random(seed)
    play = NativePlay(native, seed)
    other = NativePlay(native, seed + 1, 0, play.drawn) if replayed else play
    state = TapeReplayer(native.game, one_by_one=seed % 2 == 0)
    fault = _fault_of(lambda: state.begin(play.drawn))
    if fault is not None:
        assert _legal(play)[1] == fault
        return 0
    while True:
        assert state.tape_at == len(state.tape)
        if state.is_terminal():
            break
        assert state.current_player() == play.current_player()
        legal, fault = _legal(state)
        assert (legal, fault) == _legal(play)
        if fault is not None:
            return state.num_actions
        action = rng.choice(legal)
        fault = _applied(play, action)
        if replayed:
            assert _applied(other, action, play.drawn) == fault
            assert other.current_player() == play.current_player()
            assert _legal(other) == _legal(play.clone())
        assert fault == _fault_of(lambda: state.carry_out(action, play.drawn))  # noqa: B023
        if fault is not None:
            return state.num_actions
    assert state.result is not None
    assert play.current_player() == state.current_player()
    assert play.returns() == list(state.returns())
    assert play.too_long == (state.result.termination.value == "too long")
    return state.num_actions


def _legal(play: Machine | NativePlay) -> tuple[list[int], Fault]:
    try:
        return play.legal_actions(), None
    except RuleError as error:
        return [], _place(error)


def _applied(play: NativePlay, action: int, tape: Sequence[int] | None = None) -> Fault:
    return _fault_of(lambda: play.apply_action(action, tape))


def _fault_of(deed: Callable[[], object]) -> Fault:
    try:
        deed()
    except RuleError as error:
        return _place(error)
    return None


def _place(error: RuleError) -> Fault:
    return error.code, None if error.span is None else error.span.line
