"""Count the words of each bundled game's spec beside those of its rule sheet: `python -m tests.docs.words`.

Words are what white space separates, in a spec without its comments, its rule tags and its texts for the rulebook
(`about`), which repeat rules.  A library that only one game
uses is counted with that game, so that no rule can be put out of sight there.  One that several games use is
counted apart: like the name of a deck that is in every shop, it spares each of them an explanation.
"""

from __future__ import annotations

import re
from pathlib import Path

import attrs

from interpreter.loader import CLASSICS, bundled_games, find_spec

SHEETS = {
    "arcanity": 860,
    "chalice_and_wand": 595,
    "two_player_wizard": 1113,
    "wizards_duel": 1150,
    "wizards_grimoire": 1652,
}
"""How many words the rule sheet of a game has.  The sheets themselves are their publishers'."""

_COMMENT = re.compile(r'("[^"]*")|#.*')
_TAGS = re.compile(r"\s\[[A-Z]+\d[^\]]*\]\s*$", re.MULTILINE)
_ABOUT = re.compile(r'^about .*"$', re.MULTILINE)
_USE = re.compile(r'^use "([^"]+)"', re.MULTILINE)


@attrs.frozen
class Count:
    """The words of a game: of its rule sheet, of its spec with libraries of its own, of libraries that it shares."""

    game: str
    sheet: int
    spec: int
    shared: int


def bare(text: str) -> str:
    """Return a spec without comments, tags and texts about its rules."""
    return _ABOUT.sub("", _TAGS.sub("", _COMMENT.sub(lambda found: found.group(1) or "", text)))


def words(text: str) -> int:
    """Return how many words a spec has, without comments and tags."""
    return len(bare(text).split())


def libraries(path: Path) -> set[Path]:
    """Return the files that a spec uses, directly or through others."""
    found: set[Path] = set()
    todo = [path]
    while todo:
        file = todo.pop()
        for name in _USE.findall(file.read_text(encoding="utf-8")):
            other = (file.parent / name).resolve()
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def counts() -> list[Count]:
    """Return the count of each bundled game that has a rule sheet of its own, in the order of their names."""
    used = {game: libraries(find_spec(game)) for game in bundled_games()}
    told: list[Count] = []
    for game, files in used.items():
        if game.startswith(CLASSICS):
            continue
        others = set[Path]().union(*(used[other] for other in used if other != game))
        own, shared = files - others, files & others
        told.append(Count(game, SHEETS.get(game, 0), _total({find_spec(game), *own}), _total(shared)))
    return told


def _total(files: set[Path]) -> int:
    return sum(words(file.read_text(encoding="utf-8")) for file in files)


def main() -> None:
    """Print the table."""
    print(f"{'game':<20}{'sheet':>8}{'spec':>8}{'share':>8}{'shared libraries':>20}")
    for count in counts():
        share = f"{count.spec / count.sheet:.0%}" if count.sheet else "-"
        print(f"{count.game:<20}{count.sheet:>8}{count.spec:>8}{share:>8}{count.shared:>20}")


if __name__ == "__main__":
    main()
