"""What the names of a spec stand for, as far as words need it: of which sort a value is, what a name declares.

A *sort* is a word: `player`, `players`, `card`, `cards`, `number`, `boolean`, the name of an enumeration, `values`
(a list of something else) or `thing`, where nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar.statements import LetVariable
from interpreter.analysis.rules import Rules
from interpreter.analysis.types import Bool, Card, Cards, EnumType, Int, Player, Sequence, Type, base_of
from interpreter.rulebook.words import Phrase

_NUMBERS = ("count", "sum", "distance")
_TRUTHS = ("same", "different", "face_down")
_PLAYERS = ("next", "previous", "left", "right", "across", "player_of", "holder")


@attrs.frozen
class Scope:
    """The local names in force: how each is called, and its sort; `each` is what that word stands for.

    `actor` is who chooses, inside the description of a choice.
    """

    phrases: Mapping[str, Phrase] = attrs.field(factory=dict)
    sorts: Mapping[str, str] = attrs.field(factory=dict)
    each: Phrase | None = None
    actor: ex.Expr | None = None

    def named(self, name: str, phrase: Phrase, sort: str) -> Scope:
        """Return the scope with one more name."""
        return attrs.evolve(self, phrases={**self.phrases, name: phrase}, sorts={**self.sorts, name: sort})

    def uses(self, text: str) -> bool:
        """Whether something is called by a text already."""
        return any(phrase.text == text for phrase in self.phrases.values())


class Lexicon:
    """The declarations of a spec by name, and the sorts of its expressions."""

    def __init__(self, spec: ast.Spec, rules: Rules) -> None:
        self.spec = spec
        self.rules = rules
        self.options: dict[str, ast.OptionDecl] = {}
        self.enums: dict[str, ast.EnumDecl] = {}
        self.values: dict[str, list[ast.EnumDecl]] = {}
        self.kinds: dict[str, ast.CardDecl] = {}
        self.zones: dict[str, ast.ZoneDecl] = {}
        self.variables: dict[str, ast.VarDecl | LetVariable] = {}
        self.defines: dict[str, ast.DefineDecl] = {}
        self.phases: dict[str, ast.PhaseDecl] = {}
        for item in spec.items:
            self._enter(item)
        self.weights = {d.name: d.weight for d in rules.defines}
        self.results = {d.name: sort_of_type(d.result) for d in rules.defines if d.result is not None}

    def _enter(self, item: ast.Item) -> None:
        match item:
            case ast.OptionDecl():
                self.options[item.name] = item
            case ast.EnumDecl():
                self.enums[item.name] = item
                for value in item.values:
                    self.values.setdefault(value.name, []).append(item)
            case ast.CardDecl():
                self.kinds[item.name] = item
            case ast.ZonesDecl():
                self.zones.update({f.name: zone for zone in item.zones for f in zone.families})
            case ast.StateDecl():
                self.variables.update({f.name: var for var in item.variables for f in var.families})
            case ast.PhaseDecl():
                self.phases[item.name] = item
                self.variables.update({f.name: var for var in item.block.state for f in var.families})
            case ast.DefineDecl():
                self.defines[item.name] = item
            case _:
                pass

    def families(self) -> Iterator[tuple[ast.Family, ast.ZoneDecl]]:
        """Give every family of zones with its declaration."""
        for zone in dict.fromkeys(self.zones.values()):
            yield from ((family, zone) for family in zone.families)

    def sort_of_declared(self, type_: ex.TypeExpr) -> str:
        """Return the sort of a type as a spec writes it."""
        match type_:
            case ex.OptionalType():
                return self.sort_of_declared(type_.base)
            case ex.RangeType():
                return "number"
            case _:
                if type_.name in self.kinds:
                    return "card"
                return "number" if type_.name == "integer" else type_.name

    def sort(self, expr: ex.Expr, scope: Scope) -> str:
        """Return the sort of an expression."""
        match expr:
            case ex.Name(name=name):
                return scope.sorts.get(name) or self._sort_of_name(name)
            case ex.Seat() | ex.SeatByOption():
                return "player"
            case ex.Each():
                return "card"
            case ex.Number() | ex.Arithmetic() | ex.Divide() | ex.Negative():
                return self._sort_of_sum(expr, scope)
            case ex.Index(base=ex.Name(name=name)):
                return self._sort_of_name(name)
            case ex.Attribute():
                return self._sort_of_attribute(expr, scope)
            case ex.Call():
                return self._sort_of_call(expr, scope)
            case ex.Fold() | ex.Over():
                return "boolean" if expr.function in _TRUTHS else "number"
            case ex.Pick() | ex.Extreme() | ex.All():
                inner = self.item_sort(expr.selection, scope)
                several = isinstance(expr, ex.All) or getattr(expr, "ties", False) or getattr(expr, "count", None)
                return several_of(inner) if several else inner
            case ex.EndOf():
                return "card"
            case ex.The(value=value):
                return self.sort(value, scope)
            case ex.RangeValue():
                return "values"
            case ex.Chain():
                sorts = [self.sort(link.value, scope) for link in expr.alternatives]
                return next((s for s in sorts if s != "thing"), "thing")
            case ex.Bool() | ex.Compare() | ex.Is() | ex.Not() | ex.Logic() | ex.Quantified() | ex.Every():
                return "boolean"
            case _:
                return "thing"

    def _sort_of_name(self, name: str) -> str:
        if name == "players":
            return "players"
        if name in self.zones:
            return "cards"
        if name in self.variables:
            return self.sort_of_declared(self.variables[name].type)
        if name in self.defines:
            return self.results.get(name, "thing")
        if name in self.options:
            option = self.options[name]
            return "thing" if option.type is None else self.sort_of_declared(option.type)
        if name in self.values:
            return self.values[name][0].name
        return "values" if name in self.enums else "thing"

    def _sort_of_sum(self, expr: ex.Expr, scope: Scope) -> str:
        if isinstance(expr, ex.Arithmetic) and expr.op in "+-":
            left = self.sort(expr.left, scope)
            return "cards" if left in ("card", "cards") else "number"
        return "number"

    def _sort_of_attribute(self, expr: ex.Attribute, scope: Scope) -> str:
        base = self.sort(expr.base, scope)
        kinds = [k.params for k in self.kinds.values()] if base == "card" else []
        columns = [self.enums[base].params] if base in self.enums else kinds
        found = (p for params in columns for p in params if p.name == expr.name)
        return next((self.sort_of_declared(p.type) for p in found), "thing")

    def _sort_of_call(self, expr: ex.Call, scope: Scope) -> str:
        if expr.name in self.defines:
            return self.results.get(expr.name, "thing")
        if expr.name in ("min", "max"):
            return self.sort(expr.args[0], scope) if expr.args else "number"
        if expr.name in _PLAYERS:
            sort = self.sort(expr.args[0], scope) if expr.name in ("next", "previous") and expr.args else "player"
            return sort if sort in self.enums else "player"
        if expr.name in _TRUTHS:
            return "boolean"
        return "number" if expr.name in _NUMBERS else "thing"

    def item_sort(self, selection: ex.Selection, scope: Scope) -> str:
        """Return the sort of what a selection goes through."""
        return self.sort_inside(selection.domain, scope)

    def sort_inside(self, domain: ex.Expr, scope: Scope) -> str:
        """Return the sort of the things in a domain."""
        match domain:
            case ex.Name(name=name) if name in self.enums:
                return name
            case ex.RangeValue(low=low):
                return self.sort(low, scope)
            case ex.Call(name="subsets"):
                return "cards"
            case _:
                return {"cards": "card", "players": "player"}.get(self.sort(domain, scope), "thing")


def several_of(sort: str) -> str:
    """Return the sort of several things of a sort."""
    return {"card": "cards", "player": "players"}.get(sort, "values")


def sort_of_type(type_: Type) -> str:
    """Return the sort of a type of the checker."""
    match base_of(type_):
        case Player():
            return "player"
        case Card():
            return "card"
        case Cards():
            return "cards"
        case Bool():
            return "boolean"
        case Int():
            return "number"
        case EnumType() as enum:
            return enum.name
        case Sequence(item=Player()):
            return "players"
        case _:
            return "values"
