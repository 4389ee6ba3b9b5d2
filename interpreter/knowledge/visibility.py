"""Visibility: public and private information, separately or together.

Players see public and private information together.  Learning algorithms need them separately, and some need the
information of all players together.  A `Sight` selects one of these; it is queried with the set of players who see a
card, a variable or an event.  A `Past` is the view of a log.
"""

from __future__ import annotations

from operator import is_
from typing import Literal

import attrs

from interpreter.knowledge.events import Event, Eyes, eyes_of


@attrs.frozen
class Sight:
    """A selection of visible information: with or without the public part, and whose private part.

    `private` is `"none"`, `"own"` (of `player`), or `"all"` (of every player).  Information that no player sees is
    never included.
    """

    player: int
    public: bool = True
    private: Literal["none", "own", "all"] = "own"

    def sees(self, viewers: int, everyone: int) -> bool:
        """Return whether the selection includes information that a set of players (bits) sees."""
        if viewers == everyone:
            return self.public
        if self.private == "own":
            return bool(viewers >> self.player & 1)
        return self.private == "all" and viewers != 0

    @classmethod
    def every(cls, players: int) -> list[Sight]:
        """Return the selections of all viewers in the order of `Eyes.number`."""
        return [*map(cls, range(players)), cls(0, private="none"), cls(0, private="all")]

    def eyes(self, everyone: int) -> Eyes:
        """Return the viewer of the selection, with public information, because every event has some."""
        if self.private == "own":
            return eyes_of(self.player)
        players = everyone.bit_length()
        number = players if self.private == "none" else players + 1
        return Eyes(lambda viewers: viewers == everyone or self.sees(viewers, everyone), number)


@attrs.define(eq=False)
class Seen:
    """An event as a viewer saw it: the events of the log from `first` to `last`, joined to `whole`.

    `line` and `rows` are its text and its numbers (`interpreter.knowledge.recall`), once computed.
    """

    event: Event
    whole: Event
    first: int
    last: int
    line: str | None = None
    rows: list[tuple[float, ...]] | None = None


class Past:
    """The view of a log, up to the event that was read last.

    A viewer of private information alone receives only the events that hide something from others.
    """

    __slots__ = ("_eyes", "_log", "_open", "seen")

    def __init__(self, sight: Sight, everyone: int) -> None:
        self._eyes = sight.eyes(everyone)
        self._open = None if sight.public else Sight(0, private="none").eyes(everyone)
        self._log: list[Event] = []
        self.seen: list[Seen] = []

    def read_on(self, log: list[Event]) -> list[Seen]:
        """Read the new events of a log, and return the whole view.

        If events have changed since, as in another play, the view is computed again from there.
        """
        known = min(len(self._log), len(log))
        if not all(map(is_, self._log, log)):
            known = next(n for n, (old, new) in enumerate(zip(self._log, log, strict=False)) if old is not new)
        while self.seen and self.seen[-1].last >= known:
            known = min(known, self.seen.pop().first)
        self._log[known:] = log[known:]
        for place in range(known, len(log)):
            self._take(place, log[place])
        return self.seen

    def _take(self, place: int, event: Event) -> None:
        view = event.view(self._eyes)
        if view is None or (self._open is not None and view == event.view(self._open)):
            return
        before = self.seen[-1] if self.seen else None
        whole = before.whole.joined(event) if before is not None and type(before.whole) is type(event) else None
        if before is not None and whole is not None:
            self.seen[-1] = Seen(whole.view(self._eyes) or view, whole, before.first, place)
            return
        self.seen.append(Seen(view, event, place, place))
