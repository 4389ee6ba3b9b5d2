"""The meaning of the names of a spec, as far as words need it: the sort of a value, the declaration of a name.

A *sort* is the word for a type of the checker: `player`, `players`, `card`, `cards`, `number`, `boolean`, the name of
an enumeration, `values` (a list of something else) or `thing`, where nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import walk
from grammar.source import Span
from interpreter.analysis import types
from interpreter.analysis.info import Info
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Zone
from interpreter.english.phrases import YOU, Phrase
from interpreter.english.words import words
from interpreter.rulebook.page import verbatim
from interpreter.rulebook.trees import base_name, carried_out, mentions


@attrs.frozen
class Scope:
    """The local names in force, and the phrase for each.

    `actor` is the player whom the text addresses as "you", `who` the phrase for that player.  `facts` are
    conditions that hold here.
    """

    phrases: Mapping[str, Phrase] = attrs.field(factory=dict)
    actor: ex.Expr | None = None
    facts: tuple[ex.Expr, ...] = ()
    who: str = ""

    def named(self, name: str, phrase: Phrase) -> Scope:
        """Return the scope with one more name, which hides a player who is addressed by the same."""
        hidden = isinstance(self.actor, ex.Name) and self.actor.name == name
        return attrs.evolve(self, phrases={**self.phrases, name: phrase}, actor=None if hidden else self.actor)

    def addressing(self, actor: ex.Expr, who: str) -> Scope:
        """Return the scope in which a player is addressed; who was addressed before becomes "that player"."""
        chapter = self.who == ADDRESSED
        before = Phrase("player", "the" if chapter else "that", after="for whom this is done" * chapter, human=True)
        phrases = {name: before if phrase.is_second_person else phrase for name, phrase in self.phrases.items()}
        if isinstance(actor, ex.Name) and actor.name in phrases:
            phrases[actor.name] = YOU
        return attrs.evolve(self, phrases=phrases, actor=actor, who=who)

    def uses(self, text: str) -> bool:
        """Whether something has a text as its phrase already."""
        return any(phrase.text == text for phrase in self.phrases.values())


POSITION = "position"
"""The sort of a number that only says which of several places of one card is meant, where it gets its name."""

TEAM = "team"
"""The sort of teams, which a section `teams` declares in the place of an `enum`."""

ADDRESSED = "“you”"
"""The one player for whom a chapter is carried out."""


class Lexicon:
    """The declarations of a spec by name, and the sorts of its expressions.

    `nodes` are all nodes of the spec; `info` has their meaning, and nodes that are made for the book are added to it.
    `two` is set if the game has exactly two players; `uses` counts how often each name is used; `one_kind` says that
    all cards are of one kind, `has_copies` that several have the same face; `lying_both_ways` are the places of which
    all players see the cards, except where a rule lays them face down; `counted` those of which rules add up what the
    cards show; `noted` are the variables of phases; `abouts`
    are the author's own words, by the sort and name of what they describe.
    """

    def __init__(self, spec: ast.Spec, rules: Rules, info: Info, players: int | None = None) -> None:
        self.spec = spec
        self.nodes = tuple(walk(spec.items))
        self.rules = rules
        self.info = info
        self.options: dict[str, ast.OptionDecl] = {}
        self.enums: dict[str, ast.EnumDecl] = {}
        self.kinds: dict[str, ast.CardDecl] = {}
        self.defines: dict[str, ast.DefineDecl] = {}
        self.phases: dict[str, ast.PhaseDecl] = {}
        self.abouts: dict[tuple[str, str], str] = {}
        self.teams: ast.TeamsDecl | None = None
        for item in spec.items:
            match item:
                case ast.AboutDecl(sort="action", name=name, phase=phase):
                    self.abouts["action", f"{phase} {name}"] = item.text
                case ast.AboutDecl(sort=sort, name=name):
                    self.abouts[sort, name or ""] = item.text
                case ast.OptionDecl():
                    self.options[item.name] = item
                case ast.EnumDecl():
                    self.enums[item.name] = item
                case ast.TeamsDecl(teams=teams):
                    self.teams = item
                    values = tuple(ast.EnumValue(team.name, team.text, span=team.span) for team in teams)
                    self.enums[TEAM] = ast.EnumDecl(TEAM, values, span=item.span)
                case ast.CardDecl():
                    self.kinds[item.name] = item
                case ast.PhaseDecl():
                    self.phases[item.name] = item
                case ast.DefineDecl():
                    self.defines[item.name] = item
                case _:  # No other has a name, or it is a zone or a variable, of which the rules know all.
                    pass
        self.phase_of = {
            node.span: phase.name
            for phase in self.phases.values()
            for node in walk(phase)
            if isinstance(node, st.Action)
        }
        self.zones = {zone.name: zone for zone in rules.zones}
        self.variables = {variable.name: variable for variable in rules.variables}
        self.lying_both_ways = {z.name for z in rules.zones if z.seen_by == "all" and self.is_laid(z.name, "down")}
        self.weights = {d.name: d.weight for d in rules.defines}
        self.two = rules.player_range == (2, 2) or players == 2
        self.uses = Counter(n.name for n in self.nodes if isinstance(n, ex.Name | ex.Call))
        self.counted = self._counted()
        self.has_copies = any(face.copies > 1 for face in rules.faces)
        self.one_kind = len({face.kind for face in rules.faces}) == 1
        self.noted = {
            family.name: var
            for phase in self.phases.values() for var in phase.block.state for family in var.families
        }  # fmt: skip
        self.terms = {words(name) for name in (*self.defines, *self.zones, *self.variables, *self.enums, *self.kinds)}
        self.with_positions: set[str] = set()
        self.positions = self._positions()
        self.results = {d.name: sort_of_type(d.result) for d in rules.defines if d.result is not None}

    def _counted(self) -> set[str]:
        """Return the zones of which rules read what the cards show."""
        found = set()
        for node in self.nodes:
            match node:
                case ex.Fold(selection=selection):
                    found.add(base_name(selection.domain))
                case ex.Over(selection=selection) if selection.where is not None:
                    found.add(base_name(selection.domain))
        return found

    def carried_out(self, part: object) -> Iterator[str]:
        """Give the phases that a part of the rules carries out, each once, in the order of play."""
        return carried_out(part, self.phases)

    def within(self, part: object) -> Iterator[ex.Node]:
        """Give the nodes of a part of the rules and of the phases that it carries out."""
        yield from walk(part)
        for name in self.carried_out(part):
            yield from walk(self.phases[name])

    def leaves_a_choice(self, part: object) -> bool:
        """Whether a player decides in a part of the rules, or in the phases that it carries out."""
        return any(isinstance(node, st.Choice) for node in self.within(part))

    def _positions(self) -> set[Span]:
        """Return where names are given to numbers that only say which of several places of one card is meant."""
        found: set[Span] = set()
        given: set[tuple[str, int]] = set()  # What a definition or phase is given as a position.
        before = -1
        while len(given) > before:
            before = len(given)
            for item in self.spec.items:
                nodes = list(walk(item))
                used = {i.name for n in nodes for i in self._used_as_positions(n, given) if isinstance(i, ex.Name)}
                used -= {i.name for n in nodes for i in self._used_as_numbers(n) if isinstance(i, ex.Name)}
                self.with_positions |= {
                    base_name(n)
                    for n in nodes
                    if isinstance(n, ex.Index) and used & {i.name for i in n.indices if isinstance(i, ex.Name)}
                }
                binders = (n for n in nodes if isinstance(n, ex.Selection | ex.ValueArg | ex.Param) and n.name in used)
                found |= {n.span for n in binders if sort_of_type(self.info.type(n)) == "number"}
                if isinstance(item, ast.PhaseDecl | ast.DefineDecl):
                    given |= {(item.name, n) for n, param in enumerate(item.params) if param.span in found}
        return found

    def _used_as_numbers(self, node: ex.Node) -> tuple[ex.Expr, ...]:
        """Return the indices of places of several cards."""
        zone = self.info.symbol(node.base) if isinstance(node, ex.Index) else None
        return node.indices if isinstance(node, ex.Index) and isinstance(zone, Zone) and zone.kind != "slot" else ()

    def _used_as_positions(self, node: ex.Node, given: set[tuple[str, int]]) -> tuple[ex.Expr, ...]:
        match node:
            case ex.Index(indices=indices) if isinstance(zone := self.info.symbol(node.base), Zone) and (
                zone.kind == "slot"
            ):
                return indices
            case ex.CardAt(at=ex.Node() as at):
                return (at,)
            case ex.Call(name=name, args=args):
                return tuple(arg for n, arg in enumerate(args) if (name, n) in given)
        return ()

    def value(self, sort: str, name: str) -> str:
        """Return what a value of an enumeration is called in a text: a team by its own words."""
        texts = {v.name: v.text for v in self.enums[sort].values} if sort == TEAM else {}
        return verbatim(texts.get(name) or words(name)) if sort == TEAM else words(name)

    def is_laid(self, name: str, face: str) -> bool:
        """Whether a rule of this setting lays cards in a zone with a face, or turns them so."""
        for node in self.nodes:
            match node:
                case st.Move(target=target, face=face_) | st.Deal(target=target, face=face_) if face_ == face:
                    if base_name(target.zone if isinstance(target, ex.CardAt) else target) == name:
                        return True
                case st.Turn(cards=cards, face=face_) if face_ == face and mentions(cards, name):
                    return True
        return False

    def place_given(self, define: ast.DefineDecl, number: int) -> Zone | None:
        """Return the zone of which every use of a definition gives it the cards as one argument; None for several."""
        found: set[Zone | None] = set()
        for item in self.spec.items:
            for node in walk(item):
                if isinstance(node, ex.Call) and node.name == define.name and number < len(node.args):
                    arg = node.args[number]
                    place = self.info.symbol(arg.base if isinstance(arg, ex.Index) else arg)
                    if isinstance(item, ast.DefineDecl) and item is not define and isinstance(arg, ex.Name):
                        own = [p.name for p in item.params]
                        place = self.place_given(item, own.index(arg.name)) if arg.name in own else place
                    found.add(place if isinstance(place, Zone) else None)
        return found.pop() if len(found) == 1 else None

    def sort(self, node: ex.Node) -> str:
        """Return the sort of an expression, or of what a selection, an argument or a parameter gives a name to."""
        sort = sort_of_type(self.info.type(node))
        binds = sort == "number" and isinstance(node, ex.Selection | ex.ValueArg | ex.Param)
        return POSITION if binds and node.span in self.positions else sort


def sort_of_type(type_: types.Type) -> str:
    """Return the sort of a type of the checker."""
    match types.base_of(type_):
        case types.Player():
            return "player"
        case types.Card():
            return "card"
        case types.Cards():
            return "cards"
        case types.Bool():
            return "boolean"
        case types.Int():
            return "number"
        case types.EnumType() as enum:
            return "thing" if enum.is_of_option else enum.name
        case types.Sequence(item=types.Player()):
            return "players"
        case types.Sequence():
            return "values"
        case types.Tuple() | types.Nothing() | types.Unknown() | types.Optional():
            return "thing"
