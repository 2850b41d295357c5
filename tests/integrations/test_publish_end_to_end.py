"""The command, then `evaluate`, `datasets` and `huggingface_hub` by name, in processes with empty caches."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
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
LOAD_ROWS = """
import json
import datasets
print(json.dumps([*datasets.load_dataset("fairsum/perspectivesumm", "yelp", split="test")]))
print(json.dumps(datasets.get_dataset_config_names("fairsum/perspectivesumm")))
"""
DOWNLOAD = """
from huggingface_hub import snapshot_download
snapshot_download("fairsum/bur", repo_type="space", local_dir="bur")
"""
LOAD_CARD = """
import json
from huggingface_hub import ModelCard
print(json.dumps([[one.metric_type, one.metric_value] for one in ModelCard.load("tester/model").data.eval_results]))
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


@pytest.fixture
def stranger(hub: Any, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a command in a fresh environment that has what `evaluate` needs, but nothing of this project."""
    venv, libraries = tmp_path / "venv", tmp_path / "libraries"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    libraries.mkdir()
    for installed in Path(sysconfig.get_path("purelib")).iterdir():
        if not re.match("_*(editable|fairsum)|pip", installed.name):
            (libraries / installed.name).symlink_to(installed)
    [site] = venv.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")
    (folder := tmp_path / "empty").mkdir()
    env = environment(hub, tmp_path / "home-of-stranger") | {"PIP_NO_INDEX": "1"}
    env |= {"PATH": f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": str(venv)}

    def start(*command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=folder, env=env, input=stdin, capture_output=True, text=True, check=False)

    return start


def test_a_stranger_pastes_the_command_of_the_error(
    hub: Any, run: Callable[..., Any], stranger: Callable[..., Any]
) -> None:
    """Neither publisher nor user names an address."""
    published = run(PUBLISH, "metrics", "bur", PIP_NO_BUILD_ISOLATION="0")
    assert published.returncode == 0, published.stderr
    [wheel] = (path for path in hub.files("model", "fairsum/fairsum-utils") if path.endswith(".whl"))
    address = f"{hub.url}/fairsum/fairsum-utils/resolve/main/{wheel}"
    failed = stranger("python", "-c", LOAD_METRIC, stdin=json.dumps(COLUMNS))
    [command] = re.findall("using '(pip install .*?)' for instance", failed.stderr)
    assert command == f"pip install {address}"
    installed = stranger("bash", "-c", command)
    assert installed.returncode == 0, installed.stderr
    expected = ["bur", json.loads(json.dumps(compute("bur", **COLUMNS)))]
    loaded = stranger("python", "-c", LOAD_METRIC, stdin=json.dumps(COLUMNS))
    assert loaded.returncode == 0, loaded.stderr
    assert json.loads(loaded.stdout) == expected
    assert stranger("python", "-c", DOWNLOAD).returncode == 0
    for path in ("bur", "bur/bur.py"):
        assert json.loads(stranger("python", "-c", LOAD_METRIC, path, stdin=json.dumps(COLUMNS)).stdout) == expected
    # What the Space itself installs, with an extra, and what its card says.
    files = hub.files("space", "fairsum/bur")
    assert files["requirements.txt"].decode() == f"fairsum-utils[languages] @ {address}\n"
    assert f'`pip install "fairsum-utils @ {address}"`' in files["README.md"].decode()
    assert run(PUBLISH, "metrics", "bur", PIP_NO_BUILD_ISOLATION="0").stdout.count(": unchanged\n") == 2


def test_a_published_data_set_loads_by_name(hub: Any, run: Callable[..., Any], tmp_path: Path) -> None:
    raw = tmp_path / "raw" / "yelp" / "reviews" / "val"
    raw.mkdir(parents=True)
    header = "group_id\treview_text\trating\tcategory\trouge1\trouge2\trougeL\trating_dev"
    lines = [f"a\t{text}\t{stars}\tbusiness\t0\t0\t0\t0" for text, stars in (("A great place .", 5), ("Terrible .", 1))]
    (raw / "a_1.csv").write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    words = ["datasets", "perspectivesumm", "--config", "yelp", "--data-dir", tmp_path / "raw", *METRICS[-2:]]
    published = run(PUBLISH, *words)
    assert published.returncode == 0, published.stderr
    loaded = run(LOAD_ROWS)
    assert loaded.returncode == 0, loaded.stderr
    rows, configs = map(json.loads, loaded.stdout.splitlines())
    assert [(row["sources"], row["values"]) for row in rows] == [(["A great place .", "Terrible ."], ["pos", "neg"])]
    assert configs == ["yelp"]
    again = run(PUBLISH, *words)
    assert ": unchanged\n" in again.stdout
    assert len(hub.commits("dataset", "fairsum/perspectivesumm")) == 1


def test_published_results_are_in_the_model_card(hub: Any, run: Callable[..., Any], tmp_path: Path) -> None:
    hub.make("model", "tester/model", {"README.md": b"---\nlicense: mit\n---\n# Model\n"})
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"file": "yelp.jsonl", "metrics": {"bur": {"bur": 0.25, "signature": "k:1"}}}))
    published = run(PUBLISH, "results", path, "--model", "tester/model")
    assert published.returncode == 0, published.stderr
    assert json.loads(run(LOAD_CARD).stdout) == [["fairsum/bur", 0.25]]
