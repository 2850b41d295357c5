"""Locations of positive and negative sentences, and of sentences that match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.families.marks import Attribution, Span
from fairsum_utils.measures.framing import CLASSES, Framing, sentiment_class
from fairsum_utils.measures.position_bias import PositionBias
from fairsum_utils.text.splitting import get_splitter, located, summary_spans


def attribution(
    measures: Sequence[str], settings: Framing | PositionBias, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Attribution:
    """Locate the sentences that decided the sentiment, or those whose positions count.

    Returns:
        For framing every sentence that is positive or negative, with its score. For position bias each matched sentence
        of the summary, and the source sentences that match it best, with the same key. Time grows linearly with the
        texts.

    Example:
        >>> sample = {"predictions": "Great soup. We ate it.", "sources": ["Awful soup."]}
        >>> record = {"summary_scores": [0.6249, 0.0], "source_scores": [[-0.4588]]}
        >>> found = attribution(["framing"], Framing(), sample, record)
        >>> [tuple(span) for span in (*found.prediction, *found.sources[0])]
        [(0, 11, (), 'plus', '', 'sentiment +0.62'), (0, 11, (), 'minus', '', 'sentiment -0.46')]
    """
    summary, sources = sample.get("predictions"), list(sample.get("sources") or ())
    if not isinstance(summary, str) or not sources:
        return Attribution()
    if isinstance(settings, Framing):
        scores, of_sources = record.get("summary_scores"), record.get("source_scores")
        if scores is None or of_sources is None or len(of_sources) != len(sources):
            return Attribution()
        return Attribution(
            _polar(summary_spans(summary, settings.language), scores, settings),
            [_polar(_sentences(text, settings), of, settings) for text, of in zip(sources, of_sources, strict=True)],
        )
    return _matched(summary, sources, record.get("matches"), settings)


def _sentences(text: str, settings: Framing | PositionBias) -> list[tuple[int, int]]:
    return located(text, get_splitter(settings.language).sentences(text))


def _polar(places: Sequence[tuple[int, int]], scores: Sequence[float], settings: Framing) -> list[Span]:
    """Return the positive and the negative sentences among those at some places."""
    kinds = {"negative": "minus", "positive": "plus"}
    if len(places) != len(scores):  # scores of another text
        return []
    spans = []
    for (start, stop), score in zip(places, scores, strict=True):
        kind = kinds.get(CLASSES[sentiment_class(score, settings.threshold)])
        if kind is not None:
            spans.append(Span(start, stop, (), kind, "", f"sentiment {score:+.2f}"))
    return spans


def _matched(
    summary: str, sources: Sequence[str], matches: Sequence[Mapping[str, Any]] | None, settings: PositionBias
) -> Attribution:
    """Return the sentences of a summary and their best matches."""
    places = summary_spans(summary, settings.language)
    if matches is None or len(matches) != len(places):
        return Attribution()
    units: list[Span] = []
    chunks: list[list[Span]] = [[] for _ in sources]
    of_sources: dict[int, list[tuple[int, int]]] = {}
    for number, (place, match) in enumerate(zip(places, matches, strict=True)):
        n_best, overlap = match["n_best"], match["overlap"]
        ties = f", and equally in {n_best - 1} more" if n_best > 1 else ""
        note = f"{100 * overlap:.0f}% of its content words in one source sentence{ties}" if n_best else "no match"
        units.append(Span(*place, (), "unit", f"u{number}", f"sentence {number + 1}: {note}"))
        for text, sentence in match["places"]:
            if text not in of_sources and text < len(sources):
                of_sources[text] = _sentences(sources[text], settings)
            if sentence < len(of_sources.get(text, ())):
                remark = f"matches sentence {number + 1} of the summary, {100 * overlap:.0f}% of its content words"
                start, stop = of_sources[text][sentence]
                chunks[text].append(Span(start, stop, (), "chunk", f"u{number}", remark))
    return Attribution(units, [sorted(spans) for spans in chunks])
