"""Help to play small games in tests: a fragment completed by a tiny base, and plays as sentences."""

from __future__ import annotations

import random
from typing import Any

from grammar.codes.sample import sections
from interpreter import State, load_text

BASE = """
game "Small"
    players 2

enum Suit: clubs "C", hearts "H", spades "S"
card Number(suit: Suit, rank: 1..5) written "{suit}{rank}"
card Jester written "J"

deck in stock
    1 of each Number
    2 of Jester

zones
    stock:        pile, seen by all
    hand[player]: cards, seen by owner
    table:        row, seen by all
    heap:         pile, seen by all
    box:          cards, seen by all

state
    a, b, d:     integer = 0
    suit:        Suit or none = none
    flag:        boolean = false

phase ask
    player 1 chooses
        pass

play
    ask

result
    score p = a
"""


def spec(fragment: str) -> str:
    """Return a whole spec: the fragment, and what it leaves out from the small game."""
    own = sections(fragment.strip("\n") + "\n")
    heads = {s.split("\n")[0].split("(")[0].strip() for s in own}
    said = {" ".join(h.split()[:1]) if h.split()[0] in ("game", "zones", "state", "deck", "play", "result") else h
            for h in heads}  # fmt: skip

    def kept(section: str) -> bool:
        words = section.split("\n")[0].split("(")[0].strip()
        first = words.split()[0]
        if first in ("game", "zones", "state", "deck", "play", "result"):
            return first not in said
        return words not in said and not any(h.startswith(" ".join(words.split(":")[0].split()[:2])) for h in heads)

    return "\n".join(["cardgame 1\n", *(s for s in sections(BASE) if kept(s)), *own])


def start(fragment: str, players: int | None = None, options: dict[str, Any] | None = None, seed: int = 1) -> State:
    """Return the first state of a small game at which somebody decides, or its end."""
    state = load_text(spec(fragment), players, options).new_initial_state()
    settle(state, seed)
    return state


def settle(state: State, seed: int = 1) -> None:
    """Answer waiting chance events."""
    if state.is_chance_node():
        state.resolve_chance(random.Random(seed))


def do(state: State, *sentences: str) -> State:
    """Carry out sentences, one after another; return the state."""
    for sentence in sentences:
        state.apply_action(state.string_to_action(sentence))
        settle(state)
    return state


def legal(state: State) -> list[str]:
    """Return the texts of the legal small actions."""
    return [state.action_to_string(a) for a in state.legal_actions()]


def values(state: State) -> dict[str, Any]:
    """Return the values of all variables by name."""
    game = state.game
    return {game.variable_name(slot): state.values[slot] for slot in range(len(game.variables))}


def cards(state: State, place: str) -> str:
    """Return the texts of the cards of a place, in order."""
    game = state.game
    number = next(n for n in range(game.num_places) if game.place_name(n) == place)
    return " ".join(game.texts.face(game.card_faces[c]) for c in state.zones[number])


def value(expression: str, setup: str = "", more: str = "") -> Any:
    """Return what an expression (a number, or with `bool` in mind) comes to, after some statements.

    The statements run at the beginning of a play of the small game; `stock` lies in the order of the deck.
    """
    lines = "".join(f"    {line}\n" for line in setup.strip("\n").split("\n")) if setup else ""
    state = start(f"{more}\nplay\n{lines}    a = {expression}\n    ask\n")
    return values(state)["a"]


def holds(condition: str, setup: str = "", more: str = "") -> bool:
    """Return whether a condition holds, after some statements; see `value`."""
    return bool(value(f"if {condition} then 1 else 0", setup, more) == 1)
