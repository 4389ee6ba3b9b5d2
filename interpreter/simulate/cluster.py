"""Let the workers of a Dask cluster play: its scheduler gives the pieces of another worker where one is lost.

The workers need this package, of the same version, and a C compiler if the plays are to be quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from distributed import Client

SECONDS = 10
"""How long a scheduler may take to answer."""


@contextmanager
def cluster(address: str) -> Iterator[Callable[[], Executor]]:
    """Give how to make executors of the cluster at an address.  Raises OSError where there is none."""
    try:
        client = Client(address, timeout=SECONDS)
    except (OSError, ValueError) as error:
        raise OSError(f"no Dask scheduler answers at `{address}`: {error}") from error
    with client:
        yield client.get_executor
