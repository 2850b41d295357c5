"""Help, and completion: a page for each command, what is offered to a shell, and that bash gets it."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from fairsum_utils.cli.app import app, contexts
from fairsum_utils.cli.command import groups_of
from fairsum_utils.cli.names import COMMANDS, options_of

PAGES = {context.command_path: context for context in contexts()}
SCORE = PAGES["fairsum score"]


def test_the_page_of_the_command_fits_a_screen_and_names_every_command():
    lines = PAGES["fairsum"].get_help().partition("\nexamples:")[0].splitlines()
    assert len(lines) <= 36
    assert max(map(len, lines)) <= 80
    assert {line.split()[0] for line in lines if line} >= set(COMMANDS)
    assert len(COMMANDS) == 14  # 12, and 2 from the second distribution


def test_all_commands_together_have_few_options():
    assert len({name for context in PAGES.values() for name in options_of(context.command)}) <= 80


def test_every_value_is_named_by_a_word_or_its_choices():
    """No ``--empty TEXT``, as click makes up."""
    params = [param for context in PAGES.values() for param in context.command.params]
    assert [param.opts for param in params if param.metavar is None and not getattr(param, "is_flag", False)] == []


def test_the_page_of_score_fits_a_screen_and_shows_every_option():
    lines = SCORE.get_help().splitlines()
    assert len(lines) <= 66
    options = [param for param in SCORE.command.params if param.opts[-1].startswith("--")]
    assert len(options) <= 40
    for param in options:  # a line for each
        assert [line for line in lines if param.opts[-1] in line.split()] != []
    assert len([line for line in lines if line.startswith("  fairsum score ")]) == 3
    assert list(groups_of(SCORE.command)) == ["measures", "input", "output", "cluster", "options"]


def test_help_as_a_word(fairsum):
    assert fairsum("score", "--help") == fairsum("help", "score")
    assert fairsum("score", "--help")[0] == 0


def offered(*words):
    *before, typed = words
    completions = ShellComplete(app, {}, "fairsum", "_FAIRSUM_COMPLETE").get_completions(list(before), typed)
    return [each.value for each in completions if each.type == "plain"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("sc", ["score"]),
        ("data ", ["list", "build", "export", "annotate"]),
        ("score x.jsonl --metr", ["--metrics"]),
        ("score --metrics ue", ["uer"]),
        ("score --metrics bur,equal", ["bur,equal_coverage"]),
        ("score --metrics bur,bu", []),
        ("score --set ta", ["tau=", "target="]),
        ("score --metrics uer --set ta", ["target="]),
        ("inspect --metrics uer --set ta", ["target="]),
        ("score --format m", ["markdown"]),
        ("explain distin", ["distinguishability"]),
        ("explain ta", ["tau"]),
        ("generate --set temp", ["temperature="]),
        ("score ", []),  # files
        ("score --output ", []),
        ("", [*COMMANDS]),
    ],
)
def test_what_is_offered(words, found):
    assert offered(*words.split(" ")) == found


def test_bash_completes(tmp_path):
    command = tmp_path / "fairsum"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m fairsum_utils "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    ask = (
        'eval "$(_FAIRSUM_COMPLETE=bash_source fairsum)"\n'
        'COMP_WORDS=(fairsum score --metrics bur,ue); COMP_CWORD=3; _fairsum_completion fairsum; echo "${COMPREPLY[*]}"'
    )
    environment = os.environ | {"PATH": os.pathsep.join([str(tmp_path), os.environ["PATH"]])}
    asked = ["bash", "-c", ask]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, env=environment, check=True)
    assert (done.stdout, done.stderr) == ("bur,uer\n", "")
