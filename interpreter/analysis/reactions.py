"""State-based rules: put the check of every `whenever` behind every step that can make it hold.

Takes rules whose `whenever`s are checked, and changes the bodies of their phases: each `whenever` becomes
a phase that does its body as often as it holds, and behind each statement that changes what its
condition reads stands a call of that phase.  What `together` holds is one step, and so is the body of a
`whenever` with all that it carries out; so no rule answers itself in the middle.  Nothing downstream
knows of `whenever` or `together`.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from interpreter.analysis import core
from interpreter.analysis.dependencies import calls
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Phase, Variable, Zone
from interpreter.analysis.types import BOOL

Family = Zone | Variable
BlockChange = Callable[[tuple[core.Stmt, ...]], tuple[core.Stmt, ...]]

_LOOKS_EVERYWHERE = ("holder", "player_of", "face_down")


@attrs.frozen(eq=False)
class Whenever:
    """A checked `whenever`: the phase that it became, and what its condition reads (None: anything)."""

    phase: Phase
    reads: frozenset[Family] | None


def reacting_phase(number: int, stmt: core.If | core.For, name: str) -> Phase:
    """Return the phase that a `whenever` becomes, from its condition or its selection with the body."""
    phase = Phase(name, (), None, number, stmt.span, stmt.tags)
    if isinstance(stmt, core.If):
        phase.body = (core.While(stmt.condition, stmt.then, True, stmt.span, ()),)
        return phase
    binder = stmt.binder
    some = core.Select("some", binder, None, BOOL, stmt.span)
    first = core.Select("first", binder, None, binder.local.type, stmt.span)
    named = core.Let(binder.local, first, stmt.span, ())
    phase.body = (core.While(some, (named, *stmt.body), True, stmt.span, ()),)
    return phase


def reads_of(exprs: list[core.Expr]) -> frozenset[Family] | None:
    """Return the zones and variables that expressions read, through definitions too; None for all."""
    found: set[Family] = set()
    seen = set()
    todo = list(exprs)
    while todo:
        for part in core.walk(todo.pop()):
            match part:
                case core.ZoneRef():
                    found.add(part.zone)
                case core.VarRef():
                    found.add(part.variable)
                case core.Builtin(name=name) if name in _LOOKS_EVERYWHERE:
                    return None
                case core.CallDefine(define=define) if define not in seen:
                    seen.add(define)
                    todo.extend(value for _, value in define.lets)
                    if define.value is not None:
                        todo.append(define.value)
    return frozenset(found)


def weave(rules: Rules, whenevers: tuple[Phase, ...]) -> None:
    """Put the checks of the `whenever` phases into all other phases of the rules, and undo `together`."""
    found = tuple(Whenever(phase, reads_of(core.statement_parts(phase.body[0])[0])) for phase in whenevers)
    quiet = _quiet(whenevers)
    changes = _Changes(rules)
    for phase in [*rules.phases, rules.play]:
        if phase in quiet:
            phase.body = _plain(phase.body)
        else:
            phase.body = _Weaver(found, quiet, changes).block(phase.body)


def _quiet(whenevers: tuple[Phase, ...]) -> set[Phase]:
    """Return the `whenever` phases and all that they carry out: each of these is one step."""
    found: set[Phase] = set()
    todo = list(whenevers)
    while todo:
        phase = todo.pop()
        if phase not in found:
            found.add(phase)
            todo.extend(c.phase for c in calls(phase))
    return found


class _Changes:
    """What statements and phases can change: zones and variables, or anything (None)."""

    def __init__(self, rules: Rules) -> None:
        self.everywhere = frozenset(rules.zones)
        self._phases: dict[Phase, frozenset[Family]] = {}

    def of(self, stmt: core.Stmt) -> frozenset[Family]:
        """Return what a statement itself changes; a phase it carries out counts as its own."""
        match stmt:
            case core.Assign():
                return frozenset({stmt.variable})
            case core.Move():
                return self._origins(stmt.cards) | {stmt.target.zone}
            case core.Deal():
                return frozenset({stmt.origin.zone, stmt.target.zone})
            case core.Shuffle(cards=cards):
                return (frozenset() if cards is None else self._origins(cards)) | {stmt.zone.zone}
            case core.CallPhase():
                return self.phase(stmt.phase)
            case _:
                return frozenset()

    def _origins(self, cards: core.Expr) -> frozenset[Family]:
        """Return where cards can come from: a zone that is named as a whole, else anywhere."""
        return frozenset({cards.zone}) if isinstance(cards, core.ZoneRef) else self.everywhere

    def phase(self, phase: Phase) -> frozenset[Family]:
        """Return all that a phase changes, with what it carries out."""
        if phase not in self._phases:
            self._phases[phase] = frozenset()
            found: set[Family] = set()
            for stmt in core.statements(phase.body):
                found |= self.of(stmt)
            self._phases[phase] = frozenset(found)
        return self._phases[phase]


class _Weaver:
    def __init__(self, whenevers: tuple[Whenever, ...], quiet: set[Phase], changes: _Changes) -> None:
        self.whenevers = whenevers
        self.quiet = quiet
        self.changes = changes

    def block(self, block: tuple[core.Stmt, ...]) -> tuple[core.Stmt, ...]:
        out: list[core.Stmt] = []
        for stmt in block:
            out.extend(self.statement(stmt))
        return tuple(out)

    def statement(self, stmt: core.Stmt) -> list[core.Stmt]:
        if isinstance(stmt, core.Together):
            changed: set[Family] = set()
            for inner in core.statements(stmt.body):
                changed |= self.changes.of(inner)
            return [*_plain(stmt.body), *self.checks(stmt, frozenset(changed))]
        if isinstance(stmt, core.CallPhase) and stmt.phase not in self.quiet:
            return [stmt]
        within = rebuilt(stmt, self.block)
        return [within, *self.checks(stmt, self.changes.of(stmt))]

    def checks(self, stmt: core.Stmt, changed: frozenset[Family]) -> list[core.Stmt]:
        return [
            core.CallPhase(w.phase, (), stmt.span, ())
            for w in self.whenevers
            if changed and (w.reads is None or w.reads & changed)
        ]


def _plain(block: tuple[core.Stmt, ...]) -> tuple[core.Stmt, ...]:
    """Return statements without `together`."""
    out: list[core.Stmt] = []
    for stmt in block:
        out.extend(_plain(stmt.body) if isinstance(stmt, core.Together) else [rebuilt(stmt, _plain)])
    return tuple(out)


def rebuilt(stmt: core.Stmt, change: BlockChange) -> core.Stmt:
    """Return a statement with the blocks inside it changed; the statement itself where nothing is."""
    match stmt:
        case core.If():
            then, otherwise = change(stmt.then), change(stmt.otherwise)
            return core.If(stmt.condition, then, otherwise, stmt.span, stmt.tags)
        case core.For():
            return core.For(stmt.binder, change(stmt.body), stmt.span, stmt.tags)
        case core.While():
            return core.While(stmt.condition, change(stmt.body), stmt.first, stmt.span, stmt.tags)
        case core.InTurn():
            return core.InTurn(stmt.binder, change(stmt.body), stmt.span, stmt.tags)
        case core.AtOnce():
            choice = rebuilt(stmt.choice, change)
            assert isinstance(choice, core.Choice)
            return core.AtOnce(stmt.binder, choice, stmt.span, stmt.tags)
        case core.Choice():
            actions = tuple(_action(a, change) for a in stmt.actions)
            otherwise_ = None if stmt.otherwise is None else _action(stmt.otherwise, change)
            return core.Choice(stmt.player, actions, otherwise_, stmt.prompt, stmt.secretly, stmt.span, stmt.tags)
        case _:
            return stmt


def _action(action: core.Action, change: BlockChange) -> core.Action:
    return core.Action(
        action.verb, action.args, action.on_set, action.such_that, action.only_if, change(action.body),
        action.span, action.tags,
    )  # fmt: skip
