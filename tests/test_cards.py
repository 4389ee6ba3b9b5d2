"""Printable cards: every card once for each copy, in its place, with its texts; the same bytes every time."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from interpreter import cards
from interpreter.table.faces import face_views
from tests import bundled

pytest.importorskip("reportlab")
pypdf = pytest.importorskip("pypdf")
POINT = 25.4 / 72


def pages(data: bytes) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]


def test_every_card_is_printed_once_for_each_copy() -> None:
    game = bundled.game("classics/love_letter")
    found = pages(cards.pdf(game, backs=False))
    assert len(found) == 2
    assert sum(page.count("role: ") for page in found) == 16
    assert sum(page.count("role: guard") for page in found) == 5
    with_backs = pages(cards.pdf(game))
    assert len(with_backs) == 4
    assert with_backs[1].count("Love Letter") == 9
    assert cards.pdf(game) == cards.pdf(game)


def test_a_card_has_what_the_rulebook_says_of_it() -> None:
    found = {card.text: card for card in face_views(bundled.game("classics/love_letter"))}
    assert any("target" in rule for rule in found["priest"].rules)
    assert found["princess"].copies == 1
    two_decks = face_views(bundled.game("wizards_duel"))
    assert {card.owner for card in two_decks} == {0, 1}
    assert sum(card.copies for card in two_decks) == bundled.game("wizards_duel").num_cards


def test_backs_meet_their_fronts_when_the_page_is_turned() -> None:
    game = bundled.game("classics/kuhn_poker")
    data = pypdf.PdfReader(io.BytesIO(cards.pdf(game, size="mini")))
    width = float(data.pages[0].mediabox.width)

    def left_ends(page: object, words: str) -> list[float]:
        found: list[float] = []

        def visit(text: str, matrix: list[float], *_: object) -> None:
            if words in text:
                found.append(matrix[4])

        page.extract_text(visitor_text=visit)  # type: ignore[attr-defined]
        return sorted(found)

    backs = left_ends(data.pages[1], "Kuhn")
    fronts = [game.faces[number].text for number in range(3)]
    assert len(backs) == len(fronts) == 3
    assert min(backs) > width / 4  # Three cards at the left of four columns: their backs are at the right.


def test_sizes_fit_on_the_paper() -> None:
    for paper, (width, height) in cards.PAPERS.items():
        for size in cards.SIZES:
            page = pypdf.PdfReader(io.BytesIO(cards.pdf(bundled.game("classics/kuhn_poker"), size, paper))).pages[0]
            assert float(page.mediabox.width) * POINT == pytest.approx(width, abs=0.1)
            assert float(page.mediabox.height) * POINT == pytest.approx(height, abs=0.1)


def test_csv_has_a_row_for_each_face_with_its_copies() -> None:
    game = bundled.game("chalice_and_wand")
    rows = list(csv.DictReader(io.StringIO(cards.table(game))))
    assert len(rows) == 20
    assert sum(int(row["copies"]) for row in rows) == game.num_cards
    assert rows[0]["text"] == "C1"
    assert rows[0]["suit"] == "chalice"


def test_sheets_are_images_of_ten_cards_a_row_with_the_back_last(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    (tmp_path / "guard.png").write_bytes(b"")
    colour = image.new("RGB", (50, 50), "#ff0000")
    colour.save(tmp_path / "guard.png")
    (sheet,) = cards.sheets(bundled.game("classics/love_letter"), "mini", art=tmp_path)
    picture = image.open(io.BytesIO(sheet))
    assert picture.size == (10 * 44 * 8, 2 * 68 * 8)
    middle = (22 * 8, 20 * 8)
    assert picture.getpixel(middle) == (255, 0, 0)
    assert picture.getpixel((9 * 44 * 8 + 8, 68 * 8 + 8)) != (255, 255, 255)


SPEC = """cardgame 1
game "x"
    players 1
    at most 5 decisions
enum Suit: a "%s"
card C(suit: Suit) written "{suit}"
deck in stock
    3 of each C
zones
    stock: pile, seen by nobody
play
    player 1 chooses
        pass: shuffle stock
result
    score p = 1
"""


def test_letters_without_a_glyph_are_named(tmp_path: Path) -> None:
    path = tmp_path / "odd.cardgame"
    path.write_text(SPEC % "\u2660", "utf-8")
    result = CliRunner().invoke(main, ["cards", str(path), "-o", str(tmp_path / "odd.pdf")])
    assert result.exit_code == 1
    assert "the font has no letter" in result.output
    assert not (tmp_path / "odd.pdf").exists()


def test_the_command_writes_each_kind_of_file(tmp_path: Path) -> None:
    for suffix, head in ((".pdf", b"%PDF"), (".png", b"\x89PNG"), (".csv", b"text,")):
        path = tmp_path / f"cards{suffix}"
        result = CliRunner().invoke(main, ["cards", "classics/kuhn_poker", "-o", str(path)])
        assert result.exit_code == 0, result.output
        assert path.read_bytes().startswith(head)
    result = CliRunner().invoke(main, ["cards", "classics/kuhn_poker", "-o", str(tmp_path / "cards.doc")])
    assert result.exit_code == 2
