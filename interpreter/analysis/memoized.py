"""Memoization of methods: an object keeps a result for each argument, as `functools.cached_property` keeps one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Memoized(Generic[_Key, _Value]):
    """A decorator for a method of one argument, of which no result changes; the object needs a `__dict__`.

    A known result is found without a frame of Python.
    """

    def __init__(self, method: Callable[[Any, _Key], _Value]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, instance: Any, owner: type) -> Callable[[_Key], _Value]:
        kept: Callable[[_Key], _Value] = cache(partial(self._method, instance))
        instance.__dict__[self._method.__name__] = kept
        return kept
