"""A play on several devices: all players of a simultaneous decision may answer in any order.

The machine takes the decisions of players who decide at once one after another, in the order of the rules.  Nothing
happens until all have decided, so the decision of each does not depend on the others.  A shared play opens
all of them together, keeps each answer sealed until the last, and then carries them out in the order of the rules.  An
answer changes nothing that another seat is shown: neither its decision, nor its events, nor who is to act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import attrs
import msgspec

from interpreter.agents import Agent, AgentView
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.interruption import check
from interpreter.records.saves import Save, restore, save_from_history
from interpreter.records.session import replayed, resolve_from_seed
from interpreter.table.information import InformationState, information_state
from interpreter.text.names import Names
from interpreter.text.sentences import completes, text_of

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State

Decided = tuple[int, str]
"""A decision that was carried out: the player, and the sentence."""


def players_due(state: State) -> tuple[int, ...]:
    """Return who must decide now: the player to act, and after them the players who decide at once with that player.

    Empty where nobody must.
    """
    if state.current_player() < 0:
        return ()
    queue = state.code.due.get(state.node)
    return (state.current_player(), *(() if queue is None else queue(state.values)))


def whole_decision(agent: Agent, view: AgentView) -> tuple[int, ...]:
    """Return a whole decision of an agent, whether it chooses sentences or small actions."""
    actions: list[int] = []
    here: AgentView | None = view
    while here is not None:
        chosen = agent.act(here)
        for action in (chosen,) if isinstance(chosen, int) else chosen:
            assert here is not None
            actions.append(action)
            here = here.after(action)
    return tuple(actions)


@attrs.frozen
class OpenDecisions:
    """The decisions that are open together: for each player a state in which that player is the one to act.

    `base` is the state in which none of them is made.  In the state of a later player, those before have decided
    anything legal, which that player is never shown.
    """

    base: State
    by_player: Mapping[int, State]
    _known: dict[int | None, InformationState] = attrs.field(factory=dict, eq=False, repr=False)

    @classmethod
    def of(cls, state: State, *, at_once: bool = True) -> OpenDecisions:
        """Return the decisions that are open at a state; only the first of them unless `at_once`.

        Where chance must answer between two of them, those after it are opened later.
        """
        due = players_due(state)[: None if at_once else 1]
        found: dict[int, State] = {}
        here = state
        for player in due:
            if here.current_player() != player:
                break
            found[player] = here
            if len(due) > 1:
                here = _after_any_decision(here)
        return cls(state, found)

    @property
    def together(self) -> bool:
        """Whether several players decide at once."""
        return len(self.by_player) > 1

    def information(self, seat: int | None) -> InformationState:
        """Return all that a seat knows, with its decision if it has one; the value is kept with the decisions."""
        if seat not in self._known:
            self._known[seat] = self._information(seat)
        return self._known[seat]

    def _information(self, seat: int | None) -> InformationState:
        info = information_state(self.base, seat)
        if seat is None or not self.together or seat not in self.by_player or seat == info.acting:
            return info
        own = information_state(self.by_player[seat], seat)
        return attrs.evolve(info, acting=own.acting, pending=own.pending)


def _after_any_decision(state: State) -> State:
    """Return the state after some legal decision of the player to act."""
    following = state.clone()
    while True:
        check()
        following.apply_action(following.legal_actions()[-1])
        if not following.is_unfinished():
            return following


def _check_whole(state: State, actions: tuple[int, ...]) -> None:
    """Check that small actions are a whole decision.  Raises IllegalActionError."""
    decision = state.decision_data()
    single = decision is not None and len(actions) == 1 and completes(decision, actions[0])
    if single and actions[0] in state.legal_actions():
        return  # Without a copy, which costs as much as the play is long.
    trial = state.clone()
    try:
        trial.apply_action(actions)
    except RuleError:
        return  # The decision is legal; the fault is found again when it is carried out.
    if trial.is_unfinished():
        raise IllegalActionError("the decision is not complete")


class SharedPlay:
    """One play of a game on several devices.

    `answers` are the sealed decisions of players who decide at once, by player.  `fault` is set when a rule could not
    be carried out; the play before that decision is kept.  `resolve` answers chance events, by default from the seed.
    `moment` counts changes of the open decisions, so that a late decision of an agent can be recognized; `decisions`
    are the whole decisions that were carried out.  Without `at_once`, as at one terminal, players who decide at once do
    so one after another, and nothing is sealed.
    """

    def __init__(
        self, game: Game, seed: int, resolve: Callable[[State], None] | None = None, *, at_once: bool = True
    ) -> None:
        self.game = game
        self.seed = seed
        self.fault: RuleError | None = None
        self.answers: dict[int, tuple[int, ...]] = {}
        self.moment = 0
        self.decisions = 0
        self._at_once = at_once
        self._resolve = resolve or (lambda state: resolve_from_seed(state, seed))
        self._move_to(game.new_initial_state())

    @classmethod
    def restored(cls, save: Save, game: Game, *, at_once: bool = True) -> SharedPlay:
        """Return a saved play.  Raises SaveError where it is not of this game."""
        return cls.at(restore(save, game), save.seed, len(save.said), at_once=at_once)

    @classmethod
    def at(cls, state: State, seed: int, decisions: int, *, at_once: bool = True) -> SharedPlay:
        """Return a play that goes on from a state, after so many decisions."""
        made = cls(state.game, seed, at_once=at_once)
        made._move_to(state)
        made.decisions = decisions
        return made

    def _move_to(self, state: State) -> None:
        """Go on to a state, and answer the chance events that wait there."""
        self.state = state
        self.moment += 1
        self.__dict__.pop("open", None)
        try:
            while state.is_chance_node():
                self._resolve(state)
            if not state.is_terminal():
                state.legal_actions()
        except RuleError as fault:
            self.fault = fault

    @cached_property
    def open(self) -> OpenDecisions:
        """The decisions that are open now."""
        return OpenDecisions.of(self.state, at_once=self._at_once)

    @property
    def is_over(self) -> bool:
        """Whether nobody can decide any more."""
        return self.state.is_terminal()

    @property
    def undecided(self) -> tuple[int, ...]:
        """The players whose decision is open and who have not answered."""
        return tuple(player for player in self.open.by_player if player not in self.answers)

    def information(self, seat: int | None) -> InformationState:
        """Return all that a seat knows; of a spectator for None."""
        return self.open.information(seat)

    def decide(self, player: int, actions: tuple[int, ...]) -> list[Decided]:
        """Make a decision of a player, or seal it while others still decide at once; return what was carried out.

        Raises IllegalActionError, with nothing changed, where it is not legal or not the player's to make.
        """
        state = self.open.by_player.get(player)
        if state is None:
            raise IllegalActionError("you have no decision to make now")
        _check_whole(state, actions)
        self.answers[player] = actions
        return [] if self.undecided else self._carry_out()

    def withdraw(self, player: int) -> bool:
        """Take back a sealed answer; False where the player has none."""
        return self.answers.pop(player, None) is not None

    def _carry_out(self) -> list[Decided]:
        """Carry out the sealed answers in the order of the rules."""
        done: list[Decided] = []
        answers, self.answers = [(p, self.answers[p]) for p in self.open.by_player], {}
        state = self.state
        for player, actions in answers:
            text = text_of(state, actions)
            try:
                state.apply_action(actions)
            except RuleError as fault:
                self.fault = fault
                break
            done.append((player, text))
        self.decisions += len(done)
        self._move_to(state)
        return done

    def rewind(self, decisions: int) -> None:
        """Take back all small actions of the players but the first so many."""
        kept = [item for actor, item in self.state.history() if actor >= 0 and isinstance(item, int)][:decisions]
        self.answers = {}
        self.fault = None
        self._move_to(replayed(self.game, self.seed, kept))
        self.decisions = len(self.saved("", ["human"] * self.game.num_players, Names()).said)

    def saved(self, spec: str, seats: Iterable[str], names: Names) -> Save:
        """Return the play so far; sealed answers and a decision on which the rules failed are left out."""
        history = [item for _, item in self.state.history()]
        save = save_from_history(self.game, history, spec, tuple(seats), self.seed)
        return msgspec.structs.replace(save, names={str(player + 1): name for player, name in names.by_player.items()})
