"""The GitHub Action: what it says of itself, and its steps, run."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("yaml")
if shutil.which("bash") is None:
    pytest.skip("there is no bash", allow_module_level=True)

from tests._action import Done, action, run_step, step
from tests._gate import entries, scored, uer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "a folder"
    place.mkdir()
    uer(0.04, (0.03, 0.06)).save(place / "results.json")
    uer(0.03, (0.02, 0.04)).save(place / "main.json")
    return place


def check(folder: Path, **inputs: str) -> Done:
    return run_step("Check", {"results": "results.json", **inputs}, folder.parent / "runner", folder)


def test_no_input_is_part_of_a_script() -> None:
    for each in action()["runs"]["steps"]:
        assert "${{" not in each.get("run", "")
        if "uses" in each:
            assert re.fullmatch(r"actions/[\w-]+@v\d+", each["uses"])
        else:
            assert each["shell"] == "bash"
    assert set(action()["inputs"]) == {"results", "rules", "baseline", "python"}
    assert all(info.get("required") or "default" in info for info in action()["inputs"].values())


@pytest.mark.parametrize(
    ("rules", "status", "outcome"),
    [
        ("uer < 0.05\n\n  uer - baseline < 0.02  \n", 0, "pass"),
        ("uer.ci_high < 0.05", 3, "undecided"),
    ],
)
def test_verdicts(rules: str, status: int, outcome: str, folder: Path) -> None:
    done = check(folder, rules=rules, baseline="main.json")
    assert (done.status, done.outputs["outcome"]) == (status, outcome)
    against = ", against main.json" if "baseline" in rules else ""
    assert done.summary.startswith(f"## fairsum check\n\n{outcome}: results.json{against}: ")
    assert done.summary.count("| uer") == len(rules.split("\n\n"))
    first, *table, last = done.log.splitlines()
    assert "\n".join(table) in done.summary
    token = first.removeprefix("::stop-commands::")
    assert len(token) == 32
    assert last == f"::{token}::"
    junit = Path(done.outputs["junit"])
    assert junit == done.files / "runner_temp" / "fairsum-check.xml"
    assert ElementTree.parse(junit).getroot().get("failures") == str(int(outcome == "fail"))


def test_rules_of_the_file_of_settings_and_several_results(folder: Path) -> None:
    (folder / "fairsum.toml").write_text('[check]\nrules = ["uer < 0.3", "bur == 0.3"]\n', encoding="utf-8")
    scored(bur=entries("bur", 0.3)).save(folder / "bur.json")
    assert check(folder, results="results.json\nbur.json", rules="fairsum.toml\nuer > 1").outputs["outcome"] == "fail"


def test_bad_input(folder: Path) -> None:
    done = check(folder, rules="uer < 1", results="no.json")
    assert (done.status, done.outputs) == (2, {"outcome": "error"})
    assert done.summary == "## fairsum check\n\nThe check failed with an error; see the log.\n"
    assert "fairsum check: error: " in done.log


@pytest.mark.parametrize(
    "inputs", [{"rules": "$(touch hit)"}, {"results": "x\n::error::y"}, {"baseline": "--output=hit"}]
)
def test_no_input_is_run(inputs: dict[str, str], folder: Path) -> None:
    assert check(folder, **{"rules": "uer < 1", **inputs}).outputs == {"outcome": "error"}
    assert sorted(path.name for path in folder.iterdir()) == ["main.json", "results.json"]


def test_what_is_installed(folder: Path) -> None:
    command = {"python": 'printf "<%s>" "$@"'}
    options = "<-m><pip><install><--quiet><--disable-pip-version-check><-->"
    done = run_step("Install", {}, folder.parent / "runner", folder, **command)
    assert (done.status, done.log) == (0, f"{options}<{Path(__file__).parents[2]}>")


def test_a_python_of_ones_own() -> None:
    assert step("Set up Python")["if"] == "inputs.python != ''"
