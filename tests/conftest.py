"""No test reads or writes what its user keeps, and none is given a game that another one has compiled."""

from __future__ import annotations

import gc
import hashlib
import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib.resources import as_file
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from grammar import store, tables
from interpreter.fuzz import fuzz
from interpreter.native import compiling, library
from tests.bundled import DIFFERENT, EVERY, at_hand

EXAMPLES = 8
"""Examples of each property in the quick tests; with the soak Hypothesis tries its usual number."""

FEW_EXCHANGES = 3_000
"""What a run of the fuzzer may cost beside its decisions in the quick tests, about a fifth of the usual."""

TABLES = Path(__file__).parents[1] / "build" / "parsers"
"""Tables of parsers, which only the first run after a change of a grammar builds."""

LIBRARIES = Path(__file__).parents[1] / "build" / "libraries"
"""Libraries of games, which only the first run after a change of their C builds."""

WEEK = 7 * 24 * 3600.0
"""Seconds after which a library that no run has used is removed."""

SELDOM = (300_000, 20, 50)
"""Garbage is collected seldom: games are large and stay."""

OTHERS = {*EVERY} - {*DIFFERENT}
"""Games of which tests over all games are for the soak."""

_kept: dict[str, str | None] = {}
_folder = ""
_libraries = Path()
_compile = compiling.run
failed_builds: list[str] = []
"""What the compiler said where it failed in the test that runs now."""


def pytest_configure(config: pytest.Config) -> None:
    """Let this run keep the tables of parsers in a folder of its own; its workers share that folder.

    Where Python is told to write no bytecode, processes that tests start keep theirs in that folder too, or each of
    them would compile all modules anew.  Workers do not: of packages that are installed, they find it where it is.
    """
    global _folder, _libraries
    gc.set_threshold(*SELDOM)
    if not hasattr(config, "workerinput"):
        _folder = tempfile.mkdtemp(prefix="cardgame-tests-")
        _copy_tables(TABLES, Path(_folder, "cardgame"))
        _set(XDG_CACHE_HOME=_folder, XDG_STATE_HOME=_folder, CARDGAME_CACHE="parsers")
        if (compiler := shutil.which("cc")) and "CC" not in os.environ:
            # Most time of a test of native code goes into building; in a soak it goes into playing.
            _set(CC=f"{shlex.quote(compiler)} {'-Og' if config.getoption('markexpr') == 'soak' else '-O0'}")
        if config.getoption("numprocesses", None):
            for language in ("cardgame", "scenario"):  # Once, for both workers.
                tables.parser(language)
    # How long an example takes says how busy the machine is, and nothing of the code.
    settings.register_profile("soak", deadline=None)
    settings.register_profile("quick", deadline=None, max_examples=EXAMPLES)
    settings.load_profile("soak" if _is_soak(config) else "quick")
    _libraries = Path(os.environ["XDG_CACHE_HOME"], "libraries") if _is_soak(config) else LIBRARIES
    _libraries.mkdir(parents=True, exist_ok=True)
    if not _is_soak(config):
        fuzz.RUN = FEW_EXCHANGES
    if os.environ.get("PYTHONDONTWRITEBYTECODE") and not config.getoption("numprocesses", None):
        _set(PYTHONDONTWRITEBYTECODE="", PYTHONPYCACHEPREFIX=os.environ["XDG_CACHE_HOME"])


def _copy_tables(here: Path, there: Path) -> None:
    there.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in here.glob("*.json"):
        with suppress(OSError):
            shutil.copy2(path, there)


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Leave tests over all games to the soak for games that `tests.bundled.DIFFERENT` does not name.

    Of the cases for the soak only one is made, unless they are wanted: they are more than the others.
    """
    test = metafunc.definition
    alone = test.get_closest_marker("soak") is not None
    for place, mark in enumerate(test.own_markers):
        if mark.name == "parametrize":
            names, values, *more = mark.args
            cases = _with_marks([*values], one=isinstance(names, str) and "," not in names)
            if not _is_soak(metafunc.config) and not isinstance(mark.kwargs.get("ids"), list):
                cases = [case for case in cases if not (alone or _is_left(case))] or cases[:1]
            test.own_markers[place] = pytest.mark.parametrize(names, cases, *more, **mark.kwargs).mark


def _is_soak(config: pytest.Config) -> bool:
    return "soak" in config.getoption("markexpr").replace("not soak", "")


_Marked = type(pytest.param())


def _is_left(case: Any) -> bool:
    return isinstance(case, _Marked) and any(mark.name == "soak" for mark in case.marks)


def _with_marks(cases: list[Any], *, one: bool) -> list[Any]:
    """Mark the cases of other games than `DIFFERENT` for the soak, except in a test that is about other games alone.

    `one` says that a test has one parameter, so that a case is its value.
    """
    made = [case if isinstance(case, _Marked) else pytest.param(*([case] if one else case)) for case in cases]
    other = [any(_game_of(value) in OTHERS for value in case.values) for case in made]
    if all(other):
        return cases
    return [
        pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.soak]) if is_other else case
        for case, is_other in zip(made, other, strict=True)
    ]


def _game_of(value: object) -> object:
    """Return the name of the game that a parameter of a test is, or is about."""
    for name in ("spec", "game"):
        value = getattr(value, name, value)
    return value if isinstance(value, str) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the workers collect one after the other: the second reads the bytecode that the first has written."""
    with store.alone("collection", 60):
        return (yield)


def pytest_collection_finish() -> None:
    """Leave alone in garbage collection what is there by now."""
    gc.collect()
    gc.freeze()


def _set(**changed: str) -> None:
    for name, value in changed.items():
        _kept[name] = os.environ.get(name)
        os.environ[name] = value


def pytest_unconfigure() -> None:
    """Leave everything as it was."""
    for name, value in _kept.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    if _folder:
        shutil.rmtree(TABLES, ignore_errors=True)
        _copy_tables(Path(_folder, "cardgame"), TABLES)
        shutil.rmtree(_folder, ignore_errors=True)
        for path in LIBRARIES.glob("*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > WEEK:
                    path.unlink()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let games be kept, in a folder that nobody else has; the fixture is the place of that folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CARDGAME_CACHE", raising=False)
    return tmp_path / "cache" / "cardgame"


@lru_cache(maxsize=8)
def _surroundings(compiler: str) -> str:
    """Return a hash of what a library depends on beside its command and texts: headers, compiler, processor."""
    with as_file(library.HEADERS) as headers:
        texts = [path.read_bytes() for path in sorted(headers.iterdir()) if path.is_file()]
    program = os.stat(shutil.which(compiler) or ".")
    made_of = [*texts, program.st_size, program.st_mtime_ns, library._processor()]
    return hashlib.sha256(repr(made_of).encode()).hexdigest()


def _noted_compile(command: list[str], folder: str, *how: Any, **more: Any) -> None:
    """Compile a library, or take the one that a run has compiled of the same texts with the same command."""
    kept = None
    if "-o" in command:
        files = [path.read_bytes() for path in sorted(Path(folder).iterdir()) if path.is_file()]
        kept = _libraries / hashlib.sha256(repr((command, files, _surroundings(command[0]))).encode()).hexdigest()
        made = Path(folder, command[command.index("-o") + 1])
        if kept.exists():
            shutil.copyfile(kept, made)
            os.utime(kept)
            return
    try:
        _compile(command, folder, *how, **more)
    except compiling.CompilerError as error:
        failed_builds.append(f"{command[0]}: {error}")
        raise
    if kept is not None:
        shutil.copyfile(made, whole := kept.with_suffix(f".{os.getpid()}"))
        whole.rename(kept)


compiling.run = _noted_compile


@pytest.fixture(autouse=True)
def _games_at_hand(request: pytest.FixtureRequest) -> Iterator[None]:
    """Load each game once, except in tests of compilation and of libraries."""
    if request.path.parent.name in ("program", "native"):
        yield
    else:
        with at_hand():
            yield


@pytest.fixture(autouse=True)
def _builds_succeed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which the compiler fails: the game plays on in Python, so nothing else would show it.

    The mark `failing_build` allows it.
    """
    yield
    failed = failed_builds[:]
    failed_builds.clear()
    if failed and request.node.get_closest_marker("failing_build") is None:
        pytest.fail(f"the C compiler failed: {'; '.join(failed)}")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Leave what the run has made to the end of the process: to look through all games five times takes seconds."""
    gc.freeze()
