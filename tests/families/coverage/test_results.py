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

from fairsum_utils.families.coverage import FAMILY, results
from fairsum_utils.families.coverage.results import ENGINE
from fairsum_utils.families.coverage.rows import CoverageRow, CoverageTable
from fairsum_utils.families.coverage.scorer import CoverageScorer
from fairsum_utils.families.coverage.sums import sums_of
from fairsum_utils.measures import measures_of
from tests import _together
from tests._together import together
from tests.families.coverage.conftest import Data, Exact, data_sets

METRICS = measures_of("coverage")
score = partial(_together.score, metrics=METRICS)
PAPER = CoverageScorer(METRICS, together(METRICS))

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


def rows_of(data: Any, protocol: str = "paper") -> list[CoverageRow]:
    scorer = CoverageScorer(METRICS, together(METRICS, entailer="lexical", protocol=protocol))
    return scorer.score(list(scorer.read(data.columns())))


def results_of(rows: list[CoverageRow], protocol: str = "paper", **options: Any) -> dict[str, dict[str, Any]]:
    settings = together(METRICS, protocol=protocol, **options).seeded()
    sums = sums_of(CoverageTable(rows), METRICS, settings)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*coverage_parity leaves out the group")
        return ENGINE.results_of(sums, METRICS, settings, PAPER, ["coverage"])


def random_rows(n: int, seed: int = 0) -> list[CoverageRow]:
    generator = random.Random(seed)
    rows = []
    for index in range(n):
        values = tuple(generator.choices("abcd", k=generator.randint(4, 7)))
        reason = "single_value" if len(set(values)) == 1 else None
        coverage = tuple(generator.random() for _ in values)
        rows.append(CoverageRow(index, skipped=reason) if reason else CoverageRow(index, values, coverage, 1))
    return rows


# Differences c: sample 0, mean 1/2:  pos 3/4 - 1/2 = 1/4, neg 0 - 1/2 = -1/2, neu 0;  EC (1/4 + 1/2 + 0) / 3 = 1/4
#                sample 1, mean 7/16: pos 5/16, neg -5/16;                             EC 5/16
#                sample 2, mean 1/2:  pos 1/2, neg -1/2;                               EC 1/2
#                sample 3, mean 3/4:  neg 5/6 - 3/4 = 1/12, neu 1/2 - 3/4 = -1/4;      EC (1/12 + 3/12) / 2 = 1/6


def test_strict_and_alpha() -> None:
    def r_ec(**options: Any) -> float:
        return score(values=VALUES, coverage=COVERAGE, **options)["equal_coverage"][("r_ec")]  # type: ignore[no-any-return]

    # Strictly above: 2/12, 0, 0, 0, so samples 1 and 3 are "unfair" although every assignment gives the same.
    assert r_ec(significance="strict") == 3 / 4
    # p = 10/12, 1, 2/70, 1.
    assert [r_ec(alpha=alpha) for alpha in (0, 2 / 70, 0.03, 0.84, 1)] == [0, 0, 1 / 4, 1 / 2, 1 / 2]


PROTOCOLS = st.sampled_from(["paper", "released"])


@settings(max_examples=25)
@given(case=data_sets(), protocol=PROTOCOLS)
def test_every_number(case: Data, protocol: str) -> None:
    expected = Exact(case, protocol)
    found = results_of(rows_of(case, protocol), protocol, n_resamples=2)
    agree(found["equal_coverage"], expected.equal_coverage())
    agree(found["coverage_parity"], expected.coverage_parity())
    means = [mean for mean in expected.parity(expected.known)[1].values() if isinstance(mean, Fraction)]
    named = expected.parity(expected.known)[1]
    for side, extreme in (("over", max), ("under", min)):
        most = [name for name, mean in named.items() if means and mean == extreme(means)]
        alone = most[0] if len(most) == 1 < len(means) else None
        assert found["coverage_parity"][f"most_{side}represented"] == alone


@settings(max_examples=15)
@given(case=data_sets(), protocol=PROTOCOLS)
def test_every_record(case: Data, protocol: str) -> None:
    known = iter(Exact(case, protocol).known)
    for record in FAMILY.records(rows_of(case, protocol), METRICS, together(METRICS, protocol=protocol)):
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
                **Exact.tested(own),
            },
        )
        assert record["document_differences"] == pytest.approx([float(c - own.mean) for c in own.coverage])
        assert (record["values"], record["dominant"]) == (own.values, own.dominant)
        assert (set(record["overrepresented"]), set(record["underrepresented"])) == (own.over, own.under)
    assert next(known, None) is None


@pytest.mark.parametrize("protocol", ["paper", "released"])
def test_order_changes_no_bit(protocol: str) -> None:
    rows, generator = random_rows(30), random.Random(1)
    shuffled = []
    for row in generator.sample(rows, len(rows)):
        order = generator.sample(range(len(row.values)), len(row.values))
        values, coverage = (tuple(column[i] for i in order) for column in (row.values, row.coverage))
        shuffled.append(CoverageRow(row.index, values, coverage, row.n_units, skipped=row.skipped))  # type: ignore[arg-type]
    expected, found = (results_of(each, protocol, max_exact=100, n_permutations=50) for each in (rows, shuffled))
    for result in (found, expected):
        del result["coverage_parity"]["p_value_by_value"]  # other samples are drawn
    assert found == expected


@pytest.mark.parametrize("level", [None, 0.9])
def test_no_sample_left(level: float | None) -> None:
    rows = [CoverageRow(0, skipped="no_units"), CoverageRow(1, skipped="single_value")]
    for name, found in results_of(rows, confidence_level=level).items():
        assert math.isnan(found[name])
        assert math.isnan(found["mean_coverage"])
        assert (found["n_samples"], found["n_skipped"]) == (0, 2)
        assert found["skipped"] == {"no_units": 1, "single_value": 1}
        assert found["undefined"] == "no sample was scored"
        assert [found["by_dominant_value"], found["n_by_value"], found[f"{name}_by_value"]] == [{}, {}, {}]
        if level:
            assert all(map(math.isnan, [*found[f"{name}_ci"], found[f"{name}_ci_lost"]]))
    found = results_of(rows)
    assert math.isnan(found["equal_coverage"]["r_ec"])
    assert found["coverage_parity"]["most_overrepresented"] is None


def test_one_sample_has_no_interval_and_no_p_value() -> None:
    rows = [CoverageRow(0, ("a", "b"), (0.5, 0.25), 1)]
    for name, found in results_of(rows, confidence_level=0.9).items():
        assert found[name] == 0.125
        assert all(map(math.isnan, [*found[f"{name}_ci"], found[f"{name}_ci_lost"]]))
        assert found["undefined"] == f"{name}_ci: an interval needs at least two samples"
    found = results_of(rows)
    assert all(map(math.isnan, found["coverage_parity"]["p_value_by_value"].values()))
    assert found["coverage_parity"]["undefined"] == "p_value_by_value: the bootstrap needs at least two samples"
    assert "undefined" not in found["equal_coverage"]


def test_texts_that_are_cut_off_are_counted_in_scored_samples() -> None:
    rows = [CoverageRow(0, ("a", "b"), (0.5, 1.0), 2, n_truncated=3), CoverageRow(1, skipped="x", n_truncated=1)]
    assert results_of(rows)["equal_coverage"]["n_truncated"] == 1


def test_a_value_that_is_never_extreme() -> None:
    values, coverage = [["a", "b", "c"]] * 2, [[[0], [0.5], [1]], [[0.5], [0.25], [0]]]
    expected = "score: coverage_parity leaves out the group 'b', because it is never the most over- or underrepresented"
    with pytest.warns(UserWarning, match=expected):
        found = score(values=values, coverage=coverage)["coverage_parity"]
    # C_a = {-1/2, 1/4}, C_c = {1/2, -1/4}: 1/8 each, b takes no part.
    assert found["coverage_parity"] == 1 / 8
    assert found["n_extreme_by_value"] == {"a": 2, "b": 0, "c": 2}
    assert math.isnan(found["mean_extreme_by_value"]["b"])
    assert math.isnan(found["p_value_by_value"]["b"])
    assert (found["most_overrepresented"], found["most_underrepresented"]) == ("c", "a")
    assert math.isnan(json.loads(json.dumps(found))["coverage_parity_by_value"]["b"])


def test_of_many_values_only_those_that_meet_stand_beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
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
