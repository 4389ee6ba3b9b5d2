"""The language server, as a client sees it: one process, driven by the protocol."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from click.testing import CliRunner
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient

from cli.lsp.analyst import Analyst
from cli.main import main
from interpreter.editor.workspace import Workspace
from interpreter.loader import find_spec
from interpreter.validate import validate
from tests.editor.marked import GAME
from tests.editor.test_queries import SCENARIOS, VARIANT

pytestmark = pytest.mark.asyncio(loop_scope="module")

COMMAND = [sys.executable, "-m", "cli.main", "lsp"]


class Client(LanguageClient):
    """A client that keeps what the server publishes and shows, and how each text changes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.folder = Path()
        self.published: dict[str, list[types.PublishDiagnosticsParams]] = {}
        self.shown: list[str] = []
        self.versions: dict[str, int] = {}
        self.news = asyncio.Event()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.setdefault(params.uri, []).append(params)
            self.news.set()

        @self.feature(types.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def show(params: types.ShowMessageParams) -> None:
            self.shown.append(params.message)
            self.news.set()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, text: str, name: str = "small.cardgame") -> str:
        """Open a text, or another in place of one that is open."""
        uri = self.uri(name)
        if uri in self.versions:
            return self.change(uri, types.TextDocumentContentChangeWholeDocument(text))
        self.versions[uri] = 1
        self.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "cardgame", 1, text)))
        return uri

    def change(self, uri: str, *changes: types.TextDocumentContentChangeEvent) -> str:
        self.versions[uri] += 1
        version = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(version, list(changes)))
        return uri

    async def settled(self, uri: str, *codes: str) -> list[types.Diagnostic]:
        """Return the diagnostics of the newest version of a text, as soon as they have these codes."""
        async with asyncio.timeout(60):
            while True:
                found = [p for p in self.published.get(uri, []) if p.version == self.versions[uri]]
                if found and sorted(str(d.code) for d in found[-1].diagnostics) == sorted(codes):
                    return list(found[-1].diagnostics)
                self.news.clear()
                await self.news.wait()


def make_client() -> Client:
    return Client()


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    scope="module", config=ClientServerConfig(server_command=COMMAND, client_factory=make_client)
)
async def client(lsp_client: Client, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[None]:
    lsp_client.folder = tmp_path_factory.mktemp("games")
    for name, text in [("small.cardgame", GAME), ("other.cardgame", VARIANT), ("small.scenarios", SCENARIOS)]:
        (lsp_client.folder / name).write_text(text)
    params = types.InitializeParams(
        capabilities=types.ClientCapabilities(),
        workspace_folders=[types.WorkspaceFolder(lsp_client.folder.as_uri(), "games")],
        initialization_options={"commands": ["cardgame.play", "cardgame.references"]},
    )
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


def place(text: str, before: str, after: str) -> types.Position:
    """Return the position between two texts that are next to each other."""
    at = text.index(before + after) + len(before)
    return types.Position(text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1)


async def test_diagnostics_follow_the_text_and_never_vanish_in_between(client: Any) -> None:
    uri = client.open(GAME.replace("to trick", "to trik"), "typed.cardgame")
    (found,) = await client.settled(uri, "CG201")
    assert found.range.start == types.Position(24, 22)
    assert "did you mean `trick`" in found.message
    seen = len(client.published[uri])
    end = types.Position(1, len('game "Small"'))
    for char in " # a note":
        client.change(uri, types.TextDocumentContentChangePartial(types.Range(end, end), char))
        end = types.Position(end.line, end.character + 1)
    await client.settled(uri, "CG201")
    assert all(params.diagnostics for params in client.published[uri][seen:])
    client.open("cardgame 1\ngame\n", "typed.cardgame")
    await client.settled(uri, "CG111")


async def test_the_last_tier_is_what_validate_says(client: Any) -> None:
    path = find_spec("classics/leduc_poker")
    text = path.read_text().replace("leader", "ledaer", 1)
    (client.folder / "leduc.cardgame").write_text(text)
    wanted = [d.code for d in validate(client.folder / "leduc.cardgame").diagnostics]
    await client.settled(client.open(text, "leduc.cardgame"), *wanted)


async def test_columns_count_utf16_code_units(client: Any) -> None:
    text = GAME.replace('game "Small"', 'game "\U0001f0a1\U0001f0a2"').replace('"who sees', '"\U0001f0a1 who sees')
    uri = client.open(text, "cards.cardgame")
    await client.settled(uri)
    start = types.Position(1, len('game "') + 2)
    cut = types.Range(start, types.Position(1, start.character + 2))
    client.change(uri, types.TextDocumentContentChangePartial(cut, "B"))
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
    )
    assert symbols is not None
    assert symbols[0].name == "\U0001f0a1B"


async def test_names_are_found_across_files(client: Any) -> None:
    uri = client.open(GAME)
    document, position = types.TextDocumentIdentifier(uri), place(GAME, "move c to tr", "ick")
    await client.settled(uri)
    hover = await client.text_document_hover_async(types.HoverParams(document, position))
    assert hover is not None
    assert "trick: row, seen by all" in str(hover.contents)
    (definition,) = await client.text_document_definition_async(types.DefinitionParams(document, position))
    assert definition.range.start == place(GAME, "    ", "trick: row")
    context = types.ReferenceContext(include_declaration=False)
    found = await client.text_document_references_async(types.ReferenceParams(context, document, position))
    assert sorted(place.uri.rsplit("/")[-1] for place in found) == ["small.cardgame", "small.scenarios"]


async def test_a_rename_edits_all_files_or_says_why_not(client: Any) -> None:
    uri = client.open(GAME)
    document, position = types.TextDocumentIdentifier(uri), place(GAME, "    ha", "nd[player]")
    await client.settled(uri)
    edit = await client.text_document_rename_async(types.RenameParams(document, position, "grip"))
    assert edit is not None
    assert sorted(c.text_document.uri.rsplit("/")[-1] for c in edit.document_changes) == [
        "other.cardgame", "small.cardgame", "small.scenarios",
    ]  # fmt: skip
    for name, reason in [("stock", "taken"), ("deck", "reserved")]:
        with pytest.raises(JsonRpcException, match=reason):
            await client.text_document_rename_async(types.RenameParams(document, position, name))


async def test_fixes_are_offered_and_all_at_once(client: Any) -> None:
    text = GAME.replace("to trick", "to trik").replace("shuffle stock", "shuffle stok")
    uri = client.open(text, "broken.cardgame")
    found = await client.settled(uri, "CG201", "CG201")
    context = types.CodeActionContext(found[:1])
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), found[0].range, context)
    actions = await client.text_document_code_action_async(params)
    assert [action.title for action in actions] == ["did you mean `trick`?", "Fix all 2 of CG201 in this file"]


async def test_completion_hints_tokens_and_folds(client: Any) -> None:
    uri = client.open(GAME)
    await client.settled(uri)
    document = types.TextDocumentIdentifier(uri)
    position = place(GAME, "c.ra", "nk.points")
    completed = await client.text_document_completion_async(types.CompletionParams(document, position))
    assert isinstance(completed, types.CompletionList)
    assert [item.label for item in completed.items] == ["suit", "rank"]
    whole = types.Range(types.Position(0, 0), types.Position(GAME.count("\n"), 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    assert ": 0..5" in [hint.label for hint in hints]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert tokens is not None
    assert len(tokens.data) % 5 == 0
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    selected = await client.text_document_selection_range_async(types.SelectionRangeParams(document, [position]))
    assert selected is not None
    assert selected[0].parent is not None
    assert await client.workspace_symbol_async(types.WorkspaceSymbolParams("trk"))
    formatted = await client.text_document_formatting_async(
        types.DocumentFormattingParams(document, types.FormattingOptions(4, insert_spaces=True))
    )
    assert formatted


async def test_a_scenario_runs_from_its_lens_with_unsaved_rules(client: Any) -> None:
    uri = client.open(SCENARIOS, "small.scenarios")
    client.open(GAME)
    await client.settled(uri)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    command = lenses[-1].command
    assert command is not None
    assert command.title == "Run scenario"
    run = types.ExecuteCommandParams(command.command, command.arguments)
    (passed,) = await client.workspace_execute_command_async(run)
    assert passed["passed"]
    client.open(GAME.replace("move c to trick", "move c to stock"))
    (failed,) = await client.workspace_execute_command_async(run)
    assert not failed["passed"]
    assert "trick holds nothing" in failed["message"]
    (shown,) = await client.settled(uri, "scenario")
    assert shown.range.start.line == failed["failedAt"]
    assert client.shown[-1] == "0 passed, 1 failed: discard"
    client.open(GAME)


async def test_the_rulebook_is_of_the_text_as_it_is(client: Any) -> None:
    uri = client.open(GAME.replace('"Small"', '"Smaller"'))
    book = await client.workspace_execute_command_async(types.ExecuteCommandParams("cardgame.rulebook", [uri]))
    assert book is not None
    assert str(book).startswith("# Smaller")
    client.open(GAME)


async def test_wrong_requests_are_errors_and_the_server_lives(client: Any) -> None:
    uri = client.open(GAME)
    await client.settled(uri)
    here, far = types.Position(0, 0), types.Position(10_000, 0)
    for bad, position in [("file:///nowhere.cardgame", here), ("no uri", here), (uri, far)]:
        with pytest.raises(JsonRpcException):
            await client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(bad), position))
    with pytest.raises(JsonRpcException):
        await client.workspace_execute_command_async(types.ExecuteCommandParams("cardgame.runScenarios", [7]))
    old = types.VersionedTextDocumentIdentifier(1, uri)
    stale = types.TextDocumentContentChangeWholeDocument("cardgame 1\n")
    client.text_document_did_change(types.DidChangeTextDocumentParams(old, [stale]))
    outside = types.TextDocumentContentChangePartial(types.Range(far, far), "x")
    client.change(uri, outside)
    hover = types.HoverParams(types.TextDocumentIdentifier(uri), place(GAME, "move c to tr", "ick"))
    assert await client.text_document_hover_async(hover) is not None


async def test_each_cancelled_request_is_answered_once(client: Any) -> None:
    small = client.open(GAME)
    await client.settled(small)
    params = types.ReferenceParams(
        types.ReferenceContext(True), types.TextDocumentIdentifier(small), types.Position(0, 0)
    )
    requests = [client.text_document_references(params) for _ in range(30)]
    for number in [*client.protocol._request_futures]:
        client.cancel_request(types.CancelParams(number))
    results = await asyncio.gather(*map(asyncio.wrap_future, requests), return_exceptions=True)
    assert all(isinstance(result, Sequence | JsonRpcException) for result in results)
    hover = types.HoverParams(types.TextDocumentIdentifier(small), place(GAME, "move c to tr", "ick"))
    assert await client.text_document_hover_async(hover) is not None


async def test_what_is_cancelled_before_it_begins_is_not_done() -> None:
    analyst = Analyst(Workspace(), lambda *_: None, lambda: None)
    is_free = threading.Event()
    begun: list[int] = []
    first = asyncio.ensure_future(analyst.run(is_free.wait))
    others = [asyncio.ensure_future(analyst.run(begun.append, number)) for number in range(5)]
    await asyncio.sleep(0)  # All of them wait for the one thread now.
    for task in others[:4]:
        task.cancel()
    results = await asyncio.gather(*others[:4], return_exceptions=True)
    assert [type(result) for result in results] == [asyncio.CancelledError] * 4
    is_free.set()
    assert await first
    await others[4]
    assert begun == [4]
    analyst.stop()


async def test_without_its_extra_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.commands.lsp.find_spec", lambda _: None)
    done = CliRunner().invoke(main, ["lsp", "--check"])
    assert (done.exit_code, done.output) == (2, "`cardgame lsp` needs the extra `lsp`: pip install 'cardgame[lsp]'\n")
