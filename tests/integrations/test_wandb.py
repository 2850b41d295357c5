"""Weights & Biases itself, offline: what the files of a run hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.integrations.tracking import track
from tests.integrations.conftest import TEXTS

wandb = pytest.importorskip("wandb")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("WANDB_MODE", "WANDB_API_KEY", "WANDB_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WANDB_SILENT", "true")


def test_an_offline_run(results: dict[str, Any], tmp_path: Path) -> None:
    where = track(results, "wandb", name="demo", texts=TEXTS)
    assert wandb.run is None
    folder = tmp_path / where.removeprefix("wandb: ").split(" (")[0]
    assert where.endswith(" would send it)")
    [table] = folder.glob("files/media/table/fairness/worst_samples_*.table.json")
    shown = json.loads(table.read_text(encoding="utf-8"))
    assert shown["columns"] == ["measure", "id", "score", "text"]
    assert ["uer", "0", 0.25, "Tasty."] in shown["data"]


def test_a_run_in_training(results: dict[str, Any]) -> None:
    with wandb.init(mode="offline", project="training") as run:
        run.log({"loss": 1.0})
        track(results, "wandb")
        assert run.summary["fairness/uer"] == results["uer"]["uer"]
        assert run.summary["fairness/bur_by_value/C#"] == results["bur"]["bur_by_value"]["C#"]
        assert run.config["uer_signature"] == results["uer"]["signature"]
        run.log({"loss": 0.5})  # goes on
