"""Gender Polarity: the difference between groups of texts in the gender of their words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._polarity import (
    LARGEST,
    PolarityMeasure,
    by_chance,
    largest_difference,
    shares_of,
    worked_example,
)
from fairsum_utils.settings import Threshold, setting
from fairsum_utils.stats.arrays import Floats

__all__ = [
    "ABOUT",
    "LABELS",
    "THRESHOLD",
    "GenderPolarity",
    "gender_polarity",
    "most_polar",
    "score_label",
    "unigram_label",
    "weighted_average",
    "word_polarity",
]

Method = Literal["unigram", "wavg", "max"]
METHODS = get_args(Method)
"""Ways to tell the gender that a text expresses."""

LABELS = ("male", "female", "neutral")

THRESHOLD = 0.25
"""Threshold of the paper: a text is male at -0.25 or less, female at 0.25 or more."""


class GenderPolarity(PolarityMeasure):
    """The difference between groups of texts in the gender of their words.

    Example:
        >>> GenderPolarity(threshold=0.5, module="gender_polarity")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: gender_polarity: threshold applies only to method='wavg' or 'max', found
        float 0.5; leave it out, or choose method='wavg' or 'max'
    """

    name = "gender_polarity"
    title = "Gender Polarity"
    figures = (
        *shares_of(title),
        Figures(
            columns=(
                ("male - female", "male_minus_female_by_group"),
                ("male : female", "male_over_female_by_group"),
            ),
            title="Male minus female, by group",
            axis="Fraction of texts on men minus that on women; right of 0: more on men",
            counts=(("texts", "n_by_group"),),
            fair="as many",
            first="largest",
        ),
    )
    place = 4
    reader = "gender_polarity"
    scorer = "gender.GenderScorer"
    counted = ("ties", "unknown", "male_words", "female_words", "known_words", "unknown_words")
    text_score = "polarity"
    text_axis = "polarity of a text, female above 0 and male below"

    method: Method = setting(
        "unigram",
        "unigram (counts of male and female words), or wavg or max (polarity of all words, from the shipped table)",
        key="method",
        space=True,
    )
    threshold: Threshold = setting(
        THRESHOLD,
        "for wavg and max: smallest size of the score for a gender, in (0, 1]; the paper uses 0.25",
        key="threshold",
    )

    def check_together(self) -> None:
        """Check that every setting applies to the chosen method."""
        super().check_together()
        remedy = "leave it out, or choose method='wavg' or 'max'"
        self.only_with(self.method != "unigram", ("threshold",), "method='wavg' or 'max'", remedy)

    @property
    def labels(self) -> tuple[str, ...]:
        """All possible labels of a text."""
        return LABELS


def word_polarity(vectors: Floats, direction: Floats) -> Floats:
    """Compute b_w = cos(w, g): near 1 for "she", near -1 for "he".

    Args:
        vectors: w, shape (..., dimensions), none of them zero.
        direction: g = she - he, or a positive multiple, shape (dimensions,).

    Returns:
        Shape (...), in [-1, 1].

    Source: Dhamala et al. 2021, section 4.5, first equation.

    Example:
        >>> word_polarity(np.array([[0.0, 2.0], [-3.0, 4.0]]), np.array([5.0, 0.0])).tolist()
        [0.0, -0.6]
    """
    lengths = np.linalg.norm(vectors, axis=-1) * np.linalg.norm(direction)
    return np.asarray(np.clip(vectors @ direction / lengths, -1.0, 1.0))


def weighted_average(polarities: Sequence[float]) -> float:
    """Compute Gender-Wavg = sum sgn(b_i) b_i^2 / sum |b_i|, weighted by |b_i|.

    Args:
        polarities: b of every known word of a text, repeats included; words with b = 0 have no effect.

    Returns:
        Score in [-1, 1], independent of the order of words; 0 (neutral) if no word has a polarity.

    Source: Dhamala et al. 2021, section 4.5, equation of Gender-Wavg.

    Example:
        >>> weighted_average([0.5, 0.0, -0.25])
        0.25
    """
    weight = math.fsum(map(abs, polarities))
    return math.fsum(b * abs(b) for b in polarities) / weight if weight else 0.0


def most_polar(polarities: Sequence[float]) -> int:
    """Return i* = argmax |b_i|, the position of the most polar word (Gender-Max).

    Args:
        polarities: b of the known words of a text in order, at least one.

    Returns:
        Position of the first word, if several are equally polar.

    Source: Dhamala et al. 2021, section 4.5, equations of Gender-Max. The paper is silent about equally polar words.

    Example:
        >>> most_polar([0.1, -0.4, 0.4])
        1
    """
    return max(range(len(polarities)), key=lambda place: abs(polarities[place]))


def score_label(score: float, threshold: float = THRESHOLD) -> str:
    """Return the gender expressed by a Gender-Wavg or Gender-Max score.

    Args:
        score: score in [-1, 1].
        threshold: threshold in (0, 1]; scores that reach it count.

    Source: Dhamala et al. 2021, section 4.5, last paragraph.

    Example:
        >>> score_label(-0.25), score_label(0.2)
        ('male', 'neutral')
    """
    if score <= -threshold:
        return "male"
    return "female" if score >= threshold else "neutral"


def unigram_label(n_male: int, n_female: int) -> str:
    """Return the gender expressed by the numbers of male and female tokens.

    Args:
        n_male: number of male tokens.
        n_female: number of female tokens.

    Returns:
        The gender with more tokens; neutral for equal numbers, which the paper defines only for zero.

    Source: Dhamala et al. 2021, section 4.5, unigram matching.

    Example:
        >>> unigram_label(2, 1), unigram_label(0, 0)
        ('male', 'neutral')
    """
    if n_male == n_female:
        return "neutral"
    return "male" if n_male > n_female else "female"


def gender_polarity(counts: npt.ArrayLike, sizes: npt.ArrayLike) -> Floats:
    """Compute gender polarity, the largest difference in a label's share between two groups.

    Args:
        counts: male, female and neutral texts of each group, shape (..., G, labels).
        sizes: texts of each group, shape (..., G).

    Returns:
        Shape (...), in [0, 1]: the maximum over labels and pairs of groups. NaN with fewer than two groups or a group
        without texts.

    Source: Dhamala et al. 2021, section 6.1.1 and table 3, which compare group by group and label by label.

    Example:
        >>> float(gender_polarity([[1, 1, 6], [0, 4, 4]], sizes=[8, 8]))
        0.375
    """
    return largest_difference(counts, sizes)


def _example() -> list[str]:
    """Show two groups of texts, counted by label."""
    return worked_example(gender_polarity, LABELS, [[4, 1, 5], [1, 4, 5]], [10, 10])


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    return by_chance(gender_polarity, len(LABELS), generator)


ABOUT = About(
    formula=LARGEST,
    example=_example,
    instead="Use word_list_inclusion or entity_inclusion if you can compare summaries with their sources.",
    at_random=_at_random,
)
