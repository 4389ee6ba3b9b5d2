"""Clauses as data, and their one realiser: "your hand is empty", "the leader has no won cards", "you may roll".

A clause is a subject, a verb in its base form and the rest; it can be negated and joined to others before it becomes a
text.  Joined clauses leave out the words that they share.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import attrs

from interpreter.english.phrases import Phrase, whose
from interpreter.english.words import MODALS, third_person

Joint = Literal["and", "or"]
EITHER = "either "
"""Before alternatives inside an `and`."""


@attrs.frozen
class Clause:
    """A subject, a verb and the rest; `negative` is the rest after "no": "have" with "a trump" and "no trump".

    With `modal` it states a duty: "the suit must be hearts".  With `term` the verb is a word of this game, as are the
    words in `term` after it: "the card *follows*".  `whole` is "all" before a main verb: "these must all have".
    """

    subject: Phrase
    verb: str
    rest: str = ""
    negated: bool = False
    negative: str | None = None
    modal: str = ""
    term: str | None = None
    whole: str = ""

    @property
    def head(self) -> tuple[str, str]:
        """The subject and the verb with its `not`, as they are printed."""
        return self.subject.text, self._verb()

    @property
    def tail(self) -> str:
        """The words after the verb."""
        return self.negative if self.negated and self.negative is not None else self.rest

    def _verb(self) -> str:
        negated = self.negated and self.negative is None
        many = self.subject.pronoun.plural if self.subject.pronoun is not None else self.subject.plural
        first, _, rest = self.verb.partition(" ")
        if self.modal:
            all_ = f" {self.whole}" if self.whole else ""
            return f"{self.modal}{' not' if negated else ''}{all_} {self._marked(self.verb)}"
        if first in MODALS:
            return f"{first}{' not' if negated else ''} {rest}".strip()
        if first == "be":
            return ("are" if many else "is") + (" not" if negated else "")
        if negated:
            return f"{'do' if many else 'does'} not {self._marked(self.verb)}"
        form = self._marked(self.verb if many else third_person(self.verb))
        return f"{self.whole} {form}" if self.whole else form

    def _marked(self, verb: str) -> str:
        if self.term is None:
            return verb
        return f"*{verb} {self.term}*" if self.term else f"*{verb}*"

    @property
    def text(self) -> str:
        """The clause as words."""
        return " ".join(part for part in (*self.head, self.tail) if part)

    def negation(self) -> Clause:
        """Return the opposite."""
        return attrs.evolve(self, negated=not self.negated)

    def under(self, modal: str) -> Condition:
        """Return the clause as a duty; what may do something must be one that may: no two modal verbs meet."""
        if self.verb.partition(" ")[0] not in MODALS:
            return attrs.evolve(self, modal=modal)
        pronoun = whose(human=self.subject.human, plural=self.subject.plural)
        one = f"{'ones' if self.subject.plural else 'one'} {attrs.evolve(self, subject=pronoun).text}"
        return Clause(self.subject, "be", one, modal=modal)


@attrs.frozen
class There:
    """A clause that something exists: "there is no card in the trick that is a Wizard"; `amount` is "at least 2".

    `some` is the determiner of what there is, where it may be several: "at least one".
    """

    what: Phrase
    negated: bool = False
    amount: str = ""
    some: str = "a"

    @property
    def text(self) -> str:
        """The clause as words."""
        verb = "are" if self.what.plural else "is"
        if self.amount:
            return f"there {verb}{' not' if self.negated else ''} {self.amount} {self.what.bare}"
        return f"there {verb} {self.what.under('no' if self.negated else self.some).text}"

    def negation(self) -> There:
        """Return the opposite."""
        return attrs.evolve(self, negated=not self.negated)

    def under(self, modal: str) -> Condition:
        """Return the clause as a duty: "there must be a card"."""
        which = f"{'not ' if self.negated else ''}{self.amount}" if self.amount else "no" if self.negated else self.some
        return Words(f"there {modal} be {self.what.under(which).text}")


@attrs.frozen
class Words:
    """A clause in fixed words, with its opposite: "you can win" and "you cannot win"; `duty` says it as a duty can."""

    text: str
    opposite: str = ""
    duty: Clause | None = None

    def negation(self) -> Words:
        """Return the opposite."""
        return Words(self.opposite or f"it is not the case that {self.text}", self.text)

    def under(self, modal: str) -> Condition:
        """Return the clause as a duty: a condition to fulfil."""
        return Words(f"it {modal} be true that {self.text}") if self.duty is None else self.duty.under(modal)


@attrs.frozen
class Joined:
    """Clauses joined by `and` or `or`."""

    op: Joint
    parts: tuple[Condition, ...]

    @property
    def text(self) -> str:
        """The clauses as words, without what they share; an `or` inside an `and` begins with "either".

        What is joined of joined clauses is in brackets, unless it ends the sentence after "either".
        """
        parts = _merged(self.op, self.parts)
        nested = any(isinstance(part, Joined) for part in parts)
        said = []
        for place, part in enumerate(parts):
            before = parts[place - 1] if place and not nested else None
            text = _shortened(part, before)
            nested_or = self.op == "and" and isinstance(part, Joined) and part.op == "or" and not part.is_of_one
            if f", {_other(self.op)} " in text and levels(part) > 1 and not (nested_or and place == len(parts) - 1):
                text = f"({text})"
            said.append(f"{EITHER}{text}" if nested_or else text)
        if nested or any("," in text for text in said):
            return f", {self.op} ".join(said)
        whole = [text == part.text for text, part in zip(said, parts, strict=True)]
        if not any(whole[1:]):  # "These cards form a group or a run, or pair."
            whole = [not isinstance(part, Clause) or text != part.tail for text, part in zip(said, parts, strict=True)]
        if len(said) > 2 and any(whole[1:]) and not all(whole):  # Clauses that share a subject or verb are one part.
            starts = [place for place, begins in enumerate(whole) if begins]
            ends = [*starts[1:], len(said)]
            return f", {self.op} ".join(f" {self.op} ".join(said[a:b]) for a, b in zip(starts, ends, strict=True))
        return f" {self.op} ".join(said) if len(said) < 3 else ", ".join(said[:-1]) + f" {self.op} {said[-1]}"

    @property
    def is_of_one(self) -> bool:
        """Whether all clauses have the same subject and verb, which are printed once."""
        return len({part.head if isinstance(part, Clause) and not part.negated else part for part in self.parts}) == 1

    def negation(self) -> Joined:
        """Return the opposite."""
        return Joined(_other(self.op), tuple(part.negation() for part in self.parts))

    def under(self, modal: str) -> Condition:
        """Return the clauses as duties."""
        return Joined(self.op, tuple(part.under(modal) for part in self.parts))


Condition = Clause | There | Words | Joined


def levels(condition: Condition) -> int:
    """Return how many levels of `and` and `or` a condition has; a reader follows 2 of them in one sentence."""
    return 1 + max(map(levels, condition.parts)) if isinstance(condition, Joined) else 0


def _other(op: Joint) -> Joint:
    return "or" if op == "and" else "and"


def _merged(op: Joint, parts: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Return clauses in which things of which the same is said are one subject: "the hand and the stock are empty"."""
    made: list[Condition] = []
    for part in parts:
        last = made[-1] if made else None
        if isinstance(part, Clause) and isinstance(last, Clause) and _can_merge(op, last, part):
            made[-1] = attrs.evolve(last, subject=last.subject.joined(op, part.subject))
        else:
            made.append(part)
    return tuple(made)


def _can_merge(op: Joint, one: Clause, other: Clause) -> bool:
    """Whether the same is said of two things, and of each of them, not of both together."""
    owner = one.subject.owner
    of_each = one.rest == "empty" or one.verb == "hold" or (op == "or" and owner and owner == other.subject.owner)
    alike = of_each and not one.negated and one == attrs.evolve(other, subject=one.subject)
    return bool(alike) and one.subject.pronoun is None is other.subject.pronoun and one.subject != other.subject


def _shortened(part: Condition, before: Condition | None) -> str:
    """Return a clause without the subject and the verb that it shares with the one before."""
    if not isinstance(part, Clause) or not isinstance(before, Clause) or part.subject.text != before.subject.text:
        return part.text
    is_number = part.tail[:1].isdigit()  # "more than 50 or 50"
    if part.head == before.head and part.tail and not part.negated and not is_number:
        return part.tail
    return " ".join((part.head[1], part.tail)).strip()


def joined(op: Joint, parts: Iterable[Condition]) -> Condition:
    """Return clauses joined, flat where one is joined alike already, and each once.

    One whose opposite decides the whole is left out of those that are joined otherwise: "A, and B or not A" is "A and
    B" (unit propagation).
    """
    flat: dict[Condition, None] = {}
    for part in parts:
        flat |= dict.fromkeys(part.parts if isinstance(part, Joined) and part.op == op else (part,))
    decided = {part.negation() for part in flat}
    left = [_without(part, decided) if isinstance(part, Joined) else part for part in flat]
    return left[0] if len(left) == 1 else Joined(op, tuple(left))


def _without(whole: Joined, decided: set[Condition]) -> Condition:
    rest = [part for part in whole.parts if part not in decided]
    return joined(whole.op, rest) if 0 < len(rest) < len(whole.parts) else whole
