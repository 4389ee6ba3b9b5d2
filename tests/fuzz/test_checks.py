"""Each check of the fuzzer can fail: a state, or the machine itself, is damaged in the way that it looks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from interpreter import Game, State, load, load_text
from interpreter.analysis.files import bundled_folder
from interpreter.engine import interruption
from interpreter.engine.outcome import Outcome, Termination
from interpreter.fuzz import checks, fuzz, noninterference
from interpreter.fuzz.checks import CheckContext, Problem
from interpreter.fuzz.playouts import Plan, Playout
from interpreter.native import belief as walks
from interpreter.text.texts import Texts
from tests.belief.tiny import GAMES
from tests.fuzz.broken import HEAD, TAIL

SOUND = load_text(
    HEAD
    + """play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    for n in 1..2, p in players: lay(p)

phase lay(p: player)
    p chooses
        lay card c from hand[p]
            move c to tiny
            points[p] = c.rank
            if count(tiny) == 2: move tiny to table
        otherwise pass
"""
    + TAIL
)


def at(steps: int, game: Game = SOUND, number: int = 0) -> CheckContext:
    """Return a moment of a playout after some steps."""
    playout = Playout(game, Plan(1, number))
    for _ in range(steps):
        playout.step()
    return CheckContext(game, playout.plan, playout.state, playout.position, {})


def message(found: str | Problem | None) -> str:
    assert found is not None
    return found if isinstance(found, str) else found.message


def test_nothing_is_wrong_with_a_sound_state() -> None:
    for steps in range(6):
        for number in (0, 3):
            moment = at(steps, number=number)
            for check in fuzz.ALL_CHECKS:
                if check.fits(moment.state):
                    assert check.problem(moment) is None


def lose(state: State) -> None:
    state.zones[1].pop()


def double(state: State) -> None:
    state.zones[1].append(state.zones[2][0])


def exchange(state: State) -> None:
    state.zones[1][0] = state.zones[2][0]


@pytest.mark.parametrize("damage", [lose, double, exchange])
def test_lost_and_doubled_cards_are_found(damage: Callable[[State], None]) -> None:
    moment = at(1)
    damage(moment.state)
    assert "not conserved" in message(checks.cards(moment))


def test_unseen_cards_are_counted_too() -> None:
    for damage in ("pool", "token", "sizes"):
        moment = at(3, number=3)
        state = moment.state
        assert state.undetermined
        token = next(iter(state.undetermined))
        if damage == "pool":
            state.pools[0] = state.pools[0][:-1]
        elif damage == "token":
            state.undetermined[9999] = state.undetermined.pop(token)
        else:
            state.undetermined[token] = 7
        assert checks.cards(moment) is not None


def test_a_place_too_full_is_found() -> None:
    moment = at(1)
    tiny = next(n for n, (zone, _) in enumerate(SOUND.places) if zone.name == "tiny")
    moment.state.zones[tiny] += [0, 1, 2]
    assert "at most 2" in message(checks.capacity(moment))


@pytest.mark.parametrize("value", [4, -1, None, "two"])
def test_a_value_of_another_type_is_found(value: object) -> None:
    moment = at(1)
    moment.state.values[0] = value
    assert "points[player 1]" in message(checks.variables(moment))


def test_returns_before_the_end_and_beyond_their_bounds_are_found() -> None:
    def with_returns(steps: int, *paid: float, game: Game = SOUND) -> CheckContext:
        moment = at(steps, game)
        moment.state.result = Outcome(Termination.FINISHED, None, (), paid)
        return moment

    assert "before the end" in message(checks.returns(with_returns(1, 1.0, -1.0)))
    assert "for 2 players" in message(checks.returns(with_returns(9, 1.0)))
    assert "add up to 0" in message(checks.returns(with_returns(9, 1.0, 1.0)))
    assert "not all from -1 to 1" in message(checks.returns(with_returns(9, float("nan"), 1.0)))
    assert "not all from -1 to 1" in message(checks.returns(with_returns(9, 5.0, -5.0)))
    shared = SOUND.spec_text().replace("    players 2\n", "    players 2\n    cooperative\n")
    together = load_text(shared.replace("score p = points[p]", "score p = points[player 1]"))
    assert "differ" in message(checks.returns(with_returns(9, 0.0, 3.0, game=together)))


@pytest.mark.parametrize("legal", [[], [2, 1], [1, 1], [-1, 2], [1, 10_000]])
def test_a_list_of_actions_that_is_not_in_order_is_found(legal: list[int]) -> None:
    moment = at(1)
    moment.state._legal = legal
    if legal:
        assert checks.actions(moment) is not None
    else:
        assert "not over" in message(checks.actions(moment))


def test_a_play_too_long_is_found() -> None:
    moment = at(1)
    moment.state.num_decisions = 41
    assert "bound is 40" in message(checks.length(moment))


@pytest.mark.parametrize("outcomes", [[], [(0, 0.5)], [(0, 1.0), (1, 0.0)], [(1, 0.5), (0, 0.5)], [(0, 0.5), (0, 0.5)]])
def test_chances_that_are_none_are_found(monkeypatch: pytest.MonkeyPatch, outcomes: list[tuple[int, float]]) -> None:
    moment = at(0)
    monkeypatch.setattr(State, "chance_outcomes", lambda _: outcomes)
    assert checks.odds(moment) is not None


def test_equal_texts_of_chance_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = at(0)
    monkeypatch.setattr(State, "action_to_string", lambda *_: "card")
    assert "one text" in message(checks.odds(moment))


def test_equal_texts_and_texts_that_read_back_as_another_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = at(1)
    assert len(moment.legal) == 2
    with monkeypatch.context() as patch:
        patch.setattr(Texts, "action", lambda *_: "lay")
        assert "two legal actions" in message(checks.texts(moment)) or "read back" in message(checks.texts(moment))
    monkeypatch.setattr(State, "string_to_action", lambda *_: moment.legal[1])
    assert "reads back as" in message(checks.texts(moment))


def test_an_illegal_action_that_is_carried_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = at(1)
    with monkeypatch.context() as patch:
        patch.setattr(State, "apply_action", lambda *_: None)
        assert "was executed" in message(checks.refusals(moment))
    refuse = State.apply_action

    def tamper(state: State, action: Any) -> None:
        state.values[0] = 3
        refuse(state, action)

    monkeypatch.setattr(State, "apply_action", tamper)
    assert "something changed" in message(checks.refusals(moment))


def test_a_clone_that_is_not_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = at(1)
    with monkeypatch.context() as patch:
        patch.setattr(State, "clone", lambda state: state)
        assert "original changed" in message(checks.copies(moment))
    monkeypatch.setattr(State, "clone", lambda state: state.game.new_initial_state())
    assert "not equal" in message(checks.copies(moment))


def test_saving_another_state_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    other = at(3).state.serialize()
    moment = at(1)
    monkeypatch.setattr(State, "serialize", lambda _: other)
    assert "another" in message(checks.saving(moment))
    monkeypatch.setattr(State, "serialize", lambda _: "{}")
    assert "cannot be read" in message(checks.saving(moment))


def test_pickling_another_state_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    other, moment = at(3).state, at(1)
    made = other.__reduce__()
    monkeypatch.setattr(State, "__reduce__", lambda _: made)
    assert "another" in message(checks.pickling(moment))


def test_a_play_that_is_not_repeated_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(1)
    monkeypatch.setattr(Plan, "rng", lambda *_: Random(chance.random()))
    report = fuzz.fuzz(SOUND, 3, seed=1)
    assert report.failure is not None
    assert report.failure.problem.check == "repeats"


def test_worlds_that_show_something_else_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = at(1)

    def other(seed: int) -> State:
        state = SOUND.new_initial_state()
        state.resolve_chance(Random(seed))
        return state

    strange = next(w for w in map(other, range(99)) if w.observation_string(0) != moment.state.observation_string(0))
    monkeypatch.setattr(noninterference, "_resampled", lambda *_: iter([strange.clone()]))
    assert "another past" in message(noninterference.same_in_other_worlds(moment))
    monkeypatch.setattr(State, "information_state_string", lambda *_: "nothing")
    assert "another table" in message(noninterference.same_in_other_worlds(moment))
    monkeypatch.setattr(State, "observation_string", lambda *_: "nothing")
    assert "may do depends" in message(noninterference.same_in_other_worlds(moment))


def test_a_play_that_is_too_long_for_walks_is_compared_with_other_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "NativeWalk", Mock(side_effect=MemoryError))
    report = fuzz.fuzz(GAMES["guess"], 1, seed=1)
    assert report.failure is None
    assert report.tally["resamples"]


def test_worlds_are_compared_outside_of_the_budget_for_drawing_them(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    monkeypatch.setattr(noninterference, "library_of", lambda _: None)
    monkeypatch.setattr(noninterference, "_compare", lambda *_: seen.append(interruption._STOP.get()))
    fuzz.fuzz(load(bundled_folder() / "starters" / "auction.cardgame"), 10, seed=4)
    assert seen
    assert set(seen) == {None}


def test_worlds_that_were_never_legal_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = at(1)

    def damaged(at: CheckContext, *_: object) -> Iterator[State]:
        world = at.state.clone()
        world.entries[1] = tuple(sorted(world.entries[1]))
        yield world

    monkeypatch.setattr(noninterference, "_resampled", damaged)
    monkeypatch.setattr(State, "information_state_string", lambda *_: "nothing")
    assert "comes out different" in message(noninterference.same_in_other_worlds(moment))


def test_a_guess_at_a_hidden_card_is_no_leak() -> None:
    assert fuzz.fuzz(GAMES["guess"], 40, seed=4).failure is None
