"""Scorer: matters of the sources and their traces in the summary."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import Scorer
from fairsum_utils.families.chance import N_JUDGED, draw_sentences, generator_of
from fairsum_utils.families.omission.matters import (
    Raised,
    Sentence,
    draw_ordinary,
    get_finder,
    marked,
    merged,
    raised_by,
)
from fairsum_utils.families.omission.rows import Matter, MatterEvidence, OmissionRow
from fairsum_utils.families.omission.samples import Sample
from fairsum_utils.inference.entailers import NOTHING, Entailer, Grid, Judgement, get_entailer
from fairsum_utils.measures.omission import LIST, Omission, is_traced, sample_omission
from fairsum_utils.stats.arrays import Bools
from fairsum_utils.text.caching import BoundedCache
from fairsum_utils.text.languages import check_script, check_sources, foreign_language, is_english
from fairsum_utils.text.normalize import get_normalizer
from fairsum_utils.text.serious import NEGATED, Mention, affirmed, contradict, may_mention, mentions
from fairsum_utils.text.splitting import get_splitter, located, sentence_units
from fairsum_utils.validation import describe

NO_MATTER, NOT_ENGLISH = "no_serious_matter", "not_english"
"""Reasons to skip a sample."""

# Characters by which the language of a sample is recognized.
_START = 4000


class _Sources(NamedTuple):
    """Sentences and matters of the sources, the same for every system."""

    sentences: list[list[str]]
    matters: list[Raised]
    ordinary: list[str]


class _Ready(NamedTuple):
    """A summary, or a random extract, with the sentences to judge.

    Attributes:
        summary: sentences of the summary.
        affirmed: these sentences without what they deny, unless the entailer reads meaning.
        matters: matters of the sources.
        named: sentences that name each matter, shape (matters, sentences).
        judged: matters that no sentence names.
        ordinary: ordinary sentences.
    """

    summary: list[str]
    affirmed: list[str]
    matters: list[Raised]
    named: list[Bools]
    judged: list[int]
    ordinary: list[str]

    @property
    def grid(self) -> Grid:
        """Sentences of the summary, with those of unnamed matters and ordinary ones."""
        of_matters = (self.units(place) for place in self.judged)
        return self.affirmed, [*chain.from_iterable(of_matters), *self.ordinary]

    def units(self, place: int) -> list[str]:
        """Return the distinct sentences of a matter."""
        return list(dict.fromkeys(sentence.words for sentence in self.matters[place].sentences))


class OmissionScorer(Scorer):
    """Scorer of the omission family.

    Example:
        >>> scorer = OmissionScorer(("omission",), Omission())
        >>> sources = ["Great rooms. I got food poisoning from the fish.", "Nice pool."]
        >>> [row] = scorer.score(list(scorer.read({"predictions": ["Great rooms, nice pool."], "sources": [sources]})))
        >>> row.matters[0].entry, row.matters[0].is_omitted
        ('food poisoning or sudden illness', True)
    """

    window = 256

    def __init__(self, measures: Sequence[str], settings: Omission) -> None:
        super().__init__(measures, settings)
        self.settings: Omission = settings
        self._is_english = settings.language == "english"
        self._is_lexical = settings.entailer == "lexical"
        self._draws = settings.at_random and not settings.reads_meaning
        self._splitter = get_splitter(settings.language)
        self._normalizer = get_normalizer(settings)
        self._mentions: dict[str, list[Mention]] = BoundedCache(mentions)
        self._last: tuple[Any, _Sources] | None = None

    @property
    def entailer(self) -> Entailer:
        """Entailer, loaded on first use."""
        return self.held("entailer", lambda: get_entailer(self.settings))

    @property
    def finder(self) -> Any:
        """Finder of serious sentences, loaded on first use; not for the list."""
        return self.held("finder", lambda: get_finder(self.settings))

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the rows; loads the entailer and the finder."""
        is_marked = "serious" in given or "serious_spans" in given
        finder = LIST if self.settings.finder == LIST else self.finder.name
        is_found = self.settings.finder != LIST
        return {
            "entailer": self.entailer.name,
            "entails": self.settings.threshold,
            "finder": f"given, {finder}" if is_marked else finder,
            "serious": self.settings.finder_threshold if is_found else None,
            "norm": self.settings.chosen_normalizer,
            "lang": self._splitter.signature,
            "empty": self.settings.empty,
        }

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check a sample; refuse texts that the list cannot read."""
        sample: Sample = super().checked(index, row)
        if not self._by_list(sample):
            check_sources(self.module, index, sample.sources, self.settings.language)
            check_script(self.module, index, "the summary", sample.prediction, self.settings.language)
        elif not self._is_english:
            raise InputError(
                f"{self.module}: sample {index}: the list of serious matters is English, found language "
                f"{describe(self.settings.language)}; give serious or serious_spans, or choose a finder that knows it"
            )
        return sample

    def spaced_texts(self, sample: Sample) -> Sequence[str]:
        """Return the summary, if the list reads the sources."""
        return (sample.prediction,) if self._by_list(sample) else ()

    def english_texts(self, sample: Sample) -> Sequence[str]:
        """Return the sources that the list reads, and a summary compared by words."""
        if not self._by_list(sample):
            return ()
        sources = " ".join(sample.sources)[:_START]
        return (sources, sample.prediction) if self._is_lexical else (sources,)

    def _by_list(self, sample: Sample) -> bool:
        return sample.serious is None and sample.spans is None and self.settings.finder == LIST

    def _without_matter(self, sample: Sample) -> str:
        """Return why a sample has no matter; the list must have read it."""
        if not self._by_list(sample):
            return NO_MATTER
        is_read = is_english(" ".join(sample.sources)[:_START]) or any(map(may_mention, sample.sources))
        return NO_MATTER if is_read and not any(map(foreign_language, sample.sources)) else NOT_ENGLISH

    def scored(self, samples: Sequence[Sample]) -> Iterator[OmissionRow]:
        """Yield the rows of samples; all pairs of sentences are judged together."""
        ready: list[list[_Ready]] = []
        for sample in samples:
            sources = self._read(sample)
            if not sources.matters:
                ready.append([])
                continue
            texts = [sentence_units(sample.prediction, self.settings.language), *self._extracts(sample, sources)]
            ordinary = [sources.ordinary, *[[]] * (len(texts) - 1)]
            ready.append([self._ready(text, sources.matters, of) for text, of in zip(texts, ordinary, strict=True)])
        judged = self._judge([texts.grid for of_sample in ready for texts in of_sample])
        for sample, texts_of in zip(samples, ready, strict=True):
            if not texts_of:
                yield OmissionRow(sample.index, skipped=self._without_matter(sample))
                continue
            row = self._row(sample, texts_of[0], next(judged))
            extracts = [self._traced(text, next(judged))[0] for text in texts_of[1:]]
            yield replace(row, at_random=tuple(sample_omission(~traced) for traced in extracts))

    def _read(self, sample: Sample) -> _Sources:
        """Find the matters of a sample's sources, with a cache for compared systems."""
        key = (sample.sources, sample.values, sample.serious, sample.spans)
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        if self._by_list(sample) and not any(map(may_mention, sample.sources)):
            found = _Sources([], [], [])
        else:
            sentences = [self._splitter.sentences(text) for text in sample.sources]
            matters = merged(self._raised(sample, sentences), self._normalizer.tokens)
            found = _Sources(sentences, matters, self._ordinary(sample, sentences, matters))
        self._last = (key, found)
        return found

    def _raised(self, sample: Sample, sentences: Sequence[Sequence[str]]) -> list[Raised]:
        places = [located(text, cut) for text, cut in zip(sample.sources, sentences, strict=True)]
        units = [
            [Sentence(text, start, words) for (start, _), words in zip(of_text, cut, strict=True)]
            for text, (of_text, cut) in enumerate(zip(places, sentences, strict=True))
        ]
        if sample.serious is not None:
            kept = zip(units, sample.serious, strict=True)
            return [self._marked(of_text, "given") for of_text, is_serious in kept if is_serious and of_text]
        if sample.spans is not None:
            every = [
                Sentence(text, start, source[start:end])
                for text, (source, spans) in enumerate(zip(sample.sources, sample.spans, strict=True))
                for start, end in spans
            ]
            return [self._marked([span], "given") for span in every]
        every = list(chain.from_iterable(units))
        if self.settings.finder == LIST:
            return [each for unit in every for each in raised_by(unit, self._mentions[unit.words])]
        is_serious = self.finder.find([unit.words for unit in every])
        return [self._marked([unit], "found") for unit in compress(every, is_serious)]

    def _marked(self, sentences: Sequence[Sentence], category: str) -> Raised:
        """Return the matter of marked sentences, with the list's entries in English."""
        known = chain.from_iterable(self._mentions[sentence.words] for sentence in sentences)
        return marked(sentences, known if self._is_english else (), category)

    def _ordinary(self, sample: Sample, sentences: Sequence[Sequence[str]], matters: Sequence[Raised]) -> list[str]:
        """Draw ordinary sentences of like length, the same for every system."""
        of_matters = [sentence for matter in matters for sentence in matter.sentences]
        serious = {(sentence.text, sentence.words) for sentence in of_matters}
        closed = set() if sample.spans is None else {sentence.text for sentence in of_matters}
        candidates = [
            words
            for text, cut in enumerate(sentences)
            for words in cut
            if text not in closed and (text, words) not in serious and any(map(str.isalnum, words))
        ]
        lengths = [int(np.median([len(sentence.words.split()) for sentence in matter.sentences])) for matter in matters]
        return draw_ordinary(lengths, candidates, generator_of(sample.sources, ""))

    def _extracts(self, sample: Sample, sources: _Sources) -> list[list[str]]:
        """Draw random extracts, if judging them is cheap."""
        if not self._draws:
            return []
        every = list(chain.from_iterable(sources.sentences))
        summary = sentence_units(sample.prediction, self.settings.language)
        drawn = draw_sentences(sources.sentences, summary, N_JUDGED)
        return [[every[place] for place in extract] for extract in drawn]

    def _ready(self, summary: list[str], matters: list[Raised], ordinary: list[str]) -> _Ready:
        """Find the sentences that name each matter."""
        claims = list(map(affirmed, summary)) if self._is_english else summary
        named_by = [
            {mention[:2] for mention in self._mentions[words] if mention.use != NEGATED} if self._is_english else set()
            for words in claims
        ]
        named = []
        for matter in matters:
            names = {(matter.category, entry) for entry in matter.entries}
            named.append(np.array([not names.isdisjoint(of_sentence) for of_sentence in named_by], np.bool_))
        judged = [place for place, by in enumerate(named) if not by.any()]
        return _Ready(summary, summary if self.settings.reads_meaning else claims, matters, named, judged, ordinary)

    def _judge(self, grids: Sequence[Grid]) -> Iterator[Judgement]:
        """Judge the pairs of all summaries; without any pair, load no model."""
        if any(premises and hypotheses for premises, hypotheses in grids):
            return self.entailer.judge_grids(grids)
        return (NOTHING.arranged(len(premises), len(hypotheses)) for premises, hypotheses in grids)

    def _traced(self, texts: _Ready, judgement: Judgement) -> tuple[Bools, list[tuple[str | None, float | None]], int]:
        """Find the traced matters, their traces, and the number of omitted ordinary sentences."""
        units = [texts.units(place) for place in texts.judged]
        probability = judgement.probability
        traced = np.array([by.any() for by in texts.named], np.bool_)
        traces: list[tuple[str | None, float | None]] = [
            (texts.summary[int(by.argmax())] if by.any() else None, None) for by in texts.named
        ]
        start = 0
        for place, of_matter in zip(texts.judged, units, strict=True):
            part = probability[:, start : start + len(of_matter)]
            start += len(of_matter)
            contradicts = self._contradicts(texts.affirmed, of_matter, part)
            traced[place] = is_traced(part, contradicts, texts.named[place], self.settings.threshold)
            known = np.where(np.isnan(part) | contradicts, -1.0, part)
            best = float(known.max(initial=-1.0))
            where = texts.summary[int(known.max(axis=1).argmax())] if traced[place] else None
            traces[place] = (where, best if best >= 0 else None)
        ordinary = probability[:, start:]
        denied = self._contradicts(texts.affirmed, texts.ordinary, ordinary)
        n_traced = int(((ordinary >= self.settings.threshold) & ~denied).any(axis=0).sum())
        return traced, traces, len(texts.ordinary) - n_traced

    def _contradicts(self, summary: Sequence[str], units: Sequence[str], probability: Any) -> Bools:
        """Mark entailed pairs that disagree on a shared word, in English."""
        found = np.zeros(probability.shape, np.bool_)
        if self._is_lexical and self._is_english:
            for sentence, unit in np.argwhere(probability >= self.settings.threshold).tolist():
                found[sentence, unit] = contradict(summary[sentence], units[unit])
        return found

    def _row(self, sample: Sample, texts: _Ready, judgement: Judgement) -> OmissionRow:
        traced, traces, n_ordinary_omitted = self._traced(texts, judgement)
        matters = []
        for matter, is_there in zip(texts.matters, traced.tolist(), strict=True):
            raising = sorted({sentence.text for sentence in matter.sentences})
            values = sorted({sample.values[text] for text in raising}) if sample.values else ()
            entry = ", ".join(sorted(matter.entries))
            to_read = "" if is_there or self.settings.reads_meaning else matter.sentences[0].words
            matters.append(Matter(matter.category, entry, not is_there, len(raising), tuple(values), to_read))
        evidence = None
        if self.evidence:
            evidence = tuple(
                MatterEvidence(
                    tuple(sentence.text for sentence in matter.sentences),
                    tuple(sentence.start for sentence in matter.sentences),
                    tuple(sentence.words for sentence in matter.sentences),
                    trace,
                    bool(by.any()),
                    best,
                )
                for matter, by, (trace, best) in zip(texts.matters, texts.named, traces, strict=True)
            )
        return OmissionRow(
            sample.index,
            tuple(matters),
            len(texts.ordinary),
            n_ordinary_omitted,
            judgement.probability.size,
            int(np.count_nonzero(judgement.cut)),
            evidence=evidence,
            ordinary=tuple(texts.ordinary) if self.evidence else None,
        )


make_scorer = OmissionScorer
