"""Results of scenarios as JUnit XML (`--junit-xml`), which servers for continuous integration read.

One `testsuite` holds a `testcase` for each scenario.  `failure` is what the rules did otherwise than expected, `error`
a scenario, or a game, with mistakes.  `classname` is the file without its ending, so that reports group by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import attrs

from grammar.printable import visible
from grammar.render import render_concise
from interpreter.scenarios.scenario import Result, failure_report


@attrs.frozen
class Ran:
    """A scenario that was run: the file that it is in, how it went, and how many seconds it took.

    The name of the result is empty where the game of the file is at fault, and none of its scenarios could be run.
    """

    path: Path
    result: Result
    seconds: float = 0.0


def junit_xml(ran: Sequence[Ran]) -> str:
    """Return results as a text in XML."""
    root = ElementTree.Element("testsuites", {"name": "cardgame tests"})
    failed = sum(one.result.failure is not None for one in ran)
    errors = sum(bool(one.result.diagnostics) for one in ran)
    suite = ElementTree.SubElement(root, "testsuite", {
        "name": "cardgame", "errors": str(errors), "failures": str(failed), "skipped": "0", "tests": str(len(ran)),
        "time": f"{sum(one.seconds for one in ran):.3f}",
    })  # fmt: skip
    for one in ran:
        result = one.result
        case = ElementTree.SubElement(suite, "testcase", {
            "classname": ".".join(one.path.with_suffix("").parts[-2:]), "name": visible(result.name or one.path.name),
            "time": f"{one.seconds:.3f}", "file": str(one.path), "line": str(result.span.line),
        })  # fmt: skip
        if result.failure is not None:
            what, text = "failure", failure_report(result)
            message = result.failure.message
        elif result.diagnostics:
            what, text = "error", render_concise(result.diagnostics)
            message = result.diagnostics[0].message
        else:
            continue
        ElementTree.SubElement(case, what, {"message": visible(message)}).text = visible(text)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
