"""Where the tests of the grammar take their texts from."""

from __future__ import annotations

from pathlib import Path

from grammar.ast import Spec
from grammar.diagnostics import Diagnostic, SpecError
from grammar.parser import parse, parse_scenarios
from grammar.scenario import ScenarioFile
from grammar.source import Source

DATA = Path(__file__).parent / "data"
GAMES = Path(__file__).parents[2] / "games"
REAL = (GAMES / "chalice_and_wand.cardgame").read_text(encoding="utf-8")


def chunks(name: str) -> list[str]:
    """Return the texts of a file whose parts stand between lines of `---`."""
    return (DATA / name).read_text(encoding="utf-8").split("\n---\n")


def read(text: str) -> Spec | ScenarioFile:
    """Parse a spec, or scenarios if it begins as they do."""
    source = Source("text.cardgame", text)
    return parse_scenarios(source) if text.lstrip().startswith("scenarios") else parse(source)


def mistakes(text: str) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a text; nothing if it parses."""
    try:
        read(text)
    except SpecError as found:
        return found.diagnostics
    return ()


def spec(text: str) -> Spec:
    """Parse the text of a spec without its first line."""
    return parse(Source("text.cardgame", f"cardgame 1\n{text}"))
