"""CG223 to CG228 and CG860 to CG863: scenarios that do not fit their game.

Their examples need a game and a file of scenarios beside it; the tests of scenarios have them.
"""

from __future__ import annotations

from grammar.codes.code import Code


def _code(code: str, name: str, summary: str, explanation: str) -> Code:
    return Code(code=code, name=name, summary=summary, explanation=explanation, bad="", good="")


CODES: tuple[Code, ...] = (
    _code(
        "CG223",
        "unknown-setting",
        "a scenario has an option or a number of players that its game does not have",
        "Use the options of the game, and the values that `cardgame list SPEC` shows.",
    ),
    _code(
        "CG224",
        "needless-cards",
        "a scenario from the start of the game places cards or variables",
        (
            "A play from the start deals its own cards. To place cards, write `start` and the phase at which the "
            "scenario begins."
        ),
    ),
    _code(
        "CG225",
        "cards-do-not-fit",
        "a scenario places cards that do not exist, or in a place that cannot hold them",
        "The cards of a scenario come from the deck of its game, which has a limited number of each.",
    ),
    _code(
        "CG226",
        "no-start",
        "a scenario starts at a phase that cannot be a start",
        "The phase of a `start` contains a decision and is called at one place of the spec.",
    ),
    _code(
        "CG227",
        "late-given",
        "a scenario places cards or variables after its first action",
        "Write all `given` lines before the first action, except `given random`.",
    ),
    _code(
        "CG228",
        "no-sentence",
        "a scenario has an action that its game does not have",
        "An action consists of a verb of the current decision and its arguments.",
    ),
    _code(
        "CG860",
        "empty-scenario",
        "a scenario has neither an action nor an expectation",
        "Such a scenario always passes. Add an action or an `expect` line.",
    ),
    _code(
        "CG861",
        "unknown-set-up",
        "a scenario uses a set-up that its file does not have",
        (
            'Write the shared lines under `setup "a name"` in the same file. A scenario that uses them has `setup "a '
            'name"` as its first line.'
        ),
    ),
    _code(
        "CG862",
        "endless-scenario",
        "a scenario repeats its actions too often",
        "Every repetition counts, also of a `repeat` inside another one.",
    ),
    _code(
        "CG863",
        "empty-expectation",
        "an expectation names no cards",
        "An expectation about no cards is always true. Name the cards, or write `expect Z is empty`.",
    ),
)
