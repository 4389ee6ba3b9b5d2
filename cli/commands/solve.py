"""`cardgame solve`: compute the value of a small game and an optimal strategy."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.arguments import check_writable, format_option, read_agents, seed_option, setting_options, write_json
from cli.commands.simulate import dask_option, workers
from cli.report import decimal, table, wrapped
from cli.stopping import STOPPED, stoppable
from cli.terminal.screen import PROGRESS_LINE
from grammar.english import counted
from interpreter.text.names import Names

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.solve.answer import Answer, Distance
    from interpreter.solve.sampling import SampledAnswer

ROWS = 24
"""Situations that the text shows."""
AGENTS = "random,greedy,search:200"


@click.command(
    "solve",
    epilog="""\b
Examples:
  cardgame solve classics/kuhn_poker
  cardgame solve classics/leduc_poker --seconds 5 --agents random
  cardgame solve classics/kuhn_poker -o kuhn.policy
  cardgame solve my_game.cardgame --players 2 --option ranks=4 --format json

Exit codes: 0 solved; 1 the spec is at fault, or the game is too large; 2 wrong usage; 130 stopped.""",
)
@click.argument("spec")
@setting_options
@click.option(
    "--seconds", type=click.FloatRange(0.1, 1e6), metavar="S", default=60.0, show_default=True,
    help="Time for the solution; the answer says how exact it is.",
)  # fmt: skip
@click.option(
    "--agents", metavar="A,B,..", default=AGENTS, show_default=True,
    help="Agents whose distance from the solution is measured; `none` for no agent.",
)  # fmt: skip
@click.option("--rows", type=click.IntRange(0, 100_000), metavar="N", default=ROWS, show_default=True,
              help="Number of situations to show, in the order of play.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE.policy", help="Write the strategies to FILE, for the agent policy:FILE.")
@click.option("--resume", metavar="FILE.policy", help="Continue the solution in FILE.")
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N",
              help="Number of threads that sample plays.  [default: all cores]")  # fmt: skip
@dask_option
@seed_option
@format_option("text", "json")
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    players: int | None,
    options: dict[str, str],
    seconds: float,
    agents: str,
    rows: int,
    output: str | None,
    resume: str | None,
    jobs: int | None,
    dask: str | None,
    seed: int,
    form: str,
) -> None:
    """Solve SPEC, if the game is small enough.

    The report has the value of the game for each player with its error, an optimal strategy as a table, decisions
    that an optimal player never makes, and the distance of agents from the solution.

    The method depends on the game: backward induction if nothing is hidden, CFR+ for hidden information, branch and
    bound for the joint optimum of a cooperative game.  If the tree of a two-player game with hidden information takes
    too long to list, CFR samples plays, and the errors are estimates.  The table has the cards of a player, the
    events so far, and the probability of each decision.  With --dask the workers of a cluster sample.

    Ctrl-C ends the computation and prints the answer so far.
    """
    from interpreter.loader import load  # late: help
    from interpreter.solve import answer as answers  # late: help
    from interpreter.solve.policy_file import read_policy, resumed, write_policy  # late: help
    from interpreter.solve.sampling import resumed_sampling, solve_by_sampling, solve_or_sample  # late: help
    from interpreter.solve.tree import StoppedError, TooLargeError, Tree  # late: help

    if output is not None:
        check_writable(output)
    named = [] if agents == "none" else read_agents(agents)
    game = load(spec, players, dict(options))
    for name in named:
        name.check(game)
    with workers(1, dask) as executor, stoppable() as is_stopped:

        def on_progress(doing: str, spent: float) -> bool:
            PROGRESS_LINE.text = f"{doing}, {spent:.0f} s of {seconds:g} s"
            return not is_stopped()

        try:
            policy = None if resume is None else read_policy(Path(resume), game)
            answer: Answer | SampledAnswer
            if policy is not None and policy.is_hashed:
                begun = resumed_sampling(policy, game)
                answer = solve_by_sampling(
                    game, seconds, on_progress, begun, seed=seed, threads=jobs, executor=executor
                )
            elif policy is not None:
                answer = answers.solve(game, seconds, on_progress, resumed(policy, Tree(game)))
            else:
                answer = solve_or_sample(game, seconds, on_progress, seed, jobs, executor)
        except TooLargeError:
            click.echo(f"error: {_too_large(spec, game, players, dict(options))}", err=True)
            ctx.exit(1)
        except StoppedError:
            click.echo("stopped while the tree was listed: there is no answer yet", err=True)
            ctx.exit(STOPPED)
        began = time.monotonic()
        distances = []
        for number, name in enumerate(named):
            ends = began + seconds * (number + 1) / len(named)
            goes_on = partial(_goes_on, is_stopped, ends)
            distances.append(answer.distance(str(name), name.make(game, seed), goes_on))
    if output is not None:
        write_policy(answer.policy, Path(output))
    if form == "json":
        write_json(_data(answer, distances))
    else:
        click.echo("\n".join(_text(answer, distances, rows)))
    if answer.is_stopped:
        ctx.exit(STOPPED)


def _goes_on(is_stopped: Callable[[], bool], ends: float) -> bool:
    return not is_stopped() and time.monotonic() < ends


def _too_large(spec: str, game: Game, players: int | None, options: dict[str, str]) -> str:
    """Say by how much a game is too large, and which settings are small enough."""
    from interpreter.loader import find_spec, load, signature  # late: help
    from interpreter.native.regrets import can_be_sampled  # late: help
    from interpreter.setting import word_of  # late: help
    from interpreter.solve.sampling import MOST_SETS  # late: help
    from interpreter.solve.tree import MOST_NODES, estimated_nodes  # late: help

    size = estimated_nodes(game)
    found = f"{game.title} is too large: its tree has about {_rounded(size)} positions, and solve lists {MOST_NODES:,}"
    if can_be_sampled(game):
        found += f"; sampling needs a C compiler, and has room for {MOST_SETS:,} information sets"
    small = []
    signed = signature(find_spec(spec))
    fewest = signed.players[0]
    tried: list[tuple[int, dict[str, str]]] = (
        [(fewest, {})] if game.num_players != fewest and players is not None else []
    )
    for option in signed.begin(players, options).options:
        texts = dict.fromkeys(word_of(option.in_words(sample)) for sample in option.samples())
        tried += [(game.num_players, {option.name: text}) for text in texts if options.get(option.name) != text]
    for number, values in tried:
        estimate = estimated_nodes(load(spec, number, {**options, **values}), probes=20, most=MOST_NODES)
        if estimate <= MOST_NODES:
            words = "".join(f" --option {name}={value}" for name, value in {**options, **values}.items())
            small.append(f"  --players {number}{words}: about {_rounded(estimate)}")
    if not small:
        return f"{found}\nno number of players and no option alone makes it small enough"
    return "\n".join([found, "small enough:", *small[:6]])


def _rounded(size: float) -> str:
    return f"{size:.0e}".replace("e+", " x 10^").replace("^0", "^") if size >= 1e7 else f"{float(f'{size:.2g}'):,.0f}"


def _text(answer: Answer | SampledAnswer, distances: list[Distance], rows: int) -> list[str]:
    game = answer.game
    names = Names().of
    iterations = f", {answer.iterations:,} iterations" if answer.iterations else ""
    lines = [
        f"{game.title}, {counted(game.num_players, 'player')}: {_verdict(answer)}",
        f"{answer.size}; {answer.method}{iterations}",
    ]
    if answer.is_sampled:
        lines.append("the errors are estimates: what a response gains that was learned in part of the time")
    if answer.is_stopped:
        lines.append("stopped early: the errors are those of the strategy so far")
    lines += ["", *table(
        [(f"  {names(p)}", _number(value, "+"), _number(answer.errors[p])) for p, value in enumerate(answer.values)],
        ("Value by seat", "return", "error"), right=True,
    )]  # fmt: skip
    shown = [s for s in answer.situations if s.reach > 0.0005 and len(s.choices) > 1]
    lines += ["", "The strategy: what a player holds, what has happened, and how often each decision is made", ""]
    for situation in shown[:rows]:
        head = (
            f"{names(situation.player)} ({100 * situation.reach:.1f} % of plays). {situation.holds}. {situation.past}"
        )
        lines.append(wrapped(head, "    ", indent="  "))
        made = [c for c in situation.choices if c.share >= 0.005]
        lines.append(wrapped(", ".join(f"{c.text} {_percent(c.share)}" for c in made), "      ", indent="      "))
    if len(shown) > rows:
        lines.append(f"  {len(shown) - rows:,} more: --rows {len(shown)}, or --format json")
    if answer.never:
        lines += ["", *table(
            [(f"  {names(player)}: {text}", _number(loss)) for player, text, loss in answer.never[:12]],
            ("Never worth doing", "least loss"), right=True,
        )]  # fmt: skip
    if distances:
        lines += ["", *table(
            [(f"  {d.agent}", _loss(d)) for d in distances],
            ("Distance from the solution", answer.measure), right=True,
        )]  # fmt: skip
    return lines


def _loss(found: Distance) -> str:
    if found.loss is None:
        return f"no time: {_percent(found.decided)} read"
    return _number(found.loss) + (f" ± {_number(found.error)}" if found.error else "")


def _verdict(answer: Answer | SampledAnswer) -> str:
    """Return the answer as one sentence."""
    values, error = answer.values, max(answer.errors)
    if answer.is_cooperative:
        if answer.is_exact:
            return f"best play is worth {_number(values[0])} ({answer.concept})"
        return f"best play is worth between {_number(values[0])} and {_number(values[0] + error)}"
    best = max(range(len(values)), key=values.__getitem__)
    lead = values[best] - sorted(values)[-2]
    if lead <= 2 * error + 1e-9:
        return f"no seat has an advantage above {_number(max(2 * error, 0.0005))} ({answer.concept})"
    return f"seat {best + 1} has the advantage, {_number(values[best], '+')} a play ({answer.concept})"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _number(value: float, sign: str = "") -> str:
    """Return a number with four digits, never a negative zero."""
    return decimal(value, 4, sign)


def _data(answer: Answer | SampledAnswer, distances: list[Distance]) -> dict[str, Any]:
    return {
        "game": answer.game.describe(),
        "concept": answer.concept,
        "method": answer.method,
        "sampled": answer.is_sampled,
        "positions": answer.positions,
        "information_sets": answer.information_sets,
        "iterations": answer.iterations,
        "seconds": round(answer.seconds, 3),
        "stopped": answer.is_stopped,
        "values": answer.values,
        "errors": list(answer.errors),
        "situations": [
            {
                "player": s.player,
                "holds": s.holds,
                "past": s.past,
                "reach": s.reach,
                "choices": [{"text": c.text, "share": c.share, "value": _finite(c.value)} for c in s.choices],
            }
            for s in answer.situations
        ],
        "never": [{"player": player, "text": text, "loss": loss} for player, text, loss in answer.never],
        "distances": [{"agent": d.agent, "loss": d.loss, "decided": d.decided, "error": d.error} for d in distances],
    }


def _finite(value: float) -> float | None:
    return value if value == value else None
