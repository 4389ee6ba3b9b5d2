"""Say in English what a parser expects: "a value, `from` or the end of the line", never names of terminals."""

from __future__ import annotations

from collections.abc import Collection

_PLAIN = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "EQUAL": "`=`",
    "CHANGES": "`+=`",
    "ARROW": "`->`",
    "DOT": "`.`",
    "DOTS": "`..`",
    "VBAR": "`|`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "ROUNDED": "`rounded up`",
    "COMPARES": "a comparison",
    "TAG": "the end of the line",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the text",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A kind of thing is expected if all that distinguishes it from others is; then what else may begin it goes without
# saying.
_KINDS = (
    (_words("PHASE DEFINE"), ("a section, such as `phase` or `define`",), _words("""
        ADD CARD DECK DEFINE ENUM EXTENDS GAME INVARIANT OPTION PHASE PLAY REMOVE REPLACE RESULT SET STATE TEAMS USE
        ZONES $END
    """)),
    (_words("DEAL LET"), ("a statement",), _words("""
        DEAL EACH END FALSE FOR IF LET LPAR MATCH MOVE NAME NONE NUMBER OPENLY PLAYER RANDOM REPEAT SAY SHOW SHUFFLE
        STRING TEAMS TRUE TURN WHILE STATE
    """)),
    (_words("DEAL NAME"), ("the name of an action",), _words("""
        ADD DEAL END MATCH MOVE NAME PLAY RANDOM REMOVE REPEAT REPLACE SAY SET SHOW SHUFFLE TURN USE
        CHANCE EXPECT GIVEN OPTION START
    """)),
    (_words("NAME NUMBER NOT"), ("a condition", "a value"), _words("""
        ALL BOTTOM EACH EVERY FALSE FIRST HIGHEST IF LAST LOWEST LPAR MINUS NAME NO NONE NOT NUMBER PLAYER SOME STRING
        TEAMS THE TOP TRUE
    """)),
    (_words("NAME NUMBER LPAR STRING"), ("a value",), _words("""
        ALL BOTTOM EACH EVERY FALSE FIRST HIGHEST IF LAST LOWEST LPAR MINUS NAME NO NONE NUMBER PLAYER SOME STRING
        TEAMS THE TOP TRUE
    """)),
    (_words("CARD PLAYER LPAR"), ("a type",), _words("CARD CARDS LPAR MINUS NAME NUMBER PLAYER")),
    (_words("PLUS STAR"), ("an operator",), _words("AND COMPARES DOT DOTS IS LSQB MINUS MOD OR PLUS SLASH STAR")),
)  # fmt: skip
_LAST = ("an operator", "the end of the block", "the end of the line", "the end of the text")
_MOST = 6


def expectation(terminals: Collection[str]) -> str:
    """Return what some terminals stand for, as the end of the sentence "expected ..", in a fixed order."""
    left = set(terminals)
    kinds: list[str] = []
    for marks, found, covered in _KINDS:
        if marks <= left:
            kinds += found
            left -= covered
    if len(left) > 1 or kinds:
        left -= {"_DEDENT", "$END"} if left - {"_DEDENT", "$END"} or kinds else {"$END"}
    named = {name_of(terminal) for terminal in left}
    kinds += sorted(named - set(_LAST), key=lambda text: (text.startswith("`"), text))
    kinds = [k for k in kinds if k not in _LAST] + [k for k in _LAST if k in named or k in kinds]
    return listed(kinds)


def name_of(terminal: str) -> str:
    """Return a terminal in English; the terminals of words are called as the words are."""
    return _PLAIN.get(terminal) or f"`{terminal.lower().replace('_', ' ')}`"


def counted(count: int, noun: str, nouns: str = "") -> str:
    """Return a number of things, of which `nouns` are several: `1 card`, `1,200 plays`, `2 copies`."""
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"


def listed(parts: list[str]) -> str:
    """Return a list with commas and an `or`; a long one is cut, and says so."""
    if len(parts) > _MOST:
        parts = [*parts[: _MOST - 1], "another word"]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"
