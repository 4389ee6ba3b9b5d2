"""What scenarios expect matters: with another value, another player, or the contrary, they fail.

A mutant is a shipped scenario with one expectation changed so that it cannot hold beside the old one.  A few stand for
all in each run; `soak` takes 200.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from grammar.source import Source
from interpreter.loader import bundled_games, find_spec
from interpreter.scenarios.scenario import run_source

LITTLE = ("classics/kuhn_poker", "classics/go_fish")


def contrary(line: str) -> str | None:
    """Return an expectation that cannot hold where a line does, None for lines that expect nothing or too much else."""
    text = line.partition("#")[0].rstrip()
    text = re.sub(r"\s+\[[\w, -]+\]$", "", text)
    match = re.fullmatch(r"(\s+)expect (.*)", text)
    if match is None:
        return _other_action(text)
    space, said = match.groups()
    if said == "game over":
        return f"{space}expect not game over"
    if found := re.fullmatch(r"player (\d) to act", said):
        return f"{space}expect player {2 if found[1] == '1' else 1} to act"
    if found := re.fullmatch(r"((?:score|returns) of .*) == (-?\d+)", said):
        return f"{space}expect {found[1]} == {int(found[2]) + 1}"
    if found := re.fullmatch(r"winners player (\d)", said):
        return f"{space}expect winners player {2 if found[1] == '1' else 1}"
    if said == "no winners":
        return f"{space}expect winners player 1"
    if found := re.fullmatch(r'(.*) holds "(\S*)(.*)"', said):
        return f'{space}expect {found[1]} holds "{found[3].strip()}"' if found[2] else None
    if " holds " in said or said.startswith(("said", '"', "winners", "score", "returns")):
        return None
    return f"{space}expect not ({said})"


def _other_action(text: str) -> str | None:
    for word, other in ((" cannot ", " can "), (" can only ", None), (" can ", " cannot ")):
        if word in text and not text.lstrip().startswith(("scenario", "given", "#")):
            return None if other is None else text.replace(word, other)
    return None


def mutants(name: str) -> Iterator[tuple[int, str]]:
    """Yield the scenarios of a game with one line changed: the number of the line, and a file with that scenario."""
    path = find_spec(name).with_suffix(".scenarios")
    lines = path.read_text().splitlines()
    starts = [n for n, line in enumerate(lines) if line.startswith(("scenario ", "setup "))]
    setups = [n for n in starts if lines[n].startswith("setup ")]
    for number, line in enumerate(lines):
        changed = contrary(line) if line.startswith(" ") else None
        if changed is None:
            continue
        start = max(n for n in starts if n < number)
        if start in setups:
            continue
        kept = [lines[0]]
        for begin, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            if begin in setups:
                kept += lines[begin:end]
        end = next((n for n in starts if n > start), len(lines))
        kept += [changed if n == number else lines[n] for n in range(start, end)]
        yield number + 1, "\n".join(kept) + "\n"


def survivors(name: str, count: int) -> tuple[int, list[str]]:
    """Return how many mutants of a game were run, and those that passed."""
    every = list(mutants(name))
    chosen = every if len(every) <= count else Random(name).sample(every, count)
    folder: Path = find_spec(name).parent
    passed = []
    for line, text in chosen:
        results = run_source(Source(f"{name}.scenarios", text), folder)
        if all(result.passed for result in results):
            passed.append(f"{name}.scenarios:{line}")
    return len(chosen), passed


@pytest.mark.parametrize("name", LITTLE)
def test_a_changed_expectation_fails(name: str) -> None:
    made, passed = survivors(name, 6)
    assert made == 6
    assert passed == []


@pytest.mark.soak
def test_two_hundred_changed_expectations_fail() -> None:
    made = 0
    for name in bundled_games():
        count, passed = survivors(name, 25)
        made += count
        assert passed == []
    assert made >= 200
