"""What makes loops of generated C short: conditions that end a range, masks, and measures of growing subsets."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from interpreter.analysis import core
from interpreter.analysis.symbols import Local


class Prefix(msgspec.Struct, frozen=True):
    """A condition that holds for the first numbers of a range alone: up to the one, by the name `local`, that `fails`.

    `rest` is what else is tested, after `steps` are counted and rules with `tags` are reached.
    """

    local: Local
    fails: core.Expr
    rest: core.Expr | None
    steps: core.Expr | None
    tags: tuple[str, ...]


class MaskForm(NamedTuple):
    """How C writes a mask, the set of all values for which a condition holds; how its operations begin."""

    type: str
    all: str
    none: str
    name: str


SETS = MaskForm("set_t", "ALL", "set_none()", "set")
WORDS = MaskForm("u64", "~(u64)0", "(u64)0", "bits")
"""The masks of conditions on a card, and on a number below 64: bit n is set where one holds for n."""


class Growing(msgspec.Struct):
    """Incremental measures of the subset that a loop is at: out of those of the subset without its last card.

    That subset came before, so an array by the number of cards has them.
    """

    item: str
    measures: dict[tuple[str, str], str] = msgspec.field(default_factory=dict)
    begin: list[str] = msgspec.field(default_factory=list)
    update: list[str] = msgspec.field(default_factory=list)

    def measure(self, what: str, kind: str, table: str) -> str:
        """Return a measure of the whole subset by a table of cards: `sum`, `values` as bits, or those met `twice`."""
        key, count = (what, table), f"{self.item}_n"
        if key not in self.measures:
            name = self.measures[key] = f"{self.item}_{what}{len(self.measures)}"
            card = f"{table}[{self.item}_.card]"
            bit = f"(u64)1 << {card}"
            more = {
                "sum": f"+ {card}",
                "values": f"| {bit}",
                "twice": f"| ({self.measures.get(('values', table))}[{count} - 1] & {bit})",
            }
            self.begin.append(f"{kind} {name}[CARDS + 1]; {name}[0] = 0;")
            self.update.append(f"if ({count}) {name}[{count}] = {name}[{count} - 1] {more[what]};")
        return f"{self.measures[key]}[{count}]"
