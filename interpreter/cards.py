"""Printable cards of a game: a PDF to cut, an image for virtual tabletops, or a table for other card tools.

A face is laid out once, as texts, boxes and pictures in millimetres; reportlab prints them as PDF, Pillow as an image.
Both are in the extra `cards`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.english.words import capital
from interpreter.table.faces import COLOURS, INK, FaceView, face_views, suit_views

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase

SIZES = {"poker": (63.5, 88.9), "bridge": (57.15, 88.9), "mini": (44.0, 68.0), "tarot": (70.0, 120.0)}
"""Width and height of a card in millimetres."""
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN, MARK, PAD = 5.0, 3.0, 3.0
"""Millimetres of paper around the cards, of a crop mark, and between the edge of a card and its texts."""
LARGEST_TEXT, SMALLEST_TEXT = 9.0, 5.0
"""Points of the text of a rule; it is as large as fits."""
LEAST_PICTURE = 0.25
"""The least share of a card that a picture has beside a text."""
VALUES = 8.0
"""Points of the attributes of a card."""
PER_ROW, PER_SHEET, DOTS = 10, 70, 8
"""Cards in a row and on a sheet for virtual tabletops, and its dots per millimetre."""
PAPER = "#ffffff"
POINT = 25.4 / 72
"""Millimetres of a typographic point."""


class CardsError(Exception):
    """Cards that cannot be printed: a letter that the font lacks, or a text that does not fit."""


class MissingPackageError(Exception):
    """The packages that print cards are not installed."""


@attrs.frozen
class Text:
    """A line of text; `x`, `y` are the middle (or the left end) of its base line from the top left of the card."""

    x: float
    y: float
    points: float
    words: str
    bold: bool = False
    centred: bool = True
    turned: bool = False
    colour: str = INK


@attrs.frozen
class Box:
    """A rectangle, filled or with a border."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    filled: bool = True


@attrs.frozen
class Picture:
    """A picture that fills a rectangle, as large as fits."""

    x: float
    y: float
    width: float
    height: float
    path: Path


Shape = Text | Box | Picture


def _deck(game: GameBase) -> list[FaceView]:
    """Return the cards of a game, each as often as it has copies."""
    return [card for card in face_views(game) for _ in range(card.copies)]


# ---- layout


def face_shapes(card: FaceView, colour: str, size: tuple[float, float], art: Path | None) -> list[Shape]:
    """Return the front of a card.  Raises CardsError for a text that does not fit or a letter that the font lacks."""
    width, height = size
    for text in (card.text, card.name, *card.rules, *(word for pair in card.attributes.items() for word in pair)):
        _check_letters(text, card)
    corner = 14.0 if len(card.text) <= 3 else 10.0
    shapes: list[Shape] = [
        Box(0, 0, width, height, PAPER),
        Box(0, 0, width, height, "#999999", filled=False),
        Text(PAD, PAD + corner * POINT, corner, card.text, bold=True, centred=False, colour=colour),
        Text(PAD, PAD + corner * POINT, corner, card.text, bold=True, centred=False, turned=True, colour=colour),
    ]
    top, bottom = PAD + corner * POINT + 2, height - PAD - corner * POINT - 2
    if card.name != card.text:
        lines = _wrapped(capital(card.name), width - 2 * PAD, 12.0, bold=True)
        for line in lines:
            top += 12.0 * POINT
            shapes.append(Text(width / 2, top, 12.0, line, bold=True))
        top += 2
    picture, room = picture_of(card, art), bottom - top
    if picture is None and not card.rules:
        points = min(60.0, 60.0 * (width - 4 * PAD) / max(1.0, _width(card.text, 60.0, bold=True)))
        shapes.append(Text(width / 2, (top + bottom) / 2, points, card.text, bold=True, colour=colour))
    values = _packed([f"{name.replace('_', ' ')}: {value}" for name, value in card.attributes.items()], width - 2 * PAD)
    if values:
        shapes.append(Box(PAD, bottom - len(values) * 3.4 - 1, width - 2 * PAD, 0.3, colour))
        for number, line in enumerate(reversed(values)):
            shapes.append(Text(width / 2, bottom - 3.4 * number, VALUES, line))
        bottom -= len(values) * 3.4 + 2
    if picture is not None:
        lines, step = _rule_lines(card, width - 2 * PAD, SMALLEST_TEXT)
        left = bottom - top - 1 - len(lines) * step
        high = room * 0.85 if not card.rules else max(room * LEAST_PICTURE, min(room * 0.5, left))
        shapes.append(Picture(PAD, top, width - 2 * PAD, high, picture))
        top += high + 1
    if card.rules:
        shapes += _paragraph(card, (PAD, top, width - 2 * PAD, bottom - top))
    return shapes


def fronts(game: GameBase, size: tuple[float, float], art: Path | None) -> Callable[[FaceView], list[Shape]]:
    """Return a function that gives the front of a card; each is laid out once, however many copies there are."""
    suits = suit_views(game)
    made: dict[int, list[Shape]] = {}

    def front(card: FaceView) -> list[Shape]:
        if card.face not in made:
            colour = INK if card.suit is None else suits[card.suit].colour
            made[card.face] = face_shapes(card, colour, size, art)
        return made[card.face]

    return front


def back_shapes(title: str, size: tuple[float, float], owner: int | None) -> list[Shape]:
    """Return the back of a card: the name of the game in a frame, in a colour for each deck."""
    width, height = size
    shapes: list[Shape] = [
        Box(0, 0, width, height, COLOURS[(owner or 0) % len(COLOURS)]),
        Box(PAD, PAD, width - 2 * PAD, height - 2 * PAD, PAPER, filled=False),
    ]
    lines = _wrapped(title, width - 4 * PAD, 14.0, bold=True)
    top = height / 2 - len(lines) * 14.0 * POINT / 2
    for number, line in enumerate(lines, 1):
        shapes.append(Text(width / 2, top + number * 14.0 * POINT, 14.0, line, bold=True, colour=PAPER))
    return shapes


def _rule_lines(card: FaceView, width: float, points: float) -> tuple[list[str], float]:
    """Return the lines of the rules of a card in a size, and the millimetres from one to the next."""
    return [line for rule in card.rules for line in _wrapped(rule, width, points)], points * 1.2 * POINT


def _paragraph(card: FaceView, box: tuple[float, float, float, float]) -> list[Shape]:
    """Return the rules of a card in the largest size in which they fit into a rectangle."""
    x, y, width, height = box
    points = LARGEST_TEXT
    while points >= SMALLEST_TEXT:
        lines, step = _rule_lines(card, width, points)
        if len(lines) * step <= height:
            return [Text(x, y + step * n, points, line, centred=False) for n, line in enumerate(lines, 1)]
        points -= 0.5
    raise CardsError(f"the rules of `{card.text}` do not fit on the card: choose a larger size, or give the card art "
                     f"that holds its text")  # fmt: skip


def picture_of(card: FaceView, art: Path | None) -> Path | None:
    """Return the picture of a card in a folder: a file with the name of its text."""
    if art is None or "/" in card.text:
        return None
    found = (art / f"{card.text}{suffix}" for suffix in (".png", ".jpg", ".jpeg"))
    return next((path for path in found if path.is_file()), None)


# ---- fonts


def _package(name: str) -> Any:
    """Return a module of the extra `cards`.  Raises MissingPackageError."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise MissingPackageError("printing cards needs reportlab: pip install 'cardgame[cards]'") from None


@cache
def _font(bold: bool) -> Any:
    """Return the font of texts, which comes with reportlab."""
    fonts: Any = _package("reportlab.pdfbase.ttfonts")
    metrics = _package("reportlab.pdfbase.pdfmetrics")
    name = "VeraBd" if bold else "Vera"
    metrics.registerFont(fonts.TTFont(name, f"{name}.ttf"))
    return metrics.getFont(name)


def _check_letters(text: str, card: FaceView) -> None:
    missing = next((letter for letter in text if ord(letter) not in _font(False).face.charToGlyph), None)
    if missing is not None:
        raise CardsError(f"the font has no letter {missing!r}, which is on the card `{card.text}`")


def _width(text: str, points: float, *, bold: bool = False) -> float:
    return float(_font(bold).stringWidth(text, points)) * POINT


def _wrapped(text: str, width: float, points: float, *, bold: bool = False) -> list[str]:
    """Return a text in lines that are at most so many millimetres wide; a longer word has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and _width(f"{lines[-1]} {word}", points, bold=bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _packed(texts: list[str], width: float) -> list[str]:
    """Return texts in as few lines as hold them whole."""
    lines: list[str] = []
    for text in texts:
        if lines and _width(f"{lines[-1]}, {text}", VALUES) <= width:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    return lines


# ---- PDF


def pdf(
    game: GameBase, size: str = "poker", paper: str = "a4", *, art: Path | None = None, backs: bool = True
) -> bytes:
    """Return all cards of a game as a PDF with crop marks; equal games give equal bytes.

    With `backs`, each page of fronts is followed by a page of backs for printing on both sides, turned on the long
    edge.
    """
    canvas_of = _package("reportlab.pdfgen.canvas").Canvas
    page, card_size = PAPERS[paper], SIZES[size]
    across, down = (int((page[n] - 2 * MARGIN) // card_size[n]) for n in (0, 1))
    cards = _deck(game)
    made = io.BytesIO()
    canvas = canvas_of(made, pagesize=tuple(side / POINT for side in page), invariant=1)
    canvas.setTitle(game.title)
    front = fronts(game, card_size, art)
    left, top = ((page[n] - count * card_size[n]) / 2 for n, count in ((0, across), (1, down)))
    for first in range(0, len(cards), across * down):
        for is_back in (False, True) if backs else (False,):
            for number, card in enumerate(cards[first : first + across * down]):
                row, column = divmod(number, across)
                shapes = back_shapes(game.title, card_size, card.owner) if is_back else front(card)
                column = across - 1 - column if is_back else column
                place = (left + column * card_size[0], top + row * card_size[1])
                _draw(canvas, shapes, place, page[1], card_size)
            _crop_marks(canvas, (left, top), (across, down), card_size, page[1])
            canvas.showPage()
    canvas.save()
    return made.getvalue()


def _draw(
    canvas: Any, shapes: Sequence[Shape], place: tuple[float, float], page_height: float, size: tuple[float, float]
) -> None:
    """Draw a card on a page; reportlab counts in points from the bottom left."""
    canvas.saveState()
    canvas.translate(place[0] / POINT, (page_height - place[1]) / POINT)
    for shape in shapes:
        match shape:
            case Box():
                canvas.setFillColor(shape.colour)
                canvas.setStrokeColor(shape.colour)
                canvas.setLineWidth(0.3)
                corner = (shape.x / POINT, -(shape.y + shape.height) / POINT)
                canvas.rect(
                    *corner, shape.width / POINT, shape.height / POINT, fill=shape.filled, stroke=not shape.filled
                )
            case Picture():
                corner = (shape.x / POINT, -(shape.y + shape.height) / POINT)
                canvas.drawImage(str(shape.path), *corner, shape.width / POINT, shape.height / POINT,
                                 preserveAspectRatio=True, anchor="c", mask="auto")  # fmt: skip
            case Text():
                canvas.saveState()
                if shape.turned:
                    canvas.translate(size[0] / POINT, -size[1] / POINT)
                    canvas.rotate(180)
                canvas.setFillColor(shape.colour)
                canvas.setFont(_font(shape.bold).fontName, shape.points)
                write = canvas.drawCentredString if shape.centred else canvas.drawString
                write(shape.x / POINT, -shape.y / POINT, shape.words)
                canvas.restoreState()
    canvas.restoreState()


def _crop_marks(
    canvas: Any, corner: tuple[float, float], counts: tuple[int, int], size: tuple[float, float], page_height: float
) -> None:
    """Draw where to cut, outside of the cards."""
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.2)
    (left, top), (across, down) = corner, counts
    right, bottom = left + across * size[0], top + down * size[1]
    lines = [
        (left + n * size[0], y, left + n * size[0], y + MARK) for n in range(across + 1) for y in (top - MARK, bottom)
    ]
    lines += [
        (x, top + n * size[1], x + MARK, top + n * size[1]) for n in range(down + 1) for x in (left - MARK, right)
    ]
    for x1, y1, x2, y2 in lines:
        canvas.line(x1 / POINT, (page_height - y1) / POINT, x2 / POINT, (page_height - y2) / POINT)


# ---- images and tables


def sheets(game: GameBase, size: str = "poker", *, art: Path | None = None) -> list[bytes]:
    """Return all cards as PNG images of 10 by 7 cards, as virtual tabletops read them; the last place is the back."""
    card_size = SIZES[size]
    cards = _deck(game)
    front, made = fronts(game, card_size, art), []
    for first in range(0, len(cards), PER_SHEET - 1):
        some = cards[first : first + PER_SHEET - 1]
        faces = [front(card) for card in some]
        rows = -(-(len(some) + 1) // PER_ROW)
        places = {**dict(enumerate(faces)), rows * PER_ROW - 1: back_shapes(game.title, card_size, some[0].owner)}
        made.append(_image(places, rows, card_size))
    return made


def _image(places: dict[int, list[Shape]], rows: int, size: tuple[float, float]) -> bytes:
    image_of, draw_of = _package("PIL.Image"), _package("PIL.ImageDraw")
    cell = tuple(round(side * DOTS) for side in size)
    sheet = image_of.new("RGB", (cell[0] * PER_ROW, cell[1] * rows), PAPER)
    for number, shapes in places.items():
        card = image_of.new("RGB", cell, PAPER)
        for shape in shapes:
            _paint(image_of, draw_of, card, shape)
        sheet.paste(card, (number % PER_ROW * cell[0], number // PER_ROW * cell[1]))
    made = io.BytesIO()
    sheet.save(made, "PNG")
    return made.getvalue()


def _paint(image_of: Any, draw_of: Any, card: Any, shape: Shape) -> None:
    """Paint a shape on a card."""
    match shape:
        case Box():
            edges = [n * DOTS for n in (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)]
            colours = {"fill": shape.colour} if shape.filled else {"outline": shape.colour, "width": 2}
            draw_of.Draw(card).rectangle(edges, **colours)
        case Picture():
            with image_of.open(shape.path) as found:
                picture = found.convert("RGBA")
            picture.thumbnail((round(shape.width * DOTS), round(shape.height * DOTS)))
            middle = (shape.x + shape.width / 2, shape.y + shape.height / 2)
            corner = tuple(round(m * DOTS - s / 2) for m, s in zip(middle, picture.size, strict=True))
            card.paste(picture, corner, picture)
        case Text(turned=True):
            other = image_of.new("RGBA", card.size, (0, 0, 0, 0))
            _paint(image_of, draw_of, other, attrs.evolve(shape, turned=False))
            other = other.rotate(180)
            card.paste(other, (0, 0), other)
        case Text():
            path = _font(shape.bold).face.filename
            font = _package("PIL.ImageFont").truetype(path, round(shape.points * POINT * DOTS))
            anchor = "ms" if shape.centred else "ls"
            place = (shape.x * DOTS, shape.y * DOTS)
            draw_of.Draw(card).text(place, shape.words, fill=shape.colour, font=font, anchor=anchor)


def table(game: GameBase) -> str:
    """Return the cards as CSV, a row for each face, as nanDECK and Squib read it."""
    cards = face_views(game)
    names = list(dict.fromkeys(name for card in cards for name in card.attributes))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["text", "name", "kind", "deck", "copies", *names, "rules"])
    for card in cards:
        deck = "" if card.owner is None else f"player {card.owner + 1}"
        name = "" if card.name == card.text else card.name
        row = [card.text, name, card.kind, deck, str(card.copies), *(card.attributes.get(n, "") for n in names)]
        writer.writerow([*row, " ".join(card.rules)])
    return out.getvalue()
