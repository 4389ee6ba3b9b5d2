"""Print the quality of the messages for the corpus, by entry and in total: `python -m tests.mistakes`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tests.mistakes.corpus import FOLDER, Measured, entries, measure, row, totals


def main() -> None:
    """Print a line for each entry, its messages where they are wanted, and the totals."""
    parser = argparse.ArgumentParser(prog="python -m tests.mistakes", description=__doc__)
    parser.add_argument("folder", nargs="?", default=".", help="a folder of the corpus, such as `first`")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the messages")
    parser.add_argument("-f", "--failing", action="store_true", help="print only entries that miss a goal")
    parser.add_argument("-n", "--name", default="", help="measure only entries whose name contains this text")
    arguments = parser.parse_args()
    measured = [measure(e) for e in entries(FOLDER / arguments.folder) if arguments.name in e.name]
    print(f"{'':40}{'place':>6}{'one':>6}{'cause':>6}  fix")
    for m in measured:
        if not (arguments.failing and m.reaches_all):
            print(row(m))
            if arguments.verbose:
                print("\n".join(f"      {line}" for line in _details(m)))
    print("\n".join(totals(measured)))


def _details(m: Measured) -> Iterator[str]:
    text, (start, end) = m.entry.text, m.entry.at
    yield f"| {text[text.rfind(chr(10), 0, start) + 1 : text.index(chr(10), start)].strip()}"
    yield f"at `{text[start:end]}`; cause: {m.entry.cause} {m.entry.words}"
    for d in m.messages:
        yield f"{d.code} line {d.span.line} `{d.span.text.partition(chr(10))[0]}`: {d.message}; {d.help}"
    if m.fixed is not None and not m.meant:
        yield f"fixed: {[line for line in m.fixed.splitlines() if line not in text.splitlines()]}"
        if not m.compiles:
            yield "the fixed text has mistakes"


if __name__ == "__main__":
    main()
