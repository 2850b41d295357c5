"""Results of scoring as data frames and reports."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from fairsum_utils import compute, read_results
from fairsum_utils.results import MeasureResult, ScoreResults
from fairsum_utils.session.session import Request, Session


def test_a_row_a_measure(results: ScoreResults) -> None:
    frame = results.to_pandas()
    assert list(frame.columns) == [
        "measure", "score", "low", "high", "at_random", "n_samples", "n_skipped", "undefined", "signature",
    ]  # fmt: skip
    assert list(frame["measure"]) == ["bur", "uer", "auc", "sof"]
    assert list(frame["score"]) == [results[name][name] for name in results]
    assert [frame["low"][0], frame["high"][0]] == results["bur"]["bur_ci"]
    # Four samples do not tell how far a spread over values varies.
    assert frame["undefined"].isna().tolist() == [True, True, True, False]
    assert frame["undefined"][3] == results["sof"]["undefined"]
    assert frame["undefined"][3].startswith("sof_ci: ")
    assert frame[["low", "high"]].isna().all(axis=1).tolist() == [False, False, False, True]
    assert list(frame["at_random"]) == [results[name][f"{name}_at_random"] for name in results]


def test_without_an_interval_its_ends_are_nan(examples: ModuleType) -> None:
    frame = compute("uer", predictions=examples.A, **examples.SUMMARIES).to_pandas()
    assert frame["low"].isna().all()
    assert frame["high"].isna().all()


def test_a_measure_asked_for_twice_is_reported_twice(examples: ModuleType) -> None:
    session = Session([Request("bur"), Request("bur", "strict", {"tau": 1.0})])
    results = session.score({"predictions": examples.A, **examples.SUMMARIES})
    report = results.report()
    assert "in memory (strict): 4 samples" in report
    assert "tau:1.0" in report
    assert "tau:0.8" in report


def test_one_measure_saves_and_reads_as_a_whole(examples: ModuleType, tmp_path: Path) -> None:
    result = compute("uer", predictions=examples.A, **examples.SUMMARIES)
    result.save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    assert again["uer"] == result
    assert isinstance(again["uer"], MeasureResult)
