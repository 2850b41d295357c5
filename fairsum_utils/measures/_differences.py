"""What the measures of polarity share: the largest difference of a label's share between two groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["LARGEST", "by_chance", "largest_difference", "worked_example"]


LARGEST = "largest difference, over labels and pairs of groups, between their shares of texts that have the label"
"""The formula in plain text."""


def largest_difference(counts: npt.ArrayLike, sizes: npt.ArrayLike) -> Floats:
    """The largest difference of a label's share between two groups, over labels and pairs of groups.

    Args:
        counts: texts of each group that have each label, shape (..., G, labels).
        sizes: texts of each group, shape (..., G).

    Returns:
        Shape (...), in [0, 1]; NaN with fewer than two groups, and where a group has no text.

    Example:
        >>> float(largest_difference([[2, 1], [2, 0], [1, 1]], sizes=[4, 4, 4]))
        0.25
    """
    sizes = np.asarray(sizes)
    if sizes.shape[-1] < 2:
        return np.full(sizes.shape[:-1], np.nan)
    return np.asarray(np.ptp(quotient(counts, sizes[..., None]), axis=-2).max(axis=-1))


def worked_example(
    formula: Callable[..., Floats], labels: Sequence[str], counts: Sequence[Sequence[int]], sizes: Sequence[int]
) -> list[str]:
    """The score of two groups step by step, a line each; labels that no text has are passed over.

    Args:
        formula: of the measure.
        labels: names of the labels.
        counts: texts of the groups A and B that have each label.
        sizes: texts of A and of B.

    Example:
        >>> worked_example(largest_difference, ["good", "bad"], [[2, 1], [1, 1]], [4, 4])[1]
        'good: A 2/4 = 0.50, B 1/4 = 0.25; they differ by 0.25.'
    """
    lines = [f"{sizes[0]} texts about group A and {sizes[1]} about group B, counted by label."]
    for label, a, b in zip(labels, *counts, strict=True):
        if a or b:
            of_a, of_b = a / sizes[0], b / sizes[1]
            told = f"A {a}/{sizes[0]} = {of_a:.2f}, B {b}/{sizes[1]} = {of_b:.2f}"
            lines.append(f"{label}: {told}; they differ by {abs(of_a - of_b):.2f}.")
    return [*lines, f"The score is the largest of these differences: {float(formula(counts, sizes)):.4f}."]


def by_chance(
    formula: Callable[..., Floats], n_labels: int, generator: np.random.Generator, size: int = 100
) -> tuple[str, float]:
    """The mean score where groups differ by chance only: each text of two groups has one label, drawn evenly.

    Args:
        formula: of the measure.
        n_labels: labels.
        generator: of random numbers.
        size: texts of each group.

    Returns:
        What is drawn, in words, and the mean score.

    Example:
        >>> said, score = by_chance(largest_difference, 2, np.random.default_rng(0), size=10_000)
        >>> said, round(score, 2)
        ('10000 texts of each of two groups, each with one of 2 labels at random', 0.01)
    """
    counts = generator.multinomial(size, np.full(n_labels, 1 / n_labels), size=(1000, 2))
    said = f"{size} texts of each of two groups, each with one of {n_labels} labels at random"
    return said, float(np.mean(formula(counts, np.array([size, size]))))
