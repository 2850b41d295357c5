"""Results by hand: every key of every measure, records, intervals, and two systems compared."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from fairsum_utils.families.representation import FAMILY
from fairsum_utils.families.representation import rows as representation_rows
from fairsum_utils.families.representation.results import ENGINE
from fairsum_utils.families.representation.rows import DistributionRow, DistributionTable
from fairsum_utils.families.representation.scorer import DistributionScorer
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.stats import intervals
from fairsum_utils.stats.intervals import Moments, mean_interval, share_interval
from tests._together import together

METRICS = DEFAULT_METRICS


def score(table: DistributionTable, **options: Any) -> dict[str, dict[str, Any]]:
    settings = together(METRICS, **options).seeded()
    scorer = DistributionScorer(METRICS, settings)
    return ENGINE.results_of(ENGINE.sums_of(table, METRICS, settings), METRICS, settings, scorer, [])


def random_rows(n: int, *, system: int = 0) -> list[DistributionRow]:
    """The same sources with the summaries of a system."""
    generator, of_summaries = random.Random(0), random.Random(system)
    rows = []
    for index in range(n):
        values = tuple(sorted(generator.sample("abcd", generator.randint(1, 4))))
        tokens = tuple(generator.randint(1, 50) for _ in values)
        weights = tuple(float(of_summaries.randint(0, 20)) for _ in values)
        rows.append(DistributionRow(index, values, tokens, weights, unmatched=not any(weights)))
    return rows


def test_what_is_counted() -> None:
    a_and_b = ("a", "b"), (1, 1)
    rows = [
        DistributionRow(0, skipped="empty_prediction"),
        DistributionRow(1, *a_and_b, (0.0, 0.0), unmatched=True),
        DistributionRow(2, ("z",), (5,), (2.0,)),
        DistributionRow(3, *a_and_b, (0.0, 0.0), unmatched=True, empty=True, unread=True),
        DistributionRow(4, *a_and_b, (1.0, 0.0), truncated=2, stopped=True, opinions=("good", "bad")),
        DistributionRow(5, *a_and_b, (1.0, 0.0), truncated=1, opinions=("good",)),
    ]
    assert {name: n for name, n in DistributionTable(rows).counts().items() if n} == {
        ("unmatched",): 2, ("alien",): 1, ("unread",): 1, ("stopped",): 1, ("truncated",): 2, ("single_value",): 1,
        ("opinions",): 2, ("opinions", "good"): 2, ("opinions", "bad"): 1,
    }  # fmt: skip


def test_samples_of_many_groups_widen_no_other_and_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    many = DistributionRow(0, tuple(f"v{place:03}" for place in range(500)), tuple(range(1, 501)), (1.0,) * 500)
    rows = [many, *(replace(row, index=row.index + 1) for row in random_rows(20))]
    assert max(part.p_x.shape[0] for part in DistributionTable(rows).parts() if part.p_x.shape[1] == 500) == 1
    whole = score(DistributionTable(rows))
    monkeypatch.setattr(representation_rows, "_BLOCK", 4)
    assert max(part.p_x.size for part in DistributionTable(rows[1:]).parts()) <= 4
    assert score(DistributionTable(rows)) == whole


def test_a_mean_has_the_interval_of_its_samples() -> None:
    rows = random_rows(30)
    found = score(DistributionTable(rows), confidence_level=0.9)
    for name in ("uer", "auc"):
        scores = np.array([score(DistributionTable([row]))[name][name] for row in rows])
        limits = (0.0, 0.5) if name == "uer" else (0.0, 1.0)
        assert found[name][f"{name}_ci"] == pytest.approx(mean_interval(Moments.of(scores), 0.9, limits), abs=1e-9)
        assert found[name][f"{name}_sd"] == pytest.approx(scores.std(ddof=1), abs=1e-12)
    unfair = sum(score(DistributionTable([row]))["bur"]["bur"] for row in rows)
    assert found["bur"]["bur_ci"] == pytest.approx(share_interval(unfair, 30, 0.9), abs=1e-12)


class TestComparison:
    @staticmethod
    def compare(a: list[DistributionRow], b: list[DistributionRow], **options: Any) -> dict[str, dict[str, Any]]:
        tables = DistributionTable(a), DistributionTable(b)
        settings = together(METRICS, **{"confidence_level": 0.95, **options}).seeded()
        systems = ENGINE.draw_systems([ENGINE.sums_of(table, METRICS, settings) for table in tables], METRICS, settings)
        return ENGINE.compare_systems(*systems, DistributionScorer(("bur",), settings), [])

    def test_equals_a_plain_paired_bootstrap(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(intervals, "FEWEST_FOR_SPREADS", 2)
        rows, other = random_rows(40), random_rows(40, system=3)
        found = self.compare(rows, other, n_resamples=30, seed=9, confidence_level=0.8)
        drawn = np.random.default_rng(9).integers(40, size=(30, 40))
        systems = [[score(DistributionTable(system[i] for i in draw)) for draw in drawn] for system in (rows, other)]
        tail = norm.sf(math.sqrt(40 / 39) * student.ppf(0.9, 39))
        again = self.compare(other, rows, n_resamples=30, seed=9, confidence_level=0.8)
        alone = [score(DistributionTable(system)) for system in (rows, other)]
        for name in METRICS:
            assert found[name]["difference"] == alone[1][name][name] - alone[0][name][name]
            assert (again[name]["difference"], again[name]["p_value"]) == (
                -found[name]["difference"],
                found[name]["p_value"],
            )
            differences = np.array([b[name][name] - a[name][name] for a, b in zip(*systems, strict=True)])
            shifted = np.abs(differences - differences.mean()) >= abs(found[name]["difference"])
            p_value = (shifted.sum() + 1) / 31
            p_value = 2 * student.cdf(math.sqrt(39 / 40) * norm.ppf(p_value / 2), 39)
            if name == "sof":
                ends = np.quantile(differences, [tail, 1 - tail])
            else:
                records = (FAMILY.records(system, METRICS, together(METRICS)) for system in (rows, other))
                each = [[record[name] for record in of_system] for of_system in records]
                high = 0.5 if name == "uer" else 1.0
                ends = mean_interval(Moments.of(np.subtract(*reversed(each))), 0.8, (-high, high))
            assert found[name]["difference_ci"] == pytest.approx(list(ends), abs=1e-9)
            assert found[name]["p_value"] == pytest.approx(p_value, abs=1e-9)
