"""CP, Coverage Parity."""

from __future__ import annotations

import importlib.util
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.coverage_parity import coverage_parity, extreme_differences, mean_extremes

# (0.2 + 0.1 - 0.15) / 3 = 0.05 for one value and -0.05 for the other.
EXPLAINED = 0.05

# Differences of up to four values, in sixtieths; None where a value is absent.
SAMPLES = st.lists(st.lists(st.none() | st.integers(-6, 6), min_size=4, max_size=4), min_size=1, max_size=6)


def as_array(samples: list[list[int | None]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[np.nan if c is None else c / 60 for c in sample] for sample in samples])


def test_worked_example() -> None:
    differences = np.array(
        [
            [0.25, 0.0, -0.25],  # largest: the first; smallest: the third
            [0.125, np.nan, -0.125],  # both that are there
            [-0.25, 0.5, -0.25],  # largest: the second; smallest: the first and the third
        ]
    )
    extreme = extreme_differences(differences)
    assert extreme.tolist() == [[True, False, True], [True, False, True], [True, True, True]]
    # C_0 = {1/4, 1/8, -1/4}, C_1 = {1/2}, C_2 = {-1/4, -1/8, -1/4}; means 1/24, 1/2, -5/24.
    sums, counts = np.where(extreme, differences, 0).sum(axis=0), extreme.sum(axis=0)
    assert mean_extremes(sums, counts).tolist() == pytest.approx([1 / 24, 1 / 2, -5 / 24], abs=1e-15)
    # (1/24 + 12/24 + 5/24) / 3 = 18/72 = 1/4.
    assert float(coverage_parity(sums, counts)) == pytest.approx(1 / 4, abs=1e-15)


def test_ties_are_counted_despite_rounding() -> None:
    # 0.1 + 0.2 and 0.3 are the same largest difference, 1e-9 less is not.
    differences = np.array([[0.1 + 0.2, 0.3, -0.6], [0.3, 0.3 - 1e-9, -0.6]])
    assert differences[0, 0] != differences[0, 1]
    assert extreme_differences(differences).tolist() == [[True, True, True], [True, False, True]]


def test_one_value_is_no_comparison() -> None:
    differences = np.array([[0.0, np.nan], [np.nan, np.nan]])
    assert extreme_differences(differences).tolist() == [[False, False], [False, False]]


def test_empty_sets_are_left_out() -> None:
    # (1/4 + 1/8) / 2 = 3/16; nothing at all is undefined.
    sums, counts = np.array([[0.5, 0.0, -0.125], [0.0, 0.0, 0.0]]), np.array([[2, 0, 1], [0, 0, 0]])
    assert mean_extremes(sums, counts)[0] == pytest.approx([1 / 4, np.nan, -1 / 8], abs=0, nan_ok=True)
    assert coverage_parity(sums, counts) == pytest.approx([3 / 16, np.nan], abs=0, nan_ok=True)


@given(samples=SAMPLES)
def test_definition(samples: list[list[int | None]]) -> None:
    expected = []
    for sample in samples:
        there = [c for c in sample if c is not None]
        expected.append([len(there) > 1 and c is not None and c in (max(there), min(there)) for c in sample])
    assert extreme_differences(as_array(samples)).tolist() == expected


@given(means=st.lists(st.none() | st.integers(-60, 60), min_size=1, max_size=6))
def test_definition_of_the_mean(means: list[int | None]) -> None:
    found = float(coverage_parity(as_array([means])[0], 1))
    there = [abs(Fraction(mean, 60)) for mean in means if mean is not None]
    if there:
        assert found == pytest.approx(float(sum(there) / len(there)), abs=1e-15)
    else:
        assert math.isnan(found)


@given(samples=SAMPLES, data=st.data())
def test_order_and_names_change_nothing(samples: list[list[int | None]], data: st.DataObject) -> None:
    differences = as_array(samples)
    rows = data.draw(st.permutations(range(len(samples))))
    names = data.draw(st.permutations(range(4)))
    extreme = extreme_differences(differences)
    assert (extreme_differences(differences[rows][:, names]) == extreme[rows][:, names]).all()
    moved = coverage_parity(differences[:, names], 1)
    assert moved.tolist() == pytest.approx(coverage_parity(differences, 1).tolist(), rel=0, abs=0, nan_ok=True)


def test_the_benchmark_runs_and_both_sides_agree(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("resource", reason="a Unix module")
    monkeypatch.syspath_prepend(repository / "benchmarks")
    path = repository / "benchmarks" / "bench_coverage.py"
    spec = importlib.util.spec_from_file_location("bench_coverage", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.EXACT = [(2, 2), (1, 2, 2)]
    output = tmp_path / "report.json"
    sizes = ["--permutations", "50", "--growth", "24", "--samples", "9", "--resamples", "20"]
    module.main([*sizes, "--output", str(output)])
    report = json.loads(output.read_text(encoding="utf-8"))
    assert [row["counts"] for row in report["permutations"]] == [[2, 2], [1, 2, 2], [15, 15], [5, 7, 8], [12, 12]]
    assert all(row["identical"] for row in report["permutations"])
    assert report["bootstrap"][0]["largest_difference"] < 1e-15
    assert "identical" in capsys.readouterr().out
