"""The language server: the queries of `interpreter.editor` in the Language Server Protocol, over standard streams."""
