"""Names and options of a spec as parameters of a load string."""

from __future__ import annotations

from pathlib import Path

import pyspiel
import pytest

from interpreter import SettingError, SpecNotFoundError
from interpreter.adapters import openspiel
from interpreter.adapters.parameters import offered
from interpreter.loader import bundled_games, bundled_variants

SPEC = """cardgame 1

game "Odd, (names) = here"
    players 2..3
    at most 4 decisions

option name: 1..9 = 2 + 3
option zero_sum = true
option trumps: True | False_ = True
option side: left | right = right

card Blank written "X"

deck in box
    1 of Blank

zones
    box: pile, seen by nobody

state
    most: 0..9 = name

play
    player 1 chooses
        bid n from 0..most
        quit

result
    winners = if zero_sum and trumps == True and side == right then player 1 else player 2
"""


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("specs") / "odd = name, (2).cardgame"
    path.write_text(SPEC)
    return path


def test_names_and_options_are_safe_in_load_strings(spec: Path) -> None:
    name = openspiel.register(spec)
    assert name == "cardgame_odd_name_2_"
    game = pyspiel.load_game(f"{name}(option_name=3,trumps=True_,side=left,players=3)")
    assert game.num_players() == 3
    assert game.rules.option_texts() == {"name": "3", "zero_sum": "true", "trumps": "True", "side": "left"}
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert game.get_type().long_name == "Odd, (names) = here"


def test_what_is_not_given_has_its_default(spec: Path) -> None:
    found = offered(spec)
    assert found.defaults == {
        "players": 2, "zero_sum": False, "option_name": 5, "option_zero_sum": True, "trumps": "True_",
        "side": "right",
    }  # fmt: skip
    assert found.load({}).option_texts() == {"name": "5", "zero_sum": "true", "trumps": "True", "side": "right"}


def test_options_go_by_their_own_names_where_no_load_string_is_written(spec: Path) -> None:
    game = openspiel.load_game(spec, players=3, options={"name": 7, "zero_sum": False, "trumps": "False_"})
    assert game.rules.option_texts() == {"name": "7", "zero_sum": "false", "trumps": "False_", "side": "right"}
    assert game.num_players() == 3


def test_an_option_that_there_is_not_is_refused_with_those_there_are(spec: Path) -> None:
    with pytest.raises(SettingError, match=r"no parameter `size`; it has players, zero_sum, option_name"):
        offered(spec).load({"size": 3})
    with pytest.raises(SettingError, match="`side` is one of left, right, not `up`"):
        openspiel.load_game(spec, options={"side": "up"})
    with pytest.raises(SettingError, match="for 2 to 3 players, not 4"):
        openspiel.load_game(spec, players=4)


def test_two_specs_of_one_name_need_another(spec: Path, tmp_path: Path) -> None:
    openspiel.register(spec, "cardgame_twice")
    other = tmp_path / "other.cardgame"
    other.write_text(spec.read_text())
    with pytest.raises(ValueError, match=r"give .*other\.cardgame another name"):
        openspiel.register(other, "cardgame_twice")
    with pytest.raises(ValueError, match="OpenSpiel has a game `kuhn_poker` already"):
        openspiel.register(other, "kuhn_poker")
    with pytest.raises(SpecNotFoundError):
        openspiel.register(tmp_path / "missing.cardgame")


def test_a_spec_that_is_registered_again_is_read_anew(tmp_path: Path) -> None:
    changed = tmp_path / "changed.cardgame"
    changed.write_text(SPEC)
    name = openspiel.register(changed)
    before = pyspiel.load_game(name).num_distinct_actions()
    changed.write_text(SPEC.replace("        quit\n", ""))
    assert openspiel.register(changed) == name
    assert pyspiel.load_game(name).num_distinct_actions() < before


def test_a_spec_that_has_changed_is_loaded_as_it_is_now(tmp_path: Path) -> None:
    spec = tmp_path / "edited.cardgame"
    spec.write_text(SPEC)
    before = openspiel.load_game(spec)
    assert openspiel.load_game(spec).rules is before.rules
    spec.write_text(SPEC.replace("        quit\n", ""))
    after = openspiel.load_game(spec)
    assert after.num_distinct_actions() < before.num_distinct_actions()
    assert pyspiel.load_game(str(after)).num_distinct_actions() == after.num_distinct_actions()


def test_every_bundled_game_and_variant_has_a_name() -> None:
    for bundled in (*bundled_games(), *bundled_variants()):
        assert f"cardgame_{bundled.rpartition('/')[2]}" in pyspiel.registered_names()


def test_a_default_that_depends_on_the_number_of_players_follows_the_given_number(tmp_path: Path) -> None:
    path = tmp_path / "hanging.cardgame"
    path.write_text(SPEC.replace("option name: 1..9 = 2 + 3", "option name: 1..9 = 3 * count(players)"))
    name = openspiel.register(path)
    assert pyspiel.load_game(name).rules.setting["name"] == 6
    assert pyspiel.load_game(f"{name}(players=3)").rules.setting["name"] == 9
    assert pyspiel.load_game(f"{name}(players=3,option_name=6_)").rules.setting["name"] == 6
    game = openspiel.load_game(path, players=3, options={"name": 6})
    assert game.rules.setting["name"] == 6
    assert pyspiel.load_game(str(game)).rules.setting == game.rules.setting


def test_a_file_whose_returns_add_up_to_0_is_loaded_so_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "sums.cardgame"
    path.write_text(SPEC.partition("    winners")[0] + "    returns p = if p == player 1 then 1 else -1\n")
    assert openspiel.load_game(path).get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    game = openspiel.load_game(path, zero_sum=True)
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert game.utility_sum() == 0.0
