"""Who chooses for a player, and what they may look at.

An agent gets an `AgentView` and gives back an action.  The view speaks for one player: all that it tells
is made from what that player has seen, so an agent that looks at nothing else cannot know too much.  The
person at the terminal sits behind the same view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from interpreter.runtime.text.explain import chosen_from
from interpreter.runtime.text.reasons import Reason, reasons
from interpreter.runtime.text.sentences import Sentence, sentences, unfinished, words_of

if TYPE_CHECKING:
    from interpreter.program.nodes import Decision
    from interpreter.runtime.game import Game
    from interpreter.runtime.knowledge.events import Event
    from interpreter.runtime.knowledge.observation import Observation
    from interpreter.runtime.state import State
    from interpreter.runtime.text.explain import Refusal


class AgentView:
    """A decision as the player who must make it sees it.

    `player` counts from 0.  `turn` is how many small actions the player has chosen so far.  The view
    stays as it is when the play goes on.
    """

    __slots__ = ("__state", "game", "player", "turn")

    def __init__(self, state: State) -> None:
        self.__state = state.clone()
        self.game: Game = state.game
        self.player = state.current_player()
        self.turn = sum(actor == self.player for actor in state.hist[0::2])

    def legal_actions(self) -> list[int]:
        """Return the small actions that are legal now, in ascending order."""
        return self.__state.legal_actions()

    def prompt(self) -> str:
        """Return what the player is asked."""
        return self.__state.prompt()

    def decision(self) -> Decision:
        """Return the place in the rules at which the player decides; it knows nothing of this play."""
        node = self.__state.decision()
        assert node is not None
        return node

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

    def events(self) -> list[Event]:
        """Return what has happened since the start, as the player saw it."""
        return self.__state.events(self.player)

    def sentences(self, limit: int) -> list[Sentence] | None:
        """Return all complete decisions, or None if there are more than `limit`."""
        return sentences(self.__state, limit)

    def read(self, text: str) -> int | tuple[int, ...]:
        """Return the small actions that a sentence means.  Raises IllegalActionError where it is not legal."""
        return self.__state.string_to_action(text)

    def explain(self, text: str) -> Refusal:
        """Say why a sentence is not legal; the message is empty if it is."""
        return self.__state.explain(text)

    def reasons(self) -> list[Reason]:
        """Return what happened since the player decided, as they saw it, with the rules that made it."""
        return reasons(self.__state, self.player)

    def chosen_from(self) -> dict[str, int]:
        """Return, by verb, the number of the one place from which the first cards of an action are chosen."""
        return chosen_from(self.__state)

    def after(self, action: int) -> AgentView | None:
        """Return the rest of this decision once a legal small action is chosen; None if it ends with that."""
        following = unfinished(self.__state, action)
        return None if following is None else AgentView(following)

    def words_of(self, action: int) -> list[str]:
        """Return what a small action adds to the sentence of its decision."""
        return words_of(self.__state, action, begun=self.decision().only is not None)


class Agent(Protocol):
    """Anything that can choose."""

    def act(self, view: AgentView) -> int | Sequence[int]:
        """Return a legal small action, or the small actions of one sentence."""
        ...
