"""The information state of a seat as one immutable value, from which everything shown to a player is computed.

An `InformationState` contains the events as the seat observed them (moves that look alike to the seat are merged),
the table that follows from them, and the decision that the seat must make.  It has no node of the program, no count of
small actions and no card that the seat has not seen, so a function that takes this value cannot show one.  A spectator
(seat None) observes what all players observe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from interpreter.analysis.types import Card, Int, Player, base_of
from interpreter.engine.logged import log_of
from interpreter.knowledge.events import Event
from interpreter.knowledge.observation import SeenVariable, SeenZone, observe, observe_zone
from interpreter.knowledge.recall import seen_of
from interpreter.knowledge.visibility import Sight
from interpreter.text.prompts import prompt
from interpreter.text.sentences import Sentence, sentences, unfinished, words_of
from interpreter.text.texts import DONE, NOTHING, word_for

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.game_data import ArgumentData, DecisionData
    from interpreter.engine.machine import Machine
    from interpreter.engine.outcome import Outcome

FEW = 12
"""Sentences up to which all are listed."""
LIKED = 2
"""Cards in an example of a set, where the rules leave their number open."""


@attrs.frozen
class Slot:
    """A place in a sentence: its kind (a card, a player, ..), its bounds, and the words that can fill it.

    `zones` are the names of the zones that its cards are chosen from.  `place` is the number of the one place that
    they lie in, and `times` has the cards of which several equal ones lie there, each with their number.  `name` is the
    name in the spec of one of several sets.
    """

    what: str
    bounds: str
    words: tuple[str, ...]
    is_set: bool = False
    zones: tuple[str, ...] = ()
    place: int | None = None
    times: Mapping[str, int] = attrs.field(factory=dict)
    name: str = ""

    @property
    def caption(self) -> str:
        """The word for the place where it is shown: its name, or its kind."""
        return self.name or self.what


@attrs.frozen
class Part:
    """A verb, and what follows it, argument by argument."""

    verb: str
    slots: tuple[Slot, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """All words that can follow the verb."""
        return tuple(dict.fromkeys(word for slot in self.slots for word in slot.words))


@attrs.frozen
class Option:
    """A legal small action, and the words that it adds to the sentence of its decision.

    `cards` are the faces and `players` the players that it names; `ends` says that it ends a set of cards.
    """

    action: int
    words: tuple[str, ...]
    verb: str
    cards: tuple[int, ...] = ()
    players: tuple[int, ...] = ()
    ends: bool = False


@attrs.frozen
class Pending:
    """The decision that a seat must make, as the seat observes it.

    `parts` are the verbs that can be chosen, with the words that can follow each; `options` are the legal small
    actions.  `sentences` are all complete decisions, or None if there are more than `FEW`; then `examples` has some.
    `picked` has the faces chosen so far of an unfinished set.
    """

    prompt: str
    parts: tuple[Part, ...]
    options: tuple[Option, ...]
    sentences: tuple[Sentence, ...] | None
    examples: tuple[str, ...]
    picked: tuple[int, ...] = ()

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs that can be chosen."""
        return tuple(part.verb for part in self.parts)


@attrs.frozen
class InformationState:
    """All that a seat knows of a play; `seat` None is a spectator.

    `acting` is the player to act, `CHANCE` or `TERMINAL`; `pending` is None unless that player is the seat.
    """

    game: GameBase = attrs.field(repr=False)
    seat: int | None
    events: tuple[Event, ...]
    zones: tuple[SeenZone, ...]
    variables: tuple[SeenVariable, ...]
    acting: int
    pending: Pending | None
    outcome: Outcome | None


def information_state(state: Machine, seat: int | None) -> InformationState:
    """Return the information state of a seat; of a spectator for None.

    The events are read incrementally: a call costs what has happened since the last call for the same play and seat,
    plus the size of the table.  Raises ValueError for a seat that does not exist.
    """
    if seat is not None and not 0 <= seat < state.game.num_players:
        raise ValueError(f"there is no seat {seat}: seats are 0 to {state.game.num_players - 1}")
    sight = Sight(0, private="none") if seat is None else Sight(seat)
    events = tuple([seen.event for seen in seen_of(state, sight)])
    seen = observe(state, seat, public=seat is None)
    pending = pending_decision(state) if state.to_act == seat else None
    return InformationState(
        state.game, seat, events, seen.zones, seen.variables, state.to_act, pending, state.outcome()
    )


def open_information(state: Machine) -> InformationState:
    """Return a play with nothing hidden, for one in which no person has a seat."""
    seen = observe(state, None)
    return InformationState(
        state.game, None, tuple(log_of(state).log), seen.zones, seen.variables, state.to_act, None, state.outcome()
    )


def decisions_like(info: InformationState) -> tuple[DecisionData, ...]:
    """Return the decisions of the rules that offer all verbs which are legal for the seat; none where it has none.

    An information state does not say which of them waits.
    """
    return () if info.pending is None else _offering(info.game, frozenset(info.pending.verbs))


@lru_cache(maxsize=256)
def _offering(game: GameBase, verbs: frozenset[str]) -> tuple[DecisionData, ...]:
    return tuple(d for d in game.data.decisions.values() if verbs <= {action.verb for action in d.actions})


def pending_decision(state: Machine) -> Pending:
    """Return the decision that waits, as the player to act observes it."""
    texts = state.game.texts
    decision = state.decision_data()
    assert decision is not None
    by_verb: dict[str, list[int]] = {}
    options = []
    for action in state.legal_actions():
        by_verb.setdefault(texts.shape_of(action).verb, []).append(action)
        options.append(option_of(state, action, begun=decision.is_begun))
    listed = None if decision.is_begun else sentences(state, FEW)
    places = _origins(state)
    parts, examples = [], []
    for verb, actions in by_verb.items():
        found = _words_by_argument(state, verb, actions)
        parts.append(Part(verb, _slots(state, verb, found, places.get(verb, {}))))
        if listed is None:
            examples += _examples(state, actions)
    return Pending(
        prompt(state), tuple(parts), tuple(options), None if listed is None else tuple(listed), tuple(examples),
        state.picked(),
    )  # fmt: skip


def option_of(state: Machine, action: int, *, begun: bool) -> Option:
    """Return a legal small action as an option; `begun` says that its decision has begun."""
    texts = state.game.texts
    shape, said = texts.shape_of(action), texts.structured(action)
    typed = [(base_of(type_), value) for type_, value in zip(shape.types, said.args, strict=bool(said.args))]
    cards = [value for type_, value in typed if isinstance(type_, Card)] if said.pick is None else [said.pick]
    players = [value for type_, value in typed if isinstance(type_, Player)]
    words = tuple(words_of(state, action, begun=begun))
    return Option(action, words, shape.verb, tuple(cards), tuple(players), said.done)


def _origins(state: Machine) -> dict[str, dict[int, int]]:
    """Return, by verb and argument, the number of the one place from which the argument takes its cards."""
    decision = state.decision_data()
    if decision is None or decision.is_begun:
        return {}
    log = log_of(state).clone()
    found: dict[str, dict[int, int]] = {}
    origins = log.code.origins.get(state.node)
    if origins is None or log.to_act != state.to_act:
        return found
    for action, by_argument in zip(decision.actions, origins, strict=True):
        places = {n: origin(log, log.values, log.zones) for n, origin in enumerate(by_argument) if origin is not None}
        if filled := {n: place for n, place in places.items() if log.zones[place]}:
            found.setdefault(action.verb, filled)
    return found


def _slots(state: Machine, verb: str, found: dict[int, tuple[str, ...]], places: dict[int, int]) -> tuple[Slot, ...]:
    """Return what follows a verb, argument by argument, with the words that were found for each."""
    made: dict[int, Slot] = {}
    decision = state.decision_data()
    assert decision is not None
    for action in decision.actions:
        if action.verb != verb:
            continue
        for number, arg in enumerate(action.args):
            if number in found:
                is_set = arg.form == "cards"
                origin = places.get(number)
                times = _repeated(state, origin) if is_set and origin is not None else {}
                bounds = _bounds(arg) if is_set else ""
                zones = () if arg.form == "value" else arg.zones
                several = is_set and sum(other.form == "cards" for other in action.args) > 1
                name = arg.name.replace("_", " ") if several and len(arg.name) > 2 else ""
                made.setdefault(number, Slot(_called(arg), bounds, found[number], is_set, zones, origin, times, name))
    return tuple(made[number] for number in sorted(made))


def _repeated(state: Machine, place: int) -> dict[str, int]:
    """Return the cards of which the player to act sees several equal ones in a place, and how many."""
    zone = observe_zone(state, place, 1 << state.to_act)
    seen = Counter(state.game.texts.face(face) for face in zone.cards if face is not None)
    return {text: times for text, times in seen.items() if times > 1}


def _called(arg: ArgumentData) -> str:
    """Return what an argument is: the name that the spec gives it, where it says more than a letter."""
    name = arg.name.replace("_", " ")
    if arg.form == "cards":
        return "cards"
    return name if isinstance(base_of(arg.type), Int) and len(name) > 2 else word_for(arg.type)


def _bounds(arg: ArgumentData) -> str:
    """Return how many cards an action takes, where that is a plain number of the rules."""
    if arg.low and arg.low == arg.high:
        return f"exactly {arg.low}"
    said = [f"at least {arg.low}"] if arg.low else []
    said += [f"at most {arg.high}"] if arg.high is not None else []
    return " and ".join(said) or ("" if arg.is_bounded else "any number")


def _words_by_argument(state: Machine, verb: str, actions: list[int]) -> dict[int, tuple[str, ...]]:
    """Return the words that can fill each argument of a verb, in the order of their values.

    One walk tries each small action once.  A card that it spent on an argument is missing from later ones with the
    same zones, so a further walk for each such card leaves it for the later argument.
    """
    decision = state.decision_data()
    assert decision is not None
    found: dict[int, dict[str, int]] = {}
    _collect_words(state, actions, found, set())
    for action in (action for action in decision.actions if action.verb == verb):
        for late, arg in enumerate(action.args):
            rivals = [n for n, one in enumerate(action.args[:late]) if one.constrains and one.zones == arg.zones != ()]
            for word in dict.fromkeys(word for n in rivals for word in found.get(n, ())):
                if word not in found.get(late, ()):
                    _collect_words(state, actions, found, set(), {(n, word) for n in range(late)})
    return {number: tuple(sorted(words, key=words.__getitem__)) for number, words in found.items()}


def _collect_words(
    state: Machine, actions: list[int], found: dict[int, dict[str, int]], seen: set[int],
    avoided: Set[tuple[int, str]] = frozenset(),
) -> None:  # fmt: skip
    """Collect the words that small actions bring, by argument, and those that follow; each action is tried once.

    Each word has its value, or the number of its small action in a set.  The end of a set is a word of its own only
    where nothing was picked, so words are collected at every action.
    Actions that bring one of the `avoided` words to its argument are not tried.
    """
    decision = state.decision_data()
    assert decision is not None
    begun = decision.is_begun
    first = decision.actions[0].stages[decision.stage].first if begun else 0
    tried = []
    for action in actions:
        said = words_of(state, action, begun=begun)
        brought = list(enumerate(said if begun else said[1:], first))
        for (number, word), value in zip(brought, state.game.texts.structured(action).args or (action,), strict=False):
            found.setdefault(number, {}).setdefault(word, value)
        if avoided.isdisjoint(brought):
            tried.append(action)
    for action in tried:
        if action in seen:
            continue
        seen.add(action)
        following = unfinished(state, action)
        if following is not None:
            _collect_words(following, following.legal_actions(), found, seen, avoided)


def _examples(state: Machine, actions: list[int]) -> list[str]:
    """Return a sentence that begins with one of these actions, and the one that takes nothing if there is one."""
    first, last = actions[0], actions[-1]
    decision = state.decision_data()
    begun = decision is not None and decision.is_begun
    made = [" ".join(_example(state, first, begun=begun))]
    if last != first and unfinished(state, last) is None:
        words = words_of(state, last, begun=begun)
        if words[-1:] == [NOTHING]:
            made.append(" ".join(words))
    return made


def _example(state: Machine, action: int, *, begun: bool) -> list[str]:
    words = words_of(state, action, begun=begun)
    following = unfinished(state, action)
    picks = 1
    while following is not None:
        legal = following.legal_actions()
        ends = [a for a in legal if words_of(following, a, begun=True) in ([], [DONE])]
        action = ends[0] if ends and picks >= LIKED else legal[0]
        words += words_of(following, action, begun=True)
        following = unfinished(following, action)
        picks += 1
    return words
