"""Blame: which line of a variant is the cause of a diagnostic in its base.

A diagnostic inside of the base that the base does not have by itself is due to the variant.  Its cause is the change
without which it is not found: each change is left out in turn, and the rest checked again (a counterfactual).  That is
paid only where something is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import attrs

from grammar import ast as syntax
from grammar.diagnostics import Diagnostic, Label, SpecError
from grammar.expressions import evolved
from grammar.source import Source, Span
from interpreter.analysis.edits import path_to
from interpreter.analysis.variants import reassembled

MOST_CHANGES = 32
"""Changes that are tried; a variant of more changes gets its other diagnostics where they are found."""

Recheck = Callable[[syntax.Spec], Iterable[Diagnostic]]
"""Checks any spec and returns its diagnostics; never raises."""

_Key = tuple[str, Source, int, int]


def attributed(spec: syntax.Spec, found: Iterable[Diagnostic], recheck: Recheck) -> list[Diagnostic]:
    """Return diagnostics of a spec, those that a variant causes in its base at the variant's own line."""
    variant, found = spec.variant, list(found)
    if variant is None:
        return found
    files = {item.span.source for item in variant.base.items}
    kept = [d for d in found if d.span.source not in files]
    foreign = [d for d in found if d.span.source in files]
    if not foreign:
        return kept
    known = set(map(_key, recheck(variant.base)))
    kept += attributed(variant.base, [d for d in foreign if _key(d) in known], recheck)
    caused = [d for d in foreign if _key(d) not in known]
    return kept + (_blamed(variant, caused, len(found), recheck) if caused else [])


def _key(diagnostic: Diagnostic) -> _Key:
    return diagnostic.code, diagnostic.span.source, diagnostic.span.start, diagnostic.span.end


def _blamed(variant: syntax.Variant, caused: list[Diagnostic], total: int, recheck: Recheck) -> list[Diagnostic]:
    """Return diagnostics at the changes that cause them, once for each change and message."""
    changes = list(_changes(variant.own))[:MOST_CHANGES]
    without: list[tuple[Span, set[_Key]]] = []
    for span, own in changes:
        try:
            without.append((span, set(map(_key, recheck(reassembled(variant, own))))))
        except SpecError:
            continue
    made: dict[tuple[Span, str, str], Diagnostic] = {}
    for one in caused:
        # A change whose absence breaks something else may only hide the diagnostic.
        causes = [(len(keys) >= total, len(keys), n) for n, (_, keys) in enumerate(without) if _key(one) not in keys]
        cause = without[min(causes)[2]][0] if causes else one.span
        key = cause, one.code, one.message
        if key in made:
            labels = (*made[key].labels, Label(one.span, "and here"))
            made[key] = attrs.evolve(made[key], labels=labels)
        else:
            made[key] = _moved(variant, one, cause) if causes else one
    return list(made.values())


def _changes(own: syntax.Spec) -> Iterator[tuple[Span, syntax.Spec]]:
    """Give each change of a variant by its span, with the variant that lacks it."""
    for number, item in enumerate(own.items):
        before, after = own.items[:number], own.items[number + 1 :]
        if isinstance(item, syntax.InPlace) and len(item.edits) > 1:
            for place, edit in enumerate(item.edits):
                rest = evolved(item, edits=(*item.edits[:place], *item.edits[place + 1 :]))
                yield edit.span, evolved(own, items=(*before, rest, *after))
        elif not isinstance(item, syntax.Extends | syntax.Use):
            yield item.span, evolved(own, items=(*before, *after))


def _moved(variant: syntax.Variant, one: Diagnostic, span: Span) -> Diagnostic:
    """Return a diagnostic at the line that causes it; its help says how the variant reaches the place."""
    path = path_to(variant.base.items, one.span)
    help_ = f"{one.help}; " if one.help else ""
    where = f"a variant changes that place with `in {path}: ..`" if path else "change that place too"
    labels = (Label(one.span, "it is found here, due to this change"), *one.labels)
    return Diagnostic(one.code, one.message, span, help_ + where, one.severity, labels, one.note)
