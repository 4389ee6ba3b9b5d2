"""Mark analysis: where more can be known of a card than that it lies there, which way up it is and who played it.

Elsewhere a card can be moved without a word about it, which is quicker.
"""

from __future__ import annotations

import attrs

from interpreter.analysis import core
from interpreter.analysis.symbols import Zone
from interpreter.analysis.types import Bool, EnumType, Int, Player, Type, base_of
from interpreter.program.nodes import Program


def turned_zones(program: Program) -> frozenset[Zone]:
    """Return the zones in which a card may have been turned, or laid with its other face."""
    found: set[Zone] = set()
    for stmt in program.rules.statements():
        found.update(moved.target.zone for moved in core.transfers(stmt) if moved.face is not None)
        if isinstance(stmt, core.Turn):
            parts = list(core.walk_with_definitions(stmt.cards))
            bound = {p for part in parts if isinstance(part, core.CallDefine) for p in part.define.params}
            bound |= {binder.local for part in parts if (binder := getattr(part, "binder", None)) is not None}
            if any(isinstance(p, core.LocalRef) and p.local not in bound and _may_be_cards(p.type) for p in parts):
                return frozenset(program.rules.zones)  # Cards with a name may lie anywhere.
            found.update(part.zone for part in parts if isinstance(part, core.ZoneRef))
    return frozenset(found)


def _may_be_cards(type_: Type) -> bool:
    """Whether what has a type can be a card, or cards."""
    return not isinstance(base_of(type_), Player | Int | Bool | EnumType)


@attrs.frozen
class TrackedZones:
    """The zones in which more can be known of a card than where it lies: its other face, or who played it."""

    turned: frozenset[Zone]
    played: frozenset[Zone]

    @classmethod
    def of(cls, program: Program) -> TrackedZones:
        """Find the zones of a program."""
        moves = [s for s in program.rules.statements() if isinstance(s, core.Move)]
        return cls(turned_zones(program), frozenset(m.target.zone for m in moves if m.played_by is not None))
