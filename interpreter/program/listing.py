"""Print what is kept of the things that an argument of an action can be.

The questions that are the same for all of them (`interpreter.program.ways`) stand in front, each way has a loop of its
own; and what later arguments can be is listed in front of the loops over the earlier ones, where it is always the same.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from interpreter.analysis import core
from interpreter.analysis.substitution import substitute
from interpreter.analysis.types import BOOL
from interpreter.program.statements import StatementPrinter
from interpreter.program.ways import Ask, Drop, Keep, Way, divided


def print_ways(
    base: StatementPrinter, arg: core.Arg, keep: Callable[[str, str], None], drop: Callable[[], None]
) -> None:
    """Print what is kept of an argument's domain: the questions in front, then a loop for each way.

    `keep` prints the loop with the text of what is gone through and that of what is left of the condition (empty:
    everything is kept), `drop` that nothing is kept.  The argument's names are bound by the caller, both to one name.
    """
    _WayPrinter(base, arg, keep, drop).print()


@attrs.define
class _WayPrinter:
    base: StatementPrinter
    arg: core.Arg
    keep: Callable[[str, str], None]
    drop: Callable[[], None]
    domain: str = ""
    listed: dict[str, str] = attrs.field(factory=dict)
    """Lists of what some condition holds for, by its text, where a question in front has made them."""

    def print(self) -> None:
        """Print all ways; a place that is gone through, or asked about, several times gets a name."""
        arg, printer, lines = self.arg, self.base.printer, self.base.lines
        changing = frozenset((arg.local, arg.each))
        way: Way = Keep(None) if arg.where is None else divided(arg.where, changing, printer.hoisting)
        self.domain = printer.print(arg.domain)
        if isinstance(way, Ask) and isinstance(arg.domain, core.ZoneRef) and self.domain.startswith("z["):
            name = printer.fresh()
            lines.add(f"{name} = {self.domain}", arg.span)
            with printer.zones_named({self.domain: name}):
                self.domain = name
                self.of(way)
        else:
            self.of(way)

    def of(self, way: Way) -> None:
        """Print one way."""
        printer, lines, span = self.base.printer, self.base.lines, self.arg.span
        match way:
            case Drop():
                self.drop()
            case Keep(None):
                self.keep(self.domain, "")
            case Keep(condition):
                assert condition is not None
                first, rest = self.first_listed(condition)
                with printer.reckoned_once(rest if first else condition, self.arg.local, self.arg.each) as (text, made):
                    for once, value in made:
                        lines.add(f"{once} = {value}", span)
                    self.keep(first or self.domain, text)
            case Ask(core.Select(which="some" | "no" as which, binder=binder)) if binder.where is not None:
                self.asked(way, binder, which == "some")
            case Ask():
                self.both(f"if {printer.whole_test(way.test)}:", way)

    def both(self, question: str, way: Ask) -> None:
        """Print both ways of a question."""
        lines = self.base.lines
        lines.add(question, self.arg.span)
        lines.depth += 1
        self.of(way.yes)
        lines.depth -= 1
        lines.add("else:")
        lines.depth += 1
        self.of(way.no)
        lines.depth -= 1

    def asked(self, way: Ask, binder: core.Binder, wanted: bool) -> None:
        """Print the question whether there is anything of some sort; a way that keeps just that finds it listed."""
        printer, lines = self.base.printer, self.base.lines
        name = printer.bound[self.arg.each]
        sort = binder.where
        with printer.binding({binder.local: name}), printer.reckoned_once(sort, binder.local) as (text, made):
            if printer.domain(binder) == self.domain and text not in self.listed:
                self.listed[text] = listed = printer.fresh()
                if self.uses(way.yes if wanted else way.no):
                    for once, value in made:
                        lines.add(f"{once} = {value}", self.arg.span)
                    lines.add(f"{listed} = [{name} for {name} in {self.domain} if {text}]", self.arg.span)
                    self.both(f"if {'' if wanted else 'not '}{listed}:", way)
                    del self.listed[text]
                    return
                del self.listed[text]
        self.both(f"if {printer.whole_test(way.test)}:", way)

    def uses(self, way: Way) -> bool:
        """Whether a way, or one behind it, keeps what has been listed last."""
        match way:
            case Ask():
                return self.uses(way.yes) or self.uses(way.no)
            case Keep(condition) if condition is not None:
                return self.first_listed(condition)[0] == list(self.listed.values())[-1]
            case _:
                return False

    def first_listed(self, condition: core.Expr) -> tuple[str, core.Expr | None]:
        """Return the list of what the first part of a condition holds for, if there is one, and the other parts."""
        printer = self.base.printer
        opened = printer.hoisting.opened(condition)
        first, others = opened, list[core.Expr]()
        while isinstance(first, core.Op) and first.op == "and":
            first, other = first.args
            others.insert(0, other)
        if not self.listed:
            return "", opened
        listed = self.listed.get(printer.test(first), "")
        rest: core.Expr | None = None
        for other in others:
            rest = other if rest is None else core.Op("and", (rest, other), BOOL, opened.span)
        return listed, rest


def listed_first(base: StatementPrinter, args: tuple[core.Arg, ...]) -> dict[core.Arg, str]:
    """Print lists of what later arguments can be where that does not depend on the earlier ones; return their names.

    They stand in front of all loops, so that a condition is not asked again for each earlier argument.
    """
    printer, found = base.printer, dict[core.Arg, str]()
    for place, arg in enumerate(args):
        if place == 0 or arg.where is None:
            continue
        parts = [*core.walk(arg.domain), *core.walk(arg.where)]
        earlier = {other.local for other in args[:place]}
        own = frozenset((arg.local, arg.each))
        sure = printer.hoisting.is_sure(arg.domain) and printer.hoisting.is_sure(arg.where, own)
        if not sure or any(isinstance(part, core.LocalRef) and part.local in earlier for part in parts):
            continue
        found[arg] = printer.fresh()
        item = core.LocalRef(arg.local, arg.local.type, arg.span)
        binder = core.Binder(arg.local, arg.domain, None, substitute(arg.where, {arg.each: item}))
        base.lines.add(f"{found[arg]} = {printer.listed(binder)}", arg.span)
    return found
