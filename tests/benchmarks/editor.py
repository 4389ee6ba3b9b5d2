"""How quick the language server answers, through the protocol.

    python -m tests.benchmarks.editor [SPEC]

prints for the longest bundled spec, or another: the time from a keystroke to the diagnostics that follow from it, when
each keystroke waits for them and when twelve come in a second; the time until all settings are checked; and the times
of a hover and a definition.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from interpreter.loader import find_spec

KEYS = 40
BURST = 24
PER_SECOND = 12
WRONG = "hand_"


class Typist:
    """A client that types one character that makes a name unknown, and removes it again."""

    def __init__(self, text: str, uri: str) -> None:
        self.client = LanguageClient("benchmark", "1")
        self.news: asyncio.Queue[tuple[float, types.PublishDiagnosticsParams]] = asyncio.Queue()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.news.put_nowait((time.perf_counter(), params))

        self.document = types.VersionedTextDocumentIdentifier(1, uri)
        self.text = text
        at = text.index("hand", text.index("phase ")) + len("hand")
        self.place = types.Position(text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1)
        self.is_wrong = False

    def type(self) -> float:
        """Type a character and return when."""
        after = types.Position(self.place.line, self.place.character + 1)
        span = types.Range(self.place, after if self.is_wrong else self.place)
        self.is_wrong = not self.is_wrong
        self.document.version += 1
        change = types.TextDocumentContentChangePartial(span, WRONG[-1] if self.is_wrong else "")
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(self.document, [change]))
        return time.perf_counter()

    async def settled(self) -> float:
        """Return when the diagnostics of the newest text came."""
        while True:
            when, params = await self.news.get()
            unknown = any(d.code in ("CG201", "CG407") for d in params.diagnostics)
            if params.version == self.document.version and unknown is self.is_wrong:
                return when


async def timed(request: Awaitable[Any]) -> float:
    begun = time.perf_counter()
    await request
    return time.perf_counter() - begun


def row(name: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{name:<44}{1e3 * statistics.median(ordered):8.0f}{1e3 * high:8.0f}{1e3 * ordered[-1]:8.0f}")


async def main(name: str) -> None:
    """Measure one spec."""
    path = find_spec(name)
    typist = Typist(path.read_text(encoding="utf-8"), path.as_uri())
    client = typist.client
    begun = time.perf_counter()
    await client.start_io(sys.executable, "-m", "cli.main", "lsp")
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities(), root_uri=path.parent.as_uri()))
    client.initialized(types.InitializedParams())
    print(f"{name}, in milliseconds{'median':>{44 + 8 - len(name) - 17}}{'p95':>8}{'max':>8}")
    row("start", [time.perf_counter() - begun])
    item = types.TextDocumentItem(path.as_uri(), "cardgame", 1, typist.text)
    begun = time.perf_counter()
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    row("open to diagnostics", [await typist.settled() - begun])
    row("keystroke to diagnostics", [-typist.type() + await typist.settled() for _ in range(KEYS)])
    late = []
    for _ in range(5):
        for _ in range(BURST):
            last = typist.type()
            await asyncio.sleep(1 / PER_SECOND)
        late.append(await typist.settled() - last)
    row(f"last of {BURST} keystrokes, {PER_SECOND} a second", late)
    if typist.is_wrong:
        typist.type()
        await typist.settled()
    document = types.TextDocumentIdentifier(path.as_uri())
    hovers = [
        await timed(client.text_document_hover_async(types.HoverParams(document, typist.place))) for _ in range(KEYS)
    ]
    row("hover", hovers)
    defined = types.DefinitionParams(document, typist.place)
    row("definition", [await timed(client.text_document_definition_async(defined)) for _ in range(KEYS)])
    typist.type()
    await typist.settled()
    begun = typist.type()
    await typist.settled()
    whole = types.Range(types.Position(0, 0), types.Position(typist.text.count("\n"), 0))
    hints = types.InlayHintParams(document, whole)
    while not any("actions" in str(h.label) for h in await client.text_document_inlay_hint_async(hints) or ()):
        await asyncio.sleep(0.02)
    row("all settings, the pause included", [time.perf_counter() - begun])
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "wizards_grimoire"))
