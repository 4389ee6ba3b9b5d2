"""Which part of a play is looked at: what everybody sees, what only some see, or both.

Players see public and private things together.  Learning algorithms want them apart, and some want what all
players know together.  A `Sight` says which, and is asked with a set of players: those who see a card, a
variable or an event.
"""

from __future__ import annotations

from typing import Literal

import attrs

from interpreter.runtime.events import Assigned, Chosen, Event, Fell, Moved, Shown, Turned, hidden


@attrs.frozen
class Sight:
    """What is looked at: with or without what everybody sees, and whose private things.

    `private` is `"none"`, `"own"` (of `player`), or `"all"` (of every player).  What nobody sees is never seen.
    """

    player: int
    public: bool = True
    private: Literal["none", "own", "all"] = "own"

    def sees(self, viewers: int, everyone: int) -> bool:
        """Say whether something is looked at that a set of players (bits) sees."""
        if viewers == everyone:
            return self.public
        if self.private == "own":
            return bool(viewers >> self.player & 1)
        return self.private == "all" and viewers != 0

    def redacted(self, event: Event, everyone: int) -> Event:
        """Return an event without what is not looked at.  The fact that it happened remains."""

        def sees(viewers: int) -> bool:
            # What all see stands in every event: only with it can be said what is private.
            return viewers == everyone or self.sees(viewers, everyone)

        match event:
            case Chosen(secret=True) if not sees(1 << event.player):
                return attrs.evolve(event, verb="", args=(), viewers=())
            case Chosen():
                args = tuple(
                    (type_, value if sees(seen) else hidden(value))
                    for (type_, value), seen in zip(event.args, event.viewers, strict=True)
                )
                return attrs.evolve(event, args=args)
            case Moved() | Turned():
                cards = tuple(c if sees(s) else None for c, s in zip(event.cards, event.seen, strict=True))
                return attrs.evolve(event, cards=cards)
            case Fell() if not sees(event.viewers):
                return attrs.evolve(event, value=None)
            case Shown() if not sees(event.viewers):
                return attrs.evolve(event, cards=(None,) * len(event.cards))
            case Assigned() if not sees(event.viewers):
                return attrs.evolve(event, value="hidden", before="hidden")
            case _:
                return event
