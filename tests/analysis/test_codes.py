"""The registry of codes is true: each bad example gives its code at the place it marks, each good one is clean."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from grammar.ast import Spec
from grammar.codes import REGISTRY, Code
from grammar.codes.sample import complete
from grammar.diagnostics import Diagnostic, Severity, SpecError
from grammar.source import Source
from interpreter.analysis.checker import Checker, check_spec
from interpreter.engine.faults import RuleError
from interpreter.loader import assemble, load_text

ROOT = Path(__file__).parents[2]
MARK = "# <--"
BASE = "option limit: 1..5 = 2\ndefine unused = 5\ndefine worth(p: player) = points[p] + limit\n"
BASE += "result\n    score p = worth(p)\n"

CHECKED = [c for c in REGISTRY.values() if "CG200" < c.code < "CG600" and c.bad]
FAULTS = [c for c in REGISTRY.values() if c.code.startswith("CG8") and c.bad]


def assembled(fragment: str, folder: Path) -> Spec | list[Diagnostic]:
    """Return a completed example as a tree, or what keeps it from being one."""
    text = complete(fragment)
    (folder / "base.cardgame").write_text(complete(BASE))
    (folder / "other.cardgame").write_text(complete(BASE))
    (folder / "needs.cardgame").write_text("cardgame 1\n\ndefine held(p: player) = count(hand[p] + kitty)\n")
    path = folder / "example.cardgame"
    path.write_text(text)
    try:
        return assemble(Source(str(path), text), folder)
    except SpecError as error:
        return list(error.diagnostics)


def diagnose(fragment: str, folder: Path) -> tuple[str, list[Diagnostic]]:
    """Return a completed example, and what is wrong with it."""
    return diagnosed(fragment, assembled(fragment, folder))


def diagnosed(fragment: str, found: Spec | list[Diagnostic]) -> tuple[str, list[Diagnostic]]:
    return complete(fragment), found if isinstance(found, list) else list(check_spec(found).diagnostics)


@pytest.mark.parametrize("code", CHECKED, ids=lambda c: f"{c.code}-{c.name}")
def test_bad_example_gives_its_code_at_its_mark_and_nothing_else(code: Code, tmp_path: Path) -> None:
    """Without the checks of liveness too, except for advice that holds for every setting."""
    spec = assembled(code.bad, tmp_path)
    text, found = diagnosed(code.bad, spec)
    if code.severity is Severity.ERROR:
        found = [d for d in found if d.is_error]
    marked = [number for number, line in enumerate(text.splitlines(), 1) if MARK in line]
    assert [(d.code, d.span.line, d.severity) for d in found] == [(code.code, marked[0], code.severity)]
    assert len(marked) == 1
    if isinstance(spec, Spec) and not code.every_setting:
        assert code.code in {d.code for d in Checker(spec).check(liveness=False).diagnostics}


@pytest.mark.parametrize("code", CHECKED, ids=lambda c: f"{c.code}-{c.name}")
def test_good_example_is_clean(code: Code, tmp_path: Path) -> None:
    text, found = diagnose(code.good, tmp_path)
    assert MARK not in text
    assert [d for d in found if d.is_error or d.code == code.code] == []


def play(text: str, seed: int) -> None:
    state = load_text(text).new_initial_state()
    rng = random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("code", FAULTS, ids=lambda c: f"{c.code}-{c.name}")
def test_bad_example_of_a_fault_faults_at_its_mark(code: Code) -> None:
    text = complete(code.bad)
    marked = [number for number, line in enumerate(text.splitlines(), 1) if MARK in line]
    with pytest.raises(RuleError) as caught:
        play(text, 1)
    assert caught.value.code == code.code
    assert caught.value.span is not None
    assert [caught.value.span.line] == marked


@pytest.mark.parametrize("code", FAULTS, ids=lambda c: f"{c.code}-{c.name}")
def test_good_example_of_a_fault_plays_to_its_end(code: Code) -> None:
    for seed in range(5):
        play(complete(code.good), seed)


def reported_codes() -> set[str]:
    found: set[str] = set()
    for folder in ("grammar", "interpreter", "cli"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.parent.name != "codes":
                found.update(re.findall(r'"(CG\d{3})"', path.read_text()))
    return found


def test_what_is_reported_is_registered_and_what_is_registered_is_reported() -> None:
    assert reported_codes() == set(REGISTRY)


def test_names_are_unique_and_say_something() -> None:
    names = [code.name for code in REGISTRY.values()]
    assert len(set(names)) == len(names)
    for code in REGISTRY.values():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code.name)
        assert not code.summary[0].isupper()
        assert not code.summary.endswith(".")
        assert code.explanation.endswith(".")
