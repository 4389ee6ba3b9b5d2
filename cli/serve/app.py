"""The web application: the page, its files, and the WebSocket of the protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import anyio
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from cli.serve import wire
from cli.serve.hub import Connection, Hub

STATIC = Path(__file__).parent / "static"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self' vscode-webview:"
    ),
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
SIT_WITHIN = 10.0
"""Seconds in which a connection must take a seat."""
MESSAGES_A_SECOND = 20
"""Requests of a connection in a second; a request beyond them is refused."""
MOST_REFUSED = 100
"""Requests beyond the limit, one after another, after which a connection ends."""
NO_ART: Mapping[int, Path] = {}

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Guard:
    """Refuses requests for another host or from a page of another origin, and sets the headers of all responses.

    A browser names the page that sends a request in `Origin`.  `Host` must be one of the `hosts` that the server was
    opened for, so that no foreign name can be made to lead here (DNS rebinding).
    """

    def __init__(self, app: Any, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self._hosts or (origin is not None and urlsplit(origin).netloc != host):
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": "foreign host or origin"})
                return
            response = PlainTextResponse("This address does not belong to this server.\n", 403, HEADERS)
            await response(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        await self._app(scope, receive, with_headers)


def make_app(
    hub: Hub,
    hosts: frozenset[str],
    lifespan: Any = None,
    limit: int = MESSAGES_A_SECOND,
    art: Mapping[int, Path] = NO_ART,
) -> Starlette:
    """Return the application of a hub.

    `hosts` are its values of `Host`, `limit` is the number of messages a second, `art` has pictures of faces.
    """

    async def page(request: Request) -> Response:
        del request
        return FileResponse(STATIC / "index.html", media_type="text/html; charset=utf-8")

    async def pictures(request: Request) -> Response:
        del request
        return JSONResponse({str(face): f"/art/{face}" for face in art})

    async def picture(request: Request) -> Response:
        path = art.get(request.path_params["face"])
        return Response(status_code=404) if path is None else FileResponse(path)

    async def socket(websocket: WebSocket) -> None:
        offered = websocket.scope.get("subprotocols", [])
        await websocket.accept(subprotocol=wire.PROTOCOL if wire.PROTOCOL in offered else None)
        await Dialogue(websocket, hub, limit).run()

    routes = [
        Route("/", page),
        Route("/t/{table}", page),
        Route("/art", pictures),
        Route("/art/{face:int}", picture),
        WebSocketRoute("/ws", socket),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, hosts=hosts)], lifespan=lifespan)


class Dialogue:
    """One WebSocket from its first message to its end."""

    def __init__(self, websocket: WebSocket, hub: Hub, limit: int) -> None:
        self._websocket = websocket
        self._hub = hub
        self._connection = Connection()
        self._limit = limit
        self._allowance = float(limit)
        self._last = 0.0
        self._refused = 0

    async def run(self) -> None:
        """Read requests until the connection ends."""
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._write, group.cancel_scope)
                await self._read()
                if self._connection.ended is None:
                    group.cancel_scope.cancel()
        finally:
            if self._connection.table is not None:
                self._connection.table.leave(self._connection)
                self._hub.forget_relay(self._connection)

    async def _write(self, scope: anyio.CancelScope) -> None:
        connection = self._connection
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await connection.changed.wait()
                connection.changed.clear()
                ended = connection.ended
                for message in connection.take():
                    await connection.settle()
                    await self._websocket.send_text(message.decode())
                if ended is not None:
                    if self._websocket.application_state is WebSocketState.CONNECTED:
                        await self._websocket.close(ended[0], ended[2])
                    break
        scope.cancel()

    async def _read(self) -> None:
        connection = self._connection
        with suppress(WebSocketDisconnect):
            while connection.ended is None:
                with anyio.move_on_after(SIT_WITHIN if connection.table is None else None) as waiting:
                    message = await self._websocket.receive()
                if waiting.cancelled_caught:
                    connection.dismiss("idle")
                    return
                if message["type"] == "websocket.disconnect":
                    return
                self._take(message.get("text") or (message.get("bytes") or b"").decode("utf-8", "replace"))

    def _take(self, data: str) -> None:
        """Read one message and hand it to the table."""
        connection = self._connection
        try:
            request = wire.read(data)
        except wire.WireError as error:
            connection.dismiss("form", f"{error}.", error.code)
            return
        except wire.FieldError as error:
            self._refuse(error.id, "form", str(error))
            return
        if not self._is_allowed():
            self._refused += 1
            if self._refused > MOST_REFUSED:
                connection.dismiss("limit", "There were too many messages.", 1008)
            self._refuse(request.id, "limit", f"more than {self._limit} messages in a second; send it again later")
            return
        self._refused = 0
        if connection.table is not None:
            connection.table.receive(connection, request, data)
        elif isinstance(request, wire.Sit):
            self._hub.sit(connection, request, data)
        else:
            self._refuse(request.id, "form", "the first message is `sit`")

    def _refuse(self, number: wire.Id, code: str, text: str) -> None:
        self._connection.send(wire.write({"t": "refused", "id": number, "code": code, "text": text, "rule": None,
                                          "frame": None}))  # fmt: skip

    def _is_allowed(self) -> bool:
        """Say whether a message is within the limit: a bucket that fills up again in a second."""
        now = monotonic()
        self._allowance = min(self._limit, self._allowance + (now - self._last) * self._limit)
        self._last = now
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True
