"""Non-interference on the wire: what a seat cannot know changes no byte, size or count that it receives.

A play is repeated on the server with other cards where a viewer never sees them, or other decisions.  Tokens come from
a seed, nothing is compressed, and every message that the viewer's device receives must be the same, including refusals
and answers.
"""

from __future__ import annotations

from contextlib import ExitStack
from itertools import islice
from typing import Any
from zlib import crc32

import pytest

from cli.serve.table import Table
from interpreter import load
from interpreter.fuzz import fuzz
from interpreter.fuzz.exchange.check import CHECK
from interpreter.fuzz.exchange.watched import Viewer
from interpreter.loader import bundled_games
from interpreter.records.shared_play import OpenDecisions
from interpreter.table.information import InformationState, open_information
from tests.adapters.settings import short_of
from tests.cli.serve.exchanging import Line, pairs
from tests.cli.serve.serving import Player, served


class Recorder(Player):
    """A player whose device records every message."""

    def __init__(self, player: Player) -> None:
        super().__init__(player.socket)
        self.frame = player.frame
        self.received: list[str] = []
        self.asked = 0

    def next(self) -> dict[str, Any]:
        text = self.socket.receive_text()
        self.received.append(text)
        return self.heard(text)

    def settle(self) -> None:
        """Receive all that was sent so far."""
        self.asked += 1
        self.ask(t="ask", id=self.asked, what="word", arg="hand")

    def look_around(self) -> None:
        """Ask and try what a curious player can, when it is this player's turn."""
        number = self.frame["n"]
        for what in ("why", "log"):
            self.ask(t="ask", what=what)
        self.ask(t="act", n=number, id="wrong", text="nonsense")
        self.ask(t="act", n=number, id="wrong", picks=[10**6])
        for why in range(0, 60, 25):
            self.ask(t="draft", n=number, picks=[], why=why)


def bytes_of(game: Any, viewer: Viewer, line: Line) -> list[str]:
    """Play a line on the server, and return every message that the viewer's device receives."""
    seats = range(game.num_players)
    with ExitStack() as stack:
        server = stack.enter_context(served(game, *["person"] * len(seats), resolve=line.resolve(), limit=10_000))
        watcher = "spectators" if viewer is None else viewer
        recorder = Recorder(stack.enter_context(server.sit(watcher)))
        others = {seat: stack.enter_context(server.sit(seat)) for seat in seats if seat != viewer}
        recorder.settle()
        for number, (seat, picks) in enumerate(line.decisions):
            if seat == viewer:
                recorder.look_around()
            player = recorder if seat == viewer else others[seat]
            frame = server.actor.table.number_of(seat)
            answer = player.ask(t="act", n=frame, id=f"act {number}", picks=list(picks))
            assert answer["t"] == "done", answer
            recorder.settle()
        return recorder.received


def compare(monkeypatch: pytest.MonkeyPatch, name: str, wanted: int, decisions: int) -> None:
    """Compare so many pairs of plays for every viewer; one pair: for spectators and a player."""
    game = load(name, options=short_of(name))
    for viewer in (None, *range(game.num_players))[: None if wanted > 1 else 2]:
        made = list(islice(pairs(monkeypatch, game, viewer, 11, decisions), wanted))
        assert len(made) == wanted, f"{name}: too few pairs for viewer {viewer}"
        for one, other in made:
            first, second = bytes_of(game, viewer, one), bytes_of(game, viewer, other)
            assert first == second, f"{name}: viewer {viewer}, {one}, {other}"


@pytest.mark.parametrize(
    ("name", "wanted", "decisions"),
    [
        ("classics/kuhn_poker", 1, 10),
        ("classics/love_letter", 1, 12),
        *(pytest.param(name, 20, 60, marks=pytest.mark.soak) for name in bundled_games()),
    ],
)
def test_no_byte_depends_on_what_a_seat_cannot_know(
    name: str, wanted: int, decisions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(monkeypatch, name, wanted, decisions)


@pytest.mark.parametrize("leak", ["in a frame", "in a number", "in a size"])
def test_a_seeded_leak_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that contains a hidden card, a count or a length that depends on one, is found."""
    shown = Table._around

    def leaking(table: Table, info: InformationState, answered: str | None) -> dict[str, Any]:
        cards = str(open_information(table.play.state).zones)
        match leak:
            case "in a frame":
                return {**shown(table, info, answered), "cards": cards}
            case "in a number":
                table._numbers[info.seat] = table._numbers.get(info.seat, 0) + crc32(cards.encode()) % 97
                return shown(table, info, answered)
            case _:
                return {**shown(table, info, answered), "padding": " " * (crc32(cards.encode()) % 97)}

    monkeypatch.setattr(Table, "_around", leaking)
    with pytest.raises(AssertionError):
        compare(monkeypatch, "classics/kuhn_poker", 4, 10)


def test_fuzz_checks_the_frames_of_decisions_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "ALL_CHECKS", (CHECK,))
    shown = OpenDecisions.information

    def leaking(decisions: OpenDecisions, seat: int | None) -> InformationState:
        del seat
        return shown(decisions, min(decisions.by_player))

    monkeypatch.setattr(OpenDecisions, "information", leaking)
    failure = fuzz.fuzz(load("classics/hearts", options=short_of("classics/hearts")), 3, seed=5).failure
    assert failure is not None
    assert "the frame of decisions at once" in failure.problem.message
