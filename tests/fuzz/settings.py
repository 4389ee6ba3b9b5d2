"""Fuzz everything that comes with the program, one line a setting: `python -m tests.fuzz.settings [SPEC ..]`.

A setting is a bundled game or variant with a number of players and at most one option that is not at its default:
every number of players, and every value of each option, of a range its ends.  Values of options take the numbers of
players in turn.  Exit code 3 after a counter-example, which is told with the command that finds it again; all other
settings are tried all the same.

Games that go on until somebody has enough points are long; `--set max_hands=4` sets an option wherever there is one
of that name which the setting leaves alone.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator

import attrs

from interpreter.analysis.symbols import Option
from interpreter.analysis.types import EnumType, Int
from interpreter.engine.game import Game
from interpreter.fuzz.fuzz import CounterExample, fuzz
from interpreter.loader import bundled_games, bundled_variants, game_of
from interpreter.setting import word_of
from tests.bundled import game, signature_of

EXPLAINED = {
    "variants/duel_majors": {"R20": "there are no minors, whose suits could add to their worth"},
}
"""Tags of a spec that no play of it can come to, with the reason."""


@attrs.frozen
class Setting:
    """A bundled spec, for how many, and the options that are not at their defaults."""

    spec: str
    players: int
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        changed = "".join(f" {name}={value}" for name, value in self.options)
        return f"{self.spec} {self.players} players{changed}"

    def game(self) -> Game:
        """Check and compile it."""
        return game_of(game(self.spec).spec, self.players, dict(self.options))


@attrs.define
class Tally:
    """What the playouts of one setting were like; `unreached` are the tags that none of them came to."""

    setting: Setting
    bound: int
    plays: int = 0
    lengths: list[int] = attrs.field(factory=list)
    ends: set[str] = attrs.field(factory=set)
    unreached: list[str] = attrs.field(factory=list)
    failure: CounterExample | None = None
    seed: int = 0

    @property
    def decisions(self) -> int:
        """How many small actions were carried out."""
        return sum(self.lengths)

    def line(self) -> str:
        """Return all of it as one line."""
        low, high = (min(self.lengths), max(self.lengths)) if self.lengths else (0, 0)
        told = f"{self.setting}: {self.plays:,} plays, {self.decisions:,} decisions, {low:,} to {high:,} a play"
        told += f" (bound {self.bound:,}), {' '.join(sorted(self.ends))}"
        if self.unreached:
            told += f"; unreached: {' '.join(self.unreached)}"
        if self.failure is not None:
            told += f"; COUNTER-EXAMPLE {self.failure.problem.check}: {self.failure.problem.message}; {self.again()}"
        return told

    def again(self) -> str:
        """Return the command that finds the counter-example again."""
        assert self.failure is not None
        words = f"cardgame fuzz {self.setting.spec} --players {self.setting.players} --seed {self.seed}"
        words += f" --play {self.failure.playout}"
        return words + "".join(f" --option {name}={value}" for name, value in self.setting.options)


def settings(spec: str, fixed: tuple[tuple[str, str], ...] = ()) -> Iterator[Setting]:
    """Give every setting of a bundled spec; `fixed` options hold wherever the spec has them and they are not varied."""
    signature = signature_of(spec)
    low, high = signature.players
    options = signature.begin().options
    names = {option.name for option in options}
    fixed = tuple((name, value) for name, value in fixed if name in names)
    for players in range(low, high + 1):
        yield Setting(spec, players, fixed)
    turn = 0
    for place, option in enumerate(options):
        for number in range(len(_ends(option))):
            players = low + turn % (high - low + 1)
            there = signature.begin(players).options[place]  # The ends of a range may depend on the number of players.
            value = _ends(there)[min(number, len(_ends(there)) - 1)]
            if value != word_of(there.in_words(there.value)):
                others = tuple(pair for pair in fixed if pair[0] != option.name)
                yield Setting(spec, players, ((option.name, value), *others))
                turn += 1


def _ends(option: Option) -> tuple[str, ...]:
    """Return the values of an option in words, of a range its ends."""
    if isinstance(option.type, EnumType):
        return option.type.values
    if isinstance(option.type, Int):
        return tuple(dict.fromkeys((str(option.type.low), str(option.type.high))))
    return "false", "true"


def soak(setting: Setting, playouts: int, seed: int, decisions: float = math.inf) -> Tally:
    """Fuzz one setting with so many playouts; none is begun when so many decisions have been made."""
    game = setting.game()
    report = fuzz(game, playouts, seed, decisions=decisions)
    return Tally(
        setting,
        game.max_decisions,
        report.playouts,
        report.lengths,
        set(report.terminations),
        [tag.tag for tag in report.coverage.tags() if not tag.reached],
        report.failure,
        seed,
    )


def never_reached(tallies: list[Tally]) -> dict[str, list[str]]:
    """Return, of each spec, the tags that no setting of it came to, where there are any without an explanation."""
    left: dict[str, list[str]] = {}
    for tally in tallies:
        before = left.get(tally.setting.spec, tally.unreached)
        left[tally.setting.spec] = [tag for tag in before if tag in tally.unreached]
    open_ = {spec: [tag for tag in tags if tag not in EXPLAINED.get(spec, {})] for spec, tags in left.items()}
    return {spec: tags for spec, tags in open_.items() if tags}


def main(words: list[str] | None = None) -> int:
    """Fuzz what is asked for, tell each setting as it is done, and return the exit code."""
    every = [*bundled_games(), *bundled_variants()]
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.settings", description="Fuzz all that is bundled.")
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="bundled games or variants (default: all)")
    parser.add_argument("--plays", type=int, default=200, help="plays of each setting (default 200)")
    parser.add_argument("--decisions", type=float, default=math.inf, help="begin no more plays after so many decisions")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an option, where there is it")
    parser.add_argument("--seed", type=int, default=1, help="what all chance follows from (default 1)")
    asked = parser.parse_args(words)
    unknown = [spec for spec in asked.specs if spec not in every]
    if unknown:
        parser.error(f"{unknown[0]} is not bundled; there are {', '.join(every)}")
    fixed = tuple((name, value) for name, _, value in (text.partition("=") for text in asked.set))
    tallies: list[Tally] = []
    for spec in asked.specs or every:
        for setting in settings(spec, fixed):
            tallies.append(soak(setting, asked.plays, asked.seed, asked.decisions))
            print(tallies[-1].line(), flush=True)
    for spec, tags in never_reached(tallies).items():
        print(f"in no setting of {spec}: {' '.join(tags)}")
    failed = [tally for tally in tallies if tally.failure is not None]
    print(f"{len(tallies)} settings, {sum(t.decisions for t in tallies):,} decisions, {len(failed)} counter-examples")
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
