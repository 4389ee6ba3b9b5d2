"""Proposals: how a play could have been otherwise where a player has not seen it.

A `Proposal` changes the faces of tokens, and says of each hidden turn whether it stays, is mapped (cards of
other faces in the place of theirs) or is made anew at random.  The play is then carried out again from where the
change begins; it becomes a proposal's outcome only if every action is legal and the player sees the same.

Each kind is symmetric: it leads from one play to another as often as back, but for what is drawn anew, which
is drawn as the rules and random players would.  So the odds of two plays compare only what was *not* drawn
anew: the number of legal actions at every other decision, and the copies of cards in shuffled piles.
"""

from __future__ import annotations

from collections import Counter
from math import lgamma, log
from typing import TYPE_CHECKING, Literal

import attrs

from interpreter.runtime import chance
from interpreter.runtime.belief.seen import Wanted, learned_of
from interpreter.runtime.belief.trajectories import Impossible, Key, Mark, Shuffle, Trajectory, Turn, drawn, extend
from interpreter.runtime.chance import Rng
from interpreter.runtime.machine import CHANCE, HistoryItem
from interpreter.runtime.renaming import Faces, mapped

if TYPE_CHECKING:
    from interpreter.runtime.belief.tokens import TokenState
    from interpreter.runtime.belief.traced import TracedState
    from interpreter.runtime.game_base import GameBase

Way = Literal["map", "redraw"]


@attrs.frozen(eq=False)
class World:
    """A play that the player cannot tell from the true one: in parts, with the faces of all tokens.

    `learned` are, for each shuffle, the ranks of the tokens whose card the player has learned.  `traces` are copies of
    the same play with its trace, at the marks and at the end, by the length of their histories.
    """

    trajectory: Trajectory
    faces: list[list[int]]
    learned: list[list[int]]
    traces: dict[int, TracedState]


@attrs.frozen(eq=False)
class Pasts:
    """Places that were looked at in front of a turn, and the shuffles in which cards of some of them were exchanged,
    each with the faces of these cards.
    """

    moment: int
    places: tuple[int, ...]
    sources: tuple[tuple[int, list[int]], ...]


@attrs.define(eq=False)
class Proposal:
    """A change: faces of whole shuffles, in the place of which faces others stand from a shuffle on (-1: from the
    beginning), and what happens to hidden turns that do not stay as they are.

    `learned_stay` asks that the player learns the cards of the same tokens as before; `pasts` that the same
    cards lie in some places in front of a turn, and come from the same shuffles; `pair` that two tokens of a shuffle,
    chosen because they lie in different places at the end, do so again, and counts how often they would be chosen.
    What is chosen from must be there for the way back.
    """

    start: Mark
    faces: dict[int, list[int]] = attrs.field(factory=dict)
    maps: dict[int, Faces] = attrs.field(factory=dict)
    turns: dict[int, Way] = attrs.field(factory=dict)
    learned_stay: bool = True
    pasts: Pasts | None = None
    pair: tuple[int, int, int] | None = None


class Replay:
    """Plays a world again with a change; a guide of `extend`.

    It is carried out in two stages: by plain states, which most changes do not outlast (`run`), and again with a trace,
    to compare all that the player sees (`told`).  `odds` is the logarithm of how much more often the outcome occurs,
    and leads back, than the world occurs and leads here; it is known behind the first stage.
    """

    def __init__(self, wanted: Wanted, world: World, proposal: Proposal, rng: Rng) -> None:
        self.wanted, self.world, self.proposal, self.rng = wanted, world, proposal, rng
        self.odds = 0.0
        self.trajectory = world.trajectory.from_mark(proposal.start)
        self.faces = [list(f) for f in world.faces[: len(self.trajectory.shuffles)]]
        self.known: dict[Key, int] = {}
        for shuffle, faces in zip(self.trajectory.shuffles, self.faces, strict=True):
            self.known.update(zip(shuffle.keys, faces, strict=True))
        self.refilled: list[int] = []
        self.map: Faces = {}
        self.back: Faces = {}
        self.counted = len(self.trajectory.turns)
        self._turn_on(-1)
        for number in range(len(self.trajectory.shuffles)):
            if number in proposal.faces:
                self._deal(number, proposal.faces[number])
                self._turn_on(number)
        self.plan: list[int] | None = None

    def run(self) -> None:
        """Carry out the first stage.  Raises Impossible."""
        extend(self.trajectory, self)
        self._weigh()
        trajectory = self.trajectory
        self.wanted.stands(trajectory.state)
        if len(trajectory.turns) != len(self.world.trajectory.turns) or len(self.faces) != len(self.world.faces):
            raise Impossible
        if self.proposal.pasts is not None and not self._found_again(self.proposal.pasts):
            raise Impossible
        if self.proposal.pair is not None:
            self.odds += self._chosen(self.trajectory) - self._chosen(self.world.trajectory)

    def _found_again(self, pasts: Pasts) -> bool:
        """Say whether what was looked at to choose cards would be found on the way back."""
        old, new, moment = self.world.trajectory, self.trajectory, pasts.moment
        return all(lying(new, moment, place) == lying(old, moment, place) for place in pasts.places) and all(
            source(new.shuffles, moment, faces) == number for number, faces in pasts.sources
        )

    def _chosen(self, trajectory: Trajectory) -> float:
        """Return the logarithm of how likely the pair is chosen in a play, but for what is the same in all."""
        assert self.proposal.pair is not None
        number, *pair = self.proposal.pair
        keys, learned = trajectory.shuffles[number].keys, set(self.world.learned[number])
        homes = trajectory.state.homes()
        lying = Counter(homes.get(key, -1) for rank, key in enumerate(keys) if rank not in learned)
        one, other = (homes.get(keys[rank], -1) for rank in pair)
        if one == other:
            raise Impossible
        return log(sum(1 / (lying.total() - lying[place]) for place in (one, other)))

    def told(self, *, later: bool = False) -> World:
        """Carry out the second stage, or leave it for `later` where that can be, and return the outcome.

        Raises Impossible.
        """
        traces, before = self.wanted.traces, self.world.learned
        learned = self.wanted.learned_by_face(self.trajectory, self.faces) if later else None
        if learned is None:
            traces = self.wanted.retold(self.trajectory, self.world.traces, self.proposal.start.place)
            learned = learned_of(self.trajectory, traces)
        same = self.proposal.faces if self.proposal.learned_stay else ()
        # What is not chosen by what was learned may change it: a copy comes back to the player, or another one does.
        if any(learned[n] != before[n] for n in (*same, *self.refilled)):
            raise Impossible
        return World(self.trajectory, self.faces, learned, traces)

    # ---- shuffles

    def shuffled(self, trajectory: Trajectory) -> None:
        """Give the tokens of the newest shuffle their faces."""
        number = len(self.faces)
        old = self.world.trajectory.shuffles
        if number >= len(old) or len(old[number].keys) != len(trajectory.shuffles[number].keys):
            raise Impossible
        if old[number].mark.turns != len(trajectory.turns):
            raise Impossible
        self.faces.append([])
        before, now = old[number].content, trajectory.shuffles[number].content
        faces = self.world.faces[number]
        if number in self.proposal.faces:
            if before != now:
                raise Impossible
            faces = self.proposal.faces[number]
            self._turn_on(number)
        elif before != now:
            self.odds += _arrangements(now) - _arrangements(before)
            if _renamed(before, self.map) == now:
                faces, old_faces = [self.map.get(f, f) for f in faces], faces
                if [self.back.get(f, f) for f in faces] != old_faces:
                    raise Impossible
            elif _renamed(now, self.back) == before:
                raise Impossible
            else:
                faces = self._refill(number, before, now)
        self._deal(number, faces)

    def _refill(self, number: int, before: tuple[int, ...], now: tuple[int, ...]) -> list[int]:
        """Return faces for tokens whose pile holds other cards than it did: those learned stay."""
        faces, fixed = self.world.faces[number], set(self.world.learned[number])
        kept = Counter(faces[rank] for rank in fixed)
        left = Counter(now) - kept
        if left.total() + kept.total() != len(faces):
            raise Impossible
        self.refilled.append(number)
        self.odds += _arrangements(tuple((Counter(before) - kept).elements())) - _arrangements(tuple(left.elements()))
        rest = sorted(left.elements())
        chance.mix(self.rng, rest)
        return [face if rank in fixed else rest.pop() for rank, face in enumerate(faces)]

    def _deal(self, number: int, faces: list[int]) -> None:
        self.faces[number] = faces
        self.known.update(zip(self.trajectory.shuffles[number].keys, faces, strict=True))

    def _turn_on(self, number: int) -> None:
        more = self.proposal.maps.get(number, {})
        self.map = {**self.map, **more}
        self.back = {**self.back, **{new: old for old, new in more.items()}}

    def draw(self, trajectory: Trajectory) -> HistoryItem | None:
        """Return what the tokens were given."""
        state, old = trajectory.state, self.world.trajectory
        if self.wanted.waits(trajectory, old):
            return None
        whole = bool(old.draws) and old.draws[min(len(trajectory.draws), len(old.draws) - 1)].whole
        return drawn(state, self.known, whole=whole)

    # ---- turns

    def act(self, trajectory: Trajectory, legal: list[int], done: list[int]) -> int | None:
        """Return the next small action of a turn: as it was, mapped, or another."""
        number = len(trajectory.turns)
        if number >= len(self.world.trajectory.turns):
            return None
        turn = self.world.trajectory.turns[number]
        if not done:
            self._weigh()
            if trajectory.state.to_act != turn.player or not self.wanted.looks_alike(number, trajectory.state):
                raise Impossible
            self.plan = self._planned(number, turn, trajectory.state.game)
        if not turn.ended and len(done) == len(turn.actions):
            return None
        if self.plan is None:
            return anew(trajectory.state, legal, self.rng)
        if len(done) == len(self.plan):
            raise Impossible
        return self.plan[len(done)]

    def marks(self, trajectory: Trajectory) -> bool:
        """Say whether the next turn had a mark; it has one in all worlds of the player where they need one."""
        turns = self.world.trajectory.turns
        return len(trajectory.turns) < len(turns) and turns[len(trajectory.turns)].mark is not None

    def _planned(self, number: int, turn: Turn, game: GameBase) -> list[int] | None:
        how = self.proposal.turns.get(number)
        if how == "redraw":
            return None
        actions = list(turn.actions)
        if how is None:
            return actions
        new = mapped(game, turn, actions, self.map)
        if mapped(game, turn, new, self.back) != actions:
            raise Impossible
        return new

    def _weigh(self) -> None:
        """Compare how likely the last turn was; what was drawn anew cancels out."""
        before, now = self.world.trajectory.turns, self.trajectory.turns
        while self.counted < len(now):
            number = self.counted
            if len(now[number].actions) != len(before[number].actions) and self.proposal.turns.get(number) != "redraw":
                raise Impossible
            if now[number].player != self.wanted.player and self.proposal.turns.get(number) != "redraw":
                self.odds += before[number].load - now[number].load
            self.counted += 1


def anew(state: TokenState, legal: list[int], rng: Rng) -> int:
    """Return an action, each as likely as any other, or an outcome, as likely as it is."""
    if state.to_act != CHANCE:
        return legal[chance.below(rng, len(legal))]
    rest = rng.random()
    for outcome, probability in state.chance_outcomes():
        rest -= probability
        if rest < 0:
            return outcome
    return legal[-1]


def lying(trajectory: Trajectory, turn: int, place: int) -> list[int]:
    """Return the faces of what lies in a place in front of a marked turn, or at the end; -1 for tokens."""
    mark = trajectory.turns[turn].mark if turn < len(trajectory.turns) else None
    state = trajectory.state if mark is None else mark.state
    faces = state.game.card_faces
    return sorted(faces[card] if card < len(faces) else -1 for card in state.zones[place])


def source(shuffles: list[Shuffle], moment: int, faces: list[int]) -> int | None:
    """Return the last shuffle before a turn that had all of some cards."""
    for number in range(len(shuffles) - 1, -1, -1):
        if shuffles[number].mark.turns <= moment and set(faces) <= set(shuffles[number].content):
            return number
    return None


def _renamed(content: tuple[int, ...], faces: Faces) -> tuple[int, ...]:
    return tuple(sorted(faces.get(face, face) for face in content))


def _arrangements(faces: tuple[int, ...]) -> float:
    """Return the logarithm of how many arrangements of a pile's cards differ only by their copies."""
    return sum(lgamma(count + 1) for count in Counter(faces).values())
