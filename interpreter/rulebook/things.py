"""What a selection goes through, as a noun phrase: one card, no card, all cards of the trick that are Wizards."""

from __future__ import annotations

import attrs

from interpreter.rulebook.lexicon import Scope
from interpreter.rulebook.words import plural

_OF_THEM = {
    "each": "each", "every": "every one", "some": "one", "no": "none", "the first": "the first", "the last": "the last",
}  # fmt: skip
"""What is said of one of several players, in place of "player among"."""


@attrs.frozen
class Things:
    """What a selection goes through, in words: the noun, what stands behind it, the order, and the scope inside.

    `whole` is the place where cards are looked for with the condition behind it, `among` the same of a list of players.
    """

    noun: str
    behind: str
    order: str
    scope: Scope
    human: bool
    whole: str = ""
    among: str = ""

    def one(self, which: str) -> str:
        """Return "any card of the trick that is a Wizard"; each of several players is "each of the others"."""
        if self.among and which in _OF_THEM:
            return f"{_OF_THEM[which]} of {self.among}"
        return f"{which} {self.noun}{self.behind}"

    def bare(self, *, many: bool = False) -> str:
        """Return what there is none of, where there is none: "card in the trick that is a Wizard"."""
        if self.whole:
            return self.whole.removeprefix("the ") if many else f"card among {self.whole}"
        return f"{plural(self.noun) if many else self.noun}{self.behind}"

    def many(self, which: str) -> str:
        """Return "all cards of the trick that are ...", "all the cards led"."""
        if self.whole:
            if which == "the":
                return self.whole
            return f"{which}{' ' if which.endswith((' of', 'all')) else ' of '}{self.whole}"
        return f"{which} {plural(self.noun)}{self.behind}"
