"""Results by hand and by brute force in exact arithmetic; what changes no number; what is undefined; records."""

from __future__ import annotations

import json
import math
import random
import warnings
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairsum_utils
from fairsum_utils.families.coverage import differences, results
from fairsum_utils.families.coverage.results import draw_systems, record_types, sample_records, sums_of
from fairsum_utils.families.coverage.results import results_of as aggregate
from fairsum_utils.families.coverage.rows import CoverageRow, CoverageTable
from fairsum_utils.families.coverage.scorer import CoverageScorer
from fairsum_utils.families.coverage.settings import CoverageSettings
from fairsum_utils.families.table import arrow_type
from fairsum_utils.measures import measures_of
from fairsum_utils.measures.equal_coverage import PermutationTest, permutation_test

F = Fraction
METRICS = measures_of("coverage")
score = partial(fairsum_utils.score, metrics=METRICS)
PAPER = CoverageScorer(METRICS, CoverageSettings())

# p(d_i, S): sample 0: 1, 1/2, 0, 1/2; sample 1: 3/4, 1/8; sample 2: 1 and 0, four times each; sample 3: 1, 1, 1/2, 1/2.
VALUES = [
    ["pos", "pos", "neg", "neu"],
    ["pos", "neg"],
    ["pos", "neg"] * 4,
    ["neg", "neg", "neg", "neu"],
    ["pos", "pos"],
]
COVERAGE = [
    [[1, 1], [1, 0], [0, 0], [0.5, 0.5]],
    [[0.5, 1], [0.25, 0]],
    [[1], [0]] * 4,
    [[1], [1], [0.5], [0.5]],
    [[1], [0]],
]


def flat(item: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The numbers of a nested dict."""
    for key, entry in item.items():
        if isinstance(entry, dict) and key != "settings":
            yield from flat(entry, f"{path}{key}/")
        elif key != "settings":
            yield f"{path}{key}", float(entry)


def agree(found: dict[str, Any], expected: dict[str, Any], abs: float = 1e-12) -> None:
    """Every expected number is the one found."""

    def pick(whole: Any, part: Any) -> Any:
        return {key: pick(whole[key], part[key]) if isinstance(part[key], dict) else whole[key] for key in part}

    for key in expected:
        if isinstance(expected[key], dict):
            assert list(found[key]) == list(expected[key]), key
    assert dict(flat(pick(found, expected))) == pytest.approx(dict(flat(expected)), abs=abs, nan_ok=True)


def calmly(function: Any, *arguments: Any, **options: Any) -> Any:
    """A call whose warning of a value without part in Coverage Parity does not matter here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* is never the most over- or underrepresented one")
        return function(*arguments, **options)


def rows_of(data: Any, protocol: str = "paper") -> list[CoverageRow]:
    scorer = CoverageScorer(METRICS, CoverageSettings(entailer="lexical", protocol=protocol))
    return scorer.score(list(scorer.read(data.columns())))


def results_of(rows: list[CoverageRow], protocol: str = "paper", **options: Any) -> dict[str, dict[str, Any]]:
    settings = CoverageSettings(protocol=protocol, **options).seeded()
    return calmly(aggregate, sums_of(CoverageTable(rows), METRICS, settings), METRICS, settings, PAPER, ["coverage"])  # type: ignore[no-any-return]


def random_rows(n: int, seed: int = 0) -> list[CoverageRow]:
    generator = random.Random(seed)
    rows = []
    for index in range(n):
        values = tuple(generator.choices("abcd", k=generator.randint(4, 7)))
        reason = "single_value" if len(set(values)) == 1 else None
        coverage = tuple(generator.random() for _ in values)
        rows.append(CoverageRow(index, skipped=reason) if reason else CoverageRow(index, values, coverage, 1))
    return rows


class TestByHand:
    # Differences c: sample 0, mean 1/2:  pos 3/4 - 1/2 = 1/4, neg 0 - 1/2 = -1/2, neu 0;  EC (1/4 + 1/2 + 0) / 3 = 1/4
    #                sample 1, mean 7/16: pos 5/16, neg -5/16;                             EC 5/16
    #                sample 2, mean 1/2:  pos 1/2, neg -1/2;                               EC 1/2
    #                sample 3, mean 3/4:  neg 5/6 - 3/4 = 1/12, neu 1/2 - 3/4 = -1/4;      EC (1/12 + 3/12) / 2 = 1/6

    def test_equal_coverage(self) -> None:
        found = score(values=VALUES, coverage=COVERAGE)["equal_coverage"]
        # Sample 0, 12 assignments; which two documents are pos decides, each pair comes twice: 1 & 1/2 or 0 & 1/2 (four
        # pairs) 1/4; 1 & 0 (one) 0; 1/2 & 1/2 (one) 1/3: p = 10/12, mean (8/4 + 2/3) / 12 = 2/9, smallest p = 2/12.
        # Sample 1, 2 assignments, all alike: p = 1, mean 5/16. Sample 3, 4 assignments, all alike: p = 1, mean 1/6.
        # Sample 2, 70 assignments; j ones among the pos: C(4, j)^2 times |j/4 - 1/2|: (1 + 1)/2 + (16 + 16)/4 = 9;
        # p = 2/70 < 1/20.
        agree(
            found,
            {
                # (12 + 15 + 24 + 8) / 48 / 4
                "equal_coverage": F(59, 192),
                # pos (4 + 5 + 8) / 16 / 3;  neg (24 + 15 + 24 + 4) / 48 / 4;  neu (0 + 1/4) / 2
                "equal_coverage_by_value": {"neg": F(67, 192), "neu": F(1, 8), "pos": F(17, 48)},
                # neg (-24 - 15 - 24 + 4) / 48 / 4
                "difference_by_value": {"neg": F(-59, 192), "neu": F(-1, 8), "pos": F(17, 48)},
                "expected_equal_coverage": (F(2, 9) + F(5, 16) + F(9, 70) + F(1, 6)) / 4,
                "r_ec": F(1, 4),
                "n_can_reach_significance": 1,
                # Most documents: sample 0 pos, sample 3 neg; none in samples 1 and 2.
                "by_dominant_value": {
                    "neg": {"n_samples": 1, "equal_coverage": F(1, 6), "r_ec": 0},
                    "neu": {"n_samples": 0, "equal_coverage": math.nan, "r_ec": math.nan},
                    "pos": {"n_samples": 1, "equal_coverage": F(1, 4), "r_ec": 0},
                },
                "n_by_value": {"neg": 4, "neu": 2, "pos": 3},
                "mean_coverage": F(8 + 7 + 8 + 12, 64),
                "n_samples": 4,
                "n_skipped": 1,
                "skipped": {"single_value": 1},
                "n_truncated": 0,
            },
            abs=1e-15,
        )

    def test_coverage_parity(self) -> None:
        found = score(values=VALUES, coverage=COVERAGE)["coverage_parity"]
        # C_pos = {1/4, 5/16, 1/2}: 17/48;  C_neg = {-1/2, -5/16, -1/2, 1/12}: -59/192;  C_neu = {-1/4}, for in sample 0
        # neu lies between. CP = (68 + 59 + 48) / 192 / 3.
        agree(
            found,
            {
                "coverage_parity": F(175, 576),
                "coverage_parity_by_value": {"neg": F(59, 192), "neu": F(1, 4), "pos": F(17, 48)},
                "mean_extreme_by_value": {"neg": F(-59, 192), "neu": F(-1, 4), "pos": F(17, 48)},
                "n_extreme_by_value": {"neg": 4, "neu": 1, "pos": 3},
                "by_dominant_value": {
                    "neg": {
                        "n_samples": 1,
                        "coverage_parity": F(1, 6),
                        "mean_extreme_by_value": {"neg": F(1, 12), "neu": F(-1, 4), "pos": math.nan},
                    },
                    "neu": {
                        "n_samples": 0,
                        "coverage_parity": math.nan,
                        "mean_extreme_by_value": {"neg": math.nan, "neu": math.nan, "pos": math.nan},
                    },
                    "pos": {
                        "n_samples": 1,
                        "coverage_parity": F(3, 8),
                        "mean_extreme_by_value": {"neg": F(-1, 2), "neu": math.nan, "pos": F(1, 4)},
                    },
                },
            },
            abs=1e-15,
        )
        assert (found["most_overrepresented"], found["most_underrepresented"]) == ("pos", "neg")

    def test_released(self) -> None:
        found = score(values=VALUES, coverage=COVERAGE, protocol="released")["coverage_parity"]
        # Of each document: pos 1/2 + 0 + 5/16 + 4/2 = 45/16 of 7;  neu 0 - 1/4 of 2;
        # neg -1/2 - 5/16 - 4/2 + 1/4 + 1/4 - 1/4 = -41/16 of 9.
        means = {"neg": F(-41, 144), "neu": F(-1, 8), "pos": F(45, 112)}
        agree(
            found,
            {
                "coverage_parity": (F(41, 144) + F(1, 8) + F(45, 112)) / 3,
                "mean_extreme_by_value": means,
                "n_extreme_by_value": {"neg": 9, "neu": 2, "pos": 7},
            },
            abs=1e-15,
        )

    def test_strict_and_alpha(self) -> None:
        def r_ec(**options: Any) -> float:
            return score(values=VALUES, coverage=COVERAGE, **options)["equal_coverage"]["r_ec"]  # type: ignore[no-any-return]

        # Strictly above: 2/12, 0, 0, 0, so samples 1 and 3 are "unfair" although every assignment gives the same.
        assert r_ec(significance="strict") == 3 / 4
        # p = 10/12, 1, 2/70, 1.
        assert [r_ec(alpha=alpha) for alpha in (0, 2 / 70, 0.03, 0.84, 1)] == [0, 0, 1 / 4, 1 / 2, 1 / 2]

    def test_random_assignments(self) -> None:
        found = score(values=VALUES, coverage=COVERAGE, max_exact=0, n_permutations=2_000)["equal_coverage"]
        expected = float((F(2, 9) + F(5, 16) + F(9, 70) + F(1, 6)) / 4)
        assert found["expected_equal_coverage"] == pytest.approx(expected, abs=0.01)
        assert found["r_ec"] == 1 / 4


class TestBruteForce:
    @settings(max_examples=100)
    @given(data=st.data(), protocol=st.sampled_from(["paper", "paper", "released"]))
    def test_every_number(self, data_sets: Any, exact: Any, data: st.DataObject, protocol: str) -> None:
        case = data.draw(data_sets)
        expected = exact(case, protocol)
        found = results_of(rows_of(case, protocol), protocol, n_resamples=2)
        agree(found["equal_coverage"], expected.equal_coverage())
        agree(found["coverage_parity"], expected.coverage_parity())
        means = [mean for mean in expected.parity(expected.known)[1].values() if isinstance(mean, Fraction)]
        named = expected.parity(expected.known)[1]
        for side, extreme in (("over", max), ("under", min)):
            most = [name for name, mean in named.items() if means and mean == extreme(means)]
            alone = most[0] if len(most) == 1 < len(means) else None
            assert found["coverage_parity"][f"most_{side}represented"] == alone

    @settings(max_examples=60)
    @given(data=st.data(), protocol=st.sampled_from(["paper", "released"]))
    def test_every_record(self, data_sets: Any, exact: Any, data: st.DataObject, protocol: str) -> None:
        case = data.draw(data_sets)
        known = iter(exact(case, protocol).known)
        for record in sample_records(rows_of(case, protocol), METRICS, CoverageSettings(protocol=protocol)):
            if record["skipped"] is not None:
                continue
            own = next(known)
            agree(
                record,
                {
                    "mean_coverage": own.mean,
                    "coverage_by_value": {name: own.mean + c for name, c in own.differences.items()},
                    "difference_by_value": own.differences,
                    "equal_coverage": own.equal_coverage,
                    **exact.tested(own),
                },
            )
            assert record["document_differences"] == pytest.approx([float(c - own.mean) for c in own.coverage])
            assert (record["values"], record["dominant"]) == (own.values, own.dominant)
            assert (set(record["overrepresented"]), set(record["underrepresented"])) == (own.over, own.under)
        assert next(known, None) is None


class TestInvariance:
    @pytest.mark.parametrize("protocol", ["paper", "released"])
    def test_order_changes_no_bit(self, protocol: str) -> None:
        rows, generator = random_rows(60), random.Random(1)
        expected = results_of(rows, protocol, max_exact=100, n_permutations=50)
        for _ in range(3):
            shuffled = []
            for row in generator.sample(rows, len(rows)):
                order = generator.sample(range(len(row.values)), len(row.values))
                values, coverage = (tuple(column[i] for i in order) for column in (row.values, row.coverage))
                shuffled.append(CoverageRow(row.index, values, coverage, row.n_units, skipped=row.skipped))  # type: ignore[arg-type]
            found = results_of(shuffled, protocol, max_exact=100, n_permutations=50)
            for result in (found["coverage_parity"], expected["coverage_parity"]):
                result.pop("p_value_by_value", None)  # other samples are drawn
            assert found == expected


class TestSums:
    def test_tests_wait_until_they_are_asked_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tested = []

        def test(*arguments: Any, **options: Any) -> PermutationTest:
            tested.append(arguments)
            return permutation_test(*arguments, **options)

        monkeypatch.setattr(differences, "permutation_test", test)
        settings = CoverageSettings(confidence_level=0.9, n_resamples=10)
        sums = sums_of(CoverageTable(random_rows(12)), METRICS, settings)
        draw_systems([sums, sums], METRICS, settings)
        assert tested == []
        calmly(aggregate, sums, METRICS, settings, PAPER, ["coverage"])
        assert len(tested) == sums.n_samples
        sums_of(CoverageTable(random_rows(12)), ["coverage_parity"], settings).bucketed(range(sums.n_samples))
        assert len(tested) == sums.n_samples

    def test_many_values_cost_no_more_than_entries(self) -> None:
        rows = [CoverageRow(i, (f"v{i}", f"v{i + 1}", "all"), (0.0, 0.5, 1.0), 1) for i in range(300)]
        sums = sums_of(CoverageTable(rows), METRICS, CoverageSettings())
        n_numbers = sum(len(column.numbers) for column in sums.columns.values())
        # Of a sample: n and EC; for each of three values its documents; for two of them its sum and count in C_k.
        assert n_numbers == 300 * (2 + 3 + 2 * 2)


class TestUndefined:
    @pytest.mark.parametrize("level", [None, 0.9])
    def test_no_sample_left(self, level: float | None) -> None:
        rows = [CoverageRow(0, skipped="no_units"), CoverageRow(1, skipped="single_value")]
        for name, found in results_of(rows, confidence_level=level).items():
            assert math.isnan(found[name])
            assert math.isnan(found["mean_coverage"])
            assert (found["n_samples"], found["n_skipped"]) == (0, 2)
            assert found["skipped"] == {"no_units": 1, "single_value": 1}
            assert found["undefined"] == "no sample left to score"
            assert [found["by_dominant_value"], found["n_by_value"], found[f"{name}_by_value"]] == [{}, {}, {}]
            if level:
                assert all(map(math.isnan, [*found[f"{name}_ci"], found[f"{name}_ci_lost"]]))
        found = results_of(rows)
        assert math.isnan(found["equal_coverage"]["r_ec"])
        assert found["coverage_parity"]["most_overrepresented"] is None

    def test_one_sample_has_no_interval(self) -> None:
        rows = [CoverageRow(0, ("a", "b"), (0.5, 0.25), 1)]
        for name, found in results_of(rows, confidence_level=0.9).items():
            assert found[name] == 0.125
            assert all(map(math.isnan, [*found[f"{name}_ci"], found[f"{name}_ci_lost"]]))
            assert found["undefined"] == f"{name}_ci: an interval needs at least two samples"

    def test_one_sample_has_no_p_value(self) -> None:
        found = results_of([CoverageRow(0, ("a", "b"), (0.5, 0.25), 1)])
        assert all(map(math.isnan, found["coverage_parity"]["p_value_by_value"].values()))
        assert found["coverage_parity"]["undefined"] == "p_value_by_value: a bootstrap needs at least two samples"
        assert "undefined" not in found["equal_coverage"]

    def test_a_value_that_is_never_extreme(self) -> None:
        values, coverage = [["a", "b", "c"]] * 2, [[[0], [0.5], [1]], [[0.5], [0.25], [0]]]
        expected = "score: value 'b' is never the most over- or underrepresented one, so it has no part in coverage_par"
        with pytest.warns(UserWarning, match=expected):
            found = score(values=values, coverage=coverage)["coverage_parity"]
        # C_a = {-1/2, 1/4}, C_c = {1/2, -1/4}: 1/8 each, b takes no part.
        assert found["coverage_parity"] == 1 / 8
        assert found["n_extreme_by_value"] == {"a": 2, "b": 0, "c": 2}
        assert math.isnan(found["mean_extreme_by_value"]["b"])
        assert math.isnan(found["p_value_by_value"]["b"])
        assert (found["most_overrepresented"], found["most_underrepresented"]) == ("c", "a")
        assert math.isnan(json.loads(json.dumps(found))["coverage_parity_by_value"]["b"])

    def test_of_many_values_only_those_that_meet_stand_beside_each_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rows = random_rows(40)
        whole = results_of(rows)["coverage_parity"]
        monkeypatch.setattr(results, "MOST_PAIRED", 3)  # there are four
        sparse = results_of(rows)["coverage_parity"]
        for value, beside in sparse.pop("by_dominant_value").items():
            means = whole["by_dominant_value"][value]["mean_extreme_by_value"]
            known = {other: mean for other, mean in means.items() if not math.isnan(mean)}
            assert beside == {**whole["by_dominant_value"][value], "mean_extreme_by_value": known}
        del whole["by_dominant_value"]
        assert sparse == whole

    def test_equal_coverage_everywhere(self) -> None:
        rows = [CoverageRow(index, ("a", "b", "b", "c"), (0.1,) * 4, 1) for index in range(3)]
        found = results_of(rows)
        assert [found[name][name] for name in METRICS] == [0.0, 0.0]
        assert found["equal_coverage"]["r_ec"] == 0.0
        assert found["coverage_parity"]["n_extreme_by_value"] == {"a": 3, "b": 3, "c": 3}
        assert found["coverage_parity"]["p_value_by_value"] == {"a": 1.0, "b": 1.0, "c": 1.0}

    def test_ties_despite_rounding(self) -> None:
        # 0.1 + 0.2 = 0.3 + 0.0: nobody is over- or underrepresented, so both are both.
        rows = [CoverageRow(0, ("a", "a", "b", "b"), (0.1, 0.2, 0.3, 0.0), 1)]
        (record,) = sample_records(rows, METRICS, CoverageSettings())
        assert record["overrepresented"] == record["underrepresented"] == ["a", "b"]
        assert record["p_value"] == 1.0


class TestRecords:
    def test_by_hand(self) -> None:
        found = score(values=VALUES, coverage=COVERAGE, return_samples=True)
        first, *_, last = found["equal_coverage"]["samples"]
        evidence = [
            {"document": 0, "chunk": None, "probability": 1.0, "text": None},
            {"document": 0, "chunk": None, "probability": 1.0, "text": None},
        ]
        assert first == {
            "index": 0,
            "skipped": None,
            "values": ["pos", "pos", "neg", "neu"],
            "mean_coverage": 0.5,
            "coverage_by_value": {"neg": 0.0, "neu": 0.5, "pos": 0.75},
            "difference_by_value": {"neg": -0.5, "neu": 0.0, "pos": 0.25},
            "document_differences": [0.5, 0.0, -0.5, 0.0],
            "dominant": "pos",
            "equal_coverage": 0.25,
            "p_value": 10 / 12,
            "expected_equal_coverage": pytest.approx(2 / 9, abs=1e-15),
            "smallest_p_value": 2 / 12,
            "n_units": 2,
            "n_truncated": 0,
            "units": None,
            "evidence": evidence,
            "unit_coverage": [[1.0, 1.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.5]],
        }
        assert list(last) == list(first)
        assert (last["index"], last["skipped"], last["n_units"]) == (4, "single_value", 0)
        assert all(last[key] is None for key in set(last) - {"index", "skipped", "n_units", "n_truncated"})

    def test_of_coverage_parity(self) -> None:
        records = score(values=VALUES, coverage=COVERAGE, return_samples=True)["coverage_parity"]["samples"]
        assert [(record["overrepresented"], record["underrepresented"]) for record in records] == [
            (["pos"], ["neg"]),
            (["pos"], ["neg"]),
            (["pos"], ["neg"]),
            (["neg"], ["neu"]),
            (None, None),
        ]
        assert "p_value" not in records[0]

    def test_mean_to_the_result(self) -> None:
        rows = random_rows(40)
        options = {"max_exact": 0, "n_permutations": 40}
        records = sample_records(rows, METRICS, CoverageSettings(**options))  # type: ignore[arg-type]
        scored = [record for record in records if record["skipped"] is None]
        found = results_of(rows, **options)["equal_coverage"]
        assert math.fsum(r["equal_coverage"] for r in scored) / len(scored) == found["equal_coverage"]
        assert sum(r["p_value"] < 0.05 for r in scored) / len(scored) == found["r_ec"]

    def test_plain_labels(self) -> None:
        (record,) = sample_records([CoverageRow(0, ("a", "a", "b"), (0.5, 0.5, 0.0), 1)], METRICS, CoverageSettings())
        assert type(record["dominant"]) is str

    @pytest.mark.parametrize("names", [METRICS, METRICS[:1], METRICS[1:]])
    def test_have_the_types_that_are_told(self, names: tuple[str, ...]) -> None:
        import pyarrow

        columns = (["Tasty soup.", ""], [["Cold bread.", "Tasty soup!"]] * 2, [["neg", "pos"]] * 2)
        scorer = CoverageScorer(names, CoverageSettings(entailer="lexical"))
        scorer.evidence = True
        rows = scorer.score(list(scorer.read(dict(zip(("predictions", "sources", "values"), columns, strict=True)))))
        records = sample_records(rows, names, CoverageSettings())
        types = record_types(names, CoverageSettings())
        assert [list(record) for record in records] == [list(types)] * 2
        schema = pyarrow.schema([(name, arrow_type(kind)) for name, kind in types.items()])
        [scored, skipped] = pyarrow.Table.from_pylist(records, schema=schema).to_pylist()
        assert {**scored, **{key: dict(scored[key]) for key in ("coverage_by_value", "difference_by_value")}} == (
            records[0]
        )
        assert skipped == records[1]


class TestSeeds:
    def test_a_seed_drawn_afresh_is_told_and_repeats_the_result(self) -> None:
        options = {"confidence_level": 0.9, "n_resamples": 50, "max_exact": 0, "n_permutations": 20}
        found = results_of(random_rows(20), seed=None, **options)
        seeds = {result["settings"]["seed"] for result in found.values()}
        assert len(seeds) == 1
        again = results_of(random_rows(20), seed=seeds.pop(), **options)
        assert repr(again) == repr(found)  # NaN is not equal to itself
