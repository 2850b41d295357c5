"""MLflow itself, with a store in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.integrations.tracking import track

mlflow = pytest.importorskip("mlflow")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('mlflow') / 'mlflow.db'}"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


def test_a_run(results: dict[str, Any], store: str, tmp_path: Path) -> None:
    where = track(results, "mlflow", name="demo", tracking_uri=store, experiment="reviews")
    identity = where.removeprefix("mlflow: run ").split(" in ")[0]
    run = mlflow.get_run(identity)
    assert (run.info.run_name, run.info.status, mlflow.active_run()) == ("demo", "FINISHED", None)
    assert run.data.metrics["fairness/uer"] == results["uer"]["uer"]
    assert run.data.metrics["fairness/bur_by_value/C_"] == results["bur"]["bur_by_value"]["C#"]
    assert run.data.params["uer_signature"] == results["uer"]["signature"]
    client = mlflow.MlflowClient()
    listed = {artifact.path for artifact in client.list_artifacts(identity, "fairness")}
    assert listed == {f"fairness/{name}.json" for name in ("names", "warnings", "worst_samples")}
    table = json.loads(Path(client.download_artifacts(identity, "fairness/worst_samples.json")).read_text())
    assert table["columns"] == ["measure", "id", "score"]
    assert ["uer", "0", 0.25] in table["data"]


def test_a_run_in_training(results: dict[str, Any], store: str) -> None:
    mlflow.set_tracking_uri(store)
    with mlflow.start_run() as run:
        for step in (1, 2):
            track(results, "mlflow", step=step)  # parameters could not be written twice
        assert mlflow.active_run().info.run_id == run.info.run_id
    history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "fairness/uer")
    assert [(entry.step, entry.value) for entry in history] == [(step, results["uer"]["uer"]) for step in (1, 2)]
