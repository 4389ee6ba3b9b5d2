"""Small files with a marker `|` where the cursor is, in a workspace of their own."""

from __future__ import annotations

from pathlib import Path

import attrs

from interpreter.editor.workspace import Snapshot, Workspace

GAME = """\
cardgame 1
game "Small"
    players 2..4
option hands: open | hidden = hidden "who sees the hands"
enum Suit: chalice "C", wand "W"
enum Rank(points: 0..5)
    one 1
    two 5
card Vessel(suit: Suit, rank: Rank) written "{suit}{rank}"
deck in stock
    1 of each Vessel
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by if hands == open then all else owner  [R1]
    trick: row, seen by all
state
    leader: player = player 1
    score[player]: 0..100
define best(p: player) = max(c.rank.points for c in hand[p]) else 0
phase go(p: player)
    let big = best(p)
    score[p] += big  [R2]
    p chooses
        discard card c from hand[p]
            move c to trick
play
    shuffle stock
    for p in players: deal 1 from stock to hand[p]
    for p in players from leader: go(p)
result
    score p = score[p]
"""


@attrs.frozen
class Marked:
    """A checked file with the offset of its marker."""

    workspace: Workspace
    snapshot: Snapshot
    offset: int


def marked(text: str, folder: Path | None = None, name: str = "small.cardgame", **others: str) -> Marked:
    """Open a text with a marker; `others` are further files of the folder, `_` in a name is its dot."""
    where = Path("/nowhere") if folder is None else folder
    workspace = Workspace(() if folder is None else (folder,))
    for file, other in others.items():
        (where / file.replace("_", ".")).write_text(other)
    path = str(where / name)
    if folder is not None:
        Path(path).write_text(text.replace("|>", "", 1))
    workspace.open(path, text.replace("|>", "", 1))
    return Marked(workspace, workspace.check(path), text.find("|>"))


def at(before: str, after: str, text: str = GAME, **options: object) -> Marked:
    """Open the game with a marker between two texts that are next to each other."""
    assert text.count(before + after) >= 1, before + after
    return marked(text.replace(before + after, f"{before}|>{after}", 1), **options)  # type: ignore[arg-type]
