"""The nearest word by edit distance: the one "did you mean" of the project.

The distance is that of optimal string alignment (a letter put in, left out, exchanged, or swapped with its
neighbour costs one), computed in a band around the diagonal, so a pair of words takes time linear in their length.
A word is near if a third of its letters would have to change at most, as in the compilers of Rust and Clang; case
alone, and the order of the parts of a name (`left_hand` for `hand_left`), count as nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from grammar.diagnostics import Cure, Edit
from grammar.source import Span

MOST_LETTERS = 40
"""Longer words are nobody's slip of the pen."""

MOST_CANDIDATES = 1_000
MOST_CHANGES = 3
ALIKE = 0.6
"""The share of words that lines have in common which are alike."""

_WORD = re.compile(r"\w+|[^\w\s]+")


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that is most likely meant, or None where none is near."""
    found = ranked(word, candidates)
    return found[0] if found else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return "did you mean `x`?" for the nearest candidate, or an empty text."""
    found = nearest(word, candidates)
    return "" if found is None else f"did you mean `{found}`?"


def suggestion(word: str, candidates: Iterable[str], span: Span) -> Cure | None:
    """Return the cure that writes the nearest candidate for a word, which is in a span, or None."""
    found = nearest(word, candidates)
    return None if found is None else Cure(f"did you mean `{found}`?", (Edit(span.part(word), found),), "")


def ranked(word: str, candidates: Iterable[str]) -> list[str]:
    """Return the candidates that are near to a word, the nearest first; of equally near ones by the alphabet."""
    if not 0 < len(word) <= MOST_LETTERS:
        return []
    low, parts = word.lower(), _parts(word)
    letters = Counter(low)
    most = min(max(len(word), 3) // 3, MOST_CHANGES)
    known = sorted({c for c in candidates if c and c != word and abs(len(c) - len(word)) <= most})[:MOST_CANDIDATES]
    found: list[tuple[int, str]] = []
    for candidate in known:
        other = candidate.lower()
        if other == low or (len(parts) > 1 and _parts(candidate) == parts):
            found.append((0, candidate))
            continue
        # Letters that only one of the two has must be put in, left out or exchanged.
        if max((letters - Counter(other)).total(), (Counter(other) - letters).total()) > most:
            continue
        distance = _distance(low, other, most)
        if distance <= most and distance < len(candidate):
            found.append((distance, candidate))
    return [candidate for _, candidate in sorted(found)]


def alike(text: str, candidates: Iterable[str], most: int = 3) -> list[str]:
    """Return the candidates that share most words and signs with a text, the best first: Sorensen-Dice coefficient."""
    own = Counter(_WORD.findall(text))
    found: list[tuple[float, str]] = []
    for candidate in {*candidates} - {text}:
        theirs = Counter(_WORD.findall(candidate))
        share = 2 * (own & theirs).total() / max(own.total() + theirs.total(), 1)
        if share >= ALIKE:
            found.append((-share, candidate))
    return [candidate for _, candidate in sorted(found)[:most]]


def _parts(word: str) -> list[str]:
    return sorted(word.lower().split("_"))


def _distance(one: str, other: str, most: int) -> int:
    """Return the distance of two words, or any number above `most` if it is greater."""
    far = most + 1
    before: dict[int, int] = {}
    above = {column: column for column in range(min(len(other), most) + 1)}
    for row, letter in enumerate(one, 1):
        here: dict[int, int] = {}
        for column in range(max(0, row - most), min(len(other), row + most) + 1):
            if column == 0:
                here[0] = row
                continue
            best = min(above.get(column, far), here.get(column - 1, far)) + 1
            best = min(best, above.get(column - 1, far) + (letter != other[column - 1]))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == other[column - 1]:
                best = min(best, before.get(column - 2, far) + 1)
            here[column] = best
        if min(here.values(), default=far) > most:
            return far
        before, above = above, here
    return above.get(len(other), far)
