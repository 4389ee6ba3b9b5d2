"""`cardgame compare`: which of two games, variants or settings has more of something."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cli.arguments import setting_options
from cli.commands.simulate import RANDOM, read_agents, worker_options, workers
from cli.terminal.screen import write_painted

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.simulate.comparing import Comparison, Pairs, Question

ASKED = ("length", "turns", "rounds", "cut-off", "ties", "first", "last", "choices", "forced", "wait", "changes",
         "settled", "score", "margin")  # fmt: skip
"""What can be asked (`interpreter.simulate.comparing.QUESTIONS`)."""

MOST_VALUES = 12
"""A range of so many values is gone through; of a greater one the ends and one between are."""


@click.command(
    "compare",
    epilog="""\b
Examples:
  cardgame compare wizards_duel wizards_duel:sides=20 --on length --within 2
  cardgame compare wizards_duel variants/duel_d20 --on ties --within 1%
  cardgame compare chalice_and_wand my_variant.cardgame:hands=open --on score --within 5
  cardgame compare arcanity --sweep start --on first --within 5%

Exit codes: 0 there is a verdict, or none; 1 a spec or a play is at fault; 2 wrong usage; 130 stopped.""",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="[B]", required=False)
@click.option("--on", "asked", type=click.Choice(ASKED), required=True, help="The question that decides.")
@click.option(
    "--within", metavar="D", required=True,
    help="The difference that matters: a number in the question's unit, or for a share as `5%`.",
)  # fmt: skip
@click.option(
    "--plays", type=click.IntRange(1, 100_000_000), default=20_000, show_default=True,
    help="The most plays of each game; with --sweep, how many of each value.",
)  # fmt: skip
@click.option("--sweep", metavar="OPTION", help="Compare A with itself at every other value of an option.")
@setting_options
@click.option(
    "--seats", metavar="NAMES", default=RANDOM, show_default=True, help="Who plays, as in `cardgame simulate`."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="What all plays follow from.")
@worker_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    first: str,
    second: str | None,
    asked: str,
    within: str,
    plays: int,
    sweep: str | None,
    players: int | None,
    options: dict[str, str],
    seats: str,
    seed: int,
    jobs: int,
    dask: str | None,
    form: str,
) -> None:
    """Tell whether B has more, less, or within D as much as A of one thing: length, ties, wins of the first seat ...

    A and B are specs, each with values of options behind a colon: SPEC:NAME=VALUE,NAME=VALUE. --option and --players
    hold for both.

    Both are played with the same seeds, in pairs, until a sequential test is sure: games that are equal are called
    different in 5 of 100 comparisons at most, and so are games called equal that differ by D. Where --plays are not
    enough, the verdict is: undecided.

    \b
    QUESTIONS
      length, turns, rounds   of a play: decisions, turns, rounds
      cut-off, ties           share of plays that reach the limit; that not one alone wins
      first, last             share of wins of seat 1; of the last seat
      choices, forced, wait   legal actions at a decision; share of forced ones; the longest wait
      changes, settled        lead changes; from when the winners lead for good, in percent
      score, margin           mean score of the players; score of the winner above the next
    """
    from interpreter.simulate.comparing import QUESTIONS, compare, compare_several  # late: help
    from interpreter.simulate.running import Work  # late: help

    question = QUESTIONS[asked]
    distance = read_within(within, question)
    if (second is None) == (sweep is None):
        raise click.UsageError("name two games, A and B, or one and --sweep OPTION")
    named = [(first, _loaded(first, players, options))]
    if second is not None:
        named.append((second, _loaded(second, players, options)))
    elif sweep is not None:
        named += _values(first, named[0][1], sweep, players, options)
    for text, game in named:
        if (question.name in ("first", "last", "ties", "changes", "settled", "margin")) and game.cooperative:
            raise click.UsageError(f"`{text}` is cooperative: nobody wins there alone; ask for the score")
        if question.name in ("score", "margin") and not any(line.what == "score" for line in game.rules.results):
            raise click.UsageError(f"`{text}` has no score")
    works = [Work.of(game, read_agents(seats, game.num_players), seed) for _, game in named]

    def watch(pairs: Pairs) -> None:
        if sys.stderr.isatty():
            write_painted(f"\r{pairs.n:,} pairs of plays, at most {plays:,}\x1b[K", err=True)

    try:
        with workers(jobs, dask) as executor:
            if second is not None:
                found = [compare(works[0], works[1], question, distance, plays, executor, watch)]
            else:
                found = compare_several(works[0], works[1:], question, distance, plays, executor, watch)
    finally:
        if sys.stderr.isatty():
            write_painted("\r\x1b[K", err=True)
    told = [text for text, _ in named]
    if form == "json":
        click.echo(json.dumps([_data(told[0], b, one) for b, one in zip(told[1:], found, strict=True)], indent=2))
    else:
        click.echo("\n\n".join(_text(told[0], b, one) for b, one in zip(told[1:], found, strict=True)))


def read_within(text: str, question: Question) -> float:
    """Return the difference that matters, in the question's unit.  Raises click.UsageError."""
    wanted = "a share, such as 5%" if question.is_share else f"a number of {question.unit}, such as 2"
    digits = text.removesuffix("%").strip()
    try:
        value = float(digits)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e12 or text.endswith("%") != question.is_share:
        raise click.UsageError(f"--within {text}: on {question.name} it is {wanted}, above 0")
    if question.is_share and value > 100:
        raise click.UsageError(f"--within {text}: shares differ by 100% at most")
    return value / 100 if question.is_share else value


def _loaded(text: str, players: int | None, options: dict[str, str]) -> Game:
    """Return the game that `SPEC:NAME=VALUE,..` means.  Raises click.UsageError."""
    from interpreter.loader import load  # late: help

    spec, colon, values = text.rpartition(":")
    if not colon or "=" not in values:
        return load(text, players, options)
    own = dict(options)
    for part in values.split(","):
        name, equals, value = part.partition("=")
        if not (name and equals and value):
            raise click.UsageError(f"write {spec}:NAME=VALUE, with a comma before the next, not `{text}`")
        if name in own:
            raise click.UsageError(f"`{name}` is given twice for `{spec}`")
        own[name] = value
    return load(spec, players, own)


def _values(
    text: str, game: Game, name: str, players: int | None, options: dict[str, str]
) -> list[tuple[str, Game]]:  # fmt: skip
    """Return a game at every other value of an option, with what each is called.  Raises click.UsageError."""
    from interpreter.analysis.types import Int  # late: help
    from interpreter.setting import word_of  # late: help

    known = {option.name: option for option in game.rules.options}
    if name not in known:
        there = ", ".join(known) or "none"
        raise click.UsageError(f"`{text}` has no option `{name}`; its options are: {there}")
    option, now = known[name], game.setting.texts()[name]
    begin = ":" not in text or "=" not in text.rpartition(":")[2]
    match option.type:
        case Int(low=int(low), high=int(high)) if high - low < MOST_VALUES:
            tried: Sequence[int | bool] = range(low, high + 1)
        case _:  # Choices, and ranges that are too great to be gone through.
            tried = option.samples()
    values = [word for word in (word_of(option.told(value)) for value in tried) if word != now]
    return [
        (other := f"{text}{':' if begin else ','}{name}={value}", _loaded(other, players, options)) for value in values
    ]


def _text(first: str, second: str, found: Comparison) -> str:
    from interpreter.simulate.telling import number  # late: help

    question = found.question
    one, two, apart = found.pairs.means(question.parts)
    unit = question.unit
    distance = number(found.within, unit)
    verdict = {
        "more": f"more: {second} has more than {first}",
        "less": f"less: {second} has less than {first}",
        "equal": f"equal: both have as much within {distance}",
        "undecided": f"undecided: {found.pairs.n:,} pairs are not enough to say whether they differ by {distance}",
    }[found.verdict.value]
    rows = [(first, one), (second, two), ("difference", apart)]
    width = max(len(name) for name, _ in rows)
    lines = [f"{question.name}: {question.about}, {found.pairs.n:,} pairs of plays"]
    lines += [
        f"  {name.ljust(width)}  {number(e.value, unit)}  ({number(e.low, unit)} .. {number(e.high, unit)})"
        for name, e in rows
    ]
    if found.chance is not None:
        lines.append(f"  {'chance'.ljust(width)}  {number(found.chance, 'chance')} of a false alarm, corrected by Holm")
    return "\n".join([*lines, verdict])


def _data(first: str, second: str, found: Comparison) -> dict[str, Any]:
    names: Sequence[str] = ("a", "b", "difference")
    means = zip(names, found.pairs.means(found.question.parts), strict=True)
    return {
        "a": first,
        "b": second,
        "question": found.question.name,
        "unit": found.question.unit,
        "within": found.within,
        "verdict": found.verdict.value,
        "pairs": found.pairs.n,
        "limit": found.limit,
        "chance": found.chance,
        "means": {name: {"value": e.value, "low": e.low, "high": e.high} for name, e in means},
    }
