"""Results by hand: every key of every measure, records, intervals, and two systems compared."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from fairsum_utils.families.representation import FAMILY
from fairsum_utils.families.representation.results import ENGINE
from fairsum_utils.families.representation.rows import DistributionRow, DistributionTable
from fairsum_utils.families.representation.scorer import DistributionScorer
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.stats.intervals import Moments, mean_interval, share_interval
from tests._together import together

METRICS = DEFAULT_METRICS


def make_scorer(*, evidence: bool = False, **settings: Any) -> DistributionScorer:
    scorer = DistributionScorer(("bur",), together(METRICS, **settings))
    scorer.evidence = evidence
    return scorer


def rows_of(scorer: DistributionScorer, columns: Any) -> list[DistributionRow]:
    return list(scorer.rows(scorer.read(columns._asdict())))


def approx(expected: Any) -> Any:
    if isinstance(expected, dict):
        return pytest.approx({key: float(number) for key, number in expected.items()}, abs=1e-15)
    return pytest.approx(float(expected), abs=1e-15)


def score(table: DistributionTable, target: Any = "ratio", **options: Any) -> dict[str, dict[str, Any]]:
    settings = together(METRICS, target=target, **options).seeded()
    scorer = DistributionScorer(METRICS, settings)
    return ENGINE.results_of(ENGINE.sums_of(table, METRICS, settings), METRICS, settings, scorer, [])


def random_rows(n: int, n_values: int = 4, seed: int = 0) -> list[DistributionRow]:
    generator = random.Random(seed)
    rows = []
    for index in range(n):
        values = tuple(sorted(generator.sample([f"v{i}" for i in range(n_values)], generator.randint(1, n_values))))
        tokens = tuple(generator.randint(1, 50) for _ in values)
        weights = tuple(float(generator.randint(0, 20)) for _ in values)
        rows.append(DistributionRow(index, values, tokens, weights, unmatched=not any(weights)))
    return rows


@pytest.fixture
def table(paper: Any) -> DistributionTable:
    return DistributionTable(rows_of(make_scorer(), paper))


class TestUndefined:
    @pytest.mark.parametrize("level", [None, 0.9])
    def test_no_sample_left(self, level: float | None) -> None:
        table = DistributionTable([DistributionRow(0, skipped="empty_prediction"), DistributionRow(1, skipped="other")])
        for name, found in score(table, confidence_level=level).items():
            assert math.isnan(found[name])
            assert found[f"{name}_by_value"] == {}
            assert (found["n_samples"], found["n_skipped"]) == (0, 2)
            assert found["skipped"] == {"empty_prediction": 1, "other": 1}
            assert found["undefined"] == "no sample was scored"
            if level:
                assert all(map(math.isnan, [*found[f"{name}_ci"], found[f"{name}_ci_lost"]]))

    def test_one_value_only(self) -> None:
        table = DistributionTable([DistributionRow(index, ("a",), (3,), (1.0,)) for index in range(3)])
        found = score(table, confidence_level=0.9)
        assert math.isnan(found["sof"]["sof"])
        assert found["sof"]["undefined"] == "sof compares groups, but the scored samples contain only 1"
        assert math.isnan(found["sof"]["sof_ci_lost"])
        # A single voice is heard: the others are defined, and 0.
        assert [found[name][name] for name in ("bur", "uer", "auc")] == [0.0, 0.0, 0.0]
        assert "undefined" not in found["bur"]


class TestIntervals:
    def test_a_replicate_that_loses_a_value_is_dropped_and_counted(self, table: DistributionTable) -> None:
        # Only the first of 200 samples holds c: all draws miss it with probability (1 - 1/200)^200 = 0.367.
        rows = [DistributionRow(i, ("a", "b"), (1, 1), (1.0, 1.0)) for i in range(1, 200)]
        rows.insert(0, DistributionRow(0, ("a", "c"), (1, 1), (1.0, 0.0)))
        found = score(DistributionTable(rows), confidence_level=0.95, n_resamples=4000)
        assert found["sof"]["sof_ci_lost"] == pytest.approx(0.995**200, abs=0.03)
        assert found["uer"]["uer_ci_lost"] == 0.0
        assert found["sof"]["sof_ci"][0] < found["sof"]["sof"] < found["sof"]["sof_ci"][1]

    def test_equals_a_plain_bootstrap(self) -> None:
        rows = random_rows(200)
        found = score(DistributionTable(rows), confidence_level=0.9, n_resamples=100, seed=5)["sof"]
        drawn = np.random.default_rng(5).integers(200, size=(100, 200))
        replicates = np.array([score(DistributionTable(rows[i] for i in draw))["sof"]["sof"] for draw in drawn])
        tail = norm.sf(math.sqrt(200 / 199) * student.ppf(0.95, 199))
        low, high = np.quantile(replicates, [tail, 1 - tail])
        bias = max(0.0, replicates.mean() - found["sof"])
        assert found["sof_ci"] == pytest.approx([max(0.0, low - 3 * bias), high], abs=1e-12)

    def test_a_mean_has_the_interval_of_its_samples(self) -> None:
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
        return ENGINE.compare_systems(*systems, make_scorer(), [])

    @staticmethod
    def other_system(rows: list[DistributionRow]) -> list[DistributionRow]:
        """The same samples with the weights of another summary."""
        shuffled = random.Random(3)
        return [
            DistributionRow(
                row.index, row.values, row.source_tokens, tuple(float(shuffled.randint(1, 5)) for _ in row.values)
            )
            for row in rows
        ]

    def test_scores_and_sign(self) -> None:
        rows = random_rows(200)
        other = self.other_system(rows)
        one, two = self.compare(rows, other), self.compare(other, rows)
        alone_a, alone_b = score(DistributionTable(rows)), score(DistributionTable(other))
        for name in METRICS:
            found = one[name]
            assert found["difference"] == alone_b[name][name] - alone_a[name][name] == -two[name]["difference"]
            low, high = found["difference_ci"]
            assert two[name]["difference_ci"] == pytest.approx([-high, -low], abs=1e-9, nan_ok=True)
            assert found["p_value"] == two[name]["p_value"]
            assert 0 < found["p_value"] <= 1

    def test_equals_a_plain_paired_bootstrap(self) -> None:
        rows = random_rows(200)
        other = self.other_system(rows)
        found = self.compare(rows, other, n_resamples=60, seed=9, confidence_level=0.8)
        drawn = np.random.default_rng(9).integers(200, size=(60, 200))
        systems = [[score(DistributionTable(system[i] for i in draw)) for draw in drawn] for system in (rows, other)]
        tail = norm.sf(math.sqrt(200 / 199) * student.ppf(0.9, 199))
        for name in METRICS:
            differences = np.array([b[name][name] - a[name][name] for a, b in zip(*systems, strict=True)])
            shifted = np.abs(differences - differences.mean()) >= abs(found[name]["difference"])
            p_value = (shifted.sum() + 1) / 61
            p_value = 2 * student.cdf(math.sqrt(199 / 200) * norm.ppf(p_value / 2), 199)
            if name == "sof":
                ends = np.quantile(differences, [tail, 1 - tail])
            else:
                records = (FAMILY.records(system, METRICS, together(METRICS)) for system in (rows, other))
                each = [[record[name] for record in of_system] for of_system in records]
                high = 0.5 if name == "uer" else 1.0
                ends = mean_interval(Moments.of(np.subtract(*reversed(each))), 0.8, (-high, high))
            assert found[name]["difference_ci"] == pytest.approx(list(ends), abs=1e-9)
            assert found[name]["p_value"] == pytest.approx(p_value, abs=1e-9)
