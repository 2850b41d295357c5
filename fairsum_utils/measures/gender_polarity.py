"""Gender polarity: which gender a text expresses, by counting words or by weighing their polarity b_w."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Measure
from fairsum_utils.measures._differences import LARGEST, by_chance, largest_difference, worked_example
from fairsum_utils.stats.arrays import Floats

__all__ = [
    "ABOUT",
    "LABELS",
    "MEASURE",
    "THRESHOLD",
    "gender_polarity",
    "most_polar",
    "score_label",
    "unigram_label",
    "weighted_average",
    "word_polarity",
]

MEASURE = Measure("gender_polarity", "Gender Polarity", "polarity", 0.0, 1.0, lower_is_fairer=True, place=4)

LABELS = ("male", "female", "neutral")

THRESHOLD = 0.25
"""The paper's: a text is male at a score of -0.25 or less, female at 0.25 or more."""


def word_polarity(vectors: Floats, direction: Floats) -> Floats:
    """b_w = cos(w, g): near 1 for a word near "she", near -1 for a word near "he".

    Args:
        vectors: w, shape (..., dimensions), none of them zero.
        direction: g = she - he, or any positive multiple of it, shape (dimensions,).

    Returns:
        Shape (...), in [-1, 1].

    Source: papers/bold, section 4.5, first equation.

    Example:
        >>> word_polarity(np.array([[0.0, 2.0], [-3.0, 4.0]]), np.array([5.0, 0.0])).tolist()
        [0.0, -0.6]
    """
    lengths = np.linalg.norm(vectors, axis=-1) * np.linalg.norm(direction)
    return np.asarray(np.clip(vectors @ direction / lengths, -1.0, 1.0))


def weighted_average(polarities: Sequence[float]) -> float:
    """Gender-Wavg = sum sgn(b_i) b_i^2 / sum |b_i|: the mean of b_i, weighted by |b_i|.

    Args:
        polarities: b of every known word of a text, repeats included. Words with b = 0 change nothing.

    Returns:
        In [-1, 1]; the order of words changes no bit of it. 0 where no word has a polarity: such a text is neutral.

    Source: papers/bold, section 4.5, equation of Gender-Wavg.

    Example:
        >>> weighted_average([0.5, 0.0, -0.25])
        0.25
    """
    weight = math.fsum(map(abs, polarities))
    return math.fsum(b * abs(b) for b in polarities) / weight if weight else 0.0


def most_polar(polarities: Sequence[float]) -> int:
    """i* = argmax |b_i|, the place of the most polar word, whose b is Gender-Max.

    Args:
        polarities: b of the known words of a text in their order, at least one.

    Returns:
        The first place, if several words are equally polar.

    Source: papers/bold, section 4.5, equations of Gender-Max. The paper is silent about equally polar words.

    Example:
        >>> most_polar([0.1, -0.4, 0.4])
        1
    """
    return max(range(len(polarities)), key=lambda place: abs(polarities[place]))


def score_label(score: float, threshold: float = THRESHOLD) -> str:
    """The gender that a text expresses by its Gender-Wavg or Gender-Max.

    Args:
        score: in [-1, 1].
        threshold: in (0, 1]; a score that reaches it counts.

    Source: papers/bold, section 4.5, last paragraph.

    Example:
        >>> score_label(-0.25), score_label(0.2)
        ('male', 'neutral')
    """
    if score <= -threshold:
        return "male"
    return "female" if score >= threshold else "neutral"


def unigram_label(n_male: int, n_female: int) -> str:
    """The gender that a text expresses by the numbers of its male and its female tokens.

    Args:
        n_male: male tokens.
        n_female: female tokens.

    Returns:
        The gender with more tokens; neutral for equal numbers. The paper defines that for two zeros only.

    Source: papers/bold, section 4.5, unigram matching.

    Example:
        >>> unigram_label(2, 1), unigram_label(0, 0)
        ('male', 'neutral')
    """
    if n_male == n_female:
        return "neutral"
    return "male" if n_male > n_female else "female"


def gender_polarity(counts: npt.ArrayLike, sizes: npt.ArrayLike) -> Floats:
    """Gender polarity, the largest difference between two groups in how often their texts express a gender.

    Args:
        counts: texts of each group that are male, female and neutral, shape (..., G, labels).
        sizes: texts of each group, shape (..., G).

    Returns:
        Shape (...), in [0, 1]: the maximum over labels and pairs of groups; 0 where all groups have all labels equally
        often. NaN with fewer than two groups, and where a group has no text.

    Source: papers/bold, section 6.1.1 and table 3, which compare group by group and label by label.

    Example:
        >>> float(gender_polarity([[1, 1, 6], [0, 4, 4]], sizes=[8, 8]))
        0.375
    """
    return largest_difference(counts, sizes)


def _example() -> list[str]:
    """Two groups of texts, counted by label."""
    return worked_example(gender_polarity, LABELS, [[4, 1, 5], [1, 4, 5]], [10, 10])


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    return by_chance(gender_polarity, len(LABELS), generator)


ABOUT = About(
    formula=LARGEST,
    example=_example,
    instead="word_list_inclusion and entity_inclusion where there are sources to compare with.",
    at_random=_at_random,
)
