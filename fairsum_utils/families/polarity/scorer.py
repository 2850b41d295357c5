"""Base class of the family's scorers."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fairsum_utils.families import Scorer
from fairsum_utils.families.polarity.rows import PolarityRow, Word
from fairsum_utils.families.polarity.samples import Sample, check_groups
from fairsum_utils.families.reading import LeftOut
from fairsum_utils.measures._polarity import PolarityMeasure
from fairsum_utils.settings.models import InferenceSettings


class Labelled(NamedTuple):
    """Labels and scores of one text.

    Attributes:
        labels: labels of the text: none, one or several.
        scores: numbers that decide the labels.
        counts: further counts, see `PolarityMeasure.counted`.
        evidence: decisive words; None if a model decides or evidence was not requested.
    """

    labels: tuple[str, ...]
    scores: Mapping[str, float]
    counts: Mapping[str, int] = {}
    evidence: tuple[Word, ...] | None = None


class PolarityScorer(Scorer):
    """Base class of scorers; subclasses define `label_texts`."""

    window = 128

    @abstractmethod
    def label_texts(self, texts: Sequence[str]) -> Iterable[Labelled]:
        """Label texts, all of them non-empty."""

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

    def scored(self, samples: Sequence[Sample]) -> Iterator[PolarityRow]:
        """Yield the rows of texts."""
        labelled = self.label_texts([sample.text for sample in samples])
        for sample, found in zip(samples, labelled, strict=True):
            yield PolarityRow(sample.index, sample.group, *found)


def make_scorer(measures: Sequence[str], settings: PolarityMeasure) -> PolarityScorer:
    """Make the scorer of a measure."""
    file, _, name = settings.scorer.partition(".")
    scorer: PolarityScorer = getattr(importlib.import_module(f"{__package__}.{file}"), name)(measures, settings)
    return scorer
