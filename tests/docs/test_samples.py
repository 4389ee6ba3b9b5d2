"""Every sample of the documents is what it says, and does what its page says of it."""

from __future__ import annotations

import doctest
import random
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from grammar.diagnostics import SpecError
from interpreter import Game, RuleError, State, load
from interpreter.loader import game_of
from interpreter.text.narrate import narrate
from tests.docs.samples import (
    FRAGMENTS,
    LANGUAGES,
    ROOT,
    Sample,
    all_samples,
    assembled,
    expressions_of,
    named,
    pages,
    samples,
    with_expressions,
    write_files,
)
from tests.native.test_c import HAS_COMPILER

ELLIPSIS = doctest.ELLIPSIS


def specs() -> list[Sample]:
    return [s for s in all_samples("cardgame") if s.mark("fragment") not in ("expressions", "part")]


def expressions() -> list[Sample]:
    return [s for s in all_samples("cardgame") if s.mark("fragment") == "expressions"]


def test_no_sample_escapes() -> None:
    """A sample has a language and marks that the tests know, and nothing else looks like a sample."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"^[ \t]+```|^[ \t]*~~~", text, re.MULTILINE), (
            f"{page}: samples begin at the margin, with ```"
        )
        for sample in samples(page):
            assert sample.language in LANGUAGES, sample
            assert set(sample.marks) <= LANGUAGES[sample.language], sample
            assert sample.mark("fragment") in (None, *FRAGMENTS), sample
            if sample.language in ("text", "sh"):
                assert not re.search(r"^\$ |^cardgame |^>>> ", sample.text, re.MULTILINE), sample
            assert (sample.language == "example") <= (page.name == "diagnostics.md"), sample
            if sample.language == "text":
                assert not sample.text.startswith("cardgame 1"), sample


def loaded(spec: str, folder: Path) -> Game:
    path = folder / "this_sample.cardgame"
    path.write_text(spec, encoding="utf-8")
    return load(path)


def played(game: Game, seed: int) -> State:
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(rng)
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
    return state


def play_some(game: Game) -> None:
    for seed in range(20):
        played(game, seed)


@pytest.mark.parametrize("sample", specs(), ids=str)
def test_specs_are_sound_and_can_be_played(sample: Sample, tmp_path: Path) -> None:
    """A spec is checked and played at random, or goes wrong in the way that its page tells."""
    write_files(sample.page, tmp_path)
    spec = assembled(sample)
    error, fault = sample.mark("error"), sample.mark("fault")
    if error is not None:
        with pytest.raises(SpecError) as caught:
            loaded(spec, tmp_path)
        assert {d.code for d in caught.value.diagnostics} == set(error.split(","))
        return
    game = loaded(spec, tmp_path)
    if fault is not None:
        with pytest.raises(RuleError) as failed:
            play_some(game)
        assert failed.value.code == fault
        return
    low, high = game.rules.player_range
    only = sample.mark("players")
    for players in {low, high} if only is None else [int(only)]:
        made = game if players == game.num_players else game_of(game.spec, players)
        for seed in range(2):
            outcome = played(made, seed).outcome()
            assert outcome is not None
            assert outcome.termination.value == "finished"


@pytest.mark.parametrize("sample", expressions(), ids=str)
def test_expressions_give_the_value_beside_them(sample: Sample, tmp_path: Path) -> None:
    """Each expression gives the value that is written behind it, or the mistake."""
    base = named(sample.page, sample.mark("in") or "base").text
    position = named(sample.page, "position").text
    lines = expressions_of(sample.text)
    sound = [(said, gives) for said, gives in lines if not gives.startswith("CG")]
    for said, gives in lines:
        assert gives, f"`{said}` does not say what it gives"
        if gives.startswith("CG"):
            with pytest.raises(SpecError) as caught:
                loaded(with_expressions(base, position, [said]), tmp_path)
            assert [d.code for d in caught.value.diagnostics] == [gives.split()[0].rstrip(":")], said
    if sound:
        game = loaded(with_expressions(base, position, [said for said, _ in sound]), tmp_path)
        told = [narrate(game, event) for event in played(game, 0).events()]
        found = [line.partition(" = ")[2] for line in told if re.match(r"E\d+ = ", line)]
        assert dict(zip([said for said, _ in sound], found, strict=True)) == dict(sound)


@pytest.mark.parametrize("sample", [s for s in all_samples("cardgame") if s.mark("fragment") == "part"], ids=str)
def test_parts_stand_in_the_whole(sample: Sample) -> None:
    """What is shown piece by piece is what the whole says."""
    assert sample.text in assembled(sample)


def commands(text: str) -> list[tuple[str, str]]:
    """Return the commands of a console sample, each with the output that is shown."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        else:
            assert found, "a console sample begins with a command"
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return found


def consoles() -> list[Path]:
    return [p for p in pages() if any(s.language == "console" for s in samples(p))]


@pytest.mark.parametrize("page", consoles(), ids=lambda p: p.name)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of a page, run in order in one folder, print what the page shows."""
    from cli.main import main

    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for sample in samples(page):
        if sample.language != "console":
            continue
        for command, shown in commands(sample.text):
            words = shlex.split(command)
            assert words[0] == "cardgame", sample
            typed = "".join(line[2:] + "\n" for line in shown.splitlines() if line.startswith("> "))
            result = CliRunner().invoke(main, words[1:], input=typed)
            printed = "".join(line.rstrip() + "\n" for line in result.output.splitlines())
            assert result.exit_code == int(sample.mark("exit") or 0), f"{sample}: {command}\n{printed}"
            checker = doctest.OutputChecker()
            assert checker.check_output(shown, printed, ELLIPSIS), f"{sample}: {command} printed\n{printed}"


@pytest.mark.parametrize("page", [p for p in pages() if any(s.language == "pycon" for s in samples(p))], ids=str)
def test_python_answers_as_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of a page, run from top to bottom, answers as shown."""
    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    asked = [s for s in samples(page) if s.language == "pycon" and (HAS_COMPILER or s.mark("needs") != "compiler")]
    text = "\n".join(s.text for s in asked)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    results = doctest.DocTestRunner(optionflags=ELLIPSIS).run(test)
    assert results.attempted
    assert not results.failed


def test_shell_lines_name_what_exists() -> None:
    """What a page asks to be typed into a shell exists: goals of the Makefile, commands."""
    from cli.main import COMMANDS

    goals = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for sample in all_samples("sh"):
        for line in sample.text.splitlines():
            words = line.partition("#")[0].split()
            if words[:1] == [".venv/bin/cardgame"]:
                assert words[1] in COMMANDS, f"{sample}: {line}"
            if words[:1] == ["make"]:
                assert set(words[1:]) <= goals, f"{sample}: {line}"
