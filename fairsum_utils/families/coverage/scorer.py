"""Scorer: coverage of summaries by documents, from chunks, units and entailment."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import accumulate, chain, compress, product
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import CheckedSample, Scorer
from fairsum_utils.families.chance import draw_sentences
from fairsum_utils.families.coverage.chance import draws_sentences
from fairsum_utils.families.coverage.chunks import check_units, cut
from fairsum_utils.families.coverage.llm_units import LLMSplitter, get_chat
from fairsum_utils.families.coverage.matrix import CoverageMatrix, best_chunks, merge_units
from fairsum_utils.families.coverage.rows import MERGED, CoverageRow, UnitEvidence
from fairsum_utils.families.coverage.settings import CoverageSettings
from fairsum_utils.inference.entailers import Entailer, Judgement, get_entailer
from fairsum_utils.measures.equal_coverage import document_coverage
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.text.languages import check_script, check_sources
from fairsum_utils.text.splitting import get_splitter, sentence_units
from fairsum_utils.validation import check_sample, describe

# Units that entail each other with more than this probability are one, in the released protocol.
MERGED_ABOVE = 0.95


# Reason to skip a summary that has neither text nor given units.
_EMPTY = "empty_prediction"


@dataclass(frozen=True, slots=True)
class Sample(CheckedSample):
    """Checked sample.

    Attributes:
        index: position of the sample in the data.
        prediction: summary.
        sources: documents.
        values: group of each document.
        units: units of the summary; None to split the summary.
        coverage: shape (documents, units), probabilities; None to judge the texts.
        skipped: reason why the sample has no score, if known in advance.
    """

    index: int
    prediction: str
    sources: Sequence[str]
    values: Sequence[str]
    units: list[str] | None = None
    coverage: Floats | None = None
    skipped: str | None = None

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample for every system."""
        return (*self.sources, *self.values)


def with_texts(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in empty texts where a given coverage makes them optional.

    Example:
        >>> with_texts({"values": ["pos", "neg"]})
        {'predictions': '', 'sources': ['', ''], 'values': ['pos', 'neg']}
    """
    n_documents = len(sample["values"]) if isinstance(sample["values"], Sized) else 0
    return {"predictions": "", "sources": [""] * n_documents, **sample}


class _Ready(NamedTuple):
    """Sample with its chunks and units."""

    sample: Sample
    units: list[str]
    # Of each document.
    chunks: list[list[str]]

    def pairs(self) -> list[tuple[str, str]]:
        """Return each chunk paired with each unit, document after document."""
        return list(product(chain.from_iterable(self.chunks), self.units))

    def unit_pairs(self) -> list[tuple[str, str]]:
        """Return each unit paired with each unit."""
        return list(product(self.units, self.units))


class _Split(NamedTuple):
    """Sentences and chunks of a sample's documents."""

    sources: list[str]
    sentences: list[list[str]]
    chunks: list[list[str]]


class CoverageScorer(Scorer):
    """Scorer of the coverage family.

    The entailer is loaded when the first sample needs it, and serves all samples until `close`.

    Example:
        >>> scorer = CoverageScorer(("equal_coverage",), CoverageSettings(entailer="lexical"))
        >>> columns = {"predictions": ["Tasty soup."], "sources": [["Tasty soup!", "Cold bread."]]}
        >>> [row] = scorer.score(list(scorer.read({**columns, "values": [["pos", "neg"]]})))
        >>> row.coverage
        (1.0, 0.0)
    """

    window = 256

    def __init__(self, measures: Sequence[str], settings: CoverageSettings) -> None:
        super().__init__(measures, settings)
        self.settings: CoverageSettings = settings
        self._is_released = settings.protocol == "released"
        self._draws = settings.at_random and draws_sentences(settings)
        self._chat = get_chat(settings) if settings.splitter == "llm" else None
        self._splitter = settings.splitter if self._chat is None else LLMSplitter(self._chat, module=self.module)
        self._last = _Split([], [], [])

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
        """Check a sample; texts are optional if the coverage is given."""
        whole = with_texts(row) if "coverage" in row else row
        predictions, sources, values = (whole[name] for name in ("predictions", "sources", "values"))
        summary_units, coverage = whole.get("summary_units"), whole.get("coverage")
        labels = check_sample(self.module, index, predictions, sources, values)
        if coverage is None:
            check_sources(self.module, index, sources, self.settings.language)
            check_script(self.module, index, "the summary", predictions, self.settings.language)
        if coverage is None and not _has_units(summary_units) and not predictions.strip():
            return Sample(index, predictions, sources, labels, skipped=_EMPTY)
        if len(set(labels)) == 1:
            return Sample(index, predictions, sources, labels, skipped="single_value")
        units, matrix = _check_given(self.module, index, summary_units, coverage, len(sources))
        return Sample(index, predictions, sources, labels, units, matrix)

    def is_empty(self, sample: Sample) -> bool:
        """Check whether a sample has neither a summary nor given units."""
        return sample.skipped == _EMPTY

    def score(self, samples: Sequence[Sample]) -> list[CoverageRow]:
        """Yield a row for each sample; a repeated pair is judged once.

        Cost is one judgement for each chunk of each document and each unit of its summary.
        """
        judged = self._score_texts([sample for sample in samples if sample.skipped is None and sample.coverage is None])
        rows = []
        for sample in samples:
            if sample.skipped is not None:
                rows.append(CoverageRow(sample.index, skipped=sample.skipped))
            elif sample.coverage is not None:
                rows.append(self._given(sample, sample.coverage))
            else:
                rows.append(next(judged))
        return rows

    def _score_texts(self, samples: Sequence[Sample]) -> Iterator[CoverageRow]:
        units = self.units(samples)
        ready, drawn = [], []
        for sample, of_sample in zip(samples, units, strict=True):
            if of_sample:
                documents = self._split(sample)
                ready.append(_Ready(sample, of_sample, documents.chunks))
                drawn.append(self._drawn(ready[-1], documents))
        together = [*ready, *chain.from_iterable(drawn)]
        judged = self._judge([texts.pairs() for texts in together])
        merged = self._judge([texts.unit_pairs() for texts in together]) if self._is_released else judged
        rows = map(self._judged, ready, judged, merged)
        at_random = self._at_random(drawn, judged[len(ready) :], merged[len(ready) :])
        for sample, of_sample in zip(samples, units, strict=True):
            if not of_sample:
                yield CoverageRow(sample.index, skipped="no_units")
                continue
            row, coverage = next(rows), next(at_random)
            yield replace(row, at_random=coverage) if coverage and row.skipped is None else row

    def _drawn(self, texts: _Ready, documents: _Split) -> list[_Ready]:
        """Draw random summaries if they can be judged without a model."""
        sample = texts.sample
        if not self._draws or sample.units is not None:
            return []
        drawn = draw_sentences(documents.sentences, sample.values, sample.prediction)
        return [texts._replace(units=sentences) for sentences in drawn]

    def _at_random(
        self, drawn: Sequence[Sequence[_Ready]], judged: Sequence[Judgement], merged: Sequence[Judgement]
    ) -> Iterator[tuple[float, ...]]:
        """Compute each document's coverage of each random summary."""
        pairs = iter(zip(judged, merged, strict=True))
        for of_sample in drawn:
            coverage = [self._coverage(texts, *next(pairs)) for texts in of_sample]
            yield tuple(chain.from_iterable(zip(*coverage, strict=True)))

    def _coverage(self, texts: _Ready, judgement: Judgement, of_units: Judgement) -> Sequence[float]:
        """Compute the coverage of a random summary by each document; 0 without units."""
        nothing = [0.0] * len(texts.chunks)
        return (self._judged(texts, judgement, of_units).coverage if texts.units else ()) or nothing

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

    def _split(self, sample: Sample) -> _Split:
        """Split documents into sentences and chunks, with a cache for compared systems."""
        sources = list(sample.sources)
        if sources == self._last.sources:
            return self._last
        splitter = get_splitter(self.settings.language)
        sentences = [splitter.sentences(text) for text in sources]
        chunked = [cut(of_document, **self.settings.cutting) for of_document in sentences]
        for position, of_document in enumerate(chunked):
            if not of_document and not self._is_released:
                raise InputError(
                    f"{self.module}: sample {sample.index}: sources[{position}] is empty, so it cannot cover anything; "
                    "remove it and its group, or choose protocol='released' to count its coverage as 0"
                )
        self._last = _Split(sources, sentences, chunked)
        return self._last

    def _judge(self, pairs: Sequence[Sequence[tuple[str, str]]]) -> list[Judgement]:
        """Judge the pairs of all samples together."""
        if not pairs:
            return []  # and load no model
        judgement = self.entailer.judge(list(chain.from_iterable(pairs)))
        lengths = list(map(len, pairs))
        return [judgement.part(stop - n, stop) for n, stop in zip(lengths, accumulate(lengths), strict=True)]

    def _judged(self, texts: _Ready, judgement: Judgement, of_units: Judgement) -> CoverageRow:
        shape = (-1, len(texts.units))
        probability = judgement.probability.reshape(shape)
        units = texts.units
        if self._is_released:
            probability = np.where(judgement.likeliest.reshape(shape), probability, 0.0)
            groups = merge_units(of_units.probability.reshape(shape) > MERGED_ABOVE)
            probability = np.column_stack([probability[:, group].max(axis=1) for group in groups])
            units = [MERGED.join(units[unit] for unit in group) for group in groups]
        # A unit of which the entailer can say nothing is none.
        usable = np.asarray(~np.isnan(probability).any(axis=0))
        return self._row(
            texts.sample,
            best_chunks(probability[:, usable], list(map(len, texts.chunks))),
            units=list(compress(units, usable)),
            chunks_of=texts.chunks,
            n_truncated=int(np.count_nonzero(judgement.cut)),
        )

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


def _evidence(probability: Floats, chunk: Integers, chunks_of: list[list[str]] | None) -> Iterator[UnitEvidence]:
    """Return the document and chunk that cover each unit best, first on ties."""
    for unit, document in enumerate(probability.argmax(axis=0).tolist()):
        best = float(probability[document, unit])
        if chunks_of is None:
            yield UnitEvidence(document, None, best, None)
        else:
            place = int(chunk[document, unit])
            yield UnitEvidence(document, place, best, chunks_of[document][place])


def _has_units(units: object) -> bool:
    return units is not None and not (isinstance(units, Sized) and not len(units))


def _check_given(
    module: str, index: int, units: object, coverage: object, n_documents: int
) -> tuple[list[str] | None, Floats | None]:
    """Check given units and a given coverage, which fit each other."""
    matrix = None if coverage is None else _check_matrix(module, index, coverage, n_documents)
    checked = None if units is None else check_units(module, index, units)
    if checked is not None and matrix is not None and len(checked) != matrix.shape[1]:
        raise InputError(
            f"{module}: sample {index}: summary_units has {len(checked)} units, but coverage has "
            f"{matrix.shape[1]} columns; give one column per unit"
        )
    return checked, matrix


def _check_matrix(module: str, index: int, matrix: object, n_documents: int) -> Floats:
    """Check a given matrix: shape (documents, units), numbers in [0, 1]."""
    where = f"{module}: sample {index}: coverage"
    try:
        array = np.asarray(matrix)
        numbers = array.astype(np.float64) if array.dtype.kind in "fiub" else None
    except (TypeError, ValueError):  # rows of different lengths
        numbers = None
    if numbers is None or numbers.ndim != 2:
        raise InputError(
            f"{where} must be a matrix of numbers, one row per document and one column per unit, found "
            f"{describe(matrix)}"
        )
    if numbers.shape[0] != n_documents:
        raise InputError(
            f"{where} has {numbers.shape[0]} rows and {numbers.shape[1]} columns, but the sample has {n_documents} "
            "documents; give one row per document and one column per unit"
        )
    if not numbers.shape[1]:
        raise InputError(f"{where} has no columns; give at least one column (one per unit), or remove the sample")
    for document, unit in np.argwhere(~((numbers >= 0) & (numbers <= 1))):
        raise InputError(f"{where}[{document}][{unit}] is {numbers[document, unit]:g}; give a probability in [0, 1]")
    return numbers


def check_row(module: str, index: int, row: Mapping[str, Any]) -> None:
    """Check summary, documents, groups and, if given, units and coverage of a sample."""
    whole = with_texts(row)
    labels = check_sample(module, index, whole["predictions"], whole["sources"], whole["values"])
    units, coverage = row.get("summary_units"), row.get("coverage")
    if len(set(labels)) > 1 and (coverage is not None or _has_units(units)):
        _check_given(module, index, units, coverage, len(whole["sources"]))


make_scorer = CoverageScorer
