"""What happened, and who saw it.

The log of a play is a list of events.  Each knows what every player learned from it: `seen_by(p)` is the
event as p saw it, with cards he did not see left out.  A card in an event is the number of its face, or
None where it is not seen.  Everything told to people or programs about a play is made from these.
"""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.analysis.types import Type


@attrs.frozen
class Event:
    """Anything that happened."""

    def seen_by(self, player: int) -> Event:
        """Return the event as a player saw it."""
        del player
        return self


@attrs.frozen
class Chosen(Event):
    """A player decided: `args` are (type, value), cards as lists of faces.

    `viewers[i]` is the set of players (bits) who saw the cards of argument i when they were chosen;
    `secret` hides all but the fact from the others.
    """

    player: int
    verb: str
    args: tuple[tuple[Type, Any], ...]
    viewers: tuple[int, ...] = attrs.field(repr=False)
    secret: bool = False

    def seen_by(self, player: int) -> Event:
        """Return the decision without the cards the player did not see."""
        if player == self.player:
            return self
        if self.secret:
            return Chosen(self.player, "", (), (), self.secret)
        if all(seen >> player & 1 for seen in self.viewers):
            return self
        args = tuple(
            (type_, value if seen >> player & 1 else hidden(value))
            for (type_, value), seen in zip(self.args, self.viewers, strict=True)
        )
        return Chosen(self.player, self.verb, args, self.viewers, self.secret)


def hidden(value: Any) -> Any:
    """Return cards as unseen, other values as they are hidden: None."""
    return (None,) * len(value) if isinstance(value, tuple) else None


@attrs.frozen
class Moved(Event):
    """Cards went from one place to another; `seen[i]` is the set of players who know card i by that."""

    cards: tuple[int | None, ...]
    origin: int
    target: int
    seen: tuple[int, ...] = attrs.field(repr=False)
    face: str | None = None
    by: int | None = None

    def seen_by(self, player: int) -> Event:
        """Return the move without the cards the player did not see, these in no order."""
        return _as_seen(self, player)


def _as_seen(event: Moved | Turned, player: int) -> Event:
    """Return an event of several cards without those that a player did not see."""
    cards = tuple(c if s >> player & 1 else None for c, s in zip(event.cards, event.seen, strict=True))
    return attrs.evolve(event, cards=cards, seen=tuple(s >> player & 1 for s in event.seen))


@attrs.frozen
class Shuffled(Event):
    """A pile of `count` cards was shuffled."""

    place: int
    count: int


@attrs.frozen
class Fell(Event):
    """Chance chose a value, or a card that `viewers` saw."""

    name: str
    type: Type
    value: Any
    viewers: int = attrs.field(repr=False)

    def seen_by(self, player: int) -> Event:
        """Return the event without a card the player did not see."""
        return self if self.viewers >> player & 1 else attrs.evolve(self, value=None)


@attrs.frozen
class Turned(Event):
    """Cards were turned where they lie, in `place`: `cards` as known by whoever sees them after."""

    cards: tuple[int | None, ...]
    place: int
    up: bool
    seen: tuple[int, ...] = attrs.field(repr=False)

    def seen_by(self, player: int) -> Event:
        """Return the turning without the cards the player did not see."""
        return _as_seen(self, player)


@attrs.frozen
class Shown(Event):
    """Cards were shown once to `viewers`; they stay in `place`."""

    cards: tuple[int | None, ...]
    place: int
    viewers: int

    def seen_by(self, player: int) -> Event:
        """Return what the player was shown."""
        if self.viewers >> player & 1:
            return self
        return attrs.evolve(self, cards=(None,) * len(self.cards))


@attrs.frozen
class Assigned(Event):
    """A variable got another value, which `viewers` see as they saw the one `before`."""

    place: int
    value: Any
    viewers: int = attrs.field(repr=False)
    before: Any = None

    def seen_by(self, player: int) -> Event:
        """Return the change without values the player may not see."""
        return self if self.viewers >> player & 1 else attrs.evolve(self, value="hidden", before="hidden")


@attrs.frozen
class Said(Event):
    """The rules said something to everybody."""

    parts: tuple[str | tuple[Type, Any], ...]


@attrs.frozen
class Ended(Event):
    """The play is over."""

    termination: str
