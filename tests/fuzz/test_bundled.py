"""The specs that come with the program: games and variants, in every setting."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from interpreter.fuzz import fuzz, noninterference, truth_invariance
from interpreter.loader import bundled_games, bundled_variants, find_spec
from interpreter.setting import word_of
from interpreter.validate import validate
from tests.bundled import DIFFERENT, EVERY, game, player_counts, scenario_results, signature_of
from tests.fuzz.settings import Setting, soak

SHORT = {"max_hands": "4", "max_turns": "10"}
"""Games of many hands or turns are cut short, where their number is not what is tried."""


def tried(name: str) -> Iterator[Setting]:
    """Give a spec as it comes, then settings in which each number of players and each value of each option occurs.

    Each changes several options at once, so there are few; `tests/fuzz/test_settings.py` changes one at a time.  A
    variant has the options of its base, and is played as it comes with the least number of players.
    """
    signature = signature_of(name)
    options = signature.begin().options
    fixed = {option.name: SHORT[option.name] for option in options if option.name in SHORT}
    yield Setting(name, player_counts(name)[0], tuple(fixed.items()))
    if name in bundled_variants():
        return
    levels = [len(option.samples()) for option in options if option.name not in fixed]
    for row in range(max(len(player_counts(name)), *levels, 0)):
        players = player_counts(name)[row % len(player_counts(name))]
        # Where all of them began with the same sample, those of two would change together.
        numbers = {option.name: (row + place) % len(option.samples()) for place, option in enumerate(options)}
        usual = dict(signature.setting(players, fixed).options)
        changed = [(n, v) for n, v in signature.sample(players, numbers, fixed).options if n in fixed or v != usual[n]]
        yield Setting(name, players, tuple((option, word_of(value)) for option, value in changed))


TRIED = list(dict.fromkeys(setting for name in EVERY for setting in tried(name)))
FIRST = {setting.spec: setting for setting in reversed(TRIED)}
PLAYED = {*FIRST.values()}
"""Of each spec the setting as it comes; the others are played in the soak."""


@pytest.mark.parametrize("name", EVERY)
def test_every_bundled_spec_has_scenarios_and_passes_them(name: str) -> None:
    _passes_its_scenarios(name)


@pytest.mark.parametrize("name", ["two_player_wizard", "wizards_grimoire"])
def test_seed_games_outside_the_different_ones_pass_their_scenarios(name: str) -> None:
    _passes_its_scenarios(name)


def _passes_its_scenarios(name: str) -> None:
    results = scenario_results(name)
    assert results
    assert [r.name for r in results if not r.passed] == []
    if name in bundled_games():
        shown = {tag for result in results for tag in result.tags}
        runs = [re.fullmatch(r"R(\d+)-R?(\d+)", tag) for tag in shown]
        shown |= {f"R{n}" for run in runs if run is not None for n in range(int(run[1]), int(run[2]) + 1)}
        assert {tag for tag, _ in game(name).rules.tags} - shown == set(), "each rule is shown by a scenario"


@pytest.mark.parametrize("name", bundled_variants())
def test_a_variant_is_a_few_lines(name: str) -> None:
    lines = [line for line in find_spec(name).read_text().splitlines() if line.strip() and line[0] != "#"]
    assert len(lines) <= 15


@pytest.mark.parametrize("name", bundled_variants())
def test_a_variant_is_another_game_than_what_it_extends(name: str) -> None:
    assert signature_of(name).title not in {signature_of(other).title for other in bundled_games()}


@pytest.mark.parametrize("name", bundled_games())
def test_every_setting_of_a_bundled_game_is_sound(name: str) -> None:
    found = validate(find_spec(name))
    assert found.diagnostics == ()
    assert found.summary is not None


@pytest.mark.parametrize(
    ("name", "players"),
    # With fewer players its base is checked in every setting.
    [(name, player_counts(name)[-1]) for name in bundled_variants()]
    + [pytest.param(name, None, marks=pytest.mark.soak) for name in bundled_variants()],
)
def test_every_setting_of_a_variant_is_sound_for_the_greatest_number_of_players(name: str, players: int | None) -> None:
    found = validate(find_spec(name), players)
    assert found.diagnostics == ()
    assert found.summary is not None


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(setting, id=str(setting), marks=[] if setting in PLAYED else [pytest.mark.soak])
        for setting in TRIED
    ],
)
def test_random_plays_find_nothing_wrong(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    # A run of its own pays for long exchanges before it has played at all; here they have their share of the decisions.
    monkeypatch.setattr(fuzz, "RUN", 0)
    # One play of each, and more of a game as it comes; of several plays the checks cost a share that is bounded.
    first = {name for name, _ in setting.options} <= set(SHORT) and setting.spec not in bundled_variants()
    if not first or setting.spec not in DIFFERENT:
        # A library of each setting would take longer than its plays; `tests/belief/test_resampling.py` draws worlds.
        drawing = (noninterference.CHECK, truth_invariance.CHECK)
        monkeypatch.setattr(fuzz, "ALL_CHECKS", [check for check in fuzz.ALL_CHECKS if check not in drawing])
    assert soak(setting, playouts=2, seed=5, decisions=100 if first else 1).failure is None


@pytest.mark.parametrize("name", bundled_games())
def test_every_number_of_players_and_every_value_is_among_the_settings(name: str) -> None:
    made = [(s.players, signature_of(name).setting(s.players, dict(s.options))) for s in TRIED if s.spec == name]
    assert {players for players, _ in made} == set(player_counts(name))
    signature = signature_of(name)
    for option in signature.begin().options:
        if option.name not in SHORT:
            # A default that depends on the number of players is a sample for this number only.
            each = [
                {here.in_words(value) for here in signature.begin(count).options if here.name == option.name
                 for value in here.samples()}
                for count in player_counts(name)
            ]  # fmt: skip
            found = {setting[option.name] for _, setting in made}
            assert set.intersection(*each) <= found <= set.union(*each)
