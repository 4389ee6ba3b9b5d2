"""The games that both have, setting by setting, and what corresponds to what."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import attrs
import open_spiel.python.games  # noqa: F401  It registers their games in Python.
import pyspiel

from interpreter import State, load
from tests.differential import Deal, Pair, shuffled


def theirs(name: str, **parameters: int | bool | str) -> Any:
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


def in_order(
    state: State, _: Any, legal: list[int], verb: str = "pass", size: int = 3, face: Callable[[int], int] = face_of
) -> list[int]:
    """Return the cards that ours can pick: so many cards are one choice, named in the order of the deck."""
    if not state.action_to_string(state.legal_actions()[0]).startswith(verb):
        return legal
    picked = state.picked()
    cards = sorted(legal, key=face)
    left = size - len(picked)
    return sorted(card for card in cards[: len(cards) - left + 1] if not picked or face(card) > picked[-1])


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


# ---- Goofspiel


def goofspiel(players: int, ranks: int = 13, order: str = "random") -> Pair:
    """All bid one after another there; the last prize and the last bids are no events."""

    def deal(rng: Random) -> Deal:
        stock = tuple(shuffled(rng, ranks))
        return Deal(stock, stock)

    named = {"ranks": ranks, "prizes": {"random": "shuffled"}.get(order, order)}
    game = pyspiel.load_game_as_turn_based(
        "goofspiel", {"players": players, "num_cards": ranks, "points_order": order, "num_turns": -1}
    )
    return Pair(load("classics/goofspiel", players, named), game, lambda text: int(text.split()[-1]) - 1, deal)


# ---- Oh Hell

SUITS_OF_OH_HELL = (0, 1, 3, 2)
"""Our suits in the order of OpenSpiel's Oh Hell: clubs, diamonds, spades, hearts."""


def oh_hell(players: int, tricks: int, *, penalty: bool = False, points: int = 1) -> Pair:
    """One deal; cards are dealt one by one there, hand by hand here; every trick counts there, or misses cost."""

    def deal(rng: Random) -> Deal:
        dealer, cards = int(rng.random() * players), shuffled(rng, 52)
        dealt = [card for player in range(players) for card in cards[player : players * tricks : players]]
        rest = cards[players * tricks :]
        faces = tuple(SUITS_OF_OH_HELL[card % 4] * 13 + card // 4 for card in (*dealt, *rest))
        return Deal(faces, (tricks, dealer, *cards), dealer)

    def action(text: str) -> int:
        if text.startswith("bid"):
            return 52 + int(text.split()[-1])
        return RANKS.index(text[-2]) * 4 + "CDSH".index(text[-1])

    named: dict[str, str | int | bool] = {
        "largest": tricks,
        "deals": "one",
        "missed": "penalty" if penalty else "points",
        "trick_points": points,
    }
    game = theirs("oh_hell", players=players, num_tricks_fixed=tricks, off_bid_penalty=penalty, points_per_trick=points)
    return Pair(load("classics/oh_hell", players, named), game, action, deal)


# ---- Crazy Eights


def crazy_eights(players: int, draw_limit: int = 5) -> Pair:
    """One deal without a new stock; the dealer gets the last card of each round, and eights that are turned go back."""

    def deal(rng: Random) -> Deal:
        size, dealer = 7 if players == 2 else 5, int(rng.random() * players)
        cards = shuffled(rng, 52, 1 if players <= 5 else 2)
        order = [(dealer + 1 + place) % players for place in range(players)]
        hands = {player: cards[place : players * size : players] for place, player in enumerate(order)}
        rest = cards[players * size :]
        buried = []
        while rest[0] // 4 == RANKS.index("8"):
            buried.append(rest.pop(0))
        dealt = [card for player in range(players) for card in hands[player]]
        stock = tuple(face_of(card) for card in (*dealt, *buried, *rest))
        return Deal(stock, (52 + dealer, *cards[: players * size], *buried, *rest, *buried), dealer)

    def action(text: str) -> int:
        if text.startswith("name"):
            return 54 + ("clubs", "diamonds", "hearts", "spades").index(text.split()[-1])
        return {"draw": 52, "pass": 53}.get(text) or card_of(text)

    game = theirs("crazy_eights", players=players, max_draw_cards=draw_limit, max_turns=100_000)
    named = {"draw_limit": draw_limit, "goal": 1, "reshuffle": False, "extra_pass": True, "deck_values": True}
    return Pair(load("classics/crazy_eights", players, named), game, action, deal)


# ---- Blackjack


def blackjack() -> Pair:
    """One deck, and only hits and stands for a bet of one."""

    def deal(rng: Random) -> Deal:
        cards = shuffled(rng, 52)
        return Deal(tuple(cards), tuple(cards))

    named = {"decks": 1, "bet": 1, "naturals": False, "doubling": False, "splitting": False}
    return Pair(load("classics/blackjack", 1, named), theirs("blackjack"), ["hit", "stand"].index, deal)


# ---- Liar's Dice


def liars_dice(dice: int, sides: int = 6, rule: str = "reset-face") -> Pair:
    """One round of two players, the highest face wild; each die is an event of both."""
    by_number = rule == "reset-face"

    def action(text: str) -> int:
        if text == "challenge":
            return 2 * dice * sides
        number, face = (int(word) - 1 for word in text.split()[1:])
        return number * sides + face if by_number else face * 2 * dice + number

    named = {"dice": dice, "sides": sides, "wild": "top_face", "rounds": "one"}
    named["order"] = "number_first" if by_number else "face_first"
    game = theirs("liars_dice", numdice=dice, dice_sides=sides, bidding_rule=rule)
    return Pair(load("classics/liars_dice", 2, named), game, action, lambda _: Deal((), (), 0))


# ---- Liar's Poker


def liars_poker(digits: int, faces: int) -> Pair:
    """Each digit is an event of both; their tenth digit never counts."""

    def action(text: str) -> int:
        verb, *words = text.split()
        return (int(words[0]) - 1) * faces + int(words[1]) if verb == "bid" else 0

    game = theirs("python_liars_poker", hand_length=digits, num_digits=faces)
    ours = load("classics/liars_poker", 2, {"digits": digits, "faces": faces})
    return Pair(ours, game, action, lambda _: Deal((), (), 0), rolled=lambda drawn: [outcome + 1 for outcome in drawn])


# ---- Dominoes


def dominoes() -> Pair:
    """One deal of the block game; their actions go by player, tile and end, of which the first is none."""
    tiles = list(combinations_with_replacement(range(7), 2))
    numbers: dict[tuple[int, tuple[int, ...], int | None], int] = {}
    for player, tile in product(range(2), tiles):
        for end in (None, *range(7)):
            if end is None or end in tile:
                numbers[player, tile, end] = len(numbers)

    def deal(rng: Random) -> Deal:
        cards = tuple(shuffled(rng, len(tiles)))
        return Deal(cards, cards[:14], 0)

    def action(text: str) -> int:
        player, _, tile, *end = text.split()
        return numbers[int(player), tuple(map(int, tile.split("-"))), int(end[0]) if end else None]

    ours = load("classics/dominoes", 2, {"goal": 0})
    return Pair(ours, theirs("python_block_dominoes"), action, deal, of_player=True)


# ---- Dou Dizhu

RANKS_FROM_THREE = "3456789TJQKA2BR"
NAMES_FROM_THREE = (
    "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace", "two", "black",
    "red",
)  # fmt: skip


def dou_dizhu() -> Pair:
    """Cards are ranks; the place of a card that lies open decides there who bids first."""
    game = theirs("dou_dizhu")

    def deal(rng: Random) -> Deal:
        cards, first = shuffled(rng, 54), int(rng.random() * 51)
        faces = [card - 39 if card > 51 else card % 13 for card in cards]
        stock = [face for player in range(3) for face in faces[player:51:3]] + faces[51:]
        return Deal(tuple(stock), (first, *(51 + card for card in cards[:51])), first % 3)

    state = game.new_initial_state()
    names = {state.action_to_string(0, action): action for action in range(4, game.num_distinct_actions())}
    sizes = {"single": 1, "pair": 2, "triplet": 3, "bomb": 4, "rocket": 1}

    def action(text: str) -> int:
        verb, *words = text.replace(" play done", "").replace("play +", "").split()
        if verb in ("pass", "bid"):
            return int(words[0]) if words else 0
        group, _, attached = words[0].partition("_and_")
        low, high = map(NAMES_FROM_THREE.index, words[1:3])
        chain = "".join(RANKS_FROM_THREE[rank] * sizes[group] for rank in range(low, high + 1))
        kickers = "".join(sorted(words[3:] * (1 + (attached == "pair")), key=RANKS_FROM_THREE.index))
        if low == high:
            chain, kickers = "".join(sorted(chain + kickers, key=RANKS_FROM_THREE.index)), ""
        return names[(chain + ("-" if kickers else "") + kickers).replace("B", "(BWJ)").replace("R", "(CJ)")]

    return Pair(load("classics/dou_dizhu", 3, {"open_spiel": True}), game, action, deal, whole=True)


# ---- Skat

DEALT_IN_SKAT = ((0, 1, 2, 11, 12, 13, 14, 23, 24, 25), (3, 4, 5, 15, 16, 17, 18, 26, 27, 28), (9, 10))
"""The places in OpenSpiel's deal of the cards of the first two hands and of the skat; the third hand has the rest."""


def skat() -> Pair:
    """One deal; two cards are put away one after another there, and a game is worth 240 times as much here."""

    def deal(rng: Random) -> Deal:
        cards = shuffled(rng, 32)
        first, second, skat = ([cards[place] for place in places] for places in DEALT_IN_SKAT)
        third = [card for card in cards if card not in (*first, *second, *skat)]
        return Deal((*first, *second, *third, *skat), tuple(cards), 2)

    def action(text: str) -> int:
        if text == "pass":
            return 32
        if text.startswith("name"):
            return 33 + ("diamonds", "hearts", "spades", "clubs", "grand", "null").index(text.split()[1])
        return "DHSC".index(text[-1]) * 8 + "789QKTAJ".index(text[-2])

    named: dict[str, str | int | bool] = {"deals": 1, "open_spiel": True}
    picked = partial(in_order, verb="put_away", size=2, face=int)
    return Pair(load("classics/skat", 3, named), theirs("skat"), action, deal, picked, unit=240)


# ---- Tarok


def mersenne(seed: int) -> Random:
    """Return the generator `std::mt19937(seed)`, whose numbers are `getrandbits(32)`."""
    words = [seed % 2**32]
    for place in range(1, 624):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + place) % 2**32)
    rng = Random()
    rng.setstate((3, (*words, 624), None))
    return rng


def tarok(players: int) -> Pair:
    """One deal, which OpenSpiel's game draws with its own generator; cards have the same numbers."""
    seeds, size = mersenne(1), 48 // players

    def deal(_: Random) -> Deal:
        while True:
            cards, rng = list(range(54)), mersenne(seeds.getrandbits(32))
            for place in range(53, 0, -1):
                other = rng.getrandbits(32) % (place + 1)
                cards[place], cards[other] = cards[other], cards[place]
            if all(min(cards[start : start + size]) < 22 for start in range(6, 54, size)):
                return Deal(tuple(cards), (0,), cautious=True)

    def action(text: str) -> int:
        verb, *words = text.split()
        if verb == "bid":
            return 1 + CONTRACTS_OF_TAROK.index(words[0])
        if verb == "call":
            return 29 + 8 * ("hearts", "diamonds", "spades", "clubs").index(words[0])
        if verb in ("pass", "take"):
            return int(words[0]) - 1 if words else 0
        if words[0].startswith("T"):
            return int(words[0][1:]) - 1
        suit = "HDSC".index(words[0][-1])
        return 22 + 8 * suit + ("4321JNQK" if suit < 2 else "7891JNQK").index(words[0][0])

    named: dict[str, str | int | bool] = {"deals": 1, "radli": False, "open_spiel": True}
    return Pair(load("classics/tarok", players, named), theirs("tarok", players=players, rng_seed=1), action, deal)


CONTRACTS_OF_TAROK = (
    "klop", "three_cards", "two_cards", "one_card", "solo_three", "solo_two", "solo_one", "beggar", "solo_without",
    "open_beggar", "colour_valat", "valat",
)  # fmt: skip
"""Our contracts in OpenSpiel's order."""


# ---- Bridge


def bridge(dealer: int = 0, *, dealer_vul: bool = False, non_dealer_vul: bool = False) -> Pair:
    """One deal; cards are dealt one by one there, hand by hand here."""
    game = theirs(
        "bridge", use_double_dummy_result=False, dealer=dealer, dealer_vul=dealer_vul, non_dealer_vul=non_dealer_vul
    )

    def deal(rng: Random) -> Deal:
        cards = shuffled(rng, 52)
        return Deal(tuple(face_of(card) for hand in range(4) for card in cards[hand::4]), tuple(cards))

    def action(text: str) -> int:
        verb, *words = text.split()
        if verb == "bid":
            strains = ("clubs", "diamonds", "hearts", "spades", "no_trumps")
            return 50 + 5 * int(words[0]) + strains.index(words[1])
        return {"pass": 52, "double": 53, "redouble": 54}.get(verb) or card_of(text)

    named = {"dealer": dealer + 1, "dealer_vulnerable": dealer_vul, "others_vulnerable": non_dealer_vul}
    return Pair(load("classics/bridge", 4, named), game, action, deal)


# ---- Yacht


def yacht(players: int, rolls: int = 3, *, sort_dice: bool = False) -> Pair:
    """A roll is one event there, and dice are rolled again by their places, of equal ones here by the first."""
    categories = (
        "ones", "twos", "threes", "fours", "fives", "sixes", "choice", "four_of_a_kind", "full_house",
        "little_straight", "big_straight", "yacht",
    )  # fmt: skip

    def mask(dice: list[str], again: list[str]) -> int:
        return sum(1 << place for place, die in enumerate(dice) if dice[:place].count(die) < again.count(die))

    def action(text: str) -> int:
        state, ours = text.rsplit("\n", 1)
        if ours.startswith("enter"):
            return 32 + categories.index(ours.split()[1])
        return mask(dice_of(state), re.findall(r"\+(\d)", ours))

    def dice_of(state: str) -> list[str]:
        return re.findall(r"\d", state.splitlines()[1])

    def offered(_: State, state: Any, legal: list[int]) -> list[int]:
        if legal[0] > 31:
            return legal
        dice = dice_of(str(state))
        return sorted({mask(dice, [die for place, die in enumerate(dice) if action >> place & 1]) for action in legal})

    game = theirs("yacht", players=players, rolls_per_turn=rolls, sort_dice=sort_dice)
    return Pair(
        load("classics/yacht", players, {"rolls": rolls, "fifth_die": True, "wide_full_house": True}), game, action,
        lambda _: Deal((), ()), offered, of_state=True, whole=True,
        rolled=lambda dice: [sum(die * 6**place for place, die in enumerate(dice))],
    )  # fmt: skip


# ---- Hanabi


def hanabi(players: int, **parameters: int) -> Pair:
    """Hands are numbered from the oldest card; a hint names its player by the distance from the one who gives it."""
    size = parameters.get("hand_size", 4 if players > 3 else 5)

    def deal(rng: Random) -> Deal:
        cards = [(color, rank) for color in range(5) for rank in (0, 0, 0, 1, 1, 2, 2, 3, 3, 4)]
        rng.shuffle(cards)
        # Our faces are in the order of the deck: the ones, then 2 to 4 of each color, then the fives.
        faces = [5 * rank + color if rank in (0, 4) else 4 + 3 * color + rank for color, rank in cards]
        return Deal(tuple(faces), tuple(5 * color + rank for color, rank in cards))

    def action(text: str) -> int:
        mover, verb, first, *rest = text.split()
        if verb in ("discard", "play"):
            return int(first) - 1 + (size if verb == "play" else 0)
        off = (int(first) - 1 - int(mover)) % players - 1
        if verb == "hint_color":
            return 2 * size + 5 * off + ("red", "yellow", "green", "white", "blue").index(rest[0])
        return 2 * size + 5 * (players - 1 + off) + int(rest[0]) - 1

    names = {"hand_size": "hand_size", "max_information_tokens": "most_hints", "max_life_tokens": "mistakes"}
    named = {names[name]: value for name, value in parameters.items()}
    game = theirs("hanabi", players=players, **parameters)
    return Pair(load("classics/hanabi", players, named), game, action, deal, of_player=True)


# ---- Spades and Euchre


def spades() -> Pair:
    """One deal, in which spades are never broken and partners bid 13 at most; the first player bids and leads there."""

    def deal(rng: Random) -> Deal:
        cards = shuffled(rng, 52)
        return Deal(tuple(card for hand in range(4) for card in cards[hand::4]), tuple(cards), 3)

    def action(text: str) -> int:
        if text.startswith("bid"):
            return 52 + int(text.split()[-1])
        return SUITS.index(text[-1]) * 13 + RANKS.index(text[-2])

    named: dict[str, str | bool] = {"deals": "one", "spades_break": False, "limited_bids": True}
    return Pair(load("classics/spades", 4, named), theirs("spades"), action, deal)


def euchre(*, stick_the_dealer: bool = True, allow_lone_defender: bool = False) -> Pair:
    """One deal; the first card goes to the dealer there, and cards go by rank, then suit."""

    def deal(rng: Random) -> Deal:
        dealer, cards = int(rng.random() * 4), shuffled(rng, 24)
        dealt = [card for player in range(4) for card in cards[(player - dealer) % 4 : 20 : 4]]
        faces = tuple(card % 4 * 6 + card // 4 for card in (*dealt, *cards[20:]))
        return Deal(faces, (dealer, *cards), dealer)

    def action(text: str) -> int:
        verb, *words = text.split()
        named = {"pass": 24, "go_alone": 29, "keep_partner": 30}
        if verb in named:
            return named[verb]
        if verb == "name":
            return 25 + ("clubs", "diamonds", "hearts", "spades").index(words[0])
        suit = SUITS.index(words[0][-1])
        return 25 + suit if verb == "order" else "9TJQKA".index(words[0][0]) * 4 + suit

    game = theirs("euchre", stick_the_dealer=stick_the_dealer, allow_lone_defender=allow_lone_defender)
    named = {
        "deals": "one", "stick_the_dealer": stick_the_dealer, "lone_defender": allow_lone_defender,
        "alone_after_discard": True, "keep_turned": True,
    }  # fmt: skip
    return Pair(load("classics/euchre", 4, named), game, action, deal)


# ---- Gin Rummy

LOW_RANKS = "A23456789TJQK"


def gin_rummy(most_deadwood: int = 10, *, oklahoma: bool = False, gin: int = 25, undercut: int = 25) -> Pair:
    """One deal; their cards go by suit, then rank, in another order of suits; a meld is one action there."""
    game = theirs("gin_rummy", knock_card=most_deadwood, oklahoma=oklahoma, gin_bonus=gin, undercut_bonus=undercut)

    def deal(rng: Random) -> Deal:
        cards = shuffled(rng, 52)
        faces = tuple("CDHS".index("SCDH"[card // 13]) * 13 + card % 13 for card in cards)
        # A player who takes the highest action knocks, and lays all melds.
        return Deal(faces, tuple(cards), 1, rng.choice((None, 0, 1)))

    def card(text: str) -> int:
        return "SCDH".index(text[1].upper()) * 13 + LOW_RANKS.index(text[0])

    names = [game.new_initial_state().action_to_string(0, action).split()[-1] for action in range(56, 241)]
    melds = {frozenset(map(card, re.findall("..", name))): 56 + place for place, name in enumerate(names)}

    def action(text: str) -> int:
        verb, *cards = text.replace("+", "").replace("lay ", "").replace("done", "").split()
        if text.startswith("lay "):
            return melds[frozenset(map(card, (verb, *cards)))]
        return {"take": 52, "draw": 53, "pass": 54, "knock": 55}.get(verb) or card(cards[0])

    named: dict[str, str | int | bool] = {
        "goal": 0, "most_deadwood": most_deadwood, "oklahoma": oklahoma, "gin_bonus": gin, "undercut_bonus": undercut,
        "tie_undercuts": False, "last_knock": True, "open_spiel": True,
    }  # fmt: skip
    return Pair(load("classics/gin_rummy", 2, named), game, action, deal, whole=True)


# ---- Cribbage


def cribbage(players: int) -> Pair:
    """A whole game, in which every deal has the same cards; those that two players give are one action there."""
    dealt = {2: 13, 3: 17, 4: 21}[players]

    def deal(rng: Random) -> Deal:
        cards = shuffled(rng, 52)
        return Deal(tuple(cards), tuple(cards[:dealt]) * 100, 0)

    def card(text: str) -> int:
        return "CDHS".index(text[1]) * 13 + LOW_RANKS.index(text[0])

    def action(text: str) -> int:
        cards = [card(word.lstrip("+")) for word in text.split() if word[-1] in "CDHS"]
        if len(cards) < 2:
            return cards[0] if cards else 52 + 52 * 52
        low, high = sorted(cards, key=lambda card: (card % 13, card))
        return 52 + 52 * low + high

    named: dict[str, str | int | bool] = {"crib_flush": True, "late_end": True}
    game = theirs("cribbage", players=players)
    return Pair(load("classics/cribbage", players, named), game, action, deal, whole=True)


DEFAULTS_OF_HEARTS = {
    "pass_cards": True,
    "can_lead_any_club": False,
    "no_pts_on_first_trick": True,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "can_lead_hearts_instead_of_qs": False,
    "jd_bonus": False,
    "avoid_all_tricks_bonus": False,
}
"""The options of Hearts that OpenSpiel has."""


def settings() -> dict[str, Callable[[], Pair]]:
    """Return every pair by name: each number of players that both have, and each option that both have."""
    found: dict[str, Callable[[], Pair]] = {}
    for players in range(2, 6):
        found[f"kuhn_poker {players}"] = partial(kuhn, players)
    for players in range(2, 11):
        found[f"leduc_poker {players}"] = partial(leduc, players)
    found["leduc_poker 3 starting_player"] = partial(leduc, 3, 1)
    found["leduc_poker 3 suit_isomorphism"] = partial(leduc, 3, suit_isomorphism=True)
    found["leduc_poker 3 action_mapping"] = partial(leduc, 3, mapped=True)
    found["hearts 4"] = hearts
    for option, value in DEFAULTS_OF_HEARTS.items():
        found[f"hearts 4 {option}"] = partial(hearts, **{option: not value})
    # OpenSpiel deals ten players from an empty stock where a book of the deal is replaced.
    for players in range(2, 10):
        found[f"go_fish {players}"] = partial(go_fish, players)
    found["go_fish 2 ask_after_empty_draw"] = partial(go_fish, 2, ask_after_empty_draw=True)
    found["go_fish 3 ranks, suits and cards"] = partial(go_fish, 3, 7, 2, 2)
    for players in range(2, 8):
        found[f"goofspiel {players}"] = partial(goofspiel, players)
        found[f"crazy_eights {players}"] = partial(crazy_eights, players)
    for order in ("ascending", "descending"):
        found[f"goofspiel 2 {order}"] = partial(goofspiel, 2, 13, order)
    found["goofspiel 3 of 5 ranks"] = partial(goofspiel, 3, 5)
    for players in range(3, 8):
        found[f"oh_hell {players}"] = partial(oh_hell, players, 7)
    for tricks in (1, 2, 12):
        found[f"oh_hell 4, {tricks} tricks"] = partial(oh_hell, 4, tricks)
    found["oh_hell 3 penalty"] = partial(oh_hell, 3, 5, penalty=True)
    found["oh_hell 3 penalty and points"] = partial(oh_hell, 3, 5, penalty=True, points=3)
    found["spades 4"] = spades
    found["euchre 4"] = euchre
    found["euchre 4 stick_the_dealer"] = partial(euchre, stick_the_dealer=False)
    found["euchre 4 allow_lone_defender"] = partial(euchre, allow_lone_defender=True)
    for draws in (1, 3, 20):
        found[f"crazy_eights 3, {draws} draws"] = partial(crazy_eights, 3, draws)
    found["blackjack 1"] = blackjack
    for dice in (1, 2, 5):
        found[f"liars_dice 2, {dice} dice"] = partial(liars_dice, dice)
    found["liars_dice 2, 4 sides"] = partial(liars_dice, 3, 4)
    found["liars_dice 2, face first"] = partial(liars_dice, 3, 6, "reset-quantity")
    for digits, faces in ((4, 6), (1, 2), (8, 9)):
        found[f"liars_poker 2, {digits} of {faces} digits"] = partial(liars_poker, digits, faces)
    found["dominoes 2"] = dominoes
    found["dou_dizhu 3"] = dou_dizhu
    found["skat 3"] = skat
    for players in (3, 4):
        found[f"tarok {players}"] = partial(tarok, players)
    for dealer in range(4):
        for dealer_vul, others_vul in product((False, True), repeat=2):
            name = f"bridge 4, dealer {dealer + 1}{', vulnerable' * dealer_vul}{', others vulnerable' * others_vul}"
            found[name] = partial(bridge, dealer, dealer_vul=dealer_vul, non_dealer_vul=others_vul)
    for players in range(2, 11):
        found[f"yacht {players}"] = partial(yacht, players)
    found["yacht 3, 1 roll"] = partial(yacht, 3, 1)
    found["yacht 2, 5 rolls"] = partial(yacht, 2, 5)
    found["yacht 2, sorted"] = partial(yacht, 2, sort_dice=True)
    for players in range(2, 6):
        found[f"hanabi {players}"] = partial(hanabi, players)
    found["hanabi 2, 3 cards"] = partial(hanabi, 2, hand_size=3)
    found["hanabi 3, 4 hints"] = partial(hanabi, 3, max_information_tokens=4)
    found["hanabi 4, 1 mistake"] = partial(hanabi, 4, max_life_tokens=1)
    for players in range(2, 5):
        found[f"cribbage {players}"] = partial(cribbage, players)
    found["gin_rummy 2"] = gin_rummy
    found["gin_rummy 2 oklahoma"] = partial(gin_rummy, oklahoma=True)
    found["gin_rummy 2, other points"] = partial(gin_rummy, 5, gin=20, undercut=10)
    return found
