"""Training by self-play: what a network reads, what it learns, the file it is kept in, and the agent that plays it."""

from __future__ import annotations

import importlib.util
import json
import random
import re
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interpreter import Game, State, load, load_text
from interpreter.agents import AgentView, agent
from interpreter.agents.policy import LookAgent, NetworkAgent
from interpreter.agents.thinking import AgentError
from interpreter.agents.thinking import Budget as AgentBudget
from interpreter.belief.belief import Belief
from interpreter.loader import find_spec
from interpreter.records.session import Session
from interpreter.sharing import Threads
from interpreter.solve.policy_file import PolicyError
from interpreter.training.look import Candidate, Look
from interpreter.training.network import LearningGame, Network, read_network, write_network
from interpreter.training.trainer import Budget, Progress, Trainer
from tests.native.test_c import needs_compiler
from tests.solve.games import SIGNAL, spec
from tests.training.damage import damaged

KUHN = "classics/kuhn_poker"
HANABI = str(find_spec("classics/hanabi"))  # As a path: by name it would be a game for the soak.
pytestmark = needs_compiler


def trained(game: Game, rounds: int, seed: int = 1) -> Network:
    return Trainer(game).train(Budget(rounds=rounds), seed)


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return load(KUHN)


@pytest.fixture(scope="module")
def network(kuhn: Game) -> Network:
    return trained(kuhn, 2)


POINTING = spec(
    "Pointing",
    """state
    points[player]: 0..9 = 0

play
    player 1 chooses
        point p from players where p != player 1: points[p] += 1
    player 2 chooses
        point p from players where p != player 2: points[p] += 1

result
    score p = points[p]
""",
    players="3",
)


LADDER = """cardgame 1
game "Ladder"
    players 2
enum Color: red "R", blue "B"
card Step(color: Color, rank: 1..2) written "{color}{rank}"
deck in stock
    1 of each Step(_, _)
zones
    stock: pile, seen by nobody
    laid: cards, seen by all
    shown: slot, seen by all
play
    shuffle stock
    deal 1 from stock to laid
    deal 1 from stock to shown
    player 1 chooses
        stop: end game
        go: end game
result
    score p = 0
"""


@pytest.fixture(scope="module")
def signal() -> Network:
    return Trainer(load_text(SIGNAL)).train(Budget(rounds=40), seed=2, seeds=1)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("classics/hearts", marks=pytest.mark.soak),
        pytest.param("classics/love_letter", marks=pytest.mark.soak),
        pytest.param(HANABI, marks=pytest.mark.soak),
        str(find_spec("classics/leduc_poker")),
    ],
)
def test_what_a_network_reads_is_the_same_in_all_worlds_that_the_player_can_believe(name: str) -> None:
    game = load(name)
    library = LearningGame.wanted(game)
    compared = 0
    for seed in range(3):
        rng = random.Random(seed)
        state = game.new_initial_state()
        state.resolve_chance(rng)
        for step in range(12):
            if state.is_terminal():
                break
            player = state.current_player()
            if step % 3 == 2:
                inputs = library.position(state).inputs(player)
                for world in Belief(state, player, seed).draw(4):
                    assert library.position(world).inputs(player) == inputs
                    compared += 1
            state.apply_action(rng.choice(state.legal_actions()))
            state.resolve_chance(rng)
    assert compared >= 8


def test_seats_read_the_same_where_only_their_numbers_differ() -> None:
    """At the first decision, and after one that names a player: players are counted from the viewer."""
    one = load_text(POINTING)
    other = load_text(POINTING.replace("player 2", "player 3").replace("player 1", "player 2"))
    found: list[list[list[int]]] = []
    for game, seat in ((one, 0), (other, 1)):
        state, library = game.new_initial_state(), LearningGame.wanted(game)
        first = library.position(state).inputs(seat)
        (action,) = (a for a in state.legal_actions() if state.action_to_string(a) == f"point {seat + 2}")
        state.apply_action(action)
        # Without the input that says which seat it is.
        both = (first, library.position(state).inputs(seat + 1))
        found.append([[number for number in inputs if number >= game.num_players] for inputs in both])
    assert found[0] == found[1]


def test_inputs_say_that_the_next_lower_card_is_seen_whatever_its_color() -> None:
    game = load_text(LADDER)
    library = LearningGame.wanted(game)
    read = {}
    for seed in range(100):
        state = game.new_initial_state()
        state.resolve_chance(random.Random(seed))
        laid, shown = re.findall("(?:laid|shown): (..)", str(state))
        read[laid, shown] = set(library.position(state).inputs(0))
    apart = read["R1", "B2"] | read["B1", "R2"]
    assert read["R1", "R2"] - apart == read["B1", "B2"] - apart != set()


@pytest.mark.soak
def test_partners_learn_to_signal(signal: Network) -> None:
    game = load_text(SIGNAL)
    strength, error = Trainer(game).strength(signal.weights)
    # One bit tells two of three cards apart: 2/3, against 1/3 of a team without signals.
    assert strength == pytest.approx(2 / 3, abs=0.02 + error)


@pytest.mark.soak
def test_the_value_is_what_is_still_to_gain(signal: Network) -> None:
    game = signal.library.game
    found = []
    for card, _ in (start := game.new_initial_state()).chance_outcomes():
        state = start.clone()
        state.apply_action(card)
        state.resolve_chance(random.Random(1))
        found.append(signal.library.position(state).strategy(signal.weights)[2] / signal.library.scales[0])
    assert sorted(found) == pytest.approx([0, 1, 1], abs=0.15)


def test_the_same_seed_and_rounds_give_the_same_file_for_all_numbers_of_workers(kuhn: Game, tmp_path: Path) -> None:
    trainers = [Trainer(kuhn, 1), Trainer(kuhn, 3), Trainer(kuhn, 2, lambda: ThreadPoolExecutor(3))]
    files = set()
    for trainer in trainers:
        write_network(trainer.train(Budget(rounds=1)), file := tmp_path / "some.policy", kuhn)
        files.add(file.read_bytes())
    assert len(files) == 1
    write_network(trained(kuhn, 1, seed=2), file, kuhn)
    assert file.read_bytes() not in files


def test_threads_end_all_their_parts_where_one_fails() -> None:
    begun, ended = threading.Event(), []

    def call(first: int, last: int) -> None:
        if first == 0:
            begun.wait()
            raise KeyboardInterrupt
        begun.set()
        time.sleep(0.01)
        ended.append((first, last))

    with pytest.raises(KeyboardInterrupt):
        Threads(2).share(call, 10)
    assert ended == [(5, 10)]


def test_a_training_that_is_stopped_keeps_the_best_so_far(kuhn: Game) -> None:
    trainer = Trainer(kuhn)
    heard: list[float] = []

    def on_progress(progress: Progress) -> bool:
        heard.append(progress.share)
        return len(heard) < 3

    found = trainer.train(Budget(rounds=1000), on_progress=on_progress)
    assert trainer.is_stopped
    assert heard == [0.001, 0.002, 0.003]
    assert found.curve[-1].rounds == 3


def test_a_resumed_training_begins_with_the_weights_and_goes_on_with_the_curve(kuhn: Game, network: Network) -> None:
    found = Trainer(kuhn).train(Budget(rounds=2), seed=1, before=network)
    assert found.curve[: len(network.curve)] == network.curve
    assert found.curve[-1].rounds == 4
    assert (found.weights != network.weights).any()


def test_a_file_gives_the_same_decisions_back(kuhn: Game, network: Network, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.policy"
    write_network(network, file, kuhn)
    assert (read_network(file, kuhn).weights == network.weights).all()
    player = agent(f"policy:{file}", kuhn, seed=3)
    assert isinstance(player, NetworkAgent)
    one = [Session(kuhn, [player, agent("random", kuhn, seed=3)], seed=s).play().returns for s in range(20)]
    two = [Session(kuhn, [player, agent("random", kuhn, seed=3)], seed=s).play().returns for s in range(20)]
    assert one == two
    state = kuhn.new_initial_state()
    state.resolve_chance(random.Random(1))
    view = AgentView(state)
    shares = player.mixture(view)
    assert sum(shares.values()) == pytest.approx(1)
    advice = player.think(view)
    assert {e.actions: e.weight for e in advice.estimates} == pytest.approx(dict(shares))


def test_a_file_of_another_game_or_setting_is_refused(kuhn: Game, network: Network, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.policy"
    write_network(network, file, kuhn)
    with pytest.raises(PolicyError, match="another game: the title differs"):
        agent(f"policy:{file}", load("classics/leduc_poker"))
    data = json.loads(file.read_text())
    data["network"]["layout"] = "0" * 16
    file.write_text(json.dumps(data))
    with pytest.raises(PolicyError, match="another version of cardgame"):
        agent(f"policy:{file}", kuhn)
    data["game"]["options"] = {"goal": "20", "limit": "7"}
    file.write_text(json.dumps(data))
    with pytest.raises(PolicyError, match=r"its options differ \(goal=20, not no goal; limit=7, not no limit\)"):
        agent(f"policy:{file}", kuhn)
    with pytest.raises(AgentError, match="cannot be read"):
        agent(f"policy:{tmp_path / 'none.policy'}", kuhn)


@pytest.mark.parametrize("soaked", [pytest.param(30), pytest.param(10_000, marks=pytest.mark.soak)])
def test_a_damaged_file_is_refused_or_plays(soaked: int, kuhn: Game, network: Network, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.policy"
    write_network(network, file, kuhn)
    whole, rng, refused = file.read_bytes(), random.Random(1), 0
    for _ in range(soaked):
        file.write_bytes(damaged(whole, rng))
        try:
            player = agent(f"policy:{file}", kuhn)
        except PolicyError:
            refused += 1
            continue
        state = kuhn.new_initial_state()
        state.resolve_chance(rng)
        assert player.act(AgentView(state))
    assert refused > soaked / 2


def test_a_look_finds_what_the_network_has_not_learned(kuhn: Game, network: Network) -> None:
    """Who has the best card calls, and who has the worst folds, also over a network that has learned nothing."""
    player = LookAgent(kuhn, 1, Network(network.library, network.weights * 0, 1), AgentBudget(iterations=400))
    chosen = {}
    for seed in range(20):
        state = kuhn.new_initial_state()
        state.resolve_chance(random.Random(seed))
        state.apply_action(0)
        state.apply_action(1)
        held = state.observation_string(0).splitlines()[2]
        advice = player.think(AgentView(state))
        assert advice.worlds
        assert advice.iterations == 400
        chosen[held] = advice.chosen
    assert chosen["hand[player 1]: 3"] == (1,)
    assert chosen["hand[player 1]: 1"] == (0,)


def test_a_look_believes_that_the_others_play_the_network(kuhn: Game, network: Network) -> None:
    """Where the first player bets with the best card alone, a bet shows that card in nearly every world."""
    library, weights = network.library, network.weights * 0
    dealt: dict[str, State] = {}
    for seed in range(60):
        state = kuhn.new_initial_state()
        state.resolve_chance(random.Random(seed))
        cards = [state.observation_string(player).splitlines()[2 + player][-1] for player in (0, 1)]
        dealt.setdefault("".join(cards), state)
    inputs = {card: set(library.position(dealt[card + "2" if card != "2" else "21"]).inputs(0)) for card in "123"}
    legal, _, _ = library.position(dealt["32"]).strategy(weights)
    assert legal == [0, 1]
    # Hidden unit 1 sees the best card and asks for a bet, unit 2 any other card and asks for a pass.
    weights[list(inputs["3"] - inputs["1"] - inputs["2"]), 1] = 6
    weights[list((inputs["1"] | inputs["2"]) - inputs["3"]), 2] = 6
    weights[-3:-1, 1], weights[-3:-1, 2] = (0, 1), (1, 0)
    assert library.position(dealt["32"]).strategy(weights)[1][1] > 0.99
    assert library.position(dealt["12"]).strategy(weights)[1][0] > 0.99
    state = dealt["12"].clone()
    state.apply_action(1)
    look = Look(Network(library, weights, 1), library.walk(state, 1, 1), 1)
    look.burn_in(100)
    look.draw(64, 4)
    # Calling costs 2 where the other has the best card; folding costs 1.
    candidates = [Candidate(0), Candidate(1)]
    look.play_out((), candidates, 64)
    assert candidates[0].mean == pytest.approx(-1)
    assert candidates[1].mean < -1.5


@pytest.mark.soak
def test_search_with_a_policy_infers_cards_from_the_signal_of_the_partner(signal: Network, tmp_path: Path) -> None:
    game = load_text(SIGNAL)
    write_network(signal, tmp_path / "signal.policy", game)

    def points(name: str) -> float:
        seats = [[agent(name, game, seed) for _ in range(2)] for seed in range(60)]
        return sum(Session(game, pair, seed).play().returns[0] for seed, pair in enumerate(seats)) / 60

    assert points("search:100") < 0.45
    assert points(f"search:100:{tmp_path / 'signal.policy'}") == pytest.approx(2 / 3, abs=0.1)


def test_without_numpy_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "interpreter.training")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(AgentError, match="numpy"):
        importlib.import_module("interpreter.training")
