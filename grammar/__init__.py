"""The form of specs and scenarios: from text to syntax tree and back, and diagnostics as data."""
