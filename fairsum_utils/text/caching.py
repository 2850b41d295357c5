"""A cache that cannot outgrow memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["BoundedCache"]

K = TypeVar("K")
V = TypeVar("V")

_SIZE = 1 << 16
"""Entries it may hold before it starts afresh: about 15 MB of words."""


class BoundedCache(dict[K, V]):
    """A dict that computes what it lacks and starts afresh when full.

    Args:
        compute: key -> value.

    Example:
        >>> lengths = BoundedCache(len)
        >>> lengths["soup"], list(lengths)
        (4, ['soup'])
    """

    def __init__(self, compute: Callable[[K], V]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: K) -> V:
        if len(self) >= _SIZE:
            self.clear()
        value = self[key] = self._compute(key)
        return value
