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
        "a scenario asks for an option or a number of players that its game does not have",
        "The options of a scenario are those of its game, with values that the game lists.",
    ),
    _code(
        "CG224",
        "needless-cards",
        "a scenario that begins at the beginning puts cards or variables in place",
        "A play that begins at its beginning lays out its own cards. Say with `start` at which phase to begin instead.",
    ),
    _code(
        "CG225",
        "cards-do-not-fit",
        "a scenario puts cards where they cannot lie, or names one that the game does not have",
        "The cards that a scenario puts in place come from the deck of its game: there are only so many of each.",
    ),
    _code(
        "CG226",
        "no-start",
        "a scenario starts at a phase that no scenario can start at",
        "A phase to start at decides something and is called at one place, so that what leads to it is known.",
    ),
    _code(
        "CG227",
        "late-given",
        "a scenario places cards or variables after its first step",
        "Everything is in place before anybody acts; dice may fall in between.",
    ),
    _code(
        "CG228",
        "no-sentence",
        "a scenario says what is no action of its game",
        "The words of a step are a verb of the decision that waits, and its arguments.",
    ),
    _code(
        "CG860",
        "empty-scenario",
        "a scenario neither does nor expects anything",
        "A scenario without a step holds whatever the rules are. Write what a player does, or what must be so.",
    ),
    _code(
        "CG861",
        "unknown-set-up",
        "a scenario begins with a set-up that its file does not have",
        'Lines that several scenarios share stand under `setup "a name"` in the same file; the first line of a '
        'scenario that begins with them is `setup "a name"` too.',
    ),
    _code(
        "CG862",
        "endless-scenario",
        "a scenario repeats its steps too often",
        "What is repeated counts as often as it is carried out, also where one `repeat` is inside another.",
    ),
    _code(
        "CG863",
        "empty-expectation",
        "a scenario expects nothing of cards that it does not name",
        "No card at all always lies on top, and is always shown. Name the cards, or say `expect Z is empty`.",
    ),
)
