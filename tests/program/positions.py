"""A table of values of every type, and of positions in which a spec uses a value.

`positions.txt` has the positions.  `accepted` finds those in which the checker takes a value: all are tried in one
spec, the phases with an error are left out, and the rest is checked again.  `spec_of` writes a game in which the first
decision chooses one of some uses, and whether what may be absent is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs

from grammar.diagnostics import SpecError
from interpreter import load_text

VALUES = {
    "a number": "number",
    "a constant": "2",
    "a number that may be absent": "(if present then number)",
    "a variable number that may be absent": "maybe_number",
    "an integer": "total",
    "a truth value": "present",
    "a truth value that may be absent": "(if present then flag)",
    "an enumeration value": "moon",
    "an enumeration value that may be absent": "(if present then tide)",
    "a variable enumeration value that may be absent": "maybe_suit",
    "a player": "leader",
    "a player that may be absent": "(if present then player 2)",
    "a card": "(the first c0 in hand[player 1])",
    "a card that may be absent": "(first c0 in hand[player 2] where present)",
    "a variable card that may be absent": "maybe_card",
    "a card that is never there": "(first c0 in nowhere)",
    "the top of an unseen pile": "(top of stock)",
    "cards": "hand[player 1]",
    "cards of all places": "hand[players]",
    "unseen cards": "stock",
    "no cards": "nowhere",
    "chosen cards": "(all c0 in table where present)",
    "cards that may be absent": "(if present then hand[player 2])",
    "joined cards that may be absent": "(if present then (hand[player 2] + table))",
    "a slot": "middle",
    "all players": "players",
    "some players": "(all p0 in players where present and p0 != leader)",
    "players that may be absent": "(if present then (all p0 in players))",
    "a range": "1..3",
    "an empty range": "3..number",
    "the values of an enumeration": "Suit",
    "some values of an enumeration": "(all s0 in Suit where s0 != moon or present)",
    "values of an enumeration that may be absent": "(if present then (all s0 in Suit))",
    "a key": "(number, 1)",
    "a key that may be absent": "(if present then (number, 1))",
    "nothing": "none",
}
"""Expressions by what they give; where `present` is false, whatever may be absent is."""


def _read_positions() -> dict[str, dict[str, str]]:
    """Return the statements of each position by name, in the groups of `positions.txt`."""
    groups: dict[str, dict[str, str]] = {}
    for part in Path(__file__).with_name("positions.txt").read_text("utf-8").split("\n== ")[1:]:
        title, _, body = part.partition("\n")
        entries = (entry.partition("]\n") for entry in body.split("\n[")[1:])
        groups[title] = {name: statements.strip("\n") for name, _, statements in entries}
    return groups


GROUPS = _read_positions()
"""Positions that only look at cards, and positions that hide cards, each group for a game of its own."""

POSITIONS = {name: statements for group in GROUPS.values() for name, statements in group.items()}
"""Statements in which a value, `<x>`, is used."""

RESULTS = {
    "score": "score p = <x>",
    "returns": "returns p = <x>",
    "stakes": "stakes p = <x>\n    winners = player 1",
    "winners": "winners = <x>",
    "chosen winners": "winners = if present then <x> else player 2",
    "winners that may be absent": "winners = if flag then <x>",
}
"""Lines of the result in which a value stands; each needs a game of its own."""

BASE = """cardgame 1

game "Positions"
    players 2
    at most 12 decisions

enum Suit(worth: 1..9)
    sun "S" 2
    moon "M" 3
    tide "T" 5
card Number(suit: Suit, rank: 1..3) written "{suit}{rank}"
card Fool written "F"

deck in stock
    1 of each Number
    2 of Fool

zones
    stock, spare: pile, seen by nobody
    nowhere: row, seen by all
    box: cards, seen by all
    hand[player]: cards, seen by all
    table: row, seen by all
    middle: slot, seen by all
    grid[player, Suit]: cards, seen by all
    tray[0..3]: cards, seen by all

state
    present, flag: boolean = false
    maybe_flag: boolean or none
    number: 0..9 = 2
    maybe_number: 0..9 or none
    total: integer = 0
    suit: Suit = sun
    maybe_suit: Suit or none
    leader: player = player 1
    maybe_player: player or none
    maybe_card: card or none
    tally[Suit]: 0..9
    points[player]: 0..9
    level[0..3]: 0..9
    chosen: 0..<last> = 0

define doubled(n: integer) = 2 * n
define small(n: 0..3) = n + 1
define number_or(n: 0..9 or none) = n else 5
define turned_over(b: boolean) = not b
define seat(p: player) = next(p)
define seat_or(p: player or none) = p else player 2
define value_of(c: card) = c.rank else 0
define following(s: Suit) = next(s)
define size_of(s: cards) = count(s)
define couple(s: cards) = count(s) == 2 and same(c.rank else 0 for c in s)
define small_set(s: cards) = sum(c.rank else 1 for c in s) < 3

phase take_number(n: 0..3)
    total = n
phase take_optional_number(n: 0..9 or none)
    maybe_number = n
phase take_flag(b: boolean)
    flag = b
phase take_player(p: player)
    leader = p
phase take_optional_player(p: player or none)
    maybe_player = p
phase take_card(c: card)
    move c to box
phase take_suit(s: Suit)
    suit = s
phase take_cards(s: cards)
    move s to box

play
    deal 3 from stock to hand[players]
    deal 1 from stock to middle
    deal 2 from stock to table
    shuffle stock
    player 1 chooses
        give n from 0..<last>
            chosen = n
            present = true
            maybe_number = 3
            maybe_suit = tide
            maybe_card = first c in hand[player 2]
        withhold n from 0..<last>
            chosen = n
    player 1 chooses
        raise_flag
            flag = true
        lower_flag
    if chosen == <last> and total > 100
        take_number(1)
        take_optional_number(2)
        take_flag(true)
        take_player(player 1)
        take_optional_player(player 1)
        take_card(the first c in table)
        take_suit(sun)
        take_cards(table)
"""


@attrs.frozen
class Use:
    """A value in a position."""

    value: str
    position: str

    def statements(self) -> str:
        """Return the statements of the position with the value in them."""
        return POSITIONS[self.position].replace("<x>", VALUES[self.value])


def spec_of(uses: list[Use], result: str = "score p = points[p] + total") -> str:
    """Return a game in which the first decision chooses one of some uses."""
    last = max(1, len(uses) - 1)
    calls = "".join(f"    if chosen == {number}: use_{number}\n" for number in range(len(uses)))
    phases = "".join(
        f"\nphase use_{number}\n" + "".join(f"    {line}\n" for line in use.statements().split("\n"))
        for number, use in enumerate(uses)
    )
    return f"{BASE.replace('<last>', str(last))}{calls}{phases}\nresult\n    {result}\n"


def errors_of(text: str) -> dict[int, str]:
    """Return the codes of the errors of a spec, by line."""
    try:
        load_text(text)
    except SpecError as error:
        return {d.span.line: d.code for d in error.diagnostics if d.is_error}
    return {}


def accepted(value: str, group: str) -> list[Use]:
    """Return the uses of a value that the checker takes; it refuses all others with a diagnostic in their lines."""
    uses = [Use(value, position) for position in GROUPS[group]]
    while uses:
        text = spec_of(uses)
        wrong = errors_of(text)
        if not wrong:
            break
        refused = {number for number, lines in phase_lines(text) if not wrong.keys().isdisjoint(lines)}
        if not refused:
            raise AssertionError(f"errors outside of all uses of {value}: {wrong}")
        uses = [use for number, use in enumerate(uses) if number not in refused]
    return uses


def phase_lines(text: str) -> Iterator[tuple[int, range]]:
    """Give the number of each use in a spec, with the lines of its phase."""
    for number, part in enumerate(text.split("\nphase use_")[1:]):
        first = text[: text.index(f"\nphase use_{number}\n")].count("\n") + 2
        yield number, range(first, first + part.partition("\nresult\n")[0].count("\n") + 1)
