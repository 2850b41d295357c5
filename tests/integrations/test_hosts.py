"""Measures inside other evaluation tools, each with its real package where it is installed (`nox -s stacks`)."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import score
from fairsum_utils.cli import main
from fairsum_utils.errors import InputError
from fairsum_utils.integrations import promptfoo
from fairsum_utils.integrations.judging import Judge, check_invertible, records_in, results_in

SOURCES = [["Tasty soup.", "Cold bread."], ["Quick service.", "Dirty table."], ["Good.", "Bad."]]
VALUES = [["pos", "neg"]] * 3
SUMMARIES = ["Tasty soup.", "Quick service, dirty table.", " "]
EXPECTED = dict(score(SUMMARIES, SOURCES, VALUES, metrics=["bur"])["bur"])
"""1.0 and 0.0; the last summary is skipped."""


def same(found: Any) -> bool:
    return repr(dict(found)) == repr(EXPECTED)


@pytest.mark.parametrize("measure", ["sof", "counterfactual_outcomes", "sentiment"])
def test_measures_that_cannot_be_inverted(measure: str) -> None:
    with pytest.raises(InputError, match=f"{measure}: promptfoo needs a score in .0, 1. for each sample"):
        check_invertible(Judge(measure), "promptfoo")


def test_records_by_measure_and_settings() -> None:
    sample = {"predictions": "Tasty soup.", "sources": SOURCES[0], "values": VALUES[0]}
    records = [Judge("bur", **settings).verdict(**sample).record for settings in ({}, {"tau": 0.0}, {})]
    document = {"a": [records[0], json.dumps(records[1])], "b": {"c": records[2], "d": '{"fairsum" no JSON'}}
    assert len(list(records_in(document))) == 3
    results = results_in(document, "file")
    assert {label: (result["bur"], result["n_samples"]) for label, result in results.items()} == {
        "bur": (1.0, 2),
        "bur_2": (0.0, 1),
    }
    with pytest.raises(InputError, match="neither results of fairsum score nor records"):
        results_in({}, "file")


def test_promptfoo_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The assertion inverts the score; the gate reads promptfoo's JSON."""
    graded = [
        promptfoo.get_assert(summary, {"vars": {"sources": json.dumps(sources), "values": values}, "config": {}})
        for summary, sources, values in zip(SUMMARIES, SOURCES, VALUES, strict=True)
    ]
    assert [(one["score"], one["pass"]) for one in graded] == [(0.0, False), (1.0, True), (1.0, True)]
    assert graded[0]["namedScores"] == {"bur_lower_is_fairer": 1.0}
    assert "no score" in graded[2]["reason"]
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": {"results": [{"gradingResult": one} for one in graded]}}), encoding="utf-8")
    assert same(results_in(json.loads(path.read_text(encoding="utf-8")), "file")["bur"])
    assert main(["check", str(path), "--rules", "bur.n_samples == 2"]) == 0
    assert main(["check", str(path), "--rules", "bur.n_samples == 3"]) == 1
    capsys.readouterr()
    path.write_text("{}", encoding="utf-8")
    assert main(["check", str(path), "--rules", "bur < 1"]) == 2
    assert "has no metrics" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_the_module_prints_its_path(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_module(promptfoo.__name__, run_name="__main__")
    assert capsys.readouterr().out.strip() == promptfoo.__file__


CONFIG = """\
providers: [echo]
prompts: ["{{summary}}"]
tests:
"""
TEST = """\
  - vars: {{summary: {summary}, sources: {sources}, values: {values}}}
    assert: [{{type: python, value: "file://{path}", config: {{measure: bur}}}}]
"""


def test_the_real_promptfoo(tmp_path: Path) -> None:
    """Needs promptfoo (npm) on the path."""
    command = shutil.which("promptfoo") or pytest.skip("promptfoo is not installed")
    config = CONFIG
    for summary, *lists in zip(SUMMARIES[:2], SOURCES, VALUES, strict=False):
        sources, values = (json.dumps(json.dumps(entry)) for entry in lists)
        config += TEST.format(summary=json.dumps(summary), sources=sources, values=values, path=promptfoo.__file__)
    (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
    off = dict.fromkeys(("PROMPTFOO_DISABLE_TELEMETRY", "PROMPTFOO_DISABLE_UPDATE"), "1")
    own = {"PROMPTFOO_PYTHON": sys.executable, "PROMPTFOO_CONFIG_DIR": str(tmp_path), **off}
    words = [command, "eval", "-c", "config.yaml", "--output", "out.json", "--no-cache"]
    subprocess.run(words, cwd=tmp_path, env={**os.environ, **own}, check=False, capture_output=True)
    found = results_in(json.loads((tmp_path / "out.json").read_text(encoding="utf-8")), "file")["bur"]
    assert (found["bur"], found["n_samples"]) == (0.5, 2)


def test_deepeval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    monkeypatch.setenv("DEEPEVAL_RESULTS_FOLDER", str(tmp_path / "runs"))
    monkeypatch.chdir(tmp_path)
    deepeval = pytest.importorskip("deepeval")
    from deepeval.test_case import LLMTestCase

    from fairsum_utils.integrations.deepeval import FairnessMetric

    cases = [
        LLMTestCase(input="Summarize.", actual_output=summary, context=sources, metadata={"values": values})
        for summary, sources, values in zip(SUMMARIES[:2], SOURCES, VALUES, strict=False)
    ]
    evaluated = deepeval.evaluate(cases, [FairnessMetric("bur")])
    found = [result.metrics_data[0] for result in evaluated.test_results]
    assert sorted((data.score, data.success) for data in found) == [(0.0, False), (1.0, True)]
    assert {data.name for data in found} == {"1 - BUR"}
    saved = [path for path in tmp_path.rglob("*") if path.is_file() and "verboseLogs" in path.read_text("utf-8")]
    results = results_in(json.loads(saved[0].read_text(encoding="utf-8")), "file")
    assert (results["bur"]["bur"], results["bur"]["n_samples"]) == (0.5, 2)
    metric = FairnessMetric("bur", 0.5, {"tau": 0.0})
    assert metric.measure(cases[0]) == 1.0
    assert metric.is_successful()


def test_a_score_at_the_threshold_of_deepeval_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    pytest.importorskip("deepeval")
    from deepeval.test_case import LLMTestCase

    from fairsum_utils.integrations.deepeval import FairnessMetric

    # Half of the words are pos. Of the summary, 3/10 are: pos lacks 1/5, and the mean over both groups is 1/10.
    case = LLMTestCase(
        input="Summarize.",
        actual_output=" ".join(["soup"] * 3 + ["bread"] * 7),
        context=["soup " * 5, "bread " * 5],
        metadata={"values": ["pos", "neg"]},
    )
    for threshold, passes in ((0.9, True), (0.91, False)):  # 1 - 0.9 is less than 0.1 in floating point
        metric = FairnessMetric("uer", threshold)
        assert (metric.measure(case), metric.is_successful()) == (0.9, passes)


@pytest.mark.filterwarnings("ignore:.*Any type hint is inferred:UserWarning")  # at import of mlflow's own types
def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("mlflow.genai.scorers")
    monkeypatch.chdir(tmp_path)
    from fairsum_utils.integrations.mlflow import fairness_scorer, results_of

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    data = [
        {"inputs": {"sources": sources}, "outputs": summary, "expectations": {"values": values}}
        for summary, sources, values in zip(SUMMARIES, SOURCES, VALUES, strict=True)
    ]
    evaluated = mlflow.genai.evaluate(data=data, scorers=[fairness_scorer("bur")])
    assert evaluated.metrics["bur_lower_is_fairer/mean"] == 0.5
    result = results_of(evaluated)["bur"]
    assert (result["bur"], result["n_samples"], result["n_skipped"]) == (0.5, 2, 1)


def test_weave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEAVE_DISABLED", "true")
    pytest.importorskip("weave")
    import asyncio

    import weave

    from fairsum_utils.integrations.weave import FairnessScorer

    rows = [
        {"summary": summary, "sources": sources, "values": values}
        for summary, sources, values in zip(SUMMARIES, SOURCES, VALUES, strict=True)
    ]

    @weave.op
    def model(summary: str) -> str:
        return summary

    evaluation = weave.Evaluation(dataset=rows, scorers=[FairnessScorer(measure="bur")])
    summary = asyncio.run(evaluation.evaluate(model))["FairnessScorer"]
    assert summary["bur"] == 0.5
    assert summary["bur_ci"] == EXPECTED["bur_ci"]
    assert (summary["n_samples"], summary["n_skipped"]) == (2, 1)


def test_phoenix() -> None:
    pytest.importorskip("phoenix.evals")
    import pandas
    from phoenix.evals import evaluate_dataframe

    from fairsum_utils.integrations.phoenix import fairness_evaluator, results_of

    frame = pandas.DataFrame({"output": SUMMARIES, "sources": SOURCES, "values": VALUES})
    scored = evaluate_dataframe(frame, [fairness_evaluator("bur")])
    cells = [json.loads(cell) if isinstance(cell, str) else cell for cell in scored["bur_score"]]
    assert [(cell.get("score"), cell.get("label")) for cell in cells] == [(1.0, "fail"), (0.0, "pass"), (None, None)]
    assert {cell["direction"] for cell in cells} == {"minimize"}
    assert same(results_of(scored, "bur")["bur"])


def test_evidently() -> None:
    pytest.importorskip("evidently")
    import pandas
    from evidently import DataDefinition, Dataset

    from fairsum_utils.integrations.evidently import fairness_descriptor

    frame = pandas.DataFrame({"prediction": SUMMARIES, "sources": SOURCES, "values": list(map(json.dumps, VALUES))})
    descriptor = fairness_descriptor("bur")
    described = Dataset.from_pandas(frame, DataDefinition(), descriptors=[descriptor]).as_dataframe()
    assert described["bur"].tolist()[:2] == [1.0, 0.0]
    assert described["bur"].isna().tolist() == [False, False, True]
    assert described["bur reason"][0].startswith("BUR 1.0000, fails")
    assert same(descriptor.result)
    with pytest.raises(InputError, match="bur: the frame has no column 'prediction'; name it in columns"):
        Dataset.from_pandas(frame.drop(columns="prediction"), DataDefinition(), descriptors=[fairness_descriptor()])
