"""Printable characters by their general category in Unicode, and visible escapes for all others.

Everything of the categories C (controls, format characters such as those that turn the direction of a line or take
no room, halves of surrogate pairs, private use, not assigned) and the two separators Zl and Zp does not print: a
terminal obeys it, hides it, or shows something else than the next terminal.  Spaces, combining marks and selectors
of variants print.  What is assigned depends on the Unicode that comes with this Python.

It is here because specs are refused by it (`grammar.parser`) and all that is written to a screen goes through it
(`grammar.render`, `cli.terminal.screen`).  It knows no terminal: widths and encodings are for those to know.
"""

from __future__ import annotations

import unicodedata

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""The general categories of characters that do not print."""

_NAMES = {
    0x07: "bell", 0x08: "backspace", 0x0B: "vertical tab", 0x0C: "form feed", 0x0D: "carriage return",
    0x1B: "escape", 0x7F: "delete", 0x85: "next line",
}  # fmt: skip
"""Controls that people know by a name; Unicode has none for them."""

_KINDS = {"Cs": "half of a surrogate pair", "Co": "for private use", "Cn": "not assigned"}


def prints(char: str) -> bool:
    """Say whether a character shows as itself and does nothing else."""
    return unicodedata.category(char) not in UNSEEN


def visible(text: str, keep: str = "\n\t") -> str:
    r"""Return a text with what does not print written out, as `\x1b` or `\u202e`; what is in `keep` stays."""
    if all(line.isprintable() for line in (text.split("\n") if "\n" in keep else (text,))):
        return text
    return "".join(char if char in keep or prints(char) else escape(char) for char in text)


def in_line(text: str) -> str:
    r"""Return a text with everything written out that does not print or would end its line, as `\n`."""
    return visible(text, "")


def escape(char: str) -> str:
    r"""Return a character as Python would write it in a text: `\x1b`, `\u202e`, `\U000e0041`."""
    return char.encode("unicode_escape").decode("ascii")


def described(char: str) -> str:
    """Return what a character is called: `U+202E (right-to-left override)`."""
    kind = _KINDS.get(unicodedata.category(char), "a control character")
    name = unicodedata.name(char, "").lower() or _NAMES.get(ord(char)) or kind
    return f"U+{ord(char):04X} ({name})"
