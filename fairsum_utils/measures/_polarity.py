"""Shared parts of the measures of tone, and their formula."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.measures._measure import P_VALUES, Figures, Measure
from fairsum_utils.settings import Draws, Level, override, setting
from fairsum_utils.settings.models import InferenceSettings, LabelMap, ModelId, check_labels
from fairsum_utils.stats.arrays import Floats, quotient

# Table of the tests of labels
_TESTS = Figures(
    columns=(
        ("largest difference", "largest_difference"),
        ("of groups", "of_groups"),
        ("test", "test"),
        ("statistic", "statistic"),
        *P_VALUES,
    ),
    title="Largest differences",
    kind="",
    rows="tests",
    heading="label",
    counts=(),
)


def shares_of(measure: str) -> tuple[Figures, Figures]:
    """Return the figures of a measure: shares of labels by group, and their tests."""
    shares = Figures(
        columns=(("", "proportions_by_group"),),
        title=f"{measure} by group",
        axis="Fraction of a group's texts; the score is the largest difference between two groups",
        kind="labels",
        counts=(("texts", "n_by_group"),),
    )
    return shares, _TESTS._replace(title=f"{measure}: largest differences")


class PolarityMeasure(Measure):
    """Measures of differences in tone between groups of generated texts.

    Attributes:
        scorer: file and class of the family that labels the measure's texts.
        counted: counts of each text that a result sums up, as ``n_<name>``.
        text_score: label of the score that stands for a text; None for the highest of all labels.
        text_axis: description of that score.
    """

    family = "polarity"
    needs = ("predictions",)
    takes = ("groups",)
    scorer: ClassVar[str] = ""
    counted: ClassVar[tuple[str, ...]] = ()
    text_score: ClassVar[str | None] = None
    text_axis: ClassVar[str] = ""

    confidence_level: Level | None = override(
        Measure,
        "confidence_level",
        default=0.95,
        help="confidence level of the intervals of proportions, such as 0.95; None for no interval",
    )
    n_resamples: Draws = override(
        Measure,
        "n_resamples",
        default=10_000,
        help="number of random tables in Fisher's test if there are too many to enumerate",
    )
    bootstrap: None = None  # no measure draws texts

    @property
    def labels(self) -> tuple[str, ...]:
        """All possible labels of a text, in the order of results."""
        raise NotImplementedError


class ClassifierMeasure(InferenceSettings, PolarityMeasure):
    """Measures whose texts are labelled by a sequence-classification model."""

    extra = "neural"
    counted = ("truncated",)

    model: ModelId = setting("", "id or folder of a sequence-classification model", key="model")
    revision: str | None = setting(None, "branch, tag or commit of the model")
    label_map: LabelMap | None = setting(
        None,
        "label of the model -> its meaning; None if the label names are the meanings",
        key="labels",
    )

    multi_label: None = None  # the model's configuration tells

    known: ClassVar[tuple[str, ...]] = ()
    """Possible meanings of a label of the model."""

    @property
    def meanings(self) -> tuple[str, ...]:
        """Meanings of the model's labels, in the order of `known`."""
        meanings = self.known if self.label_map is None else self.label_map.values()
        return tuple(name for name in self.known if name in meanings)

    @property
    def labels(self) -> tuple[str, ...]:
        """Meanings of the model's labels."""
        return self.meanings

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a classifier labels the texts: always."""
        return True

    def check_together(self) -> None:
        """Check that the labels are known and distinct."""
        super().check_together()
        if self.label_map is None:
            return
        names = list(check_labels(self.module, self.label_map, self.known).values())
        if len(set(names)) < len(names):
            raise InputError(
                f"{self.module}: label_map gives two labels the same meaning: {', '.join(names)}; map one label to each"
            )


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
