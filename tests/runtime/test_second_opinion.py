"""The generated game against the same rules written by hand: equal deals and decisions, equal legal sets and scores."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import load
from interpreter.runtime.state import State
from tests.benchmarks.plain_chalice import DONE, FORFEIT, SUIT, PlainChalice

GAME = load("chalice_and_wand")
VERBS = {"discard", "take", "lead", "match", "forfeit"}


def by_hand(action: int) -> int:
    """Return a small action as the hand-written game numbers it."""
    verb, _, word = GAME.texts.action(action).partition(" ")
    assert verb in VERBS
    if word in ("chalice", "wand"):
        return SUIT + ("chalice", "wand").index(word)
    if word == "done":
        return DONE
    face = GAME.texts.read_face(word)
    return FORFEIT + face if verb == "forfeit" else face


def deck_of(state: State) -> list[int]:
    """Return the shuffled deck, from the top, as the hand-written game numbers its cards."""
    drawn = state.history()[0][1]
    assert isinstance(drawn, tuple)
    used: dict[int, int] = {}
    deck = []
    for face in drawn:
        deck.append(face * 3 + used.get(face, 0))
        used[face] = used.get(face, 0) + 1
    return deck


@pytest.mark.parametrize("seed", range(10))
def test_the_two_agree_on_what_is_legal_and_on_the_score(seed: int) -> None:
    rng = Random(seed)
    for _ in range(25):
        state = GAME.new_initial_state()
        state.resolve_chance(rng)
        plain = PlainChalice(deck_of(state))
        while not state.is_terminal():
            legal = state.legal_actions()
            assert [by_hand(a) for a in legal] == plain.legal()
            assert plain.player == state.current_player()
            chosen = legal[int(rng.random() * len(legal))]
            plain.apply(by_hand(chosen))
            state.apply_action(chosen)
        assert plain.legal() == []
        assert state.returns() == [plain.score, plain.score]
        assert len(plain.discarded) == len(state.z[2])
