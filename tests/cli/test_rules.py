"""`cardgame rules` at the command line; what a rulebook says is tested in `tests/rulebook`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import CHALICE, OFFERS, run, write


def test_the_book_of_a_bundled_game_is_printed_for_reading() -> None:
    result = run("rules", CHALICE)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "CHALICE AND WAND [R1]"
    assert "  1. Shuffle the stock. [R2]" in lines
    assert max(map(len, lines)) <= 88


def test_long_lines_are_broken_after_their_bullet() -> None:
    lines = run("rules", CHALICE).stdout.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("  • All players may count"))
    assert lines[place + 1].startswith("    the table")
    long = next(n for n, line in enumerate(lines) if line.startswith("     • You may discard any number"))
    assert lines[long + 1].startswith("       ")


def test_a_table_that_is_too_wide_is_a_list() -> None:
    lines = run("rules", CHALICE).stdout.splitlines()
    row = lines.index("  • Cards")
    assert lines[row + 1] == "      Number: 60"
    assert lines[row + 2].startswith("      Details: Each shows a suit and a value")


def test_emphasis_is_coloured_with_the_option_for_colours() -> None:
    plain = run("rules", "classics/kuhn_poker").stdout
    coloured = run("--color", "always", "rules", "classics/kuhn_poker").stdout
    assert "\x1b[" not in plain
    assert "\x1b[1m" in coloured
    assert "\x1b[3m" in coloured


def test_markdown_is_for_pages(tmp_path: Path) -> None:
    text = run("rules", write(tmp_path / "offers.cardgame", OFFERS), "--format", "markdown").stdout
    assert text.startswith("# High Offer\n")
    assert "1. Shuffle the stock.\n" in text
    assert "You must **bid** a number from 0 to 9." in text
    assert "| `bid NUMBER` |" in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_a_setting_is_put_in(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    text = run("rules", spec, "--players", "3", "--option", "held=2", "--format", "markdown").stdout
    assert "card game for exactly 3 players." in text
    assert "Each player: draw 2 cards from the stock into your hand." in text


def test_tables_have_columns(tmp_path: Path) -> None:
    table = 'enum Color(worth: 1..9)\n    red "R" 1\n    blue "B" 9\n'
    spec = write(tmp_path / "offers.cardgame", OFFERS.replace('enum Color: red "R", blue "B"\n', table))
    lines = run("rules", spec).stdout.splitlines()
    at = lines.index("    Color     Worth")
    assert lines[at + 1 : at + 3] == ["  • red (R)   1", "  • blue (B)  9"]


def test_a_rule_without_a_description_is_refused_in_words(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.cardgame", OFFERS.replace("move c to shown", "move c to shwon"))
    broken = run("rules", bad)
    assert broken.exit_code == 1
    assert "did you mean `shown`?" in broken.stderr
    assert broken.stdout == ""
    unknown = run("rules", CHALICE, "--option", "hand=open")
    assert unknown.exit_code == 2
    assert "did you mean `hands`?" in unknown.stderr
    crowded = run("rules", CHALICE, "--players", "5")
    assert crowded.exit_code == 2
    assert "is for 2 players, not 5" in crowded.stderr
    assert run("rules", "no_such_game").exit_code == 2
