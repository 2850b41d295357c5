"""Every study keeps the contract: found by its file, documented, drawn, with a test and examples that can be run."""

from __future__ import annotations

import inspect
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import fairsum_reproductions
from fairsum_reproductions import find_study, studies
from fairsum_reproductions.commands.study import study as group
from fairsum_reproductions.contract import PAPERS
from fairsum_utils.errors import InputError

TESTS = Path(__file__).parent
SHARED = {path.stem for path in Path(fairsum_reproductions.__file__).parent.glob("*.py")}


@pytest.mark.parametrize("name", studies())
def test_its_words(name: str) -> None:
    study = find_study(name)
    assert name not in {*SHARED, *PAPERS}  # a module of that name would hide the call
    assert study.help[0].islower() or study.help.split()[0].isupper() or study.help[1].isupper()
    assert not study.help.endswith(".")
    assert study.inputs
    assert all(not each.help.endswith(".") for each in study.inputs)
    assert all(not each.systems for each in study.inputs[:-1])
    assert all(not choice.endswith(".") for choice in study.choices)
    assert study.examples
    assert (TESTS / study.paper / f"test_{name}.py").exists()


@pytest.mark.parametrize("name", studies())
def test_its_examples_are_command_lines(name: str) -> None:
    for line in find_study(name).examples:
        words = shlex.split(line.replace("\\\n", " "))
        assert words[:3] == ["fairsum", "study", name]
        command = group.load(name)
        assert command.make_context(name, words[3:]).info_name == name


@pytest.mark.parametrize("name", studies())
def test_its_call_says_what_it_takes(name: str) -> None:
    study, call = find_study(name), getattr(fairsum_reproductions, name)
    parameters = inspect.signature(call).parameters
    assert list(parameters)[: len(study.inputs)] == [each.name for each in study.inputs]
    settings = [info for info in parameters if info not in {*(each.name for each in study.inputs), "columns"}]
    assert settings == [*study.shape, *study.settings.infos()]
    for each in study.inputs:
        assert f"    {each.name}: {each.help}" in call.__doc__
        assert all(f"``{column}``" in call.__doc__ for column in each.all_columns)
    assert f"Source: {study.cited}." in call.__doc__


def test_the_list_costs_no_heavy_import() -> None:
    heavy = ("torch", "datasets", "evaluate", "transformers", "pandas", "nltk")
    code = (
        "import sys\nfrom fairsum_reproductions import find_study, studies\n"
        f"[find_study(name) for name in studies()]\nprint(*set(sys.modules) & set({heavy}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_an_unknown_study() -> None:
    with pytest.raises(InputError, match="study: unknown study 'domnance'; did you mean dominance"):
        find_study("domnance")
    with pytest.raises(AttributeError, match="has no attribute 'domnance'"):
        _ = fairsum_reproductions.domnance
