"""`cardgame train`: a policy for any game, learned by self-play."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from cli.arguments import check_writable, format_option, seed_option, setting_options, write_json
from cli.commands.simulate import dask_option, workers
from cli.report import decimal, table
from cli.stopping import STOPPED, stoppable
from cli.terminal.screen import PROGRESS_LINE
from grammar.english import counted

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.training.network import Network
    from interpreter.training.trainer import Progress, Trainer

SECONDS = 60.0
"""The time of a training if neither --seconds nor --rounds is given."""
WIDTH = 32
"""Columns of the bars of a learning curve."""


@click.command(
    "train",
    epilog="""\b
Examples:
  cardgame train classics/hearts -o hearts.policy
  cardgame train classics/leduc_poker -o leduc.policy --rounds 20 --seed 7
  cardgame train chalice_and_wand -o chalice.policy --seconds 600 --seeds 3
  cardgame train chalice_and_wand -o better.policy --resume chalice.policy
  cardgame train classics/hanabi -o hanabi.policy --seconds 600 --dask tcp://10.0.0.5:8786

Exit codes: 0 trained; 1 the spec is at fault, or there is no C compiler; 2 wrong usage; 130 stopped.""",
)
@click.argument("spec")
@click.option(
    "-o", "--output", required=True, metavar="FILE.policy", help="Write the policy to FILE, for the agent policy:FILE."
)
@setting_options
@click.option("--seconds", type=click.FloatRange(0.1, 1e7), metavar="S",
              help=f"Time for the training.  [default: {SECONDS:g}]")  # fmt: skip
@click.option("--rounds", type=click.IntRange(1, 10_000_000), metavar="N",
              help="Number of rounds instead of a time: the same seed and rounds give the same file.")  # fmt: skip
@click.option("--seeds", type=click.IntRange(1, 100), metavar="N", default=1, show_default=True,
              help="Train with N seeds, which share the time, and keep the best.")  # fmt: skip
@click.option("--resume", metavar="FILE.policy", help="Continue the training of the policy in FILE.")
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N",
              help="Number of threads; the network does not depend on it.  [default: all cores]")  # fmt: skip
@dask_option
@seed_option
@format_option("text", "json")
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    output: str,
    players: int | None,
    options: dict[str, str],
    seconds: float | None,
    rounds: int | None,
    seeds: int,
    resume: str | None,
    jobs: int | None,
    dask: str | None,
    seed: int,
    form: str,
) -> None:
    """Train a policy for SPEC by self-play, and write it to a file.

    A network learns from plays against itself (PPO).  It reads what a player knows, so it works for every game,
    with any number of seats.  The agent policy:FILE plays it.

    The learning curve shows the strength during the training: the mean return against random players, or of a team
    in a cooperative game.  The file has the best network, which need not be the last one.

    Ctrl-C ends the training and writes the best network so far.  With --dask a cluster makes the plays, and the threads
    of this machine learn from them.
    """
    from interpreter.loader import load  # late: help
    from interpreter.training.network import read_network, write_network  # late: help
    from interpreter.training.trainer import Budget, Trainer  # late: help

    if seconds is not None and rounds is not None:
        raise click.UsageError("--seconds and --rounds exclude each other")
    check_writable(output)
    game = load(spec, players, dict(options))
    before = None if resume is None else read_network(Path(resume), game)
    budget = Budget(rounds=rounds) if rounds is not None else Budget(seconds=seconds or SECONDS)
    began = time.monotonic()
    with workers(1, dask) as executor, stoppable() as is_stopped:
        trainer = Trainer(game, jobs, executor)

        def on_progress(progress: Progress) -> bool:
            PROGRESS_LINE.text = _progress(progress, trainer, seed, seeds)
            return not is_stopped()

        network = trainer.train(budget, seed, seeds, on_progress, before)
    write_network(network, Path(output), game)
    strength = trainer.strength(network.weights)
    if form == "json":
        write_json(_data(game, network, strength))
    else:
        lines = _text(game, trainer, network, strength, time.monotonic() - began)
        click.echo("\n".join([*lines, "", f"policy:{output} plays it"]))
    if trainer.is_stopped:
        ctx.exit(STOPPED)


def _progress(progress: Progress, trainer: Trainer, seed: int, seeds: int) -> str:
    point = progress.point
    number = f"seed {progress.seed - seed + 1} of {seeds}, " if seeds > 1 else ""
    strength = "" if point is None else f", {_measure(trainer)} {_number(point.strength)}"
    return f"{number}{100 * progress.share:.0f} %{strength}"


def _measure(trainer: Trainer) -> str:
    return "mean return" if trainer.plays_itself else "mean return against random players"


def _text(game: Game, trainer: Trainer, network: Network, strength: tuple[float, float], seconds: float) -> list[str]:
    last = network.curve[-1]
    rows, columns = network.library.shape
    lines = [
        (
            f"{game.title}, {counted(game.num_players, 'player')}: {counted(last.rounds, 'round')}, "
            f"{counted(last.decisions, 'decision')}, {seconds:.0f} s, seed {network.seed}"
        ),
        f"network of {columns} hidden units and {rows * columns:,} weights",
    ]
    if trainer.is_stopped:
        lines.append("stopped early: the file has the best network so far")
    low, high = (limit(point.strength for point in network.curve) for limit in (min, max))
    bars = [
        (f"  {point.rounds:,}", f"{point.decisions:,}", _number(point.strength), _number(point.error),
         "#" * round(WIDTH * (point.strength - low) / (high - low)) if high > low else "")
        for point in network.curve
    ]  # fmt: skip
    lines += ["", *table(bars, ("Rounds", "decisions", _measure(trainer), "+-", "")), ""]
    return [*lines, f"strength of the policy: {_measure(trainer)} {_number(strength[0])} +- {_number(strength[1])}"]


def _number(value: float) -> str:
    return decimal(value, 3)


def _data(game: Game, network: Network, strength: tuple[float, float]) -> dict[str, Any]:
    return {
        "game": game.describe(),
        "seed": network.seed,
        "strength": strength[0],
        "error": strength[1] if math.isfinite(strength[1]) else None,
        "curve": [attrs.asdict(point) for point in network.curve],
    }
