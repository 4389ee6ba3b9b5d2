"""The links of a table: a secret token for each seat, for spectators and for the host.

A token has 128 bits and is the fragment of a link, so it is in no log, no `Referer` and no preview of the link.  The
server stores its SHA-256 and compares hashes in constant time.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable

import attrs

SPECTATORS, HOST = "spectators", "host"
TOKEN_BYTES = 16
_UNKNOWN = hashlib.sha256(b"").hexdigest()

RandomBytes = Callable[[int], bytes]
Place = int | str
"""The target of a link: a seat, `spectators` or `host`."""


def new_token(random_bytes: RandomBytes) -> str:
    """Return a token of 128 random bits as text that a URL may contain."""
    return base64.urlsafe_b64encode(random_bytes(TOKEN_BYTES)).decode().rstrip("=")


def new_table_name(random_bytes: RandomBytes) -> str:
    """Return the name of a table, 8 letters and digits; it is no secret."""
    return base64.b32encode(random_bytes(5)).decode().lower()


def is_table_name(name: str) -> bool:
    """Say whether a text can be the name of a table."""
    return re.fullmatch(r"[a-z2-7]{8}", name) is not None


def hash_of(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@attrs.define
class Links:
    """The links of one table: the hash of the token of each place, and the tokens that this process has made.

    `hashes` has the number of a seat as text, `spectators` or `host` as its keys.
    """

    hashes: dict[str, str]
    known: dict[str, str] = attrs.field(factory=dict, repr=False)

    @classmethod
    def new(cls, players: int, random_bytes: RandomBytes, *, spectators: bool) -> Links:
        """Return new links of all places."""
        made = cls({})
        for place in (*range(players), *([SPECTATORS] if spectators else []), HOST):
            made.renew(place, random_bytes)
        return made

    def renew(self, place: Place, random_bytes: RandomBytes) -> str:
        """Return a new token of a place; the one before is not valid any more."""
        token = new_token(random_bytes)
        self.known[str(place)] = token
        self.hashes[str(place)] = hash_of(token)
        return token

    def place_of(self, token: str) -> Place | None:
        """Return what a token leads to, or None; the time depends on the number of places alone."""
        given, found = hash_of(token), None
        for place, kept in self.hashes.items():
            if hmac.compare_digest(given, kept):
                found = place
        return int(found) if found is not None and found.isdigit() else found


def compare_with_nothing(places: int, token: str) -> None:
    """Take the time that `Links.place_of` takes, for a table that does not exist."""
    given = hash_of(token)
    for _ in range(places):
        hmac.compare_digest(given, _UNKNOWN)
