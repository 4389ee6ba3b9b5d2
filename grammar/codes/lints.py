"""CG5xx: what is allowed and most likely not meant."""

from __future__ import annotations

from grammar.codes.code import Code
from grammar.diagnostics import Severity

CODES: tuple[Code, ...] = (
    Code(
        code="CG501",
        name="unused-definition",
        severity=Severity.WARNING,
        summary="nothing uses a definition",
        explanation="It may have been meant to be used somewhere; otherwise it can go.",
        bad="define worth(p: player) = 2 * points[p]  # <--\n",
        good="define worth(p: player) = 2 * points[p]\nresult\n    score p = worth(p)\n",
    ),
    Code(
        code="CG502",
        name="unused-variable",
        severity=Severity.WARNING,
        summary="nothing reads or sets a variable",
        explanation="It may have been meant to be used somewhere; otherwise it can go.",
        bad=(
            "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    hands_played: 0..9 = 0  # <--\n"
        ),
        good=(
            "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    hands_played: 0..9 = 0\n"
            "result\n    score p = points[p] + hands_played + count(c in table where c.suit == trump)\n"
        ),
    ),
)
