"""The front end of a game: its spec, its rules and its program; and the data derived from them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import attrs

from grammar.ast import Spec
from interpreter.analysis import joint_arguments
from interpreter.analysis.core import Action, AtOnce, Choice, Const, Expr, Show, Variable, ZoneRef, walk
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Zone, indices_of, owner_at, viewers_at
from interpreter.analysis.types import Int, base_of
from interpreter.engine.game_data import (
    ActionData,
    ArgumentData,
    DecisionData,
    GameData,
    Place,
    Slot,
    Spans,
    StageData,
)
from interpreter.engine.outcome import Team
from interpreter.program.lower import lower
from interpreter.program.nodes import Alternative, Chance, Decision, Program, Stage


@attrs.frozen(eq=False)
class Compilation:
    """The steps from a spec to a game."""

    spec: Spec
    rules: Rules
    program: Program

    @classmethod
    def of(cls, rules: Rules, spec: Spec) -> Compilation:
        """Lower rules that were found sound."""
        return cls(spec, rules, lower(rules))

    def places(self) -> Iterator[tuple[Zone, tuple[int, ...]]]:
        """Give the places for cards by number: the zone of each, and its indices."""
        return ((zone, index) for zone in self.rules.zones for index in indices_of(zone))

    def variables(self) -> Iterator[tuple[Variable, tuple[int, ...]]]:
        """Give the values of variables by number: the variable of each, and its indices."""
        return ((var, index) for var in self.rules.variables for index in indices_of(var))

    def data(self) -> GameData:
        """Draw up what the game needs to run."""
        rules, program = self.rules, self.program
        count = rules.num_players
        choices: dict[int, int] = {}
        places = tuple(
            Place(z.name, z.indices, index, z.kind, z.capacity, viewers_at(z, index, count), owner_at(z, index))
            for z, index in self.places()
        )
        slots = tuple(
            Slot(
                v.name,
                v.indices,
                index,
                v.type,
                viewers_at(v, index, count),
                v.phase,
                _constant(v.initial),
                None if v.home is None else (v.home.name, len(v.home.indices), v.of_card),
            )
            for v, index in self.variables()
        )
        return GameData(
            title=rules.title,
            cooperative=rules.cooperative,
            max_decisions=rules.max_decisions,
            longest_decision=_longest_decision(program, len(rules.card_faces)),
            setting=rules.setting,
            faces=rules.faces,
            card_faces=rules.card_faces,
            attributes={k.name: tuple((a.name, a.type) for a in k.attributes) for k in rules.kinds.values()},
            homes=rules.homes,
            places=places,
            slots=slots,
            shapes=program.shapes,
            num_actions=program.num_actions,
            entry=program.entry,
            final=program.final,
            sites=Spans.of(program.sites.spans),
            node_sites=tuple(program.sites.number(node.span) for node in program.nodes),
            chance={n.number: n.random.arg.local.type for n in program.nodes if isinstance(n, Chance)},
            decisions={
                n.number: _decision(n, choices.setdefault(id(n.choice), n.number))
                for n in program.nodes
                if isinstance(n, Decision)
            },
            utility=_utility(rules),
            utility_range=_utility_range(rules),
            standing=rules.standing,
            teams=_teams(rules),
            perfect_information=_perfect_information(rules, {p.viewers for p in places} | {s.viewers for s in slots}),
        )


def _teams(rules: Rules) -> tuple[Team, ...]:
    """Return the teams; none where each player is one."""
    if rules.teams is None or all(len(members) == 1 for members in rules.teams.members):
        return ()
    return tuple(Team(*team) for team in zip(rules.teams.texts, rules.teams.members, strict=True))


def _longest_decision(program: Program, cards: int) -> int:
    """Return a bound on the small actions of one decision."""
    longest = 1
    for node in program.nodes:
        if isinstance(node, Decision):
            longest = max([longest, *(sum(_picks(stage, cards) for stage in way.stages) for way in node.open_ways)])
    return longest


def _picks(stage: Stage, cards: int) -> int:
    """Return a bound on the small actions of a stage: one for each card of a set, and one that ends the set."""
    if not stage.is_set:
        return 1
    high = stage.args[0].high
    kind = None if high is None else base_of(high.type)
    most = kind.high if isinstance(kind, Int) else None
    return cards + 1 if most is None else max(1, min(most, cards + 1))


def _decision(node: Decision, choice: int) -> DecisionData:
    actions = tuple(_action(way, is_otherwise=way is node.otherwise) for way in node.open_ways)
    return DecisionData(node.number, choice, node.hidden, node.phase, actions, node.only is not None, node.stage)


def _action(way: Alternative, *, is_otherwise: bool) -> ActionData:
    firsts = accumulate((len(stage.args) for stage in way.stages), initial=0)
    stages = tuple(
        StageData(first, len(s.args), s.is_set, s.node, s.base, s.dims)
        for s, first in zip(way.stages, firsts, strict=False)
    )
    args = tuple(_argument(way.action, place) for place in range(len(way.action.args)))
    return ActionData(way.action.verb, args, stages, is_otherwise)


def _argument(action: Action, place: int) -> ArgumentData:
    arg = action.args[place]
    zones = {part.zone.name: None for part in walk(arg.domain) if isinstance(part, ZoneRef)}
    return ArgumentData(
        name=arg.local.name,
        form=arg.form,
        type=arg.local.type,
        low=_constant(arg.low),
        high=_constant(arg.high),
        is_bounded=arg.low is not None or arg.high is not None,
        zones=tuple(zones),
        constrains=joint_arguments.read_later(action, place),
        is_read=joint_arguments.weighed_later(action, place),
    )


def _constant(value: Expr | None) -> int | None:
    """Return the value of an expression that is a constant number or truth value, else None."""
    return value.value if isinstance(value, Const) and isinstance(value.value, int) else None


def _utility(rules: Rules) -> str:
    if rules.cooperative:
        return "identical"
    alone = rules.num_players == 1
    return "general" if alone or any(line.what == "returns" for line in rules.results) else "zero-sum"


def _utility_range(rules: Rules) -> tuple[float, float]:
    bounds: dict[str, tuple[float, float]] = {}
    for line in rules.results:
        if isinstance(line.value.type, Int):
            low, high = line.value.type.low, line.value.type.high
            bounds[line.what] = (float("-inf") if low is None else low, float("inf") if high is None else high)
    if "stakes" in bounds:
        most = bounds["stakes"][1]
        return (-most, (rules.num_players - 1) * most)
    if "returns" in bounds:
        return bounds["returns"]
    if "score" in bounds and rules.cooperative:
        return bounds["score"]
    return (-1.0, 1.0)


def _perfect_information(rules: Rules, viewers: set[int]) -> bool:
    """Whether no player ever learns what another does not."""
    return viewers <= {0, (1 << rules.num_players) - 1} and not any(
        isinstance(s, AtOnce) or (isinstance(s, Choice) and s.secretly) or (isinstance(s, Show) and s.to)
        for s in rules.statements()
    )
