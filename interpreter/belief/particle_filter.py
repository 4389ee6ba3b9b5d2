"""Particle filter over the plays that a player cannot distinguish from the true one (sequential importance resampling).

It serves where there is no library of the game in C, and where the number of unseen draws depends on a secret.  Each
particle is a play that is carried out turn by turn, as `Evidence` has them: actions that the player saw are repeated,
hidden ones are drawn at random, and a particle is dropped as soon as the player would see something else.  An outcome
of chance is the next one that the player saw where that fits, else it is drawn at random.  The weight of a particle is
the likelihood of what the player saw of chance and of the others' actions, divided by the likelihood with which the
filter drew it.  Where few particles carry most of the weight, they are resampled (Gordon, Salmond and Smith, 1993).

A shuffled pile is dealt from a defensive mixture (Hesterberg, 1995): mostly the cards that the player has learned since
lie where the player learned them and the rest is random; sometimes all of it is random, so that every possible play can
be drawn.  The estimate is therefore consistent.  The filter degenerates where hardly a particle survives: then
`mixing.reached` is false.  Where none survives, it has no worlds; the true play is never given out instead.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from math import exp, lgamma, log
from typing import TYPE_CHECKING

import attrs

from interpreter.belief.evidence import (
    Comparison,
    Evidence,
    InconsistentError,
    Shuffle,
    TokenKey,
    Turn,
    is_turn_over,
    new_shuffles,
    saw_outcome,
)
from interpreter.belief.mixing import PREPARING, Mixing
from interpreter.engine import chance, interruption
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.interruption import Interrupted
from interpreter.engine.logged import LoggedMachine, first_log
from interpreter.engine.machine import CHANCE

if TYPE_CHECKING:
    from interpreter.engine.chance import Rng
    from interpreter.engine.game_base import PlainState
    from interpreter.engine.machine import HistoryItem, Machine
    from interpreter.native.plays import WatchedGame

PARTICLES = 32
"""How many particles are carried out side by side."""

ENOUGH = 16.0
"""The effective sample size at which no further particles are drawn."""

WORK, OUTCOMES = 8_000, 50
"""The most turns and draws that are carried out for one position; as much as one are so many outcomes of a draw."""

UNINFORMED = 0.2
"""The share of shuffles that are dealt without regard to what the player has learned since."""


@attrs.define(eq=False)
class Particle:
    """A play with its log, the faces of its tokens, and the logarithm of its weight."""

    state: LoggedMachine
    comparison: Comparison
    faces: dict[TokenKey, int] = attrs.field(factory=dict)
    epoch: int = 0
    shuffles: int = 0
    draws: int = 0
    outcomes: int = 0
    weight: float = 0.0

    def clone(self) -> Particle:
        """Return an independent copy."""
        return attrs.evolve(self, state=self.state.clone(), comparison=self.comparison.copy(), faces=dict(self.faces))

    def become(self, other: Particle) -> None:
        """Continue as another particle does, which is of no more use."""
        for field in attrs.fields(Particle):
            setattr(self, field.name, getattr(other, field.name))


class ParticleFilter:
    """The belief of a player as weighted plays."""

    exact = False
    library: WatchedGame | None = None

    def __init__(self, state: Machine, player: int, rng: Rng) -> None:
        self._rng = rng
        self._evidence = Evidence(state, player)
        self._mixing: Mixing | None = None
        self._particles: list[Particle] = []
        self._work = 0

    @property
    def mixing(self) -> Mixing:
        """The number of surviving particles, their effective sample size, and whether that is enough."""
        if self._mixing is None:
            with interruption.within(PREPARING), suppress(Interrupted):
                self._fill()
            effective = effective_size(self._particles)
            self._mixing = Mixing(
                "particles", reached=effective >= ENOUGH, particles=len(self._particles), effective=effective
            )
        return self._mixing

    @property
    def shortfall(self) -> str:
        """Why there is no world, in words; empty where there are worlds."""
        return self.mixing.shortfall

    def draw(self, n: int) -> list[PlainState]:
        """Return worlds with the frequencies of their weights; none where the filter has degenerated."""
        worlds: list[PlainState] = []
        if self.mixing.particles:
            with suppress(Interrupted):
                for particle in _resampled(self._particles, n, self._rng):
                    worlds.append(_plain(particle))
        return worlds

    def weighted(self) -> list[tuple[PlainState, float]]:
        """Return all particles as worlds, each with its share of the weight."""
        if not self.mixing.particles:
            return []
        return list(zip(map(_plain, self._particles), _shares(self._particles), strict=True))

    def advance(self, state: Machine) -> None:
        """Continue the particles over what has happened since.  Raises Interrupted."""
        before, particles = self._evidence, self._particles
        self._evidence = Evidence(state, before.player)
        self._mixing, self._work, self._particles = None, 0, []
        goes_on = before.entries == self._evidence.entries[: len(before.entries)] and before.state.awaited is None
        if particles and goes_on and before.finished_turns == len(before.turns):
            for particle in particles:
                particle.comparison.evidence = self._evidence
            self._particles = self._carried(particles, before.finished_turns)
            if effective_size(self._particles) < ENOUGH:
                self._particles = []

    def _fill(self) -> None:
        """Draw particles until their effective sample size is enough or the work is spent.  Raises Interrupted."""
        while effective_size(self._particles) < ENOUGH and self._work < WORK:
            self._particles += self._carried([self._first() for _ in range(PARTICLES)], 0)

    def _first(self) -> Particle:
        start = first_log(self._evidence.state.game)
        start.derived = {}
        return Particle(start, Comparison(self._evidence))

    def _carried(self, particles: list[Particle], first: int) -> list[Particle]:
        """Return the particles that survive the turns from a number on, resampled where few carry the weight."""
        evidence = self._evidence
        for turn in evidence.turns[first:]:
            if self._work > 2 * WORK:
                return []
            particles = [particle for particle in particles if self._survives_turn(particle, turn)]
            if particles and effective_size(particles) < len(particles) / 2:
                particles = _resampled(particles, PARTICLES, self._rng)
        return [particle for particle in particles if self._survives_end(particle)]

    # ---- one particle

    def _survives_turn(self, particle: Particle, turn: Turn) -> bool:
        interruption.check()
        try:
            self._ask_chance(particle)
            self._make_turn(particle, turn)
        except (InconsistentError, IllegalActionError, RuleError):
            return False
        return True

    def _survives_end(self, particle: Particle) -> bool:
        """Carry out what chance decides after the last turn: all of it, or up to the same view in a play that waits."""
        evidence = self._evidence
        try:
            if evidence.state.to_act != CHANCE:
                self._ask_chance(particle)
            while not evidence.is_end(particle.state, particle.comparison):
                if particle.state.to_act != CHANCE:
                    return False
                self._step_of_chance(particle)
        except (InconsistentError, IllegalActionError, RuleError):
            return False
        return True

    def _make_turn(self, particle: Particle, turn: Turn) -> None:
        """Carry out a turn: as the player saw it, or at random.  Raises InconsistentError and what states raise."""
        state, done = particle.state, 0
        if state.to_act != turn.player:
            raise InconsistentError
        while turn.ended or done < len(turn.actions):
            legal = state.legal_actions()
            outcomes = dict.fromkeys(legal, 1 / len(legal))
            if turn.hidden:
                action = _drawn(outcomes, self._rng)
            elif done < len(turn.actions) and turn.actions[done] in outcomes:
                action = turn.actions[done]
                particle.weight += 0.0 if turn.player == self._evidence.player else log(outcomes[action])
            else:
                raise InconsistentError
            self._apply(particle, action)
            done += 1
            if is_turn_over(state, turn.player):
                break
        if is_turn_over(state, turn.player) != turn.ended or (not turn.hidden and done != len(turn.actions)):
            raise InconsistentError

    def _ask_chance(self, particle: Particle) -> None:
        """Carry out what chance decides before the next decision.  Raises InconsistentError and what states raise."""
        while particle.state.awaited is not None or particle.state.to_act == CHANCE:
            self._step_of_chance(particle)

    def _step_of_chance(self, particle: Particle) -> None:
        interruption.check()
        if particle.state.awaited is None:
            self._draw_outcome(particle)
        else:
            self._draw_cards(particle)

    def _draw_outcome(self, particle: Particle) -> None:
        """Carry out `random`: with the next outcome that the player saw where that fits, else drawn at random."""
        evidence, before = self._evidence, len(particle.state.log)
        outcomes = dict(particle.state.chance_outcomes())
        self._work += len(outcomes) // OUTCOMES
        if particle.outcomes < len(evidence.outcomes) and (seen := evidence.outcomes[particle.outcomes]) in outcomes:
            trial = particle.clone()
            with suppress(InconsistentError, IllegalActionError, RuleError):
                self._apply(trial, seen)
                if saw_outcome(trial.state.log[before:], evidence.eyes):
                    trial.outcomes += 1
                    trial.weight += log(outcomes[seen])
                    particle.become(trial)
                    return
        self._apply(particle, _drawn(outcomes, self._rng))

    def _draw_cards(self, particle: Particle) -> None:
        """Give the waiting tokens their faces: all tokens, or one, as the true play did.  Raises InconsistentError."""
        state, drawn = particle.state, self._evidence.whole_draws
        assert state.awaited is not None
        whole = bool(drawn) and drawn[min(particle.draws, len(drawn) - 1)]
        tokens = [token for _, token in state.tokens_in_order()] if whole else [state.awaited]
        self._deal(particle)
        try:
            faces = tuple([particle.faces[state.token_epochs[token], token] for token in tokens])
        except KeyError:
            raise InconsistentError from None
        particle.draws += 1
        self._apply(particle, faces if whole else faces[0])

    def _apply(self, particle: Particle, item: HistoryItem) -> None:
        self._work += 1
        particle.state.apply_action(item)
        particle.comparison.read_on(particle.state.log)
        self._deal(particle)

    def _deal(self, particle: Particle) -> None:
        """Give the tokens of new shuffles their faces, from the defensive mixture."""
        for shuffle in new_shuffles(particle.state, particle.epoch):
            known = self._evidence.shuffles[particle.shuffles :][:1]
            learned = known[0].learned if known and len(known[0].keys) == len(shuffle.keys) else {}
            faces, odds = dealt(shuffle, learned, self._rng)
            particle.weight -= odds
            particle.faces.update(zip(shuffle.keys, faces, strict=True))
            particle.shuffles += 1
            particle.epoch = shuffle.keys[0][0]


def dealt(shuffle: Shuffle, learned: dict[int, int], rng: Rng) -> tuple[list[int], float]:
    """Deal the cards of a shuffle from the defensive mixture.

    Return the face of each token by rank, and the logarithm of how much likelier the mixture deals these than chance.
    """
    counts, content = Counter(learned.values()), Counter(shuffle.content)
    fits = bool(learned) and all(content[face] >= count for face, count in counts.items())
    pinned = learned if fits and rng.random() >= UNINFORMED else {}
    rest = sorted((content - Counter(pinned.values())).elements())
    chance.mix(rng, rest)
    faces = [pinned[rank] if rank in pinned else rest.pop() for rank in range(len(shuffle.content))]
    if not fits:
        return faces, 0.0
    if any(faces[rank] != face for rank, face in learned.items()):
        return faces, log(UNINFORMED)
    size = len(faces)
    by_chance = lgamma(size - len(learned) + 1) - lgamma(size + 1)
    by_chance += sum(lgamma(content[face] + 1) - lgamma(content[face] - count + 1) for face, count in counts.items())
    return faces, log(UNINFORMED + (1 - UNINFORMED) * exp(-by_chance)) if by_chance > -700 else -by_chance


def effective_size(particles: list[Particle]) -> float:
    """Return the effective sample size of weighted particles (Kish): the equivalent number of equally weighted
    particles."""
    return 1 / sum(share * share for share in _shares(particles)) if particles else 0.0


def _shares(particles: list[Particle]) -> list[float]:
    most = max(particle.weight for particle in particles)
    weights = [exp(particle.weight - most) for particle in particles]
    whole = sum(weights)
    return [weight / whole for weight in weights]


def _resampled(particles: list[Particle], count: int, rng: Rng) -> list[Particle]:
    """Return copies of particles by their weights (systematic resampling), in random order; together they weigh as
    much as before.
    """
    shares = _shares(particles)
    most = max(particle.weight for particle in particles)
    whole = most + log(sum(exp(particle.weight - most) for particle in particles))
    found: list[int] = []
    reached, at = shares[0], 0
    offset = rng.random()
    for number in range(count):
        while at < len(particles) - 1 and (number + offset) / count >= reached:
            at += 1
            reached += shares[at]
        found.append(at)
    chance.mix(rng, found)
    copies = [particles[place].clone() for place in found]
    for copy in copies:
        copy.weight = whole - log(count)
    return copies


def _drawn(outcomes: dict[int, float], rng: Rng) -> int:
    rest = rng.random()
    for action, share in outcomes.items():
        rest -= share
        if rest < 0:
            return action
    return action


def _plain(particle: Particle) -> PlainState:
    """Return the play of a particle as a plain state.  Raises Interrupted."""
    interruption.check()
    state = particle.state.game.new_python_state()
    for item in particle.state.entries[1::2]:
        state.apply_action(item)
    return state
