"""`cardgame compare`: compare the rules, or one statistic, of two games, variants or settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cli.arguments import (
    agents_option,
    format_option,
    load_setting,
    seed_option,
    setting_options,
    with_values,
    write_json,
)
from cli.commands.simulate import read_seat_agents, worker_options, workers
from cli.report import numbers, table
from cli.terminal.working import Progress

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.simulate.comparing import Comparison, Pairs, Statistic

STATISTICS = ("length", "turns", "rounds", "cut-off", "ties", "first", "last", "choices", "forced", "wait", "changes",
              "settled", "score", "margin")  # fmt: skip
"""The names of `interpreter.simulate.comparing.STATISTICS`."""

MOST_VALUES = 12
"""The number of values up to which `--sweep` tries all of a range; of a longer one it tries three."""


@click.command(
    "compare",
    epilog="""\b
Examples:
  cardgame compare wizards_duel variants/duel_d20
  cardgame compare wizards_duel wizards_duel:sides=20 --on length --within 2
  cardgame compare wizards_duel variants/duel_d20 --on ties --within 1%
  cardgame compare chalice_and_wand my_variant.cardgame:hands=open --on score --within 5
  cardgame compare two_player_wizard --sweep first_dealer --on first --within 5%

Exit codes: 0 the comparison is complete; 1 the spec or a play is at fault; 2 wrong usage; 130 stopped.""",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="[B]", required=False)
@click.option(
    "--on", "name", type=click.Choice(STATISTICS), help="The statistic to compare; without it, the rules are compared."
)
@click.option(
    "--within", metavar="D",
    help="The difference that matters: a number in the unit of the statistic, or a percentage such as `5%`.",
)  # fmt: skip
@click.option(
    "--plays", type=click.IntRange(1, 100_000_000), metavar="N", default=20_000, show_default=True,
    help="The largest number of plays of each game; with --sweep, the number of plays for each value.",
)  # fmt: skip
@click.option("--sweep", metavar="OPTION", help="Compare A with itself at every other value of an option.")
@setting_options
@agents_option
@seed_option
@worker_options
@format_option("text", "json")
def command(
    first: str,
    second: str | None,
    name: str | None,
    within: str | None,
    plays: int,
    sweep: str | None,
    players: int | None,
    options: dict[str, str],
    agents: str,
    seed: int,
    jobs: int,
    dask: str | None,
    form: str,
) -> None:
    """Print which rules of B differ from those of A, or test whether B has more than A of one statistic.

    Without --on, the rulebooks of both are compared. With --on, the verdict is more, less, or equal within D.

    A and B are specs, with optional values of options after a colon: SPEC:NAME=VALUE,NAME=VALUE. --option and
    --players apply to both.

    Both games are played in pairs with the same seeds until a sequential test has a verdict. In at most 5 % of
    comparisons, equal games get the verdict "more" or "less", and games that differ by D get "equal". If the number
    of --plays is too small, the verdict is "undecided".

    \b
    STATISTICS
      length, turns, rounds   decisions, turns or rounds per play
      cut-off                 share of plays stopped by the decision limit
      ties                    share of plays without a single winner
      first, last             share of wins of seat 1, of the last seat
      choices                 legal actions per decision
      forced                  share of decisions with only one possible choice
      wait                    longest wait, in decisions of others
      changes                 lead changes per play
      settled                 turn from which the winner leads, in % of turns
      score, margin           mean score; score of the winner above the next
    """
    from interpreter.simulate.comparing import STATISTICS as KNOWN  # late: help
    from interpreter.simulate.comparing import compare, compare_several  # late: help
    from interpreter.simulate.running import Work  # late: help

    if name is None:
        if second is None or within is not None:
            raise click.UsageError("name two specs to compare their rules, or a statistic with --on and --within")
        _compare_rules(first, second, players, options, form)
        return
    if within is None:
        raise click.UsageError("--on needs --within D: the difference that matters")
    statistic = KNOWN[name]
    distance = read_within(within, statistic)
    if (second is None) == (sweep is None):
        raise click.UsageError("name two games, A and B, or one game and --sweep OPTION")
    named = [(first, load_setting(first, players, options))]
    if second is not None:
        named.append((second, load_setting(second, players, options)))
    elif sweep is not None:
        named += _values(first, named[0][1], sweep, players, options)
    for text, game in named:
        if (statistic.name in ("first", "last", "ties", "changes", "settled", "margin")) and game.cooperative:
            raise click.UsageError(f"`{text}` is cooperative and has no single winner; compare the score")
        if statistic.name in ("score", "margin") and not any(line.what == "score" for line in game.rules.results):
            raise click.UsageError(f"`{text}` has no score")
    works = [Work.of(game, read_seat_agents(agents, game.num_players), seed) for _, game in named]
    progress = Progress(plays, "pairs of plays at most")

    def on_progress(pairs: Pairs) -> None:
        progress.show(pairs.n)

    with workers(jobs, dask) as executor:
        if second is not None:
            found = [compare(works[0], works[1], statistic, distance, plays, executor, on_progress)]
        else:
            found = compare_several(works[0], works[1:], statistic, distance, plays, executor, on_progress)
    names = [text for text, _ in named]
    if form == "json":
        write_json([_data(names[0], b, one) for b, one in zip(names[1:], found, strict=True)])
    else:
        click.echo("\n\n".join(_text(names[0], b, one) for b, one in zip(names[1:], found, strict=True)))


def read_within(text: str, statistic: Statistic) -> float:
    """Return the difference that matters, in the unit of the statistic.  Raises click.UsageError."""
    wanted = "a percentage, such as 5%" if statistic.is_share else f"a number of {statistic.unit}, such as 2"
    digits = text.removesuffix("%").strip()
    try:
        value = float(digits)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e12 or text.endswith("%") != statistic.is_share:
        raise click.UsageError(f"--within {text}: the difference of {statistic.name} is {wanted}, above 0")
    if statistic.is_share and value > 100:
        raise click.UsageError(f"--within {text}: shares differ by 100% at most")
    return value / 100 if statistic.is_share else value


def _compare_rules(first: str, second: str, players: int | None, options: dict[str, str], form: str) -> None:
    """Print what the rulebook of the second spec has in the place of lines of the first."""
    from grammar.source import read_source  # late: help
    from interpreter.loader import assemble, find_spec  # late: help
    from interpreter.rulebook.changes import book_of, differences  # late: help
    from interpreter.rulebook.page import plain  # late: help

    books = []
    for text in (first, second):
        name, values = with_values(text, options)
        path = find_spec(name)
        books.append(book_of(assemble(read_source(path), path.parent), players, values))
    found = [(chapter, [*map(plain, gone)], [*map(plain, come)]) for chapter, gone, come in differences(*books)]
    if form == "json":
        rows = [{"chapter": chapter, "a": old, "b": new} for chapter, old, new in found]
        write_json({"a": first, "b": second, "rules": rows})
        return
    lines = [f"The rules of {second} that differ from those of {first}:" if found else "The rulebooks are equal."]
    last = None
    for chapter, old, new in found:
        lines += ["", chapter] if chapter != last else []
        last = chapter
        lines += [*(f"  - {text}" for text in old), *(f"  + {text}" for text in new)]
    click.echo("\n".join(lines))


def _values(
    text: str, game: Game, name: str, players: int | None, options: dict[str, str]
) -> list[tuple[str, Game]]:  # fmt: skip
    """Return the names and games of every other value of an option.  Raises click.UsageError."""
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
        case _:  # Choices and long ranges.
            tried = option.samples()
    values = [word for word in (word_of(option.in_words(value)) for value in tried) if word != now]
    return [
        (other := f"{text}{':' if begin else ','}{name}={value}", load_setting(other, players, options))
        for value in values
    ]


def _text(first: str, second: str, found: Comparison) -> str:
    from interpreter.simulate.report import DIFFERENCE, P_VALUE, interval, number  # late: help

    statistic = found.statistic
    unit = statistic.unit
    by = DIFFERENCE if statistic.is_share else unit
    distance = f"{number(found.within, by).removeprefix('+')} {by}"
    verdict = {
        "more": f"Verdict: more. {second} has more than {first}.",
        "less": f"Verdict: less. {second} has less than {first}.",
        "equal": f"Verdict: equal. The means differ by less than {distance}.",
        "undecided": f"Verdict: undecided. {found.pairs.n:,} pairs do not show whether the means differ by {distance}.",
    }[found.verdict.value]
    rows = list(zip((first, second, "difference"), found.pairs.means(statistic.parts), (unit, unit, by), strict=True))
    values = numbers([number(e.value, u) for _, e, u in rows])
    cells = [(name, value, interval(e.low, e.high, u)) for (name, e, u), value in zip(rows, values, strict=True)]
    if found.p_value is not None:
        cells.append(("p-value", number(found.p_value, P_VALUE), "Holm's correction for several comparisons"))
    head = f"{statistic.name}: {statistic.about}; {found.pairs.n:,} pairs of plays"
    title = ("", "mean", "95 % confidence interval")
    return "\n".join([verdict, "", head, *table(cells, title, indent="  ")])


def _data(first: str, second: str, found: Comparison) -> dict[str, Any]:
    names: Sequence[str] = ("a", "b", "difference")
    means = zip(names, found.pairs.means(found.statistic.parts), strict=True)
    return {
        "a": first,
        "b": second,
        "statistic": found.statistic.name,
        "unit": found.statistic.unit,
        "within": found.within,
        "verdict": found.verdict.value,
        "pairs": found.pairs.n,
        "limit": found.limit,
        "p_value": found.p_value,
        "means": {name: {"value": e.value, "low": e.low, "high": e.high} for name, e in means},
    }
