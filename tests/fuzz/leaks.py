"""Seeded leaks: games, or damage to the machine, that tell a player what the declarations hide; and their look-alikes.

A leak names words of the statement to blame.  A look-alike does much the same, but publishes on purpose or tells
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from interpreter.engine.game import State
from interpreter.engine.logged import LoggedMachine
from interpreter.fuzz.exchange import shown
from interpreter.knowledge.events import Moved, Said

HEAD = """cardgame 1

game "Leaks"
    players 3
    at most 60 decisions

enum Suit: sun "S", moon "M"
card Number(suit: Suit, rank: 1..6) written "{suit}{rank}"

deck in stock
    1 of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    urn:          cards, seen by nobody
    left_pile:    pile, seen by nobody
    right_pile:   pile, seen by nobody
    table:        row, seen by all

state
    points[player]:     0..40 = 0
    mark[player, 1..6]: boolean, seen by owner
    secret[player]:     1..6 = 1, seen by owner
    pick:               card or none

define suns(p: player) = count(c in hand[p] where c.suit == sun)

"""

DEAL = """play
    shuffle stock
    deal 3 from stock to hand[players]
"""

ASK = """
phase ask(p: player)
    p chooses
        nod
        lay card c from hand[p]
            move c to table
        otherwise pass
"""

WINK = """
phase wink(p: player)
    p chooses
        wink
        frown
"""

TAIL = """
result
    score p = points[p]
"""

Damage = Callable[[pytest.MonkeyPatch], None]


@attrs.frozen
class Game:
    """A game: its play and phases; words of the line to blame, if it leaks; and how the machine is damaged."""

    body: str
    line: str = ""
    damage: Damage | None = None
    deck: str = "1 of each Number"

    @property
    def text(self) -> str:
        """The whole spec."""
        ask = ASK if "ask(" in self.body and "phase ask" not in self.body else ""
        wink = WINK if "wink(" in self.body else ""
        return HEAD.replace("1 of each Number", self.deck) + self.body + ask + wink + TAIL


def game(body: str, line: str = "", damage: Damage | None = None) -> Game:
    """Return a game whose play deals three cards to everybody, and then does this."""
    lines = [f"    {text}" if text else "" for text in body.splitlines()]
    return Game(DEAL + "\n".join(lines) + "\n", line, damage)


# ---- what the machine told once, or could tell


def suns(state: State, player: int) -> int:
    """Return how many suns the next player holds."""
    place = next(n for n, name in enumerate(map(state.game.place_name, range(state.game.num_places)))
                 if name == f"hand[player {(player + 1) % 3 + 1}]")  # fmt: skip
    return sum(1 for card in state.zones[place] if card < 6)


def changed(method: Callable[..., Any], owner: Any, name: str) -> Damage:
    """Return damage that lets a function make something else of what another gives: `method(given, *args)`."""

    def damage(patch: pytest.MonkeyPatch) -> None:
        before = getattr(owner, name)
        patch.setattr(owner, name, lambda *args, **more: method(before(*args, **more), *args))

    return damage


def also(method: Callable[..., str | None], name: str) -> Damage:
    """Return damage that lets a logged state tell everybody words in front of what it does."""

    def damage(patch: pytest.MonkeyPatch) -> None:
        before = getattr(LoggedMachine, name)

        def does(state: LoggedMachine, *args: Any) -> None:
            words = method(state, *args)
            if words is not None:
                state.log.append(Said((words,)))
            before(state, *args)

        patch.setattr(LoggedMachine, name, does)

    return damage


def hidden_change(state: LoggedMachine, place: int, value: object, *_: object) -> str | None:
    """Tell that a hidden variable changes."""
    if state.game.variable_viewers[place] == state.game.everyone or state.values[place] == value:
        return None
    return f"{state.game.variable_name(place)} changes"


def fallen(state: LoggedMachine, name: str, type_: object, value: object, *_: object) -> str:
    """Tell what chance chose."""
    del state, type_
    return f"chance: {name} = {value}"


def copied(state: LoggedMachine, place: int, value: object, *_: object) -> str | None:
    """Tell that a variable has another value where it has a copy."""
    return "pick is set" if state.values[place] != value and state.game.variable_name(place) == "pick" else None


CHANGES = also(hidden_change, "set_value")

LEAKS = {
    "whether a phase begins that has a variable of its own": Game(DEAL + """    for p in players: ask(p)
    if some c in hand[player 1] where c.rank == 6: bargain(player 2)

phase bargain(p: player)
    state
        sealed: boolean
    ask(p)
    sealed = true
""", "if some c in hand[player 1]"),
    # As they were found first.
    "a hidden variable tells its index": game(
        """for p in players, c in hand[p]: mark[p, c.rank] = true
for p in players: ask(p)""",
        "mark[p, c.rank] = true", CHANGES),
    "a hidden variable tells that it was set to something else": game(
        """for p in players: secret[p] = count(c in hand[p] where c.suit == sun) + 1
for p in players: ask(p)""",
        "secret[p] =", CHANGES),
    "chance tells what a hidden variable gets": game(
        """for p in players
    random secret[p] from 1..6
    ask(p)""",
        "random secret[p]", also(fallen, "fell")),
    "events keep where unseen cards lay": game(
        """for p in players
    p chooses secretly
        give card c from hand[p]
            move c to urn
turn (all c in urn where c.rank > 3) face up
move urn to left_pile
for p in players: ask(p)""",
        "", changed(lambda seen, event, _: attrs.evolve(seen, seen=event.seen), Moved, "view")),
    "the table tells which end of a pile a card went to, and the events do not": game(
        """deal 1 from stock to left_pile face up
for p in players
    p chooses secretly
        over: deal 1 from stock to left_pile
        under: deal 1 from stock to bottom of left_pile
for p in players: ask(p)""",
        "", changed(lambda seen, *_: attrs.evolve(seen, where=None), Moved, "view")),
    "a variable tells a card from its copy": Game(
        DEAL
        + """    for n in 1..3, p in players
        pick = first c in hand[p]
        ask(p)
        pick = first c in hand[p]
        ask(p)
""",
        "", also(copied, "set_value"), deck="8 of each Number where each.rank <= 2"),
    "a secret decision tells what it sets": game(
        """for p in players
    p chooses secretly
        vote n from 1..6: secret[p] = n
for p in players: ask(p)""",
        "vote n from 1..6", CHANGES),
    # What may be asked, and of whom.
    "who is asked hangs on a hand": game(
        """for p in players: ask(p)
if some c in hand[player 1] where c.rank == 6: ask(player 2)
ask(player 3)""",
        "if some c in hand[player 1]"),
    "how often somebody is asked hangs on a hand": game(
        """for n in 1..suns(player 1): ask(player 2)
ask(player 3)""",
        "for n in 1..suns(player 1)"),
    "what is carried out unasked hangs on a hand": game(
        """for p in players
    if suns(p) == 1
        move (all c in hand[p] where c.suit == sun) to urn
    else
        p chooses
            give card c from hand[p]
                move c to urn""",
        "if suns(p) == 1"),
    "a tie is broken by hidden cards": game(
        """wink(highest p in players by sum(c.rank for c in hand[p]))
ask(player 1)""",
        "wink(highest p"),
    "the order of turns hangs on a hand": game(
        """let beginning = (first p in players where suns(p) > 1) else player 1
for p in players from beginning: wink(p)""",
        "p chooses"),
    "a decision among others hangs on a hand": game(
        """if suns(player 1) > 1
    player 2 chooses "{you} choose"
        left
        right
else
    player 2 chooses "{you} choose"
        left
        straight
ask(player 3)""",
        "if suns(player 1) > 1"),
    # Where unseen cards go, and how many.
    "where an unseen card goes hangs on it": game(
        """for p in players
    if (the top of stock).rank > 3: deal 1 from stock to left_pile
    else: deal 1 from stock to right_pile
    ask(p)""",
        "if (the top of stock).rank > 3"),
    "how many cards lie aside hangs on them": game(
        """while stock is not empty and no c in urn where c.rank > 4: deal 1 from stock to urn
for p in players: ask(p)""",
        "while stock is not empty"),
    "how many unseen cards move hangs on them": game(
        """for p in players: move (all c in hand[p] where c.suit == sun) to urn
for p in players: ask(p)""",
        "move (all c in hand[p]"),
    "how many cards are dealt hangs on a hand": game(
        """deal suns(player 1) from stock to urn
for p in players: ask(p)""",
        "deal suns(player 1)"),
    "whether piles are swapped hangs on a hand": game(
        """deal 1 from stock to left_pile
deal 2 from stock to right_pile
if suns(player 1) > 1: swap left_pile with right_pile
for p in players: ask(p)""",
        "if suns(player 1) > 1"),
    "whether a pile is shuffled hangs on a hand": game(
        """if suns(player 2) > 1: shuffle stock
for p in players: ask(p)""",
        "if suns(player 2) > 1"),
    # Chance and reactions.
    "what chance can give hangs on a hand": game(
        """for p in players
    random n from 1..(suns(player 1) + 1)
    ask(p)""",
        "random n from"),
    "a reaction hangs on unseen cards": Game(
        """whenever (some c in urn where c.rank == 6) and left_pile is empty: deal 1 from stock to left_pile

"""
        + DEAL
        + """    for p in players
        p chooses secretly
            give card c from hand[p]
                move c to urn
        ask(p)
""",
        "whenever"),
    "how a phase ends hangs on a hand": Game(
        DEAL
        + """    for p in players: one_turn(p)
    ask(player 1)

phase one_turn(p: player)
    if suns(p) > 1: end one_turn
    deal 1 from stock to urn
    ask(p)
""",
        "if suns(p) > 1"),
    "how many rounds there are hangs on a hidden variable": game(
        """for p in players: random secret[p] from 1..3
for n in 1..secret[player 1]: ask(player 2)
ask(player 3)""",
        "for n in 1..secret[player 1]"),
    # What is shown, in every form.
    "a question hangs on another's hand": game(
        """for p in players: ask(p)""",
        "p chooses", changed(lambda text, state: f"{text} ({suns(state, state.to_act)})", State, "prompt")),
    "the name of an action hangs on another's hand": game(
        """for p in players: ask(p)""",
        "p chooses",
        changed(lambda text, state, *_: text + "!" * (suns(state, state.to_act) > 1), State, "action_to_string")),
    "a refusal hangs on another's hand": game(
        """for p in players: ask(p)""",
        "p chooses",
        changed(lambda found, state, *_: f"{found} {suns(state, state.to_act)}", State, "explain")),
    "the order of what is legal hangs on another's hand": game(
        """for p in players: ask(p)""",
        "p chooses",
        changed(lambda legal, state: legal[::-1] if suns(state, max(state.to_act, 0)) > 1 else legal,
                State, "legal_actions")),
    "the table shows an unseen card": game(
        """for p in players: ask(p)""", "",
        changed(lambda text, state, player: f"{text}\n{suns(state, player)}", State, "observation_string")),
    "what all see shows an unseen card": game(
        """for p in players: ask(p)""", "",
        changed(lambda text, state: f"{text}\n{suns(state, 0)}", State, "public_observation_string")),
    "the length of what was told hangs on an unseen card": game(
        """for p in players: ask(p)""", "",
        changed(lambda text, state, sight: text + "\n" * suns(state, sight.player), shown, "information_state_text")),
    "a tensor holds an unseen card": game(
        """for p in players: ask(p)""", "",
        changed(lambda numbers, state, sight: [*numbers, suns(state, sight.player)], shown, "observation_tensor")),
    "a tensor of the past holds an unseen card": game(
        """for p in players: ask(p)""", "",
        changed(lambda cells, state, sight: [*cells, suns(state, sight.player)], shown, "information_state_tensor")),
}  # fmt: skip


QUIET = {
    # A card that its player does not see is chosen by its place; the mark of a place is all that is known of it.
    "an unseen card by its place": Game(
        """zones
    blind[player]: row at most 3, seen by all but owner
    shelf[player, 1..2]: slot, seen by all but owner
state
    hint[player, 1..2]: Suit or none
play
    shuffle stock
    deal 3 from stock to blind[players]
    for p in players, n in 1..2: deal 1 from stock to shelf[p, n]
    for p in players
        openly hint[p, 2] = shelf[p, 2].suit
    for p in players
        p chooses
            lay n from 1..count(blind[p])
                let c = the card n of blind[p]
                move c to table
            tell n from 1..2, q from players where q != p and hint[q, n] is none
                openly hint[q, n] = shelf[q, n].suit
            drop n from 1..2 where shelf[p, n] is not empty
                hint[p, n] = none
                move shelf[p, n] to urn
                deal 1 from stock to shelf[p, n]
"""),
    # A variable is set to the outcome in a node that waits for a card.
    "chance chooses a player, and a card is turned at once": Game(
        """state
    mover: player = player 1
play
    shuffle stock
    deal 3 from stock to hand[players]
    random mover from players
    turn_a_card
    for p in players from mover: ask(p)

phase turn_a_card
    if left_pile is empty: deal 1 from stock to table
"""),
    # Told on purpose, in a word.
    "who is asked, openly": game(
        """for p in players: ask(p)
openly if some c in hand[player 1] where c.rank == 6: ask(player 2)
ask(player 3)"""),
    "a phase that begins with a variable of its own, openly": Game(DEAL + """    for p in players: ask(p)
    openly if some c in hand[player 1] where c.rank == 6: bargain(player 2)

phase bargain(p: player)
    state
        sealed: boolean
    ask(p)
    sealed = true
"""),
    "a decision in one case and a move in the other, openly": game(
        """openly if not (some c in hand[player 1] where c.rank == 6): ask(player 2)
move top of stock to table
ask(player 3)"""),
    "how often somebody is asked, openly": game(
        """openly for n in 1..suns(player 1): ask(player 2)
ask(player 3)"""),
    "what is carried out unasked, openly": game(
        """for p in players
    openly if suns(p) == 1
        move (all c in hand[p] where c.suit == sun) to urn
    else
        p chooses
            give card c from hand[p]
                move c to urn"""),
    "where an unseen card goes, openly": game(
        """for p in players
    openly if (the top of stock).rank > 3: deal 1 from stock to left_pile
    else: deal 1 from stock to right_pile
    ask(p)"""),
    "how many cards lie aside, openly": game(
        """openly while stock is not empty and no c in urn where c.rank > 4: deal 1 from stock to urn
for p in players: ask(p)"""),
    "how many unseen cards move, openly": game(
        """for p in players
    openly move (all c in hand[p] where c.suit == sun) to urn
for p in players: ask(p)"""),
    "how many cards are dealt, openly": game(
        """openly deal suns(player 1) from stock to urn
for p in players: ask(p)"""),
    "whether a pile is shuffled, openly": game(
        """openly if suns(player 2) > 1: shuffle stock
for p in players: ask(p)"""),
    "what chance can give, openly": game(
        """for p in players
    openly random n from 1..(suns(player 1) + 1)
    ask(p)"""),
    "how a phase ends, openly": Game(
        DEAL
        + """    for p in players: one_turn(p)
    ask(player 1)

phase one_turn(p: player)
    openly if suns(p) > 1: end one_turn
    deal 1 from stock to urn
    ask(p)
"""),
    "a decision among others, openly": game(
        """openly if suns(player 1) > 1
    player 2 chooses "{you} choose"
        left
        right
else
    player 2 chooses "{you} choose"
        left
        straight
ask(player 3)"""),
    # Published by what a statement is.
    "a variable that all see is reckoned from hands": game(
        """for p in players: points[p] = sum(c.rank for c in hand[p])
for p in players: ask(p)"""),
    "words name what a hand holds": game(
        """for p in players
    if suns(p) > 1: say "{p} holds suns"
    ask(p)"""),
    "a hand is shown before somebody is asked because of it": game(
        """show hand[player 1] to all
if suns(player 1) > 1: ask(player 2)
ask(player 3)"""),
    "cards are shown to one": game(
        """for p in players
    show hand[next(p)] to p
    ask(p)"""),
    "cards are turned up": game(
        """for p in players: ask(p)
for p in players: turn hand[p] face up
if suns(player 1) > 1: ask(player 2)
ask(player 3)"""),
    "cards are dealt where all see them": game(
        """while stock is not empty and no c in table where c.rank > 4: deal 1 from stock to table
for p in players: ask(p)"""),
    "who leads is said, and then asked": game(
        """let best = highest p in players by sum(c.rank for c in hand[p])
say "{best} begins"
wink(best)"""),
    "who is asked stands in a variable first": Game(
        DEAL
        + """    begins = highest p in players by sum(c.rank for c in hand[p])
    wink(begins)

state
    begins: player = player 1
"""),
    "a branch that is told of": game(
        """for p in players
    if suns(p) > 1
        deal 1 from stock to urn
        say "{p} has drawn"
    ask(p)"""),
    "chance that all see decides": game(
        """for p in players
    random n from 1..3
    for k in 1..n: ask(p)"""),
    "what was counted for all decides": Game(
        DEAL
        + """    held = suns(player 1)
    for n in 1..held: ask(player 2)
    ask(player 3)

state
    held: 0..3
"""),
    "a reaction to what all see": Game(
        """whenever count(table) > 1 and left_pile is empty: deal 1 from stock to left_pile

"""
        + DEAL
        + """    for p in players: ask(p)
"""),
    # Nothing is told.
    "a hidden variable follows a hand": game(
        """for p in players: secret[p] = suns(p) + 1
for p in players: ask(p)"""),
    "hidden marks follow a hand": game(
        """for p in players, c in hand[p]: mark[p, c.rank] = true
for p in players: ask(p)"""),
    "a secret vote": game(
        """for p in players
    p chooses secretly
        vote n from 1..6
            secret[p] = n
for p in players: ask(p)"""),
    "hidden dice": game(
        """for p in players
    random secret[p] from 1..6
    ask(p)"""),
    "cards are given unseen, and the urn is emptied unseen": game(
        """for p in players
    p chooses secretly
        give card c from hand[p]
            move c to urn
move urn to left_pile
for p in players: ask(p)"""),
    "a name is reckoned from hands and never used": game(
        """let best = highest p in players by sum(c.rank for c in hand[p])
for p in players: wink(p)"""),
    "hands change places": game(
        """for p in players: ask(p)
swap hand[player 1] with hand[player 2]
for p in players: ask(p)"""),
    "all pass a card at once": game(
        """at once p in players
    p chooses
        pass_on card c from hand[p]
            move c to hand[next(p)]
for p in players: ask(p)"""),
    "a branch that comes to the same": game(
        """for p in players
    if suns(p) > 1: deal 1 from stock to urn
    else: deal 1 from stock to urn
    ask(p)"""),
    "each chooses by their own hand": game(
        """for p in players
    p chooses
        boast only if suns(p) > 1
            points[p] += 1
        lay card c from hand[p] where c.suit == sun
            move c to table
        otherwise pass"""),
}  # fmt: skip
"""What is much like a leak, and none."""
