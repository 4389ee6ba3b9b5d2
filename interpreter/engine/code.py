"""Generated Python: compiled to functions, and its form in the cache."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from types import CodeType
from typing import TYPE_CHECKING, Any
from zlib import crc32

import attrs

if TYPE_CHECKING:
    from interpreter.program.python.module import Generated


@attrs.frozen(eq=False)
class KeptCode:
    """Generated Python as it is kept, with what it refers to.

    `tables` are objects by name; a state has `size` slots, of which `picked` keeps the cards of a set that is being
    chosen.  `binary` is the marshalled code object of the text, so that the next start with the same Python need not
    compile it.
    """

    text: str
    tables: dict[str, Any]
    size: int
    picked: int
    binary: bytes | None = None

    @classmethod
    def of(cls, made: Generated) -> KeptCode:
        """Return what a text that was just generated needs in order to play."""
        return cls(made.text, made.tables, made.layout.size, made.layout.picked)


@attrs.frozen(eq=False, kw_only=True)
class Code:
    """The generated functions of a game, by node.

    They were made from `kept`, whose numbers of slots are here again; `names` is all that its text defines.
    """

    kept: KeptCode
    file: str
    names: dict[str, Any]
    compiled: CodeType
    size: int
    picked: int
    run: tuple[Callable[..., int], ...]
    legal: tuple[Any, ...]
    apply: tuple[Any, ...]
    prompt: tuple[Any, ...]
    invariants: tuple[Callable[..., bool], ...]
    origins: dict[int, Any]
    due: dict[int, Any]
    begin: dict[int, Any]

    @classmethod
    def of(cls, kept: KeptCode, file: str, given: dict[str, Any]) -> Code:
        """Carry out a text, beside the names that it is given, and return its functions.

        In tracebacks the text is a file whose name begins so and goes on with a checksum, so that each shows its lines.
        """
        file = f"{file}-{crc32(kept.text.encode()):08x}"
        compiled = compile(kept.text, file, "exec") if kept.binary is None else marshal.loads(kept.binary)
        names = _carried_out(kept.text, file, compiled, {**given, **kept.tables})
        return cls(
            kept=kept,
            file=file,
            names=names,
            compiled=compiled,
            size=kept.size,
            picked=kept.picked,
            **_by_node(names),
        )


def carried_out(text: str, file: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the names that a text defines, beside those that it is given; these are all that it can reach."""
    return _carried_out(text, file, compile(text, file, "exec"), given)


def _carried_out(text: str, file: str, compiled: CodeType, given: dict[str, Any]) -> dict[str, Any]:
    names: dict[str, Any] = {"__builtins__": _BUILTINS, "__name__": file, "__loader__": _Source(text), **given}
    exec(compiled, names)
    return names


@attrs.frozen
class _Source:
    """A loader by which `linecache`, and so a traceback, finds the lines of generated code."""

    text: str

    def get_source(self, name: str) -> str:
        """Return the text."""
        del name
        return self.text


_BUILTINS = {f.__name__: f for f in (len, sum, min, max, any, abs, sorted, set, list, tuple, range, next, reversed,
                                     map, filter)}  # fmt: skip
"""All of Python that generated code can reach."""


def _by_node(names: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of `Code` that list functions by node, from all that a text defines."""
    lists = {part: names.get(part.upper(), ()) for part in ("run", "legal", "apply", "prompt", "invariants")}
    return {**lists, **{part: names.get(part.upper(), {}) for part in ("origins", "due", "begin")}}
