"""Noninterference by resampling: what a player may do and sees depends only on what they know.

A world is another play in which the player has seen exactly the same.  If their legal actions, their prompt or their
view of the table differ there, they learn something that was not shown to them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from interpreter.belief.mixing import MixingWarning
from interpreter.engine.faults import NoWorldError, RuleError
from interpreter.fuzz.checks import DECISION, Check, Moment, Problem

if TYPE_CHECKING:
    from interpreter.engine.game import State

SHARE = 1 / 4
"""What the check may cost of what the plays cost, both as estimated."""

TRIES = 4
"""Worlds that are drawn until it is said that there is no other one: the true one is as likely as any."""

COST = 200
"""What the worlds of a player cost, about, in decisions of the plays: mostly the burn-in of walks in C."""


def same_in_other_worlds(at: Moment) -> Problem | str | None:
    """Other worlds show their player the same, were legal from the start, and offer the same actions."""
    rng = at.rng("worlds")
    acting = at.state.current_player()
    other = (acting + 1 + int(rng.random() * (at.game.num_players - 1))) % at.game.num_players
    for player in dict.fromkeys((acting, other)):
        at.count("resamples")
        at.account.worlds += COST
        drawn = 0
        for world in _resampled(at, player, rng):
            drawn += 1
            if (found := _compare(at, world, player)) is not None:
                return found
        if not drawn:
            at.count("resamples without another world")
    return None


def _resampled(at: Moment, player: int, rng: Random) -> Iterator[State]:
    """Give a world that is not the true one, if one comes up."""
    with warnings.catch_warnings(action="ignore", category=MixingWarning):  # Any other world will do, however likely.
        for _ in range(TRIES):
            try:
                world = at.state.resample_from_infostate(player, rng)
            except NoWorldError:
                at.count("resamples given up")
                return
            if world.content() != at.state.content():
                yield world
                return


def _compare(at: Moment, world: State, player: int) -> Problem | str | None:
    state, name = at.state, f"player {player + 1}"
    if world.current_player() != state.current_player():
        return f"another world, which {name} cannot tell from this one, has another player to act"
    if world.information_state_string(player) != state.information_state_string(player):
        return f"a resampled world shows {name} another past"
    if world.observation_string(player) != state.observation_string(player):
        return f"a resampled world shows {name} another table"
    try:
        again = at.game.play_history([item for _, item in world.history()])
    except (ValueError, RuleError) as error:
        return f"a resampled world for {name} cannot be played from the start: {error}"
    if again != world:
        return f"a resampled world for {name} comes out different when it is played from the start"
    return None if player != state.current_player() else _leak(at, world, name)


def _leak(at: Moment, world: State, name: str) -> Problem | None:
    decision = at.state.decision()
    span = None if decision is None else decision.span
    try:
        legal = world.legal_actions()
    except RuleError as fault:
        return Problem("leak", f"what {name} may do depends on what {name} does not know: in another world there is "
                               f"nothing ({fault.message})", span)  # fmt: skip
    if legal != at.legal:
        odd = sorted(set(legal) ^ set(at.legal))[0]
        text = at.game.texts.action(odd)
        here = "here but not" if odd in at.legal else "not here but"
        return Problem("leak", f"what {name} may do depends on what {name} does not know: `{text}` is possible "
                               f"{here} in a world that {name} cannot tell from this one", span)  # fmt: skip
    if world.prompt() != at.state.prompt():
        return Problem("leak", f"the question to {name} reveals what {name} does not know", span)
    return None


class Worlds(Check):
    """The check, as often as it may be by the account of the run."""

    def due(self, at: Moment) -> bool:
        """Say whether worlds are compared here."""
        if at.game.perfect_information or not (self.fits(at.state) and at.plan.sampled(at.position, self.rate)):
            return False
        return not at.account.bounded or at.account.worlds < SHARE * at.account.plays


CHECK = Worlds("worlds", same_in_other_worlds, DECISION, 4)
