"""Two-Player Wizard written by hand: the yardstick for the generated machine, and a second opinion on its rules.

Knows nothing of the engine.  A card is a number from 0 to 35: eight ranks of clubs, diamonds, hearts and spades,
then two Wizards, then two Jesters.  A face is a number from 0 to 33, as the two Wizards look alike and so do the two
Jesters.  An action is the face of a card that is played or picked, `BID + tricks`, or `TRUMP + suit`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

SPADE_8 = 31
WIZARD = 32
JESTER = 33
BID = 34
TRUMP = 46

NAME_TRUMP, FIRST_BID, SECOND_BID, LEAD, PICK, LAST, OVER = range(7)

FACE = [*range(32), WIZARD, WIZARD, JESTER, JESTER]
SUIT_OF = [card // 8 if card < 32 else -1 for card in range(36)]
RANK = [card % 8 + 1 if card < 32 else 9 if card < 34 else 0 for card in range(36)]
BIDS = list(range(BID, BID + 12))
TRUMPS = list(range(TRUMP, TRUMP + 4))

DUMMY = 2


class PlainWizard:
    """One play, open to the one who holds it; hidden cards are a matter of who is shown what."""

    def __init__(self, shuffled: Callable[[], list[int]], max_hands: int = 100, target: int = 100) -> None:
        """Draw for the deal and deal the first hand; `shuffled` gives all cards in a new order when it is asked."""
        self.shuffled = shuffled
        self.max_hands = max_hands
        self.target = target
        self.score = [0, 0]
        self.number = 0
        self.dealer = self.draw_for_deal()
        self.deal()

    def draw_for_deal(self) -> int:
        """Return who draws the higher card, in as many draws as it takes."""
        while True:
            deck = self.shuffled()
            for first in range(0, len(deck), 2):
                mine, other = RANK[deck[first]], RANK[deck[first + 1]]
                if mine != other:
                    return 0 if mine > other else 1

    def deal(self) -> None:
        """Begin a hand."""
        deck = self.shuffled()
        self.hands = [sorted(deck[:11]), sorted(deck[11:22])]
        self.pile = deck[22:30]
        self.row = sorted(deck[30:33])
        turned = deck[33]
        self.bids = [0, 0]
        self.taken = [0, 0]
        self.first_trick = True
        self.won_one = False
        self.trick: list[int] = []
        self.leader = 1 - self.dealer
        self.trump = SUIT_OF[turned]
        if FACE[turned] == WIZARD:
            self.step = NAME_TRUMP
            self.player = self.dealer
        else:
            self.step = FIRST_BID
            self.player = self.leader

    # ---- what is possible

    def legal(self) -> list[int]:
        """Return the actions that are possible, ascending; none at the end."""
        step = self.step
        if step == LEAD:
            return faces(self.hands[self.player])
        if step == PICK:
            return faces(self.row)
        if step == LAST:
            return faces(self.following(self.hands[self.player]))
        if step in (FIRST_BID, SECOND_BID):
            return BIDS
        return TRUMPS if step == NAME_TRUMP else []

    def led(self) -> int:
        """Return the suit to be followed, or -1."""
        for card in self.trick:
            if FACE[card] != JESTER:
                return SUIT_OF[card]
        return -1

    def following(self, hand: list[int]) -> list[int]:
        """Return the cards of a hand that may be played last."""
        suit = self.led()
        if suit < 0 or not any(SUIT_OF[c] == suit for c in hand):
            return hand
        return [c for c in hand if SUIT_OF[c] == suit or c >= SPADE_8]

    # ---- what happens

    def apply(self, action: int) -> None:
        """Carry out a legal action."""
        step = self.step
        if step == LEAD:
            self.play(self.hands[self.player], action)
            self.step = PICK
            if self.first_trick:
                self.player = self.dealer
        elif step == PICK:
            self.play(self.row, action)
            self.step = LAST
            self.player = 1 - self.leader
        elif step == LAST:
            self.play(self.hands[self.player], action)
            self.end_trick()
        elif step == NAME_TRUMP:
            self.trump = action - TRUMP
            self.step = FIRST_BID
            self.player = self.leader
        else:
            self.bids[self.player] = action - BID
            if step == FIRST_BID:
                self.step = SECOND_BID
                self.player = self.dealer
            else:
                self.step = LEAD
                self.player = self.leader

    def play(self, cards: list[int], face: int) -> None:
        """Move the card with a face from some cards to the trick."""
        for card in cards:
            if FACE[card] == face:
                cards.remove(card)
                self.trick.append(card)
                return

    def taker(self) -> int:
        """Return which card of the trick takes it: 0, 1 or 2."""
        trick = self.trick
        for place, card in enumerate(trick):
            if FACE[card] == WIZARD:
                return place
        for suit in (self.trump, self.led()):
            best = -1
            for place, card in enumerate(trick):
                if suit >= 0 and SUIT_OF[card] == suit and (best < 0 or RANK[card] > RANK[trick[best]]):
                    best = place
            if best >= 0:
                return best
        return 0

    def end_trick(self) -> None:
        """Give the trick to who takes it, and go on to the next one or to the end of the hand."""
        winner = (self.leader, DUMMY, 1 - self.leader)[self.taker()]
        if winner == DUMMY:
            if not self.won_one:
                self.leader = self.dealer
        else:
            self.won_one = True
            self.leader = winner
            if SPADE_8 not in self.trick:
                self.taken[winner] += 1
        self.trick = []
        self.first_trick = False
        if self.pile:
            self.row.append(self.pile.pop())
            self.row.sort()
        self.player = self.leader
        self.step = LEAD
        if not self.hands[0]:
            self.end_hand()

    def end_hand(self) -> None:
        """Count the points, and deal again unless the game is over."""
        for player in (0, 1):
            bid, taken = self.bids[player], self.taken[player]
            self.score[player] += 20 + 10 * bid if bid == taken else -10 * abs(bid - taken)
        self.number += 1
        self.dealer = 1 - self.dealer
        if self.number == self.max_hands or max(self.score) >= self.target:
            self.step = OVER
        else:
            self.deal()


def faces(cards: list[int]) -> list[int]:
    """Return the faces of cards in ascending order, each once."""
    out: list[int] = []
    before = -1
    for card in cards:
        face = FACE[card]
        if face != before:
            out.append(face)
            before = face
    return out


def play(rng: Random, max_hands: int = 100) -> tuple[list[int], int]:
    """Play one random game; return the scores and the number of decisions."""

    def shuffled() -> list[int]:
        deck = list(range(36))
        rng.shuffle(deck)
        return deck

    game = PlainWizard(shuffled, max_hands)
    count = 0
    while legal := game.legal():
        game.apply(legal[int(rng.random() * len(legal))])
        count += 1
    return game.score, count
