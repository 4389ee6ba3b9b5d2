"""State layout: where variables, return addresses, loops and names lie, and escape analysis of unseen cards."""

from __future__ import annotations

import attrs

from interpreter.analysis import core
from interpreter.analysis.core import Phase
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import Card, Cards, base_of
from interpreter.program.nodes import Program


@attrs.define(eq=False)
class Layout:
    """Slots of the flat list `v` of a state.

    Variables come first (`Variable.base`), those of blocks behind the others, then a return address for each
    phase that can stop, three slots for each loop, one for each player of each decision `at once`, one for the
    picks of an unfinished set, then the local names that several functions share.
    """

    program: Program
    returns: dict[Phase, int] = attrs.field(factory=dict)
    first_loop: int = 0
    commits: tuple[int, ...] = ()
    picked: int = 0
    local_slots: dict[Local, int] = attrs.field(factory=dict)
    size: int = 0
    hiding_zones: frozenset[Zone] = frozenset()
    origins: dict[Local, core.Expr] = attrs.field(factory=dict)

    @classmethod
    def of(cls, program: Program) -> Layout:
        """Lay out a program, with no local name in a slot yet."""
        rules = program.rules
        base = sum(v.places for v in (*rules.variables, *rules.local_variables))
        layout = cls(program)
        for phase in program.phase_entries:
            layout.returns[phase] = base
            base += 1
        layout.first_loop = base
        base += 3 * program.num_loops
        players = program.rules.num_players
        layout.commits = tuple(base + players * number for number in range(program.num_commits))
        base += players * program.num_commits
        layout.picked = base
        layout.size = base + 1
        layout.hiding_zones = _hiding(program)
        layout.origins = _origins(program)
        return layout

    def loop(self, number: int) -> int:
        """Return the first of the three slots of a loop."""
        return self.first_loop + 3 * number

    def give_slots(self, locals_: list[Local]) -> None:
        """Keep these local names in the state."""
        for local in locals_:
            self.local_slots[local] = self.size
            self.size += 1

    @property
    def anything_unknown(self) -> bool:
        """Whether cards can be undetermined at all."""
        return True

    def may_be_unknown(self, zone: Zone) -> bool:
        """Say whether cards of a zone can be undetermined: nobody has seen them since they were shuffled."""
        return zone in self.hiding_zones


class KnownLayout(Layout):
    """The layout of a state in which every card is known."""

    @property
    def anything_unknown(self) -> bool:
        """Whether cards can be undetermined: none is."""
        return False

    def may_be_unknown(self, zone: Zone) -> bool:
        """Say that no card is undetermined."""
        del zone
        return False


def _origins(program: Program) -> dict[Local, core.Expr]:
    """Return what each card or group with a name was selected from, as far as its choice, `let` or loop says it."""
    found: dict[Local, core.Expr] = {}
    for stmt in program.rules.statements():
        if isinstance(stmt, core.Random):
            continue  # A card that chance has drawn is known.
        for local, (origin, *_) in core.names_given(stmt):
            if isinstance(base_of(local.type), Card | Cards):
                found[local] = origin
    return found


def _hiding(program: Program) -> frozenset[Zone]:
    """Return the zones that can hold undetermined cards.

    These come from shuffles alone, and go on only with whole places, or the tops of piles, to where nobody learns
    them: whoever names a card, chooses it or selects it has read it.
    """
    found: set[Zone] = set()
    ways: list[tuple[Zone, Zone]] = []
    for stmt in program.rules.statements():
        if isinstance(stmt, core.Shuffle):
            found.add(stmt.zone.zone)
        for moved in core.transfers(stmt):
            unseen = moved.face == "down" or moved.target.zone.seen_by == "nobody"
            if unseen and isinstance(moved.cards, core.ZoneRef):
                ways.append((moved.cards.zone, moved.target.zone))
    while more := {target for origin, target in ways if origin in found} - found:
        found |= more
    return frozenset(found)
