"""The specs that come with the program: games and variants, in every setting."""

from __future__ import annotations

import pytest

from interpreter.drivers import fuzz
from interpreter.drivers.validate import validate
from interpreter.loader import bundled_games, bundled_variants, find_spec
from tests.bundled import EVERY, game, player_counts, scenario_results
from tests.soak import Setting, settings, soak

SHORT = (("max_hands", "4"), ("max_turns", "10"))
"""Games of many hands or turns are cut short, where their number is not what is tried."""
LONG = ("max_hands", "1000")
"""So many hands are for the soak."""

TRIED = [
    setting
    for name in EVERY
    for setting in settings(name, SHORT)
    # A variant has its base's options and numbers of players, which are tried there; it is played with the ends
    # of these.
    if LONG not in setting.options
    and (
        name in bundled_games()
        or (
            not set(setting.options) - set(SHORT)
            and setting.players in (player_counts(name)[0], player_counts(name)[-1])
        )
    )
]


@pytest.mark.parametrize("name", EVERY)
def test_every_bundled_spec_has_scenarios_and_passes_them(name: str) -> None:
    results = scenario_results(name)
    assert results
    assert [r.name for r in results if not r.passed] == []


@pytest.mark.parametrize("name", bundled_variants())
def test_a_variant_is_a_few_lines(name: str) -> None:
    lines = [line for line in find_spec(name).read_text().splitlines() if line.strip() and line[0] != "#"]
    assert len(lines) <= 15


@pytest.mark.parametrize("name", bundled_variants())
def test_a_variant_is_another_game_than_what_it_extends(name: str) -> None:
    assert game(name).title not in {game(other).title for other in bundled_games()}


@pytest.mark.parametrize("name", bundled_games())
def test_every_setting_of_a_bundled_game_is_sound(name: str) -> None:
    found = validate(find_spec(name))
    assert found.diagnostics == ()
    assert found.summary is not None


@pytest.mark.parametrize(
    ("name", "players"),
    # With fewer players its base is checked in every setting, and the variant is played with the least of them (below).
    [(name, player_counts(name)[-1]) for name in bundled_variants()]
    + [pytest.param(name, None, marks=pytest.mark.soak) for name in bundled_variants()],
)
def test_every_setting_of_a_variant_is_sound_for_the_greatest_number_of_players(name: str, players: int | None) -> None:
    found = validate(find_spec(name), players)
    assert found.diagnostics == ()
    assert found.summary is not None


@pytest.mark.parametrize("setting", TRIED, ids=str)
def test_random_plays_find_nothing_wrong(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    # A run of its own pays for long exchanges before it has played at all; here they have their share of the decisions.
    monkeypatch.setattr(fuzz, "RUN", 0)
    # One play of each, and a second where it is as it comes; of several plays the checks cost a share that is bounded.
    first = set(setting.options) <= set(SHORT)
    assert soak(setting, playouts=2, seed=5, decisions=500 if first else 1).failure is None
