"""Facts of the rules that the table shows: the aim, the phases that can be running, the zones that still matter.

They follow from the rules and the setting alone.  To derive them takes the whole compiler and the rulebook, so they
are kept in the cache beside the game (`interpreter.cache`), and the next play of the same game reads them.
"""

from __future__ import annotations

import json

import attrs

from interpreter.engine.data import read_json


@attrs.frozen
class RuleFacts:
    """What the table needs of the rules.

    `aim` has the paragraphs on who wins and when a play ends.  `running` has, by the name of a phase, the phases that
    may be running while it is: itself and all that lead to it.  `in_play` has, by the node of a decision, the zones
    that a rule mentions which the play can still reach.
    """

    aim: tuple[str, ...]
    running: dict[str, frozenset[str]]
    in_play: dict[int, frozenset[str]]


def write_facts(facts: RuleFacts) -> str:
    """Return facts as one line of JSON."""
    return json.dumps(
        {
            "aim": facts.aim,
            "running": {phase: sorted(names) for phase, names in facts.running.items()},
            "in_play": {str(node): sorted(names) for node, names in facts.in_play.items()},
        }
    )


def read_facts(text: str) -> RuleFacts | None:
    """Return facts that were written down; None where the text has no facts."""
    try:
        found = read_json(text)
        return RuleFacts(
            tuple(map(str, found["aim"])),
            {phase: frozenset(map(str, names)) for phase, names in found["running"].items()},
            {int(node): frozenset(map(str, names)) for node, names in found["in_play"].items()},
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
