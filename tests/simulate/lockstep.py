"""A play that C draws and counts, played and counted again in Python.

Small actions are drawn as C draws them (SplitMix64), chance is told by the tape of the same play.
"""

from __future__ import annotations

from interpreter.engine.machine import Machine
from interpreter.engine.outcome import Outcome
from interpreter.native.tapes import TapeReplayer
from interpreter.simulate.recording import CountedGame, Recorder, Row
from tests.native.taped import NativePlay

WORD = 2**64 - 1


class SplitMix:
    """The random generator of `interpreter/native/c/machine.h`."""

    def __init__(self, seed: int, number: int) -> None:
        self.state = seed ^ (number + 1) * 0xD1342543DE82EF95 & WORD
        self.next()
        self.state = self.next()

    def next(self) -> int:
        self.state = self.state + 0x9E3779B97F4A7C15 & WORD
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        return z ^ z >> 31

    def below(self, count: int) -> int:
        m = (self.next() >> 32) * count
        while m % 2**32 < 2**32 % count:
            m = (self.next() >> 32) * count
        return m >> 32


class Told(Recorder):
    """A recorder to which cards that nobody has seen are known from the tape."""

    def cards_in(self, state: Machine, place: int) -> list[int]:
        assert isinstance(state, TapeReplayer)
        return [state.cards[card] if card in state.undetermined else card for card in state.zones[place]]

    def standing(self, state: Machine) -> Outcome | None:
        plain = Machine(self.game, self.game.code)
        plain._become(state)
        return super().standing(plain)

    def reached(self, state: Machine) -> frozenset[str]:
        assert isinstance(state, TapeReplayer)
        return super().reached(state.plain())


def counted_again(native: CountedGame, recorder: Told, seed: int, number: int) -> Row:
    """Count the play in Python that C plays from this seed and number; nothing is said of a second of the same deal."""
    play = NativePlay(native, seed, number)
    actions = SplitMix(~seed & WORD, number)
    state = TapeReplayer(native.game)

    def choose(state: Machine) -> int:
        assert isinstance(state, TapeReplayer)
        legal = state.legal_actions()
        action = legal[actions.below(len(legal)) if len(legal) > 1 else 0]
        play.apply_action(action)
        state.tape, state.tape_at = play.drawn, 0
        return action

    def settle(state: Machine) -> None:
        assert isinstance(state, TapeReplayer)
        state._settle()

    state.begin(play.drawn)
    return recorder.play(state, settle, choose)
