"""Plays that are left and taken up again.

A saved play is the spec's name, the players, the options, the seed and what the players chose: chance and
cards are recomputed.  Whoever has these can compute every hidden card, so they stand in the file packed
and in base 64.  That is a seal against a glance, not against somebody who wants to break it: anybody who
holds the rules and the seed can deal the cards himself.
"""

from __future__ import annotations

import base64
import binascii
import json
import textwrap
import zlib
from typing import TYPE_CHECKING, Any

import attrs

from grammar.diagnostics import CardgameError
from interpreter.drivers.retelling import retell
from interpreter.drivers.session import Session, resolve_from_seed
from interpreter.runtime.sentences import actions_of

if TYPE_CHECKING:
    from interpreter.runtime.game import Game
    from interpreter.runtime.state import State

FIRST_LINE = "cardgame save 1"
_WIDTH = 76
_LARGEST = 20_000_000


class BadSave(CardgameError, ValueError):  # noqa: N818 - it reads as what it is
    """A file that is no saved play, or not of this game."""


@attrs.frozen
class Save:
    """A saved play.  `said` are the decisions in order: the player from 0, and the sentence."""

    spec: str
    digest: str
    title: str
    players: int
    options: dict[str, str]
    seats: tuple[str, ...]
    seed: int
    said: tuple[tuple[int, str], ...]


def save_of(session: Session, spec: str, seats: tuple[str, ...]) -> Save:
    """Return a play so far; an unfinished decision, or one on which the rules came apart, is left out."""
    game = session.game
    told = retell(game, (item for _, item in session.state.history()))
    said = tuple((t.actor, t.text) for t in told if t.actor >= 0 and t.whole and t.fault is None)
    return Save(spec, game.digest, game.title, game.num_players, game.option_texts(), seats, session.seed, said)


def write_save(save: Save) -> str:
    """Return a saved play as the text of a file."""
    packed = zlib.compress(json.dumps(attrs.asdict(save), separators=(",", ":")).encode(), 9)
    made = "1 decision" if len(save.said) == 1 else f"{len(save.said)} decisions"
    head = [
        FIRST_LINE,
        f"{save.title}, {save.players} players, {made} made.",
        "Sealed, so that a glance shows no hidden card.  Go on with: cardgame play --load FILE",
    ]
    return "\n".join([*head, *textwrap.wrap(base64.b64encode(packed).decode(), _WIDTH)]) + "\n"


def read_save(text: str) -> Save:
    """Return the saved play that a file holds.  Raises BadSave."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise BadSave(f"this is no saved play: its first line is not `{FIRST_LINE}`")
    try:
        unpacker = zlib.decompressobj()
        packed = base64.b64decode("".join(lines[3:]), validate=True)
        data = json.loads(unpacker.decompress(packed, _LARGEST))
        if not unpacker.eof:
            raise BadSave("this saved play is damaged: it breaks off")
        return _checked(data)
    except (binascii.Error, zlib.error, ValueError, TypeError, KeyError) as error:
        if isinstance(error, BadSave):
            raise
        raise BadSave("this saved play is damaged") from None


def _checked(data: Any) -> Save:
    texts = {name: data[name] for name in ("spec", "digest", "title")}
    options, seats, said = data["options"], data["seats"], data["said"]
    fine = (
        all(isinstance(t, str) for t in texts.values())
        and all(isinstance(data[name], int) for name in ("players", "seed"))
        and all(isinstance(v, str) for v in options.values())
        and all(isinstance(s, str) for s in seats)
        and all(isinstance(p, int) and isinstance(t, str) for p, t in said)
    )
    if not fine:
        raise BadSave("this saved play is damaged")
    return Save(
        **texts, players=data["players"], options=dict(options), seats=tuple(seats), seed=data["seed"],
        said=tuple((p, t) for p, t in said),
    )  # fmt: skip


def restore(save: Save, game: Game) -> State:
    """Return the state that a saved play has reached.

    Raises BadSave where the game is not the one that was played, RuleFault where a rule comes apart.
    """
    if save.digest != game.digest:
        raise BadSave("the spec has changed since this play was saved; it cannot go on")
    state = game.new_initial_state()
    for number, (player, text) in enumerate(save.said, 1):
        if state.is_chance_node():
            resolve_from_seed(state, save.seed)
        if state.current_player() != player:
            raise BadSave(f"decision {number} of this saved play is not player {player + 1}'s to make")
        actions = actions_of(state, text)
        if actions is None:
            raise BadSave(f"decision {number} of this saved play, `{text}`, is not legal")
        for action in actions:
            state.apply_action(action)
    return state
