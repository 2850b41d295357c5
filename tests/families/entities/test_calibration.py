"""The calibration of intervals within originals runs, and what it compares with is right."""

from __future__ import annotations

import importlib
import json
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture
def script(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "benchmarks")
    return importlib.import_module("calibrate_entities")


def test_what_intervals_are_to_hold(script: ModuleType) -> None:
    # Odds of 3 and 1: log 3, and an odds ratio of 3; of 0.75 + 0.5 words 0.6 are of the first group.
    expected = {"log odds ratio": math.log(3), "share of the favoured": 0.75, "entity inclusion": 2.0}
    assert script.truth(np.array([0.75, 0.5])) == pytest.approx(expected | {"word list difference": 0.1})


def test_inputs_come_with_their_inversions_and_summaries_follow_the_probabilities(script: ModuleType) -> None:
    case = script.Case(originals=3, pairs=2_000, bias=0.5)
    likely = script.probabilities(case)
    rows = script.simulate(case, likely, np.random.default_rng(0))
    assert len(rows) == 3 * 2_000 * 2
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        assert (one.article, one.pair) == (other.article, other.pair)
        groups, inverted = ([group for group, _ in row.entities] for row in (one, other))
        assert sorted(groups) == ["favoured"] * 2 + ["other"] * 2
        assert all(a != b for a, b in zip(groups, inverted, strict=True))
    # Each of twelve persons is of a group in 2,000 inputs.
    for code, group in enumerate(script.GROUPS):
        words = sum(row.summary_words[group] for row in rows)
        included = sum(inside for row in rows for named, inside in row.entities if named == group)
        assert words == included == pytest.approx(2_000 * likely[..., code].sum(), abs=4 * math.sqrt(24_000) / 2)


def test_the_report(script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = script.main(["--data-sets", "2", "--originals", "8", "--output", str(tmp_path / "results.json")])
    assert json.loads((tmp_path / "results.json").read_text()) == report
    assert [row["what"] for row in report["rows"]].count("log odds ratio") == 3
    assert all(0 <= row[f"held_{drawn}"] <= 1 for row in report["rows"] for drawn in ("pairs", "singly"))
    assert all(row["width_pairs"] > 0 for row in report["rows"])
    assert "held pairs" in capsys.readouterr().out
