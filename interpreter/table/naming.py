"""Cards called by their longer names: `play death` for the card that is written `13`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase


def short_texts(game: GameBase, possible: tuple[str, ...], words: list[str]) -> list[str]:
    """Return words with longer names of cards replaced by the cards' texts.

    The beginning of a name is enough where it is that of one card among the `possible` words, or in full where
    the card is none of these.  A leading `the` may be left out.  A word that is itself a card's text stays.
    """
    names = named_among(game, tuple(face.text for face in game.texts.faces))
    if not names:
        return words
    here = named_among(game, possible)
    longest = max(len(name.split()) for name in names)
    out: list[str] = []
    place = 0
    while place < len(words):
        for count in range(min(longest, len(words) - place), 0, -1):
            said = " ".join(words[place : place + count]).lower()
            found = None if count == 1 and said in game.texts.by_text else _one_named(said, here, names)
            if found is not None:
                out.append(found)
                place += count
                break
        else:
            out.append(words[place])
            place += 1
    return out


def named_among(game: GameBase, texts: tuple[str, ...]) -> dict[str, str]:
    """Return the longer names, in small letters, of the cards with some texts, each with the card's text."""
    wanted = set(texts)
    faces = (f for f in game.texts.faces if f.text in wanted and f.name and f.name != f.text)
    return {face.name.lower(): face.text for face in faces}


def _one_named(said: str, here: dict[str, str], names: dict[str, str]) -> str | None:
    """Return the text of the card that is meant, None where it is none or not only one."""
    for name, text in names.items():
        if said in _forms(name):
            return text
    begun = {text for name, text in here.items() if any(form.startswith(said) for form in _forms(name))}
    return begun.pop() if len(begun) == 1 else None


def _forms(name: str) -> tuple[str, ...]:
    return (name, name.removeprefix("the "))
