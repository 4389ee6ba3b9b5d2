"""Syntax highlighting: it agrees with the grammar, and the files for editors are those that are generated."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from lark.lexer import LexerThread
from pygments import token as kinds

from grammar.highlighting import CardgameLexer, ScenariosLexer, _any_of, editor_files, rules, words
from grammar.parser import prepared
from grammar.source import Source
from grammar.tables import parser
from tests.bundled import one_in

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*(ROOT / "games").rglob("*.cardgame"), *(ROOT / "games").rglob("*.scenarios")])
LEXERS = {"cardgame": CardgameLexer, "scenario": ScenariosLexer}


def language(path: Path) -> str:
    return "scenario" if path.suffix == ".scenarios" else "cardgame"


def is_keyword(name: str, text: str) -> bool:
    return name not in ("NAME", "NUMBER", "STRING", "TAG") and bool(re.match("[a-z]", text))


@pytest.mark.parametrize("path", one_in(4, {str(path): path for path in FILES}))
def test_pygments_agrees_with_the_grammar_on_every_token(path: Path) -> None:
    kind, text = language(path), path.read_text("utf-8")
    tokens = list(LEXERS[kind]().get_tokens_unprocessed(text))
    assert "".join(word for _, _, word in tokens) == text
    assert not [word for _, type_, word in tokens if type_ is kinds.Error]
    found = {place: type_ for place, type_, _ in tokens}
    compared = 0
    thread: Any = LexerThread.from_text(parser(kind).parser.lexer.lexer, prepared(Source("x", text)))
    for token in thread.lex(None):
        if token.type in ("_NL", "_JOIN"):
            continue
        assert (found[token.start_pos] in kinds.Keyword) == is_keyword(token.type, str(token)), repr(token)
        assert (found[token.start_pos] is kinds.Name.Label) == (token.type == "TAG"), repr(token)
        compared += 1
    assert compared > 5


def test_files_for_editors_are_those_that_are_generated() -> None:
    for path, text in editor_files().items():
        assert path.read_text("utf-8") == text, f"{path.name} is out of date: python -m grammar.highlighting"


def test_every_reserved_word_is_in_every_file() -> None:
    for kind in LEXERS:
        known = words(kind)
        for path, text in editor_files().items():
            if (
                path.stem.split(".")[0] == ("scenarios" if kind == "scenario" else "cardgame")
                and path.parent.name != "ftdetect"
            ):
                assert all(re.search(rf"\b{word}\b", text) for word in (*known.sections, *known.keywords)), path


def test_an_empty_list_of_words_is_an_error() -> None:
    with pytest.raises(ValueError, match="no words"):
        _any_of(())


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_codemirror_agrees_with_pygments(tmp_path: Path) -> None:
    styles = {"labelName": "tag", "definitionKeyword": "section", "atom": "constant", "variableName": "name"}
    for path, text in editor_files().items():
        if path.suffix == ".js":
            (tmp_path / path.name).write_text(text, "utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    shutil.copy(Path(__file__).parent / "data" / "codemirror.mjs", tmp_path / "run.js")
    some = FILES[::5]
    argument = json.dumps([[language(path), str(path)] for path in some])
    done = subprocess.run(["node", "run.js", argument], cwd=tmp_path, capture_output=True, text=True, check=True)
    for path, tokens in zip(some, json.loads(done.stdout), strict=True):
        kind, text = language(path), path.read_text("utf-8")
        by_type = {type_: rule.kind for rule in rules(kind) for type_ in [CardgameLexer.type_of(rule.kind)]}
        starts = [0]
        for line in text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        theirs = {starts[row] + column: styles.get(style, style) for row, column, style in tokens}
        ours = {
            place: by_type[type_] for place, type_, word in LEXERS[kind]().get_tokens_unprocessed(text) if word.strip()
        }
        assert theirs == ours
