"""A play that records the side effects of each statement, and who has seen which card, by the declarations alone.

It is independent of the event log.  The same calls of generated code feed both, but here visibility follows from
`seen by` and from the side of the cards alone.  So a log that reveals too much or too little differs from it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Self

import attrs

from interpreter.analysis.types import Card, Cards, EnumType, Player, Type, base_of
from interpreter.engine.game import Game, LoggedState

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.analysis.core import Variable
    from interpreter.analysis.symbols import Zone
    from interpreter.engine.code import Code
    from interpreter.engine.machine import Machine
    from interpreter.engine.outcome import Ends

Viewer = int | None
"""A player, or None: a spectator, who sees what all players see."""

Kind = Literal["set", "say", "show", "move", "turn", "shuffle", "chance", "decide", "end"]

UNORDERED = "cards"


@attrs.frozen
class Seen:
    """A card of a side effect: its number and face, and the players who knew it, saw it before, and see it now."""

    card: int
    face: int | None
    known: int
    before: int
    now: int


@attrs.frozen
class SideEffect:
    """A side effect of a statement: its site, the number of events before it (`at`), and its data.

    `common` is public; `private` are values with the players (bits) who see them.  `cards` are the cards that it moves,
    turns or shows; `ordered` is whether their order before was visible, `laid` whether their order after is.  `player`
    is the one who decided.
    """

    kind: Kind
    site: int
    at: int
    common: tuple[Any, ...] = ()
    private: tuple[tuple[Any, int], ...] = ()
    cards: tuple[Seen, ...] = ()
    ordered: bool = True
    laid: bool = False
    player: int | None = None

    def shown(self, viewer: Viewer, everyone: int) -> tuple[Any, ...] | None:
        """Return the part that the declarations show to a viewer; None if that is nothing."""
        faces = [c.face if sees(viewer, c.now | c.before, everyone) else None for c in self.cards]
        values = tuple(value if sees(viewer, bits, everyone) else None for value, bits in self.private)
        match self.kind:
            case "set" | "chance" if not self._shows_value(viewer, everyone):
                if not any(face is not None for face in faces):
                    return None
            case "turn" if not any(face is not None for face in faces):
                return None
            case "move" if self.common[0] == self.common[1] and not any(face is not None for face in faces):
                return None
            case _:
                pass
        unseen = faces.count(None)
        in_order = self.ordered or (self.laid and all(sees(viewer, c.now, everyone) for c in self.cards))
        shown = tuple(faces) if in_order else tuple(sorted(f for f in faces if f is not None))
        return (self.kind, self.player, self.common, values, shown if unseen < len(faces) else (), unseen)

    @property
    def shown_privately(self) -> bool:
        """Whether a viewer sees a value of it that its use does not show."""
        return any(players for _, players in self.private)

    def publishes(self, viewer: Viewer, everyone: int) -> bool:
        """Say whether it is a statement that shows a viewer something on purpose."""
        match self.kind:
            case "say" | "show":
                return True
            case "set":
                return self._shows_value(viewer, everyone)
            case "decide":
                return self.player != viewer and not self.common[0]
            case "move" | "turn":
                return self._shows_value(viewer, everyone) or any(
                    sees(viewer, c.before | c.now, everyone) and not sees(viewer, c.before, everyone)
                    for c in self.cards
                )
            case "shuffle" | "chance" | "end":
                return False

    def _shows_value(self, viewer: Viewer, everyone: int) -> bool:
        return any(sees(viewer, bits, everyone) for _, bits in self.private)


def sees(viewer: Viewer, players: int, everyone: int) -> bool:
    """Return whether a viewer sees what a set of players (bits) sees."""
    return players == everyone if viewer is None else bool(players >> viewer & 1)


@attrs.frozen
class Sights:
    """The viewers (bits) of each place and each variable by their declarations, and the places without order."""

    places: tuple[int, ...]
    unordered: tuple[bool, ...]
    variables: tuple[int, ...]


@lru_cache(maxsize=64)
def sights_of(game: Game) -> Sights:
    """Return the visibility of the places and variables of a game."""
    return Sights(
        tuple(_bits(zone, index, game.everyone) for zone, index in game.places),
        tuple(zone.kind == UNORDERED for zone, _ in game.places),
        tuple(_bits(variable, index, game.everyone) for variable, index in game.variables),
    )


def _bits(of: Zone | Variable, index: tuple[int, ...], everyone: int) -> int:
    owner = next((1 << i for i, t in zip(index, of.indices, strict=True) if isinstance(t, Player)), 0)
    if of.seen_by == "team":
        is_team = [isinstance(t, EnumType) and t.team_of != () for t in of.indices]
        team = index[is_team.index(True)] if True in is_team else of.team_of[owner.bit_length() - 1]
        return sum(1 << player for player in range(len(of.team_of)) if of.team_of[player] == team)
    return {"all": everyone, "nobody": 0, "owner": owner, "all but owner": everyone & ~owner}[of.seen_by]


class Traced(LoggedState):
    """A logged state that keeps effects.

    `known` says of a card, or of a card that is not determined yet, who has seen it since it was last shuffled.
    `drawn` are the cards that shuffled ones turned out to be.
    """

    __slots__ = ("_site", "choice", "chosen", "done", "drawn", "known", "shuffles", "sights", "trace")

    def __init__(self, game: Game, code: Code) -> None:
        self.trace: list[tuple[int, int]] | None = None
        """The sites of the statements that are carried out, each with how many effects there were; None: not kept."""
        super().__init__(game, code)
        self.sights = sights_of(game)
        self.done: list[SideEffect] = []
        self.known: dict[int, int] = {}
        self.drawn: dict[int, int] = {}
        self.chosen: tuple[int, ...] = ()
        self.choice: tuple[int, frozenset[int]] | None = None
        """The effect of the latest decision, and its cards that have not moved since."""
        self.shuffles: list[tuple[int, frozenset[int]]] = []
        """For each shuffle, how long the history was, and which cards it mixed."""

    def clone(self) -> Self:
        """Return an independent copy."""
        other = super().clone()
        other.trace = None if self.trace is None else self.trace[:]
        other.sights = self.sights
        other.done = self.done[:]
        other.known = dict(self.known)
        other.drawn = dict(self.drawn)
        other.chosen, other.choice = self.chosen, self.choice
        other.shuffles = self.shuffles[:]
        return other

    def _become(self, other: Machine) -> None:
        super()._become(other)
        for name in Traced.__slots__:
            setattr(self, name, getattr(other, name))

    def _saved(self) -> tuple[Any, ...]:
        # Lists that only grow are restored by their length; only the effect of the latest decision can change.
        effect = None if self.choice is None else self.done[self.choice[0]]
        known, drawn = dict(self.known), dict(self.drawn)
        mine = (len(self.done), effect, known, drawn, self.chosen, self.choice, len(self.shuffles))
        return (mine, super()._saved())

    def _restore(self, saved: tuple[Any, ...]) -> None:
        mine, rest = saved
        super()._restore(rest)
        effects, effect, self.known, self.drawn, self.chosen, self.choice, shuffles = mine
        del self.done[effects:], self.shuffles[shuffles:]
        if self.choice is not None:
            self.done[self.choice[0]] = effect

    @property
    def at(self) -> int:
        """The site of the statement that was carried out last."""
        return self._site

    @at.setter
    def at(self, site: int) -> None:
        """Store the site of a statement that begins, in the trace too."""
        self._site = site
        trace: list[tuple[int, int]] | None = getattr(self, "trace", None)
        if trace is not None:
            trace.append((site, len(self.done)))

    # ---- who sees what

    def lying(self, card: int, place: int) -> int:
        """Return who sees a card where it lies, as the declarations say."""
        turned = self.turned.get(card)
        if turned is not None:
            return self.game.everyone if turned == 1 else 0
        return self.sights.places[place] if card < self.game.num_cards else 0

    def aware(self, card: int, place: int) -> int:
        """Return who sees a card, or has seen it since it was last shuffled."""
        return self.known.get(card, 0) | self.lying(card, place)

    @property
    def waiting(self) -> frozenset[int]:
        """The cards of the latest decision that its effect has not moved yet."""
        return frozenset() if self.choice is None else self.choice[1]

    def forget(self) -> None:
        """Drop what has been reported and done but for the latest decision, whose cards may still be reported.

        What two plays have in common so far need not be compared again.
        """
        begin = max(0, self.recent[0]) if self.recent[0] >= 0 else len(self.log)
        self.log = self.log[begin:]
        self.recent = (self.recent[0] - begin if self.recent[0] >= 0 else -1, *self.recent[1:])
        self.derived = {}
        number = len(self.done) if self.choice is None else self.choice[0]
        self.done = self.done[number:]
        if self.choice is not None:
            self.choice = (0, self.choice[1])

    def span(self, effect: SideEffect) -> Span:
        """Return where the statement of an effect is in the spec."""
        return self.game.program.sites.spans[effect.site]

    # ---- calls of generated code

    def _record(self, kind: Kind, common: tuple[Any, ...] = (), **more: Any) -> None:
        self.done.append(SideEffect(kind, self.at, len(self.log), common, **more))

    def _learned(self, seen: list[Seen]) -> None:
        for one in seen:
            self.known[one.card] = self.known.get(one.card, 0) | one.known | one.now

    def _cards(self, cards: list[int], place: int, now: int | None) -> list[Seen]:
        """Return cards that lie in a place with who sees them by what is done: where they lie if `now` is None."""
        return [
            Seen(
                c,
                self.face(c),
                self.aware(c, place),
                self.lying(c, place),
                self.lying(c, place) if now is None else now,
            )
            for c in cards
        ]

    def first_value(self, place: int, value: Any, begins: bool) -> Any:
        """Note that a phase gives a variable its first value, if that is another than before."""
        if begins:
            self._set(place, value)
        return super().first_value(place, value, begins)

    def set_value(self, place: int, value: Any) -> None:
        """Note that a variable is set, if it changes."""
        self._set(place, value)
        super().set_value(place, value)

    def _set(self, place: int, value: Any) -> None:
        type_, players = self.game.variable_types[place], self.sights.variables[place]
        is_card = isinstance(base_of(type_), Card)
        old, new = (self._faced(v) if is_card else v for v in (self.values[place], value))
        if is_card and value is not None:
            self.known[value] = self.known.get(value, 0) | players
        if old != new:
            self._record("set", (place,), private=((new, players),))

    def _faced(self, card: int | None) -> int | None:
        return None if card is None else self.face(card)

    def chose(self, verb: str, args: tuple[tuple[Type, Any], ...], secret: bool) -> None:
        """Note a decision."""
        self._decided(self.to_act, verb, args, secret)
        super().chose(verb, args, secret)

    def revealed(self, player: int, verb: str, args: tuple[tuple[Type, Any], ...]) -> None:
        """Note a decision that is reported after all have decided."""
        self._decided(player, verb, args, False)
        super().revealed(player, verb, args)

    def _decided(self, player: int, verb: str, args: tuple[tuple[Type, Any], ...], secret: bool) -> None:
        mine = 1 << player
        viewers = mine if secret else self.game.everyone
        values: list[tuple[Any, int]] = [(verb, viewers)]
        seen: list[Seen] = []
        for type_, value in args:
            if not isinstance(base_of(type_), Card | Cards):
                values.append((value, viewers))
                continue
            cards = [value] if isinstance(base_of(type_), Card) else list(value)
            values.append((len(cards), viewers))
            for card in cards:
                lying = self.lying(card, self.place_of(card))
                seen.append(Seen(card, self.face(card), mine, mine, mine if secret else lying | mine))
        self.chosen = tuple(one.card for one in seen)
        # A secret decision does not even show how many cards were chosen.
        revealed = () if secret else tuple(seen)
        self.choice = None if secret else (len(self.done), frozenset(self.chosen))
        self._record("decide", (secret,), private=tuple(values), cards=revealed, ordered=False, player=player)
        self._learned(seen)

    def _gone(self, seen: list[Seen]) -> None:
        """Let those see a chosen card, in the decision that chose it, who see where its effect moves it first."""
        if self.choice is None:
            return
        number, waiting = self.choice
        gone = {one.card: one.known | one.now for one in seen if one.card in waiting}
        if gone:
            effect = self.done[number]
            cards = tuple(attrs.evolve(c, now=c.now | gone.get(c.card, 0)) for c in effect.cards)
            self.done[number] = attrs.evolve(effect, cards=cards)
            self.choice = (number, waiting - gone.keys())

    def fell(self, name: str, type_: Type, value: Any, place: int | None) -> None:
        """Note what chance chose."""
        node: Any = self.game.program.nodes[self.node]
        if isinstance(base_of(type_), Card):
            seen = self._cards([value], self.place_of(value), None)
            self._record("chance", (self.node,), cards=tuple(seen))
        else:
            # The assignment reports an outcome that goes into a variable.
            players = 0 if node.random.into is not None else self.game.everyone
            self._record("chance", (self.node,), private=((value, players),))
        super().fell(name, type_, value, place)

    def say(self, parts: tuple[Any, ...]) -> None:
        """Note words for everybody."""
        shown: list[Any] = []
        for part in parts:
            if isinstance(part, str):
                shown.append(part)
                continue
            type_, value = part
            inner = base_of(type_)
            if value is not None and isinstance(inner, Card | Cards):
                cards = [value] if isinstance(inner, Card) else list(value)
                for card in cards:
                    self.known[card] = self.game.everyone
                shown.append(tuple(self.face(c) for c in cards))
            else:
                shown.append(value)
        self._record("say", tuple(shown))
        super().say(parts)

    def moving(self, cards: list[int], place: int, face: str | None, by: int | None, at: int) -> None:
        """Note that cards are about to move."""
        after = self.sights.places[place]
        if face is not None:
            after = self.game.everyone if face == "up" else 0
        private: tuple[tuple[Any, int], ...] = ()
        if at > 0:  # Those see the place who see a card there.
            there = [card for card in self.zones[place] if card not in cards]
            viewers = self.sights.places[place] | after
            for card in there:
                viewers |= self.lying(card, place)
            private = ((min(at, len(there) + 1), viewers),)
        for origin, run in self.runs_by_place(cards):
            seen = self._cards(run, origin, after)
            ordered, laid = not self.sights.unordered[origin], not self.sights.unordered[place]
            self._record(
                "move", (origin, place, face, by, min(at, 1)), private=private, cards=tuple(seen), ordered=ordered,
                laid=laid,
            )  # fmt: skip
            self._gone(seen)
            self._learned(seen)
        super().moving(cards, place, face, by, at)

    def turning(self, cards: list[int], up: bool) -> None:
        """Note that cards are about to be turned where they lie."""
        for place, run in self.runs_by_place(cards):
            seen = self._cards(run, place, self.game.everyone if up else 0)
            ordered = not self.sights.unordered[place]
            self._record("turn", (place, up), cards=tuple(seen), ordered=ordered)
            self._learned(seen)
        super().turning(cards, up)

    def showing(self, cards: list[int], viewers: int) -> None:
        """Note that cards are shown to a set of players."""
        for place, run in self.runs_by_place(cards):
            seen = self._cards(run, place, viewers)
            ordered = not self.sights.unordered[place]
            self._record("show", (place, viewers), cards=tuple(seen), ordered=ordered)
            self._learned(seen)
        super().showing(cards, viewers)

    def shuffling(self, place: int) -> None:
        """Note that a pile is about to be shuffled."""
        self._record("shuffle", (place, len(self.zones[place])))
        super().shuffling(place)

    def shuffled(self, pile: list[int]) -> None:
        """Forget who has seen which card of a pile: nobody knows any longer where it is."""
        mixed: set[int] = set()
        for pool in {self.undetermined[token] for token in pile}:
            mixed.update(self.pools[pool])
        for card in (*mixed, *pile):
            self.known.pop(card, None)
            self.drawn.pop(card, None)
        self.shuffles.append((len(self.entries), frozenset(mixed)))
        super().shuffled(pile)

    def determined(self, cards: dict[int, int]) -> None:
        """Carry over who knows what to the cards that tokens turned out to be."""
        self.drawn.update(cards)
        for token, card in cards.items():
            self.known.pop(card, None)
            if token in self.known:
                self.known[card] = self.known.pop(token)
        super().determined(cards)

    def finish(self, node: int, score: Ends, returns: Ends, winners: Ends, stakes: Ends) -> None:
        """Note the end of the play."""
        self._record("end")
        super().finish(node, score, returns, winners, stakes)


def traced(game: Game) -> Traced:
    """Return the beginning of a play that is traced."""
    state = Traced(game, game.code).begin()
    assert isinstance(state, Traced)
    return state
