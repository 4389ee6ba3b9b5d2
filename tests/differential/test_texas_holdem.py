"""Texas Hold'em against a second implementation, written from the rules: legal actions, and who wins which pots.

It counts pots chip by chip, ranks hands by sorting, and shares no code with the spec.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from itertools import combinations, groupby
from random import Random

import attrs
import pytest

from interpreter import load
from interpreter.knowledge.events import Moved

RANKS = "23456789TJQKA"

Decisions = Generator[tuple[int, set[str]], str, None]
"""Who decides and what is legal; the action is sent back."""


def rank(cards: tuple[str, ...]) -> tuple[int, list[int]]:
    """Return the rank of five cards: the category, and the ranks in the order in which they count."""
    counts = Counter(RANKS.index(card[0]) for card in cards)
    order = sorted(counts, key=lambda r: (-counts[r], -r))
    pattern = sorted(counts.values(), reverse=True)
    straight = len(counts) == 5 and (order[0] - order[4] == 4 or order == [12, 3, 2, 1, 0])
    if order == [12, 3, 2, 1, 0]:
        order = [3, 2, 1, 0, -1]
    flush = len({card[1] for card in cards}) == 1
    groups = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], "straight", "flush", [3, 2], [4, 1]]
    category = 8 if straight and flush else 5 if flush else 4 if straight else groups.index(pattern)
    return category, order


@attrs.define
class Table:
    """One deal: chips in front of the players, and who may still do what."""

    stacks: list[int]
    dealer: int
    small: int
    paid: list[int] = attrs.field(init=False)
    bets: list[int] = attrs.field(init=False)
    folded: set[int] = attrs.field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.paid, self.bets = [0] * len(self.stacks), [0] * len(self.stacks)

    def seats(self, first: int) -> list[int]:
        """Return the seats round the table, from one on."""
        return [(first + n) % len(self.stacks) for n in range(len(self.stacks))]

    def put(self, seat: int, chips: int) -> None:
        """Let a player bet chips, all if there are not so many."""
        chips = min(chips, self.stacks[seat])
        self.stacks[seat] -= chips
        self.bets[seat] += chips
        self.paid[seat] += chips

    def play(self) -> Decisions:
        """Give who decides and what is legal; the action is sent back."""
        after = self.seats(self.dealer + 1)
        first = self.dealer if len(after) == 2 else after[0]
        second = self.seats(first + 1)[0]
        self.put(first, self.small)
        self.put(second, 2 * self.small)
        for start in (second + 1, *[self.dealer + 1] * 3):
            yield from self.street(start)
            self.bets = [0] * len(self.bets)

    def street(self, start: int) -> Decisions:
        """Give the decisions of one round of bets."""
        step, waiting, closed = 2 * self.small, self.seats(start), set[int]()
        while waiting:
            seat = waiting.pop(0)
            high, mine, chips = max(self.bets), self.bets[seat], self.stacks[seat]
            rivals = [s for s in range(len(self.stacks)) if s != seat and s not in self.folded and self.stacks[s] > 0]
            if seat in self.folded or chips == 0 or (mine == high and not rivals):
                continue
            legal = {"check"} if mine == high else {"fold", "call"}
            raises = [n for n in range(high + 1, mine + chips + 1) if n >= high + step or n == mine + chips]
            legal |= set() if seat in closed else {f"raise_to {n}" for n in raises}
            action = yield seat, legal
            closed.add(seat)
            if action == "fold":
                self.folded.add(seat)
            elif action == "call":
                self.put(seat, high - mine)
            elif action != "check":
                new = int(action.split()[1])
                if new >= high + step:
                    step, closed = new - high, {seat}
                self.put(seat, new - mine)
                waiting = self.seats(seat)[1:]

    def share(self, hands: list[list[str]], board: list[str]) -> None:
        """Give the pots to the winners."""
        slices = [
            ([s for s in self.seats(self.dealer + 1) if self.paid[s] > chip and s not in self.folded], chip)
            for chip in range(max(self.paid))
        ]
        for eligible, chips in groupby(slices, key=lambda one: one[0]):
            pot = sum(sum(paid > chip for paid in self.paid) for _, chip in chips)
            best = eligible
            if len(eligible) > 1:
                ranks = {s: max(map(rank, combinations((*hands[s], *board), 5))) for s in eligible}
                best = [s for s in eligible if ranks[s] == max(ranks.values())]
            for place, seat in enumerate(best):
                self.stacks[seat] += pot // len(best) + (place < pot % len(best))


@pytest.mark.parametrize("players", [2, 6, pytest.param(3, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("stacks", "small"), [(50, 1), (7, 2)])
@pytest.mark.parametrize("plays", [12, pytest.param(300, marks=pytest.mark.soak)])
def test_texas_holdem_is_the_same_game_as_a_second_implementation(
    players: int, stacks: int, small: int, plays: int
) -> None:
    game = load("classics/texas_holdem", players, {"stacks": stacks, "small_blind": small, "deals": 1})
    place = {game.place_name(number): number for number in range(game.num_places)}
    dealer = next(n for n in range(len(game.variables)) if game.variable_name(n) == "dealer")
    for seed in range(plays):
        rng, state = Random(seed), game.new_initial_state()
        state.resolve_chance(rng)
        table = Table([stacks] * players, state.values[dealer], small)
        model = table.play()
        action: str | None = None
        while not state.is_terminal():
            seat, legal = next(model) if action is None else model.send(action)
            actions = {state.action_to_string(a): a for a in state.legal_actions()}
            assert (seat, legal) == (state.current_player(), set(actions)), seed
            action = rng.choice(sorted(actions))
            action = min(action, rng.choice(sorted(actions)))  # Raises are many, and end a deal.
            state.apply_action(actions[action])
            if state.is_chance_node():
                state.resolve_chance(rng)
        shown: dict[int, list[str]] = {}
        for event in state.events():
            if isinstance(event, Moved) and event.origin == place["stock"]:
                shown.setdefault(event.target, []).extend(game.texts.face(face) for face in event.cards)
        hands = [shown[place[f"hand[player {n + 1}]"]] for n in range(players)]
        with pytest.raises(StopIteration):
            _ = next(model) if action is None else model.send(action)
        table.share(hands, shown.get(place["board"], []))
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.scores is not None
        assert table.stacks == [*outcome.scores], seed
