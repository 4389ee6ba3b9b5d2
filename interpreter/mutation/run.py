"""Run mutation tests: a mutant is killed by a scenario or by random plays, or it survives.

A mutant that the checker refuses, or that has the same checked rules as the spec, says nothing about the tests and is
not counted.  Each verdict is kept under the user's cache folder as soon as it is known, so a run that was stopped
continues where it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Literal

import attrs

from grammar import store
from grammar.ast import Spec
from grammar.diagnostics import SpecError
from grammar.fingerprint import compiler
from grammar.parser import parse
from grammar.source import Source, Span, read_source
from interpreter.analysis.budget import MOST_WORK, budget
from interpreter.analysis.files import Files
from interpreter.analysis.rules import Rules
from interpreter.engine.chance import mix
from interpreter.engine.game import Game
from interpreter.fuzz.fuzz import fuzz
from interpreter.loader import assemble, game_of
from interpreter.mutation.mutants import Mutant, mutants
from interpreter.program.dump import CorePrinter, core_text
from interpreter.scenarios.scenario import Result, Suite
from interpreter.setting import SettingError

PLAYS, DECISIONS = 6, 1500
"""Random plays of each mutant that no scenario kills, and the decisions after which no further play begins."""

KEPT = 30
"""How many files of verdicts are kept."""

Outcome = Literal["refused", "equivalent", "killed", "survived"]


@attrs.frozen
class Verdict:
    """The result for a mutant; `by` names the scenario or the check of `fuzz` that killed it."""

    mutant: Mutant
    outcome: Outcome
    by: str = ""

    @property
    def counts(self) -> bool:
        """Whether the mutant counts in the mutation score."""
        return self.outcome in ("killed", "survived")


@attrs.frozen
class Tests:
    """The tests of a spec: its scenarios, and random plays with all checks of `fuzz`."""

    scenarios: tuple[Source, ...]
    folder: Path
    seed: int

    def failed_scenario(self, spec: Spec) -> Result | None:
        """Run the scenarios against a spec and return the first that fails."""

        def loaded(_: object, players: int | None, options: dict[str, Any]) -> Game:
            return game_of(spec, players, options)

        for source in self.scenarios:
            suite = Suite.of(source, self.folder, self.seed, loaded)
            for case in suite.cases:
                result = suite.run(case)
                if not result.passed:
                    return result
        return None

    def failed_check(self, spec: Spec) -> str | None:
        """Play at random and return what the first failing check says."""
        report = fuzz(game_of(spec), PLAYS, self.seed, decisions=DECISIONS)
        return None if report.failure is None else report.failure.problem.check

    def killer(self, spec: Spec) -> str | None:
        """Return the name of the first test that fails; None where the spec passes them all."""
        try:
            failed = self.failed_scenario(spec)
            return self.failed_check(spec) if failed is None else f"scenario “{failed.name}”"
        except (SpecError, SettingError) as error:
            return f"a setting that a scenario plays: {error}"


@attrs.define
class MutationTest:
    """Mutation tests of one spec.

    `number` is how many mutants are to count, `seconds` the time after which no further one begins; `is_late` says
    that the time ended the run.  `verdicts` holds what is known so far, also where the run is interrupted.
    """

    path: Path
    tests: Tests
    number: int
    seconds: float | None = None
    source: Source = attrs.field(init=False)
    is_late: bool = False
    verdicts: list[Verdict] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.source = read_source(self.path)

    @classmethod
    def of(cls, path: Path, scenarios: list[Path], seed: int, number: int, seconds: float | None) -> MutationTest:
        """Return the mutation tests of the spec in a file."""
        tests = Tests(tuple(read_source(file) for file in scenarios), path.parent, seed)
        return cls(path, tests, number, seconds)

    @property
    def counted(self) -> list[Verdict]:
        """The verdicts that say something about the tests."""
        return [verdict for verdict in self.verdicts if verdict.counts]

    @property
    def survivors(self) -> list[Verdict]:
        """The mutants that no test noticed, in the order of the text."""
        found = (verdict for verdict in self.verdicts if verdict.outcome == "survived")
        return sorted(found, key=lambda verdict: verdict.mutant)

    def run(self, on_progress: Callable[[MutationTest], None] | None = None) -> None:
        """Judge mutants until enough count, the time is over, or there are no more.

        The tests must pass without a change (`failing_test`).  Raises SpecError for mistakes in the spec.
        """
        begun = monotonic()
        files = Files()
        rules = _meaning(game_of(self._assembled(self.source, files)).rules)
        memory = _Memory.of(self.source, files, self.tests)
        for mutant in self._drawn():
            if len(self.counted) >= self.number:
                break
            if self.seconds is not None and monotonic() - begun > self.seconds:
                self.is_late = True
                break
            verdict = memory.verdict(mutant)
            if verdict is None:
                verdict = self._judged(mutant, rules)
                memory.keep(verdict)
            self.verdicts.append(verdict)
            if on_progress is not None:
                on_progress(self)

    def failing_test(self) -> str | None:
        """Return the name of a test that fails without any change; mutation tests need tests that pass."""
        return self.tests.killer(self._assembled(self.source))

    def _drawn(self) -> list[Mutant]:
        """Return all mutants in the order in which they are judged, which follows from the seed."""
        found = mutants(parse(self.source))
        order = list(range(len(found)))
        mix(Random(f"{self.tests.seed}/mutants"), order)
        return [found[number] for number in order]

    def _assembled(self, source: Source, files: Files | None = None) -> Spec:
        with budget(MOST_WORK, Span(source, 0, 0)):
            return assemble(source, self.path.parent, files)

    def _judged(self, mutant: Mutant, rules: str) -> Verdict:
        """Run the tests against a mutant."""
        try:
            spec = self._assembled(Source(self.source.name, mutant.text(self.source)))
            if _meaning(game_of(spec).rules) == rules:
                return Verdict(mutant, "equivalent")
        except (SpecError, SettingError):
            return Verdict(mutant, "refused")
        by = self.tests.killer(spec)
        return Verdict(mutant, "survived") if by is None else Verdict(mutant, "killed", by)


def _meaning(rules: Rules) -> str:
    """Return the checked rules with the deck, the limits of zones, and the first values of variables."""
    write = CorePrinter().text
    start = [f"{v.name} = {write(v.initial)}" for v in rules.variables if v.initial is not None]
    limits = [f"{zone.name} {zone.capacity}" for zone in rules.zones]
    return "\n".join([core_text(rules), *start, *limits, repr(rules.card_faces), repr(rules.homes)])


@attrs.define
class _Memory:
    """The verdicts of earlier runs of the same compiler on the same texts, kept in one file."""

    name: str | None
    known: dict[str, list[str]]

    @classmethod
    def of(cls, source: Source, files: Files, tests: Tests) -> _Memory:
        mark = compiler()
        if mark is None:  # The compiler changed while it runs.
            return cls(None, {})
        texts = [source.text, *(found.source.text for found in files.found), *(s.text for s in tests.scenarios)]
        key = json.dumps([mark, tests.seed, PLAYS, DECISIONS, texts])
        name = f"{sha256(key.encode()).hexdigest()[:40]}.mutants"
        kept = store.read(name)
        return cls(name, json.loads(kept) if kept else {})

    def verdict(self, mutant: Mutant) -> Verdict | None:
        kept = self.known.get(f"{mutant.start}/{mutant.end}/{mutant.new}")
        if kept is None:
            return None
        outcome: Any = kept[0]
        return Verdict(mutant, outcome, kept[1])

    def keep(self, verdict: Verdict) -> None:
        mutant = verdict.mutant
        self.known[f"{mutant.start}/{mutant.end}/{mutant.new}"] = [verdict.outcome, verdict.by]
        if self.name is not None:
            store.write(self.name, json.dumps(self.known).encode(), KEPT)
