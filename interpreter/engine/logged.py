"""States that record events and the rules reached.

A plain state keeps only its history; when a caller asks what was seen, the history is played again by
code that writes events, with this kind of state.  Scenarios and the fuzzer use it directly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from interpreter.analysis.types import Card, Cards, Type, base_of
from interpreter.engine.interruption import check
from interpreter.engine.machine import CHANCE, HistoryItem, Machine
from interpreter.engine.outcome import Ends
from interpreter.knowledge.events import (
    Assigned,
    Chosen,
    Ended,
    Event,
    Eyes,
    Fell,
    Layout,
    Moved,
    Said,
    Shown,
    Shuffled,
    Turned,
    Where,
)
from interpreter.knowledge.visibility import Sight
from interpreter.text.prompts import visible_value

if TYPE_CHECKING:
    from interpreter.engine.code import Code
    from interpreter.engine.game_base import GameBase


class LoggedMachine(Machine):
    """A state with a log, the rules it reached, and who learned which card of which shuffle.

    `sources` says for each card which token of which shuffle it was; `learned[p]` are the tokens, with
    the number of their shuffle, that player p has learned.
    """

    __slots__ = (
        "derived",
        "epoch",
        "given",
        "learned",
        "log",
        "recent",
        "sources",
        "tags",
        "token_epochs",
        "unsettled",
    )

    def __init__(self, game: GameBase, code: Code, given: dict[int, Any] | None = None) -> None:
        super().__init__(game, code)
        self.logging = True
        self.log: list[Event] = []
        self.tags: set[str] = set()
        self.given = given or {}
        self.sources: dict[int, tuple[int, int]] = {}
        self.learned: tuple[dict[tuple[int, int], int], ...] = tuple({} for _ in range(game.num_players))
        self.epoch = 0
        # Ordered places, with the viewers (bits of their numbers) who cannot distinguish from the log how cards lie
        # there.
        self.unsettled: dict[int, int] = {}
        self.token_epochs: dict[int, int] = {}
        self.recent: tuple[int, tuple[tuple[int, ...], ...], dict[int, int]] = (-1, (), {})
        # Values computed from the log for each viewer; copies of a play share them (see `recall`).
        self.derived: dict[Any, Any] = {}

    def clone(self) -> Self:
        """Return an independent copy."""
        other = super().clone()
        other.log = self.log[:]
        other.tags = set(self.tags)
        other.given = self.given
        other.sources = dict(self.sources)
        other.learned = tuple(dict(known) for known in self.learned)
        other.epoch = self.epoch
        other.unsettled = dict(self.unsettled)
        other.recent = (self.recent[0], self.recent[1], dict(self.recent[2]))
        other.token_epochs = dict(self.token_epochs)
        other.derived = self.derived
        return other

    def _become(self, other: Machine) -> None:
        super()._become(other)
        for name in LoggedMachine.__slots__:
            setattr(self, name, getattr(other, name))

    def _saved(self) -> tuple[Any, ...]:
        # Lists that only grow are restored by their length; only the event of the latest decision can change.
        place = self.recent[0]
        extra = (
            len(self.log), self.log[place] if place >= 0 else None, set(self.tags), dict(self.sources),
            tuple(map(len, self.learned)), self.epoch, dict(self.token_epochs),
            (*self.recent[:2], dict(self.recent[2])), dict(self.unsettled),
        )  # fmt: skip
        return (extra, super()._saved())

    def _restore(self, saved: tuple[Any, ...]) -> None:
        extra, plain = saved
        super()._restore(plain)
        events, chosen, self.tags, self.sources, learned, self.epoch, self.token_epochs, self.recent, self.unsettled = (
            extra
        )
        del self.log[events:]
        if chosen is not None:
            self.log[self.recent[0]] = chosen
        for known, count in zip(self.learned, learned, strict=True):
            while len(known) > count:
                known.popitem()

    def apply_item(self, item: HistoryItem) -> None:
        """Carry out one entry of a history.  Raises IllegalActionError where it does not fit."""
        self.apply_action(item)

    # ---- who sees what

    def viewers(self, card: int, place: int) -> int:
        """Return the set of players (bits) who see a card that lies in a place."""
        turned = self.turned.get(card)
        if turned is not None:
            return self.game.everyone if turned == 1 else 0
        seen = self.game.place_viewers[place]
        # A card that may be any of several tokens is seen by nobody, wherever these lie.
        return 0 if seen and self.pools and card not in self.zones[place] else seen

    def face(self, card: int) -> int | None:
        """Return a card's face, or None for one that is not determined."""
        return self.game.card_faces[card] if card < self.game.num_cards else None

    def _learn(self, card: int, players: int) -> None:
        source = self.sources.get(card)
        if source is None or not players:
            return
        for player in range(self.game.num_players):
            if players >> player & 1:
                self.learned[player].setdefault(source, self.game.card_faces[card])

    def _run(self, node: int) -> None:
        super()._run(node)
        if self.to_act != CHANCE and self.unsettled:
            self._settle()

    def _settle(self) -> None:
        """Inform those who may be in doubt how the cards of a place lie, before anybody decides again."""
        for place, doubtful in sorted(self.unsettled.items()):
            cards = self.zones[place]
            seen = tuple(self.viewers(card, place) if card < self.game.num_cards else 0 for card in cards)
            by = tuple(self.played_by.get(card) for card in cards) if self._shows_players(place) else ()
            known = [any(map(eyes.sees, seen)) or any(p is not None for p in by) for eyes in self._everybody()]
            knowing = sum(1 << number for number, knows in enumerate(known) if knows and doubtful >> number & 1)
            if knowing and len(cards) > 1:
                faces = tuple(self.face(card) for card in cards)
                self.log.append(Layout(place, faces, () if set(by) <= {None} else by, seen, knowing))
        self.unsettled.clear()

    def _unsettle(self, place: int) -> None:
        """Note that nobody can know from the log how the cards of a place lie."""
        self.unsettled[place] = (1 << self.game.num_players + 2) - 1

    def _everybody(self) -> list[Eyes]:
        return [sight.eyes(self.game.everyone) for sight in Sight.every(self.game.num_players)]

    def _shows_players(self, place: int) -> bool:
        return self.game.data.places[place].kind == "row"

    def _doubt(self, place: int, gone: list[int], target: int, after: int) -> None:
        """Note the viewers who cannot know which of several cards that look alike to them left an ordered place.

        Everybody takes them to be the first that look so.
        """
        zone, game = self.zones[place], self.game
        if place != target and (len(gone) == len(zone) or zone[: len(gone)] == gone):
            return
        if not game.place_viewers[place] and not self._shows_players(place) and not any(c in self.turned for c in zone):
            return
        everybody = self._everybody()
        doubtful = (1 << len(everybody)) - 1
        if place != target:
            doubtful = 0
            rest = [card for card in zone if card not in gone]
            for number, eyes in enumerate(everybody):
                left = self._seen_there(zone, place, eyes)
                for card in gone:
                    looks_like = self.face(card) if eyes.sees(self.viewers(card, place) | after) else None
                    looks = [face for face, _ in left]
                    left.pop(looks.index(looks_like) if looks_like in looks else looks.index(None))
                if left != self._seen_there(rest, place, eyes):
                    doubtful |= 1 << number
        if doubtful:
            self.unsettled[place] = self.unsettled.get(place, 0) | doubtful

    def _seen_there(self, cards: list[int], place: int, eyes: Eyes) -> list[tuple[int | None, int | None]]:
        """Return the face of each card of a place, as a viewer sees it, and who played it."""
        return [(self.face(c) if eyes.sees(self.viewers(c, place)) else None, self.played_by.get(c)) for c in cards]

    def _in_shown_order(self, cards: list[int], place: int) -> list[int]:
        """Return cards of a place in the order in which they lie there, or of the deck where they lie in none."""
        zone, faces = self.zones[place], self.game.card_faces
        if not self.game.unordered[place]:
            return sorted(cards, key=zone.index)
        return sorted(cards, key=lambda card: faces[card] if card < len(faces) else len(faces))

    # ---- calls of generated code

    def reach(self, tags: tuple[str, ...]) -> None:
        """Note that rules were reached."""
        self.tags.update(tags)

    def first_value(self, place: int, value: Any, begins: bool) -> Any:
        """Return the first value of a variable: the given one, if a scenario gives it.

        Those who see it learn if it begins otherwise than it was: a phase can begin again where nobody sees that.
        """
        value = self.given.get(place, value)
        old, new = self._shown(self.values[place], place), self._shown(value, place)
        if begins and old != new:
            self.log.append(Assigned(place, new, self.game.variable_viewers[place], old, first=True))
        return value

    def set_value(self, place: int, value: Any) -> None:
        """Set a variable and inform those who see it, if it changes."""
        old, new = self._shown(self.values[place], place), self._shown(value, place)
        if old != new:
            self.log.append(Assigned(place, new, self.game.variable_viewers[place], old))
        self.values[place] = value

    def _shown(self, value: Any, place: int) -> Any:
        if value is not None and isinstance(base_of(self.game.variable_types[place]), Card):
            return self.face(value)
        return value

    def chose(self, verb: str, args: tuple[tuple[Type, Any], ...], secret: bool) -> None:
        """Record a decision; its player is still the one to act."""
        self._record_choice(self.to_act, verb, args, secret)

    def revealed(self, player: int, verb: str, args: tuple[tuple[Type, Any], ...]) -> None:
        """Record for everybody a decision that was kept until all had decided."""
        self._record_choice(player, verb, args, False)

    def _record_choice(self, player: int, verb: str, args: tuple[tuple[Type, Any], ...], secret: bool) -> None:
        shown: list[tuple[Type, Any]] = []
        viewers: list[int] = []
        chosen: list[tuple[int, ...]] = []
        for type_, value in args:
            chosen.append(())
            if isinstance(base_of(type_), Card | Cards):
                cards = (value,) if isinstance(base_of(type_), Card) else tuple(value)
                chosen[-1] = cards
                seen = self.game.everyone
                for card in cards:
                    seen &= self.viewers(card, self.place_of(card)) | 1 << player
                shown.append((type_, tuple(self.face(c) for c in cards)))
                viewers.append(seen)
            else:
                shown.append((type_, value))
                viewers.append(self.game.everyone)
        self.recent = (len(self.log), tuple(chosen), {})
        self.log.append(Chosen(player, verb, tuple(shown), tuple(viewers), secret))

    def _seen_after(self, card: int, players: int) -> None:
        """Show a chosen card, in the decision that chose it, to those who see where its effect puts it."""
        place, chosen, seen = self.recent
        if place < 0 or card in seen or not any(card in cards for cards in chosen):
            return
        seen[card] = players
        event = self.log[place]
        assert isinstance(event, Chosen)
        viewers = list(event.viewers)
        for number, cards in enumerate(chosen):
            if cards and all(c in seen for c in cards):
                after = self.game.everyone
                for c in cards:
                    after &= seen[c]
                viewers[number] |= after
        if tuple(viewers) != event.viewers:
            self.log[place] = Chosen(event.player, event.verb, event.args, tuple(viewers), event.secret)

    def fell(self, name: str, type_: Type, value: Any, place: int | None) -> None:
        """Record what chance chose: a card to those who see it, a value to those who see the variable that it goes to.

        `place` is the number of that value; None where it only has a name, -1 where a local variable gets it.
        """
        seen = self.game.everyone
        if place is not None:
            seen = self.game.variable_viewers[place] if place >= 0 else 0
        if isinstance(base_of(type_), Card):
            seen &= self.viewers(value, self.place_of(value))
            value = self.face(value)
        self.log.append(Fell(name, type_, value, seen))

    def say(self, parts: tuple[Any, ...]) -> None:
        """Record a message of the rules for everybody; cards in it are named, so everybody learns them."""
        shown: list[Any] = []
        for part in parts:
            if not isinstance(part, str) and part[1] is not None and isinstance(base_of(part[0]), Card | Cards):
                several = isinstance(base_of(part[0]), Cards)
                cards = part[1] if several else (part[1],)
                for card in cards:
                    self._learn(card, self.game.everyone)
                faces = visible_value(self, part[0], cards) if several else (self.face(part[1]),)
                shown.append((part[0], faces))
            else:
                shown.append(part)
        self.log.append(Said(tuple(shown)))

    def moving(self, cards: list[int], place: int, face: str | None, by: int | None, at: int) -> None:
        """Record that cards are about to move: those learn a card who saw it before or see it after."""
        game = self.game
        after = game.place_viewers[place]
        if face is not None:
            after = game.everyone if face == "up" else 0
        where: Where = "within" if at > 0 else "bottom" if at and game.piles[place] else None
        for origin, run in self.runs_by_place(cards):
            seen = []
            before = 0 if game.unordered[origin] else game.everyone
            for card in run:
                viewers = self.viewers(card, origin)
                before &= viewers
                players = viewers | after
                seen.append(players)
                self._learn(card, players)
                self._seen_after(card, players)
            if not game.unordered[origin]:
                self._doubt(origin, run, place, after)
            zone = self.zones[origin]
            order = tuple(zone.index(card) for card in run) if before else ()
            faces = tuple(self.face(c) for c in run)
            laid = 0 if game.unordered[place] else after
            self.log.append(Moved(faces, origin, place, tuple(seen), face, by, where, order, before, laid))
        if where == "within":
            self._unsettle(place)

    def rotating(self, ways: list[tuple[int, int]]) -> None:
        """Record that places are about to pass on all their cards at once, which stay in their order."""
        for origin, target in ways:
            self.moving(self.zones[origin], target, None, None, 0)
            if self.game.piles[target] and len(self.zones[origin]) > 1:
                self._unsettle(target)

    def shuffling(self, place: int) -> None:
        """Record that a pile is about to be shuffled."""
        self.log.append(Shuffled(place, len(self.zones[place])))

    def shuffled(self, pile: list[int]) -> None:
        """Begin a new epoch for the tokens of a pile."""
        self.epoch += 1
        for token in pile:
            self.token_epochs[token] = self.epoch

    def determined(self, cards: dict[int, int]) -> None:
        """Remember which token each card was."""
        for token, card in cards.items():
            self.sources[card] = (self.token_epochs.pop(token, self.epoch), token)

    def turning(self, cards: list[int], up: bool) -> None:
        """Record that cards are about to be turned where they lie."""
        for place, run in self.runs_by_place(cards):
            seen = []
            run = self._in_shown_order(run, place)
            for card in run:
                players = self.viewers(card, place)
                players |= self.game.everyone if up else 0
                seen.append(players)
                self._learn(card, players)
            if not self.game.unordered[place] and len(run) < len(self.zones[place]):
                self.unsettled[place] = (1 << self.game.num_players + 2) - 1
            self.log.append(Turned(tuple(self.face(c) for c in run), place, up, tuple(seen)))

    def showing(self, cards: list[int], viewers: int) -> None:
        """Record that cards are shown to a set of players."""
        for place, run in self.runs_by_place(cards):
            run = self._in_shown_order(run, place)
            for card in run:
                self._learn(card, viewers)
            self.log.append(Shown(tuple(self.face(c) for c in run), place, viewers))

    def finish(self, node: int, score: Ends, returns: Ends, winners: Ends, stakes: Ends) -> None:
        """End the play, and record the end for everybody."""
        super().finish(node, score, returns, winners, stakes)
        assert self.result is not None
        self.log.append(Ended(self.result.termination.value))


def first_log(game: GameBase) -> LoggedMachine:
    """Return the beginning of a play, which writes its events as they happen."""
    return LoggedMachine(game, game.code).begin()


def log_of(state: Machine) -> LoggedMachine:
    """Return a state of the same play that has written its events: this one if it does, else one that is kept with it.

    It is shared, so a caller that continues it makes a copy first.  Raises Interrupted.
    """
    if isinstance(state, LoggedMachine):
        return state
    done, log = state._log if state._log is not None else (0, None)
    # All copies of a play share the trail: how far it was read, so that the next reader continues there.
    if state._trail and done < len(state._trail[0]) and state.entries[: len(state._trail[0])] == state._trail[0]:
        done, log = len(state._trail[0]), state._trail[1]
    made: LoggedMachine = first_log(state.game) if log is None else log
    if done < len(state.entries):
        made = made.clone()
        for place in range(done, len(state.entries), 2):
            check()
            made.apply_item(state.entries[place + 1])
    state._log = (len(state.entries), made)
    state._trail[:] = (state.entries[:], made)
    return made
