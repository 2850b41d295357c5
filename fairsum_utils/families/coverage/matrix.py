"""Coverage of units by documents: best chunks and merged units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fairsum_utils.stats.arrays import Bools, Floats, Integers


class CoverageMatrix(NamedTuple):
    """Probability that each document covers each unit, with the best chunk.

    Attributes:
        probability: shape (documents, units).
        chunk: shape (documents, units), position of the best chunk within its document.
    """

    probability: Floats
    chunk: Integers


def best_chunks(probability: Floats, chunks_per_document: Sequence[int]) -> CoverageMatrix:
    """Return the most probable chunk of each document; ties go to the first chunk.

    Source: Li et al. 2025, equation 2.

    Example:
        >>> best_chunks(np.array([[0.2], [0.9], [0.4]]), [2, 1]).probability.tolist()
        [[0.9], [0.4]]
    """
    stops = np.cumsum(chunks_per_document)
    parts = [probability[stop - count : stop] for stop, count in zip(stops, chunks_per_document, strict=True)]
    return CoverageMatrix(
        probability=np.array([part.max(axis=0, initial=0.0) for part in parts]),
        chunk=np.array([part.argmax(axis=0) if len(part) else np.zeros(part.shape[1], np.int64) for part in parts]),
    )


def merge_units(entails: Bools) -> list[list[int]]:
    """Group units that entail each other, directly or through other units.

    Returns:
        Positions of the units of each group, sorted.

    Source: the released code of Li et al. 2025, not the paper.

    Example:
        >>> merge_units(np.array([[1, 0, 1], [0, 1, 1], [1, 0, 1]], dtype=bool))
        [[0, 2], [1]]
    """
    mutual = entails & entails.T
    groups: list[list[int]] = []
    left = set(range(len(mutual)))
    while left:
        group, joining = set(), {min(left)}
        while joining:
            group |= joining
            left -= joining
            joining = {int(unit) for member in joining for unit in np.flatnonzero(mutual[member])} & left
        groups.append(sorted(group))
    return groups
