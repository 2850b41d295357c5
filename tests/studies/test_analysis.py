"""The paper's analyses: its own tables, examples by hand, and plain loops over the same draws."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.coverage import score
from fairsum_utils.errors import InputError
from fairsum_utils.stats.bootstrap import _draws
from fairsum_utils.studies.analysis import (
    aligned_with_people,
    compare_relative_change,
    entailer_correlation,
    overall_scores,
    rank_correlation,
    relative_change,
)

DATA_SETS = ("Amazon", "MITweet", "Article Bias", "SemEval", "News Stance")

# The paper's table 3, R_EC, and table 4, CP: five data sets and the overall score.
TABLE_3 = """
GPT-3.5         0.127 0.050 0.210 0.103 0.433 0.517
GPT-4           0.103 0.067 0.187 0.147 0.380 0.469
Llama2-7b       0.127 0.090 0.236 0.083 0.427 0.686
Llama2-13b      0.107 0.080 0.239 0.087 0.315 0.441
Llama2-70b      0.090 0.057 0.177 0.137 0.308 0.224
Mistral-7b      0.127 0.082 0.193 0.115 0.334 0.526
Mixtral-8x7b    0.117 0.097 0.172 0.128 0.372 0.549
Gemma           0.101 0.047 0.200 0.090 0.407 0.264
Claude3-haiku   0.110 0.063 0.174 0.093 0.500 0.411
Claude3-sonnet  0.107 0.070 0.174 0.120 0.401 0.401
COOP            0.204 -     -     -     -     -
PEGASUS         -     0.104 0.158 0.199 0.390 -
PRIMERA         -     0.118 0.134 0.118 0.377 -
"""
TABLE_4 = """
GPT-3.5         0.032 0.012 0.015 0.012 0.018 0.475
GPT-4           0.029 0.011 0.024 0.011 0.038 0.647
Llama2-7b       0.037 0.013 0.026 0.010 0.018 0.597
Llama2-13b      0.017 0.009 0.025 0.014 0.022 0.460
Llama2-70b      0.008 0.008 0.025 0.007 0.012 0.177
Mistral-7b      0.024 0.009 0.029 0.014 0.023 0.551
Mixtral-8x7b    0.017 0.010 0.036 0.003 0.020 0.394
Gemma           0.025 0.015 0.020 0.014 0.032 0.718
Claude3-haiku   0.028 0.013 0.016 0.012 0.042 0.651
Claude3-sonnet  0.025 0.008 0.018 0.002 0.030 0.264
COOP            0.068 -     -     -     -     -
PEGASUS         -     0.009 0.035 0.001 0.022 -
PRIMERA         -     0.014 0.032 0.002 0.023 -
"""


def read(table: str) -> dict[str, list[float | None]]:
    lines = (line.split() for line in table.strip().splitlines())
    return {system: [None if cell == "-" else float(cell) for cell in cells] for system, *cells in lines}


def replicates(n: int, times: int, seed: int) -> list[list[int]]:
    """How often each sample was drawn in each replicate."""
    return np.concatenate(list(_draws(n, times, seed))).astype(int).tolist()  # type: ignore[no-any-return]


def refusal(call: Any, *arguments: Any, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


class TestOverall:
    # Printed scores are off by up to 0.0005, so a normalized one by up to 0.001 / (highest - lowest), as score and ends
    # move against each other. Its mean over the data sets: table 3, widths 0.037, 0.050, 0.067, 0.064, 0.192: 0.017;
    # table 4, widths 0.029, 0.007, 0.021, 0.012, 0.030: 0.068. Found are at most 0.004 and 0.024.
    @pytest.mark.parametrize(("table", "within"), [(TABLE_3, 0.005), (TABLE_4, 0.025)])
    def test_the_papers_tables(self, table: str, within: float) -> None:
        printed = read(table)
        # The three others stand in the table without an overall score, and move nobody's: COOP alone is above 0.2.
        found = overall_scores({system: dict(zip(DATA_SETS, row, strict=False)) for system, row in printed.items()})
        assert len(found["undefined"]) == 3
        for system, row in printed.items():
            if row[-1] is None:
                assert math.isnan(found["overall"][system])
            else:
                assert found["overall"][system] == pytest.approx(row[-1], abs=within)
        assert min(found["overall"], key=found["overall"].__getitem__) == "Llama2-70b"
        assert found["undefined"]["COOP"] == "no score on MITweet, Article Bias, SemEval, News Stance"
        assert found["undefined"]["PRIMERA"] == "no score on Amazon"
        assert found["skipped_data_sets"] == []

    def test_by_hand(self) -> None:
        scores = {
            "A": {"x": 0.25, "y": 0.5, "z": 0.5},
            "B": {"x": 0.5, "y": 0.5, "z": 0.25},
            "C": {"x": 0.75, "y": 0.5, "z": 0.5},
            "D": {"x": 0.9, "y": math.nan, "z": 0.9},
        }
        found = overall_scores(scores)
        # x: 0, 1/2, 1;  y: all equal;  z: 1, 0, 1.
        assert found["normalized"] == {"x": {"A": 0.0, "B": 0.5, "C": 1.0}, "z": {"A": 1.0, "B": 0.0, "C": 1.0}}
        assert found["overall"] == pytest.approx({"A": 0.5, "B": 0.25, "C": 1.0, "D": math.nan}, nan_ok=True)
        assert found["skipped_data_sets"] == ["y"]
        assert found["undefined"] == {"D": "no score on y"}

    def test_a_difference_by_rounding_is_none(self) -> None:
        found = overall_scores({"A": {"x": 0.1 + 0.2, "y": 0.0}, "B": {"x": 0.3, "y": 1.0}})
        assert found["skipped_data_sets"] == ["x"]
        assert found["overall"] == {"A": 0.0, "B": 1.0}

    @pytest.mark.parametrize("scores", [{"A": {"x": 0.5}}, {"A": {"x": 0.5}, "B": {"x": 0.5}}])
    def test_nothing_tells_them_apart(self, scores: dict[str, dict[str, float]]) -> None:
        found = overall_scores(scores)
        assert set(found["undefined"].values()) == {"no data set tells the compared systems apart"}
        assert all(map(math.isnan, found["overall"].values()))
        assert (list(found["overall"]), found["skipped_data_sets"]) == (list(scores), ["x"])

    def test_nobody_has_all_data_sets(self) -> None:
        found = overall_scores({"A": {"x": 0.5}, "B": {"y": 0.5}, "C": {}})
        assert found["undefined"] == {"A": "no score on y", "B": "no score on x", "C": "no score on x, y"}
        assert (found["normalized"], found["skipped_data_sets"]) == ({}, ["x", "y"])
        assert overall_scores({"A": {}})["undefined"] == {"A": "no score on any data set"}

    @given(data=st.data(), n=st.integers(2, 4), m=st.integers(1, 3))
    def test_by_brute_force(self, data: st.DataObject, n: int, m: int) -> None:
        row = st.lists(st.integers(0, 8), min_size=m, max_size=m)
        rows = data.draw(st.lists(row, min_size=n, max_size=n))
        found = overall_scores({str(i): {str(j): x / 8 for j, x in enumerate(row)} for i, row in enumerate(rows)})
        columns = [column for column in zip(*rows, strict=True) if len(set(column)) > 1]
        for i in range(n):
            parts = [Fraction(column[i] - min(column), max(column) - min(column)) for column in columns]
            expected = float(sum(parts) / len(parts)) if parts else math.nan
            assert found["overall"][str(i)] == pytest.approx(expected, abs=1e-12, nan_ok=True)

    @pytest.mark.parametrize(
        ("scores", "message"),
        [
            ({}, "overall_scores: scores must be a non-empty mapping from system, found dict {}"),
            ([1], "overall_scores: scores must be a non-empty mapping from system, found list [1]"),
            (
                {"A": 0.5},
                "overall_scores: the scores of 'A' must be a mapping from data set to number, found float 0.5",
            ),
            (
                {"A": {"x": math.inf}},
                "overall_scores: the score of 'A' on 'x' must be a finite number, or None where undefined, "
                "found float inf",
            ),
            (
                {"A": {"x": "0.5"}},
                "overall_scores: the score of 'A' on 'x' must be a finite number, or None where undefined, "
                "found str '0.5'",
            ),
        ],
    )
    def test_refused(self, scores: Any, message: str) -> None:
        assert refusal(overall_scores, scores) == message


class TestRankCorrelation:
    def test_by_hand(self) -> None:
        # Ranks 1, 2 1/2, 2 1/2, 4 and 2, 1, 3, 4; minus 5/2: -3/2, 0, 0, 3/2 and -1/2, -3/2, 1/2, 3/2.
        # Product 3/4 + 9/4 = 3; squares 9/2 and 5.
        found = rank_correlation([0.1, 0.2, 0.2, 0.9], [0.3, 0.1, 0.4, 0.5], n_permutations=20_000)
        assert found["rho"] == pytest.approx(3 / math.sqrt(22.5), abs=1e-15)
        # |product| = 3/2 |difference of the ranks beside the ends| >= 3: a difference of 2 (4 ordered pairs of ranks)
        # or 3 (2 of them), each with 2 orders of the rest: 12 of 24.
        assert found["p_value"] == pytest.approx(1 / 2, abs=0.015)
        assert (found["n_samples"], found["n_skipped"]) == (4, 0)

    @given(data=st.data(), n=st.integers(2, 20))
    def test_agrees_with_scipy(self, data: st.DataObject, n: int) -> None:
        stats = pytest.importorskip("scipy.stats")
        column = st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(lambda numbers: len(set(numbers)) > 1)
        first, second = data.draw(column), data.draw(column)
        found = rank_correlation(first, second, n_permutations=1)["rho"]
        assert found == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-12)

    def test_p_value_converges_to_all_orders(self) -> None:
        first, second = [1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5]
        own = sum(a * b for a, b in zip(first, second, strict=True))
        middle = Fraction(21 * 21, 6)
        products = [sum(a * b for a, b in zip(first, order, strict=True)) for order in permutations(second)]
        exact = sum(abs(product - middle) >= abs(own - middle) for product in products) / 720
        found = rank_correlation(first, second, n_permutations=50_000)["p_value"]
        assert found == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 50_000))

    def test_either_sign_and_never_zero(self) -> None:
        up = list(range(30))
        for other, rho in ((up, 1.0), (up[::-1], -1.0)):
            found = rank_correlation(up, other, n_permutations=99)
            assert (found["rho"], found["p_value"]) == (rho, 1 / 100)

    def test_undefined_pairs_are_left_out(self) -> None:
        found = rank_correlation([0.1, None, 0.3, 0.2, math.nan], [0.2, 0.1, 0.5, None, 0.4])
        assert (found["rho"], found["n_samples"], found["n_skipped"]) == (1.0, 2, 3)

    @pytest.mark.parametrize(
        ("first", "second"), [([0.1, 0.1], [0.1, 0.2]), ([0.1, 0.2], [0.1 + 0.2, 0.3]), ([0.1], [0.2]), ([None], [0.2])]
    )
    def test_undefined(self, first: list[Any], second: list[Any]) -> None:
        found = rank_correlation(first, second)
        assert math.isnan(found["rho"])
        assert math.isnan(found["p_value"])
        assert found["undefined"] == "a correlation needs at least two different numbers on either side"

    def test_seeds(self) -> None:
        generator = np.random.default_rng(0)
        first, second = generator.random((2, 40)).tolist()
        p_values = [rank_correlation(first, second, seed=seed)["p_value"] for seed in (0, 0, 1, None, None)]
        assert p_values[0] == p_values[1] != p_values[2]
        assert p_values[3] != p_values[4]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"second": [0.5]}, "rank_correlation: first has 2 samples but second has 1; give every column one entry"),
            ({"first": [], "second": []}, "rank_correlation: first is an empty list; give at least one sample"),
            (
                {"first": [0.5, "a"]},
                "rank_correlation: first[1] must be a finite number, or None where undefined, found",
            ),
            ({"second": [True, 0.5]}, "rank_correlation: second[0] must be a finite number, or None where undefined"),
            (
                {"n_permutations": 0},
                "rank_correlation: n_permutations must be a whole number of at least 1, found int 0",
            ),
            ({"seed": -1}, "rank_correlation: seed must be a whole number of at least 0, found int -1"),
        ],
    )
    def test_refused(self, change: dict[str, Any], message: str) -> None:
        assert refusal(rank_correlation, **{"first": [0.1, 0.2], "second": [0.1, 0.2], **change}).startswith(message)


class TestEntailers:
    VALUES: list[list[str]] = [["a", "b"]] * 4 + [["a", "a"]]

    def records(self, *gaps: float) -> list[dict[str, Any]]:
        coverage = [[[0.5 + gap / 2], [0.5 - gap / 2]] for gap in (*gaps, 0.0)]
        return score(values=self.VALUES, coverage=coverage, return_samples=True)["equal_coverage"]["samples"]  # type: ignore[no-any-return]

    def test_from_scoring(self) -> None:
        # EC is half the gap: ranks 1, 2, 3, 4 and 2, 1, 3, 4: rho = 1 - 6 * (1 + 1) / (4 * 15).
        found = entailer_correlation(self.records(0.1, 0.2, 0.3, 0.4), self.records(0.6, -0.5, 0.7, -0.8))
        assert found["rho"] == pytest.approx(0.8, abs=1e-15)
        assert (found["n_samples"], found["n_skipped"]) == (4, 1)

    def test_is_the_rank_correlation_of_the_scores(self) -> None:
        one, other = self.records(0.1, 0.5, 0.3, 0.4), self.records(0.5, 0.1, 0.6, 0.2)
        scores = [[record["equal_coverage"] for record in records] for records in (one, other)]
        assert entailer_correlation(one, other, seed=3) == rank_correlation(*scores, seed=3)

    def test_other_samples(self) -> None:
        records = self.records(0.1, 0.2, 0.3, 0.4)
        assert refusal(entailer_correlation, records, records[::-1]) == (
            "entailer_correlation: samples_a[0] is of sample 0 but samples_b[0] of sample 4; "
            "give the records of the same samples in the same order"
        )
        assert refusal(entailer_correlation, records, records[1:]).startswith(
            "entailer_correlation: samples_a has 5 samples but samples_b has 4; "
        )

    def test_records_of_another_measure(self) -> None:
        records = score(values=[["a", "b"]], coverage=[[[1], [0]]], return_samples=True)["coverage_parity"]["samples"]
        assert refusal(entailer_correlation, records, records).startswith(
            "entailer_correlation: samples_a[0] has no 'equal_coverage', found dict {'index': 0, "
        )


class TestRelativeChange:
    def test_by_hand(self) -> None:
        # (1/4 - 1/2) / (1/2) = -1/2;  (1 - 1/4) / (1/4) = 3;  0 before: none;  no score: none.
        found = relative_change([0.5, 0.25, 0.0, None, 0.5], [0.25, 1.0, 0.5, 0.5, math.nan])
        assert found == {
            "relative_change": 1.25,
            "mean_before": 0.375,
            "mean_after": 0.625,
            "n_samples": 2,
            "n_skipped": 2,
            "n_undefined": 1,
        }

    def test_zero_but_for_rounding(self) -> None:
        found = relative_change([1e-17, 0.5], [0.5, 0.5])
        assert (found["relative_change"], found["n_undefined"]) == (0.0, 1)

    def test_nothing_left(self) -> None:
        found = relative_change([0.0, None], [0.5, 0.5])
        assert all(math.isnan(found[key]) for key in ("relative_change", "mean_before", "mean_after"))
        assert found["undefined"] == "no sample with a score above 0 before"
        assert (found["n_samples"], found["n_skipped"], found["n_undefined"]) == (0, 1, 1)

    def test_refused(self) -> None:
        assert refusal(relative_change, [0.5], [0.5, 0.1]).startswith("relative_change: before has 1 sample but after")
        assert refusal(relative_change, [0.5], ["x"]).startswith("relative_change: after[0] must be a finite number")


def records_of(name: str, scores: list[float | None]) -> list[dict[str, Any]]:
    return [{"index": index, name: score} for index, score in enumerate(scores)]


class TestCompareRelativeChange:
    @staticmethod
    def compared(*columns: list[float | None], baseline: str = "uer", **options: Any) -> dict[str, Any]:
        names = ("equal_coverage", "equal_coverage", baseline, baseline)
        runs = [records_of(name, column) for name, column in zip(names, columns, strict=True)]
        return compare_relative_change(*runs, baseline=baseline, **options)

    def test_by_hand(self) -> None:
        found = self.compared(
            [0.5, 0.25, 0.0, 0.5, None],
            [0.25, 0.25, 0.5, 0.5, 0.5],
            [0.5, 0.5, 0.5, 0.0, 0.5],
            [0.5, 0.75, 0.5, 0.5, 0.5],
        )
        # Samples 0 and 1: EC -1/2 and 0; UER 0 and 1/2. Sample 2: EC 0 before; sample 3: UER 0 before; sample 4: no EC.
        assert found["relative_change"] == {"equal_coverage": -0.25, "uer": 0.25}
        assert found["difference"] == 0.5
        # In both 1/2: EC falls as much more everywhere.
        assert found["difference_ci"] == [0.5, 0.5]
        assert found["p_value"] == 1 / 1001
        assert (found["n_samples"], found["n_skipped"], found["n_undefined"]) == (2, 1, {"equal_coverage": 1, "uer": 1})

    def test_equals_a_plain_bootstrap(self) -> None:
        generator = random.Random(2)
        columns: list[list[float | None]] = [[generator.uniform(0.1, 1) for _ in range(20)] for _ in range(4)]
        found = self.compared(*columns, baseline="auc", n_resamples=200, seed=5, confidence_level=0.8)
        a, b, c, d = columns
        differences = [(d[i] - c[i]) / c[i] - (b[i] - a[i]) / a[i] for i in range(20)]  # type: ignore[operator]
        own = sum(differences) / 20
        means = [
            sum(count * one for count, one in zip(counts, differences, strict=True)) / 20
            for counts in replicates(20, 200, 5)
        ]
        assert found["difference"] == pytest.approx(own, abs=1e-12)
        assert found["difference_ci"] == pytest.approx(np.quantile(means, [0.1, 0.9]), abs=1e-12)
        middle = sum(means) / 200
        assert found["p_value"] == (1 + sum(abs(mean - middle) >= abs(own) for mean in means)) / 201

    def test_nothing_left(self) -> None:
        found = self.compared([0.5], [0.5], [0.0], [0.5], baseline="bur")
        assert all(map(math.isnan, [found["difference"], *found["difference_ci"], found["p_value"]]))
        assert all(map(math.isnan, found["relative_change"].values()))
        assert found["undefined"] == "no sample left to compare"

    def test_one_sample(self) -> None:
        found = self.compared([0.5], [0.5], [0.5], [0.25])
        assert found["difference"] == -0.5
        assert found["undefined"] == "difference_ci and p_value: a bootstrap needs at least two samples"
        assert math.isnan(found["p_value"])

    def test_refused(self) -> None:
        run = [[0.5]] * 4
        assert refusal(self.compared, *run, baseline="sof").startswith(
            "compare_relative_change: baseline must be one of uer, auc, bur, found str 'sof'"
        )
        assert refusal(self.compared, *run, confidence_level=1.0).startswith(
            "compare_relative_change: confidence_level must lie between 0 and 1"
        )
        ec = records_of("equal_coverage", [0.5])
        assert refusal(compare_relative_change, ec, ec, ec, ec).startswith(
            "compare_relative_change: baseline_before[0] has no 'uer'"
        )
        assert refusal(compare_relative_change, ec, ec, ec, [{"index": 7, "uer": 0.5}]).startswith(
            "compare_relative_change: before[0] is of sample 0 but baseline_after[0] of sample 7"
        )

    def test_of_both_families(self) -> None:
        from fairsum_utils import representation

        sources, values = [["Tasty soup.", "Awful bread."]] * 2, [["pos", "neg"]] * 2

        def run(*summaries: str) -> list[list[dict[str, Any]]]:
            options = {"metrics": ["equal_coverage"], "entailer": "lexical", "return_samples": True}
            ours = score(list(summaries), sources, values, **options)["equal_coverage"]["samples"]  # type: ignore[arg-type]
            theirs = representation.score(list(summaries), sources, values, metrics=["uer"], return_samples=True)
            return [ours, theirs["uer"]["samples"]]

        (ec_before, uer_before), (ec_after, uer_after) = run("Tasty.", "Bread."), run("Tasty bread.", "Bread.")
        found = compare_relative_change(ec_before, ec_after, uer_before, uer_after)
        # Of sample 0 both fall to 0, in sample 1 nothing changes.
        assert found["relative_change"] == {"equal_coverage": -0.5, "uer": -0.5}


NEG = {"index": 0, "difference_by_value": {"neg": 0.25, "pos": -0.25}}
SAYS_NEG = {"index": 0, "values": ["neg", "pos"], "target_share": [0.9, 0.1], "desired_share": [0.6, 0.4]}
SAYS_POS = {**SAYS_NEG, "target_share": [0.5, 0.5]}
"""Less of neg than desired, although as much as of pos."""


class TestPeople:
    def test_the_papers_numbers(self) -> None:
        # 25 summaries on which the measures disagree: people side with EC in 17 and with the baseline in 8.
        found = aligned_with_people([NEG] * 25, [SAYS_POS] * 25, ["neg"] * 17 + ["pos"] * 8, n_resamples=5_000)
        assert (found["coverage"], found["representation"], found["n_samples"]) == (17 / 25, 8 / 25, 25)
        assert found["difference"] == 9 / 25
        # A replicate has X of 25 for EC, binomial with 17/25, and lies as far from its mean as 9/25 from zero when
        # |2 X - 34| >= 9, X <= 12 or X >= 22. That is above 0.05: the paper's p < 0.05 holds on one side only.
        share = Fraction(17, 25)
        exact = sum(math.comb(25, x) * share**x * (1 - share) ** (25 - x) for x in [*range(13), *range(22, 26)])
        assert 0.05 < exact < 0.1
        assert found["p_value"] == pytest.approx(float(exact), abs=4 * math.sqrt(exact * (1 - exact) / 5_000))

    def test_fair_skipped_and_ties(self) -> None:
        even = {"index": 0, "difference_by_value": {"neg": 0.0, "pos": 0.0}}
        unscored = {"index": 0, "difference_by_value": None}
        unmatched = {"index": 0, "values": ["neg", "pos"], "target_share": [], "desired_share": []}
        samples = [NEG, NEG, even, unscored, NEG]
        baseline = [SAYS_NEG, SAYS_NEG, SAYS_POS, SAYS_NEG, unmatched]
        found = aligned_with_people(samples, baseline, ["neg", None, "pos", "neg", "neg"])
        # Left are the first, where both agree, and the third, where EC names nobody.
        assert (found["coverage"], found["representation"], found["difference"]) == (0.5, 1.0, -0.5)
        assert (found["n_samples"], found["n_fair"], found["n_skipped"]) == (2, 1, 2)

    def test_nothing_left(self) -> None:
        found = aligned_with_people([NEG], [SAYS_NEG], [None])
        assert all(math.isnan(found[key]) for key in ("coverage", "representation", "difference", "p_value"))
        assert found["undefined"] == "no sample left to compare"

    def test_refused(self) -> None:
        assert refusal(aligned_with_people, [NEG], [SAYS_NEG], ["neutral"]) == (
            "aligned_with_people: leanings[0] is str 'neutral', but the values of the sample are neg, pos; "
            "give one of them, or None for a fair summary"
        )
        assert refusal(aligned_with_people, [NEG], [SAYS_NEG], []).startswith(
            "aligned_with_people: samples has 1 sample but leanings has 0"
        )
