"""The extension module of CPython that steps native states, compiled when the first of them is made.

Its source is data of the package (`c/fast_states.c`), so the wheel has no binary.  The compiled module is cached like
the libraries of games, by this Python's version and ABI too.  Where Python is not CPython, its headers or a compiler
are missing, or threads run without a lock, there is no module, and states are stepped through `ctypes`.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from interpreter.native.library import HEADERS, NativeUnavailableError, built_library, compiler

_NAME = "fast_states"
_FLAGS = ("-std=c99", "-O2", "-w", "-fwrapv", "-fPIC", "-shared", "-fvisibility=hidden")
_KEPT = 8


@cache
def extension() -> Any:
    """Return the module, or None where there is none."""
    if os.name != "posix" or sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None
    try:
        return load_extension()
    except (NativeUnavailableError, ImportError):
        return None


def load_extension(*more: str) -> Any:
    """Build the module, or read it from the cache, and import it; `more` are flags for the compiler.

    Raises NativeUnavailableError or ImportError.
    """
    paths = {sysconfig.get_path("include"), sysconfig.get_path("platinclude")}
    if not all(Path(path, "Python.h").exists() for path in paths):
        raise NativeUnavailableError("the headers of Python are not installed")
    command = [*compiler(), *_FLAGS, *(f"-I{path}" for path in sorted(paths)), *more]
    if sys.platform == "darwin":
        command += ["-undefined", "dynamic_lookup"]
    python = [sys.version, sysconfig.get_config_var("SOABI"), sys.prefix]
    source = f"{_NAME}.c"
    texts = {source: (HEADERS / source).read_text("utf-8")}
    with built_library(command, lambda: (texts, []), *python, ending=".extension", keep=_KEPT, name=_NAME) as path:
        spec = spec_from_file_location(_NAME, path, loader=ExtensionFileLoader(_NAME, path))
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    return module
