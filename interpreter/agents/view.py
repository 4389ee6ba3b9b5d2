"""The interface of agents, and the view of a play that an agent receives.

An agent receives an `AgentView` and returns an action.  The view is computed from what its player has seen, so an
agent that reads nothing else has no hidden information.  The person at the terminal has the same view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from interpreter.engine.drawing import draw_sentence
from interpreter.table.information import InformationState, information_state
from interpreter.text.sentences import Sentence, sentences, text_of, unfinished, words_of

if TYPE_CHECKING:
    from interpreter.belief.belief import Belief
    from interpreter.engine.chance import Rng
    from interpreter.engine.game import Game, State
    from interpreter.engine.machine import HistoryItem
    from interpreter.knowledge.events import Event
    from interpreter.knowledge.observation import Observation
    from interpreter.table.reasons import Reason
    from interpreter.text.explain import Refusal


T = TypeVar("T", covariant=True)


class Reader(Protocol[T]):
    """A library in which a network reads states (`interpreter.training.network.LearningGame`)."""

    def position(self, state: State) -> T:
        """Return a state as a network reads it."""
        ...


class AgentView:
    """A decision as the player who must make it sees it.

    `player` counts from 0.  `turn` is how many small actions the player has chosen so far.  The view
    stays as it is when the play goes on; its belief is the one that is kept for the player, where there is one.

    A view costs the same early and late in a play: it reads the state of the play itself, and replays the history up to
    its decision only when it is read after the play has gone on.
    """

    __slots__ = ("__beliefs", "__length", "__source", "game", "player", "turn")

    def __init__(self, state: State, beliefs: Beliefs | None = None) -> None:
        self.__source = state
        self.__length = len(state.entries)
        self.__beliefs = Beliefs(0) if beliefs is None else beliefs
        self.game: Game = state.game
        self.player = state.current_player()
        self.turn = self.__beliefs.turns(state, self.player)

    @property
    def __state(self) -> State:
        """The state at which the player decides; nothing may change it."""
        entries = self.__source.entries
        if len(entries) != self.__length:
            self.__source = self.game.new_initial_state()
            for item in entries[1 : self.__length : 2]:
                self.__source.apply_action(item)
        return self.__source

    def legal_actions(self) -> list[int]:
        """Return the small actions that are legal now, in ascending order."""
        return self.__state.legal_actions()

    def prompt(self) -> str:
        """Return the prompt of the player."""
        return self.__state.prompt()

    def information(self) -> InformationState:
        """Return all that the player knows, with the decision: the value that everything shown to them is made from."""
        return information_state(self.__state, self.player)

    @property
    def is_secret(self) -> bool:
        """Whether what the player chooses is kept from the others until all have chosen."""
        decision = self.__state.decision_data()
        return decision is not None and decision.hidden

    def observation(self) -> Observation:
        """Return what the player sees on the table and holds, as data."""
        return self.__state.observation(self.player)

    def observation_string(self) -> str:
        """Return what the player sees on the table and holds, as text."""
        return self.__state.observation_string(self.player)

    def observation_tensor(self) -> list[float]:
        """Return what the player sees as numbers, in `game.observation_layout()`."""
        return self.__state.observation_tensor(self.player)

    def information_state_string(self) -> str:
        """Return all that the player has seen since the start."""
        return self.__state.information_state_string(self.player)

    def information_state_tensor(self) -> list[float]:
        """Return all that the player has seen since the start as numbers, in `game.information_state_layout()`."""
        return self.__state.information_state_tensor(self.player)

    def events(self) -> list[Event]:
        """Return what has happened since the start, as the player saw it."""
        return self.__state.events(self.player)

    def belief(self) -> Belief:
        """Return what the player can believe of what they have not seen: worlds that look the same to them.

        It goes on from the decision before, and belongs to the play: do not keep it beyond this decision.
        """
        return self.__beliefs.of(self.__state.clone(), self.player)

    def position(self, library: Reader[T]) -> T:
        """Return the decision as a network reads it, which is made from what the player knows."""
        return library.position(self.__state)

    def sentences(self, limit: int) -> list[Sentence] | None:
        """Return all complete decisions, or None if there are more than `limit`."""
        return sentences(self.__state, limit)

    def random_sentence(self, rng: Rng) -> tuple[int, ...]:
        """Return the small actions of one complete decision, each as likely as any other."""
        return draw_sentence(self.__state, rng)

    def text_of(self, actions: Sequence[int]) -> str:
        """Return a complete decision in words, from its small actions."""
        return text_of(self.__state, actions)

    def read(self, text: str) -> int | tuple[int, ...]:
        """Return the small actions that a sentence means.  Raises IllegalActionError where it is not legal."""
        return self.__state.string_to_action(text)

    def explain(self, text: str) -> Refusal:
        """Say why a sentence is not legal; the message is empty if it is."""
        return self.__state.explain(text)

    def reasons(self) -> list[Reason]:
        """Return what happened since the player decided, as they saw it, with the rules that made it."""
        from interpreter.table.reasons import reasons  # late: kept

        return reasons(self.__state, self.player)

    def explained_scores(self, info: InformationState) -> Mapping[int, str]:
        """Return of what the changes of scores are made that the player saw, by the number of the event."""
        from interpreter.table.scores import explainer_of  # late: kept

        return explainer_of(self.__state.game, self.player).explained(self.__state, info)

    def after(self, action: int) -> AgentView | None:
        """Return the rest of this decision once a legal small action is chosen; None if it ends with that."""
        following = unfinished(self.__state, action)
        return None if following is None else AgentView(following)

    def words_of(self, action: int) -> list[str]:
        """Return what a small action adds to the sentence of its decision."""
        return words_of(self.__state, action, begun=self.__state.is_unfinished())


class Beliefs:
    """The beliefs of the players of one play, each made when first needed, and how often the players have acted.

    `seed` decides the chance with which worlds are drawn; it has nothing to do with the chance of the play.
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = seed
        self._kept: dict[int, tuple[list[HistoryItem], Belief]] = {}
        self._counted: tuple[State | None, int, Counter[int]] = (None, 0, Counter())

    def of(self, state: State, player: int) -> Belief:
        """Return the belief of a player at a state, which goes on from where it was requested before, or anew."""
        from interpreter.belief.belief import Belief  # late: kept

        past = state.entries[:]
        before, belief = self._kept.get(player, ([], None))
        if belief is None or past[: len(before)] != before:
            belief = Belief(state, player, f"{self.seed}/seat {player + 1}")
        elif len(past) > len(before):
            belief.advance(state)
        self._kept[player] = (past, belief)
        return belief

    def turns(self, state: State, player: int) -> int:
        """Return how many small actions a player has chosen; only what is new since the last call is counted."""
        known, done, counts = self._counted
        if known is not state:
            done, counts = 0, Counter()
        counts.update(state.entries[done::2])
        self._counted = (state, len(state.entries), counts)
        return counts[player]


class Agent(Protocol):
    """Anything that can choose."""

    def act(self, view: AgentView) -> int | Sequence[int]:
        """Return a legal small action, or the small actions of one sentence."""
        ...
