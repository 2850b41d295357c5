"""A cache that cannot outgrow memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

# Entries before the cache is cleared: about 15 MB of words.
_SIZE = 1 << 16
# Cached texts: a summary comes several times, and regenerations are often the same.
_TEXTS = 1 << 14
# Longest cached text in characters, so that the cache holds at most 100 MB.
_SHORT = 1 << 12


def kept_of_short_texts(compute: Callable[[str], V]) -> Callable[[str], V]:
    """Cache a function's results for short texts only.

    Example:
        >>> read = []
        >>> length = kept_of_short_texts(lambda text: read.append(text[:4]) or len(text))
        >>> length("soup"), length("soup"), length("long" * 2000), length("long" * 2000), read
        (4, 4, 8000, 8000, ['soup', 'long', 'long'])
    """
    kept = lru_cache(maxsize=_TEXTS)(compute)

    @wraps(compute)
    def of(text: str) -> V:
        return kept(text) if len(text) <= _SHORT else compute(text)

    return of


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
