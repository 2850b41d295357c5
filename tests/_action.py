"""Runs the steps of action.yml as GitHub does: each script in bash, inputs by the environment that the step names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parents[1]


class Done(NamedTuple):
    """What a step left.

    Attributes:
        status: exit status.
        log: what it printed.
        outputs: name -> value.
        summary: of the job.
        files: folder for files of the run.
    """

    status: int
    log: str
    outputs: dict[str, str]
    summary: str
    files: Path


def action() -> dict[str, Any]:
    """What action.yml holds."""
    read: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return read


def step(name: str) -> dict[str, Any]:
    """A step of the action by its name."""
    [found] = (each for each in action()["runs"]["steps"] if each["name"] == name)
    return dict(found)


def run_step(name: str, inputs: Mapping[str, str], files: Path, folder: Path, **commands: str) -> Done:
    """Run a step.

    Args:
        name: of the step.
        inputs: of the action; the others have their defaults.
        files: folder for what GitHub has files for.
        folder: that it runs in.
        **commands: command -> script in bash that stands for it; ``fairsum`` is the one of this checkout by itself.
    """
    known = action()["inputs"]
    assert set(inputs) <= set(known)
    given = {key: inputs.get(key, info.get("default", "")) for key, info in known.items()}
    script = step(name)
    env = {
        key: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: given[match[1]], value)
        for key, value in script.get("env", {}).items()
    }
    places = {key: files / key.lower() for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP", "BIN")}
    for key in ("RUNNER_TEMP", "BIN"):
        places[key].mkdir(parents=True, exist_ok=True)
    for command, text in {"fairsum": f'exec "{sys.executable}" -m fairsum_utils "$@"', **commands}.items():
        path = places["BIN"] / command
        path.write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
    for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        places[key].write_text("", encoding="utf-8")
    file = files / "script.sh"
    file.write_text(script["run"], encoding="utf-8")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(file)],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
            "PATH": f"{places['BIN']}{os.pathsep}{os.environ['PATH']}",
            "GITHUB_ACTION_PATH": str(ROOT),
            **{key: str(place) for key, place in places.items()},
            **env,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    written = places["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines()
    summary = places["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    return Done(done.returncode, done.stdout, dict(line.split("=", 1) for line in written), summary, files)
