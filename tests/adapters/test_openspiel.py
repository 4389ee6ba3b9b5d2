"""What an OpenSpiel state does beside what OpenSpiel's own tests ask."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python.observation import make_observation

from interpreter import IllegalActionError
from interpreter.adapters import openspiel
from tests.adapters.settings import EVERY_SETTING, load_string, soak_only
from tests.belief.tiny import POKER
from tests.knowledge.test_recall import CHANCES

QUICK_WORLDS = [("classics/kuhn_poker", 2), ("classics/leduc_poker", 2)]
"""Games in which worlds are found soon.  That they are worlds is tested without OpenSpiel, for all games."""


@pytest.fixture
def poker(tmp_path: Path) -> Any:
    return written(tmp_path, "one_card_poker", POKER)


def written(folder: Path, name: str, text: str, players: int | None = None) -> Any:
    path = folder / f"{name}.cardgame"
    path.write_text(text)
    return pyspiel.load_game(f"{openspiel.register(path, f'cardgame_{folder.name}_{name}')}({players_of(players)})")


def players_of(players: int | None) -> str:
    return "" if players is None else f"players={players}"


def walk(game: Any, seed: int, steps: int) -> list[Any]:
    """Return the states of a random play in which players are to act."""
    states: list[Any] = []
    state, rng = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal() and len(states) < steps:
        if not state.is_chance_node():
            states.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    return states


def test_outcomes_below_zero_are_numbered_from_zero(tmp_path: Path) -> None:
    """OpenSpiel writes into an array at the number of an outcome."""
    state = written(tmp_path, "chances", CHANCES, 12).new_initial_state()
    assert [outcome for outcome, _ in state.chance_outcomes()] == list(range(9))
    assert state.action_to_string(-1, 0) == "-3"
    assert sum(state.legal_actions_mask(-1)) == 9
    state.apply_action(8)
    assert "depth = 5" in str(state)
    assert len(state.chance_outcomes()) == 12 == sum(state.legal_actions_mask(-1))
    assert state.full_history()[0].action == 8


def test_an_outcome_beyond_the_bound_is_refused_before_openspiel_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = written(tmp_path, "chances", CHANCES, 12)
    state = game.new_initial_state()
    monkeypatch.setitem(vars(game.rules), "max_chance_outcomes", 8)
    for ask in (state.chance_outcomes, state.legal_actions, lambda: state.legal_actions_mask(-1)):
        with pytest.raises(RuntimeError, match="beyond their bound of 8"):
            ask()


def test_a_state_has_one_attribute_which_is_copied_at_once(poker: Any) -> None:
    state = poker.new_initial_state()
    assert list(vars(state)) == ["position"]
    copied = copy.deepcopy(state.position)
    assert copied.state is not state.position.state
    assert copied.state.game is state.position.state.game
    other = state.clone()
    other.apply_action(other.legal_actions()[0])
    assert (state.history(), len(other.history())) == ([], 1)


def test_a_game_that_is_said_to_be_of_sum_zero_must_be(tmp_path: Path) -> None:
    text = POKER.replace("returns p = if p == best then stake else 0 - stake", "returns p = stake")
    name = openspiel.register(write(tmp_path, text))
    assert pyspiel.load_game(name).get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    state = pyspiel.load_game(f"{name}(zero_sum=True)").new_initial_state()
    while not state.is_terminal():
        assert state.returns() == [0.0, 0.0]
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="do not add up to 0; load this game without `zero_sum`"):
        state.returns()


def write(folder: Path, text: str) -> Path:
    path = folder / f"{folder.name}.cardgame"
    path.write_text(text)
    return path


def test_an_action_that_is_not_legal_is_refused(poker: Any) -> None:
    state = poker.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(IllegalActionError):
        state.apply_action(99)


def test_a_pickled_state_goes_on_in_another_process() -> None:
    states = walk(pyspiel.load_game("cardgame_leduc_poker"), 4, 3)
    code = "import pickle, sys; from interpreter.adapters import openspiel; s = pickle.load(sys.stdin.buffer); print(s)"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(states[-1]), capture_output=True, check=True)
    assert done.stdout.decode().rstrip("\n") == str(states[-1])


def test_the_parts_of_an_observation_are_distinguished(poker: Any) -> None:
    state = poker.new_initial_state()
    for card in ("K", "J"):
        state.apply_action(state.string_to_action(card))
    kinds = pyspiel.PrivateInfoType

    def seen(public: bool, private: Any, recall: bool = False) -> tuple[str, Any]:
        observation = make_observation(
            poker, pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        )
        observation.set_from(state, 0)
        return observation.string_from(state, 0), observation.dict

    own = "hand[player 1] faces"
    text, parts = seen(True, kinds.NONE)
    assert "K" not in text.replace("Kn", "")
    assert (parts[own].sum(), parts["hand[player 1] count"][0]) == (0, 1)
    text, parts = seen(False, kinds.SINGLE_PLAYER)
    assert text == "seen by player 1\nhand[player 1]: K"
    assert (parts[own].sum(), parts["hand[player 1] count"][0], parts["hand[player 2] faces"].sum()) == (1, 0, 0)
    text, parts = seen(True, kinds.ALL_PLAYERS)
    assert "hand[player 1]: K" in text
    assert "hand[player 2]: J" in text
    assert parts["hand[player 2] faces"].sum() == 1
    assert seen(True, kinds.SINGLE_PLAYER, recall=True)[0] == state.information_state_string(0)
    assert "K" not in seen(True, kinds.NONE, recall=True)[0]
    assert seen(False, kinds.NONE)[0] == ""


def observers(game: Any, recall: bool) -> dict[tuple[bool, str], Any]:
    """Return an observer for every combination of parts, of what lies open or of all that was seen."""
    return {
        (public, name): make_observation(
            game, pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        )
        for public in (True, False)
        for name, private in pyspiel.PrivateInfoType.__members__.items()
    }


@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_public_and_private_parts_make_the_whole(name: str, players: int) -> None:
    game = pyspiel.load_game(load_string(name, players))
    now, recalled = observers(game, False), observers(game, True)
    for state in walk(game, 3, 40)[::8]:
        for player in range(players):
            for observation in (*now.values(), *recalled.values()):
                observation.set_from(state, player)
            whole, public, private = (
                now[k].tensor for k in ((True, "SINGLE_PLAYER"), (True, "NONE"), (False, "SINGLE_PLAYER"))
            )
            assert whole.tolist() == state.observation_tensor(player) == (public + private).tolist()
            assert recalled[True, "SINGLE_PLAYER"].tensor.tolist() == state.information_state_tensor(player)
            assert recalled[True, "SINGLE_PLAYER"].string_from(state, player) == state.information_state_string(player)
            assert now[True, "SINGLE_PLAYER"].string_from(state, player) == state.observation_string(player)
        for seen in (now, recalled):
            # What everybody sees is the same for all, and so is what all see together.
            for parts in ((True, "NONE"), (True, "ALL_PLAYERS"), (False, "ALL_PLAYERS")):
                assert len({seen[parts].string_from(state, player) for player in range(players)}) == 1
                assert len({tensor_of(seen[parts], state, player) for player in range(players)}) == 1
            assert not now[False, "NONE"].string_from(state, 0)
            assert not now[False, "NONE"].tensor.any()


def tensor_of(observation: Any, state: Any, player: int) -> bytes:
    observation.set_from(state, player)
    data: bytes = observation.tensor.tobytes()
    return data


def test_an_observer_has_no_parameters(poker: Any) -> None:
    with pytest.raises(ValueError, match="have no parameters, such as size"):
        poker.make_py_observer(None, {"size": 3})


@pytest.mark.parametrize(("name", "players"), [*QUICK_WORLDS, *(soak_only(*p.values) for p in EVERY_SETTING)])
def test_a_resampled_state_looks_the_same_to_its_player(name: str, players: int) -> None:
    game, rng = pyspiel.load_game(load_string(name, players)), random.Random(5)
    others = 0
    states = walk(game, 6, 60)
    # Of a short play every state is asked often: there the true world is as likely as most others.
    for state in states[10::40] if len(states) > 20 else 6 * states:
        player = state.current_player()
        other = state.resample_from_infostate(player, rng.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.legal_actions() == state.legal_actions()
        assert [item.player for item in other.full_history() if item.player >= 0] == [
            item.player for item in state.full_history() if item.player >= 0
        ]
        others += other.history() != state.history()
    assert others
