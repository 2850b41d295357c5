"""Random order that a seed repeats on every platform and version."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["shuffled"]

T = TypeVar("T")


def shuffled(items: Sequence[T], generator: random.Random) -> list[T]:
    """Return the items in random order.

    Drawn with ``random()`` alone, whose sequence Python promises to keep; ``random.shuffle`` may change.

    Example:
        >>> sorted(shuffled("abc", random.Random(0)))
        ['a', 'b', 'c']
    """
    keys = [generator.random() for _ in items]
    return [items[i] for i in sorted(range(len(items)), key=keys.__getitem__)]
