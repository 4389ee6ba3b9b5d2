"""The syntax of specs and scenarios: from text to syntax tree and back, and diagnostics as data."""

from __future__ import annotations

from grammar.fingerprint import remember

VERSION = 1
"""The version of the language, as the first line of a spec says it."""

remember(__path__)  # Before any of its files but the smallest is read.
