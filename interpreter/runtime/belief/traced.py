"""States that write down what one player sees, in a form that is quick to compare.

Where two plays leave the same trace for a player, they show the player the same, event for event.  The opposite does
not hold: events in which the same is seen can leave traces that differ (cards that go one way in several steps, say).
So equal traces settle it, and others are compared by the full log (`interpreter.runtime.belief.seen`).

Each method traces what `interpreter.runtime.logged` tells; the tests compare the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from interpreter.analysis.types import Card, Cards, Type, base_of
from interpreter.runtime.knowledge.events import eyes_of
from interpreter.runtime.logged import LoggedMachine
from interpreter.runtime.machine import Machine

if TYPE_CHECKING:
    from interpreter.runtime.game_base import GameBase

_NOTHING: tuple[int, tuple[tuple[int, ...], ...], dict[int, int]] = (-1, (), {})


class TracedState(LoggedMachine):
    """A state whose log is the trace of one player.

    `known` are the tokens, with the numbers of their shuffles, that they have learned.
    """

    __slots__ = ("bit", "known", "player")

    def __init__(self, game: GameBase, player: int) -> None:
        super().__init__(game, game.logged_code)
        self.player, self.bit = player, 1 << player
        self.log: list[Any] = []
        self.known: set[tuple[int, int]] = set()

    @classmethod
    def first(cls, game: GameBase, player: int) -> TracedState:
        """Return the state before anything has happened."""
        state = cls(game, player)
        state.begin()
        return state

    def clone(self) -> Self:
        """Return an independent copy."""
        other = self._fresh()
        other.player, other.bit = self.player, self.bit
        other.log = self.log[:]
        other.known = self.known.copy()
        other.sources = self.sources.copy()
        other.token_epochs = self.token_epochs.copy()
        other.unsettled = self.unsettled.copy()
        other.recent = (self.recent[0], self.recent[1], self.recent[2].copy())
        other.epoch = self.epoch
        other.tags, other.given, other.told, other.learned = self.tags, self.given, self.told, self.learned
        return other

    def _saved(self) -> tuple[Any, ...]:
        extra = (
            self.log[:], self.known.copy(), self.sources.copy(), self.epoch, self.token_epochs.copy(),
            (*self.recent[:2], self.recent[2].copy()), self.unsettled.copy(),
        )  # fmt: skip
        return (extra, Machine._saved(self))

    def _restore(self, saved: tuple[Any, ...]) -> None:
        extra, plain = saved
        Machine._restore(self, plain)
        self.log, self.known, self.sources, self.epoch, self.token_epochs, self.recent, self.unsettled = extra

    # ---- what generated code tells

    def _sees(self, card: int, place: int) -> int:
        return self.viewers(card, place) & self.bit

    def _learn(self, card: int, players: int) -> None:
        if players & self.bit:
            source = self.sources.get(card)
            if source is not None:
                self.known.add(source)

    def _settle(self) -> None:
        for place, doubtful in sorted(self.unsettled.items()):
            cards = self.zones[place]
            if doubtful >> self.player & 1 and len(cards) > 1:
                seen = [self._sees(c, place) if c < self.game.num_cards else 0 for c in cards]
                by = tuple([self.played_by.get(c) for c in cards]) if self._tells_players(place) else ()
                if any(seen) or any(p is not None for p in by):
                    faces = tuple([self.face(c) if s else None for c, s in zip(cards, seen, strict=True)])
                    self.log.append(("layout", place, faces, () if set(by) <= {None} else by))
        self.unsettled.clear()

    def _everybody(self) -> list[Any]:
        return [eyes_of(self.player)]

    def _doubt(self, place: int, gone: list[int], target: int, after: int) -> None:
        before = self.unsettled.get(place, 0)
        super()._doubt(place, gone, target, after)
        # One viewer is number 0 of one: their bit is that of the player here.
        if self.unsettled.get(place, 0) != before:
            self.unsettled[place] = self.bit

    def reach(self, tags: tuple[str, ...]) -> None:
        """Rules that were reached are not seen."""

    def first_value(self, place: int, value: Any, begins: bool) -> Any:
        """Return the first value of a variable, and trace it."""
        if begins and self.game.variable_viewers[place] & self.bit:
            old, new = self._shown(self.values[place], place), self._shown(value, place)
            if old != new:
                self.log.append(("first", place, old, new))
        return value

    def set_value(self, place: int, value: Any) -> None:
        """Set a variable, and trace it."""
        if self.game.variable_viewers[place] & self.bit:
            old, new = self._shown(self.values[place], place), self._shown(value, place)
            if old != new:
                self.log.append(("set", place, old, new))
        self.values[place] = value

    def _tell_choice(self, player: int, verb: str, args: tuple[tuple[Type, Any], ...], secret: bool) -> None:
        own = player == self.player
        if secret and not own:
            self.recent = _NOTHING
            self.log.append(("secret", player))
            return
        told: list[Any] = []
        chosen: list[tuple[int, ...]] = []
        for type_, value in args:
            chosen.append(())
            if isinstance(base_of(type_), Card | Cards):
                cards = (value,) if isinstance(base_of(type_), Card) else tuple(value)
                shown = own or all(self._sees(card, self.place_of(card)) for card in cards)
                if not shown:
                    chosen[-1] = cards
                told.append((type_, tuple([self.face(card) for card in cards]) if shown else len(cards)))
            else:
                told.append((type_, value))
        self.recent = (len(self.log), tuple(chosen), {}) if any(chosen) else _NOTHING
        self.log.append(("chose", player, verb, tuple(told), secret))

    def _seen_after(self, card: int, players: int) -> None:
        place, chosen, seen = self.recent
        if place < 0 or card in seen or not any(card in cards for cards in chosen):
            return
        seen[card] = players & self.bit
        for number, cards in enumerate(chosen):
            if card in cards and all(seen.get(other) for other in cards):
                self.log.append(("had chosen", place, number, tuple([self.face(other) for other in cards])))

    def fell(self, name: str, type_: Type, value: Any, place: int | None) -> None:
        """Trace what chance chose, where it is seen."""
        seen = self.bit
        if place is not None:
            seen = self.game.variable_viewers[place] & self.bit if place >= 0 else 0
        if seen and isinstance(base_of(type_), Card):
            seen = self._sees(value, self.place_of(value))
            value = self.face(value)
        if seen:
            self.log.append(("fell", name, type_, value))

    def moving(self, cards: list[int], place: int, face: str | None, by: int | None, bottom: bool) -> None:
        """Trace that cards are about to move."""
        game, bit, z = self.game, self.bit, self.zones
        after = game.place_viewers[place] & bit
        if face is not None:
            after = bit if face == "up" else 0
        faces, known, turned = game.card_faces, game.num_cards, self.turned
        under, laid = bottom and game.piles[place], 0 if game.unordered[place] else after
        chosen = self.recent[0] >= 0
        for origin, run in self.runs_by_place(cards):
            before = game.place_viewers[origin] & bit
            seen: list[int | None] = []
            ordered = 0 if game.unordered[origin] else bit
            for card in run:
                viewers = before if not turned or card not in turned else self._sees(card, origin)
                ordered &= viewers
                if viewers or after:
                    seen.append(faces[card] if card < known else None)
                    if card in self.sources:
                        self.known.add(self.sources[card])
                else:
                    seen.append(None)
                if chosen:
                    self._seen_after(card, viewers | after)
            if not game.unordered[origin]:
                self._doubt(origin, run, place, after)
            order: tuple[int, ...] = ()
            if len(run) > 1:
                if ordered:
                    order = tuple([z[origin].index(card) for card in run])
                elif not laid:
                    seen.sort(key=lambda shown: (shown is None, shown))
            self.log.append(("move", origin, place, tuple(seen), face, by, under, order, laid))

    def shuffling(self, place: int) -> None:
        """Trace that a pile is about to be shuffled."""
        self.log.append(("shuffle", place, len(self.zones[place])))

    def turning(self, cards: list[int], up: bool) -> None:
        """Trace that cards are about to be turned where they lie."""
        for place, run in self.runs_by_place(cards):
            run = self._told_in_order(run, place)
            shown = [card for card in run if up or self._sees(card, place)]
            for card in shown:
                self._learn(card, self.bit)
            if not self.game.unordered[place] and len(run) < len(self.zones[place]):
                self.unsettled[place] = self.bit
            if shown:
                self.log.append(("turn", place, up, tuple([self.face(card) for card in shown])))

    def showing(self, cards: list[int], viewers: int) -> None:
        """Trace that cards are shown to a set of players."""
        for place, run in self.runs_by_place(cards):
            run = self._told_in_order(run, place)
            for card in run:
                self._learn(card, viewers)
            seen = tuple([self.face(card) for card in run]) if viewers & self.bit else len(run)
            self.log.append(("show", place, viewers, seen))
