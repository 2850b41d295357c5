"""Buckets of originals: results of them are those of the rows, and what they draw fits."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from fairsum_utils.families.entities.results import ENGINE
from fairsum_utils.families.entities.rows import EntityRow, EntityTable
from fairsum_utils.measures import measures_of
from fairsum_utils.stats.sums import BucketSums, Sums
from tests._together import together
from tests.families.entities._made import made_rows

pytest.importorskip("pyarrow")

METRICS = measures_of("entities")
BUCKETS = together(METRICS, confidence_level=0.9, n_resamples=30, n_permutations=30, bootstrap="buckets")
DRAWN = ("settings", "_ci", "_ci_within", "_lost", "p_value", "log_odds_ratios", "signature", "undefined")
"""Ends of the keys of results that samples and buckets need not have alike."""


def buckets_of(rows: list[EntityRow], chosen: Any = BUCKETS, names: tuple[str, ...] = METRICS) -> Sums:
    return BucketSums().add(ENGINE.sums_of(EntityTable(rows), names, chosen))


@given(rows=made_rows())
@settings(max_examples=10)
def test_results_of_buckets_are_those_of_the_rows(rows: list[EntityRow]) -> None:
    samples = BUCKETS.replace(bootstrap=None)
    for name in METRICS:
        sums = ENGINE.sums_of(EntityTable(rows), [name], samples)
        expected = ENGINE.scores[name](sums, samples).result({})
        found = ENGINE.scores[name](buckets_of(rows), BUCKETS).result({})
        assert [*found] == [*expected]
        for key in expected:
            if not key.endswith(DRAWN):
                assert alike(found[key], expected[key]), key
        assert math.isnan(found[name]) == math.isnan(expected[name])
        assert "boot:buckets" in found["signature"]


def alike(found: Any, expected: Any) -> bool:
    """The same, numbers with a fraction to 1e-12."""
    if isinstance(expected, dict):
        return [*found] == [*expected] and all(alike(found[key], entry) for key, entry in expected.items())
    if isinstance(expected, float):
        return found == pytest.approx(expected, abs=1e-12, nan_ok=True)
    return bool(found == expected)


def test_an_original_with_several_samples_decides_that_something_is_drawn_within() -> None:
    rows = [EntityRow(i, str(i), summary_words={"x": 1, "y": i}, source_words={"x": 1, "y": 1}) for i in range(3)]
    result = ENGINE.scores["word_list_inclusion"](buckets_of(rows, names=METRICS[:1]), BUCKETS).result({})
    assert not [key for key in result if "within" in key]
    # Another original has two samples, one of which is in a pair.
    more = [replace(rows[0], index=9, article="b", pair="p"), replace(rows[2], index=8, article="b")]
    result = ENGINE.scores["word_list_inclusion"](buckets_of([*rows, *more], names=METRICS[:1]), BUCKETS).result({})
    assert (result["n_unpaired"], result["n_articles"], result["n_samples"]) == (1, 4, 5)
    assert result["signature"].startswith("within:pairs|")
    # Of x three and two samples; of y 0 + 1 + 2 and, of the pair (0) and the other sample (2), one of them twice.
    assert result["word_list_inclusion_by_group_ci_within"]["x"] == pytest.approx([5 / 12 - 0.5, 5 / 8 - 0.5])
