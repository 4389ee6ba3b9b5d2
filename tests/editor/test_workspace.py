"""Snapshots of whole files: the same diagnostics as `validate`, the same state after any edits, never an exception."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import attrs
import pytest

from grammar.diagnostics import Diagnostic
from grammar.parser import prepared
from grammar.tables import lex, parser
from interpreter.analysis.budget import SupersededError
from interpreter.analysis.files import bundled_folder
from interpreter.analysis.functions import CALLABLE
from interpreter.editor import changes, completion, description, navigation, outline
from interpreter.editor.description import BUILTIN_WORDS
from interpreter.editor.workspace import Snapshot, Workspace
from interpreter.loader import bundled_games, bundled_variants, find_spec
from interpreter.validate import validate
from tests.editor.marked import GAME, marked
from tests.mistakes.corpus import BASES, Entry, entries
from tests.mutants import specs

WORDS_IN_SLOTS = {
    *BUILTIN_WORDS, *CALLABLE, "_", "up", "down", "score", "winners", "stakes", "returns", "cooperative", "source",
    "decisions", "setup", "times", "said", "action", "face", "deep",
}  # fmt: skip
"""Names with a meaning of the language in their place."""

QUICK = ["classics/kuhn_poker", "variants/duel_half"]
MISTAKES = [entry for entry in entries() if entry.file.endswith(".cardgame")]


def listed(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str, int, int, str]]:
    return sorted((d.code, Path(d.span.source.name).name, d.span.start, d.span.end, d.message) for d in diagnostics)


def specs_of(selection: str) -> list[str]:
    return QUICK if selection == "quick" else [*bundled_games(), *bundled_variants()]


@pytest.mark.parametrize("selection", ["quick", pytest.param("all", marks=pytest.mark.soak)])
def test_the_last_tier_says_what_validate_says_of_bundled_specs(selection: str) -> None:
    workspace = Workspace([bundled_folder()])
    for name in specs_of(selection):
        path = find_spec(name)
        found = workspace.check_settings(str(path))
        assert listed(found.diagnostics()) == listed(validate(path).diagnostics), name


def assert_same_as_validate(entry: Entry, folder: Path) -> None:
    for path in BASES.glob("*.cardgame"):
        (folder / path.name).write_text(path.read_text())
    path = folder / entry.file
    path.write_text(entry.text)
    workspace = Workspace([folder])
    workspace.open(str(path), entry.text)
    found = workspace.check_settings(str(path))
    assert found.validation is not None
    assert listed(found.validation.diagnostics) == listed(validate(path).diagnostics), entry.name


def test_the_last_tier_says_what_validate_says_of_mistakes(tmp_path: Path) -> None:
    for entry in Random(7).sample(MISTAKES, 5):
        assert_same_as_validate(entry, tmp_path)


@pytest.mark.soak
def test_the_last_tier_says_what_validate_says_of_all_mistakes(tmp_path: Path) -> None:
    for entry in MISTAKES:
        assert_same_as_validate(entry, tmp_path)


def unresolved(snapshot: Snapshot) -> tuple[Counter[str], int]:
    known = {occurrence.span.start for occurrence in snapshot.index.of_source(snapshot.source)}
    language = "scenario" if snapshot.is_scenarios else "cardgame"
    names = [token for token in lex(parser(language), prepared(snapshot.source)) if token.type == "NAME"]
    missing = [str(t) for t in names if t.start_pos not in known and str(t) not in WORDS_IN_SLOTS]
    return Counter(missing), len(names)


@pytest.mark.parametrize("selection", ["quick", pytest.param("all", marks=pytest.mark.soak)])
def test_nearly_all_names_of_the_bundled_files_resolve(selection: str) -> None:
    workspace = Workspace([bundled_folder()])
    missing: Counter[str] = Counter()
    count = 0
    for name in specs_of(selection):
        path = find_spec(name)
        for file in (path, path.with_suffix(".scenarios")):
            if file.is_file():
                found, names = unresolved(workspace.check(str(file)))
                missing += found
                count += names
    assert missing.total() <= 0.01 * count, missing.most_common(20)


def edit(rng: Random, text: str) -> str:
    """Return a text with a random change as an editor makes them: characters, words or lines in, out or moved."""
    start = rng.randrange(len(text))
    end = min(len(text), start + rng.choice([0, 0, 1, 1, 4, 20]))
    inserted = rng.choice(["", "", "\n", " ", "x", "    ", ":", "(", '"', "if ", "hand", "\U0001f0a1", "# "])
    if rng.random() < 0.1:
        lines = text.split("\n")
        lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
        return "\n".join(lines)
    return text[:start] + inserted + text[end:]


def assert_same_state(one: Snapshot, other: Snapshot) -> None:
    assert listed(one.diagnostics()) == listed(other.diagnostics())
    places = [[(o.span.start, o.span.end, o.declares) for o in s.index.of_source(s.source)] for s in (one, other)]
    assert places[0] == places[1]
    assert [(s.name, s.span.start) for s in outline.symbols(one)] == [
        (s.name, s.span.start) for s in outline.symbols(other)
    ]


@pytest.mark.parametrize("count", [30, pytest.param(500, marks=pytest.mark.soak)])
def test_after_random_edits_the_state_is_that_of_a_fresh_analysis(count: int, tmp_path: Path) -> None:
    variant = 'cardgame 1\nextends "small.cardgame"\nreplace define best(p: player) = count(hand[p])\n'
    rng = Random(3)
    texts = {str(tmp_path / "small.cardgame"): GAME, str(tmp_path / "other.cardgame"): variant}
    workspace = Workspace([tmp_path])
    for path, text in texts.items():
        Path(path).write_text(text)
        workspace.open(path, text)
    for number in range(count):
        path = rng.choice(list(texts))
        texts[path] = edit(rng, texts[path]) if rng.random() < 0.8 else (GAME if "small" in path else variant)
        workspace.open(path, texts[path])
        workspace.check(path)
        if number % 10 == 9:
            fresh = Workspace([tmp_path])
            for other, text in texts.items():
                fresh.open(other, text)
            for other in texts:
                assert_same_state(workspace.check(other), fresh.check(other))


def query_everything(workspace: Workspace, snapshot: Snapshot, offset: int) -> None:
    """Run every query at an offset."""
    description.hover(snapshot, offset)
    completion.completions(snapshot, offset)
    navigation.definition(workspace, snapshot, offset)
    navigation.highlights(snapshot, offset)
    outline.selections(snapshot, offset)
    list(changes.actions(snapshot, offset, offset))


def test_any_text_gives_diagnostics_and_answers_never_an_exception(tmp_path: Path) -> None:
    rng = Random(11)
    workspace = Workspace()
    path = str(tmp_path / "mutant.cardgame")
    for number in range(10):
        text = specs.mutant(5, number)[1]
        workspace.open(path, text)
        found = workspace.check(path)
        assert not [d for d in found.diagnostics() if d.code == "CG901"], (number, found.diagnostics())
        assert all(d.span.source is found.source for d in found.diagnostics())
        for _ in range(6):
            query_everything(workspace, found, rng.randint(0, len(text)))
        outline.symbols(found)
        outline.foldings(found.source)
        outline.tokens(found)
        list(outline.hints(found))
        list(outline.lenses(workspace, found))
        changes.formatting(found)


def test_unsaved_buffers_count_before_files_and_a_comment_parses_no_base(tmp_path: Path) -> None:
    base = tmp_path / "small.cardgame"
    base.write_text(GAME)
    variant = 'cardgame 1\nextends "small.cardgame"\nreplace define best(p: player) = count(grip[p])\n'
    found = marked(variant, tmp_path, "other.cardgame")
    assert [d.code for d in found.snapshot.default or ()] == ["CG201"]
    found.workspace.open(str(base), GAME.replace("hand[", "grip["))
    assert found.workspace.check(found.snapshot.path).default == ()
    found.workspace.open(found.snapshot.path, variant + "# a note\n")
    trees = dict(found.workspace.trees)
    found.workspace.check(found.snapshot.path)
    assert {Path(path).name for path, tree in found.workspace.trees.items() if trees.get(path) is not tree} == {
        "other.cardgame"
    }


def test_what_is_wrong_with_a_base_is_shown_where_the_variant_brings_it_in(tmp_path: Path) -> None:
    variant = 'cardgame 1\nextends "small.cardgame"\nset hands = open\n'
    found = marked(variant, tmp_path, "other.cardgame", small_cardgame=GAME.replace("to trick", "to trik"))
    shown = [d for d in found.snapshot.diagnostics() if "small.cardgame" in d.message]
    assert [(d.span.line, d.labels[0].span.line) for d in shown] == [(2, 25)]


def test_a_library_has_the_mistakes_that_its_games_find(tmp_path: Path) -> None:
    library = "cardgame 1\ndefine low = 1\ndefine high = lwo\n"
    game = GAME.replace("cardgame 1\n", 'cardgame 1\nuse "names.cardgame"\n') + "invariant: low < high\n"
    found = marked(library, tmp_path, "names.cardgame", small_cardgame=game)
    after = found.workspace.check_settings(found.snapshot.path)
    assert [(d.code, d.span.line) for d in after.diagnostics()] == [("CG233", 3)]


def test_superseded_work_ends_at_once() -> None:
    workspace = Workspace()
    path = str(find_spec("classics/leduc_poker"))
    spendings = 0

    def superseded() -> bool:
        nonlocal spendings
        spendings += 1
        return spendings >= 300

    with pytest.raises(SupersededError):
        workspace.check(path, superseded)
    assert spendings == 300
    assert workspace.check(path).is_checked


@pytest.mark.parametrize("place", ["SettingsChecker.check", "Index.of", "validate_source"])
def test_a_fault_of_ours_becomes_a_diagnostic(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("seeded")

    workspace, snapshot = marked(GAME).workspace, marked(GAME).snapshot
    monkeypatch.setattr(f"interpreter.editor.workspace.{place}", fails)
    workspace.open(snapshot.path, GAME + "# a note")
    found = workspace.check_settings(snapshot.path)
    assert found.default is not None
    assert found.validation is not None
    shown = (*found.default, *found.validation.diagnostics)
    assert [d.code for d in shown if "seeded" in d.message] == ["CG901"]


def test_snapshots_do_not_change() -> None:
    found = marked(GAME).snapshot
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        found.path = "other"  # type: ignore[misc]
