"""The example repository: its README is true, and its test and its workflow decide as it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairsum_utils.cli import main


@pytest.fixture
def folder(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "gate"
    shutil.copytree(repository / "examples" / "gate", place)
    monkeypatch.chdir(place)
    return place


def test_the_readme_is_true(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = (folder / "README.md").read_text(encoding="utf-8")
    runs = re.findall(r"```bash\n(fairsum .*?)```\n\n```text\n(.*?)```", readme, re.DOTALL)
    statuses = []
    for commands, printed in runs:
        for command in commands.splitlines():
            capsys.readouterr()
            statuses.append(main(command.split()[1:]))
        assert capsys.readouterr().out == printed
    assert statuses == [0, 0, 0, 0, 1]
    assert (folder / "check.xml").is_file()


def test_its_test(folder: Path, repository: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "fairsum_utils.testing", "test_fairness.py"],
        env={**os.environ, "SUMMARIES": "data/careless.jsonl", "PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "bur - baseline <= 0.05  fail     0.6750" in done.stdout


@pytest.mark.parametrize(("summaries", "outcome"), [("careful", "pass"), ("careless", "fail")])
def test_its_workflow(summaries: str, outcome: str, folder: Path, repository: Path) -> None:
    yaml = pytest.importorskip("yaml")
    from tests._action import run_step

    workflow = yaml.safe_load((folder / ".github/workflows/fairness.yml").read_text(encoding="utf-8"))
    steps = workflow["jobs"]["check"]["steps"]
    for step in steps:
        if step.get("run", "").startswith("fairsum "):
            assert main(step["run"].replace("careful", summaries).split()[1:]) == 0
    [called] = (step for step in steps if step.get("uses", "").startswith("your_organization/fairsum@"))
    done = run_step("Check", called["with"], folder.parent / "runner", folder)
    assert done.outputs["outcome"] == outcome


def test_its_workflow_fits_the_schema(repository: Path) -> None:
    pytest.importorskip("check_jsonschema")
    words = ["--builtin-schema", "vendor.github-workflows", *repository.glob("examples/*/.github/workflows/*.yml")]
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *map(str, words)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout
