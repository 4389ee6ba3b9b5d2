"""Sessions: run a whole play, query the agents, answer chance events, record the history.

One seed decides all chance.  The events that wait after `n` small actions of the players are answered by
the generator `random.Random(f"{seed}/chance/{n}")`, so that the same seed and the same actions give the
same play, and a play that is taken back or taken up again needs no generator restored.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.agents import Agent, AgentView, Beliefs, RandomAgent
from interpreter.engine.faults import IllegalActionError
from interpreter.engine.interruption import check
from interpreter.engine.machine import CHANCE, HistoryItem

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State
    from interpreter.engine.outcome import Outcome


@attrs.frozen
class Step:
    """One thing that was done: `actor` is a player, or `CHANCE`; `items` are the entries of the history."""

    actor: int
    items: tuple[HistoryItem, ...]


class Session:
    """One play of a game.

    `agents` choose for the players, in the order of the seats; with `take_forced` they are not queried where
    only one small action is legal.  Raises ValueError where their number is not that of the players.
    """

    def __init__(self, game: Game, agents: Sequence[Agent], seed: int = 0, *, take_forced: bool = False) -> None:
        if len(agents) != game.num_players:
            raise ValueError(f"{game.title} needs {game.num_players} agents here, not {len(agents)}")
        self.game = game
        self.agents = tuple(agents)
        self.seed = seed
        self.take_forced = take_forced
        self.beliefs = Beliefs(f"{seed}/belief")
        self.state: State = game.new_initial_state()

    def __repr__(self) -> str:
        return f"<Session with seed {self.seed}: {self.state!r}>"

    def __iter__(self) -> Iterator[Step]:
        """Go on step by step until the play is over."""
        while not self.state.is_terminal():
            yield self.step()

    def play(self) -> Outcome:
        """Play on to the end and return it.

        Raises RuleError where a rule cannot be carried out, IllegalActionError where an agent breaks the rules.
        """
        for _ in self:
            pass
        outcome = self.state.outcome()
        assert outcome is not None
        return outcome

    def step(self) -> Step:
        """Answer the chance events that wait, or let the player to act choose once."""
        state = self.state
        done = len(state.entries)
        actor = state.current_player()
        if state.is_chance_node():
            resolve_from_seed(state, self.seed)
        elif state.is_terminal():
            raise ValueError("the play is over")
        else:
            self._choose(actor)
        return Step(actor, tuple(self.state.entries[done + 1 :: 2]))

    def _choose(self, player: int) -> None:
        if self.take_forced and len(legal := self.state.legal_actions()) == 1:
            self.state.apply_unchecked(legal[0])
            return
        check()
        action = self.agents[player].act(AgentView(self.state, self.beliefs))
        try:
            self.state.apply_action(action)
        except IllegalActionError as error:
            raise IllegalActionError(f"the agent of player {player + 1} chose what is not legal: {error}") from error

    def decisions(self) -> list[tuple[int, int]]:
        """Return what the players chose so far: (player, small action)."""
        return [
            (actor, item) for actor, item in self.state.history() if actor != CHANCE and not isinstance(item, tuple)
        ]

    def rewind(self, decisions: int) -> None:
        """Take back all small actions of the players but the first so many."""
        kept = self.decisions()[:decisions]
        self.state = replayed(self.game, self.seed, (action for _, action in kept))


def resolve_from_seed(state: State, seed: int) -> None:
    """Answer the chance events that wait, as a session with this seed does."""
    state.resolve_chance(random.Random(f"{seed}/chance/{state.num_actions}"))


def replayed(game: Game, seed: int, actions: Iterable[int]) -> State:
    """Return the state after small actions of the players, with chance from a seed.

    Chance that waits after the last action still waits.  Raises IllegalActionError.
    """
    state = game.new_initial_state()
    for action in actions:
        if state.is_chance_node():
            resolve_from_seed(state, seed)
        state.apply_action(action)
    return state


def random_agents(game: Game, seed: int) -> list[RandomAgent]:
    """Return an agent for every player that chooses evenly among all sentences."""
    return [RandomAgent(seed) for _ in range(game.num_players)]
