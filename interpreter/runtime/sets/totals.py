"""Choosing a set by conditions on sums and counts, each small enough for all of them to lie side by side in one number.

A card's part in all of them is one number too, so that adding one card to a set is one addition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from interpreter.analysis.limits import RESULT_LIMIT
from interpreter.runtime.faults import RuleError
from interpreter.runtime.sets.choosing import Picked, first_copies


class Totals:
    """Cards with a condition on sums and counts that no card makes smaller.

    `added[card]` holds what a card adds to each of them in a field of its bits, wide enough for the greatest total,
    and, from bit `shift` on, 1 for the card itself; `test` says whether the totals of a set are good.
    """

    __slots__ = ("added", "cards", "faces", "good", "high", "low", "shift", "test")

    def __init__(
        self,
        cards: list[int],
        low: int,
        high: int | None,
        added: Sequence[int] | Mapping[int, int],
        shift: int,
        test: Callable[[int], bool],
        faces: Sequence[int],
    ) -> None:
        self.cards = cards
        self.low = low
        self.high = len(cards) if high is None else high
        self.added = added
        self.shift = shift
        self.test = test
        self.faces = faces
        self.good: dict[int, bool] = {}

    def _is_good(self, total: int) -> bool:
        known = self.good.get(total)
        if known is None:
            fits = self.low <= total >> self.shift <= self.high
            known = self.good[total] = fits and bool(self.test(total))
        return known

    def picks(self, picked: Picked) -> list[int]:
        """Return the cards that can be picked next."""
        return self._picks(picked, self._total(picked))

    def _total(self, picked: Picked) -> int:
        added = self.added
        return sum([added[card] for card in picked])

    def _picks(self, picked: Picked, now: int) -> list[int]:
        """Return the cards that can be picked behind some with a total."""
        added, good, is_good = self.added, self.good, self._is_good
        last = picked[-1] if picked else -1
        # From the last card back: `behind` are the totals that the cards behind the one in question can add.
        behind = {0}
        room = (self.high - len(picked) - 1) << self.shift
        possible: list[int] = []
        for card in reversed(self.cards):
            if card <= last:
                break
            own = added[card]
            with_card = now + own
            for rest in behind:
                total = with_card + rest
                if good[total] if total in good else is_good(total):
                    possible.append(card)
                    break
            behind |= {own + rest for rest in behind if rest < room}
            if len(behind) > RESULT_LIMIT:
                raise RuleError("CG806", "the condition on the chosen cards takes too many results to weigh")
        possible.reverse()
        return first_copies(possible, self.faces)

    def done(self, picked: Picked) -> bool:
        """Say whether the set may end here."""
        return self._is_good(self._total(picked))

    def actions(self, picked: Picked, base: int, done: int) -> list[int]:
        """Return the small actions that are possible next."""
        faces, now = self.faces, self._total(picked)
        out = [base + faces[card] for card in self._picks(picked, now)]
        if self._is_good(now):
            out.append(done)
        return out

    def possible(self) -> bool:
        """Say whether any legal set exists."""
        return self.done(()) or bool(self.picks(()))

    def total(self, picked: Picked) -> int:
        """Return the totals of picked cards."""
        return self._total(picked)

    def grown(self, total: int, card: int) -> int | None:
        """Return them with one card more."""
        return total + self.added[card] if total >> self.shift < self.high else None

    def is_whole(self, total: int) -> bool:
        """Say whether they are those of a legal set."""
        return self._is_good(total)
