"""Forty mistakes as people make them, and what is said of each: `python -m tests.analysis.mistakes`.

`data/mistakes.txt` has a small spec for each, completed as the examples of codes are (`grammar.codes.sample`).  The
line above it says what the mistake is, the code, the text that is pointed at, and words that name the cause.  Most
cures are edits, which are carried out; where only the author can know what to write, the spec that obeys stands
behind `-->`.
"""

from __future__ import annotations

import re
from pathlib import Path

import attrs

from grammar.codes.sample import complete
from grammar.diagnostics import Diagnostic, SpecError, edited
from grammar.source import Source
from interpreter.analysis.checker import check_spec
from interpreter.loader import assemble

FILE = Path(__file__).parent / "data" / "mistakes.txt"


@attrs.frozen
class Case:
    """A mistake: its name, what is to be said of it, its text, and the text that obeys (empty: the edits do)."""

    name: str
    code: str
    place: str
    words: str
    text: str
    obeyed: str


def cases() -> list[Case]:
    """Return all mistakes."""
    found = []
    for part in re.split(r"^=== ", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, body = part.split("\n", 1)
        name, code, place, words = (field.strip() for field in head.split("|"))
        bad, _, good = body.partition("\n-->\n")
        found.append(Case(name, code, place, words, complete(bad.rstrip() + "\n"), complete(good) if good else ""))
    return found


def said(text: str) -> list[Diagnostic]:
    """Return the errors of a spec."""
    try:
        spec = assemble(Source("spec", text), None)
    except SpecError as error:
        return list(error.diagnostics)
    return [d for d in check_spec(spec).diagnostics if d.is_error]


def problems(case: Case) -> list[str]:
    """Return what is wrong with what is said of a mistake; nothing if place, cause and cure are right."""
    found = said(case.text)
    if [d.code for d in found] != [case.code]:
        return [f"said: {[f'{d.span.line}: {d.code} {d.message}' for d in found]}"]
    (diagnostic,) = found
    wrong = []
    if diagnostic.span.text.split("\n")[0].strip() != case.place:
        wrong.append(f"points at {diagnostic.span.text!r}")
    if case.words not in f"{diagnostic.message}; {diagnostic.help}":
        wrong.append(f"says: {diagnostic.message}; {diagnostic.help}")
    cured = case.obeyed or edited(case.text, diagnostic.edits)
    if cured == case.text or said(cured):
        wrong.append(f"the cure gives {[f'{d.span.line}: {d.code} {d.message}' for d in said(cured)]}")
    return wrong


def main() -> None:
    """Print the table."""
    everything = cases()
    right = 0
    for number, case in enumerate(everything, 1):
        wrong = problems(case)
        right += not wrong
        print(f"{number:>2} {'right' if not wrong else 'WRONG'}  {case.name}")
        for d in said(case.text):
            print(f"      {d.code} at {d.span.line}:{d.span.column} `{d.span.source.line(d.span.line).strip()}`")
            print(f"      {d.message}; {d.help}")
        for line in wrong:
            print(f"      !! {line}")
    print(f"{right} of {len(everything)} have the right place, cause, and a cure that compiles")


if __name__ == "__main__":
    main()
