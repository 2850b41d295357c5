"""Records of samples of the representation family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairsum_utils.families.representation.rows import DistributionRow, DistributionTable
from fairsum_utils.families.representation.sums import Columns
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._representation import RepresentationMeasure


def sample_records(
    rows: Sequence[DistributionRow], measures: Sequence[str], settings: RepresentationMeasure
) -> list[dict[str, Any]]:
    """Yield a record for every sample, including skipped ones, in the order of `rows`.

    Returns:
        Dicts with ``index``, the score of each per-sample measure (None when skipped; SOF is a property of the whole
        data set and has none), ``values``, ``source_share``, ``summary_share``, ``desired_share``, ``ratio`` (each
        aligned with ``values``), ``unmatched``, ``skipped``; with evidence ``matched``: the k-grams that matched each
        value; of a neural matcher ``scores``, what it gave each value before the softmax (empty where it was not
        asked), and ``truncated``, how many of these are of texts that it did not read to their end.
    """
    table = DistributionTable(rows)
    columns = Columns(table, measures, settings)
    scores = {name: columns.per_sample[name] for name in measures if name in columns.per_sample}
    places, stops = iter(range(len(table))), np.cumsum(columns.lengths)
    shares = {name: np.split(columns.by_entry[name], stops) for name in _SHARES}
    records: list[dict[str, Any]] = []
    for row in rows:
        place = next(places) if row.skipped is None else None
        record: dict[str, Any] = {"index": row.index}
        record |= {name: None if place is None else float(of_samples[place]) for name, of_samples in scores.items()}
        record["values"] = list(row.values)
        record |= {name: [] if place is None else of_samples[place].tolist() for name, of_samples in shares.items()}
        record |= {"unmatched": row.unmatched, "skipped": row.skipped}
        if row.matched is not None:
            record["matched"] = [list(grams) for grams in row.matched]
        if row.scores is not None:
            record |= {"scores": list(row.scores), "truncated": row.truncated}
        records.append(record)
    return records


# Keys of a record with one entry a value.
_SHARES = ("source_share", "summary_share", "desired_share", "ratio")


def record_types(measures: Sequence[str], settings: RepresentationMeasure) -> dict[str, Any]:
    """Return the type of each key of `sample_records`, with evidence."""
    return {
        "index": int,
        **dict.fromkeys([name for name in measures if get_measure(name).averages], float | None),
        "values": list[str],
        **dict.fromkeys(_SHARES, list[float]),
        "unmatched": bool,
        "skipped": str | None,
        **({"scores": list[float], "truncated": int} if settings.is_neural else {"matched": list[list[str]]}),
    }
