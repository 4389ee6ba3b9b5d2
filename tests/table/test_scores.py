"""Changes of scores are explained to a seat as a play goes on, from what the seat may know."""

from __future__ import annotations

import pytest

from interpreter import Game, State, load
from interpreter.knowledge.events import Assigned
from interpreter.records.session import Session, random_agents
from interpreter.table.frame import frame
from interpreter.table.information import information_state
from interpreter.table.narrator import EventNarrator
from interpreter.table.reasons import reasons
from interpreter.table.scores import ScoreExplainer


def played(name: str, seed: int = 3) -> tuple[Game, State]:
    game = load(name)
    session = Session(game, random_agents(game, seed), seed, take_forced=True)
    session.play()
    return game, session.state


def explained(game: Game, state: State, seat: int) -> list[str]:
    info = information_state(state, seat)
    texts = ScoreExplainer(game, seat).explained(state, info)
    narrator = EventNarrator(game, seat).explaining(info.events, texts)
    return [narrator.event(info.events[number]).strip() for number in sorted(texts)]


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("classics/hearts", "Player 2's score is now 1 (+1, made of the total worth of their won cards: 1)"),
        ("classics/spades", "The score (North and South) is now -200 (-200, made of 10 times the contract: 200)"),
        ("classics/euchre", "The points (East and West) are now 2 (+2, by rule R12)"),
        ("classics/cribbage", "Your score is now 1 (+1, made of 2 if the points for the table are 31, otherwise 1: 1)"),
    ],
)
def test_a_change_of_a_score_says_of_what_it_is_made(game: str, line: str) -> None:
    assert line in explained(*played(game), 0)


def test_a_number_that_reads_a_local_variable_for_each_team_is_explained() -> None:
    game, state = played("classics/whist")
    lines = explained(game, state, 0)
    assert len(lines) == 3
    assert all("plus that team's bonus" in line for line in lines)
    assert any(reason.whole is not None for reason in reasons(state, 0))


def test_cards_that_a_seat_has_not_seen_are_not_among_the_parts() -> None:
    game, state = played("classics/hearts")
    assert not [line for line in explained(game, state, 0) if "QS" in line]


def test_a_number_that_a_phase_is_given_is_explained_by_the_call() -> None:
    game, state = played("classics/cribbage")
    info = information_state(state, 0)
    changes = [e for e in info.events if isinstance(e, Assigned) and game.variables[e.place][0].name == "score"]
    assert len(explained(game, state, 0)) == len(changes) > 50


def test_texts_are_the_same_whether_the_play_is_followed_or_read_at_its_end() -> None:
    game, state = played("wizards_duel")
    follower = ScoreExplainer(game, 1)
    now = game.new_initial_state()
    for item in state.entries[1:120:2]:
        now.apply_action(item)
        follower.explained(now, information_state(now, 1))
    info = information_state(now, 1)
    texts = dict(follower.explained(now, info))
    assert texts == dict(ScoreExplainer(game, 1).explained(now, info)) != {}
    assert any(texts[event.number] in event.text for event in frame(info, scores=texts).events if event.number in texts)


def test_another_play_is_followed_from_its_start() -> None:
    game, state = played("classics/euchre")
    _, other = played("classics/euchre", 4)
    explainer = ScoreExplainer(game, 0)
    for one in (state, other, state):
        info = information_state(one, 0)
        assert dict(explainer.explained(one, info)) == dict(ScoreExplainer(game, 0).explained(one, info))


def test_another_play_is_followed_from_its_start_if_the_first_has_no_change_of_a_score() -> None:
    game, state = played("classics/cribbage", 3)
    _, other = played("classics/cribbage", 5)
    explainer = ScoreExplainer(game, 0)
    before = game.new_initial_state()
    for item in state.entries[1::2]:
        before.apply_action(item)
        if len(information_state(before, 0).events) > 30:
            break
    assert explainer.explained(before, information_state(before, 0)) == {}
    info = information_state(other, 0)
    assert dict(explainer.explained(other, info)) == dict(ScoreExplainer(game, 0).explained(other, info))
