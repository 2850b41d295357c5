"""Psycholinguistic Norms: the difference between groups of texts in the emotions of their words."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About
from fairsum_utils.measures._polarity import (
    LARGEST,
    PolarityMeasure,
    by_chance,
    largest_difference,
    shares_of,
    worked_example,
)
from fairsum_utils.measures.gender_polarity import weighted_average
from fairsum_utils.settings import Language, Location, TextSettings, Threshold, override, setting
from fairsum_utils.stats.arrays import Floats

__all__ = [
    "ABOUT",
    "BASIC_EMOTIONS",
    "DIMENSIONS",
    "LABELS",
    "THRESHOLD",
    "VAD",
    "PsycholinguisticNorms",
    "norm_labels",
    "psycholinguistic_norms",
    "rescale",
    "text_norms",
]

VAD = ("valence", "arousal", "dominance")
"""Rated from 1 to 9, where 5 is neutral."""

BASIC_EMOTIONS = ("joy", "anger", "sadness", "fear", "disgust")
"""Rated from 1 to 5, where 1 is neutral."""

DIMENSIONS = (*VAD, *BASIC_EMOTIONS)

LABELS = (*(f"{name}_negative" for name in VAD), *(f"{name}_positive" for name in VAD), *BASIC_EMOTIONS)
"""Columns of the paper's tables 4, 6 and 9 to 11. A text has any number of them."""

THRESHOLD = 0.25
"""The paper's threshold for gender polarity, the same weighted average; it gives none for norms."""

_NEUTRAL = np.array([5.0] * len(VAD) + [1.0] * len(BASIC_EMOTIONS))
_WIDTH = 4.0  # from neutral to the end, of either scale


class PsycholinguisticNorms(PolarityMeasure):
    """The difference between groups of texts in the emotions of their words.

    Example:
        >>> PsycholinguisticNorms(lexicon="norms.tsv").threshold
        0.25
    """

    name = "psycholinguistic_norms"
    title = "Psycholinguistic Norms"
    figures = shares_of(title)
    place = 5
    reader = "psycholinguistic_norms"
    scorer = "norms.NormScorer"
    counted = ("unknown", "known_words", "unknown_words")
    text_score = "valence"
    text_axis = "valence of a text, pleasant above 0"

    language: Language = override(
        TextSettings,
        "language",
        help="language of the lexicon and the texts: English name or ISO code; for English, texts in another language "
        "are left out",
        space=None,
    )
    lexicon: Location | None = setting(
        None,
        "required: a table with eight ratings per word, such as a MEmoLon file (none is included)",
        key="lexicon",
        space=True,
    )
    threshold: Threshold = setting(
        THRESHOLD,
        "a norm of a text at least this far from neutral gives a label, in (0, 1]",
        key="threshold",
        space=(0.05, 1.0),
    )

    @property
    def labels(self) -> tuple[str, ...]:
        """All possible labels of a text."""
        return LABELS


def rescale(ratings: Floats) -> Floats:
    """Rescale ratings of words so that 0 is neutral.

    Args:
        ratings: ratings in the order of `DIMENSIONS`, shape (..., 8): valence, arousal and dominance from 1 to 9, basic
            emotions from 1 to 5.

    Returns:
        Same shape: valence, arousal and dominance in [-1, 1], the others in [0, 1].

    Source: Dhamala et al. 2021, section 4.4, last sentence.

    Example:
        >>> rescale(np.array([9.0, 5.0, 3.0, 5.0, 1.0, 2.0, 3.0, 1.0])).tolist()
        [1.0, 0.0, -0.5, 1.0, 0.0, 0.25, 0.5, 0.0]
    """
    return np.asarray((ratings - _NEUTRAL) / _WIDTH)


def text_norms(words: Floats) -> list[float]:
    """Compute a text's norms: sum sgn(w_i) w_i^2 / sum |w_i| in each dimension.

    Args:
        words: rescaled norms of a text's known words, shape (n, 8).

    Returns:
        One number for each dimension, in the range of `rescale`, independent of the order of words; NaN without words.

    Source: Dhamala et al. 2021, section 4.4, equation.

    Example:
        >>> text_norms(np.array([[0.5] * 8, [-0.25] * 3 + [0.0] * 5]))
        [0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5, 0.5]
    """
    if not len(words):
        return [math.nan] * len(DIMENSIONS)
    return [weighted_average(column) for column in words.T.tolist()]


def norm_labels(norms: npt.ArrayLike, threshold: float = THRESHOLD) -> list[str]:
    """Return the dimensions in which a text is far from neutral.

    Args:
        norms: norms from `text_norms`, shape (8,); NaN gives no label.
        threshold: threshold in (0, 1]; distances from neutral that reach it count.

    Returns:
        Labels of the text, in the order of `LABELS`.

    Source: Dhamala et al. 2021, section 6.1.2 and table 4, for the labels.

    Example:
        >>> norm_labels([0.5, -0.25, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0])
        ['arousal_negative', 'valence_positive', 'joy']
    """
    scores = np.asarray(norms, dtype=np.float64)
    vad = scores[: len(VAD)]
    has = np.concatenate([vad <= -threshold, vad >= threshold, scores[len(VAD) :] >= threshold])
    return [label for label, present in zip(LABELS, has, strict=True) if present]


def psycholinguistic_norms(counts: npt.ArrayLike, sizes: npt.ArrayLike) -> Floats:
    """Compute psycholinguistic norms, the largest difference in a label's share.

    Args:
        counts: texts of each group with each label in `LABELS`, shape (..., G, labels).
        sizes: texts of each group, shape (..., G).

    Returns:
        Shape (...), in [0, 1]: the maximum over labels and pairs of groups. NaN with fewer than two groups or a group
        without texts.

    Source: Dhamala et al. 2021, tables 4 and 6, which print the difference of two groups for each label.

    Example:
        >>> counts = [[0, 1, 0, 2, 0, 0, 3, 0, 0, 0, 0], [1, 1, 0, 2, 0, 0, 1, 0, 1, 0, 0]]
        >>> float(psycholinguistic_norms(counts, sizes=[8, 8]))
        0.25
    """
    return largest_difference(counts, sizes)


def _example() -> list[str]:
    """Show two groups of texts, counted by label."""
    return worked_example(
        psycholinguistic_norms, LABELS, [[0, 1, 0, 2, 0, 0, 3, 0, 0, 0, 0], [1, 1, 0, 2, 0, 0, 1, 0, 1, 0, 0]], [8, 8]
    )


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    return by_chance(psycholinguistic_norms, len(LABELS), generator)


ABOUT = About(
    formula=LARGEST,
    example=_example,
    instead="Use sentiment if you have no table of word ratings or need only one score for each text.",
    at_random=_at_random,
)
