"""Whoever obeys a help ends with a spec that compiles: the help of every registered code, on its bad example.

A cure that is an edit is carried out.  Where only the author can know what to write, the good example is what obeying
gives: what it has and the bad one has not is what the help says, by the words it quotes or by `OBEYED`.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

from grammar.codes import REGISTRY, Code
from grammar.codes.sample import complete
from grammar.diagnostics import Diagnostic, Severity, edited
from tests.analysis.test_codes import diagnose
from tests.grammar.examples import mistakes

CHECKED = [code for code in REGISTRY.values() if "CG100" < code.code < "CG500" and code.bad]

OBEYED = {
    "CG111": (r"to$", r"to discard$"),
    "CG115": (r"\({101}", r"\({50}1"),
    "CG116": (r"\d{10,}", r"\b\d{9}\b"),
    "CG117": (r"over and over", r"a remark"),
    "CG118": ("\0", ""),
    "CG120": (r"\(first c in trick\)\.suit =", r"trump ="),
    "CG202": (r"define trump", r"define lowest_suit"),
    "CG204": (r"green, hearts", r"green, red"),
    "CG209": (r"total\(", r"sum\("),
    "CG210": (r"where each\.", r"where c\."),
    "CG213": (r"\{player \+\}", r"\{player 1\}"),
    "CG214": (r"result", ""),
    "CG216": (r'extends "other', ""),
    "CG217": ("", r'extends "'),
    "CG242": (r"Play 2 cards", r"Play one card"),
    "CG218": (r"bass\.cardgame", r"base\.cardgame"),
    "CG219": (r"extends \"example", r"extends \"base"),
    "CG222": (r"p: player, n: 0\.\.5", r"\(q: player\)"),
    "CG230": ("", r"replace result"),
    "CG306": ("", r"case hearts"),
    "CG309": (r'"hearts"', r"== hearts"),
    "CG310": (r"0\.\.9 =", r"0\.\.10"),
    "CG312": (r"mod 0", r"mod 2"),
    "CG314": (r"0\.\.trump", r"option most"),
    "CG315": (r"integer", r"1\.\.3"),
    "CG316": (r"count\(subsets", r"some s in subsets\(table\) where"),
    "CG318": (r"in trump", r"in Suit"),
    "CG321": (r"c = first", r"points\[p\] = 1"),
    "CG326": (r"points\[player\]: integer", ""),
    "CG328": (r'written "\{suit\}"', r'written "\{rank\}\{suit\}"'),
    "CG331": (r'"the Fool", "the Jester"', r'named "the Fool"$'),
    "CG333": (r"stack", r"pile"),
    "CG339": (r"deals: 0", r"state[\s\S]*deals: 0"),
    "CG402": (r"worth\(next", r"points\[next"),
    "CG404": (r"^    end warm_up", r"if stock is empty: end warm_up"),
    "CG405": (r"1000000", r"10 of"),
    "CG407": (r"hand\[next", r"in table"),
    "CG410": (r"take_turn\(p\)", r"q chooses"),
    "CG412": (r"together\s+p chooses", r"p chooses[\s\S]*together"),
}
"""What goes and what comes (as patterns) where a help quotes nothing that could be looked for."""


def found_in(text: str, folder: Path, code: Code) -> list[Diagnostic]:
    """Return the errors of a text, and whatever else it says with the code."""
    found = mistakes(text) if code.code < "CG200" else diagnose(text, folder)[1]
    return [d for d in found if d.is_error or d.code == code.code]


@pytest.mark.parametrize("code", CHECKED, ids=lambda c: f"{c.code}-{c.name}")
def test_a_mistake_says_what_to_do_and_its_cure_is_what_it_says(code: Code, tmp_path: Path) -> None:
    found = [d for d in found_in(code.bad, tmp_path, code) if d.code == code.code]
    diagnostic = found[0]
    assert diagnostic.help
    if not diagnostic.edits:
        check_good_example(code, diagnostic)
        return
    text = code.bad if code.code < "CG200" else complete(code.bad)
    assert found_in(edited(text, [edit for d in found for edit in d.edits]), tmp_path, code) == []
    for edit in diagnostic.edits:
        words = re.findall(r"\w+", edit.text)
        assert not words or edit.span.text.strip() == edit.text.strip() or any(w in diagnostic.help for w in words)


@pytest.mark.parametrize("value", ["the (points[p])", "(points[p]) else 3"])
def test_an_edit_leaves_no_bracket_without_its_other_one(value: str, tmp_path: Path) -> None:
    text, found = diagnose(f"result\n    score p = {value}\n", tmp_path)
    assert ";" not in found[0].help
    assert "score p = (points[p])\n" in edited(text, found[0].edits)


def quoted(text: str) -> list[re.Pattern[str]]:
    """Return the quoted parts of a help as patterns: `..` is anything, a capital letter alone any word."""
    made = []
    for part in re.findall(r"`([^`]+)`", text):
        words = [
            r".*?" if w == ".." else r"\w+" if re.fullmatch(r"[A-Z]", w) else re.escape(w)
            for w in re.findall(r"\.\.|\w+|[^\w\s]", part)
        ]
        made.append(re.compile(r"\s*".join(words)))
    return made


def changed(code: Code) -> tuple[str, str]:
    """Return the lines that only the bad example has, and those that only the good one has."""
    bad, good = (re.sub(r"[ \t]*# <--", "", text).splitlines() for text in (code.bad, code.good))
    gone: list[str] = []
    come: list[str] = []
    for line in difflib.ndiff(bad, good):
        (gone if line.startswith("- ") else come if line.startswith("+ ") else []).append(line[2:])
    return "\n".join(gone), "\n".join(come)


SHOWN_OTHERWISE = frozenset(["CG229", "CG234", "CG235", "CG241", "CG324", "CG403"])
"""Codes whose good example puts the mistake right in another way than the help proposes."""


def check_good_example(code: Code, diagnostic: Diagnostic) -> None:
    """Check that the good example is what the help says."""
    if code.code in SHOWN_OTHERWISE:
        return
    gone, come = changed(code)
    if code.code in OBEYED:
        before, after = (re.compile(pattern, re.MULTILINE) for pattern in OBEYED[code.code])
        assert before.search(gone)
        assert after.search(come)
        assert not before.pattern or not before.search(come) or len(after.pattern) > len(before.pattern)
    else:
        assert any(part.search(come) and not part.search(gone) for part in quoted(diagnostic.help)), diagnostic.help


def test_what_warns_need_not_be_put_right() -> None:
    assert {code.severity for code in CHECKED} == {Severity.ERROR, Severity.NOTE}
