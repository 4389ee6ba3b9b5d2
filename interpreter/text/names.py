"""Names of players: replace `player 2` in texts by a name, and read names back.

A name is one word that cannot be taken for anything else of a transcript or a prompt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from interpreter.english.words import by_number, capital, listing

LONGEST_NAME = 16
_RESERVED = ("player", "you", "your", "chance", "nobody", "everybody", "all", "none", "nothing", "done", "yes", "no")
_SAID = re.compile(r"\b[Pp]layer (\d+)\b|\b[Pp]layers (\d+(?:, \d+)* and \d+)\b")


@attrs.frozen
class Names:
    """The names of some players (from 0).  Raises ValueError for names that cannot be distinguished or read back."""

    by_player: Mapping[int, str] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for name in self.by_player.values():
            if not re.fullmatch(r"[^\W\d_][\w'-]*", name) or len(name) > LONGEST_NAME or name.lower() in _RESERVED:
                raise ValueError(
                    f"`{name}` cannot be a player's name: say one word of at most {LONGEST_NAME} letters and digits, "
                    "beginning with a letter, that is no word of the program"
                )
        if len({name.lower() for name in self.by_player.values()}) < len(self.by_player):
            raise ValueError("two players have the same name")

    def of(self, player: int) -> str:
        """Return the name of a player, `player 2` for one without."""
        return self.by_player.get(player, f"player {player + 1}")

    def listed(self, players: Sequence[int], you: int | None = None) -> str:
        """Return players as a list: `you and Ada`, `players 2, 3 and 4`; `you` comes first."""
        if you not in players and not any(p in self.by_player for p in players):
            return by_number(players)
        return listing([*(["you"] if you in players else []), *(self.of(p) for p in players if p != you)])

    def put(self, text: str) -> str:
        """Return a text with the names in the place of the numbers."""
        if not self.by_player:
            return text
        return _SAID.sub(self._named, text)

    def _named(self, found: re.Match[str]) -> str:
        numbers = [int(number) - 1 for number in re.findall(r"\d+", found[0])]
        if not any(player in self.by_player for player in numbers):
            return found[0]
        return capital(self.listed(numbers)) if found[0][0] == "P" else self.listed(numbers)

    def take(self, text: str) -> str:
        """Return a text with the numbers in the place of the names, which count in small letters too."""
        numbers = {name.lower(): str(player + 1) for player, name in self.by_player.items()}
        return " ".join(numbers.get(word.lower(), word) for word in text.split(" ")) if numbers else text
