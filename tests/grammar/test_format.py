"""The formatter: one style, nothing lost, nothing changed but white space."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from cli.main import main
from grammar.diagnostics import SpecError
from grammar.format import formatted
from grammar.parser import parse, parse_scenarios
from grammar.source import Source
from tests.docs.samples import all_samples

GAMES = Path(__file__).resolve().parents[2] / "games"
FILES = sorted([*GAMES.rglob("*.cardgame"), *GAMES.rglob("*.scenarios")])

UGLY = """

cardgame   1
game "a  b"    [R1,R2]   # as  it is
  players 2..3,at   most 10 decisions


# about options
option twice:1..5=2 "how  often"   [R3]
enum Kind(points:0..9)
  big   9 # most
  tiny 1
  # none of them is free
card Plain(k :Kind) written "{k}"
deck in stock
    2 of each Plain
zones
  stock:pile,seen by nobody
  hand [ player ] :  cards, seen   by owner [R4]
state
  gain: integer = - 3
  done [player]: boolean
play
  repeat
      turn_of( player 1 )
      gain += (1+2) * - twice
  until gain >= 3
         or   stock is empty
phase turn_of(p : player)
  p chooses
      take card c from hand[p]
        where c.k == big: move c to stock   [R5]
      # the other way
      pass: nothing
result
  score p = gain
"""

NEAT = """cardgame 1
game "a  b"                                                          [R1, R2]  # as  it is
    players 2..3, at most 10 decisions

# about options
option twice: 1..5 = 2 "how  often"                                  [R3]
enum Kind(points: 0..9)
    big  9  # most
    tiny 1
    # none of them is free
card Plain(k: Kind) written "{k}"
deck in stock
    2 of each Plain
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner                               [R4]
state
    gain:         integer = -3
    done[player]: boolean
play
    repeat
        turn_of(player 1)
        gain += (1 + 2) * -twice
    until gain >= 3
           or stock is empty
phase turn_of(p: player)
    p chooses
        take card c from hand[p]
            where c.k == big: move c to stock                        [R5]
        # the other way
        pass: nothing
result
    score p = gain
"""


def language(path: Path) -> str:
    return "scenario" if path.suffix == ".scenarios" else "cardgame"


def comments(text: str) -> list[str]:
    return [found.rstrip() for found in re.findall(r"#[^\r\n]*", re.sub(r'"[^"\n]*"', '""', text))]


def checked(text: str, kind: str = "cardgame") -> str:
    """Return a text formatted; its tree and comments are the same, and formatting it again changes nothing."""
    read = parse_scenarios if kind == "scenario" else parse
    made = formatted(Source("given", text), kind)
    assert read(Source("given", made)) == read(Source("given", text))
    assert comments(made) == comments(text)
    assert formatted(Source("made", made), kind) == made
    assert len(re.findall(r"\S+", made)) > 0
    return made


def test_every_rule_of_the_style() -> None:
    assert checked(UGLY) == NEAT


def test_line_ends_tabs_and_byte_order_marks_go() -> None:
    text = "\ufeff" + UGLY.replace("\n", "\r\n").replace("1\r\ngame", "1\t\r\ngame", 1)
    assert checked(text) == NEAT


def test_tags_of_long_lines_of_a_paragraph_share_a_column() -> None:
    text = 'cardgame 1\ngame "x" [R1]\n    players 2\n' + "".join(
        f'option {"o" * n} = true "{"w" * 60}"  [R{n}]\n' for n in (3, 9, 5)
    )
    columns = {line.index("[") for line in checked(text).splitlines() if "option" in line}
    assert len(columns) == 1
    assert columns.pop() > 69


def test_bundled_files_are_formatted() -> None:
    for path in FILES:
        text = path.read_text("utf-8")
        assert formatted(Source("given", text), language(path)) == text, f"cardgame fmt {path}"


def test_samples_of_the_docs_keep_their_trees() -> None:
    specs = [sample.text for sample in all_samples("cardgame") if sample.text.lstrip().startswith("cardgame 1")]
    assert specs
    read = 0
    for text in specs:
        try:
            checked(text)
        except SpecError:  # Some samples show mistakes.
            continue
        read += 1
    assert read


def shaken(text: str, random: Random) -> str:
    """Return a text with other white space, and with more comments and empty lines."""

    def spaces(_: re.Match[str]) -> str:
        return " " * random.choice((1, 1, 2, 3))

    lines = []
    for line in text.split("\n"):
        indent, body = re.fullmatch(r"([ \t]*)(.*)", line).groups()  # type: ignore[union-attr]
        parts = re.split(r'("[^"]*"|#.*)', body)
        spaced = [
            p if p[:1] in ('"', "#") else re.sub(" ", lambda _: " " * random.choice((1, 1, 2, 3)), p) for p in parts
        ]
        body = "".join(spaced)
        if body and "#" not in body and random.random() < 0.1:
            body += f"   # note {random.randrange(99)}"
        lines.append(indent + body)
        if random.random() < 0.05:
            lines.append(random.choice(("", " " * random.randrange(9) + f"# own {random.randrange(99)}")))
    ends = random.choice(("\n", "\n", "\r\n"))
    return ends.join(lines)


def shake(texts: int) -> None:
    random, done = Random(5), 0
    for number in range(texts):
        path = FILES[number % len(FILES)]
        text = shaken(path.read_text("utf-8"), random)
        try:
            checked(text, language(path))
        except SpecError:  # The changed text may be wrong: a comment can part a line from the one it continues.
            continue
        done += 1
    assert done > texts / 2


def test_changed_white_space_and_comments() -> None:
    shake(6)


@pytest.mark.soak
def test_changed_white_space_and_comments_in_many_texts() -> None:
    shake(2_000)


def test_the_command_writes_checks_and_shows(tmp_path: Path) -> None:
    path = tmp_path / "ugly.cardgame"
    path.write_text(UGLY, "utf-8")
    run = CliRunner().invoke

    result = run(main, ["fmt", "--check", str(path)])
    assert (result.exit_code, result.stdout) == (1, f"{path}: would change\n")
    result = run(main, ["fmt", "--diff", str(path)])
    assert result.exit_code == 0
    assert '+game "a  b"' in result.stdout
    assert path.read_text("utf-8") == UGLY

    path.chmod(0o640)
    assert run(main, ["fmt", str(path)]).exit_code == 0
    assert path.read_text("utf-8") == NEAT
    assert path.stat().st_mode & 0o777 == 0o640
    assert run(main, ["fmt", "--check", str(path)]).exit_code == 0
    assert run(main, ["fmt", "-"], input=UGLY).stdout == NEAT


@pytest.mark.parametrize("text", ["cardgame 1\ngame\n", "cardgame 1\ngame 'x'\n", "\udcff", ""])
def test_a_file_with_mistakes_stays_untouched(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.cardgame"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = path.read_bytes()
    result = CliRunner().invoke(main, ["fmt", str(path)])
    assert result.exit_code == 1
    assert "error[CG" in result.output
    assert path.read_bytes() == before
