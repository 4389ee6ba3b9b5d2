"""English words: how a name of a spec is read aloud, inflection, lists and numbers of things.

What a name means is a guess from the form of its words, and each guess has a harmless fallback.  Regular inflection
comes from the library `inflection`; words of card games that it lacks are listed here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

_PARTICIPLES = """
    asked beaten bid bought built burnt chosen cut dealt drawn driven eaten found given gone got held hidden hit
    kept known laid led left lit lost made met paid put read seen shown sold spent stolen sunk taken thrown told torn
    won worn written
"""
_ADVERBS = ("ahead", "apart", "aside", "away", "down", "in", "off", "on", "out", "over", "up")
ADJECTIVES = ("current", "next", "previous")
"""Names that need a noun, and are no participles."""
_NOT_PARTICIPLES = ("bed", "deed", "feed", "need", "red", "reed", "seed", "shed", "speed", "weed")
PREPOSITIONS = ("of", "in", "with", "to", "from", "for", "on", "against", "as", "than", "by", "at")
"""Words after which a name needs an object: `foe_of`, `playable_from`."""
_STATES = (*_ADVERBS, "without", "with", "not", "free", "equal", "same", "alike")
"""First words of names that describe a state: `out_of_cards`, `equal_to`."""
_COMPARATIVES = ("better", "higher", "larger", "lower", "smaller", "stronger", "weaker", "worse")
MODALS = ("can", "cannot", "could", "may", "must", "should", "will")
_IRREGULAR = {"die": "dice", "pass": "passes"}
_VERBS = {
    "be": "is", "have": "has", "do": "does", "go": "goes",
    **{verb: f"{verb}s" for verb in ("bet", "bid", "cast", "cut", "hit", "let", "put", "set", "shut", "split")},
}  # fmt: skip
"""Verbs in the third person that are irregular, or whose base form is also a participle."""
SHORT = 2
"""Letters of a name that says nothing."""
_DETERMINERS = ("this", "that", "these", "those", "both", "all", "each", "every", "some", "any")
"""First words of a name that have no article before them."""
_PRONOUNS = (*_DETERMINERS, "they", "them", "one")
"""Names that say nothing of what they are."""


LONGEST = 24
"""Words of a sentence; a longer one is split."""


def words(name: str) -> str:
    """Return a name as words: `hand_size` and `HandSize` are "hand size", `non_dealer` is "non-dealer"."""
    return re.sub(r"\bnon ", "non-", " ".join(spaced(name).split("_")).lower()) or name


def spaced(name: str) -> str:
    """Return a name with a blank before each further capital letter: `WildDraw` is "Wild Draw"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)


def says_nothing(name: str) -> bool:
    """Whether a name does not say what it is of: `c`, `those`."""
    return len(name) <= SHORT or words(name) in _PRONOUNS


def has_determiner(noun: str) -> bool:
    """Whether the first word of a noun is a determiner, so that it takes no article: "both hands", "*those cards*"."""
    return noun.strip("*").split(" ")[0] in _DETERMINERS


def mark(name: str) -> str:
    """Return a boolean of a player as a mark: `excused` and `is_excused` are "excused"."""
    return re.sub(r"^(is|was|has) (?=.)", "", words(name))


def title(name: str) -> str:
    """Return a name as a heading: `one_trick` is "One trick"; an `of` at the end waits for what is given."""
    return capital(words(name).removesuffix(" of"))


def capital(text: str) -> str:
    """Return a text with a capital letter first; a mark of emphasis may be before it."""
    first = next((place for place, letter in enumerate(text) if letter not in "*§“("), 0)
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :]


def sentence(text: str) -> str:
    """Return a text as a sentence, with a full stop unless it ends in a mark already."""
    whole = capital(text)
    return whole if whole.endswith((".", ":", "!", "?", ".”", ".)")) else whole + "."


def article(noun: str) -> str:
    """Return a noun after `a` or `an`."""
    bare = noun.lstrip("*`").lower()
    letter = bare.rstrip("*`") if len(bare.rstrip("*`")) == 1 else ""  # Its name is spoken: "an n", "a u".
    vowel = bare.startswith(("hono", "hour", "heir")) or (
        bare[:1] in "aeiou" and not bare.startswith(("one", "uni", "use", "eu"))
    )
    vowel = letter in "aefhilmnorsx" if letter else vowel
    return f"{'an' if vowel else 'a'} {noun}"


def plural(noun: str) -> str:
    """Return the plural of a noun: its last word changes, before an `of` the one in front of it."""
    if noun.startswith("*") and noun.endswith("*"):
        return f"*{plural(noun[1:-1])}*"
    head, of, rest = noun.partition(" of ")
    *before, last = head.split(" ")
    if before and is_adjective(last):
        return " ".join([*before[:-1], _plural(before[-1]), last]) + of + rest
    return " ".join([*before, _plural(last)]) + of + rest


@cache
def _plural(word: str) -> str:
    import inflection  # late: english

    if word.lower() in (*_IRREGULAR, *_IRREGULAR.values()) or is_adjective(word):
        return _IRREGULAR.get(word.lower(), word)
    return word + "s" if word.endswith(("foot", "goose")) else inflection.pluralize(word)


def singular(noun: str) -> str:
    """Return a plural as one of its kind: "contender" for "contenders"."""
    import inflection  # late: english

    return inflection.singularize(noun) if is_plural(noun) else noun


def third_person(verb: str) -> str:
    """Return the form of a verb that follows "she": "has", "rolls", "passes"."""
    return _VERBS.get(verb) or _plural(verb)


def base_form(verb: str) -> str:
    """Return a verb in the third person as it follows "to": "have", "follow"."""
    return next((base for base, third in _VERBS.items() if verb in (third, base)), None) or singular(verb)


def is_plural(name: str) -> bool:
    """Whether a name looks like a plural: `calls`, `cards_of_a_suit`, not `bonus`, `pass` or `number_of_cards`."""
    first, _, _ = words(name).partition(" of ")
    if first.split(" ")[-1] in _IRREGULAR.values():
        return True
    return first.endswith("s") and first[-2:-1] not in ("", "s", "i", "u", "'")


def is_adjective(name: str) -> bool:
    """Whether a name looks as if its noun were missing: `won`, `turned`, `aside`."""
    last = words(name).split(" ")[-1]
    if last in _PARTICIPLES.split() or last in _ADVERBS or last in ADJECTIVES:
        return True
    if last.endswith(("able", "ible", "ctive")) and last not in ("table", "cable", "fable"):
        return True
    return last.endswith("ed") and len(last) > 3 and last not in _NOT_PARTICIPLES


def is_bid(name: str) -> bool:
    """Whether the last word of a name is a noun, although it looks like a participle: `high_bid`, not `tricks_bid`."""
    *before, last = words(name).split(" ")
    return last in ("bid", "bet", "cut") and bool(before) and not is_plural(before[-1]) and before[-1] != "number"


def is_noun(name: str) -> bool:
    """Whether a name can be what something is called: not `cannot_win`, `sure_to_win` or `leads_nature`."""
    first, *rest = words(name).split(" ")
    return not rest or (first not in MODALS and rest[0] != "to" and not is_plural(first))


def predicate(name: str) -> tuple[str, str] | None:
    """Return a name as a verb in its base form and the rest: `may_roll` is "may roll", `leadable` is "be leadable".

    None where the name is no predicate.
    """
    first, *rest = words(name).split(" ")
    others = " ".join(rest)
    if first in MODALS:
        return (f"{first} {rest[0]}", " ".join(rest[1:])) if rest else None
    if first in ("is", "was", "has") and rest:
        of_a_kind = first != "was" and not is_adjective(others) and not _describes(others) and not is_plural(others)
        return ("have" if first == "has" else "be"), article(others) if of_a_kind else others
    if is_adjective(name) or _describes(words(name)):
        return "be", words(name)
    if is_plural(first) and not (rest and rest[0] == "of"):
        return base_form(first), others
    return None


def _describes(name: str) -> bool:
    first, *rest = name.split(" ")
    if first in _COMPARATIVES and rest[:1] in ([], ["than"]):
        return True
    return first.endswith(("able", "ible", "less", "ful", "ous")) or name in ("void", "alive") or first in _STATES


_REDUNDANT = {"pile": ("stock", "deck", "pile", "talon", "stack", "heap"),
              "slot": ("slot", "place", "space", "hand")}  # fmt: skip
"""Kinds of zones that their names are followed by, and names that say it already."""


def with_kind(name: str, kind: str) -> str:
    """Return what a zone is called: "draw pile", "board slot"; the stock, a hand and a row are called so alone."""
    named = words(name)
    return f"{named} {kind}" if kind in _REDUNDANT and named.split(" ")[-1] not in _REDUNDANT[kind] else named


def listing(parts: Sequence[str], joint: str = "and") -> str:
    """Return parts as a list: "a, b and c"; semicolons where a part has a comma of its own."""
    if len(parts) < 2:
        return "".join(parts)
    between = "; " if any("," in part for part in parts) else ", "
    last = f"{'; ' if between == '; ' and len(parts) > 2 else ' '}{joint} "
    return between.join(parts[:-1]) + last + parts[-1]


def by_number(players: Sequence[int]) -> str:
    """Return players (from 0) by number: "player 1", "players 2, 3 and 4"."""
    return f"player{'s' if len(players) > 1 else ''} {listing([str(player + 1) for player in players])}"


def integer(value: int) -> str:
    """Return a number as a numeral, with a true minus sign."""
    return str(value) if value >= 0 else f"\N{MINUS SIGN}{-value}"


def is_test(text: str) -> bool:
    """Whether a line begins with a condition."""
    return text.startswith("If ")


def in_one(texts: Sequence[str]) -> str:
    """Return a lead and the lines below it as one text; of a test within a test, "if" is said in one sentence."""
    whole = ""
    for text in texts:
        inside = is_test(text) and ". " not in text and is_test(whole.rpartition(": ")[2]) and whole.endswith(":")
        both = f"{whole[:-1]}, and if{text[2:]}"
        whole = both if inside and number_of_words(both) <= LONGEST else f"{whole} {text}".strip()
    return whole


def number_of_words(text: str) -> int:
    """Return how many words a reader counts in a text."""
    return len(text.split())
