"""Exchange hidden information in plays of all bundled specs: `python -m tests.fuzz.exchanges --states 100000`.

Each round makes some plays of every spec, in another of its settings (`tests.fuzz.settings`), with the check by
exchange alone.  An exchanged state is one of which all that a viewer is shown was compared with the other play.  Rounds
end when there are enough; `--seed` of the next round continues a run that was stopped.  It prints a line for each
setting and each counter-example; exit code 3 if there is one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from interpreter.fuzz import fuzz
from interpreter.fuzz.exchange.check import CHECK
from interpreter.fuzz.exchange.lockstep import Difference, Lockstep
from interpreter.loader import bundled_games, bundled_variants
from tests.fuzz.settings import settings


def main(words: list[str] | None = None) -> int:
    """Exchange until there are enough states, print the counts, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.exchanges", description="Exchange hidden information.")
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="bundled games or variants (default: all)")
    parser.add_argument("--states", type=int, default=100_000, help="compare so many states (default 100,000)")
    parser.add_argument("--plays", type=int, default=20, help="plays of a setting in a round (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="seed and number of the first round (default 1)")
    options = parser.parse_args(words)
    every = {spec: list(settings(spec)) for spec in options.specs or [*bundled_games(), *bundled_variants()]}
    compared: Counter[str] = Counter()
    exchanges = failures = 0
    seed, spec, compare = options.seed, "", Lockstep.compare

    def counted(run: Lockstep) -> Difference | None:
        compared[spec] += not run.briefly
        return compare(run)

    Lockstep.compare = counted  # type: ignore[method-assign, assignment]
    fuzz.ALL_CHECKS = (CHECK,)  # type: ignore[assignment]
    while compared.total() < options.states:
        for spec, found in every.items():
            setting = found[(seed - 1) % len(found)]
            report = fuzz.fuzz(setting.game(), options.plays, seed, decisions=2000)
            exchanges += report.tally["exchanges"]
            print(f"{setting}, seed {seed}: {compared[spec]:,} of {compared.total():,}", flush=True)
            if report.failure is not None:
                failures += 1
                print(f"COUNTER-EXAMPLE {report.failure.problem.message}", flush=True)
        seed += 1
    states = f"{compared.total():,} exchanged states after {exchanges:,} exchanges"
    print(f"{states} in {len(every)} specs, {failures} counter-examples")
    return 3 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
