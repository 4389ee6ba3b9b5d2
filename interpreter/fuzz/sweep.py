"""Fuzz a spec in a covering array of its settings, in several processes if requested, with the same result for any
number.

The settings are those of `validate` (`interpreter.validate.settings`).  The playouts are shared among them evenly.  The
work is cut into pieces in a fixed order; the report joins what the pieces found up to the first that failed, so that it
is the same however many of them were carried out at a time.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import groupby, islice
from multiprocessing import get_context
from pathlib import Path
from threading import current_thread, main_thread

import attrs

from interpreter.engine.game import Game
from interpreter.fuzz.checks import Account
from interpreter.fuzz.fuzz import Report, account_of, fuzz
from interpreter.fuzz.time_limit import TimeLimit
from interpreter.loader import load
from interpreter.setting import Setting, Signature, Value
from interpreter.validate import settings

MOST_SETTINGS = 60
"""Settings that one run plays at most: each has to be compiled."""

MOST_TRIED = 2 * MOST_SETTINGS
"""Settings that are drawn up at most, some of them the same."""

MOST_COUNTED = 10
"""Settings that are left out up to which these are counted: each takes as long to find as one that is played."""

PIECE = 25
"""Playouts of one piece of work."""


@attrs.frozen
class Piece:
    """Playouts of one setting, numbered from `first`."""

    setting: Setting
    first: int
    count: int


@attrs.define
class Sweep:
    """A run over settings of a spec: `pieces` in their order, and what they have found so far.

    `left_out` is how many settings of the covering array are not played, since there are fewer playouts or too many
    settings; None where these are too many to be counted.  `bounded` is false where checks may cost what they will.
    `seconds` is the CPU time that each process may take, divided among the settings; None without a limit.  `stopped`
    says that the run was interrupted.
    """

    spec: str | Path
    seed: int
    playouts: int
    pieces: tuple[Piece, ...]
    left_out: int | None = 0
    bounded: bool = True
    seconds: float | None = None
    report: Report | None = None
    done: int = 0
    stopped: bool = False

    def run(self, jobs: int = 1, on_progress: Callable[[int], None] | None = None) -> Report:
        """Play until the first failure or the end of the time; `on_progress` is called with how many playouts are done.

        Ctrl-C ends the run, with the report of what was done until then.  Raises SpecError where the spec is not sound.
        """
        try:
            if jobs == 1 or len(self.pieces) == 1:
                self._alone(on_progress)
            else:
                self._together(jobs, on_progress)
        except KeyboardInterrupt:
            if self.report is None:
                raise
            self.stopped = True
        assert self.report is not None
        return self.report

    def _alone(self, on_progress: Callable[[int], None] | None) -> None:
        limit, left = TimeLimit.after(self.seconds), self.playouts
        for setting, group in groupby(self.pieces, lambda piece: piece.setting):
            if self.report is not None and limit.over:
                return
            pieces = list(group)
            count = sum(piece.count for piece in pieces)
            own, left = limit.part(count / left), left - count
            game = _game(self.spec, setting)
            for piece in pieces:
                if piece is not pieces[0] and own.over:
                    break
                if self._one(game, piece, own, on_progress).failure is not None:
                    return

    def _account(self) -> Account:
        return account_of(self.playouts, bounded=self.bounded)

    def _one(self, game: Game, piece: Piece, limit: TimeLimit, on_progress: Callable[[int], None] | None) -> Report:
        """Carry out one piece of work in this process."""
        report = Report.of(game, self.seed, self._account())
        note = None if on_progress is None else partial(_noted, on_progress, self.done)
        try:
            fuzz(game, piece.count, self.seed, piece.first, note, report=report, limit=limit)
        finally:
            self._join(report)
        return report

    def _together(self, jobs: int, on_progress: Callable[[int], None] | None) -> None:
        """Run the pieces in processes, and join their reports in the order of the pieces."""
        seconds = None if self.seconds is None else self.seconds * jobs / self.playouts
        tasks = [
            (self.spec, piece, self.seed, self._account(), seconds and seconds * piece.count) for piece in self.pieces
        ]
        with without_interrupts():
            workers = get_context("spawn").Pool(jobs)
        with workers as pool:
            for report in pool.imap(_play, tasks):
                self._join(report)
                if on_progress is not None:
                    on_progress(self.done)
                if report.failure is not None:
                    return

    def _join(self, report: Report) -> None:
        self.done += report.playouts
        if self.report is None:
            self.report = report
        else:
            self.report.join(report)


def sweep(
    spec: str | Path,
    signature: Signature,
    playouts: int,
    seed: int,
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    only: int | None = None,
    seconds: float | None = None,
) -> Sweep:
    """Return a run that is planned: for a number of players and values of options, where they are given.

    Each process may take so many `seconds` of CPU time.
    `only` is the number of the one playout that is made, as thoroughly as can be, so that it fails again if it failed
    among others.
    Raises SettingError for what the game does not have.
    """
    coming = _different(signature, players, options)
    first, playouts = (0, playouts) if only is None else (only, 1)
    played = list(islice(coming, min(playouts, MOST_SETTINGS)))
    left_out = len(list(islice(coming, MOST_COUNTED)))
    pieces: list[Piece] = []
    for number, setting in enumerate(played):
        count = playouts // len(played) + (number < playouts % len(played))
        pieces += [
            Piece(setting, begin, min(PIECE, first + count - begin)) for begin in range(first, first + count, PIECE)
        ]
    counted = left_out if left_out < MOST_COUNTED else None
    return Sweep(spec, seed, playouts, tuple(pieces), counted, only is None, seconds)


def _different(signature: Signature, players: int | None, options: Mapping[str, Value] | None) -> Iterator[Setting]:
    """Yield settings that differ, each when it is wanted."""
    seen: set[Setting] = set()
    for setting, _ in islice(settings(signature, players, options), MOST_TRIED):
        if setting not in seen:
            seen.add(setting)
            yield setting


def _game(spec: str | Path, setting: Setting) -> Game:
    return load(spec, setting.players, dict(setting.options))


def _play(task: tuple[str | Path, Piece, int, Account, float | None]) -> Report:
    """Carry out one piece of work, in a process of its own."""
    spec, piece, seed, account, seconds = task
    limit = TimeLimit.after(seconds)
    game = _game(spec, piece.setting)
    return fuzz(game, piece.count, seed, piece.first, report=Report.of(game, seed, account), limit=limit)


def _noted(on_progress: Callable[[int], None], before: int, done: int) -> None:
    on_progress(before + done)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Let processes that are begun leave Ctrl-C to this one."""
    if current_thread() is not main_thread():
        yield  # Only there can signals be dealt with, and only it gets them.
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
