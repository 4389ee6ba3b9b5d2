"""Convert plays between Python and C: tapes with the outcomes of chance.

C draws a shuffled pile at once, Python's cards are tokens until a player looks.  So a play is carried out again, with
a state that notes which tokens each shuffle made.  To C: every token is followed to the card that it became; what
nobody has drawn yet is drawn now, from its pool, as the rules would.  From C: every token receives its card when its
pile is shuffled, and Python's chance events are answered with that.

A play that waits for chance has no form in C, since there chance never waits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any, Self

import attrs

from interpreter.engine import chance, interruption
from interpreter.engine.machine import CHANCE, Machine

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase, PlainState


@attrs.frozen
class Record:
    """A play as C carries it out: the small actions, and what chance drew before the first and after each.

    `drawn` has one tape more than there are actions.  On a tape stand the cards of each shuffled pile from the top
    downwards, and the value, or a card of the face, of each other chance event.
    """

    actions: tuple[int, ...]
    drawn: tuple[tuple[int, ...], ...]

    @property
    def tape(self) -> tuple[int, ...]:
        """All that chance drew."""
        return tuple(chain.from_iterable(self.drawn))


def record_of(state: Machine, rng: chance.Rng) -> Record:
    """Return the play that led to a state, as C carries it out; cards that nobody has drawn yet are drawn with `rng`.

    Raises ValueError where the play waits for chance.
    """
    return Recorder(state.game, rng).begin().follow(state).record()


def one_by_one(state: Machine) -> PlainState:
    """Return the same play with each card drawn when it is needed, instead of all at once.

    Raises ValueError where cards were drawn all at once and the play waits for chance.
    """
    if all(isinstance(item, int) for item in state.entries[1::2]):
        return state
    return state_of(state.game, record_of(state, Random(0)), one_by_one=True)


def state_of(game: GameBase, record: Record, *, one_by_one: bool = False) -> PlainState:
    """Return the state of Python that a play of C has reached.  Raises IllegalActionError, RuleError."""
    state = TapeReplayer(game, one_by_one=one_by_one)
    state.begin(record.drawn[0])
    for action, drawn in zip(record.actions, record.drawn[1:], strict=True):
        interruption.check()
        state.carry_out(action, drawn)
    return state.plain()


class _Shuffles(Machine, ABC):
    """A state that receives every shuffle: `pile_shuffled` gets the pile as it lies afterwards."""

    __slots__ = ()

    def __init__(self, game: GameBase) -> None:
        super().__init__(game, game.code)

    def shuffling(self, place: int) -> None:
        """Note the pile as it is: it stays so, where its cards are tokens of one pool already, or one card."""
        self.pile_shuffled(self.zones[place], again=False)

    def shuffled(self, pile: list[int]) -> None:
        """Note the tokens that the pile now has, in the place of what it had."""
        self.pile_shuffled(pile, again=True)

    @abstractmethod
    def pile_shuffled(self, pile: list[int], *, again: bool) -> None:
        """Note a shuffled pile; `again` if it is the one that was noted last."""


@attrs.define(eq=False)
class _Unknown:
    """A card of a shuffled pile: which it is, as soon as that is known."""

    card: int | None = None


class Recorder(_Shuffles):
    """A state that records what chance draws in its play, and can go on with the play that it follows."""

    __slots__ = ("actions", "before", "rng", "tapes", "tokens")

    def __init__(self, game: GameBase, rng: chance.Rng) -> None:
        super().__init__(game)
        self.rng = rng
        self.actions: list[int] = []
        self.tapes: list[list[int | _Unknown]] = [[]]
        self.tokens: dict[int, _Unknown] = {}
        self.before: list[tuple[list[int], list[_Unknown]]] = []

    def follow(self, state: Machine) -> Self:
        """Carry out what has happened in a play since; return this."""
        for place in range(len(self.entries), len(state.entries), 2):
            interruption.check()
            self._carry_out(state.entries[place], state.entries[place + 1])
        return self

    def _carry_out(self, actor: int, item: int | tuple[int, ...]) -> None:
        """Carry out one entry of a history that is known to be legal."""
        if actor >= 0:
            assert isinstance(item, int)
            self.actions.append(item)
            self.tapes.append([])
        elif self.awaited is None:
            assert isinstance(item, int)
            is_card = self.game.chance_is_card(self.node)
            self.tapes[-1].append(self.game.card_faces.index(item) if is_card else item)
        if isinstance(item, int):
            self.apply_unchecked(item)
        else:
            self.apply_action(item)

    def record(self) -> Record:
        """Return the play so far.  Raises ValueError where it waits for chance."""
        if self.is_chance_node():
            raise ValueError("a play that waits for chance has no form in C")
        for pool, cards in self.pools.items():
            self._impute(list(cards), [self.tokens[token] for token, of in self.undetermined.items() if of == pool])
        return Record(tuple(self.actions), tuple(tuple(map(_card, tape)) for tape in self.tapes))

    def pile_shuffled(self, pile: list[int], *, again: bool) -> None:
        """Note which tokens, or cards, lie in the pile."""
        if again:
            # The pools of the tokens that lay there are gone: nobody has seen these.
            for cards, unknown in self.before:
                self._impute(cards, unknown)
            del self.tapes[-1][-len(pile) :]
            self.tokens.update((token, _Unknown()) for token in pile)
        else:
            touched = {self.undetermined[card] for card in pile if card in self.undetermined}
            self.before = [
                (list(self.pools[pool]), [self.tokens[t] for t, of in self.undetermined.items() if of == pool])
                for pool in sorted(touched)
            ]
        self.tapes[-1] += [self.tokens[card] if card in self.undetermined else card for card in pile]

    def determined(self, cards: dict[int, int]) -> None:
        """Note which cards tokens are."""
        for token, card in cards.items():
            self.tokens.pop(token).card = card

    def _impute(self, cards: list[int], unknown: list[_Unknown]) -> None:
        chance.mix(self.rng, cards)
        for one, card in zip(unknown, cards, strict=True):
            one.card = card

    def _saved(self) -> tuple[Any, ...]:
        return (super()._saved(), len(self.tapes[-1]), self.tokens.copy())

    def _restore(self, saved: tuple[Any, ...]) -> None:
        plain, noted, self.tokens = saved
        del self.tapes[-1][noted:]
        super()._restore(plain)


def _card(noted: int | _Unknown) -> int:
    if isinstance(noted, _Unknown):
        assert noted.card is not None
        return noted.card
    return noted


class TapeReplayer(_Shuffles):
    """A state whose play goes as one of C went: `begin` and `carry_out` receive what chance drew there.

    Cards are drawn all at once where one is wanted, or one by one, each when it is wanted.
    """

    __slots__ = ("cards", "one_by_one", "tape", "tape_at")

    def __init__(self, game: GameBase, *, one_by_one: bool = False) -> None:
        super().__init__(game)
        self.one_by_one = one_by_one
        self.tape: Sequence[int] = ()
        self.tape_at = 0
        self.cards: dict[int, int] = {}

    def begin(self, drawn: Sequence[int] = ()) -> Self:
        """Begin the play, up to its first decision.  Raises RuleError."""
        self.tape, self.tape_at = drawn, 0
        super().begin()
        self._settle()
        return self

    def carry_out(self, action: int, drawn: Sequence[int]) -> None:
        """Carry out a small action, and all that chance does after it.  Raises IllegalActionError, RuleError."""
        self.tape, self.tape_at = drawn, 0
        self.apply_action(action)
        self._settle()

    def plain(self) -> PlainState:
        """Return the plain state; this one is not to be used any more."""
        state = self.game.new_python_state()
        Machine._become(state, self)
        state._trail = []
        return state

    def _settle(self) -> None:
        """Answer all chance events that wait."""
        faces = self.game.card_faces
        while self.to_act == CHANCE:
            if self.awaited is not None and self.one_by_one:
                self.apply_action(faces[self.cards[self.awaited]])
            elif self.awaited is not None:
                self.apply_action(tuple(faces[self.cards[token]] for _, token in self.tokens_in_order()))
            else:
                is_card = self.game.chance_is_card(self.node)
                (value,) = self._next(1)
                self.apply_action(faces[value] if is_card else value)

    def pile_shuffled(self, pile: list[int], *, again: bool) -> None:
        """Let the cards of the pile be the next ones of the tape."""
        if again:
            self.tape_at -= len(pile)
        self.cards.update(zip(pile, self._next(len(pile)), strict=True))

    def _next(self, count: int) -> Sequence[int]:
        drawn = self.tape[self.tape_at : self.tape_at + count]
        if len(drawn) < count:
            raise ValueError("chance drew more here than a tape says")
        self.tape_at += count
        return drawn

    def _saved(self) -> tuple[Any, ...]:
        return (super()._saved(), self.tape_at, self.cards.copy())

    def _restore(self, saved: tuple[Any, ...]) -> None:
        plain, self.tape_at, self.cards = saved
        super()._restore(plain)
