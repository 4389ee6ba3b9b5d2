"""English for names: how a name of a spec is read aloud, its plural, its article, its place in a sentence.

Nothing here knows a spec; these are guesses from the form of a word, and each has a harmless fallback.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

_PARTICIPLES = """
    asked beaten bid bought built burnt chosen cut dealt drawn driven eaten found given got held hidden hit kept known
    laid led left lost made met paid put read seen shown sold spent stolen sunk taken thrown told torn won worn written
"""
_ADVERBS = ("ahead", "apart", "aside", "away", "down", "in", "off", "on", "out", "over", "up")
_NO_PARTICIPLES = ("bed", "deed", "feed", "need", "red", "reed", "seed", "shed", "speed", "weed")
PREPOSITIONS = ("of", "in", "with", "to", "from", "for", "on", "against", "as", "than", "by", "at")
"""Words behind which a name needs what it speaks of: `foe_of`, `playable_from`."""
_STATES = (*_ADVERBS, "without", "with", "not", "free", "equal", "same", "alike")
"""First words of names that say how something is: `out_of_cards`, `equal_to`."""
_MODALS = ("can", "cannot", "could", "may", "must", "should", "will")
_IRREGULAR = {"die": "dice", "ace": "aces", "half": "halves", "man": "men", "woman": "women", "child": "children"}


@attrs.frozen
class Phrase:
    """A noun phrase: its text, whether it is plural, and how it possesses something.

    `whose` is the word that takes the place of a possessive (`whose`, `its`); `bare` and `owner` are the
    phrase without its article and what it belongs to, where that is known.
    """

    text: str
    plural: bool = False
    whose: str = ""
    bare: str = ""
    owner: Phrase | None = None

    @property
    def simple(self) -> bool:
        """Whether `'s` can stand behind the text without doubt what it belongs to."""
        return re.search(r" (of|in|on|that|who|whose|for|from|among|after|before|opposite|with|or|and)\b|,|:|\)",
                         self.text) is None  # fmt: skip

    def has(self, noun: str, *, plural: bool = False) -> Phrase:
        """Return what belongs to this: "the card's suit", "whose suit", "the suit of the first card"."""
        if self.whose:
            return Phrase(f"{self.whose} {noun}", plural, bare=noun, owner=self)
        if not self.simple:
            whom = f"({self.text})" if ", " in self.text else self.text
            return Phrase(f"the {noun} of {whom}", plural, bare=noun)
        mark = "'" if self.text.endswith(("s", "s*")) and self.plural else "'s"
        return Phrase(f"{self.text}{mark} {noun}", plural, bare=noun, owner=self)

    def be(self, negated: bool = False) -> str:
        """Return the phrase with its verb: "the hand is", "the cards are not"."""
        return f"{self.text} {'are' if self.plural else 'is'}{' not' if negated else ''}"

    def have(self) -> str:
        """Return the phrase with `has` or `have`."""
        return f"{self.text} {'have' if self.plural else 'has'}"


LONG = 12
"""Words behind which a reader no longer waits for the verb."""


def winning(phrase: Phrase) -> str:
    """Return that somebody wins: "the *last* wins", "the winners are all players with .." where that is long."""
    if len(phrase.text.split()) > LONG:
        return f"the winner{'s are' if phrase.plural else ' is'} {phrase.text}"
    if ", " in phrase.text:
        phrase = Phrase(phrase.text + ",", phrase.plural)
    return f"{phrase.text} {'win' if phrase.plural else 'wins'}"


def words(name: str) -> str:
    """Return a name as words: `hand_size` and `HandSize` are "hand size"."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ")
    return " ".join(spaced.split()).lower() or name


_NEEDLESS = {"pile": ("stock", "deck", "pile", "talon", "stack", "heap"), "slot": ("slot", "place", "space", "hand")}
"""Kinds of places that are named with them, and words that say it already."""


def with_kind(name: str, kind: str) -> str:
    """Return what a place is called: "draw pile", "board slot"; the stock, a hand and a row are called so alone."""
    told = words(name)
    return f"{told} {kind}" if kind in _NEEDLESS and told.split(" ")[-1] not in _NEEDLESS[kind] else told


def title(name: str) -> str:
    """Return a name as a heading: `one_trick` is "One trick"."""
    return capital(words(name))


def capital(text: str) -> str:
    """Return a text whose first letter is large; a mark of emphasis may stand before it."""
    found = re.match(r"(\**)([a-z])", text)
    return text if found is None else found[1] + found[2].upper() + text[found.end() :]


def sentence(text: str) -> str:
    """Return a text as a sentence, with a full stop unless it ends in a mark already."""
    said = capital(text)
    return said if said.endswith((".", ":", "!", "?")) else said + "."


def article(noun: str) -> str:
    """Return a noun behind `a` or `an`."""
    bare = noun.lstrip("*`")
    vowel = bare[:1].lower() in "aeiou" and not re.match(r"(one|uni|use|eu)", bare.lower())
    return f"{'an' if vowel else 'a'} {noun}"


def plural(noun: str) -> str:
    """Return the plural of a noun; the last word changes, in front of an `of` the one before it."""
    if noun.startswith("*") and noun.endswith("*"):
        return f"*{plural(noun[1:-1])}*"
    head, of, rest = noun.partition(" of ")
    if of:
        return plural(head) + of + rest
    *before, last = noun.split(" ")
    return " ".join([*before, _plural(last)])


def _plural(word: str) -> str:
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if is_adjective(low):
        return word
    if re.search(r"(s|x|z|ch|sh)$", low):
        return word + "es"
    if re.search(r"[^aeiou]y$", low):
        return word[:-1] + "ies"
    return word + "s"


def singular(noun: str) -> str:
    """Return a plural as one of its kind: "contender" for "contenders"; a word that looks like none as it is."""
    if re.search(r"(ss|[sxz]|ch|sh)es$", noun):
        return noun[:-2]
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-1] if is_plural(noun) else noun


def is_plural(name: str) -> bool:
    """Whether a name looks like a plural: `calls`, `cards_of_a_suit`, not `bonus`, `pass` or `number_of_cards`."""
    return re.search(r"[^siu']s$", words(name).split(" of ")[0]) is not None


def is_adjective(name: str) -> bool:
    """Whether a name looks as if a noun were missing behind it: `won`, `turned`, `aside`."""
    last = words(name).split(" ")[-1]
    if last in _PARTICIPLES.split() or last in _ADVERBS:
        return True
    if last.endswith(("able", "ible", "ctive")) and last not in ("table", "cable", "fable"):
        return True
    return last.endswith("ed") and len(last) > 3 and last not in _NO_PARTICIPLES


def is_noun(name: str) -> bool:
    """Whether a name can be what somebody is called: not `cannot_win`, `sure_to_win` or `leads_nature`."""
    first, *rest = words(name).split(" ")
    return not rest or (first not in _MODALS and rest[0] != "to" and not is_plural(first))


def said_of(name: str) -> str:
    """Return what a name says of somebody: "cannot win", "is sure to win", "leads nature"."""
    _, *rest = words(name).split(" ")
    return f"is {words(name)}" if rest and rest[0] == "to" else words(name)


def predicate(name: str, *, many: bool = False) -> str | None:
    """Return a name as what is said of something ("follows", "may roll", "is leadable"), or None."""
    first, *rest = words(name).split(" ")
    if first in _MODALS or first in ("was", "were"):
        return " ".join([first, *rest]) if rest else None
    if first in ("is", "has") and rest:
        verb = {"is": "are", "has": "have"}[first] if many else first
        told = " ".join(rest)
        if first == "is" and not is_adjective(told) and not _describes(told):
            told = plural(told) if many else article(told)
        return f"{verb} {told}"
    if is_adjective(name) or _describes(words(name)):
        return f"{'are' if many else 'is'} {words(name)}"
    if is_plural(first):
        return " ".join([first[:-1] if many else first, *rest])
    return None


def _describes(told: str) -> bool:
    first = told.split(" ")[0]
    return first.endswith(("able", "ible", "less", "ful", "ous")) or told in ("void", "alive") or first in _STATES


def listing(parts: Sequence[str], joint: str = "and") -> str:
    """Return parts as a list: "a, b and c"; semicolons where a part has a comma of its own."""
    if len(parts) < 2:
        return "".join(parts)
    between = "; " if any("," in part for part in parts) else ", "
    last = f"{'; ' if between == '; ' and len(parts) > 2 else ' '}{joint} "
    return between.join(parts[:-1]) + last + parts[-1]


def said_once(clauses: list[str], joint: str = "and") -> list[str]:
    """Return clauses without what all have in common: "that are Pips", "Aces"; "whose hand and stock are empty"."""
    if len(clauses) < 2:
        return clauses
    owned = [found for clause in clauses if (found := re.fullmatch(r"whose ([\w *]+) is (empty|not empty)", clause))]
    if len(owned) == len(clauses) and len({found[2] for found in owned}) == 1:
        names = listing([found[1] for found in owned], joint)
        return [f"whose {names} {'are' if joint == 'and' else 'is'} {owned[0][2]}"]
    begun = [re.match(r"(.*? (?:is|are)) (?!not )(.+)", clause) for clause in clauses]
    first = begun[0]
    if first is None or first[1].startswith("there ") or any(f is None or f[1] != first[1] for f in begun):
        return clauses
    return [clauses[0], *(f[2] for f in begun[1:] if f is not None)]


def number_of(count: str, noun: str) -> str:
    """Return a number of things: "one card", "5 cards"."""
    return f"one {noun}" if count == "1" else f"{count} {plural(noun)}"


def some_of(noun: str, sort: str) -> str:
    """Return one thing of a sort, or some where the sort is several things: "a card", "some cards"."""
    return f"some {noun}" if sort in ("cards", "players", "values") else article(noun)


def base_form(verb: str) -> str:
    """Return a verb as it stands behind "does": "have", "follow"."""
    return "have" if verb in ("has", "have") else verb.removesuffix("s")
