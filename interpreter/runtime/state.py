"""A point of one play: the public face of a running game.

A `State` is one plain value (see `interpreter.runtime.machine`); rules, tables and functions are its
game's.  Names follow OpenSpiel, with Python's spelling.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from interpreter.runtime import chance
from interpreter.runtime.faults import IllegalActionError, RuleError
from interpreter.runtime.machine import CHANCE, TERMINAL, HistoryItem, Machine
from interpreter.runtime.outcome import Outcome

if TYPE_CHECKING:
    from interpreter.program.nodes import Decision
    from interpreter.runtime.chance_event import ChanceEvent
    from interpreter.runtime.game import Game
    from interpreter.runtime.knowledge.events import Event
    from interpreter.runtime.knowledge.observation import Observation
    from interpreter.runtime.text.explain import Refusal


PUBLIC = (
    "action_to_string", "apply_action", "chance_event", "chance_outcomes", "clone", "current_player", "decision",
    "events", "explain", "game", "history", "information_state_string", "information_state_tensor", "is_chance_node",
    "is_terminal", "is_unfinished", "legal_actions", "num_decisions", "observation", "observation_string",
    "observation_tensor", "outcome", "picked", "position_key", "private_observation_string", "prompt",
    "public_observation_string", "reached", "resample_from_infostate", "resolve_chance", "returns", "serialize",
    "string_to_action",
)  # fmt: skip
"""What a state is asked by whoever plays; all else is for the runtime.  `docs/python.md` documents these."""

__all__ = ["CHANCE", "TERMINAL", "HistoryItem", "State"]


class State(Machine):
    """A state of a game.  Make the first with `game.new_initial_state()`."""

    __slots__ = ()

    # ---- what kind of node this is: see `Machine`

    def chance_offset(self) -> int:
        """Return what to add to the outcomes of the waiting chance event so that none is negative; mostly 0."""
        return 0 if self.awaited is not None or self.to_act != CHANCE else self.game.chance_offsets.get(self.node, 0)

    # ---- acting

    def _apply_other(self, action: int | Sequence[int]) -> None:
        """Carry out what is no plain number: the several of a sentence, or a number of another class."""
        if isinstance(action, bool):
            raise IllegalActionError(f"{action} is no action: give its number")
        if isinstance(action, int):
            self.apply_action(int(action))
        else:
            self._apply_many(action)

    def _apply_many(self, actions: Sequence[int]) -> None:
        if not isinstance(actions, list | tuple) or not all(isinstance(action, int) for action in actions):
            raise IllegalActionError(f"{actions!r} is no action: give its number, or the several of `string_to_action`")
        if self.to_act == CHANCE:
            self._determine_all(tuple(actions))
            return
        if not actions:
            raise IllegalActionError("no action is given")
        trial = self.clone()
        try:
            for number, action in enumerate(actions):
                if number and not trial.is_unfinished():
                    raise IllegalActionError("these are more actions than one sentence")
                trial.apply_action(action)
        except RuleError:
            self._become(trial)
            raise
        self._become(trial)

    # ---- the end

    def returns(self) -> list[float]:
        """Return the payoff of each player: 0 until the end."""
        return [0.0] * self.game.num_players if self.result is None else list(self.result.returns)

    def outcome(self) -> Outcome | None:
        """Return how the play ended, or None while it goes on."""
        return self.result

    # ---- words

    def action_to_string(self, action: int, player: int | None = None) -> str:
        """Return the text of a small action or chance outcome, unique among the legal ones."""
        del player
        return self.game.texts.small_action(self, action)

    def string_to_action(self, text: str) -> int | tuple[int, ...]:
        """Return the small action that a text means, or the several that a sentence means.

        Raises IllegalActionError, with what is wrong, where the text is no legal action here.
        """
        from interpreter.runtime.text.reading import read  # late: kept

        return read(self, text)

    def explain(self, text: str) -> Refusal:
        """Say why a sentence is not legal here, with the rule's line and tags."""
        from interpreter.runtime.text.explain import explain  # late: kept

        return explain(self, text)

    def decision(self) -> Decision | None:
        """Return the decision of a player that waits, or None; of chance `chance_event` tells."""
        return self.game.decision_at(self.node) if self.to_act >= 0 else None

    def is_unfinished(self) -> bool:
        """Say whether a decision of several small actions has been begun and not ended."""
        return self.to_act >= 0 and self.node in self.game.begun

    def picked(self) -> tuple[int, ...]:
        """Return the faces of the cards picked so far for an unfinished set."""
        if not self.is_unfinished():
            return ()
        cards = self.v[self.code.picked] or ()
        return tuple(self.game.card_faces[c] for c in cards)

    def prompt(self) -> str:
        """Return what the player to act is asked, in words; at a chance event, what it is about; empty at the end.

        What a chance event is about is for whoever answers it: players are not shown it.
        """
        if self.to_act == CHANCE:
            return str(self.chance_event())
        return "" if self.to_act < 0 else self.game.texts.prompt(self)

    def chance_event(self) -> ChanceEvent | None:
        """Return what the chance event that waits is about, or None where none does."""
        from interpreter.runtime.chance_event import event_of  # late: kept

        return event_of(self)

    # ---- knowledge

    def events(self, player: int | None = None) -> list[Event]:
        """Return all that happened, as a player saw it (None: everything)."""
        if player is None:
            events: list[Event] = self._logged().events_so_far()
            return events
        from interpreter.runtime.knowledge.recall import seen_of  # late: views
        from interpreter.runtime.knowledge.visibility import Sight  # late: views

        return [seen.event for seen in seen_of(self, Sight(player))]

    def reached(self) -> frozenset[str]:
        """Return the rule tags that this play has carried out."""
        tags: frozenset[str] = frozenset(self._logged().tags)
        return tags

    def _logged(self) -> Any:
        if self.logging:
            return self
        done, log = self._log if self._log is not None else (0, None)
        # All copies of a play share the trail: how far somebody has read it, so that the next one reads on.
        if self._trail and done < len(self._trail[0]) and self.hist[: len(self._trail[0])] == self._trail[0]:
            done, log = len(self._trail[0]), self._trail[1]
        if log is None:
            log = self.game.new_logged_state()
        if done < len(self.hist):
            log = log.clone()
            for place in range(done, len(self.hist), 2):
                log.apply_item(self.hist[place + 1])
        self._log = (len(self.hist), log)
        self._trail[:] = (self.hist[:], log)
        return log

    def observation(self, player: int | None = None) -> Observation:
        """Return what lies on the table for a player now, and what they hold (None: everything)."""
        from interpreter.runtime.knowledge.observation import observe  # late: views

        return observe(self, player)

    def observation_string(self, player: int) -> str:
        """Return the observation of a player as text."""
        from interpreter.runtime.knowledge.observation import observation_text  # late: views

        return observation_text(self, player)

    def public_observation_string(self) -> str:
        """Return what every player sees of the table now, as text."""
        from interpreter.runtime.knowledge.observation import part_text  # late: views

        return part_text(self, None)

    def private_observation_string(self, player: int) -> str:
        """Return what a player sees now and some other player does not, as text."""
        from interpreter.runtime.knowledge.observation import part_text  # late: views

        return part_text(self, player)

    def observation_tensor(self, player: int) -> list[float]:
        """Return the observation of a player as numbers, in `game.observation_layout()`."""
        from interpreter.runtime.knowledge.tensors import observation_tensor  # late: views
        from interpreter.runtime.knowledge.visibility import Sight  # late: views

        return observation_tensor(self, Sight(player))

    def information_state_string(self, player: int) -> str:
        """Return all that a player has seen so far: perfect recall."""
        from interpreter.runtime.knowledge.recall import information_state_text  # late: views
        from interpreter.runtime.knowledge.visibility import Sight  # late: views

        return information_state_text(self, Sight(player))

    def information_state_tensor(self, player: int) -> list[float]:
        """Return the information state of a player as numbers, in `game.information_state_layout()`."""
        from interpreter.runtime.knowledge.recall import information_state_tensor  # late: views
        from interpreter.runtime.knowledge.visibility import Sight  # late: views

        return information_state_tensor(self, Sight(player))

    def resample_from_infostate(self, player: int, rng: chance.Rng, steps: int | None = None) -> State:
        """Return another state in which the player has seen exactly the same and every action was legal.

        It is drawn from what the player can believe of others who play at random, by a walk; more `steps` make
        it follow that closer, and take longer.  Raises ValueError for a player who does not take part.
        """
        return self.game.resampled(self, player, rng, steps)

    # ---- copies

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def history(self) -> list[tuple[int, HistoryItem]]:
        """Return all (actor, action) so far; chance is actor -1, a tuple answers several events at once."""
        return [(self.hist[i], self.hist[i + 1]) for i in range(0, len(self.hist), 2)]

    def content(self) -> tuple[Any, ...]:
        """Return the state as one hashable value: its position, with copies of a card alike, and its history."""
        faces = self.game.card_faces
        unordered = self.game.unordered
        cards = self.game.num_cards

        def face(card: int) -> int:
            return faces[card] if card < cards else len(faces) + card

        zones = tuple(
            tuple(sorted(map(face, zone))) if unordered[place] else tuple(map(face, zone))
            for place, zone in enumerate(self.z)
        )
        marks = tuple(sorted((face(c), m) for held in (self.turned, self.played_by) for c, m in held.items()))
        pools = tuple(sorted((n, tuple(faces[c] for c in p)) for n, p in self.pools.items()))
        base = len(self.game.variable_types)
        return (
            self.to_act,
            self.node,
            tuple(self.v[:base]),
            zones,
            marks,
            pools,
            self.awaited,
            self.result,
            tuple(self.hist),
        )

    def position_key(self) -> tuple[Any, ...]:
        """Return the position as one hashable value, without what led to it.

        States of one game share it only if everything that can still matter is equal: decisions that are kept, places
        in loops and interrupted effects too.
        """
        from interpreter.runtime.position import position_key  # late: kept

        return position_key(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game.key == other.game.key and self.content() == other.content()

    def __hash__(self) -> int:
        return hash((self.game.key, self.content()))

    def serialize(self) -> str:
        """Return the state as text: the play that led to it (`game.deserialize_state` reads it)."""
        items = [list(a) if isinstance(a, tuple) else a for a in self.hist[1::2]]
        return json.dumps({"game": self.game.describe(), "history": items}, separators=(",", ":"))

    def __reduce__(self) -> tuple[Any, ...]:
        return _played, (self.game, self.hist[1::2])

    def __repr__(self) -> str:
        if self.to_act == TERMINAL:
            to_act = "over"
        else:
            to_act = "chance to act" if self.to_act == CHANCE else f"player {self.to_act + 1} to act"
        decisions = f"{self.num_decisions} {'decision' if self.num_decisions == 1 else 'decisions'}"
        return f"<State of {self.game.title!r}: {to_act}, {decisions} made>"

    def __dir__(self) -> list[str]:
        # The machine's fields have plain names too, since generated code is full of them.
        return [*(name for name in object.__dir__(self) if name.startswith("__")), *PUBLIC]

    def __str__(self) -> str:
        from interpreter.runtime.knowledge.observation import observation_text  # late: views

        return observation_text(self, None)


def _played(game: Game, items: list[Any]) -> State:
    """Return the state after a history; what `pickle` calls."""
    return game.play_history(items)
