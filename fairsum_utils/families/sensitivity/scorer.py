"""Scorer: rows of samples, as their measures need them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairsum_utils.families.sensitivity.models import ModelsScorer
from fairsum_utils.families.sensitivity.rows import SensitivityRow
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.tally import Tally
from fairsum_utils.families.sensitivity.texts import digest, is_copy
from fairsum_utils.families.tally import tallies_of
from fairsum_utils.measures import get_measure

TALLIES: Mapping[str, type[Tally]] = tallies_of("sensitivity")
"""Measure -> its tally."""


class SensitivityScorer(ModelsScorer):
    """Scorer of the sensitivity family.

    Args:
        measures: names of the measures.
        settings: settings of these measures.

    Example:
        >>> from fairsum_utils.measures.counterfactual_gap import CounterfactualGap
        >>> scorer = SensitivityScorer(("counterfactual_gap",), CounterfactualGap())
        >>> columns = {"predictions": ["Ann won."], "article_ids": ["a"], "variants": ["female"], "changed": [["Ann"]]}
        >>> [row] = scorer.score(list(scorer.read(columns)))
        >>> row.variant, row.text, row.changed, row.n_tokens
        ('female', 'Ann won.', ('Ann',), 2)
    """

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the rows of a measure; others are None."""
        chosen = get_measure(measure).infos().values()
        keyed = {info.key: getattr(self.settings, info.name) for info in chosen if info.key and info.stage == "rows"}
        keyed.pop("reasoning")  # which the pass adds where there was any
        return {**keyed, **TALLIES[measure].signature(self, given), "empty": self.settings.empty}

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check one sample, with the checks of each measure."""
        sample: Sample = super().checked(index, row)
        for measure in self.measures:
            TALLIES[measure].check(self.settings, sample)
        return sample

    def spaced_texts(self, sample: Sample) -> Sequence[str]:
        """Return the texts whose words are cut at spaces."""
        if self.reads.sources:
            return (sample.prediction, *(sample.sources or ()))
        return (sample.prediction,) if self.reads.words else ()

    def english_texts(self, sample: Sample) -> Sequence[str]:
        """Return the summary if its words must be English."""
        return (sample.prediction,) if self.reads.english else ()

    def scored(self, samples: Sequence[Sample]) -> Iterator[SensitivityRow]:
        """Yield the rows of samples."""
        read = [TALLIES[measure].read(self, samples) for measure in self.measures]
        for sample, *parts in zip(samples, *read, strict=True):
            found = {key: entry for part in parts for key, entry in part.items()}
            found |= {"n_tokens": len(sample.prediction.split()), "digest": digest(sample.prediction)}
            yield replace(self.left_out(sample.index, "", sample), skipped=None, is_copy=is_copy(sample), **found)

    def left_out(self, index: int, reason: str, sample: Sample | None) -> SensitivityRow:
        """Return the row of a sample that is left out."""
        if sample is None:
            return SensitivityRow(index, "", "", reason)
        return SensitivityRow(index, sample.article, sample.variant, reason, sample.control, sample.replicate)


make_scorer = SensitivityScorer
