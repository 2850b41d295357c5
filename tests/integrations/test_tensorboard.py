"""TensorBoard itself: what its reader finds in the folder of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.integrations.tracking import track

pytest.importorskip("tensorboardX")
accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")


def events(folder: Path) -> Any:
    found = accumulator.EventAccumulator(str(folder))
    found.Reload()
    return found


def test_a_run(results: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert track(results, "tensorboard", name="a/b c") == "tensorboard: runs/a_b_c (tensorboard --logdir shows it)"
    found = events(tmp_path / "runs" / "a_b_c")
    [uer] = found.Scalars("fairness/uer")
    assert uer.value == pytest.approx(results["uer"]["uer"], abs=1e-7)  # a 32-bit float
    [by_value] = found.Scalars("fairness/bur_by_value/C_")
    assert by_value.value == results["bur"]["bur_by_value"]["C#"]
    texts = {tag: found.Tensors(tag)[0].tensor_proto.string_val[0].decode() for tag in found.Tags()["tensors"]}
    assert set(texts) == {f"fairness/{name}/text_summary" for name in ("config", "warnings", "worst_samples")}
    assert "| uer " in texts["fairness/worst_samples/text_summary"]
    assert "tau" in texts["fairness/config/text_summary"]


def test_a_second_run_has_a_folder_of_its_own(
    results: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [track(results, "tensorboard", name="demo").split()[1] for _ in range(2)] == ["runs/demo", "runs/demo-2"]


def test_steps_of_a_training_run_share_a_folder(results: dict[str, Any], tmp_path: Path) -> None:
    for step in (1, 2):
        track(results, "tensorboard", step=step, logdir=tmp_path)
    assert [entry.step for entry in events(tmp_path).Scalars("fairness/uer")] == [1, 2]
