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

CHALICE = "chalice_and_wand"


def run(*args: str, text: str | None = None) -> Result:
    """Return what the command line says and its exit code."""
    return CliRunner().invoke(main, list(args), input=text)


def write(path: Path, text: str) -> str:
    """Write a file and return its name."""
    path.write_text(text, encoding="utf-8")
    return str(path)
