"""Worlds that are walked to in C are plays in which the player has seen the same, as often as they are likely."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import count, islice, pairwise
from random import Random
from typing import cast

import attrs
import pytest

from interpreter import Belief, Game, State, load, load_text
from interpreter.belief import mixing
from interpreter.belief.mixing import MixingWarning
from interpreter.engine.interruption import until
from interpreter.native.belief import NativeBelief, NativeWalk
from interpreter.native.plays import WatchedGame
from interpreter.native.tapes import Record, Recorder, record_of
from tests import bundled
from tests.belief.beliefs import Fit, belief
from tests.belief.test_belief import BOAST, COPIES, CUPS, LIMIT, decisions, hearts, sealed
from tests.belief.test_resampling import plays
from tests.native.test_c import needs_compiler
from tests.native.test_watched import QUICK

pytestmark = needs_compiler

OPEN = """cardgame 1

game "Open"
    players 2
    at most 4 decisions

card Number(n: 1..2) written "{n}"

deck in box
    1 of each Number

zones
    box: cards, seen by all

state
    left: 0..4 = 4

play
    for p in players
        p chooses
            take n from 1..2: left -= n

result
    score p = left
"""
"""In which nothing is hidden."""


def test_one_world_of_walks_that_have_not_mixed_comes_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    game = bundled.game("classics/hearts")
    state = next(islice(plays(game, range(3, 4)), 8, None))
    player = state.current_player()
    with warnings.catch_warnings(action="error", category=MixingWarning):
        state.resample_from_infostate(player, Random(1), 60)  # So many steps are the caller's own decision.
    monkeypatch.setattr("interpreter.native.belief.TARGET", 1.0)
    monkeypatch.setattr(mixing, "BIASED", 100.0)
    monkeypatch.setattr(NativeBelief, "bounds", attrs.evolve(NativeBelief.bounds, work=1))
    with pytest.warns(MixingWarning, match=r"split R-hat"):
        state.resample_from_infostate(player, Random(1))


def walk_from(state: State, player: int, seed: int = 0) -> NativeWalk:
    return NativeWalk(WatchedGame.of(state.game), record_of(state, Random(seed)), player, seed)


def fit_of(states: list[State], players: tuple[int, ...], samples: int, steps: int = 20) -> Fit:
    """Compare the worlds of walks with the belief of some players at some states."""
    fit = Fit()
    for number, state in enumerate(states):
        for player in players:
            exact = belief(state, player)
            if len(exact) > 1:
                walk = walk_from(state, player, number)
                walk.go(20 * steps)

                def draw(walk: NativeWalk = walk) -> State:
                    walk.go(steps)
                    found: State = walk.state()
                    return found

                fit.add(exact, draw, samples)
    return fit


def fits(fit: Fit, freedom: int) -> None:
    assert fit.impossible == 0
    assert fit.freedom >= freedom
    assert fit.deviation < LIMIT


def test_worlds_of_kuhn_poker_come_as_often_as_they_are_likely() -> None:
    fits(fit_of(list(decisions(load("classics/kuhn_poker"), range(3))), (0, 1), 200), 5)


@pytest.mark.soak
def test_who_had_a_choice_played_as_they_did_less_likely_than_who_had_none() -> None:
    told = decisions(load_text(BOAST), range(40), whole=True)
    states = {state.history()[-1][1]: state for state in told if state.num_actions == 1}
    fits(fit_of(list(states.values()), (1,), 400), 3)


def test_hidden_dice_and_secret_marks_come_as_often_as_they_are_likely() -> None:
    states = list(decisions(load_text(CUPS, 2), range(1)))
    fits(fit_of([states[1], states[-1]], (1,), 300), 10)


def test_which_of_two_cards_that_look_alike_was_played_is_open() -> None:
    """The walk knows them apart, the player does not; what they have learned hangs on it."""
    told = list(decisions(load_text(COPIES), range(20), whole=True))
    fits(fit_of([state for state in told if state.num_actions == 1], (1,), 60, 40), 20)


@pytest.mark.soak
def test_many_worlds_come_as_often_as_they_are_likely() -> None:
    for players in (2, 3):
        fits(fit_of(list(decisions(load("classics/kuhn_poker", players), range(2))), (0, 1), 3000), 5)
    fits(fit_of(list(decisions(load("classics/leduc_poker"), range(3)))[::3], (0, 1), 3000), 10)
    fits(fit_of(list(decisions(load_text(CUPS, 3), range(1)))[1:], (0, 1, 2), 1000), 10)
    fits(fit_of(sealed(range(12))[:6], (0,), 1000, 100), 50)
    fits(fit_of(hearts((1, 4, 5, 6, 8, 9), 1), (0,), 1000, 800), 50)


def same_for(game: Game, count: int, steps: int, worlds: int) -> tuple[int, int]:
    """Check some worlds at some decisions, for all players; return how many there were, and how many were others."""
    states = list(islice(plays(game, range(count)), 25 * count))
    others = found = 0
    for number in range(count):
        state = states[(len(states) - 1) * number // max(1, count - 1)]
        for player in range(game.num_players):
            walk = walk_from(state, player, number)
            for _ in range(worlds):
                walk.go(steps)
                world = walk.state()
                assert world.information_state_string(player) == state.information_state_string(player)
                assert world.current_player() == state.current_player()
                found, others = found + 1, others + (world != state)
    return found, others


@pytest.mark.parametrize("name", QUICK)
def test_a_world_is_a_play_in_which_its_player_has_seen_the_same(name: str) -> None:
    found, others = same_for(bundled.game(name), 3, 40, 2)
    assert others > found // 4


@pytest.mark.soak
@pytest.mark.parametrize("name", bundled.EVERY)
def test_many_worlds_are_plays_in_which_their_players_have_seen_the_same(name: str) -> None:
    for players in bundled.player_counts(name):
        same_for(load(name, players), 10, 100, 3)


def _walked(library: WatchedGame, state: State) -> tuple[tuple[int, int, int], Record]:
    walk = NativeWalk(library, record_of(state, Random(1)), state.current_player(), 7)
    walk.go(24, ignore_acceptance=True)
    walk.go(100)
    return walk.counts(), walk.play()


@pytest.mark.parametrize("name", bundled.only("classics/hearts"))
def test_what_reads_the_same_has_the_same_legal_actions(name: str) -> None:
    """A walk that finds the legal actions of every turn takes the same steps."""
    game = bundled.game(name)
    found, all_found = WatchedGame(game), WatchedGame(game, "-DFIND_ALL=1")
    for state in islice(plays(game, range(2)), 5, 60, 18):
        assert _walked(found, state) == _walked(all_found, state)


def test_the_same_seed_walks_to_the_same_worlds() -> None:
    state = list(decisions(load("classics/kuhn_poker"), range(1)))[1]
    walks = [walk_from(state, 0, seed) for seed in (1, 1, 2)]
    told = []
    for walk in walks:
        records = []
        for _ in range(30):
            walk.go(1)
            records.append(walk.play())
        told.append(records)
    assert told[0] == told[1] != told[2]


def test_worlds_stand_side_by_side_as_states_of_c() -> None:
    game = bundled.game("classics/hearts")
    state = list(islice(plays(game, range(1)), 20))[-1]
    walk = walk_from(state, state.current_player())
    library = WatchedGame.of(game)
    held = walk.states(5, 10)
    worlds = [held[n * library.size : (n + 1) * library.size] for n in range(5)]
    assert len(set(worlds)) > 1
    for world in worlds:
        assert library.calls.game_player(world) == state.current_player()


def test_a_walk_goes_on_over_what_has_happened() -> None:
    """Worlds in which the player sees what they really saw go on; in the others it cannot be."""
    game = bundled.game("classics/love_letter")
    states = list(islice(decisions(game, range(3), whole=True), 40))
    for before, after in pairwise(states):
        if after.num_actions != before.num_actions + 1:
            continue
        for player in (0, 1):
            walk = walk_from(before, player)
            walk.go(50)
            onward = walk_from(after, player)
            likely = onward.onward(walk)
            assert likely >= 0
            if likely:
                world = onward.state()
                assert world.information_state_string(player) == after.information_state_string(player)
                assert onward.play().actions[: before.num_actions] == walk.play().actions


def test_a_world_is_repaired_where_new_events_do_not_fit_it() -> None:
    """After a few turns of everybody hardly a world fits as it is; most do with a few cards in other places."""
    game = bundled.game("classics/hearts")
    states = list(islice(decisions(game, range(2), whole=True), 4, 60))
    fits = {False: 0, True: 0}
    for before, after in zip(states, states[4:], strict=False):
        if after.num_actions != before.num_actions + 4:
            continue
        player = before.current_player()
        for repairs in fits:
            walk, onward = walk_from(before, player), walk_from(after, player)
            walk.go(40)
            if onward.onward(walk, repairs=repairs):
                fits[repairs] += 1
                world = onward.state()
                assert world.information_state_string(player) == after.information_state_string(player)
    assert fits[True] > 2 * fits[False] > 0


@pytest.mark.parametrize(
    ("repairs", "played"),
    [(True, 1), *(pytest.param(repairs, 4, marks=pytest.mark.soak) for repairs in (False, True))],
)
def test_worlds_that_are_carried_over_come_as_often_as_they_are_likely(
    repairs: bool, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried = NativeBelief._carried
    monkeypatch.setattr(NativeBelief, "_carried", lambda *args, **_: carried(*args, repairs=repairs))
    states = list(decisions(load("classics/leduc_poker"), range(played), whole=True))
    fit, library = Fit(), WatchedGame.of(states[0].game)
    for before, after in pairwise(states):
        if after.num_actions != before.num_actions + 1 or len(exact := belief(after, 0)) < 2:
            continue
        seeds = count()

        def draw(before: State = before, after: State = after, seeds: Iterator[int] = seeds) -> State:
            kept = NativeBelief(library, before, 0, Random(next(seeds)))
            assert kept.mixing.reached
            kept.advance(after)
            (world,) = kept.draw(1)
            return cast(State, world)

        fit.add(exact, draw, 40)
    fits(fit, 5)


def test_new_events_are_carried_over_alone_and_another_play_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a decision late in a play takes no longer for what lies before it."""
    game = bundled.game("classics/love_letter")
    states = list(islice(decisions(game, range(1), whole=True), 8))
    met: list[int] = []
    carry_out = Recorder._carry_out

    def counted(self: Recorder, actor: int, item: int | tuple[int, ...]) -> None:
        met.append(actor)
        carry_out(self, actor, item)

    monkeypatch.setattr(Recorder, "_carry_out", counted)
    kept = NativeBelief(WatchedGame.of(game), states[0], 0, Random(1))
    for state in states[1:]:
        kept.advance(state)
    assert len(met) == len(states[-1].entries) // 2
    kept.advance(states[2])
    assert len(met) == len(states[-1].entries) // 2 + len(states[2].entries) // 2


def test_worlds_of_a_game_in_which_nothing_is_hidden_are_the_play_itself() -> None:
    """No step of a walk leads anywhere there; it ends all the same."""
    game = load_text(OPEN)
    state = game.new_initial_state()
    belief = NativeBelief(WatchedGame.of(game), state, 0, Random(1))
    assert not belief.mixing.reached
    assert belief.draw(2) == [state, state]


def test_where_worlds_are_few_they_are_drawn_exactly_in_c_too() -> None:
    game = load("classics/kuhn_poker")
    state = list(decisions(game, range(1)))[1]
    library = WatchedGame.of(game)
    kept = Belief(state, 0)
    assert kept.exact
    assert kept.native is not None
    held = kept.native.states(3)
    assert len(held) == 3 * library.size
    assert library.calls.game_player(held[: library.size]) == state.current_player()
    state.apply_action(state.legal_actions()[0])
    kept.advance(state)
    assert kept.exact
    assert all(w.information_state_string(0) == state.information_state_string(0) for w in kept.draw(3))


def test_walks_that_are_cut_short_before_they_mix_give_no_worlds() -> None:
    game = bundled.game("classics/love_letter")
    WatchedGame.of(game)
    state = list(islice(decisions(game, range(1), whole=True), 30))[-1]
    kept = Belief(state, 0)
    with until(lambda share: share < 0.6):
        assert not kept.mixing.reached
        assert kept.draw(1) == []
    with until(lambda _: True):
        assert kept.draw(1) == []
        assert Belief(state, 0).draw(1) == []


@pytest.mark.soak
def test_late_in_a_play_worlds_still_differ_in_what_others_passed_to_each_other() -> None:
    """Choices made at once take effect behind the last of them, and can be otherwise only as seen from there."""
    game, rng = load("classics/hearts"), Random(1)
    WatchedGame.of(game)
    state = game.new_initial_state()
    while state.num_actions < 55 or len(state.legal_actions()) < 2:
        if state.is_chance_node():
            state.resolve_chance(rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    player = state.current_player()
    passed = {
        tuple(item for actor, item in world.history() if actor >= 0 and actor != player)[:9]
        for seed in range(2)
        for world in Belief(state, player, seed).draw(40)
    }
    assert len(passed) >= 12
