"""The syntax tree of a spec: its sections and declarations, before names and types are checked.

Every node is frozen, compares by what it says (its span does not count) and holds its children in
tuples.  Names are plain text here; `interpreter.analysis` resolves them.  Each class shows the concrete
syntax that it represents.  Declarations are here, expressions in `grammar.expressions`, statements in
`grammar.statements`.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from grammar.expressions import Condition, Expr, Node, Param, Pattern, Selection, TypeExpr
from grammar.forms import form
from grammar.source import Source, Span
from grammar.statements import Action, Case, Let, Stmt


@form("family", r"{name}[\[{indices*}\]]")
class Family(Node):
    """`hand[player, Side]`: a name with the types of its indices."""

    name: str
    indices: tuple[TypeExpr, ...] = ()


class Fact(Node):
    """`players 2..5`, `cooperative`, `at most 2000 decisions`: a word of a game with its values.

    `at most 2000 decisions` is the fact `decisions` with the value 2000; a range is a pair of numbers.
    """

    name: str
    values: tuple[int | str | tuple[int, int], ...] = ()


@form("game", 'game "{name}"[{facts*:LINES}]')
class GameDecl(Node):
    """`game "Chalice and Wand"` and its facts."""

    name: str
    facts: tuple[Fact, ...] = ()


class OptionDecl(Node):
    """`option hands: open | hidden = hidden "who sees the hands"`, `option open_play = count(players) > 3`.

    `choices` holds the words of `a | b`; otherwise `type` is given (a range, or boolean without a type).
    `default` may ask for the number of players and for options before.
    """

    name: str
    default: Expr
    choices: tuple[str, ...] = ()
    type: TypeExpr | None = None
    text: str | None = None


@form("enum_value", '{name}[ "{text}"]')
class EnumValue(Node):
    """`chalice "C"`, or a row `guard 1 5` of a table; `attributes` are Number, String, Name or Bool."""

    name: str
    text: str | None = None
    attributes: tuple[Expr, ...] = ()


@form("enum", "enum {name}: {values*}")
@form("enum_table", "enum {name}({params}){values*:LINES}")
class EnumDecl(Node):
    """`enum Suit: chalice "C", wand "W"`, or `enum Role(strength: 1..8)` with a row a value."""

    name: str
    values: tuple[EnumValue, ...]
    params: tuple[Param, ...] = ()


@form("card", 'card {name}[({params})][ written "{written}"][ named "{named}"]')
class CardDecl(Node):
    """`card Vessel(suit: Suit, value: 1..10) written "{suit}{value}" named "..."`."""

    name: str
    params: tuple[Param, ...] = ()
    written: str | None = None
    named: tuple[str, ...] = ()


@form("deck_line", "{count:START} of[ {each!}] {cards}[ where {where:OPEN}]")
class DeckLine(Node):
    """`3 of each Vessel where each.value > 1` (`each` true), or `1 of Number(spades, 8)`."""

    count: Expr
    cards: Pattern
    each: bool = False
    where: Condition | None = None


@form("deck", r"deck in {zone}[\[{index}\]]{lines*:LINES}")
class DeckDecl(Node):
    """`deck in stock`, `deck in box[player]`, and its lines."""

    zone: str
    lines: tuple[DeckLine, ...]
    index: TypeExpr | None = None


@form("team", '{name}[ "{text}"]: {members*}')
class Team(Node):
    """`north_south "North and South": player 1, player 3`: a team and its players."""

    name: str
    members: tuple[Expr, ...]
    text: str | None = None


@form("teams", "teams[ `only if` {only_if:OPEN}]{teams*:LINES}")
class TeamsDecl(Node):
    """`teams`, the condition under which there are any, and its lines; without them each player is a team."""

    teams: tuple[Team, ...]
    only_if: Condition | None = None


@form("everybody", "all", who="all")
@form("named_viewer", "{who}")
class Viewer(Node):
    """`all`, `nobody`, `owner`, `all but owner`, `team`."""

    who: Literal["all", "nobody", "owner", "all but owner", "team"]


@form("who_if", "if {condition:OPEN} then {then} else {otherwise}")
class ViewerIf(Node):
    """`if hands == open then all else owner`; the condition speaks of options only."""

    condition: Condition
    then: Viewer
    otherwise: Viewer | ViewerIf


ZONE_KINDS = ("pile", "cards", "row", "slot")
ABOUT_ZONE_KINDS = "a zone is a pile, cards, a row or a slot; a variable is declared under `state`"
"""The help for another word in the place of a kind of zone."""


@form("zone", "{families}: {kind}[ at most {at_most:SUM}], `seen by` {seen_by}")
class ZoneDecl(Node):
    """`hand[player, Side]: cards at most 20, seen by owner`; `kind` is any word, checked later."""

    families: tuple[Family, ...]
    kind: str
    seen_by: Viewer | ViewerIf
    at_most: Expr | None = None


@form("zones", "zones{zones*:LINES}")
class ZonesDecl(Node):
    """`zones` and its lines."""

    zones: tuple[ZoneDecl, ...]


@form("variable", "{families}: {type}[ = {initial}][, `seen by` {seen_by}]")
class VarDecl(Node):
    """`score[player], bid[player]: integer = 0, seen by owner`."""

    families: tuple[Family, ...]
    type: TypeExpr
    initial: Expr | None = None
    seen_by: Viewer | ViewerIf | None = None


@form("state", "state{variables*:LINES}")
class StateDecl(Node):
    """`state` and its lines."""

    variables: tuple[VarDecl, ...]


class Block(Node):
    """The inside of a phase: its own state, then its statements."""

    statements: tuple[Stmt, ...]
    state: tuple[VarDecl, ...] = ()


@form("play", "play{block:LINES}")
class PlayDecl(Node):
    """`play` and the statements of a whole game."""

    block: Block


@form("phase", "phase {name}[({params})][ at most {deep:SUM} deep]{block:LINES}")
class PhaseDecl(Node):
    """`phase respond(p: player) at most 4 deep` and its block; `deep` is how often it can run inside itself."""

    name: str
    block: Block
    params: tuple[Param, ...] = ()
    deep: Expr | None = None


@form("value_case", "case {patterns}: {value}")
@form("value_otherwise", "otherwise: {value}", patterns=())
class ValueCase(Node):
    """`case Number: c.rank` inside a define; `otherwise` is a ValueCase without patterns."""

    patterns: tuple[Pattern, ...]
    value: Expr


@form("match_value", "match {subject:SUM}{cases*:LINES}")
class MatchValue(Node):
    """`match c` as the body of a define."""

    subject: Expr
    cases: tuple[ValueCase, ...]


@form("define", "define {name}[({params})][ `->` {type}] = {value}")
class DefineDecl(Node):
    """`define taker -> card = first c in trick where .. else ..`; a chain may stand line by line."""

    name: str
    value: Expr | MatchValue
    params: tuple[Param, ...] = ()
    type: TypeExpr | None = None
    lets: tuple[Let, ...] = ()


@form("result_line", "{what}[ {player}] = {value}")
class ResultLine(Node):
    """`score p = e` (`player` is `p`), `winners = e`, `stakes p = e`, `returns p = e`."""

    what: str
    value: Expr
    player: str | None = None


@form("result", "result{lines*:LINES}")
class ResultDecl(Node):
    """`result` and its lines."""

    lines: tuple[ResultLine, ...]


@form("invariant invariant_block", 'invariant[ "{text}"]: {condition:OPEN}')
class InvariantDecl(Node):
    """`invariant "nothing is lost": c`, true at every decision."""

    condition: Condition
    text: str | None = None


@form("whenever_selections", "whenever {selections*}{body:BODY}")
@form("whenever_condition", "whenever {condition:OPEN}{body:BODY}")
class WheneverDecl(Node):
    """`whenever p in alive, n in 1..8 where C: s`, or `whenever C: s`: done as often as it holds, after every step.

    There are either `selections` or a `condition`.
    """

    body: tuple[Stmt, ...]
    selections: tuple[Selection, ...] = ()
    condition: Condition | None = None


@form("about_game", 'about game "{text}"', sort="game")
@form("about_part", 'about {sort} {name} "{text}"')
@form("about_action", 'about action {name} in phase {phase} "{text}"', sort="action")
class AboutDecl(Node):
    """`about define leadable "A suit is leadable if .."`: words for the rulebook; names and numbers stand in braces.

    `sort` is `game`, `phase`, `define`, `card` or `action`; an action has the `phase` in which it is offered.
    """

    sort: Literal["game", "phase", "define", "card", "action"]
    text: str
    name: str | None = None
    phase: str | None = None


Section = (
    AboutDecl | GameDecl | OptionDecl | EnumDecl | CardDecl | DeckDecl | TeamsDecl | ZonesDecl
    | StateDecl | WheneverDecl | PlayDecl | PhaseDecl | DefineDecl | ResultDecl | InvariantDecl
)  # fmt: skip


@form("use", 'use "{path}"')
class Use(Node):
    """`use "lib/french52.cardgame"`: bring in the names of another file."""

    path: str


@form("extends", 'extends "{path}"')
class Extends(Node):
    """`extends "chalice_and_wand.cardgame"`: be a variant of another spec."""

    path: str


@form("replace", "replace {what:LINES}")
class Replace(Node):
    """`replace phase redraw(p: player)`: put a section in the place of the base's."""

    what: Section


@form("add", "add {what:LINES}")
class Add(Node):
    """`add define partner = ..`: bring in a section that was not there."""

    what: Section


@form("remove", "remove {sort} {name}")
class Remove(Node):
    """`remove phase redraw`."""

    sort: str
    name: str


@form("set_option", "set {name} = {value}")
class SetOption(Node):
    """`set hands = open`: another default for an option."""

    name: str
    value: Expr


# ---- edits: what a variant changes inside of a section of its base


@form("tag_step", r"\[{name}\]", sort="tag")
@form("name_step", "{name}", sort="")
@form("single_step", "{sort}", name="")
@form("otherwise_step", "otherwise", sort="otherwise", name="")
@form("case_step", "case {patterns*}", sort="case", name="")
@form("invariant_step", 'invariant "{name}"', sort="invariant")
@form("action_step", "action {name}", sort="action")
@form("part_step", "{sort} {name}")
class Step(Node):
    """A step of the path to a place: `phase redraw`, `redraw`, `play`, `action lead`, `case Trump(13)`, `[R15]`."""

    sort: str
    name: str
    patterns: tuple[Pattern, ...] = ()


@form("tag", r"\[{rule}\]")
class Tagged(Node):
    """`[R15]`: the line with a rule tag."""

    rule: str


@form("named_action", "action {verb}")
class NamedAction(Node):
    """`action lead`: the action with a verb."""

    verb: str


@form("named_case", "case {patterns}")
@form("named_otherwise", "otherwise")
class NamedCase(Node):
    """`case Trump(13)`: the case with these patterns; `otherwise` has none."""

    patterns: tuple[Pattern, ...] = ()


@form("clause", "{word} {condition:OPEN}")
class Clause(Node):
    """`such that C`, `only if C`, `where C`: a clause of an action or a selection."""

    word: str
    condition: Condition


@form("last_action_part", "otherwise {what}", last=True)
@form("action_part part", "{what}")
class NewPart(Node):
    """A part that has a name: a case (a ValueCase if it is one expression), an action, a line of a deck, a table row.

    `last` marks the action of `otherwise`.
    """

    what: Case | ValueCase | Action | DeckLine | EnumValue
    last: bool = False


class ReplaceOld(Node):
    """`replace OLD with NEW`, `replace every OLD with NEW`; several nodes in `new` are statements."""

    old: Node
    new: tuple[Node, ...]
    every: bool = False


@form("add_part", "add {what:LINES}", adds=True)
@form("replace_part", "replace {what:LINES}")
class PutPart(Node):
    """`replace action lead ..`, `add case Trump(5) ..`, `add only if C`: a part that says itself where it goes."""

    what: NewPart | Clause
    adds: bool = False


@form("add_state", "add {what:LINES}", adds=True)
@form("replace_state", "replace {what:LINES}")
class PutState(Node):
    """`add state`, `replace state` and lines, inside of a phase."""

    what: StateDecl
    adds: bool = False


@form("remove_old", "remove {old}")
class RemoveOld(Node):
    """`remove OLD`."""

    old: Node


class Insert(Node):
    """`before OLD: s`, `after OLD: s`; `new` are statements, or parts (NewPart)."""

    where: Literal["before", "after"]
    old: Node
    new: tuple[Node, ...]


Edit = ReplaceOld | PutPart | PutState | RemoveOld | Insert


class InPlace(Node):
    """`in phase redraw, action discard: replace 1 with 2`: a path to a place of the base, and the edits there."""

    path: tuple[Step, ...]
    edits: tuple[Edit, ...]


Change = Replace | Add | Remove | SetOption | InPlace
Item = Section | Use | Extends | Change


class Removed(msgspec.Struct, frozen=True):
    """A line of a variant that took names out of its base; `span` is that line's."""

    names: tuple[str, ...]
    span: Span


class Library(msgspec.Struct, frozen=True):
    """A file that was brought in; `span` is the line that did so."""

    source: Source
    span: Span


class Placed(msgspec.Struct, frozen=True):
    """Words of an edit, by their span in the variant, and the line of the base that they lead to."""

    span: Span
    place: Span


class Variant(msgspec.Struct, frozen=True, eq=False):
    """How a variant was put together: its base, its own items, and the sections that its `use` lines bring in."""

    base: Spec
    own: Spec
    used: tuple[tuple[Use, tuple[Section, ...]], ...]


class Spec(Node):
    """A whole file: `cardgame 1` and its sections in the order of the text.

    Where it was put together of several files, `removed` and `libraries` say what else may be to blame for a name that
    means nothing, `placed` where the edits of variants go, and `variant` which changes it is made of.
    """

    version: int
    items: tuple[Item, ...]
    removed: tuple[Removed, ...] = ()
    libraries: tuple[Library, ...] = ()
    placed: tuple[Placed, ...] = ()
    variant: Variant | None = None

    aside: ClassVar[frozenset[str]] = frozenset({"span", "removed", "libraries", "placed", "variant"})
