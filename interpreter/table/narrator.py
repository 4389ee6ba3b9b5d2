"""Events and places in words for a player at the table, who is called `you`.

Made from the names in the spec, as `interpreter.text.narrate` is, which addresses nobody in
particular.  What was said a moment ago is not said again: a value that a decision, a die or the rules' own
words have just named, and who played a card that came out of their own hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile, islice
from typing import TYPE_CHECKING, Any, assert_never

import attrs

from grammar.english import counted
from interpreter.analysis.types import Bool, Card, Cards, Int, Player, Type, base_of
from interpreter.english.words import capital, is_adjective, is_noun, is_plural, listing, mark, third_person, with_kind
from interpreter.knowledge.events import (
    Assigned,
    Chosen,
    Ended,
    Event,
    Fell,
    Layout,
    Moved,
    Said,
    Shown,
    Shuffled,
    Turned,
)
from interpreter.table.digest import (
    DigestLine,
    chose_these,
    gathered,
    is_nothing,
    names,
    repeats_counted,
    takes_effect,
    weight_of,
    will_be_announced,
)
from interpreter.text.names import Names
from interpreter.text.narrate import cards_text, narrate, runs, times

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.game_data import Place
    from interpreter.engine.outcome import Outcome

NAMED = 3
"""The most cards of an event that are printed with their longer names."""

IDLE = 1
"""The weight in a digest of a decision without effect, such as to pass."""

NEAR = 30
"""The number of events before and after one that are searched for a repetition of it."""


def _beside(events: list[Event], at: int) -> tuple[list[Event], list[Event]]:
    """Return the events before and after one that may repeat it."""
    return events[max(0, at - NEAR) : at], events[at + 1 : at + 1 + NEAR]


class EventNarrator:
    """Narrates the events of a game as sentences for one player (from 0), or for a spectator (None).

    `names` are the names of players, for those who have one.  `made_of` has the parts of changed numbers, by the
    identity of the event (`explaining`).
    """

    def __init__(self, game: GameBase, you: int | None, names: Names | None = None) -> None:
        self.game = game
        self.you = you
        self.names = names or Names()
        self.named: set[str] = set()
        self.made_of: dict[int, str] = {}

    def explaining(self, events: Sequence[Event], texts: Mapping[int, str]) -> EventNarrator:
        """Return the narrator, which explains changes of scores; `texts` are by the number of the event."""
        self.made_of = {id(events[number]): text for number, text in texts.items()}
        return self

    def player(self, player: int) -> str:
        """Return `you`, `player 2` or the name."""
        return "you" if player == self.you else self.called(player)

    def called(self, player: int) -> str:
        """Return `player 2` or the name, also for whom the words are said to."""
        return self.names.of(player)

    def number_of(self, word: str) -> int | None:
        """Return the player who is meant by `player 2` or a name, None where none is."""
        return next((p for p in range(self.game.num_players)
                     if word.lower() in (self.called(p).lower(), f"player {p + 1}")), None)  # fmt: skip

    def owner(self, player: int) -> str:
        """Return `your`, `player 2's` or `Ada's`."""
        return "your" if player == self.you else f"{self.called(player)}'s"

    def value(self, type_: Type, value: Any) -> str:
        """Return a value, a player as they are called here, a card with its longer name."""
        if value is not None and isinstance(base_of(type_), Player):
            return self.player(value)
        if value is not None and isinstance(base_of(type_), Card):
            return self.cards(value if isinstance(value, tuple) else (value,))
        return self.game.texts.value(type_, value).replace("_", " ")

    def cards(self, faces: tuple[int | None, ...]) -> str:
        """Return cards, few ones with their longer names: `13 (Death)`; of those just named only the texts."""
        longer = [self.game.texts.long_name(face) for face in faces]
        longer = ["" if name in self.named else name for name in longer]
        known = [face for face in faces if face is not None]
        if len(faces) > NAMED or not any(longer):
            shown = " ".join(self.game.texts.face(face) + times(number) for face, number in runs(known))
        else:
            self.named.update(longer)
            names = [f" ({name})" if name else "" for face, name in zip(faces, longer, strict=True) if face is not None]
            shown = ", ".join(self.game.texts.face(face) + name for face, name in zip(known, names, strict=True))
        unseen = cards_text(self.game, (None,) * (len(faces) - len(known)))
        return f"{shown} and {unseen}" if known and None in faces else shown or unseen

    def place(self, place: int) -> str:
        """Return the name of a place: `your hand (left)`, `your draw pile`."""
        at = self.game.data.places[place]
        return self._named(family_name(at), at.types, at.index)

    def the_place(self, place: int) -> str:
        """Return the name of a place in a sentence: `your hand`, `the stock`."""
        owned = any(isinstance(type_, Player) for type_ in self.game.data.places[place].types)
        return self.place(place) if owned else f"the {self.place(place)}"

    def place_without_owner(self, place: int) -> str:
        """Return the name of a place that is said beside its owner: `hand (left)`."""
        at = self.game.data.places[place]
        return self._named(family_name(at), at.types, at.index, owned=False)

    def places_in(self, text: str) -> str:
        """Return a text with the names of places as they are called here."""
        for place, at in enumerate(self.game.data.places):
            if at.types or "_" in at.zone:
                text = text.replace(self.game.place_name(place), self.place(place))
        return text

    def variable(self, slot: int) -> str:
        """Return the name of a variable: `your bid`."""
        at = self.game.data.slots[slot]
        return self._named(at.variable, at.types, at.index)

    def variable_without_owner(self, slot: int) -> str:
        """Return the name of a variable that is said beside its owner: `bid`."""
        at = self.game.data.slots[slot]
        return self._named(at.variable, at.types, at.index, owned=False)

    def _named(self, name: str, types: tuple[Type, ...], index: tuple[int, ...], *, owned: bool = True) -> str:
        owner, rest = "", []
        for type_, value in zip(types, index, strict=True):
            if isinstance(type_, Player) and not owner:
                owner = self.owner(value) + " "
            else:
                rest.append(self.value(type_, value))
        suffix = f" ({', '.join(rest)})" if rest else ""
        return f"{owner if owned else ''}{name.replace('_', ' ')}{suffix}"

    # ---- what happened

    def events(self, events: Iterable[Event]) -> list[str]:
        """Return what happened, one line per event; repeated events, and deals back and forth, appear once."""
        return [one.line for one in self.weighed(events)]

    def weighed(self, events: Iterable[Event]) -> list[DigestLine]:
        """Return the same lines, each with how much it weighs for whom the words are said to."""
        happened = gathered([event for event in events if not is_nothing(event)])
        self.named.clear()
        lines: list[DigestLine] = []
        own = False
        for number, event in enumerate(happened):
            if isinstance(event, Chosen):
                own = event.player == self.you
            before, after = _beside(happened, number)
            if self._is_repeated(event, before, after) or takes_effect(event, after):
                continue
            if isinstance(event, Moved) and before and chose_these(before[-1], event):
                lines[-1] = attrs.evolve(lines[-1], line=f"{lines[-1].line} {self._way(event)}")
            else:
                weight = weight_of(event, self.you, self.game.place_owners, self.game.place_viewers, own=own)
                if isinstance(event, Chosen) and _is_idle(event, after):
                    weight = IDLE
                lines.append(DigestLine(self.event(event), weight))
        return repeats_counted(lines)

    def is_said_nearby(self, events: list[Event], at: int) -> bool:
        """Say whether the events right before or after one say the same."""
        return self._is_repeated(events[at], *_beside(events, at))

    def _is_repeated(self, event: Event, before: list[Event], after: list[Event]) -> bool:
        return self._was_named(event, before) or self._will_be_named(event, after)

    def _way(self, event: Moved) -> str:
        """Return where chosen cards went; where they came from only if that is not simply the player's one place."""
        at = self.game.data.places[event.origin]
        plain = len(at.types) == 1 and at.owner is not None
        origin = "" if plain else f"from {self.the_place(event.origin)} "
        return f"{origin}to {self._end_of(event)}{self.the_place(event.target)}" + (
            f" face {event.face}" if event.face else ""
        )

    def _end_of(self, event: Moved) -> str:
        return {None: "", "bottom": "the bottom of ", "within": "a place in "}[event.where]

    def _was_named(self, event: Event, before: list[Event]) -> bool:
        """Say whether a variable gets what has just been named; a number only from a die, or as its first.

        A boolean belongs to the decision of the player whose it is.
        """
        if not isinstance(event, Assigned) or event.value is None:
            return False
        type_ = self.game.variable_types[event.place]
        if isinstance(base_of(type_), Bool):
            return self._is_of_decision(event, before)
        number = isinstance(base_of(type_), Int)
        for earlier in reversed(before):
            if not isinstance(earlier, Chosen | Fell | Said | Assigned):
                return False
            if names(earlier, type_, event.value) and not (number and isinstance(earlier, Said)):
                return not number or isinstance(earlier, Fell) or event.before in (None, 0)
            if isinstance(earlier, Chosen):
                return False
        return False

    def _will_be_named(self, event: Event, after: list[Event]) -> bool:
        """Say whether the rules say right away what a die shows, or to whom or what a variable is set."""
        if isinstance(event, Fell):
            following = dropwhile(lambda e: isinstance(e, Assigned) and e.value == event.value, after)
            return will_be_announced(event.type, event.value, list(islice(following, 1)))
        if not isinstance(event, Assigned) or event.value is None:
            return False
        type_ = self.game.variable_types[event.place]
        return not isinstance(base_of(type_), Int | Bool) and will_be_announced(type_, event.value, after)

    def _is_of_decision(self, event: Assigned, before: list[Event]) -> bool:
        """Say whether a variable changes for the player who has just decided, before anything else has happened."""
        at = self.game.data.slots[event.place]
        owners = [i for type_, i in zip(at.types, at.index, strict=True) if isinstance(type_, Player)]
        chosen = next((e for e in reversed(before) if not isinstance(e, Assigned)), None)
        return isinstance(chosen, Chosen) and chosen.player in owners

    def event(self, event: Event) -> str:
        """Return one event as a line."""
        match event:
            case Chosen(verb=""):
                return capital(f"{self.player(event.player)} {'have' if event.player == self.you else 'has'} chosen")
            case Chosen():
                return capital(self._decision(event))
            case Moved(cards=cards):
                how = f" face {event.face}" if event.face else ""
                own = event.by is None or event.by == self.game.place_owners[event.origin]
                by = "" if own or event.by is None else f" for {self.player(event.by)}"
                way = f"from {self.the_place(event.origin)} to {self._end_of(event)}{self.the_place(event.target)}"
                return f"  {self.cards(cards)} {'goes' if len(cards) == 1 else 'go'} {way}{how}{by}"
            case Fell():
                return f"  Random {event.name.replace('_', ' ')}: {self.value(event.type, event.value)}"
            case Shuffled():
                return f"  {capital(self.the_place(event.place))} is shuffled ({counted(event.count, 'card')})"
            case Turned(cards=cards):
                side = f"turned face {'up' if event.up else 'down'} in {self.the_place(event.place)}"
                return f"  {self.cards(cards)} {'is' if len(cards) == 1 else 'are'} {side}"
            case Shown(cards=cards):
                players = [p for p in range(self.game.num_players) if event.viewers >> p & 1]
                seen = event.viewers == self.game.everyone
                who = "all players" if seen else self.names.listed(players, self.you)
                be = "is" if len(cards) == 1 else "are"
                return f"  {self.cards(cards)} from {self.the_place(event.place)} {be} shown to {who}"
            case Assigned():
                return f"  {capital(self._assigned(event))}"
            case Said():
                return "  " + self._said(event)
            case Ended() | Layout():
                return capital(self.names.put(narrate(self.game, event))) + "."
            case _:
                assert_never(event)

    def _difference(self, event: Assigned) -> str:
        """Return how much a number has grown or shrunk, ` (+20)`, and why; nothing where it was 0, or is no number."""
        made = self.made_of.get(id(event), "")
        if (
            event.value is None
            or event.before is None
            or not (event.before or made)
            or not isinstance(base_of(self.game.variable_types[event.place]), Int)
        ):
            return ""
        return f" ({event.value - event.before:+}{made and f', {made}'})"

    def _assigned(self, event: Assigned) -> str:
        """Return a change of a variable: `your score is now 35 (+20)`; `ready: yes` if its name is not a noun."""
        type_, at = self.game.variable_types[event.place], self.game.data.slots[event.place]
        name, value = self.variable(event.place), self.value(type_, event.value)
        kinds = [base_of(t) for t in (type_, *at.types)]
        if isinstance(kinds[0], Bool) and isinstance(kinds[-1], Player) and len(kinds) == 2:
            be = "are" if at.index[0] == self.you else "is"
            marked = "" if event.value else "no longer " if event.before else "not "
            return f"{self.player(at.index[0])} {be} {marked}marked as {mark(at.variable)}"
        if isinstance(kinds[0], Player) and len(kinds) == 1 and is_adjective(at.variable) and event.value is not None:
            return f"{value} {'are' if event.value == self.you else 'is'} now the {name} player"
        if isinstance(base_of(type_), Bool) or is_adjective(at.variable) or not is_noun(at.variable):
            return f"{name}: {value}{self._difference(event)}"
        if not any(isinstance(t, Player) for t in at.types):
            name = f"the {name}"
            if isinstance(base_of(type_), Player) and event.value is not None:
                return f"{value} {'are' if event.value == self.you else 'is'} now {name}"
        if event.value is None:
            return f"{name} {'are' if is_plural(at.variable) else 'is'} no longer set"
        return f"{name} {'are' if is_plural(at.variable) else 'is'} now {value}{self._difference(event)}"

    def _decision(self, event: Chosen) -> str:
        """Return a decision: `you bid 3`, `player 2 names trump`; a word that is not a verb after a colon."""
        verb, *rest = event.verb.split("_")
        player, inflected = self.player(event.player), third_person(verb)
        own = event.player == self.you
        words = [player + (":" if inflected == verb else ""), verb if own else inflected, *rest]
        cards = False
        for name, (type_, value) in zip(
            _names_of_sets(self.game, event.verb, len(event.args)), event.args, strict=True
        ):
            before, cards = cards, isinstance(base_of(type_), Card | Cards)
            if name or (before and not cards):
                words[-1] += ","
            if isinstance(value, tuple):
                words.append(f"{name} {self.cards(value)}".strip())
            elif value is None and isinstance(base_of(type_), Card | Cards):
                words.append("a card")
            else:
                words.append("?" if value is None else self.value(type_, value))
        return " ".join(words)

    def _said(self, event: Said) -> str:
        """Return the rules' own words; they speak of everybody in the third person, so of you as `player 1 (you)`."""
        words = []
        for part in event.parts:
            if isinstance(part, str):
                words.append(part)
            elif isinstance(base_of(part[0]), Player) and part[1] is not None:
                words.append(self.called(part[1]) + (" (you)" if part[1] == self.you else ""))
            elif isinstance(part[1], tuple):
                words.append(self.cards(part[1]))
            else:
                words.append(self.value(part[0], part[1]))
        return capital("".join(words))

    def outcome(self, outcome: Outcome) -> str:
        """Return how the play ended: who won, and the scores by player."""
        if self.you is None or outcome.cooperative or not outcome.winners:
            return self.names.put(outcome.describe())
        teams = [] if self.you in outcome.winners else [team.name for team in outcome.winning_teams()]
        who = capital(listing(teams) or self.names.listed(outcome.winners, self.you))
        many = len(outcome.winners) > 1 or self.you in outcome.winners
        points = ""
        if outcome.scores is not None:
            by_team = [f"{team.name} {score}" for team, score in outcome.team_scores()]
            scores = by_team or [f"{self.player(p)} {score}" for p, score in enumerate(outcome.scores)]
            points = f".  Scores: {', '.join(scores)}"
        return f"{who} {'win' if many else 'wins'}{points}."


def family_name(at: Place) -> str:
    """Return the name of a place's zone as a noun: "your draw pile", "your won cards"."""
    return _family_name(at.zone, at.kind)


@lru_cache(maxsize=256)
def _names_of_sets(game: GameBase, verb: str, count: int) -> tuple[str, ...]:
    """Return what each argument of an action is called, if it is one of several sets; a name of two letters is none."""
    found = {
        tuple(arg.name.replace("_", " ") if arg.form == "cards" and len(arg.name) > 2 else "" for arg in action.args)
        for decision in game.data.decisions.values()
        for action in decision.actions
        if action.verb == verb and len(action.args) == count and sum(arg.form == "cards" for arg in action.args) > 1
    }
    return found.pop() if len(found) == 1 else ("",) * count


@lru_cache(maxsize=4_096)
def _family_name(zone: str, kind: str) -> str:
    if kind == "pile":
        return with_kind(zone, kind)
    return f"{zone} {'card' if kind == 'slot' else 'cards'}" if is_adjective(zone) else zone


def _is_idle(event: Chosen, after: list[Event]) -> bool:
    """Say whether a decision names nothing, and nothing came of it: to pass, to lay nothing."""
    names_nothing = all(value is None or value == () for _, value in event.args)
    return bool(event.verb) and names_nothing and (not after or isinstance(after[0], Chosen))
