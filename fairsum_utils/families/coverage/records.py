"""Records of samples of the coverage family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.families.coverage.differences import Differences
from fairsum_utils.families.coverage.rows import CoverageRow, CoverageTable, UnitEvidence
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.measures.equal_coverage import TOLERANCE


def sample_records(
    rows: Sequence[CoverageRow], measures: Sequence[str], settings: CoverageMeasure
) -> list[dict[str, Any]]:
    """Yield a record for every sample, including skipped ones, in the order of `rows`.

    Returns:
        Dicts with ``index``, ``skipped``, ``values`` (of the documents), ``mean_coverage`` (p(d, s)),
        ``coverage_by_value``, ``difference_by_value`` (positive: overrepresented), ``document_differences``
        (p(d_i, S) - p(d, s) of each document), ``dominant``, ``n_units``, ``n_truncated``; for ``equal_coverage`` also
        the score, ``p_value``, ``expected_equal_coverage`` and ``smallest_p_value``; for ``coverage_parity``
        ``overrepresented`` and ``underrepresented``: the values with the largest and the smallest difference; with
        evidence ``units`` and, aligned with them, ``evidence``: the ``document`` and ``chunk`` (from 0) that cover a
        unit best, with their ``probability`` and the chunk's ``text``; and ``unit_coverage``: for each unit the
        probability that each document covers it.
    """
    differences = Differences(CoverageTable(rows), settings)
    records = []
    places = iter(range(len(differences)))
    for row in rows:
        record = dict.fromkeys(record_types(measures)) | {"index": row.index, "skipped": row.skipped}
        if row.skipped is None:
            record |= _scored_record(differences, next(places), measures)
        record |= {"n_units": row.n_units, "n_truncated": row.n_truncated}
        if row.units is not None:
            record["units"] = list(row.units)
        if row.evidence is not None:
            record["evidence"] = [unit._asdict() for unit in row.evidence]
        if row.unit_coverage is not None:
            record["unit_coverage"] = list(map(list, row.unit_coverage))
        records.append(record)
    return records


# Keys of the record of a scored sample, whatever the measure.
_OF_SCORED: dict[str, Any] = {
    "values": list[str],
    "mean_coverage": float,
    "coverage_by_value": dict[str, float],
    "difference_by_value": dict[str, float],
    "document_differences": list[float],
    "dominant": str,
}


def record_types(measures: Sequence[str], settings: Any = None) -> dict[str, Any]:
    """Return the type of each key of `sample_records`.

    Example:
        >>> list(record_types(["coverage_parity"]))[-6:]
        ['underrepresented', 'n_units', 'n_truncated', 'units', 'evidence', 'unit_coverage']
    """
    scored = [_OF_SCORED, *(_OF_MEASURES[name].types for name in measures)]
    return {
        "index": int,
        "skipped": str | None,
        **{key: kind | None for types in scored for key, kind in types.items()},
        "n_units": int,
        "n_truncated": int,
        "units": list[str] | None,
        "evidence": list[UnitEvidence] | None,
        "unit_coverage": list[list[float]] | None,
    }


def _scored_record(differences: Differences, place: int, measures: Sequence[str]) -> dict[str, Any]:
    sample = differences.samples[place]
    dominant, mean = differences.dominant[place], float(differences.mean_coverage[place])
    by_value = dict(zip(sample.values, differences.of_sample(place).tolist(), strict=True))
    record: dict[str, Any] = {
        "values": [sample.values[code] for code in sample.codes],
        "mean_coverage": mean,
        "coverage_by_value": {value: mean + difference for value, difference in by_value.items()},
        "difference_by_value": by_value,
        "document_differences": (sample.coverage - mean).tolist(),
        "dominant": None if dominant < 0 else differences.names[dominant],
    }
    for name in measures:
        record |= _OF_MEASURES[name].record(differences, place)
    return record


def _tested(differences: Differences, place: int) -> dict[str, Any]:
    """Return Equal Coverage of a sample with its permutation test."""
    test = differences.test(place)
    return {
        "equal_coverage": float(differences.scores[place]),
        "p_value": test.p_value,
        "expected_equal_coverage": test.expected,
        "smallest_p_value": test.smallest_p,
    }


def _extreme_values(differences: Differences, place: int) -> dict[str, Any]:
    """Return the groups with the largest and the smallest difference in a sample."""
    values, of_values = differences.samples[place].values, differences.of_sample(place)
    most, least = of_values >= of_values.max() - TOLERANCE, of_values <= of_values.min() + TOLERANCE
    return {
        "overrepresented": [values[k] for k in np.flatnonzero(most)],
        "underrepresented": [values[k] for k in np.flatnonzero(least)],
    }


def from_file(record: dict[str, Any], measure: str) -> dict[str, Any]:
    """Convert a record from a file: the evidence becomes a list of dicts."""
    if record.get("evidence") is not None:
        record["evidence"] = [unit._asdict() for unit in record["evidence"]]
    return record


class _Part(NamedTuple):
    """Part of a record for one measure: the function that makes it, and its keys with their types."""

    record: Callable[[Differences, int], dict[str, Any]]
    types: Mapping[str, Any]


_OF_MEASURES = {
    "equal_coverage": _Part(
        _tested, dict.fromkeys(("equal_coverage", "p_value", "expected_equal_coverage", "smallest_p_value"), float)
    ),
    "coverage_parity": _Part(_extreme_values, dict.fromkeys(("overrepresented", "underrepresented"), list[str])),
}
