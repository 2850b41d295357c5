"""Completion: what the command offers to a shell, and that bash gets it."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from fairsum_utils.cli.app import app
from fairsum_utils.cli.names import COMMANDS


def offered(*words):
    *before, typed = words
    completions = ShellComplete(app, {}, "fairsum", "_FAIRSUM_COMPLETE").get_completions(list(before), typed)
    return [each.value for each in completions if each.type == "plain"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["sc"], ["score"]),
        (["data", ""], ["list", "build", "export", "annotate"]),
        (["score", "x.jsonl", "--metr"], ["--metrics"]),
        (["score", "--metrics", "ue"], ["uer"]),
        (["score", "--metrics", "bur,equal"], ["bur,equal_coverage"]),
        (["score", "--set", "ta"], ["tau=", "target="]),
        (["score", "--metrics", "omission", "--set", "finder"], ["finder=", "finder_label=", "finder_threshold="]),
        (["score", "--format", "m"], ["markdown"]),
        (["explain", "distin"], ["distinguishability"]),
        (["explain", "toxi"], ["toxicity"]),
        (["explain", "ta"], ["tau"]),
        (["score", ""], []),  # files
        (["score", "--output", ""], []),
    ],
)
def test_what_is_offered(words, found):
    assert offered(*words) == found


def test_commands_and_options():
    assert offered("") == [*COMMANDS]
    assert {"--set", "--output", "--quiet", "--help"} <= {*offered("score", "x", "--")}
    assert "bur,bur" not in offered("score", "--metrics", "bur,")


def test_bash_completes(tmp_path):
    command = tmp_path / "fairsum"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m fairsum_utils "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    ask = (
        'eval "$(_FAIRSUM_COMPLETE=bash_source fairsum)"\n'
        'try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _fairsum_completion fairsum; '
        'echo "${COMPREPLY[*]}"; }\n'
        "try fairsum comp\ntry fairsum score --metrics bur,ue\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    environment = os.environ | {"PATH": path}
    done = subprocess.run(
        ["bash", "-c", ask], capture_output=True, text=True, cwd=tmp_path, env=environment, check=True
    )
    assert (done.stdout.split(), done.stderr) == (["compare", "bur,uer"], "")
