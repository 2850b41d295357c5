"""Completion: what the command offers, and that a shell gets it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairsum_utils.cli import COMMANDS, build_parser
from fairsum_utils.cli.completion import SCRIPTS, candidates


def offered(*words):
    return candidates(build_parser(), words)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["sc"], ["score"]),
        (["data", ""], ["list", "build", "export"]),
        (["score", "x.jsonl", "--metr"], ["--metrics"]),
        (["score", "--metrics", "u"], ["uer"]),
        (["score", "--metrics", "bur,equal"], ["bur,equal_coverage"]),
        (["score", "--metrics", "="], [*offered("score", "--metrics", "")]),
        (["score", "--metrics", "=", "so"], ["sof"]),
        (["score", "--empty", ""], ["skip", "uniform", "error"]),
        (["score", "--format", "m"], ["markdown"]),
        (["score", "--help", "repr"], ["representation"]),
        (["explain", "distin"], ["distinguishability"]),
        (["explain", "t"], ["toxicity", "tau"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["score", ""], []),  # files
        (["score", "--output", ""], []),
        (["nothing", "--q"], []),
    ],
)
def test_what_is_offered(words, found):
    assert offered(*words) == found


def test_commands_and_options():
    assert offered("") == [*COMMANDS]
    assert {"--tau", "--output", "--quiet", "--help-all"} <= {*offered("score", "x", "--")}
    assert offered() == [*COMMANDS]


def test_a_measure_is_not_offered_twice():
    assert "bur,bur" not in offered("score", "--metrics", "bur,")


def test_bash_completes(tmp_path):
    command = tmp_path / "fairsum"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m fairsum_utils "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    ask = (
        f"{SCRIPTS['bash']}\n"
        'try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _fairsum; echo "${COMPREPLY[*]}"; }\n'
        "try fairsum comp\ntry fairsum score --metrics bur,ue\ntry fairsum score --metrics = so\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", ask], capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"PATH": path}, check=True
    )
    assert done.stdout.splitlines() == ["compare completion", "bur,uer", "sof"] or done.stdout.split() == [
        "compare", "completion", "bur,uer", "sof",
    ]  # fmt: skip
    assert done.stderr == ""


@pytest.mark.parametrize("shell", SCRIPTS)
def test_scripts_are_valid(fairsum, shell, tmp_path):
    status, printed, _ = fairsum("completion", shell)
    assert (status, printed) == (0, SCRIPTS[shell])
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    script = Path(tmp_path, "script")
    script.write_text(printed, encoding="utf-8")
    subprocess.run([shell, "-n", script], check=True)
