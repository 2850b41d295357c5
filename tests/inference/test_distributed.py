"""Two processes give the results of one, compute half each, and share a cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.tasks import SequenceClassifier

from ..conftest import takes_long

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("accelerate")

SCRIPT = """
import os, sys
from pathlib import Path
import numpy as np
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.tasks import SequenceClassifier

model, folder = sys.argv[1], Path(sys.argv[2])
me = int(os.environ["RANK"])
pairs = [(f"Great soup number {number % 30}", "z" * (number % 7)) for number in range(60)]


def classifier(cache):
    settings = InferenceSettings(cache=cache, batch_tokens=160, distributed=True, module="equal_coverage")
    return SequenceClassifier(model, settings=settings)


found, counts = {}, []
for name, cache in {"cold": folder / "shared", "warm": folder / "shared", "own": folder / f"own-{me}"}.items():
    runner = classifier(cache)
    found[name] = runner.run(pairs[: 20 if name == "own" else None]).values
    counts.append(runner.counts.computed)
again = runner.run(pairs)  # half of the first twenty are in the other process's cache alone
counts.append(runner.counts.computed)
np.savez(folder / f"found-{me}.npz", **found, again=again.values, counts=counts)

runner, n_batches = classifier("none"), 0
if me == 1:
    def forward(inputs):
        raise RuntimeError("no answer")
    runner.forward = forward
try:
    runner.run(pairs)
except Exception as error:
    (folder / f"error-{me}").write_text(f"{type(error).__name__}: {error}")
"""


@takes_long
def test_two_processes(tiny_model: Any, tmp_path: Path, forked: Any) -> None:
    model = tiny_model("classifier")
    (tmp_path / "script.py").write_text(SCRIPT)
    done = forked.in_two_processes([tmp_path / "script.py", model, tmp_path], tmp_path)
    assert [process.returncode for process in done] == [0, 0], done

    alone = SequenceClassifier(model, settings=InferenceSettings(device="cpu", cache="none"))
    pairs = [(f"Great soup number {number % 30}", "z" * (number % 7)) for number in range(60)]
    expected = alone.run(pairs).values
    n_distinct, n_first = len(set(pairs)), len(set(pairs[:20]))
    shares = []
    for process in range(2):
        with np.load(tmp_path / f"found-{process}.npz") as found:
            for name in ("cold", "warm", "again"):
                np.testing.assert_allclose(found[name], expected, rtol=0, atol=1e-5)
            np.testing.assert_array_equal(found["warm"], found["cold"])
            np.testing.assert_array_equal(found["again"][:20], found["own"])
            shares.append(found["counts"].tolist())
    cold, warm, own, in_all = zip(*shares, strict=True)
    assert sum(cold) == n_distinct
    assert abs(cold[0] - cold[1]) <= 1
    assert warm == (0, 0)
    assert sum(own) == n_first
    assert sum(in_all) == n_distinct  # what only the other process had kept was not computed again

    # One process fails: it says why, and the other does not wait for it for ever.
    assert (tmp_path / "error-1").read_text() == "RuntimeError: no answer"
    assert (tmp_path / "error-0").read_text() == (
        "FairSumError: equal_coverage: process 1 of 2 failed: RuntimeError: no answer"
    )
