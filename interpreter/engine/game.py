"""The public classes `Game` and `State`.

The tables of a game stand in `interpreter.engine.game_base`, what changes a state in `interpreter.engine.machine`; what
can be derived from a state is a function elsewhere that takes one.  Games make states and states name their game, so
the two stand in one file.  Names follow OpenSpiel, with Python's spelling.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import msgspec

from grammar.english import counted
from interpreter.engine import pickling
from interpreter.engine.code import Code, KeptCode
from interpreter.engine.data import read_as, read_json
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.game_base import GameBase
from interpreter.engine.logged import LoggedMachine, log_of
from interpreter.engine.machine import CHANCE, TERMINAL, Machine
from interpreter.engine.playouts import Playouts, random_playouts
from interpreter.engine.support import support
from interpreter.text import prompts

if TYPE_CHECKING:
    from interpreter.engine.chance import Rng
    from interpreter.engine.chance_event import ChanceEvent
    from interpreter.engine.compilation import Compilation
    from interpreter.knowledge.events import Event
    from interpreter.knowledge.observation import Observation
    from interpreter.native.vector import Vector
    from interpreter.program.python.module import Generated
    from interpreter.text.explain import Refusal

PUBLIC_OF_GAME = (
    "action", "cooperative", "describe", "deserialize_state", "information_state_layout", "max_chance_outcomes",
    "max_game_length", "native", "new_initial_state", "num_distinct_actions", "num_players", "observation_layout",
    "option_texts", "perfect_information", "play_history", "program", "random_playouts", "rules", "setting", "spec",
    "spec_text", "title", "utility", "utility_range", "vector",
)  # fmt: skip
"""The public names of a game; all others are for the runtime.  `docs/python.md` documents these."""

PUBLIC_OF_STATE = (
    "action_to_string", "apply_action", "chance_event", "chance_outcomes", "clone", "current_player", "decision",
    "events", "explain", "game", "history", "information_state_string", "information_state_tensor", "is_chance_node",
    "is_terminal", "is_unfinished", "legal_actions", "num_actions", "num_decisions", "observation",
    "observation_string", "observation_tensor", "outcome", "picked", "position_key", "private_observation_string",
    "prompt", "public_observation_string", "reached", "resample_from_infostate", "resolve_chance", "returns",
    "serialize", "string_to_action",
)  # fmt: skip
"""The public names of a state; all others are for the runtime.  `docs/python.md` documents these."""


class Game(GameBase):
    """The rules of one spec for one number of players and one set of options.

    Make one with `interpreter.load`.  Everything here is fixed before play; a play is a `State`.
    Players are numbered from 0.

    A game runs on its data and its code alone.  The spec, the rules and the program (`compilation`) are for those who
    ask about them; a game that was kept (`kept`, and the `digest` of its spec) makes them when they are needed.
    """

    @classmethod
    def of(cls, compilation: Compilation) -> Self:
        """Return the game of rules and a program, compiled."""
        return cls(compilation.data(), lambda: compilation)

    def ready(self) -> Self:
        """Make the code of plays now, while a budget of work is open."""
        assert self.code.names
        return self

    # ---- making states

    def new_initial_state(self) -> State:
        """Return the state before anything has happened, run on to its first decision or chance event."""
        return (self._native_beginning if self.native else self._beginning)._fresh()

    def new_python_state(self) -> State:
        """Return the same state, which Python's machine carries on even where the game is native."""
        return self._beginning._fresh()

    @cached_property
    def _native_beginning(self) -> State:
        """The beginning of every play of a native game; Python's where the library for single steps cannot be made."""
        from interpreter.native.library import NativeUnavailableError  # late: native
        from interpreter.native.native_state import ELSEWHERE, ExplicitGame, new_native_state  # late: native

        try:
            library = ExplicitGame.of(self)
        except NativeUnavailableError:
            return self._beginning
        if library.beginning == ELSEWHERE:
            return self._beginning
        made: State = new_native_state(State, self, library)
        return made

    @cached_property
    def _beginning(self) -> State:
        """The beginning of every play: nothing is drawn before the first chance event, so all begin alike."""
        return State(self, self.code).begin()

    def new_logged_state(self) -> LoggedState:
        """Return an initial state that writes its events as they happen."""
        return LoggedState(self, self.code).begin()

    def deserialize_state(self, text: str) -> State:
        """Return the state that `State.serialize` wrote.

        Raises ValueError where the text is of another game, or not such a text, or its play is not legal.
        """
        try:
            saved = read_as(read_json(text), _Saved)
        except ValueError as error:
            raise ValueError("this is not a saved state") from error
        if saved.game != self.describe():
            raise ValueError("this state belongs to another game, or to other options")
        return self.play_history(saved.history)

    def play_history(self, items: list[Any]) -> State:
        """Return the state after a history: actions and outcomes in order.

        Raises ValueError where one of them is not legal.
        """
        state = self.new_initial_state()
        for number, item in enumerate(items):
            try:
                state.apply_action(tuple(item) if isinstance(item, list | tuple) else item)
            except (IllegalActionError, RuleError) as error:
                raise ValueError(f"step {number + 1} of the play is not legal: {error}") from error
        return state

    def random_playouts(self, count: int, seed: int | str = 0) -> Playouts:
        """Play at random from beginning to end so many times, and return how the plays ended.

        The same count and seed give the same plays everywhere; native code, which has a random generator of its own,
        gives other ones, and much faster.  Raises RuleError where a rule cannot be carried out.
        """
        if self.native:
            from interpreter.native.plays import NativeGame  # late: native

            return NativeGame.of(self).random_playouts(count, seed)
        return random_playouts(self.new_python_state, count, seed)

    def vector(self, n: int, seed: int = 0, *, seat: int | None = None) -> Vector:
        """Begin so many plays side by side, in one buffer, which C carries on by one call (`Vector`).

        With a `seat` that player alone decides, and all others at random.  Raises NativeUnavailableError where there is
        no C compiler or no numpy, ValueError for a number below 1 or another seat, RuleError.
        """
        from interpreter.native.plays import NativeGame  # late: native
        from interpreter.native.vector import Vector  # late: native

        return Vector(NativeGame.of(self), n, seed, seat=seat)

    def observation_layout(self) -> list[tuple[str, int, int]]:
        """Return the parts of the observation tensor: name, first position, size."""
        from interpreter.knowledge.tensors import observation_layout  # late: views

        return observation_layout(self)

    def information_state_layout(self) -> list[tuple[str, int, int]]:
        """Return the parts of the information state tensor: name, first position, size."""
        from interpreter.knowledge.recall import information_state_layout  # late: views

        return information_state_layout(self)

    # ---- copies: a game is immutable

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickling.reduced(self)

    def __repr__(self) -> str:
        return f"<Game {self.title!r} for {self.setting}>"

    def _repr_html_(self) -> str:
        """Return the setting and the cards as HTML, for notebooks."""
        from interpreter.table.html import game_html  # late: views

        return game_html(self)

    def __setattr__(self, name: str, value: Any) -> None:
        # Anyone who loads the same spec gets the same game, so nobody may change what others see of it.
        if name in PUBLIC_OF_GAME and name in self.__dict__:
            raise AttributeError(f"`{name}` of a game is fixed")
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*(name for name in object.__dir__(self) if name.startswith("__")), *PUBLIC_OF_GAME]

    # ---- code

    @cached_property
    def code(self) -> Code:
        """The code of the game, made when it is first needed."""
        kept = self._kept_code
        return Code.of(KeptCode.of(self.generated()) if kept is None else kept, "rules", support(self))

    def generated(self) -> Generated:
        """Return the Python that the game was compiled to."""
        from interpreter.program.python.module import generate  # late: kept

        return generate(self.program)


class State(Machine):
    """A state of a game.  Make the first with `game.new_initial_state()`.

    Acting, and what kind of node this is, is the `Machine`'s.
    """

    __slots__ = ()

    game: Game

    # ---- words

    def action_to_string(self, action: int, player: int | None = None) -> str:
        """Return the text of a small action or chance outcome, unique among the legal ones."""
        del player
        return prompts.small_action(self, action)

    def string_to_action(self, text: str) -> int | tuple[int, ...]:
        """Return the small action that a text means, or the several that a sentence means.

        Raises IllegalActionError, with what is wrong, where the text is no legal action here.
        """
        from interpreter.text.reading import read  # late: kept

        return read(self, text)

    def explain(self, text: str) -> Refusal:
        """Say why a sentence is not legal here, with the rule's line and tags."""
        from interpreter.text.explain import explain  # late: kept

        return explain(self, text)

    def prompt(self) -> str:
        """Return the prompt of the player to act, in words; at a chance event, what it is about; empty at the end.

        What a chance event is about is for the code that answers it: players are not shown it.
        """
        if self.to_act == CHANCE:
            return str(self.chance_event())
        return "" if self.to_act < 0 else prompts.prompt(self)

    def chance_event(self) -> ChanceEvent | None:
        """Return what the chance event that waits is about, or None where none does."""
        from interpreter.engine.chance_event import event_of  # late: kept

        return event_of(self)

    # ---- knowledge

    def events(self, player: int | None = None) -> list[Event]:
        """Return all that happened, as a player saw it (None: everything)."""
        if player is None:
            return log_of(self).log[:]
        from interpreter.knowledge.recall import seen_of  # late: views
        from interpreter.knowledge.visibility import Sight  # late: views

        return [seen.event for seen in seen_of(self, Sight(player))]

    def reached(self) -> frozenset[str]:
        """Return the rule tags that this play has carried out."""
        return frozenset(log_of(self).tags)

    def observation(self, player: int | None = None) -> Observation:
        """Return what lies on the table for a player now, and what they hold (None: everything)."""
        from interpreter.knowledge.observation import observe  # late: views

        return observe(self, player)

    def observation_string(self, player: int) -> str:
        """Return the observation of a player as text."""
        from interpreter.knowledge.observation import observation_text  # late: views

        return observation_text(self, player)

    def public_observation_string(self) -> str:
        """Return what every player sees of the table now, as text."""
        from interpreter.knowledge.observation import part_text  # late: views

        return part_text(self, None)

    def private_observation_string(self, player: int) -> str:
        """Return what a player sees now and some other player does not, as text."""
        from interpreter.knowledge.observation import part_text  # late: views

        return part_text(self, player)

    def observation_tensor(self, player: int) -> list[float]:
        """Return the observation of a player as numbers, in `game.observation_layout()`."""
        from interpreter.knowledge.tensors import observation_tensor  # late: views
        from interpreter.knowledge.visibility import Sight  # late: views

        return observation_tensor(self, Sight(player))

    def information_state_string(self, player: int) -> str:
        """Return all that a player has seen so far: perfect recall."""
        from interpreter.knowledge.recall import information_state_text  # late: views
        from interpreter.knowledge.visibility import Sight  # late: views

        return information_state_text(self, Sight(player))

    def information_state_tensor(self, player: int) -> list[float]:
        """Return the information state of a player as numbers, in `game.information_state_layout()`."""
        from interpreter.knowledge.recall import information_state_tensor  # late: views
        from interpreter.knowledge.visibility import Sight  # late: views

        return information_state_tensor(self, Sight(player))

    def resample_from_infostate(self, player: int, rng: Rng, steps: int | None = None) -> State:
        """Return another state in which the player has seen exactly the same and every action was legal.

        It is drawn from what the player can believe of others who play at random, by a walk; more `steps` make
        it follow that closer, and take longer.  Raises ValueError for a player who does not take part.
        """
        from interpreter.belief.belief import resample  # late: views

        world: State = resample(self, player, rng, steps)
        return world

    # ---- copies

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def content(self) -> tuple[Any, ...]:
        """Return the state as one hashable value: its position, with copies of a card alike, and its history."""
        return (self.position_key(), tuple(self.entries))

    def position_key(self) -> tuple[Any, ...]:
        """Return the position as one hashable value, without what led to it.

        States of one game share it only if everything that can still matter is equal: decisions that are kept, places
        in loops and interrupted effects too.
        """
        from interpreter.engine.position import position_key  # late: kept

        return position_key(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game.key == other.game.key and self.content() == other.content()

    def __hash__(self) -> int:
        return hash((self.game.key, self.content()))

    def serialize(self) -> str:
        """Return the state as text: the play that led to it (`game.deserialize_state` reads it)."""
        items = [list(a) if isinstance(a, tuple) else a for a in self.entries[1::2]]
        return json.dumps({"game": self.game.describe(), "history": items}, separators=(",", ":"))

    def __reduce__(self) -> tuple[Any, ...]:
        return _played, (self.game, self.entries[1::2])

    def __repr__(self) -> str:
        if self.to_act == TERMINAL:
            to_act = "over"
        else:
            to_act = "chance to act" if self.to_act == CHANCE else f"player {self.to_act + 1} to act"
        return f"<State of {self.game.title!r}: {to_act}, {counted(self.num_decisions, 'decision')} made>"

    def _repr_html_(self) -> str:
        """Return what all players see as HTML, for notebooks."""
        from interpreter.table.html import state_html  # late: views

        return state_html(self)

    def __dir__(self) -> list[str]:
        # The machine's fields have plain names too, since generated code is full of them.
        return [*(name for name in object.__dir__(self) if name.startswith("__")), *PUBLIC_OF_STATE]

    def __str__(self) -> str:
        from interpreter.knowledge.observation import observation_text  # late: views

        return observation_text(self, None)


class LoggedState(LoggedMachine, State):
    """A state that writes its events as they happen; make the first with `game.new_logged_state()`."""

    __slots__ = ()


def _played(game: Game, items: list[Any]) -> State:
    """Return the state after a history; what `pickle` calls."""
    return game.play_history(items)


class _Saved(msgspec.Struct):
    """A saved state: the game, and what was chosen and what chance answered, in order."""

    game: object
    history: list[int | list[int]]
