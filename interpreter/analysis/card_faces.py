"""The printed faces of cards."""

from __future__ import annotations

import attrs


@attrs.frozen
class Face:
    """The printed face of a card: its kind, its attributes and its text.

    Identical copies share a face; the faces of different decks (`owner`) are different.
    """

    kind: str
    values: tuple[int | bool, ...]
    text: str
    name: str
    owner: int | None
    copies: int
