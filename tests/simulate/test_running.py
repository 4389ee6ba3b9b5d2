"""A run is the same bytes however many carry it out, and wherever it was interrupted."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path

import pytest

from interpreter import RuleError, load
from interpreter.kept import Kept
from interpreter.sharing import Workers, processes
from interpreter.simulate.report import report_of
from interpreter.simulate.running import RANDOM, Run, Work, play_block
from tests.cli.running import FAULTY, write


def _run(plays: int = 3000) -> Run:
    game = load("classics/kuhn_poker")
    return Run.of(game, Work.of(game, [RANDOM] * 2, 1), plays)


def _bytes(run: Run) -> str:
    return json.dumps(run.counts.data())


def test_one_two_and_eight_workers_give_the_same_bytes() -> None:
    alone = _run()
    alone.carry_out()
    for workers in (2, 8):
        run = _run()
        run.carry_out(lambda workers=workers: ThreadPoolExecutor(workers))  # type: ignore[misc]
        assert _bytes(run) == _bytes(alone)


def test_processes_give_the_same_bytes() -> None:
    alone, run = _run(1000), _run(1000)
    alone.carry_out()
    run.carry_out(processes(1))
    assert _bytes(run) == _bytes(alone)


def test_a_run_that_was_stopped_goes_on_from_its_file(tmp_path: Path) -> None:
    whole = _run()
    whole.carry_out()
    kept = tmp_path / "run.json"
    stopped = _run()
    stopped.carry_out(on_progress=lambda run: run.played >= 1000)
    assert stopped.counts.plays == 1000
    stopped.save(Kept(kept))
    again = _run()
    again.resume(Kept(kept))
    assert again.played == 1000
    again.carry_out()
    assert _bytes(again) == _bytes(whole)


def test_what_is_done_beyond_a_gap_is_kept_too(tmp_path: Path) -> None:
    whole, run, again = _run(), _run(), _run()
    whole.carry_out()
    (_, _), (first, count), *_ = pieces = list(run.pieces())
    assert len(pieces) == 6
    run.add(first, play_block(run.work, first, count))
    assert (run.counts.plays, run.played) == (0, 500)
    run.save(Kept(tmp_path / "run.json"))
    again.resume(Kept(tmp_path / "run.json"))
    assert len(list(again.pieces())) == 5
    again.carry_out()
    assert _bytes(again) == _bytes(whole)


def test_ctrl_c_stops_a_run_with_what_is_done() -> None:
    def interrupted(run: Run) -> None:
        if run.played >= 1000:
            raise KeyboardInterrupt

    run = _run()
    run.carry_out(on_progress=interrupted)
    assert run.stopped
    assert run.counts.plays == 1000


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be blocked here")
def test_ctrl_c_does_not_reach_workers_and_ends_their_pieces() -> None:
    starts: list[set[int]] = []

    class Noting(Workers):
        def _adjust_process_count(self) -> None:
            starts.append(set(signal.pthread_sigmask(signal.SIG_BLOCK, ())))
            super()._adjust_process_count()

    def interrupted(_: Run) -> None:
        raise KeyboardInterrupt

    run = _run(1_000_000)
    run.carry_out(lambda: Noting(1, get_context("spawn")), on_progress=interrupted)
    assert run.stopped
    assert starts
    assert all(signal.SIGINT in mask for mask in starts)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert not active_children()


def test_workers_that_die_are_replaced_and_nothing_is_lost() -> None:
    whole, run = _run(), _run()
    whole.carry_out()
    made: list[Executor] = []

    class Dying(ThreadPoolExecutor):
        def submit(self, fn: Callable[..., object], /, *args: object, **more: object):  # type: ignore[no-untyped-def]
            future = super().submit(fn, *args, **more)
            if len(made) < 3:
                future.result()
                future = type(future)()
                future.set_exception(BrokenExecutor("a worker died"))
            return future

    def executor() -> Executor:
        made.append(Dying(2))
        return made[-1]

    run.carry_out(executor)
    assert len(made) == 3
    assert _bytes(run) == _bytes(whole)


def test_the_fault_of_the_first_play_is_reported_by_any_worker(tmp_path: Path) -> None:
    spec = write(tmp_path / "faulty.cardgame", FAULTY)
    game = load(spec)
    told = []
    for executor in (None, lambda: ThreadPoolExecutor(4)):
        run = Run.of(game, Work.of(game, [RANDOM] * 2, 1, native=False), 60)
        with pytest.raises(RuleError) as fault:
            run.carry_out(executor)
        told.append(str(fault.value))
    assert told[0] == told[1]
    assert "faulty.cardgame:36" in told[0]


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    game = load("classics/kuhn_poker")
    other = Run.of(game, Work.of(game, [RANDOM] * 2, 2), 1000)
    other.save(Kept(kept))
    with pytest.raises(ValueError, match="another seed"):
        Kept(kept).expect(_run().work.digest())
    for text in ("", "[]", '{"run": 1}', "\x00"):
        kept.write_text(text)
        with pytest.raises(ValueError, match="does not keep a run"):
            _run().resume(Kept(kept))
    kept.write_text(json.dumps({"runs": {_run().work.digest(): {"done": 1}}}))
    with pytest.raises(ValueError, match="does not keep a run"):
        _run().resume(Kept(kept))
    kept.unlink()
    long = _run()
    long.carry_out()
    long.save(Kept(kept))
    with pytest.raises(ValueError, match="more than 100 plays"):
        _run(100).resume(Kept(kept))


def test_named_agents_sit_on_all_seats_in_turn_and_strength_shows() -> None:
    game = load("classics/kuhn_poker")
    work = Work.of(game, ["greedy:10", "random"], 1)
    assert not work.native
    assert [work.sitting(number) for number in range(3)] == [
        ("greedy:10", "random"), ("random", "greedy:10"), ("greedy:10", "random"),
    ]  # fmt: skip
    run = Run.of(game, work, 16)
    run.carry_out()
    report = report_of(game, run)
    wins = {line.name: line for line in report.section("luck").lines}
    assert wins["wins of greedy:10"].value == pytest.approx(1 - (wins["wins of random"].value or 0))
    assert wins["wins of greedy:10"].n == 16
    assert "best choice above average choice" in {line.name for line in report.section("choices").lines}
    assert report.agents == "the agents greedy:10 and random, who change seats from play to play"
    again = Run.of(game, work, 16)
    again.carry_out(lambda: ThreadPoolExecutor(2))
    assert _bytes(again) == _bytes(run)
