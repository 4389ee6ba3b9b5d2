"""The scheduler of analyses: one at a time, the newest text first, and only those that a request still needs.

One thread analyses.  A change of a text ends the analysis that goes on (`SupersededError`), so there is never a queue:
each round takes the newest texts.  First comes the form of the changed texts, which is never given up; then their
meaning, and that of open texts that use them; after half a second without a change all settings.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TypeVar

import attrs

from grammar.diagnostics import Diagnostic
from grammar.source import Source, Span
from interpreter.analysis.budget import SupersededError
from interpreter.editor.workspace import Snapshot, Workspace

QUIET = 0.5
"""Seconds without a change before all settings are checked."""
PATIENCE = 0.3
"""Seconds that a request waits for the meaning of the newest text."""

log = logging.getLogger(__name__)

_Result = TypeVar("_Result")

Publish = Callable[[str, Source, list[Diagnostic]], None]
"""Shows the diagnostics of a file: its path, its text, and all of them."""


class Analyst:
    """Analyses the open texts of a workspace and publishes their diagnostics."""

    def __init__(self, workspace: Workspace, publish: Publish, on_quiet: Callable[[], None]) -> None:
        self.workspace = workspace
        self.publish = publish
        self.on_quiet = on_quiet
        self._thread = ThreadPoolExecutor(1, "analysis")
        self._changed: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._checked = asyncio.Condition()
        self._waiting = 0
        self._shown: dict[str, tuple[Source, list[Diagnostic]]] = {}
        self._meaning: dict[str, Snapshot] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to analyse what changes, in the running loop."""
        self._task = asyncio.ensure_future(self._rounds())

    def stop(self) -> None:
        """End all analysis."""
        self._wake.set()
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def changed(self, path: str) -> None:
        """Note that a text has changed."""
        self._changed.pop(path, None)
        self._changed[path] = None
        self._wake.set()

    def closed(self, path: str) -> None:
        """Forget what is shown of a text."""
        self._changed.pop(path, None)
        self._shown.pop(path, None)
        self._meaning.pop(path, None)

    async def snapshot(self, path: str) -> Snapshot:
        """Return what is known of a text, after a short wait for its meaning if that is under way.

        Where it takes longer the names that were declared before the last changes stand in.
        """
        deadline = asyncio.get_running_loop().time() + PATIENCE
        async with self._checked:
            while not self._is_ready(path):
                left = deadline - asyncio.get_running_loop().time()
                if left <= 0:
                    break
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._checked.wait(), left)
        known = self.workspace.snapshots.get(path)
        if known is None or known.source is not self.workspace.source(path):
            known = await self.run(self.workspace.form, path)
        before = self._meaning.get(path)
        if known.is_checked or before is None:
            return known
        return attrs.evolve(known, whole=before.whole, info=before.info, rules=before.rules, paths=before.paths)

    async def run(self, work: Callable[..., _Result], *args: object) -> _Result:
        """Return the result of a function that the analysing thread calls; all settings can wait for it."""
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *args))
        finally:
            self._waiting -= 1

    def _is_ready(self, path: str) -> bool:
        known = self.workspace.snapshots.get(path)
        return known is not None and known.is_checked and known.source is self.workspace.source(path)

    # ---- rounds

    async def _rounds(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._round()
            except Exception:
                log.exception("a round of the analysis failed")  # The next change begins another.
            while not self._wake.is_set() and not await self._all_settings():
                await asyncio.sleep(0)

    async def _round(self) -> None:
        """Analyse what has changed, as far as nothing changes again."""
        for path in reversed([*self._changed]):
            snapshot = await self._in_thread(self.workspace.form, path)
            if snapshot is not None and not snapshot.is_checked:
                self._show_form(snapshot)
        todo = [*reversed(self._changed)]
        open_ = [path for path in self.workspace.buffers if path not in self._changed]
        for path in (*todo, *open_):
            if self._wake.is_set():
                return
            snapshot = await self._in_thread(partial(self.workspace.check, is_superseded=self._wake.is_set), path)
            if snapshot is None:
                if self._wake.is_set():
                    return
                continue
            self._changed.pop(path, None)
            if snapshot.info is not None:
                self._meaning[path] = snapshot
            self._show(snapshot)
            async with self._checked:
                self._checked.notify_all()

    async def _all_settings(self) -> bool:
        """Check the open texts in all settings after a while without changes; say whether that is done."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), QUIET)
            return True
        for path in [*self.workspace.buffers]:
            snapshot = self.workspace.snapshots.get(path)
            if snapshot is None or snapshot.validation is not None:
                continue
            found = await self._in_thread(self._check_settings, path)
            if self._wake.is_set():
                return True
            if found is None:
                return False
            self._show(found)
        self.on_quiet()
        return True

    def _check_settings(self, path: str) -> Snapshot:
        def given_up() -> bool:
            return self._wake.is_set() or self._waiting > 0

        snapshot = self.workspace.check_settings(path, given_up)
        assert snapshot.book is not None or snapshot.rules is None  # The rulebook is written here, for the same reason.
        return snapshot

    async def _in_thread(self, work: Callable[[str], Snapshot], path: str) -> Snapshot | None:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work, path)
        except (SupersededError, OSError):
            return None
        except Exception:
            log.exception("the analysis of %s failed", path)
            return None

    # ---- what is shown

    def _show_form(self, snapshot: Snapshot) -> None:
        """Show the mistakes of form of a new text, and of the old diagnostics those of meaning, at their new places."""
        source, found = self._shown.get(snapshot.path, (snapshot.source, []))
        kept = [d for d in found if not d.code.startswith("CG1")]
        kept = [d for d in shifted(kept, source, snapshot.source) if not _on_same_line(d, snapshot.form)]
        if snapshot.form or snapshot.path in self._shown:
            self._publish(snapshot.path, snapshot.source, [*snapshot.form, *kept])

    def _show(self, snapshot: Snapshot) -> None:
        if self.workspace.buffers.get(snapshot.path) is snapshot.source:
            self._publish(snapshot.path, snapshot.source, list(snapshot.diagnostics()))

    def _publish(self, path: str, source: Source, found: list[Diagnostic]) -> None:
        if self._shown.get(path) == (source, found):
            return
        self._shown[path] = source, found
        self.publish(path, source, found)


def _on_same_line(diagnostic: Diagnostic, others: tuple[Diagnostic, ...]) -> bool:
    return any(diagnostic.span.line == other.span.line for other in others)


def shifted(diagnostics: list[Diagnostic], old: Source, new: Source) -> list[Diagnostic]:
    """Return diagnostics of an old text at their places in a new one, without those where it has changed."""
    before = 0
    most = min(len(old.text), len(new.text))
    while before < most and old.text[before] == new.text[before]:
        before += 1
    after = 0
    while after < most - before and old.text[len(old.text) - 1 - after] == new.text[len(new.text) - 1 - after]:
        after += 1
    moved = len(new.text) - len(old.text)
    made = []
    for diagnostic in diagnostics:
        span = diagnostic.span
        if span.end <= before:
            move = 0
        elif span.start >= len(old.text) - after:
            move = moved
        else:
            continue
        made.append(attrs.evolve(diagnostic, span=Span(new, span.start + move, span.end + move), cure=diagnostic.help))
    return made
