"""Hearts written by hand, one deal with passing to the left: a yardstick for the generated machine.

Knows nothing of the engine.  A card is a number from 0 to 51, thirteen ranks of clubs, diamonds, hearts and spades;
an action is the card that is passed or played.  Three cards are passed in ascending order, one after another.
"""

from __future__ import annotations

from random import Random

HEARTS = 2
SPADE_QUEEN = 3 * 13 + 10
SUIT_OF = [card // 13 for card in range(52)]
WORTH = [1 if card // 13 == HEARTS else 13 if card == SPADE_QUEEN else 0 for card in range(52)]


class PlainHearts:
    """One deal, open to the one who holds it."""

    def __init__(self, deck: list[int]) -> None:
        """Deal thirteen cards to each player, from the top of the deck."""
        self.hands = [sorted(deck[13 * p : 13 * p + 13]) for p in range(4)]
        self.gifts: list[list[int]] = [[], [], [], []]
        self.player = 0
        self.passing = True
        self.trick: list[int] = []
        self.leader = 0
        self.points = [0, 0, 0, 0]
        self.broken = False
        self.first = True

    def legal(self) -> list[int]:
        """Return the cards that may be passed or played, ascending; none when the deal is over."""
        hand = self.hands[self.player]
        if self.passing:
            gift = self.gifts[self.player]
            rest = [c for c in hand if not gift or c > gift[-1]]
            return rest[: len(rest) - (2 - len(gift))]
        if not hand:
            return []
        if not self.trick:
            if self.first:
                return [0]
            if self.broken:
                return hand[:]
            return [c for c in hand if SUIT_OF[c] != HEARTS] or hand[:]
        led = SUIT_OF[self.trick[0]]
        same = [c for c in hand if SUIT_OF[c] == led]
        if same:
            return same
        if self.first:
            return [c for c in hand if not WORTH[c]] or hand[:]
        return hand[:]

    def apply(self, card: int) -> None:
        """Pass or play a card."""
        if self.passing:
            self.gifts[self.player].append(card)
            if len(self.gifts[self.player]) == 3:
                self.player += 1
            if self.player == 4:
                self.pass_on()
            return
        self.hands[self.player].remove(card)
        self.trick.append(card)
        if WORTH[card]:
            self.broken = True
        if len(self.trick) < 4:
            self.player = (self.player + 1) % 4
            return
        led = SUIT_OF[self.trick[0]]
        best = max(range(4), key=lambda n: self.trick[n] if SUIT_OF[self.trick[n]] == led else -1)
        self.leader = self.player = (self.leader + best) % 4
        self.points[self.leader] += sum(WORTH[c] for c in self.trick)
        self.trick = []
        self.first = False

    def pass_on(self) -> None:
        """Give all gifts to the left; the two of clubs leads."""
        for player, gift in enumerate(self.gifts):
            self.hands[player] = [c for c in self.hands[player] if c not in gift]
        for player, gift in enumerate(self.gifts):
            self.hands[(player + 1) % 4] += gift
        for player, hand in enumerate(self.hands):
            hand.sort()
            if 0 in hand:
                self.leader = self.player = player
        self.passing = False

    def scores(self) -> list[int]:
        """Return what counts: all 26 points are 26 for each of the others."""
        if 26 in self.points:
            return [26 - p for p in self.points]
        return self.points


def play(rng: Random) -> int:
    """Play one random deal; return the number of its decisions."""
    deck = list(range(52))
    for place in range(51, 0, -1):
        other = int(rng.random() * (place + 1))
        deck[place], deck[other] = deck[other], deck[place]
    game = PlainHearts(deck)
    decisions = 0
    while True:
        legal = game.legal()
        if not legal:
            return decisions
        game.apply(legal[int(rng.random() * len(legal))])
        decisions += 1
