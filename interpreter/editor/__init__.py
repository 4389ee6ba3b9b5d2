"""Queries of an editor about a spec or a file of scenarios: diagnostics, symbols, completion and changes, as data.

`workspace.Workspace` holds the texts, unsaved buffers included, and analyses them in tiers; a `Snapshot` is the
analysis of one text.  All other modules are queries: functions of a snapshot and an offset.  The protocol of editors
is in `cli.lsp`.
"""
