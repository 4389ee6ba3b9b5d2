"""Diagnosis of a failed play: the facts that its author needs to correct the rules.

A *diagnosis* is the table before the failure, the reason for which each action is impossible where nobody can do
anything, the part of the play that comes again and again where it has no end, and what to write instead.  Reasons are
counted on the state itself: of each condition its clauses, joined by `and`, are evaluated for every candidate one by
one, and the clause that none meets is named in the words of the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

import attrs

from grammar import expressions as ex
from grammar.english import counted
from grammar.expressions import walk
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, Player, base_of
from interpreter.engine.evaluate import ActionTest, action_tests, evaluator
from interpreter.engine.logged import log_of
from interpreter.english.phrases import IT, named
from interpreter.fuzz.checks import Problem
from interpreter.fuzz.short_table import table_text
from interpreter.program.facts import operands
from interpreter.program.nodes import Alternative
from interpreter.rulebook.conditions import Conditions
from interpreter.rulebook.lexicon import Lexicon, Scope
from interpreter.rulebook.page import plain
from interpreter.rulebook.settle import Settled, settle
from interpreter.rulebook.trees import EACH
from interpreter.text.texts import word_for

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State

CONDITIONS = get_args(ex.Condition)

LONGEST_ROUND = 200
"""Decisions that are taken for a part which comes again."""

LOCATED = 6
"""How many of the last decisions of a play without end are looked for inside its loops; each takes a replay."""

_SAY_IT = "read only what the player knows; reveal other information first, by a variable that all see or by `show`"

CURES = {
    "CG801": "widen the range of the variable, or test first whether the number fits: `only if`, `min`, `max`",
    "CG802": "test first whether there is such a place, or keep the number in its range with `min` and `max`",
    "CG803": "write `deal` where fewer cards will do, or put cards back and shuffle them before there are too few",
    "CG804": "let the loop change what its condition reads, or give it another end: `repeat .. until`",
    "CG805": "let the zone hold more (`at most`), or move cards away first: the rule moves more cards than fit",
    "CG807": "say what happens then: a line `otherwise pass` under `chooses`, or `if` around it",
    "CG808": "test first whether there is anything to draw from: `if Z is not empty`",
    "CG809": "test first whether the divisor is 0: `if d == 0 then .. else ..`",
    "CG810": "let players choose only among what they see: turn the cards face up, or choose by place",
    "CG812": "write a greater number before `deep`, or test before the call whether it may begin once more",
    "length": "let each round use something up or bring the end nearer, or end the play in another way too; if plays "
              "are meant to be so long, say `at most N decisions`",
    "invariants": "correct the rule that breaks it in the last step above, or weaken the invariant",
    "leak": _SAY_IT,
    "exchange": _SAY_IT,
    "worlds": _SAY_IT,
}  # fmt: skip
"""The advice for each problem, by the code of a fault or the name of a check."""


@attrs.frozen
class Round:
    """A cycle at the end of a play without end: after `before` decisions, `decisions` repeat `times` times.

    `changes` are the variables and places that differ from one round to the next.
    """

    before: int
    decisions: tuple[str, ...]
    times: int
    changes: tuple[str, ...] = ()


@attrs.frozen
class Diagnosis:
    """The explanation of a failure for the author of the rules, in lines of text.

    `loop` is the statement that repeats in a play without end.
    """

    table: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    round: Round | None = None
    cure: str = ""
    loop: Span | None = None


def diagnose(problem: Problem, before: State, sentences: Sequence[str], earlier: Callable[[int], State]) -> Diagnosis:
    """Return the diagnosis of a failed play.

    `before` is the last state without a problem, `sentences` are all decisions of the play, and `earlier` returns the
    state before one of them, by number.
    """
    reasons: tuple[str, ...] = ()
    round_ = loop = None
    names: set[str] = set()
    if problem.code == "CG807" and before.current_player() >= 0:
        why = Impossible(before)
        reasons, names = tuple(why.reasons()), why.names
    if problem.check == "length":
        round_ = find_round(sentences, earlier)
        count = min(LOCATED, len(sentences) if round_ is None else len(round_.decisions))
        around = loop_around([earlier(len(sentences) - 1 - number) for number in range(count)])
        if around is not None:
            loop, reasons = around.span, tuple(_idle_deals(around, before))
    if problem.span is not None:
        names |= {name for name in problem.span.text.replace("[", " ").replace(".", " ").split() if name.isidentifier()}
    return Diagnosis(tuple(table_text(before, names).splitlines()), reasons, round_, cure_of(problem), loop)


def cure_of(problem: Problem) -> str:
    """Return what to write instead; nothing where the program itself is at fault."""
    return CURES.get(problem.code) or CURES.get(problem.check, "")


# ---- what has no end


def ending(lines: Sequence[str]) -> tuple[int, int, int] | None:
    """Return how something ends that comes again and again: where that begins, how long it is, and how often it comes.

    The shortest part is looked for that the end consists of, at least three times over.
    """
    count = len(lines)
    for size in range(1, min(LONGEST_ROUND, count // 3) + 1):
        start = count - size
        while start > 0 and lines[start - 1] == lines[start - 1 + size]:
            start -= 1
        times = (count - start) // size
        if times >= 3 and (count - start) * 2 >= min(count, 3 * LONGEST_ROUND):
            return count - times * size, size, times
    return None


def find_round(sentences: Sequence[str], earlier: Callable[[int], State]) -> Round | None:
    """Return the decisions that a play ends with again and again, None where there are no such."""
    found = ending(sentences)
    if found is None:
        return None
    first, size, times = found
    changes = _changes(earlier(first + (times - 1) * size), earlier(first + (times - 2) * size))
    return Round(first, tuple(sentences[first : first + size]), times, changes)


def loop_around(states: Sequence[State]) -> core.While | core.InTurn | None:
    """Return the loop with the fewest statements that contains the decisions of all states, in phases it calls too."""
    wanted = {state.game.span_of(state.node) for state in states}
    found = []
    for stmt in states[0].game.rules.statements() if states else ():
        if isinstance(stmt, core.While | core.InTurn):
            inside = {inner.span for inner in core.with_phases((stmt.body,))}
            if wanted <= inside:
                found.append((len(inside), stmt.span.start, stmt))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _idle_deals(loop: core.While | core.InTurn, state: State) -> Iterator[str]:
    """Give a sentence for each statement of a loop that deals nothing, since it deals from empty zones."""
    for stmt in core.with_phases((loop.body,)):
        if isinstance(stmt, core.Deal) and not stmt.exactly:
            zone = stmt.origin.zone
            if not any(state.zones[zone.base : zone.base + zone.places]):
                code = " ".join(stmt.span.text.split())
                yield f"line {stmt.span.line}: `{code}` deals nothing: `{zone.name}` is empty"


def _changes(now: State, before: State) -> tuple[str, ...]:
    earlier = table_text(before).splitlines()
    return tuple(line for line in table_text(now).splitlines() if line not in earlier)


# ---- what nobody can do


class Impossible:
    """Why each action of the decision that waits cannot be chosen; `names` are the zones that they choose from."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.game: Game = state.game
        self.log = log_of(state).clone()
        self.words = _Words(self.game)
        self.names: set[str] = set()

    def reasons(self) -> list[str]:
        """Return a sentence for each action; it begins with its verb."""
        node = self.state.decision()
        if node is None:
            return []
        if node.only is not None:
            return [f"{node.only.action.verb}: nothing that is left completes it"]
        self.words.name_players(self.log)
        ways = zip(node.ways, action_tests(self.game, node), strict=True)
        return [f"{way.action.verb}: {self._reason(way, tests)}" for way, tests in ways]

    def _reason(self, way: Alternative, tests: ActionTest) -> str:
        action = way.action
        if tests.only_if is not None and not self.log.aside(tests.only_if):
            assert action.only_if is not None
            failing = [part for part in operands(action.only_if, "and") if not self._holds(part)]
            clauses = " and ".join(self.words.clause(part) for part in failing or [action.only_if])
            return f"only if {clauses}, which is not so"
        for arg, test in zip(action.args, tests.args, strict=True):
            where = test.where
            items = list(test.domain(self.log, self.log.values, self.log.zones))
            problem = self._arg(arg, items, where, test.low)
            if problem:
                return problem
            fitting = [i for i in items if where is None or where(self.log, self.log.values, self.log.zones, i)]
            if fitting:
                self.log.values[self.game.layout.local_slots[arg.local]] = (
                    fitting[0] if arg.form != "cards" else tuple(fitting)
                )
        whole = action.such_that or next((a.on_set.condition for a in action.args if a.on_set is not None), None)
        if whole is not None:
            return f"nothing that can be chosen is such that {self.words.clause(whole)}"
        return "nothing completes it"

    def _arg(self, arg: core.Arg, items: list[Any], where: Any, low: Any) -> str:
        """Return why an argument cannot be chosen, nothing where it can."""
        is_card = isinstance(base_of(arg.local.type), Card) or arg.form == "cards"
        thing = "card" if is_card else word_for(arg.local.type)
        place = " ".join(arg.domain.span.text.split())
        if isinstance(arg.domain, core.ZoneRef):
            self.names.add(arg.domain.zone.name)
            if items:
                place = self.game.place_name(self.log.place_of(items[0]))
        least = 1 if arg.form != "cards" or low is None else low(self.log, self.log.values, self.log.zones)
        if arg.form == "cards" and least == 0:
            return ""
        if not items:
            return f"there is no {thing} in {place}"
        fitting = items if where is None else [i for i in items if where(self.log, self.log.values, self.log.zones, i)]
        if len(fitting) >= least:
            return ""
        of = f"{counted(len(items), thing)} in {place}"
        if where is None or arg.where is None:
            return f"{least} are to be chosen, and there {'is' if len(items) == 1 else 'are'} {of}"
        clauses = []
        for clause in operands(arg.where, "and"):
            meets = sum(self._holds(clause, (arg.each or arg.local, item)) for item in items)
            clauses.append((meets, self.words.clause(clause, arg)))
        worst, clause_text = min(clauses, key=lambda one: one[0])
        if not fitting and worst == 0:
            return f"of the {of} none is such that {clause_text}"
        every = "; ".join(f"{meets} {'is' if meets == 1 else 'are'} such that {text}" for meets, text in clauses)
        if len(clauses) == 1:
            return f"{least} are needed, and of the {of} {every}"
        need = f"{least} are needed, and {len(fitting)} fit" if least > 1 else "none fits"
        return f"of the {of} {need}: {every}"

    def _holds(self, clause: core.Expr, it: tuple[Local, Any] | None = None) -> bool:
        """Say whether a condition holds, of a thing if it speaks of one."""
        ask = evaluator(self.game, clause, None if it is None else {it[0]: repr(it[1])})
        return bool(ask(self.log))


class _Words:
    """Conditions of a spec as the rulebook says them, with the players who are meant."""

    def __init__(self, game: Game) -> None:
        info = game.rules.info.copy()
        tree = settle(
            game.spec,
            Settled(game.num_players, dict(game.rules.setting.options)),
            info,
            dealt=frozenset(f.kind for f in game.rules.faces),
        )
        self.speech = Conditions(Lexicon(tree, game.rules, info))
        self.game = game
        self.nodes = {
            (node.span.start, node.span.end, node.span.source.name): node for node in walk(tree)
        }  # fmt: skip
        self.scope = Scope()

    def name_players(self, log: Any) -> None:
        """Call the players that names of the phase stand for by their numbers."""
        for local, slot in self.game.layout.local_slots.items():
            if isinstance(base_of(local.type), Player) and isinstance(log.values[slot], int):
                self.scope = self.scope.named(local.name, named(self.game.texts.player(log.values[slot])))

    def clause(self, expr: core.Expr, arg: core.Arg | None = None) -> str:
        """Return a condition in words; the thing that an argument represents is `it`."""
        span: Span = expr.span
        node = self.nodes.get((span.start, span.end, span.source.name))
        code = " ".join(span.text.split())
        if not isinstance(node, CONDITIONS):
            return f"`{code}`"
        scope = self.scope if arg is None else self.scope.named(arg.local.name, IT).named(EACH, IT)
        return f"{plain(self.speech.clause(node, scope))} (`{code}`)"
