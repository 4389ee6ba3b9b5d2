"""Game data and generated text as JSON and back.

Numbers, words, truth values, absence and lists are themselves; everything else is an object with one key that
says what it is.  Only values that are named here come back, so reading a text can at worst fail.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import Any

import attrs

from grammar.source import Source
from interpreter.analysis import types
from interpreter.analysis.card_faces import Face
from interpreter.engine.code import KeptCode
from interpreter.engine.game_data import (
    ActionData,
    ArgumentData,
    DecisionData,
    GameData,
    Place,
    Slot,
    Spans,
    StageData,
)
from interpreter.engine.outcome import Team
from interpreter.program.action_blocks import ActionBlock
from interpreter.setting import Setting

_CLASSES: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
        types.Int, types.Bool, types.EnumType, types.Player, types.Card, types.Cards, types.Sequence, types.Tuple,
        types.Nothing, types.Optional, Face, Setting, ActionBlock, Place, Slot, Team, ArgumentData, StageData,
        ActionData, DecisionData, GameData, KeptCode,
    )
}  # fmt: skip
_FIELDS = {cls: tuple(field.name for field in attrs.fields(cls)) for cls in _CLASSES.values()}
_MAKERS: dict[str, Any] = {"()": tuple, "{}": frozenset, "{:}": dict, "bytes": b64decode}


class Unpackable(TypeError):  # noqa: N818
    """A value that cannot be written down, and so cannot be kept."""


def packed(value: object, sources: dict[Source, int]) -> str:
    """Return a value as JSON on one line.  Raises Unpackable.

    `sources` are the texts that spans may point into, by number.
    """
    return json.dumps(_packed(value, sources), separators=(",", ":"))


def unpacked(text: str, sources: tuple[Source, ...]) -> Any:
    """Return the value that was written down.  Raises ValueError, TypeError or KeyError where the text is none."""

    def made(found: dict[str, Any]) -> Any:
        ((kind, parts),) = found.items()
        if kind in _CLASSES:
            return _CLASSES[kind](*parts)
        if kind == "spans":
            order, numbers = parts
            return Spans(tuple(sources[number] for number in order), numbers)
        return _MAKERS[kind](parts)

    return json.loads(text, object_hook=made)


def _packed(value: Any, sources: dict[Source, int]) -> Any:
    kind = type(value)
    if kind in (int, bool, str, float, type(None)):
        return value
    if kind is list:
        return [_packed(item, sources) for item in value]
    if isinstance(value, tuple):
        return {"()": [_packed(item, sources) for item in value]}
    if kind is frozenset:
        return {"{}": sorted(_packed(item, sources) for item in value)}
    if kind is bytes:
        return {"bytes": b64encode(value).decode("ascii")}
    if kind is dict:
        return {"{:}": [[_packed(key, sources), _packed(item, sources)] for key, item in value.items()]}
    if kind is Spans:
        return {"spans": [[sources[source] for source in value.sources], value.numbers]}
    if kind is types.EnumType:  # A column of an enumeration may be of values of the same one.
        value = attrs.evolve(value, attributes={n: (_without_table(t), v) for n, (t, v) in value.attributes.items()})
    if kind in _FIELDS:
        return {kind.__name__: [_packed(getattr(value, name), sources) for name in _FIELDS[kind]]}
    raise Unpackable(kind.__name__)


def _without_table(type_: types.Type) -> types.Type:
    """Return the type of a column: of an enumeration, the names and texts of its values are enough."""
    base = types.base_of(type_)
    if not isinstance(base, types.EnumType):
        return type_
    bare = attrs.evolve(base, attributes={})
    return types.optional(bare) if types.is_optional(type_) else bare
