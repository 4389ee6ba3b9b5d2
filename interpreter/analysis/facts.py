"""Read the facts of a game: how many play, whether together, and how long a play can be."""

from __future__ import annotations

import attrs

from grammar import ast as syntax
from grammar.source import Span
from interpreter.analysis.context import Context

MOST_PLAYERS = 12
DEFAULT_DECISIONS = 10_000
MOST_DECISIONS = 1_000_000
KNOWN = ("players", "cooperative", "decisions", "source")


@attrs.frozen
class Facts:
    """What `game` says."""

    title: str
    players: tuple[int, int] = (2, 2)
    cooperative: bool = False
    max_decisions: int = DEFAULT_DECISIONS
    all: tuple[tuple[str, tuple[object, ...]], ...] = ()


def read_facts(cx: Context, game: syntax.GameDecl | None, span: Span) -> Facts:
    """Return the facts of a game; mistakes are reported."""
    if game is None:
        cx.report("CG215", "there is no section `game`", span, 'begin with `game "Name"` and `players 2`')
        return Facts("?")
    players: tuple[int, int] | None = None
    cooperative = False
    most = DEFAULT_DECISIONS
    seen: set[str] = set()
    for fact in game.facts:
        if fact.name in seen:
            cx.report("CG202", f"`{fact.name}` stands twice", fact.span)
        seen.add(fact.name)
        match fact:
            case syntax.Fact(name="players", values=(int(count),)):
                players = (count, count)
            case syntax.Fact(name="players", values=((low, high),)):
                players = (low, high)
            case syntax.Fact(name="cooperative", values=()):
                cooperative = True
            case syntax.Fact(name="decisions", values=(int(count),)):
                most = count
            case syntax.Fact(name="source", values=(str(),)):
                pass
            case _:
                known = "facts are `players 2..4`, `cooperative`, `at most 500 decisions`"
                cx.report("CG206", f"`{fact.name}` is no such fact of a game", fact.span,
                          cx.suggest(fact.name, KNOWN, fact.span, known))  # fmt: skip
    if players is None:
        cx.report("CG215", "nothing says how many play", game.span, "write `players 2` or `players 3..5`")
        players = (2, 2)
    if not 1 <= players[0] <= players[1] <= MOST_PLAYERS:
        cx.report("CG313", f"{players[0]} to {players[1]} players are out of bounds", game.span,
                  f"1 to {MOST_PLAYERS}, the lesser number first")  # fmt: skip
        players = (2, 2)
    if not 1 <= most <= MOST_DECISIONS:
        cx.report("CG313", f"at most {most} decisions is out of bounds", game.span, f"1 to {MOST_DECISIONS}")
        most = DEFAULT_DECISIONS
    facts = tuple((f.name, f.values) for f in game.facts)
    return Facts(game.name, players, cooperative, most, facts)
