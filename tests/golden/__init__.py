"""Whole plays that must come out the same, line by line, on every machine and after every change.

There is one for each bundled game as it comes, and one for each other value of each of its options.
`rulebooks/` keeps the rulebook of each bundled game and variant as `cardgame rules` prints it, `playthroughs/` what
OpenSpiel's interface tells of a play of two small games.
A game whose plays are too long to keep has an option pinned, which then has no plays of its own.
`python -m tests.golden` writes them anew; a change in them is a change of what people play, so read the
difference before it is committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs

from interpreter import load
from interpreter.analysis.types import Bool, EnumType, Int
from interpreter.drivers.transcript import playthrough
from interpreter.loader import bundled_games
from interpreter.setting import word_of
from tests.bundled import EVERY, game

FOLDER = Path(__file__).parent
BOOKS = FOLDER / "rulebooks"
SEED = 1
PINNED = {
    "arcanity": {"limit": "10"},
    "two_player_wizard": {"max_hands": "2"},
    "wizards_grimoire": {"max_turns": "3"},
    "classics/go_fish": {"ranks": "5", "hand_size": "4"},
    "classics/hearts": {
        "limit": "1",
        "draw_direction": "false",
        "can_lead_any_club": "false",
        "no_pts_on_first_trick": "true",
        "must_break_hearts": "true",
        "qs_breaks_hearts": "true",
        "can_lead_hearts_instead_of_qs": "false",
        "jd_bonus": "false",
        "avoid_all_tricks_bonus": "false",
    },
    "classics/love_letter": {"tokens_to_win": "1"},
}
"""Options that every kept play of a game has, where a play with the defaults would be far too long to read."""


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

    def text(self) -> str:
        """Play it."""
        options = dict(PINNED.get(self.game, {}))
        if self.option:
            options[self.option] = self.value
        return playthrough(load(self.game, options=options), SEED, self.game)


def goldens() -> Iterator[Golden]:
    """Give all plays to be kept."""
    for name in bundled_games():
        yield Golden(name)
        for option in game(name).rules.options:
            if option.name in PINNED.get(name, {}):
                continue
            match option.type:
                case EnumType() as enum:
                    values: list[int | bool] = list(range(len(enum.values)))
                case Bool():
                    values = [False, True]
                case Int(int(low), int(high)):
                    values = sorted({low, high})
                case _:
                    values = []
            for value in values:
                if value != option.default:
                    yield Golden(name, option.name, word_of(option.told(value)))


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
