"""Whole plays that must come out the same, line by line, on every machine and after every change.

There is one short one for each bundled game as it comes, and one for each option whose effect is seen in it; every
value of every option is played by `drivers/test_bundled.py`.
`rulebooks/` keeps the rulebook of each bundled game and variant as `cardgame rules` prints it, `playthroughs/` what
OpenSpiel's interface tells of a play of two small games.
`python -m tests.golden` writes them anew; a change in them is a change of what people play, so read the
difference before it is committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs

from interpreter import Game, load
from interpreter.drivers.transcript import playthrough
from interpreter.loader import bundled_games
from tests.bundled import EVERY

FOLDER = Path(__file__).parent
BOOKS = FOLDER / "rulebooks"
MOST_LINES = 25_000
"""How long all that is kept may be together, so that a difference can be read."""

SEEDS = {
    "arcanity": 33,
    "two_player_wizard": 35,
    "wizards_duel": 13,
    "wizards_grimoire": 39,
    "classics/go_fish": 11,
    "classics/leduc_poker": 2,
    "classics/love_letter": 10,
}
"""A seed whose play is short and yet has everything that makes the game; 1 where all are alike."""

PINNED = {
    "arcanity": {"limit": "10"},
    "two_player_wizard": {"max_hands": "1"},
    "wizards_grimoire": {"max_turns": "3"},
    "classics/go_fish": {"ranks": "5", "hand_size": "4"},
    "classics/hearts": {"limit": "1"},
    "classics/love_letter": {"tokens_to_win": "1"},
}
"""Options that every kept play of a game has, where a play with the defaults would be far too long to read."""

SHOWN = {
    "arcanity": {"schools": "chosen", "uneven": "stop"},
    "chalice_and_wand": {"hands": "open"},
    "two_player_wizard": {"dummy_follows": "true", "hand_size": "3"},
    "wizards_duel": {"fool_roll": "laid"},
    "wizards_grimoire": {"conjurations": "forbidden", "mana_payment": "choose"},
    "classics/go_fish": {"copies": "2", "end_on_first_out": "true"},
    "classics/leduc_poker": {"action_mapping": "true"},
}
"""Options of a game that change what is said or done in its play, each with the value for which a play is kept."""


@attrs.frozen
class Golden:
    """A play that is kept: the game, and the option that is not at its default, if any."""

    game: str
    option: str = ""
    value: str = ""

    @property
    def path(self) -> Path:
        """Where it is kept."""
        name = "-".join(part for part in (self.game.rsplit("/", 1)[-1], self.option, self.value) if part)
        return FOLDER / f"{name}.txt"

    def made(self) -> Game:
        """Make the game with the options of the play."""
        options = dict(PINNED.get(self.game, {}))
        if self.option:
            options[self.option] = self.value
        return load(self.game, options=options)

    def text(self, made: Game | None = None) -> str:
        """Play it, on a game that was made before or one of its own."""
        return playthrough(self.made() if made is None else made, SEEDS.get(self.game, 1), self.game)


def goldens() -> Iterator[Golden]:
    """Give all plays to be kept."""
    for name in bundled_games():
        yield Golden(name)
        for option, value in SHOWN.get(name, {}).items():
            yield Golden(name, option, value)


def kept_books() -> dict[Path, str]:
    """Return where rulebooks are kept, each with the name of its game."""
    return {BOOKS / f"{name.rsplit('/', 1)[-1]}.md": name for name in EVERY}


def write_books() -> None:
    """Write all rulebooks anew, and take away those that are not wanted any more."""
    BOOKS.mkdir(exist_ok=True)
    from tests.rulebook.books import book

    for old in BOOKS.glob("*.md"):
        if old not in kept_books():
            old.unlink()
    for path, name in kept_books().items():
        path.write_text(book(name), encoding="utf-8", newline="\n")


def write() -> None:
    """Write all plays and rulebooks anew, and take away those that are not wanted any more."""
    # Here, so that plays can be compared without OpenSpiel.
    from tests.adapters.playthroughs import write_kept

    write_kept()
    write_books()
    wanted = list(goldens())
    for old in FOLDER.glob("*.txt"):
        if old not in {golden.path for golden in wanted}:
            old.unlink()
    for golden in wanted:
        golden.path.write_text(golden.text(), encoding="utf-8", newline="\n")
