"""Saved plays: write a play to a file, and continue it later.

A saved play is the spec's name, the players, the options, the seed and what the players chose: chance and
cards are recomputed.  Anyone who has these can compute every hidden card, so they stand in the file packed
and in base 64.  That is a seal against a glance, not against a person who wants to break it: anybody who
holds the rules and the seed can deal the cards again.

    cardgame save 2
    Hearts, 4 players, 3 decisions made.
    Sealed, so that a glance shows no hidden card.  Go on with: cardgame play --load FILE
    <the play, sealed>
    <what was done since, a sealed line each>

Only an autosave (`interpreter.records.autosave`) has further lines, which it adds while the play goes on.  Each is
`[player, sentence]` for a decision, or the number of decisions that are left after some were taken back.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import attrs
import msgspec

from grammar.diagnostics import CardgameError
from grammar.english import counted
from interpreter.engine.data import Text, read_as, read_json
from interpreter.engine.faults import RuleError
from interpreter.records.retelling import retell
from interpreter.records.session import resolve_from_seed
from interpreter.text.names import Names
from interpreter.text.sentences import actions_of

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State
    from interpreter.engine.machine import HistoryItem

FIRST_LINE = "cardgame save 2"
HEAD = 3
"""Lines before those that are sealed."""
_LARGEST = 4_000_000
"""Bytes of a play that is unpacked; the longest of a bundled game has a hundredth."""
MOST_PLAYERS = 1_000
LARGEST_SEED = 10**30 - 1
"""The largest seed, up or down, that a play is written down with."""


class SaveError(CardgameError, ValueError):
    """A file that is no saved play, or not of this game."""


Said = tuple[Annotated[int, msgspec.Meta(ge=0)], Text]
"""A decision: the player from 0, and the sentence."""

Entry = int | Said  # With a bound of the number, msgspec 0.22 reads beyond its memory.
"""The next line of a play: a decision, or the number of decisions that are left after some were taken back."""


class Save(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A saved play, with the decisions in order (`said`).

    `seats` say who plays there, `engines` what the thinking of agents was carried out by so far (`Python`, `C`), since
    another one may choose otherwise.

    Raises ValueError for what cannot be one.
    """

    spec: Text
    digest: Text
    title: Text
    players: Annotated[int, msgspec.Meta(ge=1, le=MOST_PLAYERS)]
    options: dict[Text, Text]
    seats: tuple[Text, ...]
    seed: int
    said: tuple[Said, ...] = ()
    names: dict[Text, Text] = {}
    engines: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        if len(self.seats) != self.players or any(player >= self.players for player, _ in self.said):
            raise ValueError("its players do not fit each other")
        if not all(0 <= player < self.players for player in self.called().by_player):
            raise ValueError("it names players that it does not have")
        if abs(self.seed) > LARGEST_SEED:
            raise ValueError("its seed is too large")

    def called(self) -> Names:
        """Return what the players are called; `names` has their numbers from 1, as text."""
        return Names({int(number) - 1: name for number, name in self.names.items()})

    def after(self, entries: Iterable[Any]) -> Save:
        """Return the play after further decisions, and after those that were taken back.  Raises SaveError."""
        said = list(self.said)
        try:
            for entry in read_as(list(entries), list[Entry]):
                if not isinstance(entry, int):
                    said.append(entry)
                elif 0 <= entry <= len(said):
                    del said[entry:]
                else:
                    raise ValueError("more is left than was there")
            return msgspec.structs.replace(self, said=tuple(said))
        except ValueError:
            raise SaveError("this saved play is damaged") from None


def save_from(data: object) -> Save:
    """Return the saved play that data is.  Raises SaveError."""
    try:
        return read_as(data, Save)
    except ValueError:
        raise SaveError("this saved play is damaged") from None


def obfuscate(data: Any) -> str:
    """Return data as one line that nobody reads at a glance; a sum in it finds damage."""
    return base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode()


def deobfuscate(sealed: str) -> Any:
    """Return the data that was sealed.  Raises ValueError where it is damaged, or too large to be true."""
    try:
        unpacker = zlib.decompressobj()
        found = unpacker.decompress(base64.b64decode(sealed, validate=True), _LARGEST)
    except (binascii.Error, zlib.error) as error:
        raise ValueError("it cannot be decoded") from error
    if not unpacker.eof:
        raise ValueError("it breaks off")
    return read_json(found)


def save_from_history(game: Game, history: Iterable[HistoryItem], spec: str, seats: tuple[str, ...], seed: int) -> Save:
    """Return a play so far from its history; an unfinished decision, or one on which the rules failed, is left out."""
    items = retell(game, history)
    said = tuple((t.actor, t.text) for t in items if t.actor >= 0 and t.whole and t.fault is None)
    return Save(spec, game.digest, game.title, game.num_players, game.option_texts(), seats, seed, said)


def write_save(save: Save) -> str:
    """Return a saved play as the text of a file."""
    lines = [
        FIRST_LINE,
        f"{save.title}, {save.players} players, {counted(len(save.said), 'decision')} made.",
        "Sealed, so that a glance shows no hidden card.  Go on with: cardgame play --load FILE",
        obfuscate(msgspec.structs.asdict(save)),
    ]
    return "\n".join(lines) + "\n"


def read_save(written: str) -> Save:
    """Return the saved play that a file holds, also one that was written while it went on.  Raises SaveError."""
    lines = written.rstrip().split("\n")
    if lines[0].strip() != FIRST_LINE:
        raise SaveError(f"this is no saved play: its first line is not `{FIRST_LINE}`")
    if len(lines) <= HEAD:
        raise SaveError("this saved play is damaged: it breaks off")
    try:
        begun, *entries = [deobfuscate(line.strip()) for line in lines[HEAD:]]
    except ValueError as error:
        raise SaveError(f"this saved play is damaged: {error}") from None
    return save_from(begun).after(entries)


def restore(save: Save, game: Game) -> State:
    """Return the state that a saved play has reached.

    Raises SaveError where the game is not the one that was played, RuleError where a rule fails.
    """
    if save.digest != game.digest:
        raise SaveError("the spec has changed since this play was saved, so it cannot continue")
    found = carry_over(save, game)
    if found.fault is not None:
        raise found.fault
    if found.divergence:
        raise SaveError(found.divergence)
    return found.state


@attrs.frozen
class CarriedOver:
    """A play under rules that may have changed: the state after its first `decisions` decisions.

    `divergence` says why the next one is impossible; it is empty where all could be carried over.  `fault` is the rule
    that failed on the way.
    """

    state: State
    decisions: int
    divergence: str = ""
    fault: RuleError | None = None


def carry_over(save: Save, game: Game) -> CarriedOver:
    """Replay the decisions of a saved play in a game, with chance from its seed, as far as they are legal."""
    found = replay_decisions(game, save.seed, save.said)
    where = f"decision {found.decisions + 1} of this saved play: " if found.divergence else ""
    return attrs.evolve(found, divergence=f"{where}{found.divergence}")


def replay_decisions(game: Game, seed: int, decisions: Sequence[tuple[int, str]]) -> CarriedOver:
    """Replay decisions, each a player from 0 and a sentence, with chance from a seed, as far as they are legal."""
    state = game.new_initial_state()
    number = 0
    try:
        for number, (player, sentence) in enumerate(decisions):
            if state.is_chance_node():
                resolve_from_seed(state, seed)
            if state.current_player() != player:
                return CarriedOver(state, number, f"it is not player {player + 1}'s turn there")
            actions = actions_of(state, sentence)
            if actions is None:
                return CarriedOver(state, number, f"`{sentence}` is not legal there")
            for action in actions:
                state.apply_action(action)
    except RuleError as fault:
        return CarriedOver(state, number, "it breaks a rule", fault)
    return CarriedOver(state, len(decisions))
