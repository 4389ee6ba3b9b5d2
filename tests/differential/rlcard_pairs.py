"""RLCard's games with OpenSpiel's interface, so that a `Pair` can play them; the variants beside this file are ours.

RLCard draws from generators of random numbers in the middle of a step, so these games have a script instead.  What a
variant leaves out is done here, and is listed in the docstring of each state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import attrs

from interpreter import State, load
from tests.differential import Deal, Pair, shuffled

FOLDER = Path(__file__).parent


@attrs.define
class Theirs:
    """A game of RLCard: what makes its first state."""

    new_initial_state: Callable[[], Any]


@attrs.frozen
class Script:
    """In the place of a generator of random numbers: an order for each deck, the first card last, and colours."""

    order: Callable[[list[Any]], list[Any]]
    choice: Callable[[list[Any]], Any] | None = None

    def shuffle(self, deck: list[Any]) -> None:
        """Put a deck into the order of the script."""
        deck[:] = self.order(deck)


# ---- Mahjong

TILES = 136
HONOURS = (30, 33, 31, 32, 28, 27, 29)
"""RLCard's numbers of our honours: east, south, west and north wind, red, green and white dragon."""


def tile_of(face: int) -> int:
    """Return RLCard's number of one of our tiles."""
    return face if face < 27 else HONOURS[face - 27]


def is_complete(tiles: Counter[int], melds: int) -> bool:
    """Say whether tiles are so many melds, and a pair unless one is taken out already."""
    if sum(tiles.values()) % 3 == 2:
        return any(n >= 2 and is_complete(tiles - Counter([t, t]), melds) for t, n in tiles.items())
    if not +tiles:
        return melds == 0
    low = min(+tiles)
    runs = [[low, low + 1, low + 2]] if low < 27 and low % 9 < 7 else []
    return any(
        not Counter(meld) - tiles and is_complete(tiles - Counter(meld), melds - 1) for meld in ([low] * 3, *runs)
    )


class Mahjong:
    """A state of RLCard's Mahjong.

    It departs from RLCard in three points.  RLCard overlooks some complete hands, since it looks for runs only among
    three neighbours in a sorted hand; such a hand wins here.  It takes a 9 and a 1 for a chow of a 2, of which it then
    moves one; and it offers a chow that was not made to players who do not follow the discarder.  Both are declined.
    """

    def __init__(self) -> None:
        self.stock: list[int] = []
        self.game: Any = import_module("rlcard.games.mahjong").Game()
        self.numbers: dict[str, int] = import_module("rlcard.games.mahjong.utils").card_encoding_dict

    def is_chance_node(self) -> bool:
        """Whether a tile of the wall is still to be named, from the top."""
        return len(self.stock) < TILES

    def _number(self, action: Any) -> int:
        return self.numbers[action if isinstance(action, str) else action.get_str()]

    def _order(self, deck: list[Any]) -> list[Any]:
        tile = {self._number(card): card for card in deck}
        return [tile[number] for number in reversed(self.stock)]

    def _offered(self) -> dict[int, Any]:
        state = self.game.get_state(self.game.get_player_id())
        return {self._number(action): action for action in self.game.get_legal_actions(state)}

    def apply_action(self, action: int) -> None:
        """Name the next tile of the wall, or carry out an action; decline a chow that is none."""
        if self.is_chance_node():
            self.stock.append(action)
            if not self.is_chance_node():
                self.game.np_random = Script(self._order)
                self.game.init_game()
            return
        at = self.game.round
        declined = at.valid_act == "chow"
        self.game.step(self._offered()[action])
        while at.valid_act == "chow" and (declined or len(at.last_cards) < 3):
            declined = True
            self.game.step("stand")

    def current_player(self) -> int:
        """Return the player to act."""
        player: int = self.game.get_player_id()
        return player

    def legal_actions(self) -> list[int]:
        """Return the numbers of the legal actions, ascending."""
        return sorted(self._offered())

    def _winner(self) -> int:
        """Return the number of the winner, -1 if there is none."""
        for player in self.game.players:
            tiles = Counter(map(self._number, player.hand))
            if len(player.pile) == 4 or (sum(tiles.values()) % 3 == 2 and is_complete(tiles, 4 - len(player.pile))):
                return int(player.player_id)
        return -1

    def is_terminal(self) -> bool:
        """Whether the play is over."""
        return bool(self.game.is_over()) or self._winner() >= 0

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for all others, or 0 for all."""
        winner = self._winner()
        assert self.game.winner in (-1, winner)
        return [0.0 if winner < 0 else 1.0 if player == winner else -1.0 for player in range(4)]

    def __str__(self) -> str:
        hands = [sorted(card.get_str() for card in player.hand) for player in self.game.players]
        return f"player {self.current_player() + 1}: {self._offered().keys()}, {hands}"


def mahjong() -> Pair:
    """Tiles are dealt from the top of the wall."""

    def deal(rng: Random) -> Deal:
        stock = shuffled(rng, 34, 4)
        return Deal(tuple(stock), tuple(map(tile_of, stock)))

    def action(text: str) -> int:
        verb, *tile = text.split()
        if verb == "discard":
            return tile_of(faces.index(tile[0]))
        return 34 + ["pong", "chow", "gong", "stand"].index(verb)

    game = load(FOLDER / "mahjong_of_rlcard.cardgame")
    faces = [face.text for face in game.texts.faces]
    return Pair(game, Theirs(Mahjong), action, deal)


# ---- UNO

TRAITS = {"skip": "S", "reverse": "V", "draw_2": "D"}
COLORS = "RYGB"


def text_of(card: Any) -> str:
    """Return our text of a card of RLCard."""
    wild = {"wild": "W", "wild_draw_4": "W4"}.get(card.trait)
    return wild or card.color.upper() + TRAITS.get(card.trait, card.trait)


class Uno:
    """A state of RLCard's UNO for two, of which a seed decides all orders and colours."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        module: Any = import_module("rlcard.games.uno")
        self.numbers: dict[str, int] = import_module("rlcard.games.uno.utils").ACTION_SPACE
        self.names = {number: action for action, number in self.numbers.items()}
        self.game: Any = module.Game()
        self.game.np_random = Script(
            lambda deck: arranged(sorted(deck, key=text_of), rng)[::-1],
            lambda _: COLORS[int(rng.random() * 4)].lower(),
        )
        self.game.init_game()

    def is_chance_node(self) -> bool:
        """Return False: the seed has decided."""
        return False

    def apply_action(self, action: int) -> None:
        """Carry out an action."""
        self.game.step(self.names[action])

    def current_player(self) -> int:
        """Return the player to act."""
        player: int = self.game.get_player_id()
        return player

    def legal_actions(self) -> list[int]:
        """Return the numbers of the legal actions, ascending."""
        return sorted({self.numbers[action] for action in self.game.get_legal_actions()})

    def is_terminal(self) -> bool:
        """Whether the play is over."""
        return bool(self.game.is_over())

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the other."""
        return [float(value) for value in self.game.get_payoffs()]

    def __str__(self) -> str:
        return str(self.game.get_state(self.current_player()))


def arranged(cards: list[Any], rng: Random) -> list[Any]:
    """Return cards in a random order."""
    rng.shuffle(cards)
    return cards


def uno() -> Pair:
    """One seed for each deal; colours of wild cards are arguments of our actions, too."""
    seed, rng = 0, Random()

    def deal(plays: Random) -> Deal:
        nonlocal seed, rng
        seed = int(plays.random() * 2**32)
        rng = Random(seed)
        return Deal((), ())

    def answer(state: State) -> None:
        outcomes = state.chance_outcomes()
        if state.awaited is None:
            state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
            return
        left = len(state.undetermined)
        faces = [face for face, chance in outcomes for _ in range(round(chance * left))]
        state.apply_action(arranged(sorted(faces, key=texts.__getitem__), rng))

    def action(text: str) -> int:
        _, *card = text.split()
        if not card:
            return numbers["draw"]
        if len(card) == 2:
            return numbers[f"{card[1][0]}-{'wild' if card[0] == 'W' else 'wild_draw_4'}"]
        symbol = next((trait for trait, short in TRAITS.items() if short == card[0][1]), card[0][1])
        return numbers[f"{card[0][0].lower()}-{symbol}"]

    numbers: dict[str, int] = import_module("rlcard.games.uno.utils").ACTION_SPACE
    game = load(FOLDER / "uno_of_rlcard.cardgame")
    texts = [face.text for face in game.texts.faces]
    return Pair(game, Theirs(lambda: Uno(seed)), action, deal, answer=answer)


def settings() -> dict[str, Callable[[], Pair]]:
    """Return every pair by name."""
    return {"mahjong 4": mahjong, "uno 2": uno}
