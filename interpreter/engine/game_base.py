"""The lower layer of games: tables, words and names, and the code that states run.

States are made and distinguished above this (`interpreter.engine.game`); here nothing knows of them, so that everything
that works on states can stand between the two.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter.analysis.types import Card, Cards, Int, Player, Type, base_of, size_of
from interpreter.engine.faults import NeedCard, RuleError
from interpreter.engine.outcome import Ends, Outcome, finished
from interpreter.text.texts import Action, Texts

if TYPE_CHECKING:
    from grammar.ast import Spec
    from grammar.source import Span
    from interpreter.analysis.core import Variable
    from interpreter.analysis.rules import Rules
    from interpreter.analysis.symbols import Zone
    from interpreter.engine.code import Code, KeptCode
    from interpreter.engine.compilation import Compilation
    from interpreter.engine.game_data import DecisionData, GameData
    from interpreter.program.layout import Layout
    from interpreter.program.nodes import Decision, Program

PlainState = Any
"""A state of the public kind (`interpreter.engine.game.State`), which what is below that cannot name."""

MOST_OUTCOMES = 1000
"""How many ends of plays a game keeps, so that the same need not be made again."""


class GameBase(ABC):
    """The lower layer of a game: its constant data, and the queries of a state.

    `libraries` are the game's libraries in C by kind, or the reason why there are none; `interpreter.native` sets it.
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
        self.teams = data.teams
        self.faces = data.faces
        self.card_faces: tuple[int, ...] = data.card_faces
        self.num_cards = len(data.card_faces)
        self.num_faces = len(data.faces)
        self.has_copies = self.num_faces < self.num_cards
        self.max_history = 2 * self.max_chance_nodes
        self.everyone = (1 << self.num_players) - 1
        self.num_places = len(data.places)
        self.place_viewers = [place.viewers for place in data.places]
        self.place_owners = [place.owner for place in data.places]
        self.unordered = [place.kind == "cards" for place in data.places]
        self.piles = [place.kind == "pile" for place in data.places]
        self.capacities = [place.capacity for place in data.places]
        self.variable_viewers = [slot.viewers for slot in data.slots]
        self.variable_types = [slot.type for slot in data.slots]
        self.holds_cards = [isinstance(base_of(slot.type), Card | Cards) for slot in data.slots]
        self.outcomes: dict[tuple[Ends, Ends, Ends, Ends], Outcome] = {}
        self.shapes = data.shapes
        self.final = data.final
        self.chance_types = data.chance
        self.begun = frozenset(node for node, decision in data.decisions.items() if decision.is_begun)
        if digest is not None:
            self.digest = digest
        self.texts = Texts(data)
        self.native = False
        """Whether random plays, and the steps of states, are carried out by native code (`interpreter.native`)."""
        self.quick_build = False
        """Whether a library for beliefs is built in a third of the time; it then walks at half the speed."""
        self.libraries: dict[str, Any] = {}
        self._kept_code = kept
        self.identity: str | None = None
        """The mark of the question that the cache keeps this game for (`interpreter.cache`), or None."""

    # ---- what the game adds that makes states

    @property
    @abstractmethod
    def code(self) -> Code:
        """The code of the game."""

    @abstractmethod
    def new_initial_state(self) -> PlainState:
        """Return the state before anything has happened."""

    @abstractmethod
    def new_python_state(self) -> PlainState:
        """Return the same state, which Python's machine carries on even where the game is native."""

    # ---- what is known before play

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The players of each side: of a team, or one player in a game without teams."""
        return tuple(team.players for team in self.teams) or tuple((player,) for player in range(self.num_players))

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
        return size_of(type_) or 0

    @property
    def max_chance_nodes(self) -> int:
        """A bound on the chance events of a play; a play that needs more is too long."""
        return 5 * self.max_decisions + 4 * self.num_cards + 100

    @property
    def max_game_length(self) -> int:
        """A bound on the number of small actions of a play."""
        return self.max_decisions * self.data.longest_decision

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
        """Whether all players always have the same information."""
        return self.data.perfect_information

    @cached_property
    def chance_offsets(self) -> dict[int, int]:
        """The number to add to the outcomes of a chance node so that none is negative, for nodes that need it."""
        types = {node: base_of(type_) for node, type_ in self.chance_types.items()}
        return {node: -t.low for node, t in types.items() if isinstance(t, Int) and t.low is not None and t.low < 0}

    def action(self, action: int) -> Action:
        """Return what a small action is, as data.  Raises IllegalActionError for a number that is none."""
        return self.texts.structured(action)

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
        return [at.variable + self._index_text(at.types, at.index, at.home) for at in self.data.slots]

    def _index_text(
        self, types: tuple[Type, ...], index: tuple[int, ...], home: tuple[str, int, int] | None = None
    ) -> str:
        texts = [self.texts.value(t, i) for t, i in zip(types, index, strict=True)]
        if home is not None:
            zone, number, of_card = home
            place = zone + self._index_text(types[:number], index[:number])
            texts[:of_card] = [place if of_card == number else f"card {texts[number]} of {place}"]
        return f"[{', '.join(texts)}]" if texts else ""

    # ---- what follows it

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

    @cached_property
    def layout(self) -> Layout:
        """Where everything is in a state."""
        from interpreter.program.layout import Layout  # late: kept

        return Layout.of(self.program)

    def span_of(self, node: int) -> Span | None:
        """Return where a node of the program is in the spec."""
        return self.data.sites[self.data.node_sites[node]]

    def decision_data(self, node: int) -> DecisionData | None:
        """Return what a player decides at a node of the program, as plain data; None for any other node."""
        return self.data.decisions.get(node)

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
        """A hash of the spec's text."""
        return hashlib.sha256(self._text.encode()).hexdigest()[:16]

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """The key by which games are compared and hashed."""
        return (self.digest, self.num_players, tuple(sorted(self.option_texts().items())))

    # ---- results and faults

    def outcome_of(self, score: Ends, returns: Ends, winners: Ends, stakes: Ends) -> Outcome:
        """Make the end of a play of what `result` says; most games end in few ways, so it is kept in `outcomes`."""
        if len(self.outcomes) >= MOST_OUTCOMES:
            self.outcomes.clear()
        key = (score, returns, winners, stakes)
        outcome = self.outcomes[key] = finished(*key, self.num_players, self.cooperative, self.teams)
        return outcome

    def fault_of(self, error: Exception, at: int) -> RuleError:
        """Return a fault with the rule's line; `at` is the site of the statement that was carried out."""
        if isinstance(error, RuleError):
            span = error.span or self.data.sites[at if error.at is None else error.at]
            return RuleError(error.code, error.message, span)
        span = self.data.sites[at]
        if isinstance(error, NeedCard):
            return RuleError("CG810", "what may be chosen depends on a card that nobody has seen", span)
        return RuleError("CG902", f"the generated code failed: {type(error).__name__}: {error}", span)

    def chance_is_card(self, node: int) -> bool:
        """Say whether a chance node chooses a card (its outcomes are faces) rather than a value."""
        return isinstance(base_of(self.chance_types[node]), Card) if node in self.chance_types else False
