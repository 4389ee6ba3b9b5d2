"""What can go wrong while playing, as exceptions."""

from __future__ import annotations

from collections.abc import Sequence

from grammar.diagnostics import CardgameError
from grammar.source import Span


class IllegalActionError(CardgameError, ValueError):
    """An action that is not legal now.  The state is as it was before."""


class AmbiguousError(IllegalActionError):
    """A card's text that can mean cards of several decks: its owner must be said."""


class NoWorldError(CardgameError, RuntimeError):
    """No play was found that a player cannot distinguish from the true one: the particle filter has degenerated."""

    def __init__(self, player: int) -> None:
        super().__init__(
            f"no other play was found that looks the same to player {player + 1}: the particle filter lost all its "
            "particles.  Walks in C find more: install a C compiler, or run `pip install 'cardgame[native]'`"
        )


class RuleError(CardgameError):
    """A rule that cannot be carried out: the spec is at fault, not the player.

    `code` is a registered diagnostic code (CG8xx); `span` the rule's line, where known; `at` is the site of a statement
    or definition that generated code gives.
    """

    def __init__(self, code: str, message: str, span: Span | None = None, at: int | None = None) -> None:
        super().__init__(code, message, span)
        self.code = code
        self.message = message
        self.span = span
        self.at = at

    def __str__(self) -> str:
        where = "" if self.span is None else f"{self.span}: "
        return f"{where}{self.code} {self.message}"


class NeedCard(Exception):  # noqa: N818
    """A rule reads, or a player learns, a card that is not determined yet; and then others, where `cards` says which.

    Never leaves the runtime.
    """

    def __init__(self, token: int, cards: Sequence[int] = ()) -> None:
        super().__init__(token)
        self.token = token
        self.cards = cards
