"""The cache of compiled games, so that a known spec starts at once.

What is kept of a game is its sheet and its generated text, both as JSON (`interpreter.engine.packing`), in one
file each; with the text goes the code object that this version of Python compiled it to.  It is given out again only
for the very same question: the text of the spec, the number of players and the options that were requested, the
version of the language, this compiler and this Python are written in the file, and compared; so are the texts of all
files that the spec uses or extends, which are looked for anew.  A sum over the whole file finds damage.  What else
follows from a game alone can be kept beside it (`keep_beside`), in a file that names the same question.  Against other
people's files is in `grammar.store`.

If anything is wrong, the game is compiled as if nothing were kept.  Mistakes of a spec are never kept.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import grammar
from grammar import store
from grammar.fingerprint import compiler
from interpreter.analysis.files import Found, look
from interpreter.engine.code import KeptCode
from interpreter.engine.game import Game
from interpreter.engine.game_base import GameBase
from interpreter.engine.game_data import GameData
from interpreter.engine.packing import packed, unpacked

if TYPE_CHECKING:
    from grammar.source import Source
    from interpreter.engine.compilation import Compilation

FORMAT = 1
KEPT = 128
"""How many games are kept: every bundled one in a few settings."""

LARGEST = 2_000_000
"""Bytes of a game that is kept, so that all of them together are bounded too; the longest bundled one has a tenth."""


@attrs.frozen(eq=False)
class Question:
    """A query of the cache: everything that determines a game, besides the files that its spec names.

    `options` are texts in the given order; `key` is the whole query as one line.
    """

    source: Source
    folder: Path
    players: int | None
    options: dict[str, str]
    key: str

    @property
    def name(self) -> str:
        """The name of the file that an answer is kept in."""
        return f"{hashlib.sha256(self.key.encode()).hexdigest()[:40]}.game"


def question(source: Source, folder: Path, players: int | None, options: dict[str, str]) -> Question | None:
    """Return the question for a game; None where nothing is kept, or the compiler is not surely the one on the disk."""
    if store.cache_folder() is None or os.environ.get(store.SETTING) == "parsers" or not store.KNOWS_OWNERS:
        return None
    if players is not None and type(players) is not int:
        return None
    mark = compiler()
    if mark is None:
        return None
    parts = {
        "format": FORMAT,
        "language": grammar.VERSION,
        "compiler": mark,
        "python": [sys.implementation.name, sys.version, sys.flags.optimize],
        "name": source.name,
        "folder": os.path.abspath(folder),
        "text": source.text,
        "players": players,
        "options": list(options.items()),
    }
    return Question(source, folder, players, options, json.dumps(parts))


def answer(request: Question, front: Callable[[tuple[Found, ...]], Compilation]) -> Game | None:
    """Return the game that was kept for a question, or None.

    `front` compiles the front end of the game from the same text and files, on first use.
    """
    data = store.read(request.name)
    try:
        return None if data is None else _read(request, data, front)
    except Exception:  # If anything is wrong with a file that was kept, the spec is at hand.
        return None


def keep(request: Question, found: tuple[Found, ...], game: Game) -> None:
    """Keep a game that was just compiled for a question from these other files."""
    sources = _numbers((request.source, *(one.source for one in found)))
    files = json.dumps([[one.folder, one.name, one.path, one.source.text] for one in found])
    game.identity = _identity(request.key, files)
    try:
        lines = [
            request.key,
            files,
            json.dumps(game.digest),
            packed(game.data, sources),
            packed(attrs.evolve(game.code.kept, binary=marshal.dumps(game.code.compiled)), sources),
        ]
    except (TypeError, ValueError, KeyError):  # Something that cannot be written down.
        return
    body = "\n".join(lines).encode()
    if compiler() is None:  # Its files have been changed while it was at work.
        return
    if len(body) <= LARGEST:
        store.write(request.name, _sum(body) + b"\n" + body, KEPT)


def _read(request: Question, data: bytes, front: Callable[[tuple[Found, ...]], Compilation]) -> Game | None:
    given, _, body = data.partition(b"\n")
    if given != _sum(body):
        return None
    key, files, digest, sheet, text = body.decode().split("\n")
    if key != request.key:
        return None
    found = _found_again(json.loads(files))
    if found is None:
        return None
    sources = (request.source, *(one.source for one in found))

    def front_end() -> Compilation:
        made = front(found)
        try:
            same = packed(made.data(), _numbers(sources)) == sheet
        except (TypeError, ValueError, KeyError):  # No sheet that could have been kept.
            same = False
        if not same:
            raise RuntimeError("the program was changed while it ran: start it again")
        return made

    drawn_up, printed, mark = unpacked(sheet, sources), unpacked(text, sources), json.loads(digest)
    if not (isinstance(drawn_up, GameData) and isinstance(printed, KeptCode) and isinstance(mark, str)):
        return None
    game = Game(drawn_up, front_end, kept=printed, digest=mark)
    game.identity = _identity(key, files)
    return game.ready()


def _identity(key: str, files: str) -> str:
    """Return the mark of a question and of the files that answered it."""
    return hashlib.sha256(f"{key}\n{files}".encode()).hexdigest()


def kept_beside(game: GameBase, kind: str) -> str | None:
    """Return a text that was kept beside a game (`keep_beside`), or None."""
    data = None if game.identity is None else store.read(_name_beside(game.identity, kind))
    if data is None:
        return None
    given, _, body = data.partition(b"\n")
    identity, _, text = body.partition(b"\n")
    if given != _sum(body) or identity.decode("latin-1") != game.identity:
        return None
    return text.decode()


def keep_beside(game: GameBase, kind: str, text: str) -> None:
    """Keep a text that follows from a game alone, where the game itself is kept; `kind` names what it is."""
    if game.identity is None or len(text) > LARGEST or compiler() is None:
        return
    body = f"{game.identity}\n{text}".encode()
    store.write(_name_beside(game.identity, kind), _sum(body) + b"\n" + body, KEPT)


def _name_beside(identity: str, kind: str) -> str:
    return f"{identity[:40]}.{kind}"


def _numbers(sources: tuple[Source, ...]) -> dict[Source, int]:
    """Number sources; one that was found by several names has its first number, as the tree of its file has."""
    return {source: number for number, source in reversed([*enumerate(sources)])}


def _found_again(files: list[list[str]]) -> tuple[Found, ...] | None:
    """Look for the files anew; None where one is elsewhere now, or says something else."""
    found = []
    for folder, name, path, text in files:
        now = look(folder, name)
        if now is None or (now.path, now.source.text) != (path, text):
            return None
        found.append(now)
    return tuple(found)


def _sum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
