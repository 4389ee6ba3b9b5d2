"""Check a spec for everything that somebody can ask of it, not only for what is played by default.

A game is compiled for one number of players and one value of each option, so a mistake can hide in a
setting that nobody tried.  `validate` checks the default, every number of players, and every value of
each option one at a time (the ends of a range); what it finds is put together, each mistake once.  What
an option may make so on purpose (`Code.every_setting`) is told only where no setting is without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from grammar.ast import GameDecl, OptionDecl, Spec
from grammar.codes import REGISTRY
from grammar.diagnostics import Diagnostic, SpecError
from grammar.source import Span, read_source
from interpreter.analysis.types import Bool, Int

if TYPE_CHECKING:
    from interpreter.analysis.checker import Checked
    from interpreter.runtime.game import Game

MOST_SETTINGS = 200
"""Settings that are tried at most; `Validation.skipped` counts the others."""


@attrs.frozen
class Setting:
    """One way to play: a number of players (None: the least) and options that differ from the default."""

    players: int | None = None
    options: tuple[tuple[str, int | bool], ...] = ()
    words: str = ""


@attrs.frozen
class Summary:
    """What a sound spec amounts to, in its default setting unless said otherwise.

    `actions` counts the small actions by verb; `longest` is in small actions; `tags` are the rule tags.
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
    """What was found about a spec: every diagnostic once, and a summary where there is no error."""

    path: Path
    diagnostics: tuple[Diagnostic, ...]
    summary: Summary | None
    settings: int
    skipped: int

    @property
    def sound(self) -> bool:
        """Whether the spec can be played in every setting that was tried."""
        return not any(d.is_error for d in self.diagnostics)


def validate(spec: str | Path) -> Validation:
    """Check a spec in every setting.  Raises SpecNotFound, and OSError where the file cannot be read."""
    from interpreter.loader import assemble, find_spec

    path = find_spec(spec)
    source = read_source(path)
    try:
        tree = assemble(source, path.parent)
    except SpecError as error:
        return Validation(path, error.diagnostics, None, 0, 0)
    return validate_tree(tree, path)


def validate_tree(tree: Spec, path: Path) -> Validation:
    """Check a syntax tree, whose parts are already put together, in every setting."""
    from interpreter.analysis.checker import check_spec

    default = check_spec(tree, None, {})
    found: dict[tuple[str, str, int, int], Diagnostic] = {_key(d): d for d in default.diagnostics}
    times = Counter(found.keys())
    tried = 1
    skipped = 0
    for setting in _settings(tree, default):
        if tried == MOST_SETTINGS:
            skipped += 1
            continue
        tried += 1
        for diagnostic in check_spec(tree, setting.players, dict(setting.options)).diagnostics:
            found.setdefault(_key(diagnostic), _noted(diagnostic, setting))
            times[_key(diagnostic)] += 1
    found = {key: d for key, d in found.items() if times[key] == tried or not REGISTRY[d.code].every_setting}
    sound = not any(d.is_error for d in found.values())
    summary = None
    if sound:
        from interpreter.runtime.front import Front

        summary = summarize(Front.of(default.sound(), tree, {}).game())
    return Validation(path, tuple(found.values()), summary, tried, skipped)


def _key(diagnostic: Diagnostic) -> tuple[str, str, int, int]:
    """Return what makes two diagnostics one mistake; their numbers may differ from setting to setting."""
    span: Span = diagnostic.span
    return (diagnostic.code, span.source.name, span.start, span.end)


def _noted(diagnostic: Diagnostic, setting: Setting) -> Diagnostic:
    """Return a diagnostic that says in which setting it was met."""
    note = f"{diagnostic.note}; {setting.words}" if diagnostic.note else setting.words
    return attrs.evolve(diagnostic, note=note)


def _settings(tree: Spec, default: Checked) -> Iterator[Setting]:
    """Yield every setting but the default."""
    low, high = _player_range(tree, default)
    for players in range(low + 1, high + 1):
        yield Setting(players, (), f"with {players} players")
    declared = {o.name: o for o in default.rules.options} if default.rules is not None else {}
    for item in tree.items:
        if not isinstance(item, OptionDecl):
            continue
        values: list[tuple[int | bool, str]] = [(n, word) for n, word in enumerate(item.choices)]
        option = declared.get(item.name)
        if not values and option is not None:
            if isinstance(option.type, Bool):
                values = [(False, "false"), (True, "true")]
            elif isinstance(option.type, Int) and option.type.low is not None and option.type.high is not None:
                values = [(n, str(n)) for n in dict.fromkeys((option.type.low, option.type.high))]
        for value, word in values:
            if option is None or option.default != value:
                yield Setting(None, ((item.name, value),), f"with {item.name} = {word}")


def _player_range(tree: Spec, default: Checked) -> tuple[int, int]:
    if default.rules is not None:
        return default.rules.player_range
    from interpreter.analysis import expressions
    from interpreter.analysis.context import Context
    from interpreter.analysis.facts import read_facts

    cx = Context(2, {})
    cx.check_expr = expressions.check
    game = next((item for item in tree.items if isinstance(item, GameDecl)), None)
    return read_facts(cx, game, tree.span).players


def summarize(game: Game) -> Summary:
    """Return what a game amounts to."""
    from interpreter.program.nodes import Decision

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
        phases=len(game.rules.phases),
        decisions=len(choices),
        actions=actions,
        longest=game.max_game_length,
        utility=game.utility,
        utility_range=game.utility_range,
        tags=len({tag for tag, _ in game.rules.tags}),
    )
