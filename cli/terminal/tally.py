"""The results of several plays in a row, and the question for another play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.table.narrator import EventNarrator

if TYPE_CHECKING:
    from cli.terminal.lines import Lines
    from interpreter.engine.game import Game
    from interpreter.engine.outcome import Outcome
    from interpreter.text.names import Names


@attrs.define
class Tally:
    """Counts how often each player or team has won, alone or with others; of a cooperative game, what was reached."""

    game: Game
    names: Names
    outcomes: list[Outcome] = attrs.field(factory=list)

    @property
    def plays(self) -> int:
        """How many plays there were."""
        return len(self.outcomes)

    def add(self, outcome: Outcome) -> None:
        """Count one more play."""
        self.outcomes.append(outcome)

    def text(self, you: int | None) -> str:
        """Return the tally in a line, said to one player or to all."""
        after = f"After {self.plays} plays"
        if self.game.cooperative:
            reached = [f"{o.scores[0] if o.scores else o.returns[0]:g}" for o in self.outcomes]
            return f"{after}: {', '.join(reached)}."
        narrator = EventNarrator(self.game, you, self.names)
        sides = self.game.sides
        won = [sum(any(p in o.winners for p in side) for o in self.outcomes) for side in sides]
        called = [team.name for team in self.game.teams] or [narrator.player(p) for (p,) in sides]
        counts = [f"{name} {count}" for name, count in zip(called, won, strict=True)]
        drawn = sum(not o.winners for o in self.outcomes)
        return f"{after}, won: {', '.join(counts)}{f'; nobody {drawn}' if drawn else ''}."


YES, NO, ANALYSE = "yes", "no", "analyse"


def ask_what_next(lines: Lines) -> str:
    """Ask whether to play again: `YES`, `NO`, or `ANALYSE` for what was played; the end of the input means no."""
    while True:
        line = lines.next((), "Play again? [y/N, or a to analyse your choices] ")
        said = "" if line is None else line.strip().lower()
        if said in ("", "n", "no", "quit", "exit"):
            return NO
        if said in ("y", "yes"):
            return YES
        if said in ("a", "analyse", "analyze"):
            return ANALYSE
