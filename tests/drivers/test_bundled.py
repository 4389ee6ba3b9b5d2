"""The specs that come with the program: games and variants, in every setting."""

from __future__ import annotations

import pytest

from interpreter.analysis.types import EnumType, Int
from interpreter.drivers.fuzz import fuzz
from interpreter.drivers.scenario import run_file, scenario_files
from interpreter.drivers.validate import validate
from interpreter.load import bundled_games, bundled_variants, find_spec, load
from interpreter.runtime.game import option_text

EVERY = [*bundled_games(), *bundled_variants()]


@pytest.mark.parametrize("name", EVERY)
def test_every_bundled_spec_has_scenarios_and_passes_them(name: str) -> None:
    (path,) = scenario_files(name)
    results = run_file(path)
    assert results
    assert [r.name for r in results if not r.passed] == []


@pytest.mark.parametrize("name", bundled_variants())
def test_a_variant_is_a_few_lines(name: str) -> None:
    lines = [line for line in find_spec(name).read_text().splitlines() if line.strip() and line[0] != "#"]
    assert len(lines) <= 15


@pytest.mark.parametrize("name", bundled_variants())
def test_a_variant_is_another_game_than_what_it_extends(name: str) -> None:
    titles = {load(game).title for game in bundled_games()}
    assert load(name).title not in titles


@pytest.mark.parametrize("name", EVERY)
def test_every_setting_of_a_bundled_spec_is_sound(name: str) -> None:
    found = validate(find_spec(name))
    assert found.diagnostics == ()
    assert found.summary is not None


def _settings(name: str) -> list[tuple[int, dict[str, str]]]:
    """Return the default with every number of players, and every other value of each option."""
    rules = load(name).rules
    low, high = rules.player_range
    found: list[tuple[int, dict[str, str]]] = [(players, {}) for players in range(low, high + 1)]
    for option in rules.options:
        values: tuple[str, ...] = ("false", "true")
        if isinstance(option.type, EnumType):
            values = option.type.values
        elif isinstance(option.type, Int):
            values = (str(option.type.low), str(option.type.high))
        found.extend((low, {option.name: value}) for value in values if value != option_text(option.type, option.value))
    return found


@pytest.mark.parametrize(("name", "players", "options"), [(n, *s) for n in EVERY for s in _settings(n)])
def test_random_plays_find_nothing_wrong(name: str, players: int, options: dict[str, str]) -> None:
    report = fuzz(load(name, players, options), playouts=3, seed=5)
    assert report.failure is None
