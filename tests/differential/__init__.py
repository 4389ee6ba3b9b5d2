"""Play a game of ours and the same game of OpenSpiel or RLCard side by side, with one deal and one set of decisions.

A `Pair` says what corresponds to what; nothing else is fitted.  At every decision the player to act and the set of
legal actions must be the same, and the returns at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import attrs

from interpreter import State
from interpreter.engine.game import Game


@attrs.frozen
class Deal:
    """What chance does in one play: the cards of the stock from the top, and other events in front of them."""

    stock: tuple[int, ...]
    """Our faces, the top of the stock first."""
    outcomes: tuple[int, ...]
    """Outcomes of OpenSpiel's chance nodes, as far as the play asks for them."""
    event: int | None = None
    """What our first `random` gives, where OpenSpiel has no such event; all others are drawn for both."""
    bold: int | None = None
    """A player who always takes the highest of OpenSpiel's actions, to reach what chance alone hardly would."""
    cautious: bool = False
    """Whether players take the lowest of OpenSpiel's actions every other time, so that auctions end low."""


@attrs.frozen
class Pair:
    """A game of ours, the one of OpenSpiel, and what corresponds to what.

    `theirs_of` gives OpenSpiel's action of an action's text, with `of_player` of the number of the player to act and
    the text, with `of_state` of OpenSpiel's state in words, a line break and the text; `deal` draws what chance does;
    `offered` says which of OpenSpiel's legal actions ours can have at this point, where that is not all of them.  With
    `whole` a set of cards is one action there, and the texts of our small actions are joined.  `rolled` makes
    the events there of all that we draw between two decisions.  `unit` is what a return of 1 there is here.  `answer`
    answers a chance event of ours, where one script answers those of both games.
    """

    ours: Game
    theirs: Any
    theirs_of: Callable[[str], int]
    deal: Callable[[Random], Deal]
    offered: Callable[[State, Any, list[int]], list[int]] | None = None
    of_player: bool = False
    of_state: bool = False
    whole: bool = False
    rolled: Callable[[list[int]], list[int]] | None = None
    unit: int = 1
    answer: Callable[[State], None] | None = None


@attrs.define
class Table:
    """Our actions with OpenSpiel's, by player and number: a text is read once."""

    pair: Pair
    known: dict[tuple[int, ...], int] = attrs.field(factory=dict)

    def theirs(self, state: State, actions: tuple[int, ...], theirs: str) -> int:
        """Return OpenSpiel's action for one of ours, or for the small actions of a decision, in a state in words."""
        if self.pair.of_state:
            return self.pair.theirs_of(f"{theirs}\n{' '.join(map(state.action_to_string, actions))}")
        key = state.current_player(), *actions
        found = self.known.get(key)
        if found is None:
            text = " ".join(map(state.action_to_string, actions))
            found = self.known[key] = self.pair.theirs_of(f"{key[0]} {text}" if self.pair.of_player else text)
        return found


def decisions(state: State) -> Iterator[tuple[int, ...]]:
    """Give the small actions of each decision that is possible: those of a set of cards together."""
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        if after.is_unfinished():
            yield from ((action, *rest) for rest in decisions(after))
        else:
            yield (action,)


def compare(pair: Pair, plays: int, seed: int = 1) -> None:
    """Play so many games on both sides, and stop at the first difference."""
    rng, table = Random(seed), Table(pair)
    for _ in range(plays):
        _play(pair, table, pair.deal(rng), rng)


def _play(pair: Pair, table: Table, deal: Deal, rng: Random) -> None:
    """Play one game on both sides and compare them at every step."""
    theirs = pair.theirs.new_initial_state()
    ours = pair.ours.new_initial_state()
    outcomes: Iterator[int] = iter(deal.outcomes)
    event, drawn = deal.event, list[int]()
    while True:
        while ours.is_chance_node():
            if pair.answer is not None:
                pair.answer(ours)
            elif ours.awaited is not None:
                ours.apply_action(deal.stock)
            elif event is not None:
                ours.apply_action(event)
                event = None
            else:
                possible = ours.chance_outcomes()
                drawn.append(int(rng.random() * len(possible)))
                ours.apply_action(possible[drawn[-1]][0])
        if drawn and pair.rolled is not None:
            drawn = pair.rolled(drawn)
        while theirs.is_chance_node():
            theirs.apply_action(drawn.pop(0) if drawn else next(outcomes))
        if theirs.is_terminal() or ours.is_terminal():
            break
        assert ours.current_player() == theirs.current_player(), theirs
        legal = list(decisions(ours)) if pair.whole else [(action,) for action in ours.legal_actions()]
        expected = theirs.legal_actions()
        if pair.offered is not None:
            expected = pair.offered(ours, theirs, expected)
        in_words = str(theirs) if pair.of_state else ""
        as_theirs = [table.theirs(ours, actions, in_words) for actions in legal]
        assert sorted(as_theirs) == expected, theirs
        chosen = int(rng.random() * len(legal))
        if deal.bold == theirs.current_player():
            chosen = as_theirs.index(max(as_theirs))
        if deal.cautious and rng.random() < 0.5:
            chosen = as_theirs.index(min(as_theirs))
        for action in legal[chosen]:
            ours.apply_action(action)
        theirs.apply_action(as_theirs[chosen])
    assert ours.is_terminal(), theirs
    assert theirs.is_terminal(), theirs
    assert [value / pair.unit for value in ours.returns()] == theirs.returns(), theirs


def shuffled(rng: Random, cards: int, copies: int = 1) -> list[int]:
    """Return so many different cards, each so many times, in a random order."""
    deck = [card for card in range(cards) for _ in range(copies)]
    rng.shuffle(deck)
    return deck
