"""Shared parts of the measures of tone."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from fairsum_utils.errors import InputError
from fairsum_utils.measures._measure import Measure
from fairsum_utils.settings import Draws, Level, override, setting
from fairsum_utils.settings.models import InferenceSettings, LabelMap, ModelId, check_labels


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
