"""What an editor asks of a spec or a file of scenarios: diagnostics, symbols, completion and changes, as data.

`workspace.Workspace` holds the texts, unsaved buffers included, and analyses them in tiers; a `Snapshot` is what
is known of one text.  All other modules are queries: functions of a snapshot and an offset.  Nothing here knows the
protocol of an editor (see `cli.lsp`).
"""
