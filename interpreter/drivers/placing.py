"""What scenarios say of cards and actions, against what the game has."""

from __future__ import annotations

import random

from grammar import expressions as syntax
from grammar.diagnostics import Cure, Edit
from grammar.scenario import Sentence
from grammar.source import Span
from grammar.suggest import nearest, suggestion
from interpreter.runtime import chance
from interpreter.runtime.faults import IllegalActionError
from interpreter.runtime.game import Game
from interpreter.runtime.logged import LoggedState


class PlacingError(Exception):
    """Cards that cannot lie where a scenario puts them."""

    def __init__(self, message: str, span: Span, cure: str | Cure = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.cure = cure


class SentenceError(PlacingError):
    """Words that mean nothing in the game."""


class Placing:
    """Puts cards in place; each card lies in one place only, and none is lost."""

    def __init__(self, game: Game, state: LoggedState) -> None:
        self.game = game
        self.state = state
        self.homes = {card: place for place, cards in game.rules.homes for card in cards}
        self.free = list(self.homes)
        self.tops: list[tuple[int, str, list[int]]] = []
        self.filled: set[int] = set()
        for zone in state.z:
            zone.clear()

    def holds(self, place: int, texts: str, end: str | None, span: Span) -> None:
        """Put named cards in a place, or (with `top`, `bottom`) at an end of what will lie there.

        Raises PlacingError for unknown cards and those that are used up.
        """
        cards = [self._take(word, place, span) for word in texts.split()]
        if end is not None:
            self.tops.append((place, end, cards))
            return
        self._room(place, len(cards), span)
        self.state.z[place].extend(cards)
        self.filled.add(place)

    def _take(self, word: str, place: int, span: Span) -> int:
        try:
            face = self.game.texts.read_face(word, self.game.place_owners[place])
        except IllegalActionError as error:
            raise PlacingError(str(error), span, _card_meant(self.game, word, span)) from error
        for card in self.free:
            if self.game.card_faces[card] == face:
                self.free.remove(card)
                return card
        raise PlacingError(f"all cards `{word}` lie somewhere already", span, "the deck has no more of them")

    def _room(self, place: int, count: int, span: Span) -> None:
        zone = self.game.places[place][0]
        if count > zone.capacity:
            raise PlacingError(f"{self.game.place_name(place)} holds at most {zone.capacity} cards", span)
        if place in self.filled:
            raise PlacingError(f"{self.game.place_name(place)} is given twice", span)

    def fill(self, place: int, count: int, span: Span) -> None:
        """Put any cards of the rest in a place.  Raises PlacingError where there are too few."""
        self._room(place, count, span)
        owner = self.game.place_owners[place]
        fitting = [c for c in self.free if self.game.rules.faces[self.game.card_faces[c]].owner in (None, owner)]
        if count > len(fitting) or count < 0:
            raise PlacingError(f"only {len(fitting)} cards are left for {self.game.place_name(place)}", span)
        # Spread the picks over the rest, so that they are not all of one kind.
        step = max(1, len(fitting) // max(1, count))
        for card in fitting[::step][:count]:
            self.free.remove(card)
            self.state.z[place].append(card)
        self.filled.add(place)

    def rest(self, rng: random.Random) -> None:
        """Put what is left where the deck lies, shuffled, and the given tops and bottoms on it."""
        left = list(self.free)
        chance.mix(rng, left)
        for card in left:
            self.state.z[self.homes[card]].append(card)
        for place, end, cards in self.tops:
            zone = self.state.z[place]
            if end == "top":
                zone[:0] = cards
            else:
                zone.extend(cards)


def verbs(game: Game) -> list[str]:
    """Return the verbs of all actions of a game."""
    return sorted({shape.verb for shape in game.program.shapes})


def _card_meant(game: Game, word: str, span: Span) -> str | Cure:
    """Return the cure of a word that is no card, where one is near."""
    near = nearest(word.lower(), game.texts.by_text)
    return "" if near is None else Cure(f"did you mean `{near.upper()}`?", (Edit(span.part(word), near.upper()),))


def sentence_text(game: Game, sentence: Sentence) -> str:
    """Return a sentence of a scenario as a player would say it.

    Raises SentenceError for verbs and cards that the game does not have.
    """
    if sentence.verb not in verbs(game):
        cure = suggestion(sentence.verb, verbs(game), sentence.span)
        raise SentenceError(f"no action of this game is called `{sentence.verb}`", sentence.span,
                            cure or "its actions are " + ", ".join(verbs(game)))  # fmt: skip
    words: list[str] = [sentence.verb]
    for word in sentence.words:
        match word:
            case syntax.String():
                for text in word.value.split():
                    if text.lower() not in game.texts.by_text:
                        raise SentenceError(
                            f"no card is called `{text}`", word.span, _card_meant(game, text, word.span)
                        )
                    words.append(text)
            case syntax.Name():
                words.append(word.name)
            case syntax.Seat() | syntax.Number():
                words.append(str(word.number if isinstance(word, syntax.Seat) else word.value))
            case syntax.Bool():
                words.append("yes" if word.value else "no")
            case _:
                words.append(word.span.text)
    return " ".join(words)
