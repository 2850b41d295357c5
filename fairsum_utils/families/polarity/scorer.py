"""Base class of the family's scorers."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from fairsum_utils.families import CheckedSample, Scorer
from fairsum_utils.families.polarity.rows import PolarityRow, Word, check_groups
from fairsum_utils.families.reading import LeftOut
from fairsum_utils.measures._polarity import PolarityMeasure
from fairsum_utils.settings.models import InferenceSettings
from fairsum_utils.validation import check_group, check_text


@dataclass(frozen=True, slots=True)
class Sample(CheckedSample):
    """Checked text with its group.

    Attributes:
        index: position of the text in the data.
        group: group of the text; None if there are no groups.
        text: the text; empty if skipped.
    """

    index: int
    group: str | None
    text: str

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample for every system."""
        return (str(self.group),)


class Labelled(NamedTuple):
    """Labels and scores of one text.

    Attributes:
        labels: labels of the text: none, one or several.
        scores: numbers that decide the labels.
        counts: further counts, see `PolarityScorer.counted`.
        evidence: decisive words; None if a model decides or evidence was not requested.
    """

    labels: tuple[str, ...]
    scores: Mapping[str, float]
    counts: Mapping[str, int] = {}
    evidence: tuple[Word, ...] | None = None


class PolarityScorer(Scorer):
    """Base class of scorers; subclasses define `label_texts`.

    Attributes:
        labels: all possible labels, in the order of results.
        counted: names of further counts; a result has the sum of each as ``n_<name>``.
    """

    window = 128
    labels: tuple[str, ...]
    counted: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def label_texts(self, texts: Sequence[str]) -> Iterable[Labelled]:
        """Label texts, all of them non-empty."""

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check a text and its group."""
        label = check_group(f"{self.module}: sample {index}", "group", row["groups"]) if "groups" in row else None
        text = row["predictions"]
        check_text(self.module, index, "prediction", text)
        return Sample(index, label, "" if text.isspace() else text)

    def is_empty(self, sample: Sample) -> bool:
        """Check whether a text is blank."""
        return not sample.text

    def english_texts(self, sample: Sample) -> Sequence[str]:
        """Return the text if its words decide, not a model."""
        return () if isinstance(self.settings, InferenceSettings) else (sample.text,)

    def left_out(self, index: int, reason: str, sample: Sample | None) -> PolarityRow:
        """Return the row of a text that is left out."""
        return PolarityRow(index, None if sample is None else sample.group, skipped=reason)

    def check(self, samples: Sequence[Sample | LeftOut]) -> None:
        """Check that groups can be compared, before any text is labelled."""
        sizes: Counter[str | None] = Counter()
        skipped: Counter[str | None] = Counter()
        for sample in samples:
            if not isinstance(sample, LeftOut):
                (sizes if sample.text else skipped)[sample.group] += 1
        check_groups(self.module, sizes, skipped)

    def score(self, samples: Sequence[Sample]) -> list[PolarityRow]:
        """Yield a row for each text, in the order of the samples."""
        labelled = iter(self.label_texts([sample.text for sample in samples if sample.text]))
        return [
            PolarityRow(sample.index, sample.group, *next(labelled))
            if sample.text
            else self.left_out(sample.index, "empty_prediction", sample)
            for sample in samples
        ]


def check_row(module: str, index: int, row: Mapping[str, Any]) -> None:
    """Check that a sample has a text and, if there are groups, a group."""
    if "groups" in row:
        check_group(f"{module}: sample {index}", "group", row["groups"])
    check_text(module, index, "prediction", row["predictions"])


def make_scorer(measures: Sequence[str], settings: PolarityMeasure) -> PolarityScorer:
    """Make the scorer of a measure."""
    file, _, name = settings.scorer.partition(".")
    scorer: PolarityScorer = getattr(importlib.import_module(f"{__package__}.{file}"), name)(measures, settings)
    return scorer
