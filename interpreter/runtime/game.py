"""A compiled game: the rules of a spec, ready to be played."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from interpreter.analysis.types import Card, Int, Player, Type, base_of, size_of
from interpreter.runtime import pickling
from interpreter.runtime.code import Code, KeptCode
from interpreter.runtime.data import is_whole, read_json
from interpreter.runtime.faults import IllegalActionError, NeedCard, RuleError
from interpreter.runtime.outcome import Ends, Outcome, finished
from interpreter.runtime.playouts import Native, Playouts, helpers, random_playouts
from interpreter.runtime.state import State
from interpreter.runtime.support import support
from interpreter.runtime.text.texts import Action, Texts

if TYPE_CHECKING:
    from grammar.ast import Spec
    from grammar.source import Span
    from interpreter.analysis.rules import Rules
    from interpreter.analysis.symbols import Variable, Zone
    from interpreter.native.plays import NativeGame
    from interpreter.native.vector import Vector
    from interpreter.native.watched import WatchedGame
    from interpreter.program.nodes import Decision, Program
    from interpreter.program.python.module import Generated
    from interpreter.runtime.chance import Rng
    from interpreter.runtime.compilation import Compilation
    from interpreter.runtime.game_data import GameData

PUBLIC = (
    "action", "cooperative", "describe", "deserialize_state", "information_state_layout", "max_chance_outcomes",
    "max_game_length", "native", "new_initial_state", "num_distinct_actions", "num_players", "observation_layout",
    "option_texts", "perfect_information", "play_history", "program", "random_playouts", "rules", "setting", "spec",
    "spec_text", "title", "utility", "utility_range", "vector",
)  # fmt: skip
"""What a game is asked by whoever plays it; all else is for the runtime.  `docs/python.md` documents these."""

MOST_OUTCOMES = 1000
"""How many ends of plays a game keeps, so that the same need not be made again."""


class Game:
    """The rules of one spec for one number of players and one set of options.

    Make one with `interpreter.load`.  Everything here is fixed before play; a play is a `State`.
    Players are numbered from 0.

    A game runs on its data and its code alone.  The spec, the rules and the program (`compilation`) are for those who
    ask about them; a game that was kept (`kept`, and the `digest` of its spec) makes them when somebody does.
    """

    def __init__(
        self,
        data: GameData,
        compilation: Callable[[], Compilation],
        *,
        kept: KeptCode | None = None,
        digest: str | None = None,
    ) -> None:
        self.data = data
        self._make_front = compilation
        self.title = data.title
        self.setting = data.setting
        self.num_players = data.setting.players
        self.cooperative = data.cooperative
        self.max_decisions = data.max_decisions
        self.faces = data.faces
        self.card_faces: tuple[int, ...] = data.card_faces
        self.num_cards = len(data.card_faces)
        self.num_faces = len(data.faces)
        self.has_copies = self.num_faces < self.num_cards
        self.max_history = 2 * (self.max_decisions + self.max_chance_nodes)
        self.everyone = (1 << self.num_players) - 1
        self.num_places = len(data.places)
        self.place_viewers = [place.viewers for place in data.places]
        self.place_owners = [place.owner for place in data.places]
        self.unordered = [place.kind == "cards" for place in data.places]
        self.piles = [place.kind == "pile" for place in data.places]
        self.capacities = [place.capacity for place in data.places]
        self.variable_viewers = [slot.viewers for slot in data.slots]
        self.variable_types = [slot.type for slot in data.slots]
        self.outcomes: dict[tuple[Ends, Ends, Ends, Ends], Outcome] = {}
        self.shapes = data.shapes
        self.final = data.final
        self.chance_types = data.chance
        self.begun = data.begun
        if digest is not None:
            self.digest = digest
        self.texts = Texts(self)
        self._kept_code = kept
        self._native: Native | None = None

    @classmethod
    def of(cls, compilation: Compilation) -> Self:
        """Return the game of rules and a program, compiled."""
        return cls(compilation.data(), lambda: compilation)

    def ready(self, *, logged: bool = False) -> Self:
        """Make the code of plays now, while a budget of work is open: what only plays, or what writes events."""
        assert (self.logged_code if logged else self.code).names
        return self

    # ---- making states

    def new_initial_state(self) -> State:
        """Return the state before anything has happened, run on to its first decision or chance event."""
        return self._beginning._fresh()

    def run_on(self, native: Native) -> None:
        """Let random plays be carried out by native code."""
        self._native = native

    @property
    def native(self) -> bool:
        """Whether random plays are carried out by native code (`interpreter.native`)."""
        return self._native is not None

    @cached_property
    def _beginning(self) -> State:
        """The beginning of every play: nothing is drawn before the first chance event, so all begin alike."""
        return self._begun(State(self, self.code))

    def new_logged_state(self) -> Any:
        """Return an initial state that writes its events as they happen."""
        from interpreter.runtime.logged import LoggedState  # late: views

        return self._begun(LoggedState(self, self.logged_code))

    def resampled(self, state: State, player: int, rng: Rng, steps: int | None) -> State:
        """Return another world of a player; see `State.resample_from_infostate`."""
        from interpreter.runtime.belief.belief import resample  # late: views

        return resample(state, player, rng, steps)

    def _begun(self, state: State) -> State:
        self.set_out(state)
        try:
            state._run(self.data.entry)
        except Exception as error:
            raise state._fault(error) from error
        return state

    def set_out(self, state: State) -> None:
        """Put every card where it lies before play."""
        for place, cards in self.data.homes:
            state.z[place] = sorted(cards) if self.unordered[place] else list(cards)

    def deserialize_state(self, text: str) -> State:
        """Return the state that `State.serialize` wrote.

        Raises ValueError where the text is of another game, or not such a text, or its play is not legal.
        """
        try:
            data = read_json(text)
            described, items = data["game"], data["history"]
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError("this is not a saved state") from error
        if not isinstance(items, list) or not all(map(_is_step, items)):
            raise ValueError("this is not a saved state")
        if described != self.describe():
            raise ValueError("this state belongs to another game, or to other options")
        return self.play_history(items)

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

        All of it happens inside generated code, without states between.  The same count and seed give the same plays
        everywhere; native code, which has a random generator of its own, gives other ones.  Raises RuleError where a
        rule cannot be carried out.
        """
        if self._native is not None:
            return self._native.random_playouts(count, seed)
        return random_playouts(self, self._playouts, count, seed)

    def vector(self, n: int, seed: int = 0, *, seat: int | None = None) -> Vector:
        """Begin so many plays side by side, in one buffer, which C carries on by one call (`Vector`).

        With a `seat` that player alone decides, and all others at random.  Raises NativeUnavailableError where there is
        no C compiler or no numpy, ValueError for a number below 1 or another seat, RuleError.
        """
        from interpreter.native.vector import Vector  # late: native

        return Vector(self.library, n, seed, seat=seat)

    @cached_property
    def library(self) -> NativeGame:
        """The game as C, built or found when it is first asked for."""
        from interpreter.native.plays import NativeGame  # late: native

        return NativeGame(self)

    @cached_property
    def watched_library(self) -> WatchedGame:
        """The game as C whose plays note what players see of them, built or found when it is first asked for."""
        from interpreter.native.watched import WatchedGame  # late: native

        return WatchedGame(self)

    @property
    def watched_at_hand(self) -> WatchedGame | None:
        """The same, if the game is wanted as C: somebody has asked for this, or random plays are native."""
        if self._native is None and "watched_library" not in vars(self):
            return None
        from interpreter.native.library import NativeUnavailableError  # late: native

        with suppress(NativeUnavailableError):
            return self.watched_library
        return None

    # ---- what is known before play

    @property
    def num_distinct_actions(self) -> int:
        """How many small actions there are; they are numbered from 0."""
        return self.data.num_actions

    @cached_property
    def max_chance_outcomes(self) -> int:
        """A bound on the outcomes of one chance event, and on their numbers where none is negative."""
        return max([self.num_faces, *(self._most_outcomes(base_of(t)) for t in self.chance_types.values())])

    def _most_outcomes(self, type_: Type) -> int:
        match type_:
            case Int(low=int(low), high=int(high)):
                return high - min(low, 0) + 1
            case Player():
                return self.num_players
            case Card():
                return self.num_faces
            case _:  # The type of all others tells it.
                return size_of(type_) or 0

    @property
    def max_chance_nodes(self) -> int:
        """A bound on the chance events of a play; a play that needs more is too long."""
        return 4 * self.max_decisions + 4 * self.num_cards + 100

    @property
    def max_game_length(self) -> int:
        """A bound on the number of decisions of a play."""
        return self.max_decisions

    @property
    def utility_range(self) -> tuple[float, float]:
        """Bounds on the returns."""
        return self.data.utility_range

    @property
    def utility(self) -> str:
        """The class of the returns: `identical`, `zero-sum` or `general`."""
        return self.data.utility

    @property
    def perfect_information(self) -> bool:
        """Whether no player ever learns what another does not."""
        return self.data.perfect_information

    @cached_property
    def chance_offsets(self) -> dict[int, int]:
        """What to add to the outcomes of a chance node so that none is negative, for the nodes that need it."""
        types = {node: base_of(type_) for node, type_ in self.chance_types.items()}
        return {node: -t.low for node, t in types.items() if isinstance(t, Int) and t.low is not None and t.low < 0}

    def action(self, action: int) -> Action:
        """Return what a small action is, as data.  Raises IllegalActionError for a number that is none."""
        return self.texts.structured(action)

    def observation_layout(self) -> list[tuple[str, int, int]]:
        """Return the parts of the observation tensor: name, first position, size."""
        from interpreter.runtime.knowledge.tensors import observation_layout  # late: views

        return observation_layout(self)

    def information_state_layout(self) -> list[tuple[str, int, int]]:
        """Return the parts of the information state tensor: name, first position, size."""
        from interpreter.runtime.knowledge.recall import information_state_layout  # late: views

        return information_state_layout(self)

    # ---- names

    def place_name(self, place: int) -> str:
        """Return the name of a place: `hand[player 1, left]`."""
        return self._place_names[place]

    def variable_name(self, slot: int) -> str:
        """Return the name of a variable's slot: `score[player 1]`."""
        return self._variable_names[slot]

    @cached_property
    def _place_names(self) -> list[str]:
        return [at.zone + self._index_text(at.types, at.index) for at in self.data.places]

    @cached_property
    def _variable_names(self) -> list[str]:
        return [at.variable + self._index_text(at.types, at.index) for at in self.data.slots]

    def _index_text(self, types: tuple[Type, ...], index: tuple[int, ...]) -> str:
        if not types:
            return ""
        return "[" + ", ".join(self.texts.value(t, i) for t, i in zip(types, index, strict=True)) + "]"

    # ---- what stands behind it

    @cached_property
    def compilation(self) -> Compilation:
        """The spec, the rules and the program; made now where the game was kept."""
        return self._make_front()

    @property
    def spec(self) -> Spec:
        """The whole spec, with everything it extends and uses put in."""
        return self.compilation.spec

    @property
    def rules(self) -> Rules:
        """The checked rules."""
        return self.compilation.rules

    @property
    def program(self) -> Program:
        """The state machine."""
        return self.compilation.program

    @cached_property
    def places(self) -> tuple[tuple[Zone, tuple[int, ...]], ...]:
        """The places for cards by number: the zone of each, and its indices."""
        return tuple(self.compilation.places())

    @cached_property
    def variables(self) -> tuple[tuple[Variable, tuple[int, ...]], ...]:
        """The values of variables by number: the variable of each, and its indices."""
        return tuple(self.compilation.variables())

    def span_of(self, node: int) -> Span | None:
        """Return where a node of the program stands in the spec."""
        return self.data.spans[node]

    def decision_at(self, node: int) -> Decision | None:
        """Return the decision that a node is, or None."""
        from interpreter.program.nodes import Decision  # late: kept

        found = self.program.nodes[node]
        return found if isinstance(found, Decision) else None

    def spec_text(self) -> str:
        """Return the canonical text of the spec, with everything it extends and uses put in."""
        return self._text

    @cached_property
    def _text(self) -> str:
        from grammar.unparse import unparse  # late: kept

        return unparse(self.spec)

    def option_texts(self) -> dict[str, str]:
        """Return the value of every option as people write it."""
        return self.setting.texts()

    def describe(self) -> dict[str, Any]:
        """Return what makes this game the one it is: title, a mark of its text, players and options."""
        return {
            "title": self.title,
            "spec": self.digest,
            "players": self.num_players,
            "options": self.option_texts(),
        }

    @cached_property
    def digest(self) -> str:
        """A mark of the spec's text: equal texts, equal marks."""
        return hashlib.sha256(self._text.encode()).hexdigest()[:16]

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """What two equal games have in common, hashable."""
        return (self.digest, self.num_players, tuple(sorted(self.option_texts().items())))

    # ---- copies: nothing that can be asked of a game ever changes

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

    def __dir__(self) -> list[str]:
        return [*(name for name in object.__dir__(self) if name.startswith("__")), *PUBLIC]

    # ---- results and faults

    def outcome_of(self, score: Ends, returns: Ends, winners: Ends, stakes: Ends) -> Outcome:
        """Make the end of a play of what `result` says; most games end in few ways, so it is kept in `outcomes`."""
        if len(self.outcomes) >= MOST_OUTCOMES:
            self.outcomes.clear()
        key = (score, returns, winners, stakes)
        outcome = self.outcomes[key] = finished(*key, self.num_players, self.cooperative)
        return outcome

    def fault_of(self, error: Exception, code: Code) -> RuleError:
        """Return a fault with the rule's line, from whatever went wrong in generated code."""
        span = error.span if isinstance(error, RuleError) else None
        if span is None:
            for frame in traceback.extract_tb(error.__traceback__):
                if frame.filename == code.file and frame.lineno is not None:
                    span = code.kept.spans[frame.lineno - 1] or span
        if isinstance(error, RuleError):
            return RuleError(error.code, error.message, span)
        if isinstance(error, ZeroDivisionError):
            return RuleError("CG809", "a division by zero", span)
        if isinstance(error, NeedCard):
            return RuleError("CG810", "what may be chosen depends on a card that nobody has seen", span)
        return RuleError("CG902", f"the rules came apart: {type(error).__name__}: {error}", span)

    def chance_is_card(self, node: int) -> bool:
        """Say whether a chance node chooses a card (its outcomes are faces) rather than a value."""
        return isinstance(base_of(self.chance_types[node]), Card) if node in self.chance_types else False

    # ---- code

    @cached_property
    def code(self) -> Code:
        """The code that only plays, made when it is first needed."""
        kept = self._kept_code
        return self._compile(logged=False) if kept is None else Code.of(kept, _RULES, support(self))

    @cached_property
    def logged_code(self) -> Code:
        """The code that writes events, made when it is first needed."""
        return self._compile(logged=True)

    def generated(self, *, logged: bool = False) -> Generated:
        """Return the Python that the game was compiled to."""
        from interpreter.program.python.module import generate  # late: kept

        return generate(self.program, logged=logged)

    @cached_property
    def _playouts(self) -> Code:
        return self.playout_code()

    def playout_code(self, *, in_order: bool = False) -> Code:
        """Return the code that plays whole games at random; `in_order` draws as from `legal_actions()`."""
        from interpreter.program.python.playouts import generate_playouts  # late: kept

        return self._compiled(generate_playouts(self.program, in_order=in_order), "playouts", helpers(self))

    def _compile(self, *, logged: bool) -> Code:
        return self._compiled(self.generated(logged=logged), _LOGGED_RULES if logged else _RULES, {})

    def _compiled(self, made: Generated, file: str, more: dict[str, Any]) -> Code:
        return Code.of(KeptCode.of(made), file, {**support(self), **more}, made.layout)


_RULES = "rules"
_LOGGED_RULES = "logged-rules"


def _is_step(item: object) -> bool:
    """Say whether data can be an action, or what chance answered."""
    return is_whole(item) or (isinstance(item, list) and all(map(is_whole, item)))
