"""Simulation on a Dask cluster: if a worker is lost, its pieces go to another one.

The workers need this package, of the same version, and a C compiler if the plays are to be quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress

import dask
from distributed import Client

from interpreter.sharing import Executors

SECONDS = 10
"""How long a scheduler may take to answer."""


RETURNING = 60
"""How long a scheduler may take to come back."""


@contextmanager
def cluster(address: str) -> Iterator[Executors]:
    """Give how to make executors of the cluster at an address, also after its scheduler began anew.

    Raises OSError where there is none.
    """
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"})  # Networks go with their tasks.
    clients = [_client(address, SECONDS)]

    def executor() -> Executor:
        if clients[-1].status != "running":
            with suppress(TimeoutError):
                clients[-1].close(timeout=1)
            clients.append(_client(address, RETURNING))
        made: Executor = clients[-1].get_executor()
        return made

    try:
        yield executor
    finally:
        clients[-1].close()


def _client(address: str, seconds: float) -> Client:
    try:
        return Client(address, timeout=seconds)
    except (OSError, ValueError) as error:
        raise OSError(f"no Dask scheduler answers at `{address}`: {error}") from error
