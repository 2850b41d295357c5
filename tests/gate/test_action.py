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

from fairsum_utils.gate import EXIT_STATUS
from tests._action import Done, action, run_step, step
from tests._gate import uer


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


def test_verdicts(folder: Path) -> None:
    done = check(folder, rules="uer < 0.05\n\n  uer - baseline < 0.02  \nuer.ci_high < 0.05", baseline="main.json")
    assert (done.status, done.outputs["outcome"]) == (3, "undecided")
    assert done.summary.startswith("## fairsum check\n\nundecided: results.json, against main.json: ")
    assert done.summary.count("| uer") == 3
    first, *table, last = done.log.splitlines()
    assert "\n".join(table) in done.summary
    token = first.removeprefix("::stop-commands::")
    assert len(token) == 32
    assert last == f"::{token}::"
    junit = Path(done.outputs["junit"])
    assert junit == done.files / "runner_temp" / "fairsum-check.xml"
    assert ElementTree.parse(junit).getroot().get("errors") == "1"


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        (
            {"results": "results.json\n\nbur.json", "rules": "fairsum.toml\n\n  uer < 1 \n"},
            ["--rules=fairsum.toml", "--rules=  uer < 1 ", "--", "results.json", "bur.json"],
        ),
        ({"results": "x\n::error::y", "rules": "$(touch hit)"}, ["--rules=$(touch hit)", "--", "x", "::error::y"]),
        ({"results": "-x.json", "baseline": "--output=hit"}, ["--baseline=--output=hit", "--", "-x.json"]),
    ],
)
def test_inputs_become_words_and_are_not_run(inputs: dict[str, str], words: list[str], folder: Path) -> None:
    done = run_step("Check", inputs, folder.parent / "runner", folder, fairsum='printf "%s\\n" "$@"; exit 2')
    assert done.outputs == {"outcome": "error"}
    assert done.summary == "## fairsum check\n\nThe check failed with an error; see the log.\n"
    assert done.log.splitlines()[5:-1] == words
    assert sorted(path.name for path in folder.iterdir()) == ["main.json", "results.json"]


def test_what_is_installed(folder: Path) -> None:
    command = {"python": 'printf "<%s>" "$@"'}
    options = "<-m><pip><install><--quiet><--disable-pip-version-check><-->"
    done = run_step("Install", {}, folder.parent / "runner", folder, **command)
    assert (done.status, done.log) == (0, f"{options}<{Path(__file__).parents[2]}>")


def test_a_python_of_ones_own() -> None:
    assert step("Set up Python")["if"] == "inputs.python != ''"


@pytest.mark.parametrize(
    ("status", "outcome"), [*((n, name) for name, n in EXIT_STATUS.items()), (2, "error"), (130, "error")]
)
def test_the_exit_status_is_the_outcome(status: int, outcome: str, tmp_path: Path) -> None:
    done = run_step("Check", {"results": "x.json"}, tmp_path, tmp_path, fairsum=f"echo verdicts; exit {status}")
    assert (done.status, done.outputs["outcome"]) == (status, outcome)
