"""Run the command line inside a test."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from cli.main import main

OFFERS = """cardgame 1

game "High Offer"
    players 2..4

option held: 1..3 = 1 "how many cards are held"

enum Color: red "R", blue "B"
card Chip(color: Color, value: 1..6) written "{color}{value}"

deck in stock
    1 of each Chip

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    shown:        row, seen by all

state
    offered[player]: 0..9 = 0

play
    shuffle stock
    for p in players: deal held from stock to hand[p]
    for p in players: offer(p)
    for p in players: reveal_one(p)

phase offer(p: player)
    p chooses
        bid n from 0..9                  [R1]
            offered[p] = n

phase reveal_one(p: player)
    p chooses
        reveal card c from hand[p]       [R2]
            move c to shown

result
    score p = offered[p]
"""
"""A second game, of another kind, so that nothing here fits one game alone."""

FAULTY = OFFERS.replace("            move c to shown\n", "            deal exactly 12 from stock to shown\n")
"""A game whose rules come apart when the first card is revealed."""

TRICKS = """cardgame 1

game "Plain Tricks"
    players 2..6

enum Suit: clubs "C", hearts "H"
card Number(suit: Suit, rank: 1..24) written "{suit}{rank}"

deck in stock
    1 of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    trick:        row, seen by all
    turned:       slot, seen by all
    won[player]:  cards, seen by all
    heap:         pile, seen by all
    line:         row, seen by all

state
    leader: player = player 1
    points[player]: integer
    wish[player]: 0..5 or none, seen by owner
    strong[Suit]: boolean
    hurried: boolean

play
    shuffle stock
    strong[hearts] = true
    for p in players: deal 4 from stock to hand[p]
    deal 17 from stock to heap
    for p in players
        p chooses
            wish n from 0..5: wish[p] = n
    repeat one_trick until hand[leader] is empty

phase one_trick
    state
        played: 0..6 = 0
        dealer: player = leader
    for p in players from leader
        p chooses
            lay card c from hand[p]
                move c to trick for p
                played += 1
    leader = player_of(highest c in trick by c.rank) else leader
    points[leader] += 2
    move trick to won[leader]

result
    score p = points[p]
"""
"""A game with something of everything that a table can show."""

CHALICE = "chalice_and_wand"


def run(*args: str, text: str | None = None) -> Result:
    """Return what the command line says and its exit code."""
    return CliRunner().invoke(main, list(args), input=text)


def write(path: Path, text: str) -> str:
    """Write a file and return its name."""
    path.write_text(text, encoding="utf-8")
    return str(path)
