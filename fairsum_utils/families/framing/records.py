"""Records of samples of the framing family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypedDict

from fairsum_utils.families.framing.rows import FramingRow, Match
from fairsum_utils.measures._framing import SourceMeasure
from fairsum_utils.measures.framing import CLASSES, Framing, has_both, sentiment_class
from fairsum_utils.measures.position_bias import PositionBias


class FramingRecord(TypedDict):
    """Record of a sample in a file of samples, without its index."""

    skipped: str | None
    framing: float | None
    source_class: str | None
    summary_class: str | None
    source_sentiment: float | None
    summary_sentiment: float | None
    is_mixed: bool | None
    class_by_value: dict[str, str]
    n_sentences: int
    n_truncated: int
    summary_scores: list[float] | None
    source_scores: list[list[float]] | None


class PositionBiasRecord(TypedDict):
    """Record of a sample in a file of samples, without its index."""

    skipped: str | None
    thirds: list[float] | None
    tenths: list[float] | None
    mean_position: float | None
    n_sentences: int
    n_unmatched: int
    matches: list[Match] | None


def _framing(row: FramingRow, settings: Framing) -> dict[str, Any]:
    """Make the record of a sample."""
    found: dict[str, Any] = dict.fromkeys(FramingRecord.__annotations__)
    found |= {"skipped": row.skipped, "n_sentences": row.n_sentences, "n_truncated": row.n_truncated}
    threshold = settings.threshold
    found["class_by_value"] = {
        name: CLASSES[sentiment_class(score, threshold)] for name, score in zip(row.values, row.by_value, strict=True)
    }
    if row.skipped is None:
        source, summary = (sentiment_class(score, threshold) for score in (row.source, row.summary))
        found |= {
            "framing": float(source != summary),
            "source_class": CLASSES[source],
            "summary_class": CLASSES[summary],
            "source_sentiment": row.source,
            "summary_sentiment": row.summary,
            "is_mixed": has_both((row.lowest, row.highest), threshold),
        }
    if row.summary_scores is not None:
        found["summary_scores"] = list(row.summary_scores)
    if row.source_scores is not None:
        found["source_scores"] = list(map(list, row.source_scores))
    return found


def _position(row: FramingRow, settings: PositionBias) -> dict[str, Any]:
    """Make the record of a sample."""
    found: dict[str, Any] = dict.fromkeys(PositionBiasRecord.__annotations__)
    found |= {"skipped": row.skipped, "n_sentences": row.n_sentences, "n_unmatched": row.n_unmatched}
    if row.positions is not None:
        found |= {
            "thirds": list(row.positions.thirds),
            "tenths": list(row.positions.tenths),
            "mean_position": row.positions.mean,
        }
    if row.matches is not None:
        found["matches"] = [_plain_match(match) for match in row.matches]
    return found


def _plain_match(match: Match) -> dict[str, Any]:
    """Convert a match to plain data."""
    return {"overlap": match.overlap, "n_best": match.n_best, "places": list(map(list, match.places))}


class _Part(NamedTuple):
    """Record of one measure: the function that makes it, and its type."""

    record: Callable[[FramingRow, Any], dict[str, Any]]
    kind: type


_PARTS = {"framing": _Part(_framing, FramingRecord), "position_bias": _Part(_position, PositionBiasRecord)}


def sample_records(
    rows: Sequence[FramingRow], measures: Sequence[str], settings: SourceMeasure
) -> list[dict[str, Any]]:
    """Yield a record for every sample, including skipped ones, in the order of `rows`.

    Returns:
        Dicts with ``index``, ``skipped`` and the keys of `FramingRecord` or `PositionBiasRecord`.
    """
    [name] = measures
    return [{"index": row.index, **_PARTS[name].record(row, settings)} for row in rows]


def file_records(rows: Sequence[FramingRow], measures: Sequence[str], settings: SourceMeasure) -> list[dict[str, Any]]:
    """Yield a record for every sample, under the name of the measure."""
    [name] = measures
    return [{"index": row.index, name: _PARTS[name].record(row, settings)} for row in rows]


def record_types(measures: Sequence[str], settings: Any = None) -> dict[str, Any]:
    """Return the type of each key of `file_records`.

    Example:
        >>> list(record_types(["position_bias"]))
        ['index', 'position_bias']
    """
    return {"index": int, **{name: _PARTS[name].kind for name in measures}}


def from_file(record: dict[str, Any], measure: str) -> dict[str, Any]:
    """Convert a record of `file_records` to one of `sample_records`."""
    record = {"index": record.get("index"), **(record.get(measure) or {})}
    if record.get("matches") is not None:
        record["matches"] = [_plain_match(Match(*match)) for match in record["matches"]]
    return record
