"""The features of the language server: each request is one query of `interpreter.editor`."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import json_rpc

from cli.lsp import scenario_runs
from cli.lsp.analyst import Analyst
from cli.lsp.convert import LEGEND, Converter
from cli.lsp.positions import Positions, path_of, uri_of
from grammar.ast import Extends, Use
from grammar.diagnostics import CardgameError, Diagnostic, Edit
from grammar.source import Source
from interpreter.editor import changes, completion, description, navigation, outline
from interpreter.editor.workspace import Snapshot, Workspace
from interpreter.rulebook.page import html, markdown
from interpreter.scenarios.scenario import Result

RUN_SCENARIOS = "cardgame.runScenarios"
RULEBOOK = "cardgame.rulebook"
PLAY = "cardgame.play"
REFERENCES = "cardgame.references"
PREVIEW = "cardgame.previewRulebook"

_LENS_COMMANDS = {"run scenarios": RUN_SCENARIOS, "play": PLAY, "references": REFERENCES, "rulebook": PREVIEW}
MOST_SYMBOLS = 500

REQUEST_FAILED = -32803
"""The code of the protocol for a request that is right and cannot be carried out."""

log = logging.getLogger(__name__)


class RequestFailedError(JsonRpcException):
    """A request that is right and cannot be carried out; the message says why."""

    CODE = REQUEST_FAILED
    MESSAGE = "request failed"


class Server(LanguageServer):
    """The server of one editor: its texts, what is known of them, and what the client can do."""

    def __init__(self) -> None:
        super().__init__("cardgame", version("cardgame"))
        self.texts = Workspace()
        self.positions = Positions()
        self.convert = Converter(self.texts, self.positions)
        self.versions: dict[str, int] = {}
        self.analyst = Analyst(self.texts, self.publish, self.on_quiet)
        self.runs = ThreadPoolExecutor(1, "scenarios")
        self.client_commands: frozenset[str] = frozenset()

    def publish(self, path: str, source: Source, found: list[Diagnostic]) -> None:
        """Send all diagnostics of a text."""
        snapshot = self.texts.snapshots.get(path)
        known = snapshot if snapshot is not None and snapshot.source is source else None
        shown = [self.convert.diagnostic(known, d) for d in found]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri_of(path), shown, self.versions.get(path))
        )

    def on_quiet(self) -> None:
        """Let the client query lenses and hints again, which know more now."""
        workspace = self.client_capabilities.workspace
        if workspace is None:
            return
        if workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def known_path(self, uri: str) -> str:
        """Return the path of an open text or a file.  Raises JsonRpcInvalidParams where there is neither."""
        path = path_of(uri)
        try:
            self.texts.source(path)
        except OSError as error:
            raise JsonRpcInvalidParams(f"{uri}: {error.strerror or error}") from error
        return path

    async def snapshot(self, uri: str) -> Snapshot:
        """Return what is known of a text.  Raises JsonRpcInvalidParams for an unknown URI."""
        path = self.known_path(uri)
        if path not in self.texts.buffers:
            return await self.analyst.run(self.texts.check, path)
        return await self.analyst.snapshot(path)

    async def at(self, params: Any) -> tuple[Snapshot, int]:
        """Return what is known of a text, and the offset of the position in it."""
        snapshot = await self.snapshot(params.text_document.uri)
        return snapshot, self.positions.offset(snapshot.source, params.position)

    def locations(self, places: list[navigation.Location]) -> list[types.Location]:
        """Return places of files."""
        return [self.convert.location(place) for place in places]


def is_unexpected(record: logging.LogRecord) -> bool:
    """Say whether a log record is of no error that a request is answered with."""
    return record.exc_info is None or not isinstance(record.exc_info[1], JsonRpcException)


def make_server() -> Server:
    """Return a server with all features; errors that requests are answered with are not logged."""
    logging.getLogger(json_rpc.__name__).addFilter(is_unexpected)
    server = Server()
    for add in (_add_lifecycle, _add_navigation, _add_outline, _add_changes, _add_commands):
        add(server)
    return server


def _add_lifecycle(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        server.positions.encoding = types.PositionEncodingKind(encoding)
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [params.root_uri]
        server.texts.roots = [path_of(uri) for uri in folders]
        given = params.initialization_options
        commands = given.get("commands", ()) if isinstance(given, dict) else getattr(given, "commands", ())
        server.client_commands = frozenset(one for one in commands or () if isinstance(one, str))

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        server.analyst.start()
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            patterns = [types.FileSystemWatcher(f"**/*.{suffix}") for suffix in ("cardgame", "scenarios")]
            options = types.DidChangeWatchedFilesRegistrationOptions(patterns)
            registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(types.RegistrationParams([registration]))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        path = path_of(document.uri)
        server.versions[path] = document.version
        server.texts.open(path, document.text)
        server.analyst.changed(path)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path not in server.texts.buffers:
            raise JsonRpcInvalidParams(f"{params.text_document.uri} is not open")
        known, new = server.versions[path], params.text_document.version
        if new <= known:
            raise JsonRpcInvalidParams(f"version {new} is not newer than {known}")
        source = server.texts.buffers[path]
        for change in params.content_changes:
            text = change.text
            if isinstance(change, types.TextDocumentContentChangePartial):
                span = server.positions.span(source, change.range)
                text = source.text[: span.start] + text + source.text[span.end :]
            source = Source(path, text)
        server.versions[path] = params.text_document.version
        server.texts.open(path, source.text)
        server.analyst.changed(path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(_: types.DidSaveTextDocumentParams) -> None:
        """Nothing depends on what is saved: open texts count as they are."""

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        server.texts.close(path)
        server.versions.pop(path, None)
        server.analyst.closed(path)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_: types.DidChangeWatchedFilesParams) -> None:
        for path in server.texts.buffers:
            server.analyst.changed(path)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
        gone = {path_of(folder.uri) for folder in params.event.removed}
        kept = [root for root in server.texts.roots if root not in gone]
        server.texts.roots = [*kept, *(path_of(folder.uri) for folder in params.event.added)]

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.analyst.stop()
        server.runs.shutdown(wait=False, cancel_futures=True)


def _add_navigation(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        snapshot, offset = await server.at(params)
        book = vars(snapshot).get("book")  # Only if it is written already: that takes longer than a hover may.
        found = description.hover(snapshot, offset, book)
        return None if found is None else server.convert.hover(found)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location]:
        snapshot, offset = await server.at(params)
        return server.locations(navigation.definition(server.texts, snapshot, offset))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        snapshot, offset = await server.at(params)
        find = partial(navigation.references, declarations=params.context.include_declaration)
        return server.locations(await server.analyst.run(find, server.texts, snapshot, offset))

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        snapshot, offset = await server.at(params)
        kinds = types.DocumentHighlightKind
        return [
            types.DocumentHighlight(server.positions.range(o.span), kinds.Write if o.declares else kinds.Read)
            for o in navigation.highlights(snapshot, offset)
        ]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: types.PrepareRenameParams) -> types.Range:
        snapshot, offset = await server.at(params)
        try:
            return server.positions.range(navigation.renamed_at(snapshot, offset))
        except navigation.RenameError as error:
            raise RequestFailedError(str(error)) from error

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit:
        snapshot, offset = await server.at(params)
        try:
            edits = await server.analyst.run(navigation.rename, server.texts, snapshot, offset, params.new_name)
        except navigation.RenameError as error:
            raise RequestFailedError(str(error)) from error
        return server.convert.workspace_edit(edits, server.versions)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", '"']))
    async def complete(params: types.CompletionParams) -> types.CompletionList:
        snapshot, offset = await server.at(params)
        span, found = completion.completions(snapshot, offset)
        items = [server.convert.completion(item, span, number) for number, item in enumerate(found)]
        return types.CompletionList(is_incomplete=False, items=items)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        snapshot = await server.snapshot(params.text_document.uri)
        items = getattr(snapshot.tree, "items", ())
        made = []
        for item in (one for one in items if isinstance(one, Use | Extends)):
            target = snapshot.brought_in(item.path)
            if target is not None:
                range_ = server.positions.range(item.span.part(f'"{item.path}"'))
                made.append(types.DocumentLink(range_, uri_of(target)))
        return made


def _add_outline(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        snapshot = await server.snapshot(params.text_document.uri)
        return [server.convert.symbol(symbol) for symbol in outline.symbols(snapshot)]

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace_symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        found = await server.analyst.run(lambda: list(outline.workspace_symbols(server.texts, params.query)))
        return [server.convert.workspace_symbol(path, symbol) for path, symbol in found[:MOST_SYMBOLS]]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        source = server.texts.source(server.known_path(params.text_document.uri))
        return [types.FoldingRange(first - 1, last - 1) for first, last in outline.foldings(source)]

    @server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection(params: types.SelectionRangeParams) -> list[types.SelectionRange]:
        snapshot = await server.snapshot(params.text_document.uri)
        made = []
        for position in params.positions:
            around: types.SelectionRange | None = None
            offset = server.positions.offset(snapshot.source, position)
            for span in reversed(outline.selections(snapshot, offset)):
                around = types.SelectionRange(server.positions.range(span), around)
            assert around is not None
            made.append(around)
        return made

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        snapshot = await server.snapshot(params.text_document.uri)
        return server.convert.tokens(outline.tokens(snapshot))

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        snapshot = await server.snapshot(params.text_document.uri)
        wanted = server.positions.span(snapshot.source, params.range)
        return [
            types.InlayHint(server.positions.position(hint.span.source, hint.span.end), hint.text)
            for hint in outline.hints(snapshot)
            if wanted.start <= hint.span.end <= wanted.end
        ]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        snapshot = await server.snapshot(uri)
        made = []
        for lens in outline.lenses(server.texts, snapshot):
            range_ = server.positions.range(lens.span)
            name = _LENS_COMMANDS.get(lens.command, "")
            known = name if name == RUN_SCENARIOS or name in server.client_commands else ""
            if name in (PLAY, PREVIEW) and not known:
                continue  # These are for the client to carry out, and this one cannot.
            arguments: list[Any] = [uri, range_.start] if lens.command == "references" else [uri]
            arguments += [[lens.argument]] if lens.argument else []
            made.append(types.CodeLens(range_, types.Command(lens.title, known, arguments=arguments)))
        return made


def _add_changes(server: Server) -> None:
    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        snapshot = await server.snapshot(params.text_document.uri)
        only = params.context.only
        span = server.positions.span(snapshot.source, params.range)
        made = []
        if only is None or types.CodeActionKind.QuickFix in only:
            found = changes.actions(snapshot, span.start, span.end)
            made += [server.convert.action(snapshot, action, server.versions) for action in found]
        if only is not None and any(str(kind).startswith(types.CodeActionKind.SourceFixAll) for kind in only):
            edits: dict[str, list[Edit]] = {}
            for edit in changes.all_fixes(snapshot):
                edits.setdefault(snapshot.path_of(edit.span), []).append(edit)
            edit_ = server.convert.workspace_edit(edits, server.versions)
            made.append(types.CodeAction("Fix all", types.CodeActionKind.SourceFixAll, edit=edit_))
        return made

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def format_(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        path = server.known_path(params.text_document.uri)
        snapshot = await server.analyst.run(server.texts.form, path)
        return server.convert.text_edits(changes.formatting(snapshot))


def _add_commands(server: Server) -> None:
    running = 0

    @server.command(RUN_SCENARIOS)
    async def run_scenarios(*given: Any) -> list[dict[str, object]]:
        """Run the scenarios of a file, or those of some names; show what fails where the scenario expects it."""
        nonlocal running
        uri, names = _arguments(given, None)
        if names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
            raise JsonRpcInvalidParams("the second argument is a list of names of scenarios")
        running += 1
        mine = running
        path = scenario_runs.scenario_file(server.texts, server.known_path(uri))
        if path is None:
            raise RequestFailedError("there is no file of scenarios for this spec")
        loop = asyncio.get_running_loop()
        work = partial(scenario_runs.run, server.texts, path, names, lambda: running == mine)
        try:
            results: list[Result] = await loop.run_in_executor(server.runs, work)
        except (CardgameError, OSError) as error:
            raise RequestFailedError(f"the scenarios cannot be run: {error}") from error
        _report(server, path, results)
        return [scenario_runs.as_data(r, server.positions.position(r.span.source, r.span.start).line) for r in results]

    @server.command(RULEBOOK)
    async def rulebook(*given: Any) -> str:
        """Return the rulebook of a spec in its default setting, as Markdown or as a page of HTML."""
        uri, form = _arguments(given, "markdown")
        snapshot = await server.analyst.run(server.texts.check, server.known_path(uri))
        book = await server.analyst.run(lambda: snapshot.book)
        if book is None:
            raise RequestFailedError("there is no rulebook while the spec has errors")
        return html(book) if form == "html" else markdown(book)


def _arguments(given: tuple[Any, ...], default: Any) -> tuple[str, Any]:
    """Return the URI that a command gets, and its second argument."""
    if not given or len(given) > 2 or not isinstance(given[0], str):
        raise JsonRpcInvalidParams("the first argument is the URI of a file; one more can follow")
    return given[0], given[1] if len(given) > 1 else default


def _report(server: Server, path: str, results: list[Result]) -> None:
    """Show failures as diagnostics of an open file, and say how many there are."""
    failed = [result.name for result in results if not result.passed]
    snapshot = server.texts.snapshots.get(path)
    if path in server.texts.buffers and snapshot is not None and snapshot.source is server.texts.buffers[path]:
        server.publish(path, snapshot.source, [*snapshot.diagnostics(), *scenario_runs.diagnostics(results)])
    text = f"{len(results) - len(failed)} passed, {len(failed)} failed" + (f": {', '.join(failed)}" if failed else "")
    kind = types.MessageType.Warning if failed else types.MessageType.Info
    server.window_show_message(types.ShowMessageParams(kind, text))
