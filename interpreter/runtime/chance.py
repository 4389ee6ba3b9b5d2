"""Cards that nobody knows yet, and how they become known.

A shuffled pile holds tokens instead of cards.  A token belongs to a pool: the cards of one shuffle that
are not determined yet.  When a rule reads a token's card, or a player learns it, that card is drawn from
the pool: one chance event, whose outcomes are the faces left in it.  Pools are exchangeable: every
assignment of their cards to their tokens is as likely as any other, so it does not matter when it is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from interpreter.runtime.faults import IllegalActionError, NeedCard

if TYPE_CHECKING:
    from interpreter.runtime.machine import Machine


class Rng(Protocol):
    """Anything with `random()`, a float in [0, 1): `random.Random` is one."""

    def random(self) -> float:
        """Return the next number."""
        ...


def below(rng: Rng, count: int) -> int:
    """Return a whole number from 0 up to but not including `count`; the same on every version of Python."""
    return min(int(rng.random() * count), count - 1)


def below_any(rng: Rng, count: int) -> int:
    """Return a whole number below `count`, which may have more digits than a float."""
    if count < 1 << 50:
        return below(rng, count)
    parts = count.bit_length() // 30 + 3
    number = 0
    for _ in range(parts):
        number = number << 30 | int(rng.random() * (1 << 30))
    return number * count >> (30 * parts)


def mix(rng: Rng, items: list[int]) -> None:
    """Put a list in a random order, in place."""
    draw = rng.random
    for place in range(len(items) - 1, 0, -1):
        # A float below 1 times a count this small is below the count.
        other = int(draw() * (place + 1))
        items[place], items[other] = items[other], items[place]


def shuffle(st: Machine, pile: list[int]) -> None:
    """Put a pile in an order that nobody knows: its cards become tokens of one pool.

    Raises NeedCard where a pool lies partly outside the pile beside cards of another origin: its cards
    outside are determined first, since the rest would not be exchangeable with them.
    """
    cards = st.game.num_cards
    inside = [c for c in pile if c >= cards]
    touched = sorted({st.undetermined[t] for t in inside})
    if len(pile) < 2 or (len(touched) == 1 and len(inside) == len(pile)):
        return
    ids = [c for c in pile if c < cards]
    lying = set(inside)
    for pool in touched:
        for token in sorted(t for t, p in st.undetermined.items() if p == pool):
            if token not in lying:
                raise NeedCard(token)
        ids.extend(st.pools[pool])
    for pool in touched:
        del st.pools[pool]
    for token in inside:
        del st.undetermined[token]
    number = next(n for n in range(len(st.pools) + 1) if n not in st.pools)
    if st.undetermined:
        token = cards
        for place in range(len(pile)):
            while token in st.undetermined:
                token += 1
            pile[place] = token
            st.undetermined[token] = number
    else:
        pile[:] = range(cards, cards + len(pile))
        st.undetermined.update(dict.fromkeys(pile, number))
    st.pools[number] = tuple(sorted(ids))
    if st.turned:
        for card in ids:
            st.turned.pop(card, None)
    st.shuffled(pile)


def outcomes(st: Machine, token: int) -> list[tuple[int, float]]:
    """Return the faces that a token can turn out to be, ascending, with their probabilities."""
    pool = st.pools[st.undetermined[token]]
    faces = st.game.card_faces
    size = len(pool)
    # Cards ascend in their pool, and their faces with them.
    if not st.game.has_copies:
        return [(faces[card], 1 / size) for card in pool]
    return [(face, count / size) for face, count in Counter([faces[card] for card in pool]).items()]


def determine(st: Machine, token: int, face: int) -> None:
    """Let a token be a card of a face.  Raises IllegalActionError, with nothing changed, if its pool has none."""
    faces = st.game.card_faces
    number = st.undetermined[token]
    pool = st.pools[number]
    card = next((c for c in pool if faces[c] == face), None)
    if card is None:
        raise IllegalActionError(st.game.texts.no_outcome(face, True))
    if len(pool) > 1:
        place = pool.index(card)
        st.pools[number] = pool[:place] + pool[place + 1 :]
    else:
        del st.pools[number]
    del st.undetermined[token]
    for place, zone in enumerate(st.z):
        if token in zone:
            zone[zone.index(token)] = card
            if st.game.unordered[place]:
                zone.sort()
            break
    _replaced(st, {token: card})


def replace(st: Machine, cards: dict[int, int]) -> None:
    """Put cards in the place of tokens, wherever they lie."""
    found = cards.get
    unordered = st.game.unordered
    for place, zone in enumerate(st.z):
        if zone:
            zone[:] = map(found, zone, zone)
            if unordered[place]:
                zone.sort()
    _replaced(st, cards)


def _replaced(st: Machine, cards: dict[int, int]) -> None:
    """Let what is known of tokens, whose places cards have taken, be known of these."""
    for held in (st.turned, st.played_by):
        if held:
            for token in [t for t in held if t in cards]:
                held[cards[token]] = held.pop(token)
    st.determined(cards)


def certain(st: Machine, token: int) -> int | None:
    """Return the only face a token can be, or None."""
    faces = st.game.card_faces
    pool = st.pools[st.undetermined[token]]
    first = faces[pool[0]]
    return first if all(faces[c] == first for c in pool) else None


def draw_all(st: Machine, rng: Rng) -> tuple[int, ...]:
    """Return faces for all tokens of all pools, drawn at random, pool by pool and token by token."""
    faces = st.game.card_faces
    drawn: list[int] = []
    for pool in sorted(st.pools):
        ids = list(st.pools[pool])
        mix(rng, ids)
        drawn += [faces[c] for c in ids]
    return tuple(drawn)


def answer_all(st: Machine, rng: Rng) -> tuple[int, ...]:
    """Determine all tokens at random; return their faces, from which `determine_all` makes the same cards again."""
    if len(st.pools) > 1:
        drawn = draw_all(st, rng)
        determine_all(st, drawn)
        return drawn
    (pool,) = st.pools.values()
    ids = list(pool)
    mix(rng, ids)
    drawn = tuple(ids)
    if st.game.has_copies:
        faces = st.game.card_faces
        drawn = tuple([faces[card] for card in ids])
        left = _copies(pool, faces)
        ids = [left[face].pop() for face in drawn]
    tokens = sorted(st.undetermined)
    if tokens in st.z and not st.turned and not st.played_by and not st.logging:
        # The whole pile still lies as it was shuffled, as at the beginning of most plays.
        place = st.z.index(tokens)
        st.z[place] = sorted(ids) if st.game.unordered[place] else ids
        st.undetermined.clear()
        st.pools.clear()
    else:
        _replace_all(st, dict(zip(tokens, ids, strict=True)))
    return drawn


def _copies(pool: Sequence[int], faces: Sequence[int]) -> dict[int, list[int]]:
    """Return the cards of a pool by face, the lowest at the end."""
    left: dict[int, list[int]] = {}
    for card in reversed(pool):
        left.setdefault(faces[card], []).append(card)
    return left


def _tokens(st: Machine, pool: int) -> list[int]:
    return sorted([t for t, p in st.undetermined.items() if p == pool])


def _replace_all(st: Machine, found: dict[int, int]) -> None:
    st.undetermined.clear()
    st.pools.clear()
    replace(st, found)


def tokens_in_order(st: Machine) -> list[tuple[int, int]]:
    """Return (pool, token) for all tokens, in the order in which `draw_all` and `determine_all` take them."""
    return sorted([(pool, token) for token, pool in st.undetermined.items()])


def determine_all(st: Machine, drawn: tuple[int, ...]) -> None:
    """Determine all tokens at once.  Raises IllegalActionError, before any change, if the cards do not fit."""
    faces = st.game.card_faces
    if len(drawn) != len(st.undetermined):
        raise IllegalActionError("the cards do not fit the piles")
    found: dict[int, int] = {}
    faced = iter(drawn)
    for pool in sorted(st.pools):
        left = _copies(st.pools[pool], faces)
        for token, face in zip(_tokens(st, pool), faced, strict=False):
            copies = left.get(face)
            if not copies:
                raise IllegalActionError("the cards do not fit the piles")
            found[token] = copies.pop()
    _replace_all(st, found)
