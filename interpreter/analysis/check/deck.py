"""Lay out the deck: which cards there are, how they are written, and where they lie before play."""

from __future__ import annotations

import re
from itertools import product
from math import prod

import msgspec

from grammar import ast as syntax
from grammar.diagnostics import Cure, Edit, insert
from grammar.expressions import KindPattern, NumberPattern
from interpreter.analysis import constant_folding, core
from interpreter.analysis.card_faces import Face
from interpreter.analysis.check.declarations import resolve_type
from interpreter.analysis.check.type_conformance import condition
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.limits import CARD_LIMIT
from interpreter.analysis.symbols import Kind, Zone
from interpreter.analysis.types import Bool, Card, EnumType, Int, Player, Type, Unknown, range_low, size_of, values_of

Values = tuple[int | bool, ...]


class Deck(msgspec.Struct):
    """The cards of a game: faces, the face of each card, and the places they start in."""

    faces: tuple[Face, ...] = ()
    card_faces: tuple[int, ...] = ()
    homes: tuple[tuple[int, tuple[int, ...]], ...] = ()
    home: Zone | None = None


LINE_LIMIT = 50_000
"""Cards that all lines of the decks may go through, each line those that its pattern lets."""

FACE_LIMIT = 1_000
"""Characters of what is written on a card."""

_OTHER_MEANING = {
    "nothing": "it means no card", "none": "it means no card", "done": "it ends a set", "?": "it is a card not seen",
}  # fmt: skip
"""Words of a typed decision that no card can have as its text."""

Line = tuple[syntax.DeckDecl, Kind, Values, int]
"""One card of one line of a deck: the deck, its kind, its attributes, and how many copies."""


def count_cards(cx: Context, decls: list[syntax.DeckDecl]) -> tuple[list[Line], int]:
    """Return each line's cards with how many copies, and the number of cards of all decks together."""
    found: list[Line] = []
    total = 0
    for decl in decls:
        copies = 1
        if decl.index is not None:
            type_ = resolve_type(cx, decl.index)
            size = cx.num_players if isinstance(type_, Player) else size_of(type_)
            copies = size or 1
        for line in decl.lines:
            made = _line(cx, decl, line)
            found.extend(made)
            total += copies * sum(m[3] for m in made)
            if total > CARD_LIMIT:
                cx.report("CG405", f"the deck has more than {CARD_LIMIT} cards", line.span)
                return [], 0
    return found, CARD_LIMIT if cx.doubtful_deck else total


def _line(cx: Context, decl: syntax.DeckDecl, line: syntax.DeckLine) -> list[Line]:
    pattern = line.cards
    kind = cx.symbols.get(pattern.name) if isinstance(pattern, KindPattern) else None
    if not isinstance(kind, Kind) or not isinstance(pattern, KindPattern):
        name = pattern.name if isinstance(pattern, KindPattern) else ""
        cx.unknown("CG201", f"no kind of card is called `{name}`", name, pattern.span, cx.kinds)
        return []
    cx.info.mentions.append((pattern.span.word(kind.name), kind))
    if any(isinstance(a.type, Unknown) for a in kind.attributes):
        cx.doubtful_deck = True
        return []
    domains = [values_of(a.type) or () for a in kind.attributes]
    size = prod(map(len, domains))
    if size > CARD_LIMIT:
        cx.report("CG405", f"`{kind.name}` has {size} different cards", line.span, f"at most {CARD_LIMIT}")
        return []
    if pattern.args is not None:
        if len(pattern.args) != len(domains):
            cx.report("CG207", f"`{kind.name}` has {len(domains)} attributes", pattern.span)
            return []
        for number, given in enumerate(pattern.args):
            if isinstance(given, NumberPattern):
                domains[number] = [v for v in domains[number] if given.low <= v <= given.high]
            elif given is not None:
                value = cx.expr(given, Scope(), kind.attributes[number].type)
                if isinstance(value, core.Const):
                    domains[number] = [v for v in domains[number] if v == value.value]
    elif not line.each and kind.attributes:
        cure = insert(pattern.span, "each ", f"write `of each {kind.name}`, or name one by its attributes")
        cx.report("CG336", f"there are {size} different cards of `{kind.name}`", line.span, cure)
        return []
    cx.deck_work += prod(map(len, domains))
    if cx.deck_work > LINE_LIMIT:
        cx.report("CG405", f"the lines of the deck select more than {LINE_LIMIT:,} cards together", line.span,
                  "name the cards of a line by their attributes, or let one line give several")  # fmt: skip
        return []
    questions = _questions(cx, line, kind)
    read = {p.name for q in questions if q is not None for p in core.walk(q) if isinstance(p, core.CardAttr)}
    places = [place for place, attribute in enumerate(kind.attributes) if attribute.name in read]
    counts: dict[Values, int | None] = {}
    found = []
    for values in product(*domains):
        key = tuple(values[place] for place in places)
        if key not in counts:
            counts[key] = _copies(cx, line, kind, values, questions)
        count = counts[key]
        if count is None:
            return []
        if count:
            found.append((decl, kind, values, count))
    return found


def _questions(cx: Context, line: syntax.DeckLine, kind: Kind) -> tuple[core.Expr | None, core.Expr]:
    """Return the condition of a line and its number of copies, which may speak of `each` of its cards."""
    card = cx.local("each", Card(frozenset({kind.name})), line.span)
    with cx.during(each=card):
        test = None if line.where is None else condition(cx, line.where, Scope())
        return test, cx.expr(line.count, Scope())


def _copies(
    cx: Context, line: syntax.DeckLine, kind: Kind, values: Values, questions: tuple[core.Expr | None, core.Expr]
) -> int | None:
    """Return how many copies of one card a line asks for; None after a mistake."""
    given, copies = questions
    if given is not None and line.where is not None:
        test = _settled(given, kind, values)
        if isinstance(test.type, Unknown):
            return None
        if not isinstance(test, core.Const):
            cx.report("CG314", "which cards are in the deck must be known before play", line.where.span)
            return None
        if not test.value:
            return 0
    count = _settled(copies, kind, values)
    if isinstance(count.type, Unknown):
        return None
    if not isinstance(count, core.Const) or not isinstance(count.type, Int) or not isinstance(count.value, int):
        cx.report("CG314", "the number of cards must be known before play", line.count.span)
        return None
    if count.value < 0 or count.value > CARD_LIMIT:
        cx.report("CG405", f"{count.value} copies of a card are out of bounds", line.count.span,
                  f"0 to {CARD_LIMIT}")  # fmt: skip
        return None
    return count.value


def _settled(expr: core.Expr, kind: Kind, values: Values) -> core.Expr:
    """Put the attributes of one card in the place of `each` and reduce what becomes known."""
    if isinstance(expr, core.CardAttr):
        for attribute, value in zip(kind.attributes, values, strict=True):
            if attribute.name == expr.name:
                exact = Int(value, value) if isinstance(attribute.type, Int) else attribute.type
                return core.Const(value, exact, expr.span)
        return expr
    if expr.__class__ in core.LEAVES:
        return expr
    return constant_folding.reduced(core.map_children(expr, lambda part: _settled(part, kind, values)))


def write(text: str, kind: Kind, values: Values) -> str:
    """Return a card's text: each `{attribute}` replaced by its short form."""
    if "{" not in text:
        return text
    shown = {a.name: _short(a.type, v) for a, v in zip(kind.attributes, values, strict=True)}
    return re.sub(r"\{([^}]*)\}", lambda m: shown.get(m.group(1), m.group(0)), text)


def _short(type_: Type, value: int | bool) -> str:
    if isinstance(type_, EnumType):
        return type_.texts[value]
    return str(value).lower() if isinstance(type_, Bool) else str(value)


def lay_out(cx: Context, decls: list[syntax.DeckDecl], lines: list[Line]) -> Deck:
    """Number the cards and put them where they start; mistakes are reported."""
    faces: list[Face] = []
    written: dict[tuple[int | None, str], Face] = {}
    card_faces: list[int] = []
    homes: dict[int, list[int]] = {}
    home: Zone | None = None
    for decl in decls:
        zone = cx.symbols.get(decl.zone)
        if not isinstance(zone, Zone):
            known = [n for n, s in cx.symbols.items() if isinstance(s, Zone)]
            cx.unknown("CG201", f"no zone is called `{decl.zone}`", decl.zone, decl.span, known)
            continue
        cx.info.mentions.append((decl.span.word(decl.zone), zone))
        wanted = () if decl.index is None else (resolve_type(cx, decl.index),)
        if zone.indices != wanted:
            shape = ", ".join(str(t) for t in zone.indices)
            cx.report("CG207", f"`{zone.name}` and its deck have different indices", decl.span,
                      f"write `deck in {zone.name}[{shape}]`" if shape else f"write `deck in {zone.name}`")  # fmt: skip
            continue
        home = home or zone
        own = [line for line in lines if line[0] is decl]
        for copy in range(zone.places):
            owner = copy if zone.owner_index is not None else None
            for _, kind, values, count in own:
                if _length(kind, values) > FACE_LIMIT:
                    cx.report("CG405", f"the text of this card has more than {FACE_LIMIT:,} characters", kind.span,
                              "write less on it, or shorter texts of its attributes")  # fmt: skip
                    break
                text = write(kind.written, kind, values)
                name = text if not kind.named else kind.named[_name_index(kind, values)]
                low = text.lower()
                key = (owner, low.lstrip("+") or low)
                _check_text(cx, text, kind, written.get(key))
                faces.append(Face(kind.name, values, text, name, owner, count))
                written.setdefault(key, faces[-1])
                cards = range(len(card_faces), len(card_faces) + count)
                homes.setdefault(zone.base + copy, []).extend(cards)
                card_faces.extend([len(faces) - 1] * count)
        if len(homes.get(zone.base, ())) > zone.capacity:
            size = len(homes[zone.base])
            cx.report("CG337", f"`{zone.name}` holds at most {zone.capacity} cards, less than its deck", decl.span,
                      f"write `at most {size}` where the zone is declared, or leave its `at most` out")  # fmt: skip
    placed = tuple((place, tuple(cards)) for place, cards in sorted(homes.items()))
    return Deck(tuple(faces), tuple(card_faces), placed, home)


def _name_index(kind: Kind, values: Values) -> int:
    if not kind.attributes:
        return 0
    type_ = kind.attributes[0].type
    low = range_low(type_)
    return min(int(values[0]) - low, len(kind.named) - 1)


def _length(kind: Kind, values: Values) -> int:
    """Return how long the text of a card comes to be, at most."""
    shown = zip(kind.attributes, values, strict=True)
    holes = (kind.written.count(f"{{{attr.name}}}") * len(_short(attr.type, value)) for attr, value in shown)
    return len(kind.written) + sum(holes)


def _check_text(cx: Context, text: str, kind: Kind, twin: Face | None) -> None:
    if "{" in text:  # It has an attribute that its kind does not have, which is reported there.
        return
    if not text or re.search(r"\s", text):
        place = kind.span.part(f'"{kind.written}"')
        closed = re.sub(r"\s", "", place.text)
        cure = Cure(f"leave out spaces in `written`: `{closed}`", (Edit(place, closed),))
        cx.report("CG338", f"the card text `{text}` must be one word", kind.span, cure)
    elif text.lower() in _OTHER_MEANING or "," in text or "@" in text:
        means = _OTHER_MEANING.get(text.lower(), "`,` separates cards" if "," in text else "`@` precedes an owner")
        cx.report("CG338", f"no player can type the card text `{text}`: {means}", kind.span, "write another text")
    if twin is not None and twin.text != text:
        cx.report("CG328", f"a {twin.kind} is written `{twin.text}`: no player can type `{text}` instead", kind.span,
                  "write texts that differ in more than capitals and a `+` in front")  # fmt: skip
    elif twin is not None:
        missing = [attr.name for attr in kind.attributes if f"{{{attr.name}}}" not in kind.written]
        same = f"a {twin.kind} is written so too"
        if twin.kind == kind.name:
            same = "this card is in the deck twice"
            if missing:
                same = f"cards that differ in `{missing[0]}` are written alike"
        cx.report("CG328", f"`{text}` is not one card: {same}", kind.span,
                  "give every attribute a place in `written`, or the deck one line")  # fmt: skip
