"""Which words of a summary counted, for which values, and in which of their texts they stand."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from fairsum_utils.family.attribution import Attribution, Span
from fairsum_utils.representation.matchers import Gram, gram_text, ngrams
from fairsum_utils.representation.scorer import SEPARATOR, places_by_value
from fairsum_utils.representation.settings import RepresentationSettings
from fairsum_utils.text.normalize import Normalizer, get_normalizer
from fairsum_utils.validation import labels_of

__all__ = ["attribute"]


def attribute(settings: RepresentationSettings, sample: Mapping[str, Any], record: Mapping[str, Any]) -> Attribution:
    """Where the k-grams stand that an n-gram matcher counted for a sample. Time is linear in the texts.

    In the summary every occurrence is marked that counted, in the sources every occurrence of what counted.

    Args:
        settings: of the matching.
        sample: column -> entry.
        record: what `sample_records` says of the sample, with evidence.

    Returns:
        Nothing where no words decided (a model, a function or annotators did), for a sample without a score, and for a
        record that these settings do not lead to.

    Example:
        >>> sample = {"predictions": "Soups!", "sources": ["Cold soup.", "A cake"], "values": ["neg", "pos"]}
        >>> record = {"values": ["neg", "pos"], "matched": [["soup"], []]}
        >>> found = attribute(RepresentationSettings(), sample, record)
        >>> found.prediction
        [Span(start=0, end=5, names=('neg',), kind='word', key='soup', said='counted as soup')]
        >>> found.sources
        [[Span(start=5, end=9, names=('neg',), kind='word', key='soup', said='')], []]
    """
    if record.get("matched") is None:
        return Attribution()
    normalizer, k = get_normalizer(settings), settings.k
    sources = _located(normalizer, k, tuple(sample["sources"]), tuple(labels_of(sample["values"])))
    summary = _Joined({0: sample["predictions"]}, normalizer, k)
    known = sources.values_of
    counted = [place for place, gram in enumerate(summary.grams) if gram in known]
    grams = {summary.grams[place] for place in counted}
    matched = [
        [gram_text(summary.grams[place]) for place in counted if value in known[summary.grams[place]]]
        for value in record["values"]
    ]
    if matched != list(map(list, record["matched"])):
        return Attribution()
    of_summary = [span for place in counted for _, span in summary.spans(place, known)]
    of_sources: list[list[Span]] = [[] for _ in sample["sources"]]
    for joined in sources.joined:
        for place, gram in enumerate(joined.grams):
            if gram in grams:
                for text, span in joined.spans(place, known):
                    of_sources[text].append(span)
    return Attribution(of_summary, of_sources)


class _Joined:
    """Texts that are tokenized together, as those of a value are.

    Args:
        texts: by place.
        normalizer: what cuts them.
        k: length of the k-grams.

    Attributes:
        grams: the k-grams, in order.
    """

    def __init__(self, texts: Mapping[int, str], normalizer: Normalizer, k: int) -> None:
        self._texts, self._places, self._k = list(texts.values()), list(texts), k
        self._starts = [0, *accumulate(len(text) + len(SEPARATOR) for text in self._texts)]
        self._located = normalizer.located(SEPARATOR.join(self._texts))
        self.grams: list[Gram] = list(ngrams([token.token for token in self._located], k))

    def spans(self, first: int, values_of: Mapping[Gram, tuple[str, ...]]) -> Iterator[tuple[int, Span]]:
        """Where a k-gram stands: the place of a text and the stretch in it, several where it crosses to the next text.

        Args:
            first: which of `grams`.
            values_of: k-gram -> the values that it counts for.
        """
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
        is_itself = unicodedata.normalize("NFC", " ".join(written).lower()) == key
        for text, (start, end) in stretches.items():
            said = "" if is_itself else f"counted as {key}"
            yield self._places[text], Span(start, end, values_of[gram], "word", key, said)


class _Sources(NamedTuple):
    """The source texts of a sample, located: those of each value, and k-gram -> the values that hold it, sorted."""

    joined: list[_Joined]
    values_of: dict[Gram, tuple[str, ...]]


@lru_cache(maxsize=4)  # systems and measures that share a sample come one after the other
def _located(normalizer: Normalizer, k: int, sources: tuple[str, ...], values: tuple[str, ...]) -> _Sources:
    of_values = []
    holders: dict[Gram, list[str]] = {}
    for value, places in places_by_value(values).items():
        joined = _Joined({place: sources[place] for place in places}, normalizer, k)
        of_values.append(joined)
        for gram in set(joined.grams):
            holders.setdefault(gram, []).append(value)
    return _Sources(of_values, {gram: tuple(holding) for gram, holding in holders.items()})
