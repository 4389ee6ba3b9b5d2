"""Devices that are connected to a process which does not own their table: messages go through the owner.

The process of the device has a `Relay` in the place of the table; the owner has a `RemoteClient` in the place of the
connection.  Both write to the mail of the other process (`cli.serve.postgres`).
"""

from __future__ import annotations

from typing import Any, Protocol

from cli.serve import wire
from cli.serve.table import Client


class Mail(Protocol):
    """Sends a message to another process."""

    def post(self, worker: str, body: dict[str, Any]) -> None:
        """Send a message."""


class Relay:
    """The table of a device, as the process sees it that does not own the table; `number` names the device."""

    def __init__(self, mail: Mail, own: str, owner: str, table: str, number: int) -> None:
        self.table_name = table
        self._mail = mail
        self._own = own
        self._owner = owner
        self._number = number

    def receive(self, client: Client, request: wire.Request, data: str) -> None:
        """Hand a request to the owner."""
        del client, request
        self._mail.post(
            self._owner, {"from": self._own, "client": self._number, "table": self.table_name, "data": data}
        )

    def leave(self, client: Client) -> None:
        """Tell the owner that the device has gone."""
        del client
        self._mail.post(
            self._owner, {"from": self._own, "client": self._number, "table": self.table_name, "left": True}
        )


class RemoteClient:
    """A device that is connected to another process, as the owner of its table sees it."""

    def __init__(self, mail: Mail, worker: str, number: int) -> None:
        self.seat: int | None = None
        self.host = False
        self.worker = worker
        self._mail = mail
        self._number = number

    def send(self, message: bytes) -> None:
        """Send a message."""
        self._mail.post(self.worker, {"to": self._number, "send": message.decode()})

    def show(self, message: bytes) -> None:
        """Send a frame, in the place of one that was not sent yet."""
        self._mail.post(self.worker, {"to": self._number, "show": message.decode()})

    def dismiss(self, why: str) -> None:
        """Say why the connection ends, and end it."""
        self._mail.post(self.worker, {"to": self._number, "gone": why})
