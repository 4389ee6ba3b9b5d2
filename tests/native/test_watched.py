"""What C notes of what players see is what Python's information states say: the same where these are the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from interpreter import Game, load, load_text
from interpreter.native.plays import WatchedGame
from interpreter.native.tapes import record_of
from tests import bundled
from tests.belief.test_resampling import plays
from tests.fuzz.leaks import LEAKS, QUIET
from tests.knowledge.test_one_view import HEAD, PHASE, TABLES, TAIL, some_states
from tests.knowledge.test_secrets import END, HIDDEN, PUBLIC, PUT, TOLD, game_of
from tests.knowledge.test_secrets import HEAD as SECRETS
from tests.native.taped import WatchedPlay, native_play
from tests.native.test_c import needs_compiler

pytestmark = needs_compiler

QUICK = ("classics/kuhn_poker", "classics/hearts", "classics/love_letter")
"""Hidden hands, cards that somebody plays and passes, cards that are copies; it takes a second or two to build each."""


class Seen:
    """Information states of one game, with what C notes of each: each has one, and nothing else has it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states: dict[tuple[int, str], tuple[int, int]] = {}
        self.noted: dict[tuple[int, tuple[int, int]], str] = {}
        self.again = 0

    def add(self, text: str, player: int, noted: tuple[int, int]) -> None:
        """Compare an information state with all before."""
        self.again += (player, text) in self.states
        assert self.states.setdefault((player, text), noted) == noted, text
        assert self.noted.setdefault((player, noted), text) == text, f"{self.noted[player, noted]}\n\n{text}"

    def compare(self, count: int, worlds: int, step: int = 1) -> None:
        """Add so many decisions of random plays, for all players, and of so many other worlds for each."""
        states = islice(plays(self.game, range(count)), 0, count * step, step)
        for number, state in enumerate(states):
            rng = Random(number)
            for player in range(self.game.num_players):
                others = [state.resample_from_infostate(player, rng, 4) for _ in range(worlds)]
                for world in (state, *others):
                    play = native_play(WatchedGame.of(self.game), record_of(world, rng))
                    assert isinstance(play, WatchedPlay)
                    for viewer in range(self.game.num_players):
                        self.add(world.information_state_string(viewer), viewer, play.seen(viewer))


@pytest.mark.parametrize("name", QUICK)
def test_what_is_noted_is_the_same_exactly_where_information_states_are(name: str) -> None:
    seen = Seen(bundled.game(name))
    seen.compare(6, 1, 7)
    assert seen.again > 0


@pytest.mark.soak
@pytest.mark.parametrize("name", bundled.EVERY)
def test_much_that_is_noted_is_the_same_exactly_where_information_states_are(name: str) -> None:
    for players in bundled.player_counts(name):
        seen = Seen(load(name, players))
        seen.compare(60, 2, 3)
        assert seen.again > 0


def watch(game: Game, seeds: int, steps: int) -> Seen:
    """Compare the states of some random plays of a small game."""
    seen, rng = Seen(game), Random(1)
    for state in some_states(game, seeds, steps):
        state.resolve_chance(rng)
        play = native_play(WatchedGame.of(game), record_of(state, rng))
        assert isinstance(play, WatchedPlay)
        for viewer in range(game.num_players):
            seen.add(state.information_state_string(viewer), viewer, play.seen(viewer))
    return seen


def test_notes_record_how_cards_lie_where_that_is_reported() -> None:
    """All tables at which somebody may be in doubt, in one game: chance chooses the table."""
    body = f"    random table from 1..{len(TABLES)}\n"
    for number, table in enumerate(TABLES.values(), 1):
        lines = "".join(f"    {line}\n" for line in table.strip("\n").splitlines())
        body += f"    if table == {number}\n{lines}"
    seen = watch(load_text(HEAD + body + TAIL + PHASE), 200, 4)
    assert seen.again > len(seen.states) > 100


def small_games() -> Iterator[tuple[str, str, int | None]]:
    """Give the texts of games in which something is hidden, or leaks, and for how many they are."""
    for name, body in {**HIDDEN, **{name: PUT + body for name, body in TOLD.items()}}.items():
        lines = "".join(f"    {line}\n" for line in body.strip("\n").splitlines())
        yield name, SECRETS.replace("{copies}", "2") + lines + PUBLIC + END, 3
    for leaky in (LEAKS, QUIET):
        for name, leak in leaky.items():
            yield name, leak.text, None


SMALL = {text: (name, players) for name, text, players in small_games()}


@pytest.mark.soak
@pytest.mark.parametrize("text", SMALL, ids=[name for name, _ in SMALL.values()])
def test_what_is_noted_of_games_with_secrets_is_what_their_players_observe(text: str) -> None:
    seen = watch(load_text(text, SMALL[text][1]), 30, 12)
    assert seen.again > 0


def test_a_decision_that_was_just_taken_is_the_same_to_whom_it_is_hidden() -> None:
    game = game_of("player 1 chooses secretly\n    vote n from 1..4\n        secret[player 1] = n", 3)
    told = []
    for action in range(4):
        play = WatchedPlay(WatchedGame.of(game), 0)
        play.apply_action(play.legal_actions()[action])
        told.append([play.choice(player) for player in range(3)])
    assert len({own for own, *_ in told}) == 4
    assert len({tuple(others) for _, *others in told}) == 1
    assert told[0][1] != 0
