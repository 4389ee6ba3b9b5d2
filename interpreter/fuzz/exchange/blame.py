"""Find the statement of the rules that reveals the difference of the two plays to a viewer, and whether it publishes.

What statements did is compared deed by deed, as the declarations let the viewer see it.  If the deeds are the same, the
machinery shows what they hide.  If they are not, the two plays took different branches of some statement, or did
different things with one.  A statement that publishes reveals on purpose.  Where the branches part at a statement, it
must be one that this statement governs: what is published on both branches excuses nothing.  A secret decision
publishes only that it was made.
"""

from __future__ import annotations

import sys
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.analysis import core
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.machine import CHANCE
from interpreter.fuzz.exchange.goals import is_steered, statement_at
from interpreter.fuzz.exchange.lockstep import Difference
from interpreter.fuzz.exchange.shown import TABLE, past
from interpreter.fuzz.exchange.watched import Deed, Viewer, Watched

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.analysis.core import Phase
    from interpreter.engine.game import Game
    from interpreter.engine.machine import HistoryItem

MOST_SITES = 3000
"""Statements in which it is looked for where two ways part."""

BY_RULES = ("which way the rules take here", "where cards go, and how many", "what chance can give")
"""Kinds of revelations by a statement of the rules, not by the machinery, so that `openly` can declare them."""


@attrs.frozen
class Blame:
    """The source of a difference: the statement's place and tags, whether it publishes, and whether its author says so
    (`openly`).

    `how` describes the revelation in words.
    """

    how: str
    span: Span | None
    tags: tuple[str, ...]
    published: bool
    openly: bool = False


def blame(found: Difference, viewer: Viewer) -> Blame:
    """Return the source of a difference between two plays that a viewer sees."""
    one, other = found.after
    game = one.game
    mine, theirs = (_seen(deeds, viewer, game.everyone) for deeds in found.deeds)
    apart = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a.shown != b.shown), None)
    if apart is None and len(mine) != len(theirs):
        apart = min(len(mine), len(theirs))
    stops = _stop(one, viewer) == _stop(other, viewer)
    events = _first_events(found, viewer)
    first, second = (
        deeds[apart].deed if apart is not None and apart < len(deeds) else None for deeds in (mine, theirs)
    )
    # What lies open must follow from what has been reported: else it shows what no event has shown.
    untold = events is None and found.what in TABLE
    if (apart is None and stops) or untold or _earlier(events, first, second):
        return _machinery(found, viewer, events)
    rest = [deeds[len(deeds) if apart is None else apart :] for deeds in (mine, theirs)]
    _align(rest)
    return _ways(found, viewer, mine, rest)


def _stop(state: Watched, viewer: Viewer) -> tuple[int, int | bool]:
    """Return where a play stops, as far as the viewer sees: at which own decision, or whether at a secret one."""
    decision = state.decision()
    return state.to_act, state.node if state.to_act == viewer else decision is not None and decision.is_secret


# ---- what the machinery reveals


def _machinery(found: Difference, viewer: Viewer, events: tuple[int, int] | None) -> Blame:
    game, after = found.after[0].game, found.after[0]
    if events is not None:
        for state, deeds, event in zip(found.after, found.deeds, events, strict=True):
            deed = next((d for d in reversed(deeds) if d.at <= event), None)
            if deed is not None:
                return _of(game, state.span(deed), "what is shown of this statement, which publishes nothing")
    decision = after.decision()
    if after.to_act == viewer and decision is not None:
        return _of(game, decision.span, "this decision")
    deeds = found.deeds[0]
    span = after.span(deeds[-1]) if deeds else None if decision is None else decision.span
    return _of(game, span, "what lies open, or who is to act")


def _first_events(found: Difference, viewer: Viewer) -> tuple[int, int] | None:
    """Return by which event in each play the viewer first learns something different; None where none is.

    It compares pasts with fewer events, because a line does not name its event.
    """
    one, other = (_past_lines(state, viewer, len(state.log)) for state in found.after)
    line = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if line == len(one) == len(other):
        return None
    return _event(found, 0, line, viewer), _event(found, 1, line, viewer)


def _event(found: Difference, play: int, line: int, viewer: Viewer) -> int:
    """Return the event that completes a line of what the viewer is shown, counted from 0.

    Moves that go one way are reported in one line, which a later one makes longer.
    """
    state = found.after[play]
    whole = _past_lines(state, viewer, len(state.log))[line : line + 1]
    for number in range(len(found.before[play].log), len(state.log)):
        lines = _past_lines(state, viewer, number + 1)
        if len(lines) > line and lines[line : line + 1] == whole:
            return number
    return len(state.log)


def _past_lines(state: Watched, viewer: Viewer, events: int) -> list[str]:
    """Return what a viewer has been shown by so many events, line by line, and nothing of what is now."""
    copy = state.clone()
    copy.derived, copy.log, copy.to_act = {}, state.log[:events], CHANCE
    return past(copy, viewer).splitlines()


def _earlier(events: tuple[int, int] | None, *deeds: Deed | None) -> bool:
    """Say whether something is shown before the deeds in which the two plays differ."""
    if events is None:
        return False
    return all(event < (sys.maxsize if deed is None else deed.at) for event, deed in zip(events, deeds, strict=True))


# ---- what the rules reveal


@attrs.frozen
class _Shown:
    """What a viewer sees of one deed, or of several that look like one: `parts` are their deeds with their cards.

    `number` counts all deeds up to the last.
    """

    deed: Deed
    shown: Any
    number: int
    parts: tuple[tuple[Deed, int], ...] = ()


def _seen(deeds: tuple[Deed, ...], viewer: Viewer, everyone: int) -> list[_Shown]:
    """Return what a viewer sees; unseen cards that go the same way one after another are as many in one move."""
    found: list[_Shown] = []
    for number, deed in enumerate(deeds):
        shown = deed.shown(viewer, everyone)
        if shown is None:
            continue
        last = found[-1] if found else None
        if deed.kind == "move" and not shown[-2] and last is not None and last.shown[:-1] == shown[:-1]:
            whole = (*shown[:-1], last.shown[-1] + shown[-1])
            found[-1] = _Shown(last.deed, whole, number, (*last.parts, (deed, shown[-1])))
            continue
        found.append(_Shown(deed, shown, number, ((deed, shown[-1]),)))
    return found


def _align(rest: list[list[_Shown]]) -> None:
    """Drop what both plays have in common of moves that are shown as one, if it ends with a deed in both."""
    if not (rest[0] and rest[1]) or rest[0][0].shown[:-1] != rest[1][0].shown[:-1] or rest[0][0].deed.kind != "move":
        return
    one, other = (part[0].parts for part in rest)
    common = 0
    while common < min(len(one), len(other)) and one[common][1] == other[common][1]:
        common += 1
    for shown in rest:
        first = shown.pop(0)
        left = first.parts[common:]
        if left:
            shown.insert(0, attrs.evolve(first, deed=left[0][0], parts=left))


def _ways(found: Difference, viewer: Viewer, mine: list[_Shown], rest: list[list[_Shown]]) -> Blame:
    """Blame a statement of the rules for what the viewer sees from some deed on (`rest`)."""
    one, game = found.after[0], found.after[0].game
    rules, everyone = game.rules, game.everyone
    heads = [part[0].deed if part else None for part in rest]
    spans = [None if deed is None else one.span(deed) for deed in heads]
    published = [s.deed for part in rest for s in part if s.deed.publishes(viewer, everyone)]
    if heads[0] is not None and heads[1] is not None and heads[0].site == heads[1].site:
        return _judged(game, spans[0], [d for d in published if d in heads], heads[0], one, both=True)
    common = len(mine) - len(rest[0])
    begin = [deeds[common - 1].number + 1 if common else 0 for deeds in (mine, _seen(found.deeds[1], viewer, everyone))]
    # A variable that keeps its value in one of the two plays is recorded in the other alone, by the same statement.
    carried_out = [set(sites) for sites in _carried_out(found, begin)]
    for deed in heads:
        if deed is None or deed.kind != "set" or deed not in published or not all(deed.site in c for c in carried_out):
            continue
        if not all(any(s.deed.site == deed.site for s in part) for part in rest):
            return _judged(game, one.span(deed), [deed], deed, one)
    decisions = [state.decision() for state in found.after]
    acting = {statement_at(rules, span) for span in spans if span is not None} or {
        statement_at(rules, decision.span) for decision in decisions if decision is not None
    }
    forks = _branchings(found, begin)
    for fork in forks:
        governed = _governed(fork)
        if governed is not None and acting.isdisjoint(governed):
            continue
        if rules.is_published(fork.span):
            return _of(game, fork.span, "this statement", published=True, openly=True)
        inside = [d for d in published if governed is None or statement_at(rules, one.span(d)) in governed]
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
        head = next((deed for deed in heads if deed is not None), None)
        return _judged(game, next((s for s in spans if s is not None), None), published, head, one)
    governing = [f for f in forks if (below := _governed(f)) is None or not acting.isdisjoint(below)]
    if governing and not isinstance(governing[0], core.Choice):
        first = governing[0].span
    return _of(game, forks[0].span if first is None else first, "which way the rules take here")


def _branchings(found: Difference, begin: list[int]) -> list[core.Stmt]:
    """Return the statements after which the two plays go different ways, from some deeds on.

    Where nothing parts after the last deed in common, that deed was done on two ways.
    """
    game = found.after[0].game
    spans = game.program.sites.spans
    sites = _forks(found, begin) or _forks(found, [0, 0])
    forks = [fork for site in sites if (fork := statement_at(game.rules, spans[site])) is not None]
    if found.decided:
        decided = next((deed for deed in found.deeds[0] if deed.kind == "decide"), None)
        choice = None if decided is None else statement_at(game.rules, spans[decided.site])
        if choice is not None and choice not in forks:
            forks.append(choice)
    return forks


def _judged(
    game: Game, span: Span | None, telling: list[Deed], deed: Deed | None, state: Watched, *, both: bool = False
) -> Blame:
    """Blame a statement; what it reveals if it is carried out in `both` plays is plain if it is a card."""
    openly = span is not None and game.rules.is_published(span)
    openly = openly or (both and bool(telling) and telling[0].kind in ("move", "turn", "show"))
    if telling:
        span = state.span(telling[0])
        openly = openly or (span is not None and game.rules.is_published(span))
        how = {"decide": "what another player decides", "set": "this assignment"}.get(telling[0].kind, "this statement")
        return _of(game, span, how, published=True, openly=openly or telling[0].kind == "decide")
    what = {"move": "where cards go, and how many", "turn": "which cards are turned", "chance": "what chance can give",
            "shuffle": "what is shuffled"}  # fmt: skip
    how = "this player decides" if deed is None else what.get(deed.kind, "how it goes on")
    return _of(game, span, how, published=openly, openly=openly)


def _of(game: Game, span: Span | None, how: str, *, published: bool = False, openly: bool = False) -> Blame:
    stmt = statement_at(game.rules, span)
    return Blame(how, span, () if stmt is None else stmt.tags, published, openly)


# ---- where two ways part


def _forks(found: Difference, begin: list[int]) -> list[int]:
    """Return the sites after which the two plays go different ways, from some deeds on."""
    one, other = _carried_out(found, begin)
    # Rounds of a loop can be matched with later ones: so where the ways part first comes first.
    apart = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    forks = [one[apart - 1]] if 0 < apart < max(len(one), len(other)) else []
    for tag, low, _, _, _ in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal" and low > 0 and one[low - 1] not in forks:
            forks.append(one[low - 1])
    return forks


def _carried_out(found: Difference, begin: list[int]) -> list[list[int]]:
    """Return the sites of the statements that each play carries out, from some deeds on."""
    return [
        [site for site, deeds in _trace(state, step) if deeds >= len(state.done) + number][:MOST_SITES]
        for state, step, number in zip(found.before, found.step, begin, strict=True)
    ]


def _trace(before: Watched, step: list[HistoryItem]) -> list[tuple[int, int]]:
    """Take a step again and return the sites of its statements, each with how many deeds there were."""
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
