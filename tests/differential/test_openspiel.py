"""Ours and OpenSpiel's game of the same name are one game: 30 plays of each or more, and some with each option."""

from __future__ import annotations

from itertools import product
from random import Random

import attrs
import pytest

from interpreter import load
from tests.bundled import one_in
from tests.differential import Pair, compare
from tests.differential.pairs import (
    DEFAULTS_OF_HEARTS,
    go_fish,
    hearts,
    hearts_for_the_moon,
    hearts_with_the_queen,
    kuhn,
    leduc,
    oh_hell,
    settings,
)

PLAYS, FEW = 100, 10
MANY = 1000
"""Plays among which another rule shows at the latest."""

LONG = [30, pytest.param(MANY, marks=pytest.mark.soak)]
"""Plays of games that take long; a difference shows in the first of them."""

MORE = pytest.mark.soak
"""More settings of a game, in which its rules are those of a quick one."""

OTHER = {name: not value for name, value in DEFAULTS_OF_HEARTS.items()}


@pytest.mark.parametrize("players", [2, 5, pytest.param(3, marks=MORE), pytest.param(4, marks=MORE)])
def test_kuhn_poker_is_the_same_game(players: int) -> None:
    compare(kuhn(players), PLAYS)


@pytest.mark.parametrize("players", [2, 10, pytest.param(3, marks=MORE)])
def test_leduc_poker_is_the_same_game(players: int) -> None:
    compare(leduc(players), PLAYS)


@pytest.mark.parametrize(("isomorphism", "mapped"), list(product([False, True], repeat=2)))
@pytest.mark.parametrize(("players", "starting_player"), [(4, 2), pytest.param(2, 1, marks=MORE)])
def test_leduc_poker_is_the_same_game_with_every_option(
    players: int, starting_player: int, isomorphism: bool, mapped: bool
) -> None:
    compare(leduc(players, starting_player, suit_isomorphism=isomorphism, mapped=mapped), FEW)


@pytest.mark.parametrize("plays", LONG)
def test_hearts_is_the_same_game(plays: int) -> None:
    compare(hearts(), plays)


@pytest.mark.parametrize("changed", [*DEFAULTS_OF_HEARTS, "all"])
def test_hearts_is_the_same_game_with_every_option(changed: str) -> None:
    options = OTHER if changed == "all" else {changed: OTHER[changed]}
    compare(hearts(**options), FEW)


@pytest.mark.parametrize("changed", ["none", "jd_bonus", "avoid_all_tricks_bonus", "all"])
def test_hearts_is_the_same_game_when_a_player_shoots_the_moon(changed: str) -> None:
    options = {"none": {}, "all": OTHER}.get(changed, {changed: True})
    compare(hearts_for_the_moon(**options), FEW)


@pytest.mark.parametrize("may_lead_hearts", [False, True])
def test_hearts_is_the_same_game_when_the_queen_is_all_but_hearts(may_lead_hearts: bool) -> None:
    compare(hearts_with_the_queen(can_lead_hearts_instead_of_qs=may_lead_hearts), FEW)


def test_the_deals_for_the_moon_do_shoot_it() -> None:
    game = hearts_for_the_moon().theirs
    deal = hearts_for_the_moon().deal
    shot = 0
    rng = Random(1)
    for _ in range(50):
        state = game.new_initial_state()
        for outcome in deal(rng).outcomes:
            state.apply_action(outcome)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1 if state.current_player() == 0 else 0])
        shot += state.returns() == [26, 0, 0, 0]
    assert shot > 10


@pytest.mark.parametrize("plays", LONG)
def test_go_fish_is_the_same_game(plays: int) -> None:
    compare(go_fish(2), plays)


@pytest.mark.parametrize("players", [3, 10, *(pytest.param(players, marks=MORE) for players in range(4, 10))])
def test_go_fish_is_the_same_game_for_more_players(players: int) -> None:
    compare(go_fish(players), FEW // players)


ENDINGS = [
    {"end_on_first_out": False},
    {"end_on_first_out": True},
    {"end_on_first_out": True, "most_books_wins": False},
]
"""All but a play that goes on after the first is out, whom OpenSpiel then forgets: everybody loses."""


@pytest.mark.parametrize("ask_after_empty_draw", [False, True])
@pytest.mark.parametrize("ending", ENDINGS, ids=str)
@pytest.mark.parametrize(
    ("players", "ranks", "suits", "cards"),
    [(4, 6, 3, 3), *(pytest.param(*shape, marks=MORE) for shape in [(2, 13, 4, -1), (2, 6, 2, 3), (3, 7, 2, 2)])],
)
def test_go_fish_is_the_same_game_with_every_option(
    players: int, ranks: int, suits: int, cards: int, ending: dict[str, bool], ask_after_empty_draw: bool
) -> None:
    compare(go_fish(players, ranks, suits, cards, ask_after_empty_draw=ask_after_empty_draw, **ending), FEW)


OTHERS = [name for name in settings() if name.split()[0] not in ("kuhn_poker", "leduc_poker", "hearts", "go_fish")]


@pytest.mark.parametrize("name", one_in(3, {name.split()[0]: name for name in reversed(OTHERS)}))
def test_the_first_setting_of_each_game_is_the_same_game(name: str) -> None:
    compare(settings()[name](), 5)


@pytest.mark.soak
@pytest.mark.parametrize("name", OTHERS)
def test_each_setting_that_both_have_is_the_same_game(name: str) -> None:
    compare(settings()[name](), FEW)


# ---- a difference is seen


def other(pair: Pair, name: str, options: dict[str, str | bool]) -> Pair:
    """Return the pair with ours in another setting."""
    return attrs.evolve(pair, ours=load(name, pair.ours.num_players, options))


@pytest.mark.parametrize("option", [name for name in OTHER if name != "pass_cards"])
def test_another_option_of_hearts_is_another_game(option: str) -> None:
    deals = hearts_with_the_queen() if option == "can_lead_hearts_instead_of_qs" else hearts()
    changed = other(deals, "classics/hearts", {"draw_direction": True, option: OTHER[option]})
    with pytest.raises(AssertionError):
        compare(changed, MANY)


@pytest.mark.parametrize("option", ["replace_books", "ask_after_empty_draw", "end_on_first_out"])
def test_another_option_of_go_fish_is_another_game(option: str) -> None:
    ours: dict[str, str | bool] = {
        "ranks": "5",
        "copies": "2",
        "hand_size": "3",
        "replace_books": True,
        "ask_after_empty_draw": True,
    }
    changed = other(go_fish(2, 5, 2, 3), "classics/go_fish", {**ours, option: not ours.get(option, False)})
    with pytest.raises(AssertionError):
        compare(changed, FEW)


@pytest.mark.parametrize("option", ["missed", "dealer_is_bound"])
def test_another_option_of_oh_hell_is_another_game(option: str) -> None:
    ours: dict[str, str | bool] = {"largest": "5", "deals": "one", "missed": "points"}
    changed: dict[str, str | bool] = {"missed": "no_points", "dealer_is_bound": False}
    with pytest.raises(AssertionError):
        compare(other(oh_hell(3, 5), "classics/oh_hell", {**ours, option: changed[option]}), FEW)


def test_another_option_of_leduc_poker_is_another_game() -> None:
    changed = other(leduc(3), "classics/leduc_poker", {"starting_player": "2"})
    with pytest.raises(AssertionError):
        compare(changed, FEW)
