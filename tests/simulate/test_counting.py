"""What C counts of a play, Python counts too: the same numbers for the same play."""

from __future__ import annotations

import pytest

from interpreter import load, load_text
from interpreter.native.plays import NativeGame
from interpreter.simulate import collecting
from interpreter.simulate.counts import MOST_VALUES, Counts, rounded
from interpreter.simulate.recording import CountedGame, Layout
from interpreter.simulate.report import report_of
from interpreter.simulate.running import RANDOM, Run, Work, play_block
from tests.simulate.lockstep import Told, counted_again

KINDS = {
    "classics/kuhn_poker": 20,  # stakes
    "classics/hearts": 1,  # decisions at once, sets of cards, lowest wins
}
MORE = (
    "classics/love_letter",
    "chalice_and_wand",
    "wizards_duel",
    "arcanity",
    "wizards_grimoire",
    "classics/go_fish",
    "classics/leduc_poker",
)


@pytest.mark.parametrize("name", KINDS)
def test_c_and_python_count_a_play_alike(name: str) -> None:
    _compare(name, KINDS[name])


@pytest.mark.soak
@pytest.mark.parametrize("name", [*KINDS, *MORE])
def test_c_and_python_count_many_plays_alike(name: str) -> None:
    _compare(name, 40)


def _compare(name: str, plays: int) -> None:
    game = load(name)
    native, layout = CountedGame(game), Layout(game)
    recorder = Told(layout)
    totals, rows = native.counted(layout, 7, 0, plays)
    for number, row in enumerate(rows):
        again = counted_again(native, recorder, 7, number)
        seen = len(again.numbers) - game.num_players  # The second play of the deal is C's alone.
        assert (again.outcome, again.length) == (row.outcome, row.length)
        assert list(again.numbers[:seen]) == list(row.numbers[:seen])
    for part, place in layout.parts.items():
        assert recorder.totals[place] == totals[place], part


@pytest.mark.parametrize("name", KINDS)
def test_counted_plays_are_the_plays_that_nobody_counts(name: str) -> None:
    game = load(name)
    native = CountedGame(game)
    _, counted = native.counted(Layout(game), 3, 0, 50)
    rows, _ = NativeGame.of(game).playouts(3, 50)
    width = NativeGame.of(game).row
    plain = [list(rows[start : start + width]) for start in range(0, len(rows), width)]
    assert [row.length for row in counted] == [row[1] for row in plain]
    assert [row.outcome for row in counted] == list(NativeGame.of(game).outcomes(plain))


def test_random_playouts_record_the_length_and_the_end_of_each_play() -> None:
    for native in (False, True):
        plays = load("classics/kuhn_poker", native=native).random_playouts(30, 1)
        assert len(plays.lengths) == len(plays.outcomes) == 30
        assert sum(plays.lengths) == plays.decisions
        assert set(plays.lengths) == {2, 3}


LONG = """\
cardgame 1
game "Too Long"
    players 2
    at most 6 decisions
card Plain(number: 1..2) written "{number}"
deck in bag
    1 of each Plain
zones
    bag: pile, seen by nobody
state
    turns: 0..100 = 0
play
    repeat one_turn until turns == 50
phase one_turn
    for p in players
        if turns < 50
            p chooses
                wait: turns += 1
                stop: turns = 50
result
    score p = turns
"""


def test_plays_that_reach_the_limit_are_counted_as_cut_off() -> None:
    game = load_text(LONG)
    for native in (True, False):
        work = Work.of(game, [RANDOM] * 2, 1, native=native)
        counts = play_block(work, 0, 200)
        # Nobody has stopped before the sixth decision in about one play of 32.
        assert 0 < counts.ends["too long"] < 30
        assert counts.ends["too long"] + counts.ends["finished"] == counts.plays == 200
        # Nobody wins these: all seats have equal parts.
        assert all(shares[0] == shares[1] for shares in counts.shares)


def test_counts_of_python_and_c_are_of_one_distribution() -> None:
    game = load("classics/kuhn_poker")
    runs = []
    for native in (True, False):
        run = Run.of(game, Work.of(game, [RANDOM] * 2, 1, native=native), 1000)
        run.carry_out()
        runs.append(report_of(game, run))
    for name, tolerance in (("length", 0.2), ("choices", 0.1), ("seat", 0.15), ("rules", 0.1)):
        for here, there in zip(*(r.section(name).lines for r in runs), strict=False):
            if here.name == there.name and here.unit != "chance":
                assert here.value == pytest.approx(there.value, abs=tolerance), (name, here.name)


def test_counts_are_written_and_read_without_loss() -> None:
    game = load("classics/kuhn_poker")
    counts = play_block(Work.of(game, [RANDOM] * 2, 1), 0, 60)
    assert Counts.read(counts.data()) == counts


def test_histograms_are_exact_while_they_are_small() -> None:
    counts = Counts([])
    counts.note("score", [3071, 1025, -100_003])
    assert counts.histograms["score"] == {3071: 1, 1025: 1, -100_003: 1}


def test_a_lead_that_is_lost_after_the_last_turn_is_a_lead_change() -> None:
    parts = [0] * (collecting.TOTALS + 1)
    for leaders, winners, changes in (
        ([1], 2, 1),
        ([1, 2], 2, 1),
        ([1, 2], 1, 2),
        ([3], 2, 0),
        ([1], 3, 0),
        ([1], 0, 0),
    ):
        play = [0] * (collecting.SEATS + 2 * collecting.LISTS)
        collecting.begin_play(play, 2)
        for turn, bits in enumerate(leaders):
            collecting.count_turn(play, 2, turn % 2, bits)
        collecting.end_play(play, [], parts, winners)
        assert play[collecting.CHANGES] == changes, (leaders, winners)


def test_numbers_are_rounded_to_the_nearest_with_ten_digits() -> None:
    assert [rounded(n) for n in (0, 1023, -1023, 1025, 1026, 1027, 2047, -2049)] == [
        0, 1023, -1023, 1024, 1026, 1028, 2048, -2048,
    ]  # fmt: skip
    assert all(abs(rounded(n) - n) <= n / 1024 for n in range(1, 100_000, 37))


def test_large_histograms_are_the_same_in_any_order_of_plays() -> None:
    values = [[*range(first, 100_000, step)] for first, step in ((0, 25), (7, 30), (3, 10))]

    def counted(*numbers: list[int]) -> Counts:
        counts = Counts([])
        for some in numbers:
            part = Counts([])
            part.note("score", some)
            counts.join(part)
        return counts

    whole = counted(*values)
    assert whole == counted(*reversed(values)) == counted([n for some in values for n in some])
    assert len(whole.histograms["score"]) < MOST_VALUES
    assert sum(whole.histograms["score"].values()) == sum(map(len, values))
    assert Counts.read(whole.data()) == whole
