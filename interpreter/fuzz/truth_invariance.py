"""Truth invariance, by a sign test: worlds must not resemble the play from which they were drawn.

Of a state another one is drawn that looks the same to a player, and then a world from each of the two.  What the
player can believe is the same in both, so the world from the first is as often more like the first as the world from
the second is.  A walk that is too short remembers where it began, and is more like its own.  A run counts which of the
two it was, and says so where that cannot be chance.
"""

from __future__ import annotations

import warnings
from collections import Counter
from typing import TYPE_CHECKING

from interpreter.belief.mixing import MixingWarning
from interpreter.fuzz.checks import DECISION, Check, CheckContext, Problem
from interpreter.inference import at_least

if TYPE_CHECKING:
    from interpreter.engine.game import State

SHARE = 1 / 3
"""How much it may cost beside the plays, as `Account` counts."""

STEPS, WORK = 300, 10_000
"""The cost of one world: so many steps of a walk, each of as many turns as were played, up to so much work."""

LONGEST = 500
"""Decisions of the longest play that is compared: walks keep a state for each."""

FEWEST = 20
UNLIKELY = 1e-6
"""Of how many comparisons it judges, and how unlikely by chance what it reports is."""


def alike(one: State, other: State) -> int:
    """Return how much of two plays is the same: cards that lie in the same places, and decisions."""
    faces = one.game.card_faces
    same = sum(mine == theirs for mine, theirs in zip(one.history(), other.history(), strict=False) if mine[0] >= 0)
    for mine, theirs in zip(one.zones, other.zones, strict=True):
        lying = [Counter(faces[card] for card in zone if card < len(faces)) for zone in (mine, theirs)]
        same += (lying[0] & lying[1]).total()
    return same


def truth_invariance(at: CheckContext) -> Problem | None:
    """Worlds from two plays that look the same to a player are as much like the one as like the other."""
    rng = at.rng("truths")
    state, player = at.state, at.state.current_player()
    at.account.beliefs += _cost(at)
    with warnings.catch_warnings(action="ignore", category=MixingWarning):  # That is what is tested here.
        other = state.resample_from_infostate(player, rng)
        if other.content() == state.content():
            return None
        worlds = [true.resample_from_infostate(player, rng) for true in (state, other)]
    own, others = (alike(world, state) - alike(world, other) for world in worlds)
    tried = at.account.tried
    if own != others:
        tried["truths", own > others] += 1
    leaning, count = tried["truths", True], tried["truths", True] + tried["truths", False]
    if count < FEWEST or 2 * leaning <= count or at_least(leaning, count) >= UNLIKELY:
        return None
    return Problem(
        "truths",
        f"what a player is made to believe leans to what they do not know: of {count} worlds {leaning} are more like "
        "the play that they were drawn from than like one that looks the same to them",
    )


def _cost(at: CheckContext) -> float:
    """Return what three worlds cost at most, about."""
    return 3.0 * min(WORK, STEPS * max(1, at.state.num_actions))


class TruthInvariance(Check):
    """The check, as often as it may be by the account of the run; a play that is looked at alone proves nothing."""

    def due(self, at: CheckContext) -> bool:
        """Say whether the check is made here."""
        if not self.fits(at.state) or at.state.num_actions > LONGEST or not at.plan.sampled(at.position, self.rate):
            return False
        return at.account.bounded and SHARE * at.account.plays >= at.account.beliefs + _cost(at)


CHECK = TruthInvariance("truths", truth_invariance, DECISION, 4)
