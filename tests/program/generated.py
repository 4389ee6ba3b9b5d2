"""Random well-typed specs, written from the constructs of the grammar.

    python -m tests.program.generated [--specs N] [--seed N] [--decisions N] [--no-c]

Each spec is played in lockstep by the oracle, Python and C; the command prints how many of the specs the checker took,
the decisions and the differences, and exits with 1 where there is one, after the spec that shows it.

`Writer` chooses among constructs with a generator of random numbers.  A method for each type of the language writes an
expression of that type from the names in scope; a method for each statement writes its lines.  What the checker would
refuse by its types is never written; what it refuses for other reasons (knowledge, cost, values that are always there)
is discarded, which should be rare.
"""

# ruff: noqa: ARG002, ARG005
# All writers of statements have the same parameters, and so have all writers of expressions.

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

import attrs

from grammar.diagnostics import SpecError
from interpreter import Game, load_text
from interpreter.native.library import BuildError
from tests.lockstep import Engines, lockstep

Scope = dict[str, str]
"""The type of each local name: `number`, `player`, `suit`, `card`, `number card` or `cards`."""

Block = list[str]

OPEN_ZONES = ("table", "box", "middle", "heap")
HIDDEN_ZONES = ("stock", "under")
SUITS = ("sun", "moon", "tide")

MANY = 11
"""Copies of each card that make a set of cards longer than a word of 64 bits."""

HEAD = """cardgame 1

game "Generated"
    players {players}
    at most 40 decisions

teams{condition}
    reds: {reds}
    blues: {blues}

enum Suit: sun "S", moon "M", tide "T"
enum Rung(color: Suit, worth: 0..5 or none)
    low  sun  1
    mid  moon 4
    high sun  none
card Number(suit: Suit, rank: 1..{ranks}) written "{{suit}}{{rank}}"
card Fool written "F"

deck in stock
    {copies} of each Number
    {fools} of Fool

zones
    stock, under: pile, seen by nobody
    heap: pile, seen by all
    hand[player]: cards, seen by {owner}
    table: row, seen by all
    box: cards, seen by all
    middle: slot, seen by all
    bay[1..2]: slot, seen by all

state
    total, other: integer = 0
    flag: boolean = false
    points[player]: integer = 0
    tally[Suit]: 0..9 = 0
    suit: Suit = sun
    rung: Rung = low
    trump: Suit or none
    leader: player = player 1
    chosen: player or none
    kept: card or none
    secret: 0..9 = 0, seen by nobody
    gain[team]: integer = 0
    hint[player]: 0..9 = 0, seen by team
    weight[card in bay]: integer = 1

define numbers(group: cards) = last 3 member in group where member is Number
define couple(group: cards) = count(group) == 2 and same(member.suit else sun for member in group)
define few(group: cards) = count(group) < 3 and no member in group where member is Fool
"""


@attrs.define
class Writer:
    """Writes one spec."""

    rng: Random
    open_only: bool = False
    """Whether only what everybody sees, and the hand of who chooses, may be read: inside the guards of a choice."""
    depth: int = 0
    names: int = 0
    verbs: int = 0
    cards_defines: list[str] = attrs.field(factory=list)
    player_defines: list[str] = attrs.field(factory=list)
    card_defines: list[str] = attrs.field(factory=list)
    phases: list[str] = attrs.field(factory=list)

    def name(self, prefix: str) -> str:
        """Return a name that nothing else has."""
        self.names += 1
        return f"{prefix}{self.names}"

    def one(self, *choices: Callable[[Scope], str]) -> Callable[[Scope], str]:
        """Choose one way to write something."""
        return choices[self.rng.randrange(len(choices))]

    def pick(self, scope: Scope, leaves: list[Callable[[Scope], str]], deep: list[Callable[[Scope], str]]) -> str:
        """Write one of some expressions, a leaf where they nest deeply already."""
        if self.depth >= 3 or self.rng.random() < 0.35:
            return self.one(*leaves)(scope)
        self.depth += 1
        text = self.one(*deep)(scope)
        self.depth -= 1
        return text

    def local(self, scope: Scope, *kinds: str) -> str | None:
        """Choose a local name of one of some types."""
        names = [name for name, kind in scope.items() if kind in kinds]
        return self.rng.choice(names) if names else None

    # ---- expressions

    def number(self, scope: Scope) -> str:
        """Write a whole number."""
        some = self.rng.randrange(1, 6)
        local = self.local(scope, "number")
        leaves: list[Callable[[Scope], str]] = [
            lambda s: local or str(some),
            lambda s: str(some),
            lambda s: self.rng.choice(("total", "other")),
            lambda s: f"points[{self.player({})}]" if self.depth < 3 else "total",
            lambda s: f"gain[team({self.player({})})]" if self.depth < 3 else "other",
            lambda s: f"count({self.place(s)})",
            lambda s: "weight[bay[2]]",
        ]
        if card := self.local(scope, "number card"):
            leaves += [lambda s: f"{card}.rank"] * 3
        if player := self.local(scope, "player"):
            leaves.append(lambda s: f"hint[{player}]")
        deep: list[Callable[[Scope], str]] = [
            lambda s: f"({self.number(s)} + {self.number(s)})",
            lambda s: f"({self.number(s)} - {self.number(s)})",
            lambda s: f"({self.number(s)} * {some})",
            lambda s: f"({self.number(s)} mod {some})",
            lambda s: f"({self.number(s)} / {some} rounded {self.rng.choice(('up', 'down', 'nearest'))})",
            lambda s: f"({self.number(s)} / ({self.number(s)}) rounded down)",
            lambda s: f"(rung.worth else {self.number(s)})",
            self.of_prefixes,
            lambda s: f"{self.rng.choice(('min', 'max', 'distance'))}({self.number(s)}, {self.number(s)})",
            lambda s: f"(if {self.truth(s)} then {self.number(s)} else {self.number(s)})",
            lambda s: f"({self.optional_card(s)}.rank else {self.number(s)})",
            lambda s: f"count({self.cards(s)})",
            lambda s: f"tally[{self.suit(s)}]",
            lambda s: f"position({self.suit(s)})",
            lambda s: f"distance({self.suit(s)}, {self.suit(s)})",
            lambda s: self.over_cards(s, "sum({value} for {name} in {cards} where {name} is Number)"),
            lambda s: self.over_cards(s, "(max({value} for {name} in {cards} where {name} is Number) else 0)"),
            lambda s: self.over_cards(s, "sum(weight[{name}] for {name} in {cards} + bay[1..2])"),
            lambda s: self.over_players(s, "sum({number} for {name} in players)"),
            lambda s: self.over_players(s, f"sum({{number}} for {{name}} in members(team({self.player(s)})))"),
            lambda s: "max(gain[{0}] for {0} in teams)".format(self.name("t")),
            lambda s: self.over_players(s, "max({number} for {name} in players)"),
            lambda s: self.over_players(s, "count({name} in players where {truth})"),
            self.of_sets,
            lambda s: f"{self.rng.choice(self.cards_defines)}({self.cards(s)})" if self.cards_defines else "other",
            lambda s: f"{self.rng.choice(self.player_defines)}({self.player(s)})" if self.player_defines else "total",
            lambda s: (
                f"({self.rng.choice(self.card_defines)}({self.optional_card(s)}) else 2)" if self.card_defines else "1"
            ),
        ]
        return self.pick(scope, leaves, deep)

    def over_cards(self, scope: Scope, form: str) -> str:
        """Write something of each card of some, of which it may be known that it has a rank."""
        name = self.name("c")
        inner = {**scope, name: "number card"}
        return form.format(name=name, cards=self.cards(scope), value=self.number(inner), truth=self.truth(inner))

    def over_players(self, scope: Scope, form: str) -> str:
        """Write something of each player."""
        name = self.name("p")
        inner = scope if self.open_only else {**scope, name: "player"}
        return form.format(name=name, number=self.number(inner), truth=self.truth(inner))

    def truth(self, scope: Scope) -> str:
        """Write a condition."""
        some = self.rng.randrange(1, 4)
        leaves: list[Callable[[Scope], str]] = [
            lambda s: "flag",
            lambda s: f"total > {self.rng.randrange(6)}",
            lambda s: f"{self.place(s)} is empty",
            lambda s: f"{self.rng.choice(('trump', 'chosen', 'kept'))} is none",
            lambda s: f"trump {self.rng.choice(('==', '!='))} {self.rng.choice(SUITS)}",
        ]
        if card := self.local(scope, "card", "number card"):
            leaves += [lambda s: f"{card} is Number(suit, _)", lambda s: f"{card} is Number(_, 2..3)"]
        deep: list[Callable[[Scope], str]] = [
            lambda s: f"({self.truth(s)} {self.rng.choice(('and', 'or'))} {self.truth(s)})",
            lambda s: f"not ({self.truth(s)})",
            lambda s: (
                f"{self.number(s)} {self.rng.choice(('<', '<=', '>', '>=', '==', '!='))} {self.number(s)} + total"
            ),
            lambda s: f"{self.optional_suit(s)} == {self.optional_suit(s)}",
            lambda s: f"{self.suit(s)} {self.rng.choice(('<', '>=', '=='))} suit",
            lambda s: (
                f"{self.key(s)} {self.rng.choice(('<', '<=', '>', '>=', '==', '!='))} (suit, {self.number(s)} + total)"
            ),
            lambda s: f"{self.number(s)} is in {some}..total",
            lambda s: f"{self.player(s)} is in (players - {self.player(s)})",
            lambda s: f"{self.player(s)} {self.rng.choice(('==', '!='))} leader",
            lambda s: f"{self.optional_player(s)} != {self.player(s)}",
            lambda s: f"{self.optional_card(s)} is Number(suit, _)",
            lambda s: f"{self.optional_card(s)} is in {self.cards(s)}",
            lambda s: self.over_cards(s, "(some {name} in {cards} where {name} is Number and {truth})"),
            lambda s: self.over_cards(s, "(no {name} in {cards} where {name} is Number and {truth})"),
            lambda s: self.over_cards(s, "(every {name} in {cards} where {name} is Number has {truth})"),
            lambda s: self.over_cards(s, "same({name}.suit for {name} in {cards} where {name} is Number)"),
            lambda s: self.over_cards(s, "different({value} for {name} in {cards} where {name} is Number)"),
            lambda s: self.over_players(s, "(some {name} in players where {truth})"),
            lambda s: self.over_players(s, "different({number} for {name} in players)"),
            lambda s: f"team({self.player(s)}) {self.rng.choice(('==', '!='))} team({self.optional_player(s)})",
            self.subset,
        ]
        return self.pick(scope, leaves, deep)

    def key(self, scope: Scope) -> str:
        """Write two values that are compared from the left."""
        return self.one(
            lambda s: f"({self.suit(s)}, {self.number(s)})",
            lambda s: f"(rung.color, {self.number(s)})",
            lambda s: self.over_cards(
                s, "(max(({name}.suit, {value}) for {name} in {cards} where {name} is Number) else (sun, 1))"
            ),
            lambda s: f"(if {self.truth(s)} then ({self.suit(s)}, 2) else ({self.suit(s)}, {self.number(s)}))",
        )(scope)

    def of_prefixes(self, scope: Scope) -> str:
        """Write how many ranks from 1 on cards have without a gap."""
        name, each, card = self.name("n"), self.name("r"), self.name("c")
        cards, most = self.cards(scope), self.rng.choice(("3", "4", self.number(scope)))
        held = (
            f"count({card} in {cards} where {card} is Number and {card}.rank == {each}) >= {self.rng.randrange(1, 3)}"
        )
        return f"count({name} in 1..{most} where every {each} in 1..{name} has {held})"

    def subset(self, scope: Scope) -> str:
        """Write whether some subset has a sum."""
        name, card = self.name("t"), self.name("c")
        sizes = self.rng.choice(("", ", 2", ", 1..2"))
        compared = self.rng.choice(("==", ">", "!="))
        return (
            f"(some {name} in subsets({self.cards(scope)}{sizes}) where"
            f" sum({card}.rank for {card} in {name} where {card} is Number) {compared} {self.number({})})"
        )

    def of_sets(self, scope: Scope) -> str:
        """Write a number that is found by going through subsets, or through what groups leave of cards."""
        name, card, other = self.name("t"), self.name("c"), self.name("c")
        total = f"sum({card}.rank for {card} in {name} where {card} is Number)"
        alike = f"count({other} in {name} where {other} is Number) != 1"
        cards = f"(first 5 {self.name('c')} in {self.cards(scope)})"
        groups = self.rng.choice(("couple", "1..2 couple", "0..1 couple, 1 few", "few, couple"))
        otherwise = " else 3" if "1" in groups else ""  # Any number of groups may be none, so cards are always left.
        return self.rng.choice(
            (
                f"count({name} in subsets({cards}, 1..3) where {alike} and {total} <= {self.number({})})",
                f"(max({total} for {name} in subsets({cards}) where {alike} or {total} > 2) else 1)",
                f"(min({total} for {name} in rests({cards}, {groups})){otherwise})",
                f"count({self.name('r')} in rests({cards}, {groups}))",
                f"(if splits({cards}, {groups}) then 2 else {self.number({})})",
                f"(if (lowest {name} in subsets({cards}, 2..3) where {alike} by {total}) is none then 1 else 2)",
                f"count(highest {name} in subsets({cards}) by {total})",
            )
        )

    def suit(self, scope: Scope) -> str:
        """Write a value of the enumeration."""
        local = self.local(scope, "suit")
        leaves: list[Callable[[Scope], str]] = [lambda s: local or "suit", lambda s: self.rng.choice(SUITS)]
        deep: list[Callable[[Scope], str]] = [
            lambda s: f"next({self.suit(s)})",
            lambda s: f"({self.optional_suit(s)} else {self.suit(s)})",
            lambda s: f"(if {self.truth(s)} then {self.suit(s)} else {self.suit(s)})",
        ]
        return self.pick(scope, leaves, deep)

    def optional_suit(self, scope: Scope) -> str:
        """Write a value of the enumeration that may be absent."""
        deep: list[Callable[[Scope], str]] = [
            lambda s: f"{self.optional_card(s)}.suit",
            lambda s: f"(if {self.truth(s)} then {self.suit(s)})",
            lambda s: f"previous({self.optional_suit(s)})",
        ]
        return self.pick(scope, [lambda s: "trump"], deep)

    def player(self, scope: Scope) -> str:
        """Write a player."""
        local = self.local(scope, "player")
        leaves: list[Callable[[Scope], str]] = [lambda s: local or "leader", lambda s: "player 1", lambda s: "leader"]
        deep: list[Callable[[Scope], str]] = [
            lambda s: f"{self.rng.choice(('next', 'previous', 'across'))}({self.player(s)})",
            lambda s: f"({self.optional_player(s)} else {self.player(s)})",
            lambda s: self.over_players(s, f"next({self.player(s)} among all {{name}} in players where {{truth}})"),
            lambda s: self.over_players(s, f"previous({self.player(s)} among all {{name}} in players where {{truth}})"),
            lambda s: self.over_players(s, "(highest {name} in players by {number})"),
            lambda s: f"next({self.player(s)} among members(team({self.player(s)})))",
            lambda s: self.over_players(s, f"(the highest {{name}} in members(team({self.player(s)})) by {{number}})"),
            lambda s: self.over_players(s, f"(lowest {{name}} in players from {self.player(s)} by {{number}})"),
        ]
        return self.pick(scope, leaves, deep)

    def optional_player(self, scope: Scope) -> str:
        """Write a player who may be absent."""
        deep: list[Callable[[Scope], str]] = [
            lambda s: f"player_of({self.optional_card(s)})",
            lambda s: f"holder({self.optional_card(s)})",
            lambda s: self.over_players(s, "(first {name} in players where {truth})"),
            lambda s: f"(if {self.truth(s)} then {self.player(s)})",
        ]
        return self.pick(scope, [lambda s: "chosen"], deep)

    def optional_card(self, scope: Scope) -> str:
        """Write a card that may be absent."""
        piles = ("heap",) if self.open_only else ("heap", "stock", "under")
        leaves: list[Callable[[Scope], str]] = [
            lambda s: "kept",
            lambda s: f"(top of {self.rng.choice(piles)})",
            lambda s: f"(card {self.number(s)} of {self.rng.choice(piles)})",
            lambda s: "(last c in table)".replace("c ", f"{self.name('c')} "),
        ]
        deep: list[Callable[[Scope], str]] = [
            lambda s: self.over_cards(s, "(first {name} in {cards} where {name} is Number and {truth})"),
            lambda s: self.over_cards(s, "(highest {name} in {cards} where {name} is Number by {value})"),
            lambda s: self.over_cards(s, "(lowest {name} in {cards} where {name} is Number by ({name}.suit, {value}))"),
            lambda s: f"({self.optional_card(s)} else {self.optional_card(s)})",
        ]
        return self.pick(scope, leaves, deep)

    def place(self, scope: Scope) -> str:
        """Write a place for cards that may be read here."""
        hand = f"hand[{scope_player}]" if (scope_player := self.local(scope, "player")) else None
        if self.open_only:
            return self.rng.choice([*OPEN_ZONES, *([hand] if hand else [])])
        return self.rng.choice([*OPEN_ZONES, *HIDDEN_ZONES, hand or "hand[leader]", "hand[players]"])

    def cards(self, scope: Scope) -> str:
        """Write some cards."""
        local = self.local(scope, "cards")
        deep: list[Callable[[Scope], str]] = [
            lambda s: self.over_cards(s, "(all {name} in {cards} where {name} is Number and {truth})"),
            lambda s: self.over_cards(s, "(first 2 {name} in {cards} where {name} is Number)"),
            lambda s: self.over_cards(s, "(all highest {name} in {cards} where {name} is Number by {value})"),
            lambda s: f"({self.cards(s)} + {self.cards(s)})",
            lambda s: f"({self.cards(s)} - {self.cards(s)})",
            lambda s: f"(if {self.truth(s)} then {self.cards(s)} else {self.cards(s)})",
            lambda s: self.over_cards(s, "(last 2 {name} in {cards} where {name} is Number)"),
            lambda s: f"numbers({self.cards(s)})",
            lambda s: self.over_cards(
                s,
                "((highest {name} in subsets(first 4 {name}c in {cards}) where count({name}) != 1 by count({name}))"
                " else table)",
            ),
        ]
        return self.pick(scope, [lambda s: local or self.place(s), self.place], deep)

    # ---- statements

    def block(self, scope: Scope, level: int, *, decides: bool) -> Block:
        """Write some statements; `decides` is whether a player or chance may decide in them."""
        scope = dict(scope)
        lines: Block = []
        for _ in range(self.rng.randrange(1, 4)):
            plain = [self.assign, self.let, self.relocate, self.relocate, self.publish]
            nested = [self.branch, self.loop, self.matched] if level < 3 else []
            stops = [self.choice, self.chance, self.together_or_turns] if decides and level < 3 else []
            write = self.rng.choice([*plain, *nested, *stops, *stops])
            lines += write(scope, level, decides)
        return lines

    def inside(self, scope: Scope, level: int, *, decides: bool) -> Block:
        """Write a block one level further in."""
        return [f"    {line}" for line in self.block(scope, level + 1, decides=decides)]

    def assign(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write an assignment."""
        return [
            self.rng.choice(
                (
                    f"total = ({self.number(scope)}) mod 50",
                    f"other {self.rng.choice(('+=', '-='))} {self.number(scope)} mod 9",
                    f"points[{self.player(scope)}] = {self.number(scope)} mod 20",
                    f"tally[{self.suit(scope)}] = {self.number(scope)} mod 10",
                    f"flag = {self.truth(scope)}",
                    f"suit = {self.suit(scope)}",
                    f"trump = {self.optional_suit(scope)}",
                    "rung = next(rung)",
                    f"leader = {self.player(scope)}",
                    f"chosen = {self.optional_player(scope)}",
                    f"kept = {self.optional_card(scope)}",
                    f"secret = {self.number(scope)} mod 10",
                    f"gain[team({self.player(scope)})] += {self.number(scope)} mod 9",
                    f"hint[{self.player(scope)}] = {self.number(scope)} mod 10",
                    f"if bay[1] is not empty: weight[bay[1]] += {self.number(scope)} mod 10",
                )
            )
        ]

    def let(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write a name for a value, or a variable of the block."""
        name = self.name("x")
        kind = self.rng.choice(("number", "number", "suit", "player", "cards", "variable"))
        values = {"number": self.number, "suit": self.suit, "player": self.player, "cards": self.cards}
        if kind == "variable":
            value = self.number(scope)
            scope[name] = "number"
            return [f"let {name}: integer = {value}", f"{name} += {self.number(scope)}"]
        line = f"let {name} = {values[kind](scope)}"
        scope[name] = kind
        return [line]

    def target(self, scope: Scope) -> str:
        """Write a place for cards to go to."""
        return self.rng.choice(("table", "box", "heap", "under", "stock", f"hand[{self.player(scope)}]"))

    def relocate(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write a statement that moves or mixes cards."""
        target = self.target(scope)
        face = self.rng.choice(("", "", "", " face down" if target in HIDDEN_ZONES else " face up"))
        count = self.rng.choice(("1", "2", self.number(scope)))
        pile, other = self.rng.choice(("stock", "under", "heap")), self.rng.choice(("stock", "under"))
        by = f" for {self.player(scope)}"
        lines = [
            f"move {self.cards(scope)} to {target}{face}",
            f"move {self.optional_card(scope)} to {self.target(scope)}",
            f"move {self.optional_card(scope)} to (if {self.truth(scope)} then {target} else {self.target(scope)})",
            f"move {self.cards(scope)} to table{by}",
            f"move {self.cards(scope)} to bottom of {self.rng.choice(('under', 'heap', 'stock'))}",
            f"move {self.cards(scope)} to place {self.number(scope)} of {self.rng.choice(('under', 'heap', 'table'))}",
            f"deal {count} from {pile} to {target}{face}",
            f"deal {count} from {pile} to hand[players]",
            f"rotate hand[players] {self.rng.choice(('left', 'right'))}",
            f"swap {self.rng.choice(('table', 'heap', 'under'))} with {self.rng.choice(('box', 'stock'))}",
        ]
        if self.rng.random() < 0.2:
            lines = [
                f"if bay[1] is empty: move {self.optional_card(scope)} to bay[1]",
                f"if bay[2] is empty: move {self.rng.choice(('bay[1]', self.optional_card(scope)))} to bay[2]",
                f"swap bay[1] with {self.rng.choice(('bay[2]', 'middle'))}",
                f"move {self.rng.choice(('bay[2]', 'bay[1..2]', 'all c in bay[1..2] where weight[c] > 2'))} to under",
            ]
        if decides:
            lines += [f"shuffle {other}", f"shuffle {self.cards(scope)} into {other}"]
        return [self.rng.choice(lines)]

    def publish(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write a statement that shows or says something."""
        value = self.rng.choice((self.number, self.suit, self.player, self.optional_card, self.cards))
        return [
            self.rng.choice(
                (
                    f'say "it is {{{value(scope)}}}"',
                    f"show {self.cards(scope)} to {self.player(scope)}",
                    f"show {self.cards(scope)} to all",
                    f"turn {self.cards(scope)} face up",
                    f"turn {self.rng.choice(HIDDEN_ZONES)} face {self.rng.choice(('up', 'down'))}",
                )
            )
        ]

    def branch(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write an `if`."""
        lines = [f"if {self.truth(scope)}", *self.inside(scope, level, decides=decides)]
        if self.rng.random() < 0.5:
            lines += ["else", *self.inside(scope, level, decides=decides)]
        return lines

    def loop(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write a loop that ends."""
        kind, name = self.rng.choice(("player", "card", "suit", "number", "count")), self.name("i")
        if kind == "count":
            body = self.inside({**scope, name: "number"}, level, decides=decides)
            repeated = [f"    {name} += 1", *body]
            until = f"until {name} > {self.rng.randrange(3)}"
            return [f"let {name}: 0..9 = 0", "repeat", *repeated, until]
        domain = {
            "player": self.rng.choice(("players", f"players from {self.player(scope)}")),
            "card": f"{self.cards(scope)}",
            "suit": self.rng.choice(("Suit", f"Suit from {self.suit(scope)}")),
            "number": f"1..{self.rng.randrange(1, 4)}",
        }[kind]
        inner = {**scope, name: kind}
        where = f" where {self.truth(inner)}" if self.rng.random() < 0.4 else ""
        order = f" by {self.number(inner)}" if self.rng.random() < 0.3 else ""
        return [f"for {name} in {domain}{where}{order}", *self.inside(inner, level, decides=decides)]

    def matched(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write a `match` of a suit."""
        lines = [f"match {self.suit(scope)}", f"    case {self.rng.choice(SUITS)}"]
        lines += [f"    {line}" for line in self.inside(scope, level + 1, decides=decides)]
        return [*lines, "    otherwise", *(f"    {line}" for line in self.inside(scope, level + 1, decides=decides))]

    def chance(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write a chance event."""
        name = self.name("r")
        kind = self.rng.choice(("number", "suit", "player", "card"))
        if kind == "card":
            zone = self.rng.choice(("table", "box", "hand[leader]", "stock"))
            inner = {**scope, name: "card"}
            lines = [
                f"    {line}" for line in (f"random card {name} from {zone}", *self.block(inner, 3, decides=False))
            ]
            return [f"if {zone} is not empty", *lines]
        domain = {"number": f"0..{self.rng.randrange(1, 4)}", "suit": "Suit", "player": "players"}[kind]
        scope[name] = kind
        return [f"random {name} from {domain}"]

    def together_or_turns(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write decisions of several players."""
        name = self.name("q")
        if self.rng.random() < 0.5:
            return [f"at once {name} in players", *(f"    {line}" for line in self.decision(name, level + 1))]
        lines = self.decision(name, level + 1)
        return [f"in turn {name} in players where {self.truth({})}", *(f"    {line}" for line in lines)]

    def choice(self, scope: Scope, level: int, decides: bool) -> Block:
        """Write a decision of one player, who has a name, so that guards can read the own hand."""
        name = self.name("w")
        lines = self.decision(name, level, secretly=self.rng.random() < 0.2)
        return [f"let {name} = {self.player(scope)}", *lines]

    def decision(self, who: str, level: int, *, secretly: bool = False) -> Block:
        """Write `chooses` with its actions; the last is always possible."""
        self.verbs += 1
        lines = [f"{who} chooses{' secretly' if secretly else ''}"]
        for _ in range(self.rng.randrange(1, 4)):
            lines += [f"    {line}" for line in self.action(who, level)]
        return [*lines, "    otherwise pass"]

    def action(self, who: str, level: int) -> Block:
        """Write an action: arguments, conditions, effect."""
        self.verbs += 1
        scope: Scope = {who: "player"}
        self.open_only, parts = True, [f"act{self.verbs}"]
        arguments = []
        for _ in range(self.rng.choice((0, 1, 1, 1, 2))):
            arguments.append(self.argument(who, scope))
        if arguments:
            parts.append(", ".join(arguments))
        groups = [name for name, kind in scope.items() if kind == "cards"]
        if groups and self.rng.random() < 0.6:
            parts.append(f"such that {self.measured(groups[-1])}")
        elif self.rng.random() < 0.3:
            parts.append(f"only if {self.truth({who: 'player'})}")
        self.open_only = False
        return [" ".join(parts), *self.inside(scope, max(level, 1), decides=level < 1)]

    def argument(self, who: str, scope: Scope) -> str:
        """Write an argument of an action, and add its name to the scope."""
        name = self.name("a")
        kind = self.rng.choice(("card", "card", "cards", "number", "suit", "player"))
        place = self.rng.choice((f"hand[{who}]", f"hand[{who}]", "table", "box"))
        if kind == "card":
            where = f" where {self.truth({who: 'player', name: 'card'})}" if self.rng.random() < 0.5 else ""
            text = f"card {name} from {place}{where}"
        elif kind == "cards":
            many = self.rng.choice(("any cards", "2 cards", "up to 2 cards", "1 to 2 cards", "at least 1 cards"))
            where = " where each is Number" if self.rng.random() < 0.5 else ""
            text = f"{many} {name} from {place}{where}"
        else:
            domain = {"number": "0..3", "suit": "Suit", "player": "players"}[kind]
            inner = {who: "player"} if kind == "player" else {who: "player", name: kind}
            where = f" where {self.truth(inner)}" if self.rng.random() < 0.4 else ""
            text = f"{name} from {domain}{where}"
        scope[name] = kind
        return text

    def measured(self, group: str) -> str:
        """Write a condition on a set that is chosen."""
        card = self.name("c")
        ranks, some = f"{card}.rank for {card} in {group} where {card} is Number", self.rng.randrange(1, 6)
        pairless = f"no r in 1..5 where count({card} in {group} where {card} is Number and {card}.rank == r) == 2"
        conditions = (
            f"same({card}.suit for {card} in {group} where {card} is Number)",
            f"different({ranks})",
            f"sum({ranks}) {self.rng.choice(('==', '<=', '>=', '!='))} {some}",
            f"count({card} in {group} where {card} is Number) {self.rng.choice(('<', '>='))} 2",
            f"(max({ranks}) else 0) > {some} - 2",
            f"sum({ranks}) == {some} + count({group})",
            f"consecutive({ranks})",
            f"(total > {some} or count({group}) == total mod 3) and ({pairless})",
        )
        first = self.rng.choice(conditions)
        return f"{first} and count({group}) < total + {some}" if self.rng.random() < 0.3 else first

    # ---- declarations

    def spec(self) -> str:
        """Write a whole spec."""
        rng = self.rng
        owner = rng.choice(("owner", "all", "owner", "team"))
        players = rng.choice((2, 2, 3, 4))
        seats = [f"player {seat + 1}" for seat in rng.sample(range(players), players)]
        head = HEAD.format(
            players=players, ranks=rng.randrange(2, 4), copies=rng.choice((1, 1, 1, 2, 2, MANY)),
            fools=rng.randrange(1, 4), owner=owner, reds=", ".join(seats[::2]), blues=", ".join(seats[1::2]),
            condition=rng.choice(("", " only if count(players) == 4")),
        )  # fmt: skip
        parts = [head, *self.definitions()]
        calls: Block = []
        for _ in range(rng.randrange(1, 3)):
            phase, player = self.name("phase"), self.name("p")
            body = self.block({player: "player"}, 0, decides=True)
            body += self.decision(player, 0)
            deep = ""
            if rng.random() < 0.2:
                deep = f" at most {rng.randrange(2, 4)} deep"
                body += [
                    f"{player} chooses",
                    f"    {self.name('again')}: {phase}(next({player}))",
                    f"    {self.name('go_on')}",
                ]
            parts.append(
                "\n".join([f"phase {phase}({player}: player){deep}", *(f"    {line}" for line in body)]) + "\n"
            )
            calls.append(f"    for {self.name('p')} in players: {phase}({'p' + str(self.names)})")
        start = ["    shuffle stock", f"    deal {rng.randrange(1, 4)} from stock to hand[players]",
                 "    deal 1 from stock to table"]  # fmt: skip
        own = [f"    {line}" for line in self.block({}, 0, decides=True)]
        rounds = self.name("n")
        parts.append(
            "\n".join(["play", *start, *own, f"    for {rounds} in 1..2", *(f"    {c}" for c in calls)]) + "\n"
        )
        if rng.random() < 0.3:
            parts.append(f"whenever total > 30: total = {rng.randrange(5)}\n")
        parts.append(self.result())
        return "\n".join(parts)

    def definitions(self) -> list[str]:
        """Write definitions of a player, of a card and of some cards."""
        self.open_only = True
        made = []
        for kind, names in (
            ("player", self.player_defines),
            ("card", self.card_defines),
            ("cards", self.cards_defines),
        ):
            if self.rng.random() < 0.6:
                name, param = self.name("define"), self.name("x")
                scope: Scope = {} if kind == "player" else {param: kind}
                made.append(f"define {name}({param}: {kind}) = {self.number(scope)}\n")
                names.append(name)
        self.open_only = False
        return made

    def result(self) -> str:
        """Write the result."""
        name = self.name("p")
        number = self.number({name: "player"})
        winners = self.over_players({}, "all {name} in players where {truth}")
        absent = f"if {self.truth({})} then none else {winners}"
        lines = [f"    score {name} = {number}"]
        if self.rng.random() < 0.5:
            lines.append(f"    winners = {self.rng.choice((winners, absent, self.player({})))}")
        return "\n".join(["result", *lines, ""])


def generated(rng: Random) -> tuple[str, Game | None, str]:
    """Return a random spec, its game where the checker takes it, and else what is wrong with it."""
    text = Writer(rng).spec()
    try:
        return text, load_text(text), ""
    except SpecError as error:
        return text, None, next(f"{d.code} {d.message}" for d in error.diagnostics if d.is_error)


def compared(number: int, *, decisions: int, native: bool) -> tuple[str, int, str]:
    """Play the spec of a seed in all engines; return its refusal, its decisions, and how the engines differ."""
    text, game, refusal = generated(Random(number))
    if game is None:
        return refusal.split()[0], 0, ""
    try:
        engines = Engines.of(game, "-O0") if native else Engines(game, None)
    except BuildError as error:
        return "", 0, f"{text}\nspec {number}: {error}\n"
    _, made, differences = lockstep(engines, decisions)
    return "", made, f"{text}\nspec {number}: {differences[0]}\n" if differences else ""


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.program.generated", description=__doc__)
    parser.add_argument("--specs", type=int, default=2000, help="specs to write")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--decisions", type=int, default=60, help="decisions in each spec")
    parser.add_argument("--no-c", action="store_true", help="leave C out, whose compiler takes most of the time")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the specs (default 1)")
    given = parser.parse_args(arguments)
    decisions = wrong = 0
    refusals: Counter[str] = Counter()
    compare = partial(compared, decisions=given.decisions, native=not given.no_c)
    with ProcessPoolExecutor(given.jobs) as pool:
        for refusal, made, difference in pool.map(compare, range(given.seed, given.seed + given.specs), chunksize=5):
            refusals.update([refusal] if refusal else [])
            decisions += made
            if difference:
                wrong += 1
                print(difference, flush=True)
    taken = given.specs - refusals.total()
    print(f"{taken} of {given.specs} specs taken, {decisions} decisions, {wrong} specs with differences")
    print("refused:", ", ".join(f"{code} {count}" for code, count in sorted(refusals.items())) or "none")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
