"""The form of specs and scenarios: from text to syntax tree and back, and diagnostics as data."""

from __future__ import annotations

from grammar.stamps import stamps_of

VERSION = 1
"""The version of the language, as the first line of a spec says it."""

STAMPS = stamps_of(__path__)
"""How the files of this package were before any of them but the smallest was read."""
