"""Noninterference by resampling: the legal actions and the view of a player depend only on what the player knows.

A world is another play with the same observations of the player.  If the legal actions, the prompt or the view of the
table differ there, they reveal hidden information.

In long runs worlds come from walks in C, and C lists their legal actions.  Python compares everything in some of the
worlds, and in each world in which the actions differ.  In short runs, in which a library does not pay, and without a
compiler, worlds come from enumeration or a particle filter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TYPE_CHECKING

from interpreter.belief.belief import all_worlds, library_of
from interpreter.belief.particle_filter import ParticleFilter
from interpreter.engine.faults import RuleError
from interpreter.engine.interruption import Interrupted, until
from interpreter.fuzz.checks import DECISION, Check, CheckContext, Problem

if TYPE_CHECKING:
    from interpreter.engine.game import State
    from interpreter.native.plays import WatchedGame

SHARE = 1 / 4
"""The limit on the cost of the check, as a share of the cost of the plays; both are estimated."""

BUILD = 4_000
"""The decisions of a run from which on a library pays."""

TRIES, WORK = 4, 250
"""The most worlds that are drawn to find another one than the true one, and the most turns that are run for them."""

WALKED, STEPS = 4, 8
"""The worlds from one walk in C, and its steps for each; it needs no burn-in, because any other world will do."""

VAIN = 2
"""The failures to find another world in a short run, after which no more are drawn."""

COMPARED = 8
"""One walk in 8 is compared in Python too."""

FOLLOWED, REPLAYS = 0.1, 5
"""The cost of a turn that C repeats, in decisions of the plays; how often Python repeats one for a comparison."""


def same_in_other_worlds(at: CheckContext) -> Problem | str | None:
    """In other worlds of a player, the view and the legal actions are the same, and the history is legal."""
    rng = at.rng("worlds")
    acting = at.state.current_player()
    other = (acting + 1 + int(rng.random() * (at.game.num_players - 1))) % at.game.num_players
    library = library_of(at.game) if _pays(at) else None
    for player in dict.fromkeys((acting, other)):
        at.count("resamples")
        worlds: Iterable[State | None]
        worlds = _resampled(at, player, rng) if library is None else _walked(at, library, player, rng)
        drawn = 0
        for world in worlds:
            drawn += 1
            if world is not None and (found := _compare(at, world, player)) is not None:
                return found
        if not drawn:
            at.count("resamples without another world")
            at.account.tried["no world", library is None] += 1
    return None


def _pays(at: CheckContext) -> bool:
    """Say whether a run is long enough to build a library for it."""
    return not at.account.bounded or at.tally.get("actions", 0) >= BUILD


class _Work:
    """Counts turns that are carried out, and ends the work after so many."""

    def __init__(self) -> None:
        self.done = 0

    def __call__(self, share: float) -> bool:
        self.done += 1
        return self.done > share * WORK


def _resampled(at: CheckContext, player: int, rng: Random) -> list[State]:
    """Return a world that is not the true one, if one comes up; the true one is as likely as any."""
    work, state = _Work(), at.state
    try:
        with until(work):
            known = all_worlds(state, player)
            for _ in range(TRIES):
                drawn = ParticleFilter(state, player, rng).draw(1) if known is None else [known.draw(rng)]
                if drawn and drawn[0].content() != state.content():
                    return drawn[:1]
    except Interrupted:
        at.count("resamples given up")
    finally:
        at.account.worlds += work.done
    return []


def _walked(at: CheckContext, library: WatchedGame, player: int, rng: Random) -> Iterator[State | None]:
    """Give worlds of a walk in C; None for one in which C finds the same actions legal, and no more is compared."""
    from interpreter.native.belief import NativeWalk  # late: native
    from interpreter.native.tapes import Recorder  # late: native

    if "recorder" not in at.memory:
        at.memory["recorder"] = Recorder(at.game, rng).begin()
    record = at.memory["recorder"].follow(at.state).record()
    length = len(record.actions)
    at.account.worlds += FOLLOWED * length * WALKED
    try:
        walk = NativeWalk(library, record, player, int(rng.random() * 2**53))
    except MemoryError:  # A walk keeps a state for each turn, and has room for so many.
        yield from _resampled(at, player, rng)
        return
    closely = not at.account.bounded or rng.random() * COMPARED < 1
    for _ in range(WALKED):
        walk.go(STEPS // 2, ignore_acceptance=True)
        walk.go(STEPS // 2)
        if walk.play() == record:
            continue
        if not closely and _same_in_c(at, library, walk.states(1, 0)):
            yield None
            continue
        at.account.worlds += REPLAYS * length
        closely = not at.account.bounded
        yield walk.state()


def _same_in_c(at: CheckContext, library: WatchedGame, content: bytes) -> bool:
    """Say whether the same player is to act in a state of C, and the same actions are legal."""
    try:
        return library.decision(content) == (at.state.current_player(), at.legal)
    except RuleError:
        return False


def _compare(at: CheckContext, world: State, player: int) -> Problem | str | None:
    state, name = at.state, f"player {player + 1}"
    if world.current_player() != state.current_player():
        return f"another world, which {name} cannot distinguish from this one, has another player to act"
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


def _leak(at: CheckContext, world: State, name: str) -> Problem | None:
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
                               f"{here} in a world that {name} cannot distinguish from this one", span)  # fmt: skip
    if world.prompt() != at.state.prompt():
        return Problem("leak", f"the question to {name} reveals what {name} does not know", span)
    return None


class Worlds(Check):
    """The check, as often as it may be by the account of the run."""

    def due(self, at: CheckContext) -> bool:
        """Say whether worlds are compared here."""
        if not at.account.bounded:
            return self.fits(at.state) and at.plan.sampled(at.position, self.rate)
        within = at.account.worlds < SHARE * at.account.plays
        if at.account.tried["no world", True] >= VAIN and not _pays(at):
            return False
        return within and self.fits(at.state) and at.plan.sampled(at.position, self.rate)


CHECK = Worlds("worlds", same_in_other_worlds, DECISION, 4)
