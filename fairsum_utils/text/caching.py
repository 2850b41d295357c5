"""A cache that cannot outgrow memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

# Entries before the cache is cleared: about 15 MB of words.
_SIZE = 1 << 16


class BoundedCache(dict[K, V]):
    """A dict that computes what it lacks and starts afresh when full.

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
