"""The games that both have, setting by setting, and what corresponds to what."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import attrs
import pyspiel

from interpreter import State, load
from tests.differential import Deal, Pair, shuffled


def theirs(name: str, **parameters: int | bool) -> Any:
    """Return a game of OpenSpiel."""
    return pyspiel.load_game(name, parameters)


# ---- Kuhn poker


def kuhn(players: int) -> Pair:
    """Both number their cards from the lowest; `pass` is 0 and `bet` is 1."""

    def deal(rng: Random) -> Deal:
        stock = tuple(shuffled(rng, players + 1))
        return Deal(stock, stock)

    ours = load("classics/kuhn_poker", players)
    return Pair(ours, theirs("kuhn_poker", players=players), ["pass", "bet"].index, deal)


# ---- Leduc poker


def leduc(players: int, starting_player: int = 0, *, suit_isomorphism: bool = False, mapped: bool = False) -> Pair:
    """Cards go by rank, then suit; actions are fold, call, raise."""

    def deal(rng: Random) -> Deal:
        stock = tuple(shuffled(rng, players + 1, 2) if suit_isomorphism else shuffled(rng, 2 * players + 2))
        return Deal(stock, stock)

    options = {
        "starting_player": starting_player + 1,
        "suit_isomorphism": suit_isomorphism,
        "action_mapping": mapped,
    }
    game = theirs(
        "leduc_poker",
        players=players,
        starting_player=starting_player,
        suit_isomorphism=suit_isomorphism,
        action_mapping=mapped,
    )
    return Pair(load("classics/leduc_poker", players, options), game, ["fold", "call", "raise"].index, deal)


# ---- Hearts

RANKS = "23456789TJQKA"
SUITS = "CDHS"
DIRECTIONS = ("hold", "left", "across", "right")
"""Directions of passing, as OpenSpiel numbers them."""
OURS = ("left", "right", "across", "hold")
"""Directions of passing, in our order."""


def card_of(text: str) -> int:
    """Return OpenSpiel's number of the card at the end of a text, whose cards go by rank, then suit."""
    return RANKS.index(text[-2]) * 4 + SUITS.index(text[-1])


def face_of(card: int) -> int:
    """Return our face of a card of OpenSpiel: ours go by suit, then rank."""
    return card % 4 * 13 + card // 4


def hearts(**options: bool) -> Pair:
    """One deal; cards are dealt one by one there, hand by hand here; the direction is drawn if cards are passed."""

    def deal(rng: Random) -> Deal:
        direction = DIRECTIONS[int(rng.random() * 4)] if options.get("pass_cards", True) else "hold"
        return dealt(shuffled(rng, 52), direction)

    return hearts_with(deal, options)


def hearts_for_the_moon(**options: bool) -> Pair:
    """Deals in which the first player holds the highest cards, keeps them, and plays them."""

    def deal(rng: Random) -> Deal:
        high, low = list(range(39, 52)), shuffled(rng, 39)
        rng.shuffle(high)
        cards = [card for row in zip(high, low[:13], low[13:26], low[26:], strict=True) for card in row]
        return attrs.evolve(dealt(cards, "hold"), bold=0)

    return hearts_with(deal, options)


def hearts_with_the_queen(**options: bool) -> Pair:
    """Deals in which the first player must win the first trick, and then leads from hearts and the queen of spades."""
    ace_of_clubs, queen, hearts_but_two = 48, 43, range(10, 52, 4)

    def deal(rng: Random) -> Deal:
        first = [ace_of_clubs, queen, *hearts_but_two]
        rest = [card for card in shuffled(rng, 52) if card not in first]
        return dealt(
            [card for row in zip(first, rest[:13], rest[13:26], rest[26:], strict=True) for card in row], "hold"
        )

    return hearts_with(deal, options)


def dealt(cards: list[int], direction: str) -> Deal:
    """Return a deal, of OpenSpiel's cards in the order in which OpenSpiel deals them."""
    stock = tuple(face_of(card) for hand in range(4) for card in cards[hand::4])
    return Deal(stock, (DIRECTIONS.index(direction), *cards), OURS.index(direction))


def hearts_with(deal: Callable[[Random], Deal], options: dict[str, bool]) -> Pair:
    """Return both games of Hearts with their options, which have the same names."""
    ours = load("classics/hearts", 4, {"draw_direction": True, **options})
    return Pair(ours, theirs("hearts", **options), card_of, deal, in_order)


def in_order(state: State, legal: list[int]) -> list[int]:
    """Return the cards that ours can pick: three cards are one choice, named in the order of the deck."""
    if not state.action_to_string(state.legal_actions()[0]).startswith("pass"):
        return legal
    picked = state.picked()
    cards = sorted(legal, key=face_of)
    left = 3 - len(picked)
    return sorted(card for card in cards[: len(cards) - left + 1] if not picked or face_of(card) > picked[-1])


# ---- Go Fish


def go_fish(players: int, ranks: int = 13, suits: int = 4, initial_cards: int = -1, **options: bool) -> Pair:
    """Cards are ranks; a question there is a number made of whom it is put to and the rank."""

    def deal(rng: Random) -> Deal:
        stock = tuple(shuffled(rng, ranks, suits))
        return Deal(stock, stock)

    def question(text: str) -> int:
        _, asked, rank = text.split()
        return (int(asked) - 1) * ranks + int(rank) - 1

    named = {"ranks": ranks, "copies": suits, "hand_size": max(initial_cards, 0), "replace_books": True, **options}
    game = theirs("go_fish", players=players, ranks=ranks, suits=suits, initial_cards=initial_cards, **options)
    return Pair(load("classics/go_fish", players, named), game, question, deal)
