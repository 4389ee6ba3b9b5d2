"""Specs with one construct blown up as far as a file goes are validated, or refused in words, in little memory.

All of them run under the `soak` marker; `python -m tests.analysis.blown NAME ..` prints what single ones cost.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.blown import SPECS, largest, measured

MEGABYTES = 500

FEW = ("mistakes of names",)


def check(name: str, folder: Path, share: float = 1.0) -> None:
    """Measure a spec; what takes too long is ended, and says so."""
    found = measured(largest(SPECS[name], share), folder)
    assert "error" not in found, found
    assert found["memory"] < MEGABYTES, found
    assert found["sound"] or found["codes"], found
    assert not any(code.startswith("CG9") for code in found["codes"]), found


@pytest.mark.parametrize("name", FEW)
def test_a_large_spec_is_validated_or_refused(name: str, tmp_path: Path) -> None:
    check(name, tmp_path, 0.5)


@pytest.mark.soak
@pytest.mark.parametrize("name", SPECS)
def test_every_construct_may_fill_a_file(name: str, tmp_path: Path) -> None:
    check(name, tmp_path)
