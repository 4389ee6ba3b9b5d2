"""The golden playthroughs come out as they are kept, and none is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import Game
from interpreter.loader import bundled_games
from interpreter.records.transcript import Head, replay
from tests.bundled import signature_of
from tests.golden import FOLDER, MOST_LINES, Golden, goldens

ALL = list(goldens())


@pytest.mark.parametrize("golden", ALL, ids=lambda g: g.path.stem)
def test_a_play_comes_out_as_it_is_kept_and_can_be_replayed(golden: Golden) -> None:
    made, kept = golden.made(), golden.path.read_text(encoding="utf-8")
    transcript, text = golden.played(made)
    assert kept == text

    def asked(head: Head) -> Game:
        assert signature_of(head.spec).setting(head.players, head.options) == made.setting
        return made

    assert replay(transcript, asked) is None


def test_every_bundled_game_has_its_plays_and_no_other_has() -> None:
    assert {golden.game for golden in ALL} == set(bundled_games())
    assert {path.name for path in FOLDER.glob("*.txt")} == {golden.path.name for golden in ALL}


def test_each_kept_play_shows_something_and_all_can_be_read() -> None:
    plays = [golden.path.read_text(encoding="utf-8").partition("\n\n")[2] for golden in ALL]
    assert len(set(plays)) == len(plays), "two plays are equal but for their heads"
    kept = [path for path in FOLDER.rglob("*") if path.suffix in (".txt", ".md", ".diff")]
    assert sum(path.read_text(encoding="utf-8").count("\n") for path in kept) <= MOST_LINES


@pytest.mark.parametrize("hash_seed", ["12345"])
def test_the_order_of_sets_has_no_part_in_it(hash_seed: str) -> None:
    code = "import sys; from tests.golden import goldens; sys.stdout.write(next(goldens()).text())"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"}
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, check=True)
    assert done.stdout.decode("utf-8").replace("\r\n", "\n") == ALL[0].path.read_text(encoding="utf-8")
