"""Which change of a play is proposed: a leap, which draws anew all that may be, or one of six small kinds by lot.

Whatever is chosen from is the same in every play that the player cannot tell from this one, or is compared
afterwards (see `Proposal`), so that every way back is as likely as the way there.
"""

from __future__ import annotations

from functools import cached_property

from interpreter.runtime import chance
from interpreter.runtime.belief.proposals import Pasts, Proposal, Way, World, lying, source
from interpreter.runtime.belief.trajectories import Truth
from interpreter.runtime.chance import Rng
from interpreter.runtime.renaming import Faces, cards_of

KINDS = {"deal": 3, "swap": 12, "exchange": 6, "pasts": 5, "card": 1, "turn": 2}
"""The kinds of proposals, and how often each is made beside the others."""


class Proposer:
    """Chooses proposals for what one player has seen of a play."""

    def __init__(self, truth: Truth, player: int, rng: Rng) -> None:
        game = truth.logged.game
        self.game, self.rng = game, rng
        self.hidden = truth.hidden(player)
        veiled = sorted({*self.hidden, *truth.secret()})
        self.moments = sorted({t for turn in veiled for t in (turn, turn + 1)})
        self.unseen = [n for n, viewers in enumerate(game.place_viewers) if not viewers >> player & 1]

    def leap(self, world: World) -> Proposal | None:
        """Return a proposal that draws anew all that may be; None where nothing may."""
        return self._deal(world, 0, everything=True) if world.trajectory.shuffles else self._other_turns(world)

    def step(self, world: World) -> Proposal | None:
        """Return a proposal of any kind; None where it comes to nothing."""
        shuffled = bool(world.trajectory.shuffles)
        # Where all cards but one are learned there is nothing to deal otherwise; it is so in all worlds of the player.
        free = any(len(known) < len(faces) - 1 for known, faces in zip(world.learned, world.faces, strict=True))
        possible = {
            "deal": shuffled and free, "swap": shuffled and free, "exchange": shuffled,
            "pasts": shuffled and bool(self.hidden), "card": bool(self.hidden), "turn": bool(self.hidden),
        }  # fmt: skip
        kinds = [kind for kind, weight in KINDS.items() if possible[kind] for _ in range(weight)]
        kind = kinds[self._below(len(kinds))] if kinds else ""
        match kind:
            case "deal":
                return self._deal(world, self._recent(len(world.trajectory.shuffles)), everything=False)
            case "swap":
                return self._swap(world, self._recent(len(world.trajectory.shuffles)))
            case "exchange":
                return self._exchange(world, self._recent(len(world.trajectory.shuffles)))
            case "pasts":
                return self._other_pasts(world)
            case "card":
                return self._other_card(world, self.hidden[self._recent(len(self.hidden))])
            case "turn":
                return self._other_turn(world, self.hidden[self._recent(len(self.hidden))])
            case _:
                return None

    def _below(self, count: int) -> int:
        return chance.below(self.rng, count)

    def _maybe(self, probability: float) -> bool:
        return self.rng.random() < probability

    def _recent(self, count: int) -> int:
        """Return a number below `count`: half the time any, else one near the end."""
        if self._maybe(0.5):
            return self._below(count)
        back = 0
        while back < count - 1 and self._maybe(0.5):
            back += 1
        return count - 1 - back

    def _few(self, faces: list[int], items: list[int]) -> list[int]:
        """Return some of the items, which are in a random order and have these faces: mostly two different ones.

        What changes little is seldom refused.
        """
        few = 2
        while few < len(items) and self._maybe(0.25):
            few += 1
        if few > 2:
            return items[:few]
        other = next((item for face, item in zip(faces, items, strict=True) if face != faces[0]), None)
        return [] if other is None else [items[0], other]

    # ---- cards dealt otherwise

    def _deal(self, world: World, first: int, *, everything: bool) -> Proposal | None:
        """Deal cards that the player has not learned anew; hidden turns follow them, or are made anew."""
        shuffles = world.trajectory.shuffles
        wide = everything or self._maybe(0.25)
        most = everything or self._maybe(0.1)
        proposal = Proposal(shuffles[first].mark)
        for number in range(first, len(shuffles) if wide else first + 1):
            faces, learned = world.faces[number], set(world.learned[number])
            ranks = [rank for rank in range(len(faces)) if rank not in learned]
            chance.mix(self.rng, ranks)
            if not most and ranks:
                ranks = self._few([faces[rank] for rank in ranks], ranks)
            self._permute(world, proposal, number, ranks, by_one=not most)
        anew = 0.5 * (1 + self._below(2)) if everything else 0.25 * self._below(2)
        for turn in self._until(world, proposal.start.turns, first, wide=wide):
            proposal.turns[turn] = "redraw" if self._maybe(anew) else "map"
        changed = any(faces != world.faces[number] for number, faces in proposal.faces.items())
        return proposal if changed or "redraw" in proposal.turns.values() else None

    def _swap(self, world: World, number: int) -> Proposal | None:
        """Exchange two cards of a shuffle that the player has not learned and that lie in different places at the end.

        Much of what is dealt anew changes nothing that counts: it lies in the same place as before.
        """
        trajectory, faces, learned = world.trajectory, world.faces[number], set(world.learned[number])
        keys = trajectory.shuffles[number].keys
        homes = trajectory.state.homes()
        ranks = [rank for rank in range(len(keys)) if rank not in learned]
        one = ranks[self._below(len(ranks))] if ranks else -1
        others = [rank for rank in ranks if homes.get(keys[rank], -1) != homes.get(keys[one], -1)]
        if not others:
            return None
        other = others[self._below(len(others))]
        if faces[one] == faces[other]:
            return None
        proposal = Proposal(trajectory.shuffles[number].mark, pair=(number, one, other))
        self._permute(world, proposal, number, [one, other], by_one=True)
        follow = self._maybe(0.75)
        for turn in self._until(world, proposal.start.turns, number, wide=self._maybe(0.25)):
            proposal.turns[turn] = "map" if follow or self._maybe(0.5) else "redraw"
        return proposal

    def _permute(self, world: World, proposal: Proposal, number: int, ranks: list[int], *, by_one: bool) -> None:
        """Let tokens of a shuffle have each other's faces: each that of the one before it, or in a random order."""
        faces = proposal.faces.setdefault(number, world.faces[number][:])
        old = [faces[rank] for rank in ranks]
        new = old[-1:] + old[:-1]
        if not by_one:
            chance.mix(self.rng, new)
        for rank, face in zip(ranks, new, strict=True):
            faces[rank] = face
        if len(set(old)) == len(old):
            proposal.maps.setdefault(number, {}).update(zip(old, new, strict=True))

    def _exchange(self, world: World, number: int) -> Proposal | None:
        """Exchange two cards of a shuffle, learned or not; each hidden turn follows them or does not."""
        faces = world.faces[number][:]
        one, other = self._below(len(faces)), self._below(len(faces))
        if faces[one] == faces[other]:
            return None
        both = {faces[one]: faces[other], faces[other]: faces[one]}
        faces[one], faces[other] = faces[other], faces[one]
        start = world.trajectory.shuffles[number].mark
        turns = self._by_lot(self._until(world, start.turns, number, wide=self._maybe(0.5)))
        return Proposal(start, {number: faces}, {number: both}, turns, learned_stay=False)

    def _other_pasts(self, world: World) -> Proposal | None:
        """Let cards that lie in one place at some moment have come there as others of them did.

        The moment is one at which hidden turns may have had their effect.  What happens to the cards from then on,
        and what has been seen of it, stays.  Each token is changed once, or the way back would be another.
        """
        trajectory = world.trajectory
        moment = self.moments[self._recent(len(self.moments))]
        places = [place for place in self.unseen if self._maybe(0.5)]
        proposal: Proposal | None = None
        sources: list[tuple[int, list[int]]] = []
        changed: set[tuple[int, int]] = set()
        for place in places:
            there = lying(trajectory, moment, place)
            if len(there) < 2 or -1 in there:
                continue
            chance.mix(self.rng, there)
            chosen = self._few(there, there)
            number = source(trajectory.shuffles, moment, chosen)
            if not chosen or number is None or len(set(chosen)) < len(chosen):
                continue
            sources.append((number, chosen))
            start = trajectory.shuffles[number].mark
            if proposal is None:
                proposal = Proposal(start, learned_stay=False)
            elif start.turns < proposal.start.turns or start.shuffles < proposal.start.shuffles:
                proposal.start = start
            ranks = [self._rank(world, number, face) for face in chosen]
            if changed & {(number, rank) for rank in ranks}:
                return None
            changed |= {(number, rank) for rank in ranks}
            self._permute(world, proposal, number, ranks, by_one=True)
        if proposal is not None:
            proposal.pasts = Pasts(moment, tuple(places), tuple(sources))
            proposal.turns = {turn: "map" for turn in self.hidden if proposal.start.turns <= turn < moment}
        return proposal

    def _rank(self, world: World, number: int, face: int) -> int:
        ranks = [rank for rank, other in enumerate(world.faces[number]) if other == face]
        return ranks[self._below(len(ranks))]

    # ---- turns made otherwise

    def _other_card(self, world: World, turn: int) -> Proposal | None:
        """Let a hidden turn name another card in the place of one; later ones do so too, or do not."""
        trajectory, game = world.trajectory, self.game
        named = cards_of(game, trajectory.turns[turn])
        mark = trajectory.turns[turn].mark
        if not named or mark is None:
            return None
        face = named[self._below(len(named))]
        home = self._homes[face]
        family = [f for f in range(game.num_faces) if self._homes[f] == home]
        other = family[self._below(len(family))]
        if other == face:
            return None
        both: Faces = {face: other, other: face}
        turns: dict[int, Way] = {**self._by_lot([t for t in self.hidden if t > turn]), turn: "map"}
        return Proposal(mark, maps={-1: both}, turns=turns)

    def _other_turn(self, world: World, turn: int) -> Proposal | None:
        mark = world.trajectory.turns[turn].mark
        return None if mark is None else Proposal(mark, turns={turn: "redraw"})

    def _other_turns(self, world: World) -> Proposal | None:
        mark = world.trajectory.turns[self.hidden[0]].mark if self.hidden else None
        return None if mark is None else Proposal(mark, turns=dict.fromkeys(self.hidden, "redraw"))

    def _by_lot(self, turns: list[int]) -> dict[int, Way]:
        return {turn: "map" for turn in turns if self._maybe(0.5)}

    def _until(self, world: World, first: int, number: int, *, wide: bool) -> list[int]:
        """Return the hidden turns from one on: up to the next shuffle, or all."""
        ends = [s.mark.turns for s in world.trajectory.shuffles[number + 1 :] if s.mark.turns > first]
        end = len(world.trajectory.turns) if wide or not ends else ends[0]
        return [turn for turn in self.hidden if first <= turn < end]

    @cached_property
    def _homes(self) -> list[frozenset[int]]:
        """The places in which the cards of each face lie before play."""
        game = self.game
        found: list[set[int]] = [set() for _ in range(game.num_faces)]
        for place, cards in game.data.homes:
            for card in cards:
                found[game.card_faces[card]].add(place)
        return [frozenset(places) for places in found]
