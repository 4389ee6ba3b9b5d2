"""Devices that are connected to a process which does not own their table: messages go through the owner.

The process of the device has a `Relay` in the place of the table; the owner has a `RemoteClient` in the place of the
connection.  Both write to the mail of the other process (`cli.serve.postgres`).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cli.serve import wire
from cli.serve.table import Client

if TYPE_CHECKING:
    from cli.serve.postgres import Postgres


class Relay:
    """The table of a device, as the process sees it that does not own the table; `number` names the device."""

    def __init__(self, mail: Postgres, own: str, owner: str, table: str, number: int) -> None:
        self.table_name = table
        self._mail = mail
        self._own = own
        self._owner = owner
        self._number = number

    def receive(self, client: Client, request: wire.Request, data: str) -> None:
        """Hand a request to the owner."""
        del request
        try:
            self._post({"data": data})
        except ConnectionError:
            client.dismiss("away")

    def leave(self, client: Client) -> None:
        """Send the owner word that the device has gone."""
        del client
        with suppress(ConnectionError):
            self._post({"left": True})

    def _post(self, body: dict[str, Any]) -> None:
        self._mail.post(self._owner, {"from": self._own, "client": self._number, "table": self.table_name, **body})


class RemoteClient:
    """A device that is connected to another process, as the owner of its table sees it.

    A message that cannot be sent is dropped, so that a table goes on without the device; its next frame has all of it.
    """

    def __init__(self, mail: Postgres, worker: str, number: int) -> None:
        self.seat: int | None = None
        self.host = False
        self.worker = worker
        self._mail = mail
        self._number = number

    def _post(self, kind: str, text: str) -> None:
        with suppress(ConnectionError):
            self._mail.post(self.worker, {"to": self._number, kind: text})

    def send(self, message: bytes) -> None:
        """Send a message."""
        self._post("send", message.decode())

    def show(self, message: bytes) -> None:
        """Send a frame, in the place of one that was not sent yet."""
        self._post("show", message.decode())

    def dismiss(self, why: str) -> None:
        """Say why the connection ends, and end it."""
        self._post("gone", why)
