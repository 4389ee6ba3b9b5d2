"""Plain states that tell the tokens of one shuffle from those of another.

The walk plays most of what it proposes only to find out that it cannot be.  Plain states carry that out in a tenth of
the time that states with a log take; what they lack is which token of which shuffle waits for its card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from interpreter.runtime.machine import Machine

if TYPE_CHECKING:
    from interpreter.runtime.code import Code
    from interpreter.runtime.game_base import GameBase, PlainState


class TokenState(Machine):
    """A state that counts shuffles (`epoch`) and knows of each token in which it was made (`token_epochs`).

    `sources` tells for each card which token of which shuffle it was last.
    """

    __slots__ = ("epoch", "sources", "token_epochs")

    def __init__(self, game: GameBase, code: Code) -> None:
        super().__init__(game, code)
        self.epoch = 0
        self.token_epochs: dict[int, int] = {}
        self.sources: dict[int, tuple[int, int]] = {}

    @classmethod
    def first(cls, game: GameBase) -> TokenState:
        """Return the state before anything has happened."""
        state = cls(game, game.code)
        state.begin()
        return state

    def plain(self) -> PlainState:
        """Return the same state as one of the public kind."""
        made = self.game.new_python_state()
        Machine._become(made, self._fresh())
        return made

    def clone(self) -> Self:
        """Return an independent copy."""
        other = self._fresh()
        other.epoch = self.epoch
        other.token_epochs = self.token_epochs.copy() if self.token_epochs else {}
        other.sources = self.sources.copy()
        return other

    def _saved(self) -> tuple[Any, ...]:
        return (self.epoch, self.token_epochs.copy(), self.sources.copy(), super()._saved())

    def _restore(self, saved: tuple[Any, ...]) -> None:
        self.epoch, self.token_epochs, self.sources, plain = saved
        super()._restore(plain)

    def _become(self, other: Machine) -> None:
        super()._become(other)
        assert isinstance(other, TokenState)
        self.epoch, self.token_epochs, self.sources = other.epoch, other.token_epochs, other.sources

    def shuffled(self, pile: list[int]) -> None:
        """Begin a new epoch for the tokens of a pile."""
        self.epoch += 1
        for token in pile:
            self.token_epochs[token] = self.epoch

    def determined(self, cards: dict[int, int]) -> None:
        """Remember which token each card was."""
        epochs, sources = self.token_epochs, self.sources
        for token, card in cards.items():
            sources[card] = (epochs.pop(token, self.epoch), token)

    def homes(self) -> dict[tuple[int, int], int]:
        """Return the place of each token of each shuffle, of those that were not shuffled again."""
        count, sources, epochs = self.game.num_cards, self.sources, self.token_epochs
        return {
            sources[card] if card < count else (epochs[card], card): place
            for place, zone in enumerate(self.zones)
            for card in zone
            if card >= count or card in sources
        }
