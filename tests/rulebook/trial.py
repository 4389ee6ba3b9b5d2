"""Write what a trial with readers needs, one folder for each game: `python -m tests.rulebook.trial FOLDER [GAME ..]`.

The games are those with situations, bundled or in `specs/`.  A reader gets `book.md` and `questions.md`; `key.md` is
for the person who marks the answers.  `readers.md` in this folder describes a trial.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import attrs

from interpreter.loader import bundled_games
from tests.rulebook.books import book

HERE = Path(__file__).parent
GAMES = {
    Path(spec).stem: spec
    for spec in [*bundled_games(), *sorted(map(str, (HERE / "specs").glob("*.cardgame")))]
    if (HERE / "situations" / f"{Path(spec).stem}.txt").exists()
}
"""The games with situations: name to spec."""

SITUATION = re.compile(
    r"(?P<number>\d+)\. (?P<question>.+[?])\n   answer: (?P<answer>.+[.])\n   rule: (?P<rule>\w+)"
    r"(?:\n   scenario: (?P<scenario>.+))?"
)
ANSWER = "Answer:\n\nSure, unsure or guessed:\n\nSentence of the book:\n"
USAGE = "Usage: python -m tests.rulebook.trial FOLDER [GAME ..]"
HEAD = "Read `book.md` as often as you like. Ask nobody, and use nothing else.\n"


@attrs.frozen
class Situation:
    """A question about a play, its answer, the tag of the rule, and a scenario or None."""

    number: int
    question: str
    answer: str
    rule: str
    scenario: str | None


def situations(game: str) -> list[Situation]:
    """Return the situations of a game, in their order; checks that the file has nothing else."""
    _, *parts = (HERE / "situations" / f"{game}.txt").read_text(encoding="utf-8").rstrip().split("\n\n")
    made = []
    for part in parts:
        found = SITUATION.fullmatch(part)
        assert found is not None, part
        made.append(Situation(int(found["number"]), *found.group("question", "answer", "rule", "scenario")))
    return made


def questions(every: list[Situation]) -> str:
    """Return the questions with room for the answers."""
    return "\n".join([HEAD, *(f"## {one.number}. {one.question}\n\n{ANSWER}" for one in every)])


def key(every: list[Situation]) -> str:
    """Return the right answers, each with its rule and the scenario in which the engine plays it."""
    return "".join(
        f"{one.number}. {one.answer} [{one.rule}]{f' Scenario: {one.scenario}' if one.scenario else ''}\n"
        for one in every
    )


def write(folder: Path, games: list[str]) -> None:
    """Write the folders of some games."""
    for game in games:
        place = folder / game
        place.mkdir(parents=True, exist_ok=True)
        every = situations(game)
        for name, text in (("book", book(GAMES[game])), ("questions", questions(every)), ("key", key(every))):
            (place / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(USAGE)
    chosen = [Path(game).name for game in sys.argv[2:]] or list(GAMES)
    if none := sorted({*chosen} - GAMES.keys()):
        sys.exit(f"There are no situations of {', '.join(none)}; games: {', '.join(GAMES)}.")
    write(Path(sys.argv[1]), chosen)
