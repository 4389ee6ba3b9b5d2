"""English for texts about rules: words of names, noun phrases, clauses, and one realiser for each.

Nothing here knows a spec.  A text is built from phrases and clauses, which know their number, owner, determiner and
negation, and becomes a string once, at the end.  Nobody edits a finished text.
"""
