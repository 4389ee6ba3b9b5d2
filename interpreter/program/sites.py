"""Sites: the numbered places of a program, for faults, provenance, leak reports and coverage.

Generated code stores the number of the statement that it carries out (`st.at = 17`), so that the place of a fault or
of an event is known without a look at the generated text.  Numbers follow the order of the rules, so they are the same
for each compilation of a spec and for all printers.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.rules import Rules


@attrs.frozen(eq=False)
class Sites:
    """The places in the spec that a report can name; the number of a site is its position in `spans`."""

    spans: tuple[Span, ...]
    _numbers: dict[Span, int] = attrs.field(factory=dict, repr=False)

    @classmethod
    def of(cls, rules: Rules) -> Sites:
        """Number the statements, actions, arguments, definitions, result lines and invariants of a game.

        The expressions directly in them have sites of their own.
        """
        numbers: dict[Span, int] = {}
        for span in _spans(rules):
            numbers.setdefault(span, len(numbers))
        return cls(tuple(numbers), numbers)

    def number(self, span: Span) -> int:
        """Return the number of a place in the spec: its own, or that of the innermost site around it."""
        if span not in self._numbers:
            self._numbers[span] = min(
                (n for n, site in enumerate(self.spans) if _contains(site, span)),
                key=lambda n: self.spans[n].end - self.spans[n].start,
                default=0,
            )
        return self._numbers[span]


def _contains(outer: Span, inner: Span) -> bool:
    return outer.source.name == inner.source.name and outer.start <= inner.start and inner.end <= outer.end


def _spans(rules: Rules) -> Iterator[Span]:
    yield rules.play.span
    for define in rules.defines:
        for body in define.bodies:
            yield body.span
            if isinstance(body, core.Chain):
                yield from (part.span for link in body.alternatives for part in link if part is not None)
    for phase in rules.every_phase:
        yield phase.span
        for stmt in core.statements_of(phase):
            yield stmt.span
            yield from (part.span for part in core.children(stmt))
            if isinstance(stmt, core.Choice):
                yield from (action.span for action in core.all_actions(stmt))
            yield from (arg.span for arg in core.arguments(stmt))
    yield from (variable.span for variable in (*rules.variables, *rules.local_variables))
    for line in rules.results:
        yield from (line.span, line.value.span)
    for invariant in rules.invariants:
        yield from (invariant.span, invariant.condition.span)
