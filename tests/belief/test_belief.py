"""Resampled worlds come as often as they are likely: compared with the exact belief, by chi square."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import partial
from os.path import relpath
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from interpreter import Game, State, load, load_text
from interpreter.loader import find_spec
from tests.belief.beliefs import Fit, belief, key

LIMIT = 3.5
"""Standard deviations that chance is allowed; the seeds are fixed, so this either holds or does not."""

SHORT_HEARTS = """cardgame 1

extends "hearts.cardgame"

game "Short Hearts"
    players 4
    at most 60 decisions

replace deck in stock
    1 of each Plain where each.rank <= three

replace phase one_deal
    state
        leader: player = player 1
        broken: boolean = true
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    pass_on
    leader = the holder(first c in hand[players] where c is Plain(clubs, two))
    repeat one_trick until hand[leader] is empty
    score[player 1] += 1

replace phase pass_on
    at once p in players
        p chooses "{you} pass a card to {receiver(p)}"
            pass 1 cards gift from hand[p]: move gift to hand[receiver(p)]
"""

COPIES = """cardgame 1

game "Copies"
    players 2
    at most 4 decisions

card Number(n: 1..3) written "{n}"

deck in stock
    3 of each Number

zones
    stock:        pile, seen by nobody
    open:         cards, seen by all
    hand[player]: cards, seen by owner

state
    count: 0..3 = 0

play
    shuffle stock
    deal 2 from stock to hand[player 1]
    deal 1 from stock to open
    move open to hand[player 1]
    player 1 chooses
        play card c from hand[player 1]: move c to open
    player 2 chooses
        stop

result
    score p = count
"""
"""In which a card is seen on its way into a hand, and one that looks like it is played from there."""

SEALED = """cardgame 1

# What may be laid depends on what nobody else sees, and how many cards as well; some are shown, some never.
game "Sealed Bids"
    players 3
    at most 30 decisions

card Number(value: 1..4) written "{value}"

deck in stock
    2 of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    bid[player]:  cards, seen by owner
    box:          cards, seen by nobody

state
    points[player]: 0..20

play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    at once p in players
        p chooses
            lay up to 2 cards laid from hand[p] where each.value > 1: move laid to bid[p]
    for p in players: points[p] = sum(c.value for c in bid[p])
    for p in players: guess(p)
    for p in players: move bid[p] to box

phase guess(p: player)
    p chooses
        drop card c from hand[p]: move c to box
        show card c from hand[p] where c.value <= 2: turn c face up
        otherwise pass

result
    score p = points[p]
"""


def short_hearts() -> Game:
    """Hearts with eight cards, where one is passed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "short_hearts.cardgame"
        path.write_text(SHORT_HEARTS.replace("hearts.cardgame", relpath(find_spec("classics/hearts"), folder)))
        return load(path)


def decisions(game: Game, seeds: range, *, whole: bool = False) -> Iterator[State]:
    """Yield every decision of some random plays; chance answered event by event, or all piles at once."""
    for seed in seeds:
        state, rng = game.new_initial_state(), Random(seed)
        while not state.is_terminal():
            if state.is_chance_node() and whole:
                state.resolve_chance(rng)
                continue
            if state.current_player() >= 0:
                yield state.clone()
            state.apply_action(rng.choice(state.legal_actions()))


def fit_of(states: list[State], players: tuple[int, ...], samples: int, steps: int | None = None) -> Fit:
    """Compare resampling with the belief of some players at some states."""
    fit = Fit()
    for number, state in enumerate(states):
        rng = Random(number)
        for player in players:
            exact = belief(state, player)
            assert key(state) in exact
            if len(exact) > 1:
                fit.add(exact, partial(state.resample_from_infostate, player, rng, steps), samples)
    return fit


def hearts(at: tuple[int, ...], seed: int) -> list[State]:
    """Return the decisions with these numbers of one play of Short Hearts."""
    return [s for s in decisions(short_hearts(), range(seed, seed + 1), whole=True) if s.num_actions in at]


def sealed(at: Container[int]) -> list[State]:
    """Return the decisions with these numbers of two plays of Sealed Bids."""
    return [s for s in decisions(load_text(SEALED), range(2, 4)) if s.num_actions in at]


@pytest.mark.parametrize(
    ("players", "plays", "samples"), [(2, 4, 60), (3, 2, 40), pytest.param(4, 4, 240, marks=pytest.mark.soak)]
)
def test_kuhn_poker(players: int, plays: int, samples: int) -> None:
    game = load("classics/kuhn_poker", players=players)
    fit = fit_of(list(decisions(game, range(plays))), tuple(range(players)), samples)
    assert fit.impossible == 0
    assert fit.freedom >= 10
    assert fit.deviation < LIMIT


@pytest.mark.parametrize("plays", [2, pytest.param(8, marks=pytest.mark.soak)])
def test_leduc_poker(plays: int) -> None:
    fit = fit_of(list(decisions(load("classics/leduc_poker", players=2), range(plays)))[::3], (0, 1), 80)
    assert fit.impossible == 0
    assert fit.freedom >= 10
    assert fit.deviation < LIMIT


@pytest.mark.parametrize(
    ("at", "seed", "samples"),
    [((8,), 2, 60), *(((1, 4, 5, 6, 8, 9), seed, 300) for seed in range(1, 4))],
)
@pytest.mark.soak
def test_hearts_where_others_have_passed_cards_unseen(at: tuple[int, ...], seed: int, samples: int) -> None:
    """Who passed what comes out as likely as it is, and counts for how likely the deal was."""
    fit = fit_of(hearts(at, seed), (0,), samples)
    assert fit.impossible == 0
    assert fit.freedom >= 3
    assert fit.deviation < LIMIT


@pytest.mark.parametrize(
    ("at", "steps", "samples"),
    [((6,), 40, 30), pytest.param(range(12), 1000, 300, marks=pytest.mark.soak)],
)
def test_decisions_at_once_with_hidden_numbers_of_cards(at: Container[int], steps: int, samples: int) -> None:
    """Sums of cards are hard to reach by small steps: with enough of them the walk comes there."""
    fit = fit_of(sealed(at), (0,), samples, steps)
    assert fit.impossible == 0
    assert fit.freedom >= 3
    assert fit.deviation < LIMIT


CUPS = """cardgame 1

# Each throws a die under a cup, and one of them maybe throws it anew; what is said of it depends on it.
game "Cups"
    players 2..3
    at most 10 decisions

card Blank written "X"

deck in box
    1 of Blank

zones
    box: pile, seen by nobody

state
    die[player]: 1..4 = 1, seen by owner
    luck: 1..4 = 1, seen by nobody
    kept[player]: boolean = false, seen by owner

play
    for p in players: random die[p] from 1..4
    random luck from 1..die[player 1]
    for p in players
        p chooses
            say n from 1..4 where n <= die[p]
    player 1 chooses secretly
        keep: kept[player 1] = true
        nod
    for p in players
        p chooses
            stop

result
    score p = die[p] + luck
"""


@pytest.mark.parametrize(("players", "samples"), [(2, 60), pytest.param(3, 200, marks=pytest.mark.soak)])
def test_what_chance_put_where_a_player_does_not_see_it_is_drawn_anew(players: int, samples: int) -> None:
    """Hidden dice come out as likely as what was said of them makes them, secret marks as likely as not."""
    states = list(decisions(load_text(CUPS, players), range(1)))
    fit = fit_of([states[1], states[-1]], (1,), samples)
    assert fit.impossible == 0
    assert fit.freedom >= 5
    assert fit.deviation < LIMIT


BOAST = """cardgame 1

# Who has a high card has more to choose from, so a low word speaks for a low card.
game "Boast"
    players 2
    at most 4 decisions

card Number(value: 1..4) written "{value}"

deck in stock
    1 of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner

state
    said: 1..4 = 1

play
    shuffle stock
    for p in players: deal 1 from stock to hand[p]
    player 1 chooses
        say n from 1..4 where n <= sum(c.value for c in hand[player 1]): said = n
    player 2 chooses
        doubt
        believe

result
    score p = said
"""


def boasts() -> Fit:
    """Compare what the other player believes after each word."""
    plays = decisions(load_text(BOAST), range(40), whole=True)
    states = {state.history()[-1][1]: state for state in plays if state.num_actions == 1}
    assert len(states) == 4
    return fit_of(list(states.values()), (1,), 200, 8)


def test_who_had_a_choice_played_as_they_did_less_likely_than_who_had_none() -> None:
    fit = boasts()
    assert fit.impossible == 0
    assert fit.freedom >= 3
    assert fit.deviation < LIMIT
