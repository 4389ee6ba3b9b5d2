"""From a spec to a game: find the file, put its parts together, check, compile."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grammar.diagnostics import CardgameError, SpecError
from grammar.source import Source, Span, read_source
from grammar.suggest import nearest
from interpreter.analysis.budget import MOST_WORK, budget
from interpreter.analysis.files import SUFFIX, Files, bundled_folder
from interpreter.analysis.reading import read
from interpreter.engine.pickling import remembered, revived_by
from interpreter.setting import Setting, Signature, word_of

if TYPE_CHECKING:
    from grammar.ast import Spec
    from interpreter.analysis.rules import Rules
    from interpreter.engine.compilation import Compilation
    from interpreter.engine.game import Game

NATIVE = "CARDGAME_NATIVE"
"""The variable that makes every game native (`on`) unless the caller decides it."""

CLASSICS = "classics/"
VARIANTS = "variants/"


class SpecNotFoundError(CardgameError, FileNotFoundError):
    """There is no such file, and no bundled game of that name."""


@cache
def _bundled() -> dict[str, Path]:
    """Return the specs that come with the program, by name: `NAME`, `classics/NAME` and `variants/NAME`."""
    folder = bundled_folder()
    return {
        inside + path.stem: path for inside in ("", CLASSICS, VARIANTS) for path in (folder / inside).glob("*" + SUFFIX)
    }


def bundled_games() -> list[str]:
    """Return the names of the games that come with the program, sorted; the classics last, as `classics/NAME`."""
    return sorted((n for n in _bundled() if not n.startswith(VARIANTS)), key=lambda n: (n.startswith(CLASSICS), n))


def bundled_variants() -> list[str]:
    """Return the names of the variants that come with the program (`variants/NAME`), sorted."""
    return sorted(name for name in _bundled() if name.startswith(VARIANTS))


def bundled_name(name: str) -> str | None:
    """Return the full name of a bundled spec, given it with or without its folder and ending; None for others."""
    bundled, name = _bundled(), name.removesuffix(SUFFIX)
    return name if name in bundled else {path.stem: full for full, path in bundled.items()}.get(name)


def find_spec(spec: str | Path) -> Path:
    """Return the path of a spec, given a path or a bundled name, whose folder may be left out.

    Raises SpecNotFoundError.
    """
    path = Path(spec)
    if path.is_file():
        return path
    bundled, name = _bundled(), str(spec)
    if (full := bundled_name(name)) is not None:
        return bundled[full]
    if path.is_dir():
        raise SpecNotFoundError(f"`{spec}` is a folder, not a spec; `cardgame list` lists the specs in it")
    stems = [path.stem for path in bundled.values()]
    close = bundled_name(nearest(name.removesuffix(SUFFIX), dict.fromkeys((*stems, *bundled))) or "")
    help_ = f"bundled games: {', '.join(bundled_games())}" if close is None else f"did you mean `{close}`?"
    raise SpecNotFoundError(f"there is no spec `{spec}`; {help_}")


def signature(path: Path) -> Signature:
    """Return what can be set of the spec in a file, without reading its rules if that can be helped.

    A spec whose head is in order is not looked at any further.  Raises SpecError, OSError.
    """
    from grammar.parser import parse_head  # late: kept
    from interpreter.analysis.variants import resolve  # late: kept

    source = read_source(path)
    try:
        found = Signature.of(resolve(parse_head(source), path.parent, parse_head))
        if not found.begin().has_errors:
            return found
    except SpecError:
        pass
    spec = assemble(source, path.parent)
    found = Signature.of(spec)
    if found.begin().has_errors:
        check(spec)
    return found


def load(
    spec: str | Path, players: int | None = None, options: dict[str, Any] | None = None, *, native: bool | None = None
) -> Game:
    """Return the game of a spec, ready to be played.

    `spec` is a path or the name of a bundled game; `players` defaults to the least number the spec
    allows; `options` gives values by name, as text (`"open"`), int or bool; others keep their defaults.  A game that
    was loaded before is ready sooner: it is kept under the user's cache folder (`interpreter.cache`).  `native` lets
    `random_playouts` and the steps of states run as native code, which needs a C compiler, and a second or two when
    either is first requested; None is what the environment says (`CARDGAME_NATIVE=on`).

    Raises SpecNotFoundError; SpecError with every mistake of the spec; SettingError for a number of players or
    an option that the spec does not have; NativeUnavailableError where there can be no native code.
    """
    return _settled(_loaded(spec, players, options), native)


def _loaded(spec: str | Path, players: int | None, options: dict[str, Any] | None) -> Game:
    from interpreter.cache import answer, keep, question  # late: heads

    path = find_spec(spec)
    source, folder = read_source(path), path.parent
    words = {name: word_of(value) for name, value in (options or {}).items()}
    request = question(source, folder, players, words)
    if request is not None:
        kept = answer(request, lambda found: _compilation(source, players, words, folder, Files(found)))
        if kept is not None:
            return kept
    files = Files()
    with budget(MOST_WORK, Span(source, 0, 0)):
        game = _game(_compilation(source, players, words, folder, files)).ready()
    if request is not None:
        keep(request, files.found, game)
    return game


def load_text(
    text: str, players: int | None = None, options: dict[str, Any] | None = None, *, native: bool | None = None
) -> Game:
    """Return the game of a spec given as text, which is not kept; see `load`."""
    source = Source("<text>", text)
    with budget(MOST_WORK, Span(source, 0, 0)):
        return _settled(_game(_compilation(source, players, options or {}, None, Files())).ready(), native)


def _settled(game: Game, native: bool | None) -> Game:
    """Make a game native where that is wanted."""
    if native or (native is None and os.environ.get(NATIVE) == "on"):
        from interpreter.native.plays import make_native  # late: native

        make_native(game)
    return game


def _compilation(
    source: Source, players: int | None, options: dict[str, Any], folder: Path | None, files: Files
) -> Compilation:
    """Go from a text to a program; `folder` is where files that it uses or extends are looked for."""
    return _checked(assemble(source, folder, files), players, options)


def game_of(
    spec: Spec, players: int | None = None, options: dict[str, Any] | None = None, *, native: bool | None = None
) -> Game:
    """Return the game of a syntax tree whose parts are put together (see `assemble`), which is not kept; see `load`.

    For many settings of one spec, which is then parsed only once.
    """
    with budget(MOST_WORK, spec.span):
        return _settled(_game(_checked(spec, players, options or {})).ready(), native)


def _game(compilation: Compilation) -> Game:
    from interpreter.engine.game import Game  # late: heads

    return Game.of(compilation)


def _checked(spec: Spec, players: int | None, options: dict[str, Any]) -> Compilation:
    from interpreter.engine.compilation import Compilation  # late: kept

    return Compilation.of(check(spec, players, options), spec)


def check(spec: Spec, players: int | None = None, options: dict[str, Any] | None = None) -> Rules:
    """Return the checked rules of a syntax tree whose parts are put together, in a setting; see `load`.

    Raises SpecError, and SettingError where the spec is sound so far and what is requested is not.
    """
    from interpreter.analysis.checker import Checker  # late: kept

    checker = Checker(spec)
    signature = checker.signature
    # No requested number of players can be wrong if none is declared.
    setting = None if signature.diagnostics else signature.setting(players, options)
    # Only errors need the line of a variant that causes them, so a sound spec is checked once.
    rules = checker.check(setting, advise=False, attribute=False).rules
    return checker.check(setting, advise=False).sound() if rules is None else rules


def assemble(source: Source, folder: Path | None, files: Files | None = None) -> Spec:
    """Parse a source and put in what it uses and extends.

    Raises SpecError; a mistake of form does not hide those of names and types in the rest of the text.
    """
    reading = read(source, folder, files)
    if reading.diagnostics or reading.tree is None:
        from interpreter.analysis.checker import errors_of, mistakes_of  # late: faults
        from interpreter.analysis.cures import verified  # late: faults

        raise SpecError(verified(mistakes_of(reading), errors_of(source)))
    return reading.tree


@revived_by
def revive(text: str, setting: Setting, native: bool) -> Game:
    """Return the game that was pickled, or compile it anew in another process; what `pickle` calls."""
    game: Game | None = remembered((text, setting, native))
    return _revived(text, setting, native) if game is None else game


@lru_cache(maxsize=16)
def _revived(text: str, setting: Setting, native: bool) -> Game:
    return game_of(_revived_spec(text), setting.players, dict(setting.options), native=native)


@lru_cache(maxsize=4)
def _revived_spec(text: str) -> Spec:
    return assemble(Source("<text>", text), None)


__all__ = [
    "SUFFIX",
    "SpecError",
    "SpecNotFoundError",
    "bundled_games",
    "check",
    "find_spec",
    "game_of",
    "load",
    "load_text",
    "signature",
]
