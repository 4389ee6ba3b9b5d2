"""The exceptions of a play: faults of rules, illegal actions, undetermined cards."""

from __future__ import annotations

from collections.abc import Sequence

from grammar.diagnostics import CardgameError
from grammar.source import Span


class IllegalActionError(CardgameError, ValueError):
    """An action that is not legal now.  The state is as it was before."""


class AmbiguousError(IllegalActionError):
    """A card's text that can mean cards of several decks: its owner must be said."""


class NoWorldError(CardgameError, RuntimeError):
    """No belief of a player can be sampled at a position: the message has the reason, and what to do.

    `to_player` is the message for the player whose belief it is.
    """

    to_player: str = ""

    @classmethod
    def at(cls, player: int, decisions: int, reason: str) -> NoWorldError:
        """Return the error for a player after so many decisions."""
        why = f"can be sampled after {decisions:,} decisions: {reason}"
        error = cls(f"no belief of player {player + 1} {why}.  The agents `random` and `solve` need no sampled belief")
        error.to_player = f"no deal consistent with what you have seen {why}"
        return error


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
