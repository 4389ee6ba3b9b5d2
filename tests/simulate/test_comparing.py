"""A comparison ends with a verdict that holds what it promises, and is the same for any number of workers."""

from __future__ import annotations

import math
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from interpreter import load
from interpreter.simulate.comparing import (
    STATISTICS,
    Comparison,
    Pairs,
    SequentialTest,
    Verdict,
    compare,
    compare_several,
)
from interpreter.simulate.running import RANDOM, Work
from tests.simulate.test_seeded import PLAIN, UNFAIR, seeded_game


def _verdicts(trials: int, share: float | None, difference: float, within: float) -> Counter[str]:
    """Return the verdicts on pairs that differ so: of shares around one, or else of numbers of spread 1 (in parts)."""
    rng, found = random.Random(3), Counter[str]()
    parts = 1000
    for _ in range(trials):
        test, pairs, verdict = SequentialTest(within * parts, parts if share is not None else 0), Pairs(), None
        while verdict is None and pairs.n < 20_000:
            for _ in range(100):
                if share is None:
                    d = round(parts * rng.gauss(difference, 1))
                    pairs.n, pairs.difference, pairs.squares = pairs.n + 1, pairs.difference + d, pairs.squares + d * d
                    pairs.furthest = max(pairs.furthest, abs(d))
                else:
                    pairs.add(parts * (rng.random() < share), parts * (rng.random() < share + difference))
            verdict = test.evaluate(pairs)
        found["undecided" if verdict is None else verdict.value] += 1
    return found


def _most(trials: int) -> float:
    """Return how many wrong verdicts of 5 % are no surprise: three standard deviations."""
    return 0.05 * trials + 3 * math.sqrt(trials * 0.05 * 0.95)


CASES = ((None, 0.2), (0.5, 0.1), (0.05, 0.05))


@pytest.mark.parametrize(("share", "within"), CASES)
def test_equal_games_are_rarely_called_different_and_different_ones_rarely_equal(
    share: float | None, within: float
) -> None:
    _check(40, share, within)


@pytest.mark.soak
@pytest.mark.parametrize(("share", "within"), [*CASES, (None, 0.05), (0.5, 0.02), (0.01, 0.02)])
def test_verdicts_err_in_one_of_twenty_at_most(share: float | None, within: float) -> None:
    _check(1000, share, within)


def _check(trials: int, share: float | None, within: float) -> None:
    same = _verdicts(trials, share, 0, within)
    assert same["more"] + same["less"] <= _most(trials)
    assert same["equal"] >= 0.8 * trials
    apart = _verdicts(trials, share, within, within)
    assert apart["equal"] + apart["less"] <= _most(trials)
    assert apart["more"] >= 0.8 * trials


def _works(*sides: int) -> list[Work]:
    games = [load("wizards_duel", options={"sides": count}) for count in sides]
    return [Work.of(game, [RANDOM] * 2, 1) for game in games]


def _said(found: Comparison) -> tuple[Verdict, Pairs]:
    return found.verdict, found.pairs


def test_two_games_are_compared_with_few_plays() -> None:
    long, short = (Work.of(seeded_game(parts), [RANDOM] * 2, 1) for parts in (PLAIN, UNFAIR))
    found = compare(short, long, STATISTICS["length"], 2, 5000)
    assert found.verdict is Verdict.MORE
    assert found.pairs.n == 100
    back = compare(long, short, STATISTICS["length"], 2, 5000)
    assert back.verdict is Verdict.LESS
    assert back.pairs.difference == -found.pairs.difference
    fair = compare(long, short, STATISTICS["first"], 0.05, 20_000)
    assert fair.verdict is Verdict.MORE
    few = compare(long, short, STATISTICS["last"], 0.001, 300)
    assert (few.verdict, few.pairs.n) == (Verdict.UNDECIDED, 300)


@pytest.mark.soak
def test_two_dice_are_compared_on_length_and_on_ties_with_few_plays() -> None:
    small, great = _works(12, 20)
    longer = compare(small, great, STATISTICS["length"], 2, 5000)
    assert longer.verdict is Verdict.MORE
    assert longer.pairs.n <= 500
    alike = compare(small, great, STATISTICS["ties"], 0.02, 5000)
    assert alike.verdict is Verdict.EQUAL
    assert alike.pairs.n <= 3000


def test_a_game_is_as_much_as_itself_and_its_pairs_do_not_differ() -> None:
    work = Work.of(load("classics/kuhn_poker"), [RANDOM] * 2, 1)
    found = compare(work, work, STATISTICS["length"], 1, 1000)
    assert found.verdict is Verdict.EQUAL
    assert found.pairs.squares == 0


def test_any_number_of_workers_gives_the_same_verdict_from_the_same_plays() -> None:
    one, two = (Work.of(load("classics/kuhn_poker"), [RANDOM] * 2, seed) for seed in (1, 2))
    alone = _said(compare(one, two, STATISTICS["length"], 0.1, 5000))
    for workers in (2, 8):
        found = compare(one, two, STATISTICS["length"], 0.1, 5000, lambda n=workers: ThreadPoolExecutor(n))  # type: ignore[misc]
        assert _said(found) == alone


def test_of_several_values_each_has_a_verdict_that_is_corrected_for_the_others() -> None:
    first, other = (Work.of(seeded_game(parts), [RANDOM] * 2, 1) for parts in (UNFAIR, PLAIN))
    near, far = compare_several(first, [first, other], STATISTICS["length"], 1, 400)
    assert (near.verdict, far.verdict) == (Verdict.EQUAL, Verdict.MORE)
    assert near.p_value is not None
    assert far.p_value is not None
    assert far.p_value < 0.001 < near.p_value


def test_a_difference_that_does_not_matter_is_no_question() -> None:
    work = Work.of(load("classics/kuhn_poker"), [RANDOM] * 2, 1)
    with pytest.raises(ValueError, match="above 0"):
        compare(work, work, STATISTICS["length"], 0, 100)
