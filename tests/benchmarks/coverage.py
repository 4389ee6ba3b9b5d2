"""Coverage of the intervals of `simulate`: how often they contain the truth, over many seeds.

The truth of a line is its value in a reference run, a thousand times as long, whose own error is too small to matter.
Each line of eight games is tested against its nominal level by an exact binomial test; Holm's method corrects for their
number:

- Means and ratios: 95 %, from both sides.
- Shares of plays (Wilson): from both sides against the exact coverage of Wilson's interval at this share and number of
  plays, since that of a discrete number is not 95 % everywhere.
- Percentiles, differences of wins, shares of seats, and lines whose intervals hold together: at least 95 %.  These are
  wider by construction.

Alarms of the test of seats in games with equal seats: 5 %, from both sides; alarms of cards and actions where these do
not matter: at most 5 %.

python -m tests.benchmarks.coverage --seeds 2000
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from math import exp, inf, lgamma, log
from typing import Literal

import attrs

from interpreter import load_text
from interpreter.engine.game import Game
from interpreter.inference import holm, wilson
from interpreter.simulate.report import ALARM, DIFFERENCE, DIFFERENCE_OF_SCORE, USED, Line, Report, report_of
from interpreter.simulate.running import RANDOM, Run, Work
from tests.simulate.planted import BOMB, COPY, POKER, SUBTRACTION, TRAP
from tests.simulate.test_seeded import NULL, PLAIN, UNFAIR, seeded_game

NOMINAL = 0.95
LIMIT = 0.001
"""The smallest corrected p-value that passes."""
TIMES = 1000
"""So many times as many plays has the reference run."""
FEWEST = 0.9
"""The share of the seeds in which a line must have an interval, so that its coverage is not conditional on luck."""

EQUAL = ("plain", "null")
"""Games whose seats are equal under random play."""
CARELESS = ("null",)
"""Games in which cards and actions do not matter."""


def games() -> dict[str, Game]:
    """Return the eight games by name."""
    texts = {"poker": POKER, "subtraction": SUBTRACTION, "trap": TRAP, "copy": COPY, "bomb": BOMB}
    seeded = {"plain": PLAIN, "unfair": UNFAIR, "null": NULL}
    return {
        **{name: load_text(planted.text) for name, planted in texts.items()},
        **{name: seeded_game(parts) for name, parts in seeded.items()},
    }


Side = Literal["both", "below", "above"]
"""Which deviation counts: from the nominal share, only below it, or only above it."""


@attrs.frozen
class Found:
    """How often something held: a line's interval, or an alarm."""

    game: str
    name: str
    nominal: float
    side: Side
    hits: int
    seeds: int

    @property
    def p_value(self) -> float:
        """The p-value of the exact binomial test."""
        below, above = binomial(self.hits, self.seeds, self.nominal)
        one = {"both": 2 * min(below, above), "below": below, "above": above}[self.side]
        return min(1.0, one)


def binomial(hits: int, n: int, p: float) -> tuple[float, float]:
    """Return the chances of at most, and of at least, so many hits of n."""
    masses = [mass(k, n, p) for k in range(n + 1)]
    return min(1.0, sum(masses[: hits + 1])), min(1.0, sum(masses[hits:]))


def mass(k: int, n: int, p: float) -> float:
    """Return the binomial probability of k hits."""
    if p in (0.0, 1.0):
        return float(k == n * p)
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log(1 - p))


def wilson_coverage(p: float, n: int) -> float:
    """Return the exact coverage of Wilson's interval at a share p of n plays."""
    covered = (k for k in range(n + 1) if (found := wilson(k, n)).low <= p <= found.high)
    return sum(mass(k, n, p) for k in covered)


def run_of(game: Game, plays: int, seed: int) -> Report:
    """Return the report of a run of random players."""
    run = Run.of(game, Work.of(game, [RANDOM] * game.num_players, seed), plays)
    run.carry_out()
    return report_of(game, run)


def lines_of(report: Report) -> dict[str, tuple[str, Line]]:
    """Return the lines of a report with their sections, by a name that only they have."""
    found: dict[str, tuple[str, Line]] = {}
    for section in report.sections:
        for line in section.lines:
            if line.unit == "points by solving":
                continue
            found[f"{section.name}: {line.name} ({line.line})"] = section.name, line
    return found


def nominal(section: str, line: Line, plays: int) -> tuple[float, Side]:
    """Return the coverage that the interval of a line promises, and which deviations count."""
    if line.unit == USED and line.n == plays:
        return wilson_coverage(line.value or 0.0, plays), "both"
    together = section == "seat" and line.unit.startswith("share")
    wider = line.unit in (DIFFERENCE, DIFFERENCE_OF_SCORE, USED) or line.unit.startswith("share")
    if together or wider or (line.of and not line.name.endswith(", mean")):
        return NOMINAL, "below"
    return NOMINAL, "both"


def measured(name: str, game: Game, seeds: int, plays: int) -> list[Found]:
    """Return how often each line of a game held its truth, and how often there were alarms."""
    truths = lines_of(run_of(game, plays * TIMES, 0))
    hits, shown, alarms = Counter[str](), Counter[str](), Counter[str]()
    for seed in range(1, seeds + 1):
        report = run_of(game, plays, seed)
        for key, (_, line) in lines_of(report).items():
            if line.low is None or line.high is None or key not in truths:
                continue
            truth = truths[key][1].value
            shown[key] += 1
            hits[key] += truth is not None and line.low - 1e-12 <= truth <= line.high + 1e-12
        for section in report.sections:
            alarms[section.name] += any(line.flagged for line in section.lines)
    found = [
        Found(name, key, *nominal(section, line, plays), hits[key], shown[key])
        for key, (section, line) in truths.items()
        if shown[key] >= FEWEST * seeds
    ]
    if name in EQUAL:
        found.append(Found(name, "alarms: seats", ALARM, "both", alarms["seat"], seeds))
    if name in CARELESS:
        for kind in ("winning cards", "winning actions"):
            found.append(Found(name, f"alarms: {kind}", ALARM, "above", alarms[kind], seeds))
    return found


def main() -> int:
    """Print what fails and a summary of each game; return 1 where something fails."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.coverage",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made = games()
    parser.add_argument("--game", nargs="+", dest="games", choices=[*made], default=[*made])
    parser.add_argument("--seeds", type=int, default=2000, help="runs of each game (2000)")
    parser.add_argument("--plays", type=int, default=1000, help="plays of a run (1000)")
    arguments = parser.parse_args()
    found: list[Found] = []
    for name in arguments.games:
        here = measured(name, made[name], arguments.seeds, arguments.plays)
        least = min(here, key=lambda one: one.hits / one.seeds if one.nominal > ALARM else inf)
        shares = [one.hits / one.seeds for one in here if one.nominal > ALARM]
        print(
            f"{name}: {len(here)} tests, mean coverage {sum(shares) / len(shares):.2%}, least "
            f"{least.hits / least.seeds:.2%} of {least.name}",
            flush=True,
        )
        found += here
    chances = holm([one.p_value for one in found])
    failed = [(p, one) for p, one in zip(chances, found, strict=True) if p <= LIMIT]
    for p, one in sorted(failed, key=lambda pair: pair[0]):
        print(
            f"FAILS {one.game}, {one.name}: {one.hits} of {one.seeds} ({one.hits / one.seeds:.2%}), "
            f"nominal {one.nominal:.2%}, p {p:.1g}"
        )
    print(f"{len(found)} tests, {len(failed)} fail; least p after Holm's correction {min(chances):.2g}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
