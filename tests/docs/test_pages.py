"""The pages say what is so: links lead somewhere, tables agree with the code, generated pages are fresh."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from cli.main import COMMANDS
from grammar.tables import grammar_text, parser
from interpreter.analysis.checker import Checker
from interpreter.engine.game import Game, State
from interpreter.loader import bundled_games, bundled_variants, find_spec
from interpreter.setting import word_of
from tests.bundled import base_of, signature_of
from tests.docs.generate import DIAGRAM, PAGES, game_pages, with_diagram
from tests.docs.samples import ROOT, pages, samples
from tests.rulebook.books import tree
from tests.test_architecture import modules

DOCS = ROOT / "docs"
PAGE_OF = game_pages()


def prose(page: Path) -> str:
    """Return a page without its samples."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_lead_somewhere() -> None:
    """Every link inside the repository leads to a file, and to a heading of it."""
    for page, target in [(one, link) for one in pages() for link in re.findall(r"\]\(([^)\s]+)\)", prose(one))]:
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


def test_the_readme_has_every_command_once() -> None:
    """The table of the README lists the commands of the program."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.search(r"^\| command \|.*?\n\n", text, re.MULTILINE | re.DOTALL)
    assert table is not None
    rows = [row.split("|")[1] for row in table[0].splitlines()[2:] if row]
    assert sorted(re.findall(r"`([a-z]+)`", "".join(rows))) == sorted(COMMANDS)


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_fresh(name: str) -> None:
    """The page is what the code says; `python -m tests.docs.generate` writes it anew.

    Of a picture the words are compared, since each version of the library draws frames in its own way.
    """
    kept, made = (DOCS / name).read_text(encoding="utf-8"), PAGES[name]()
    if name.endswith(".svg"):
        kept, made = ("\n".join(re.findall(r"<text[^>]*>(.*?)</text>", picture)) for picture in (kept, made))
        assert "player" in made
    assert kept == made


def test_the_newest_version_of_the_changelog_is_the_version_of_the_package() -> None:
    """Changes are told under "Unreleased", which stands on top, or under a version with its day."""
    titles = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert titles[0] == "Unreleased"
    assert re.fullmatch(re.escape(version) + r" \(\d{4}-\d\d-\d\d\)", titles[1])


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
    text = next(s for s in samples(DOCS / "language.md") if s.text.startswith("about action add"))
    assert set(text.text.split()) == words


def test_limits_are_those_of_the_code() -> None:
    """The numbers in the table of limits are those that the code has."""
    from grammar import layout
    from grammar import parser as parsing
    from interpreter import setting
    from interpreter.analysis import budget, checker, dependencies, files, limits, variants
    from interpreter.analysis.check import deck, declarations, statements
    from interpreter.analysis.lints import costs
    from interpreter.analysis.transforms import triggers

    table = prose(DOCS / "language.md").partition("## Limits")[2].partition("## Faults")[0]
    told = [
        int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", table.partition("|---|---|")[2].partition("\n\n")[0])
    ]
    known = [
        parsing.MAX_BYTES, parsing.MAX_WORDS, files.FILE_LIMIT, files.TEXT_LIMIT, layout.MAX_NESTING,
        costs.NESTED_LIMIT, statements.ARGUMENTS_LIMIT, layout.MAX_LINE_TOKENS,
        variants.DEEPEST, dependencies.DEEPEST, limits.DEEPEST_LEVEL, limits.MOST_COPIED, checker.SECTION_LIMIT,
        budget.MOST_WORK,
        triggers.MOST_IN_A_GROUP, setting.MOST_PLAYERS,
        setting.DEFAULT_DECISIONS, setting.MOST_DECISIONS, limits.CARD_LIMIT, declarations.ENUM_LIMIT,
        declarations.INDEX_LIMIT, 5_000, 20_000, statements.ARGUMENT_LIMIT, costs.ACTION_LIMIT, costs.SET_LIMIT,
        costs.CHOICE_LIMIT, costs.GAME_LIMIT, deck.LINE_LIMIT, deck.FACE_LIMIT, statements.HOLE_LIMIT,
        limits.STEP_LIMIT, limits.RESULT_LIMIT, 0, limits.NUMBER_LIMIT,
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
        if not {"engine", "knowledge", "belief", "text", "transforms"}.isdisjoint(path.parts):
            raised |= set(re.findall(r'"(CG8\d\d)"', path.read_text(encoding="utf-8")))
    assert set(re.findall(r"^\| (CG8\d\d)", prose(DOCS / "language.md"), re.MULTILINE)) == raised


# ---- contributing, architecture and glossary


def test_every_package_has_its_place_on_the_page() -> None:
    """The page on contributing says of every package what is there."""
    told = set(re.findall(r"^\| `([\w/]+)/` \|", prose(DOCS / "contributing.md"), re.MULTILINE))
    packages = {str(p.parent.relative_to(ROOT)) for p in modules() if p.name == "__init__.py"}
    assert told == packages | {"tests"}


@pytest.mark.parametrize("page", ["architecture.md", "contributing.md"])
def test_modules_and_files_that_are_named_exist(page: str) -> None:
    """Names in capitals stand for whatever is added."""
    text = prose(DOCS / page)
    for name in re.findall(r"`((?:grammar|interpreter|cli)(?:\.\w+)+)`", text):
        assert name.endswith(".py") or found(name), name
    files = re.findall(r"`((?:grammar|interpreter|cli|games|tests|docs)/[\w/.*]+)`", text)
    assert files or page == "architecture.md"
    for name in files:
        assert re.search("[A-Z]", name) or any(ROOT.glob(name)), name
    assert all(name == "README.md" or "/" in name or any(ROOT.rglob(name)) for name in re.findall(r"`(\w+\.py)`", text))


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


def variants_of(game: str) -> list[str]:
    """Return the bundled variants of a game: those whose first `extends` leads to it."""
    return [name for name in bundled_variants() if base_of(name) == game]


def specs_of(game: str) -> list[str]:
    """Return the names of the specs that a page is about: its game, and the bundled variants of that."""
    return [game, *variants_of(game)]


def scenarios_of(game: str) -> dict[str, set[str]]:
    """Return the names of the scenarios of a game and its variants that carry a tag, by the tag."""
    tagged: dict[str, set[str]] = {}
    for spec in specs_of(game):
        path = find_spec(spec).with_suffix(".scenarios")
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for name, tags in re.findall(r'^scenario "([^"]+)"\s*(?:\[([^\]]*)\])?', text, re.MULTILINE):
            for tag in re.split(r",\s*", tags):
                for single in rules_of(tag):
                    tagged.setdefault(single, set()).add(name)
    return tagged


def rules_table(page: Path) -> list[tuple[str, str, str]]:
    """Return the rows of a page's table of rules: the rule, where it is, the scenarios that show it."""
    return re.findall(r"^\| ([B-Z]\d+) \|[^|]*\| ([^|]*) \| ([^|]*) \|$", prose(page), re.MULTILINE)


def options_table(page: Path) -> list[tuple[str, str, str]]:
    """Return the rows of a page's table of options: the name, its values, its default; a V number may stand before."""
    row = r"^\| (?:V\d+ \| )?`(\w+)` \| ([^|]+) \| `?(\w+)`? \| [^|]+ \|$"
    return re.findall(row, prose(page), re.MULTILINE)


def test_every_bundled_game_has_its_page() -> None:
    """There is a page for each bundled game and for nothing else, and it names the game's variants."""
    assert sorted(PAGE_OF) == sorted(bundled_games())
    for game, page in PAGE_OF.items():
        text = prose(page)
        for name in variants_of(game):
            assert f"`cardgame play {name}`" in text, name


def test_every_bundled_variant_is_of_a_game() -> None:
    """Each variant is told of on the page of the game that it changes."""
    assert sorted(name for game in bundled_games() for name in variants_of(game)) == bundled_variants()


@pytest.mark.parametrize("game", PAGE_OF)
def test_a_game_s_page_shows_its_state_machine(game: str) -> None:
    """The diagram is the one that `cardgame graph` draws; `python -m tests.docs.generate` writes it anew."""
    text = PAGE_OF[game].read_text(encoding="utf-8")
    assert len(DIAGRAM.findall(text)) == 1
    assert text == with_diagram(game, text)


@pytest.mark.parametrize("game", PAGE_OF)
def test_a_game_s_page_lists_its_options(game: str) -> None:
    """The page has a row for each option of the game, with its values and its default, and no others."""
    signature = signature_of(game)
    options = signature.begin().options
    rows = options_table(PAGE_OF[game])
    assert [name for name, _, _ in rows] == [option.name for option in options]
    for option, (_, values, default) in zip(options, rows, strict=True):
        assert default == word_of(option.in_words(option.default)), option.name
        for value in re.findall(r"`(\w+)`", values):
            assert word_of(signature.setting(options={option.name: value})[option.name]) == value


@pytest.mark.parametrize("game", PAGE_OF)
def test_a_game_s_page_lists_its_rules(game: str) -> None:
    """The page of a game lists every rule from R1 on without a gap, and each is a tag of the spec where it says.

    Rules of variants, V1 and on, follow those of the game, and may be tags of a variant instead.  Where all of them
    are options, they may stand in the table of options.  Then come the cards that have rules of their own, numbered
    as their rule sheet numbers them, behind another letter.
    """
    page = PAGE_OF[game]
    tags: set[str] = set()
    lines: list[str] = []
    for spec in specs_of(game):
        checker = Checker(tree(spec))  # It has found the tags, and checks no rule.
        written = [*checker.declared_tags, *(tag for tag, _ in checker.tags)]
        tags |= {single for tag in written for single in rules_of(tag)}
        lines += find_spec(spec).read_text(encoding="utf-8").splitlines()
    rows = rules_table(page)
    told_rules = [rule for rule, _, _ in rows]
    main = sum(rule.startswith("R") for rule in told_rules)
    assert main
    if not any(rule.startswith("V") for rule in told_rules):
        numbered = re.findall(r"^\| (V\d+) \| `(\w+)` \|", prose(page), re.MULTILINE)
        for rule, option in numbered:
            assert any(re.match(rf"option {option}\b", line) and rule in tags_of_line(line) for line in lines), rule
        tags -= {rule for rule, _ in numbered}
    variants = sum(rule.startswith("V") for rule in told_rules)
    numbered_rules = [*(f"R{n}" for n in range(1, main + 1)), *(f"V{n}" for n in range(1, variants + 1))]
    cards = told_rules[len(numbered_rules) :]
    assert told_rules[: len(numbered_rules)] == numbered_rules
    if cards:
        letter, first = cards[0][0], int(cards[0][1:])
        assert cards == [f"{letter}{n}" for n in range(first, first + len(cards))]
    assert tags == set(told_rules)
    for rule, where, _ in rows:
        told = re.findall(r"`([^`]+)`", where)
        assert told, rule
        tagged = [" ".join(line.split()) for line in lines if rule in tags_of_line(line)]  # columns have more spaces
        for text in told:
            assert any(text in line for line in tagged), f"{rule}: no line with its tag says `{text}`"


@pytest.mark.parametrize("game", PAGE_OF)
def test_a_game_s_page_names_scenarios_that_show_the_rule(game: str) -> None:
    """Each rule of a page names a scenario that carries its tag, and each ruling does or says why there is none."""
    page = PAGE_OF[game]
    tagged = scenarios_of(game)
    rows = re.findall(r"^\| (A\d+) \|.*\| ([^|]*) \|$", prose(page), re.MULTILINE)
    rows += [(rule, shown) for rule, _, shown in rules_table(page)]
    rulings = [rule for rule, _ in rows if rule.startswith("A")]
    assert rulings == [f"A{n}" for n in range(1, len(rulings) + 1)]
    for rule, shown in rows:
        names = re.findall(r"\"([^\"]+)\"", shown)
        assert names or (rule in rulings and shown.startswith("—")), f"{rule}: no scenario"
        for name in names:
            assert name in tagged.get(rule, set()), f"{rule}: `{name}`"


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
