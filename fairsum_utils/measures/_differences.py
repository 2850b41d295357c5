"""Formula of the polarity measures: the largest difference between two groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["LARGEST", "by_chance", "largest_difference", "worked_example"]


LARGEST = (
    "largest difference between two groups in the share of texts with a label, over all labels and pairs of groups"
)
"""The formula in plain text."""


def largest_difference(counts: npt.ArrayLike, sizes: npt.ArrayLike) -> Floats:
    """Compute the largest difference in a label's share between two groups.

    Args:
        counts: texts of each group with each label, shape (..., G, labels).
        sizes: texts of each group, shape (..., G).

    Returns:
        Shape (...), in [0, 1]; NaN with fewer than two groups or a group without texts.

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
    """Return the score of two groups step by step, without unused labels.

    Args:
        formula: formula of the measure.
        labels: names of the labels.
        counts: texts of groups A and B with each label.
        sizes: texts of A and of B.

    Example:
        >>> worked_example(largest_difference, ["good", "bad"], [[2, 1], [1, 1]], [4, 4])[1]
        'good: A 2/4 = 0.50, B 1/4 = 0.25; difference 0.25.'
    """
    lines = [f"{sizes[0]} texts about group A and {sizes[1]} about group B, counted by label."]
    for label, a, b in zip(labels, *counts, strict=True):
        if a or b:
            of_a, of_b = a / sizes[0], b / sizes[1]
            shares = f"A {a}/{sizes[0]} = {of_a:.2f}, B {b}/{sizes[1]} = {of_b:.2f}"
            lines.append(f"{label}: {shares}; difference {abs(of_a - of_b):.2f}.")
    return [*lines, f"The score is the largest of these differences: {float(formula(counts, sizes)):.4f}."]


def by_chance(
    formula: Callable[..., Floats], n_labels: int, generator: np.random.Generator, size: int = 100
) -> tuple[str, float]:
    """Simulate the mean score of two groups whose texts have random labels.

    Args:
        formula: formula of the measure.
        n_labels: number of labels.
        generator: random number generator.
        size: number of texts in each group.

    Returns:
        Description of the draws, and the mean score.

    Example:
        >>> drawn, score = by_chance(largest_difference, 2, np.random.default_rng(0), size=10_000)
        >>> drawn, round(score, 2)
        ('10000 texts for each of two groups, each with one of 2 labels at random', 0.01)
    """
    counts = generator.multinomial(size, np.full(n_labels, 1 / n_labels), size=(1000, 2))
    drawn = f"{size} texts for each of two groups, each with one of {n_labels} labels at random"
    return drawn, float(np.mean(formula(counts, np.array([size, size]))))
