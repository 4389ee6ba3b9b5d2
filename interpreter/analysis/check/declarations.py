"""Check declarations: options, enumerations, kinds of cards, zones, variables, definitions, phases."""

from __future__ import annotations

import re

from grammar import ast as syntax
from grammar import expressions
from grammar.diagnostics import Cure, Edit, Label, write
from grammar.expressions import Expr, Name, Param, TypeExpr
from grammar.source import Span
from grammar.statements import LetVariable
from interpreter.analysis import core, types
from interpreter.analysis.budget import DECLARE, WORD, spend
from interpreter.analysis.check.type_conformance import condition, shown, typed
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.core import Variable
from interpreter.analysis.limits import DEEPEST_LEVEL
from interpreter.analysis.symbols import Attr, Kind, Local, Option, Zone

ENUM_LIMIT = 1_000
INDEX_LIMIT = 1000
VALUE_LIMIT = 20_000

TEAM = "team"
"""The type whose values are the teams."""


# -------------------------------------------------------------------------------------------- options


def declare_option(cx: Context, decl: syntax.OptionDecl) -> Option:
    """Enter an option, at the default that it has with the options before it, and return it."""
    spend(DECLARE, decl.span)
    type_: types.Type
    if decl.choices:
        type_ = types.EnumType(f"option {decl.name}", decl.choices, decl.choices)
        if len(set(decl.choices)) != len(decl.choices):
            cx.report("CG202", f"`{decl.name}` lists a choice twice", decl.span)
    else:
        assert decl.type is not None
        type_ = resolve_type(cx, decl.type)
        if not isinstance(type_, types.Unknown) and (types.size_of(type_) is None or types.is_optional(type_)):
            cx.report("CG315", f"an option cannot be {shown(type_)}", decl.span,
                      "use choices (`a | b`), a range, an enumeration, or `= true` without a type")  # fmt: skip
            type_ = types.UNKNOWN
    given = decl.default
    if isinstance(type_, types.EnumType) and isinstance(given, Name) and given.name not in type_.values:
        cure = cx.suggest(given.name, type_.values, given.span, f"its values are {option_values(type_)}")
        cx.report("CG327", f"`{given.name}` is no value of the option `{decl.name}`", given.span, cure)
        given = Name(type_.values[0], span=given.span)
    default = cx.expr(given, Scope(), type_)
    value = default.value if isinstance(default, core.Const) else None
    if isinstance(type_, types.Unknown) or isinstance(default.type, types.Unknown):
        value, type_ = 0, types.UNKNOWN
    elif value is None or not types.fits(default.type, type_) or not option_allows(type_, value):
        what = f"`{value}`" if isinstance(type_, types.Int) and isinstance(value, int) else "this"
        cx.report("CG327", f"{what} is no value of the option `{decl.name}`", decl.default.span,
                  f"its values are {option_values(type_)}")  # fmt: skip
        value = _first_value(type_)
    option = Option(decl.name, type_, value, value, decl.text or "", decl.span)
    cx.declare(decl.name, option, decl.span)
    return option


def _first_value(type_: types.Type) -> int | bool:
    match type_:
        case types.Int(low=int(low)):
            return low
        case types.EnumType():
            return 0
    return False


def option_allows(type_: types.Type, value: int | bool) -> bool:
    """Say whether an option of a type can have a value (enumerations by number)."""
    match type_:
        case types.Int(low=int(low), high=int(high)):
            return not isinstance(value, bool) and low <= value <= high
        case types.EnumType():
            return 0 <= value < len(type_.values)
    return isinstance(value, bool)


def option_values(type_: types.Type) -> str:
    """Return the values of an option's type in words."""
    match type_:
        case types.EnumType():
            return ", ".join(type_.values)
        case types.Bool():
            return "true, false"
    return str(type_)


# -------------------------------------------------------------------------------- cards and enumerations


def declare_enum(cx: Context, decl: syntax.EnumDecl) -> None:
    """Enter an enumeration and its values, without its table, whose columns may depend on options."""
    spend(DECLARE + WORD * len(decl.values), decl.span)
    names = tuple(v.name for v in decl.values)
    texts = tuple(v.text if v.text is not None else v.name for v in decl.values)
    enum = types.EnumType(decl.name, names, texts)
    if len(names) > ENUM_LIMIT:
        cx.report("CG405", f"`{decl.name}` has {len(names)} values", decl.span, f"at most {ENUM_LIMIT}")
        return
    for number, value in enumerate(decl.values):
        if names.index(value.name) < number or value.name in cx.symbols:
            cx.twice(value.name, value.span, cx.spans.get(value.name))
            continue
        cx.spans.setdefault(value.name, value.span)
        cx.values.setdefault(value.name, []).append((enum, number))
    for number, text in enumerate(texts):
        if texts.index(text) < number and names.index(names[number]) == number:
            cx.report("CG328", f"two values of `{decl.name}` are written `{text}`", decl.values[number].span,
                      labels=(Label(decl.values[texts.index(text)].span, "the other one"),))  # fmt: skip
    cx.declare(decl.name, enum, decl.span)


def fill_table(cx: Context, decl: syntax.EnumDecl) -> None:
    """Enter the columns of an enumeration that was declared."""
    enum = cx.symbols.get(decl.name)
    if not isinstance(enum, types.EnumType) or len(enum.values) != len(decl.values):
        return
    broken = False
    for value in decl.values:
        if len(value.attributes) != len(decl.params):
            columns = ", ".join(f"`{param.name}`" for param in decl.params) or "none"
            cx.report("CG207", f"expected a value in each column, found {len(value.attributes)}", value.span,
                      f"the columns of `{decl.name}` are {columns}")  # fmt: skip
            broken = True
    for number, param in enumerate(decl.params):
        type_ = resolve_type(cx, param.type)
        if broken:
            enum.attributes[param.name] = (types.UNKNOWN, (0,) * len(enum.values))
            continue
        cells: list[int | bool | None] = []
        for row in decl.values:
            checked = typed(cx, row.attributes[number], Scope(), type_, f"`{param.name}`")
            cell = checked.value if isinstance(checked, core.Const) else None
            base = types.base_of(type_)
            if isinstance(checked.type, types.Unknown):
                cell = 0
            elif not isinstance(checked, core.Const):
                cx.report("CG314", f"`{param.name}` must be known before play", row.attributes[number].span)
                cell = 0
            elif isinstance(base, types.Int) and cell is not None and not option_allows(base, cell):
                cx.report("CG310", f"`{param.name}` is {shown(type_)}", row.attributes[number].span)
                cell = 0
            cells.append(cell)
        enum.attributes[param.name] = (type_, tuple(cells))


def declare_teams(cx: Context, decl: syntax.TeamsDecl) -> None:
    """Enter the type `team` and its values; each player is a team where the condition of the section does not hold.

    Seats beyond the number of players are left out, and so is a team of none but these.
    """
    spend(DECLARE + WORD * len(decl.teams), decl.span)
    there = decl.only_if is None or _known(cx, decl.only_if)
    names: dict[str, str] = {}
    team_of: dict[int, tuple[int, Span]] = {}
    for team in decl.teams if there else ():
        if team.name in names or team.name in cx.symbols:
            cx.twice(team.name, team.span, cx.spans.get(team.name))
            continue
        seats = [(given.number - 1, given.span) for given in _seats(cx, team)]
        for seat, span in seats:
            if seat in team_of:
                labels = (Label(team_of[seat][1], "the other place"),)
                cx.report("CG342", f"player {seat + 1} is in two places of `teams`", span,
                          "name each player once", labels=labels)  # fmt: skip
            team_of.setdefault(seat, (len(names), span))
        if any(seat < cx.num_players for seat, _ in seats):
            names[team.name] = team.text if team.text is not None else team.name
            cx.spans.setdefault(team.name, team.span)
    alone = [player for player in range(cx.num_players) if player not in team_of]
    there_are_others = any(not isinstance(given, expressions.Seat) for team in decl.teams for given in team.members)
    if there and names and alone and not there_are_others:
        last = decl.teams[-1]
        cure = Cure("add each player to a team", (Edit(last.members[-1].span.after, f", player {alone[0] + 1}"),))
        cx.report("CG342", f"player {alone[0] + 1} is in no team", decl.teams[0].span.to(last.span), cure)
    sides = tuple(team_of[player][0] if player in team_of else 0 for player in range(cx.num_players))
    if not there or not names:
        names = {f"player_{player + 1}": f"player {player + 1}" for player in range(cx.num_players)}
        sides = tuple(range(cx.num_players))
    cx.teams = types.EnumType(TEAM, tuple(names), tuple(names.values()), {}, sides)
    for number, name in enumerate(names):
        cx.values.setdefault(name, []).append((cx.teams, number))
    cx.declare(TEAM, cx.teams, decl.span)


def _known(cx: Context, given: expressions.Expr) -> bool:
    """Return a condition that must be known before play; true after reporting that it is not."""
    test = condition(cx, given, Scope())
    if isinstance(test, core.Const):
        return test.value is not False
    if not isinstance(test.type, types.Unknown):
        cx.report("CG314", "whether there are teams must be known before play", given.span,
                  "use options and `count(players)`")  # fmt: skip
    return True


def _seats(cx: Context, team: syntax.Team) -> list[expressions.Seat]:
    """Return the players of a line of `teams`; what is no player by number is reported."""
    others = [given for given in team.members if not isinstance(given, expressions.Seat)]
    if others:
        help_: str | Cure = f"write its players, as in `{team.name}: player 1, player 3`"
        if all(isinstance(given, expressions.Number) for given in others):
            named = [f"player {given.span.text}" for given in others]
            edits = tuple(Edit(given.span, text) for given, text in zip(others, named, strict=True))
            help_ = Cure(f"write `{', '.join(named)}`", edits)
        cx.report("CG342", "a team lists its players by number", others[0].span.to(others[-1].span), help_)
    for given in team.members:
        if isinstance(given, expressions.Seat) and not 1 <= given.number <= cx.max_players:
            cx.report("CG310", f"there is no player {given.number}", given.span,
                      f"this game has players 1 to {cx.max_players}")  # fmt: skip
    return [given for given in team.members if isinstance(given, expressions.Seat) and given.number >= 1]


def declare_kind(cx: Context, decl: syntax.CardDecl) -> None:
    """Enter a kind of card."""
    attributes: list[Attr] = []
    for param in decl.params:
        type_ = resolve_type(cx, param.type)
        if not isinstance(type_, types.Unknown) and (types.size_of(type_) is None or types.is_optional(type_)):
            cx.report("CG315", f"an attribute of a card cannot be {shown(type_)}", param.span,
                      "use an enumeration or a range")  # fmt: skip
            type_ = types.UNKNOWN
        if any(a.name == param.name for a in attributes):
            cx.report("CG202", f"`{param.name}` is declared twice", param.span)
        attributes.append(Attr(param.name, type_))
    written = decl.written
    if written is None:
        written = decl.name + "".join(f"-{{{a.name}}}" for a in attributes)
    known = [a.name for a in attributes]
    for hole in re.findall(r"\{([^}]*)\}", written):
        if hole not in known:
            place = decl.span.part(f"{{{hole}}}")
            listed = ", ".join(f"`{name}`" for name in known) or "none"
            cx.unknown("CG203", f"`{decl.name}` has no `{hole}` to write", hole, place, known,
                       f"the attributes of `{decl.name}` are {listed}")  # fmt: skip
    if decl.named and len(decl.named) != (types.size_of(attributes[0].type) if len(attributes) == 1 else 1):
        cx.report("CG331", f"`named` gives {len(decl.named)} names", decl.span,
                  "give one for each value of the only attribute, in order")  # fmt: skip
    kind = Kind(decl.name, tuple(attributes), written, decl.named, decl.span)
    cx.kinds[decl.name] = kind
    cx.declare(decl.name, kind, decl.span)


# -------------------------------------------------------------------------------- zones and variables

_TEAMLESS = "declare them in a section `teams`, as in `north_south: player 1, player 3`"


def viewer(cx: Context, given: syntax.Viewer | syntax.ViewerIf) -> str:
    """Return who sees a zone or variable, with the options decided."""
    if isinstance(given, syntax.Viewer):
        if given.who == TEAM and cx.teams is None:
            cx.report("CG342", "this game has no teams", given.span, _TEAMLESS)
            return "owner"
        return given.who
    test = condition(cx, given.condition, Scope())
    then, other = viewer(cx, given.then), viewer(cx, given.otherwise)
    if not isinstance(test, core.Const):
        if not isinstance(test.type, types.Unknown):
            cx.report("CG314", "who sees it must be known before play", given.condition.span, "use options only")
        return then
    return then if test.value else other


def declare_zones(cx: Context, decl: syntax.ZoneDecl, base: int) -> int:
    """Enter the zones of one line; return the number of the next free place."""
    spend(DECLARE, decl.span)
    if decl.kind not in syntax.ZONE_KINDS:
        cx.unknown("CG333", f"`{decl.kind}` is no kind of zone", decl.kind, decl.span,
                   syntax.ZONE_KINDS, syntax.ABOUT_ZONE_KINDS)  # fmt: skip
    seen_by = viewer(cx, decl.seen_by)
    capacity = 1 if decl.kind == "slot" else cx.deck_size
    if decl.at_most is not None:
        limit = bound(cx, decl.at_most)
        if limit is not None and limit < 1:
            cx.report("CG313", f"a zone of at most {limit} cards holds none", decl.at_most.span, "at least 1")
        elif limit is not None:
            capacity = min(limit, max(capacity, limit if decl.kind == "slot" else 0))
    for family in decl.families:
        indices, sizes = index_types(cx, family.indices)
        zone = Zone(family.name, indices, sizes, seen_by, base, family.span, _sides(cx), decl.kind, capacity, decl.tags)
        _check_owner(cx, zone, family, decl.seen_by)
        cx.declare(family.name, zone, family.span)
        base += zone.places
        if base > 5_000:
            cx.report("CG405", "these are too many zones", family.span, "at most 5000 places")
            return 0
    return base


def _sides(cx: Context) -> tuple[int, ...]:
    """Return the number of each player's team; nothing in a game without teams."""
    return () if cx.teams is None else cx.teams.team_of


def _check_owner(
    cx: Context, made: Zone | Variable, family: syntax.Family, seen_by: syntax.Viewer | syntax.ViewerIf | None
) -> None:
    """Report what is seen by its owner or by their team and belongs to no player, or no team."""
    owned = any(isinstance(type_, types.Player) for type_ in made.indices)
    if ("owner" in made.seen_by and not owned) or (made.seen_by == TEAM and not owned and cx.teams not in made.indices):
        _no_owner(cx, family, seen_by)


def _no_owner(cx: Context, family: syntax.Family, seen_by: syntax.Viewer | syntax.ViewerIf | None) -> None:
    """Report what is seen by its owner and has none."""
    words = f"write `all` or `nobody`, or give each player one: `{family.name}[player]`"
    cure: str | Cure = words
    if f"{family.name}[" in family.span.source.text:
        cure = Cure(words, (Edit(family.span.part(family.name), f"{family.name}[player]"),))
    elif isinstance(seen_by, syntax.Viewer):
        cure = Cure(words, (Edit(seen_by.span, "all"),))
    place = seen_by.span if isinstance(seen_by, syntax.Viewer) else family.span
    cx.report("CG334", f"`{family.name}` has no owner", place, cure)


def declare_variables(cx: Context, decl: syntax.VarDecl, phase: str | None) -> list[Variable]:
    """Enter the variables of one line, and return them."""
    spend(DECLARE, decl.span)
    made = []
    type_ = _kept_type(cx, decl.type)
    seen_by = "all" if decl.seen_by is None else viewer(cx, decl.seen_by)
    for family in decl.families:
        first, home = family.indices[0] if family.indices else None, None
        if isinstance(first, expressions.CardIn) and phase is None:
            home = _home(cx, first)
            indices, sizes = index_types(cx, family.indices[1:])
            before = ((types.UNKNOWN,), (1,)) if home is None else (home.indices, home.sizes)
            if home is not None and home.kind == "row":
                before = (*before[0], types.Int(1, home.capacity)), (*before[1], home.capacity)
            indices, sizes = (*before[0], *indices), (*before[1], *sizes)
        else:
            indices, sizes = index_types(cx, family.indices)
        variable = Variable(
            family.name, indices, sizes, seen_by, cx.num_values, family.span, _sides(cx), type_, phase, home=home
        )
        _check_owner(cx, variable, family, decl.seen_by)
        cx.declare(family.name, variable, family.span)
        made.append(variable)
        _count_values(cx, variable)
    return made


def _home(cx: Context, given: expressions.CardIn) -> Zone | None:
    """Return the places whose cards have values of a variable; None after reporting that these are none."""
    name, span = given.zone, given.span.part(given.zone)
    zone = cx.symbols.get(name)
    if not isinstance(zone, Zone):
        known = [n for n, s in cx.symbols.items() if isinstance(s, Zone) and s.kind == "slot"]
        cx.unknown("CG201", f"no zone is called `{name}`", name, span, known)
        return None
    cx.info.mentions.append((span, zone))
    if (zone.kind == "slot" and zone.capacity == 1) or zone.kind == "row":
        return zone
    index = f"[{', '.join(map(str, zone.indices))}]" if zone.indices else ""
    cx.report("CG343", f"the cards of `{name}` share a place, so they have no values of their own", given.span,
              f"keep them in their order, as in `{name}{index}: row at most 8`, or give each card a slot",
              labels=(Label(zone.span, "this zone"),))  # fmt: skip
    return None


def _kept_type(cx: Context, expr: TypeExpr) -> types.Type:
    """Return the type of a variable; cards are reported."""
    type_ = resolve_type(cx, expr)
    if not isinstance(types.base_of(type_), types.Cards):
        return type_
    cx.report("CG321", "cards cannot be kept in a variable", expr.span, "keep them in a zone")
    return types.UNKNOWN


def _count_values(cx: Context, variable: Variable) -> None:
    """Number the values of the next variable after those of this one."""
    cx.num_values += variable.places
    if cx.num_values > VALUE_LIMIT:
        cx.report("CG405", "these are too many variables", variable.span, f"at most {VALUE_LIMIT} values")
        cx.num_values = 0


def declare_local(cx: Context, stmt: LetVariable, scope: Scope) -> core.Begin:
    """Enter a variable of a block in its scope, and return the statement that gives it its first value."""
    indices, sizes = index_types(cx, stmt.indices)
    type_ = _kept_type(cx, stmt.type)
    variable = Variable(stmt.name, indices, sizes, "nobody", cx.num_values, stmt.span, (), type_, None, local=True)
    cx.info.refer(stmt, variable)
    check_initial(cx, stmt.initial, stmt.type, variable, scope)
    assert variable.initial is not None
    if cx.check_free(stmt.name, stmt.span, scope):
        scope.names[stmt.name] = variable
        cx.local_variables.append(variable)
        _count_values(cx, variable)
    return core.Begin(variable, variable.initial, stmt.span, stmt.tags)


def check_initial(cx: Context, initial: Expr | None, declared: TypeExpr, variable: Variable, scope: Scope) -> None:
    """Check the first value of a variable, or take the natural one of its type."""
    if initial is not None:
        variable.initial = typed(cx, initial, scope, variable.type, f"`{variable.name}`")
        return
    value: int | bool | None
    match variable.type:
        case types.Int(low=low, high=high):
            value = 0 if (low is None or low <= 0) and (high is None or high >= 0) else low
        case types.Bool():
            value = False
        case types.Unknown() | types.Optional() | types.Nothing():
            value = None
        case other:
            begin = " or none"
            if isinstance(other, types.EnumType | types.Player):
                begin = f" = {other.values[0] if isinstance(other, types.EnumType) else 'player 1'}"
            cure = Cure(f"write `{begin.strip()}` or the like after the type, or let it be absent: `or none`",
                        (Edit(declared.span.after, begin),))  # fmt: skip
            cx.report("CG335", f"`{variable.name}` needs an initial value", variable.span, cure)
            value = 0
    variable.initial = core.Const(value, variable.type, variable.span)


# ------------------------------------------------------------------------------- definitions and phases


def levels_of(cx: Context, deep: Expr) -> int:
    """Return how deep a phase may lead back to itself; 1 after reporting that this is no such number."""
    limit = bound(cx, deep)
    if limit is not None and limit < 1:
        cx.report("CG313", f"a phase that runs at most {limit} deep never runs", deep.span, "at least 1")
    elif limit is not None and limit > DEEPEST_LEVEL:
        cx.report("CG405", f"a phase cannot run {limit:,} deep", deep.span, f"at most {DEEPEST_LEVEL}")
    return min(max(limit or 1, 1), DEEPEST_LEVEL)


def declare_params(cx: Context, params: tuple[Param, ...]) -> tuple[Local, ...]:
    """Return the parameters of a definition or phase."""
    made: list[Local] = []
    for param in params:
        if any(p.name == param.name for p in made):
            cx.report("CG202", f"`{param.name}` is declared twice", param.span)
        local = cx.local(param.name, resolve_type(cx, param.type), param.span)
        cx.info.refer(param, local)
        made.append(local)
    return tuple(made)


def check_params_free(cx: Context, params: tuple[Local, ...]) -> None:
    """Report parameters that have the name of something declared."""
    for param in params:
        cx.check_free(param.name, param.span)


# ----------------------------------------------- type expressions, and numbers that must be known before play


def resolve_type(cx: Context, expr: expressions.TypeExpr) -> types.Type:
    """Return the type that a type expression names; mistakes are reported."""
    match expr:
        case expressions.OptionalType():
            return types.optional(resolve_type(cx, expr.base))
        case expressions.RangeType():
            low = bound(cx, expr.low)
            high = bound(cx, expr.high)
            if low is None or high is None:
                return types.UNKNOWN
            if low > high:
                turned = f"{expr.high.span.text}..{expr.low.span.text}"
                cure = write(expr.span, turned, "the lesser number comes first")
                cx.report("CG313", f"the range {low}..{high} has no number in it", expr.span, cure)
                return types.UNKNOWN
            return types.Int(low, high)
        case expressions.NamedType():
            return _named_type(cx, expr)
        case expressions.CardIn():
            cx.report("CG343", f"`{expr.span.text}` is no index here", expr.span,
                      "make it the first index of a variable under the `state` of the game")  # fmt: skip
            return types.UNKNOWN


def _named_type(cx: Context, expr: expressions.NamedType) -> types.Type:
    match expr.name:
        case "boolean":
            return types.BOOL
        case "integer":
            return types.Int()
        case "player":
            return types.PLAYER
        case "card":
            return types.Card(frozenset(cx.kinds))
        case "cards":
            return types.Cards(frozenset(cx.kinds), cx.deck_size)
    symbol = cx.symbols.get(expr.name)
    if isinstance(symbol, types.EnumType):
        cx.info.mentions.append((expr.span, symbol))
        return symbol
    if isinstance(symbol, Kind):
        cx.info.mentions.append((expr.span, symbol))
        return types.Card(frozenset({symbol.name}))
    known = ["boolean", "integer", "player", "card", "cards"]
    known += [n for n, s in cx.symbols.items() if isinstance(s, types.EnumType | Kind)]
    cx.unknown("CG205", f"`{expr.name}` is no type", expr.name, expr.span, known,
               f"the types are {', '.join(f'`{name}`' for name in known)} and ranges such as `1..6`")  # fmt: skip
    return types.UNKNOWN


def bound(cx: Context, expr: expressions.Expr) -> int | None:
    """Return a whole number that must be known before play, or None after reporting that it is not."""
    checked = cx.expr(expr, Scope())
    if isinstance(checked.type, types.Unknown):
        return None
    if isinstance(checked, core.Const) and isinstance(checked.value, int) and isinstance(checked.type, types.Int):
        return checked.value
    cx.report(
        "CG314",
        "this number must be known before play",
        expr.span,
        "use numbers, options and `count(players)`",
    )
    return None


def index_types(
    cx: Context, indices: tuple[expressions.TypeExpr, ...]
) -> tuple[tuple[types.Type, ...], tuple[int, ...]]:
    """Return the types of the indices of a family and how many values each has."""
    found, sizes = [], []
    for expr in indices:
        type_ = resolve_type(cx, expr)
        size = cx.num_players if isinstance(type_, types.Player) else types.size_of(type_)
        if not isinstance(type_, types.Unknown) and (size is None or types.is_optional(type_)):
            help_: str | Cure = "index by player, an enumeration or a range"
            if isinstance(type_, types.Card):
                slots = [name for name, s in cx.symbols.items() if isinstance(s, Zone) and s.kind == "slot"]
                words = f"values belong to the cards in slots: `card in {slots[0] if len(slots) == 1 else 'ZONE'}`"
                edit = Edit(expr.span, f"card in {slots[0]}") if len(slots) == 1 else None
                help_ = words if edit is None else Cure(words, (edit,))
            cx.report("CG315", f"{type_} is no index", expr.span, help_)
            type_, size = types.UNKNOWN, 1
        if size is not None and size > INDEX_LIMIT:
            cx.report("CG405", f"an index of {size} values is too large", expr.span, f"at most {INDEX_LIMIT}")
            size = 1
        found.append(type_)
        sizes.append(size or 1)
    return tuple(found), tuple(sizes)
