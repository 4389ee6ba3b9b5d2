"""Noninterference by resampling: what a player may do and sees must not tell what they may not know.

A world is another play in which the player has seen exactly the same.  If their legal actions, their prompt
or their view of the table differ there, they learn something that nobody told them.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

from interpreter.engine.faults import NoWorldError, RuleError
from interpreter.engine.game import State
from interpreter.fuzz.checks import DECISION, REPLAYED, Check, Moment, Problem

TRIES = 4
"""Resamples until it is said that there is no other world."""

STEPS = 8
"""Steps of each: any other world will do, however likely."""


def same_in_other_worlds(at: Moment) -> Problem | str | None:
    """Other worlds show their player the same, were legal from the start, and offer the same actions."""
    rng = at.rng("worlds")
    acting = at.state.current_player()
    other = (acting + 1 + int(rng.random() * (at.game.num_players - 1))) % at.game.num_players
    for player in dict.fromkeys((acting, other)):
        at.count("resamples")
        world = _other(at.state, player, rng)
        if world is None:
            at.count("resamples without another world")
            continue
        found = _compare(at, world, player)
        if found is not None:
            return found
    return None


def _other(state: State, player: int, rng: Random) -> State | None:
    """Return a world that is not the true one, or None where none comes up; the true one is as likely as any."""
    with suppress(NoWorldError):
        for _ in range(TRIES):
            world = state.resample_from_infostate(player, rng, STEPS)
            if world.content() != state.content():
                return world
    return None


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
        return Problem("leak", f"what {name} is asked tells what {name} does not know", span)
    return None


CHECK = Check("worlds", same_in_other_worlds, DECISION, 4, grows_from=REPLAYED)
