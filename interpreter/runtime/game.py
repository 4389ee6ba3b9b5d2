"""A compiled game: the rules of a spec, ready to be played."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from functools import cached_property
from itertools import product
from typing import Any

import attrs

from grammar.ast import Spec
from grammar.source import Span
from interpreter.analysis.rules import Rules
from interpreter.analysis.steps import AtOnce, Choice, Show, statements
from interpreter.analysis.symbols import Variable, Zone
from interpreter.analysis.types import Card, EnumType, Int, Player, Type, base_of, size_of
from interpreter.program.generate import Generated, generate
from interpreter.program.layout import Layout
from interpreter.program.lower import lower
from interpreter.program.nodes import Chance, Program
from interpreter.program.playouts import generate_playouts
from interpreter.runtime.faults import IllegalAction, NeedCard, RuleFault
from interpreter.runtime.outcome import Outcome, finished
from interpreter.runtime.playouts import Playouts, helpers, random_playouts
from interpreter.runtime.state import State
from interpreter.runtime.support import support
from interpreter.runtime.texts import Action, Texts

MOST_OUTCOMES = 1000
"""How many ends of plays a game keeps, so that the same need not be made again."""


@attrs.frozen(eq=False)
class Code:
    """The generated functions of a game, by node."""

    layout: Layout
    file: str
    spans: tuple[Span | None, ...]
    run: tuple[Callable[..., int], ...]
    legal: tuple[Any, ...]
    apply: tuple[Any, ...]
    prompt: tuple[Any, ...]
    invariants: tuple[Callable[..., bool], ...]
    explain: dict[int, Any]
    begin: dict[int, Any]
    names: dict[str, Any]


class Game:
    """The rules of one spec for one number of players and one set of options.

    Make one with `interpreter.load`.  Everything here is fixed before play; a play is a `State`.
    Players are numbered from 0.
    """

    def __init__(self, rules: Rules, spec: Spec, options: dict[str, int | bool]) -> None:
        self.rules = rules
        self.title = rules.title
        self.num_players = rules.num_players
        self.cooperative = rules.cooperative
        self.max_decisions = rules.max_decisions
        self.options = options
        self.spec = spec
        self.card_faces: tuple[int, ...] = rules.card_faces
        self.num_cards = len(rules.card_faces)
        self.num_faces = len(rules.faces)
        self.has_copies = self.num_faces < self.num_cards
        self.max_history = 2 * (self.max_decisions + self.max_chance_nodes)
        self.everyone = (1 << self.num_players) - 1
        self.places: tuple[tuple[Zone, tuple[int, ...]], ...] = tuple(
            (zone, index) for zone in rules.zones for index in _indices(zone.indices, zone.sizes)
        )
        self.num_places = len(self.places)
        self.place_viewers = [self._viewers(zone.seen_by, zone.indices, index) for zone, index in self.places]
        self.place_owners = [_owner(zone.indices, index) for zone, index in self.places]
        self.unordered = [zone.kind == "cards" for zone, _ in self.places]
        slots = [(v, index) for v in rules.variables for index in _indices(v.indices, v.sizes)]
        self.variables: tuple[tuple[Variable, tuple[int, ...]], ...] = tuple(slots)
        self.variable_viewers = [self._viewers(v.seen_by, v.indices, index) for v, index in slots]
        self.variable_types = [v.type for v, _ in slots]
        self._outcomes: dict[Any, Outcome] = {}
        self.program: Program = lower(rules)
        self.texts = Texts(self)
        self.code = self._compile(logged=False)

    # ---- making states

    def new_initial_state(self) -> State:
        """Return the state before anything has happened, run on to its first decision or chance event."""
        return self._beginning._fresh()

    @cached_property
    def _beginning(self) -> State:
        """The beginning of every play: nothing is drawn before the first chance event, so all begin alike."""
        return self._begun(State(self, self.code))

    def new_logged_state(self) -> Any:
        """Return an initial state that writes its events as they happen."""
        from interpreter.runtime.logged import LoggedState

        return self._begun(LoggedState(self, self.logged_code))

    def _begun(self, state: State) -> State:
        self.set_out(state)
        try:
            state._run(self.program.entry)
        except Exception as error:
            raise state._fault(error) from error
        return state

    def set_out(self, state: State) -> None:
        """Put every card where it lies before play."""
        for place, cards in self.rules.homes:
            state.z[place] = list(cards)

    def deserialize_state(self, text: str) -> State:
        """Return the state that `State.serialize` wrote.

        Raises ValueError where the text is of another game, or not such a text, or its play is not legal.
        """
        try:
            data = json.loads(text)
            described, items = data["game"], data["history"]
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError("this is not a saved state") from error
        if not isinstance(items, list):
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
            except IllegalAction as error:
                raise ValueError(f"step {number + 1} of the play is not legal: {error}") from error
        return state

    def random_playouts(self, count: int, seed: int | str = 0) -> Playouts:
        """Play at random from beginning to end so many times, and return how the plays ended.

        All of it happens inside generated code, without states between.  The same count and seed give the
        same plays everywhere.  Raises RuleFault where a rule cannot be carried out.
        """
        return random_playouts(self, self._playout_code, count, seed)

    # ---- what is known before play

    @property
    def num_distinct_actions(self) -> int:
        """How many small actions there are; they are numbered from 0."""
        return self.program.num_actions

    @cached_property
    def max_chance_outcomes(self) -> int:
        """A bound on the outcomes of one chance event, and on their numbers where none is negative."""
        drawn = [base_of(node.random.arg.local.type) for node in self.program.nodes if isinstance(node, Chance)]
        return max([self.num_faces, *(self._most_outcomes(type_) for type_ in drawn)])

    def _most_outcomes(self, type_: Type) -> int:
        match type_:
            case Int(low=int(low), high=int(high)):
                return high - min(low, 0) + 1
            case Player():
                return self.num_players
            case Card():
                return self.num_faces
            case _:
                return size_of(type_) or 0

    @property
    def max_chance_nodes(self) -> int:
        """A bound on the chance events of a play; a play that needs more is too long."""
        return 4 * self.max_decisions + 4 * self.num_cards + 100

    @property
    def max_game_length(self) -> int:
        """A bound on the number of decisions of a play."""
        return self.max_decisions

    @cached_property
    def utility_range(self) -> tuple[float, float]:
        """Bounds on the returns."""
        for what in ("returns", "score"):
            for line in self.rules.results:
                if line.what == what and isinstance(line.value.type, Int):
                    low, high = line.value.type.low, line.value.type.high
                    if what == "returns" or self.cooperative:
                        return (float("-inf") if low is None else low, float("inf") if high is None else high)
        return (-1.0, 1.0)

    @property
    def utility(self) -> str:
        """The class of the returns: `identical`, `zero-sum` or `general`."""
        if self.cooperative:
            return "identical"
        return "general" if any(line.what == "returns" for line in self.rules.results) else "zero-sum"

    @cached_property
    def perfect_information(self) -> bool:
        """Whether no player ever learns what another does not."""
        viewers = {*self.place_viewers, *self.variable_viewers}
        told = [s for phase in (self.rules.play, *self.rules.phases) for s in statements(phase.body)]
        return viewers <= {0, self.everyone} and not any(
            isinstance(s, AtOnce) or (isinstance(s, Choice) and s.secretly) or (isinstance(s, Show) and s.to)
            for s in told
        )

    @cached_property
    def chance_offsets(self) -> dict[int, int]:
        """What to add to the outcomes of a chance node so that none is negative, for the nodes that need it."""
        types = {n.number: base_of(n.random.arg.local.type) for n in self.program.nodes if isinstance(n, Chance)}
        return {node: -t.low for node, t in types.items() if isinstance(t, Int) and t.low is not None and t.low < 0}

    def action(self, action: int) -> Action:
        """Return what a small action is, as data.  Raises IllegalAction for a number that is none."""
        return self.texts.structured(action)

    def observation_layout(self) -> list[tuple[str, int, int]]:
        """Return the parts of the observation tensor: name, first position, size."""
        from interpreter.runtime.tensors import observation_layout

        return observation_layout(self)

    def information_state_layout(self) -> list[tuple[str, int, int]]:
        """Return the parts of the information state tensor: name, first position, size."""
        from interpreter.runtime.recall import information_state_layout

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
        return [zone.name + self._index_text(zone.indices, index) for zone, index in self.places]

    @cached_property
    def _variable_names(self) -> list[str]:
        return [variable.name + self._index_text(variable.indices, index) for variable, index in self.variables]

    def _index_text(self, types: tuple[Type, ...], index: tuple[int, ...]) -> str:
        if not types:
            return ""
        return "[" + ", ".join(self.texts.value(t, i) for t, i in zip(types, index, strict=True)) + "]"

    def _viewers(self, seen_by: str, types: tuple[Type, ...], index: tuple[int, ...]) -> int:
        owner = _owner(types, index)
        match seen_by:
            case "all":
                return self.everyone
            case "owner" if owner is not None:
                return 1 << owner
            case "all but owner" if owner is not None:
                return self.everyone & ~(1 << owner)
            case _:
                return 0

    def spec_text(self) -> str:
        """Return the canonical text of the spec, with everything it extends and uses put in."""
        return self._text

    @cached_property
    def _text(self) -> str:
        from grammar.unparse import unparse

        return unparse(self.spec)

    def option_texts(self) -> dict[str, str]:
        """Return the value of every option as people write it."""
        return {o.name: option_text(o.type, o.value) for o in self.rules.options}

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
        import hashlib

        return hashlib.sha256(self._text.encode()).hexdigest()[:16]

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """What two equal games have in common, hashable."""
        return (self.digest, self.num_players, tuple(sorted(self.option_texts().items())))

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        # Nothing in it ever changes.
        return self

    # ---- results and faults

    def outcome_of(self, score: Any, returns: Any, winners: Any) -> Outcome:
        """Return the end of a play by what `result` says of it; most games end in few ways, so ends are kept."""
        scores = None if score is None else tuple(score)
        paid = None if returns is None else tuple(returns)
        best = None if winners is None else tuple(winners)
        key = (scores, paid, best)
        outcome = self._outcomes.get(key)
        if outcome is None:
            if len(self._outcomes) >= MOST_OUTCOMES:
                self._outcomes.clear()
            outcome = self._outcomes[key] = finished(scores, paid, best, self.num_players, self.cooperative)
        return outcome

    def fault_of(self, error: Exception, code: Code) -> RuleFault:
        """Return a fault with the rule's line, from whatever went wrong in generated code."""
        span = error.span if isinstance(error, RuleFault) else None
        if span is None:
            for frame in traceback.extract_tb(error.__traceback__):
                if frame.filename == code.file and frame.lineno is not None:
                    span = code.spans[frame.lineno - 1] or span
        if isinstance(error, RuleFault):
            return RuleFault(error.code, error.message, span)
        if isinstance(error, ZeroDivisionError):
            return RuleFault("CG809", "a division by zero", span)
        if isinstance(error, NeedCard):
            return RuleFault("CG810", "what may be chosen depends on a card that nobody has seen", span)
        return RuleFault("CG902", f"the rules came apart: {type(error).__name__}: {error}", span)

    def chance_is_card(self, node: int) -> bool:
        """Say whether a chance node chooses a card (its outcomes are faces) rather than a value."""
        at = self.program.nodes[node]
        return isinstance(at, Chance) and isinstance(base_of(at.random.arg.local.type), Card)

    # ---- code

    @cached_property
    def logged_code(self) -> Code:
        """The code that writes events, made when it is first needed."""
        return self._compile(logged=True)

    def generated(self, *, logged: bool = False) -> Generated:
        """Return the Python that the game was compiled to."""
        return generate(self.program, logged=logged)

    @cached_property
    def _playout_code(self) -> Code:
        return self.playout_code()

    def playout_code(self, *, in_order: bool = False) -> Code:
        """Return the code that plays whole games at random; `in_order` draws as from `legal_actions()`."""
        return self._compiled(generate_playouts(self.program, in_order=in_order), "<playouts>", helpers(self))

    def _compile(self, *, logged: bool) -> Code:
        return self._compiled(self.generated(logged=logged), f"<{'logged ' if logged else ''}rules>", {})

    def _compiled(self, made: Generated, file: str, more: dict[str, Any]) -> Code:
        names: dict[str, Any] = {"__builtins__": _BUILTINS, **support(self), **more, **made.tables}
        exec(compile(made.text, file, "exec"), names)
        run, legal, apply, prompt, invariants = (names.get(n, ()) for n in _LISTED)
        return Code(
            made.layout, file, made.spans, run, legal, apply, prompt, invariants, names.get("EXPLAIN", {}),
            names.get("BEGIN", {}), names,
        )  # fmt: skip


_LISTED = ("RUN", "LEGAL", "APPLY", "PROMPT", "INVARIANTS")
_BUILTINS = {f.__name__: f for f in (len, sum, min, max, any, all, abs, sorted, set, list, tuple, range, next, reversed,
                                     bool, iter, map, filter)}  # fmt: skip
"""All of Python that generated code can reach."""


def option_text(type_: Type, value: int | bool) -> str:
    """Return an option's value as people write it."""
    if isinstance(type_, EnumType):
        return type_.values[value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _indices(types: tuple[Type, ...], sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    lows = [t.low or 0 if isinstance(t, Int) else 0 for t in types]
    return [
        tuple(low + i for low, i in zip(lows, combination, strict=True))
        for combination in product(*(range(size) for size in sizes))
    ]


def _owner(types: tuple[Type, ...], index: tuple[int, ...]) -> int | None:
    return next((i for t, i in zip(types, index, strict=True) if isinstance(t, Player)), None)
