"""One scenario, step by step: lay out, begin, act, expect.

Whatever a scenario says wrongly (unknown cards, verbs, names) is a `SpecError`; what the rules do
otherwise than it expects is `Failed`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from grammar import scenario as syntax
from grammar.diagnostics import Diagnostic, SpecError
from grammar.expressions import Call, EndOf, Expr
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.context import Context
from interpreter.analysis.lookup import check_any, check_condition, check_value, context_of
from interpreter.analysis.types import PLAYER, Card, Cards, Int, Type, Unknown, base_of
from interpreter.drivers.placing import Placing, PlacingError, SentenceError, sentence_text
from interpreter.runtime.evaluate import evaluator
from interpreter.runtime.faults import IllegalActionError, NeedCard, RuleError
from interpreter.runtime.game import Game
from interpreter.runtime.logged import LoggedState
from interpreter.runtime.text.reading import parse, read
from interpreter.runtime.text.sentences import sentences

SENTENCE_LIMIT = 5_000


class Failed(Exception):  # noqa: N818 - what happened, not a mistake
    """The rules did something else than a scenario expects."""

    def __init__(self, span: Span, message: str) -> None:
        super().__init__(message)
        self.span = span
        self.message = message


class Runner:
    """Runs one scenario on a game; `state` is where it stands."""

    def __init__(self, scenario: syntax.Scenario, game: Game) -> None:
        self.scenario = scenario
        self.game = game
        self.cx: Context = context_of(game.rules)
        self.rng = random.Random(scenario.name)
        self.state: LoggedState | None = None
        self.dice: list[tuple[Expr, Span]] = []

    def table(self) -> str:
        """Return everything that lies on the table, for a failure's report."""
        return "" if self.state is None else str(self.state)

    def run(self) -> None:
        """Carry out the whole scenario.  Raises Failed, RuleError or SpecError."""
        self._begin()
        for step in self.scenario.steps:
            self._settle(step)
            self._step(step)

    # ---- expressions

    def _sound(self) -> None:
        """Raise the mistakes that the checker found in an expression of the scenario."""
        if self.cx.has_errors:
            raise SpecError(self.cx.diagnostics)

    def _value(self, expr: Expr, wanted: Type, what: str) -> Any:
        checked = check_value(self.cx, expr, wanted, what)
        self._sound()
        return self._evaluate(checked)

    def _evaluate(self, checked: core.Expr) -> Any:
        assert self.state is not None
        ask: Callable[[LoggedState], Any] = evaluator(self.game, checked)
        while True:
            try:
                return ask(self.state)
            except NeedCard as needed:
                raise Failed(checked.span, "this asks for a card that nobody knows yet") from needed

    def _place(self, expr: Expr) -> int:
        """Return the number of the place that an expression names."""
        checked = check_any(self.cx, expr)
        self._sound()
        if not isinstance(checked, core.ZoneRef):
            raise SpecError([Diagnostic("CG305", "cards lie in zones", expr.span, "name a zone")])
        return self._number(checked.zone, [self._evaluate(i) for i in checked.index])

    @staticmethod
    def _number(family: Any, index: list[Any]) -> int:
        number = 0
        for value, type_, size in zip(index, family.indices, family.sizes, strict=True):
            number = number * size + value - (getattr(type_, "low", 0) or 0)
        return int(family.base + number)

    # ---- beginning

    def _begin(self) -> None:
        scenario, game = self.scenario, self.game
        values = [g for g in scenario.givens if isinstance(g, syntax.GivenValue)]
        cards = [g for g in scenario.givens if isinstance(g, syntax.GivenCards | syntax.GivenCount)]
        self._queue(scenario.givens)
        if scenario.start is None:
            if values or cards:
                first = (values + cards)[0]
                raise SpecError([Diagnostic("CG224", "a play that begins at its beginning lays out its own cards",
                                            first.span, "say where to start: `start PHASE`")])  # fmt: skip
            state = game.new_logged_state()
            assert isinstance(state, LoggedState)
            self.state = state
            return
        state = LoggedState(game, game.logged_code)
        game.set_out(state)
        self.state = state
        game.logged_code.names["b"](state, state.v, state.z)
        for given in values:
            self._give(given)
        self._lay_out(cards)
        self._start(scenario.start)

    def _give(self, given: syntax.GivenValue) -> None:
        """Put a variable in place: now, and again when its phase begins."""
        assert self.state is not None
        place = check_any(self.cx, given.target)
        self._sound()
        if not isinstance(place, core.VarRef):
            raise SpecError([Diagnostic("CG321", "only a variable can be given a value", given.target.span)])
        slot = self._number(place.variable, [self._evaluate(i) for i in place.index])
        value = self._value(given.value, place.variable.type, f"`{place.variable.name}`")
        self.state.v[slot] = value
        self.state.given = {**self.state.given, slot: value}

    def _lay_out(self, cards: list[syntax.GivenCards | syntax.GivenCount]) -> None:
        assert self.state is not None
        placing = Placing(self.game, self.state)
        try:
            for given in cards:
                if isinstance(given, syntax.GivenCards):
                    end = given.zone if isinstance(given.zone, EndOf) else None
                    place = self._place(end.zone if end is not None else given.zone)
                    placing.holds(place, given.cards, None if end is None else end.which, given.span)
            for given in cards:
                if isinstance(given, syntax.GivenCount):
                    count = self._value(given.count, Int(), "how many cards")
                    placing.fill(self._place(given.zone), count, given.span)
            placing.rest(self.rng)
        except PlacingError as error:
            raise SpecError([Diagnostic("CG225", error.message, error.span, error.cure)]) from error

    def _start(self, call: Call) -> None:
        state, game = self.state, self.game
        assert state is not None
        entry = game.program.entries.get(call.name)
        if entry is None:
            known = "one can start at " + ", ".join(sorted(game.program.entries))
            cure = self.cx.suggest(call.name, game.program.entries, call.span, known)
            note = "a phase to start at decides something and is called at one place"
            message = f"no scenario can start at `{call.name}`"
            raise SpecError([Diagnostic("CG226", message, call.span, cure, note=note)])
        phase = entry.phase
        if call.args and len(call.args) != len(phase.params):
            message = f"`{phase.name}` takes {len(phase.params)} arguments, not {len(call.args)}"
            raise SpecError([Diagnostic("CG207", message, call.span)])
        args = None
        if call.args:
            args = [
                self._value(given, param.type, f"`{param.name}`")
                for given, param in zip(call.args, phase.params, strict=True)
            ]
        try:
            node = game.logged_code.begin[phase.number](state, state.v, state.z, args)
            state._run(node)
        except RuleError:
            raise
        except Exception as error:
            raise state._fault(error) from error

    # ---- chance

    def _queue(self, givens: tuple[Any, ...]) -> None:
        for given in givens:
            if isinstance(given, syntax.GivenRandom):
                self.dice.extend((value, given.span) for value in given.values)

    def _settle(self, step: syntax.Step) -> None:
        """Answer waiting chance, unless the step does it itself."""
        state = self.state
        assert state is not None
        while state.is_chance_node() and not isinstance(step, syntax.ChanceDoes | syntax.GivenRandom):
            if state.need is None and self.dice:
                value, span = self.dice.pop(0)
                node: Any = self.game.program.nodes[state.pc]
                outcome = self._outcome(value, node.random.arg.local.type)
                if outcome not in [o for o, _ in state.chance_outcomes()]:
                    raise Failed(span, f"`{value.span.text}` cannot come of this chance event")
                state.apply_action(outcome)
            elif state.need is not None:
                state.resolve_piles(self.rng)
            else:
                outcomes = [o for o, _ in state.chance_outcomes()]
                state.apply_action(outcomes[int(self.rng.random() * len(outcomes))])

    def _outcome(self, value: Expr, type_: Type) -> int:
        if isinstance(base_of(type_), Card):
            assert self.state is not None
            among = [o for o, _ in self.state.chance_outcomes()]
            return self.game.texts.read_face(value.span.text.strip('"'), among=among)
        return int(self._value(value, type_, "the outcome"))

    # ---- steps

    def _step(self, step: syntax.Step) -> None:
        state = self.state
        assert state is not None
        match step:
            case syntax.GivenRandom():
                self._queue((step,))
            case syntax.GivenValue() | syntax.GivenCards() | syntax.GivenCount():
                raise SpecError([Diagnostic("CG227", "this stands behind the first step", step.span,
                                            "put cards and variables in place before anybody acts")])  # fmt: skip
            case syntax.ChanceDoes():
                self._chance_does(step)
            case syntax.Does():
                self._acts(step.player, step.span)
                text = self._sentence(step.sentence)
                try:
                    state.apply_action(read(state, text))
                except IllegalActionError as error:
                    why = state.explain(text)
                    raise Failed(step.span, f"`{text}` is refused: {why if why.message else error}") from error
            case syntax.Cannot():
                self._acts(step.player, step.span)
                if self._actions(step.sentence) in self._legal(step.span):
                    raise Failed(step.span, f"`{self._sentence(step.sentence)}` is legal")
            case syntax.Can():
                self._acts(step.player, step.span)
                if self._actions(step.sentence) not in self._legal(step.span):
                    why = state.explain(self._sentence(step.sentence))
                    raise Failed(step.span, f"`{self._sentence(step.sentence)}` is not legal: {why}")
            case syntax.CanOnly():
                self._can_only(step)
            case _:
                self._expect(step)

    def _chance_does(self, step: syntax.ChanceDoes) -> None:
        state = self.state
        assert state is not None
        try:
            state.apply_action(read(state, step.text))
        except IllegalActionError as error:
            raise Failed(step.span, str(error)) from error

    def _player(self, expr: Expr) -> int:
        return int(self._value(expr, PLAYER, "who acts"))

    def _acts(self, expr: Expr, span: Span) -> None:
        state = self.state
        assert state is not None
        player = self._player(expr)
        if state.is_terminal():
            raise Failed(span, "the game is over")
        if state.cur != player:
            raise Failed(span, f"player {state.cur + 1} is to act, not player {player + 1}")

    def _sentence(self, sentence: syntax.Sentence) -> str:
        """Return a sentence as text; words that mean nothing in this game are mistakes, not refusals."""
        try:
            return sentence_text(self.game, sentence)
        except SentenceError as error:
            raise SpecError([Diagnostic("CG228", error.message, error.span, error.cure)]) from error

    def _actions(self, sentence: syntax.Sentence) -> tuple[int, ...] | None:
        """Return the small actions of a sentence; None where it is none of this decision's."""
        assert self.state is not None
        words = self._sentence(sentence).split()
        try:
            return parse(self.state, words)
        except IllegalActionError:
            return None

    def _legal(self, span: Span) -> dict[tuple[int, ...] | None, str]:
        """Return all legal sentences by their small actions."""
        assert self.state is not None
        found = sentences(self.state, SENTENCE_LIMIT)
        if found is None:
            raise Failed(span, f"more than {SENTENCE_LIMIT} actions are legal here")
        return {s.actions: s.text for s in found}

    def _can_only(self, step: syntax.CanOnly) -> None:
        state = self.state
        assert state is not None
        self._acts(step.player, step.span)
        legal = self._legal(step.span)
        wanted = {self._actions(s): self._sentence(s) for s in step.sentences}
        if wanted.keys() != legal.keys() or len(wanted) != len(step.sentences):
            missing = ", ".join(text for actions, text in wanted.items() if actions not in legal)
            extra = ", ".join([text for actions, text in legal.items() if actions not in wanted][:8])
            parts = [f"not legal: {missing}" if missing else "", f"legal too: {extra}" if extra else ""]
            raise Failed(step.span, "; ".join(p for p in parts if p))

    def _expect(self, step: syntax.Expectation) -> None:
        state = self.state
        assert state is not None
        match step:
            case syntax.Expect():
                checked = check_condition(self.cx, step.condition)
                self._sound()
                if not self._evaluate(checked):
                    raise Failed(step.span, f"`{step.condition.span.text}` does not hold{self._sides(checked)}")
            case syntax.ExpectCards():
                self._expect_cards(step)
            case syntax.ExpectToAct():
                self._acts(step.player, step.span)
            case syntax.ExpectOver():
                if not state.is_terminal():
                    raise Failed(step.span, f"the game goes on: player {state.cur + 1} is to act")
            case syntax.ExpectResult():
                self._expect_result(step)
            case syntax.ExpectWinners():
                winners = self._outcome_now(step.span).winners
                wanted = tuple(sorted(self._player(p) for p in step.players))
                if winners != wanted:
                    names = ", ".join(f"player {p + 1}" for p in winners) or "nobody"
                    draw = len(wanted) == self.game.num_players > 1
                    hint = "; where all are equal it is a draw: `expect no winners`" if draw and not winners else ""
                    raise Failed(step.span, f"the winners are: {names}{hint}")

    def _sides(self, checked: core.Expr) -> str:
        """Return what the two sides of a comparison are, where that helps."""
        if not isinstance(checked, core.Op) or checked.op not in ("==", "<", "<=", ">", ">=") or len(checked.args) != 2:
            return ""
        left, right = checked.args
        if isinstance(base_of(left.type), Cards | Unknown):
            return ""
        texts = self.game.texts
        values = [texts.value(e.type, texts.faced(e.type, self._evaluate(e))) for e in (left, right)]
        return f": {values[0]} {checked.op} {values[1]}"

    def _outcome_now(self, span: Span) -> Any:
        assert self.state is not None
        outcome = self.state.outcome()
        if outcome is None:
            raise Failed(span, "the game is not over, so there is no result")
        return outcome

    def _expect_result(self, step: syntax.ExpectResult) -> None:
        outcome = self._outcome_now(step.span)
        listed = outcome.scores if step.what == "score" else outcome.returns
        if listed is None:
            raise Failed(step.span, f"this game has no {step.what}")
        player = self._player(step.player)
        wanted = self._value(step.value, Int(), "the result")
        there = listed[player]
        tests = {"==": there == wanted, "!=": there != wanted, "<": there < wanted, "<=": there <= wanted,
                 ">": there > wanted, ">=": there >= wanted}  # fmt: skip
        if not tests[step.op]:
            raise Failed(step.span, f"the {step.what} of player {player + 1} is {there}")

    def _expect_cards(self, step: syntax.ExpectCards) -> None:
        state, texts = self.state, self.game.texts
        assert state is not None
        end = step.zone if isinstance(step.zone, EndOf) else None
        place = self._place(end.zone if end is not None else step.zone)
        faces = self.game.card_faces
        there = [faces[c] if c < self.game.num_cards else -1 for c in state.z[place]]
        try:
            wanted = [texts.read_face(w, self.game.place_owners[place], there) for w in step.cards.split()]
        except IllegalActionError as error:
            raise SpecError([Diagnostic("CG225", str(error), step.span)]) from error
        if end is not None:
            cut = there[: len(wanted)] if end.which == "top" else there[-len(wanted) :]
            same = cut == wanted
        else:
            cut = there
            same = sorted(there) == sorted(wanted)
        if not same:
            shown = " ".join(texts.face(f if f >= 0 else None) for f in cut) or "nothing"
            raise Failed(step.span, f"{self.game.place_name(place)} holds {shown}")
