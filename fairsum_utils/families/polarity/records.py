"""Records of texts of the polarity family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from fairsum_utils.families.polarity.rows import PolarityRow, Word
from fairsum_utils.measures._polarity import PolarityMeasure


def sample_records(rows: Iterable[PolarityRow], measures: Any = (), settings: Any = None) -> list[dict[str, Any]]:
    """Yield a record for every text, including skipped ones.

    Returns:
        Dicts with ``index``, ``group``, ``labels``, ``scores``, ``counts``, ``evidence`` (None, a list of
        ``[word, score]``, or dimension -> ``[word, score]``) and ``skipped``.
    """
    return [
        {
            "index": row.index,
            "group": row.group,
            "labels": list(row.labels),
            "scores": dict(row.scores),
            "counts": dict(row.counts),
            "evidence": None if row.evidence is None else plain_words(row.evidence),
            "skipped": row.skipped,
        }
        for row in rows
    ]


def plain_words(words: Sequence[Word]) -> list[list[Any]] | dict[str | None, list[Any]]:
    """Return the decisive words of a record; see `sample_records`."""
    if words and words[0].dimension is not None:
        return {dimension: [word, score] for dimension, word, score in words}
    return [[word, score] for _, word, score in words]


def from_file(record: dict[str, Any], measure: str) -> dict[str, Any]:
    """Read a record of `sample_records` from a file of several measures."""
    record = record | (record.pop(measure, None) or {})
    if record.get("evidence") is not None:
        record["evidence"] = plain_words(record["evidence"])
    return record


class TextRecord(TypedDict):
    """Record of a text in a file of samples, see `PolarityRow`."""

    labels: list[str]
    scores: dict[str, float]
    counts: dict[str, int]
    evidence: list[Word] | None
    skipped: str | None


def file_records(rows: Sequence[PolarityRow], measures: Any, settings: PolarityMeasure) -> list[dict[str, Any]]:
    """Yield a record for every text, with each measure's part under its name.

    Returns:
        Dicts with ``index``, ``group`` and under the name of the measure a `TextRecord`, whose words are dicts with
        ``word``, ``score`` and, if they have one, ``dimension``.
    """
    records = []
    for row, record in zip(rows, sample_records(rows), strict=True):
        place = {name: record.pop(name) for name in ("index", "group")}
        if row.evidence is not None:
            words = (word._asdict().items() for word in row.evidence)
            record["evidence"] = [{name: entry for name, entry in word if entry is not None} for word in words]
        records.append({**place, settings.name: record})
    return records


def record_types(measures: Any, settings: PolarityMeasure) -> dict[str, Any]:
    """Return the type of each key of `file_records`."""
    return {"index": int, "group": str | None, settings.name: TextRecord}
