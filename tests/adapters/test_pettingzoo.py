"""PettingZoo's own tests on every game, over many seeds, and what they do not look at."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from interpreter import Game, IllegalActionError, load, load_text
from interpreter.adapters.pettingzoo import RENDER_MODES, Environment, env
from interpreter.loader import bundled_games, bundled_variants
from tests.adapters.settings import EVERY_SETTING, short_of, soak_only
from tests.belief.tiny import POKER

SEEDS = 1
MANY_SEEDS = 100
CYCLES = 100
"""Steps of each of their tests."""

WORLDS_APART = 80
"""Steps from one question for other worlds to the next, in each play."""

MANY = [soak_only(name) for name in (*bundled_games(), *bundled_variants())]
GAMES: dict[tuple[str, int], Game] = {}


class Shifted(Environment):
    """An environment in which a seed means another play: their tests always give the same ones."""

    def __init__(self, game: Game, shift: int, **more: Any) -> None:
        super().__init__(game, seed=shift, **more)
        self.shift = shift
        for number, agent in enumerate(self.possible_agents):
            self.action_space(agent).seed(1000 * shift + number)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(None if seed is None else seed + 1000 * self.shift, options)


def made(name: str, players: int | None = None) -> Game:
    key = (name, players or 0)
    if key not in GAMES:
        GAMES[key] = load(name, players, short_of(name))
    return GAMES[key]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Their tests warn of what they mean to refuse only in part: masks and observations in dictionaries."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def pass_their_tests(game: Game, seed: int) -> None:
    api_test(Shifted(game, seed), num_cycles=CYCLES)
    seed_test(lambda: Shifted(game, seed), num_cycles=CYCLES)
    render_test(lambda render_mode: Shifted(game, seed, render_mode=render_mode))


@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_their_tests_pass(name: str, players: int) -> None:
    for seed in range(SEEDS):
        pass_their_tests(made(name, players), seed)


@pytest.mark.parametrize("name", MANY)
def test_their_tests_pass_for_many_seeds(name: str) -> None:
    for seed in range(MANY_SEEDS):
        pass_their_tests(made(name), seed)


def steps(environment: Environment, seed: int, most: int = 200) -> Iterator[tuple[str, dict[str, Any]]]:
    """Play at random by the mask alone; give each agent that is to act with what it observes."""
    environment.reset(seed=seed)
    rng = Random(seed)
    for agent in environment.agent_iter(most):
        observed, _, ended, cut, _ = environment.last()
        yield agent, observed
        environment.step(None if ended or cut else rng.choice(np.flatnonzero(observed["action_mask"]).tolist()))


def look_closely(game: Game, seed: int, environment: Environment | None = None) -> None:
    """Check masks, spaces, rewards, and that another world that an agent cannot tell apart looks the same to it."""
    environment = environment or Environment(game)
    paid = dict.fromkeys(environment.possible_agents, 0.0)
    rng = Random(seed)
    for number, (agent, observed) in enumerate(steps(environment, seed)):
        play = environment._play
        assert environment.observation_space(agent).contains(observed)
        if environment.terminations[agent] or environment.truncations[agent]:
            assert not observed["action_mask"].any()
            paid[agent] = environment._cumulative_rewards[agent]
            continue
        assert agent == environment.possible_agents[play.current_player()]
        others = [other for other in environment.agents if other != agent]
        assert not any(environment.observe(other)["action_mask"].any() for other in others)
        obey_the_mask(environment, observed["action_mask"], rng)
        # To find another world takes longer than all else, so each play is asked at moments of its own, of one agent.
        if number % WORLDS_APART == seed % WORLDS_APART:
            look_from(environment, rng.choice(environment.agents), rng)
    if not environment.agents:
        assert list(paid.values()) == play.returns()


def obey_the_mask(environment: Environment, mask: Any, rng: Random) -> None:
    """What the mask allows can be done, and what it does not allow is refused and changes nothing."""
    play, before = environment._play, environment._play.content()
    allowed, refused = np.flatnonzero(mask).tolist(), np.flatnonzero(mask == 0).tolist()
    assert allowed == play.legal_actions()
    for action in rng.sample(allowed, min(3, len(allowed))):
        play.clone().apply_action(action)
    for action in [*rng.sample(refused, min(3, len(refused))), len(mask), -1]:
        with pytest.raises(IllegalActionError, match="`action_mask` says what is possible"):
            environment.step(action)
    assert play.content() == before


def look_from(environment: Environment, looking: str, rng: Random) -> None:
    """Exchange what an agent does not know; it must observe the same."""
    play = environment._play
    there = environment.observe(looking)
    environment._play = play.resample_from_infostate(environment.possible_agents.index(looking), rng, 16)
    again = environment.observe(looking)
    environment._play = play
    assert all(np.array_equal(there[key], again[key]) for key in there)


# `tests/belief/test_resampling.py` draws worlds with decisions at once.
@pytest.mark.parametrize(
    ("name", "players"), [soak_only(*p.values) if p.values[0] == "arcanity" else p for p in EVERY_SETTING]
)
def test_masks_rewards_and_secrets(name: str, players: int) -> None:
    look_closely(made(name, players), players)


@pytest.mark.parametrize("name", MANY)
def test_masks_rewards_and_secrets_for_many_seeds(name: str) -> None:
    for seed in range(MANY_SEEDS):
        look_closely(made(name), seed)


class Leaking(Environment):
    """An environment that shows all hands to everybody."""

    def _numbers(self, private: Any, player: int) -> Any:
        del private
        return super()._numbers("all", player)


def test_an_agent_that_sees_other_hands_is_noticed() -> None:
    game = made("classics/love_letter")
    with pytest.raises(AssertionError):
        look_closely(game, 0, Leaking(game))


@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_spaces_are_kept(name: str, players: int) -> None:
    environment = Environment(made(name, players))
    spaces = [(environment.observation_space(a), environment.action_space(a)) for a in environment.possible_agents]
    environment.reset(seed=1)
    for agent, (observed, acted) in zip(environment.possible_agents, spaces, strict=True):
        assert environment.observation_space(agent) is observed
        assert environment.action_space(agent) is acted
        assert set(observed.spaces) == {"observation", "action_mask"}
        assert acted.n == observed["action_mask"].shape[0] == environment.game.num_distinct_actions


@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_one_seed_is_one_play(name: str, players: int) -> None:
    def told(seed: int) -> list[tuple[str, bytes, bytes]]:
        environment = Environment(made(name, players))
        return [
            (agent, seen["observation"].tobytes(), seen["action_mask"].tobytes())
            for agent, seen in steps(environment, seed, 40)
        ]

    assert told(1) == told(1)
    assert len({str(told(seed)) for seed in range(4)}) > 1


POKER_GAME = load_text(POKER)


def test_a_play_without_seeds_is_not_the_one_before() -> None:
    environment = Environment(POKER_GAME, seed=3)
    hands = set()
    for _ in range(20):
        environment.reset()
        hands.add(environment.observe("player_0")["observation"].tobytes())
    assert len(hands) == 3


def test_an_action_outside_the_mask_is_refused_and_changes_nothing() -> None:
    environment = Environment(POKER_GAME)
    environment.reset(seed=1)
    before = environment._play.clone()
    illegal = next(a for a in range(POKER_GAME.num_distinct_actions) if a not in before.legal_actions())
    for action in (illegal, None, "bet", 0.5):
        with pytest.raises(IllegalActionError, match=r"player_0 cannot do .* here; `action_mask` says"):
            environment.step(action)
    assert environment._play == before


def test_numbers_of_other_classes_are_actions_too() -> None:
    environment = Environment(POKER_GAME)
    environment.reset(seed=1)
    environment.step(np.int64(environment._play.legal_actions()[0]))
    assert len(environment._play.history()) > 1


def test_an_action_has_a_text() -> None:
    environment = Environment(POKER_GAME)
    environment.reset(seed=1)
    numbers = range(POKER_GAME.num_distinct_actions)
    assert sorted(environment.action_to_string(n) for n in numbers) == ["bet", "call", "check", "fold"]
    with pytest.raises(IllegalActionError):
        environment.action_to_string(99)


def test_an_agent_that_there_is_not_is_refused() -> None:
    environment = Environment(POKER_GAME)
    environment.reset(seed=1)
    for ask in (environment.observe, environment.observation_space, environment.action_space):
        with pytest.raises(ValueError, match="'player_2' is no agent; they are player_0, player_1"):
            ask("player_2")


def test_an_environment_is_called_as_its_game() -> None:
    assert str(Environment(POKER_GAME)) == "One Card Poker"


def test_with_recall_the_numbers_hold_all_that_was_seen() -> None:
    environment = Environment(POKER_GAME, recall=True)
    for agent, observed in steps(environment, 2):
        assert environment.observation_space(agent).contains(observed)
        player = environment.possible_agents.index(agent)
        assert observed["observation"].tolist() == environment._play.information_state_tensor(player)


def test_all_players_together_see_all_hands() -> None:
    environment = Environment(POKER_GAME)
    environment.reset(seed=1)
    parts = {name: slice(at, at + size) for name, at, size in POKER_GAME.observation_layout()}
    seen = environment.state()
    assert environment.state_space.contains(seen)
    assert [seen[parts[f"hand[player {n}] faces"]].sum() for n in (1, 2)] == [1, 1]


@pytest.mark.parametrize(("viewer", "shown"), [("public", 0), ("player_0", 1), ("player_1", 1), ("everything", 2)])
def test_what_is_rendered_is_what_the_viewer_sees(viewer: str, shown: int, capsys: pytest.CaptureFixture[str]) -> None:
    environment = env_of(viewer, "ansi")
    text = environment.render()
    assert text is not None
    hands = [line for line in text.splitlines() if line.startswith("hand[")]
    assert sum("unseen" not in line for line in hands) == shown
    assert capsys.readouterr().out == ""
    environment = env_of(viewer, "human")
    assert environment.render() is None
    assert capsys.readouterr().out == f"{text}\n\n"


def env_of(viewer: str, mode: str) -> Environment:
    environment = Environment(POKER_GAME, render_mode=mode, viewer=viewer)
    environment.reset(seed=1)
    return environment


def test_a_mode_or_viewer_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match=f"no render mode 'rgb'; there are {', '.join(RENDER_MODES)}"):
        Environment(POKER_GAME, render_mode="rgb")
    with pytest.raises(ValueError, match="'player_2' is no viewer; choose one of public, everything, player_0"):
        Environment(POKER_GAME, viewer="player_2")


def test_a_play_that_is_too_long_is_truncated() -> None:
    game = load_text(POKER.replace("at most 2 decisions", "at most 1 decisions"))
    environment = Environment(game)
    ends = []
    for seed in range(12):
        for agent, _ in steps(environment, seed):
            ended = (environment.terminations[agent], environment.truncations[agent])
        ends.append(ended)
    assert set(ends) == {(True, False), (False, True)}


def test_calls_in_a_wrong_order_are_refused() -> None:
    environment = env("chalice_and_wand", options={"hands": "open"})
    with pytest.raises(AttributeError, match="before reset"):
        environment.agent_selection  # noqa: B018
    environment.reset(seed=1)
    assert environment.agent_selection in environment.possible_agents
