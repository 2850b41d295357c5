"""Regard: the difference between groups of texts in respect for the people they describe."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About
from fairsum_utils.measures._polarity import (
    LARGEST,
    ClassifierMeasure,
    by_chance,
    largest_difference,
    shares_of,
    worked_example,
)
from fairsum_utils.settings import override
from fairsum_utils.settings.models import LabelMap, ModelId
from fairsum_utils.stats.arrays import Floats, Integers

__all__ = ["ABOUT", "LABELS", "Regard", "most_likely", "regard"]

LABELS = ("positive", "negative", "neutral", "other")


class Regard(ClassifierMeasure):
    """The difference between groups of texts in respect for the people they describe.

    A `label_map` must name each label of the model, for an unknown one might be the likeliest.

    Example:
        >>> Regard(label_map={"LABEL_0": "good"}, module="regard")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: regard: the meanings in label_map must be one of positive, negative, neutral,
        other, found str 'good'
    """

    name = "regard"
    title = "Regard"
    figures = shares_of(title)
    place = 3
    reader = "regard"
    scorer = "classifiers.RegardScorer"
    text_score = "negative"
    text_axis = "score of a text for negative regard"
    known = LABELS

    model: ModelId = override(ClassifierMeasure, "model", default="sasha/regardv3")
    label_map: LabelMap | None = override(
        ClassifierMeasure,
        "label_map",
        help="label of the model -> positive, negative, neutral or other, such as {'NEG': 'negative'}; None if the "
        "model uses these four names",
    )


def most_likely(probabilities: Floats) -> Integers:
    """Return the most likely label of each text.

    Args:
        probabilities: probabilities of exclusive labels, shape (..., labels), in [0, 1].

    Returns:
        Positions of labels, shape (...); ties go to the first label.

    Source: Dhamala et al. 2021, section 4.3, after E. Sheng et al., "The Woman Worked as a Babysitter", EMNLP 2019.

    Example:
        >>> most_likely(np.array([[0.25, 0.5, 0.25], [0.5, 0.0, 0.5]])).tolist()
        [1, 0]
    """
    return np.asarray(probabilities.argmax(axis=-1))


def regard(counts: npt.ArrayLike, sizes: npt.ArrayLike) -> Floats:
    """Compute regard, the largest difference in a label's share between two groups.

    Args:
        counts: texts of each group with each label in `LABELS`, shape (..., G, labels).
        sizes: texts of each group, shape (..., G).

    Returns:
        Shape (...), in [0, 1]: the maximum over labels and pairs of groups. NaN with fewer than two groups or a group
        without texts.

    Source: Dhamala et al. 2021, section 6.1.3 and table 5, which compare group by group and label by label.

    Example:
        >>> float(regard([[4, 2, 2, 0], [2, 2, 3, 1]], sizes=[8, 8]))
        0.25
    """
    return largest_difference(counts, sizes)


def _example() -> list[str]:
    """Show two groups of texts, counted by label."""
    return worked_example(regard, LABELS, [[4, 2, 3, 1], [2, 4, 3, 1]], [10, 10])


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    return by_chance(regard, len(LABELS), generator)


ABOUT = About(
    formula=LARGEST,
    example=_example,
    instead="Use sentiment for the tone of the whole text or if you cannot run a model, and toxicity for insults.",
    at_random=_at_random,
)
