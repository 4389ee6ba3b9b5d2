"""From a module's text to an extension module: Cython, the C compiler, and what they made before.

What was built is kept under the user's cache folder (`grammar.store`) by the text itself, which holds the machine, the
rules and all helpers, and by the versions of Cython and Python; nothing else can go into it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import sysconfig
import time
from contextlib import suppress
from importlib.machinery import ExtensionFileLoader
from importlib.metadata import PackageNotFoundError, version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from types import ModuleType

from grammar import store
from grammar.diagnostics import CardgameError
from interpreter.native import compiling

KEPT = 64
"""How many extension modules are kept, of half a megabyte each."""

_COMPILER_FLAGS = "-O1 -g0 -w"
"""More than a little optimising takes longer and gives nothing: most of the time goes to Python's own functions."""

_ENDING = ".native"
_FOLDERS = "cardgame-native-"
_ABANDONED = 3600.0
"""Seconds after which nobody is at work in a folder any more."""


class NativeUnavailableError(CardgameError, RuntimeError):
    """There is no Cython, or no C compiler, or they failed."""


def extension(text: str) -> ModuleType:
    """Return a new extension module of a text for Cython: built now, or the one that was built of the same text.

    Each call loads the module anew, so that no two share what they are given.  Raises NativeUnavailableError.
    """
    name = _name(text)
    data = _kept(name)
    with TemporaryDirectory(prefix=_FOLDERS, ignore_cleanup_errors=True) as folder:
        if data is None:
            _sweep()
            # Of several that want the same module one builds it, and the others wait for that.
            with store.alone(name, compiling.SECONDS):
                data = _kept(name)
                if data is None:
                    data = _built(Path(folder), name, text)
                    store.write(name + _ENDING, hashlib.sha256(data).digest() + data, KEPT)
        path = Path(folder, f"{name}-loaded{_suffix()}")
        path.write_bytes(data)
        return _loaded(name, path)


def _name(text: str) -> str:
    """Return the module's name: equal texts, equal versions, equal names."""
    try:
        cython = version("cython")
    except PackageNotFoundError:
        raise NativeUnavailableError("native code needs Cython: pip install cython setuptools") from None
    parts = [cython, sys.version, sysconfig.get_platform(), _suffix(), os.environ.get("CFLAGS", ""), text]
    return "cardgame_" + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def _suffix() -> str:
    return str(sysconfig.get_config_var("EXT_SUFFIX"))


def _kept(name: str) -> bytes | None:
    """Return what was built before, if it is whole and nobody else's."""
    found = store.read(name + _ENDING) if store.KNOWS_OWNERS else None
    if found is None or hashlib.sha256(found[32:]).digest() != found[:32]:
        return None
    return found[32:]


def _built(folder: Path, name: str, text: str) -> bytes:
    """Build the module in a folder, and return its bytes."""
    source = folder / f"{name}.pyx"
    source.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "Cython.Build.Cythonize", "--inplace", "-3", "--quiet", source.name]
    try:
        compiling.run(command, str(folder), {"CFLAGS": _COMPILER_FLAGS, **os.environ})
        return (folder / f"{name}{_suffix()}").read_bytes()
    except (compiling.CompilerError, OSError) as error:
        raise NativeUnavailableError(
            "native code cannot be built here: it needs a C compiler and Python's headers"
            f"; the last that was said is: {error}"
        ) from None


def _sweep() -> None:
    """Remove the folders of builds that were killed."""
    with suppress(OSError):
        for left in Path(gettempdir()).glob(f"{_FOLDERS}*"):
            with suppress(OSError):
                if time.time() - left.lstat().st_mtime > _ABANDONED:
                    shutil.rmtree(left, ignore_errors=True)


def _loaded(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path, loader=ExtensionFileLoader(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
