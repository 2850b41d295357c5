"""Records of samples of the coverage family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypedDict

import numpy as np

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.coverage.differences import Differences, tested
from fairsum_utils.families.coverage.rows import CoverageRow, CoverageTable
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.measures.equal_coverage import TOLERANCE


class Covered(TypedDict):
    """Coverage of the documents of a sample; None for a skipped sample.

    Attributes:
        values: group of each document.
        mean_coverage: p(d, s), the mean coverage of the documents.
        coverage_by_value: mean coverage of each group's documents.
        difference_by_value: difference of each group from the mean; positive: overrepresented.
        document_differences: p(d_i, S) - p(d, s) of each document.
        dominant: group with the most documents; None if there are several.
    """

    values: list[str] | None
    mean_coverage: float | None
    coverage_by_value: dict[str, float] | None
    difference_by_value: dict[str, float] | None
    document_differences: list[float] | None
    dominant: str | None


class Tested(TypedDict):
    """Equal Coverage of a sample with its permutation test; None for a skipped sample.

    Attributes:
        equal_coverage: score of the sample.
        p_value: p-value of the test.
        expected_equal_coverage: expected score if the groups are covered alike.
        smallest_p_value: smallest p-value that a sample with such groups can have.
    """

    equal_coverage: float | None
    p_value: float | None
    expected_equal_coverage: float | None
    smallest_p_value: float | None


class Extremes(TypedDict):
    """Groups with the largest and the smallest difference; None for a skipped sample.

    Attributes:
        overrepresented: groups with the largest difference.
        underrepresented: groups with the smallest difference.
    """

    overrepresented: list[str] | None
    underrepresented: list[str] | None


def recorded(measures: Sequence[str], settings: CoverageMeasure) -> Recorded:
    """Return the keys of a record: coverage, those of the measures, and evidence."""
    computed = [Covered, *(_OF_MEASURES[name][0] for name in measures)]
    fields = ("index", "skipped", "n_units", "n_truncated", "units", "evidence", "unit_coverage")
    return Recorded(fields, computed, partial(_computed, measures, settings))


def _computed(
    measures: Sequence[str], settings: CoverageMeasure, rows: Sequence[CoverageRow]
) -> Iterator[Mapping[str, Any]]:
    differences = Differences(CoverageTable(rows), settings)
    places = iter(range(len(differences)))
    for row in rows:
        computed: dict[str, Any] = {}
        if row.skipped is None:
            place = next(places)
            computed |= _covered(differences, place)
            for name in measures:
                _, compute = _OF_MEASURES[name]
                computed |= compute(differences, place)
        yield computed


def _covered(differences: Differences, place: int) -> Covered:
    sample = differences.samples[place]
    dominant, mean = differences.dominant.codes[place], float(differences.mean_coverage[place])
    by_value = dict(zip(sample.values, differences.of_sample(place).tolist(), strict=True))
    return {
        "values": [sample.values[code] for code in sample.codes],
        "mean_coverage": mean,
        "coverage_by_value": {value: mean + difference for value, difference in by_value.items()},
        "difference_by_value": by_value,
        "document_differences": (sample.coverage - mean).tolist(),
        "dominant": None if dominant < 0 else differences.dominant.names[dominant],
    }


def _tested(differences: Differences, place: int) -> Tested:
    test = tested(differences.samples[place], differences.settings)
    return {
        "equal_coverage": float(differences.scores[place]),
        "p_value": test.p_value,
        "expected_equal_coverage": test.expected,
        "smallest_p_value": test.smallest_p,
    }


def _extremes(differences: Differences, place: int) -> Extremes:
    values, of_values = differences.samples[place].values, differences.of_sample(place)
    most, least = of_values >= of_values.max() - TOLERANCE, of_values <= of_values.min() + TOLERANCE
    return {
        "overrepresented": [values[k] for k in np.flatnonzero(most)],
        "underrepresented": [values[k] for k in np.flatnonzero(least)],
    }


_OF_MEASURES: Mapping[str, tuple[type, Any]] = {
    "equal_coverage": (Tested, _tested),
    "coverage_parity": (Extremes, _extremes),
}
"""Measure -> keys of its part of a record, and the function that computes it."""
