"""Nothing but the adapters needs other people's packages, and without them an adapter says so."""

from __future__ import annotations

import subprocess
import sys

import pytest

OTHERS = ("pyspiel", "open_spiel", "pettingzoo", "gymnasium", "numpy")


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("adapter", "missing", "extra"),
    [
        ("openspiel", "pyspiel", "openspiel"),
        ("gymnasium", "gymnasium", "gymnasium"),
        pytest.param("pettingzoo", "gymnasium", "pettingzoo", marks=pytest.mark.soak),
    ],
)
def test_an_adapter_says_which_extra_is_missing(adapter: str, missing: str, extra: str) -> None:
    done = run(f"import sys; sys.modules['{missing}'] = None; import interpreter.adapters.{adapter}")
    assert done.returncode == 1
    told = done.stderr.strip().splitlines()[-1]
    assert told.startswith("ModuleNotFoundError: ")
    assert f"install this package with its extra `{extra}`" in told


def test_games_are_played_without_them() -> None:
    done = run(
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({OTHERS!r}))\n"
        "from cli.main import main\n"
        "main(['test', 'classics/kuhn_poker'])\n"
    )
    assert done.returncode == 0, done.stderr
    assert ", 0 failed" in done.stdout
