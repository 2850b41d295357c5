"""Locations of the counted words in a summary and its sources."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from fairsum_utils.families.marks import NOTHING, Attribution, Span
from fairsum_utils.families.representation.scorer import SEPARATOR, places_by_value
from fairsum_utils.families.representation.words import Gram, gram_text, ngrams
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.text.normalize import Normalizer, get_normalizer
from fairsum_utils.validation import labels_of


def attribution(
    measures: Sequence[str], settings: RepresentationMeasure, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Attribution:
    """Locate the k-grams that an n-gram matcher counted, in linear time.

    In the summary every occurrence is marked that counted, in the sources every occurrence of what counted.

    Returns:
        Nothing where no words decided (a model, a function or annotators did), for a sample without a score, and for a
        record that these settings do not lead to.

    Example:
        >>> sample = {"predictions": "Soups!", "sources": ["Cold soup.", "A cake"], "values": ["neg", "pos"]}
        >>> record = {"values": ["neg", "pos"], "matched": [["soup"], []]}
        >>> found = attribution(["bur"], RepresentationMeasure(), sample, record)
        >>> found.prediction
        [Span(start=0, end=5, names=('neg',), kind='word', key='soup', note='counted as soup')]
        >>> found.sources
        [[Span(start=5, end=9, names=('neg',), kind='word', key='soup', note='')], []]
    """
    if record.get("matched") is None:
        return NOTHING
    summary = Joined({0: sample["predictions"]}, get_normalizer(settings), settings.k)
    texts = tuple(sample["sources"]), tuple(labels_of(sample["values"]))
    sources = _located(get_normalizer(settings), settings.k, *texts)
    known = sources.values_of
    if not _agrees(summary.grams, sources, record):
        return NOTHING
    counted = [place for place, gram in enumerate(summary.grams) if gram in known]
    grams = {summary.grams[place] for place in counted}
    of_summary = [span for place in counted for _, span in summary.spans(place, known)]
    of_sources: list[list[Span]] = [[] for _ in sample["sources"]]
    for joined in sources.joined:
        for place, gram in enumerate(joined.grams):
            if gram in grams:
                for text, span in joined.spans(place, known):
                    of_sources[text].append(span)
    return Attribution(of_summary, of_sources)


def _agrees(grams: Sequence[Gram], sources: LocatedSources, record: Mapping[str, Any]) -> bool:
    """Check whether a record counted exactly these k-grams of a summary."""
    matched: dict[str, list[str]] = {value: [] for value in sources.values}
    for gram in grams:
        for value in sources.values_of.get(gram, ()):
            matched[value].append(gram_text(gram))
    return list(matched) == list(record["values"]) and [*matched.values()] == list(map(list, record["matched"]))


class Joined:
    """Texts tokenized together, such as all sources of a group.

    Attributes:
        grams: k-grams, in order.
        n_tokens: number of tokens.
    """

    def __init__(self, texts: Mapping[int, str], normalizer: Normalizer, k: int) -> None:
        self._texts, self._places, self._k = list(texts.values()), list(texts), k
        self._starts = [0, *accumulate(len(text) + len(SEPARATOR) for text in self._texts)]
        self._located = normalizer.located(SEPARATOR.join(self._texts))
        self.n_tokens = len(self._located)
        self.grams: list[Gram] = list(ngrams([token.token for token in self._located], k))

    def spans(self, first: int, values_of: Mapping[Gram, tuple[str, ...]]) -> Iterator[tuple[int, Span]]:
        """Yield the text and span of a k-gram, once for each text it touches."""
        stretches: dict[int, tuple[int, int]] = {}
        written = []
        for _, start, end in self._located[first : first + self._k]:
            text = bisect_right(self._starts, end - 1) - 1
            # A word may start before its text, where that begins with a mark which joins the blank before it.
            start, end = max(start - self._starts[text], 0), end - self._starts[text]
            written.append(self._texts[text][start:end])
            stretches[text] = (stretches.get(text, (start, end))[0], end)
        gram = self.grams[first]
        key = gram_text(gram)
        is_itself = _is_itself(" ".join(written), key)
        for text, (start, end) in stretches.items():
            remark = "" if is_itself else f"counted as {key}"
            yield self._places[text], Span(start, end, values_of[gram], "word", key, remark)


@lru_cache(maxsize=1 << 14)  # words come again
def _is_itself(written: str, key: str) -> bool:
    return unicodedata.normalize("NFC", written.lower()) == key


class LocatedSources(NamedTuple):
    """Located source texts of a sample.

    Attributes:
        joined: joined texts of each group.
        values: groups with at least one token, sorted.
        values_of: k-gram -> groups with this k-gram in their texts, sorted.
    """

    joined: list[Joined]
    values: list[str]
    values_of: dict[Gram, tuple[str, ...]]


@lru_cache(maxsize=4)  # systems and measures that share a sample come one after the other
def _located(normalizer: Normalizer, k: int, sources: tuple[str, ...], values: tuple[str, ...]) -> LocatedSources:
    of_values, present = [], []
    holders: dict[Gram, list[str]] = {}
    for value, places in places_by_value(values).items():
        joined = Joined({place: sources[place] for place in places}, normalizer, k)
        of_values.append(joined)
        if joined.n_tokens:
            present.append(value)
        for gram in set(joined.grams):
            holders.setdefault(gram, []).append(value)
    return LocatedSources(of_values, present, {gram: tuple(holding) for gram, holding in holders.items()})
