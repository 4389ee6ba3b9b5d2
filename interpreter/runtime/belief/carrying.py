"""Worlds carried over what has really happened since (the step of a particle filter).

A world is played on: what the player has seen happens in it too, and what they have not is drawn.  It lives on if the
player sees the same, with a weight: how likely it was that others did what they were seen to do.
"""

from __future__ import annotations

from collections import Counter
from math import exp, lgamma
from typing import TYPE_CHECKING, TypeVar

from interpreter.runtime import chance
from interpreter.runtime.belief.proposals import World, anew
from interpreter.runtime.belief.seen import learned_of
from interpreter.runtime.belief.trajectories import Impossible, Key, Trajectory, drawn, extend
from interpreter.runtime.chance import Rng

if TYPE_CHECKING:
    from interpreter.runtime.belief.walk import Ground
    from interpreter.runtime.machine import HistoryItem


_Found = TypeVar("_Found")


class Onward:
    """Plays a world on as the true play went on; a guide of `extend`.

    `weight` is the logarithm of how likely what was seen is in this world, but for what is the same in all worlds.
    """

    def __init__(self, ground: Ground, world: World, rng: Rng) -> None:
        self.ground, self.rng = ground, rng
        self.trajectory = world.trajectory.to_end()
        self.place = len(self.trajectory.state.entries)
        self.faces = [list(faces) for faces in world.faces[: len(self.trajectory.shuffles)]]
        self.known: dict[Key, int] = {}
        for shuffle, faces in zip(self.trajectory.shuffles, self.faces, strict=True):
            self.known.update(zip(shuffle.keys, faces, strict=True))
        self.first = len(self.trajectory.turns)
        self.weight = 0.0
        self.traces = world.traces

    def run(self) -> World:
        """Return the world as it stands now.  Raises Impossible."""
        ground, trajectory = self.ground, self.trajectory
        wanted, true = ground.wanted, ground.truth.trajectory
        extend(trajectory, self)
        if len(trajectory.turns) != len(true.turns) or len(trajectory.shuffles) != len(true.shuffles):
            raise Impossible
        wanted.stands(trajectory.state)
        for number in range(self.first, len(trajectory.turns)):
            if trajectory.turns[number].player != wanted.player and number not in ground.hidden:
                self.weight -= trajectory.turns[number].load
        traces = wanted.retold(trajectory, self.traces, self.place)
        learned = learned_of(trajectory, traces)
        return World(trajectory, self.faces, learned, traces)

    def shuffled(self, trajectory: Trajectory) -> None:
        """Deal a new shuffle: the cards that the player has learned as they lay, the others at random."""
        number = len(self.faces)
        ground, content = self.ground, trajectory.shuffles[number].content
        true = ground.truth.trajectory.shuffles
        if number >= len(true) or len(true[number].keys) != len(content):
            raise Impossible
        learned = {rank: ground.faces[number][rank] for rank in ground.learned[number]}
        left = Counter(content)
        for face, count in Counter(learned.values()).items():
            if left[face] < count:
                raise Impossible
            self.weight += lgamma(left[face] + 1) - lgamma(left[face] - count + 1)
        rest = sorted((left - Counter(learned.values())).elements())
        chance.mix(self.rng, rest)
        faces = [learned[rank] if rank in learned else rest.pop() for rank in range(len(content))]
        self.faces.append(faces)
        self.known.update(zip(trajectory.shuffles[number].keys, faces, strict=True))

    def draw(self, trajectory: Trajectory) -> HistoryItem | None:
        """Return what the tokens were given."""
        state, true = trajectory.state, self.ground.truth.trajectory
        if self.ground.wanted.waits(trajectory, true):
            return None
        assert state.awaited is not None
        whole = bool(true.draws) and true.draws[min(len(trajectory.draws), len(true.draws) - 1)].whole
        return drawn(state, self.known, whole=whole)

    def act(self, trajectory: Trajectory, legal: list[int], done: list[int]) -> int | None:
        """Return what was done, or, of a turn that the player did not see, anything."""
        number = len(trajectory.turns)
        turns = self.ground.truth.trajectory.turns
        if number >= len(turns):
            return None
        turn = turns[number]
        if not done and (
            trajectory.state.to_act != turn.player or not self.ground.wanted.looks_alike(number, trajectory.state)
        ):
            raise Impossible
        if not turn.ended and len(done) == len(turn.actions):
            return None
        if number in self.ground.hidden:
            return anew(trajectory.state, legal, self.rng)
        if len(done) == len(turn.actions):
            raise Impossible
        return turn.actions[len(done)]

    def marks(self, trajectory: Trajectory) -> bool:
        """Say whether the true play has a mark in front of the next turn."""
        turns = self.ground.truth.trajectory.turns
        return len(trajectory.turns) < len(turns) and turns[len(trajectory.turns)].mark is not None


def carried(ground: Ground, worlds: list[World], rng: Rng) -> list[tuple[World, float]]:
    """Return the worlds that go on, with the logarithms of their weights."""
    found = []
    for world in worlds:
        onward = Onward(ground, world, rng)
        try:
            found.append((onward.run(), onward.weight))
        except Impossible:
            continue
    return found


def chosen(worlds: list[tuple[_Found, float]], count: int, rng: Rng) -> list[_Found]:
    """Choose some worlds by the logarithms of their weights, none twice."""
    left = list(worlds)
    found: list[_Found] = []
    while len(found) < count and left:
        most = max(weight for _, weight in left)
        place, rest = 0, rng.random() * sum(exp(weight - most) for _, weight in left)
        while place < len(left) - 1 and rest >= exp(left[place][1] - most):
            rest -= exp(left[place][1] - most)
            place += 1
        found.append(left.pop(place)[0])
    return found
