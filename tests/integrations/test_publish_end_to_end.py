"""The command, then `evaluate`, `datasets` and `huggingface_hub` by name, in processes with empty caches."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compute

from ..conftest import takes_long

pytestmark = takes_long

ROOT = Path(__file__).parents[2]
COLUMNS = {
    "predictions": ["Tasty soup.", "The wait was long."],
    "sources": [["Tasty soup!", "Cold soup, slow."], ["Long wait.", "Great bread, great price."]],
    "values": [["pos", "neg"], ["neg", "pos"]],
}
METRICS = ("metrics", "bur", "--package", "https://example.org/fairsum.whl")

PUBLISH = """
import sys
from fairsum_utils.cli import main
raise SystemExit(main(["publish", *sys.argv[1:]]))
"""
LOAD_METRIC = """
import json, sys
sys.modules["transformers"] = None  # evaluate would import it, which takes long
import evaluate
del sys.modules["transformers"]
[name] = sys.argv[1:] or ["fairsum/bur"]
module = evaluate.load(name)
print(json.dumps([module.name, module.compute(**json.load(sys.stdin))]))
"""


def environment(hub: Any, home: Path) -> dict[str, str]:
    """The variables of someone who uses the stand-in and has no token."""
    env = {key: entry for key, entry in os.environ.items() if not key.startswith(("HF_", "HUGGING", "PYTHONPATH"))}
    env |= {"HF_ENDPOINT": hub.url, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1", "no_proxy": "127.0.0.1"}
    return env | {"HF_UPDATE_DOWNLOAD_COUNTS": "0"}


@pytest.fixture
def run(hub: Any, light: Any, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a script as a user of the stand-in: in an empty folder, with empty caches."""

    def start(script: str, *words: object, stdin: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        number = len([*tmp_path.glob("home*")])
        home, folder = tmp_path / f"home{number}", tmp_path / f"folder{number}"
        folder.mkdir()
        home.mkdir()
        env = environment(hub, home) | {"HF_TOKEN": "hf_test", "PYTHONPATH": str(ROOT), **variables}
        done: subprocess.CompletedProcess[str] = light.start(["-c", script, *words], folder, text=stdin, env=env).wait()
        return done

    return start


def test_a_published_module_loads_by_name(hub: Any, run: Callable[..., Any]) -> None:
    published = run(PUBLISH, *METRICS, "--format", "json")
    assert published.returncode == 0, published.stderr
    assert json.loads(published.stdout)["repositories"][0]["state"] == "created"
    assert "hf_test" not in published.stdout + published.stderr
    loaded = run(LOAD_METRIC, stdin=json.dumps({**COLUMNS, "tau": 0.9}))
    assert loaded.returncode == 0, loaded.stderr
    assert json.loads(loaded.stdout) == ["bur", json.loads(json.dumps(compute("bur", **COLUMNS, tau=0.9)))]
    assert hub.asked("GET", "/spaces/fairsum/bur/resolve/main/bur.py")
    again = run(PUBLISH, *METRICS)
    assert again.stdout.startswith(f"{hub.url}/spaces/fairsum/bur (space, revision main): unchanged\n")
    assert len(hub.commits("space", "fairsum/bur")) == 1
