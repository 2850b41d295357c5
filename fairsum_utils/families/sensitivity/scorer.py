"""Scorer: rows of samples, as their measures need them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from fairsum_utils.families import Scorer
from fairsum_utils.families.sensitivity.distances import (
    Distances,
    bleu_distances,
    embedding_distances,
    rouge_l_distances,
    word_distances,
)
from fairsum_utils.families.sensitivity.rows import SensitivityRow
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.texts import digest, is_copy
from fairsum_utils.families.tally import tallies_of
from fairsum_utils.inference.entailers import Entailer, NLIEntailer
from fairsum_utils.inference.sentences import SentenceEmbedder
from fairsum_utils.inference.tasks import SequenceClassifier
from fairsum_utils.measures import get_measure
from fairsum_utils.settings.models import NLI_MODEL, SENTENCE_MODEL
from fairsum_utils.text.recognition import PersonRecognizer

_OF_WORDS: Mapping[str, Distances] = {"words": word_distances, "rouge_l": rouge_l_distances, "bleu": bleu_distances}


class SensitivityScorer(Scorer):
    """Scorer of the sensitivity family, with models that are loaded on first use.

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

    window = 1024

    def __init__(self, measures: Sequence[str], settings: Any) -> None:
        super().__init__(measures, settings)
        self._tallies = tallies_of("sensitivity")

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the rows of a measure; others are None."""
        chosen = get_measure(measure).infos().values()
        keyed = {info.key: getattr(self.settings, info.name) for info in chosen if info.key and info.stage == "rows"}
        keyed.pop("reasoning")  # which the pass adds where there was any
        return {**keyed, **self._tallies[measure].signature(self, given), "empty": self.settings.empty}

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check one sample, with the checks of each measure."""
        sample: Sample = super().checked(index, row)
        for measure in self.measures:
            self._tallies[measure].check(self.settings, sample)
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
        read = [self._tallies[measure].read(self, samples) for measure in self.measures]
        for sample, *parts in zip(samples, *read, strict=True):
            found = {key: entry for part in parts for key, entry in part.items()}
            found |= {"n_tokens": len(sample.prediction.split()), "digest": digest(sample.prediction)}
            yield replace(self.left_out(sample.index, "", sample), skipped=None, is_copy=is_copy(sample), **found)

    def left_out(self, index: int, reason: str, sample: Sample | None) -> SensitivityRow:
        """Return the row of a sample that is left out."""
        if sample is None:
            return SensitivityRow(index, "", "", reason)
        return SensitivityRow(index, sample.article, sample.variant, reason, sample.control, sample.replicate)

    def entailer(self) -> Entailer:
        """Load the entailment model; errors suggest the lexical matcher."""
        chosen, offline = self.settings, "matcher='lexical'"
        label, model = chosen.entailment_label, chosen.model or NLI_MODEL
        return self.held(
            "entailer",
            lambda: NLIEntailer(model, revision=chosen.revision, label=label, settings=chosen, offline=offline),
        )

    def distances(self) -> tuple[Distances, str]:
        """Return the distance between summaries and the name of its model, if any."""
        chosen, offline = self.settings, "distance='words'"
        if chosen.distance in _OF_WORDS:
            return _OF_WORDS[chosen.distance], ""
        model = chosen.model or SENTENCE_MODEL
        embedder = self.held(
            "embedder", lambda: SentenceEmbedder(model, revision=chosen.revision, settings=chosen, offline=offline)
        )
        return partial(embedding_distances, embed=embedder.embed), embedder.name

    def recognizer(self) -> PersonRecognizer:
        """Load the pipeline that finds persons."""
        return self.held("recognizer", lambda: PersonRecognizer(self.settings.persons_ner, module=self.module))

    def classifier(self, outcome: str) -> SequenceClassifier:
        """Load the classifier of an outcome; errors suggest other outcomes."""
        model, offline = getattr(self.settings, f"{outcome}_model"), f"outcomes other than {outcome}"
        return self.held(
            outcome, lambda: SequenceClassifier(model, multi_label=None, settings=self.settings, offline=offline)
        )


make_scorer = SensitivityScorer
