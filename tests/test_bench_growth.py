"""The benchmark of growth runs, tells the square from proportion, and knows every measure and format."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.families import all_measures


@pytest.fixture
def benchmark(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("memory is measured on Linux")
    monkeypatch.syspath_prepend(repository / "benchmarks")
    return importlib.import_module("bench_growth")


@pytest.mark.parametrize(("power", "expected"), [(1, 1.0), (2, 2.0), (0.5, 0.5)])
def test_exponents(benchmark: Any, power: float, expected: float) -> None:
    sizes = [64, 256, 1024, 4096]
    assert benchmark.exponent(sizes, [1e-1 * n**power for n in sizes], 1e-2) == pytest.approx(expected)
    assert benchmark.exponent(sizes, [1e-9] * 4, 1e-2) == 0.0


def test_the_square_is_told_from_proportion(benchmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    costs = {"linear": lambda n: (n / 1e3, n * 1e5), "square": lambda n: (n * n / 1e5, n * 1e5)}
    monkeypatch.setattr(benchmark, "measured", lambda make, n: make(n))
    for name, cost in costs.items():
        row = benchmark.bench(benchmark.Case("a", name, cost), seconds=0.1)
        assert row["exponent"] == pytest.approx(1.0 if name == "linear" else 2.0, abs=0.1)
        assert benchmark.is_above(row) is (name == "square")


def test_a_failure_is_told(benchmark: Any) -> None:
    def fails() -> None:
        raise ValueError("no such thing")

    row = benchmark.bench(benchmark.Case("a", "b", lambda n: fails), seconds=0.1)
    assert row["failed"].endswith("ValueError: no such thing")
    assert benchmark.is_above(row)


def test_every_measure_and_format_is_there(benchmark: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    measures = {case.of for case in benchmark.measure_cases((), tmp_path)}
    assert measures == set(all_measures())
    assert {case.of for case in benchmark.file_cases((), tmp_path)} == {*benchmark.TEXT_FORMATS}


def test_a_report(benchmark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "results.json"
    make: Callable[..., Any] = benchmark.main
    make(["--only", "bur", ".csv", "--shapes", "groups of two", "rows", "--seconds", "0", "--output", str(output)])
    cases = json.loads(output.read_text(encoding="utf-8"))["cases"]
    assert {(case["of"], case["shape"]) for case in cases} == {("bur", "groups of two"), (".csv", "rows")}
    assert all("failed" not in case and case["sizes"] for case in cases)
    assert "2 cases" in capsys.readouterr().out
