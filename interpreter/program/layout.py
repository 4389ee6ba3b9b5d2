"""State layout in Python: the slots of variables, return addresses and names; facts about the cards of each zone."""

from __future__ import annotations

import msgspec

from interpreter.analysis import core
from interpreter.analysis.core import Phase
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local, Zone, indices_of, owner_at, viewers_at
from interpreter.analysis.types import Bool, Card, Cards, EnumType, Int, Player, Type, base_of
from interpreter.program.nodes import Program


class Layout(msgspec.Struct, eq=False):
    """Slots of the flat list `v` of a state.

    Variables come first (`Variable.base`), then a return address for each phase (for one that cannot stop, the site of
    its call), a slot for the picks of an unfinished set, then the names that statements give.
    """

    program: Program
    returns: dict[Phase, int] = msgspec.field(default_factory=dict)
    picked: int = 0
    local_slots: dict[Local, int] = msgspec.field(default_factory=dict)
    size: int = 0
    hiding_zones: frozenset[Zone] = frozenset()
    origins: dict[Local, core.Expr] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, program: Program) -> Layout:
        """Lay out a program."""
        base = sum(v.places for v in program.variables)
        layout = cls(program)
        for phase in (*program.phase_entries, *program.bodies):
            layout.returns[phase] = base
            base += 1
        layout.picked = base
        base += 1
        for local in sorted(_locals_of_statements(program), key=lambda local: local.number):
            layout.local_slots[local] = base
            base += 1
        layout.size = base
        layout.hiding_zones = _hiding(program)
        layout.origins = _origins(program)
        return layout

    def origin_of(self, cards: core.Expr) -> core.ZoneRef | None:
        """Return the zone that cards were chosen or selected from, None where their form does not say it."""
        match cards:
            case core.ZoneRef():
                return cards
            case core.LocalRef() if cards.local in self.origins:
                return self.origin_of(self.origins[cards.local])
            case core.Select() | core.Extreme() | core.Sorted():
                return self.origin_of(cards.binder.domain)
            case core.CardAt():
                return self.origin_of(cards.zone)
        return None

    def may_be_unknown(self, zone: Zone) -> bool:
        """Say whether cards of a zone can be undetermined: nobody has seen them since they were shuffled."""
        return zone in self.hiding_zones


def _locals_of_statements(program: Program) -> set[Local]:
    """Return the names that statements give: of `let`, loops, turns, arguments and parameters."""
    params = {param for phase in program.rules.phases for param in phase.params}
    lets = {step.local for step in program.steps() if isinstance(step, core.Let)}
    return params | lets | {local for stmt in program.rules.statements() for local, _ in core.names_given(stmt)}


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
    them: to name a card, choose it or select it is to read it.
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


# ---- where more can be known of a card than that it lies there


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


class TrackedZones(msgspec.Struct, frozen=True):
    """The zones in which more can be known of a card than where it lies: its other face, or who played it."""

    turned: frozenset[Zone]
    played: frozenset[Zone]

    @classmethod
    def of(cls, program: Program) -> TrackedZones:
        """Find the zones of a program."""
        moves = [s for s in program.rules.statements() if isinstance(s, core.Move)]
        return cls(turned_zones(program), frozenset(m.target.zone for m in moves if m.played_by is not None))


def hands_of(rules: Rules) -> list[tuple[int, int]]:
    """Return the places that are hands, each with its owner, among the places of all zones in their order.

    A *hand* is a place that belongs to a player and that only its owner sees; in a game that has none, one that belongs
    to a player who sees it.
    """
    places = [(owner_at(zone, index), viewers_at(zone, index, rules.num_players))
              for zone in rules.zones for index in indices_of(zone)]  # fmt: skip
    owned = [(at, owner, viewers) for at, (owner, viewers) in enumerate(places) if owner is not None]
    private = [(at, owner) for at, owner, viewers in owned if viewers == 1 << owner]
    return private or [(at, owner) for at, owner, viewers in owned if viewers >> owner & 1]
