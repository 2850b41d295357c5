"""Trackio itself, with its database in a folder, which it asks for when it is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

if find_spec("trackio") is None:
    pytest.skip("trackio is not installed", allow_module_level=True)

CODE = """
import json
from fairsum_utils import score
from fairsum_utils.integrations.tracking import track

results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["uer"], return_samples=True)
where = track(results, "trackio", name="demo", project="reviews")
import trackio
from trackio.sqlite_storage import SQLiteStorage

print(json.dumps([where, SQLiteStorage.get_logs("reviews", "demo"), [r.config for r in trackio.Api().runs("reviews")]]))
trackio.init(project="training", name="t", auto_log_gpu=False, auto_log_cpu=False)
trackio.log({"loss": 1.0})
track(results, "trackio", step=5)
trackio.log({"loss": 0.5})
trackio.finish()
print(json.dumps(SQLiteStorage.get_logs("training", "t")))
"""


def test_runs(tmp_path: Path) -> None:
    hidden = ("TRACKIO_SPACE_ID", "TRACKIO_SERVER_URL", "TRACKIO_PROJECT")
    env = {name: text for name, text in os.environ.items() if name not in hidden} | {"TRACKIO_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", CODE], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    where, [entry], [config] = json.loads(lines[0])
    assert where == "trackio: run demo of project reviews (trackio show --project reviews)"
    assert entry["fairness/uer"] == 0.25
    assert entry["fairness/worst_samples"]["_value"] == [{"measure": "uer", "id": "0", "score": 0.25}]
    assert config["uer_signature"].startswith("matcher:ngram|")
    steps = [(one["step"], one.get("loss"), one.get("fairness/uer")) for one in json.loads(lines[-1])]
    assert steps == [(0, 1.0, None), (5, None, 0.25), (6, 0.5, None)]
