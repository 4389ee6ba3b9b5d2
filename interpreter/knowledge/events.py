"""Events: the things that happened in a play, and who saw them.

The log of a play is a list of events.  `event.view(eyes)` is the event as a viewer saw it, without its hidden parts, or
None if the viewer saw nothing.  A card in an event is the number of its face, or None if it is not seen.  Every report
on a play, to people or to programs, is made from events.

The view of an event has no hidden information: no sets of viewers, and an order of cards only if the viewer sees them
in that order.  All other cards are in the order of the deck, the unseen ones last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, cast

import attrs

from interpreter.analysis.types import Type

Faces = tuple[int | None, ...]


@attrs.frozen
class Eyes:
    """A viewer: `sees` says whether this viewer sees what a set of players (bits) sees.

    `number` identifies the viewer: first the players, then the viewer of public information, then the viewer of
    everything that any player sees.
    """

    sees: Callable[[int], bool]
    number: int


def eyes_of(player: int) -> Eyes:
    """Return the viewer for a player."""
    return Eyes(lambda viewers: bool(viewers >> player & 1), player)


def in_deck_order(cards: Sequence[int | None]) -> Faces:
    """Return cards in the order of the deck, unseen ones last."""
    known = [face for face in cards if face is not None]
    known.sort()
    return (*known, *(None for face in cards if face is None))


@attrs.frozen
class _Happening:
    """The base class of events."""

    def view(self, eyes: Eyes) -> Event | None:
        """Return the event as a viewer saw it; None if the viewer saw nothing of it."""
        del eyes
        return cast("Event", self)  # Every class here is one of them.

    def seen_by(self, player: int) -> Event | None:
        """Return the event as a player saw it; None if the player saw nothing of it."""
        return self.view(eyes_of(player))

    def hides(self, eyes: Eyes) -> bool:
        """Return whether a part of the event is hidden from a viewer."""
        del eyes
        return False

    def joined(self, later: Event) -> Event | None:
        """Return this event and the next one as one event; None if they cannot be joined.

        Several moves between the same places become one, because the number of moves, and the cards of each, may
        depend on hidden information.
        """
        del later
        return None


@attrs.frozen
class Chosen(_Happening):
    """A player decided: `args` are (type, value), cards as lists of faces.

    `viewers[i]` is the set of players (bits) who saw the cards of argument i when they were chosen;
    `secret` hides all but the fact from the others.
    """

    player: int
    verb: str
    args: tuple[tuple[Type, Any], ...]
    viewers: tuple[int, ...] = attrs.field(repr=False)
    secret: bool = False

    def view(self, eyes: Eyes) -> Event:
        """Return the decision without the cards the viewer did not see."""
        own = eyes.sees(1 << self.player)
        if self.secret and not own:
            return Chosen(self.player, "", (), (), self.secret)
        args = tuple(
            (type_, value if own or eyes.sees(seen) else hidden(value))
            for (type_, value), seen in zip(self.args, self.viewers, strict=True)
        )
        return Chosen(self.player, self.verb, args, (), self.secret)

    def hides(self, eyes: Eyes) -> bool:
        """Return whether a part of the event is hidden from a viewer."""
        return not eyes.sees(1 << self.player) and (self.secret or not all(map(eyes.sees, self.viewers)))


def hidden(value: Any) -> Any:
    """Return cards as unseen, other values as they are hidden: None."""
    return (None,) * len(value) if isinstance(value, tuple) else None


Where = Literal["bottom", "within"] | None
"""Where in an ordered place cards came: below all others, at a place that the event does not show, or (None) on top."""


@attrs.frozen
class Moved(_Happening):
    """Cards went from one place to another, in this order.

    `seen[i]` is the set of players who know card i by that, `order[i]` its position in an ordered place that it came
    from.  `before` and `after` are the players who see all of the cards lie in order there, and where they went.
    """

    cards: Faces
    origin: int
    target: int
    seen: tuple[int, ...] = attrs.field(default=(), repr=False)
    face: str | None = None
    by: int | None = None
    where: Where = None
    order: tuple[int, ...] = attrs.field(default=(), repr=False)
    before: int = attrs.field(default=0, repr=False)
    after: int = attrs.field(default=0, repr=False)

    def view(self, eyes: Eyes) -> Event | None:
        """Return the move without the cards the viewer did not see.

        What is laid otherwise in one place, unseen, is nothing to them.
        """
        cards: Sequence[int | None] = _faces_seen(self.cards, self.seen, eyes)
        if self.origin == self.target:
            cards = [card for card in cards if card is not None]
            if not cards:
                return None
        if len(cards) > 1 and not (self.after and eyes.sees(self.after)):
            if self.order and self.before and eyes.sees(self.before):
                cards = [card for _, card in sorted(zip(self.order, self.cards, strict=True))]
            else:
                cards = in_deck_order(cards)
        return Moved(tuple(cards), self.origin, self.target, (), self.face, self.by, self.where)

    def joined(self, later: Event) -> Moved | None:
        """Return two moves of one way as one."""
        if not isinstance(later, Moved) or self.target != later.target or self.origin != later.origin:
            return None
        if (self.face, self.by, self.where) != (later.face, later.by, later.where):
            return None
        steps = max(self.order, default=0) + 1
        return attrs.evolve(
            self, cards=self.cards + later.cards, seen=self.seen + later.seen,
            order=self.order + tuple(steps + place for place in later.order),
            before=self.before & later.before, after=self.after & later.after,
        )  # fmt: skip


def _faces_seen(cards: Faces, seen: tuple[int, ...], eyes: Eyes) -> list[int | None]:
    """Return cards without those that a viewer did not see."""
    return [c if eyes.sees(s) else None for c, s in zip(cards, seen, strict=True)]


@attrs.frozen
class Shuffled(_Happening):
    """A pile of `count` cards was shuffled."""

    place: int
    count: int


@attrs.frozen
class Fell(_Happening):
    """Chance chose a value, or a card, that `viewers` saw; to all others it is nothing."""

    name: str
    type: Type
    value: Any
    viewers: int = attrs.field(repr=False)

    def view(self, eyes: Eyes) -> Event | None:
        """Return the event to those who saw what was chosen."""
        return None if self.hides(eyes) else attrs.evolve(self, viewers=0)

    def hides(self, eyes: Eyes) -> bool:
        """Say whether a viewer has not seen what was chosen."""
        return not eyes.sees(self.viewers)


@attrs.frozen
class Turned(_Happening):
    """Cards were turned where they lie, in `place`; `seen[i]` is the set of players who saw card i before or after.

    They are reported in the order in which they lie in an ordered place.
    """

    cards: Faces
    place: int
    up: bool
    seen: tuple[int, ...] = attrs.field(default=(), repr=False)

    def view(self, eyes: Eyes) -> Event | None:
        """Return the turning of the cards that the viewer saw."""
        cards = tuple(card for card in _faces_seen(self.cards, self.seen, eyes) if card is not None)
        return Turned(cards, self.place, self.up) if cards else None

    def joined(self, later: Event) -> Event | None:
        """Return two turnings in one place as one."""
        if not isinstance(later, Turned) or (self.place, self.up) != (later.place, later.up):
            return None
        return Turned(self.cards + later.cards, self.place, self.up, self.seen + later.seen)


@attrs.frozen
class Shown(_Happening):
    """Cards were shown once to `viewers`; they stay in `place`."""

    cards: Faces
    place: int
    viewers: int

    def view(self, eyes: Eyes) -> Event:
        """Return what the viewer was shown."""
        if eyes.sees(self.viewers):
            return self
        return attrs.evolve(self, cards=(None,) * len(self.cards))

    def joined(self, later: Event) -> Event | None:
        """Return what was shown of one place to the same players as one."""
        if not isinstance(later, Shown) or (self.place, self.viewers) != (later.place, later.viewers):
            return None
        return Shown(self.cards + later.cards, self.place, self.viewers)


@attrs.frozen
class Assigned(_Happening):
    """A variable got another value, which `viewers` see as they saw the one `before`; to all others it is nothing.

    `first` marks the first value that a phase gives its variable when it begins.
    """

    place: int
    value: Any
    viewers: int = attrs.field(repr=False)
    before: Any = None
    first: bool = False

    def view(self, eyes: Eyes) -> Event | None:
        """Return the change to those who see the variable."""
        return attrs.evolve(self, viewers=0) if eyes.sees(self.viewers) else None


@attrs.frozen
class Layout(_Happening):
    """How the cards of an ordered place lie when a player decides again, and who played each (`by`).

    Only viewers who cannot infer it from earlier events receive it: `viewers` has the bits of their numbers (`Eyes`),
    `seen` for each card the players who see it.
    """

    place: int
    cards: Faces
    by: tuple[int | None, ...] = ()
    seen: tuple[int, ...] = attrs.field(default=(), repr=False)
    viewers: int = attrs.field(default=0, repr=False)

    def view(self, eyes: Eyes) -> Event | None:
        """Return what lies there without the cards that the viewer does not see."""
        if not self.viewers >> eyes.number & 1:
            return None
        return Layout(self.place, tuple(_faces_seen(self.cards, self.seen, eyes)), self.by)


@attrs.frozen
class Said(_Happening):
    """The rules said something to everybody."""

    parts: tuple[str | tuple[Type, Any], ...]


@attrs.frozen
class Ended(_Happening):
    """The play is over."""

    termination: str


Event = Chosen | Moved | Shuffled | Fell | Turned | Shown | Assigned | Layout | Said | Ended
"""Anything that happened."""
