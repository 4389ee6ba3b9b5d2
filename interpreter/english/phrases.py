"""Noun phrases as data, and their one realiser.

A phrase knows its head, number, determiner, owner, what follows the head, and which pronoun represents it.  So "the
first card in the trick", "no card in the trick" and "your hand" are made by changing a field, never by cutting a text.
"""

from __future__ import annotations

import attrs

from interpreter.english.words import article, has_determiner, plural

SURFACES = ("table", "board")
"""Places on which things lie."""
NOT_BEFORE_POSSESSIVE = (",", ":", "(", ")")


@attrs.frozen
class Pronoun:
    """The forms of a pronoun; `plural` decides the form of the verb: "you are", "they have", "it is"."""

    subject: str
    object: str
    possessive: str
    plural: bool = False


@attrs.frozen
class Phrase:
    """A noun phrase: "the leader's hand", "each card in the trick that is a Wizard", "you".

    `head` is already in its final number.  An `owner` takes the place of the determiner.  `after` follows the head.
    """

    head: str
    determiner: str = "the"
    plural: bool = False
    owner: Phrase | None = None
    after: str = ""
    pronoun: Pronoun | None = None
    human: bool = False
    one: str = ""
    """The singular of a plural head, where it is known."""

    # ---- the realiser

    @property
    def text(self) -> str:
        """The phrase as a subject."""
        return self.pronoun.subject if self.pronoun is not None else self._nominal()

    @property
    def object(self) -> str:
        """The phrase as an object, or after a preposition."""
        return self.pronoun.object if self.pronoun is not None else self._nominal()

    @property
    def within(self) -> str:
        """The phrase as the place where something lies: "in your hand", "on the table"."""
        return f"{'on' if self.head.split(' ')[-1].rstrip('s') in SURFACES else 'in'} {self.object}"

    @property
    def possessive(self) -> str | None:
        """The words before a thing that this owns: "your", "the leader's"; None where they are too long."""
        if self.pronoun is not None:
            return self.pronoun.possessive
        if self.after or not self.head or any(mark in self._nominal() for mark in NOT_BEFORE_POSSESSIVE):
            return None
        if not self.determiner and len(self.head.split(" ")) > 2:
            return None  # A phrase of which only the text is known.
        deep = self.owner is not None and self.owner.pronoun is None
        long = any(word in f"{self.determiner} {self.head}" for word in (" of ", " who "))
        if deep or long or (self.plural and self.determiner == "all"):
            return None
        return self._nominal() + ("'" if self.head.endswith(("s", "s*")) and self.plural else "'s")

    @property
    def bare(self) -> str:
        """The head and what follows it, without determiner or owner."""
        return self.head + _after_head(self.after)

    def _nominal(self) -> str:
        if self.owner is not None and self.determiner in ("the", "all"):
            every = "all " if self.determiner == "all" else ""
            front = self.owner.possessive
            if front is not None:
                return f"{every}{front} {self.bare}"
            whom = f"({self.owner.object})" if ", " in self.owner.object else self.owner.object
            return f"{every or 'the '}{self.head} of {whom}{_after_head(self.after)}"
        if self.determiner == "a" and not self.plural and self.head.startswith(("other ", "*other ")):
            return f"one {self.bare}"
        if self.determiner == "a":
            return article(self.bare) if not self.plural else self.bare
        alone = not self.determiner or (self.determiner == "the" and has_determiner(self.head))
        return self.bare if alone else f"{self.determiner} {self.bare}"

    # ---- other phrases made from this one

    def has(self, head: str, *, plural: bool = False) -> Phrase:
        """Return what belongs to this: "the card's suit", "whose suit", "the suit of the first card"."""
        return Phrase(head, plural=plural, owner=self)

    def under(self, determiner: str) -> Phrase:
        """Return the phrase with another determiner; an owner goes after: "no card of the leader"."""
        made = attrs.evolve(self, determiner=determiner, pronoun=None)
        if self.owner is None:
            return made
        return attrs.evolve(made, owner=None, after=f"of {self.owner.object}{_after_head(self.after)}")

    def joined(self, op: str, other: Phrase) -> Phrase:
        """Return this and another as one: "your hand and stock", "your hand or the table"."""
        many = op == "and" or other.plural
        if self.owner is not None and self.owner == other.owner and not self.after and not other.after:
            return attrs.evolve(self, head=f"{self.head} {op} {other.head}", plural=many)
        return named(f"{self.text} {op} {other.text}", plural=many)

    def followed(self, after: str) -> Phrase:
        """Return the phrase with more after it."""
        return attrs.evolve(self, after=f"{self.after} {after}".strip()) if after else self

    def as_plural(self) -> Phrase:
        """Return several of these."""
        return self if self.plural else attrs.evolve(self, head=plural(self.head), plural=True, one=self.head)

    def as_singular(self) -> Phrase | None:
        """Return one of these; None where the singular is not known."""
        if not self.plural:
            return self
        return attrs.evolve(self, head=self.one, plural=False, one="") if self.one else None

    @property
    def is_second_person(self) -> bool:
        """Whether the reader is meant."""
        return self.pronoun is YOUR_PRONOUN

    @property
    def is_relative(self) -> bool:
        """Whether this is a relative pronoun: "who", "that"."""
        return self.pronoun is not None and self.pronoun.possessive == "whose"


def _after_head(after: str) -> str:
    return f" {after}" if after else ""


YOUR_PRONOUN = Pronoun("you", "you", "your", plural=True)
YOU = Phrase("you", "", plural=True, pronoun=YOUR_PRONOUN, human=True)
THEY = Phrase("they", "", plural=True, pronoun=Pronoun("they", "them", "their", plural=True), human=True)
IT = Phrase("it", "", pronoun=Pronoun("it", "it", "its"))
ALL = Phrase("players", "all", plural=True, human=True, one="player")
BOTH = Phrase("players", "both", plural=True, human=True, one="player")


def whose(*, human: bool, plural: bool = False) -> Phrase:
    """Return the relative pronoun: "who", "that", "whose"."""
    subject = "who" if human else "that"
    return Phrase(subject, "", plural=plural, pronoun=Pronoun(subject, subject, "whose", plural), human=human)


def named(text: str, *, plural: bool = False, human: bool = False) -> Phrase:
    """Return a phrase without a determiner: a number, a value, "player 2"."""
    return Phrase(text, "", plural=plural, human=human)
