"""The pages say what is so: links lead somewhere, tables agree with the code, generated pages are fresh."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from grammar.tables import grammar_text, parser
from interpreter import State, load
from interpreter.runtime.game import Game
from tests.docs.generate import PAGES
from tests.docs.samples import ROOT, pages, samples
from tests.test_architecture import modules, name_of

DOCS = ROOT / "docs"


def prose(page: Path) -> str:
    """Return a page without its samples."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", pages(), ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every link inside the repository leads to a file, and to a heading of it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), f"{page}: {target}"
        if anchor:
            assert anchor in anchors(other), f"{page}: {target}"


def test_every_page_can_be_found() -> None:
    """The README leads to every page, directly or through another one."""
    found = {ROOT / "README.md"}
    todo = list(found)
    while todo:
        page = todo.pop()
        for target in re.findall(r"\]\(([^)#\s]+\.md)", prose(page)):
            other = (page.parent / target).resolve()
            if other.exists() and other not in found:
                found.add(other)
                todo.append(other)
    assert found >= set(pages())


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_fresh(name: str) -> None:
    """The page is what the code says; `python -m tests.docs.generate` writes it anew."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()


def test_commands_in_the_text_exist() -> None:
    """Every command, and every option of it, that a page names in its text exists."""
    from cli.main import COMMANDS, main

    for page in pages():
        for said in re.findall(r"`cardgame ([a-z][^`]*)`", prose(page)):
            words = said.split()
            if words[0] == "1":
                continue
            assert words[0] in COMMANDS, f"{page}: {said}"
            command = main.get_command(main.make_context("cardgame", [words[0]]), words[0])
            assert command is not None
            known = {opt for parameter in command.params for opt in parameter.opts} | {"--help"}
            assert {w.split("=")[0] for w in words[1:] if w.startswith("--")} <= known, f"{page}: {said}"


# ---- the reference


def test_reserved_words_are_all_listed() -> None:
    """The list of reserved words is the one that the parser has."""
    begins = (re.match(r"([a-z]+)(?:$|\(\?!\\w\)(?:\(|$))", t.pattern.value) for t in parser("cardgame").terminals)
    words = {begin.group(1) for begin in begins if begin}
    text = next(s for s in samples(DOCS / "language.md") if s.text.startswith("add all"))
    assert set(text.text.split()) == words


def test_limits_are_those_of_the_code() -> None:
    """The numbers in the table of limits are those that the code has."""
    from grammar import layout
    from grammar import parser as parsing
    from interpreter.analysis import (
        checker,
        choices,
        constants,
        costs,
        deck,
        declarations,
        dependencies,
        facts,
        measures,
        references,
        variants,
    )
    from interpreter.runtime import machine

    table = prose(DOCS / "language.md").partition("## Limits")[2].partition("## Faults")[0]
    told = [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", table.partition("|---|---|")[2])]
    known = [
        parsing.MAX_BYTES, layout.MAX_NESTING, layout.MAX_LINE_TOKENS, variants.DEEPEST, dependencies.DEEPEST,
        checker.SECTION_LIMIT, facts.MOST_PLAYERS, facts.DEFAULT_DECISIONS, facts.MOST_DECISIONS, deck.CARD_LIMIT,
        declarations.ENUM_LIMIT, references.INDEX_LIMIT, 5_000, 20_000, choices.ARGUMENT_LIMIT, costs.ACTION_LIMIT,
        costs.STEP_LIMIT, machine.STEP_LIMIT, measures.RESULT_LIMIT, 0, constants.NUMBER_LIMIT,
    ]  # fmt: skip
    assert told == known


def test_verbs_that_are_reserved_are_all_listed() -> None:
    """The reference lists the reserved words that an action may be called."""
    grammar = grammar_text("cardgame")
    rule = re.search(r"^!verb: (.*?)\n\n", grammar, re.MULTILINE | re.DOTALL)
    assert rule is not None
    verbs = set(re.findall(r'"(\w+)"', rule.group(1)))
    listed = prose(DOCS / "language.md").partition("reserved words as its verb")[2].partition("##")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == verbs


def test_faults_are_all_listed() -> None:
    """The reference lists the faults that the runtime can raise, and no others."""
    raised = set()
    for path in modules():
        if "runtime" in path.parts:
            raised |= set(re.findall(r'"(CG8\d\d)"', path.read_text(encoding="utf-8")))
    assert set(re.findall(r"^\| (CG8\d\d)", prose(DOCS / "language.md"), re.MULTILINE)) == raised


# ---- architecture and glossary


def test_every_module_has_its_place_on_the_page() -> None:
    """The page on architecture says of every module what it does, and names none that is not there."""
    told = set(re.findall(r"`((?:grammar|interpreter|cli)(?:\.\w+)+)`", prose(DOCS / "architecture.md")))
    known = {name_of(p) for p in modules() if p.name != "__init__.py"}
    assert known <= told
    for name in told - known:
        assert found(name), name


def found(name: str) -> bool:
    """Say whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    short = {"State": State, "Game": Game}
    if parts[0] in short:
        return hasattr(short[parts[0]], parts[1])
    for length in range(len(parts), 0, -1):
        try:
            thing = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return False


def test_words_of_the_glossary_exist() -> None:
    """Every name of code that the glossary gives is there, and its words are in order."""
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (?:`([\w.]+)`)? ?\|$", prose(DOCS / "glossary.md"), re.MULTILINE)
    words = [word for word, _ in rows if word != "word"]
    assert len(words) > 30
    assert words == sorted(words, key=str.lower)
    for word, name in rows:
        assert not name or found(name), word


# ---- the games


def game_pages() -> list[Path]:
    return sorted((DOCS / "games").glob("*.md"))


@pytest.mark.parametrize("page", game_pages(), ids=lambda p: p.stem)
def test_a_game_s_page_lists_its_rules(page: Path) -> None:
    """The page of a game lists every rule from R1 on without a gap, and each is a tag of the spec where it says."""
    game = load(page.stem)
    lines: dict[str, set[int]] = {}
    for tag, span in game.rules.tags:
        for single in rules_of(tag):
            lines.setdefault(single, set()).add(span.line)
    rows = re.findall(r"^\| (R\d+) \|[^|]*\| ([^|]*) \| ([^|]*) \|$", prose(page), re.MULTILINE)
    assert [rule for rule, _, _ in rows] == [f"R{n}" for n in range(1, len(rows) + 1)]
    assert set(lines) == {rule for rule, _, _ in rows}
    spec = (ROOT / "games" / f"{page.stem}.cardgame").read_text(encoding="utf-8").splitlines()
    for rule, where, _ in rows:
        told = re.findall(r"`([^`]+)`", where)
        assert told, rule
        tagged = [n for n, line in enumerate(spec) if rule in tags_of_line(line)]
        for text in told:
            assert any(text in spec[n] for n in tagged), f"{rule}: no line with its tag says `{text}`"


@pytest.mark.parametrize("page", game_pages(), ids=lambda p: p.stem)
def test_a_game_s_page_names_scenarios_that_show_the_rule(page: Path) -> None:
    """Each rule and each ruling of a page names a scenario that carries its tag."""
    text = (ROOT / "games" / f"{page.stem}.scenarios").read_text(encoding="utf-8")
    tagged: dict[str, list[str]] = {}
    for name, tags in re.findall(r'^scenario "([^"]+)"\s*(?:\[([^\]]*)\])?', text, re.MULTILINE):
        for tag in re.split(r",\s*", tags):
            for single in rules_of(tag):
                tagged.setdefault(single, []).append(name)
    rows = re.findall(r"^\| ([RA]\d+) \|.*\| ([^|]*) \|$", prose(page), re.MULTILINE)
    assert rows
    for rule, shown in rows:
        for name in re.findall(r"\"([^\"]+)\"", shown):
            assert name in tagged.get(rule, []), f"{rule}: `{name}`"


def rules_of(tag: str) -> list[str]:
    """Return the single rules of a tag: `R9-R11` is three."""
    ends = re.fullmatch(r"([A-Z]+)(\d+)-[A-Z]*(\d+)", tag)
    if ends is None:
        return [tag]
    return [f"{ends.group(1)}{n}" for n in range(int(ends.group(2)), int(ends.group(3)) + 1)]


def tags_of_line(line: str) -> set[str]:
    """Return the single rules that the tag at the end of a line names."""
    end = re.search(r"\s\[([A-Z]\d[^\]]*)\]\s*(?:#.*)?$", line)
    return {single for tag in re.split(r",\s*", end.group(1)) for single in rules_of(tag)} if end else set()
