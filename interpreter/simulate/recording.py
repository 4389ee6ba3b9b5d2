"""Count one play in Python as `interpreter/native/c/counted.h` counts it in C, number by number.

There it is told what the totals are, and the numbers of a row; here it is for players that are not random, and for
machines without a compiler.  Who leads is asked of a copy that is brought to its end by the rules; where that needs a
card that nobody has drawn, or breaks a rule, nobody leads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import attrs

from interpreter.engine.faults import RuleError
from interpreter.engine.logged import log_of
from interpreter.engine.machine import Machine
from interpreter.engine.outcome import Outcome
from interpreter.program.nodes import Decision

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.native.counted import CountedGame

Of = TypeVar("Of", bound=Machine)

UNIT = 720_720
"""A win, which up to 16 can share equally in whole numbers."""

MOST_WORTH = 2**25
"""The greatest score, above 0 and below, that counts as more than a smaller one."""

NONE = -(2**63)
"""What stands where there is no number."""

MEASURES = ("decisions", "forced", "legal", "turns", "rounds", "wait", "changes", "settled", "behind")
"""What the numbers of a play begin with, in order; behind them stand three numbers for each seat."""


@attrs.frozen
class Row:
    """One play: how it ended, its small actions, and its `numbers`.

    These are what `MEASURES` says, the decisions of each seat, what each seat won, and what it won in a second play of
    the same deal (`NONE` where there was none).
    """

    outcome: Outcome
    length: int
    numbers: Sequence[int]


@attrs.frozen(eq=False)
class Layout:
    """Where what stands in the totals of a game."""

    game: Game

    @property
    def players(self) -> int:
        """How many players there are."""
        return self.game.num_players

    @cached_property
    def actions(self) -> int:
        """How many small actions there are."""
        return max(1, self.game.num_distinct_actions)

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The rule tags, in their order."""
        return self.game.rules.tag_names

    @property
    def moments(self) -> int:
        """How many numbers the moments of one thing are."""
        return self.players + 4

    @cached_property
    def parts(self) -> dict[str, slice]:
        """The parts of the totals."""
        sizes = {
            "offered": self.actions,
            "taken": self.actions,
            "by action": self.actions * self.moments,
            "by face": self.game.num_faces * self.moments,
            "by node": len(self.game.program.nodes) * 4,
            "by block": len(self.game.shapes),
            "by tag": len(self.tags),
        }
        found, at = {}, 0
        for name, size in sizes.items():
            found[name] = slice(at, at + size)
            at += size
        return found

    @property
    def totals(self) -> int:
        """How many numbers the totals are."""
        return sum(part.stop - part.start for part in self.parts.values())

    @cached_property
    def hands(self) -> tuple[tuple[int, int], ...]:
        """The places that are hands, with their owners (`interpreter.program.c.counting`)."""
        game = self.game
        owned = [(place, owner) for place, owner in enumerate(game.place_owners) if owner is not None]
        private = tuple((place, owner) for place, owner in owned if game.place_viewers[place] == 1 << owner)
        return private or tuple((place, owner) for place, owner in owned if game.place_viewers[place] >> owner & 1)

    @cached_property
    def blocks(self) -> dict[int, int]:
        """The number of the block that each small action belongs to."""
        blocks = enumerate(self.game.shapes)
        return {action: number for number, b in blocks for action in range(b.base, b.base + b.size)}

    @cached_property
    def begins(self) -> frozenset[int]:
        """The nodes at which a whole decision begins."""
        nodes = self.game.program.nodes
        return frozenset(n.number for n in nodes if isinstance(n, Decision) and n.only is None)


class Recorder:
    """Counts plays of one game into `totals`."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.game = layout.game
        self.totals = [0] * layout.totals

    def play(self, state: Of, settle: Callable[[Of], None], choose: Callable[[Of], int | Sequence[int]]) -> Row:
        """Play on from a beginning whose chance is settled, and count it.

        `settle` answers the chance that waits; `choose` gives a small action of the player to act, or several.  Raises
        RuleError, IllegalActionError.
        """
        count = self.layout.players
        competitive = not self.game.cooperative and count > 1
        own, waited = [0] * count, [0] * count
        behind = [0] * (2 * count)
        did: list[set[int]] = [set() for _ in range(count)]
        held: list[set[int]] = [set() for _ in range(count)]
        decisions = forced = legal_sum = turns = rounds = wait = changes = since = 0
        seats = leading = leader = 0
        last, begun_at, alone = -1, 0, False
        offered, taken, by_node = (self.layout.parts[name].start for name in ("offered", "taken", "by node"))
        totals, begins = self.totals, self.layout.begins
        waiting: list[int] = []
        met: set[int] = set()
        while not state.is_terminal():
            legal = state.legal_actions()
            player, node = state.current_player(), state.node
            for action in legal:
                totals[offered + action] += 1
            if node in begins:
                if alone:
                    forced += 1
                    totals[by_node + 4 * begun_at + 1] += 1
                begun_at, alone = node, True
                decisions += 1
                legal_sum += len(legal)
                own[player] += 1
                totals[by_node + 4 * node] += 1
                totals[by_node + 4 * node + 2] += len(legal)
                met.add(node)
                waited = [0 if p == player else n + 1 for p, n in enumerate(waited)]
                wait = max(wait, *waited)
                for place, owner in self.layout.hands:
                    held[owner].update(self.cards_in(state, place))
                if player != last:
                    last = player
                    seats |= 1 << player
                    if seats.bit_count() == count:
                        rounds, seats = rounds + 1, 0
                    if competitive:
                        now = self._leaders(state, behind)
                        if now != leading:
                            leading, since = now, turns
                        if now.bit_count() == 1:
                            changes += bool(leader) and leader != now
                            leader = now
                    turns += 1
            alone = alone and len(legal) == 1
            if not waiting:
                chosen = choose(state)
                waiting = [chosen] if isinstance(chosen, int) else list(chosen)
            action = waiting.pop(0)
            state.apply_action(action)
            totals[taken + action] += 1
            did[player].add(action)
            settle(state)
        if alone and decisions:
            forced += 1
            totals[by_node + 4 * begun_at + 1] += 1
        outcome = state.outcome()
        assert outcome is not None
        best = bits(outcome.winners)
        settled = 0 if not turns else 100 * since // turns if best == leading else 100
        worth = worth_of(outcome)
        self._weigh("by action", did, worth)
        self._weigh("by face", [self._faces(cards) for cards in held], worth)
        for node in met:
            totals[by_node + 4 * node + 3] += 1
        for block in {self.layout.blocks[action] for actions in did for action in actions}:
            totals[self.layout.parts["by block"].start + block] += 1
        reached = self.reached(state)
        for place, tag in enumerate(self.layout.tags, self.layout.parts["by tag"].start):
            totals[place] += tag in reached
        measures = decisions, forced, legal_sum, turns, rounds, wait, changes, settled, lowest(outcome, behind)
        return Row(outcome, state.num_decisions, [*measures, *own, *worth, *[NONE] * count])

    def cards_in(self, state: Machine, place: int) -> Sequence[int]:
        """Return the cards that lie in a place; a number that is no card stands for one that nobody has drawn."""
        return state.zones[place]

    def standing(self, state: Machine) -> Outcome | None:
        """Return how a play would have ended if it ended now; None where that cannot be told."""
        copy = state.clone()
        copy.steps = 0
        try:
            copy._run(copy.game.final)
        except RuleError:
            return None
        return copy.result

    def reached(self, state: Machine) -> frozenset[str]:
        """Return the rule tags that a play has reached at its end."""
        return frozenset(log_of(state).tags)

    def _leaders(self, state: Machine, behind: list[int]) -> int:
        """Return who would have won if the play ended now, as bits, and note how far behind each has been."""
        found = self.standing(state)
        if found is None:
            return 0
        if found.scores is not None:
            count = self.layout.players
            top, low = max(found.scores), min(found.scores)
            for p, score in enumerate(found.scores):
                behind[p] = max(behind[p], top - score)
                behind[count + p] = max(behind[count + p], score - low)
        return bits(found.winners)

    def _faces(self, cards: Iterable[int]) -> set[int]:
        return {self.game.card_faces[card] for card in cards if card < self.game.num_cards}

    def _weigh(self, part: str, had: Sequence[set[int]], worth: Sequence[int]) -> None:
        """Add one play to the moments of all that some seat had."""
        for thing in set().union(*had):
            at = self.layout.parts[part].start + thing * self.layout.moments
            seats = [p for p, things in enumerate(had) if thing in things]
            n, x = len(seats), sum(worth[p] for p in seats)
            for p in seats:
                self.totals[at + p] += 1
            for place, moment in enumerate((x, x * x, x * n, n * n), at + self.layout.players):
                self.totals[place] += moment


def bits(players: Iterable[int]) -> int:
    """Return players as bits."""
    return sum(1 << p for p in players)


def worth_of(outcome: Outcome) -> list[int]:
    """Return what each seat won: a share of UNIT, equal for all where nobody has won; the score of co-operation."""
    count = len(outcome.returns)
    if outcome.cooperative:
        scores = outcome.scores or (0,) * count
        return [max(-MOST_WORTH, min(MOST_WORTH, score)) for score in scores]
    if not outcome.winners:
        return [0 if count == 1 else UNIT // count] * count
    return [UNIT // len(outcome.winners) if p in outcome.winners else 0 for p in range(count)]


def lowest(outcome: Outcome, behind: Sequence[int]) -> int:
    """Return how far behind a single winner was at most: from above where the highest score won, else from below.

    -1 where nobody won alone, or the score does not tell who.
    """
    scores = outcome.scores
    if scores is None or len(outcome.winners) != 1:
        return -1
    (winner,) = outcome.winners
    if scores[winner] == max(scores):
        return behind[winner]
    return behind[len(scores) + winner] if scores[winner] == min(scores) else -1


def margin_of(outcome: Outcome) -> int | None:
    """Return how far the winner's score is from the next, on the side on which it wins; None without scores."""
    if outcome.scores is None or len(outcome.scores) < 2:
        return None
    ranked = sorted(outcome.scores)
    if outcome.winners and outcome.scores[outcome.winners[0]] == ranked[0] != ranked[-1]:
        return ranked[1] - ranked[0]
    return ranked[-1] - ranked[-2]


def native_rows(native: CountedGame, numbers: Sequence[Sequence[int]]) -> list[Row]:
    """Return the rows that C wrote."""
    outcomes = native.outcomes(numbers)
    return [Row(end, row[1], row[native.row :]) for end, row in zip(outcomes, numbers, strict=True)]
