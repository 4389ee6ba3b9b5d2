"""Chalice and Wand written by hand: the yardstick for the generated machine, and a second opinion on its rules.

Knows nothing of the engine.  A card is a number from 0 to 59, three copies of each of 20 faces: `card // 3`
is its face, faces 0..9 are the chalices 1..10, faces 10..19 the wands.  A decision is a set of cards, chosen
pick by pick in ascending order and closed by `DONE`, as `legal()` offers them: faces, then DONE as 20.  In the
endgame the leader first says the suit, as `SUIT + suit`; who cannot match forfeits `FORFEIT + face`.
"""

from __future__ import annotations

from random import Random

DONE = 20
SUIT = 21
FORFEIT = 23

DISCARD, TAKE, LEAD, MATCH, LOSE, NAME_SUIT, LEAD_LAST, MATCH_LAST, OVER = range(9)

FACE = [card // 3 for card in range(60)]
SUIT_OF = [card // 30 for card in range(60)]
VALUE = [card // 3 % 10 + 1 for card in range(60)]


def sums(cards: list[int]) -> int:
    """Return the totals that sets of these cards can have, as bits."""
    bits = 1
    for card in cards:
        bits |= bits << VALUE[card]
    return bits


class PlainChalice:
    """One play, open to the one who holds it; hidden hands are a matter of who is shown what."""

    def __init__(self, deck: list[int]) -> None:
        """Deal from the front of a shuffled deck."""
        self.deck = deck[27:]
        self.hands = [[sorted(deck[0:5]), sorted(deck[5:10])], [sorted(deck[10:15]), sorted(deck[15:20])]]
        self.middle = sorted(deck[20:27])
        self.discarded: list[int] = []
        self.won: list[int] = []
        self.leader = 0
        self.side = 0
        self.rite: list[int] = []
        self.asked = 0
        self.picked: list[int] = []
        self.suit = 0
        self.step = DISCARD
        self.player = 0

    @property
    def score(self) -> int:
        """Return the points so far."""
        return sum([VALUE[c] for c in self.won])

    # ---- what is possible

    def source(self) -> list[int]:
        """Return the cards of the decision, ascending."""
        if self.step == TAKE:
            return self.middle
        hand = self.hands[self.player][self.side]
        if self.step == LEAD_LAST:
            return [c for c in hand if SUIT_OF[c] == self.suit]
        if self.step in (MATCH, MATCH_LAST):
            return [c for c in hand if SUIT_OF[c] != self.suit]
        return hand

    def legal(self) -> list[int]:
        """Return the small actions that are possible, ascending; none at the end."""
        step = self.step
        if step == OVER:
            return []
        if step == LOSE:
            return sorted({FORFEIT + FACE[c] for c in self.hands[self.player][self.side]})
        if step == NAME_SUIT:
            return [SUIT + suit for suit in (0, 1) if self.totals(suit)]
        picked = self.picked
        count = len(picked)
        last = picked[-1] if picked else -1
        if step >= LEAD_LAST or step == MATCH:
            return self.legal_sums(last)
        out: list[int] = []
        if step == LEAD:
            hand = self.hands[self.player][self.side]
            rest = [c for c in hand if c > last and (not picked or SUIT_OF[c] == SUIT_OF[last])]
            fewest = 1
        else:
            rest = [c for c in self.source() if c > last]
            fewest = 0 if step == DISCARD or self.hands[self.player][self.side] else 1
        before = -1
        for card in rest:
            face = FACE[card]
            if face != before:
                out.append(face)
                before = face
        if count >= fewest:
            out.append(DONE)
        return out

    def legal_sums(self, last: int) -> list[int]:
        """Return the picks from which a wanted total can still be reached."""
        wanted = self.totals(self.suit) if self.step == LEAD_LAST else 1 << self.asked
        wanted >>= sum([VALUE[c] for c in self.picked])
        out: set[int] = set()
        bits = 1
        for card in reversed(self.source()):
            if card <= last:
                break
            # The first copy that is left stands for the others, so a later copy alone proves nothing new.
            bits_with = bits << VALUE[card]
            if bits_with & wanted:
                out.add(FACE[card])
            bits |= bits_with
        legal = sorted(out)
        if self.picked and wanted & 1:
            legal.append(DONE)
        return legal

    def totals(self, suit: int) -> int:
        """Return the totals, as bits, that the leader can lead of a suit and the partner can match."""
        own = [c for c in self.hands[self.leader][self.side] if SUIT_OF[c] == suit]
        other = [c for c in self.hands[1 - self.leader][self.side] if SUIT_OF[c] != suit]
        return sums(own) & sums(other) & ~1

    # ---- what happens

    def apply(self, action: int) -> None:
        """Carry out a legal small action."""
        step = self.step
        if step == LOSE:
            self.give_up(action - FORFEIT)
            return
        if step == NAME_SUIT:
            self.suit = action - SUIT
            self.step = LEAD_LAST
            return
        if action != DONE:
            last = self.picked[-1] if self.picked else -1
            self.picked.append(next(c for c in self.source() if c > last and FACE[c] == action))
            if step != TAKE or len(self.picked) < 3:
                return
        picked, self.picked = self.picked, []
        if step == DISCARD:
            self.discard(picked)
        elif step == TAKE:
            self.take(picked)
        elif step in (LEAD, LEAD_LAST):
            self.lead(picked)
        else:
            self.match(picked)

    def discard(self, picked: list[int]) -> None:
        hand = self.hands[self.player][self.side]
        for card in picked:
            hand.remove(card)
        self.discarded += picked
        hand += self.deck[: len(picked)]
        hand.sort()
        del self.deck[: len(picked)]
        self.player = 1 - self.player
        if self.player == self.leader:
            self.step = TAKE

    def take(self, picked: list[int]) -> None:
        hand = self.hands[self.player][self.side]
        for card in picked:
            self.middle.remove(card)
        hand += picked
        hand.sort()
        self.player = 1 - self.player
        if self.player == self.leader:
            gap = 7 - len(self.middle)
            self.middle += self.deck[:gap]
            self.middle.sort()
            del self.deck[:gap]
            self.start_rite()

    def start_rite(self) -> None:
        self.player = self.leader
        if self.hands[self.leader][self.side]:
            self.step = LEAD
        else:
            self.end_round()

    def lead(self, picked: list[int]) -> None:
        hand = self.hands[self.leader][self.side]
        for card in picked:
            hand.remove(card)
        self.rite = picked
        self.suit = SUIT_OF[picked[0]]
        self.asked = sum([VALUE[c] for c in picked])
        self.player = 1 - self.leader
        if self.step == LEAD_LAST:
            self.step = MATCH_LAST
            return
        self.step = MATCH
        other = self.hands[self.player][self.side]
        if not other:
            self.discarded += self.rite
            self.end_round()
        elif not sums([c for c in other if SUIT_OF[c] != self.suit]) >> self.asked & 1:
            self.step = LOSE

    def match(self, picked: list[int]) -> None:
        hand = self.hands[self.player][self.side]
        for card in picked:
            hand.remove(card)
        self.won += self.rite + picked
        if self.step == MATCH_LAST:
            self.next_last_rite()
        else:
            self.end_round()

    def give_up(self, face: int) -> None:
        hand = self.hands[self.player][self.side]
        card = next(c for c in hand if FACE[c] == face)
        hand.remove(card)
        self.discarded += [*self.rite, card]
        self.end_round()

    def end_round(self) -> None:
        self.leader = 1 - self.leader
        self.side = 1 - self.side
        self.player = self.leader
        self.step = DISCARD
        if not self.deck:
            self.side = 0
            for hands in self.hands:
                hands[0] = sorted(hands[0] + hands[1])
                hands[1] = []
            self.next_last_rite()

    def next_last_rite(self) -> None:
        self.player = self.leader
        self.step = NAME_SUIT if self.totals(0) or self.totals(1) else OVER


def play(rng: Random) -> tuple[int, int]:
    """Play one random game; return its score and the number of small actions."""
    deck = list(range(60))
    rng.shuffle(deck)
    game = PlainChalice(deck)
    count = 0
    while legal := game.legal():
        game.apply(legal[int(rng.random() * len(legal))])
        count += 1
    return game.score, count
