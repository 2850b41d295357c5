"""Means whose bits do not depend on the order of what is averaged."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairsum_utils.stats.arrays import Floats

__all__ = ["exact_mean"]


def exact_mean(entries: Sequence[float] | Floats) -> float:
    """The mean from an exactly rounded sum, so that order changes no bit; NaN of nothing.

    Example:
        >>> exact_mean([0.5, 0.25]), exact_mean([])
        (0.375, nan)
    """
    return math.fsum(entries) / len(entries) if len(entries) else math.nan
