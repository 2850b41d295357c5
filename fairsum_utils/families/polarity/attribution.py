"""Locations of the words that decided a text's polarity."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from fairsum_utils.families.marks import Attribution, Span
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._polarity import PolarityMeasure

# Words as a measure looks them up, in their order; of each its first character and the one after its last.
Located: TypeAlias = Sequence[tuple[str, int, int]]


def attribution(
    measures: Sequence[str], settings: PolarityMeasure, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Attribution:
    """Locate the words that decided, by sign; classifiers give none.

    Returns:
        A stretch for each word of the evidence that does not count 0, each time it counts; of norms one for each
        dimension, all of them on the first of equal words. Time grows linearly with the text.

    Example:
        >>> from fairsum_utils.measures.sentiment import Sentiment
        >>> sample = {"predictions": "The food was not good, and the staff was awful."}
        >>> record = {"evidence": [{"word": "good", "score": -1.406}, {"word": "awful", "score": -2.0}]}
        >>> for span in attribution(["sentiment"], Sentiment(), sample, record).prediction:
        ...     print(*span)
        17 21 () minus good -1.41 for sentiment
        41 46 () minus awful -2.00 for sentiment
    """
    text, evidence = sample.get("predictions"), record.get("evidence")
    if not text or not evidence:
        return Attribution()
    file = settings.scorer.partition(".")[0]
    words: Located = importlib.import_module(f"{__package__}.{file}").located_words(text)
    what = get_measure(settings.name).title.lower()
    by_norm = evidence[0].get("dimension") is not None
    decided = _by_norm(words, evidence) if by_norm else _in_order(words, evidence, what)
    spans = [
        Span(start, stop, (), "plus" if score > 0 else "minus", word, f"{score:+.2f} for {what}")
        for what, (word, start, stop), score in decided
        if score
    ]
    return Attribution(sorted(spans, key=lambda span: span.start))


def _in_order(
    words: Located, evidence: Sequence[Mapping[str, Any]], what: str
) -> Iterator[tuple[str, tuple[str, int, int], float]]:
    """Yield each word of the evidence with its location, in text order."""
    following = iter(words)
    for decided in evidence:
        for place in following:
            if place[0] == decided["word"]:
                yield what, place, decided["score"]
                break


def _by_norm(
    words: Located, evidence: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, tuple[str, int, int], float]]:
    """Yield the decisive word of each dimension with its first location."""
    first: dict[str, tuple[str, int, int]] = {}
    for place in words:
        first.setdefault(place[0], place)
    for decided in evidence:
        if decided["word"] in first:
            yield decided["dimension"], first[decided["word"]], decided["score"]
