"""The fuzzer's checks: properties of every state of every game, as a list of plain functions.

Each takes a `CheckContext` and returns a problem or None.  `CHECKS` says where and how often each runs: cheap checks
always, those that copy or replay a play at a fraction of the states.
"""

from __future__ import annotations

import math
import pickle
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import attrs

from grammar.source import Span
from interpreter.analysis.types import Bool, Card, EnumType, Int, Player, Type, base_of, is_optional
from interpreter.engine import chance
from interpreter.engine.faults import IllegalActionError, NeedCard, RuleError
from interpreter.engine.outcome import Termination

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State
    from interpreter.engine.machine import HistoryItem
    from interpreter.fuzz.playouts import Plan


@attrs.frozen
class Problem:
    """A failed check: its name, a message, and the span and the code of the rule if they are known.

    `history` leads to the state in which it shows, where that is after the state that was checked.
    """

    check: str
    message: str
    span: Span | None = None
    code: str = ""
    history: tuple[HistoryItem, ...] = attrs.field(default=(), eq=False, repr=False)


@attrs.define
class Account:
    """The cost of a run so far, in decisions: of the `plays`, of `checks` that replay, of other `worlds` and `beliefs`.

    It counts work and not time, so that a seed gives the same report everywhere.  `grant` is the budget that each play
    adds besides its own decisions.  `bounded` is false if the checks have no budget.  `tried` counts the attempts of
    the checks, by keys of their own.
    """

    plays: float = 0
    checks: float = 0
    worlds: float = 0
    beliefs: float = 0
    grant: float = 0
    bounded: bool = True
    tried: Counter[tuple[Any, ...]] = attrs.field(factory=Counter)


@attrs.define(slots=False)
class CheckContext:
    """The state of a playout that is checked, with the data that checks share.

    `memory` lasts for the playout; checks keep intermediate results there.  `published` are the statements that reveal
    hidden information on purpose: span and description, with their tags.  `account` is that of the run.
    """

    game: Game
    plan: Plan
    state: State
    position: int
    tally: dict[str, int]
    memory: dict[str, Any] = attrs.field(factory=dict)
    published: dict[tuple[Span, str], tuple[str, ...]] = attrs.field(factory=dict)
    account: Account = attrs.field(factory=Account)

    @cached_property
    def legal(self) -> list[int]:
        """The legal actions, computed once."""
        return self.state.legal_actions()

    def rng(self, purpose: str) -> Random:
        """Return a random generator for one check at this state."""
        return self.plan.rng(f"{purpose}/{self.position}")

    def count(self, what: str) -> None:
        """Add one to what the report counts."""
        self.tally[what] = self.tally.get(what, 0) + 1


def cards(at: CheckContext) -> str | None:
    """Every card is in exactly one place, as itself or as a token of a pool."""
    state, count = at.state, at.game.num_cards
    lying = sorted(card for zone in state.zones for card in zone)
    if not state.undetermined:
        return None if lying == list(range(count)) else _lost(at, lying)
    pooled = [card for pool in state.pools.values() for card in pool]
    tokens = [card for card in lying if card >= count]
    if sorted([card for card in lying if card < count] + pooled) != list(range(count)):
        return _lost(at, [card for card in lying if card < count] + pooled)
    if tokens != sorted(state.undetermined):
        return "the unseen cards that lie somewhere are not those that are unseen"
    sizes: dict[int, int] = {}
    for pool in state.undetermined.values():
        sizes[pool] = sizes.get(pool, 0) + 1
    if sizes != {number: len(pool) for number, pool in state.pools.items()}:
        return "there are more or fewer unseen cards than cards they can be"
    return None


def _lost(at: CheckContext, lying: list[int]) -> str:
    game = at.game
    lost = [game.texts.face(game.card_faces[c]) for c in range(game.num_cards) if c not in lying]
    twice = [game.texts.face(game.card_faces[c]) for c in range(game.num_cards) if lying.count(c) > 1]
    parts = ["lost: " + " ".join(lost)] * bool(lost) + ["in two places: " + " ".join(twice)] * bool(twice)
    return "cards are not conserved; " + "; ".join(parts or ["a card that the deck does not have"])


def capacity(at: CheckContext) -> str | None:
    """No place holds more cards than its zone may."""
    for place, (zone, _) in enumerate(at.game.places):
        if len(at.state.zones[place]) > zone.capacity:
            return f"{at.game.place_name(place)} holds {len(at.state.zones[place])} cards, at most {zone.capacity} fit"
    return None


def variables(at: CheckContext) -> str | None:
    """Every variable has a value of its type; those of a phase may have none before it."""
    for slot, (variable, _) in enumerate(at.game.variables):
        value = at.state.values[slot]
        if value is None and variable.phase is not None:
            continue
        if not _of_type(at.game, variable.type, value):
            return f"{at.game.variable_name(slot)} is {value}, which is no {variable.type}"
    return None


def _of_type(game: Game, type_: Type, value: Any) -> bool:
    if value is None:
        return is_optional(type_)
    match base_of(type_):
        case Int(low, high):
            return isinstance(value, int) and (low is None or low <= value) and (high is None or value <= high)
        case Bool():
            return value in (False, True)
        case EnumType() as enum:
            return value in range(len(enum.values))
        case Player():
            return value in range(game.num_players)
        case Card():
            return isinstance(value, int) and value >= 0
    return isinstance(value, tuple | list)


def length(at: CheckContext) -> str | None:
    """The play ends before the bound that the spec states."""
    if at.state.num_decisions > at.game.max_decisions:
        return f"there were {at.state.num_decisions} decisions, the bound is {at.game.max_decisions}"
    result = at.state.outcome()
    if result is not None and result.termination is Termination.TOO_LONG:
        if at.state.num_decisions < at.game.max_decisions:
            return "chance never ends: there are more chance events than the longest allowed play can have"
        return f"the play is not over after {at.game.max_decisions} decisions, the most that the spec allows"
    return None


def returns(at: CheckContext) -> str | None:
    """Returns are 0 until the end, then within bounds; equal in a cooperative game, of sum 0 in a zero-sum one."""
    paid, game = at.state.returns(), at.game
    if len(paid) != game.num_players:
        return f"there are {len(paid)} returns for {game.num_players} players"
    if not at.state.is_terminal():
        return None if not any(paid) else f"the returns are {paid} before the end"
    low, high = game.utility_range
    if any(not math.isfinite(r) or not low <= r <= high for r in paid):
        return f"the returns {paid} are not all from {low:g} to {high:g}"
    if game.cooperative and len(set(paid)) > 1:
        return f"the returns {paid} of a cooperative game differ"
    if game.utility == "zero-sum" and abs(sum(paid)) > 1e-9:
        return f"the returns {paid} of a zero-sum game do not add up to 0"
    return None


def actions(at: CheckContext) -> str | None:
    """A decision has legal actions: ascending, none twice, all of them numbers the game knows."""
    legal, most = at.legal, at.game.num_distinct_actions
    if not legal:
        return "no player can act, but the play is not over"
    if any(not isinstance(a, int) or not 0 <= a < most for a in legal):
        return f"an action is outside of 0 to {most - 1}: {legal}"
    if any(a >= b for a, b in pairwise(legal)):
        return f"the legal actions do not ascend, or one occurs twice: {legal}"
    return None


def broken_invariant(state: State, draw: Callable[[], Random]) -> tuple[Span, str, str] | None:
    """Return the first invariant of the spec that does not hold, or cannot be judged, as place, words and code.

    Unseen cards that it asks about are drawn on a copy, with the generator that `draw` makes.
    """
    for rule, holds in zip(state.game.rules.invariants, state.code.invariants, strict=True):
        try:
            try:
                good = state.aside(holds)
            except NeedCard:
                copy = state.clone()
                copy.determine_all(copy.draw_all(draw()))
                good = copy.aside(holds)
        except Exception as error:
            fault = state.game.fault_of(error, state.at)
            return rule.span, f"“{rule.text}” cannot be judged: {fault.message}", fault.code
        if not good:
            return rule.span, f"“{rule.text}” does not hold", ""
    return None


def invariants(at: CheckContext) -> Problem | None:
    """The invariants of the spec hold."""
    broken = broken_invariant(at.state, lambda: at.rng("invariant"))
    if broken is None:
        return None
    span, message, code = broken
    return Problem("invariants", message, span, code)


MOST_TEXTS, MOST_READ = 500, 2_000_000
"""Legal actions whose texts are read back at one decision, and all texts that these are compared with."""


def texts(at: CheckContext) -> str | None:
    """The texts of the legal actions are unique, and each reads back as its action."""
    said: dict[str, int] = {}
    legal, rng = at.legal, at.rng("texts")
    most = min(MOST_TEXTS, MOST_READ // len(legal))
    if len(legal) > most:
        legal = sorted({legal[chance.below(rng, len(legal))] for _ in range(most)})
    for action in legal:
        text = at.state.action_to_string(action)
        if text in said:
            return f"two legal actions are called `{text}`: {said[text]} and {action}"
        said[text] = action
        try:
            read = at.state.string_to_action(text)
        except IllegalActionError as error:
            return f"`{text}` is legal but cannot be read back: {error}"
        if read != action:
            return f"`{text}` is action {action} but reads back as {read}"
    return None


def refusals(at: CheckContext) -> str | None:
    """An action that is not legal is refused and changes nothing."""
    state, most, rng = at.state, at.game.num_distinct_actions, at.rng("refusals")
    before = state.content()
    wrong = [a for a in (-1, most, chance.below(rng, most), chance.below(rng, most)) if a not in at.legal]
    for action in wrong:
        try:
            state.apply_action(action)
        except IllegalActionError:
            continue
        return f"action {action} is not legal, but it was executed"
    return None if state.content() == before else f"actions {wrong} were refused, but something changed"


def copies(at: CheckContext) -> str | None:
    """A clone is equal, and neither notices what happens to the other."""
    state, before = at.state, at.state.content()
    copy, original = state.clone(), state.clone()
    if copy.content() != before:
        return "a clone is not equal to its original"
    action = at.legal[chance.below(at.rng("copies"), len(at.legal))]
    copy.apply_action(action)
    if state.content() != before:
        return "the original changed when its clone went on"
    gone_on, kept = copy.content(), original.clone()
    original.apply_action(action)
    if original.content() != gone_on:
        return "two clones of one state went on differently with the same action"
    if kept.content() != before:
        return "a clone changed when its original went on"
    return None if copy.content() == gone_on else "a clone changed when another went on"


def saving(at: CheckContext) -> str | None:
    """A state written as text and read again is equal."""
    try:
        again = at.game.deserialize_state(at.state.serialize())
    except (ValueError, RuleError) as error:
        return f"a saved state cannot be read: {error}"
    return None if again == at.state else "a saved state reads back as another one"


def pickling(at: CheckContext) -> str | None:
    """A pickled state is equal."""
    again = pickle.loads(pickle.dumps(at.state))
    return None if again == at.state else "a pickled state comes back as another one"


def odds(at: CheckContext) -> str | None:
    """The probabilities of a chance event sum to 1; its outcomes are ascending, with texts of their own."""
    outcomes = at.state.chance_outcomes()
    if not outcomes:
        return "chance has no outcome"
    if abs(math.fsum(p for _, p in outcomes) - 1) > 1e-9 or any(p <= 0 for _, p in outcomes):
        return f"the probabilities of chance are wrong: {[p for _, p in outcomes]}"
    numbers = [o for o, _ in outcomes]
    if numbers != sorted(set(numbers)) or numbers != at.legal or len(numbers) > at.game.max_chance_outcomes:
        return f"the outcomes of chance are wrong: {numbers}"
    words = [at.state.action_to_string(o) for o in numbers]
    return None if len(set(words)) == len(words) else f"two outcomes of chance have one text: {' '.join(words)}"


ALWAYS, DECISION, CHANCE, END = "always", "decision", "chance", "end"
REPLAYED, COPIED = 1, 1_000
"""Positions from which the cost of a check grows with the history: where it replays the play, where it copies it."""


@attrs.frozen
class Check:
    """A check, the sort of state it is made at, and how often: once in `rate` times.

    A check whose cost grows with the history, from the position `grows_from`, becomes rarer in proportion, so that a
    play costs as much as it is long.
    """

    name: str
    test: Callable[[CheckContext], str | Problem | None]
    where: str
    rate: int = 1
    grows_from: int | None = None

    def due(self, at: CheckContext) -> bool:
        """Say whether the check is made here."""
        rate = self.rate if self.grows_from is None else self.rate * max(1, at.position // self.grows_from)
        return self.fits(at.state) and at.plan.sampled(at.position, rate)

    def fits(self, state: State) -> bool:
        """Say whether this is the sort of state the check is for."""
        match self.where:
            case "decision":
                return state.to_act >= 0
            case "chance":
                return state.is_chance_node()
            case "end":
                return state.is_terminal()
            case _:
                return True

    def problem(self, at: CheckContext) -> Problem | None:
        """Make the check; a rule that cannot be carried out fails it too."""
        at.count(self.name)
        try:
            found = self.test(at)
        except RuleError as fault:
            return fault_problem(fault)
        return Problem(self.name, found) if isinstance(found, str) else found


def fault_problem(fault: RuleError) -> Problem:
    """Return a rule that could not be carried out, as a problem."""
    return Problem("fault", fault.message, fault.span, fault.code)


CHECKS = (
    Check("cards", cards, ALWAYS),
    Check("capacity", capacity, ALWAYS),
    Check("variables", variables, ALWAYS),
    Check("length", length, ALWAYS),
    Check("returns", returns, ALWAYS),
    Check("actions", actions, DECISION),
    Check("invariants", invariants, DECISION),
    Check("invariants", invariants, END),
    Check("odds", odds, CHANCE),
    Check("texts", texts, DECISION, 8),
    Check("refusals", refusals, DECISION, 8, grows_from=COPIED),
    Check("copies", copies, DECISION, 8, grows_from=COPIED),
    Check("saving", saving, DECISION, 4, grows_from=REPLAYED),
    Check("saving", saving, END, 2),
    Check("pickling", pickling, DECISION, 8, grows_from=REPLAYED),
    Check("pickling", pickling, END, 4),
)
