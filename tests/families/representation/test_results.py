"""Results by hand: every key of every measure, records, intervals, and two systems compared."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from importlib.metadata import version
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

import fairsum_utils
from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError
from fairsum_utils.families.representation.results import (
    compare_systems,
    draw_systems,
    results_of,
    sample_records,
    sums_of,
)
from fairsum_utils.families.representation.rows import DistributionRow, DistributionTable
from fairsum_utils.families.representation.scorer import DistributionScorer
from fairsum_utils.families.representation.settings import RepresentationSettings
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.stats import sums
from fairsum_utils.stats.intervals import Moments, mean_interval, share_interval

METRICS = DEFAULT_METRICS


def make_scorer(*, evidence: bool = False, **settings: Any) -> DistributionScorer:
    scorer = DistributionScorer(("bur",), RepresentationSettings(**settings))
    scorer.evidence = evidence
    return scorer


def rows_of(scorer: DistributionScorer, columns: Any) -> list[DistributionRow]:
    return list(scorer.rows(scorer.read(columns._asdict())))


def approx(expected: Any) -> Any:
    if isinstance(expected, dict):
        return pytest.approx({key: float(number) for key, number in expected.items()}, abs=1e-15)
    return pytest.approx(float(expected), abs=1e-15)


def score(table: DistributionTable, target: Any = "ratio", **options: Any) -> dict[str, dict[str, Any]]:
    settings = RepresentationSettings(target=target, **options).seeded()
    scorer = DistributionScorer(METRICS, settings)
    return results_of(sums_of(table, METRICS, settings), METRICS, settings, scorer, [])


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


class TestByHand:
    # Sample 0: p_y = neg 2/9, neu 1/9, pos 6/9;  p_g = 1/3, 1/6, 1/2;  ratios 2/3, 2/3, 4/3.
    # Sample 1: p_y = neg 1, pos 0;  p_g = 1/2, 1/2;  ratios 2, 0.

    def test_bur(self, table: DistributionTable) -> None:
        found = score(table)["bur"]
        # Thresholds 4/15 > 2/9 and 2/15 > 1/9: neg and neu in sample 0; pos in sample 1.
        assert found["bur"] == 1.0
        assert found["bur_by_value"] == {"neg": 0.5, "neu": 1.0, "pos": 0.5}
        # At 0.6 sample 0 is fair: 1/5 < 2/9, 1/10 < 1/9.
        assert score(table, tau=0.6)["bur"]["bur"] == 0.5

    def test_uer(self, table: DistributionTable) -> None:
        found = score(table)["uer"]
        # Sample 0: (1/9 + 1/18 + 0) / 3 = 1/18;  sample 1: (0 + 1/2) / 2 = 1/4;  mean 11/72.
        assert found["uer"] == approx(Fraction(11, 72))
        # neg (1/9 + 0) / 2; neu 1/18 in its only sample; pos (0 + 1/2) / 2.
        assert found["uer_by_value"] == approx({"neg": Fraction(1, 18), "neu": Fraction(1, 18), "pos": Fraction(1, 4)})

    def test_auc(self, table: DistributionTable) -> None:
        found = score(table)["auc"]
        # Sample 0: 1 - 2/3;  sample 1: 1 - 0;  mean 2/3.
        assert found["auc"] == approx(Fraction(2, 3))
        # neg (1/3 + 0) / 2; neu 1/3; pos (0 + 1) / 2.
        assert found["auc_by_value"] == approx({"neg": Fraction(1, 6), "neu": Fraction(1, 3), "pos": Fraction(1, 2)})
        # Ten points: sample 0 at 0.7, 0.8, 0.9, 1.0; sample 1 always: (4/10 + 1) / 2.
        assert score(table, n_points=10)["auc"]["auc"] == approx(Fraction(7, 10))

    def test_sof(self, table: DistributionTable) -> None:
        found = score(table)["sof"]
        # m = 1/18, 1/18, 1/4; mean 13/108; deviations 7/108, 7/108, 14/108; mean 28/324.
        assert found["sof"] == approx(Fraction(7, 81))
        assert found["sof_by_value"] == score(table)["uer"]["uer_by_value"]

    def test_equal_target(self, table: DistributionTable) -> None:
        found = score(table, target="equal")
        # Sample 0, p_g = 1/3 each: lacking neg 1/9, neu 2/9, pos 0; sample 1 as before.
        assert found["uer"]["uer"] == approx((Fraction(1, 9) + Fraction(1, 4)) / 2)
        # Ratios 2/3, 1/3, 2: (2/3 + 1) / 2.
        assert found["auc"]["auc"] == approx(Fraction(5, 6))
        # m = neg 1/18, neu 2/9, pos 1/4 = 2/36, 8/36, 9/36; mean 19/108; |6 - 19| + |24 - 19| + |27 - 19| = 26.
        assert found["sof"]["sof"] == approx(Fraction(26, 324))

    def test_custom_target_renormalized_over_the_values_present(self, table: DistributionTable) -> None:
        found = score(table, target={"neg": 0.1, "neu": 0.6, "pos": 0.3})
        # Sample 0: lacking 0, 3/5 - 1/9 = 22/45, 0: 22/135.  Sample 1, p_g = 1/4, 3/4: lacking 0, 3/4: 3/8.
        assert found["uer"]["uer"] == approx((Fraction(22, 135) + Fraction(3, 8)) / 2)
        # Smallest ratios (1/9) / (3/5) = 5/27, and 0.
        assert found["auc"]["auc"] == approx((Fraction(22, 27) + 1) / 2)

    def test_a_value_of_which_nothing_is_desired(self, table: DistributionTable) -> None:
        found = score(table, target={"neg": 0.5, "neu": 0.0, "pos": 0.5})
        assert found["bur"]["bur_by_value"]["neu"] == 0.0
        assert found["uer"]["uer_by_value"]["neu"] == 0.0
        assert math.isnan(found["uer"]["ratio_by_value"]["neu"])

    def test_the_rest(self, table: DistributionTable) -> None:
        for found in score(table).values():
            assert found["n_by_value"] == {"neg": 2, "neu": 1, "pos": 2}
            # (2/3 + 2) / 2, 2/3, (4/3 + 0) / 2.
            assert found["ratio_by_value"] == approx(
                {"neg": Fraction(4, 3), "neu": Fraction(2, 3), "pos": Fraction(2, 3)}
            )
            assert (found["n_samples"], found["n_skipped"], found["skipped"], found["n_unmatched"]) == (2, 0, {}, 0)


class TestUndefined:
    @pytest.mark.parametrize("level", [None, 0.9])
    def test_no_sample_left(self, level: float | None) -> None:
        table = DistributionTable([DistributionRow(0, skipped="empty_prediction"), DistributionRow(1, skipped="other")])
        for name, found in score(table, confidence_level=level).items():
            assert math.isnan(found[name])
            assert found[f"{name}_by_value"] == {}
            assert (found["n_samples"], found["n_skipped"]) == (0, 2)
            assert found["skipped"] == {"empty_prediction": 1, "other": 1}
            assert found["undefined"] == "no sample left to score"
            if level:
                assert all(map(math.isnan, [*found[f"{name}_ci"], found[f"{name}_ci_lost"]]))

    def test_one_value_only(self) -> None:
        table = DistributionTable([DistributionRow(index, ("a",), (3,), (1.0,)) for index in range(3)])
        found = score(table, confidence_level=0.9)
        assert math.isnan(found["sof"]["sof"])
        assert found["sof"]["undefined"] == "sof compares values, and the data holds only 1"
        assert math.isnan(found["sof"]["sof_ci_lost"])
        # A single voice is heard: the others are defined, and 0.
        assert [found[name][name] for name in ("bur", "uer", "auc")] == [0.0, 0.0, 0.0]
        assert "undefined" not in found["bur"]

    def test_one_sample_has_no_interval(self) -> None:
        found = score(DistributionTable(random_rows(1)), confidence_level=0.9)["uer"]
        assert not math.isnan(found["uer"])
        assert all(map(math.isnan, found["uer_ci"]))
        assert found["undefined"] == "uer_ci: an interval needs at least two samples"


class TestInvariance:
    TARGETS = ("ratio", "equal", {"v0": 0.1, "v1": 0.2, "v2": 0.3, "v3": 0.4})

    @pytest.mark.parametrize("target", TARGETS)
    def test_merged_tables_change_no_bit(self, target: Any) -> None:
        rows, generator = random_rows(300), random.Random(0)
        expected = score(DistributionTable(rows), target)
        for n_parts in (1, 2, 7, 300):
            homes = [generator.randrange(n_parts) for _ in rows]
            merged = DistributionTable()
            for part in generator.sample(range(n_parts), n_parts):
                merged.merge(DistributionTable(row for row, home in zip(rows, homes, strict=True) if home == part))
            assert score(merged, target) == expected


class TestIntervals:
    def test_a_replicate_that_loses_a_value_is_dropped_and_counted(self, table: DistributionTable) -> None:
        # Only the first of 200 samples holds c: all draws miss it with probability (1 - 1/200)^200 = 0.367.
        rows = [DistributionRow(i, ("a", "b"), (1, 1), (1.0, 1.0)) for i in range(1, 200)]
        rows.insert(0, DistributionRow(0, ("a", "c"), (1, 1), (1.0, 0.0)))
        found = score(DistributionTable(rows), confidence_level=0.95, n_resamples=4000)
        assert found["sof"]["sof_ci_lost"] == pytest.approx(0.995**200, abs=0.03)
        assert found["uer"]["uer_ci_lost"] == 0.0
        assert found["sof"]["sof_ci"][0] < found["sof"]["sof"] < found["sof"]["sof_ci"][1]

    def test_a_sample_of_bur_by_hand(self) -> None:
        # One unfair sample of two: the mid-P interval of level 0.6 ends where q^2 + p q = q is 0.2.
        rows = [DistributionRow(0, ("a", "b"), (1, 1), (1.0, 1.0)), DistributionRow(1, ("a", "b"), (1, 1), (1.0, 0.0))]
        found = score(DistributionTable(rows), confidence_level=0.6)["bur"]["bur_ci"]
        assert found == pytest.approx([0.2, 0.8], abs=1e-9)

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

    def test_one_measure_alone_has_the_same_interval(self) -> None:
        table = DistributionTable(random_rows(40))
        together = score(table, confidence_level=0.9)
        for name in METRICS:
            settings = RepresentationSettings(confidence_level=0.9)
            alone = results_of(sums_of(table, [name], settings), [name], settings, make_scorer(), [])
            assert repr(alone[name]) == repr(together[name])  # NaN is not equal to itself

    def test_many_values_in_groups(self, monkeypatch: pytest.MonkeyPatch) -> None:
        table = DistributionTable(random_rows(200, n_values=9))
        expected = score(table, confidence_level=0.9)["sof"]["sof_ci"]
        monkeypatch.setattr(sums, "_SPREAD", 200 * 4)  # four values at a time
        assert score(table, confidence_level=0.9)["sof"]["sof_ci"] == pytest.approx(expected, abs=1e-12)


class TestSignature:
    @pytest.mark.parametrize("n", [2, 200])
    def test_read_back(self, n: int) -> None:
        table = DistributionTable(random_rows(n))
        options: dict[str, Any] = {"tau": 1, "n_points": 10, "confidence_level": 0.95, "n_resamples": 50, "seed": 0}
        scorer = make_scorer(target={"a|b": 0.25, "c": 0.75}, normalizer="simple", language="german")
        settings = RepresentationSettings(**options)
        found = results_of(sums_of(table, METRICS, settings), METRICS, settings, scorer, [])
        common = {
            "matcher": "ngram",
            "k": 1,
            "normalizer": "simple",
            "language": "german",
            "language_packages": f"snowballstemmer {version('snowballstemmer')}",
            "target": "custom(a|b=0.25,c=0.75)",
            "empty": "skip",
            "confidence_level": 0.95,
            "version": __version__,
        }
        drawn = {"n_resamples": 50, "seed": 0, "interval": "corrected"}
        assert found["bur"]["settings"] == {**common, "tau": 1.0, "interval": "midp"}
        assert found["auc"]["settings"] == {**common, "n_points": 10, "interval": "two-point"}
        of_sof = drawn if n >= 200 else {"interval": "corrected"}  # nothing is drawn for an interval that is withheld
        assert found["sof"]["settings"] == {**common, **of_sof}

    def test_a_seed_drawn_afresh_is_told_and_repeats_the_interval(self) -> None:
        table = DistributionTable(random_rows(200))
        found = score(table, confidence_level=0.9, n_resamples=50, seed=None)
        seed = found["sof"]["settings"]["seed"]
        assert score(table, confidence_level=0.9, n_resamples=50, seed=seed) == found


class TestRecords:
    def test_by_hand(self, paper: Any) -> None:
        rows = [*rows_of(make_scorer(evidence=True), paper), DistributionRow(2, skipped="empty_prediction")]
        first, second, third = sample_records(rows, METRICS, RepresentationSettings())
        assert first == {
            "index": 0,
            "bur": 1.0,
            "uer": approx(Fraction(1, 18)),
            "auc": approx(Fraction(1, 3)),
            "values": ["neg", "neu", "pos"],
            "source_share": pytest.approx([1 / 3, 1 / 6, 1 / 2], abs=1e-15),
            "summary_share": pytest.approx([2 / 9, 1 / 9, 6 / 9], abs=1e-15),
            "desired_share": pytest.approx([1 / 3, 1 / 6, 1 / 2], abs=1e-15),
            "ratio": pytest.approx([2 / 3, 2 / 3, 4 / 3], abs=1e-15),
            "unmatched": False,
            "skipped": None,
            "matched": [["soup", "bread"], ["bread"], ["tasti", "soup", "tasti", "bread", "lemon", "cake"]],
        }
        assert (second["index"], second["values"], second["uer"]) == (1, ["neg", "pos"], 0.25)
        assert second["matched"] == [["slow", "waiter", "slow"], []]
        assert third == {
            "index": 2,
            "bur": None,
            "uer": None,
            "auc": None,
            "values": [],
            "source_share": [],
            "summary_share": [],
            "desired_share": [],
            "ratio": [],
            "unmatched": False,
            "skipped": "empty_prediction",
        }

    def test_mean_to_the_score(self) -> None:
        rows = random_rows(100)
        records = sample_records(rows, METRICS, RepresentationSettings(target="equal"))
        found = score(DistributionTable(rows), "equal")
        for name in ("bur", "uer", "auc"):
            assert math.fsum(record[name] for record in records) / 100 == found[name][name]

    @pytest.mark.parametrize("target", ["ratio", {"a": 1.0}])
    def test_nothing_scored(self, target: Any) -> None:
        rows = [DistributionRow(4, skipped="no_source_tokens")]
        (record,) = sample_records(rows, METRICS, RepresentationSettings(target=target))
        assert (record["index"], record["skipped"], record["auc"]) == (4, "no_source_tokens", None)


class TestComparison:
    @staticmethod
    def compare(a: list[DistributionRow], b: list[DistributionRow], **options: Any) -> dict[str, dict[str, Any]]:
        tables = DistributionTable(a), DistributionTable(b)
        settings = RepresentationSettings(**{"confidence_level": 0.95, **options}).seeded()
        systems = draw_systems([sums_of(table, METRICS, settings) for table in tables], METRICS, settings)
        return compare_systems(*systems, METRICS, settings, make_scorer(), [])

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

    def test_a_system_with_itself(self) -> None:
        rows = random_rows(30)
        for name, found in self.compare(rows, rows).items():
            low, high = found["difference_ci"]
            assert (found["difference"], found["p_value"]) == (0.0, 1.0)
            assert math.isnan(low) if name == "sof" else 0.0 < -low == high < 0.14
            assert (found["a"], found["lost"], found["n_samples"]) == (found["b"], 0.0, 30)

    def test_scores_and_sign(self) -> None:
        rows = random_rows(200)
        other = self.other_system(rows)
        one, two = self.compare(rows, other), self.compare(other, rows)
        alone_a, alone_b = score(DistributionTable(rows)), score(DistributionTable(other))
        for name in METRICS:
            found = one[name]
            assert (found["a"], found["b"]) == (alone_a[name][name], alone_b[name][name])
            assert found["difference"] == found["a"] - found["b"] == -two[name]["difference"]
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
            differences = np.array([a[name][name] - b[name][name] for a, b in zip(*systems, strict=True)])
            shifted = np.abs(differences - differences.mean()) >= abs(found[name]["difference"])
            p_value = (shifted.sum() + 1) / 61
            p_value = 2 * student.cdf(math.sqrt(199 / 200) * norm.ppf(p_value / 2), 199)
            if name == "sof":
                ends = np.quantile(differences, [tail, 1 - tail])
            else:
                records = (sample_records(system, METRICS, RepresentationSettings()) for system in (rows, other))
                each = [[record[name] for record in of_system] for of_system in records]
                high = 0.5 if name == "uer" else 1.0
                ends = mean_interval(Moments.of(np.subtract(*each)), 0.8, (-high, high))
            assert found[name]["difference_ci"] == pytest.approx(list(ends), abs=1e-9)
            assert found[name]["p_value"] == pytest.approx(p_value, abs=1e-9)


SOURCES = {"sources": [["Tasty soup!", "Cold soup, slow service."]], "values": [["pos", "neg"]]}


@pytest.mark.parametrize(
    "given",
    [
        {"target_distributions": [{"pos": 1, "neg": 2}]},
        {"matcher": lambda texts, summary: [2.0, 1.0] if summary is None else [0.0, 0.0]},
    ],
    ids=["distributions", "matcher"],
)
def test_given_distributions_or_matchers_need_no_summaries(given: dict[str, Any]) -> None:
    # The words of the sources: neg 4 of 6, pos 2 of 6, as given.
    table = [{name: column[0] for name, column in SOURCES.items()}]
    if "target_distributions" in given:
        table[0]["share"] = given["target_distributions"][0]
        by_name = {"target_distributions": "share"}
    else:
        by_name = given
    for result in (fairsum_utils.score(**SOURCES, **given), fairsum_utils.score(table, **by_name)):
        assert (result["uer"]["uer"], result["uer"]["n_samples"]) == (0.0, 1)
    with pytest.raises(InputError, match=r"missing: predictions, which uer needs"):
        fairsum_utils.score(**SOURCES, metrics="uer")
    with pytest.raises(InputError, match="sample 0: prediction must be a string, found None"):
        fairsum_utils.score([None], **SOURCES, **given)
