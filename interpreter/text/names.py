"""Names of players: replace `player 2` in texts by a name, and read names back.

A name is one word that cannot be taken for anything else of a transcript or a prompt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

LONGEST_NAME = 16
_RESERVED = ("player", "you", "your", "chance", "nobody", "everybody", "all", "none", "nothing", "done", "yes", "no")
_SAID = re.compile(r"\b([Pp])layer (\d+)\b")


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

    def put(self, text: str) -> str:
        """Return a text with the names in the place of the numbers."""
        if not self.by_player:
            return text
        return _SAID.sub(lambda found: self.by_player.get(int(found[2]) - 1, found[0]), text)

    def take(self, text: str) -> str:
        """Return a text with the numbers in the place of the names, which count in small letters too."""
        numbers = {name.lower(): str(player + 1) for player, name in self.by_player.items()}
        return " ".join(numbers.get(word.lower(), word) for word in text.split(" ")) if numbers else text
