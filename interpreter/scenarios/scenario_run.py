"""Run one scenario step by step: set-up, start, actions, expectations.

Every mistake in a scenario (unknown cards, verbs, names) is a `SpecError`; what the rules do
otherwise than it expects is `Failed`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from grammar import scenario as syntax
from grammar.diagnostics import SpecError
from grammar.expressions import Call, CardAt, Expr, Name, Node
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.check.expressions import check
from interpreter.analysis.check.type_conformance import arguments, condition, typed
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local, places_at
from interpreter.analysis.types import PLAYER, Card, Cards, Int, Type, Unknown, base_of
from interpreter.engine.evaluate import evaluator
from interpreter.engine.faults import AmbiguousError, IllegalActionError, NeedCard, RuleError
from interpreter.engine.game import Game, LoggedState
from interpreter.engine.outcome import Termination
from interpreter.fuzz.checks import broken_invariant
from interpreter.fuzz.short_table import mentioned, table_text
from interpreter.knowledge.events import Event, Said, Shown
from interpreter.knowledge.observation import Observation
from interpreter.program.facts import operands
from interpreter.program.nodes import Round
from interpreter.scenarios.card_placement import CardPlacement, card_meant
from interpreter.scenarios.scenario_sentences import check_form, sentence_text
from interpreter.text.reading import parse, read
from interpreter.text.sentences import sentences

SENTENCE_LIMIT = 5_000
STEP_LIMIT = 20_000
"""Steps of one scenario, those that are repeated as often as they are carried out."""


class Failed(Exception):  # noqa: N818 - what happened, not a mistake
    """The rules did something else than a scenario expects; `rule` is the place of what they break themselves."""

    def __init__(self, span: Span, message: str, rule: Span | None = None) -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.rule = rule


class Runner:
    """Runs one scenario on a game; `play` is None until it has begun, `at` the line that it has come to.

    The last `own` of its lines that put something in place are its own, those before are of its set-up.
    """

    def __init__(self, scenario: syntax.Scenario, game: Game, seed: int, own: int) -> None:
        self.scenario = scenario
        self.game = game
        self.own = own
        self.cx: Context = context_of(game.rules)
        self.rng = random.Random(f"scenario/{seed}")
        self.play: LoggedState | None = None
        self.at: Span = _head(scenario)
        self.named: Node = scenario
        self.dice: list[tuple[Expr, Span]] = []
        self.undisturbed: Span | None = None
        self.begun_with: Observation | None = None
        self.since = 0
        self.left = STEP_LIMIT
        self.rounds: list[tuple[Local, Any, Span]] = []

    @property
    def state(self) -> LoggedState:
        """The play, which has begun."""
        assert self.play is not None
        return self.play

    def table(self) -> str:
        """Return the table for the report of a failure; first the places that the line names."""
        if self.play is None:
            return ""
        return table_text(self.state, mentioned(self.named), self.begun_with)

    def run(self) -> None:
        """Carry out the whole scenario.  Raises Failed, RuleError or SpecError."""
        self._begin()
        self.begun_with = self.state.observation()
        self._steps(self.scenario.steps)
        self._end()

    def _steps(self, steps: tuple[syntax.Step, ...]) -> None:
        for step in steps:
            self.left -= 1
            if self.left < 0:
                raise SpecError.of("CG862", f"a scenario takes at most {STEP_LIMIT:,} steps", step.span,
                                            "repeat fewer times")  # fmt: skip
            self.at, self.named = step.span, step
            self._settle(step)
            self._step(step)

    def _end(self) -> None:
        """Check the state after the last step: a decision without actions, a broken invariant, an unused outcome."""
        if self.dice or self.undisturbed is not None or self.scenario.start is None:
            self._settle(None)
        self._sound_state()
        if self.dice:
            value, span = self.dice[0]
            more = f", nor the {len(self.dice) - 1} after it" if len(self.dice) > 1 else ""
            raise Failed(span, f"no chance event has used `{value.span.text}`{more}")

    def _sound_state(self) -> None:
        """Check what holds of every play from its beginning: something to do, the invariants, its bound."""
        state = self.state
        if self.scenario.start is not None or state.is_chance_node():
            return
        if state.to_act >= 0:
            state.legal_actions()
        problem = broken_invariant(state, lambda: self.rng)
        if problem is not None:
            rule, what, _ = problem
            raise Failed(self.at, what, rule)
        if state.result is not None and state.result.termination is Termination.TOO_LONG:
            raise Failed(self.at, f"the play is not over after {self.game.max_decisions} decisions, the most that the "
                                  "spec allows")  # fmt: skip

    # ---- expressions

    def _sound(self) -> None:
        """Raise the mistakes that the checker found in an expression of the scenario."""
        if self.cx.has_errors:
            raise SpecError(self.cx.diagnostics)

    def _value(self, expr: Expr, wanted: Type, what: str) -> Any:
        checked = typed(self.cx, expr, Scope(), wanted, what)
        self._sound()
        return self._evaluate(checked)

    def _evaluate(self, checked: core.Expr) -> Any:
        ask: Callable[[LoggedState], Any] = evaluator(self.game, checked)
        while True:
            try:
                return ask(self.state)
            except NeedCard as needed:
                raise Failed(checked.span, "this reads a card that nobody has seen: place it with `given`, or name it "
                                           "with `chance does`") from needed  # fmt: skip

    def _place(self, expr: Expr) -> int:
        """Return the number of the place that an expression names."""
        checked = self.cx.expr(expr, Scope())
        self._sound()
        if not isinstance(checked, core.ZoneRef):
            raise SpecError.of("CG305", "only zones hold cards", expr.span, "name a zone")
        return places_at(checked.zone, [(self._evaluate(i),) for i in checked.index])[0]

    # ---- beginning

    def _begin(self) -> None:
        scenario, game = self.scenario, self.game
        placed = [g for g in scenario.givens if not isinstance(g, syntax.GivenRandom | syntax.GivenNoRandom)]
        for given in scenario.givens:
            if isinstance(given, syntax.GivenRandom | syntax.GivenNoRandom):
                self._queue(given)
        if scenario.start is None:
            if placed:
                raise SpecError.of("CG224", "a play from the start of the game deals its own cards",
                                            placed[0].span, "write `start PHASE` to begin at a phase")  # fmt: skip
            state = game.new_logged_state()
            assert isinstance(state, LoggedState)
            self.play = state
            return
        state = LoggedState(game, game.code)
        state.set_out()
        self.play = state
        game.code.names["begin_game"](state, state.values, state.zones)
        for given in placed:
            if isinstance(given, syntax.GivenValue):
                self._give(given)
        theirs = len(scenario.givens) - self.own
        self._lay_out(scenario.givens[theirs:], scenario.givens[:theirs])
        self._start(scenario.start)

    def _give(self, given: syntax.GivenValue) -> None:
        """Put a variable in place: now, and again when its phase begins."""
        local = self._loop(given.target)
        if local is not None:
            name = given.target.span.text
            self.rounds.append((local, self._value(given.value, local.type, f"`{name}`"), given.span))
            return
        place = self.cx.expr(given.target, Scope())
        self._sound()
        if not isinstance(place, core.VarRef):
            cards = isinstance(base_of(place.type), Card | Cards)
            help_ = 'cards are given with `holds`: `given hand[player 1] holds ".."`' if cards else ""
            raise SpecError.of("CG321", "only a variable can be given a value", given.span, help_)
        slot = places_at(place.variable, [(self._evaluate(i),) for i in place.index])[0]
        value = self._value(given.value, place.variable.type, f"`{place.variable.name}`")
        self.state.values[slot] = value
        self.state.given = {**self.state.given, slot: value}

    def _loop(self, target: Expr) -> Local | None:
        """Return the name of what a loop around the phase to start at goes through; None for other names."""
        start = self.scenario.start
        entry = None if start is None else self.game.program.entries.get(start.name)
        if entry is None or not isinstance(target, Name):
            return None
        if any(variable.name == target.name for variable in self.game.rules.variables):
            return None
        around = [step.local for steps, _, _ in entry.path for step in steps if isinstance(step, Round)]
        return next((local for local in reversed(around) if local.name == target.name), None)

    def _rounds(self) -> dict[int, Any]:
        return {local.number: value for local, value, _ in self.rounds}

    def _in_rounds(self) -> None:
        """See that the loops go through what the scenario says."""
        state, layout = self.state, self.game.layout
        for local, value, span in self.rounds:
            if state.values[layout.local_slots[local]] != value:
                message = f"the loop never reaches this `{local.name}`, so no scenario can start there"
                raise SpecError.of("CG226", message, span, "name a value that the loop reaches")

    def _lay_out(self, own: tuple[syntax.Given, ...], setup: tuple[syntax.Given, ...]) -> None:
        """Put cards in place: those of the scenario, and those of its set-up in places that it does not speak of."""
        placing = CardPlacement(self.game, self.state)
        spoken: set[tuple[int, str | None]] = set()
        counted: list[tuple[int, syntax.GivenCount]] = []
        for givens in (own, setup):
            before = frozenset(spoken)
            for given in givens:
                if not isinstance(given, syntax.GivenCards | syntax.GivenCount | syntax.GivenRest):
                    continue
                self.at = given.span
                end = given.zone if isinstance(given.zone, CardAt) else None
                place = self._place(end.zone if end is not None else given.zone)
                at = None if end is None else end.at
                if end is not None and at not in ("top", "bottom"):
                    words = "write `given top of .. holds`, with all cards down to that place"
                    raise SpecError.of("CG225", "cards are given at an end of a place", end.span, words)
                where = (place, at if isinstance(at, str) else None)
                if where in before:
                    continue
                spoken.add(where)
                match given:
                    case syntax.GivenCards():
                        placing.holds(place, given.cards, where[1], given.span)
                    case syntax.GivenCount():
                        counted.append((place, given))
                    case syntax.GivenRest():
                        placing.the_rest(place, given.span)
        # Cards from the zone of the deck are known only after all other places have their cards.
        homes = set(placing.homes.values())
        for place, given in sorted(counted, key=lambda item: item[0] in homes):
            self.at = given.span
            count = self._value(given.count, Int(), "how many cards")
            placing.fill(place, count, None if given.of is None else self._place(given.of), given.span)
        placing.rest(self.rng)

    def _start(self, call: Call) -> None:
        state, game = self.state, self.game
        self.at = call.span
        entry = game.program.entries.get(call.name)
        if entry is None:
            known = "one can start at " + ", ".join(sorted(game.program.entries))
            if not game.program.entries:
                known = "leave out `start`: the scenario begins at the beginning of the play"
            cure = self.cx.suggest(call.name, game.program.entries, call.span, known)
            note = "a phase to start at decides something and is called at one place"
            message = f"no scenario can start at `{call.name}`"
            raise SpecError.of("CG226", message, call.span, cure, note=note)
        phase = entry.phase
        if call.args and len(call.args) != len(phase.params):
            message = f"`{phase.name}` takes {arguments(len(phase.params))}, not {len(call.args)}"
            raise SpecError.of("CG207", message, call.span)
        args = None
        if call.args:
            args = [
                self._value(given, param.type, f"`{param.name}`")
                for given, param in zip(call.args, phase.params, strict=True)
            ]
        try:
            node = game.code.begin[phase.number](state, state.values, state.zones, args, self._rounds())
            self._in_rounds()
            state._run(node)
        except (RuleError, SpecError):
            raise
        except Exception as error:
            raise state._fault(error) from error

    # ---- chance

    def _queue(self, given: syntax.GivenRandom | syntax.GivenNoRandom) -> None:
        if isinstance(given, syntax.GivenNoRandom):
            self.undisturbed = given.span
            return
        self.undisturbed = None
        self.dice.extend((value, given.span) for value in given.values)

    def _settle(self, step: syntax.Step | None) -> None:
        """Answer waiting chance, unless the step does it itself."""
        state = self.state
        own = syntax.ChanceDoes | syntax.GivenRandom | syntax.GivenNoRandom
        while state.is_chance_node() and not isinstance(step, own):
            if state.awaited is not None:
                state.resolve_piles(self.rng)
            elif self.dice:
                value, span = self.dice.pop(0)
                node: Any = self.game.program.nodes[state.node]
                outcome = self._outcome(value, node.random.arg.local.type)
                if outcome not in [o for o, _ in state.chance_outcomes()]:
                    raise Failed(span, f"`{value.span.text}` cannot come of this chance event")
                state.apply_action(outcome)
            elif self.undisturbed is not None:
                raise Failed(self.undisturbed, f"something random happens all the same: {state.chance_event()}")
            else:
                outcomes = [o for o, _ in state.chance_outcomes()]
                state.apply_action(outcomes[int(self.rng.random() * len(outcomes))])

    def _outcome(self, value: Expr, type_: Type) -> int:
        if isinstance(base_of(type_), Card):
            among = [o for o, _ in self.state.chance_outcomes()]
            return self.game.texts.read_face(value.span.text.strip('"'), among=among)
        return int(self._value(value, type_, "the outcome"))

    # ---- steps

    def _step(self, step: syntax.Step) -> None:
        state = self.state
        match step:
            case syntax.GivenRandom() | syntax.GivenNoRandom():
                self._queue(step)
            case syntax.GivenValue() | syntax.GivenCards() | syntax.GivenCount() | syntax.GivenRest():
                raise SpecError.of("CG227", "this line is after the first action", step.span,
                                            "place cards and variables before the first action")  # fmt: skip
            case syntax.Repeated():
                for _ in range(step.times):
                    self._steps(step.steps)
            case syntax.ChanceDoes():
                self.since = len(state.log)
                self._chance_does(step)
            case syntax.Does():
                self._acts(step.player, step.span)
                text = sentence_text(self.game, step.sentence)
                self.since = len(state.log)
                try:
                    state.apply_action(read(state, text))
                except IllegalActionError as error:
                    why = state.explain(text)
                    raise Failed(step.span, f"`{text}` is refused: {why if why.message else error}") from error
                self._sound_state()
            case syntax.Cannot():
                self._acts(step.player, step.span)
                text = sentence_text(self.game, step.sentence)
                check_form(self.game, text.split(), step.sentence.span)
                self._unambiguous(text, step.span)
                if self._actions(step.sentence) in self._legal(step.span):
                    raise Failed(step.span, f"`{text}` is legal")
            case syntax.Can():
                self._acts(step.player, step.span)
                text = sentence_text(self.game, step.sentence)
                self._unambiguous(text, step.span)
                if self._actions(step.sentence) not in self._legal(step.span):
                    raise Failed(step.span, f"`{text}` is not legal: {state.explain(text)}")
            case syntax.CanOnly():
                self._can_only(step)
            case _:
                self._expect(step)

    def _chance_does(self, step: syntax.ChanceDoes) -> None:
        state = self.state
        try:
            state.apply_action(read(state, step.text))
        except IllegalActionError as error:
            raise Failed(step.span, str(error)) from error

    def _player(self, expr: Expr) -> int:
        return int(self._value(expr, PLAYER, "who acts"))

    def _acts(self, expr: Expr, span: Span) -> None:
        state = self.state
        player = self._player(expr)
        if state.is_terminal():
            raise Failed(span, "the game is over")
        if state.to_act != player:
            raise Failed(span, f"player {state.to_act + 1} is to act, not player {player + 1}")

    def _actions(self, sentence: syntax.Sentence) -> tuple[int, ...] | None:
        """Return the small actions of a sentence; None where it is none of this decision's."""
        words = sentence_text(self.game, sentence).split()
        try:
            return parse(self.state, words)
        except IllegalActionError:
            return None

    def _unambiguous(self, text: str, span: Span) -> None:
        """See that a sentence names one card where several decks have cards of one text."""
        try:
            read(self.state, text)
        except AmbiguousError as error:
            raise Failed(span, str(error)) from error
        except IllegalActionError:
            pass

    def _legal(self, span: Span) -> dict[tuple[int, ...] | None, str]:
        """Return all legal sentences by their small actions."""
        found = sentences(self.state, SENTENCE_LIMIT)
        if found is None:
            raise Failed(span, f"more than {SENTENCE_LIMIT} actions are legal here")
        return {s.actions: s.text for s in found}

    def _can_only(self, step: syntax.CanOnly) -> None:
        state = self.state
        self._acts(step.player, step.span)
        legal = self._legal(step.span)
        wanted: dict[tuple[int, ...] | None, str] = {}
        for sentence in step.sentences:
            text = sentence_text(self.game, sentence)
            self._unambiguous(text, sentence.span)
            actions = self._actions(sentence)
            if actions is None:
                raise Failed(sentence.span, f"`{text}` is not legal: {state.explain(text)}")
            if actions in wanted:
                raise Failed(sentence.span, f"`{text}` is named twice")
            wanted[actions] = text
        if wanted.keys() != legal.keys():
            missing = ", ".join(text for actions, text in wanted.items() if actions not in legal)
            extra = ", ".join([text for actions, text in legal.items() if actions not in wanted][:8])
            parts = [f"not legal: {missing}" if missing else "", f"legal too: {extra}" if extra else ""]
            raise Failed(step.span, "; ".join(p for p in parts if p))

    def _expect(self, step: syntax.Expectation) -> None:
        state = self.state
        match step:
            case syntax.Expect():
                checked = condition(self.cx, step.condition, Scope())
                self._sound()
                self._holds(checked, step.span)
            case syntax.ExpectCards():
                self._expect_cards(step)
            case syntax.ExpectToAct():
                self._acts(step.player, step.span)
            case syntax.ExpectOver():
                if not step.negated and not state.is_terminal():
                    raise Failed(step.span, f"the game is not over: player {state.to_act + 1} is to act")
                if step.negated and state.is_terminal():
                    raise Failed(step.span, "the game is over")
            case syntax.ExpectSaid():
                self._expect_said(step)
            case syntax.ExpectShown():
                self._expect_shown(step)
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

    def _holds(self, checked: core.Expr, span: Span) -> None:
        """See that a condition holds; of several that `and` joins, name the first that does not."""
        for part in operands(checked, "and"):
            if not self._evaluate(part):
                raise Failed(span, f"`{' '.join(part.span.text.split())}` does not hold{self._sides(part)}")

    def _sides(self, checked: core.Expr) -> str:
        """Return what the two sides of a comparison are, where that helps."""
        compared = ("==", "!=", "<", "<=", ">", ">=")
        if not isinstance(checked, core.Op) or checked.op not in compared or len(checked.args) != 2:
            return ""
        left, right = checked.args
        if isinstance(base_of(left.type), Cards | Unknown):
            return ""
        texts = self.game.texts
        values = [texts.value(e.type, texts.faced(e.type, self._evaluate(e))) for e in (left, right)]
        return f": {values[0]} {checked.op} {values[1]}"

    def _lately(self) -> list[Event]:
        """Return the events since the last action."""
        return self.state.log[self.since :]

    def _expect_said(self, step: syntax.ExpectSaid) -> None:
        said = [self.game.texts.words(event.parts) for event in self._lately() if isinstance(event, Said)]
        if (step.words in said) is step.negated:
            texts = "; ".join(f"“{words}”" for words in said) or "none"
            raise Failed(step.span, f"the messages since the last action: {texts}")

    def _expect_shown(self, step: syntax.ExpectShown) -> None:
        self._names_cards(step)
        texts, player = self.game.texts, self._player(step.player)
        events = [event for event in self._lately() if isinstance(event, Shown) and event.viewers >> player & 1]
        shown = [face for event in events for face in event.cards]
        for word in step.cards.split():
            try:
                seen = any(face in shown for face in texts.meanings(word))
            except IllegalActionError as error:
                raise SpecError.of("CG225", str(error), step.span, card_meant(self.game, word, step.span)) \
                    from error  # fmt: skip
            if seen is step.negated:
                cards = " ".join(texts.face(face) for face in shown) or "nothing"
                raise Failed(step.span, f"since the last action player {player + 1} was shown {cards}")

    def _outcome_now(self, span: Span) -> Any:
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

    @staticmethod
    def _names_cards(step: syntax.ExpectCards | syntax.ExpectShown) -> None:
        """Refuse what holds regardless of what lies there."""
        if not step.cards.split():
            raise SpecError.of("CG863", "this expectation names no card, so it always holds", step.span,
                              "name cards, or write `expect Z is empty`")  # fmt: skip

    def _first(self, at: str | Expr, held: int, named: int) -> int:
        """Return where the named cards of a place begin among those that it holds, from 0."""
        if isinstance(at, str):
            return 0 if at == "top" else max(0, held - named)
        number: int = self._value(at, Int(1), "the number of a card")
        return max(1, number) - 1

    def _expect_cards(self, step: syntax.ExpectCards) -> None:
        state, texts = self.state, self.game.texts
        end = step.zone if isinstance(step.zone, CardAt) else None
        if end is not None:
            self._names_cards(step)
        place = self._place(end.zone if end is not None else step.zone)
        faces = self.game.card_faces
        there = [faces[c] if c < self.game.num_cards else -1 for c in state.zones[place]]
        try:
            wanted = [texts.read_face(w, self.game.place_owners[place], there) for w in step.cards.split()]
        except IllegalActionError as error:
            raise SpecError.of("CG225", str(error), step.span) from error
        if end is not None:
            first = self._first(end.at, len(there), len(wanted))
            cut = there[first : first + len(wanted)]
            same = cut == wanted
        else:
            cut = there
            same = sorted(there) == sorted(wanted)
        if not same:
            shown = " ".join(texts.face(f if f >= 0 else None) for f in cut) or "nothing"
            raise Failed(step.span, f"{self.game.place_name(place)} holds {shown}")


def _head(scenario: syntax.Scenario) -> Span:
    """Return the first word of a scenario."""
    return Span(scenario.span.source, scenario.span.start, scenario.span.start + len("scenario"))


def context_of(rules: Rules) -> Context:
    """Return a context in which everything that the rules declare is known."""
    cx = Context(rules.num_players, check)
    cx.deck_size = len(rules.card_faces)
    cx.copies = len(rules.faces) < len(rules.card_faces)
    cx.kinds = dict(rules.kinds)
    for group in (rules.options, rules.enums, rules.kinds.values(), rules.zones, rules.variables, rules.defines,
                  rules.phases):  # fmt: skip
        for symbol in group:
            cx.symbols.setdefault(symbol.name, symbol)  # Of the levels of a phase the first comes first.
    for enum in rules.enums:
        for number, value in enumerate(enum.values):
            cx.values.setdefault(value, []).append((enum, number))
    return cx
