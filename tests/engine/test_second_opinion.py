"""Generated games against the same rules written by hand: equal deals and decisions, equal legal sets and scores."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from interpreter import load
from interpreter.engine.game import State
from tests import bundled
from tests.benchmarks.plain_chalice import DONE, FORFEIT, SUIT, PlainChalice
from tests.benchmarks.plain_hearts import PlainHearts
from tests.benchmarks.plain_two_player_wizard import BID, TRUMP, PlainWizard

GAME = bundled.game("chalice_and_wand")
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
        assert len(plain.discarded) == len(state.zones[2])


# ---- Two-Player Wizard

SUITS = ("clubs", "diamonds", "hearts", "spades")


def wizard_by_hand(text: str, faces: list[str]) -> int:
    """Return an action as the hand-written game numbers it."""
    verb, word = text.split(" ")
    if verb == "bid":
        return BID + int(word)
    if verb == "name_trump":
        return TRUMP + SUITS.index(word)
    assert verb in ("play", "choose")
    return faces.index(word)


def resolved(state: State, rng: Random) -> list[list[int]]:
    """Answer chance up to the next decision; return the decks that were shuffled, from the top, as numbers of cards."""
    before = len(state.history())
    state.resolve_chance(rng)
    decks = []
    for _, drawn in state.history()[before:]:
        assert isinstance(drawn, tuple)
        assert len(drawn) == 36
        wizards, jesters = iter((32, 33)), iter((34, 35))
        decks.append([next(wizards) if f == 32 else next(jesters) if f == 33 else f for f in drawn])
    return decks


@pytest.mark.parametrize("target", [30, 100])
@pytest.mark.parametrize("seed", range(2))
def test_the_two_agree_on_every_trick_and_on_the_scores(seed: int, target: int) -> None:
    rng = Random(seed)
    game = load("two_player_wizard", options={"max_hands": 4, "target": target})
    faces = [game.texts.face(number) for number in range(34)]
    for _ in range(20):
        state = game.new_initial_state()
        decks = resolved(state, rng)
        plain = PlainWizard(partial(decks.pop, 0), max_hands=4, target=target)
        while not state.is_terminal():
            assert decks == []
            legal = state.legal_actions()
            assert [wizard_by_hand(game.texts.action(a), faces) for a in legal] == plain.legal()
            assert plain.player == state.current_player()
            chosen = legal[int(rng.random() * len(legal))]
            state.apply_action(chosen)
            decks += resolved(state, rng)
            plain.apply(wizard_by_hand(game.texts.action(chosen), faces))
        assert plain.legal() == []
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.scores == tuple(plain.score)


# ---- Hearts


@pytest.mark.parametrize("seed", range(4))
def test_hearts_by_hand_has_the_same_legal_cards_and_scores(seed: int) -> None:
    rng = Random(seed)
    game = load("classics/hearts")
    for _ in range(10):
        state = game.new_initial_state()
        state.resolve_chance(rng)
        drawn = state.history()[0][1]
        assert isinstance(drawn, tuple)
        plain = PlainHearts(list(drawn))
        while not state.is_terminal():
            legal = state.legal_actions()
            cards = [game.texts.read_face(game.texts.action(a).split(" ")[1].removeprefix("+")) for a in legal]
            assert (plain.player, plain.legal()) == (state.current_player(), cards)
            number = int(rng.random() * len(legal))
            plain.apply(cards[number])
            state.apply_action(legal[number])
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.scores == tuple(plain.scores())
        assert plain.legal() == []
