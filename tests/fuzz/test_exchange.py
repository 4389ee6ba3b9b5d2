"""The check by exchange finds what leaks, names the statement, and is silent where an author publishes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from interpreter.fuzz import fuzz
from interpreter.fuzz.exchange.check import CARDS, CHECK, COMPARISON, SHARE, exchanged
from interpreter.fuzz.exchange.traced import Traced, sees, traced
from interpreter.loader import load, load_text
from tests.bundled import EVERY, game, one_in
from tests.fuzz import leaks, secret_leaks, surface_leaks
from tests.fuzz.leaks import DEAL, Game
from tests.fuzz.settings import settings

LEAKS = leaks.LEAKS | secret_leaks.LEAKS
QUIET = leaks.QUIET | secret_leaks.QUIET

LONG = {
    "a secret number that is used many decisions later", "a secret choice of a player gets a card",
    "a variable tells a card from its copy",
}  # fmt: skip
"""Leaks that take long to find; a note of five decisions ago, a secret choice and a copy are among the quick ones."""

RARE = 16_000
"""What a run may cost beside its decisions where a leak is rare, as it is outside of the tests."""

PLAYS = 200
"""Plays within which every leak is to be found."""

FEW, FEW_EXCHANGES = 4, 700
"""Plays of what is silent in a quick test, and what they may cost beside their decisions."""


@pytest.fixture(autouse=True)
def exchanges_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no other check find a leak first, and show the play in which it was found as it is."""
    monkeypatch.setattr(fuzz, "ALL_CHECKS", (CHECK,))
    monkeypatch.setattr(fuzz, "SHRINKING", 0.0)


@pytest.mark.parametrize(
    "leak",
    [pytest.param(leak, id=name, marks=[pytest.mark.soak] if name in LONG else []) for name, leak in LEAKS.items()],
)
def test_every_seeded_leak_is_found_at_its_statement(leak: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = load_text(leak.text)
    monkeypatch.setattr(fuzz, "RUN", RARE)
    if leak.damage is not None:
        leak.damage(monkeypatch)
    failure = fuzz.fuzz(spec, PLAYS, seed=1).failure
    assert failure is not None
    problem = failure.problem
    assert problem.check == "leak"
    assert " reads " in problem.message
    if leak.line:
        assert problem.span is not None
        assert leak.line in problem.span.source.line(problem.span.line)


def test_a_rule_that_cannot_be_carried_out_with_other_hidden_cards_is_reported() -> None:
    """The play itself goes well; dealt otherwise where player 1 does not look, it breaks off."""
    lines = [
        "if suns(player 2) == 3: points[player 1] = 41 + count(table)",
        "for p in players: ask(p)",
    ]
    spec = load_text(Game(DEAL + "".join(f"    {line}\n" for line in lines)).text)
    failures = [fuzz.fuzz(spec, 1, seed).failure for seed in range(2)]
    told = [f.problem for f in failures if f is not None and "if only information hidden from" in f.problem.message]
    assert told
    assert {problem.check for problem in told} == {"fault"}
    assert all(p.span is not None and "points[player 1] = 41" in p.span.source.line(p.span.line) for p in told)


@pytest.mark.parametrize("quiet", one_in(3, QUIET))
def test_intended_publication_and_uninformative_events_are_no_leaks(
    quiet: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "RUN", FEW_EXCHANGES)
    report = fuzz.fuzz(load_text(quiet.text), FEW, seed=1)
    assert report.failure is None
    assert report.tally["exchanges"] > FEW // 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", QUIET)
def test_what_is_no_leak_is_none_in_many_plays(name: str, seed: int) -> None:
    assert fuzz.fuzz(load_text(QUIET[name].text), 500, seed=seed).failure is None


@pytest.mark.parametrize("name", ["chalice_and_wand", "wizards_duel"])
def test_bundled_games_leak_nothing(name: str) -> None:
    """Two plays each, long games cut short; `test_bundled` makes this check beside all others in every setting."""
    setting = next(settings(name, (("max_hands", "2"),)))
    report = fuzz.fuzz(load(setting.spec, setting.players, dict(setting.options)), 2, seed=3)
    assert report.failure is None
    assert report.tally["exchanges"] > 0


@pytest.mark.soak
@pytest.mark.parametrize("name", EVERY)
def test_bundled_games_leak_nothing_in_many_plays(name: str) -> None:
    assert fuzz.fuzz(game(name), 60, seed=4).failure is None


@pytest.mark.soak
@pytest.mark.parametrize("name", surface_leaks.LEAKY)
def test_leaks_by_what_an_interface_shows_are_found(name: str) -> None:
    report = fuzz.fuzz(load_text(surface_leaks.LEAKY[name]), 100, seed=1)
    if name in surface_leaks.REVEALED:
        assert report.published
    else:
        assert report.failure is not None
        assert report.failure.problem.check == "leak"


@pytest.mark.soak
@pytest.mark.parametrize("name", surface_leaks.CLEAN)
def test_interfaces_that_show_nothing_hidden_are_silent(name: str) -> None:
    assert fuzz.fuzz(load_text(surface_leaks.CLEAN[name]), 100, seed=1).failure is None


# ---- what is told


def test_statements_that_publish_are_named_once_and_openly_says_that_they_are_meant() -> None:
    loud = QUIET["words name what a hand holds"]
    report = fuzz.fuzz(load_text(loud.text), FEW, seed=1)
    named = [span.source.line(span.line).strip() for span, _ in report.published]
    assert named == ['if suns(p) > 1: say "{p} holds suns"']
    meant = Game(loud.body.replace("say ", "openly say "))
    assert fuzz.fuzz(load_text(meant.text), FEW, seed=1).published == {}


def test_the_command_names_what_publishes(tmp_path: Path) -> None:
    path = tmp_path / "loud.cardgame"
    path.write_text(QUIET["a variable that all see is reckoned from hands"].text)
    words = ["fuzz", str(path), "--plays", "12"]
    told = CliRunner().invoke(main, words)
    assert told.exit_code == 0, told.output
    assert "changed secrets         checked at" in told.output
    assert "(this assignment)" in told.output
    data = json.loads(CliRunner().invoke(main, [*words, "--format", "json"]).output)
    assert data["changed_hidden_information"]["checks"] > 0
    assert [entry["by"] for entry in data["changed_hidden_information"]["revealed"]] == ["this assignment"]


def test_the_command_ends_with_3_at_a_leak_and_prints_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "leak.cardgame"
    path.write_text(LEAKS["where an unseen card goes hangs on it"].text)
    told = CliRunner().invoke(main, ["fuzz", str(path)])
    assert told.exit_code == 3
    assert "failure: leak: the branch that the rules take here reveals" in told.output
    assert "`1 card from stock to right_pile`" in told.output
    assert "`1 card from stock to left_pile`" in told.output
    assert "if (the top of stock).rank > 3" in told.output
    assert "write `openly` before the statement" in told.output


def test_the_report_lists_branches_that_were_never_compared(tmp_path: Path) -> None:
    lines = [
        "if suns(player 1) > 1: secret[player 1] = 2",
        "if suns(player 1) > 4: secret[player 1] = 3",
        "for p in players: ask(p)",
    ]
    path = tmp_path / "branches.cardgame"
    path.write_text(Game(DEAL + "".join(f"    {line}\n" for line in lines)).text)
    told = CliRunner().invoke(main, ["fuzz", str(path), "--plays", "25"])
    assert told.exit_code == 0, told.output
    assert "No failure found, but 1 branch on secrets was never compared both ways." in told.output
    assert "no leak found" not in told.output
    assert "1 of 2 that read hidden information were compared both ways" in " ".join(told.output.split())
    never = [line for line in told.output.splitlines() if "not compared: " in line]
    assert ["if suns(player 1) > 4" in line for line in never] == [True]


def test_a_branch_on_cards_that_lay_open_before_is_compared_by_hidden_decisions() -> None:
    """All goods of Night Market lie open before a swap that only two players see hides them."""
    report = fuzz.fuzz(load(Path(__file__).parents[1] / "rulebook" / "specs" / "night_market.cardgame", 4), 15, seed=1)
    assert [compared > 0 for _, compared in report.branches.values()] == [True]


# ---- what it costs


@pytest.mark.parametrize(("name", "plays"), [("classics/leduc_poker", 20), ("chalice_and_wand", 2)])
def test_what_the_check_costs_stays_within_its_share(name: str, plays: int) -> None:
    """An exchange is begun only while there is something left, so the last one alone may cost more."""
    report = fuzz.fuzz(game(name), plays, seed=1)
    longest = 4 * max(report.lengths) * (COMPARISON + game(name).num_cards / CARDS)
    assert 0 < report.account.checks <= SHARE * report.account.plays + longest


def test_a_playout_that_leaks_among_others_leaks_alone() -> None:
    spec = load_text(LEAKS["how many cards are dealt hangs on a hand"].text)
    among = fuzz.fuzz(spec, PLAYS, seed=1).failure
    assert among is not None
    alone = fuzz.fuzz(spec, 1, seed=1, first=among.playout).failure
    assert alone is not None
    assert (alone.problem.check, alone.problem.span) == (among.problem.check, among.problem.span)


# ---- its own bookkeeping


def begun() -> Traced:
    state = traced(load_text(QUIET["cards are shown to one"].text))
    state.apply_action(tuple(range(12)))
    return state


def test_who_knows_a_card_follows_from_the_declarations_and_from_what_was_shown() -> None:
    state = begun()
    places = {state.game.place_name(number): number for number in range(state.game.num_places)}
    own, next_one, stock = (places[name] for name in ("hand[player 1]", "hand[player 2]", "stock"))
    assert all(state.aware(card, own) & 1 for card in state.zones[own])
    assert all(state.aware(card, next_one) & 3 == 3 for card in state.zones[next_one]), "shown to player 1"
    assert not any(state.aware(card, stock) for card in state.zones[stock])
    assert not any(sees(None, state.aware(card, own), state.game.everyone) for card in state.zones[own])


def test_an_exchange_takes_two_cards_with_what_lies_or_refers_there() -> None:
    state = begun()
    hand, stock = state.zones[1][0], state.zones[0][0]
    state.turned[hand] = 2
    other = exchanged(state, {hand: stock, stock: hand})
    assert (stock in other.zones[1], hand in other.zones[1], other.zones[0][0]) == (True, False, hand)
    assert other.turned == {stock: 2}
    assert sorted(c for zone in other.zones for c in zone) == sorted(c for zone in state.zones for c in zone)
    assert exchanged(other, {hand: stock, stock: hand}).content() == state.content()
