"""Compile the C of a game to a shared library, or load it from the cache.

The compiler is `$CC`, else the system's `cc`, `gcc` or `clang`, else the one in the package `ziglang`.  It works under
limits (`interpreter.native.compiling`).  A library is kept under the user's cache folder (`grammar.store`) by all that
it depends on: the game, our sources, the compiler's own file, its flags, and the processor, whose instructions it uses.
So a kept one is loaded without printing the C again.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import platform
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ctypes import c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p
from functools import lru_cache
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from grammar import fingerprint, store
from grammar.diagnostics import CardgameError
from interpreter.native import compiling

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.program.c.module import GeneratedC

HEADERS = files("interpreter.native") / "c"
"""The helpers that the text of every game includes."""

KEPT = 128
"""How many libraries are kept, of 20 to 90 kB each."""

SECONDS = 180
"""How long a compiler may work on one game; it takes about a second where nothing else does."""

FLAGS = (
    "-std=c99", "-w", "-fwrapv", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno",
)  # fmt: skip
"""The last two: numbers come out alike on every processor, and a root is an instruction, no call."""

SHORT, SMALL = 200_000, 33_000
"""Up to so many characters of C the compiler optimises fully, which takes up to 3 seconds; beyond it does less.  In a
small text it makes one function of a whole play, which takes twice as long and is up to a third faster."""

BEST = ("-O3", "-fno-tree-vectorize", "-fno-tree-loop-distribute-patterns")
"""No vectors: a state is written in small pieces, and a wide load waits for the small stores before it."""

Library = TypeVar("Library", bound=ctypes.CDLL)
Headers = Callable[[], dict[str, str]]
Sources = Callable[[], tuple[dict[str, str], list[str]]]
"""Gives texts by the names of their files, of which the first is compiled, and flags that depend on them."""

Kind = Literal["plays", "counting", "watched", "explicit", "learning"]
"""The libraries of a game: plain plays; plays that note which rules they reach; plays that note what is seen, with
beliefs and searches; plays that wait for an answer where chance chooses; watched plays with a network that learns."""

DEFINES: dict[Kind, tuple[str, ...]] = {
    "plays": (),
    "counting": ("-DCOUNTING",),
    "watched": ("-DTRACING",),
    "explicit": ("-DEXPLICIT",),
    "learning": ("-DTRACING", "-DLEARNING"),
}
"""The flags that switch on the hooks of a kind (`interpreter/native/c/hooks.h`)."""

SIGNATURES = {
    # play.h, many.h
    "game_size": "q", "game_mask_words": "q", "game_ends": "q", "game_results": "s", "game_player": "i p",
    "game_fault": "i p", "game_too_long": "i p", "game_returns": "- pp", "game_legal": "i pp",
    "game_begin_taped": "i pQQpii", "game_apply_taped": "i pqpii", "game_replay": "q ppqpi",
    "game_playouts": "q Qqqp",
    # vector.h
    "many_size": "q", "many_observed": "q", "many_begin": "i p", "many_reseed": "- pQ", "many_step": "i ppi",
    "many_sample": "- pp", "many_sample_steps": "i pqpipp", "many_unpack": "- pp", "many_observe": "- pip",
    # counted.h
    "game_row": "q", "game_counted": "q Qqqpp",
    # explicit.h
    "explicit_size": "q", "explicit_listed": "q", "explicit_begin": "q p", "explicit_apply": "q pi",
    "explicit_determine": "q ppi", "explicit_unknown": "i pp", "explicit_ends": "- pp",
    # watched.h
    "watched_size": "q", "watched_begin_taped": "i pQQQpii", "watched_apply_taped": "i pqpii", "watched_seen": "- pip",
    "watched_choice": "Q pi",
    # belief.h
    "walk_new": "p iQpipi", "walk_free": "- p", "walk_go": "- pqi", "walk_work": "q p", "walk_varies": "i p",
    "walk_moved": "i p", "walk_hides": "i p",
    "walk_room": "q p", "walk_counts": "- pp", "walk_states": "- ppqq", "walk_play": "i ppipp",
    "walk_record": "- pqqpii", "walk_onward": "d ppi",
    # search.h
    "search_size": "q", "search_edge_size": "q", "search_depth": "q", "search_run": "- pq",
    # regrets.h
    "regrets_new": "p Qqq", "regrets_free": "- p", "regrets_run": "i pq", "regrets_read": "i pppp",
    "regrets_aim": "- pipq", "regrets_respond": "- ppi", "regrets_play": "- ppQqp", "regrets_size": "- pp",
    "regrets_put": "i pQQippq", "regrets_shard": "- ppQqq", "regrets_pack": "q pp", "regrets_add": "i pp",
    # learn.h
    "learn_sizes": "- p", "learn_new": "p Qq", "learn_free": "- p", "learn_net": "p p", "learn_rival": "- pip",
    "learn_play": "- pii", "shard_played": "p pipp", "shard_pack": "q pp", "shard_free": "- p", "learn_unpack": "- pip",
    "learn_begin": "- p", "learn_next": "i p", "learn_gradients": "- pii", "learn_sum": "- pii", "learn_step": "- pii",
    "learn_plays": "i piQqqpp", "policy_view_size": "q", "policy_view_begin": "- p", "policy_view": "i pppppp",
    "policy_inputs": "i pip",
    # look.h
    "look_new": "p ppd", "look_free": "- p", "look_begin": "- p", "look_go": "- pq", "look_worlds": "- ppqq",
    "look_plays": "- ppqpipiQqqiqddp",
}  # fmt: skip
"""The result and the parameters of all functions that a library can have, by letters as in Python's module `struct`:
`i` and `q` are whole numbers of 32 and 64 bits, `Q` has no sign, `d` is a fraction, `p` an address, `s` a text, `-` is
nothing."""

_TYPES = {
    "i": c_int32, "q": c_int64, "Q": c_uint64, "d": c_double, "p": c_void_p, "s": c_char_p, "-": None
}  # fmt: skip

_FOLDERS = "cardgame-library-"
_ABANDONED = 3600.0


class NativeUnavailableError(CardgameError, RuntimeError):
    """There is no C compiler, or it failed, or a rule of the game has no form in C."""


class BuildError(NativeUnavailableError):
    """The compiler failed on a library, or the library cannot be loaded: a fault of ours, or of the machine."""


def library(game: GameBase, *more: str, kind: Kind = "plays", headers: Headers = dict) -> ctypes.CDLL:
    """Return a library of a game: built now, or the one that was built before; `more` are flags for the compiler.

    `headers` gives the texts of headers that are printed for it, by name.  Raises NativeUnavailableError.
    """
    command = [*compiler(), *FLAGS, *_tuned(), *DEFINES[kind], *more]

    def sources() -> tuple[dict[str, str], list[str]]:
        from interpreter.program.c.layout import UnprintableError  # late: kept

        try:
            text = generated(game, kind).text
        except UnprintableError as error:
            raise NativeUnavailableError(f"the rules have no form in C: {error}") from None
        return {"game.c": text, **headers()}, _effort(command, text, kind)

    with built_library(command, sources, game.describe()) as path:
        try:
            return declared(ctypes.CDLL(path))
        except OSError as error:
            raise BuildError(f"the library of the game cannot be loaded: {error}") from None


def declared(calls: Library) -> Library:
    """Return a library whose functions have types."""
    for name, letters in SIGNATURES.items():
        with suppress(AttributeError):
            call = getattr(calls, name)
            result, _, parameters = letters.partition(" ")
            call.restype, call.argtypes = _TYPES[result], [_TYPES[letter] for letter in parameters]
    return calls


@contextmanager
def built_library(
    command: list[str], sources: Sources, *parts: Any, ending: str = ".library", keep: int = KEPT, name: str = "game"
) -> Iterator[str]:
    """Give the path of a library that can be loaded: compiled now, or when the same was wanted before, and cached.

    `parts` are what it is made of, beside our sources and the compiler; of the files with the same ending the latest
    `keep` are left.  Raises NativeUnavailableError.
    """
    key = cache_name(command, *parts)
    with TemporaryDirectory(prefix=_FOLDERS, ignore_cleanup_errors=True) as folder:
        path = Path(folder, f"{name}.so")
        if (data := _cached(key, ending)) is None:
            _sweep()
            with store.alone(key or "library", SECONDS):
                # Of several processes that want the same library one builds it, and the others wait for that.
                if (data := _cached(key, ending)) is None:
                    data = _compiled(path, command, *sources())
                    if key is not None:
                        store.write(key + ending, hashlib.sha256(data).digest() + data, keep)
        path.write_bytes(data)
        yield str(path)


def compiler() -> list[str]:
    """Return the command of the C compiler.  Raises NativeUnavailableError where there is none."""
    if given := os.environ.get("CC", "").strip():
        try:
            return shlex.split(given)
        except ValueError as error:
            raise NativeUnavailableError(f"`CC` is no command: {error}") from None
    for name in ("cc", "gcc", "clang"):
        if found := shutil.which(name):
            return [found]
    if find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise NativeUnavailableError(
        "there is no C compiler: install one (`cc`), or run `pip install 'cardgame[native]'`, which brings one"
    )


@lru_cache(maxsize=1)
def _tuned() -> tuple[str, ...]:
    """Return the flag for this very processor, where a library can be kept separate from those for others."""
    return ("-march=native",) if _processor() else ()


@lru_cache(maxsize=1)
def _processor() -> str:
    """Return what the system says of the processor; empty where it says nothing."""
    with suppress(OSError):
        first = Path("/proc/cpuinfo").read_text("utf-8", "replace").partition("\n\n")[0]
        lines = [line for line in first.splitlines() if line.startswith(("model name", "flags", "Features", "CPU"))]
        return "\n".join(lines)
    return ""


def cache_name(command: list[str], *parts: Any) -> str | None:
    """Return the name under which a library is cached: what it is made of, our sources, compiler and processor.

    None where these cannot be known.
    """
    ours, path = fingerprint.compiler(), _program(command)
    if ours is None or path is None or not store.KNOWS_OWNERS:
        return None
    try:
        file = os.stat(os.path.realpath(path))
    except OSError:
        return None
    machine = [platform.machine(), _processor()]
    everything = [*parts, ours, command, path, file.st_size, file.st_mtime_ns, *machine]
    return hashlib.sha256(json.dumps(everything).encode()).hexdigest()[:40]


def _program(command: list[str]) -> str | None:
    """Return the file of the compiler that a command runs: of `python -m ziglang cc` that of the package."""
    if command[1:3] == ["-m", "ziglang"]:
        package = find_spec("ziglang")
        return None if package is None or package.origin is None else package.origin
    return shutil.which(command[0])


def compiler_environment(command: list[str], folder: Path) -> dict[str, str]:
    """Return the environment of the compiler.  Zig needs a folder for its cache: without a home, that of the build."""
    found = dict(os.environ)
    home = found.get("XDG_CACHE_HOME") or found.get("HOME")
    if command[1:3] == ["-m", "ziglang"] and os.name == "posix" and not (home and os.access(home, os.W_OK)):
        found.setdefault("ZIG_GLOBAL_CACHE_DIR", str(folder / "zig"))
    return found


def _cached(key: str | None, ending: str) -> bytes | None:
    """Return what was built before, if it is whole and nobody else's."""
    found = None if key is None else store.read(key + ending)
    if found is None or hashlib.sha256(found[32:]).digest() != found[:32]:
        return None
    return found[32:]


def _compiled(path: Path, command: list[str], texts: dict[str, str], flags: list[str]) -> bytes:
    """Compile the first of some texts to a library in the folder where it is to be, and return its bytes."""
    for name, text in texts.items():
        (path.parent / name).write_text(text, encoding="utf-8")
    arguments = [*command, *flags, "-I", ".", next(iter(texts)), "-o", path.name]
    try:
        with as_file(HEADERS) as headers:
            environment = compiler_environment(command, path.parent)
            compiling.run([*arguments, "-I", str(headers)], str(path.parent), environment, SECONDS)
        return path.read_bytes()
    except (compiling.CompilerError, OSError) as error:
        raise BuildError(f"the C compiler failed: {error}") from None


def generated(game: GameBase, kind: Kind) -> GeneratedC:
    """Return the C of a game, which is the same for all kinds but where uses of tagged definitions are counted."""
    from interpreter.program.c.module import generate_c  # late: kept

    return generate_c(game.program, tagged=kind == "counting")


def quick_flags() -> tuple[str, ...]:
    """Return the flags of a build that takes a third of the time, for libraries that run briefly.

    None where the command of the compiler says how hard it is to try.  Raises NativeUnavailableError.
    """
    command = compiler()
    if _says_effort(command):
        return ()
    return ("-O1",) if "ziglang" in command else ("-Og",)  # Zig takes -Og for a debug build.


def _effort(command: list[str], text: str, kind: Kind) -> list[str]:
    """Return how hard the compiler is to try, unless its command says that already."""
    if _says_effort(command):
        return []
    if kind == "learning":
        return ["-O2"]
    if len(text) > SHORT or kind not in ("plays", "counting"):
        return ["-O1"]
    return [*BEST, "-DFLAT"] if len(text) <= SMALL else [*BEST]


def _says_effort(command: list[str]) -> bool:
    """Say whether a command of the compiler has a level of optimisation."""
    return any(part.startswith("-O") for part in command)


def _sweep() -> None:
    """Remove the folders of builds that were killed."""
    with suppress(OSError):
        for left in Path(gettempdir()).glob(f"{_FOLDERS}*"):
            with suppress(OSError):
                if time.time() - left.lstat().st_mtime > _ABANDONED:
                    shutil.rmtree(left, ignore_errors=True)
