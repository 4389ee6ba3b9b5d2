"""Validation: check a spec in all settings, not only in the default one.

A game is compiled for one number of players and one value of each option, so a mistake can hide in a setting that
nobody tried.  All settings are too many; `validate` checks a covering array of strength two
(`interpreter.fuzz.covering_array`): every two values of two options together, and every value of an option with every
number of players; of ranges the ends and one value between.  Each number of players comes first with the defaults.
What it finds is put together, each mistake once, with the least that it takes to meet it.  What an option may make so
on purpose (`Code.every_setting`) is reported only where no setting is without it.

All that can be wrong with a spec is found by the checker.  A sound one is compiled with the defaults at the greatest
number of players, so that what is too much to compile, or a mistake of the compiler, shows here and not at the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path

import attrs

from grammar.ast import Spec
from grammar.codes import REGISTRY
from grammar.diagnostics import Diagnostic, SpecError
from grammar.source import Source, Span, read_source
from interpreter.analysis.budget import MOST_WORK, OverBudgetError, Work, budget, current
from interpreter.analysis.checker import Checker
from interpreter.analysis.files import Files
from interpreter.analysis.rules import Rules
from interpreter.engine.compilation import Compilation
from interpreter.engine.game import Game
from interpreter.fuzz.covering_array import FEW_PAIRS, all_pairs, covering_array
from interpreter.loader import assemble, find_spec
from interpreter.program.nodes import Decision
from interpreter.setting import Setting, SettingError, Signature, Value, number_of_players, word_of

MOST_SETTINGS = 200
"""Settings that are tried at most; `Validation.pairs` says whether that was enough."""

RESERVE = 2
"""The most that a setting has taken so far must be left so many times, or no other is begun."""

MOST_CAUSES = 20
"""Mistakes of single settings for which is found out what it takes to meet them; the others name the whole setting."""

_Key = tuple[str, str, int, int]


@attrs.frozen
class Summary:
    """The size of a sound spec in its default setting.

    `actions` counts the small actions by verb; `longest` is the longest play in decisions; `tags` counts the rule tags.
    """

    title: str
    players: tuple[int, int]
    cards: int
    faces: int
    options: dict[str, str]
    phases: int
    decisions: int
    actions: dict[str, int]
    longest: int
    utility: str
    utility_range: tuple[float, float]
    tags: int


@attrs.frozen
class Validation:
    """The result of validation: every diagnostic once, and a summary if there is no error.

    `settings` is the number of checked settings, `planned` the number of all (None if they are too many to count).
    `narrowed` is whether only some were requested.  `pairs` are two numbers: the pairs of values of two options that
    occurred in the checked settings, and all pairs; the number of players counts as an option.
    """

    path: Path
    diagnostics: tuple[Diagnostic, ...]
    summary: Summary | None
    settings: int
    planned: int | None = None
    narrowed: bool = False
    pairs: tuple[int, int] = (0, 0)

    @property
    def sound(self) -> bool:
        """Whether the spec has no error in any checked setting."""
        return not any(d.is_error for d in self.diagnostics)


def validate(spec: str | Path, players: int | None = None, options: Mapping[str, Value] | None = None) -> Validation:
    """Check a spec in every setting; in those with a number of players and values of options, where these are given.

    Raises SpecNotFoundError, OSError where the file cannot be read, and SettingError for a number of players or a value
    that the game does not have.
    """

    path = find_spec(spec)
    return validate_source(read_source(path), path, players, options)


def validate_source(
    source: Source,
    path: Path,
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    files: Files | None = None,
) -> Validation:
    """Check the text of a spec as `validate` does; `files` finds the files that it uses and extends."""
    with budget(MOST_WORK, Span(source, 0, 0)):
        try:
            tree = assemble(source, path.parent, files)
        except SpecError as error:
            return Validation(path, error.diagnostics, None, 0)
        return validate_tree(tree, path, players, options)


def validate_tree(
    tree: Spec, path: Path, players: int | None = None, options: Mapping[str, Value] | None = None
) -> Validation:
    """Check a syntax tree, whose parts are already put together, in every setting that the budget of work allows."""
    with budget(MOST_WORK, tree.span) as work:
        try:
            return _validated(tree, path, work, players, options or {})
        except OverBudgetError as over:  # Already the settings themselves are too many to be listed.
            return Validation(path, over.diagnostics, None, 0)


def _validated(tree: Spec, path: Path, work: Work, players: int | None, options: Mapping[str, Value]) -> Validation:
    checker = Checker(tree)
    signature = checker.signature
    begun = work.used
    narrowed = not signature.diagnostics and (players is not None or bool(options))
    listed = settings(signature, players, options)
    begin = [next(listed)] if narrowed else []
    default = checker.check(begin[0][0] if begin else None)
    most = work.used - begun
    found = {_key(d): d for d in default.diagnostics}
    if signature.diagnostics:
        return Validation(path, tuple(found.values()), None, 1)
    tried: dict[Setting, None] = {}
    times: Counter[_Key] = Counter()
    first: dict[_Key, Setting] = {}
    without: dict[_Key, Setting] = {}
    sounded: set[int] = set()
    met = 0
    summary = None
    low, high = signature.players if players is None else (players, players)
    samples = levels(signature, options)
    every = all_pairs([high - low + 1, *samples])
    coming = chain(begin, _affordable(listed))
    for setting, pairs in coming:
        if setting not in tried and tried and (len(tried) >= MOST_SETTINGS or work.left < RESERVE * most):
            break
        met += pairs
        if setting in tried:
            continue
        playable = setting.players in {low, high} - sounded
        everywhere = any(times[key] == len(tried) and REGISTRY[key[0]].every_setting for key in found)
        checked = checker.check(setting, playable=playable, liveness=everywhere) if tried else default
        more: tuple[Diagnostic, ...] = ()
        if checked.rules is not None and playable:
            sounded.add(setting.players)
            made, more = _summary(checked.rules, tree, compiled=setting.players == high)
            summary = summary or made
        if tried and work.left <= 0:
            break
        most, begun = max(most, work.used - begun), work.used
        here = {_key(d): d for d in (*checked.diagnostics, *more)}
        for key, diagnostic in here.items():
            found.setdefault(key, diagnostic)
            first.setdefault(key, setting)
        times.update(list(here))
        if checked.rules is not None:
            without.update((key, setting) for key in found if key not in here and key not in without)
        tried[setting] = None
    planned = len({*tried, setting, *(other for other, _ in coming)}) if every <= FEW_PAIRS else None
    found = {key: d for key, d in found.items() if times[key] == len(tried) or not REGISTRY[d.code].every_setting}
    if narrowed:
        for key in _only_here(
            checker, [key for key, d in found.items() if REGISTRY[d.code].every_setting], tried, most
        ):
            del found[key]
    hidden = [key for key in found if first[key] != next(iter(tried)) or key in without]
    for number, key in enumerate(hidden):
        absent = first[key] == next(iter(tried))
        other = without[key] if absent else first[key]
        where = _cause(checker, other, key, absent=absent, whole=number >= MOST_CAUSES, least=most)
        found[key] = _noted(found[key], where)
    sound = not any(d.is_error for d in found.values())
    return Validation(
        path, tuple(found.values()), summary if sound else None, len(tried), planned, narrowed, (met, every)
    )


def _summary(rules: Rules, tree: Spec, *, compiled: bool) -> tuple[Summary | None, tuple[Diagnostic, ...]]:
    """Return the summary of a game, which `compiled` compiles first, or why its code would be too large."""
    try:
        game = Game.of(Compilation.of(rules, tree))
        return summarize(game.ready() if compiled else game), ()
    except OverBudgetError as over:
        return None, over.diagnostics


def _only_here(checker: Checker, found: list[_Key], tried: Collection[Setting], most: int) -> list[_Key]:
    """Return what is found only because players or options are given: of the whole spec it is not true.

    Settings that are left out are checked until nothing is in doubt, or the budget of work is needed.
    """
    doubtful = set(found)
    for setting, _ in _affordable(settings(checker.signature)):
        if not doubtful or current().left < RESERVE * most:
            break
        if setting not in tried:
            checked = checker.check(setting, advise=True, playable=False)
            if not any(d.is_error for d in checked.diagnostics):
                doubtful &= {_key(d) for d in checked.diagnostics}
    return [key for key in found if key not in doubtful]


def settings(
    signature: Signature, players: int | None = None, given: Mapping[str, Value] | None = None
) -> Iterator[tuple[Setting, int]]:
    """Yield the settings to be tried, each with how many pairs of values occur for the first time in it.

    Each number of players comes with the defaults, and then a covering array.  With a number of players, or values of
    options, that are given there are only those that have them.  Raises SettingError where there are none.
    """
    given = given or {}
    low, high = signature.players if players is None else (players, players)
    defaults: list[Setting] = []
    first: list[tuple[int, ...]] = []
    refused: SettingError | None = None
    for count in range(low, high + 1):
        try:
            defaults.append(signature.setting(count, given))
        except SettingError as error:  # A range that depends on the number of players may not have the value.
            refused = refused or error
            continue
        options = signature.begin(count).options
        chosen = (0 if option.name in given else option.samples().index(option.default) for option in options)
        first.append((len(first), *chosen))
    if not defaults:
        assert refused is not None
        raise refused
    names = [option.name for option in options]
    for number, (row, new) in enumerate(covering_array([len(defaults), *levels(signature, given)], first)):
        if number < len(defaults):
            yield defaults[number], new
            continue
        with suppress(SettingError):
            numbers = dict(zip(names, row[1:], strict=True))
            yield signature.sample(defaults[row[0]].players, numbers, given), new


def _affordable(coming: Iterator[tuple[Setting, int]]) -> Iterator[tuple[Setting, int]]:
    """Yield settings as far as the budget of work allows to find them."""
    with suppress(OverBudgetError):
        yield from coming


def levels(signature: Signature, given: Mapping[str, Value]) -> list[int]:
    """Return how many samples each option has; a range that depends on something may have more than by default."""
    hanging = {decl.name for decl in signature.declarations if signature.asks(decl)}
    return [
        1 if option.name in given else max(3 if option.name in hanging else 0, len(option.samples()))
        for option in signature.begin().options
    ]


def _key(diagnostic: Diagnostic) -> _Key:
    """Return what makes two diagnostics one mistake; their numbers may differ from setting to setting."""
    span: Span = diagnostic.span
    return (diagnostic.code, span.source.name, span.start, span.end)


def _noted(diagnostic: Diagnostic, where: str) -> Diagnostic:
    """Return a diagnostic that says in which setting it was met."""
    return attrs.evolve(diagnostic, note=f"{diagnostic.note}; {where}" if diagnostic.note else where)


def _cause(checker: Checker, setting: Setting, key: _Key, *, absent: bool, whole: bool, least: int) -> str:
    """Say in which setting a mistake is met: what of it differs from the default and is needed for the mistake.

    If it is `absent`, it is met with the default and not in this setting: what is needed to be without it.

    One option after another, and at last the number of players, goes back to its default as long as the mistake stays
    (delta debugging, one at a time) and the budget of work has `least` units left; `whole` leaves that out.
    """
    signature = checker.signature
    default = signature.setting(setting.players)
    needed = {name: value for name, value in setting.options if default[name] != value}
    players: int = setting.players

    def met(players: int, options: dict[str, Value]) -> bool:
        if current().left < least:
            return False
        try:
            other = signature.setting(players, options)
        except SettingError:  # A range that depends on what was taken back.
            return False
        return any(_key(d) == key for d in checker.check(other, playable=False).diagnostics) != absent

    if not whole:
        for name in [*needed]:
            fewer = {other: value for other, value in needed.items() if other != name}
            if met(players, fewer):
                needed = fewer
        if players != signature.players[0] and met(signature.players[0], needed):
            players = signature.players[0]
    parts = [number_of_players((players, players))] if players != signature.players[0] else []
    word = "not with" if absent else "with"
    return f"{word} " + ", ".join([*parts, *(f"{name} = {word_of(value)}" for name, value in needed.items())])


def summarize(game: Game) -> Summary:
    """Return what a game amounts to."""

    actions: dict[str, int] = {}
    for shape in sorted(game.program.shapes, key=lambda s: s.base):
        actions[shape.verb] = actions.get(shape.verb, 0) + shape.size
    choices = {id(n.choice) for n in game.program.nodes if isinstance(n, Decision)}
    return Summary(
        title=game.title,
        players=game.rules.player_range,
        cards=game.num_cards,
        faces=game.num_faces,
        options=game.option_texts(),
        phases=len({phase.name for phase in game.rules.phases}),
        decisions=len(choices),
        actions=actions,
        longest=game.max_decisions,
        utility=game.utility,
        utility_range=game.utility_range,
        tags=len({tag for tag, _ in game.rules.tags}),
    )
