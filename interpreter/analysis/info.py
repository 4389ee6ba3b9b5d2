"""The checker's findings by syntax node: the type of each expression, its constant, and the referent of each name.

The checker leaves them as `go/types` leaves its `Info`.  Code that works on the tree that an author wrote (rulebooks,
pictures) looks here, and neither infers a type, nor folds a constant, nor looks up a name again.  Nodes are
distinguished as objects, since two that say the same can mean different things.
"""

from __future__ import annotations

from typing import TypeVar

import attrs

from grammar.expressions import Expr, Node, evolved
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.symbols import Kind, Local, Option, Zone
from interpreter.analysis.types import UNKNOWN, EnumType, Type, Unknown

Symbol = Option | EnumType | Kind | Zone | Variable | Define | Phase
"""Meanings that a name has everywhere in a spec."""


@attrs.frozen
class Part:
    """A name that has a meaning inside another: a value or column of an enumeration, an attribute of a kind of card."""

    owner: EnumType | Kind
    name: str


Meaning = Symbol | Local | Part
"""The referent of a name in a spec."""

_Node = TypeVar("_Node", bound=Node)


@attrs.define(eq=False)
class Info:
    """The checker's findings about the syntax nodes of a spec, in one setting.

    The keys are the `id` of nodes.  The nodes are kept too, so that no other object gets the same `id`.
    """

    _checked: dict[int, tuple[Node, core.Expr]] = attrs.field(factory=dict)
    _symbols: dict[int, tuple[Node, Symbol | Local]] = attrs.field(factory=dict)
    _texts: dict[int, tuple[Node, tuple[str | Expr, ...]]] = attrs.field(factory=dict)
    declared: dict[str, tuple[Symbol, Span]] = attrs.field(factory=dict)
    """The names that the whole spec can use, each with what it means and the span of its declaration."""
    mentions: list[tuple[Span, Meaning]] = attrs.field(factory=list)
    """Names that are no nodes of their own, by span: values, kinds, attributes, types and phases."""

    def note(self, node: Node, checked: core.Expr) -> None:
        """Store the checked form of an expression, of a pattern, or of the test of a case.

        The body of a definition is checked again if an argument is a set that is being chosen; the first result stays.
        """
        known = self._checked.get(id(node))
        if known is None or isinstance(known[1].type, Unknown):
            self._checked[id(node)] = node, checked

    def refer(self, node: Node, symbol: Symbol | Local) -> None:
        """Keep what a name refers to, or what it is that a node gives a name to."""
        self._symbols.setdefault(id(node), (node, symbol))

    def referred(self) -> list[tuple[Node, Symbol | Local]]:
        """Return the nodes that refer to something or give a name to it, each with what that is."""
        return list(self._symbols.values())

    def hear(self, node: Node, text: tuple[str | Expr, ...]) -> None:
        """Keep the words of a text for people, and the values in its braces."""
        self._texts[id(node)] = node, text

    def copy(self) -> Info:
        """Return tables to which nodes of another tree can be added."""
        copied = Info(dict(self._checked), dict(self._symbols), dict(self._texts))
        copied.declared, copied.mentions = dict(self.declared), list(self.mentions)
        return copied

    def like(self, old: Node, new: _Node) -> _Node:
        """Copy the findings of an old node to the new one that replaces it, and return the new one."""
        if (checked := self._checked.get(id(old))) is not None:
            self._checked[id(new)] = new, checked[1]
        if (symbol := self._symbols.get(id(old))) is not None:
            self._symbols[id(new)] = new, symbol[1]
        if (text := self._texts.get(id(old))) is not None:
            self._texts[id(new)] = new, text[1]
        return new

    def changed(self, node: _Node, **changes: object) -> _Node:
        """Return a node with some parts changed, of which the same is known."""
        return self.like(node, evolved(node, **changes))

    def checked(self, node: Node) -> core.Expr | None:
        """Return what an expression has become; None for what was not checked."""
        found = self._checked.get(id(node))
        return None if found is None else found[1]

    def type(self, node: Node) -> Type:
        """Return the type of an expression, or of what a node gives a name to."""
        checked, symbol = self.checked(node), self.symbol(node)
        if checked is not None:
            return checked.type
        return symbol.type if isinstance(symbol, Local | Variable) else UNKNOWN

    def constant(self, node: Node) -> int | bool | None:
        """Return the value that an expression has throughout every play; None where it has none, or is `none`."""
        checked = self.checked(node)
        return checked.value if isinstance(checked, core.Const) else None

    def symbol(self, node: Node) -> Symbol | Local | None:
        """Return what a name refers to, or what a node gives a name to; None for values of enumerations."""
        found = self._symbols.get(id(node))
        return None if found is None else found[1]

    def text(self, node: Node) -> tuple[str | Expr, ...]:
        """Return the words of the text of a statement, and the values in its braces."""
        return self._texts[id(node)][1]
