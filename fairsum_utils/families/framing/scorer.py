"""Scorers: sentiment of sentences, and positions of the source sentences that a summary matches."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.families import Scorer
from fairsum_utils.families.chance import draw_sentences
from fairsum_utils.families.framing.rows import N_TENTHS, FramingRow, Match, Positions
from fairsum_utils.families.framing.sentiment import Scored, SentimentScores
from fairsum_utils.families.reading import EMPTY, SourcesSample
from fairsum_utils.measures.framing import VADER, Framing, mean_sentiment
from fairsum_utils.measures.position_bias import THIRDS, PositionBias, position_shares, sentence_positions
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.text.languages import check_script, check_sources
from fairsum_utils.text.normalize import get_normalizer
from fairsum_utils.text.splitting import get_splitter, summary_sentences

MOST_HOLDERS = 200
"""Words in more source sentences (equal ones counted once) tell no position and find no match."""


class Best(NamedTuple):
    """Best matches of a sentence.

    Attributes:
        overlap: share of its distinct words in each of them; 0 without a match.
        places: positions of the source sentences, rising; empty without a match.
    """

    overlap: float
    places: Sequence[int]


NO_MATCH = Best(0.0, ())


class SentenceIndex:
    """Source sentences, found by their words.

    Time for a sentence grows with its number of words only: a word leads to at most `MOST_HOLDERS` sentences.

    Args:
        sentences: content words of each source sentence, in order.

    Example:
        >>> index = SentenceIndex([["cold", "soup"], ["friendly", "staff"], ["cold", "soup"]])
        >>> index.best(["cold", "staff", "cold", "soup"], 0.2)
        Best(overlap=0.6666666666666666, places=[0, 2])
        >>> index.best(["bread"], 0.0)
        Best(overlap=0.0, places=())
    """

    def __init__(self, sentences: Sequence[Collection[str]]) -> None:
        self._words = list(map(frozenset, sentences))
        self._places: dict[frozenset[str], list[int]] = {}
        for place, words in enumerate(self._words):
            self._places.setdefault(words, []).append(place)
        self._distinct = list(self._places.values())
        holders: dict[str, list[int]] = {}
        for kind, known in enumerate(self._places):
            for word in known:
                holders.setdefault(word, []).append(kind)
        self._holders = {word: kinds for word, kinds in holders.items() if len(kinds) <= MOST_HOLDERS}
        self._found: dict[frozenset[str], Best] = {}

    def like(self, place: int) -> Sequence[int]:
        """Find the source sentences with all words of a sentence.

        They are the best matches of its words, because no sentence has more of these than itself.

        Example:
            >>> SentenceIndex([["cold", "soup"], ["staff"], ["soup"]]).like(2)
            [0, 2]
        """
        holders = [self._holders[word] for word in self._words[place] if word in self._holders]
        if not holders:
            return ()
        kinds: Collection[int] = min(holders, key=len)
        if len(kinds) > 1:
            kinds = set(kinds).intersection(*holders)
        return sorted(place for kind in kinds for place in self._distinct[kind])

    def best(self, words: Collection[str], least: float) -> Best:
        """Find the source sentences with the most of some words.

        Args:
            words: content words of a sentence.
            least: least share of them for a match, in [0, 1].
        """
        wanted = frozenset(words)
        if wanted not in self._found:
            self._found[wanted] = self._search(wanted, least)
        return self._found[wanted]

    def _search(self, wanted: frozenset[str], least: float) -> Best:
        counts: dict[int, int] = {}
        for word in wanted:
            for kind in self._holders.get(word, ()):
                counts[kind] = counts.get(kind, 0) + 1
        most = max(counts.values(), default=0)
        kinds = [kind for kind, count in counts.items() if count == most]
        if not most or most < least * len(wanted):
            return NO_MATCH
        return Best(most / len(wanted), sorted(place for kind in kinds for place in self._distinct[kind]))


# Most ties whose places a record has.
_MOST_PLACES = 10


class _Split(NamedTuple):
    """Sample with its sentences."""

    sample: SourcesSample
    summary: list[str]
    # Sentences of each source text.
    sources: list[list[str]]

    def all_sources(self) -> list[str]:
        """Return all source sentences, in order."""
        return list(chain.from_iterable(self.sources))

    def drawn(self) -> list[list[int]]:
        """Draw random extracts: places among all source sentences."""
        return draw_sentences(self.sources, self.summary)


class SourceScorer(Scorer):
    """Base class of both scorers: checks and sentences.

    Attributes:
        reads_english: the words of the texts must be English, as VADER's.
    """

    settings: Framing | PositionBias

    def __init__(self, measures: Sequence[str], settings: Framing | PositionBias) -> None:
        super().__init__(measures, settings)
        self.reads_english = isinstance(settings, Framing) and settings.model == VADER
        self._sentences = lru_cache(1)(lambda sources: list(map(get_splitter(settings.language).sentences, sources)))

    def checked(self, index: int, row: Mapping[str, Any]) -> SourcesSample:
        """Check a sample."""
        sample: SourcesSample = super().checked(index, row)
        if not self.reads_english:
            check_sources(self.module, index, sample.sources, self.settings.language)
            check_script(self.module, index, "the summary", sample.prediction, self.settings.language)
        return sample

    def split(self, sample: SourcesSample) -> _Split:
        """Split a sample into sentences; compared systems share the sources."""
        summary = summary_sentences(sample.prediction, self.settings.language)
        return _Split(sample, summary, self._sentences(tuple(sample.sources)))


class FramingScorer(SourceScorer):
    """Scorer of the sentiment of summaries and sources.

    Example:
        >>> scorer = FramingScorer(("framing",), Framing())
        >>> [row] = scorer.score(list(scorer.read({"predictions": ["Great soup."], "sources": [["Awful soup."]]})))
        >>> row.source, row.summary
        (-0.4588, 0.6249)
    """

    settings: Framing
    window = 256

    def english_texts(self, sample: SourcesSample) -> Sequence[str]:
        """Return the summary and the sources, if VADER reads them."""
        return (sample.prediction, " ".join(sample.sources)) if self.reads_english else ()

    @property
    def classifier(self) -> SentimentScores:
        """Classifier, loaded on first use."""
        return self.held("classifier", lambda: SentimentScores(self.settings))

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the sentiments; loads the model."""
        labels = self.settings.label_map
        return {
            "model": self.classifier.name,
            "labels": labels and ",".join(f"{label}={name}" for label, name in sorted(labels.items())),
            "lang": get_splitter(self.settings.language).signature,
            "empty": self.settings.empty,
        }

    def why_not(self, sample: SourcesSample) -> str | None:
        """Return why a sample has no score: no summary, or no sources."""
        return super().why_not(sample) or (None if any(map(str.strip, sample.sources)) else "empty_sources")

    def scored(self, samples: Sequence[SourcesSample]) -> Iterator[FramingRow]:
        """Yield the rows of samples; equal sentences are scored once."""
        splits = list(map(self.split, samples))
        texts = (chain(split.summary, split.all_sources()) for split in splits if split.summary)
        sentences = list(dict.fromkeys(chain.from_iterable(texts)))
        found = self.classifier.score(sentences) if sentences else Scored([], [])
        scores = dict(zip(sentences, found.scores, strict=True))
        is_cut = {sentence for sentence, cut in zip(sentences, found.is_cut, strict=True) if cut}
        for split in splits:  # a summary of nothing but markers of a list has no sentence
            yield self._row(split, scores, is_cut) if split.summary else FramingRow(split.sample.index, EMPTY)

    def _row(self, split: _Split, scores: Mapping[str, float], is_cut: Collection[str]) -> FramingRow:
        of_summary = [scores[sentence] for sentence in split.summary]
        of_sources = [[scores[sentence] for sentence in document] for document in split.sources]
        every = list(chain.from_iterable(of_sources))
        by_value: dict[str, list[float]] = {}
        for value, of_document in zip(split.sample.values, of_sources, strict=False):  # values may not be given
            by_value.setdefault(value, []).extend(of_document)
        groups = {value: mean_sentiment(found) for value, found in sorted(by_value.items()) if found}
        drawn = split.drawn() if self.settings.at_random else []
        return FramingRow(
            split.sample.index,
            source=mean_sentiment(every),
            summary=mean_sentiment(of_summary),
            lowest=min(every),
            highest=max(every),
            values=tuple(groups),
            by_value=tuple(groups.values()),
            drawn=tuple(mean_sentiment([every[place] for place in extract]) for extract in drawn if extract),
            n_sentences=len(of_summary),
            n_truncated=sum(map(is_cut.__contains__, chain(split.summary, split.all_sources()))) if is_cut else 0,
            summary_scores=tuple(of_summary) if self.evidence else None,
            source_scores=tuple(map(tuple, of_sources)) if self.evidence else None,
        )


class PositionBiasScorer(SourceScorer):
    """Scorer of the positions of a summary's content in its sources.

    Example:
        >>> scorer = PositionBiasScorer(("position_bias",), PositionBias())
        >>> sources = ["Cold soup.", "Friendly staff.", "Slow service."]
        >>> [row] = scorer.score(list(scorer.read({"predictions": ["The soup was cold."], "sources": [sources]})))
        >>> row.positions.thirds
        (1.0, 0.0, 0.0)
    """

    settings: PositionBias
    window = 64

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change the positions."""
        splitter = get_splitter(self.settings.language).signature
        return {
            "overlap": self.settings.min_overlap,
            "norm": get_normalizer(self.settings).signature.removeprefix("norm:").partition("|")[0],
            "lang": splitter,
            "empty": self.settings.empty,
        }

    def scored(self, samples: Sequence[SourcesSample]) -> Iterator[FramingRow]:
        """Yield the rows of samples."""
        return map(self._row, map(self.split, samples))

    def _row(self, split: _Split) -> FramingRow:
        index, sentences = split.sample.index, split.all_sources()
        if len(sentences) < 2:
            return FramingRow(index, "single_sentence" if sentences else "empty_sources")
        normalizer, words = get_normalizer(self.settings), get_splitter(self.settings.language).words
        tokens = [normalizer.tokens(sentence) for sentence in sentences]
        known = SentenceIndex(tokens)
        least = self.settings.min_overlap
        best = [known.best(normalizer.tokens(sentence), least) for sentence in split.summary]
        matched = [found.places for found in best if found.places]
        if not matched:
            return FramingRow(index, "unmatched")
        lengths = [max(1, len(words(sentence))) for sentence in sentences]
        parts = _Parts(lengths)
        extracts = [extract[: len(matched)] for extract in split.drawn()] if self.settings.at_random else []
        # A sentence without content words matches none, and has its own place.
        used = dict.fromkeys(chain.from_iterable(extracts))
        best_of = {place: known.like(place) or [place] for place in used}
        drawn = parts.of_draws(extracts, best_of) if extracts else None
        return FramingRow(
            index,
            n_words=sum(lengths),
            positions=parts.of(matched),
            drawn=() if drawn is None else tuple(drawn[:, : len(THIRDS)].ravel().tolist()),
            drawn_positions=None if drawn is None else _positions(drawn.mean(axis=0)),
            n_sentences=len(split.summary),
            n_unmatched=len(split.summary) - len(matched),
            matches=tuple(_match(found, split.sources) for found in best) if self.evidence else None,
        )


class _Parts:
    """Parts of the source words in which each sentence lies."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._thirds = sentence_positions(lengths, len(THIRDS))
        self._tenths = sentence_positions(lengths, N_TENTHS)
        sizes = np.asarray(lengths, dtype=np.float64)
        self._middles: Floats = (np.cumsum(sizes) - sizes / 2) / sizes.sum()

    def of(self, best: Sequence[Sequence[int]]) -> Positions:
        """Return the positions of a summary from the best matches of its sentences."""
        thirds, tenths = (position_shares(parts, best) for parts in (self._thirds, self._tenths))
        mean = position_shares(self._middles[:, None], best)
        return Positions(tuple(thirds.tolist()), tuple(tenths.tolist()), float(mean[0]))

    def of_draws(self, draws: Sequence[Sequence[int]], best_of: Mapping[int, Sequence[int]]) -> Floats:
        """Return positions of random extracts: thirds, tenths and mean of each."""
        numbers = {place: number for number, place in enumerate(best_of)}
        of_places = _means(np.column_stack([self._thirds, self._tenths, self._middles]), best_of.values())
        return _means(of_places, [[numbers[place] for place in draw] for draw in draws])


def _means(rows: Floats, chosen: Collection[Sequence[int]]) -> Floats:
    """Average the chosen rows of each entry, which has at least one."""
    counts = np.array(list(map(len, chosen)))
    places = np.fromiter(chain.from_iterable(chosen), dtype=np.int64)
    return np.asarray(np.add.reduceat(rows[places], np.cumsum(counts) - counts, axis=0) / counts[:, None])


def _positions(entries: Floats) -> Positions:
    """Make the positions of a row of `_Parts.of_draws`."""
    thirds, tenths, [mean] = np.split(entries, [len(THIRDS), len(THIRDS) + N_TENTHS])
    return Positions(tuple(thirds.tolist()), tuple(tenths.tolist()), float(mean))


def _match(found: Best, sources: Sequence[Sequence[str]]) -> Match:
    """Return the record of a match: positions of texts and of sentences in them."""
    places = [(text, place) for text, document in enumerate(sources) for place in range(len(document))]
    return Match(found.overlap, len(found.places), tuple(places[place] for place in found.places[:_MOST_PLACES]))


def make_scorer(measures: Sequence[str], settings: Framing | PositionBias) -> SourceScorer:
    """Make the scorer of a measure."""
    if isinstance(settings, Framing):
        return FramingScorer(measures, settings)
    return PositionBiasScorer(measures, settings)
