"""Print what goes round: loops that can stop in the middle, turns that can open again, secret decisions.

Each loop has three slots in the state: what it goes through, how far it is (for turns: who is still due,
one bit each), and, for turns, whose turn it is.  A decision `at once` has a slot for each player, which
holds what they decided until all have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammar.source import Span
from interpreter.analysis import core
from interpreter.program.nodes import Commit, Dispatch, NextInLoop, NextTurn, Reopen, StartAgain, StartLoop, StartTurns

if TYPE_CHECKING:
    from interpreter.program.statements import StatementPrinter


def print_step(base: StatementPrinter, step: StartLoop | StartAgain | StartTurns | Reopen | Commit) -> None:
    """Print how a loop begins, turns open again, or a secret decision is kept."""
    layout, add = base.layout, base.lines.add
    match step:
        case StartLoop(loop, binder, span):
            slot = layout.loop(loop)
            add(f"v[{slot}] = {base.printer.kept(binder)}", span)
            add(f"v[{slot + 1}] = 0")
        case StartAgain(loop, other):
            slot = layout.loop(loop)
            add(f"v[{slot}] = v[{layout.loop(other)}]")
            add(f"v[{slot + 1}] = 0")
        case StartTurns(loop, binder, span):
            slot = layout.loop(loop)
            everybody = core.Binder(binder.local, binder.domain, binder.start, None)
            add(f"v[{slot}] = {base.printer.kept(everybody)}", span)
            add(f"v[{slot + 1}] = (1 << len(v[{slot}])) - 1")
            add(f"v[{slot + 2}] = -1")
        case Reopen(loop, span):
            slot = layout.loop(loop)
            add(f"v[{slot + 1}] = ((1 << len(v[{slot}])) - 1) & ~(1 << v[{slot + 2}])", span)
        case Commit(store, player, number, action):
            for arg in action.args:
                base.printer.seen.setdefault(arg.local, set()).add("commit")
            values = [str(number), *(base.printer.local(a.local) for a in action.args)]
            add(f"v[{layout.commits[store]} + {base.printer.local(player)}] = ({', '.join(values)},)", action.span)


def print_next(base: StatementPrinter, leave: NextInLoop, span: Span) -> None:
    """Print the head of a loop: take the next thing, or leave."""
    slot, add = base.layout.loop(leave.loop), base.lines.add
    add(f"items, done = v[{slot}], v[{slot + 1}]", span)
    add("if done >= len(items):")
    base.lines.depth += 1
    add(f"v[{slot}] = ()")
    base.go(leave.done)
    base.lines.depth -= 1
    add(f"v[{slot + 1}] = done + 1")
    add(f"{base.printer.local(leave.local)} = items[done]")
    base.go(leave.body)


def print_next_turn(base: StatementPrinter, leave: NextTurn, span: Span) -> None:
    """Print whose turn is next: the first who is due behind the last one, and whom the condition lets."""
    slot, lines = base.layout.loop(leave.loop), base.lines
    name = base.printer.local(leave.binder.local)
    lines.add(f"items, due, place = v[{slot}], v[{slot + 1}], v[{slot + 2}]", span)
    lines.add("while due:")
    lines.depth += 1
    lines.add("place = (place + 1) % len(items)")
    lines.add("if not due >> place & 1: continue")
    lines.add("due &= ~(1 << place)")
    lines.add(f"{name} = items[place]")
    if leave.binder.where is not None:
        lines.add(f"if {base.printer.whole_untrue(leave.binder.where)}: continue", leave.binder.where.span)
    lines.add(f"v[{slot + 1}] = due")
    lines.add(f"v[{slot + 2}] = place")
    base.go(leave.body)
    lines.depth -= 1
    lines.add(f"v[{slot}] = ()")
    lines.add(f"v[{slot + 1}] = 0")
    base.go(leave.done)


def print_first(base: StatementPrinter, leave: NextInLoop | NextTurn, span: Span) -> None:
    """Print how to stand in the first round of a loop, for a play that begins in its middle."""
    slot, add = base.layout.loop(leave.loop), base.lines.add
    local = leave.local if isinstance(leave, NextInLoop) else leave.binder.local
    add(f"{base.printer.local(local)} = v[{slot}][0] if v[{slot}] else None", span)
    if isinstance(leave, NextInLoop):
        add(f"v[{slot + 1}] = 1")
    else:
        add(f"v[{slot + 1}] &= ~1")
        add(f"v[{slot + 2}] = 0")


def print_turn_of(base: StatementPrinter, leave: NextTurn, player: str) -> None:
    """Print how it is the turn of a player who is named, for a play that begins in the middle of turns."""
    slot, name, add = base.layout.loop(leave.loop), base.printer.local(leave.binder.local), base.lines.add
    add(f"if {player} in v[{slot}]:")
    add(f"    {name} = {player}")
    add(f"    v[{slot + 2}] = v[{slot}].index({player})")
    add(f"    v[{slot + 1}] = ((1 << len(v[{slot}])) - 1) & ~(1 << v[{slot + 2}])")


def print_dispatch(base: StatementPrinter, leave: Dispatch, span: Span) -> None:
    """Print how the decision that a player has kept takes effect."""
    printer, lines = base.printer, base.lines
    player = printer.local(leave.player)
    place = f"v[{base.layout.commits[leave.store]} + {player}]"
    lines.add(f"kept = {place}", span)
    lines.add(f"{place} = None")
    for number, (action, body) in enumerate(leave.ways):
        lines.add(f"if kept[0] == {number}:")
        lines.depth += 1
        for position, arg in enumerate(action.args, 1):
            printer.seen.setdefault(arg.local, set()).add("commit")
            lines.add(f"{printer.local(arg.local)} = kept[{position}]")
        if base.logged and not leave.secretly:
            lines.add(f"st.revealed({player}, {base.told(action)})", action.span)
        base.go(body)
        lines.depth -= 1
    lines.add("raise_lost()")
