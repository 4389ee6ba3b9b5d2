"""Complete the examples of codes: a few lines become a whole spec by what a small game adds to them."""

from __future__ import annotations

import re

BASE = """game "Example"
    players 2

enum Suit: clubs "C", hearts "H"
card Number(suit: Suit, rank: 1..5) written "{suit}{rank}"
card Jester written "J"

deck in stock
    1 of each Number
    2 of Jester

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    table:        row, seen by all

state
    trump: Suit or none = none
    points[player]: 0..100 = 0

play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    for p in players: take_turn(p)

phase take_turn(p: player)
    p chooses
        play card c from hand[p]
            move c to table for p

result
    score p = points[p] + count(c in table where c.suit == trump)
"""

_HEAD = re.compile(r"^[a-z]", re.MULTILINE)
_ONE_OF_A_KIND = ("game", "zones", "state", "play", "result", "deck")


def sections(text: str) -> list[str]:
    """Return the sections of a text, each with the lines indented beneath it."""
    starts = [m.start() for m in _HEAD.finditer(text)]
    ends = [*starts[1:], len(text)]
    return [text[a:b].rstrip() + "\n" for a, b in zip(starts, ends, strict=False)]


def complete(fragment: str) -> str:
    """Return a whole spec: the fragment, and of the small game what the fragment does not say itself.

    A whole spec (it begins with `cardgame`) and a variant (`extends`) are returned as they are, the latter
    with its first line.
    """
    if fragment.startswith("cardgame"):
        return fragment
    own = sections(fragment)
    if any(s.startswith("extends") for s in own):
        return "cardgame 1\n" + fragment
    said = {_key(s) for s in own}
    return "\n".join(["cardgame 1\n", *(s for s in sections(BASE) if _key(s) not in said), *own])


def _key(section: str) -> str:
    words = re.split(r"[^A-Za-z_]+", section, maxsplit=2)
    return words[0] if words[0] in _ONE_OF_A_KIND else " ".join(words[:2])
