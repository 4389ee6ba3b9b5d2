"""Every test of the command line works in a folder of its own, since plays are saved where one stands."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CARDGAME_DEBUG", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
