"""Scorer: coverage of summaries by documents, from chunks, units and entailment."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, compress
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import Scorer
from fairsum_utils.families.chance import N_JUDGED, draw_sentences
from fairsum_utils.families.coverage.chunks import CoverageMatrix, best_chunks, check_units, cut, merge_units
from fairsum_utils.families.coverage.llm_units import LLMSplitter, get_chat
from fairsum_utils.families.coverage.rows import MERGED, CoverageRow, UnitEvidence
from fairsum_utils.families.coverage.samples import Sample
from fairsum_utils.families.reading import EMPTY
from fairsum_utils.inference.entailers import Entailer, Grid, Judgement, get_entailer
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.measures.equal_coverage import document_coverage
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.text.languages import check_script, check_sources
from fairsum_utils.text.splitting import get_splitter, sentence_units

# Units that entail each other with more than this probability are one, in the released protocol.
MERGED_ABOVE = 0.95


class _Ready(NamedTuple):
    """Sample with its chunks and units.

    Attributes:
        sample: the sample.
        units: units of the summary.
        chunks: chunks of each document.
        drawn: distinct sentences of the random summaries; none if nothing is drawn.
        draws: places of each random summary's sentences among these.
    """

    sample: Sample
    units: list[str]
    chunks: list[list[str]]
    drawn: list[str]
    draws: list[list[int]]

    @property
    def grid(self) -> Grid:
        """All chunks, with the units and the drawn sentences."""
        return list(chain.from_iterable(self.chunks)), [*self.units, *self.drawn]

    @property
    def unit_grids(self) -> list[Grid]:
        """Return the units with each other, and the drawn sentences."""
        return [(self.units, self.units), (self.drawn, self.drawn)]


class _Split(NamedTuple):
    """Sentences and chunks of a sample's documents."""

    sentences: list[list[str]]
    chunks: list[list[str]]


class CoverageScorer(Scorer):
    """Scorer of the coverage family.

    The entailer is loaded when the first sample needs it, and serves all samples until `close`.

    Example:
        >>> scorer = CoverageScorer(("equal_coverage",), CoverageMeasure(entailer="lexical"))
        >>> columns = {"predictions": ["Tasty soup."], "sources": [["Tasty soup!", "Cold bread."]]}
        >>> [row] = scorer.score(list(scorer.read({**columns, "values": [["pos", "neg"]]})))
        >>> row.coverage
        (1.0, 0.0)
    """

    window = 256

    def __init__(self, measures: Sequence[str], settings: CoverageMeasure) -> None:
        super().__init__(measures, settings)
        self.settings: CoverageMeasure = settings
        self._is_released = settings.protocol == "released"
        self._draws = settings.at_random and settings.draws_sentences
        self._chat = get_chat(settings) if settings.splitter == "llm" else None
        self._splitter = settings.splitter if self._chat is None else LLMSplitter(self._chat, module=self.module)
        self._cut = lru_cache(1)(self._documents)  # compared systems share the sources

    @property
    def entailer(self) -> Entailer:
        """Entailer, loaded on first use."""
        return self.held("entailer", lambda: get_entailer(self.settings))

    def close(self) -> None:
        """Release the entailer and the chat model."""
        super().close()
        if self._chat is not None:
            self._chat.close()

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the coverage; loads the entailer."""
        is_given = "coverage" in given
        splitter = getattr(self._splitter, "signature", getattr(self._splitter, "__qualname__", self._splitter))
        return {
            "entailer": "given" if is_given else self.entailer.name,
            "units": "given" if is_given or "summary_units" in given else splitter,
            "chunk": None if is_given else self.settings.longest_chunk or self.settings.chunk,
            "lang": None if is_given else get_splitter(self.settings.language).signature,
            "protocol": self.settings.protocol,
            "empty": self.settings.empty,
        }

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check a sample; texts are read unless the coverage is given."""
        sample: Sample = super().checked(index, row)
        if row.get("coverage") is None:
            check_sources(self.module, index, sample.sources, self.settings.language)
            check_script(self.module, index, "the summary", sample.prediction, self.settings.language)
        return sample

    def is_empty(self, sample: Sample) -> bool:
        """Check whether a sample has neither a summary nor given units."""
        return sample.skipped == EMPTY

    def why_not(self, sample: Sample) -> str | None:
        """Return why a sample has no score."""
        return sample.skipped

    def scored(self, samples: Sequence[Sample]) -> Iterator[CoverageRow]:
        """Yield the rows of samples; a repeated pair is judged once.

        Cost is one judgement for each chunk of each document and each unit of its summary.
        """
        judged = self._score_texts([sample for sample in samples if sample.coverage is None])
        for sample in samples:
            yield next(judged) if sample.coverage is None else self._given(sample, sample.coverage)

    def _score_texts(self, samples: Sequence[Sample]) -> Iterator[CoverageRow]:
        split = self.units(samples)
        ready = [self._ready(sample, units) for sample, units in zip(samples, split, strict=True) if units]
        judged = self.entailer.judge_grids(texts.grid for texts in ready) if ready else iter(())
        merged = self._merged(ready)
        texts_of = iter(ready)
        for sample, units in zip(samples, split, strict=True):
            if units:
                yield self._judged(next(texts_of), next(judged), next(merged), next(merged))
            else:
                yield CoverageRow(sample.index, skipped="no_units")

    def _ready(self, sample: Sample, units: list[str]) -> _Ready:
        """Cut the documents, and draw random summaries without a model."""
        documents = self._cut(tuple(sample.sources))
        for position, of_document in enumerate(documents.chunks):
            if not of_document and not self._is_released:
                raise InputError(
                    f"{self.module}: sample {sample.index}: sources[{position}] is empty, so it cannot cover anything; "
                    "remove it and its group, or choose protocol='released' to count its coverage as 0"
                )
        if not self._draws or sample.units is not None:
            return _Ready(sample, units, documents.chunks, [], [])
        sentences = list(chain.from_iterable(documents.sentences))
        numbers: dict[str, int] = {}
        draws = [
            [numbers.setdefault(sentences[place], len(numbers)) for place in drawn]
            for drawn in draw_sentences(documents.sentences, units, N_JUDGED)
        ]
        return _Ready(sample, units, documents.chunks, list(numbers), draws)

    def _merged(self, ready: Sequence[_Ready]) -> Iterator[Bools | None]:
        """Yield merged units and drawn sentences; None if none are merged."""
        if not self._is_released or not ready:
            yield from [None] * (2 * len(ready))
            return
        for judgement in self.entailer.judge_grids(grid for texts in ready for grid in texts.unit_grids):
            yield judgement.probability > MERGED_ABOVE

    def units(self, samples: Sequence[Sample]) -> list[list[str]]:
        """Return the units of each summary, given or split."""
        to_split = [sample for sample in samples if sample.units is None]
        summaries = [sample.prediction for sample in to_split]
        if isinstance(self._splitter, LLMSplitter):
            split = self._splitter.split_many(summaries, [sample.index for sample in to_split])
        else:
            language = self.settings.language
            split = [
                self._splitter(summary) if callable(self._splitter) else sentence_units(summary, language)
                for summary in summaries
            ]
        checked = (
            check_units(self.module, sample.index, of_sample) if of_sample else []
            for sample, of_sample in zip(to_split, split, strict=True)
        )
        return [next(checked) if sample.units is None else sample.units for sample in samples]

    def _documents(self, sources: Sequence[str]) -> _Split:
        """Split documents into sentences and chunks."""
        splitter = get_splitter(self.settings.language)
        sentences = list(map(splitter.sentences, sources))
        return _Split(sentences, [cut(of_document, **self.settings.cutting) for of_document in sentences])

    def _judged(
        self, texts: _Ready, judgement: Judgement, same_units: Bools | None, same_drawn: Bools | None
    ) -> CoverageRow:
        n, units, probability = len(texts.units), texts.units, judgement.probability
        if self._is_released:
            probability = np.where(judgement.likeliest, probability, 0.0)
        of_units, lengths = probability[:, :n], list(map(len, texts.chunks))
        if same_units is not None:
            groups = merge_units(same_units)
            of_units = np.column_stack([of_units[:, group].max(axis=1) for group in groups])
            units = [MERGED.join(units[unit] for unit in group) for group in groups]
        # A unit of which the entailer can say nothing is none.
        usable = np.asarray(~np.isnan(of_units).any(axis=0))
        row = self._row(
            texts.sample,
            best_chunks(of_units[:, usable], lengths),
            units=list(compress(units, usable)),
            chunks_of=texts.chunks,
            n_truncated=int(np.count_nonzero(judgement.cut[:, :n])),
        )
        if not texts.draws or row.skipped is not None:
            return row
        drawn = best_chunks(probability[:, n:], lengths).probability
        return replace(row, at_random=_at_random(texts, drawn, same_drawn))

    def _given(self, sample: Sample, probability: Floats) -> CoverageRow:
        """Return the row of a sample with given coverage."""
        matrix = CoverageMatrix(probability, np.zeros(probability.shape, dtype=np.int64))
        return self._row(sample, matrix, units=sample.units)

    def _row(
        self,
        sample: Sample,
        matrix: CoverageMatrix,
        *,
        units: list[str] | None,
        chunks_of: list[list[str]] | None = None,
        n_truncated: int = 0,
    ) -> CoverageRow:
        probability, chunk = matrix
        if self._is_released:
            covered = np.asarray(probability.max(axis=0) > 0)
            probability, chunk = probability[:, covered], chunk[:, covered]
            units = None if units is None else list(compress(units, covered))
        if not probability.shape[1]:
            return CoverageRow(sample.index, skipped="no_covered_unit" if self._is_released else "no_units")
        return CoverageRow(
            index=sample.index,
            values=tuple(sample.values),
            coverage=tuple(document_coverage(probability).tolist()),
            n_units=probability.shape[1],
            n_truncated=n_truncated,
            units=tuple(units) if self.evidence and units is not None else None,
            evidence=tuple(_evidence(probability, chunk, chunks_of)) if self.evidence else None,
            unit_coverage=tuple(map(tuple, probability.T.tolist())) if self.evidence else None,
        )


def _at_random(texts: _Ready, covered: Floats, same: Bools | None) -> tuple[float, ...]:
    """Compute the coverage differences of random summaries, group after group.

    Args:
        texts: the sample.
        covered: coverage of each drawn sentence by each document.
        same: drawn sentences that are one; None if they are not merged.
    """
    covered = covered.T
    if same is not None:
        merged = (merge_units(same[np.ix_(draw, draw)]) for draw in texts.draws)
        groups = [
            [np.array(draw)[group] for group in of_draw] for draw, of_draw in zip(texts.draws, merged, strict=True)
        ]
        best = [[covered[group].max(axis=0) for group in of_draw] for of_draw in groups]
        used = [[row for row in of_draw if row.any()] for of_draw in best]  # a unit that nothing covers is none
        coverage = np.array([np.mean(rows or [np.zeros(covered.shape[1])], axis=0) for rows in used])
    else:
        usable = np.asarray(~np.isnan(covered).any(axis=1))
        is_drawn = np.zeros((len(texts.draws), len(covered)))
        for number, draw in enumerate(texts.draws):
            is_drawn[number, draw] = usable[draw]
        coverage = (
            is_drawn @ np.where(usable[:, None], covered, 0.0) / np.maximum(is_drawn.sum(axis=1, keepdims=True), 1)
        )
    above = coverage - coverage.min(axis=1, keepdims=True)  # equal coverages differ by exactly 0
    values = np.array(texts.sample.values)
    means = [above[:, values == value].mean(axis=1) for value in sorted(set(texts.sample.values))]
    return tuple((np.array(means) - above.mean(axis=1)).ravel().tolist())


def _evidence(probability: Floats, chunk: Integers, chunks_of: list[list[str]] | None) -> Iterator[UnitEvidence]:
    """Return the document and chunk that cover each unit best, first on ties."""
    for unit, document in enumerate(probability.argmax(axis=0).tolist()):
        best = float(probability[document, unit])
        if chunks_of is None:
            yield UnitEvidence(document, None, best, None)
        else:
            place = int(chunk[document, unit])
            yield UnitEvidence(document, place, best, chunks_of[document][place])


make_scorer = CoverageScorer
