"""Settings: the number of players and the options of a spec, and one choice of them.

A `Signature` has the declarations of a spec; a `Setting` is one number of players and a checked value for each option.
Ranges and defaults may depend on the number of players and on earlier options.  So options are evaluated in the order
of their declarations, each with the earlier ones as constants, in one pass.  No other module reads these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from grammar.diagnostics import UNREAD, CardgameError, Cure, Diagnostic, Edit
from grammar.english import counted
from grammar.suggest import did_you_mean
from interpreter.analysis.types import Bool, EnumType, Int

if TYPE_CHECKING:
    from grammar.ast import EnumDecl, GameDecl, OptionDecl, Spec
    from interpreter.analysis.context import Context
    from interpreter.analysis.symbols import Option

MOST_PLAYERS = 12
DEFAULT_DECISIONS = 10_000
MOST_DECISIONS = 1_000_000
KNOWN_FACTS = ("players", "cooperative", "decisions", "source")

Value = int | bool | str
"""The value of an option: a number, true or false, or the word of a choice."""


class SettingError(CardgameError, ValueError):
    """A number of players, or a value of an option, that a game does not have: a mistake of the caller."""


@attrs.frozen
class Setting:
    """A number of players and a value for every option, by name in the order of their declarations.

    `Signature.setting` makes them and checks what is requested.  Settings of one game that are equal are played alike.
    """

    players: int
    options: tuple[tuple[str, Value], ...] = ()

    def __getitem__(self, name: str) -> Value:
        """Return the value of an option.  Raises KeyError where there is none of that name."""
        return dict(self.options)[name]

    def texts(self) -> dict[str, str]:
        """Return the values of the options as they are typed."""
        return {name: word_of(value) for name, value in self.options}

    def __str__(self) -> str:
        parts = [f"{name} = {word_of(value)}" for name, value in self.options]
        return ", ".join([counted(self.players, "player"), *parts])


@attrs.frozen(eq=False)
class Signature:
    """The declarations of a spec about its players and options.

    `players` are the least and the greatest number; `facts` are all lines under `game`.  `diagnostics` are the mistakes
    of `game`; those of options depend on the setting and come with `options`.
    """

    title: str
    players: tuple[int, int]
    cooperative: bool
    max_decisions: int
    facts: tuple[tuple[str, tuple[object, ...]], ...]
    declarations: tuple[OptionDecl, ...]
    enums: tuple[EnumDecl, ...]
    diagnostics: tuple[Diagnostic, ...]
    _later: frozenset[str]
    _unread: frozenset[str] | None

    @classmethod
    def of(cls, spec: Spec, unread: frozenset[str] | None = None) -> Signature:
        """Read a syntax tree whose parts are put together.  What is wrong with it is kept as diagnostics.

        `unread` holds the names in what could not be read of a spec; None of a whole one.
        """
        from grammar.ast import DefineDecl, EnumDecl, Fact, GameDecl, OptionDecl, StateDecl, ZonesDecl  # late: kept
        from interpreter.analysis.check import expressions  # late: kept
        from interpreter.analysis.context import Context  # late: kept

        families = [f for item in spec.items if isinstance(item, ZonesDecl) for z in item.zones for f in z.families]
        families += [
            f for item in spec.items if isinstance(item, StateDecl) for v in item.variables for f in v.families
        ]
        later = {family.name for family in families}
        later |= {item.name for item in spec.items if isinstance(item, DefineDecl)}
        options = tuple(item for item in spec.items if isinstance(item, OptionDecl))
        cx = Context(2, expressions.check, unread=unread)
        game = next((item for item in spec.items if isinstance(item, GameDecl)), None)
        if game is None:
            cx.report("CG215", "there is no section `game`", spec.span, 'begin with `game "Name"` and `players 2`',
                      about=UNREAD)  # fmt: skip
            game = GameDecl("?", (Fact("players", (2,), span=spec.span),), span=spec.span)
        title, players, cooperative, most = _read_game(cx, game)
        return cls(
            title,
            players,
            cooperative,
            most,
            tuple((fact.name, fact.values) for fact in game.facts),
            options,
            tuple(item for item in spec.items if isinstance(item, EnumDecl)),
            tuple(cx.diagnostics),
            frozenset(later),
            unread,
        )

    def setting(self, players: int | None = None, options: Mapping[str, Any] | None = None) -> Setting:
        """Return the setting for a number of players (None: the least) and some options; the others have defaults.

        Options are given by name, as text (`"open"`, `"3"`, `"true"`), int or bool.  Raises SettingError, with what is
        possible instead, for a number of players or a value that the game does not have.
        """
        return _setting(self.begin(players, options))

    def begin(self, players: int | None = None, options: Mapping[str, Any] | None = None) -> Context:
        """Return the beginning of a check: a context in which the options are decided, with what is wrong so far.

        `options` of the context have their ranges and defaults as they are then.  Raises what `setting` raises.
        """
        count = self._count(players)
        given = dict(options or {})
        known = [decl.name for decl in self.declarations]
        for name in given:
            if name not in known:
                raise SettingError(_unknown(name, known))
        return self._decided(count, lambda decl, option, cx: (
            self._value(decl, option, given[decl.name], cx) if decl.name in given else option.default
        ))  # fmt: skip

    def sample(self, players: int, numbers: Mapping[str, int], given: Mapping[str, Any]) -> Setting:
        """Return the setting in which each option has one of its samples, by number; a number beyond is the last.

        Those that are `given` have these values.  Raises SettingError for a value that the game does not have then.
        """

        def chosen(decl: OptionDecl, option: Option, cx: Context) -> int | bool:
            if decl.name in given:
                return self._value(decl, option, given[decl.name], cx)
            samples = option.samples()
            return samples[min(numbers.get(option.name, 0), len(samples) - 1)]

        return _setting(self._decided(players, chosen))

    def _decided(self, players: int, choose: Callable[[OptionDecl, Option, Context], int | bool]) -> Context:
        """Declare the enumerations, then each option with those before it at the values that were chosen."""
        from interpreter.analysis.check import expressions  # late: kept
        from interpreter.analysis.check.declarations import declare_enum, declare_option  # late: kept
        from interpreter.analysis.context import Context  # late: kept

        cx = Context(players, expressions.check, unread=self._unread)
        cx.coming = set(self._later)
        for diagnostic in self.diagnostics:
            cx.add(diagnostic)
        for enum in self.enums:
            declare_enum(cx, enum)
        cx.undecided = {decl.name for decl in self.declarations}
        chosen: set[str] = set()
        for decl in self.declarations:
            option = declare_option(cx, decl)
            # A second declaration is reported elsewhere; the option has the value of the first.
            option.value = option.default if decl.name in chosen else choose(decl, option, cx)
            chosen.add(decl.name)
            cx.undecided.discard(decl.name)
        return cx

    def asks(self, decl: OptionDecl) -> frozenset[str]:
        """Return the names that the range and the default of an option read: of options, and `players`."""
        return frozenset(self._settled & (_names(decl.type) | _names(decl.default)))

    @cached_property
    def _settled(self) -> frozenset[str]:
        """The names with a value before play: `players` and all options."""
        return frozenset({"players", *(decl.name for decl in self.declarations)})

    def _count(self, players: int | None) -> int:
        low, high = self.players
        if players is None:
            return low
        if isinstance(players, bool) or not isinstance(players, int):
            raise SettingError(f"the number of players is a whole number, not {players!r}")
        if not low <= players <= high:
            raise SettingError(f"{self.title} is for {number_of_players(self.players)}, not {players}")
        return players

    def _value(self, decl: OptionDecl, option: Option, given: Any, cx: Context) -> int | bool:
        """Return a requested value in the form of the checker: choices by number."""
        name, text = option.name, word_of(given)
        match option.type:
            case EnumType(values=words):
                if text in words:
                    return words.index(text)
                raise SettingError(f"`{name}` is one of {', '.join(words)}, not `{text}`")
            case Bool():
                if text in ("true", "false"):
                    return text == "true"
                raise SettingError(f"`{name}` is true or false, not `{text}`")
            case Int(low=int(low), high=int(high)) as range_:
                number = _whole(text)
                if number is not None and low <= number <= high:
                    return number
                where = self._where(decl, cx)
                raise SettingError(f"`{name}` is a number in {range_}{where}, not {text if number is None else number}")
            case _:
                return option.value  # Its declaration is wrong, which the diagnostics show.

    def _where(self, decl: OptionDecl, cx: Context) -> str:
        """Say what a range follows from: " with 2 players, a = 5"; nothing where it is always the same."""
        used = _names(decl.type)
        parts = [number_of_players((cx.num_players, cx.num_players))] if "players" in used else []
        parts += [f"{o.name} = {word_of(o.in_words(o.value))}" for o in cx.options if o.name in used]
        return f" with {', '.join(parts)}" if parts else ""


def _setting(cx: Context) -> Setting:
    return Setting(cx.num_players, tuple((option.name, option.in_words(option.value)) for option in cx.options))


def number_of_players(players: tuple[int, int]) -> str:
    """Return how many can play, in words: "2 players", "2 to 4 players"."""
    low, high = players
    return f"{low} to {high} players" if low != high else counted(low, "player")


def word_of(value: Any) -> str:
    """Return the value that a user gives for an option as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_game(cx: Context, game: GameDecl) -> tuple[str, tuple[int, int], bool, int]:
    """Return title, players, whether they play together, and the most decisions; mistakes are reported."""
    from grammar.ast import Fact  # late: kept

    players: tuple[int, int] | None = None
    cooperative = False
    most = DEFAULT_DECISIONS
    seen: set[str] = set()
    for fact in game.facts:
        if fact.name in seen:
            cx.report("CG202", f"`{fact.name}` occurs twice", fact.span)
        seen.add(fact.name)
        match fact:
            case Fact(name="players", values=(int(count),)):
                players = (count, count)
            case Fact(name="players", values=((low, high),)):
                players = (low, high)
            case Fact(name="cooperative", values=()):
                cooperative = True
            case Fact(name="decisions", values=(int(count),)):
                most = count
            case Fact(name="source", values=(str(),)):
                pass
            case _:  # All others are no facts, or have other values than these.
                known = "facts are `players 2..4`, `cooperative`, `at most 500 decisions`"
                message = f"`{fact.name}` is no such fact of a game"
                others = set(KNOWN_FACTS) - {other.name for other in game.facts}
                cx.unknown("CG206", message, fact.name, fact.span, others, known)
    if players is None:
        end = game.span.part(f'"{game.name}"').after
        cure = Cure("write `players 2` or `players 3..5` beneath", (Edit(end, "\n    players 2"),))
        cx.report("CG215", "nothing says how many play", game.span, cure, about=UNREAD)
        players = (2, 2)
    if not 1 <= players[0] <= players[1] <= MOST_PLAYERS:
        cx.report("CG313", f"{players[0]} to {players[1]} players are out of bounds", game.span,
                  f"1 to {MOST_PLAYERS}, the lesser number first")  # fmt: skip
        players = (2, 2)
    if not 1 <= most <= MOST_DECISIONS:
        cx.report("CG313", f"at most {most} decisions is out of bounds", game.span, f"1 to {MOST_DECISIONS}")
        most = DEFAULT_DECISIONS
    return game.name, players, cooperative, most


def _names(node: object) -> set[str]:
    """Return the names that stand in a part of a declaration."""
    from grammar.expressions import Name, walk  # late: kept

    return {part.name for part in walk(node) if isinstance(part, Name)}


def _unknown(name: str, known: list[str]) -> str:
    listed = "options: " + ", ".join(known) if known else "this game has none"
    return f"there is no option `{name}`; {did_you_mean(name, known) or listed}"


def _whole(text: str) -> int | None:
    """Return the number that a text writes in plain digits; None where it is none, or beyond all ranges."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 15 else None
