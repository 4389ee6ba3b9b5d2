"""Each query of the editor, as a function over a small file with a marker."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from grammar.diagnostics import edited
from interpreter.editor import changes, completion, description, navigation, outline
from interpreter.editor.navigation import RenameError
from tests.editor.marked import GAME, Marked, at, marked

VARIANT = """\
cardgame 1
extends "small.cardgame"
replace define best(p: player) = count(hand[p])
remove option hands
replace zones
    hand[player]: cards, seen by owner
"""
SCENARIOS = """\
scenarios 1 of "small.cardgame"

setup "a hand"
    given hand[player 1] holds "Cone"

scenario "discard" [R2]
    setup "a hand"
    start go(player 1)
    player 1 does discard "Cone"
    expect trick holds "Cone"
"""


def text_of(found: Marked, place: navigation.Location) -> str:
    source = found.workspace.source(place.path)
    return f"{Path(place.path).name}:{source.position(place.start)[0]} {source.text[place.start : place.end]}"


@pytest.mark.parametrize(
    ("before", "after", "declared"),
    [
        ("move c to tr", "ick", "15 trick"),
        ("let big = be", "st(p)", "19 best"),
        ("    score[p] += b", "ig", "21 big"),
        ("rank: Ra", "nk)", "6 Rank"),
        ("1 of each Ves", "sel", "9 Vessel"),
        ("if hands == op", "en then", "4 open"),
        ("c.rank.po", "ints", "6 points"),
        ("from leader: g", "o(p)", "20 go"),
        ("deck in st", "ock", "13 stock"),
        ("written \"{su", "it}", "9 suit"),
    ],
)  # fmt: skip
def test_a_name_leads_to_its_declaration(before: str, after: str, declared: str) -> None:
    found = at(before, after)
    assert [text_of(found, p) for p in navigation.definition(found.workspace, found.snapshot, found.offset)] == [
        f"small.cardgame:{declared}"
    ]


def test_a_variant_leads_to_its_base(tmp_path: Path) -> None:
    options = {"folder": tmp_path, "name": "other.cardgame", "small_cardgame": GAME}
    for before, after, line in [
        ("define be", "st(", "small.cardgame:19 best"),
        ("option han", "ds", "small.cardgame:4 hands"),
        ('"small.car', 'dgame"', "small.cardgame:1 "),
    ]:
        found = at(before, after, VARIANT, **options)
        places = navigation.definition(found.workspace, found.snapshot, found.offset)
        assert [text_of(found, place) for place in places] == [line]


def test_the_words_of_an_edit_lead_to_the_line_that_it_changes(tmp_path: Path) -> None:
    variant = 'cardgame 1\nextends "small.cardgame"\nin go: replace score[p] += big with score[p] += 1\n'
    options = {"folder": tmp_path, "name": "other.cardgame", "small_cardgame": GAME}
    line = next(n for n, text in enumerate(GAME.splitlines(), 1) if "score[p] += big" in text)
    found = at("replace score[p] +", "= big", variant, **options)
    places = navigation.definition(found.workspace, found.snapshot, found.offset)
    assert [text_of(found, place) for place in places] == [f"small.cardgame:{line} score[p] += big"]


def test_references_and_rename_reach_variants_and_scenarios(tmp_path: Path) -> None:
    found = at("    hand", "[player]", folder=tmp_path, other_cardgame=VARIANT, small_scenarios=SCENARIOS)
    files = [Path(p.path).name for p in navigation.references(found.workspace, found.snapshot, found.offset)]
    assert {name: files.count(name) for name in files} == {
        "other.cardgame": 2, "small.cardgame": 4, "small.scenarios": 1,
    }  # fmt: skip
    edits = navigation.rename(found.workspace, found.snapshot, found.offset, "grip")
    assert sum(map(len, edits.values())) == len(files)
    renamed = edited(GAME, edits[found.snapshot.path])
    assert "hand[" not in renamed
    assert "hands ==" in renamed


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("card", "reserved word"),
        ("stock", "taken"),
        ("count", "already means"),
        ("2x", "is no name"),
        ("big", "is already declared here"),
    ],
)
def test_a_rename_is_refused_with_its_reason(name: str, reason: str) -> None:
    found = at("    tri", "ck: row")
    if name == "big":
        found = at("phase go(", "p: player)")
    with pytest.raises(RenameError, match=reason):
        navigation.rename(found.workspace, found.snapshot, found.offset, name)


def test_a_rename_of_a_game_of_the_program_is_refused() -> None:
    found = at("", "shuffle", 'cardgame 1\nextends "classics/hearts.cardgame"\nreplace play\n    shuffle stock\n')
    index = found.snapshot.index
    base = next(path for path in found.snapshot.paths.values() if path.endswith("hearts.cardgame"))
    other = found.workspace.check(base)
    zone = next(o for o in other.index.occurrences if o.declares and o.span.text == "hand")
    assert index.info is not None
    with pytest.raises(RenameError, match="comes with the program"):
        navigation.rename(found.workspace, other, zone.span.start, "grip")


@pytest.mark.parametrize(
    ("before", "after", "code", "words"),
    [
        ("to ha", "nd[p]", "hand[player]: cards", "2 places"),
        ("define be", "st(", "define best(p: player) -> 0..5", "Definition: 0..5."),
        ("    score[p] += b", "ig", "big: 0..5", "Local name"),
        ("hands == o", "pen", "option hands", "Choice of the option hands, number 1 of 2."),
        ("    tw", "o 5", "two 5", "Value of Rank, number 2 of 2: points 5."),
        ("move c to tr", "ick", "trick: row", "everybody sees it"),
        ("fo", "r p in players: deal", "", "Rulebook: "),
    ],
)
def test_hover_shows_type_bounds_and_viewers(before: str, after: str, code: str, words: str) -> None:
    found = at(before, after)
    shown = description.hover(found.snapshot, found.offset, found.snapshot.book)
    assert shown is not None
    assert shown.code.startswith(code)
    assert words in " ".join(shown.text)


def test_hover_quotes_the_rulebook() -> None:
    found = at("mo", "ve c to trick")
    shown = description.hover(found.snapshot, found.offset, found.snapshot.book)
    assert shown is not None
    assert any(line.startswith("Rulebook: ") for line in shown.text)


@pytest.mark.parametrize(
    ("line", "instead", "offered", "missing"),
    [
        ("    let big = best(p)", "    let big = |>", "p best hand chalice count if highest", "move Vessel go"),
        ("    let big = best(p)", "    let big = max(c.|> for c in hand[p])", "suit rank", "points hand"),
        ("    score[p] += big  [R2]", "    |>", "move go big let leader for", "c zones"),
        ("    trick: row, seen by all", "    trick: |>", "pile cards", "hand if"),
        ("    trick: row, seen by all", "    trick[player]: row, seen by |>", "owner nobody all", "hand"),
        ("    score[player]: 0..100", "    score[player]: |>", "Suit boolean player Vessel", "hand move"),
        ("            move c to trick", "            move c to trick face |>", "up down", "hand"),
        ("phase go(p: player)", "phase go(p: player) at most 4 |>", "deep", "hand move"),
        ("            move c to trick", "            if c is |>", "Vessel not empty", "hand go"),
        ("    score p = score[p]", "    |>", "score winners", "hand"),
        ("play", "|>", "zones phase define", "move hand"),
        ("    shuffle stock", "    g|>", "go", "zones"),
    ],
)
def test_completion_offers_what_fits(line: str, instead: str, offered: str, missing: str) -> None:
    found = marked(GAME.replace(line + "\n", instead + "\n", 1))
    names = [one.text for one in completion.completions(found.snapshot, found.offset)[1]]
    assert [name for name in offered.split() if name not in names] == []
    assert [name for name in missing.split() if name in names] == []


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("in |>", "go best hands Vessel play"),
        ("in go, action |>", "discard"),
        ("in go: |>", "replace add before after remove"),
    ],
)
def test_completion_leads_to_places_of_the_base(line: str, offered: str, tmp_path: Path) -> None:
    text = f'cardgame 1\nextends "small.cardgame"\n{line}\n'
    found = marked(text, tmp_path, "other.cardgame", small_cardgame=GAME)
    names = [one.text for one in completion.completions(found.snapshot, found.offset)[1]]
    assert [name for name in offered.split() if name not in names] == []


def test_nothing_is_completed_in_comments_and_texts_but_files_are(tmp_path: Path) -> None:
    assert completion.completions(marked(GAME + "# mo|>").snapshot, len(GAME) + 4)[1] == []
    found = marked('cardgame 1\nuse "|>"\n', tmp_path, "x.cardgame", mine_cardgame=GAME)
    names = [one.text for one in completion.completions(found.snapshot, found.offset)[1]]
    assert "mine.cardgame" in names
    assert "lib/french52.cardgame" in names


def test_the_outline_has_sections_and_what_is_in_them() -> None:
    found = marked(GAME).snapshot
    listed = {(s.sort, s.name): [c.name for c in s.children] for s in outline.symbols(found)}
    assert listed["enum", "Suit"] == ["chalice", "wand"]
    assert listed["phase", "go"] == ["discard"]
    assert listed["zone", "trick"] == []
    assert all(s.span.source.text[s.name_span.start : s.name_span.end] for s in outline.symbols(found))


def test_blocks_and_comments_fold() -> None:
    folds = outline.foldings(marked("# one\n# two\n\n" + GAME).snapshot.source)
    assert (1, 2) in folds
    assert [end - start for start, end in folds if GAME.splitlines()[start - 4].startswith("phase go")] == [5]


def test_selections_grow_from_the_word_to_the_file() -> None:
    found = at("max(c.ra", "nk.points")
    texts = [span.text for span in outline.selections(found.snapshot, found.offset)]
    assert texts[:3] == ["rank", "c.rank", "c.rank.points"]
    assert texts[-1] == GAME


def test_semantic_tokens_do_not_overlap_and_know_their_sorts() -> None:
    found = outline.tokens(marked(GAME).snapshot)
    assert all(one[0].end <= other[0].start for one, other in pairwise(found))
    sorts = {span.text: sort for span, sort, _ in found}
    assert (sorts["hand"], sorts["best"], sorts["discard"], sorts["R2"]) == ("zone", "define", "action", "tag")


def test_hints_show_inferred_types_and_sizes_of_actions() -> None:
    found = marked(GAME)
    shown = {hint.text for hint in outline.hints(found.workspace.check_settings(found.snapshot.path))}
    assert {": 0..5", " -> 0..5", " actions: 4"} <= shown


def test_lenses_count_uses_and_start_scenarios(tmp_path: Path) -> None:
    found = marked(GAME, tmp_path, small_scenarios=SCENARIOS)
    titles = [lens.title for lens in outline.lenses(found.workspace, found.snapshot)]
    assert titles[:3] == ["Play", "Rulebook", "Run scenarios"]
    assert "1 use" in titles
    scenarios = found.workspace.check(str(tmp_path / "small.scenarios"))
    lenses = list(outline.lenses(found.workspace, scenarios))
    assert [(lens.title, lens.argument) for lens in lenses] == [("Run 1 scenario", ""), ("Run scenario", "discard")]


def test_scenarios_are_checked_without_running_them(tmp_path: Path) -> None:
    broken = SCENARIOS.replace("does discard", "does dscard").replace("expect trick", "expect trik")
    broken = broken.replace("start go", "start ho")
    found = marked(broken, tmp_path, "small.scenarios", small_cardgame=GAME)
    assert {(d.code, d.span.line) for d in found.snapshot.default or ()} == {("CG226", 8), ("CG228", 9), ("CG201", 10)}


def test_fixes_come_one_by_one_and_all_of_a_code() -> None:
    text = GAME.replace("to trick", "to trik").replace("shuffle stock", "shuffle stok")
    found = marked(text).snapshot
    start = text.index("trik")
    offered = list(changes.actions(found, start, start))
    assert [action.title for action in offered] == ["did you mean `trick`?", "Fix all 2 of CG201 in this file"]
    assert edited(text, offered[0].edits) == text.replace("trik", "trick")
    assert edited(text, offered[1].edits) == GAME
    assert edited(text, changes.all_fixes(found)) == GAME
    line = text.rindex("\n", 0, start) + 1
    assert [*changes.actions(found, line, line)] == offered
    assert not [*changes.actions(found, 0, 0)]


def test_formatting_changes_lines_that_need_it_alone() -> None:
    found = marked(GAME.replace("move c to trick", "move   c to trick").replace("play\n", "play \n")).snapshot
    edits = changes.formatting(found)
    assert edited(found.source.text, edits) == edited(GAME, changes.formatting(marked(GAME).snapshot))
    assert changes.formatting(marked(GAME + "phase\n").snapshot) == []
