"""Sessions: one seed, agents that see no more than they may, taking back, telling again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from interpreter import IllegalActionError, load, load_text
from interpreter.agents import AgentView, RandomAgent
from interpreter.engine.outcome import Termination
from interpreter.records.retelling import retell
from interpreter.records.session import Session, random_agents
from interpreter.records.transcript import playthrough, read_head, replay
from tests.cli.running import CHALICE, OFFERS

GAME = load(CHALICE)


def played(seed: int) -> Session:
    session = Session(GAME, random_agents(GAME, seed), seed)
    session.play()
    return session


def test_a_session_plays_to_the_end_and_says_how_it_ended() -> None:
    session = Session(GAME, random_agents(GAME, 3), 3)
    outcome = session.play()
    assert outcome.termination is Termination.FINISHED
    assert session.state.is_terminal()
    with pytest.raises(ValueError, match="the play is over"):
        session.step()


def test_the_same_seed_gives_the_same_play_and_another_another() -> None:
    assert played(3).state.history() == played(3).state.history()
    assert played(3).state.history() != played(4).state.history()


def test_steps_together_are_the_history() -> None:
    session = Session(GAME, random_agents(GAME, 3), 3)
    items = [(step.actor, item) for step in session for item in step.items]
    assert items == session.state.history()


def test_what_is_taken_back_and_played_again_is_the_same() -> None:
    session = played(3)
    whole = session.state.history()
    for kept in (0, 1, 17, len(session.decisions()) - 1):
        session.rewind(kept)
        assert len(session.decisions()) == kept
        assert session.play() is session.state.outcome()
        assert session.state.history() == whole


def test_another_choice_changes_no_other_chance() -> None:
    """Chance hangs on the seed and on how much was decided, so the cards of the first shuffle stay."""

    class Last:
        def act(self, view: AgentView) -> int:
            return view.legal_actions()[-1]

    other = Session(GAME, [Last(), Last()], 3)
    other.play()
    assert other.state.history()[0] == played(3).state.history()[0]
    assert other.state.history() != played(3).state.history()


def test_an_illegal_choice_names_the_seat_and_changes_nothing() -> None:
    class Cheat:
        def act(self, view: AgentView) -> Sequence[int]:
            return (view.legal_actions()[0], -5)

    session = Session(GAME, [RandomAgent(1), Cheat()], 1)
    with pytest.raises(IllegalActionError, match="the agent of player 2"):
        session.play()
    before = session.state.history()
    with pytest.raises(IllegalActionError):
        session.step()
    assert session.state.history() == before


def test_the_number_of_agents_is_that_of_the_players() -> None:
    with pytest.raises(ValueError, match="needs 2 agents here, not 1"):
        Session(GAME, [RandomAgent(1)])


def test_forced_choices_are_taken_without_asking_if_wished() -> None:
    game = load_text(OFFERS, 2, {"held": 1})

    class Counting(RandomAgent):
        asked = 0

        def act(self, view: AgentView) -> tuple[int, ...]:
            Counting.asked += 1
            return super().act(view)

    Session(game, [Counting(1), Counting(1)], 1).play()
    assert Counting.asked == 4
    Counting.asked = 0
    Session(game, [Counting(1), Counting(1)], 1, take_forced=True).play()
    assert Counting.asked == 2, "with one card in hand nobody needs to be asked which to reveal"


def test_a_view_stays_as_it_is_and_holds_what_its_player_sees() -> None:
    session = Session(GAME, random_agents(GAME, 3), 3)
    session.step()
    view = AgentView(session.state)
    seen = (view.legal_actions(), view.observation_string(), view.information_state_string(), view.prompt(), view.turn)
    assert seen[1] == session.state.observation_string(0)
    assert seen[2] == session.state.information_state_string(0)
    session.play()
    assert seen == (
        view.legal_actions(), view.observation_string(), view.information_state_string(), view.prompt(), view.turn
    )  # fmt: skip
    assert not any(hasattr(view, name) for name in ("state", "_state", "history", "entries"))


def test_random_seats_copy_no_history_and_count_each_action_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_text(OFFERS)
    turns: list[tuple[int, int]] = []

    class Noting(RandomAgent):
        def act(self, view: AgentView) -> tuple[int, ...]:
            turns.append((view.player, view.turn))
            return super().act(view)

    session = Session(game, [Noting(1), Noting(1)], 1)
    with monkeypatch.context() as patched:
        patched.setattr(type(session.state), "clone", lambda _: pytest.fail("the whole history is copied"))
        session.play()
    assert turns == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_a_play_repeated_has_whole_sentences_that_can_be_read_back() -> None:
    state = GAME.new_initial_state()
    history = [item for _, item in played(3).state.history()]
    for told in retell(GAME, history):
        assert told.before == state
        if told.actor < 0:
            for item in told.items:
                state.apply_action(item)
        else:
            state.apply_action(state.string_to_action(told.text))
        assert told.after == state
    assert state.is_terminal()


@pytest.mark.parametrize("seed", [0, 1])
def test_a_playthrough_is_the_same_again_and_replays(seed: int) -> None:
    text = playthrough(GAME, seed)
    assert text == playthrough(GAME, seed)
    head = read_head(text)
    assert (head.spec, head.seed, head.players) == (CHALICE, seed, 2)
    assert replay(text, lambda _: GAME) is None
    assert replay(text, lambda _: load(CHALICE, options={"hands": "open"})) is not None


def test_a_playthrough_records_what_each_player_did_not_see() -> None:
    text = playthrough(load_text(OFFERS, 3, {"held": 2}), 1)
    assert "players 2 and 3 saw: 2 cards from stock to hand[player 1]" in text
    assert "rules reached: R1 R2" in text
