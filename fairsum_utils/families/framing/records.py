"""Records of samples of the framing family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, TypedDict

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.framing.rows import FramingRow
from fairsum_utils.measures.framing import CLASSES, Framing, has_both, sentiment_class


class Classes(TypedDict):
    """Sentiment classes of a sample; None for a skipped sample.

    Attributes:
        framing: 1 if the classes of sources and summary differ, else 0.
        source_class: class of the sources.
        summary_class: class of the summary.
        source_sentiment: mean sentiment of the source sentences.
        summary_sentiment: mean sentiment of the summary's sentences.
        is_mixed: the sources have positive and negative sentences.
        class_by_value: class of each group's sources.
    """

    framing: float | None
    source_class: str | None
    summary_class: str | None
    source_sentiment: float | None
    summary_sentiment: float | None
    is_mixed: bool | None
    class_by_value: dict[str, str]


class Places(TypedDict):
    """Positions of a summary's content in the sources; None for a skipped sample.

    Attributes:
        thirds: share from each third of the source words.
        tenths: share from each tenth of the source words.
        mean_position: mean position, from 0 (beginning) to 1 (end).
    """

    thirds: list[float] | None
    tenths: list[float] | None
    mean_position: float | None


def recorded(measures: Sequence[str], settings: Any) -> Recorded:
    """Return the keys of a record of framing, or of position bias."""
    [name] = measures
    fields = ("index", "skipped", "n_sentences")
    if name == "framing":
        evidence = ("n_truncated", "summary_scores", "source_scores")
        return Recorded((*fields, *evidence), [Classes], partial(_classes, settings))
    return Recorded((*fields, "n_unmatched", "matches"), [Places], _places)


def _classes(settings: Framing, rows: Sequence[FramingRow]) -> Iterator[dict[str, Any]]:
    def named(score: float) -> str:
        return CLASSES[sentiment_class(score, settings.threshold)]

    for row in rows:
        by_value = {name: named(score) for name, score in zip(row.values, row.by_value, strict=True)}
        if row.skipped is not None:
            yield {"class_by_value": by_value}
            continue
        source, summary = named(row.source), named(row.summary)
        yield {
            "framing": float(source != summary),
            "source_class": source,
            "summary_class": summary,
            "source_sentiment": row.source,
            "summary_sentiment": row.summary,
            "is_mixed": has_both((row.lowest, row.highest), settings.threshold),
            "class_by_value": by_value,
        }


def _places(rows: Sequence[FramingRow]) -> Iterator[dict[str, Any]]:
    for row in rows:
        found = row.positions
        if found is None:
            yield {}
        else:
            yield {"thirds": found.thirds, "tenths": found.tenths, "mean_position": found.mean}
