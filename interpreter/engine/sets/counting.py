"""How many legal sets complete some picks, and one of them drawn evenly: dynamic programming over runs of one face.

The cards that can still be picked are gone through in order, copies of one face together, since of these only the
number counts.  What has been picked matters through a total alone (see `interpreter.engine.sets.choosing`), so the
ways to go on are counted once for each place and total.  Where a condition asks for the cards one by one, totals are
the sets themselves, and there may be too many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.engine.chance import Rng, below_any
from interpreter.engine.sets.choosing import Picked

MOST_TOTALS = 20_000
"""Places and totals that are looked at."""


class TooManyError(Exception):
    """There is too much to count."""


class Completions:
    """The legal sets that complete some picks; `behind`, if it is given, is how often each of them counts.

    `chosen` is one of the classes of `interpreter.engine.sets`.
    """

    def __init__(self, chosen: Any, picked: Picked, behind: Callable[[Picked], int] | None = None) -> None:
        self._chosen = chosen
        self._behind = behind
        self._picked = picked
        faces, last = chosen.faces, picked[-1] if picked else -1
        self._runs: list[list[int]] = []
        for card in chosen.cards:
            if card <= last:
                continue
            if self._runs and faces[self._runs[-1][0]] == faces[card]:
                self._runs[-1].append(card)
            else:
                self._runs.append([card])
        self._known: dict[Any, int] = {}

    def count(self) -> int:
        """Return how many there are.  Raises TooManyError."""
        return self._count(0, self._chosen.total(self._picked), self._picked)

    def drawn(self, rng: Rng) -> Picked:
        """Return the cards that one of them adds to the picks; there must be one.  Raises TooManyError."""
        total, picked = self._chosen.total(self._picked), self._picked
        for place in range(len(self._runs)):
            left = below_any(rng, self._count(place, total, picked))
            for grown, cards in self._ways(place, total):
                left -= self._count(place + 1, grown, picked + cards)
                if left < 0:
                    total, picked = grown, picked + cards
                    break
        return picked[len(self._picked) :]

    def _count(self, place: int, total: Any, picked: Picked) -> int:
        if place == len(self._runs):
            if not self._chosen.is_whole(total):
                return 0
            return 1 if self._behind is None else self._behind(picked)
        key = (place, total) if self._behind is None else (place, picked)
        known = self._known.get(key)
        if known is None:
            known = sum(self._count(place + 1, grown, picked + cards) for grown, cards in self._ways(place, total))
            if len(self._known) >= MOST_TOTALS:
                raise TooManyError
            self._known[key] = known
        return known

    def _ways(self, place: int, total: Any) -> list[tuple[Any, Picked]]:
        """Return the totals with none, one, .. of the copies at a place, each with these copies."""
        run = self._runs[place]
        ways: list[tuple[Any, Picked]] = [(total, ())]
        for number, card in enumerate(run, 1):
            total = self._chosen.grown(total, card)
            if total is None:
                break
            ways.append((total, tuple(run[:number])))
        return ways
