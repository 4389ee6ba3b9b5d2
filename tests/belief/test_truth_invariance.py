"""Beliefs depend on what a player has seen, and not on what is true.

Two plays that look the same to a player are drawn from again and again: the worlds have one distribution.  And where
all worlds can be enumerated, walks come to each as often as it is likely.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from os.path import relpath
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import attrs
import pytest

from interpreter import Belief, Game, State, load, load_text
from interpreter.agents import AgentView, Beliefs, Thinker, agent
from interpreter.belief import enumeration
from interpreter.belief.mixing import WALKS
from interpreter.fuzz.truth_invariance import alike
from interpreter.loader import bundled_games, find_spec
from interpreter.native.belief import THIN
from interpreter.native.plays import WatchedGame
from tests.belief.beliefs import Fit, belief, key
from tests.belief.random_games import random_game
from tests.belief.test_belief import BOAST, COPIES, CUPS, SEALED, decisions, short_hearts
from tests.belief.test_resampling import game_of, plays
from tests.bundled import player_counts

APART = 8
"""How many times as far apart as two worlds are nearly independent: what is slowest takes longer than most."""

UNLIKELY = 0.001
"""The least p that is put down to chance, behind the correction."""

STATES = int(os.environ.get("CARDGAME_STATES", "20"))
SEEDS = int(os.environ.get("CARDGAME_SEEDS", "200"))
WORLDS = int(os.environ.get("CARDGAME_WORLDS", "3000"))
ITERATIONS = int(os.environ.get("CARDGAME_ITERATIONS", "100"))
PLAYERS = int(os.environ.get("CARDGAME_PLAYERS", "4"))
RANDOM_GAMES = int(os.environ.get("CARDGAME_RANDOM_GAMES", "60"))
"""How many positions of each game, seeds for each, worlds, and iterations of a search a long run takes; how many
players at most; and how many games that are made at random."""

HEAD = """cardgame 1

game "{name}"
    players {players}
    at most 40 decisions

card Number(value: 1..{most}) written "{{value}}"

deck in stock
    {copies} of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    box:          cards, seen by nobody

"""

SIGNALS = (
    HEAD.format(name="Signals", players=4, most=6, copies=1)
    + """
state
    said[player]: 0..6 = 0

play
    shuffle stock
    for p in players: deal 1 from stock to hand[p]
    for p in players
        p chooses
            hint n from 1..6 where n >= sum(c.value for c in hand[p]): said[p] = n
            nod

result
    score p = said[p]
"""
)
"""Partners tell each other something of their cards, which all hear."""

EXCHANGES = (
    HEAD.format(name="Exchanges", players=3, most=3, copies=2)
    + """
state
    count[player]: 0..6 = 0

play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    for p in players
        p chooses
            give card c from hand[p]: move c to hand[next(p)]
            keep
    for p in players
        p chooses
            show card c from hand[p] where c.value < 3: turn c face up
            pass

result
    score p = count[p]
"""
)
"""Cards go from hand to hand unseen by the third."""

SHOWING = """    for p in players
        p chooses
            show card c from hand[p] where c.value < 3: turn c face up
            pass

result
    score p = count(hand[p])
"""

SNATCHES = (
    HEAD.format(name="Snatches", players=3, most=3, copies=2)
    + """
play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    for p in players
        random card c from hand[p]
        move c to hand[next(p)]
        p chooses
            nod
"""
    + SHOWING
)
"""Chance takes cards from hands, of which the third sees nothing."""

RESHUFFLES = (
    HEAD.format(name="Reshuffles", players=2, most=3, copies=2)
    + """
play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    for p in players
        p chooses
            bury card c from hand[p] where c.value > 1: move c to box
            keep
    shuffle box into stock
    for p in players: deal 1 from stock to hand[p]
"""
    + SHOWING
)
"""Cards that were put away unseen are shuffled into those that are left."""

PEEKS = (
    HEAD.format(name="Peeks", players=2, most=3, copies=2)
    + """
play
    shuffle stock
    for p in players: deal 1 from stock to hand[p]
    for p in players
        show top of stock to p
        p chooses
            leave: nothing
            sink: move top of stock to bottom of stock
            take card c from hand[p]
                move c to bottom of stock
                deal 1 from stock to hand[p]
    for p in players: deal 1 from stock to hand[p]
"""
    + SHOWING
)
"""Players see cards in a pile, move them there, and put others in it."""

BURIED = (
    HEAD.format(name="Buried", players=2, most=4, copies=2)
    + """
state
    count[player]: 0..20 = 0

play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    for round in 1..2
        for p in players
            p chooses
                bury card c from hand[p] where c.value >= 2: move c to box
                count card c from hand[p]: count[p] += c.value
    for p in players
        p chooses
            stop

result
    score p = count[p]
"""
)
"""What is put away, and how much may be, hangs on what nobody else sees."""

DECKS = """cardgame 1

game "Decks"
    players 2
    at most 40 decisions

card Number(value: 1..2) written "{value}"
card Trump(value: 1..3) written "T{value}"

deck in draw[player]
    1 of each Number
deck in book[player]
    1 of each Trump

zones
    draw[player]: pile, seen by nobody
    book[player]: cards, seen by owner
    hand[player]: cards, seen by owner
    away[player]: pile, seen by nobody

play
    at once p in players
        p chooses
            include card c from book[p]: move c to draw[p]
    for p in players
        shuffle draw[p]
        deal 2 from draw[p] to hand[p]
    for p in players
        p chooses
            put_away card c from hand[p]: move c to away[p]
            name card c from hand[p] where c is Trump: nothing
    for p in players
        p chooses
            stop

result
    score p = count(hand[p])
"""
"""Cards of one pile are shuffled with some that were chosen from another, and others of that one never are."""

DRAWS = (
    HEAD.format(name="Draws", players=2, most=40, copies=1)
    + """    table:        pile, seen by all

play
    shuffle stock
    deal 5 from stock to hand[player 1]
    for n in 1..5
        player 1 chooses
            draw: deal 1 from stock to hand[player 1]
    player 1 chooses
        lay card c from hand[player 1]: move c to table
    player 2 chooses
        nod

result
    score p = count(hand[p])
"""
)
"""All decisions are public, and the cards are not: one that is laid may have been dealt, or drawn at any time."""

OWN = {
    "boast": (BOAST, 2), "cups": (CUPS, 2), "sealed": (SEALED, 3), "signals": (SIGNALS, 4), "exchanges": (EXCHANGES, 3),
    "snatches": (SNATCHES, 3), "reshuffles": (RESHUFFLES, 2), "peeks": (PEEKS, 2), "buried": (BURIED, 2),
    "copies": (COPIES, 2), "decks": (DECKS, 2),
}  # fmt: skip


@pytest.fixture
def walking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let beliefs walk where they would go through all worlds."""
    monkeypatch.setattr(enumeration, "MOST", 0)


def corrected(values: list[float]) -> float:
    """Return the least of some p-values, by Holm's correction."""
    return min([1.0, *(value * (len(values) - rank) for rank, value in enumerate(sorted(values)))])


# ---- truth invariance


@attrs.frozen
class Drawn:
    """What came of one seed: a world, and with which small action an agent began, where one was asked."""

    world: State
    chosen: int | None = None


Draw = Callable[[State, int, int], Drawn]
"""Draws for a player at a state, by a seed."""


def one_world(state: State, player: int, seed: int) -> Drawn:
    """Return the world that a belief with this seed begins with."""
    return Drawn(Belief(state, player, seed).draw(1)[0])


def resampled(state: State, player: int, seed: int) -> Drawn:
    """Return one world, as it is drawn for whoever keeps no belief."""
    return Drawn(state.resample_from_infostate(player, Random(seed)))


def searched(state: State, player: int, seed: int) -> Drawn:
    """Return what a search chooses, and the world that its belief draws next."""
    view = AgentView(state, Beliefs(seed))
    if len(state.legal_actions()) == 1:
        return one_world(state, player, seed)
    thinker = agent(f"search:{ITERATIONS}", state.game, seed)
    assert isinstance(thinker, Thinker)
    chosen = thinker.act(view)[0]
    return Drawn(view.belief().draw(1)[0], chosen)


def invariance(state: State, player: int, draw: Draw, seeds: int) -> list[float]:
    """Draw from two plays that look the same; return p-values of what is drawn being alike.

    The other is the least like this one of some worlds.  Compared are how much more the worlds are like the one than
    like the other, where each unseen card lies, and what was chosen.
    """
    other = min(Belief(state, player, "the other").draw(8), key=partial(alike, state))
    if other.content() == state.content():
        return []
    both = [[draw(state, player, seed) for seed in range(seeds)]]
    both.append([draw(other, player, seed) for seed in range(seeds, 2 * seeds)])
    likeness = [[alike(one.world, state) - alike(one.world, other) for one in side] for side in both]
    middle = median(likeness[0] + likeness[1])
    found = [contingency([Counter((d > middle) - (d < middle) for d in side) for side in likeness])]
    found.append(contingency([Counter(one.chosen for one in side) for side in both]))
    for face in range(state.game.num_faces):
        found.append(contingency([Counter(lying(one.world, face) for one in side) for side in both]))
    return [p for p in found if p is not None]


def lying(world: State, face: int) -> tuple[int, ...]:
    """Return where the cards of a face lie."""
    faces = world.game.card_faces
    return tuple(n for n, zone in enumerate(world.zones) for card in zone if card < len(faces) and faces[card] == face)


def contingency(counts: list[Counter[object]]) -> float | None:
    """Return the p-value of two counts having one distribution; what is rare in both together is one."""
    whole = counts[0] + counts[1]
    often = [value for value in whole if whole[value] >= 10]
    table = [[side[value] for value in often] + [sum(side.values()) - sum(side[v] for v in often)] for side in counts]
    columns = [pair for pair in zip(*table, strict=True) if sum(pair)]
    if len(columns) < 2:
        return None
    from scipy import stats  # late: importing it takes longer than all other imports of the tests together

    return float(stats.chi2_contingency(list(zip(*columns, strict=True)), correction=False)[1])


def spread(states: list[State], count: int) -> Iterator[State]:
    """Return some states, from all over their plays."""
    for number in range(min(count, len(states))):
        yield states[(2 * number + 1) * len(states) // (2 * min(count, len(states)))]


@pytest.mark.usefixtures("walking")
@pytest.mark.parametrize("draw", [pytest.param(one_world, marks=pytest.mark.soak), resampled])
def test_worlds_do_not_hang_on_what_is_true(draw: Draw) -> None:
    state = next(state for state in decisions(load_text(BOAST), range(1)) if state.num_actions == 1)
    found = invariance(state, 1, draw, 12)
    assert len(found) >= 3
    assert corrected(found) > UNLIKELY


@pytest.mark.usefixtures("walking")
def test_worlds_of_a_walk_that_is_too_short_are_found() -> None:
    """One step from the true play leads back to it too often."""
    state = next(state for state in decisions(load_text(BURIED, 2), range(1)) if state.num_actions == 4)
    found = invariance(
        state, 1, lambda true, player, seed: Drawn(true.resample_from_infostate(player, Random(seed), 1)), 60
    )
    assert corrected(found) < UNLIKELY


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore::interpreter.belief.mixing.MixingWarning")  # The worlds are judged by themselves.
@pytest.mark.parametrize("name", bundled_games())
@pytest.mark.parametrize("draw", [searched, resampled])
def test_worlds_and_choices_in_bundled_games_do_not_depend_on_what_is_true(name: str, draw: Draw) -> None:
    counts = player_counts(name)
    game = game_of(name, max(min(counts), min(PLAYERS, max(counts))))
    WatchedGame.of(game)
    found = []
    for state in spread(list(plays(game, range(0, 4, 2))), STATES):
        found += invariance(state, state.current_player(), draw, SEEDS)
    least = f"least p {min(found, default=1):.2g}, corrected {corrected(found):.2g}"
    print(f"{name}, {draw.__name__}: {len(found)} tests, {least}")
    assert corrected(found) > UNLIKELY


# ---- exactness


def exactness(state: State, player: int, worlds: int) -> tuple[float, int]:
    """Return the p-value of worlds coming as often as they are likely, and how many came that cannot be."""
    exact = belief(state, player)
    assert key(state) in exact
    if len(exact) == 1:
        return 1.0, 0
    kept = Belief(state, player, "exactness")
    drawn = independent(kept, worlds)
    fit = Fit()
    fit.add(exact, lambda: next(drawn), worlds)
    return likelihood(fit), fit.impossible


def likelihood(fit: Fit) -> float:
    """Return the p-value of what was drawn."""
    from scipy import stats  # late: as above

    return float(stats.chi2.sf(fit.square, fit.freedom)) if fit.freedom else 1.0


def independent(kept: Belief, count: int) -> Iterator[State]:
    """Return worlds far enough apart on their walks to count as independent."""
    if kept.exact:
        yield from kept.draw(count)
        return
    for _ in range(-(-count // WALKS)):
        yield from kept.draw(WALKS)
        kept.draw(WALKS * (APART * THIN - 1))


def exact_states(game: Game, count: int) -> Iterator[State]:
    """Return decisions at which more than one player might be another one."""
    return spread(list(decisions(game, range(6), whole=True)), count)


@pytest.mark.soak  # `tests/native/test_belief.py` has it in the quick tests.
@pytest.mark.usefixtures("walking")
def test_which_of_two_cards_that_look_alike_was_played_is_open() -> None:
    """What the player has learned hangs on it."""
    state = next(s for s in decisions(load_text(COPIES), range(1), whole=True) if s.num_actions == 1)
    fit, seeds = Fit(), iter(range(60))
    fit.add(belief(state, 1), lambda: state.resample_from_infostate(1, Random(next(seeds))), 60)
    assert fit.impossible == 0
    assert likelihood(fit) > UNLIKELY


@pytest.mark.usefixtures("walking")
def test_a_copy_that_comes_back_to_its_player_may_be_another_one() -> None:
    """Which cards the player has learned, of those that look alike, is not the same in all worlds."""
    state = next(s for s in decisions(load_text(EXCHANGES, 3), range(6), whole=True) if s.num_actions == 3)
    assert len(belief(state, 0)) == 7
    assert {key(world) for world in Belief(state, 0).draw(300)} == set(belief(state, 0))


LOTS = DRAWS.replace("    shuffle stock\n    deal 5 from stock to hand[player 1]\n", "").replace(
    """1..5
        player 1 chooses
            draw: deal 1 from stock to hand[player 1]
""",
    """1..10
        random card c from stock
        move c to hand[player 1]
""",
)
"""Chance draws each card, with no decision in between."""


def is_early(state: State) -> bool:
    """Return whether the card on the table was among the first five of the ten in the hand."""
    (laid,) = state.zones[-1]
    first = state.entries[1]
    return state.game.card_faces[laid] in (first if isinstance(first, tuple) else state.entries[1::2])[:5]


@pytest.mark.parametrize("text", [DRAWS, pytest.param(LOTS, marks=pytest.mark.soak)], ids=["a shuffled pile", "lots"])
def test_a_card_that_was_played_may_have_been_drawn_at_any_time(text: str) -> None:
    """Each of the ten cards is laid as likely as any other."""
    states = decisions(load_text(text), range(40), whole=True)
    state = next(s for s in states if s.current_player() == 1 and is_early(s))
    worlds = [state.resample_from_infostate(1, Random(seed)) for seed in range(40)]
    assert 9 <= sum(map(is_early, worlds)) <= 31


def short(name: str, text: str, **options: int) -> Game:
    """Return a bundled game for two with some of its sections in other words."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "short.cardgame"
        path.write_text(f'cardgame 1\n\nextends "{relpath(find_spec(name), folder)}"\n\n{text}')
        return load(path, 2, options)


SHORT_LETTERS = """game "Short Love Letter"
    players 2
    at most 60 decisions

replace deck in stock
    1 of each Letter
"""

SHORT_DUEL = """game "Short Duel"
    players 2
    at most 60 decisions

replace deck in stock[player]
    1 of each Trump where each.number <= 4
"""

GAMES: dict[str, Callable[[], Game]] = {
    **{name: partial(load_text, text, players) for name, (text, players) in OWN.items()},
    "kuhn": lambda: game_of("classics/kuhn_poker", 3),
    "leduc": lambda: game_of("classics/leduc_poker", 2),
    "short hearts": short_hearts,
    "short love letter": lambda: short("classics/love_letter", SHORT_LETTERS, tokens_to_win=1),
    "short duel": lambda: short("wizards_duel", SHORT_DUEL, sides=4),
}
"""Games of which all worlds can be gone through, by the rules alone."""

QUICK = [
    ("boast", "C", 1, 200),
    ("copies", "C", 1, 100),
    ("decks", "C", 1, 150),
    ("signals", "enumeration", 1, 300),
]
"""Which of them, by which way, at how many positions, with how many worlds."""


@pytest.mark.parametrize(
    ("name", "way", "positions", "worlds"),
    [
        *QUICK,
        *(
            pytest.param(name, way, min(10, STATES), WORLDS, marks=pytest.mark.soak)
            for name in GAMES
            for way in ("enumeration", "C")
        ),
    ],
)
def test_worlds_come_as_often_as_they_are_likely(
    name: str, way: str, positions: int, worlds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By walks in C, or drawn from all of them where these are few."""
    if way == "C":
        monkeypatch.setattr(enumeration, "MOST", 0)
    game = GAMES[name]()
    states = list(exact_states(game, positions))
    kept = [Belief(state, state.current_player()) for state in states]
    assert way == "enumeration" or all(b.mixing.method == "walks" or b.worlds(1) is not None for b in kept)
    assert way != "enumeration" or (name, way) not in {case[:2] for case in QUICK} or all(b.exact for b in kept)
    found = [exactness(state, state.current_player(), worlds) for state in states]
    ps = [p for p, _ in found]
    print(f"{name} by {way}: {len(ps)} states, least p {min(ps):.2g}, corrected {corrected(ps):.2g}")
    assert not any(impossible for _, impossible in found)
    assert corrected(ps) > UNLIKELY


@pytest.mark.parametrize(
    "seeds", [range(6, 7), pytest.param(range(RANDOM_GAMES), marks=pytest.mark.soak)], ids=["one", "many"]
)
def test_worlds_of_random_games_come_as_often_as_they_are_likely(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MOST", 0)
    found = {}
    for seed in seeds:
        game = random_game(seed)
        for number, state in enumerate(exact_states(game, 3 if len(seeds) > 1 else 1)):
            found[seed, number] = exactness(state, state.current_player(), 300 if len(seeds) > 1 else 150)
    ps = {at: p for at, (p, _) in found.items()}
    print(f"{len(ps)} states: least p {min(ps.values()):.2g} at {min(ps, key=ps.__getitem__)}")
    assert not any(impossible for _, impossible in found.values())
    assert corrected(list(ps.values())) > UNLIKELY
