"""Fault localisation for leaks: the statement that reveals the difference of two plays, and whether on purpose.

The side effects of the statements are compared in order, as the declarations show them to the viewer.  If they are
equal, the interpreter shows hidden information.  If they are not, the plays took different branches of a statement, or
one statement had different effects.  A statement that publishes reveals on purpose.  If the paths diverge at a
statement, only statements inside it count: an effect that is published on both branches is no excuse.  A secret
decision publishes only that it was made.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.analysis import core
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.machine import CHANCE
from interpreter.fuzz.exchange.goals import is_steered, statement_at
from interpreter.fuzz.exchange.lockstep import Difference
from interpreter.fuzz.exchange.shown import TABLE, past
from interpreter.fuzz.exchange.traced import SideEffect, Traced, Viewer

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.analysis.core import Phase
    from interpreter.analysis.rules import Rules
    from interpreter.engine.game import Game
    from interpreter.engine.machine import HistoryItem

MOST_SITES = 3000
"""The most statements of a step in which the divergence of two plays is searched."""

BY_RULES = ("the branch that the rules take here", "where cards go, and how many", "the possible outcomes of chance")
"""Leaks by a statement of the rules and not by the interpreter, so that `openly` can declare them."""


@attrs.frozen
class LeakSite:
    """The source of a difference: `how` it is revealed, and the span and the tags of the statement.

    `published` is whether the statement publishes, `openly` whether its author declares that.
    """

    how: str
    span: Span | None
    tags: tuple[str, ...]
    published: bool
    openly: bool = False


def leak_site(found: Difference, viewer: Viewer) -> LeakSite:
    """Return the source of a difference between two plays that a viewer sees."""
    one, other = found.after
    game = one.game
    mine, theirs = (_seen(effects, viewer, game.everyone) for effects in found.effects)
    first = _first_difference([seen.shown for seen in mine], [seen.shown for seen in theirs])
    stops = _stop(one, viewer) == _stop(other, viewer)
    events = _first_events(found, viewer)
    rest = [effects[len(effects) if first is None else first :] for effects in (mine, theirs)]
    heads = [part[0].effect if part else None for part in rest]
    # The table must follow from the events: otherwise it shows information that no event has shown.
    without_event = events is None and found.what in TABLE
    if (first is None and stops) or without_event or _earlier(events, *heads):
        return _by_interpreter(found, viewer, events)
    _align(rest)
    return _by_statement(found, viewer, mine, rest)


def _stop(state: Traced, viewer: Viewer) -> tuple[int, int | bool]:
    """Return where a play stops, as the viewer sees it: at which decision of the viewer, or whether at a secret one."""
    decision = state.decision()
    return state.to_act, state.node if state.to_act == viewer else decision is not None and decision.is_secret


def _first_difference(one: Sequence[object], other: Sequence[object]) -> int | None:
    """Return the first index at which two sequences differ, or at which only one ends; None if they are equal."""
    return next((n for n, (a, b) in enumerate(zip_longest(one, other, fillvalue=object())) if a != b), None)


# ---- leaks by the interpreter


def _by_interpreter(found: Difference, viewer: Viewer, events: tuple[int, int] | None) -> LeakSite:
    game, after = found.after[0].game, found.after[0]
    if events is not None:
        for state, effects, event in zip(found.after, found.effects, events, strict=True):
            effect = next((d for d in reversed(effects) if d.at <= event), None)
            if effect is not None:
                return _of(game, state.span(effect), "the display of this statement, which publishes nothing,")
    decision = after.decision()
    if after.to_act == viewer and decision is not None:
        return _of(game, decision.span, "this decision")
    effects = found.effects[0]
    span = after.span(effects[-1]) if effects else None if decision is None else decision.span
    return _of(game, span, "the table, or the turn,")


def _first_events(found: Difference, viewer: Viewer) -> tuple[int, int] | None:
    """Return the event in each play by which the viewer first learns something different; None if there is none.

    A line does not name its event, so logs cut off after each event are compared.
    """
    one, other = (_past_lines(state, viewer, len(state.log)) for state in found.after)
    line = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if line == len(one) == len(other):
        return None
    return _event(found, 0, line, viewer), _event(found, 1, line, viewer)


def _event(found: Difference, play: int, line: int, viewer: Viewer) -> int:
    """Return the number of the event that completes a line for the viewer, from 0.

    One line reports all moves between the same places in a row, so a later event can extend it.
    """
    state = found.after[play]
    whole = _past_lines(state, viewer, len(state.log))[line : line + 1]
    for number in range(len(found.before[play].log), len(state.log)):
        lines = _past_lines(state, viewer, number + 1)
        if len(lines) > line and lines[line : line + 1] == whole:
            return number
    return len(state.log)


def _past_lines(state: Traced, viewer: Viewer, events: int) -> list[str]:
    """Return the lines that a viewer was shown for the first events, without the present table."""
    copy = state.clone()
    copy.derived, copy.log, copy.to_act = {}, state.log[:events], CHANCE
    return past(copy, viewer).splitlines()


def _earlier(events: tuple[int, int] | None, *effects: SideEffect | None) -> bool:
    """Return whether the viewer was shown a difference before the first effects that differ."""
    if events is None:
        return False
    return all(
        event < (sys.maxsize if effect is None else effect.at) for event, effect in zip(events, effects, strict=True)
    )


# ---- leaks by the rules


@attrs.frozen
class _Shown:
    """One effect as a viewer sees it, or several that look like one: `parts` are these with their numbers of cards.

    `number` is the index of the last one among all effects.
    """

    effect: SideEffect
    shown: Any
    number: int
    parts: tuple[tuple[SideEffect, int], ...] = ()


def _seen(effects: tuple[SideEffect, ...], viewer: Viewer, everyone: int) -> list[_Shown]:
    """Return the effects as a viewer sees them; moves of unseen cards between the same places in a row become one."""
    found: list[_Shown] = []
    for number, effect in enumerate(effects):
        shown = effect.shown(viewer, everyone)
        if shown is None:
            continue
        last = found[-1] if found else None
        if effect.kind == "move" and not shown[-2] and last is not None and last.shown[:-1] == shown[:-1]:
            whole = (*shown[:-1], last.shown[-1] + shown[-1])
            found[-1] = _Shown(last.effect, whole, number, (*last.parts, (effect, shown[-1])))
            continue
        found.append(_Shown(effect, shown, number, ((effect, shown[-1]),)))
    return found


def _align(rest: list[list[_Shown]]) -> None:
    """Drop the common beginning of two first moves that are each shown as one."""
    if not (rest[0] and rest[1]) or rest[0][0].shown[:-1] != rest[1][0].shown[:-1] or rest[0][0].effect.kind != "move":
        return
    one, other = (part[0].parts for part in rest)
    common = 0
    while common < min(len(one), len(other)) and one[common][1] == other[common][1]:
        common += 1
    for shown in rest:
        first = shown.pop(0)
        left = first.parts[common:]
        if left:
            shown.insert(0, attrs.evolve(first, effect=left[0][0], parts=left))


def _by_statement(found: Difference, viewer: Viewer, mine: list[_Shown], rest: list[list[_Shown]]) -> LeakSite:
    """Return the statement of the rules that causes the effects from the first difference on (`rest`)."""
    one, game = found.after[0], found.after[0].game
    rules, everyone = game.rules, game.everyone
    heads = [part[0].effect if part else None for part in rest]
    spans = [None if effect is None else one.span(effect) for effect in heads]
    published = [s.effect for part in rest for s in part if s.effect.publishes(viewer, everyone)]
    if heads[0] is not None and heads[1] is not None and heads[0].site == heads[1].site:
        return _judged(game, spans[0], [d for d in published if d in heads], heads[0], one, both=True)
    common = len(mine) - len(rest[0])
    begin = [
        effects[common - 1].number + 1 if common else 0 for effects in (mine, _seen(found.effects[1], viewer, everyone))
    ]
    # A variable that keeps its value in one of the two plays is recorded in the other alone, by the same statement.
    carried_out = [set(sites) for sites in _carried_out(found, begin)]
    for effect in heads:
        if (
            effect is None
            or effect.kind != "set"
            or effect not in published
            or not all(effect.site in c for c in carried_out)
        ):
            continue
        if not all(any(s.effect.site == effect.site for s in part) for part in rest):
            return _judged(game, one.span(effect), [effect], effect, one)
    decisions = [state.decision() for state in found.after]
    stopped_at = [None if decision is None else decision.span for decision in decisions]
    acting = {
        statement_at(rules, place) or _begun(rules, place)
        for span, stop in zip(spans, stopped_at, strict=True)
        if (place := span or stop) is not None
    }
    forks = _branchings(found, begin)
    # The variables of a phase begin with it, so no statement of theirs could follow `openly`.
    stated = {d: stmt for d in published if (stmt := statement_at(rules, one.span(d))) is not None}
    for fork in forks:
        governed = _governed(fork)
        if governed is not None and acting.isdisjoint(governed):
            continue
        if rules.is_published(fork.span):
            return _of(game, fork.span, "this statement", published=True, openly=True)
        inside = [d for d, stmt in stated.items() if governed is None or stmt in governed]
        if inside:
            return _judged(game, one.span(inside[0]), inside, inside[0], one)
        break
    open_ones = [span for span in spans if span is not None and rules.is_published(span)]
    if open_ones:
        return _of(game, open_ones[0], "this statement", published=True, openly=True)
    first = next((s for s in spans if s is not None), None)
    if not forks:
        asking = _asking(found, begin, acting) if heads == [None, None] else None
        spans += [] if asking is None else [asking.span]
        spans += [decision.span for decision in decisions if decision is not None]
        head = next((effect for effect in heads if effect is not None), None)
        return _judged(game, next((s for s in spans if s is not None), None), [*stated] or published, head, one)
    governing = [f for f in forks if (below := _governed(f)) is None or not acting.isdisjoint(below)]
    if governing and not isinstance(governing[0], core.Choice):
        first = governing[0].span
    return _of(game, forks[0].span if first is None else first, "the branch that the rules take here")


def _begun(rules: Rules, place: Span) -> core.Stmt | None:
    """Return the first statement of the phase whose own variable is declared at a place; None for other places."""
    named = (p for p in rules.every_phase if p.span.source.name == place.source.name)
    return next((p.body[0] for p in named if p.span.start <= place.start and place.end <= p.span.end), None)


def _branchings(found: Difference, begin: list[int]) -> list[core.Stmt]:
    """Return the statements at which the control flow of the two plays diverges after the common effects.

    If it does not diverge there, the plays reached the last common effect on different paths.
    """
    game = found.after[0].game
    spans = game.program.sites.spans
    sites = _forks(found, begin) or _forks(found, [0, 0])
    forks = [fork for site in sites if (fork := statement_at(game.rules, spans[site])) is not None]
    if found.decided:
        decided = next((effect for effect in found.effects[0] if effect.kind == "decide"), None)
        choice = None if decided is None else statement_at(game.rules, spans[decided.site])
        if choice is not None and choice not in forks:
            forks.append(choice)
    return forks


def _judged(
    game: Game,
    span: Span | None,
    publishing: list[SideEffect],
    effect: SideEffect | None,
    state: Traced,
    *,
    both: bool = False,
) -> LeakSite:
    """Return a leak by a statement; if it runs in `both` plays and reveals a card, it does so on purpose."""
    openly = span is not None and game.rules.is_published(span)
    openly = openly or (both and bool(publishing) and publishing[0].kind in ("move", "turn", "show"))
    if publishing:
        span = state.span(publishing[0])
        openly = openly or (span is not None and game.rules.is_published(span))
        how = {"decide": "another player's decision", "set": "this assignment"}.get(
            publishing[0].kind, "this statement"
        )
        return _of(game, span, how, published=True, openly=openly or publishing[0].kind == "decide")
    what = {"move": BY_RULES[1], "turn": "the choice of turned cards", "chance": BY_RULES[2],
            "shuffle": "the choice of shuffled cards"}  # fmt: skip
    how = "this decision" if effect is None else what.get(effect.kind, "the course of play")
    return _of(game, span, how, published=openly, openly=openly)


def _of(game: Game, span: Span | None, how: str, *, published: bool = False, openly: bool = False) -> LeakSite:
    stmt = statement_at(game.rules, span)
    return LeakSite(how, span, () if stmt is None else stmt.tags, published, openly)


# ---- where the control flow diverges


def _forks(found: Difference, begin: list[int]) -> list[int]:
    """Return the sites of the statements after which the two plays run different ones, from some effects on."""
    one, other = _carried_out(found, begin)
    # The alignment can match a round of a loop with a later one, so the first difference comes first.
    first = _first_difference(one, other)
    forks = [one[first - 1]] if first else []
    for tag, low, _, _, _ in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal" and low > 0 and one[low - 1] not in forks:
            forks.append(one[low - 1])
    return forks


def _carried_out(found: Difference, begin: list[int]) -> list[list[int]]:
    """Return the sites of the statements that each play runs, from some effects on."""
    return [
        [site for site, effects in _trace(state, step) if effects >= len(state.done) + number][:MOST_SITES]
        for state, step, number in zip(found.before, found.step, begin, strict=True)
    ]


def _trace(before: Traced, step: list[HistoryItem]) -> list[tuple[int, int]]:
    """Run a step again and return the sites of its statements, each with the number of effects before it."""
    state = before.clone()
    found: list[tuple[int, int]] = []
    try:
        for item in step:
            state.trace = None
            state.legal_actions()
            state.trace = found
            state.apply_action(item)
    except (IllegalActionError, RuleError):
        pass
    return found


def _asking(found: Difference, begin: list[int], acting: set[core.Stmt | None]) -> core.Stmt | None:
    """Return the last statement before the decisions that hidden things steer to who makes them; None if there is none.

    It is a call or a loop, which both plays carry out alike but for the player.
    """
    rules, spans = found.after[0].game.rules, found.after[0].game.program.sites.spans
    for site in reversed(_carried_out(found, begin)[0]):
        stmt = statement_at(rules, spans[site])
        if isinstance(stmt, core.CallPhase | core.For | core.InTurn):
            inside = set(core.with_phases(((stmt,),)))
            if not acting.isdisjoint(inside) and (rules.is_published(stmt.span) or is_steered(rules, stmt)):
                return stmt
    return None


def _governed(fork: core.Stmt) -> set[core.Stmt] | None:
    """Return the statements that a statement decides upon, also in phases that they carry out.

    A branch that ends a phase decides upon the whole phase.  None means all that follows: one ends the game.
    """
    found: set[core.Stmt] = set()
    entered: set[Phase] = set()
    todo = [stmt for block in core.blocks_inside(fork) for stmt in core.statements(block)]
    while todo:
        stmt = todo.pop()
        found.add(stmt)
        phase = stmt.phase if isinstance(stmt, core.End | core.CallPhase) else None
        if isinstance(stmt, core.End) and phase is None:
            return None
        if phase is not None and phase not in entered:
            entered.add(phase)
            todo.extend(core.statements_of(phase))
    return found
