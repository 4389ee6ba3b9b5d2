"""What a seat is shown never depends on what it may not know.

Two worlds that a player cannot tell apart must make the same screen, word for word: the table, what
happened, the choices, the help, and every refusal.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable

import pytest
from rich.console import Console

from cli.terminal.human_agent import HumanAgent, OutOfLines
from cli.terminal.lines import Lines
from interpreter import load, load_text
from interpreter.agents import AgentView, RandomAgent
from interpreter.engine.game import Game, State
from interpreter.records.session import Session, random_agents
from tests.cli.running import CHALICE, OFFERS, TRICKS

TYPED = ("?", "why", "log", "? C1", "? nothing", "table", "table all", "? hand", "nonsense", "discard W1 C9",
         "take W9 W9 C1", "lead C1 W1", "match C3", "forfeit C10", "reveal R1", "bid 12", "W", "C1", "99", "dis",
         "save", "undo", "/none", "")  # fmt: skip


class Typed(Lines):
    """Fixed lines, up to the first that would decide."""

    alone = False

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.rest = list(lines)

    def next(self, words: tuple[str, ...], prompt: str = "> ") -> str | None:
        assert prompt == "> "
        self.words = words
        return self.rest.pop(0) if self.rest else None

    def refused(self, problem: str) -> None:
        assert problem

    def forget(self) -> None:
        raise AssertionError("one person alone hands nothing over")

    def where(self) -> str:
        return "the lines end"


def screen(state: State) -> str:
    """Return all that is written for the player to act, whatever they type that decides nothing."""
    written = io.StringIO()
    console = Console(file=written, width=100, highlight=False, markup=False)
    view = AgentView(state)
    typed = tuple(t for t in TYPED if not legal(state, t))
    lines = Typed(typed)
    desk = HumanAgent(
        state.game, console, lines, (view.player,), lambda _: "Saved.", lambda _: "not now", asks_all=True
    )
    decided = None
    while lines.rest:
        try:
            decided = desk.act(view)
        except OutOfLines as end:
            written.write(end.where)
    written.write(repr(decided))
    written.write(repr(lines.words))
    return written.getvalue()


def legal(state: State, text: str) -> bool:
    return bool(text) and state.explain(text).message == ""


GAMES: dict[str, tuple[int, float, Callable[[], Game]]] = {
    "hidden hands": (1, 0.25, lambda: load(CHALICE, options={"hands": "hidden"})),
    "open hands": (1, 0.25, lambda: load(CHALICE, options={"hands": "open"})),
    "three players": (2, 0.5, lambda: load_text(OFFERS, 3, {"held": 2})),
    "tricks and written wishes": (1, 0.7, lambda: load_text(TRICKS, 3)),
    "decisions at once, cards face down": (1, 0.1, lambda: load("arcanity", 4, {"limit": 10})),
}
"""Games with how many plays are looked at, and which part of their decisions.

All but one are for the soak: `test_exchanged` compares the words of another game.
"""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n == "three players" else [pytest.mark.soak]) for n in GAMES]
)
def test_worlds_that_a_player_cannot_distinguish_look_the_same(name: str) -> None:
    plays, part, make = GAMES[name]
    game: Game = make()
    looked, rng = random.Random(1), random.Random(11)  # Where it is looked hangs on no world.
    compared = 0
    for seed in range(plays):
        session = Session(game, random_agents(game, seed), seed)
        while not session.state.is_terminal():
            state = session.state
            fresh = not state.is_chance_node() and not state.picked()
            if fresh and looked.random() < part:
                world = state.resample_from_infostate(state.current_player(), rng, 40)
                compared += world.history() != state.history()
                assert screen(world) == screen(state)
            session.step()
    assert compared > 5


def test_the_other_hand_is_never_on_the_screen() -> None:
    """In a game of one copy of each card, no card of another's hand may be named at all."""
    game = load_text(OFFERS, 4, {"held": 2})
    session = Session(game, [RandomAgent(3)] * 4, 3)
    looked = 0
    while not session.state.is_terminal():
        state = session.state
        player = state.current_player()
        if player >= 0:
            unseen = {
                game.texts.face(face)
                for zone in state.observation(None).zones
                if zone.owner not in (None, player)
                for face in zone.cards
                if face is not None
            }
            written = io.StringIO()
            console = Console(file=written, width=100)
            desk = HumanAgent(game, console, Typed(("table all",)), (player,), str, lambda _: "no", asks_all=True)
            with pytest.raises(OutOfLines):
                desk.act(AgentView(state))
            assert unseen.isdisjoint(written.getvalue().split())
            looked += len(unseen)
        session.step()
    assert looked > 20
