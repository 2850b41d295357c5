"""Scorer with the models and distances that compare texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from fairsum_utils.families.originals import OriginalsScorer
from fairsum_utils.families.sensitivity.distances import (
    Distances,
    bleu_distances,
    embedding_distances,
    rouge_l_distances,
    word_distances,
)
from fairsum_utils.families.sensitivity.rows import SensitivityRow
from fairsum_utils.families.sensitivity.samples import Sample, check_row
from fairsum_utils.families.sensitivity.tally import tally_of
from fairsum_utils.families.sensitivity.texts import digest, is_copy
from fairsum_utils.inference.entailers import Entailer, NLIEntailer
from fairsum_utils.inference.sentences import SentenceEmbedder
from fairsum_utils.measures import get_measure
from fairsum_utils.settings.models import NLI_MODEL, SENTENCE_MODEL

_OF_WORDS: dict[str, Distances] = {"words": word_distances, "rouge_l": rouge_l_distances, "bleu": bleu_distances}


class SensitivityScorer(OriginalsScorer):
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

    def entailer(self) -> Entailer:
        """Load the entailment model; errors suggest the lexical matcher."""
        chosen, offline = self.settings, "matcher='lexical'"
        label, model = chosen.entailment_label, chosen.model or NLI_MODEL
        return self.held(
            "entailer",
            lambda: NLIEntailer(model, revision=chosen.revision, label=label, settings=chosen, offline=offline),
        )

    def embedder(self) -> SentenceEmbedder:
        """Load the embedding model; errors suggest the distance of words."""
        chosen, offline = self.settings, "distance='words'"
        model = chosen.model or SENTENCE_MODEL
        return self.held(
            "embedder", lambda: SentenceEmbedder(model, revision=chosen.revision, settings=chosen, offline=offline)
        )

    def distances(self) -> tuple[Distances, str]:
        """Return the distance between summaries and the name of its model, if any."""
        if self.settings.distance in _OF_WORDS:
            return _OF_WORDS[self.settings.distance], ""
        embedder = self.embedder()
        return partial(embedding_distances, embed=embedder.embed), embedder.name

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the rows of a measure; others are None."""
        chosen = get_measure(measure).infos().values()
        keyed = {info.key: getattr(self.settings, info.name) for info in chosen if info.key and info.stage == "rows"}
        keyed.pop("reasoning")  # which the pass adds where there was any
        return {**keyed, **tally_of(measure).signature(self, given), "empty": self.settings.empty}

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check one sample, with the checks of each measure."""
        sample = check_row(self.module, index, row)
        for measure in self.measures:
            tally_of(measure).check(self.settings, sample)
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
        """Yield the rows of samples with a summary."""
        read = [tally_of(measure).read(self, samples) for measure in self.measures]
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
