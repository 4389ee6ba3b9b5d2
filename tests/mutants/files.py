"""Mutants of saves, autosaves, transcripts, files of actions, files of scenarios and states written down.

Real ones of several games are broken: bytes (flipped, cut off, repeated, put in), lines and words (left out, repeated,
exchanged, taken from another file), and, of what is JSON, the data itself before it is sealed again, so that what
checks the data is reached: other types, missing and strange keys, numbers out of all bounds, texts that would steer a
terminal, lists nested too deeply.  Each mutant is given to the command that reads it, and must end in a play that goes
on or in words.  Mutant number n of a seed is the same wherever it is made; kinds take turns.
"""

from __future__ import annotations

import base64
import json
import os
import re
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import attrs
import msgspec
from click.testing import CliRunner

from cli.main import main
from grammar.printable import prints
from interpreter import Game, load
from interpreter.loader import find_spec
from interpreter.records import autosave
from interpreter.records.retelling import retell
from interpreter.records.saves import HEAD, Save, deobfuscate, obfuscate, save_from_history, write_save
from interpreter.records.session import Session, random_agents
from interpreter.records.transcript import record
from tests.bundled import at_hand

GAMES = ("classics/kuhn_poker", "chalice_and_wand", "two_player_wizard", "classics/love_letter")
SEED = 5
ATTACK = "\x1b]52;c;aGk=\x07\x1b[2J\u202e\x9b"
_STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 10**12, 10**40, 1.5, 1e300, "", "0", "human", ATTACK, "\0", "\ud800",
    "x" * 20_000, [], {}, [[]], {"": 0}, [0, ""], ["human"] * 3,
)  # fmt: skip
_WORDS = ("", "0", "-1", "99999999999999999999", "1" * 5000, "none", "nothing", "player 1", "player 9", "#", ATTACK,
          "\u00b2", "\t", " ", '"', "(" * 300, "[", "=", "\u2028", "spec: /dev/zero", "players: 0",
          "seed: 1e9")  # fmt: skip


class LetThroughError(AssertionError):
    """A mutant ended in something else than words or a play."""


@attrs.frozen
class Kind:
    """A kind of file: what real ones hold, how one is broken, and what becomes of it."""

    originals: Callable[[], tuple[bytes, ...]]
    broken: Callable[[Random, bytes], bytes]
    read: Callable[[bytes], str]


def mutant(seed: int, number: int) -> tuple[str, bytes]:
    """Return the kind and the bytes of a mutant."""
    name = list(KINDS)[number % len(KINDS)]
    rng = Random(f"files/{seed}/{number}")
    kind = KINDS[name]
    data = rng.choice(kind.originals())
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = kind.broken(rng, data)
    return name, data


def outcome(seed: int, number: int) -> str:
    """Return what becomes of a mutant: `words`, or `plays`.  Raises LetThroughError."""
    name, data = mutant(seed, number)
    with new_folder():
        return KINDS[name].read(data)


# ---- originals


@lru_cache(maxsize=8)
def _game(name: str) -> Game:
    return load(name)


@lru_cache(maxsize=1)
def _plays() -> tuple[tuple[str, Session], ...]:
    """Return plays of all games, some over and some not."""
    found = []
    for name in GAMES:
        for steps in (5, 15, 40):
            session = Session(_game(name), random_agents(_game(name), SEED), SEED)
            for _ in range(steps):
                if session.state.is_terminal():
                    break
                session.step()
            found.append((name, session))
    return tuple(found)


@lru_cache(maxsize=1)
def _saves() -> tuple[bytes, ...]:
    return tuple(write_save(_save(name, session)).encode() for name, session in _plays())


def _save(name: str, session: Session) -> Save:
    history = [item for _, item in session.state.history()]
    return save_from_history(session.game, history, name, ("human",) * session.game.num_players, session.seed)


@lru_cache(maxsize=1)
def _autosaves() -> tuple[bytes, ...]:
    found = []
    for name, session in _plays():
        save = _save(name, session)
        begun = msgspec.structs.replace(save, said=save.said[:1])
        entries: list[Any] = [msgspec.structs.asdict(begun), *save.said[1:]]
        entries[2:2] = [1, *save.said[1:2]] if len(entries) > 2 else []
        head = write_save(begun).split("\n")[:HEAD]
        found.append("\n".join([*head, *map(obfuscate, entries), ""]).encode())
    return tuple(found)


@lru_cache(maxsize=1)
def _transcripts() -> tuple[bytes, ...]:
    return tuple(
        record(session.game, name, SEED, [item for _, item in session.state.history()]).encode()
        for name, session in _plays()
    )


@lru_cache(maxsize=1)
def _actions() -> tuple[bytes, ...]:
    found = []
    for name, session in _plays():
        told = retell(session.game, (item for _, item in session.state.history()))
        said = [t.text for t in told if t.actor >= 0 and t.whole]
        found.append("\n".join([f"# {name}", *said, ""]).encode())
    return tuple(found)


@lru_cache(maxsize=1)
def _scenarios() -> tuple[bytes, ...]:
    found = []
    for name in GAMES:
        path = find_spec(name).with_suffix(".scenarios")
        head, *parts = re.split(r"\n(?=scenario )", path.read_text(encoding="utf-8"))
        head = re.sub(r'of "[^"]*"', f'of "{name}"', head)
        found += ["\n".join([head, *parts[start : start + 3]]).encode() for start in range(0, min(len(parts), 30), 3)]
    return tuple(found)


@lru_cache(maxsize=1)
def _states() -> tuple[bytes, ...]:
    return tuple(session.state.serialize().encode() for _, session in _plays())


# ---- breaking


def _bytes(rng: Random, data: bytes) -> bytes:
    if not data:
        return rng.randbytes(3)
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.choice((1, 1, 2, 10, 500)))
    match rng.randrange(6):
        case 0:
            return data[:start] + bytes([data[start] ^ 1 << rng.randrange(8)]) + data[start + 1 :]
        case 1:
            return data[:start]
        case 2:
            return data[:start] + data[end:]
        case 3:
            return data[:end] + data[start:]
        case 4:
            return data[:start] + rng.randbytes(rng.choice((1, 3, 30))) + data[start:]
        case _:
            return data[:start] + rng.choice((b"\0" * 50, b"\xff\xfe", b"\r", b"\xe2\x80", b"\n\n")) + data[end:]


def _lines(rng: Random, data: bytes, others: tuple[bytes, ...]) -> bytes:
    """Break the lines and words of a text."""
    lines = data.decode("utf-8", "replace").split("\n")
    at = rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines[at:at] = [lines[at]] * rng.choice((1, 2, 50))
        case 2:
            to = rng.randrange(len(lines))
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            lines[at] = rng.choice(rng.choice(others).decode("utf-8", "replace").split("\n"))
        case 4:
            lines.insert(at, rng.choice(_WORDS))
        case _:
            words = re.split(r"(\W)", lines[at])
            place = rng.randrange(len(words))
            words[place] = rng.choice((*_WORDS, rng.choice(words), rng.choice(re.split(r"(\W)", rng.choice(lines)))))
            lines[at] = "".join(words)
    return "\n".join(lines).encode("utf-8", "replace")


def _data(rng: Random, data: Any) -> Any:
    """Break data of JSON in one place."""
    if rng.random() < 0.03:
        return rng.choice(_STRANGE)
    if isinstance(data, dict) and data:
        key = rng.choice(sorted(data))
        match rng.randrange(8):
            case 0:
                return {k: v for k, v in data.items() if k != key}
            case 1:
                return {**data, rng.choice(("more", "", ATTACK)): rng.choice(_STRANGE)}
            case 2:
                return {**data, key: data[rng.choice(sorted(data))]}
            case _:
                return {**data, key: _data(rng, data[key])}
    if isinstance(data, list | tuple) and data:
        found = list(data)
        at = rng.randrange(len(found))
        match rng.randrange(6):
            case 0:
                del found[at]
            case 1:
                found.insert(at, found[rng.randrange(len(found))])
            case 2:
                found *= 2
            case _:
                found[at] = _data(rng, found[at])
        return found
    if isinstance(data, str) and data and rng.random() < 0.5:
        words = data.split(" ")
        words[rng.randrange(len(words))] = rng.choice(_WORDS)
        return " ".join(words)
    if type(data) is int and rng.random() < 0.5:
        return data + rng.choice((-1, 1, 2, 1000))
    return rng.choice(_STRANGE)


def _json(rng: Random, text: str) -> str:
    """Break a text of JSON, sometimes in ways that no data has."""
    broken = json.dumps(_data(rng, json.loads(text)))
    match rng.randrange(12):
        case 0:
            return "[" * 100_000
        case 1:
            return broken.replace(":", ":" + '{"a":' * 5_000, 1)
        case 2:
            return broken.replace("0", rng.choice(("NaN", "Infinity", "-0", "1e999", "1" * 5_000)), 1)
        case _:
            return broken


def _sealed(rng: Random, data: bytes) -> bytes:
    """Break one of the sealed lines of a file."""
    lines = data.decode("utf-8", "replace").split("\n")
    at = rng.randrange(HEAD, max(len(lines) - 1, HEAD + 1))
    try:
        if at < len(lines):
            lines[at] = _sealed_text(_json(rng, json.dumps(deobfuscate(lines[at]))))
    except (ValueError, RecursionError):  # It was broken before.
        return _bytes(rng, data)
    return "\n".join(lines).encode()


def _sealed_text(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode())).decode()


def _broken_save(rng: Random, data: bytes) -> bytes:
    return _sealed(rng, data) if rng.random() < 0.7 else _bytes(rng, data)


def _broken_autosave(rng: Random, data: bytes) -> bytes:
    if rng.random() < 0.6:
        return _sealed(rng, data)
    return _bytes(rng, data) if rng.random() < 0.5 else _lines(rng, data, _autosaves())


def _broken_state(rng: Random, data: bytes) -> bytes:
    try:
        return _json(rng, data.decode()).encode() if rng.random() < 0.8 else _bytes(rng, data)
    except (ValueError, RecursionError):
        return _bytes(rng, data)


def _broken_text(others: Callable[[], tuple[bytes, ...]]) -> Callable[[Random, bytes], bytes]:
    def broken(rng: Random, data: bytes) -> bytes:
        return _lines(rng, data, others()) if rng.random() < 0.75 else _bytes(rng, data)

    return broken


# ---- reading


@contextmanager
def new_folder() -> Iterator[None]:
    """Work in a new folder, with what is kept in it; games that were loaded before are at hand."""
    before, kept = os.getcwd(), dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="cardgame-mutant-") as folder, at_hand():
        os.environ.update(XDG_STATE_HOME=folder, XDG_CACHE_HOME=_cache().name, CARDGAME_CACHE="games")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(kept)


@lru_cache(maxsize=1)
def _cache() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="cardgame-mutants-")


def _command(*args: str) -> str:
    """Return what becomes of a command that reads a mutant."""
    result = CliRunner().invoke(main, list(args), input="")
    strange = [char for char in result.output if char not in "\n\t" and not prints(char)]
    own = re.search(r"CG9\d\d|Traceback|Exception|Errno", result.output)
    if result.exit_code not in (0, 1, 2) or own or strange or (result.exit_code and not result.output.strip()):
        raise LetThroughError(f"{args}: exit code {result.exit_code}, {strange[:3]}\n{result.output[-2000:]}")
    return "words" if result.exit_code else "plays"


def _written(name: str, data: bytes) -> str:
    Path(name).write_bytes(data)
    return name


def _read_autosave(data: bytes) -> str:
    try:
        said = deobfuscate(data.decode().split("\n")[HEAD])["spec"]
    except (ValueError, LookupError, TypeError):
        said = ""
    name = said if said in GAMES else GAMES[0]
    folder = autosave.folder()
    assert folder is not None
    folder.mkdir(parents=True)
    path = folder / f"{autosave.mark_of(find_spec(name))}-1.play"
    path.touch(mode=0o600)
    path.write_bytes(data)
    return _command("play", name, "--resume")


def _read_actions(data: bytes) -> str:
    name = next((game for game in GAMES if game.encode() in data), GAMES[0])
    seats = [word for seat in range(1, _game(name).num_players + 1) for word in ("--seat", f"{seat}=human")]
    return _command("play", name, "--seed", str(SEED), "--new", *seats, "--actions", _written("moves.txt", data))


def _read_state(data: bytes) -> str:
    text = data.decode("utf-8", "surrogateescape")
    digests = {_game(name).digest: name for name in GAMES}
    name = next((name for digest, name in digests.items() if digest in text), GAMES[0])
    try:
        state = _game(name).deserialize_state(text)
    except ValueError:
        return "words"
    return "plays" if state.is_terminal() or state.is_chance_node() or state.legal_actions() else "stuck"


KINDS: dict[str, Kind] = {
    "saves": Kind(_saves, _broken_save, lambda data: _command("play", "--load", _written("x.save", data))),
    "transcripts": Kind(
        _transcripts, _broken_text(_transcripts), lambda data: _command("replay", _written("x.txt", data))
    ),
    "actions": Kind(_actions, _broken_text(_actions), _read_actions),
    "scenarios": Kind(
        _scenarios, _broken_text(_scenarios), lambda data: _command("test", _written("x.scenarios", data))
    ),
    "autosaves": Kind(_autosaves, _broken_autosave, _read_autosave),
    "states": Kind(_states, _broken_state, _read_state),
}
