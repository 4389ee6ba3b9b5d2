"""What scenarios say of cards and actions, against what the game has."""

from __future__ import annotations

import random
import re

from grammar import expressions as syntax
from grammar.diagnostics import Cure, Edit
from grammar.scenario import Sentence
from grammar.source import Span
from grammar.suggest import nearest, suggestion
from interpreter.analysis import core
from interpreter.analysis.types import Card, Cards, Int, base_of
from interpreter.program.nodes import Decision
from interpreter.runtime import chance
from interpreter.runtime.faults import IllegalActionError
from interpreter.runtime.game import Game, LoggedState
from interpreter.runtime.text.texts import NOTHING, word_for


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
        self.filled: dict[int, Span] = {}
        self.rest_at: int | None = None
        for zone in state.zones:
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
        self.state.zones[place].extend(cards)

    def _take(self, word: str, place: int, span: Span) -> int:
        try:
            face = self.game.texts.read_face(word, self.game.place_owners[place])
        except IllegalActionError as error:
            raise PlacingError(str(error), span, card_meant(self.game, word, span)) from error
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
        self.filled[place] = span

    def fill(self, place: int, count: int, deck: int | None, span: Span) -> None:
        """Put any cards of the rest in a place, of one deck where its zone is given.

        Those that lie on top or at the bottom of the place already count too.  Raises PlacingError where there are too
        few.
        """
        self._room(place, count, span)
        count -= sum(len(cards) for there, _, cards in self.tops if there == place)
        fitting = self._fitting(place, deck)
        name = self.game.place_name(place)
        if count > len(fitting):
            of = "" if deck is None else f" of {self.game.place_name(deck)}"
            raise PlacingError(f"of the cards left, {len(fitting)}{of} can lie in {name}, not {count}", span)
        if count < 0:
            raise PlacingError(f"{name} holds more cards than that already", span)
        # Spread the picks over the rest, so that they are not all of one kind.
        step = max(1, len(fitting) // max(1, count))
        for card in fitting[::step][:count]:
            self.free.remove(card)
            self.state.zones[place].append(card)

    def _fitting(self, place: int, deck: int | None = None) -> list[int]:
        """Return the cards of the rest that may lie in a place: with its owner's cards or, where it has none, all."""
        owner, faces = self.game.place_owners[place], self.game.card_faces
        return [
            card
            for card in self.free
            if (deck is None or self.homes[card] == deck)
            and (owner is None or self.game.rules.faces[faces[card]].owner in (None, owner))
        ]

    def the_rest(self, place: int, span: Span) -> None:
        """Let all that is placed nowhere else lie in a place.  Raises PlacingError where that is said twice."""
        if self.rest_at is not None:
            raise PlacingError("the rest lies in one place only", span)
        self.rest_at = place
        self.filled[place] = span

    def rest(self, rng: random.Random) -> None:
        """Put what is left where it belongs, shuffled, and the given tops and bottoms on it.

        Raises PlacingError where the deck's zone is to hold certain cards and others are left.
        """
        if self.rest_at is not None:
            mine = self._fitting(self.rest_at)
            capacity = self.game.places[self.rest_at][0].capacity
            if len(mine) > capacity:
                name = self.game.place_name(self.rest_at)
                message = f"{name} holds at most {capacity} cards, and {len(mine)} are left"
                raise PlacingError(message, self.filled[self.rest_at])
            chance.mix(rng, mine)
            self.free = [card for card in self.free if card not in mine]
            self.state.zones[self.rest_at].extend(mine)
        left = list(self.free)
        chance.mix(rng, left)
        for place, span in self.filled.items():
            over = sum(self.homes[card] == place for card in left)
            if over:
                raise PlacingError(
                    f"{_cards(over)} more would lie in {self.game.place_name(place)}: no other line says where",
                    span, f"say it, as in `given {self._roomy(place, over)} holds the rest`",
                )  # fmt: skip
        for card in left:
            self.state.zones[self.homes[card]].append(card)
        for place, end, cards in self.tops:
            zone = self.state.zones[place]
            if end == "top":
                zone[:0] = cards
            else:
                zone.extend(cards)
        for place, zone in enumerate(self.state.zones):
            if self.game.unordered[place]:
                zone.sort()

    def _roomy(self, but: int, count: int) -> str:
        """Return the name of a place that may hold so many cards and has none so far, the deck's own where all do."""
        game = self.game
        homes = set(self.homes.values())
        for place in sorted(range(len(game.places)), key=lambda place: game.place_owners[place] is not None):
            zone = game.places[place][0]
            if place not in self.filled and place not in homes and zone.capacity >= count:
                return game.place_name(place)
        return game.place_name(but)


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def verbs(game: Game) -> list[str]:
    """Return the verbs of all actions of a game."""
    return sorted({shape.verb for shape in game.program.shapes})


def check_form(game: Game, words: list[str], span: Span) -> None:
    """Raise SentenceError where no action of a game has the form of these words: a verb, and what follows it.

    A number out of its range has the form: that the range ends there is a rule like any other.
    """
    actions = {
        id(way.action): way.action
        for node in game.program.nodes
        if isinstance(node, Decision)
        for way in node.ways
        if way.action.verb.lower() == words[0].lower()
    }
    problems = [_misfit(game, action, words[1:]) for action in actions.values()]
    if problems and all(problems):
        raise SentenceError(f"nobody can ever say `{' '.join(words)}`: {problems[0]}", span,
                            f"`{words[0]}` is said as " + " or ".join(map(_form, actions.values())))  # fmt: skip


def _misfit(game: Game, action: core.Action, words: list[str]) -> str:
    """Return why words cannot be the arguments of an action; nothing where they can."""
    sets = [arg for arg in action.args if arg.form == "cards"]
    single = len(action.args) - len(sets)
    if len(words) < single:
        return f"say which {word_for(action.args[min(len(words), single - 1)])}"
    if not sets and len(words) > single:
        return f"`{' '.join(words[single:])}` is too much"
    rest = list(words)
    for number, arg in enumerate(action.args):
        if arg.form == "cards" and len(sets) > 1:
            return ""  # Where the first cards end, the rules say.
        behind = len(action.args) - number - 1
        mine = [rest.pop(0)] if arg.form != "cards" else rest[: len(rest) - behind]
        if arg.form == "cards":
            del rest[: len(mine)]
        if arg.form == "cards" and [word.lower() for word in mine] in ([NOTHING], ["none"]):
            continue
        for word in mine:
            try:
                if isinstance(base_of(arg.local.type), Card | Cards):
                    game.texts.meanings(word)
                elif not (isinstance(base_of(arg.local.type), Int) and re.fullmatch(r"-?\d{1,9}", word)):
                    game.texts.read_value(arg, word)
            except IllegalActionError as error:
                return str(error)
    return ""


def _form(action: core.Action) -> str:
    parts = ["cards" if arg.form == "cards" else f"a {word_for(arg)}" for arg in action.args]
    return f"`{action.verb}`" + (f" with {' and '.join(parts)}" if parts else " alone")


def card_meant(game: Game, word: str, span: Span) -> str | Cure:
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
                    try:
                        game.texts.meanings(text)
                    except IllegalActionError as error:
                        raise SentenceError(str(error), word.span, card_meant(game, text, word.span)) from error
                    words.append(text)
            case syntax.Name():
                words.append(word.name)
            case syntax.Seat() | syntax.Number():
                words.append(str(word.number if isinstance(word, syntax.Seat) else word.value))
            case syntax.Bool():
                words.append("yes" if word.value else "no")
            case _:  # All others are typed as they are written.
                words.append(word.span.text)
    return " ".join(words)
