"""Mistakes in small specs: `data/*.cardgame` hold chunks split by `---`; `# CG203 "words"` marks each mistake.

A chunk is completed to a whole spec (see `grammar.codes.sample`).  Marks and reports must match both ways: the
code on the line, and the words, if any, within the message or its help.  In `data/lints` warnings count too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grammar.codes.sample import complete
from grammar.diagnostics import Diagnostic, SpecError
from grammar.source import Source
from interpreter.analysis.checker import check_spec
from interpreter.loader import assemble

DATA = Path(__file__).parent / "data"
MARK = re.compile(r'(CG\d{3})(?:\s+"([^"]*)")?')


def chunks() -> list[tuple[str, str]]:
    found = []
    for path in sorted(DATA.rglob("*.cardgame")):
        for number, chunk in enumerate(path.read_text().split("\n---\n"), 1):
            title = re.search(r"#:? *([^\n]*)", chunk)
            found.append(
                (f"{path.parent.name}-{path.stem}-{number}-{title.group(1) if title else ''}", chunk.strip("\n") + "\n")
            )
    return found


def diagnose(text: str) -> list[Diagnostic]:
    source = Source("<chunk>", text)
    try:
        spec = assemble(source, None)
    except SpecError as error:
        return list(error.diagnostics)
    return list(check_spec(spec).diagnostics)


CHUNKS = chunks()


@pytest.mark.parametrize("chunk", [c for _, c in CHUNKS], ids=[n for n, _ in CHUNKS])
def test_chunk(chunk: str, request: pytest.FixtureRequest) -> None:
    body = "\n".join(line for line in chunk.splitlines() if not line.startswith("#:"))
    text = complete(body.strip("\n") + "\n")
    wanted: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if "# CG" in line:
            wanted.extend((number, m[1], m[2] or "") for m in MARK.finditer(line.split("# ", 1)[1]))
    strict = request.node.callspec.id.startswith("lints-")
    found = [d for d in diagnose(text) if strict or d.is_error or any(d.code == code for _, code, _ in wanted)]
    shown = [(d.span.line, d.code, d.message, d.help) for d in found]
    for line_number, code, words in wanted:
        fitting = [d for d in found if d.span.line == line_number and d.code == code]
        fitting = [d for d in fitting if words in d.message or words in d.help]
        assert fitting, f"missing {code} {words!r} on line {line_number}; found {shown}\n{text}"
        found.remove(fitting[0])
    assert not found, f"unexpected: {[(d.span.line, d.code, d.message) for d in found]}\n{text}"
