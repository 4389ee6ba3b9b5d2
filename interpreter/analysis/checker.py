"""Check a whole spec for one number of players and one set of options.

Takes a syntax tree whose `use` and `extends` are already resolved, gives `Rules`.  Goes through the
declarations in the order in which they need each other (options, enumerations, cards, zones, variables,
definitions, phases), then through the bodies, then through the lints.  All mistakes of one run are
collected; later stages are skipped only where an earlier one left them nothing to stand on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from grammar import ast as syntax
from grammar.diagnostics import UNREAD, Cure, Diagnostic, Edit, SpecError
from grammar.expressions import Name, Node, field_names, walk
from grammar.source import Source, Span
from grammar.statements import For, If, Stmt
from interpreter.analysis import core, lints, types
from interpreter.analysis.budget import MOST_WORK, budget
from interpreter.analysis.check.abouts import Words, check_abouts
from interpreter.analysis.check.card_state import keep_values
from interpreter.analysis.check.deck import Deck, count_cards, lay_out
from interpreter.analysis.check.declarations import (
    check_initial,
    check_params_free,
    declare_kind,
    declare_params,
    declare_teams,
    declare_variables,
    declare_zones,
    fill_table,
    levels_of,
)
from interpreter.analysis.check.references import check_define
from interpreter.analysis.check.statements import check_block
from interpreter.analysis.check.type_conformance import condition, typed
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.dependencies import order_of_definitions
from interpreter.analysis.files import SUFFIX
from interpreter.analysis.info import Info
from interpreter.analysis.reading import Reading, read
from interpreter.analysis.rules import Invariant, ResultLine, Rules
from interpreter.analysis.symbols import Kind, Zone
from interpreter.analysis.transforms import levels, reopening, triggers
from interpreter.analysis.variants import blamed
from interpreter.analysis.work import meter
from interpreter.setting import Setting, SettingError, Signature

SECTION_LIMIT = 2_000

RESULTS = ("score", "winners", "stakes", "returns")
"""The lines that `result` may have."""

_D = TypeVar("_D", bound=Node)


class Checked(msgspec.Struct, frozen=True):
    """The result of checking a spec: the rules (None if there are errors), diagnostics and findings."""

    rules: Rules | None
    diagnostics: tuple[Diagnostic, ...]
    info: Info
    """The findings by syntax node, also if there are errors."""

    def sound(self) -> Rules:
        """Return the rules.  Raises SpecError with all mistakes where there are errors."""
        if self.rules is None:
            raise SpecError(self.diagnostics)
        return self.rules


def check_spec(
    spec: syntax.Spec, setting: Setting | None = None, *, advise: bool = True, unread: frozenset[str] | None = None
) -> Checked:
    """Check a spec in a setting that its signature has made; None is the default one.  Raises what that raises.

    `advise` false leaves out the checks that only warn.  `unread` is None of a whole spec; of one in which only some
    parts could be read it holds the names in the others.
    """
    return Checker(spec, unread).check(setting, advise=advise)


class Checker:
    """Checks one spec in many settings; what is the same in all of them is found once."""

    def __init__(self, spec: syntax.Spec, unread: frozenset[str] | None = None) -> None:
        self.spec = spec
        self.whole = unread is None
        self.signature = Signature.of(spec, unread)
        self.tags: list[tuple[str, Span]] = []
        self.declared_tags: set[str] = set()
        self.known_words: dict[int, Words] = {}
        self.known_calls: dict[int, list[str]] = {}
        self._verified: dict[Diagnostic, Diagnostic] = {}
        collect_tags(spec, self.tags, self.declared_tags)

    def check(
        self,
        setting: Setting | None = None,
        *,
        advise: bool = True,
        liveness: bool = True,
        playable: bool = True,
        attribute: bool = True,
        verify: bool = True,
    ) -> Checked:
        """Check the spec in a setting; see `check_spec`.

        `liveness` false leaves out advice that counts only if it holds in every setting (`lints.LIVENESS`).
        Where `playable` is false the rules are not made ready to be compiled, which finds no mistakes.  Where
        `attribute` is true, what a variant causes in its base is reported at the line of the variant, and where
        `verify` is true too, only fixes that work are kept (`interpreter.analysis.cures`).
        """
        signature, spec = self.signature, self.spec
        cx = signature.begin() if setting is None else signature.begin(setting.players, dict(setting.options))
        cx.advise = advise
        if len(spec.items) > SECTION_LIMIT:
            cx.report("CG405", f"this spec has {len(spec.items)} sections", spec.items[SECTION_LIMIT].span,
                      f"at most {SECTION_LIMIT}")  # fmt: skip
            return Checked(None, tuple(cx.diagnostics), cx.info)
        rules = None
        try:
            with budget(MOST_WORK, spec.span):
                rules = _check(cx, self, liveness=liveness)
                if rules is not None and playable and not cx.has_errors:
                    meter(rules)
        except SpecError as error:
            cx.diagnostics.extend(error.diagnostics)
        errors = cx.has_errors
        found = blamed(spec, cx.diagnostics)
        if found and attribute and self.whole:
            with suppress(SpecError), budget(MOST_WORK, spec.span):
                from interpreter.analysis.blame import attributed  # late: faults

                found = attributed(spec, found, lambda other: _found_in(other, setting, advise=advise))
        found = sorted(found, key=lambda d: (d.span.source.name, d.span.start, d.code))
        if attribute and verify and self.whole and any(d.edits and d not in self._verified for d in found):
            from interpreter.analysis.cures import verified  # late: faults

            kept = verified(found, errors_of(spec.span.source))
            if len(kept) < len(found):
                return Checked(None if errors else rules, tuple(kept), cx.info)
            self._verified.update(zip(found, kept, strict=True))
        return Checked(None if errors else rules, tuple(self._verified.get(d, d) for d in found), cx.info)


def errors_of(source: Source) -> Callable[[Source], tuple[Diagnostic, ...]]:
    """Return a function that finds what is wrong with another text in the place of a spec."""
    folder = Path(source.name).parent if source.name.endswith(SUFFIX) else None
    return lambda text: mistakes_of(read(text, folder))


def mistakes_of(reading: Reading) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a spec that was read: its form, names, types and rules; fixes are not verified."""
    if reading.tree is None or not reading.fits:
        return reading.diagnostics
    checked = Checker(reading.tree, reading.unread).check(advise=False, playable=False, verify=False)
    return reading.with_checked(d for d in checked.diagnostics if d.is_error)


def _found_in(spec: syntax.Spec, setting: Setting | None, *, advise: bool) -> Iterable[Diagnostic]:
    """Return what is found in another spec in a setting, or in its default setting where it does not have that one.

    Raises SpecError where the budget in force does not suffice for that.
    """
    checker = Checker(spec)
    if setting is not None:
        try:
            setting = checker.signature.setting(setting.players, dict(setting.options))
        except (SettingError, SpecError):
            setting = None
    found = checker.check(setting, advise=advise, playable=False, attribute=False).diagnostics
    if any(one.code == "CG405" for one in found):
        raise SpecError(found)
    return found


def _all(spec: syntax.Spec, cls: type[_D]) -> list[_D]:
    return [item for item in spec.items if isinstance(item, cls)]


def _single(cx: Context, spec: syntax.Spec, cls: type[_D], what: str, *, needed: bool = True) -> _D | None:
    found = _all(spec, cls)
    for extra in found[1:]:
        cx.report("CG214", f"there are two sections `{what}`", extra.span, "make them one")
    if not found and needed:
        cx.report("CG215", f"there is no section `{what}`", spec.span, f"every game has `{what}`", about=UNREAD)
    return found[0] if found else None


def _check(cx: Context, checker: Checker, *, liveness: bool) -> Rules | None:
    spec, signature = checker.spec, checker.signature
    cx.min_players, cx.max_players = signature.players
    teams = _single(cx, spec, syntax.TeamsDecl, "teams", needed=False)
    if teams is not None:
        declare_teams(cx, teams)
    for enum in _all(spec, syntax.EnumDecl):
        fill_table(cx, enum)
    for card in _all(spec, syntax.CardDecl):
        declare_kind(cx, card)
    decks = _all(spec, syntax.DeckDecl)
    of_cards = next((i for i in spec.items if isinstance(i, syntax.CardDecl | syntax.ZonesDecl)), None)
    if of_cards is not None and not decks:
        what = "card" if isinstance(of_cards, syntax.CardDecl) else "zones"
        cx.report("CG215", f"there is a section `{what}`, but no section `deck`", of_cards.span,
                  "say which cards there are: `deck in ZONE`", about=UNREAD)  # fmt: skip
    lines, cx.deck_size = count_cards(cx, decks)
    base = 0
    for zones in _all(spec, syntax.ZonesDecl):
        for zone in zones.zones:
            base = declare_zones(cx, zone, base)
    deck = lay_out(cx, decks, lines)
    cx.copies = len(deck.faces) < len(deck.card_faces)
    variables, play_decl = _declare_state(cx, spec)
    defines = _declare_defines(cx, spec)
    phases = _declare_phases(cx, spec)
    for params in [d.params for d in defines] + [p.params for p in phases]:
        check_params_free(cx, params)
    _check_initials(cx, spec)
    defines = order_of_definitions(cx, defines, checker.known_calls)
    for define in defines:
        check_define(cx, define, define.declaration.span)
    for phase in phases:
        _check_phase(cx, phase)
    play = Phase("play", (), None, len(phases), spec.span)
    if play_decl is not None:
        play = Phase("play", (), None, len(phases), play_decl.span, play_decl.tags)
        for var in play_decl.block.state:
            cx.report("CG339", "variables of the whole game are declared under `state`, not in `play`", var.span,
                      "move this line to the section `state`")  # fmt: skip
        play.body = check_block(cx, play_decl.block.statements, Scope())
    whenevers = _check_whenevers(cx, spec, len(phases) + 1)
    results = _check_result(cx, spec, signature)
    invariants = _check_invariants(cx, spec)
    check_abouts(cx, spec, checker.known_words)
    every = [*phases, *(w.once for w in whenevers)]
    if not cx.has_errors:
        keep_values(cx, [*every, play])
    rules = _assemble(cx, checker, deck, tuple(variables), defines, every, play, results, invariants)
    if not cx.has_errors:
        assert rules is not None
        rules = levels.unroll(cx, rules)
    if not cx.has_errors:
        assert rules is not None
        triggers.check_steps(cx, rules)
        rules = reopening.resolve(cx, triggers.weave(rules, tuple(whenevers)))
        lints.check(cx, rules, advise=cx.advise, liveness=liveness)
    return rules


def _declare_state(cx: Context, spec: syntax.Spec) -> tuple[list[Variable], syntax.PlayDecl | None]:
    variables: list[Variable] = []
    for state in _all(spec, syntax.StateDecl):
        for decl in state.variables:
            variables.extend(declare_variables(cx, decl, None))
    for phase in _all(spec, syntax.PhaseDecl):
        for decl in phase.block.state:
            variables.extend(declare_variables(cx, decl, phase.name))
    return variables, _single(cx, spec, syntax.PlayDecl, "play")


def _check_initials(cx: Context, spec: syntax.Spec) -> None:
    for state in _all(spec, syntax.StateDecl):
        for decl in state.variables:
            _initials(cx, decl, Scope())
    for phase_decl in _all(spec, syntax.PhaseDecl):
        phase = cx.symbols.get(phase_decl.name)
        if isinstance(phase, Phase):
            scope = Scope({p.name: p for p in phase.params})
            for decl in phase_decl.block.state:
                _initials(cx, decl, scope)


def _initials(cx: Context, decl: syntax.VarDecl, scope: Scope) -> None:
    for family in decl.families:
        variable = cx.symbols.get(family.name)
        if isinstance(variable, Variable):
            check_initial(cx, decl.initial, decl.type, variable, scope)
            if variable.home is not None and not isinstance(variable.initial, core.Const):
                cx.report("CG314", "the value of a card without one must be known before play", family.span,
                          "use numbers, options and values of enumerations")  # fmt: skip


def _declare_defines(cx: Context, spec: syntax.Spec) -> list[Define]:
    made: list[Define] = []
    for decl in _all(spec, syntax.DefineDecl):
        define = Define(decl.name, declare_params(cx, decl.params), decl, len(made))
        cx.declare(decl.name, define, decl.span)
        made.append(define)
    return made


def _declare_phases(cx: Context, spec: syntax.Spec) -> list[Phase]:
    made: list[Phase] = []
    for decl in _all(spec, syntax.PhaseDecl):
        own = tuple(v for v in cx.symbols.values() if isinstance(v, Variable) and v.phase == decl.name)
        params, deep = declare_params(cx, decl.params), None if decl.deep is None else levels_of(cx, decl.deep)
        phase = Phase(decl.name, params, decl, len(made), decl.span, decl.tags, own, deep=deep)
        cx.declare(decl.name, phase, decl.span)
        made.append(phase)
    return made


def _check_phase(cx: Context, phase: Phase) -> None:
    assert phase.declaration is not None
    scope = Scope({p.name: p for p in phase.params})
    phase.body = check_block(cx, phase.declaration.block.statements, scope)


def _check_whenevers(cx: Context, spec: syntax.Spec, number: int) -> list[triggers.Whenever]:
    """Return the `whenever` rules, in the order of the text; their phases are numbered from `number`."""
    made: list[triggers.Whenever] = []
    for decl in _all(spec, syntax.WheneverDecl):
        if decl.selections:
            loop: Stmt = For(decl.selections, decl.body, tags=decl.tags, span=decl.span)
        else:
            assert decl.condition is not None
            loop = If(decl.condition, decl.body, tags=decl.tags, span=decl.span)
        phase = Phase(f"whenever {len(made) + 1}", (), None, number + len(made), decl.span, decl.tags)
        block = check_block(cx, (loop,), Scope())
        if len(block) == 1 and isinstance(block[0], core.If | core.For):
            made.append(triggers.whenever(phase.number, block[0], len(decl.selections)))
    return made


def _check_result(cx: Context, spec: syntax.Spec, signature: Signature) -> tuple[ResultLine, ...]:
    decl = _single(cx, spec, syntax.ResultDecl, "result")
    lines: list[ResultLine] = []
    for line in decl.lines if decl is not None else ():
        if line.what not in RESULTS:
            cx.unknown("CG208", f"`{line.what}` is no line of `result`", line.what, line.span, RESULTS,
                       f"its lines are {', '.join(RESULTS)}")  # fmt: skip
            continue
        if any(before.what == line.what for before in lines):
            cx.report("CG202", f"`{line.what}` occurs twice", line.span)
        if any({before.what, line.what} == {"stakes", "returns"} for before in lines):
            cx.report("CG202", "`stakes` and `returns` both state the payoffs", line.span, "keep one of them")
        scope = Scope()
        player = None
        if line.player is not None:
            cx.check_free(line.player, line.span)
            player = cx.local(line.player, types.PLAYER, line.span)
            cx.info.refer(line, player)
            scope.names[line.player] = player
        if line.what == "winners":
            if line.player is not None:
                cure: str | Cure = "name all who win, as in `winners = all highest p in players by points[p]`"
                if not any(isinstance(part, Name) and part.name == line.player for part in walk(line.value)):
                    head = line.span.text.index("=")
                    name = Span(line.span.source, line.span.start, line.span.start + head)
                    cure = Cure("write `winners = ..`", (Edit(name, "winners "),))
                cx.report("CG207", "`winners` names all winners at once, not for each player", line.span, cure)
            value = cx.expr(line.value, scope, types.Sequence(types.PLAYER))
            inner = types.base_of(value.type)
            fine = isinstance(inner, types.Player) or (
                isinstance(inner, types.Sequence) and isinstance(inner.item, types.Player)
            )
            if not fine and not isinstance(inner, types.Unknown):
                cx.report("CG301", "`winners` are players", line.value.span)
            if signature.cooperative:
                cx.report("CG340", "a cooperative game has no winners", line.span, "give the common `score`")
        else:
            value = typed(cx, line.value, scope, types.Int(), f"`{line.what}`")
            if player is None:
                cx.report("CG207", f"`{line.what}` is each player's", line.span, f"write `{line.what} p = ..`")
            elif signature.cooperative and line.what != "stakes" and player in core.names_of(value):
                cx.report("CG232", f"all players of a cooperative game share one `{line.what}`, "
                          "and this one can differ from player to player", line.value.span,
                          f"take it from all together, as in `{line.what} p = sum(.. for q in players)`")  # fmt: skip
            if line.what == "stakes":
                _check_stakes(cx, line, value, signature)
        lines.append(ResultLine(line.what, player, value, line.span, (*decl.tags, *line.tags) if decl else ()))
    there = {line.what: line for line in lines}
    if "stakes" in there and not signature.cooperative and not there.keys() & {"winners", "score", "returns"}:
        cx.report("CG231", "the winners share all stakes, but nothing states who wins", there["stakes"].span,
                  "add a line `winners = ..` or `score p = ..`")  # fmt: skip
    if decl is not None and not decl.lines:
        cx.report("CG215", "`result` is empty", decl.span, "write `score p = ..` or `winners = ..`")
    return tuple(lines)


def _check_stakes(cx: Context, line: syntax.ResultLine, stake: core.Expr, signature: Signature) -> None:
    if signature.cooperative:
        cx.report("CG340", "a cooperative game has no stakes", line.span,
                  "give the common `score`")  # fmt: skip
    if isinstance(stake.type, types.Int) and (stake.type.low is None or stake.type.low < 0):
        cx.report("CG301", "a stake is a number that cannot be less than 0", line.value.span,
                  "give the variables in it a range: `paid[player]: 0..100`")  # fmt: skip


def _check_invariants(cx: Context, spec: syntax.Spec) -> tuple[Invariant, ...]:
    made = []
    for decl in _all(spec, syntax.InvariantDecl):
        test = condition(cx, decl.condition, Scope())
        made.append(Invariant(decl.text or decl.condition.span.text, test, decl.span, decl.tags))
    return tuple(made)


def _assemble(
    cx: Context, checker: Checker, deck: Deck, variables: tuple[Variable, ...],
    defines: list[Define], phases: list[Phase], play: Phase,
    results: tuple[ResultLine, ...], invariants: tuple[Invariant, ...],
) -> Rules | None:  # fmt: skip
    if deck.home is None and any(isinstance(item, syntax.DeckDecl) for item in checker.spec.items):
        if not cx.has_errors:
            cx.report("CG215", "the deck has no cards", checker.spec.span)
        return None
    signature, symbols = checker.signature, cx.symbols.values()
    return Rules(
        title=signature.title,
        source_name=checker.spec.span.source.name,
        num_players=cx.num_players,
        player_range=signature.players,
        cooperative=signature.cooperative,
        max_decisions=signature.max_decisions,
        facts=signature.facts,
        options=cx.options,
        enums=tuple(s for s in symbols if isinstance(s, types.EnumType)),
        teams=cx.teams,
        kinds={s.name: s for s in symbols if isinstance(s, Kind)},
        faces=deck.faces,
        card_faces=deck.card_faces,
        homes=deck.homes,
        home_zone=deck.home,
        zones=tuple(s for s in symbols if isinstance(s, Zone)),
        variables=variables,
        local_variables=tuple(cx.local_variables),
        num_locals=cx.locals_made,
        defines=tuple(defines),
        phases=tuple(phases),
        play=play,
        results=results,
        invariants=invariants,
        tags=tuple(checker.tags),
        declared_tags=frozenset(checker.declared_tags),
        published=tuple(cx.published),
        info=cx.info,
    )


_EXECUTABLE = syntax.PlayDecl | syntax.PhaseDecl | syntax.DefineDecl | syntax.ResultDecl | syntax.ResultLine


def collect_tags(spec: syntax.Spec, found: list[tuple[str, Span]], declared: set[str]) -> None:
    """List all rule tags with their places; `declared` are those that hold by being declared.

    A tag on a declaration (a zone, an option, a card) is in force in every play; one on a statement, an
    action or an alternative is reached when it is carried out.
    """
    stack: list[tuple[object, bool]] = [(item, False) for item in reversed(spec.items)]
    while stack:
        node, inside = stack.pop()
        if isinstance(node, Node):
            inside = inside or isinstance(node, _EXECUTABLE)
            for tag in node.tags:
                found.append((tag, node.span))
                if not inside or isinstance(node, syntax.VarDecl):
                    declared.add(tag)
            fields = [getattr(node, name) for name in field_names(type(node))]
            stack.extend((f, inside) for f in reversed(fields))
        elif isinstance(node, tuple):
            stack.extend((f, inside) for f in reversed(node))
