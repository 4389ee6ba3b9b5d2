"""Specs made of several files: `use`, `extends`, and the words that change a base."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import grammar.parser
from grammar.ast import Spec
from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from grammar.source import Source, read_source
from interpreter import load

BASE = complete(
    "option limit: 1..5 = 2\ndefine worth(p: player) = points[p] + limit\ndefine spare = 1\n"
    "result\n    score p = worth(p) + spare\n"
)


PARTS = complete(
    "define worth(c: card) =\n"
    "    match c\n        case Number(clubs, _): 1\n        case Number(hearts, 1), Number(hearts, 2): 2\n"
    "        otherwise: 3\n"
    "phase take_turn(p: player)\n    p chooses\n        pass: score_card(p, top of stock)\n"
    "        otherwise wait: points[p] += 70\n"
    "phase score_card(p: player, c: card or none)\n    points[p] = 1\n"
    "    match c\n        case Number(_, 1): points[p] += 4\n        case Jester: points[p] += 8\n"
    "        otherwise: points[p] += 16\n"
    "deck in stock\n    2 of Jester\n    7 of Number(hearts, 1)\n"
    "play\n    for p in players: take_turn(p)\n"
    "result\n    score p = points[p] + 100 * sum(worth(c) for c in stock)\n"
)


def play_out(path: Path) -> tuple[int, ...]:
    state = load(path).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(Zero())
        else:
            state.apply_action(state.legal_actions()[0])
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores is not None
    return outcome.scores


class Zero:
    def random(self) -> float:
        return 0.0


def write(folder: Path, **files: str) -> Path:
    (folder / "base.cardgame").write_text(BASE)
    for name, text in files.items():
        path = folder / f"{name}.cardgame"
        path.parent.mkdir(exist_ok=True)
        path.write_text("cardgame 1\n" + text)
    return folder / "variant.cardgame"


@pytest.mark.parametrize(
    ("variant", "score"),
    [
        ("", 3),
        ("set limit = 5\n", 6),
        ("replace define worth(q: player) = 40\n", 41),
        ("replace define spare = 9\n", 11),
        ("add define more = 100\nreplace result\n    score p = more\n", 100),
        ("remove define spare\nreplace result\n    score p = worth(p)\n", 2),
        ("replace phase take_turn(p: player)\n    points[p] = 9\n    p chooses\n        pass\n", 12),
        ("state\n    extra: 0..9 = 4\nreplace define spare = extra\n", 6),
        ('game "Other"\n    players 3\n', 3),
        ("replace deck in stock\n    9 of Jester\n", 3),
    ],
)
def test_a_variant_changes_what_it_names(tmp_path: Path, variant: str, score: int) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\n' + variant)
    assert set(play_out(path)) == {score}


@pytest.mark.parametrize(
    ("variant", "score"),
    [
        ("", 2009),
        ("in score_card: replace case Jester: points[p] += 32\n", 2033),
        ("in score_card: remove case Jester\n", 2017),
        ("in score_card\n    remove otherwise\n    replace case Jester: points[p] = 7\n", None),
        ("in score_card\n    remove case Jester\n    replace otherwise: points[p] = 7\n", 2007),
        ("in score_card\n    remove case Jester\n    before case Number(_, 1): case Jester: points[p] = 5\n", 2005),
        ("in worth: replace case Number(hearts, 1), Number(hearts, 2): 0\n", 609),
        ("in worth: add case Jester: 10\n", 3409),
        ("in worth: replace otherwise: 4\n", 2209),
        ("in worth: remove case Number(hearts, 1), Number(hearts, 2)\n", 2709),
        ("in take_turn: replace action pass: score_card(next(p), top of stock)\n", 2009),
        ("in take_turn: add action call only if points[p] > 90\n", 2009),
        ("in take_turn: replace otherwise wait: points[p] = 5\n", 2009),
        ("in take_turn: replace action pass only if points[p] > 9: score_card(p, top of stock)\n", 2070),
        ("in take_turn: remove action wait\n", 2009),
        ("in take_turn: remove otherwise\n", 2009),
        ("in deck stock: replace 1 of Number(hearts, 1)\n", 809),
        ("in deck stock: add 1 of each Number(clubs, _)\n", 2509),
        ("in deck stock: remove Number(hearts, 1)\n", 609),
        ("in deck stock\n    remove Jester\n    replace 2 of Number(hearts, 1)\n", 405),
    ],
)
def test_a_variant_changes_parts_of_sections(tmp_path: Path, variant: str, score: int | None) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\n' + variant)
    (tmp_path / "base.cardgame").write_text(PARTS)
    if score is None:
        with pytest.raises(SpecError):
            load(path)
    else:
        assert set(play_out(path)) == {score}


@pytest.mark.parametrize(
    ("variant", "code", "words"),
    [
        ("in score_card: replace case Jester, Number: nothing\n", "CG221", "in `phase score_card` there is no"),
        ("in worth: replace case Number(hearts, 1): 3\n", "CG221", "`case Number(hearts, 1)`"),
        ("in score_card: add case Jester: points[p] = 1\n", "CG220", "`case Jester` is already in"),
        ("in worth: add otherwise: 9\n", "CG220", "`otherwise` is already in"),
        ("in take_turn: add case Jester: points[p] = 1\n", "CG221", "no match to add it to"),
        ("in nowhere: add case Jester: 1\n", "CG221", "in the base there is no `nowhere`"),
        ("in score_card: add action pass\n", "CG221", "no choice to add it to"),
        ("in take_turn: add otherwise rest\n", "CG220", "`otherwise` is already in"),
        ("in take_turn: remove action call\n", "CG221", "no `action call`"),
        ("in take_turn: remove action pass\n", "CG229", "would be left without any part"),
        ("in zones take_turn: remove action pass\n", "CG101", "is not allowed here"),
        ("in place take_turn: remove action pass\n", "CG123", "`place` is no part of a spec"),
        ("in deck stock: replace 3 of Number(clubs, 1)\n", "CG221", "no `Number(clubs, 1)`"),
        ("in deck stcok: replace 3 of Jester\n", "CG221", "there is no `deck stcok`"),
        ("in deck stock\n    remove Jester\n    remove Number(hearts, 1)\n", "CG229", "without any part"),
        ("in score_card: after [R9]: reopen\n", "CG221", "in `phase score_card` there is no `[R9]`"),
        ("in score_card: replace every 99 with 3\n", "CG221", "there is no `99`"),
    ],
)
def test_a_part_that_is_not_in_one_place_is_wrong(tmp_path: Path, variant: str, code: str, words: str) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\n' + variant)
    (tmp_path / "base.cardgame").write_text(PARTS)
    with pytest.raises(SpecError) as caught:
        load(path)
    assert [d.code for d in caught.value.diagnostics if d.is_error] == [code]
    assert words in caught.value.diagnostics[0].message


def test_variants_chain_and_use_libraries_beside_them(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "more.cardgame").write_text("cardgame 1\ndefine thousand = 1000\n")
    path = write(
        tmp_path,
        middle='extends "base.cardgame"\nuse "lib/more.cardgame"\nreplace define spare = thousand\n',
        variant='extends "middle.cardgame"\nset limit = 3\n',
    )
    assert play_out(path) == (1003, 1003)


@pytest.mark.parametrize(
    ("variant", "code", "words"),
    [
        ("set limti = 3\n", "CG221", "there is no option `limti` to set"),
        ("replace define wrth(p: player) = 3\n", "CG221", "there is no `define wrth` to replace"),
        ("remove phase nowhere\n", "CG221", "there is no phase `nowhere` to remove"),
        ("add define spare = 3\n", "CG220", "`define spare` is already there"),
        ("define spare = 3\n", "CG220", "`define spare` is already there"),
        ("replace define worth(n: 0..3) = n\n", "CG222", "takes other arguments"),
        ("set limit = 9\n", "CG327", "no value of the option"),
        ('extends "base.cardgame"\n', "CG216", "extends one other"),
        ('use "missing.cardgame"\n', "CG218", "there is no spec `missing.cardgame`"),
        ('use "../../../../etc/passwd"\n', "CG218", "there is no spec"),
        ('replace invariant "none": 1 == 1\n', "CG221", "to replace"),
        ("remove define spare\n", "CG230", "`spare` is removed by this line, and base.cardgame still uses it"),
    ],
)
def test_a_variant_that_changes_nothing_is_wrong(tmp_path: Path, variant: str, code: str, words: str) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\n' + variant)
    with pytest.raises(SpecError) as caught:
        load(path)
    assert [d.code for d in caught.value.diagnostics if d.is_error] == [code]
    assert words in caught.value.diagnostics[0].message


def test_files_in_a_circle_are_found(tmp_path: Path) -> None:
    path = write(tmp_path, variant='extends "second.cardgame"\n', second='extends "variant.cardgame"\n')
    with pytest.raises(SpecError) as caught:
        load(path)
    assert {d.code for d in caught.value.diagnostics} == {"CG219"}
    alone = write(tmp_path, variant='use "variant.cardgame"\n')
    with pytest.raises(SpecError) as caught:
        load(alone)
    assert {d.code for d in caught.value.diagnostics} == {"CG219"}


def test_mistakes_of_another_file_are_reported_in_that_file(tmp_path: Path) -> None:
    path = write(tmp_path, variant='extends "middle.cardgame"\n', middle='extends "base.cardgame"\nset limti = 3\n')
    with pytest.raises(SpecError) as caught:
        load(path)
    assert Path(caught.value.diagnostics[0].span.source.name).name == "middle.cardgame"


def test_a_base_that_comes_in_twice_is_brought_in_once(tmp_path: Path) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\nuse "base.cardgame"\n')
    assert play_out(path) == (3, 3)


def test_a_file_that_several_others_bring_in_is_brought_in_once(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        one='use "common.cardgame"\ndefine one = 1 + common\n',
        two='use "common.cardgame"\ndefine others = 2 + common\n',
        common="define common = 10\n",
        variant='extends "base.cardgame"\nuse "one.cardgame"\nuse "two.cardgame"\nuse "two.cardgame"\n'
        "replace define spare = one + others\n",
    )
    assert play_out(path) == (2 + 23, 2 + 23)


def test_files_that_bring_in_one_another_again_and_again_are_parsed_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    parse = grammar.parser.parse

    def noted(source: Source) -> Spec:
        parsed.append(source.name)
        return parse(source)

    monkeypatch.setattr(grammar.parser, "parse", noted)
    doubling = {f"f{i}": f'use "f{i + 1}.cardgame"\n' * 4 + f"define d{i} = {i}\n" for i in range(14)}
    path = write(tmp_path, **doubling, f14="define d14 = 14\n", variant='extends "base.cardgame"\nuse "f0.cardgame"\n')
    load(path)
    assert len(parsed) == len(set(parsed)) == 17


@pytest.mark.parametrize(
    ("count", "size", "words"), [(70, 1, "it may bring in 64"), (9, 60_000, "500,000 characters together")]
)
def test_a_spec_brings_in_so_many_files_and_so_much_text(tmp_path: Path, count: int, size: int, words: str) -> None:
    files = {f"f{i}": f"define d{i} = {i}\n#{'x' * size}\n" for i in range(count)}
    path = write(
        tmp_path, **files, variant='extends "base.cardgame"\n' + "".join(f'use "{f}.cardgame"\n' for f in files)
    )
    with pytest.raises(SpecError) as caught:
        load(path)
    assert {d.code for d in caught.value.diagnostics} == {"CG405"}
    assert any(words in d.message for d in caught.value.diagnostics)


@pytest.mark.parametrize("kind", ["circle", "folder", "device", "pipe"])
def test_what_is_no_plain_file_is_not_brought_in(tmp_path: Path, kind: str) -> None:
    other = tmp_path / "other.cardgame"
    match kind:
        case "circle":
            other.symlink_to(other)
        case "folder":
            other.mkdir()
        case "device":
            other.symlink_to("/dev/zero")
        case _:
            os.mkfifo(other)
    path = write(tmp_path, variant='use "other.cardgame"\n')
    with pytest.raises(SpecError) as caught:
        load(path)
    assert [d.code for d in caught.value.diagnostics] == ["CG218"]
    with pytest.raises(OSError, match=r"circle|levels of symbolic links|plain file|folder"):
        read_source(other)


LINES = complete(
    "zones\n    stock: pile, seen by nobody\n    left, right: cards at most 3, seen by nobody\n"
    "    hand[player]: cards, seen by owner\n    table: row, seen by all\nzones\n    aside: pile, seen by nobody\n"
    "state\n    points[player]: 0..100 = 0\n    trump: Suit or none = none\n    low, high: 0..9 = 4\n"
    "result\n    score p = points[p] + low + 10 * high + 100 * count(left) + 1000 * count(right)\n"
    "play\n    deal 3 from stock to right\n    for p in players: take_turn(p)\n"
    "phase take_turn(p: player)\n    p chooses\n        pass\n"
    "        play card c from hand[p]\n            move c to table\n"
)


@pytest.mark.parametrize(
    ("variant", "score"),
    [
        ("replace state\n    high: 0..9 = 7\n", 3074),
        ("replace state\n    low: 1..9\n    high: 2..9\n", 3021),
        ("replace state\n    low, high: 0..9 = 9\n", 3099),
        ("replace zones\n    right: cards, seen by all\n", 3044),
        ("replace zones\n    aside: pile, seen by all\nreplace zones\n    right: cards at most 9, seen by all\n", 3044),
        ("add zones\n    more: cards, seen by all\nreplace zones\n    right: cards, seen by all\n", 3044),
        (
            (
                "add state\n    more: 0..9 = 3\nreplace result\n    score p = more + low\n"
                "replace play\n    take_turn(player 1)\n"
            ),
            7,
        ),
        ("remove zone aside\nreplace zones\n    right: pile, seen by all\n", 3044),
        ("remove state high\nreplace result\n    score p = low\nreplace play\n    take_turn(player 1)\n", 4),
        (
            (
                "remove zone left\nremove state trump\nreplace zones\n    right: cards, seen by all\n"
                "replace result\n    score p = count(right)\n"
            ),
            3,
        ),
    ],
)
def test_single_zones_and_variables_are_replaced_and_removed_by_name(tmp_path: Path, variant: str, score: int) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\n' + variant)
    (tmp_path / "base.cardgame").write_text(LINES)
    assert set(play_out(path)) == {score}


@pytest.mark.parametrize(
    ("variant", "words", "help_"),
    [
        (
            "replace zones\n    rigth: pile, seen by all\n",
            "there is no zone `rigth` to replace",
            "did you mean `right`?",
        ),
        ("replace state\n    hihg: 0..9\n", "there is no variable `hihg` to replace", "did you mean `high`?"),
        ("replace state\n    left: 0..9\n", "there is no variable `left` to replace", "comes by `add state`"),
        ("remove zone asied\n", "there is no zone `asied` to remove", "did you mean `aside`?"),
        ("remove state lwo\n", "there is no variable `lwo` to remove", "did you mean `low`?"),
        ("remove phase take_trun\n", "there is no phase `take_trun` to remove", "did you mean `take_turn`?"),
        ("remove zon aside\n", "`zon` is nothing that can be removed by its name", "did you mean `zone`?"),
        ("set limti = 3\n", "there is no option `limti` to set", "did you mean `limit`?"),
        (
            "replace phase take_trun(p: player)\n    p chooses\n        pass\n",
            "to replace",
            "did you mean `take_turn`?",
        ),
        ("in take_turn: remove action plya\n", "there is no `action plya`", "did you mean `action play`?"),
        ("in take_trun: remove action play\n", "there is no `take_trun`", "did you mean `take_turn`?"),
        ("in deck stock: remove Jestre\n", "there is no `Jestre`", "did you mean `Jester`?"),
        ("in deck stokc: replace 3 of Jester\n", "there is no `deck stokc`", "did you mean `stock`?"),
    ],
)
def test_a_wrong_letter_in_a_variant_is_reported_with_a_suggestion(
    tmp_path: Path, variant: str, words: str, help_: str
) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\n' + variant)
    (tmp_path / "base.cardgame").write_text(LINES + "\noption limit: 1..5 = 2\n")
    with pytest.raises(SpecError) as caught:
        load(path)
    (found,) = (d for d in caught.value.diagnostics if d.is_error)
    assert words in found.message
    assert help_ in found.help
    assert found.span.source.name == str(path)


@pytest.mark.parametrize("gone", ["zone right", "state high", "phase take_turn", "enum Suit", "card Jester"])
def test_a_removed_item_that_is_still_used_is_reported_at_the_line_that_removes_it(tmp_path: Path, gone: str) -> None:
    path = write(tmp_path, variant=f'extends "base.cardgame"\n\nremove {gone}\n')
    (tmp_path / "base.cardgame").write_text(LINES)
    with pytest.raises(SpecError) as caught:
        load(path)
    found = [d for d in caught.value.diagnostics if d.code == "CG230" and f"`{gone.split()[1]}`" in d.message]
    assert [(d.span.source.name, d.span.line) for d in found] == [(str(path), 4)]
    assert {label.span.source.name for label in found[0].labels} == {str(tmp_path / "base.cardgame")}
    assert "base.cardgame still uses it" in found[0].message


def test_bundled_libraries_and_games_are_found_by_name_from_any_folder(tmp_path: Path) -> None:
    own = tmp_path / "own.cardgame"
    own.write_text(
        'cardgame 1\nuse "lib/french52.cardgame"\ngame "Own"\n    players 2\n'
        "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
        "deck in stock\n    1 of each Plain\n"
        "play\n    shuffle stock\n    deal 2 from stock to hand[players]\n    player 1 chooses\n        pass\n"
        "result\n    score p = count(hand[p])\n"
    )
    assert load(own).num_cards == 52
    for name in ("classics/hearts.cardgame", "classics/hearts"):
        variant = tmp_path / "mine.cardgame"
        variant.write_text(f'cardgame 1\nextends "{name}"\nset limit = 1\n')
        assert load(variant).option_texts()["limit"] == "1"


def test_a_file_beside_comes_before_a_bundled_one_of_the_same_name(tmp_path: Path) -> None:
    variant = tmp_path / "mine.cardgame"
    variant.write_text('cardgame 1\nextends "arcanity.cardgame"\n')
    assert load(variant).title == "Arcanity"
    (tmp_path / "arcanity.cardgame").write_text(BASE)
    assert load(variant).title == "Example"


@pytest.mark.parametrize(
    ("line", "help_"),
    [
        ('use "lib/frensh52.cardgame"', "did you mean `lib/french52.cardgame`?"),
        ('use "nothing/like_it.cardgame"', "and among the bundled specs"),
        ('extends "../../../../../etc/passwd"', "it was looked for in"),
    ],
)
def test_a_missing_file_is_reported_with_the_searched_folders(tmp_path: Path, line: str, help_: str) -> None:
    path = write(tmp_path, variant=line + "\n")
    with pytest.raises(SpecError) as caught:
        load(path)
    (found,) = (d for d in caught.value.diagnostics if d.code == "CG218")
    assert help_ in found.help


def test_a_mistake_names_files_as_their_user_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    write(folder, variant='extends "../other/base.cardgame"\n')
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "base.cardgame").write_text(BASE.replace("score p = worth(p)", "score p = wroth(p)"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecError) as caught:
        load("games/variant.cardgame")
    (found,) = (d for d in caught.value.diagnostics if d.code == "CG201")
    assert found.span.source.name == str(Path("other/base.cardgame"))


def test_a_refusal_in_a_variant_names_the_file_of_its_rule(tmp_path: Path) -> None:
    path = write(tmp_path, variant='extends "base.cardgame"\n')
    rule = (
        "phase take_turn(p: player)\n    p chooses\n        play card c from hand[p] where c is Jester\n        pass\n"
    )
    deal = "play\n    deal 3 from stock to hand[player 1]\n    take_turn(player 1)\n"
    base = tmp_path / "base.cardgame"
    base.write_text(complete(rule + deal))
    refusal = load(path).new_initial_state().explain("play C1")
    assert refusal.span is not None
    assert refusal.span.source.name == str(base)
    assert f"(line {refusal.span.line} of base.cardgame: " in str(refusal)


def test_unmet_needs_of_a_library_are_reported_at_the_line_that_uses_it(tmp_path: Path) -> None:
    library = "define held(p: player) = count(hand[p] + take_trun)\n"
    path = write(tmp_path, variant='use "needs.cardgame"\n' + complete("")[11:], needs=library)
    with pytest.raises(SpecError) as caught:
        load(path)
    (found,) = caught.value.diagnostics
    assert (found.code, found.span.source.name, found.span.line) == ("CG233", str(path), 2)
    assert found.message == "this library needs `take_trun`, which the game does not have"
    assert "did you mean" not in found.help  # A phase of like name is no zone.
    assert [label.span.source.name for label in found.labels] == [str(tmp_path / "needs.cardgame")]


NAMELESS = (
    "whenever p in players where points[p] == 7\n    points[p] = 70\n"
    "invariant: count(stock) >= 0 + 0 * count(table)\n"
    'invariant "named": count(stock) >= 0 - count(table)\n'
)


def test_what_has_no_name_is_added_to_what_the_base_has(tmp_path: Path) -> None:
    (tmp_path / "other.cardgame").write_text("cardgame 1\n" + complete(NAMELESS).removeprefix("cardgame 1\n"))
    path = write(tmp_path, variant='extends "other.cardgame"\n' + NAMELESS.replace("7", "8").replace("named", "other"))
    rules = load(path).rules
    assert len(rules.invariants) == 4
    assert sum("whenever" in phase.name for phase in rules.phases) == 2


@pytest.mark.parametrize("section", [line for line in NAMELESS.splitlines() if not line.startswith(" ")])
def test_what_has_no_name_cannot_be_replaced(tmp_path: Path, section: str) -> None:
    body = "\n    points[p] = 70" if section.startswith("whenever") else ""
    with pytest.raises(SpecError) as raised:
        load(write(tmp_path, variant=f'extends "base.cardgame"\nreplace {section}{body}\n'))
    (found,) = raised.value.diagnostics
    assert found.code == "CG221"
    assert ("no name" in found.help) == ("named" not in section)


COVERED = """cardgame 1

extends "chalice_and_wand"

replace phase answer_rite(s: Side)
    if hand[partner, s] is empty: move rite to hand[leader, s]
    else
        partner chooses "{you} answer the rite"
            forfeit card c from hand[partner, s]
                move c to rite
                move rite to discard
"""


def test_a_variant_that_covers_what_its_base_has_turned_up_is_at_fault_with_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "variant.cardgame"
    path.write_text(COVERED, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load(path)
    error = next(d for d in caught.value.diagnostics if d.is_error)
    assert (error.code, error.span.text) == ("CG407", "move rite to hand[leader, s]")
    assert {d.span.source.name for d in caught.value.diagnostics} == {str(path)}
    assert "face up" in error.help
    path.write_text(COVERED.replace("hand[leader, s]\n", "hand[leader, s] face up\n"), encoding="utf-8")
    load(path)
