"""Placement of the cards of a scenario: each card is in one place, and none is missing."""

from __future__ import annotations

import random

from grammar.diagnostics import Cure, Edit, SpecError
from grammar.english import counted
from grammar.source import Span
from grammar.suggest import nearest
from interpreter.analysis import core
from interpreter.engine import chance
from interpreter.engine.faults import IllegalActionError
from interpreter.engine.game import Game, LoggedState


class CardPlacement:
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

        Raises SpecError for unknown cards and those that are used up.
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
            raise _misplaced(str(error), span, card_meant(self.game, word, span)) from error
        for card in self.free:
            if self.game.card_faces[card] == face:
                self.free.remove(card)
                return card
        raise _misplaced(f"all cards `{word}` lie somewhere already", span, "the deck has no more of them")

    def _room(self, place: int, count: int, span: Span) -> None:
        zone = self.game.places[place][0]
        if count > zone.capacity:
            raise _misplaced(f"{self.game.place_name(place)} holds at most {zone.capacity} cards", span)
        if place in self.filled:
            raise _misplaced(f"{self.game.place_name(place)} is given twice", span)
        self.filled[place] = span

    def fill(self, place: int, count: int, deck: int | None, span: Span) -> None:
        """Put any cards of the rest in a place, of one deck where its zone is given, else of those dealt there.

        Those that lie on top or at the bottom of the place already count too.
        Raises SpecError where there are too few.
        """
        self._room(place, count, span)
        count -= sum(len(cards) for there, _, cards in self.tops if there == place)
        fitting = self._fitting(place, deck)
        name = self.game.place_name(place)
        if count > len(fitting):
            of = "" if deck is None else f" of {self.game.place_name(deck)}"
            raise _misplaced(f"of the cards left, {len(fitting)}{of} can lie in {name}, not {count}", span)
        if count < 0:
            raise _misplaced(f"{name} holds more cards than that already", span)
        if deck is None and len(set(self.homes.values())) > 1:
            homes = {home for home in set(self.homes.values()) if self._is_dealt(home, place)}
            dealt = [card for card in fitting if self.homes[card] in homes]
            fitting = dealt if len(dealt) >= count else fitting
        # Spread the picks over the rest, so that they are not all of one kind.
        step = max(1, len(fitting) // max(1, count))
        for card in fitting[::step][:count]:
            self.free.remove(card)
            self.state.zones[place].append(card)

    def _is_dealt(self, home: int, place: int) -> bool:
        """Say whether cards of a deck begin in a place, or a statement moves them from there directly to its zone."""
        origin, target = self.game.places[home][0], self.game.places[place][0]
        return home == place or any(
            moved.target.zone is target and any(isinstance(p, core.ZoneRef) and p.zone is origin for p in parts)
            for stmt in self.game.rules.statements()
            for moved in core.transfers(stmt)
            if (parts := list(core.walk(moved.cards)))
        )

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
        """Let all that is placed nowhere else lie in a place.  Raises SpecError where that is said twice."""
        if self.rest_at is not None:
            raise _misplaced("the rest lies in one place only", span)
        self.rest_at = place
        self.filled[place] = span

    def rest(self, rng: random.Random) -> None:
        """Put what is left where it belongs, shuffled, and the given tops and bottoms on it.

        Raises SpecError where the deck's zone is to hold certain cards and others are left.
        """
        if self.rest_at is not None:
            mine = self._fitting(self.rest_at)
            capacity = self.game.places[self.rest_at][0].capacity
            if len(mine) > capacity:
                name = self.game.place_name(self.rest_at)
                message = f"{name} holds at most {capacity} cards, and {len(mine)} are left"
                raise _misplaced(message, self.filled[self.rest_at])
            chance.mix(rng, mine)
            self.free = [card for card in self.free if card not in mine]
            self.state.zones[self.rest_at].extend(mine)
        left = list(self.free)
        chance.mix(rng, left)
        for place, span in self.filled.items():
            over = sum(self.homes[card] == place for card in left)
            if over:
                raise _misplaced(
                    f"{counted(over, 'card')} more would lie in {self.game.place_name(place)}: "
                    "no other line says where",
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


def _misplaced(message: str, span: Span, cure: str | Cure = "") -> SpecError:
    return SpecError.of("CG225", message, span, cure)


def card_meant(game: Game, word: str, span: Span) -> str | Cure:
    """Return the cure of a word that is no card, where one is near; among short texts any other could be meant."""
    near = nearest(word.lower(), game.texts.by_text)
    if near is None:
        return ""
    text = game.texts.face(game.texts.by_text[near][0])
    words = f"did you mean `{text}`?"
    return words if len(near) < 4 else Cure(words, (Edit(span.part(word), text),))
