"""The example repository: its README is true, and its test and its workflow decide as it says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import CheckFailed, check
from fairsum_utils.cli import main
from tests.conftest import load_script


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


def test_its_test(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUMMARIES", "data/careless.jsonl")
    example = load_script(folder / "test_fairness.py")

    def hold(*what: Any, **more: Any) -> None:
        check(*what, **more).raise_unless_passed()

    with pytest.raises(CheckFailed, match=r"bur - baseline <= 0.05  fail     0.6750"):
        example.test_the_summaries_are_no_worse_than_those_of_main(hold)


def test_its_workflow(folder: Path) -> None:
    yaml = pytest.importorskip("yaml")
    from tests._action import action

    workflow = yaml.safe_load((folder / ".github/workflows/fairness.yml").read_text(encoding="utf-8"))
    steps = workflow["jobs"]["check"]["steps"]
    scoring = [step["run"] for step in steps if step.get("run", "").startswith("fairsum ")]
    [called] = (step["with"] for step in steps if step.get("uses", "").startswith("your_organization/fairsum@"))
    assert set(called) <= set(action()["inputs"])
    for summaries, status in (("careful", 0), ("careless", 1)):
        for command in scoring:
            assert main(command.replace("careful", summaries).split()[1:]) == 0
        rules = ("--baseline", called["baseline"], "--rules", called["rules"])
        assert main(["check", called["results"], *rules]) == status


def test_its_workflow_fits_the_schema(repository: Path) -> None:
    check_jsonschema = pytest.importorskip("check_jsonschema")
    files = map(str, repository.glob("examples/*/.github/workflows/*.yml"))
    assert check_jsonschema.main(["--builtin-schema", "vendor.github-workflows", *files], standalone_mode=False) == 0
