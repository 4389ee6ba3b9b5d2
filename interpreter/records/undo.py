"""Undo: which decision a player may take back, and whether a player has learned something from it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from interpreter.analysis.types import Type
from interpreter.engine.logged import LoggedMachine
from interpreter.knowledge.events import Assigned, Chosen, Said
from interpreter.records.retelling import retell
from interpreter.table.digest import names
from interpreter.text.sentences import sentences

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State
    from interpreter.text.names import Names


def undo_point(state: State, player: int, people: Collection[int], called: Names, *, takes_forced: bool) -> int | str:
    """Return how many small actions were made before a player's last decision, or why it cannot be taken back.

    It can be taken back while no other person has decided since: that one has acted on what they saw.  Among several
    people it also stays as soon as a player has learned something from it.  With `takes_forced` a person did not make
    the decisions for which there was one choice only.
    """
    decided = [
        one
        for one in retell(state.game, (item for _, item in state.history()))
        if one.actor in people and one.fault is None and not (takes_forced and sentences(one.before, 1) is not None)
    ]
    if not decided:
        return "there is nothing to take back yet"
    if decided[-1].actor != player:
        return f"{called.of(decided[-1].actor)} has decided since; that cannot be taken back"
    start = decided[-1].start
    if len(people) > 1 and learned_since(state, start):
        return "a player has learned something since; that cannot be taken back"
    return start


class _LearningMachine(LoggedMachine):
    """A logged state that records whether a player has come to see something that they did not see before."""

    __slots__ = ("learned_something",)

    def __init__(self, game: Game) -> None:
        super().__init__(game, game.code)
        self.learned_something = False

    def _learn(self, card: int, players: int) -> None:
        if players & ~self.viewers(card, self.place_of(card)):
            self.learned_something = True
        super()._learn(card, players)

    def fell(self, name: str, type_: Type, value: Any, place: int | None) -> None:
        """Record what chance chose, which nobody knew before."""
        self.learned_something = True
        super().fell(name, type_, value, place)


def learned_since(state: State, decisions: int) -> bool:
    """Say whether a player has learned something since so many small actions were made.

    That is a card that they did not see, an outcome of chance, or, unless all players see everything, a value or words
    that the decision itself does not name: these may follow from what is hidden.
    """
    machine = _LearningMachine(state.game)
    machine.begin()
    history = state.history()
    of_players = [place for place, (actor, _) in enumerate(history) if actor >= 0]
    start = of_players[decisions]
    for _, item in history[:start]:
        machine.apply_item(item)
    known, machine.learned_something = len(machine.log), False
    rest = history[start:]
    for _, item in rest:
        machine.apply_item(item)
    if machine.learned_something or any(actor < 0 for actor, _ in rest):
        return True
    return not state.game.perfect_information and _names_more(machine, known)


def _names_more(machine: LoggedMachine, known: int) -> bool:
    """Say whether an event that other players see has a value or words that the decision before it does not name."""
    chosen: Chosen | None = None
    for event in machine.log[known:]:
        match event:
            case Chosen():
                chosen = event
            case Assigned(place=place, value=value, viewers=viewers):
                others = viewers if chosen is None else viewers & ~(1 << chosen.player)
                type_ = machine.game.variable_types[place]
                if others and not (chosen is not None and names(chosen, type_, value)):
                    return True
            case Said():
                return True
            case _:  # Cards and chance are recorded as they become visible.
                pass
    return False
