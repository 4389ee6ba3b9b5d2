"""Generated Python, made ready to run; and as it is kept, to be made ready again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.runtime.sheet import Spans

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.program.layout import Layout


@attrs.frozen(eq=False)
class Code:
    """The generated functions of a game, by node.

    `layout` says where everything lies in a state; code that was kept knows only how many slots there are.
    `text` is the Python, `tables` what it refers to.
    """

    text: str
    tables: dict[str, Any]
    size: int
    picked: int
    layout: Layout | None
    file: str
    spans: tuple[Span | None, ...] | Spans
    run: tuple[Callable[..., int], ...]
    legal: tuple[Any, ...]
    apply: tuple[Any, ...]
    prompt: tuple[Any, ...]
    invariants: tuple[Callable[..., bool], ...]
    explain: dict[int, Any]
    begin: dict[int, Any]
    names: dict[str, Any]


@attrs.frozen(eq=False)
class KeptCode:
    """Generated Python as it is kept, with what it refers to.

    `tables` are objects by name; `spans` has a place in the spec for each line; a state has `size` slots, of
    which `picked` keeps the cards of a set that is being chosen.
    """

    text: str
    tables: dict[str, Any]
    spans: Spans
    size: int
    picked: int

    @classmethod
    def of(cls, code: Code) -> KeptCode:
        """Return what is needed to make code again that only plays."""
        spans = code.spans if isinstance(code.spans, Spans) else Spans.of(code.spans)
        return cls(code.text, code.tables, spans, code.size, code.picked)


def carried_out(text: str, file: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the names that a text defines, beside those that it is given; these are all that it can reach."""
    names: dict[str, Any] = {"__builtins__": _BUILTINS, **given}
    exec(compile(text, file, "exec"), names)
    return names


def code_of(
    text: str,
    tables: dict[str, Any],
    names: dict[str, Any],
    file: str,
    spans: tuple[Span | None, ...] | Spans,
    layout: Layout | None,
    size: int,
    picked: int,
) -> Code:
    """Return the code of a text whose functions have these names."""
    run, legal, apply, prompt, invariants = (names.get(n, ()) for n in _LISTED)
    return Code(
        text, tables, size, picked, layout, file, spans, run, legal, apply, prompt, invariants,
        names.get("EXPLAIN", {}), names.get("BEGIN", {}), names,
    )  # fmt: skip


_LISTED = ("RUN", "LEGAL", "APPLY", "PROMPT", "INVARIANTS")
_BUILTINS = {f.__name__: f for f in (len, sum, min, max, any, abs, sorted, set, list, tuple, range, next, reversed,
                                     map, filter)}  # fmt: skip
"""All of Python that generated code can reach."""
