"""Results of the editor's queries as types of the protocol."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from cli.lsp.positions import Positions, uri_of
from grammar.diagnostics import Diagnostic, Edit, Severity
from grammar.source import Span
from interpreter.editor.changes import Action
from interpreter.editor.completion import Completion
from interpreter.editor.description import Hover
from interpreter.editor.navigation import Location
from interpreter.editor.outline import Sort, Symbol
from interpreter.editor.workspace import Snapshot, Workspace

SOURCE = "cardgame"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}

_SYMBOLS: dict[Sort, types.SymbolKind] = {
    "game": types.SymbolKind.Package, "option": types.SymbolKind.Constant, "enum": types.SymbolKind.Enum,
    "value": types.SymbolKind.EnumMember, "attribute": types.SymbolKind.Property, "kind": types.SymbolKind.Class,
    "zone": types.SymbolKind.Array, "variable": types.SymbolKind.Variable, "define": types.SymbolKind.Function,
    "phase": types.SymbolKind.Method, "action": types.SymbolKind.Event, "local": types.SymbolKind.Variable,
    "tag": types.SymbolKind.Key, "rule": types.SymbolKind.Object, "scenario": types.SymbolKind.Event,
    "setup": types.SymbolKind.Constructor, "file": types.SymbolKind.File,
}  # fmt: skip

_COMPLETIONS: dict[Sort | None, types.CompletionItemKind] = {
    None: types.CompletionItemKind.Keyword, "option": types.CompletionItemKind.Constant,
    "enum": types.CompletionItemKind.Enum, "value": types.CompletionItemKind.EnumMember,
    "attribute": types.CompletionItemKind.Property, "kind": types.CompletionItemKind.Class,
    "zone": types.CompletionItemKind.Folder, "variable": types.CompletionItemKind.Variable,
    "define": types.CompletionItemKind.Function, "phase": types.CompletionItemKind.Method,
    "action": types.CompletionItemKind.Event, "local": types.CompletionItemKind.Variable,
    "file": types.CompletionItemKind.File,
}  # fmt: skip

_TOKENS: dict[Sort, str] = {
    "option": "variable", "enum": "enum", "value": "enumMember", "attribute": "property", "kind": "class",
    "zone": "namespace", "variable": "variable", "define": "function", "phase": "method", "action": "event",
    "local": "parameter", "tag": "decorator", "setup": "namespace",
}  # fmt: skip

TOKEN_TYPES = sorted(set(_TOKENS.values()))
TOKEN_MODIFIERS = ["declaration", "readonly"]
LEGEND = types.SemanticTokensLegend(TOKEN_TYPES, TOKEN_MODIFIERS)


class Converter:
    """Converts results for a client that counts columns in some encoding."""

    def __init__(self, workspace: Workspace, positions: Positions) -> None:
        self.workspace = workspace
        self.positions = positions

    def diagnostic(self, snapshot: Snapshot | None, diagnostic: Diagnostic) -> types.Diagnostic:
        """Return a diagnostic with its fix in words and its other places."""
        related = []
        for label in diagnostic.labels:
            path = label.span.source.name if snapshot is None else snapshot.path_of(label.span)
            place = types.Location(uri_of(path), self.positions.range(label.span))
            related.append(types.DiagnosticRelatedInformation(place, label.text))
        lines = [diagnostic.message, *([f"help: {diagnostic.help}"] if diagnostic.help else [])]
        lines += [f"note: {diagnostic.note}"] if diagnostic.note else []
        return types.Diagnostic(
            range=self.positions.range(diagnostic.span),
            message="\n".join(lines),
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            source=SOURCE,
            related_information=related or None,
            tags=[types.DiagnosticTag.Unnecessary] if diagnostic.code == "CG502" else None,
        )

    def location(self, place: Location) -> types.Location:
        """Return a place of a file, which is read for it.  Raises OSError."""
        source = self.workspace.source(place.path)
        return types.Location(uri_of(place.path), self.positions.range(Span(source, place.start, place.end)))

    def text_edits(self, edits: Iterable[Edit]) -> list[types.TextEdit]:
        """Return edits of one text."""
        return [types.TextEdit(self.positions.range(edit.span), edit.text) for edit in edits]

    def workspace_edit(self, edits: dict[str, list[Edit]], versions: dict[str, int]) -> types.WorkspaceEdit:
        """Return edits of several files, each for the version of its text that they were made for."""
        changes = [
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(uri_of(path), versions.get(path)), self.text_edits(made)
            )
            for path, made in edits.items()
        ]
        return types.WorkspaceEdit(document_changes=list(changes))

    def action(self, snapshot: Snapshot, action: Action, versions: dict[str, int]) -> types.CodeAction:
        """Return a fix as a code action."""
        edits: dict[str, list[Edit]] = {}
        for edit in action.edits:
            edits.setdefault(snapshot.path_of(edit.span), []).append(edit)
        return types.CodeAction(
            title=action.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[self.diagnostic(snapshot, d) for d in action.diagnostics],
            is_preferred=not action.is_of_all,
            edit=self.workspace_edit(edits, versions),
        )

    def symbol(self, symbol: Symbol) -> types.DocumentSymbol:
        """Return an entry of the outline with what is in it."""
        children = [self.symbol(child) for child in symbol.children]
        return types.DocumentSymbol(
            symbol.name,
            _SYMBOLS[symbol.sort],
            self.positions.range(symbol.span),
            self.positions.range(symbol.name_span),
            symbol.detail or None,
            children=children or None,
        )

    def workspace_symbol(self, path: str, symbol: Symbol) -> types.WorkspaceSymbol:
        """Return an entry of the outline of a file."""
        place = types.Location(uri_of(path), self.positions.range(symbol.name_span))
        return types.WorkspaceSymbol(place, symbol.name, _SYMBOLS[symbol.sort])

    def completion(self, item: Completion, span: Span, number: int) -> types.CompletionItem:
        """Return a completion that takes the place of a span; the order of the list is kept."""
        return types.CompletionItem(
            item.text,
            kind=_COMPLETIONS.get(item.sort, types.CompletionItemKind.Text),
            detail=item.detail or None,
            sort_text=f"{number:04}",
            text_edit=types.TextEdit(self.positions.range(span), item.text),
        )

    def hover(self, hover: Hover) -> types.Hover:
        """Return a hover as Markdown; texts of a spec stay as they are."""
        code = [f"```cardgame\n{hover.code}\n```"] if hover.code else []
        text = "\n\n".join([*code, *map(escaped, hover.text)])
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), self.positions.range(hover.span))

    def tokens(self, tokens: list[tuple[Span, Sort, bool]]) -> types.SemanticTokens:
        """Return semantic tokens, each relative to the one before."""
        data: list[int] = []
        line = column = 0
        for span, sort, declares in tokens:
            range_ = self.positions.range(span)
            start = range_.start
            first = start.character - (column if start.line == line else 0)
            length = range_.end.character - start.character
            modifiers = int(declares) | (2 if sort == "option" else 0)
            data += [start.line - line, first, length, TOKEN_TYPES.index(_TOKENS.get(sort, "variable")), modifiers]
            line, column = start.line, start.character
        return types.SemanticTokens(data)


def escaped(text: str) -> str:
    """Return a text without what Markdown would read as marks or HTML."""
    return "".join(f"\\{char}" if char in "\\*_[]<>#|!&~" else char for char in text)
