"""The loop of `cardgame watch`: wait for changes of a spec, and report the effect of each."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from cli.arguments import HUMAN
from cli.commands.test import report_scenarios, run_scenarios
from cli.terminal.paint import Painter
from cli.terminal.screen import PROGRESS_LINE, make_console, say, wants_color, write_painted
from cli.terminal.table import TableDrawing
from grammar.english import counted
from grammar.printable import in_line
from grammar.render import render_full
from interpreter.analysis.budget import SupersededError
from interpreter.editor.workspace import Snapshot, Workspace
from interpreter.engine.faults import RuleError
from interpreter.engine.game import State
from interpreter.loader import load
from interpreter.records.autosave import resumable
from interpreter.records.saves import Save, carry_over
from interpreter.records.session import resolve_from_seed
from interpreter.scenarios.scenario import SEED, scenario_files
from interpreter.setting import SettingError
from interpreter.table.information import information_state
from interpreter.table.view import view

if TYPE_CHECKING:
    from cli.junit import Ran
    from cli.serve.running import WatchedTable

PAUSE = 0.2
"""Seconds between two looks at the files."""

_NEXT_FAULT = "what follows breaks a rule: {}"

Stamp = tuple[tuple[str, int, int], ...]
"""The names, times and sizes of files."""


@attrs.define
class Watch:
    """Waits for changes of a spec and reports each; `save` is the play to replay, `table` the one in the browser.

    `clears` says that each report begins on an empty screen.
    """

    ctx: click.Context
    path: Path
    save: Save | None
    seat: int | None
    table: WatchedTable | None
    clears: bool
    workspace: Workspace = attrs.field(factory=Workspace)
    seen: Stamp | None = None

    def wait(self) -> bool:
        """Report the next change; the first time the spec as it is.  Say whether nothing is wrong."""
        while True:
            files = _files(self.workspace, str(self.path))
            stamp = _stamp(files)
            if stamp != self.seen and _stamp_after(files, PAUSE / 4) == stamp:
                is_old = partial(_differs, files, stamp)
                report = _Report(
                    self.ctx, self.workspace, self.path, self.save, self.seat, is_old, self.table, self.clears
                )
                fine = report.run()
                # The first report finds out which files the spec uses.
                self.seen = None if is_old() else _stamp(_files(self.workspace, str(self.path)))
                PROGRESS_LINE.interactive = True  # It waits for its user now, and is not at work.
                return fine
            time.sleep(PAUSE)


def _files(workspace: Workspace, path: str) -> list[str]:
    """Return the files to watch: a spec, those that it uses, and its scenarios."""
    known = workspace.snapshots.get(path)
    used = [path] if known is None else [path, *known.paths.values()]
    return sorted({*used, str(Path(path).with_suffix(".scenarios"))})


def _stamp(files: Iterable[str]) -> Stamp:
    made = []
    for name in files:
        try:
            found = os.stat(name)
        except OSError:
            continue  # An editor that writes a new file and renames it leaves a moment without one.
        made.append((name, found.st_mtime_ns, found.st_size))
    return tuple(made)


def _differs(files: Iterable[str], stamp: Stamp) -> bool:
    return _stamp(files) != stamp


def _stamp_after(files: Iterable[str], seconds: float) -> Stamp:
    time.sleep(seconds)
    return _stamp(files)


def _seldom(is_old: Callable[[], bool]) -> Callable[[], bool]:
    """Return a test that looks at the files at most once in a while."""
    last = time.monotonic()

    def test() -> bool:
        nonlocal last
        if time.monotonic() - last < PAUSE:
            return False
        last = time.monotonic()
        return is_old()

    return test


@attrs.define
class _Report:
    """The effects of a change of a spec, part by part; `is_old` says that its files have changed again."""

    ctx: click.Context
    workspace: Workspace
    path: Path
    save: Save | None
    seat: int | None
    is_old: Callable[[], bool]
    table: WatchedTable | None
    clears: bool

    def run(self) -> bool:
        """Write the report; say whether nothing is wrong."""
        name = in_line(self.path.name)
        if self.clears and sys.stdout.isatty():
            write_painted("\x1b[2J\x1b[H")
            name += f", {datetime.now():%H:%M:%S}"
        click.echo(name)
        try:
            snapshot = self.workspace.check_settings(str(self.path), _seldom(self.is_old))
        except SupersededError:
            return False
        except OSError as error:
            click.echo(f"{in_line(str(self.path))}: {error.strerror}", err=True)
            return False
        if not self._diagnostics(snapshot):
            return False
        scenarios = self._scenarios()
        return self._play() and scenarios

    def _diagnostics(self, snapshot: Snapshot) -> bool:
        found = snapshot.validation
        assert found is not None
        if found.diagnostics:
            write_painted(render_full(found.diagnostics, wants_color(self.ctx, sys.stdout)) + "\n")
        if found.sound:
            say(f"valid in {counted(found.settings, 'setting')}", "green")
        return found.sound

    def _scenarios(self) -> bool:
        ran: list[Ran] = []
        for file in scenario_files(self.path):
            for one in run_scenarios(file, None, SEED):
                if self.is_old():
                    return False
                ran.append(one)
        if ran:
            report_scenarios(self.ctx, ran)
        return all(one.result.passed for one in ran)

    def _play(self) -> bool:
        """Replay the current play and show its table; say whether the rules still allow all of it."""
        save = None if self.table is None else self.table.saved()
        save = save or self.save or next((found.save for found in resumable(self.path, running=True)), None)
        if save is None and self.table is not None:
            state = load(self.path).new_initial_state()
            self.table.show(state, 0, 0)
            return True
        if save is None:
            click.echo(f"no play is unfinished; begin one with: cardgame play {in_line(self.path.name)}")
            return True
        try:
            game = load(self.path, save.players, dict(save.options))
        except SettingError as error:
            say(f"the play cannot be replayed: {error}", "red")
            return False
        found = carry_over(save, game)
        whole = counted(len(save.said), "decision")
        if found.divergence:
            reason = found.divergence if found.fault is None else f"{found.divergence}: {found.fault.message}"
            say(f"play: {found.decisions} of {whole}, then the rules differ: {reason}", "red")
            if found.fault is not None:
                click.echo(f"  --> {found.fault.span}")
        else:
            say(f"play: all {whole}", "green")
        if self.table is None:
            self._table(found.state, save)
        elif found.fault is None:
            try:
                self.table.show(found.state, save.seed, found.decisions)
            except RuleError as fault:
                say(_NEXT_FAULT.format(fault.message), "red")
                return False
        return not found.divergence

    def _table(self, state: State, save: Save) -> None:
        """Show the table; chance that waits is answered as the play would answer it."""
        people = [seat for seat, who in enumerate(save.seats) if who == HUMAN]
        seat = self.seat - 1 if self.seat is not None else people[0] if len(people) == 1 else None
        if seat is not None and seat >= state.game.num_players:
            raise click.UsageError(f"there is no seat {seat + 1}; the seats are 1 to {state.game.num_players}")
        try:
            if state.is_chance_node():
                resolve_from_seed(state, save.seed)
        except RuleError as fault:
            say(_NEXT_FAULT.format(fault.message), "red")
            return
        console = make_console(self.ctx, sys.stdout)
        console.print("as everybody sees it:" if seat is None else f"as player {seat + 1} sees it:")
        TableDrawing(Painter(state.game), view(information_state(state, seat), save.called())).draw(console)
        if state.is_terminal():
            console.print("The play is over.")
        else:
            console.print(f"{save.called().of(state.current_player())} is to act.")
