"""`in turn`: who has a turn, when it is asked, and what `reopen` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.source import Source
from interpreter import Game, State, load_text
from interpreter.fuzz.fuzz import fuzz
from interpreter.scenarios.scenario import run_source
from tests.program.playing import do, legal, settle, spec, start, values

KUHN = """cardgame 1
game "Kuhn poker"
    players 2
    at most 4 decisions
enum Rank: jack "J", queen "Q", king "K"
card Plain(rank: Rank) written "{rank}"
deck in stock
    1 of each Plain
zones
    stock:        pile, seen by nobody
    hand[player]: slot, seen by owner
state
    paid[player]: 0..2 = 1
    folded: player or none
play
    shuffle stock
    for p in players: deal 1 from stock to hand[p]
    in turn p in players
        p chooses
            check only if paid[next(p)] == paid[p]
            bet only if paid[next(p)] == paid[p]
                paid[p] += 1
                reopen
            call only if paid[next(p)] > paid[p]
                paid[p] += 1
            fold only if paid[next(p)] > paid[p]
                folded = p
    if folded is none
        for p in players: turn hand[p] face up
define rank_of(p: player) = hand[p].rank else jack
define best = if folded is not none then next(folded) else highest p in players by rank_of(p)
result
    winners = best
    returns p = if p == best then paid[next(p)] else 0 - paid[p]
"""

AUCTION = """cardgame 1
game "Auction"
    players 3..4
    at most 60 decisions
enum Suit: red "R", blue "B"
card Plain(suit: Suit, rank: 1..5) written "{suit}{rank}"
deck in stock
    1 of each Plain
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    won[player]:  cards, seen by all
state
    high: 0..5 = 0
    bidder: player = player 1
    passed[player]: boolean = false
play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    in turn p in players from player 2 where not passed[p]
        p chooses
            bid n from 1..5 where n > high
                high = n
                bidder = p
                reopen
            pass
                passed[p] = true
    if high > 0
        deal 1 from stock to won[bidder]
        show hand[bidder] to all
result
    winners = all p in players where p == bidder and high > 0
"""


@pytest.fixture(scope="module")
def kuhn() -> Game:
    """Return Kuhn poker, as a spec."""
    return load_text(KUHN)


def ends(state: State) -> list[State]:
    """Return all terminal states of a play that goes on from here, chance and decisions alike."""
    if state.is_terminal():
        return [state]
    found = []
    for action in [o for o, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        found.extend(ends(child))
    return found


def returns_of(deal: list[int], moves: str) -> list[float]:
    """Return what OpenSpiel's `kuhn_poker` pays: `p` is check or fold, `b` bet or call."""
    better = 0 if deal[0] > deal[1] else 1
    stake, winner = {"pp": (1, better), "bb": (2, better), "pbb": (2, better), "bp": (1, 0), "pbp": (1, 1)}[moves]
    return [float(stake if p == winner else -stake) for p in (0, 1)]


def test_kuhn_poker_has_its_thirty_ends_and_pays_as_elsewhere(kuhn: Game) -> None:
    found = ends(kuhn.new_initial_state())
    assert len(found) == 30
    seen = set()
    for state in found:
        items = state.history()
        deal = [item for who, item in items if who == -1]
        texts = [kuhn.texts.action(item) for who, item in items if who >= 0 and isinstance(item, int)]
        moves = "".join("b" if text in ("bet", "call") else "p" for text in texts)
        assert all(isinstance(card, int) for card in deal)
        seen.add((tuple(deal), moves))
        assert state.returns() == returns_of([c for c in deal if isinstance(c, int)], moves)
    assert len(seen) == 30


def test_in_kuhn_poker_the_third_card_is_never_drawn(kuhn: Game) -> None:
    for state in ends(kuhn.new_initial_state()):
        assert sum(1 for who, _ in state.history() if who == -1) == 2


def test_kuhn_poker_has_twelve_information_states(kuhn: Game) -> None:
    found = set()

    def visit(state: State) -> None:
        if state.is_terminal():
            return
        if state.is_chance_node():
            choices = [o for o, _ in state.chance_outcomes()]
        else:
            found.add((state.current_player(), state.information_state_string(state.current_player())))
            choices = state.legal_actions()
        for action in choices:
            child = state.clone()
            child.apply_action(action)
            visit(child)

    visit(kuhn.new_initial_state())
    assert len(found) == 12


def test_an_auction_goes_round_until_all_but_one_have_passed() -> None:
    state = load_text(AUCTION, 3).new_initial_state()
    settle(state)
    said = []
    for text in ("bid 1", "pass", "bid 2", "bid 4", "pass"):
        said.append(state.current_player())
        do(state, text)
    assert said == [1, 2, 0, 1, 0]
    assert state.is_terminal()
    assert values(state)["bidder"] == 1


def test_reopen_reaches_all_other_players_once() -> None:
    state = start(
        'game "Small"\n    players 4\nphase ask\n    in turn p in players from player 3\n        p chooses\n'
        "            raise_it only if a < 2\n                a += 1\n                reopen\n            stay\n"
    )
    order = []
    for text in ("raise_it", "stay", "raise_it", "stay", "stay", "stay"):
        order.append(state.current_player())
        do(state, text)
    # Seats 3, 4 and 1; the raise of 1 lets 2, 3 and 4 be due, each once.
    assert order == [2, 3, 0, 1, 2, 3]
    assert state.is_terminal()


def test_where_is_evaluated_when_a_turn_comes() -> None:
    state = start(
        "state\n    a, b: integer = 0\n    out[player]: boolean = false\n"
        'game "Small"\n    players 3\nphase ask\n    in turn p in players where not out[p]\n        p chooses\n'
        "            shut_out q from players\n                out[q] = true\n            stay\n"
    )
    do(state, "shut_out 2")
    assert state.current_player() == 2
    do(state, "stay")
    assert state.is_terminal()


def test_a_player_who_is_passed_over_decides_again_only_after_a_reopening() -> None:
    fragment = (
        "state\n    a, b: integer = 0\n    out[player]: boolean = false\n"
        'game "Small"\n    players 3\nplay\n    out[player 1] = true\n    ask\n'
        "phase ask\n    in turn p in players where not out[p]\n        p chooses\n"
        "            let_in q from players\n                out[q] = false\n{more}            stay\n"
    )
    state = start(fragment.format(more=""))
    assert state.current_player() == 1
    do(state, "let_in 1", "stay")
    assert state.is_terminal()
    state = start(fragment.format(more="                reopen\n"))
    do(state, "let_in 1")
    assert state.current_player() == 2
    do(state, "stay")
    assert state.current_player() == 0


def test_nobody_due_means_no_turn_at_all() -> None:
    state = start("phase ask\n    in turn p in players where a > 3\n        p chooses\n            stay\n"
                  "    player 2 chooses\n        pass\n")  # fmt: skip
    assert (state.current_player(), legal(state)) == (1, ["pass"])


def test_turns_are_nested_and_reopen_belongs_to_the_inner_ones() -> None:
    state = start(
        "phase ask\n    in turn p in players\n        in turn q in players from p\n            q chooses\n"
        "                once_more only if a == 0\n                    a += 1\n                    reopen\n"
        "                stay\n        b += 1\n"
    )
    order = []
    for text in ("stay", "once_more", "stay", "stay", "stay"):
        order.append(state.current_player())
        do(state, text)
    assert order == [0, 1, 0, 1, 0]
    assert state.is_terminal()
    assert values(state)["b"] == 2


@pytest.mark.parametrize(
    ("more", "order"),
    [
        ("    reopen\n", [0, 1, 0]),
        ("    reopen\n    end ask\n", [0, 1, 0]),  # The phase that is left hands it on.
        ("    in turn r in players: nod\nphase nod\n    if b == 0: reopen\n    b = 1\n", [0, 1]),  # Of turns inside.
    ],
)
def test_reopen_in_a_called_phase_belongs_to_the_turns_that_run(more: str, order: list[int]) -> None:
    state = start(
        "play\n    in turn p in players: ask(p)\nphase ask(p: player)\n    p chooses\n"
        "        once_more only if a == 0\n            a += 1\n            more\n        stay\n"
        f"phase more\n{more}"
    )
    found = []
    for text in ("stay", "once_more", "stay")[: len(order)]:
        found.append(state.current_player())
        do(state, text)
    assert found == order
    assert state.is_terminal()


def test_turns_can_be_left_by_ending_the_phase() -> None:
    state = start(
        "play\n    for n in 1..2: ask\nphase ask\n    in turn p in players\n        p chooses\n"
        "            knock\n                end ask\n            stay\n"
    )
    do(state, "knock")
    assert state.current_player() == 0
    do(state, "stay", "knock")
    assert state.is_terminal()


def test_clones_in_the_middle_of_turns_go_their_own_ways() -> None:
    state = load_text(AUCTION, 4).new_initial_state()
    settle(state)
    do(state, "bid 2")
    other = state.clone()
    do(other, "bid 5", "pass", "pass", "pass")
    assert other.is_terminal()
    assert state.current_player() == 2
    assert state.game.deserialize_state(state.serialize()) == state


INSIDE = """scenarios 1 of "small.cardgame"

scenario "the first of the turns"
    start ask
    given out[player 2] = true
    player 1 does open_again
    expect player 3 to act
    player 3 does stay
    expect a == 1
    expect game over

scenario "the turn of another"
    start ask(player 3)
    player 3 does open_again
    player 1 does stay
    player 2 does stay
    expect game over
"""


def test_a_scenario_can_start_in_the_middle_of_turns(tmp_path: Path) -> None:
    (tmp_path / "small.cardgame").write_text(
        spec(
            "state\n    a, b: integer = 0\n    out[player]: boolean = false\n"
            'game "Small"\n    players 3\nplay\n    in turn p in players where not out[p]: ask(p)\n'
            "phase ask(p: player)\n    p chooses\n        open_again only if a == 0\n            a += 1\n"
            "        stay\n"
        )
    )
    results = run_source(Source("it.scenarios", INSIDE), tmp_path)
    assert [(r.name, r.failure.message if r.failure else "") for r in results] == [
        ("the first of the turns", ""),
        ("the turn of another", ""),
    ]


@pytest.mark.parametrize("text", [KUHN, AUCTION], ids=["kuhn", "auction"])
def test_fuzzing_turns_finds_nothing(text: str) -> None:
    report = fuzz(load_text(text), 8, seed=1)
    assert report.failure is None
    assert dict(report.terminations) == {"finished": 8}
