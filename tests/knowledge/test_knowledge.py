"""What players know: information states tell apart what they saw and nothing else, and other worlds fit them."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest

from interpreter import Game, State, load
from tests.belief.tiny import GAMES
from tests.bundled import one_in

CHALICE = {hands: load("chalice_and_wand", options={"hands": hands}) for hands in ("hidden", "open")}
ALL = {**GAMES, **{f"chalice, {name}": game for name, game in CHALICE.items()}}


def poker(deal: tuple[int, ...], *texts: str) -> State:
    state = GAMES["poker"].new_initial_state()
    state.apply_action(deal)
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def test_an_information_state_is_what_was_seen_and_nothing_else() -> None:
    """In poker: the player's own card and what was said aloud, for both players and all deals and plays."""
    for texts in ((), ("bet",), ("check",), ("bet", "call"), ("bet", "fold")):
        for player in (0, 1):
            seen: dict[str, set[object]] = {}
            for deal in permutations(range(3)):
                seen.setdefault(poker(deal, *texts).information_state_string(player), set()).add(deal[player])
            assert all(len(cards) == 1 for cards in seen.values())
            assert len(seen) == 3


def test_different_words_make_different_information_states() -> None:
    for player in (0, 1):
        said = [poker((0, 1, 2), *t).information_state_string(player) for t in ((), ("bet",), ("bet", "call"))]
        assert len(set(said)) == 3


def test_a_secret_choice_shows_nothing_but_that_it_was_made() -> None:
    game = GAMES["guess"]
    start = game.new_initial_state()
    start.resolve_chance(Random(1))
    told = set()
    for action in start.legal_actions():
        state = start.clone()
        state.apply_action(action)
        told.add(state.information_state_string(1))
        assert "keep" not in state.information_state_string(1)
        assert f"keep {game.texts.action(action).split()[1]}" in state.information_state_string(0)
    assert len(start.legal_actions()) == 2
    assert len(told) == 1


def test_an_unfinished_set_is_known_to_its_player_alone() -> None:
    state = CHALICE["hidden"].new_initial_state()
    state.resolve_chance(Random(1))
    before = [state.information_state_string(p) for p in (0, 1)]
    state.apply_action(state.legal_actions()[0])
    after = [state.information_state_string(p) for p in (0, 1)]
    assert after[0] != before[0]
    assert after[1] == before[1]
    assert state.observation_string(1).count("picked") == 0


def test_hidden_hands_show_only_to_their_owners() -> None:
    for name, hidden in (("hidden", True), ("open", False)):
        state = CHALICE[name].new_initial_state()
        state.resolve_chance(Random(2))
        zones = {z.name: z for z in state.observation(0).zones}
        assert (None in zones["hand[player 2, left]"].cards) is hidden
        assert None not in zones["hand[player 1, right]"].cards
        assert set(zones["stock"].cards) == {None}
        assert "5 unseen" in state.observation_string(0) or not hidden


def nodes(game: Game, seeds: int, every: int) -> list[State]:
    """Return decisions along some random plays, chance answered at once in even plays, one by one in odd ones."""
    found = []
    for seed in range(seeds):
        state, rng = game.new_initial_state(), Random(seed)
        step = 0
        while not state.is_terminal():
            if state.is_chance_node() and seed % 2 == 0:
                state.resolve_chance(rng)
                continue
            if state.current_player() >= 0 and (step := step + 1) % every == 0:
                found.append(state.clone())
            state.apply_action(rng.choice(state.legal_actions()))
    return found


STEPS = 16
"""Steps of a walk where any other world will do, however likely: that walks mix is tried in `test_belief`."""


def deciding(state: State) -> list[int]:
    """Return who decided, in order; chance may be answered card by card or for all of a pile."""
    return [actor for actor, _ in state.history() if actor >= 0]


def drawn_by_chance(state: State) -> list[int]:
    answers = [item for actor, item in state.history() if actor < 0]
    return [face for item in answers for face in (item if isinstance(item, tuple) else (item,))]


@pytest.mark.parametrize("name", one_in(2, {name: name for name in ALL}))
def test_other_worlds_look_the_same_and_were_legal_all_along(name: str) -> None:
    game = ALL[name]
    small = name in GAMES
    for number, state in enumerate(nodes(game, 2, 1 if small else 50)):
        for player in range(game.num_players):
            world = state.resample_from_infostate(player, Random(number), STEPS)
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.observation_string(player) == state.observation_string(player)
            assert world.observation_tensor(player) == state.observation_tensor(player)
            assert world.current_player() == state.current_player()
            assert deciding(world) == deciding(state)
            trial = game.new_initial_state()
            for actor, item in world.history():
                assert trial.current_player() == actor
                trial.apply_action(item)
            assert trial == world
            if player == state.current_player():
                assert world.legal_actions() == state.legal_actions()
                assert world.prompt() == state.prompt()
            going_on = world.clone()
            if going_on.current_player() >= 0:
                going_on.apply_action(going_on.legal_actions()[0])


def test_other_worlds_are_drawn_as_often_as_they_are_likely() -> None:
    state = poker((1, 0, 2), "bet")
    for player, own in ((0, 1), (1, 0)):
        rng = Random(1)
        drawn = [drawn_by_chance(state.resample_from_infostate(player, rng)) for _ in range(200)]
        counts = Counter(faces[1 - player] for faces in drawn)
        assert all(faces[player] == own for faces in drawn)
        assert set(counts) == {0, 1, 2} - {own}
        assert min(counts.values()) > 60


def test_resampling_leaves_the_state_alone_and_follows_its_generator() -> None:
    for state in nodes(CHALICE["hidden"], 1, 30):
        before = state.content()
        one, other = (state.resample_from_infostate(0, Random(7), STEPS) for _ in range(2))
        assert one == other
        assert state.content() == before


@pytest.mark.parametrize("player", [-1, 2, 99])
def test_only_players_have_other_worlds(player: int) -> None:
    with pytest.raises(ValueError, match="no player"):
        poker((0, 1, 2)).resample_from_infostate(player, Random(1))


def test_what_is_hidden_comes_out_differently() -> None:
    """Early in the hidden game the partner's hand is another in nearly every world."""
    for state in nodes(CHALICE["hidden"], 1, 10)[:4]:
        hands = set()
        for seed in range(6):
            zones = {
                z.name: z.cards
                for z in state.resample_from_infostate(0, Random(seed), 2 * STEPS).observation(None).zones
            }
            hands.add((zones["hand[player 2, left]"], zones["hand[player 2, right]"]))
        assert len(hands) >= 3


@pytest.mark.parametrize("stepwise", [True, False])
def test_there_are_other_worlds_late_in_a_play_for_every_player(stepwise: bool) -> None:
    """After many refusals hardly any deal fits; those that do are found, also where piles are drawn card by card."""
    game, rng = load("classics/go_fish"), Random(7)
    state = game.new_initial_state()
    while state.num_actions < 20:
        if state.is_chance_node() and not stepwise:
            state.resolve_chance(rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    player = state.current_player()
    worlds = [state.resample_from_infostate(player, rng) for _ in range(2)]
    assert all(world.information_state_string(player) == state.information_state_string(player) for world in worlds)
    assert any(world.observation_string(1 - player) != state.observation_string(1 - player) for world in worlds)
