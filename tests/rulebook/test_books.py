"""Every bundled game has a rulebook in which nothing of its spec is missing and nothing of the language shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from cli.terminal.rulebook_view import print_blocks
from grammar import ast, statements
from grammar.codes import REGISTRY
from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from grammar.expressions import walk
from interpreter.loader import bundled_variants
from interpreter.rulebook.page import Heading, markdown
from tests.bundled import only
from tests.golden import BOOKS, kept_book, kept_books
from tests.rulebook.books import EVERYTHING, QUICK, WHOLE, book, page, plain, tags_in, text_book, told_tree

WHOLE_VARIANTS = [pytest.param(name + WHOLE, marks=pytest.mark.soak) for name in bundled_variants()]
KEPT = sorted(kept_books().items())
ALL = [*only(*QUICK), str(EVERYTHING), *WHOLE_VARIANTS]


def short(name: str) -> str:
    return name.rsplit("/", 1)[-1].removesuffix(".cardgame")


@pytest.mark.parametrize("name", ALL, ids=short)
def test_every_rule_tag_is_in_the_book(name: str) -> None:
    wanted = {tag for node in walk(told_tree(name).items) for tag in node.tags}
    assert wanted <= tags_in(book(name))


@pytest.mark.parametrize("name", ALL, ids=short)
def test_every_option_phase_action_and_kind_of_card_is_explained(name: str) -> None:
    text = book(name)
    chapters = {known for block in plain(name).blocks if isinstance(block, Heading) for known in block.names}
    for node in walk(told_tree(name).items):
        match node:
            case ast.OptionDecl(name=option, choices=choices):
                assert f"(`{option}`)" in text
                assert all(choice.replace("_", "\\_") in text for choice in choices)
            case ast.PhaseDecl(name=phase):
                assert phase in chapters or re.search(rf"\*\*{phase.replace('_', ' ')}\*\*", text, re.IGNORECASE)
            case statements.Action(verb=verb):
                assert re.search(rf"`{verb}[ `]", text)
            case ast.GameDecl(name=title):
                assert text.startswith(f"# {title}")
            case _:
                pass


def syntax_in(text: str) -> list[str]:
    """Return what looks like a spec, or like a gap, outside of what is typed and what is announced."""
    said = re.sub(r"`[^`\n]*`|“[^”\n]*”", "X", text)
    return re.findall(r"\w+_\w+|[=!<>]=|\w\[|\.\.\w|[{}]|<[A-Za-z]|\bNone\b|\( | \)|\s,", said)


@pytest.mark.parametrize("name", ALL, ids=short)
def test_no_syntax_of_the_language_shows(name: str) -> None:
    assert syntax_in(book(name)) == []


@pytest.mark.parametrize("part", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_every_small_example_has_a_book(part: int) -> None:
    """The good examples of all diagnostics are many ways to say small things."""
    told = 0
    for code in [*REGISTRY.values()][::part]:
        try:
            text = text_book(complete(code.good))
        except SpecError:
            continue  # a scenario, or a part of several files
        assert syntax_in(text) == [], code.code
        told += 1
    assert told > 60 / part


@pytest.mark.parametrize("name", ALL, ids=short)
def test_every_line_is_a_sentence_or_a_lead(name: str) -> None:
    for line in book(name).splitlines():
        found = re.fullmatch(r" *(?:- |\d+\. )(.*?)(?: ◆)?(?: \[[A-Z]+\d[^\]]*\])?", line)
        if found:
            assert found[1].endswith((".", ":", "”.")), line
            assert not re.match(r"\**[a-z]", found[1]), line
    assert "  - -" not in book(name)
    assert "the the " not in book(name).lower()


@pytest.mark.parametrize("name", [*only(*QUICK), *WHOLE_VARIANTS], ids=short)
def test_the_terminal_shows_no_markup(name: str) -> None:
    printed = StringIO()
    print_blocks(page(name).blocks, Console(file=printed, width=80))
    assert not set("*`") & set(printed.getvalue())


LONGEST = 25
DIALECT = ("the mark ", "chance ", "(part ", "whoever", "[the", "goes to", " you's", " ,", ",.", "..")


def sentences(text: str) -> Iterator[str]:
    """Give the sentences of a book; a lead ends at its colon, and what a game announces does not count."""
    for line in re.sub(r"“[^”\n]*”", "X", text).splitlines():
        for cell in line.strip("|").split(" | "):
            yield from re.split(r"(?<=[.:;!?]) ", cell)


def test_no_sentence_is_too_long() -> None:
    """The books that are kept have the options of all games; of a variant the new lines count."""
    for path in [*sorted(kept_books()), EVERYTHING.with_suffix(".md")]:
        lines = path.read_text(encoding="utf-8").splitlines()
        new = lines if path.suffix == ".md" else [line[1:] for line in lines if line.startswith("+")]
        for said in sentences("\n".join(new)):
            words = [w for w in said.split() if not re.fullmatch(r"[-◆]|\d+\.|\[.*|.*\]|\(`[^`]+`\)[,.]?", w)]
            assert len(words) <= LONGEST, f"{path}: {said}"


@pytest.mark.parametrize("name", ALL, ids=short)
def test_no_word_of_the_private_dialect_occurs(name: str) -> None:
    own, _, _ = re.sub(r"“[^”\n]*”|`[^`\n]*`", "X", book(name)).lower().partition("options\n")
    assert [word for word in DIALECT if word in own] == []


@pytest.mark.parametrize("name", ALL, ids=short)
def test_a_step_that_is_carried_out_has_a_chapter(name: str) -> None:
    text = re.split(r"\n## (?:\d+ )?Options", book(name))[0]
    headings = set(re.findall(r"^### (.*?)(?: \[|$)", text, flags=re.MULTILINE))
    named = set(re.findall(r"(?:[Dd]o|does|[Rr]epeat) \*\*(.*?)\*\*", text))
    assert named <= headings


@pytest.mark.parametrize(
    ("path", "name"),
    [pytest.param(*kept, id=kept[0].stem, marks=[pytest.mark.soak] * (kept[1] not in QUICK)) for kept in KEPT],
)
def test_a_rulebook_comes_out_as_it_is_kept(path: Path, name: str) -> None:
    assert path.read_text(encoding="utf-8") == kept_book(name)


def test_no_rulebook_is_kept_of_a_game_that_is_not_there() -> None:
    assert set(BOOKS.iterdir()) == set(kept_books())


def test_the_order_of_sets_has_no_part_in_it() -> None:
    code = "import sys; from tests.rulebook.books import *; sys.stdout.write(markdown(plain(str(EVERYTHING))))"
    elsewhere = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "12345", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
    ).stdout
    assert elsewhere.decode("utf-8").replace("\r\n", "\n") == markdown(plain(str(EVERYTHING)))


def test_phases_that_carry_each_other_out_twice_cost_each_once() -> None:
    """Going through them once for each way to the last one would take days."""
    twice = (f"phase p{n}\n    p{n + 1}\n    if calls == {n}: p{n + 1}\n" for n in range(40))
    last = "phase p40\n    player 1 chooses\n        call: calls += 1\n        stop: end game\n"
    book = text_book(
        'cardgame 1\ngame "Chain"\n    players 2\n    at most 9 decisions\nstate\n    calls: 0..99\n'
        f"play\n    while true\n        p0\n{''.join(twice)}{last}result\n    score p = calls\n"
    )
    assert "2. If the number of calls is 0, do **2.1 P1**." in book
