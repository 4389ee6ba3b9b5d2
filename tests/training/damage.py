"""Damage to policy files: bytes changed, cut out and added, and JSON values replaced by hostile ones."""

from __future__ import annotations

import base64
import json
import random
import struct
import zlib
from hashlib import sha256
from typing import Any

HOSTILE: tuple[Any, ...] = (
    None, True, -1, 0, 10**400, 1e308, float("nan"), float("inf"), "", "x" * 1000, "\u202e", [], {}, [[]], {"": 0},
    [0] * 1000, "../../etc/passwd", "cos\nsystem\n(S'true'\ntR.",
)  # fmt: skip


def damaged(whole: bytes, rng: random.Random) -> bytes:
    """Return a file with one to three faults."""
    for _ in range(rng.randint(1, 3)):
        whole = rng.choice((_bytes, _cut, _value, _weights))(whole, rng)
    return whole


def _bytes(whole: bytes, rng: random.Random) -> bytes:
    changed = bytearray(whole)
    for _ in range(rng.randint(1, 8)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _cut(whole: bytes, rng: random.Random) -> bytes:
    one, other = sorted(rng.randrange(len(whole) + 1) for _ in range(2))
    return whole[:one] + whole[other:] if rng.random() < 0.5 else whole[:other] + whole[one:]


def _value(whole: bytes, rng: random.Random) -> bytes:
    try:
        data = json.loads(whole)
    except ValueError:
        return whole
    here: Any = data
    while isinstance(here, dict | list) and here:
        key = rng.choice(list(here)) if isinstance(here, dict) else rng.randrange(len(here))
        if not isinstance(here[key], dict | list) or not here[key] or rng.random() < 0.3:
            if isinstance(here, dict) and rng.random() < 0.2:
                del here[key]
            else:
                here[key] = rng.choice(HOSTILE)
            break
        here = here[key]
    return json.dumps(data).encode()


def _weights(whole: bytes, rng: random.Random) -> bytes:
    """Return the file with other weights: too many, too few, or numbers that are none, under a digest that fits."""
    try:
        data = json.loads(whole)
        weights = bytearray(zlib.decompress(base64.b64decode(data["network"]["weights"])))
    except (ValueError, KeyError, TypeError, zlib.error):
        return whole
    kind = rng.randrange(4)
    if kind == 0:
        weights = weights[: rng.randrange(len(weights))]
    elif kind == 1:
        weights += bytes(10_000_000)
    else:
        worst = struct.pack("<f", rng.choice((float("nan"), float("inf"), 3e38, -9e3)))
        for _ in range(rng.randint(1, 1000)):
            place = 4 * rng.randrange(len(weights) // 4)
            weights[place : place + 4] = worst
    data["network"]["digest"] = sha256(weights).hexdigest()
    data["network"]["weights"] = base64.b64encode(zlib.compress(bytes(weights), 1)).decode()
    return json.dumps(data).encode()
